//! Finds the puzzles in documents: JSON of any layout, and arrays of programming languages. In: text in brackets. Out:
//! every puzzle with its path, such as `puzzles[3].grid`, and remarks on the parts that are not read.
//!
//! A puzzle is a matrix, a flat list, a list of rows, a text, a list of cells with row and column, or an object of a
//! known format. A full grid that agrees with a puzzle beside it is the solution of that puzzle. A list must have as
//! many cells as a board.

use super::arrays::{GridList, GridResult};
use super::boards::{self, BoardChoice, SMALLEST_PUZZLE};
use super::cell_entry::{self, FlagMeaning};
use super::error::{self, FormatError, broken, unclear};
use super::puzzle::{Content, Puzzle, Reading, is_blank, is_symbol, refuse_repeated_digits};
use super::values::{self, GroupEntry, NodeGroup, NodeKind, ValueNode};
use super::variant_keys::{self, EntryKind, normalized_key};
use super::{arrays, link, one_line, read_many, records};
use crate::grid::{Cell, notation};

/// Normalized keys under which programs store puzzles.
const PUZZLE_KEYS: [&str; 22] = [
    "puzzle", "grid", "board", "quiz", "question", "problem", "givens", "clues", "initial", "start", "sudoku", "rows",
    "mission", "unsolved", "task", "value", "values", "cells", "matrix", "field", "basegrid", "state",
];

/// Substrings of the keys of solutions.
const SOLUTION_KEYS: [&str; 4] = ["solution", "solved", "answer", "complete"];

/// Maximum number of characters before the first bracket of an array.
const LONGEST_DECLARATION: usize = 160;

/// A text with at least this many digits and blanks is a puzzle whatever its key is. If the text cannot be read, that
/// is an error.
const SURELY_PUZZLE: usize = 50;

/// Returns true if a line begins an array: a bracket with cells or brackets inside, perhaps after a name and `=`.
pub(super) fn begins(line: &str) -> bool {
    if is_text_of_lines(line) {
        return true;
    }
    let assignment = line.find(['=', '\u{2190}']).or_else(|| line.find("<-")).filter(|&at| {
        (1..=LONGEST_DECLARATION).contains(&at)
            && line[..at].chars().all(is_in_declaration)
            && line[..at].trim_start().starts_with(|c: char| c.is_alphabetic() || "_$@".contains(c))
    });
    let is_assigned = assignment.is_some();
    let value = assignment.map_or(line, |at| line[at..].trim_start_matches(['=', '<', '-', '\u{2190}', '>']));
    let value = ["return ", "export default ", "- "].iter().find_map(|word| value.strip_prefix(word)).unwrap_or(value);
    if opens_rows(line) || calls_builder(value.trim_start()) {
        return true;
    }
    let value = without_type_or_call(value.trim_start(), is_assigned);
    let Some(inside) = value.strip_prefix(['[', '{', '(']) else { return false };
    let is_array = value.starts_with('[') || is_assigned;
    // R joins its cells with `c(`.
    let inside = inside.trim_start().trim_start_matches("c(");
    // MiniZinc writes `[| 5, 3`.
    if inside.starts_with(['[', '(', '{', '|']) || (inside.is_empty() && is_array) {
        return true;
    }
    // `{5, 3, 0, 0},`
    let is_row_in_braces = value.starts_with('{') && value.matches('{').count() == 1 && value.matches(',').count() >= 3;
    let (first_group, after) = inside.split_once([']', ')', '}']).unwrap_or((inside, ""));
    let rest = after.trim_start();
    // `[5, 3],`, `[5, 3];`, `[5, 3] // row 1`, `[5, 3] # row 1`, or in Haskell `[5, 3]:[6, 1]`.
    let ends_like_array = is_assigned
        || rest.is_empty()
        || rest.starts_with([',', ';', '[', '{', '(', ')', '/', '#'])
        || after.starts_with(":[");
    if !ends_like_array || !(is_array || is_row_in_braces) {
        return false;
    }
    let first = first_cell(inside);
    inside.starts_with(['"', '\'', '`'])
        || first_group.contains([',', ' ', ';']) && (first.is_empty() || arrays::is_cell(first))
}

fn first_cell(text: &str) -> &str {
    text.split([',', ' ', ']', '}', ')', ';']).next().unwrap_or_default()
}

/// Returns true if a line is one text in quotes that contains `\n`.
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

