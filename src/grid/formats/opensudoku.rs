//! The XML of OpenSudoku: one `<game data="…"/>` for each puzzle. In: such an element. Out: [`Content`], and the way back.
//!
//! The data are 81 digits, or `version: 3` and for each cell its value, its notes and whether it can be changed.

use super::content::{Content, Wrong};
use super::hold::View;
use crate::grid::{Digit, DigitSet};
use roxmltree::Document;

/// What a file begins and ends with.
pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku version=\"2\">";
pub(super) const FOOT: &str = "</opensudoku>";

/// Where the element of a puzzle begins in a line.
pub(super) fn begins(line: &str) -> Option<usize> {
    line.find("<game")
        .filter(|&at| line[at + 5..].chars().next().is_none_or(|c| c.is_whitespace() || c == '/' || c == '>'))
}

/// Where the element that begins the text ends: signs in quotes do not count.
pub(super) fn end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, sign) in text.char_indices() {
        match (sign, quote) {
            (sign, Some(open)) if sign == open => quote = None,
            ('"' | '\'', None) => quote = Some(sign),
            ('>', None) => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Reads an element from `<game` to `>`.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let closed = match text.trim_end().strip_suffix("/>") {
        Some(_) => text.trim_end().to_string(),
        None => format!("{}</game>", text.trim_end()),
    };
    let document = Document::parse(&closed).map_err(|error| Wrong::broken(format!("its XML is broken: {error}")))?;
    let game = document.root_element();
    let data = game.attribute("data").ok_or_else(|| Wrong::broken("a `game` has no `data`"))?.trim();
    let mut content = Content::new(9)?;
    content.note = ["name", "note"].iter().filter_map(|key| game.attribute(*key)).collect::<Vec<_>>().join(" ");
    match data.strip_prefix("version:") {
        None => content.givens = content.characters(data)?,
        Some(rest) => cells(&mut content, rest)?,
    }
    Ok(content)
}

/// `3`, a blank, then `value|notes|editable|` for each cell. A newline in an attribute is read as a blank.
fn cells(content: &mut Content, text: &str) -> Result<(), Wrong> {
    let (version, cells) = text.trim_start().split_once(char::is_whitespace).unwrap_or_default();
    if !matches!(version, "1" | "2" | "3") {
        return Err(Wrong::broken(format!("its data are of version `{version}`; 1 to 3 are read")));
    }
    let parts: Vec<&str> = cells.split('|').map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.len() != 3 * 81 {
        return Err(Wrong::broken(format!("its data have {} parts for 81 cells; {} are needed", parts.len(), 3 * 81)));
    }
    let number = |text: &str| text.parse::<u64>().map_err(|_| Wrong::broken(format!("`{text}` is not a number")));
    for (index, part) in parts.chunks(3).enumerate() {
        match (number(part[0])?, part[2]) {
            (0, _) => {}
            (value, "0") => content.givens[index] = Some(content.digit(value)?),
            (value, _) => content.placed[index] = Some(content.digit(value)?),
        }
        let notes = match version {
            "1" => part[1]
                .split(',')
                .filter(|digit| !matches!(*digit, "" | "-"))
                .map(|digit| content.digit(number(digit)?))
                .collect::<Result<_, _>>()?,
            _ => content.bits(number(part[1])?)?,
        };
        content.lists[index] = Some(notes).filter(|notes: &DigitSet| !notes.is_empty());
    }
    Ok(())
}

/// The element.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    if view.has_lists() {
        view.refuse_empty_cells()?;
    }
    let bits = |list: DigitSet| list.iter().map(|digit| 1_u64 << digit.0).sum::<u64>();
    let cell = |cell| {
        let value = view.digit(cell).map_or('0', Digit::symbol);
        let (notes, editable) = (view.list(cell).map_or(0, bits), u8::from(!view.is_given(cell)));
        format!("{value}|{notes}|{editable}|")
    };
    let plain = !view.has_lists() && view.puzzle.placed.iter().all(Option::is_none);
    let data = match plain {
        true => view.digits('0'),
        false => format!("version: 3&#10;{}", view.cells().map(cell).collect::<String>()),
    };
    Ok(format!("  <game data=\"{data}\" />"))
}
