//! `pinion rate`: the numbers, the steps that decide them, prices of one's own and what is wrong with them.

use super::{EASY, WINGED, code, file, folder, lines, run, told};

/// The rating that follows the puzzle.
fn rating(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(code(&output), 0, "{}", told(&output));
    let text = String::from_utf8(output.stdout).expect("text");
    let line = text.lines().find(|line| !line.starts_with('#')).expect("a puzzle");
    line.split_once(' ').expect("a rating").1.to_string()
}

/// Puzzles made for this test by rearranging others, with what a rater of the same scale says of them.
#[test]
fn the_three_numbers_of_the_largest_price() {
    assert_eq!(rating(&["rate", EASY]), "ED=1.2/1.2/1.2");
    let why = told(&run(&["rate", WINGED, "--why"]));
    assert!(why.contains("  ER ") && why.contains("  EP ") && why.contains("  ED "), "{why}");
}

#[test]
fn many_are_rated_in_their_order() {
    let folder = folder("rate");
    let path = file(&folder, "list.txt", format!("{EASY}\nnothing\n{WINGED}\n{EASY}\n").repeat(80));
    let output = run(&["rate", &path, "--format", "json"]);
    let records = lines(&output);
    assert_eq!(records.len(), 320);
    for (at, record) in records.iter().enumerate() {
        assert_eq!(record["line"].as_u64(), Some(at as u64 + 1));
        assert_eq!(record["status"], if at % 4 == 1 { "unreadable" } else { "solved" });
        assert_eq!(record["with"]["profile"], "explainer");
    }
    assert_eq!(records[0]["rating"], records[3]["rating"]);
    assert_eq!(code(&output), 3);
}

#[test]
fn a_sum_has_a_level() {
    let words = rating(&["rate", EASY, "--profile", "hodoku"]);
    assert!(words.starts_with("Easy ("), "{words}");
}

#[test]
fn prices_of_ones_own() {
    let folder = folder("prices");
    let profile = |price: &str| {
        format!(
            "(name: \"mine\", rating: (by: Max, parts: 10), others: Off, rows: [\n  (technique: \"full_house\", first: 3),\n  \
             (technique: \"hidden_single\", first: {price}),\n  (technique: \"naked_single\", first: 20),\n])"
        )
    };
    let plain = file(&folder, "plain.ron", profile("[\"12 when #(d in box(c)) = 1\", \"14 + #placed\"]"));
    assert_eq!(rating(&["rate", EASY, "--profile", &plain]).split('/').next_back(), Some("1.2"));
    for (price, code_of) in [
        ("\"12 + lenght\"", "E0202"),
        ("\"digits(c)\"", "E0701"),
        ("\"#(those e in cells with #digits(e) = 2)\"", "E0702"),
        ("\"above(d, 3)\"", "E0703"),
        ("\"12 when\"", "E0101"),
    ] {
        let wrong = file(&folder, "wrong.ron", profile(price));
        let output = run(&["rate", EASY, "--profile", &wrong]);
        assert_eq!(code(&output), 3, "{price}");
        let words = told(&output);
        assert!(words.contains(code_of) && words.contains("wrong.ron:3:"), "{price}: {words}");
    }
    assert!(
        told(&run(&["rate", EASY, "--profile", &file(&folder, "near.ron", profile("\"12 + lenght\""))]))
            .contains("did you mean `length`?")
    );
}

#[test]
fn rows_that_can_never_be_used_are_named() {
    let folder = folder("shadow");
    let text = "(name: \"mine\", rows: [\n  (technique: \"naked_subset\", first: 1),\n  (technique: \"naked_subset\", args: [\"2\"], first: 2),\n])";
    let path = file(&folder, "mine.ron", text);
    let words = told(&run(&["solve", EASY, "--profile", &path]));
    assert!(words.contains("the row `naked_subset` above takes all of its matches"), "{words}");
}
