//! Texts that were read as other puzzles: each is read whole now, or refused.

use super::{EASY, EASY_SOLVED};
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{Puzzle, read_many};

/// No digit in the first row, and few in the others.
const SPARSE: &str = "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

/// Seventeen clues; the last column has two.
const SEVENTEEN: &str = ".......1.4.........2...........5.4.7..8...3....1.9....3..4..2...5.1........8.6...";

/// Four digits in the last row.
const OTHER: &str = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";

fn read(text: &str) -> Vec<Puzzle> {
    read_many(text, None).into_iter().map(|read| read.unwrap_or_else(|error| panic!("{error}\n{text}"))).collect()
}

/// Checks that a text is one puzzle and nothing else.
fn check(text: &str, cells: &str) {
    let found: Vec<String> = read(text).iter().map(givens_line).collect();
    assert_eq!(found, [cells.replace('0', ".")], "{text}");
}

/// Checks that nothing of a text is read, and that some error has these words.
fn refused(text: &str, words: &str) {
    let found = read_many(text, None);
    let errors: Vec<String> = found.iter().filter_map(|read| read.as_ref().err()).map(ToString::to_string).collect();
    assert!(found.len() == errors.len(), "{text}\n{found:?}");
    assert!(errors.iter().any(|error| error.contains(words)), "{text}\n{errors:?}");
}

/// Rows of a puzzle, each cell as `cell` writes it.
fn rows(puzzle: &str, between: &str, cell: impl Fn(char) -> String) -> Vec<String> {
    let cells: Vec<char> = puzzle.chars().collect();
    let row = |row: &[char]| row.iter().map(|&sign| cell(sign)).collect::<Vec<_>>().join(between);
    cells.chunks(cells.len().isqrt()).map(row).collect()
}

fn number(sign: char) -> u32 {
    sign.to_digit(36).unwrap_or_default()
}

fn glued(puzzle: &str) -> String {
    rows(puzzle, "", |sign| if sign == '0' { ".".into() } else { sign.into() }).join("\n") + "\n"
}

fn aligned(puzzle: &str) -> Vec<String> {
    rows(puzzle, "", |sign| if matches!(sign, '.' | '0') { " ".into() } else { sign.into() })
}

#[test]
fn decimal_numbers() {
    let twelve = "..4.C..3..7.1..2.....5...8".to_string() + &".".repeat(118);
    for between in [" ", ",", ", ", ";", "\t", "  ", "|"] {
        for places in [".0", ".00", ".000e+00"] {
            for puzzle in [EASY, &twelve] {
                let lines = rows(puzzle, between, |sign| format!("{}{places}", number(sign)));
                check(&(lines.join("\n") + "\n"), puzzle);
                refused(&format!("{}\n", lines[0]), "P0");
            }
        }
    }
    // A table that can't be read is no row of small puzzles.
    let lines = rows(EASY, " ", |sign| format!("{}.50", number(sign)));
    assert!(read_many(&lines.join("\n"), None).iter().all(Result::is_err));
}

#[test]
fn rests_of_a_line() {
    let wide = "000000001000000000000000000000000002000000000000000000000000000000000000000000000";
    for at in [16, 36, 64] {
        refused(&format!("{}\n{}\n", &wide[..at], &wide[at..]), "P03");
        refused(&format!("{} {}\n", &wide[..at], &wide[at..]), "P03");
    }
    refused("0000000010000000 0000000000000200\n", "a second puzzle begins here");
    refused(&format!("{EASY} {SPARSE}\n"), "a second puzzle begins here");
    refused(&format!("{EASY},{SPARSE}\n"), "a second puzzle begins here");
    check(&format!("{EASY},{EASY_SOLVED},30,4.5\n"), EASY);
    let found = read(&format!("{EASY_SOLVED},{EASY}\n"));
    assert_eq!((found.len(), found[0].remarks.len()), (1, 1));
    let link = "https://sudokuexchange.com/play/?s=";
    refused(&format!("{link}{EASY} {link}{SPARSE}\n"), "a second link begins here");
    check("1234 4321 2143 3412\n", "1234432121433412");
}

