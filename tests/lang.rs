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

/// The rules whose trees and checked forms are kept: one of each construct.
fn kept(id: &str) -> String {
    let path = rule_files().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == id)).unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn trees_of_some_rules() {
    for id in ["hidden_single", "remote_pair"] {
        insta::assert_ron_snapshot!(format!("tree_{id}"), lang::parse(&kept(id)).0);
    }
}

#[test]
fn checked_forms_of_some_rules() {
    for id in ["locked_candidates", "naked_subset", "pivot_wing", "w_wing", "x_chain", "multiple_lines"] {
        insta::assert_ron_snapshot!(format!("checked_{id}"), lang::compile(&kept(id)).0.techniques);
    }
}

#[test]
fn the_checked_form_survives_ron() {
    for path in rule_files() {
        let (lowered, _) = lang::compile(&std::fs::read_to_string(path).unwrap());
        for technique in lowered.techniques {
            let text = ron::ser::to_string_pretty(&technique, ron::ser::PrettyConfig::default()).unwrap();
            assert_eq!(ron::from_str::<lang::ir::Technique>(&text).unwrap(), technique);
        }
        for source in lowered.sources {
            let text = ron::to_string(&source).unwrap();
            assert_eq!(ron::from_str::<lang::ir::LinkSource>(&text).unwrap(), source);
        }
    }
}

#[test]
fn titles_are_filled() {
    let (lowered, _) = lang::compile(&kept("naked_subset"));
    let technique = &lowered.techniques[0];
    let title = technique.title.as_ref().unwrap();
    let filled = |n: u32| title.fill(&technique.params, &[n], "", &mut |_| String::new());
    assert_eq!([filled(2), filled(4), filled(6)], ["Naked Pair", "Naked Quad", "Naked Set of 6"]);
}

#[test]
fn names_across_files() {
    let prelude = lang::compile(&kept("prelude")).0.sources;
    let text = kept("xy_chain").replace("strong: cell", "strong: cel, hose")
        + "\nexample xy_chian {\n  grid \"1\"\n  finds r1c1=2\n}\n";
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty());
    let (file, _) = lang::parse(&text);
    let across = lang::check_across(&file, &lowered.techniques, &prelude);
    insta::assert_snapshot!(draw("across.pinion", &text, &across, false, 100));
}

#[test]
fn examples_reach_their_technique() {
    let text = kept("pivot_wing")
        + "\nexample pivot_wing(4) \"one\" {\n  grid \"\"\"\n    12\n    34\n  \"\"\"\n  finds r5c6<>1\n  finds r1c1=4 r2c2<>5, r3c3<>7\n}\nnear_miss other {\n  grid \"..\"\n}\n";
    let (lowered, found) = lang::compile(&text);
    assert_eq!(found, vec![]);
    let example = &lowered.techniques[0].examples[0];
    assert_eq!(example.args, [4]);
    assert_eq!(example.finds, ["r5c6<>1", "r1c1=4 r2c2<>5 r3c3<>7"]);
    assert!(example.grid.contains("34"));
    assert_eq!(lowered.loose_examples[0].0, "other");
    assert!(lowered.loose_examples[0].1.near_miss);
}

/// The engine and the language know cells, digits, houses and chains; techniques are the rules' business.
#[test]
fn no_technique_is_named_in_the_source() {
    let names = [
        "wing",
        "skyscraper",
        "naked pair",
        "hidden pair",
        "naked single",
        "hidden single",
        "naked triple",
        "naked quad",
        "swordfish",
        "jellyfish",
        "x-chain",
        "xy-chain",
        "remote pair",
        "kite",
        "pointing",
        "claiming",
        "full house",
        "locked candidates",
        "empty rectangle",
        "turbot",
        "sue de coq",
        "death blossom",
        "multiple lines",
        "bent",
    ];
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = as_words(&std::fs::read_to_string(&path).unwrap());
            for name in names {
                assert!(!text.contains(&as_words(name)), "{} names `{name}`", path.display());
            }
        }
    }
}

/// Words in lower case, each between two blanks.
fn as_words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).filter(|word| !word.is_empty());
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}
