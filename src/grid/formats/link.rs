//! Links, and texts that begin with the sign of a format. In: one line or document. Out: which format it is, and what it
//! says. No network: what a link does not hold is not fetched.

use super::boards::Boards;
use super::content::{Content, Wrong};
use super::error::FormatError;
use super::puzzle::{Puzzle, is_symbol};
use super::{coach, fpuzzles, iss, killer, opensudoku, packed, s9b, sudokupad};

/// How a marked text is read, and the name of its format in messages.
#[derive(Clone, Copy)]
pub(super) struct Reader {
    pub name: &'static str,
    read: fn(&str) -> Result<Content, Wrong>,
}

const LINK: Reader = Reader { name: "a link", read: read_link };
const SUDOKUPAD: Reader = Reader { name: "a SudokuPad puzzle", read: sudokupad::read_path };
const FPUZZLES: Reader = Reader { name: "an f-puzzles puzzle", read: fpuzzles::read_packed };
const COACH: Reader = Reader { name: "a state of sudoku.coach", read: coach::read };
const S9B: Reader = Reader { name: "a grid of sudokuwiki.org", read: s9b::read };
const OTHER: Reader = Reader { name: "a puzzle of another program", read: read_other };
const ISS: Reader = Reader { name: "a constraint string of the Interactive Sudoku Solver", read: iss::read };
const KILLER: Reader = Reader { name: "a killer puzzle", read: killer::read };
pub(super) const XML: Reader = Reader { name: "a game of OpenSudoku", read: opensudoku::read };
pub(super) const CSV: Reader = Reader { name: "a line of Pinion's comma separated values", read: super::csv::read };

impl Reader {
    /// Reads a text that is of this format.
    pub fn puzzle(self, text: &str, line: usize, boards: Boards<'_>) -> Result<Puzzle, FormatError> {
        (self.read)(text.trim()).map_err(|wrong| wrong.at(line, self.name))?.into_puzzle(line, boards)
    }
}

/// The reader of a text that can only be meant as one format: a link, or a line that begins with a format's sign.
pub(super) fn reader_of(line: &str) -> Option<Reader> {
    let line = line.trim();
    let packed = |prefixes: &[&str]| {
        let rest = prefixes.iter().find_map(|prefix| line.strip_prefix(prefix));
        rest.is_some_and(|rest| rest.len() > 12 && !rest.contains(char::is_whitespace) && !line.chars().all(is_symbol))
    };
    let found = [
        (is_link(line), LINK),
        (line.starts_with(coach::PREFIX) && line.contains('_'), COACH),
        (packed(&["fpuz", "scl", "ctc", "scf", "classic"]), SUDOKUPAD),
        (packed(&["N4Ig"]), FPUZZLES),
        (s9b::is_one(line), S9B),
        (iss::is_one(line) && line.contains('~'), ISS),
        (killer::is_one(line), KILLER),
        (other_program(line).is_some(), OTHER),
    ];
    found.into_iter().find(|(is, _)| *is).map(|(_, reader)| reader)
}

/// The reader for texts of several lines that each begin a constraint.
pub(super) fn constraints(line: &str) -> Option<Reader> {
    iss::is_one(line.trim()).then_some(ISS)
}

/// Texts and pages of programs whose puzzles are not read: what shows them, the program, and what to do.
const OTHER_PROGRAMS: [(&str, &str, &str); 18] = [
    ("penpa-edit", "Penpa", COPY_DIGITS),
    ("m=solve&p=", "Penpa", COPY_DIGITS),
    ("m=edit&p=", "Penpa", COPY_DIGITS),
    ("square,", "Penpa", COPY_DIGITS),
    ("pzprv3", "PUZ-PRE (pzpr)", COPY_DIGITS),
    ("puzz.link/", "puzz.link", COPY_DIGITS),
    ("pzplus.tck.mn/", "pzplus", COPY_DIGITS),
    ("tinyurl.com/", "a service that shortens links", "open it, and copy the address that it leads to"),
    ("bit.ly/", "a service that shortens links", "open it, and copy the address that it leads to"),
    ("websudoku.com", "websudoku.com", COPY_DIGITS),
    ("nytimes.com", "the New York Times", COPY_DIGITS),
    ("sudoku.com", "sudoku.com", COPY_DIGITS),
    ("logic-masters.de", "Logic Masters", "open its link to SudokuPad or f-puzzles, and copy the long address"),
    ("forum.enjoysudoku.com", "the forum of Enjoy Sudoku", "copy the grid from the message"),
    ("cracking-the-cryptic.web.app", "Cracking the Cryptic", "open it in SudokuPad, and copy the long address"),
    ("sudokulab.net", "SudokuLab", COPY_DIGITS),
    ("dailysudoku.com", "dailysudoku.com", COPY_DIGITS),
    ("[SudokuCoach", "sudoku.coach", "copy the state string that begins with SCv7_32_"),
];

