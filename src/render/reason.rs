//! Writes the reason of a step and its cases under suppositions. In: a step. Out: sentences and lines.
//!
//! The reason is the author's (`because`). If the rule has none, the reason is made from its conclusions. The cases are a tree of lines:
//! each supposition with its inferences and the end of the case, then the conclusion from all cases. A step inside a case may have a tree
//! of its own.

use super::line::{Line, Role};
use super::names::{BoardNames, capitalized, digits_in_words, join_words};
use super::text::{INDENT, StepWords};
use crate::engine::{CaseEnd, ChainStep, Value};
use crate::grid::{Candidate, Cell, DigitSet, Geometry, HouseKind};
use crate::solve::{CaseStep, Deduction, InnerStep, SourcedLink, Step, Trial, chain_links, is_loop};

pub fn reason(geometry: &Geometry, step: &Step) -> String {
    StepWords::new(geometry, step).reason()
}

impl StepWords<'_> {
    pub fn reason(self) -> String {
        let step = self.step;
        if let Some(because) = &step.because {
            return [as_sentence(because)].into_iter().chain(self.guardian_reason()).collect::<Vec<_>>().join(" ");
        }
        if let Some(trial) = step.trial {
            return self.trial_reason(trial);
        }
        if !step.parts.is_empty() {
            return step.parts.iter().map(|part| self.for_step(part).reason()).collect::<Vec<_>>().join(" ");
        }
        if !step.cases.is_empty() {
            return self.cases_reason();
        }
        self.loop_reason().unwrap_or_else(|| self.conclusions_reason())
    }

    /// Writes the chain or the places of digits from which the rule concludes, then the conclusions.
    fn conclusions_reason(self) -> String {
        let chain = self.chain_reason();
        let has_chain = chain.is_some();
        let mut sentences: Vec<String> = chain.into_iter().chain(self.places_reason()).collect();
        let mut eliminated: Vec<Candidate> = Vec::new();
        for deduction in &self.step.claims {
            // If there are several conclusions, a conclusion without effect is omitted.
            let is_omitted = self.step.claims.len() > 1 && !self.has_effect(deduction);
            if is_omitted || has_chain && is_about_ends(deduction, &self.step.chain) {
                continue;
            }
            match deduction {
                Deduction::Eliminate(candidates) => eliminated.extend(candidates),
                _ => sentences.extend(self.deduction_reason(deduction)),
            }
        }
        sentences.extend(self.elimination_reason(eliminated));
        sentences.extend(self.guardian_reason());
        sentences.join(" ")
    }

    fn deduction_reason(self, deduction: &Deduction) -> Option<String> {
        match deduction {
            Deduction::AtLeastOne(candidates) => Some(match candidates.as_slice() {
                [candidate] => format!("{} must be true.", self.names.digit_in_cell(*candidate)),
                _ => self.in_each_case(&self.names.some_is_true(candidates), candidates, candidates.len()),
            }),
            Deduction::Eliminate(candidates) => self.elimination_reason(candidates.clone()),
            Deduction::Place(candidates) => {
                let placed = candidates.iter().filter(|candidate| self.step.placements.contains(candidate));
                let placed: Vec<String> = placed.map(|&candidate| self.names.digit_in_cell(candidate)).collect();
                if placed.is_empty() {
                    return None;
                }
                let (subject, is_plural) = self.subject();
                let verb = if is_plural { "leave" } else { "leaves" };
                Some(format!("{subject} {verb} only {}.", join_words(&placed, "and")))
            }
        }
    }

    /// Writes the eliminations among `candidates` in one sentence; `None` if there are none.
    fn elimination_reason(self, mut candidates: Vec<Candidate>) -> Option<String> {
        candidates.sort_unstable();
        candidates.dedup();
        candidates.retain(|candidate| self.step.eliminations.contains(candidate));
        if candidates.is_empty() {
            return None;
        }
        let (subject, is_plural) = self.subject();
        let verb = if is_plural { "exclude" } else { "excludes" };
        Some(format!("{subject} {verb} {}.", self.names.candidates_in_words(&candidates)))
    }

    /// Returns the pattern as the subject of a sentence: `The candidates of r1c2`, `The places of 5 in row 3`, `Row 3`. Also returns true if
    /// the subject is plural.
    fn subject(self) -> (String, bool) {
        let mut cells = Vec::new();
        let mut houses = Vec::new();
        let mut digits = DigitSet::EMPTY;
        let mut candidates: Vec<Candidate> = Vec::new();
        for binding in self.step.bindings.iter().filter(|binding| binding.is_chosen) {
            match &binding.value {
                Value::Cells(list) => cells.extend(list),
                Value::Family(members) => cells.extend(members.iter().flat_map(|(_, list)| list)),
                Value::Houses(list) => houses.extend(list),
                Value::Digits(list) => digits = digits | *list,
                Value::Candidates(list) => candidates.extend(list),
                // The sentence before this one, from `places_reason`, lists the places.
                Value::Places(_) => return ("These places".into(), true),
                Value::Number(_) => {}
            }
        }
        cells.sort_unstable();
        cells.dedup();
        candidates.retain(|candidate| {
            !self.step.eliminations.contains(candidate) && !self.step.placements.contains(candidate)
        });
        match cells.as_slice() {
            &[cell] => return (format!("The candidates of {}", self.names.cell(cell)), true),
            [_, ..] => return (format!("The candidates of {} together", self.names.cells_in_words(&cells)), true),
            [] => {}
        }
        if !candidates.is_empty() {
            return (capitalized(&self.names.candidates_in_words(&candidates)), candidates.len() > 1);
        }
        if houses.is_empty() {
            return ("The position".into(), false);
        }
        let house_words = self.names.houses_in_words(&houses);
        if digits.is_empty() {
            return (capitalized(&house_words), houses.len() > 1);
        }
        (format!("The places of {} in {house_words}", digits_in_words(digits)), true)
    }

    /// Writes the sentence about guardians: `Otherwise (5)r1c2 is true, and excludes the same.`
    fn guardian_reason(self) -> Option<String> {
        // If a rule has several sets of guardians, only the first set is named.
        let guardians = self.guardians().next()?;
        let names = self.names.candidates(guardians);
        Some(match guardians.len() {
            1 => format!("Otherwise {names} is true, and excludes the same."),
            _ => format!("Otherwise one of {names} is true, and each of them excludes the same."),
        })
    }

    /// Returns false for a disjunction whose candidates together exclude nothing that the step eliminates.
    fn has_effect(self, deduction: &Deduction) -> bool {
        match deduction {
            Deduction::AtLeastOne(candidates) if candidates.len() > 1 => !self.excluded_by_all(candidates).is_empty(),
            _ => true,
        }
    }

    fn excluded_by_all(self, causes: &[Candidate]) -> Vec<Candidate> {
        let eliminations = self.step.eliminations.iter().copied();
        let board = self.names.board;
        eliminations.filter(|eliminated| causes.iter().all(|cause| board.excludes(*cause, *eliminated))).collect()
    }

    /// Writes the eliminations of a loop, link by link; `None` if the step has no loop.
    fn loop_reason(self) -> Option<String> {
        if !is_loop(&self.step.chain) {
            return None;
        }
        let mut remaining = self.step.eliminations.clone();
        let mut clauses = Vec::new();
        for link in chain_links(&self.step.chain, &self.step.cites) {
            let (mut eliminated, words) = self.loop_link_reason(&link);
            eliminated.retain(|candidate| remaining.contains(candidate));
            remaining.retain(|candidate| !eliminated.contains(candidate));
            if !eliminated.is_empty() {
                clauses.push(format!("{words}, so {}", self.names.deductions(&eliminated, &[])));
            }
        }
        if !remaining.is_empty() {
            clauses.push(format!("all of it together excludes {}", self.names.candidates_in_words(&remaining)));
        }
        Some(format!("Exactly one end of each link of the loop is true: {}.", clauses.join("; ")))
    }

    /// Returns the eliminations of one link of a loop with their reason. Exactly one end of each weak link of a loop is true. If a set of
    /// cells makes a strong link between two digits, the set lacks exactly one of the two digits and contains all other digits of its cells.
    fn loop_link_reason(self, SourcedLink { link, source_match }: &SourcedLink<'_>) -> (Vec<Candidate>, String) {
        let (from, to) = (&link.from, &link.to);
        if !link.strong {
            let ends: Vec<Candidate> = from.candidates().chain(to.candidates()).collect();
            return (self.excluded_by_all(&ends), format!("{} or {}", self.names.node(from), self.names.node(to)));
        }
        let set = match source_match {
            Some(source_match) if source_match.cells.len() > 1 && from.digit != to.digit => {
                source_match.cells.as_slice()
            }
            _ => return (Vec::new(), String::new()),
        };
        let end_digits = DigitSet::single(from.digit) | DigitSet::single(to.digit);
        let eliminated = self.excluded_by_set(set, self.digits_of_all(set) - end_digits);
        let digits: DigitSet = eliminated.iter().map(|candidate| candidate.digit).collect();
        let (cells, digits) = (self.names.cells(set), digits_in_words(digits));
        (eliminated, format!("{cells} lacks only one of {} and {} and contains {digits}", from.digit, to.digit))
    }

    /// Returns the eliminations of a digit in `digits` whose cell sees all cells of `set` that can hold the digit.
    fn excluded_by_set(self, set: &[Cell], digits: DigitSet) -> Vec<Candidate> {
        let of_digits = self.step.eliminations.iter().copied().filter(|eliminated| digits.has(eliminated.digit));
        let seeing_all = of_digits.filter(|eliminated| {
            let mut places = set.iter().filter(|cell| self.step.digits_of(**cell).has(eliminated.digit));
            places.all(|&cell| self.names.board.sees(cell, eliminated.cell))
        });
        seeing_all.collect()
    }

    fn trial_reason(self, trial: Trial) -> String {
        match trial {
            Trial::Guess => self.step.cites.cells.first().map_or_else(String::new, |(cell, digits)| {
                let (cell, digits) = (self.names.cell(*cell), digits_in_words(*digits));
                format!("No technique finds anything. No cell has fewer candidates than {cell}: {digits}.")
            }),
            Trial::TakenBack(contradiction) => {
                let guessed = self.step.eliminations.iter().map(|&candidate| self.names.literal((candidate, true)));
                let guessed: Vec<String> = guessed.collect();
                format!("With {}, {}.", join_words(&guessed, "and"), self.names.contradiction(contradiction))
            }
        }
    }

    fn cases_reason(self) -> String {
        let cases = &self.step.cases;
        let suppositions: Vec<String> = cases.iter().map(|case| self.names.literal(case.supposed)).collect();
        let conclusion = self.conclusion();
        if cases.iter().all(|case| case.is_contradiction()) {
            return format!("Supposing {} leads to a contradiction. {conclusion}", join_words(&suppositions, "or"));
        }
        match suppositions.as_slice() {
            [supposition] => format!("{supposition} is supposed. {conclusion}"),
            _ => format!("The cases are {}. {conclusion}", join_words(&suppositions, "and")),
        }
    }

    /// Writes the places of digits, for a step found in a view: `5 in row 3 is in column 2 or 7`.
    fn places_reason(self) -> Option<String> {
        let board = self.names.board;
        let mut clauses = Vec::new();
        for binding in self.step.bindings.iter().filter(|binding| binding.is_chosen) {
            let Value::Places(places) = &binding.value else { continue };
            for &(house, digit) in places {
                let noun = if board.house(house).kind == HouseKind::Row { "column" } else { "row" };
                let lines = self.crossing_lines(house, digit).into_iter();
                let numbers: Vec<String> = lines.map(|line| (board.house(line).index + 1).to_string()).collect();
                clauses.push(format!("{digit} in {} is in {noun} {}", board.house(house), join_words(&numbers, "or")));
            }
        }
        if clauses.is_empty() { None } else { Some(format!("{}.", join_words(&clauses, "and"))) }
    }

    /// Writes the inference of an open chain: if the first node is false, every node after a strong link is true, so the last node is true.
    /// `None` if no conclusion is about the ends of the chain.
    fn chain_reason(self) -> Option<String> {
        let chain = &self.step.chain;
        let (first_step, last_step) = (chain.first()?, chain.last()?);
        let has_conclusion_about_ends = self.step.claims.iter().any(|deduction| is_about_ends(deduction, chain));
        if !last_step.strong || !has_conclusion_about_ends {
            return None;
        }
        let (first, last) = (&first_step.node, &last_step.node);
        let true_nodes = chain[1..].iter().filter(|step| step.strong);
        let true_nodes: Vec<String> = true_nodes.map(|step| self.names.node_claim(&step.node, true)).collect();
        let (start, true_nodes) = (self.names.node_claim(first, false), join_words(&true_nodes, "and"));
        let ends: Vec<Candidate> = first.candidates().chain(last.candidates()).collect();
        let conclusion = if first == last {
            format!("{} in any case.", self.names.node_claim(first, true))
        } else {
            let disjunction = match ends.as_slice() {
                [a, b] if a.digit == b.digit => self.names.some_is_true(&ends),
                _ => [first, last].map(|node| self.names.node_claim(node, true)).join(" or "),
            };
            self.in_each_case(&disjunction, &ends, 2)
        };
        Some(format!("If {start}, then {true_nodes}. So {conclusion}"))
    }

    /// Appends the eliminations to a disjunction: `r8c2 is 7 or r8c8 is 3; either way r8c8 is not 7.` `candidates` are the candidates of the
    /// disjunction, `alternatives` is the number of clauses.
    fn in_each_case(self, disjunction: &str, candidates: &[Candidate], alternatives: usize) -> String {
        let eliminated = self.excluded_by_all(candidates);
        if eliminated.is_empty() {
            return format!("{disjunction}.");
        }
        let opening = if alternatives == 2 { "either way" } else { "in each case" };
        format!("{disjunction}; {opening} {}.", self.names.all_are_false(&eliminated))
    }
}

