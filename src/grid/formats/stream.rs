//! Texts read line by line. In: lines as they come. Out: puzzles as soon as they are complete. The buffer does not grow with the
//! text.

use super::boards::{self, BoardChoice, MapOfRegions};
use super::error::{self, FormatError};
use super::lines::{self, DocumentKind, LineKind};
use super::link::{self, LONGEST_TEXT};
use super::puzzle::{Puzzle, is_symbol};
use super::{documents, drawing, encoding, markup, one_line, records, values};
use crate::grid::{Geometry, notation};
use std::sync::Arc;

/// The longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

/// Largest buffer for the end of a grid or a document, in bytes.
const MOST_BYTES: usize = 2 * LONGEST_LINE;

/// Most lines examined to find the end of a grid or a document.
const FARTHEST: usize = 2048;

/// The most lines of a document.
const LONGEST_DOCUMENT: usize = 1 << 18;

/// Number of lines examined to find the end of a grid.
const NEAR: usize = 96;

/// Most rows of a grid. Lines further below a grid cannot change it.
const MOST_ROWS: usize = 26;

/// A puzzle of fewer characters may be a part of a larger one.
const SAFE: usize = 81;

/// The most remarks that are kept until a puzzle is found.
const MOST_REMARKS: usize = 20;

/// Outcome of the lines read so far.
enum StreamStep {
    /// Number of lines needed to decide, unless the text ends.
    More(usize),
    /// No puzzle here; continue at a line.
    Past(usize),
    /// Puzzles, and the line at which to continue.
    Found(Vec<Result<Puzzle, FormatError>>, usize),
}

/// Context from the text read so far.
struct TextContext<'b> {
    /// Number of lines dropped from the front of the buffer.
    before: usize,
    boards: BoardChoice<'b>,
    /// True if puzzles are read here: not after `[State]` and the like.
    reading: bool,
    /// True if a puzzle or a damaged one was read.
    some: bool,
    /// True after the heading of Pinion's own comma separated values.
    csv: bool,
    /// True if a grid of several lines was read.
    grids: bool,
    /// The last puzzle, and the last words since: a solution may follow them.
    last: Option<Puzzle>,
    words: String,
    /// Text that is no part of a puzzle, and its line in the buffer, from one.
    ignored: Vec<(usize, String)>,
    /// True if a document was not closed.
    unclosed: bool,
    /// True if the whole text is available, so that a puzzle on a line may wait for the lines below.
    patient: bool,
    /// The board of a map of regions that stands above the next puzzle, and the line of the map.
    above: Option<(Result<Arc<Geometry>, FormatError>, usize)>,
    /// True if maps of regions stand above their puzzles in this text.
    maps_above: bool,
    /// True after a blank line or a grid of several lines.
    begins: bool,
    /// Error for a short line, kept in case the text has no puzzle at all.
    short_line: Option<FormatError>,
}

/// Reads a text line by line.
pub struct Stream<'b> {
    scan: TextContext<'b>,
    lines: Vec<String>,
    /// Number of characters removed from the beginning of each line.
    shifts: Vec<usize>,
    /// Number of lines dropped from the front of the buffer.
    before: usize,
    needed: usize,
    /// Size of the buffered lines in bytes.
    bytes: usize,
    /// Remarks on text since the last puzzle.
    remarks: Vec<String>,
}

impl<'b> Stream<'b> {
    /// Creates a stream. With a board, only puzzles for it are read.
    pub fn new(board: Option<&'b Arc<Geometry>>) -> Stream<'b> {
        let scan = TextContext {
            before: 0,
            boards: BoardChoice { only: board },
            reading: true,
            some: false,
            csv: false,
            grids: false,
            last: None,
            words: String::new(),
            ignored: Vec::new(),
            unclosed: false,
            patient: false,
            above: None,
            maps_above: false,
            begins: true,
            short_line: None,
        };
        Stream { scan, lines: Vec::new(), shifts: Vec::new(), before: 0, needed: 1, bytes: 0, remarks: Vec::new() }
    }

    /// Lets a puzzle on a line wait for a map of its regions below. Use it only if nobody waits for the answer before writing on.
    pub fn patient(mut self) -> Stream<'b> {
        self.scan.patient = true;
        self
    }

