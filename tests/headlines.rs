//! Headlines of steps: the author's words for each rule of the rulebook, without names that only its author knows.

use crate::cli::NEAR_WING;
use crate::common::{ExampleSteps, example_steps, geometry, steps_of_rule};
use pinion::lang::ir::{Space, Technique};
use pinion::proof::{Member, cache_key};
use pinion::render::{headline, step_lines};
use pinion::solve::{Rulebook, Step};
use std::collections::BTreeSet;

/// The headline of the first step of each rule on its first example.
#[test]
fn one_of_each_rule() {
    let (mut out, mut told) = (String::new(), BTreeSet::new());
    for ExampleSteps { technique, geometry, steps, .. } in example_steps() {
        if let Some(step) = steps.first().filter(|_| told.insert(technique)) {
            out.push_str(&format!("{technique:28}{}\n", headline(geometry, step)));
        }
    }
    insta::assert_snapshot!(out);
}

/// The names of a rule are its author's: no headline has one as a word of its own.
#[test]
fn names_of_rules_are_not_printed() {
    let mut seen = 0;
    for ExampleSteps { geometry, steps, .. } in example_steps() {
        for step in steps {
            let line = headline(geometry, step).to_string();
            let said = line.strip_prefix(&step.name).expect("a headline begins with the name of the step");
            let words: Vec<&str> = said.split(|c: char| c.is_whitespace() || ",;:()".contains(c)).collect();
            let parts = step.parts.iter().chain([step]);
            for binding in parts.flat_map(|part| &part.bindings) {
                assert!(!words.contains(&binding.name.as_str()), "`{}` in {line}", binding.name);
                seen += 1;
            }
            assert!(!said.starts_with(": =>") && !said.contains(" in =>") && !said.contains("{}"), "{line}");
        }
    }
    assert!(seen > 1000, "only {seen} names");
}

/// A rule of the book either has a chain or says itself what is to be seen.
#[test]
fn rules_without_a_chain_have_words() {
    for ExampleSteps { technique, steps, .. } in example_steps() {
        let own = |step: &&Step| step.parts.is_empty() && step.member.space == Space::Rc;
        for step in steps.iter().filter(own) {
            assert!(step.says.is_some() || !step.chain.is_empty(), "{technique}");
        }
    }
}

/// The headline and the reason of each step of a rule that looks for two cells of a house with two digits.
fn two_cells(sentences: &str) -> String {
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
    let told = steps.iter().flat_map(|step| step_lines(&geometry, step, 2));
    told.map(|line| format!("{line}\n")).collect()
}

#[test]
fn values_are_short_in_a_headline_and_in_full_in_a_reason() {
    let sentences = r#"says "{digits(s)} in {s}, {h} \{{digits in s}\}"
  because "{digits(s)} in {s}, {h} \{{digits in s}\}""#;
    insta::assert_snapshot!(
        two_cells(sentences),
        @r"
        Two Cells: 8/9 in r2c39, r2 {(8)r2c39, (9)r2c39} => r2c4<>8 (not proved)
          8 and 9 in r2c39, row 2 {(8)r2c39, (9)r2c39}.
        "
    );
}

#[test]
fn a_word_without_a_value_is_left_out() {
    let line = two_cells(r#"says "{h} f{s - h} ({digits(s) - digits(s)}) {#s}""#);
    assert!(line.starts_with("Two Cells: r2 2 => "), "{line}");
}

/// Two matches that are one step: one takes 3 away, the other 4.
#[test]
fn digits_of_all_matches_of_a_step_are_named() {
    let rule = r#"technique pair "Pair" {
  h: house
  s: cells[2] in h
  z: digit in digits(s)
  require #digits(s) = 2
  eliminate z from h - s
  one step per h, s
  says "{z} in {s}"
}"#;
    let any = "1234 ".repeat(4) + "\n";
    let (geometry, steps) = steps_of_rule(rule, &format!("1234 1234 34 34\n{any}{any}{any}"));
    let lines: Vec<String> = steps.iter().map(|step| headline(&geometry, step).to_string()).collect();
    assert_eq!(lines, ["Pair: 3/4 in r1c34 => r1c12<>34 (not proved)", "Pair: 3/4 in r1c34 => r2c34<>34 (not proved)"]);
    // A reason names them too, where the matches differ in nothing else that it names.
    let reason = |words: &str| {
        let rule = rule.replace("}\"\n}", &format!("}}\"\n  because \"{words}\"\n}}"));
        let (_, steps) = steps_of_rule(&rule, &format!("1234 1234 34 34\n{any}{any}{any}"));
        steps[0].because.clone().expect("a reason")
    };
    assert_eq!(reason("{s} has {z}"), "r1c34 has 3 and 4");
    assert_eq!(reason("{s} has {z}, so not {digits(s) - z}"), "r1c34 has 3, so not 4");
}

#[test]
fn rules_without_words_get_default_sentences() {
    insta::assert_snapshot!(
        two_cells(""),
        @r"
        Two Cells: 8/9 in r2c39, r2 => r2c4<>8 (not proved)
          The candidates of r2c3 and r2c9 together exclude the candidate 8 in r2c4.
        "
    );
}

/// Proofs that are kept stay good when a sentence is written anew.
#[test]
fn sentences_have_no_part_in_a_proof() {
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
    let written = rulebook.techniques().iter().find(|one| one.id == "xyz_wing").expect("it is in the rulebook");
    let mut silent = written.clone();
    silent.variants.iter_mut().for_each(|variant| (variant.says, variant.because) = (None, None));
    assert_ne!(silent, *written);
    assert_eq!(key(&silent), key(written));
}
