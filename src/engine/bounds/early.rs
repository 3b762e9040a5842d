//! What can be tested while only some names have values. In: a condition, and which names have values. Out: a condition on
//! these names that holds wherever the first one can still be made true.
//!
//! Of a set that is made of parts the known ones are a part, and it has at most as many members as these and the most that the
//! others can have: where `#digits(S) = #S`, the parts of S that are known have no more digits than S can have cells.

use super::count::MOST;
use super::known::Known;
use crate::lang::ir::{Comparison, Condition, Expr, VarId};

/// A test for a comparison of which not all names have values; nothing where the names that have say nothing.
pub(in crate::engine) fn early(
    known: Known<'_>,
    condition: &Condition,
    bound: &dyn Fn(VarId) -> bool,
) -> Vec<Condition> {
    let Condition::Compare(a, op, b) = condition else { return Vec::new() };
    let relaxed = Relaxed { known, bound };
    let sides = match op {
        Comparison::Less | Comparison::LessEqual => vec![(a, *op, b)],
        Comparison::Greater => vec![(b, Comparison::Less, a)],
        Comparison::GreaterEqual => vec![(b, Comparison::LessEqual, a)],
        Comparison::Equal => vec![(a, Comparison::LessEqual, b), (b, Comparison::LessEqual, a)],
        Comparison::NotEqual => Vec::new(),
    };
    let test = |(small, op, large): (&Expr, Comparison, &Expr)| {
        let (least, most) = (relaxed.at_least(small)?, relaxed.at_most(large)?);
        let counts = [&least, &most].iter().any(|side| !super::known::names_of(side).is_empty());
        counts.then_some(Condition::Compare(least, op, most))
    };
    sides.into_iter().filter_map(test).collect()
}

struct Relaxed<'a> {
    known: Known<'a>,
    bound: &'a dyn Fn(VarId) -> bool,
}

impl Relaxed<'_> {
    fn is_known(&self, expr: &Expr) -> bool {
        super::known::names_of(expr).into_iter().all(self.bound)
    }

    /// A number that is no larger, of names that have values.
    fn at_least(&self, number: &Expr) -> Option<Expr> {
        match number {
            _ if self.is_known(number) => Some(number.clone()),
            Expr::Count(of) => Some(Expr::Count(Box::new(self.part(of)?))),
            Expr::Add(a, b) => Some(Expr::Add(Box::new(self.at_least(a)?), Box::new(self.at_least(b)?))),
            Expr::Subtract(a, b) => Some(Expr::Subtract(Box::new(self.at_least(a)?), Box::new(self.at_most(b)?))),
            _ => None,
        }
    }

    /// A number that is no smaller.
    fn at_most(&self, number: &Expr) -> Option<Expr> {
        match number {
            _ if self.is_known(number) => Some(number.clone()),
            Expr::Count(of) => self.most(of),
            Expr::Add(a, b) => Some(Expr::Add(Box::new(self.at_most(a)?), Box::new(self.at_most(b)?))),
            Expr::Subtract(a, b) => Some(Expr::Subtract(Box::new(self.at_most(a)?), Box::new(self.at_least(b)?))),
            _ => None,
        }
    }

    /// How many members a set has at most.
    fn most(&self, set: &Expr) -> Option<Expr> {
        let (known, open) = self.parts(set);
        let more = open.iter().map(|part| self.known.size(part).1).sum::<u32>();
        let more = Expr::Number(Some(more).filter(|&more| more < MOST)?);
        Some(match known.is_empty() {
            true => more,
            false => Expr::Add(Box::new(Expr::Count(Box::new(union(known)))), Box::new(more)),
        })
    }

    /// What is in a set for sure.
    fn part(&self, set: &Expr) -> Option<Expr> {
        match set {
            _ if self.is_known(set) => Some(set.clone()),
            Expr::Union(_) => Some(union(self.parts(set).0)).filter(|part| *part != Expr::Union(Vec::new())),
            Expr::Digits(of) => Some(Expr::Digits(Box::new(self.part(of)?))),
            _ => None,
        }
    }

    /// The parts of a sum whose names have values, and the others.
    fn parts(&self, set: &Expr) -> (Vec<Expr>, Vec<Expr>) {
        match set {
            _ if self.is_known(set) => (vec![set.clone()], Vec::new()),
            Expr::Union(parts) => {
                let (mut known, mut open) = (Vec::new(), Vec::new());
                for part in parts {
                    let (more_known, more_open) = self.parts(part);
                    known.extend(more_known);
                    open.extend(more_open);
                }
                (known, open)
            }
            _ => (Vec::new(), vec![set.clone()]),
        }
    }
}

fn union(mut parts: Vec<Expr>) -> Expr {
    if parts.len() == 1 { parts.remove(0) } else { Expr::Union(parts) }
}