    /// Takes the next line, without its end. Returns the puzzles that it completes.
    pub fn line(&mut self, line: &str) -> Vec<Result<Puzzle, FormatError>> {
        if line.len() > LONGEST_LINE {
            let mut found = self.advance(true);
            let place = (self.before + 1, 1);
            let words = format!("a line of {} bytes; at most {LONGEST_LINE} are read", line.len());
            self.before += 1;
            found.push(Err(FormatError::new(error::LENGTH, place, words)));
            return found;
        }
        let first = self.lines.first();
        let is_in_document = || first.is_some_and(|first| matches!(lines::kind_of(first), LineKind::Document(_)));
        let (text, shift) = encoding::tidied(line, is_in_document);
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

    /// Returns true if the grid that begins in the first line needs more lines.
    fn waits_for_grid(&self) -> bool {
        self.lines.len() + 1 < self.needed
            && self.lines.first().is_some_and(|line| lines::kind_of(line) == LineKind::Row)
    }

    /// Ends the text. Returns the puzzles that were waiting for more lines.
    pub fn end(&mut self) -> Vec<Result<Puzzle, FormatError>> {
        let mut out = self.advance(true);
        if let Some((board, line)) = self.scan.above.take() {
            out.push(Err(board.err().unwrap_or_else(|| map_alone(line))));
        }
        if let Some(error) = self.scan.short_line.take().filter(|_| !self.scan.some && out.is_empty()) {
            out.push(Err(error));
        }
        out
    }

    /// Takes the remarks about text after the last puzzle.
    pub fn remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Returns the number of lines fully processed.
    pub fn lines_read(&self) -> usize {
        self.before
    }

    fn advance(&mut self, complete: bool) -> Vec<Result<Puzzle, FormatError>> {
        let texts = std::mem::take(&mut self.lines);
        let lines: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut at, mut out) = (0, Vec::new());
        (self.needed, self.scan.before) = (1, self.before);
        while at < lines.len() {
            let step = step(&mut self.scan, &lines, at, complete);
            let before = self.before;
            let sentence = |(line, words): (usize, String)| format!("line {}: {words}", line + before);
            self.remarks.extend(
                self.scan.ignored.drain(..).map(sentence).take(MOST_REMARKS - self.remarks.len().min(MOST_REMARKS)),
            );
            match step {
                StreamStep::More(needed) => {
                    self.needed = needed;
                    break;
                }
                StreamStep::Past(next) => {
                    self.scan.begins = lines[next - 1].trim().is_empty();
                    at = next;
                }
                StreamStep::Found(found, next) => {
                    // A short line below a puzzle on one line may be a damaged puzzle.
                    (self.scan.some, self.scan.begins) = (true, next > at + 1);
                    for result in found {
                        let result = self.placed(result).map(|puzzle| self.with_remarks(puzzle));
                        if let Ok(puzzle) = &result {
                            self.scan.last = Some(puzzle.clone());
                        }
                        out.push(result);
                    }
                    at = next;
                }
            }
        }
        self.lines = texts;
        self.lines.drain(..at);
        self.shifts.drain(..at);
        self.before += at;
        self.bytes = self.lines.iter().map(String::len).sum();
        out
    }

    /// Puts remarks on the text before a puzzle in front of its own.
    fn with_remarks(&mut self, mut puzzle: Puzzle) -> Puzzle {
        puzzle.remarks.splice(0..0, std::mem::take(&mut self.remarks));
        puzzle
    }

