//! The state of the server. In: notifications of the editor. Out: the rules of the program, of the folder and of open files, which replace
//! others; and the findings of open files.
//!
//! A keystroke costs the reading of one file: all others are kept as a rulebook that the changed file is added to. Other open files are
//! checked again once the keys are still. A file that is opened as it is on disk costs nothing, and several that change at once are read
//! together.

use crate::cli::diagnostics::URI_ENCODED;
use crate::cli::input::MAX_FILE_BYTES;
use crate::cli::lsp::findings;
use crate::cli::lsp::wire::FileFindings;
use crate::cli::prelude::*;
use crate::editor::{Document, MAX_ANALYZED_BYTES, Workspace};
use crate::lang::diagnostic::Diagnostic;
use lsp_server::Notification;
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// State of an open file besides its text.
#[derive(Default)]
struct OpenFile {
    /// Version of the text, as the editor counts.
    version: Option<i64>,
    /// Findings of tests and proofs since the last change, by source.
    reported: Vec<(&'static str, Vec<Value>)>,
}

/// The state of the server.
pub struct Server {
    /// Files by their addresses.
    pub workspace: Workspace,
    /// State of open files besides their texts.
    open: BTreeMap<String, OpenFile>,
    /// The rules of all files, those of the file that was changed last behind all others.
    pub book: Arc<Rulebook>,
    /// True if hovers may have pictures.
    pub pictures: bool,
    /// True if the editor shows the answers of commands itself.
    pub outcomes: bool,
    /// The rules of all files but one.
    base: Option<(String, Rulebook)>,
    /// Files whose findings wait to be sent, and whether their texts were changed.
    changed: BTreeMap<String, bool>,
    /// The findings that the editor has of open files.
    sent: BTreeMap<String, Value>,
    /// True if the findings of other open files may be out of date.
    pub others_wait: bool,
}

impl Server {
    /// With the files of the folders that the editor works in.
    pub fn new(started: &Value) -> Server {
        let folders = started["workspaceFolders"].as_array().into_iter().flatten().map(|folder| &folder["uri"]);
        let mut roots: Vec<&str> = folders.filter_map(Value::as_str).collect();
        roots.extend(started["rootUri"].as_str().filter(|_| roots.is_empty()));
        let mut documents = BTreeMap::new();
        for (path, text) in roots.iter().filter_map(|root| path_of(root)).flat_map(|root| rule_files(&root)) {
            let uri = address(&path.display().to_string());
            documents.insert(uri.clone(), document(&uri, text));
        }
        let wanted = &started["initializationOptions"];
        let rulebook = Rulebook::embedded();
        let mut server = Server {
            book: Arc::new(rulebook.clone()),
            workspace: Workspace { rulebook, documents },
            open: BTreeMap::new(),
            pictures: wanted["pictures"] == true,
            outcomes: wanted["outcomes"] == true,
            base: None,
            changed: BTreeMap::new(),
            sent: BTreeMap::new(),
            others_wait: false,
        };
        server.book = Arc::new(server.whole(""));
        server
    }

    /// Handles a notification about files.
    pub fn note(&mut self, note: &Notification) {
        let params = &note.params;
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        match note.method.as_str() {
            "textDocument/didOpen" => self.write(params, &params["textDocument"]["text"]),
            "textDocument/didChange" => {
                let last = params["contentChanges"].as_array().and_then(|all| all.last());
                self.write(params, last.map_or(&Value::Null, |one| &one["text"]));
            }
            "textDocument/didClose" => self.on_disk(uri),
            "workspace/didChangeWatchedFiles" => {
                let all = params["changes"].as_array().into_iter().flatten();
                all.filter_map(|one| one["uri"].as_str()).for_each(|uri| {
                    if is_ours(uri) && self.workspace.documents.get(uri).is_none_or(|document| !document.is_open) {
                        self.on_disk(uri);
                    }
                });
            }
            _ => {}
        }
    }

