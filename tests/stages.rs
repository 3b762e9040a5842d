//! Output of each stage for the rules: trees, checked forms, plans, steps on the examples.

use crate::common;
use pinion::engine::Engine;
use pinion::lang;
use pinion::lang::ir::Technique;
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

/// Files whose trees and checked forms are kept: names and digits, a parameter, link sources, a chain, sets by index, cases.
const SHOWN: [&str; 6] = ["xy_wing", "basic_fish", "prelude", "aic", "death_blossom", "nested_forcing"];

/// Rules whose plans are kept whole: a wing, a fish, linked sets, a chain, sets by index, a closed set, cases, templates.
const PLANNED: [&str; 8] =
    ["xy_wing", "basic_fish", "als_xz", "aic", "death_blossom", "unique_loop", "nested_multiple", "template_delete"];

fn shown_rules() -> impl Iterator<Item = (String, String)> {
    let rules: Vec<_> = rules().into_iter().filter(|(name, _)| SHOWN.contains(&name.as_str())).collect();
    assert_eq!(rules.len(), SHOWN.len());
    rules.into_iter()
}

/// The trees of six files. The formatter prints every tree back (`format`), so the others are checked there.
#[test]
fn trees() {
    for (name, text) in shown_rules() {
        insta::assert_snapshot!(format!("tree_{name}"), outlined(lang::parse(&text).0));
    }
}

/// `pinion emit ast` prints these names of nodes.
#[test]
fn names_of_nodes() {
    let text = "technique t \"T\" also in rn \"U\" {\n  chain (x)A = (x)B\n  loop K, 2.. links {\n    strong: cell\n  }\n}\n\n\
                rules r = t(2)\n\nstrong link s (x)A = (x)B {\n  x: digit\n}\n";
    let (tree, found) = lang::parse(text);
    assert!(found.is_empty(), "{found:?}");
    let written =
        ron::ser::to_string_pretty(&tree, ron::ser::PrettyConfig::new().struct_names(true)).expect("it is data");
    let names = [
        "ViewTitle",
        "FixedChain",
        "EurekaNode",
        "EurekaLink",
        "Loop",
        "LinkBlock",
        "RuleList",
        "RuleName",
        "NumberLiteral",
        "StrongLink",
    ];
    for name in names {
        assert!(written.contains(&format!("{name}(\n")), "{name}: {written}");
    }
}

/// The checked forms of six files. `rules/proved.txt` has a hash of each checked form (`proof_record`), and the steps on the
/// examples show their words.
#[test]
fn checked_forms() {
    for (name, text) in shown_rules() {
        let (mut lowered, _) = lang::compile(&text);
        lowered.techniques.iter_mut().for_each(|technique| technique.doc.clear());
        insta::assert_snapshot!(format!("ir_{name}"), outlined((&lowered.techniques, &lowered.sources)));
    }
}

/// Returns the plans of a technique, one for each view and case; the smallest member of a family stands for all.
fn plans_of(rulebook: &Rulebook, technique: &Technique) -> Vec<String> {
    let techniques = rulebook.with_dependencies(vec![technique.clone()]);
    let engine = Engine::new(common::geometry(9), &techniques, rulebook.sources()).expect("compiles");
    let members = engine.members();
    let of_first = |&member: &usize| members[member].technique == 0 && members[member].args == members[0].args;
    (0..members.len()).filter(of_first).map(|member| engine.plan_text(member)).collect()
}

#[test]
fn plans() {
    let rulebook = Rulebook::embedded();
    let planned = rulebook.techniques().iter().filter(|technique| PLANNED.contains(&technique.id.as_str()));
    for technique in planned {
        let mut plans = plans_of(&rulebook, technique);
        plans.dedup();
        insta::assert_snapshot!(format!("plan_{}", technique.id), plans.join("\n"));
    }
}

/// One table of all plans: the order of choices, what narrows each, and the tests that are left. Whoever changes the planner
/// can judge the difference.
#[test]
fn plans_in_short() {
    let rulebook = Rulebook::embedded();
    let mut table = String::new();
    for technique in rulebook.techniques() {
        let mut plans: Vec<(String, usize)> = Vec::new();
        for plan in plans_of(&rulebook, technique) {
            let short = plan_in_short(&plan);
            match plans.last_mut() {
                Some((last, times)) if *last == short => *times += 1,
                _ => plans.push((short, 1)),
            }
        }
        for (plan, times) in plans {
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            table.push_str(&format!("{}{times}\n{plan}", technique.id));
        }
    }
    insta::assert_snapshot!("plans", table);
}

/// The remarks of a plan without numbers of registers, then its numbers of tests and instructions.
fn plan_in_short(plan: &str) -> String {
    // A pick repeats what the line of its choice says.
    let remarks = plan.lines().filter_map(|line| line.strip_prefix("; ")).filter(|line| !line.starts_with("pick "));
    let mut short: String = remarks.map(|remark| format!("  {}\n", without_brackets(remark))).collect();
    let instructions = plan.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let tests = instructions.clone().filter(|line| line.contains(" Test {")).count();
    short.push_str(&format!("  {tests} tests in {} instructions\n", instructions.count()));
    short
}

/// Leaves out what stands in `(…)` and `{…}`, except in `condition(s)` and the like.
fn without_brackets(text: &str) -> String {
    let (mut out, mut depth) = (String::new(), 0);
    for c in text.replace("(s)", "s").chars() {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out.trim_end().to_string()
}

#[test]
fn steps() {
    let mut told: BTreeMap<&str, String> = BTreeMap::new();
    for common::ExampleSteps { technique, geometry, steps, .. } in common::example_steps() {
        let out = told.entry(technique).or_default();
        let lines = steps.iter().flat_map(|step| render::step_lines(geometry, step, 2));
        lines.for_each(|line| out.push_str(&format!("{line}\n")));
    }
    for (technique, out) in told {
        insta::assert_snapshot!(format!("steps_{technique}"), out);
    }
}

/// Equivalent conditions narrow a choice equally: all conditions of a line have the plan of the first.
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
