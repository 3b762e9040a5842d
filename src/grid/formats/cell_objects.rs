//! Reads the keys of a list of cell objects that concern the whole grid. In: the objects of all cells. Out: the place of each cell, the
//! regions in place of the boxes, and remarks on the keys that are not read.

use super::boards::{RegionShape, is_region_map, region_numbers, region_symbols, size_with_cells, usual_box_numbers};
use super::cell_entry;
use super::error::{FormatError, broken, constraint, unclear};
use super::values::{NodeGroup, ValueNode};
use super::variant_keys::{self, normalized_key};
use crate::grid::BoardSpec;

/// Row and column of a cell, counted as in the document.
pub(super) type Coordinates = (u64, u64);

/// Fewest cells of a list whose numbers may be places.
const FEWEST_CELLS: usize = 16;

/// Number of cells of the largest board.
const MOST_CELLS: u64 = 625;

/// The name of a cell as numbers from one: `r1c2`, or a letter and a digit, such as `A1`.
pub(super) struct CellName {
    /// Row of `r1c2`, or number of the letter.
    first: u64,
    /// Column of `r1c2`, or the digit.
    second: u64,
    has_letter: bool,
}

impl CellName {
    pub fn parse(key: &str) -> Option<CellName> {
        let key = key.to_ascii_uppercase();
        if let Some((row, column)) = key.strip_prefix('R').and_then(|rest| rest.split_once('C')) {
            return Some(CellName { first: row.parse().ok()?, second: column.parse().ok()?, has_letter: false });
        }
        let first = "ABCDEFGHIJ".find(key.chars().next()?)? as u64 + 1;
        let second = key.get(1..)?.parse().ok().filter(|number| (1..=9).contains(number))?;
        Some(CellName { first, second, has_letter: true })
    }
}

