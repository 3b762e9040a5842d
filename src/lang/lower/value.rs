//! LowerResult expressions on the way. In: an expression and its kind. Out: the same as cells, as digits, as a
//! number, where the rules of kinds allow it.

use crate::lang::ast::{Binding, Span};
use crate::lang::ir::{Expr, HouseClass, Kind};
use crate::lang::words;

/// Number of things that a value denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One.
    One,
    /// A few, each written out: `A, B`.
    Listed,
    /// A set; it needs `every` or `some`.
    Many,
}

/// An expression with its kind.
#[derive(Clone, Debug)]
pub struct TypedExpr {
    pub expr: Expr,
    pub kind: Kind,
    pub shape: Shape,
    pub span: Span,
    /// True if single houses are among its parts: between those, `-` and `&` apply to their cells.
    pub singles: bool,
    /// True for cells that `-` or `&` made of a set of houses.
    pub from_houses: bool,
    /// True for an almost locked set or a group mentioned by its name.
    pub whole: bool,
}

impl TypedExpr {
    pub fn new(expr: Expr, kind: Kind, shape: Shape, span: Span) -> Self {
        TypedExpr { expr, kind, shape, span, singles: shape != Shape::Many, from_houses: false, whole: false }
    }

    pub fn is_house(&self) -> bool {
        matches!(self.kind, Kind::House(_))
    }

    /// Returns the value as cells: cells, houses, and candidates if `candidates`.
    pub fn as_cells(&self, candidates: bool) -> Option<Expr> {
        match self.kind {
            Kind::Cell => Some(self.expr.clone()),
            Kind::House(_) => Some(cells_of_houses(&self.expr)),
            Kind::Candidate if candidates => Some(Expr::UnsolvedCells(Box::new(self.expr.clone()))),
            _ => None,
        }
    }

    /// Kind in words, for messages: `a digit`, `cells`.
    pub fn what(&self) -> &'static str {
        describe(self.kind, self.shape == Shape::One)
    }
}

/// Returns the cells of houses; for `cover - base`, the cells of `cover` without those of `base`.
fn cells_of_houses(houses: &Expr) -> Expr {
    match houses {
        Expr::Union(parts) if has_set_operation(houses) => Expr::Union(parts.iter().map(cells_of_houses).collect()),
        Expr::Intersection(a, b) => Expr::Intersection(Box::new(cells_of_houses(a)), Box::new(cells_of_houses(b))),
        Expr::Difference(a, b) => Expr::Difference(Box::new(cells_of_houses(a)), Box::new(cells_of_houses(b))),
        other => Expr::HouseCells(Box::new(other.clone())),
    }
}

/// Returns true if an expression contains `-` or `&`.
pub fn has_set_operation(expr: &Expr) -> bool {
    match expr {
        Expr::Union(parts) => parts.iter().any(has_set_operation),
        Expr::Intersection(..) | Expr::Difference(..) => true,
        _ => false,
    }
}

/// The kinds that names can have, in words for one and for several.
const KINDS: [(Kind, &str, &str); 8] = [
    (Kind::Digit, "a digit", "digits"),
    (Kind::Cell, "a cell", "cells"),
    (Kind::Candidate, "a candidate", "candidates"),
    (Kind::House(HouseClass::Any), "a house", "houses"),
    (Kind::House(HouseClass::Row), "a row", "rows"),
    (Kind::House(HouseClass::Column), "a column", "columns"),
    (Kind::House(HouseClass::Box), "a box", "boxes"),
    (Kind::House(HouseClass::Line), "a line", "lines"),
];

/// Returns a kind in words, for one or several.
pub fn describe(kind: Kind, one: bool) -> &'static str {
    let words = KINDS.iter().find(|(known, ..)| *known == kind);
    words.map_or("a number", |(_, single, several)| if one { single } else { several })
}

/// Returns the word that declares one thing of a kind.
pub fn one_word(kind: Kind) -> &'static str {
    describe(kind, true).trim_start_matches("a ")
}

/// Returns the narrowest kind that holds both, if there is one.
pub fn common(a: Kind, b: Kind) -> Option<Kind> {
    use HouseClass::{Any, Column, Line, Row};
    match (a, b) {
        _ if a == b => Some(a),
        (Kind::House(a), Kind::House(b)) => Some(Kind::House(match (a, b) {
            (Row | Column | Line, Row | Column | Line) => Line,
            _ => Any,
        })),
        _ => None,
    }
}

/// Returns the class of houses that a word names, in the singular or plural.
pub fn house_class(word: &str) -> Option<HouseClass> {
    match kind_word(word)? {
        (Kind::House(class), _) => Some(class),
        _ => None,
    }
}

/// Returns the kind that a word names; true for a plural.
pub fn kind_word(word: &str) -> Option<(Kind, bool)> {
    let (kind, _, several) = KINDS.iter().find(|(kind, _, several)| word == one_word(*kind) || word == *several)?;
    Some((*kind, word == *several))
}

/// Returns the kind that a binding chooses; true for a set.
pub fn binding_kind(binding: &Binding) -> Option<(Kind, bool)> {
    match binding.kind.name.as_str() {
        words::ALS | words::GROUP => Some((Kind::Cell, true)),
        words::LITERAL => Some((Kind::Candidate, true)),
        word => kind_word(word),
    }
}
