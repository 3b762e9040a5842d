//! Turns a syntax error of pest into a diagnostic. The diagnostic lists the expected constructs and may give advice: on a
//! common mistake (`grammar/mistakes.txt`), a similar word, or the replacement of a mark from another language.

use super::grammar::Rule;
use super::layout::{CONTINUATION_TOKENS, LogicalLine};
use super::tokens::{Token, TokenClass};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words::{self, word_list};
use std::collections::BTreeMap;
use std::sync::LazyLock;

const MAX_EXPECTATIONS: usize = 4;

/// Rank of operators in the grammar, the last rank. Lower ranks are shown first.
const RANK_OPERATOR: u8 = 8;

/// Returns the diagnostic for a line that the grammar rejects. At byte `byte` of the file, the grammar expected one of
/// `rules`.
pub fn diagnostic(line: &LogicalLine, byte: usize, rules: &[Rule]) -> Diagnostic {
    let previous = line.tokens.iter().rev().find(|token| token.span.end <= byte).map_or("", |token| token.text);
    let expectations = expectations(rules);
    let expected = if expectations.is_empty() {
        "not expected".to_owned()
    } else {
        format!("expected {}", words::either(&expectations))
    };
    let Some((position, token)) = line.tokens.iter().enumerate().find(|(_, token)| token.span.end > byte) else {
        let end = line.span.end;
        let span = line.tokens.last().map_or(end..end, |token| token.span.clone());
        let help = if CONTINUATION_TOKENS.contains(&previous) {
            Some(format!("the line continues after `{previous}`, but the next line begins a new statement"))
        } else if rules.contains(&Rule::open) {
            Some("end the line with `{`".to_owned())
        } else {
            None
        };
        return SyntaxProblem::EndsEarly { expected }.at(&span).help_if(help);
    };
    let word = token.text.to_owned();
    let only_names = rules.iter().all(|rule| matches!(rule, Rule::name | Rule::variable | Rule::kind));
    if only_names && words::is_reserved(&word) {
        return SyntaxProblem::ReservedName { word }.at(&token.span);
    }
    let names: Vec<String> = rules.iter().map(|rule| name_of(*rule)).collect();
    let help = Unexpected { line, position, expected: &names }
        .help()
        .or_else(|| words::foreign_word("mark", &word).map(str::to_owned))
        .or_else(|| help_for_brace(&word, token, line))
        .or_else(|| help_for_word(token, &word, rules, previous));
    SyntaxProblem::Unexpected { word, expected }.at(&token.span).help_if(help)
}

struct Wording {
    rank: u8,
    text: String,
    /// The keywords with which the rule can begin.
    keywords: Vec<&'static str>,
}

/// The wording of each grammar rule, from the comments `//= RANK TEXT | KEYWORDS` in the grammar. The text of a rule
/// that consists of one keyword may be absent.
static WORDINGS: LazyLock<BTreeMap<&str, Wording>> = LazyLock::new(|| {
    let lines = include_str!("../../../grammar/pinion.pest").lines();
    let wordings = lines.filter_map(|line| {
        let (definition, comment) = line.split_once(" //= ")?;
        let rule = definition.split_whitespace().next()?;
        let (wording, keywords) = comment.split_once(" | ").unwrap_or((comment, ""));
        let (rank, text) = match wording.split_once(' ') {
            Some((rank, text)) => (rank, text.to_owned()),
            None => (wording, format!("`{}`", keyword_of(rule)?)),
        };
        Some((rule, Wording { rank: rank.parse().ok()?, text, keywords: keywords.split_whitespace().collect() }))
    });
    wordings.collect()
});

/// Returns the keyword of a grammar rule that consists of one keyword. Such a rule is named `k_with` or `w_cells`.
fn keyword_of(rule: &str) -> Option<&str> {
    rule.strip_prefix("k_").or(rule.strip_prefix("w_"))
}

fn name_of(rule: Rule) -> String {
    // `EOI` is a rule of pest, which the grammar names `line_end`.
    format!("{:?}", if rule == Rule::EOI { Rule::line_end } else { rule })
}

