//! The state of the language server: the files of the folder and the open files, their rulebook, and their diagnostics.
//!
//! A keystroke compiles one file: the rulebook of all other files is kept, and the changed file is added to it. The diagnostics of other open
//! files are updated when the editor is idle. To open an unchanged file costs nothing. Several files that change at once are compiled together.

use crate::cli::diagnostics::URI_ENCODED;
use crate::cli::files::read_limited;
use crate::cli::input::MAX_FILE_BYTES;
use crate::cli::lsp::wire::FileDiagnostics;
use crate::cli::lsp::{diagnostics, tables};
use crate::cli::prelude::*;
use crate::editor::{Document, MAX_ANALYZED_BYTES, Workspace};
use lsp_server::Notification;
use percent_encoding::{percent_decode_str, utf8_percent_encode};
use serde_json::{Value, json};
use std::fs;

/// The state of an open file, without its text.
#[derive(Default)]
struct OpenFile {
    /// Version of the text, which the editor counts.
    version: Option<i64>,
    /// Diagnostics of tests and proofs since the last change, by tool.
    tool_diagnostics: Vec<(&'static str, Vec<Value>)>,
}

pub struct Server {
    pub workspace: Workspace,
    open_files: BTreeMap<String, OpenFile>,
    /// The built-in rules, which every rulebook of the workspace extends.
    built_in: Rulebook,
    /// The built-in rules and the rules of all files. The file that was changed last comes after all other files.
    pub rulebook: Arc<Rulebook>,
    /// True if the editor shows pictures in hovers.
    pub has_pictures: bool,
    /// True if the editor shows the results of commands itself.
    pub shows_outcomes: bool,
    /// URI of the file that was changed last, and the rules of all other files.
    base: Option<(String, Rulebook)>,
    /// URIs of files whose diagnostics must be sent. The value is true if the text has changed.
    pending: BTreeMap<String, bool>,
    sent_diagnostics: BTreeMap<String, Value>,
    /// True if a change of one file may have changed the diagnostics of other open files.
    pub needs_idle_update: bool,
}

impl Server {
    /// Creates the server with the files of the editor's folders. `params` are the parameters of the request `initialize`.
    pub fn new(params: &Value) -> Server {
        let folders = params["workspaceFolders"].as_array().into_iter().flatten().map(|folder| &folder["uri"]);
        let mut roots: Vec<&str> = folders.filter_map(Value::as_str).collect();
        if roots.is_empty() {
            // Older editors send only `rootUri`.
            roots.extend(params["rootUri"].as_str());
        }
        let mut documents = BTreeMap::new();
        for root in roots.into_iter().filter_map(path_of) {
            for (path, text) in read_folder(&root) {
                let uri = uri_of(&path.display().to_string());
                documents.insert(uri.clone(), document(&uri, text));
            }
        }
        let options = &params["initializationOptions"];
        let built_in = Rulebook::embedded();
        let mut server = Server {
            rulebook: Arc::new(built_in.clone()),
            built_in,
            workspace: Workspace { documents },
            open_files: BTreeMap::new(),
            has_pictures: options["pictures"] == true,
            shows_outcomes: options["outcomes"] == true,
            base: None,
            pending: BTreeMap::new(),
            sent_diagnostics: BTreeMap::new(),
            needs_idle_update: false,
        };
        server.rulebook = Arc::new(server.rulebook_of_all());
        server
    }

    pub fn handle_notification(&mut self, notification: &Notification) {
        let params = &notification.params;
        let document = &params["textDocument"];
        let uri = document["uri"].as_str().unwrap_or_default();
        match notification.method.as_str() {
            "textDocument/didOpen" => self.set_text(document, &document["text"]),
            "textDocument/didChange" => {
                // Each change contains the whole text.
                let last_change = params["contentChanges"].as_array().and_then(|changes| changes.last());
                self.set_text(document, last_change.map_or(&Value::Null, |change| &change["text"]));
            }
            "textDocument/didClose" => self.read_from_disk(uri),
            "workspace/didChangeWatchedFiles" => {
                for change in params["changes"].as_array().into_iter().flatten() {
                    if let Some(uri) = change["uri"].as_str()
                        && is_supported(uri)
                        && self.workspace.documents.get(uri).is_none_or(|document| !document.is_open)
                    {
                        self.read_from_disk(uri);
                    }
                }
            }
            _ => {}
        }
    }

