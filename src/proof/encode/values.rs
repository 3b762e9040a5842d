//! Values of expressions as literals, and their combinations. In: literals for each member. Out: sets and numbers;
//! unions, intersections, differences, sizes, `times`, and comparisons of numbers.
//!
//! On a board a set is one literal for each possible member. The open world stands for any board, and only some of its
//! cells and houses are modelled. There, a set may have unmodelled members, too: the literal `has_unmodelled` is true if
//! an unmodelled cell or house is in the set. On a board, `has_unmodelled` is constantly false.

use super::lazy::{LazyFact, LazyMeaning};
use super::{Encoder, Refusal};
use crate::lang::ir::{Comparison, Expr};
use crate::proof::circuit::{Circuit, members, pairs};
use crate::proof::solver::Lit;

#[derive(Clone, Debug)]
pub(crate) struct Cells {
    /// For each modelled cell, the literal "the cell is a member".
    pub bits: Vec<Lit>,
    /// Literal: an unmodelled cell is a member.
    pub has_unmodelled: Lit,
    /// Modelled houses each of which contains all unmodelled members.
    pub houses_of_unmodelled: Vec<usize>,
    /// For each digit, the literal "an unmodelled member has the digit as a candidate". `None` if these literals are
    /// not made yet.
    pub digits_of_unmodelled: Option<Vec<Lit>>,
    /// Digits that are the solution of no unmodelled member. If a cell of the set has the digit as its solution, the
    /// cell is modelled.
    pub digits_solved_in_model: Vec<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Houses {
    pub bits: Vec<Lit>,
    /// Literal: an unmodelled house is a member.
    pub has_unmodelled: Lit,
    /// The house, if all possible members are this house. Several indices of `bits` may stand for one house.
    pub only_member: Option<usize>,
}

/// A set of present candidates.
#[derive(Clone, Debug)]
pub(crate) struct Candidates {
    /// For each candidate (cell × digits + digit), the literal "the candidate is a member".
    pub bits: Vec<Lit>,
    /// For each digit, a literal: a candidate in an unmodelled cell is a member.
    pub has_unmodelled: Vec<Lit>,
    /// Facts about the truth of all members, unmodelled ones included.
    pub known: KnownTruth,
}

/// Facts about the truth of a set of candidates. A true literal proves its fact; a false literal says nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownTruth {
    pub all_true: Lit,
    pub none_true: Lit,
    pub some_true: Lit,
}

impl KnownTruth {
    pub const UNKNOWN: KnownTruth = KnownTruth { all_true: Lit::FALSE, none_true: Lit::FALSE, some_true: Lit::FALSE };
}

/// A number: the number of true literals plus a constant, and possibly unknown amounts that are added or subtracted.
#[derive(Clone, Debug)]
pub(crate) struct NumberLits {
    pub lits: Vec<Lit>,
    pub constant: i64,
    /// Literal: an unknown amount of at least one is added.
    pub adds_unknown: Lit,
    /// Literal: an unknown amount of at least one is subtracted.
    pub subtracts_unknown: Lit,
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

/// The members of a set of any kind.
#[derive(Clone, Debug)]
pub(crate) struct Members {
    /// For each modelled element, the literal "the element is a member".
    pub bits: Vec<Lit>,
    /// Literal: an unmodelled element is a member.
    pub has_unmodelled: Lit,
}

impl Members {
    /// Literals of which at least one is true if the set is not empty.
    pub fn lits(&self) -> impl Iterator<Item = Lit> {
        self.bits.iter().copied().chain([self.has_unmodelled])
    }
}

impl Lits {
    /// Returns the members of a set; an error for a number.
    pub fn members(self, circuit: &mut Circuit) -> Result<Members, Refusal> {
        match self {
            Lits::Digits(bits) => Ok(Members { bits, has_unmodelled: Lit::FALSE }),
            Lits::Cells(cells) => Ok(cells.members()),
            Lits::Houses(houses) => Ok(Members { bits: houses.bits, has_unmodelled: houses.has_unmodelled }),
            Lits::Candidates(candidates) => {
                Ok(Members { bits: candidates.bits, has_unmodelled: circuit.or(candidates.has_unmodelled) })
            }
            Lits::Number(_) => Err(Refusal::NeedsSet),
        }
    }
}

impl NumberLits {
    pub fn constant(value: i64) -> NumberLits {
        NumberLits { constant: value, ..NumberLits::count(Vec::new(), Lit::FALSE) }
    }

