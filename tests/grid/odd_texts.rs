//! Puzzles as people and programs write them: in blocks, with empty fields, quoted, in matrices, with words around.

use super::{EASY, LISTS, board, one};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{read_many, read_one};
use pinion::grid::{Cell, Digit, DigitSet};

fn check(text: &str) {
    let read = read_many(text, None);
    assert_eq!(read.len(), 1, "{text}\n{read:?}");
    let puzzle = read[0].as_ref().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(givens_line(puzzle), EASY.replace('0', "."), "{text}");
    assert_eq!(givens_line(&one(text)), EASY.replace('0', "."), "{text}");
}

fn rows() -> Vec<&'static str> {
    (0..9).map(|row| &EASY[row * 9..][..9]).collect()
}

fn lines_of(row: impl Fn(&str) -> String) -> String {
    rows().into_iter().map(|text| row(text) + "\n").collect()
}

fn cells(row: &str, cell: impl Fn(char) -> String, between: &str) -> String {
    row.chars().map(cell).collect::<Vec<_>>().join(between)
}

#[test]
fn blocks_on_a_line() {
    check(&rows().join(" "));
    check(&rows().join("  ").replace('0', "."));
    check(&EASY.as_bytes().chunks(27).map(|band| std::str::from_utf8(band).unwrap()).collect::<Vec<_>>().join(" "));
    let two = format!("{}\n{}\n", rows().join(" "), rows().join(" "));
    assert_eq!(read_many(&two, None).len(), 2);
    // Nine full lists on each of nine lines are lists.
    let lists = format!("{}\n", ["123456789"; 9].join(" ")).repeat(8)
        + "1 23456789 23456789 23456789 23456789 23456789 23456789 23456789 23456789\n";
    assert!(one(&lists).candidates.is_some());
}

#[test]
fn regions_in_a_second_field() {
    let signs: String = (0..81).map(|cell| char::from(b'1' + (cell % 9 / 3 * 3 + cell / 27) as u8)).collect();
    for text in [format!("{EASY} {signs}"), format!("{EASY},{signs} a note"), format!("{EASY}{signs}")] {
        let puzzle = one(&text);
        assert_eq!(puzzle.geometry.spec().name, "9x9 jigsaw", "{text}");
        assert_eq!(givens_line(&puzzle), EASY.replace('0', "."));
    }
    let solved = format!("{EASY} {}", super::EASY_SOLVED);
    assert_eq!((one(&solved).geometry.spec().name.as_str(), one(&solved).note.as_str()), ("9x9", super::EASY_SOLVED));
}

#[test]
fn empty_fields() {
    let field = |c: char| if c == '0' { String::new() } else { c.to_string() };
    for between in [",", ";", "\t"] {
        check(&lines_of(|row| cells(row, field, between)));
    }
    check(&lines_of(|row| cells(row, field, ",") + ","));
    check(&lines_of(|row| cells(row, |c| format!("\"{}\"", field(c)), ",")));
    check(&rows().iter().map(|row| cells(row, field, ",")).collect::<Vec<_>>().join(","));
}

#[test]
fn blanks_are_empty_cells_in_columns() {
    let blank = |c: char| if c == '0' { " ".to_string() } else { c.to_string() };
    check(&lines_of(|row| cells(row, blank, "")));
    check(&lines_of(|row| cells(row, blank, "").trim_end().to_string()));
    check(&lines_of(|row| cells(row, blank, " ")));
    let bars = |row: &str, between: &str| {
        let parts: Vec<String> = (0..3).map(|box_| cells(&row[box_ * 3..][..3], blank, between)).collect();
        (parts.join("|"), format!("| {} |", parts.join(" | ")))
    };
    check(&lines_of(|row| bars(row, "").0));
    check(&lines_of(|row| bars(row, " ").1));
    check(&cells(EASY, blank, ""));
}

#[test]
fn quotations_and_wide_digits() {
    check(&lines_of(|row| format!("> {row}")));
    check(&format!(">> {EASY}"));
    check(&format!("On Monday she wrote\n{}", lines_of(|row| format!("> {row}"))));
    let wide = |c: char| char::from_u32(c as u32 - '0' as u32 + 0xff10).expect("a digit").to_string();
    check(&cells(EASY, wide, ""));
    check(&lines_of(|row| cells(row, wide, "")));
    let error = read_many(&format!("> {}", EASY.replacen('0', "&", 1)), None).remove(0).expect_err("an unknown sign");
    assert_eq!((error.line, error.column), (1, 5), "columns are those of the text");
}

