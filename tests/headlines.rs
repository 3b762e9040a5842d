//! Headlines and reasons of steps: the sentences that rules write (`says`, `because`), and the default sentences. No variable
//! name of a rule is printed.

use crate::cli::NEAR_WING;
use crate::common::{ExampleSteps, example_steps, geometry, steps_of_rule};
use pinion::lang::ir::{Space, Technique};
use pinion::proof::{Member, cache_key};
use pinion::render::{headline, step_lines};
use pinion::solve::Rulebook;
use std::collections::BTreeSet;

/// Shows the headline of one step of each technique.
#[test]
fn headline_of_each_technique() {
    let (mut headlines, mut techniques) = (String::new(), BTreeSet::new());
    for ExampleSteps { technique, geometry, steps, .. } in example_steps() {
        let Some(step) = steps.first() else { continue };
        if techniques.insert(technique) {
            headlines.push_str(&format!("{technique:28}{}\n", headline(geometry, step)));
        }
    }
    insta::assert_snapshot!(headlines);
}

#[test]
fn variable_names_are_not_printed() {
    let mut checked_names = 0;
    for ExampleSteps { geometry, steps, .. } in example_steps() {
        for step in steps {
            let line = headline(geometry, step).to_string();
            let pattern = line.strip_prefix(&step.name).expect("a headline begins with the name of the step");
            let words: Vec<&str> = pattern.split(|c: char| c.is_whitespace() || ",;:()".contains(c)).collect();
            let parts = step.parts.iter().chain([step]);
            for binding in parts.flat_map(|part| &part.bindings) {
                assert!(!words.contains(&binding.name.as_str()), "`{}` in {line}", binding.name);
                checked_names += 1;
            }
            // A headline without a value, such as `XY-Wing: => r1c1<>2`, has a placeholder that was left empty.
            assert!(!pattern.starts_with(": =>") && !pattern.contains(" in =>") && !pattern.contains("{}"), "{line}");
        }
    }
    assert!(checked_names > 1000, "only {checked_names} names");
}

/// The headline of a chain shows the chain. Every other rule of the rulebook writes its headline.
#[test]
fn rules_without_a_chain_write_their_headline() {
    for ExampleSteps { technique, steps, .. } in example_steps() {
        for step in steps {
            // Steps of joined matches and of other spaces than cells have headlines that are put together.
            let is_single_match = step.parts.is_empty() && step.member.space == Space::Rc;
            if is_single_match && step.chain.is_empty() {
                assert!(step.says.is_some(), "{technique}");
            }
        }
    }
}

/// Returns headline and reason of each step of a rule for naked pairs in rows. `sentences` are the rule's `says` and
/// `because` lines.
fn naked_pair_lines(sentences: &str) -> String {
    let rule = format!(
        r#"technique two_cells "Two Cells" {{
  h: row
  s: cells[2] in h
  require #digits(s) = 2
  eliminate digits(s) from h - s
  {sentences}
}}"#
    );
    let (geometry, steps) = steps_of_rule(&rule, NEAR_WING);
    let lines = steps.iter().flat_map(|step| step_lines(&geometry, step, 2));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn values_are_short_in_a_headline_and_in_full_in_a_reason() {
    let sentences = r#"says "{digits(s)} in {s}, {h} \{{digits in s}\}"
  because "{digits(s)} in {s}, {h} \{{digits in s}\}""#;
    insta::assert_snapshot!(
        naked_pair_lines(sentences),
        @r"
        Two Cells: 8/9 in r2c39, r2 {(8)r2c39, (9)r2c39} => r2c4<>8 (not proved)
          8 and 9 in r2c39, row 2 {(8)r2c39, (9)r2c39}.
        "
    );
}

#[test]
fn an_empty_placeholder_is_left_out_with_the_word_around_it() {
    let line = naked_pair_lines(r#"says "{h} f{s - h} ({digits(s) - digits(s)}) {#s}""#);
    assert!(line.starts_with("Two Cells: r2 2 => "), "{line}");
}

/// Two matches are one step: the first eliminates 3, the second 4. The sentences of the step name both digits.
#[test]
fn a_step_of_two_matches_names_the_digits_of_both() {
    let rule = r#"technique pair "Pair" {
  h: house
  s: cells[2] in h
  z: digit in digits(s)
  require #digits(s) = 2
  eliminate z from h - s
  one step per h, s
  says "{z} in {s}"
}"#;
    let grid = format!("1234 1234 34 34\n{}", "1234 1234 1234 1234\n".repeat(3));
    let (geometry, steps) = steps_of_rule(rule, &grid);
    let lines: Vec<String> = steps.iter().map(|step| headline(&geometry, step).to_string()).collect();
    assert_eq!(lines, ["Pair: 3/4 in r1c34 => r1c12<>34 (not proved)", "Pair: 3/4 in r1c34 => r2c34<>34 (not proved)"]);
    let reason = |sentence: &str| {
        let rule = rule.replace("}\"\n}", &format!("}}\"\n  because \"{sentence}\"\n}}"));
        steps_of_rule(&rule, &grid).1[0].because.clone().expect("a reason")
    };
    assert_eq!(reason("{s} has {z}"), "r1c34 has 3 and 4");
    // Here two placeholders have different values in the two matches. The reason is that of the first match.
    assert_eq!(reason("{s} has {z}, so not {digits(s) - z}"), "r1c34 has 3, so not 4");
}

#[test]
fn rules_without_sentences_get_default_sentences() {
    insta::assert_snapshot!(
        naked_pair_lines(""),
        @r"
        Two Cells: 8/9 in r2c39, r2 => r2c4<>8 (not proved)
          The candidates of r2c3 and r2c9 together exclude the candidate 8 in r2c4.
        "
    );
}

/// A cached proof stays valid if only the sentences of the rule change.
#[test]
fn cache_keys_of_proofs_ignore_sentences() {
    let rulebook = Rulebook::embedded();
    let key = |technique: &Technique| {
        cache_key(
            Member { technique, args: &[], variant: 0 },
            rulebook.sources(),
            rulebook.techniques(),
            &geometry(9),
            "1",
        )
        .expect("a key")
    };
    let technique = rulebook.techniques().iter().find(|technique| technique.id == "xyz_wing").expect("in the rulebook");
    let mut without_sentences = technique.clone();
    without_sentences.variants.iter_mut().for_each(|variant| (variant.says, variant.because) = (None, None));
    assert_ne!(without_sentences, *technique);
    assert_eq!(key(&without_sentences), key(technique));
}
