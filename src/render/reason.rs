//! The reason of a step, in a sentence or two, and the cases under suppositions as a tree that reads downwards. In: a step. Out: the author's
//! words (`because`) if the rule has them; otherwise words made from the form of the conclusion, which know no technique; for each
//! supposition its inferences, one a line, and its end, then the conclusion from all cases. A step inside a case may have a tree of its own
//! below it.

use super::line::{Line, Role};
use super::names::{BoardNames, capitalized, digits_and, join_words};
use super::text::{INDENT, StepWords};
use crate::engine::{CaseEnd, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseKind};
use crate::solve::{CaseStep, Deduction, InnerStep, SourcedLink, Step, Trial, chain_links};

/// Writes the reason of a step.
pub fn reason(geometry: &Geometry, step: &Step) -> String {
    StepWords::new(geometry, step).reason()
}

impl StepWords<'_> {
    pub fn reason(self) -> String {
        let step = self.step;
        if let Some(because) = &step.because {
            return [sentence(because)].into_iter().chain(self.guardian_reason()).collect::<Vec<_>>().join(" ");
        }
        if let Some(trial) = step.trial {
            return self.trial_reason(trial);
        }
        if !step.joined.is_empty() {
            return step.joined.iter().map(|part| self.of(part).reason()).collect::<Vec<_>>().join(" ");
        }
        if !step.cases.is_empty() {
            return self.cases_reason();
        }
        self.loop_reason().unwrap_or_else(|| self.claims_reason())
    }

    /// Writes the conclusions of the rule, with the chain or the places of digits that they rest on.
    fn claims_reason(self) -> String {
        let chain = self.chain_reason();
        let has_chain = chain.is_some();
        let mut sentences: Vec<String> = chain.into_iter().chain(self.places_reason()).collect();
        let mut eliminated: Vec<Candidate> = Vec::new();
        for claim in &self.step.claims {
            // If there are several conclusions, leave out those without effect.
            let is_idle = self.step.claims.len() > 1 && !self.has_effect(claim);
            if is_idle || has_chain && is_about_ends(claim, &self.step.chain) {
                continue;
            }
            match claim {
                Deduction::Eliminate(candidates) => eliminated.extend(candidates),
                claim => sentences.extend(self.claim_reason(claim)),
            }
        }
        sentences.extend(self.elimination_reason(eliminated));
        sentences.extend(self.guardian_reason());
        sentences.join(" ")
    }

    fn claim_reason(self, claim: &Deduction) -> Option<String> {
        match claim {
            Deduction::Some(candidates) => Some(match candidates.as_slice() {
                [one] => format!("{} must be true.", self.names.digit_in_cell(*one)),
                _ => self.in_each_case(&self.names.one_of(candidates), candidates, candidates.len()),
            }),
            Deduction::Eliminate(candidates) => self.elimination_reason(candidates.clone()),
            Deduction::Place(candidates) => {
                let placed = candidates.iter().filter(|one| self.step.placements.contains(one));
                let placed: Vec<String> = placed.map(|&one| self.names.digit_in_cell(one)).collect();
                let (subject, is_plural) = self.subject();
                let verb = if is_plural { "leave" } else { "leaves" };
                (!placed.is_empty()).then(|| format!("{subject} {verb} only {}.", join_words(&placed, "and")))
            }
        }
    }

    /// Writes all eliminations that the conclusions name directly, in one sentence.
    fn elimination_reason(self, mut candidates: Vec<Candidate>) -> Option<String> {
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|one| self.step.eliminations.contains(one));
        let (subject, is_plural) = self.subject();
        let verb = if is_plural { "exclude" } else { "excludes" };
        (!candidates.is_empty()).then(|| format!("{subject} {verb} {}.", self.names.candidates_in_words(&candidates)))
    }

    /// Names the pattern as the subject of a sentence: its cells, the places of its digits in its houses, or its candidates. Also returns
    /// true if the subject is plural.
    fn subject(self) -> (String, bool) {
        let (mut cells, mut houses, mut digits) = (Vec::new(), Vec::new(), DigitSet::EMPTY);
        let mut candidates: Vec<Candidate> = Vec::new();
        for binding in self.step.bindings.iter().filter(|binding| binding.free) {
            match &binding.value {
                Value::Cells(list) => cells.extend(list),
                Value::Family(members) => cells.extend(members.iter().flat_map(|(_, list)| list)),
                Value::Houses(list) => houses.extend(list),
                Value::Digits(list) => digits = digits | *list,
                Value::Candidates(list) => candidates.extend(list),
                // The sentence before lists them.
                Value::Places(_) => return ("These places".into(), true),
                Value::Number(_) => {}
            }
        }
        cells.sort_unstable();
        cells.dedup();
        candidates.retain(|one| !self.step.eliminations.contains(one) && !self.step.placements.contains(one));
        match (cells.as_slice(), digits.is_empty()) {
            (&[cell], _) => (format!("The candidates of {}", self.names.cell(cell)), true),
            ([_, ..], _) => (format!("The candidates of {} together", self.names.cells_in_words(&cells)), true),
            _ if !candidates.is_empty() => {
                (capitalized(&self.names.candidates_in_words(&candidates)), candidates.len() > 1)
            }
            _ if houses.is_empty() => ("The position".into(), false),
            (_, true) => (capitalized(&self.names.houses_in_words(&houses)), houses.len() > 1),
            (_, false) => {
                (format!("The places of {} in {}", digits_and(digits), self.names.houses_in_words(&houses)), true)
            }
        }
    }

    /// Writes the other case of a pattern with guardians.
    fn guardian_reason(self) -> Option<String> {
        let list = self.guardians().next()?;
        let these = self.names.candidates(list);
        Some(match list.len() {
            1 => format!("Otherwise {these} is true, and excludes the same."),
            _ => format!("Otherwise one of {these} is true, and each of them excludes the same."),
        })
    }

    /// Returns false for a disjunction whose candidates exclude no elimination together.
    fn has_effect(self, claim: &Deduction) -> bool {
        match claim {
            Deduction::Some(list) if list.len() > 1 => !self.excluded_by_all(list).is_empty(),
            _ => true,
        }
    }

    /// Returns the eliminations of the step that each of these candidates excludes.
    fn excluded_by_all(self, list: &[Candidate]) -> Vec<Candidate> {
        let eliminated = self.step.eliminations.iter().copied();
        eliminated.filter(|other| list.iter().all(|one| self.names.board.excludes(*one, *other))).collect()
    }

    /// Writes the eliminations of a loop, link by link.
    fn loop_reason(self) -> Option<String> {
        if !self.step.chain.first().is_some_and(|first| first.strong) {
            return None;
        }
        let mut left = self.step.eliminations.clone();
        let mut parts = Vec::new();
        for link in chain_links(&self.step.chain, &self.step.cites) {
            let (mut eliminated, words) = self.loop_link_reason(&link);
            eliminated.retain(|one| left.contains(one));
            left.retain(|one| !eliminated.contains(one));
            if !eliminated.is_empty() {
                parts.push(format!("{words}, so {}", self.names.deductions(&eliminated, &[])));
            }
        }
        if !left.is_empty() {
            parts.push(format!("all of it together excludes {}", self.names.candidates_in_words(&left)));
        }
        Some(format!("Exactly one end of each link of the loop is true: {}.", parts.join("; ")))
    }

    /// Returns the eliminations of one link of a loop with their reason. One end of a weak link is true. A set of cells behind a strong link
    /// lacks one of its two digits and so has all others.
    fn loop_link_reason(self, found: &SourcedLink<'_>) -> (Vec<Candidate>, String) {
        let (from, to) = (&found.link.from, &found.link.to);
        if !found.link.strong {
            let ends: Vec<Candidate> = from.candidates().chain(to.candidates()).collect();
            return (self.excluded_by_all(&ends), format!("{} or {}", self.names.node(from), self.names.node(to)));
        }
        let set = found.via.map(|via| via.cells.as_slice()).filter(|cells| cells.len() > 1 && from.digit != to.digit);
        let ends = DigitSet::single(from.digit) | DigitSet::single(to.digit);
        let eliminated = set.map_or_else(Vec::new, |set| self.excluded_by_set(set, ends));
        let digits: DigitSet = eliminated.iter().map(|one| one.digit).collect();
        let cells = self.names.cells(set.unwrap_or_default());
        (eliminated, format!("{cells} lacks {} or {} alone and has {}", from.digit, to.digit, digits_and(digits)))
    }

    /// Returns the eliminations that see all places of their digit in a set of cells; digits in `except` do not count.
    fn excluded_by_set(self, set: &[Cell], except: DigitSet) -> Vec<Candidate> {
        let digits = self.digits_of_all(set) - except;
        let eliminated = self.step.eliminations.iter().copied().filter(|one| digits.has(one.digit));
        let seeing = eliminated.filter(|one| {
            let mut places = set.iter().filter(|cell| self.step.digits_of(**cell).has(one.digit));
            places.all(|&cell| self.names.board.sees(cell, one.cell))
        });
        seeing.collect()
    }

    /// Writes why a guess is made or taken back.
    fn trial_reason(self, trial: Trial) -> String {
        match (trial, self.step.cites.cells.first()) {
            (Trial::Guess, Some((cell, digits))) => {
                let (cell, digits) = (self.names.cell(*cell), digits_and(*digits));
                format!("No technique finds anything. No cell has fewer candidates than {cell}: {digits}.")
            }
            (Trial::Guess, None) => String::new(),
            (Trial::TakenBack(found), _) => {
                let tried: Vec<String> =
                    self.step.eliminations.iter().map(|&one| self.names.literal((one, true))).collect();
                format!("With {}, {}.", join_words(&tried, "and"), self.names.contradiction(found))
            }
        }
    }

    /// Writes the end of the cases, in a sentence.
    fn cases_reason(self) -> String {
        let cases = &self.step.cases;
        let supposed: Vec<String> = cases.iter().map(|case| self.names.literal(case.supposed)).collect();
        let end = self.conclusion();
        if cases.iter().all(|case| case.is_contradiction()) {
            return format!("Supposing {} leads to a contradiction. {end}", join_words(&supposed, "or"));
        }
        match supposed.as_slice() {
            [one] => format!("{one} is supposed. {end}"),
            all => format!("The cases are {}. {end}", join_words(all, "and")),
        }
    }

    /// Writes the places of digits in houses, for a step found in a view of the grid.
    fn places_reason(self) -> Option<String> {
        let board = self.names.board;
        let mut parts = Vec::new();
        for binding in self.step.bindings.iter().filter(|binding| binding.free) {
            let Value::Places(places) = &binding.value else { continue };
            for &(house, digit) in places {
                let noun = if board.house(house).kind == HouseKind::Row { "column" } else { "row" };
                let lines = self.crossing(house, digit).into_iter();
                let numbers: Vec<String> = lines.map(|line| (board.house(line).index + 1).to_string()).collect();
                parts.push(format!("{digit} in {} is in {noun} {}", board.house(house), join_words(&numbers, "or")));
            }
        }
        (!parts.is_empty()).then(|| format!("{}.", join_words(&parts, "and")))
    }

    /// Writes the inference of an open chain: if the first node is false, every node behind a strong link is true, down to the last. `None`
    /// if no conclusion is about its ends.
    fn chain_reason(self) -> Option<String> {
        let chain = &self.step.chain;
        let (first, last) = (&chain.first()?.node, chain.last()?);
        if !last.strong || !self.step.claims.iter().any(|claim| is_about_ends(claim, chain)) {
            return None;
        }
        let last = &last.node;
        let true_nodes =
            chain[1..].iter().filter(|step| step.strong).map(|step| self.names.node_claim(&step.node, true));
        let (start, true_nodes) =
            (self.names.node_claim(first, false), join_words(&true_nodes.collect::<Vec<_>>(), "and"));
        let ends: Vec<Candidate> = first.candidates().chain(last.candidates()).collect();
        let conclusion = match ends.as_slice() {
            _ if first == last => format!("{} in any case.", self.names.node_claim(first, true)),
            [a, b] if a.digit == b.digit => self.in_each_case(&self.names.one_of(&ends), &ends, 2),
            _ => {
                let claims = [first, last].map(|node| self.names.node_claim(node, true));
                self.in_each_case(&claims.join(" or "), &ends, 2)
            }
        };
        Some(format!("If {start}, then {true_nodes}. So {conclusion}"))
    }

    /// Completes the statement that one of some candidates is true by the eliminations that all of them exclude. `cases` is the number of
    /// alternatives that the statement names.
    fn in_each_case(self, one_of: &str, candidates: &[Candidate], cases: usize) -> String {
        let eliminated = self.excluded_by_all(candidates);
        if eliminated.is_empty() {
            return format!("{one_of}.");
        }
        let opening = if cases == 2 { "either way" } else { "in each case" };
        format!("{one_of}; {opening} {}.", self.names.none_of(&eliminated))
    }
}

