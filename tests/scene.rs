//! Pictures of steps: in the terminal, as SVG, in a tour and in an HTML report. A scene says what a picture shows.

use crate::common;
use crossterm::event::KeyCode;
use data_encoding::BASE64;
use pinion::cli::tour::Tour;
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, Digit, Geometry, State};
use pinion::render::{
    LegendKey, Line, Mark, MarkReading, PagePath, Role, Scene, ShortPathOptions, drawing, legend, page,
    short_path_lines, svg, unstyled,
};
use pinion::solve::{Outcome, Path, Rulebook, Solver, Step};
use std::sync::Arc;

/// Singles and one XY-Wing solve this puzzle.
const PUZZLE: &str = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";

/// Returns a solver and the path of [`PUZZLE`].
fn solver_and_path() -> (Arc<Solver>, Path) {
    let solver = Arc::new(common::solver(9));
    let path = solver.solve(read_one(PUZZLE, None).expect("a puzzle").state());
    (solver, path)
}

/// Returns the first step that a technique finds on a grid, with the board and the state.
fn first_step(name: &str, grid: &str) -> (Arc<Geometry>, State, Step) {
    let puzzle = read_one(grid, None).expect("a grid");
    let solver = common::solver(puzzle.geometry.size());
    let found = solver.find_all(&puzzle.state(), Some(name)).expect("a known technique");
    let step = found.steps.into_iter().next().expect("a match");
    (Arc::clone(&puzzle.geometry), puzzle.state(), step)
}

/// A 6×6 grid with locked candidates.
const LOCKED_CANDIDATES_GRID: &str = "135 34  6  13 145 2\n135 2   45 6  145 35\n2   6   1  5  3   4\n4   5   3  2  6   1\n\
    6   13  2  4  15  35\n135 134 45 13 2   6\n";

/// A grid with an XY-Chain.
const XY_CHAIN_GRID: &str = "\
9  15  178 1358 58  2 1345 6   457
57 16  68  138  9   4 13   25  257
3  2   4   15   6   7 15   8   9
2  4   5   6    3   8 7    9   1
1  8   9   4    7   5 2    3   6
6  7   3   2    1   9 45   45  8
4  9   17  57   25  6 8    125 3
8  3   2   9    45  1 6    7   45
57 156 167 78   248 3 9    124 24
";

#[test]
fn only_the_cells_of_the_pattern_are_in_brackets() {
    let (board, state, step) = first_step("locked_candidates", LOCKED_CANDIDATES_GRID);
    let scene = Scene::of_step(&board, &state, &step);
    assert!(
        step.cites.cells.len() > scene.cells.len() || step.cites.houses.len() > 1,
        "the step cites more than the pattern"
    );
    insta::assert_snapshot!(unstyled(&drawing(&board, &scene, None)));
}

#[test]
fn a_narrow_terminal_gets_blocks() {
    let board = Geometry::standard(9).expect("a board");
    let mut scene = Scene::of_state(State::empty(&board));
    let eliminated = Candidate::new(Digit(4), board.cell(0, 1));
    scene.marks.insert(eliminated, Mark::Eliminated);
    scene.cells.insert(board.cell(0, 1));
    let wide = drawing(&board, &scene, Some(200));
    let narrow = drawing(&board, &scene, Some(80));
    let width = |lines: &[Line]| lines.iter().map(|line| line.to_string().chars().count()).max();
    assert!(width(&wide) > Some(100));
    assert!(width(&narrow) <= Some(80), "{}", unstyled(&narrow));
    assert!(narrow.iter().any(|line| line.to_string().contains("[ 4-5 6]")), "{}", unstyled(&narrow));
    let pieces = narrow.iter().flat_map(|line| &line.pieces);
    let marked = pieces.filter(|piece| piece.role == Role::Mark(Mark::Eliminated));
    assert_eq!(marked.map(|piece| piece.text.as_str()).collect::<Vec<_>>(), ["-5", "-"]);
    // A solved cell is as wide as an open one, so all lines but the legend have the same width.
    scene.state.place(&board, board.cell(4, 4), Digit(6));
    let narrow = drawing(&board, &scene, Some(80));
    let widths = narrow[..narrow.len() - 1].iter().map(|line| line.to_string().chars().count());
    assert_eq!(widths.collect::<std::collections::BTreeSet<_>>().len(), 1, "{}", unstyled(&narrow));
}

#[test]
fn the_legend_explains_marks_without_a_sign_by_their_colour_only() {
    let (board, state, step) = first_step("xy_chain", XY_CHAIN_GRID);
    let lines = drawing(&board, &Scene::of_step(&board, &state, &step), None);
    let legend_line = lines.last().expect("a legend");
    let explained = |mark: Mark| legend_line.pieces.iter().find(|piece| piece.role == Role::Colour(mark));
    for (mark, words) in [(Mark::OneOf, "one of these is true"), (Mark::Off, "false if the start is false")] {
        assert_eq!(explained(mark).map(|piece| piece.text.trim()), Some(words));
    }
    assert_eq!(unstyled(&lines).lines().last(), Some("[ ] pattern  - eliminated"));
}

#[test]
fn strong_and_weak_links_differ_without_colours() {
    let (board, state, step) = first_step("xy_chain", XY_CHAIN_GRID);
    let scene = Scene::of_step(&board, &state, &step);
    assert_eq!(scene.reading, MarkReading::Chain);
    let picture = svg(&board, &scene, &[]);
    let strong = scene.links.iter().filter(|link| link.strong).count();
    assert_eq!(picture.matches("class=\"link\" d=\"M").count(), strong + 1, "the legend has one more");
    assert_eq!(picture.matches("class=\"link weak\" d=\"M").count(), scene.links.len() - strong + 1);
    assert!(picture.contains(".pinion .weak{stroke-width:1.7;stroke-dasharray"));
    for key in [LegendKey::Strong, LegendKey::Weak, LegendKey::Mark(Mark::Eliminated)] {
        assert!(legend(&board, &scene).iter().any(|(legend_key, _)| *legend_key == key), "{key:?}");
    }
}

