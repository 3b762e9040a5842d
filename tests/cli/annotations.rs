//! Findings as SARIF and as annotations of GitHub workflows: the logs have the fields that the SARIF standard requires, and correct
//! positions.

use super::{assert_output, exit_code, fresh_folder, json_output, pinion, run, write_file};
use serde_json::Value;

const MISSPELT_RULE: &str = "\
// ä is one character and two bytes: columns count characters
technique wrong \"Wrong\" {
  c: cel = {x, y}
  eliminate x from c
}
";

/// Exit code and SARIF log of a command that runs in `folder`.
fn sarif(folder: &std::path::Path, args: &[&str]) -> (i32, Value) {
    let output = pinion(args).args(["--format", "sarif"]).current_dir(folder).output().expect("the binary starts");
    (exit_code(&output), json_output(&output))
}

/// Checks the fields that the schema of SARIF 2.1.0 requires.
fn assert_is_sarif(log: &Value) {
    assert_eq!(log["version"], "2.1.0");
    let [run] = log["runs"].as_array().expect("a list").as_slice() else { panic!("one run: {log}") };
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "pinion");
    let rules: Vec<&str> =
        driver["rules"].as_array().expect("a list").iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    for result in run["results"].as_array().expect("a list") {
        let index = result["ruleIndex"].as_u64().and_then(|at| usize::try_from(at).ok()).expect("a number");
        assert_eq!(result["ruleId"], rules[index]);
        assert!(matches!(result["level"].as_str(), Some("error" | "warning")), "{result}");
        assert!(result["message"]["text"].as_str().is_some_and(|text| !text.is_empty()), "{result}");
        let locations = result["locations"]
            .as_array()
            .expect("a list")
            .iter()
            .chain(result["relatedLocations"].as_array().expect("a list"));
        for location in locations {
            let physical_location = &location["physicalLocation"];
            let uri = physical_location["artifactLocation"]["uri"].as_str().expect("an address");
            assert!(!uri.contains([' ', '\\']), "{uri}");
            if let Some(region) = physical_location.get("region") {
                let number =
                    |key: &str| region[key].as_u64().filter(|number| *number >= 1).expect("a number from 1 on");
                let (start, end) =
                    ((number("startLine"), number("startColumn")), (number("endLine"), number("endColumn")));
                assert!(start <= end, "{region}");
            }
        }
    }
}

#[test]
fn findings_of_a_check_are_sarif() {
    let folder = fresh_folder("sarif");
    write_file(&folder, "my rules.pinion", MISSPELT_RULE);
    let (exit, log) = sarif(&folder, &["check", "my rules.pinion"]);
    assert_eq!(exit, 1);
    assert_is_sarif(&log);
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["level"], "error");
    let location = &result["locations"][0]["physicalLocation"];
    assert_eq!(location["artifactLocation"]["uri"], "my%20rules.pinion");
    assert_eq!(location["region"]["startLine"], 3);
    assert_eq!((&location["region"]["startColumn"], &location["region"]["endColumn"]), (&6.into(), &9.into()));
    assert!(run["tool"]["driver"]["rules"][0]["help"]["text"].is_string(), "the code has no help text: {run}");
}

#[test]
fn findings_in_profiles_are_annotated() {
    let folder = fresh_folder("sarif_profiles");
    write_file(
        &folder,
        "idle.ron",
        "(\n  name: \"idle\",\n  about: \"\",\n  others: Off,\n  rows: [\n    (technique: \"no_such_rule\"),\n  ],\n)\n",
    );
    write_file(&folder, "broken.ron", "(\n  name: \n");
    for command in ["check", "lint"] {
        let (exit, log) = sarif(&folder, &[command, "idle.ron", "broken.ron"]);
        assert_eq!(exit, 1);
        assert_is_sarif(&log);
        let results = log["runs"][0]["results"].as_array().expect("a list");
        let codes: Vec<&Value> = results.iter().map(|result| &result["ruleId"]).collect();
        assert_eq!(codes, ["unused-row", "unreadable-profile"], "{log}");
        assert_eq!(results[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 6, "{log}");
    }
}

#[test]
fn a_check_without_findings_has_a_log_without_results() {
    let (exit, log) = sarif(std::path::Path::new("."), &["check", "rules"]);
    assert_eq!(exit, 0);
    assert_is_sarif(&log);
    assert_eq!(log["runs"][0]["results"].as_array().map(Vec::len), Some(0));
}

#[test]
fn failed_examples_are_annotated_at_their_lines() {
    let folder = fresh_folder("sarif_test");
    let rule = include_str!("../../rules/wings/xyz_wing.pinion");
    let line = 1 + rule.lines().position(|line| line.starts_with("example")).expect("an example");
    let (before_finds, finds) = rule.split_once("  finds ").expect("a list");
    let (_, rest) = finds.split_once('\n').expect("more lines");
    write_file(&folder, "wing.pinion", format!("{before_finds}  finds r1c1<>1\n{rest}"));
    let (exit, log) = sarif(&folder, &["test", "wing.pinion"]);
    assert_eq!(exit, 1);
    assert_is_sarif(&log);
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "failed-example");
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], line);
    assert!(result["message"]["text"].as_str().is_some_and(|text| text.contains("not found: r1c1<>1")), "{result}");
}

#[test]
fn a_github_workflow_annotates_findings() {
    let folder = fresh_folder("github");
    write_file(&folder, "a,b.pinion", MISSPELT_RULE);
    let output = pinion(&["check", "a,b.pinion", "--format", "github"]).current_dir(&folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let first_line = text.lines().next().expect("a line");
    let expected_start = "::error file=a%2Cb.pinion,line=3,endLine=3,col=6,endColumn=9,title=pinion E";
    assert!(first_line.starts_with(expected_start), "{text}");
    let message = first_line.rsplit_once("::").expect("a message").1;
    assert!(message.contains("%0A") && message.contains("did you mean `cell`?"), "{text}");
    assert_eq!(text.lines().count(), text.matches("::error").count(), "each line is one annotation: {text}");
}

#[test]
fn commands_without_findings_refuse_to_annotate() {
    for format in ["sarif", "github"] {
        let output = run(&["list", "--format", format]);
        assert_output(&output, 2, "check, lint and test");
    }
}
