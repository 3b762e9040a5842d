//! Puzzles and files from outside. In: an argument. Out: texts and puzzles, or why there are none.

use super::exit::{Failure, Stop};
use super::output::Output;
use crate::grid::Geometry;
use crate::grid::formats::{FormatError, LONGEST_LINE, Puzzle, Stream, read_many, read_one, text_of};
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The extension of rule files.
const RULE_FILE: &str = "pinion";

/// Puzzles from one place.
pub struct Puzzles {
    /// Where from, for messages; none for the argument itself.
    pub file: Option<String>,
    /// In order, with what could not be read.
    pub list: Vec<Result<Puzzle, FormatError>>,
}

/// Reads the puzzles that an argument stands for: `-`, a file, or the puzzle itself.
pub fn puzzles(argument: &str, board: Option<&Arc<Geometry>>) -> Result<Puzzles, Failure> {
    if argument == "-" {
        return from_bytes("standard input", &standard_input()?, board);
    }
    let path = Path::new(argument);
    if path.is_dir() {
        return Err(Failure::input(format!("{argument} is a folder")).help("give a file of it, or a puzzle"));
    }
    if path.exists() {
        return from_bytes(argument, &bytes(path)?, board);
    }
    match read_one(argument, board) {
        Err(error) if looks_like_path(argument) && !matches!(error.code, "P14" | "P15") => Err(missing(argument)),
        puzzle => Ok(Puzzles { file: None, list: vec![puzzle] }),
    }
}

/// What is done with each puzzle: the file it is from, if any, the puzzle and the output.
type Work<'w> = dyn FnMut(Option<&str>, Result<Puzzle, FormatError>, &mut Output) -> Result<(), Stop> + 'w;

/// Hands on the puzzles that an argument stands for as they are read; how many. What is kept does not grow with the file, and
/// the output is flushed whenever the reader would have to wait.
pub fn each_puzzle(
    argument: &str,
    board: Option<&Arc<Geometry>>,
    out: &mut Output,
    mut work: impl FnMut(Option<&str>, Result<Puzzle, FormatError>, &mut Output) -> Result<(), Stop>,
) -> Result<usize, Stop> {
    let path = Path::new(argument);
    if argument == "-" {
        return from_stream("standard input", io::stdin().lock(), board, out, &mut work);
    }
    if path.is_file() {
        let file =
            fs::File::open(path).map_err(|error| Failure::input(format!("{argument} cannot be read: {error}")))?;
        return from_stream(argument, file, board, out, &mut work);
    }
    let source = puzzles(argument, board)?;
    let count = source.list.len();
    source.list.into_iter().try_for_each(|puzzle| work(source.file.as_deref(), puzzle, out))?;
    Ok(count)
}

fn from_stream(
    name: &str,
    source: impl Read,
    board: Option<&Arc<Geometry>>,
    out: &mut Output,
    work: &mut Work<'_>,
) -> Result<usize, Stop> {
    let unreadable = |error: io::Error| Failure::input(format!("{name} cannot be read: {error}"));
    let mut reader = BufReader::new(source);
    let (mut stream, mut count, mut number, mut line) = (Stream::new(board), 0, 0, Vec::new());
    loop {
        line.clear();
        let read = reader.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut line).map_err(unreadable)?;
        if read > LONGEST_LINE && line.last() != Some(&b'\n') {
            reader.skip_until(b'\n').map_err(unreadable)?;
        }
        let found = if read == 0 {
            stream.end()
        } else {
            number += 1;
            stream.line(line_of(&line, name, number)?.trim_end_matches(['\r', '\n']))
        };
        for puzzle in found {
            count += 1;
            work(Some(name), puzzle, out)?;
        }
        if read == 0 {
            break;
        }
        if reader.buffer().is_empty() {
            out.flush()?;
        }
    }
    match count {
        0 => Err(no_puzzle(name, number == 0).into()),
        count => Ok(count),
    }
}

