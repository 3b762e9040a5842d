//! The phrase table: for each condition its sentence, its negation, the evidence for it, and what a position has in its place.
//!
//! In: a condition and the values of its names. Out: the facts of a match ([`Wording::facts`]) and the shortfall of a near miss
//! ([`Wording::fails`]), whose distance is 1 for the nearest.

use super::wording::{NounPhrase, Wording, is_self_evident};
use crate::engine::Value;
use crate::grid::{Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::{
    Comparison, Condition, Expr, HouseClass, Incidence, Operand, PredicateId, Quantifier, VarId, class_singular,
};
use crate::render::join_words;
use std::collections::BTreeSet;

/// Shortfall of a pattern that matches but does not conclude what was asked.
pub(super) const HOLDS: &str = "it holds, and the pattern does not show what was asked for";

/// At most this many facts about the values of a running name are listed; of more, those of the first value.
const MOST_LISTED: usize = 8;

/// Use of a phrase.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The sentence alone.
    Sentence,
    /// The negation alone.
    Negation,
    /// The sentence with the evidence for it.
    Fact,
    /// The sentence with what the position has in its place.
    Shortfall,
}

/// A condition in words.
struct Phrase {
    form: Form,
    text: String,
    /// The evidence of a fact, or what the position has in place of the condition's demand.
    note: Option<String>,
    /// Distance between the demand and the position.
    distance: usize,
}

impl Form {
    fn say(self, text: String) -> Phrase {
        Phrase { form: self, text, note: None, distance: 3 }
    }
}

impl Phrase {
    /// Drops the sentence of a fact that the values show by themselves: two names have different values, a defined set exists.
    fn trivial_if(mut self, is_trivial: impl FnOnce() -> bool) -> Phrase {
        if self.form == Form::Fact && is_trivial() {
            self.text.clear();
        }
        self
    }

    /// Adds the values by which the condition holds, if the sentence does not name them.
    fn shown_by(mut self, evidence: impl FnOnce() -> Option<String>) -> Phrase {
        if self.form == Form::Fact {
            self.note = evidence();
        }
        self
    }

    /// Adds what the position has in place of the demand, and the distance between the two.
    fn instead(mut self, found: impl FnOnce() -> (Option<String>, usize)) -> Phrase {
        if self.form == Form::Shortfall {
            (self.note, self.distance) = found();
        }
        self
    }
}

