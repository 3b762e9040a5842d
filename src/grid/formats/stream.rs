//! Texts read line by line. In: lines as they come. Out: puzzles as soon as they are complete. The buffer does not grow with the
//! text.

use super::boards::{self, BoardChoice, MapSearch};
use super::error::{self, FormatError};
use super::lines::{self, DocumentKind, LineKind, kind_of};
use super::link::{self, LONGEST_TEXT};
use super::puzzle::{Puzzle, Reading, is_symbol};
use super::{documents, drawing, encoding, markup, offset, one_line, position_at, programs, records, values};
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
    Found(Vec<Reading>, usize),
}

impl StreamStep {
    fn found(result: Reading, next: usize) -> StreamStep {
        StreamStep::Found(vec![result], next)
    }
}

/// Context from the text read so far.
#[derive(Default)]
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
    context: TextContext<'b>,
    lines: Vec<String>,
    /// Number of characters removed from the beginning of each line.
    shifts: Vec<usize>,
    needed: usize,
    /// Size of the buffered lines in bytes.
    bytes: usize,
    /// Remarks on text since the last puzzle.
    remarks: Vec<String>,
}

impl<'b> Stream<'b> {
    /// Creates a stream. With a board, only puzzles for it are read.
    pub fn new(board: Option<&'b Arc<Geometry>>) -> Stream<'b> {
        let boards = BoardChoice { required: board };
        let context = TextContext { boards, reading: true, begins: true, ..TextContext::default() };
        Stream { context, lines: Vec::new(), shifts: Vec::new(), needed: 1, bytes: 0, remarks: Vec::new() }
    }

    /// Lets a puzzle on a line wait for a map of its regions below. Use it only if nobody waits for the answer before writing on.
    pub fn patient(mut self) -> Stream<'b> {
        self.context.patient = true;
        self
    }

    /// Takes the next line, without its end. Returns the puzzles that it completes.
    pub fn line(&mut self, line: &str) -> Vec<Result<Puzzle, FormatError>> {
        if line.len() > LONGEST_LINE {
            let mut found = self.advance(true);
            self.context.before += 1;
            let message = format!("a line of {} bytes; at most {LONGEST_LINE} are read", line.len());
            found.push(Err(FormatError::new(error::LENGTH, (self.context.before, 1), message)));
            return found;
        }
        let first = self.lines.first();
        let (text, shift) =
            encoding::clean_line(line, || first.is_some_and(|first| matches!(kind_of(first), LineKind::Document(_))));
        let ends_grid = self.waits_for_grid() && kind_of(&text) == LineKind::Whole;
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
        self.lines.len() + 1 < self.needed && self.lines.first().is_some_and(|line| kind_of(line) == LineKind::Row)
    }

