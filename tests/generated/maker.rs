//! Random rules. The compiler may still refuse them.

use super::choices::Choices;
use super::rule::{Line, Rule};
use super::writer::{Kind, Writer};

/// Returns a random rule. Most such rules conclude something wrong.
pub fn any_rule(choices: &mut Choices) -> Rule {
    let mut maker = Maker::begin(choices);
    maker.declarations();
    for _ in 0..1 + maker.writer.choices.below(3) {
        maker.require();
    }
    maker.conclusions();
    maker.end()
}

/// Returns a rule with `require GUARD or CORE`, whose conclusion follows from the core. So the rule is right if the random
/// guard can never hold, which the prover has to find out.
pub fn guarded_rule(choices: &mut Choices) -> Rule {
    let mut maker = Maker::begin(choices);
    let Core { condition, conclusion } = maker.core();
    maker.declarations();
    let depth = 1 + maker.writer.choices.below(2);
    let guard = match maker.writer.choices.below(4) {
        0 => maker.writer.condition(depth),
        1 => format!("({} and {})", maker.writer.condition(depth), maker.writer.condition(depth)),
        2 => {
            let contradicted = maker.writer.condition(depth);
            format!("({contradicted} and {} and not {contradicted})", maker.writer.condition(depth))
        }
        _ => {
            // The guard never holds, because an empty set is within no set.
            let (set, superset) = (maker.writer.cells(depth), maker.writer.cells(depth));
            format!("((no {set}) and ({set} within {superset}))")
        }
    };
    maker.lines.push(Line::Require { condition: format!("({guard} or {condition})"), for_clause: String::new() });
    if maker.writer.choices.chance(1, 3) {
        maker.require();
    }
    maker.push_line(conclusion);
    maker.end()
}

/// A conclusion, and a condition from which it follows.
struct Core {
    condition: String,
    conclusion: String,
}

/// An unfinished rule.
pub struct Maker<'c> {
    pub writer: Writer<'c>,
    header: String,
    lines: Vec<Line>,
}

impl<'c> Maker<'c> {
    fn begin(choices: &'c mut Choices) -> Maker<'c> {
        let has_param = choices.chance(1, 5);
        let has_views = choices.chance(1, 8);
        let range = choices.pick(&["0..2", "1..2", "1..", "2..3", "0..1"]);
        let views = choices.pick(&["rn \"R\"", "cn \"C\"", "rn \"R\", cn \"C\""]);
        let mut header = "technique g".to_owned();
        if has_param {
            header.push_str(&format!("(n: {range})"));
        }
        header.push_str(" \"G\"");
        if has_views {
            header.push_str(&format!(" also in {views}"));
        }
        let writer = Writer { choices, scope: Vec::new(), lines_only: has_views, has_param, name_count: 0 };
        Maker { writer, header, lines: Vec::new() }
    }

    fn end(self) -> Rule {
        let names = self.writer.scope.iter().map(|name| name.text.clone()).collect();
        Rule { header: self.header, lines: self.lines, names }
    }

    /// Adds a line that no rewording changes.
    pub fn push_line(&mut self, text: String) {
        self.lines.push(Line::Other(text));
    }

    /// Adds one to three declarations.
    fn declarations(&mut self) {
        for _ in 0..1 + self.writer.choices.below(3) {
            match self.writer.choices.below(16) {
                0..=2 => self.declare_cell(),
                3 | 4 => self.declare_digit(),
                5 | 6 => self.declare_house(),
                7 | 8 => self.declare_cells(),
                9 => self.declare_digits(),
                10 => self.declare_houses(),
                11 => self.define_name(),
                12 => self.declare_family(),
                13 => self.declare_als_or_group(),
                14 => self.declare_chain(),
                _ => self.require_pattern(),
            }
        }
    }

    /// Adds `require CONDITION`, perhaps with `for` clauses.
    fn require(&mut self) {
        let scope_before = self.writer.scope.len();
        let for_clause =
            if self.writer.choices.chance(1, 4) { self.for_clauses(2, &["", "some "]) } else { String::new() };
        let depth = self.writer.choices.below(3);
        let condition = self.writer.condition(depth);
        self.writer.scope.truncate(scope_before);
        self.lines.push(Line::Require { condition, for_clause });
    }

    /// Returns one to `max` clauses such as ` for some i1 in rows`, and declares their names.
    fn for_clauses(&mut self, max: usize, quantifiers: &[&str]) -> String {
        let mut clauses = String::new();
        for _ in 0..1 + self.writer.choices.below(max) {
            let name = self.writer.new_name("i");
            let quantifier = self.writer.choices.pick(quantifiers);
            let (kind, set) = match self.writer.choices.below(4) {
                0 => (Kind::Digit, self.writer.digits(1)),
                1 => (Kind::House, self.writer.houses(1)),
                _ => (Kind::Cell, format!("cells({})", self.writer.cells(1))),
            };
            clauses.push_str(&format!(" for {quantifier}{name} in {set}"));
            self.writer.declare_single(&name, kind);
        }
        clauses
    }

    /// Adds one or two conclusions, and perhaps guardians.
    fn conclusions(&mut self) {
        if self.writer.choices.chance(1, 8) {
            let (name, value) = (self.writer.new_name("g"), self.writer.candidates(1));
            self.push_line(format!("guardians {name} = {value}"));
        }
        for _ in 0..1 + self.writer.choices.below(2) {
            let scope_before = self.writer.scope.len();
            let for_clause = if self.writer.choices.chance(1, 6) { self.for_clauses(1, &[""]) } else { String::new() };
            let digits = self.writer.digits(1);
            let conclusion = match self.writer.choices.below(6) {
                0..=2 => format!("eliminate {digits} from {}", self.writer.cells(2)),
                3 => format!("eliminate {}", self.writer.candidates(2)),
                4 => format!("conclude some {digits} in {}", self.writer.cells(1)),
                _ => format!("place {digits} in {}", self.writer.cells(1)),
            };
            self.writer.scope.truncate(scope_before);
            self.push_line(format!("{conclusion}{for_clause}"));
        }
    }

    /// Declares names, and returns a condition on them with a conclusion that follows from it.
    fn core(&mut self) -> Core {
        let (c, d) = (self.writer.new_name("c"), self.writer.new_name("d"));
        let (h, k) = (self.writer.new_name("h"), self.writer.new_name("k"));
        self.writer.declare_single(&d, Kind::Digit);
        let form = self.writer.choices.below(5);
        if form == 0 {
            self.writer.declare_single(&c, Kind::Cell);
            self.push_line(format!("{c}: cell"));
            self.push_line(format!("{d}: digit in digits({c})"));
            return Core { condition: format!("(#digits({c}) = 1)"), conclusion: format!("place {d} in {c}") };
        }
        let class = if self.writer.lines_only { "row" } else { "house" };
        self.push_line(format!("{d}: digit"));
        self.push_line(format!("{h}: {class}"));
        self.writer.declare_single(&h, Kind::House);
        match form {
            1 => Core { condition: format!("(#({d} in {h}) = 1)"), conclusion: format!("place {d} in {h}") },
            2 | 3 => {
                let houses = self.writer.houses(1);
                self.push_line(format!("{k}: {class} in {houses}"));
                self.writer.declare_single(&k, Kind::House);
                Core {
                    condition: format!("({d} in {h} within {k})"),
                    conclusion: format!("eliminate {d} from {k} - {h}"),
                }
            }
            _ => Core { condition: format!("({d} in values({h}))"), conclusion: format!("eliminate {d} from {h}") },
        }
    }
}
