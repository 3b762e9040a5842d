//! What a true thing excludes. In: the lines of a rule. Out: the things that are false where one is true.

use super::names::{Names, Thing};
use crate::lang::ir::{Condition, Expr, Operand, Quantifier, VarId};
use std::collections::BTreeSet;

impl Names<'_> {
    /// What is false where a thing is true.
    pub fn seen_from(&self, held: Thing) -> BTreeSet<Thing> {
        let mut out = BTreeSet::new();
        for condition in &self.conditions {
            let Condition::Sees(a, b) = condition else { continue };
            let every = |side: &Operand| side.quantifier == Quantifier::Every;
            for (this, other) in
                [(&a.cells, &b.cells), (&b.cells, &a.cells)].into_iter().filter(|_| every(a) && every(b))
            {
                match held {
                    Thing::Of(digit, cells) if is_places(this, digit, cells) => {
                        out.extend(self.places_of(digit, other))
                    }
                    Thing::Of(..) | Thing::Colour(_) => {}
                    Thing::End(_) => out.extend(self.seen_from_end(held, this, other)),
                }
            }
        }
        for (_, [a, b]) in self.trail_links().filter(|(strong, _)| !*strong) {
            for (this, other) in [(a, b), (b, a)] {
                // Two digits of a set exclude each other only where it is one cell.
                let excludes = this.cells != other.cells || self.is_single(this.cells);
                if excludes && self.thing(this.digit, this.cells) == Some(held) {
                    out.extend(self.thing(other.digit, other.cells));
                }
            }
        }
        if let Thing::Of(digit, cell) = held
            && self.is_single(cell)
        {
            out.extend(self.digits().filter(|&other| other != digit).filter_map(|other| self.thing(other, cell)));
        }
        out
    }

    /// The thing whose places of a digit these cells are.
    fn places_of(&self, digit: VarId, cells: &Expr) -> Option<Thing> {
        if let Some(name) = cells.as_var() {
            return self.thing(digit, name);
        }
        let (_, of) = places(cells).filter(|(same, _)| same.is(digit))?;
        if let Expr::CellsOf(end) = of {
            let end = end.as_var()?;
            let is_end = self.chain_ends().any(|one| one == Thing::End(end)) && self.is_of(end, digit);
            return is_end.then_some(Thing::End(end));
        }
        self.thing(digit, of.as_var()?)
    }

    /// The digit in a set whose places all see a chain's end.
    fn seen_from_end(&self, end: Thing, this: &Expr, other: &Expr) -> Option<Thing> {
        let (digit, set) = places(other)?;
        let (digit, set) = (digit.as_var()?, set.as_var()?);
        (self.places_of(digit, this) == Some(end)).then(|| self.thing(digit, set)).flatten()
    }

    /// Whether the rule says that the candidates of a chain's end are of a digit.
    fn is_of(&self, end: VarId, digit: VarId) -> bool {
        let digits = |end: VarId| Expr::Digits(Box::new(end.into()));
        let within = |end: VarId| self.says(&Condition::Within(digit.into(), digits(end)));
        let same = |other: VarId| {
            self.says(&Condition::Equal(digits(end), digits(other)))
                || self.says(&Condition::Equal(digits(other), digits(end)))
        };
        let others = self.chain_ends().filter_map(|other| if let Thing::End(name) = other { Some(name) } else { None });
        within(end) || others.into_iter().any(|other| same(other) && within(other))
    }
}

/// Whether cells are all places of a digit in a set, or all of its cells.
fn is_places(cells: &Expr, digit: VarId, set: VarId) -> bool {
    cells.is(set) || places(cells).is_some_and(|(of, cells)| of.is(digit) && cells.is(set))
}

/// The digits and the cells of `cells(D in C)`.
fn places(cells: &Expr) -> Option<(&Expr, &Expr)> {
    let Expr::CellsOf(candidates) = cells else { return None };
    candidates.as_candidates()
}
