//! Classifies lines: comments, borders, whole puzzles, rows of grids. In: lines. Out: [`LineKind`]s, and the [`TextRow`]s of lines that
//! may be a grid.

use super::TextPosition;
use super::boards::{BoardChoice, SHORTEST_ROW, SIZES, SMALLEST_PUZZLE, no_standard_board};
use super::cell_texts::{EMPTY_WORDS, in_braces};
use super::columns::is_bar;
use super::error::{self, FormatError};
use super::link::all_digits;
use super::one_line::{LONGEST_ROW, is_one_line};
use super::puzzle::{CellMark, is_blank, is_symbol, start_of, unknown_character};
use super::{documents, link, markup, records};
use crate::grid::BoardSpec;
use std::ops::Deref;

/// A line of a text with its kind, which is determined once, because neighbouring lines are examined many times.
pub(super) struct TextLine {
    pub text: String,
    pub kind: LineKind,
    /// Number of characters that [`encoding::clean_line`](super::encoding::clean_line) removed from the beginning of the line.
    pub shift: usize,
}

impl TextLine {
    pub fn new(text: String, shift: usize) -> TextLine {
        let kind = kind_of(&text);
        TextLine { text, kind, shift }
    }
}

impl Deref for TextLine {
    type Target = str;

    fn deref(&self) -> &str {
        &self.text
    }
}

pub(super) fn join_lines(lines: &[TextLine], separator: &str) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(separator)
}

#[derive(Clone, Debug)]
pub(super) struct TextRow {
    /// Index into the lines of the text.
    pub index: usize,
    /// Number of the paragraph, from zero. Blank lines separate paragraphs.
    pub paragraph: usize,
    /// The line, with blanks in place of removed labels.
    pub text: String,
    /// The characters between borders, separators and blanks.
    pub groups: Vec<Vec<CellMark>>,
}

impl TextRow {
    pub fn new(index: usize, paragraph: usize, text: String) -> TextRow {
        let groups = split_into_groups(index + 1, &text);
        TextRow { index, paragraph, text, groups }
    }

    /// Writes `~`, which only decorates a cell, in place of each dash between two digits.
    fn decorate_dashes(&mut self) {
        let symbols: Vec<char> = self.text.chars().collect();
        let is_digit = |at: usize| symbols.get(at).is_some_and(char::is_ascii_alphanumeric);
        let is_mark = |at: usize| symbols[at] == '-' && at > 0 && is_digit(at - 1) && is_digit(at + 1);
        let text = (0..symbols.len()).map(|at| if is_mark(at) { '~' } else { symbols[at] }).collect();
        *self = TextRow::new(self.index, self.paragraph, text);
    }

    pub fn width(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    pub fn marks(&self) -> impl Iterator<Item = CellMark> + '_ {
        self.groups.iter().flatten().copied()
    }

    pub fn position(&self) -> TextPosition {
        self.groups.first().map_or((self.index + 1, 1), |group| start_of(group))
    }

    pub fn bar_count(&self) -> usize {
        self.text.chars().filter(|&c| is_bar(c)).count()
    }

    pub fn has_only_bars(&self) -> bool {
        self.groups.is_empty() && self.text.contains(is_bar)
    }

    /// Returns true if the row has an empty field between two separators, so that it has more cells than groups.
    pub fn has_gap(&self) -> bool {
        let fields: Vec<&str> = self.text.trim().split(|c: char| is_bar(c) || matches!(c, ',' | ';')).collect();
        let inner = fields.get(1..fields.len() - 1).unwrap_or_default();
        // Two bars without a blank between them are one border.
        let has_bars = self.text.contains(is_bar);
        inner.iter().any(|field| field.trim().is_empty() && !(has_bars && field.is_empty()))
    }
}