    /// Makes line numbers count from the beginning of the text.
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

fn step(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    let line = lines[at];
    if line.trim() == records::CSV_HEAD {
        scan.csv = true;
        return StreamStep::Past(at + 1);
    }
    let kind = match lines::kind_of(line) {
        LineKind::Border if at + 1 == lines.len() && !complete => return StreamStep::More(2),
        LineKind::Border if lines::begins_with_dashes(lines, at) => LineKind::Row,
        kind => kind,
    };
    if kind == LineKind::Blank && !line.is_empty() && scan.reading {
        return empty_row(scan, lines, at, complete);
    }
    if matches!(kind, LineKind::Blank | LineKind::Comment) {
        return StreamStep::Past(at + 1);
    }
    if scan.reading
        && matches!(kind, LineKind::Words | LineKind::Whole | LineKind::Row)
        && let Some(step) = map_above(scan, lines, at, complete)
    {
        return step;
    }
    match kind {
        LineKind::Markup if scan.reading => markup(scan, lines, at, complete),
        LineKind::Blank | LineKind::Comment | LineKind::Markup | LineKind::Border => StreamStep::Past(at + 1),
        _ if scan.csv => StreamStep::Found(vec![link::CSV.puzzle(line, at + 1, scan.boards)], at + 1),
        LineKind::Puzzle | LineKind::OtherPart => {
            scan.reading = kind == LineKind::Puzzle;
            if !scan.reading {
                scan.ignored
                    .push((at + 1, format!("`{}` and the lines below it are no part of a puzzle", line.trim())));
            }
            StreamStep::Past(at + 1)
        }
        _ if !scan.reading => StreamStep::Past(at + 1),
        LineKind::Words => words(scan, lines, at, complete),
        LineKind::Whole => whole(scan, lines, at, complete),
        LineKind::Marked => marked(scan, lines, at, complete),
        LineKind::Document(kind) => document(scan, lines, at, complete, kind),
        LineKind::Row => grid(scan, lines, at, complete),
    }
}

/// Handles a line of blanks, which may be the first row of an aligned grid.
fn empty_row(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    let have = lines.len() - at;
    let is_above = lines.get(at + 1).is_some_and(|next| lines::kind_of(next) == LineKind::Row);
    match have {
        1 if !complete => StreamStep::More(2),
        _ if !is_above => StreamStep::Past(at + 1),
        _ if !complete && have <= MOST_ROWS => StreamStep::More(MOST_ROWS + 1),
        _ => match drawing::with_empty_rows(lines, at, scan.boards) {
            Some((result, next)) => {
                scan.grids |= result.is_ok();
                StreamStep::Found(vec![result], next)
            }
            None => StreamStep::Past(at + 1),
        },
    }
}

/// Reads a table in HTML. Other markup is passed, with a remark if it has cells.
fn markup(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    if !markup::begins_table(lines[at]) {
        if markup::holds_cells(lines[at]) {
            ignore(scan, lines, at, at + 1);
        }
        return StreamStep::Past(at + 1);
    }
    let end = lines[at..].iter().take(FARTHEST).position(|line| markup::ends_table(line)).map(|end| at + end + 1);
    match end {
        None if !complete && lines.len() - at < FARTHEST => StreamStep::More((lines.len() - at) * 2),
        None => {
            let error = FormatError::new(error::DOCUMENT, (at + 1, 1), "this table in HTML is not closed");
            StreamStep::Found(vec![Err(error.help("close it with </table>"))], lines.len().min(at + FARTHEST))
        }
        Some(end) => {
            let rows = markup::rows(&lines[at..end].join("\n"));
            let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
            let (result, next) = drawing::read_at(&rows, 0, scan.boards);
            let rest = || FormatError::new(error::ROWS, (at + 1, 1), "this table in HTML has more rows than a grid");
            let result = if next < rows.len() { result.and_then(|_| Err(rest())) } else { result };
            let placed = |error| FormatError { line: at + 1, column: 1, ..error };
            let result = result.map(|puzzle| Puzzle { line: at + 1, ..puzzle }).map_err(placed);
            scan.grids |= result.is_ok();
            StreamStep::Found(vec![result], end)
        }
    }
}

/// Reads a map of regions above its puzzle. A map below a puzzle belongs to that one, unless maps stood above others.
fn map_above(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> Option<StreamStep> {
    if scan.above.is_some() || (scan.some && !scan.maps_above && !scan.patient) {
        return None;
    }
    let place = (at + 1, 1);
    let (board, end) = match boards::map_at(lines, at, complete) {
        MapOfRegions::Absent => return None,
        MapOfRegions::Unfinished => return Some(StreamStep::More(lines.len() - at + 1)),
        MapOfRegions::Whole(signs, end) => (boards::of_regions(place, &signs, scan.boards.only), end),
        MapOfRegions::Spoilt(end) => (Err(boards::spoilt_map(place)), end),
    };
    let line = scan.before + at + 1;
    scan.above = Some((board.map_err(|error| FormatError { line, ..error }), line));
    scan.maps_above = true;
    Some(StreamStep::Past(end))
}

/// Refuses a map of regions without a puzzle.
fn map_alone(line: usize) -> FormatError {
    FormatError::new(error::REGIONS, (line, 1), "this is a map of regions and no puzzle")
        .help("write it after the puzzle, on its line")
}

/// Returns the board for the next puzzle: that of the map above it, if there is one.
fn board_above(scan: &mut TextContext<'_>, at: usize) -> Result<Option<Arc<Geometry>>, FormatError> {
    scan.above.take().map(|(board, _)| board.map_err(|error| FormatError { line: at + 1, ..error })).transpose()
}

/// Notes that lines are no part of a puzzle.
fn ignore(scan: &mut TextContext<'_>, lines: &[&str], at: usize, end: usize) {
    let shown = shortened(lines[at]);
    let words = match end - at {
        1 => format!("`{shown}` is no part of a puzzle"),
        2 => format!("`{shown}` and the next line are no part of a puzzle"),
        count => format!("`{shown}` and the next {} lines are no part of a puzzle", count - 1),
    };
    scan.ignored.push((at + 1, words));
    scan.words = lines[at..end].join(" ");
}

/// Notes that words of a line are no part of a puzzle.
fn ignore_words(scan: &mut TextContext<'_>, at: usize, words: &str) {
    scan.ignored.push((at + 1, format!("`{}` is no part of a puzzle", shortened(words))));
}

/// Shortens a text, for remarks.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = text.trim();
    let shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() { shown + "\u{2026}" } else { shown }
}

/// Returns true if a puzzle is the solution of the one before: every cell has a digit, and words say so.
fn is_solution(scan: &TextContext<'_>, puzzle: &Puzzle, line: &str) -> bool {
    const WORDS: [&str; 6] = ["solution", "solved", "answer", "l\u{f6}sung", "loesung", "soluci\u{f3}n"];
    let Some(last) = scan.last.as_ref().filter(|last| last.geometry == puzzle.geometry) else { return false };
    let digits = || puzzle.geometry.cells().map(|cell| (last.givens[cell.index()], puzzle.digit(cell)));
    if !digits().all(|(given, solved)| solved.is_some() && (given.is_none() || given == solved)) {
        return false;
    }
    let before = format!("{} {line}", scan.words).to_lowercase();
    WORDS.iter().any(|word| before.contains(word))
}

/// Leaves out words before or after a puzzle, the head of a table, or a fence, with a remark. Words without any puzzle are an error,
/// because they may be a damaged one.
fn words(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    let mut end = at + 1;
    let mut next = None;
    for (index, line) in lines.iter().enumerate().skip(at + 1).take(FARTHEST) {
        match lines::kind_of(line) {
            LineKind::Words if matches!(boards::map_at(lines, index, true), MapOfRegions::Absent) => end = index + 1,
            kind if is_between(kind) => {}
            kind => {
                next = Some((index, kind));
                break;
            }
        }
    }
    if next.is_none() && !complete && lines.len() - at < FARTHEST {
        return StreamStep::More(lines.len() - at + 1);
    }
    let sentences = lines[at..end].iter().all(|line| line.trim().is_empty() || is_sentence(line));
    let belongs = match next {
        None => scan.grids || (scan.some && sentences),
        Some((index, LineKind::Row)) => {
            let have = lines.len() - index;
            if !complete && have < NEAR {
                return StreamStep::More(index - at + NEAR);
            }
            let (result, after) = drawing::read_at(lines, index, scan.boards);
            !scan.some || sentences || scan.grids || (result.is_ok() && after > index + 1)
        }
        Some(_) => !scan.some || sentences || scan.grids,
    };
    if belongs {
        ignore(scan, lines, at, end);
        return StreamStep::Past(end);
    }
    let (result, _) = drawing::read_at(&lines[..end], at, scan.boards);
    StreamStep::Found(vec![result], end)
}

/// Returns true for several words, words with punctuation, settings and closing brackets.
fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let ends = line.ends_with([':', '!', '.', '?', ',']);
    line.contains(' ') || ends || line.starts_with(['`', '~', '[', '}', ')', ']']) || lines::is_setting(line)
}

