//! Puzzles in documents: several of them, arrays of all languages, cells as objects, and what is no puzzle.

use super::{EASY, EASY_SOLVED};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{FormatError, Puzzle, read_many};
use pinion::grid::{BoardSpec, Geometry};

const OTHER: &str = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";

fn easy() -> String {
    EASY.replace('0', ".")
}

fn read(text: &str) -> Vec<Puzzle> {
    read_many(text, None).into_iter().map(|read| read.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect()
}

fn refused(text: &str) -> FormatError {
    read_many(text, None).into_iter().find_map(Result::err).unwrap_or_else(|| panic!("read: {text}"))
}

/// Checks the puzzles of a document and their paths.
fn check(text: &str, wanted: &[(&str, &str)]) {
    let found: Vec<(String, String)> =
        read(text).iter().map(|puzzle| (givens_line(puzzle), puzzle.note.clone())).collect();
    let wanted: Vec<(String, String)> =
        wanted.iter().map(|(cells, path)| (cells.replace('0', "."), path.to_string())).collect();
    assert_eq!(found, wanted, "{text}");
}

/// The rows of the easy puzzle in brackets.
fn rows(open: &str, close: &str, blank: &str) -> String {
    let row = |row: &[u8]| {
        let cells: Vec<&str> = row
            .iter()
            .map(|&cell| if cell == b'0' { blank } else { &EASY[EASY.find(cell as char).unwrap()..][..1] })
            .collect();
        format!("{open}{}{close}", cells.join(","))
    };
    EASY.as_bytes().chunks(9).map(row).collect::<Vec<_>>().join(",\n")
}

#[test]
fn every_puzzle_of_a_document_has_its_path() {
    let (a, b, full) = (EASY, OTHER, EASY_SOLVED);
    check(&format!(r#"[{{"puzzle":"{a}"}},{{"puzzle":"{b}"}}]"#), &[(a, "[0].puzzle"), (b, "[1].puzzle")]);
    check(&format!(r#"["{a}","{b}"]"#), &[(a, "[0]"), (b, "[1]")]);
    check(
        &format!(r#"{{"puzzles":[{{"id":1,"grid":"{a}"}},{{"id":2,"grid":"{b}"}}]}}"#),
        &[(a, "puzzles[0].grid"), (b, "puzzles[1].grid")],
    );
    check(&format!(r#"{{"easy":"{a}","hard":"{b}"}}"#), &[(a, "easy"), (b, "hard")]);
    check(&format!(r#"{{"puzzle":"{a}"}}{{"puzzle":"{b}"}}"#), &[(a, "[0].puzzle"), (b, "[1].puzzle")]);
    let matrix = rows("[", "]", "0");
    check(
        &format!(r#"{{"newboard":{{"grids":[{{"value":[{matrix}],"difficulty":"Hard"}}],"message":"All Ok"}}}}"#),
        &[(a, "newboard.grids[0].value")],
    );
    check(&format!("[[{matrix}],\n[{matrix}]]"), &[(a, "[0]"), (a, "[1]")]);
    check(&format!(r#"{{"mission":"{a}","solution":"{full}"}}"#), &[(a, "")]);
    check(&format!(r#"{{"quizzes":["{a}","{b}"],"solutions":["{full}"]}}"#), &[(a, "quizzes[0]"), (b, "quizzes[1]")]);
    check(&format!(r#"["{a}","{full}"]"#), &[(a, "[0]")]);
}

#[test]
fn long_documents_are_read_whole() {
    let numbers = EASY.chars().map(|cell| format!("    {cell}")).collect::<Vec<_>>().join(",\n");
    let one = format!("  {{\n   \"cells\": [\n{numbers}\n   ]\n  }}");
    let text = format!("{{\n \"puzzles\": [\n{}\n ]\n}}\n", vec![one; 40].join(",\n"));
    let found = read(&text);
    assert_eq!((found.len(), found[39].note.as_str()), (40, "puzzles[39].cells"));
    assert!(found[39].line > 3000, "the line is that of the puzzle");
}

#[test]
fn what_is_not_read_is_remarked() {
    let found = read(&format!(r#"{{"board":"{EASY}","solution":"{EASY_SOLVED}"}}"#));
    assert_eq!(found[0].remarks, ["solutions are not read: `solution`"]);
    let found = read(&format!(r#"{{"initial":"{EASY}","current":"534{}"}}"#, &EASY[3..]));
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].placed.iter().flatten().count(), 1);
    assert_eq!(found[0].remarks, ["the digits of `current` that are no clues are read as placed"]);
}

#[test]
fn arrays_of_all_languages() {
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
        check(&text, &[(EASY, "")]);
    }
    for blank in ["", " ", "undefined", "false", "None", "null", "nil", "Nothing", "-1", "NaN", "\"\"", "' '", "'.'"] {
        check(&format!("[\n{}\n]", rows("[", "]", blank)), &[(EASY, "")]);
        check(&format!("const grid = [[{}]];", rows("[", "]", blank)), &[(EASY, "")]);
    }
}

#[test]
fn cells_in_other_shapes() {
    let cell = |index: usize| &EASY[index..=index];
    let listed = |each: &dyn Fn(usize) -> String| (0..81).map(each).collect::<Vec<_>>().join(",");
    let clues: Vec<usize> = (0..81).filter(|&index| cell(index) != "0").collect();
    let sparse: Vec<String> = clues
        .iter()
        .map(|&index| format!(r#"{{"row":{},"col":{},"value":{}}}"#, index / 9 + 1, index % 9 + 1, cell(index)))
        .collect();
    let object = |index: usize| format!(r#"{{"value":{},"fixed":{}}}"#, cell(index), cell(index) != "0");
    let boxes: Vec<String> = (0..9)
        .map(|b| (0..9).map(|at| cell(b / 3 * 27 + b % 3 * 3 + at / 3 * 9 + at % 3)).collect::<Vec<_>>())
        .map(|cells| cells.chunks(3).map(|row| format!("[{}]", row.join(","))).collect::<Vec<_>>().join(","))
        .collect();
    let by_box: Vec<String> = boxes.chunks(3).map(|band| format!("[[{}]]", band.join("],["))).collect();
    for text in [
        format!("[{}]", listed(&|index| cell(index).to_string())),
        format!("[{}]", sparse.join(",")),
        format!(r#"{{"cells":[{}]}}"#, listed(&object)),
        format!("[{}]", by_box.join(",")),
        format!(
            "{{{}}}",
            listed(&|index| format!("'{}{}': '{}'", b"ABCDEFGHI"[index / 9] as char, index % 9 + 1, cell(index)))
        ),
        format!(
            r#"{{"puzzle":"{}"}}"#,
            EASY.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join("\\n")
        ),
    ] {
        check(&text, &[(EASY, "")]);
    }
}

#[test]
fn cells_are_never_dropped() {
    let short = rows("[", "]", "0").replacen("[5,3,0,", "[5,3,", 1);
    let told = [
        (format!("[{short}]"), "row 1 has 8 cells; the others have 9"),
        (format!(r#"{{"grid":[{short}]}}"#), "in `grid`: row 1 has 8 cells"),
        (format!(r#"[{{"grid":"{}"}},{{"grid":"{EASY}"}}]"#, &EASY[1..]), "`[0].grid`: 80 characters"),
        (format!("[{}]", EASY[1..].chars().map(String::from).collect::<Vec<_>>().join(",")), "it has 80 cells"),
        (format!("[{}]", rows("[", "]", "0").replace("[5,", "[null,").replace('9', "1")), "so 0 may be a digit"),
        (format!(r#"{{"grid":"{EASY}","cages":[[1,2]]}}"#), "the constraint `cages`"),
        (format!(r#"{{"solution":"{EASY_SOLVED}"}}"#), "holds a solution, `solution`, and no puzzle"),
        ("[".repeat(100_000), "more than 48 deep"),
    ];
    for (text, words) in told {
        let error = refused(&text);
        assert!(error.message.contains(words), "{error}\n{words}");
    }
}

#[test]
fn regions_in_a_second_block() {
    let signs: String = (0..81).map(|cell| char::from(b'A' + (cell % 9 / 3 * 3 + cell / 27) as u8)).collect();
    let block = |text: &str| {
        text.as_bytes().chunks(9).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join("\n")
    };
    for text in [
        format!("{EASY}\n{signs}\n"),
        format!("{EASY}\n\nRegions:\n{signs}\n"),
        format!("{}\n\n{}\n", block(EASY), block(&signs)),
        format!("{}\nJigsaw layout\n{}\n", block(EASY), block(&signs)),
        format!(r#"{{"puzzle":"{EASY}","regions":"{}"}}"#, signs.replacen("AD", "DA", 1)),
    ] {
        let found = read(&text);
        assert_eq!(found.len(), 1, "{text}");
        assert_eq!((found[0].geometry.spec().name.as_str(), givens_line(&found[0])), ("9x9 jigsaw", easy()), "{text}");
    }
    assert_eq!(refused(&format!("{signs}\n")).message, "this is a map of regions and no puzzle");
}

#[test]
fn deletions_are_never_ignored_in_silence() {
    let listed = |text: &str| read(text).remove(0);
    let four = pinion::grid::Digit(3);
    let cell = pinion::grid::Cell(2);
    for after in [":413", ":413 522", ":413,522", ":413 a note"] {
        let puzzle = listed(&format!("{EASY}{after}"));
        assert!(!puzzle.state().candidates(cell).has(four), "{after}");
    }
    assert_eq!(listed(&format!("{EASY}:413")).remarks.len(), 1);
    assert_eq!(listed(&format!("{EASY} 413 522")).remarks.len(), 1);
    for after in [":0", ":1", &format!(":413:{EASY_SOLVED}"), " ED=10.1/1.2/1.2", " 1.2"] {
        let puzzle = listed(&format!("{EASY}{after}"));
        assert!(puzzle.candidates.is_none() && puzzle.remarks.is_empty(), "{after}");
    }
    assert_eq!(refused(&format!("{EASY}:413 52")).code, "P10");
}

#[test]
fn boxes_of_another_shape_are_named() {
    let error = refused("52461336.14.14356.25.4364..2..6153..");
    let help = "as 6×6 with boxes of 3 rows and 2 columns it is a puzzle: --board 6x6:3x2";
    assert_eq!(error.help.as_deref(), Some(help));
    let board = std::sync::Arc::new(Geometry::new(BoardSpec::named("6x6:3x2").expect("a board")).expect("its boxes"));
    assert!(read_many("52461336.14.14356.25.4364..2..6153..", Some(&board))[0].is_ok());
    for (cells, size) in [(25, "5×5"), (49, "7×7"), (121, "11×11"), (169, "13×13"), (369, "samurai")] {
        let error = refused(&format!("1{}", ".".repeat(cells - 1)));
        assert!(error.message.contains(size), "{error}");
    }
}
