//! Layouts of lines and tables that the reader once took for other puzzles: each is read whole or refused.

use super::misread::{REGIONS, SPARSE, check_one, check_refused, dotted_grid, read};
use super::{EASY, EASY_SOLVED};
use pinion::grid::Digit;
use pinion::grid::draw::givens_line;
use pinion::grid::formats::{Puzzle, Stream, read_many};

#[test]
fn grids_without_blank_lines_between_them_are_read_one_by_one() {
    let pair = dotted_grid(EASY) + &dotted_grid(SPARSE);
    let puzzles: Vec<String> = read(&pair.repeat(35)).iter().map(givens_line).collect();
    assert_eq!(puzzles.len(), 70);
    for (index, cells) in puzzles.iter().enumerate() {
        let puzzle = if index % 2 == 0 { EASY } else { SPARSE };
        assert_eq!(*cells, puzzle.replace('0', "."), "grid {index}");
    }
}

/// 28 grids and 4 rows more are 256 rows: as many as a 16×16 board has cells.
#[test]
fn rows_of_cells_are_no_candidate_lists_of_a_larger_board() {
    for puzzle in [EASY, EASY_SOLVED] {
        let grid = dotted_grid(puzzle);
        let four_rows: String = grid.lines().take(4).map(|row| format!("{row}\n")).collect();
        check_refused(&(grid.repeat(28) + &four_rows), "P08");
    }
}

/// A table in HTML: for each cell of [`EASY`], `cell_html` gets the clue (`.` if there is none) and the digit of the solution.
fn html_table(cell_html: impl Fn(char, char) -> String) -> String {
    let symbols: Vec<(char, char)> = EASY.replace('0', ".").chars().zip(EASY_SOLVED.chars()).collect();
    let row = |row: &[(char, char)]| {
        let cells: Vec<String> =
            row.iter().map(|(clue, digit)| format!("<td>{}</td>", cell_html(*clue, *digit))).collect();
        format!("<tr>{}</tr>\n", cells.concat())
    };
    format!("<table>\n{}</table>\n", symbols.chunks(9).map(row).collect::<String>())
}

#[test]
fn only_the_value_of_an_input_is_its_digit() {
    for attributes in [
        "data-value='#' value='%'",
        "default-value=\"#\" VALUE=\"%\"",
        "defaultvalue=# value=%",
        "value='%' x-value='#'",
    ] {
        check_one(
            &html_table(|clue, digit| {
                let clue = if clue == '.' { "" } else { &clue.to_string() };
                format!("<input {}>", attributes.replace('#', &digit.to_string()).replace('%', clue))
            }),
            EASY,
        );
    }
}

#[test]
fn hidden_html_is_no_clue() {
    for hidden in [
        "<span hidden>#</span>",
        "<span class=a style=\"color:red; display: none\"><span>#</span>#</span>",
        "<b STYLE='visibility:hidden'>#</b>",
        "<input type=\"hidden\" value=\"#\">",
        "<!-- # -->",
        "<!-- <td>#</td> -->",
        "<del>#</del>",
        "<select><option></option><option>#</option></select>",
    ] {
        check_one(
            &html_table(|clue, digit| if clue == '.' { hidden.replace('#', &digit.to_string()) } else { clue.into() }),
            EASY,
        );
    }
    let options: String = ('1'..='9').map(|digit| format!("<option>{digit}")).collect();
    let select = |clue: char, _| {
        let selected = options.replace(&format!("<option>{clue}"), &format!("<option selected>{clue}"));
        format!("<select><option>{selected}</select>")
    };
    check_one(&html_table(select), EASY);
}

#[test]
fn puzzles_in_a_comment_of_xml_are_not_read() {
    let game = |puzzle: &str| format!("<game data=\"{}\" />", puzzle.replace('.', "0"));
    for text in [
        format!("<opensudoku>\n<!-- {} -->\n{}\n</opensudoku>\n", game(SPARSE), game(EASY)),
        format!("<opensudoku>\n<!--\n{}\n-->\n{}\n</opensudoku>\n", game(SPARSE), game(EASY)),
        format!("<opensudoku>{}<!-- {} --></opensudoku>\n", game(EASY), game(SPARSE)),
    ] {
        check_one(&text, EASY);
    }
}