#[test]
fn matrices() {
    let numbers = |row: &str| cells(row, String::from, ", ");
    let list = lines_of(|row| format!("[{}],", numbers(row)));
    check(&format!("[\n{list}]\n"));
    check(&format!(
        "grid = [{}]",
        rows().iter().map(|row| format!("[{}]", numbers(row))).collect::<Vec<_>>().join(", ")
    ));
    check(&format!("np.array([\n{list}])\n"));
    check(&lines_of(|row| format!("[{}]", numbers(row))));
    check(&list.replace('0', "None"));
    check(&list.replace('0', "\"\""));
    check(&list.replace('0', "'.'"));
    check(&format!("int grid[9][9] = {{\n{}}};\n", lines_of(|row| format!("{{{}}},", numbers(row)))));
    check(&format!(
        "array[1..9,1..9] of var 1..9: puzzle = [|\n{}|];\n",
        lines_of(|row| numbers(row).replace('0', "_") + "|")
    ));
    check(&format!("[[{}]]", rows().iter().map(|row| cells(row, String::from, " ")).collect::<Vec<_>>().join("]\n [")));
    check(&format!("[{}]", numbers(EASY)));
    check(&format!("[{}]", rows().iter().map(|row| format!("\"{row}\"")).collect::<Vec<_>>().join(",\n")));
    check(&format!("{{\"solution\": \"{}\", \"question\": \"{EASY}\"}}", super::EASY_SOLVED));
    check(&format!("{{\n  \"id\": 7,\n  \"board\": [\n{}  ]\n}}\n", list.trim_end().trim_end_matches(',')));
    // A number of two digits.
    let sixteen = format!("[{}, 16]", ["0"; 255].join(", "));
    assert_eq!(one(&sixteen).digit(Cell(255)).map(|digit| digit.symbol()), Some('G'));
}

#[test]
fn words_of_programs_around_a_puzzle() {
    let grid = "53.|.7.|...\n6..|195|...\n.98|...|.6.\n-----------\n8..|.6.|..3\n4..|8.3|..1\n7..|.2.|..6\n-----------\n.6.|...|28.\n...|419|..5\n...|.8.|.79\n";
    check(&format!("{grid}\nSimple Sudoku puzzle\nLevel: medium\n"));
    check(&format!("Puzzle,Solution,Givens,\n{},,30,\n", EASY.replace('0', ".")));
    let game = format!("<game created=\"1\" data=\"{EASY}\" note='a > b &amp; c' />");
    check(&format!("<?xml version=\"1.0\"?>\n<opensudoku>\n<name>Mine</name>\n{game}\n</opensudoku>\n"));
    check(&format!("<?xml version=\"1.0\"?><opensudoku>{}</opensudoku>", game.replace(' ', "\n")));
    assert_eq!(read_many(&format!("<opensudoku>{game}{game}\n{game}</opensudoku>"), None).len(), 3);
    assert_eq!(one(&game).note, "a > b & c");
}

#[test]
fn marks_at_candidates() {
    let marked = LISTS.replace("189 ", "#189 ").replace("128", "(128)").replace("247", "@247");
    assert_eq!(one(&marked).state(), one(LISTS).state());
    let placed = LISTS.replacen(" 4     16", " u4     16", 1);
    let puzzle = one(&placed);
    assert_eq!((puzzle.placed[5], puzzle.givens[5]), (one(LISTS).givens[5], None));
    for mark in [
        "A1589",
        "a1589",
        "1589a",
        "B(1589)",
        "(1589)B",
        "[1589]",
        "aB1589",
        "*1589*",
        "#1589",
        "<1589>",
        "^1589",
        "1,5,8,9",
        "[1,5,8,9]",
        "B(1/5/8/9)",
        "a[1,5,8,9]*",
        "1589'",
    ] {
        let marked = LISTS
            .replace(" 1589 ", &format!(" {mark} "))
            .replace("    25 8", &format!("    {} 8", mark_of(mark, "25")));
        assert_eq!(one(&marked).state(), one(LISTS).state(), "{mark}\n{marked}");
    }
    assert_eq!(puzzle.state().initial_candidates(Cell(5)), DigitSet::all(9));
}

/// The first row is no head: no list below repeats its digits.
#[test]
fn a_first_row_in_order_is_a_row() {
    let grid = "1 2 3 4 5 6 7 8 9\n4 5 7 1 8 9 2 3 6\n69 69 8 2 3 7 5 4 1\n26 6 9 8 7 4 1 5 3\n7 1 5 3 9 2 4 6 8\n\
                8 3 4 6 1 5 9 2 7\n3 7 1 5 4 8 6 9 2\n5 8 6 9 2 1 3 7 4\n9 4 2 7 6 3 8 1 5\n";
    assert_eq!(one(grid).givens[..9].iter().flatten().count(), 9);
}

/// Another list with the same mark.
fn mark_of(mark: &str, list: &str) -> String {
    let between = [',', '/'].into_iter().find(|sign| mark.contains(*sign)).map(String::from).unwrap_or_default();
    let digits: Vec<String> = list.chars().map(String::from).collect();
    mark.replace(&["1", "5", "8", "9"].join(&between), &digits.join(&between))
}

#[test]
fn a_state_below_a_puzzle() {
    let state = rows().join("\n").replacen("5300", "5340", 1);
    let text = format!("[Puzzle]\n{}\n[State]\n{state}\n\n[Puzzle]\n{}\n", rows().join("\n"), rows().join("\n"));
    let read: Vec<_> = read_many(&text, None).into_iter().map(|puzzle| puzzle.expect("a puzzle")).collect();
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].placed.iter().flatten().count(), 1);
    assert_eq!(read[0].clue_count(), 30);
}