#[test]
fn blanks_do_not_become_columns() {
    for puzzle in [SEVENTEEN, SPARSE, EASY, OTHER] {
        for trimmed in [false, true] {
            let mut lines = aligned(puzzle);
            if trimmed {
                lines.iter_mut().for_each(|line| *line = line.trim_end().to_string());
            }
            let text = |lines: &[String]| lines.join("\n") + "\n";
            let mut variants = vec![text(&lines), format!("9\n{}", text(&lines)), format!("9\n\n{}", text(&lines))];
            for at in 1..9 {
                if puzzle == SPARSE && at % 3 != 0 {
                    continue;
                }
                let mut parted = lines.clone();
                parted.insert(at, String::new());
                variants.push(text(&parted));
            }
            for text in variants {
                let found: Vec<String> = read_many(&text, None).iter().flatten().map(givens_line).collect();
                assert!(found.is_empty() || found == [puzzle.replace('0', ".")], "{text}\n{found:?}");
            }
        }
    }
    check(&format!("9\n{}\n", aligned(SEVENTEEN).join("\n")), SEVENTEEN);
}

#[test]
fn rows_of_dashes() {
    let puzzle = ".......2..13..3.2.4..1..2.6.......6.";
    for between in ["\t", ",", " ", "|", ""] {
        let lines = rows(puzzle, between, |sign| if sign == '.' { "-".into() } else { sign.into() }).join("\n");
        check(&format!("{lines}\n"), puzzle);
        if !between.is_empty() {
            let labels = rows("123456".repeat(6).as_str(), between, String::from).remove(0);
            check(&format!("{lines}\n{labels}\n"), puzzle);
        }
    }
}

#[test]
fn labelled_rows_are_no_words() {
    let puzzle = ".....2..13........3.2.4..1..2.6....1".to_string();
    for between in [",", " ", ";", ""] {
        let lines = rows(&puzzle, between, |sign| if sign == '.' { "0".into() } else { sign.into() });
        let gap = if between.is_empty() { " " } else { between };
        let head = format!("0{gap}{}{gap}0", (1..=6).map(|at| format!("c{at}")).collect::<Vec<_>>().join(gap));
        let labelled =
            lines.iter().zip(1..).map(|(line, at)| format!("r{at}{gap}{line}{gap}r{at}\n")).collect::<String>();
        let text = format!("{head}\n{labelled}{head}\n");
        let found: Vec<String> = read_many(&text, None).iter().flatten().map(givens_line).collect();
        assert!(found.is_empty() || found == [puzzle.clone()], "{text}\n{found:?}");
    }
}

/// Regions that differ from the boxes in four cells, one sign for each cell.
const REGIONS: &str = "112122333111222333111222333444555666444555666444555666777888999777888999777889899";

#[test]
fn maps_of_regions_above() {
    let letters: String = REGIONS.chars().map(|sign| char::from(b'A' - 1 + number(sign) as u8)).collect();
    for map in [REGIONS, &letters] {
        let lines = glued(map);
        for text in [
            format!("{lines}\n{}", glued(EASY)),
            format!("Regions:\n{lines}\nGrid:\n{}", glued(EASY)),
            format!("{map}\n{EASY}\n"),
            format!("{map}\n\n{}", glued(EASY)),
            format!("{EASY}\n\n{lines}"),
        ] {
            let found = read(&text);
            assert_eq!((found.len(), found[0].geometry.spec().name.as_str()), (1, "9x9 jigsaw"), "{text}");
        }
        let damaged: Vec<&str> = lines.lines().take(8).collect();
        for damaged in [damaged.join("\n"), lines.replacen(['3', 'C'], if map == REGIONS { "2" } else { "B" }, 1)] {
            refused(&format!("{damaged}\n\n{}", glued(EASY)), "map of regions");
            refused(&format!("{}\n{damaged}\n", glued(EASY)), "map of regions");
        }
    }
}

