//! Kinds of lines: comments, borders, whole puzzles, rows of grids. In: lines. Out: [`LineKind`]s, and [`TextRow`]s of the stretches
//! that may hold grids.

use super::TextPosition;
use super::boards::{BoardChoice, SIZES, no_standard_board};
use super::cell_texts::{EMPTY_WORDS, in_braces};
use super::columns::is_bar;
use super::error::{self, FormatError};
use super::link::all_digits;
use super::one_line::{LONGEST_ROW, is_one_line};
use super::puzzle::{CellMark, is_blank, is_symbol, start_of, unknown_character};
use super::{documents, link, markup, records};
use crate::grid::BoardSpec;

/// A line of a grid.
#[derive(Clone, Debug)]
pub(super) struct TextRow {
    /// Index into the lines of the text.
    pub index: usize,
    /// The paragraph of the stretch it is in: blank lines separate paragraphs.
    pub paragraph: usize,
    /// The line itself, with blanks in place of a label.
    pub text: String,
    /// Characters between borders and blanks.
    pub groups: Vec<Vec<CellMark>>,
}

impl TextRow {
    pub fn new(index: usize, paragraph: usize, text: String) -> TextRow {
        let groups = groups(index + 1, &text);
        TextRow { index, paragraph, text, groups }
    }

    /// Returns the number of characters.
    pub fn width(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Returns all characters of the row.
    pub fn marks(&self) -> impl Iterator<Item = CellMark> + '_ {
        self.groups.iter().flatten().copied()
    }

    /// Returns the place of its first character.
    pub fn position(&self) -> TextPosition {
        self.groups.first().map_or((self.index + 1, 1), |group| start_of(group))
    }

    /// Returns the number of bars.
    pub fn bars(&self) -> usize {
        self.text.chars().filter(|&c| is_bar(c)).count()
    }

    /// Returns true if it has bars and nothing between them.
    pub fn is_hollow(&self) -> bool {
        self.groups.is_empty() && self.text.contains(is_bar)
    }

    /// Returns true if nothing stands between two separators, so that the row has more cells than groups.
    pub fn has_gap(&self) -> bool {
        let fields: Vec<&str> = self.text.trim().split(|c: char| is_bar(c) || matches!(c, ',' | ';')).collect();
        let inner = fields.get(1..fields.len() - 1).unwrap_or_default();
        let doubled = self.text.contains(is_bar);
        inner.iter().any(|field| field.trim().is_empty() && !(doubled && field.is_empty()))
    }
}

/// Kind of a line, regardless of its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// No characters but blanks.
    Blank,
    /// `# …`, `; …`, `// …`.
    Comment,
    /// `[Puzzle]`: puzzles follow.
    Puzzle,
    /// `[State]` and other headings: the lines below are not read.
    OtherPart,
    /// Only lines and corners.
    Border,
    /// A whole puzzle.
    Whole,
    /// A link, or another text that begins with the symbol of its format.
    Marked,
    /// An object or a matrix begins here.
    Document(DocumentKind),
    /// Markup without a puzzle in it.
    Markup,
    /// Words about puzzles, the head of a table, a fence around a text.
    Words,
    /// A row of a grid, or nothing known.
    Row,
}

/// A text of several lines that ends with a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentKind {
    Json,
    Matrix,
    Xml,
}

