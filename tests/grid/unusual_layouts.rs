//! Puzzles in unusual layouts: blocks on one line, empty fields, quotations, matrices, XML, marked candidates, links.

use super::{EASY, EASY_SOLVED, LISTS, read_puzzle, standard_board};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{read_many, read_one};
use pinion::grid::{BoardSpec, Cell, Digit, DigitSet, Geometry};
use std::sync::Arc;

/// Checks that a text is read as one puzzle with the clues of `EASY`.
fn check_easy(text: &str) {
    let read = read_many(text, None);
    assert_eq!(read.len(), 1, "{text}\n{read:?}");
    let puzzle = read[0].as_ref().unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(givens_line(puzzle), EASY.replace('0', "."), "{text}");
    assert_eq!(givens_line(&read_puzzle(text)), EASY.replace('0', "."), "{text}");
}

fn rows() -> Vec<&'static str> {
    (0..9).map(|row| &EASY[row * 9..][..9]).collect()
}

/// The rows of `EASY`, each converted by `row_text`, one a line.
fn lines_of(row_text: impl Fn(&str) -> String) -> String {
    rows().into_iter().map(|row| row_text(row) + "\n").collect()
}

/// The cells of a row (or of a whole puzzle), each converted by `cell_text`, with `between` between them.
fn cells(row: &str, cell_text: impl Fn(char) -> String, between: &str) -> String {
    row.chars().map(cell_text).collect::<Vec<_>>().join(between)
}

/// The cells of a row as in [`cells`], with `bar` between the boxes.
fn boxes(row: &str, cell_text: fn(char) -> String, between: &str, bar: &str) -> String {
    let boxes = (0..3).map(|index| cells(&row[index * 3..][..3], cell_text, between));
    boxes.collect::<Vec<_>>().join(bar)
}

#[test]
fn rows_or_bands_may_be_blocks_on_one_line() {
    check_easy(&rows().join(" "));
    check_easy(&rows().join("  ").replace('0', "."));
    check_easy(&[&EASY[..27], &EASY[27..54], &EASY[54..]].join(" "));
    let two = format!("{}\n{}\n", rows().join(" "), rows().join(" "));
    assert_eq!(read_many(&two, None).len(), 2);
    // Nine blocks on each of nine lines are candidate lists, not nine puzzles.
    let lists = format!("{}\n", ["123456789"; 9].join(" ")).repeat(8)
        + "1 23456789 23456789 23456789 23456789 23456789 23456789 23456789 23456789\n";
    assert!(read_puzzle(&lists).candidates.is_some());
}

#[test]
fn regions_may_follow_the_cells_on_their_line() {
    // The usual boxes, numbered column by column. A text that lists regions is read as a jigsaw, even if they are the usual boxes.
    let regions: String = (0..81).map(|cell| char::from(b'1' + (cell % 9 / 3 * 3 + cell / 27) as u8)).collect();
    for text in [format!("{EASY} {regions}"), format!("{EASY},{regions} a note"), format!("{EASY}{regions}")] {
        let puzzle = read_puzzle(&text);
        assert_eq!(puzzle.geometry.spec().name, "9x9 jigsaw", "{text}");
        assert_eq!(givens_line(&puzzle), EASY.replace('0', "."));
    }
    let with_solution = format!("{EASY} {EASY_SOLVED}");
    assert_eq!(
        (read_puzzle(&with_solution).geometry.spec().name.as_str(), read_puzzle(&with_solution).note.as_str()),
        ("9x9", EASY_SOLVED)
    );
}

#[test]
fn empty_fields_are_empty_cells() {
    let field = |c: char| if c == '0' { String::new() } else { c.to_string() };
    for between in [",", ";", "\t"] {
        check_easy(&lines_of(|row| cells(row, field, between)));
    }
    check_easy(&lines_of(|row| cells(row, field, ",") + ","));
    check_easy(&lines_of(|row| cells(row, |c| format!("\"{}\"", field(c)), ",")));
    check_easy(&rows().iter().map(|row| cells(row, field, ",")).collect::<Vec<_>>().join(","));
}

#[test]
fn blanks_are_empty_cells_in_columns() {
    let blank = |c: char| if c == '0' { " ".to_string() } else { c.to_string() };
    check_easy(&lines_of(|row| cells(row, blank, "")));
    check_easy(&lines_of(|row| cells(row, blank, "").trim_end().to_string()));
    check_easy(&lines_of(|row| cells(row, blank, " ")));
    check_easy(&lines_of(|row| boxes(row, blank, "", "|")));
    check_easy(&lines_of(|row| format!("| {} |", boxes(row, blank, " ", " | "))));
    check_easy(&cells(EASY, blank, ""));
}