/// Kind of a line, determined without its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    /// `# …`, `; …`, `// …`.
    Comment,
    /// The heading `[Puzzle]`: puzzles follow.
    PuzzleHeading,
    /// `[State]` or another heading of a part that is not read.
    OtherHeading,
    /// Only lines and corners of a drawing.
    Border,
    Whole,
    /// A link, or another text whose beginning determines its format.
    Recognized,
    /// The first line of an object, a matrix or XML.
    Document(DocumentKind),
    /// HTML or other markup; only tables are read.
    Markup,
    /// A sentence, the header of a table, a setting, or a code fence.
    Words,
    /// A row of a grid, or any other line.
    Row,
}

/// Kind of a text of several lines that ends with a closing bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentKind {
    Json,
    Matrix,
    Xml,
}

fn kind_of(text: &str) -> LineKind {
    let trimmed = text.trim();
    match trimmed.chars().next() {
        None if text.contains(EMPTY_ROW) => LineKind::Row,
        None => LineKind::Blank,
        Some('0'..='9' | '.') if bare_cells(trimmed).is_some() => LineKind::Whole,
        Some(';') if is_row_with_empty_first_field(trimmed) => LineKind::Row,
        Some('#' | '<' | '[') if is_row_of_candidates(trimmed) => LineKind::Row,
        Some('#' | ';') => LineKind::Comment,
        _ if trimmed.starts_with("//") => LineKind::Comment,
        _ if trimmed.starts_with("```") || trimmed.starts_with("~~~") => LineKind::Words,
        _ if link::reader_of(trimmed).is_some() || link::constraint_reader(trimmed).is_some() => LineKind::Recognized,
        _ if has_link_among_words(trimmed) => LineKind::Recognized,
        Some('{') if records::begins_object(trimmed) => LineKind::Document(DocumentKind::Json),
        Some('<') if markup::game_start(&markup::without_comments(trimmed)).is_some() => {
            LineKind::Document(DocumentKind::Xml)
        }
        Some('<') if trimmed[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '?' | '!' | '/')) => {
            LineKind::Markup
        }
        Some('[') if is_row_of_r_matrix(trimmed) => LineKind::Row,
        Some('[') if trimmed.eq_ignore_ascii_case("[puzzle]") => LineKind::PuzzleHeading,
        Some('[') if trimmed.ends_with(']') && OTHER_HEADINGS.contains(&&*trimmed.to_lowercase()) => {
            LineKind::OtherHeading
        }
        Some('[') if trimmed.ends_with(']') && !trimmed.contains([',', '"', '\'']) && has_words(trimmed) => {
            LineKind::Words
        }
        Some('}' | ']' | ')') if trimmed.chars().all(|c| "}]),;".contains(c)) => LineKind::Words,
        _ if is_setting(trimmed) => LineKind::Words,
        _ if documents::begins(trimmed) => LineKind::Document(DocumentKind::Matrix),
        Some('[') if trimmed.ends_with(']') && has_words(trimmed) => LineKind::Words,
        _ if is_border(trimmed) => LineKind::Border,
        _ if is_one_line(text) => LineKind::Whole,
        _ if begins_with_small_puzzle(trimmed) => LineKind::Row,
        _ if has_words(trimmed) => LineKind::Words,
        _ => LineKind::Row,
    }
}

/// Returns the first word of a line, if it is longer than any row and has only digits and points. Most lines of collections begin
/// with such a word, so this check comes first and saves the others.
pub(super) fn bare_cells(text: &str) -> Option<&str> {
    let word = text.split(char::is_whitespace).next()?;
    let is_bare = word.len() > LONGEST_ROW && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_bare.then_some(word)
}

/// Returns true if the line has a link, and neither cells nor the beginning of a document before it.
fn has_link_among_words(trimmed: &str) -> bool {
    let Some(at) = link::links_in(trimmed).first().and_then(|link| trimmed.find(link)) else { return false };
    let before = &trimmed[..at];
    let has_cells = before.split(|c| !is_symbol(c)).any(|run| run.chars().count() >= SMALLEST_PUZZLE);
    let begins_document =
        records::begins_object(trimmed) || documents::begins(trimmed) || markup::game_start(trimmed).is_some();
    !has_cells && !begins_document
}

