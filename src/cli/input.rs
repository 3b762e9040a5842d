//! Puzzles and files from outside. In: an argument. Out: texts and puzzles, or why there are none.

use super::source::PuzzleSource;
use crate::cli::prelude::*;
use crate::grid::formats::{Encoding, FormatError, text_of};
use crate::lang::line_ends::lone_cr_as_lf;
use crate::solve::nearest;
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// The extension of rule files.
const RULE_FILE: &str = "pinion";

/// The one puzzle that an argument stands for.
pub fn one_puzzle(argument: &str, board: Option<&Arc<Geometry>>) -> Result<Puzzle, Failure> {
    let mut source = PuzzleSource::open(argument, board)?;
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

/// Converts the error of a puzzle that cannot be read to a failure.
pub fn format_failure(file: Option<&str>, error: &FormatError) -> Failure {
    let place = match file {
        Some(file) => format!("{file}:{}:{}", error.line, error.column),
        None if error.line > 1 => format!("the puzzle cannot be read, line {}, character {}", error.line, error.column),
        None => format!("the puzzle cannot be read, character {}", error.column),
    };
    let failure = Failure::input(format!("{place}: {} [{}]", error.message, error.code));
    Failure { help: error.help.clone(), ..failure }
}

/// Returns true if an argument that is no puzzle was probably meant as a file.
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

/// Time that a command waits for a pipe in place of a file: there may be no writer.
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
        // The readers of puzzles accept zero bytes at the end.
        Ok(text) if Encoding::detect(&bytes) == Encoding::Utf8 => {
            let (line, last) = (text.matches('\n').count() + 1, text.rsplit('\n').next().unwrap_or_default());
            format!("{name}:{line}:{}: a zero byte: this is not a text", last.len() + 1)
        }
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
        _ => unreadable(&name, &error),
    })?;
    whole(&name, file)
}

/// Reads a source to its end, up to the limit.
fn whole(name: &str, source: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let read = source.take(LONGEST_FILE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| unreadable(name, &error))?;
    match bytes.len() > LONGEST_FILE {
        true => Err(Failure::input(format!("{name} is longer than {LONGEST_FILE} bytes, the most that is read"))),
        false => Ok(bytes),
    }
}

/// Reads a pipe or a device.
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

/// The rule files that some paths stand for, and what could not be read on the way to them.
#[derive(Default)]
pub struct RuleFiles {
    /// Paths; those below a folder in alphabetical order.
    pub paths: Vec<PathBuf>,
    /// Folders that cannot be read, and folders without a rule file.
    pub failures: Vec<Failure>,
}

/// Finds the rule files that paths stand for: the file itself, or every rule file below a folder. A folder that cannot be read keeps no
/// other from being searched.
pub fn rule_files<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> RuleFiles {
    let mut found = RuleFiles::default();
    for path in paths {
        if !path.is_dir() {
            found.paths.push(path.clone());
            continue;
        }
        let (mut files, failures) = (Vec::new(), found.failures.len());
        collect(path, &mut files, &mut found.failures, &mut BTreeSet::new());
        if files.is_empty() && found.failures.len() == failures {
            found.failures.push(Failure::input(format!("there is no .{RULE_FILE} file in {}", path.display())));
        }
        files.sort();
        found.paths.extend(files);
    }
    found
}

/// Reads the rule files that paths stand for, as (name, text). A file that is named twice, by a link or with its folder, is read once:
/// where it is named last.
///
/// # Errors
/// The first thing that cannot be read.
pub fn read_rule_files<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Vec<(String, String)>, Failure> {
    let RuleFiles { paths, failures } = rule_files(paths);
    match failures.into_iter().next() {
        Some(failure) => Err(failure),
        None => each_once(paths).iter().map(|file| rule_file(file)).collect(),
    }
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
    Ok((file_name(path)?.to_owned(), text(path)?))
}

/// Returns the path of a rule file as text.
pub fn file_name(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        let failure = Failure::input(format!("the name of {} is not UTF-8", path.display()));
        failure.help("rename the file or folder: messages and tests could not name it")
    })
}

/// Collects the rule files below a folder. Each folder is searched once: links may lead back to it.
fn collect(folder: &Path, files: &mut Vec<PathBuf>, failures: &mut Vec<Failure>, seen: &mut BTreeSet<PathBuf>) {
    let entries =
        folder.canonicalize().and_then(|own| if seen.insert(own) { Ok(Some(fs::read_dir(folder)?)) } else { Ok(None) });
    let entries = match entries {
        Ok(entries) => entries.into_iter().flatten(),
        Err(error) => return failures.push(unreadable(&folder.display().to_string(), &error)),
    };
    for entry in entries {
        match entry {
            Err(error) => failures.push(unreadable(&folder.display().to_string(), &error)),
            Ok(entry) if entry.path().is_dir() => collect(&entry.path(), files, failures, seen),
            Ok(entry) => {
                let path = entry.path();
                if path.extension().is_some_and(|extension| extension == RULE_FILE) && !is_pipe(&path) {
                    files.push(path);
                }
            }
        }
    }
}

/// Says that a file or folder cannot be read.
pub fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::input(format!("{name} cannot be read: {error}"))
}

fn is_pipe(path: &Path) -> bool {
    path.exists() && !path.is_file()
}
