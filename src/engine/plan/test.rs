//! Conditions to instructions. In: a condition whose names all have registers. Out: code that falls through
//! when it holds and jumps to a label when not.

use super::build::{Builder, NoPlan, Operand, Slot};
use super::instr::{Instr, Label, Set, SetOp, SetTest};
use super::operators::{CellOp, Choice, HouseOp, Next, NumberOp, Test};
use crate::lang::ir::{Comparison, Condition, Expr, HouseClass, Incidence, Kind, Operand as Side, PredicateId};
use crate::lang::ir::{Quantifier, VarId};

impl Builder<'_> {
    /// Writes a test that jumps to `fail` when the condition is false.
    pub fn test(&mut self, condition: &Condition, fail: Label) -> Result<(), NoPlan> {
        match condition {
            Condition::Compare(Expr::Count(of), op, limit) if self.known.constant(limit).is_some() => {
                self.count_test(of, *op, limit, fail)
            }
            Condition::Compare(a, op, b) => {
                let (a, b) = (self.number(a)?, self.number(b)?);
                self.check(Test::Compare { a, op: *op, b }, fail);
                Ok(())
            }
            Condition::Equal(a, b) => self.set_test(SetTest::Equal, a, b, fail),
            Condition::Within(a, b) => self.set_test(SetTest::Within, a, b, fail),
            Condition::Disjoint(a, b) => self.set_test(SetTest::Disjoint, a, b, fail),
            Condition::Exactly(set, members) => self.exactly(set, members, fail),
            Condition::NotEmpty(x) => match x {
                Expr::Filter { var, set: of, condition: when } if !self.is_computed(x) => {
                    self.some_of_those(*var, of, when, fail)
                }
                _ => self.non_empty(x, true, fail),
            },
            Condition::No(x) => self.non_empty(x, false, fail),
            Condition::Sees(a, b) => {
                let (every_a, every_b) = (is_every(a), is_every(b));
                let (a, b) = (self.cells(&a.cells)?, self.cells(&b.cells)?);
                self.check(Test::Sees { every_a, a, every_b, b }, fail);
                Ok(())
            }
            Condition::Has(side, digits) => self.options(side, false, digits, fail),
            Condition::Lacks(side, digits) => self.options(side, true, digits, fail),
            Condition::Incident(a, how, b) => self.lie(a, *how, b, fail),
            Condition::Connected(cells) => {
                let cells = self.cells(cells)?;
                self.check(Test::Connected { cells }, fail);
                Ok(())
            }
            Condition::AlmostLocked(cells, over) => {
                let cells = self.cells(cells)?;
                self.check(Test::AlmostLocked { cells, over: *over }, fail);
                Ok(())
            }
            Condition::Predicate(id, args, _) => self.predicate(*id, args, fail),
            Condition::GivensAllow(side, digits) => {
                let (cells, digits) = (self.cells(&side.cells)?, self.digits(digits)?);
                self.check(Test::GivensAllow { every: is_every(side), cells, digits }, fail);
                Ok(())
            }
            Condition::ForAll(index, of, part) => self.scoped(|this| this.for_all(*index, of, part, fail)),
            Condition::Exists(index, of, part) => self.scoped(|this| this.exists(*index, of, part, fail)),
            Condition::And(parts) => parts.iter().try_for_each(|part| self.test(part, fail)),
            Condition::Or(parts) => self.any(parts, fail),
            Condition::Not(part) => self.scoped(|this| this.negated(part, fail)),
        }
    }

    fn predicate(&mut self, id: PredicateId, args: &[Expr], fail: Label) -> Result<(), NoPlan> {
        let test = match id {
            PredicateId::InOneHouse(class) => Test::InOne { cells: self.cells(&args[0])?, class },
            PredicateId::Group => return Err(NoPlan::GroupAsTest),
            PredicateId::Closed => Test::Closed { cells: self.cells(&args[0])? },
            PredicateId::ClosedBetween => {
                let (cells, k, l) = (self.cells(&args[0])?, self.houses(&args[1])?, self.houses(&args[2])?);
                Test::ClosedBetween { cells, k, l }
            }
            PredicateId::Conjugate => return self.conjugate(&args[0], &args[1], &args[2], fail),
        };
        self.check(test, fail);
        Ok(())
    }

    /// Tests how many there are, against a number that is known.
    fn count_test(&mut self, of: &Expr, op: Comparison, limit: &Expr, fail: Label) -> Result<(), NoPlan> {
        let limit = self.known.constant(limit).map_or(0, |limit| limit as i32);
        match self.expr(of)? {
            Operand::Set(of) => self.check(Test::CompareCount { of, op, limit }, fail),
            _ => {
                let a = self.number(&Expr::Count(Box::new(of.clone())))?;
                let b = self.compute_number(NumberOp::Const { value: limit });
                self.check(Test::Compare { a, op, b }, fail);
            }
        }
        Ok(())
    }

    fn exactly(&mut self, set: &Expr, members: &[VarId], fail: Label) -> Result<(), NoPlan> {
        let count = Expr::Number(members.len() as u32);
        self.test(&Condition::Compare(Expr::Count(Box::new(set.clone())), Comparison::Equal, count), fail)?;
        self.just(set, members, fail)
    }

    /// Tests that a set holds exactly these, if it has as many members.
    pub fn just(&mut self, set: &Expr, members: &[VarId], fail: Label) -> Result<(), NoPlan> {
        let members: Vec<Expr> = members.iter().map(|&member| Expr::Var(member)).collect();
        self.set_test(SetTest::Equal, set, &Expr::Union(members), fail)
    }

    fn non_empty(&mut self, x: &Expr, want: bool, fail: Label) -> Result<(), NoPlan> {
        let set = self.set(x)?;
        self.check(Test::NonEmpty { set, want }, fail);
        Ok(())
    }

    fn options(&mut self, side: &Side, lacks: bool, digits: &Expr, fail: Label) -> Result<(), NoPlan> {
        let (cells, digits) = (self.cells(&side.cells)?, self.digits(digits)?);
        self.check(Test::Options { every: is_every(side), cells, lacks, digits }, fail);
        Ok(())
    }

    fn lie(&mut self, a: &Expr, how: Incidence, b: &Expr, fail: Label) -> Result<(), NoPlan> {
        if how == Incidence::Avoiding {
            let (a, b) = (self.cells(a)?, self.cells(b)?);
            self.check(Test::Sets { test: SetTest::Disjoint, a: Set::C(a), b: Set::C(b) }, fail);
            return Ok(());
        }
        let left = self.houses(a)?;
        if !self.known.may_be_no_house(a) && !self.known.may_be_no_house(b) {
            let allowed = self.lying(how, b)?;
            self.check(Test::Sets { test: SetTest::Within, a: Set::H(left), b: Set::H(allowed) }, fail);
            return Ok(());
        }
        // It is said of each house on the left and to each on the right, so of none it is true.
        let done = self.label();
        if self.known.may_be_no_house(b) {
            let right = Set::H(self.houses(b)?);
            self.check(Test::NonEmpty { set: right, want: true }, done);
        }
        self.scoped(|this| {
            let allowed = this.lying(how, b)?;
            let others = this.op(SetOp::Minus, Set::H(left), Set::H(allowed));
            this.check(Test::NonEmpty { set: others, want: false }, fail);
            Ok::<(), NoPlan>(())
        })?;
        self.set_label(done);
        Ok(())
    }

    /// The houses that lie in this way to `b`.
    pub fn lying(&mut self, how: Incidence, b: &Expr) -> Result<u16, NoPlan> {
        match how {
            Incidence::Crossing | Incidence::Parallel => {
                let (houses, parallel) = (self.houses(b)?, how == Incidence::Parallel);
                Ok(self.compute_houses(HouseOp::Lines { parallel, houses }))
            }
            Incidence::Meeting | Incidence::Through | Incidence::Avoiding => {
                let (class, cells, every) = (HouseClass::Any, self.cells(b)?, how == Incidence::Through);
                Ok(self.compute_houses(HouseOp::Of { class, every, cells }))
            }
        }
    }

    fn conjugate(&mut self, digit: &Expr, a: &Expr, b: &Expr, fail: Label) -> Result<(), NoPlan> {
        let Some(digit) = self.single(digit) else { return Err(NoPlan::LinkOfTwoDigits) };
        let (Some(cell), Some(_)) = (self.single(a), self.single(b)) else {
            let (a, b) = (self.cells(a)?, self.cells(b)?);
            self.check(Test::Conjugate { digit, a, b }, fail);
            return Ok(());
        };
        let to = self.compute_cells(CellOp::Partners { digit, cell });
        let b = self.cells(b)?;
        self.check(Test::Sets { test: SetTest::Within, a: Set::C(b), b: Set::C(to) }, fail);
        Ok(())
    }

    fn any(&mut self, parts: &[Condition], fail: Label) -> Result<(), NoPlan> {
        let done = self.label();
        for (i, part) in parts.iter().enumerate() {
            if i + 1 == parts.len() {
                self.scoped(|this| this.test(part, fail))?;
            } else {
                let next = self.label();
                self.scoped(|this| this.test(part, next))?;
                self.emit(Instr::Jump { label: done });
                self.set_label(next);
            }
        }
        self.set_label(done);
        Ok(())
    }

    fn negated(&mut self, part: &Condition, fail: Label) -> Result<(), NoPlan> {
        let done = self.label();
        self.test(part, done)?;
        self.emit(Instr::Jump { label: fail });
        self.set_label(done);
        Ok(())
    }

    fn for_all(&mut self, index: VarId, of: &Expr, part: &Condition, fail: Label) -> Result<(), NoPlan> {
        if let Condition::Or(parts) = part {
            let (inside, mut all): (Vec<_>, Vec<_>) =
                parts.iter().cloned().partition(|part| part.free_names().contains(&index));
            // What does not speak of the running name is asked once.
            if !inside.is_empty() && !all.is_empty() {
                all.push(Condition::ForAll(index, of.clone(), Box::new(Condition::Or(inside))));
                return self.any(&all, fail);
            }
        }
        let done = self.label();
        let next = self.each(index, of, done)?;
        let outer = std::mem::replace(&mut self.fail, fail);
        self.test(part, fail)?;
        self.fail = outer;
        self.emit(Instr::Jump { label: next });
        self.set_label(done);
        self.slots[index.0] = None;
        Ok(())
    }

    fn exists(&mut self, index: VarId, of: &Expr, part: &Condition, fail: Label) -> Result<(), NoPlan> {
        let next = self.each(index, of, fail)?;
        self.of_one(index, part, next)
    }

    /// Asks a condition of the member that a loop has taken; where it does not hold, the loop goes on at `next`.
    pub fn of_one(&mut self, index: VarId, part: &Condition, next: Label) -> Result<(), NoPlan> {
        let outer = std::mem::replace(&mut self.fail, next);
        self.test(part, next)?;
        self.fail = outer;
        self.slots[index.0] = None;
        Ok(())
    }

    /// Starts a loop of `var` over a set; returns the label that takes the next member, `done` is where it ends.
    pub fn each(&mut self, var: VarId, of: &Expr, done: Label) -> Result<Label, NoPlan> {
        let of = self.expr(of)?;
        let set = self.set_of(of)?;
        Ok(self.each_of(var, set, done))
    }

    /// The same over a set in a register.
    pub fn each_of(&mut self, var: VarId, set: Set, done: Label) -> Label {
        let rest = self.set_like(set);
        let (value, one) = (self.value_reg(), self.set_like(set));
        self.emit(Instr::Start(Choice::Each { set, rest }));
        let next = self.label();
        self.set_label(next);
        self.emit(Instr::Next { of: Next::Each { rest, value, one }, fail: done });
        self.slots[var.0] = Some(Slot::One { value, set: one });
        next
    }

    /// The register type that things of a kind live in.
    pub fn set_for(&mut self, kind: Kind) -> Result<Set, NoPlan> {
        match kind {
            Kind::Cell => Ok(Set::C(self.cell_reg())),
            Kind::Digit => Ok(Set::D(self.digit_reg())),
            Kind::House(_) => Ok(Set::H(self.house_reg())),
            _ => Err(NoPlan::Unchoosable),
        }
    }
}

fn is_every(side: &Side) -> bool {
    side.quantifier == Quantifier::Every
}
