//! The house's rules that a script can see: no technique's name in `src/`, modules that open with their
//! purpose, files of a size that holds one idea.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Names of techniques, as words: hyphens, underscores and ends of lines count as blanks.
const NAMES: [&str; 60] = [
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
        let words = as_words(&code(&text));
        for name in NAMES.iter().filter(|name| words.contains(&as_words(name))) {
            found.push(format!("{}: {name}", path.display()));
        }
    }
    assert!(found.is_empty(), "techniques belong into rules/:\n{}", found.join("\n"));
}

/// Every technique of the rulebook, by its id and its display names, is unknown to the sources.
#[test]
fn no_name_of_the_rulebook_is_in_the_engine() {
    let solver = crate::common::solver(9);
    let names: Vec<String> = solver.names().iter().map(|name| as_words(name)).filter(|name| name.len() > 4).collect();
    assert!(names.len() > 20, "{names:?}");
    let mut names_by_first_word: HashMap<Option<&str>, Vec<&String>> = HashMap::new();
    for name in &names {
        names_by_first_word.entry(name.split_whitespace().next()).or_default().push(name);
    }
    for (path, text) in sources() {
        let words = as_words(&code(&text));
        for (position, _) in words.match_indices(' ') {
            let rest = &words[position..];
            for name in names_by_first_word.get(&rest.split_whitespace().next()).into_iter().flatten() {
                assert!(!rest.starts_with(*name), "{} names `{name}`", path.display());
            }
        }
    }
}

/// Identifiers and strings: comments may name a technique as an example.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| if line.trim_start().starts_with("//") { "" } else { line });
    lines.map(|line| line.split(" // ").next().unwrap_or(line)).collect::<Vec<_>>().join("\n")
}

/// Words in lower case, each between two blanks; marks and comment signs are blanks.
fn as_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
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
        .filter(|(lines, _)| *lines > 900)
        .collect();
    assert!(long.is_empty(), "files of more than 900 lines: {long:?}");
}

#[test]
fn rooms_import_only_what_the_architecture_allows() {
    let allowed: [(&str, &[&str]); 5] = [
        ("grid", &["grid"]),
        ("lang", &["lang"]),
        ("proof", &["grid", "lang", "proof"]),
        ("editor", &["editor", "lang", "solve"]),
        ("playground", &["editor", "engine", "grid", "lang", "proof", "render", "solve", "workbench"]),
    ];
    for (path, text) in sources() {
        // The folder of the project may be called like a room.
        let inside = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&path);
        let Some((_, rooms)) =
            allowed.iter().find(|(room, _)| inside.components().any(|part| part.as_os_str() == *room))
        else {
            continue;
        };
        for line in text.lines().filter(|line| line.trim_start().starts_with("use crate::")) {
            let room = line.trim_start()["use crate::".len()..].split(':').next().unwrap_or_default();
            assert!(rooms.contains(&room), "{}: {line}", path.display());
        }
    }
}

/// Phrases that a reader stumbles over, as words, and identifiers that say less than their replacements.
const ODD_WORDS: [&str; 23] = [
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
    "said",
    "spot",
    "makeup",
    "plainest",
    "bridges",
    "fillings",
    "ways",
    "twice",
    "petals",
    "sight",
];

/// Words that are fine in prose are looked for as identifiers of types only.
const TYPES: [&str; 10] =
    ["said", "spot", "makeup", "plainest", "bridges", "fillings", "ways", "twice", "petals", "sight"];

#[test]
fn code_and_pages_use_plain_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["src", "docs", "rules", "tests", "grammar"] {
        text_files(&root.join(folder), &mut files);
    }
    files.extend(["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root.join(name)));
    let excused = ["tests/house.rs", "tests/broken", "tests/snapshots"].map(|path| root.join(path));
    files.retain(|path| !excused.iter().any(|excused| path.starts_with(excused)));
    let mut found = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("text");
        let words = as_words(&text);
        for odd in ODD_WORDS {
            let is_type = || {
                let name = format!("{}{}", odd[..1].to_uppercase(), &odd[1..]);
                ["enum", "struct", "type", "trait"].iter().any(|word| text.contains(&format!("{word} {name}")))
            };
            if if TYPES.contains(&odd) { is_type() } else { words.contains(&as_words(odd)) } {
                found.push(format!("{}: {odd}", path.display()));
            }
        }
    }
    assert!(found.is_empty(), "say it plainly:\n{}", found.join("\n"));
}

/// Rust, rules and pages below a folder.
fn text_files(folder: &Path, out: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("readable").flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            text_files(&path, out);
        } else if path
            .extension()
            .is_some_and(|ext| ["rs", "md", "pinion", "ron", "pest"].iter().any(|known| ext == *known))
        {
            out.push(path);
        }
    }
}
