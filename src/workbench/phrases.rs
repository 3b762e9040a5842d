//! The phrase table. In: a condition and the values of its names. Out: sentences about a condition that holds
//! ([`Wording::facts`]), or about the shortfall of a condition that fails ([`Wording::failure`]).
//!
//! For `#digits(s) = 2`, the sentence is `r2c39 have 2 candidates together`, the negation is `r2c39 have other than 2
//! candidates together`, the evidence lists the two candidates, and the shortfall is `found: 3 (5, 6 and 9)`.

use super::wording::{NounPhrase, Wording, is_self_evident};
use crate::engine::Value;
use crate::eval::elements::{elements, value_of_same_kind};
use crate::grid::{Cell, Digit, DigitSet, HouseId};
use crate::lang::ir::{
    Comparison, Condition, Expr, HouseClass, Incidence, Kind, Operand, PredicateId, Quantifier, VarId,
};
use crate::render::join_words;
use std::collections::BTreeSet;

/// Note for a requirement that holds. The pattern was reported because it lacks the expected conclusion.
pub(super) const HOLDS: &str = "it holds, and the pattern does not show what was asked for";
/// Distance of a requirement that holds, which puts the requirement behind all that fail; see [`Wording::failure`].
pub(super) const HOLDS_DISTANCE: usize = 99;
/// Distance of a condition for which no distance is computed.
const DEFAULT_DISTANCE: usize = 3;

/// Maximum number of facts about the values of a loop variable. If there are more, only the facts of the first value
/// are listed, with `likewise for` the other values.
const MAX_FACTS: usize = 8;