/// Returns true if the line alone is a puzzle, whatever lines follow: a group of one or two characters for each cell of a board, or a
/// single group of `required_cells` characters.
pub(super) fn is_whole(text: &str, required_cells: Option<usize>) -> bool {
    /// Numbers of groups that are a whole puzzle. 16 is missing, because 16 groups may be a row of a 16×16 board.
    const CELLS: [usize; 5] = [36, 81, 144, 256, 625];
    let groups = split_into_groups(1, text);
    let has_one_group = matches!(groups.as_slice(), [group] if required_cells == Some(group.len()));
    has_one_group || (CELLS.contains(&groups.len()) && groups.iter().all(|group| group.len() <= 2))
}

/// Returns true if the line begins with the 16 or 25 cells of a 4×4 or 5×5 puzzle; a note may follow.
fn begins_with_small_puzzle(trimmed: &str) -> bool {
    let first = trimmed.split_whitespace().next().unwrap_or_default();
    let cells = first.chars().filter(|&c| c != '+').count();
    matches!(cells, 16 | 25)
        && first.chars().all(|c| is_symbol(c) || c == '+')
        && first.chars().any(|c| !c.is_alphabetic())
}

/// Headings of parts of a file that are not the puzzle, in lower case.
const OTHER_HEADINGS: [&str; 6] =
    ["[state]", "[pencilmarks]", "[pencil marks]", "[candidates]", "[solution]", "[colors]"];

/// A row of four empty cells, the fewest of any board.
const EMPTY_ROW: &str = "\t\t\t";

/// Returns true if a line that begins with `;` is a row whose first field is empty, and no comment.
fn is_row_with_empty_first_field(trimmed: &str) -> bool {
    let fields: Vec<&str> = trimmed.split(';').collect();
    fields.len() >= 4 && fields.iter().all(|field| field.trim().trim_matches('"').chars().count() <= 2)
}

/// Returns true if the line is a row or the header of a matrix as R prints it: `[1,] 5 3`, `[,1] [,2]`.
fn is_row_of_r_matrix(trimmed: &str) -> bool {
    let after_number = trimmed[1..].trim_start_matches(',').trim_start_matches(|c: char| c.is_ascii_digit());
    let is_row = after_number.starts_with(",]");
    let is_header = trimmed.starts_with("[,") && after_number.starts_with(']');
    is_row || is_header
}

/// Returns true if a line that begins with `#`, `<` or `[` is a row of candidate lists: a list for each cell of a row, perhaps a label,
/// and some list with several digits.
fn is_row_of_candidates(trimmed: &str) -> bool {
    let words = trimmed.split(|c: char| c.is_whitespace() || is_bar(c)).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(2 * LONGEST_ROW).collect();
    let has_row_length =
        [words.len(), words.len() - 1].iter().any(|&size| size >= 6 && BoardSpec::usual_box_shape(size).is_some());
    has_row_length
        && words.iter().all(|word| is_candidate_list(word))
        && words.iter().any(|word| word.chars().filter(char::is_ascii_digit).count() > 1)
}

/// Returns true for a list of ascending digits, perhaps with decoration and matching brackets.
fn is_candidate_list(word: &str) -> bool {
    /// Maximum number of characters of a list of candidates, with decoration.
    const LONGEST_LIST: usize = 32;
    let inside = word.trim_matches(|c| is_decoration(c) || "()[]<>{}".contains(c));
    let digits: Vec<u8> = word.bytes().filter(u8::is_ascii_digit).collect();
    (1..=LONGEST_LIST).contains(&inside.len())
        && word.chars().all(|c| is_decoration(c) || c.is_ascii_alphanumeric() || "()[]<>{},/".contains(c))
        && word.matches(['[', '(', '<']).count() == word.matches([']', ')', '>']).count()
        && digits.is_sorted_by(|a, b| a < b)
        && digits.first() != Some(&b'0')
}

fn is_decoration(c: char) -> bool {
    matches!(c, '#' | '@' | '*' | '~' | '^' | '=' | '!' | '\'' | '+')
}

