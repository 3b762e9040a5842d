//! The state strings of sudoku.coach: `SCv7_32_` and JSON, deflated and in base 32. In: such a string. Out: [`Content`],
//! and the way back.

use super::content::{Content, Wrong};
use super::fpuzzles::is_set;
use super::hold::View;
use super::packed;
use serde_json::{Map, Value, json};

/// What every string begins with, before its version.
pub(super) const PREFIX: &str = "SCv";

const WRITTEN: &str = "SCv7_32_";

/// Keys that are read, or say nothing about the puzzle.
const KNOWN_KEYS: [&str; 4] = ["gridSize", "givenDigits", "userDigits", "userCellCandidates"];

/// Reads a whole string.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let mut parts = text.splitn(3, '_');
    let (version, code, payload) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let payload = payload.ok_or_else(|| Wrong::broken("it has not the three parts `SCv7_32_…`"))?;
    if version != "SCv7" || code != Some("32") {
        return Err(Wrong::broken(format!(
            "its version is `{version}_{}`; `SCv7_32` is read",
            code.unwrap_or_default()
        )));
    }
    read_json(&packed::object(&packed::from_base32(payload)?)?)
}

/// Reads the JSON.
pub(super) fn read_json(object: &Map<String, Value>) -> Result<Content, Wrong> {
    let text = |key: &str| object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
    let size = object.get("gridSize").and_then(Value::as_u64).unwrap_or(9) as usize;
    let mut content = Content::new(size)?;
    let about_play = |key: &str| {
        let key = key.to_ascii_lowercase();
        ["colour", "color", "paint", "time", "name", "title", "difficulty"].iter().any(|word| key.contains(word))
    };
    let strange =
        |(key, value): &(&String, &Value)| is_set(value) && !KNOWN_KEYS.contains(&key.as_str()) && !about_play(key);
    if let Some((key, _)) = object.iter().find(strange) {
        return Err(Wrong::constraint(key));
    }
    content.givens = text("givenDigits").map_or(Ok(content.givens.clone()), |text| content.characters(text))?;
    content.placed = text("userDigits").map_or(Ok(content.placed.clone()), |text| content.characters(text))?;
    for (placed, given) in content.placed.iter_mut().zip(&content.givens) {
        *placed = placed.filter(|_| given.is_none());
    }
    let Some(candidates) = text("userCellCandidates") else { return Ok(content) };
    let numbers: Vec<&str> = candidates.split('-').collect();
    if numbers.len() != size * size {
        return Err(Wrong::broken(format!("{} cells have candidates; the board has {}", numbers.len(), size * size)));
    }
    for (index, number) in numbers.iter().enumerate() {
        let bits: u64 = number.parse().map_err(|_| Wrong::broken(format!("`{number}` is not a set of candidates")))?;
        // The lowest bit stands for no digit.
        content.lists[index] = Some(content.bits(bits >> 1)?).filter(|list| !list.is_empty());
    }
    Ok(content)
}

/// The string.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    if view.has_lists() {
        view.refuse_empty_cells()?;
    }
    let digits = |given: bool| -> String {
        let shown =
            |cell| view.digit(cell).filter(|_| view.is_given(cell) == given).map_or('0', |digit| digit.symbol());
        view.cells().map(shown).collect()
    };
    let bits =
        |cell| view.list(cell).map_or(0, |list| list.iter().map(|digit| 2_u64 << digit.0).sum::<u64>()).to_string();
    let candidates =
        if view.has_lists() { view.cells().map(bits).collect::<Vec<_>>().join("-") } else { String::new() };
    let state = json!({
        "gridSize": view.size(),
        "givenDigits": digits(true),
        "userDigits": digits(false),
        "userCellCandidates": candidates,
    });
    Ok(format!("{WRITTEN}{}", packed::to_base32(&state.to_string())))
}
