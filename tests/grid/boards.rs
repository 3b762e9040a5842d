//! Boards as data: their houses, who sees whom, what is refused, drawing and reading on them.

use super::one;
use crate::common;
use pinion::engine::Limits;
use pinion::grid::draw::{board, candidate_grid};
use pinion::grid::formats::{read_many, read_one};
use pinion::grid::{BoardSpec, Cell, Contradiction, Digit, Geometry, HouseKind, Regions, State};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Profile, Rulebook, Solver};
use std::sync::Arc;

fn named(name: &str) -> Arc<Geometry> {
    Arc::new(Geometry::new(BoardSpec::named(name).expect("a known name")).expect("a board"))
}

fn irregular() -> BoardSpec {
    let rows = ["11122", "13322", "13322", "13445", "44455"].map(str::to_string);
    // Region 5 has three cells too few: the tests for mistakes start here.
    BoardSpec {
        name: "five".into(),
        size: 5,
        regions: Regions::Jigsaw(rows.to_vec()),
        extra: Vec::new(),
        sees: Vec::new(),
    }
}

fn five() -> Arc<Geometry> {
    let rows = ["11122", "11322", "33324", "35544", "55544"].map(str::to_string);
    Arc::new(Geometry::new(BoardSpec { regions: Regions::Jigsaw(rows.to_vec()), ..irregular() }).expect("a board"))
}

#[test]
fn every_board_of_the_binary_is_one() {
    for spec in BoardSpec::standard_sizes().filter_map(BoardSpec::standard).chain(BoardSpec::variants()) {
        let geometry = Geometry::new(spec.clone()).unwrap_or_else(|error| panic!("{}: {error}", spec.name));
        let boxes = geometry.houses().iter().filter(|house| house.kind == HouseKind::Box).count();
        assert_eq!(boxes, if geometry.spec().regions == Regions::None { 0 } else { spec.size }, "{}", spec.name);
        for house in geometry.houses() {
            assert_eq!(house.cells.len(), spec.size, "{}: {house}", spec.name);
        }
        let text = ron::to_string(geometry.spec()).expect("a description can be written");
        assert_eq!(&BoardSpec::read("again", &text).expect("and read"), geometry.spec());
    }
    assert!(BoardSpec::variants().len() >= 8);
}

#[test]
fn houses_have_names_and_peers_follow() {
    let board = named("Diagonal_WINDOKU");
    let names: Vec<String> = board.houses()[27..].iter().map(ToString::to_string).collect();
    assert_eq!(names, ["diagonal 1", "diagonal 2", "window 1", "window 2", "window 3", "window 4"]);
    assert!(board.sees(board.cell(0, 0), board.cell(8, 8)) && !board.has_extra_pairs());
    assert_eq!(board.houses_of(board.cell(4, 4)).len(), 5);
    let knight = named("anti-knight");
    assert!(knight.has_extra_pairs());
    assert!(knight.sees(knight.cell(4, 4), knight.cell(2, 3)) && knight.sees(knight.cell(2, 3), knight.cell(4, 4)));
    assert_eq!(knight.peers(knight.cell(4, 4)).len(), 20 + 8);
    assert_eq!(named("anti king").peers(Cell(40)).len(), 20, "the corners of a middle cell lie in its box");
    assert_eq!(named("latin").peers(Cell(0)).len(), 16);
    assert_eq!(five().house(pinion::grid::HouseId(10)).to_string(), "region 1");
}

#[test]
fn bad_boards_are_refused_with_reasons() {
    let spec = BoardSpec::standard(9).expect("a plain board");
    let extra = |cells: &str| vec![pinion::grid::ExtraHouse { name: "odd".into(), cells: cells.into() }];
    let many = (0..102).flat_map(|_| extra("r1c123456789")).collect();
    let boards = [
        BoardSpec { size: 3, ..spec.clone() },
        BoardSpec { size: 200, ..spec.clone() },
        BoardSpec { size: 7, regions: Regions::Usual, ..spec.clone() },
        BoardSpec { regions: Regions::Boxes { rows: 0, columns: 9 }, ..spec.clone() },
        BoardSpec { regions: Regions::Boxes { rows: usize::MAX, columns: 9 }, ..spec.clone() },
        BoardSpec { regions: Regions::Jigsaw(vec!["123".into()]), ..spec.clone() },
        irregular(),
        BoardSpec { extra: extra("r12c3"), ..spec.clone() },
        BoardSpec { extra: extra("r1c0"), ..spec.clone() },
        BoardSpec { extra: extra("what"), ..spec.clone() },
        BoardSpec { extra: many, ..spec.clone() },
    ];
    let told = |spec: BoardSpec| Geometry::new(spec).map(|_| ()).expect_err("no board").to_string();
    let mut words: Vec<String> = boards.into_iter().map(told).collect();
    for text in ["(name: \"x\")", "(name: \"x\", size: 9, boxes: 3)", "(", ""] {
        words.push(BoardSpec::read("mine.ron", text).map(|_| ()).expect_err("no description").to_string());
    }
    insta::assert_snapshot!("bad_boards", words.join("\n"));
    for nowhere in [(0, 0), (127, -128), (9, 1)] {
        let far = told(BoardSpec { sees: vec![(-1, 0), nowhere], ..spec.clone() });
        assert!(far.contains("leads from no cell to another"), "{far}");
    }
    let near = Geometry::new(BoardSpec { sees: vec![(-1, 0)], ..spec }).expect("a board");
    assert!(!near.has_extra_pairs(), "neighbours in a column share a house");
}

