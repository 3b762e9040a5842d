//! Turns a match into a step. In: a match, its technique, the state. Out: a [`Step`] that needs neither of them.
//!
//! A step may consist of several matches (parts): those of `one step per` explain themselves together, those of `join` one by one.

use super::cases::cases_of;
use super::implicit_citations;
use super::step::{Binding, Cites, Deduction, Link, Step};
use super::view::{View, ViewContext, ring_in_order};
use crate::engine::{Case, ChainNode, ChainStep, Match, Part, Value, Via};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::{Claim, Conclusion, LinkShape, Origin, Statement, Technique, Trail, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// Turns a match into a step; `techniques` are those of the engine that found it.
pub fn step_of(found: &Match, techniques: &[Technique], geometry: &Geometry, state: &State) -> Step {
    let technique = &techniques[found.member.technique];
    let context = ViewContext::new(geometry, state, found.member.space);
    let own = View::new(found, technique, &context);
    let parts: Vec<Match> = found.parts.iter().map(|part| part_of(found, part)).collect();
    let mut views: Vec<View> =
        parts.iter().map(|part| View::new(part, &techniques[part.member.technique], &context)).collect();
    if views.is_empty() {
        views.push(View::new(found, technique, &context));
    }
    let joins = own.variant.join.is_some();
    let inner = if joins { views[0].name(&views[0].title("")) } else { String::new() };
    let title = own.title(&inner);
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
        says: View::says(&views, &title),
        because: if joins { own.because(&title) } else { View::because_of(&views, &title) },
        title,
        bindings: bindings_of(&views[0], !joins),
        claims,
        eliminations: found.eliminations.clone(),
        placements: found.placements.clone(),
        cites: cites_of(&views, state),
        cases: parts_cases(found).flat_map(|cases| cases_of(cases, techniques, geometry, state)).collect(),
        chain,
        joined,
        assumes_one_solution: technique.assumes_one_solution,
        ..Step::default()
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
    let view = View::new(found, technique, &context);
    view.variant.conclusions.iter().map(|conclusion| deductions_of(&view, conclusion)).collect()
}

/// Returns the deductions of all conclusions, in order.
fn claims_of<'v>(view: &'v View) -> impl Iterator<Item = Deduction> + 'v {
    view.variant.conclusions.iter().flat_map(|conclusion| deductions_of(view, conclusion))
}

/// Returns the deductions of one conclusion: one for each set of candidates that it speaks of.
fn deductions_of(view: &View, conclusion: &Conclusion) -> Vec<Deduction> {
    let sets = view.candidates(&conclusion.claim.noun(), conclusion.per.as_ref());
    let wrap = match conclusion.claim {
        Claim::Some(_) => Deduction::Some,
        Claim::Eliminate(_) => Deduction::Eliminate,
        Claim::Place(_) => Deduction::Place,
        Claim::Links { .. } => return links_of(view),
    };
    let sets = sets.into_iter().filter(|set| !set.is_empty()).map(|set| {
        let mut set: Vec<Candidate> = set.into_iter().map(|one| view.lens.candidate(one)).collect();
        set.sort_unstable();
        set
    });
    sets.map(wrap).collect()
}

/// Returns the deductions of a loop: one end of each weak link is true.
fn links_of(view: &View) -> Vec<Deduction> {
    let chain = &view.found.chain;
    let before = chain.last().into_iter().chain(chain);
    let weak = before.zip(chain).filter(|(_, to)| !to.strong);
    let ends = weak.map(|(from, to)| {
        let mut ends: Vec<Candidate> = from.node.candidates().chain(to.node.candidates()).collect();
        ends.sort_unstable();
        Deduction::Some(ends)
    });
    ends.collect()
}

