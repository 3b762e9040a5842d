//! All members of a rulebook as programs. In: techniques, link sources, a board. Out: [`Compiled`].

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
    CaseResult, Cycles, Expr, InferenceMethods, LinkSource, RuleRef, Space, Statement, Suppose, Technique, VarId,
    Variant,
};
use petgraph::graph::{DiGraph, NodeIndex};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// Board size for which every built-in rule is known to have a plan.
const USUAL: u32 = 9;

/// Programs side by side with what they are for.
#[derive(Default)]
pub(super) struct Compiled {
    pub members: Vec<MemberId>,
    programs: Vec<Arc<LazyProgram>>,
    pub members_info: Vec<MemberInfo>,
    pub sources: Vec<SourcePlan>,
    /// Names of the link sources, by index.
    pub source_names: Arc<[String]>,
}

/// Facts about a member beyond its program.
pub(super) struct MemberInfo {
    /// Names whose values group matches into one step; empty if each match is a step.
    pub per: Vec<VarId>,
    /// Instead of a program: the members whose matches are joined.
    pub join: Option<JoinPlan>,
    /// True if the body assumes something.
    pub supposes: bool,
    /// True if the body makes no assumption, or only assumptions that links or singles lead to a contradiction. All matches
    /// of such a member are found quickly.
    pub is_quick: bool,
    /// The members that it uses under a supposition.
    pub uses: Vec<usize>,
    /// Parts of the state that the rule's conditions read; used to reuse results along a path.
    pub reading: Reading,
}

/// A link source.
pub(super) struct SourceProgram {
    /// Finds the pairs.
    pub pairs: PairProgram,
    /// Finds the pairs together with consequences of a single true end, if the source concludes any. Only loops need these.
    pub extra: Option<PairProgram>,
}

/// Knowledge about a technique or link source before it is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Unproved.
    Nothing,
    /// Proved sound.
    Sound,
    /// Proved sound, and has a plan on the usual board.
    Planned,
    /// As [`Trust::Planned`], and without matches on this board: assumptions skip it.
    Idle,
}

impl Trust {
    /// Returns true if it has a plan on the usual board.
    fn is_planned(self) -> bool {
        matches!(self, Trust::Planned | Trust::Idle)
    }
}

/// A link source. If it is known to have a plan, it is planned on first use, otherwise at once.
pub(super) struct SourcePlan {
    source: LinkSource,
    half: u32,
    program: OnceLock<SourceProgram>,
}

impl SourcePlan {
    fn new(source: &LinkSource, half: u32, waits: bool) -> Result<SourcePlan, NoPlan> {
        let program = if waits { OnceLock::new() } else { compile_source(source, half)?.into() };
        Ok(SourcePlan { source: source.clone(), half, program })
    }

    /// The program.
    pub fn program(&self) -> &SourceProgram {
        // Rules of users were planned in `new`. A test plans all built-in ones.
        self.program.get_or_init(|| {
            let made = compile_source(&self.source, self.half);
            made.unwrap_or_else(|why| panic!("`strong link {}` of the rulebook has no plan: {why}", self.source.id))
        })
    }
}

/// A program and the outputs that hold the two ends (digit, cell) of each pair.
pub(super) struct PairProgram {
    pub program: Program,
    pub ends: [(Output, Output); 2],
}

impl Compiled {
    /// Compiles a rulebook. `trust` takes the id of a technique or link source.
    ///
    /// # Errors
    /// One error for each technique or link source that cannot be compiled or that uses itself.
    pub fn new(
        geometry: &Geometry,
        techniques: &Arc<[Technique]>,
        sources: &[LinkSource],
        trust: &dyn Fn(&str) -> Trust,
    ) -> Result<Compiled, Vec<PlanError>> {
        let size = geometry.size() as u32;
        let source_names = sources.iter().map(|source| source.id.clone()).collect();
        let mut out = Compiled { source_names, ..Compiled::default() };
        let mut errors = Vec::new();
        for source in sources {
            match SourcePlan::new(source, size / 2, size == USUAL && trust(&source.id).is_planned()) {
                Ok(source) => out.sources.push(source),
                Err(reason) => errors.push(PlanError { technique: source.id.clone(), reason }),
            }
        }
        let task = Task {
            techniques: Arc::clone(techniques),
            place: (0, 0),
            args: Vec::new(),
            half: size / 2,
            sources: sources.into(),
            trusting: false,
        };
        let trust: Vec<Trust> = techniques.iter().map(|one| trust(&one.id)).collect();
        let is_planned = size == USUAL && trust.iter().all(|trust| trust.is_planned());
        // To plan a technique needs no other, so they are planned side by side, unless the system refuses threads.
        let pool = if is_planned { None } else { rayon::ThreadPoolBuilder::new().build().ok() };
        let all = trust.iter().enumerate();
        let planned: Vec<_> = match pool {
            None => all.map(|(number, &trust)| programs(&task, size, number, trust)).collect(),
            Some(pool) => pool.install(|| {
                let all = trust.par_iter().enumerate();
                all.map(|(number, &trust)| programs(&task, size, number, trust)).collect()
            }),
        };
        for ((number, technique), programs) in techniques.iter().enumerate().zip(planned) {
            if let Err(reason) = programs.and_then(|programs| out.add(number, technique, size, programs)) {
                errors.push(PlanError { technique: technique.id.clone(), reason });
            }
        }
        for at in 0..out.members.len() {
            let technique = &techniques[out.members[at].technique];
            if let Err(reason) = out.resolve(at, techniques).and_then(|()| out.resolve_rules(at, techniques, &trust)) {
                errors.push(PlanError { technique: technique.id.clone(), reason });
            }
        }
        errors.extend(circles(&out, techniques));
        errors.dedup();
        if errors.is_empty() { Ok(out) } else { Err(errors) }
    }

