//! `pinion bench`: its counts add up, and equal paths have equal digests.

use super::{EASY, ONE_WING, exit_code, fresh_folder, json_output, run, transcript, write_file};

#[test]
fn measured_counts_add_up() {
    let folder = fresh_folder("bench");
    let puzzles = write_file(&folder, "two.txt", format!("{EASY}\n{ONE_WING}\n"));
    let output = run(&["bench", &puzzles, "--format", "json"]);
    assert_eq!(exit_code(&output), 0);
    let record = json_output(&output);
    assert_eq!((&record["puzzles"], &record["solved"], &record["stuck"]), (&2.into(), &2.into(), &0.into()));
    let rows = record["techniques"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["found"].as_u64() <= row["searches"].as_u64()), "{record}");
    let found: u64 = rows.iter().filter_map(|row| row["found"].as_u64()).sum();
    assert!(Some(found) >= record["steps"].as_u64(), "each step comes from a search with a match: {record}");
    let share: f64 = rows.iter().filter_map(|row| row["share"].as_f64()).sum();
    assert!((0.9..1.1).contains(&share), "{share}");
    let text = transcript(&run(&["bench", &puzzles, "--first", "1", "--slowest", "1"]));
    assert!(text.contains("naked_single") && text.contains("two.txt:1"), "{text}");
}

#[test]
fn equal_paths_have_equal_digests() {
    let folder = fresh_folder("bench_digests");
    let puzzles = write_file(&folder, "two.txt", format!("{EASY}\n{ONE_WING}\n"));
    let digests = |name: &str, options: &[&str]| {
        let path = folder.join(name);
        let output =
            run(&[&["bench", &puzzles, "--digests", path.to_str().expect("a path in UTF-8")][..], options].concat());
        assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
        std::fs::read_to_string(path).expect("digests")
    };
    let default_digests = digests("default.txt", &[]);
    assert_eq!(default_digests.lines().count(), 2);
    assert_eq!(default_digests, digests("two_threads.txt", &["--threads", "2"]));
    assert_ne!(default_digests, digests("classic.txt", &["--profile", "classic"]));
}

#[test]
fn a_huge_number_of_threads_is_accepted() {
    assert_eq!(exit_code(&run(&["bench", EASY, "--threads", "18446744073709551615"])), 0);
}

#[test]
fn a_run_without_a_readable_puzzle_ends_as_unreadable() {
    let folder = fresh_folder("bench_unreadable");
    let puzzles = write_file(&folder, "short.txt", "1234\n");
    assert_eq!(exit_code(&run(&["bench", &puzzles])), 3);
}
