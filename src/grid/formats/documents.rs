//! Puzzles in documents and arrays: JSON of any layout, matrices of programming languages. In: text in brackets. Out: every puzzle
//! of it with its path, such as `puzzles[3].grid`, and remarks about other parts.
//!
//! A puzzle is a matrix, a flat list, a list of rows, a text, a list of cells with their places, or an object of a known format.
//! A full grid that continues a puzzle beside it is its solution. Cells are never left out: a list must have as many cells as a
//! board.

use super::arrays::GridList;
use super::boards::{self, BoardChoice};
use super::error::{self, FormatError, broken};
use super::puzzle::{Content, Puzzle, Reading, is_blank, is_symbol, refuse_repeated_digits};
use super::rule_entries::{self, RuleEntry, normalized_key};
use super::values::{self, GroupEntry, NodeGroup, NodeKind, ValueNode};
use super::{arrays, link, one_line, read_many, records};
use crate::grid::notation;

/// Names of puzzles in other programs, the usual ones first.
const PUZZLES: [&str; 22] = [
    "puzzle", "grid", "board", "quiz", "question", "problem", "givens", "clues", "initial", "start", "sudoku", "rows",
    "mission", "unsolved", "task", "value", "values", "cells", "matrix", "field", "basegrid", "state",
];

/// Parts of the names of solutions.
const SOLUTIONS: [&str; 4] = ["solution", "solved", "answer", "complete"];

/// Most characters before the first bracket of an array.
const LONGEST_NAME: usize = 160;

/// The fewest characters of a puzzle: those of 4×4.
const SMALLEST: usize = 16;

/// Fewest characters of a text that is taken for a damaged puzzle regardless of its name.
const SURELY: usize = 50;

/// Returns true if a line begins an array: a bracket with cells or brackets inside, perhaps after a name and `=`.
pub(super) fn begins(line: &str) -> bool {
    if is_text_of_lines(line) {
        return true;
    }
    let assigned = line.find(['=', '\u{2190}']).or_else(|| line.find("<-")).filter(|&at| {
        (1..=LONGEST_NAME).contains(&at)
            && line[..at].chars().all(is_in_name)
            && line[..at].trim_start().starts_with(|c: char| c.is_alphabetic() || "_$@".contains(c))
    });
    let value = assigned.map_or(line, |at| line[at..].trim_start_matches(['=', '<', '-', '\u{2190}', '>']));
    let value = ["return ", "export default ", "- "].iter().find_map(|word| value.strip_prefix(word)).unwrap_or(value);
    if opens_rows(line) || calls_for_rows(value.trim_start()) {
        return true;
    }
    let value = inside_calls(value.trim_start(), assigned.is_some());
    let Some(inside) = value.strip_prefix(['[', '{', '(']) else { return false };
    let sure = value.starts_with('[') || assigned.is_some();
    // R joins its cells with `c(`.
    let inside = inside.trim_start().trim_start_matches("c(");
    if inside.starts_with(['[', '(', '{', '|']) || (inside.is_empty() && sure) {
        return true;
    }
    let row_in_braces = value.starts_with('{') && value.matches('{').count() == 1 && value.matches(',').count() >= 3;
    let (first_group, after) = inside.split_once([']', ')', '}']).unwrap_or((inside, ""));
    let rest = after.trim_start();
    let alone = assigned.is_some()
        || rest.is_empty()
        || rest.starts_with([',', ';', '[', '{', '(', ')', '/', '#'])
        || after.starts_with(":[");
    if !alone || !(sure || row_in_braces) {
        return false;
    }
    let first = first_cell(inside);
    inside.starts_with(['"', '\'', '`'])
        || first_group.contains([',', ' ', ';']) && (first.is_empty() || arrays::is_cell(first))
}

/// Returns the text up to the end of the first cell.
fn first_cell(text: &str) -> &str {
    text.split([',', ' ', ']', '}', ')', ';']).next().unwrap_or_default()
}

