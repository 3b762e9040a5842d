//! The language from outside: rule texts in, trees, checked rules and drawn diagnostics out.

use pinion::cli::diagnostics::draw;
use pinion::lang;
use std::path::{Path, PathBuf};

/// Every rule text: the rulebook's, and those of the tests.
fn rule_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = Vec::new();
    let mut folders = vec![root.join("rules"), root.join("tests/rules")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "pinion") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

#[test]
fn every_rule_is_accepted() {
    let mut sources = Vec::new();
    let mut techniques = Vec::new();
    for path in rule_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (lowered, found) = lang::compile(&text);
        let drawn = draw(&path.file_name().unwrap().to_string_lossy(), &text, &found, false, 100);
        assert!(found.is_empty(), "{drawn}");
        assert!(lang::accepts(&text), "the grammar for files rejects {}", path.display());
        sources.extend(lowered.sources);
        techniques.extend(lowered.techniques);
    }
    assert_eq!(sources.len(), 5);
    for path in rule_files() {
        let (file, _) = lang::parse(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(lang::check_across(&file, &techniques, &sources), vec![]);
    }
}

#[test]
fn broken_files_are_explained() {
    insta::glob!("broken/*.pinion", |path| {
        let text = std::fs::read_to_string(path).unwrap();
        let (_, found) = lang::compile(&text);
        let name = path.file_name().unwrap().to_string_lossy();
        insta::assert_snapshot!(draw(&name, &text, &found, false, 100));
    });
}
