//! Turns a match into a step. In: a match, its technique, the state. Out: a self-contained [`Step`] with its cases.
//!
//! A step may consist of several matches, its parts. Parts merged by `one step per` share one explanation; parts of a `join` have one each.

use super::citations::{cites_of, cites_of_chain};
use super::step::{BoundName, CaseStep, Deduction, InnerStep, Since, Step, apply};
use super::view::{MatchView, ViewContext, ring_in_order};
use crate::engine::{Case, CaseEnd, ChainNode, ChainStep, Inference, Match, Part, Value, Via};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::{Claim, Conclusion, LinkShape, Origin, Statement, Technique, Trail, VarId};
use std::collections::BTreeSet;

/// Turns a match into a step; `techniques` are those of the engine that found it.
pub fn step_of(found: &Match, techniques: &[Technique], geometry: &Geometry, state: &State) -> Step {
    let technique = &techniques[found.member.technique];
    let context = ViewContext::new(geometry, state, found.member.space);
    let match_view = MatchView::new(found, technique, &context);
    let parts: Vec<Match> = found.parts.iter().map(|part| match_of_part(found, part)).collect();
    let mut part_views: Vec<MatchView> =
        parts.iter().map(|part| MatchView::new(part, &techniques[part.member.technique], &context)).collect();
    if part_views.is_empty() {
        part_views.push(MatchView::new(found, technique, &context));
    }
    let is_join = match_view.variant.join.is_some();
    let title = title_of(&match_view, &part_views[0]);
    let mut joined = Vec::new();
    if is_join {
        joined.extend(part_views.iter().map(|view| step_of(&with_own_effects(view), techniques, geometry, state)));
    }
    let mut claims = Vec::new();
    for claim in part_views.iter().flat_map(claims_of) {
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    Step {
        technique: technique.id.clone(),
        member: found.member.clone(),
        args: technique.params.iter().map(|param| param.name.clone()).zip(found.member.args.iter().copied()).collect(),
        case: match_view.variant.title.as_ref().map(|_| title.clone()),
        name: match_view.name(&title),
        says: MatchView::says(&part_views, &title),
        because: MatchView::because(if is_join { std::slice::from_ref(&match_view) } else { &part_views }, &title),
        title,
        bindings: bindings_of(&part_views[0], !is_join),
        claims,
        eliminations: found.eliminations.clone(),
        placements: found.placements.clone(),
        cites: cites_of(&part_views, state),
        cases: cases_of_parts(found).map(|case| case_step(case, techniques, geometry, state)).collect(),
        chain: chain_of(&part_views[0]),
        joined,
        assumes_one_solution: technique.assumes_one_solution,
        ..Step::default()
    }
}

/// Returns the name of a match's step without building the step.
pub(super) fn name_of(found: &Match, techniques: &[Technique], geometry: &Geometry, state: &State) -> String {
    let context = ViewContext::new(geometry, state, found.member.space);
    let match_view = MatchView::new(found, &techniques[found.member.technique], &context);
    let first_part = found.parts.first().map(|part| match_of_part(found, part));
    let part_view = first_part.as_ref().map(|part| MatchView::new(part, &techniques[part.member.technique], &context));
    match_view.name(&title_of(&match_view, part_view.as_ref().unwrap_or(&match_view)))
}

/// Returns the title of a match. The title of a `join` may contain the name of its first part.
fn title_of(match_view: &MatchView, first_part: &MatchView) -> String {
    match match_view.variant.join {
        Some(_) => match_view.title(&first_part.name(&first_part.title(""))),
        None => match_view.title(""),
    }
}

/// Returns the deductions of each conclusion of a rule, for a match that is no `join`.
pub fn claims_by_conclusion(
    found: &Match,
    technique: &Technique,
    geometry: &Geometry,
    state: &State,
) -> Vec<Vec<Deduction>> {
    let context = ViewContext::new(geometry, state, found.member.space);
    let view = MatchView::new(found, technique, &context);
    view.variant.conclusions.iter().map(|conclusion| deductions_of(&view, conclusion)).collect()
}

fn claims_of<'v>(view: &'v MatchView) -> impl Iterator<Item = Deduction> + 'v {
    view.variant.conclusions.iter().flat_map(|conclusion| deductions_of(view, conclusion))
}

