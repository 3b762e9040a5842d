//! Links, packed texts, and lines that begin with the sign of a format. In: one line or document. Out: its [`FormatReader`], and the
//! [`Content`]. Nothing is fetched: a link must hold its puzzle.
//!
//! Packed texts (LZ-string, deflate, base 32, percent signs) are bounded on both sides, since a short text may unpack to a very long
//! one. Killer puzzles and steps of solutions are recognised only to be refused by name.

use super::boards::BoardChoice;
use super::content::{Content, Wrong};
use super::error::FormatError;
use super::puzzle::{Puzzle, is_symbol};
use super::{markup, programs, sudokupad};
use data_encoding::{Encoding, Specification};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// Reader of a marked format, with the name of the format in messages.
#[derive(Clone, Copy)]
pub(super) struct FormatReader {
    pub name: &'static str,
    read: fn(&str) -> Result<Content, Wrong>,
}

const LINK: FormatReader = FormatReader { name: "a link", read: read_link };
const SUDOKUPAD: FormatReader = FormatReader { name: "a SudokuPad puzzle", read: sudokupad::read_path };
const FPUZZLES: FormatReader = FormatReader { name: "an f-puzzles puzzle", read: sudokupad::read_packed_fpuzzles };
const COACH: FormatReader = FormatReader { name: "a state of sudoku.coach", read: programs::read_coach };
const S9B: FormatReader = FormatReader { name: "a grid of sudokuwiki.org", read: programs::read_s9b };
const OTHER: FormatReader = FormatReader { name: "a puzzle of another program", read: read_other };
const ISS: FormatReader =
    FormatReader { name: "a constraint string of the Interactive Sudoku Solver", read: programs::read_iss };
const KILLER: FormatReader = FormatReader { name: "a killer puzzle", read: read_killer };
pub(super) const XML: FormatReader = FormatReader { name: "a game of OpenSudoku", read: markup::read_game };
pub(super) const CSV: FormatReader =
    FormatReader { name: "a line of Pinion's comma separated values", read: super::records::read_csv };

impl FormatReader {
    /// Reads a text that is of this format.
    pub fn puzzle(self, text: &str, line: usize, boards: BoardChoice<'_>) -> Result<Puzzle, FormatError> {
        (self.read)(text.trim()).map_err(|wrong| wrong.at(line, self.name))?.into_puzzle(line, boards)
    }
}

/// Returns the reader of a text that can only be meant as one format: a link, or a line that begins with a format's sign.
pub(super) fn reader_of(line: &str) -> Option<FormatReader> {
    let line = line.trim();
    let packed = |prefixes: &[&str]| {
        let rest = prefixes.iter().find_map(|prefix| line.strip_prefix(prefix));
        rest.is_some_and(|rest| rest.len() > 12 && !rest.contains(char::is_whitespace) && !line.chars().all(is_symbol))
    };
    let found = [
        (is_link(line), LINK),
        (line.starts_with(programs::COACH_PREFIX) && line.contains('_'), COACH),
        (packed(&["fpuz", "scl", "ctc", "scf", "classic"]), SUDOKUPAD),
        (packed(&["N4Ig"]), FPUZZLES),
        (programs::is_s9b(line), S9B),
        (programs::is_iss(line) && line.contains('~'), ISS),
        (is_killer(line), KILLER),
        (other_program(line).is_some(), OTHER),
    ];
    found.into_iter().find(|(is, _)| *is).map(|(_, reader)| reader)
}