impl Wording<'_> {
    /// Describes a condition that holds, in sentences; empty if there is nothing worth a sentence.
    pub fn facts(&self, condition: &Condition) -> Vec<String> {
        match condition {
            Condition::And(parts) => parts.iter().flat_map(|part| self.facts(part)).collect(),
            Condition::ForAll(index, of, part) => self.facts_of_all(*index, of, part),
            Condition::Within(a, Expr::Filter { var, set: of, condition: when }) => {
                let among = Condition::Within(a.clone(), (**of).clone());
                let mut facts = if is_self_evident(of) { Vec::new() } else { self.facts(&among) };
                facts.extend(self.facts_of_all(*var, a, when));
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
                let Phrase { text, note, .. } = self.phrase(condition, Form::Fact);
                if text.is_empty() {
                    return Vec::new();
                }
                let note = note.filter(|note| !text.contains(note.as_str()));
                vec![text + &note.map_or_else(String::new, |note| format!(" ({note})"))]
            }
        }
    }

    fn facts_of_all(&self, index: VarId, of: &Expr, part: &Condition) -> Vec<String> {
        let each: Vec<(Value, Vec<String>)> = self
            .each(index, of)
            .iter()
            .map(|one| (one.evaluator.value(&Expr::Var(index)), one.facts(part)))
            .filter(|(_, facts)| !facts.is_empty())
            .collect();
        if each.iter().map(|(_, facts)| facts.len()).sum::<usize>() <= MOST_LISTED {
            let mut seen = BTreeSet::new();
            return each.into_iter().flat_map(|(_, facts)| facts).filter(|fact| seen.insert(fact.clone())).collect();
        }
        let others = each[1..].iter().flat_map(|(value, _)| crate::eval::elements::elements(value)).collect();
        let others = self.text(&crate::eval::elements::value_of_same_kind(&each[0].0, &others));
        let mut facts = each[0].1.clone();
        facts.push(format!("likewise for {others}"));
        facts
    }

    /// Describes the failure of a condition, and its distance: 1 is nearest.
    pub fn fails(&self, condition: &Condition) -> (String, usize) {
        let (missing, by) = self.lacks(condition);
        (format!("missing: {}", missing.join("; and ")), by.max(1))
    }

    /// Every missing part: the demand and what the position has instead.
    fn lacks(&self, condition: &Condition) -> (Vec<String>, usize) {
        match condition {
            Condition::And(parts) => all_lack(parts.iter().map(|part| (self, part))),
            Condition::ForAll(index, of, part) => {
                all_lack(self.each(*index, of).iter().map(|one| (one, part.as_ref())))
            }
            Condition::Within(a, Expr::Filter { var, set: of, condition: when }) if self.size(a) > 0 => {
                let among = Condition::Within(a.clone(), (**of).clone());
                let each = Condition::ForAll(*var, a.clone(), when.clone());
                all_lack([(self, &among), (self, &each)].into_iter())
            }
            _ => {
                let Phrase { text, note, distance, .. } = self.phrase(condition, Form::Shortfall);
                (vec![text + &note.map_or_else(String::new, |note| format!("; {note}"))], distance)
            }
        }
    }

    /// The condition as a sentence with the values in place; its negation if not `yes`.
    fn said(&self, condition: &Condition, yes: bool) -> String {
        self.phrase(condition, if yes { Form::Sentence } else { Form::Negation }).text
    }

    /// The phrase table.
    fn phrase(&self, condition: &Condition, form: Form) -> Phrase {
        let yes = form != Form::Negation;
        match condition {
            Condition::Compare(a, how, b) => form
                .say(self.compared(a, *how, b, yes))
                .trivial_if(|| matches!(a, Expr::Count(of) if is_self_evident(of) && self.size(of) == 0))
                .shown_by(|| self.counted_members(a))
                .instead(|| self.other_number(a, *how, b)),
            Condition::Equal(a, b) => form
                .say(self.equal(a, b, yes))
                .trivial_if(|| self.is_same(condition))
                .shown_by(|| match a {
                    Expr::Digits(of) if self.has_options(of) => self.members(a),
                    _ => None,
                })
                .instead(|| {
                    let values = format!("these are {} and {}", self.value(a), self.value(b));
                    let differ = self.size(&difference(a, b)) + self.size(&difference(b, a));
                    (Some(values).filter(|_| !self.is_shown(a) || !self.is_shown(b)), differ)
                }),
            Condition::Exactly(set, names) => {
                let named = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
                form.say(self.exactly(set, &named, names.len(), yes))
                    .trivial_if(|| is_self_evident(set))
                    .instead(|| self.other_members(set, &difference(set, &named), &difference(&named, set)))
            }
            Condition::Within(a, b) => form
                .say(self.within(a, b, yes))
                .trivial_if(|| matches!(b, Expr::Digits(of) if !self.has_options(of)))
                .shown_by(|| self.members(a).filter(|_| matches!(a, Expr::UnsolvedCells(_))))
                .instead(|| self.outsiders(a, b)),
            Condition::Disjoint(a, b) => form
                .say(self.disjoint(a, b, yes))
                .shown_by(|| self.members(a).filter(|_| matches!(a, Expr::UnsolvedCells(_))))
                .instead(|| (self.common(a, b).filter(|_| self.size(a) > 1), 2)),
            Condition::Some(of) => {
                form.say(self.some(of, yes)).trivial_if(|| is_self_evident(of)).shown_by(|| self.some_members(of))
            }
            Condition::No(of) => {
                form.say(self.some(of, !yes)).instead(|| (Some(format!("there is {}", self.value(of))), self.size(of)))
            }
            Condition::Sees(a, b) => form.say(self.sees(a, b, yes)).shown_by(|| {
                let cells = [self.cells(&a.cells), self.cells(&b.cells)].concat();
                self.shared_houses(&cells, HouseClass::Any).filter(|_| self.lens.is_grid())
            }),
            Condition::Has(side, digits) => form
                .say(format!("{} {}", self.side(side).has(yes), self.words(digits)))
                .instead(|| (self.candidates_of(&side.cells), 2)),
            Condition::Lacks(side, digits) => {
                let digits = self.words(digits).replace(" and ", " or ");
                let text = match (self.size(&side.cells), side.quantifier, yes) {
                    (2.., Quantifier::Every, true) => format!("none of {} has {digits}", self.words(&side.cells)),
                    (2.., Quantifier::Every, false) => format!("one of {} has {digits}", self.words(&side.cells)),
                    _ => format!("{} {digits}", self.side(side).has(!yes)),
                };
                form.say(text).instead(|| (None, 1))
            }
            Condition::Incident(a, Incidence::Parallel, b) if a == b => {
                form.say(format!("{} parallel", self.noun(a).is(yes)))
            }
            Condition::Incident(a, how, b) => {
                let (yes, one, several) = match how {
                    Incidence::Meeting => (yes, "meets", "meet"),
                    Incidence::Avoiding => (!yes, "meets", "meet"),
                    Incidence::Through => (yes, "goes through", "go through"),
                    Incidence::Crossing => (yes, "crosses", "cross"),
                    Incidence::Parallel => (yes, "is parallel to", "are parallel to"),
                };
                form.say(format!("{} {}", self.noun(a).does(yes, one, several), self.words(b)))
            }
            Condition::Connected(cells) => {
                form.say(format!("{} connected by cells that see each other", self.noun(cells).is(yes)))
            }
            Condition::AlmostLocked(cells, over) => {
                form.say(self.almost_locked(cells, *over, yes)).instead(|| (Some(self.count_of_candidates(cells)), 1))
            }
            Condition::Predicate(id, args, _) => self.predicate(*id, args, form),
            Condition::GivensAllow(side, digits) => {
                let givens = NounPhrase::new("the givens alone", true).does(yes, "leave", "leave");
                form.say(format!("{givens} {} possible in {}", self.value(digits), self.side(side).text))
            }
            Condition::ForAll(index, of, part) | Condition::Exists(index, of, part) => {
                let each = self.each(*index, of);
                let each: Vec<(&Wording<'_>, &Condition)> = each.iter().map(|one| (one, part.as_ref())).collect();
                form.say(joined(&each, matches!(condition, Condition::ForAll(..)), yes))
            }
            Condition::And(parts) | Condition::Or(parts) => {
                let each: Vec<(&Wording<'_>, &Condition)> = parts.iter().map(|part| (self, part)).collect();
                form.say(joined(&each, matches!(condition, Condition::And(_)), yes))
            }
            Condition::Not(part) => form.say(self.said(part, !yes)).trivial_if(
                || matches!(part.as_ref(), Condition::Equal(a, b) if is_self_evident(a) && is_self_evident(b)),
            ),
        }
    }

    fn predicate(&self, id: PredicateId, args: &[Expr], form: Form) -> Phrase {
        let yes = form != Form::Negation;
        let of = self.noun(&args[0]);
        match id {
            PredicateId::InOneHouse(class) => form
                .say(format!("{} in one {}", of.is(yes), class_singular(class)))
                .shown_by(|| self.shared_houses(&self.cells(&args[0]), class)),
            PredicateId::Group => form
                .say(format!("{} all unsolved cells in which a box and a line meet", of.is(yes)))
                .trivial_if(|| self.size(&args[0]) == 1),
            PredicateId::Closed => {
                let no = if yes { "no" } else { "some" };
                form.say(format!("{no} house has just one cell of {}", of.text))
            }
            PredicateId::ClosedBetween => {
                let lines = format!("{} and {}", self.words(&args[1]), self.words(&args[2]));
                let cells = of.is(yes);
                form.say(format!(
                    "{cells} in {lines}, each opposite another of them, and no house has just one of them"
                ))
            }
            PredicateId::Conjugate => {
                let ends = [self.cells(&args[1]), self.cells(&args[2])].concat();
                form.say(self.conjugate(&args[0], &ends, yes)).instead(|| self.not_conjugate(&args[0], &ends))
            }
        }
    }
}

/// Comparisons of numbers, and sets that are equal.
impl Wording<'_> {
    /// `r2c39 have 2 candidates together`; of what is no count, what is on either side.
    fn compared(&self, a: &Expr, how: Comparison, b: &Expr, yes: bool) -> String {
        let how = if yes { how } else { opposite(how) };
        let number = self.evaluator.number(b);
        match (a, b) {
            (Expr::Count(of), _) => self.counted(of, how, number),
            (Expr::MaxOccurrences(digit, cells), _) => {
                let times = match (how, number) {
                    (Comparison::Equal, 1) => "only once".to_string(),
                    _ => amount(how, number, "time", "times"),
                };
                format!("{} fits {times} into {}", self.words(digit), self.words(cells))
            }
            (_, Expr::Count(of)) => self.counted(of, turned(how), self.evaluator.number(a)),
            (_, Expr::Number(_) | Expr::Param(_)) => {
                format!("{} are {}", self.words(a), amount(how, number, "", "")).trim_end().into()
            }
            _ => format!("{} are {} {}", self.words(a), comparison_words(how).1, self.words(b)),
        }
    }

    /// States the number of members of a set.
    fn counted(&self, of: &Expr, how: Comparison, number: i64) -> String {
        let (subject, one, several, rest) = match of {
            Expr::Digits(cells) if self.has_options(cells) => {
                let NounPhrase { mut text, many } = self.noun(cells);
                text.push_str(if self.size(cells) > 1 { " together" } else { "" });
                (NounPhrase { text, many }, self.options(1), self.options(2), String::new())
            }
            Expr::Digits(of) => (self.noun(of), "digit", "digits", String::new()),
            Expr::Values(cells) => (self.noun(cells), "solved digit", "solved digits", String::new()),
            Expr::In(digits, cells) if **digits == Expr::AllDigits => {
                (self.noun(cells), "candidate", "candidates", String::new())
            }
            Expr::In(digits, cells) => (self.noun(cells), "place", "places", format!(" for {}", self.words(digits))),
            Expr::UnsolvedCells(of) if matches!(of.as_ref(), Expr::In(..)) => return self.counted(of, how, number),
            Expr::UnsolvedCells(of) if self.is_region(of) => {
                (self.noun(of), "unsolved cell", "unsolved cells", String::new())
            }
            Expr::Difference(a, b) if matches!(a.as_ref(), Expr::In(..) | Expr::Digits(_)) => {
                let all = self.counted(a, how, number);
                return if self.size(b) == 0 { all } else { format!("{all} apart from {}", self.words(b)) };
            }
            Expr::Intersection(a, b) if self.is_region(a) && !self.is_region(b) => {
                (self.noun(a), "cell", "cells", format!(" of {}", self.words(b)))
            }
            _ => {
                let amount = amount(how, number, &self.thing(of, 1), &self.thing(of, 2));
                return match is_self_evident(of) {
                    true => format!("there {} {amount}", if number == 1 { "is" } else { "are" }),
                    false => format!("{} {amount}", self.noun(of).is(true)),
                };
            }
        };
        format!("{} {}{rest}", subject.has(true), amount(how, number, one, several))
    }

    /// The members of a set that is counted.
    fn counted_members(&self, a: &Expr) -> Option<String> {
        let Expr::Count(of) = a else { return None };
        match of.as_ref() {
            Expr::In(digits, _) if **digits != Expr::AllDigits => Some(self.text(&Value::Cells(self.cells(of)))),
            _ => self.members(of),
        }
    }

    /// The actual number, and the things counted.
    fn other_number(&self, a: &Expr, how: Comparison, b: &Expr) -> (Option<String>, usize) {
        let (left, right) = (self.evaluator.number(a), self.evaluator.number(b));
        let words = match (a, left) {
            _ if how == Comparison::NotEqual => None,
            (Expr::Count(_), 0) => Some("found: none".to_string()),
            (Expr::Count(of), _) => Some(format!("found: {left} ({})", self.value(of))),
            (Expr::MaxOccurrences(..), _) => Some(format!("it fits {left} times")),
            _ => Some(format!("they are {left}")),
        };
        (words, left.abs_diff(right).clamp(1, 99) as usize)
    }

    /// For a set whose members have no names yet: the actual number of members and the required one.
    pub(super) fn other_count(&self, set: &Expr, names: &[VarId], known: &BTreeSet<VarId>) -> (String, usize) {
        let named: Vec<Expr> = names.iter().filter(|name| known.contains(name)).map(|&name| Expr::Var(name)).collect();
        let lacks = difference(&Expr::Union(named), set);
        let (here, missing) = (self.size(set), self.size(&lacks));
        if here == names.len() && missing == 0 {
            return (HOLDS.into(), 99);
        }
        let mut demanded = self.counted(set, Comparison::Equal, names.len() as i64);
        if missing > 0 {
            demanded = format!("{demanded}, among them {}", self.value(&lacks));
        }
        (format!("missing: {demanded}; found: {}", self.value(set)), (here.abs_diff(names.len()) + 2 * missing).max(1))
    }

    fn equal(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        match (a, b) {
            _ if self.size(a) < 2 && (is_self_evident(a) || is_self_evident(b)) => {
                format!("{} {}", self.noun(a).is(yes), self.words(b))
            }
            (Expr::Digits(p), Expr::Digits(q)) if self.has_options(p) == self.has_options(q) => {
                let digits = match self.has_options(p) {
                    true => self.options(2),
                    false if self.size(a) == 1 => "digit",
                    false => "digits",
                };
                let have = if yes { "have" } else { "do not have" };
                format!("{} and {} {have} the same {digits}", self.words(p), self.words(q))
            }
            _ => {
                let same = if yes { "the same" } else { "different" };
                format!("{} and {} are {same}", self.words(a), self.words(b))
            }
        }
    }

    /// `1 is 1`.
    fn is_same(&self, condition: &Condition) -> bool {
        matches!(condition, Condition::Equal(a, b) if self.words(a) == self.words(b))
    }

    /// Returns true if the condition is false in every grid: `1 is 2`.
    fn cannot_hold(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Equal(a, b) => is_self_evident(a) && is_self_evident(b) && !self.is_same(condition),
            Condition::And(parts) => parts.iter().any(|part| self.cannot_hold(part)),
            _ => false,
        }
    }

    /// `r4c8 has only 5, 6 and 9`, `the only places for 5 in row 4 are r4c78`.
    fn exactly(&self, set: &Expr, named: &Expr, count: usize, yes: bool) -> String {
        let named = self.value(named);
        match set {
            Expr::Digits(of) if self.has_options(of) && !self.lens.is_grid() => {
                format!("{} only in {named}", self.noun(of).is(yes))
            }
            Expr::Digits(of) => format!("{} only {named}", self.noun(of).has(yes)),
            _ => {
                let noun = self.noun_of(set, count);
                let only = noun.text.strip_prefix("the ").map_or(noun.text.clone(), |rest| format!("the only {rest}"));
                format!("{} {named}", NounPhrase::new(only, count != 1).is(yes))
            }
        }
    }

    /// Describes extra and missing members: `it also has 8`, `it does not have 2`; for places, their cells.
    fn other_members(&self, set: &Expr, extra: &Expr, missing: &Expr) -> (Option<String>, usize) {
        let (also, lacks) = match set {
            Expr::Digits(of) if self.has_options(of) => match (self.lens.is_grid(), self.size(of)) {
                (false, _) => ("it is also in", "it is not in"),
                (true, 1) => ("it also has", "it does not have"),
                (true, _) => ("they also have", "they do not have"),
            },
            _ => ("there is also", "there is no"),
        };
        let words = [(also, extra), (lacks, missing)].into_iter().filter(|(_, set)| self.size(set) > 0);
        let words: Vec<String> = words.map(|(words, set)| format!("{words} {}", self.value(set))).collect();
        (Some(words.join(" and ")).filter(|words| !words.is_empty()), self.size(extra) + 2 * self.size(missing))
    }
}