/// Returns the expected constructs in words, most informative first, at most [`MAX_EXPECTATIONS`].
fn expectations(rules: &[Rule]) -> Vec<String> {
    let wordings = rules.iter().filter_map(|rule| WORDINGS.get(name_of(*rule).as_str()));
    let mut ranked: Vec<(u8, &String)> = wordings.map(|wording| (wording.rank, &wording.text)).collect();
    ranked.sort_unstable();
    ranked.dedup();
    // Operators can follow nearly everywhere, so they are omitted if there are many other expectations.
    if ranked.len() > MAX_EXPECTATIONS {
        ranked.retain(|(rank, _)| *rank < RANK_OPERATOR);
    }
    ranked.into_iter().take(MAX_EXPECTATIONS).map(|(_, text)| text.clone()).collect()
}

/// Keywords that are expected together with a larger rule, such as `every` with `determiner`. [`first_keywords`]
/// returns them only for the larger rule.
const KEYWORDS_OF_LARGER_RULES: &[&str] = word_list! {
    every no those has lacks sees within disjoint meeting avoiding through crossing parallel rn cn givens each
};

fn first_keywords(rule: Rule) -> Vec<String> {
    let name = name_of(rule);
    match WORDINGS.get(name.as_str()) {
        Some(Wording { keywords, .. }) if !keywords.is_empty() => keywords.iter().copied().map(str::to_owned).collect(),
        _ => {
            let keyword = keyword_of(&name).filter(|keyword| !KEYWORDS_OF_LARGER_RULES.contains(keyword));
            keyword.map(str::to_owned).into_iter().collect()
        }
    }
}

/// Returns advice about a word that was not expected. The author may have misspelt the word, left out a word before it,
/// or misspelt the previous word.
fn help_for_word(token: &Token, word: &str, rules: &[Rule], previous: &str) -> Option<String> {
    if token.class != TokenClass::Word {
        return None;
    }
    let near_expected = words::nearest(word, rules.iter().flat_map(|rule| first_keywords(*rule)));
    // A short unknown word is more likely a name than a misspelt keyword.
    let may_be_keyword = !words::is_reserved(word) && word.len() > 5;
    let near_any = || if may_be_keyword { words::nearest(word, words::current_keywords()) } else { None };
    if let Some(near) = near_expected.or_else(near_any) {
        return Some(format!("did you mean `{near}`?"));
    }
    if rules.contains(&Rule::k_from) {
        return Some("put `from` before the cells".to_owned());
    }
    if rules.contains(&Rule::close_set) && rules.contains(&Rule::comma) {
        return Some("put `,` between the members of a set".to_owned());
    }
    // The mistake may be in the previous word: `elminate z form A` fails after `form`.
    if previous.len() <= 2 || words::is_reserved(previous) || words::is_built_in(previous) {
        return None;
    }
    let near = words::nearest(previous, words::current_keywords())?;
    Some(format!("did you mean `{near}` instead of `{previous}`?"))
}

fn help_for_brace(word: &str, token: &Token, line: &LogicalLine) -> Option<String> {
    let ends_line = line.tokens.last().is_some_and(|last| last.span == token.span);
    match word {
        "}" if ends_line => Some("a `}` that closes a block stands alone on its line".to_owned()),
        "{" => Some("a `{` that opens a block is the last mark of its line".to_owned()),
        _ => None,
    }
}

/// Advice for common mistakes, with the conditions under which it is shown.
const MISTAKES: &str = include_str!("../../../grammar/mistakes.txt");

/// Returns the conditions and the advice of each entry of [`MISTAKES`].
fn mistakes() -> impl Iterator<Item = (&'static str, &'static str)> {
    MISTAKES.lines().filter(|line| !line.starts_with("//")).filter_map(|line| line.rsplit_once(" => "))
}

/// An unexpected token in its line, and the names of the grammar rules that are expected in its place.
struct Unexpected<'a> {
    line: &'a LogicalLine<'a>,
    position: usize,
    expected: &'a [String],
}

