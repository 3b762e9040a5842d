//! Reads texts line by line. In: lines, as they arrive. Out: puzzles, as soon as they are complete. The buffer for unfinished puzzles
//! has a maximum size.

use super::boards::{self, BoardChoice, MapSearch};
use super::error::{self, FormatError};
use super::lines::{self, DocumentKind, LineKind, TextLine, join_lines};
use super::link::{self, LONGEST_TEXT};
use super::puzzle::{Puzzle, Reading, is_symbol};
use super::{documents, drawing, encoding, markup, offset, one_line, position_at, records, solver_sites, values};
use crate::grid::{Geometry, notation};
use std::sync::Arc;

/// Longest line that is read, in bytes.
pub const LONGEST_LINE: usize = 4 * 1024 * 1024;

const MAX_BUFFERED_BYTES: usize = 2 * LONGEST_LINE;

/// Maximum number of lines examined to find the end of a grid or a table.
const MAX_LINES_OF_GRID: usize = 2048;

const MAX_LINES_OF_DOCUMENT: usize = 1 << 18;

/// Number of lines examined first to find the end of a grid.
const FIRST_LINES_OF_GRID: usize = 96;

/// Maximum number of rows of a grid: 25, and a row of labels. Lines further below are no part of the grid.
const MAX_ROWS: usize = 26;

/// Shortest line of a puzzle that can't be a row of a larger puzzle.
const SURELY_WHOLE: usize = 81;

/// Maximum number of remarks that are kept until a puzzle is found.
const MAX_REMARKS: usize = 20;

/// Result of an attempt to read the next lines. Lines are indices into the buffer.
enum StreamStep {
    /// Number of lines needed to decide, unless the text ends before.
    More(usize),
    /// No puzzle; the line at which to continue.
    Skip(usize),
    /// Puzzles, and the line at which to continue.
    Found(Vec<Reading>, usize),
}

impl StreamStep {
    fn found(result: Reading, next: usize) -> StreamStep {
        StreamStep::Found(vec![result], next)
    }
}

/// A map of regions above its puzzle.
#[derive(Clone)]
struct MapAbove {
    board: Result<Arc<Geometry>, FormatError>,
    /// Line of the map in the text, from one.
    line: usize,
}

/// Reads a text line by line. Most fields are facts about the text read so far that influence the reading of the next lines.
#[derive(Default)]
pub struct Stream<'b> {
    lines: Vec<TextLine>,
    /// Number of buffered lines at which to try again.
    needed_lines: usize,
    buffered_bytes: usize,
    /// Remarks on text since the last puzzle.
    remarks: Vec<String>,
    /// Number of lines dropped from the front of the buffer.
    dropped_lines: usize,
    boards: BoardChoice<'b>,
    /// False after `[State]` and other headings of parts that are not read.
    reads_puzzles: bool,
    /// True if a puzzle, valid or not, was read.
    has_puzzle: bool,
    /// True after the heading of Pinion's own comma separated values.
    is_csv: bool,
    /// True if a grid of several lines was read.
    has_grid: bool,
    /// The puzzle read last; its solution may follow.
    last_puzzle: Option<Puzzle>,
    /// The text ignored last; it may announce a solution.
    last_ignored_text: String,
    has_unclosed_document: bool,
    /// Line of the text, from zero. No comment of markup ends between the comment read last and this line.
    no_comment_end_before: usize,
    /// True if a puzzle on one line may wait for the lines below, which may be a map of its regions.
    looks_ahead: bool,
    /// The map of regions of the next puzzle.
    map_above: Option<MapAbove>,
    /// True if maps of regions stand above their puzzles in this text.
    has_maps_above: bool,
    /// True after a blank line or a grid of several lines.
    begins_paragraph: bool,
    /// Error for a line that is too short for a puzzle. It is reported if the text has no puzzle at all.
    short_line: Option<FormatError>,
}

impl<'b> Stream<'b> {
    /// Creates a stream. With a board, only puzzles for this board are read.
    pub fn new(board: Option<&'b Arc<Geometry>>) -> Stream<'b> {
        let boards = BoardChoice { required: board };
        Stream { boards, reads_puzzles: true, begins_paragraph: true, needed_lines: 1, ..Stream::default() }
    }

    /// Lets a puzzle on one line wait for a map of its regions below. Do not use this in a dialogue, in which the next line
    /// comes only after the answer.
    pub fn with_lookahead(mut self) -> Stream<'b> {
        self.looks_ahead = true;
        self
    }

