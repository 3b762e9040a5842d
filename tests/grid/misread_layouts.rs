//! Layouts of lines and tables that the reader once took for other puzzles: each is read whole or refused.

use super::misread::{SPARSE, check_one, check_refused, dotted_grid, read};
use super::{EASY, EASY_SOLVED};
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
    let found = read(&format!("{EASY}\n1122\n{borders}"));
    assert_eq!(found.len(), 1);
}

#[test]
fn a_puzzle_below_many_words_is_answered_at_once() {
    let mut stream = Stream::new(None);
    for _ in 0..200 {
        assert!(stream.read_line("the lazy dog").is_empty());
    }
    assert_eq!(stream.read_line(EASY).len(), 1);
}