/// Returns true if a conclusion says that one end of the chain is true.
fn is_about_ends(claim: &Deduction, chain: &[ChainStep]) -> bool {
    let (Deduction::Some(candidates), [first, .., last]) = (claim, chain) else { return false };
    let mut ends: Vec<Candidate> = first.node.candidates().chain(last.node.candidates()).collect();
    ends.sort_unstable();
    ends.dedup();
    *candidates == ends
}

/// Ends an author's sentence if it has no end mark, and capitalizes it if it begins with a word, such as the name of a house.
fn sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    let word = text.split_whitespace().next().unwrap_or_default();
    if word.chars().all(char::is_alphabetic) { format!("{}{end}", capitalized(text)) } else { format!("{text}{end}") }
}

impl<'a> StepWords<'a> {
    /// Writes the cases of a step and its conclusion; nothing if it has no cases.
    pub fn cases(self, indent: usize) -> Vec<Line> {
        if self.step.cases.is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        for (supposed, cases) in self.cases_by_supposition() {
            let words = format!("Suppose {}.", self.names.literal(supposed));
            lines.push(Line::indent(indent).with(Role::Quiet, words));
            lines.extend(cases.into_iter().flat_map(|case| self.case(case, indent + INDENT)));
        }
        lines.push(Line::indent(indent).with(Role::Quiet, self.conclusion()));
        lines
    }

