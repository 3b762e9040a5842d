//! What a step is made of. In: a step. Out: its scene filled: conclusions, the values of the names that the rule chose, the
//! chain, suppositions with what follows from them. Helping names (`let`) are left out, unless nothing else is there.

use super::{Arc, Mark, Reading, Scene};
use crate::engine::{CaseEnd, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseId};
use crate::proof::Named;
use crate::solve::{Binding, CaseStep, Cites, Deduction, InnerStep, Step, links_told};

/// Fills a scene.
pub fn gather(geometry: &Geometry, scene: &mut Scene, step: &Step) {
    for part in &step.joined {
        gather(geometry, scene, part);
    }
    if step.joined.is_empty() {
        pattern(geometry, scene, step);
        chain(scene, &step.chain, &step.cites, None);
    }
    for (number, case) in step.cases.iter().enumerate() {
        suppose(geometry, scene, case, number);
    }
    let several = |claim: &&Deduction| matches!(claim, Deduction::Some(list) if list.len() > 1);
    let mut claims = step.claims.iter().filter(several);
    // Of several, such as those of a loop, nobody could see which belong together.
    if let (Some(Deduction::Some(list)), None) = (claims.next(), claims.next()) {
        list.iter().for_each(|&one| scene.mark(one, Mark::OneOf));
    }
    step.eliminations.iter().for_each(|&one| scene.mark(one, Mark::Goes));
    step.placements.iter().for_each(|&one| scene.mark(one, Mark::Placed));
}

/// What the names of a rule stand for.
fn pattern(geometry: &Geometry, scene: &mut Scene, step: &Step) {
    let chosen = |binding: &&Binding| binding.free && (!binding.in_chain || step.chain.is_empty());
    let mut digits = DigitSet::EMPTY;
    for binding in step.bindings.iter().filter(chosen) {
        if let Value::Digits(all) = &binding.value {
            digits = digits | *all;
        }
    }
    for binding in step.bindings.iter().filter(chosen) {
        value(geometry, scene, binding, digits);
    }
    if step.chain.is_empty() && (scene.cells.is_empty() || digits.len() == 1) {
        in_houses(geometry, scene, step, digits);
    }
    step.bindings.iter().filter(|binding| binding.guards).for_each(|binding| value(geometry, scene, binding, digits));
}

fn value(geometry: &Geometry, scene: &mut Scene, binding: &Binding, digits: DigitSet) {
    match &binding.value {
        Value::Cells(cells) => cells_of(scene, cells, digits),
        Value::Family(members) => members.iter().for_each(|(_, cells)| cells_of(scene, cells, digits)),
        Value::Candidates(list) => {
            let mark = if binding.guards { Mark::Guardian } else { Mark::Support };
            list.iter().for_each(|&one| scene.mark(one, mark));
            scene.cells.extend(list.iter().map(|one| one.cell));
        }
        Value::Houses(houses) => add_houses(scene, houses),
        Value::Places(places) => {
            for &(house, digit) in places {
                add_houses(scene, &[house]);
                mark_in(geometry, scene, house, DigitSet::single(digit));
            }
        }
        Value::Digits(_) | Value::Number(_) => {}
    }
}

/// Of one cell the digits that the rule speaks of are marked, if it has any of them; of a set of cells all.
fn cells_of(scene: &mut Scene, cells: &[Cell], digits: DigitSet) {
    scene.outline(cells);
    for &cell in cells {
        scene.cells.insert(cell);
        let all = scene.state.candidates(cell);
        let told = all & digits;
        let shown = if cells.len() > 1 || told.is_empty() { all } else { told };
        shown.iter().for_each(|digit| scene.mark(Candidate::new(digit, cell), Mark::Support));
    }
}

/// The houses of one name have its number.
fn add_houses(scene: &mut Scene, houses: &[HouseId]) {
    let number = scene.houses.last().map_or(0, |(_, number)| number + 1);
    scene.houses.extend(houses.iter().map(|&house| (house, number)));
}

/// A rule of one digit, and one that names no cells, has its pattern where its digits stand in the houses that it names first.
/// Without any, what it cites is all that can be shown.
fn in_houses(geometry: &Geometry, scene: &mut Scene, step: &Step, digits: DigitSet) {
    let first = |(house, number): &(HouseId, usize)| (*number == 0).then_some(*house);
    let houses: Vec<HouseId> = scene.houses.iter().filter_map(first).collect();
    if scene.cells.is_empty() && (houses.is_empty() || digits.is_empty()) {
        scene.cells.extend(step.cites.cells.iter().map(|(cell, _)| *cell));
    }
    let gone: Vec<Cell> = step.eliminations.iter().map(|one| one.cell).collect();
    let known = scene.cells.clone();
    houses.into_iter().for_each(|house| mark_in(geometry, scene, house, digits));
    // Where the digit only goes there is no pattern.
    scene.cells.retain(|cell| known.contains(cell) || digits.len() > 1 || !gone.contains(cell));
}

