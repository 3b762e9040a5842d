//! Texts read piece by piece. In: lines as they come. Out: puzzles as soon as they are whole; what is kept does not grow with
//! the text.

use super::boards::Boards;
use super::error::{self, FormatError};
use super::lines::{self, Document, LineKind};
use super::packed::LONGEST_TEXT;
use super::puzzle::Puzzle;
use super::{csv, json, link, matrix, one_line, opensudoku, rows};
use crate::grid::Geometry;
use std::sync::Arc;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// The most that is kept to find the end of a grid or a document, in bytes.
const MOST_BYTES: usize = 2 * LONGEST_LINE;

/// The most lines that are looked at to find the end of a grid or a document.
const FARTHEST: usize = 2048;

/// This many lines decide what a plain grid is.
const NEAR: usize = 96;

/// The most rows of a grid: what is found with this many lines after it does not change with more.
const MOST_ROWS: usize = 26;

/// What the lines so far make.
enum Step {
    /// The number of lines that are needed to tell, unless the text ends.
    More(usize),
    /// Nothing is here; go on at a line.
    Past(usize),
    /// Puzzles, and where to go on.
    Found(Vec<Result<Puzzle, FormatError>>, usize),
}

/// What was read so far, as far as it tells how to go on.
struct Scan<'b> {
    boards: Boards<'b>,
    /// Whether what is read is a puzzle: after `[State]` and the like it is not.
    reading: bool,
    /// Whether nothing but comments was read so far.
    first: bool,
    /// Whether the heading of Pinion's own comma separated values was read.
    csv: bool,
    /// Whether a grid of several lines was read.
    grids: bool,
}

/// Reads a text line by line.
pub struct Stream<'b> {
    scan: Scan<'b>,
    lines: Vec<String>,
    /// How many characters were taken from the beginning of each line.
    shifts: Vec<usize>,
    /// How many lines were let go.
    before: usize,
    needed: usize,
    /// How much the lines hold.
    bytes: usize,
}

impl<'b> Stream<'b> {
    /// Begins. With a board only puzzles for it are read.
    pub fn new(board: Option<&'b Arc<Geometry>>) -> Stream<'b> {
        let scan = Scan { boards: Boards { only: board }, reading: true, first: true, csv: false, grids: false };
        Stream { scan, lines: Vec::new(), shifts: Vec::new(), before: 0, needed: 1, bytes: 0 }
    }

    /// Takes the next line, without its end; what it completes.
    pub fn line(&mut self, line: &str) -> Vec<Result<Puzzle, FormatError>> {
        if line.len() > LONGEST_LINE {
            let mut found = self.advance(true);
            let place = (self.before + 1, 1);
            let words = format!("a line of {} bytes; at most {LONGEST_LINE} are read", line.len());
            self.before += 1;
            found.push(Err(FormatError::new(error::LENGTH, place, words)));
            return found;
        }
        let (text, shift) = tidied(line);
        let ends_grid = self.waits_for_grid() && lines::kind_of(&text) == LineKind::Whole;
        self.bytes += text.len();
        self.lines.push(text);
        self.shifts.push(shift);
        match self.bytes > MOST_BYTES {
            true => self.advance(true),
            false if self.lines.len() < self.needed && !ends_grid => Vec::new(),
            false => self.advance(false),
        }
    }

    /// Returns true if more lines are needed to tell what grid begins in the first one.
    fn waits_for_grid(&self) -> bool {
        self.lines.len() + 1 < self.needed
            && self.lines.first().is_some_and(|line| lines::kind_of(line) == LineKind::Row)
    }

    /// The text ends here; what is left of it.
    pub fn end(&mut self) -> Vec<Result<Puzzle, FormatError>> {
        self.advance(true)
    }

    fn advance(&mut self, complete: bool) -> Vec<Result<Puzzle, FormatError>> {
        let lines: Vec<&str> = self.lines.iter().map(String::as_str).collect();
        let (mut at, mut out) = (0, Vec::new());
        self.needed = 1;
        while at < lines.len() {
            match step(&mut self.scan, &lines, at, complete) {
                Step::More(needed) => {
                    self.needed = needed;
                    break;
                }
                Step::Past(next) => at = next,
                Step::Found(found, next) => {
                    out.extend(found.into_iter().map(|result| self.placed(result)));
                    at = next;
                }
            }
        }
        self.lines.drain(..at);
        self.shifts.drain(..at);
        self.before += at;
        self.bytes = self.lines.iter().map(String::len).sum();
        out
    }

    /// Counts lines from the beginning of the text.
    fn placed(&self, result: Result<Puzzle, FormatError>) -> Result<Puzzle, FormatError> {
        let shift = |line: usize| self.shifts.get(line.wrapping_sub(1)).copied().unwrap_or_default();
        match result {
            Ok(puzzle) => Ok(Puzzle { line: puzzle.line + self.before, ..puzzle }),
            Err(error) => {
                Err(FormatError { column: error.column + shift(error.line), line: error.line + self.before, ..error })
            }
        }
    }
}

/// A line without blanks at its end and without the marks of a quotation, with usual digits for wide ones; also how many characters
/// were taken from its beginning.
fn tidied(line: &str) -> (String, usize) {
    // A tab at the end may part an empty cell.
    let mut text = line.trim_end_matches(|c: char| c.is_whitespace() && c != '\t');
    if text.trim().is_empty() {
        text = "";
    }
    let pointers = text.contains(['<', '^']) || text.contains("v>") || text.contains(">v");
    while let Some(rest) = text.strip_prefix('>').filter(|_| !pointers) {
        text = rest.strip_prefix(' ').unwrap_or(rest);
    }
    let shift = line.find(text).map_or(0, |at| line[..at].chars().count());
    (narrow(text), shift)
}

/// Wide digits, blanks and bars as usual ones. A lone wide digit in a long line is a slip of the hand, and stays.
fn narrow(text: &str) -> String {
    const LONG: usize = 36;
    let wide = text.chars().filter(|c| ('\u{ff10}'..='\u{ff19}').contains(c)).count();
    let mixed = text.chars().any(|c| c.is_ascii_digit());
    if wide == 0 || mixed || (wide == 1 && text.chars().count() >= LONG) {
        return text.to_string();
    }
    let usual = |c: char| match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        other => other,
    };
    text.chars().map(usual).collect()
}

