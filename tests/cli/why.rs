//! `pinion why` explains a match, `pinion why-not` explains why a rule does not match.

use super::{
    EASY, MANY_WINGS, NEAR_WING, assert_output, assert_prints, exit_code, fresh_folder, json_output, run, transcript,
    wing_position, write_file,
};

const RULE: &str = "\
/// Whichever of its three candidates the pivot takes, z is in one of the three cells.
technique three_cells \"Three Cells\" {
  pivot: cell = {x, y, z}
  first: cell = {x, z} sees pivot
  second: cell = {y, z} sees pivot
  conclude some z in pivot, first, second
}
";

#[test]
fn a_match_is_explained_line_by_line() {
    let output = run(&["why", MANY_WINGS, "--technique", "pivot wing"]);
    assert_eq!(exit_code(&output), 0);
    insta::assert_snapshot!("why", transcript(&output));
    let chain = transcript(&run(&["why", MANY_WINGS, "--technique", "xy_chain", "--at", "2"]));
    insta::assert_snapshot!("why_chain", chain.lines().take(16).collect::<Vec<_>>().join("\n"));
}

/// With `one step per q`, each conclusion `q` of the suppositions is a step with one elimination or placement.
#[test]
fn one_step_per_literal_has_one_effect() {
    let folder = fresh_folder("why_literal");
    let rule = "technique both \"Both\" {\n  p: candidate\n  suppose p, or not p using singles, all imply q\n  conclude q\n  one step per PER\n}\n";
    let rule_with_steps_per = |per: &str| write_file(&folder, &format!("{per}.pinion"), rule.replace("PER", per));
    let matches =
        run(&["find", MANY_WINGS, "--rules", &rule_with_steps_per("q"), "--technique", "both", "--format", "json"]);
    let record = json_output(&matches);
    let steps = record["result"]["steps"].as_array().expect("steps");
    assert!(steps.len() > 10, "{record}");
    for step in steps {
        let count = |key: &str| step[key].as_array().map_or(0, Vec::len);
        assert_eq!(count("eliminations") + count("placements"), 1, "{step}");
    }
    let why = transcript(&run(&[
        "why",
        MANY_WINGS,
        "--rules",
        &rule_with_steps_per("q"),
        "--technique",
        "both",
        "--at",
        "1",
        "--lines",
    ]));
    assert!(why.contains("q = "), "{why}");
    assert!(!why.contains("= nothing"), "{why}");
    // A step shows each contradiction once.
    let matches = transcript(&run(&["find", MANY_WINGS, "--rules", &rule_with_steps_per("p"), "--technique", "both"]));
    let mut contradictions = Vec::new();
    for line in matches.lines() {
        if line.starts_with("Both") {
            contradictions.clear();
        } else if line.ends_with(": a contradiction") {
            assert!(!contradictions.contains(&line), "{line}");
            contradictions.push(line);
        }
    }
    assert!(!contradictions.is_empty(), "{matches}");
}

#[test]
fn why_explains_the_first_match_of_the_path() {
    let value = json_output(&run(&["why", EASY, "--technique", "full_house", "--format", "json"]));
    let result = &value["result"];
    assert!(result["after_steps"].as_u64().is_some_and(|steps| steps > 0), "{result}");
    let after_these_steps =
        run(&["why", EASY, "--technique", "full_house", "--after", &result["after_steps"].to_string()]);
    assert_eq!(exit_code(&after_these_steps), 0);
    assert!(transcript(&after_these_steps).contains(result["why"]["shows"].as_str().expect("text")));
    let missing_match = run(&["why", MANY_WINGS, "--technique", "xyz_wing", "--at", "99"]);
    assert_output(&missing_match, 1, "There is no match 99");
    assert_eq!(exit_code(&run(&["why", MANY_WINGS, "--technique", "no such thing"])), 2);
}

#[test]
fn why_not_names_the_candidate_that_prevents_a_match() {
    let folder = fresh_folder("why_not");
    let (grid, rule) = (write_file(&folder, "grid.txt", NEAR_WING), write_file(&folder, "rule.pinion", RULE));
    let output = run(&["why-not", &grid, "--rules", &rule, "--technique", "three_cells", "--elim", "r3c4<>2"]);
    assert_eq!(exit_code(&output), 0);
    insta::assert_snapshot!("why_not", transcript(&output));
    let on_these_cells =
        run(&["why-not", &grid, "--rules", &rule, "-t", "three_cells", "--on", "r2c46,r8c4", "--no-proof"]);
    assert_prints(&on_these_cells, "Without 8 in r2c4 this would show r3c4<>2.");
}

