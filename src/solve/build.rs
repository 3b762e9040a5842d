//! Makes a step of a match. In: a match, its technique, the state. Out: a [`Step`] that needs neither.

use super::step::{Binding, Cites, Deduction, Link, Step};
use super::view::View;
use crate::engine::{ChainStep, Match, Value};
use crate::grid::{Candidate, Cell, Digit, Geometry, HouseId, State};
use crate::lang::ir::{Claim, Conclusion, Origin, Statement, Technique, Trail, VarId};
use std::collections::BTreeSet;

/// The step that a match is.
pub fn step_of(found: &Match, technique: &Technique, geometry: &Geometry, state: &State) -> Step {
    let view = View::new(found, technique, geometry, state);
    let title = view.title();
    let chain = chain_of(&view);
    Step {
        technique: technique.id.clone(),
        member: found.member.clone(),
        args: technique.params.iter().map(|param| param.name.clone()).zip(found.member.args.iter().copied()).collect(),
        case: view.variant.title.as_ref().map(|_| title.clone()),
        name: view.name(&title),
        because: view.variant.because.as_ref().map(|because| view.fill(because, &title)),
        title,
        bindings: bindings_of(&view),
        claims: view.variant.conclusions.iter().flat_map(|conclusion| deductions_of(&view, conclusion)).collect(),
        eliminations: found.eliminations.clone(),
        placements: found.placements.clone(),
        cites: cites_of(&view, &chain),
        chain,
        cost: None,
    }
}

fn bindings_of(view: &View) -> Vec<Binding> {
    let mut concluded = Vec::new();
    for conclusion in &view.variant.conclusions {
        noun_of(&conclusion.claim).names(&mut concluded);
        if let Some((_, over)) = &conclusion.per {
            over.names(&mut concluded);
        }
    }
    let binding = |(index, value): (usize, &Option<Value>)| {
        let var = &view.variant.vars[index];
        Some(Binding {
            name: var.name.clone(),
            value: value.clone()?,
            free: matches!(var.origin, Origin::Chosen | Origin::Pattern),
            concluded: concluded.contains(&VarId(index)),
        })
    };
    view.found.bindings.iter().enumerate().filter_map(binding).collect()
}

fn noun_of(claim: &Claim) -> &crate::lang::ir::Expr {
    let (Claim::Some(noun) | Claim::Eliminate(noun) | Claim::Place(noun)) = claim;
    noun
}

fn deductions_of(view: &View, conclusion: &Conclusion) -> Vec<Deduction> {
    let sets = view.candidates(noun_of(&conclusion.claim), conclusion.per.as_ref());
    let wrap = match conclusion.claim {
        Claim::Some(_) => Deduction::Some,
        Claim::Eliminate(_) => Deduction::Eliminate,
        Claim::Place(_) => Deduction::Place,
    };
    sets.into_iter().filter(|set| !set.is_empty()).map(wrap).collect()
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
    trail.and_then(|trail| chain_of_trail(view, trail)).unwrap_or_default()
}

fn chain_of_trail(view: &View, trail: &Trail) -> Option<Vec<ChainStep>> {
    let node = |at: usize| {
        let node = &trail.nodes[at];
        Some(Candidate::new(digit_of(view, node.digit)?, cell_of(view, node.cell)?))
    };
    let strong = |at: usize| at > 0 && trail.links[at - 1].strong;
    (0..trail.nodes.len()).map(|at| Some(ChainStep { strong: strong(at), node: node(at)? })).collect()
}

fn digit_of(view: &View, var: VarId) -> Option<Digit> {
    match view.found.bindings[var.0].as_ref()? {
        Value::Digits(digits) => digits.first(),
        _ => None,
    }
}

fn cell_of(view: &View, var: VarId) -> Option<Cell> {
    match view.found.bindings[var.0].as_ref()? {
        Value::Cells(cells) => cells.first().copied(),
        _ => None,
    }
}

fn cites_of(view: &View, chain: &[ChainStep]) -> Cites {
    let mut cells = BTreeSet::new();
    let mut houses = BTreeSet::new();
    for value in view.found.bindings.iter().flatten() {
        match value {
            Value::Cells(bound) => cells.extend(bound),
            Value::Houses(bound) => houses.extend(bound),
            Value::Candidates(bound) => cells.extend(bound.iter().map(|candidate| candidate.cell)),
            Value::Family(bound) => cells.extend(bound.iter().map(|(_, cell)| *cell)),
            Value::Digits(_) | Value::Number(_) => {}
        }
    }
    cells.extend(chain.iter().map(|step| step.node.cell));
    let links: Vec<Link> = chain.windows(2).map(|pair| link_of(view, pair[0], pair[1])).collect();
    houses.extend(links.iter().filter(|link| link.strong).filter_map(|link| link.house));
    Cites {
        cells: cells.into_iter().map(|cell| (cell, view.state.candidates(cell))).collect(),
        houses: houses.into_iter().collect(),
        links,
    }
}

fn link_of(view: &View, from: ChainStep, to: ChainStep) -> Link {
    let (a, b) = (from.node, to.node);
    let house = (a.cell != b.cell && a.digit == b.digit).then(|| shared_house(view, a, b.cell, to.strong)).flatten();
    Link { from: a, to: b, strong: to.strong, house }
}

/// The first house that holds both cells; for a strong link, one where the digit has no third place.
fn shared_house(view: &View, a: Candidate, b: Cell, strong: bool) -> Option<HouseId> {
    let places = |id: &HouseId| {
        let cells = &view.geometry.house(*id).cells;
        cells.iter().filter(|&&cell| view.state.has(Candidate::new(a.digit, cell))).count()
    };
    let mut shared = view.geometry.houses_of(a.cell).iter().filter(|id| view.geometry.houses_of(b).contains(id));
    shared.find(|id| !strong || places(id) == 2).copied()
}
