//! Puzzle texts: lines, rows, candidate lists, library lines, several puzzles in one text, and the errors of bad texts.

use super::{EASY, LISTS, read_puzzle, standard_board};
use pinion::grid::draw::{candidate_grid, givens_line, values_line};
use pinion::grid::formats::{Puzzle, read_library_line, read_many, read_one, text_of};
use pinion::grid::{Candidate, Cell, Digit, DigitSet};
use std::fmt::Write;

/// Checks that a text has the clues of `EASY`.
fn check_clues(text: &str) {
    let dotted = EASY.replace('0', ".");
    assert_eq!(givens_line(&read_puzzle(text)), dotted, "{text}");
}

/// The rows of `EASY`, each converted by `row_text`, one a line.
fn rows_of(row_text: impl Fn(&str) -> String) -> String {
    EASY.as_bytes().chunks(9).map(|row| row_text(std::str::from_utf8(row).unwrap()) + "\n").collect()
}

#[test]
fn a_puzzle_on_one_line_is_read() {
    for blank in [".", "0", "*", "_", "-", "?", "x", "X"] {
        check_clues(&EASY.replace('0', blank));
    }
    check_clues(&format!("{EASY}\r\n"));
    check_clues(&format!("\"{EASY}\",\"4\",easy"));
    check_clues(&format!("17,{EASY}"));
    check_clues(&format!("0000183b305c {EASY}  1.2"));
    check_clues(&rows_of(|row| format!("{row},")).replace('\n', ""));
    check_clues(&format!("# a comment\n\n{EASY} 1.5 W0\n; another\n// and one more"));
    assert_eq!(read_puzzle(&format!("{EASY} 1.5 W0 ")).note, "1.5 W0");
    assert_eq!(read_puzzle(&format!("\n\n{EASY}")).line, 3);
}

#[test]
fn a_puzzle_in_nine_rows_is_read() {
    check_clues(&rows_of(str::to_string));
    for blank in [".", "*", "_", "-", "x"] {
        check_clues(&rows_of(|row| row.replace('0', blank)));
    }
    check_clues(&rows_of(|row| row.chars().map(|c| format!("{c} ")).collect()));
    check_clues(&rows_of(|row| row.chars().map(|c| format!("{c},")).collect()));
    check_clues(&rows_of(|row| format!("  | {} | {} | {} |", &row[..3], &row[3..6], &row[6..])));
    check_clues(&rows_of(|row| format!("{}|{}|{}", &row[..3], &row[3..6], &row[6..])));
    check_clues(&format!("#ARuud\n#DA puzzle\n[Puzzle]\n{}[State]\n{}", rows_of(str::to_string), "123456789\n"));
    check_clues(&format!("Grid 01\n{}", rows_of(str::to_string)));
    let rows = rows_of(str::to_string);
    let bands: Vec<String> = rows.lines().collect::<Vec<_>>().chunks(3).map(|band| band.join("\n")).collect();
    for (bar, corner) in [("-----------", ""), ("---+---+---", ""), ("*---*---*", "*"), ("┼───┼", "")] {
        check_clues(&format!("{corner}{bar}\n{}\n{bar}", bands.join(&format!("\n{bar}\n"))));
    }
    check_clues(&bands.join("\n\n"));
}

#[test]
fn the_first_row_may_be_all_dashes() {
    let text = "---------\n-1-------\n".to_string() + &"---------\n".repeat(7);
    assert_eq!(values_line(&standard_board(9), &read_puzzle(&text).state()).find('1'), Some(10));
}

#[test]
fn candidate_lists_in_rows_or_on_one_line() {
    let puzzle = read_puzzle(LISTS);
    insta::assert_snapshot!(candidate_grid(&puzzle.geometry, &puzzle.state()));
    let on_eighteen_lines: String =
        LISTS.split_whitespace().enumerate().fold(String::new(), |mut text, (index, list)| {
            let _ = write!(text, "{list}{}", if index % 9 == 4 || index % 9 == 8 { "\n" } else { " " });
            text
        });
    assert_eq!(read_puzzle(&on_eighteen_lines).state(), puzzle.state(), "each row on two lines");
    let on_one_line = LISTS.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(read_puzzle(&on_one_line).state(), puzzle.state(), "all rows on one line");
}

#[test]
fn a_listed_cell_with_one_candidate_is_solved_if_no_peer_has_it() {
    let mut lists = vec!["1234"; 16];
    lists[0] = "1";
    let text = |lists: &[&str]| lists.chunks(4).map(|row| row.join(" ") + "\n").collect::<String>();
    // True if r1c1 is solved, and the number of its candidates.
    let first_cell = |text: &str| {
        let state = read_puzzle(text).state();
        (state.value(Cell(0)).is_some(), state.candidates(Cell(0)).len())
    };
    assert_eq!(first_cell(&text(&lists)), (false, 1));
    for peer in standard_board(4).peers(Cell(0)) {
        lists[peer.index()] = "234";
    }
    assert_eq!(first_cell(&text(&lists)), (true, 0));
}

