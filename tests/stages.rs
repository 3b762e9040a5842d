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

/// What narrows a choice does not depend on how the condition is written: the first of each line is planned as the others.
#[test]
fn conditions_that_say_the_same_narrow_the_same() {
    let forms: [(&str, &[&str]); 6] = [
        (
            "c: cell\n  d: digit in digits(c)\n  require WHAT\n  eliminate d from cells seeing c",
            &["#digits(c) = 2", "2 = #digits(c)", "#digits(c) + 1 = 3", "#digits(c) - 2 = 0", "4 - #digits(c) = 2"],
        ),
        (
            "c: cell\n  z: digit in digits(c)\n  require WHAT\n  eliminate z from cells seeing c",
            &["#digits(c) <= 3", "#digits(c) < 4", "3 >= #digits(c)", "4 > #digits(c)"],
        ),
        (
            "h: house\n  d: digit\n  require WHAT\n  eliminate d from cells seeing every (cells(d in h))",
            &["#(d in h) = 2", "#cells(d in h) = 2", "2 = #(d in h)", "#(d in h) + 3 = 5"],
        ),
        (
            "s: cells[3] in one house\n  require WHAT\n  eliminate digits(s) from cells seeing every s",
            &["#digits(s) <= 3", "#digits(s) < 4", "3 - #digits(s) >= 0"],
        ),
        (
            "A: cell\n  s: cells[2] in row(A)\n  require WHAT\n  eliminate digits(s) from A",
            &["every s lacks every (digits(A))", "digits(s) disjoint digits(A)", "digits(A) disjoint digits(s)"],
        ),
        (
            "h: house\n  d: digit\n  require WHAT\n  eliminate d from h",
            &["some d in h", "#(d in h) >= 1", "#(d in h) > 0"],
        ),
    ];
    for (body, conditions) in forms {
        let narrowed = |condition: &&str| {
            let text = format!("technique t \"T\" {{\n  {}\n}}\n", body.replace("WHAT", condition));
            let (lowered, found) = lang::compile(&text);
            assert!(found.iter().all(|one| one.severity != lang::diagnostic::Severity::Error), "{text}{found:?}");
            let engine = Engine::new(common::geometry(9), &lowered.techniques, &[]).expect("compiles");
            // Counting and tests are written as the author has them; what names are chosen from is compared.
            let plan = engine.plan_text(0);
            let choices = plan
                .lines()
                .map(str::trim_start)
                .filter(|line| line.contains("Counting") || line.starts_with("; pick"));
            let choices: Vec<String> =
                choices.map(|line| line.trim_start_matches(|sign: char| sign.is_ascii_digit()).to_string()).collect();
            choices
        };
        let all: Vec<Vec<String>> = conditions.iter().map(narrowed).collect();
        assert!(body.contains("d in h") || !all[0].is_empty(), "{}", conditions[0]);
        all.iter().zip(conditions).for_each(|(one, condition)| assert_eq!(*one, all[0], "{condition}"));
    }
}
