//! Recognizes and reads links, compressed texts, and other lines whose beginning determines their format. In: one line or document.
//! Out: its [`FormatReader`], and the [`Content`]. Nothing is downloaded: a link must contain its puzzle.
//!
//! Compressed texts (LZ-string, deflate, base 32, percent encoding) have a limit before and after decompression, because a short text
//! may decompress to a very long one. Killer puzzles and steps of solutions are recognized only to refuse them by name.

use super::boards::BoardChoice;
use super::error::{FormatError, broken, constraint};
use super::puzzle::{Content, Reading, is_symbol};
use super::{markup, records, solver_sites, sudokupad};
use data_encoding::{Encoding, Specification};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// A format that the beginning of a text determines.
#[derive(Clone, Copy)]
pub(super) struct FormatReader {
    /// Name of the format in messages.
    pub name: &'static str,
    /// Returns true if a text can only be of this format.
    recognizes: fn(&str) -> bool,
    read: TextReader,
}

/// The formats that are recognized by the beginning of a line, in the order in which they are tried.
const READERS: [FormatReader; 8] = [
    FormatReader::new("a link", is_link, read_link),
    FormatReader::new("a state of sudoku.coach", solver_sites::is_coach, solver_sites::read_coach),
    FormatReader::new(
        "a SudokuPad puzzle",
        |line| ["fpuz", "scl", "ctc", "scf", "classic"].iter().any(|prefix| is_packed(line, prefix)),
        sudokupad::read_path,
    ),
    FormatReader::new("an f-puzzles puzzle", |line| is_packed(line, "N4Ig"), sudokupad::read_packed_fpuzzles),
    FormatReader::new("a grid of sudokuwiki.org", solver_sites::is_sudokuwiki, solver_sites::read_sudokuwiki),
    FormatReader { recognizes: |line| solver_sites::is_iss(line) && line.contains('~'), ..ISS },
    FormatReader::new("a killer puzzle", is_killer, read_killer),
    FormatReader::new("a puzzle of another program", |line| other_program(line).is_some(), read_other),
];

const ISS: FormatReader = FormatReader::new(
    "a constraint string of the Interactive Sudoku Solver",
    solver_sites::is_iss,
    solver_sites::read_iss,
);
pub(super) const XML: FormatReader = FormatReader::new("a game of OpenSudoku", |_| false, markup::read_game);
pub(super) const CSV: FormatReader =
    FormatReader::new("a line of Pinion's comma separated values", |_| false, records::read_csv);

type TextReader = fn(&str) -> Result<Content, FormatError>;

impl FormatReader {
    const fn new(name: &'static str, recognizes: fn(&str) -> bool, read: TextReader) -> FormatReader {
        FormatReader { name, recognizes, read }
    }

    pub fn puzzle(self, text: &str, line: usize, boards: BoardChoice<'_>) -> Reading {
        (self.read)(text.trim()).map_err(|error| error.in_format(line, self.name, ""))?.into_puzzle(line, boards)
    }
}

/// Returns the reader of a text that can only be of one format.
pub(super) fn reader_of(line: &str) -> Option<FormatReader> {
    READERS.into_iter().find(|reader| (reader.recognizes)(line.trim()))
}

/// Returns true if a compressed text follows the prefix. A compressed puzzle has far more than 12 characters; a line that has only cells
/// is no compressed text.
fn is_packed(line: &str, prefix: &str) -> bool {
    let packed = line.strip_prefix(prefix);
    packed.is_some_and(|packed| {
        packed.len() > 12 && !packed.contains(char::is_whitespace) && !line.chars().all(is_symbol)
    })
}

/// Returns the reader of constraint strings, if the line begins one. A constraint string may have several lines.
pub(super) fn constraint_reader(line: &str) -> Option<FormatReader> {
    (ISS.recognizes)(line.trim()).then_some(ISS)
}

/// Programs and pages whose puzzles are not read: (beginning of a text or part of an address, name of the program, advice).
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

/// Returns the name of the program whose text or page this is, and advice, if its puzzles are not read.
fn other_program(text: &str) -> Option<(&'static str, &'static str)> {
    let address = text.split_once("://").map_or(text, |(_, rest)| rest).trim_start_matches("www.");
    let entry = OTHER_PROGRAMS.iter().find(|(pattern, ..)| {
        let is_page = is_link(text) && address.contains(pattern);
        // The name of a page in running text is no puzzle.
        let is_page_name = pattern.contains('.') && !pattern.contains('=');
        is_page || (address.starts_with(pattern) && !is_page_name)
    });
    entry.map(|(_, program, help)| (*program, *help))
}