/// Sets within others, disjoint sets, and sets with members.
impl Wording<'_> {
    fn within(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let mut noun = self.noun(a);
        if noun.many && noun.text.starts_with("the ") {
            noun.text.insert_str(0, "all ");
        }
        match b {
            _ if self.size(a) == 0 => format!("there {} {}", if yes { "is" } else { "is no" }, self.words(a)),
            Expr::Intersection(p, q) if !self.is_region(b) => {
                let parts = [p, q].map(|part| Condition::Within(a.clone(), (**part).clone()));
                self.said(&Condition::And(parts.to_vec()), yes)
            }
            Expr::Filter { var, set: of, condition: when } => {
                let among = Condition::Within(a.clone(), (**of).clone());
                let each = Condition::ForAll(*var, a.clone(), when.clone());
                let all = if is_self_evident(of) { each } else { Condition::And(vec![among, each]) };
                self.said(&all, yes)
            }
            Expr::Seeing { every, cells: of } => {
                format!("{} {}", noun.does(yes, "sees", "see"), self.quantified(*every, of))
            }
            Expr::Excluded { every, candidates: of } => format!("{} {}", self.excluding(*every, of, yes), noun.text),
            Expr::Digits(of) => match a {
                Expr::Digits(a) if self.has_options(of) => {
                    format!("{} only candidates of {}", self.noun(a).has(yes), self.words(of))
                }
                _ if self.has_options(of) => format!("{} {}", self.noun(of).has(yes), noun.text),
                _ => format!("{} the digit {}", self.noun(of).has(yes), noun.text),
            },
            Expr::AllCells => format!("{} unsolved", noun.is(yes)),
            _ => match self.evaluator.value(b) {
                Value::Cells(_) => format!("{} in {}", noun.is(yes), self.words(b)),
                Value::Digits(_) => format!("{} among {}", noun.is(yes), self.value(b)),
                _ => format!("{} among {}", noun.is(yes), self.words(b)),
            },
        }
    }

    /// The members of one set that are outside of another.
    fn outsiders(&self, a: &Expr, b: &Expr) -> (Option<String>, usize) {
        let outside = difference(a, b);
        let (value, count) = (self.value(&outside), self.size(&outside));
        let words = match b {
            Expr::Digits(of) if self.has_options(of) => Some(format!("there is no {value}")),
            _ if self.size(a) < 2 => None,
            _ => Some(format!("{} not", NounPhrase::new(value, count != 1).is(true))),
        };
        (words, count.max(1))
    }

    fn disjoint(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let no = if yes { "no" } else { "a" };
        match (a, b) {
            _ if a == b => format!("no two of {} share a cell", self.words(a)),
            (Expr::Digits(p), Expr::Digits(q)) if self.has_options(p) && self.has_options(q) => {
                format!("{} and {} have {no} candidate in common", self.words(p), self.words(q))
            }
            (_, Expr::Excluded { .. }) => self.within(a, b, !yes),
            (Expr::Digits(p), _) if self.has_options(p) => {
                format!("{} {} of {}", self.noun(p).has(true), if yes { "none" } else { "one" }, self.value(b))
            }
            (_, Expr::Union(parts)) if !parts.iter().all(is_self_evident) && !self.is_region(b) => {
                let each = parts.iter().map(|part| Condition::Disjoint(a.clone(), part.clone())).collect();
                self.said(&Condition::And(each), yes)
            }
            _ if !self.is_region(b) && matches!(self.evaluator.value(a), Value::Cells(_) | Value::Candidates(_)) => {
                format!("{} and {} have {no} {} in common", self.words(a), self.words(b), self.thing(a, 1))
            }
            _ => self.within(a, b, !yes),
        }
    }

    /// The common members of two sets.
    fn common(&self, a: &Expr, b: &Expr) -> Option<String> {
        let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
        let value = self.value(&both);
        match (a, b) {
            (_, Expr::Excluded { .. }) => None,
            (Expr::Digits(of), _) if self.has_options(of) => Some(format!("there is {value}")),
            _ => Some(NounPhrase::new(value, self.size(&both) != 1).is(true)),
        }
    }

    fn some(&self, of: &Expr, yes: bool) -> String {
        match of {
            Expr::In(digits, cells) => {
                let none = !yes && self.size(digits) != 1;
                let what = match (self.size(digits), is_self_evident(digits)) {
                    (1, _) => self.words(digits),
                    _ if none => format!("none of {}", self.words(digits)),
                    (_, true) => format!("one of {}", self.words(digits)),
                    _ => self.words(digits),
                };
                match cells.as_ref() {
                    Expr::Intersection(a, b) if self.is_region(a) && self.is_region(b) => {
                        format!("{} {what} in {}", self.noun(a).has(yes || none), self.words(b))
                    }
                    _ => format!("{} {what}", self.noun(cells).has(yes || none)),
                }
            }
            Expr::Filter { var, set: of, condition: when } => {
                self.said(&Condition::Exists(*var, (**of).clone(), when.clone()), yes)
            }
            Expr::Intersection(a, b) => match (a.as_ref(), b.as_ref()) {
                (a, Expr::Excluded { every, candidates: of }) => {
                    let which = match a == of.as_ref() {
                        true => "another of them".into(),
                        false if self.size(a) == 1 => self.words(a),
                        false => format!("some {}", self.words(a)),
                    };
                    format!("{} {which}", self.excluding(*every, of, yes))
                }
                (Expr::AllHouses(class), other) => {
                    format!("{} a {}", self.noun(other).does(yes, "includes", "include"), class_singular(*class))
                }
                (a, b) => {
                    let overlap = if yes { "overlap" } else { "do not overlap" };
                    format!("{} and {} {overlap}", self.words(a), self.words(b))
                }
            },
            Expr::Difference(a, b) => {
                let is_cell_name = yes && matches!(self.evaluator.value(a), Value::Cells(_));
                let word = if is_cell_name { "in" } else { "among" };
                format!("{} not only {word} {}", self.noun(a).is(true), self.words(b))
            }
            _ => match self.size(of) {
                0 => format!("there is {} {}", if yes { "such a" } else { "no such" }, self.thing(of, 1)),
                _ => format!("there is {}{}", if yes { "" } else { "no " }, self.words(of)),
            },
        }
    }

    /// The members of a set that is required to have some.
    fn some_members(&self, of: &Expr) -> Option<String> {
        match of {
            Expr::In(_, cells) => Some(self.text(&Value::Cells(self.cells(of)))).filter(|_| self.size(cells) > 1),
            Expr::Intersection(_, b) if matches!(b.as_ref(), Expr::Excluded { .. }) => None,
            Expr::Intersection(..) => self.members(of),
            _ => None,
        }
    }

    /// The value of a set that has members.
    fn members(&self, set: &Expr) -> Option<String> {
        Some(self.value(set)).filter(|_| self.size(set) > 0)
    }

    /// Returns true if the noun phrase of the expression is its value.
    fn is_shown(&self, expr: &Expr) -> bool {
        self.words(expr) == self.value(expr)
    }
}

