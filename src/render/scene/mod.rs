//! A step as a picture that nobody has drawn yet. In: a position and a step, or any other finding on it. Out: [`Scene`]: what every
//! candidate, cell and house is there for, the links and the outlines. It is made of the match alone and knows no technique;
//! the terminal, SVG and the report draw the same scene.

mod gather;
mod legend;

pub use legend::{Key, legend};

use crate::engine::ChainNode;
use crate::grid::{Candidate, Cell, Geometry, HouseId, State};
use crate::proof::{Counterexample, Named};
use crate::solve::Step;
use gather::{gather, named};
use std::collections::{BTreeMap, BTreeSet};

/// What a candidate is there for. Where several hold, the last counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Mark {
    /// It belongs to the pattern.
    Support,
    /// False if the chain's start, or what a case supposes, is as the links take it.
    Off,
    /// True if it is.
    On,
    /// One of these is true.
    OneOf,
    /// It is supposed, true or false.
    Supposed,
    /// A guardian: either one of these is true, or the pattern holds without them.
    Guardian,
    /// It is shown false.
    Goes,
    /// It is shown true.
    Placed,
}

/// What makes candidates true and false along links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// A chain: they follow if its start is false.
    Chain,
    /// A loop: either the ones are true, or the others.
    Loop,
    /// Suppositions: they follow from what is supposed.
    Cases,
}

/// A link as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arc {
    /// Where it begins.
    pub from: ChainNode,
    /// Where it ends.
    pub to: ChainNode,
    /// Whether it is strong.
    pub strong: bool,
    /// Of a supposition its number, from zero; such a link has a direction.
    pub case: Option<usize>,
}

/// A scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// The position before the step.
    pub state: State,
    /// What candidates are there for; the others are only there.
    pub marks: BTreeMap<Candidate, Mark>,
    /// The cells of the pattern.
    pub cells: BTreeSet<Cell>,
    /// Sets of cells that the pattern has as one: each has an outline.
    pub sets: Vec<Vec<Cell>>,
    /// The houses of the pattern, each with the number of the name that stands for it.
    pub houses: Vec<(HouseId, usize)>,
    /// Links, in the order of their chain.
    pub links: Vec<Arc>,
    /// Where suppositions come to nothing: cells without a candidate, or without a place for a digit.
    pub fails: Vec<Cell>,
    /// What the marks `On` and `Off` are of.
    pub reading: Reading,
}

impl Scene {
    /// A position with nothing in it.
    pub fn of_state(state: State) -> Scene {
        Scene {
            state,
            marks: BTreeMap::new(),
            cells: BTreeSet::new(),
            sets: Vec::new(),
            houses: Vec::new(),
            links: Vec::new(),
            fails: Vec::new(),
            reading: Reading::Chain,
        }
    }

    /// A step on the position that it was found on.
    pub fn of_step(geometry: &Geometry, state: &State, step: &Step) -> Scene {
        let mut scene = Scene::of_state(state.clone());
        gather(geometry, &mut scene, step);
        scene
    }

    /// A grid that refutes a rule: what it names, and the conclusion that is wrong.
    pub fn of_counterexample(found: &Counterexample) -> Scene {
        let mut scene = Scene::of_state(found.state.clone());
        found.names.iter().for_each(|(_, value): &(String, Named)| named(&mut scene, value));
        scene.mark(found.wrong, if found.placed { Mark::Placed } else { Mark::Goes });
        scene
    }

    /// Says what a candidate is there for, if nothing weightier is known of it. What is not there has no mark.
    fn mark(&mut self, candidate: Candidate, mark: Mark) {
        if self.state.has(candidate) {
            let known = self.marks.entry(candidate).or_insert(mark);
            *known = mark.max(*known);
        }
    }

    /// What a candidate is there for.
    pub fn mark_of(&self, candidate: Candidate) -> Option<Mark> {
        self.marks.get(&candidate).copied()
    }

    /// Adds the outline of a set of two cells or more, each set once.
    fn outline(&mut self, cells: &[Cell]) {
        if cells.len() > 1 && !self.sets.iter().any(|known| known == cells) {
            self.sets.push(cells.to_vec());
        }
    }
}
