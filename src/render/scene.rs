//! A step as a picture, independent of the output format. In: a position with a step or a counterexample. Out:
//! [`Scene`]: marks of candidates, cells of the pattern, houses, links and outlines; the legend of a scene.
//!
//! The terminal, SVG and the report draw the same scene. The pattern consists of the values that the rule chose, without
//! values of `let`. If the rule chose nothing that can be drawn, the pattern is the cells that the step cites.

use super::names::BoardNames;
use crate::engine::{CaseEnd, ChainNode, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseId, State};
use crate::proof::{Counterexample, NamedValue};
use crate::solve::{BoundName, CaseStep, CitedLink, Cites, Deduction, InnerStep, Step, chain_links, is_loop};
use std::collections::{BTreeMap, BTreeSet};

/// The role of a candidate in a scene. If a candidate has several roles, the role that is declared last here counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Part of the pattern.
    Support,
    /// A candidate that the links make false; see [`MarkReading`].
    Off,
    /// A candidate that the links make true; see [`MarkReading`].
    On,
    /// One of the candidates with this mark is true.
    OneOf,
    Supposed,
    /// A guardian. If no guardian is true, the conclusion of the pattern holds.
    Guardian,
    Eliminated,
    Placed,
}

/// The meaning of the marks [`Mark::On`] and [`Mark::Off`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkReading {
    /// In a chain: `On` is true and `Off` is false if the first node is false.
    Chain,
    /// In a loop: either all candidates marked `On` are true, or all candidates marked `Off` are true.
    Loop,
    /// In cases: `On` is true and `Off` is false under a supposition.
    Cases,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    pub from: ChainNode,
    pub to: ChainNode,
    pub strong: bool,
    /// Index of the case that the link belongs to. A link of a case is drawn with an arrow head.
    pub case: Option<usize>,
}

/// A position with everything to draw on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The position before the step.
    pub state: State,
    /// Roles of candidates. A candidate without a role has no entry.
    pub marks: BTreeMap<Candidate, Mark>,
    pub cells: BTreeSet<Cell>,
    /// Sets of cells with an outline.
    pub sets: Vec<Vec<Cell>>,
    /// Houses of the pattern, each with a number. All houses in the value of one name have the same number.
    pub houses: Vec<(HouseId, usize)>,
    /// Links in the order of their chain.
    pub links: Vec<Arc>,
    /// Cells of contradictions: cells without a candidate, and cells of houses without a place for a digit.
    pub contradictions: Vec<Cell>,
    pub reading: MarkReading,
}

impl Scene {
    pub fn of_state(state: State) -> Scene {
        Scene {
            state,
            marks: BTreeMap::new(),
            cells: BTreeSet::new(),
            sets: Vec::new(),
            houses: Vec::new(),
            links: Vec::new(),
            contradictions: Vec::new(),
            reading: MarkReading::Chain,
        }
    }

    pub fn of_step(geometry: &Geometry, state: &State, step: &Step) -> Scene {
        let mut scene = Scene::of_state(state.clone());
        scene.add_step(geometry, step);
        scene
    }

    /// Makes the scene of a grid that refutes a rule: the values of the rule's names, and the wrong conclusion.
    pub fn of_counterexample(example: &Counterexample) -> Scene {
        let mut scene = Scene::of_state(example.state.clone());
        example.names.iter().for_each(|(_, value)| scene.add_named(value));
        scene.mark(example.wrong, if example.placed { Mark::Placed } else { Mark::Eliminated });
        scene
    }

    pub fn mark_of(&self, candidate: Candidate) -> Option<Mark> {
        self.marks.get(&candidate).copied()
    }

    /// Marks a candidate, unless the candidate is absent or has a greater mark.
    fn mark(&mut self, candidate: Candidate, mark: Mark) {
        if self.state.has(candidate) {
            let current = self.marks.entry(candidate).or_insert(mark);
            *current = mark.max(*current);
        }
    }

    fn mark_in_pattern(&mut self, candidate: Candidate, mark: Mark) {
        self.mark(candidate, mark);
        self.cells.insert(candidate.cell);
    }

