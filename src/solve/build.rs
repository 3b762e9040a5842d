//! Turns a match into a step. In: a match, its technique, the state. Out: a self-contained [`Step`] with its cases.
//!
//! A step may consist of several matches (its parts). Parts that `one step per` merges share one explanation. Each part
//! of a `join` has an explanation of its own.

use super::citations::{cites_of, cites_of_chain};
use super::step::{BoundName, CaseStep, Causes, Deduction, InnerStep, Step, apply};
use super::view::{MatchContext, ViewedPosition, ring_in_order};
use crate::engine::{Case, CaseEnd, ChainNode, ChainStep, Inference, Match, Part, SourceMatch, Value};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::{Claim, Conclusion, FixedChain, LinkShape, Origin, Statement, Technique, VarId};
use std::collections::BTreeSet;

/// Turns a match into a step; `techniques` are the techniques of the engine that found the match.
pub fn step_of(rule_match: &Match, techniques: &[Technique], geometry: &Geometry, state: &State) -> Step {
    let technique = &techniques[rule_match.member.technique];
    let position = ViewedPosition::new(geometry, state, rule_match.member.space);
    let match_context = MatchContext::new(rule_match, technique, &position);
    let part_matches: Vec<Match> = rule_match.parts.iter().map(|part| match_of_part(rule_match, part)).collect();
    let mut part_contexts: Vec<MatchContext> = part_matches
        .iter()
        .map(|part| MatchContext::new(part, &techniques[part.member.technique], &position))
        .collect();
    if part_contexts.is_empty() {
        part_contexts.push(MatchContext::new(rule_match, technique, &position));
    }
    let is_join = match_context.variant.join.is_some();
    let title = title_of(&match_context, &part_contexts[0]);
    let mut part_steps = Vec::new();
    if is_join {
        for context in &part_contexts {
            part_steps.push(step_of(&with_own_effects(context), techniques, geometry, state));
        }
    }
    let mut claims = Vec::new();
    for claim in part_contexts.iter().flat_map(claims_of) {
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    Step {
        technique: technique.id.clone(),
        member: rule_match.member.clone(),
        args: technique
            .params
            .iter()
            .map(|param| param.name.clone())
            .zip(rule_match.member.args.iter().copied())
            .collect(),
        variant_title: match_context.variant.title.as_ref().map(|_| title.clone()),
        name: match_context.name(&title),
        says: MatchContext::says(&part_contexts, &title),
        because: MatchContext::because(
            if is_join { std::slice::from_ref(&match_context) } else { &part_contexts },
            &title,
        ),
        title,
        bindings: bindings_of(&part_contexts[0], !is_join),
        claims,
        eliminations: rule_match.eliminations.clone(),
        placements: rule_match.placements.clone(),
        cites: cites_of(&part_contexts, state),
        cases: cases_of_parts(rule_match).map(|case| case_step(case, techniques, geometry, state)).collect(),
        chain: chain_of(&part_contexts[0]),
        parts: part_steps,
        assumes_one_solution: technique.assumes_one_solution,
        ..Step::default()
    }
}

/// Returns the name of a match's step without building the step.
pub(super) fn name_of(rule_match: &Match, techniques: &[Technique], geometry: &Geometry, state: &State) -> String {
    let position = ViewedPosition::new(geometry, state, rule_match.member.space);
    let match_context = MatchContext::new(rule_match, &techniques[rule_match.member.technique], &position);
    let first_part = rule_match.parts.first().map(|part| match_of_part(rule_match, part));
    let part_context =
        first_part.as_ref().map(|part| MatchContext::new(part, &techniques[part.member.technique], &position));
    match_context.name(&title_of(&match_context, part_context.as_ref().unwrap_or(&match_context)))
}

/// Returns the title of a match. The title of a `join` may contain the name of its first part.
fn title_of(match_context: &MatchContext, first_part: &MatchContext) -> String {
    match match_context.variant.join {
        Some(_) => match_context.title(&first_part.name(&first_part.title(""))),
        None => match_context.title(""),
    }
}

/// Returns the deductions of each conclusion of a rule, for a match that is no `join`.
pub fn claims_by_conclusion(
    rule_match: &Match,
    technique: &Technique,
    geometry: &Geometry,
    state: &State,
) -> Vec<Vec<Deduction>> {
    let position = ViewedPosition::new(geometry, state, rule_match.member.space);
    let context = MatchContext::new(rule_match, technique, &position);
    context.variant.conclusions.iter().map(|conclusion| deductions_of(&context, conclusion)).collect()
}

fn claims_of<'v>(context: &'v MatchContext) -> impl Iterator<Item = Deduction> + 'v {
    context.variant.conclusions.iter().flat_map(|conclusion| deductions_of(context, conclusion))
}