#[test]
fn every_svg_picture_is_small_and_valid_xml() {
    let (_, path) = solver_and_path();
    let board = Geometry::standard(9).expect("a board");
    let mut scene = Scene::of_state(State::empty(&board));
    for cell in board.cells() {
        scene.marks.insert(Candidate::new(Digit(0), cell), Mark::On);
    }
    let full = svg(&board, &scene, &[Line::text("A & B <c>")]);
    assert!(full.len() < 40_000, "{}", full.len());
    let document = roxmltree::Document::parse(&full).expect("it is XML");
    assert!(document.descendants().any(|node| node.text() == Some("A & B <c>")));
    for step in &path.steps {
        let picture = svg(&board, &Scene::of_step(&board, &path.start, step), &[]);
        assert!(picture.len() < 40_000);
        roxmltree::Document::parse(&picture).expect("it is XML");
    }
}

#[test]
fn wrapped_lines_are_indented_below_the_first_word() {
    let line = Line::text("12. ").with(Role::Name, "One two three").with(Role::Plain, " four five six");
    let wrapped: Vec<String> = line.wrapped(16).iter().map(|line| line.to_string().trim_end().to_string()).collect();
    assert_eq!(wrapped, ["12. One two", "    three four", "    five six"]);
    assert_eq!(Line::text("  one two three").wrapped(10).len(), 2);
    assert_eq!(Line::drawing("| 1 2 3 | 4 5 6 |").wrapped(10).len(), 1);
    assert_eq!(Line::text("unbreakable").wrapped(5).len(), 1);
}

#[test]
fn a_story_folds_singles_and_ends_with_the_rating() {
    let (solver, path) = solver_and_path();
    assert_eq!(path.outcome, Outcome::Solved);
    let board = solver.geometry();
    let options = ShortPathOptions { all_lines: false, grids: false, width: 80 };
    insta::assert_snapshot!(unstyled(&short_path_lines(board, &path, options)));
    let full_story = unstyled(&short_path_lines(board, &path, ShortPathOptions { all_lines: true, ..options }));
    for number in 1..=path.steps.len() {
        assert!(full_story.contains(&format!("{number}. ")), "step {number} has a line");
    }
    assert!(!full_story.contains("singles (to step"));
}

#[test]
fn a_tour_moves_along_the_path_and_shows_reasons_and_other_matches() {
    let (solver, path) = solver_and_path();
    let rulebook = Rulebook::embedded();
    let mut tour = Tour::new(&solver, &rulebook, &path);
    let screen = |tour: &Tour<'_>| unstyled(&tour.screen(90, 40));
    assert!(screen(&tour).starts_with("Step 1 of"));
    assert!(tour.execute(KeyCode::Char('n')));
    let pattern_screen = screen(&tour);
    assert!(!pattern_screen.starts_with("Step 1 of") && !pattern_screen.contains("Hidden Single"), "{pattern_screen}");
    tour.execute(KeyCode::Char('w'));
    let why = screen(&tour);
    assert!(why.contains(", so r") && !why.contains(".pinion"), "plain sentences: {why}");
    tour.execute(KeyCode::Char('o'));
    let matches_screen = screen(&tour);
    assert!(matches_screen.contains("on this position") && matches_screen.contains("\n> "), "{matches_screen}");
    tour.execute(KeyCode::Down);
    assert_ne!(screen(&tour), matches_screen);
    tour.execute(KeyCode::Left);
    tour.execute(KeyCode::Right);
    assert_eq!(screen(&tour), pattern_screen);
    tour.execute(KeyCode::End);
    assert!(screen(&tour).starts_with("The end"));
    tour.execute(KeyCode::Right);
    assert!(screen(&tour).starts_with("The end"));
    assert_eq!(tour.screen(30, 10).len(), 10);
    assert!(!tour.execute(KeyCode::Char('q')));
}

#[test]
fn a_report_needs_no_other_file_and_has_every_step() {
    let (solver, path) = solver_and_path();
    let board = solver.geometry();
    // The notes would break the page if they were not escaped.
    let with_note = |note: &str| PagePath::new(board, &path, PUZZLE.into(), note.into());
    let text = page(board, "Paths of a & b", "default", &[with_note("</script>"), with_note("{js}")]);
    let without_namespace = text.replace("http://www.w3.org/2000/svg", "");
    for reference in ["http://", "https://", "src=", "href=\"/", "@import", "url(http"] {
        assert!(!without_namespace.contains(reference), "{reference}");
    }
    assert_eq!(text.matches("</script>").count(), 2);
    assert!(text.contains("<title>Paths of a &amp; b</title>"));
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
    assert_eq!(data["puzzles"][1]["note"], "{js}");
    let packed = BASE64.decode(data["puzzles"][0]["path"].as_str().expect("text").as_bytes()).expect("base64");
    let steps = miniz_oxide::inflate::decompress_to_vec(&packed).expect("compressed data");
    let steps: serde_json::Value = serde_json::from_slice(&steps).expect("it is JSON");
    let steps = steps.as_array().expect("a list");
    assert_eq!(steps.len(), path.steps.len() + 1);
    assert!(steps.iter().zip(&path.steps).all(|(shown, step)| shown["name"] == step.name));
    assert!(steps[0]["rows"].as_array().is_some_and(|rows| rows.len() > 9));
}
