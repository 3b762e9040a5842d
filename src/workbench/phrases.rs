//! The phrase table: sentence, negation, evidence and shortfall of each condition.
//!
//! In: a condition and the values of its names. Out: sentences about a condition that holds ([`Wording::facts`]), or
//! about the shortfall of a condition that fails ([`Wording::failure`]).

use super::wording::{NounPhrase, Wording, is_self_evident};
use crate::engine::Value;
use crate::eval::elements::{elements, value_of_same_kind};
use crate::grid::{Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::{
    Comparison, Condition, Expr, HouseClass, Incidence, Operand, PredicateId, Quantifier, VarId, class_singular,
};
use crate::render::join_words;
use std::collections::BTreeSet;

/// Note for a requirement that holds although the pattern lacks the expected conclusion.
pub(super) const HOLDS: &str = "it holds, and the pattern does not show what was asked for";
/// Distance of a requirement that holds. Such requirements come behind all requirements that fail.
pub(super) const HOLDS_DISTANCE: usize = 99;
/// Distance of a condition for which no distance is computed.
const DEFAULT_DISTANCE: usize = 3;

/// Maximum number of listed facts about the values of a loop variable. If there are more facts, only the facts of the
/// first value are listed.
const MAX_FACTS: usize = 8;

/// The form in which a condition is described.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The sentence alone.
    Sentence,
    /// The negation alone.
    Negation,
    /// The sentence with the evidence for it.
    Fact,
    /// The sentence with the shortfall of the position.
    Shortfall,
}

/// The description of a condition.
struct Phrase {
    form: Form,
    /// The sentence or its negation.
    text: String,
    /// The evidence of a fact, or the shortfall of the position: what it has instead of what the condition requires.
    note: Option<String>,
    /// Distance between the position and the requirement: 1 is nearest.
    distance: usize,
}

impl Form {
    fn phrase(self, text: String) -> Phrase {
        Phrase { form: self, text, note: None, distance: DEFAULT_DISTANCE }
    }
}

impl Phrase {
    /// Clears a fact that follows from the values alone, for example that two names have different values.
    fn trivial_if(mut self, is_trivial: impl FnOnce() -> bool) -> Phrase {
        if self.form == Form::Fact && is_trivial() {
            self.text.clear();
        }
        self
    }

    /// Adds the evidence to a fact.
    fn with_evidence(mut self, evidence: impl FnOnce() -> Option<String>) -> Phrase {
        if self.form == Form::Fact {
            self.note = evidence();
        }
        self
    }

    /// Adds the shortfall and the distance to a phrase in this form.
    fn with_shortfall(mut self, shortfall: impl FnOnce() -> (Option<String>, usize)) -> Phrase {
        if self.form == Form::Shortfall {
            (self.note, self.distance) = shortfall();
        }
        self
    }
}

