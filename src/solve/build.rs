//! Makes a step of a match. In: a match, its technique, the state. Out: a [`Step`] that needs neither.

use super::cases::cases_of;
use super::circle;
use super::claims::{claims_of, deductions_of};
use super::joined::shown_alone;
use super::step::{Binding, Cites, Deduction, Link, Step};
use super::unnamed;
use super::view::{View, ViewContext};
use crate::engine::{Case, ChainNode, ChainStep, Match, Part, Value, Via};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::{Origin, Statement, Technique, Trail, VarId};
use std::collections::{BTreeMap, BTreeSet};

/// The step that a match is; `techniques` are those that were compiled.
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
    // Each joined part explains itself.
    let told = views.iter().filter(|_| joins);
    let joined = told.map(|view| step_of(&shown_alone(view), techniques, geometry, state)).collect();
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
        cost: None,
        assumes_one_solution: technique.assumes_one_solution,
        trial: None,
        soundness: super::standing::Soundness::Proved,
        guesses: 0,
    }
}

/// What each conclusion of its rule says of a match that joins no others, in their order.
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

/// The cases of each of the matches that a step was put together of.
fn parts_cases(found: &Match) -> impl Iterator<Item = &[Case]> {
    let own = found.parts.is_empty().then_some(found.cases.as_slice());
    own.into_iter().chain(found.parts.iter().map(|part| part.cases.as_slice()))
}

fn part_of(found: &Match, part: &Part) -> Match {
    let Part { member, bindings, chain, cases } = part.clone();
    Match { member, bindings, chain, cases, parts: Vec::new(), ..found.clone() }
}

/// `alone`: what two joined steps put aside is not told, for it need not be the same.
fn bindings_of(view: &View, alone: bool) -> Vec<Binding> {
    let chained: Vec<VarId> = view.variant.body.iter().flat_map(Statement::names_in_chain).collect();
    let binding = |(index, value): (usize, &Option<Value>)| {
        let var = &view.variant.vars[index];
        let circle = circle::in_order(view, VarId(index));
        Some(Binding {
            name: var.name.clone(),
            circle: circle.is_some(),
            value: circle.map_or_else(
                || value.as_ref().map(|value| view.lens.value(value)),
                |list| Some(Value::Candidates(list)),
            )?,
            free: matches!(var.origin, Origin::Chosen | Origin::Pattern),
            in_chain: chained.contains(&VarId(index)),
            guards: alone && view.variant.guardians.contains(&VarId(index)),
        })
    };
    view.found.bindings.iter().enumerate().filter_map(binding).collect()
}

/// The chain of the match; of a fixed chain that the engine ran as conditions, its nodes by their names.
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

fn chain_of_trail(view: &View, trail: &Trail) -> Option<Vec<ChainStep>> {
    let node = |at: usize| {
        let node = &trail.nodes[at];
        let digit = digit_of(view, node.digit)?;
        let Some(Value::Cells(cells)) = view.found.bindings[node.cell.0].as_ref() else { return None };
        let has = |cell: &Cell| view.state.has(Candidate::new(digit, *cell));
        Some(ChainNode { digit, cells: cells.iter().copied().filter(has).collect() })
    };
    let strong = |at: usize| at > 0 && trail.links[at - 1].strong;
    // Two digits of a set: the link rests on all of its cells.
    let via = |at: usize| {
        let set = trail.nodes[at].cell;
        let inside = strong(at) && trail.nodes[at - 1].cell == set;
        let Some(Value::Cells(cells)) = view.found.bindings[set.0].as_ref().filter(|_| inside) else { return None };
        (cells.len() > 1).then(|| Via { source: "als".into(), cells: cells.clone(), houses: Vec::new() })
    };
    (0..trail.nodes.len()).map(|at| Some(ChainStep { strong: strong(at), node: node(at)?, via: via(at) })).collect()
}

fn digit_of(view: &View, var: VarId) -> Option<Digit> {
    match view.found.bindings[var.0].as_ref()? {
        Value::Digits(digits) => digits.first(),
        _ => None,
    }
}

/// What the parts of a step rest on, together.
fn cites_of(views: &[View], state: &State) -> Cites {
    let mut cells = BTreeSet::new();
    let mut houses = BTreeSet::new();
    let mut links: Vec<Link> = Vec::new();
    for view in views {
        cite_bindings(view, state, &mut cells, &mut houses);
        cite_circles(view, state, &mut houses);
        unnamed::cite(view, state, &mut cells, &mut houses);
        cite_chain(view.grid, state, &chain_of(view), &mut cells, &mut houses, &mut links);
    }
    houses.extend(links.iter().filter(|link| link.strong).filter_map(|link| link.house));
    Cites {
        cells: cells.into_iter().map(|cell| (cell, state.candidates(cell))).collect(),
        houses: houses.into_iter().collect(),
        links,
    }
}

/// What a chain rests on.
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
    // The first node of a loop is led to from its last.
    let closing = chain.first().filter(|first| first.strong).zip(chain.last());
    let pairs = chain.windows(2).map(|pair| (&pair[1], &pair[0]));
    for (to, from) in pairs.chain(closing) {
        // A link that rests on more than its ends follows from what it rests on, which is cited.
        let ends = |cell: &Cell| from.node.cells.contains(cell) || to.node.cells.contains(cell);
        let across = from.node.digit != to.node.digit && from.node.cells != to.node.cells;
        let link = link_of(grid, state, from, to);
        let nowhere_alone = link.house.is_none() && from.node.digit == to.node.digit;
        if to.via.as_ref().is_some_and(|via| across || nowhere_alone || !via.cells.iter().all(ends)) {
            continue;
        }
        if !links.contains(&link) {
            links.push(link);
        }
    }
}

fn cite_bindings(view: &View, state: &State, cells: &mut BTreeSet<Cell>, houses: &mut BTreeSet<HouseId>) {
    for value in view.found.bindings.iter().flatten() {
        if !view.lens.is_plain() {
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

/// Clusters and rings are bound as sets of candidates and have no links that could be told: what joins them are houses in
/// which a digit has no other place.
fn cite_circles(view: &View, state: &State, houses: &mut BTreeSet<HouseId>) {
    if !view.found.chain.is_empty() || !view.lens.is_plain() {
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

/// The first house that holds all cells of both; for a strong link, one where the digit has no other place.
fn shared_house(grid: &Geometry, state: &State, a: &ChainNode, b: &ChainNode, strong: bool) -> Option<HouseId> {
    let holds = |id: &HouseId| a.cells.iter().chain(&b.cells).all(|&cell| grid.houses_of(cell).contains(id));
    let elsewhere = |id: &HouseId| {
        let mut cells = grid.house(*id).cells.iter();
        cells
            .any(|cell| state.has(Candidate::new(a.digit, *cell)) && !a.cells.contains(cell) && !b.cells.contains(cell))
    };
    let first = *a.cells.first()?;
    grid.houses_of(first).iter().copied().find(|id| holds(id) && (!strong || !elsewhere(id)))
}