    /// Adds the outline of a set of two or more cells, unless the set has an outline already.
    fn outline(&mut self, cells: &[Cell]) {
        if cells.len() > 1 && !self.sets.iter().any(|set| set == cells) {
            self.sets.push(cells.to_vec());
        }
    }

    fn add_step(&mut self, geometry: &Geometry, step: &Step) {
        step.parts.iter().for_each(|part| self.add_step(geometry, part));
        if step.parts.is_empty() {
            self.add_pattern(geometry, step);
            self.add_chain(&step.chain, None);
            self.add_chain_links(&step.chain, &step.cites);
        }
        for (number, case) in step.cases.iter().enumerate() {
            self.add_case(geometry, case, number);
        }
        let disjunctions: Vec<&Vec<Candidate>> = step
            .claims
            .iter()
            .filter_map(|claim| match claim {
                Deduction::AtLeastOne(candidates) if candidates.len() > 1 => Some(candidates),
                _ => None,
            })
            .collect();
        // Several disjunctions, as those of a loop, are not marked: the reader could not see which candidates belong together.
        if let [candidates] = disjunctions.as_slice() {
            candidates.iter().for_each(|&candidate| self.mark(candidate, Mark::OneOf));
        }
        step.eliminations.iter().for_each(|&candidate| self.mark(candidate, Mark::Eliminated));
        step.placements.iter().for_each(|&candidate| self.mark(candidate, Mark::Placed));
    }

    /// Adds the values of the names that the rule chose and that the chain does not show.
    fn add_pattern(&mut self, geometry: &Geometry, step: &Step) {
        let has_chain = !step.chain.is_empty();
        let chosen = step.bindings.iter().filter(|binding| binding.is_chosen && !(has_chain && binding.in_chain));
        let digits = chosen.clone().fold(DigitSet::EMPTY, |union, binding| match &binding.value {
            Value::Digits(digits) => union | *digits,
            _ => union,
        });
        chosen.for_each(|binding| self.add_binding(geometry, binding, digits));
        if !has_chain && (self.cells.is_empty() || digits.len() == 1) {
            self.add_digits_in_houses(geometry, step, digits);
        }
        let guardians = step.bindings.iter().filter(|binding| binding.is_guardian);
        guardians.for_each(|binding| self.add_binding(geometry, binding, digits));
    }

    /// Adds the value of a name. `digits` are all digits that the rule chose.
    fn add_binding(&mut self, geometry: &Geometry, binding: &BoundName, digits: DigitSet) {
        match &binding.value {
            Value::Cells(cells) => self.add_cells(cells, digits),
            Value::Family(members) => members.iter().for_each(|(_, cells)| self.add_cells(cells, digits)),
            Value::Candidates(candidates) => {
                let mark = if binding.is_guardian { Mark::Guardian } else { Mark::Support };
                candidates.iter().for_each(|&candidate| self.mark_in_pattern(candidate, mark));
            }
            Value::Houses(houses) => self.add_houses(houses),
            Value::Places(places) => {
                for &(house, digit) in places {
                    self.add_houses(&[house]);
                    self.add_digits(geometry, house, DigitSet::single(digit));
                }
            }
            Value::Digits(_) | Value::Number(_) => {}
        }
    }

    /// Adds cells of the pattern. If `cells` is one cell that has candidates among `digits`, marks only these candidates.
    /// Otherwise marks all candidates of the cells.
    fn add_cells(&mut self, cells: &[Cell], digits: DigitSet) {
        self.outline(cells);
        for &cell in cells {
            self.cells.insert(cell);
            let candidates = self.state.candidates(cell);
            let chosen = candidates & digits;
            let marked = if cells.len() > 1 || chosen.is_empty() { candidates } else { chosen };
            marked.iter().for_each(|digit| self.mark(Candidate::new(digit, cell), Mark::Support));
        }
    }

    /// Adds the houses of one name.
    fn add_houses(&mut self, houses: &[HouseId]) {
        let number = self.houses.last().map_or(0, |(_, number)| number + 1);
        self.houses.extend(houses.iter().map(|&house| (house, number)));
    }