/// The rows and columns of named cells, and a remark on the meaning of letters.
type NamedPlaces = (Vec<Coordinates>, Option<&'static str>);

/// Returns the rows and columns of cells with names: `r1c2`, or `A1` with a letter for the row or, as in spreadsheets, for the column.
/// Returns `None` if the names are of different kinds.
pub(super) fn coordinates_of_names(names: &[CellName]) -> Option<Result<NamedPlaces, FormatError>> {
    let has_letters = names.first()?.has_letter;
    // Some programs skip the letter I: then J is the ninth letter.
    let skips_i = has_letters && names.iter().any(|name| name.first == 10);
    if names.iter().any(|name| name.has_letter != has_letters || (skips_i && name.first == 9)) {
        return None;
    }
    let number_of_letter = |number: u64| if skips_i { number.min(9) } else { number };
    let coordinates: Vec<Coordinates> = names.iter().map(|name| (number_of_letter(name.first), name.second)).collect();
    if !has_letters {
        return Some(Ok((coordinates, None)));
    }
    // Cells are listed row by row, so the order of the names shows if the letter or the digit is the row.
    let is_sorted_by_letter = coordinates.is_sorted();
    let is_sorted_by_digit = coordinates.is_sorted_by_key(|&(letter, digit)| (digit, letter));
    Some(match (is_sorted_by_letter, is_sorted_by_digit) {
        (true, false) => Ok((coordinates, Some("the letters of the cells are read as rows"))),
        (false, true) => {
            let coordinates = coordinates.into_iter().map(|(column, row)| (row, column)).collect();
            Ok((coordinates, Some("the letters of the cells are read as columns")))
        }
        _ => {
            let message =
                "nothing shows if the letters of its cells are rows, as in Sudoku, or columns, as in spreadsheets";
            Err(unclear(message, "list the cells row by row, or name them r1c1"))
        }
    })
}

/// Returns the place of each cell, if a key of the objects says it: a name (`r1c1`, `A1`), a pair (row, column), or the number of the cell,
/// row by row. Returns an error if the keys contradict each other. If the document does not give the rows (`has_rows`), also returns an
/// error for numbers that may be places in an unknown order.
pub(super) fn places(
    objects: &[&NodeGroup<'_>],
    has_rows: bool,
    remarks: &mut Vec<String>,
) -> Result<Option<Vec<Coordinates>>, FormatError> {
    let Some(first) = objects.first() else { return Ok(None) };
    let (mut pairs, mut numbered): (Vec<Vec<Coordinates>>, Vec<Vec<Coordinates>>) = (Vec::new(), Vec::new());
    let mut key_of_unknown_order = None;
    let mut key_of_transposed_pairs = None;
    let value_key = cell_entry::value_key(first);
    for key in first.entries.iter().filter_map(|entry| entry.key.as_deref()).filter(|key| Some(*key) != value_key) {
        let Some(values) = objects.iter().map(|object| object.get(key)).collect::<Option<Vec<_>>>() else { continue };
        let coordinates = match coordinates_of_pairs(&values, remarks) {
            Err(_) if has_rows => continue,
            coordinates => coordinates?,
        };
        if let Some(coordinates) = coordinates {
            if is_transposed(&coordinates) && !say_which_is_row(key, &values) {
                key_of_transposed_pairs = key_of_transposed_pairs.or(Some(key));
            }
            pairs.push(coordinates);
        } else if let Some(numbers) = distinct_numbers(&values) {
            let meaning = meaning_of_number(key, &values);
            match coordinates_of_numbers(&numbers) {
                Some(coordinates) if meaning == NumberMeaning::Place => numbered.push(coordinates),
                // Numbers that ascend keep the order of the list.
                _ if meaning == NumberMeaning::Other || numbers.is_sorted() => {}
                _ if numbers.iter().all(|&number| number <= MOST_CELLS) => {
                    key_of_unknown_order = key_of_unknown_order.or(Some(key));
                }
                _ => {}
            }
        } else if have_pairs_in_unknown_order(&values) {
            key_of_unknown_order = key_of_unknown_order.or(Some(key));
        }
    }
    if let Some(key) = key_of_transposed_pairs {
        // A number that counts the list row by row shows that the first number of a pair is the column.
        match numbered.iter().position(|places| places.is_sorted()) {
            Some(at) => return Ok(Some(numbered.swap_remove(at))),
            None if numbered.is_empty() => return Err(ambiguous_places(key)),
            None => {}
        }
    }
    let mut found = if pairs.is_empty() {
        numbered
    } else {
        // Numbers may count a list that is not in the order of the board, so only other numbers are compared with pairs.
        let is_in_order = pairs.iter().all(|places| places.is_sorted());
        pairs.extend(numbered.into_iter().filter(|places| !is_in_order && !places.is_sorted()));
        pairs
    };
    let Some(places) = found.pop() else {
        return match key_of_unknown_order {
            Some(key) if !has_rows => Err(ambiguous_places(key)),
            _ => Ok(None),
        };
    };
    if found.iter().any(|other| from_zero(other) != from_zero(&places)) {
        return Err(unclear("two keys of its cells name different places", "keep `row` and `col` of each cell"));
    }
    Ok(Some(places))
}

/// Returns true if the places are in the order of the list only if the first number is the column.
fn is_transposed(places: &[Coordinates]) -> bool {
    !places.is_sorted() && places.is_sorted_by_key(|&(first, second)| (second, first))
}

/// Returns true if words or letters of the key or its values tell the row from the column.
fn say_which_is_row(key: &str, values: &[&ValueNode<'_>]) -> bool {
    const WORDS: [&str; 3] = ["rc", "rowcol", "rowcolumn"];
    let name = normalized_key(key);
    WORDS.contains(&name.as_str())
        || values.iter().all(|value| match value.scalar() {
            Some(text) => {
                let letters: String = text.chars().filter(|c| c.is_alphabetic()).collect();
                WORDS.contains(&letters.to_lowercase().as_str()) || CellName::parse(text.trim()).is_some()
            }
            None => value.object().is_some(),
        })
}

/// The meaning of a number in a cell object, as far as its key tells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NumberMeaning {
    /// The number of the cell.
    Place,
    /// Perhaps the number of the cell.
    Unknown,
    /// Certainly something else, such as a step of the solution.
    Other,
}

fn meaning_of_number(key: &str, values: &[&ValueNode<'_>]) -> NumberMeaning {
    /// A key whose words are all among these names a place, except `id` alone.
    #[rustfmt::skip]
    const PLACE_WORDS: [&str; 31] = [
        "index", "idx", "i", "n", "n°", "no", "nr", "num", "number", "pos", "position", "cell", "square", "field", "tile",
        "loc", "location", "at", "place", "key", "coord", "coordinate", "coordinates", "grid", "board", "flat", "id",
        "cellindex", "cellid", "cellno", "cellnumber",
    ];
    /// Substrings of keys of other numbers.
    #[rustfmt::skip]
    const OTHER_WORDS: [&str; 15] = [
        "step", "order", "tabindex", "zindex", "rank", "seed", "priority", "score", "weight", "sequence", "random", "sort",
        "turn", "difficulty", "time",
    ];
    let name = normalized_key(key);
    let are_plain_numbers =
        values.iter().all(|value| value.scalar().is_some_and(|text| text.trim().parse::<u64>().is_ok()));
    if has_word(&name, &OTHER_WORDS) {
        NumberMeaning::Other
    } else if words_of_key(key).iter().all(|word| PLACE_WORDS.contains(&word.as_str()))
        && !(are_plain_numbers && name == "id")
    {
        NumberMeaning::Place
    } else {
        NumberMeaning::Unknown
    }
}

/// Returns the words of a key such as `cellIndex` or `cell_index`, in lower case.
fn words_of_key(key: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut is_after_lower = false;
    for c in key.chars() {
        if matches!(c, '_' | '-' | ' ') || (c.is_uppercase() && is_after_lower) {
            words.push(String::new());
        }
        is_after_lower = c.is_lowercase();
        if !matches!(c, '_' | '-' | ' ')
            && let Some(word) = words.last_mut()
        {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

fn ambiguous_places(key: &str) -> FormatError {
    let message = format!("`{key}` of its cells may be their place, and nothing shows in which order it counts");
    unclear(message, "give each cell its `row` and `col`")
}

/// Returns the coordinates with the smallest row and the smallest column as 0.
pub(super) fn from_zero(coordinates: &[Coordinates]) -> Vec<Coordinates> {
    let first_row = coordinates.iter().map(|(row, _)| *row).min().unwrap_or_default();
    let first_column = coordinates.iter().map(|(_, column)| *column).min().unwrap_or_default();
    coordinates.iter().map(|(row, column)| (row - first_row, column - first_column)).collect()
}

/// Returns the coordinates, if each value is the name of another cell or another pair of row and column.
fn coordinates_of_pairs(
    values: &[&ValueNode<'_>],
    remarks: &mut Vec<String>,
) -> Result<Option<Vec<Coordinates>>, FormatError> {
    let names = values.iter().map(|value| CellName::parse(value.scalar()?.trim()));
    let names: Option<Vec<CellName>> = names.collect();
    let (coordinates, remark) = match names {
        Some(names) => match coordinates_of_names(&names) {
            Some(coordinates) => coordinates?,
            None => return Ok(None),
        },
        None => match values.iter().map(|value| pair(value)).collect::<Option<Vec<_>>>() {
            Some(pairs) => (pairs, None),
            None => return Ok(None),
        },
    };
    if has_equal_items(&coordinates) {
        return Ok(None);
    }
    remarks.extend(remark.map(str::to_string));
    Ok(Some(coordinates))
}

/// Reads row and column: an object, a list, or a text such as `1,2` or `cell-1-2`.
pub(super) fn pair(value: &ValueNode<'_>) -> Option<Coordinates> {
    match value.scalar() {
        Some(text) => pair_in_name(text),
        None => variant_keys::pair_of_group(value),
    }
}

/// Returns row and column in a text that has no words but those of a cell's name.
fn pair_in_name(text: &str) -> Option<Coordinates> {
    const NAMES: [&str; 7] = ["", "cell", "square", "field", "rc", "rowcol", "rowcolumn"];
    let letters: String = text.chars().filter(|c| c.is_alphabetic()).collect();
    let is_name = NAMES.contains(&letters.to_lowercase().as_str());
    if is_name { two_numbers(text) } else { None }
}

fn two_numbers(text: &str) -> Option<Coordinates> {
    match numbers_in(text)?.as_slice() {
        [row, column] => Some((*row, *column)),
        _ => None,
    }
}

/// Returns the whole numbers in a text, and `None` for decimal numbers.
fn numbers_in(text: &str) -> Option<Vec<u64>> {
    if text.contains('.') {
        return None;
    }
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().ok()).collect()
}

/// Returns true if the texts have two numbers each that differ between cells and are not in the order of the rows. The texts have other
/// words than the name of a cell, so nothing shows which number is the row.
fn have_pairs_in_unknown_order(values: &[&ValueNode<'_>]) -> bool {
    let pairs: Option<Vec<Coordinates>> = values.iter().map(|value| two_numbers(value.scalar()?)).collect();
    let Some(pairs) = pairs else { return false };
    !has_equal_items(&pairs) && !pairs.is_sorted()
}

fn has_equal_items<T: Ord + Clone>(items: &[T]) -> bool {
    let mut sorted = items.to_vec();
    sorted.sort_unstable();
    sorted.windows(2).any(|pair| pair[0] == pair[1])
}

/// Returns the numbers of the cells, if each value is another number, perhaps with a word.
fn distinct_numbers(values: &[&ValueNode<'_>]) -> Option<Vec<u64>> {
    let numbers = values.iter().map(|value| match numbers_in(value.scalar()?)?.as_slice() {
        [number] => Some(*number),
        _ => None,
    });
    let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
    if numbers.len() >= FEWEST_CELLS && !has_equal_items(&numbers) { Some(numbers) } else { None }
}

/// Returns rows and columns from 0, if different numbers count all cells of a board from 0 or from 1.
fn coordinates_of_numbers(numbers: &[u64]) -> Option<Vec<Coordinates>> {
    let size = size_with_cells(numbers.len())? as u64;
    let first = *numbers.iter().min()?;
    if first > 1 || numbers.iter().max()? - first != numbers.len() as u64 - 1 {
        return None;
    }
    Some(numbers.iter().map(|number| ((number - first) / size, (number - first) % size)).collect())
}

/// A number for each cell of a board of `size` rows; cells with equal numbers form a group.
type Grouping = fn(index: usize, size: usize, box_shape: (usize, usize)) -> usize;

const ROW: Grouping = |index, size, _| index / size;
const COLUMN: Grouping = |index, size, _| index % size;
const BAND: Grouping = |index, size, (height, _)| index / size / height;
const STACK: Grouping = |index, size, (_, width)| index % size / width;
const ROW_IN_BOX: Grouping = |index, size, (height, _)| index / size % height;
const COLUMN_IN_BOX: Grouping = |index, size, (_, width)| index % size % width;
const INDEX_IN_BOX: Grouping = |index, size, (height, width)| index / size % height * width + index % size % width;

/// Substrings of keys that never change a puzzle.
#[rustfmt::skip]
const HARMLESS_KEYS: [&str; 22] = [
    "corner", "colo", "highlight", "style", "class", "shadow", "peer", "neighbo", "history", "conflict", "error", "select",
    "focus", "hover", "active", "valid", "wrong", "mistake", "hint", "time", "uuid", "background",
];

/// Substrings of keys of regions.
const REGION_KEYS: [&str; 11] =
    ["region", "box", "jigsaw", "block", "zone", "piece", "omino", "group", "nonet", "subgrid", "area"];

/// Substrings of keys of solutions.
const SOLUTION_KEYS: [&str; 4] = ["solution", "answer", "correct", "expected"];

/// Words of keys for rows and for columns.
const ROW_WORDS: [&str; 2] = ["row", "rows"];
const COLUMN_WORDS: [&str; 4] = ["col", "cols", "column", "columns"];

/// Returns true if a word in lower case is one of the words for rows or columns, or has it with a word for a number or a part of the board:
/// `rowindex`, `boxrow`.
fn is_word_of_line(word: &str, line_words: &[&str]) -> bool {
    const NUMBERS: [&str; 10] = ["", "index", "idx", "number", "num", "no", "nr", "id", "pos", "position"];
    const PARTS: [&str; 9] = ["box", "block", "grid", "cell", "sub", "in", "board", "mini", "region"];
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
    line_words.iter().any(|line| {
        word.strip_prefix(line).is_some_and(|rest| NUMBERS.contains(&rest))
            || word.strip_suffix(line).is_some_and(|rest| PARTS.contains(&rest))
    })
}

/// Returns true if a word of a key in lower case names regions. Words for parts of a page only contain such a word.
fn is_region_word(word: &str) -> bool {
    const PARTS_OF_PAGES: [&str; 7] = ["checkbox", "textbox", "textarea", "combobox", "listbox", "inbox", "blocked"];
    has_word(word, &REGION_KEYS) && !PARTS_OF_PAGES.contains(&word)
}

fn has_word(name: &str, words: &[&str]) -> bool {
    words.iter().any(|word| name.contains(word))
}

pub(super) struct ObjectGrid<'v, 't> {
    pub objects: &'v [&'v NodeGroup<'t>],
    /// The index of each cell on the board, row by row.
    pub indices: &'v [usize],
    /// Number of rows.
    pub size: usize,
    /// True if the objects name the places of their cells.
    pub has_places: bool,
}

impl ObjectGrid<'_, '_> {
    /// Returns the regions of the board. Adds a remark on each key that has other values in other cells and is not read. Returns an error
    /// for a constraint, and for a key that may change the puzzle in an unknown way. `is_full` is true if every cell has a digit.
    pub fn read_other_keys(&self, is_full: bool, remarks: &mut Vec<String>) -> Result<RegionShape, FormatError> {
        let mut shape = RegionShape::Usual;
        for key in self.keys() {
            let name = normalized_key(key);
            let values: Vec<Option<&ValueNode<'_>>> = self.objects.iter().map(|object| object.get(key)).collect();
            if values.iter().flatten().any(|value| variant_keys::is_constraint_of_cell(&name, value)) {
                return Err(constraint(key));
            }
            let labels: Vec<&str> =
                values.iter().map(|value| value.and_then(ValueNode::scalar).unwrap_or_default()).collect();
            let is_same_everywhere = labels.iter().all(|label| *label == labels[0]);
            if is_same_everywhere || has_word(&name, &HARMLESS_KEYS) || cell_entry::is_key_of_cell(&name, &labels) {
                continue;
            }
            let words = words_of_key(key);
            let is_column = words.iter().any(|word| is_word_of_line(word, &COLUMN_WORDS))
                || cell_entry::COLUMN_KEYS.contains(&name.as_str());
            let is_line = is_column
                || words.iter().any(|word| is_word_of_line(word, &ROW_WORDS))
                || cell_entry::ROW_KEYS.contains(&name.as_str());
            let are_flags = labels.iter().all(|label| matches!(*label, "true" | "false" | ""));
            if is_line && are_flags {
                remarks.push(format!("a key of the cells is not read: `{key}`"));
            } else if is_line {
                let groupings = if is_column { [COLUMN, STACK, COLUMN_IN_BOX] } else { [ROW, BAND, ROW_IN_BOX] };
                if !self.has_places && !groupings.iter().any(|grouping| self.agrees(&labels, *grouping)) {
                    return Err(ambiguous_places(key));
                }
            } else if words.iter().any(|word| is_region_word(word)) && !are_flags && !self.are_few_words(&labels) {
                if let Some(regions) = self.regions(key, &labels)? {
                    shape = regions;
                }
            } else if self.is_place_or_count(key) {
                // The key is read, or only counts the cells.
            } else if has_word(&name, &SOLUTION_KEYS) {
                remarks.push(format!("solutions are not read: `{key}` of the cells"));
            } else if is_full && region_numbers(labels.iter()).iter().max() == Some(&1) {
                let message =
                    format!("all its cells have a digit, and nothing says if `{key}` tells clues from others");
                return Err(unclear(message, "mark the clues with `\"given\": true`, and leave the other cells empty"));
            } else {
                remarks.push(format!("a key of the cells is not read: `{key}`"));
            }
        }
        Ok(shape)
    }

    /// Returns true if the labels are words, and fewer than the regions of the board: `given` and `free`.
    fn are_few_words(&self, labels: &[&str]) -> bool {
        let kinds = region_numbers(labels.iter()).into_iter().max().map_or(0, |largest| largest + 1);
        let are_words = labels.iter().all(|label| label.chars().all(char::is_alphabetic));
        // A word of one letter may be the name of a region.
        are_words && labels.iter().any(|label| label.chars().count() > 1) && kinds < self.size
    }

    /// Returns the keys of the objects other than that of the digit, each once.
    fn keys(&self) -> Vec<&str> {
        let mut keys: Vec<&str> = Vec::new();
        for object in self.objects {
            let value_key = cell_entry::value_key(object);
            for key in object.entries.iter().filter_map(|entry| entry.key.as_deref()) {
                if Some(key) != value_key && !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        keys
    }

    /// Returns true if two cells have equal labels where they are in the same group, and only there.
    fn agrees(&self, labels: &[&str], grouping: Grouping) -> bool {
        let box_shape = BoardSpec::usual_box_shape(self.size).unwrap_or((1, self.size));
        let groups = self.indices.iter().map(|&index| grouping(index, self.size, box_shape));
        region_numbers(labels.iter()) == region_numbers(groups)
    }

    /// Returns true if the numbers of the key ascend in the list, or if the places of the cells are known and the key may name them.
    fn is_place_or_count(&self, key: &str) -> bool {
        let values = self.objects.iter().map(|object| object.get(key));
        let Some(values) = values.collect::<Option<Vec<_>>>() else { return false };
        if let Some(numbers) = distinct_numbers(&values) {
            return self.has_places || numbers.is_sorted();
        }
        let is_name = |value: &ValueNode<'_>| value.scalar().is_some_and(|text| CellName::parse(text).is_some());
        self.has_places && values.iter().all(|value| pair(value).is_some() || is_name(value))
    }

    /// Reads the labels of the cells' regions. Returns `None` if these are the usual boxes, positions in them, or rows or columns of cells
    /// with known places.
    fn regions(&self, key: &str, labels: &[&str]) -> Result<Option<RegionShape>, FormatError> {
        let boxes = usual_box_numbers(self.size);
        let are_boxes = boxes.is_some_and(|boxes| {
            region_numbers(labels.iter()) == region_numbers(self.indices.iter().map(|&index| boxes[index]))
        });
        let positions = [BAND, STACK, ROW_IN_BOX, COLUMN_IN_BOX, INDEX_IN_BOX];
        if are_boxes || positions.iter().any(|grouping| self.agrees(labels, *grouping)) {
            return Ok(None);
        }
        if self.agrees(labels, ROW) || self.agrees(labels, COLUMN) {
            return if self.has_places { Ok(None) } else { Err(ambiguous_places(key)) };
        }
        let mut in_board_order = vec![""; self.size * self.size];
        for (&index, &label) in self.indices.iter().zip(labels) {
            in_board_order[index] = label;
        }
        let numbers = region_numbers(in_board_order.iter());
        if !is_region_map(&region_symbols(&numbers)) || in_board_order.contains(&"") {
            return Err(broken(format!("nothing says what `{key}` of a cell means"))
                .with_help("give the regions of the board as one list: `regions`"));
        }
        Ok(Some(RegionShape::Regions(numbers)))
    }
}
