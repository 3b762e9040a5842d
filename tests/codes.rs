//! Codes of errors, warnings and lints. The `bad` snippet of each code has the fault and the `good` one does not, every
//! code has an explanation, and `docs/errors.md` is up to date.

use crate::common::files::{read_text, repository, texts_below};
use pinion::lang::{self, codes, words};
use pinion::solve::Rulebook;
use pinion::workbench::lint::{lint, name_owners};
use std::collections::BTreeMap;

/// Returns the text of a rule file with this snippet. Lines of a technique are put into a technique.
fn as_file(snippet: &str) -> String {
    let code = snippet.lines().find(|line| !line.starts_with("// ")).unwrap_or("");
    let first = code.split_whitespace().next().unwrap_or("");
    // The snippet of one code misspells the keyword of an item.
    let is_item = words::ITEMS.contains(&first) || first == "technik" || code.is_empty();
    if snippet.starts_with("///") || !is_item {
        let lines: Vec<String> = snippet.lines().map(|line| format!("  {line}")).collect();
        return format!("technique sample \"Sample\" {{\n{}\n}}\n", lines.join("\n"));
    }
    format!("{snippet}\n")
}

/// Returns the codes that `pinion check` and `pinion lint` report on a file beside the prelude.
fn codes_of(text: &str) -> Vec<&'static str> {
    let prelude = read_text("rules/prelude.pinion");
    let rulebook = Rulebook::default().with([("prelude".to_owned(), prelude), ("sample".to_owned(), text.to_owned())]);
    let linted = lint(&rulebook, &rulebook.files()[1], &name_owners(&rulebook), &|| false);
    let mut codes = codes_of_check(text);
    codes.extend(linted.findings.iter().map(|diagnostic| diagnostic.code));
    codes
}

/// Returns the codes that `pinion check` reports.
fn codes_of_check(text: &str) -> Vec<&'static str> {
    let sources = lang::compile(&read_text("rules/prelude.pinion")).0.sources;
    let (lowered, mut found) = lang::compile(text);
    let (file, _) = lang::parse(text);
    found.extend(lang::check_across(&file, &lowered.techniques, &sources, &Default::default()));
    found.iter().map(|diagnostic| diagnostic.code).collect()
}

/// Returns true for codes of prices: errors in profiles, not in rule files.
fn is_price_code(code: &str) -> bool {
    code.starts_with("E07")
}

#[test]
fn bad_prices_have_their_code_and_good_prices_have_none() {
    let rulebook = Rulebook::embedded();
    // The snippets use `s`, a name of this technique.
    let subset =
        rulebook.techniques().iter().find(|technique| technique.id == "naked_subset").expect("in the rulebook");
    for entry in codes::catalogue().filter(|entry| is_price_code(entry.code)) {
        let errors = lang::price(subset, 0, entry.bad, &BTreeMap::new()).expect_err("the snippet is bad");
        assert!(errors.iter().all(|error| error.code == entry.code), "{}: the bad price has {errors:?}", entry.code);
        assert!(errors.iter().all(|error| error.help.is_some()), "{}: {errors:?}", entry.code);
        assert_eq!(lang::price(subset, 0, entry.good, &BTreeMap::new()).err(), None, "{}", entry.code);
    }
}

#[test]
fn bad_snippets_have_their_code_and_good_snippets_do_not() {
    for entry in codes::catalogue().filter(|entry| !is_price_code(entry.code)) {
        let (bad, good) = (codes_of(&as_file(entry.bad)), codes_of(&as_file(entry.good)));
        assert!(bad.contains(&entry.code), "{}: the bad text has {bad:?}", entry.code);
        assert!(!good.contains(&entry.code), "{}: the good text has it too", entry.code);
        // `E01…` are syntax errors. The snippets of E0105 and E0111 are `called` lines, and these alone are no technique.
        let has_syntax_error = good.iter().any(|code| code.starts_with("E01"));
        assert!(!has_syntax_error || entry.code == "E0105" || entry.code == "E0111", "{}: {good:?}", entry.code);
    }
}

#[test]
fn every_code_is_explained() {
    for (path, text) in ["src/lang", "src/workbench"].into_iter().flat_map(|folder| texts_below(folder, "rs")) {
        for literal in text.split('"') {
            // A code is a letter and four digits, such as `E0202`.
            let Some(number) = literal.strip_prefix(['E', 'W', 'L']) else { continue };
            if number.len() == 4 && number.chars().all(|c| c.is_ascii_digit()) {
                assert!(lang::explain(literal).is_some(), "{literal} in {} is not explained", path.display());
            }
        }
    }
}

#[test]
fn the_page_of_errors_shows_every_entry_of_the_catalogue() {
    let mut page = String::from(
        "# Errors and warnings\n\nEvery finding about a rule file has a code: `E` for an error (the rule cannot be used), `W` for a warning, `L` for a\n\
         finding of `pinion lint`. `pinion explain CODE` prints an entry of this page. The snippets are lines of a technique, or\n\
         whole items; those of `E07` codes are prices in a profile.\n",
    );
    for entry in codes::catalogue() {
        let (title, text) = entry.text.split_once("\n\n").unwrap();
        page += &format!("\n## {}: {title}\n\n{text}\n\nWrong:\n\n", entry.code);
        let kind = if is_price_code(entry.code) { "text" } else { "pinion" };
        page += &format!("```{kind}\n{}\n```\n\nRight:\n\n```{kind}\n{}\n```\n", entry.bad, entry.good);
    }
    let path = repository().join("docs/errors.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == page,
        "docs/errors.md is out of date: set UPDATE_DOCS=1"
    );
}