/// Returns the text from the first bracket on, without the name of a type or function before it. Without an assignment,
/// a name is a function only if its opening bracket is followed by a bracket, quotes, another call, or the end of the line.
fn without_type_or_call(text: &str, is_assigned: bool) -> &str {
    let mut rest = text.trim_start_matches("new ");
    // Types such as `int[][]`, `[9][9]int` and `[,]`.
    while is_assigned && let Some(after) = after_size(rest.trim_start_matches(is_in_type_name)) {
        rest = after;
    }
    let after = rest.trim_start_matches(is_in_type_name);
    let is_call =
        after.len() < rest.len() && after.starts_with(['(', '[', '{']) && rest.starts_with(|c: char| c.is_alphabetic());
    if !is_call {
        return rest;
    }
    let inside = after[1..].trim_start();
    // `solve(List.of(`
    let contains_call = without_type_or_call(inside, false).len() < inside.len();
    // `List(`
    let ends_with_bracket = inside.is_empty() && after.starts_with('(');
    let opens_value = inside.starts_with(['[', '(', '{', '"', '\'']) || contains_call || ends_with_bracket;
    if is_assigned || opens_value { after } else { rest }
}

fn is_in_type_name(c: char) -> bool {
    c.is_alphanumeric() || "_.:!@".contains(c)
}

/// Returns true for characters of a declaration or call before its first bracket.
fn is_in_declaration(c: char) -> bool {
    c.is_alphanumeric() || " _:.[](),<>*&;$@'-?=".contains(c)
}

/// Returns true if two brackets and a cell follow a declaration or call: `problem(1, [[5, _,`, `(def b [[5 0`.
fn opens_rows(line: &str) -> bool {
    let Some(at) = ["[[", "((", "{{"].iter().filter_map(|double| line.find(double)).min() else { return false };
    let first = first_cell(line[at + 2..].trim_start());
    let is_declaration = at <= LONGEST_DECLARATION && line[..at].chars().all(is_in_declaration);
    is_declaration && !first.is_empty() && arrays::is_cell(first)
}

/// Returns true if a line ends with the opening bracket of a call that builds rows: `List.of(`, `matrix(c(`.
fn calls_builder(text: &str) -> bool {
    const BUILDERS: [&str; 11] =
        ["arrayOf", "listOf", "mutableListOf", "Array", "List", "Vector", "Seq", "array", "tensor", "vector", "c"];
    let Some(call) = text.trim_end().strip_suffix('(') else { return false };
    let name = call.rsplit(|c: char| !(c.is_alphanumeric() || "_.".contains(c))).next().unwrap_or_default();
    let is_builder = BUILDERS.contains(&name) || name.contains('.');
    is_builder && name.starts_with(char::is_alphabetic) && call.chars().all(is_in_declaration)
}

/// Returns the text after the size of an array type (`[]`, `[9]` or `[,]`), if a bracket or a name follows.
fn after_size(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?.trim_start_matches(|c: char| c.is_ascii_digit() || c == ',');
    let after = inside.strip_prefix(']')?.trim_start();
    after.starts_with(|c: char| c.is_alphabetic() || "[{(".contains(c)).then_some(after)
}

/// A puzzle of a document, or the error of a value that has the key of a puzzle and cannot be read.
struct FoundPuzzle {
    path: String,
    line: usize,
    /// Number of characters of the value.
    length: usize,
    result: Reading,
}

impl FoundPuzzle {
    /// Returns true if the value has a key for puzzles, or no key.
    fn key_fits_puzzle(&self) -> bool {
        // The last key of the path, without the index of a list entry.
        let last = self.path.rsplit('.').next().unwrap_or_default();
        let key = normalized_key(last.split('[').next().unwrap_or_default());
        key.is_empty() || PUZZLE_KEYS.contains(&key.as_str()) || PUZZLE_KEYS.contains(&key.trim_end_matches('s'))
    }
}

struct PuzzleFinder<'b> {
    boards: BoardChoice<'b>,
    /// Name of the format in messages.
    format: &'static str,
    /// Line of the text where the document begins, from one.
    line: usize,
    puzzles: Vec<FoundPuzzle>,
    /// Errors of values that look like puzzles but have no key in `PUZZLE_KEYS`.
    doubtful: Vec<FormatError>,
    remarks: Vec<String>,
}

/// Reads every puzzle of a document that begins at a line.
pub(super) fn read(text: &str, line: usize, boards: BoardChoice<'_>) -> Vec<Reading> {
    let is_json = text.trim_start().starts_with('{') && records::begins_object(text);
    let format = if is_json { "a puzzle in JSON" } else { "a matrix" };
    let finder = PuzzleFinder { boards, format, line, puzzles: Vec::new(), doubtful: Vec::new(), remarks: Vec::new() };
    finder.read(text, is_json).unwrap_or_else(|error| vec![Err(error.in_format(line, format, ""))])
}

