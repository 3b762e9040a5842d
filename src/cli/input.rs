//! Puzzles and files from outside. In: an argument. Out: texts and puzzles, or why there are none.

use super::exit::Failure;
use super::source::Source;
use crate::grid::Geometry;
use crate::grid::formats::{FormatError, Puzzle, text_of};
use crate::lang::line_ends::lone_cr_as_lf;
use crate::solve::nearest;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

/// The extension of rule files.
const RULE_FILE: &str = "pinion";

/// The one puzzle that an argument stands for.
pub fn one_puzzle(argument: &str, board: Option<&Arc<Geometry>>) -> Result<Puzzle, Failure> {
    let mut source = Source::open(argument, board)?;
    let first = source.next().unwrap_or_else(|| Err(Failure::input("there is no puzzle").into()));
    let puzzle = first.map_err(|error| error.failure)?;
    match source.next() {
        None => Ok(puzzle),
        Some(Err(error)) => Err(error.failure),
        Some(Ok(second)) => {
            let failure = Failure::input(format!("{argument}:{}: a second puzzle; one is wanted", second.line));
            Err(failure.help("put the puzzle into a file of its own"))
        }
    }
}

/// A puzzle that cannot be read, in words.
pub fn format_failure(file: Option<&str>, error: &FormatError) -> Failure {
    let place = match file {
        Some(file) => format!("{file}:{}:{}", error.line, error.column),
        None if error.line > 1 => format!("the puzzle cannot be read, line {}, character {}", error.line, error.column),
        None => format!("the puzzle cannot be read, character {}", error.column),
    };
    let failure = Failure::input(format!("{place}: {} [{}]", error.message, error.code));
    Failure { help: error.help.clone(), ..failure }
}

/// Whether an argument that is no puzzle was meant as a file.
pub fn looks_like_path(argument: &str) -> bool {
    let one_line = !argument.contains('\n') && argument.len() < 4096;
    let extension = Path::new(argument).extension().and_then(|extension| extension.to_str());
    let named =
        extension.is_some_and(|extension| extension.len() <= 8 && extension.starts_with(|c: char| c.is_alphabetic()));
    let word = argument.len() < 40
        && argument.chars().any(|c| c.is_alphabetic() && !('a'..='p').contains(&c.to_ascii_lowercase()));
    one_line && (argument.contains('/') || argument.contains('\\') || named || word)
}

/// The largest text that is read whole: a rule file, a profile, a board.
pub const LONGEST_FILE: usize = 16 * 1024 * 1024;

/// So long a command waits for a pipe in place of a file: it may be that nobody writes to it.
const PATIENCE: Duration = Duration::from_secs(10);

/// Returns the text of a file, of the standard input if the path is `-`: without a byte order mark, and with LF for each CR that
/// alone ends a line.
pub fn text(path: &Path) -> Result<String, Failure> {
    let text = exact_text(path)?;
    Ok(lone_cr_as_lf(text.strip_prefix('\u{feff}').unwrap_or(&text)).into_owned())
}

/// Returns the text of a file, or of the standard input, as it is.
pub fn exact_text(path: &Path) -> Result<String, Failure> {
    let is_standard_input = path == Path::new("-");
    let name = if is_standard_input { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if is_standard_input {
        whole(&name, io::stdin().lock())?
    } else if path.is_dir() {
        return Err(Failure::input(format!("{name} is a folder, not a file")));
    } else if is_pipe(path) {
        of_pipe(path)?
    } else {
        bytes(path)?
    };
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => return Ok(text),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let failure = match text_of(&bytes) {
        Ok(_) => format!("{name} is a text in UTF-16, and Pinion reads rules, profiles and boards in UTF-8"),
        Err(error) => format!("{name}:{}:{}: {}", error.line, error.column, error.message),
    };
    Err(Failure::input(failure).help("save the file as UTF-8"))
}

/// Names the file beside a missing one whose name is nearest to it.
pub fn with_similar(failure: Failure, path: &Path) -> Failure {
    const MOST: usize = 1000;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = fs::read_dir(folder).into_iter().flatten().take(MOST).flatten().filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = beside.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let typed = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&typed, names.iter().map(String::as_str)).first() {
        Some(near) => failure.help(format!("did you mean `{}`?", path.with_file_name(near).display())),
        None => failure,
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    let file = fs::File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => with_similar(Failure::input(format!("there is no file `{name}`")), path),
        _ => Failure::input(format!("{name} cannot be read: {error}")),
    })?;
    whole(&name, file)
}

/// All that a source gives, up to the limit.
fn whole(name: &str, source: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = source.take(LONGEST_FILE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Failure::input(format!("{name} cannot be read: {error}")))?;
    match bytes.len() > LONGEST_FILE {
        true => Err(Failure::input(format!("{name} is longer than {LONGEST_FILE} bytes, the most that is read"))),
        false => Ok(bytes),
    }
}

/// What is written into a pipe, or a device gives.
fn of_pipe(path: &Path) -> Result<Vec<u8>, Failure> {
    let (send, receive) = mpsc::channel();
    let own = path.to_owned();
    if thread::Builder::new().spawn(move || send.send(bytes(&own))).is_err() {
        return bytes(path);
    }
    let words =
        || format!("{} is not a file, and it gave no whole text in {} seconds", path.display(), PATIENCE.as_secs());
    receive.recv_timeout(PATIENCE).unwrap_or_else(|_| Err(Failure::input(words())))
}

/// Returns the rule files that a path stands for, as (name, text), sorted by name: the file itself, or every rule file below a
/// folder.
pub fn rule_files(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    rule_paths(path)?.iter().map(|file| rule_file(file)).collect()
}

/// Returns the rule files that some paths stand for. A file that is named twice, by a link or with its folder, is taken once:
/// where it is named last.
pub fn all_rule_files<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Vec<(String, String)>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        files.extend(rule_paths(path)?);
    }
    each_once(files).iter().map(|file| rule_file(file)).collect()
}

/// Leaves out each path that leads to the file of a later one.
pub fn each_once(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    files.reverse();
    files.retain(|file| is_pipe(file) || seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files.reverse();
    files
}

/// Reads a rule file as (name, text).
pub fn rule_file(path: &Path) -> Result<(String, String), Failure> {
    let Some(name) = path.to_str() else {
        let failure = Failure::input(format!("the name of {} is not UTF-8", path.display()));
        return Err(failure.help("rename the file or folder: messages and tests could not name it"));
    };
    Ok((name.to_owned(), text(path)?))
}

/// Returns the paths of these files.
pub fn rule_paths(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    collect(path, &mut files, &mut BTreeSet::new())?;
    files.sort();
    if files.is_empty() {
        return Err(Failure::input(format!("there is no .{RULE_FILE} file in {}", path.display())));
    }
    Ok(files)
}

/// Looks into each folder once: links may lead back to it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>, seen: &mut BTreeSet<PathBuf>) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::input(format!("{} cannot be read: {error}", folder.display()));
    if !seen.insert(folder.canonicalize().map_err(unreadable)?) {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            collect(&path, files, seen)?;
        } else if path.extension().is_some_and(|extension| extension == RULE_FILE) && !is_pipe(&path) {
            files.push(path);
        }
    }
    Ok(())
}

fn is_pipe(path: &Path) -> bool {
    path.exists() && !path.is_file()
}
