//! Values of expressions as literals, and how they combine. In: literals for each member. Out: sets and numbers; unions,
//! intersections, differences, sizes, `times`, and comparisons of numbers.
//!
//! On a board a set is one literal for each possible member. The open world has unmodelled cells besides the named ones:
//! `rest` says whether such cells are in the set, and is false on a board.

use super::lazy::{Owed, OwedValue};
use super::{Encoder, Refusal};
use crate::lang::ir::{Comparison, Expr};
use crate::proof::circuit::{Circuit, members, pairs};
use crate::proof::solver::Lit;

/// A set of cells.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
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
pub(crate) struct Houses {
    pub bits: Vec<Lit>,
    /// Literal: an unmodelled house is a member.
    pub rest: Lit,
    /// The one house that it may have, whatever other names that house has.
    pub only: Option<usize>,
}

/// A set of present candidates.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    /// For each cell and digit, a literal: the candidate is a member.
    pub bits: Vec<Lit>,
    /// For each digit, a literal: a candidate in an unmodelled cell is a member.
    pub rest: Vec<Lit>,
    /// Facts about the truth of all members, unmodelled ones included.
    pub truth: Truth,
}

/// Facts about the truth of a set of candidates. Each literal is sufficient only: if it is false, nothing is known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
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
pub(crate) struct NumberLits {
    pub lits: Vec<Lit>,
    pub plus: i64,
    /// Literal: the number is larger by an unknown amount of at least one.
    pub up: Lit,
    /// Literal: the number is smaller by an unknown amount of at least one.
    pub down: Lit,
}

/// The value of an expression.
#[derive(Clone, Debug)]
pub(crate) enum Lits {
    Digits(Vec<Lit>),
    Cells(Cells),
    Houses(Houses),
    Candidates(Candidates),
    Number(NumberLits),
}

impl Lits {
    /// A literal for each member of a set and, at the end, one for an unmodelled member.
    pub fn members(self, circuit: &mut Circuit) -> Result<(Vec<Lit>, Lit), Refusal> {
        match self {
            Lits::Digits(bits) => Ok((bits, Lit::FALSE)),
            Lits::Cells(cells) => Ok((cells.bits, cells.rest)),
            Lits::Houses(houses) => Ok((houses.bits, houses.rest)),
            Lits::Candidates(all) => Ok((all.bits, circuit.or(all.rest))),
            Lits::Number(_) => Err(Refusal::NeedsSet),
        }
    }
}

impl NumberLits {
    /// A constant.
    pub fn constant(value: i64) -> NumberLits {
        NumberLits { plus: value, ..NumberLits::count(Vec::new(), Lit::FALSE) }
    }