/// Returns true if a line is one text in quotes with ends of lines in it.
pub(super) fn is_text_of_lines(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2 && line.starts_with('"') && line.ends_with('"') && line.contains("\\n")
}

/// Returns true if a line is a row of cells in brackets.
pub(super) fn is_row(line: &str) -> bool {
    const LONGEST_ROW: usize = 400;
    if line.len() > LONGEST_ROW || !begins(line.trim()) {
        return false;
    }
    let root = values::read(line).unwrap_or_default();
    let mut lists = root.values().filter(|value| value.is_group());
    lists.next().is_some_and(|row| arrays::row_of_cells(row).is_some()) && lists.next().is_none()
}

/// Returns the text after names of functions and types before a bracket. Without a `=` before them, it is a call only if a bracket or quotes
/// stand inside.
fn inside_calls(text: &str, assigned: bool) -> &str {
    let mut rest = text.trim_start_matches("new ");
    // `int[][]`, `[9][9]int`, `[,]`: a type.
    while let Some(after) = after_size(rest.trim_start_matches(is_in_type)).filter(|_| assigned) {
        rest = after;
    }
    let after = rest.trim_start_matches(is_in_type);
    let is_call =
        after.len() < rest.len() && after.starts_with(['(', '[', '{']) && rest.starts_with(|c: char| c.is_alphabetic());
    if !is_call {
        return rest;
    }
    let inside = after[1..].trim_start();
    let nested = inside.starts_with(['[', '(', '{', '"', '\'']) || inside_calls(inside, false).len() < inside.len();
    if assigned || nested || inside.is_empty() && after.starts_with('(') { after } else { rest }
}

/// Returns true for characters of the name of a type or function.
fn is_in_type(c: char) -> bool {
    c.is_alphanumeric() || "_.:!@".contains(c)
}

/// Returns true for characters of a declaration or call before its first bracket.
fn is_in_name(symbol: char) -> bool {
    symbol.is_alphanumeric() || " _:.[](),<>*&;$@'-?=".contains(symbol)
}

/// Returns true if two brackets with a cell behind them begin rows, after a declaration: `problem(1, [[5, _,`, `(def b [[5 0`.
fn opens_rows(line: &str) -> bool {
    let Some(at) = ["[[", "((", "{{"].iter().filter_map(|double| line.find(double)).min() else { return false };
    let first = first_cell(line[at + 2..].trim_start());
    at <= LONGEST_NAME && line[..at].chars().all(is_in_name) && !first.is_empty() && arrays::is_cell(first)
}

/// Returns true if a line ends with the bracket of a call that builds rows: `List.of(`, `matrix(c(`.
fn calls_for_rows(text: &str) -> bool {
    const BUILDERS: [&str; 11] =
        ["arrayOf", "listOf", "mutableListOf", "Array", "List", "Vector", "Seq", "array", "tensor", "vector", "c"];
    let Some(call) = text.trim_end().strip_suffix('(') else { return false };
    let name = call.rsplit(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).next().unwrap_or_default();
    let is_builder = BUILDERS.contains(&name) || name.contains('.');
    is_builder && name.starts_with(char::is_alphabetic) && call.chars().all(is_in_name)
}

/// Returns the text after the size of a type, `[]`, `[9]` or `[,]`, if a bracket or a name follows.
fn after_size(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    let after = inside.strip_prefix(']')?.trim_start();
    after.starts_with(|c: char| c.is_alphabetic() || "[{(".contains(c)).then_some(after)
}

/// A puzzle of a document, or its error.
struct FoundPuzzle {
    path: String,
    line: usize,
    /// Characters or numbers of the value.
    cells: usize,
    result: Reading,
}

impl FoundPuzzle {
    /// Returns true if it has a puzzle's name, or none.
    fn is_named(&self) -> bool {
        let name = last_key(&self.path);
        name.is_empty() || PUZZLES.contains(&name.as_str()) || PUZZLES.contains(&name.trim_end_matches('s'))
    }
}