impl PuzzleFinder<'_> {
    fn read(mut self, text: &str, is_json: bool) -> Result<Vec<Reading>, FormatError> {
        if !is_json && let Some(error) = rearrangement_in_code(text) {
            return Err(error);
        }
        let root = values::read(text).map_err(broken)?;
        if has_rows_out_of_order(&root) {
            return Err(unclear("its rows are not in the order of their numbers", "write the rows from top to bottom"));
        }
        let cells: usize = root.values().map(|value| arrays::scalars(value).len()).sum();
        self.visit_root(root);
        if self.puzzles.is_empty() && self.doubtful.is_empty() && !is_json {
            return Err(broken(format!("it has {cells} cells; no board has that many")));
        }
        self.finish()
    }

    /// Visits the values of the document. Rows without a common bracket are one matrix; other values are separate.
    fn visit_root(&mut self, mut root: NodeGroup<'_>) {
        root.entries.retain(|GroupEntry { value, .. }| match &value.kind {
            NodeKind::Group(group) => !group.entries.is_empty(),
            NodeKind::Text(_) => true,
            NodeKind::Word(_) | NodeKind::Hole => false,
        });
        if let Some(matrix) = matrix_of(&root) {
            let must_be_puzzle = true;
            return self.visit(&matrix, "", must_be_puzzle);
        }
        let is_only_value = root.entries.len() == 1;
        for (index, entry) in root.entries.iter().enumerate() {
            let path = match &entry.key {
                Some(key) => key.to_string(),
                None if is_only_value => String::new(),
                None => format!("[{index}]"),
            };
            self.visit(&entry.value, &path, is_only_value);
        }
        self.drop_solutions(0);
        self.drop_small_grids();
    }

    /// If some grid has the key of a puzzle, drops the smaller grids without such a key. A smaller grid may be a
    /// telephone number.
    fn drop_small_grids(&mut self) {
        let with_key = self.puzzles.iter().filter(|puzzle| puzzle.result.is_ok() && puzzle.key_fits_puzzle());
        let Some(largest) = with_key.map(|puzzle| puzzle.length).max() else { return };
        let is_small = |puzzle: &mut FoundPuzzle| !puzzle.key_fits_puzzle() && puzzle.length < largest;
        for dropped in self.puzzles.extract_if(.., is_small).collect::<Vec<_>>() {
            self.remark(format!("`{}` is smaller than the puzzle beside it, and not read", dropped.path));
        }
    }

    /// Visits a value. If `must_be_puzzle`, a value that resembles a puzzle and cannot be read is an error.
    fn visit(&mut self, value: &ValueNode<'_>, path: &str, must_be_puzzle: bool) {
        match &value.kind {
            NodeKind::Text(text) => self.visit_text(text, value, path, must_be_puzzle),
            NodeKind::Word(word) if word.len() >= SMALLEST_PUZZLE => self.visit_text(word, value, path, must_be_puzzle),
            NodeKind::Word(_) | NodeKind::Hole => {}
            NodeKind::Group(_) => match value.object() {
                Some(object) => self.visit_object(object, value, path),
                None => self.visit_list(value, path, must_be_puzzle),
            },
        }
    }

    fn visit_text(&mut self, text: &str, value: &ValueNode<'_>, path: &str, must_be_puzzle: bool) {
        let text = text.trim();
        if let Some(reader) = link::reader_of(text)
            && link::is_readable(text)
        {
            return self.push(value, path, reader.puzzle(text, 1, self.boards));
        }
        let cells = text.chars().filter(|&c| is_symbol(c)).count();
        let digits_and_blanks = text.chars().filter(|&c| c.is_ascii_digit() || is_blank(c)).count();
        let is_other = |c: &char| !(is_symbol(*c) || c.is_whitespace() || "|,;/:+\"".contains(*c));
        let others = text.chars().filter(is_other).count();
        // Letters are cells as well, so a text with few digits or many other characters is prose.
        if cells < SMALLEST_PUZZLE || digits_and_blanks * 2 < cells || others * 8 > cells {
            return;
        }
        let readings = if text.contains('\n') {
            read_many(text, self.boards.required)
        } else {
            vec![one_line::read(1, text, self.boards)]
        };
        if let [only] = readings.as_slice() {
            let is_surely_puzzle = digits_and_blanks >= SURELY_PUZZLE && digits_and_blanks * 10 > cells * 9;
            if only.is_ok() || must_be_puzzle || is_surely_puzzle {
                readings.into_iter().for_each(|result| self.push(value, path, result));
            }
            return;
        }
        for (index, result) in readings.into_iter().enumerate() {
            self.push(value, &format!("{path}[{index}]"), result);
        }
    }

    fn visit_list(&mut self, value: &ValueNode<'_>, path: &str, must_be_puzzle: bool) {
        match arrays::lists_as_rows(path.rsplit('.').next().unwrap_or_default(), value) {
            Ok(Some(rows)) => self.visit_rows(&rows, path, must_be_puzzle),
            Ok(None) => self.visit_rows(value, path, must_be_puzzle),
            Err(error) => {
                let error = self.in_format(error, "");
                self.push(value, path, Err(error));
            }
        }
    }

    /// Visits a list whose lists are rows, not columns or boxes.
    fn visit_rows(&mut self, value: &ValueNode<'_>, path: &str, must_be_puzzle: bool) {
        let Some(list) = value.list() else { return };
        let mut remarks = Vec::new();
        let grid = arrays::read_list(value, &mut remarks);
        remarks.into_iter().for_each(|remark| self.remark(remark));
        match grid {
            Some(Ok(GridList::Damaged(fault))) if !must_be_puzzle => {
                let error = FormatError { line: self.line + value.line, ..self.in_format(fault, path) };
                return self.doubtful.push(error);
            }
            grid => {
                if let Some(reading) = grid.and_then(|grid| self.read_grid(grid, path)) {
                    return self.push(value, path, reading);
                }
            }
        }
        // Brackets around a single list are the brackets of a call.
        if let [only] = list.entries.as_slice()
            && only.value.list().is_some()
        {
            return self.visit(&only.value, path, must_be_puzzle);
        }
        let first_puzzle = self.puzzles.len();
        for (index, entry) in list.values().enumerate() {
            self.visit(entry, &format!("{path}[{index}]"), must_be_puzzle);
        }
        self.drop_solutions(first_puzzle);
    }

    /// Reads one grid. Its rows give one puzzle, or errors; only the first error is reported.
    fn read_grid(&self, grid: GridResult, path: &str) -> Option<Reading> {
        match grid {
            Ok(GridList::Rows(rows)) => {
                let mut readings = read_many(&rows.join("\n"), self.boards.required);
                let first_error = readings.iter().position(Result::is_err);
                if readings.is_empty() { None } else { Some(readings.swap_remove(first_error.unwrap_or(0))) }
            }
            Ok(GridList::Content(content)) => Some(self.check(Ok(content), path)),
            Ok(GridList::Damaged(error)) | Err(error) => Some(Err(self.in_format(error, path))),
        }
    }

    /// Visits an object. If it has regions, its puzzles are for the board with these regions.
    fn visit_object(&mut self, object: &NodeGroup<'_>, value: &ValueNode<'_>, path: &str) {
        let regions = object.entries.iter().rev().find_map(|entry| {
            let key = entry.key.as_deref()?;
            let EntryKind::Regions(symbols) = variant_keys::classify(key, &entry.value) else { return None };
            Some((key, symbols))
        });
        let Some((key, symbols)) = regions.filter(|(_, symbols)| !boards::are_usual_boxes(symbols)) else {
            return self.visit_entries(object, value, path);
        };
        match self.boards.board_with_regions((self.line + value.line, 1), &symbols) {
            Ok(board) => {
                let boards = BoardChoice { required: Some(&board) };
                let mut finder =
                    PuzzleFinder { boards, puzzles: Vec::new(), doubtful: Vec::new(), remarks: Vec::new(), ..*self };
                finder.visit_entries(object, value, path);
                let PuzzleFinder { puzzles, doubtful, remarks, .. } = finder;
                self.puzzles.extend(puzzles);
                self.doubtful.extend(doubtful);
                remarks.into_iter().for_each(|remark| self.remark(remark));
            }
            Err(error) => self.push(value, &joined_path(path, key), Err(error)),
        }
    }

    fn visit_entries(&mut self, object: &NodeGroup<'_>, value: &ValueNode<'_>, path: &str) {
        let known_content = records::read_known_object(object);
        let is_known = known_content.is_some();
        // Index of the first puzzle of this object.
        let first_puzzle = self.puzzles.len();
        if let Some(content) = known_content {
            let key_path = if object.get("puzzle").is_some() { joined_path(path, "puzzle") } else { path.to_string() };
            self.push(value, &key_path, self.check(content, path));
            if records::has_no_other_puzzle(object) {
                return;
            }
        }
        let mut remarks = Vec::new();
        let named_cells = arrays::read_named_cells(object, &mut remarks);
        remarks.into_iter().for_each(|remark| self.remark(remark));
        if let Some(reading) = named_cells.and_then(|grid| self.read_grid(grid, path)) {
            return self.push(value, path, reading);
        }
        if let Some(key) = repeated_key(object) {
            self.puzzles.truncate(first_puzzle);
            let message = format!("the key `{key}` stands twice in it");
            let error = self.in_format(broken(message).with_help("keep one of them"), path);
            return self.push(value, path, Err(error));
        }
        let (mut constraint, mut solutions, mut flags) = (None, Vec::new(), Vec::new());
        for (index, entry) in object.entries.iter().enumerate() {
            let key = entry.key.as_deref();
            let entry_path = key.map_or_else(|| format!("{path}[{index}]"), |key| joined_path(path, key));
            let name = normalized_key(key.unwrap_or_default());
            let must_be_puzzle = PUZZLE_KEYS.contains(&name.as_str());
            if is_known && records::OWN_KEYS.contains(&key.unwrap_or_default()) {
                continue;
            }
            if let Some((meaning, of_cells)) = cell_entry::flags_of_cells(&name, &entry.value) {
                flags.push((key.unwrap_or_default(), meaning, of_cells));
                continue;
            }
            let is_grid = arrays::count_characters(&entry.value) >= SMALLEST_PUZZLE;
            if is_grid && SOLUTION_KEYS.iter().any(|word| name.contains(word)) {
                solutions.push(entry_path);
                continue;
            }
            match variant_keys::classify(key.unwrap_or_default(), &entry.value) {
                EntryKind::Constraint(name) => constraint = constraint.or(Some(name)),
                // The board already has these regions.
                EntryKind::Regions(_) => {}
                // The value may be a puzzle under a key such as `regions`. Otherwise the regions of the board are unknown.
                EntryKind::UnknownRegions => {
                    let first_in_value = self.puzzles.len();
                    self.visit(&entry.value, &entry_path, must_be_puzzle);
                    if self.puzzles[first_in_value..].iter().all(|puzzle| puzzle.result.is_err()) {
                        constraint = constraint.or(key.map(str::to_string));
                    }
                }
                EntryKind::Other => self.visit(&entry.value, &entry_path, must_be_puzzle),
            }
        }
        if let Some(name) = constraint
            && self.puzzles[first_puzzle..].iter().any(|puzzle| puzzle.result.is_ok())
        {
            let error = self.in_format(error::constraint(&name), path);
            self.puzzles.truncate(first_puzzle);
            return self.push(value, path, Err(error));
        }
        if self.puzzles.len() > first_puzzle
            && let Some(key) = object.entries.iter().find_map(described_constraint)
        {
            self.remark(format!("a constraint in words is not read: `{key}`"));
        }
        for (key, meaning, of_cells) in flags {
            self.apply_flags(key, meaning, &of_cells, first_puzzle);
        }
        self.join_states(first_puzzle, path);
        match solutions.first() {
            Some(path) if self.puzzles.len() > first_puzzle => self.remark(format!("solutions are not read: `{path}`")),
            Some(path) => {
                let error = self.in_format(broken(format!("it holds a solution, `{path}`, and no puzzle")), "");
                self.doubtful.insert(0, error);
            }
            None => {}
        }
    }

    /// Applies flags, one for each cell, to the puzzles from the index `from` on that have `flags.len()` cells.
    fn apply_flags(&mut self, key: &str, meaning: FlagMeaning, flags: &[bool], from: usize) {
        let mut remark = None;
        for found in &mut self.puzzles[from..] {
            let Ok(puzzle) = &mut found.result else { continue };
            if puzzle.geometry.cell_count() != flags.len() {
                continue;
            }
            if meaning == FlagMeaning::Unknown {
                if is_full(puzzle) {
                    let message =
                        format!("all its cells have a digit, and nothing says if `{key}` tells clues from others");
                    let error = unclear(message, "call the flags of clues `given`");
                    found.result = Err(error.in_format(self.line, self.format, ""));
                } else {
                    remark = Some(format!("flags of the cells are not read: `{key}`"));
                }
                continue;
            }
            for (index, &flag) in flags.iter().enumerate() {
                match (meaning, flag) {
                    (FlagMeaning::Clue, false) | (FlagMeaning::Placed, true) => {
                        puzzle.placed[index] = puzzle.placed[index].or(puzzle.givens[index].take());
                    }
                    (FlagMeaning::Hidden, true) | (FlagMeaning::Visible, false) => {
                        (puzzle.givens[index], puzzle.placed[index]) = (None, None);
                        remark = Some(format!("digits of hidden cells are not read: `{key}`"));
                    }
                    _ => {}
                }
            }
        }
        remark.into_iter().for_each(|remark| self.remark(remark));
    }

    /// Joins the grids of one object, which are the puzzles from the index `from` on. A grid with all digits of another grid,
    /// and more, is a later state or the solution of that grid.
    fn join_states(&mut self, from: usize, path: &str) {
        let prefix_length = if path.is_empty() { 0 } else { path.len() + 1 };
        let mut keys = self.puzzles[from..].iter().map(|puzzle| puzzle.path.get(prefix_length..).unwrap_or_default());
        let is_nested = keys.any(|key| key.contains(['.', '[']));
        if self.puzzles.len() < from + 2 || is_nested {
            return;
        }
        self.join_player_grid(from, prefix_length);
        let mut grids: Vec<(usize, FoundPuzzle)> = self.puzzles.drain(from..).enumerate().collect();
        // The grid with fewer digits is the puzzle.
        grids.sort_by_key(|(_, grid)| grid.result.as_ref().map_or(0, digit_count));
        let mut kept: Vec<(usize, FoundPuzzle)> = Vec::new();
        for (index, later) in grids {
            let base = kept.iter_mut().find_map(|(_, base)| match (&mut base.result, &later.result) {
                (Ok(base), Ok(later)) if continues(later, base) => Some(base),
                _ => None,
            });
            let (Some(base), Ok(state)) = (base, &later.result) else {
                kept.push((index, later));
                continue;
            };
            // With the same digits, only the candidates can be new.
            if digit_count(state) == digit_count(base) {
                if base.candidates.is_none() {
                    base.candidates = state.candidates.clone();
                }
            } else if is_full(state) {
                self.remark(format!("solutions are not read: `{}`", later.path));
            } else {
                let placed_digit = |cell: Cell| match base.givens[cell.index()] {
                    Some(_) => None,
                    None => state.digit(cell),
                };
                base.placed = base.geometry.cells().map(placed_digit).collect();
                self.remark(format!("the digits of `{}` that are no clues are read as placed", later.path));
            }
        }
        kept.sort_by_key(|(index, _)| *index);
        self.puzzles.extend(kept.into_iter().map(|(_, puzzle)| puzzle));
    }

    /// Adds the digits of a player's grid to the puzzle beside it as placed digits. If a cell has a digit in both, the
    /// result is an error.
    fn join_player_grid(&mut self, from: usize, prefix_length: usize) {
        const PLAYER_KEYS: [&str; 7] = ["user", "player", "entered", "entries", "guess", "filled", "input"];
        let grids = (from..self.puzzles.len()).filter(|&at| self.puzzles[at].result.is_ok());
        let (player_grids, puzzle_grids): (Vec<usize>, Vec<usize>) = grids.partition(|&at| {
            let key = self.puzzles[at].path.get(prefix_length..).unwrap_or_default().to_lowercase();
            PLAYER_KEYS.iter().any(|word| key.contains(word))
        });
        let (Some(&at), Some(&base)) = (player_grids.first(), puzzle_grids.first()) else { return };
        let (Ok(player), Ok(puzzle)) = (&self.puzzles[at].result, &self.puzzles[base].result) else { return };
        if player.geometry != puzzle.geometry || continues(player, puzzle) {
            return;
        }
        let mut cells = puzzle.geometry.cells();
        let path = self.puzzles[at].path.clone();
        let result = match cells.find(|&cell| player.digit(cell).is_some() && puzzle.digit(cell).is_some()) {
            None => {
                let placed = puzzle.geometry.cells().map(|cell| player.digit(cell)).collect();
                let puzzle = Puzzle { placed, ..puzzle.clone() };
                refuse_repeated_digits(&puzzle, |_| (puzzle.line, 1)).map(|()| puzzle)
            }
            Some(cell) => {
                let name = notation::cell(&puzzle.geometry, cell);
                let message = format!("it has a digit in {name}, and so has `{}`", self.puzzles[base].path);
                Err(self.in_format(broken(message), &path))
            }
        };
        if result.is_ok() {
            self.remark(format!("the digits of `{path}` that are no clues are read as placed"));
        }
        self.puzzles[base].result = result;
        self.puzzles.remove(at);
    }

    /// Drops full grids that directly follow the puzzle they solve.
    fn drop_solutions(&mut self, from: usize) {
        let mut at = from + 1;
        while at < self.puzzles.len() {
            match (&self.puzzles[at - 1].result, &self.puzzles[at].result) {
                (Ok(puzzle), Ok(full)) if is_full(full) && !is_full(puzzle) && continues(full, puzzle) => {
                    let path = self.puzzles.remove(at).path;
                    self.remark(format!("solutions are not read: `{path}`"));
                }
                _ => at += 1,
            }
        }
    }

    /// Adds a remark, unless there is one that begins with the same words.
    fn remark(&mut self, remark: String) {
        const MAX_REMARKS: usize = 20;
        let beginning = remark.split('`').next().unwrap_or_default();
        if self.remarks.len() < MAX_REMARKS && !self.remarks.iter().any(|other| other.starts_with(beginning)) {
            self.remarks.push(remark);
        }
    }

    fn check(&self, content: Result<Content, FormatError>, path: &str) -> Reading {
        content.map_err(|error| self.in_format(error, path))?.into_puzzle(1, self.boards)
    }

    fn in_format(&self, error: FormatError, path: &str) -> FormatError {
        error.in_format(self.line, self.format, path)
    }

    fn push(&mut self, value: &ValueNode<'_>, path: &str, result: Reading) {
        let (path, length) = (path.to_string(), arrays::count_characters(value));
        self.puzzles.push(FoundPuzzle { path, line: self.line + value.line, length, result });
    }

    /// Returns the puzzles in document order, each with its line, and its path as note.
    fn finish(mut self) -> Result<Vec<Reading>, FormatError> {
        if self.puzzles.is_empty() {
            if self.doubtful.is_empty() {
                return Err(broken("it holds no grid: no list of rows, and no text with one character for each cell"));
            }
            return Ok(vec![Err(self.doubtful.swap_remove(0))]);
        }
        if let Some(error) = self.doubtful.first() {
            self.remark(format!("part of the document is no puzzle: {}", error.message));
        }
        let has_several = self.puzzles.len() > 1;
        // All remarks go to the first puzzle.
        let mut remarks = self.remarks;
        let results = self.puzzles.into_iter().map(|FoundPuzzle { path, line, result, .. }| match result {
            Ok(mut puzzle) => {
                puzzle.line = line;
                if puzzle.note.is_empty() && (has_several || path.contains(['.', '['])) {
                    puzzle.note = path;
                }
                puzzle.remarks.append(&mut remarks);
                Ok(puzzle)
            }
            Err(error) => {
                let names_path = error.message.contains(&format!("`{path}`")) || path.is_empty();
                let message = if names_path { error.message } else { format!("`{path}`: {}", error.message) };
                Err(FormatError { line, message, ..error })
            }
        });
        Ok(results.collect())
    }
}

