//! Reads tables in HTML, and reads and writes the XML of OpenSudoku. In: text with tags. Out: rows to read as a drawing; the
//! [`Content`] of a game.
//!
//! OpenSudoku has one `<game data="…"/>` for each puzzle. The data are 81 digits, or `version: 3` and for each cell its value, the
//! bit mask of its notes, and a 1 if it is editable.

use super::boards::SMALLEST_PUZZLE;
use super::error::{FormatError, broken};
use super::puzzle::{Content, is_blank, is_symbol};
use super::table::PuzzleView;
use crate::grid::{Digit, DigitSet};
use roxmltree::Document;

pub(super) fn contains_tag(line: &str, tag: &str) -> bool {
    line.to_ascii_lowercase().contains(tag)
}

/// Returns true if a line of markup has a run of characters with enough digits and blanks for a puzzle.
pub(super) fn has_puzzle_cells(line: &str) -> bool {
    line.split(|c| !is_symbol(c))
        .any(|run| run.chars().filter(|&c| c.is_ascii_digit() || is_blank(c)).count() >= SMALLEST_PUZZLE)
}

/// Elements of HTML without an end tag.
const VOID_ELEMENTS: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Elements that `/>` closes, unlike other elements of HTML.
const DRAWING_ELEMENTS: [&str; 13] =
    ["svg", "math", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "image", "use"];

/// Returns the rows of a table, each as its cells between bars. Hidden rows and texts are left out; a hidden cell is empty.
pub(super) fn table_rows(text: &str) -> Vec<String> {
    let text = without_comments(text);
    let mut rows: Vec<Vec<String>> = Vec::new();
    // The cell whose end has not been read yet.
    let mut open_cell: Option<String> = None;
    let mut hidden: Option<HiddenElement> = None;
    for element in text.split('<').skip(1) {
        let (tag, content) = element.split_once('>').unwrap_or((element, ""));
        let name = tag.split([' ', '\t', '\r', '\n']).next().unwrap_or_default().trim_end_matches('/');
        let name = name.to_ascii_lowercase();
        let closes_itself = DRAWING_ELEMENTS.contains(&name.as_str()) && tag.trim_end().ends_with('/');
        let has_end = !closes_itself && !VOID_ELEMENTS.contains(&name.as_str());
        if let Some(element) = &mut hidden {
            if !has_end || !element.read_tag(&name) {
                continue;
            }
            hidden = None;
        }
        let ends_cell = ["td", "th", "tr", "/td", "/th", "/tr", "/table"].contains(&name.as_str());
        if ends_cell
            && let Some(text) = open_cell.take()
            && let Some(row) = rows.last_mut()
        {
            row.push(text);
        }
        let attributes = attributes(tag);
        let is_hidden = is_hidden(&name, &attributes);
        match name.as_str() {
            "tr" if !is_hidden => rows.push(Vec::new()),
            "td" | "th" => open_cell = Some(String::new()),
            _ => {}
        }
        if is_hidden && has_end {
            hidden = Some(HiddenElement { name, depth: 1 });
            continue;
        }
        if let Some(cell) = &mut open_cell {
            if name == "input" && !is_hidden {
                cell.push_str(attribute(&attributes, "value").unwrap_or_default());
            }
            cell.push_str(content);
        }
    }
    rows.iter().filter(|row| !row.is_empty()).map(|row| join_with_bars(row)).collect()
}

struct HiddenElement {
    name: String,
    /// Number of open elements with this name: the hidden one, and those inside.
    depth: usize,
}

impl HiddenElement {
    /// Counts a tag inside the hidden element. Returns true if the tag ends the element: its end tag, or a tag before which
    /// its end tag may be missing.
    fn read_tag(&mut self, tag: &str) -> bool {
        let next_tags: &[&str] = match self.name.as_str() {
            "option" => &["option", "/select"],
            "td" | "th" => &["td", "th", "tr", "/tr", "/table"],
            "tr" => &["tr", "/table"],
            _ => &[],
        };
        if tag == self.name {
            self.depth += 1;
        } else if tag.strip_prefix('/') == Some(&self.name) {
            self.depth -= 1;
        }
        self.depth == 0 || next_tags.contains(&tag)
    }
}

/// Returns true if a browser does not show an element, or shows it struck through, as an eliminated candidate.
fn is_hidden(name: &str, attributes: &[(String, &str)]) -> bool {
    let style = attribute(attributes, "style").unwrap_or_default().to_ascii_lowercase().replace([' ', '\t'], "");
    let is_of_hidden_type =
        name == "input" && attribute(attributes, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("hidden"));
    let is_unselected_option = name == "option" && attribute(attributes, "selected").is_none();
    ["del", "s", "strike", "script", "style", "template"].contains(&name)
        || attribute(attributes, "hidden").is_some()
        || ["display:none", "visibility:hidden", "opacity:0;", "text-decoration:line-through"]
            .iter()
            .any(|declaration| format!("{style};").contains(declaration))
        || is_of_hidden_type
        || is_unselected_option
}

/// Removes comments. A comment that is not closed extends to the end.
pub(super) fn without_comments(text: &str) -> String {
    let mut parts = text.split("<!--");
    let first = parts.next().unwrap_or_default().to_string();
    parts.fold(first, |shown, part| shown + part.split_once("-->").map_or("", |(_, rest)| rest))
}

