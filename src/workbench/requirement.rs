//! Requirements of a rule, one by one. In: a case of a rule, the text of its file. Out: [`Requirement`]s in the author's
//! order, each with its line.

use crate::lang::diagnostic::line_and_column;
use crate::lang::ir::{Choose, Condition, Printer, Statement, Technique, Variant};
use crate::solve::Rulebook;
use std::ops::Range;

/// A line of a rule file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// Counted from one.
    pub number: usize,
    /// Without the blanks around it.
    pub text: String,
}

/// One thing that must hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    /// Index of its statement in the body.
    pub statement: usize,
    /// Index among the conditions of that statement.
    pub part: usize,
    /// The condition; for a family, quantified over every index.
    pub condition: Condition,
    /// In the language's own words.
    pub text: String,
    /// Line of the requirement in the file.
    pub line: Option<SourceLine>,
}

/// The conditions of a statement, as parts that can be left out: none of a chain or a supposition, which are no
/// conditions on names.
pub fn parts(statement: &Statement, variant: &Variant) -> Vec<Condition> {
    statement.conditions(&variant.vars).into_owned()
}

/// Everything that a case of a technique demands of the names, in order.
pub fn requirements(technique: &Technique, case: usize, lines: &[Option<SourceLine>]) -> Vec<Requirement> {
    let variant = &technique.variants[case];
    let printer = Printer { variant, params: &technique.params };
    let mut out = Vec::new();
    for (statement, body) in variant.body.iter().enumerate() {
        for (part, condition) in parts(body, variant).into_iter().enumerate() {
            let text = printer.condition(&condition);
            let condition = match body {
                Statement::Choose(Choose { per: Some((index, of)), .. }) => {
                    Condition::ForAll(*index, of.clone(), Box::new(condition))
                }
                _ => condition,
            };
            out.push(Requirement { statement, part, condition, text, line: lines.get(statement).cloned().flatten() });
        }
    }
    out
}

/// The lines on which the statements of a case of a technique stand, in the order of its body, then its conclusions.
pub fn lines_of(rulebook: &Rulebook, technique: &str, case: usize) -> Vec<Option<SourceLine>> {
    let Some(file) = rulebook.file_of(technique) else { return Vec::new() };
    let places = rulebook.places(technique);
    let of = |place: &Range<usize>| line_at(&file.text, place.start);
    places.get(case).map_or_else(Vec::new, |places| places.iter().map(of).collect())
}

/// The line of a text on which a byte stands.
fn line_at(text: &str, at: usize) -> Option<SourceLine> {
    let (number, _) = line_and_column(text, at);
    let line = text.lines().nth(number - 1)?;
    // For a line that opens a block, only the line's own words.
    let text = line.trim().trim_end_matches('{').trim_end().to_string();
    Some(SourceLine { number, text })
}
