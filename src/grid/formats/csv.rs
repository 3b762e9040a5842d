//! Puzzles as comma separated values, with a heading that names the columns. In: a line below the heading. Out: [`Content`],
//! and the way back. Files with other columns are read line by line: the puzzle is the first field that is one.

use super::content::{Content, Wrong};
use super::features::{self, Shape};
use super::hold::View;
use super::json;
use serde_json::json;

/// The heading.
pub(super) const HEAD: &str = "puzzle,candidates,candidates_are,regions,note";

/// What stands for a board of rows and columns only.
const NO_REGIONS: &str = "none";

/// Reads a line below the heading.
pub(super) fn read(line: &str) -> Result<Content, Wrong> {
    let fields = fields(line);
    let [puzzle, candidates, are, regions, note] = fields.as_slice() else {
        return Err(Wrong::broken(format!("the line has {} fields; the heading names 5", fields.len())));
    };
    let mut object = json!({ "puzzle": puzzle, "note": stripped(note) });
    if !candidates.is_empty() {
        object["candidates"] = json!(candidates);
        object["candidates_are"] = json!(are);
    }
    let mut content = json::read(&object.to_string())?;
    content.board.shape = match regions.as_str() {
        "" => Shape::Usual,
        NO_REGIONS => Shape::None,
        signs if signs.chars().count() == content.size * content.size => {
            features::shape(content.size, features::numbers(signs))
        }
        signs => return Err(Wrong::broken(format!("its regions are given for {} cells", signs.chars().count()))),
    };
    Ok(content)
}

/// A text of others as a field: in quotes where it needs them. An apostrophe stands before what a spreadsheet would take for a
/// formula.
pub fn field(text: &str) -> String {
    let guard = if is_formula(text) { "'" } else { "" };
    match text.contains([',', ';', '"', '\n', '\r', '\t']) {
        true => format!("\"{guard}{}\"", text.replace('"', "\"\"")),
        false => format!("{guard}{text}"),
    }
}

/// The text of a field without the apostrophe of [`field`].
fn stripped(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| is_formula(rest)).unwrap_or(text)
}

/// Returns true if a spreadsheet takes a text for a formula, perhaps behind apostrophes and blanks.
fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(['\'', ' ', '\u{a0}']);
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}

/// Fields between commas; in quotes a comma is one, and two quotes are one.
pub(super) fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut quoted) = (vec![String::new()], false);
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        let last = fields.last_mut().filter(|_| sign != ',' || quoted);
        match (sign, last) {
            ('"', Some(field)) if quoted && signs.next_if_eq(&'"').is_some() => field.push('"'),
            ('"', _) => quoted = !quoted,
            (_, Some(field)) => field.push(sign),
            (_, None) => fields.push(String::new()),
        }
    }
    fields
}

/// A line below the heading.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    let candidates = match view.has_lists() {
        true => crate::grid::draw::candidate_line(&view.puzzle.geometry, &view.state),
        false => String::new(),
    };
    let are = match (view.has_lists(), view.puzzle.lists_only) {
        (false, _) => "",
        (true, true) => "puzzle",
        (true, false) => "progress",
    };
    let regions = match &view.features.shape {
        Shape::Usual => String::new(),
        Shape::None => NO_REGIONS.to_string(),
        Shape::Regions(numbers) => features::signs(numbers),
    };
    let note = field(&view.puzzle.note);
    Ok(format!("{},{candidates},{are},{regions},{note}", view.marked_digits()))
}