    /// Returns the cases under each supposition. A step of several matches may have a supposition more than once, and perhaps with the
    /// same contradiction, which is listed once.
    fn cases_by_supposition(self) -> Vec<((Candidate, bool), Vec<&'a CaseStep>)> {
        let mut out: Vec<((Candidate, bool), Vec<&CaseStep>)> = Vec::new();
        for case in &self.step.cases {
            match out.iter_mut().find(|(supposed, _)| *supposed == case.supposed) {
                Some((_, known)) if !known.contains(&case) => known.push(case),
                Some(_) => {}
                None => out.push((case.supposed, vec![case])),
            }
        }
        out
    }

    fn case(self, case: &CaseStep, indent: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for inner in &case.inferences {
            let line = Line::indent(indent);
            match inner {
                InnerStep::Step(step) => {
                    let inner = StepWords { names: self.names, step: step.as_ref() };
                    lines.push(line.join(inner.headline()));
                    lines.extend(inner.cases(indent + INDENT));
                }
                InnerStep::Links { chain, .. } => {
                    let end = format!(": {}", self.names.chain_end(chain));
                    lines.push(line.with(Role::Pattern, self.names.chain(chain)).with(Role::Quiet, end));
                }
                InnerStep::Naked(..) | InnerStep::Hidden(..) => {
                    lines.push(line.with(Role::Quiet, self.names.inference(inner)));
                }
            }
        }
        if !ends_with_its_conclusion(case) {
            lines.push(Line::indent(indent).with(Role::Quiet, self.names.case_end(case)));
        }
        lines
    }