    /// Ends the text. Returns the puzzles that were waiting for more lines.
    pub fn end(&mut self) -> Vec<Result<Puzzle, FormatError>> {
        let mut out = self.advance(true);
        if let Some((board, line)) = self.context.above.take() {
            out.push(Err(board.err().unwrap_or_else(|| map_alone(line))));
        }
        if let Some(error) = self.context.short_line.take().filter(|_| !self.context.some && out.is_empty()) {
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
        self.context.before
    }

    fn advance(&mut self, complete: bool) -> Vec<Reading> {
        let texts = std::mem::take(&mut self.lines);
        let lines: Vec<&str> = texts.iter().map(String::as_str).collect();
        let (mut at, mut out) = (0, Vec::new());
        self.needed = 1;
        while at < lines.len() {
            let step = Cursor { context: &mut self.context, lines: &lines, at, complete }.step();
            for (line, words) in self.context.ignored.drain(..) {
                if self.remarks.len() < MOST_REMARKS {
                    self.remarks.push(format!("line {}: {words}", line + self.context.before));
                }
            }
            match step {
                StreamStep::More(needed) => {
                    self.needed = needed;
                    break;
                }
                StreamStep::Past(next) => {
                    self.context.begins = lines[next - 1].trim().is_empty();
                    at = next;
                }
                StreamStep::Found(found, next) => {
                    // A short line below a puzzle on one line may be a damaged puzzle.
                    (self.context.some, self.context.begins) = (true, next > at + 1);
                    out.extend(found.into_iter().map(|result| self.placed(result)));
                    at = next;
                }
            }
        }
        self.lines = texts;
        self.lines.drain(..at);
        self.shifts.drain(..at);
        self.context.before += at;
        self.bytes = self.lines.iter().map(String::len).sum();
        out
    }

    /// Makes line numbers count from the beginning of the text, and puts remarks on the text before a puzzle in front of its own.
    fn placed(&mut self, result: Reading) -> Reading {
        let before = self.context.before;
        match result {
            Ok(mut puzzle) => {
                puzzle.line += before;
                puzzle.remarks.splice(0..0, std::mem::take(&mut self.remarks));
                self.context.last = Some(puzzle.clone());
                Ok(puzzle)
            }
            Err(error) => {
                let shift = self.shifts.get(error.line.wrapping_sub(1)).copied().unwrap_or_default();
                Err(FormatError { column: error.column + shift, line: error.line + before, ..error })
            }
        }
    }
}

/// A line of the buffer, with the lines around it.
struct Cursor<'s, 'b> {
    context: &'s mut TextContext<'b>,
    lines: &'s [&'s str],
    at: usize,
    /// True if no lines follow those of the buffer.
    complete: bool,
}