pub(super) fn kind_of(text: &str) -> LineKind {
    let trimmed = text.trim();
    match trimmed.chars().next() {
        None if text.contains(TABS) => LineKind::Row,
        None => LineKind::Blank,
        Some('0'..='9' | '.') if bare_cells(trimmed).is_some() => LineKind::Whole,
        Some(';') if begins_with_field(trimmed) => LineKind::Row,
        Some('#' | '<' | '[') if is_row_of_lists(trimmed) => LineKind::Row,
        Some('#' | ';') => LineKind::Comment,
        _ if trimmed.starts_with("//") => LineKind::Comment,
        _ if trimmed.starts_with("```") || trimmed.starts_with("~~~") => LineKind::Words,
        _ if link::reader_of(trimmed).is_some() || link::constraints(trimmed).is_some() => LineKind::Marked,
        _ if is_words_with_link(trimmed) => LineKind::Marked,
        Some('{') if records::begins_object(trimmed) => LineKind::Document(DocumentKind::Json),
        Some('<') if markup::game_start(trimmed).is_some() => LineKind::Document(DocumentKind::Xml),
        Some('<') if trimmed[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '?' | '!' | '/')) => {
            LineKind::Markup
        }
        Some('[') if is_row_of_r(trimmed) => LineKind::Row,
        Some('[') if trimmed.eq_ignore_ascii_case("[puzzle]") => LineKind::Puzzle,
        Some('[') if trimmed.ends_with(']') && PARTS.contains(&&*trimmed.to_lowercase()) => LineKind::OtherPart,
        Some('[') if trimmed.ends_with(']') && !trimmed.contains([',', '"', '\'']) && is_words(trimmed) => {
            LineKind::Words
        }
        Some('}' | ']' | ')') if trimmed.chars().all(|c| "}]),;".contains(c)) => LineKind::Words,
        _ if is_setting(trimmed) => LineKind::Words,
        _ if documents::begins(trimmed) => LineKind::Document(DocumentKind::Matrix),
        Some('[') if trimmed.ends_with(']') && is_words(trimmed) => LineKind::Words,
        _ if is_border(trimmed) => LineKind::Border,
        _ if is_one_line(text) => LineKind::Whole,
        _ if begins_with_small_puzzle(trimmed) => LineKind::Row,
        _ if is_words(trimmed) => LineKind::Words,
        _ => LineKind::Row,
    }
}

/// Returns the first word of a line, if it is longer than any row and has only digits and points. Most lines of collections begin
/// with such a word, and need no other check.
pub(super) fn bare_cells(text: &str) -> Option<&str> {
    let word = text.split(char::is_whitespace).next()?;
    let is_bare = word.len() > LONGEST_ROW && word.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    is_bare.then_some(word)
}

/// Returns true if a link stands among words, and neither cells nor a document before it.
fn is_words_with_link(trimmed: &str) -> bool {
    const SURELY_CELLS: usize = 16;
    let Some(at) = link::inside(trimmed).first().and_then(|link| trimmed.find(link)) else { return false };
    let before = &trimmed[..at];
    let cells = before.split(|c| !is_symbol(c)).any(|run| run.chars().count() >= SURELY_CELLS);
    !(cells || records::begins_object(trimmed) || documents::begins(trimmed) || markup::game_start(trimmed).is_some())
}

/// Returns true if a line is a puzzle regardless of the lines below: it has a group for each cell of a board. For a requested board,
/// one group of all cells is enough.
pub(super) fn is_whole(text: &str, asked: Option<usize>) -> bool {
    const CELLS: [usize; 5] = [36, 81, 144, 256, 625];
    let groups = groups(1, text);
    let one_group = matches!(groups.as_slice(), [group] if asked == Some(group.len()));
    one_group || (CELLS.contains(&groups.len()) && groups.iter().all(|group| group.len() <= 2))
}

/// Returns true if the line begins with as many cells as a 4×4 puzzle has, or a 5×5 one; notes may follow.
fn begins_with_small_puzzle(trimmed: &str) -> bool {
    let first = trimmed.split_whitespace().next().unwrap_or_default();
    let cells = first.chars().filter(|&c| c != '+').count();
    matches!(cells, 16 | 25)
        && first.chars().all(|c| is_symbol(c) || c == '+')
        && first.chars().any(|c| !c.is_alphabetic())
}

/// Parts of a file whose content is not the puzzle.
const PARTS: [&str; 6] = ["[state]", "[pencilmarks]", "[pencil marks]", "[candidates]", "[solution]", "[colors]"];

/// Fewest tabs of a row of empty cells.
const TABS: &str = "\t\t\t";

/// Returns true if the line is a row whose first field is empty, and no comment.
fn begins_with_field(trimmed: &str) -> bool {
    let fields: Vec<&str> = trimmed.split(';').collect();
    fields.len() >= 4 && fields.iter().all(|field| field.trim().trim_matches('"').chars().count() <= 2)
}