    /// Reads the next line, given without its end. Returns the puzzles that the line completes.
    pub fn read_line(&mut self, line: &str) -> Vec<Result<Puzzle, FormatError>> {
        if line.len() > LONGEST_LINE {
            let mut readings = self.advance(true);
            self.dropped_lines += 1;
            let message = format!("a line of {} bytes; at most {LONGEST_LINE} are read", line.len());
            readings.push(Err(FormatError::new(error::LENGTH, (self.dropped_lines, 1), message)));
            return readings;
        }
        let is_in_document = self.lines.first().is_some_and(|first| matches!(first.kind, LineKind::Document(_)));
        let (text, shift) = encoding::clean_line(line, is_in_document);
        let line = TextLine::new(text, shift);
        let ends_wait = self.waits_for(line.kind);
        self.buffered_bytes += line.len();
        self.lines.push(line);
        let is_full = self.buffered_bytes > MAX_BUFFERED_BYTES;
        if self.lines.len() < self.needed_lines && !ends_wait && !is_full {
            return Vec::new();
        }
        self.advance(is_full)
    }

    /// Returns true if a line of this kind completes the grid or the words that begin in the first buffered line.
    fn waits_for(&self, kind: LineKind) -> bool {
        match self.lines.first().map(|first| first.kind) {
            Some(LineKind::Row) => kind == LineKind::Whole && self.lines.len() + 1 < self.needed_lines,
            Some(LineKind::Words) => !continues_words(kind),
            _ => false,
        }
    }

    /// Ends the text. Returns the puzzles that were waiting for more lines.
    pub fn finish(&mut self) -> Vec<Result<Puzzle, FormatError>> {
        let mut readings = self.advance(true);
        if let Some(map) = self.map_above.take() {
            readings.push(Err(map.board.err().unwrap_or_else(|| map_without_puzzle(map.line))));
        }
        if let Some(error) = self.short_line.take()
            && !self.has_puzzle
            && readings.is_empty()
        {
            readings.push(Err(error));
        }
        readings
    }

    /// Removes and returns the remarks on text after the last puzzle.
    pub fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }

    /// Returns the number of lines that are no longer buffered.
    pub fn lines_read(&self) -> usize {
        self.dropped_lines
    }

    /// Reads as many buffered lines as possible. `is_complete` is true if unfinished puzzles must not wait for more lines.
    fn advance(&mut self, is_complete: bool) -> Vec<Reading> {
        let mut lines = std::mem::take(&mut self.lines);
        let (mut at, mut readings) = (0, Vec::new());
        self.needed_lines = 1;
        while at < lines.len() {
            let step = Cursor { stream: self, lines: &lines, at, is_complete }.step();
            match step {
                StreamStep::More(needed) => {
                    self.needed_lines = needed;
                    break;
                }
                StreamStep::Skip(next) => {
                    self.begins_paragraph = lines[next - 1].trim().is_empty();
                    at = next;
                }
                StreamStep::Found(found, next) => {
                    self.has_puzzle = true;
                    // A short line below a puzzle on one line may be a damaged puzzle.
                    self.begins_paragraph = next > at + 1;
                    readings.extend(found.into_iter().map(|reading| self.with_text_position(reading, &lines)));
                    at = next;
                }
            }
        }
        lines.drain(..at);
        self.lines = lines;
        self.dropped_lines += at;
        self.buffered_bytes = self.lines.iter().map(|line| line.len()).sum();
        readings
    }

    /// Converts positions in the buffer to positions in the text, and adds the remarks on the text before a puzzle to the puzzle.
    fn with_text_position(&mut self, reading: Reading, lines: &[TextLine]) -> Reading {
        let dropped_lines = self.dropped_lines;
        match reading {
            Ok(mut puzzle) => {
                puzzle.line += dropped_lines;
                puzzle.remarks.splice(0..0, std::mem::take(&mut self.remarks));
                self.last_puzzle = Some(puzzle.clone());
                Ok(puzzle)
            }
            Err(error) => {
                let shift = lines.get(error.line.wrapping_sub(1)).map_or(0, |line| line.shift);
                Err(FormatError { column: error.column + shift, line: error.line + dropped_lines, ..error })
            }
        }
    }
}

/// A line of the buffer, with the lines around it.
struct Cursor<'s, 'b> {
    stream: &'s mut Stream<'b>,
    lines: &'s [TextLine],
    at: usize,
    /// True if no lines will follow those of the buffer.
    is_complete: bool,
}

