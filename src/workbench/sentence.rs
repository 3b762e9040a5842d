//! Requirements in sentences. In: a condition and the values of its names. Out: one sentence for each requirement. Failed
//! requirements are described in [`super::shortfall`].

use super::noun::{Noun, is_self_evident};
use super::words::Wording;
use crate::engine::Value;
use crate::grid::{Cell, HouseId};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, PredicateId, Quantifier, VarId, class_word};
use crate::render::list;
use std::collections::BTreeSet;

/// At most this many values of a running name are spoken of one by one; of more, the first.
const TOLD: usize = 8;

impl Wording<'_> {
    /// Describes a condition that holds, in sentences; empty if there is nothing worth a sentence.
    pub fn facts(&self, condition: &Condition) -> Vec<String> {
        match condition {
            Condition::And(parts) => parts.iter().flat_map(|part| self.facts(part)).collect(),
            Condition::ForAll(index, of, part) => self.all_facts(*index, of, part),
            Condition::Within(a, Expr::Those { var, of, when }) => {
                let among = Condition::Within(a.clone(), (**of).clone());
                let mut facts = if is_self_evident(of) { Vec::new() } else { self.facts(&among) };
                facts.extend(self.all_facts(*var, a, when));
                facts
            }
            Condition::Or(parts) => {
                parts.iter().find(|part| self.evaluator.holds(part)).map_or_else(Vec::new, |part| self.facts(part))
            }
            Condition::Exists(index, of, part) => {
                let each = self.each(*index, of);
                let witness = each.iter().find(|one| one.evaluator.holds(part));
                witness.map_or_else(Vec::new, |one| one.facts(part))
            }
            _ => {
                let said = self.said(condition, true);
                if said.is_empty() || self.is_trivial(condition) {
                    return Vec::new();
                }
                let because = self.evidence(condition).filter(|because| !said.contains(because.as_str()));
                vec![said + &because.map_or_else(String::new, |because| format!(" ({because})"))]
            }
        }
    }

    fn all_facts(&self, index: VarId, of: &Expr, part: &Condition) -> Vec<String> {
        let each: Vec<(Value, Vec<String>)> = self
            .each(index, of)
            .iter()
            .map(|one| (one.evaluator.value(&Expr::Var(index)), one.facts(part)))
            .filter(|(_, facts)| !facts.is_empty())
            .collect();
        if each.iter().map(|(_, facts)| facts.len()).sum::<usize>() <= TOLD {
            let mut facts: Vec<String> = each.into_iter().flat_map(|(_, facts)| facts).collect();
            let mut known = BTreeSet::new();
            facts.retain(|fact| known.insert(fact.clone()));
            return facts;
        }
        let others = each[1..].iter().flat_map(|(value, _)| crate::eval::things::things(value)).collect();
        let others = self.text(&crate::eval::things::like(&each[0].0, &others));
        let mut facts = each[0].1.clone();
        facts.push(format!("likewise for {others}"));
        facts
    }

    /// `1 is 1`.
    fn is_same(&self, condition: &Condition) -> bool {
        matches!(condition, Condition::Equal(a, b) if self.noun(a).text == self.noun(b).text)
    }

    /// Returns true if the condition is false in every grid: `1 is 2`.
    fn cannot_hold(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Equal(a, b) => is_self_evident(a) && is_self_evident(b) && !self.is_same(condition),
            Condition::And(parts) => parts.iter().any(|part| self.cannot_hold(part)),
            _ => false,
        }
    }

    /// Returns true if the values show it by themselves: two names have different values, a defined set exists.
    fn is_trivial(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Not(part) => {
                matches!(part.as_ref(), Condition::Equal(a, b) if is_self_evident(a) && is_self_evident(b))
            }
            Condition::Equal(..) => self.is_same(condition),
            Condition::Exactly(set, _) => is_self_evident(set),
            Condition::Some(of) => is_self_evident(of),
            Condition::Within(_, Expr::Digits(of)) => !self.has_options(of),
            Condition::Compare(Expr::Count(of), ..) => is_self_evident(of) && self.size(of) == 0,
            Condition::Holds(PredicateId::Group, args, _) => self.size(&args[0]) == 1,
            _ => false,
        }
    }

    /// The values by which a condition holds, if its sentence does not name them.
    fn evidence(&self, condition: &Condition) -> Option<String> {
        let shown = |expr: &Expr| Some(self.value(expr)).filter(|_| self.size(expr) > 0);
        match condition {
            Condition::Sees(a, b) if self.lens.is_grid() => {
                self.shared([self.cells(&a.of), self.cells(&b.of)].concat())
            }
            Condition::Holds(PredicateId::InOne(class), args, _) => self.shared(self.cells(&args[0])).map(|houses| {
                let of_class = |house: &&str| *class == HouseClass::Any || house.starts_with(class_word(*class));
                houses.split(", ").filter(of_class).collect::<Vec<_>>().join(", ")
            }),
            Condition::Compare(Expr::Count(of), ..) => match of.as_ref() {
                Expr::In(digits, _) if **digits != Expr::AllDigits => Some(self.text(&Value::Cells(self.cells(of)))),
                _ => shown(of),
            },
            Condition::Some(Expr::In(digits, cells)) if self.size(cells) > 1 => {
                let at = self.cells(&Expr::In(digits.clone(), cells.clone()));
                Some(self.text(&Value::Cells(at)))
            }
            Condition::Some(Expr::Intersection(_, of)) if matches!(of.as_ref(), Expr::Excluded { .. }) => None,
            Condition::Some(of @ Expr::Intersection(..)) => shown(of),
            Condition::Within(of @ Expr::Cells(_), _) | Condition::Disjoint(of @ Expr::Cells(_), _) => shown(of),
            Condition::Equal(Expr::Digits(of), _) if self.has_options(of) => shown(&Expr::Digits(of.clone())),
            _ => None,
        }
    }

    /// The house in which a digit has no place besides some cells; if each cell has others, the house they share.
    fn only_places(&self, digit: &Expr, ends: &[Cell]) -> Option<String> {
        let Value::Digits(digits) = self.evaluator.value(digit) else { return None };
        let shared: Vec<HouseId> = self.houses_of(ends);
        let other = |cell: &Cell| !ends.contains(cell) && !(self.state.candidates(*cell) & digits).is_empty();
        let only = shared.iter().find(|house| !self.geometry.house(**house).cells.iter().any(other));
        let house = only.or(shared.first().filter(|_| shared.len() == 1))?;
        Some(self.text(&Value::Houses(vec![*house])))
    }

    /// The houses that hold all of some cells.
    pub(super) fn houses_of(&self, cells: &[Cell]) -> Vec<HouseId> {
        let holds = |house: &HouseId| cells.iter().all(|cell| self.geometry.house(*house).cells.contains(cell));
        let all = cells.first().map_or(&[][..], |cell| self.geometry.houses_of(*cell));
        all.iter().copied().filter(holds).collect()
    }

    fn shared(&self, cells: Vec<Cell>) -> Option<String> {
        let names: Vec<String> =
            self.houses_of(&cells).into_iter().map(|house| self.text(&Value::Houses(vec![house]))).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// The condition as a sentence with the values in place; its negation if not `yes`.
    pub(super) fn said(&self, condition: &Condition, yes: bool) -> String {
        let x = |expr: &Expr| self.noun(expr);
        match condition {
            Condition::Compare(a, how, b) => self.compared(a, *how, b, yes),
            Condition::Equal(a, b) if self.size(a) < 2 && (is_self_evident(a) || is_self_evident(b)) => {
                format!("{} {}", x(a).is(yes), x(b).text)
            }
            Condition::Equal(Expr::Digits(a), Expr::Digits(b)) if self.has_options(a) == self.has_options(b) => {
                let digits = match self.has_options(a) {
                    true => self.options(2),
                    false if self.size(&Expr::Digits(a.clone())) == 1 => "digit",
                    false => "digits",
                };
                let have = if yes { "have" } else { "do not have" };
                format!("{} and {} {have} the same {digits}", x(a).text, x(b).text)
            }
            Condition::Equal(a, b) => {
                format!("{} and {} are {}", x(a).text, x(b).text, if yes { "the same" } else { "different" })
            }
            Condition::Exactly(set, names) => self.exactly(set, names, yes),
            Condition::Within(a, b) => self.within(a, b, yes),
            Condition::Disjoint(a, b) => self.disjoint(a, b, yes),
            Condition::Some(of) => self.some(of, yes),
            Condition::No(of) => self.some(of, !yes),
            Condition::Sees(a, b) => self.sees(a, b, yes),
            Condition::Has(side, digits) => format!("{} {}", self.side(side).has(yes), x(digits).text),
            Condition::Lacks(side, digits) => {
                let digits = x(digits).text.replace(" and ", " or ");
                match (self.size(&side.of), side.quantifier, yes) {
                    (2.., Quantifier::Every, true) => format!("none of {} has {digits}", x(&side.of).text),
                    (2.., Quantifier::Every, false) => format!("one of {} has {digits}", x(&side.of).text),
                    _ => format!("{} {digits}", self.side(side).has(!yes)),
                }
            }
            Condition::Lie(a, Incidence::Parallel, b) if a == b => format!("{} parallel", x(a).is(yes)),
            Condition::Lie(a, how, b) => {
                let (yes, one, several) = match how {
                    Incidence::Meeting => (yes, "meets", "meet"),
                    Incidence::Missing => (!yes, "meets", "meet"),
                    Incidence::Through => (yes, "goes through", "go through"),
                    Incidence::Crossing => (yes, "crosses", "cross"),
                    Incidence::Parallel => (yes, "is parallel to", "are parallel to"),
                };
                format!("{} {}", x(a).does(yes, one, several), x(b).text)
            }
            Condition::Connected(cells) => format!("{} connected by cells that see each other", x(cells).is(yes)),
            Condition::AlmostLocked(cells, over) => self.almost_locked(cells, *over, yes),
            Condition::Holds(id, args, _) => self.predicate(*id, args, yes),
            Condition::GivensAllow(side, digits) => {
                let givens = Noun::new("the givens alone", true).does(yes, "leave", "leave");
                format!("{givens} {} possible in {}", self.value(digits), self.side(side).text)
            }
            Condition::ForAll(index, of, part) | Condition::Exists(index, of, part) => {
                let each = self.each(*index, of);
                let each: Vec<(&Wording<'_>, &Condition)> = each.iter().map(|one| (one, part.as_ref())).collect();
                several(&each, matches!(condition, Condition::ForAll(..)), yes)
            }
            Condition::And(parts) | Condition::Or(parts) => {
                let each: Vec<(&Wording<'_>, &Condition)> = parts.iter().map(|part| (self, part)).collect();
                several(&each, matches!(condition, Condition::And(_)), yes)
            }
            Condition::Not(part) => self.said(part, !yes),
        }
    }

    fn predicate(&self, id: PredicateId, args: &[Expr], yes: bool) -> String {
        let of = self.noun(&args[0]);
        match id {
            PredicateId::InOne(class) => format!("{} in one {}", of.is(yes), class_word(class)),
            PredicateId::Group => format!("{} all unsolved cells in which a box and a line meet", of.is(yes)),
            PredicateId::Closed => {
                format!("{} house has just one cell of {}", if yes { "no" } else { "some" }, of.text)
            }
            PredicateId::ClosedBetween => {
                let lines = format!("{} and {}", self.noun(&args[1]).text, self.noun(&args[2]).text);
                let opposite = format!("in {lines}, each opposite another of them");
                format!("{} {opposite}, and no house has just one of them", of.is(yes))
            }
            PredicateId::Conjugate => {
                let ends = [self.cells(&args[1]), self.cells(&args[2])].concat();
                let house = self.only_places(&args[0], &ends).unwrap_or_else(|| "a house".into());
                let places = Noun::new(format!("the only places for {} in {house}", of.text), true);
                format!("{} {}", places.is(yes), self.text(&Value::Cells(ends)))
            }
        }
    }
}

/// Joins several conditions: all of those that must hold or, of alternatives, the one that decides if it is known.
fn several(parts: &[(&Wording<'_>, &Condition)], all: bool, yes: bool) -> String {
    let parts: Vec<_> = parts.iter().filter(|(wording, part)| !(all && yes && wording.is_same(part))).collect();
    let holds = |(wording, part): &(&Wording<'_>, &Condition)| wording.evaluator.holds(part) == yes;
    let said = |(wording, part): &(&Wording<'_>, &Condition)| wording.said(part, yes);
    let deciding = parts.iter().find(|part| holds(part));
    match (all == yes, deciding) {
        (true, _) => few(parts.iter().map(|part| said(part)), "and"),
        (false, Some(one)) => said(one),
        (false, None) => {
            let possible = parts.iter().filter(|(wording, part)| !wording.cannot_hold(part));
            few(possible.map(|part| said(part)), "or")
        }
    }
}

/// A few things in a row; of more, the first.
fn few(all: impl Iterator<Item = String>, word: &str) -> String {
    const FEW: usize = 4;
    let mut all: Vec<String> = all.collect();
    if all.len() > FEW {
        all.truncate(1);
        all.push("likewise for others".into());
    }
    list(&all, word)
}
