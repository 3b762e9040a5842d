//! Documents that the reader once took for other puzzles: cells with places, regions or flags, lists of boxes, and code.

use super::misread::{REGIONS, check_one, check_refused, read, rows};
use super::{EASY, EASY_SOLVED};
use pinion::grid::Digit;
use pinion::grid::formats::read_many;

/// A list of an object for each cell of `EASY`, in an order that is not that of the board.
fn shuffled_objects(object: impl Fn(usize) -> String) -> String {
    // 37 and 81 have no common divisor.
    let objects: Vec<String> = (0..81).map(|at| object(at * 37 % 81)).collect();
    format!("{{\"cells\":[{}]}}", objects.join(","))
}

fn ordered_objects(object: impl Fn(usize) -> String) -> String {
    let objects: Vec<String> = (0..81).map(object).collect();
    format!("{{\"cells\":[{}]}}", objects.join(","))
}

fn easy_digit(at: usize) -> &'static str {
    &EASY[at..=at]
}

#[test]
fn cell_objects_stand_where_their_keys_say() {
    let with_place = |place: &dyn Fn(usize, usize) -> String| {
        shuffled_objects(|at| format!("{{{},\"value\":{}}}", place(at / 9, at % 9), easy_digit(at)))
    };
    for place in [
        &(|row: usize, column: usize| format!("\"cell\":\"r{}c{}\"", row + 1, column + 1))
            as &dyn Fn(usize, usize) -> String,
        &|row, column| format!("\"id\":\"cell-{row}-{column}\""),
        &|row, column| format!("\"at\":\"{row},{column}\""),
        &|row, column| format!("\"pos\":{{\"row\":{row},\"col\":{column}}}"),
        &|row, column| format!("\"place\":{{\"row\":{row},\"col\":{column}}}"),
        &|row, column| format!("\"position\":[{row},{column}]"),
        &|row, column| format!("\"index\":{}", row * 9 + column),
        &|row, column| format!("\"key\":\"c{}\"", row * 9 + column),
        &|row, column| format!("\"cellId\":{}", row * 9 + column + 1),
        &|row, column| format!("\"number\":{},\"digit\":{}", row * 9 + column, easy_digit(row * 9 + column)),
        &|row, column| format!("\"Row\":{row},\"Column\":{column}"),
    ] {
        check_one(&with_place(place), EASY);
    }
    for place in [
        // Letters may be rows or columns.
        &(|row: usize, column: usize| format!("\"cell\":\"{}{}\"", char::from(b'A' + row as u8), column + 1))
            as &dyn Fn(usize, usize) -> String,
        &|row, column| format!("\"index\":{}", 200 + row * 9 + column),
        &|row, column| format!("\"a\":{},\"b\":{}", row * 9 + column, column * 9 + row),
        &|row, column| format!("\"box\":{},\"index\":{}", row / 3 * 3 + column / 3, row % 3 * 3 + column % 3),
        &|row, column| format!("\"boxRow\":{},\"boxCol\":{}", row / 3, column / 3),
        &|row, column| format!("\"key\":\"c{column}r{row}\""),
        &|row, _| format!("\"row\":{row}"),
    ] {
        let text = with_place(place);
        let found = read_many(&text, None);
        assert!(found.iter().all(Result::is_err), "{text}");
    }
    let box_order = ordered_objects(|at| format!("{{\"box\":{},\"index\":{},\"value\":0}}", at / 9, at % 9));
    check_refused(&box_order.replacen("\"value\":0", "\"value\":5", 1), "P17");
}

#[test]
fn keys_that_agree_with_the_order_of_cells_are_harmless() {
    for keys in [
        &(|at: usize| format!("\"id\":{}", at + 1000)) as &dyn Fn(usize) -> String,
        &|at| format!("\"row\":{},\"col\":{},\"box\":{}", at / 9, at % 9, at / 27 * 3 + at % 9 / 3),
        &|at| format!("\"boxIndex\":{}", at / 9 % 3 * 3 + at % 3),
        &|at| format!("\"selected\":{}", at == 3),
    ] {
        let text = ordered_objects(|at| format!("{{{},\"value\":{}}}", keys(at), easy_digit(at)));
        check_one(&text, EASY);
        assert!(read(&text)[0].remarks.is_empty(), "{text}");
    }
    let text = ordered_objects(|at| format!("{{\"weight\":{},\"value\":{}}}", at % 4, easy_digit(at)));
    assert_eq!(read(&text)[0].remarks, ["a key of the cells is not read: `weight`"]);
}

