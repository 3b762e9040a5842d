//! Turns a match into a step. In: a match, its technique, the state. Out: a [`Step`] that needs neither of them, with its cases; each
//! inference of a case has its citations in the position where it holds.
//!
//! A step may consist of several matches (parts). Those of `one step per` have one explanation in common, those of `join` one each.

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
    let own = MatchView::new(found, technique, &context);
    let parts: Vec<Match> = found.parts.iter().map(|part| part_of(found, part)).collect();
    let mut views: Vec<MatchView> =
        parts.iter().map(|part| MatchView::new(part, &techniques[part.member.technique], &context)).collect();
    if views.is_empty() {
        views.push(MatchView::new(found, technique, &context));
    }
    let joins = own.variant.join.is_some();
    let title = title_of(&own, &views[0]);
    let joined = views.iter().filter(|_| joins);
    let joined = joined.map(|view| step_of(&alone(view), techniques, geometry, state)).collect();
    let chain = chain_of(&views[0]);
    let mut claims = Vec::new();
    for claim in views.iter().flat_map(claims_of) {
        if !claims.contains(&claim) {
            claims.push(claim);
        }
    }
    Step {
        technique: technique.id.clone(),
        member: found.member.clone(),
        args: technique.params.iter().map(|param| param.name.clone()).zip(found.member.args.iter().copied()).collect(),
        case: own.variant.title.as_ref().map(|_| title.clone()),
        name: own.name(&title),
        says: MatchView::says(&views, &title),
        because: MatchView::because(if joins { std::slice::from_ref(&own) } else { &views }, &title),
        title,
        bindings: bindings_of(&views[0], !joins),
        claims,
        eliminations: found.eliminations.clone(),
        placements: found.placements.clone(),
        cites: cites_of(&views, state),
        cases: cases_of_parts(found).map(|case| case_of(case, techniques, geometry, state)).collect(),
        chain,
        joined,
        assumes_one_solution: technique.assumes_one_solution,
        ..Step::default()
    }
}

/// Returns the name of a match's step, without the work for the rest of the step.
pub(super) fn name_of(found: &Match, techniques: &[Technique], geometry: &Geometry, state: &State) -> String {
    let context = ViewContext::new(geometry, state, found.member.space);
    let own = MatchView::new(found, &techniques[found.member.technique], &context);
    let part = found.parts.first().map(|part| part_of(found, part));
    let first = part.as_ref().map(|part| MatchView::new(part, &techniques[part.member.technique], &context));
    own.name(&title_of(&own, first.as_ref().unwrap_or(&own)))
}

/// Returns the title of a match whose first part is `first`; the title of a match that joins others may contain the name of that part.
fn title_of(own: &MatchView, first: &MatchView) -> String {
    match own.variant.join {
        Some(_) => own.title(&first.name(&first.title(""))),
        None => own.title(""),
    }
}

/// Returns the deductions of each conclusion of a rule, for a match that joins no others.
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

/// Returns the deductions of all conclusions, in order.
fn claims_of<'v>(view: &'v MatchView) -> impl Iterator<Item = Deduction> + 'v {
    view.variant.conclusions.iter().flat_map(|conclusion| deductions_of(view, conclusion))
}

/// Returns the deductions of one conclusion: one for each set of candidates that it speaks of.
fn deductions_of(view: &MatchView, conclusion: &Conclusion) -> Vec<Deduction> {
    let sets = view.candidates(&conclusion.claim.candidates(), conclusion.for_each.as_ref());
    let wrap = match conclusion.claim {
        Claim::Some(_) => Deduction::Some,
        Claim::Eliminate(_) => Deduction::Eliminate,
        Claim::Place(_) => Deduction::Place,
        Claim::Links { .. } => return links_of(view),
    };
    let sets = sets.iter().filter(|set| !set.is_empty());
    sets.map(|set| wrap(sorted(set.iter().map(|&one| view.lens.candidate(one))))).collect()
}

fn sorted(candidates: impl Iterator<Item = Candidate>) -> Vec<Candidate> {
    let mut candidates: Vec<Candidate> = candidates.collect();
    candidates.sort_unstable();
    candidates
}

