//! Boards, regression libraries, technique names of other programs, and techniques that assume one solution.

use super::{
    EASY, ONE_WING, assert_output, exit_code, fresh_folder, json_lines, json_output, run, transcript, write_file,
};

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/libraries/small.txt");

#[test]
fn the_cases_of_a_library_pass_fail_or_are_not_covered() {
    let output = run(&["test", "--library", LIBRARY, "--verbose"]);
    assert_eq!(exit_code(&output), 1);
    insta::assert_snapshot!("library", transcript(&output));
    let passing = run(&["test", "--library", LIBRARY, "--code", "0003", "--code", "0100", "--code", "0001"]);
    assert_eq!(exit_code(&passing), 0, "a case without a rule is no failure: {}", transcript(&passing));
    assert!(transcript(&passing).ends_with("\n2 of 3 passed\n"), "{}", transcript(&passing));
    let verdicts = json_lines(&run(&["test", "--library", LIBRARY, "--format", "json"]));
    assert!(verdicts.iter().all(|case| case["must_not"].is_boolean()), "{verdicts:?}");
    let count = |verdict: &str| verdicts.iter().filter(|case| case["verdict"] == verdict).count();
    assert_eq!((count("passed"), count("failed"), count("not_covered")), (8, 3, 2));
}

#[test]
fn unreadable_libraries_are_reported() {
    let folder = fresh_folder("library");
    let empty_library = write_file(&folder, "empty.txt", "# nothing\n");
    assert_eq!(exit_code(&run(&["test", "--library", &empty_library])), 3);
    let broken_library =
        write_file(&folder, "broken.txt", format!(":0003:5:{EASY}:::599:\n:0003:5:12:::555:\n:0003\n"));
    let output = run(&["test", "--library", &broken_library]);
    assert_eq!(exit_code(&output), 3);
    assert!(
        transcript(&output).contains("0 of 1 passed") && transcript(&output).contains("broken.txt:2:"),
        "{}",
        transcript(&output)
    );
    assert_eq!(exit_code(&run(&["test", "--library", "no-such-file.txt"])), 3);
    assert_eq!(exit_code(&run(&["test", "--code", "0100"])), 2);
}

#[test]
fn a_board_is_given_by_name_or_file() {
    insta::assert_snapshot!("boards", transcript(&run(&["board"])) + &transcript(&run(&["board", "diagonal 6x6"])));
    let folder = fresh_folder("boards");
    let description = "(name: \"mine\", size: 9, extra: [(name: \"middle\", cells: \"r456c456\")])";
    let board_file = write_file(&folder, "mine.ron", description);
    let output = run(&["find", EASY, "--board", &board_file, "--technique", "hidden_single", "--format", "json"]);
    assert_eq!(json_lines(&output)[0]["board"], "mine");
    let bad_board_file = write_file(&folder, "bad.ron", description.replace("r456", "r45"));
    for (argument, expected_exit_code) in
        [(bad_board_file.as_str(), 3), ("no-such.ron", 3), ("hexagonal", 2), ("3x3", 2)]
    {
        let output = run(&["find", EASY, "--board", argument]);
        assert_eq!(exit_code(&output), expected_exit_code, "{}", transcript(&output));
    }
    assert_eq!(exit_code(&run(&["list", "--board", "windoku"])), 0);
    assert_eq!(exit_code(&run(&["prove", "naked_single", "--board", "latin", "--no-cache"])), 0);
}

#[test]
fn steps_name_the_extra_houses_of_a_board() {
    // Eight digits in the first window leave one cell of it.
    let puzzle = [".........", ".123.....", ".456.....", ".78......"].concat() + &".".repeat(45);
    let output = run(&["find", &puzzle, "--board", "windoku", "--technique", "Full House"]);
    assert_output(&output, 0, "window 1");
    assert_eq!(exit_code(&run(&["find", &puzzle, "--technique", "Full House"])), 1, "the standard board has no window");
}

#[test]
fn techniques_are_found_by_names_and_codes_of_other_programs() {
    let by_own_name = run(&["find", ONE_WING, "--technique", "Naked Triple"]);
    for name in ["0201", "Naked Triplet", "naked triples", "NAKED-TRIPLE"] {
        assert_eq!(transcript(&run(&["find", ONE_WING, "--technique", name])), transcript(&by_own_name), "{name}");
    }
    assert_eq!(exit_code(&run(&["find", ONE_WING, "--technique", "Locked Candidates Type 1"])), 0);
    assert_eq!(exit_code(&run(&["find", ONE_WING, "--technique", "SK Loops"])), 2);
    for profile in ["hodoku", "explainer"] {
        let output = run(&["solve", ONE_WING, "--summary", "--profile", profile, "--format", "json"]);
        assert_eq!(exit_code(&output), 0, "{profile}");
        assert!(json_lines(&output)[0]["result"]["cost"]["total"].as_u64() > Some(100), "{profile}");
    }
}

/// A rule that is declared to assume one solution.
const ASSUMING: &str = "technique lone_pair \"Lone Pair\" assuming one solution {\n  h: house\n  d: digit\n  \
    require d in h = {c}\n  place d in c\n}\n";