impl<'s> Cursor<'s, '_> {
    fn step(&mut self) -> StreamStep {
        let (line, next, reading) = (self.lines[self.at], self.at + 1, self.context.reading);
        if line.trim() == records::CSV_HEAD {
            self.context.csv = true;
            return StreamStep::Past(next);
        }
        let kind = match kind_of(line) {
            LineKind::Border if next == self.lines.len() && !self.complete => return StreamStep::More(2),
            LineKind::Border if lines::begins_with_dashes(self.lines, self.at) => LineKind::Row,
            kind => kind,
        };
        if reading
            && matches!(kind, LineKind::Words | LineKind::Whole | LineKind::Row)
            && let Some(step) = self.map_above()
        {
            return step;
        }
        match kind {
            LineKind::Blank if !line.is_empty() && reading => self.empty_row(),
            LineKind::Markup if reading => self.markup(),
            LineKind::Blank | LineKind::Comment | LineKind::Markup | LineKind::Border => StreamStep::Past(next),
            _ if self.context.csv => StreamStep::found(link::CSV.puzzle(line, next, self.context.boards), next),
            LineKind::PuzzleHeading | LineKind::OtherHeading => {
                self.context.reading = kind == LineKind::PuzzleHeading;
                if !self.context.reading {
                    let message = format!("`{}` and the lines below it are no part of a puzzle", line.trim());
                    self.context.ignored.push((next, message));
                }
                StreamStep::Past(next)
            }
            _ if !reading => StreamStep::Past(next),
            LineKind::Words => self.words(),
            LineKind::Whole => self.whole(),
            LineKind::Recognized => self.marked(),
            LineKind::Document(DocumentKind::Xml) => self.games(),
            LineKind::Document(kind) => self.document(kind == DocumentKind::Matrix),
            LineKind::Row => self.grid(),
        }
    }

    /// Returns the number of lines from this one on.
    fn have(&self) -> usize {
        self.lines.len() - self.at
    }

    /// Asks for more lines, unless there are none or there are too many already.
    fn more(&self, needed: usize) -> Option<StreamStep> {
        (!self.complete && self.have() < FARTHEST).then_some(StreamStep::More(needed))
    }

    /// Handles a line of blanks, which may be the first row of an aligned grid.
    fn empty_row(&mut self) -> StreamStep {
        let is_above = self.lines.get(self.at + 1).is_some_and(|next| kind_of(next) == LineKind::Row);
        match self.have() {
            1 if !self.complete => StreamStep::More(2),
            _ if !is_above => StreamStep::Past(self.at + 1),
            have if !self.complete && have <= MOST_ROWS => StreamStep::More(MOST_ROWS + 1),
            _ => match drawing::with_empty_rows(self.lines, self.at, self.context.boards) {
                Some((result, next)) => {
                    self.context.grids |= result.is_ok();
                    StreamStep::found(result, next)
                }
                None => StreamStep::Past(self.at + 1),
            },
        }
    }

    /// Reads a table in HTML. Other markup is passed, with a remark if it has cells.
    fn markup(&mut self) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        if !markup::begins_table(lines[at]) {
            if markup::has_puzzle_cells(lines[at]) {
                self.ignore(at + 1);
            }
            return StreamStep::Past(at + 1);
        }
        let position = (at + 1, 1);
        let Some(length) = lines[at..].iter().take(FARTHEST).position(|line| markup::ends_table(line)) else {
            return self.more(self.have() * 2).unwrap_or_else(|| {
                let error = FormatError::new(error::DOCUMENT, position, "this table in HTML is not closed");
                StreamStep::found(Err(error.with_help("close it with </table>")), lines.len().min(at + FARTHEST))
            });
        };
        let end = at + length + 1;
        let rows = markup::table_rows(&lines[at..end].join("\n"));
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let result = match drawing::read_at(&rows, 0, self.context.boards) {
            (Ok(_), next) if next < rows.len() => {
                Err(FormatError::new(error::ROWS, position, "this table in HTML has more rows than a grid"))
            }
            (Ok(puzzle), _) => Ok(Puzzle { line: at + 1, ..puzzle }),
            (Err(error), _) => Err(FormatError { line: at + 1, column: 1, ..error }),
        };
        self.context.grids |= result.is_ok();
        StreamStep::found(result, end)
    }

    /// Reads a map of regions above its puzzle. A map below a puzzle belongs to that one, unless maps stood above others.
    fn map_above(&mut self) -> Option<StreamStep> {
        if self.context.above.is_some() || (self.context.some && !self.context.maps_above && !self.context.patient) {
            return None;
        }
        let position = (self.at + 1, 1);
        let (board, end) = match boards::region_map_at(self.lines, self.at, self.complete) {
            MapSearch::Absent => return None,
            MapSearch::Unfinished => return Some(StreamStep::More(self.have() + 1)),
            MapSearch::Found(symbols, end) => (self.context.boards.board_with_regions(position, &symbols), end),
            MapSearch::Damaged(end) => (Err(boards::damaged_map(position)), end),
        };
        let line = self.context.before + self.at + 1;
        self.context.above = Some((board.map_err(|error| FormatError { line, ..error }), line));
        self.context.maps_above = true;
        Some(StreamStep::Past(end))
    }

    /// Returns the board for the next puzzle: that of the map above it, if there is one.
    fn board_above(&mut self) -> Result<Option<Arc<Geometry>>, FormatError> {
        let board = self.context.above.take().map(|(board, _)| board).transpose();
        board.map_err(|error| FormatError { line: self.at + 1, ..error })
    }

    /// Notes that lines are no part of a puzzle.
    fn ignore(&mut self, end: usize) {
        let shown = shortened(self.lines[self.at]);
        let words = match end - self.at {
            1 => format!("`{shown}` is no part of a puzzle"),
            2 => format!("`{shown}` and the next line are no part of a puzzle"),
            count => format!("`{shown}` and the next {} lines are no part of a puzzle", count - 1),
        };
        self.context.ignored.push((self.at + 1, words));
        self.context.words = self.lines[self.at..end].join(" ");
    }

    /// Returns true if a puzzle is the solution of the one before: every cell has a digit, and words say so.
    fn is_solution(&self, puzzle: &Puzzle, line: &str) -> bool {
        const WORDS: [&str; 6] = ["solution", "solved", "answer", "l\u{f6}sung", "loesung", "soluci\u{f3}n"];
        let Some(last) = self.context.last.as_ref().filter(|last| last.geometry == puzzle.geometry) else {
            return false;
        };
        if !puzzle.geometry.cells().all(|cell| {
            let (given, solved) = (last.givens[cell.index()], puzzle.digit(cell));
            solved.is_some() && (given.is_none() || given == solved)
        }) {
            return false;
        }
        let before = format!("{} {line}", self.context.words).to_lowercase();
        WORDS.iter().any(|word| before.contains(word))
    }

    /// Leaves out words before or after a puzzle, the head of a table, or a fence, with a remark. Words without any puzzle are an error,
    /// because they may be a damaged one.
    fn words(&mut self) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        let mut end = at + 1;
        let mut next = None;
        for (index, line) in lines.iter().enumerate().skip(at + 1).take(FARTHEST) {
            match kind_of(line) {
                LineKind::Words if matches!(boards::region_map_at(lines, index, true), MapSearch::Absent) => {
                    end = index + 1;
                }
                LineKind::Blank | LineKind::Border | LineKind::Comment => {}
                kind => {
                    next = Some((index, kind));
                    break;
                }
            }
        }
        if next.is_none()
            && let Some(step) = self.more(self.have() + 1)
        {
            return step;
        }
        let sentences = lines[at..end].iter().all(|line| line.trim().is_empty() || is_sentence(line));
        let belongs = match next {
            None => self.context.grids || (self.context.some && sentences),
            Some((index, LineKind::Row)) => {
                if !self.complete && lines.len() - index < NEAR {
                    return StreamStep::More(index - at + NEAR);
                }
                let (result, after) = drawing::read_at(lines, index, self.context.boards);
                !self.context.some || sentences || self.context.grids || (result.is_ok() && after > index + 1)
            }
            Some(_) => !self.context.some || sentences || self.context.grids,
        };
        if belongs {
            self.ignore(end);
            return StreamStep::Past(end);
        }
        StreamStep::found(drawing::read_at(&lines[..end], at, self.context.boards).0, end)
    }

    /// Refuses a small puzzle that may be the first line of a larger one, broken into lines.
    fn broken_puzzle(&self, boards: BoardChoice<'_>) -> Option<StreamStep> {
        let mut widths = self.lines[self.at..].iter().map(|line| {
            let width = line.chars().all(is_symbol).then(|| line.chars().count());
            width.filter(|width| *width > 0)
        });
        let first = widths.next()??;
        boards.size_with_cells(first).filter(|_| first < SAFE)?;
        let (mut sum, mut count) = (first, 1);
        for next in widths.take(MOST_ROWS) {
            let next = next?;
            (sum, count) = (sum + next, count + 1);
            if next != first {
                boards.size_with_cells(sum).filter(|_| boards.size_with_cells(next).is_none())?;
                let message =
                    format!("{sum} characters on {count} lines may be one puzzle, and so may the first {first}");
                let error = FormatError::new(error::LENGTH, (self.at + 1, 1), message);
                return Some(StreamStep::found(Err(error.with_help("write each puzzle on one line")), self.at + count));
            }
        }
        None
    }

    /// Reads a puzzle on one line, perhaps with a map of its regions on the lines below.
    fn whole(&mut self) -> StreamStep {
        let (lines, at, next, patient) = (self.lines, self.at, self.at + 1, self.context.patient);
        if patient && !self.complete && boards::may_continue_region_map(lines, next) {
            return StreamStep::More(self.have() + 1);
        }
        if boards::is_region_map(lines[at].trim()) {
            return StreamStep::found(Err(map_alone(next)), next);
        }
        let above = match self.board_above() {
            Ok(board) => board,
            Err(error) => return StreamStep::found(Err(error), next),
        };
        let boards = above.as_ref().map_or(self.context.boards, |board| BoardChoice { required: Some(board) });
        let map = if above.is_some() { MapSearch::Absent } else { boards::region_map_at(lines, next, self.complete) };
        match map {
            MapSearch::Found(symbols, end) => {
                let board = self.context.boards.board_with_regions((end, 1), &symbols);
                let read =
                    board.and_then(|board| one_line::read(next, lines[at], BoardChoice { required: Some(&board) }));
                return StreamStep::found(read, end);
            }
            MapSearch::Unfinished if patient => return StreamStep::More(self.have() + 1),
            MapSearch::Damaged(end) => return StreamStep::found(Err(boards::damaged_map((end, 1))), end),
            _ => {}
        }
        if patient && lines[at].len() < SAFE {
            if self.have() < MOST_ROWS && !self.complete {
                return StreamStep::More(MOST_ROWS);
            }
            if let Some(step) = self.broken_puzzle(boards) {
                return step;
            }
        }
        let result = one_line::read(next, lines[at], boards);
        if result.as_ref().is_ok_and(|puzzle| self.is_solution(puzzle, lines[at])) {
            self.ignore(next);
            return StreamStep::Past(next);
        }
        StreamStep::found(result, next)
    }

    /// Reads a link, or constraints on one line or several.
    fn marked(&mut self) -> StreamStep {
        let (lines, at, line, boards) = (self.lines, self.at, self.lines[self.at], self.context.boards);
        let links = link::links_in(line);
        if let [_, second, ..] = links.as_slice() {
            let position = position_at(at + 1, line, offset(second, line));
            let message = "a second link begins here; one is expected on a line";
            let error =
                FormatError::new(error::SEVERAL, position, message).with_help("write each link on a line of its own");
            return StreamStep::found(Err(error), at + 1);
        }
        if let [link] = links.as_slice()
            && let Some(reader) = link::reader_of(link)
        {
            if line.trim() != *link {
                let message = shortened(&line.replace(link, "\u{2026}"));
                self.context.ignored.push((at + 1, format!("`{message}` is no part of a puzzle")));
            }
            return StreamStep::found(reader.puzzle(link, at + 1, boards), at + 1);
        }
        let constraints = link::constraint_reader(line);
        let Some(reader) = link::reader_of(line).or(constraints) else { return StreamStep::Past(at + 1) };
        let mut end = at + 1;
        if constraints.is_some() && !(line.trim_start().starts_with(".Shape") && line.contains(".~")) {
            let most = lines.len().min(at + FARTHEST);
            while end < most && programs::iss_goes_on(&lines[at..end], lines[end].trim()) {
                end += 1;
            }
            if end == lines.len()
                && let Some(step) = self.more(self.have() + 1)
            {
                return step;
            }
        }
        StreamStep::found(reader.puzzle(&lines[at..end].join("\n"), at + 1, boards), end)
    }

    /// Reads an object or a matrix, which may end lines later.
    fn document(&mut self, is_matrix: bool) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        if documents::is_text(lines[at]) {
            return self.read_document(at + 1);
        }
        let most = if self.context.unclosed { FARTHEST } else { LONGEST_DOCUMENT };
        match closed(&lines[at..], most, is_matrix) {
            // Rows of a matrix may lack brackets around all of them.
            Ok(1) if is_matrix && documents::is_row(lines[at]) => {
                if self.have() <= MOST_ROWS && !self.complete {
                    return StreamStep::More(MOST_ROWS + 1);
                }
                let below = lines[at + 1..].iter().take(MOST_ROWS).take_while(|line| documents::is_row(line));
                self.read_document(at + 1 + below.count())
            }
            Ok(length) => self.read_document(at + length),
            Err(needed) if !self.complete && needed <= most => StreamStep::More(needed),
            Err(_) => {
                // Search less far for the end of another document, so that open brackets cost linear time.
                self.context.unclosed = true;
                let paragraph = lines[at..].iter().take_while(|line| !line.trim().is_empty()).count();
                self.read_document(at + paragraph.min(FARTHEST))
            }
        }
    }

    fn read_document(&self, end: usize) -> StreamStep {
        let text = self.lines[self.at..end].join("\n");
        StreamStep::Found(documents::read(&text, self.at + 1, self.context.boards), end)
    }

    /// Reads all games in XML that begin on a line.
    fn games(&self) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        let mut found = Vec::new();
        let (mut line, mut text) = (at, lines[at].to_string());
        while let Some(start) = markup::game_start(&text) {
            text.drain(..start);
            let first = line;
            let mut end = markup::game_end(&text);
            while end.is_none() && line + 1 < lines.len() && line - at < FARTHEST && text.len() <= LONGEST_TEXT {
                line += 1;
                text = format!("{text}\n{}", lines[line]);
                end = markup::game_end(&text);
            }
            if end.is_none() && !self.complete && line - at < FARTHEST && text.len() <= LONGEST_TEXT {
                return StreamStep::More(self.have() * 2);
            }
            let game: String = text.drain(..end.unwrap_or(text.len())).collect();
            found.push(link::XML.puzzle(&game, first + 1, self.context.boards));
        }
        StreamStep::Found(found, line + 1)
    }

    /// Reads a grid on several lines, with the placed digits that may follow it.
    fn grid(&mut self) -> StreamStep {
        let (all, at) = (self.lines, self.at);
        let alone = lines::is_whole(all[at], self.context.boards.required.map(|board| board.cell_count()));
        // Nothing that follows a whole puzzle belongs to a grid before it.
        let end = (at + 1..all.len() + usize::from(alone))
            .take_while(|_| !self.complete)
            .find(|&line| alone || kind_of(all[line]) == LineKind::Whole && !boards::is_region_map(all[line].trim()));
        let (lines, complete) = end.map_or((all, self.complete), |end| (&all[..end], true));
        let have = lines.len() - at;
        if !complete && have < NEAR {
            return StreamStep::More(NEAR);
        }
        let above = self.context.above.clone();
        let boards = match &above {
            Some((Ok(board), _)) => BoardChoice { required: Some(board) },
            _ => self.context.boards,
        };
        let (result, mut next) = drawing::read_at(lines, at, boards);
        let first_lines = lines[at..next].iter().take_while(|line| !line.trim().is_empty()).count();
        match boards::region_map_at(lines, next, complete) {
            _ if above.is_some() => {}
            MapSearch::Found(symbols, end)
                if result.is_ok() || symbols.chars().count() == first_lines * first_lines =>
            {
                let board = self.context.boards.board_with_regions((next + 1, 1), &symbols);
                let read =
                    board.and_then(|board| drawing::read_at(lines, at, BoardChoice { required: Some(&board) }).0);
                return StreamStep::found(read, end);
            }
            MapSearch::Damaged(end) if result.is_ok() => {
                return StreamStep::found(Err(boards::damaged_map((next + 1, 1))), end);
            }
            _ => {}
        }
        let sure = result.is_ok() && next + MOST_ROWS <= lines.len();
        if !complete && !sure && have < FARTHEST {
            return StreamStep::More((have * 2).min(FARTHEST));
        }
        if result.is_ok()
            && next == at + 1
            && let Some(step) = self.broken_puzzle(boards)
        {
            return step;
        }
        if let Err(error) = self.board_above() {
            return StreamStep::found(Err(error), next);
        }
        match result {
            Ok(puzzle) if self.is_solution(&puzzle, "") => {
                self.ignore(next);
                StreamStep::Past(next)
            }
            Ok(mut puzzle) => {
                self.context.grids |= next > at + 1;
                let result = match state_after(lines, next, boards, &mut puzzle) {
                    Some((state, end)) => {
                        (next, self.context.reading) = (end, false);
                        state.map(|()| puzzle)
                    }
                    None => Ok(puzzle),
                };
                StreamStep::found(result, next)
            }
            Err(error) if self.is_alone(lines) && lines::is_short_note(lines[at]) => {
                let line = self.context.before + error.line;
                self.context.short_line.get_or_insert(FormatError { line, ..error });
                self.ignore(at + 1);
                StreamStep::Past(at + 1)
            }
            wrong => StreamStep::found(wrong, next),
        }
    }

    /// Returns true if no row stands right above or below the line.
    fn is_alone(&self, lines: &[&str]) -> bool {
        let before = self.context.begins || self.at > 0 && lines[self.at - 1].trim().is_empty();
        before && lines.get(self.at + 1).is_none_or(|next| !matches!(kind_of(next), LineKind::Row | LineKind::Border))
    }
}