/// Returns the deductions of a loop: one end of each weak link is true.
fn links_of(view: &MatchView) -> Vec<Deduction> {
    let chain = &view.found.chain;
    let before = chain.last().into_iter().chain(chain);
    let weak = before.zip(chain).filter(|(_, to)| !to.strong);
    weak.map(|(from, to)| Deduction::Some(sorted(from.node.candidates().chain(to.node.candidates())))).collect()
}

/// Returns a part of a joined match with its own deductions, out of those of all parts.
fn alone(view: &MatchView) -> Match {
    let claims: Vec<Deduction> = claims_of(view).collect();
    let guardians: Vec<Candidate> =
        view.variant.guardians.iter().flat_map(|name| view.bound_candidates(*name)).copied().collect();
    let mut alone = view.found.clone();
    alone.eliminations.retain(|other| {
        let is_claimed = claims.iter().any(|claim| match claim {
            Deduction::Some(list) | Deduction::Place(list) => list.iter().all(|one| view.grid.excludes(*one, *other)),
            Deduction::Eliminate(list) => list.contains(other),
        });
        is_claimed && guardians.iter().all(|one| view.grid.excludes(*one, *other))
    });
    alone.placements.retain(|placed| {
        claims.iter().any(|claim| match claim {
            Deduction::Some(list) => list.as_slice() == [*placed],
            Deduction::Place(list) => list.contains(placed),
            Deduction::Eliminate(_) => false,
        })
    });
    alone
}

/// Returns the cases of all parts of a match.
fn cases_of_parts(found: &Match) -> impl Iterator<Item = &Case> {
    let own = if found.parts.is_empty() { found.cases.as_slice() } else { &[] };
    own.iter().chain(found.parts.iter().flat_map(|part| &part.cases))
}

fn part_of(found: &Match, part: &Part) -> Match {
    let Part { member, bindings, chain, cases } = part.clone();
    Match { member, bindings, chain, cases, parts: Vec::new(), ..found.clone() }
}

/// Returns the names of a rule with their values. Guardians count only in a match that joins no others, since each may have its own.
fn bindings_of(view: &MatchView, alone: bool) -> Vec<BoundName> {
    let chained: Vec<VarId> = view.variant.body.iter().flat_map(names_in_chain).collect();
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
            in_chain: chained.contains(&id),
            guards: alone && view.variant.guardians.contains(&id),
        });
    }
    bindings
}

/// Returns the nodes of a match's chain. A chain of fixed length, which the engine ran as conditions, is rebuilt from its names.
pub(super) fn chain_of(view: &MatchView) -> Vec<ChainStep> {
    if !view.found.chain.is_empty() {
        return view.found.chain.clone();
    }
    let trail = view.variant.body.iter().find_map(|statement| match statement {
        Statement::Trail(trail) => chain_of_trail(view, trail),
        _ => None,
    });
    let mut chain = trail.unwrap_or_default();
    for step in &mut chain {
        let seen: Vec<Candidate> = step.node.candidates().map(|one| view.lens.candidate(one)).collect();
        step.node.digit = seen.first().map_or(step.node.digit, |one| one.digit);
        step.node.cells = seen.iter().map(|one| one.cell).collect();
    }
    chain
}

/// Returns the names of a chain or a loop, whose values it shows: nodes, houses of links, its `on`.
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
    for (at, node) in trail.nodes.iter().enumerate() {
        let Some(Value::Digits(digits)) = &view.found.bindings[node.digit.0] else { return None };
        let digit = digits.first()?;
        let Some(Value::Cells(set)) = &view.found.bindings[node.cell.0] else { return None };
        let cells = set.iter().copied().filter(|&cell| view.state().has(Candidate::new(digit, cell))).collect();
        let strong = at > 0 && trail.links[at - 1].strong;
        // A strong link between two digits of a set rests on all of its cells.
        let in_set = strong && trail.nodes[at - 1].cell == node.cell && set.len() > 1;
        let via = in_set.then(|| Via { source: "als".into(), cells: set.clone(), houses: Vec::new() });
        chain.push(ChainStep { strong, node: ChainNode { digit, cells }, via });
    }
    Some(chain)
}

