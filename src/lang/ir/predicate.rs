//! Named predicates: conditions that have a word in the language and are defined by other conditions.
//!
//! The evaluator evaluates the definition, and the prover encodes the definition if the board is known. The engine has
//! a specialized test for each predicate. Walks over a rule visit the arguments of a predicate, not its definition.

use super::{
    Comparison, Condition, Expr, HouseClass, Incidence, Kind, MAX_NAMES, Operand, Origin, Var, VarId, VarShape, Variant,
};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A predicate, by its word in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PredicateId {
    /// `C in one house`: a house of the class contains all cells of C.
    InOneHouse(HouseClass),
    /// `P: group`: one unsolved cell, or the unsolved cells (two or more) that a box and a line share.
    Group,
    /// `C closed`: no house contains exactly one cell of C, solved or unsolved. If a cell of C sees a cell outside C,
    /// the two cells share a house.
    Closed,
    /// `C closed between k, l`: all cells of C lie in the parallel lines k and l. Each cell has a partner in C at the
    /// same position of the other line. A house other than k and l contains both partners or neither. Every peer of a
    /// cell of C shares a house with the cell.
    ClosedBetween,
    /// A strong link in a house. The arguments are a digit and two cells (or sets of cells). In some house that must
    /// contain every digit, only these cells have the digit as a candidate.
    Conjugate,
}

/// Loop variables of definitions. Their ids follow the possible ids of a rule's names.
const HOUSE: VarId = VarId(MAX_NAMES);
const LINE: VarId = VarId(MAX_NAMES + 1);
const CELL: VarId = VarId(MAX_NAMES + 2);
const OTHER_CELL: VarId = VarId(MAX_NAMES + 3);

/// Exclusive upper bound on the ids of a rule's names and of the loop variables of definitions.
pub const VAR_ID_END: usize = MAX_NAMES + 4;

/// Declarations of the loop variables, in the order of their ids.
static LOOP_VARS: LazyLock<[Var; 4]> = LazyLock::new(|| {
    let house = Kind::House(HouseClass::Any);
    let kinds = [("house", house), ("line", house), ("cell", Kind::Cell), ("other", Kind::Cell)];
    kinds.map(|(name, kind)| Var { name: name.into(), kind, shape: VarShape::Single, origin: Origin::Index })
});

impl Variant {
    /// Returns the declaration of a name of the rule, or of a loop variable of a definition.
    pub fn var(&self, id: VarId) -> &Var {
        self.vars.get(id.0).unwrap_or_else(|| &LOOP_VARS[id.0 - MAX_NAMES])
    }
}

impl PredicateId {
    /// Returns the condition that the predicate holds for the arguments.
    pub fn applied_to(self, args: Vec<Expr>) -> Condition {
        let definition = Box::new(self.definition(&args));
        Condition::Predicate(self, args, definition)
    }

    /// Returns the definition of the predicate for these arguments.
    pub(super) fn definition(self, args: &[Expr]) -> Condition {
        match self {
            PredicateId::InOneHouse(class) => in_one_house(&args[0], class),
            PredicateId::Group => group(&args[0]),
            PredicateId::Closed => closed(&args[0]),
            PredicateId::ClosedBetween => closed_between(&args[0], [&args[1], &args[2]]),
            PredicateId::Conjugate => conjugate(&args[0], &args[1], &args[2]),
        }
    }
}

fn in_one_house(cells: &Expr, class: HouseClass) -> Condition {
    some_house(HOUSE, class, Condition::No(minus(cells.clone(), house_cells(Expr::Var(HOUSE)))))
}

fn group(cells: &Expr) -> Condition {
    let is_single = Condition::And(vec![has_one_element(cells), Condition::Within(cells.clone(), Expr::AllCells)]);
    let has_several = Condition::Compare(count(cells.clone()), Comparison::Greater, Expr::Number(1));
    let shared = Expr::CellsOf(Box::new(both(house_cells(Expr::Var(HOUSE)), house_cells(Expr::Var(LINE)))));
    let are_shared = Condition::Equal(cells.clone(), shared);
    let is_intersection = some_house(HOUSE, HouseClass::Box, some_house(LINE, HouseClass::Line, are_shared));
    Condition::Or(vec![is_single, Condition::And(vec![has_several, is_intersection])])
}