/// Refuses a map of regions without a puzzle.
fn map_alone(line: usize) -> FormatError {
    FormatError::new(error::REGIONS, (line, 1), "this is a map of regions and no puzzle")
        .with_help("write it after the puzzle, on its line")
}

/// Shortens a text, for remarks.
fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = text.trim();
    let shown: String = text.chars().take(LONGEST).collect();
    if shown.len() < text.len() { shown + "\u{2026}" } else { shown }
}

/// Returns true for several words, words with punctuation, settings and closing brackets.
fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let ends = line.ends_with([':', '!', '.', '?', ',']);
    line.contains(' ') || ends || line.starts_with(['`', '~', '[', '}', ')', ']']) || lines::is_setting(line)
}

/// Returns the number of lines of the document that begins the text, or the number of lines to examine next.
fn closed(lines: &[&str], most: usize, is_matrix: bool) -> Result<usize, usize> {
    let have = lines.len().min(most);
    let mut count = 1;
    loop {
        let text = lines[..count.min(have)].join("\n");
        if let Some(end) = values::end(&text, is_matrix) {
            return Ok(text[..end].matches('\n').count() + 1);
        }
        if count >= have {
            return Err(have * 2);
        }
        count *= 2;
    }
}

/// Reads `[State]` below a grid: its digits that are not clues were placed. Returns the outcome and the line after it, or `None` if
/// there is no state.
fn state_after(
    lines: &[&str],
    at: usize,
    boards: BoardChoice<'_>,
    puzzle: &mut Puzzle,
) -> Option<(Result<(), FormatError>, usize)> {
    let mut filled = (at..lines.len()).filter(|&line| !lines[line].trim().is_empty());
    let (heading, first) = (filled.next()?, filled.next()?);
    if !lines[heading].trim().eq_ignore_ascii_case("[state]") {
        return None;
    }
    let (state, end) = drawing::read_at(lines, first, boards);
    let state = match state {
        Ok(state) if state.geometry == puzzle.geometry && state.candidates.is_none() => place_state(puzzle, &state),
        Ok(_) => Err(("it is no state of the puzzle above".to_string(), None)),
        // A few words are no state.
        Err(_) if lines[first..].iter().take_while(|line| !line.trim().is_empty()).count() < 4 => return None,
        Err(error) => Err((error.message, error.help)),
    };
    let state = state.map_err(|(words, help)| {
        let error = FormatError::new(error::DOCUMENT, (heading + 1, 1), format!("`[State]`: {words}"));
        FormatError { help, ..error }
    });
    Some((state, end))
}

/// Places the digits of a state that are not clues. An error has its words and advice.
fn place_state(puzzle: &mut Puzzle, state: &Puzzle) -> Result<(), (String, Option<String>)> {
    for cell in puzzle.geometry.cells() {
        match puzzle.digit(cell) {
            None => puzzle.placed[cell.index()] = state.digit(cell),
            clue if clue == state.digit(cell) => puzzle.placed[cell.index()] = None,
            Some(clue) => {
                let name = notation::cell(&puzzle.geometry, cell);
                return Err((format!("{name} is {clue} in the puzzle above, and not here"), None));
            }
        }
    }
    Ok(())
}
