//! The language server, spoken to on its standard streams as an editor does.

use super::{exit_code, fresh_folder, pinion, run_with, transcript};
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

pub const RULE: &str = "/// A pair.\ntechnique my_pair \"My Pair\" {\n  h: house\n  s: cells[2] in h\n  let D = digits(s)\n  \
                    require #D = 2\n  eliminate D from h - s\n  because \"{s} hold {D}\"\n}\n";

/// An editor and its server.
pub struct Editor {
    server: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    asked: i32,
    /// What the server asked meanwhile.
    requests: Vec<Request>,
}

impl Editor {
    pub fn new(folder: &std::path::Path) -> Editor {
        let mut server = pinion(&["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let to = server.stdin.take().expect("piped");
        let from = BufReader::new(server.stdout.take().expect("piped"));
        let mut editor = Editor { server, to, from, asked: 0, requests: Vec::new() };
        let root = format!("file://{}", folder.display());
        let can = editor.ask("initialize", json!({ "rootUri": root, "capabilities": {} }));
        assert_eq!(can["capabilities"]["renameProvider"], true);
        editor.tell("initialized", json!({}));
        editor
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        let note = Notification::new(method.into(), params);
        Message::from(note).write(&mut self.to).expect("it listens");
    }

    fn next(&mut self) -> Message {
        Message::read(&mut self.from).expect("it speaks the protocol").expect("it goes on")
    }

    pub fn answer(&mut self, method: &str, params: Value) -> Response {
        self.asked += 1;
        let request = Request::new(self.asked.into(), method.into(), params);
        Message::from(request).write(&mut self.to).expect("it listens");
        loop {
            match self.next() {
                Message::Response(response) => return response,
                Message::Request(request) => self.requests.push(request),
                Message::Notification(_) => {}
            }
        }
    }

    /// What the server asked for meanwhile.
    pub fn requested(&mut self, method: &str) -> Value {
        let request = self.requests.pop().expect("a request");
        assert_eq!(request.method, method);
        request.params
    }

    /// Sends bytes that are no message.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.to.write_all(bytes).expect("it listens");
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = serde_json::to_value(self.answer(method, params)).expect("JSON");
        assert!(answer.get("error").is_none_or(Value::is_null), "{answer}");
        answer["result"].clone()
    }

    /// Opens or changes a file; what is wrong with it.
    pub fn write(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({ "uri": uri, "languageId": "pinion", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        loop {
            let Message::Notification(note) = self.next() else { continue };
            if note.params["uri"] == uri {
                return note.params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Asks about a place, the line and character from zero.
    pub fn at(&mut self, what: &str, uri: &str, (line, character): (u32, u32)) -> Value {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": "t" });
        self.ask(&format!("textDocument/{what}"), params)
    }

    pub fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.server.wait().expect("it ends").success());
    }
}

pub fn labels(list: &Value) -> Vec<&str> {
    list["items"].as_array().expect("a list").iter().filter_map(|item| item["label"].as_str()).collect()
}

#[test]
fn an_editor_is_told_what_is_wrong_and_how_to_mend_it() {
    let folder = fresh_folder("lsp_findings");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    let found = editor.write(&uri, &RULE.replace("house", "hose"));
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 5 }));
    let params =
        json!({ "textDocument": { "uri": uri }, "range": found[0]["range"], "context": { "diagnostics": found } });
    let fixes = editor.ask("textDocument/codeAction", params);
    assert_eq!(fixes[0]["edit"]["changes"][&uri][0]["newText"], "house", "{fixes} {found:?}");
    editor.end();
}

#[test]
fn an_editor_asks_about_names() {
    let folder = fresh_folder("lsp_names");
    std::fs::write(folder.join("b.pinion"), "rules mine = my_pair\n").expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, RULE);
    let hover = editor.at("hover", &uri, (5, 12));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("let D = digits(s)")), "{hover}");
    let defined = editor.at("definition", &uri, (6, 12));
    assert_eq!(defined["range"]["start"], json!({ "line": 4, "character": 6 }));
    let used = editor.at("references", &uri, (3, 2));
    assert_eq!(used.as_array().map(Vec::len), Some(4), "in the placeholder of the sentence, too: {used}");
    let renamed = editor.at("rename", &uri, (3, 2));
    assert_eq!(renamed["changes"][&uri].as_array().map(Vec::len), Some(4));
    let everywhere = editor.at("rename", &uri, (1, 12));
    assert_eq!(everywhere["changes"].as_object().map(serde_json::Map::len), Some(2), "in both files: {everywhere}");
    let refused = editor.answer(
        "textDocument/rename",
        json!({
            "textDocument": { "uri": uri }, "position": { "line": 3, "character": 2 }, "newName": "house"
        }),
    );
    assert!(serde_json::to_string(&refused).is_ok_and(|text| text.contains("a word of the language")), "{refused:?}");
    let symbols = editor.at("documentSymbol", &uri, (0, 0));
    assert_eq!(symbols[0]["name"], "my_pair");
    editor.end();
}

#[test]
fn an_editor_completes_colours_and_formats() {
    let folder = fresh_folder("lsp_words");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, RULE);
    let kinds = editor.at("completion", &uri, (2, 5));
    assert!(labels(&kinds).contains(&"house") && !labels(&kinds).contains(&"require"), "{kinds}");
    let names = editor.at("completion", &uri, (6, 12));
    assert!(["D", "h", "s", "digits"].iter().all(|name| labels(&names).contains(name)), "{names}");
    let lines = editor.at("completion", &uri, (5, 2));
    assert!(labels(&lines).contains(&"require"), "{lines}");
    let tokens = editor.at("semanticTokens/full", &uri, (0, 0));
    let data: Vec<u64> = serde_json::from_value(tokens["data"].clone()).expect("numbers");
    assert_eq!(&data[..10], &[0, 0, 11, 6, 0, 1, 0, 9, 0, 0], "a comment, then a word of the language");
    assert_eq!(editor.at("formatting", &uri, (0, 0)), json!([]));
    editor.write(&uri, &RULE.replace("  let D =", "let D   ="));
    assert_eq!(editor.at("formatting", &uri, (0, 0))[0]["newText"], RULE);
    editor.end();
}

#[test]
fn a_file_of_a_folder_with_blanks_is_opened_as_the_one_that_was_read() {
    let folder = fresh_folder("lsp with blanks");
    std::fs::write(folder.join("a.pinion"), RULE).expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display()).replace(' ', "%20");
    // Were there two files, the technique would be there twice.
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    let used = editor.at("references", &uri, (3, 2));
    assert_eq!(used.as_array().map(Vec::len), Some(4), "{used}");
    let everywhere = editor.at("rename", &uri, (1, 12));
    assert_eq!(everywhere["changes"].as_object().map(serde_json::Map::len), Some(1), "{everywhere}");
    editor.end();
}

#[test]
fn a_message_has_a_limit() {
    for length in ["99999999999999999", "4000000000", "no number"] {
        let output = run_with(&["lsp"], format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes());
        assert!(
            exit_code(&output) == 3 && transcript(&output).contains("more than 67108864 bytes"),
            "{}",
            transcript(&output)
        );
    }
}