/// Returns true for a name with a short number: `id: 7`, `rating=4.5`, `- level: 3`.
pub(super) fn is_setting(trimmed: &str) -> bool {
    const LONGEST_NUMBER: usize = 4;
    let inside = trimmed.trim_start_matches("- ");
    let Some((name, value)) = inside.split_once([':', '=']) else { return false };
    let (name, value) = (name.trim(), value.trim().trim_end_matches([';', ',']));
    name.len() >= 2
        && name.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        && !is_cell_word(name)
        && value.len() <= LONGEST_NUMBER
        && value.chars().all(|c| c.is_ascii_digit() || c == '.')
        && value.contains(|c: char| c.is_ascii_digit())
}

/// Returns true if some word of the line can be neither cells nor a label.
pub(super) fn has_words(trimmed: &str) -> bool {
    // A full-width X is a cell.
    let is_letter = |c: char| c.is_alphabetic() && c != '\u{ff38}';
    let mut words = trimmed.split(|c: char| !is_letter(c)).filter(|word| word.chars().count() >= 2).peekable();
    if words.peek().is_none() {
        return false;
    }
    let has_only_letters = trimmed.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || c.is_ascii_punctuation())
        && !trimmed.contains(['.', '_', '*', '?', '-', '|', ',']);
    if has_only_letters {
        // Letters A to Y may be the digits of a row, or of a map of regions, on a board over 9×9.
        let count = trimmed.chars().filter(|c| c.is_alphabetic()).count();
        let are_cells = trimmed.chars().all(|c| !c.is_alphabetic() || c.to_ascii_uppercase() <= 'Y' && c.is_ascii());
        let may_be_row = are_cells && matches!(count, 10 | 12 | 16 | 25);
        if !may_be_row && !words.clone().all(is_cell_word) {
            return true;
        }
    }
    words.any(|word| {
        let is_capitalized = word.chars().skip(1).any(char::is_lowercase) && word.starts_with(char::is_uppercase);
        let has_other_letters = word.chars().any(|c| !matches!(c.to_ascii_uppercase(), 'A'..='P'));
        let may_be_cells = word.chars().all(|c| c == 'x' || c.is_ascii_uppercase() && c <= 'Y');
        let is_word = has_other_letters || (is_capitalized && word.chars().count() >= 3);
        !is_cell_word(word) && !may_be_cells && is_word
    })
}

/// Returns true if a line is too short for a puzzle and no row of cells: a few words or numbers, or a date.
pub(super) fn is_short_note(text: &str) -> bool {
    let text = text.trim();
    let cells = text.chars().filter(|&c| is_symbol(c)).count();
    if cells >= SMALLEST_PUZZLE {
        return false;
    }
    let numbers: Vec<&str> = text.split(['-', '.', '/', ':']).collect();
    let is_date =
        numbers.len() == 3 && numbers.iter().all(|number| matches!(number.len(), 1 | 2 | 4) && all_digits(number));
    let has_no_cell = !text.chars().any(|c| c.is_ascii_digit() || is_blank(c));
    // Several numbers may be an aligned row.
    let is_single_number = cells <= SHORTEST_ROW && text.split_whitespace().count() == 1;
    if is_date || has_no_cell || is_single_number {
        return true;
    }
    let is_year = |run: &&str| run.len() == 4 && run.starts_with("20");
    let runs = text.split(|c| !is_digit_or_blank(c)).filter(|run| !is_year(run));
    let longest_run = runs.map(|run| run.chars().count()).max().unwrap_or_default();
    let fields = text.split(|c: char| is_separator(c)).filter(|field| !field.is_empty());
    let has_cells_of_row = fields.filter(|field| field.chars().all(is_digit_or_blank)).count() >= SHORTEST_ROW;
    let has_other_characters = text.chars().any(|c| !is_symbol(c) && !is_separator(c) || c.is_lowercase() && c != 'x');
    has_other_characters && longest_run < SHORTEST_ROW && !has_cells_of_row
}

fn is_digit_or_blank(c: char) -> bool {
    c.is_ascii_digit() || is_blank(c)
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';' | ':' | '"' | '\'' | '/' | '+')
}

