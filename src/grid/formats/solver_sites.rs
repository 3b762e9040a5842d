//! Reads and writes texts of other programs: constraint strings of the Interactive Sudoku Solver (ISS), grids of sudokuwiki.org, and
//! states of sudoku.coach. In: a text. Out: [`Content`].
//!
//! - Interactive Sudoku Solver: `.Shape~6x6.~R1C1_5.AntiKnight`. Several values after a cell are its candidates, and these are the
//!   puzzle itself.
//! - sudokuwiki.org: a kind (`S`, `X`, `W`, `J`), `9B`, then two base-36 digits for each cell: 0 is empty, 1 to 9 a clue, 10 to 18 a
//!   placed digit. A larger value is 18 + the bit mask of the candidates. A jigsaw (`J`) has three base-36 digits for each cell: the low
//!   ten bits of the number are the value, the higher bits the number of the region.
//! - sudoku.coach: `SCv7_32_`, then JSON, deflated and in base 32.

use super::boards::{self, Feature, RegionShape, cell_name, cell_named, sorted};
use super::error::{FormatError, broken, constraint};
use super::lines::TextLine;
use super::link;
use super::puzzle::{Content, is_symbol};
use super::sudokupad::is_set;
use super::table::PuzzleView;
use crate::grid::{Cell, Digit, DigitSet};
use serde_json::{Map, Value, json};

/// Constraints of the Interactive Sudoku Solver that switch on a feature of the board.
const FLAGS: [(&str, Feature); 6] = [
    (".Diagonal~1", Feature::Rising),
    (".Diagonal~-1", Feature::Falling),
    (".AntiKnight", Feature::Knight),
    (".AntiKing", Feature::King),
    (".Windoku", Feature::Windows),
    (".DisjointSets", Feature::Disjoint),
];

/// Returns true if a line is a constraint string or a part of one.
pub(super) fn is_iss(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('.') else { return false };
    let name = rest.split(['~', '.']).next().unwrap_or_default();
    let is_name = name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(char::is_alphanumeric)
        // A name of puzzle symbols only, such as `.ABC`, is a row of a puzzle, unless `~` follows.
        && (rest[name.len()..].starts_with('~') || name.chars().any(|c| !is_symbol(c)));
    rest.starts_with('~') || is_name
}

/// Returns true if a line continues the constraint string of the lines before it. A line with a shape, or with clues after a line with
/// clues, begins another string.
pub(super) fn continues_iss(before: &[TextLine], line: &str) -> bool {
    is_iss(line) && !line.starts_with(".Shape") && !(has_clues(line) && before.iter().any(|line| has_clues(line)))
}

/// Returns true if a line of a constraint string has clues.
fn has_clues(line: &str) -> bool {
    line.contains(".~")
}

pub(super) fn read_iss(text: &str) -> Result<Content, FormatError> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let parts: Vec<Vec<&str>> = text.split('.').skip(1).map(|part| part.split('~').collect()).collect();
    let size = match parts.iter().find(|part| part[0] == "Shape") {
        Some(shape) => size_of(&shape[1..])?,
        None => 9,
    };
    let mut content = Content::new(size)?;
    let has_no_boxes = parts.iter().any(|part| part[0] == "NoBoxes");
    if has_no_boxes {
        content.board.shape = RegionShape::None;
    }
    for part in &parts {
        match part[0] {
            "" | "Given" => {
                for cell in part[1..].iter().filter(|cell| !cell.is_empty()) {
                    read_given(&mut content, cell)?;
                }
            }
            "Shape" | "NoBoxes" => {}
            "Jigsaw" => {
                let symbols = part.last().copied().unwrap_or_default();
                let count = symbols.chars().count();
                if count != size * size {
                    return Err(broken(format!("its regions are given for {count} cells")));
                }
                let numbers = boards::region_numbers(symbols.chars());
                if has_no_boxes {
                    content.board.shape = boards::region_shape(content.size, numbers);
                } else {
                    add_regions_as_houses(&mut content, &numbers);
                }
            }
            "AllDifferent" => read_house(&mut content, &part[1..])?,
            name => match feature_of(part) {
                Some(Feature::Windows) if content.size != 9 => return Err(constraint(name)),
                Some(feature) => _ = content.board.named.insert(feature),
                None => return Err(constraint(name)),
            },
        }
    }
    Ok(content)
}

/// Returns the feature that a part of a constraint string switches on. Values after the flag are ignored.
fn feature_of(part: &[&str]) -> Option<Feature> {
    let begins_with = |flag: &str| {
        let flag: Vec<&str> = flag[1..].split('~').collect();
        part.starts_with(&flag)
    };
    FLAGS.iter().find(|(flag, _)| begins_with(flag)).map(|(_, feature)| *feature)
}