    fn write(&mut self, params: &Value, text: &Value) {
        let of = &params["textDocument"];
        let (Some(uri), Some(text)) = (of["uri"].as_str(), text.as_str()) else { return };
        let version = of["version"].as_i64();
        self.open.insert(uri.to_owned(), OpenFile { version, reported: Vec::new() });
        let mut document = document(uri, text.to_owned());
        document.is_open = true;
        self.put(uri, Some(document));
    }

    /// Takes the text of a file from the disk.
    fn on_disk(&mut self, uri: &str) {
        let text = path_of(uri).and_then(|path| read_text(&path));
        self.open.remove(uri);
        self.put(uri, text.map(|text| document(uri, text)));
    }

    /// Puts a document in the place of the one that was known. Only a new text means anything for other files.
    fn put(&mut self, uri: &str, document: Option<Document>) {
        let new = document.as_ref().map(|document| document.text.clone());
        let old = match document {
            Some(document) => self.workspace.documents.insert(uri.to_owned(), document),
            None => self.workspace.documents.remove(uri),
        };
        let is_changed = old.map(|document| document.text) != new;
        *self.changed.entry(uri.to_owned()).or_default() |= is_changed;
        if is_changed {
            self.others_wait = true;
            if self.base.as_ref().is_some_and(|(without, _)| without != uri) {
                self.base = None;
            }
        }
    }

    /// Findings of files that were changed or opened.
    pub fn findings(&mut self) -> Vec<Notification> {
        let changed = std::mem::take(&mut self.changed);
        let mut edited = changed.iter().filter(|(_, is_changed)| **is_changed).map(|(uri, _)| uri);
        match (edited.next(), edited.next()) {
            (Some(uri), None) => self.read(uri),
            (Some(_), Some(_)) => (self.base, self.book) = (None, Arc::new(self.whole(""))),
            (None, _) => {}
        }
        let book = Arc::clone(&self.book);
        changed.keys().map(|uri| self.said(uri, &book)).collect()
    }

    /// Findings of all open files: they may use each other.
    pub fn all_findings(&mut self) -> Vec<Notification> {
        self.others_wait = false;
        let open = self.workspace.documents.iter().filter(|(_, document)| document.is_open).map(|(uri, _)| uri.clone());
        let open: Vec<String> = open.collect();
        let last = self.base.as_ref().map(|(without, _)| without.clone());
        // The file that is written comes last, so that its rulebook is kept.
        let (last, others): (Vec<String>, Vec<String>) = open.into_iter().partition(|uri| Some(uri) == last.as_ref());
        if others.is_empty() {
            return Vec::new();
        }
        let whole = self.whole("");
        let mut all: Vec<Notification> = Vec::new();
        for uri in &others {
            let known = self.sent.get(uri).cloned();
            let note = self.said(uri, &whole);
            all.extend(Some(note).filter(|note| known.as_ref() != Some(&note.params)));
        }
        for uri in &last {
            self.read(uri);
            all.push(self.said(uri, &Arc::clone(&self.book)));
        }
        all
    }

    /// Reads a file anew, behind all others.
    fn read(&mut self, uri: &str) {
        if self.workspace.documents.get(uri).is_some_and(|document| !document.is_plain_text) {
            self.compile(uri);
        } else if !self.workspace.documents.contains_key(uri) {
            self.book = Arc::new(self.whole(""));
        }
    }

    /// The findings of a file as the editor gets them.
    fn said(&mut self, uri: &str, book: &Rulebook) -> Notification {
        let open = self.workspace.documents.get(uri).filter(|document| document.is_open);
        let list = open.map_or(Vec::new(), |document| self.found(uri, document, book));
        let mut params = json!({ "uri": uri, "diagnostics": list });
        if let Some(version) = self.open.get(uri).and_then(|open| open.version) {
            params["version"] = version.into();
        }
        match self.open.contains_key(uri) {
            true => drop(self.sent.insert(uri.to_owned(), params.clone())),
            false => drop(self.sent.remove(uri)),
        }
        Notification::new("textDocument/publishDiagnostics".into(), params)
    }

