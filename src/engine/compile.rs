//! Compiles all members of a rulebook. In: techniques, link sources, a board. Out: [`Compiled`].
//!
//! A rule that is known to have a plan is planned when a search first needs its program. Any other rule is planned at
//! once.

use super::error::{NoPlan, PlanError};
use super::matches::MemberId;
use super::merge::JoinPlan;
use super::plan;
use super::plan::{MeansSpec, Output, Program, RowsSpec};
use super::suppose::Reading;
use super::tables::board::RowTable;
use crate::grid::Geometry;
use crate::lang::ir;
use crate::lang::ir::{
    CaseResult, Cycles, Expr, InferenceMethods, LinkSource, RuleRef, Space, Statement, Technique, VarId, Variant,
    member_label,
};
use petgraph::graph::{DiGraph, NodeIndex};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// Board size for which every built-in rule is known to have a plan: a test plans all of them.
const TESTED_SIZE: u32 = 9;

#[derive(Default)]
pub(super) struct Compiled {
    pub members: Vec<MemberId>,
    programs: Vec<Arc<LazyProgram>>,
    /// For each member, facts beyond its program.
    pub members_info: Vec<MemberInfo>,
    pub sources: Vec<SourcePlan>,
    /// Names of the link sources, by index.
    pub source_names: Arc<[String]>,
}

/// Facts about a member beyond its program.
pub(super) struct MemberInfo {
    /// Names whose values group matches into one step; empty if each match is a step.
    pub merge_by: Vec<VarId>,
    /// The members whose matches are joined, if the member joins matches. Such a member has no program of its own.
    pub join: Option<JoinPlan>,
    /// True if the body assumes something.
    pub supposes: bool,
    /// True if all matches are found quickly: each assumption of the body leads to a contradiction by links or singles
    /// alone, or the body makes no assumption.
    pub is_quick: bool,
    /// The members that this member uses under assumptions.
    pub uses: Vec<usize>,
    /// Parts of the state that the rule's conditions read; used to reuse results along a path.
    pub reading: Reading,
}

pub(super) struct SourceProgram {
    /// Finds the links.
    pub pairs: PairProgram,
    /// Finds the links together with the consequences of a single true end, which only loops need. `None` if the source
    /// has no conclusions.
    pub with_conclusions: Option<PairProgram>,
}

/// Knowledge about a technique or link source before it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleKnowledge {
    /// Nothing is known.
    Unproved,
    /// The technique is proved sound.
    Sound,
    /// The technique is proved sound, and known to have a plan on 9×9 boards.
    SoundAndPlannable,
    /// The technique is proved sound and plannable, and known to have no matches on this board, so assumptions skip it.
    SoundAndEmpty,
}

impl RuleKnowledge {
    /// Returns true if the technique is known to have a plan on 9×9 boards.
    fn has_plan(self) -> bool {
        matches!(self, RuleKnowledge::SoundAndPlannable | RuleKnowledge::SoundAndEmpty)
    }
}

pub(super) struct SourcePlan {
    source: LinkSource,
    half_size: u32,
    program: OnceLock<SourceProgram>,
}

impl SourcePlan {
    /// Plans a link source. If the source is known to have a plan (`has_plan`), it is planned on first use.
    fn new(source: &LinkSource, half_size: u32, has_plan: bool) -> Result<SourcePlan, NoPlan> {
        let program = if has_plan { OnceLock::new() } else { compile_source(source, half_size)?.into() };
        Ok(SourcePlan { source: source.clone(), half_size, program })
    }

    pub fn program(&self) -> &SourceProgram {
        // Rules of users were planned in `new`. A test plans all built-in rules.
        self.program.get_or_init(|| {
            let program = compile_source(&self.source, self.half_size);
            program.unwrap_or_else(|reason| {
                panic!("`strong link {}` of the rulebook has no plan: {reason}", self.source.id)
            })
        })
    }
}

/// A program that finds the links of a source, and its outputs with the digit and the cells of both ends.
pub(super) struct PairProgram {
    pub program: Program,
    pub ends: [(Output, Output); 2],
}