/// Returns the key of a description that names a constraint.
fn described_constraint<'e>(entry: &'e GroupEntry<'_>) -> Option<&'e str> {
    let key = entry.key.as_deref()?;
    let is_description = matches!(normalized_key(key).as_str(), "description" | "comment" | "title");
    let is_constraint = is_description && variant_keys::names_constraint(&normalized_key(entry.value.scalar()?));
    if is_constraint { Some(key) } else { None }
}

/// Returns an error if code around an array transposes, reverses or reshapes it.
fn rearrangement_in_code(source: &str) -> Option<FormatError> {
    const CALLS: [&str; 11] = [
        "transpose",
        "zip(*",
        "zip *",
        "order='f'",
        "order=\"f\"",
        "rot90",
        "[::-1]",
        "hcat(",
        "flip(",
        "fliplr(",
        "flipud(",
    ];
    let text = &without_comments(source);
    // R fills a matrix by columns unless `byrow` is set.
    if text.contains("matrix(c(") && !text.contains("byrow") {
        let message = "nothing shows whether its cells are listed by rows or by columns";
        return Some(unclear(message, "list the cells by rows, and write byrow = TRUE"));
    }
    let in_lower_case = text.to_lowercase().replace(", order = ", ",order=").replace("order = ", "order=");
    // Julia and Fortran fill arrays by columns, NumPy (`np.reshape`) by rows.
    let reshapes_by_column = in_lower_case.match_indices("reshape(").any(|(at, _)| !in_lower_case[..at].ends_with('.'));
    let is_transposed = ["].T", ").T", "].t()", ").t()"].iter().any(|sign| {
        text.match_indices(sign).any(|(at, _)| !text[at + sign.len()..].starts_with(char::is_alphanumeric))
    });
    // MATLAB transposes by an apostrophe; quotes come in pairs.
    let has_matlab_sign = text.contains("]'") && text.matches('\'').count() % 2 == 1;
    if CALLS.iter().any(|call| in_lower_case.contains(call)) || reshapes_by_column || is_transposed || has_matlab_sign {
        // Texts in JSON are no code.
        if serde_json::from_str::<serde_json::Value>(source).is_ok() {
            return None;
        }
        let message = "the code around its cells rearranges them";
        return Some(unclear(message, "write the rows as they stand in the puzzle, without further code"));
    }
    None
}

