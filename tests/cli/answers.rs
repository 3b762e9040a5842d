//! Answers about puzzles: distinct lines of `find`, limits, names that several rules share, wrong digits of a player, ratings of puzzles
//! with several solutions, numbers of solutions, superfluous clues and canonical forms.

use super::{assert_output, exit_code, fresh_folder, json_output, run, run_with, transcript, write_file};
use fastrand::Rng;
use std::collections::BTreeSet;

/// A position in which two rules named `Grouped Discontinuous Nice Loop` find the same lines.
const DUPLICATE_LINES: &str = "\
4678 1678 9 18 5 2 4678 1478 3
4678 2 1678 9 3 148 14678 5 1678
5 18 3 6 7 148 9 148 2
678 678 5 2 168 9 167 3 4
9 3 678 18 4 5 1678 2 1678
1 4 2 7 68 3 5 9 68
368 5 1468 34 18 7 2 148 9
378 9 1478 34 2 18 478 6 5
2 178 1478 5 9 6 3 1478 178
";
const TEN_SOLUTIONS: &str = "......432......716......589...726......451......938...287314695416895327935267148";
/// A puzzle with a `bent_set(4)` after seven steps.
const HARD: &str = "139005608720090010400001090001600900003008001070002030084000179002007000007009254";
const CLUES: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn find_prints_each_line_once() {
    let output = run_with(
        &["find", "-", "--technique", "Grouped Discontinuous Nice Loop", "--most", "1000"],
        DUPLICATE_LINES.as_bytes(),
    );
    let text = transcript(&output);
    let step_lines: Vec<&str> = text.lines().filter(|line| line.contains(" => ")).collect();
    assert_eq!(step_lines.iter().collect::<BTreeSet<_>>().len(), step_lines.len());
    let path = write_file(&fresh_folder("answers_duplicates"), "grid.txt", DUPLICATE_LINES);
    let record =
        json_output(&run(&["find", &path, "--technique", "Grouped Discontinuous Nice Loop", "--format", "json"]));
    let steps = record["result"]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), step_lines.len());
    let duplicates = record["result"]["also_found_by"].as_array().expect("duplicates");
    assert!(!duplicates.is_empty());
    for duplicate in duplicates {
        let step = &steps[duplicate["step"].as_u64().expect("a number") as usize - 1];
        assert_ne!(step["technique"], duplicate["technique"]);
    }
}

#[test]
fn compare_counts_the_matches_that_find_lists() {
    let path = write_file(&fresh_folder("answers_compared"), "grid.txt", DUPLICATE_LINES);
    for name in ["Grouped Discontinuous Nice Loop", "grouped_aic"] {
        let find_record = json_output(&run(&["find", &path, "--technique", name, "--format", "json"]));
        let compare_record =
            json_output(&run(&["compare", name, "--on", &path, "--every", "9999", "--no-proof", "--format", "json"]));
        let steps = find_record["result"]["steps"].as_array().expect("steps").len();
        assert!(steps > 0 && compare_record["techniques"][0]["matches"] == steps, "{name}: {steps}\n{compare_record}");
    }
}

#[test]
fn the_limit_of_find_holds_for_each_technique() {
    let path = write_file(&fresh_folder("answers_limit"), "grid.txt", DUPLICATE_LINES);
    let record = json_output(&run(&["find", &path, "--limit", "2", "--format", "json"]));
    let steps = record["result"]["steps"].as_array().expect("steps");
    let techniques: BTreeSet<&str> = steps.iter().filter_map(|step| step["technique"].as_str()).collect();
    assert!(techniques.len() > 10, "{techniques:?}");
    assert_eq!(record["result"]["not_searched"].as_array().map(Vec::len), Some(0));
    let text = transcript(&run(&["find", &path, "--limit", "2"]));
    for cut in record["result"]["cuts"].as_array().expect("cuts").iter().filter(|cut| cut["limit"] == "Matches") {
        let member = cut["member"].as_str().expect("a name");
        assert!(text.contains(&format!("The search for {member} ended at the limit of 2 matches")), "{member}");
    }
}

#[test]
fn a_name_that_several_rules_share_selects_all_of_them() {
    let proofs = transcript(&run(&["prove", "WXYZ-Wing"]));
    assert!(proofs.contains("bent_set(4)") && proofs.contains("pivot_wing(4)"), "{proofs}");
    for spelling in ["WXYZ-Wing", "wxyz wing", "WXYZ_WING"] {
        let matches = transcript(&run(&["find", HARD, "--after", "7", "--technique", spelling]));
        assert!(matches.contains("Bent Quad"), "{spelling}: {matches}");
    }
    // An id with parameter values selects one rule.
    assert!(!transcript(&run(&["find", HARD, "--after", "7", "--technique", "pivot_wing(4)"])).contains("Bent Quad"));
}