#[test]
fn links_that_are_shared() {
    let f_puzzles =
        "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQih8p42+5xq1q99rj/8nx7cW1IkA";
    assert_eq!(read_one(f_puzzles, None).expect_err("an empty grid").code, "P07");
    // A clue 1, a digit 2 placed, the candidates 3 and 4, every candidate, nothing.
    let cells = format!("010b0uep{}", "00".repeat(77));
    let wiki = format!("S9B{cells}");
    let puzzle = one(&wiki);
    let list = puzzle.candidates.as_ref().expect("candidates")[2];
    assert_eq!((puzzle.givens[0], puzzle.placed[1]), (Some(Digit(0)), Some(Digit(1))));
    assert_eq!(list, [Digit(2), Digit(3)].into_iter().collect());
    assert_eq!(one(&format!("https://www.sudokuwiki.org/sudoku.htm?bd={wiki}")), puzzle);
    assert_eq!(one(&wiki.replacen('S', "X", 1)).geometry.spec().name, "diagonal");
    assert_eq!(one(&wiki.replacen('S', "W", 1)).geometry.spec().name, "windoku");
    assert_eq!(one(&format!("https://sudokuexchange.com/play/?s={EASY}")).clue_count(), 30);
    let iss = ".Shape~6x6\n.~R1C1_5~R2C2_1_2\n.AntiKnight\n";
    let read = one(iss);
    assert!(read.geometry.size() == 6 && read.geometry.has_extra_pairs() && read.clue_count() == 1);
    assert_eq!(one(".NoBoxes.~R1C1_5").geometry.houses().len(), 18);
}

/// The error for a damaged text names the format that it resembles, and the fault.
#[test]
fn near_formats_are_named() {
    let texts = [
        "https://sudokupad.app/8bNmDd4J9G",
        "https://www.f-puzzles.com/?id=y3k9x2",
        "https://www.f-puzzles.com/?load=N4Ig%%%",
        "https://example.org/?p=12",
        "https://sudokuexchange.com/play/?s=00000123",
        "SCv7_32_f2e4qji9ho1i237s1fji06b3qd7at68",
        "SCv6_32_f2e4",
        "S9B00",
        "L9B0000",
        ".Cage~3~R1C1~R1C2",
        ".Shape~9x9~0-8.~R1C1_5",
        "3x3::k:6150:6150:6401:6401:6401:6658",
        "SumoCueV1=13J0+0J0",
        "{\"size\":9,\"grid\":[]}",
        "{\"puzzle\": 5",
        "{\"name\": \"nothing\"}",
        "[[1, 2], [3, 4]]",
        "<game data=\"123\" />",
        "<game created=\"1\" />",
    ];
    let told: Vec<String> =
        texts.iter().map(|text| format!("{text}\n  {}", read_one(text, None).expect_err(text))).collect();
    insta::assert_snapshot!(told.join("\n"));
    let cages = serde_json::json!({ "size": 9, "grid": vec![vec![serde_json::json!({}); 9]; 9], "killercage": [{ "cells": ["R1C1"], "value": "5" }] });
    let error = read_one(&cages.to_string(), None).expect_err("killer cages");
    assert!(error.code == "P15" && error.message.contains("`killercage`"), "{error}");
}

/// Texts of programs and forums about puzzles are distinguished from a puzzle with a wrong sign.
#[test]
fn steps_of_solutions_are_told() {
    let steps = [
        "(6=12)r9c15 - 1r2c5 = r3c6 - (1=2369)r3789c1 => -6 r2c1,b7p58 ; stte",
        "whip[1]: r15n23{c18 .} ==> r13c20 \u{2260} 23, r11c17 \u{2260} 23",
        "7x7 (Rank 0): {6N8 124568N9 \\ 14568c9 79b6}",
        "UVWXYZ-Wing: 3/4/5/6/9/7 in r4c458,r5c46,r6c5 (Z=7) => r5c89<>7",
        "4.3, Grouped 2 Strong links 101: Cell r9c7,r7c9,r7c5,r1c5 on value 4: r1c6<>4",
        "Y-Wing pattern. Hinge: D8 (2/8), wings A8 F7, therefore 4 can be taken off B7",
    ];
    for step in steps {
        let error = read_one(step, None).expect_err(step);
        assert!(error.code == "P14" && error.message.contains("a step of a solution"), "{step}: {error}");
    }
    let noted = format!("{} => r1c1<>5", ".".repeat(80) + "1");
    assert!(read_one(&noted, None).is_ok(), "a note may cite one");
}

#[test]
fn a_board_of_the_caller_keeps_what_it_has() {
    let diagonal = pinion::grid::BoardSpec::named("diagonal").expect("a known board");
    let diagonal = std::sync::Arc::new(pinion::grid::Geometry::new(diagonal).expect("a board"));
    let read = read_one(".AntiKnight.~R1C1_5", Some(&diagonal)).expect("a puzzle");
    assert!(read.geometry.has_extra_pairs() && read.geometry.houses().len() == 29);
    assert!(read_one(".Shape~6x6.~R1C1_5", Some(&board(9))).is_err());
}