    /// Writes the conclusion from all cases: `So r4c5 is not 3.`, `In every case r2c2 = 5.`
    pub fn conclusion(self) -> String {
        let (placements, eliminations) = (&self.step.placements, &self.step.eliminations);
        let shown: Vec<String> = match placements.len() + eliminations.len() {
            0..=4 => self.step.literals().map(|literal| self.names.literal(literal)).collect(),
            _ => vec![self.names.deductions(eliminations, placements)],
        };
        let groups = self.cases_by_supposition();
        let contradictory = groups.iter().filter(|(_, cases)| cases.iter().all(|case| case.is_contradiction())).count();
        let opening = match groups.len() - contradictory {
            0 => "So",
            1 if groups.len() > 1 => "In the remaining case",
            1 => "So",
            _ if contradictory > 0 => "In every remaining case",
            2 if groups[0].0.0 == groups[1].0.0 => "In both cases",
            _ => "In every case",
        };
        format!("{opening} {}.", join_words(&shown, "and"))
    }
}

/// Returns true if the last inference of a case already states its conclusion.
fn ends_with_its_conclusion(case: &CaseStep) -> bool {
    let CaseEnd::Shows(candidate, holds) = case.end else { return false };
    match case.inferences.last() {
        Some(InnerStep::Naked(one, _) | InnerStep::Hidden(one, ..)) => (*one, true) == (candidate, holds),
        Some(InnerStep::Links { chain, .. }) => {
            chain.last().is_some_and(|last| last.strong == holds && last.node.only() == Some(candidate))
        }
        Some(InnerStep::Step(_)) | None => false,
    }
}