#[test]
fn numbers_that_are_no_places_keep_the_order_of_the_list() {
    let transposed = |at: usize| at % 9 * 9 + at / 9;
    let in_order =
        |keys: &dyn Fn(usize) -> String| ordered_objects(|at| format!("{{{},\"value\":{}}}", keys(at), easy_digit(at)));
    for key in ["step", "order", "solveOrder", "tabIndex", "rank"] {
        check_one(&in_order(&|at| format!("\"{key}\":{}", transposed(at) + 1)), EASY);
    }
    check_one(&in_order(&|at| format!("\"id\":{}", at / 9 * 10 + at % 9 + 11)), EASY);
    check_one(&in_order(&|at| format!("\"id\":{}", 2 * at + 1)), EASY);
    check_refused(&in_order(&|at| format!("\"id\":{}", 81 - at)), "P17");
}

#[test]
fn rows_of_objects_need_no_known_places() {
    for key in [
        &(|at: usize| format!("\"id\":{}", 81 - at)) as &dyn Fn(usize) -> String,
        &|at| format!("\"seed\":{}", at * 37 % 81 + 7),
        &|at| format!("\"id\":\"box{}-cell{}\"", at / 27 * 3 + at % 9 / 3, at / 9 % 3 * 3 + at % 3),
        &|at| format!("\"square\":\"{}{}\"", char::from(b'a' + (at % 9) as u8), 9 - at / 9),
    ] {
        let cell = |at: usize| format!("{{{},\"value\":{}}}", key(at), easy_digit(at));
        let row = |row: usize| format!("[{}]", (0..9).map(|at| cell(row * 9 + at)).collect::<Vec<_>>().join(","));
        check_one(&format!("{{\"board\":[{}]}}", (0..9).map(row).collect::<Vec<_>>().join(",")), EASY);
    }
}

#[test]
fn pairs_that_may_be_column_and_row_are_not_guessed() {
    let in_order =
        |keys: &dyn Fn(usize) -> String| ordered_objects(|at| format!("{{{},\"value\":{}}}", keys(at), easy_digit(at)));
    check_refused(&in_order(&|at| format!("\"pos\":[{},{}]", at % 9, at / 9)), "P17");
    check_refused(&in_order(&|at| format!("\"id\":\"cell-{}-{}\"", at % 9, at / 9)), "P17");
    check_one(&in_order(&|at| format!("\"index\":{at},\"key\":\"{}-{}\"", at % 9, at / 9)), EASY);
    let by_columns = |at: usize| {
        let (row, column) = (at % 9, at / 9);
        format!("{{\"cell\":\"r{}c{}\",\"value\":{}}}", row + 1, column + 1, easy_digit(row * 9 + column))
    };
    check_one(&ordered_objects(by_columns), EASY);
}

#[test]
fn lists_of_boxes_and_columns_are_not_rows() {
    let lists = |key: &str, cell: &dyn Fn(usize, usize) -> usize| {
        let list = |at| format!("[{}]", (0..9).map(|i| easy_digit(cell(at, i))).collect::<Vec<_>>().join(","));
        format!("{{\"{key}\":[{}]}}", (0..9).map(list).collect::<Vec<_>>().join(","))
    };
    let in_box = |number: usize, at: usize| (number / 3 * 3 + at / 3) * 9 + number % 3 * 3 + at % 3;
    check_one(&lists("boxes", &in_box), EASY);
    check_one(&lists("columns", &|column, row| row * 9 + column), EASY);
    check_one(&lists("squares", &|row, column| row * 9 + column), EASY);
    let one_clue = format!("[[0,0,0,5,0,0,0,0,0]{}]", ",[0,0,0,0,0,0,0,0,0]".repeat(8));
    check_refused(&format!("{{\"blocks\":{one_clue}}}"), "P17");
    assert_eq!(read(&format!("{{\"rows\":{one_clue}}}")).len(), 1);
}

