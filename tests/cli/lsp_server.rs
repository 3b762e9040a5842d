//! The language server beyond words: tables, commands, other files, and that nothing ends or stalls it.

use super::fresh_folder;
use super::lsp::{Editor, RULE, labels};
use serde_json::{Value, json};

const EXAMPLE: &str = "\nexample my_pair \"two cells\" {\n  grid \"\"\"\n    12   12   1234 1234\n    1234 1234 1234 1234\n    \
                       1234 1234 1234 1234\n    1234 1234 1234 1234\n  \"\"\"\n  finds r1c34<>12\n  finds r2c12<>12\n}\n";

fn rule_and_example() -> String {
    format!("{RULE}{EXAMPLE}")
}

fn command(editor: &mut Editor, name: &str, uri: &str, line: u32) -> Value {
    let place = json!({ "line": line, "character": 12 });
    editor.ask("workspace/executeCommand", json!({ "command": name, "arguments": [uri, place] }))
}

#[test]
fn lenses_run_what_they_say() {
    let folder = fresh_folder("lsp_lenses");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    assert_eq!(editor.write(&uri, &rule_and_example()), Vec::<Value>::new());
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let titles: Vec<&str> =
        lenses.as_array().expect("a list").iter().filter_map(|lens| lens["command"]["title"].as_str()).collect();
    assert_eq!(titles, ["Run examples", "Prove", "Run", "Show matches", "Insert a near miss"]);
    let open =
        lenses.as_array().expect("a list").iter().find(|lens| lens["data"].is_array()).expect("a lens to resolve");
    let lens = editor.ask("codeLens/resolve", open.clone());
    assert_eq!(
        (&lens["command"]["title"], &lens["command"]["command"]),
        (&json!("proved on 9x9"), &json!("pinion.prove"))
    );
    let tested = command(&mut editor, "pinion.test", &uri, 1);
    assert_eq!((&tested["good"], &tested["summary"]), (&json!(true), &json!("my_pair: 1 example passed")));
    let proved = command(&mut editor, "pinion.prove", &uri, 1);
    assert_eq!(proved["good"], true, "{proved}");
    let matches = command(&mut editor, "pinion.matches", &uri, 10);
    assert!(matches["pictures"][0]["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{matches}");
    let near = command(&mut editor, "pinion.nearMiss", &uri, 10);
    assert_eq!(near["good"], true, "{near}");
    let edit = editor.requested("workspace/applyEdit");
    let text = edit["edit"]["changes"][&uri][0]["newText"].as_str().expect("a text").to_owned();
    assert!(text.starts_with("\n\nnear_miss my_pair \"r"), "{text}");
    assert_eq!(editor.write(&uri, &format!("{}{text}\n", rule_and_example().trim_end())), Vec::<Value>::new());
    let again = command(&mut editor, "pinion.test", &uri, 1);
    assert_eq!(again["summary"], "my_pair: 2 examples passed");
    editor.end();
}

#[test]
fn a_refuted_rule_is_shown_with_its_grid() {
    let folder = fresh_folder("lsp_refuted");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, "technique hurried \"Hurried\" {\n  c: cell = {x, y}\n  place x in c\n}\n");
    let proved = command(&mut editor, "pinion.prove", &uri, 0);
    assert_eq!(proved["good"], false, "{proved}");
    assert!(proved["pictures"][0]["svg"].is_string(), "{proved}");
    let lost = editor
        .answer("workspace/executeCommand", json!({ "command": "pinion.prove", "arguments": [uri, { "line": 9 }] }));
    assert!(serde_json::to_string(&lost).is_ok_and(|text| text.contains("no technique")), "{lost:?}");
    editor.end();
}

#[test]
fn hints_and_hovers_say_what_a_rule_does_not() {
    let folder = fresh_folder("lsp_hints");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, &rule_and_example().replace("my_pair \"My Pair\"", "my_pair(n: 2..) \"My Pair\""));
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
    let shown: Vec<&str> = hints.as_array().expect("a list").iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert_eq!(shown, ["4 on 9×9", ": digits"]);
    let said = |hover: Value| hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let family = said(editor.at("hover", &uri, (1, 12)));
    assert!(family.contains("- `n = 2`: My Pair\n") && family.contains("- `n = 4`: My Pair"), "{family}");
    let parameter = said(editor.at("hover", &uri, (1, 18)));
    assert!(parameter.contains("n: 2..") && parameter.contains("a parameter"), "{parameter}");
    editor.write(&uri, &rule_and_example());
    let hover = editor.at("hover", &uri, (1, 12));
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("A pair.") && text.contains("```text\n") && text.contains("-1"), "{text}");
    editor.end();
}