impl Wording<'_> {
    /// Describes a condition that holds. Empty if the values show by themselves that it holds.
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
                let first = parts.iter().find(|part| self.evaluator.holds(part));
                first.map_or_else(Vec::new, |part| self.facts(part))
            }
            Condition::Exists(index, of, part) => {
                let iterations = self.each(*index, of);
                let witness = iterations.iter().find(|iteration| iteration.evaluator.holds(part));
                witness.map_or_else(Vec::new, |witness| witness.facts(part))
            }
            _ => {
                let Phrase { text, note, .. } = self.phrase(condition, Form::Fact);
                if text.is_empty() {
                    return Vec::new();
                }
                match note {
                    Some(note) if !text.contains(note.as_str()) => vec![format!("{text} ({note})")],
                    _ => vec![text],
                }
            }
        }
    }

    /// Describes a condition that holds for every value of a loop variable.
    fn facts_of_all(&self, variable: VarId, range: &Expr, part: &Condition) -> Vec<String> {
        // Values with facts.
        let mut values: Vec<(Value, Vec<String>)> = Vec::new();
        for iteration in self.each(variable, range) {
            let facts = iteration.facts(part);
            if !facts.is_empty() {
                values.push((iteration.evaluator.value(&Expr::Var(variable)), facts));
            }
        }
        if values.iter().map(|(_, facts)| facts.len()).sum::<usize>() <= MAX_FACTS {
            let mut listed = BTreeSet::new();
            let facts = values.into_iter().flat_map(|(_, facts)| facts);
            return facts.filter(|fact| listed.insert(fact.clone())).collect();
        }
        let later_values = values[1..].iter().flat_map(|(value, _)| elements(value)).collect();
        let later_values = self.text(&value_of_same_kind(&values[0].0, &later_values));
        let mut facts = values[0].1.clone();
        facts.push(format!("likewise for {later_values}"));
        facts
    }

    /// Describes the failure of a condition. Also returns its distance: 1 is nearest.
    pub fn failure(&self, condition: &Condition) -> (String, usize) {
        let (shortfalls, distance) = self.shortfalls(condition);
        (format!("missing: {}", shortfalls.join("; and ")), distance.max(1))
    }

    /// Describes every failing part of a condition: the requirement and the shortfall. Also returns the sum of the
    /// distances.
    fn shortfalls(&self, condition: &Condition) -> (Vec<String>, usize) {
        match condition {
            Condition::And(parts) => shortfalls_of_all(parts.iter().map(|part| (self, part))),
            Condition::ForAll(variable, range, part) => {
                let iterations = self.each(*variable, range);
                shortfalls_of_all(iterations.iter().map(|iteration| (iteration, part.as_ref())))
            }
            Condition::Within(a, Expr::Filter { var, set: of, condition: when }) if self.size(a) > 0 => {
                let is_in_set = Condition::Within(a.clone(), (**of).clone());
                let passes_filter = Condition::ForAll(*var, a.clone(), when.clone());
                shortfalls_of_all([(self, &is_in_set), (self, &passes_filter)].into_iter())
            }
            _ => {
                let Phrase { text, note, distance, .. } = self.phrase(condition, Form::Shortfall);
                (vec![text + &note.map_or_else(String::new, |note| format!("; {note}"))], distance)
            }
        }
    }

    /// Returns a condition as a sentence with its values if `yes`, otherwise its negation.
    fn sentence(&self, condition: &Condition, yes: bool) -> String {
        self.phrase(condition, if yes { Form::Sentence } else { Form::Negation }).text
    }

    /// The phrase table.
    fn phrase(&self, condition: &Condition, form: Form) -> Phrase {
        let yes = form != Form::Negation;
        match condition {
            Condition::Compare(a, how, b) => form
                .phrase(self.compared(a, *how, b, yes))
                .trivial_if(|| matches!(a, Expr::Count(of) if is_self_evident(of) && self.size(of) == 0))
                .with_evidence(|| self.counted_members(a))
                .with_shortfall(|| self.other_number(a, *how, b)),
            Condition::Equal(a, b) => form
                .phrase(self.equal(a, b, yes))
                .trivial_if(|| self.is_same(condition))
                .with_evidence(|| match a {
                    Expr::Digits(of) if self.has_options(of) => self.members(a),
                    _ => None,
                })
                .with_shortfall(|| {
                    let distance = self.size(&difference(a, b)) + self.size(&difference(b, a));
                    if self.is_shown(a) && self.is_shown(b) {
                        return (None, distance);
                    }
                    (Some(format!("these are {} and {}", self.value(a), self.value(b))), distance)
                }),
            Condition::Exactly(set, names) => {
                let named = Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect());
                form.phrase(self.exactly(set, &named, names.len(), yes))
                    .trivial_if(|| is_self_evident(set))
                    .with_shortfall(|| self.other_members(set, &difference(set, &named), &difference(&named, set)))
            }
            Condition::Within(a, b) => form
                .phrase(self.within(a, b, yes))
                .trivial_if(|| matches!(b, Expr::Digits(of) if !self.has_options(of)))
                .with_evidence(|| if matches!(a, Expr::CellsOf(_)) { self.members(a) } else { None })
                .with_shortfall(|| self.outsiders(a, b)),
            Condition::Disjoint(a, b) => form
                .phrase(self.disjoint(a, b, yes))
                .with_evidence(|| if matches!(a, Expr::CellsOf(_)) { self.members(a) } else { None })
                .with_shortfall(|| (if self.size(a) > 1 { self.common(a, b) } else { None }, 2)),
            Condition::NotEmpty(of) => form
                .phrase(self.some(of, yes))
                .trivial_if(|| is_self_evident(of))
                .with_evidence(|| self.some_members(of)),
            Condition::No(of) => form
                .phrase(self.some(of, !yes))
                .with_shortfall(|| (Some(format!("there is {}", self.value(of))), self.size(of))),
            Condition::Sees(a, b) => form.phrase(self.sees(a, b, yes)).with_evidence(|| {
                if !self.lens.is_grid() {
                    return None;
                }
                let cells = [self.cells(&a.cells), self.cells(&b.cells)].concat();
                self.shared_houses(&cells, HouseClass::Any)
            }),
            Condition::Has(side, digits) => form
                .phrase(format!("{} {}", self.side(side).has(yes), self.words(digits)))
                .with_shortfall(|| (self.candidates_of(&side.cells), 2)),
            Condition::Lacks(side, digits) => {
                let digits = self.words(digits).replace(" and ", " or ");
                let text = match (self.size(&side.cells), side.quantifier, yes) {
                    (2.., Quantifier::Every, true) => format!("none of {} has {digits}", self.words(&side.cells)),
                    (2.., Quantifier::Every, false) => format!("one of {} has {digits}", self.words(&side.cells)),
                    _ => format!("{} {digits}", self.side(side).has(!yes)),
                };
                form.phrase(text).with_shortfall(|| (None, 1))
            }
            Condition::Incident(a, Incidence::Parallel, b) if a == b => {
                form.phrase(format!("{} parallel", self.noun(a).is(yes)))
            }
            Condition::Incident(a, how, b) => {
                let (yes, one, several) = match how {
                    Incidence::Meeting => (yes, "meets", "meet"),
                    Incidence::Avoiding => (!yes, "meets", "meet"),
                    Incidence::Through => (yes, "goes through", "go through"),
                    Incidence::Crossing => (yes, "crosses", "cross"),
                    Incidence::Parallel => (yes, "is parallel to", "are parallel to"),
                };
                form.phrase(format!("{} {}", self.noun(a).does(yes, one, several), self.words(b)))
            }
            Condition::Connected(cells) => {
                form.phrase(format!("{} connected by cells that see each other", self.noun(cells).is(yes)))
            }
            Condition::AlmostLocked(cells, degree) => form
                .phrase(self.almost_locked(cells, *degree, yes))
                .with_shortfall(|| (Some(self.count_of_candidates(cells)), 1)),
            Condition::Predicate(id, args, _) => self.predicate(*id, args, form),
            Condition::GivensAllow(side, digits) => {
                let givens = NounPhrase::new("the givens alone", true).does(yes, "leave", "leave");
                form.phrase(format!("{givens} {} possible in {}", self.value(digits), self.side(side).text))
            }
            Condition::ForAll(index, of, part) | Condition::Exists(index, of, part) => {
                let iterations = self.each(*index, of);
                let clauses: Vec<(&Wording<'_>, &Condition)> =
                    iterations.iter().map(|iteration| (iteration, part.as_ref())).collect();
                form.phrase(joined(&clauses, matches!(condition, Condition::ForAll(..)), yes))
            }
            Condition::And(parts) | Condition::Or(parts) => {
                let clauses: Vec<(&Wording<'_>, &Condition)> = parts.iter().map(|part| (self, part)).collect();
                form.phrase(joined(&clauses, matches!(condition, Condition::And(_)), yes))
            }
            Condition::Not(part) => form.phrase(self.sentence(part, !yes)).trivial_if(
                || matches!(part.as_ref(), Condition::Equal(a, b) if is_self_evident(a) && is_self_evident(b)),
            ),
        }
    }

    fn predicate(&self, id: PredicateId, args: &[Expr], form: Form) -> Phrase {
        let yes = form != Form::Negation;
        let subject = self.noun(&args[0]);
        match id {
            PredicateId::InOneHouse(class) => form
                .phrase(format!("{} in one {}", subject.is(yes), class_singular(class)))
                .with_evidence(|| self.shared_houses(&self.cells(&args[0]), class)),
            PredicateId::Group => form
                .phrase(format!("{} all unsolved cells in which a box and a line meet", subject.is(yes)))
                .trivial_if(|| self.size(&args[0]) == 1),
            PredicateId::Closed => {
                let no = if yes { "no" } else { "some" };
                form.phrase(format!("{no} house has just one cell of {}", subject.text))
            }
            PredicateId::ClosedBetween => {
                let lines = format!("{} and {}", self.words(&args[1]), self.words(&args[2]));
                let cells = subject.is(yes);
                form.phrase(format!(
                    "{cells} in {lines}, each opposite another of them, and no house has just one of them"
                ))
            }
            PredicateId::Conjugate => {
                let ends = [self.cells(&args[1]), self.cells(&args[2])].concat();
                form.phrase(self.conjugate(&args[0], &ends, yes)).with_shortfall(|| self.not_conjugate(&args[0], &ends))
            }
        }
    }
}