    fn found(&self, uri: &str, document: &Document, book: &Rulebook) -> Vec<Value> {
        if document.text.len() > MAX_ANALYZED_BYTES {
            return vec![findings::too_long(document)];
        }
        let mut list = match document.is_plain_text {
            true => findings::table_findings(document, book),
            false => {
                let file = book.files().iter().rfind(|file| file.name == uri);
                let all: &[Diagnostic] = file.map_or(&[], |file| &file.diagnostics);
                findings::findings(uri, document, all)
            }
        };
        let reported = self.open.get(uri).into_iter().flat_map(|open| &open.reported);
        list.extend(reported.flat_map(|(_, list)| list.iter().cloned()));
        list
    }

    /// Reads a file behind all others.
    fn compile(&mut self, uri: &str) {
        let base = match self.base.take() {
            Some((without, base)) if without == uri => base,
            // A new file: what is known is what all others say.
            _ if self.book.files().iter().all(|file| file.name != uri) => Rulebook::clone(&self.book),
            _ => self.whole(uri),
        };
        if let Some(document) = self.workspace.documents.get(uri) {
            self.book = Arc::new(base.clone().with([(uri.to_owned(), document.text.clone())]));
        }
        self.base = Some((uri.to_owned(), base));
    }

    /// The rules of all files but one.
    fn whole(&self, without: &str) -> Rulebook {
        let rules =
            self.workspace.documents.iter().filter(|(uri, document)| *uri != without && !document.is_plain_text);
        self.workspace.rulebook.clone().with(rules.map(|(uri, document)| (uri.clone(), document.text.clone())))
    }

    /// Keeps what a test or a proof found; the file's findings with it, unless it was changed meanwhile.
    pub fn report(&mut self, found: FileFindings) -> Option<Notification> {
        let same = self.workspace.documents.get(&found.uri).is_some_and(|document| document.text == found.text);
        let open = self.open.get_mut(&found.uri).filter(|_| same)?;
        open.reported.retain(|(source, _)| *source != found.source);
        open.reported.push((found.source, found.list));
        Some(self.said(&found.uri, &Arc::clone(&self.book)))
    }
}

/// A file as its name says: a rule file, or a table.
fn document(uri: &str, text: String) -> Document {
    if uri.ends_with(".ron") { Document::plain_text(text) } else { Document::new(text) }
}

/// Folders that have nothing of the author's.
const FOREIGN: [&str; 4] = ["node_modules", "target", "dist", "build"];
/// The most files and folders that are looked at.
const MOST: usize = 20_000;
/// Folders this deep are a loop of links.
const DEEPEST: usize = 32;

/// The rule files and tables below a folder, with their texts, in order of their paths. What is no text is left out.
fn rule_files(root: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut left = MOST;
    collect(root, &mut found, &mut left, 0);
    found.sort();
    found.into_iter().filter_map(|path| read_text(&path).map(|text| (path, text))).collect()
}

/// The text of a file, if it has some and it is not too long.
fn read_text(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    let readable = about.is_file() && about.len() <= MAX_FILE_BYTES as u64;
    readable.then(|| fs::read_to_string(path).ok()).flatten()
}

/// Returns true for names of rule files and tables.
pub fn is_ours(name: &str) -> bool {
    name.ends_with(".pinion") || name.ends_with(".ron")
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>, left: &mut usize, depth: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if depth < DEEPEST && !name.starts_with('.') && !FOREIGN.contains(&name.as_ref()) {
                collect(&path, found, left, depth + 1);
            }
        } else if is_ours(&name) {
            found.push(path);
        }
    }
}

/// The address of a file, as an editor has it: a file that is opened must be the one that was read.
pub fn address(path: &str) -> String {
    format!("file://{}", utf8_percent_encode(path, URI_ENCODED))
}

/// The path of a file's address.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?).decode_utf8().ok()?;
    Some(PathBuf::from(path.into_owned()))
}
