//! Board descriptions: houses, peers, refused descriptions, and drawing and reading puzzles on boards.

use super::{EASY, read_puzzle, standard_board};
use crate::common;
use pinion::engine::Limits;
use pinion::grid::draw::{board, candidate_grid, givens_line};
use pinion::grid::formats::{read_many, read_one};
use pinion::grid::{BoardSpec, Cell, Contradiction, Digit, ExtraHouse, Geometry, HouseId, HouseKind, Regions, State};
use pinion::proof::{Uniqueness, solutions, uniqueness};
use pinion::solve::{Profile, Rulebook, Solver};
use std::sync::Arc;

fn named_board(name: &str) -> Arc<Geometry> {
    Arc::new(Geometry::new(BoardSpec::named(name).expect("a known name")).expect("a board"))
}

/// A description of a 5×5 jigsaw that is refused: regions 1 and 2 have six cells, region 5 has three.
fn uneven_jigsaw() -> BoardSpec {
    let rows = ["11122", "13322", "13322", "13445", "44455"].map(str::to_string);
    BoardSpec {
        name: "five".into(),
        size: 5,
        regions: Regions::Jigsaw(rows.to_vec()),
        extra: Vec::new(),
        sees: Vec::new(),
    }
}

fn jigsaw_5x5() -> Arc<Geometry> {
    let rows = ["11122", "11322", "33324", "35544", "55544"].map(str::to_string);
    let spec = BoardSpec { regions: Regions::Jigsaw(rows.to_vec()), ..uneven_jigsaw() };
    Arc::new(Geometry::new(spec).expect("a board"))
}

/// The error message for a description that is no board.
fn refusal(spec: BoardSpec) -> String {
    Geometry::new(spec).map(|_| ()).expect_err("no board").to_string()
}

#[test]
fn every_built_in_board_is_valid() {
    for spec in BoardSpec::standard_sizes().filter_map(BoardSpec::standard).chain(BoardSpec::variants()) {
        let geometry = Geometry::new(spec.clone()).unwrap_or_else(|error| panic!("{}: {error}", spec.name));
        let boxes = geometry.houses().iter().filter(|house| house.kind == HouseKind::Box).count();
        assert_eq!(boxes, if geometry.spec().regions == Regions::None { 0 } else { spec.size }, "{}", spec.name);
        for house in geometry.houses() {
            assert_eq!(house.cells.len(), spec.size, "{}: {house}", spec.name);
        }
        let text = ron::to_string(geometry.spec()).expect("a description can be written");
        assert_eq!(&BoardSpec::read("again", &text).expect("a written description can be read"), geometry.spec());
    }
    assert!(BoardSpec::variants().len() >= 8);
}

#[test]
fn extra_houses_have_names_and_make_peers() {
    let board = named_board("Diagonal_WINDOKU");
    let names: Vec<String> = board.houses()[27..].iter().map(ToString::to_string).collect();
    assert_eq!(names, ["diagonal 1", "diagonal 2", "window 1", "window 2", "window 3", "window 4"]);
    assert!(board.sees(board.cell(0, 0), board.cell(8, 8)) && !board.has_extra_pairs());
    assert_eq!(board.houses_of(board.cell(4, 4)).len(), 5);
    let knight = named_board("anti-knight");
    assert!(knight.has_extra_pairs());
    assert!(knight.sees(knight.cell(4, 4), knight.cell(2, 3)) && knight.sees(knight.cell(2, 3), knight.cell(4, 4)));
    assert_eq!(knight.peers(knight.cell(4, 4)).len(), 20 + 8, "20 cells share a house, 8 are a knight's move away");
    assert_eq!(named_board("anti king").peers(Cell(40)).len(), 20, "a king's move from r5c5 stays in its box");
    assert_eq!(named_board("latin").peers(Cell(0)).len(), 16);
    assert_eq!(jigsaw_5x5().house(HouseId(10)).to_string(), "region 1");
}