/// Bars at the borders of regions leave groups of one symbol.
#[test]
fn bars_may_part_the_regions_of_a_map() {
    let map = ["1|222|33", "1|222|33", "1|444|33", "1|444|55", "1|666|55", "1|666|55"];
    let puzzle = ["1.....", ".2....", "..3...", "...4..", "....5.", ".....6"];
    let found = read(&format!("{}\n\n{}\n", puzzle.join("\n"), map.join("\n")));
    let geometry = &found[0].geometry;
    let region = |row, column| geometry.region(geometry.cell(row, column));
    assert!(found.len() == 1 && region(0, 0) == region(5, 0) && region(0, 1) != region(0, 0), "{found:?}");
}

/// On small boards, lists of candidates with bars between them repeat symbols as a map of regions does.
#[test]
fn candidate_lists_between_bars_are_no_map() {
    let rows = ["23 4 | 3 1", "13 3 | 4 2", "3 23 | 1 4", "4 1 | 2 3"];
    let boxed: Vec<String> = rows.iter().map(|row| format!("| {row} |")).collect();
    let by_cell: Vec<String> = rows.iter().map(|row| row.replace(" | ", " ").replace(' ', "|")).collect();
    for text in [rows.join("\n"), boxed.join("\n"), by_cell.join("\n")] {
        let found = read(&text);
        let lists = found[0].candidates.as_ref().expect("lists of candidates");
        let lengths: Vec<usize> = lists.iter().map(|list| list.len()).collect();
        assert_eq!((found.len(), lengths), (1, vec![2, 1, 1, 1, 2, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1]), "{text}");
    }
}

#[test]
fn zero_may_be_a_digit() {
    let cells = "42..6....5..084....87....5.7...5...23..7.2..06...1...5.5....17....308..4....7..68";
    let field = |sign: char| if sign == '.' { String::new() } else { sign.into() };
    for text in [
        cells.to_string(),
        rows(cells, "", String::from).join("\n"),
        rows(cells, " ", String::from).join("\n"),
        rows(cells, ",", field).join("\n"),
    ] {
        refused(&text, "P17");
    }
}

#[test]
fn deletions_in_other_forms() {
    for after in [":011 413", ":413522", ":4130", ":r1c3<>4", ":511", ":413,999", " :413 52"] {
        refused(&format!("{EASY}{after}\n"), "P10");
    }
    for after in [" :413 522", ":[413 522]", ":413/522", ":(413,522)"] {
        let puzzle = read(&format!("{EASY}{after}\n")).remove(0);
        let four = pinion::grid::Digit(3);
        assert!(!puzzle.state().candidates(pinion::grid::Cell(2)).has(four), "{after}");
    }
    refused(&format!(":0000:x:{EASY}:511::\n"), "P10");
}

#[test]
fn states_that_do_not_fit() {
    let grid = glued(EASY);
    let lines: Vec<&str> = grid.lines().collect();
    let state = |first: &str| format!("[Puzzle]\n{grid}[State]\n{first}\n{}\n", lines[1..].join("\n"));
    refused(&state("134.7...."), "r1c1 is 5 in the puzzle above");
    refused(&state("534.7..."), "`[State]`");
    let found = read(&format!("[Puzzle]\n{grid}[State]\n534.7....\n"));
    assert_eq!(found[0].remarks, ["line 11: `[State]` and the lines below it are no part of a puzzle"]);
    let puzzle = read(&state("534.7....")).remove(0);
    assert_eq!(puzzle.placed.iter().flatten().count(), 1);
}

#[test]
fn regions_and_constraints_of_documents() {
    let cells_of = |region: usize, name: &dyn Fn(usize) -> String| -> String {
        let cells = (0..81).filter(|&at| number(REGIONS.as_bytes()[at] as char) as usize == region + 1);
        format!("[{}]", cells.map(name).collect::<Vec<_>>().join(","))
    };
    let pair = |at: usize| format!("[{},{}]", at / 9, at % 9);
    let named = |at: usize| format!("\"R{}C{}\"", at / 9 + 1, at % 9 + 1);
    let numbered = |at: usize| at.to_string();
    for name in [&pair as &dyn Fn(usize) -> String, &named, &numbered] {
        let regions = (0..9).map(|region| cells_of(region, name)).collect::<Vec<_>>().join(",");
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
        refused(&format!("{{\"puzzle\":\"{EASY}\",{constraint}}}"), "P15");
    }
    check(&format!("{{\"puzzle\":\"{EASY}\",\"variant\":\"classic\",\"isX\":false}}"), EASY);
}

