//! Sets that have as many cells as digits, while only some of their parts are chosen. In: a compiler. Out: bounds and
//! tests that hold for the parts known so far. All of them follow from the rule, so nothing is lost.
//!
//! Where `#digits(S) = #S` and S is made of parts, those that are known may have more digits than cells by as many cells as
//! the others have at most.

use super::build::Refusal;
use super::compile::Compiler;
use super::program::Bound;
use crate::lang::ir::{Comparison, Condition, Expr, Kind, VarId, VarShape};

/// How many digits a set of cells has at most that is a part of others.
pub(super) fn bounds(compiler: &Compiler<'_>, var: VarId) -> Vec<Bound> {
    let most = |condition: &Condition| {
        let Balance { parts, more } = balance(compiler, condition)?;
        if !parts.contains(&var) {
            return None;
        }
        let cells = parts.iter().map(|&part| size(compiler, part)).sum::<Option<u32>>()?;
        Some(Bound::Digits(cells + more))
    };
    conditions(compiler).filter_map(most).collect()
}

/// Fails where the parts that are known have too many digits already.
pub(super) fn test(compiler: &mut Compiler<'_>, new: VarId) -> Result<(), Refusal> {
    let early = |condition: &Condition| {
        let Balance { parts, more } = balance(compiler, condition)?;
        let (known, open): (Vec<VarId>, Vec<VarId>) = parts.iter().partition(|&&part| compiler.is_bound(part));
        if !known.contains(&new) || open.is_empty() {
            return None;
        }
        let cells = open.iter().map(|&part| size(compiler, part)).sum::<Option<u32>>()?;
        let known = Expr::Union(known.into_iter().map(Expr::Var).collect());
        let digits = Expr::Count(Box::new(Expr::Digits(Box::new(known.clone()))));
        let most = Expr::Add(Box::new(Expr::Count(Box::new(known))), Box::new(Expr::Number(cells + more)));
        Some(Condition::Compare(digits, Comparison::LessEqual, most))
    };
    let early: Vec<Condition> = conditions(compiler).filter_map(early).collect();
    let fail = compiler.builder.fail;
    early.iter().try_for_each(|condition| compiler.builder.test(condition, fail))
}

/// What the rule wants, said of the names that are chosen.
fn conditions<'c>(compiler: &'c Compiler<'_>) -> impl Iterator<Item = &'c Condition> {
    compiler.constraints.list.iter().map(|one| &one.inlined.as_deref().unwrap_or(one).condition)
}

/// Cells that have so many digits more than cells at most.
struct Balance {
    parts: Vec<VarId>,
    more: u32,
}

/// `#digits(S) = #S`, or `<= #S + 2`, of a sum of chosen cells.
fn balance(compiler: &Compiler<'_>, condition: &Condition) -> Option<Balance> {
    let Condition::Compare(Expr::Count(of), Comparison::Equal | Comparison::LessEqual, limit) = condition else {
        return None;
    };
    let Expr::Digits(cells) = of.as_ref() else { return None };
    let counts = |expr: &Expr| matches!(expr, Expr::Count(counted) if counted == cells);
    let more = match limit {
        limit if counts(limit) => 0,
        Expr::Add(a, b) if counts(a) => compiler.builder.constant(b)?,
        Expr::Add(a, b) if counts(b) => compiler.builder.constant(a)?,
        _ => return None,
    };
    let mut parts = Vec::new();
    named(compiler, cells, &mut parts)?;
    Some(Balance { parts, more: u32::try_from(more).ok()? })
}

/// The names that a sum of cells is made of, if it is made of names alone.
fn named(compiler: &Compiler<'_>, cells: &Expr, parts: &mut Vec<VarId>) -> Option<()> {
    match cells {
        Expr::Union(all) => all.iter().try_for_each(|part| named(compiler, part, parts)),
        Expr::Var(name) if compiler.builder.variant.var(*name).kind == Kind::Cell => {
            parts.push(*name);
            Some(())
        }
        _ => None,
    }
}

/// How many cells a name stands for at most, where that is known before a search.
fn size(compiler: &Compiler<'_>, var: VarId) -> Option<u32> {
    if compiler.builder.variant.var(var).shape == VarShape::Single {
        return Some(1);
    }
    let set = compiler.constraints.sets.iter().find(|set| set.var == var)?;
    let (_, high) = set.size.as_ref()?;
    u32::try_from(compiler.builder.constant(high.as_ref()?)?).ok()
}