#[test]
fn why_not_shows_the_requirements_that_are_met_without_a_near_miss() {
    let folder = fresh_folder("why_not_far");
    let (grid, rule) = (write_file(&folder, "grid.txt", NEAR_WING), write_file(&folder, "rule.pinion", RULE));
    let ask = |technique: &str, options: &[&str]| {
        let args = ["why-not", &grid, "--rules", &rule, "--no-proof", "-t", technique];
        transcript(&run(&[&args[..], options].concat()))
    };
    let outputs = [
        // A condition on variables that are already bound.
        ask("two_string_kite", &["--elim", "r1c1<>5"]),
        // A number of candidates, before the digits are bound.
        ask("three_cells", &["--elim", "r9c5<>3"]),
        // An indexed variable.
        ask("pivot_wing(6)", &[]),
        // A chain.
        ask("nice_loop", &["--elim", "r1c1<>5"]),
    ];
    insta::assert_snapshot!("why_not_far", outputs.join("\n"));
}

#[test]
fn unsupported_questions_are_reported() {
    let ask = |options: &[&str]| {
        transcript(&run(&[&["why-not", MANY_WINGS, "--no-proof", "--technique", "xy_wing"], options].concat()))
    };
    assert!(ask(&["--elim", "r1c1<>3"]).contains("r1c1 is solved: it is 8."));
    assert!(ask(&["--elim", "r4c2=3"]).starts_with("exit 2\n"));
    assert!(ask(&["--on", "here"]).contains("--on takes cells"));
    let output = transcript(&run(&["why-not", MANY_WINGS, "--technique", "siamese_fish"]));
    assert!(output.contains("joins steps of `basic_fish`"), "{output}");
}

#[test]
fn why_not_shows_the_candidate_that_breaks_a_chain() {
    let folder = fresh_folder("why_not_chain");
    // Without 3 in r7c7, the cells r7c9, r7c7 and r9c8 would be a chain.
    let rows = "\
8     16     9    25    127    3    57    57     4
35    2      4    589   789    5789 6     1      378
35    7      135  458   18     6    35    2      9
7     13689  2    689   4      189  359   5689   368
4569  1689   1568 3     16789  2    4579  56789  678
3469  3689   368  689   5      789  1     6789   2
2     5      368  1     3689   89   379   4      67
69    4      7    2569  269    59   8     3      16
1     3689   368  7     3689   489  2     69     5
";
    let grid = write_file(&folder, "grid.txt", rows);
    let output = run(&["why-not", &grid, "-t", "xy_chain", "--elim", "r8c9<>6", "--no-proof", "--most", "2"]);
    insta::assert_snapshot!("why_not_chain", transcript(&output));
}

#[test]
fn the_output_says_that_rules_assuming_one_solution_were_not_searched() {
    let ambiguous = "1...............";
    let find = transcript(&run(&["find", ambiguous]));
    assert!(find.contains("techniques that assume one solution were not looked for"), "{find}");
    assert!(!transcript(&run(&["find", ambiguous, "--no-uniqueness"])).contains("were not looked for"));
    let hint = transcript(&run(&["hint", ambiguous, "--unchecked"]));
    assert!(hint.contains("techniques that assume one solution were not looked for"), "{hint}");
    for command in ["find", "why", "why-not"] {
        let output = transcript(&run(&[command, ambiguous, "-t", "unique_rectangle_3"]));
        assert!(output.contains("this puzzle is not known to have just one"), "{command}: {output}");
    }
}