/// Comparisons of numbers, and equality of sets.
impl Wording<'_> {
    /// `r2c39 have 2 candidates together`.
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
            (_, Expr::Count(of)) => self.counted(of, with_sides_exchanged(how), self.evaluator.number(a)),
            (_, Expr::Number(_) | Expr::Param(_)) => {
                format!("{} are {}", self.words(a), amount(how, number, "", "")).trim_end().into()
            }
            _ => format!("{} are {} {}", self.words(a), comparison_words(how).1, self.words(b)),
        }
    }

    /// `row 4 has at most 2 places for 5`: states the number of members of a set.
    fn counted(&self, of: &Expr, how: Comparison, number: i64) -> String {
        let (subject, one, several, rest) = match of {
            Expr::Digits(cells) if self.has_options(cells) => {
                let NounPhrase { mut text, is_plural } = self.noun(cells);
                text.push_str(if self.size(cells) > 1 { " together" } else { "" });
                (NounPhrase { text, is_plural }, self.options(1), self.options(2), String::new())
            }
            Expr::Digits(of) => (self.noun(of), "digit", "digits", String::new()),
            Expr::Values(cells) => (self.noun(cells), "solved digit", "solved digits", String::new()),
            Expr::CandidatesIn(digits, cells) if **digits == Expr::AllDigits => {
                (self.noun(cells), "candidate", "candidates", String::new())
            }
            Expr::CandidatesIn(digits, cells) => {
                (self.noun(cells), "place", "places", format!(" for {}", self.words(digits)))
            }
            Expr::CellsOf(of) if matches!(of.as_ref(), Expr::CandidatesIn(..)) => return self.counted(of, how, number),
            Expr::CellsOf(of) if self.is_region(of) => {
                (self.noun(of), "unsolved cell", "unsolved cells", String::new())
            }
            Expr::Difference(a, b) if matches!(a.as_ref(), Expr::CandidatesIn(..) | Expr::Digits(_)) => {
                let all = self.counted(a, how, number);
                return if self.size(b) == 0 { all } else { format!("{all} apart from {}", self.words(b)) };
            }
            Expr::Intersection(a, b) if self.is_region(a) && !self.is_region(b) => {
                (self.noun(a), "cell", "cells", format!(" of {}", self.words(b)))
            }
            _ => {
                let amount = amount(how, number, &self.member_noun(of, 1), &self.member_noun(of, 2));
                return match is_self_evident(of) {
                    true => format!("there {} {amount}", if number == 1 { "is" } else { "are" }),
                    false => format!("{} {amount}", self.noun(of).is(true)),
                };
            }
        };
        format!("{} {}{rest}", subject.has(true), amount(how, number, one, several))
    }

    /// Writes the members of the set whose number is compared; `None` if the number is no count, or the set is empty.
    fn counted_members(&self, a: &Expr) -> Option<String> {
        let Expr::Count(of) = a else { return None };
        match of.as_ref() {
            Expr::CandidatesIn(digits, _) if **digits != Expr::AllDigits => {
                Some(self.text(&Value::Cells(self.cells(of))))
            }
            _ => self.members(of),
        }
    }

    /// Returns the actual number with the counted members, and the difference to the required number.
    fn other_number(&self, a: &Expr, how: Comparison, b: &Expr) -> (Option<String>, usize) {
        let left = self.evaluator.number(a);
        let right = self.evaluator.number(b);
        let words = match (a, left) {
            _ if how == Comparison::NotEqual => None,
            (Expr::Count(_), 0) => Some("found: none".to_string()),
            (Expr::Count(of), _) => Some(format!("found: {left} ({})", self.value(of))),
            (Expr::MaxOccurrences(..), _) => Some(format!("it fits {left} times")),
            _ => Some(format!("they are {left}")),
        };
        (words, left.abs_diff(right).clamp(1, 99) as usize)
    }

    /// Describes the failure of `set = {names}` if only the names in `bound` have values, by the numbers of members.
    /// Also returns the distance.
    pub(super) fn other_count(&self, set: &Expr, names: &[VarId], bound: &BTreeSet<VarId>) -> (String, usize) {
        let values: Vec<Expr> = names.iter().filter(|name| bound.contains(name)).map(|&name| Expr::Var(name)).collect();
        let missing = difference(&Expr::Union(values), set);
        let count = self.size(set);
        let missing_count = self.size(&missing);
        if count == names.len() && missing_count == 0 {
            return (HOLDS.into(), HOLDS_DISTANCE);
        }
        let mut requirement = self.counted(set, Comparison::Equal, names.len() as i64);
        if missing_count > 0 {
            requirement = format!("{requirement}, among them {}", self.value(&missing));
        }
        let distance = count.abs_diff(names.len()) + MISSING_WEIGHT * missing_count;
        (format!("missing: {requirement}; found: {}", self.value(set)), distance.max(1))
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

    /// Returns true for an equality whose sides have the same text: `1 is 1`.
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
        let mut clauses = Vec::new();
        for (words, set) in [(also, extra), (lacks, missing)] {
            if self.size(set) > 0 {
                clauses.push(format!("{words} {}", self.value(set)));
            }
        }
        let note = if clauses.is_empty() { None } else { Some(clauses.join(" and ")) };
        (note, self.size(extra) + MISSING_WEIGHT * self.size(missing))
    }
}