    /// Sets the text of an open file. `id` is the identifier of the document in the protocol.
    fn set_text(&mut self, id: &Value, text: &Value) {
        let (Some(uri), Some(text)) = (id["uri"].as_str(), text.as_str()) else { return };
        let version = id["version"].as_i64();
        self.open_files.insert(uri.to_owned(), OpenFile { version, tool_diagnostics: Vec::new() });
        let mut document = document(uri, text.to_owned());
        document.is_open = true;
        self.replace_document(uri, Some(document));
    }

    /// Reads from disk the text of a file that the editor does not have open.
    fn read_from_disk(&mut self, uri: &str) {
        let text = path_of(uri).and_then(|path| read_limited(&path, MAX_FILE_BYTES as u64).ok());
        self.open_files.remove(uri);
        self.replace_document(uri, text.map(|text| document(uri, text)));
    }

    /// Replaces a document, or removes it if `document` is `None`. Other files are affected only if the text changes.
    fn replace_document(&mut self, uri: &str, document: Option<Document>) {
        let new_text = document.as_ref().map(|document| document.text.clone());
        let old = match document {
            Some(document) => self.workspace.documents.insert(uri.to_owned(), document),
            None => self.workspace.documents.remove(uri),
        };
        let is_changed = old.map(|document| document.text) != new_text;
        *self.pending.entry(uri.to_owned()).or_default() |= is_changed;
        if is_changed {
            self.needs_idle_update = true;
            if self.base.as_ref().is_some_and(|(changed, _)| changed != uri) {
                self.base = None;
            }
        }
    }

    /// Updates the rulebook. Returns the diagnostics of files that were changed or opened.
    pub fn diagnostics_of_changed_files(&mut self) -> Vec<Notification> {
        let pending = std::mem::take(&mut self.pending);
        let mut changed = pending.iter().filter(|(_, is_changed)| **is_changed).map(|(uri, _)| uri);
        match (changed.next(), changed.next()) {
            (Some(uri), None) => self.compile(uri),
            (Some(_), Some(_)) => {
                self.base = None;
                self.rulebook = Arc::new(self.rulebook_of_all());
            }
            (None, _) => {}
        }
        let rulebook = Arc::clone(&self.rulebook);
        pending.keys().map(|uri| self.publish(uri, &rulebook)).collect()
    }

    /// Returns the diagnostics of open files whose diagnostics changed because of another file.
    pub fn diagnostics_of_open_files(&mut self) -> Vec<Notification> {
        self.needs_idle_update = false;
        let last_changed_uri = self.base.as_ref().map(|(uri, _)| uri.clone());
        let documents = self.workspace.documents.iter();
        let open_uris: Vec<String> =
            documents.filter(|(_, document)| document.is_open).map(|(uri, _)| uri.clone()).collect();
        if open_uris.iter().all(|uri| Some(uri) == last_changed_uri.as_ref()) {
            return Vec::new();
        }
        // In `self.rulebook`, the other files were checked without the edited file. Check all files together.
        let rulebook = self.rulebook_of_all();
        let mut notifications: Vec<Notification> = Vec::new();
        for uri in open_uris.iter().filter(|uri| Some(*uri) != last_changed_uri.as_ref()) {
            let previous = self.sent_diagnostics.get(uri).cloned();
            let notification = self.publish(uri, &rulebook);
            if previous.as_ref() != Some(&notification.params) {
                notifications.push(notification);
            }
        }
        // In `self.rulebook`, the edited file was checked together with all other files.
        if let Some(uri) = last_changed_uri
            && open_uris.contains(&uri)
        {
            notifications.push(self.publish(&uri, &Arc::clone(&self.rulebook)));
        }
        notifications
    }

    /// Updates the rulebook after a change of one file.
    fn compile(&mut self, uri: &str) {
        let Some(document) = self.workspace.documents.get(uri) else {
            self.rulebook = Arc::new(self.rulebook_of_all());
            return;
        };
        if !document.has_syntax_tree {
            return;
        }
        let file = (uri.to_owned(), document.text.clone());
        let base = match self.base.take() {
            Some((changed, base)) if changed == uri => base,
            // The file is new, so the present rulebook has the rules of all other files.
            _ if self.rulebook.files().iter().all(|file| file.name != uri) => Rulebook::clone(&self.rulebook),
            _ => self.rulebook_of(|other| other != uri),
        };
        self.rulebook = Arc::new(base.clone().with([file]));
        self.base = Some((uri.to_owned(), base));
    }

    fn rulebook_of_all(&self) -> Rulebook {
        self.rulebook_of(|_| true)
    }

