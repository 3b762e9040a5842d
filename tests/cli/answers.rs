//! Answers of the commands: each line once, limits of each technique, names of several rules, mistakes of a player, ratings of
//! puzzles with several solutions, counts of solutions and canonical forms.

use super::{exit_code, fresh_folder, json_output, run, run_with, transcript, write_file};
use fastrand::Rng;
use std::collections::BTreeSet;

/// Two rules of one name find the same lines here.
const DOUBLED: &str = "\
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
/// It has a bent set of four cells after some steps.
const HARD: &str = "139005608720090010400001090001600900003008001070002030084000179002007000007009254";
const CLUES: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

#[test]
fn each_line_is_found_once() {
    let output = run_with(
        &["find", "-", "--technique", "Grouped Discontinuous Nice Loop", "--most", "1000"],
        DOUBLED.as_bytes(),
    );
    let text = transcript(&output);
    let lines: Vec<&str> = text.lines().filter(|line| line.contains(" => ")).collect();
    assert_eq!(lines.iter().collect::<BTreeSet<_>>().len(), lines.len());
    let path = write_file(&fresh_folder("answers_doubled"), "grid.txt", DOUBLED);
    let record =
        json_output(&run(&["find", &path, "--technique", "Grouped Discontinuous Nice Loop", "--format", "json"]));
    let steps = record["result"]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), lines.len());
    let copies = record["result"]["also_found_by"].as_array().expect("copies");
    assert!(!copies.is_empty());
    for copy in copies {
        let step = &steps[copy["step"].as_u64().expect("a number") as usize - 1];
        assert_ne!(step["technique"], copy["technique"]);
    }
}

#[test]
fn comparing_counts_the_lines_of_a_search() {
    let path = write_file(&fresh_folder("answers_compared"), "grid.txt", DOUBLED);
    for name in ["Grouped Discontinuous Nice Loop", "grouped_aic"] {
        let found = json_output(&run(&["find", &path, "--technique", name, "--format", "json"]));
        let compared =
            json_output(&run(&["compare", name, "--on", &path, "--every", "9999", "--no-proof", "--format", "json"]));
        let steps = found["result"]["steps"].as_array().expect("steps").len();
        assert!(steps > 0 && compared["techniques"][0]["matches"] == steps, "{name}: {steps}\n{compared}");
    }
}

