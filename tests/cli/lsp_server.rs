//! The language server: code lenses, commands, hints, profiles, built-in rules, and input that must not end or block it.

use super::lsp::{Editor, RULE, labels};
use super::{fresh_folder, run_with, transcript};
use serde_json::{Value, json};

const EXAMPLE: &str = "\nexample my_pair \"two cells\" {\n  grid \"\"\"\n    12   12   1234 1234\n    1234 1234 1234 1234\n    \
                       1234 1234 1234 1234\n    1234 1234 1234 1234\n  \"\"\"\n  finds r1c34<>12\n  finds r2c12<>12\n}\n";

fn rule_and_example() -> String {
    format!("{RULE}{EXAMPLE}")
}

/// Runs a command of the server at a position in a file.
fn run_command(editor: &mut Editor, name: &str, uri: &str, line: u32) -> Value {
    let position = json!({ "line": line, "character": 12 });
    editor.ask("workspace/executeCommand", json!({ "command": name, "arguments": [uri, position] }))
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
    let unresolved_lens =
        lenses.as_array().expect("a list").iter().find(|lens| lens["data"].is_array()).expect("a lens to resolve");
    let lens = editor.ask("codeLens/resolve", unresolved_lens.clone());
    assert_eq!(
        (&lens["command"]["title"], &lens["command"]["command"]),
        (&json!("proved on 9x9"), &json!("pinion.prove"))
    );
    let test_run = run_command(&mut editor, "pinion.test", &uri, 1);
    assert_eq!((&test_run["good"], &test_run["summary"]), (&json!(true), &json!("my_pair: 1 example passed")));
    let proof = run_command(&mut editor, "pinion.prove", &uri, 1);
    assert_eq!(proof["good"], true, "{proof}");
    let matches = run_command(&mut editor, "pinion.matches", &uri, 10);
    assert!(matches["pictures"][0]["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{matches}");
    let near_miss = run_command(&mut editor, "pinion.nearMiss", &uri, 10);
    assert_eq!(near_miss["good"], true, "{near_miss}");
    let edit = editor.last_server_request("workspace/applyEdit");
    let text = edit["edit"]["changes"][&uri][0]["newText"].as_str().expect("a text").to_owned();
    assert!(text.starts_with("\n\nnear_miss my_pair \"r"), "{text}");
    assert_eq!(editor.write(&uri, &format!("{}{text}\n", rule_and_example().trim_end())), Vec::<Value>::new());
    let second_test_run = run_command(&mut editor, "pinion.test", &uri, 1);
    assert_eq!(second_test_run["summary"], "my_pair: 2 examples passed");
    editor.end();
}

#[test]
fn a_refuted_rule_is_shown_with_its_counterexample() {
    let folder = fresh_folder("lsp_refuted");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, "technique hurried \"Hurried\" {\n  c: cell = {x, y}\n  place x in c\n}\n");
    let proof = run_command(&mut editor, "pinion.prove", &uri, 0);
    assert_eq!(proof["good"], false, "{proof}");
    assert!(proof["pictures"][0]["svg"].is_string(), "{proof}");
    let without_rule = editor.send_request(
        "workspace/executeCommand",
        json!({ "command": "pinion.prove", "arguments": [uri, { "line": 9 }] }),
    );
    assert!(serde_json::to_string(&without_rule).is_ok_and(|text| text.contains("no technique")), "{without_rule:?}");
    editor.end();
}

#[test]
fn hints_and_hovers_add_to_the_text_of_a_rule() {
    let folder = fresh_folder("lsp_hints");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, &rule_and_example().replace("my_pair \"My Pair\"", "my_pair(n: 2..) \"My Pair\""));
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    let hints = editor.ask("textDocument/inlayHint", json!({ "textDocument": { "uri": uri }, "range": range }));
    let labels: Vec<&str> =
        hints.as_array().expect("a list").iter().filter_map(|hint| hint["label"].as_str()).collect();
    assert_eq!(labels, ["4 on 9×9", ": digits"]);
    let hover_text = |hover: Value| hover["contents"]["value"].as_str().unwrap_or_default().to_owned();
    let family = hover_text(editor.ask_at("hover", &uri, (1, 12)));
    assert!(family.contains("- `n = 2`: My Pair\n") && family.contains("- `n = 4`: My Pair"), "{family}");
    let parameter = hover_text(editor.ask_at("hover", &uri, (1, 18)));
    assert!(parameter.contains("n: 2..") && parameter.contains("a parameter"), "{parameter}");
    editor.write(&uri, &rule_and_example());
    let hover = editor.ask_at("hover", &uri, (1, 12));
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("A pair.") && text.contains("```text\n") && text.contains("-1"), "{text}");
    editor.end();
}

