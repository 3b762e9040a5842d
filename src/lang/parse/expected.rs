//! Turns a syntax error of pest into a diagnostic. The diagnostic lists the expected constructs and may give advice: a
//! similar word, or the replacement of a construct from another language.

use super::grammar::Rule;
use super::layout::{JOINTS, LogicalLine};
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
pub fn diagnostic(source: &str, line: &LogicalLine, byte: usize, rules: &[Rule]) -> Diagnostic {
    let previous = line.tokens.iter().rev().find(|token| token.span.end <= byte).map_or("", |token| token.text(source));
    let expectations = expectations(rules);
    let expected = if expectations.is_empty() {
        "not expected".to_owned()
    } else {
        format!("expected {}", words::either(&expectations))
    };
    let Some((position, token)) = line.tokens.iter().enumerate().find(|(_, token)| token.span.end > byte) else {
        let end = line.span.end;
        let span = line.tokens.last().map_or(end..end, |token| token.span.clone());
        let help = if JOINTS.contains(&previous) {
            Some(format!("the line continues after `{previous}`, but the next line begins a new statement"))
        } else if rules.contains(&Rule::open) {
            Some("end the line with `{`".to_owned())
        } else {
            None
        };
        return SyntaxProblem::EndsEarly { expected }.at(&span).help_if(help);
    };
    let word = token.text(source).to_owned();
    let only_names = rules.iter().all(|rule| matches!(rule, Rule::name | Rule::variable | Rule::kind));
    if only_names && words::is_reserved(&word) {
        return SyntaxProblem::ReservedName { word }.at(&token.span);
    }
    let help = LineContext { source, line, position }
        .correction(&word, previous, rules)
        .or_else(|| help_for_common_mistake(&word, previous, rules))
        .or_else(|| help_for_foreign_mark(&word))
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
    let near_any = || if may_be_keyword { words::nearest(word, words::reserved()) } else { None };
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
    let near = words::nearest(previous, words::reserved())?;
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

/// Returns advice for marks of other languages.
pub fn help_for_foreign_mark(word: &str) -> Option<String> {
    let instead = match word {
        "==" => "write `=` to compare",
        "≠" | "<>" => "write `!=`",
        "≤" | "=<" => "write `<=`",
        "≥" | "=>" => "write `>=`",
        "&&" => "write `and`",
        "||" | "|" => "write `or` between conditions, `+` between sets",
        "!" => "write `not` before a condition, `!=` between numbers",
        ";" => "a newline ends a statement",
        "'" | "“" | "”" | "‘" | "’" => "put texts in straight double quotes: \"…\"",
        "∈" => "write `in`",
        "∪" => "write `+`",
        "∩" => "write `&`",
        "⊂" | "⊆" => "write `within`",
        "\\" => "write `-`",
        "–" | "—" | "−" => "write the plain `-`",
        "…" | "..." => "write `..`",
        ":=" => "write `let name = …`",
        "#" | "/" | "/*" | "%" => "a comment begins with `//`",
        _ => return None,
    };
    Some(instead.to_owned())
}

/// `may!(rules: a | b)` is true if `rules` contains `Rule::a` or `Rule::b`.
macro_rules! may {
    ($rules:ident: $($rule:ident)|+) => { $rules.iter().any(|rule| matches!(rule, $(Rule::$rule)|+)) };
}

/// Returns advice for a common mistake, which the word, the previous word and the expected rules identify.
fn help_for_common_mistake(word: &str, previous: &str, rules: &[Rule]) -> Option<String> {
    let text = match (previous, word) {
        (_, "by") if may!(rules: k_using) => {
            "write `using`: `suppose p using links, …`, `using singles`, `using rules a, b`"
        }
        (_, "agree" | "agrees" | "implies" | "share" | "each") if may!(rules: case_result | w_imply) => {
            "write `all imply q`"
        }
        ("agree" | "agrees", "on") => "write `all imply q`",
        (_, "contradiction") if may!(rules: case_result) => "write `reaches contradiction`",
        (_, "reaches" | "leads" | "all") if may!(rules: k_or | k_using | comma) => {
            "name the methods before the result: `suppose p using singles, reaches contradiction`"
        }
        ("suppose", "every" | "all") => "write `suppose each of digits(c) in c using …`",
        (_, "missing") if may!(rules: relation | predicate | qualifier) => {
            "write `avoiding`: `b: box avoiding A, B`; if a digit has no place, write `require no d in b`"
        }
        (_, "open") if may!(rules: predicate | qualifier) => "write `require givens allow {x, y} in S`",
        (text, _) if text.len() > 1 && text.ends_with("\\\"") => {
            "a text ends at the next `\"`, even after `\\`: write `'` inside a text"
        }
        ("[", "-") => "a number is 0 or more",
        ("example" | "near_miss", word) if word.starts_with('"') => {
            "the id of the technique comes first: `example my_rule \"What it shows\" {`"
        }
        ("technique", word) if word.starts_with('"') => {
            "the id comes before the title: `technique my_rule \"My Rule\" {`"
        }
        ("technique", "{") => "a technique has an id: `technique my_rule \"My Rule\" {`",
        (_, "seeing") => "write `cells seeing c`, `cells seeing every s` or `cells seeing some s`",
        (_, "containing" | "holding" | "contains") if may!(rules: qualifier) => {
            "write `through`: `h: house through a, b`"
        }
        (_, "-") if may!(rules: open) => "a name is one word of letters, digits and `_`",
        ("each", "other") => "relate each name to an earlier name: `d: cell sees c`",
        ("cells", "that" | "which" | "who") => {
            "write `cells seeing c`, `cells seeing every s`, or `(those c in cells with …)`"
        }
        (_, "share" | "shares") => "write `A sees B`, or `A, B in one house`",
        ("exactly" | "just" | "precisely", _) => "`#` counts a set: `#(d in h) = 2`",
        ("says" | "because" | "called", word) if !matches!(word, "'" | "“" | "”" | "‘" | "’") => {
            "a text stands in quotes: `says \"…\"`"
        }
        (_, "if" | "where" | "unless") if may!(rules: k_when) => "write `when`",
        ("in", "{") => "write `within` after a set of candidates: `d in r within c + k`",
        ("same" | "common", "row" | "column" | "box" | "house" | "line") => "write `require A, B in one row`",
        (_, "restricted" | "common") => "a restricted common is `x: digit linking A, B`",
        ("assuming", _) | (_, "unique" | "uniqueness") if may!(rules: w_one | k_assuming) => {
            "write `assuming one solution`"
        }
        ("..", "inf" | "infinity" | "∞" | "max" | "*") => "write `3..` for three and more",
        ("{", _) if may!(rules: line_end | EOI | nl) => {
            "end the line after `{`, and write each line of the block on its own"
        }
        (_, "peers") => "write `cells seeing A, B`: the cells that see both",
        ("chain", _) => "a chain begins with a node, `chain (d)A = (d)B`, or with `from` if its length is open",
        ("cells" | "digits", "(") if may!(rules: qualifier | in_set) => "the size of a set stands in `[ ]`: `cells[2]`",
        (_, "|") if may!(rules: condition | conjunct | clause) => "`#` counts a set: `#digits(s)`",
        (_, "not") if may!(rules: qualifier) => {
            "write `not` on a line of its own: `require not A sees B`; for houses write `avoiding E`, for digits `lacks D`"
        }
        (_, "outside") => {
            "write `avoiding` for a house without these cells: `b: box avoiding A, B`, `require b avoiding A, B`"
        }
        (_, "those") => "`those` stands in parentheses, `(those c in cells with …)`, or alone after `let n =`",
        (_, "also") if may!(rules: open) => "`also in …` comes after the title and before `assuming one solution`",
        ("each", _) if may!(rules: w_of) => "write `each of d in h`, `each of digits(c) in c`",
        ("all" | "each", _) => "write `every` before a set, or repeat the line with `for d in …`",
        ("conclude", _) => {
            "write `conclude some z in A, B` if one of several candidates is true; otherwise write `eliminate` or `place`"
        }
        ("using", "singles" | "rules") => "only `using links` has a block",
        (_, "or") if may!(rules: k_using) => "write `suppose p, or not p using …` for both cases",
        ("using", _) if may!(rules: singles | w_singles) => {
            "write `using links` with a block, `using singles`, or `using rules a, b` with techniques and rule lists"
        }
        (",", _) if may!(rules: w_odd) => {
            "a ring is odd and has guardians: `ring K, 5.. candidates, odd, guardians G {`"
        }
        (_, "colored" | "in") if may!(rules: w_coloured) => "the two colours get names: `coloured blue, green`",
        (_, "+") if may!(rules: w_cells) && may!(rules: dots) => "write `3..` for three and more",
        _ => return None,
    };
    Some(text.to_owned())
}

const QUALIFIERS: [&str; 6] = ["has", "lacks", "sees", "in", "with", "within"];

/// A token in its line, for advice that repeats the words around it.
struct LineContext<'a> {
    source: &'a str,
    line: &'a LogicalLine,
    position: usize,
}