/// Reads `6x6`, which may be followed by the number of digits.
fn size_of(parts: &[&str]) -> Result<usize, FormatError> {
    let (rows, columns) = parts.first().and_then(|shape| shape.split_once('x')).unwrap_or_default();
    let values = parts.get(1).filter(|values| **values != rows && **values != format!("1-{rows}"));
    match rows.parse() {
        Ok(size) if rows == columns && values.is_none() => Ok(size),
        _ => Err(constraint(&format!("Shape~{}", parts.join("~")))),
    }
}

/// Reads the clue of a cell, `R1C2_5`, or its candidates, `R1C2_1_2`.
fn read_given(content: &mut Content, text: &str) -> Result<(), FormatError> {
    let mut parts = text.split('_');
    let name = parts.next().unwrap_or_default();
    let cell = cell_named(name, content.size).ok_or_else(|| broken(format!("`{name}` is not a cell")))?;
    let mut list = DigitSet::EMPTY;
    for part in parts.filter(|part| !part.is_empty()) {
        let number = part.parse().map_err(|_| broken(format!("`{part}` is not a digit")))?;
        list.insert(content.digit(number)?);
    }
    match (list.len(), list.first()) {
        (0, _) => return Err(broken(format!("no value follows {name}"))),
        (1, digit) => content.givens[cell.index()] = digit,
        _ => {
            content.lists[cell.index()] = Some(list);
            content.lists_are_puzzle = true;
        }
    }
    Ok(())
}

fn add_regions_as_houses(content: &mut Content, numbers: &[usize]) {
    for region in 0..numbers.iter().max().map_or(0, |last| last + 1) {
        let cells = (0..numbers.len()).filter(|&cell| numbers[cell] == region).map(|cell| Cell(cell as u16)).collect();
        content.board.other_houses.push((format!("region {}", region + 1), cells));
    }
}

/// Adds the house of an `AllDifferent` constraint. Refuses other numbers of cells.
fn read_house(content: &mut Content, names: &[&str]) -> Result<(), FormatError> {
    let cells: Option<Vec<Cell>> = names.iter().map(|name| cell_named(name, content.size)).collect();
    let cells = cells.ok_or_else(|| broken("`AllDifferent` names a cell that does not exist"))?;
    if cells.len() != content.size {
        return Err(constraint(&format!("AllDifferent of {} cells", cells.len())));
    }
    content.board.other_houses.push((format!("house {}", content.board.other_houses.len() + 1), sorted(&cells)));
    Ok(())
}

/// Writes a constraint string on one line.
pub(super) fn write_iss(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_lists()?;
    let (geometry, size, board) = (&view.puzzle.geometry, view.size(), &view.features);
    // The format has no list of one candidate: a single candidate is read as a clue. Two equal clues that see each other are refused.
    let lone: Vec<Option<DigitSet>> = view.cells().map(|cell| view.list(cell).filter(|list| list.len() == 1)).collect();
    let repeats_in_peer = |cell: Cell| {
        let digit = lone[cell.index()];
        digit.is_some() && geometry.peers(cell).iter().any(|peer| lone[peer.index()] == digit)
    };
    if view.cells().any(repeats_in_peer) {
        return Err("two cells that see each other have the same single candidate".into());
    }
    let mut text = format!(".Shape~{size}x{size}.");
    for cell in view.cells() {
        let Some(digits) = view.puzzle.digit(cell).map(DigitSet::single).or(view.list(cell)) else { continue };
        text += &format!("~{}", cell_name(cell, size));
        text.extend(digits.iter().map(|digit| format!("_{}", digit.0 + 1)));
    }
    match &board.shape {
        RegionShape::Usual => {}
        RegionShape::None => text.push_str(".NoBoxes"),
        RegionShape::Regions(numbers) => {
            text.push_str(&format!(".NoBoxes.Jigsaw~{}", boards::region_symbols(numbers)));
        }
    }
    text.extend(board.names(&FLAGS));
    for (_, cells) in &board.other_houses {
        text.push_str(".AllDifferent");
        text.extend(cells.iter().map(|&cell| format!("~{}", cell_name(cell, size))));
    }
    Ok(text)
}

/// The only board size of sudokuwiki.org that is read.
const SUDOKUWIKI_SIZE: u64 = 9;
/// Number of bits of a cell's value. In a jigsaw, the higher bits are the number of the region.
const VALUE_BITS: u32 = 10;

