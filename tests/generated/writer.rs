//! Expressions and conditions at random. In: choices, and the names that have been declared. Out: text of the rule language.
//!
//! Everything is put in parentheses, so that no rule of precedence decides what is said. What the checks of the language refuse
//! all the same is left out by the caller.

use super::choices::Choices;

/// Kind of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Digit,
    Cell,
    House,
}

/// A name that may be used.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub kind: Kind,
    /// A set, or a family as the union of its members.
    pub many: bool,
}

/// Writes text about names.
pub struct Writer<'c> {
    pub choices: &'c mut Choices,
    pub scope: Vec<Name>,
    /// Rows and columns are the only houses: a rule with views names no others.
    pub lines_only: bool,
    /// The parameter of the family, if there is one.
    pub param: bool,
    pub fresh: usize,
}

impl Writer<'_> {
    /// A new name that begins with a letter.
    pub fn new_name(&mut self, letter: &str) -> String {
        self.fresh += 1;
        format!("{letter}{}", self.fresh)
    }

    pub fn declare(&mut self, text: &str, kind: Kind, many: bool) {
        self.scope.push(Name { text: text.to_owned(), kind, many });
    }

    fn known(&mut self, kind: Kind, many: Option<bool>) -> Option<String> {
        let fit = |name: &&Name| name.kind == kind && many.is_none_or(|many| many == name.many);
        let names: Vec<String> = self.scope.iter().filter(fit).map(|name| name.text.clone()).collect();
        // The latest first: rules are about what they have just named.
        let at = self.choices.below(names.len());
        names.len().checked_sub(at + 1).map(|at| names[at].clone())
    }

    /// `(those x in SET with CONDITION)`; the running name is known inside alone.
    fn those(&mut self, kind: Kind, of: &str, depth: usize) -> String {
        let name = self.new_name("t");
        self.declare(&name, kind, false);
        let when = self.condition(depth);
        self.scope.pop();
        format!("(those {name} in {of} with {when})")
    }

    fn combined(&mut self, a: &str, b: &str) -> String {
        let op = self.choices.pick(&["+", "-", "&"]);
        format!("({a} {op} {b})")
    }

    pub fn digits(&mut self, depth: usize) -> String {
        let known = self.known(Kind::Digit, None);
        let form = if depth == 0 { self.choices.below(4) } else { self.choices.below(11) };
        match (form, known) {
            (0..=2, Some(known)) => known,
            (0..=2, None) | (3, _) => "digits".into(),
            (4 | 5, _) => format!("digits({})", self.cells(depth - 1)),
            (6, _) => format!("values({})", self.cells(depth - 1)),
            (7, _) => format!("digits({})", self.candidates(depth - 1)),
            (8 | 9, _) => {
                let (a, b) = (self.digits(depth - 1), self.digits(depth - 1));
                self.combined(&a, &b)
            }
            _ => {
                let of = self.digits(depth - 1);
                self.those(Kind::Digit, &of, depth - 1)
            }
        }
    }

    /// Cells, or houses as their cells.
    pub fn cells(&mut self, depth: usize) -> String {
        let form = if depth == 0 { self.choices.below(5) } else { self.choices.below(13) };
        match form {
            0..=2 => self.known(Kind::Cell, None).unwrap_or_else(|| "cells".into()),
            3 => self.known(Kind::House, None).unwrap_or_else(|| "cells".into()),
            4 => "cells".into(),
            5 => format!("cells({})", self.houses(depth - 1)),
            6 => format!("cells({})", self.candidates(depth - 1)),
            7 => format!("(cells seeing {})", self.side(depth - 1)),
            8 => format!("overlap({})", self.houses(depth - 1)),
            9..=11 => {
                let (a, b) = (self.cells(depth - 1), self.cells(depth - 1));
                self.combined(&a, &b)
            }
            _ => {
                let of = format!("cells({})", self.cells(depth - 1));
                self.those(Kind::Cell, &of, depth - 1)
            }
        }
    }

    pub fn houses(&mut self, depth: usize) -> String {
        let form = if depth == 0 { self.choices.below(4) } else { self.choices.below(10) };
        match form {
            0..=2 => match self.known(Kind::House, None) {
                Some(known) => known,
                None => self.all_houses(),
            },
            3 => self.all_houses(),
            4 | 5 => {
                let class: &[&str] = if self.lines_only { &["row", "column"] } else { &["row", "column", "box"] };
                let class = self.choices.pick(class);
                match self.known(Kind::Cell, Some(false)) {
                    Some(cell) => format!("{class}({cell})"),
                    None => self.all_houses(),
                }
            }
            6 | 7 => {
                let class: &[&str] =
                    if self.lines_only { &["rows", "columns"] } else { &["rows", "boxes", "lines", "houses"] };
                let class = self.choices.pick(class);
                format!("{class}({})", self.cells(depth - 1))
            }
            8 => {
                let (a, b) = (self.houses(depth - 1), self.houses(depth - 1));
                self.combined(&a, &b)
            }
            _ => {
                let of = self.all_houses();
                self.those(Kind::House, &of, depth - 1)
            }
        }
    }

    fn all_houses(&mut self) -> String {
        let all: &[&str] =
            if self.lines_only { &["rows", "columns"] } else { &["houses", "rows", "columns", "boxes", "lines"] };
        self.choices.pick(all).to_owned()
    }

    /// Candidates, in parentheses.
    pub fn candidates(&mut self, depth: usize) -> String {
        let plain = |this: &mut Self| format!("({} in {})", this.digits(depth.min(1)), this.cells(depth.min(1)));
        match if depth == 0 { 0 } else { self.choices.below(10) } {
            0..=5 => plain(self),
            6 => {
                let (a, b) = (plain(self), plain(self));
                self.combined(&a, &b)
            }
            7 => format!("(candidates excluded by {} {})", self.choices.pick(&["every", "some"]), plain(self)),
            8 => match self.known(Kind::Digit, None) {
                Some(digits) => format!("{}({digits})", self.choices.pick(&["in_no_template", "in_every_template"])),
                None => plain(self),
            },
            _ => {
                let of = plain(self);
                let name = self.new_name("p");
                let cond = self.condition(0);
                let about = self.choices.pick(&["digits", "cells"]);
                format!("(those {name} in {of} with (#{about}({name}) = 1 and {cond}))")
            }
        }
    }

    /// One cell, or a set of cells with the word that says how many of it are meant.
    pub fn side(&mut self, depth: usize) -> String {
        match self.known(Kind::Cell, Some(false)) {
            Some(cell) if self.choices.chance(2, 3) => cell,
            _ => {
                let cells = self.cells(depth);
                self.how_many(cells)
            }
        }
    }

    /// A set with the word that says how many of it are meant; one thing as it is.
    fn how_many(&mut self, set: String) -> String {
        if self.is_one(&set) { set } else { format!("{} {set}", self.choices.pick(&["every", "some"])) }
    }

    fn is_one(&self, text: &str) -> bool {
        let house = ["row(", "column(", "box("].iter().any(|class| text.starts_with(class));
        house || self.scope.iter().any(|name| name.text == text && !name.many)
    }

    /// A set of cells that is no single thing.
    fn set_of_cells(&mut self, depth: usize) -> String {
        let cells = self.cells(depth);
        if self.is_one(&cells) { format!("({cells} + {cells})") } else { cells }
    }

    pub fn number(&mut self, depth: usize) -> String {
        match self.choices.below(if depth == 0 { 4 } else { 12 }) {
            0..=2 => self.choices.below(4).to_string(),
            3 => {
                if self.param {
                    "n".into()
                } else {
                    "1".into()
                }
            }
            4..=5 => format!("#{}", self.hashed(depth - 1)),
            6..=7 => format!("#digits({})", self.cells(depth - 1)),
            8 => format!("#{}", self.candidates(depth - 1)),
            9 => match self.known(Kind::Digit, Some(false)) {
                Some(digit) => format!("times({digit}, {})", self.cells(depth - 1)),
                None => "2".into(),
            },
            _ => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                format!("({a} {} {b})", self.choices.pick(&["+", "-"]))
            }
        }
    }

    fn hashed(&mut self, depth: usize) -> String {
        match self.choices.below(3) {
            0 => format!("({})", self.cells(depth)),
            1 => format!("({})", self.digits(depth)),
            _ => format!("({})", self.houses(depth)),
        }
    }

    fn any_set(&mut self, depth: usize) -> String {
        match self.choices.below(5) {
            0 | 1 => self.cells(depth),
            2 => self.digits(depth),
            3 => self.candidates(depth),
            _ => self.houses(depth),
        }
    }

    /// Two sets of a kind.
    fn two_sets(&mut self, depth: usize) -> (String, String) {
        match self.choices.below(6) {
            0..=2 => (self.cells(depth), self.cells(depth)),
            3 => (self.digits(depth), self.digits(depth)),
            4 => (self.candidates(depth), self.candidates(depth)),
            _ => (self.houses(depth), self.houses(depth)),
        }
    }

    /// A condition, in parentheses.
    pub fn condition(&mut self, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        let text = match self.choices.below(if depth == 0 { 13 } else { 18 }) {
            0 | 1 => {
                let compare = self.choices.pick(&["=", ">=", "<=", "<", ">", "!="]);
                let count = format!("#{}", self.hashed(inner));
                format!("{count} {compare} {}", self.number(inner))
            }
            2 => format!("{} {}", self.choices.pick(&["some", "no"]), self.any_set(depth)),
            3 | 4 => {
                let (a, b) = self.two_sets(depth);
                format!("{a} within {b}")
            }
            5 => {
                let (a, b) = self.two_sets(inner);
                format!("{a} {} {b}", self.choices.pick(&["disjoint", "=", "!="]))
            }
            6 => format!("{} sees {}", self.side(inner), self.side(inner)),
            7 | 8 => {
                let (side, how) = (self.side(inner), self.choices.pick(&["has", "lacks"]));
                let digits = self.digits(inner);
                format!("{side} {how} {}", self.how_many(digits))
            }
            9 => self.houses_lie(inner),
            10 => {
                let class: &[&str] =
                    if self.lines_only { &["row", "column"] } else { &["house", "row", "box", "line"] };
                let class = self.choices.pick(class);
                format!("{} in one {class}", self.cells(inner))
            }
            11 => format!("{} connected", self.set_of_cells(inner)),
            12 => match self.choices.below(if self.lines_only { 1 } else { 3 }) {
                0 => format!("#digits({}) <= {}", self.cells(inner), self.number(inner)),
                1 => format!("{} closed", self.set_of_cells(inner)),
                _ => format!("givens allow {} in {}", self.digits(0), self.cells(inner)),
            },
            13 => format!("not {}", self.condition(inner)),
            14 => format!("{} and {}", self.condition(inner), self.condition(inner)),
            15 | 16 => format!("{} or {}", self.condition(inner), self.condition(inner)),
            _ => {
                let (a, b) = (self.number(depth), self.number(inner));
                format!("{a} {} {b}", self.choices.pick(&["=", ">=", "<=", "<", ">", "!="]))
            }
        };
        format!("({text})")
    }

    fn houses_lie(&mut self, depth: usize) -> String {
        let left = match self.known(Kind::House, None) {
            Some(known) => known,
            None => self.houses(depth),
        };
        format!("{left} {}", self.lying(depth))
    }

    /// A relation of houses, and what it is to.
    pub fn lying(&mut self, depth: usize) -> String {
        let how = self.choices.pick(&["meeting", "avoiding", "through", "crossing", "parallel"]);
        let lines = matches!(how, "crossing" | "parallel");
        let right = if lines || self.choices.chance(1, 2) { self.houses(depth) } else { self.cells(depth) };
        format!("{how} {right}")
    }
}
