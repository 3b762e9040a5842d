//! `pinion fmt`.

use super::{code, file, folder, pinion, run, run_with, told};

const ODD: &str = "technique one \"One\" {\n    c : cell={d}\n  place d in c }\n";
const LOOSE: &str = "/// Why.\n\n///more\ntechnique one \"One\" {\n    c : cell={d}\n\n\n  place d   in c\n}\n\nexample one {\n grid \"\"\"1   2  34 34\n    134 34 1  2\n    2   1  34 34\n    34  34 2  1\"\"\"\n finds r1c1=1\n  finds r2c3=1\n}\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = folder("fmt");
    let loose = file(&folder, "loose.pinion", LOOSE);
    let check = pinion(&["fmt", "--check", "loose.pinion"]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("fmt_check", told(&check));
    assert_eq!(std::fs::read_to_string(&loose).unwrap(), LOOSE);
    let write = pinion(&["fmt"]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("fmt_write", told(&write));
    insta::assert_snapshot!("fmt_written", std::fs::read_to_string(&loose).unwrap());
    assert_eq!(code(&run(&["fmt", "--check", &loose])), 0);
}

#[test]
fn a_file_with_errors_is_left_alone_and_others_are_formatted() {
    let folder = folder("fmt_errors");
    let (odd, loose) = (file(&folder, "odd.pinion", ODD), file(&folder, "loose.pinion", LOOSE));
    let output = pinion(&["fmt", "."]).current_dir(&folder).output().unwrap();
    insta::assert_snapshot!("fmt_errors", told(&output));
    assert_eq!(std::fs::read_to_string(&odd).unwrap(), ODD);
    assert_ne!(std::fs::read_to_string(&loose).unwrap(), LOOSE);
}

#[test]
fn the_standard_input_is_printed() {
    let output = run_with(&["fmt", "-"], LOOSE.as_bytes());
    assert_eq!(code(&output), 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(code(&run_with(&["fmt", "--check", "-"], text.as_bytes())), 0);
    assert_eq!(code(&run_with(&["fmt", "--check", "-"], LOOSE.as_bytes())), 1);
}