#[test]
fn hidden_digits_of_documents_are_no_clues() {
    let solved = |at: usize| &EASY_SOLVED[at..=at];
    let is_clue = |at: usize| easy_digit(at) != "0";
    for flag in ["hidden", "isHidden", "empty", "blank"] {
        let text = ordered_objects(|at| format!("{{\"value\":{},\"{flag}\":{}}}", solved(at), !is_clue(at)));
        check_one(&text, EASY);
    }
    for flag in ["revealed", "visible", "shown"] {
        let text = ordered_objects(|at| format!("{{\"value\":{},\"{flag}\":{}}}", solved(at), is_clue(at)));
        check_one(&text, EASY);
    }
    check_refused(&ordered_objects(|at| format!("{{\"value\":{},\"pinned\":{}}}", solved(at), is_clue(at))), "P17");
    let flags: Vec<String> = (0..9)
        .map(|row| format!("[{}]", (0..9).map(|at| is_clue(row * 9 + at).to_string()).collect::<Vec<_>>().join(",")))
        .collect();
    let flags = flags.join(",");
    let text = format!("{{\"board\":\"{EASY_SOLVED}\",\"isGiven\":[{flags}]}}");
    check_one(&text, EASY);
    assert_eq!(read(&text)[0].placed.iter().flatten().count(), EASY.matches('0').count());
    check_one(&format!("{{\"board\":\"{EASY_SOLVED}\",\"shown\":[{flags}]}}"), EASY);
    check_refused(&format!("{{\"board\":\"{EASY_SOLVED}\",\"pinned\":[{flags}]}}"), "P17");
}

#[test]
fn regions_and_constraints_of_cell_objects_are_read_or_refused() {
    let with_key = |key: &str, value: &dyn Fn(usize) -> String| {
        ordered_objects(|at| format!("{{\"value\":{},\"{key}\":{}}}", easy_digit(at), value(at)))
    };
    let region = |at: usize| REGIONS[at..=at].to_string();
    assert_eq!(read(&with_key("region", &region))[0].geometry.spec().name, "9x9 jigsaw");
    check_one(&with_key("region", &|at| (at / 27 * 3 + at % 9 / 3).to_string()), EASY);
    check_refused(&with_key("region", &|at| (at / 9).to_string()), "P17");
    check_refused(&with_key("group", &|at| usize::from(at < 3).to_string()), "what `group` of a cell means");
    for key in ["cage", "cageId", "sum", "parity", "isDiagonal"] {
        check_refused(&with_key(key, &|at| (at % 5).to_string()), "P15");
    }
    check_refused(&format!("{{\"puzzle\":\"{EASY}\",\"gameType\":\"Killer\"}}"), "P15");
    let puzzle = read(&format!("{{\"grid\":\"{EASY}\",\"description\":\"With killer cages.\"}}")).remove(0);
    assert_eq!(puzzle.remarks, ["a constraint in words is not read: `description`"]);
}

#[test]
fn words_inside_other_words_of_keys_mean_nothing() {
    let with_key = |key: &str, value: &dyn Fn(usize) -> String| {
        ordered_objects(|at| format!("{{\"value\":{},\"{key}\":{}}}", easy_digit(at), value(at)))
    };
    for key in
        ["collapsed", "isRowStart", "lastInRow", "oddRow", "isNarrow", "checkbox", "boxBorder", "altBox", "growth"]
    {
        let text = with_key(key, &|at| (at % 9 == 0).to_string());
        check_one(&text, EASY);
        assert_eq!(read(&text)[0].remarks, [format!("a key of the cells is not read: `{key}`")]);
    }
    check_one(&with_key("group", &|at| format!("\"{}\"", if at % 7 == 0 { "given" } else { "free" })), EASY);
    for key in ["boxRow", "boxrow", "row_index"] {
        check_refused(&with_key(key, &|at| (at % 9).to_string()), "P17");
    }
    // The numbers of rows are no regions if the cells have places.
    for line in [|at: usize| at / 9, |at: usize| at % 9] {
        let cell = |at: usize| {
            let (row, column) = (at / 9, at % 9);
            let keys = format!("\"row\":{row},\"col\":{column},\"groupId\":{}", line(at));
            format!("{{{keys},\"value\":{}}}", easy_digit(at))
        };
        check_one(&shuffled_objects(cell), EASY);
    }
    let named = format!("{{\"name\":\"Foggy morning\",\"grid\":\"{EASY}\"}}");
    assert!(read(&named)[0].remarks.is_empty());
}