#[test]
fn boards_and_positions_are_drawn_and_read_back() {
    let plain = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let mut told =
        board(&named("diagonal 6x6")) + &board(&five()) + &board(&named("latin")) + &board(&named("anti-king"));
    for (geometry, text) in [
        (five(), "1.........2.........3..4."),
        (named("latin"), "1........2........3........4........5........6........7........8........9........"),
        (named("9x9"), plain),
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
        told.push_str(&grid);
    }
    insta::assert_snapshot!("boards", told);
}

#[test]
fn regions_stand_in_the_note_of_a_puzzle() {
    let signs = "111222333".repeat(3) + &"444555666".repeat(3) + &"777888999".repeat(3);
    let text = format!("{} jigsaw={signs}", "1".to_string() + &".".repeat(80));
    let puzzle = one(&text);
    assert_eq!(puzzle.geometry.spec().name, "9x9 jigsaw");
    let diagonal = named("diagonal");
    let both = read_one(&text, Some(&diagonal)).expect("a puzzle");
    assert_eq!(both.geometry.houses().len(), 29);
    let plain = Geometry::standard(9).expect("a standard board");
    assert!(plain.cells().all(|cell| plain.peers(cell) == puzzle.geometry.peers(cell)), "these regions are boxes");
    for wrong in ["jigsaw=", "jigsaw=123", &format!("jigsaw={}", "1".repeat(81))] {
        let errors = read_many(&format!("{}1 {wrong}", ".".repeat(80)), None);
        assert_eq!(errors[0].as_ref().expect_err("no board").code, "P13", "{wrong}");
    }
}

#[test]
fn contradictions_and_solutions_know_the_board() {
    let knight = named("anti-knight");
    let mut state = State::empty(&knight);
    state.place(&knight, Cell(0), Digit(4));
    assert!(!state.candidates(knight.cell(1, 2)).has(Digit(4)) && !state.candidates(knight.cell(2, 1)).has(Digit(4)));
    assert_eq!(state.contradiction(&knight), None);
    state.place(&knight, knight.cell(2, 1), Digit(4));
    assert!(matches!(state.contradiction(&knight), Some(Contradiction::Repeated(..))), "they share a box as well");
    let mut state = State::empty(&knight);
    state.place(&knight, knight.cell(2, 2), Digit(4));
    state.place(&knight, knight.cell(3, 4), Digit(4));
    let apart = Contradiction::SeenTwice(Digit(4), knight.cell(2, 2), knight.cell(3, 4));
    assert_eq!(state.contradiction(&knight), Some(apart));
    assert_eq!(uniqueness(&knight, &state), Uniqueness::None);
    let error = read_one(&format!("{}5..........5{}", ".".repeat(20), ".".repeat(49)), Some(&knight));
    assert_eq!(error.expect_err("a knight's move apart").code, "P06");
    // On a Latin board of five a cyclic square needs few clues.
    let latin = BoardSpec { regions: Regions::None, ..irregular() };
    let latin = Arc::new(Geometry::new(latin).expect("a board"));
    let cyclic = read_one("12345234513451245123.....", Some(&latin)).expect("a puzzle");
    assert!(matches!(uniqueness(&latin, &cyclic.state()), Uniqueness::One(_)));
    let solver = Solver::new(&Rulebook::embedded(), &latin, &Profile::default(), Limits::default());
    assert_eq!(common::check_path(&solver, &cyclic.state()).steps.len(), 5);
}

#[test]
fn rules_that_assume_one_solution_are_refused_where_an_exchange_fails() {
    let rule = "technique mine \"Mine\" assuming one solution {\n  h: house\n  d: digit\n  require d in h = {c}\n  place d in c\n}\n";
    let rules = Rulebook::embedded().with([("mine.pinion".to_string(), rule.to_string())]);
    let refused = |name: &str, rules: &Rulebook| {
        let solver = Solver::new(rules, &named(name), &Profile::default(), Limits::default());
        solver.plan_errors().iter().map(|error| error.technique.clone()).collect::<Vec<_>>()
    };
    let assuming = |id: &String| rules.techniques().iter().any(|one| one.id == *id && one.assumes_one_solution);
    let anti_king = refused("anti-king", &rules);
    assert!(anti_king.contains(&"mine".to_string()) && anti_king.iter().all(assuming), "{anti_king:?}");
    assert_eq!(refused("windoku", &rules), Vec::<String>::new());
    let without = rules.without_uniqueness();
    assert!(refused("anti-king", &without).is_empty() && without.techniques().iter().all(|one| one.id != "mine"));
}
