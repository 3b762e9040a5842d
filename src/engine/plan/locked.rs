//! Choosing an almost locked set. In: the declaration and what is known. Out: a loop over the sets of the state with
//! the conditions that can be decided by masks as its filter; the rest is tested afterwards as for any name.

use super::build::{NoPlan, Operand, Slot};
use super::compile::Compiler;
use super::constraints::{Constraint, Size};
use super::instr::{Instr, Reg};
use super::linked_sets::digit_and_set;
use super::operators::{Choice, Next};
use super::program::{AlsBase, AlsFilter, AlsSpec, SetKind};
use crate::engine::bounds::NO_LIMIT;
use crate::lang::ir::{Condition, Expr, Operand as Side, PredicateId, Quantifier, VarId};

/// Writes the choice of a set.
pub(super) fn bind(compiler: &mut Compiler<'_>, var: VarId, sort: SetKind, size: &Size) -> Result<(), NoPlan> {
    let conditions = compiler.constraints.list.clone();
    let (mut spec, said) = spec(compiler, var, sort, size, &conditions)?;
    said.into_iter().for_each(|index| compiler.done[index] = true);
    for &(a, b) in &compiler.order_pairs {
        match (a == var, b == var) {
            (true, _) => spec.filters.extend(compiler.locked_of(b).map(AlsFilter::Before)),
            (_, true) => spec.filters.extend(compiler.locked_of(a).map(AlsFilter::After)),
            _ => {}
        }
    }
    for end in compiler.constraints.ends.iter().filter(|end| end.cells == var && compiler.is_bound(end.digit)) {
        spec.filters.extend(compiler.builder.single(&Expr::Var(end.digit)).map(AlsFilter::End));
    }
    let name = compiler.builder.variant.var(var).name.clone();
    let what = match sort {
        SetKind::Locked(over) => format!("a set with {over} more digits than cells"),
        SetKind::Group => "a group".to_string(),
    };
    compiler.builder.note(format!("{name}: {what}, {} filter(s)", spec.filters.len()));
    let locked = compiler.builder.program.locked.len();
    compiler.builder.program.locked.push(spec);
    compiler.locked.push((var, locked));
    compiler.builder.emit(Instr::Start(Choice::Locked { locked }));
    let next = compiler.builder.label();
    compiler.builder.set_label(next);
    let (to, fail) = (compiler.builder.cell_reg(), compiler.builder.fail);
    compiler.builder.emit(Instr::Next { of: Next::Locked { locked, to }, fail });
    compiler.builder.fail = next;
    compiler.builder.slots[var.0] = Some(Slot::Many(Operand::Set(super::instr::Set::C(to))));
    Ok(())
}

/// The filter of a choice from conditions about [`Expr::Var`] of `var`, and which of them it says in full.
pub(super) fn spec(
    compiler: &mut Compiler<'_>,
    var: VarId,
    sort: SetKind,
    size: &Size,
    conditions: &[Constraint],
) -> Result<(AlsSpec, Vec<usize>), NoPlan> {
    let number = |expr: &Expr| compiler.builder.count(expr, "how many cells an almost locked set has");
    let (low, high) = (number(&size.0)?, size.1.as_ref().map(number).transpose()?);
    let target = compiler.targets.for_set(&compiler.builder, var);
    let mut spec = AlsSpec { sort, low, high, base: AlsBase::All, filters: Vec::new(), target };
    let mut said = Vec::new();
    let mut writer = Writer { compiler, var, spec: &mut spec };
    for (index, one) in conditions.iter().enumerate() {
        let ready = one.names.iter().all(|&name| name == var || writer.compiler.is_bound(name));
        if ready && one.names.contains(&var) && writer.filter(&one.condition)? {
            said.push(index);
        }
    }
    Ok((spec, said))
}

struct Writer<'w, 'a> {
    compiler: &'w mut Compiler<'a>,
    var: VarId,
    spec: &'w mut AlsSpec,
}

impl Writer<'_, '_> {
    fn is(&self, expr: &Expr) -> bool {
        expr.is(self.var)
    }

