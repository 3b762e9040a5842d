//! Conditions on how many there are: candidates of a cell, places of a digit, cells of a house. In: such a condition. Out:
//! which cells, digits or houses can satisfy it.

use super::narrow::{Context, Narrowed, Narrowing, some};
use crate::lang::ir::{Comparison, Expr, VarShape};

/// The largest board has no more cells.
const MOST_CELLS: u32 = 625;

/// How many there are at least, and at most.
pub(super) type Range = (u32, u32);

/// The numbers that are in this relation to a limit, if they are all from one to another.
fn range(op: Comparison, limit: u32) -> Option<Range> {
    Some(match op {
        Comparison::Equal => (limit, limit),
        Comparison::LessEqual => (0, limit),
        Comparison::Less => (0, limit.checked_sub(1)?),
        Comparison::GreaterEqual => (limit, MOST_CELLS.max(limit)),
        Comparison::Greater => (limit.checked_add(1)?, MOST_CELLS.max(limit + 1)),
        Comparison::NotEqual => return None,
    })
}

impl Context<'_> {
    /// `#digits(c) = 2`, `#(digits(c) - z) = 2` and the like.
    pub fn candidate_count(&self, count: &Expr, op: Comparison, limit: &Expr) -> Option<Narrowed> {
        let Expr::Count(of) = count else { return None };
        let limit = u32::try_from(self.builder.constant(limit)?).ok()?;
        let Expr::Digits(of) = of.as_ref() else { return self.candidate_range(of, op, limit) };
        if !self.is(of) {
            return None;
        }
        if self.builder.variant.var(self.var).shape == VarShape::Set {
            // No cell of a set has more candidates than the set has together.
            let at_most = matches!(op, Comparison::Equal | Comparison::LessEqual);
            return at_most.then_some(Narrowed {
                how: Narrowing::CandidateCount(limit, false),
                share: 0.6,
                complete: false,
            });
        }
        let share = match limit {
            1 => 0.05,
            2 => 0.25,
            3 => 0.3,
            4 => 0.2,
            _ => 0.1,
        };
        match op {
            Comparison::Equal => some(Narrowing::CandidateCount(limit, true), share, true),
            Comparison::LessEqual => some(Narrowing::CandidateCount(limit, false), 0.6, true),
            Comparison::Greater => some(Narrowing::MoreCandidates(limit), 0.6, true),
            _ => None,
        }
    }

    /// `#(digits(c) - z) = n`: the cell may also have the digits that are taken out.
    fn candidate_range(&self, of: &Expr, op: Comparison, limit: u32) -> Option<Narrowed> {
        let Expr::Difference(all, without) = of else { return None };
        let Expr::Digits(cell) = all.as_ref() else { return None };
        if !self.is(cell) || !self.is_single() {
            return None;
        }
        let most = self.most_digits(without).map(|more| limit + more);
        let (low, high) = match op {
            Comparison::Equal => (limit, most),
            Comparison::LessEqual => (0, most),
            Comparison::Less => (0, most.map(|most| most.saturating_sub(1))),
            Comparison::GreaterEqual => (limit, None),
            Comparison::Greater => (limit + 1, None),
            Comparison::NotEqual => return None,
        };
        let says = low > 0 || high.is_some();
        let share = if high.is_some() && low > 0 { 0.4 } else { 0.7 };
        says.then_some(Narrowed { how: Narrowing::CandidateRange(low, high), share, complete: false })
    }

    /// `#(d in C) = 2`.
    pub fn places_count(&self, of: &Expr, op: Comparison, limit: &Expr) -> Option<Narrowed> {
        let range = range(op, u32::try_from(self.builder.constant(limit)?).ok()?)?;
        match in_cells(of) {
            Expr::In(digits, cells) if self.is(digits) && (self.free)(cells) => {
                some(Narrowing::DigitsCounting(cells.as_ref().clone(), range), 0.1, true)
            }
            _ if range.0 > 0 => self.somewhere(of),
            _ => None,
        }
    }

    /// `#cells(h) = 1`, `#(d in h) = 2`.
    pub fn members_count(&self, of: &Expr, op: Comparison, limit: &Expr) -> Option<Narrowed> {
        let range = range(op, u32::try_from(self.builder.constant(limit)?).ok()?)?;
        let whole = |cells: &Expr| matches!(cells, Expr::CellsOf(house) if self.is(house));
        let digits = match in_cells(of) {
            Expr::Cells(cells) if whole(cells) => None,
            Expr::In(digit, cells) if whole(cells) && self.is_one(digit) && (self.free)(digit) => {
                Some(digit.as_ref().clone())
            }
            _ => return None,
        };
        some(Narrowing::HousesCounting(digits, range), 0.25, true)
    }

    /// How many digits an expression stands for at most, where names tell.
    fn most_digits(&self, digits: &Expr) -> Option<u32> {
        match digits {
            Expr::Var(name) if self.builder.variant.var(*name).shape == VarShape::Single => Some(1),
            Expr::Union(parts) => parts.iter().map(|part| self.most_digits(part)).sum(),
            Expr::Difference(all, _) => self.most_digits(all),
            Expr::Intersection(a, b) => match (self.most_digits(a), self.most_digits(b)) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
            _ => None,
        }
    }
}

/// Of one digit there are as many candidates as cells with it.
fn in_cells(of: &Expr) -> &Expr {
    match of {
        Expr::Cells(noun) if matches!(**noun, Expr::In(..)) => noun,
        other => other,
    }
}
