//! Every rule file as a whole: its comment, its plan, and that it has an example and a near miss. The command tests run the
//! examples (`cli::examples::the_rulebook_passes_its_own_tests`).

use crate::common;
use pinion::engine::{Engine, Limits, RuleKnowledge};
use pinion::solve::{Profile, ProfileRow, RowPrice, Rulebook, Solver};

/// On the usual board the rules that the binary carries are planned when they are first wanted, and then they must have a plan.
#[test]
fn every_rule_has_a_plan_on_the_usual_board() {
    let rulebook = Rulebook::embedded();
    for trust in [RuleKnowledge::Unproved, RuleKnowledge::Sound] {
        let engine = Engine::with_knowledge(common::geometry(9), rulebook.techniques(), rulebook.sources(), &|_| trust);
        assert!(engine.expect("plans").members().len() >= rulebook.techniques().len());
    }
}

#[test]
fn every_rule_has_its_comment_an_example_and_a_near_miss() {
    let rulebook = Rulebook::embedded();
    assert!(rulebook.techniques().len() >= 15);
    for technique in rulebook.techniques() {
        assert!(technique.doc.len() >= 3, "{} does not say what, why and whence", technique.id);
        assert!(technique.examples.iter().any(|e| !e.near_miss), "{} has no example", technique.id);
        assert!(technique.examples.iter().any(|e| e.near_miss), "{} has no near miss", technique.id);
    }
    for file in rulebook.files() {
        assert_eq!(file.diagnostics, vec![], "{}", file.name);
    }
}

/// The rows of the classic cost table, with what the first use of each costs and each further one.
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
fn every_row_of_the_classic_cost_table_has_a_rule() {
    let profile = Profile::embedded("classic").expect("it is embedded");
    let solver = Solver::new(&Rulebook::embedded(), &common::geometry(9), &profile, Limits::default());
    let ranking = solver.ranking();
    assert_eq!(ranking.missing, vec![]);
    for (title, first, again) in CLASSIC {
        let rows = profile.rows.iter().enumerate().filter(|(_, row)| row.title.as_deref() == Some(title));
        let rows: Vec<usize> = rows.map(|(at, _)| at).collect();
        assert!(!rows.is_empty(), "{title} has no row");
        for at in rows {
            let rank = ranking.ranks.iter().find(|rank| rank.row == Some(at));
            let rank = rank.unwrap_or_else(|| panic!("{title}: {} is off", profile.rows[at].technique));
            assert!(!rank.members.is_empty(), "{title}: {} has no member on this board", profile.rows[at].technique);
            assert_eq!(rank.price, Some((first, again)), "{title}");
        }
    }
    // No other row has a price but those that go on, on larger boards, where the table ends.
    for row in profile.rows.iter().filter(|row| row.first.is_some()) {
        let title = row.title.as_deref().unwrap_or_default();
        assert!(CLASSIC.iter().any(|(known, ..)| *known == title) || title.ends_with("of more than 4"), "{title}");
    }
}

/// One program has two names where another has one: a row of the first speaks of its own steps only.
#[test]
fn a_row_of_a_profile_means_what_its_program_means() {
    let rulebook = Rulebook::embedded();
    let profile = Profile::embedded("hodoku").expect("it is embedded").resolved(rulebook.techniques());
    let rows_of = |name: &str| profile.rows.iter().filter(|row| row.match_name.as_deref() == Some(name)).count();
    assert_eq!((rows_of("Finned Swordfish"), rows_of("Sashimi Swordfish")), (1, 1));
}

/// Rows of its own stand where the base has rows about the same, or behind.
#[test]
fn a_profile_builds_on_another() {
    let text = r#"(name: "x", base: "default", rows: [
        (technique: "my_own"),
        (technique: "naked_single", first: 7),
        (technique: "nested_nets"),
    ])"#;
    let (own, base) = (Profile::read("mine.ron", text).unwrap(), Profile::default());
    let ids = |rows: &[ProfileRow]| rows.iter().map(|row| row.technique.clone()).collect::<Vec<_>>();
    let kept = base.rows.len();
    assert_eq!(ids(&own.rows[..kept]), ids(&base.rows));
    assert_eq!(ids(&own.rows[kept..]), ["my_own"]);
    assert_eq!(own.others, base.others);
    let row = |technique: &str| own.rows.iter().find(|row| row.technique == technique).unwrap();
    assert_eq!(row("naked_single").first, Some(RowPrice::Fixed(7)));
    assert!(row("nested_nets").enabled);
    // A row with a place of its own comes right behind what it names, several in the order of the file.
    let text = r#"(name: "x", base: "default", rows: [
        (technique: "my_own", after: "xyz_wing"),
        (technique: "my_other", after: "xyz_wing"),
        (technique: "naked_single", after: "hidden_single"),
    ])"#;
    let placed = ids(&Profile::read("mine.ron", text).unwrap().rows);
    let at = |id: &str| placed.iter().rposition(|one| one == id).unwrap();
    assert_eq!((at("my_own"), at("my_other")), (at("xyz_wing") + 1, at("xyz_wing") + 2));
    assert_eq!(at("naked_single"), at("hidden_single") + 1);
    assert_eq!(placed.iter().filter(|one| *one == "naked_single").count(), 1);
    let error = Profile::read("mine.ron", &text.replace("xyz_wing", "zyx_wing")).unwrap_err();
    assert!(error.0.contains("comes after `zyx_wing`, which has no row in the base"), "{error}");
    let error = Profile::read("mine.ron", &text.replace("base: \"default\", ", "")).unwrap_err();
    assert!(error.0.contains("the profile has no `base`"), "{error}");
    // One that builds on another itself.
    let deep = Profile::read("mine.ron", "(name: \"x\", base: \"deep\", rows: [])").unwrap();
    assert_eq!(ids(&deep.rows), ids(&Profile::embedded("deep").unwrap().rows));
    let error = Profile::read("mine.ron", "(name: \"x\", base: \"deeep\", rows: [])").unwrap_err();
    assert!(error.0.starts_with("mine.ron: `deeep` is not a profile to build on; there are basic, "), "{error}");
}