/// Classifying each line again from each line above took minutes for these texts.
#[test]
fn long_texts_are_read_in_linear_time() {
    let words = "the lazy dog jumps 12 times\n".repeat(10_000);
    let found: Vec<Puzzle> = read_many(&format!("{words}{EASY}\n"), None).into_iter().flatten().collect();
    assert_eq!((found.len(), found[0].line), (1, 10_001));
    let borders = "-----\n".repeat(10_000);
    let found = read_many(&format!("{EASY}\n1122\n{borders}"), None);
    assert!(found.len() == 2 && found[0].is_ok(), "{found:?}");
    let labels = ":".repeat(200_000) + &"box:1..4..1..1..4..1,".repeat(20_000);
    assert_eq!(read_many(&format!("{EASY} {labels}\n"), None).len(), 1);
    let open_comments = "<!--\n".repeat(100_000);
    assert!(read_many(&format!("{open_comments}{EASY}\n"), None)[0].is_ok());
    let walls = ("|1".repeat(340) + "\n" + &"+-".repeat(340) + "\n").repeat(340);
    assert!(read_many(&walls, None).iter().all(Result::is_err));
}

#[test]
fn a_puzzle_below_many_words_is_answered_at_once() {
    let mut stream = Stream::new(None);
    for _ in 0..200 {
        assert!(stream.read_line("the lazy dog").is_empty());
    }
    assert_eq!(stream.read_line(EASY).len(), 1);
}

#[test]
fn regions_in_a_note_are_read_with_any_label_and_in_any_field() {
    for rest in [
        " regions=#",
        " Jigsaw=#",
        " jigsaw: #",
        " jigsaw = #",
        " Regions: #",
        " layout:#",
        ",easy,#",
        ",%,#",
        ";7;#",
        " 7 easy #",
    ] {
        let text = format!("{EASY}{}\n", rest.replace('#', REGIONS).replace('%', EASY_SOLVED));
        let found = read(&text);
        assert_eq!((found.len(), found[0].geometry.spec().name.as_str()), (1, "9x9 jigsaw"), "{text}");
        assert_eq!(givens_line(&found[0]), EASY.replace('0', "."), "{text}");
    }
    check_refused(&format!("{EASY} regions={}2\n", &REGIONS[1..]), "P");
    check_one(&format!("{EASY} region: north\n"), EASY);
    check_one(&format!("{EASY},{EASY_SOLVED},layout: 3\n"), EASY);
}

#[test]
fn boxes_one_after_another_are_no_rows() {
    for (puzzle, size, width, height) in [(EASY, 9, 3, 3), ("1..4..1..1..4..1", 4, 2, 2)] {
        let cells: Vec<String> = puzzle.replace('0', ".").chars().map(String::from).collect();
        for between in ["\n", "---------\n", ""] {
            let mut text = String::new();
            for first in
                (0..size).step_by(height).flat_map(|row| (0..size).step_by(width).map(move |at| row * size + at))
            {
                for row in 0..height {
                    let start = first + row * size;
                    text += &format!("{}\n", cells[start..start + width].join(" "));
                }
                text += between;
            }
            check_refused(&text, "P17");
        }
    }
}

#[test]
fn candidates_drawn_by_position_are_no_small_puzzles() {
    for (size, width) in [(4, 2), (9, 3), (16, 4)] {
        for blank in [' ', '.', '-'] {
            let mut lines = Vec::new();
            for row in 0..size {
                for band in 0..size / width {
                    let field = |column: usize| -> String {
                        let digits = (band * width..(band + 1) * width).map(|digit| {
                            let is_listed = (row * 7 + column * 3 + digit).is_multiple_of(4);
                            if is_listed { Digit(digit as u8).symbol() } else { blank }
                        });
                        digits.collect()
                    };
                    lines.push(format!("|{}|", (0..size).map(field).collect::<Vec<_>>().join("|")));
                }
            }
            let found = read_many(&(lines.join("\n") + "\n"), None);
            assert!(found.iter().all(Result::is_err), "{}\n{found:?}", lines.join("\n"));
        }
    }
}

#[test]
fn candidate_lists_by_position_between_bars_are_one_grid() {
    let list = |cell: usize, blank: char| -> String {
        let solved = EASY_SOLVED.as_bytes()[cell];
        ('1'..='9').map(|digit| if digit as u8 == solved { digit } else { blank }).collect()
    };
    for blank in ['-', '_', '.'] {
        let row = |row: usize| {
            let lists: Vec<String> = (0..9).map(|column| list(row * 9 + column, blank)).collect();
            format!("|{}|\n", lists.join("|"))
        };
        check_one(&(0..9).map(row).collect::<String>(), EASY_SOLVED);
    }
}

#[test]
fn slashes_between_the_cells_of_a_row_make_no_puzzle_of_the_row() {
    let mut puzzle = vec!['?'; 256];
    (puzzle[3], puzzle[10], puzzle[64]) = ('1', '3', '9');
    let lines: Vec<String> =
        puzzle.chunks(16).map(|row| row.iter().map(char::to_string).collect::<Vec<_>>().join("/")).collect();
    check_one(&(lines.join("\n") + "\n"), &puzzle.iter().collect::<String>().replace('?', "."));
}

