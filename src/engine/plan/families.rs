//! Choosing a family: one cell, or one almost locked set, for each index. In: its declaration and what is known. Out: a loop that collects
//! the cells each member may be, then the walk through their combinations, then what is left to test.

use super::build::{NoPlan, Slot};
use super::compile::Compiler;
use super::constraints::Family;
use super::constraints::Size;
use super::instr::{Instr, Set};
use super::operators::{Choice, Next};
use super::program::{FamilySpec, SetFamily};
use super::{locked, sorts};
use crate::engine::bounds::EstimatedNarrowing;
use crate::lang::ir::{Condition, Expr, Kind, VarId};

impl Compiler<'_> {
    /// Writes the choice of a family.
    pub fn family(&mut self, var: VarId) -> Result<(), NoPlan> {
        let family =
            self.constraints.families.iter().find(|family| family.var == var).ok_or(NoPlan::FamilyWithoutFor)?.clone();
        let number = self.builder.program.families.len();
        let target = match family.size {
            Some(_) => self.targets.for_set(&self.builder, var),
            None => self.targets.for_family(&self.builder, var, &family.conditions),
        };
        self.builder.program.families.push(FamilySpec { by_cell: false, sets: None, target });
        self.builder.emit(Instr::Start(Choice::Family { family: number }));
        let union = self.builder.cell_reg();
        let fail = self.builder.fail;
        let residual = self.scoped(|this| match &family.size {
            Some(size) => this.set_members(&family, number, size),
            None => this.members(&family, number),
        })?;
        let next = self.builder.label();
        self.builder.set_label(next);
        self.builder.emit(Instr::Next { of: Next::Family { family: number, union }, fail });
        self.builder.fail = next;
        self.builder.slots[var.0] = Some(Slot::Family { family: number, union });
        let name = self.builder.variant.var(var).name.clone();
        let what = if family.size.is_some() { "set" } else { "cell" };
        self.builder.note(format!("{name}: one {what} per index, the rarest index first"));
        for condition in residual {
            let fail = self.builder.fail;
            self.builder.test(&condition, fail)?;
        }
        Ok(())
    }

    /// The loop that collects the cells each member may be; returns the conditions still to be tested.
    fn members(&mut self, family: &Family, number: usize) -> Result<Vec<Condition>, NoPlan> {
        let done = self.builder.label();
        let again = self.builder.each(family.index, &family.of, done)?;
        self.bound |= 1 << family.index.0;
        self.builder.program.families[number].by_cell = self.by_cell(family);
        let mut found = Vec::new();
        let mut residual = Vec::new();
        for constraint in &family.conditions {
            let bound = |name: VarId| self.is_bound(name);
            let narrowed = constraint.narrowing(self.builder.known, &bound, family.var);
            if !narrowed.iter().any(|one| one.implies_condition) {
                residual.push(per_member(family, &constraint.condition));
            }
            found.extend(narrowed);
        }
        let mut order: Vec<&EstimatedNarrowing> = found.iter().collect();
        order.sort_by(|a, b| a.share.total_cmp(&b.share));
        let domain = self.intersect(family.var, None, &order)?;
        let (Set::C(domain), Ok(index)) = (domain, self.builder.value_of(family.index)) else {
            return Err(NoPlan::FamilyMemberKind);
        };
        let fail = self.builder.fail;
        self.builder.emit(Instr::AddMember { family: number, index, domain, fail });
        self.builder.emit(Instr::Jump { label: again });
        self.builder.set_label(done);
        self.builder.slots[family.index.0] = None;
        self.bound &= !(1 << family.index.0);
        Ok(residual)
    }
}

impl Compiler<'_> {
    fn by_cell(&self, family: &Family) -> bool {
        self.builder.variant.var(family.index).kind == Kind::Cell
    }

    /// The loop that collects the sets each member may be; returns the conditions still to be tested.
    fn set_members(&mut self, family: &Family, number: usize, size: &Size) -> Result<Vec<Condition>, NoPlan> {
        let sort = sorts::sort(&family.conditions, family.var).ok_or(NoPlan::FamilyMemberSize)?;
        let impossible = self.builder.fail;
        let done = self.builder.label();
        let again = self.builder.each(family.index, &family.of, done)?;
        self.bound |= 1 << family.index.0;
        self.builder.fail = again;
        let (spec, said) = locked::spec(self, family.var, sort, size, &family.conditions)?;
        let mut residual = Vec::new();
        let mut apart = false;
        for (at, constraint) in family.conditions.iter().enumerate() {
            if constraint.condition == pairwise(family.var) {
                apart = true;
            } else if constraint.names.contains(&family.var) && !said.contains(&at) {
                residual.push(per_member(family, &constraint.condition));
            } else if !said.contains(&at) {
                // What is said of the index alone must hold for every one.
                self.builder.test(&constraint.condition, impossible)?;
            }
        }
        for at in 0..self.constraints.list.len() {
            if self.constraints.list[at].condition == pairwise(family.var) {
                apart = true;
                self.done[at] = true;
            }
        }
        let locked = self.builder.program.locked.len();
        self.builder.program.locked.push(spec);
        self.builder.program.families[number].sets = Some(SetFamily { locked, apart });
        self.builder.program.families[number].by_cell = self.by_cell(family);
        let index = self.builder.value_of(family.index)?;
        self.builder.emit(Instr::AddSets { family: number, index, locked, fail: impossible });
        self.builder.emit(Instr::Jump { label: again });
        self.builder.set_label(done);
        self.builder.fail = impossible;
        self.builder.slots[family.index.0] = None;
        self.bound &= !(1 << family.index.0);
        Ok(residual)
    }
}

/// `disjoint` said of the members of a family.
fn pairwise(family: VarId) -> Condition {
    Condition::Disjoint(Expr::Var(family), Expr::Var(family))
}

fn per_member(family: &Family, condition: &Condition) -> Condition {
    let member =
        condition.map_exprs(&|expr| (*expr == Expr::Var(family.var)).then_some(Expr::Member(family.var, family.index)));
    Condition::ForAll(family.index, family.of.clone(), Box::new(member))
}