impl Compiled {
    /// Compiles a rulebook. `knowledge_of` takes the id of a technique or link source.
    ///
    /// # Errors
    /// One error for each technique or link source that cannot be compiled or that uses itself.
    pub fn new(
        geometry: &Geometry,
        techniques: &Arc<[Technique]>,
        sources: &[LinkSource],
        knowledge_of: &dyn Fn(&str) -> RuleKnowledge,
    ) -> Result<Compiled, Vec<PlanError>> {
        let size = geometry.size() as u32;
        let source_names = sources.iter().map(|source| source.id.clone()).collect();
        let mut out = Compiled { source_names, ..Compiled::default() };
        let mut errors = Vec::new();
        for source in sources {
            match SourcePlan::new(source, size / 2, size == TESTED_SIZE && knowledge_of(&source.id).has_plan()) {
                Ok(source) => out.sources.push(source),
                Err(reason) => errors.push(PlanError { technique: source.id.clone(), reason }),
            }
        }
        // All tasks are this task with another member.
        let base_task = Task {
            techniques: Arc::clone(techniques),
            technique: 0,
            variant: 0,
            args: Vec::new(),
            half_size: size / 2,
            sources: sources.into(),
            is_sound: false,
        };
        let knowledge: Vec<RuleKnowledge> = techniques.iter().map(|technique| knowledge_of(&technique.id)).collect();
        let is_all_known = size == TESTED_SIZE && knowledge.iter().all(|knowledge| knowledge.has_plan());
        // Plans are made in parallel, unless all plans are made later or the system refuses threads.
        let pool = if is_all_known { None } else { rayon::ThreadPoolBuilder::new().build().ok() };
        let planned: Vec<_> = match pool {
            None => {
                knowledge.iter().enumerate().map(|(index, &known)| programs(&base_task, size, index, known)).collect()
            }
            Some(pool) => pool.install(|| {
                let indexed = knowledge.par_iter().enumerate();
                indexed.map(|(index, &known)| programs(&base_task, size, index, known)).collect()
            }),
        };
        for ((index, technique), programs) in techniques.iter().enumerate().zip(planned) {
            if let Err(reason) = programs.and_then(|programs| out.add_members(index, technique, size, programs)) {
                errors.push(PlanError { technique: technique.id.clone(), reason });
            }
        }
        for member in 0..out.members.len() {
            let technique = &techniques[out.members[member].technique];
            let resolved =
                out.resolve_join(member, techniques).and_then(|()| out.resolve_used(member, techniques, &knowledge));
            if let Err(reason) = resolved {
                errors.push(PlanError { technique: technique.id.clone(), reason });
            }
        }
        errors.extend(cycle_errors(&out, techniques));
        errors.dedup();
        if errors.is_empty() { Ok(out) } else { Err(errors) }
    }

    pub fn lazy_program(&self, member: usize) -> &LazyProgram {
        &self.programs[member]
    }

    pub fn program(&self, member: usize) -> &Program {
        self.programs[member].program()
    }

    /// Returns true if a member uses members that make assumptions themselves.
    pub fn nests_assumptions(&self, member: usize) -> bool {
        self.members_info[member].uses.iter().any(|&other| self.members_info[other].supposes)
    }

    /// Adds the members of a technique; `programs` has a program for each pair of arguments and variant.
    fn add_members(
        &mut self,
        technique_index: usize,
        technique: &Technique,
        size: u32,
        programs: Vec<Arc<LazyProgram>>,
    ) -> Result<(), NoPlan> {
        for ((args, variant_index), program) in technique.member_variants(size).into_iter().zip(programs) {
            let variant = &technique.variants[variant_index];
            for space in technique.spaces() {
                let mut body = variant.body.iter();
                if space != Space::Rc && (variant.join.is_some() || body.any(Statement::is_graph_or_supposition)) {
                    return Err(NoPlan::NotInView);
                }
                self.programs.push(Arc::clone(&program));
                let reading = Reading::of(variant, technique.assumes_one_solution);
                self.members_info.push(MemberInfo {
                    merge_by: variant.merge_by.clone(),
                    join: None,
                    supposes: variant.suppositions().next().is_some(),
                    is_quick: variant.suppositions().all(|suppose| {
                        !matches!(suppose.methods, InferenceMethods::Rules(_))
                            && suppose.shows == CaseResult::Contradiction
                    }),
                    uses: Vec::new(),
                    reading,
                });
                let args = args.clone();
                self.members.push(MemberId { technique: technique_index, args, variant: variant_index, space });
            }
        }
        Ok(())
    }

