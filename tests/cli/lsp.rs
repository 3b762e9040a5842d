//! The language server over its standard streams: diagnostics, names, completions, formatting and limits of messages.

use super::{assert_output, fresh_folder, pinion, run_with};
use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};
use std::io::{BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

pub const RULE: &str = "/// A pair.\ntechnique my_pair \"My Pair\" {\n  h: house\n  s: cells[2] in h\n  let D = digits(s)\n  \
                    require #D = 2\n  eliminate D from h - s\n  because \"{s} hold {D}\"\n}\n";

/// A client that starts a language server and talks to it.
pub struct Editor {
    server: Child,
    server_input: ChildStdin,
    server_output: BufReader<ChildStdout>,
    request_count: i32,
    /// Requests of the server that came while the client waited for a response.
    server_requests: Vec<Request>,
}

impl Editor {
    pub fn new(folder: &std::path::Path) -> Editor {
        let mut server = pinion(&["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary starts");
        let server_input = server.stdin.take().expect("piped");
        let server_output = BufReader::new(server.stdout.take().expect("piped"));
        let mut editor = Editor { server, server_input, server_output, request_count: 0, server_requests: Vec::new() };
        let root = format!("file://{}", folder.display());
        let response = editor.ask("initialize", json!({ "rootUri": root, "capabilities": {} }));
        assert_eq!(response["capabilities"]["renameProvider"], true);
        editor.notify("initialized", json!({}));
        editor
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        let notification = Notification::new(method.into(), params);
        Message::from(notification).write(&mut self.server_input).expect("the server reads");
    }

    fn next_message(&mut self) -> Message {
        Message::read(&mut self.server_output).expect("a message of the protocol").expect("one more message")
    }

    /// Sends a request and returns the response, which may be an error.
    pub fn send_request(&mut self, method: &str, params: Value) -> Response {
        self.request_count += 1;
        let request = Request::new(self.request_count.into(), method.into(), params);
        Message::from(request).write(&mut self.server_input).expect("the server reads");
        loop {
            match self.next_message() {
                Message::Response(response) => return response,
                Message::Request(request) => self.server_requests.push(request),
                Message::Notification(_) => {}
            }
        }
    }

    /// The parameters of the last request of the server, which must have this method.
    pub fn last_server_request(&mut self, method: &str) -> Value {
        let request = self.server_requests.pop().expect("a request");
        assert_eq!(request.method, method);
        request.params
    }

    /// Sends bytes, which need not be a message.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        self.server_input.write_all(bytes).expect("the server reads");
    }

    /// Sends a request and returns its result; an error fails the test.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = serde_json::to_value(self.send_request(method, params)).expect("JSON");
        assert!(answer.get("error").is_none_or(Value::is_null), "{answer}");
        answer["result"].clone()
    }

    /// Opens or changes a file and returns its diagnostics.
    pub fn write(&mut self, uri: &str, text: &str) -> Vec<Value> {
        let document = json!({ "uri": uri, "languageId": "pinion", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        loop {
            let Message::Notification(notification) = self.next_message() else { continue };
            if notification.params["uri"] == uri {
                return notification.params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Sends the request `textDocument/{name}` for a position and returns its result. Line and character count from 0.
    pub fn ask_at(&mut self, name: &str, uri: &str, (line, character): (u32, u32)) -> Value {
        let position = json!({ "line": line, "character": character });
        let params = json!({ "textDocument": { "uri": uri }, "position": position, "newName": "t" });
        self.ask(&format!("textDocument/{name}"), params)
    }

    pub fn end(mut self) {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.server.wait().expect("the command ends").success());
    }
}

pub fn labels(list: &Value) -> Vec<&str> {
    list["items"].as_array().expect("a list").iter().filter_map(|item| item["label"].as_str()).collect()
}

#[test]
fn an_error_has_a_diagnostic_and_a_code_action() {
    let folder = fresh_folder("lsp_findings");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    let diagnostics = editor.write(&uri, &RULE.replace("house", "hose"));
    assert_eq!(diagnostics[0]["severity"], 1);
    assert_eq!(diagnostics[0]["range"]["start"], json!({ "line": 2, "character": 5 }));
    let params = json!({ "textDocument": { "uri": uri }, "range": diagnostics[0]["range"], "context": { "diagnostics": diagnostics } });
    let fixes = editor.ask("textDocument/codeAction", params);
    assert_eq!(fixes[0]["edit"]["changes"][&uri][0]["newText"], "house", "{fixes} {diagnostics:?}");
    editor.end();
}

#[test]
fn names_have_hovers_definitions_references_and_renames() {
    let folder = fresh_folder("lsp_names");
    std::fs::write(folder.join("b.pinion"), "rules mine = my_pair\n").expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, RULE);
    let hover = editor.ask_at("hover", &uri, (5, 12));
    assert!(hover["contents"]["value"].as_str().is_some_and(|text| text.contains("let D = digits(s)")), "{hover}");
    let definition = editor.ask_at("definition", &uri, (6, 12));
    assert_eq!(definition["range"]["start"], json!({ "line": 4, "character": 6 }));
    let references = editor.ask_at("references", &uri, (3, 2));
    assert_eq!(references.as_array().map(Vec::len), Some(4), "the placeholder `{{s}}` counts: {references}");
    let local_rename = editor.ask_at("rename", &uri, (3, 2));
    assert_eq!(local_rename["changes"][&uri].as_array().map(Vec::len), Some(4));
    let rename_in_all_files = editor.ask_at("rename", &uri, (1, 12));
    assert_eq!(
        rename_in_all_files["changes"].as_object().map(serde_json::Map::len),
        Some(2),
        "two files change: {rename_in_all_files}"
    );
    let refused_rename = editor.send_request(
        "textDocument/rename",
        json!({
            "textDocument": { "uri": uri }, "position": { "line": 3, "character": 2 }, "newName": "house"
        }),
    );
    assert!(
        serde_json::to_string(&refused_rename).is_ok_and(|text| text.contains("a word of the language")),
        "{refused_rename:?}"
    );
    let symbols = editor.ask_at("documentSymbol", &uri, (0, 0));
    assert_eq!(symbols[0]["name"], "my_pair");
    editor.end();
}

#[test]
fn completions_semantic_tokens_and_formatting() {
    let folder = fresh_folder("lsp_words");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display());
    editor.write(&uri, RULE);
    let kinds = editor.ask_at("completion", &uri, (2, 5));
    assert!(labels(&kinds).contains(&"house") && !labels(&kinds).contains(&"require"), "{kinds}");
    let names = editor.ask_at("completion", &uri, (6, 12));
    assert!(["D", "h", "s", "digits"].iter().all(|name| labels(&names).contains(name)), "{names}");
    let statements = editor.ask_at("completion", &uri, (5, 2));
    assert!(labels(&statements).contains(&"require"), "{statements}");
    let tokens = editor.ask_at("semanticTokens/full", &uri, (0, 0));
    let data: Vec<u64> = serde_json::from_value(tokens["data"].clone()).expect("numbers");
    assert_eq!(&data[..10], &[0, 0, 11, 6, 0, 1, 0, 9, 0, 0], "the first two tokens are a comment and a keyword");
    assert_eq!(editor.ask_at("formatting", &uri, (0, 0)), json!([]));
    editor.write(&uri, &RULE.replace("  let D =", "let D   ="));
    assert_eq!(editor.ask_at("formatting", &uri, (0, 0))[0]["newText"], RULE);
    editor.end();
}

#[test]
fn a_path_with_blanks_is_one_file() {
    let folder = fresh_folder("lsp with blanks");
    std::fs::write(folder.join("a.pinion"), RULE).expect("a file can be written");
    let mut editor = Editor::new(&folder);
    let uri = format!("file://{}/a.pinion", folder.display()).replace(' ', "%20");
    // If the server treated the opened file and the file on disk as two files, the technique would be defined twice.
    assert_eq!(editor.write(&uri, RULE), Vec::<Value>::new());
    let references = editor.ask_at("references", &uri, (3, 2));
    assert_eq!(references.as_array().map(Vec::len), Some(4), "{references}");
    let rename = editor.ask_at("rename", &uri, (1, 12));
    assert_eq!(rename["changes"].as_object().map(serde_json::Map::len), Some(1), "{rename}");
    editor.end();
}

#[test]
fn a_message_that_is_too_long_is_refused() {
    for length in ["99999999999999999", "4000000000"] {
        let output = run_with(&["lsp"], format!("Content-Length: {length}\r\n\r\n{{}}").as_bytes());
        assert_output(&output, 3, "more than 67108864 bytes");
    }
}
