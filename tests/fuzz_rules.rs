//! Rules made of the words of others. In: techniques of the rulebook with words exchanged and lines dropped. Out: what
//! the checks accept can be planned and searched, and nothing panics.

use crate::common::{cases, geometry};
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::formats::read_one;
use pinion::lang::{self, Patterns, check_across};
use pinion::solve::Rulebook;
use proptest::prelude::*;
use std::sync::LazyLock;

/// The rulebook, its patterns, and its techniques each as a text of lines without examples.
struct Known {
    rulebook: Rulebook,
    patterns: Patterns,
    texts: Vec<Vec<String>>,
}

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let rulebook = Rulebook::embedded();
    let mut patterns = Patterns::default();
    let mut texts = Vec::new();
    for file in rulebook.files() {
        patterns.add(&lang::parse(&file.text).0);
        let lines: Vec<&str> = file.text.lines().filter(|line| !line.starts_with("//")).collect();
        let items = lines.split(|line| *line == "}");
        let techniques = items.filter(|item| item.iter().any(|line| line.starts_with("technique ")));
        texts.extend(techniques.map(|item| {
            let lines = item.iter().filter(|line| !line.trim().is_empty()).map(|line| (*line).to_owned());
            lines.chain(["}".to_owned()]).collect()
        }));
    }
    Known { rulebook, patterns, texts }
});

/// Returns the byte ranges of the words and numbers of a line.
fn words(line: &str) -> Vec<std::ops::Range<usize>> {
    let part = |at: char| at.is_alphanumeric() || at == '_';
    let mut out: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in line.char_indices().filter(|(_, at)| part(*at)) {
        match out.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => out.push(at..at + 1),
        }
    }
    out
}

/// One change below the header: a line dropped, doubled, or one of its words replaced by another of the technique.
fn change(lines: &mut Vec<String>, (line, word, kind, from): (usize, usize, usize, usize)) {
    let body = lines.len().saturating_sub(2);
    if body == 0 {
        return;
    }
    let at = 1 + line % body;
    let other = lines[from % lines.len()].clone();
    match kind {
        0 => drop(lines.remove(at)),
        1 => lines.insert(at, other),
        _ => {
            let (own, theirs) = (words(&lines[at]), words(&other));
            if own.is_empty() || theirs.is_empty() {
                return;
            }
            let put = &other[theirs[(from / lines.len()) % theirs.len()].clone()];
            lines[at].replace_range(own[word % own.len()].clone(), put);
        }
    }
}

/// Plans and searches what the checks accept: why it cannot be planned, or nothing. None where it is not accepted.
fn tried(text: &str) -> Option<Vec<String>> {
    let known = &*KNOWN;
    let (lowered, mut found) = lang::compile_with(text, &known.patterns);
    let (file, _) = lang::parse(text);
    let all: Vec<_> = lowered.techniques.iter().chain(known.rulebook.techniques()).cloned().collect();
    found.extend(check_across(&file, &all, known.rulebook.sources(), &known.patterns));
    if lowered.techniques.is_empty() || found.iter().any(|one| one.code.starts_with('E')) {
        return None;
    }
    let techniques = known.rulebook.with_dependencies(lowered.techniques);
    let engine = match Engine::new(geometry(4), &techniques, known.rulebook.sources()) {
        Ok(engine) => engine,
        Err(errors) => return Some(errors.iter().map(ToString::to_string).collect()),
    };
    let limits = Limits { matches: 50, instructions: 20_000, steps_per_assumption: 5, ..Limits::default() };
    let grid = read_one("123 12 34 234\n34 134 12 12\n12 12 34 34\n34 34 12 124", None).expect("a good grid");
    let state = grid.state();
    let mut position = engine.position(&state);
    for number in 0..engine.members().len().min(20) {
        position.find(number, SearchMode::All, &limits);
    }
    Some(Vec::new())
}

/// Nothing is changed, so all are accepted: else the changed ones would show nothing.
#[test]
fn rules_without_their_examples_are_accepted() {
    assert!(KNOWN.texts.len() > 100);
    for lines in &KNOWN.texts {
        let text = lines.join("\n") + "\n";
        assert_eq!(tried(&text), Some(Vec::new()), "{text}");
    }
}

/// A definition above the one that it needs, and a set of houses that is said to lie in itself among others.
#[test]
fn definitions_in_any_order_and_sets_in_themselves() {
    let above = "technique a \"A\" {\n  let g = (digits - d) in f\n  let d = digits(s - f)\n  h: house\n  \
                 s: cells[3] in h\n  f: cells[1] in s\n  require #d = 2\n  eliminate d from f\n  because \"{g}\"\n}\n";
    let itself = "technique b \"B\" {\n  base: houses[2] in base + boxes\n  d: digit\n  \
                  require some d in h for h in base\n  eliminate d from overlap(base)\n}\n";
    for text in [above, itself] {
        assert_eq!(tried(text), Some(Vec::new()), "{text}");
    }
}

proptest! {
    #![proptest_config(cases(60, 600))]

    #[test]
    fn rules_of_exchanged_words_are_searched(
        which in 0..10_000usize,
        changes in prop::collection::vec((0..100usize, 0..100usize, 0..6usize, 0..10_000usize), 1..4),
    ) {
        let mut lines = KNOWN.texts[which % KNOWN.texts.len()].clone();
        for one in changes {
            change(&mut lines, one);
        }
        let text = lines.join("\n") + "\n";
        prop_assert_eq!(tried(&text).unwrap_or_default(), Vec::<String>::new(), "accepted, and cannot be planned:\n{}", text);
    }
}