    /// Finds the members that a member joins.
    fn resolve_join(&mut self, member_index: usize, techniques: &[Technique]) -> Result<(), NoPlan> {
        let member = &self.members[member_index];
        let Some(join) = &techniques[member.technique].variants[member.variant].join else { return Ok(()) };
        let Some(joined) = techniques.iter().position(|technique| technique.id == join.technique) else {
            return Err(NoPlan::UnknownJoined(join.technique.clone()));
        };
        let args = join.args.iter().map(|arg| match arg {
            Expr::Number(value) => Ok(*value),
            Expr::Param(index) => member.args.get(*index).copied().ok_or(NoPlan::JoinParameter),
            _ => Err(NoPlan::JoinArgument),
        });
        let args = args.collect::<Result<Vec<u32>, _>>()?;
        let mut plan = JoinPlan::default();
        for (index, other) in self.members.iter().enumerate() {
            if other.technique != joined || other.args != args || other.space != Space::Rc {
                continue;
            }
            let variant = &techniques[joined].variants[other.variant];
            if variant.join.is_some() {
                return Err(NoPlan::JoinOfJoin(join.technique.clone()));
            }
            let names = join.by.iter().map(|name| {
                let id = variant.vars.iter().position(|var| var.name == *name).map(VarId);
                id.ok_or_else(|| NoPlan::JoinName { technique: join.technique.clone(), name: name.clone() })
            });
            plan.push((index, names.collect::<Result<_, _>>()?));
        }
        self.members_info[member_index].join = Some(plan);
        Ok(())
    }

    /// Finds the members that a member uses under its assumptions, in the order of the rule's references. Members of
    /// one reference are in the engine's order.
    ///
    /// Techniques without matches on this board are skipped. Techniques that assume one solution are skipped as well,
    /// unless the member's technique assumes one solution itself.
    fn resolve_used(
        &mut self,
        member_index: usize,
        techniques: &[Technique],
        knowledge: &[RuleKnowledge],
    ) -> Result<(), NoPlan> {
        let member = &self.members[member_index];
        let technique = &techniques[member.technique];
        let mut resolved: Vec<ResolvedRules> = Vec::new();
        for suppose in technique.variants[member.variant].suppositions() {
            let InferenceMethods::Rules(references) = &suppose.methods else { continue };
            let mut used: Vec<usize> = Vec::new();
            for reference in references {
                for member in self.referenced_members(reference, techniques)? {
                    let used_technique = self.members[member].technique;
                    let is_allowed = technique.assumes_one_solution || !techniques[used_technique].assumes_one_solution;
                    if is_allowed
                        && knowledge[used_technique] != RuleKnowledge::SoundAndEmpty
                        && !used.contains(&member)
                    {
                        used.push(member);
                    }
                }
            }
            resolved.push((references.clone(), used));
        }
        if !resolved.is_empty() {
            let info = &mut self.members_info[member_index];
            info.uses = resolved.iter().flat_map(|(_, members)| members.iter().copied()).collect();
            // Members that differ only in their view share a program. Rules with suppositions are not searched in views.
            if let Some(program) = Arc::get_mut(&mut self.programs[member_index]) {
                program.resolve_references(resolved);
            }
        }
        Ok(())
    }

