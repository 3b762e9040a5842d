//! Whole rules at random. In: choices. Out: a [`Rule`], which the checks may still refuse.

use super::choices::Choices;
use super::rule::{Line, Rule};
use super::writer::{Kind, Writer};

/// A rule of any kind: most conclude what is wrong.
pub fn any_rule(choices: &mut Choices) -> Rule {
    let (mut maker, header) = Maker::begin(choices);
    maker.declarations();
    for _ in 0..1 + maker.writer.choices.below(3) {
        maker.require();
    }
    maker.conclusions();
    maker.end(header)
}

/// A rule that says what is so unless its odd condition holds: `require ODD or CORE`. It is right where the odd condition cannot
/// hold, which is for the prover to see.
pub fn guarded_rule(choices: &mut Choices) -> Rule {
    let (mut maker, header) = Maker::begin(choices);
    let (core, conclusion) = maker.core();
    maker.declarations();
    let depth = 1 + maker.writer.choices.below(2);
    let odd = match maker.writer.choices.below(4) {
        0 => maker.writer.condition(depth),
        1 => format!("({} and {})", maker.writer.condition(depth), maker.writer.condition(depth)),
        2 => {
            let one = maker.writer.condition(depth);
            format!("({one} and {} and not {one})", maker.writer.condition(depth))
        }
        _ => {
            // Whatever has a member is not without one; whatever is within something has a member.
            let (set, other) = (maker.writer.cells(depth), maker.writer.cells(depth));
            format!("((no {set}) and ({set} within {other}))")
        }
    };
    maker.lines.push(Line::Require(format!("({odd} or {core})"), String::new()));
    if maker.writer.choices.chance(1, 3) {
        maker.require();
    }
    maker.lines.push(Line::Other(conclusion));
    maker.end(header)
}

/// A rule that is being made.
pub struct Maker<'c> {
    pub writer: Writer<'c>,
    lines: Vec<Line>,
}

impl<'c> Maker<'c> {
    fn begin(choices: &'c mut Choices) -> (Maker<'c>, String) {
        let param = choices.chance(1, 5);
        let lines_only = choices.chance(1, 8);
        let range = choices.pick(&["0..2", "1..2", "1..", "2..3", "0..1"]);
        let views = choices.pick(&["rn \"R\"", "cn \"C\"", "rn \"R\", cn \"C\""]);
        let head = if param { format!("technique g(n: {range}) \"G\"") } else { "technique g \"G\"".to_owned() };
        let header = if lines_only { format!("{head} also in {views}") } else { head };
        let writer = Writer { choices, scope: Vec::new(), lines_only, param, fresh: 0 };
        (Maker { writer, lines: Vec::new() }, header)
    }

    fn end(self, header: String) -> Rule {
        let names = self.writer.scope.iter().map(|name| name.text.clone()).collect();
        Rule { header, lines: self.lines, names }
    }

    pub fn other(&mut self, text: String) {
        self.lines.push(Line::Other(text));
    }

    fn declarations(&mut self) {
        for _ in 0..1 + self.writer.choices.below(3) {
            match self.writer.choices.below(16) {
                0..=2 => self.cell(),
                3 | 4 => self.digit(),
                5 | 6 => self.house(),
                7 | 8 => self.set_of_cells(),
                9 => self.set_of_digits(),
                10 => self.set_of_houses(),
                11 => self.definition(),
                12 => self.family(),
                13 => self.locked(),
                14 => self.trail(),
                _ => self.bound_by_pattern(),
            }
        }
    }

    fn require(&mut self) {
        let each = if self.writer.choices.chance(1, 4) { self.each(2, &["", "some "]) } else { (0, String::new()) };
        let depth = self.writer.choices.below(3);
        let when = self.writer.condition(depth);
        let left = self.writer.scope.len() - each.0;
        self.writer.scope.truncate(left);
        self.lines.push(Line::Require(when, each.1));
    }

    /// ` for x in X`, at most `most` of them: the number of names that run, and the text.
    fn each(&mut self, most: usize, how: &[&str]) -> (usize, String) {
        let mut text = String::new();
        let times = 1 + self.writer.choices.below(most);
        for _ in 0..times {
            let name = self.writer.new_name("i");
            let some = self.writer.choices.pick(how);
            let (kind, of) = match self.writer.choices.below(4) {
                0 => (Kind::Digit, self.writer.digits(1)),
                1 => (Kind::House, self.writer.houses(1)),
                _ => (Kind::Cell, format!("cells({})", self.writer.cells(1))),
            };
            text.push_str(&format!(" for {some}{name} in {of}"));
            self.writer.declare(&name, kind, false);
        }
        (times, text)
    }

    fn conclusions(&mut self) {
        if self.writer.choices.chance(1, 8) {
            let (name, value) = (self.writer.new_name("g"), self.writer.candidates(1));
            self.other(format!("guardians {name} = {value}"));
        }
        for _ in 0..1 + self.writer.choices.below(2) {
            let each = if self.writer.choices.chance(1, 6) { self.each(1, &[""]) } else { (0, String::new()) };
            let digits = self.writer.digits(1);
            let text = match self.writer.choices.below(6) {
                0..=2 => format!("eliminate {digits} from {}", self.writer.cells(2)),
                3 => format!("eliminate {}", self.writer.candidates(2)),
                4 => format!("conclude some {digits} in {}", self.writer.cells(1)),
                _ => format!("place {digits} in {}", self.writer.cells(1)),
            };
            let left = self.writer.scope.len() - each.0;
            self.writer.scope.truncate(left);
            self.other(format!("{text}{}", each.1));
        }
    }

    /// Names, a condition on them from which a conclusion follows, and the conclusion.
    fn core(&mut self) -> (String, String) {
        let (c, d) = (self.writer.new_name("c"), self.writer.new_name("d"));
        let (h, k) = (self.writer.new_name("h"), self.writer.new_name("k"));
        self.writer.declare(&d, Kind::Digit, false);
        let form = self.writer.choices.below(5);
        if form == 0 {
            self.writer.declare(&c, Kind::Cell, false);
            self.other(format!("{c}: cell"));
            self.other(format!("{d}: digit in digits({c})"));
            return (format!("(#digits({c}) = 1)"), format!("place {d} in {c}"));
        }
        let kind = if self.writer.lines_only { "row" } else { "house" };
        self.other(format!("{d}: digit"));
        self.other(format!("{h}: {kind}"));
        self.writer.declare(&h, Kind::House, false);
        match form {
            1 => (format!("(#({d} in {h}) = 1)"), format!("place {d} in {h}")),
            2 | 3 => {
                let among = self.writer.houses(1);
                self.other(format!("{k}: {kind} in {among}"));
                self.writer.declare(&k, Kind::House, false);
                (format!("({d} in {h} within {k})"), format!("eliminate {d} from {k} - {h}"))
            }
            _ => (format!("({d} in values({h}))"), format!("eliminate {d} from {h}")),
        }
    }
}
