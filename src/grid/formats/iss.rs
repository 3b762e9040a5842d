//! The constraint strings of the Interactive Sudoku Solver: `.Shape~6x6.~R1C1_5.AntiKnight`. In: such a text. Out: [`Content`],
//! and the way back. Several values after a cell are its candidates, and they are the puzzle itself.

use super::content::{Content, Wrong};
use super::features::{self, Shape, sorted};
use super::fpuzzles::{cell_named, name_of};
use super::hold::View;
use super::puzzle::is_symbol;
use crate::grid::{Cell, DigitSet};

/// Whether a line can only be meant as one, or as a part of one.
pub(super) fn is_one(line: &str) -> bool {
    let Some(rest) = line.strip_prefix('.') else { return false };
    let name = rest.split(['~', '.']).next().unwrap_or_default();
    let is_name = name.len() > 2
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(char::is_alphanumeric)
        && (rest[name.len()..].starts_with('~') || name.chars().any(|c| !is_symbol(c)));
    rest.starts_with('~') || is_name
}

/// Whether a line goes on with the puzzle that the lines before it began: it is no second one with clues of its own.
pub(super) fn goes_on(before: &[&str], line: &str) -> bool {
    let gives = |line: &str| line.contains(".~");
    is_one(line) && !line.starts_with(".Shape") && !(gives(line) && before.iter().any(|line| gives(line)))
}

/// Reads a whole text.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let parts: Vec<Vec<&str>> = text.split('.').skip(1).map(|part| part.split('~').collect()).collect();
    let shape = parts.iter().find(|part| part[0] == "Shape");
    let mut content = Content::new(shape.map_or(Ok(9), |part| size_of(&part[1..]))?)?;
    let no_boxes = parts.iter().any(|part| part[0] == "NoBoxes");
    if no_boxes {
        content.board.shape = Shape::None;
    }
    for part in &parts {
        match part[0] {
            "" | "Given" => {
                part[1..].iter().filter(|cell| !cell.is_empty()).try_for_each(|cell| given(&mut content, cell))?
            }
            "Shape" | "NoBoxes" => {}
            "AntiKnight" => content.board.knight = true,
            "AntiKing" => content.board.king = true,
            "Windoku" if content.size == 9 => content.board.windows = true,
            "DisjointSets" => content.board.disjoint = true,
            "Diagonal" if part.get(1) == Some(&"1") => content.board.rising = true,
            "Diagonal" if part.get(1) == Some(&"-1") => content.board.falling = true,
            "Jigsaw" => jigsaw(&mut content, part.last().copied().unwrap_or_default(), no_boxes)?,
            "AllDifferent" => house(&mut content, &part[1..])?,
            name => return Err(Wrong::constraint(name)),
        }
    }
    Ok(content)
}

/// `6x6`, and perhaps how many values there are.
fn size_of(parts: &[&str]) -> Result<usize, Wrong> {
    let (rows, columns) = parts.first().and_then(|shape| shape.split_once('x')).unwrap_or_default();
    let values = parts.get(1).filter(|values| **values != rows && **values != format!("1-{rows}"));
    match rows.parse() {
        Ok(size) if rows == columns && values.is_none() => Ok(size),
        _ => Err(Wrong::constraint(&format!("Shape~{}", parts.join("~")))),
    }
}

/// `R1C2_5`, or `R1C2_1_2` for candidates.
fn given(content: &mut Content, text: &str) -> Result<(), Wrong> {
    let mut parts = text.split('_');
    let name = parts.next().unwrap_or_default();
    let cell = cell_named(name, content.size).ok_or_else(|| Wrong::broken(format!("`{name}` is not a cell")))?;
    let digit = |text: &str| {
        let number = text.parse().map_err(|_| Wrong::broken(format!("`{text}` is not a digit")))?;
        content.digit(number)
    };
    let list: DigitSet = parts.filter(|part| !part.is_empty()).map(digit).collect::<Result<_, _>>()?;
    match (list.len(), list.first()) {
        (0, _) => return Err(Wrong::broken(format!("no value follows {name}"))),
        (1, digit) => content.givens[cell.index()] = digit,
        _ => {
            content.lists[cell.index()] = Some(list);
            content.lists_only = true;
        }
    }
    Ok(())
}

/// Regions take the place of boxes, or are houses besides them.
fn jigsaw(content: &mut Content, signs: &str, instead: bool) -> Result<(), Wrong> {
    let size = content.size;
    if signs.chars().count() != size * size {
        return Err(Wrong::broken(format!("its regions are given for {} cells", signs.chars().count())));
    }
    let numbers = features::numbers(signs);
    if instead {
        content.board.shape = features::shape(size, numbers);
        return Ok(());
    }
    for region in 0..numbers.iter().max().map_or(0, |last| last + 1) {
        let cells = (0..size * size).filter(|&cell| numbers[cell] == region).map(|cell| Cell(cell as u16)).collect();
        content.board.houses.push((format!("region {}", region + 1), cells));
    }
    Ok(())
}

fn house(content: &mut Content, names: &[&str]) -> Result<(), Wrong> {
    let cells: Option<Vec<Cell>> = names.iter().map(|name| cell_named(name, content.size)).collect();
    let cells = cells.ok_or_else(|| Wrong::broken("`AllDifferent` names a cell that does not exist"))?;
    if cells.len() != content.size {
        return Err(Wrong::constraint(&format!("AllDifferent of {} cells", cells.len())));
    }
    content.board.houses.push((format!("house {}", content.board.houses.len() + 1), sorted(&cells)));
    Ok(())
}

/// The text, on one line.
pub(super) fn write(view: &View<'_>) -> Result<String, String> {
    if view.has_lists() {
        view.refuse_empty_cells()?;
    }
    let single = |cell: Cell| view.list(cell).filter(|list| list.len() == 1);
    let peers = |cell: Cell| view.puzzle.geometry.peers(cell).iter();
    if view.cells().any(|cell| single(cell).is_some_and(|one| peers(cell).any(|&peer| single(peer) == Some(one)))) {
        return Err("two cells that see each other have the same single candidate".into());
    }
    let (size, board) = (view.size(), &view.features);
    let cell = |cell: Cell| {
        let digits = view.digit(cell).map(DigitSet::single).or(view.list(cell))?;
        let values: String = digits.iter().map(|digit| format!("_{}", digit.0 + 1)).collect();
        Some(format!("~{}{values}", name_of(cell, size)))
    };
    let mut out = format!(".Shape~{size}x{size}.");
    out.extend(view.cells().filter_map(cell));
    match &board.shape {
        Shape::Usual => {}
        Shape::None => out.push_str(".NoBoxes"),
        Shape::Regions(numbers) => out.push_str(&format!(".NoBoxes.Jigsaw~{}", features::signs(numbers))),
    }
    let flags = [
        (".Diagonal~1", board.rising),
        (".Diagonal~-1", board.falling),
        (".AntiKnight", board.knight),
        (".AntiKing", board.king),
        (".Windoku", board.windows),
        (".DisjointSets", board.disjoint),
    ];
    out.extend(flags.into_iter().filter(|(_, on)| *on).map(|(text, _)| text));
    for (_, cells) in &board.houses {
        out.push_str(".AllDifferent");
        out.extend(cells.iter().map(|&cell| format!("~{}", name_of(cell, size))));
    }
    Ok(out)
}