/// Collects the puzzles of a document.
struct PuzzleFinder<'b> {
    boards: BoardChoice<'b>,
    /// The name of the format in messages.
    format: &'static str,
    /// The line of the text where the document begins.
    line: usize,
    found: Vec<FoundPuzzle>,
    /// Errors of values that look like puzzles but have other names.
    doubtful: Vec<FormatError>,
    remarks: Vec<String>,
}

/// Reads every puzzle of a document that begins at a line.
pub(super) fn read(text: &str, line: usize, boards: BoardChoice<'_>) -> Vec<Reading> {
    let is_json = text.trim_start().starts_with('{') && records::begins_object(text);
    let format = if is_json { "a puzzle in JSON" } else { "a matrix" };
    let finder = PuzzleFinder { boards, format, line, found: Vec::new(), doubtful: Vec::new(), remarks: Vec::new() };
    finder.read(text, is_json).unwrap_or_else(|error| vec![Err(error.in_format(line, format, ""))])
}

impl PuzzleFinder<'_> {
    fn read(mut self, text: &str, is_json: bool) -> Result<Vec<Reading>, FormatError> {
        // R fills a matrix by columns unless `byrow` is set.
        if text.contains("matrix(c(") && !text.contains("byrow") {
            let message = "nothing shows whether its cells are listed by rows or by columns";
            let error = FormatError::new(error::AMBIGUOUS, (1, 1), message);
            return Err(error.with_help("list the cells by rows, and write byrow = TRUE"));
        }
        let root = values::read(text).map_err(broken)?;
        let numbers: usize = root.values().map(|value| arrays::scalars(value).len()).sum();
        self.top(root);
        if self.found.is_empty() && self.doubtful.is_empty() && !is_json {
            return Err(broken(format!("it has {numbers} cells; no board has that many")));
        }
        self.finished()
    }

    /// Visits the values at the top. Rows without a common bracket are one matrix; other values are separate.
    fn top(&mut self, mut root: NodeGroup<'_>) {
        root.entries.retain(|GroupEntry { value, .. }| match &value.kind {
            NodeKind::Group(group) => !group.entries.is_empty(),
            NodeKind::Text(_) => true,
            NodeKind::Word(_) | NodeKind::Hole => false,
        });
        if let Some(matrix) = matrix_of(&root) {
            return self.visit(&matrix, "", true);
        }
        let alone = root.entries.len() == 1;
        for (index, entry) in root.entries.iter().enumerate() {
            let path = match &entry.key {
                Some(key) => key.to_string(),
                None if alone => String::new(),
                None => format!("[{index}]"),
            };
            self.visit(&entry.value, &path, alone);
        }
        self.drop_solutions(0);
        self.drop_small();
    }

    /// Drops grids smaller than a puzzle that has a puzzle's name: counts, a telephone number.
    fn drop_small(&mut self) {
        let named = self.found.iter().filter(|found| found.result.is_ok() && found.is_named());
        let Some(largest) = named.map(|found| found.cells).max() else { return };
        for found in self.found.extract_if(.., |found| !found.is_named() && found.cells < largest).collect::<Vec<_>>() {
            self.remark(format!("`{}` is smaller than the puzzle beside it, and not read", found.path));
        }
    }

    /// Visits a value. A value that has a puzzle's name (`named`) and looks like a puzzle must be one.
    fn visit(&mut self, value: &ValueNode<'_>, path: &str, named: bool) {
        match &value.kind {
            NodeKind::Text(text) => self.text(text, value, path, named),
            NodeKind::Word(word) if word.len() >= SMALLEST => self.text(word, value, path, named),
            NodeKind::Word(_) | NodeKind::Hole => {}
            NodeKind::Group(_) => match value.object() {
                Some(object) => self.object(object, value, path),
                None => self.list(value, path, named),
            },
        }
    }

    fn text(&mut self, text: &str, value: &ValueNode<'_>, path: &str, named: bool) {
        let text = text.trim();
        if let Some(reader) = link::reader_of(text).filter(|_| link::is_readable(text)) {
            return self.push(value, path, reader.puzzle(text, 1, self.boards));
        }
        let cells = text.chars().filter(|&c| is_symbol(c)).count();
        let sure = text.chars().filter(|&c| c.is_ascii_digit() || is_blank(c)).count();
        let other = text.chars().filter(|&c| !(is_symbol(c) || c.is_whitespace() || "|,;/:+\"".contains(c))).count();
        if cells < SMALLEST || sure * 2 < cells || other * 8 > cells {
            return;
        }
        let found = match text.contains('\n') {
            true => read_many(text, self.boards.required),
            false => vec![one_line::read(1, text, self.boards)],
        };
        if let [only] = found.as_slice() {
            if only.is_ok() || named || (sure >= SURELY && sure * 10 > cells * 9) {
                found.into_iter().for_each(|result| self.push(value, path, result));
            }
            return;
        }
        for (index, result) in found.into_iter().enumerate() {
            self.push(value, &format!("{path}[{index}]"), result);
        }
    }

    fn list(&mut self, value: &ValueNode<'_>, path: &str, named: bool) {
        let Some(list) = value.list() else { return };
        match arrays::read_list(value) {
            Some(GridList::Rows(rows)) => {
                let mut found = read_many(&rows.join("\n"), self.boards.required);
                // Rows of one grid give one result, or an error.
                let first = found.iter().position(Result::is_err).unwrap_or_default();
                if !found.is_empty() {
                    return self.push(value, path, found.swap_remove(first));
                }
            }
            Some(GridList::Content(content)) => return self.push(value, path, self.puzzle(content, path)),
            Some(GridList::Damaged(wrong)) if named => {
                let error = self.wrong(wrong, path);
                return self.push(value, path, Err(error));
            }
            Some(GridList::Damaged(wrong)) => {
                let error = FormatError { line: self.line + value.line, ..self.wrong(wrong, path) };
                return self.doubtful.push(error);
            }
            None => {}
        }
        // Brackets around a single list are those of a call.
        if let [only] = list.entries.as_slice()
            && only.value.list().is_some()
        {
            return self.visit(&only.value, path, named);
        }
        let before = self.found.len();
        for (index, entry) in list.values().enumerate() {
            self.visit(entry, &format!("{path}[{index}]"), named);
        }
        self.drop_solutions(before);
    }

    /// Visits an object, on the board with its regions if it has any.
    fn object(&mut self, object: &NodeGroup<'_>, value: &ValueNode<'_>, path: &str) {
        let regions = object.entries.iter().rev().find_map(|entry| {
            let key = entry.key.as_deref()?;
            let RuleEntry::Regions(symbols) = rule_entries::classify(key, &entry.value) else { return None };
            Some((key, symbols))
        });
        let Some((key, symbols)) = regions.filter(|(_, symbols)| !boards::are_usual_boxes(symbols)) else {
            return self.entries(object, value, path);
        };
        match self.boards.board_with_regions((self.line + value.line, 1), &symbols) {
            Ok(board) => {
                let boards = BoardChoice { required: Some(&board) };
                let mut finder =
                    PuzzleFinder { boards, found: Vec::new(), doubtful: Vec::new(), remarks: Vec::new(), ..*self };
                finder.entries(object, value, path);
                let PuzzleFinder { found, doubtful, remarks, .. } = finder;
                self.found.extend(found);
                self.doubtful.extend(doubtful);
                remarks.into_iter().for_each(|words| self.remark(words));
            }
            Err(error) => self.push(value, &joined(path, key), Err(error)),
        }
    }

    fn entries(&mut self, object: &NodeGroup<'_>, value: &ValueNode<'_>, path: &str) {
        let known = records::known(object);
        let is_known = known.is_some();
        if let Some(content) = known {
            let inside = if object.get("puzzle").is_some() { joined(path, "puzzle") } else { path.to_string() };
            self.push(value, &inside, self.puzzle(content, path));
            if records::is_whole(object) {
                return;
            }
        }
        if let Some((content, remark)) = arrays::read_named_cells(object) {
            remark.into_iter().for_each(|words| self.remark(words.to_string()));
            return self.push(value, path, self.puzzle(content, path));
        }
        let before = self.found.len() - usize::from(is_known);
        if let Some(key) = doubled_key(object) {
            self.found.truncate(before);
            let words = format!("the key `{key}` stands twice in it");
            let error = self.wrong(broken(words).with_help("keep one of them"), path);
            return self.push(value, path, Err(error));
        }
        let (mut constraint, mut solutions) = (None, Vec::new());
        for (index, entry) in object.entries.iter().enumerate() {
            let key = entry.key.as_deref();
            let inside = key.map_or_else(|| format!("{path}[{index}]"), |key| joined(path, key));
            let name = normalized_key(key.unwrap_or_default());
            if is_known && records::OWN_KEYS.contains(&key.unwrap_or_default()) {
                continue;
            }
            if SOLUTIONS.iter().any(|word| name.contains(word)) && arrays::count_characters(&entry.value) >= SMALLEST {
                solutions.push(inside);
                continue;
            }
            match rule_entries::classify(key.unwrap_or_default(), &entry.value) {
                RuleEntry::Constraint(name) => constraint = constraint.or(Some(name)),
                // The board already has these regions.
                RuleEntry::Regions(_) => {}
                RuleEntry::UnknownRegions => {
                    let found = self.found.len();
                    self.visit(&entry.value, &inside, PUZZLES.contains(&name.as_str()));
                    if self.found[found..].iter().all(|found| found.result.is_err()) {
                        constraint = constraint.or(key.map(str::to_string));
                    }
                }
                RuleEntry::Other => self.visit(&entry.value, &inside, PUZZLES.contains(&name.as_str())),
            }
        }
        if let Some(name) = constraint.filter(|_| self.found[before..].iter().any(|found| found.result.is_ok())) {
            let error = self.wrong(error::constraint(&name), path);
            self.found.truncate(before);
            return self.push(value, path, Err(error));
        }
        self.join_states(before, path);
        match solutions.first() {
            Some(path) if self.found.len() > before => self.remark(format!("solutions are not read: `{path}`")),
            Some(path) => {
                let error = self.wrong(broken(format!("it holds a solution, `{path}`, and no puzzle")), "");
                self.doubtful.insert(0, error);
            }
            None => {}
        }
    }

    /// Joins grids of one object: one that continues another is its state of play, or its solution.
    fn join_states(&mut self, from: usize, path: &str) {
        let depth = if path.is_empty() { 0 } else { path.len() + 1 };
        let mut inside = self.found[from..].iter().map(|found| found.path.get(depth..).unwrap_or_default());
        if self.found.len() < from + 2 || inside.any(|path| path.contains(['.', '['])) {
            return;
        }
        self.join_player(from, depth);
        let mut found: Vec<(usize, FoundPuzzle)> = self.found.drain(from..).enumerate().collect();
        // The grid with fewer digits is the puzzle.
        found.sort_by_key(|(_, found)| found.result.as_ref().map_or(0, digits));
        let mut kept: Vec<(usize, FoundPuzzle)> = Vec::new();
        for (index, later) in found {
            let base = kept.iter_mut().find_map(|(_, base)| match (&mut base.result, &later.result) {
                (Ok(base), Ok(later)) if continues(later, base) => Some(base),
                _ => None,
            });
            match (base, &later.result) {
                (Some(base), Ok(state)) if digits(state) == digits(base) => {
                    if base.candidates.is_none() {
                        base.candidates = state.candidates.clone();
                    }
                }
                (Some(_), Ok(state)) if is_full(state) => {
                    self.remark(format!("solutions are not read: `{}`", later.path))
                }
                (Some(base), Ok(state)) => {
                    let cells = base.geometry.cells();
                    base.placed =
                        cells.map(|cell| state.digit(cell).filter(|_| base.givens[cell.index()].is_none())).collect();
                    let message = format!("the digits of `{}` that are no clues are read as placed", later.path);
                    self.remark(message);
                }
                _ => kept.push((index, later)),
            }
        }
        kept.sort_by_key(|(index, _)| *index);
        self.found.extend(kept.into_iter().map(|(_, found)| found));
    }

    /// Puts the digits of a player's grid into the puzzle beside it, if no cell has two.
    fn join_player(&mut self, from: usize, depth: usize) {
        const NAMES: [&str; 7] = ["user", "player", "entered", "entries", "guess", "filled", "input"];
        let (mut own, mut others) = (Vec::new(), Vec::new());
        for at in (from..self.found.len()).filter(|&at| self.found[at].result.is_ok()) {
            let name = self.found[at].path.get(depth..).unwrap_or_default().to_lowercase();
            let list = if NAMES.iter().any(|word| name.contains(word)) { &mut own } else { &mut others };
            list.push(at);
        }
        let (Some(&at), Some(&base)) = (own.first(), others.first()) else { return };
        let (Ok(own), Ok(puzzle)) = (&self.found[at].result, &self.found[base].result) else { return };
        if own.geometry != puzzle.geometry || continues(own, puzzle) {
            return;
        }
        let mut cells = puzzle.geometry.cells();
        let path = self.found[at].path.clone();
        let result = match cells.find(|&cell| own.digit(cell).is_some() && puzzle.digit(cell).is_some()) {
            None => {
                let mut joined = puzzle.clone();
                joined.placed = joined.geometry.cells().map(|cell| own.digit(cell)).collect();
                refuse_repeated_digits(&joined, |_| (joined.line, 1)).map(|()| joined)
            }
            Some(cell) => {
                let name = notation::cell(&puzzle.geometry, cell);
                let message = format!("it has a digit in {name}, and so has `{}`", self.found[base].path);
                Err(self.wrong(broken(message), &path))
            }
        };
        if result.is_ok() {
            self.remark(format!("the digits of `{path}` that are no clues are read as placed"));
        }
        self.found[base].result = result;
        self.found.remove(at);
    }

    /// Drops full grids that stand right after the puzzle they solve.
    fn drop_solutions(&mut self, from: usize) {
        let mut at = from + 1;
        while at < self.found.len() {
            match (&self.found[at - 1].result, &self.found[at].result) {
                (Ok(puzzle), Ok(full)) if is_full(full) && !is_full(puzzle) && continues(full, puzzle) => {
                    let path = self.found.remove(at).path;
                    self.remark(format!("solutions are not read: `{path}`"));
                }
                _ => at += 1,
            }
        }
    }

    fn remark(&mut self, words: String) {
        const MOST: usize = 20;
        let kind = words.split('`').next().unwrap_or_default();
        if self.remarks.len() < MOST && !self.remarks.iter().any(|known| known.starts_with(kind)) {
            self.remarks.push(words);
        }
    }

    /// Checks the content of a value.
    fn puzzle(&self, content: Result<Content, FormatError>, path: &str) -> Reading {
        content.map_err(|wrong| self.wrong(wrong, path))?.into_puzzle(1, self.boards)
    }

    fn wrong(&self, error: FormatError, path: &str) -> FormatError {
        error.in_format(self.line, self.format, path)
    }

    fn push(&mut self, value: &ValueNode<'_>, path: &str, result: Reading) {
        let (path, cells) = (path.to_string(), arrays::count_characters(value));
        self.found.push(FoundPuzzle { path, line: self.line + value.line, cells, result });
    }

    /// Returns the puzzles in their order, each with its line and path.
    fn finished(mut self) -> Result<Vec<Reading>, FormatError> {
        if self.found.is_empty() {
            let none = "it holds no grid: no list of rows, and no text with one character for each cell";
            return match self.doubtful.is_empty() {
                true => Err(broken(none)),
                false => Ok(vec![Err(self.doubtful.swap_remove(0))]),
            };
        }
        if let Some(error) = self.doubtful.first() {
            self.remark(format!("part of the document is no puzzle: {}", error.message));
        }
        let several = self.found.len() > 1;
        let mut remarks = self.remarks;
        let results = self.found.into_iter().map(|FoundPuzzle { path, line, result, .. }| match result {
            Ok(mut puzzle) => {
                puzzle.line = line;
                if puzzle.note.is_empty() && (several || path.contains(['.', '['])) {
                    puzzle.note = path;
                }
                puzzle.remarks.append(&mut remarks);
                Ok(puzzle)
            }
            Err(error) => {
                let named = error.message.contains(&format!("`{path}`")) || path.is_empty();
                let message = if named { error.message } else { format!("`{path}`: {}", error.message) };
                Err(FormatError { line, message, ..error })
            }
        });
        Ok(results.collect())
    }
}