/// Returns true if the line is a row or the head of a matrix as R prints it: `[1,] 5 3`, `[,1] [,2]`.
fn is_row_of_r(trimmed: &str) -> bool {
    let inside = trimmed[1..].trim_start_matches(',').trim_start_matches(|c: char| c.is_ascii_digit());
    let bracket = inside.starts_with(']') || inside.starts_with(",]");
    bracket && (trimmed.starts_with("[,") || inside.starts_with(",]"))
}

/// Returns true if a line that begins with a mark is a row of candidate lists: as many words as a board has cells in a row, perhaps
/// with a label, each with digits that ascend, and several in some word.
fn is_row_of_lists(trimmed: &str) -> bool {
    let words = trimmed.split(|c: char| c.is_whitespace() || is_bar(c)).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.take(2 * LONGEST_ROW).collect();
    let is_size =
        [words.len(), words.len() - 1].iter().any(|&size| size >= 6 && BoardSpec::usual_box_shape(size).is_some());
    is_size
        && words.iter().all(|word| is_list(word) && is_closed(word))
        && words.iter().any(|word| word.chars().filter(char::is_ascii_digit).count() > 1)
}

/// Returns true for a list of ascending digits, perhaps with symbols around and between them.
fn is_list(word: &str) -> bool {
    let inside = word.trim_matches(|c| is_mark(c) || "()[]<>{}".contains(c));
    let digits: Vec<u8> = word.bytes().filter(u8::is_ascii_digit).collect();
    (1..=LONGEST_LIST).contains(&inside.len())
        && word.chars().all(|c| is_mark(c) || c.is_ascii_alphanumeric() || "()[]<>{},/".contains(c))
        && digits.is_sorted_by(|a, b| a < b)
        && digits.first() != Some(&b'0')
}

/// Returns true if as many brackets close as open.
fn is_closed(word: &str) -> bool {
    word.matches(['[', '(', '<']).count() == word.matches([']', ')', '>']).count()
}