/// A full grid with different digits in all cells that touch at a corner, without its first twelve cells.
fn anti_king_puzzle() -> String {
    let digit = |cell: usize| (3 * (cell / 9) + cell / 27 + cell % 9) % 9 + 1;
    (0..81).map(|cell| if cell < 12 { ".".to_string() } else { digit(cell).to_string() }).collect()
}

#[test]
fn techniques_that_assume_one_solution_need_a_puzzle_with_one_solution() {
    let rules = write_file(&fresh_folder("assuming"), "lone.pinion", ASSUMING);
    let find = |puzzle: &str, options: &[&str]| {
        run(&[&["find", puzzle, "--technique", "Lone Pair", "--rules", &rules], options].concat())
    };
    assert_eq!(exit_code(&find(EASY, &[])), 0);
    let ambiguous = format!("{}{}", &EASY[..60], ".".repeat(21));
    let outputs = [
        transcript(&find(EASY, &["--no-uniqueness"])),
        transcript(&find(&ambiguous, &[])),
        transcript(&find(&anti_king_puzzle(), &["--board", "anti-king"])).replace(&rules, "lone.pinion"),
    ];
    insta::assert_snapshot!("assuming", outputs.join("\n"));
    // The clues decide: they have several solutions, also if a candidate was deleted.
    let with_deleted_candidate = format!("{ambiguous}:116 ");
    assert_eq!(exit_code(&find(&with_deleted_candidate, &[])), 2);
    // With `--unchecked` the number of solutions is unknown, so the technique is not used.
    let profile = write_file(
        &fresh_folder("only"),
        "only.ron",
        "(name: \"only\", others: Off, rows: [(technique: \"lone_pair\")])",
    );
    let solve = |options: &[&str]| {
        run(&[&["solve", EASY, "--rules", &rules, "--profile", &profile, "--format", "json"], options].concat())
    };
    let steps = |options: &[&str]| json_lines(&solve(options))[0]["result"]["steps"].as_array().map(Vec::len);
    assert!(steps(&[]) > Some(10));
    assert_eq!((steps(&["--no-uniqueness"]), steps(&["--unchecked"])), (Some(0), Some(0)));
}

#[test]
fn the_error_for_a_technique_of_larger_boards_names_the_board() {
    let find = |name: &str| transcript(&run(&["find", EASY, "--technique", name]));
    let output = find("Naked Set of 7");
    assert!(output.contains("it is left out on this board"), "{output}");
    let output = find("Naked Set of 70");
    assert!(output.contains("no technique is called"), "{output}");
}

/// A rule that needs a house besides rows, columns and boxes.
const WINDOW: &str = "\
/// A digit with one cell left in a window.
technique window_single \"Window Single\" {
  w: house in houses - lines - boxes
  d: digit
  require d in w = {P}
  place d in P
}
";

#[test]
fn a_rule_for_windoku_is_hunted_tested_and_proved_on_windoku() {
    let folder = fresh_folder("window");
    let rule = write_file(&folder, "window.pinion", WINDOW);
    assert!(transcript(&run(&["prove", &rule, "--no-cache"])).contains("its pattern cannot occur on 9x9"));
    let hunt = run(&["hunt", "--rules", &rule, "--technique", "window_single", "--board", "windoku", "--most", "9"]);
    assert_eq!(exit_code(&hunt), 0, "{}", transcript(&hunt));
    let blocks = String::from_utf8(hunt.stdout).expect("text");
    assert!(blocks.contains("{\n  board \"windoku\"\n  grid"), "{blocks}");
    write_file(&folder, "window.pinion", format!("{WINDOW}\n{blocks}"));
    for command in [&["test", &rule][..], &["prove", &rule, "--no-cache"]] {
        assert_eq!(exit_code(&run(command)), 0, "{}", transcript(&run(command)));
    }
    write_file(&folder, "window.pinion", format!("{WINDOW}\n{}", blocks.replace("windoku", "windowku")));
    let output = transcript(&run(&["test", &rule]));
    assert!(output.starts_with("exit 1") && output.contains("there is no board `windowku`"), "{output}");
    write_file(&folder, "window.pinion", format!("{WINDOW}\n{}", blocks.replace("  grid", "  board \"9x9\"\n  grid")));
    let output = transcript(&run(&["check", &rule]));
    assert!(output.contains("E0606") && output.contains("has two boards"), "{output}");
}

/// The examples name the board `mine`. Only `--board` says which file describes `mine`.
#[test]
fn a_rule_is_hunted_and_tested_on_a_board_file() {
    let folder = fresh_folder("board_file");
    let rule = write_file(&folder, "window.pinion", WINDOW);
    let windoku = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/boards/windoku.ron");
    let description = std::fs::read_to_string(windoku).expect("a board file").replace("\"windoku\"", "\"mine\"");
    let mine = write_file(&folder, "mine.ron", description);
    let hunt = run(&["hunt", "--rules", &rule, "--technique", "window_single", "--board", &mine, "--most", "9"]);
    let blocks = String::from_utf8(hunt.stdout.clone()).expect("text");
    assert!(blocks.contains("board \"mine\""), "{}", transcript(&hunt));
    write_file(&folder, "window.pinion", format!("{WINDOW}\n{blocks}"));
    let tested = run(&["test", &rule, "--board", &mine]);
    assert_eq!(exit_code(&tested), 0, "{}", transcript(&tested));
    let output = transcript(&run(&["test", &rule]));
    assert!(output.starts_with("exit 1") && output.contains("Give a file with --board"), "{output}");
}

