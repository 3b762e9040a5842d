//! `pinion rate` and the prices in profiles: ratings, price expressions, and errors in profiles.

use super::{EASY, ONE_WING, exit_code, fresh_folder, json_lines, run, transcript, write_file};

/// The rating that stands after the puzzle, as in `ED=1.2/1.2/1.2`.
fn rating(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    let text = String::from_utf8(output.stdout).expect("text");
    let line = text.lines().find(|line| !line.starts_with('#')).expect("a puzzle");
    line.split_once(' ').expect("a rating").1.to_string()
}

#[test]
fn a_rating_has_three_numbers_and_why_explains_them() {
    assert_eq!(rating(&["rate", EASY]), "ED=1.2/1.2/1.2");
    let why = transcript(&run(&["rate", ONE_WING, "--why"]));
    assert!(why.contains("  ER ") && why.contains("  EP ") && why.contains("  ED "), "{why}");
}

#[test]
fn many_puzzles_are_rated_in_order() {
    let folder = fresh_folder("rate");
    let path = write_file(&folder, "list.txt", format!("{EASY}\nnothing\n{ONE_WING}\n{EASY}\n").repeat(80));
    let output = run(&["rate", &path, "--format", "json"]);
    let records = json_lines(&output);
    assert_eq!(records.len(), 320);
    for (index, record) in records.iter().enumerate() {
        assert_eq!(record["line"].as_u64(), Some(index as u64 + 1));
        assert_eq!(record["status"], if index % 4 == 1 { "unreadable" } else { "solved" });
        assert_eq!(record["with"]["profile"], "explainer");
    }
    assert_eq!(records[0]["rating"], records[3]["rating"]);
    assert_eq!(exit_code(&output), 3);
}

#[test]
fn a_profile_that_adds_prices_has_levels() {
    let rating_text = rating(&["rate", EASY, "--profile", "hodoku"]);
    assert!(rating_text.starts_with("Easy ("), "{rating_text}");
}

#[test]
fn a_price_expression_is_evaluated_or_its_error_is_reported() {
    let folder = fresh_folder("prices");
    let profile = |price: &str| {
        format!(
            "(name: \"mine\", rating: (by: Max, parts: 10), others: Off, rows: [\n  (technique: \"full_house\", first: 3),\n  \
             (technique: \"hidden_single\", first: {price}),\n  (technique: \"naked_single\", first: 20),\n])"
        )
    };
    let valid = write_file(&folder, "plain.ron", profile("[\"12 when #(d in box(c)) = 1\", \"14 + #placed\"]"));
    assert_eq!(rating(&["rate", EASY, "--profile", &valid]).split('/').next_back(), Some("1.2"));
    for (price, code) in [
        ("\"12 + lenght\"", "E0202"),
        ("\"digits(c)\"", "E0701"),
        ("\"#(those e in cells with #digits(e) = 2)\"", "E0702"),
        ("\"above(d, 3)\"", "E0703"),
        ("\"12 when\"", "E0101"),
    ] {
        let invalid = write_file(&folder, "wrong.ron", profile(price));
        let output = run(&["rate", EASY, "--profile", &invalid]);
        assert_eq!(exit_code(&output), 3, "{price}");
        let message = transcript(&output);
        assert!(message.contains(code) && message.contains("wrong.ron:3:"), "{price}: {message}");
    }
    let misspelt = write_file(&folder, "misspelt.ron", profile("\"12 + lenght\""));
    assert!(transcript(&run(&["rate", EASY, "--profile", &misspelt])).contains("did you mean `length`?"));
}

#[test]
fn a_row_that_can_never_be_used_is_reported() {
    let folder = fresh_folder("shadow");
    let text = "(name: \"mine\", rows: [\n  (technique: \"naked_subset\", first: 1),\n  (technique: \"naked_subset\", args: [\"2\"], first: 2),\n])";
    let path = write_file(&folder, "mine.ron", text);
    let message = transcript(&run(&["solve", EASY, "--profile", &path]));
    assert!(message.contains("the row `naked_subset` above takes all of its matches"), "{message}");
}

