//! Syntax errors. In: the grammar rules that would have been accepted at a place. Out: a diagnostic in the words of the language,
//! with the word that was probably meant, or advice for a habit from other languages.

use super::grammar::Rule;
use super::layout::LogicalLine;
use super::tokens::{Token, TokenClass};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words::{self, word_list};

/// At most this many expectations are named.
const MOST: usize = 4;

/// Rank of operators among expectations, the last.
const RANK_OPERATOR: u8 = 8;

/// Turns a parse failure at byte `at` into a diagnostic.
pub fn diagnostic(source: &str, line: &LogicalLine, at: usize, rules: &[Rule]) -> Diagnostic {
    let previous = line.tokens.iter().rev().find(|token| token.span.end <= at).map_or("", |token| token.text(source));
    let expectations = expectations(rules);
    let expected = match expectations.is_empty() {
        true => "not expected".to_owned(),
        false => format!("expected {}", words::either(&expectations)),
    };
    let Some((number, token)) = line.tokens.iter().enumerate().find(|(_, token)| token.span.end > at) else {
        let end = line.span.end;
        let span = line.tokens.last().map_or(end..end, |token| token.span.clone());
        let help = unfinished(previous).or_else(|| missing_brace(rules));
        return SyntaxProblem::EndsEarly { expected }.at(&span).help_if(help);
    };
    let word = token.text(source).to_owned();
    let only_names = rules.iter().all(|rule| matches!(rule, Rule::name | Rule::variable | Rule::kind));
    if only_names && words::is_reserved(&word) {
        return SyntaxProblem::ReservedName { word }.at(&token.span);
    }
    let help = InLine { source, line, at: number }
        .common_mistake(&word, previous, rules)
        .or_else(|| common_mistake(&word, previous, rules))
        .or_else(|| foreign(&word))
        .or_else(|| block_brace(&word, token, line))
        .or_else(|| meant(token, &word, rules, previous));
    SyntaxProblem::Unexpected { word, expected }.at(&token.span).help_if(help)
}

/// Returns the expected words, most informative first, at most [`MOST`].
fn expectations(rules: &[Rule]) -> Vec<String> {
    let mut known: Vec<(u8, String)> = rules.iter().filter_map(|rule| in_words(*rule)).collect();
    known.sort_unstable();
    known.dedup();
    // Operators can follow nearly everywhere, so they are listed only if there is little else.
    if known.len() > MOST {
        known.retain(|(rank, _)| *rank < RANK_OPERATOR);
    }
    known.into_iter().take(MOST).map(|(_, text)| text).collect()
}

/// Words that are listed as they are, by rank; lower ranks are shown first.
const LISTED: [(u8, &[&str]); 4] = [
    (
        1,
        word_list! {
            from to some when link one solution cells any digit shortest by using with step per rn coloured odd guardians of
            imply contradiction allow singles
        },
    ),
    (2, word_list! { otherwise on links cell cn every rules }),
    (4, word_list! { between those candidates in }),
    (5, word_list! { for }),
];

/// A list of grammar rules.
macro_rules! rule_list {
    ($($rule:ident)*) => { &[$(Rule::$rule),*] };
}

const NAMES: &[Rule] = rule_list! { name variable head instance index case_binding cases };
const CONDITIONS: &[Rule] = rule_list! { condition conjunct clause linked_by allowed k_not };
const RELATIONS: &[Rule] = rule_list! {
    qualifier property relation in_one in_set with disjoint_from linking predicate compare comparison containment closed
};
const EXPRESSIONS: &[Rule] = rule_list! {
    noun element sum atom determiner seen paren arguments count hash set call excluded seeing
};

/// Returns the word of a grammar rule for one word.
fn own_word(rule: Rule) -> Option<String> {
    let name = format!("{rule:?}");
    name.strip_prefix("k_").or(name.strip_prefix("w_")).map(str::to_owned)
}

