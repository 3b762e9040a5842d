//! Names that are chosen together. In: a group of names that the board relates. Out: a choice by the rows of its table, and the
//! program that lists these; the table is filled once for a board.

use super::build::{Builder, NoPlan, Operand, Slot};
use super::compile::Compiler;
use super::constraints::Constraints;
use super::groups::{Group, is_fixed, said};
use super::instr::{Instr, Reg, Set};
use super::operators::{Choice, Next};
use super::order::{self, Item};
use super::program::{Column, Output, Program, RowsSpec};
use crate::lang::ir::{Expr, Kind, VarId, Variant};

impl Compiler<'_> {
    /// Chooses values for all names of a group that have none, by the rows of its table.
    pub fn rows(&mut self, group: &Group) -> Result<(), NoPlan> {
        let (known, open): (Vec<VarId>, Vec<VarId>) = group.names.iter().partition(|&&name| self.is_bound(name));
        let columns: Vec<VarId> = known.iter().chain(&open).copied().collect();
        let made = self.made(group);
        let program = Box::new(self.table(group, &columns, &made)?);
        let known_columns = known.iter().map(|&name| Ok(Column::Known(self.builder.value_of(name)?)));
        let mut specs = known_columns.collect::<Result<Vec<Column>, NoPlan>>()?;
        let mut to = Vec::new();
        for &name in &open {
            let mut found = self.narrowings(name);
            found.retain(|(at, _)| !group.conditions.contains(at));
            let domain = self.domain(name, &found)?;
            found.iter().filter(|(_, narrowed)| narrowed.implies_condition).for_each(|(at, _)| self.done[*at] = true);
            let from = self.without_others(name, domain, &group.names);
            self.note(name, &found);
            specs.push(Column::Chosen(from));
            to.push((self.builder.value_reg(), self.builder.set_like(from)));
        }
        let rows = self.builder.program.rows.len();
        self.builder.program.rows.push(RowsSpec { program, columns: specs });
        self.builder.emit(Instr::Start(Choice::Rows { rows }));
        let next = self.builder.label();
        self.builder.set_label(next);
        let fail = std::mem::replace(&mut self.builder.fail, next);
        for (&name, &(value, set)) in open.iter().zip(&to) {
            self.builder.slots[name.0] = Some(Slot::One { value, set });
            self.bound |= 1 << name.0;
        }
        let sets: Vec<Reg> = made.iter().map(|_| self.builder.cell_reg()).collect();
        for ((name, _), &reg) in made.iter().zip(&sets) {
            self.builder.slots[name.0] = Some(Slot::Many(Operand::Set(Set::C(reg))));
            self.bound |= 1 << name.0;
        }
        self.builder.emit(Instr::Next { of: Next::Row { rows, to, sets }, fail });
        group.conditions.iter().for_each(|&at| self.done[at] = true);
        open.iter().for_each(|&name| self.order_tests(name, &group.names));
        open.iter().try_for_each(|&name| self.settle(Some(name)))
    }

    /// The sets of cells that the rule defines by the names of a group alone, and what they are.
    fn made(&self, group: &Group) -> Vec<(VarId, Expr)> {
        let lets = &self.constraints.lets;
        let defined = |expr: &Expr| match expr {
            Expr::Var(name) => lets.iter().find(|(var, _)| var == name).map(|(_, value)| value.clone()),
            _ => None,
        };
        let whole = |value: &Expr| lets.iter().fold(value.clone(), |value, _| value.map(&defined));
        let cells = |name: VarId| self.builder.variant.var(name).kind == Kind::Cell && !self.is_bound(name);
        let all = lets.iter().filter(|(name, _)| cells(*name)).map(|(name, value)| (*name, whole(value)));
        all.filter(|(_, value)| is_fixed(value, &|name| group.names.contains(&name))).collect()
    }

    /// The program that lists the rows. Names that may change places are in order there as well.
    fn table(&self, group: &Group, columns: &[VarId], made: &[(VarId, Expr)]) -> Result<Program, NoPlan> {
        let variant = self.builder.variant;
        let bare = Variant { body: Vec::new(), conclusions: Vec::new(), guardians: Vec::new(), ..variant.clone() };
        let conditions = group.conditions.iter().map(|&at| said(&self.constraints.list[at]).clone());
        let constraints = Constraints { list: conditions.collect(), ..Constraints::default() };
        let builder = Builder::new(&bare, self.builder.known.args);
        let mut order = order::choose(&builder, &constraints, &[]);
        order.retain(|item| matches!(item, Item::Name(name) if group.names.contains(name)));
        let mut compiler = Compiler::new(builder, &constraints, &[]);
        compiler.order_pairs = self.order_pairs.clone();
        compiler.order_pairs.retain(|(a, b)| group.names.contains(a) && group.names.contains(b));
        compiler.body(&order)?;
        let mut outputs: Vec<Output> = columns.iter().map(|&name| compiler.builder.output(name)).collect();
        for (_, value) in made {
            outputs.push(Output::Set(Set::C(compiler.builder.cells(value)?)));
        }
        let fail = compiler.builder.fail;
        compiler.builder.emit(Instr::Emit { fail });
        Ok(Program { outputs, ..super::finish::finished(compiler.builder)? })
    }
}