const COPY_DIGITS: &str = "copy the grid as 81 characters, or as nine rows";

/// The program that a text is of, and what to do with it.
fn other_program(text: &str) -> Option<(&'static str, &'static str)> {
    let address = text.split_once("://").map_or(text, |(_, rest)| rest).trim_start_matches("www.");
    let is = |sign: &str| match sign.contains('.') && !sign.contains('=') {
        true => is_link(text) && address.contains(sign),
        false => address.starts_with(sign) || (is_link(text) && address.contains(sign)),
    };
    OTHER_PROGRAMS.iter().find(|(sign, ..)| is(sign)).map(|(_, program, help)| (*program, *help))
}

fn read_other(text: &str) -> Result<Content, Wrong> {
    let (program, help) = other_program(text).unwrap_or(("another program", COPY_DIGITS));
    Err(Wrong::broken(format!("Pinion does not read those of {program}")).help(help))
}

const HOSTS: [&str; 7] = [
    "f-puzzles.com",
    "sudokupad.app",
    "crackingthecryptic.com",
    "sudokuwiki.org",
    "sudokuexchange.com",
    "sudoku.coach",
    "sigh.github.io/Interactive-Sudoku-Solver",
];

/// Returns true if a text with a reader is no link, or a link to a page whose links are read.
pub(super) fn is_known(text: &str) -> bool {
    !is_link(text) || text.starts_with("sudokupad://") || HOSTS.iter().any(|host| text.contains(host))
}

/// The links to pages whose links are read that stand among words, or in Markdown, HTML and the like.
pub(super) fn inside(line: &str) -> Vec<&str> {
    if !line.contains("://") {
        return Vec::new();
    }
    let ends = |c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '<' | '"' | '\'' | '`');
    let starts = ["https://", "http://", "sudokupad://"].iter().flat_map(|scheme| line.match_indices(scheme));
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.sort_unstable();
    let link = |at: usize| line[at..].split(ends).next().unwrap_or_default().trim_end_matches(['.', ',', ';', '!']);
    let mut links: Vec<&str> = starts.into_iter().map(link).filter(|link| is_known(link)).collect();
    links.dedup();
    links
}

fn is_link(line: &str) -> bool {
    let bare = line.trim_start_matches("www.");
    line.starts_with("https://")
        || line.starts_with("http://")
        || line.starts_with("sudokupad://")
        || HOSTS.iter().any(|host| bare.starts_with(host))
}

fn read_link(text: &str) -> Result<Content, Wrong> {
    let text = text.split_whitespace().next().unwrap_or_default();
    let address = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host = HOSTS.iter().find_map(|host| address.find(host).map(|at| (*host, &address[at + host.len()..])));
    let (host, rest) = match host {
        Some(found) => found,
        None if text.starts_with("sudokupad://") => ("sudokupad.app", address.trim_start_matches("puzzle")),
        None => {
            if other_program(text).is_some() {
                return read_other(text);
            }
            return Err(Wrong::broken("it leads to a page whose links Pinion does not read")
                .help(format!("links of these are read: {}", HOSTS.join(", "))));
        }
    };
    let value = |key: &str| {
        let query = rest.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
        let found = query.split('&').filter_map(|part| part.split_once('=')).find(|(name, _)| *name == key);
        found.map(|(_, value)| value).ok_or_else(|| Wrong::broken(format!("it holds no puzzle: `{key}=` is missing")))
    };
    match host {
        "f-puzzles.com" if rest.contains("id=") => {
            Err(Wrong::broken("it has only f-puzzles' number of the puzzle, which lies on the server")
                .help("open it and choose Export: that link goes on with load="))
        }
        "f-puzzles.com" => fpuzzles::read_packed(value("load")?),
        "sudokuwiki.org" => match packed::plain(value("bd")?)? {
            cells if cells.len() == 81 && !s9b::is_one(&cells) => read_digits(&cells),
            cells => s9b::read(&cells),
        },
        "sudokuexchange.com" => read_digits(value("s")?),
        "sudoku.coach" => match rest.find(coach::PREFIX) {
            Some(at) => coach::read(rest[at..].split(['?', '&', '#']).next().unwrap_or_default()),
            None => rest.rsplit(['/', '=']).next().map_or_else(|| read_digits(""), read_digits),
        },
        "sigh.github.io/Interactive-Sudoku-Solver" => iss::read(&packed::plain(value("q")?)?),
        _ => sudokupad::read_path(rest.trim_start_matches('/')),
    }
}

/// One digit for each cell of a 9×9 board.
fn read_digits(text: &str) -> Result<Content, Wrong> {
    let mut content = Content::new(9)?;
    content.givens = content.characters(text)?;
    Ok(content)
}