impl LineContext<'_> {
    /// Returns the text of a nearby token: `word(1)` follows this token, `word(-1)` precedes it. Empty outside the
    /// line.
    fn word(&self, distance: isize) -> &str {
        self.position.checked_add_signed(distance).map_or("", |position| self.line.token_text(self.source, position))
    }

    /// Returns advice for a common mistake. The advice repeats words of the line.
    fn correction(&self, word: &str, previous: &str, rules: &[Rule]) -> Option<String> {
        let first = self.line.token_text(self.source, 0);
        let second_previous = self.word(-2);
        let next = self.word(1);
        let in_binding = may!(rules: qualifier);
        let needs_predicate = in_binding || may!(rules: predicate | compare);
        let word = if word == "is" && matches!(next, "bivalue" | "trivalue") { next } else { word };
        Some(match word {
            "=" if rules == [Rule::colon] && first == "technique" => {
                format!("write `{previous}: 2..4`, or `{previous}: 2..`")
            }
            "=" if rules == [Rule::colon] => format!("write `{previous}: …`"),
            "bivalue" | "trivalue" if needs_predicate => {
                let count = if word == "bivalue" { 2 } else { 3 };
                if in_binding {
                    format!("write `with {count} candidates`")
                } else {
                    format!("write `#digits({previous}) = {count}`")
                }
            }
            ":" if first == "let" => {
                format!("write `{previous}: …` to choose a thing, `let {previous} = …` to name a value")
            }
            ":" if matches!(first, "technique" | "grid" | "finds" | "after" | "board") => "leave `:` out".to_owned(),
            ")" if rules == [Rule::colon] && first == "technique" => {
                format!("a parameter has a range: `{previous}: 2..4`, or `{previous}: 2..`")
            }
            "-" if may!(rules: dots) && first == "technique" => format!("write `{previous}..{next}`"),
            _ if previous == ":" && matches!(next, "cells" | "digits" | "houses" | "rows" | "columns" | "lines") => {
                format!("write `{next}[{word}]`")
            }
            _ if first == "technique"
                && self.position == 2
                && may!(rules: open)
                && word.starts_with(char::is_alphabetic) =>
            {
                let id = format!("{previous}_{word}").to_lowercase();
                format!("a name is one word, and the title stands in quotes: `technique {id} \"{previous} {word}\" {{`")
            }
            "!=" if first == "finds" => "write `<>`".to_owned(),
            "-" if first == "finds" => format!("write `{previous}<>{next}`"),
            "cells" | "places" | "candidates"
                if second_previous == "has" && previous.bytes().all(|b| b.is_ascii_digit()) =>
            {
                let digit = self.word(-5);
                let house = self.word(-3);
                match self.word(-4) {
                    "in" => format!("`#` counts a set: `#({digit} in {house}) = {previous}`"),
                    _ => format!("`#` counts a set: `#(d in h) = {previous}`"),
                }
            }
            "where" | "when" if in_binding => "a further condition stands on a line of its own: `require …`".to_owned(),
            _ if first == "chain" && next == "on" && self.position == 1 => format!("write `chain on {word} from …`"),
            "on" if first == "chain" => format!("`on` comes first: `chain on {next} from …`"),
            "[" if previous == "=" => "a set stands in braces: `= {x, y}`".to_owned(),
            "=" if first == "place" => format!("write `place {next} in {previous}`"),
            "at" if matches!(first, "place" | "eliminate") => format!("write `in {next}`"),
            "->" | "=>" | "==>" | "then" | "implies" if !matches!(first, "chain" | "suppose") => {
                "write the conclusion on a line of its own: `eliminate d from A`, `place d in A`".to_owned()
            }
            "==" if first == "chain" => "write `=`, a strong link".to_owned(),
            "cell" | "cells" if matches!(previous, "bivalue" | "trivalue") => {
                format!("write `{first}: cell with {} candidates`", if previous == "bivalue" { 2 } else { 3 })
            }
            "of" if in_binding && next.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("write `with {next} candidates`")
            }
            "digits" if may!(rules: w_candidates) => format!("write `with {previous} candidates`"),
            "{" if previous == "candidates" && second_previous == "with" => {
                "write `= {…}` if the cell has exactly these candidates".to_owned()
            }
            "of" if previous == "peers" => format!("write `cells seeing {next}`"),
            "of" if previous == "rcc" => "a restricted common is `x: digit linking A, B`".to_owned(),
            "of" if matches!(previous, "row" | "column" | "box") => format!("write `{previous}({next})`"),
            "." if matches!(next, "row" | "column" | "box") => format!("write `{next}({previous})`"),
            "." => "`#` counts a set: `#digits(s)`".to_owned(),
            _ if previous == "of" && matches!(second_previous, "every" | "some") => "leave `of` out".to_owned(),
            "not" if next == "in" && needs_predicate => format!("write `no {previous} in {}`", self.word(2)),
            "not" if next == "in" => format!("write `{previous} - {}`", self.word(2)),
            "only" if next == "in" => "write `within`: `d in r within c + k`".to_owned(),
            "only" => "`= {x, y}` is exact: these candidates and no others".to_owned(),
            "intersects" | "intersecting" | "crosses" | "touches" | "overlaps" if needs_predicate => {
                format!("write `meeting {next}`")
            }
            "{" if matches!(first, "chain" | "loop") && may!(rules: comma) => {
                "give the length: `…, 2.. strong links {`".to_owned()
            }
            "from" | "of" if in_binding => format!("write `in {next}`"),
            "is" if needs_predicate && matches!(next, "in" | "not") => "leave `is` out".to_owned(),
            "is" | "equals" | "are" if needs_predicate => "write `=`".to_owned(),
            "," if second_previous == "=" && (in_binding || first == "require") => {
                format!("a set stands in braces: `= {{{previous}, {next}}}`")
            }
            "and" if !may!(rules: k_and) && in_binding && QUALIFIERS.contains(&next) => {
                format!("leave `and` out: `sees {previous} {next} …`")
            }
            "and" if !may!(rules: k_and) && in_binding && self.word(2).starts_with(char::is_alphabetic) => {
                "a further condition stands on a line of its own: `require …`".to_owned()
            }
            "and" | "or" if !may!(rules: k_and) && !may!(rules: k_using) && may!(rules: comma) => {
                format!("the members of a list are separated by commas: `{previous}, {next}`")
            }
            "union" if may!(rules: operator | plus) => format!("write `{previous} + {next}`"),
            "intersect" | "intersection" | "intersects" if may!(rules: operator | ampersand) => {
                format!("write `{previous} & {next}`")
            }
            "except" | "without" | "minus" | "excluding" if may!(rules: operator | minus) => {
                let list = self.word(2) == ",";
                let other = if list { format!("({next} + {})", self.word(3)) } else { next.to_owned() };
                format!("write `{previous} - {other}`")
            }
            "where" | "if" | "when" | "unless" if matches!(first, "eliminate" | "place" | "conclude") => {
                "write the condition on a line of its own, before the conclusion: `require …`".to_owned()
            }
            "sees" | "has" | "lacks" | "within"
                if !needs_predicate && matches!(first, "eliminate" | "place" | "conclude" | "let") =>
            {
                format!("write the condition on a line of its own: `require {previous} {word} {next}`")
            }
            _ => return None,
        })
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
}