#[test]
fn profiles_are_checked_completed_and_followed() {
    let folder = fresh_folder("lsp_tables");
    std::fs::write(folder.join("a.pinion"), RULE).expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/mine.ron", folder.display());
    let good = "(\n  name: \"mine\",\n  rows: [\n    (technique: \"my_pair\", first: 5),\n  ],\n)\n";
    assert_eq!(editor.write(&uri, good), Vec::<Value>::new());
    let defined = editor.at("definition", &uri, (3, 18));
    assert!(defined["uri"].as_str().is_some_and(|uri| uri.ends_with("a.pinion")), "{defined}");
    let typo = editor.write(&uri, &good.replace("first", "frst"));
    assert_eq!((&typo[0]["data"], &typo[0]["range"]["start"]["line"]), (&json!("first"), &json!(3)));
    let unknown = editor.write(&uri, &good.replace("my_pair", "my_pear"));
    assert_eq!((&unknown[0]["data"], &unknown[0]["severity"]), (&json!("my_pair"), &json!(2)));
    let price = editor.write(&uri, &good.replace("first: 5", "first: \"5 + #q\""));
    assert_eq!(price[0]["range"]["start"], json!({ "line": 3, "character": 40 }), "{price:?}");
    let base = editor.write(&uri, &good.replace("\"mine\",", "\"mine\",\n  base: \"nothing\","));
    assert!(base[0]["message"].as_str().is_some_and(|text| text.contains("not a profile to build on")), "{base:?}");
    editor.write(&uri, &good.replace(", first: 5", ", "));
    let fields = editor.at("completion", &uri, (3, 27));
    assert!(labels(&fields).contains(&"again") && !labels(&fields).contains(&"technique"), "{fields}");
    let rules = editor.at("completion", &uri, (3, 17));
    assert!(labels(&rules).contains(&"my_pair") && labels(&rules).contains(&"xyz_wing"), "{rules}");
    let other = format!("file://{}/other.ron", folder.display());
    assert_eq!(editor.write(&other, "(what: \"is not ours\")"), Vec::<Value>::new());
    editor.end();
}

#[test]
fn rules_of_the_program_are_opened_as_copies() {
    let folder = fresh_folder("lsp_carried");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, "rules mine = xyz_wing\n");
    let defined = editor.at("definition", &uri, (0, 15));
    let path = defined["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("an address");
    let text = std::fs::read_to_string(path).expect("a copy");
    let line = defined["range"]["start"]["line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("a line");
    assert!(text.lines().nth(line).is_some_and(|line| line.starts_with("technique xyz_wing")), "{text}");
    let renamed = editor.answer(
        "textDocument/rename",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 15 }, "newName": "other" }),
    );
    assert!(serde_json::to_string(&renamed).is_ok_and(|text| text.contains("a rule of the program")), "{renamed:?}");
    editor.end();
}

#[test]
fn a_name_of_a_rule_is_not_an_item_of_the_same_name() {
    let folder = fresh_folder("lsp_same_name");
    std::fs::write(folder.join("b.pinion"), "rules s = my_pair\n").expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, RULE);
    let renamed = editor.at("rename", &uri, (3, 2));
    assert_eq!(renamed["changes"].as_object().map(serde_json::Map::len), Some(1), "{renamed}");
    editor.end();
}

#[test]
fn nothing_that_is_said_ends_or_stalls_the_talk() {
    let folder = fresh_folder("lsp_stubborn");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.raw(b"Content-Length: 9\r\n\r\nno JSON !");
    editor.tell("textDocument/nonsense", json!({}));
    let unknown = editor.answer("textDocument/nonsense", json!({ "textDocument": { "uri": uri } }));
    assert!(serde_json::to_string(&unknown).is_ok_and(|text| text.contains("-32601")), "{unknown:?}");
    editor.tell("$/cancelRequest", json!({ "id": 4711 }));
    let long = editor.write(&uri, &format!("// {}\n", "x".repeat(2_000_000)));
    assert_eq!(long[0]["severity"], 3, "it is kept and not looked into");
    assert_eq!(editor.at("semanticTokens/full", &uri, (0, 0)), Value::Null);
    // One line of a hundred thousand words behind letters that are wider in bytes than in characters.
    let wide = format!("// {}\nrules r = {}b\n", "é".repeat(50_000), "a, ".repeat(50_000));
    editor.write(&uri, &wide);
    let tokens = editor.at("semanticTokens/full", &uri, (0, 0));
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 100_000));
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    editor.end();
}

#[test]
fn of_many_changes_in_a_row_the_last_one_counts() {
    let folder = fresh_folder("lsp_fast");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, "");
    for end in 0..RULE.len() {
        let change =
            json!({ "textDocument": { "uri": uri, "version": end }, "contentChanges": [{ "text": RULE[..end] }] });
        editor.tell("textDocument/didChange", change);
    }
    let change = json!({ "textDocument": { "uri": uri, "version": 999 }, "contentChanges": [{ "text": RULE }] });
    editor.tell("textDocument/didChange", change);
    let symbols = editor.at("documentSymbol", &uri, (0, 0));
    assert_eq!(symbols[0]["name"], "my_pair");
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    editor.end();
}