/// Returns the words for a grammar rule and their rank.
fn in_words(rule: Rule) -> Option<(u8, String)> {
    if let Some(word) = own_word(rule)
        && let Some((rank, _)) = LISTED.iter().find(|(_, listed)| listed.contains(&word.as_str()))
    {
        return Some((*rank, format!("`{word}`")));
    }
    let (rank, text) = match rule {
        _ if NAMES.contains(&rule) => (1, "a name"),
        Rule::number | Rule::excess => (1, "a number"),
        Rule::kind => (1, "a kind such as `cell`"),
        Rule::length => (1, "a length such as `3.. cells`"),
        Rule::deduction => (1, "a deduction such as `r1c2<>3`"),
        Rule::stop | Rule::node => (1, "a node such as `(d)A`"),
        Rule::end => (1, "an end such as `(d)A`"),
        Rule::link | Rule::mark => (1, "a link, `=` or `-`"),
        Rule::param => (1, "a parameter such as `n: 2..4`"),
        Rule::joined => (1, "a technique such as `other(n)`"),
        Rule::space => (1, "`rn` or `cn`"),
        Rule::w_its => (1, "`its cells`"),
        Rule::singles => (1, "`singles`"),
        Rule::shows | Rule::w_reaches => (1, "`reaches contradiction` or `all imply`"),
        Rule::strata => (2, "`rules`"),
        Rule::k_strong => (2, "`strong links`"),
        Rule::opposite => (2, "`not`"),
        Rule::close_set | Rule::close => (2, "`}`"),
        Rule::close_paren => (2, "`)`"),
        Rule::close_bracket => (2, "`]`"),
        Rule::open => (2, "`{` at the end of the line"),
        Rule::colon => (2, "`:`"),
        _ if CONDITIONS.contains(&rule) => (2, "a condition"),
        Rule::w_same => (3, "`same digit`"),
        Rule::outside_its | Rule::w_outside => (3, "`outside its cells`"),
        Rule::without | Rule::w_without => (3, "`without contradiction`"),
        Rule::w_each => (3, "`each of`"),
        Rule::string | Rule::long_string => (3, "a text in quotes"),
        Rule::open_paren => (3, "`(`"),
        Rule::open_set => (3, "`{`"),
        Rule::dots => (3, "`..`"),
        Rule::equals | Rule::is_exactly => (3, "`=`"),
        _ if RELATIONS.contains(&rule) => (3, "a relation (`=`, `sees`, …)"),
        _ if EXPRESSIONS.contains(&rule) => (3, "an expression"),
        Rule::k_assuming => (4, "`assuming one solution`"),
        Rule::comma => (4, "`,`"),
        Rule::w_excluded => (5, "`excluded by`"),
        Rule::also | Rule::w_also => (5, "`also in`"),
        Rule::each => (5, "`for`"),
        // One word stands for both: `and` continues most conditions.
        Rule::joiner | Rule::k_and | Rule::k_or => (6, "`and`"),
        Rule::line_end | Rule::EOI | Rule::nl => (7, "the end of the line"),
        Rule::operator | Rule::plus | Rule::minus | Rule::ampersand => (RANK_OPERATOR, "an operator"),
        _ => return None,
    };
    Some((rank, text.to_owned()))
}

/// Words that only the relation or the determiner around them proposes.
const NOT_PROPOSED: &[&str] = word_list! {
    every no those has lacks sees within disjoint meeting avoiding through crossing parallel rn cn givens each
};

/// Returns the words that a rule can begin with, for the search of the word that was meant.
fn choices(rule: Rule) -> Vec<String> {
    let words = match rule {
        Rule::qualifier => {
            "sees has lacks meeting avoiding through crossing parallel connected in with closed disjoint linking"
        }
        Rule::predicate => {
            "within disjoint sees has lacks meeting avoiding through crossing parallel connected in closed"
        }
        Rule::property | Rule::relation => "sees has lacks meeting avoiding through crossing parallel",
        Rule::containment => "within disjoint",
        Rule::closed => "closed",
        Rule::disjoint_from => "disjoint",
        Rule::linking => "linking",
        Rule::outside_its => "outside",
        Rule::shows | Rule::w_reaches => "reaches all",
        Rule::without => "without",
        Rule::singles => "singles",
        Rule::strata => "rules",
        Rule::also => "also",
        Rule::in_one | Rule::in_set => "in",
        Rule::with => "with",
        Rule::each => "for",
        Rule::joiner => "and or",
        Rule::determiner => "every some no",
        Rule::conjunct => "not",
        _ => return own_word(rule).into_iter().filter(|word| !NOT_PROPOSED.contains(&word.as_str())).collect(),
    };
    words.split(' ').map(str::to_owned).collect()
}