/// Returns true if a comment begins in a line and does not end there.
pub(super) fn has_open_comment(line: &str) -> bool {
    line.rsplit_once("<!--").is_some_and(|(_, comment)| !comment.contains("-->"))
}

/// Writes the cells between bars, without the blanks in the cells.
fn join_with_bars(row: &[String]) -> String {
    let cells = row.iter().map(|cell| {
        let text = cell.replace("&nbsp;", " ").replace("&#160;", " ");
        text.split_whitespace().collect::<String>()
    });
    format!("|{}|", cells.collect::<Vec<_>>().join("|"))
}

/// Returns the value of an attribute; the name is in lower case.
fn attribute<'t>(attributes: &[(String, &'t str)], name: &str) -> Option<&'t str> {
    attributes.iter().find(|(other, _)| other == name).map(|(_, value)| *value)
}

/// Returns the names of the attributes of a tag, in lower case, and their values.
fn attributes(tag: &str) -> Vec<(String, &str)> {
    let mut attributes = Vec::new();
    let mut rest = tag.trim_start_matches(|c| !ends_attribute(c)).trim_start_matches(ends_attribute);
    while !rest.is_empty() {
        let end = rest.find(|c| ends_attribute(c) || c == '=').unwrap_or(rest.len());
        let name = rest[..end].to_ascii_lowercase();
        rest = rest[end..].trim_start();
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            let after = after.trim_start();
            (value, rest) = match after.chars().next() {
                Some(quote @ ('"' | '\'')) => after[1..].split_once(quote).unwrap_or((&after[1..], "")),
                _ => after.split_at(after.find(char::is_whitespace).unwrap_or(after.len())),
            };
        }
        attributes.push((name, value));
        rest = rest.trim_start_matches(ends_attribute);
    }
    attributes
}

fn ends_attribute(c: char) -> bool {
    c.is_whitespace() || c == '/'
}

/// Opening lines of a file of OpenSudoku.
pub(super) const GAMES_HEADER: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku version=\"2\">";
pub(super) const GAMES_FOOTER: &str = "</opensudoku>";

/// Returns the byte offset of the first `game` element in a line.
pub(super) fn game_start(line: &str) -> Option<usize> {
    let start = line.find("<game")?;
    // Other names, such as `<games>`, begin in the same way.
    let next = line[start + "<game".len()..].chars().next();
    if next.is_none_or(|c| c.is_whitespace() || c == '/' || c == '>') { Some(start) } else { None }
}

/// Returns the byte offset after the first `>` outside of quotes.
pub(super) fn game_end(text: &str) -> Option<usize> {
    let mut open_quote = None;
    for (at, symbol) in text.char_indices() {
        match (symbol, open_quote) {
            (symbol, Some(quote)) if symbol == quote => open_quote = None,
            ('"' | '\'', None) => open_quote = Some(symbol),
            ('>', None) => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Reads a `game` element from `<game` to `>`.
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
        Some(rest) => read_versioned_cells(&mut content, rest)?,
    }
    Ok(content)
}

/// Reads the version, a blank, then `value|notes|editable|` for each cell. Notes are digits with commas in version 1, and a bit mask in
/// later versions. The XML parser turns newlines in attributes into blanks.
fn read_versioned_cells(content: &mut Content, text: &str) -> Result<(), FormatError> {
    let (version, cells) = text.trim_start().split_once(char::is_whitespace).unwrap_or_default();
    if !matches!(version, "1" | "2" | "3") {
        return Err(broken(format!("its data are of version `{version}`; 1 to 3 are read")));
    }
    let parts: Vec<&str> = cells.split('|').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() != 3 * 81 {
        return Err(broken(format!("its data have {} parts for 81 cells; {} are needed", parts.len(), 3 * 81)));
    }
    for (index, part) in parts.chunks(3).enumerate() {
        let value = parse_number(part[0])?;
        if value > 0 {
            content.put(index, value, part[2] == "0")?;
        }
        let notes = if version == "1" {
            let digits = part[1].split(',').filter(|digit| !matches!(*digit, "" | "-"));
            digits.map(|digit| content.digit(parse_number(digit)?)).collect::<Result<_, _>>()?
        } else {
            content.digits_of_bits(parse_number(part[1])?)?
        };
        content.lists[index] = if notes == DigitSet::EMPTY { None } else { Some(notes) };
    }
    Ok(())
}

fn parse_number(text: &str) -> Result<u64, FormatError> {
    text.parse().map_err(|_| broken(format!("`{text}` is not a number")))
}

pub(super) fn write_game(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_lists()?;
    let data = if !view.has_lists && view.puzzle.placed.iter().all(Option::is_none) {
        view.digits('0')
    } else {
        let cells = view.cells().map(|cell| {
            let value = view.puzzle.digit(cell).map_or('0', Digit::symbol);
            let (notes, editable) = (view.list(cell).map_or(0, |list| list.0), u8::from(!view.is_given(cell)));
            format!("{value}|{notes}|{editable}|")
        });
        format!("version: 3&#10;{}", cells.collect::<String>())
    };
    Ok(format!("  <game data=\"{data}\" />"))
}