    /// The program of a member as it is searched, and what it needs.
    pub fn planned(&self, member: usize) -> &LazyProgram {
        &self.programs[member]
    }

    /// The program of a member.
    pub fn program(&self, member: usize) -> &Program {
        self.programs[member].program()
    }

    /// Returns true if a member makes assumptions under its assumptions.
    pub fn nests(&self, member: usize) -> bool {
        self.members_info[member].uses.iter().any(|&other| self.members_info[other].supposes)
    }

    fn add(
        &mut self,
        number: usize,
        technique: &Technique,
        size: u32,
        programs: Vec<Arc<LazyProgram>>,
    ) -> Result<(), NoPlan> {
        for ((args, index), program) in technique.member_variants(size).into_iter().zip(programs) {
            let variant = &technique.variants[index];
            let views = technique.views.iter().map(|view| view.space);
            for space in std::iter::once(Space::Rc).chain(views) {
                if space != Space::Rc && (variant.join.is_some() || is_open(variant)) {
                    return Err(NoPlan::NotInView);
                }
                self.programs.push(Arc::clone(&program));
                let reading = Reading::of(variant, technique.assumes_one_solution);
                let (per, supposes, is_quick) = (variant.merge_by.clone(), supposes(variant), is_quick(variant));
                self.members_info.push(MemberInfo { per, join: None, supposes, is_quick, uses: Vec::new(), reading });
                self.members.push(MemberId { technique: number, args: args.clone(), variant: index, space });
            }
        }
        Ok(())
    }

    /// Finds the members that a member joins.
    fn resolve(&mut self, at: usize, techniques: &[Technique]) -> Result<(), NoPlan> {
        let member = &self.members[at];
        let Some(join) = &techniques[member.technique].variants[member.variant].join else { return Ok(()) };
        let Some(number) = techniques.iter().position(|technique| technique.id == join.technique) else {
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
            if other.technique != number || other.args != args || other.space != Space::Rc {
                continue;
            }
            let variant = &techniques[number].variants[other.variant];
            if variant.join.is_some() {
                return Err(NoPlan::JoinOfJoin(join.technique.clone()));
            }
            let names = join.by.iter().map(|name| {
                let found = variant.vars.iter().position(|var| var.name == *name).map(VarId);
                found.ok_or_else(|| NoPlan::JoinName { technique: join.technique.clone(), name: name.clone() })
            });
            plan.members.push((index, names.collect::<Result<_, _>>()?));
        }
        self.members_info[at].join = Some(plan);
        Ok(())
    }
}

/// Plans a technique: one program for each member and case. Programs that are known to have a plan are made on first use.
fn programs(all: &Task, size: u32, number: usize, trust: Trust) -> Result<Vec<Arc<LazyProgram>>, NoPlan> {
    let mut out = Vec::new();
    let technique = &all.techniques[number];
    // A rule that assumes one solution can eliminate candidates that some template has.
    let trusting = trust != Trust::Nothing && !technique.assumes_one_solution;
    for (args, at) in technique.member_variants(size) {
        if let Some(join) = &technique.variants[at].join {
            out.push(Arc::new(LazyProgram { program: joining(join).into(), ..LazyProgram::default() }));
            continue;
        }
        let task = Task { place: (number, at), args, trusting, ..all.clone() };
        let waits = trust.is_planned() && size == USUAL;
        out.push(Arc::new(if waits { LazyProgram::later(task) } else { LazyProgram::now(task)? }));
    }
    Ok(out)
}

fn supposes(variant: &Variant) -> bool {
    variant.body.iter().any(|statement| matches!(statement, Statement::Suppose(_)))
}

