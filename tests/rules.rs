//! Every rule file as a whole: its comment, its examples (exactly these deductions), its near misses (none).

use crate::common;
use pinion::solve::Rulebook;

#[test]
fn examples_find_exactly_what_they_say_and_near_misses_nothing() {
    let rulebook = Rulebook::embedded();
    let mut checked = 0;
    for technique in rulebook.techniques() {
        for example in &technique.examples {
            let (found, wanted) = common::found(&rulebook, technique, example);
            assert_eq!(example.near_miss, wanted.is_empty());
            assert_eq!(found, wanted, "{} {:?}", technique.id, example.title);
            checked += 1;
        }
    }
    assert!(checked >= 2 * rulebook.techniques().len());
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
