//! The playground, as its page uses it: JSON requests and JSON responses.

use crate::common::quick_or_full;
use pinion::playground::Playground;
use serde_json::{Value, json};

/// A rule for XYZ-Wings.
const RULE: &str = r#"technique mine "Mine" {
  pivot: cell = {x, y, z}
  left: cell = {x, z} sees pivot
  right: cell = {y, z} sees pivot
  conclude some z in pivot, left, right
}
"#;

/// A grid with XYZ-Wings.
const GRID: &str = "
8   6    9   2    1    3   57  57   4
3   2    4   59   79   579 6   1    8
5   7    1   4    8    6   3   2    9
7   89   2   689  4    1   59  569  3
69  1    5   3    679  2   4   8    67
4   389  368 689  5    79  1   679  2
2   5    36  1    369  8   79  4    67
69  4    7   569  2    59  8   3    1
1   389  368 7    369  4   2   69   5
";

fn new_playground() -> Playground {
    Playground::new(|| 0.0)
}

fn ask(engine: &mut Playground, request: &Value) -> Value {
    serde_json::from_str(&engine.call(&request.to_string())).expect("an answer is JSON")
}

/// Returns the response to a request, which must succeed.
fn ok(engine: &mut Playground, request: &Value) -> Value {
    let answer = ask(engine, request);
    assert!(answer["error"].is_null(), "{answer}");
    answer["ok"].clone()
}

/// A request for the diagnostics of a rule text and its matches on a grid.
fn look(text: &str, grid: &str) -> Value {
    json!({ "ask": "look", "text": text, "grid": grid, "chosen": 0 })
}

#[test]
fn a_look_has_matches_tokens_and_a_picture() {
    let mut engine = new_playground();
    let found = ok(&mut engine, &look(RULE, GRID));
    assert_eq!(found["count"], 2);
    assert_eq!(found["matches"][0]["shows"], json!([[52, 9, false]]), "r6c8<>9");
    assert_eq!(found["rules"][0]["id"], "mine");
    assert_eq!(found["grid"]["cells"][0], json!({ "value": 8, "given": true, "candidates": [] }));
    let labels = &found["picture"]["labels"];
    assert_eq!(labels[52], "r6c8, candidates 6 7 9; 9: eliminated");
    assert_eq!(labels[0], "r1c1, 8, given");
    let keyword = json!([0, 9, "keyword"]);
    assert_eq!(found["tokens"][0], keyword);
    let why = ok(&mut engine, &json!({ "ask": "why", "chosen": 0 }));
    assert_eq!(why["why"]["lines"][0]["line"], 2);
}

/// Positions are counted in UTF-16 units, as JavaScript counts them.
#[test]
fn an_error_has_its_position_in_utf_16_units() {
    let mut engine = new_playground();
    let text = format!("/// 𝕏\n{}", RULE.replace("{y, z} sees pivot", "{y, z} sees pivto"));
    let found = ok(&mut engine, &look(&text, GRID));
    let finding = &found["findings"][0];
    let units: Vec<u16> = text.encode_utf16().collect();
    let position = |key: &str| usize::try_from(finding[key].as_u64().expect("a number")).expect("it fits");
    assert_eq!(String::from_utf16_lossy(&units[position("from")..position("to")]), "pivto");
    assert_eq!((&finding["code"], &finding["fix"], &finding["line"]), (&json!("E0202"), &json!("pivot"), &json!(5)));
    assert_eq!(found["count"], 0);
}

#[test]
fn rules_are_checked_even_if_the_grid_cannot_be_read() {
    let mut engine = new_playground();
    let found = ok(&mut engine, &look(RULE, "12"));
    assert!(found["grid_error"].as_str().is_some_and(|words| words.contains("line 1")), "{found}");
    assert_eq!(found["rules"][0]["id"], "mine");
    assert!(found["grid"].is_null() && found["matches"] == json!([]));
}