/// Returns advice: the word that was meant (among those expected here, then among all), a missing word, or the word before.
fn meant(token: &Token, word: &str, rules: &[Rule], previous: &str) -> Option<String> {
    if token.class != TokenClass::Word {
        return None;
    }
    let here = words::nearest(word, rules.iter().flat_map(|rule| choices(*rule)));
    let may_be_any = !words::is_reserved(word) && word.len() > 5;
    if let Some(near) = here.or_else(|| words::nearest(word, words::reserved()).filter(|_| may_be_any)) {
        return Some(format!("did you mean `{near}`?"));
    }
    if rules.contains(&Rule::k_from) {
        return Some("put `from` before the place".to_owned());
    }
    // The mistake may be the word before: `elminate z form A` fails after `form`, `d inn A` after `inn`.
    if rules.contains(&Rule::close_set) && rules.contains(&Rule::comma) {
        return Some("put `,` between the members of a set".to_owned());
    }
    let guess = previous.len() > 2 && !words::is_reserved(previous) && !words::is_built_in(previous);
    let before = words::nearest(previous, words::reserved()).filter(|_| guess);
    before.map(|near| format!("did you mean `{near}` instead of `{previous}`?"))
}

/// Returns advice for a brace that is not where a block needs it.
fn block_brace(word: &str, token: &Token, line: &LogicalLine) -> Option<String> {
    let ends_line = line.tokens.last().is_some_and(|last| last.span == token.span);
    match word {
        "}" if ends_line => Some("a `}` that closes a block stands alone on its line".to_owned()),
        "{" => Some("a `{` that opens a block is the last mark of its line".to_owned()),
        _ => None,
    }
}

/// Returns advice for a line that ends with an operator or a comma.
fn unfinished(previous: &str) -> Option<String> {
    let ends = matches!(previous, "," | "+" | "-" | "&" | "and" | "or");
    ends.then(|| format!("a line goes on after `{previous}`, but the next one begins a new statement"))
}

/// Returns advice for a header without its `{`.
fn missing_brace(rules: &[Rule]) -> Option<String> {
    rules.contains(&Rule::open).then(|| "end the line with `{`".to_owned())
}

