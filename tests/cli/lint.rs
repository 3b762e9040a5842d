//! `pinion lint` and `pinion explain`, and errors of rules in `pinion lint` and `pinion check`. The built-in rules have no findings.

use super::{assert_output, exit_code, fresh_folder, json_output, pinion, run, transcript, write_file};

#[test]
fn the_rulebook_has_no_findings() {
    let output = run(&["lint"]);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
}

/// One of the three `allow` comments excuses a finding: `named` has no near miss (L0105). L0103 does not occur, and L0104 has no reason, so
/// these two comments are findings themselves.
const RULES_WITH_FINDINGS: &str = "\
technique loose \"Loose\" {
  A, B: cell = {x, y}
  require A sees B and B sees A
  require #digits(A) >= 2 and #digits(A) > 1
  C: cell sees A
  eliminate {x, y} from cells seeing A, B
}

technique named \"XY-Wing\" {
  // allow L0103: nothing of the kind
  // allow L0104
  // allow L0105: there is nothing to spoil
  c: cell = {d}
  place d in c
}
";

#[test]
fn findings_are_shown_at_their_lines() {
    let folder = fresh_folder("lint");
    write_file(&folder, "loose.pinion", RULES_WITH_FINDINGS);
    let output = pinion(&["lint", "loose.pinion"]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("lint", transcript(&output));
    let output = pinion(&["lint", "loose.pinion", "--format", "json"]).current_dir(&folder).output().unwrap();
    let value = json_output(&output);
    assert_eq!(value["excused"], 1);
    assert_eq!(value["findings"][0]["finding"]["code"], "L0104");
}

#[test]
fn explain_describes_a_code() {
    let output = run(&["explain", "l0103"]);
    assert_eq!(exit_code(&output), 0);
    insta::assert_snapshot!("explain", transcript(&output));
    let unknown = run(&["explain", "X99"]);
    assert_output(&unknown, 1, "no message with the code `X99`");
}

#[test]
fn errors_of_a_rule_are_findings() {
    let broken = write_file(&fresh_folder("lint_errors"), "broken.pinion", "technique a \"A\" {\n  c: cel\n}\n");
    let output = run(&["lint", &broken, "--format", "json"]);
    let record = json_output(&output);
    assert_eq!(exit_code(&output), 1);
    assert!(!record["findings"].as_array().expect("a list").is_empty(), "{record}");
    let text = transcript(&run(&["lint", &broken]));
    assert!(text.contains("1 file with errors") && !text.contains("no findings"), "{text}");
}

#[test]
fn the_error_for_a_negative_set_size_names_the_parameter_value() {
    let rule = "technique a(n: 1..4) \"X {n}\" {\n  h: house\n  s: cells[n - 2] in h\n  require #digits(s) = n\n  eliminate digits(s) from h - s\n}\n";
    let rule = write_file(&fresh_folder("lint_members"), "members.pinion", rule);
    let output = transcript(&run(&["check", &rule]));
    assert!(output.starts_with("exit 1") && output.contains("would be -1 for the arguments (1)"), "{output}");
}