/// Returns a part of a joined match with its own deductions, out of those of all parts.
fn alone(view: &View) -> Match {
    let claims: Vec<Deduction> = claims_of(view).collect();
    let mut guardians: Vec<Candidate> = Vec::new();
    for name in &view.variant.guardians {
        if let Some(Value::Candidates(list)) = &view.found.bindings[name.0] {
            guardians.extend(list);
        }
    }
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

/// Returns the cases of each part of a match.
fn parts_cases(found: &Match) -> impl Iterator<Item = &[Case]> {
    let own = found.parts.is_empty().then_some(found.cases.as_slice());
    own.into_iter().chain(found.parts.iter().map(|part| part.cases.as_slice()))
}

fn part_of(found: &Match, part: &Part) -> Match {
    let Part { member, bindings, chain, cases } = part.clone();
    Match { member, bindings, chain, cases, parts: Vec::new(), ..found.clone() }
}

/// Returns the names of a rule with their values. Guardians count only in a match that joins no others, since each may have its own.
fn bindings_of(view: &View, alone: bool) -> Vec<Binding> {
    let chained: Vec<VarId> = view.variant.body.iter().flat_map(names_in_chain).collect();
    let mut bindings = Vec::new();
    for (index, value) in view.found.bindings.iter().enumerate() {
        let (id, var) = (VarId(index), &view.variant.vars[index]);
        let ring = ring_in_order(view, id).map(Value::Candidates);
        let circle = ring.is_some();
        let Some(value) = ring.or_else(|| value.as_ref().map(|value| view.lens.value(value))) else { continue };
        bindings.push(Binding {
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
fn chain_of(view: &View) -> Vec<ChainStep> {
    if !view.found.chain.is_empty() {
        return view.found.chain.clone();
    }
    let trail = view.variant.body.iter().find_map(|statement| match statement {
        Statement::Trail(trail) => Some(trail),
        _ => None,
    });
    let mut chain = trail.and_then(|trail| chain_of_trail(view, trail)).unwrap_or_default();
    for step in &mut chain {
        let seen: Vec<Candidate> = step.node.candidates().map(|one| view.lens.candidate(one)).collect();
        step.node.digit = seen.first().map_or(step.node.digit, |one| one.digit);
        step.node.cells = seen.iter().map(|one| one.cell).collect();
    }
    chain
}

/// Returns the names of a chain or a loop, whose values it shows: nodes, houses of links, its `on`.
fn names_in_chain(statement: &Statement) -> Vec<VarId> {
    match statement {
        Statement::Trail(trail) => trail.names(),
        Statement::Graph(graph) if matches!(graph.shape, LinkShape::Chain(_) | LinkShape::Loop(_)) => {
            let mut names = graph.names();
            names.extend(graph.on.iter().flat_map(|on| on.names()));
            names
        }
        _ => Vec::new(),
    }
}

fn chain_of_trail(view: &View, trail: &Trail) -> Option<Vec<ChainStep>> {
    let mut chain = Vec::new();
    for (at, node) in trail.nodes.iter().enumerate() {
        let digit = digit_of(view, node.digit)?;
        let Some(Value::Cells(set)) = &view.found.bindings[node.cell.0] else { return None };
        let cells = set.iter().copied().filter(|&cell| view.state.has(Candidate::new(digit, cell))).collect();
        let strong = at > 0 && trail.links[at - 1].strong;
        // A strong link between two digits of a set rests on all of its cells.
        let in_set = strong && trail.nodes[at - 1].cell == node.cell && set.len() > 1;
        let via = in_set.then(|| Via { source: "als".into(), cells: set.clone(), houses: Vec::new() });
        chain.push(ChainStep { strong, node: ChainNode { digit, cells }, via });
    }
    Some(chain)
}

fn digit_of(view: &View, var: VarId) -> Option<Digit> {
    match view.found.bindings[var.0].as_ref()? {
        Value::Digits(digits) => digits.first(),
        _ => None,
    }
}

/// Returns the citations of all parts of a step together.
fn cites_of(views: &[View], state: &State) -> Cites {
    let mut cells = BTreeSet::new();
    let mut houses = BTreeSet::new();
    let mut links: Vec<Link> = Vec::new();
    for view in views {
        cite_bindings(view, state, &mut cells, &mut houses);
        cite_candidate_sets(view, state, &mut houses);
        implicit_citations::cite(view, state, &mut cells, &mut houses);
        cite_chain(view.grid, state, &chain_of(view), &mut cells, &mut houses, &mut links);
    }
    houses.extend(links.iter().filter(|link| link.strong).filter_map(|link| link.house));
    Cites {
        cells: cells.into_iter().map(|cell| (cell, state.candidates(cell))).collect(),
        houses: houses.into_iter().collect(),
        links,
    }
}

/// Adds the cells, houses and links that a chain rests on.
pub(super) fn cite_chain(
    grid: &Geometry,
    state: &State,
    chain: &[ChainStep],
    cells: &mut BTreeSet<Cell>,
    houses: &mut BTreeSet<HouseId>,
    links: &mut Vec<Link>,
) {
    cells.extend(chain.iter().flat_map(|step| step.node.cells.iter().copied()));
    for via in chain.iter().filter_map(|step| step.via.as_ref()) {
        cells.extend(via.cells.iter().copied());
        houses.extend(via.houses.iter().copied());
    }
    // A loop also has a link from its last node to its first.
    let closing = chain.first().filter(|first| first.strong).zip(chain.last());
    let pairs = chain.windows(2).map(|pair| (&pair[1], &pair[0]));
    for (to, from) in pairs.chain(closing) {
        // A link that rests on further cells or houses follows from these, which are cited already.
        let across = from.node.digit != to.node.digit && from.node.cells != to.node.cells;
        let link = link_of(grid, state, from, to);
        let is_houseless = link.house.is_none() && from.node.digit == to.node.digit;
        if let Some(via) = &to.via {
            let mut cells = via.cells.iter();
            let only_ends = cells.all(|cell| from.node.cells.contains(cell) || to.node.cells.contains(cell));
            if across || is_houseless || !only_ends {
                continue;
            }
        }
        if !links.contains(&link) {
            links.push(link);
        }
    }
}

fn cite_bindings(view: &View, state: &State, cells: &mut BTreeSet<Cell>, houses: &mut BTreeSet<HouseId>) {
    for value in view.found.bindings.iter().flatten() {
        if !view.lens.is_grid() {
            let (more, places) = view.lens.cited(value, view.grid, state);
            houses.extend(more);
            cells.extend(places);
            continue;
        }
        match value {
            Value::Cells(bound) => cells.extend(bound),
            Value::Houses(bound) => houses.extend(bound),
            Value::Candidates(bound) => cells.extend(bound.iter().map(|candidate| candidate.cell)),
            Value::Family(bound) => cells.extend(bound.iter().flat_map(|(_, cells)| cells)),
            Value::Digits(_) | Value::Number(_) | Value::Places(_) => {}
        }
    }
}

/// Adds the houses that join clusters and rings: those in which a digit has no place outside. Clusters and rings are bound as sets of
/// candidates, so they have no links to cite.
fn cite_candidate_sets(view: &View, state: &State, houses: &mut BTreeSet<HouseId>) {
    if !view.found.chain.is_empty() || !view.lens.is_grid() {
        return;
    }
    let mut bound: BTreeMap<Digit, BTreeSet<Cell>> = BTreeMap::new();
    for value in view.found.bindings.iter().flatten() {
        if let Value::Candidates(list) = value {
            list.iter().for_each(|one| {
                bound.entry(one.digit).or_default().insert(one.cell);
            });
        }
    }
    for (&digit, cells) in &bound {
        for (number, house) in view.grid.houses().iter().enumerate() {
            let places: Vec<Cell> =
                house.cells.iter().copied().filter(|&cell| state.candidates(cell).has(digit)).collect();
            if places.len() > 1 && places.iter().all(|cell| cells.contains(cell)) {
                houses.insert(HouseId(number as u16));
            }
        }
    }
}

fn link_of(grid: &Geometry, state: &State, from: &ChainStep, to: &ChainStep) -> Link {
    let (a, b) = (&from.node, &to.node);
    let one_digit = a.cells != b.cells && a.digit == b.digit;
    let house = one_digit.then(|| shared_house(grid, state, a, b, to.strong)).flatten();
    Link { from: a.clone(), to: b.clone(), strong: to.strong, house }
}

/// Returns the first house that contains all cells of both nodes; for a strong link, the first in which the digit has no other place.
fn shared_house(grid: &Geometry, state: &State, a: &ChainNode, b: &ChainNode, strong: bool) -> Option<HouseId> {
    let is_end = |cell: &Cell| a.cells.contains(cell) || b.cells.contains(cell);
    grid.houses_of(*a.cells.first()?).iter().copied().find(|house| {
        let cells = &grid.house(*house).cells;
        let has_both = a.cells.iter().chain(&b.cells).all(|cell| grid.houses_of(*cell).contains(house));
        has_both && !(strong && cells.iter().any(|cell| state.has(Candidate::new(a.digit, *cell)) && !is_end(cell)))
    })
}