#[test]
fn bad_boards_are_refused_with_reasons() {
    let spec = BoardSpec::standard(9).expect("a standard board");
    let extra = |cells: &str| vec![ExtraHouse { name: "odd".into(), cells: cells.into() }];
    let too_many = (0..102).flat_map(|_| extra("r1c123456789")).collect();
    let boards = [
        BoardSpec { size: 3, ..spec.clone() },
        BoardSpec { size: 200, ..spec.clone() },
        BoardSpec { size: 7, regions: Regions::Usual, ..spec.clone() },
        BoardSpec { regions: Regions::Boxes { rows: 0, columns: 9 }, ..spec.clone() },
        BoardSpec { regions: Regions::Boxes { rows: usize::MAX, columns: 9 }, ..spec.clone() },
        BoardSpec { regions: Regions::Jigsaw(vec!["123".into()]), ..spec.clone() },
        uneven_jigsaw(),
        BoardSpec { extra: extra("r12c3"), ..spec.clone() },
        BoardSpec { extra: extra("r1c0"), ..spec.clone() },
        BoardSpec { extra: extra("what"), ..spec.clone() },
        BoardSpec { extra: too_many, ..spec.clone() },
    ];
    let mut messages: Vec<String> = boards.into_iter().map(refusal).collect();
    for text in ["(name: \"x\")", "(name: \"x\", size: 9, boxes: 3)", "(", ""] {
        messages.push(BoardSpec::read("mine.ron", text).map(|_| ()).expect_err("no description").to_string());
    }
    insta::assert_snapshot!("bad_boards", messages.join("\n"));
    for offset in [(0, 0), (127, -128), (9, 1)] {
        let message = refusal(BoardSpec { sees: vec![(-1, 0), offset], ..spec.clone() });
        assert!(message.contains("leads from no cell to another"), "{message}");
    }
    let board = Geometry::new(BoardSpec { sees: vec![(-1, 0)], ..spec }).expect("a board");
    assert!(!board.has_extra_pairs(), "neighbours in a column share a house");
}

#[test]
fn boards_and_positions_are_drawn_and_read_back() {
    let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let mut drawings = board(&named_board("diagonal 6x6"))
        + &board(&jigsaw_5x5())
        + &board(&named_board("latin"))
        + &board(&named_board("anti-king"));
    for (geometry, text) in [
        (jigsaw_5x5(), "1.........2.........3..4."),
        (named_board("latin"), "1........2........3........4........5........6........7........8........9........"),
        (named_board("9x9"), easy),
    ] {
        let state = read_one(text, Some(&geometry)).expect("a puzzle").state();
        let grid = candidate_grid(&geometry, &state);
        assert_eq!(
            read_one(&grid, Some(&geometry))
                .unwrap_or_else(|error| panic!("{error}\n{grid}"))
                .state()
                .values_and_candidates(),
            state.values_and_candidates(),
            "{grid}"
        );
        drawings.push_str(&grid);
    }
    insta::assert_snapshot!("boards", drawings);
}

/// A board with these regions: one symbol for each cell.
fn jigsaw(symbols: &str) -> Arc<Geometry> {
    let standard = standard_board(symbols.len().isqrt());
    Arc::new(Geometry::new(standard.spec().with_jigsaw(symbols)).expect("a board"))
}

/// The region of each cell.
fn regions(board: &Geometry) -> Vec<Option<usize>> {
    board.cells().map(|cell| board.region(cell)).collect()
}

#[test]
fn drawn_borders_show_irregular_regions() {
    let mut random = fastrand::Rng::with_seed(7);
    let regions_9x9 = "111111112344122222334442225336644445336666655377776655388877755888889775899999999";
    for board in [jigsaw("AAABCABBCCDBCDDD"), jigsaw(regions_9x9), jigsaw("112233112233112233445566445566445566")] {
        let solution = solutions(&board, &State::empty(&board), 1).remove(0);
        for _ in 0..20 {
            let mut state = State::empty(&board);
            board.cells().filter(|_| random.bool()).for_each(|cell| state.place(&board, cell, solution[cell.index()]));
            let text = candidate_grid(&board, &state);
            let read = read_one(&text, None).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(regions(&read.geometry), regions(&board), "{text}");
            assert_eq!(read.state().values_and_candidates(), state.values_and_candidates(), "{text}");
        }
    }
}

