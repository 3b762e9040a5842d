//! What each line of a text is: a comment, a border, a whole puzzle or a row of one. In: text. Out: [`Row`]s
//! grouped into stretches that may hold grids.

use super::lists::in_braces;
use super::one_line::is_one_line;
use super::puzzle::{Mark, is_blank, is_symbol};
use super::{delimited, json, link, matrix, opensudoku};

/// A line of a grid: its groups of characters, borders taken away.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// Index into the lines of the text.
    pub index: usize,
    /// Which paragraph of the stretch it is in: blank lines part them.
    pub paragraph: usize,
    /// Characters between borders and blanks.
    pub groups: Vec<Vec<Mark>>,
}

impl Row {
    /// How many characters.
    pub fn width(&self) -> usize {
        self.groups.iter().map(Vec::len).sum()
    }

    /// Its characters.
    pub fn marks(&self) -> impl Iterator<Item = Mark> + '_ {
        self.groups.iter().flatten().copied()
    }

    /// Where it begins.
    pub fn place(&self) -> (usize, usize) {
        self.groups.first().and_then(|group| group.first()).map_or((self.index + 1, 1), |mark| (mark.line, mark.column))
    }

    /// Whether it reads like the title of a puzzle: there is a word in it.
    pub fn is_title(&self) -> bool {
        let is_word = |group: &Vec<Mark>| group.len() >= 3 && group.iter().all(|mark| mark.symbol.is_alphabetic());
        self.groups.iter().any(is_word)
    }
}

/// What a line is, taken alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    /// Nothing.
    Blank,
    /// `# …`, `; …`, `// …`.
    Comment,
    /// `[Puzzle]`: the part that follows is read.
    Puzzle,
    /// `[State]` and other parts: what follows is not read.
    OtherPart,
    /// Only lines and corners.
    Border,
    /// A whole puzzle.
    Whole,
    /// A link, or another text that begins with the sign of its format.
    Marked,
    /// An object or a matrix begins here.
    Document(Document),
    /// Markup without a puzzle in it.
    Markup,
    /// A row of a grid, or nothing known.
    Row,
}

/// A text of several lines that ends with a bracket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Document {
    Json,
    Matrix,
    Xml,
}

pub(super) fn kind_of(text: &str) -> LineKind {
    let trimmed = text.trim();
    match trimmed.chars().next() {
        None => LineKind::Blank,
        Some(';') if delimited::cells(1, text).is_some() => LineKind::Row,
        Some('#' | ';') => LineKind::Comment,
        _ if trimmed.starts_with("//") => LineKind::Comment,
        _ if link::reader_of(trimmed).is_some() || link::constraints(trimmed).is_some() => LineKind::Marked,
        Some('{') if json::begins(trimmed) => LineKind::Document(Document::Json),
        Some('<') if opensudoku::begins(trimmed).is_some() => LineKind::Document(Document::Xml),
        Some('<') if trimmed[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '?' | '!' | '/')) => {
            LineKind::Markup
        }
        _ if matrix::begins(trimmed) => LineKind::Document(Document::Matrix),
        Some('[') if trimmed.eq_ignore_ascii_case("[puzzle]") => LineKind::Puzzle,
        Some('[') if trimmed.ends_with(']') => LineKind::OtherPart,
        _ if is_border(trimmed) => LineKind::Border,
        _ if is_one_line(text) => LineKind::Whole,
        _ => LineKind::Row,
    }
}

/// Returns true if a line is a puzzle whatever follows it: it has a group for each cell of a board, more than a row has cells. On a
/// board that was asked for, all cells in one group are enough.
pub(super) fn is_whole(text: &str, asked: Option<usize>) -> bool {
    const CELLS: [usize; 5] = [36, 81, 144, 256, 625];
    let groups = groups(1, text);
    let one_group = matches!(groups.as_slice(), [group] if asked == Some(group.len()));
    one_group || (CELLS.contains(&groups.len()) && groups.iter().all(|group| group.len() <= 2))
}

