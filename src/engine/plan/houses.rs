//! Bounds on sets of houses. In: a rule's conditions, guardians and conclusions. Out: what no part of a set that
//! satisfies the rule, with an effect, can violate. All of them follow from the rule, so nothing is lost.

use super::build::Refusal;
use super::compile::Compiler;
use super::instr::{Instr, Reg, Set, SetOp};
use super::program::{Bound, Cover};
use crate::engine::bounds::{MOST, names_of};
use crate::lang::ir::{Claim, Condition, Expr, Incidence, Kind, VarId};

/// Bounds on the choice of a set of houses.
pub(super) fn bounds(compiler: &mut Compiler<'_>, var: VarId) -> Result<Vec<Bound>, Refusal> {
    if !matches!(compiler.builder.variant.var(var).kind, Kind::House(_)) {
        return Ok(Vec::new());
    }
    let mut bounds = Vec::new();
    let itself = Condition::Lie(Expr::Var(var), Incidence::Parallel, Expr::Var(var));
    if compiler.constraints.list.iter().any(|one| one.condition == itself) {
        bounds.push(Bound::Parallel);
    }
    for guardian in compiler.builder.variant.guardians.clone() {
        bounds.extend(guarded(compiler, var, guardian)?);
    }
    for index in 0..compiler.constraints.list.len() {
        let condition = compiler.constraints.list[index].condition.clone();
        bounds.extend(covering(compiler, var, &condition)?);
    }
    Ok(bounds)
}

/// `guardians G = d in (A - cover) + overlap(base)`: what bounds the pick of the cover, or of the base.
fn guarded(compiler: &mut Compiler<'_>, var: VarId, guardian: VarId) -> Result<Vec<Bound>, Refusal> {
    let value = compiler.constraints.lets.iter().find(|(name, _)| *name == guardian).map(|(_, value)| value.clone());
    let Some(Expr::In(digit, cells)) = value else { return Ok(Vec::new()) };
    if compiler.builder.single(&digit).is_none() {
        return Ok(Vec::new());
    }
    let most = most(compiler, guardian);
    let targets = targets(compiler, &digit)?;
    let places = compiler.builder.places(&digit)?;
    let mut parts = Vec::new();
    flatten(&cells, &mut parts);
    let mut bounds = Vec::new();
    let known: Vec<Expr> =
        parts.iter().filter(|part| compiler.all_bound(&names_of(part))).map(|part| (*part).clone()).collect();
    let aside = among(compiler, places, &known)?;
    for &part in &parts {
        match part {
            Expr::Difference(all, taken) if **taken == cells_of(var) && compiler.all_bound(&names_of(all)) => {
                let cells = among(compiler, places, &[all.as_ref().clone()])?;
                let held = if targets.is_some() { held(compiler, var)? } else { None };
                bounds.push(Bound::Cover(Cover { cells, aside, most, targets, held }));
            }
            Expr::Overlap(of) if **of == Expr::Var(var) => {
                let counted = targets.is_some() && is_counted(compiler, var, &parts);
                bounds.push(Bound::Shared { among: places, most, targets, counted });
            }
            _ => {}
        }
    }
    Ok(bounds)
}

/// Whether a rule is of the form that n houses keep a digit to n others, and all that is eliminated lies in these: in two of
/// them, if it lies in the n.
///
/// Then take candidates that do not see each other. None of them is a guardian of another. If each of the n houses holds
/// one, these are n different ones, or it would be a guardian; each is in another one of the n others, which none of
/// them is eliminated from.
fn is_counted(compiler: &Compiler<'_>, base: VarId, guardians: &[&Expr]) -> bool {
    let sets = &compiler.constraints.sets;
    let size = |name: VarId| sets.iter().find(|set| set.var == name).and_then(|set| set.size.clone());
    let Some((low, Some(high))) = size(base) else { return false };
    let covers = |other: VarId| {
        let kept = |one: &&Expr| matches!(one, Expr::Difference(all, taken) if **all == cells_of(base) && **taken == cells_of(other));
        let conclusions = &compiler.builder.variant.conclusions;
        size(other) == Some((low.clone(), Some(high.clone())))
            && guardians.iter().any(kept)
            && conclusions.iter().all(|one| {
                let Claim::Eliminate(Expr::In(_, cells)) = &one.claim else { return false };
                let mut parts = Vec::new();
                flatten(cells, &mut parts);
                parts.iter().all(|part| match part {
                    Expr::Difference(all, taken) => **all == cells_of(other) && **taken == cells_of(base),
                    Expr::Overlap(of) => **of == Expr::Var(other),
                    _ => false,
                })
            })
    };
    low == high && sets.iter().any(|set| set.var != base && covers(set.var))
}

