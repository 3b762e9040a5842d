//! A step as a picture that is not drawn yet. In: a position with a step or another finding. Out: [`Scene`]: marks of candidates, cells of
//! the pattern, houses, links and outlines, and its legend.
//!
//! A scene is made from the match alone and knows no technique. The terminal, SVG and the report draw the same scene. Names that a rule
//! chooses are its pattern; helping names (`let`) are left out, unless there is nothing else.

use super::names::BoardNames;
use crate::engine::{CaseEnd, ChainNode, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseId, State};
use crate::proof::{Counterexample, NamedValue};
use crate::solve::{BoundName, CaseStep, CitedLink, Cites, Deduction, InnerStep, Step, chain_links};
use std::collections::{BTreeMap, BTreeSet};

/// The role of a candidate in a scene. Of several, the last in this order counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// Part of the pattern.
    Support,
    /// False along the links, as the scene's [`MarkReading`] says.
    Off,
    /// True along the links, as the scene's [`MarkReading`] says.
    On,
    /// One of several candidates of which one is true.
    OneOf,
    /// Supposed true or false.
    Supposed,
    /// A guardian: one of these is true, or the pattern holds without them.
    Guardian,
    /// Eliminated.
    Eliminated,
    /// Placed.
    Placed,
}

/// The meaning of the marks `On` and `Off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkReading {
    /// A chain: they follow if its first node is false.
    Chain,
    /// A loop: either all `On` are true, or all `Off`.
    Loop,
    /// Cases: they follow from a supposition.
    Cases,
}

/// A link to draw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// The first node.
    pub from: ChainNode,
    /// The second node.
    pub to: ChainNode,
    /// True for a strong link.
    pub strong: bool,
    /// The case that the link belongs to, from zero; such a link has a direction.
    pub case: Option<usize>,
}

/// A position with everything to draw on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The position before the step.
    pub state: State,
    /// Roles of candidates; others have none.
    pub marks: BTreeMap<Candidate, Mark>,
    /// The cells of the pattern.
    pub cells: BTreeSet<Cell>,
    /// Sets of cells with an outline.
    pub sets: Vec<Vec<Cell>>,
    /// Houses of the pattern, each with the number of its name in the rule.
    pub houses: Vec<(HouseId, usize)>,
    /// Links in the order of their chain.
    pub links: Vec<Arc>,
    /// Cells of contradictions: without a candidate, or of a house without a place for a digit.
    pub fails: Vec<Cell>,
    /// The meaning of `On` and `Off`.
    pub reading: MarkReading,
}

impl Scene {
    /// Makes the scene of a position with nothing marked.
    pub fn of_state(state: State) -> Scene {
        Scene {
            state,
            marks: BTreeMap::new(),
            cells: BTreeSet::new(),
            sets: Vec::new(),
            houses: Vec::new(),
            links: Vec::new(),
            fails: Vec::new(),
            reading: MarkReading::Chain,
        }
    }

    /// Makes the scene of a step on the position before it.
    pub fn of_step(geometry: &Geometry, state: &State, step: &Step) -> Scene {
        let mut scene = Scene::of_state(state.clone());
        scene.add_step(geometry, step);
        scene
    }

    /// Makes the scene of a grid that refutes a rule: values of its names, and the wrong conclusion.
    pub fn of_counterexample(found: &Counterexample) -> Scene {
        let mut scene = Scene::of_state(found.state.clone());
        found.names.iter().for_each(|(_, value)| scene.add_named(value));
        scene.mark(found.wrong, if found.placed { Mark::Placed } else { Mark::Eliminated });
        scene
    }

    /// Returns the role of a candidate.
    pub fn mark_of(&self, candidate: Candidate) -> Option<Mark> {
        self.marks.get(&candidate).copied()
    }

    /// Marks a candidate, unless its mark outweighs this one. Absent candidates have no mark.
    fn mark(&mut self, candidate: Candidate, mark: Mark) {
        if self.state.has(candidate) {
            let known = self.marks.entry(candidate).or_insert(mark);
            *known = mark.max(*known);
        }
    }

    /// Marks a candidate and adds its cell to the pattern.
    fn mark_in_pattern(&mut self, candidate: Candidate, mark: Mark) {
        self.mark(candidate, mark);
        self.cells.insert(candidate.cell);
    }

    /// Adds the outline of a set of two or more cells, each set once.
    fn outline(&mut self, cells: &[Cell]) {
        if cells.len() > 1 && !self.sets.iter().any(|known| known == cells) {
            self.sets.push(cells.to_vec());
        }
    }

