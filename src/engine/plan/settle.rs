//! What is possible as soon as a name has its value. In: a compiler and the name. Out: definitions, tests, targets and early
//! looks at what is still to be chosen.

use super::build::{NoPlan, Slot};
use super::compile::Compiler;
use super::operators::Test;
use crate::lang::ir::{Comparison, Condition, Expr, Kind, PredicateId, VarId, VarShape};

impl Compiler<'_> {
    /// After a name got its value: definitions, tests, targets and early looks that are possible now.
    pub fn settle(&mut self, new: Option<VarId>) -> Result<(), NoPlan> {
        self.tests(LONG - 1)?;
        // One definition may give another, written before it, its value.
        let mut before = None;
        while before.replace(self.bound) != Some(self.bound) {
            self.definitions()?;
        }
        self.tests(LONG)?;
        let bound = self.bound;
        self.targets.advance(&mut self.builder, &|var| bound >> var.0 & 1 == 1)?;
        if new.is_some() {
            self.forward_check()?
        }
        Ok(())
    }

    /// Every definition that is possible now.
    fn definitions(&mut self) -> Result<(), NoPlan> {
        for (var, value) in &self.constraints.lets {
            if !self.is_bound(*var) && self.all_bound(&value.names()) {
                let operand = self.builder.expr(value)?;
                self.builder.slots[var.0] = Some(Slot::Many(operand));
                self.bound |= 1 << var.0;
                // What is tested may make a definition needless, so each comes after the tests before it.
                self.tests(LONG - 1)?;
            }
        }
        Ok(())
    }

    /// Every test of at most this weight whose names have values and that was not made yet.
    fn tests(&mut self, most: u8) -> Result<(), NoPlan> {
        let ready = |&index: &usize| {
            let one = &self.constraints.list[index];
            !self.done[index] && weight(&one.condition) <= most && self.all_bound(&one.names)
        };
        let mut ready: Vec<usize> = (0..self.constraints.list.len()).filter(ready).collect();
        ready.sort_by_key(|&index| weight(&self.constraints.list[index].condition));
        for index in ready {
            self.done[index] = true;
            let fail = self.builder.fail;
            match &self.constraints.list[index].condition {
                // How many there are is a condition of its own, which comes before.
                Condition::Exactly(set, members) => self.builder.just(set, members, fail)?,
                condition => self.builder.test(condition, fail)?,
            }
        }
        Ok(())
    }

    /// Fails early where a cell that is still to be chosen has no place left.
    fn forward_check(&mut self) -> Result<(), NoPlan> {
        for index in 0..self.builder.variant.vars.len() {
            let var = VarId(index);
            let declared = self.builder.variant.var(var);
            if self.is_bound(var) {
                continue;
            }
            if declared.shape == VarShape::Set {
                self.forward_check_set(var)?;
                continue;
            }
            if declared.shape != VarShape::Single || declared.kind != Kind::Cell {
                continue;
            }
            let found = self.narrowings(var);
            if found.len() > 1
                && let Some(domain) = self.early_domain(var, &found)?
            {
                let fail = self.builder.fail;
                self.builder.check(Test::NonEmpty { set: domain, want: true }, fail);
            }
        }
        Ok(())
    }

    /// Fails early where a set that is still to be chosen has fewer to choose from than it needs.
    fn forward_check_set(&mut self, var: VarId) -> Result<(), NoPlan> {
        let Some(set) = self.constraints.sets.iter().find(|set| set.var == var) else { return Ok(()) };
        let plain = super::sorts::sort(&self.constraints.list, var).is_none();
        let low = self.builder.known.size(&Expr::Var(set.var)).0;
        if low == 0 || !plain {
            return Ok(());
        }
        let found = self.narrowings(var);
        if let Some(domain) = self.early_domain(var, &found)? {
            let fail = self.builder.fail;
            if low == 1 {
                self.builder.check(Test::NonEmpty { set: domain, want: true }, fail);
            } else {
                let (op, limit) = (Comparison::GreaterEqual, low as i32);
                self.builder.check(Test::CompareCount { of: domain, op, limit }, fail);
            }
        }
        Ok(())
    }
}

/// The weight of what takes so long that definitions come before it: others may need these.
const LONG: u8 = 2;

/// What takes longer to test comes later.
fn weight(condition: &Condition) -> u8 {
    match condition {
        Condition::ForAll(..) | Condition::Exists(..) | Condition::And(_) | Condition::Or(_) => LONG,
        Condition::Predicate(PredicateId::Closed | PredicateId::ClosedBetween, ..) | Condition::Connected(_) => 1,
        _ => 0,
    }
}