impl Wording<'_> {
    /// Describes a condition that holds. Empty if the values alone show that the condition holds.
    pub fn facts(&self, condition: &Condition) -> Vec<String> {
        match condition {
            Condition::And(parts) => parts.iter().flat_map(|part| self.facts(part)).collect(),
            Condition::ForAll(variable, range, part) => self.facts_of_all(*variable, range, part),
            Condition::Within(a, Expr::Filter { var, set, condition: filter }) => {
                let among = Condition::Within(a.clone(), (**set).clone());
                let mut facts = if is_self_evident(set) { Vec::new() } else { self.facts(&among) };
                facts.extend(self.facts_of_all(*var, a, filter));
                facts
            }
            Condition::Or(parts) => {
                let first = parts.iter().find(|part| self.evaluator.holds(part));
                first.map_or_else(Vec::new, |part| self.facts(part))
            }
            Condition::Exists(variable, range, part) => {
                let iterations = self.each(*variable, range);
                let witness = iterations.iter().find(|iteration| iteration.evaluator.holds(part));
                witness.map_or_else(Vec::new, |witness| witness.facts(part))
            }
            _ => {
                let text = if self.is_trivial(condition) { String::new() } else { self.sentence(condition, true) };
                match self.evidence(condition) {
                    _ if text.is_empty() => Vec::new(),
                    Some(evidence) if !text.contains(&evidence) => vec![format!("{text} ({evidence})")],
                    _ => vec![text],
                }
            }
        }
    }

    /// Describes a condition that holds for every value of a loop variable.
    fn facts_of_all(&self, variable: VarId, range: &Expr, part: &Condition) -> Vec<String> {
        // The values of the variable that have facts.
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
        let (first_value, mut facts) = values.remove(0);
        let other_elements = values.iter().flat_map(|(value, _)| elements(value)).collect();
        facts.push(format!("likewise for {}", self.text(&value_of_same_kind(&first_value, &other_elements))));
        facts
    }

    /// Describes the failure of a condition. Also returns its distance: 1 is nearest.
    pub fn failure(&self, condition: &Condition) -> (String, usize) {
        let (shortfalls, distance) = self.shortfalls(condition);
        (format!("missing: {}", shortfalls.join("; and ")), distance.max(1))
    }

    /// Describes every failing part of a condition by its sentence and its shortfall. Also returns the sum of the
    /// distances.
    fn shortfalls(&self, condition: &Condition) -> (Vec<String>, usize) {
        match condition {
            Condition::And(parts) => shortfalls_of_all(parts.iter().map(|part| (self, part))),
            Condition::ForAll(variable, range, part) => {
                let iterations = self.each(*variable, range);
                shortfalls_of_all(iterations.iter().map(|iteration| (iteration, part.as_ref())))
            }
            Condition::Within(a, Expr::Filter { var, set, condition: filter }) if self.size(a) > 0 => {
                let is_in_set = Condition::Within(a.clone(), (**set).clone());
                let passes_filter = Condition::ForAll(*var, a.clone(), filter.clone());
                shortfalls_of_all([(self, &is_in_set), (self, &passes_filter)].into_iter())
            }
            _ => {
                let (shortfall, distance) = self.shortfall(condition);
                let shortfall = shortfall.map_or_else(String::new, |shortfall| format!("; {shortfall}"));
                (vec![self.sentence(condition, true) + &shortfall], distance)
            }
        }
    }

    /// Returns a condition as a sentence with its values if `yes`, otherwise its negation.
    fn sentence(&self, condition: &Condition, yes: bool) -> String {
        match condition {
            Condition::Compare(a, how, b) => self.compared(a, *how, b, yes),
            Condition::Equal(a, b) => self.equal(a, b, yes),
            Condition::Exactly(set, names) => self.exactly(set, &union_of(names), names.len(), yes),
            Condition::Within(a, b) => self.within(a, b, yes),
            Condition::Disjoint(a, b) => self.disjoint(a, b, yes),
            Condition::NotEmpty(set) => self.some(set, yes),
            Condition::No(set) => self.some(set, !yes),
            Condition::Sees(a, b) => self.sees(a, b, yes),
            Condition::Has(operand, digits) => {
                format!("{} {}", self.operand_phrase(operand).has(yes), self.phrase_text(digits))
            }
            Condition::Lacks(operand, digits) => {
                let digits = self.phrase_text(digits).replace(" and ", " or ");
                match (self.size(&operand.cells), operand.quantifier) {
                    (2.., Quantifier::Every) => {
                        let quantifier = if yes { "none" } else { "one" };
                        format!("{quantifier} of {} has {digits}", self.phrase_text(&operand.cells))
                    }
                    _ => format!("{} {digits}", self.operand_phrase(operand).has(!yes)),
                }
            }
            Condition::Incident(a, Incidence::Parallel, b) if a == b => {
                format!("{} parallel", self.noun_phrase(a).is(yes))
            }
            Condition::Incident(a, how, b) => {
                let (yes, one, several) = match how {
                    Incidence::Meeting => (yes, "meets", "meet"),
                    Incidence::Avoiding => (!yes, "meets", "meet"),
                    Incidence::Through => (yes, "goes through", "go through"),
                    Incidence::Crossing => (yes, "crosses", "cross"),
                    Incidence::Parallel => (yes, "is parallel to", "are parallel to"),
                };
                format!("{} {}", self.noun_phrase(a).does(yes, one, several), self.phrase_text(b))
            }
            Condition::Connected(cells) => {
                format!("{} connected by cells that see each other", self.noun_phrase(cells).is(yes))
            }
            Condition::AlmostLocked(cells, degree) => self.almost_locked(cells, *degree, yes),
            Condition::Predicate(id, args, _) => self.predicate(*id, args, yes),
            Condition::GivensAllow(operand, digits) => {
                let givens = NounPhrase::new("the givens alone", true).does(yes, "leave", "leave");
                let cells = self.operand_phrase(operand).text;
                format!("{givens} {} possible in {cells}", self.value_text(digits))
            }
            Condition::ForAll(variable, range, part) | Condition::Exists(variable, range, part) => {
                let iterations = self.each(*variable, range);
                let clauses: Vec<(&Wording<'_>, &Condition)> =
                    iterations.iter().map(|iteration| (iteration, part.as_ref())).collect();
                compound_text(&clauses, matches!(condition, Condition::ForAll(..)), yes)
            }
            Condition::And(parts) | Condition::Or(parts) => {
                let clauses: Vec<(&Wording<'_>, &Condition)> = parts.iter().map(|part| (self, part)).collect();
                compound_text(&clauses, matches!(condition, Condition::And(_)), yes)
            }
            Condition::Not(part) => self.sentence(part, !yes),
        }
    }

    fn predicate(&self, id: PredicateId, args: &[Expr], yes: bool) -> String {
        let subject = self.noun_phrase(&args[0]);
        match id {
            PredicateId::InOneHouse(class) => format!("{} in one {}", subject.is(yes), Kind::House(class).singular()),
            PredicateId::Group => format!("{} all unsolved cells in which a box and a line meet", subject.is(yes)),
            PredicateId::Closed => {
                format!("{} house has just one cell of {}", if yes { "no" } else { "some" }, subject.text)
            }
            PredicateId::ClosedBetween => format!(
                "{} in {} and {}, each opposite another of them, and no house has just one of them",
                subject.is(yes),
                self.phrase_text(&args[1]),
                self.phrase_text(&args[2])
            ),
            PredicateId::Conjugate => self.conjugate(&args[0], &self.cells_of_both(&args[1], &args[2]), yes),
        }
    }

    /// Returns true for a fact that follows from the values alone, for example that two names have different values.
    fn is_trivial(&self, condition: &Condition) -> bool {
        match condition {
            // An empty set of names has no members to count.
            Condition::Compare(Expr::Count(inner), ..) => is_self_evident(inner) && self.size(inner) == 0,
            Condition::Equal(..) => self.is_same(condition),
            Condition::Exactly(set, _) | Condition::NotEmpty(set) => is_self_evident(set),
            Condition::Within(_, Expr::Digits(inner)) => !self.has_options(inner),
            Condition::Predicate(PredicateId::Group, args, _) => self.size(&args[0]) == 1,
            Condition::Not(part) => {
                matches!(part.as_ref(), Condition::Equal(a, b) if is_self_evident(a) && is_self_evident(b))
            }
            _ => false,
        }
    }

    /// Returns the evidence of a fact: `5 and 6`.
    fn evidence(&self, condition: &Condition) -> Option<String> {
        match condition {
            Condition::Compare(Expr::Count(set), ..) => match set.as_ref() {
                Expr::CandidatesIn(digits, _) if **digits != Expr::AllDigits => {
                    Some(self.text(&Value::Cells(self.cells(set))))
                }
                _ => self.members(set),
            },
            Condition::Equal(a @ Expr::Digits(inner), _) if self.has_options(inner) => self.members(a),
            Condition::Within(a @ Expr::CellsOf(_), _) | Condition::Disjoint(a @ Expr::CellsOf(_), _) => {
                self.members(a)
            }
            Condition::NotEmpty(set) => self.some_members(set),
            Condition::Sees(a, b) if self.context.lens.is_grid() => {
                self.shared_houses(&self.cells_of_both(&a.cells, &b.cells), HouseClass::Any)
            }
            Condition::Predicate(PredicateId::InOneHouse(class), args, _) => {
                self.shared_houses(&self.cells(&args[0]), *class)
            }
            _ => None,
        }
    }

    /// Returns the shortfall of a condition that fails (`it also has 8`), and the estimated number of changes with which the
    /// position would satisfy the condition.
    fn shortfall(&self, condition: &Condition) -> (Option<String>, usize) {
        match condition {
            Condition::Compare(a, how, b) => self.other_number(a, *how, b),
            Condition::Equal(a, b) => {
                let values = [a, b].map(|operand| self.value_text(operand));
                let is_shown = [a, b].map(|operand| self.phrase_text(operand)) == values;
                let shortfall = if is_shown { None } else { Some(format!("these are {}", values.join(" and "))) };
                (shortfall, self.size(&difference(a, b)) + self.size(&difference(b, a)))
            }
            Condition::Exactly(set, names) => {
                let named = union_of(names);
                self.other_members(set, &difference(set, &named), &difference(&named, set))
            }
            Condition::Within(a, b) => self.outsiders(a, b),
            Condition::Disjoint(a, b) => (if self.size(a) > 1 { self.common(a, b) } else { None }, 2),
            Condition::No(set) => (Some(format!("there is {}", self.value_text(set))), self.size(set)),
            Condition::Has(operand, _) => (Some(self.candidates_of(&operand.cells)), 2),
            Condition::Lacks(..) => (None, 1),
            Condition::AlmostLocked(cells, _) => (Some(self.count_of_candidates(cells)), 1),
            Condition::Predicate(PredicateId::Conjugate, args, _) => {
                self.not_conjugate(&args[0], &self.cells_of_both(&args[1], &args[2]))
            }
            _ => (None, DEFAULT_DISTANCE),
        }
    }

    fn cells_of_both(&self, a: &Expr, b: &Expr) -> Vec<Cell> {
        [self.cells(a), self.cells(b)].concat()
    }
}

/// Comparisons of numbers, and equality of sets.
impl Wording<'_> {
    /// `r2c39 have 2 candidates together`.
    fn compared(&self, a: &Expr, how: Comparison, b: &Expr, yes: bool) -> String {
        let how = if yes { how } else { opposite_and_exchanged(how).0 };
        let number = self.evaluator.number(b);
        match (a, b) {
            (Expr::Count(inner), _) => self.counted(inner, how, number),
            (Expr::MaxOccurrences(digit, cells), _) => {
                let times = match (how, number) {
                    (Comparison::Equal, 1) => "only once".to_string(),
                    _ => amount(how, number, "time", "times"),
                };
                format!("{} fits {times} into {}", self.phrase_text(digit), self.phrase_text(cells))
            }
            (_, Expr::Count(inner)) => self.counted(inner, opposite_and_exchanged(how).1, self.evaluator.number(a)),
            (_, Expr::Number(_) | Expr::Param(_)) => {
                format!("{} are {}", self.phrase_text(a), amount(how, number, "", "")).trim_end().into()
            }
            _ => format!("{} are {} {}", self.phrase_text(a), comparison_words(how).1, self.phrase_text(b)),
        }
    }

    /// `row 4 has at most 2 places for 5`.
    fn counted(&self, set: &Expr, how: Comparison, number: i64) -> String {
        let (subject, one, several, rest) = match set {
            Expr::Digits(cells) if self.has_options(cells) => {
                let NounPhrase { mut text, is_plural } = self.noun_phrase(cells);
                text.push_str(if self.size(cells) > 1 { " together" } else { "" });
                (NounPhrase { text, is_plural }, self.options(1), self.options(2), String::new())
            }
            Expr::Digits(inner) => (self.noun_phrase(inner), "digit", "digits", String::new()),
            Expr::Values(cells) => (self.noun_phrase(cells), "solved digit", "solved digits", String::new()),
            Expr::CandidatesIn(digits, cells) if **digits == Expr::AllDigits => {
                (self.noun_phrase(cells), "candidate", "candidates", String::new())
            }
            Expr::CandidatesIn(digits, cells) => {
                (self.noun_phrase(cells), "place", "places", format!(" for {}", self.phrase_text(digits)))
            }
            Expr::CellsOf(inner) if matches!(inner.as_ref(), Expr::CandidatesIn(..)) => {
                return self.counted(inner, how, number);
            }
            Expr::CellsOf(inner) if self.is_region(inner) => {
                (self.noun_phrase(inner), "unsolved cell", "unsolved cells", String::new())
            }
            Expr::Difference(a, b) if matches!(a.as_ref(), Expr::CandidatesIn(..) | Expr::Digits(_)) => {
                let all = self.counted(a, how, number);
                return if self.size(b) == 0 { all } else { format!("{all} apart from {}", self.phrase_text(b)) };
            }
            Expr::Intersection(a, b) if self.is_region(a) && !self.is_region(b) => {
                (self.noun_phrase(a), "cell", "cells", format!(" of {}", self.phrase_text(b)))
            }
            _ => {
                let amount = amount(how, number, &self.member_noun(set, 1), &self.member_noun(set, 2));
                if is_self_evident(set) {
                    return format!("there {} {amount}", if number == 1 { "is" } else { "are" });
                }
                return format!("{} {amount}", self.noun_phrase(set).is(true));
            }
        };
        format!("{} {}{rest}", subject.has(true), amount(how, number, one, several))
    }

    /// Returns the shortfall `found: 3 (r1c123)` and the difference to the required number.
    fn other_number(&self, a: &Expr, how: Comparison, b: &Expr) -> (Option<String>, usize) {
        let left = self.evaluator.number(a);
        let right = self.evaluator.number(b);
        let words = match (a, left) {
            _ if how == Comparison::NotEqual => None,
            (Expr::Count(_), 0) => Some("found: none".to_string()),
            (Expr::Count(inner), _) => Some(format!("found: {left} ({})", self.value_text(inner))),
            (Expr::MaxOccurrences(..), _) => Some(format!("it fits {left} times")),
            _ => Some(format!("they are {left}")),
        };
        (words, left.abs_diff(right).clamp(1, 99) as usize)
    }

    /// Describes the failure of `set = {x, y, z}` while only the names in `bound` have values: compares the number of members
    /// with the number of names. Also returns the distance.
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
            requirement = format!("{requirement}, among them {}", self.value_text(&missing));
        }
        let distance = count.abs_diff(names.len()) + MISSING_WEIGHT * missing_count;
        (format!("missing: {requirement}; found: {}", self.value_text(set)), distance.max(1))
    }

    fn equal(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        match (a, b) {
            _ if self.size(a) < 2 && (is_self_evident(a) || is_self_evident(b)) => {
                format!("{} {}", self.noun_phrase(a).is(yes), self.phrase_text(b))
            }
            (Expr::Digits(p), Expr::Digits(q)) if self.has_options(p) == self.has_options(q) => {
                let digits = match self.has_options(p) {
                    true => self.options(2),
                    false if self.size(a) == 1 => "digit",
                    false => "digits",
                };
                let have = if yes { "have" } else { "do not have" };
                format!("{} and {} {have} the same {digits}", self.phrase_text(p), self.phrase_text(q))
            }
            _ => {
                let same = if yes { "the same" } else { "different" };
                format!("{} and {} are {same}", self.phrase_text(a), self.phrase_text(b))
            }
        }
    }

    /// Returns true for an equality whose operands have the same text: `1 is 1`.
    fn is_same(&self, condition: &Condition) -> bool {
        matches!(condition, Condition::Equal(a, b) if self.phrase_text(a) == self.phrase_text(b))
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
        let named = self.value_text(named);
        match set {
            Expr::Digits(inner) if self.has_options(inner) && !self.context.lens.is_grid() => {
                format!("{} only in {named}", self.noun_phrase(inner).is(yes))
            }
            Expr::Digits(inner) => format!("{} only {named}", self.noun_phrase(inner).has(yes)),
            _ => {
                let noun = self.noun_phrase_of(set, count);
                let only = noun.text.strip_prefix("the ").map_or(noun.text.clone(), |rest| format!("the only {rest}"));
                format!("{} {named}", NounPhrase::new(only, count != 1).is(yes))
            }
        }
    }

    /// Describes extra and missing members: `it also has 8 and it does not have 2`, `there is also r1c2`.
    fn other_members(&self, set: &Expr, extra: &Expr, missing: &Expr) -> (Option<String>, usize) {
        let (also, lacks) = match set {
            Expr::Digits(inner) if self.has_options(inner) => match (self.context.lens.is_grid(), self.size(inner)) {
                (false, _) => ("it is also in", "it is not in"),
                (true, 1) => ("it also has", "it does not have"),
                (true, _) => ("they also have", "they do not have"),
            },
            _ => ("there is also", "there is no"),
        };
        let mut clauses = Vec::new();
        for (words, set) in [(also, extra), (lacks, missing)] {
            if self.size(set) > 0 {
                clauses.push(format!("{words} {}", self.value_text(set)));
            }
        }
        let note = if clauses.is_empty() { None } else { Some(clauses.join(" and ")) };
        (note, self.size(extra) + MISSING_WEIGHT * self.size(missing))
    }
}