/// Kinds of sudokuwiki.org's puzzles that are refused: first letter, name of the constraint.
const OTHER_KINDS: [(&str, &str); 5] = [
    ("L", "killer cages"),
    ("M", "killer cages"),
    ("K", "cages with a result"),
    ("D", "cages with a result"),
    ("T", "straights"),
];

/// Returns true if a text can only be a grid of sudokuwiki.org: a kind, a size, a version and the cells. Kinds, sizes and versions that
/// are not read are recognized as well, to refuse them by name.
pub(super) fn is_sudokuwiki(text: &str) -> bool {
    let mut symbols = text.chars();
    let head = [symbols.next(), symbols.next(), symbols.next()];
    let [Some(kind), Some(size), Some(version)] = head else { return false };
    let has_head = "SXWJLMKDT".contains(kind) && "3456789GP".contains(size) && "ABC".contains(version);
    let has_cells = text.chars().count() > 3 && text.chars().all(|symbol| symbol.is_ascii_alphanumeric());
    let may_be_one_line_puzzle = text.chars().all(is_symbol) && boards::size_with_cells(text.len()).is_some();
    has_head && has_cells && !may_be_one_line_puzzle
}

pub(super) fn read_sudokuwiki(text: &str) -> Result<Content, FormatError> {
    let (Some(kind), Some(size), Some(version), Some(cells)) =
        (text.get(..1), text.get(1..2), text.get(2..3), text.get(3..))
    else {
        return Err(broken("it ends too soon"));
    };
    if let Some((_, name)) = OTHER_KINDS.iter().find(|(letter, _)| *letter == kind) {
        return Err(constraint(name));
    }
    if size != "9" || version != "B" {
        return Err(broken(format!("it is of size {size} and version {version}; size 9 and version B are read")));
    }
    let width = if kind == "J" { 3 } else { 2 };
    if cells.len() != width * 81 || !cells.is_ascii() {
        let (count, needed) = (cells.len(), width * 81);
        return Err(broken(format!("it has {count} characters for 81 cells; {needed} are needed")));
    }
    let mut content = Content::new(9)?;
    let features: &[Feature] = match kind {
        "X" => &[Feature::Rising, Feature::Falling],
        "W" => &[Feature::Windows],
        _ => &[],
    };
    content.board.named.extend(features);
    let mut regions = Vec::new();
    for index in 0..81 {
        let text = &cells[index * width..(index + 1) * width];
        let mut value = u64::from_str_radix(text, 36).map_err(|_| broken(format!("`{text}` is not a cell")))?;
        if kind == "J" {
            regions.push((value >> VALUE_BITS) as usize);
            value &= (1 << VALUE_BITS) - 1;
        }
        match value {
            0 => {}
            clue @ 1..=SUDOKUWIKI_SIZE => content.put(index, clue, true)?,
            placed if placed <= 2 * SUDOKUWIKI_SIZE => content.put(index, placed - SUDOKUWIKI_SIZE, false)?,
            list => content.lists[index] = Some(content.digits_of_bits(list - 2 * SUDOKUWIKI_SIZE)?),
        }
    }
    if kind == "J" {
        content.board.shape = boards::region_shape(9, regions);
    }
    // Without any digit, the lists are the puzzle.
    content.lists_are_puzzle = content.givens.iter().chain(&content.placed).all(Option::is_none);
    Ok(content)
}

pub(super) fn write_sudokuwiki(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_lists()?;
    let board = &view.features;
    let [rising, falling, windows] =
        [Feature::Rising, Feature::Falling, Feature::Windows].map(|feature| board.has(feature));
    if rising != falling {
        return Err("the format has no board with only one diagonal".into());
    }
    let (kind, regions) = match (&board.shape, rising, windows) {
        (RegionShape::Usual, false, false) => ('S', None),
        (RegionShape::Usual, true, false) => ('X', None),
        (RegionShape::Usual, false, true) => ('W', None),
        (RegionShape::Regions(numbers), false, false) => ('J', Some(numbers)),
        _ => return Err("the format can hold regions, diagonals or windows, but only one of them".into()),
    };
    let cells = view.cells().map(|cell| {
        let value = match view.puzzle.digit(cell).map(|digit| u64::from(digit.0) + 1) {
            Some(digit) if view.is_given(cell) => digit,
            Some(digit) => digit + SUDOKUWIKI_SIZE,
            None => view.list(cell).map_or(0, |list| 2 * SUDOKUWIKI_SIZE + u64::from(list.0)),
        };
        match regions {
            Some(numbers) => base36((numbers[cell.index()] as u64) << VALUE_BITS | value, 3),
            None => base36(value, 2),
        }
    });
    Ok(format!("{kind}9B{}", cells.collect::<String>()))
}

