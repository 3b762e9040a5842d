//! All members of a rulebook as programs. In: techniques, link sources, a board. Out: [`Compiled`].

use super::bundle::JoinPlan;
use super::error::{NoPlan, PlanError};
use super::matches::MemberId;
use super::plan::{self, Output, Program};
use super::planned::{Meaning, Planned, Task};
use super::suppose::Reading;
use crate::grid::Geometry;
use crate::lang::ir::{self, Expr, InferenceMethods, LinkSource, Shows, Space, Statement, Technique, VarId, Variant};
use rayon::prelude::*;
use std::sync::{Arc, OnceLock};

/// The size of board on which every rule that the binary carries is known to have a plan.
const USUAL: u32 = 9;

/// Programs side by side with what they are for.
pub(super) struct Compiled {
    pub members: Vec<MemberId>,
    programs: Vec<Arc<Planned>>,
    pub members_info: Vec<MemberInfo>,
    pub sources: Vec<SourcePlan>,
    /// What the sources are called.
    pub source_names: Arc<[String]>,
}

/// How the matches of a member are put together.
pub(super) struct MemberInfo {
    /// Matches that agree on these names are one; none where each stands for itself.
    pub per: Vec<VarId>,
    /// Instead of a program: the members whose matches are joined.
    pub join: Option<JoinPlan>,
    /// Whether it supposes something.
    pub supposes: bool,
    /// Whether it supposes nothing, or only what links or singles lead to a contradiction: then all that it finds is soon
    /// listed.
    pub plain: bool,
    /// The members that it uses under a supposition.
    pub uses: Vec<usize>,
    /// What of the grid its matches may rest on.
    pub reading: Reading,
}

/// A link source.
pub(super) struct SourceProgram {
    /// Finds the pairs.
    pub pairs: PairProgram,
    /// Says as well what follows where just one end is true, if it says anything: only loops ask for that.
    pub extra: Option<PairProgram>,
}

/// What is known of a technique or a link source beforehand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trust {
    /// Nothing.
    Nothing,
    /// It is sound.
    Sound,
    /// It is sound, and has a plan on the usual board.
    Planned,
    /// The same, and it finds nothing on this board: suppositions pass it over.
    Idle,
}

impl Trust {
    /// Returns true if it has a plan on the usual board.
    fn is_planned(self) -> bool {
        matches!(self, Trust::Planned | Trust::Idle)
    }
}

/// A link source that is planned when it is first wanted, if it is known to have a plan; else at once.
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
        // What a user wrote was made at once. A test makes all that the binary carries.
        self.program.get_or_init(|| {
            let made = compile_source(&self.source, self.half);
            made.unwrap_or_else(|why| panic!("`strong link {}` of the rulebook has no plan: {why}", self.source.id))
        })
    }
}

/// A program and where the two ends of each pair are (digit, cell).
pub(super) struct PairProgram {
    pub program: Program,
    pub ends: [(Output, Output); 2],
}