/// Returns true for lines that may stand between words.
fn is_between(kind: LineKind) -> bool {
    matches!(kind, LineKind::Blank | LineKind::Border | LineKind::Comment)
}

/// Refuses a small puzzle that may be the first line of a larger one, broken into lines.
fn broken_puzzle(lines: &[&str], at: usize, boards: BoardChoice<'_>) -> Option<StreamStep> {
    let length = |line: &&str| line.chars().all(is_symbol).then(|| line.chars().count());
    let first = length(&lines[at]).filter(|first| *first < SAFE && boards.with_cells(*first).is_some())?;
    let mut sum = first;
    for (index, line) in lines.iter().enumerate().skip(at + 1).take(MOST_ROWS) {
        let next = length(line).filter(|next| *next > 0)?;
        sum += next;
        if next != first {
            boards.with_cells(sum).filter(|_| boards.with_cells(next).is_none())?;
            let words =
                format!("{sum} characters on {} lines may be one puzzle, and so may the first {first}", index + 1 - at);
            let error = FormatError::new(error::LENGTH, (at + 1, 1), words).help("write each puzzle on one line");
            return Some(StreamStep::Found(vec![Err(error)], index + 1));
        }
    }
    None
}

/// Reads a puzzle on one line, perhaps with a map of its regions on the lines below.
fn whole(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    if scan.patient && !complete && boards::is_map_open(lines, at + 1) {
        return StreamStep::More(lines.len() - at + 1);
    }
    if boards::is_region_map(lines[at].trim()) {
        return StreamStep::Found(vec![Err(map_alone(at + 1))], at + 1);
    }
    let above = match board_above(scan, at) {
        Ok(board) => board,
        Err(error) => return StreamStep::Found(vec![Err(error)], at + 1),
    };
    let boards = above.as_ref().map_or(scan.boards, |board| BoardChoice { only: Some(board) });
    let map = if above.is_some() { MapOfRegions::Absent } else { boards::map_at(lines, at + 1, complete) };
    match map {
        MapOfRegions::Whole(signs, next) => {
            let board = boards::of_regions((next, 1), &signs, scan.boards.only);
            let read = |board: Arc<Geometry>| one_line::read(at + 1, lines[at], BoardChoice { only: Some(&board) });
            return StreamStep::Found(vec![board.and_then(read)], next);
        }
        MapOfRegions::Unfinished if scan.patient => return StreamStep::More(lines.len() - at + 1),
        MapOfRegions::Spoilt(next) => return StreamStep::Found(vec![Err(boards::spoilt_map((next, 1)))], next),
        _ => {}
    }
    if scan.patient && lines[at].len() < SAFE {
        if lines.len() - at < MOST_ROWS && !complete {
            return StreamStep::More(MOST_ROWS);
        }
        if let Some(step) = broken_puzzle(lines, at, boards) {
            return step;
        }
    }
    let result = one_line::read(at + 1, lines[at], boards);
    if result.as_ref().is_ok_and(|puzzle| is_solution(scan, puzzle, lines[at])) {
        ignore(scan, lines, at, at + 1);
        return StreamStep::Past(at + 1);
    }
    StreamStep::Found(vec![result], at + 1)
}