    fn free(&self, expr: &Expr) -> bool {
        expr.names().iter().all(|&name| self.compiler.is_bound(name))
    }

    fn push(&mut self, filter: AlsFilter) -> Result<bool, NoPlan> {
        self.spec.filters.push(filter);
        Ok(true)
    }

    /// Adds a condition to the filter; `false` where masks cannot decide it.
    fn filter(&mut self, condition: &Condition) -> Result<bool, NoPlan> {
        match condition {
            Condition::AlmostLocked(of, over) => Ok(self.is(of) && SetKind::Locked(*over) == self.spec.sort),
            Condition::Predicate(PredicateId::Group, args, _) => {
                Ok(self.is(&args[0]) && self.spec.sort == SetKind::Group)
            }
            Condition::NotEmpty(noun) => self.digits(noun, true),
            Condition::No(noun) => self.digits(noun, false),
            Condition::Not(part) => match part.as_ref() {
                Condition::NotEmpty(noun) => self.digits(noun, false),
                Condition::No(noun) => self.digits(noun, true),
                Condition::Equal(a, b) => self.differs(a, b),
                _ => Ok(false),
            },
            Condition::Lacks(side, digits) if self.is(&side.cells) && every(side) && self.free(digits) => {
                let digits = self.compiler.builder.digits(digits)?;
                self.push(AlsFilter::Avoids(digits))
            }
            Condition::Within(digits, Expr::Digits(of)) if self.is(of) && self.free(digits) => self.has(digits),
            Condition::Compare(..) => Ok(self.counts(condition)),
            Condition::Equal(a, b) => {
                self.covers(a, b)?;
                Ok(false)
            }
            Condition::Within(a, b) if self.is(a) && self.free(b) => {
                let cells = self.compiler.builder.cells(b)?;
                self.push(AlsFilter::Inside(cells))
            }
            Condition::Disjoint(a, b) => match (self.is(a) && self.free(b), self.is(b) && self.free(a)) {
                (true, _) => self.apart(b),
                (_, true) => self.apart(a),
                _ => Ok(false),
            },
            Condition::Sees(a, b) if every(a) && every(b) => {
                Ok(self.sees(&a.cells, &b.cells)? || self.sees(&b.cells, &a.cells)?)
            }
            _ => Ok(false),
        }
    }

    /// How many cells the set has.
    fn counts(&mut self, condition: &Condition) -> bool {
        let (mut all, mut range) = (false, (0, NO_LIMIT));
        self.compiler.builder.known.count_claims(condition, &mut |said| {
            if self.is(said.set) && !said.counts_candidates {
                (all, range) = (all || said.implies_condition, (range.0.max(said.range.0), range.1.min(said.range.1)));
            }
        });
        self.spec.low = self.spec.low.max(range.0);
        let high = self.spec.high.map_or(range.1, |high| high.min(range.1));
        self.spec.high = Some(high).filter(|&high| high < NO_LIMIT);
        all
    }

    /// Whether the set has one (none) of some digits.
    fn digits(&mut self, noun: &Expr, wanted: bool) -> Result<bool, NoPlan> {
        let Expr::CandidatesIn(digits, cells) = noun else { return Ok(false) };
        if !self.is(cells) || !self.free(digits) {
            return Ok(false);
        }
        if let Some(digit) = self.compiler.builder.single(digits).filter(|_| wanted)
            && self.spec.base == AlsBase::All
        {
            self.spec.base = AlsBase::With(digit);
        }
        let digits = self.compiler.builder.digits(digits)?;
        self.push(if wanted { AlsFilter::Meets(digits) } else { AlsFilter::Avoids(digits) })
    }