    /// Adds the places of the chosen digits in the houses of the rule's first name for houses, such as the base of a fish.
    /// Such places are the pattern of a rule about one digit, or of a rule without cells. If the rule chose no houses or
    /// no digits, adds the cells that the step cites.
    fn add_digits_in_houses(&mut self, geometry: &Geometry, step: &Step, digits: DigitSet) {
        let houses_of_first_name = self.houses.iter().filter(|(_, number)| *number == 0);
        let houses: Vec<HouseId> = houses_of_first_name.map(|(house, _)| *house).collect();
        if self.cells.is_empty() && (houses.is_empty() || digits.is_empty()) {
            self.cells.extend(step.cites.cells.iter().map(|(cell, _)| *cell));
        }
        let old_cells = self.cells.clone();
        houses.into_iter().for_each(|house| self.add_digits(geometry, house, digits));
        // In a rule about one digit, an eliminated place is not part of the pattern.
        if digits.len() < 2 {
            self.cells.retain(|cell| {
                let is_eliminated = step.eliminations.iter().any(|eliminated| eliminated.cell == *cell);
                old_cells.contains(cell) || !is_eliminated
            });
        }
    }

    fn add_digits(&mut self, geometry: &Geometry, house: HouseId, digits: DigitSet) {
        for &cell in &geometry.house(house).cells {
            for digit in (self.state.candidates(cell) & digits).iter() {
                self.mark_in_pattern(Candidate::new(digit, cell), Mark::Support);
            }
        }
    }

    /// Adds the nodes of a chain: `On` after a strong link, `Off` otherwise. `case` is the index of the case that contains
    /// the chain. The first node of such a chain is the supposition, which has its own mark.
    fn add_chain(&mut self, chain: &[ChainStep], case: Option<usize>) {
        for (index, step) in chain.iter().enumerate() {
            if index > 0 || case.is_none() {
                let mark = if step.strong { Mark::On } else { Mark::Off };
                step.node.candidates().for_each(|candidate| self.mark(candidate, mark));
            }
            self.cells.extend(step.node.cells.iter());
            self.outline(&step.node.cells);
            // A match of a link source that cites a house is a pair of places in it and needs no outline. Other matches are
            // sets of cells, which need one.
            if let Some(source_match) = &step.source_match
                && source_match.houses.is_empty()
            {
                self.outline(&source_match.cells);
                self.cells.extend(source_match.cells.iter());
            }
        }
        if case.is_none() && is_loop(chain) {
            self.reading = MarkReading::Loop;
        }
    }

    /// Adds the links of a step's chain, then its other cited links.
    fn add_chain_links(&mut self, chain: &[ChainStep], cites: &Cites) {
        if chain.is_empty() {
            return;
        }
        let chain_links = chain_links(chain, cites).into_iter().map(|chain_link| chain_link.link);
        for CitedLink { from, to, strong, .. } in chain_links.chain(cites.links.iter().cloned()) {
            self.add_link(Arc { from, to, strong, case: None });
        }
    }

    /// Adds a link, unless a link of the same strength already joins these nodes.
    fn add_link(&mut self, arc: Arc) {
        let has_link =
            self.links.iter().any(|link| (&link.from, &link.to, link.strong) == (&arc.from, &arc.to, arc.strong));
        if !has_link {
            self.links.push(arc);
        }
    }

    fn add_case(&mut self, geometry: &Geometry, case: &CaseStep, number: usize) {
        self.reading = MarkReading::Cases;
        self.mark_in_pattern(case.supposed.0, Mark::Supposed);
        for inner in &case.inferences {
            match inner {
                InnerStep::Links { chain, .. } => {
                    self.add_chain(chain, Some(number));
                    for pair in chain.windows(2) {
                        let from = pair[0].node.clone();
                        let to = pair[1].node.clone();
                        self.add_link(Arc { from, to, strong: pair[1].strong, case: Some(number) });
                    }
                }
                InnerStep::Naked(placed, _) | InnerStep::Hidden(placed, ..) => self.mark_in_pattern(*placed, Mark::On),
                InnerStep::Step(step) => {
                    self.cells.extend(step.cites.cells.iter().map(|(cell, _)| *cell));
                    step.eliminations.iter().for_each(|&eliminated| self.mark_in_pattern(eliminated, Mark::Off));
                    step.placements.iter().for_each(|&placed| self.mark_in_pattern(placed, Mark::On));
                }
            }
        }
        match &case.end {
            CaseEnd::Shows(candidate, holds) => {
                self.mark_in_pattern(*candidate, if *holds { Mark::On } else { Mark::Off });
            }
            CaseEnd::EmptyCell(cell) => self.contradictions.push(*cell),
            CaseEnd::EmptyHouse(house, _) => self.contradictions.extend(&geometry.house(*house).cells),
            CaseEnd::TrueAndFalse(node) => self.contradictions.extend(&node.cells),
        }
    }