impl Unexpected<'_> {
    /// Returns the advice of the first entry of [`MISTAKES`] that fits.
    fn help(&self) -> Option<String> {
        if let Some(help) = self.help_for_split_name() {
            return Some(help);
        }
        let (_, advice) =
            mistakes().find(|(conditions, _)| conditions.split("; ").all(|condition| self.fits(condition)))?;
        let repeated = ["first", "-5", "-3", "-1", "0", "+1", "+2", "+3"];
        Some(repeated.iter().fold(advice.to_owned(), |text, key| text.replace(&format!("{{{key}}}"), self.word(key))))
    }

    /// Returns advice for a technique with an id of two words: `technique Two Words {`.
    fn help_for_split_name(&self) -> Option<String> {
        let (previous, word) = (self.word("-1"), self.word("0"));
        let is_title = self.word("-2") == "technique" && word.starts_with(char::is_alphabetic);
        if !is_title || !self.fits("expects open") {
            return None;
        }
        let id = format!("{previous}_{word}").to_lowercase();
        Some(format!("a name is one word, and the title stands in quotes: `technique {id} \"{previous} {word}\" {{`"))
    }

    /// Returns the text of a token: `first` is the first token of the line, `0` this token, `-1` the token before it.
    /// Empty outside the line.
    fn word(&self, key: &str) -> &str {
        let position = key.parse().map_or(Some(0), |distance| self.position.checked_add_signed(distance));
        position.map_or("", |position| self.line.word(position))
    }

    /// Returns true if a condition of [`MISTAKES`] holds, such as `-1 row column` or `!expects comma`.
    fn fits(&self, condition: &str) -> bool {
        let (key, alternatives) = condition.split_once(' ').unwrap_or((condition, ""));
        let (key, is_wanted) = key.strip_prefix('!').map_or((key, true), |key| (key, false));
        let mut alternatives = alternatives.split(' ');
        is_wanted
            == match key {
                "expects" => alternatives.any(|rule| self.expected.iter().any(|name| name == rule)),
                "only" => alternatives.eq(self.expected.iter().map(String::as_str)),
                _ => alternatives.any(|text| text_fits(self.word(key), text)),
            }
    }
}

/// Returns true if a token has the text that a condition requires.
fn text_fits(token: &str, text: &str) -> bool {
    match text {
        "<name>" => token.starts_with(char::is_alphabetic),
        "<number>" => token.starts_with(|first: char| first.is_ascii_digit()),
        "<text>" => token.starts_with('"'),
        "<text\\>" => token.ends_with("\\\""),
        _ => token == text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A comment with a missing rank or an unknown form would leave a rule out of all messages.
    #[test]
    fn every_wording_of_the_grammar_is_read() {
        let grammar = include_str!("../../../grammar/pinion.pest");
        let comments = grammar.lines().filter(|line| line.contains(" //= ")).count();
        assert_eq!(WORDINGS.len(), comments);
        let names: Vec<String> = Rule::all_rules().iter().map(|rule| name_of(*rule)).collect();
        for rule in WORDINGS.keys() {
            assert!(names.iter().any(|name| name == rule), "`{rule}` is no rule of the grammar");
        }
    }

    /// An unknown condition would never hold, so its advice would never be shown.
    #[test]
    fn every_condition_of_a_mistake_is_known() {
        let names: Vec<String> = Rule::all_rules().iter().map(|rule| name_of(*rule)).collect();
        assert!(mistakes().count() > 100);
        for (conditions, advice) in mistakes() {
            for condition in conditions.split("; ") {
                let (key, alternatives) = condition.split_once(' ').expect(advice);
                let is_known = match key.trim_start_matches('!') {
                    "expects" | "only" => alternatives.split(' ').all(|rule| names.iter().any(|name| name == rule)),
                    key => key == "first" || key.parse::<isize>().is_ok(),
                };
                assert!(is_known, "`{condition}` of `{advice}`");
            }
        }
    }
}