/// Returns the deductions of one conclusion. A conclusion with `for` has a deduction for each value of its loop variable.
fn deductions_of(context: &MatchContext, conclusion: &Conclusion) -> Vec<Deduction> {
    let sets = context.candidates(&conclusion.claim.candidates(), conclusion.for_each.as_ref());
    let deduction = match conclusion.claim {
        Claim::SomeTrue(_) => Deduction::AtLeastOne,
        Claim::Eliminate(_) => Deduction::Eliminate,
        Claim::Place(_) => Deduction::Place,
        Claim::Links { .. } => return weak_link_deductions(context),
    };
    let sets = sets.iter().filter(|set| !set.is_empty());
    sets.map(|set| deduction(sorted(set.iter().map(|&candidate| context.lens.candidate_in_grid(candidate))))).collect()
}

fn sorted(candidates: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = candidates.collect();
    candidates.sort_unstable();
    candidates
}

/// Returns the deductions of a loop: one end of each weak link is true.
fn weak_link_deductions(context: &MatchContext) -> Vec<Deduction> {
    let chain = &context.rule_match.chain;
    let predecessors = chain.last().into_iter().chain(chain);
    let weak_links = predecessors.zip(chain).filter(|(_, to)| !to.strong);
    weak_links
        .map(|(from, to)| Deduction::AtLeastOne(sorted(from.node.candidates().chain(to.node.candidates()))))
        .collect()
}

/// Returns a part of a `join` with the effects of its own conclusions. In the match of the `join`, every part has the
/// effects of all parts.
fn with_own_effects(context: &MatchContext) -> Match {
    let claims: Vec<Deduction> = claims_of(context).collect();
    let guardians: Vec<Candidate> =
        context.variant.guardians.iter().flat_map(|name| context.bound_candidates(*name)).copied().collect();
    let mut part = context.rule_match.clone();
    part.eliminations.retain(|eliminated| {
        let is_claimed = claims.iter().any(|claim| match claim {
            Deduction::AtLeastOne(causes) | Deduction::Place(causes) => all_exclude(context.grid, causes, *eliminated),
            Deduction::Eliminate(list) => list.contains(eliminated),
        });
        is_claimed && all_exclude(context.grid, &guardians, *eliminated)
    });
    part.placements.retain(|placed| {
        claims.iter().any(|claim| match claim {
            Deduction::AtLeastOne(list) => list.as_slice() == [*placed],
            Deduction::Place(list) => list.contains(placed),
            Deduction::Eliminate(_) => false,
        })
    });
    part
}

fn all_exclude(board: &Geometry, causes: &[Candidate], candidate: Candidate) -> bool {
    causes.iter().all(|cause| board.excludes(*cause, candidate))
}

fn cases_of_parts(rule_match: &Match) -> impl Iterator<Item = &Case> {
    let own_cases = if rule_match.parts.is_empty() { rule_match.cases.as_slice() } else { &[] };
    own_cases.iter().chain(rule_match.parts.iter().flat_map(|part| &part.cases))
}

fn match_of_part(rule_match: &Match, part: &Part) -> Match {
    let Part { member, bindings, chain, cases } = part.clone();
    Match { member, bindings, chain, cases, parts: Vec::new(), ..rule_match.clone() }
}