/// A missing member counts as much as this many extra members.
const MISSING_WEIGHT: usize = 2;

/// Subsets, disjoint sets, nonempty sets.
impl Wording<'_> {
    /// `all places for 5 in row 4 are in box 2`.
    fn within(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let mut noun = self.noun_phrase(a);
        if noun.is_plural && noun.text.starts_with("the ") {
            noun.text.insert_str(0, "all ");
        }
        match b {
            _ if self.size(a) == 0 => format!("there {} {}", if yes { "is" } else { "is no" }, self.phrase_text(a)),
            Expr::Intersection(p, q) if !self.is_region(b) => {
                let parts = [p, q].map(|part| Condition::Within(a.clone(), (**part).clone()));
                self.sentence(&Condition::And(parts.to_vec()), yes)
            }
            Expr::Filter { var, set, condition: filter } => {
                let is_in_set = Condition::Within(a.clone(), (**set).clone());
                let passes_filter = Condition::ForAll(*var, a.clone(), filter.clone());
                let condition =
                    if is_self_evident(set) { passes_filter } else { Condition::And(vec![is_in_set, passes_filter]) };
                self.sentence(&condition, yes)
            }
            Expr::Seeing { every, cells: inner } => {
                format!("{} {}", noun.does(yes, "sees", "see"), self.quantified(*every, inner))
            }
            Expr::Excluded { every, candidates: inner } => {
                format!("{} {}", self.excluding(*every, inner, yes), noun.text)
            }
            Expr::Digits(inner) => match a {
                Expr::Digits(a) if self.has_options(inner) => {
                    format!("{} only candidates of {}", self.noun_phrase(a).has(yes), self.phrase_text(inner))
                }
                _ if self.has_options(inner) => format!("{} {}", self.noun_phrase(inner).has(yes), noun.text),
                _ => format!("{} the digit {}", self.noun_phrase(inner).has(yes), noun.text),
            },
            Expr::AllCells => format!("{} unsolved", noun.is(yes)),
            _ => match self.evaluator.value(b) {
                Value::Cells(_) => format!("{} in {}", noun.is(yes), self.phrase_text(b)),
                Value::Digits(_) => format!("{} among {}", noun.is(yes), self.value_text(b)),
                _ => format!("{} among {}", noun.is(yes), self.phrase_text(b)),
            },
        }
    }

    /// Returns the members of `a` that are not in `b` as a shortfall, and their number.
    fn outsiders(&self, a: &Expr, b: &Expr) -> (Option<String>, usize) {
        let outside = difference(a, b);
        let (value, count) = (self.value_text(&outside), self.size(&outside));
        let words = match b {
            Expr::Digits(inner) if self.has_options(inner) => Some(format!("there is no {value}")),
            _ if self.size(a) < 2 => None,
            _ => Some(format!("{} not", NounPhrase::new(value, count != 1).is(true))),
        };
        (words, count.max(1))
    }

    /// `row 4 has none of 5 and 6`.
    fn disjoint(&self, a: &Expr, b: &Expr, yes: bool) -> String {
        let no = if yes { "no" } else { "a" };
        match (a, b) {
            // `disjoint x` of a family states that no two members of the family share a cell.
            _ if a == b => format!("no two of {} share a cell", self.phrase_text(a)),
            (Expr::Digits(p), Expr::Digits(q)) if self.has_options(p) && self.has_options(q) => {
                format!("{} and {} have {no} candidate in common", self.phrase_text(p), self.phrase_text(q))
            }
            (_, Expr::Excluded { .. }) => self.within(a, b, !yes),
            (Expr::Digits(p), _) if self.has_options(p) => {
                format!(
                    "{} {} of {}",
                    self.noun_phrase(p).has(true),
                    if yes { "none" } else { "one" },
                    self.value_text(b)
                )
            }
            (_, Expr::Union(parts)) if !parts.iter().all(is_self_evident) && !self.is_region(b) => {
                let each = parts.iter().map(|part| Condition::Disjoint(a.clone(), part.clone())).collect();
                self.sentence(&Condition::And(each), yes)
            }
            _ if !self.is_region(b) && matches!(self.evaluator.value(a), Value::Cells(_) | Value::Candidates(_)) => {
                format!(
                    "{} and {} have {no} {} in common",
                    self.phrase_text(a),
                    self.phrase_text(b),
                    self.member_noun(a, 1)
                )
            }
            _ => self.within(a, b, !yes),
        }
    }

    fn common(&self, a: &Expr, b: &Expr) -> Option<String> {
        let both = Expr::Intersection(Box::new(a.clone()), Box::new(b.clone()));
        let value = self.value_text(&both);
        match (a, b) {
            (_, Expr::Excluded { .. }) => None,
            (Expr::Digits(inner), _) if self.has_options(inner) => Some(format!("there is {value}")),
            _ => Some(NounPhrase::new(value, self.size(&both) != 1).is(true)),
        }
    }

    /// `row 4 has 5` for a set that is not empty; `row 4 does not have 5` if `yes` is false.
    fn some(&self, set: &Expr, yes: bool) -> String {
        match set {
            Expr::CandidatesIn(digits, cells) => {
                let none = !yes && self.size(digits) != 1;
                let object = match (self.size(digits), is_self_evident(digits)) {
                    (1, _) => self.phrase_text(digits),
                    _ if none => format!("none of {}", self.phrase_text(digits)),
                    (_, true) => format!("one of {}", self.phrase_text(digits)),
                    _ => self.phrase_text(digits),
                };
                match cells.as_ref() {
                    Expr::Intersection(a, b) if self.is_region(a) && self.is_region(b) => {
                        format!("{} {object} in {}", self.noun_phrase(a).has(yes || none), self.phrase_text(b))
                    }
                    _ => format!("{} {object}", self.noun_phrase(cells).has(yes || none)),
                }
            }
            Expr::Filter { var, set, condition: filter } => {
                self.sentence(&Condition::Exists(*var, (**set).clone(), filter.clone()), yes)
            }
            Expr::Intersection(a, b) => match (a.as_ref(), b.as_ref()) {
                (a, Expr::Excluded { every, candidates: inner }) => {
                    let object = match a == inner.as_ref() {
                        true => "another of them".into(),
                        false if self.size(a) == 1 => self.phrase_text(a),
                        false => format!("some {}", self.phrase_text(a)),
                    };
                    format!("{} {object}", self.excluding(*every, inner, yes))
                }
                (Expr::AllHouses(class), other) => {
                    format!(
                        "{} a {}",
                        self.noun_phrase(other).does(yes, "includes", "include"),
                        Kind::House(*class).singular()
                    )
                }
                (a, b) => {
                    let overlap = if yes { "overlap" } else { "do not overlap" };
                    format!("{} and {} {overlap}", self.phrase_text(a), self.phrase_text(b))
                }
            },
            Expr::Difference(a, b) => {
                let is_cell_name = yes && matches!(self.evaluator.value(a), Value::Cells(_));
                let word = if is_cell_name { "in" } else { "among" };
                format!("{} not only {word} {}", self.noun_phrase(a).is(true), self.phrase_text(b))
            }
            _ => match self.size(set) {
                0 => format!("there is {} {}", if yes { "such a" } else { "no such" }, self.member_noun(set, 1)),
                _ => format!("there is {}{}", if yes { "" } else { "no " }, self.phrase_text(set)),
            },
        }
    }

    /// Returns the members of a set that is not empty, as evidence.
    fn some_members(&self, set: &Expr) -> Option<String> {
        match set {
            Expr::CandidatesIn(_, cells) if self.size(cells) > 1 => Some(self.text(&Value::Cells(self.cells(set)))),
            Expr::Intersection(_, b) if matches!(b.as_ref(), Expr::Excluded { .. }) => None,
            Expr::Intersection(..) => self.members(set),
            _ => None,
        }
    }

    fn members(&self, set: &Expr) -> Option<String> {
        if self.size(set) > 0 { Some(self.value_text(set)) } else { None }
    }
}

