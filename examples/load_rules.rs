//! Rules from texts: what is wrong with a file, and what a good one holds.

use pinion::solve::Rulebook;

const GOOD: &str = r#"
/// The last place of a digit in a house.
technique last_place "Last Place" {
  h: house
  d: digit
  require d in h = {c}
  place d in c
}
"#;

/// `piv` is declared nowhere.
const BAD: &str = r#"
technique broken "Broken" {
  pivot: cell = {x, y}
  conclude some x in piv
}
"#;

pub fn main() {
    let texts = [("good.pinion", GOOD), ("bad.pinion", BAD)].map(|(name, text)| (name.to_string(), text.to_string()));
    let rules = Rulebook::embedded().with(texts);
    for file in rules.files().iter().rev().take(2) {
        println!("{}: techniques {:?}", file.name, file.techniques);
        for finding in &file.diagnostics {
            println!("  {}: {}", finding.code, finding.message);
        }
    }
    let good = rules.file_of("last_place").expect("it was added");
    assert!(!good.has_errors());
    assert!(rules.files().last().is_some_and(|bad| bad.has_errors()));
}