    /// The number of true literals.
    pub fn count(lits: Vec<Lit>, up: Lit) -> NumberLits {
        NumberLits { lits, plus: 0, up, down: Lit::FALSE }
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

    /// A set that may have unmodelled cells.
    pub fn with_rest(bits: Vec<Lit>, rest: Lit) -> Cells {
        Cells { rest, ..Cells::closed(bits) }
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
}

impl Encoder<'_> {
    pub(super) fn union(&mut self, parts: &[Expr]) -> Result<Lits, Refusal> {
        let (first, others) = parts.split_first().ok_or(Refusal::Construct("an empty list"))?;
        let first = self.value(first)?;
        others.iter().try_fold(first, |so_far, part| {
            let part = self.value(part)?;
            self.join(so_far, part)
        })
    }

    fn join(&mut self, a: Lits, b: Lits) -> Result<Lits, Refusal> {
        Ok(match (a, b) {
            (Lits::Digits(a), Lits::Digits(b)) => Lits::Digits(self.circuit.each_either(pairs(&a, &b))),
            (Lits::Cells(a), Lits::Cells(b)) => {
                let rest = self.circuit.or2(a.rest, b.rest);
                let bits = self.circuit.each_either(pairs(&a.bits, &b.bits));
                let placed = (0..self.digits()).filter(|&digit| a.knows(digit) && b.knows(digit)).collect();
                let (inside, has) = match (a.rest, b.rest) {
                    (Lit::FALSE, _) => (b.inside, b.has),
                    (_, Lit::FALSE) => (a.inside, a.has),
                    _ => {
                        let has = a.has.zip(b.has).map(|(a, b)| self.circuit.each_either(pairs(&a, &b)));
                        (a.inside.into_iter().filter(|house| b.inside.contains(house)).collect(), has)
                    }
                };
                Lits::Cells(Cells { bits, rest, inside, has, placed })
            }
            (Lits::Houses(a), Lits::Houses(b)) => {
                let rest = self.circuit.or2(a.rest, b.rest);
                Lits::Houses(Houses::new(self.circuit.each_either(pairs(&a.bits, &b.bits)), rest))
            }
            (Lits::Candidates(a), Lits::Candidates(b)) => {
                let rest = self.circuit.each_either(pairs(&a.rest, &b.rest));
                let truth = Truth {
                    all: self.circuit.and2(a.truth.all, b.truth.all),
                    none: self.circuit.and2(a.truth.none, b.truth.none),
                    some: self.circuit.or2(a.truth.some, b.truth.some),
                };
                let bits = self.circuit.each_either(pairs(&a.bits, &b.bits));
                Lits::Candidates(Candidates { bits, rest, truth })
            }
            _ => return Err(Refusal::Construct("a list holds things of one kind")),
        })
    }

    /// The members of `a` that are in `b` as well, or that are not in `b` if `minus`.
    pub(super) fn intersection(&mut self, a: &Expr, b: &Expr, minus: bool) -> Result<Lits, Refusal> {
        Ok(match (self.value(a)?, self.value(b)?) {
            (Lits::Digits(a), Lits::Digits(b)) => Lits::Digits(self.each_common(&a, &b, minus)),
            (Lits::Candidates(a), Lits::Candidates(b)) => {
                let bits = self.each_common(&a.bits, &b.bits, minus);
                let rest = pairs(&a.rest, &b.rest).map(|(a, b)| self.common_rest(a, b, minus)).collect();
                let truth = match minus {
                    true => Truth { some: self.circuit.and2(a.truth.some, b.truth.none), ..a.truth },
                    false => Truth {
                        all: self.circuit.or2(a.truth.all, b.truth.all),
                        none: self.circuit.or2(a.truth.none, b.truth.none),
                        some: Lit::FALSE,
                    },
                };
                Lits::Candidates(self.settled(Candidates { bits, rest, truth }))
            }
            (Lits::Houses(a), Lits::Houses(b)) => {
                let rest = self.common_rest(a.rest, b.rest, minus);
                Lits::Houses(Houses::new(self.each_common(&a.bits, &b.bits, minus), rest))
            }
            _ => {
                let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
                let rest = self.common_rest(a.rest, b.rest, minus);
                let bits = self.each_common(&a.bits, &b.bits, minus);
                Lits::Cells(if minus {
                    Cells { bits, rest, has: a.has.filter(|_| b.rest == Lit::FALSE), ..a }
                } else {
                    let placed = (0..self.digits()).filter(|&digit| a.knows(digit) || b.knows(digit)).collect();
                    Cells { bits, rest, inside: [a.inside, b.inside].concat(), has: None, placed }
                })
            }
        })
    }

    fn each_common(&mut self, a: &[Lit], b: &[Lit], minus: bool) -> Vec<Lit> {
        self.circuit.each_both(pairs(a, b).map(|(a, b)| (a, b.signed(!minus))))
    }

    /// Literal: an unmodelled member of the one set is, or is not, in the other.
    fn common_rest(&mut self, a: Lit, b: Lit, minus: bool) -> Lit {
        match (minus, b) {
            (true, Lit::FALSE) => a,
            (true, _) => self.part_of(&[a]),
            (false, _) => self.part_of(&[a, b]),
        }
    }

    pub(super) fn count(&mut self, of: &Expr) -> Result<NumberLits, Refusal> {
        let (bits, up) = match self.value(of)? {
            Lits::Houses(houses) => (self.each_once(&houses), houses.rest),
            other => other.members(&mut self.circuit)?,
        };
        Ok(NumberLits::count(bits, up))
    }

    pub(super) fn sum(&mut self, a: &Expr, b: &Expr, minus: bool) -> Result<NumberLits, Refusal> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        Ok(if minus { self.less(a, b) } else { self.plus(a, b) })
    }

    fn plus(&mut self, a: NumberLits, b: NumberLits) -> NumberLits {
        let (up, down) = (self.circuit.or2(a.up, b.up), self.circuit.or2(a.down, b.down));
        NumberLits { lits: [a.lits, b.lits].concat(), plus: a.plus + b.plus, up, down }
    }

    /// a − b counts what is true of a and what is false of b.
    fn less(&mut self, a: NumberLits, b: NumberLits) -> NumberLits {
        let plus = -b.plus - b.lits.len() as i64;
        let lits = b.lits.into_iter().map(|lit| !lit).collect();
        self.plus(a, NumberLits { lits, plus, up: b.down, down: b.up })
    }