fn step(scan: &mut Scan<'_>, lines: &[&str], at: usize, complete: bool) -> Step {
    let line = lines[at];
    if line.trim() == csv::HEAD {
        scan.csv = true;
        return Step::Past(at + 1);
    }
    let kind = match lines::kind_of(line) {
        LineKind::Border if at + 1 == lines.len() && !complete => return Step::More(2),
        LineKind::Border if lines::begins_with_dashes(lines, at) => LineKind::Row,
        kind => kind,
    };
    if matches!(kind, LineKind::Blank | LineKind::Comment) {
        return Step::Past(at + 1);
    }
    let first = std::mem::take(&mut scan.first);
    match kind {
        LineKind::Blank | LineKind::Comment | LineKind::Markup | LineKind::Border => Step::Past(at + 1),
        _ if scan.csv => Step::Found(vec![link::CSV.puzzle(line, at + 1, scan.boards)], at + 1),
        LineKind::Puzzle | LineKind::OtherPart => {
            scan.reading = kind == LineKind::Puzzle;
            Step::Past(at + 1)
        }
        _ if !scan.reading => Step::Past(at + 1),
        LineKind::Whole => Step::Found(vec![one_line::read(at + 1, line, scan.boards)], at + 1),
        LineKind::Marked => marked(scan, lines, at, complete),
        LineKind::Document(kind) => document(scan, lines, at, complete, kind),
        LineKind::Row if first && is_table_head(line) => Step::Past(at + 1),
        LineKind::Row => grid(scan, lines, at, complete),
    }
}

/// Whether the line names the columns of a table: words between commas, perhaps with a comma at its end.
fn is_table_head(line: &str) -> bool {
    let is_word = |part: &str| part.trim().starts_with(char::is_alphabetic) && !part.contains('.');
    line.contains(',') && line.trim_end_matches(',').split(',').all(is_word) && line.len() > 9
}

/// A link, or constraints on one line or several.
fn marked(scan: &Scan<'_>, lines: &[&str], at: usize, complete: bool) -> Step {
    let constraints = link::constraints(lines[at]);
    let Some(reader) = link::reader_of(lines[at]).or(constraints) else { return Step::Past(at + 1) };
    let whole = lines[at].trim_start().starts_with(".Shape") && lines[at].contains(".~");
    let mut end = at + 1;
    if constraints.is_some() && !whole {
        while end < lines.len() && end - at < FARTHEST && super::iss::goes_on(&lines[at..end], lines[end].trim()) {
            end += 1;
        }
        if end == lines.len() && !complete && end - at < FARTHEST {
            return Step::More(lines.len() - at + 1);
        }
    }
    Step::Found(vec![reader.puzzle(&lines[at..end].join("\n"), at + 1, scan.boards)], end)
}

/// An object, a matrix, or games in XML: what begins here and ends lines later.
fn document(scan: &Scan<'_>, lines: &[&str], at: usize, complete: bool, kind: Document) -> Step {
    if kind == Document::Xml {
        return games(scan, lines, at, complete);
    }
    let (reader, end): (_, fn(&str) -> Option<usize>) = match kind {
        Document::Json => (link::JSON, json::end),
        _ => (link::MATRIX, matrix::end),
    };
    match closed(lines, at, end) {
        Ok((text, mut next)) => {
            // A row of a matrix whose rows are not in brackets together.
            let is_row =
                |line: &str| line.trim_start().starts_with('[') && matrix::end(line).is_some() && matrix::is_row(line);
            if kind == Document::Matrix && next == at + 1 && is_row(lines[at]) {
                if next + MOST_ROWS > lines.len() && !complete {
                    return Step::More(MOST_ROWS + 1);
                }
                next += lines[next..].iter().take(MOST_ROWS).take_while(|line| is_row(line)).count();
                return Step::Found(vec![reader.puzzle(&lines[at..next].join("\n"), at + 1, scan.boards)], next);
            }
            Step::Found(vec![reader.puzzle(&text, at + 1, scan.boards)], next)
        }
        Err(needed) if !complete && needed <= FARTHEST => Step::More(needed),
        Err(_) => {
            let paragraph = lines[at..].iter().take_while(|line| !line.trim().is_empty()).count().min(FARTHEST);
            Step::Found(vec![reader.puzzle(&lines[at..at + paragraph].join("\n"), at + 1, scan.boards)], at + paragraph)
        }
    }
}

