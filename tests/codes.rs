//! The explanations of the codes hold: what is called bad has the fault, what is called good has not, no code
//! is without an explanation, and the page about them says the same.

use pinion::lang::{self, codes, words};
use pinion::solve::Rulebook;
use pinion::workbench::lint::{lint, name_owners};
use std::collections::BTreeMap;
use std::path::Path;

/// A snippet as a file: lines of a technique get one around them.
fn as_file(snippet: &str) -> String {
    let code = snippet.lines().find(|line| !line.starts_with("// ")).unwrap_or("");
    let first = code.split_whitespace().next().unwrap_or("");
    let is_item = words::ITEMS.contains(&first) || first == "technik" || code.is_empty();
    if snippet.starts_with("///") || !is_item {
        let lines: Vec<String> = snippet.lines().map(|line| format!("  {line}")).collect();
        return format!("technique sample \"Sample\" {{\n{}\n}}\n", lines.join("\n"));
    }
    format!("{snippet}\n")
}

/// The codes that a file gets, alone in the world but for the prelude.
fn codes_of(text: &str) -> Vec<&'static str> {
    let prelude = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/prelude.pinion")).unwrap();
    let rulebook = Rulebook::default().with([("prelude".to_owned(), prelude), ("sample".to_owned(), text.to_owned())]);
    let linted = lint(&rulebook, &rulebook.files()[1], &name_owners(&rulebook), &|| false);
    let all = checked(text).into_iter().chain(linted.findings.iter().map(|diagnostic| diagnostic.code));
    all.collect()
}

/// The codes that `pinion check` knows of.
fn checked(text: &str) -> Vec<&'static str> {
    let prelude = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/prelude.pinion")).unwrap();
    let sources = lang::compile(&prelude).0.sources;
    let (lowered, mut found) = lang::compile(text);
    let (file, _) = lang::parse(text);
    found.extend(lang::check_across(&file, &lowered.techniques, &sources, &Default::default()));
    found.iter().map(|diagnostic| diagnostic.code).collect()
}

/// Codes of prices stand in profiles, not in rule files.
fn is_of_prices(code: &str) -> bool {
    code.starts_with("E07")
}

#[test]
fn examples_of_prices_are_true() {
    let rulebook = Rulebook::embedded();
    let subset = rulebook.techniques().iter().find(|one| one.id == "naked_subset").expect("a technique of cells");
    for entry in codes::catalogue().filter(|entry| is_of_prices(entry.code)) {
        let found = lang::price(subset, 0, entry.bad, &BTreeMap::new()).expect_err("it is bad");
        assert!(found.iter().all(|one| one.code == entry.code), "{}: the bad price has {found:?}", entry.code);
        assert!(found.iter().all(|one| one.help.is_some()), "{}: {found:?}", entry.code);
        assert_eq!(lang::price(subset, 0, entry.good, &BTreeMap::new()).err(), None, "{}", entry.code);
    }
}

#[test]
fn examples_of_codes_are_true() {
    for entry in codes::catalogue().filter(|entry| !is_of_prices(entry.code)) {
        let (bad, good) = (codes_of(&as_file(entry.bad)), codes_of(&as_file(entry.good)));
        assert!(bad.contains(&entry.code), "{}: the bad text has {bad:?}", entry.code);
        assert!(!good.contains(&entry.code), "{}: the good text has it too", entry.code);
        let read = good.iter().filter(|code| code.starts_with("E01")).count();
        assert!(read == 0 || entry.code == "E0105" || entry.code == "E0111", "{}: {good:?}", entry.code);
    }
}

#[test]
fn every_code_is_explained() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src/lang"), root.join("src/workbench")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            for piece in
                text.split('"').filter(|piece| piece.len() == 5 && piece[1..].chars().all(|c| c.is_ascii_digit()))
            {
                if piece.starts_with(['E', 'W', 'L']) {
                    assert!(lang::explain(piece).is_some(), "{piece} in {} is not explained", path.display());
                }
            }
        }
    }
}

#[test]
fn the_page_is_written_from_the_table() {
    let mut page = String::from(
        "# Errors and warnings\n\nEvery finding about a rule file has a code: `E` for an error (the rule cannot be used), `W` for a warning, `L` for a\n\
         finding of `pinion lint`. `pinion explain CODE` prints an entry of this page. The snippets are lines of a technique, or\n\
         whole items; those of `E07` codes are prices in a profile.\n",
    );
    for entry in codes::catalogue() {
        let (title, text) = entry.text.split_once("\n\n").unwrap();
        page += &format!("\n## {}: {title}\n\n{text}\n\nWrong:\n\n", entry.code);
        let kind = if is_of_prices(entry.code) { "text" } else { "pinion" };
        page += &format!("```{kind}\n{}\n```\n\nRight:\n\n```{kind}\n{}\n```\n", entry.bad, entry.good);
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/errors.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == page,
        "docs/errors.md is out of date: set UPDATE_DOCS=1"
    );
}
