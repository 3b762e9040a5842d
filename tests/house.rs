//! Style rules that a test can check: `src/` names no technique, every module opens with its purpose, files are short,
//! folders import only what the architecture allows, and no text has a phrase that readers stumbled over.

use crate::common::files::{files_below, has_extension, read_text, repository};
use std::collections::HashMap;
use std::path::PathBuf;

/// Names of techniques. The test also finds `X_Chain` and `x-chain` for `x chain`, see [`as_words`].
const TECHNIQUE_NAMES: [&str; 60] = [
    "wing",
    "wxyz",
    "swordfish",
    "jellyfish",
    "squirmbag",
    "skyscraper",
    "string kite",
    "kite",
    "turbot",
    "nishio",
    "exocet",
    "sue de coq",
    "death blossom",
    "medusa",
    "tridagon",
    "naked single",
    "naked singles",
    "naked pair",
    "naked triple",
    "naked quad",
    "naked subset",
    "hidden single",
    "hidden singles",
    "hidden pair",
    "hidden triple",
    "hidden quad",
    "hidden subset",
    "full house",
    "remote pair",
    "x chain",
    "xy chain",
    "unique rectangle",
    "bent",
    "pointing",
    "claiming",
    "locked candidates",
    "multiple lines",
    "double pairs",
    "avoidable",
    "sashimi",
    "franken",
    "mutant fish",
    "siamese",
    "kraken",
    "firework",
    "bug",
    "empty rectangle",
    "hidden rectangle",
    "unique loop",
    "oddagon",
    "broken wing",
    "simple colours",
    "multi colours",
    "nice loop",
    "aic",
    "forcing chain",
    "forcing net",
    "law of leftover",
    "sk loop",
    "junior",
];

/// Returns path and text of every Rust file in `src`.
fn sources() -> Vec<(PathBuf, String)> {
    let sources = crate::common::files::texts_below("src", "rs");
    assert!(sources.len() > 20, "the scan must see the sources");
    sources
}

#[test]
fn no_technique_is_named_in_the_sources() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        let words = as_words(&without_comments(&text));
        for name in TECHNIQUE_NAMES.iter().filter(|name| words.contains(&as_words(name))) {
            found.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(found.is_empty(), "techniques belong into rules/:\n{}", found.join("\n"));
}

/// The sources contain no id and no display name of a technique in the rulebook.
#[test]
fn no_name_of_the_rulebook_is_in_the_sources() {
    let solver = crate::common::solver(9);
    let names: Vec<String> = solver.names().iter().map(|name| as_words(name)).filter(|name| name.len() > 4).collect();
    assert!(names.len() > 20, "{names:?}");
    // The index by first word makes the test fast: few names can begin at a given word.
    let mut names_by_first_word: HashMap<Option<&str>, Vec<&String>> = HashMap::new();
    for name in &names {
        names_by_first_word.entry(name.split_whitespace().next()).or_default().push(name);
    }
    for (path, text) in sources() {
        let words = as_words(&without_comments(&text));
        for (position, _) in words.match_indices(' ') {
            let rest = &words[position..];
            for name in names_by_first_word.get(&rest.split_whitespace().next()).into_iter().flatten() {
                assert!(!rest.starts_with(*name), "{} names `{name}`", path.display());
            }
        }
    }
}

/// Removes comments, which may name a technique as an example.
fn without_comments(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
        code.push_str(line.split(" // ").next().unwrap_or(line));
        code.push('\n');
    }
    code
}

/// Returns the words in lower case, each between two blanks: ` x chain ` for `X_Chain`.
fn as_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[test]
fn every_module_opens_with_its_purpose() {
    for (path, text) in sources() {
        assert!(text.starts_with("//!"), "no //! at the top of {}", path.display());
    }
}

#[test]
fn no_file_has_more_than_900_lines() {
    for (path, text) in sources() {
        assert!(text.lines().count() <= 900, "{}", path.display());
    }
}

#[test]
fn folders_import_only_what_the_architecture_allows() {
    let allowed_imports: [(&str, &[&str]); 5] = [
        ("grid", &["grid"]),
        ("lang", &["lang"]),
        ("proof", &["grid", "lang", "proof"]),
        ("editor", &["editor", "lang", "solve"]),
        ("playground", &["editor", "engine", "grid", "lang", "proof", "render", "solve", "workbench"]),
    ];
    let src = repository().join("src");
    for (folder, allowed) in allowed_imports {
        for (path, text) in sources() {
            if !path.strip_prefix(&src).is_ok_and(|relative| relative.starts_with(folder)) {
                continue;
            }
            for line in text.lines() {
                let Some(import) = line.trim_start().strip_prefix("use crate::") else { continue };
                let imported = import.split(':').next().unwrap_or_default();
                assert!(allowed.contains(&imported), "{}: {line}", path.display());
            }
        }
    }
}

/// Phrases that readers stumbled over.
const CONFUSING_PHRASES: [&str; 13] = [
    "so many",
    "held against",
    "puzzle is none",
    "what is none",
    "what comes of",
    "gone on by",
    "told as one step",
    "parted by commas",
    "put in later",
    "but for fins",
    "hang together",
    "hangs together",
    "take turns",
];

/// Type names that say less than the names that replaced them. Prose may use these words.
const CONFUSING_TYPE_NAMES: [&str; 10] =
    ["Said", "Spot", "Makeup", "Plainest", "Bridges", "Fillings", "Ways", "Twice", "Petals", "Sight"];

#[test]
fn code_and_pages_use_plain_words() {
    let mut files: Vec<PathBuf> =
        ["src", "docs", "rules", "tests", "grammar"].into_iter().flat_map(files_below).collect();
    files.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| repository().join(name)));
    let exceptions = ["tests/house.rs", "tests/broken", "tests/snapshots"].map(|path| repository().join(path));
    let mut found = Vec::new();
    for path in files {
        let is_text = ["rs", "md", "pinion", "ron", "pest"].iter().any(|extension| has_extension(&path, extension));
        if !is_text || exceptions.iter().any(|exception| path.starts_with(exception)) {
            continue;
        }
        let text = read_text(&path);
        let words = as_words(&text);
        for phrase in CONFUSING_PHRASES {
            if words.contains(&as_words(phrase)) {
                found.push(format!("{}: {phrase}", path.display()));
            }
        }
        for name in CONFUSING_TYPE_NAMES {
            if ["enum", "struct", "type", "trait"].iter().any(|keyword| text.contains(&format!("{keyword} {name}"))) {
                found.push(format!("{}: type {name}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "use plain words:\n{}", found.join("\n"));
}