#[test]
fn edits_of_a_grid_can_be_taken_back() {
    let mut engine = new_playground();
    let line = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";
    let edit = |grid: &Value, cell: usize, digit: usize, act: &str| json!({ "ask": "edit", "grid": grid, "cell": cell, "digit": digit, "act": act });
    let r1c2 = |engine: &mut Playground, grid: &Value| {
        let found = ok(engine, &json!({ "ask": "look", "text": "", "grid": grid }));
        found["grid"]["cells"][1].clone()
    };
    assert_eq!(r1c2(&mut engine, &json!(line))["candidates"], json!([1, 6]));
    let without_1 = ok(&mut engine, &edit(&json!(line), 1, 1, "toggle"));
    assert_eq!(r1c2(&mut engine, &without_1)["candidates"], json!([6]));
    let toggled_back = ok(&mut engine, &edit(&without_1, 1, 1, "toggle"));
    assert_eq!(toggled_back, line);
    let placed = ok(&mut engine, &edit(&json!(line), 1, 6, "place"));
    assert_eq!(r1c2(&mut engine, &placed), json!({ "value": 6, "given": false, "candidates": [] }));
    assert_eq!(ok(&mut engine, &edit(&placed, 1, 0, "clear")), line);
    let repeated_digit = ask(&mut engine, &edit(&json!(line), 1, 8, "place"));
    assert_eq!(repeated_digit["error"], "8 stands in r1c1 already");
    let lists = ok(&mut engine, &edit(&json!(GRID), 52, 9, "toggle"));
    let found = ok(&mut engine, &look(RULE, lists.as_str().expect("a text")));
    assert_eq!(found["grid"]["cells"][52]["candidates"], json!([6, 7]));
}

#[test]
fn why_not_names_the_missing_requirement() {
    let mut engine = new_playground();
    let request = json!({ "ask": "why_not", "text": RULE, "grid": GRID, "cell": 28, "digit": 9 });
    let answer = ok(&mut engine, &request);
    assert_eq!(answer["about"], "9 in r4c2");
    let rule = &answer["rules"][0];
    let explanation = rule["misses"][0]["description"].as_str().or(rule["furthest"].as_str());
    assert!(explanation.is_some_and(|text| text.contains("requirement")), "{answer}");
    let solved_cell = ask(&mut engine, &json!({ "ask": "why_not", "text": RULE, "grid": GRID, "cell": 0, "digit": 9 }));
    assert_eq!(solved_cell["error"], "r1c1 is solved: it is 8.");
}

#[test]
fn a_wrong_rule_is_refuted_with_a_grid_on_which_it_matches() {
    let mut engine = new_playground();
    let proved = ok(&mut engine, &json!({ "ask": "prove", "text": RULE, "seconds": 20 }));
    assert_eq!((&proved[0]["status"], &proved[0]["sound"]), (&json!("proved"), &json!(true)));
    let text = RULE.replace("in pivot, left", "in left");
    let refuted = ok(&mut engine, &json!({ "ask": "prove", "text": text, "seconds": 20 }));
    let example = &refuted[0]["counterexample"];
    assert_eq!(refuted[0]["status"], "refuted");
    let found = ok(&mut engine, &look(&text, example["grid"].as_str().expect("a grid")));
    let concludes = example["concludes"].as_str().expect("a deduction");
    assert!(found["matches"].as_array().is_some_and(|all| !all.is_empty()), "{concludes}: {found}");
}

#[test]
fn examples_are_run() {
    let mut engine = new_playground();
    let example = format!("{RULE}\nexample mine {{\n  grid \"\"\"{GRID}\"\"\"\n  finds r6c8<>9\n}}\n");
    let results = ok(&mut engine, &json!({ "ask": "test", "text": example }));
    assert_eq!(results["examples"][0]["passed"], false);
    assert_eq!(results["examples"][0]["extra"], json!(["r4c8<>6"]));
    assert_eq!(results["missing_tests"], json!(["`mine` has no near miss yet."]));
}

#[test]
fn a_path_is_walked_step_by_step() {
    let mut engine = new_playground();
    let step = |at: usize| json!({ "ask": "step", "text": RULE, "grid": GRID, "at": at, "own_first": true });
    let first = ok(&mut engine, &step(0));
    assert_eq!((&first["technique"], &first["end"]), (&json!("mine"), &json!(false)));
    let end = ok(&mut engine, &step(1_000));
    assert_eq!(end["end"], true);
    assert!(end["head"].as_str().is_some_and(|head| head.starts_with("Solved after")), "{end}");
    assert_eq!(ok(&mut engine, &step(0)), first);
}

