//! Lowered expressions with their kinds, and conversions between kinds: from houses to their cells, and from candidates
//! to their cells.

use crate::lang::ast::{Binding, Span};
use crate::lang::ir::{Expr, HouseClass, KIND_WORDS, Kind};
use crate::lang::words;

/// The form of a value: one thing, several listed things, or a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Single,
    /// Several things that are written one by one: `A, B`.
    List,
    /// A set, which needs `every` or `some`.
    Set,
}

#[derive(Clone, Debug)]
pub struct TypedExpr {
    pub expr: Expr,
    pub kind: Kind,
    pub shape: Shape,
    pub span: Span,
    /// For houses: true if the value is a single house, or a list in which some part is a single house. `-` and `&` then
    /// take the cells of the houses; otherwise they join sets of houses.
    pub has_single_house: bool,
    /// True for a set of cells that `-` or `&` has produced from a set of houses.
    pub is_from_houses: bool,
    /// True for the name of an almost locked set or a group, which `has` and `lacks` treat as a whole.
    pub is_als_or_group: bool,
}

impl TypedExpr {
    pub fn new(expr: Expr, kind: Kind, shape: Shape, span: Span) -> Self {
        let has_single_house = shape != Shape::Set;
        TypedExpr { expr, kind, shape, span, has_single_house, is_from_houses: false, is_als_or_group: false }
    }

    pub fn is_house(&self) -> bool {
        matches!(self.kind, Kind::House(_))
    }

    /// Returns the cells of a value of kind cell or house; `None` for other kinds.
    pub fn cells(&self) -> Option<Expr> {
        match self.kind {
            Kind::Cell => Some(self.expr.clone()),
            Kind::House(_) => Some(cells_of_houses(&self.expr)),
            _ => None,
        }
    }

    /// Returns the cells of a value of kind cell, house or candidate; `None` for other kinds.
    pub fn cells_or_candidate_cells(&self) -> Option<Expr> {
        match self.kind {
            Kind::Candidate => Some(Expr::CellsOf(Box::new(self.expr.clone()))),
            _ => self.cells(),
        }
    }

    /// Returns the kind in words, for messages: `a digit`, `cells`.
    pub fn description(&self) -> &'static str {
        self.kind.description(self.shape == Shape::Single)
    }
}

/// Returns the cells of houses. For `cover - base`, returns the cells of `cover` that are not cells of `base`.
fn cells_of_houses(houses: &Expr) -> Expr {
    match houses {
        Expr::Union(parts) if has_difference_or_intersection(houses) => {
            Expr::Union(parts.iter().map(cells_of_houses).collect())
        }
        Expr::Intersection(a, b) => Expr::Intersection(Box::new(cells_of_houses(a)), Box::new(cells_of_houses(b))),
        Expr::Difference(a, b) => Expr::Difference(Box::new(cells_of_houses(a)), Box::new(cells_of_houses(b))),
        other => Expr::HouseCells(Box::new(other.clone())),
    }
}

/// Returns true if an expression is a difference, an intersection, or a union that contains a difference or an
/// intersection.
pub fn has_difference_or_intersection(expr: &Expr) -> bool {
    match expr {
        Expr::Union(parts) => parts.iter().any(has_difference_or_intersection),
        Expr::Intersection(..) | Expr::Difference(..) => true,
        _ => false,
    }
}

/// Returns the narrowest kind that includes both kinds.
pub fn common_kind(a: Kind, b: Kind) -> Option<Kind> {
    use HouseClass::{Any, Column, Line, Row};
    match (a, b) {
        _ if a == b => Some(a),
        (Kind::House(Row | Column | Line), Kind::House(Row | Column | Line)) => Some(Kind::House(Line)),
        (Kind::House(_), Kind::House(_)) => Some(Kind::House(Any)),
        _ => None,
    }
}

/// Returns the class of houses that a word names, in the singular or plural.
pub fn house_class(word: &str) -> Option<HouseClass> {
    match kind_of_word(word)?.kind {
        Kind::House(class) => Some(class),
        _ => None,
    }
}

/// The meaning of a word such as `digit` or `cells`.
#[derive(Clone, Copy)]
pub struct KindWord {
    pub kind: Kind,
    /// True for a word that names a set.
    pub is_plural: bool,
}

pub fn kind_of_word(word: &str) -> Option<KindWord> {
    let (kind, _, plural) = KIND_WORDS.iter().find(|(kind, _, plural)| word == kind.singular() || word == *plural)?;
    Some(KindWord { kind: *kind, is_plural: word == *plural })
}

/// Returns the meaning of the word after the colon of a binding: `als` and `group` name a set of cells, `literal` names a
/// set of candidates.
pub fn binding_kind(binding: &Binding) -> Option<KindWord> {
    match binding.kind.name.as_str() {
        words::ALS | words::GROUP => Some(KindWord { kind: Kind::Cell, is_plural: true }),
        words::LITERAL => Some(KindWord { kind: Kind::Candidate, is_plural: true }),
        word => kind_of_word(word),
    }
}