/// Returns true if the word stands for an empty cell, or precedes the number of a row or column in a label.
fn is_cell_word(word: &str) -> bool {
    let word = word.to_lowercase();
    EMPTY_WORDS.contains(&word.as_str()) || matches!(word.as_str(), "row" | "col" | "column" | "nan" | "na")
}

/// Maximum number of lines examined for dashes that stand for empty cells.
const EXAMINED_LINES: usize = 64;

/// Part of the line below a drawing with marks, which says that a dash between two digits marks an eliminated candidate.
const LEGEND_OF_DASHES: &str = "- eliminated";

/// Number of rows of the largest grid: the cells of a 25×25 board, each on its own line.
pub(super) const MAX_ROWS: usize = 625;

/// Returns the rows from a line on, up to a line that can't be in a grid: words, a whole puzzle, a heading or a document. There are at
/// most [`MAX_ROWS`], and one more that shows that rows are missing.
pub(super) fn rows_from(lines: &[TextLine], start: usize) -> Vec<TextRow> {
    // Dashes are empty cells if some line has a dash and a digit.
    let mut near = lines[start..].iter().take(EXAMINED_LINES).take_while(|line| line.kind != LineKind::Whole);
    let dashes_are_cells = near.any(|line| has_dash_and_digit(line));
    let mut rows: Vec<TextRow> = Vec::new();
    let mut paragraph = 0;
    for (index, line) in lines.iter().enumerate().skip(start) {
        let is_row = match line.kind {
            LineKind::Blank => {
                if rows.last().is_some_and(|row| row.paragraph == paragraph) {
                    paragraph += 1;
                }
                false
            }
            LineKind::Comment | LineKind::Markup => false,
            LineKind::Border => dashes_are_cells && is_row_of_dashes(&lines[start..], line),
            LineKind::Row => true,
            LineKind::Words if index == start => true,
            _ => {
                if line.contains(LEGEND_OF_DASHES) {
                    rows.iter_mut().filter(|row| row.paragraph == paragraph).for_each(TextRow::decorate_dashes);
                }
                break;
            }
        };
        if is_row {
            rows.push(TextRow::new(index, paragraph, line.to_string()));
        }
        if rows.len() > MAX_ROWS {
            break;
        }
    }
    rows.retain(|row| !row.groups.is_empty() || row.has_only_bars() || row.text.contains([',', '\t', ';']));
    rows
}

fn is_border(trimmed: &str) -> bool {
    trimmed
        .chars()
        .all(|c| is_line_or_corner(c) || matches!(c, '*' | '|' | ':' | '.' | '\'' | '!' | '`' | ',' | ' ' | '\t'))
        && trimmed.chars().filter(|&c| is_line_or_corner(c) && !is_bar(c)).count() >= 3
}

pub(super) fn is_line_or_corner(c: char) -> bool {
    matches!(c, '-' | '=' | '+' | '\u{2013}'..='\u{2015}' | '\u{2500}'..='\u{257f}')
}

fn has_dash_and_digit(text: &str) -> bool {
    text.contains('-') && text.chars().any(|c| c.is_ascii_digit())
}

/// Returns true if this line of dashes is the first row of a grid: the next row has the same outline, with dashes for empty cells.
pub(super) fn begins_with_dashes(lines: &[TextLine], at: usize) -> bool {
    let next = lines[at + 1..].iter().find(|line| line.kind != LineKind::Border);
    next.is_some_and(|next| has_dash_and_digit(next) && outline(next) == outline(&lines[at]))
}

/// Returns the row with a dash in place of each cell.
fn outline(text: &str) -> String {
    text.trim_end().chars().map(|c| if is_symbol(c) { '-' } else { c }).collect()
}

/// Returns true if a line of dashes is a row of empty cells and no border, because some row has the same outline.
fn is_row_of_dashes(lines: &[TextLine], text: &str) -> bool {
    lines.iter().take(EXAMINED_LINES).any(|line| has_dash_and_digit(line) && outline(line) == outline(text))
}

