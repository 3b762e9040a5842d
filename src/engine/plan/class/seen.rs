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
            for (this, other) in [(&a.of, &b.of), (&b.of, &a.of)].into_iter().filter(|_| every(a) && every(b)) {
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
                let excludes = this.cell != other.cell || self.is_single(this.cell);
                if excludes && self.thing(this.digit, this.cell) == Some(held) {
                    out.extend(self.thing(other.digit, other.cell));
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
        if let Expr::Var(name) = cells {
            return self.thing(digit, *name);
        }
        let Expr::Cells(noun) = cells else { return None };
        let Expr::In(same, of) = noun.as_ref() else { return None };
        match of.as_ref() {
            _ if **same != Expr::Var(digit) => None,
            Expr::Var(set) => self.thing(digit, *set),
            Expr::Cells(end) => match end.as_ref() {
                Expr::Var(end) if self.chain_ends().any(|one| one == Thing::End(*end)) && self.is_of(*end, digit) => {
                    Some(Thing::End(*end))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The digit in a set whose places all see a chain's end.
    fn seen_from_end(&self, end: Thing, this: &Expr, other: &Expr) -> Option<Thing> {
        let Expr::Cells(noun) = other else { return None };
        let Expr::In(digit, set) = noun.as_ref() else { return None };
        let (Expr::Var(digit), Expr::Var(set)) = (digit.as_ref(), set.as_ref()) else { return None };
        (self.places_of(*digit, this) == Some(end)).then(|| self.thing(*digit, *set)).flatten()
    }

    /// Whether the rule says that the candidates of a chain's end are of a digit.
    fn is_of(&self, end: VarId, digit: VarId) -> bool {
        let digits = |end: VarId| Expr::Digits(Box::new(Expr::Var(end)));
        let within = |end: VarId| self.says(&Condition::Within(Expr::Var(digit), digits(end)));
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
    let noun = Expr::In(Box::new(Expr::Var(digit)), Box::new(Expr::Var(set)));
    *cells == Expr::Var(set) || *cells == Expr::Cells(Box::new(noun))
}