    /// Adds the value of a rule's name on a grid that refutes the rule.
    fn add_named(&mut self, value: &NamedValue) {
        match value {
            NamedValue::Digits(_) => {}
            NamedValue::Cells(cells) => self.add_cells(cells, DigitSet::EMPTY),
            NamedValue::Houses(houses) => self.add_houses(houses),
            NamedValue::Candidate(candidate) => self.mark_in_pattern(*candidate, Mark::Support),
            NamedValue::Candidates(candidates) => {
                candidates.iter().for_each(|&candidate| self.mark_in_pattern(candidate, Mark::Support));
            }
            // A family has a cell for each digit, or for each cell.
            NamedValue::Family(members) => {
                members.iter().for_each(|(_, cell)| self.add_cells(&[*cell], DigitSet::EMPTY));
            }
            NamedValue::FamilyOfCells(members) => {
                members.iter().for_each(|(_, cell)| self.add_cells(&[*cell], DigitSet::EMPTY));
            }
        }
    }
}

/// The element of a scene that an entry of the legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendKey {
    Cells,
    Mark(Mark),
    /// An outline, by its index in [`Scene::sets`].
    Set(usize),
    /// Houses of a name, by their number in [`Scene::houses`].
    House(usize),
    Strong,
    Weak,
    Contradictions,
}

const LISTED_SETS: usize = 6;

/// Returns the legend of a scene: marks, contradictions, links, sets and houses, as far as the scene contains them.
pub fn legend(geometry: &Geometry, scene: &Scene) -> Vec<(LegendKey, String)> {
    let names = BoardNames::new(geometry);
    let order = [
        Mark::Placed,
        Mark::Eliminated,
        Mark::OneOf,
        Mark::Guardian,
        Mark::Supposed,
        Mark::On,
        Mark::Off,
        Mark::Support,
    ];
    let marks = order.into_iter().filter(|mark| scene.marks.values().any(|used| used == mark));
    let mut entries: Vec<(LegendKey, String)> =
        marks.map(|mark| (LegendKey::Mark(mark), mark_words(mark, scene.reading).to_string())).collect();
    if !scene.contradictions.is_empty() {
        entries.push((LegendKey::Contradictions, "nothing is left".into()));
    }
    if scene.links.iter().any(|link| link.strong) {
        entries.push((LegendKey::Strong, "strong link: not both false".into()));
    }
    if scene.links.iter().any(|link| !link.strong) {
        entries.push((LegendKey::Weak, "weak link: not both true".into()));
    }
    let sets = scene.sets.iter().take(LISTED_SETS).enumerate();
    entries.extend(sets.map(|(number, cells)| (LegendKey::Set(number), names.cells(cells))));
    for group in scene.houses.chunk_by(|a, b| a.1 == b.1) {
        let houses: Vec<HouseId> = group.iter().map(|(house, _)| *house).collect();
        entries.push((LegendKey::House(group[0].1), names.houses(&houses)));
    }
    entries
}

fn mark_words(mark: Mark, reading: MarkReading) -> &'static str {
    match (mark, reading) {
        (Mark::Placed, _) => "placed",
        (Mark::Eliminated, _) => "eliminated",
        (Mark::OneOf, _) => "one of these is true",
        (Mark::Guardian, _) => "guardian",
        (Mark::Supposed, _) => "supposed",
        (Mark::On, MarkReading::Chain) => "true if the start is false",
        (Mark::Off, MarkReading::Chain) => "false if the start is false",
        (Mark::On, MarkReading::Loop) => "either all of these are true",
        (Mark::Off, MarkReading::Loop) => "or all of these are true",
        (Mark::On, MarkReading::Cases) => "follows: true",
        (Mark::Off, MarkReading::Cases) => "follows: false",
        (Mark::Support, _) => "pattern",
    }
}