#[test]
fn check_and_lint_report_errors_in_profiles() {
    let folder = fresh_folder("rate_profiles");
    let rows = |rows: &str| format!("(name: \"mine\", others: Off, rows: [\n{rows}\n])");
    let with_rating = |rating: &str, row: &str| {
        format!("(name: \"mine\", rating: ({rating}), rows: [(technique: \"naked_single\", {row}first: 1)])")
    };
    let shadowed =
        "  (technique: \"naked_subset\", first: 1),\n  (technique: \"naked_subset\", args: [\"2\"], first: 2),";
    let cases = [
        ("good.ron", rows("  (technique: \"naked_single\", first: 1),"), 0, "nothing to mend"),
        ("shadowed.ron", rows(shadowed), 1, "the row `naked_subset` above takes all of its matches"),
        ("unknown.ron", rows("  (technique: \"no_such\", first: 1),"), 1, "no rule `no_such` yet"),
        ("price.ron", rows("  (technique: \"naked_single\", first: \"digits(c)\"),"), 1, "E0701"),
        ("order.ron", rows("  (technique: \"naked_single\", order: \"since(c)\", first: 1),"), 1, "E0703"),
        (
            "called.ron",
            rows("  (technique: \"Unique Rectangle Type 1\", first: 1),"),
            1,
            "row of `Unique Rectangle Type 1` can never be used: `Unique Rectangle Type 1` is a name of steps of",
        ),
        ("spelled.ron", rows("  (technique: \"Naked Single\", first: 1),"), 0, "nothing to mend"),
        ("broken.ron", "(name: 1".to_string(), 1, "the profile cannot be read"),
        ("unquoted.ron", rows("  (technique: \"aic\", first: 20 + length),"), 1, "expressions stand in quotes"),
        (
            "fall.ron",
            with_rating("levels: [(\"a\", 60), (\"b\", 20)]", ""),
            1,
            "fall.ron:1:46: the level `b` ends at 20",
        ),
        ("open.ron", with_rating("levels: [(\"a\", None), (\"b\", 20)]", ""), 1, "the level `a` has no end"),
        (
            "level.ron",
            with_rating("levels: [(\"a\", 60)]", "level: \"c\", "),
            1,
            "which the rating does not have; there are a",
        ),
    ];
    for (name, text, exit, message) in cases {
        let path = write_file(&folder, name, text);
        for command in ["check", "lint"] {
            let output = run(&[command, &path]);
            assert_eq!(exit_code(&output), exit, "{command} {name}: {}", transcript(&output));
            assert!(transcript(&output).contains(message), "{command} {name}: {}", transcript(&output));
        }
        let record = &json_lines(&run(&["check", &path, "--format", "json"]))[0];
        assert_eq!(
            record["never_used"].as_array().map(Vec::len),
            Some(usize::from(message.contains("row") || message.contains("no rule")))
        );
    }
}

/// The first row has a price only for full houses in an empty house, so the second row takes all others.
#[test]
fn a_row_with_conditions_leaves_other_matches_to_later_rows() {
    let text = "(name: \"mine\", others: Off, rows: [\n  (technique: \"full_house\", first: \"5 when #cells(h) = 9\"),\n  \
                (technique: \"full_house\", first: 2),\n  (technique: \"hidden_single\", first: 1),\n])";
    let path = write_file(&fresh_folder("conditions"), "mine.ron", text);
    let output = run(&["solve", EASY, "--profile", &path, "--format", "json"]);
    let record = &json_lines(&output)[0];
    let costs: Vec<_> = record["result"]["steps"].as_array().expect("steps").iter().map(|step| &step["cost"]).collect();
    assert!(costs.iter().all(|cost| **cost == 1 || **cost == 2), "{costs:?}");
    assert!(costs.iter().any(|cost| **cost == 2), "{costs:?}");
}