impl<'s> Cursor<'s, '_> {
    /// Reads the line at the cursor, with the lines below that belong to it.
    fn step(&mut self) -> StreamStep {
        let (line, next, reads_puzzles) = (&self.lines[self.at], self.at + 1, self.stream.reads_puzzles);
        if line.trim() == records::CSV_HEADER {
            self.stream.is_csv = true;
            return StreamStep::Skip(next);
        }
        let kind = match line.kind {
            LineKind::Border if next == self.lines.len() && !self.is_complete => return StreamStep::More(2),
            LineKind::Border if lines::begins_with_dashes(self.lines, self.at) => LineKind::Row,
            kind => kind,
        };
        if reads_puzzles
            && matches!(kind, LineKind::Words | LineKind::Whole | LineKind::Row)
            && let Some(step) = self.read_map_above()
        {
            return step;
        }
        match kind {
            LineKind::Blank if !line.is_empty() && reads_puzzles => self.read_empty_row(),
            LineKind::Markup if reads_puzzles => self.read_markup(),
            LineKind::Blank | LineKind::Comment | LineKind::Markup | LineKind::Border => StreamStep::Skip(next),
            _ if self.stream.is_csv => StreamStep::found(link::CSV.puzzle(line, next, self.stream.boards), next),
            LineKind::PuzzleHeading | LineKind::OtherHeading => {
                self.stream.reads_puzzles = kind == LineKind::PuzzleHeading;
                if !self.stream.reads_puzzles {
                    let message = format!("`{}` and the lines below it are no part of a puzzle", line.trim());
                    self.remark(next, &message);
                }
                StreamStep::Skip(next)
            }
            _ if !reads_puzzles => StreamStep::Skip(next),
            LineKind::Words => self.read_words(),
            LineKind::Whole => self.read_whole(),
            LineKind::Recognized => self.read_recognized(),
            LineKind::Document(DocumentKind::Xml) => self.read_games(),
            LineKind::Document(kind) => self.read_document(kind == DocumentKind::Matrix),
            LineKind::Row => self.read_grid(),
        }
    }

    /// Returns the number of buffered lines from the cursor on.
    fn available(&self) -> usize {
        self.lines.len() - self.at
    }

    /// Requests more lines. Returns `None` if there are no more, or the limit is reached.
    fn request(&self, needed: usize) -> Option<StreamStep> {
        if self.is_complete || self.available() >= MAX_LINES_OF_GRID {
            return None;
        }
        Some(StreamStep::More(needed))
    }

    /// Handles a line of blanks, which may be the first row of an aligned grid.
    fn read_empty_row(&mut self) -> StreamStep {
        let is_above_row = self.lines.get(self.at + 1).is_some_and(|next| next.kind == LineKind::Row);
        match self.available() {
            1 if !self.is_complete => StreamStep::More(2),
            _ if !is_above_row => StreamStep::Skip(self.at + 1),
            available if !self.is_complete && available <= MAX_ROWS => StreamStep::More(MAX_ROWS + 1),
            _ => match drawing::read_with_empty_rows(self.lines, self.at, self.stream.boards) {
                Some((result, next)) => {
                    self.stream.has_grid |= result.is_ok();
                    StreamStep::found(result, next)
                }
                None => StreamStep::Skip(self.at + 1),
            },
        }
    }

    /// Reads a table in HTML. Skips other markup, with a remark if it has cells.
    fn read_markup(&mut self) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        if !markup::contains_tag(&lines[at], "<table") {
            let mut next = at + 1;
            if markup::has_open_comment(&lines[at]) {
                let end = lines.len().min(next + MAX_LINES_OF_GRID);
                let searched = self.stream.no_comment_end_before.saturating_sub(self.stream.dropped_lines);
                match (next.max(searched)..end).find(|&line| lines[line].contains("-->")) {
                    Some(last) => next = last + 1,
                    None => {
                        if let Some(step) = self.request(self.available() * 2) {
                            return step;
                        }
                        self.stream.no_comment_end_before = end + self.stream.dropped_lines;
                    }
                }
            }
            if lines[at..next].iter().any(|line| markup::has_puzzle_cells(line)) {
                self.remark_on_ignored(next);
            }
            return StreamStep::Skip(next);
        }
        let position = (at + 1, 1);
        let Some(length) =
            lines[at..].iter().take(MAX_LINES_OF_GRID).position(|line| markup::contains_tag(line, "</table"))
        else {
            if let Some(step) = self.request(self.available() * 2) {
                return step;
            }
            let error = FormatError::new(error::DOCUMENT, position, "this table in HTML is not closed");
            let error = error.with_help("close it with </table>");
            return StreamStep::found(Err(error), lines.len().min(at + MAX_LINES_OF_GRID));
        };
        let end = at + length + 1;
        let rows = markup::table_rows(&join_lines(&lines[at..end], "\n"));
        let rows: Vec<TextLine> = rows.into_iter().map(|row| TextLine::new(row, 0)).collect();
        let result = match drawing::read_at(&rows, 0, self.stream.boards) {
            (Ok(_), next) if next < rows.len() => {
                Err(FormatError::new(error::ROWS, position, "this table in HTML has more rows than a grid"))
            }
            (Ok(puzzle), _) => Ok(Puzzle { line: at + 1, ..puzzle }),
            (Err(error), _) => Err(FormatError { line: at + 1, column: 1, ..error }),
        };
        self.stream.has_grid |= result.is_ok();
        StreamStep::found(result, end)
    }

    /// Reads a map of regions above its puzzle. A map below a puzzle belongs to that puzzle, unless earlier maps in the text stood above
    /// their puzzles.
    fn read_map_above(&mut self) -> Option<StreamStep> {
        let context = &self.stream;
        let is_below_puzzle = context.has_puzzle && !context.has_maps_above && !context.looks_ahead;
        if context.map_above.is_some() || is_below_puzzle {
            return None;
        }
        let position = (self.at + 1, 1);
        let (board, end) = match boards::region_map_at(self.lines, self.at, self.is_complete) {
            MapSearch::Absent => return None,
            MapSearch::Unfinished => return Some(StreamStep::More(more_than(self.available()))),
            MapSearch::Found(symbols, end) => (self.stream.boards.board_with_regions(position, &symbols), end),
            MapSearch::Damaged(end) => (Err(boards::damaged_map(position)), end),
        };
        let line = self.stream.dropped_lines + self.at + 1;
        let board = board.map_err(|error| FormatError { line, ..error });
        self.stream.map_above = Some(MapAbove { board, line });
        self.stream.has_maps_above = true;
        Some(StreamStep::Skip(end))
    }

    /// Removes the map above the next puzzle and returns its board.
    fn take_board_above(&mut self) -> Result<Option<Arc<Geometry>>, FormatError> {
        match self.stream.map_above.take() {
            Some(map) => map.board.map(Some).map_err(|error| FormatError { line: self.at + 1, ..error }),
            None => Ok(None),
        }
    }

    /// Adds a remark on a line of the buffer, from one.
    fn remark(&mut self, line: usize, remark: &str) {
        if self.stream.remarks.len() < MAX_REMARKS {
            self.stream.remarks.push(format!("line {}: {remark}", line + self.stream.dropped_lines));
        }
    }

    /// Records a remark that the lines from the cursor to `end` are no part of a puzzle.
    fn remark_on_ignored(&mut self, end: usize) {
        let first_line = shorten(&self.lines[self.at]);
        let remark = match end - self.at {
            1 => format!("`{first_line}` is no part of a puzzle"),
            2 => format!("`{first_line}` and the next line are no part of a puzzle"),
            count => format!("`{first_line}` and the next {} lines are no part of a puzzle", count - 1),
        };
        self.remark(self.at + 1, &remark);
        self.stream.last_ignored_text = join_lines(&self.lines[self.at..end], " ");
    }

    /// Returns true if a puzzle is the solution of the puzzle before: it is full, agrees with the givens, and its line or the text
    /// above announces a solution.
    fn is_solution(&self, puzzle: &Puzzle, line: &str) -> bool {
        const WORDS: [&str; 6] = ["solution", "solved", "answer", "l\u{f6}sung", "loesung", "soluci\u{f3}n"];
        let Some(last) = &self.stream.last_puzzle else { return false };
        let solves = last.geometry == puzzle.geometry
            && puzzle.geometry.cells().all(|cell| {
                let (given, solved) = (last.givens[cell.index()], puzzle.digit(cell));
                solved.is_some() && (given.is_none() || given == solved)
            });
        let announcement = format!("{} {line}", self.stream.last_ignored_text).to_lowercase();
        solves && WORDS.iter().any(|word| announcement.contains(word))
    }

    /// Skips words before or after a puzzle, the header of a table, or a code fence, with a remark. Words without any puzzle are an
    /// error, because they may be a damaged puzzle.
    fn read_words(&mut self) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        let mut end = at + 1;
        let mut next = None;
        for (index, line) in lines.iter().enumerate().skip(at + 1).take(MAX_LINES_OF_GRID) {
            match line.kind {
                LineKind::Words if matches!(boards::region_map_at(lines, index, true), MapSearch::Absent) => {
                    end = index + 1;
                }
                kind if continues_words(kind) && kind != LineKind::Words => {}
                kind => {
                    next = Some((index, kind));
                    break;
                }
            }
        }
        if next.is_none()
            && let Some(step) = self.request(more_than(self.available()))
        {
            return step;
        }
        let are_sentences = lines[at..end].iter().all(|line| line.trim().is_empty() || is_sentence(line));
        let (has_puzzle, has_grid) = (self.stream.has_puzzle, self.stream.has_grid);
        let are_no_puzzle = !has_puzzle || are_sentences || has_grid;
        let can_be_skipped = match next {
            None => has_grid || (has_puzzle && are_sentences),
            Some((index, LineKind::Row)) => {
                if !self.is_complete && lines.len() - index < FIRST_LINES_OF_GRID {
                    return StreamStep::More(index - at + FIRST_LINES_OF_GRID);
                }
                are_no_puzzle || {
                    let (reading, after) = drawing::read_at(lines, index, self.stream.boards);
                    reading.is_ok() && after > index + 1
                }
            }
            Some(_) => are_no_puzzle,
        };
        if can_be_skipped {
            self.remark_on_ignored(end);
            return StreamStep::Skip(end);
        }
        StreamStep::found(drawing::read_at(&lines[..end], at, self.stream.boards).0, end)
    }

    /// Refuses a small puzzle that may be the first line of a larger puzzle whose line was broken, such as 64 of 81 characters.
    fn refuse_broken_line(&self, boards: BoardChoice<'_>) -> Option<StreamStep> {
        let cell_lines =
            self.lines[self.at..].iter().take_while(|line| !line.is_empty() && line.chars().all(is_symbol));
        let mut widths = cell_lines.map(|line| line.chars().count());
        let first = widths.next()?;
        if first >= SURELY_WHOLE || boards.allowed_size_with_cells(first).is_none() {
            return None;
        }
        let (mut sum, mut count) = (first, 1);
        for next in widths.take(MAX_ROWS) {
            (sum, count) = (sum + next, count + 1);
            if next != first {
                if boards.allowed_size_with_cells(sum).is_none() || boards.allowed_size_with_cells(next).is_some() {
                    return None;
                }
                let message =
                    format!("{sum} characters on {count} lines may be one puzzle, and so may the first {first}");
                let error = FormatError::new(error::LENGTH, (self.at + 1, 1), message);
                return Some(StreamStep::found(Err(error.with_help("write each puzzle on one line")), self.at + count));
            }
        }
        None
    }

    /// Reads a puzzle on one line, perhaps with a map of its regions on the lines below.
    fn read_whole(&mut self) -> StreamStep {
        let (lines, at, next, looks_ahead) = (self.lines, self.at, self.at + 1, self.stream.looks_ahead);
        if looks_ahead && !self.is_complete && boards::may_continue_region_map(lines, next) {
            return StreamStep::More(more_than(self.available()));
        }
        if boards::is_region_map(lines[at].trim()) {
            return StreamStep::found(Err(map_without_puzzle(next)), next);
        }
        let board_above = match self.take_board_above() {
            Ok(board) => board,
            Err(error) => return StreamStep::found(Err(error), next),
        };
        let boards = board_above.as_ref().map_or(self.stream.boards, |board| BoardChoice { required: Some(board) });
        let map_below = match board_above {
            Some(_) => MapSearch::Absent,
            None => boards::region_map_at(lines, next, self.is_complete),
        };
        match map_below {
            MapSearch::Found(symbols, end) => {
                let board = self.stream.boards.board_with_regions((end, 1), &symbols);
                let reading =
                    board.and_then(|board| one_line::read(next, &lines[at], BoardChoice { required: Some(&board) }));
                return StreamStep::found(reading, end);
            }
            MapSearch::Unfinished if looks_ahead => return StreamStep::More(more_than(self.available())),
            MapSearch::Damaged(end) => return StreamStep::found(Err(boards::damaged_map((end, 1))), end),
            MapSearch::Unfinished | MapSearch::Absent => {}
        }
        if looks_ahead && lines[at].len() < SURELY_WHOLE {
            if self.available() < MAX_ROWS && !self.is_complete {
                return StreamStep::More(MAX_ROWS);
            }
            if let Some(step) = self.refuse_broken_line(boards) {
                return step;
            }
        }
        let result = one_line::read(next, &lines[at], boards);
        if result.as_ref().is_ok_and(|puzzle| self.is_solution(puzzle, &lines[at])) {
            self.remark_on_ignored(next);
            return StreamStep::Skip(next);
        }
        StreamStep::found(result, next)
    }

    /// Reads a link, or a constraint string on one line or several.
    fn read_recognized(&mut self) -> StreamStep {
        let (lines, at, boards) = (self.lines, self.at, self.stream.boards);
        let line = &lines[at].text;
        let links = link::links_in(line);
        if let [_, second, ..] = links.as_slice() {
            let position = position_at(at + 1, line, offset(second, line));
            let message = "a second link begins here; one is expected on a line";
            let error = FormatError::new(error::SECOND_PUZZLE, position, message)
                .with_help("write each link on a line of its own");
            return StreamStep::found(Err(error), at + 1);
        }
        if let [link] = links.as_slice()
            && let Some(reader) = link::reader_of(link)
        {
            if line.trim() != *link {
                let message = shorten(&line.replace(link, "\u{2026}"));
                self.remark(at + 1, &format!("`{message}` is no part of a puzzle"));
            }
            return StreamStep::found(reader.puzzle(link, at + 1, boards), at + 1);
        }
        let constraint_reader = link::constraint_reader(line);
        let Some(reader) = link::reader_of(line).or(constraint_reader) else { return StreamStep::Skip(at + 1) };
        let mut end = at + 1;
        // A constraint string with a shape (`.Shape~9x9`) and clues (`.~R1C1~5`) is complete.
        let is_whole = line.trim_start().starts_with(".Shape") && line.contains(".~");
        if constraint_reader.is_some() && !is_whole {
            let limit = lines.len().min(at + MAX_LINES_OF_GRID);
            while end < limit && solver_sites::continues_iss(&lines[at..end], lines[end].trim()) {
                end += 1;
            }
            if end == lines.len()
                && let Some(step) = self.request(more_than(self.available()))
            {
                return step;
            }
        }
        StreamStep::found(reader.puzzle(&join_lines(&lines[at..end], "\n"), at + 1, boards), end)
    }

    /// Reads an object or a matrix on one line or several.
    fn read_document(&mut self, is_matrix: bool) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        if documents::is_text_of_lines(&lines[at]) {
            return self.read_lines_as_document(at + 1);
        }
        let limit = if self.stream.has_unclosed_document { MAX_LINES_OF_GRID } else { MAX_LINES_OF_DOCUMENT };
        match document_length(&lines[at..], limit, is_matrix) {
            // The rows of a matrix may lack a common bracket.
            Ok(1) if is_matrix && documents::is_row(&lines[at]) => {
                if self.available() <= MAX_ROWS && !self.is_complete {
                    return StreamStep::More(MAX_ROWS + 1);
                }
                let below = lines[at + 1..].iter().take(MAX_ROWS).take_while(|line| documents::is_row(line));
                self.read_lines_as_document(at + 1 + below.count())
            }
            Ok(length) => self.read_lines_as_document(at + length),
            Err(needed) if !self.is_complete && needed <= limit => StreamStep::More(needed),
            Err(_) => {
                // Later documents get a smaller limit, so that texts with many open brackets are read in linear time.
                self.stream.has_unclosed_document = true;
                let paragraph = lines[at..].iter().take_while(|line| !line.trim().is_empty()).count();
                self.read_lines_as_document(at + paragraph.min(MAX_LINES_OF_GRID))
            }
        }
    }

    fn read_lines_as_document(&self, end: usize) -> StreamStep {
        let text = join_lines(&self.lines[self.at..end], "\n");
        StreamStep::Found(documents::read(&text, self.at + 1, self.stream.boards), end)
    }

    /// Reads all games of OpenSudoku that begin on a line.
    fn read_games(&self) -> StreamStep {
        let (lines, at) = (self.lines, self.at);
        let mut readings = Vec::new();
        // `text` is the unread rest of the lines up to `last_line`.
        let (mut last_line, mut text) = (at, markup::without_comments(&lines[at]));
        while let Some(start) = markup::game_start(&text) {
            text.drain(..start);
            let first_line = last_line;
            let mut end = markup::game_end(&text);
            while end.is_none() && last_line - at < MAX_LINES_OF_GRID && text.len() <= LONGEST_TEXT {
                let Some(line) = lines.get(last_line + 1) else {
                    if self.is_complete {
                        break;
                    }
                    return StreamStep::More(self.available() * 2);
                };
                last_line += 1;
                text = format!("{text}\n{}", line.text);
                end = markup::game_end(&text);
            }
            let game: String = text.drain(..end.unwrap_or(text.len())).collect();
            readings.push(link::XML.puzzle(&game, first_line + 1, self.stream.boards));
        }
        StreamStep::Found(readings, last_line + 1)
    }

    /// Returns the buffered lines that the grid at the cursor may have, and true if no further lines can belong to the grid.
    fn lines_of_grid(&self) -> (&'s [TextLine], bool) {
        let (lines, at) = (self.lines, self.at);
        if self.is_complete {
            return (lines, true);
        }
        let required_cells = self.stream.boards.required.map(|board| board.cell_count());
        if lines::is_whole(&lines[at], required_cells) {
            return (&lines[..at + 1], true);
        }
        // A whole puzzle ends the grid before it.
        let is_whole = |line: &TextLine| line.kind == LineKind::Whole && !boards::is_region_map(line.trim());
        match (at + 1..lines.len()).find(|&line| is_whole(&lines[line])) {
            Some(end) => (&lines[..end], true),
            None => (lines, false),
        }
    }

    /// Reads a grid on several lines, with the `[State]` that may follow it.
    fn read_grid(&mut self) -> StreamStep {
        let at = self.at;
        let (lines, is_complete) = self.lines_of_grid();
        let available = lines.len() - at;
        if !is_complete && available < FIRST_LINES_OF_GRID {
            return StreamStep::More(FIRST_LINES_OF_GRID);
        }
        let map_above = self.stream.map_above.clone();
        let boards = match &map_above {
            Some(MapAbove { board: Ok(board), .. }) => BoardChoice { required: Some(board) },
            _ => self.stream.boards,
        };
        let (result, mut next) = drawing::read_at(lines, at, boards);
        let grid_height = lines[at..next].iter().take_while(|line| !line.trim().is_empty()).count();
        let map_below = match map_above {
            Some(_) => MapSearch::Absent,
            None => boards::region_map_at(lines, next, is_complete),
        };
        match map_below {
            MapSearch::Found(symbols, end)
                if result.is_ok() || symbols.chars().count() == grid_height * grid_height =>
            {
                let board = self.stream.boards.board_with_regions((next + 1, 1), &symbols);
                let reading =
                    board.and_then(|board| drawing::read_at(lines, at, BoardChoice { required: Some(&board) }).0);
                return StreamStep::found(reading, end);
            }
            MapSearch::Damaged(end) if result.is_ok() => {
                return StreamStep::found(Err(boards::damaged_map((next + 1, 1))), end);
            }
            _ => {}
        }
        let is_final = result.is_ok() && next + MAX_ROWS <= lines.len();
        if !is_complete && !is_final && available < MAX_LINES_OF_GRID {
            return StreamStep::More((available * 2).min(MAX_LINES_OF_GRID));
        }
        if result.is_ok()
            && next == at + 1
            && let Some(step) = self.refuse_broken_line(boards)
        {
            return step;
        }
        if let Err(error) = self.take_board_above() {
            return StreamStep::found(Err(error), next);
        }
        match result {
            Ok(puzzle) if self.is_solution(&puzzle, "") => {
                self.remark_on_ignored(next);
                StreamStep::Skip(next)
            }
            Ok(mut puzzle) => {
                self.stream.has_grid |= next > at + 1;
                let result = match read_state_after(lines, next, boards, &mut puzzle) {
                    Some((result, end)) => {
                        next = end;
                        self.stream.reads_puzzles = false;
                        result.map(|()| puzzle)
                    }
                    None => Ok(puzzle),
                };
                StreamStep::found(result, next)
            }
            Err(error) if self.is_isolated(lines) && lines::is_short_note(&lines[at]) => {
                let line = self.stream.dropped_lines + error.line;
                self.stream.short_line.get_or_insert(FormatError { line, ..error });
                self.remark_on_ignored(at + 1);
                StreamStep::Skip(at + 1)
            }
            Err(error) => StreamStep::found(Err(error), next),
        }
    }

    /// Returns true if no row is directly above or below the cursor.
    fn is_isolated(&self, lines: &[TextLine]) -> bool {
        let begins_paragraph = self.stream.begins_paragraph || self.at > 0 && lines[self.at - 1].trim().is_empty();
        begins_paragraph
            && lines.get(self.at + 1).is_none_or(|next| !matches!(next.kind, LineKind::Row | LineKind::Border))
    }
}