    /// Compiles the rules of the files whose URI passes `filter`.
    fn rulebook_of(&self, filter: impl Fn(&str) -> bool) -> Rulebook {
        let mut files = Vec::new();
        for (uri, document) in &self.workspace.documents {
            if filter(uri) && document.has_syntax_tree {
                files.push((uri.clone(), document.text.clone()));
            }
        }
        self.built_in.clone().with(files)
    }

    /// Returns the notification with the diagnostics of a file, and remembers them as sent.
    fn publish(&mut self, uri: &str, rulebook: &Rulebook) -> Notification {
        let diagnostics = match self.workspace.documents.get(uri) {
            Some(document) if document.is_open => self.diagnostics(uri, document, rulebook),
            _ => Vec::new(),
        };
        let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
        if let Some(open_file) = self.open_files.get(uri) {
            if let Some(version) = open_file.version {
                params["version"] = version.into();
            }
            self.sent_diagnostics.insert(uri.to_owned(), params.clone());
        } else {
            self.sent_diagnostics.remove(uri);
        }
        Notification::new("textDocument/publishDiagnostics".into(), params)
    }

    fn diagnostics(&self, uri: &str, document: &Document, rulebook: &Rulebook) -> Vec<Value> {
        if document.text.len() > MAX_ANALYZED_BYTES {
            return vec![diagnostics::too_long_diagnostic(document)];
        }
        let mut diagnostics = if document.has_syntax_tree {
            let file = rulebook.files().iter().rfind(|file| file.name == uri);
            diagnostics::rule_diagnostics(uri, document, file.map_or(&[], |file| &file.diagnostics))
        } else {
            tables::table_diagnostics(document, rulebook)
        };
        if let Some(open_file) = self.open_files.get(uri) {
            diagnostics.extend(open_file.tool_diagnostics.iter().flat_map(|(_, from_tool)| from_tool).cloned());
        }
        diagnostics
    }

    /// Adds the diagnostics of a test or a proof to the other diagnostics of the file. Returns `None` if the text has
    /// changed or the file was closed.
    pub fn add_tool_diagnostics(&mut self, new: FileDiagnostics) -> Option<Notification> {
        if self.workspace.documents.get(&new.uri)?.text != new.text {
            return None;
        }
        let open_file = self.open_files.get_mut(&new.uri)?;
        open_file.tool_diagnostics.retain(|(source, _)| *source != new.source);
        open_file.tool_diagnostics.push((new.source, new.diagnostics));
        Some(self.publish(&new.uri, &Arc::clone(&self.rulebook)))
    }
}

/// Creates the document of a rule file, or of a table: a file with the extension `ron`.
fn document(uri: &str, text: String) -> Document {
    if uri.ends_with(".ron") { Document::without_syntax_tree(text) } else { Document::new(text) }
}

const SKIPPED_FOLDERS: [&str; 4] = ["node_modules", "target", "dist", "build"];
const MAX_ENTRIES: usize = 20_000;
/// Maximum depth of folders, because links may form a cycle.
const MAX_DEPTH: usize = 32;

/// Reads the rule files and tables below a folder, in the order of their paths. Skips files that cannot be read.
fn read_folder(root: &Path) -> Vec<(PathBuf, String)> {
    let mut paths = Vec::new();
    let mut remaining_entries = MAX_ENTRIES;
    collect_paths(root, &mut paths, &mut remaining_entries, 0);
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if let Ok(text) = read_limited(&path, MAX_FILE_BYTES as u64) {
            files.push((path, text));
        }
    }
    files
}

fn is_supported(name: &str) -> bool {
    name.ends_with(".pinion") || name.ends_with(".ron")
}

fn collect_paths(folder: &Path, paths: &mut Vec<PathBuf>, remaining_entries: &mut usize, depth: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(remaining) = remaining_entries.checked_sub(1) else { return };
        *remaining_entries = remaining;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if depth < MAX_DEPTH && !name.starts_with('.') && !SKIPPED_FOLDERS.contains(&name.as_ref()) {
                collect_paths(&path, paths, remaining_entries, depth + 1);
            }
        } else if is_supported(&name) {
            paths.push(path);
        }
    }
}

/// Returns the URI of a file with the encoding that editors use, so that an opened file is recognized.
pub fn uri_of(path: &str) -> String {
    format!("file://{}", utf8_percent_encode(path, URI_ENCODED))
}

fn path_of(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?).decode_utf8().ok()?;
    Some(PathBuf::from(path.into_owned()))
}