#[test]
fn profiles_have_diagnostics_completions_and_definitions() {
    let folder = fresh_folder("lsp_tables");
    std::fs::write(folder.join("a.pinion"), RULE).expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/mine.ron", folder.display());
    let profile = "(\n  name: \"mine\",\n  rows: [\n    (technique: \"my_pair\", first: 5),\n  ],\n)\n";
    assert_eq!(editor.write(&uri, profile), Vec::<Value>::new());
    let definition = editor.ask_at("definition", &uri, (3, 18));
    assert!(definition["uri"].as_str().is_some_and(|uri| uri.ends_with("a.pinion")), "{definition}");
    let misspelt_field = editor.write(&uri, &profile.replace("first", "frst"));
    assert_eq!(
        (&misspelt_field[0]["data"], &misspelt_field[0]["range"]["start"]["line"]),
        (&json!("first"), &json!(3))
    );
    let unknown_technique = editor.write(&uri, &profile.replace("my_pair", "my_pear"));
    assert_eq!((&unknown_technique[0]["data"], &unknown_technique[0]["severity"]), (&json!("my_pair"), &json!(2)));
    let bad_price = editor.write(&uri, &profile.replace("first: 5", "first: \"5 + #q\""));
    assert_eq!(bad_price[0]["range"]["start"], json!({ "line": 3, "character": 40 }), "{bad_price:?}");
    let unknown_base = editor.write(&uri, &profile.replace("\"mine\",", "\"mine\",\n  base: \"nothing\","));
    assert!(
        unknown_base[0]["message"].as_str().is_some_and(|text| text.contains("not a profile to build on")),
        "{unknown_base:?}"
    );
    editor.write(&uri, &profile.replace(", first: 5", ", "));
    let fields = editor.ask_at("completion", &uri, (3, 27));
    assert!(labels(&fields).contains(&"again") && !labels(&fields).contains(&"technique"), "{fields}");
    let rules = editor.ask_at("completion", &uri, (3, 17));
    assert!(labels(&rules).contains(&"my_pair") && labels(&rules).contains(&"xyz_wing"), "{rules}");
    let other_ron_file = format!("file://{}/other.ron", folder.display());
    assert_eq!(editor.write(&other_ron_file, "(what: \"is not ours\")"), Vec::<Value>::new());
    editor.end();
}

#[test]
fn the_definition_of_a_built_in_rule_is_a_copy() {
    let folder = fresh_folder("lsp_carried");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, "rules mine = xyz_wing\n");
    let definition = editor.ask_at("definition", &uri, (0, 15));
    let path = definition["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("an address");
    let text = std::fs::read_to_string(path).expect("a copy");
    let line =
        definition["range"]["start"]["line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("a line");
    assert!(text.lines().nth(line).is_some_and(|line| line.starts_with("technique xyz_wing")), "{text}");
    let refused_rename = editor.send_request(
        "textDocument/rename",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 0, "character": 15 }, "newName": "other" }),
    );
    assert!(
        serde_json::to_string(&refused_rename).is_ok_and(|text| text.contains("a rule of the program")),
        "{refused_rename:?}"
    );
    editor.end();
}

#[test]
fn renaming_a_variable_does_not_rename_an_item_of_that_name() {
    let folder = fresh_folder("lsp_same_name");
    std::fs::write(folder.join("b.pinion"), "rules s = my_pair\n").expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, RULE);
    let rename = editor.ask_at("rename", &uri, (3, 2));
    assert_eq!(rename["changes"].as_object().map(serde_json::Map::len), Some(1), "{rename}");
    editor.end();
}

#[test]
fn bad_messages_and_huge_files_do_not_end_or_block_the_server() {
    let folder = fresh_folder("lsp_stubborn");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write_bytes(b"Content-Length: 9\r\n\r\nno JSON !");
    editor.notify("textDocument/nonsense", json!({}));
    let response = editor.send_request("textDocument/nonsense", json!({ "textDocument": { "uri": uri } }));
    assert!(serde_json::to_string(&response).is_ok_and(|text| text.contains("-32601")), "{response:?}");
    editor.notify("$/cancelRequest", json!({ "id": 4711 }));
    let diagnostics_of_huge_file = editor.write(&uri, &format!("// {}\n", "x".repeat(2_000_000)));
    assert_eq!(diagnostics_of_huge_file[0]["severity"], 3, "a note that the file is too large to check");
    assert_eq!(editor.ask_at("semanticTokens/full", &uri, (0, 0)), Value::Null);
    // A line with 100,000 tokens, below letters that have more bytes than characters.
    let long_line = format!("// {}\nrules r = {}b\n", "é".repeat(50_000), "a, ".repeat(50_000));
    editor.write(&uri, &long_line);
    let tokens = editor.ask_at("semanticTokens/full", &uri, (0, 0));
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 100_000));
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    editor.end();
}

#[test]
fn the_last_of_many_changes_is_answered() {
    let folder = fresh_folder("lsp_fast");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, "");
    for end in 0..RULE.len() {
        let change =
            json!({ "textDocument": { "uri": uri, "version": end }, "contentChanges": [{ "text": RULE[..end] }] });
        editor.notify("textDocument/didChange", change);
    }
    let change = json!({ "textDocument": { "uri": uri, "version": 999 }, "contentChanges": [{ "text": RULE }] });
    editor.notify("textDocument/didChange", change);
    let symbols = editor.ask_at("documentSymbol", &uri, (0, 0));
    assert_eq!(symbols[0]["name"], "my_pair");
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    editor.end();
}

#[test]
fn a_length_that_is_no_number_is_named() {
    for length in ["abc", "-5"] {
        let output = run_with(&["lsp"], format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes());
        let text = transcript(&output);
        assert!(text.contains(&format!("the Content-Length `{length}` is not a number of bytes")), "{text}");
    }
}