#[test]
fn the_size_follows_from_the_number_of_cells() {
    for size in [4, 6, 8, 9, 10, 12, 16, 25] {
        let highest = Digit(size as u8 - 1).symbol();
        let text = format!("{}{highest}", ".".repeat(size * size - 1));
        assert_eq!(read_puzzle(&text).geometry.size(), size);
        assert_eq!(read_puzzle(&text.to_lowercase()).clue_count(), 1);
        let rows: Vec<&str> = (0..size).map(|row| &text[row * size..][..size]).collect();
        assert_eq!(read_puzzle(&rows.join("\n")).geometry.size(), size, "{size} rows");
    }
}

#[test]
fn sixty_four_characters_are_an_8x8_puzzle_or_4x4_lists() {
    let lists = "1234".repeat(15) + "1...";
    assert_eq!(read_puzzle(&lists).geometry.size(), 4);
    let cells = format!("1234{}", ".".repeat(60));
    assert_eq!(read_puzzle(&cells).geometry.size(), 8);
    assert!(read_one(&cells, Some(&standard_board(4))).is_err(), "on a 4×4 board these are empty lists");
}

#[test]
fn a_library_line_is_read() {
    let text = ":0606-x:12:+5+7+63+8+9+4+21+3+9+2+6+1487+5+4+1+8+7+52639+8+619+47+253+7+39+2..1..25+41.89..6435.....+9854.....1.+7+8.3...:678 779:292:711 812:5";
    let case = read_library_line(text, 1).unwrap();
    assert_eq!((case.code.as_str(), case.digits.as_str(), case.extra.as_str()), ("0606-x", "12", "5"));
    assert_eq!((case.eliminations.len(), case.placements.len(), case.puzzle.clue_count()), (1, 2, 30));
    let deleted = Candidate::new(Digit(5), case.puzzle.geometry.cell(6, 7));
    assert!(!case.puzzle.state().has(deleted));
    assert_eq!(read_puzzle(text).state(), case.puzzle.state());
}

#[test]
fn deleted_candidates_after_a_puzzle_are_read() {
    let puzzle = read_puzzle(
        "+98+41.+6..31.+3892+6......+341+8941.+9.5..6.9..1+34..+2356+4+891+7.+69.817......+67.+917.13.+9.6.:532 733",
    );
    let r3c2_5 = Candidate::new(Digit(4), puzzle.geometry.cell(2, 1));
    assert!(!puzzle.state().has(r3c2_5));
    assert_eq!(read_puzzle(&format!("{EASY}:1")).candidates, None, "a count of solutions");
}

#[test]
fn a_bad_line_is_reported_between_good_puzzles() {
    let text = format!("{EASY} first\n{}\n\n{EASY} third\nhello\n{}", &EASY[..80], read_puzzle(EASY).note);
    let read: Vec<String> = read_many(&text, None)
        .into_iter()
        .map(|result| match result {
            Ok(puzzle) => format!("line {}: {}", puzzle.line, puzzle.note),
            Err(error) => error.to_string(),
        })
        .collect();
    insta::assert_snapshot!(
        read.join("\n"),
        @r"
        line 1: first
        P03: line 2, column 1: 80 characters; a 9×9 puzzle has 81
        line 4: third
        P03: line 5, column 1: a row of 5 characters is not a puzzle; a 4×4 puzzle has 16
        "
    );
}

#[test]
fn several_grids_in_one_text_are_read() {
    let rows = rows_of(str::to_string);
    for between in ["", "\n", "\n# next\n", "Grid 2\n"] {
        let text = [rows.as_str(), rows.as_str(), rows.as_str()].join(between);
        let read = read_many(&text, None);
        assert!(read.len() == 3 && read.iter().all(Result::is_ok), "{between:?}: {read:?}");
    }
    let short = rows.lines().take(8).collect::<Vec<_>>().join("\n");
    let read = read_many(&format!("{short}\n\n{rows}"), None);
    assert!(read.len() == 2 && read[0].is_err() && read[1].is_ok(), "eight rows take none of the next grid: {read:?}");
    let two_small =
        format!("{}\n{}\n", "12..".repeat(4).replacen("12..12..", "12....1.", 1), "1".to_string() + &".".repeat(15));
    assert_eq!(read_many(&two_small, None).len(), 2, "16 characters are a 4×4 puzzle");
}