/// Returns advice for marks of other languages.
pub fn foreign(word: &str) -> Option<String> {
    let instead = match word {
        "==" => "write `=`: it compares",
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

/// True if one of some rules would have been accepted.
macro_rules! may {
    ($rules:ident: $($rule:ident)|+) => { $rules.iter().any(|rule| matches!(rule, $(Rule::$rule)|+)) };
}

/// Returns advice for a common mistake that is recognized by its place.
pub fn common_mistake(word: &str, last: &str, rules: &[Rule]) -> Option<String> {
    let text = match (last, word) {
        (_, "by") if may!(rules: k_using) => {
            "write `using`: `suppose p using links, …`, `using singles`, `using rules a, b`"
        }
        (_, "agree" | "agrees" | "implies" | "share" | "each") if may!(rules: shows | w_imply) => "write `all imply q`",
        ("agree" | "agrees", "on") => "write `all imply q`",
        (_, "contradiction") if may!(rules: shows) => "write `reaches contradiction`",
        (_, "reaches" | "leads" | "all") if may!(rules: k_or | k_using | comma) => {
            "say what may be used, then what must come of it: `suppose p using singles, reaches contradiction`"
        }
        ("suppose", "every" | "all") => "write `suppose each of digits(c) in c using …`",
        (_, "missing") if may!(rules: relation | predicate | qualifier) => {
            "write `avoiding`: `b: box avoiding A, B`; for a digit without a place write `require no d in b`"
        }
        (_, "open") if may!(rules: predicate | qualifier) => "write `require givens allow {x, y} in S`",
        ("example" | "near_miss", word) if word.starts_with('"') => {
            "the id of the technique comes first: `example my_rule \"What it shows\" {`"
        }
        ("technique", word) if word.starts_with('"') => {
            "a name comes before the title: `technique my_rule \"My Rule\" {`"
        }
        ("technique", "{") => "a technique has a name: `technique my_rule \"My Rule\" {`",
        (_, "seeing") => "write `cells seeing c`, `cells seeing every s` or `cells seeing some s`",
        (_, "containing" | "holding" | "contains") if may!(rules: qualifier) => {
            "write `through`: `h: house through a, b`"
        }
        (_, "-") if may!(rules: open) => "a name is one word of letters, digits and `_`",
        ("each", "other") => "name one thing in the line of the other: `d: cell sees c`",
        ("cells", "that" | "which" | "who") => {
            "write `cells seeing c`, `cells seeing every s`, or `(those c in cells with …)`"
        }
        (_, "share" | "shares") => "write `A sees B`, or `A, B in one house`",
        ("exactly" | "just" | "precisely", _) => "`#` counts a set: `#(d in h) = 2`",
        ("says" | "because" | "called", word) if !matches!(word, "'" | "“" | "”" | "‘" | "’") => {
            "a text stands in quotes: `says \"…\"`"
        }
        (_, "if" | "where" | "unless") if may!(rules: k_when) => "write `when`",
        ("in", "{") => "places that lie in others are `within` them: `d in r within c + k`",
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
        ("chain", _) => "a chain begins with a node, `chain (d)A = (d)B`, or with `from` where its length is open",
        ("cells" | "digits", "(") if may!(rules: qualifier | in_set) => "the size of a set stands in `[ ]`: `cells[2]`",
        (_, "|") if may!(rules: condition | conjunct | clause) => "`#` counts a set: `#digits(s)`",
        (_, "not") if may!(rules: qualifier) => {
            "what a thing must not be stands on a line of its own: `require not A sees B`; houses can be `avoiding E`, cells \
             can lack digits: `lacks D`"
        }
        (_, "outside") => {
            "a house that holds none of them is `avoiding` them: `b: box avoiding A, B`, `require b avoiding A, B`"
        }
        (_, "those") => "`those` stands in parentheses, `(those c in cells with …)`, or alone after `let n =`",
        (_, "also") if may!(rules: open) => "`also in …` comes after the title and before `assuming one solution`",
        ("each", _) if may!(rules: w_of) => "write `each of d in h`, `each of digits(c) in c`",
        ("all" | "each", _) => "write `every` for all of them; a line is repeated by `for d in …`",
        ("conclude", _) => {
            "`conclude some z in A, B`, or with two digits `conclude some x in A, y in B`, says that one of these is true; use \
             `eliminate` or `place` for what follows"
        }
        ("using", "singles" | "rules") => "only `using links` has a block, which says which links",
        (_, "or") if may!(rules: k_using) => "both ways are `suppose p, or not p using …`",
        ("using", _) if may!(rules: singles | w_singles) => {
            "what may be used: `using links` with a block, `using singles`, or `using rules a, b` with techniques and rule lists"
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

/// Words that begin a qualifier.
const QUALIFIERS: [&str; 6] = ["has", "lacks", "sees", "in", "with", "within"];

/// A place in a line, for advice that repeats what is written around it.
pub struct InLine<'a> {
    pub source: &'a str,
    pub line: &'a LogicalLine,
    pub at: usize,
}

impl InLine<'_> {
    /// Returns the text of the token `away` tokens after the place (negative: before it).
    fn word(&self, away: isize) -> &str {
        self.at.checked_add_signed(away).map_or("", |at| self.line.word(self.source, at))
    }

    /// Returns advice for a common mistake, with the words of the line put right.
    pub fn common_mistake(&self, word: &str, last: &str, rules: &[Rule]) -> Option<String> {
        let (first, before, next) = (self.word(-(self.at as isize)), self.word(-2), self.word(1));
        let binds = may!(rules: qualifier);
        let says = binds || may!(rules: predicate | compare);
        let word = if word == "is" && matches!(next, "bivalue" | "trivalue") { next } else { word };
        Some(match word {
            "=" if rules == [Rule::colon] && first == "technique" => format!("write `{last}: 2..4`, or `{last}: 2..`"),
            "=" if rules == [Rule::colon] => format!("write `{last}: …`"),
            "bivalue" | "trivalue" if says => {
                let count = if word == "bivalue" { 2 } else { 3 };
                if binds {
                    format!("write `with {count} candidates`")
                } else {
                    format!("write `#digits({last}) = {count}`")
                }
            }
            ":" if first == "let" => {
                format!("write `{last}: …` to choose a thing, `let {last} = …` to name a value")
            }
            ":" if matches!(first, "technique" | "grid" | "finds" | "after" | "board") => "leave `:` out".to_owned(),
            ")" if rules == [Rule::colon] && first == "technique" => {
                format!("a parameter has a range: `{last}: 2..4`, or `{last}: 2..`")
            }
            "-" if may!(rules: dots) && first == "technique" => format!("write `{last}..{next}`"),
            _ if last == ":" && matches!(next, "cells" | "digits" | "houses" | "rows" | "columns" | "lines") => {
                format!("write `{next}[{word}]`")
            }
            _ if first == "technique" && self.at == 2 && may!(rules: open) && word.starts_with(char::is_alphabetic) => {
                let id = format!("{last}_{word}").to_lowercase();
                format!("a name is one word, and the title stands in quotes: `technique {id} \"{last} {word}\" {{`")
            }
            "!=" if first == "finds" => "write `<>`".to_owned(),
            "-" if first == "finds" => format!("write `{last}<>{next}`"),
            "cells" | "places" | "candidates" if before == "has" && last.bytes().all(|b| b.is_ascii_digit()) => {
                let (digit, house) = (self.word(-5), self.word(-3));
                match self.word(-4) {
                    "in" => format!("`#` counts a set: `#({digit} in {house}) = {last}`"),
                    _ => format!("`#` counts a set: `#(d in h) = {last}`"),
                }
            }
            "where" | "when" if binds => "a further condition stands on a line of its own: `require …`".to_owned(),
            _ if first == "chain" && next == "on" && self.at == 1 => format!("write `chain on {word} from …`"),
            "on" if first == "chain" => format!("this comes first: `chain on {next} from …`"),
            "[" if last == "=" => "a set stands in braces: `= {x, y}`".to_owned(),
            "=" if first == "place" => format!("write `place {next} in {last}`"),
            "at" if matches!(first, "place" | "eliminate") => format!("write `in {next}`"),
            "->" | "=>" | "==>" | "then" | "implies" if !matches!(first, "chain" | "suppose") => {
                "what follows stands on a line of its own: `eliminate d from A`, `place d in A`".to_owned()
            }
            "==" if first == "chain" => "write `=`, a strong link".to_owned(),
            "cell" | "cells" if matches!(last, "bivalue" | "trivalue") => {
                format!("write `{first}: cell with {} candidates`", if last == "bivalue" { 2 } else { 3 })
            }
            "of" if binds && next.starts_with(|c: char| c.is_ascii_digit()) => {
                format!("write `with {next} candidates`")
            }
            "digits" if may!(rules: w_candidates) => format!("write `with {last} candidates`"),
            "{" if last == "candidates" && before == "with" => {
                "write `= {…}`: its candidates are exactly these".to_owned()
            }
            "of" if last == "peers" => format!("write `cells seeing {next}`"),
            "of" if last == "rcc" => "a restricted common is `x: digit linking A, B`".to_owned(),
            "of" if matches!(last, "row" | "column" | "box") => format!("write `{last}({next})`"),
            "." if matches!(next, "row" | "column" | "box") => format!("write `{next}({last})`"),
            "." => "`#` counts a set: `#digits(s)`".to_owned(),
            _ if last == "of" && matches!(before, "every" | "some") => "leave `of` out".to_owned(),
            "not" if next == "in" && says => format!("write `no {last} in {}`", self.word(2)),
            "not" if next == "in" => format!("write `{last} - {}`", self.word(2)),
            "only" if next == "in" => "write `within`: `d in r within c + k`".to_owned(),
            "only" => "`= {x, y}` is exact: these candidates and no others".to_owned(),
            "intersects" | "intersecting" | "crosses" | "touches" | "overlaps" if says => {
                format!("write `meeting {next}`")
            }
            "{" if matches!(first, "chain" | "loop") && may!(rules: comma) => {
                "say how long it may be: `…, 2.. strong links {`".to_owned()
            }
            "from" | "of" if binds => format!("write `in {next}`"),
            "is" if says && matches!(next, "in" | "not") => "leave `is` out".to_owned(),
            "is" | "equals" | "are" if says => "write `=`".to_owned(),
            "," if before == "=" && (binds || first == "require") => {
                format!("a set stands in braces: `= {{{last}, {next}}}`")
            }
            "and" if !may!(rules: k_and) && binds && QUALIFIERS.contains(&next) => {
                format!("leave `and` out: `sees {last} {next} …`")
            }
            "and" if !may!(rules: k_and) && binds && self.word(2).starts_with(char::is_alphabetic) => {
                "a further condition stands on a line of its own: `require …`".to_owned()
            }
            "and" | "or" if !may!(rules: k_and) && !may!(rules: k_using) && may!(rules: comma) => {
                format!("the members of a list are separated by commas: `{last}, {next}`")
            }
            "union" if may!(rules: operator | plus) => format!("write `{last} + {next}`"),
            "intersect" | "intersection" | "intersects" if may!(rules: operator | ampersand) => {
                format!("write `{last} & {next}`")
            }
            "except" | "without" | "minus" | "excluding" if may!(rules: operator | minus) => {
                let list = self.word(2) == ",";
                let other = if list { format!("({next} + {})", self.word(3)) } else { next.to_owned() };
                format!("write `{last} - {other}`")
            }
            "where" | "if" | "when" | "unless" if matches!(first, "eliminate" | "place" | "conclude") => {
                "what must hold stands on a line of its own, before the conclusion: `require …`".to_owned()
            }
            "sees" | "has" | "lacks" | "within"
                if !says && matches!(first, "eliminate" | "place" | "conclude" | "let") =>
            {
                format!("what must hold stands on a line of its own: `require {last} {word} {next}`")
            }
            _ => return None,
        })
    }
}