/// With `since(digits, c)`, the single whose candidates were eliminated first is taken first.
#[test]
fn an_order_can_use_the_time_of_eliminations() {
    let profile = |order: &str| {
        let text = format!(
            "(name: \"mine\", others: Off, rows: [\n  (technique: \"naked_single\", order: {order}, first: 1),\n  \
             (technique: \"hidden_single\", first: 1),\n])"
        );
        write_file(&fresh_folder("orders"), "mine.ron", text)
    };
    // Both r1c4 and r4c1 have one candidate. r4c1 was the second to lose its other candidates.
    let puzzle = "123.341..1.....1";
    let first_deduction = |order: &str| {
        let output = run(&["hint", puzzle, "--unchecked", "--profile", &profile(order), "--format", "json"]);
        json_lines(&output)[0]["result"]["deductions"].as_str().expect("a step").to_string()
    };
    let (earliest, latest) = (first_deduction("\"since(digits, c)\""), first_deduction("\"100 - since(digits, c)\""));
    assert_ne!(earliest, latest);
    assert_eq!(
        first_deduction("[\"2\", \"100 - since(digits, c)\"]"),
        latest,
        "the second expression decides if the first one is equal"
    );
}

/// `alike` groups matches and keeps the first of each group. If that match has no price, the group has no step.
#[test]
fn only_the_first_of_matches_that_are_alike_counts() {
    let folder = fresh_folder("alike");
    let first_technique = |order: &str| {
        let text = format!(
            "(name: \"mine\", others: Off, rows: [\n  (technique: \"naked_single\", alike: (by: [\"1\"], order: \"{order}\"), \
             first: \"1 when cell(c, 1) > 4\"),\n  (technique: \"hidden_single\", first: 2),\n])"
        );
        let path = write_file(&folder, "mine.ron", text);
        let output = run(&["hint", "123.341..1.....1", "--unchecked", "--profile", &path, "--format", "json"]);
        json_lines(&output)[0]["result"]["technique"].as_str().expect("a step").to_string()
    };
    assert_eq!(first_technique("cell(c, 1)"), "hidden_single", "r1c4 is the first match and has no price");
    assert_eq!(first_technique("100 - cell(c, 1)"), "naked_single", "r4c1 is the first match and has a price");
}

#[test]
fn a_profile_can_name_an_expression() {
    let folder = fresh_folder("named");
    let profile = |named: &str| {
        let rows = "rows: [\n  (technique: \"naked_single\", first: \"2 + far\"),\n]";
        write_file(&folder, "mine.ron", format!("(name: \"mine\", others: Off, named: {{{named}}}, {rows})"))
    };
    let output = run(&[
        "hint",
        "123.341..1.....1",
        "--unchecked",
        "--profile",
        &profile("\"far\": \"product(5, #c)\""),
        "--format",
        "json",
    ]);
    assert_eq!(json_lines(&output)[0]["result"]["cost"], 7);
    let invalid = [
        ("\"far\": \"#s\"", "`far` of the profile cannot be used here: nothing here is called `s`"),
        ("\"far\": \"far + 1\"", "nothing here is called `far`"),
        ("\"far\": \"1 when #c = 1\"", "an expression with a name has no `when`"),
        ("\"near\": \"1\"", "nothing here is called `far`"),
        ("\"length\": \"1\"", "`length` is a word of the language"),
        ("\"far away\": \"1\"", "`far away` cannot stand in a price"),
    ];
    for (named, message) in invalid {
        let output = transcript(&run(&["check", &profile(named)]));
        assert!(output.contains(message), "{named}: {output}");
    }
}