/// Returns the reader for texts of several lines that each begin a constraint.
pub(super) fn constraints(line: &str) -> Option<FormatReader> {
    programs::is_iss(line.trim()).then_some(ISS)
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

/// Returns the program that a text is of, and what to do with it.
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

/// Returns the links to pages whose links are read that stand among words, or in Markdown, HTML and the like.
pub(super) fn inside(line: &str) -> Vec<&str> {
    if !line.contains("://") {
        return Vec::new();
    }
    let starts = ["https://", "http://", "sudokupad://"].iter().flat_map(|scheme| line.match_indices(scheme));
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.sort_unstable();
    let link =
        |at: usize| line[at..].split(ends_link).next().unwrap_or_default().trim_end_matches(['.', ',', ';', '!']);
    let mut links: Vec<&str> = starts.into_iter().map(link).filter(|link| is_known(link)).collect();
    links.dedup();
    links
}

/// Returns true for characters that end a link.
fn ends_link(c: char) -> bool {
    c.is_whitespace() || matches!(c, ')' | ']' | '>' | '<' | '"' | '\'' | '`')
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
        "f-puzzles.com" => sudokupad::read_packed_fpuzzles(value("load")?),
        "sudokuwiki.org" => match unescaped_percents(value("bd")?)? {
            cells if cells.len() == 81 && !programs::is_s9b(&cells) => read_digits(&cells),
            cells => programs::read_s9b(&cells),
        },
        "sudokuexchange.com" => read_digits(value("s")?),
        "sudoku.coach" => match rest.find(programs::COACH_PREFIX) {
            Some(at) => programs::read_coach(rest[at..].split(['?', '&', '#']).next().unwrap_or_default()),
            None => rest.rsplit(['/', '=']).next().map_or_else(|| read_digits(""), read_digits),
        },
        "sigh.github.io/Interactive-Sudoku-Solver" => programs::read_iss(&unescaped_percents(value("q")?)?),
        _ => sudokupad::read_path(rest.trim_start_matches('/')),
    }
}

/// Reads one digit for each cell of a 9×9 board.
fn read_digits(text: &str) -> Result<Content, Wrong> {
    let mut content = Content::new(9)?;
    content.givens = content.characters(text)?;
    Ok(content)
}

/// The longest packed text that is unpacked, in characters.
pub const LONGEST_LINK: usize = 16 * 1024;

/// The longest text that a link may unpack to, in bytes.
pub const LONGEST_TEXT: usize = 1024 * 1024;

/// Compression level of deflate, the highest that pays.
const LEVEL: u8 = 9;

/// Decodes percent signs.
pub(super) fn unescaped_percents(text: &str) -> Result<String, Wrong> {
    bounded(text)?;
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| Wrong::broken("its percent signs give no text"))
}

/// Unpacks LZ-string in base 64, in the alphabet for links as well.
pub(super) fn from_lz(text: &str) -> Result<String, Wrong> {
    let text: String = unescaped_percents(text)?.chars().map(standard).collect();
    let text = text.trim_end_matches('=');
    if let Some(strange) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/'))) {
        return Err(Wrong::broken(format!("`{strange}` is not a character of base 64")));
    }
    // Links lose the signs that fill the last group; one more does no harm.
    let unpacked = lz_str::decompress_from_base64(&format!("{text}===="));
    let unpacked = unpacked.filter(|units| !units.is_empty()).ok_or_else(damaged)?;
    if unpacked.len() > LONGEST_TEXT {
        return Err(too_long());
    }
    String::from_utf16(&unpacked).map_err(|_| damaged())
}

/// Returns the JSON object that a link unpacks to.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, Wrong> {
    serde_json::from_str(text).map_err(|error| Wrong::broken(format!("what it unpacks to is no JSON object: {error}")))
}

/// Packs with LZ-string in base 64.
pub(super) fn to_lz(text: &str) -> String {
    lz_str::compress_to_base64(text)
}

/// Unpacks base 32 and deflate.
pub(super) fn from_base32(text: &str) -> Result<String, Wrong> {
    bounded(text)?;
    let bytes = base32()
        .decode(text.trim_end_matches('=').as_bytes())
        .map_err(|_| Wrong::broken("it is not base 32: some characters are missing or wrong"))?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, LONGEST_TEXT).map_err(|error| match error.status {
        miniz_oxide::inflate::TINFLStatus::HasMoreOutput => too_long(),
        _ => damaged(),
    })?;
    String::from_utf8(text).map_err(|_| damaged())
}

/// Packs with deflate and base 32.
pub(super) fn to_base32(text: &str) -> String {
    base32().encode(&compress_to_vec_zlib(text.as_bytes(), LEVEL))
}

