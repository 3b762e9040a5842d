//! Steps of solutions, as programs and forums write them: chains, rule and set notation, headlines. They hold no puzzle, so they are
//! told and refused. In: a text that is no puzzle. Out: what is said of it.

use super::content::Wrong;
use super::error::FormatError;

/// What parts a step from its effect, or says the effect.
const SIGNS: [&str; 4] = ["=>", "<>", "≠", "taken off"];

/// Whether a line can only be meant as one.
fn is_one(line: &str) -> bool {
    let cited = line.split(|c: char| !c.is_ascii_alphanumeric()).any(is_cell);
    let ranked = line.contains("(Rank ") && line.contains('\\');
    ranked || (cited && SIGNS.iter().any(|sign| line.contains(sign)))
}

/// `r4c5`, `r16c20`, `R1C1`, `r4c458`, `r13c20`, or `D8`.
fn is_cell(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let by_name = |at: usize| {
        let (row, column) = word[at + 1..].split_once('c').unwrap_or_default();
        digits(row) && digits(column)
    };
    let by_letter = word.len() == 2 && word.starts_with(|c: char| matches!(c, 'a'..='j')) && digits(&word[1..]);
    by_letter || word.find('r').is_some_and(|at| digits_before(&word[..at]) && by_name(at))
}

/// `(1=264)r5c789` and `1r2c5` have a digit before the cell.
fn digits_before(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// What is said of a text that is no puzzle but one of these.
pub(super) fn refused(text: &str) -> Option<FormatError> {
    let line = text.lines().position(is_one)?;
    let wrong = Wrong::broken("it holds no puzzle")
        .help("give the grid that it was found in: 81 characters, a grid of candidates, or a library line");
    Some(wrong.at(line + 1, "a step of a solution"))
}