/// Writes a link to the page of sudokuwiki.org that opens the grid.
pub(super) fn write_sudokuwiki_link(view: &PuzzleView<'_>) -> Result<String, String> {
    let text = write_sudokuwiki(view)?;
    let page = if text.starts_with('J') { "jigsaw" } else { "sudoku" };
    Ok(format!("https://www.sudokuwiki.org/{page}.htm?bd={text}"))
}

fn base36(mut value: u64, width: usize) -> String {
    let mut digits = vec!['0'; width];
    for place in digits.iter_mut().rev() {
        *place = char::from_digit((value % 36) as u32, 36).unwrap_or('0');
        value /= 36;
    }
    digits.into_iter().collect()
}

/// Prefix of every state of sudoku.coach, before the version.
pub(super) const COACH_PREFIX: &str = "SCv";

/// Prefix of a state in the version that is read and written.
const COACH_WRITE_PREFIX: &str = "SCv7_32_";

const COACH_KEYS: [&str; 4] = ["gridSize", "givenDigits", "userDigits", "userCellCandidates"];

pub(super) fn is_coach(line: &str) -> bool {
    line.starts_with(COACH_PREFIX) && line.contains('_')
}

pub(super) fn read_coach(text: &str) -> Result<Content, FormatError> {
    let mut parts = text.splitn(3, '_');
    let (version, code, payload) = (parts.next().unwrap_or_default(), parts.next(), parts.next());
    let payload = payload.ok_or_else(|| broken("it has not the three parts `SCv7_32_…`"))?;
    if version != "SCv7" || code != Some("32") {
        let code = code.unwrap_or_default();
        return Err(broken(format!("its version is `{version}_{code}`; `SCv7_32` is read")));
    }
    read_coach_json(&link::parse_object(&link::from_base32(payload)?)?)
}

pub(super) fn read_coach_json(object: &Map<String, Value>) -> Result<Content, FormatError> {
    let [givens, placed, candidates] = ["givenDigits", "userDigits", "userCellCandidates"]
        .map(|key| object.get(key).and_then(Value::as_str).filter(|text| !text.is_empty()));
    let size = object.get("gridSize").and_then(Value::as_u64).unwrap_or(9) as usize;
    let mut content = Content::new(size)?;
    if let Some((key, _)) = object.iter().find(|(key, value)| is_set(value) && !is_harmless_coach_key(key)) {
        return Err(constraint(key));
    }
    if let Some(text) = givens {
        content.givens = content.read_cells(text)?;
    }
    if let Some(text) = placed {
        content.placed = content.read_cells(text)?;
    }
    for (placed, given) in content.placed.iter_mut().zip(&content.givens) {
        if given.is_some() {
            *placed = None;
        }
    }
    let Some(candidates) = candidates else { return Ok(content) };
    let numbers: Vec<&str> = candidates.split('-').collect();
    if numbers.len() != size * size {
        return Err(broken(format!("{} cells have candidates; the board has {}", numbers.len(), size * size)));
    }
    for (index, number) in numbers.iter().enumerate() {
        let bits: u64 = number.parse().map_err(|_| broken(format!("`{number}` is not a set of candidates")))?;
        // Bit 0 is unused; bit 1 is the digit 1.
        content.lists[index] = Some(content.digits_of_bits(bits >> 1)?).filter(|list| !list.is_empty());
    }
    Ok(content)
}

/// Returns true for keys that are read, or don't matter for solving.
fn is_harmless_coach_key(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    COACH_KEYS.contains(&key)
        || ["colour", "color", "paint", "time", "name", "title", "difficulty"].iter().any(|word| lower.contains(word))
}

pub(super) fn write_coach(view: &PuzzleView<'_>) -> Result<String, String> {
    view.refuse_empty_lists()?;
    let symbol = |digit: Option<Digit>| digit.map_or('0', Digit::symbol);
    let givens: String = view.puzzle.givens.iter().map(|&digit| symbol(digit)).collect();
    let placed_digit = |cell| if view.is_given(cell) { None } else { view.puzzle.digit(cell) };
    let placed: String = view.cells().map(|cell| symbol(placed_digit(cell))).collect();
    let mut candidates = Vec::new();
    if view.has_lists {
        candidates
            .extend(view.cells().map(|cell| view.list(cell).map_or(0, |list| u64::from(list.0) << 1).to_string()));
    }
    let state = json!({
        "gridSize": view.size(),
        "givenDigits": givens,
        "userDigits": placed,
        "userCellCandidates": candidates.join("-"),
    });
    Ok(format!("{COACH_WRITE_PREFIX}{}", link::to_base32(&state.to_string())))
}