#[test]
fn bars_between_columns_show_the_width_of_boxes() {
    let rows = [
        "1 . | . . | 5 6",
        ". 4 | . . | . .",
        "5 . | . 2 | . .",
        ". . | 6 . | . 5",
        ". . | . . | 3 .",
        "3 2 | . . | . 1",
    ];
    let boxes = regions(&jigsaw("112233112233112233445566445566445566"));
    for text in [rows.join("\n"), rows.join("\n").replace(' ', "")] {
        assert_eq!(regions(&read_puzzle(&text).geometry), boxes, "{text}");
    }
}

#[test]
fn bars_that_enclose_no_regions_are_noted() {
    let text = "1 . | . .\n. | . | 3 .\n. | 3 . | .\n4 . | . .\n";
    assert!(read_puzzle(text).remarks.iter().any(|remark| remark.contains("enclose no regions")), "{text}");
}

#[test]
fn a_table_with_blank_cells_or_a_header_has_no_note_on_bars() {
    let rows = ["| 1 |   | 3 | 4 |", "|   | 4 |   |   |", "| 2 |   | 4 |   |", "|   |   | 1 | 2 |"];
    for text in [rows.join("\n"), format!("  | a | b | c | d\n{}", rows.join("\n"))] {
        let remarks = read_puzzle(&text).remarks;
        assert!(!remarks.iter().any(|remark| remark.contains("enclose")), "{text}\n{remarks:?}");
    }
}

#[test]
fn lines_between_all_rows_or_all_columns_are_no_borders_of_regions() {
    let rows: Vec<String> =
        EASY.as_bytes().chunks(9).map(|row| String::from_utf8_lossy(row).replace('0', ".")).collect();
    let spaced: Vec<String> = rows.iter().map(|row| row.split("").collect::<Vec<_>>().join(" ")).collect();
    let framed: Vec<String> = spaced.iter().map(|row| format!("|{row}|\n+-------------------+\n")).collect();
    for text in [spaced.join("\n-------------------\n"), spaced.join("\n").replace(' ', "|"), framed.concat()] {
        let puzzle = read_puzzle(&text);
        assert_eq!(puzzle.geometry.spec().name, "9x9", "{text}");
        assert_eq!(givens_line(&puzzle), EASY.replace('0', "."), "{text}");
    }
}

#[test]
fn heavy_lines_between_light_lines_show_irregular_regions() {
    let text = "
╔═══╤═══╤═══╦═══╗
║ 4 │ . │ 2 ║ . ║
╠═══╦───╦═══╝───║
║ . ║ . ║ . │ 3 ║
╟───╚═══╬═══╗───╢
║ . │ . ║ . ║ . ║
╟───╔═══╝───╚═══╣
║ . ║ 1 │ . │ . ║
╚═══╩═══╧═══╧═══╝
";
    let puzzle = read_puzzle(text);
    assert_eq!(regions(&puzzle.geometry), regions(&jigsaw("AAABCABBCCDBCDDD")));
    assert_eq!(givens_line(&puzzle), "4.2....3.....1..");
    let with_empty_column =
        text.replace("║ . │ . ║ . ║ . ║", "║ 3 │ . ║ . ║ . ║").replace("1 │ .", ". │ 1").replace('.', " ");
    let puzzle = read_puzzle(&with_empty_column);
    assert_eq!(regions(&puzzle.geometry), regions(&jigsaw("AAABCABBCCDBCDDD")));
    assert_eq!(givens_line(&puzzle), "4.2....33.....1.");
}