#[test]
fn quotations_and_full_width_digits_are_read() {
    check_easy(&lines_of(|row| format!("> {row}")));
    check_easy(&format!(">> {EASY}"));
    check_easy(&format!("On Monday she wrote\n{}", lines_of(|row| format!("> {row}"))));
    let full_width = |c: char| char::from_u32(c as u32 - '0' as u32 + 0xff10).expect("a digit").to_string();
    check_easy(&cells(EASY, full_width, ""));
    check_easy(&lines_of(|row| cells(row, full_width, "")));
    let error = read_many(&format!("> {}", EASY.replacen('0', "&", 1)), None).remove(0).expect_err("an unknown sign");
    assert_eq!((error.line, error.column), (1, 5), "the column counts the quotation mark");
}

#[test]
fn matrices_are_read() {
    let numbers = |row: &str| cells(row, String::from, ", ");
    let row_lists = lines_of(|row| format!("[{}],", numbers(row)));
    check_easy(&format!("[\n{row_lists}]\n"));
    check_easy(&format!(
        "grid = [{}]",
        rows().iter().map(|row| format!("[{}]", numbers(row))).collect::<Vec<_>>().join(", ")
    ));
    check_easy(&format!("np.array([\n{row_lists}])\n"));
    check_easy(&lines_of(|row| format!("[{}]", numbers(row))));
    check_easy(&row_lists.replace('0', "None"));
    check_easy(&row_lists.replace('0', "\"\""));
    check_easy(&row_lists.replace('0', "'.'"));
    check_easy(&format!("int grid[9][9] = {{\n{}}};\n", lines_of(|row| format!("{{{}}},", numbers(row)))));
    check_easy(&format!(
        "array[1..9,1..9] of var 1..9: puzzle = [|\n{}|];\n",
        lines_of(|row| numbers(row).replace('0', "_") + "|")
    ));
    check_easy(&format!(
        "[[{}]]",
        rows().iter().map(|row| cells(row, String::from, " ")).collect::<Vec<_>>().join("]\n [")
    ));
    check_easy(&format!("[{}]", numbers(EASY)));
    check_easy(&format!("[{}]", rows().iter().map(|row| format!("\"{row}\"")).collect::<Vec<_>>().join(",\n")));
    check_easy(&format!("{{\"solution\": \"{EASY_SOLVED}\", \"question\": \"{EASY}\"}}"));
    check_easy(&format!("{{\n  \"id\": 7,\n  \"board\": [\n{}  ]\n}}\n", row_lists.trim_end().trim_end_matches(',')));
    // The digit 16 on a 16×16 board.
    let sixteen = format!("[{}, 16]", ["0"; 255].join(", "));
    assert_eq!(read_puzzle(&sixteen).digit(Cell(255)).map(|digit| digit.symbol()), Some('G'));
}

#[test]
fn titles_csv_columns_and_xml_around_a_puzzle_are_skipped() {
    let grid = "53.|.7.|...\n6..|195|...\n.98|...|.6.\n-----------\n8..|.6.|..3\n4..|8.3|..1\n7..|.2.|..6\n-----------\n.6.|...|28.\n...|419|..5\n...|.8.|.79\n";
    check_easy(&format!("{grid}\nSimple Sudoku puzzle\nLevel: medium\n"));
    check_easy(&format!("Puzzle,Solution,Givens,\n{},,30,\n", EASY.replace('0', ".")));
    let game = format!("<game created=\"1\" data=\"{EASY}\" note='a > b &amp; c' />");
    check_easy(&format!("<?xml version=\"1.0\"?>\n<opensudoku>\n<name>Mine</name>\n{game}\n</opensudoku>\n"));
    check_easy(&format!("<?xml version=\"1.0\"?><opensudoku>{}</opensudoku>", game.replace(' ', "\n")));
    assert_eq!(read_many(&format!("<opensudoku>{game}{game}\n{game}</opensudoku>"), None).len(), 3);
    assert_eq!(read_puzzle(&game).note, "a > b & c");
}

/// Replaces the digits 1589 of a marked list by others: `B(1/5/8/9)` becomes `B(2/5)` for the digits `25`.
fn with_digits(marked: &str, digits: &str) -> String {
    let separator =
        [',', '/'].into_iter().find(|&symbol| marked.contains(symbol)).map(String::from).unwrap_or_default();
    let digits: Vec<String> = digits.chars().map(String::from).collect();
    marked.replace(&["1", "5", "8", "9"].join(&separator), &digits.join(&separator))
}

#[test]
fn marks_on_candidate_lists_are_dropped() {
    let marked = LISTS.replace("189 ", "#189 ").replace("128", "(128)").replace("247", "@247");
    assert_eq!(read_puzzle(&marked).state(), read_puzzle(LISTS).state());
    // `u` marks a placed digit.
    let with_placed_digit = read_puzzle(&LISTS.replacen(" 4     16", " u4     16", 1));
    assert_eq!((with_placed_digit.placed[5], with_placed_digit.givens[5]), (read_puzzle(LISTS).givens[5], None));
    assert_eq!(with_placed_digit.state().initial_candidates(Cell(5)), DigitSet::all(9));
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
        // Marks r6c4 and r6c6, and with other digits r4c1, which is the first cell of its line.
        let marked = LISTS
            .replace(" 1589 ", &format!(" {mark} "))
            .replace("    25 8", &format!("    {} 8", with_digits(mark, "25")));
        assert_eq!(read_puzzle(&marked).state(), read_puzzle(LISTS).state(), "{mark}\n{marked}");
    }
}