/// `d in A within cover`: all places of d in A are to be covered.
fn covering(compiler: &mut Compiler<'_>, var: VarId, condition: &Condition) -> Result<Option<Bound>, Refusal> {
    let Condition::Within(places, cover) = condition else { return Ok(None) };
    let (digit, all) = match (places, cover) {
        (Expr::Cells(of), cover) if *cover == cells_of(var) => match of.as_ref() {
            Expr::In(digit, all) => (digit, all),
            _ => return Ok(None),
        },
        (Expr::In(digit, all), Expr::In(_, cover)) if **cover == cells_of(var) => (digit, all),
        _ => return Ok(None),
    };
    if compiler.builder.single(digit).is_none() || !compiler.all_bound(&names_of(all)) {
        return Ok(None);
    }
    let places = compiler.builder.places(digit)?;
    let cells = among(compiler, places, &[all.as_ref().clone()])?;
    let aside = among(compiler, places, &[])?;
    Ok(Some(Bound::Cover(Cover { cells, aside, most: Some(0), targets: None, held: None })))
}

/// The places among some sets of cells.
fn among(compiler: &mut Compiler<'_>, places: Reg, parts: &[Expr]) -> Result<Reg, Refusal> {
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
        _ => Err("cells are needed here".into()),
    }
}

/// How many guardians there may be, as conditions say.
fn most(compiler: &Compiler<'_>, guardian: VarId) -> Option<u32> {
    let mut most = MOST;
    for one in &compiler.constraints.list {
        compiler.builder.known.said(&one.condition, &mut |said| {
            if *said.of == Expr::Var(guardian) && !said.digits {
                most = most.min(said.range.1);
            }
        });
    }
    Some(most).filter(|&most| most < MOST)
}

/// Where only candidates of the digit are eliminated: what every guardian must see some of.
fn targets(compiler: &mut Compiler<'_>, digit: &Expr) -> Result<Option<Reg>, Refusal> {
    let of_digit = |claim: &Claim| matches!(claim, Claim::Eliminate(Expr::In(digits, _)) if **digits == *digit);
    if !compiler.builder.variant.conclusions.iter().all(|one| of_digit(&one.claim)) {
        return Ok(None);
    }
    // A link source eliminates nothing, and its guardians need not see anything.
    if compiler.builder.variant.conclusions.is_empty() {
        return Ok(None);
    }
    let Some(digit) = compiler.builder.single(digit) else { return Ok(Some(compiler.builder.places(digit)?)) };
    let sound = compiler.one_digit.is_some();
    Ok(Some(compiler.builder.compute_cells(|to| Instr::Targets { to, digit, sound })))
}

/// Where all that is eliminated lies in the houses of a set: the cells that must lie in two of them.
fn held(compiler: &mut Compiler<'_>, var: VarId) -> Result<Option<Reg>, Refusal> {
    let mut twice: Option<Vec<Expr>> = None;
    for conclusion in compiler.builder.variant.conclusions.clone() {
        let Claim::Eliminate(Expr::In(_, cells)) = &conclusion.claim else { return Ok(None) };
        let mut parts = Vec::new();
        flatten(cells, &mut parts);
        let mut once: Vec<Expr> = Vec::new();
        for part in parts {
            match part {
                Expr::Difference(all, taken) if **all == cells_of(var) && compiler.all_bound(&names_of(taken)) => {
                    once.push(taken.as_ref().clone());
                }
                Expr::Overlap(of) if **of == Expr::Var(var) => {}
                _ => return Ok(None),
            }
        }
        // One part that takes something away, for what it takes away is what must lie in two.
        if once.len() != 1 || twice.as_ref().is_some_and(|known| *known != once) {
            return Ok(None);
        }
        twice = Some(once);
    }
    let Some(twice) = twice else { return Ok(None) };
    twice.first().map(|cells| compiler.builder.cells(cells)).transpose()
}

fn flatten<'e>(expr: &'e Expr, parts: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Union(all) => all.iter().for_each(|part| flatten(part, parts)),
        part => parts.push(part),
    }
}

fn cells_of(var: VarId) -> Expr {
    Expr::CellsOf(Box::new(Expr::Var(var)))
}