fn is_quick(variant: &Variant) -> bool {
    variant.body.iter().all(|statement| match statement {
        Statement::Suppose(one) => {
            !matches!(one.methods, InferenceMethods::Rules(_)) && matches!(one.shows, CaseResult::Contradiction)
        }
        _ => true,
    })
}

/// Returns true if the body has a chain, loop, cluster, ring or assumption.
fn is_open(variant: &Variant) -> bool {
    variant.body.iter().any(|statement| matches!(statement, Statement::Graph(_) | Statement::Suppose(_)))
}

/// The program of a member that has none: it says what it joins.
fn joining(join: &ir::Join) -> Program {
    let note = format!("every two steps of {} that agree on {}", join.technique, join.by.join(", "));
    Program { notes: vec![note], ..Program::default() }
}

fn compile_source(source: &LinkSource, half: u32) -> Result<SourceProgram, NoPlan> {
    let whole = pairs_of(source, half)?;
    if source.pattern.conclusions.is_empty() {
        return Ok(SourceProgram { pairs: whole, extra: None });
    }
    let mut bare = source.clone();
    bare.pattern.conclusions.clear();
    Ok(SourceProgram { pairs: pairs_of(&bare, half)?, extra: Some(whole) })
}

fn pairs_of(source: &LinkSource, half: u32) -> Result<PairProgram, NoPlan> {
    let program = plan::compile_source(source, half)?;
    let ends = plan::source_ends(&program, source).ok_or(NoPlan::SourceEnds)?;
    Ok(PairProgram { program, ends })
}

impl Compiled {
    /// Finds the members that a member uses under its assumptions: in the order of the names, then in the engine's order.
    ///
    /// Techniques without matches on this board are skipped. Techniques that assume one solution are skipped as well, unless
    /// the assuming technique does so itself.
    fn resolve_rules(&mut self, at: usize, techniques: &[Technique], trust: &[Trust]) -> Result<(), NoPlan> {
        let member = &self.members[at];
        let technique = &techniques[member.technique];
        let mut means: Vec<ResolvedRules> = Vec::new();
        for statement in &technique.variants[member.variant].body {
            let Statement::Suppose(Suppose { methods: InferenceMethods::Rules(named), .. }) = statement else {
                continue;
            };
            let mut found: Vec<usize> = Vec::new();
            for name in named {
                for member in self.named(name, techniques)? {
                    let number = self.members[member].technique;
                    let allowed = technique.assumes_one_solution || !techniques[number].assumes_one_solution;
                    if allowed && trust[number] != Trust::Idle && !found.contains(&member) {
                        found.push(member);
                    }
                }
            }
            means.push((named.clone(), found));
        }
        if !means.is_empty() {
            self.members_info[at].uses = means.iter().flat_map(|(_, members)| members.iter().copied()).collect();
            if let Some(planned) = Arc::get_mut(&mut self.programs[at]) {
                planned.resolve_rule_refs(means);
            }
        }
        Ok(())
    }

    /// The members that a name means; none of a member that does not fit the board.
    fn named(&self, name: &RuleRef, techniques: &[Technique]) -> Result<Vec<usize>, NoPlan> {
        let id = &name.technique;
        let Some(number) = techniques.iter().position(|technique| technique.id == *id) else {
            return Err(NoPlan::UnknownUsed(id.clone()));
        };
        let params = &techniques[number].params;
        if let Some(args) = &name.args {
            let mut pairs = args.iter().zip(params);
            let fits = args.len() == params.len()
                && pairs.all(|(arg, param)| param.low <= *arg && param.high.is_none_or(|high| *arg <= high));
            if !fits {
                let list: Vec<String> = args.iter().map(u32::to_string).collect();
                return Err(NoPlan::NoMember { technique: id.clone(), args: list.join(", ") });
            }
        }
        let named = self.members.iter().enumerate().filter(|(_, member)| {
            member.technique == number && name.args.as_ref().is_none_or(|args| *args == member.args)
        });
        Ok(named.map(|(at, _)| at).collect())
    }

    /// Members searched while this member is searched.
    fn uses(&self, member: usize) -> impl Iterator<Item = usize> + '_ {
        let members_info = &self.members_info[member];
        let joined = members_info.join.iter().flat_map(|join| join.members.iter().map(|(other, _)| *other));
        members_info.uses.iter().copied().chain(joined)
    }
}

