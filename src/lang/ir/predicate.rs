//! Named predicates: conditions that the language has a word for and that others define. In: a predicate and its arguments. Out: the
//! condition, with its definition inside.
//!
//! The definition is the meaning: the evaluator evaluates it, and on a board the prover encodes it. A search has a test of its own for
//! each predicate, sentences have words of their own, and without a board the prover knows facts that do not need all houses. Walks
//! over a rule visit the arguments only.

use super::{Comparison, Condition, Expr, HouseClass, Incidence, Kind, Operand, Origin, Var, VarId, VarShape, Variant};
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// A predicate, by its word in the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PredicateId {
    /// `S in one house`: a house of the class holds all these cells.
    InOneHouse(HouseClass),
    /// `P: group`: the cells are one unsolved cell, or two or more unsolved cells that a box and a line share: all of them.
    Group,
    /// `S closed`: no house, and no pair of cells that see each other otherwise, meets these cells (solved ones too)
    /// in just one cell.
    Closed,
    /// `S closed between k, l`: the cells lie in the two parallel lines, each with a partner at its place in the other
    /// line; every other house holds both partners or neither, and the cells see no cell outside of their houses.
    ClosedBetween,
    /// A digit and two cells, or sets of cells: in some house with every digit, the digit has exactly these two places (strong link in a
    /// house).
    Conjugate,
}

/// First id of the names that run over sets in definitions; a rule has fewer names.
const FIRST: usize = super::MAX_NAMES;
/// A house.
const HOUSE: VarId = VarId(FIRST);
/// A line.
const LINE: VarId = VarId(FIRST + 1);
/// A cell.
const CELL: VarId = VarId(FIRST + 2);
/// Another cell.
const OTHER: VarId = VarId(FIRST + 3);

/// Upper bound on the ids of names of a rule and of running names of definitions.
pub const VAR_ID_END: usize = FIRST + 4;

/// Declarations of the running names, in order.
static RUNNING: LazyLock<[Var; 4]> = LazyLock::new(|| {
    let of = |name: &str, kind| Var { name: name.into(), kind, shape: VarShape::Single, origin: Origin::Index };
    let house = Kind::House(HouseClass::Any);
    [of("house", house), of("line", house), of("cell", Kind::Cell), of("other", Kind::Cell)]
});

impl Variant {
    /// The declaration of a name of the rule, or of a name that runs over a set in a definition.
    pub fn var(&self, id: VarId) -> &Var {
        self.vars.get(id.0).unwrap_or_else(|| &RUNNING[id.0 - FIRST])
    }
}

impl PredicateId {
    /// Returns the condition that the predicate holds for its arguments.
    pub fn applied_to(self, args: Vec<Expr>) -> Condition {
        let definition = Box::new(self.definition(&args));
        Condition::Predicate(self, args, definition)
    }

    fn definition(self, args: &[Expr]) -> Condition {
        match self {
            PredicateId::InOneHouse(class) => in_one(&args[0], class),
            PredicateId::Group => group(&args[0]),
            PredicateId::Closed => closed(&args[0]),
            PredicateId::ClosedBetween => closed_between(&args[0], [&args[1], &args[2]]),
            PredicateId::Conjugate => conjugate(&args[0], &args[1], &args[2]),
        }
    }
}

fn in_one(cells: &Expr, class: HouseClass) -> Condition {
    some_house(HOUSE, class, Condition::No(minus(cells.clone(), cells_of(Expr::Var(HOUSE)))))
}

fn group(cells: &Expr) -> Condition {
    let several = Condition::Compare(count(cells.clone()), Comparison::Greater, Expr::Number(1));
    let shared = Expr::UnsolvedCells(Box::new(both(cells_of(Expr::Var(HOUSE)), cells_of(Expr::Var(LINE)))));
    let all = Condition::Equal(cells.clone(), shared);
    let crossing = some_house(HOUSE, HouseClass::Box, some_house(LINE, HouseClass::Line, all));
    Condition::Or(vec![
        Condition::And(vec![is_one(cells), Condition::Within(cells.clone(), Expr::AllCells)]),
        Condition::And(vec![several, crossing]),
    ])
}