/// Cells that see each other, their candidates and their houses.
impl Wording<'_> {
    /// In a view two digits of houses that see each other exclude each other's places.
    fn sees(&self, a: &Operand, b: &Operand, yes: bool) -> String {
        let (a, b) = (self.side(a), self.side(b));
        if self.lens.is_grid() {
            return format!("{} {}", a.does(yes, "sees", "see"), b.text);
        }
        let line = self.text(&Value::Digits(DigitSet::single(Digit(0))));
        let line = line.split(' ').next().unwrap_or_default();
        let can = if yes { "cannot" } else { "can" };
        format!("{} and {} {can} be in the same {line}", a.text, b.text)
    }

    /// `r4c8`, `each of r4c78`, `every 5 in r4c78`.
    fn side(&self, side: &Operand) -> NounPhrase {
        match (&side.cells, side.quantifier, self.size(&side.cells)) {
            (Expr::UnsolvedCells(of), Quantifier::Every, _) if matches!(of.as_ref(), Expr::In(..)) => {
                NounPhrase::new(format!("every {}", self.words(of)), false)
            }
            (of, _, 0 | 1) => self.noun(of),
            (of, Quantifier::Every, _) => NounPhrase::new(format!("each of {}", self.words(of)), false),
            (of, Quantifier::Some, _) => NounPhrase::new(format!("one of {}", self.words(of)), false),
        }
    }

    fn candidates_of(&self, cells: &Expr) -> Option<String> {
        let (list, digits) = (self.cells(cells), self.value(&Expr::Digits(Box::new(cells.clone()))));
        Some(match list.as_slice() {
            [cell] if self.state.value(*cell).is_some() => "it is solved".into(),
            [_] => format!("it has {digits}"),
            _ => format!("they have {digits}"),
        })
    }

    fn almost_locked(&self, cells: &Expr, over: u32, yes: bool) -> String {
        let digits = self.value(&Expr::Digits(Box::new(cells.clone())));
        let count = self.size(cells) + over as usize;
        match over {
            1 if yes && self.evaluator.holds(&Condition::AlmostLocked(cells.clone(), over)) => {
                format!("{} is an almost locked set with {digits}", self.words(cells))
            }
            1 => format!("{} {} an almost locked set", self.words(cells), if yes { "is" } else { "is not" }),
            _ => {
                let together = if self.size(cells) > 1 { " together, in one house" } else { "" };
                format!("{} {count} candidates{together}", self.noun(cells).has(yes))
            }
        }
    }

    fn count_of_candidates(&self, cells: &Expr) -> String {
        let digits = Expr::Digits(Box::new(cells.clone()));
        let (count, of) = (self.size(&digits), self.size(cells));
        let s = if of == 1 { "" } else { "s" };
        format!("found: {of} cell{s} with {count} candidates ({})", self.value(&digits))
    }

    /// The houses of a class that hold all of some cells, if there are any.
    fn shared_houses(&self, cells: &[Cell], class: HouseClass) -> Option<String> {
        let houses = self.houses_of(cells);
        let names = houses.iter().map(|&house| self.text(&Value::Houses(vec![house])));
        let of_class = names.filter(|name| class == HouseClass::Any || name.starts_with(class_singular(class)));
        (!houses.is_empty()).then(|| of_class.collect::<Vec<_>>().join(", "))
    }

    /// The houses that hold all of some cells.
    fn houses_of(&self, cells: &[Cell]) -> Vec<HouseId> {
        let all = cells.first().map_or(&[][..], |cell| self.geometry.houses_of(*cell));
        all.iter()
            .copied()
            .filter(|house| cells.iter().all(|cell| self.geometry.house(*house).cells.contains(cell)))
            .collect()
    }

    /// Places of some digits in a house besides `ends`.
    fn other_places(&self, digits: DigitSet, house: HouseId, ends: &[Cell]) -> Vec<Cell> {
        let cells = self.geometry.house(house).cells.iter().copied();
        cells.filter(|cell| !ends.contains(cell) && !(self.state.candidates(*cell) & digits).is_empty()).collect()
    }

    /// Names the house in which a digit has no place besides some cells; if each house has others, the only one they share.
    fn conjugate(&self, digit: &Expr, ends: &[Cell], yes: bool) -> String {
        let mut house = None;
        if let Value::Digits(digits) = self.evaluator.value(digit) {
            let shared = self.houses_of(ends);
            let only = shared.iter().find(|house| self.other_places(digits, **house, ends).is_empty());
            house = only.or(shared.first().filter(|_| shared.len() == 1)).copied();
        }
        let house = house.map_or("a house".into(), |house| self.text(&Value::Houses(vec![house])));
        let places = NounPhrase::new(format!("the only places for {} in {house}", self.words(digit)), true);
        format!("{} {}", places.is(yes), self.text(&Value::Cells(ends.to_vec())))
    }

    /// Other places of the digit in the houses that hold both cells.
    fn not_conjugate(&self, digit: &Expr, ends: &[Cell]) -> (Option<String>, usize) {
        let Value::Digits(digits) = self.evaluator.value(digit) else { return (None, 4) };
        if let Some(cell) = ends.iter().find(|cell| (self.state.candidates(**cell) & digits).is_empty()) {
            return (Some(format!("{} does not have it", self.text(&Value::Cells(vec![*cell])))), 1);
        }
        let others = self.houses_of(ends).into_iter().map(|house| {
            let places = self.other_places(digits, house, ends);
            let count = places.len();
            (count, format!("{} has it in {} too", self.geometry.house(house), self.text(&Value::Cells(places))))
        });
        match others.min() {
            Some((count, why)) => (Some(why), count),
            None => (Some("no house holds both".into()), 4),
        }
    }
}