/// A missing member counts as much as this many extra members.
const MISSING_WEIGHT: usize = 2;

/// Subsets, disjoint sets, and sets that are not empty.
impl Wording<'_> {
    /// `all places for 5 in row 4 are in box 2`: states that a set is a subset of another set.
    fn within(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let mut noun = self.noun(a);
        if noun.is_plural && noun.text.starts_with("the ") {
            noun.text.insert_str(0, "all ");
        }
        match b {
            _ if self.size(a) == 0 => format!("there {} {}", if yes { "is" } else { "is no" }, self.words(a)),
            Expr::Intersection(p, q) if !self.is_region(b) => {
                let parts = [p, q].map(|part| Condition::Within(a.clone(), (**part).clone()));
                self.sentence(&Condition::And(parts.to_vec()), yes)
            }
            Expr::Filter { var, set: of, condition: when } => {
                let is_in_set = Condition::Within(a.clone(), (**of).clone());
                let passes_filter = Condition::ForAll(*var, a.clone(), when.clone());
                let condition =
                    if is_self_evident(of) { passes_filter } else { Condition::And(vec![is_in_set, passes_filter]) };
                self.sentence(&condition, yes)
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

    /// Returns the members of `a` that are not in `b` as a shortfall, and their number.
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

    /// `row 4 has none of 5 and 6`: states that two sets have no common member.
    fn disjoint(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let no = if yes { "no" } else { "a" };
        match (a, b) {
            // A family that is disjoint from itself: its members are pairwise disjoint.
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
                self.sentence(&Condition::And(each), yes)
            }
            _ if !self.is_region(b) && matches!(self.evaluator.value(a), Value::Cells(_) | Value::Candidates(_)) => {
                format!("{} and {} have {no} {} in common", self.words(a), self.words(b), self.member_noun(a, 1))
            }
            _ => self.within(a, b, !yes),
        }
    }

    /// Returns the common members of two sets as a shortfall.
    fn common(&self, a: &Expr, b: &Expr) -> Option<String> {
        let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
        let value = self.value(&both);
        match (a, b) {
            (_, Expr::Excluded { .. }) => None,
            (Expr::Digits(of), _) if self.has_options(of) => Some(format!("there is {value}")),
            _ => Some(NounPhrase::new(value, self.size(&both) != 1).is(true)),
        }
    }

    /// `row 4 has a 5`: states that a set is not empty or, if `yes` is false, that it is empty.
    fn some(&self, of: &Expr, yes: bool) -> String {
        match of {
            Expr::CandidatesIn(digits, cells) => {
                let none = !yes && self.size(digits) != 1;
                let object = match (self.size(digits), is_self_evident(digits)) {
                    (1, _) => self.words(digits),
                    _ if none => format!("none of {}", self.words(digits)),
                    (_, true) => format!("one of {}", self.words(digits)),
                    _ => self.words(digits),
                };
                match cells.as_ref() {
                    Expr::Intersection(a, b) if self.is_region(a) && self.is_region(b) => {
                        format!("{} {object} in {}", self.noun(a).has(yes || none), self.words(b))
                    }
                    _ => format!("{} {object}", self.noun(cells).has(yes || none)),
                }
            }
            Expr::Filter { var, set: of, condition: when } => {
                self.sentence(&Condition::Exists(*var, (**of).clone(), when.clone()), yes)
            }
            Expr::Intersection(a, b) => match (a.as_ref(), b.as_ref()) {
                (a, Expr::Excluded { every, candidates: of }) => {
                    let object = match a == of.as_ref() {
                        true => "another of them".into(),
                        false if self.size(a) == 1 => self.words(a),
                        false => format!("some {}", self.words(a)),
                    };
                    format!("{} {object}", self.excluding(*every, of, yes))
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
                0 => format!("there is {} {}", if yes { "such a" } else { "no such" }, self.member_noun(of, 1)),
                _ => format!("there is {}{}", if yes { "" } else { "no " }, self.words(of)),
            },
        }
    }

    /// Returns the members of a set that is not empty, as evidence.
    fn some_members(&self, of: &Expr) -> Option<String> {
        match of {
            Expr::CandidatesIn(_, cells) if self.size(cells) > 1 => Some(self.text(&Value::Cells(self.cells(of)))),
            Expr::Intersection(_, b) if matches!(b.as_ref(), Expr::Excluded { .. }) => None,
            Expr::Intersection(..) => self.members(of),
            _ => None,
        }
    }

    /// Returns the value of a set; `None` if the set is empty.
    fn members(&self, set: &Expr) -> Option<String> {
        if self.size(set) > 0 { Some(self.value(set)) } else { None }
    }

    /// Returns true if the noun phrase of the expression is its value.
    fn is_shown(&self, expr: &Expr) -> bool {
        self.words(expr) == self.value(expr)
    }
}

/// Cells that see each other, their candidates and their houses.
impl Wording<'_> {
    /// `r4c8 sees each of r5c79`. In a view, a cell is a digit in a house, and two cells that see each other cannot
    /// have the same place.
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
            (Expr::CellsOf(of), Quantifier::Every, _) if matches!(of.as_ref(), Expr::CandidatesIn(..)) => {
                NounPhrase::new(format!("every {}", self.words(of)), false)
            }
            (of, _, 0 | 1) => self.noun(of),
            (of, Quantifier::Every, _) => NounPhrase::new(format!("each of {}", self.words(of)), false),
            (of, Quantifier::Some, _) => NounPhrase::new(format!("one of {}", self.words(of)), false),
        }
    }

    /// `it has 5 and 6`: the shortfall of cells that lack a digit.
    fn candidates_of(&self, cells: &Expr) -> Option<String> {
        let list = self.cells(cells);
        let digits = self.value(&Expr::Digits(Box::new(cells.clone())));
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
        let count = self.size(&digits);
        let of = self.size(cells);
        let s = if of == 1 { "" } else { "s" };
        format!("found: {of} cell{s} with {count} candidates ({})", self.value(&digits))
    }

    /// Returns the names of the houses of a class that contain all of some cells; `None` if no house contains them.
    fn shared_houses(&self, cells: &[Cell], class: HouseClass) -> Option<String> {
        let houses = self.houses_of(cells);
        let names = houses.iter().map(|&house| self.text(&Value::Houses(vec![house])));
        let of_class = names.filter(|name| class == HouseClass::Any || name.starts_with(class_singular(class)));
        if houses.is_empty() { None } else { Some(of_class.collect::<Vec<_>>().join(", ")) }
    }

    /// Returns the houses that contain all of some cells.
    fn houses_of(&self, cells: &[Cell]) -> Vec<HouseId> {
        let Some(first) = cells.first() else { return Vec::new() };
        let mut houses = self.geometry.houses_of(*first).to_vec();
        houses.retain(|house| cells.iter().all(|cell| self.geometry.house(*house).cells.contains(cell)));
        houses
    }

    /// Returns the places of some digits in a house, without `ends`.
    fn other_places(&self, digits: DigitSet, house: HouseId, ends: &[Cell]) -> Vec<Cell> {
        let cells = self.geometry.house(house).cells.iter().copied();
        cells.filter(|cell| !ends.contains(cell) && !(self.state.candidates(*cell) & digits).is_empty()).collect()
    }

    /// States that two cells are the only places of a digit in a house. Names a house without other places. If every
    /// house has other places, names the only house of both cells.
    fn conjugate(&self, digit: &Expr, ends: &[Cell], yes: bool) -> String {
        let mut house = None;
        if let Value::Digits(digits) = self.evaluator.value(digit) {
            let shared = self.houses_of(ends);
            house = shared.iter().copied().find(|house| self.other_places(digits, *house, ends).is_empty());
            if let ([only], None) = (shared.as_slice(), house) {
                house = Some(*only);
            }
        }
        let house = house.map_or("a house".into(), |house| self.text(&Value::Houses(vec![house])));
        let places = NounPhrase::new(format!("the only places for {} in {house}", self.words(digit)), true);
        format!("{} {}", places.is(yes), self.text(&Value::Cells(ends.to_vec())))
    }

    /// Returns the shortfall of two cells that are not the only places of a digit in a house, and its distance.
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
            Some((count, words)) => (Some(words), count),
            None => (Some("no house holds both".into()), 4),
        }
    }
}

