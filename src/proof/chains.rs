//! Open chains of one rule as chains of another. In: a case of each. Out: whether every chain of the one is a chain of the
//! other, by its links and ends. Which of several chains between two ends a rule reports is not asked.

use crate::lang::ir::{Chain, ChainEnd, Claim, Condition, Expr, LengthUnit, Statement, Variant, Weak};

/// Whether every chain of `special` is one of `general`.
pub fn covers(general: &Variant, special: &Variant) -> bool {
    let (Some(b), Some(a)) = (chain(general), chain(special)) else { return false };
    let concludes = |variant: &Variant| variant.conclusions.iter().all(|one| matches!(one.claim, Claim::Some(_)));
    a.strong.iter().all(|source| b.strong.contains(source))
        && (b.weak == Weak::Any || a.weak == b.weak)
        && b.on.is_none()
        && b.length.high.is_none()
        && least(b).zip(least(a)).is_some_and(|(general, special)| general <= special)
        && ends_fit(b, a)
        && asks_for_no_more(general, special, a)
        && concludes(general)
        && concludes(special)
}

/// The one open chain of a rule.
fn chain(variant: &Variant) -> Option<&Chain> {
    let mut chains = variant.body.iter().filter_map(|statement| match statement {
        Statement::Chain(chain) => Some(chain),
        _ => None,
    });
    let first = chains.next()?;
    chains.next().is_none().then_some(first)
}

/// The fewest strong links; `None` where its length counts cells that links between cells may join.
fn least(chain: &Chain) -> Option<u32> {
    match chain.length.unit {
        LengthUnit::StrongLinks => Some(chain.length.low),
        LengthUnit::Links => Some(chain.length.low.div_ceil(2)),
        LengthUnit::Cells => chain.strong.iter().all(|source| source == "cell").then_some(chain.length.low),
    }
}

/// Whether the ends of one chain can be those of the other: cells for cells, one digit where the other asks for one.
fn ends_fit(general: &Chain, special: &Chain) -> bool {
    match ((general.from, general.to), (special.from, special.to)) {
        ((ChainEnd::At(a), ChainEnd::At(b)), (ChainEnd::At(c), ChainEnd::At(d))) => {
            a.cell != b.cell && c.cell != d.cell && (a.digit != b.digit || c.digit == d.digit)
        }
        ((ChainEnd::Candidate(a), ChainEnd::Candidate(b)), (c, d)) => a != b && c != d,
        _ => false,
    }
}

/// Whether a rule asks for nothing but its chain, and perhaps for ends in different cells, where the other has such ends.
fn asks_for_no_more(general: &Variant, special: &Variant, chain: &Chain) -> bool {
    let apart = match (chain.from, chain.to) {
        (ChainEnd::At(a), ChainEnd::At(b)) => a.cell != b.cell,
        _ => special.body.iter().any(demands_two_cells),
    };
    general.body.iter().all(|one| matches!(one, Statement::Chain(_)) || apart && demands_two_cells(one))
}

/// `require cells(p) != cells(q)`
fn demands_two_cells(statement: &Statement) -> bool {
    let Statement::Require(Condition::Not(inner)) = statement else { return false };
    matches!(inner.as_ref(), Condition::Equal(Expr::Cells(_), Expr::Cells(_)))
}