/// The shortfalls of the conditions that fail, and the sum of their distances.
fn all_lack<'a>(parts: impl Iterator<Item = (&'a Wording<'a>, &'a Condition)>) -> (Vec<String>, usize) {
    let failing = parts.filter(|(wording, part)| !wording.evaluator.holds(part));
    let (words, by): (Vec<_>, Vec<_>) = failing.map(|(wording, part)| wording.lacks(part)).unzip();
    (words.concat(), by.iter().sum())
}

/// Joins several conditions: all of those that must hold or, of alternatives, the one that decides if it is known.
fn joined(parts: &[(&Wording<'_>, &Condition)], all: bool, yes: bool) -> String {
    let parts = parts.iter().filter(|(wording, part)| !(all && yes && wording.is_same(part)));
    if all == yes {
        return few(parts.map(|(wording, part)| wording.said(part, yes)), "and");
    }
    match parts.clone().find(|(wording, part)| wording.evaluator.holds(part) == yes) {
        Some((wording, part)) => wording.said(part, yes),
        None => {
            let possible = parts.filter(|(wording, part)| !wording.cannot_hold(part));
            few(possible.map(|(wording, part)| wording.said(part, yes)), "or")
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
    join_words(&all, word)
}

fn difference(a: &Expr, b: &Expr) -> Expr {
    Expr::Difference(Box::new(a.clone()), Box::new(b.clone()))
}

/// `2 candidates`, `at most 1 place`.
fn amount(how: Comparison, number: i64, one: &str, several: &str) -> String {
    let bound = comparison_words(how).0;
    match number {
        0 if how == Comparison::Equal => format!("no {one}"),
        1 => format!("{bound}1 {one}"),
        _ => format!("{bound}{number} {several}"),
    }
}

/// Words before a number, and words before another amount.
fn comparison_words(how: Comparison) -> (&'static str, &'static str) {
    match how {
        Comparison::Equal => ("", "as many as"),
        Comparison::NotEqual => ("other than ", "not as many as"),
        Comparison::Less => ("fewer than ", "fewer than"),
        Comparison::LessEqual => ("at most ", "at most as many as"),
        Comparison::Greater => ("more than ", "more than"),
        Comparison::GreaterEqual => ("at least ", "at least as many as"),
    }
}

fn opposite(how: Comparison) -> Comparison {
    match how {
        Comparison::Equal => Comparison::NotEqual,
        Comparison::NotEqual => Comparison::Equal,
        Comparison::Less => Comparison::GreaterEqual,
        Comparison::LessEqual => Comparison::Greater,
        Comparison::Greater => Comparison::LessEqual,
        Comparison::GreaterEqual => Comparison::Less,
    }
}

/// Returns the comparison with its sides exchanged.
fn turned(how: Comparison) -> Comparison {
    match how {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}
