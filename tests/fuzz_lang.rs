//! Rule texts with random changes: the compiler and the formatter neither panic nor hang.

use crate::common::files::{files_below, read_text};
use crate::common::quick_or_full_cases;
use pinion::cli::diagnostics::draw;
use pinion::lang;
use pinion::lang::format::{FormatterError, format};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Texts of the rulebook and of the tests, in the same order in every run.
static TEXTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let files = ["rules", "tests/rules", "tests/broken", "tests/lang"].into_iter().flat_map(files_below);
    let mut texts: Vec<String> = files.map(read_text).collect();
    texts.sort();
    texts
});

/// Texts that are inserted: words and signs of the language, and characters that are hard to read.
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

/// One change of a text.
#[derive(Clone, Debug)]
struct Change {
    /// Position of the change, in thousandths of the text.
    position: usize,
    /// Number of characters that are removed.
    removed: usize,
    /// Index of the piece in [`PIECES`] that is inserted.
    piece: Option<usize>,
    /// True if, without a piece, 30 characters of another text are inserted.
    copies_other: bool,
}

fn any_change() -> impl Strategy<Value = Change> {
    (0..1000usize, 0..12usize, proptest::option::of(0..PIECES.len()), any::<bool>())
        .prop_map(|(position, removed, piece, copies_other)| Change { position, removed, piece, copies_other })
}

fn mutate(text: &str, changes: &[Change], other: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for change in changes {
        let start = chars.len() * change.position / 1000;
        let end = (start + change.removed).min(chars.len());
        let inserted: Vec<char> = if let Some(piece) = change.piece {
            PIECES[piece].chars().collect()
        } else if change.copies_other {
            other.chars().skip(start).take(30).collect()
        } else {
            Vec::new()
        };
        chars.splice(start..end, inserted);
    }
    chars.into_iter().collect()
}

proptest! {
    #![proptest_config(quick_or_full_cases(200, 2000))]

    #[test]
    fn changed_rules_are_compiled_and_formatted(
        index in 0..1000usize,
        other in 0..1000usize,
        changes in proptest::collection::vec(any_change(), 1..6),
    ) {
        let text = mutate(&TEXTS[index % TEXTS.len()], &changes, &TEXTS[other % TEXTS.len()]);
        let (_, found) = lang::compile(&text);
        for label in found.iter().flat_map(|diagnostic| &diagnostic.labels) {
            prop_assert!(text.get(label.span.clone()).is_some(), "{label:?} does not lie in the text");
        }
        prop_assert!(found.iter().all(|diagnostic| !diagnostic.labels.is_empty()));
        // Diagnostics of any text can be printed.
        let has_colours = false;
        draw("a.pinion", &text, &found, has_colours, 100);
        match format(&text) {
            Ok(once) => prop_assert_eq!(format(&once), Ok(once.clone())),
            Err(FormatterError::Changed) => prop_assert!(false, "formatting changes the meaning of\n{text}"),
            Err(FormatterError::Unreadable(_)) => {}
        }
    }

    #[test]
    fn arbitrary_text_is_compiled(text in "\\PC{0,200}") {
        lang::compile(&text);
    }
}