#[test]
fn candidates_of_cells_in_documents() {
    let grid = |empty: &str| {
        let cell = |sign: char| match sign {
            '0' => format!("{{\"value\":null,{empty}}}"),
            sign => format!("{{\"value\":{sign},\"given\":true}}"),
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
        let puzzle = read(&grid(list)).remove(0);
        let lists = puzzle.candidates.as_ref().unwrap_or_else(|| panic!("{list}"));
        assert_eq!(lists[2].iter().map(|digit| digit.symbol()).collect::<String>(), "124", "{list}");
    }
    refused(&grid("\"candidates\":152"), "`candidates` of a cell");
    refused(&grid("\"scribbles\":[1,2]"), "nothing says what `scribbles` of a cell lists");
}

#[test]
fn keys_and_commas_of_documents() {
    refused(&format!("{{\"puzzle\":\"{EASY}\",\"puzzle\":\"{SPARSE}\"}}"), "stands twice");
    let user: String = EASY.chars().enumerate().map(|(at, _)| if at == 2 { '4' } else { '0' }).collect();
    let found = read(&format!("{{\"givens\":\"{EASY}\",\"user\":\"{user}\"}}"));
    assert_eq!((found.len(), found[0].placed.iter().flatten().count()), (1, 1));
    let mut lists = rows(EASY, ",", |sign| if sign == '0' { String::new() } else { sign.into() });
    lists.iter_mut().for_each(|row| *row = format!("[{row},]"));
    lists[3] = lists[3].replace("[8,", "[8,,");
    refused(&format!("[{}]", lists.join(",\n")), "P14");
}

#[test]
fn letters_of_cells_are_rows_or_columns() {
    let key = |letter: usize, number: usize| format!("\"{}{}\"", char::from(b'A' + letter as u8), number + 1);
    let entry = |at: usize, turned: bool| {
        let (row, column) = (at / 9, at % 9);
        let key = if turned { key(column, row) } else { key(row, column) };
        format!("{key}:{}", &EASY[at..=at])
    };
    let object = |cells: &[usize], turned: bool| {
        format!("{{{}}}", cells.iter().map(|&at| entry(at, turned)).collect::<Vec<_>>().join(","))
    };
    let all: Vec<usize> = (0..81).collect();
    let clues: Vec<usize> = all.iter().copied().filter(|&at| &EASY[at..=at] != "0").collect();
    for cells in [&all, &clues] {
        for turned in [false, true] {
            check(&object(cells, turned), EASY);
            assert!(read(&object(cells, turned))[0].remarks[0].contains("letters of the cells"));
        }
        let mixed: Vec<usize> = cells.iter().rev().copied().collect();
        refused(&object(&mixed, false), "P17");
    }
}

#[test]
fn small_grids_beside_a_puzzle() {
    for beside in [
        "\"counts\":[1,2,3,4,4,3,2,1,2,1,4,3,3,4,1,2]",
        "\"counts\":[1,1,1,1,4,3,2,1,2,1,4,3,3,4,1,2]",
        "\"tel\":\"1234432121433412\"",
        "\"m\":[[1,2,0,0],[3,4,0,0],[0,0,1,2],[0,0,3,4]]",
    ] {
        let text = format!("{{\"puzzle\":\"{EASY}\",{beside}}}");
        check(&text, EASY);
        assert!(read(&text)[0].remarks.iter().any(|remark| remark.contains("smaller than the puzzle")), "{beside}");
    }
    assert_eq!(read(&format!("[\"{EASY}\",\"1...............\"]")).len(), 2);
}

#[test]
fn footnotes_are_no_candidates() {
    let lists = super::LISTS;
    refused(&lists.replacen("189", "89[1]", 1), "footnote");
    refused(&lists.replacen(" 3    189", " 3[2] 189", 1), "footnote");
    assert!(read(&lists.replacen("189", "1[8]9", 1))[0].candidates.is_some());
}

#[test]
fn padding_at_the_end() {
    for end in ["\0", "\n\0\0\0", "\n\u{1a}", "\r\n\u{1a}\0"] {
        let bytes = format!("{EASY}{end}").into_bytes();
        check(&pinion::grid::formats::text_of(&bytes).expect("a text"), EASY);
        check(&format!("{EASY}{end}"), EASY);
    }
    assert!(pinion::grid::formats::text_of(format!("{}\0{}", &EASY[..40], &EASY[41..]).as_bytes()).is_err());
}

#[test]
fn empty_rows_at_the_edges() {
    let last = format!("{}{}", &SPARSE[9..], &SPARSE[..9]);
    for puzzle in [SPARSE, &last] {
        for (between, rule) in [("", ""), (" ", ""), ("", "---------")] {
            let mut lines = rows(puzzle, between, |sign| if sign == '.' { " ".into() } else { sign.into() });
            if !rule.is_empty() {
                lines.insert(6, rule.into());
                lines.insert(3, rule.into());
            }
            check(&(lines.join("\n") + "\n"), puzzle);
            check(&format!("A puzzle:\n{}\n\nThanks!\n", lines.join("\n")), puzzle);
            // Without its blanks, the empty row may as well be the other.
            let trimmed: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
            refused(&trimmed.join("\n"), "P");
        }
    }
}

#[test]
fn short_lines_around_a_grid() {
    for line in ["Hi,", "12.", "1/2", "2024-01-02", "No. 12", "$4.99", "(c) 2024", "***", "A B C", "9x9", "SE 7.2"] {
        let grid = glued(EASY);
        for text in [
            format!("{line}\n\n{grid}"),
            format!("{line}\n{grid}"),
            format!("{grid}\n{line}\n"),
            format!("{grid}{line}\n"),
        ] {
            check(&text, EASY);
        }
    }
    check(&format!("$ curl -s https://example.org/p?size=9\n{}", glued(EASY)), EASY);
    check(&format!("- id: 1\n  grid: {EASY}\n  level: 3\n"), EASY);
    check(&format!("id=7\ngrid={EASY}\nrating=4.5\n"), EASY);
    let rows = rows(EASY, ", ", String::from).join("},\n{");
    check(&format!("int main() {{\nint g[9][9] = {{\n{{{rows}}}\n}};\n}}\n"), EASY);
}

#[test]
fn boxes_in_utf_16() {
    let row = |row: &String| format!("\u{2502}{row}\u{2502}");
    let rows = rows(EASY, "\u{2502}", |sign| if sign == '0' { " ".into() } else { sign.into() });
    let text = format!(
        "\u{250c}{0}\u{2510}\n{1}\n\u{2514}{0}\u{2518}\n",
        "\u{2500}".repeat(17),
        rows.iter().map(row).collect::<Vec<_>>().join("\n")
    );
    for unit in [u16::to_le_bytes, u16::to_be_bytes] {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
        check(&pinion::grid::formats::text_of(&bytes).expect("a text in UTF-16"), EASY);
    }
}

#[test]
fn sizes_that_are_not_read() {
    for size in [13, 14, 15, 18, 20] {
        let lines = vec![vec!["0"; size].join(" "); size].join("\n").replacen('0', "5", 1);
        refused(&lines, "puzzles of 4, 6, 8, 9, 10, 12, 16 and 25 rows are read");
    }
    refused(&vec!["....5....   ....4...."; 21].join("\n"), "samurai");
}

#[test]
fn links_among_words() {
    let link = format!("https://sudokuexchange.com/play/?s={EASY}");
    for text in [
        format!("Try this: {link}"),
        format!("[puzzle]({link})"),
        format!("<{link}>"),
        format!("<a href=\"{link}\">puzzle</a>"),
        format!("[url={link}]puzzle[/url]"),
    ] {
        check(&format!("{text}\n"), EASY);
    }
}
