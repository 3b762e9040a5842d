//! Names that the board alone relates: three or more cells and houses of which a condition wants something whatever they
//! hold. In: constraints. Out: such groups of names, and for each the program that lists the rows of its table, which is
//! filled once for a board.

use super::build::{Builder, Operand, Refusal, Slot};
use super::compile::Compiler;
use super::constraints::{Constraint, Constraints, graph_names};
use super::instr::{Instr, Reg, Set};
use super::order::{self, Item};
use super::program::{Output, Program};
use crate::lang::ir::{Condition, Expr, Kind, Operand as Side, Origin, VarId, VarShape, Variant};
use serde::Serialize;

/// So many names make it worth to look their values up together: two are narrowed one by the other.
const TOGETHER: usize = 3;

/// A choice of values for several names together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RowsSpec {
    /// Lists the rows; its outputs are the columns, then the sets of cells that they make.
    pub program: Box<Program>,
    /// The columns: those that have their values before come first.
    pub columns: Vec<Column>,
}

/// One name of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Column {
    /// It has its value (v).
    Known(Reg),
    /// It gets one of these.
    Chosen(Set),
}

/// Names and what the board says of them.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub names: Vec<VarId>,
    /// The places of the conditions in the list.
    pub conditions: Vec<usize>,
}

/// The groups of a rule; no name is in two.
pub(super) fn groups(variant: &Variant, constraints: &Constraints) -> Vec<Group> {
    let fixed = |one: &Constraint| holds_for_ever(variant, constraints, &said(one).condition);
    let fixed: Vec<usize> = (0..constraints.list.len()).filter(|&at| fixed(&constraints.list[at])).collect();
    let names_of = |at: usize| &said(&constraints.list[at]).names;
    let mut groups: Vec<Vec<VarId>> = Vec::new();
    for &at in fixed.iter().filter(|&&at| names_of(at).len() >= TOGETHER) {
        let mut names = names_of(at).clone();
        groups.retain(|group| {
            let apart = group.iter().all(|name| !names.contains(name));
            if !apart {
                names.extend(group);
            }
            apart
        });
        names.sort();
        names.dedup();
        groups.push(names);
    }
    let of = |names: Vec<VarId>| {
        let within = |&at: &usize| names_of(at).iter().all(|name| names.contains(name));
        Group { conditions: fixed.iter().copied().filter(within).collect(), names }
    };
    groups.into_iter().map(of).collect()
}

/// What a constraint says of the names that are chosen.
fn said(constraint: &Constraint) -> &Constraint {
    constraint.inlined.as_deref().unwrap_or(constraint)
}

/// Whether only the board decides a condition on single cells and houses.
fn holds_for_ever(variant: &Variant, constraints: &Constraints, condition: &Condition) -> bool {
    let chosen = |var: VarId| {
        let declared = variant.var(var);
        declared.shape == VarShape::Single
            && matches!(declared.origin, Origin::Chosen | Origin::Pattern)
            && matches!(declared.kind, Kind::Cell | Kind::House(_))
            && !constraints.graphs.iter().any(|graph| graph_names(graph).contains(&var))
    };
    let set = |expr: &Expr| is_fixed(expr, &chosen);
    let side = |side: &Side| set(&side.of);
    match condition {
        Condition::Within(a, b) | Condition::Equal(a, b) | Condition::Disjoint(a, b) | Condition::Lie(a, _, b) => {
            set(a) && set(b)
        }
        Condition::Some(of) | Condition::No(of) | Condition::InOne(of, _) => set(of),
        Condition::Connected(of) | Condition::Closed(of) => set(of),
        Condition::Sees(a, b) => side(a) && side(b),
        Condition::And(parts) | Condition::Or(parts) => {
            parts.iter().all(|part| holds_for_ever(variant, constraints, part))
        }
        Condition::Not(part) => holds_for_ever(variant, constraints, part),
        _ => false,
    }
}

/// Whether a set is the same on every state.
fn is_fixed(expr: &Expr, chosen: &dyn Fn(VarId) -> bool) -> bool {
    match expr {
        Expr::Var(var) => chosen(*var),
        Expr::AllHouses(_) => true,
        Expr::Union(parts) => parts.iter().all(|part| is_fixed(part, chosen)),
        Expr::Intersection(a, b) | Expr::Difference(a, b) => is_fixed(a, chosen) && is_fixed(b, chosen),
        Expr::CellsOf(of) | Expr::HousesOf(_, of) | Expr::Overlap(of) => is_fixed(of, chosen),
        _ => false,
    }
}

impl Compiler<'_> {
    /// Chooses values for all names of a group that have none, by the rows of its table.
    pub fn rows(&mut self, group: &Group) -> Result<(), Refusal> {
        let (known, open): (Vec<VarId>, Vec<VarId>) = group.names.iter().partition(|&&name| self.is_bound(name));
        let columns: Vec<VarId> = known.iter().chain(&open).copied().collect();
        let made = self.made(group);
        let program = Box::new(self.table(group, &columns, &made)?);
        let known_columns = known.iter().map(|&name| Ok(Column::Known(self.builder.value_of(name)?)));
        let mut specs = known_columns.collect::<Result<Vec<Column>, Refusal>>()?;
        let mut to = Vec::new();
        for &name in &open {
            let mut found = self.narrowings(name);
            found.retain(|(at, _)| !group.conditions.contains(at));
            let domain = self.domain(name, &found)?;
            found.iter().filter(|(_, narrowed)| narrowed.complete).for_each(|(at, _)| self.done[*at] = true);
            let from = self.without_others(name, domain, &group.names);
            self.note(name, &found);
            specs.push(Column::Chosen(from));
            to.push((self.builder.value_reg(), self.builder.set_like(from)));
        }
        let rows = self.builder.program.rows.len();
        self.builder.program.rows.push(RowsSpec { program, columns: specs });
        self.builder.emit(Instr::Rows { rows });
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
        self.builder.emit(Instr::NextRow { rows, to, sets, fail });
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
    fn table(&self, group: &Group, columns: &[VarId], made: &[(VarId, Expr)]) -> Result<Program, Refusal> {
        let variant = self.builder.variant;
        let bare = Variant { body: Vec::new(), conclusions: Vec::new(), guardians: Vec::new(), ..variant.clone() };
        let conditions = group.conditions.iter().map(|&at| said(&self.constraints.list[at]).clone());
        let constraints = Constraints { list: conditions.collect(), ..Constraints::default() };
        let builder = Builder::new(&bare, self.builder.args);
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
        Ok(Program { outputs, ..super::finished(compiler.builder) })
    }
}
