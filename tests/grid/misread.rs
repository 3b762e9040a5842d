//! Kinds of texts that the reader once took for other puzzles: each is read whole or refused.

use super::{EASY, EASY_SOLVED, LISTS};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{Puzzle, read_many, text_of};
use pinion::grid::{Cell, Digit};

/// A puzzle with an empty first row.
pub const SPARSE: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

/// A puzzle with 17 clues; column 9 has only one.
const SEVENTEEN: &str = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...";

const MANY_CLUES: &str = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";

pub fn read(text: &str) -> Vec<Puzzle> {
    read_many(text, None).into_iter().map(|read| read.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect()
}

/// Checks that a text is read as exactly one puzzle with these clues.
pub fn check_one(text: &str, cells: &str) {
    let puzzles: Vec<String> = read(text).iter().map(givens_line).collect();
    assert_eq!(puzzles, [cells.replace('0', ".")], "{text}");
}

/// Checks that no puzzle of a text is read, and that an error contains `part`, such as `P03` or `samurai`.
pub fn check_refused(text: &str, part: &str) {
    let results = read_many(text, None);
    let errors: Vec<String> =
        results.iter().filter_map(|result| result.as_ref().err()).map(ToString::to_string).collect();
    assert!(results.len() == errors.len(), "{text}\n{results:?}");
    assert!(errors.iter().any(|error| error.contains(part)), "{text}\n{errors:?}");
}

/// The rows of a puzzle; `cell_text` converts each cell, `between` stands between two cells.
pub fn rows(puzzle: &str, between: &str, cell_text: impl Fn(char) -> String) -> Vec<String> {
    let symbols: Vec<char> = puzzle.chars().collect();
    let row_text = |row: &[char]| row.iter().map(|&symbol| cell_text(symbol)).collect::<Vec<_>>().join(between);
    symbols.chunks(symbols.len().isqrt()).map(row_text).collect()
}

/// The number that a symbol stands for: 0 for an empty cell, 12 for `C`.
fn number(symbol: char) -> u32 {
    symbol.to_digit(36).unwrap_or_default()
}

/// The rows of a puzzle on lines of their own, with `.` for an empty cell and nothing between the cells.
pub fn dotted_grid(puzzle: &str) -> String {
    rows(puzzle, "", |symbol| if symbol == '0' { ".".into() } else { symbol.into() }).join("\n") + "\n"
}

/// The rows of a puzzle with a blank for each empty cell.
fn rows_with_blanks(puzzle: &str) -> Vec<String> {
    rows(puzzle, "", |symbol| if matches!(symbol, '.' | '0') { " ".into() } else { symbol.into() })
}

#[test]
fn decimal_numbers_are_cells() {
    let twelve = "..4.C..3..7.1..2.....5...8".to_string() + &".".repeat(118);
    for between in [" ", ",", ", ", ";", "\t", "  ", "|"] {
        for places in [".0", ".00", ".000e+00"] {
            for puzzle in [EASY, &twelve] {
                let lines = rows(puzzle, between, |symbol| format!("{}{places}", number(symbol)));
                check_one(&(lines.join("\n") + "\n"), puzzle);
                check_refused(&format!("{}\n", lines[0]), "P0");
            }
        }
    }
    // Cells such as `5.50` are no digits: the table is refused, and its rows are not read as small puzzles.
    let lines = rows(EASY, " ", |symbol| format!("{}.50", number(symbol)));
    assert!(read_many(&lines.join("\n"), None).iter().all(Result::is_err));
}

#[test]
fn a_split_line_or_a_second_puzzle_on_a_line_is_refused() {
    let nearly_empty = "000000001000000000000000000000000002000000000000000000000000000000000000000000000";
    for at in [16, 36, 64] {
        check_refused(&format!("{}\n{}\n", &nearly_empty[..at], &nearly_empty[at..]), "P03");
        check_refused(&format!("{} {}\n", &nearly_empty[..at], &nearly_empty[at..]), "P03");
    }
    check_refused("0000000010000000 0000000000000200\n", "a second puzzle begins here");
    check_refused(&format!("{EASY} {SPARSE}\n"), "a second puzzle begins here");
    check_refused(&format!("{EASY},{SPARSE}\n"), "a second puzzle begins here");
    check_one(&format!("{EASY},{EASY_SOLVED},30,4.5\n"), EASY);
    let puzzles = read(&format!("{EASY_SOLVED},{EASY}\n"));
    assert_eq!((puzzles.len(), puzzles[0].remarks.len()), (1, 1));
    let link = "https://sudokuexchange.com/play/?s=";
    check_refused(&format!("{link}{EASY} {link}{SPARSE}\n"), "a second link begins here");
    check_one("1234 4321 2143 3412\n", "1234432121433412");
}

#[test]
fn rows_with_blanks_for_empty_cells_are_not_misread() {
    for puzzle in [SEVENTEEN, SPARSE, EASY, MANY_CLUES] {
        for trimmed in [false, true] {
            let mut lines = rows_with_blanks(puzzle);
            if trimmed {
                lines.iter_mut().for_each(|line| *line = line.trim_end().to_string());
            }
            let text = |lines: &[String]| lines.join("\n") + "\n";
            let mut variants = vec![text(&lines), format!("9\n{}", text(&lines)), format!("9\n\n{}", text(&lines))];
            for at in 1..9 {
                // The empty line within a band may be taken for the empty row of this puzzle.
                if puzzle == SPARSE && at % 3 != 0 {
                    continue;
                }
                let mut with_gap = lines.clone();
                with_gap.insert(at, String::new());
                variants.push(text(&with_gap));
            }
            for text in variants {
                let puzzles: Vec<String> = read_many(&text, None).iter().flatten().map(givens_line).collect();
                assert!(puzzles.is_empty() || puzzles == [puzzle.replace('0', ".")], "{text}\n{puzzles:?}");
            }
        }
    }
    check_one(&format!("9\n{}\n", rows_with_blanks(SEVENTEEN).join("\n")), SEVENTEEN);
}

#[test]
fn dashes_can_be_empty_cells() {
    let puzzle = ".......2..13..3.2.4..1..2.6.......6.";
    for between in ["\t", ",", " ", "|", ""] {
        let lines = rows(puzzle, between, |symbol| if symbol == '.' { "-".into() } else { symbol.into() }).join("\n");
        check_one(&format!("{lines}\n"), puzzle);
        if !between.is_empty() {
            let column_labels = ["1", "2", "3", "4", "5", "6"].join(between);
            check_one(&format!("{lines}\n{column_labels}\n"), puzzle);
        }
    }
}

#[test]
fn rows_between_labels_are_read_or_refused() {
    let puzzle = ".....2..13........3.2.4..1..2.6....1".to_string();
    for between in [",", " ", ";", ""] {
        let lines = rows(&puzzle, between, |symbol| if symbol == '.' { "0".into() } else { symbol.into() });
        let gap = if between.is_empty() { " " } else { between };
        let column_labels = format!("0{gap}{}{gap}0", (1..=6).map(|at| format!("c{at}")).collect::<Vec<_>>().join(gap));
        let labelled_rows =
            lines.iter().zip(1..).map(|(line, at)| format!("r{at}{gap}{line}{gap}r{at}\n")).collect::<String>();
        let text = format!("{column_labels}\n{labelled_rows}{column_labels}\n");
        let puzzles: Vec<String> = read_many(&text, None).iter().flatten().map(givens_line).collect();
        assert!(puzzles.is_empty() || puzzles == [puzzle.clone()], "{text}\n{puzzles:?}");
    }
}

/// A map of regions: the usual boxes, but r1c3 and r1c4, r9c6 and r9c7 are exchanged.
pub const REGIONS: &str = "112122333111222333111222333444555666444555666444555666777888999777888999777889899";

#[test]
fn a_map_of_regions_may_stand_above_or_below_the_puzzle() {
    let lettered: String = REGIONS.chars().map(|symbol| char::from(b'A' - 1 + number(symbol) as u8)).collect();
    for map in [REGIONS, &lettered] {
        let lines = dotted_grid(map);
        for text in [
            format!("{lines}\n{}", dotted_grid(EASY)),
            format!("Regions:\n{lines}\nGrid:\n{}", dotted_grid(EASY)),
            format!("{map}\n{EASY}\n"),
            format!("{map}\n\n{}", dotted_grid(EASY)),
            format!("{EASY}\n\n{lines}"),
        ] {
            let puzzles = read(&text);
            assert_eq!((puzzles.len(), puzzles[0].geometry.spec().name.as_str()), (1, "9x9 jigsaw"), "{text}");
        }
        let without_last_row = lines.lines().take(8).collect::<Vec<&str>>().join("\n");
        let with_wrong_region = lines.replacen(['3', 'C'], if map == REGIONS { "2" } else { "B" }, 1);
        for damaged in [without_last_row, with_wrong_region] {
            check_refused(&format!("{damaged}\n\n{}", dotted_grid(EASY)), "map of regions");
            check_refused(&format!("{}\n{damaged}\n", dotted_grid(EASY)), "map of regions");
        }
    }
}

#[test]
fn bars_may_separate_the_regions_of_a_map() {
    let map = ["1|222|33", "1|222|33", "1|444|33", "1|444|55", "1|666|55", "1|666|55"];
    let puzzle = ["1.....", ".2....", "..3...", "...4..", "....5.", ".....6"];
    let puzzles = read(&format!("{}\n\n{}\n", puzzle.join("\n"), map.join("\n")));
    let geometry = &puzzles[0].geometry;
    let region = |row, column| geometry.region(geometry.cell(row, column));
    assert!(puzzles.len() == 1 && region(0, 0) == region(5, 0) && region(0, 1) != region(0, 0), "{puzzles:?}");
}

/// `23 4 | 3 1`: on a small board, the lists repeat a symbol as often as a map of regions would.
#[test]
fn candidate_lists_between_bars_are_no_map() {
    let rows = ["23 4 | 3 1", "13 3 | 4 2", "3 23 | 1 4", "4 1 | 2 3"];
    let boxed: Vec<String> = rows.iter().map(|row| format!("| {row} |")).collect();
    let by_cell: Vec<String> = rows.iter().map(|row| row.replace(" | ", " ").replace(' ', "|")).collect();
    for text in [rows.join("\n"), boxed.join("\n"), by_cell.join("\n")] {
        let puzzles = read(&text);
        let lists = puzzles[0].candidates.as_ref().expect("lists of candidates");
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        assert_eq!((puzzles.len(), lengths), (1, vec![2, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1]), "{text}");
    }
}

#[test]
fn a_puzzle_with_digits_from_0_to_8_is_refused() {
    let cells = "42..6....5..084....87....5.7...5...23..7.2..06...1...5.5....17....308..4....7..68";
    let field = |symbol: char| if symbol == '.' { String::new() } else { symbol.into() };
    for text in [
        cells.to_string(),
        rows(cells, "", String::from).join("\n"),
        rows(cells, " ", String::from).join("\n"),
        rows(cells, ",", field).join("\n"),
    ] {
        check_refused(&text, "P17");
    }
}

#[test]
fn deleted_candidates_are_read_or_refused() {
    for suffix in [":011 413", ":413522", ":4130", ":r1c3<>4", ":511", ":413,999", " :413 52"] {
        check_refused(&format!("{EASY}{suffix}\n"), "P10");
    }
    for suffix in [" :413 522", ":[413 522]", ":413/522", ":(413,522)"] {
        let puzzle = read(&format!("{EASY}{suffix}\n")).remove(0);
        let four = Digit(3);
        assert!(!puzzle.state().candidates(Cell(2)).has(four), "{suffix}");
    }
    check_refused(&format!(":0000:x:{EASY}:511::\n"), "P10");
}

#[test]
fn a_state_that_contradicts_its_puzzle_is_refused() {
    let grid = dotted_grid(EASY);
    let lines: Vec<&str> = grid.lines().collect();
    let with_state = |first_row: &str| format!("[Puzzle]\n{grid}[State]\n{first_row}\n{}\n", lines[1..].join("\n"));
    check_refused(&with_state("134.7...."), "r1c1 is 5 in the puzzle above");
    check_refused(&with_state("534.7..."), "`[State]`");
    // One row is no state.
    let puzzles = read(&format!("[Puzzle]\n{grid}[State]\n534.7....\n"));
    assert_eq!(puzzles[0].remarks, ["line 11: `[State]` and the lines below it are no part of a puzzle"]);
    let puzzle = read(&with_state("534.7....")).remove(0);
    assert_eq!(puzzle.placed.iter().flatten().count(), 1);
}

#[test]
fn documents_can_list_regions_but_no_other_constraints() {
    let cell_list = |region: char, cell_text: &dyn Fn(usize) -> String| -> String {
        let cells = (0..81).filter(|&at| char::from(REGIONS.as_bytes()[at]) == region);
        format!("[{}]", cells.map(cell_text).collect::<Vec<_>>().join(","))
    };
    let as_pair = |at: usize| format!("[{},{}]", at / 9, at % 9);
    let as_name = |at: usize| format!("\"R{}C{}\"", at / 9 + 1, at % 9 + 1);
    let as_number = |at: usize| at.to_string();
    for cell_text in [&as_pair as &dyn Fn(usize) -> String, &as_name, &as_number] {
        let regions = ('1'..='9').map(|region| cell_list(region, cell_text)).collect::<Vec<_>>().join(",");
        for key in ["regions", "jigsaw", "blocks", "layout"] {
            let puzzle = read(&format!("{{\"puzzle\":\"{EASY}\",\"{key}\":[{regions}]}}")).remove(0);
            assert_eq!(puzzle.geometry.spec().name, "9x9 jigsaw", "{key} {regions}");
        }
    }
    for constraint in [
        "\"constraints\":[{\"type\":\"killer\",\"cells\":[[0,0],[0,1]],\"sum\":5}]",
        "\"lines\":[[0,1]]",
        "\"type\":\"killer\"",
        "\"variant\":\"anti-knight\"",
        "\"variants\":[\"diagonal\"]",
        "\"isX\":true",
        "\"sums\":[1,2,3]",
    ] {
        check_refused(&format!("{{\"puzzle\":\"{EASY}\",{constraint}}}"), "P15");
    }
    check_one(&format!("{{\"puzzle\":\"{EASY}\",\"variant\":\"classic\",\"isX\":false}}"), EASY);
}

#[test]
fn cells_of_documents_can_list_candidates() {
    let document = |entry: &str| {
        let cell = |symbol: char| match symbol {
            '0' => format!("{{\"value\":null,{entry}}}"),
            symbol => format!("{{\"value\":{symbol},\"given\":true}}"),
        };
        format!(
            "{{\"board\":[{}]}}",
            rows(EASY, ",", cell).iter().map(|row| format!("[{row}]")).collect::<Vec<_>>().join(",")
        )
    };
    for list in [
        "\"candidates\":[1,2,4]",
        "\"notes\":\"1,2,4\"",
        "\"cands\":[true,true,false,true,false,false,false,false,false]",
        "\"marks\":{\"1\":true,\"2\":true,\"4\":true}",
    ] {
        let puzzle = read(&document(list)).remove(0);
        let lists = puzzle.candidates.as_ref().unwrap_or_else(|| panic!("{list}"));
        assert_eq!(lists[2].iter().map(|digit| digit.symbol()).collect::<String>(), "124", "{list}");
    }
    check_refused(&document("\"candidates\":152"), "`candidates` of a cell");
    check_refused(&document("\"scribbles\":[1,2]"), "nothing says what `scribbles` of a cell lists");
}

#[test]
fn repeated_keys_and_stray_commas_of_documents() {
    check_refused(&format!("{{\"puzzle\":\"{EASY}\",\"puzzle\":\"{SPARSE}\"}}"), "stands twice");
    let user: String = (0..81).map(|at| if at == 2 { '4' } else { '0' }).collect();
    let puzzles = read(&format!("{{\"givens\":\"{EASY}\",\"user\":\"{user}\"}}"));
    assert_eq!((puzzles.len(), puzzles[0].placed.iter().flatten().count()), (1, 1));
    let mut lists = rows(EASY, ",", |symbol| if symbol == '0' { String::new() } else { symbol.into() });
    // A comma may end a row, as in `[5,3,,,7,,,,,]`. Row 4 has one comma more.
    lists.iter_mut().for_each(|row| *row = format!("[{row},]"));
    lists[3] = lists[3].replace("[8,", "[8,,");
    check_refused(&format!("[{}]", lists.join(",\n")), "P14");
}

#[test]
fn letters_in_cell_names_such_as_a1_are_rows_or_columns() {
    let key = |letter: usize, number: usize| format!("\"{}{}\"", char::from(b'A' + letter as u8), number + 1);
    let entry = |at: usize, letters_are_columns: bool| {
        let (row, column) = (at / 9, at % 9);
        let key = if letters_are_columns { key(column, row) } else { key(row, column) };
        format!("{key}:{}", &EASY[at..=at])
    };
    let object = |cells: &[usize], letters_are_columns: bool| {
        format!("{{{}}}", cells.iter().map(|&at| entry(at, letters_are_columns)).collect::<Vec<_>>().join(","))
    };
    let all_cells: Vec<usize> = (0..81).collect();
    let clues: Vec<usize> = all_cells.iter().copied().filter(|&at| &EASY[at..=at] != "0").collect();
    for cells in [&all_cells, &clues] {
        for letters_are_columns in [false, true] {
            check_one(&object(cells, letters_are_columns), EASY);
            assert!(read(&object(cells, letters_are_columns))[0].remarks[0].contains("letters of the cells"));
        }
        // In another order than that of the cells, nothing shows which of the two the letters are.
        let in_reverse: Vec<usize> = cells.iter().rev().copied().collect();
        check_refused(&object(&in_reverse, false), "P17");
    }
}

#[test]
fn grids_smaller_than_the_puzzle_are_remarks() {
    for entry in [
        "\"counts\":[1,2,3,4,4,3,2,1,2,1,4,3,3,4,1,2]",
        "\"counts\":[1,1,1,1,4,3,2,1,2,1,4,3,3,4,1,2]",
        "\"tel\":\"1234432121433412\"",
        "\"m\":[[1,2,0,0],[3,4,0,0],[0,0,1,2],[0,0,3,4]]",
    ] {
        let text = format!("{{\"puzzle\":\"{EASY}\",{entry}}}");
        check_one(&text, EASY);
        assert!(read(&text)[0].remarks.iter().any(|remark| remark.contains("smaller than the puzzle")), "{entry}");
    }
    assert_eq!(read(&format!("[\"{EASY}\",\"1...............\"]")).len(), 2);
}

#[test]
fn a_footnote_in_brackets_is_no_candidate() {
    check_refused(&LISTS.replacen("189", "89[1]", 1), "footnote");
    check_refused(&LISTS.replacen(" 3    189", " 3[2] 189", 1), "footnote");
    assert!(read(&LISTS.replacen("189", "1[8]9", 1))[0].candidates.is_some());
}

#[test]
fn zero_bytes_and_end_marks_after_a_text_are_dropped() {
    for end in ["\0", "\n\0\0\0", "\n\u{1a}", "\r\n\u{1a}\0"] {
        let bytes = format!("{EASY}{end}").into_bytes();
        check_one(&text_of(&bytes).expect("a text"), EASY);
        check_one(&format!("{EASY}{end}"), EASY);
    }
    assert!(text_of(format!("{}\0{}", &EASY[..40], &EASY[41..]).as_bytes()).is_err());
}

#[test]
fn an_empty_first_or_last_row_of_blanks_is_read() {
    let with_empty_last_row = format!("{}{}", &SPARSE[9..], &SPARSE[..9]);
    for puzzle in [SPARSE, &with_empty_last_row] {
        for (between, rule) in [("", ""), (" ", ""), ("", "---------")] {
            let mut lines = rows(puzzle, between, |symbol| if symbol == '.' { " ".into() } else { symbol.into() });
            if !rule.is_empty() {
                lines.insert(6, rule.into());
                lines.insert(3, rule.into());
            }
            check_one(&(lines.join("\n") + "\n"), puzzle);
            check_one(&format!("A puzzle:\n{}\n\nThanks!\n", lines.join("\n")), puzzle);
            // Without its blanks, the empty row may be the first or the last.
            let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            check_refused(&trimmed.join("\n"), "P");
        }
    }
}

#[test]
fn short_lines_around_a_grid_are_skipped() {
    for line in ["Hi,", "12.", "1/2", "2024-01-02", "No. 12", "$4.99", "(c) 2024", "***", "A B C", "9x9", "SE 7.2"] {
        let grid = dotted_grid(EASY);
        for text in [
            format!("{line}\n\n{grid}"),
            format!("{line}\n{grid}"),
            format!("{grid}\n{line}\n"),
            format!("{grid}{line}\n"),
        ] {
            check_one(&text, EASY);
        }
    }
    check_one(&format!("$ curl -s https://example.org/p?size=9\n{}", dotted_grid(EASY)), EASY);
    check_one(&format!("- id: 1\n  grid: {EASY}\n  level: 3\n"), EASY);
    check_one(&format!("id=7\ngrid={EASY}\nrating=4.5\n"), EASY);
    let initializer = rows(EASY, ", ", String::from).join("},\n{");
    check_one(&format!("int main() {{\nint g[9][9] = {{\n{{{initializer}}}\n}};\n}}\n"), EASY);
}

#[test]
fn a_boxed_grid_in_utf_16_is_read() {
    let rows = rows(EASY, "\u{2502}", |symbol| if symbol == '0' { " ".into() } else { symbol.into() });
    let framed: Vec<String> = rows.iter().map(|row| format!("\u{2502}{row}\u{2502}")).collect();
    let rule = "\u{2500}".repeat(17);
    let text = format!("\u{250c}{rule}\u{2510}\n{}\n\u{2514}{rule}\u{2518}\n", framed.join("\n"));
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        check_one(&text_of(&bytes).expect("a text in UTF-16"), EASY);
    }
}

#[test]
fn an_error_names_the_sizes_that_are_read() {
    for size in [13, 14, 15, 18, 20] {
        let lines = vec![vec!["0"; size].join(" "); size].join("\n").replacen('0', "5", 1);
        check_refused(&lines, "puzzles of 4, 6, 8, 9, 10, 12, 16 and 25 rows are read");
    }
    check_refused(&vec!["....5....   ....4...."; 21].join("\n"), "samurai");
}

#[test]
fn links_within_other_text_are_read() {
    let link = format!("https://sudokuexchange.com/play/?s={EASY}");
    for text in [
        format!("Try this: {link}"),
        format!("[puzzle]({link})"),
        format!("<{link}>"),
        format!("<a href=\"{link}\">puzzle</a>"),
        format!("[url={link}]puzzle[/url]"),
    ] {
        check_one(&format!("{text}\n"), EASY);
    }
}