/// Splits a line into groups of characters. A `+` before a digit marks the digit as placed.
fn split_into_groups(line: usize, text: &str) -> Vec<Vec<CellMark>> {
    let mut groups: Vec<Vec<CellMark>> = vec![Vec::new()];
    let mut is_placed = false;
    let symbols: Vec<char> = text.chars().collect();
    for (column, &symbol) in (1..).zip(&symbols) {
        let is_separator = symbol.is_whitespace()
            || is_bar(symbol)
            || matches!(symbol, ',' | '"' | '\'' | '!' | ':' | '/' | ';' | '\u{2500}'..='\u{257f}');
        if symbol == '+' && symbols.get(column).is_some_and(char::is_ascii_alphanumeric) {
            is_placed = true;
            continue;
        }
        if is_separator {
            groups.push(Vec::new());
        } else if let Some(group) = groups.last_mut() {
            group.push(CellMark { symbol, is_placed, line, column });
            is_placed = false;
        }
    }
    groups.retain(|group| !group.is_empty());
    groups
}

/// Returns the first character that cannot be in a puzzle. Braces around the candidates of a cell are allowed.
fn first_unknown_character(rows: &[TextRow]) -> Option<CellMark> {
    let groups = rows.iter().flat_map(|row| &row.groups);
    groups.flat_map(|group| in_braces(group).unwrap_or(group)).find(|mark| !is_symbol(mark.symbol)).copied()
}

/// Returns true if some mark is a digit above `limit`.
pub(super) fn has_digit_above<'m>(marks: impl IntoIterator<Item = &'m CellMark>, limit: usize) -> bool {
    marks.into_iter().any(|mark| !mark.is_blank() && mark.digit().is_some_and(|digit| digit.index() >= limit))
}

/// Explains why these rows are no grid.
pub(super) fn explain_rows(rows: &[TextRow], boards: BoardChoice<'_>) -> FormatError {
    let position = rows[0].position();
    if let Some(mark) = first_unknown_character(rows) {
        return unknown_character(mark);
    }
    if let [row] = rows {
        let cells = row.width();
        let message = format!("a row of {cells} characters is not a puzzle; {}", boards.explain_cell_count(cells));
        return FormatError::new(error::LENGTH, position, message);
    }
    let (width, height) = (usual_width(rows), rows.len());
    let groups: usize = rows.iter().map(|row| row.groups.len()).sum();
    if boards.required.is_none() {
        if !boards.has_size(width) && width == height && SIZES.contains(&width) {
            return FormatError::new(error::LENGTH, position, no_standard_board(width));
        }
        // A samurai puzzle has 21 rows and columns.
        if height == 21 && (boards.explain_cell_count(groups).contains("samurai") || groups <= 21 * 21) {
            let message = "21 rows: a samurai puzzle of overlapping grids? Pinion reads one grid at a time";
            return FormatError::new(error::LENGTH, position, message);
        }
        if !boards.has_size(height) && groups == height * height && height > 4 {
            return FormatError::new(error::LENGTH, position, no_standard_board(height));
        }
    }
    if !boards.has_size(width) {
        let message = format!("{height} rows with {groups} groups of characters are not a grid");
        return FormatError::new(error::ROWS, position, message)
            .with_help("a grid has n rows of n cells; candidate lists have n² groups separated by blanks");
    }
    let uneven_row = (1..).zip(rows).find(|(_, row)| row.width() != width);
    let (position, message) = match uneven_row {
        Some((number, row)) => {
            (row.position(), format!("row {number} has {} cells; the others have {width}", row.width()))
        }
        None => (position, format!("{height} rows of {width} cells; a {width}×{width} grid has {width} rows")),
    };
    FormatError::new(error::ROWS, position, message)
}

/// Returns the most common width of the rows; if several are equally common, the largest of them.
fn usual_width(rows: &[TextRow]) -> usize {
    let widths: Vec<usize> = rows.iter().map(TextRow::width).collect();
    let counted = widths.iter().map(|width| (widths.iter().filter(|other| *other == width).count(), *width));
    counted.max().map_or(0, |(_, width)| width)
}