/// Reports each technique with a member that uses itself, directly or through others.
fn circles(compiled: &Compiled, techniques: &[Technique]) -> Vec<PlanError> {
    let members = 0..compiled.members.len();
    let pairs = members.clone().flat_map(|member| compiled.uses(member).map(move |used| (member as u32, used as u32)));
    let circles = Cycles::find(&DiGraph::<(), ()>::from_edges(pairs));
    let mut out: Vec<PlanError> = Vec::new();
    for member in members {
        let Some(circle) = circles.through(NodeIndex::new(member)) else { continue };
        let id = &techniques[compiled.members[member].technique].id;
        if out.iter().any(|error| error.technique == *id) {
            continue;
        }
        let circle = circle.iter().chain(&circle[..1]).map(|at| &compiled.members[at.index()]);
        let names: Vec<String> = circle.map(|member| label(&techniques[member.technique].id, &member.args)).collect();
        out.push(PlanError { technique: id.clone(), reason: NoPlan::Circle(names.join(" uses ")) });
    }
    out
}

/// `id`, `id(2)`
fn label(id: &str, args: &[u32]) -> String {
    let args: Vec<String> = args.iter().map(u32::to_string).collect();
    if args.is_empty() { format!("`{id}`") } else { format!("`{id}({})`", args.join(", ")) }
}

/// Names of rules, and the members of the engine that they mean, in order.
pub(super) type ResolvedRules = (Vec<RuleRef>, Vec<usize>);

/// A program, or what it is made from.
#[derive(Default)]
pub(super) struct LazyProgram {
    program: OnceLock<Program>,
    task: Option<Task>,
    /// The program without tables of the board, if the other one has some.
    without_tables: OnceLock<Program>,
    /// Tables of the board; `None` if they are too large.
    tables: OnceLock<Option<Vec<RowTable>>>,
    /// Members that may be used under assumptions, by the names that stand for them.
    means: Vec<ResolvedRules>,
}

/// Input of one plan.
#[derive(Clone)]
struct Task {
    techniques: Arc<[Technique]>,
    /// Indexes of the technique and of its case.
    place: (usize, usize),
    args: Vec<u32>,
    /// Half of the board's size.
    half: u32,
    /// The link sources that its chains may use.
    sources: Arc<[LinkSource]>,
    /// True if the rule counts as sound.
    trusting: bool,
}

impl Task {
    fn program(&self, tables: bool) -> Result<Program, NoPlan> {
        let variant: &Variant = &self.techniques[self.place.0].variants[self.place.1];
        plan::compile(variant, &self.args, self.half, &self.sources, self.trusting, tables)
    }
}

impl LazyProgram {
    /// One that waits until it is wanted.
    fn later(task: Task) -> LazyProgram {
        LazyProgram { task: Some(task), ..LazyProgram::default() }
    }

    /// Plans at once, with and without tables.
    fn now(task: Task) -> Result<LazyProgram, NoPlan> {
        let program = task.program(true)?;
        let without_tables = if program.rows.is_empty() { OnceLock::new() } else { task.program(false)?.into() };
        Ok(LazyProgram { program: program.into(), without_tables, ..LazyProgram::later(task) })
    }

    /// Fills in the members that the names of rules under its suppositions mean.
    fn resolve_rule_refs(&mut self, means: Vec<ResolvedRules>) {
        self.means = means;
        for program in [&mut self.program, &mut self.without_tables] {
            if let Some(program) = program.get_mut() {
                fill(program, &self.means);
            }
        }
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.program.get_or_init(|| self.make(true))
    }

    /// Returns the program with its tables, which `table` fills, or the program without tables if these are too large.
    pub fn ready(&self, table: &dyn Fn(&RowsSpec) -> Option<RowTable>) -> (&Program, &[RowTable]) {
        let program = self.program();
        if program.rows.is_empty() {
            return (program, &[]);
        }
        match self.tables.get_or_init(|| program.rows.iter().map(table).collect()) {
            Some(tables) => (program, tables),
            None => (self.without_tables(), &[]),
        }
    }

    /// The program that needs no tables.
    pub fn without_tables(&self) -> &Program {
        let program = self.program();
        if program.rows.is_empty() { program } else { self.without_tables.get_or_init(|| self.make(false)) }
    }

    fn make(&self, tables: bool) -> Program {
        let Some(task) = &self.task else { return Program::default() };
        // Rules of users were planned in `now`. A test plans all built-in ones.
        let id = &task.techniques[task.place.0].id;
        let made = task.program(tables);
        let mut program = made.unwrap_or_else(|why| panic!("`{id}` of the rulebook has no plan: {why}"));
        fill(&mut program, &self.means);
        program
    }
}

/// Puts the members that names mean into a program.
fn fill(program: &mut Program, means: &[ResolvedRules]) {
    for suppose in &mut program.supposes {
        if let MeansSpec::Rules { named, members } = &mut suppose.by
            && let Some((_, found)) = means.iter().find(|(names, _)| names == named)
        {
            members.clone_from(found);
        }
    }
}