/// Adds a key to a path.
fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

/// Joins rows without a common bracket into one list. Named rows (`row1 = […]`) may be puzzles of their own, unless there are as many
/// as each has cells, or a digit is too large for that.
fn matrix_of<'t>(root: &NodeGroup<'t>) -> Option<ValueNode<'t>> {
    let rows: Vec<&ValueNode<'t>> = root.values().map(arrays::row_of_cells).collect::<Option<_>>()?;
    let width = rows.first()?.list()?.entries.len();
    let cells = rows.iter().filter_map(|row| row.list()).flat_map(NodeGroup::values);
    let mut numbers = cells.filter_map(|cell| cell.scalar()?.parse::<usize>().ok());
    let named = root.entries.iter().any(|entry| entry.key.is_some());
    if rows.len() < 4 || named && rows.len() != width && !numbers.any(|number| number * number > width) {
        return None;
    }
    let line = rows[0].line;
    let entries = rows.into_iter().map(|row| GroupEntry { key: None, value: row.clone() }).collect();
    Some(ValueNode { kind: NodeKind::Group(NodeGroup { entries, has_trailing_comma: false }), line })
}

/// Returns the last key of a path in small letters, without the numbers of list entries.
fn last_key(path: &str) -> String {
    let path = path.split('[').next().unwrap_or_default();
    normalized_key(path.rsplit('.').next().unwrap_or_default())
}

/// Returns a key that stands twice in an object, with grids.
fn doubled_key<'o>(object: &'o NodeGroup<'_>) -> Option<&'o str> {
    let keys = object.entries.iter().filter(|entry| arrays::count_characters(&entry.value) >= SMALLEST);
    let keys: Vec<&str> = keys.filter_map(|entry| entry.key.as_deref()).collect();
    keys.iter().enumerate().find(|(at, key)| keys[..*at].contains(key)).map(|(_, key)| *key)
}

fn digits(puzzle: &Puzzle) -> usize {
    puzzle.geometry.cells().filter(|&cell| puzzle.digit(cell).is_some()).count()
}

fn is_full(puzzle: &Puzzle) -> bool {
    digits(puzzle) == puzzle.geometry.cell_count()
}

/// Returns true if every digit of the base stands in the later grid.
fn continues(later: &Puzzle, base: &Puzzle) -> bool {
    later.geometry == base.geometry
        && base.geometry.cells().all(|cell| base.digit(cell).is_none_or(|digit| later.digit(cell) == Some(digit)))
}