    /// Literal that is true iff the comparison holds.
    pub(super) fn compare(&mut self, a: &Expr, op: Comparison, b: &Expr) -> Result<Lit, Refusal> {
        if let (Expr::MaxOccurrences(digits, cells), Some(limit)) = (a, b.constant(self.scope.args))
            && let Some([one, two]) = self.exact_times(digits, cells)?
        {
            let most = if matches!(op, Comparison::GreaterEqual | Comparison::Less) { limit } else { limit + 1 };
            if most <= 2 {
                // The step after the second is never asked for.
                let [enough, more] = [limit, limit + 1].map(|step| match step {
                    ..=0 => Lit::TRUE,
                    1 => one,
                    _ => two,
                });
                return Ok(self.by_steps(op, enough, more));
            }
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        let difference = self.less(a, b);
        let (enough, more) = (self.reaches(&difference, 0), self.reaches(&difference, 1));
        Ok(self.by_steps(op, enough, more))
    }

    /// A comparison from "at least the limit" and "more than the limit".
    fn by_steps(&mut self, op: Comparison, enough: Lit, more: Lit) -> Lit {
        match op {
            Comparison::GreaterEqual => enough,
            Comparison::Greater => more,
            Comparison::Less => !enough,
            Comparison::LessEqual => !more,
            Comparison::Equal => self.circuit.and2(enough, !more),
            Comparison::NotEqual => self.circuit.or2(!enough, more),
        }
    }

    /// Literal that is true iff a number is at least `least`.
    fn reaches(&mut self, number: &NumberLits, least: i64) -> Lit {
        let known = self.circuit.at_least(&number.lits, least - number.plus);
        if number.up == Lit::FALSE && number.down == Lit::FALSE {
            return known;
        }
        // An unknown amount is at least one.
        let nearly = self.circuit.at_least(&number.lits, least - number.plus - 1);
        let lifted = self.circuit.and([nearly, number.up]);
        let reached = self.circuit.or2(known, lifted);
        let must = self.circuit.and2(reached, !number.down);
        let may = self.circuit.or2(known, number.up);
        self.circuit.between(must, may)
    }

    /// `times(d, S)` in unary: the k-th literal says that k cells of S can hold d together. The first two are exact. The
    /// others hold at least if the solution has d so often in S; on a board they are completed lazily.
    pub(super) fn times(&mut self, digits: &Expr, cells: &Expr) -> Result<NumberLits, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        if cells.rest != Lit::FALSE {
            return Err(Refusal::Unbounded("`times`"));
        }
        let mut lits = Vec::new();
        for (digit, is) in members(&digits) {
            for lit in self.times_of(digit, is, &cells) {
                lits.push(self.circuit.and2(is, lit));
            }
        }
        Ok(NumberLits::count(lits, Lit::FALSE))
    }

    /// The exact literals of `times` for one digit: at least one, at least two. `None` if the digit or a cell is open.
    fn exact_times(&mut self, digits: &Expr, cells: &Expr) -> Result<Option<[Lit; 2]>, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        Ok(match members(&digits).collect::<Vec<_>>().as_slice() {
            &[(digit, Lit::TRUE)] if cells.rest == Lit::FALSE => Some(self.first_steps(digit, &cells).1),
            _ => None,
        })
    }

    /// For each possible cell, a literal: it can hold the digit; and two more: one cell can, two cells together can.
    fn first_steps(&mut self, digit: usize, cells: &Cells) -> (Vec<(usize, Lit)>, [Lit; 2]) {
        let mut able = Vec::new();
        for (cell, here) in members(&cells.bits) {
            let option = self.world.option(&mut self.circuit, cell, digit);
            able.push((cell, self.circuit.and2(here, option)));
        }
        let mut two = Vec::new();
        for (at, &(cell, holds)) in able.iter().enumerate() {
            for &(other, also) in &able[at + 1..] {
                two.push(self.circuit.and([holds, also, !self.world.sees(cell, other)]));
            }
        }
        let steps = [self.circuit.or(able.iter().map(|&(_, holds)| holds)), self.circuit.or(two)];
        (able, steps)
    }

    fn times_of(&mut self, digit: usize, is: Lit, cells: &Cells) -> Vec<Lit> {
        let there = self
            .circuit
            .each_both(members(&cells.bits).map(|(cell, here)| (here, self.world.cells[cell].solution[digit])));
        let (able, first) = self.first_steps(digit, cells);
        let mut out = first.to_vec();
        // No house holds a digit twice, so a board of n digits holds a digit at most n times.
        for count in 3..=able.len().min(self.digits()) {
            let more = self.circuit.fresh();
            self.circuit.imply(more, out[count - 2]);
            let holds = self.circuit.at_least(&there, count as i64);
            self.circuit.imply(holds, more);
            out.push(more);
        }
        if !self.world.open {
            let candidate = able.iter().map(|&(cell, _)| self.world.cells[cell].candidate[digit]).collect();
            self.owed.push(Owed { asked: is, able, candidate, value: OwedValue::Times(out.clone()) });
        }
        out
    }
}