/// Returns the names of a rule with their values. `mark_guardians` is false for a `join`, because the parts may have
/// different guardians.
fn bindings_of(context: &MatchContext, mark_guardians: bool) -> Vec<BoundName> {
    let names_in_chain: Vec<VarId> = context.variant.body.iter().flat_map(names_in_chain).collect();
    let mut bindings = Vec::new();
    for (index, value) in context.rule_match.bindings.iter().enumerate() {
        let id = VarId(index);
        let var = &context.variant.vars[index];
        let ring = ring_in_order(context, id).map(Value::Candidates);
        let is_ring = ring.is_some();
        let Some(value) = ring.or_else(|| value.as_ref().map(|value| context.lens.value_in_grid(value))) else {
            continue;
        };
        bindings.push(BoundName {
            name: var.name.clone(),
            value,
            is_ring,
            is_chosen: matches!(var.origin, Origin::Chosen | Origin::Pattern),
            in_chain: names_in_chain.contains(&id),
            is_guardian: mark_guardians && context.variant.guardians.contains(&id),
        });
    }
    bindings
}

/// Returns the nodes of a match's chain. A chain of fixed length, which the engine ran as conditions, is rebuilt from
/// its names.
pub(super) fn chain_of(context: &MatchContext) -> Vec<ChainStep> {
    if !context.rule_match.chain.is_empty() {
        return context.rule_match.chain.clone();
    }
    let rebuilt = context.variant.body.iter().find_map(|statement| match statement {
        Statement::FixedChain(trail) => chain_of_trail(context, trail),
        _ => None,
    });
    let mut chain = rebuilt.unwrap_or_default();
    for step in &mut chain {
        let candidates: Vec<Candidate> =
            step.node.candidates().map(|candidate| context.lens.candidate_in_grid(candidate)).collect();
        step.node.digit = candidates.first().map_or(step.node.digit, |candidate| candidate.digit);
        step.node.cells = candidates.iter().map(|candidate| candidate.cell).collect();
    }
    chain
}

/// Returns the names in a chain or loop: nodes, houses of links, names in `on`. The printed chain shows the values of
/// these names.
fn names_in_chain(statement: &Statement) -> Vec<VarId> {
    if let Statement::FixedChain(trail) = statement {
        return trail.names();
    }
    let graph = statement.graph().filter(|graph| matches!(graph.shape, LinkShape::Chain(_) | LinkShape::Loop(_)));
    graph.map_or_else(Vec::new, |graph| {
        let mut names = graph.names();
        names.extend(graph.digits.iter().flat_map(|on| on.names()));
        names
    })
}

fn chain_of_trail(context: &MatchContext, trail: &FixedChain) -> Option<Vec<ChainStep>> {
    let mut chain = Vec::new();
    for (index, node) in trail.nodes.iter().enumerate() {
        let Some(Value::Digits(digits)) = &context.rule_match.bindings[node.digit.0] else { return None };
        let digit = digits.first()?;
        let Some(Value::Cells(set)) = &context.rule_match.bindings[node.cells.0] else { return None };
        let cells = set.iter().copied().filter(|&cell| context.state().has(Candidate::new(digit, cell))).collect();
        let strong = index > 0 && trail.links[index - 1].strong;
        // A strong link between two digits of a set rests on all cells of the set.
        let in_set = strong && trail.nodes[index - 1].cells == node.cells && set.len() > 1;
        let source_match = in_set.then(|| SourceMatch { source: "als".into(), cells: set.clone(), houses: Vec::new() });
        chain.push(ChainStep { strong, node: ChainNode { digit, cells }, source_match });
    }
    Some(chain)
}

