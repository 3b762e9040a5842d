//! What a match rests on, as far as the engine knows. In: a match and how its rule speaks. Out: candidates: where none
//! of them changed, the match is there all the same.
//!
//! Too much does no harm but for a longer explanation. Too little would make an explanation that does not hold; so a rule
//! that speaks of things it has no name for is taken to read the whole grid.

use crate::engine::matches::{Case, CaseEnd, ChainStep, FamilyIndex, Inference, Match, Value};
use crate::engine::tables::Boards;
use crate::engine::tables::index::CandidateSet;
use crate::engine::views::Lens;
use crate::grid::{Bits, Cell, HouseId, HouseSet, State};
use crate::lang::ir::{Condition, Expr, Node, PredicateId, Space, Statement, Variant};

/// What of the grid a rule can read besides the cells and houses that its names stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::engine) enum Reading {
    /// Nothing.
    Names,
    /// Houses that hold two of its cells: strong links.
    Links,
    /// The houses of its cells.
    Houses,
    /// Anything.
    Grid,
}

impl Reading {
    /// How a rule speaks.
    pub fn of(variant: &Variant, assumes_one_solution: bool) -> Reading {
        if assumes_one_solution || variant.join.is_some() {
            return Reading::Grid;
        }
        // Places that nothing else names.
        let filled = |node: Node<'_>| matches!(node, Node::Expr(Expr::InNoTemplate(_) | Expr::InEveryTemplate(_)));
        if variant.conclusions.iter().any(|conclusion| Node::Conclusion(conclusion).has(&filled)) {
            return Reading::Grid;
        }
        variant.body.iter().map(of_statement).max().unwrap_or(Reading::Names)
    }
}

/// The most that a statement reads.
fn of_statement(said: &Statement) -> Reading {
    let mut most = Reading::Names;
    Node::Statement(said).walk(&mut |node| {
        most = most.max(of_node(node));
        // What a supposition reads is in its cases.
        !matches!(node, Node::Statement(Statement::Suppose(_)))
    });
    most
}

/// Returns the facts that a node itself reads, without its children.
fn of_node(node: Node<'_>) -> Reading {
    match node {
        Node::Statement(Statement::FixedChain(_) | Statement::Graph(_)) => Reading::Links,
        Node::Condition(Condition::Predicate(PredicateId::Conjugate, ..)) => Reading::Links,
        Node::Condition(
            Condition::Predicate(PredicateId::Closed | PredicateId::ClosedBetween, ..) | Condition::GivensAllow(..),
        ) => Reading::Grid,
        Node::Expr(Expr::AllCells | Expr::AllHouses(_) | Expr::Seeing { .. } | Expr::Excluded { .. }) => Reading::Grid,
        Node::Expr(Expr::InNoTemplate(_) | Expr::InEveryTemplate(_)) => Reading::Grid,
        Node::Expr(Expr::HousesOf(..)) => Reading::Houses,
        _ => Reading::Names,
    }
}

/// Gathers what matches read on one state.
pub(super) struct Reader<'a, const W: usize> {
    pub boards: &'a Boards<W>,
    pub state: &'a State,
    /// How each member speaks.
    pub reading: &'a dyn Fn(usize) -> Reading,
    /// The index of a match's member.
    pub member: &'a dyn Fn(&Match) -> usize,
    /// Everything that is read.
    cells: Bits<W>,
    marks: CandidateSet<W>,
    grid: bool,
}

impl<'a, const W: usize> Reader<'a, W> {
    pub fn new(
        boards: &'a Boards<W>,
        state: &'a State,
        reading: &'a dyn Fn(usize) -> Reading,
        member: &'a dyn Fn(&Match) -> usize,
    ) -> Self {
        Reader { boards, state, reading, member, cells: Bits::EMPTY, marks: CandidateSet::EMPTY, grid: false }
    }

    /// What a match reads; `None` is the whole grid.
    pub fn of(mut self, found: &Match) -> Option<CandidateSet<W>> {
        self.found(found);
        if self.grid {
            return None;
        }
        let mut marks = self.marks;
        marks.0.iter_mut().for_each(|cells| *cells |= self.cells);
        Some(marks)
    }