#[test]
fn a_first_row_from_1_to_9_is_no_column_labels() {
    let grid = "1 2 3 4 5 6 7 8 9\n4 5 7 1 8 9 2 3 6\n69 69 8 2 3 7 5 4 1\n26 6 9 8 7 4 1 5 3\n7 1 5 3 9 2 4 6 8\n\
                8 3 4 6 1 5 9 2 7\n3 7 1 5 4 8 6 9 2\n5 8 6 9 2 1 3 7 4\n9 4 2 7 6 3 8 1 5\n";
    assert_eq!(read_puzzle(grid).givens[..9].iter().flatten().count(), 9);
}

#[test]
fn a_state_below_a_puzzle_is_read() {
    let state = rows().join("\n").replacen("5300", "5340", 1);
    let text = format!("[Puzzle]\n{}\n[State]\n{state}\n\n[Puzzle]\n{}\n", rows().join("\n"), rows().join("\n"));
    let read: Vec<_> = read_many(&text, None).into_iter().map(|puzzle| puzzle.expect("a puzzle")).collect();
    assert_eq!(read.len(), 2);
    assert_eq!(read[0].placed.iter().flatten().count(), 1);
    assert_eq!(read[0].clue_count(), 30);
}

#[test]
fn shared_links_and_their_contents_are_read() {
    let f_puzzles =
        "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcA2ANCA5gJwgEwQbT2AF9ljSSzKiBdZQih8p42+5xq1q99rj/8nx7cW1IkA";
    assert_eq!(read_one(f_puzzles, None).expect_err("an empty grid").code, "P07");
    // r1c1 is the clue 1, r1c2 is 2 and placed, r1c3 has the candidates 3 and 4, r1c4 has all candidates.
    let cells = format!("010b0uep{}", "00".repeat(77));
    let wiki = format!("S9B{cells}");
    let puzzle = read_puzzle(&wiki);
    let list = puzzle.candidates.as_ref().expect("candidates")[2];
    assert_eq!((puzzle.givens[0], puzzle.placed[1]), (Some(Digit(0)), Some(Digit(1))));
    assert_eq!(list, [Digit(2), Digit(3)].into_iter().collect());
    assert_eq!(read_puzzle(&format!("https://www.sudokuwiki.org/sudoku.htm?bd={wiki}")), puzzle);
    assert_eq!(read_puzzle(&wiki.replacen('S', "X", 1)).geometry.spec().name, "diagonal");
    assert_eq!(read_puzzle(&wiki.replacen('S', "W", 1)).geometry.spec().name, "windoku");
    assert_eq!(read_puzzle(&format!("https://sudokuexchange.com/play/?s={EASY}")).clue_count(), 30);
    let iss = ".Shape~6x6\n.~R1C1_5~R2C2_1_2\n.AntiKnight\n";
    let read = read_puzzle(iss);
    assert!(read.geometry.size() == 6 && read.geometry.has_extra_pairs() && read.clue_count() == 1);
    assert_eq!(read_puzzle(".NoBoxes.~R1C1_5").geometry.houses().len(), 18);
}

#[test]
fn errors_name_the_format_that_a_damaged_text_resembles() {
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
    let errors: Vec<String> =
        texts.iter().map(|text| format!("{text}\n  {}", read_one(text, None).expect_err(text))).collect();
    insta::assert_snapshot!(errors.join("\n"));
    let killer = serde_json::json!({ "size": 9, "grid": vec![vec![serde_json::json!({}); 9]; 9], "killercage": [{ "cells": ["R1C1"], "value": "5" }] });
    let error = read_one(&killer.to_string(), None).expect_err("killer cages");
    assert!(error.code == "P15" && error.message.contains("`killercage`"), "{error}");
}

/// A step of a solution is not reported as a puzzle with an unknown character.
#[test]
fn an_error_says_that_a_text_is_a_step_of_a_solution() {
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
    let with_note = format!("{} => r1c1<>5", ".".repeat(80) + "1");
    assert!(read_one(&with_note, None).is_ok(), "a note may contain a step");
}

#[test]
fn constraints_of_a_text_are_added_to_the_required_board() {
    let spec = BoardSpec::named("diagonal").expect("a known board");
    let diagonal = Arc::new(Geometry::new(spec).expect("a board"));
    let read = read_one(".AntiKnight.~R1C1_5", Some(&diagonal)).expect("a puzzle");
    assert!(read.geometry.has_extra_pairs() && read.geometry.houses().len() == 29, "27 houses and two diagonals");
    assert!(read_one(".Shape~6x6.~R1C1_5", Some(&standard_board(9))).is_err());
}