    /// Returns the members that a reference selects. Members that do not fit the board are left out.
    fn referenced_members(&self, reference: &RuleRef, techniques: &[Technique]) -> Result<Vec<usize>, NoPlan> {
        let id = &reference.technique;
        let Some(index) = techniques.iter().position(|technique| technique.id == *id) else {
            return Err(NoPlan::UnknownUsed(id.clone()));
        };
        let params = &techniques[index].params;
        if let Some(args) = &reference.args {
            let mut pairs = args.iter().zip(params);
            let fits = args.len() == params.len()
                && pairs.all(|(arg, param)| param.low <= *arg && param.high.is_none_or(|high| *arg <= high));
            if !fits {
                let list: Vec<String> = args.iter().map(u32::to_string).collect();
                return Err(NoPlan::NoMember { technique: id.clone(), args: list.join(", ") });
            }
        }
        let referenced = self.members.iter().enumerate().filter(|(_, member)| {
            member.technique == index && reference.args.as_ref().is_none_or(|args| *args == member.args)
        });
        Ok(referenced.map(|(member, _)| member).collect())
    }

    /// The members that a search of `member` searches in turn: joined members and members used under assumptions.
    fn dependencies(&self, member: usize) -> impl Iterator<Item = usize> + '_ {
        let info = &self.members_info[member];
        let joined = info.join.iter().flatten().map(|(other, _)| *other);
        info.uses.iter().copied().chain(joined)
    }
}

/// Plans a technique: one program for each pair of arguments and variant. `base_task` is a task of any member.
fn programs(
    base_task: &Task,
    size: u32,
    technique_index: usize,
    knowledge: RuleKnowledge,
) -> Result<Vec<Arc<LazyProgram>>, NoPlan> {
    let mut out = Vec::new();
    let technique = &base_task.techniques[technique_index];
    // For a sound rule about one digit, the engine skips the search if every candidate of the digit is in a template. A
    // rule that assumes one solution can eliminate such candidates, so it is not treated as sound here.
    let is_sound = knowledge != RuleKnowledge::Unproved && !technique.assumes_one_solution;
    for (args, variant) in technique.member_variants(size) {
        if let Some(join) = &technique.variants[variant].join {
            out.push(Arc::new(LazyProgram { program: join_note(join).into(), ..LazyProgram::default() }));
            continue;
        }
        let task = Task { technique: technique_index, variant, args, is_sound, ..base_task.clone() };
        let has_plan = knowledge.has_plan() && size == TESTED_SIZE;
        out.push(Arc::new(if has_plan { LazyProgram::unplanned(task) } else { LazyProgram::planned(task)? }));
    }
    Ok(out)
}

/// Returns an empty program for a member that joins matches, with a note for `emit plan`.
fn join_note(join: &ir::Join) -> Program {
    let note = format!("every two steps of {} that agree on {}", join.technique, join.by.join(", "));
    Program { notes: vec![note], ..Program::default() }
}

fn compile_source(source: &LinkSource, half_size: u32) -> Result<SourceProgram, NoPlan> {
    let complete = pair_program(source, half_size)?;
    if source.pattern.conclusions.is_empty() {
        return Ok(SourceProgram { pairs: complete, with_conclusions: None });
    }
    let mut without_conclusions = source.clone();
    without_conclusions.pattern.conclusions.clear();
    let pairs = pair_program(&without_conclusions, half_size)?;
    Ok(SourceProgram { pairs, with_conclusions: Some(complete) })
}

fn pair_program(source: &LinkSource, half_size: u32) -> Result<PairProgram, NoPlan> {
    let program = plan::compile_source(source, half_size)?;
    let ends = plan::source_ends(&program, source).ok_or(NoPlan::SourceEnds)?;
    Ok(PairProgram { program, ends })
}

/// Returns an error for each technique with a member that uses itself, directly or through other members.
fn cycle_errors(compiled: &Compiled, techniques: &[Technique]) -> Vec<PlanError> {
    let members = 0..compiled.members.len();
    let edges =
        members.clone().flat_map(|member| compiled.dependencies(member).map(move |used| (member as u32, used as u32)));
    let cycles = Cycles::find(&DiGraph::<(), ()>::from_edges(edges));
    let mut out: Vec<PlanError> = Vec::new();
    for member in members {
        let Some(cycle) = cycles.through(NodeIndex::new(member)) else { continue };
        let id = &techniques[compiled.members[member].technique].id;
        if out.iter().any(|error| error.technique == *id) {
            continue;
        }
        // The list of a cycle begins and ends with the same member.
        let cycle = cycle.iter().chain(&cycle[..1]).map(|node| &compiled.members[node.index()]);
        let names = cycle.map(|member| member_label(&techniques[member.technique].id, &member.args));
        let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
        out.push(PlanError { technique: id.clone(), reason: NoPlan::UsesItself(names.join(" uses ")) });
    }
    out
}