#[test]
fn a_range_of_candidates_is_refused() {
    let rows = ["2-3 2-4 1 24", "1 24 24 3", "4 2-3 2-3 1-2", "2-3 1 2-4 24"];
    check_refused(&(rows.join("\n") + "\n"), "P17");
    let with_dashes = rows.join("\n").replace("2-4 1 24", "1-2-4 1 24");
    assert!(read_many(&with_dashes, None)[0].is_ok(), "dashes separate candidates");
}

/// The letters of the first row are no words.
#[test]
fn rows_of_letters_with_x_for_empty_cells_are_rows() {
    let rows = ["xxxxxxxxxxxxAxxx", "xxxxx4xxxxxx2xxx", "xx6xxxxFxxxxx49x"];
    let puzzle = rows.concat() + &"x".repeat(208);
    let text = puzzle.as_bytes().chunks(16).map(|row| String::from_utf8_lossy(row) + "\n").collect::<String>();
    check_one(&text, &puzzle.replace('x', "."));
}

#[test]
fn a_table_without_shown_rows_is_no_grid() {
    let tables =
        ["<table></table>", "<table hidden><tr><td>1</td></tr></table>", "<table><tr hidden><td>1</td></tr></table>"];
    for table in tables {
        let found = read_many(&format!("{table}\n\n{EASY}\n"), None);
        let read: Vec<String> = found.iter().flatten().map(givens_line).collect();
        assert_eq!(read, [EASY.replace('0', ".")], "{table}");
    }
}

#[test]
fn hidden_elements_without_an_end_hide_nothing_else() {
    for element in
        ["<col hidden>", "<link hidden>", "<source style='visibility:hidden'>", "<svg style='display:none'/>"]
    {
        check_one(&html_table(|clue, _| format!("{element}{clue}")), EASY);
    }
    let nested = "<svg hidden><svg/><path/></svg>";
    check_one(&html_table(|clue, _| format!("{nested}{clue}")), EASY);
}

#[test]
fn dashes_in_the_pictures_of_pinion_mark_eliminated_candidates() {
    let border = "+-------------+-----------+\n";
    let top = "| 1    2-4  | 3  24 |\n| 3    24   | 1  24 |\n";
    let bottom = "| 24   1    | 24 3  |\n| 24   3    | 24 1  |\n";
    let picture = format!("{border}{top}{border}{bottom}{border}");
    check_refused(&picture, "P17");
    let with_legend = format!("{picture}[ ] pattern  - eliminated\n");
    let found = read_many(&with_legend, None);
    assert!(found.len() == 1 && found[0].is_ok(), "{found:?}");
    let rows = [
        "| 58  59  3    | 7      69  68 | 4  2  1    |",
        "| 12  7   [89] | 234-8  14  23 | 5  6  [89] |",
        "| 12  4   6    | 2-8    19  5  | 3  7  89   |",
        "| 4   6   1    | 38     7   38 | 9  5  2    |",
        "| 58  59  89   | 6      2   4  | 7  1  3    |",
        "| 3   2   7    | 9      5   1  | 6  8  4    |",
        "| 6   3   4    | 1      8   7  | 2  9  5    |",
        "| 9   1   5    | 24     46  26 | 8  3  7    |",
        "| 7   8   2    | 5      3   9  | 1  4  6    |",
    ];
    let with_longer_list = rows.join("\n") + "\n";
    let found = read_many(&with_longer_list, None);
    assert!(found.len() == 1 && found[0].is_ok(), "{found:?}");
}

#[test]
fn rows_joined_by_bars_are_a_puzzle_although_each_digit_is_at_its_place() {
    for text in ["1.....|.2....|......|...4..|....5.|......", "1...../.2..../....../...4../....5./......"] {
        check_one(text, &text.replace(['|', '/'], ""));
    }
}

#[test]
fn comments_in_code_rearrange_nothing() {
    let cells = "1000000000020300";
    for comment in ["# flip(x)", "# don't use order='F'", "// transpose", "/* not transposed */", "% no rot90"] {
        let code = format!("board = [\n [1,0,0,0], {comment}\n [0,0,0,0],\n [0,0,0,2],\n [0,3,0,0]] {comment}\n");
        check_one(&code, cells);
    }
    let on_one_line = "board = np.flip(np.array([[1,0,0,0],[0,0,0,0],[0,0,0,2],[0,3,0,0]])) # rows\n";
    check_refused(on_one_line, "P17");
}