#[test]
fn wrong_digits_and_removed_candidates_are_named() {
    let with_wrong_digit = CLUES.replacen("53.", "53+1", 1);
    let message = "r1c3 is not 1 (the clues alone have one solution)";
    for command in ["solve", "hint"] {
        let output = run(&[command, &with_wrong_digit]);
        assert!(exit_code(&output) == 4 && transcript(&output).contains(message), "{command}: {}", transcript(&output));
    }
    for command in ["find", "why"] {
        let text = transcript(&run(&[command, &with_wrong_digit, "--technique", "hidden_single"]));
        assert!(text.contains(message), "{command}: {text}");
    }
    assert!(transcript(&run(&["hint", &with_wrong_digit, "--unchecked"])).contains(message));
    let explanation = transcript(&run(&["explain-move", CLUES, &with_wrong_digit, "--profile", "basic"]));
    assert!(explanation.contains("r1c3 is not 1 (the first grid has one solution)"), "{explanation}");
    let record = json_output(&run(&["find", &with_wrong_digit, "--technique", "hidden_single", "--format", "json"]));
    assert!(record["message"].as_str().is_some_and(|text| text.contains(message)));
    // Two wrong digits, and a candidate of the solution that was removed.
    let with_two_wrong_digits = CLUES.replacen("53..", "53+1+2", 1);
    assert!(transcript(&run(&["hint", &with_two_wrong_digits])).contains("r1c3 is not 1; r1c4 is not 2"));
    let with_removed_candidate = format!("{}:413", CLUES.replacen("53..7", "53.+67", 1));
    assert!(transcript(&run(&["hint", &with_removed_candidate])).contains("r1c3 is 4, but 4 was removed there"));
}

#[test]
fn a_digit_that_no_solution_has_is_wrong() {
    // No solution of these clues has an 8 in r2c1.
    let with_wrong_digit = format!("{}+8{}", &TEN_SOLUTIONS[..9], &TEN_SOLUTIONS[10..]);
    let text = transcript(&run(&["hint", &with_wrong_digit]));
    assert!(text.contains("r2c1 is not 8 (in every solution of the clues alone)"), "{text}");
}

#[test]
fn a_puzzle_with_several_solutions_is_rated_for_their_common_part() {
    let refusal = transcript(&run(&["rate", TEN_SOLUTIONS]));
    assert!(refusal.contains("this puzzle has 10 solutions"), "{refusal}");
    let output = run(&["rate", TEN_SOLUTIONS, "--unchecked"]);
    let text = transcript(&output);
    assert!(exit_code(&output) == 0 && text.contains("one solution is not assumed"), "{text}");
    assert!(text.contains("ED=7.2/2.0/2.0 (several solutions: rated up to what all of them share)"), "{text}");
    let record = json_output(&run(&["rate", TEN_SOLUTIONS, "--unchecked", "--format", "json"]));
    assert!(record["status"] == "shared" && record["rating"] == "7.2", "{record}");
}

#[test]
fn the_record_of_a_rated_candidate_grid_lists_all_candidates() {
    let output = run_with(&["rate", "-", "--format", "json"], DUPLICATE_LINES.as_bytes());
    assert_eq!(json_output(&output)["puzzle"].as_str().map(str::len), Some(729));
}

#[test]
fn solutions_are_counted_and_superfluous_clues_are_named() {
    let record = json_output(&run(&["convert", TEN_SOLUTIONS, "--count", "--clues", "--format", "json"]));
    let facts = &record["result"];
    assert!(facts["solutions"] == 10 && facts["solutions_exact"] == true && facts["superfluous"].is_null(), "{facts}");
    assert!(transcript(&run(&["convert", TEN_SOLUTIONS, "--count=9"])).contains("more than 9 solutions"));
    let facts = &json_output(&run(&["convert", CLUES, "--clues", "--format", "json"]))["result"];
    let superfluous: Vec<&str> =
        facts["superfluous"].as_array().expect("clues").iter().filter_map(|clue| clue.as_str()).collect();
    assert!(facts["minimal"] == false && superfluous.contains(&"r1c1=5"));
    let without_superfluous_clue = CLUES.replacen('5', ".", 1);
    assert_eq!(
        json_output(&run(&["convert", &without_superfluous_clue, "--count", "--format", "json"]))["result"]["solutions"],
        1
    );
    let summary = transcript(&run(&["solve", CLUES, "--summary", "--clues", "--canonical"]));
    assert!(summary.contains("r1c1=5") && summary.contains("Canonical form: ...."), "{summary}");
}