fn case_of(case: &Case, techniques: &[Technique], geometry: &Geometry, state: &State) -> CaseStep {
    let mut position = CasePosition { geometry, start: state, now: state.clone(), literals: Vec::new() };
    position.suppose(case.supposed);
    let mut inferences = Vec::new();
    for inference in &case.inferences {
        let inner = match inference {
            Inference::Naked(one) => InnerStep::Naked(*one, position.since_cell(one.cell, Some(*one))),
            Inference::Hidden(one, house) => {
                InnerStep::Hidden(*one, *house, position.since_house(*house, one.digit, Some(*one)))
            }
            Inference::Rule(found) => InnerStep::Step(Box::new(step_of(found, techniques, geometry, &position.now))),
            Inference::Links(chain) => {
                InnerStep::Links { chain: chain.clone(), cites: cites_of_chain(chain, geometry, state) }
            }
        };
        position.carry_out(&inner);
        inferences.push(inner);
    }
    let linked = inferences.iter().any(|inner| matches!(inner, InnerStep::Links { .. }));
    let since = if linked { Since::new() } else { position.since_end(&case.end) };
    CaseStep { supposed: case.supposed, inferences, end: case.end.clone(), since }
}

/// The position under a supposition, with all literals so far.
struct CasePosition<'a> {
    geometry: &'a Geometry,
    start: &'a State,
    now: State,
    /// Literals that were supposed or inferred, in order.
    literals: Since,
}

impl CasePosition<'_> {
    fn suppose(&mut self, (candidate, holds): (Candidate, bool)) {
        if holds {
            self.now.place(self.geometry, candidate.cell, candidate.digit);
        } else {
            self.now.eliminate(candidate);
        }
        self.literals.push((candidate, holds));
    }

    /// Carries out the deductions of an inference.
    fn carry_out(&mut self, inner: &InnerStep) {
        match inner {
            InnerStep::Naked(candidate, _) | InnerStep::Hidden(candidate, ..) => self.suppose((*candidate, true)),
            InnerStep::Step(step) => {
                apply(step, self.geometry, &mut self.now);
                self.literals.extend(step.literals());
            }
            InnerStep::Links { chain, .. } => {
                let Some(end) = chain.last() else { return };
                match (end.strong, end.node.only()) {
                    (true, Some(one)) => self.suppose((one, true)),
                    (true, None) => {}
                    (false, _) => end.node.candidates().for_each(|one| self.suppose((one, false))),
                }
            }
        }
    }

    /// Returns the literals that eliminated the candidates of a cell, except one.
    fn since_cell(&self, cell: Cell, but: Option<Candidate>) -> Since {
        let here = self.start.candidates(cell).iter().map(|digit| Candidate::new(digit, cell));
        self.since(here.filter(|&one| Some(one) != but))
    }

    /// Returns the literals that eliminated the places of a digit in a house, except one.
    fn since_house(&self, house: HouseId, digit: Digit, but: Option<Candidate>) -> Since {
        let places = self.geometry.house(house).cells.iter().map(|&cell| Candidate::new(digit, cell));
        self.since(places.filter(|&one| Some(one) != but && self.start.has(one)))
    }

    fn since_end(&self, end: &CaseEnd) -> Since {
        match end {
            CaseEnd::EmptyCell(cell) => self.since_cell(*cell, None),
            CaseEnd::EmptyHouse(house, digit) => self.since_house(*house, *digit, None),
            // An inferred literal needs no other reason.
            CaseEnd::Shows(one, false) if !self.literals.contains(&(*one, false)) => self.since(std::iter::once(*one)),
            CaseEnd::Shows(..) | CaseEnd::Both(_) => Since::new(),
        }
    }

    /// Returns the first literal that eliminates each of these candidates, in order.
    fn since(&self, eliminated: impl Iterator<Item = Candidate>) -> Since {
        let reasons = eliminated.filter_map(|one| {
            self.literals.iter().position(|&(other, holds)| match holds {
                true => self.geometry.excludes(other, one),
                false => other == one,
            })
        });
        reasons.collect::<BTreeSet<usize>>().into_iter().map(|at| self.literals[at]).collect()
    }
}
