//! Techniques of the rulebook with words replaced, lines removed and lines inserted. If the checks accept such a technique,
//! the engine can plan it and search it. Nothing panics.

use crate::common::{geometry, quick_or_full_cases};
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::formats::read_one;
use pinion::lang::{self, Patterns, check_across};
use pinion::solve::Rulebook;
use proptest::prelude::*;
use std::ops::Range;
use std::sync::LazyLock;

struct Rules {
    rulebook: Rulebook,
    /// Patterns that the rulebook defines.
    patterns: Patterns,
    /// Lines of each technique, without examples and empty lines.
    techniques: Vec<Vec<String>>,
}

static RULES: LazyLock<Rules> = LazyLock::new(|| {
    let rulebook = Rulebook::embedded();
    let mut patterns = Patterns::default();
    let mut techniques = Vec::new();
    for file in rulebook.files() {
        patterns.add(&lang::parse(&file.text).0);
        let lines: Vec<&str> =
            file.text.lines().filter(|line| !line.starts_with("//") && !line.trim().is_empty()).collect();
        // A line `}` closes an item.
        for item in lines.split(|line| *line == "}") {
            if item.iter().any(|line| line.starts_with("technique ")) {
                techniques.push(item.iter().chain(&["}"]).map(ToString::to_string).collect());
            }
        }
    }
    Rules { rulebook, patterns, techniques }
});

/// Returns the byte ranges of the words and numbers of a line.
fn words(line: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    for (at, _) in line.char_indices().filter(|(_, c)| c.is_alphanumeric() || *c == '_') {
        match words.last_mut() {
            Some(word) if word.end == at => word.end = at + 1,
            _ => words.push(at..at + 1),
        }
    }
    words
}

/// One change of a technique's lines below the header. The numbers are indices, taken modulo the number of choices.
#[derive(Clone, Debug)]
struct Change {
    line: usize,
    word: usize,
    /// 0: the line is removed. 1: a copy of another line is inserted before it. Otherwise one of its words is replaced.
    kind: usize,
    /// The inserted line, or the line of the word that is inserted.
    source: usize,
}

impl Change {
    fn apply(&self, lines: &mut Vec<String>) {
        // All lines but the header and the closing `}`.
        let body_length = lines.len().saturating_sub(2);
        if body_length == 0 {
            return;
        }
        let at = 1 + self.line % body_length;
        let source = lines[self.source % lines.len()].clone();
        match self.kind {
            0 => drop(lines.remove(at)),
            1 => lines.insert(at, source),
            _ => {
                let (old_words, new_words) = (words(&lines[at]), words(&source));
                if old_words.is_empty() || new_words.is_empty() {
                    return;
                }
                let new_word = &source[new_words[(self.source / lines.len()) % new_words.len()].clone()];
                lines[at].replace_range(old_words[self.word % old_words.len()].clone(), new_word);
            }
        }
    }
}

fn any_change() -> impl Strategy<Value = Change> {
    (0..100usize, 0..100usize, 0..6usize, 0..10_000usize).prop_map(|(line, word, kind, source)| Change {
        line,
        word,
        kind,
        source,
    })
}

#[derive(Debug, PartialEq)]
enum Outcome {
    /// The checks refuse the rule.
    Refused,
    /// The checks accept the rule, but the engine cannot plan it: the messages.
    NotPlanned(Vec<String>),
    Searched,
}

fn check_and_search(text: &str) -> Outcome {
    let Rules { rulebook, patterns, .. } = &*RULES;
    let (lowered, mut found) = lang::compile_with(text, patterns);
    let (file, _) = lang::parse(text);
    let all: Vec<_> = lowered.techniques.iter().chain(rulebook.techniques()).cloned().collect();
    found.extend(check_across(&file, &all, rulebook.sources(), patterns));
    if lowered.techniques.is_empty() || found.iter().any(|diagnostic| diagnostic.code.starts_with('E')) {
        return Outcome::Refused;
    }
    let techniques = rulebook.with_dependencies(lowered.techniques);
    let engine = match Engine::new(geometry(4), &techniques, rulebook.sources()) {
        Ok(engine) => engine,
        Err(errors) => return Outcome::NotPlanned(errors.iter().map(ToString::to_string).collect()),
    };
    let limits = Limits { matches: 50, instructions: 20_000, steps_per_assumption: 5, ..Limits::default() };
    let grid = read_one("123 12 34 234\n34 134 12 12\n12 12 34 34\n34 34 12 124", None).expect("a good grid");
    let state = grid.state();
    let mut position = engine.position(&state);
    for number in 0..engine.members().len().min(20) {
        position.find(number, SearchMode::All, &limits);
    }
    Outcome::Searched
}

/// The next tests would show nothing if the techniques were refused without a change.
#[test]
fn unchanged_techniques_are_searched() {
    assert!(RULES.techniques.len() > 100);
    for lines in &RULES.techniques {
        let text = lines.join("\n") + "\n";
        assert_eq!(check_and_search(&text), Outcome::Searched, "{text}");
    }
}

#[test]
fn forward_references_and_a_set_within_itself_are_searched() {
    let forward_references = "technique a \"A\" {\n  let g = (digits - d) in f\n  let d = digits(s - f)\n  h: house\n  \
                 s: cells[3] in h\n  f: cells[1] in s\n  require #d = 2\n  eliminate d from f\n  because \"{g}\"\n}\n";
    let set_within_itself = "technique b \"B\" {\n  base: houses[2] in base + boxes\n  d: digit\n  \
                  require some d in h for h in base\n  eliminate d from overlap(base)\n}\n";
    for text in [forward_references, set_within_itself] {
        assert_eq!(check_and_search(text), Outcome::Searched, "{text}");
    }
}

proptest! {
    #![proptest_config(quick_or_full_cases(60, 600))]

    #[test]
    fn changed_techniques_that_are_accepted_can_be_planned(
        index in 0..10_000usize,
        changes in prop::collection::vec(any_change(), 1..4),
    ) {
        let mut lines = RULES.techniques[index % RULES.techniques.len()].clone();
        for change in changes {
            change.apply(&mut lines);
        }
        let text = lines.join("\n") + "\n";
        let outcome = check_and_search(&text);
        prop_assert!(!matches!(outcome, Outcome::NotPlanned(_)), "{outcome:?}\n{text}");
    }
}