/// Removes the comments of code (`# …`, `// …`, `% …`, `-- …`, `/* … */`), but not from texts in quotes. Where a sign may be an empty cell
/// or an operator, it begins no comment.
fn without_comments(code: &str) -> String {
    let mut result = String::new();
    let mut open_quote = None;
    let mut at = 0;
    while let Some(symbol) = code[at..].chars().next() {
        let rest = &code[at..];
        if open_quote.is_none() {
            let length = if rest.starts_with("/*") {
                rest.find("*/").map(|end| end + 2)
            } else if begins_comment(&code[..at], rest) {
                Some(rest.find('\n').unwrap_or(rest.len()))
            } else {
                None
            };
            if let Some(length) = length {
                at += length;
                continue;
            }
        }
        match (symbol, open_quote) {
            ('\n', Some('"' | '\'')) => open_quote = None,
            (_, Some(quote)) if symbol == quote => open_quote = None,
            // In MATLAB, an apostrophe after a bracket or name transposes.
            ('\'', None) if code[..at].ends_with(|c: char| c.is_alphanumeric() || matches!(c, ']' | ')')) => {}
            ('"' | '\'' | '`', None) => open_quote = Some(symbol),
            _ => {}
        }
        result.push(symbol);
        at += symbol.len_utf8();
    }
    result
}