/// Reads a link, or constraints on one line or several.
fn marked(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    let constraints = link::constraints(lines[at]);
    let links = link::inside(lines[at]);
    if let [_, second, ..] = links.as_slice() {
        let column = lines[at][..second.as_ptr() as usize - lines[at].as_ptr() as usize].chars().count() + 1;
        let error =
            FormatError::new(error::SEVERAL, (at + 1, column), "a second link begins here; one is expected on a line");
        return StreamStep::Found(vec![Err(error.help("write each link on a line of its own"))], at + 1);
    }
    if let [link] = links.as_slice()
        && let Some(reader) = link::reader_of(link)
    {
        if lines[at].trim() != *link {
            ignore_words(scan, at, &lines[at].replace(link, "\u{2026}"));
        }
        return StreamStep::Found(vec![reader.puzzle(link, at + 1, scan.boards)], at + 1);
    }
    let Some(reader) = link::reader_of(lines[at]).or(constraints) else { return StreamStep::Past(at + 1) };
    let whole = lines[at].trim_start().starts_with(".Shape") && lines[at].contains(".~");
    let mut end = at + 1;
    if constraints.is_some() && !whole {
        while end < lines.len()
            && end - at < FARTHEST
            && super::programs::iss_goes_on(&lines[at..end], lines[end].trim())
        {
            end += 1;
        }
        if end == lines.len() && !complete && end - at < FARTHEST {
            return StreamStep::More(lines.len() - at + 1);
        }
    }
    StreamStep::Found(vec![reader.puzzle(&lines[at..end].join("\n"), at + 1, scan.boards)], end)
}