#[test]
fn the_name_of_a_technique_does_not_select_steps_of_that_name() {
    // Steps of `pivot_wing(3)` are called "XYZ-Wing", too.
    let folder = fresh_folder("exact");
    let puzzle = write_file(&folder, "puzzle.txt", MANY_WINGS);
    for name in ["xyz_wing", "XYZ-Wing"] {
        let audit = json_output(&run(&["audit", &puzzle, "--technique", name, "--format", "json"]));
        let rows: Vec<&str> =
            audit["techniques"].as_array().expect("rows").iter().filter_map(|row| row["technique"].as_str()).collect();
        assert_eq!(rows, ["xyz_wing"], "audit {name}");
        let why = json_output(&run(&["why", &puzzle, "--technique", name, "--format", "json"]));
        assert_eq!(why["result"]["why"]["file"], "rules/wings/xyz_wing.pinion", "why {name}");
        let proofs = transcript(&run(&["prove", name, "--no-cache"]));
        assert!(proofs.contains("xyz_wing") && !proofs.contains("pivot_wing"), "prove {name}: {proofs}");
        let matches = json_output(&run(&[
            "find",
            &write_file(&folder, "wing.txt", wing_position()),
            "-t",
            name,
            "--format",
            "json",
        ]));
        let steps: Vec<&str> = matches["result"]["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .filter_map(|step| step["technique"].as_str())
            .collect();
        assert_eq!(steps, ["xyz_wing"], "find {name}: {matches}");
    }
}

#[test]
fn a_deduction_that_the_rule_cannot_make_is_reported() {
    let args = ["why-not", "12.43.......4..1", "-t", "naked_single", "--place", "r1c3=3 r2c2=4", "--no-proof"];
    let output = transcript(&run(&args));
    assert!(output.contains("anywhere on the grid") && !output.contains(": .\n"), "{output}");
    assert_eq!(exit_code(&run(&["why", EASY, "-t", "naked_single", "--at", "0"])), 2);
    assert_eq!(exit_code(&run(&["explain", "P03"])), 0);
}

#[test]
fn each_conclusion_shows_its_own_effects() {
    let folder = fresh_folder("why_lines");
    let rule = "\
technique two_ends \"Two Ends\" {
  a: cell = {x, y}
  eliminate x from cells seeing a
  eliminate y from cells seeing a
}
";
    let rule = write_file(&folder, "two_ends.pinion", rule);
    let grid = "1   2  34 34\n134 34 1  2\n2   1  34 34\n34  34 2  1\n";
    let grid = write_file(&folder, "grid.txt", grid);
    let why = json_output(&run(&["why", &grid, "--rules", &rule, "-t", "two_ends", "--format", "json"]));
    let lines = why["result"]["why"]["lines"].as_array().expect("lines").clone();
    let facts: Vec<String> = lines[lines.len() - 2..].iter().map(|line| line["facts"][0].to_string()).collect();
    let shows = why["result"]["why"]["shows"].as_str().expect("what it shows");
    assert!(facts.iter().all(|fact| fact.contains("so r") && !fact.contains(shows)), "{facts:?}, {shows}");
    // Each conclusion has the line and the text of the rule.
    let sources: Vec<_> = lines[lines.len() - 2..].iter().map(|line| (&line["line"], &line["text"])).collect();
    assert_eq!(sources[0], (&3.into(), &"eliminate x from cells seeing a".into()));
    assert_eq!(sources[1].0, 4);
}

#[test]
fn why_explains_a_ring() {
    let ring = transcript(&run(&["why", MANY_WINGS, "-t", "broken_wing"]));
    assert!(ring.contains("true and false would alternate"), "{ring}");
}

/// The explanation names cells and houses. It names variables and lines of the rule only with `--lines`.
#[test]
fn explanations_name_cells_and_houses_but_no_variables() {
    let why = |technique: &str, options: &[&str]| {
        transcript(&run(&[&["why", MANY_WINGS, "-t", technique][..], options].concat()))
    };
    let wing = why("w_wing", &[]);
    assert!(wing.contains("  the only places for "), "{wing}");
    let fish = why("basic_fish", &[]);
    assert_eq!(fish.matches(" are parallel\n").count(), 1, "{fish}");
    assert!(fish.matches(" has ").count() > 3, "{fish}");
    let chain = why("aic", &[]);
    assert!(chain.contains(" are different\n") && chain.contains("not both true: both in "), "{chain}");
    let sets = why("als_xz", &[]);
    assert!(sets.contains(" is an almost locked set with ") && sets.contains("  every "), "{sets}");
    for explanation in [wing, fish, chain, sets] {
        assert!(!explanation.contains("require ") && !explanation.contains("rules/"), "{explanation}");
    }
    let with_lines = why("w_wing", &["--lines"]);
    assert!(with_lines.contains("rules/wings/w_wing.pinion  "), "{with_lines}");
    assert!(with_lines.contains("  conclude some "), "{with_lines}");
    let args = ["why-not", MANY_WINGS, "-t", "w_wing", "--no-proof"];
    let without_lines = transcript(&run(&args));
    let has_variables = without_lines.replace("`pinion why`", "").contains('`');
    assert!(without_lines.contains("   missing: ") && !has_variables, "{without_lines}");
    let with_lines = transcript(&run(&[&args[..], &["--lines"]].concat()));
    assert!(with_lines.contains("line ") && with_lines.contains("   The rule with"), "{with_lines}");
}
