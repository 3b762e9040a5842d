//! Syntax errors. In: the grammar rules that would have been accepted at a place. Out: a diagnostic in the words of the language,
//! with the word that was probably meant, or advice for a habit from other languages.

use super::grammar::Rule;
use super::layout::LogicalLine;
use super::tokens::{Token, TokenClass};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

/// At most this many expectations are named.
const MOST: usize = 4;

/// Rank of operators among expectations, the last.
const RANK_OPERATOR: u8 = 8;

/// Turns a parse failure at byte `at` into a diagnostic.
pub fn diagnostic(source: &str, line: &LogicalLine, at: usize, rules: &[Rule]) -> Diagnostic {
    let text = |token: &Token| source.get(token.span.clone()).unwrap_or("").to_owned();
    let token = line.tokens.iter().find(|token| token.span.end > at);
    let previous = line.tokens.iter().rev().find(|token| token.span.end <= at).map(&text).unwrap_or_default();
    let expectations = expectations(rules);
    let label = if expectations.is_empty() {
        "not expected".to_owned()
    } else {
        format!("expected {}", words::either(&expectations))
    };
    let Some(token) = token else {
        let end = line.span.end;
        let span = line.tokens.last().map_or(end..end, |token| token.span.clone());
        return SyntaxProblem::EndsEarly { expected: label }
            .at(&span)
            .help_if(unfinished(&previous).or_else(|| missing_brace(rules)));
    };
    let word = text(token);
    let only_names = rules.iter().all(|rule| matches!(rule, Rule::name | Rule::variable | Rule::kind));
    if only_names && words::is_reserved(&word) {
        return SyntaxProblem::ReservedName { word }.at(&token.span);
    }
    let at_line = InLine { source, line, at: line.tokens.iter().position(|one| one.span == token.span).unwrap_or(0) };
    let help = at_line
        .common_mistake(&word, &previous, rules)
        .or_else(|| common_mistake(&word, &previous, rules))
        .or_else(|| foreign(&word))
        .or_else(|| block_brace(&word, token, line))
        .or_else(|| meant(token, &word, rules, &previous));
    SyntaxProblem::Unexpected { word, expected: label }.at(&token.span).help_if(help)
}

/// Returns the expected words, most informative first, at most [`MOST`].
fn expectations(rules: &[Rule]) -> Vec<String> {
    let mut known: Vec<(u8, &str)> = rules.iter().filter_map(|rule| in_words(*rule)).collect();
    known.sort_unstable();
    known.dedup();
    // Operators can follow nearly everywhere, so they are listed only if there is little else.
    if known.len() > MOST {
        known.retain(|(rank, _)| *rank < RANK_OPERATOR);
    }
    known.into_iter().take(MOST).map(|(_, text)| text.to_owned()).collect()
}

/// Returns the words for a grammar rule and their rank; lower ranks are shown first.
fn in_words(rule: Rule) -> Option<(u8, &'static str)> {
    Some(match rule {
        Rule::k_from => (1, "`from`"),
        Rule::k_to => (1, "`to`"),
        Rule::k_some => (1, "`some`"),
        Rule::k_when => (1, "`when`"),
        Rule::k_otherwise => (2, "`otherwise`"),
        Rule::k_link => (1, "`link`"),
        Rule::k_on => (2, "`on`"),
        Rule::w_one => (1, "`one`"),
        Rule::w_solution => (1, "`solution`"),
        Rule::length => (1, "a length such as `3.. cells`"),
        Rule::w_cells => (1, "`cells`"),
        Rule::w_links => (2, "`links`"),
        Rule::k_strong => (2, "`strong links`"),
        Rule::w_any => (1, "`any`"),
        Rule::w_cell => (2, "`cell`"),
        Rule::w_same => (3, "`same digit`"),
        Rule::w_digit => (1, "`digit`"),
        Rule::w_shortest => (1, "`shortest`"),
        Rule::k_by => (1, "`by`"),
        Rule::k_using => (1, "`using`"),
        Rule::k_with => (1, "`with`"),
        Rule::w_step => (1, "`step`"),
        Rule::w_per => (1, "`per`"),
        Rule::w_rn => (1, "`rn`"),
        Rule::w_cn => (2, "`cn`"),
        Rule::w_between => (4, "`between`"),
        Rule::k_those => (4, "`those`"),
        _ => return chain_or_supposition_word(rule).or_else(|| part(rule)),
    })
}

