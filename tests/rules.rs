//! Every rule file as a whole: its comment, its examples (exactly these deductions), its near misses (none).

use pinion::lang::ir::Technique;
use pinion::solve::Rulebook;
use pinion::workbench::examples::check;

#[test]
fn examples_find_exactly_what_they_say_and_near_misses_nothing() {
    let rulebook = Rulebook::embedded();
    let techniques: Vec<&Technique> = rulebook.techniques().iter().collect();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let checked = check(&rulebook, &techniques, threads);
    assert!(checked.len() >= 2 * techniques.len());
    for one in checked {
        assert!(one.passed(), "{} {:?}: {:?}", one.label, one.example.title, one.verdict);
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
