//! No text makes the parser or the lowering panic or hang: rule texts are mutated at random.

use crate::common::cases;
use pinion::cli::diagnostics::draw;
use pinion::lang;
use pinion::lang::format::{FormatterError, format};
use proptest::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The rule texts of the rulebook and of the tests, the same order in every run.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> =
        ["rules", "tests/rules", "tests/broken", "tests/lang"].iter().map(|folder| root.join(folder)).collect();
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                out.push(std::fs::read_to_string(path).unwrap());
            }
        }
    }
    out.sort();
    out
});

/// Pieces that mean something to the parser.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "\"",
    "\"\"\"",
    ",",
    ":",
    "=",
    "-",
    "+",
    "&",
    "#",
    "..",
    "\n",
    "\n}",
    " in ",
    " for d in ",
    " some ",
    " every ",
    " no ",
    " not ",
    " and ",
    " or ",
    "technique ",
    "chain ",
    "case ",
    "let x = ",
    "require ",
    "é",
    "\u{feff}",
    "///",
    "//",
    "0",
    "99999999999",
    "digits",
    "cells",
    "cells[",
    "d[d]",
    "{n: A, else {n}}",
    "seeing",
    "\r\n",
    "\0",
    "uses ",
    "guardians g = ",
    "those c in cells with ",
    "one step per ",
    "join a by ",
    " disjoint",
    " linking ",
    " closed",
    "givens allow ",
    "als(2)",
    "also in rn ",
    "in_no_template(",
    "pattern p {\n",
    "group",
    "literal",
    "loop K, 2.. links {\n",
    "cluster coloured a, b {\n",
    "ring K, 3.. candidates, odd, guardians G {\n",
    "suppose p using singles, all imply q",
    "suppose each of ",
    " using links {\n",
    " using rules a, b(2), reaches contradiction",
    "conclude not ",
    "conclude every link of ",
    " outside its cells",
    "candidates excluded by ",
    "#eliminated",
    "some link by ",
    "rules a = b, c(2)\n",
];

/// One change: where (per mille), what is taken out, what is put in.
fn change() -> impl Strategy<Value = (usize, usize, Option<usize>, bool)> {
    (0..1000usize, 0..12usize, proptest::option::of(0..PIECES.len()), any::<bool>())
}

fn mutate(text: &str, changes: &[(usize, usize, Option<usize>, bool)], other: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for (at, length, piece, splice) in changes {
        let at = chars.len() * at / 1000;
        let end = (at + length).min(chars.len());
        let put: Vec<char> = match (piece, splice) {
            (Some(piece), _) => PIECES[*piece].chars().collect(),
            (None, true) => other.chars().skip(at).take(30).collect(),
            (None, false) => Vec::new(),
        };
        chars.splice(at..end, put);
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(cases(200, 2000))]

    #[test]
    fn mutated_rules_are_survived(which in 0..1000usize, other in 0..1000usize, changes in proptest::collection::vec(change(), 1..6)) {
        let text = mutate(&TEXTS[which % TEXTS.len()], &changes, &TEXTS[other % TEXTS.len()]);
        let (lowered, found) = lang::compile(&text);
        for label in found.iter().flat_map(|diagnostic| &diagnostic.labels) {
            prop_assert!(text.get(label.span.clone()).is_some(), "{label:?} does not lie in the text");
        }
        prop_assert!(found.iter().all(|diagnostic| !diagnostic.labels.is_empty()));
        draw("a.pinion", &text, &found, false, 100);
        let _ = lowered;
        match format(&text) {
            Ok(once) => prop_assert_eq!(format(&once), Ok(once.clone())),
            Err(FormatterError::Changed) => prop_assert!(false, "formatted, it would say something else:\n{text}"),
            Err(FormatterError::Unreadable(_)) => {}
        }
    }

    #[test]
    fn any_text_is_survived(text in "\\PC{0,200}") {
        lang::compile(&text);
    }
}
