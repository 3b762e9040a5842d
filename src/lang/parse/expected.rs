//! Syntax errors. In: the grammar rules that would have been accepted at a place. Out: a diagnostic in the words
//! of the language, with the word that was probably meant.

use super::grammar::Rule;
use super::habits::{InLine, common_mistake};
use super::layout::Line;
use super::tokens::{Class, Token};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

/// At most this many expectations are named.
const MOST: usize = 4;

/// Rank of operators among expectations, the last.
const RANK_OPERATOR: u8 = 8;

/// Turns a parse failure at byte `at` into a diagnostic.
pub fn diagnostic(source: &str, line: &Line, at: usize, rules: &[Rule]) -> Diagnostic {
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
        return Diagnostic::error("E0101", span, "this line ends too early", format!("{label} after this"))
            .help_if(unfinished(&previous).or_else(|| missing_brace(rules)));
    };
    let word = text(token);
    let only_names = rules.iter().all(|rule| matches!(rule, Rule::name | Rule::variable | Rule::kind));
    if only_names && words::is_reserved(&word) {
        let message = format!("`{word}` is a word of the language and cannot be a name");
        return Diagnostic::error("E0109", token.span.clone(), message, "choose another name");
    }
    let at_line = InLine { source, line, at: line.tokens.iter().position(|one| one.span == token.span).unwrap_or(0) };
    let help = at_line
        .common_mistake(&word, &previous, rules)
        .or_else(|| common_mistake(&word, &previous, rules))
        .or_else(|| foreign(&word))
        .or_else(|| block_brace(&word, token, line))
        .or_else(|| meant(token, &word, rules, &previous));
    Diagnostic::error("E0101", token.span.clone(), format!("`{word}` cannot stand here"), label).help_if(help)
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
        | Rule::apart
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
        Rule::apart => &["disjoint"],
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
    if token.class != Class::Word {
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
fn block_brace(word: &str, token: &Token, line: &Line) -> Option<String> {
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