#[test]
fn mistakes_are_reported() {
    let mistakes: [(&str, String); 22] = [
        ("nothing", String::new()),
        ("only comments", "# nothing\n\n".into()),
        ("80 characters", EASY[1..].into()),
        ("730 characters", "1".repeat(730)),
        ("letters after it", format!("{EASY}EXTRA")),
        ("an unknown sign", EASY.replacen('0', "&", 1)),
        ("a wide digit", EASY.replacen('5', "４", 1)),
        ("x beside dots", EASY.replace('0', ".").replacen('.', "X", 1)),
        ("a letter on 9×9", EASY.replacen('0', "A", 1)),
        ("7 on 6×6", format!("7{}", ".".repeat(35))),
        ("twice in a row", EASY.replacen('0', "5", 1)),
        ("twice in a box", format!("1.........1{}", ".".repeat(70))),
        ("no digit", "0".repeat(81)),
        ("a blank before", format!(" {EASY}")),
        ("a byte order mark", format!("\u{feff}{EASY}")),
        ("three rows in one", "530070000,600195000,098000060".into()),
        (
            "a short row",
            rows_of(str::to_string).replacen("530070000", "53007000", 2).replacen("098000060", "0980000600", 1),
        ),
        ("eight rows", rows_of(str::to_string)[10..].into()),
        ("a digit out of its place", "1".repeat(729)),
        ("a digit listed twice", LISTS.replacen("69", "99", 1)),
        ("a second puzzle", format!("{EASY}\n{EASY}")),
        ("a bad triple", format!(":0100:8:{EASY}:624 92:::")),
    ];
    let mut report = String::new();
    for (mistake, text) in mistakes {
        let error = read_one(&text, None).expect_err(mistake);
        let _ = writeln!(report, "{mistake}: {error}");
    }
    let board = standard_board(9);
    let error = read_one(&format!("{}1", ".".repeat(35)), Some(&board)).unwrap_err();
    let _ = writeln!(report, "6×6 on a 9×9 board: {error}");
    insta::assert_snapshot!(report);
}

#[test]
fn text_of_refuses_bytes_that_are_no_text() {
    assert_eq!(text_of(b"12\n3").unwrap(), "12\n3");
    assert_eq!(text_of(b"\xef\xbb\xbf12\r\n").unwrap(), "12\r\n");
    insta::assert_snapshot!(
        format!("{}\n{}", text_of(b"ab\nc\0d").unwrap_err(), text_of(b"a\xff").unwrap_err()),
        @r"
        P02: line 2, column 2: a zero byte: this is not a text (puzzles are plain text in UTF-8)
        P02: line 1, column 2: a byte that is not UTF-8: this is not a text (puzzles are plain text in UTF-8)
        "
    );
}

#[test]
fn placed_digits_and_deleted_candidates_do_not_change_initial_candidates() {
    let all_digits = DigitSet::all(9);
    let given_set = |puzzle: &Puzzle, cell: u16| puzzle.givens[usize::from(cell)].map(DigitSet::single);
    let library = format!(":0600:12:+5+3{}:142 253::", &EASY[2..].replace('0', "."));
    let line = format!("+5+3{}:142 253", &EASY[2..]);
    for text in [library.as_str(), &line, &format!("\n    {library}\n")] {
        let puzzle = read_puzzle(text);
        let state = puzzle.state();
        assert_eq!(state.value(Cell(0)), Some(Digit(4)));
        assert!(!state.candidates(puzzle.geometry.cell(3, 1)).has(Digit(0)), "1 is deleted from r4c2");
        for cell in puzzle.geometry.cells() {
            assert_eq!(
                state.initial_candidates(cell),
                given_set(&puzzle, cell.0).unwrap_or(all_digits),
                "{cell:?} of {text}"
            );
        }
        assert_eq!(puzzle.initial_state().expect("the puzzle has progress").value(Cell(0)), None);
    }
    let clues = read_puzzle(EASY);
    assert!(
        clues
            .geometry
            .cells()
            .all(|cell| clues.state().initial_candidates(cell) == given_set(&clues, cell.0).unwrap_or(all_digits))
    );
    assert_eq!(clues.initial_state(), None);
    let lists = read_puzzle(LISTS);
    assert_eq!(lists.state().initial_candidates(Cell(0)), [Digit(5), Digit(8)].into_iter().collect());
    assert_eq!(lists.state().initial_candidates(Cell(2)), DigitSet::single(Digit(2)));
    assert_eq!(lists.initial_state(), None);
}

#[test]
fn small_puzzles_below_a_bad_line_are_read() {
    for bad in ["garbage", "12.4", "12.43.......4..12"] {
        let text = format!("12.43.......4..1 one\n{bad}\n12.43.......4..1 two\n12.43.......4..1 three\n");
        let read: Vec<bool> = read_many(&text, None).iter().map(Result::is_ok).collect();
        assert_eq!(read, [true, false, true, true], "{bad}");
    }
    // The rows of a 16×16 grid are no 4×4 puzzles, even if the first row has 15 cells.
    let rows: Vec<String> = (0..16).map(|row| "123456789ABCDEFG"[..16 - usize::from(row == 0)].to_owned()).collect();
    assert_eq!(read_many(&rows.join("\n"), None).len(), 1);
}

#[test]
fn a_title_above_a_grid_is_skipped() {
    let grid = "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";
    for title in ["My puzzle", "A long one", "Hard puzzle"] {
        assert!(read_one(&format!("{title}\n{grid}"), None).is_ok(), "{title}");
    }
}

#[test]
fn the_page_of_formats_lists_all_error_codes() {
    let page = std::fs::read_to_string("docs/formats.md").expect("the page");
    for (code, meaning) in pinion::grid::formats::CODES {
        assert!(page.contains(&format!("| {code} | {meaning} |")), "{code}");
    }
}