    /// `(d in X) = (d in P, Q)`: the set has every place of d in X that the others do not have.
    fn covers(&mut self, a: &Expr, b: &Expr) -> Result<(), NoPlan> {
        let (Expr::CandidatesIn(digit, whole), Expr::CandidatesIn(same, parts)) = (a, b) else { return Ok(()) };
        let Expr::Union(parts) = parts.as_ref() else { return Ok(()) };
        let others: Vec<Expr> = parts.iter().filter(|part| !self.is(part)).cloned().collect();
        let Some(value) = self.compiler.builder.single(digit).filter(|_| digit == same && others.len() < parts.len())
        else {
            return Ok(());
        };
        let places = Expr::CellsOf(Box::new(Expr::CandidatesIn(digit.clone(), whole.clone())));
        let rest = self.compiler.builder.cells(&Expr::Difference(Box::new(places), Box::new(Expr::Union(others))))?;
        self.push(AlsFilter::Covers(value, rest)).map(|_| ())
    }

    /// The set has a digit, if the name stands for one.
    fn has(&mut self, digits: &Expr) -> Result<bool, NoPlan> {
        let Some(digit) = self.compiler.builder.single(digits) else { return Ok(false) };
        if self.spec.base == AlsBase::All {
            self.spec.base = AlsBase::With(digit);
        }
        let digits = self.compiler.builder.digits(digits)?;
        self.push(AlsFilter::Meets(digits))
    }

    fn differs(&mut self, a: &Expr, b: &Expr) -> Result<bool, NoPlan> {
        let other = match (a.as_var(), b.as_var()) {
            (Some(a), Some(b)) if a == self.var => b,
            (Some(a), Some(b)) if b == self.var => a,
            _ => return Ok(false),
        };
        match self.compiler.locked_of(other).filter(|&locked| self.same_sort(locked)) {
            Some(locked) => self.push(AlsFilter::Differs(locked)),
            None => Ok(false),
        }
    }

    fn same_sort(&self, locked: usize) -> bool {
        self.compiler.builder.program.locked[locked].sort == self.spec.sort
    }

    fn apart(&mut self, other: &Expr) -> Result<bool, NoPlan> {
        let cells = self.compiler.builder.cells(other)?;
        self.push(AlsFilter::Apart(cells))
    }

    /// The cells of the set that have a digit, or all of them, see every cell of `other`.
    fn sees(&mut self, mine: &Expr, other: &Expr) -> Result<bool, NoPlan> {
        if !self.free(other) {
            return Ok(false);
        }
        if self.is(mine) {
            let reach = self.compiler.builder.seeing(true, other)?;
            return self.push(AlsFilter::Inside(reach));
        }
        let Some(digit) = self.places(mine, self.var) else { return Ok(false) };
        if let Some(locked) = self.linked_choice(mine, other) {
            return self.push(AlsFilter::LinkedTo(digit, locked));
        }
        let reach = self.compiler.builder.seeing(true, other)?;
        self.push(AlsFilter::Sees(digit, reach))
    }

    /// Returns the choice of the set B for `cells(d in A)` and `cells(d in B)`, if the rule says that both sets have d.
    fn linked_choice(&self, mine: &Expr, other: &Expr) -> Option<usize> {
        let ((digit, _), (same, set)) = (digit_and_set(mine)?, digit_and_set(other)?);
        let has_digit = |set: VarId| self.compiler.has(digit, set);
        let locked = self.compiler.locked_of(set)?;
        (digit == same && has_digit(self.var) && has_digit(set) && self.same_sort(locked)).then_some(locked)
    }

    /// The digit d of `cells(d in of)`, if it has its value.
    fn places(&self, expr: &Expr, of: VarId) -> Option<Reg> {
        let Expr::CellsOf(noun) = expr else { return None };
        let Expr::CandidatesIn(digit, cells) = noun.as_ref() else { return None };
        cells.is(of).then(|| self.compiler.builder.single(digit)).flatten()
    }
}

fn every(side: &Side) -> bool {
    side.quantifier == Quantifier::Every
}

impl Compiler<'_> {
    /// The choice that gave a name its set.
    pub fn locked_of(&self, var: VarId) -> Option<usize> {
        self.locked.iter().find(|(name, _)| *name == var).map(|(_, locked)| *locked)
    }
}