/// The rows from a line on, up to the next whole puzzle or part, at most those of the largest grid.
pub(super) fn rows_from(lines: &[&str], start: usize) -> Vec<Row> {
    const MOST: usize = 625;
    let dashes = dashes_are_blanks(&lines[start..]);
    let mut rows: Vec<Row> = Vec::new();
    let mut paragraph = 0;
    for (index, text) in lines.iter().enumerate().skip(start) {
        match kind_of(text) {
            LineKind::Blank => paragraph += usize::from(rows.last().is_some_and(|row| row.paragraph == paragraph)),
            LineKind::Comment | LineKind::Markup => {}
            LineKind::Border if !(dashes && is_row_of_dashes(text, rows.first())) => {}
            LineKind::Border | LineKind::Row => rows.push(Row { index, paragraph, groups: groups(index + 1, text) }),
            LineKind::Puzzle | LineKind::OtherPart | LineKind::Whole | LineKind::Marked | LineKind::Document(_) => {
                break;
            }
        }
        if rows.len() == MOST {
            break;
        }
    }
    rows.retain(|row| !row.groups.is_empty());
    rows
}

fn is_border(trimmed: &str) -> bool {
    let drawn = |c: char| matches!(c, '-' | '=' | '+' | '\u{2500}'..='\u{257f}');
    let other = |c: char| matches!(c, '*' | '|' | ':' | '.' | '\'' | '!' | '`' | ',' | ' ' | '\t');
    trimmed.chars().all(|c| drawn(c) || other(c)) && trimmed.chars().filter(|&c| drawn(c)).count() >= 3
}

/// Whether dashes are empty cells here: one stands in a line with a digit.
fn dashes_are_blanks(lines: &[&str]) -> bool {
    const NEAR: usize = 64;
    lines.iter().take(NEAR).take_while(|text| kind_of(text) != LineKind::Whole).any(|text| has_dash_and_digit(text))
}

fn has_dash_and_digit(text: &str) -> bool {
    text.contains('-') && text.chars().any(|c| c.is_ascii_digit())
}

/// Whether a grid begins with this line of dashes: the next line is a row of the same length with dashes in it.
pub(super) fn begins_with_dashes(lines: &[&str], at: usize) -> bool {
    let next = lines.get(at + 1).copied().unwrap_or_default();
    lines[at].chars().all(|c| c == '-') && next.len() == lines[at].len() && has_dash_and_digit(next)
}

/// Whether a line of dashes is as long as the first row: then it is an empty row and no border.
fn is_row_of_dashes(text: &str, first: Option<&Row>) -> bool {
    let dashes = text.chars().filter(|&c| c == '-').count();
    let plain = text.chars().all(|c| matches!(c, '-' | '|' | ' '));
    plain && first.is_none_or(|row| row.width() == dashes)
}

fn groups(line: usize, text: &str) -> Vec<Vec<Mark>> {
    if let Some(cells) = delimited::cells(line, text) {
        return cells;
    }
    let mut out: Vec<Vec<Mark>> = vec![Vec::new()];
    for (column, symbol) in (1..).zip(text.chars()) {
        let parts = symbol.is_whitespace()
            || matches!(symbol, '|' | ',' | '"' | '\'' | '!' | ':' | '/' | ';' | '\u{2500}'..='\u{257f}');
        match out.last_mut() {
            Some(group) if !parts => group.push(Mark { symbol, placed: false, line, column }),
            Some(group) if !group.is_empty() => out.push(Vec::new()),
            _ => {}
        }
    }
    out.iter_mut().for_each(undecorated);
    out.retain(|group| !group.is_empty());
    out
}

/// Takes the signs away by which people mark candidates, and the `u` before a placed digit.
fn undecorated(group: &mut Vec<Mark>) {
    let is_digit = |mark: &Mark| mark.symbol.is_ascii_digit();
    if !group.iter().any(is_digit) {
        return;
    }
    group.retain(|mark| !matches!(mark.symbol, '#' | '@' | '~' | '^' | '<' | '>' | '(' | ')'));
    if let [first, digits @ ..] = group.as_mut_slice()
        && matches!(first.symbol, 'u' | 'U')
        && !digits.is_empty()
        && digits.iter().all(is_digit)
    {
        digits[0].placed = true;
        group.remove(0);
    }
}

/// The first character that no puzzle has. Braces around the candidates of a cell are fine.
pub(super) fn strange<'r>(rows: impl IntoIterator<Item = &'r Row>) -> Option<Mark> {
    let groups = rows.into_iter().flat_map(|row| &row.groups);
    groups.flat_map(|group| in_braces(group).unwrap_or(group)).find(|mark| !is_symbol(mark.symbol)).copied()
}

/// Whether any of these characters is a digit above the one given.
pub(super) fn has_digit_above(rows: &[Row], limit: usize) -> bool {
    let above = |mark: Mark| {
        !is_blank(mark.symbol)
            && crate::grid::Digit::from_symbol(mark.symbol).is_some_and(|digit| digit.index() >= limit)
    };
    rows.iter().flat_map(Row::marks).any(above)
}