/// The text of a line. A mark of byte order is taken away where a file begins, and what is too long is not looked at.
fn line_of(bytes: &[u8], name: &str, number: usize) -> Result<String, Failure> {
    const MARK: &str = "\u{feff}";
    if bytes.len() > LONGEST_LINE {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    let text = text_of(bytes).map_err(|error| format_failure(Some(name), &FormatError { line: number, ..error }))?;
    let marked = number > 1 && bytes.starts_with(MARK.as_bytes());
    Ok(if marked { format!("{MARK}{text}") } else { text })
}

fn no_puzzle(name: &str, empty: bool) -> Failure {
    let message = if empty { format!("{name} is empty") } else { format!("there is no puzzle in {name}") };
    Failure::input(message).help("a puzzle is 81 characters on a line, `.` or `0` for an empty cell")
}

fn from_bytes(name: &str, bytes: &[u8], board: Option<&Arc<Geometry>>) -> Result<Puzzles, Failure> {
    let text = text_of(bytes).map_err(|error| format_failure(Some(name), &error))?;
    let list = read_many(&text, board);
    if list.is_empty() {
        return Err(no_puzzle(name, text.trim().is_empty()));
    }
    Ok(Puzzles { file: Some(name.into()), list })
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
fn looks_like_path(argument: &str) -> bool {
    let one_line = !argument.contains('\n') && argument.len() < 4096;
    let extension = Path::new(argument).extension().and_then(|extension| extension.to_str());
    let named =
        extension.is_some_and(|extension| extension.len() <= 8 && extension.starts_with(|c: char| c.is_alphabetic()));
    let word = argument.len() < 40
        && argument.chars().any(|c| c.is_alphabetic() && !('a'..='p').contains(&c.to_ascii_lowercase()));
    one_line && (argument.contains('/') || argument.contains('\\') || named || word)
}

fn missing(name: &str) -> Failure {
    Failure::input(format!("there is no file `{name}`, and it is no puzzle either"))
}

fn standard_input() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    match io::stdin().lock().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::input(format!("the standard input cannot be read: {error}"))),
    }
}

fn bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Failure::input(format!("there is no file `{}`", path.display())),
        _ => Failure::input(format!("{} cannot be read: {error}", path.display())),
    })
}

/// The text of a file, of the standard input if the path is `-`.
pub fn text(path: &Path) -> Result<String, Failure> {
    if path == Path::new("-") {
        return text_of(&standard_input()?).map_err(|error| format_failure(Some("standard input"), &error));
    }
    if path.is_dir() {
        return Err(Failure::input(format!("{} is a folder, not a file", path.display())));
    }
    let name = path.display().to_string();
    text_of(&bytes(path)?)
        .map_err(|error| Failure::input(format!("{name}:{}:{}: {}", error.line, error.column, error.message)))
}

/// The rule files that a path stands for, as (name, text), sorted by name: the file itself, or every rule
/// file below a folder.
pub fn rule_files(path: &Path) -> Result<Vec<(String, String)>, Failure> {
    if !path.is_dir() {
        return Ok(vec![(path.display().to_string(), text(path)?)]);
    }
    let mut files = Vec::new();
    collect(path, &mut files, 0)?;
    files.sort();
    if files.is_empty() {
        return Err(Failure::input(format!("there is no .{RULE_FILE} file in {}", path.display())));
    }
    files.into_iter().map(|file| Ok((file.display().to_string(), text(&file)?))).collect()
}

/// Folders this deep are a loop of links.
const DEEPEST: usize = 32;

fn collect(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) -> Result<(), Failure> {
    let unreadable = |error: io::Error| Failure::input(format!("{} cannot be read: {error}", folder.display()));
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            if depth < DEEPEST {
                collect(&path, files, depth + 1)?;
            }
        } else if path.extension().is_some_and(|extension| extension == RULE_FILE) {
            files.push(path);
        }
    }
    Ok(())
}
