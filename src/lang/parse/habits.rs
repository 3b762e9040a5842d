//! What authors bring along from elsewhere. In: a word where the grammar takes none, and what stands around it. Out: advice in
//! the words of the language.

use super::grammar::Rule;
use super::layout::Line;

/// What first-time authors bring along, where the place tells what they mean.
pub fn habit(word: &str, last: &str, rules: &[Rule]) -> Option<String> {
    let may = |rule: Rule| rules.contains(&rule);
    let text = match (last, word) {
        (_, "by") if may(Rule::k_using) => {
            "write `using`: `suppose p using links, …`, `using singles`, `using rules a, b`"
        }
        (_, "agree" | "agrees") if may(Rule::shows) => "write `all imply q`",
        ("agree" | "agrees", "on") => "write `all imply q`",
        (_, "missing") if may(Rule::relation) || may(Rule::predicate) || may(Rule::qualifier) => {
            "write `avoiding`: `b: box avoiding A, B`; for a digit without a place write `require no d in b`"
        }
        (_, "open") if may(Rule::predicate) || may(Rule::qualifier) => "write `require givens allow {x, y} in S`",
        ("technique", word) if word.starts_with('"') => {
            "a name comes before the title: `technique my_rule \"My Rule\" {`"
        }
        (_, "-") if may(Rule::open) => "a name is one word of letters, digits and `_`",
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
            "`conclude some z in A, B` says that one of these is true; use `eliminate` or `place` for what follows"
        }
        ("using", "singles" | "rules") => "only `using links` has a block, which says which links",
        (_, "or") if may(Rule::k_using) => "both ways are `suppose p, or not p using …`",
        ("using", _) if may(Rule::singles) || may(Rule::w_singles) => {
            "what may be used: `using links` with a block, `using singles`, or `using rules a, b` with techniques and rule lists"
        }
        (",", _) if may(Rule::w_odd) => "a ring is odd and has guardians: `ring K, 5.. candidates, odd, guardians G {`",
        (_, "colored" | "in") if may(Rule::w_coloured) => {
            "the two colours get names: `cluster on d coloured blue, green {`"
        }
        (_, "+") if may(Rule::w_cells) && may(Rule::dots) => "write `3..` for three and more",
        _ => return None,
    };
    Some(text.to_owned())
}

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

    /// What first-time authors bring along, mended with their own words.
    pub fn habit(&self, word: &str, last: &str, rules: &[Rule]) -> Option<String> {
        let may = |rule: Rule| rules.contains(&rule);
        let (first, before, next) = (self.word(-(self.at as isize)), self.word(-2), self.word(1));
        let binds = may(Rule::qualifier);
        let says = binds || may(Rule::predicate) || may(Rule::compare);
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
            "==" if first == "chain" => "write `=`, a strong link".to_owned(),
            "is" if says && matches!(next, "in" | "not") => "leave `is` out".to_owned(),
            "is" | "equals" | "are" if says => "write `=`".to_owned(),
            "," if before == "=" && (binds || first == "require") => {
                format!("a set stands in braces: `= {{{last}, {next}}}`")
            }
            "and" | "or" if !may(Rule::k_and) && may(Rule::comma) => {
                format!("the members of a list are parted by commas: `{last}, {next}`")
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
            "sees" | "has" | "lacks" | "within"
                if !says && matches!(first, "eliminate" | "place" | "conclude" | "let") =>
            {
                format!("what must hold stands on a line of its own: `require {last} {word} {next}`")
            }
            _ => return None,
        })
    }
}