#[test]
fn a_note_can_hold_the_regions_of_a_puzzle() {
    let regions = "111222333".repeat(3) + &"444555666".repeat(3) + &"777888999".repeat(3);
    let text = format!("{} jigsaw={regions}", "1".to_string() + &".".repeat(80));
    let puzzle = read_puzzle(&text);
    assert_eq!(puzzle.geometry.spec().name, "9x9 jigsaw");
    let diagonal = named_board("diagonal");
    let on_diagonal = read_one(&text, Some(&diagonal)).expect("a puzzle");
    assert_eq!(on_diagonal.geometry.houses().len(), 29);
    let standard = Geometry::standard(9).expect("a standard board");
    assert!(
        standard.cells().all(|cell| standard.peers(cell) == puzzle.geometry.peers(cell)),
        "the regions of the note are the usual boxes"
    );
    for wrong in ["jigsaw=", "jigsaw=123", &format!("jigsaw={}", "1".repeat(81))] {
        let errors = read_many(&format!("{}1 {wrong}", ".".repeat(80)), None);
        assert_eq!(errors[0].as_ref().expect_err("no board").code, "P13", "{wrong}");
    }
}

#[test]
fn contradictions_and_solutions_heed_the_board() {
    let knight = named_board("anti-knight");
    let mut state = State::empty(&knight);
    state.place(&knight, Cell(0), Digit(4));
    assert!(!state.candidates(knight.cell(1, 2)).has(Digit(4)) && !state.candidates(knight.cell(2, 1)).has(Digit(4)));
    assert_eq!(state.contradiction(&knight), None);
    state.place(&knight, knight.cell(2, 1), Digit(4));
    assert!(matches!(state.contradiction(&knight), Some(Contradiction::Repeated(..))), "r1c1 and r3c2 share a box");
    let mut state = State::empty(&knight);
    state.place(&knight, knight.cell(2, 2), Digit(4));
    state.place(&knight, knight.cell(3, 4), Digit(4));
    let seen_twice = Contradiction::SeenTwice(Digit(4), knight.cell(2, 2), knight.cell(3, 4));
    assert_eq!(state.contradiction(&knight), Some(seen_twice));
    assert_eq!(uniqueness(&knight, &state), Uniqueness::None);
    let error = read_one(&format!("{}5..........5{}", ".".repeat(20), ".".repeat(49)), Some(&knight));
    assert_eq!(error.expect_err("two 5 a knight's move apart").code, "P06");
    // A board without regions. The clues are the rows 12345, 23451, 34512, 45123 of a cyclic square; row 5 is empty.
    let latin = BoardSpec { regions: Regions::None, ..uneven_jigsaw() };
    let latin = Arc::new(Geometry::new(latin).expect("a board"));
    let puzzle = read_one("12345234513451245123.....", Some(&latin)).expect("a puzzle");
    assert!(matches!(uniqueness(&latin, &puzzle.state()), Uniqueness::One(_)));
    let solver = Solver::new(&Rulebook::embedded(), &latin, &Profile::default(), Limits::default());
    assert_eq!(common::check_path(&solver, &puzzle.state()).steps.len(), 5);
}

#[test]
fn rules_that_assume_one_solution_are_refused_where_an_exchange_fails() {
    let rule = "technique mine \"Mine\" assuming one solution {\n  h: house\n  d: digit\n  require d in h = {c}\n  place d in c\n}\n";
    let rules = Rulebook::embedded().with([("mine.pinion".to_string(), rule.to_string())]);
    // Such a rule exchanges two digits. If cells see each other without sharing a house, the result may be no solution.
    let assumes_one_solution =
        |id: &String| rules.techniques().iter().any(|rule| rule.id == *id && rule.assumes_one_solution);
    let refused_ids = refused_techniques(&rules, "anti-king");
    assert!(
        refused_ids.contains(&"mine".to_string()) && refused_ids.iter().all(assumes_one_solution),
        "{refused_ids:?}"
    );
    assert_eq!(refused_techniques(&rules, "windoku"), Vec::<String>::new());
    let without_uniqueness = rules.without_uniqueness();
    assert!(refused_techniques(&without_uniqueness, "anti-king").is_empty());
    assert!(without_uniqueness.techniques().iter().all(|rule| rule.id != "mine"));
}

/// The techniques that cannot be compiled for a board.
fn refused_techniques(rules: &Rulebook, board_name: &str) -> Vec<String> {
    let solver = Solver::new(rules, &named_board(board_name), &Profile::default(), Limits::default());
    solver.plan_errors().iter().map(|error| error.technique.clone()).collect()
}