/// Returns the alphabet of base 32: digits and small letters up to v, without padding.
fn base32() -> &'static Encoding {
    static ENCODING: OnceLock<Encoding> = OnceLock::new();
    ENCODING.get_or_init(|| {
        let mut alphabet = Specification::new();
        alphabet.symbols.push_str("0123456789abcdefghijklmnopqrstuv");
        alphabet.check_trailing_bits = false;
        alphabet.encoding().unwrap_or(data_encoding::BASE32HEX_NOPAD)
    })
}

fn standard(symbol: char) -> char {
    match symbol {
        '-' | ' ' => '+',
        '_' => '/',
        other => other,
    }
}

fn bounded(text: &str) -> Result<(), Wrong> {
    match text.len() {
        0 => Err(Wrong::broken("nothing is packed in it")),
        1..=LONGEST_LINK => Ok(()),
        count => Err(Wrong::broken(format!("it has {count} characters; at most {LONGEST_LINK} are unpacked"))),
    }
}

fn damaged() -> Wrong {
    Wrong::broken("it cannot be unpacked: characters are missing or wrong").help("copy the whole link")
}

fn too_long() -> Wrong {
    Wrong::broken(format!("it unpacks to more than {LONGEST_TEXT} bytes"))
}

/// The signs by which a cell of the compact form points to the cell with the sum of its cage.
const POINTERS: [char; 7] = ['<', '>', '^', 'v', '`', '\'', ','];

/// Returns true if a line is a killer puzzle.
pub(super) fn is_killer(line: &str) -> bool {
    line.starts_with("3x3:") || line.starts_with("SumoCue") || is_compact_killer(line)
}

/// Returns true for 81 signs, sums and pointers.
fn is_compact_killer(line: &str) -> bool {
    let pointers = line.chars().filter(|c| matches!(c, '<' | '>' | '^' | 'v')).count();
    let is_sign = |c: char| c.is_ascii_alphanumeric() || c == '.' || POINTERS.contains(&c);
    pointers >= 9 && line.chars().count() == 81 && line.chars().all(is_sign)
}

/// Returns the constraint that the puzzle needs.
pub(super) fn read_killer(text: &str) -> Result<Content, Wrong> {
    let jigsaw = text.starts_with("SumoCue") && text.contains('J');
    Err(Wrong::constraint(if jigsaw { "cages of a killer jigsaw" } else { "killer cages" }))
}

/// Signs between a pattern and its effect.
const STEP_SIGNS: [&str; 4] = ["=>", "<>", "≠", "taken off"];

/// Returns true if a line is a step of a solution.
fn is_step(line: &str) -> bool {
    let cited = line.split(|c: char| !c.is_ascii_alphanumeric()).any(is_cited_cell);
    let ranked = line.contains("(Rank ") && line.contains('\\');
    ranked || (cited && STEP_SIGNS.iter().any(|sign| line.contains(sign)))
}

/// Returns true for `r4c5`, `r16c20`, `R1C1`, `r4c458`, `r13c20`, or `D8`.
fn is_cited_cell(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let by_name = |at: usize| {
        let (row, column) = word[at + 1..].split_once('c').unwrap_or_default();
        is_number(row) && is_number(column)
    };
    let by_letter = word.len() == 2 && word.starts_with(|c: char| matches!(c, 'a'..='j')) && is_number(&word[1..]);
    by_letter || word.find('r').is_some_and(|at| digits_before(&word[..at]) && by_name(at))
}

/// Returns true for digits alone.
fn is_number(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_digit())
}

/// Returns true for digits alone: `(1=264)r5c789` and `1r2c5` have a digit before the cell.
fn digits_before(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// Returns the error for a text that holds a step of a solution and no puzzle.
pub(super) fn refused_step(text: &str) -> Option<FormatError> {
    let line = text.lines().position(is_step)?;
    let wrong = Wrong::broken("it holds no puzzle")
        .help("give the grid that it was found in: 81 characters, a grid of candidates, or a library line");
    Some(wrong.at(line + 1, "a step of a solution"))
}
