//! Sets of candidates, members with a condition, ways to fill. In: expressions. Out: code.
//!
//! Where the candidates are nouns `D in C` they stay pairs of registers; set operators, and loops, need them in a
//! register of their own.

use super::build::{Builder, NoPlan, Operand, Slot};
use super::constraints::{Constraint, split};
use super::instr::{Candidates, Instr, Label, Noun, Reg, Set, SetOp, SetTest};
use super::operators::{CellOp, MarkOp, Test};
use crate::engine::bounds::{EstimatedNarrowing, Narrowing};
use crate::lang::ir::{Condition, Expr, Kind, Origin, VarId, VarShape};

impl Builder<'_> {
    pub fn candidate_reg(&mut self) -> Reg {
        self.program.registers.candidates += 1;
        self.program.registers.candidates - 1
    }

    /// The same computation is done once.
    pub fn compute_candidates(&mut self, op: MarkOp) -> Reg {
        self.once(|to| Instr::Marks { to, op: op.clone() }, Self::candidate_reg)
    }

    /// Nouns in a register of their own.
    pub fn marks(&mut self, nouns: &[Noun]) -> Set {
        Set::P(self.compute_candidates(MarkOp::Nouns { nouns: nouns.to_vec() }))
    }

    /// A set in a register, candidates as candidates.
    pub fn set_of(&mut self, operand: Operand) -> Result<Set, NoPlan> {
        match operand {
            Operand::Set(set) => Ok(set),
            Operand::Nouns(nouns) => Ok(self.marks(&nouns)),
            Operand::Number(_) => Err(NoPlan::NeedsSet),
        }
    }

    /// Candidates for a conclusion.
    pub fn candidates(&mut self, expr: &Expr) -> Result<Candidates, NoPlan> {
        match self.expr(expr)? {
            Operand::Nouns(nouns) => Ok(Candidates::Nouns(nouns)),
            Operand::Set(Set::P(reg)) => Ok(Candidates::Set(reg)),
            _ => Err(NoPlan::Needs("candidates")),
        }
    }

    /// Both sides in registers of one type: candidates against candidates, else a noun stands for its cells.
    pub fn two_sets(&mut self, a: &Expr, b: &Expr) -> Result<(Set, Set), NoPlan> {
        let (left, right) = (self.expr(a)?, self.expr(b)?);
        let candidates = |one: &Operand| matches!(one, Operand::Nouns(_) | Operand::Set(Set::P(_)));
        if candidates(&left) && candidates(&right) {
            return Ok((self.set_of(left)?, self.set_of(right)?));
        }
        Ok((self.set(a)?, self.set(b)?))
    }

    /// A test of two sets; nouns are compared without a register of their own, those of one digit by their cells.
    pub fn set_test(&mut self, test: SetTest, a: &Expr, b: &Expr, fail: u16) -> Result<(), NoPlan> {
        if let (Operand::Nouns(a), Operand::Nouns(b)) = (self.expr(a)?, self.expr(b)?) {
            let digit = a.first().map(|noun| noun.0).filter(|&digit| self.one_digit(digit).is_some());
            let test = match digit {
                Some(digit) if a.iter().chain(&b).all(|noun| noun.0 == digit) => {
                    let [a, b] = [self.cells_of_nouns(&a)?, self.cells_of_nouns(&b)?].map(Set::C);
                    Test::Sets { test, a, b }
                }
                _ => Test::Nouns { test, a, b },
            };
            self.check(test, fail);
            return Ok(());
        }
        let (a, b) = self.two_sets(a, b)?;
        self.check(Test::Sets { test, a, b }, fail);
        Ok(())
    }

    pub fn cells_of_marks(&mut self, of: Reg) -> Reg {
        self.compute_cells(CellOp::OfMarks { of })
    }

    /// Forms that have to do with candidates and with filling.
    pub fn candidate_expr(&mut self, expr: &Expr) -> Result<Operand, NoPlan> {
        let set = match expr {
            Expr::Filter { var, set: of, condition: when } => return self.those(*var, of, when),
            Expr::Overlap(of) => {
                let houses = self.houses(of)?;
                Set::C(self.compute_cells(CellOp::Overlap { houses }))
            }
            Expr::InNoTemplate(of) => {
                let of = self.set(of)?;
                Set::P(self.compute_candidates(MarkOp::InNone { of }))
            }
            Expr::InEveryTemplate(of) => {
                let digits = self.digits(of)?;
                Set::P(self.compute_candidates(MarkOp::InEvery { digits }))
            }
            _ => return Err(NoPlan::ExpressionWithoutValue),
        };
        Ok(Operand::Set(set))
    }

    fn those(&mut self, var: VarId, of: &Expr, when: &Condition) -> Result<Operand, NoPlan> {
        let (from, rest) = self.those_at_once(var, of, when)?;
        Ok(Operand::Set(match rest {
            Some(rest) => self.filtered(var, from, &rest)?,
            None => from,
        }))
    }

    /// Goes to `fail` unless there are some members with a condition: the first will do.
    pub fn some_of_those(&mut self, var: VarId, of: &Expr, when: &Condition, fail: Label) -> Result<(), NoPlan> {
        let (mut from, mut rest) = self.those_at_once(var, of, when)?;
        if let Some(when) = &rest {
            (from, rest) = self.taken_together(var, from, when)?;
        }
        let Some(rest) = rest else {
            self.check(Test::NonEmpty { set: from, want: true }, fail);
            return Ok(());
        };
        let next = self.each_of(var, from, fail);
        self.scoped(|this| this.of_one(var, &rest, next))
    }

    /// What is left of a set by what can be said of all its members at once, and what is to be asked of one after the other.
    fn those_at_once(&mut self, var: VarId, of: &Expr, when: &Condition) -> Result<(Set, Option<Condition>), NoPlan> {
        let unsolved = self.unsolved(of);
        let of = self.expr(of)?;
        let mut from = self.set_of(of)?;
        let mut rest = Vec::new();
        for part in split(when) {
            match self.at_once(var, &part).filter(|_| unsolved && matches!(from, Set::C(_))) {
                Some(how) => {
                    let (op, set) = self.narrowed(&how)?;
                    from = self.op(op, from, set);
                }
                None => rest.push(part),
            }
        }
        Ok((from, (!rest.is_empty()).then_some(Condition::And(rest))))
    }

    /// Whether cells are surely unsolved. A solved cell has its value as a candidate where one cell is asked, but is among
    /// the places of no digit.
    fn unsolved(&self, cells: &Expr) -> bool {
        match cells {
            Expr::AllCells | Expr::CellsOf(_) | Expr::Seeing { .. } => true,
            Expr::Var(name) => {
                let var = self.variant.var(*name);
                let chosen = var.kind == Kind::Cell && matches!(var.origin, Origin::Chosen | Origin::Pattern);
                chosen || self.variant.definition(*name).is_some_and(|value| self.unsolved(value))
            }
            Expr::Intersection(a, b) => self.unsolved(a) || self.unsolved(b),
            Expr::Difference(all, _) | Expr::Filter { set: all, .. } => self.unsolved(all),
            Expr::Union(parts) => parts.iter().all(|part| self.unsolved(part)),
            _ => false,
        }
    }

    /// How a condition on one member of a set narrows the set as a whole, if that says all of it.
    fn at_once(&self, var: VarId, part: &Condition) -> Option<Narrowing> {
        let bound = |name: VarId| name != var && self.slots[name.0].is_some();
        let found = Constraint::new(part.clone()).narrowing(self.known, &bound, var);
        let says = |one: &EstimatedNarrowing| one.implies_condition && !matches!(one.narrowing, Narrowing::Filter(..));
        found.into_iter().find(says).map(|one| one.narrowing)
    }

    /// Leaves the digits or houses of which some parts of a condition hold, where that can be worked out for all at once;
    /// and the other parts. (Of cells it is said of the unsolved ones, and there may be others.)
    fn taken_together(
        &mut self,
        var: VarId,
        mut from: Set,
        when: &Condition,
    ) -> Result<(Set, Option<Condition>), NoPlan> {
        let declared = self.variant.var(var);
        if declared.shape != VarShape::Single || !matches!(declared.kind, Kind::Digit | Kind::House(_)) {
            return Ok((from, Some(when.clone())));
        }
        let mut left = Vec::new();
        for part in split(when) {
            match self.at_once(var, &part) {
                Some(how) => {
                    let (op, set) = self.narrowed(&how)?;
                    from = self.op(op, from, set);
                }
                None => left.push(part),
            }
        }
        let rest = if left.len() > 1 { Some(Condition::And(left)) } else { left.pop() };
        Ok((from, rest))
    }

    /// The members of a set for which a condition on the running name holds.
    pub fn filtered(&mut self, var: VarId, from: Set, when: &Condition) -> Result<Set, NoPlan> {
        let (from, when) = self.taken_together(var, from, when)?;
        let Some(when) = &when else { return Ok(from) };
        let kept = self.set_like(from);
        // A loop around this one left members behind.
        self.emit(Instr::Combine { op: SetOp::Minus, to: kept, a: kept, b: kept });
        let memory = self.memory();
        let done = self.label();
        let next = self.each_of(var, from, done);
        let Some(Slot::One { set: one, .. }) = self.slots[var.0].clone() else {
            return Err(NoPlan::RunningName);
        };
        let outer = std::mem::replace(&mut self.fail, next);
        self.test(when, next)?;
        self.fail = outer;
        self.emit(Instr::Combine { op: SetOp::Or, to: kept, a: kept, b: one });
        self.emit(Instr::Jump { label: next });
        self.set_label(done);
        self.slots[var.0] = None;
        self.recall(memory);
        Ok(kept)
    }
}