/// Returns true for symbols by which people mark candidates.
fn is_mark(c: char) -> bool {
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

/// Most characters of a list of candidates in a row, with symbols between them.
const LONGEST_LIST: usize = 32;

/// Returns true if there is a word in the line that can be neither cells nor the label of a row.
pub(super) fn is_words(trimmed: &str) -> bool {
    let mut words = trimmed.split(|c: char| !is_letter(c)).filter(|word| word.chars().count() >= 2).peekable();
    if words.peek().is_none() {
        return false;
    }
    if trimmed.chars().all(|c| c.is_alphabetic() || c.is_whitespace() || c.is_ascii_punctuation())
        && !trimmed.contains(['.', '_', '*', '?', '-', '|', ','])
    {
        let count = trimmed.chars().filter(|c| c.is_alphabetic()).count();
        let in_rows = trimmed.chars().all(|c| !c.is_alphabetic() || c.to_ascii_uppercase() <= 'Y' && c.is_ascii());
        if !(words.clone().all(is_cell_word) || in_rows && matches!(count, 10 | 12 | 16 | 25)) {
            return true;
        }
    }
    words.any(|word| {
        let cased = word.chars().skip(1).any(char::is_lowercase) && word.starts_with(char::is_uppercase);
        let foreign = word.chars().any(|c| !matches!(c.to_ascii_uppercase(), 'A'..='P'));
        let marks =
            word.chars().all(|c| matches!(c, 'x' | 'X')) || word.chars().all(|c| c.is_ascii_uppercase() && c <= 'Y');
        !is_cell_word(word) && !marks && (foreign || (cased && word.chars().count() >= 3))
    })
}

/// Returns true for a letter; a wide X is none, but a cell.
fn is_letter(c: char) -> bool {
    c.is_alphabetic() && c != '\u{ff38}'
}

/// Returns true if a line is too short for a puzzle and no row of cells: a few words or numbers, or a date.
pub(super) fn is_short_note(text: &str) -> bool {
    const SHORTEST_PUZZLE: usize = 16;
    const FEW: usize = 4;
    let text = text.trim();
    let cells = text.chars().filter(|&c| is_symbol(c)).count();
    if cells >= SHORTEST_PUZZLE {
        return false;
    }
    let numbers: Vec<&str> = text.split(['-', '.', '/', ':']).collect();
    let is_date =
        numbers.len() == 3 && numbers.iter().all(|number| matches!(number.len(), 1 | 2 | 4) && all_digits(number));
    let letters = !text.chars().any(|c| c.is_ascii_digit() || is_blank(c));
    // Several numbers may be an aligned row.
    if is_date || letters || cells <= FEW && text.split_whitespace().count() == 1 {
        return true;
    }
    let runs = text.split(|c| !is_digit_or_blank(c)).filter(|run| !(run.len() == 4 && run.starts_with("20")));
    let longest = runs.map(|run| run.chars().count()).max().unwrap_or_default();
    // A row has cells between its labels, however few digits.
    let fields = text.split(|c: char| separates(c)).filter(|field| !field.is_empty());
    let is_row = fields.filter(|field| field.chars().all(is_digit_or_blank)).count() >= FEW;
    let strange = text.chars().any(|c| !is_symbol(c) && !separates(c) || c.is_lowercase() && c != 'x');
    strange && longest < FEW && !is_row
}

/// Returns true for a digit or a symbol for an empty cell.
fn is_digit_or_blank(c: char) -> bool {
    c.is_ascii_digit() || is_blank(c)
}

/// Returns true for symbols between cells or words.
fn separates(c: char) -> bool {
    c.is_whitespace() || is_bar(c) || matches!(c, ',' | ';' | ':' | '"' | '\'' | '/' | '+')
}

/// Returns true if the word stands for an empty cell, or before the number of a row or column.
fn is_cell_word(word: &str) -> bool {
    let word = word.to_lowercase();
    EMPTY_WORDS.contains(&word.as_str()) || matches!(word.as_str(), "row" | "col" | "column" | "nan" | "na")
}

/// Most lines examined for rows with dashes.
const NEAR: usize = 64;

/// Returns the rows from a line on, up to words, the next whole puzzle or part, at most those of the largest grid.
pub(super) fn rows_from(lines: &[&str], start: usize) -> Vec<TextRow> {
    const MOST: usize = 625;
    // Dashes are empty cells if some line has a dash and a digit.
    let mut near = lines[start..].iter().take(NEAR).take_while(|text| kind_of(text) != LineKind::Whole);
    let dashes = near.any(|text| has_dash_and_digit(text));
    let mut rows: Vec<TextRow> = Vec::new();
    let mut paragraph = 0;
    for (index, text) in lines.iter().enumerate().skip(start) {
        match kind_of(text) {
            LineKind::Blank => paragraph += usize::from(rows.last().is_some_and(|row| row.paragraph == paragraph)),
            LineKind::Comment | LineKind::Markup => {}
            LineKind::Border if !(dashes && is_row_of_dashes(&lines[start..], text)) => {}
            kind if matches!(kind, LineKind::Border | LineKind::Row) || kind == LineKind::Words && index == start => {
                rows.push(TextRow::new(index, paragraph, (*text).to_string()));
            }
            _ => break,
        }
        if rows.len() == MOST {
            break;
        }
    }
    rows.retain(|row| !row.groups.is_empty() || row.is_hollow() || row.text.contains([',', '\t', ';']));
    rows
}

fn is_border(trimmed: &str) -> bool {
    trimmed.chars().all(|c| is_drawn(c) || matches!(c, '*' | '|' | ':' | '.' | '\'' | '!' | '`' | ',' | ' ' | '\t'))
        && trimmed.chars().filter(|&c| is_drawn(c) && !is_bar(c)).count() >= 3
}

fn is_drawn(c: char) -> bool {
    matches!(c, '-' | '=' | '+' | '\u{2500}'..='\u{257f}')
}

fn has_dash_and_digit(text: &str) -> bool {
    text.contains('-') && text.chars().any(|c| c.is_ascii_digit())
}

/// Returns true if a grid begins with this line of dashes: the next row has its form, and dashes in it.
pub(super) fn begins_with_dashes(lines: &[&str], at: usize) -> bool {
    let next = lines[at + 1..].iter().find(|line| kind_of(line) != LineKind::Border);
    next.is_some_and(|next| has_dash_and_digit(next) && form(next) == form(lines[at]))
}

/// Returns the form of a row: a dash for each cell.
fn form(text: &str) -> String {
    text.trim_end().chars().map(|c| if is_symbol(c) { '-' } else { c }).collect()
}

/// Returns true if a line of dashes has the form of a row of cells, and so is no border.
fn is_row_of_dashes(lines: &[&str], text: &str) -> bool {
    lines.iter().take(NEAR).any(|line| has_dash_and_digit(line) && form(line) == form(text))
}

fn groups(line: usize, text: &str) -> Vec<Vec<CellMark>> {
    let mut out: Vec<Vec<CellMark>> = vec![Vec::new()];
    let mut placed = false;
    let symbols: Vec<char> = text.chars().collect();
    for (column, &symbol) in (1..).zip(&symbols) {
        let parts = symbol.is_whitespace()
            || is_bar(symbol)
            || matches!(symbol, ',' | '"' | '\'' | '!' | ':' | '/' | ';' | '\u{2500}'..='\u{257f}');
        if symbol == '+' && symbols.get(column).is_some_and(char::is_ascii_alphanumeric) {
            placed = true;
            continue;
        }
        match out.last_mut() {
            Some(group) if !parts => {
                group.push(CellMark { placed: std::mem::take(&mut placed), ..CellMark::new(symbol, line, column) });
            }
            Some(group) if !group.is_empty() => out.push(Vec::new()),
            _ => {}
        }
    }
    out.retain(|group| !group.is_empty());
    out
}

/// Returns the first character that no puzzle has. Braces around the candidates of a cell are allowed.
fn strange(rows: &[TextRow]) -> Option<CellMark> {
    let groups = rows.iter().flat_map(|row| &row.groups);
    groups.flat_map(|group| in_braces(group).unwrap_or(group)).find(|mark| !is_symbol(mark.symbol)).copied()
}

/// Returns true if some mark is a digit above `limit`.
pub(super) fn has_digit_above<'m>(marks: impl IntoIterator<Item = &'m CellMark>, limit: usize) -> bool {
    marks.into_iter().any(|mark| !mark.is_blank() && mark.digit().is_some_and(|digit| digit.index() >= limit))
}