/// Returns true if a comment up to the end of the line begins at `rest`: words follow the sign, and the code before it on the line
/// is empty or ends with a bracket or a separator.
fn begins_comment(before: &str, rest: &str) -> bool {
    let Some(sign) = ["#", "//", "%", "--"].into_iter().find(|sign| rest.starts_with(sign)) else { return false };
    let text = rest.trim_start_matches(&sign[..1]);
    // `%w[…]` and `%i[…]` are lists in Ruby.
    if sign == "--" && rest.starts_with("---")
        || sign == "%" && text.starts_with(['w', 'i'])
        || !text.trim_start_matches([' ', '\t']).starts_with(char::is_alphabetic)
    {
        return false;
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let code = line.trim_end();
    code.is_empty()
        || code.ends_with([',', ']', ')', '}', ';', '[', '{', '(', '|'])
        || (sign == "#" && code.len() < line.len() && code.ends_with(|c: char| c.is_alphabetic()))
}

/// Returns true if the names of rows (`grid[8] = …`) end in numbers that do not ascend.
fn has_rows_out_of_order(root: &NodeGroup<'_>) -> bool {
    let numbers: Option<Vec<u64>> =
        root.entries.iter().map(|entry| arrays::number_at_end(entry.key.as_deref()?)).collect();
    numbers.is_some_and(|numbers| !numbers.is_sorted()) && matrix_of(root).is_some()
}

fn joined_path(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

/// Joins rows without a common bracket into one list. A row with a name (`row1 = […]`) may be a whole puzzle of n² cells
/// with digits up to n. So named rows are joined only if the matrix is square, or some number is too large for such a puzzle.
fn matrix_of<'t>(root: &NodeGroup<'t>) -> Option<ValueNode<'t>> {
    let rows: Vec<&ValueNode<'t>> = root.values().map(arrays::row_of_cells).collect::<Option<_>>()?;
    let width = rows.first()?.list()?.entries.len();
    let cells = rows.iter().filter_map(|row| row.list()).flat_map(NodeGroup::values);
    let mut numbers = cells.filter_map(|cell| cell.scalar()?.parse::<usize>().ok());
    let has_names = root.entries.iter().any(|entry| entry.key.is_some());
    if rows.len() < 4 || has_names && rows.len() != width && !numbers.any(|number| number * number > width) {
        return None;
    }
    let line = rows[0].line;
    let entries = rows.into_iter().map(|row| GroupEntry { key: None, value: row.clone() }).collect();
    Some(arrays::list_of(entries, line))
}

/// Returns a key that two entries with grids have.
fn repeated_key<'o>(object: &'o NodeGroup<'_>) -> Option<&'o str> {
    let keys = object.entries.iter().filter(|entry| arrays::count_characters(&entry.value) >= SMALLEST_PUZZLE);
    let keys: Vec<&str> = keys.filter_map(|entry| entry.key.as_deref()).collect();
    keys.iter().enumerate().find(|(at, key)| keys[..*at].contains(key)).map(|(_, key)| *key)
}

fn digit_count(puzzle: &Puzzle) -> usize {
    puzzle.geometry.cells().filter(|&cell| puzzle.digit(cell).is_some()).count()
}

fn is_full(puzzle: &Puzzle) -> bool {
    digit_count(puzzle) == puzzle.geometry.cell_count()
}

/// Returns true if the later grid has every digit of the base.
fn continues(later: &Puzzle, base: &Puzzle) -> bool {
    later.geometry == base.geometry
        && base.geometry.cells().all(|cell| base.digit(cell).is_none_or(|digit| later.digit(cell) == Some(digit)))
}