/// Returns true if a line of this kind may stand in a paragraph of words, or between two paragraphs.
fn continues_words(kind: LineKind) -> bool {
    matches!(kind, LineKind::Words | LineKind::Blank | LineKind::Border | LineKind::Comment)
}

/// Returns the number of lines at which to try again. It doubles if there are many, because every attempt examines all lines.
fn more_than(available: usize) -> usize {
    if available < FIRST_LINES_OF_GRID { available + 1 } else { available * 2 }
}

fn map_without_puzzle(line: usize) -> FormatError {
    FormatError::new(error::REGIONS, (line, 1), "this is a map of regions and no puzzle")
        .with_help("write it after the puzzle, on its line")
}

fn shorten(text: &str) -> String {
    const LONGEST: usize = 60;
    let text = text.trim();
    let beginning: String = text.chars().take(LONGEST).collect();
    if beginning.len() < text.len() { beginning + "\u{2026}" } else { beginning }
}

/// Returns true for several words, words with punctuation, settings, code fences and closing brackets.
fn is_sentence(line: &str) -> bool {
    let line = line.trim();
    let has_punctuation = line.ends_with([':', '!', '.', '?', ',']);
    line.contains(' ') || has_punctuation || line.starts_with(['`', '~', '[', '}', ')', ']']) || lines::is_setting(line)
}

