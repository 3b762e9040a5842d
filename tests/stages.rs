//! Snapshots of each stage for rules of the rulebook: syntax trees, IR, plans, and steps on the examples.

use crate::common;
use pinion::engine::Engine;
use pinion::lang;
use pinion::lang::ir::Technique;
use pinion::render;
use pinion::solve::Rulebook;
use serde_json::Value;
use std::collections::BTreeMap;

/// Longest text of a value that stands on one line.
const MAX_LINE: usize = 100;

/// Appends an outline of a JSON value: short values on one line, long values with their parts below. Empty parts and positions in
/// the rule text (keys with `span`) are left out.
fn push_outline(value: &Value, depth: usize, out: &mut String) {
    let text = compact(value);
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(map) if text.len() > MAX_LINE => {
            for (key, part) in map {
                if !key.contains("span") && !compact(part).is_empty() {
                    push_part(&format!("{indent}{key}:"), part, depth, out);
                }
            }
        }
        Value::Array(list) if text.len() > MAX_LINE => {
            for part in list {
                push_part(&format!("{indent}-"), part, depth, out);
            }
        }
        _ => out.push_str(&format!("{indent}{text}\n")),
    }
}

/// Appends a label and a part, on the line of the label if the part is short.
fn push_part(label: &str, part: &Value, depth: usize, out: &mut String) {
    let text = compact(part);
    if text.len() <= MAX_LINE {
        out.push_str(&format!("{label} {text}\n"));
    } else {
        out.push_str(&format!("{label}\n"));
        push_outline(part, depth + 1, out);
    }
}

/// Returns a value on one line, without empty parts and positions.
fn compact(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(map) => {
            let parts: Vec<String> = map
                .iter()
                .filter(|(key, _)| !key.contains("span"))
                .map(|(key, part)| (key, compact(part)))
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

fn outline(value: impl serde::Serialize) -> String {
    let mut out = String::new();
    push_outline(&serde_json::to_value(value).expect("serializable data"), 0, &mut out);
    out
}

/// Files whose syntax trees and IR have snapshots. Together they have names of digits, a parameter, link sources, a chain, sets by
/// index, and cases.
const FILES_WITH_SNAPSHOTS: [&str; 6] = ["xy_wing", "basic_fish", "prelude", "aic", "death_blossom", "nested_forcing"];

/// Techniques whose complete plans have snapshots: a wing, a fish, linked sets, a chain, sets by index, a closed set, cases,
/// templates.
const TECHNIQUES_WITH_PLANS: [&str; 8] =
    ["xy_wing", "basic_fish", "als_xz", "aic", "death_blossom", "unique_loop", "nested_multiple", "template_delete"];

/// Returns name and text of each of [`FILES_WITH_SNAPSHOTS`]: the name without folders, the text up to the first example.
fn files_with_snapshots() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for file in Rulebook::embedded().files() {
        let name = file.name.rsplit('/').next().unwrap_or_default().trim_end_matches(".pinion").to_string();
        if FILES_WITH_SNAPSHOTS.contains(&name.as_str()) {
            let end = file.text.find("\nexample ").map_or(file.text.len(), |at| at + 1);
            files.push((name, file.text[..end].to_string()));
        }
    }
    assert_eq!(files.len(), FILES_WITH_SNAPSHOTS.len());
    files
}

/// Six files are enough. The tests of the formatter (`format`) print the trees of all files.
#[test]
fn syntax_trees() {
    for (name, text) in files_with_snapshots() {
        insta::assert_snapshot!(format!("tree_{name}"), outline(lang::parse(&text).0));
    }
}

/// Programs that read the output of `pinion emit ast` know these names.
#[test]
fn names_of_syntax_tree_nodes() {
    let text = "technique t \"T\" also in rn \"U\" {\n  chain (x)A = (x)B\n  loop K, 2.. links {\n    strong: cell\n  }\n}\n\n\
                rules r = t(2)\n\nstrong link s (x)A = (x)B {\n  x: digit\n}\n";
    let (tree, found) = lang::parse(text);
    assert!(found.is_empty(), "{found:?}");
    let ron = ron::ser::to_string_pretty(&tree, ron::ser::PrettyConfig::new().struct_names(true)).expect("it is data");
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
        assert!(ron.contains(&format!("{name}(\n")), "{name}: {ron}");
    }
}

/// Six files are enough. `rules/proved.txt` has a hash of the IR of every technique, which `proof_record` compares.
#[test]
fn ir() {
    for (name, text) in files_with_snapshots() {
        let (mut lowered, _) = lang::compile(&text);
        lowered.techniques.iter_mut().for_each(|technique| technique.doc.clear());
        insta::assert_snapshot!(format!("ir_{name}"), outline((&lowered.techniques, &lowered.sources)));
    }
}