/// The words of loops, clusters, rings, suppositions and rule lists.
fn chain_or_supposition_word(rule: Rule) -> Option<(u8, &'static str)> {
    Some(match rule {
        Rule::w_candidates => (4, "`candidates`"),
        Rule::w_excluded => (5, "`excluded by`"),
        Rule::w_coloured => (1, "`coloured`"),
        Rule::w_odd => (1, "`odd`"),
        Rule::k_guardians => (1, "`guardians`"),
        Rule::w_of => (1, "`of`"),
        Rule::outside_its | Rule::w_outside => (3, "`outside its cells`"),
        Rule::w_its => (1, "`its cells`"),
        Rule::k_every => (2, "`every`"),
        Rule::w_singles | Rule::singles => (1, "`singles`"),
        Rule::k_rules | Rule::strata => (2, "`rules`"),
        Rule::shows | Rule::w_reaches => (1, "`reaches contradiction` or `all imply`"),
        Rule::w_imply => (1, "`imply`"),
        Rule::w_contradiction => (1, "`contradiction`"),
        Rule::without | Rule::w_without => (3, "`without contradiction`"),
        Rule::cases => (1, "a name"),
        Rule::opposite => (2, "`not`"),
        Rule::w_each => (3, "`each of`"),
        _ => return None,
    })
}

/// Names, marks and larger parts in words.
fn part(rule: Rule) -> Option<(u8, &'static str)> {
    Some(match rule {
        Rule::name | Rule::variable | Rule::head | Rule::instance | Rule::index | Rule::case_binding => (1, "a name"),
        Rule::kind => (1, "a kind such as `cell`"),
        Rule::number => (1, "a number"),
        Rule::string | Rule::long_string => (3, "a text in quotes"),
        Rule::deduction => (1, "a deduction such as `r1c2<>3`"),
        Rule::stop | Rule::node => (1, "a node such as `(d)A`"),
        Rule::end => (1, "an end such as `(d)A`"),
        Rule::link | Rule::mark => (1, "a link, `=` or `-`"),
        Rule::param => (1, "a parameter such as `n: 2..4`"),
        Rule::joined => (1, "a technique such as `other(n)`"),
        Rule::excess => (1, "a number"),
        Rule::space => (1, "`rn` or `cn`"),
        Rule::also | Rule::w_also => (5, "`also in`"),
        Rule::k_assuming => (4, "`assuming one solution`"),
        Rule::close_set | Rule::close => (2, "`}`"),
        Rule::close_paren => (2, "`)`"),
        Rule::close_bracket => (2, "`]`"),
        Rule::open_paren => (3, "`(`"),
        Rule::open_set => (3, "`{`"),
        Rule::open => (2, "`{` at the end of the line"),
        Rule::colon => (2, "`:`"),
        Rule::dots => (3, "`..`"),
        Rule::equals => (3, "`=`"),
        Rule::k_for | Rule::each => (5, "`for`"),
        Rule::k_in => (4, "`in`"),
        Rule::comma => (4, "`,`"),
        Rule::line_end | Rule::EOI | Rule::nl => (7, "the end of the line"),
        Rule::qualifier
        | Rule::property
        | Rule::relation
        | Rule::in_one
        | Rule::in_set
        | Rule::with
        | Rule::disjoint_from
        | Rule::linking => (3, "a relation (`=`, `sees`, …)"),
        Rule::is_exactly => (3, "`=`"),
        Rule::condition | Rule::conjunct | Rule::clause | Rule::linked_by | Rule::allowed | Rule::k_not => {
            (2, "a condition")
        }
        Rule::noun
        | Rule::element
        | Rule::sum
        | Rule::atom
        | Rule::determiner
        | Rule::seen
        | Rule::paren
        | Rule::arguments
        | Rule::count
        | Rule::hash
        | Rule::set
        | Rule::call
        | Rule::excluded
        | Rule::seeing => (3, "an expression"),
        Rule::w_allow => (1, "`allow`"),
        Rule::predicate | Rule::compare | Rule::comparison | Rule::containment | Rule::closed => {
            (3, "a relation (`=`, `sees`, …)")
        }
        // One word stands for both: `and` continues most conditions.
        Rule::joiner | Rule::k_and | Rule::k_or => (6, "`and`"),
        Rule::operator | Rule::plus | Rule::minus | Rule::ampersand => (RANK_OPERATOR, "an operator"),
        _ => return None,
    })
}