/// Returns the number of lines of the document that begins in the first line. The error is the number of lines to examine next.
fn document_length(lines: &[TextLine], limit: usize, is_matrix: bool) -> Result<usize, usize> {
    let available = lines.len().min(limit);
    let mut count = 1;
    loop {
        let text = join_lines(&lines[..count.min(available)], "\n");
        if let Some(end) = values::end_of_brackets(&text, is_matrix) {
            return Ok(text[..end].matches('\n').count() + 1);
        }
        if count >= available {
            return Err(available * 2);
        }
        count *= 2;
    }
}

/// Reads `[State]` below a grid, and adds its digits that are no clues to the puzzle as placed digits. Returns the result and the line
/// after the state, or `None` if there is no state.
fn read_state_after(
    lines: &[TextLine],
    at: usize,
    boards: BoardChoice<'_>,
    puzzle: &mut Puzzle,
) -> Option<(Result<(), FormatError>, usize)> {
    let mut filled_lines = (at..lines.len()).filter(|&line| !lines[line].trim().is_empty());
    let (heading, first) = (filled_lines.next()?, filled_lines.next()?);
    if !lines[heading].trim().eq_ignore_ascii_case("[state]") {
        return None;
    }
    let fault = |message: String| FormatError::new(error::DOCUMENT, (heading + 1, 1), format!("`[State]`: {message}"));
    let (state, end) = drawing::read_at(lines, first, boards);
    let result = match state {
        Ok(state) if state.geometry == puzzle.geometry && state.candidates.is_none() => {
            add_placed_digits(puzzle, &state).map_err(fault)
        }
        Ok(_) => Err(fault("it is no state of the puzzle above".to_string())),
        // Up to three lines of words are no state.
        Err(_) if lines[first..].iter().take_while(|line| !line.trim().is_empty()).count() < 4 => return None,
        Err(error) => Err(FormatError { help: error.help, ..fault(error.message) }),
    };
    Some((result, end))
}

/// Adds the digits of a state that are no clues to the puzzle as placed digits. The error is a message.
fn add_placed_digits(puzzle: &mut Puzzle, state: &Puzzle) -> Result<(), String> {
    for cell in puzzle.geometry.cells() {
        match puzzle.digit(cell) {
            None => puzzle.placed[cell.index()] = state.digit(cell),
            clue if clue == state.digit(cell) => puzzle.placed[cell.index()] = None,
            Some(clue) => {
                let name = notation::cell(&puzzle.geometry, cell);
                return Err(format!("{name} is {clue} in the puzzle above, and not here"));
            }
        }
    }
    Ok(())
}