/// Reads an object, a matrix, or games in XML, which may end lines later.
fn document(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool, kind: DocumentKind) -> StreamStep {
    if kind == DocumentKind::Xml {
        return games(scan, lines, at, complete);
    }
    if documents::is_text(lines[at]) {
        return StreamStep::Found(documents::read(lines[at], at + 1, scan.boards), at + 1);
    }
    let rows = kind == DocumentKind::Matrix;
    let most = if scan.unclosed { FARTHEST } else { LONGEST_DOCUMENT };
    match closed(lines, at, most, |text: &str| values::end(text, rows)) {
        Ok(mut next) => {
            // Rows of a matrix may lack brackets around all of them.
            if rows && next == at + 1 && documents::is_row(lines[at]) {
                if next + MOST_ROWS > lines.len() && !complete {
                    return StreamStep::More(MOST_ROWS + 1);
                }
                next += lines[next..].iter().take(MOST_ROWS).take_while(|line| documents::is_row(line)).count();
            }
            StreamStep::Found(documents::read(&lines[at..next].join("\n"), at + 1, scan.boards), next)
        }
        Err(needed) if !complete && needed <= most => StreamStep::More(needed),
        Err(_) => {
            // Search less far for the end of another document, so that open brackets cost linear time.
            scan.unclosed = true;
            let paragraph = lines[at..].iter().take_while(|line| !line.trim().is_empty()).count().min(FARTHEST);
            StreamStep::Found(
                documents::read(&lines[at..at + paragraph].join("\n"), at + 1, scan.boards),
                at + paragraph,
            )
        }
    }
}

/// Returns the line after the one on which a document is closed, or the number of lines to examine next.
fn closed(lines: &[&str], at: usize, most: usize, end: impl Fn(&str) -> Option<usize>) -> Result<usize, usize> {
    let have = (lines.len() - at).min(most);
    let mut count = 1;
    loop {
        let text = lines[at..at + count.min(have)].join("\n");
        if let Some(end) = end(&text) {
            return Ok(at + text[..end].matches('\n').count() + 1);
        }
        if count >= have {
            return Err(have * 2);
        }
        count *= 2;
    }
}

/// Reads all games that begin on a line.
fn games(scan: &TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    let mut found = Vec::new();
    let (mut line, mut text) = (at, lines[at].to_string());
    while let Some(start) = markup::begins_game(&text) {
        text.drain(..start);
        let first = line;
        let end = loop {
            if let Some(end) = markup::game_end(&text) {
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
                return StreamStep::More((lines.len() - at) * 2);
            }
            None => {
                found.push(link::XML.puzzle(&text, first + 1, scan.boards));
                break;
            }
        }
    }
    StreamStep::Found(found, line + 1)
}

