//! Values of expressions as literals. In: literals for each member. Out: sets and numbers.
//!
//! On a board a set is one literal for each possible member. The open world has unmodelled cells besides the named ones:
//! `rest` says whether such cells are in the set, and is false on a board.

use crate::proof::solver::Lit;

/// A set of cells.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Cells {
    /// For each modelled cell, a literal: it is a member.
    pub bits: Vec<Lit>,
    /// Literal: an unmodelled cell is a member.
    pub rest: Lit,
    /// Houses that hold all of these outside cells.
    pub inside: Vec<usize>,
    /// For each digit, a literal: an unmodelled member has it as a candidate. `None` if there are no such literals.
    pub has: Option<Vec<Lit>>,
    /// Digits that are the solution of none of these outside cells.
    pub placed: Vec<usize>,
}

/// A set of houses.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Houses {
    pub bits: Vec<Lit>,
    /// Literal: an unmodelled house is a member.
    pub rest: Lit,
    /// The one house that it may have, whatever other names that house has.
    pub only: Option<usize>,
}

/// A set of present candidates.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Candidates {
    /// For each cell and digit, a literal: the candidate is a member.
    pub bits: Vec<Lit>,
    /// For each digit, a literal: a candidate in an unmodelled cell is a member.
    pub rest: Vec<Lit>,
    /// Facts about the truth of all members, unmodelled ones included.
    pub truth: Truth,
}

/// Facts about the truth of a set of candidates. Each literal is sufficient only: if it is false, nothing is known.
#[derive(Clone, Copy, Debug)]
pub(in crate::proof) struct Truth {
    /// Every member is true.
    pub all: Lit,
    /// Literal: no member is true.
    pub none: Lit,
    /// Some member is true.
    pub some: Lit,
}

impl Truth {
    /// No known facts.
    pub const OPEN: Truth = Truth { all: Lit::FALSE, none: Lit::FALSE, some: Lit::FALSE };
}

/// A number: how many of the literals hold, plus a constant, and perhaps unknown amounts up and down.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Number {
    pub lits: Vec<Lit>,
    pub plus: i64,
    /// Literal: the number is larger by an unknown amount of at least one.
    pub up: Lit,
    /// Literal: the number is smaller by an unknown amount of at least one.
    pub down: Lit,
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(in crate::proof) enum Value {
    Digits(Vec<Lit>),
    Cells(Cells),
    Houses(Houses),
    Candidates(Candidates),
    Number(Number),
}

impl Number {
    /// A constant.
    pub fn constant(value: i64) -> Number {
        Number { lits: Vec::new(), plus: value, up: Lit::FALSE, down: Lit::FALSE }
    }

    /// The number of true literals.
    pub fn count(lits: Vec<Lit>, up: Lit) -> Number {
        Number { lits, plus: 0, up, down: Lit::FALSE }
    }
}

impl Houses {
    /// A set without further facts.
    pub fn new(bits: Vec<Lit>, rest: Lit) -> Houses {
        Houses { bits, rest, only: None }
    }
}

impl Cells {
    /// A set of world cells only.
    pub fn closed(bits: Vec<Lit>) -> Cells {
        Cells { bits, rest: Lit::FALSE, inside: Vec::new(), has: None, placed: Vec::new() }
    }

    /// A set that may have cells outside the world.
    pub fn with_rest(bits: Vec<Lit>, rest: Lit, inside: Vec<usize>) -> Cells {
        Cells { inside, rest, ..Cells::closed(bits) }
    }

    /// Returns true if no unmodelled member has this digit as its solution.
    pub fn knows(&self, digit: usize) -> bool {
        self.rest == Lit::FALSE || self.placed.contains(&digit)
    }
}

impl Candidates {
    /// A set without facts about the truth of unmodelled members.
    pub fn new(bits: Vec<Lit>, rest: Vec<Lit>) -> Candidates {
        Candidates { bits, rest, truth: Truth::OPEN }
    }

    /// A set of candidates of world cells only.
    pub fn closed(bits: Vec<Lit>, digits: usize) -> Candidates {
        Candidates::new(bits, vec![Lit::FALSE; digits])
    }

    /// The members of one digit.
    pub fn of_digit<'a>(&'a self, digit: usize, digits: usize) -> impl Iterator<Item = Lit> + 'a {
        self.bits.iter().skip(digit).step_by(digits).copied()
    }
}
