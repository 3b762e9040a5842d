//! Checked rules to programs. In: one variant of a rule, values of its parameters, a board size. Out: a
//! [`Program`] for the shape machine, or the reason why there is none.

mod build;
mod candidates;
mod class;
mod compile;
mod constraints;
mod domain;
mod expr;
mod families;
mod finish;
mod graphs;
mod groups;
mod hoist;
mod houses;
mod instr;
mod linked_sets;
mod locked;
mod narrowed;
mod one_digit;
mod operators;
mod order;
mod print;
mod program;
mod rows;
mod sets;
mod settle;
mod sorts;
mod spec;
mod suppose;
mod symmetry;
mod targets;
mod test;

pub(super) use class::Class;
pub(super) use instr::{Candidates, Instr, Label, Noun, Reg, Set, SetOp, SetTest, Targets};
pub(super) use operators::{CellOp, Choice, Conclusion, DigitOp, HouseOp, MarkOp, Next, NumberOp, Test};
pub(super) use program::{
    AlsBase, AlsFilter, AlsSpec, Bound, ChainSpec, Column, Cover, EndRegs, EndSpec, GraphShape, LinkCount, Output,
    Pick, Program, RowsSpec, SetKind, TripleRole,
};
pub(super) use spec::{CaseRegs, MeansSpec};

use crate::lang::ir::{LinkNode, LinkSource, MAX_NAMES, Statement, VarId, Variant};
use build::{Builder, NoPlan};
use compile::Compiler;
use constraints::Constraints;

/// Compiles one variant; `half` is half of the board's size, `sources` the link sources that chains may use. With
/// `trusting` the rule is taken to be sound, and is not searched where no sound rule of its kind finds anything; with
/// `tables` it may choose from tables that are filled once for a board.
pub(super) fn compile(
    variant: &Variant,
    args: &[u32],
    half: u32,
    sources: &[LinkSource],
    trusting: bool,
    tables: bool,
) -> Result<Program, NoPlan> {
    let one_digit = if trusting { one_digit::of(variant, sources) } else { None };
    compile_for(variant, args, half, sources, Purpose { effect: true, one_digit, ends: Vec::new(), tables })
}

/// Compiles the pattern of a link source: its matches are pairs of nodes and need no effect.
pub(super) fn compile_source(source: &LinkSource, half: u32) -> Result<Program, NoPlan> {
    let plain = |one: &Statement| {
        matches!(one, Statement::Choose(_) | Statement::Let { .. } | Statement::Require(_) | Statement::FixedChain(_))
    };
    if !source.pattern.body.iter().all(plain) {
        return Err(NoPlan::ChainInSource);
    }
    let ends = vec![source.left, source.right];
    let purpose = Purpose { effect: false, one_digit: None, ends, tables: false };
    let program = compile_for(&source.pattern, &[], half, &[], purpose)?;
    Ok(Program { class: class::of_source(source), ..program })
}

/// What a program is for.
struct Purpose {
    /// Whether a match needs an effect.
    effect: bool,
    /// The digit that alone the rule speaks of, and whether the rule may place it, where that may be used.
    one_digit: Option<(VarId, bool)>,
    /// The ends of a link source.
    ends: Vec<LinkNode>,
    /// Whether tables of the board may be used.
    tables: bool,
}

fn compile_for(
    variant: &Variant,
    args: &[u32],
    half: u32,
    sources: &[LinkSource],
    purpose: Purpose,
) -> Result<Program, NoPlan> {
    if variant.vars.len() > MAX_NAMES {
        return Err(NoPlan::TooManyNames(variant.vars.len()));
    }
    let constraints = Constraints { ends: purpose.ends, ..Constraints::of(variant) };
    let mut builder = Builder::new(variant, args);
    builder.half = half;
    let groups = if purpose.tables { groups::groups(variant, &constraints) } else { Vec::new() };
    let order = order::choose(&builder, &constraints, &groups);
    let mut compiler = Compiler::new(builder, &constraints, sources);
    compiler.groups = groups;
    compiler.one_digit = purpose.one_digit;
    compiler.body(&order)?;
    if let Some(name) = unbound(variant, &compiler) {
        return Err(NoPlan::NoWay(name.into()));
    }
    linked_sets::prepare(&mut compiler);
    compiler.conclude()?;
    let mut builder = compiler.builder;
    builder.program.outputs = (0..variant.vars.len()).map(|index| builder.output(VarId(index))).collect();
    builder.program.effect = purpose.effect;
    builder.program.class = if purpose.effect { class::of(variant, sources) } else { None };
    builder.program.one_digit = purpose.one_digit.map(|(_, placed)| placed);
    finish::finished(builder)
}

fn unbound<'v>(variant: &'v Variant, compiler: &Compiler<'_>) -> Option<&'v str> {
    use crate::lang::ir::Origin;
    (0..variant.vars.len())
        .map(VarId)
        .find(|&var| variant.var(var).origin != Origin::Index && !compiler.is_bound(var))
        .map(|var| variant.var(var).name.as_str())
}

/// The registers that hold the ends of a link source's pairs: digit and cell of each.
pub(super) fn source_ends(program: &Program, source: &LinkSource) -> Option<[(Output, Output); 2]> {
    let end = |node: LinkNode| Some((*program.outputs.get(node.digit.0)?, *program.outputs.get(node.cells.0)?));
    Some([end(source.left)?, end(source.right)?])
}
