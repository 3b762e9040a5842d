//! Scenes and their faces: what a step is drawn with, in the terminal, as SVG and in a report.

use crate::common;
use data_encoding::BASE64;
use pinion::cli::tour::{Tour, TourCommand};
use pinion::grid::formats::read_one;
use pinion::grid::{Candidate, Digit, Geometry, State};
use pinion::render::{
    LegendKey, Line, Mark, MarkReading, PagePath, Role, Scene, StoryOptions, drawing, legend, page, story_lines, svg,
    unstyled,
};
use pinion::solve::{Outcome, Path, Rulebook, Solver, Step};
use std::sync::Arc;

/// Solved by singles, a wing and more.
const WINGED: &str = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";

fn path(puzzle: &str) -> (Arc<Solver>, Path) {
    let solver = Arc::new(common::solver(9));
    let path = solver.solve(read_one(puzzle, None).expect("a puzzle").state());
    (solver, path)
}

/// The first match of a technique on a position.
fn found(name: &str, grid: &str) -> (Arc<Geometry>, State, Step) {
    let puzzle = read_one(grid, None).expect("a grid");
    let solver = common::solver(puzzle.geometry.size());
    let found = solver.find_all(&puzzle.state(), Some(name)).expect("the technique is known");
    let step = found.steps.into_iter().next().expect("there is a match");
    (Arc::clone(&puzzle.geometry), puzzle.state(), step)
}

const LOCKED: &str = "135 34  6  13 145 2\n135 2   45 6  145 35\n2   6   1  5  3   4\n4   5   3  2  6   1\n\
    6   13  2  4  15  35\n135 134 45 13 2   6\n";

const CHAINED: &str = "\
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
    let (board, state, step) = found("locked_candidates", LOCKED);
    let scene = Scene::of_step(&board, &state, &step);
    assert!(step.cites.cells.len() > scene.cells.len() || step.cites.houses.len() > 1, "the step cites more");
    insta::assert_snapshot!(unstyled(&drawing(&board, &scene, None)));
}

#[test]
fn a_narrow_terminal_gets_blocks() {
    let board = Geometry::standard(9).expect("a board");
    let mut scene = Scene::of_state(State::empty(&board));
    let one = Candidate::new(Digit(4), board.cell(0, 1));
    scene.marks.insert(one, Mark::Eliminated);
    scene.cells.insert(board.cell(0, 1));
    let wide = drawing(&board, &scene, Some(200));
    let narrow = drawing(&board, &scene, Some(80));
    let width = |lines: &[Line]| lines.iter().map(|line| line.to_string().chars().count()).max();
    assert!(width(&wide) > Some(100));
    assert!(width(&narrow) <= Some(80), "{}", unstyled(&narrow));
    assert!(narrow.iter().any(|line| line.to_string().contains("[ 4-5 6]")), "{}", unstyled(&narrow));
    let going = narrow.iter().flat_map(|line| &line.pieces).filter(|piece| piece.role == Role::Mark(Mark::Eliminated));
    assert_eq!(going.map(|piece| piece.text.as_str()).collect::<Vec<_>>(), ["-5", "-"]);
    // A solved cell takes as much room as an open one.
    scene.state.place(&board, board.cell(4, 4), Digit(6));
    let narrow = drawing(&board, &scene, Some(80));
    let widths = narrow[..narrow.len() - 1].iter().map(|line| line.to_string().chars().count());
    assert_eq!(widths.collect::<std::collections::BTreeSet<_>>().len(), 1, "{}", unstyled(&narrow));
}

#[test]
fn colours_that_have_no_sign_are_explained_in_colour_alone() {
    let (board, state, step) = found("xy_chain", CHAINED);
    let lines = drawing(&board, &Scene::of_step(&board, &state, &step), None);
    let key = lines.last().expect("a legend");
    let explained = |mark: Mark| key.pieces.iter().find(|piece| piece.role == Role::Colour(mark));
    for (mark, words) in [(Mark::OneOf, "one of these is true"), (Mark::Off, "false if the start is false")] {
        assert_eq!(explained(mark).map(|piece| piece.text.trim()), Some(words));
    }
    assert_eq!(unstyled(&lines).lines().last(), Some("[ ] pattern  - eliminated"));
}

#[test]
fn links_are_told_apart_without_colours() {
    let (board, state, step) = found("xy_chain", CHAINED);
    let scene = Scene::of_step(&board, &state, &step);
    assert_eq!(scene.reading, MarkReading::Chain);
    let picture = svg(&board, &scene, &[]);
    let strong = scene.links.iter().filter(|link| link.strong).count();
    assert_eq!(picture.matches("class=\"link\" d=\"M").count(), strong + 1, "one more is in the legend");
    assert_eq!(picture.matches("class=\"link weak\" d=\"M").count(), scene.links.len() - strong + 1);
    assert!(picture.contains(".pinion .weak{stroke-width:1.7;stroke-dasharray"));
    for key in [LegendKey::Strong, LegendKey::Weak, LegendKey::Mark(Mark::Eliminated)] {
        assert!(legend(&board, &scene).iter().any(|(known, _)| *known == key), "{key:?}");
    }
}