/// Reads a grid on several lines, with the placed digits that may follow it.
fn grid(scan: &mut TextContext<'_>, lines: &[&str], at: usize, complete: bool) -> StreamStep {
    let alone = lines::is_whole(lines[at], scan.boards.only.map(|board| board.cell_count()));
    let is_puzzle = |line: &str| lines::kind_of(line) == LineKind::Whole && !boards::is_region_map(line.trim());
    let is_end = |&line: &usize| alone || is_puzzle(lines[line]);
    let end = if complete { None } else { (at + 1..lines.len() + usize::from(alone)).find(is_end) };
    // Nothing that follows a whole puzzle belongs to a grid before it.
    let all = lines;
    let (lines, complete) = end.map_or((lines, complete), |end| (&lines[..end], true));
    let have = lines.len() - at;
    if !complete && have < NEAR {
        return StreamStep::More(NEAR);
    }
    let above = scan.above.clone();
    let boards = match &above {
        Some((Ok(board), _)) => BoardChoice { only: Some(board) },
        _ => scan.boards,
    };
    let (result, mut next) = drawing::read_at(lines, at, boards);
    let first_lines = lines[at..next].iter().take_while(|line| !line.trim().is_empty()).count();
    let fits = |signs: &str| result.is_ok() || signs.chars().count() == first_lines * first_lines;
    match boards::map_at(lines, next, complete) {
        _ if above.is_some() => {}
        MapOfRegions::Whole(signs, end) if fits(&signs) => {
            let board = boards::of_regions((next + 1, 1), &signs, scan.boards.only);
            let read = |board: Arc<Geometry>| drawing::read_at(lines, at, BoardChoice { only: Some(&board) }).0;
            return StreamStep::Found(vec![board.and_then(read)], end);
        }
        MapOfRegions::Spoilt(end) if result.is_ok() => {
            return StreamStep::Found(vec![Err(boards::spoilt_map((next + 1, 1)))], end);
        }
        _ => {}
    }
    let sure = result.is_ok() && next + MOST_ROWS <= lines.len();
    if !complete && !sure && have < FARTHEST {
        return StreamStep::More((have * 2).min(FARTHEST));
    }
    if let Some(step) = broken_puzzle(all, at, boards).filter(|_| result.is_ok() && next == at + 1) {
        return step;
    }
    if let Err(error) = board_above(scan, at) {
        return StreamStep::Found(vec![Err(error)], next);
    }
    match result {
        Ok(puzzle) if is_solution(scan, &puzzle, "") => {
            ignore(scan, lines, at, next);
            StreamStep::Past(next)
        }
        Ok(mut puzzle) => {
            scan.grids |= next > at + 1;
            let result = match state_after(lines, next, boards, &mut puzzle) {
                Some((state, end)) => {
                    (next, scan.reading) = (end, false);
                    state.map(|()| puzzle)
                }
                None => Ok(puzzle),
            };
            StreamStep::Found(vec![result], next)
        }
        Err(error) if is_alone(scan, lines, at) && lines::is_short_note(lines[at]) => {
            let line = scan.before + error.line;
            scan.short_line.get_or_insert(FormatError { line, ..error });
            ignore(scan, lines, at, at + 1);
            StreamStep::Past(at + 1)
        }
        wrong => StreamStep::Found(vec![wrong], next),
    }
}

/// Returns true if no row stands right above or below a line.
fn is_alone(scan: &TextContext<'_>, lines: &[&str], at: usize) -> bool {
    let before = if at > 0 { lines[at - 1].trim().is_empty() || scan.begins } else { scan.begins };
    before && lines.get(at + 1).is_none_or(|next| !matches!(lines::kind_of(next), LineKind::Row | LineKind::Border))
}

/// Reads `[State]` below a grid: its digits that are not clues were placed. Returns the outcome and the line after it, or `None` if
/// there is no state.
fn state_after(
    lines: &[&str],
    at: usize,
    boards: BoardChoice<'_>,
    puzzle: &mut Puzzle,
) -> Option<(Result<(), FormatError>, usize)> {
    let heading = (at..lines.len()).find(|&line| !lines[line].trim().is_empty())?;
    let first = (heading + 1..lines.len()).find(|&line| !lines[line].trim().is_empty())?;
    if !lines[heading].trim().eq_ignore_ascii_case("[state]") {
        return None;
    }
    let refuse = |words: String| FormatError::new(error::DOCUMENT, (heading + 1, 1), format!("`[State]`: {words}"));
    let (state, end) = drawing::read_at(lines, first, boards);
    let state = match state {
        Ok(state) if state.geometry == puzzle.geometry && state.candidates.is_none() => state,
        Ok(_) => return Some((Err(refuse("it is no state of the puzzle above".into())), end)),
        // A few words are no state.
        Err(_) if lines[first..].iter().take_while(|line| !line.trim().is_empty()).count() < 4 => return None,
        Err(error) => return Some((Err(FormatError { help: error.help, ..refuse(error.message) }), end)),
    };
    let cells = || puzzle.geometry.cells().map(|cell| (cell, puzzle.digit(cell), state.digit(cell)));
    if let Some((cell, Some(clue), _)) = cells().find(|(_, clue, now)| clue.is_some() && clue != now) {
        let name = notation::cell(&puzzle.geometry, cell);
        return Some((Err(refuse(format!("{name} is {clue} in the puzzle above, and not here"))), end));
    }
    puzzle.placed = cells().map(|(_, clue, now)| now.filter(|_| clue.is_none())).collect();
    Some((Ok(()), end))
}