fn mark_in(geometry: &Geometry, scene: &mut Scene, house: HouseId, digits: DigitSet) {
    for &cell in &geometry.house(house).cells {
        for digit in (scene.state.candidates(cell) & digits).iter() {
            scene.mark(Candidate::new(digit, cell), Mark::Support);
            scene.cells.insert(cell);
        }
    }
}

/// A chain with its links; nodes behind strong links are on, the others off.
fn chain(scene: &mut Scene, chain: &[ChainStep], cites: &Cites, case: Option<usize>) {
    for (at, step) in chain.iter().enumerate() {
        let on = step.strong && (at > 0 || case.is_none());
        if at > 0 || case.is_none() {
            step.node.candidates().for_each(|one| scene.mark(one, if on { Mark::On } else { Mark::Off }));
        }
        scene.cells.extend(step.node.cells.iter());
        scene.outline(&step.node.cells);
        if let Some(via) = &step.via
            && via.houses.is_empty()
        {
            scene.outline(&via.cells);
            scene.cells.extend(via.cells.iter());
        }
    }
    if case.is_none() && chain.first().is_some_and(|first| first.strong) {
        scene.reading = Reading::Loop;
    }
    let told: Vec<Arc> = match case {
        None => links_told(chain, cites)
            .into_iter()
            .map(|told| Arc { from: told.link.from, to: told.link.to, strong: told.link.strong, case })
            .collect(),
        Some(_) => chain
            .windows(2)
            .map(|pair| Arc { from: pair[0].node.clone(), to: pair[1].node.clone(), strong: pair[1].strong, case })
            .collect(),
    };
    let others = cites.links.iter().filter(|_| case.is_none() && !chain.is_empty());
    let others = others.map(|link| Arc { from: link.from.clone(), to: link.to.clone(), strong: link.strong, case });
    for arc in told.into_iter().chain(others) {
        let same = |known: &Arc| known.from == arc.from && known.to == arc.to && known.strong == arc.strong;
        if !scene.links.iter().any(same) {
            scene.links.push(arc);
        }
    }
}

/// What is supposed and what follows.
fn suppose(geometry: &Geometry, scene: &mut Scene, case: &CaseStep, number: usize) {
    scene.reading = Reading::Cases;
    scene.mark(case.supposed.0, Mark::Supposed);
    scene.cells.insert(case.supposed.0.cell);
    for inner in &case.inferences {
        match inner {
            InnerStep::Links { chain: links, cites } => chain(scene, links, cites, Some(number)),
            InnerStep::Naked(one, _) | InnerStep::Hidden(one, ..) => follows(scene, *one, true),
            InnerStep::Step(step) => {
                let cited = step.cites.cells.iter().map(|(cell, _)| *cell);
                scene.cells.extend(cited);
                step.eliminations.iter().for_each(|&one| follows(scene, one, false));
                step.placements.iter().for_each(|&one| follows(scene, one, true));
            }
        }
    }
    match &case.end {
        CaseEnd::Shows(one, holds) => follows(scene, *one, *holds),
        CaseEnd::EmptyCell(cell) => scene.fails.push(*cell),
        CaseEnd::EmptyHouse(house, _) => scene.fails.extend(&geometry.house(*house).cells),
        CaseEnd::Both(node) => scene.fails.extend(&node.cells),
    }
}

fn follows(scene: &mut Scene, one: Candidate, holds: bool) {
    scene.mark(one, if holds { Mark::On } else { Mark::Off });
    scene.cells.insert(one.cell);
}

/// A name of a rule on a grid that refutes it.
pub fn named(scene: &mut Scene, value: &Named) {
    match value {
        Named::Digits(_) => {}
        Named::Cells(cells) => cells_of(scene, cells, DigitSet::EMPTY),
        Named::Houses(houses) => add_houses(scene, houses),
        Named::Candidate(one) => candidates_of(scene, &[*one]),
        Named::Candidates(list) => candidates_of(scene, list),
        Named::Family(members) => members.iter().for_each(|(_, cell)| cells_of(scene, &[*cell], DigitSet::EMPTY)),
        Named::FamilyOfCells(members) => {
            members.iter().for_each(|(_, cell)| cells_of(scene, &[*cell], DigitSet::EMPTY));
        }
    }
}

fn candidates_of(scene: &mut Scene, list: &[Candidate]) {
    list.iter().for_each(|&one| scene.mark(one, Mark::Support));
    scene.cells.extend(list.iter().map(|one| one.cell));
}