/// With `eliminates: true`, a row makes only the eliminations of a match, and another row later places the digit.
#[test]
fn a_row_can_be_limited_to_eliminations() {
    let profile = |option: &str| {
        format!(
            "(name: \"mine\", others: Off, rows: [\n  (technique: \"naked_single\", first: 1),\n  \
             (technique: \"hidden_single\", {option}first: 2),\n])"
        )
    };
    let folder = fresh_folder("eliminates");
    let steps = |option: &str| {
        let path = write_file(&folder, "mine.ron", profile(option));
        let puzzle = "000000010400000000020000000000050407008000300001090000300400200050100000000806000";
        let output = run(&["solve", puzzle, "--profile", &path, "--format", "json"]);
        json_lines(&output)[0]["result"]["steps"].as_array().expect("steps").clone()
    };
    let (with_placements, eliminations_only) = (steps(""), steps("eliminates: true, "));
    assert!(eliminations_only.len() > with_placements.len());
    let hidden_singles: Vec<_> = eliminations_only.iter().filter(|step| step["technique"] == "hidden_single").collect();
    assert!(!hidden_singles.is_empty());
    assert!(hidden_singles.iter().all(|step| step["placements"].as_array().is_some_and(Vec::is_empty)));
}

#[test]
fn a_price_can_use_the_positions_of_cells_and_combine_numbers() {
    let folder = fresh_folder("places");
    let profile = |price: &str| {
        let text =
            format!("(name: \"mine\", others: Off, rows: [\n  (technique: \"naked_single\", first: \"{price}\"),\n])");
        write_file(&folder, "mine.ron", text)
    };
    let cost = |price: &str| {
        let puzzle = "123.341..1.....1";
        let output = run(&["hint", puzzle, "--unchecked", "--profile", &profile(price), "--format", "json"]);
        json_lines(&output)[0]["result"]["cost"].as_u64()
    };
    // The match is in r1c4. Its rank is 15: of the subsets of row 1 in alphabetical order, 8 begin with r1c1, 4 with r1c2, 2 with r1c3.
    for (price, number) in [
        ("rank(c)", 15),
        ("rank(row(c))", 4),
        ("cell(c, 1)", 4),
        ("cell(c, 2)", 0),
        ("product(3, #d + 1)", 6),
        ("least(7, 5, 9)", 5),
        ("most(7, 5, 9)", 9),
        ("product(1000000, 1000000)", u64::from(u32::MAX)),
        ("product(1000000, 1000000, 1000000, 1000000) + 1", u64::from(u32::MAX)),
        ("1 - product(1000000, 1000000, 1000000, 1000000) - 4", 0),
    ] {
        assert_eq!(cost(price), Some(number), "{price}");
    }
    for price in ["least(7)", "product(c, 2)", "digit(c, 1)"] {
        let message = transcript(&run(&["check", &profile(price)]));
        assert!(message.contains("E0703"), "{price}: {message}");
    }
}

/// `returns` counts the nodes of a chain that revisit a cell.
#[test]
fn a_price_can_count_the_returns_of_a_chain() {
    let folder = fresh_folder("returns");
    let grid = "1 2 39 45 356 46 7 89 689  45 45 6 7 8 9 1 2 3  7 8 39 1 36 2 45 569 469  24 46 1 58 57 78 23 369 269  \
                 258 3 28 69 19 16 25 4 7  9 56 7 2 4 3 8 56 1  3 7 5 489 29 48 6 1 248  6 9 28 348 12 17 234 378 5  \
                 28 1 4 36 67 5 9 37 28";
    for (price, number) in [("100 + returns", 100), ("100 - returns", 98)] {
        let text = format!(
            "(name: \"mine\", others: Off, rows: [\n  (technique: \"nice_loop\", list: \"all\", first: \"{price}\"),\n])"
        );
        let output = run(&["hint", grid, "--profile", &write_file(&folder, "mine.ron", text), "--format", "json"]);
        assert_eq!(json_lines(&output)[0]["result"]["cost"], number, "{price}");
    }
}