/// Returns the deductions of one conclusion: one for each value of its loop variable, or one without a loop.
fn deductions_of(view: &MatchView, conclusion: &Conclusion) -> Vec<Deduction> {
    let sets = view.candidates(&conclusion.claim.candidates(), conclusion.for_each.as_ref());
    let deduction = match conclusion.claim {
        Claim::Some(_) => Deduction::Some,
        Claim::Eliminate(_) => Deduction::Eliminate,
        Claim::Place(_) => Deduction::Place,
        Claim::Links { .. } => return weak_link_deductions(view),
    };
    let sets = sets.iter().filter(|set| !set.is_empty());
    sets.map(|set| deduction(sorted(set.iter().map(|&candidate| view.lens.candidate(candidate))))).collect()
}

fn sorted(candidates: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = candidates.collect();
    candidates.sort_unstable();
    candidates
}

/// Returns the deductions of a loop: one end of each weak link is true.
fn weak_link_deductions(view: &MatchView) -> Vec<Deduction> {
    let chain = &view.found.chain;
    let predecessors = chain.last().into_iter().chain(chain);
    let weak_links = predecessors.zip(chain).filter(|(_, to)| !to.strong);
    weak_links.map(|(from, to)| Deduction::Some(sorted(from.node.candidates().chain(to.node.candidates())))).collect()
}

/// Returns a part of a `join` with the effects of its own conclusions. In the match of the `join`, every part has the effects of all parts.
fn with_own_effects(view: &MatchView) -> Match {
    let claims: Vec<Deduction> = claims_of(view).collect();
    let guardians: Vec<Candidate> =
        view.variant.guardians.iter().flat_map(|name| view.bound_candidates(*name)).copied().collect();
    let mut part = view.found.clone();
    part.eliminations.retain(|eliminated| {
        let is_claimed = claims.iter().any(|claim| match claim {
            Deduction::Some(causes) | Deduction::Place(causes) => all_exclude(view.grid, causes, *eliminated),
            Deduction::Eliminate(list) => list.contains(eliminated),
        });
        is_claimed && all_exclude(view.grid, &guardians, *eliminated)
    });
    part.placements.retain(|placed| {
        claims.iter().any(|claim| match claim {
            Deduction::Some(list) => list.as_slice() == [*placed],
            Deduction::Place(list) => list.contains(placed),
            Deduction::Eliminate(_) => false,
        })
    });
    part
}

fn all_exclude(board: &Geometry, causes: &[Candidate], candidate: Candidate) -> bool {
    causes.iter().all(|cause| board.excludes(*cause, candidate))
}

fn cases_of_parts(found: &Match) -> impl Iterator<Item = &Case> {
    let own_cases = if found.parts.is_empty() { found.cases.as_slice() } else { &[] };
    own_cases.iter().chain(found.parts.iter().flat_map(|part| &part.cases))
}

fn match_of_part(found: &Match, part: &Part) -> Match {
    let Part { member, bindings, chain, cases } = part.clone();
    Match { member, bindings, chain, cases, parts: Vec::new(), ..found.clone() }
}

/// Returns the names of a rule with their values. `mark_guardians` is false for a `join`: its parts may have different guardians.
fn bindings_of(view: &MatchView, mark_guardians: bool) -> Vec<BoundName> {
    let names_in_chain: Vec<VarId> = view.variant.body.iter().flat_map(names_in_chain).collect();
    let mut bindings = Vec::new();
    for (index, value) in view.found.bindings.iter().enumerate() {
        let (id, var) = (VarId(index), &view.variant.vars[index]);
        let ring = ring_in_order(view, id).map(Value::Candidates);
        let circle = ring.is_some();
        let Some(value) = ring.or_else(|| value.as_ref().map(|value| view.lens.value(value))) else { continue };
        bindings.push(BoundName {
            name: var.name.clone(),
            value,
            circle,
            free: matches!(var.origin, Origin::Chosen | Origin::Pattern),
            in_chain: names_in_chain.contains(&id),
            guards: mark_guardians && view.variant.guardians.contains(&id),
        });
    }
    bindings
}

/// Returns the nodes of a match's chain. A chain of fixed length, which the engine ran as conditions, is rebuilt from its names.
pub(super) fn chain_of(view: &MatchView) -> Vec<ChainStep> {
    if !view.found.chain.is_empty() {
        return view.found.chain.clone();
    }
    let rebuilt = view.variant.body.iter().find_map(|statement| match statement {
        Statement::Trail(trail) => chain_of_trail(view, trail),
        _ => None,
    });
    let mut chain = rebuilt.unwrap_or_default();
    for step in &mut chain {
        let candidates: Vec<Candidate> =
            step.node.candidates().map(|candidate| view.lens.candidate(candidate)).collect();
        step.node.digit = candidates.first().map_or(step.node.digit, |candidate| candidate.digit);
        step.node.cells = candidates.iter().map(|candidate| candidate.cell).collect();
    }
    chain
}

