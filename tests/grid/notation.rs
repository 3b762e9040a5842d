//! Cells, deductions, digits and houses in the usual notation, as in `r12c3<>47`: written and read back.

use super::standard_board;
use crate::common::quick_or_full_cases;
use pinion::grid::notation::{cells, deductions, digits, houses, read_cells, read_deductions};
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, Geometry, HouseId};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Reads deductions and writes them again; returns the error if they cannot be read.
fn rewritten(size: usize, text: &str) -> String {
    let board = standard_board(size);
    let read = match read_deductions(&board, text) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let (placements, eliminations): (Vec<_>, Vec<_>) = read.into_iter().partition(|(_, is_placement)| *is_placement);
    let candidates =
        |list: Vec<(Candidate, bool)>| list.into_iter().map(|(candidate, _)| candidate).collect::<Vec<_>>();
    deductions(&board, &candidates(eliminations), &candidates(placements))
}

#[test]
fn deductions_are_written_in_canonical_form() {
    for (size, text, expected) in [
        (9, "r5c6<>1", "r5c6<>1"),
        (9, "r1c1<>3 r2c5=4", "r2c5=4 r1c1<>3"),
        (9, "r1c1<>3, r2c1<>3,r3c1<>3", "r123c1<>3"),
        (9, "r2c3<>7 r1c3<>4 r12c3<>47", "r12c3<>47"),
        (9, "r1c1,r2c5<>3", "r1c1<>3 r2c5<>3"),
        (9, "R1C25<>3", "r1c25<>3"),
        (9, "r12c12<>9", "r1c12<>9 r2c12<>9"),
        (9, "", ""),
        (16, "r10c12<>AG r10c13<>ga", "r10c12<>AG r10c13<>AG"),
        (9, "r1c1", "column 5: `=` or `<>` is missing"),
        (9, "r0c1=1", "column 2: `r0` is not on a 9×9 board"),
        (9, "r1c1=A", "column 6: `A` where a digit of the board should be"),
        (9, "r1c1<>", "column 7: a digit is missing"),
        (9, "b1c1=1", "column 1: `b` where `r` should be"),
        (25, "r99999999999999999999999c1=1", "column 2: `r99999999999999999999999` is not on a 25×25 board"),
    ] {
        assert_eq!(rewritten(size, text), expected, "{text}");
    }
}

#[test]
fn houses_digits_and_cells_are_written() {
    let board = standard_board(9);
    let names: Vec<String> = board.houses().iter().step_by(9).map(|house| house.to_string()).collect();
    assert_eq!(names, ["row 1", "column 1", "box 1"]);
    assert_eq!(digits([Digit(0), Digit(1), Digit(4)].into_iter().collect()), "1,2,5");
    assert_eq!(cells(&board, &[Cell(0), Cell(4), Cell(27), Cell(36)]), "r145c1,r1c5");
}

/// A board size, and cells and digits on that board.
fn candidates_of_any_board() -> impl Strategy<Value = (usize, Vec<(u16, u8)>)> {
    prop::sample::select(vec![4usize, 6, 8, 9, 10, 12, 16, 25]).prop_flat_map(|size| {
        let pair = (0..(size * size) as u16, 0..size as u8);
        (Just(size), prop::collection::vec(pair, 0..20))
    })
}

proptest! {
    #![proptest_config(quick_or_full_cases(256, 256))]

    #[test]
    fn written_cells_and_eliminations_are_read((size, pairs) in candidates_of_any_board()) {
        let board = standard_board(size);
        let cell_set: BTreeSet<Cell> = pairs.iter().map(|(cell, _)| Cell(*cell)).collect();
        let cell_list: Vec<Cell> = cell_set.into_iter().collect();
        prop_assert_eq!(read_cells(&board, &cells(&board, &cell_list)).unwrap(), cell_list);
        let eliminations: BTreeSet<(Candidate, bool)> =
            pairs.iter().map(|(cell, digit)| (Candidate::new(Digit(*digit), Cell(*cell)), false)).collect();
        let candidates: Vec<Candidate> = eliminations.iter().map(|(candidate, _)| *candidate).collect();
        let read = read_deductions(&board, &deductions(&board, &candidates, &[])).unwrap();
        prop_assert_eq!(read.len(), eliminations.len());
        prop_assert_eq!(read.into_iter().collect::<BTreeSet<_>>(), eliminations);
    }

    #[test]
    fn no_text_panics(text in "[rRcC0-9<>=, A-Zé]{0,20}") {
        let _ = read_deductions(&standard_board(9), &text);
        let _ = read_cells(&standard_board(16), &text);
    }
}

#[test]
fn houses_are_abbreviated() {
    let abbreviated = |size: usize, list: &[u16]| {
        let list: Vec<HouseId> = list.iter().map(|&id| HouseId(id)).collect();
        houses(&Geometry::standard(size).expect("a standard size"), &list)
    };
    assert_eq!(abbreviated(9, &[25]), "b8");
    assert_eq!(abbreviated(9, &[0, 2, 8]), "r139");
    assert_eq!(abbreviated(9, &[0, 5, 10, 13, 20]), "r16c25b3");
    // `r110` could be row 110, so a board with two-digit numbers repeats the letter.
    assert_eq!(abbreviated(16, &[0, 9, 16]), "r1r10c1");
    let windows = Geometry::new(BoardSpec::named("windoku").expect("a known board")).expect("a board");
    assert_eq!(houses(&windows, &[HouseId(0), HouseId(1), HouseId(27), HouseId(2)]), "r12, window 1, r3");
}
