//! Random expressions and conditions, as text of the rule language.
//!
//! Everything is in parentheses, so that no rule of precedence decides the meaning. The compiler may still refuse a text; the
//! caller then drops the rule.

use super::choices::Choices;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Digit,
    Cell,
    House,
}

/// A declared name.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub kind: Kind,
    /// True for a set, and for a family, which stands for the union of its members.
    pub is_set: bool,
}

/// Writes expressions and conditions about declared names.
///
/// Each method draws a number and matches on it: a range such as `0..=2` makes a form more likely. `depth` bounds how deep
/// expressions are nested.
pub struct Writer<'c> {
    pub choices: &'c mut Choices,
    /// The names that expressions may use.
    pub scope: Vec<Name>,
    /// True if rows and columns are the only houses, as in a rule with views.
    pub lines_only: bool,
    /// True if the rule has a parameter, which is called `n`.
    pub has_param: bool,
    /// Number of names that were made.
    pub name_count: usize,
}

impl Writer<'_> {
    /// Returns a new name, such as `c3` for the letter `c`.
    pub fn new_name(&mut self, letter: &str) -> String {
        self.name_count += 1;
        format!("{letter}{}", self.name_count)
    }

    pub fn declare_single(&mut self, text: &str, kind: Kind) {
        self.scope.push(Name { text: text.to_owned(), kind, is_set: false });
    }

    pub fn declare_set(&mut self, text: &str, kind: Kind) {
        self.scope.push(Name { text: text.to_owned(), kind, is_set: true });
    }

    /// Returns a declared name of a kind.
    fn name(&mut self, kind: Kind) -> Option<String> {
        self.name_where(|name| name.kind == kind)
    }

    /// Returns a declared name of a kind that is no set.
    fn single_name(&mut self, kind: Kind) -> Option<String> {
        self.name_where(|name| name.kind == kind && !name.is_set)
    }

    fn name_where(&mut self, condition: impl Fn(&Name) -> bool) -> Option<String> {
        // The latest name is the simplest choice: rules are about what they have just named.
        let names = self.scope.iter().rev().filter(|name| condition(name));
        let texts: Vec<String> = names.map(|name| name.text.clone()).collect();
        let index = self.choices.below(texts.len());
        texts.into_iter().nth(index)
    }

    /// Returns `(those t in SET with CONDITION)`. The new name t is in scope only in the condition.
    fn filter(&mut self, kind: Kind, set: &str, depth: usize) -> String {
        let name = self.new_name("t");
        self.declare_single(&name, kind);
        let condition = self.condition(depth);
        self.scope.pop();
        format!("(those {name} in {set} with {condition})")
    }

    /// Returns the union, the difference or the intersection of two sets.
    fn combined(&mut self, a: &str, b: &str) -> String {
        let operator = self.choices.pick(&["+", "-", "&"]);
        format!("({a} {operator} {b})")
    }

    pub fn digits(&mut self, depth: usize) -> String {
        let name = self.name(Kind::Digit);
        let form = if depth == 0 { self.choices.below(4) } else { self.choices.below(11) };
        match form {
            0..=2 => name.unwrap_or_else(|| "digits".into()),
            3 => "digits".into(),
            4 | 5 => format!("digits({})", self.cells(depth - 1)),
            6 => format!("values({})", self.cells(depth - 1)),
            7 => format!("digits({})", self.candidates(depth - 1)),
            8 | 9 => {
                let (a, b) = (self.digits(depth - 1), self.digits(depth - 1));
                self.combined(&a, &b)
            }
            _ => {
                let set = self.digits(depth - 1);
                self.filter(Kind::Digit, &set, depth - 1)
            }
        }
    }

    /// Returns cells, or houses that stand for their cells.
    pub fn cells(&mut self, depth: usize) -> String {
        let form = if depth == 0 { self.choices.below(5) } else { self.choices.below(13) };
        match form {
            0..=2 => self.name(Kind::Cell).unwrap_or_else(|| "cells".into()),
            3 => self.name(Kind::House).unwrap_or_else(|| "cells".into()),
            4 => "cells".into(),
            5 => format!("cells({})", self.houses(depth - 1)),
            6 => format!("cells({})", self.candidates(depth - 1)),
            7 => format!("(cells seeing {})", self.quantified_cells(depth - 1)),
            8 => format!("overlap({})", self.houses(depth - 1)),
            9..=11 => {
                let (a, b) = (self.cells(depth - 1), self.cells(depth - 1));
                self.combined(&a, &b)
            }
            _ => {
                let set = format!("cells({})", self.cells(depth - 1));
                self.filter(Kind::Cell, &set, depth - 1)
            }
        }
    }

    pub fn houses(&mut self, depth: usize) -> String {
        let form = if depth == 0 { self.choices.below(4) } else { self.choices.below(10) };
        match form {
            0..=2 => match self.name(Kind::House) {
                Some(name) => name,
                None => self.all_houses(),
            },
            3 => self.all_houses(),
            4 | 5 => {
                let classes: &[&str] = if self.lines_only { &["row", "column"] } else { &["row", "column", "box"] };
                let class = self.choices.pick(classes);
                match self.single_name(Kind::Cell) {
                    Some(cell) => format!("{class}({cell})"),
                    None => self.all_houses(),
                }
            }
            6 | 7 => {
                let classes: &[&str] =
                    if self.lines_only { &["rows", "columns"] } else { &["rows", "boxes", "lines", "houses"] };
                let class = self.choices.pick(classes);
                format!("{class}({})", self.cells(depth - 1))
            }
            8 => {
                let (a, b) = (self.houses(depth - 1), self.houses(depth - 1));
                self.combined(&a, &b)
            }
            _ => {
                let set = self.all_houses();
                self.filter(Kind::House, &set, depth - 1)
            }
        }
    }

    /// Returns all houses of a class.
    fn all_houses(&mut self) -> String {
        let classes: &[&str] =
            if self.lines_only { &["rows", "columns"] } else { &["houses", "rows", "columns", "boxes", "lines"] };
        self.choices.pick(classes).to_owned()
    }

    /// Returns a set of candidates.
    pub fn candidates(&mut self, depth: usize) -> String {
        let form = if depth == 0 { 0 } else { self.choices.below(10) };
        match form {
            0..=5 => self.candidates_in_cells(depth),
            6 => {
                let (a, b) = (self.candidates_in_cells(depth), self.candidates_in_cells(depth));
                self.combined(&a, &b)
            }
            7 => {
                let quantifier = self.choices.pick(&["every", "some"]);
                format!("(candidates excluded by {quantifier} {})", self.candidates_in_cells(depth))
            }
            8 => match self.name(Kind::Digit) {
                Some(digits) => {
                    let function = self.choices.pick(&["in_no_template", "in_every_template"]);
                    format!("{function}({digits})")
                }
                None => self.candidates_in_cells(depth),
            },
            _ => {
                let set = self.candidates_in_cells(depth);
                let name = self.new_name("p");
                let condition = self.condition(0);
                let function = self.choices.pick(&["digits", "cells"]);
                format!("(those {name} in {set} with (#{function}({name}) = 1 and {condition}))")
            }
        }
    }

    /// Returns `(DIGITS in CELLS)`.
    fn candidates_in_cells(&mut self, depth: usize) -> String {
        format!("({} in {})", self.digits(depth.min(1)), self.cells(depth.min(1)))
    }

    /// Returns one cell, or a set of cells behind `every` or `some`.
    pub fn quantified_cells(&mut self, depth: usize) -> String {
        match self.single_name(Kind::Cell) {
            Some(cell) if self.choices.chance(2, 3) => cell,
            _ => {
                let cells = self.cells(depth);
                self.quantified(cells)
            }
        }
    }

    /// Puts `every` or `some` before a set. A single value stays as it is.
    fn quantified(&mut self, set: String) -> String {
        if self.is_single(&set) { set } else { format!("{} {set}", self.choices.pick(&["every", "some"])) }
    }

    fn is_single(&self, text: &str) -> bool {
        let is_house = ["row(", "column(", "box("].iter().any(|function| text.starts_with(function));
        is_house || self.scope.iter().any(|name| name.text == text && !name.is_set)
    }

    /// Returns cells that are a set even if they are one cell: `(c + c)`.
    fn set_of_cells(&mut self, depth: usize) -> String {
        let cells = self.cells(depth);
        if self.is_single(&cells) { format!("({cells} + {cells})") } else { cells }
    }

    pub fn number(&mut self, depth: usize) -> String {
        match self.choices.below(if depth == 0 { 4 } else { 12 }) {
            0..=2 => self.choices.below(4).to_string(),
            3 => if self.has_param { "n" } else { "1" }.into(),
            4..=5 => format!("#{}", self.set_for_count(depth - 1)),
            6..=7 => format!("#digits({})", self.cells(depth - 1)),
            8 => format!("#{}", self.candidates(depth - 1)),
            9 => match self.single_name(Kind::Digit) {
                Some(digit) => format!("times({digit}, {})", self.cells(depth - 1)),
                None => "2".into(),
            },
            _ => {
                let (a, b) = (self.number(depth - 1), self.number(depth - 1));
                format!("({a} {} {b})", self.choices.pick(&["+", "-"]))
            }
        }
    }

    /// Returns a set in parentheses, for `#(SET)`.
    fn set_for_count(&mut self, depth: usize) -> String {
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

    fn two_sets_of_one_kind(&mut self, depth: usize) -> (String, String) {
        match self.choices.below(6) {
            0..=2 => (self.cells(depth), self.cells(depth)),
            3 => (self.digits(depth), self.digits(depth)),
            4 => (self.candidates(depth), self.candidates(depth)),
            _ => (self.houses(depth), self.houses(depth)),
        }
    }

    pub fn condition(&mut self, depth: usize) -> String {
        let inner = depth.saturating_sub(1);
        let text = match self.choices.below(if depth == 0 { 13 } else { 18 }) {
            0 | 1 => {
                let relation = self.choices.pick(&["=", ">=", "<=", "<", ">", "!="]);
                let count = format!("#{}", self.set_for_count(inner));
                format!("{count} {relation} {}", self.number(inner))
            }
            2 => format!("{} {}", self.choices.pick(&["some", "no"]), self.any_set(depth)),
            3 | 4 => {
                let (a, b) = self.two_sets_of_one_kind(depth);
                format!("{a} within {b}")
            }
            5 => {
                let (a, b) = self.two_sets_of_one_kind(inner);
                format!("{a} {} {b}", self.choices.pick(&["disjoint", "=", "!="]))
            }
            6 => format!("{} sees {}", self.quantified_cells(inner), self.quantified_cells(inner)),
            7 | 8 => {
                let (cells, relation) = (self.quantified_cells(inner), self.choices.pick(&["has", "lacks"]));
                let digits = self.digits(inner);
                format!("{cells} {relation} {}", self.quantified(digits))
            }
            9 => {
                let houses = match self.name(Kind::House) {
                    Some(name) => name,
                    None => self.houses(inner),
                };
                format!("{houses} {}", self.incidence(inner))
            }
            10 => {
                let classes: &[&str] =
                    if self.lines_only { &["row", "column"] } else { &["house", "row", "box", "line"] };
                let class = self.choices.pick(classes);
                format!("{} in one {class}", self.cells(inner))
            }
            11 => format!("{} connected", self.set_of_cells(inner)),
            // A rule with views has no `closed` and no `givens allow`.
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

    /// Returns a relation of houses and its right side, such as `crossing rows`.
    pub fn incidence(&mut self, depth: usize) -> String {
        let relation = self.choices.pick(&["meeting", "avoiding", "through", "crossing", "parallel"]);
        let is_of_lines = matches!(relation, "crossing" | "parallel");
        let right = if is_of_lines || self.choices.chance(1, 2) { self.houses(depth) } else { self.cells(depth) };
        format!("{relation} {right}")
    }
}