#[test]
fn every_picture_is_small_and_whole() {
    let (_, path) = path(WINGED);
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
fn lines_are_wrapped_below_their_words() {
    let line = Line::text("12. ").with(Role::Name, "One two three").with(Role::Plain, " four five six");
    let wrapped: Vec<String> = line.wrapped(16).iter().map(|line| line.to_string().trim_end().to_string()).collect();
    assert_eq!(wrapped, ["12. One two", "    three four", "    five six"]);
    assert_eq!(Line::text("  one two three").wrapped(10).len(), 2);
    assert_eq!(Line::drawing("| 1 2 3 | 4 5 6 |").wrapped(10).len(), 1);
    assert_eq!(Line::text("unbreakable").wrapped(5).len(), 1);
}

#[test]
fn a_story_folds_singles_and_ends_with_the_rating() {
    let (solver, path) = path(WINGED);
    assert_eq!(path.outcome, Outcome::Solved);
    let board = solver.geometry();
    let told = |all_lines| unstyled(&story_lines(board, &path, StoryOptions { all_lines, grids: false, width: 80 }));
    insta::assert_snapshot!(told(false));
    let each = told(true);
    for number in 1..=path.steps.len() {
        assert!(each.contains(&format!("{number}. ")), "{number} is told");
    }
    assert!(!each.contains("singles (to step"));
}

#[test]
fn a_tour_goes_on_and_back_and_says_why() {
    let (solver, path) = path(WINGED);
    let rulebook = Rulebook::embedded();
    let mut tour = Tour::new(&solver, &rulebook, &path);
    let screen = |tour: &Tour<'_>| unstyled(&tour.screen(90, 40));
    assert!(screen(&tour).starts_with("Step 1 of"));
    assert!(tour.execute(TourCommand::NextPattern));
    let hard = screen(&tour);
    assert!(!hard.starts_with("Step 1 of") && !hard.contains("Hidden Single"), "{hard}");
    tour.execute(TourCommand::ToggleWhy);
    let why = screen(&tour);
    assert!(why.contains(", so r") && !why.contains(".pinion"), "plain sentences: {why}");
    tour.execute(TourCommand::ToggleMatches);
    let others = screen(&tour);
    assert!(others.contains("on this position") && others.contains("\n> "), "{others}");
    tour.execute(TourCommand::Down);
    assert_ne!(screen(&tour), others);
    tour.execute(TourCommand::Back);
    tour.execute(TourCommand::Forward);
    assert_eq!(screen(&tour), hard);
    tour.execute(TourCommand::Last);
    assert!(screen(&tour).starts_with("The end"));
    tour.execute(TourCommand::Forward);
    assert!(screen(&tour).starts_with("The end"));
    assert_eq!(tour.screen(30, 10).len(), 10);
    assert!(!tour.execute(TourCommand::Quit));
}

#[test]
fn a_report_is_one_file_with_every_step() {
    let (solver, path) = path(WINGED);
    let board = solver.geometry();
    let one = |note: &str| PagePath::new(board, &path, WINGED.into(), note.into());
    let text = page(board, "Paths of a & b", "default", &[one("</script>"), one("{js}")]);
    for outside in ["http://", "https://", "src=", "href=\"/", "@import", "url(http"] {
        let allowed = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!allowed.contains(outside), "{outside}");
    }
    assert_eq!(text.matches("</script>").count(), 2);
    assert!(text.contains("<title>Paths of a &amp; b</title>"));
    let data = text.split("id=\"data\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("the data");
    let data: serde_json::Value = serde_json::from_str(data).expect("it is JSON");
    assert_eq!(data["puzzles"][1]["note"], "{js}");
    let packed = BASE64.decode(data["puzzles"][0]["path"].as_str().expect("text").as_bytes()).expect("base64");
    let steps = miniz_oxide::inflate::decompress_to_vec(&packed).expect("it was packed");
    let steps: serde_json::Value = serde_json::from_slice(&steps).expect("it is JSON");
    let steps = steps.as_array().expect("a list");
    assert_eq!(steps.len(), path.steps.len() + 1);
    assert!(steps.iter().zip(&path.steps).all(|(shown, step)| shown["name"] == step.name));
    assert!(steps[0]["rows"].as_array().is_some_and(|rows| rows.len() > 9));
}