/// Returns true if a conclusion says that at least one end of the chain is true.
fn is_about_ends(deduction: &Deduction, chain: &[ChainStep]) -> bool {
    let (Deduction::AtLeastOne(candidates), [first, .., last]) = (deduction, chain) else { return false };
    let mut ends: Vec<Candidate> = first.node.candidates().chain(last.node.candidates()).collect();
    ends.sort_unstable();
    ends.dedup();
    *candidates == ends
}

/// Adds a full stop to an author's text unless the text has an end mark. Capitalizes the text if it begins with a word (`row 3 …`); a text
/// may also begin with a cell (`r1c2 …`).
fn as_sentence(text: &str) -> String {
    let text = text.trim();
    let end = if text.is_empty() || text.ends_with(['.', '!', '?']) { "" } else { "." };
    let word = text.split_whitespace().next().unwrap_or_default();
    if word.chars().all(char::is_alphabetic) { format!("{}{end}", capitalized(text)) } else { format!("{text}{end}") }
}

struct CaseGroup<'a> {
    supposed: (Candidate, bool),
    cases: Vec<&'a CaseStep>,
}

impl<'a> StepWords<'a> {
    /// Writes the cases of a step and the conclusion from them; no lines if the step has no cases.
    pub fn cases(self, indent: usize) -> Vec<Line> {
        if self.step.cases.is_empty() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        for group in self.cases_by_supposition() {
            let sentence = format!("Suppose {}.", self.names.literal(group.supposed));
            lines.push(Line::indent(indent).with(Role::Quiet, sentence));
            lines.extend(group.cases.into_iter().flat_map(|case| self.case_lines(case, indent + INDENT)));
        }
        lines.push(Line::indent(indent).with(Role::Quiet, self.conclusion()));
        lines
    }

