//! Sets combined and counted. In: sets. Out: unions, intersections, differences, sizes, `times`, and
//! comparisons of numbers.

use super::lazy::{Owed, What};
use super::names;
use super::value::{Candidates, Cells, Houses, Number, Truth, Value};
use super::{Encoder, Refusal};
use crate::lang::ir::{Comparison, Expr};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    pub(super) fn union(&mut self, parts: &[Expr]) -> Result<Value, Refusal> {
        let mut all: Option<Value> = None;
        for part in parts {
            let part = self.value(part)?;
            all = Some(match all {
                None => part,
                Some(so_far) => self.join(so_far, part)?,
            });
        }
        all.ok_or(Refusal::EmptyList)
    }

    fn join(&mut self, a: Value, b: Value) -> Result<Value, Refusal> {
        match (a, b) {
            (Value::Digits(a), Value::Digits(b)) => Ok(Value::Digits(self.each(&a, &b, Encoder::either))),
            (Value::Cells(a), Value::Cells(b)) => {
                let inside = match (a.rest, b.rest) {
                    (Lit::FALSE, _) => b.inside.clone(),
                    (_, Lit::FALSE) => a.inside.clone(),
                    _ => a.inside.iter().copied().filter(|house| b.inside.contains(house)).collect(),
                };
                let rest = self.circuit.or2(a.rest, b.rest);
                let bits = self.each(&a.bits, &b.bits, Encoder::either);
                let has = self.either_has(&a, &b);
                let placed = self.either_placed(&a, &b);
                Ok(Value::Cells(Cells { bits, rest, inside, has, placed }))
            }
            (Value::Houses(a), Value::Houses(b)) => {
                let rest = self.circuit.or2(a.rest, b.rest);
                Ok(Value::Houses(Houses::new(self.each(&a.bits, &b.bits, Encoder::either), rest)))
            }
            (Value::Candidates(a), Value::Candidates(b)) => {
                let rest = self.each(&a.rest, &b.rest, Encoder::either);
                let truth = Truth {
                    all: self.circuit.and2(a.truth.all, b.truth.all),
                    none: self.circuit.and2(a.truth.none, b.truth.none),
                    some: self.circuit.or2(a.truth.some, b.truth.some),
                };
                Ok(Value::Candidates(Candidates { bits: self.each(&a.bits, &b.bits, Encoder::either), rest, truth }))
            }
            _ => Err(Refusal::MixedList),
        }
    }

    fn either_has(&mut self, a: &Cells, b: &Cells) -> Option<Vec<Lit>> {
        match (a.rest, b.rest) {
            (Lit::FALSE, _) => b.has.clone(),
            (_, Lit::FALSE) => a.has.clone(),
            _ => Some(self.each(a.has.as_ref()?, b.has.as_ref()?, Encoder::either)),
        }
    }

    fn either_placed(&self, a: &Cells, b: &Cells) -> Vec<usize> {
        (0..self.digits()).filter(|&digit| a.knows(digit) && b.knows(digit)).collect()
    }

    fn each(&mut self, a: &[Lit], b: &[Lit], with: fn(&mut Self, Lit, Lit) -> Lit) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| with(self, x, y)).collect()
    }

    fn either(&mut self, a: Lit, b: Lit) -> Lit {
        self.circuit.or2(a, b)
    }

    fn both(&mut self, a: Lit, b: Lit) -> Lit {
        self.circuit.and2(a, b)
    }

    fn only_first(&mut self, a: Lit, b: Lit) -> Lit {
        self.circuit.and2(a, !b)
    }

    pub(super) fn intersection(&mut self, a: &Expr, b: &Expr) -> Result<Value, Refusal> {
        match (self.value(a)?, self.value(b)?) {
            (Value::Digits(a), Value::Digits(b)) => Ok(Value::Digits(self.each(&a, &b, Encoder::both))),
            (Value::Candidates(a), Value::Candidates(b)) => {
                let bits = self.each(&a.bits, &b.bits, Encoder::both);
                let rest = a.rest.iter().zip(&b.rest).map(|(&x, &y)| self.part_of(&[x, y])).collect();
                let truth = Truth {
                    all: self.circuit.or2(a.truth.all, b.truth.all),
                    none: self.circuit.or2(a.truth.none, b.truth.none),
                    some: Lit::FALSE,
                };
                Ok(Value::Candidates(self.settled(Candidates { bits, rest, truth })))
            }
            (Value::Houses(a), Value::Houses(b)) => {
                let rest = self.part_of(&[a.rest, b.rest]);
                Ok(Value::Houses(Houses::new(self.each(&a.bits, &b.bits, Encoder::both), rest)))
            }
            _ => {
                let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
                let rest = self.part_of(&[a.rest, b.rest]);
                let inside = a.inside.iter().chain(&b.inside).copied().collect();
                let placed = (0..self.digits()).filter(|&digit| a.knows(digit) || b.knows(digit)).collect();
                let bits = self.each(&a.bits, &b.bits, Encoder::both);
                Ok(Value::Cells(Cells { bits, rest, inside, has: None, placed }))
            }
        }
    }

    pub(super) fn difference(&mut self, a: &Expr, b: &Expr) -> Result<Value, Refusal> {
        match (self.value(a)?, self.value(b)?) {
            (Value::Digits(a), Value::Digits(b)) => Ok(Value::Digits(self.each(&a, &b, Encoder::only_first))),
            (Value::Candidates(a), Value::Candidates(b)) => {
                let bits = self.each(&a.bits, &b.bits, Encoder::only_first);
                let rest = a.rest.iter().zip(&b.rest).map(|(&x, &y)| self.left_over(x, y)).collect();
                let some = self.circuit.and2(a.truth.some, b.truth.none);
                let truth = Truth { some, ..a.truth };
                Ok(Value::Candidates(self.settled(Candidates { bits, rest, truth })))
            }
            (Value::Houses(a), Value::Houses(b)) => {
                let rest = self.left_over(a.rest, b.rest);
                Ok(Value::Houses(Houses::new(self.each(&a.bits, &b.bits, Encoder::only_first), rest)))
            }
            _ => {
                let (a, b) = (self.cell_set(a)?, self.cell_set(b)?);
                let rest = self.left_over(a.rest, b.rest);
                let bits = self.each(&a.bits, &b.bits, Encoder::only_first);
                let has = if b.rest == Lit::FALSE { a.has.clone() } else { None };
                Ok(Value::Cells(Cells { bits, rest, has, ..a }))
            }
        }
    }

    fn left_over(&mut self, of: Lit, without: Lit) -> Lit {
        if without == Lit::FALSE { of } else { self.part_of(&[of]) }
    }

    pub(super) fn count(&mut self, of: &Expr) -> Result<Number, Refusal> {
        Ok(match self.value(of)? {
            Value::Digits(bits) => Number::count(bits, Lit::FALSE),
            Value::Cells(cells) => Number::count(cells.bits, cells.rest),
            Value::Houses(houses) => Number::count(self.each_once(&houses), houses.rest),
            Value::Candidates(all) => {
                let up = self.circuit.or(all.rest.iter().copied());
                Number::count(all.bits, up)
            }
            Value::Number(_) => return Err(Refusal::CountOfNumber),
        })
    }

    pub(super) fn sum(&mut self, a: &Expr, b: &Expr, minus: bool) -> Result<Number, Refusal> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        Ok(if minus { self.less(a, b) } else { self.plus(a, b) })
    }

    fn plus(&mut self, a: Number, b: Number) -> Number {
        let lits = a.lits.into_iter().chain(b.lits).collect();
        let (up, down) = (self.circuit.or2(a.up, b.up), self.circuit.or2(a.down, b.down));
        Number { lits, plus: a.plus + b.plus, up, down }
    }

    /// a − b counts what is true of a and what is false of b.
    fn less(&mut self, a: Number, b: Number) -> Number {
        let all = b.lits.len() as i64;
        let negated =
            Number { lits: b.lits.iter().map(|&lit| !lit).collect(), plus: -b.plus - all, up: b.down, down: b.up };
        self.plus(a, negated)
    }

    /// Literal that is true iff the comparison holds.
    pub(super) fn compare(&mut self, a: &Expr, op: Comparison, b: &Expr) -> Result<Lit, Refusal> {
        if let (Expr::Times(digits, cells), Some(limit)) = (a, names::constant(b, self.scope.args))
            && let Some(steps) = self.times_steps(digits, cells)?
        {
            let most = if matches!(op, Comparison::GreaterEqual | Comparison::Less) { limit } else { limit + 1 };
            if most <= 2 {
                let step = |at: i64| if at <= 0 { Lit::TRUE } else { steps[at as usize - 1] };
                return Ok(self.by_steps(op, step(limit), step(limit + 1)));
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
    fn reaches(&mut self, number: &Number, least: i64) -> Lit {
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
    pub(super) fn times(&mut self, digits: &Expr, cells: &Expr) -> Result<Number, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        if cells.rest != Lit::FALSE {
            return Err(Refusal::Unbounded("`times`"));
        }
        let mut lits = Vec::new();
        for (digit, &is) in digits.iter().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
            for lit in self.times_of(digit, is, &cells) {
                lits.push(self.circuit.and2(is, lit));
            }
        }
        Ok(Number::count(lits, Lit::FALSE))
    }

    /// The exact literals of `times` for one digit: at least one, at least two, and the second repeated for a step that is
    /// never asked for.
    fn times_steps(&mut self, digits: &Expr, cells: &Expr) -> Result<Option<[Lit; 3]>, Refusal> {
        let (digits, cells) = (self.digit_set(digits)?, self.cell_set(cells)?);
        let open: Vec<usize> = (0..digits.len()).filter(|&digit| digits[digit] != Lit::FALSE).collect();
        match open.as_slice() {
            [digit] if digits[*digit] == Lit::TRUE && cells.rest == Lit::FALSE => {
                let [one, two] = self.first_steps(*digit, &cells);
                Ok(Some([one, two, two]))
            }
            _ => Ok(None),
        }
    }

    /// Literals: one cell can hold the digit; two cells together can.
    fn first_steps(&mut self, digit: usize, cells: &Cells) -> [Lit; 2] {
        let members: Vec<usize> = (0..cells.bits.len()).filter(|&c| cells.bits[c] != Lit::FALSE).collect();
        let mut holders = Vec::new();
        for &cell in &members {
            let option = self.world.option(&mut self.circuit, cell, digit);
            holders.push(self.circuit.and2(cells.bits[cell], option));
        }
        let mut pairs = Vec::new();
        for i in 0..members.len() {
            for j in i + 1..members.len() {
                let unseen = !self.world.sees(members[i], members[j]);
                if unseen != Lit::FALSE {
                    pairs.push(self.circuit.and([holders[i], holders[j], unseen]));
                }
            }
        }
        [self.circuit.or(holders), self.circuit.or(pairs)]
    }

    fn times_of(&mut self, digit: usize, is: Lit, cells: &Cells) -> Vec<Lit> {
        let members: Vec<usize> = (0..cells.bits.len()).filter(|&c| cells.bits[c] != Lit::FALSE).collect();
        let mut there = Vec::new();
        for &cell in &members {
            there.push(self.circuit.and2(cells.bits[cell], self.world.cells[cell].solution[digit]));
        }
        let mut out = self.first_steps(digit, cells).to_vec();
        // No house holds a digit twice, so a board of n digits holds a digit at most n times.
        let most = members.len().min(self.digits());
        for count in 3..=most as i64 {
            let more = self.circuit.fresh();
            let before = out[out.len() - 1];
            self.circuit.imply(more, before);
            let holds = self.circuit.at_least(&there, count);
            self.circuit.imply(holds, more);
            out.push(more);
        }
        if !self.world.open {
            let candidate = members.iter().map(|&cell| self.world.cells[cell].candidate[digit]).collect();
            let mut able = Vec::with_capacity(members.len());
            for &cell in &members {
                let option = self.world.option(&mut self.circuit, cell, digit);
                able.push((cell, self.circuit.and2(cells.bits[cell], option)));
            }
            self.owed.push(Owed { asked: is, able, candidate, what: What::Times(out.clone()) });
        }
        out
    }
}