/// Returns the words that a rule can begin with, for the search of the word that was meant.
fn choices(rule: Rule) -> &'static [&'static str] {
    const PROPERTIES: &[&str] = &["sees", "has", "lacks", "meeting", "avoiding", "through", "crossing", "parallel"];
    const QUALIFIERS: &[&str] = &[
        "sees",
        "has",
        "lacks",
        "meeting",
        "avoiding",
        "through",
        "crossing",
        "parallel",
        "connected",
        "in",
        "with",
        "closed",
        "disjoint",
        "linking",
    ];
    match rule {
        Rule::qualifier => QUALIFIERS,
        Rule::predicate => &[
            "within",
            "disjoint",
            "sees",
            "has",
            "lacks",
            "meeting",
            "avoiding",
            "through",
            "crossing",
            "parallel",
            "connected",
            "in",
            "closed",
        ],
        Rule::property | Rule::relation => PROPERTIES,
        Rule::k_connected => &["connected"],
        Rule::containment => &["within", "disjoint"],
        Rule::closed | Rule::w_closed => &["closed"],
        Rule::w_allow => &["allow"],
        Rule::w_between => &["between"],
        Rule::disjoint_from => &["disjoint"],
        Rule::linking | Rule::w_linking => &["linking"],
        Rule::k_by => &["by"],
        Rule::k_using => &["using"],
        Rule::k_with => &["with"],
        Rule::w_per => &["per"],
        Rule::w_step => &["step"],
        Rule::w_coloured => &["coloured"],
        Rule::w_odd => &["odd"],
        Rule::w_of => &["of"],
        Rule::outside_its | Rule::w_outside => &["outside"],
        Rule::w_its => &["its"],
        Rule::w_excluded => &["excluded"],
        Rule::w_candidates => &["candidates"],
        Rule::shows | Rule::w_reaches => &["reaches", "all"],
        Rule::w_all => &["all"],
        Rule::w_imply => &["imply"],
        Rule::without | Rule::w_without => &["without"],
        Rule::w_contradiction => &["contradiction"],
        Rule::singles | Rule::w_singles => &["singles"],
        Rule::strata | Rule::k_rules => &["rules"],
        Rule::k_guardians => &["guardians"],
        Rule::also | Rule::w_also => &["also"],
        Rule::k_in | Rule::in_one | Rule::in_set => &["in"],
        Rule::with => &["with"],
        Rule::each | Rule::k_for => &["for"],
        Rule::joiner => &["and", "or"],
        Rule::determiner => &["every", "some", "no"],
        Rule::k_from => &["from"],
        Rule::k_to => &["to"],
        Rule::k_on => &["on"],
        Rule::k_some => &["some"],
        Rule::k_seeing => &["seeing"],
        Rule::k_when => &["when"],
        Rule::k_otherwise => &["otherwise"],
        Rule::k_assuming => &["assuming"],
        Rule::k_link => &["link"],
        Rule::k_strong => &["strong"],
        Rule::w_links => &["links"],
        Rule::w_cells => &["cells"],
        Rule::w_shortest => &["shortest"],
        Rule::w_any => &["any"],
        Rule::w_cell => &["cell"],
        Rule::w_same => &["same"],
        Rule::w_digit => &["digit"],
        Rule::w_one => &["one"],
        Rule::w_solution => &["solution"],
        Rule::k_and => &["and"],
        Rule::k_or => &["or"],
        Rule::conjunct | Rule::k_not => &["not"],
        _ => &[],
    }
}