impl Compiled {
    /// With what is wrong; `trust` says by their ids what is known of techniques and link sources.
    pub fn new(
        geometry: &Geometry,
        techniques: &Arc<[Technique]>,
        sources: &[LinkSource],
        trust: &dyn Fn(&str) -> Trust,
    ) -> (Self, Vec<PlanError>) {
        let size = geometry.size() as u32;
        let source_names = sources.iter().map(|source| source.id.clone()).collect();
        let mut out = Compiled {
            members: Vec::new(),
            programs: Vec::new(),
            members_info: Vec::new(),
            sources: Vec::new(),
            source_names,
        };
        let mut errors = Vec::new();
        for source in sources {
            match SourcePlan::new(source, size / 2, size == USUAL && trust(&source.id).is_planned()) {
                Ok(source) => out.sources.push(source),
                Err(reason) => errors.push(PlanError { technique: source.id.clone(), reason }),
            }
        }
        let shared = Shared { size, techniques: Arc::clone(techniques), sources: sources.into() };
        let trust: Vec<Trust> = techniques.iter().map(|one| trust(&one.id)).collect();
        let programs = |(number, &trust): (usize, &Trust)| programs(&shared, number, trust);
        let planned: Vec<_> = match size == USUAL && trust.iter().all(|trust| trust.is_planned()) {
            true => trust.iter().enumerate().map(programs).collect(),
            // To plan a technique needs no other, so they are planned side by side, unless the system refuses threads.
            false => match rayon::ThreadPoolBuilder::new().build() {
                Ok(pool) => pool.install(|| trust.par_iter().enumerate().map(programs).collect()),
                Err(_) => trust.iter().enumerate().map(programs).collect(),
            },
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
        (out, errors)
    }

    /// The program of a member as it is searched, and what it needs.
    pub fn planned(&self, member: usize) -> &Planned {
        &self.programs[member]
    }

    /// The program of a member.
    pub fn program(&self, member: usize) -> &Program {
        self.programs[member].program()
    }

    /// Says what the names of rules under a member's suppositions mean.
    pub fn resolve_rule_refs(&mut self, member: usize, means: Vec<Meaning>) {
        self.members_info[member].uses = means.iter().flat_map(|(_, members)| members.iter().copied()).collect();
        if let Some(planned) = Arc::get_mut(&mut self.programs[member]) {
            planned.resolve_rule_refs(means);
        }
    }

    /// Whether something is supposed under a supposition of a member.
    pub fn nests(&self, member: usize) -> bool {
        self.members_info[member].uses.iter().any(|&other| self.members_info[other].supposes)
    }

    fn add(
        &mut self,
        number: usize,
        technique: &Technique,
        size: u32,
        programs: Vec<Arc<Planned>>,
    ) -> Result<(), NoPlan> {
        let args = technique.members(size);
        let variants = || technique.variants.iter().enumerate();
        let members = args.iter().flat_map(|args| variants().map(move |(index, variant)| (args, index, variant)));
        for ((args, index, variant), program) in members.zip(programs) {
            let views = technique.views.iter().map(|view| view.space);
            for space in std::iter::once(Space::Rc).chain(views) {
                if space != Space::Rc && (variant.join.is_some() || is_open(variant)) {
                    return Err(NoPlan::NotInView);
                }
                self.programs.push(Arc::clone(&program));
                let reading = Reading::of(variant, technique.assumes_one_solution);
                let (per, supposes, plain) = (variant.per.clone(), supposes(variant), is_plain(variant));
                self.members_info.push(MemberInfo { per, join: None, supposes, plain, uses: Vec::new(), reading });
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
        let number_of = |arg: &Expr| match arg {
            Expr::Number(value) => Ok(*value),
            Expr::Param(index) => member.args.get(*index).copied().ok_or(NoPlan::JoinParameter),
            _ => Err(NoPlan::JoinArgument),
        };
        let args = join.args.iter().map(number_of).collect::<Result<Vec<u32>, _>>()?;
        let mut plan = JoinPlan::default();
        for (index, other) in self.members.iter().enumerate() {
            if other.technique != number || other.args != args || other.space != Space::Rc {
                continue;
            }
            let variant = &techniques[number].variants[other.variant];
            if variant.join.is_some() {
                return Err(NoPlan::JoinOfJoin(join.technique.clone()));
            }
            let named = |name: &String| {
                let found = variant.vars.iter().position(|var| var.name == *name).map(VarId);
                found.ok_or_else(|| NoPlan::JoinName { technique: join.technique.clone(), name: name.clone() })
            };
            plan.members.push((index, join.by.iter().map(named).collect::<Result<_, _>>()?));
        }
        self.members_info[at].join = Some(plan);
        Ok(())
    }
}

/// What all programs are made from.
struct Shared {
    size: u32,
    techniques: Arc<[Technique]>,
    sources: Arc<[LinkSource]>,
}

/// The programs of a technique: for each of its members one for each of its cases. Those that are known to have a plan wait
/// until they are wanted.
fn programs(shared: &Shared, number: usize, trust: Trust) -> Result<Vec<Arc<Planned>>, NoPlan> {
    let mut out = Vec::new();
    let (technique, size) = (&shared.techniques[number], shared.size);
    // Where one solution is assumed, more than what no way allows can be eliminated.
    let trusting = trust != Trust::Nothing && !technique.assumes_one_solution;
    for args in technique.members(size) {
        for (at, variant) in technique.variants.iter().enumerate() {
            if let Some(join) = &variant.join {
                out.push(Arc::new(Planned::made(joining(join))));
                continue;
            }
            let (techniques, sources) = (Arc::clone(&shared.techniques), Arc::clone(&shared.sources));
            let task = Task { techniques, place: (number, at), args: args.clone(), half: size / 2, sources, trusting };
            let waits = trust.is_planned() && size == USUAL;
            out.push(Arc::new(if waits { Planned::later(task) } else { Planned::now(task)? }));
        }
    }
    Ok(out)
}

fn supposes(variant: &Variant) -> bool {
    variant.body.iter().any(|statement| matches!(statement, Statement::Suppose(_)))
}

fn is_plain(variant: &Variant) -> bool {
    variant.body.iter().all(|statement| match statement {
        Statement::Suppose(one) => {
            !matches!(one.by, InferenceMethods::Rules(_)) && matches!(one.shows, Shows::Contradiction)
        }
        _ => true,
    })
}

/// Whether it looks for chains and the like, or supposes something.
fn is_open(variant: &Variant) -> bool {
    use Statement::{Chain, Cluster, Loop, Ring, Suppose};
    let open = |statement: &Statement| matches!(statement, Chain(_) | Loop(_) | Cluster(_) | Ring(_) | Suppose(_));
    variant.body.iter().any(open)
}

/// The program of a member that has none: it says what it joins.
fn joining(join: &ir::Join) -> Program {
    let note = format!("every two steps of {} that agree on {}", join.technique, join.by.join(", "));
    Program { notes: vec![note], ..Program::default() }
}

fn compile_source(source: &LinkSource, half: u32) -> Result<SourceProgram, NoPlan> {
    let compile = |source: &LinkSource| -> Result<PairProgram, NoPlan> {
        let program = plan::compile_source(source, half)?;
        let ends = plan::source_ends(&program, source).ok_or(NoPlan::SourceEnds)?;
        Ok(PairProgram { program, ends })
    };
    let whole = compile(source)?;
    if source.pattern.conclusions.is_empty() {
        return Ok(SourceProgram { pairs: whole, extra: None });
    }
    let mut bare = source.clone();
    bare.pattern.conclusions.clear();
    Ok(SourceProgram { pairs: compile(&bare)?, extra: Some(whole) })
}