    /// Makes the size of a set from the literals of its modelled members.
    pub fn count(lits: Vec<Lit>, has_unmodelled: Lit) -> NumberLits {
        NumberLits { lits, constant: 0, adds_unknown: has_unmodelled, subtracts_unknown: Lit::FALSE }
    }
}

impl Houses {
    pub fn new(bits: Vec<Lit>, has_unmodelled: Lit) -> Houses {
        Houses { bits, has_unmodelled, only_member: None }
    }
}

impl Cells {
    pub fn modelled(bits: Vec<Lit>) -> Cells {
        Cells {
            bits,
            has_unmodelled: Lit::FALSE,
            houses_of_unmodelled: Vec::new(),
            digits_of_unmodelled: None,
            digits_solved_in_model: Vec::new(),
        }
    }

    /// Returns a set about whose unmodelled members nothing is known.
    pub fn with_unmodelled(bits: Vec<Lit>, has_unmodelled: Lit) -> Cells {
        Cells { has_unmodelled, ..Cells::modelled(bits) }
    }

    /// Returns true if no unmodelled member has this digit as its solution.
    pub fn models_place(&self, digit: usize) -> bool {
        self.has_unmodelled == Lit::FALSE || self.digits_solved_in_model.contains(&digit)
    }

    pub fn members(self) -> Members {
        Members { bits: self.bits, has_unmodelled: self.has_unmodelled }
    }
}

impl Candidates {
    /// Returns a set about whose truth nothing is known.
    pub fn new(bits: Vec<Lit>, has_unmodelled: Vec<Lit>) -> Candidates {
        Candidates { bits, has_unmodelled, known: KnownTruth::UNKNOWN }
    }

    pub fn modelled(bits: Vec<Lit>, digits: usize) -> Candidates {
        Candidates::new(bits, vec![Lit::FALSE; digits])
    }
}

/// The two ways to restrict a set by another set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Restriction {
    Intersection,
    Difference,
}

