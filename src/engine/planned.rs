//! A program that is made when it is first wanted. In: a rule's case and what its plan depends on. Out: its [`Program`].
//!
//! Most puzzles need few techniques, and to plan all of them takes longer than to solve the puzzle. Rules that the binary
//! carries are known to have a plan on the usual board, so theirs can wait; others are planned at once, since their
//! author wants to know what is wrong.

use super::plan::{self, Instr, Program};
use crate::lang::ir::{LinkSource, Variant};
use std::sync::{Arc, OnceLock};

/// A program, or what it is made from.
pub(super) struct Planned {
    program: OnceLock<Program>,
    task: Option<Task>,
}

/// What a program is made from.
pub(super) struct Task {
    pub variant: Variant,
    pub args: Vec<u32>,
    /// Half of the board's size.
    pub half: u32,
    /// The link sources that its chains may use.
    pub sources: Arc<[LinkSource]>,
    /// Whether the rule is taken to be sound.
    pub trusting: bool,
}

impl Task {
    pub fn program(&self) -> Result<Program, String> {
        plan::compile(&self.variant, &self.args, self.half, &self.sources, self.trusting)
    }
}

impl Planned {
    /// One that is there.
    pub fn made(program: Program) -> Planned {
        Planned { program: OnceLock::from(program), task: None }
    }

    /// One that waits until it is wanted.
    pub fn later(task: Task) -> Planned {
        Planned { program: OnceLock::new(), task: Some(task) }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| {
            let program = self.task.as_ref().map(Task::program);
            debug_assert!(matches!(program, Some(Ok(_))), "a rule of the rulebook has no plan: {program:?}");
            let nothing = || Program { code: vec![Instr::Halt], ..Program::default() };
            program.and_then(Result::ok).unwrap_or_else(nothing)
        })
    }

    /// The program if it is there already.
    pub fn ready(&self) -> Option<&Program> {
        self.program.get()
    }

    /// The same, to be changed.
    pub fn ready_mut(&mut self) -> Option<&mut Program> {
        self.program.get_mut()
    }
}
