//! Why a rule matches, and why it does not, as authors meet it.

use super::{
    EASY, MANY_WINGS, NEAR_WING, exit_code, fresh_folder, json_output, run, transcript, wing_position, write_file,
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

/// Literals that say that something is false are told apart, and of a literal only what it says is shown.
#[test]
fn a_step_for_each_literal() {
    let folder = fresh_folder("why_literal");
    let rule = "technique both \"Both\" {\n  p: candidate\n  suppose p, or not p using singles, all imply q\n  conclude q\n  one step per PER\n}\n";
    let by = |per: &str| write_file(&folder, &format!("{per}.pinion"), rule.replace("PER", per));
    let found = run(&["find", MANY_WINGS, "--rules", &by("q"), "--technique", "both", "--format", "json"]);
    let record = json_output(&found);
    let steps = record["result"]["steps"].as_array().expect("steps");
    assert!(steps.len() > 10, "{record}");
    for step in steps {
        let count = |what: &str| step[what].as_array().map_or(0, Vec::len);
        assert_eq!(count("eliminations") + count("placements"), 1, "{step}");
    }
    let why =
        transcript(&run(&["why", MANY_WINGS, "--rules", &by("q"), "--technique", "both", "--at", "1", "--lines"]));
    assert!(why.contains("q = "), "{why}");
    assert!(!why.contains("= nothing"), "{why}");
    // A case that falls is told once in a step.
    let found = transcript(&run(&["find", MANY_WINGS, "--rules", &by("p"), "--technique", "both"]));
    let mut told_here = Vec::new();
    for line in found.lines() {
        if line.starts_with("Both") {
            told_here.clear();
        } else if line.ends_with(": a contradiction") {
            assert!(!told_here.contains(&line), "{line}");
            told_here.push(line);
        }
    }
    assert!(!told_here.is_empty(), "{found}");
}

#[test]
fn the_path_is_followed_to_the_first_match() {
    let output = run(&["why", EASY, "--technique", "full_house", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a value");
    let result = &value["result"];
    assert!(result["after_steps"].as_u64().is_some_and(|steps| steps > 0), "{result}");
    let again = run(&["why", EASY, "--technique", "full_house", "--after", &result["after_steps"].to_string()]);
    assert_eq!(exit_code(&again), 0);
    assert!(transcript(&again).contains(result["why"]["shows"].as_str().expect("text")));
    let nothing = run(&["why", MANY_WINGS, "--technique", "xyz_wing", "--at", "99"]);
    assert_eq!(exit_code(&nothing), 1);
    assert!(transcript(&nothing).contains("There is no match 99"), "{}", transcript(&nothing));
    assert_eq!(exit_code(&run(&["why", MANY_WINGS, "--technique", "no such thing"])), 2);
}

#[test]
fn a_planted_fault_is_named_first() {
    let folder = fresh_folder("why_not");
    let (grid, rule) = (write_file(&folder, "grid.txt", NEAR_WING), write_file(&folder, "rule.pinion", RULE));
    let output = run(&["why-not", &grid, "--rules", &rule, "--technique", "three_cells", "--elim", "r3c4<>2"]);
    assert_eq!(exit_code(&output), 0);
    insta::assert_snapshot!("why_not", transcript(&output));
    let on = run(&["why-not", &grid, "--rules", &rule, "-t", "three_cells", "--on", "r2c46,r8c4", "--no-proof"]);
    assert!(transcript(&on).contains("Without 8 in r2c4 this would show r3c4<>2."), "{}", transcript(&on));
}

#[test]
fn how_far_a_rule_gets_is_shown_where_nothing_is_near() {
    let folder = fresh_folder("why_not_far");
    let (grid, rule) = (write_file(&folder, "grid.txt", NEAR_WING), write_file(&folder, "rule.pinion", RULE));
    let ask = |technique: &str, more: &[&str]| {
        let asked = ["why-not", &grid, "--rules", &rule, "--no-proof", "-t", technique];
        transcript(&run(&[&asked[..], more].concat()))
    };
    let all = [
        // A condition on names that are chosen before; a count of letters that have no digits yet; of a family; of a chain.
        ask("two_string_kite", &["--elim", "r1c1<>5"]),
        ask("three_cells", &["--elim", "r9c5<>3"]),
        ask("pivot_wing(6)", &[]),
        ask("nice_loop", &["--elim", "r1c1<>5"]),
    ];
    insta::assert_snapshot!("why_not_far", all.join("\n"));
}

#[test]
fn unsupported_questions_are_reported() {
    let ask = |more: &[&str]| {
        transcript(&run(&[&["why-not", MANY_WINGS, "--no-proof", "--technique", "xy_wing"], more].concat()))
    };
    assert!(ask(&["--elim", "r1c1<>3"]).contains("r1c1 is solved: it is 8."));
    assert!(ask(&["--elim", "r4c2=3"]).starts_with("exit 2\n"));
    assert!(ask(&["--on", "here"]).contains("--on takes cells"));
    let joined = transcript(&run(&["why-not", MANY_WINGS, "--technique", "siamese_fish"]));
    assert!(joined.contains("joins steps of `basic_fish`"), "{joined}");
}

#[test]
fn a_chain_that_one_candidate_breaks_is_shown() {
    let folder = fresh_folder("why_not_chain");
    // The cell r7c7 has 3 as well: without it r7c9, r7c7 and r9c8 are a chain.
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
fn rules_disabled_by_several_solutions_are_named() {
    let many = "1...............";
    let find = transcript(&run(&["find", many]));
    assert!(find.contains("techniques that assume one solution were not looked for"), "{find}");
    assert!(!transcript(&run(&["find", many, "--no-uniqueness"])).contains("were not looked for"));
    let hint = transcript(&run(&["hint", many, "--unchecked"]));
    assert!(hint.contains("techniques that assume one solution were not looked for"), "{hint}");
    for command in ["find", "why", "why-not"] {
        let told = transcript(&run(&[command, many, "-t", "unique_rectangle_3"]));
        assert!(told.contains("this puzzle is not known to have just one"), "{command}: {told}");
    }
}

#[test]
fn an_id_means_its_technique_alone() {
    // Steps of the family are called so as well.
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
        let found = json_output(&run(&[
            "find",
            &write_file(&folder, "nearly.txt", wing_position()),
            "-t",
            name,
            "--format",
            "json",
        ]));
        let steps: Vec<&str> = found["result"]["steps"]
            .as_array()
            .expect("steps")
            .iter()
            .filter_map(|step| step["technique"].as_str())
            .collect();
        assert_eq!(steps, ["xyz_wing"], "find {name}: {found}");
    }
}

#[test]
fn sound_rules_are_not_called_wrong() {
    let asked = ["why-not", "12.43.......4..1", "-t", "naked_single", "--place", "r1c3=3 r2c2=4", "--no-proof"];
    let output = transcript(&run(&asked));
    assert!(output.contains("anywhere on the grid") && !output.contains(": .\n"), "{output}");
    assert_eq!(exit_code(&run(&["why", EASY, "-t", "naked_single", "--at", "0"])), 2);
    assert_eq!(exit_code(&run(&["explain", "P03"])), 0);
}

/// Each conclusion shows its own effects, and an odd ring shows its parts.
#[test]
fn conclusions_and_circles_are_told() {
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
    // Conclusions stand where their author wrote them.
    let places: Vec<_> = lines[lines.len() - 2..].iter().map(|line| (&line["line"], &line["text"])).collect();
    assert_eq!(places[0], (&3.into(), &"eliminate x from cells seeing a".into()));
    assert_eq!(places[1].0, 4);
    let ring = transcript(&run(&["why", MANY_WINGS, "-t", "broken_wing"]));
    assert!(ring.contains("true and false would alternate"), "{ring}");
}

/// Sentences name places; names and lines are for those who ask for them.
#[test]
fn facts_name_houses_and_values() {
    let why =
        |technique: &str, more: &[&str]| transcript(&run(&[&["why", MANY_WINGS, "-t", technique][..], more].concat()));
    let wing = why("w_wing", &[]);
    assert!(wing.contains("  the only places for "), "{wing}");
    let fish = why("basic_fish", &[]);
    assert_eq!(fish.matches(" are parallel\n").count(), 1, "{fish}");
    assert!(fish.matches(" has ").count() > 3, "{fish}");
    let chain = why("aic", &[]);
    assert!(chain.contains(" are different\n") && chain.contains("not both true: both in "), "{chain}");
    let sets = why("als_xz", &[]);
    assert!(sets.contains(" is an almost locked set with ") && sets.contains("  every "), "{sets}");
    for told in [wing, fish, chain, sets] {
        assert!(!told.contains("require ") && !told.contains("rules/"), "{told}");
    }
    let author = why("w_wing", &["--lines"]);
    assert!(author.contains("rules/wings/w_wing.pinion  ") && author.contains("  conclude some "), "{author}");
    let near = ["why-not", MANY_WINGS, "-t", "w_wing", "--no-proof"];
    let (plain, author) = (transcript(&run(&near)), transcript(&run(&[&near[..], &["--lines"]].concat())));
    assert!(plain.contains("   missing: ") && !plain.replace("`pinion why`", "").contains('`'), "{plain}");
    assert!(author.contains("line ") && author.contains("   The rule with"), "{author}");
}