/// Returns the plans of a technique with its smallest parameter values: one plan for each space and variant.
fn plans_of(rulebook: &Rulebook, technique: &Technique) -> Vec<String> {
    let techniques = rulebook.with_dependencies(vec![technique.clone()]);
    let engine = Engine::new(common::geometry(9), &techniques, rulebook.sources()).expect("compiles");
    let members = engine.members();
    let has_smallest_args = |&member: &usize| members[member].technique == 0 && members[member].args == members[0].args;
    (0..members.len()).filter(has_smallest_args).map(|member| engine.plan(member).to_string()).collect()
}

#[test]
fn plans() {
    let rulebook = Rulebook::embedded();
    for technique in rulebook.techniques() {
        if !TECHNIQUES_WITH_PLANS.contains(&technique.id.as_str()) {
            continue;
        }
        let mut plans = plans_of(&rulebook, technique);
        plans.dedup();
        insta::assert_snapshot!(format!("plan_{}", technique.id), plans.join("\n"));
    }
}

/// A table of all plans: the order of choices, the conditions that narrow each choice, and the number of remaining tests. The
/// snapshot shows the effect of a change of the planner.
#[test]
fn summaries_of_all_plans() {
    let rulebook = Rulebook::embedded();
    let mut table = String::new();
    for technique in rulebook.techniques() {
        let mut plans: Vec<(String, usize)> = Vec::new();
        for plan in plans_of(&rulebook, technique) {
            let summary = plan_summary(&plan);
            match plans.last_mut() {
                Some((last, times)) if *last == summary => *times += 1,
                _ => plans.push((summary, 1)),
            }
        }
        for (plan, times) in plans {
            let times = if times > 1 { format!(" ({times} times)") } else { String::new() };
            table.push_str(&format!("{}{times}\n{plan}", technique.id));
        }
    }
    insta::assert_snapshot!("plans", table);
}

/// Returns the comments of a plan without register numbers, then the number of its tests and instructions.
fn plan_summary(plan: &str) -> String {
    // A comment that begins with `pick` repeats the comment of its choice.
    let comments = plan.lines().filter_map(|line| line.strip_prefix("; ")).filter(|line| !line.starts_with("pick "));
    let mut summary: String = comments.map(|comment| format!("  {}\n", without_brackets(comment))).collect();
    let instructions = plan.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    let tests = instructions.clone().filter(|line| line.contains(" Test {")).count();
    summary.push_str(&format!("  {tests} tests in {} instructions\n", instructions.count()));
    summary
}

/// Removes text in `(…)` and `{…}`. The plural `(s)`, as in `condition(s)`, becomes `s`.
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
fn steps_on_the_examples() {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    for common::ExampleSteps { technique, geometry, steps, .. } in common::example_steps() {
        let text = texts.entry(technique).or_default();
        for line in steps.iter().flat_map(|step| render::step_lines(geometry, step, 2)) {
            text.push_str(&format!("{line}\n"));
        }
    }
    for (technique, text) in texts {
        insta::assert_snapshot!(format!("steps_{technique}"), text);
    }
}

/// Each entry has a rule with `WHAT` in place of a condition, and equivalent conditions.
#[test]
fn equivalent_conditions_narrow_choices_equally() {
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
        let choices = |condition: &&str| -> Vec<String> {
            let text = format!("technique t \"T\" {{\n  {}\n}}\n", body.replace("WHAT", condition));
            let (lowered, found) = lang::compile(&text);
            assert!(
                found.iter().all(|diagnostic| diagnostic.severity != lang::diagnostic::Severity::Error),
                "{text}{found:?}"
            );
            let engine = Engine::new(common::geometry(9), &lowered.techniques, &[]).expect("compiles");
            // Only the lines about choices are compared, without their numbers. Tests are as the author wrote them.
            let mut choices = Vec::new();
            for line in engine.plan(0).to_string().lines().map(str::trim_start) {
                if line.contains("Counting") || line.starts_with("; pick") {
                    choices.push(line.trim_start_matches(|c: char| c.is_ascii_digit()).to_string());
                }
            }
            choices
        };
        let expected = choices(&conditions[0]);
        // A plan of a rule with `d in h` may have no such line.
        assert!(body.contains("d in h") || !expected.is_empty(), "{}", conditions[0]);
        for condition in conditions {
            assert_eq!(choices(condition), expected, "{condition}");
        }
    }
}