impl BoardNames<'_> {
    /// Writes an inference in one line.
    pub fn inference(self, inner: &InnerStep) -> String {
        match inner {
            InnerStep::Naked(one, why) => {
                format!("{}: nothing else is left there{}", self.literal((*one, true)), self.since(why))
            }
            InnerStep::Hidden(one, house, why) => {
                let (placed, house) = (self.literal((*one, true)), self.house(*house));
                format!("{placed}: the last place for {} in {house}{}", one.digit, self.since(why))
            }
            InnerStep::Links { chain, .. } => format!("{}: {}", self.chain(chain), self.chain_end(chain)),
            InnerStep::Step(step) => StepWords { names: self, step: step.as_ref() }.headline().to_string(),
        }
    }

    /// Writes earlier literals as a reason: `, since r4c5 = 3 and r4c67<>2`.
    fn since(self, why: &[(Candidate, bool)]) -> String {
        let mut words: Vec<String> =
            why.iter().filter(|(_, holds)| *holds).map(|&literal| self.literal(literal)).collect();
        let eliminated: Vec<Candidate> = why.iter().filter(|(_, holds)| !holds).map(|(one, _)| *one).collect();
        if !eliminated.is_empty() {
            words.push(self.deductions(&eliminated, &[]).replace(' ', ", "));
        }
        if words.is_empty() { String::new() } else { format!(", since {}", join_words(&words, "and")) }
    }

    /// Writes the end of a case in one line.
    pub fn case_end(self, case: &CaseStep) -> String {
        let since = self.since(&case.since);
        match &case.end {
            CaseEnd::Shows(candidate, holds) if (*candidate, *holds) == case.supposed => {
                format!("{}: this is the supposition", self.literal(case.supposed))
            }
            CaseEnd::Shows(candidate, holds) => format!("so {}{since}", self.literal((*candidate, *holds))),
            CaseEnd::EmptyCell(cell) => format!("{} has no candidate left{since}: a contradiction", self.cell(*cell)),
            CaseEnd::EmptyHouse(house, digit) => {
                format!("{} has no place left for {digit}{since}: a contradiction", self.house(*house))
            }
            CaseEnd::Both(node) => format!("{} would be both true and false: a contradiction", self.node(node)),
        }
    }
}