/// The references of an assumption to techniques, and the members that these references select, in order.
pub(super) type ResolvedRules = (Vec<RuleRef>, Vec<usize>);

/// The program of a member with its tables, each made on first use.
#[derive(Default)]
pub(super) struct LazyProgram {
    program: OnceLock<Program>,
    /// The input of the plan; `None` for a member that joins matches.
    task: Option<Task>,
    /// The program without tables of the board; set on demand if `program` uses tables.
    without_tables: OnceLock<Program>,
    /// Tables of the board; `None` if they are too large.
    tables: OnceLock<Option<Vec<RowTable>>>,
    /// Members that may be used under assumptions.
    used_members: Vec<ResolvedRules>,
}

/// Input of one plan.
#[derive(Clone)]
struct Task {
    techniques: Arc<[Technique]>,
    technique: usize,
    variant: usize,
    args: Vec<u32>,
    half_size: u32,
    /// The link sources that its chains may use.
    sources: Arc<[LinkSource]>,
    /// True if the rule counts as sound.
    is_sound: bool,
}

impl Task {
    fn program(&self, uses_tables: bool) -> Result<Program, NoPlan> {
        let variant: &Variant = &self.techniques[self.technique].variants[self.variant];
        plan::compile(variant, &self.args, self.half_size, &self.sources, self.is_sound, uses_tables)
    }
}

impl LazyProgram {
    fn unplanned(task: Task) -> LazyProgram {
        LazyProgram { task: Some(task), ..LazyProgram::default() }
    }

    /// Plans at once, with and without tables.
    fn planned(task: Task) -> Result<LazyProgram, NoPlan> {
        let program = task.program(true)?;
        let without_tables = if program.rows.is_empty() { OnceLock::new() } else { task.program(false)?.into() };
        Ok(LazyProgram { program: program.into(), without_tables, ..LazyProgram::unplanned(task) })
    }

    /// Sets the members that references under assumptions select.
    fn resolve_references(&mut self, used_members: Vec<ResolvedRules>) {
        self.used_members = used_members;
        for program in [&mut self.program, &mut self.without_tables] {
            if let Some(program) = program.get_mut() {
                set_used_members(program, &self.used_members);
            }
        }
    }

    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| self.plan(true))
    }

    /// Returns the program and its tables, each made by `make_table`. If a table is too large, returns the program
    /// without tables.
    pub fn with_tables(&self, make_table: &dyn Fn(&RowsSpec) -> Option<RowTable>) -> (&Program, &[RowTable]) {
        let program = self.program();
        if program.rows.is_empty() {
            return (program, &[]);
        }
        match self.tables.get_or_init(|| program.rows.iter().map(make_table).collect()) {
            Some(tables) => (program, tables),
            None => (self.without_tables(), &[]),
        }
    }

    /// Returns a program that needs no tables.
    pub fn without_tables(&self) -> &Program {
        let program = self.program();
        if program.rows.is_empty() { program } else { self.without_tables.get_or_init(|| self.plan(false)) }
    }

    fn plan(&self, uses_tables: bool) -> Program {
        let Some(task) = &self.task else { return Program::default() };
        let mut program = task.program(uses_tables).unwrap_or_else(|reason| {
            // Rules of users were planned in `planned`. A test plans all built-in rules.
            panic!("`{}` of the rulebook has no plan: {reason}", task.techniques[task.technique].id)
        });
        set_used_members(&mut program, &self.used_members);
        program
    }
}

/// Sets the members that the assumptions of a program use.
fn set_used_members(program: &mut Program, used_members: &[ResolvedRules]) {
    for suppose in &mut program.supposes {
        if let MeansSpec::Rules { named, members } = &mut suppose.by
            && let Some((_, used)) = used_members.iter().find(|(references, _)| references == named)
        {
            members.clone_from(used);
        }
    }
}
