//! A program that is made when it is first wanted. In: a rule's case and what its plan depends on. Out: its [`Program`].
//!
//! Most puzzles need few techniques, and to plan all of them takes longer than to solve the puzzle. Rules that the binary
//! carries are known to have a plan on the usual board, so theirs can wait; others are planned at once, since their
//! author wants to know what is wrong.

use super::error::NoPlan;
use super::plan::{self, MeansSpec, Program, RowsSpec};
use super::tables::listed::RowTable;
use crate::lang::ir::{LinkSource, RuleRef, Technique, Variant};
use std::sync::{Arc, OnceLock};

/// Names of rules, and the members of the engine that they mean, in order.
pub(super) type Meaning = (Vec<RuleRef>, Vec<usize>);

/// A program, or what it is made from.
#[derive(Default)]
pub(super) struct Planned {
    program: OnceLock<Program>,
    task: Option<Task>,
    /// The same without tables of the board, where it has some.
    plain: OnceLock<Program>,
    /// These tables; none where they are too large.
    tables: OnceLock<Option<Vec<RowTable>>>,
    /// What may be used under its suppositions.
    means: Vec<Meaning>,
}

/// What a program is made from.
pub(super) struct Task {
    pub techniques: Arc<[Technique]>,
    /// Its technique, and the case of it.
    pub place: (usize, usize),
    pub args: Vec<u32>,
    /// Half of the board's size.
    pub half: u32,
    /// The link sources that its chains may use.
    pub sources: Arc<[LinkSource]>,
    /// Whether the rule is taken to be sound.
    pub trusting: bool,
}

impl Task {
    fn program(&self, tables: bool) -> Result<Program, NoPlan> {
        let variant: &Variant = &self.techniques[self.place.0].variants[self.place.1];
        plan::compile(variant, &self.args, self.half, &self.sources, self.trusting, tables)
    }
}

impl Planned {
    /// One that is there.
    pub fn made(program: Program) -> Planned {
        Planned { program: OnceLock::from(program), task: None, ..Planned::default() }
    }

    /// One that waits until it is wanted.
    pub fn later(task: Task) -> Planned {
        Planned { task: Some(task), ..Planned::default() }
    }

    /// One that is made at once, with tables and without.
    pub fn now(task: Task) -> Result<Planned, NoPlan> {
        let program = task.program(true)?;
        let plain = if program.rows.is_empty() { OnceLock::new() } else { task.program(false)?.into() };
        Ok(Planned { program: program.into(), plain, ..Planned::later(task) })
    }

    /// Says what the names of rules under its suppositions mean.
    pub fn resolve_rule_refs(&mut self, means: Vec<Meaning>) {
        self.means = means;
        for program in [&mut self.program, &mut self.plain] {
            if let Some(program) = program.get_mut() {
                fill(program, &self.means);
            }
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| self.make(true))
    }

    /// The program with its tables, which `table` fills; without any where these are too large.
    pub fn ready(&self, table: &dyn Fn(&RowsSpec) -> Option<RowTable>) -> (&Program, &[RowTable]) {
        let program = self.program();
        if program.rows.is_empty() {
            return (program, &[]);
        }
        match self.tables.get_or_init(|| program.rows.iter().map(table).collect()) {
            Some(tables) => (program, tables),
            None => (self.plain(), &[]),
        }
    }

    /// The program that needs no tables.
    pub fn plain(&self) -> &Program {
        let program = self.program();
        if program.rows.is_empty() { program } else { self.plain.get_or_init(|| self.make(false)) }
    }

    fn make(&self, tables: bool) -> Program {
        let Some(task) = &self.task else { return Program::default() };
        // What a user wrote was made at once. A test makes all that the binary carries.
        let id = &task.techniques[task.place.0].id;
        let made = task.program(tables);
        let mut program = made.unwrap_or_else(|why| panic!("`{id}` of the rulebook has no plan: {why}"));
        fill(&mut program, &self.means);
        program
    }
}

/// Puts the members that names mean into a program.
fn fill(program: &mut Program, means: &[Meaning]) {
    for suppose in &mut program.supposes {
        if let MeansSpec::Rules { named, members } = &mut suppose.by
            && let Some((_, found)) = means.iter().find(|(names, _)| names == named)
        {
            members.clone_from(found);
        }
    }
}
