//! Puzzles in JSON documents and in arrays of programming languages: their paths, cells, regions, remarks and errors.

use super::{EASY, EASY_SOLVED};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{FormatError, Puzzle, read_many};
use pinion::grid::{BoardSpec, Cell, Digit, Geometry};
use std::sync::Arc;

const SECOND: &str = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";

fn read(text: &str) -> Vec<Puzzle> {
    read_many(text, None).into_iter().map(|read| read.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect()
}

fn first_error(text: &str) -> FormatError {
    read_many(text, None).into_iter().find_map(Result::err).unwrap_or_else(|| panic!("read: {text}"))
}

/// Checks that the puzzles of a document are `expected`: the cells of each and its path, as in `puzzles[0].grid`.
fn check_puzzles(text: &str, expected: &[(&str, &str)]) {
    let puzzles: Vec<(String, String)> =
        read(text).iter().map(|puzzle| (givens_line(puzzle), puzzle.note.clone())).collect();
    let expected: Vec<(String, String)> =
        expected.iter().map(|(cells, path)| (cells.replace('0', "."), path.to_string())).collect();
    assert_eq!(puzzles, expected, "{text}");
}

/// The rows of `EASY`, each between `open` and `close`: `[5,3,0,…]`. `blank` stands for an empty cell.
fn rows(open: &str, close: &str, blank: &str) -> String {
    let row = |row: &[u8]| {
        let cells: Vec<String> = row
            .iter()
            .map(|&cell| if cell == b'0' { blank.to_owned() } else { char::from(cell).to_string() })
            .collect();
        format!("{open}{}{close}", cells.join(","))
    };
    EASY.as_bytes().chunks(9).map(row).collect::<Vec<_>>().join(",\n")
}

#[test]
fn every_puzzle_of_a_document_has_its_path() {
    let (a, b, solved) = (EASY, SECOND, EASY_SOLVED);
    check_puzzles(&format!(r#"[{{"puzzle":"{a}"}},{{"puzzle":"{b}"}}]"#), &[(a, "[0].puzzle"), (b, "[1].puzzle")]);
    check_puzzles(&format!(r#"["{a}","{b}"]"#), &[(a, "[0]"), (b, "[1]")]);
    check_puzzles(
        &format!(r#"{{"puzzles":[{{"id":1,"grid":"{a}"}},{{"id":2,"grid":"{b}"}}]}}"#),
        &[(a, "puzzles[0].grid"), (b, "puzzles[1].grid")],
    );
    check_puzzles(&format!(r#"{{"easy":"{a}","hard":"{b}"}}"#), &[(a, "easy"), (b, "hard")]);
    check_puzzles(&format!(r#"{{"puzzle":"{a}"}}{{"puzzle":"{b}"}}"#), &[(a, "[0].puzzle"), (b, "[1].puzzle")]);
    let matrix = rows("[", "]", "0");
    check_puzzles(
        &format!(r#"{{"newboard":{{"grids":[{{"value":[{matrix}],"difficulty":"Hard"}}],"message":"All Ok"}}}}"#),
        &[(a, "newboard.grids[0].value")],
    );
    check_puzzles(&format!("[[{matrix}],\n[{matrix}]]"), &[(a, "[0]"), (a, "[1]")]);
    check_puzzles(&format!(r#"{{"mission":"{a}","solution":"{solved}"}}"#), &[(a, "")]);
    check_puzzles(
        &format!(r#"{{"quizzes":["{a}","{b}"],"solutions":["{solved}"]}}"#),
        &[(a, "quizzes[0]"), (b, "quizzes[1]")],
    );
    check_puzzles(&format!(r#"["{a}","{solved}"]"#), &[(a, "[0]")]);
}

#[test]
fn the_last_puzzle_of_a_long_document_is_read() {
    let numbers = EASY.chars().map(|cell| format!("    {cell}")).collect::<Vec<_>>().join(",\n");
    let entry = format!("  {{\n   \"cells\": [\n{numbers}\n   ]\n  }}");
    let text = format!("{{\n \"puzzles\": [\n{}\n ]\n}}\n", vec![entry; 40].join(",\n"));
    let puzzles = read(&text);
    assert_eq!((puzzles.len(), puzzles[39].note.as_str()), (40, "puzzles[39].cells"));
    assert!(puzzles[39].line > 3000, "the line of the puzzle, not of the document");
}

#[test]
fn remarks_name_solutions_and_placed_digits() {
    let puzzles = read(&format!(r#"{{"board":"{EASY}","solution":"{EASY_SOLVED}"}}"#));
    assert_eq!(puzzles[0].remarks, ["solutions are not read: `solution`"]);
    let puzzles = read(&format!(r#"{{"initial":"{EASY}","current":"534{}"}}"#, &EASY[3..]));
    assert_eq!(puzzles.len(), 1);
    assert_eq!(puzzles[0].placed.iter().flatten().count(), 1);
    assert_eq!(puzzles[0].remarks, ["the digits of `current` that are no clues are read as placed"]);
}

#[test]
fn arrays_of_many_languages_are_read() {
    let (brackets, braces) = (rows("[", "]", "0"), rows("{", "}", "0"));
    for text in [
        format!("const grid: number[][] = [\n{brackets}\n];\n"),
        format!("let g: [[u8; 9]; 9] = [\n{brackets},\n];\n"),
        format!("int[][] grid = new int[][] {{\n{}\n}};\n", rows("{", "}", "-1")),
        format!("static const int board[9][9] = {{\n{braces}\n}};\n"),
        format!("grid := [][]int{{\n{braces},\n}}\n"),
        format!("int[,] g = {{\n{braces}\n}};\n"),
        format!("{braces}\n"),
        format!("local grid = {{ -- a comment\n{braces}\n}}\n"),
        format!("val grid = arrayOf(\n{}\n)\n", rows("intArrayOf(", ")", "0")),
        format!("$grid = array(\n{}\n);\n", rows("array(", ")", "0")),
        format!("g = [{}]\n", rows("", "", "0").replace(',', " ").replace(" \n", "; ")),
        format!("[\n{}\n]", rows("[", "]", "Some(0)").replace("Some(0)", "None")),
        format!("grid = Any[\n{}\n]\n", rows("[", "]", "nothing")),
        format!("# rows\ngrid = [\n{}\n]  # nine\n", rows("[", "]", "nil")),
    ] {
        check_puzzles(&text, &[(EASY, "")]);
    }
    for blank in ["", " ", "undefined", "false", "None", "null", "nil", "Nothing", "-1", "NaN", "\"\"", "' '", "'.'"] {
        check_puzzles(&format!("[\n{}\n]", rows("[", "]", blank)), &[(EASY, "")]);
        check_puzzles(&format!("const grid = [[{}]];", rows("[", "]", blank)), &[(EASY, "")]);
    }
}

#[test]
fn cells_in_lists_objects_and_boxes_are_read() {
    let cell = |index: usize| &EASY[index..=index];
    let all_cells = |text: &dyn Fn(usize) -> String| (0..81).map(text).collect::<Vec<_>>().join(",");
    let clues: Vec<usize> = (0..81).filter(|&index| cell(index) != "0").collect();
    let clue_objects: Vec<String> = clues
        .iter()
        .map(|&index| format!(r#"{{"row":{},"col":{},"value":{}}}"#, index / 9 + 1, index % 9 + 1, cell(index)))
        .collect();
    let object = |index: usize| format!(r#"{{"value":{},"fixed":{}}}"#, cell(index), cell(index) != "0");
    // Box `b` as `[5,3,0],[6,0,0],[0,9,8]`: three rows of three cells.
    let boxes: Vec<String> = (0..9)
        .map(|b| (0..9).map(|at| cell(b / 3 * 27 + b % 3 * 3 + at / 3 * 9 + at % 3)).collect::<Vec<_>>())
        .map(|cells| cells.chunks(3).map(|row| format!("[{}]", row.join(","))).collect::<Vec<_>>().join(","))
        .collect();
    let bands: Vec<String> = boxes.chunks(3).map(|band| format!("[[{}]]", band.join("],["))).collect();
    for text in [
        format!("[{}]", all_cells(&|index| cell(index).to_string())),
        format!("[{}]", clue_objects.join(",")),
        format!(r#"{{"cells":[{}]}}"#, all_cells(&object)),
        format!("[{}]", bands.join(",")),
        format!(
            "{{{}}}",
            all_cells(&|index| format!("'{}{}': '{}'", b"ABCDEFGHI"[index / 9] as char, index % 9 + 1, cell(index)))
        ),
        format!(
            r#"{{"puzzle":"{}"}}"#,
            EASY.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join("\\n")
        ),
    ] {
        check_puzzles(&text, &[(EASY, "")]);
    }
}

#[test]
fn documents_with_missing_or_strange_parts_are_refused() {
    let short_first_row = rows("[", "]", "0").replacen("[5,3,0,", "[5,3,", 1);
    let cases = [
        (format!("[{short_first_row}]"), "row 1 has 8 cells; the others have 9"),
        (format!(r#"{{"grid":[{short_first_row}]}}"#), "in `grid`: row 1 has 8 cells"),
        (format!(r#"[{{"grid":"{}"}},{{"grid":"{EASY}"}}]"#, &EASY[1..]), "`[0].grid`: 80 characters"),
        (format!("[{}]", EASY[1..].chars().map(String::from).collect::<Vec<_>>().join(",")), "it has 80 cells"),
        (format!("[{}]", rows("[", "]", "0").replace("[5,", "[null,").replace('9', "1")), "so 0 may be a digit"),
        (format!(r#"{{"grid":"{EASY}","cages":[[1,2]]}}"#), "the constraint `cages`"),
        (format!(r#"{{"solution":"{EASY_SOLVED}"}}"#), "holds a solution, `solution`, and no puzzle"),
        ("[".repeat(100_000), "more than 48 deep"),
    ];
    for (text, message) in cases {
        let error = first_error(&text);
        assert!(error.message.contains(message), "{error}\n{message}");
    }
}

#[test]
fn regions_below_a_puzzle_or_in_a_second_entry() {
    // The usual boxes, lettered column by column: rows 1 to 3 are `AAADDDGGG`.
    let regions: String = (0..81).map(|cell| char::from(b'A' + (cell % 9 / 3 * 3 + cell / 27) as u8)).collect();
    let in_rows = |text: &str| {
        text.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join("\n")
    };
    for text in [
        format!("{EASY}\n{regions}\n"),
        format!("{EASY}\n\nRegions:\n{regions}\n"),
        format!("{}\n\n{}\n", in_rows(EASY), in_rows(&regions)),
        format!("{}\nJigsaw layout\n{}\n", in_rows(EASY), in_rows(&regions)),
        format!(r#"{{"puzzle":"{EASY}","regions":"{}"}}"#, regions.replacen("AD", "DA", 1)),
    ] {
        let puzzles = read(&text);
        assert_eq!(puzzles.len(), 1, "{text}");
        assert_eq!(
            (puzzles[0].geometry.spec().name.as_str(), givens_line(&puzzles[0])),
            ("9x9 jigsaw", EASY.replace('0', ".")),
            "{text}"
        );
    }
    assert_eq!(first_error(&format!("{regions}\n")).message, "this is a map of regions and no puzzle");
}

#[test]
fn deleted_candidates_after_a_puzzle_are_read_or_refused() {
    let first_puzzle = |text: &str| read(text).remove(0);
    let four = Digit(3);
    let r1c3 = Cell(2);
    for suffix in [":413", ":413 522", ":413,522", ":413 a note"] {
        let puzzle = first_puzzle(&format!("{EASY}{suffix}"));
        assert!(!puzzle.state().candidates(r1c3).has(four), "{suffix}");
    }
    assert_eq!(first_puzzle(&format!("{EASY}:413")).remarks.len(), 1);
    assert_eq!(first_puzzle(&format!("{EASY} 413 522")).remarks.len(), 1);
    // A count of solutions, a solution and ratings are no candidates.
    for suffix in [":0", ":1", &format!(":413:{EASY_SOLVED}"), " ED=10.1/1.2/1.2", " 1.2"] {
        let puzzle = first_puzzle(&format!("{EASY}{suffix}"));
        assert!(puzzle.candidates.is_none() && puzzle.remarks.is_empty(), "{suffix}");
    }
    assert_eq!(first_error(&format!("{EASY}:413 52")).code, "P10");
}

#[test]
fn errors_name_box_shapes_and_sizes_that_would_fit() {
    let error = first_error("52461336.14.14356.25.4364..2..6153..");
    let help = "as 6×6 with boxes of 3 rows and 2 columns it is a puzzle: --board 6x6:3x2";
    assert_eq!(error.help.as_deref(), Some(help));
    let board =
        Arc::new(Geometry::new(BoardSpec::named("6x6:3x2").expect("a board")).expect("a board with these boxes"));
    assert!(read_many("52461336.14.14356.25.4364..2..6153..", Some(&board))[0].is_ok());
    for (cell_count, size_name) in [(25, "5×5"), (49, "7×7"), (121, "11×11"), (169, "13×13"), (369, "samurai")] {
        let error = first_error(&format!("1{}", ".".repeat(cell_count - 1)));
        assert!(error.message.contains(size_name), "{error}");
    }
}