fn read_other(text: &str) -> Result<Content, FormatError> {
    let (program, help) = other_program(text).unwrap_or(("another program", COPY_DIGITS));
    Err(broken(format!("Pinion does not read those of {program}")).with_help(help))
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

const SCHEMES: [&str; 3] = ["https://", "http://", "sudokupad://"];

/// Returns true if a text is no link, or a link to a page whose links are read.
pub(super) fn is_readable(text: &str) -> bool {
    !is_link(text) || text.starts_with("sudokupad://") || HOSTS.iter().any(|host| text.contains(host))
}

/// Returns the links in a line, among words or in Markdown or HTML, that lead to pages whose links are read.
pub(super) fn links_in(line: &str) -> Vec<&str> {
    if !line.contains("://") {
        return Vec::new();
    }
    let starts = SCHEMES.iter().flat_map(|scheme| line.match_indices(scheme));
    let mut starts: Vec<usize> = starts.map(|(at, _)| at).collect();
    starts.sort_unstable();
    let links = starts.into_iter().map(|at| line[at..].split(ends_link).next().unwrap_or_default());
    let mut links: Vec<&str> =
        links.map(|link| link.trim_end_matches(['.', ',', ';', '!'])).filter(|link| is_readable(link)).collect();
    links.dedup();
    links
}

fn ends_link(c: char) -> bool {
    c.is_whitespace() || matches!(c, ')' | ']' | '>' | '<' | '"' | '\'' | '`')
}

fn is_link(line: &str) -> bool {
    let bare = line.trim_start_matches("www.");
    SCHEMES.iter().any(|scheme| line.starts_with(scheme)) || HOSTS.iter().any(|host| bare.starts_with(host))
}

fn read_link(text: &str) -> Result<Content, FormatError> {
    let text = text.split_whitespace().next().unwrap_or_default();
    let address = text.split_once("://").map_or(text, |(_, rest)| rest);
    let host_and_rest = HOSTS.iter().find_map(|host| address.find(host).map(|at| (*host, &address[at + host.len()..])));
    let (host, rest) = match host_and_rest {
        Some(host_and_rest) => host_and_rest,
        None if text.starts_with("sudokupad://") => ("sudokupad.app", address.trim_start_matches("puzzle")),
        None if other_program(text).is_some() => return read_other(text),
        None => {
            return Err(broken("it leads to a page whose links Pinion does not read")
                .with_help(format!("links of these are read: {}", HOSTS.join(", "))));
        }
    };
    match host {
        "f-puzzles.com" if rest.contains("id=") => {
            Err(broken("it has only f-puzzles' number of the puzzle, which lies on the server")
                .with_help("open it and choose Export: that link goes on with load="))
        }
        "f-puzzles.com" => sudokupad::read_packed_fpuzzles(query_parameter(rest, "load")?),
        "sudokuwiki.org" => match percent_decoded(query_parameter(rest, "bd")?)? {
            cells if cells.len() == 81 && !solver_sites::is_sudokuwiki(&cells) => read_digits(&cells),
            cells => solver_sites::read_sudokuwiki(&cells),
        },
        "sudokuexchange.com" => read_digits(query_parameter(rest, "s")?),
        "sudoku.coach" => match rest.find(solver_sites::COACH_PREFIX) {
            Some(at) => solver_sites::read_coach(rest[at..].split(['?', '&', '#']).next().unwrap_or_default()),
            None => read_digits(rest.rsplit(['/', '=']).next().unwrap_or_default()),
        },
        "sigh.github.io/Interactive-Sudoku-Solver" => {
            solver_sites::read_iss(&percent_decoded(query_parameter(rest, "q")?)?)
        }
        _ => sudokupad::read_path(rest.trim_start_matches('/')),
    }
}

/// Returns the value of a parameter in the query of a link; `rest` is the link after the host.
fn query_parameter<'t>(rest: &'t str, key: &str) -> Result<&'t str, FormatError> {
    let query = rest.split_once('?').map_or("", |(_, query)| query.split('#').next().unwrap_or_default());
    let parameter = query.split('&').filter_map(|part| part.split_once('=')).find(|(name, _)| *name == key);
    parameter.map(|(_, value)| value).ok_or_else(|| broken(format!("it holds no puzzle: `{key}=` is missing")))
}

/// Reads one digit for each cell of a 9×9 board.
fn read_digits(text: &str) -> Result<Content, FormatError> {
    let mut content = Content::new(9)?;
    content.givens = content.read_cells(text)?;
    Ok(content)
}

/// Longest compressed text that is read, in characters.
pub const LONGEST_LINK: usize = 16 * 1024;

/// Longest text that a link may decompress to, in bytes.
pub const LONGEST_TEXT: usize = 1024 * 1024;

const COMPRESSION_LEVEL: u8 = 9;

pub(super) fn percent_decoded(text: &str) -> Result<String, FormatError> {
    check_length(text)?;
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| broken("its percent signs give no text"))
}

/// Decompresses LZ-string in base 64, in the standard alphabet or the alphabet for links.
pub(super) fn from_lz(text: &str) -> Result<String, FormatError> {
    // Links have `-` for `+` and `_` for `/`; a `+` in a query may have become a blank.
    let text = percent_decoded(text)?.replace(['-', ' '], "+").replace('_', "/");
    let text = text.trim_end_matches('=');
    if let Some(other) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/'))) {
        return Err(broken(format!("`{other}` is not a character of base 64")));
    }
    // Links lose the padding of the last group; more padding than needed does no harm.
    let unpacked = lz_str::decompress_from_base64(&format!("{text}===="));
    let unpacked = unpacked.filter(|units| !units.is_empty()).ok_or_else(damaged_error)?;
    if unpacked.len() > LONGEST_TEXT {
        return Err(too_long_error());
    }
    String::from_utf16(&unpacked).map_err(|_| damaged_error())
}