/// The 4×4 puzzle is skipped, because the technique needs a larger board or a puzzle with one solution. The next puzzle is searched.
#[test]
fn a_puzzle_that_cannot_have_the_technique_is_skipped() {
    let puzzles = write_file(&fresh_folder("passed_over"), "two.txt", format!("12..3.......4..1\n{EASY}\n"));
    for (command, technique) in
        [("find", "bug"), ("find", "naked_subset(4)"), ("why", "unique_rectangle"), ("why-not", "bug")]
    {
        let output = run(&[command, &puzzles, "-t", technique, "--format", "json"]);
        let records = json_lines(&output);
        assert_eq!(records.len(), 2, "{}", transcript(&output));
        assert_eq!(records[0]["status"], "passed_over");
        assert!(records[0]["message"].as_str().is_some_and(|message| message.contains(technique)), "{}", records[0]);
        assert_ne!(records[1]["status"], "passed_over");
    }
    assert_eq!(json_lines(&run(&["find", &puzzles, "-t", "no such thing", "--format", "json"])).len(), 0);
}

#[test]
fn an_offset_that_leads_to_no_other_cell_is_refused() {
    let folder = fresh_folder("offsets");
    for offset in ["(0, 0)", "(99, 1)"] {
        let board = write_file(&folder, "board.ron", format!("(name: \"mine\", size: 9, sees: [(1, 2), {offset}])"));
        let output = transcript(&run(&["board", &board]));
        assert!(output.starts_with("exit 3") && output.contains("leads from no cell to another"), "{output}");
    }
}

#[test]
fn find_and_why_search_after_some_steps() {
    let matches = |after: &str| -> Vec<String> {
        let record = json_output(&run(&["find", EASY, "-t", "hidden_single", "--after", after, "--format", "json"]));
        record["result"]["steps"].as_array().expect("steps").iter().map(|step| step["text"].to_string()).collect()
    };
    let (start, later) = (matches("0"), matches("20"));
    assert!(!start.is_empty() && !later.is_empty() && start != later, "{start:?}, {later:?}");
    let why = json_output(&run(&["why", EASY, "-t", "hidden_single", "--after", "20", "--format", "json"]));
    assert_eq!((&why["result"]["after_steps"], &why["result"]["matches"]), (&20.into(), &later.len().into()));
}

/// Some rules are proved only for each board separately. They are left out on a board without recorded proofs, and the output says so.
#[test]
fn rules_that_are_left_out_as_unproved_are_named() {
    let folder = fresh_folder("unproved");
    let board = write_file(&folder, "mine.ron", "(name: \"mine\", size: 9)");
    let list = transcript(&run(&["list", "--board", &board]));
    assert!(list.contains("techniques are not proved on the board mine and are left out"), "{list}");
    let is_unproved_row =
        |line: &str| line.trim_start().starts_with("unproved") && line.contains("almost_locked_candidates");
    assert!(list.lines().any(is_unproved_row) && !transcript(&run(&["list"])).contains("unproved"), "{list}");
    let rulebook = pinion::solve::Rulebook::embedded();
    let technique = rulebook.techniques().iter().find(|rule| rule.id == "almost_locked_candidates").expect("a rule");
    let grid = write_file(&folder, "grid.txt", &technique.examples[0].grid);
    let find = |board: &str| transcript(&run(&["find", &grid, "--board", board, "--technique", &technique.id]));
    let matches = find(&board);
    assert!(matches.contains("Not proved on the board mine: almost_locked_candidates("), "{matches}");
    assert!(!find("9x9").contains("Not proved"));
}

#[test]
fn a_board_name_has_no_signs() {
    for board in ["9x9:-3x-3", "6x6:-2x-3", "+9x+9", "-9", "9x9:+3x3"] {
        let output = run(&["solve", EASY, &format!("--board={board}")]);
        assert!(
            exit_code(&output) == 2 && transcript(&output).contains("there is no board"),
            "{}",
            transcript(&output)
        );
    }
    for board in ["9", "9 x 9", "9X9", "9x9:3x3", "9x9: 3 x 3"] {
        assert_eq!(exit_code(&run(&["solve", EASY, "--board", board])), 0, "{board}");
    }
}

#[test]
fn two_extra_houses_of_a_board_have_different_names() {
    let house = "(name: \"A\", cells: \"r1c1 r2c2 r3c3 r4c4\")";
    let board = format!("(name: \"mine\", size: 4, extra: [{house}, {house}])");
    let path = write_file(&fresh_folder("equal_house_names"), "mine.ron", board);
    let text = transcript(&run(&["board", &path]));
    assert!(text.contains("two extra houses have the name `A`"), "{text}");
}
