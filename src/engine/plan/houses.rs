//! Bounds on sets of houses. In: a rule's conditions, guardians and conclusions. Out: what no part of a set that
//! satisfies the rule, with an effect, can violate. All of them follow from the rule, so nothing is lost.

use super::build::NoPlan;
use super::compile::Compiler;
use super::instr::{Reg, Set, SetOp};
use super::operators::CellOp;
use super::program::{Bound, Cover};
use crate::engine::bounds::NO_LIMIT;
use crate::lang::ir::{Claim, Condition, Expr, Kind, VarId};

/// Bounds on the choice of a set of houses.
pub(super) fn bounds(compiler: &mut Compiler<'_>, var: VarId) -> Result<Vec<Bound>, NoPlan> {
    if !matches!(compiler.builder.variant.var(var).kind, Kind::House(_)) {
        return Ok(Vec::new());
    }
    let mut bounds = Vec::new();
    for guardian in compiler.builder.variant.guardians.clone() {
        bounds.extend(guarded(compiler, var, guardian)?);
    }
    for index in 0..compiler.constraints.list.len() {
        let condition = compiler.constraints.list[index].condition.clone();
        bounds.extend(covering(compiler, var, &condition)?);
    }
    Ok(bounds)
}

/// `guardians G = d in (A - cover)`: what bounds the pick of the cover.
fn guarded(compiler: &mut Compiler<'_>, var: VarId, guardian: VarId) -> Result<Vec<Bound>, NoPlan> {
    let value = compiler.constraints.lets.iter().find(|(name, _)| *name == guardian).map(|(_, value)| value.clone());
    let Some((digit, cells)) = value.as_ref().and_then(Expr::as_candidates) else { return Ok(Vec::new()) };
    if compiler.builder.single(digit).is_none() {
        return Ok(Vec::new());
    }
    let mut parts = Vec::new();
    flatten(cells, &mut parts);
    let covered = |part: &&Expr| match part {
        Expr::Difference(all, taken) if taken.is_house_cells_of(var) && compiler.all_bound(&all.names()) => {
            Some(all.as_ref().clone())
        }
        _ => None,
    };
    let covered: Vec<Expr> = parts.iter().filter_map(covered).collect();
    let known: Vec<Expr> =
        parts.iter().filter(|part| compiler.all_bound(&part.names())).map(|part| (*part).clone()).collect();
    let (most, targets) = (most(compiler, guardian), targets(compiler, digit)?);
    let places = compiler.builder.places(digit)?;
    let aside = among(compiler, places, &known)?;
    let cover = |all: Expr| {
        let cells = among(compiler, places, &[all])?;
        Ok(Bound::Cover(Cover { cells, aside, most, targets }))
    };
    covered.into_iter().map(cover).collect()
}

/// `d in A within cover`: all places of d in A are to be covered.
fn covering(compiler: &mut Compiler<'_>, var: VarId, condition: &Condition) -> Result<Option<Bound>, NoPlan> {
    let Condition::Within(places, cover) = condition else { return Ok(None) };
    let covered = match (places, cover.as_candidates()) {
        (Expr::CellsOf(of), _) if cover.is_house_cells_of(var) => of,
        (of, Some((_, cover))) if cover.is_house_cells_of(var) => of,
        _ => return Ok(None),
    };
    let Some((digit, all)) = covered.as_candidates() else { return Ok(None) };
    if compiler.builder.single(digit).is_none() || !compiler.all_bound(&all.names()) {
        return Ok(None);
    }
    let places = compiler.builder.places(digit)?;
    let cells = among(compiler, places, std::slice::from_ref(all))?;
    let aside = among(compiler, places, &[])?;
    Ok(Some(Bound::Cover(Cover { cells, aside, most: Some(0), targets: None })))
}

/// The places among some sets of cells.
fn among(compiler: &mut Compiler<'_>, places: Reg, parts: &[Expr]) -> Result<Reg, NoPlan> {
    let builder = &mut compiler.builder;
    let mut all: Option<Set> = None;
    for part in parts {
        let cells = Set::C(builder.cells(part)?);
        all = Some(match all {
            None => cells,
            Some(so_far) => builder.op(SetOp::Or, so_far, cells),
        });
    }
    let place = Set::C(places);
    let set = match all {
        Some(all) => builder.op(SetOp::And, all, place),
        None => builder.op(SetOp::Minus, place, place),
    };
    match set {
        Set::C(reg) => Ok(reg),
        _ => Err(NoPlan::Needs("cells")),
    }
}

/// How many guardians there may be, as conditions say.
fn most(compiler: &Compiler<'_>, guardian: VarId) -> Option<u32> {
    let mut most = NO_LIMIT;
    for one in &compiler.constraints.list {
        compiler.builder.known.count_claims(&one.condition, &mut |said| {
            if said.set.is(guardian) && !said.counts_candidates {
                most = most.min(said.range.1);
            }
        });
    }
    Some(most).filter(|&most| most < NO_LIMIT)
}

/// Where only candidates of the digit are eliminated: what every guardian must see some of.
fn targets(compiler: &mut Compiler<'_>, digit: &Expr) -> Result<Option<Reg>, NoPlan> {
    let of_digit = |claim: &Claim| matches!(claim, Claim::Eliminate(noun) if noun.as_candidates().is_some_and(|(digits, _)| digits == digit));
    if !compiler.builder.variant.conclusions.iter().all(|one| of_digit(&one.claim)) {
        return Ok(None);
    }
    // A link source eliminates nothing, and its guardians need not see anything.
    if compiler.builder.variant.conclusions.is_empty() {
        return Ok(None);
    }
    let Some(digit) = compiler.builder.single(digit) else { return Ok(Some(compiler.builder.places(digit)?)) };
    Ok(Some(compiler.builder.compute_cells(CellOp::Targets { digit })))
}

fn flatten<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Union(all) => all.iter().for_each(|part| flatten(part, parts)),
        part => parts.push(part),
    }
}