#[test]
fn filled_cells_are_clues_if_no_cell_is_marked_as_a_clue() {
    for (key, filled, empty) in [("status", "filled", "empty"), ("type", "input", "input")] {
        let cell = |at: usize| {
            let word = if easy_digit(at) == "0" { empty } else { filled };
            format!("{{\"value\":{},\"{key}\":\"{word}\"}}", easy_digit(at))
        };
        check_one(&ordered_objects(cell), EASY);
    }
    let cell = |at: usize| match at {
        20 => "{\"value\":8,\"type\":\"clue\"}",
        21 => "{\"value\":3,\"type\":\"input\"}",
        _ => "{\"value\":0}",
    };
    let puzzle = read(&ordered_objects(|at| cell(at).to_string())).remove(0);
    assert_eq!(puzzle.givens.iter().flatten().count(), 1);
    assert_eq!(puzzle.placed[21], Digit::from_symbol('3'));
}

#[test]
fn clues_and_placed_digits_of_cell_objects_are_told_apart() {
    for (clue, placed) in [
        ("\"given\":\"yes\"", "\"given\":\"no\""),
        ("\"given\":8", "\"given\":0"),
        ("\"type\":\"given\"", "\"type\":\"user\""),
        ("\"isUser\":false", "\"isUser\":true"),
        ("\"original\":true", "\"original\":false"),
        ("\"preset\":1", "\"preset\":0"),
    ] {
        let text = ordered_objects(|at| match at {
            // The digit of r3c3 is 8.
            20 => format!("{{\"value\":8,{clue}}}"),
            21 => format!("{{\"value\":3,{placed}}}"),
            _ => "{\"value\":0}".to_string(),
        });
        let puzzle = read(&text).remove(0);
        assert_eq!(puzzle.givens.iter().flatten().count(), 1, "{text}");
        assert_eq!(puzzle.placed[21], Digit::from_symbol('3'), "{text}");
    }
    let text = ordered_objects(|at| format!("{{\"value\":{},\"given\":\"perhaps\"}}", easy_digit(at)));
    check_refused(&text, "nothing says if `perhaps`");
}

#[test]
fn code_that_rearranges_an_array_is_refused() {
    let python = format!(
        "[{}]",
        rows(EASY, ",", |c| c.into()).iter().map(|row| format!("[{row}]")).collect::<Vec<_>>().join(",")
    );
    let matlab = rows(EASY, " ", |c| c.into()).join("; ");
    for text in [
        format!("np.array({python}).T\n"),
        format!("grid = np.array({python}).T\n"),
        format!("g = [{matlab}]';\n"),
        format!("g = np.reshape({python}, (9, 9), order='F')\n"),
        format!("g = list(zip(*{python}))\n"),
    ] {
        check_refused(&text, "P17");
    }
    check_one(&format!("g = [{matlab}];\n"), EASY);
    check_one(&format!("[\"transpose\",{python}]"), EASY);
    let assigned = |order: &mut dyn Iterator<Item = usize>| {
        let rows = rows(EASY, ", ", |c| c.into());
        order.map(|row| format!("grid[{row}] = [{}]\n", rows[row])).collect::<String>()
    };
    check_one(&assigned(&mut (0..9)), EASY);
    check_refused(&assigned(&mut (0..9).rev()), "P17");
    let keyed = |order: &dyn Fn(usize) -> usize| {
        let row = |row: usize| {
            let cells = (0..9).map(|at| format!("\"c{}\":{}", order(at) + 1, easy_digit(row * 9 + order(at))));
            format!("{{{}}}", cells.collect::<Vec<_>>().join(","))
        };
        format!("[{}]", (0..9).map(row).collect::<Vec<_>>().join(","))
    };
    check_one(&keyed(&|at| at), EASY);
    check_refused(&keyed(&|at| 8 - at), "P17");
}