fn closed(cells: &Expr) -> Condition {
    let cells_in_house = both(cells.clone(), house_cells(Expr::Var(HOUSE)));
    let not_one = Condition::Compare(count(cells_in_house), Comparison::NotEqual, Expr::Number(1));
    let sees_none_outside = Condition::No(minus(peers_without_house(), cells.clone()));
    Condition::And(vec![
        Condition::ForAll(HOUSE, Expr::AllHouses(HouseClass::Any), Box::new(not_one)),
        Condition::ForAll(CELL, cells.clone(), Box::new(sees_none_outside)),
    ])
}

fn closed_between(cells: &Expr, [k, l]: [&Expr; 2]) -> Condition {
    let lines = Expr::Union(vec![k.clone(), l.clone()]);
    let other_houses = |class, cell: VarId| minus(Expr::HousesOf(class, Box::new(Expr::Var(cell))), lines.clone());
    let cells_on_lines = both(cells.clone(), house_cells(lines.clone()));
    // The partner shares the line that crosses k and l.
    let partners = minus(both(cells_on_lines, house_cells(other_houses(HouseClass::Line, CELL))), Expr::Var(CELL));
    let same_houses = Condition::Equal(other_houses(HouseClass::Any, CELL), other_houses(HouseClass::Any, OTHER_CELL));
    let each_cell = Condition::And(vec![
        Condition::Within(Expr::Var(CELL), house_cells(lines.clone())),
        Condition::No(peers_without_house()),
        Condition::Exists(OTHER_CELL, partners, Box::new(same_houses)),
    ]);
    Condition::And(vec![
        Condition::Incident(k.clone(), Incidence::Parallel, l.clone()),
        Condition::Not(Box::new(Condition::Equal(k.clone(), l.clone()))),
        Condition::ForAll(CELL, cells.clone(), Box::new(each_cell)),
    ])
}

fn conjugate(digit: &Expr, a: &Expr, b: &Expr) -> Condition {
    let candidates_in = |cells: Expr| Expr::CandidatesIn(Box::new(digit.clone()), Box::new(cells));
    let house = || house_cells(Expr::Var(HOUSE));
    let has_every_digit = Condition::Compare(count(house()), Comparison::Equal, count(Expr::AllDigits));
    let only_a_and_b = Condition::Equal(candidates_in(house()), candidates_in(Expr::Union(vec![a.clone(), b.clone()])));
    Condition::And(vec![
        has_one_element(digit),
        Condition::NotEmpty(candidates_in(a.clone())),
        Condition::NotEmpty(candidates_in(b.clone())),
        Condition::Not(Box::new(Condition::Equal(candidates_in(a.clone()), candidates_in(b.clone())))),
        some_house(HOUSE, HouseClass::Any, Condition::And(vec![has_every_digit, only_a_and_b])),
    ])
}

/// Returns the cells that [`CELL`] sees although they share no house with [`CELL`].
fn peers_without_house() -> Expr {
    let sees = Condition::Sees(Operand::every(Expr::Var(CELL)), Operand::every(Expr::Var(OTHER_CELL)));
    let all_cells = Box::new(house_cells(Expr::AllHouses(HouseClass::Any)));
    let peers = Expr::Filter { var: OTHER_CELL, set: all_cells, condition: Box::new(sees) };
    minus(peers, house_cells(Expr::HousesOf(HouseClass::Any, Box::new(Expr::Var(CELL)))))
}

fn some_house(name: VarId, class: HouseClass, condition: Condition) -> Condition {
    Condition::Exists(name, Expr::AllHouses(class), Box::new(condition))
}

fn has_one_element(set: &Expr) -> Condition {
    Condition::Compare(count(set.clone()), Comparison::Equal, Expr::Number(1))
}

fn count(set: Expr) -> Expr {
    Expr::Count(Box::new(set))
}

fn house_cells(houses: Expr) -> Expr {
    Expr::HouseCells(Box::new(houses))
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Intersection(Box::new(a), Box::new(b))
}

fn minus(a: Expr, b: Expr) -> Expr {
    Expr::Difference(Box::new(a), Box::new(b))
}