/// Returns the shortfalls of the conditions that fail, and the sum of their distances.
fn shortfalls_of_all<'a>(parts: impl Iterator<Item = (&'a Wording<'a>, &'a Condition)>) -> (Vec<String>, usize) {
    let mut shortfalls = Vec::new();
    let mut distance = 0;
    for (wording, part) in parts {
        if !wording.evaluator.holds(part) {
            let (part_shortfalls, part_distance) = wording.shortfalls(part);
            shortfalls.extend(part_shortfalls);
            distance += part_distance;
        }
    }
    (shortfalls, distance)
}

/// Writes a conjunction (if `all`) or disjunction of conditions or, if `yes` is false, its negation. If one condition
/// decides the result, only this condition is written.
fn joined(parts: &[(&Wording<'_>, &Condition)], all: bool, yes: bool) -> String {
    let parts = parts.iter().filter(|(wording, part)| !(all && yes && wording.is_same(part)));
    if all == yes {
        return join_few(parts.map(|(wording, part)| wording.sentence(part, yes)), "and");
    }
    match parts.clone().find(|(wording, part)| wording.evaluator.holds(part) == yes) {
        Some((wording, part)) => wording.sentence(part, yes),
        None => {
            let possible = parts.filter(|(wording, part)| !wording.cannot_hold(part));
            join_few(possible.map(|(wording, part)| wording.sentence(part, yes)), "or")
        }
    }
}

/// Joins up to four clauses. Of more clauses, only the first is written.
fn join_few(clauses: impl Iterator<Item = String>, conjunction: &str) -> String {
    const MAX_CLAUSES: usize = 4;
    let mut clauses: Vec<String> = clauses.collect();
    if clauses.len() > MAX_CLAUSES {
        clauses.truncate(1);
        clauses.push("likewise for others".into());
    }
    join_words(&clauses, conjunction)
}

fn difference(a: &Expr, b: &Expr) -> Expr {
    Expr::Difference(Box::new(a.clone()), Box::new(b.clone()))
}

/// `2 candidates`, `at most 1 place`.
fn amount(comparison: Comparison, number: i64, singular: &str, plural: &str) -> String {
    let bound = comparison_words(comparison).0;
    match number {
        0 if comparison == Comparison::Equal => format!("no {singular}"),
        1 => format!("{bound}1 {singular}"),
        _ => format!("{bound}{number} {plural}"),
    }
}

/// Returns the words before a number, and the words before an expression.
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
fn with_sides_exchanged(how: Comparison) -> Comparison {
    match how {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterEqual => Comparison::LessEqual,
        same => same,
    }
}