    /// Groups the cases by supposition. Equal cases, which a step of several matches may have, are listed once.
    fn cases_by_supposition(self) -> Vec<CaseGroup<'a>> {
        let mut groups: Vec<CaseGroup<'a>> = Vec::new();
        for case in &self.step.cases {
            match groups.iter_mut().find(|group| group.supposed == case.supposed) {
                Some(group) if !group.cases.contains(&case) => group.cases.push(case),
                Some(_) => {}
                None => groups.push(CaseGroup { supposed: case.supposed, cases: vec![case] }),
            }
        }
        groups
    }

    fn case_lines(self, case: &CaseStep, indent: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for inner in &case.inferences {
            let line = Line::indent(indent);
            match inner {
                InnerStep::Step(step) => {
                    let words = StepWords { names: self.names, step: step.as_ref() };
                    lines.push(line.join(words.headline()));
                    lines.extend(words.cases(indent + INDENT));
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
        if !last_inference_states_end(case) {
            lines.push(Line::indent(indent).with(Role::Quiet, self.names.case_end(case)));
        }
        lines
    }

    /// Writes the conclusion from all cases: `So r4c5 is not 3.`, `In every case r2c2 = 5.`
    pub fn conclusion(self) -> String {
        let (placements, eliminations) = (&self.step.placements, &self.step.eliminations);
        let deductions: Vec<String> = if placements.len() + eliminations.len() <= MAX_LITERALS {
            self.step.literals().map(|literal| self.names.literal(literal)).collect()
        } else {
            vec![self.names.deductions(eliminations, placements)]
        };
        let groups = self.cases_by_supposition();
        let contradictory =
            groups.iter().filter(|group| group.cases.iter().all(|case| case.is_contradiction())).count();
        let opening = match groups.len() - contradictory {
            0 => "So",
            1 if groups.len() > 1 => "In the remaining case",
            1 => "So",
            _ if contradictory > 0 => "In every remaining case",
            // One supposition says that the candidate is true, the other that the candidate is false.
            2 if groups[0].supposed.0 == groups[1].supposed.0 => "In both cases",
            _ => "In every case",
        };
        format!("{opening} {}.", join_words(&deductions, "and"))
    }
}

/// More literals than this are written in the short notation of deductions.
const MAX_LITERALS: usize = 4;

fn last_inference_states_end(case: &CaseStep) -> bool {
    let CaseEnd::Shows(candidate, holds) = case.end else { return false };
    match case.inferences.last() {
        Some(InnerStep::Naked(placed, _) | InnerStep::Hidden(placed, ..)) => (*placed, true) == (candidate, holds),
        Some(InnerStep::Links { chain, .. }) => {
            chain.last().is_some_and(|last| last.strong == holds && last.node.only() == Some(candidate))
        }
        Some(InnerStep::Step(_)) | None => false,
    }
}

impl BoardNames<'_> {
    pub fn inference(self, inner: &InnerStep) -> String {
        match inner {
            InnerStep::Naked(placed, causes) => {
                format!("{}: nothing else is left there{}", self.literal((*placed, true)), self.causes(causes))
            }
            InnerStep::Hidden(placed, house, causes) => {
                let (literal, house) = (self.literal((*placed, true)), self.house(*house));
                format!("{literal}: the last place for {} in {house}{}", placed.digit, self.causes(causes))
            }
            InnerStep::Links { chain, .. } => format!("{}: {}", self.chain(chain), self.chain_end(chain)),
            InnerStep::Step(step) => StepWords { names: self, step: step.as_ref() }.headline().to_string(),
        }
    }

    /// `, since r4c5 = 3 and r4c67<>2`; empty without literals.
    fn causes(self, literals: &[(Candidate, bool)]) -> String {
        let mut reasons = Vec::new();
        let mut eliminated = Vec::new();
        for &(candidate, holds) in literals {
            if holds {
                reasons.push(self.literal((candidate, true)));
            } else {
                eliminated.push(candidate);
            }
        }
        if !eliminated.is_empty() {
            // The short notation separates deductions by blanks; in a sentence, commas separate them.
            reasons.push(self.deductions(&eliminated, &[]).replace(' ', ", "));
        }
        if reasons.is_empty() { String::new() } else { format!(", since {}", join_words(&reasons, "and")) }
    }

    pub fn case_end(self, case: &CaseStep) -> String {
        let causes = self.causes(&case.causes);
        match &case.end {
            CaseEnd::Shows(candidate, holds) if (*candidate, *holds) == case.supposed => {
                format!("{}: this is the supposition", self.literal(case.supposed))
            }
            CaseEnd::Shows(candidate, holds) => format!("so {}{causes}", self.literal((*candidate, *holds))),
            CaseEnd::EmptyCell(cell) => format!("{} has no candidate left{causes}: a contradiction", self.cell(*cell)),
            CaseEnd::EmptyHouse(house, digit) => {
                format!("{} has no place left for {digit}{causes}: a contradiction", self.house(*house))
            }
            CaseEnd::TrueAndFalse(node) => format!("{} would be both true and false: a contradiction", self.node(node)),
        }
    }
}