/// Explains why these rows are no grid.
pub(super) fn explain(rows: &[TextRow], boards: BoardChoice<'_>) -> FormatError {
    let position = rows[0].position();
    if let Some(mark) = strange(rows) {
        return unknown_character(mark);
    }
    if let [row] = rows {
        let cells = row.width();
        let message = format!("a row of {cells} characters is not a puzzle; {}", boards.describe_nearest_length(cells));
        return FormatError::new(error::LENGTH, position, message);
    }
    let (size, count) = (usual_width(rows), rows.len());
    let groups: usize = rows.iter().map(|row| row.groups.len()).sum();
    let any_board = boards.required.is_none();
    if !boards.has_size(size) && any_board && size == count && SIZES.contains(&size) {
        return FormatError::new(error::LENGTH, position, no_standard_board(size));
    }
    if any_board && count == 21 && (boards.describe_nearest_length(groups).contains("samurai") || groups <= 441) {
        let message = "21 rows: a samurai puzzle of overlapping grids? Pinion reads one grid at a time";
        return FormatError::new(error::LENGTH, position, message);
    }
    if !boards.has_size(count) && any_board && groups == count * count && count > 4 {
        return FormatError::new(error::LENGTH, position, no_standard_board(count));
    }
    if !boards.has_size(size) {
        let message = format!("{count} rows with {groups} groups of characters are not a grid");
        return FormatError::new(error::ROWS, position, message)
            .with_help("a grid has n rows of n cells; candidate lists have n² groups parted by blanks");
    }
    let odd = (1..).zip(rows).find(|(_, row)| row.width() != size);
    let (position, message) = match odd {
        Some((number, row)) => {
            (row.position(), format!("row {number} has {} cells; the others have {size}", row.width()))
        }
        None => (position, format!("{count} rows of {size} cells; a {size}×{size} grid has {size} rows")),
    };
    FormatError::new(error::ROWS, position, message)
}

/// Returns the most common width of the rows, the larger of two as common.
fn usual_width(rows: &[TextRow]) -> usize {
    let widths: Vec<usize> = rows.iter().map(TextRow::width).collect();
    let counted = widths.iter().map(|width| (widths.iter().filter(|other| *other == width).count(), *width));
    counted.max().map_or(0, |(_, width)| width)
}
