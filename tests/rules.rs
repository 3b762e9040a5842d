//! The rule files and the profiles of the rulebook. Every technique has a comment, a plan, an example and a near miss; another
//! test (`cli::examples::the_rulebook_passes_its_own_tests`) runs the examples.

use crate::common;
use pinion::engine::{Engine, Limits, RuleKnowledge};
use pinion::solve::{Profile, RowPrice, Rulebook, Solver};

/// On the 9×9 board the engine plans a built-in rule when it is first searched. Without a plan it would panic.
#[test]
fn every_rule_has_a_plan_on_9x9() {
    let rulebook = Rulebook::embedded();
    for knowledge in [RuleKnowledge::Unproved, RuleKnowledge::Sound] {
        let engine =
            Engine::with_knowledge(common::geometry(9), rulebook.techniques(), rulebook.sources(), &|_| knowledge);
        assert!(engine.expect("plans").members().len() >= rulebook.techniques().len());
    }
}

#[test]
fn every_rule_has_a_comment_an_example_and_a_near_miss() {
    let rulebook = Rulebook::embedded();
    assert!(rulebook.techniques().len() >= 15);
    for technique in rulebook.techniques() {
        assert!(technique.doc.len() >= 3, "{} needs a comment with pattern, reason and source", technique.id);
        assert!(technique.examples.iter().any(|example| !example.near_miss), "{} has no example", technique.id);
        assert!(technique.examples.iter().any(|example| example.near_miss), "{} has no near miss", technique.id);
    }
    for file in rulebook.files() {
        assert_eq!(file.diagnostics, vec![], "{}", file.name);
    }
}

/// The classic cost table: name of the technique, cost of its first use, cost of each further use.
const CLASSIC: [(&str, u32, u32); 14] = [
    ("Single Candidate", 100, 100),
    ("Single Position", 100, 100),
    ("Candidate Lines", 350, 200),
    ("Double Pairs", 500, 250),
    ("Multiple Lines", 700, 400),
    ("Naked Pair", 750, 500),
    ("Hidden Pair", 1500, 1200),
    ("Naked Triple", 2000, 1400),
    ("Hidden Triple", 2400, 1600),
    ("X-Wing", 2800, 1600),
    ("Forcing Chains", 4200, 2100),
    ("Naked Quad", 5000, 4000),
    ("Hidden Quad", 7000, 5000),
    ("Swordfish", 8000, 6000),
];

#[test]
fn the_classic_profile_has_the_classic_costs() {
    let profile = Profile::embedded("classic").expect("a built-in profile");
    let solver = Solver::new(&Rulebook::embedded(), &common::geometry(9), &profile, Limits::default());
    let ranking = solver.ranking();
    assert_eq!(ranking.missing, vec![]);
    for (title, first, again) in CLASSIC {
        assert!(profile.rows.iter().any(|row| row.title.as_deref() == Some(title)), "{title} has no row");
        for (at, row) in profile.rows.iter().enumerate() {
            if row.title.as_deref() == Some(title) {
                let rank = ranking.ranks.iter().find(|rank| rank.row == Some(at));
                let rank = rank.unwrap_or_else(|| panic!("{title}: {} is off", row.technique));
                assert!(!rank.members.is_empty(), "{title}: {} has no member on this board", row.technique);
                assert_eq!(rank.price, Some((first, again)), "{title}");
            }
        }
    }
    // The only other rows with a price continue the table for larger boards.
    for row in profile.rows.iter().filter(|row| row.first.is_some()) {
        let title = row.title.as_deref().unwrap_or_default();
        assert!(
            CLASSIC.iter().any(|(classic_title, ..)| *classic_title == title) || title.ends_with("of more than 4"),
            "{title}"
        );
    }
}

/// HoDoKu names some finned fish sashimi fish. Its profile has a row for each of the two names, limited to steps with this name.
#[test]
fn rows_for_two_names_of_one_technique_have_different_match_names() {
    let rulebook = Rulebook::embedded();
    let profile = Profile::embedded("hodoku").expect("a built-in profile").resolved(rulebook.techniques());
    let rows_of = |name: &str| profile.rows.iter().filter(|row| row.match_name.as_deref() == Some(name)).count();
    assert_eq!((rows_of("Finned Swordfish"), rows_of("Sashimi Swordfish")), (1, 1));
}

/// Returns the technique of each row.
fn row_ids(profile: &Profile) -> Vec<String> {
    profile.rows.iter().map(|row| row.technique.clone()).collect()
}

/// A row for a technique that the base has replaces the base's row. All other rows come after those of the base.
#[test]
fn a_profile_changes_and_extends_its_base() {
    let text = r#"(name: "x", base: "default", rows: [
        (technique: "my_own"),
        (technique: "naked_single", first: 7),
        (technique: "nested_nets"),
    ])"#;
    let (profile, base) = (Profile::read("mine.ron", text).unwrap(), Profile::default());
    let base_count = base.rows.len();
    assert_eq!(row_ids(&profile)[..base_count], row_ids(&base));
    assert_eq!(row_ids(&profile)[base_count..], ["my_own"]);
    assert_eq!(profile.others, base.others);
    let row = |technique: &str| profile.rows.iter().find(|row| row.technique == technique).unwrap();
    assert_eq!(row("naked_single").first, Some(RowPrice::Fixed(7)));
    assert!(row("nested_nets").enabled);
}

/// A row with `after` comes right after the row that it names. Several rows after the same row keep their order.
#[test]
fn a_row_of_a_profile_can_come_after_another() {
    let text = r#"(name: "x", base: "default", rows: [
        (technique: "my_own", after: "xyz_wing"),
        (technique: "my_other", after: "xyz_wing"),
        (technique: "naked_single", after: "hidden_single"),
    ])"#;
    let ids = row_ids(&Profile::read("mine.ron", text).unwrap());
    let position = |id: &str| ids.iter().rposition(|known| known == id).unwrap();
    assert_eq!(position("my_own"), position("xyz_wing") + 1);
    assert_eq!(position("my_other"), position("xyz_wing") + 2);
    assert_eq!(position("naked_single"), position("hidden_single") + 1);
    assert_eq!(ids.iter().filter(|id| *id == "naked_single").count(), 1);
    let error = Profile::read("mine.ron", &text.replace("xyz_wing", "zyx_wing")).unwrap_err();
    assert!(error.0.contains("comes after `zyx_wing`, which has no row in the base"), "{error}");
    let error = Profile::read("mine.ron", &text.replace("base: \"default\", ", "")).unwrap_err();
    assert!(error.0.contains("the profile has no `base`"), "{error}");
}

#[test]
fn the_base_of_a_profile_can_have_a_base() {
    let profile = Profile::read("mine.ron", "(name: \"x\", base: \"deep\", rows: [])").unwrap();
    assert_eq!(row_ids(&profile), row_ids(&Profile::embedded("deep").unwrap()));
}

#[test]
fn an_unknown_base_is_an_error() {
    let error = Profile::read("mine.ron", "(name: \"x\", base: \"deeep\", rows: [])").unwrap_err();
    assert!(error.0.starts_with("mine.ron: `deeep` is not a profile to build on; there are basic, "), "{error}");
}
