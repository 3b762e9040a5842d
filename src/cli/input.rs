//! Reads what an argument names: a single puzzle, a text file, or the rule files in a folder. `source` reads several puzzles.

use super::files::{folder_of, note_input};
use super::source::PuzzleSource;
use crate::cli::prelude::*;
use crate::grid::formats::{Encoding, FormatError, text_of};
use crate::lang::line_ends::lone_cr_as_lf;
use crate::solve::nearest;
use std::fs;
use std::io::{self, Read};
use std::sync::mpsc;

const RULE_EXTENSION: &str = "pinion";

pub fn one_puzzle(argument: &str, board: Option<&Arc<Geometry>>) -> Result<Puzzle, Failure> {
    let mut source = PuzzleSource::open(argument, board)?;
    let first = source.next().unwrap_or_else(|| Err(Failure::input("there is no puzzle").into()));
    let puzzle = first.map_err(|error| error.failure)?;
    match source.next() {
        None => Ok(puzzle),
        Some(Err(error)) => Err(error.failure),
        Some(Ok(second)) => {
            let failure = Failure::input(format!("{argument}:{}: a second puzzle, but one is wanted", second.line));
            Err(failure.help("put the puzzle into a file of its own"))
        }
    }
}

/// Converts a parse error of a puzzle. `file` is `None` if the argument itself is the puzzle.
pub fn format_failure(file: Option<&str>, error: &FormatError) -> Failure {
    let location = match file {
        Some(file) => format!("{file}:{}:{}", error.line, error.column),
        None if error.line > 1 => format!("the puzzle cannot be read, line {}, character {}", error.line, error.column),
        None => format!("the puzzle cannot be read, character {}", error.column),
    };
    let failure = Failure::input(format!("{location}: {} [{}]", error.message, error.code));
    Failure { help: error.help.clone(), ..failure }
}

/// Returns true if an argument that is not a puzzle was probably meant as a file.
pub fn looks_like_path(argument: &str) -> bool {
    // 4096 bytes is the longest path on Linux.
    if argument.contains('\n') || argument.len() >= 4096 {
        return false;
    }
    let extension = Path::new(argument).extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    // In a puzzle, a `.` is followed by a digit or by a long rest of the grid.
    let has_extension = extension.len() <= 8 && extension.starts_with(|c: char| c.is_alphabetic());
    argument.contains(['/', '\\']) || has_extension || is_word(argument)
}

/// Returns true for a short text that consists of letters, or has letters that are no digits.
fn is_word(argument: &str) -> bool {
    let has_letters = argument.contains(char::is_alphabetic);
    let has_empty_cells_or_numbers = argument.contains(|c: char| c == '.' || c.is_ascii_digit());
    // Puzzles of up to 25×25 cells write the digits above 9 as A to P.
    let has_other_letters =
        argument.contains(|c: char| c.is_alphabetic() && !('a'..='p').contains(&c.to_ascii_lowercase()));
    argument.len() < 40 && has_letters && (has_other_letters || !has_empty_cells_or_numbers)
}

pub const MAX_FILE_BYTES: usize = 16 * 1024 * 1024;

/// Time limit for reading a pipe, which may have no writer.
const PIPE_TIMEOUT: Duration = Duration::from_secs(10);

/// Reads a text file, or the standard input if the path is `-`. Removes a byte order mark. A line that ends with CR alone gets LF instead.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    let text = read_exact_text(path)?;
    Ok(lone_cr_as_lf(text.strip_prefix('\u{feff}').unwrap_or(&text)).into_owned())
}

/// Reads a text file like [`read_text`], but keeps the byte order mark and all line ends.
pub fn read_exact_text(path: &Path) -> Result<String, Failure> {
    note_input(path);
    let is_standard_input = path == Path::new("-");
    let name = if is_standard_input { "standard input".to_owned() } else { path.display().to_string() };
    let bytes = if is_standard_input {
        read_limited(&name, io::stdin().lock())?
    } else if path.is_dir() {
        return Err(Failure::input(format!("{name} is a folder, not a file")));
    } else if is_pipe(path) {
        read_pipe(path)?
    } else {
        read_file(path)?
    };
    let bytes = match String::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => return Ok(text),
        Ok(text) => text.into_bytes(),
        Err(error) => error.into_bytes(),
    };
    let message = match text_of(&bytes) {
        // `text_of` accepts zero bytes at the end of a puzzle file.
        Ok(text) if Encoding::detect(&bytes) == Encoding::Utf8 => {
            let line = text.matches('\n').count() + 1;
            let last_line = text.rsplit('\n').next().unwrap_or_default();
            format!("{name}:{line}:{}: a zero byte: this is not a text", last_line.len() + 1)
        }
        Ok(_) => format!("{name} is a text in UTF-16, and Pinion reads rules, profiles and boards in UTF-8"),
        Err(error) => format!("{name}:{}:{}: {}", error.line, error.column, error.message),
    };
    Err(Failure::input(message).help("save the file as UTF-8"))
}