fn case_step(case: &Case, techniques: &[Technique], geometry: &Geometry, state: &State) -> CaseStep {
    let mut position = CasePosition { geometry, start: state, current: state.clone(), literals: Vec::new() };
    position.assume(case.supposed);
    let mut inferences = Vec::new();
    for inference in &case.inferences {
        let inner = match inference {
            Inference::Naked(placed) => InnerStep::Naked(*placed, position.causes_in_cell(placed.cell, Some(*placed))),
            Inference::Hidden(placed, house) => {
                InnerStep::Hidden(*placed, *house, position.causes_in_house(*house, placed.digit, Some(*placed)))
            }
            Inference::Rule(rule_match) => {
                InnerStep::Step(Box::new(step_of(rule_match, techniques, geometry, &position.current)))
            }
            Inference::Links(chain) => {
                InnerStep::Links { chain: chain.clone(), cites: cites_of_chain(chain, geometry, state) }
            }
        };
        position.carry_out(&inner);
        inferences.push(inner);
    }
    let has_links = inferences.iter().any(|inner| matches!(inner, InnerStep::Links { .. }));
    let causes = if has_links { Causes::new() } else { position.causes_of_end(&case.end) };
    CaseStep { supposed: case.supposed, inferences, end: case.end.clone(), causes }
}

/// The position under an assumption while the inferences of its case are carried out.
struct CasePosition<'a> {
    geometry: &'a Geometry,
    start: &'a State,
    current: State,
    /// Literals that were assumed or inferred, in order.
    literals: Causes,
}

impl CasePosition<'_> {
    /// Places a candidate if it `holds`, otherwise eliminates it.
    fn assume(&mut self, (candidate, holds): (Candidate, bool)) {
        if holds {
            self.current.place(self.geometry, candidate.cell, candidate.digit);
        } else {
            self.current.eliminate(candidate);
        }
        self.literals.push((candidate, holds));
    }

    fn carry_out(&mut self, inference: &InnerStep) {
        match inference {
            InnerStep::Naked(candidate, _) | InnerStep::Hidden(candidate, ..) => self.assume((*candidate, true)),
            InnerStep::Step(step) => {
                apply(step, self.geometry, &mut self.current);
                self.literals.extend(step.literals());
            }
            InnerStep::Links { chain, .. } => {
                let Some(end) = chain.last() else { return };
                if !end.strong {
                    end.node.candidates().for_each(|candidate| self.assume((candidate, false)));
                } else if let Some(candidate) = end.node.only() {
                    self.assume((candidate, true));
                }
            }
        }
    }

    /// Returns the literals that eliminated all candidates of a cell except `remaining`.
    fn causes_in_cell(&self, cell: Cell, remaining: Option<Candidate>) -> Causes {
        let candidates = self.start.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
        self.causes_of(candidates.filter(|&candidate| Some(candidate) != remaining))
    }

    /// Returns the literals that eliminated all places of a digit in a house except `remaining`.
    fn causes_in_house(&self, house: HouseId, digit: Digit, remaining: Option<Candidate>) -> Causes {
        let places = self.geometry.house(house).cells.iter().map(|&cell| Candidate::new(digit, cell));
        self.causes_of(places.filter(|&place| Some(place) != remaining && self.start.has(place)))
    }

    fn causes_of_end(&self, end: &CaseEnd) -> Causes {
        match end {
            CaseEnd::EmptyCell(cell) => self.causes_in_cell(*cell, None),
            CaseEnd::EmptyHouse(house, digit) => self.causes_in_house(*house, *digit, None),
            // The causes of an inferred literal are stored with its inference.
            CaseEnd::Shows(eliminated, false) if !self.literals.contains(&(*eliminated, false)) => {
                self.causes_of(std::iter::once(*eliminated))
            }
            CaseEnd::Shows(..) | CaseEnd::TrueAndFalse(_) => Causes::new(),
        }
    }

    /// Returns the first literal that eliminates each candidate of `eliminated`. The result is in the order of inference,
    /// without repetition.
    fn causes_of(&self, eliminated: impl Iterator<Item = Candidate>) -> Causes {
        let causes = eliminated.filter_map(|candidate| {
            self.literals.iter().position(|&(cause, holds)| {
                if holds { self.geometry.excludes(cause, candidate) } else { cause == candidate }
            })
        });
        causes.collect::<BTreeSet<usize>>().into_iter().map(|index| self.literals[index]).collect()
    }
}