    fn found(&mut self, found: &Match) {
        let reading = (self.reading)((self.member)(found));
        let turned = found.member.space != Space::Rc && reading != Reading::Names;
        if reading == Reading::Grid || turned || !found.parts.is_empty() {
            self.grid = true;
            return;
        }
        let before = std::mem::replace(&mut self.cells, Bits::EMPTY);
        let mut houses = HouseSet::EMPTY;
        for value in found.bindings.iter().flatten() {
            houses |= self.value(found.member.space, value);
        }
        found.chain.iter().for_each(|step| self.node(step));
        match reading {
            Reading::Links => houses |= self.shared(),
            Reading::Houses => houses |= self.boards.grid.houses_meeting(&self.cells),
            Reading::Names | Reading::Grid => {}
        }
        self.cells |= self.boards.grid.cells_of(&houses) | before;
        found.cases.iter().for_each(|case| self.case(case));
    }

    /// Adds the cells of a value; its houses are returned.
    fn value(&mut self, space: Space, value: &Value) -> HouseSet {
        let tables = &self.boards.grid;
        let lens = Lens::new(tables.size, space);
        let mut all = HouseSet::EMPTY;
        if !lens.is_grid() {
            let (houses, cells) = lens.citations(value, &self.boards.geometry, self.state);
            cells.iter().for_each(|cell| self.cells.insert(cell.index()));
            houses.iter().for_each(|house| all.insert(house.index()));
            return all;
        }
        match value {
            Value::Cells(cells) => cells.iter().for_each(|cell| self.cells.insert(cell.index())),
            Value::Candidates(list) => list.iter().for_each(|one| self.cells.insert(one.cell.index())),
            Value::Houses(houses) => houses.iter().for_each(|house| all.insert(house.index())),
            Value::Family(members) => {
                for (index, cells) in members {
                    cells.iter().for_each(|cell| self.cells.insert(cell.index()));
                    if let FamilyIndex::Cell(cell) = index {
                        self.cells.insert(cell.index());
                    }
                }
            }
            Value::Digits(_) | Value::Number(_) | Value::Places(_) => {}
        }
        all
    }

    fn node(&mut self, step: &ChainStep) {
        let via = step.source_match.as_ref();
        let cells = step.node.cells.iter().chain(via.iter().flat_map(|via| &via.cells));
        cells.for_each(|cell: &Cell| self.cells.insert(cell.index()));
        for house in via.iter().flat_map(|via| &via.houses) {
            self.cells |= self.boards.grid.cells_of_house[house.index()];
        }
    }

    /// The houses that hold two of the cells read so far.
    fn shared(&self) -> HouseSet {
        let tables = &self.boards.grid;
        (0..tables.cells_of_house.len())
            .filter(|&house| (tables.cells_of_house[house] & self.cells).len() > 1)
            .collect()
    }

    fn case(&mut self, case: &Case) {
        self.cells.insert(case.supposed.0.cell.index());
        for inference in &case.inferences {
            match inference {
                Inference::Naked(candidate) => self.cells.insert(candidate.cell.index()),
                Inference::Hidden(candidate, house) => self.places(candidate.digit.index(), *house),
                Inference::Rule(found) => self.found(found),
                Inference::Links(chain) => {
                    let before = std::mem::replace(&mut self.cells, Bits::EMPTY);
                    chain.iter().for_each(|step| self.node(step));
                    self.cells |= self.boards.grid.cells_of(&self.shared()) | before;
                }
            }
        }
        match &case.end {
            CaseEnd::EmptyCell(cell) | CaseEnd::Shows(crate::grid::Candidate { cell, .. }, _) => {
                self.cells.insert(cell.index());
            }
            CaseEnd::EmptyHouse(house, digit) => self.places(digit.index(), *house),
            CaseEnd::TrueAndFalse(node) => node.cells.iter().for_each(|cell| self.cells.insert(cell.index())),
        }
    }

    fn places(&mut self, digit: usize, house: HouseId) {
        self.marks.0[digit] |= self.boards.grid.cells_of_house[house.index()];
    }
}