/// Adds a suggestion to the failure for a missing file: the most similar name in its folder.
pub fn suggest_similar_file(failure: Failure, path: &Path) -> Failure {
    const MAX_ENTRIES: usize = 1000;
    let mut names: Vec<String> = Vec::new();
    for entry in fs::read_dir(folder_of(path)).into_iter().flatten().take(MAX_ENTRIES).flatten() {
        if entry.path().is_file() {
            names.extend(entry.file_name().into_string());
        }
    }
    names.sort();
    let typed = path.file_name().unwrap_or_default().to_string_lossy();
    match nearest(&typed, names.iter().map(String::as_str)).first() {
        Some(name) => failure.help(format!("did you mean `{}`?", path.with_file_name(name).display())),
        None => failure,
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    let name = path.display().to_string();
    let file = fs::File::open(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => suggest_similar_file(Failure::input(format!("there is no file `{name}`")), path),
        _ => unreadable(&name, &error),
    })?;
    read_limited(&name, file)
}

fn read_limited(name: &str, source: impl Read) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    source.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(|error| unreadable(name, &error))?;
    if bytes.len() > MAX_FILE_BYTES {
        return Err(Failure::input(format!("{name} is longer than {MAX_FILE_BYTES} bytes, the most that is read")));
    }
    Ok(bytes)
}

/// Reads a pipe or a device, in another thread if the system allows one, so that the caller can stop waiting.
fn read_pipe(path: &Path) -> Result<Vec<u8>, Failure> {
    let (sender, receiver) = mpsc::channel();
    let thread_path = path.to_owned();
    if thread::Builder::new().spawn(move || sender.send(read_file(&thread_path))).is_err() {
        return read_file(path);
    }
    receiver.recv_timeout(PIPE_TIMEOUT).unwrap_or_else(|_| {
        let (path, seconds) = (path.display(), PIPE_TIMEOUT.as_secs());
        Err(Failure::input(format!("{path} is not a file, and its text did not end within {seconds} seconds")))
    })
}

#[derive(Default)]
pub struct RuleFiles {
    /// Paths in the order of the arguments. Paths below a folder are in alphabetical order.
    pub paths: Vec<PathBuf>,
    /// Folders that cannot be read, and folders without a rule file.
    pub failures: Vec<Failure>,
}

/// Finds the rule files of `paths`: a file itself, or every rule file below a folder. A folder that cannot be read does not end the search.
pub fn rule_files<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> RuleFiles {
    let mut found = RuleFiles::default();
    for path in paths {
        if !path.is_dir() {
            found.paths.push(path.clone());
            continue;
        }
        let mut files = Vec::new();
        let failure_count = found.failures.len();
        collect_rule_files(path, &mut files, &mut found.failures, &mut BTreeSet::new());
        if files.is_empty() && found.failures.len() == failure_count {
            found.failures.push(Failure::input(format!("there is no .{RULE_EXTENSION} file in {}", path.display())));
        }
        files.sort();
        found.paths.extend(files);
    }
    found
}

/// Reads the rule files of `paths` as (name, text), up to the first that cannot be read. A file that occurs twice (by itself and in its
/// folder) is read once, at its last occurrence.
pub fn read_rule_files<'p>(paths: impl IntoIterator<Item = &'p PathBuf>) -> Result<Vec<(String, String)>, Failure> {
    let RuleFiles { paths, failures } = rule_files(paths);
    match failures.into_iter().next() {
        Some(failure) => Err(failure),
        None => without_duplicates(paths).iter().map(|file| read_rule_file(file)).collect(),
    }
}

/// Removes each path that leads to the same file as a later path.
pub fn without_duplicates(mut files: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut visited = BTreeSet::new();
    files.reverse();
    files.retain(|file| is_pipe(file) || visited.insert(file.canonicalize().unwrap_or_else(|_| file.clone())));
    files.reverse();
    files
}

pub fn read_rule_file(path: &Path) -> Result<(String, String), Failure> {
    Ok((utf8_path(path)?.to_owned(), read_text(path)?))
}

pub fn utf8_path(path: &Path) -> Result<&str, Failure> {
    path.to_str().ok_or_else(|| {
        let failure = Failure::input(format!("the name of {} is not UTF-8", path.display()));
        failure.help("rename the file or folder: messages and tests could not name it")
    })
}

/// Appends the rule files below a folder to `files`. `visited` holds the folders searched so far, because links may form a cycle.
fn collect_rule_files(
    folder: &Path,
    files: &mut Vec<PathBuf>,
    failures: &mut Vec<Failure>,
    visited: &mut BTreeSet<PathBuf>,
) {
    let entries: io::Result<Vec<PathBuf>> =
        folder.canonicalize().and_then(|canonical| match visited.insert(canonical) {
            true => fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect(),
            false => Ok(Vec::new()),
        });
    if let Err(error) = &entries {
        failures.push(unreadable(&folder.display().to_string(), error));
    }
    for path in entries.unwrap_or_default() {
        if path.is_dir() {
            collect_rule_files(&path, files, failures, visited);
        } else if path.extension().is_some_and(|extension| extension == RULE_EXTENSION) && !is_pipe(&path) {
            files.push(path);
        }
    }
}

pub fn unreadable(name: &str, error: &io::Error) -> Failure {
    Failure::input(format!("{name} cannot be read: {error}"))
}

/// Returns true for a pipe or a device.
fn is_pipe(path: &Path) -> bool {
    path.exists() && !path.is_file()
}