    fn add_step(&mut self, geometry: &Geometry, step: &Step) {
        step.joined.iter().for_each(|part| self.add_step(geometry, part));
        if step.joined.is_empty() {
            self.add_pattern(geometry, step);
            self.add_chain(&step.chain, None);
            self.add_chain_links(&step.chain, &step.cites);
        }
        for (number, case) in step.cases.iter().enumerate() {
            self.add_case(geometry, case, number);
        }
        let mut disjunctions = step.claims.iter().filter(|one| matches!(one, Deduction::Some(list) if list.len() > 1));
        // With several, such as those of a loop, nobody could see which candidates belong together.
        if let (Some(Deduction::Some(list)), None) = (disjunctions.next(), disjunctions.next()) {
            list.iter().for_each(|&one| self.mark(one, Mark::OneOf));
        }
        step.eliminations.iter().for_each(|&one| self.mark(one, Mark::Eliminated));
        step.placements.iter().for_each(|&one| self.mark(one, Mark::Placed));
    }

    /// Adds the values of the names that the rule chose.
    fn add_pattern(&mut self, geometry: &Geometry, step: &Step) {
        let chosen = step.bindings.iter().filter(|one| one.free && (!one.in_chain || step.chain.is_empty()));
        let digits = chosen.clone().fold(DigitSet::EMPTY, |digits, binding| match &binding.value {
            Value::Digits(more) => digits | *more,
            _ => digits,
        });
        chosen.for_each(|binding| self.add_binding(geometry, binding, digits));
        if step.chain.is_empty() && (self.cells.is_empty() || digits.len() == 1) {
            self.add_digits_in_houses(geometry, step, digits);
        }
        let guards = step.bindings.iter().filter(|binding| binding.guards);
        guards.for_each(|binding| self.add_binding(geometry, binding, digits));
    }

