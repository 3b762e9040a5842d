//! Mistakes carried over from other languages. In: an unexpected word and the words around it. Out: advice in the words
//! of the language.

use super::grammar::Rule;
use super::layout::Line;

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

/// Words that begin what is said of a thing.
const QUALIFIERS: [&str; 6] = ["has", "lacks", "sees", "in", "with", "within"];

/// A place in a line, for advice that repeats what is written around it.
pub struct InLine<'a> {
    pub source: &'a str,
    pub line: &'a Line,
    pub at: usize,
}

impl InLine<'_> {
    /// The text of a token so far behind the place, or before it.
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