/// The text from a line on up to where it is closed, and the line after it; or how many lines to look at next.
fn closed(lines: &[&str], at: usize, end: fn(&str) -> Option<usize>) -> Result<(String, usize), usize> {
    let have = (lines.len() - at).min(FARTHEST);
    let mut count = 1;
    loop {
        let text = lines[at..at + count.min(have)].join("\n");
        if let Some(end) = end(&text) {
            return Ok((text[..end].to_string(), at + text[..end].matches('\n').count() + 1));
        }
        if count >= have {
            return Err(have * 2);
        }
        count *= 2;
    }
}

/// All games that begin on a line.
fn games(scan: &Scan<'_>, lines: &[&str], at: usize, complete: bool) -> Step {
    let mut found = Vec::new();
    let (mut line, mut text) = (at, lines[at].to_string());
    while let Some(start) = opensudoku::begins(&text) {
        text.drain(..start);
        let first = line;
        let end = loop {
            if let Some(end) = opensudoku::end(&text) {
                break Some(end);
            }
            if line + 1 >= lines.len() || line - at >= FARTHEST || text.len() > LONGEST_TEXT {
                break None;
            }
            line += 1;
            text = format!("{text}\n{}", lines[line]);
        };
        match end {
            Some(end) => {
                found.push(link::XML.puzzle(&text[..end], first + 1, scan.boards));
                text.drain(..end);
            }
            None if !complete && line - at < FARTHEST && text.len() <= LONGEST_TEXT => {
                return Step::More((lines.len() - at) * 2);
            }
            None => {
                found.push(link::XML.puzzle(&text, first + 1, scan.boards));
                break;
            }
        }
    }
    Step::Found(found, line + 1)
}

/// A grid on several lines, with the placed digits that may follow it.
fn grid(scan: &mut Scan<'_>, lines: &[&str], at: usize, complete: bool) -> Step {
    let alone = lines::is_whole(lines[at], scan.boards.only.map(|board| board.cell_count()));
    let is_end = |&line: &usize| alone || lines::kind_of(lines[line]) == LineKind::Whole;
    let end = if complete { None } else { (at + 1..lines.len() + usize::from(alone)).find(is_end) };
    // Nothing that follows a whole puzzle belongs to a grid before it.
    let (lines, complete) = end.map_or((lines, complete), |end| (&lines[..end], true));
    let have = lines.len() - at;
    if !complete && have < NEAR {
        return Step::More(NEAR);
    }
    let (result, mut next) = rows::read_at(lines, at, scan.boards);
    let sure = result.is_ok() && next + MOST_ROWS <= lines.len();
    if !complete && !sure && have < FARTHEST {
        return Step::More((have * 2).min(FARTHEST));
    }
    match result {
        Err(_) if scan.grids && rows::is_prose(&lines[at..next]) => Step::Past(next),
        Ok(mut puzzle) => {
            scan.grids |= next > at + 1;
            if let Some(end) = state_after(lines, next, scan.boards, &mut puzzle) {
                (next, scan.reading) = (end, false);
            }
            Step::Found(vec![Ok(puzzle)], next)
        }
        wrong => Step::Found(vec![wrong], next),
    }
}

/// `[State]` below a grid: its digits that are not clues were placed. Where the state ends, if it is one.
fn state_after(lines: &[&str], at: usize, boards: Boards<'_>, puzzle: &mut Puzzle) -> Option<usize> {
    let heading = (at..lines.len()).find(|&line| !lines[line].trim().is_empty())?;
    let first = (heading + 1..lines.len()).find(|&line| !lines[line].trim().is_empty())?;
    if !lines[heading].trim().eq_ignore_ascii_case("[state]") {
        return None;
    }
    let (state, end) = rows::read_at(lines, first, boards);
    let state = state.ok().filter(|state| state.geometry == puzzle.geometry && state.candidates.is_none())?;
    let cells = || puzzle.geometry.cells().map(|cell| (puzzle.digit(cell), state.digit(cell)));
    if cells().any(|(clue, now)| clue.is_some() && clue != now) {
        return None;
    }
    puzzle.placed = cells().map(|(clue, now)| now.filter(|_| clue.is_none())).collect();
    Some(end)
}
