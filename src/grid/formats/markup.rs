//! Markup: tables in HTML, and the XML of OpenSudoku. In: text with tags. Out: rows to read as a drawing; [`Content`] of a game, and
//! the way back.
//!
//! OpenSudoku has one `<game data="…"/>` for each puzzle. The data are 81 digits, or `version: 3` and for each cell its value, the
//! bits of its notes and whether it can be changed.

use super::error::{FormatError, broken};
use super::puzzle::{Content, is_blank, is_symbol};
use super::table::PuzzleView;
use crate::grid::{Digit, DigitSet};
use roxmltree::Document;

/// The fewest characters that no text but a puzzle has.
const SURELY: usize = 16;

/// Returns true if a table begins on a line of markup.
pub(super) fn begins_table(line: &str) -> bool {
    line.to_ascii_lowercase().contains("<table")
}

/// Returns true if a table ends on a line of markup.
pub(super) fn ends_table(line: &str) -> bool {
    line.to_ascii_lowercase().contains("</table")
}

/// Returns true if a line of markup has as many cells in a run as a puzzle.
pub(super) fn holds_cells(line: &str) -> bool {
    line.split(|c| !is_symbol(c))
        .any(|run| run.chars().filter(|&c| c.is_ascii_digit() || is_blank(c)).count() >= SURELY)
}

/// Returns the rows of a table.
pub(super) fn rows(text: &str) -> Vec<String> {
    let (mut rows, mut cell): (Vec<Vec<String>>, Option<String>) = (Vec::new(), None);
    for part in text.split('<').skip(1) {
        let (tag, content) = part.split_once('>').unwrap_or((part, ""));
        let name = tag.split_whitespace().next().unwrap_or_default().to_ascii_lowercase();
        let ends = ["td", "th", "tr", "/td", "/th", "/tr", "/table"].contains(&name.as_str());
        if let (Some(text), Some(row)) = (cell.take_if(|_| ends), rows.last_mut()) {
            row.push(text);
        }
        match name.as_str() {
            "tr" => rows.push(Vec::new()),
            "td" | "th" => cell = Some(String::new()),
            _ => {}
        }
        if let Some(cell) = &mut cell {
            let value = if name == "input" { attribute(tag, "value") } else { None };
            cell.push_str(value.unwrap_or_default());
            cell.push_str(content);
        }
    }
    let rows = rows.iter().filter(|row| !row.is_empty()).map(|row| {
        let cells = row.iter().map(|cell| cell.replace("&nbsp;", " ").replace("&#160;", " "));
        let cells = cells.map(|cell| cell.split_whitespace().collect::<String>());
        format!("|{}|", cells.collect::<Vec<_>>().join("|"))
    });
    rows.collect()
}

/// Returns the value of an attribute in quotes.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let rest = tag.split_once(&format!("{name}="))?.1;
    let quote = rest.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    rest[1..].split(quote).next()
}

/// Opening lines of the document.
pub(super) const GAMES_HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku version=\"2\">";
pub(super) const GAMES_FOOT: &str = "</opensudoku>";

/// Finds the byte at which the element of a puzzle begins.
pub(super) fn begins_game(line: &str) -> Option<usize> {
    line.find("<game")
        .filter(|&at| line[at + 5..].chars().next().is_none_or(|c| c.is_whitespace() || c == '/' || c == '>'))
}

/// Finds the end of the element that begins the text; symbols in quotes don't count.
pub(super) fn game_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, symbol) in text.char_indices() {
        match (symbol, quote) {
            (symbol, Some(open)) if symbol == open => quote = None,
            ('"' | '\'', None) => quote = Some(symbol),
            ('>', None) => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Reads an element from `<game` to `>`.
pub(super) fn read_game(text: &str) -> Result<Content, FormatError> {
    let text = text.trim_end();
    let end = if text.ends_with("/>") { "" } else { "</game>" };
    let text = format!("{text}{end}");
    let document = Document::parse(&text).map_err(|error| broken(format!("its XML is broken: {error}")))?;
    let game = document.root_element();
    let data = game.attribute("data").ok_or_else(|| broken("a `game` has no `data`"))?.trim();
    let mut content = Content::new(9)?;
    content.note = ["name", "note"].iter().filter_map(|key| game.attribute(*key)).collect::<Vec<_>>().join(" ");
    match data.strip_prefix("version:") {
        None => content.givens = content.read_cells(data)?,
        Some(rest) => read_cells(&mut content, rest)?,
    }
    Ok(content)
}

/// Reads `3`, a blank, then `value|notes|editable|` for each cell. A newline in an attribute is read as a blank.
fn read_cells(content: &mut Content, text: &str) -> Result<(), FormatError> {
    let (version, cells) = text.trim_start().split_once(char::is_whitespace).unwrap_or_default();
    if !matches!(version, "1" | "2" | "3") {
        return Err(broken(format!("its data are of version `{version}`; 1 to 3 are read")));
    }
    let parts: Vec<&str> = cells.split('|').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() != 3 * 81 {
        return Err(broken(format!("its data have {} parts for 81 cells; {} are needed", parts.len(), 3 * 81)));
    }
    for (index, part) in parts.chunks(3).enumerate() {
        let value = number(part[0])?;
        if value > 0 {
            content.put(index, value, part[2] == "0")?;
        }
        let notes = if version == "1" {
            let digits = part[1].split(',').filter(|digit| !matches!(*digit, "" | "-"));
            digits.map(|digit| content.digit(number(digit)?)).collect::<Result<_, _>>()?
        } else {
            content.digits_of_bits(number(part[1])?)?
        };
        content.lists[index] = Some(notes).filter(|notes: &DigitSet| !notes.is_empty());
    }
    Ok(())
}

fn number(text: &str) -> Result<u64, FormatError> {
    text.parse().map_err(|_| broken(format!("`{text}` is not a number")))
}

/// Writes the element.
pub(super) fn write_game(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_lists()?;
    let data = if !view.has_lists() && view.puzzle.placed.iter().all(Option::is_none) {
        view.digits('0')
    } else {
        let cells = view.cells().map(|cell| {
            let value = view.digit(cell).map_or('0', Digit::symbol);
            let (notes, editable) = (view.list(cell).map_or(0, |list| list.0), u8::from(!view.is_given(cell)));
            format!("{value}|{notes}|{editable}|")
        });
        format!("version: 3&#10;{}", cells.collect::<String>())
    };
    Ok(format!("  <game data=\"{data}\" />"))
}