fn closed(cells: &Expr) -> Condition {
    let here = both(cells.clone(), cells_of(Expr::Var(HOUSE)));
    let not_one = Condition::Compare(count(here), Comparison::NotEqual, Expr::Number(1));
    let outside = Condition::No(minus(seen_without_house(), cells.clone()));
    Condition::And(vec![
        Condition::ForAll(HOUSE, Expr::AllHouses(HouseClass::Any), Box::new(not_one)),
        Condition::ForAll(CELL, cells.clone(), Box::new(outside)),
    ])
}

fn closed_between(cells: &Expr, [k, l]: [&Expr; 2]) -> Condition {
    let lines = Expr::Union(vec![k.clone(), l.clone()]);
    let others = |class, of: VarId| minus(Expr::HousesOf(class, Box::new(Expr::Var(of))), lines.clone());
    let on_lines = both(cells.clone(), cells_of(lines.clone()));
    let partners = minus(both(on_lines, cells_of(others(HouseClass::Line, CELL))), Expr::Var(CELL));
    let alike = Condition::Equal(others(HouseClass::Any, CELL), others(HouseClass::Any, OTHER));
    let each = vec![
        Condition::Within(Expr::Var(CELL), cells_of(lines.clone())),
        Condition::No(seen_without_house()),
        Condition::Exists(OTHER, partners, Box::new(alike)),
    ];
    Condition::And(vec![
        Condition::Incident(k.clone(), Incidence::Parallel, l.clone()),
        Condition::Not(Box::new(Condition::Equal(k.clone(), l.clone()))),
        Condition::ForAll(CELL, cells.clone(), Box::new(Condition::And(each))),
    ])
}

fn conjugate(digit: &Expr, a: &Expr, b: &Expr) -> Condition {
    let places = |cells: Expr| Expr::In(Box::new(digit.clone()), Box::new(cells));
    let house = || cells_of(Expr::Var(HOUSE));
    let complete = Condition::Compare(count(house()), Comparison::Equal, count(Expr::AllDigits));
    let only = Condition::Equal(places(house()), places(Expr::Union(vec![a.clone(), b.clone()])));
    Condition::And(vec![
        is_one(digit),
        Condition::Some(places(a.clone())),
        Condition::Some(places(b.clone())),
        Condition::Not(Box::new(Condition::Equal(places(a.clone()), places(b.clone())))),
        some_house(HOUSE, HouseClass::Any, Condition::And(vec![complete, only])),
    ])
}

/// The cells that see the running cell without a common house.
fn seen_without_house() -> Expr {
    let sees = Condition::Sees(Operand::every(Expr::Var(CELL)), Operand::every(Expr::Var(OTHER)));
    let all = Box::new(cells_of(Expr::AllHouses(HouseClass::Any)));
    let seen = Expr::Filter { var: OTHER, of: all, when: Box::new(sees) };
    minus(seen, cells_of(Expr::HousesOf(HouseClass::Any, Box::new(Expr::Var(CELL)))))
}

fn some_house(name: VarId, class: HouseClass, part: Condition) -> Condition {
    Condition::Exists(name, Expr::AllHouses(class), Box::new(part))
}

fn is_one(set: &Expr) -> Condition {
    Condition::Compare(count(set.clone()), Comparison::Equal, Expr::Number(1))
}

fn count(set: Expr) -> Expr {
    Expr::Count(Box::new(set))
}

fn cells_of(houses: Expr) -> Expr {
    Expr::HouseCells(Box::new(houses))
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Intersection(Box::new(a), Box::new(b))
}

fn minus(a: Expr, b: Expr) -> Expr {
    Expr::Difference(Box::new(a), Box::new(b))
}