#[test]
fn each_technique_has_a_limit_of_its_own() {
    let path = write_file(&fresh_folder("answers_limit"), "grid.txt", DOUBLED);
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
fn a_name_of_several_rules_means_all_of_them() {
    let proved = transcript(&run(&["prove", "WXYZ-Wing"]));
    assert!(proved.contains("bent_set(4)") && proved.contains("pivot_wing(4)"), "{proved}");
    for spelling in ["WXYZ-Wing", "wxyz wing", "WXYZ_WING"] {
        let found = transcript(&run(&["find", HARD, "--after", "7", "--technique", spelling]));
        assert!(found.contains("Bent Quad"), "{spelling}: {found}");
    }
    // An id as it is written is one rule.
    assert!(!transcript(&run(&["find", HARD, "--after", "7", "--technique", "pivot_wing(4)"])).contains("Bent Quad"));
}

#[test]
fn a_wrong_digit_is_named() {
    let wrong = CLUES.replacen("53.", "53+1", 1);
    let words = "r1c3 is not 1 (the clues alone have one solution)";
    for command in ["solve", "hint"] {
        let output = run(&[command, &wrong]);
        assert!(exit_code(&output) == 4 && transcript(&output).contains(words), "{command}: {}", transcript(&output));
    }
    for command in ["find", "why"] {
        let text = transcript(&run(&[command, &wrong, "--technique", "hidden_single"]));
        assert!(text.contains(words), "{command}: {text}");
    }
    assert!(transcript(&run(&["hint", &wrong, "--unchecked"])).contains(words));
    let moved = transcript(&run(&["explain-move", CLUES, &wrong, "--profile", "basic"]));
    assert!(moved.contains("r1c3 is not 1 (the first grid has one solution)"), "{moved}");
    let record = json_output(&run(&["find", &wrong, "--technique", "hidden_single", "--format", "json"]));
    assert!(record["message"].as_str().is_some_and(|message| message.contains(words)));
    // Two of them, and a removed candidate.
    let two = CLUES.replacen("53..", "53+1+2", 1);
    assert!(transcript(&run(&["hint", &two])).contains("r1c3 is not 1; r1c4 is not 2"));
    let removed = format!("{}:413", CLUES.replacen("53..7", "53.+67", 1));
    assert!(transcript(&run(&["hint", &removed])).contains("r1c3 is 4, but 4 was removed there"));
}

#[test]
fn digits_of_a_puzzle_with_several_solutions_are_judged_too() {
    // No solution of these clues has an 8 in r2c1.
    let wrong = format!("{}+8{}", &TEN_SOLUTIONS[..9], &TEN_SOLUTIONS[10..]);
    let text = transcript(&run(&["hint", &wrong]));
    assert!(text.contains("r2c1 is not 8 (in every solution of the clues alone)"), "{text}");
}

#[test]
fn a_puzzle_with_several_solutions_is_rated_up_to_what_they_share() {
    let refused = transcript(&run(&["rate", TEN_SOLUTIONS]));
    assert!(refused.contains("this puzzle has 10 solutions"), "{refused}");
    let output = run(&["rate", TEN_SOLUTIONS, "--unchecked"]);
    let text = transcript(&output);
    assert!(exit_code(&output) == 0 && text.contains("one solution is not assumed"), "{text}");
    assert!(text.contains("ED=7.2/2.0/2.0 (several solutions: rated up to what all of them share)"), "{text}");
    let record = json_output(&run(&["rate", TEN_SOLUTIONS, "--unchecked", "--format", "json"]));
    assert!(record["status"] == "shared" && record["rating"] == "7.2", "{record}");
}

#[test]
fn a_puzzle_of_candidates_is_rated_as_it_is() {
    let output = run_with(&["rate", "-", "--format", "json"], DOUBLED.as_bytes());
    assert_eq!(json_output(&output)["puzzle"].as_str().map(str::len), Some(729));
}

#[test]
fn solutions_are_counted_and_superfluous_clues_are_named() {
    let record = json_output(&run(&["convert", TEN_SOLUTIONS, "--count", "--clues", "--format", "json"]));
    let about = &record["result"];
    assert!(about["solutions"] == 10 && about["solutions_exact"] == true && about["superfluous"].is_null(), "{about}");
    assert!(transcript(&run(&["convert", TEN_SOLUTIONS, "--count=9"])).contains("more than 9 solutions"));
    let about = &json_output(&run(&["convert", CLUES, "--clues", "--format", "json"]))["result"];
    let names: Vec<&str> =
        about["superfluous"].as_array().expect("clues").iter().filter_map(|one| one.as_str()).collect();
    assert!(about["minimal"] == false && names.contains(&"r1c1=5"));
    let without = CLUES.replacen('5', ".", 1);
    assert_eq!(json_output(&run(&["convert", &without, "--count", "--format", "json"]))["result"]["solutions"], 1);
    let solved = transcript(&run(&["solve", CLUES, "--summary", "--clues", "--canonical"]));
    assert!(solved.contains("r1c1=5") && solved.contains("Canonical form: ...."), "{solved}");
}

/// Rearranges a puzzle in a way that keeps boxes of `height` rows and `width` columns.
fn rearranged(puzzle: &str, (height, width): (usize, usize), chance: &mut Rng) -> String {
    let size = height * width;
    let mut order = |step: usize| {
        let mut groups: Vec<Vec<usize>> = (0..size).collect::<Vec<_>>().chunks(step).map(<[_]>::to_vec).collect();
        chance.shuffle(&mut groups);
        groups.iter_mut().for_each(|group| chance.shuffle(group));
        groups.concat()
    };
    let (rows, columns) = (order(height), order(width));
    let mut digits: Vec<char> = "123456789".chars().take(size).collect();
    chance.shuffle(&mut digits);
    let turned = height == width && chance.bool();
    let cells: Vec<char> = puzzle.chars().collect();
    let cell = |row: usize, column: usize| {
        let (row, column) = if turned { (columns[column], rows[row]) } else { (rows[row], columns[column]) };
        cells[row * size + column]
            .to_digit(10)
            .filter(|&digit| digit > 0)
            .map_or('.', |digit| digits[digit as usize - 1])
    };
    (0..size * size).map(|at| cell(at / size, at % size)).collect()
}

#[test]
fn rearranged_puzzles_have_one_canonical_form() {
    let mut chance = Rng::with_seed(7);
    let one = format!("5{}", ".".repeat(80));
    for (puzzle, boxes) in [
        (CLUES, (3, 3)),
        (TEN_SOLUTIONS, (3, 3)),
        (&one, (3, 3)),
        ("000000010400000000020000000000050407008000300001090000300400200050100000000806000", (3, 3)),
        ("12..3.......4..1", (2, 2)),
        ("1......2......3......4......5......6", (2, 3)),
    ] {
        let puzzles: String = (0..30).map(|_| rearranged(puzzle, boxes, &mut chance) + "\n").collect();
        let output = run_with(&["convert", "-", "--canonical"], puzzles.as_bytes());
        let text = String::from_utf8(output.stdout).expect("text");
        let forms: BTreeSet<&str> = text.lines().collect();
        assert!(forms.len() == 1 && text.lines().count() == 30, "{puzzle}: {text}");
        // The form is one of the arrangements, no greater than any of them, and its own form.
        let form = text.lines().next().expect("a form");
        let plain = |text: &str| text.replace('.', "0");
        assert!(puzzles.lines().all(|one| plain(form) <= plain(one)));
        assert!(transcript(&run(&["convert", form, "--canonical"])).contains(form));
    }
    // Another puzzle has another form.
    let other = CLUES.replacen('5', ".", 1);
    assert_ne!(
        transcript(&run(&["convert", &other, "--canonical"])),
        transcript(&run(&["convert", CLUES, "--canonical"]))
    );
}

/// On every other board the message says which boards have one.
#[test]
fn boards_without_a_canonical_form_are_refused() {
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
        let refused = run(&["convert", &puzzle, "--canonical", "--board", board]);
        let words = format!("no canonical form on the board {board}: boards of 4×4, 6×6, 8×8 and 9×9 have one");
        assert!(exit_code(&refused) == 1 && transcript(&refused).contains(&words), "{}", transcript(&refused));
    }
    let regions: String = (0..81).map(|cell| char::from(b'1' + (cell % 9 / 3 * 3 + cell / 27) as u8)).collect();
    let swapped: String = regions
        .char_indices()
        .map(|(at, sign)| match at {
            2 => '4',
            3 => '1',
            _ => sign,
        })
        .collect();
    let refused = run(&["convert", &format!("1{} {swapped}", ".".repeat(80)), "--canonical"]);
    assert!(
        exit_code(&refused) == 1 && transcript(&refused).contains("on the board 9x9 jigsaw"),
        "{}",
        transcript(&refused)
    );
}