/// An equivalent puzzle: digits, bands, stacks, and the lines within them are permuted. A puzzle with square boxes may be transposed.
fn rearranged(puzzle: &str, (height, width): (usize, usize), random: &mut Rng) -> String {
    let size = height * width;
    let mut permutation = |band_size: usize| {
        let mut bands: Vec<Vec<usize>> = (0..size).collect::<Vec<_>>().chunks(band_size).map(<[_]>::to_vec).collect();
        random.shuffle(&mut bands);
        bands.iter_mut().for_each(|band| random.shuffle(band));
        bands.concat()
    };
    let (rows, columns) = (permutation(height), permutation(width));
    let mut digits: Vec<char> = "123456789".chars().take(size).collect();
    random.shuffle(&mut digits);
    let is_transposed = height == width && random.bool();
    let cells: Vec<char> = puzzle.chars().collect();
    let cell = |row: usize, column: usize| {
        let (row, column) = if is_transposed { (columns[column], rows[row]) } else { (rows[row], columns[column]) };
        match cells[row * size + column].to_digit(10) {
            None | Some(0) => '.',
            Some(digit) => digits[digit as usize - 1],
        }
    };
    (0..size * size).map(|at| cell(at / size, at % size)).collect()
}

#[test]
fn rearranged_puzzles_have_one_canonical_form() {
    let mut random = Rng::with_seed(7);
    let one_clue = format!("5{}", ".".repeat(80));
    for (puzzle, boxes) in [
        (CLUES, (3, 3)),
        (TEN_SOLUTIONS, (3, 3)),
        (&one_clue, (3, 3)),
        ("000000010400000000020000000000050407008000300001090000300400200050100000000806000", (3, 3)),
        ("12..3.......4..1", (2, 2)),
        ("1......2......3......4......5......6", (2, 3)),
    ] {
        let puzzles: String = (0..30).map(|_| rearranged(puzzle, boxes, &mut random) + "\n").collect();
        let output = run_with(&["convert", "-", "--canonical"], puzzles.as_bytes());
        let text = String::from_utf8(output.stdout).expect("text");
        let forms: BTreeSet<&str> = text.lines().collect();
        assert!(forms.len() == 1 && text.lines().count() == 30, "{puzzle}: {text}");
        // No arrangement comes before the form in alphabetical order, and the form is its own canonical form.
        let form = text.lines().next().expect("a form");
        let with_zeros = |text: &str| text.replace('.', "0");
        assert!(puzzles.lines().all(|arrangement| with_zeros(form) <= with_zeros(arrangement)));
        assert!(transcript(&run(&["convert", form, "--canonical"])).contains(form));
    }
    // Another puzzle has another form.
    let without_first_clue = CLUES.replacen('5', ".", 1);
    assert_ne!(
        transcript(&run(&["convert", &without_first_clue, "--canonical"])),
        transcript(&run(&["convert", CLUES, "--canonical"]))
    );
}

#[test]
fn the_error_for_other_boards_names_the_boards_with_a_canonical_form() {
    let boards = [
        ("10x10", 10),
        ("12x12", 12),
        ("12x12:4x3", 12),
        ("16x16", 16),
        ("25x25", 25),
        ("diagonal", 9),
        ("diagonal 6x6", 6),
        ("windoku", 9),
        ("anti-knight", 9),
        ("anti-king", 9),
        ("latin", 9),
        ("disjoint groups", 9),
    ];
    for (board, size) in boards {
        let puzzle = format!("1{}", ".".repeat(size * size - 1));
        let output = run(&["convert", &puzzle, "--canonical", "--board", board]);
        let message = format!("no canonical form on the board {board}: boards of 4×4, 6×6, 8×8 and 9×9 have one");
        assert_output(&output, 1, &message);
    }
    // The usual boxes, but r1c3 and r1c4 exchange their regions.
    let regions: String = (0..81).map(|cell| char::from(b'1' + (cell % 9 / 3 * 3 + cell / 27) as u8)).collect();
    let jigsaw: String = regions
        .char_indices()
        .map(|(at, region)| match at {
            2 => '4',
            3 => '1',
            _ => region,
        })
        .collect();
    let output = run(&["convert", &format!("1{} {jigsaw}", ".".repeat(80)), "--canonical"]);
    assert_output(&output, 1, "on the board 9x9 jigsaw");
}
