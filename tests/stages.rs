//! What each stage makes of each rule: its tree, its checked form, its plans, the steps on its examples.

use crate::common;
use pinion::engine::Engine;
use pinion::lang;
use pinion::render;
use pinion::solve::Rulebook;
use serde_json::Value;
use std::collections::BTreeMap;

/// Files with techniques: the name without folders, the text up to the first example.
fn rules() -> Vec<(String, String)> {
    let rulebook = Rulebook::embedded();
    let files = rulebook.files().iter().map(|file| {
        let stem = file.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".pinion").to_string();
        let end = file.text.find("\nexample ").map_or(file.text.len(), |at| at + 1);
        (stem, file.text[..end].to_string())
    });
    files.collect()
}

/// A tree without its places in the text, empty parts left out, short parts on one line.
fn outline(value: &Value, depth: usize, out: &mut String) {
    let plain = compact(value);
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(map) if plain.len() > 100 => {
            for (key, inner) in map.iter().filter(|(key, inner)| !key.contains("span") && !compact(inner).is_empty()) {
                let text = compact(inner);
                if text.len() <= 100 {
                    out.push_str(&format!("{indent}{key}: {text}\n"));
                } else {
                    out.push_str(&format!("{indent}{key}:\n"));
                    outline(inner, depth + 1, out);
                }
            }
        }
        Value::Array(list) if plain.len() > 100 => {
            for inner in list {
                let text = compact(inner);
                if text.len() <= 100 {
                    out.push_str(&format!("{indent}- {text}\n"));
                } else {
                    out.push_str(&format!("{indent}-\n"));
                    outline(inner, depth + 1, out);
                }
            }
        }
        _ => out.push_str(&format!("{indent}{plain}\n")),
    }
}

fn compact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(map) => {
            let parts: Vec<String> = map
                .iter()
                .filter(|(key, _)| !key.contains("span"))
                .map(|(key, inner)| (key, compact(inner)))
                .filter(|(_, text)| !text.is_empty())
                .map(|(key, text)| format!("{key} {text}"))
                .collect();
            if parts.is_empty() { String::new() } else { format!("({})", parts.join(", ")) }
        }
        Value::Array(list) if list.is_empty() => String::new(),
        Value::Array(list) => format!("[{}]", list.iter().map(compact).collect::<Vec<_>>().join(", ")),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn outlined(value: impl serde::Serialize) -> String {
    let mut out = String::new();
    outline(&serde_json::to_value(value).expect("plain data"), 0, &mut out);
    out
}

#[test]
fn trees() {
    for (name, text) in rules() {
        insta::assert_snapshot!(format!("tree_{name}"), outlined(lang::parse(&text).0));
    }
}

#[test]
fn checked_forms() {
    for (name, text) in rules() {
        let (mut lowered, _) = lang::compile(&text);
        lowered.techniques.iter_mut().for_each(|technique| technique.doc.clear());
        insta::assert_snapshot!(format!("ir_{name}"), outlined((&lowered.techniques, &lowered.sources)));
    }
}

/// Of a family the smallest member stands for all.
#[test]
fn plans() {
    let rulebook = Rulebook::embedded();
    for technique in rulebook.techniques() {
        let techniques = rulebook.with_used(vec![technique.clone()]);
        let engine = Engine::new(common::geometry(9), &techniques, rulebook.sources()).expect("compiles");
        let first = engine.members()[0].args.clone();
        let plans: Vec<String> = (0..engine.members().len())
            .filter(|&m| engine.members()[m].technique == 0 && engine.members()[m].args == first)
            .map(|m| engine.plan_text(m))
            .collect();
        insta::assert_snapshot!(format!("plan_{}", technique.id), plans.join("\n"));
    }
}

#[test]
fn steps() {
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    for (technique, geometry, steps) in common::example_steps() {
        let out = told.entry(technique).or_default();
        let lines = steps.iter().flat_map(|step| render::explained(geometry, step, 2));
        lines.for_each(|line| out.push_str(&format!("{line}\n")));
    }
    for (technique, out) in told {
        insta::assert_snapshot!(format!("steps_{technique}"), out);
    }
}
