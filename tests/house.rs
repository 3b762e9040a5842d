//! The house's rules that a script can see: no technique's name in `src/`, modules that open with their
//! purpose, files of a size that holds one idea.

use std::fs;
use std::path::{Path, PathBuf};

/// Words that only a technique's name has, split so that this file is no exception to anything.
const NAMES: [&str; 40] = [
    "xy-wing",
    "xyz-wing",
    "wxyz",
    "w-wing",
    "pivot wing",
    "pivot_wing",
    "x-wing",
    "swordfish",
    "jellyfish",
    "skyscraper",
    "string kite",
    "turbot",
    "nishio",
    "exocet",
    "sue de coq",
    "sue_de_coq",
    "death blossom",
    "death_blossom",
    "medusa",
    "tridagon",
    "naked single",
    "naked_single",
    "naked pair",
    "naked triple",
    "naked quad",
    "naked_subset",
    "hidden single",
    "hidden_single",
    "hidden pair",
    "hidden triple",
    "hidden quad",
    "hidden_subset",
    "full house",
    "full_house",
    "remote pair",
    "remote_pair",
    "x-chain",
    "xy-chain",
    "unique rectangle",
    "bent set",
];

/// More of them, matched as whole words.
const WORDS: [&str; 8] = ["pointing", "claiming", "avoidable", "squirmbag", "sashimi", "franken", "firework", "bug"];

fn rust_files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(folder).expect("src is readable").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|ext| ext == "rs") {
            out.push(path);
        }
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    assert!(files.len() > 20, "the scan must see the sources");
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).expect("sources are text"))).collect()
}

#[test]
fn no_technique_is_named_in_the_engine() {
    let mut found = Vec::new();
    for (path, text) in sources() {
        for (number, line) in text.lines().enumerate() {
            let lower = line.to_lowercase();
            let whole = |word: &&&str| lower.split(|c: char| !c.is_alphanumeric()).any(|token| token == **word);
            for name in NAMES.iter().filter(|name| lower.contains(**name)).chain(WORDS.iter().filter(whole)) {
                found.push(format!("{}:{}: {name}", path.display(), number + 1));
            }
        }
    }
    assert!(found.is_empty(), "techniques belong into rules/:\n{}", found.join("\n"));
}

#[test]
fn every_module_opens_with_its_purpose() {
    let missing: Vec<_> =
        sources().into_iter().filter(|(_, text)| !text.starts_with("//!")).map(|(path, _)| path).collect();
    assert!(missing.is_empty(), "no //! at the top of {missing:?}");
}

#[test]
fn files_hold_one_idea() {
    let long: Vec<_> = sources()
        .into_iter()
        .map(|(path, text)| (text.lines().count(), path))
        .filter(|(lines, _)| *lines > 420)
        .collect();
    assert!(long.is_empty(), "files of more than 420 lines: {long:?}");
}

#[test]
fn rooms_import_only_what_the_architecture_allows() {
    let allowed: [(&str, &[&str]); 3] =
        [("grid", &["grid"]), ("lang", &["lang"]), ("proof", &["grid", "lang", "proof"])];
    for (path, text) in sources() {
        let Some((_, rooms)) = allowed.iter().find(|(room, _)| path.components().any(|part| part.as_os_str() == *room))
        else {
            continue;
        };
        for line in text.lines().filter(|line| line.trim_start().starts_with("use crate::")) {
            let room = line.trim_start()["use crate::".len()..].split(':').next().unwrap_or_default();
            assert!(rooms.contains(&room), "{}: {line}", path.display());
        }
    }
}