#[test]
fn every_rule_of_the_rulebook_can_be_loaded() {
    let mut engine = new_playground();
    let start = ok(&mut engine, &json!({ "ask": "start" }));
    let ids: Vec<&str> =
        start["rules"].as_array().into_iter().flatten().filter_map(|rule| rule["id"].as_str()).collect();
    assert!(ids.len() > 50, "{ids:?}");
    for id in ids.into_iter().step_by(quick_or_full(12, 1)) {
        let rule = ok(&mut engine, &json!({ "ask": "rule", "id": id }));
        assert!(rule["text"].as_str().is_some_and(|text| text.contains(&format!("technique {id}"))), "{id}");
    }
    let found = ok(&mut engine, &look(start["plain"].as_str().expect("a rule"), GRID));
    assert_eq!(found["findings"], json!([]));
}

#[test]
fn completion_hover_format_and_explanations_are_offered() {
    let mut engine = new_playground();
    let at = RULE.find("cell").expect("a word of the rule") + 1;
    let list = ok(&mut engine, &json!({ "ask": "complete", "text": RULE, "at": at }));
    assert!(list["list"].as_array().is_some_and(|all| all.contains(&json!({ "label": "cell", "sort": "kind" }))));
    let word = ok(&mut engine, &json!({ "ask": "hover", "text": RULE, "at": at }));
    assert_eq!(word["from"], at - 1);
    let unformatted = RULE.replace("  pivot: cell", "      pivot:   cell");
    assert_eq!(ok(&mut engine, &json!({ "ask": "format", "text": unformatted })), RULE);
    assert_eq!(ok(&mut engine, &json!({ "ask": "explain", "code": "E0202" }))["code"], "E0202");
}

#[test]
fn wrong_requests_get_an_error() {
    let mut engine = new_playground();
    for request in [
        json!({}),
        json!({ "ask": "dance" }),
        json!({ "ask": "draw" }),
        json!({ "ask": "why", "chosen": 7 }),
        json!({ "ask": "rule", "id": "no_such_rule" }),
        json!({ "ask": "explain", "code": "E9" }),
        json!({ "ask": "edit", "grid": GRID, "cell": 999, "digit": 1, "act": "toggle" }),
        json!({ "ask": "edit", "grid": GRID, "cell": 1, "digit": 10, "act": "place" }),
        json!({ "ask": "step", "text": RULE, "grid": "", "at": 0, "own_first": false }),
        json!({ "ask": "look", "text": RULE, "grid": GRID, "board": "no such board" }),
    ] {
        let answer = ask(&mut engine, &request);
        assert!(answer["error"].is_string() || answer["ok"]["grid_error"].is_string(), "{request}: {answer}");
    }
    assert!(engine.call("not JSON").starts_with("{\"error\""));
    for at in [0, 3, 1_000_000] {
        ok(&mut engine, &json!({ "ask": "complete", "text": "/// 𝕏", "at": at }));
        ok(&mut engine, &json!({ "ask": "hover", "text": "/// 𝕏", "at": at }));
    }
}

#[test]
fn refuted_rules_are_named_and_left_out_of_paths() {
    let mut engine = new_playground();
    let wrong = "technique hasty \"Hasty\" {\n  c: cell = {a, b}\n  place a in c\n}\n";
    let text = format!("{RULE}\n{wrong}");
    let known = ok(&mut engine, &json!({ "ask": "soundness", "text": text, "grid": GRID }));
    assert_eq!(known[0]["soundness"], "proved", "{known}");
    assert_eq!(known[1], json!({ "id": "hasty", "soundness": "refuted" }));
    let mut at = 0;
    loop {
        let step = ok(&mut engine, &json!({ "ask": "step", "text": text, "grid": GRID, "at": at, "own_first": true }));
        assert_ne!(step["technique"], "hasty", "{step}");
        if step["end"] == true {
            assert!(step["head"].as_str().is_some_and(|words| words.starts_with("Solved")), "{step}");
            return;
        }
        at += 1;
    }
}