pub(super) fn parse_object(text: &str) -> Result<Map<String, Value>, FormatError> {
    serde_json::from_str(text).map_err(|error| broken(format!("what it unpacks to is no JSON object: {error}")))
}

/// Compresses with LZ-string in base 64.
pub(super) fn to_lz(text: &str) -> String {
    lz_str::compress_to_base64(text)
}

/// Decodes base 32 and decompresses deflate.
pub(super) fn from_base32(text: &str) -> Result<String, FormatError> {
    check_length(text)?;
    let bytes = base32_encoding()
        .decode(text.trim_end_matches('=').as_bytes())
        .map_err(|_| broken("it is not base 32: some characters are missing or wrong"))?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, LONGEST_TEXT).map_err(|error| match error.status {
        miniz_oxide::inflate::TINFLStatus::HasMoreOutput => too_long_error(),
        _ => damaged_error(),
    })?;
    String::from_utf8(text).map_err(|_| damaged_error())
}

/// Compresses with deflate and encodes in base 32.
pub(super) fn to_base32(text: &str) -> String {
    base32_encoding().encode(&compress_to_vec_zlib(text.as_bytes(), COMPRESSION_LEVEL))
}

/// Returns the encoding of base 32 with the digits and the lower-case letters up to v, without padding.
fn base32_encoding() -> &'static Encoding {
    static ENCODING: OnceLock<Encoding> = OnceLock::new();
    ENCODING.get_or_init(|| {
        let mut alphabet = Specification::new();
        alphabet.symbols.push_str("0123456789abcdefghijklmnopqrstuv");
        alphabet.check_trailing_bits = false;
        alphabet.encoding().unwrap_or(data_encoding::BASE32HEX_NOPAD)
    })
}

fn check_length(text: &str) -> Result<(), FormatError> {
    match text.len() {
        0 => Err(broken("nothing is packed in it")),
        1..=LONGEST_LINK => Ok(()),
        count => Err(broken(format!("it has {count} characters; at most {LONGEST_LINK} are unpacked"))),
    }
}

fn damaged_error() -> FormatError {
    broken("it cannot be unpacked: characters are missing or wrong").with_help("copy the whole link")
}

fn too_long_error() -> FormatError {
    broken(format!("it unpacks to more than {LONGEST_TEXT} bytes"))
}

/// Symbols of the compact form. A cell with such a symbol points to the cell with the sum of its cage.
const POINTERS: [char; 7] = ['<', '>', '^', 'v', '`', '\'', ','];

fn is_killer(line: &str) -> bool {
    let is_compact = line.chars().filter(|c| matches!(c, '<' | '>' | '^' | 'v')).count() >= 9
        && line.chars().count() == 81
        && line.chars().all(|c| c.is_ascii_alphanumeric() || c == '.' || POINTERS.contains(&c));
    is_compact || line.starts_with("3x3:") || line.starts_with("SumoCue")
}

fn read_killer(text: &str) -> Result<Content, FormatError> {
    let is_jigsaw = text.starts_with("SumoCue") && text.contains('J');
    Err(constraint(if is_jigsaw { "cages of a killer jigsaw" } else { "killer cages" }))
}

/// Operators between a pattern and its effect.
const STEP_OPERATORS: [&str; 4] = ["=>", "<>", "≠", "taken off"];

fn is_step(line: &str) -> bool {
    let has_cell = line.split(|c: char| !c.is_ascii_alphanumeric()).any(is_cell_name);
    // XSudo writes the rank of a step, and its sets as `base \ cover`.
    let is_xsudo_step = line.contains("(Rank ") && line.contains('\\');
    is_xsudo_step || (has_cell && STEP_OPERATORS.iter().any(|operator| line.contains(operator)))
}

/// Returns true for names of cells: `r4c5`, `r16c20`, `R1C1`, `r4c458`, or `D8`.
fn is_cell_name(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    if word.len() == 2 && word.starts_with(|c: char| matches!(c, 'a'..='j')) && all_digits(&word[1..]) {
        return true;
    }
    // `(1=264)r5c789` and `1r2c5` have a digit before the cell.
    let Some((before, name)) = word.split_once('r') else { return false };
    let (row, column) = name.split_once('c').unwrap_or_default();
    all_digits(before) && [row, column].iter().all(|number| !number.is_empty() && all_digits(number))
}

pub(super) fn all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the error for a text with a step of a solution and no puzzle, if there is such a step.
pub(super) fn step_error(text: &str) -> Option<FormatError> {
    let line = text.lines().position(is_step)?;
    let error = broken("it holds no puzzle")
        .with_help("give the grid that it was found in: 81 characters, a grid of candidates, or a library line");
    Some(error.in_format(line + 1, "a step of a solution", ""))
}