/// Cells that see each other, their candidates and their houses.
impl Wording<'_> {
    /// `r4c8 sees each of r5c79`; in a view, where a cell is a digit in a house: `5 in row 1 and 5 in row 2 cannot be in the
    /// same column`.
    fn sees(&self, a: &Operand, b: &Operand, yes: bool) -> String {
        let (a, b) = (self.operand_phrase(a), self.operand_phrase(b));
        if self.context.lens.is_grid() {
            return format!("{} {}", a.does(yes, "sees", "see"), b.text);
        }
        // A digit of a view is a line of the grid; its text is `column 1` or `row 1`.
        let first_line = self.text(&Value::Digits(DigitSet::single(Digit(0))));
        let line = first_line.split(' ').next().unwrap_or_default();
        let can = if yes { "cannot" } else { "can" };
        format!("{} and {} {can} be in the same {line}", a.text, b.text)
    }

    /// `r4c8`, `each of r4c78`, `every 5 in r4c78`.
    fn operand_phrase(&self, operand: &Operand) -> NounPhrase {
        match (&operand.cells, operand.quantifier, self.size(&operand.cells)) {
            (Expr::CellsOf(inner), Quantifier::Every, _) if matches!(inner.as_ref(), Expr::CandidatesIn(..)) => {
                NounPhrase::new(format!("every {}", self.phrase_text(inner)), false)
            }
            (cells, _, 0 | 1) => self.noun_phrase(cells),
            (cells, Quantifier::Every, _) => NounPhrase::new(format!("each of {}", self.phrase_text(cells)), false),
            (cells, Quantifier::Some, _) => NounPhrase::new(format!("one of {}", self.phrase_text(cells)), false),
        }
    }

    /// `it has 5 and 6`: the shortfall of cells that lack a digit.
    fn candidates_of(&self, cells: &Expr) -> String {
        let list = self.cells(cells);
        let digits = self.value_text(&Expr::Digits(Box::new(cells.clone())));
        match list.as_slice() {
            [cell] if self.context.state().value(*cell).is_some() => "it is solved".into(),
            [_] => format!("it has {digits}"),
            _ => format!("they have {digits}"),
        }
    }

    fn almost_locked(&self, cells: &Expr, degree: u32, yes: bool) -> String {
        let digits = self.value_text(&Expr::Digits(Box::new(cells.clone())));
        let count = self.size(cells) + degree as usize;
        match degree {
            1 if yes && self.evaluator.holds(&Condition::AlmostLocked(cells.clone(), degree)) => {
                format!("{} is an almost locked set with {digits}", self.phrase_text(cells))
            }
            1 => format!("{} {} an almost locked set", self.phrase_text(cells), if yes { "is" } else { "is not" }),
            _ => {
                let together = if self.size(cells) > 1 { " together, in one house" } else { "" };
                format!("{} {count} candidates{together}", self.noun_phrase(cells).has(yes))
            }
        }
    }

    fn count_of_candidates(&self, cells: &Expr) -> String {
        let digits = Expr::Digits(Box::new(cells.clone()));
        let count = self.size(&digits);
        let cell_count = self.size(cells);
        let s = if cell_count == 1 { "" } else { "s" };
        format!("found: {cell_count} cell{s} with {count} candidates ({})", self.value_text(&digits))
    }

    /// Returns the names of the houses of a class that contain all of some cells; `None` if no house contains them.
    fn shared_houses(&self, cells: &[Cell], class: HouseClass) -> Option<String> {
        let houses = self.houses_of(cells);
        let names = houses.iter().map(|&house| self.text(&Value::Houses(vec![house])));
        let of_class = names.filter(|name| class == HouseClass::Any || name.starts_with(Kind::House(class).singular()));
        if houses.is_empty() { None } else { Some(of_class.collect::<Vec<_>>().join(", ")) }
    }

    /// Returns the houses that contain all of some cells.
    fn houses_of(&self, cells: &[Cell]) -> Vec<HouseId> {
        let Some(first) = cells.first() else { return Vec::new() };
        let mut houses = self.context.geometry().houses_of(*first).to_vec();
        houses.retain(|house| cells.iter().all(|cell| self.context.geometry().house(*house).cells.contains(cell)));
        houses
    }

    fn other_places(&self, digits: DigitSet, house: HouseId, ends: &[Cell]) -> Vec<Cell> {
        let cells = self.context.geometry().house(house).cells.iter().copied();
        cells
            .filter(|cell| !ends.contains(cell) && !(self.context.state().candidates(*cell) & digits).is_empty())
            .collect()
    }

    /// `the only places for 5 in row 4 are r4c78`. Names the house that has no other places; if there is none, names the
    /// house of both cells, unless they share several houses.
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
        let places = NounPhrase::new(format!("the only places for {} in {house}", self.phrase_text(digit)), true);
        format!("{} {}", places.is(yes), self.text(&Value::Cells(ends.to_vec())))
    }

    /// `row 4 has it in r4c1 too`: the shortfall of two cells that are not the only places of a digit in a house. Also
    /// returns the distance.
    fn not_conjugate(&self, digit: &Expr, ends: &[Cell]) -> (Option<String>, usize) {
        let Value::Digits(digits) = self.evaluator.value(digit) else { return (None, 4) };
        if let Some(cell) = ends.iter().find(|cell| (self.context.state().candidates(**cell) & digits).is_empty()) {
            return (Some(format!("{} does not have it", self.text(&Value::Cells(vec![*cell])))), 1);
        }
        let shortfalls = self.houses_of(ends).into_iter().map(|house| {
            let places = self.other_places(digits, house, ends);
            let count = places.len();
            (
                count,
                format!("{} has it in {} too", self.context.geometry().house(house), self.text(&Value::Cells(places))),
            )
        });
        match shortfalls.min() {
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

/// Writes a conjunction of conditions, or a disjunction if `is_conjunction` is false. If `yes` is false, writes the
/// negation. If one condition decides the result, only this condition is written.
fn compound_text(parts: &[(&Wording<'_>, &Condition)], is_conjunction: bool, yes: bool) -> String {
    let parts = parts.iter().filter(|(wording, part)| !(is_conjunction && yes && wording.is_same(part)));
    // The negation of a disjunction is a conjunction.
    if is_conjunction == yes {
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

/// Joins up to four clauses. If there are more, only the first is written, with `likewise for others`.
fn join_few(clauses: impl Iterator<Item = String>, conjunction: &str) -> String {
    const MAX_CLAUSES: usize = 4;
    let mut clauses: Vec<String> = clauses.collect();
    if clauses.len() > MAX_CLAUSES {
        clauses.truncate(1);
        clauses.push("likewise for others".into());
    }
    join_words(&clauses, conjunction)
}

fn union_of(names: &[VarId]) -> Expr {
    Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect())
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

/// Returns the comparison that holds where this one fails, and the comparison with exchanged sides.
fn opposite_and_exchanged(how: Comparison) -> (Comparison, Comparison) {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    match how {
        Equal => (NotEqual, Equal),
        NotEqual => (Equal, NotEqual),
        Less => (GreaterEqual, Greater),
        LessEqual => (Greater, GreaterEqual),
        Greater => (LessEqual, Less),
        GreaterEqual => (Less, LessEqual),
    }
}
