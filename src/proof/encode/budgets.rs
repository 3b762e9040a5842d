//! Numbers of cells against numbers of digits. In: an equation of a pattern. Out: a [`Budget`], from which a
//! counting argument follows that clauses alone find badly.
//!
//! Say `#I + #R + k = #digits(I) + #digits(R)`. In the solution every cell holds one digit, so the cells are the
//! sum over all digits of how often each is in I and R. If no digit is there more often than it is counted on
//! the other side, then at most k digits fall short, each by no more than k. The prover asks the first and
//! then demands the second.

use super::value::Value;
use super::{Encoder, Refusal};
use crate::lang::ir::{Comparison, Condition, Expr, Statement};
use crate::proof::circuit::Circuit;
use crate::proof::encode::sets::groups;
use crate::proof::solver::Lit;

/// One equation.
#[derive(Clone, Debug)]
pub(in crate::proof) struct Budget {
    /// Excess of digits over cells.
    spare: usize,
    /// For each digit with modelled places, a literal: the cells have the digit more often than counted.
    pub over: Vec<Lit>,
    /// And whether less often.
    short: Vec<Lit>,
}

impl Budget {
    /// Demands what follows once no digit can be over.
    pub fn demand(&self, circuit: &mut Circuit) {
        let all: Vec<usize> = (0..self.short.len()).collect();
        for group in groups(&all, self.spare + 1) {
            let clause: Vec<Lit> = group.iter().map(|&digit| !self.short[digit]).collect();
            circuit.clause(&clause);
        }
    }
}

/// The sets on both sides of an equation, all on one side.
#[derive(Default)]
struct Sides {
    /// Counted sets and whether they are subtracted.
    sets: Vec<(Expr, bool)>,
    plus: i64,
}

impl Encoder<'_> {
    /// The budgets of a pattern in the world of names alone.
    pub fn budgets(&mut self) -> Result<Vec<Budget>, Refusal> {
        let mut out = Vec::new();
        // Facts about the generic digit hold for each digit without a name; without it nothing is known about those.
        if self.unnamed.generic.is_none() {
            return Ok(out);
        }
        for statement in &self.scope.variant.body {
            if let Statement::Require(Condition::Compare(a, Comparison::Equal, b)) = statement {
                out.extend(self.budget(a, b)?);
            }
        }
        Ok(out)
    }

    fn budget(&mut self, a: &Expr, b: &Expr) -> Result<Option<Budget>, Refusal> {
        let mut sides = Sides::default();
        if !self.flatten(a, false, &mut sides) || !self.flatten(b, true, &mut sides) {
            return Ok(None);
        }
        let (mut cells, mut digits) = (Vec::new(), Vec::new());
        for (set, minus) in &sides.sets {
            match self.value(set)? {
                Value::Cells(set) => cells.push((set, *minus)),
                Value::Digits(set) => digits.push((set, *minus)),
                _ => return Ok(None),
            }
        }
        // Digits on the one side, cells on the other.
        let Some(&(_, minus)) = digits.first() else { return Ok(None) };
        let right = digits.iter().all(|one| one.1 == minus) && cells.iter().all(|one| one.1 != minus);
        let Ok(spare) = usize::try_from(if minus { sides.plus } else { -sides.plus }) else { return Ok(None) };
        if !right
            || cells.is_empty()
            || spare > 2
            || cells.iter().any(|(set, _)| set.rest != Lit::FALSE && set.inside.is_empty())
        {
            return Ok(None);
        }
        let known: Vec<usize> =
            (0..self.digits()).filter(|&digit| cells.iter().all(|(set, _)| set.knows(digit))).collect();
        // The argument needs all digits: the named ones, and the generic one that stands for each of the others.
        if self.unnamed.generic.is_none_or(|generic| (0..=generic).any(|digit| !known.contains(&digit))) {
            return Ok(None);
        }
        let (mut over, mut short) = (Vec::new(), Vec::new());
        for digit in known {
            let mut there = Vec::new();
            for (set, _) in &cells {
                for (cell, &here) in set.bits.iter().enumerate() {
                    there.push(self.circuit.and2(here, self.world.cells[cell].solution[digit]));
                }
            }
            there.retain(|&lit| lit != Lit::FALSE);
            let counted: Vec<Lit> = digits.iter().map(|(set, _)| set[digit]).collect();
            let most = counted.len() + 1;
            let (there, counted) = (self.circuit.counts(&there, most), self.circuit.counts(&counted, most));
            let more = |x: &[Lit], y: &[Lit], this: &mut Self| {
                let ways: Vec<Lit> = (1..=most).map(|at| this.circuit.and2(x[at], !y[at])).collect();
                this.circuit.or(ways)
            };
            over.push(more(&there, &counted, self));
            short.push(more(&counted, &there, self));
        }
        Ok(Some(Budget { spare, over, short }))
    }

    fn flatten(&self, expr: &Expr, minus: bool, out: &mut Sides) -> bool {
        let sign = if minus { -1 } else { 1 };
        match expr {
            Expr::Number(value) => out.plus += sign * i64::from(*value),
            Expr::Param(index) => match self.scope.args.get(*index) {
                Some(&value) => out.plus += sign * i64::from(value),
                None => return false,
            },
            Expr::Count(set) => out.sets.push((set.as_ref().clone(), minus)),
            Expr::Add(a, b) => return self.flatten(a, minus, out) && self.flatten(b, minus, out),
            Expr::Subtract(a, b) => return self.flatten(a, minus, out) && self.flatten(b, !minus, out),
            _ => return false,
        }
        true
    }
}