impl Encoder<'_> {
    pub(super) fn union(&mut self, parts: &[Expr]) -> Result<Lits, Refusal> {
        let (first, others) = parts.split_first().ok_or(Refusal::Construct("an empty list"))?;
        let mut union = self.value(first)?;
        for part in others {
            let part = self.value(part)?;
            union = self.union_of(union, part)?;
        }
        Ok(union)
    }

    fn union_of(&mut self, a: Lits, b: Lits) -> Result<Lits, Refusal> {
        Ok(match (a, b) {
            (Lits::Digits(a), Lits::Digits(b)) => Lits::Digits(self.circuit.or_each(pairs(&a, &b))),
            (Lits::Cells(a), Lits::Cells(b)) => {
                let has_unmodelled = self.circuit.or2(a.has_unmodelled, b.has_unmodelled);
                let bits = self.circuit.or_each(pairs(&a.bits, &b.bits));
                let digits_solved_in_model =
                    (0..self.digits()).filter(|&digit| a.models_place(digit) && b.models_place(digit)).collect();
                let (houses_of_unmodelled, digits_of_unmodelled) = match (a.has_unmodelled, b.has_unmodelled) {
                    (Lit::FALSE, _) => (b.houses_of_unmodelled, b.digits_of_unmodelled),
                    (_, Lit::FALSE) => (a.houses_of_unmodelled, a.digits_of_unmodelled),
                    _ => {
                        let digits = a.digits_of_unmodelled.zip(b.digits_of_unmodelled);
                        let digits = digits.map(|(a, b)| self.circuit.or_each(pairs(&a, &b)));
                        let mut houses = a.houses_of_unmodelled;
                        houses.retain(|house| b.houses_of_unmodelled.contains(house));
                        (houses, digits)
                    }
                };
                Lits::Cells(Cells {
                    bits,
                    has_unmodelled,
                    houses_of_unmodelled,
                    digits_of_unmodelled,
                    digits_solved_in_model,
                })
            }
            (Lits::Houses(a), Lits::Houses(b)) => {
                let has_unmodelled = self.circuit.or2(a.has_unmodelled, b.has_unmodelled);
                Lits::Houses(Houses::new(self.circuit.or_each(pairs(&a.bits, &b.bits)), has_unmodelled))
            }
            (Lits::Candidates(a), Lits::Candidates(b)) => {
                let has_unmodelled = self.circuit.or_each(pairs(&a.has_unmodelled, &b.has_unmodelled));
                let known = KnownTruth {
                    all_true: self.circuit.and2(a.known.all_true, b.known.all_true),
                    none_true: self.circuit.and2(a.known.none_true, b.known.none_true),
                    some_true: self.circuit.or2(a.known.some_true, b.known.some_true),
                };
                let bits = self.circuit.or_each(pairs(&a.bits, &b.bits));
                Lits::Candidates(Candidates { bits, has_unmodelled, known })
            }
            _ => return Err(Refusal::Construct("a list of different kinds")),
        })
    }

    pub(super) fn restricted(&mut self, a: &Expr, restriction: Restriction, b: &Expr) -> Result<Lits, Refusal> {
        Ok(match (self.value(a)?, self.value(b)?) {
            (Lits::Digits(a), Lits::Digits(b)) => Lits::Digits(self.restricted_bits(&a, restriction, &b)),
            (Lits::Candidates(a), Lits::Candidates(b)) => {
                let bits = self.restricted_bits(&a.bits, restriction, &b.bits);
                let has_unmodelled = pairs(&a.has_unmodelled, &b.has_unmodelled)
                    .map(|(a, b)| self.restricted_unmodelled(a, restriction, b))
                    .collect();
                let known = match restriction {
                    Restriction::Difference => {
                        KnownTruth { some_true: self.circuit.and2(a.known.some_true, b.known.none_true), ..a.known }
                    }
                    Restriction::Intersection => KnownTruth {
                        all_true: self.circuit.or2(a.known.all_true, b.known.all_true),
                        none_true: self.circuit.or2(a.known.none_true, b.known.none_true),
                        some_true: Lit::FALSE,
                    },
                };
                Lits::Candidates(self.with_truth_clauses(Candidates { bits, has_unmodelled, known }))
            }
            (Lits::Houses(a), Lits::Houses(b)) => {
                let has_unmodelled = self.restricted_unmodelled(a.has_unmodelled, restriction, b.has_unmodelled);
                Lits::Houses(Houses::new(self.restricted_bits(&a.bits, restriction, &b.bits), has_unmodelled))
            }
            _ => {
                let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
                let has_unmodelled = self.restricted_unmodelled(a.has_unmodelled, restriction, b.has_unmodelled);
                let bits = self.restricted_bits(&a.bits, restriction, &b.bits);
                Lits::Cells(match restriction {
                    Restriction::Difference => {
                        // The difference may lose exactly those unmodelled members that have a digit as a candidate, so
                        // nothing is known about their digits.
                        let digits_of_unmodelled =
                            if b.has_unmodelled == Lit::FALSE { a.digits_of_unmodelled } else { None };
                        Cells { bits, has_unmodelled, digits_of_unmodelled, ..a }
                    }
                    Restriction::Intersection => {
                        let digits_solved_in_model = (0..self.digits())
                            .filter(|&digit| a.models_place(digit) || b.models_place(digit))
                            .collect();
                        let houses_of_unmodelled = [a.houses_of_unmodelled, b.houses_of_unmodelled].concat();
                        Cells {
                            bits,
                            has_unmodelled,
                            houses_of_unmodelled,
                            digits_of_unmodelled: None,
                            digits_solved_in_model,
                        }
                    }
                })
            }
        })
    }

    fn restricted_bits(&mut self, a: &[Lit], restriction: Restriction, b: &[Lit]) -> Vec<Lit> {
        self.circuit.and_each(pairs(a, b).map(|(a, b)| (a, b.signed(restriction == Restriction::Intersection))))
    }

    /// Returns the literal "the result has an unmodelled member", given this literal for both sets.
    fn restricted_unmodelled(&mut self, a: Lit, restriction: Restriction, b: Lit) -> Lit {
        match (restriction, b) {
            (Restriction::Difference, Lit::FALSE) => a,
            (Restriction::Difference, _) => self.free_implying(&[a]),
            (Restriction::Intersection, _) => self.free_implying(&[a, b]),
        }
    }

    pub(super) fn count(&mut self, set: &Expr) -> Result<NumberLits, Refusal> {
        let members = match self.value(set)? {
            Lits::Houses(houses) => {
                Members { bits: self.distinct_houses(&houses), has_unmodelled: houses.has_unmodelled }
            }
            value => value.members(&mut self.circuit)?,
        };
        Ok(NumberLits::count(members.bits, members.has_unmodelled))
    }

    pub(super) fn sum(&mut self, a: NumberLits, b: NumberLits) -> NumberLits {
        NumberLits {
            lits: [a.lits, b.lits].concat(),
            constant: a.constant + b.constant,
            adds_unknown: self.circuit.or2(a.adds_unknown, b.adds_unknown),
            subtracts_unknown: self.circuit.or2(a.subtracts_unknown, b.subtracts_unknown),
        }
    }

    /// Returns a − b. If k of n literals of b are true, n − k of their negations are true. So the negations are
    /// counted, and n is subtracted.
    pub(super) fn difference(&mut self, a: NumberLits, b: NumberLits) -> NumberLits {
        let negated = NumberLits {
            constant: -b.constant - b.lits.len() as i64,
            lits: b.lits.into_iter().map(|lit| !lit).collect(),
            adds_unknown: b.subtracts_unknown,
            subtracts_unknown: b.adds_unknown,
        };
        self.sum(a, negated)
    }

    pub(super) fn compare(&mut self, a: &Expr, op: Comparison, b: &Expr) -> Result<Lit, Refusal> {
        if let (Expr::MaxOccurrences(digits, cells), Some(limit)) = (a, b.constant(self.scope.args))
            && let Some(exact) = self.exact_times(digits, cells)?
        {
            // The literal "at least `count`", which is exact for counts up to two only.
            let at_least = |count: i64| match count {
                ..=0 => Some(Lit::TRUE),
                1 => Some(exact[0]),
                2 => Some(exact[1]),
                _ => None,
            };
            let exceeds_limit = match op {
                // These two comparisons don't read the literal.
                Comparison::GreaterEqual | Comparison::Less => Some(Lit::FALSE),
                _ => at_least(limit + 1),
            };
            if let (Some(reaches_limit), Some(exceeds_limit)) = (at_least(limit), exceeds_limit) {
                return Ok(self.comparison(op, reaches_limit, exceeds_limit));
            }
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        let difference = self.difference(a, b);
        let reaches_limit = self.reaches(&difference, 0);
        let exceeds_limit = self.reaches(&difference, 1);
        Ok(self.comparison(op, reaches_limit, exceeds_limit))
    }

    /// Returns the literal for a comparison with a limit, given the literals "at least the limit" and "more than the
    /// limit".
    fn comparison(&mut self, op: Comparison, reaches_limit: Lit, exceeds_limit: Lit) -> Lit {
        match op {
            Comparison::GreaterEqual => reaches_limit,
            Comparison::Greater => exceeds_limit,
            Comparison::Less => !reaches_limit,
            Comparison::LessEqual => !exceeds_limit,
            Comparison::Equal => self.circuit.and2(reaches_limit, !exceeds_limit),
            Comparison::NotEqual => self.circuit.or2(!reaches_limit, exceeds_limit),
        }
    }

    fn reaches(&mut self, number: &NumberLits, least: i64) -> Lit {
        let without_unknown = self.circuit.at_least(&number.lits, least - number.constant);
        if number.adds_unknown == Lit::FALSE && number.subtracts_unknown == Lit::FALSE {
            return without_unknown;
        }
        // The unknown amount adds at least one, so one less suffices if `adds_unknown` is true.
        let one_short = self.circuit.at_least(&number.lits, least - number.constant - 1);
        let lifted = self.circuit.and([one_short, number.adds_unknown]);
        let reached = self.circuit.or2(without_unknown, lifted);
        let sufficient = self.circuit.and2(reached, !number.subtracts_unknown);
        let necessary = self.circuit.or2(without_unknown, number.adds_unknown);
        self.circuit.between(sufficient, necessary)
    }

    /// Returns `times(d, S)` in unary: the k-th literal says that k cells of S can hold d at the same time.
    ///
    /// The first two literals are exact. Any later literal is only implied by "the solution has d in k cells of S". On a
    /// board, lazy clauses make the later literals exact, too.
    pub(super) fn times(&mut self, digits: &Expr, cells: &Expr) -> Result<NumberLits, Refusal> {
        let digits = self.digit_set(digits)?;
        let cells = self.cell_set(cells)?;
        if cells.has_unmodelled != Lit::FALSE {
            return Err(Refusal::NeedsAllCells("`times`"));
        }
        let mut lits = Vec::new();
        for (digit, is_wanted) in members(&digits) {
            for lit in self.times_of(digit, is_wanted, &cells) {
                lits.push(self.circuit.and2(is_wanted, lit));
            }
        }
        Ok(NumberLits::count(lits, Lit::FALSE))
    }

    /// Returns the literals of `times` for at least one and for at least two cells. `None` if the digit is not constant
    /// or the set may have unmodelled cells.
    fn exact_times(&mut self, digits: &Expr, cells: &Expr) -> Result<Option<[Lit; 2]>, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        Ok(match members(&digits).collect::<Vec<_>>().as_slice() {
            &[(digit, Lit::TRUE)] if cells.has_unmodelled == Lit::FALSE => Some(self.first_steps(digit, &cells).1),
            _ => None,
        })
    }

    /// Returns each possible cell with the literal "the cell can hold the digit". Also returns two literals: at least
    /// one cell can hold the digit; two cells can hold the digit at the same time.
    fn first_steps(&mut self, digit: usize, cells: &Cells) -> (Vec<(usize, Lit)>, [Lit; 2]) {
        let mut can_hold = Vec::new();
        for (cell, is_member) in members(&cells.bits) {
            let option = self.world.can_hold(&mut self.circuit, cell, digit);
            can_hold.push((cell, self.circuit.and2(is_member, option)));
        }
        let mut two = Vec::new();
        for (index, &(a, a_can)) in can_hold.iter().enumerate() {
            for &(b, b_can) in &can_hold[index + 1..] {
                two.push(self.circuit.and([a_can, b_can, !self.world.sees(a, b)]));
            }
        }
        let steps = [self.circuit.or(can_hold.iter().map(|&(_, can)| can)), self.circuit.or(two)];
        (can_hold, steps)
    }

    /// Returns the literals of `times` for one digit. `is_wanted` is the literal "the expression is about this digit".
    fn times_of(&mut self, digit: usize, is_wanted: Lit, cells: &Cells) -> Vec<Lit> {
        let solutions =
            members(&cells.bits).map(|(cell, is_member)| (is_member, self.world.cells[cell].solution[digit]));
        let in_solution = self.circuit.and_each(solutions);
        let (can_hold, first_steps) = self.first_steps(digit, cells);
        let mut steps = first_steps.to_vec();
        // No house holds a digit twice, so a board of n digits holds a digit at most n times.
        for count in 3..=can_hold.len().min(self.digits()) {
            let step = self.circuit.fresh();
            self.circuit.imply(step, steps[count - 2]);
            let solution_has_count = self.circuit.at_least(&in_solution, count as i64);
            self.circuit.imply(solution_has_count, step);
            steps.push(step);
        }
        if !self.world.is_open {
            let candidate = can_hold.iter().map(|&(cell, _)| self.world.cells[cell].candidate[digit]).collect();
            let meaning = LazyMeaning::Times(steps.clone());
            self.lazy_facts.push(LazyFact { needed: is_wanted, can_hold, candidate, meaning });
        }
        steps
    }
}
