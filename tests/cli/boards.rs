//! Boards, libraries, names of other programs and techniques that assume one solution, as users meet them.

use super::{EASY, ONE_WING, exit_code, fresh_folder, json_lines, json_output, run, transcript, write_file};

const LIBRARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/libraries/small.txt");

#[test]
fn a_library_is_run() {
    let output = run(&["test", "--library", LIBRARY, "--verbose"]);
    assert_eq!(exit_code(&output), 1);
    insta::assert_snapshot!("library", transcript(&output));
    let passing = run(&["test", "--library", LIBRARY, "--code", "0003", "--code", "0100", "--code", "0001"]);
    assert_eq!(exit_code(&passing), 0, "what has no rule is no failure: {}", transcript(&passing));
    assert!(transcript(&passing).ends_with("\n2 of 3 passed\n"), "{}", transcript(&passing));
    let verdicts = json_lines(&run(&["test", "--library", LIBRARY, "--format", "json"]));
    let of = |word: &str| verdicts.iter().filter(|case| case["verdict"] == word).count();
    assert_eq!((of("passed"), of("failed"), of("not_covered")), (8, 3, 2));
}

#[test]
fn unreadable_libraries_are_reported() {
    let folder = fresh_folder("library");
    let empty = write_file(&folder, "empty.txt", "# nothing\n");
    assert_eq!(exit_code(&run(&["test", "--library", &empty])), 3);
    let broken = write_file(&folder, "broken.txt", format!(":0003:5:{EASY}:::599:\n:0003:5:12:::555:\n:0003\n"));
    let output = run(&["test", "--library", &broken]);
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
fn boards_have_names_and_files() {
    insta::assert_snapshot!("boards", transcript(&run(&["board"])) + &transcript(&run(&["board", "diagonal 6x6"])));
    let folder = fresh_folder("boards");
    let mine = "(name: \"mine\", size: 9, extra: [(name: \"middle\", cells: \"r456c456\")])";
    let good = write_file(&folder, "mine.ron", mine);
    let output = run(&["find", EASY, "--board", &good, "--technique", "hidden_single", "--format", "json"]);
    assert_eq!(json_lines(&output)[0]["board"], "mine");
    let bad = write_file(&folder, "bad.ron", mine.replace("r456", "r45"));
    for (argument, expected) in [(bad.as_str(), 3), ("no-such.ron", 3), ("hexagonal", 2), ("3x3", 2)] {
        let output = run(&["find", EASY, "--board", argument]);
        assert_eq!(exit_code(&output), expected, "{}", transcript(&output));
    }
    assert_eq!(exit_code(&run(&["list", "--board", "windoku"])), 0);
    assert_eq!(exit_code(&run(&["prove", "naked_single", "--board", "latin", "--no-cache"])), 0);
}

#[test]
fn a_house_of_the_board_is_named_in_steps() {
    // Eight digits in the first window leave one cell of it.
    let window: Vec<String> = [".........", ".123.....", ".456.....", ".78......"].map(str::to_string).to_vec();
    let window = window.concat() + &".".repeat(45);
    let output = run(&["find", &window, "--board", "windoku", "--technique", "Full House"]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    assert!(transcript(&output).contains("window 1"), "{}", transcript(&output));
    assert_eq!(exit_code(&run(&["find", &window, "--technique", "Full House"])), 1, "on the plain board there is none");
}

#[test]
fn names_and_codes_of_other_programs() {
    let own = run(&["find", ONE_WING, "--technique", "Naked Triple"]);
    for name in ["0201", "Naked Triplet", "naked triples", "NAKED-TRIPLE"] {
        assert_eq!(transcript(&run(&["find", ONE_WING, "--technique", name])), transcript(&own), "{name}");
    }
    assert_eq!(exit_code(&run(&["find", ONE_WING, "--technique", "Locked Candidates Type 1"])), 0);
    assert_eq!(exit_code(&run(&["find", ONE_WING, "--technique", "SK Loops"])), 2);
    for profile in ["hodoku", "explainer"] {
        let output = run(&["solve", ONE_WING, "--summary", "--profile", profile, "--format", "json"]);
        assert_eq!(exit_code(&output), 0, "{profile}");
        assert!(json_lines(&output)[0]["result"]["cost"]["total"].as_u64() > Some(100), "{profile}");
    }
}

/// A rule that a puzzle of several solutions makes wrong.
const ASSUMING: &str = "technique lone_pair \"Lone Pair\" assuming one solution {\n  h: house\n  d: digit\n  \
    require d in h = {c}\n  place d in c\n}\n";

/// A shifted square, in which no two cells that touch at a corner are alike, with its first cells empty.
fn shifted() -> String {
    let digit = |cell: usize| (3 * (cell / 9) + cell / 27 + cell % 9) % 9 + 1;
    (0..81).map(|cell| if cell < 12 { ".".to_string() } else { digit(cell).to_string() }).collect()
}

#[test]
fn techniques_that_assume_one_solution() {
    let rules = write_file(&fresh_folder("assuming"), "lone.pinion", ASSUMING);
    let found = |puzzle: &str, more: &[&str]| {
        let all = [&["find", puzzle, "--technique", "Lone Pair", "--rules", &rules], more].concat();
        run(&all)
    };
    assert_eq!(exit_code(&found(EASY, &[])), 0);
    let open = format!("{}{}", &EASY[..60], ".".repeat(21));
    let told = [
        transcript(&found(EASY, &["--no-uniqueness"])),
        transcript(&found(&open, &[])),
        transcript(&found(&shifted(), &["--board", "anti-king"])).replace(&rules, "lone.pinion"),
    ];
    insta::assert_snapshot!("assuming", told.join("\n"));
    // A puzzle that was brought to one solution by hand is still one with several.
    let brought = format!("{open}:116 ");
    assert_eq!(exit_code(&found(&brought, &[])), 2);
    // Such a technique is not used where the number of solutions is not looked at.
    let only = write_file(
        &fresh_folder("only"),
        "only.ron",
        "(name: \"only\", others: Off, rows: [(technique: \"lone_pair\")])",
    );
    let solve = |more: &[&str]| {
        run(&[&["solve", EASY, "--rules", &rules, "--profile", &only, "--format", "json"], more].concat())
    };
    let steps = |more: &[&str]| json_lines(&solve(more))[0]["result"]["steps"].as_array().map(Vec::len);
    assert!(steps(&[]) > Some(10));
    assert_eq!((steps(&["--no-uniqueness"]), steps(&["--unchecked"])), (Some(0), Some(0)));
}

#[test]
fn a_name_of_larger_boards_is_left_out_on_this_board() {
    let find = |name: &str| transcript(&run(&["find", EASY, "--technique", name]));
    let output = find("Naked Set of 7");
    assert!(output.contains("it is left out on this board"), "{output}");
    let output = find("Naked Set of 70");
    assert!(output.contains("no technique is called"), "{output}");
}

/// A house of its own that the plain board has not.
const WINDOW: &str = "\
/// A digit with one place left in a window.
technique window_single \"Window Single\" {
  w: house in houses - lines - boxes
  d: digit
  require d in w = {P}
  place d in P
}
";

#[test]
fn a_rule_for_a_board_is_hunted_tested_and_proved_there() {
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

/// A board of the author's own is named in examples, and given with its file.
#[test]
fn a_rule_is_hunted_and_tested_on_a_board_file() {
    let folder = fresh_folder("board_file");
    let rule = write_file(&folder, "window.pinion", WINDOW);
    let windoku = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/boards/windoku.ron");
    let mine = std::fs::read_to_string(windoku).expect("it is there").replace("\"windoku\"", "\"mine\"");
    let mine = write_file(&folder, "mine.ron", mine);
    let hunt = run(&["hunt", "--rules", &rule, "--technique", "window_single", "--board", &mine, "--most", "9"]);
    let blocks = String::from_utf8(hunt.stdout.clone()).expect("text");
    assert!(blocks.contains("board \"mine\""), "{}", transcript(&hunt));
    write_file(&folder, "window.pinion", format!("{WINDOW}\n{blocks}"));
    assert_eq!(
        exit_code(&run(&["test", &rule, "--board", &mine])),
        0,
        "{}",
        transcript(&run(&["test", &rule, "--board", &mine]))
    );
    let output = transcript(&run(&["test", &rule]));
    assert!(output.starts_with("exit 1") && output.contains("Give a file with --board"), "{output}");
}

/// What lies in one puzzle does not keep the others from being looked at.
#[test]
fn a_puzzle_is_passed_over_and_the_next_is_looked_at() {
    let two = write_file(&fresh_folder("passed_over"), "two.txt", format!("12..3.......4..1\n{EASY}\n"));
    for asked in [["find", "bug"], ["find", "naked_subset(4)"], ["why", "unique_rectangle"], ["why-not", "bug"]] {
        let output = run(&[asked[0], &two, "-t", asked[1], "--format", "json"]);
        let all = json_lines(&output);
        assert_eq!(all.len(), 2, "{}", transcript(&output));
        assert_eq!(all[0]["status"], "passed_over");
        assert!(all[0]["message"].as_str().is_some_and(|words| words.contains(asked[1])), "{}", all[0]);
        assert_ne!(all[1]["status"], "passed_over");
    }
    assert_eq!(json_lines(&run(&["find", &two, "-t", "no such thing", "--format", "json"])).len(), 0);
}

/// An offset that leads nowhere says that something else was meant.
#[test]
fn offsets_lead_to_other_cells() {
    let folder = fresh_folder("offsets");
    for offset in ["(0, 0)", "(99, 1)"] {
        let board = write_file(&folder, "board.ron", format!("(name: \"mine\", size: 9, sees: [(1, 2), {offset}])"));
        let output = transcript(&run(&["board", &board]));
        assert!(output.starts_with("exit 3") && output.contains("leads from no cell to another"), "{output}");
    }
}

#[test]
fn matches_are_found_further_on() {
    let found = |after: &str| {
        let all = json_lines(&run(&["find", EASY, "-t", "hidden_single", "--after", after, "--format", "json"]));
        all[0]["result"]["steps"].as_array().expect("steps").iter().map(|step| step["text"].to_string()).collect()
    };
    let (start, later): (Vec<String>, Vec<String>) = (found("0"), found("20"));
    assert!(!start.is_empty() && !later.is_empty() && start != later, "{start:?}, {later:?}");
    // `why` looks at the same position.
    let why = json_output(&run(&["why", EASY, "-t", "hidden_single", "--after", "20", "--format", "json"]));
    assert_eq!((&why["result"]["after_steps"], &why["result"]["matches"]), (&20.into(), &later.len().into()));
}

/// On a board that nobody has proved anything for, what is proved from the board alone is left out, and that is said.
#[test]
fn unproved_rules_on_a_board_are_named() {
    let folder = fresh_folder("unproved");
    let board = write_file(&folder, "mine.ron", "(name: \"mine\", size: 9)");
    let listed = transcript(&run(&["list", "--board", &board]));
    assert!(listed.contains("techniques are not proved on the board mine and are left out"), "{listed}");
    let unproved = |line: &str| line.trim_start().starts_with("unproved") && line.contains("almost_locked_candidates");
    assert!(listed.lines().any(unproved) && !transcript(&run(&["list"])).contains("unproved"), "{listed}");
    let rulebook = pinion::solve::Rulebook::embedded();
    let technique = rulebook.techniques().iter().find(|one| one.id == "almost_locked_candidates").expect("a rule");
    let grid = write_file(&folder, "grid.txt", &technique.examples[0].grid);
    let find = |board: &str| transcript(&run(&["find", &grid, "--board", board, "--technique", &technique.id]));
    let found = find(&board);
    assert!(found.contains("Not proved on the board mine: almost_locked_candidates("), "{found}");
    assert!(!find("9x9").contains("Not proved"));
}