    /// Adds the value of a name; `digits` are all digits that the rule chose.
    fn add_binding(&mut self, geometry: &Geometry, binding: &BoundName, digits: DigitSet) {
        match &binding.value {
            Value::Cells(cells) => self.add_cells(cells, digits),
            Value::Family(members) => members.iter().for_each(|(_, cells)| self.add_cells(cells, digits)),
            Value::Candidates(list) => {
                let mark = if binding.guards { Mark::Guardian } else { Mark::Support };
                list.iter().for_each(|&one| self.mark_in_pattern(one, mark));
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

    /// Adds cells of the pattern. A set of cells shows all candidates, a single cell those among `digits`, if it has any of them.
    fn add_cells(&mut self, cells: &[Cell], digits: DigitSet) {
        self.outline(cells);
        for &cell in cells {
            self.cells.insert(cell);
            let all = self.state.candidates(cell);
            let chosen = all & digits;
            let shown = if cells.len() > 1 || chosen.is_empty() { all } else { chosen };
            shown.iter().for_each(|digit| self.mark(Candidate::new(digit, cell), Mark::Support));
        }
    }

    /// Adds the houses of one name.
    fn add_houses(&mut self, houses: &[HouseId]) {
        let number = self.houses.last().map_or(0, |(_, number)| number + 1);
        self.houses.extend(houses.iter().map(|&house| (house, number)));
    }

    /// Adds the places of the rule's digits in the houses of its first name: the pattern of a rule about one digit, or without cells. If
    /// there are no such places, adds the cells that the step cites.
    fn add_digits_in_houses(&mut self, geometry: &Geometry, step: &Step, digits: DigitSet) {
        let first = self.houses.iter().filter(|(_, number)| *number == 0);
        let houses: Vec<HouseId> = first.map(|(house, _)| *house).collect();
        if self.cells.is_empty() && (houses.is_empty() || digits.is_empty()) {
            self.cells.extend(step.cites.cells.iter().map(|(cell, _)| *cell));
        }
        let known = self.cells.clone();
        houses.into_iter().for_each(|house| self.add_digits(geometry, house, digits));
        // A cell that only loses the digit is not part of the pattern.
        self.cells.retain(|cell| {
            known.contains(cell) || digits.len() > 1 || !step.eliminations.iter().any(|one| one.cell == *cell)
        });
    }

    /// Adds the places of some digits in a house.
    fn add_digits(&mut self, geometry: &Geometry, house: HouseId, digits: DigitSet) {
        for &cell in &geometry.house(house).cells {
            for digit in (self.state.candidates(cell) & digits).iter() {
                self.mark_in_pattern(Candidate::new(digit, cell), Mark::Support);
            }
        }
    }

    /// Adds the nodes of a chain: those behind strong links are on, the others off. In a case, the first node is the supposition, which has
    /// its own mark.
    fn add_chain(&mut self, chain: &[ChainStep], case: Option<usize>) {
        for (at, step) in chain.iter().enumerate() {
            if at > 0 || case.is_none() {
                let mark = if step.strong { Mark::On } else { Mark::Off };
                step.node.candidates().for_each(|one| self.mark(one, mark));
            }
            self.cells.extend(step.node.cells.iter());
            self.outline(&step.node.cells);
            if let Some(via) = step.via.as_ref().filter(|via| via.houses.is_empty()) {
                self.outline(&via.cells);
                self.cells.extend(via.cells.iter());
            }
        }
        if case.is_none() && chain.first().is_some_and(|first| first.strong) {
            self.reading = MarkReading::Loop;
        }
    }

    /// Adds the links of a step's chain, then its other cited links.
    fn add_chain_links(&mut self, chain: &[ChainStep], cites: &Cites) {
        let others = cites.links.iter().filter(|_| !chain.is_empty()).cloned();
        for CitedLink { from, to, strong, .. } in
            chain_links(chain, cites).into_iter().map(|one| one.link).chain(others)
        {
            self.add_link(Arc { from, to, strong, case: None });
        }
    }

    /// Adds a link, unless a link of the same kind joins these nodes.
    fn add_link(&mut self, arc: Arc) {
        let mut known = self.links.iter().map(|known| (&known.from, &known.to, known.strong));
        if !known.any(|known| known == (&arc.from, &arc.to, arc.strong)) {
            self.links.push(arc);
        }
    }

    /// Adds a supposition and its consequences.
    fn add_case(&mut self, geometry: &Geometry, case: &CaseStep, number: usize) {
        self.reading = MarkReading::Cases;
        self.mark_in_pattern(case.supposed.0, Mark::Supposed);
        for inner in &case.inferences {
            match inner {
                InnerStep::Links { chain, .. } => {
                    self.add_chain(chain, Some(number));
                    for pair in chain.windows(2) {
                        let (from, to) = (pair[0].node.clone(), pair[1].node.clone());
                        self.add_link(Arc { from, to, strong: pair[1].strong, case: Some(number) });
                    }
                }
                InnerStep::Naked(one, _) | InnerStep::Hidden(one, ..) => self.mark_in_pattern(*one, Mark::On),
                InnerStep::Step(step) => {
                    self.cells.extend(step.cites.cells.iter().map(|(cell, _)| *cell));
                    step.eliminations.iter().for_each(|&one| self.mark_in_pattern(one, Mark::Off));
                    step.placements.iter().for_each(|&one| self.mark_in_pattern(one, Mark::On));
                }
            }
        }
        match &case.end {
            CaseEnd::Shows(one, holds) => self.mark_in_pattern(*one, if *holds { Mark::On } else { Mark::Off }),
            CaseEnd::EmptyCell(cell) => self.fails.push(*cell),
            CaseEnd::EmptyHouse(house, _) => self.fails.extend(&geometry.house(*house).cells),
            CaseEnd::Both(node) => self.fails.extend(&node.cells),
        }
    }

    /// Adds the value of a rule's name on a grid that refutes the rule.
    fn add_named(&mut self, value: &NamedValue) {
        match value {
            NamedValue::Digits(_) => {}
            NamedValue::Cells(cells) => self.add_cells(cells, DigitSet::EMPTY),
            NamedValue::Houses(houses) => self.add_houses(houses),
            NamedValue::Candidate(one) => self.mark_in_pattern(*one, Mark::Support),
            NamedValue::Candidates(list) => list.iter().for_each(|&one| self.mark_in_pattern(one, Mark::Support)),
            NamedValue::Family(members) => {
                members.iter().for_each(|(_, cell)| self.add_cells(&[*cell], DigitSet::EMPTY));
            }
            NamedValue::FamilyOfCells(members) => {
                members.iter().for_each(|(_, cell)| self.add_cells(&[*cell], DigitSet::EMPTY));
            }
        }
    }
}

/// The sign that an entry of the legend explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegendKey {
    /// Cells of the pattern.
    Cells,
    /// A mark of candidates.
    Mark(Mark),
    /// An outline, by the index of its set.
    Set(usize),
    /// Houses of a name, by its number.
    House(usize),
    /// Strong links.
    Strong,
    /// Weak links.
    Weak,
    /// Cells of a contradiction.
    Fails,
}

/// The most outlines that the legend lists.
const LISTED_SETS: usize = 6;

/// Returns the legend of a scene: marks in the order of a reader (conclusions first), then links, sets and houses. Only what the scene
/// contains has an entry.
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
    let marks = order.into_iter().filter(|mark| scene.marks.values().any(|known| known == mark));
    let mut out: Vec<(LegendKey, String)> =
        marks.map(|mark| (LegendKey::Mark(mark), mark_words(mark, scene.reading).to_string())).collect();
    if !scene.fails.is_empty() {
        out.push((LegendKey::Fails, "nothing is left".into()));
    }
    if scene.links.iter().any(|link| link.strong) {
        out.push((LegendKey::Strong, "strong link: not both false".into()));
    }
    if scene.links.iter().any(|link| !link.strong) {
        out.push((LegendKey::Weak, "weak link: not both true".into()));
    }
    let sets = scene.sets.iter().take(LISTED_SETS).enumerate();
    out.extend(sets.map(|(number, cells)| (LegendKey::Set(number), names.cells(cells))));
    for group in scene.houses.chunk_by(|a, b| a.1 == b.1) {
        let houses: Vec<HouseId> = group.iter().map(|(house, _)| *house).collect();
        out.push((LegendKey::House(group[0].1), names.houses(&houses)));
    }
    out
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