/// Returns advice: the word that was meant (among those expected here, then among all), a missing word, or the word before.
fn meant(token: &Token, word: &str, rules: &[Rule], previous: &str) -> Option<String> {
    if token.class != TokenClass::Word {
        return None;
    }
    let here = words::nearest(word, rules.iter().flat_map(|rule| choices(*rule)).copied());
    let anywhere = || words::nearest(word, words::reserved()).filter(|_| !words::is_reserved(word) && word.len() > 5);
    if let Some(near) = here.or_else(anywhere) {
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

/// Returns advice for a common mistake that is recognized by its place.
pub fn common_mistake(word: &str, last: &str, rules: &[Rule]) -> Option<String> {
    let may = |rule: Rule| rules.contains(&rule);
    let text = match (last, word) {
        (_, "by") if may(Rule::k_using) => {
            "write `using`: `suppose p using links, …`, `using singles`, `using rules a, b`"
        }
        (_, "agree" | "agrees" | "implies" | "share" | "each") if may(Rule::shows) || may(Rule::w_imply) => {
            "write `all imply q`"
        }
        ("agree" | "agrees", "on") => "write `all imply q`",
        (_, "contradiction") if may(Rule::shows) => "write `reaches contradiction`",
        (_, "reaches" | "leads" | "all") if may(Rule::k_or) || may(Rule::k_using) || may(Rule::comma) => {
            "say what may be used, then what must come of it: `suppose p using singles, reaches contradiction`"
        }
        ("suppose", "every" | "all") => "write `suppose each of digits(c) in c using …`",
        (_, "missing") if may(Rule::relation) || may(Rule::predicate) || may(Rule::qualifier) => {
            "write `avoiding`: `b: box avoiding A, B`; for a digit without a place write `require no d in b`"
        }
        (_, "open") if may(Rule::predicate) || may(Rule::qualifier) => "write `require givens allow {x, y} in S`",
        ("example" | "near_miss", word) if word.starts_with('"') => {
            "the id of the technique comes first: `example my_rule \"What it shows\" {`"
        }
        ("technique", word) if word.starts_with('"') => {
            "a name comes before the title: `technique my_rule \"My Rule\" {`"
        }
        ("technique", "{") => "a technique has a name: `technique my_rule \"My Rule\" {`",
        (_, "seeing") => "write `cells seeing c`, `cells seeing every s` or `cells seeing some s`",
        (_, "containing" | "holding" | "contains") if may(Rule::qualifier) => {
            "write `through`: `h: house through a, b`"
        }
        (_, "-") if may(Rule::open) => "a name is one word of letters, digits and `_`",
        ("each", "other") => "name one thing in the line of the other: `d: cell sees c`",
        ("cells", "that" | "which" | "who") => {
            "write `cells seeing c`, `cells seeing every s`, or `(those c in cells with …)`"
        }
        (_, "share" | "shares") => "write `A sees B`, or `A, B in one house`",
        ("exactly" | "just" | "precisely", _) => "`#` counts a set: `#(d in h) = 2`",
        ("says" | "because" | "called", word) if !matches!(word, "'" | "“" | "”" | "‘" | "’") => {
            "a text stands in quotes: `says \"…\"`"
        }
        (_, "if" | "where" | "unless") if may(Rule::k_when) => "write `when`",
        ("in", "{") => "places that lie in others are `within` them: `d in r within c + k`",
        ("same" | "common", "row" | "column" | "box" | "house" | "line") => "write `require A, B in one row`",
        (_, "restricted" | "common") => "a restricted common is `x: digit linking A, B`",
        ("assuming", _) | (_, "unique" | "uniqueness") if may(Rule::w_one) || may(Rule::k_assuming) => {
            "write `assuming one solution`"
        }
        ("..", "inf" | "infinity" | "∞" | "max" | "*") => "write `3..` for three and more",
        ("{", _) if may(Rule::line_end) || may(Rule::EOI) || may(Rule::nl) => {
            "end the line after `{`, and write each line of the block on its own"
        }
        (_, "peers") => "write `cells seeing A, B`: the cells that see both",
        ("chain", _) => "a chain begins with a node, `chain (d)A = (d)B`, or with `from` where its length is open",
        ("cells" | "digits", "(") if may(Rule::qualifier) || may(Rule::in_set) => {
            "the size of a set stands in `[ ]`: `cells[2]`"
        }
        (_, "|") if may(Rule::condition) || may(Rule::conjunct) || may(Rule::clause) => {
            "`#` counts a set: `#digits(s)`"
        }
        (_, "not") if may(Rule::qualifier) => {
            "what a thing must not be stands on a line of its own: `require not A sees B`; houses can be `avoiding E`, cells \
             can lack digits: `lacks D`"
        }
        (_, "outside") => {
            "a house that holds none of them is `avoiding` them: `b: box avoiding A, B`, `require b avoiding A, B`"
        }
        (_, "those") => "`those` stands in parentheses, `(those c in cells with …)`, or alone after `let n =`",
        (_, "also") if may(Rule::open) => "`also in …` comes after the title and before `assuming one solution`",
        ("each", _) if may(Rule::w_of) => "write `each of d in h`, `each of digits(c) in c`",
        ("all" | "each", _) => "write `every` for all of them; a line is repeated by `for d in …`",
        ("conclude", _) => {
            "`conclude some z in A, B`, or with two digits `conclude some x in A, y in B`, says that one of these is true; use \
             `eliminate` or `place` for what follows"
        }
        ("using", "singles" | "rules") => "only `using links` has a block, which says which links",
        (_, "or") if may(Rule::k_using) => "both ways are `suppose p, or not p using …`",
        ("using", _) if may(Rule::singles) || may(Rule::w_singles) => {
            "what may be used: `using links` with a block, `using singles`, or `using rules a, b` with techniques and rule lists"
        }
        (",", _) if may(Rule::w_odd) => "a ring is odd and has guardians: `ring K, 5.. candidates, odd, guardians G {`",
        (_, "colored" | "in") if may(Rule::w_coloured) => "the two colours get names: `coloured blue, green`",
        (_, "+") if may(Rule::w_cells) && may(Rule::dots) => "write `3..` for three and more",
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
        let at = self.at.checked_add_signed(away);
        let token = at.and_then(|at| self.line.tokens.get(at));
        token.and_then(|token| self.source.get(token.span.clone())).unwrap_or("")
    }

    /// Returns advice for a common mistake, with the words of the line put right.
    pub fn common_mistake(&self, word: &str, last: &str, rules: &[Rule]) -> Option<String> {
        let may = |rule: Rule| rules.contains(&rule);
        let (first, before, next) = (self.word(-(self.at as isize)), self.word(-2), self.word(1));
        let binds = may(Rule::qualifier);
        let says = binds || may(Rule::predicate) || may(Rule::compare);
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
            "-" if may(Rule::dots) && first == "technique" => format!("write `{last}..{next}`"),
            _ if last == ":" && matches!(next, "cells" | "digits" | "houses" | "rows" | "columns" | "lines") => {
                format!("write `{next}[{word}]`")
            }
            _ if first == "technique" && self.at == 2 && may(Rule::open) && word.starts_with(char::is_alphabetic) => {
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
            "digits" if may(Rule::w_candidates) => format!("write `with {last} candidates`"),
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
            "{" if matches!(first, "chain" | "loop") && may(Rule::comma) => {
                "say how long it may be: `…, 2.. strong links {`".to_owned()
            }
            "from" | "of" if binds => format!("write `in {next}`"),
            "is" if says && matches!(next, "in" | "not") => "leave `is` out".to_owned(),
            "is" | "equals" | "are" if says => "write `=`".to_owned(),
            "," if before == "=" && (binds || first == "require") => {
                format!("a set stands in braces: `= {{{last}, {next}}}`")
            }
            "and" if !may(Rule::k_and) && binds && QUALIFIERS.contains(&next) => {
                format!("leave `and` out: `sees {last} {next} …`")
            }
            "and" if !may(Rule::k_and) && binds && self.word(2).starts_with(char::is_alphabetic) => {
                "a further condition stands on a line of its own: `require …`".to_owned()
            }
            "and" | "or" if !may(Rule::k_and) && !may(Rule::k_using) && may(Rule::comma) => {
                format!("the members of a list are separated by commas: `{last}, {next}`")
            }
            "union" if may(Rule::operator) || may(Rule::plus) => format!("write `{last} + {next}`"),
            "intersect" | "intersection" | "intersects" if may(Rule::operator) || may(Rule::ampersand) => {
                format!("write `{last} & {next}`")
            }
            "except" | "without" | "minus" | "excluding" if may(Rule::operator) || may(Rule::minus) => {
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