/// Returns the names in a chain or loop: nodes, houses of links, names of its `on`. The printed chain shows their values.
fn names_in_chain(statement: &Statement) -> Vec<VarId> {
    if let Statement::Trail(trail) = statement {
        return trail.names();
    }
    let graph = statement.graph().filter(|graph| matches!(graph.shape, LinkShape::Chain(_) | LinkShape::Loop(_)));
    graph.map_or_else(Vec::new, |graph| {
        let mut names = graph.names();
        names.extend(graph.digits.iter().flat_map(|on| on.names()));
        names
    })
}

fn chain_of_trail(view: &MatchView, trail: &Trail) -> Option<Vec<ChainStep>> {
    let mut chain = Vec::new();
    for (index, node) in trail.nodes.iter().enumerate() {
        let Some(Value::Digits(digits)) = &view.found.bindings[node.digit.0] else { return None };
        let digit = digits.first()?;
        let Some(Value::Cells(set)) = &view.found.bindings[node.cell.0] else { return None };
        let cells = set.iter().copied().filter(|&cell| view.state().has(Candidate::new(digit, cell))).collect();
        let strong = index > 0 && trail.links[index - 1].strong;
        // A strong link between two digits of a set rests on all cells of the set.
        let in_set = strong && trail.nodes[index - 1].cell == node.cell && set.len() > 1;
        let via = in_set.then(|| Via { source: "als".into(), cells: set.clone(), houses: Vec::new() });
        chain.push(ChainStep { strong, node: ChainNode { digit, cells }, via });
    }
    Some(chain)
}

fn case_step(case: &Case, techniques: &[Technique], geometry: &Geometry, state: &State) -> CaseStep {
    let mut position = CasePosition { geometry, start: state, current: state.clone(), literals: Vec::new() };
    position.assume(case.supposed);
    let mut inferences = Vec::new();
    for inference in &case.inferences {
        let inner = match inference {
            Inference::Naked(placed) => InnerStep::Naked(*placed, position.since_cell(placed.cell, Some(*placed))),
            Inference::Hidden(placed, house) => {
                InnerStep::Hidden(*placed, *house, position.since_house(*house, placed.digit, Some(*placed)))
            }
            Inference::Rule(found) => {
                InnerStep::Step(Box::new(step_of(found, techniques, geometry, &position.current)))
            }
            Inference::Links(chain) => {
                InnerStep::Links { chain: chain.clone(), cites: cites_of_chain(chain, geometry, state) }
            }
        };
        position.carry_out(&inner);
        inferences.push(inner);
    }
    let has_links = inferences.iter().any(|inner| matches!(inner, InnerStep::Links { .. }));
    let since = if has_links { Since::new() } else { position.since_end(&case.end) };
    CaseStep { supposed: case.supposed, inferences, end: case.end.clone(), since }
}

/// The position under an assumption while the inferences of its case are carried out.
struct CasePosition<'a> {
    geometry: &'a Geometry,
    start: &'a State,
    current: State,
    /// Literals that were assumed or inferred, in order.
    literals: Since,
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
    fn since_cell(&self, cell: Cell, remaining: Option<Candidate>) -> Since {
        let candidates = self.start.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
        self.since(candidates.filter(|&candidate| Some(candidate) != remaining))
    }

    /// Returns the literals that eliminated all places of a digit in a house except `remaining`.
    fn since_house(&self, house: HouseId, digit: Digit, remaining: Option<Candidate>) -> Since {
        let places = self.geometry.house(house).cells.iter().map(|&cell| Candidate::new(digit, cell));
        self.since(places.filter(|&place| Some(place) != remaining && self.start.has(place)))
    }

    fn since_end(&self, end: &CaseEnd) -> Since {
        match end {
            CaseEnd::EmptyCell(cell) => self.since_cell(*cell, None),
            CaseEnd::EmptyHouse(house, digit) => self.since_house(*house, *digit, None),
            // A literal that was inferred has its reason in the inference.
            CaseEnd::Shows(eliminated, false) if !self.literals.contains(&(*eliminated, false)) => {
                self.since(std::iter::once(*eliminated))
            }
            CaseEnd::Shows(..) | CaseEnd::Both(_) => Since::new(),
        }
    }

    /// Returns the first literal that eliminates each of these candidates, in the order of the literals.
    fn since(&self, eliminated: impl Iterator<Item = Candidate>) -> Since {
        let causes = eliminated.filter_map(|candidate| {
            self.literals.iter().position(|&(cause, holds)| {
                if holds { self.geometry.excludes(cause, candidate) } else { cause == candidate }
            })
        });
        causes.collect::<BTreeSet<usize>>().into_iter().map(|index| self.literals[index]).collect()
    }
}
