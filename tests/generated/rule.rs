//! Whole rules at random. In: choices. Out: a [`Rule`]: its lines, which of them are conditions, and its text, as it is or said
//! another way that must mean the same.

use super::choices::Choices;
use super::write::{Kind, Writer};

/// A line between the braces.
#[derive(Clone, Debug)]
pub enum Line {
    /// `require CONDITION for …`: the condition, in parentheses, and what follows it.
    Require(String, String),
    /// Any other line.
    Other(String),
}

/// A rule, not yet checked.
#[derive(Clone, Debug)]
pub struct Rule {
    pub header: String,
    pub lines: Vec<Line>,
    /// The names that it declares.
    pub names: Vec<String>,
}

/// A way to say the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    AsItIs,
    /// Each condition C as `(C) or (C)`.
    Doubled,
    /// Each condition C as `not (not C)`.
    NegatedTwice,
    /// The lines in reverse order.
    Reversed,
    /// Other names, of another order in the alphabet.
    Renamed,
}

impl Said {
    pub const OTHERWISE: [Said; 4] = [Said::Doubled, Said::NegatedTwice, Said::Reversed, Said::Renamed];
}

impl Rule {
    /// The text of the rule.
    pub fn text(&self, said: Said) -> String {
        let line = |line: &Line| match (line, said) {
            (Line::Require(when, each), Said::Doubled) => format!("  require {when} or {when}{each}\n"),
            (Line::Require(when, each), Said::NegatedTwice) => format!("  require not (not {when}){each}\n"),
            (Line::Require(when, each), _) => format!("  require {when}{each}\n"),
            (Line::Other(text), _) => format!("  {text}\n"),
        };
        let mut lines: Vec<String> = self.lines.iter().map(line).collect();
        if said == Said::Reversed {
            lines.reverse();
        }
        let text = format!("{} {{\n{}}}\n", self.header, lines.concat());
        if said == Said::Renamed { renamed(&text, &self.names) } else { text }
    }
}

/// The text with every name replaced by one that comes the earlier in the alphabet the later the name was declared.
fn renamed(text: &str, names: &[String]) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for at in text.chars().chain(['\0']) {
        if at.is_ascii_alphanumeric() || at == '_' {
            word.push(at);
            continue;
        }
        match names.iter().position(|name| *name == word) {
            Some(index) => out.push_str(&format!("w{:03}", 999 - index)),
            None => out.push_str(&word),
        }
        word.clear();
        out.extend((at != '\0').then_some(at));
    }
    out
}

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

struct Maker<'c> {
    writer: Writer<'c>,
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

    fn other(&mut self, text: String) {
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

    /// How many a set holds; sets without members are wanted.
    fn size(&mut self) -> &'static str {
        let sizes: &[&str] = &["0..1", "1..2", "2", "1", "0..2", "0", "0..", "1.."];
        let with_param: &[&str] = &["n", "n..2", "n - 1..2", "n..", "0..n"];
        if self.writer.param && self.writer.choices.chance(1, 2) {
            self.writer.choices.pick(with_param)
        } else {
            self.writer.choices.pick(sizes)
        }
    }

    /// `with CONDITION` on the name itself.
    fn with(&mut self, text: &mut String) {
        if self.writer.choices.chance(1, 6) {
            let depth = self.writer.choices.below(2);
            text.push_str(&format!(" with {}", self.writer.condition(depth)));
        }
    }

    fn cell(&mut self) {
        let name = self.writer.new_name("c");
        let mut text = format!("{name}: cell");
        match self.writer.choices.below(8) {
            0 | 1 => {}
            2 => text.push_str(&format!(" in {}", self.writer.cells(1))),
            3 => text.push_str(&format!(" sees {}", self.writer.side(1))),
            4 => text.push_str(&format!(" has {}", self.writer.digits(1))),
            5 => text.push_str(&format!(" lacks {}", self.writer.digits(1))),
            6 => text.push_str(&format!(" with {} candidates", 1 + self.writer.choices.below(3))),
            _ => {
                let (x, y) = (self.writer.new_name("x"), self.writer.new_name("y"));
                let pair = self.writer.choices.chance(2, 3);
                text.push_str(&if pair { format!(" = {{{x}, {y}}}") } else { format!(" = {{{x}}}") });
                self.writer.declare(&x, Kind::Digit, false);
                if pair {
                    self.writer.declare(&y, Kind::Digit, false);
                }
            }
        }
        self.writer.declare(&name, Kind::Cell, false);
        self.with(&mut text);
        self.other(text);
    }

    fn digit(&mut self) {
        let name = self.writer.new_name("d");
        let mut text = format!("{name}: digit");
        if self.writer.choices.chance(1, 2) {
            text.push_str(&format!(" in {}", self.writer.digits(1)));
        }
        self.writer.declare(&name, Kind::Digit, false);
        self.with(&mut text);
        self.other(text);
    }

    fn house(&mut self) {
        let name = self.writer.new_name("h");
        let kinds: &[&str] =
            if self.writer.lines_only { &["row", "column", "line"] } else { &["house", "row", "column", "box", "line"] };
        let mut text = format!("{name}: {}", self.writer.choices.pick(kinds));
        match self.writer.choices.below(6) {
            0 => text.push_str(&format!(" in {}", self.writer.houses(1))),
            1 | 2 => {
                let how = self.writer.choices.pick(&["meeting", "missing", "through", "crossing", "parallel"]);
                let side = if self.writer.choices.chance(1, 2) { self.writer.cells(1) } else { self.writer.houses(1) };
                text.push_str(&format!(" {how} {side}"));
            }
            _ => {}
        }
        self.writer.declare(&name, Kind::House, false);
        self.with(&mut text);
        self.other(text);
    }

    fn set_of_cells(&mut self) {
        let (name, size) = (self.writer.new_name("s"), self.size());
        let mut text = format!("{name}: cells[{size}]");
        match self.writer.choices.below(10) {
            0..=2 => text.push_str(&format!(" in {}", self.writer.cells(1))),
            3 => text.push_str(" in one house"),
            4 => text.push_str(" connected"),
            5 => text.push_str(&format!(" disjoint {}", self.writer.cells(1))),
            6 => text.push_str(&format!(" in cells seeing {}", self.writer.side(1))),
            _ => {}
        }
        self.writer.declare(&name, Kind::Cell, true);
        self.with(&mut text);
        self.other(text);
    }

    fn set_of_digits(&mut self) {
        let (name, size) = (self.writer.new_name("e"), self.size());
        let mut text = format!("{name}: digits[{size}]");
        if self.writer.choices.chance(2, 3) {
            text.push_str(&format!(" in {}", self.writer.digits(1)));
        }
        self.writer.declare(&name, Kind::Digit, true);
        self.with(&mut text);
        self.other(text);
    }

    fn set_of_houses(&mut self) {
        let (name, size) = (self.writer.new_name("b"), self.size());
        let kinds: &[&str] =
            if self.writer.lines_only { &["rows", "columns", "lines"] } else { &["houses", "rows", "columns", "boxes", "lines"] };
        let mut text = format!("{name}: {}[{size}]", self.writer.choices.pick(kinds));
        match self.writer.choices.below(6) {
            0 | 1 => text.push_str(&format!(" in {}", self.writer.houses(1))),
            2 => {
                let how = self.writer.choices.pick(&["meeting", "missing", "through", "crossing", "parallel"]);
                text.push_str(&format!(" {how} {}", self.writer.houses(1)));
            }
            3 => text.push_str(" parallel"),
            _ => {}
        }
        self.writer.declare(&name, Kind::House, true);
        self.with(&mut text);
        self.other(text);
    }

    fn definition(&mut self) {
        let name = self.writer.new_name("v");
        let (kind, value) = match self.writer.choices.below(3) {
            0 => (Kind::Cell, self.writer.cells(2)),
            1 => (Kind::Digit, self.writer.digits(2)),
            _ => (Kind::House, self.writer.houses(2)),
        };
        self.other(format!("let {name} = {value}"));
        self.writer.declare(&name, kind, true);
    }

    /// One cell for each digit or cell of a set.
    fn family(&mut self) {
        let (name, index) = (self.writer.new_name("f"), self.writer.new_name("i"));
        let of_digits = self.writer.choices.chance(2, 3);
        let of = if of_digits { self.writer.digits(1) } else { format!("cells({})", self.writer.cells(1)) };
        let member = format!("{name}[{index}]");
        self.writer.declare(&index, if of_digits { Kind::Digit } else { Kind::Cell }, false);
        let with = if self.writer.choices.chance(1, 2) {
            self.writer.declare(&member, Kind::Cell, false);
            let with = format!(" with {}", self.writer.condition(0));
            self.writer.scope.pop();
            with
        } else {
            String::new()
        };
        self.writer.scope.pop();
        let has = match (of_digits, self.writer.choices.below(3)) {
            (true, 0 | 1) => format!(" has {index}"),
            (false, 0 | 1) => format!(" sees {index}"),
            _ => String::new(),
        };
        let kind = if self.writer.choices.chance(1, 6) && !self.writer.lines_only { "als" } else { "cell" };
        self.other(format!("{member}: {kind}{has}{with} for {index} in {of}"));
        self.writer.declare(&name, Kind::Cell, true);
    }

    /// A set that is chosen from a table: an almost locked set, or a node of one cell or more.
    fn locked(&mut self) {
        if self.writer.lines_only {
            return self.cell();
        }
        let name = self.writer.new_name("a");
        let mut text = format!("{name}: {}", self.writer.choices.pick(&["als", "spot", "als(2)"]));
        if self.writer.choices.chance(1, 3) {
            text.push_str(&format!(" with {}", self.writer.condition(0)));
        }
        self.writer.declare(&name, Kind::Cell, true);
        self.other(text);
    }

    fn trail(&mut self) {
        let mut name = |letter: &str, kind: Kind| {
            let name = self.writer.new_name(letter);
            self.writer.declare(&name, kind, false);
            name
        };
        let (x, y) = (name("x", Kind::Digit), name("y", Kind::Digit));
        let (a, p) = (name("c", Kind::Cell), name("c", Kind::Cell));
        let (q, b) = (name("c", Kind::Cell), name("c", Kind::Cell));
        let text = match self.writer.choices.below(4) {
            0 => format!("chain ({x}={y}){a} - ({y}={x}){p}"),
            1 => format!("chain ({x}){a} = ({x}){p} - ({x}){q} = ({x}){b}"),
            2 => format!("chain ({x}={y}){a} - ({y}){p} = ({y}){q} - ({y}={x}){b}"),
            _ => format!("chain ({x}){a} = ({x}){p} - ({y}){p} = ({y}){q}"),
        };
        self.other(text);
    }

    /// `require D in H = {A, B}`: names that get their values from a pattern.
    fn bound_by_pattern(&mut self) {
        let (a, b) = (self.writer.new_name("m"), self.writer.new_name("m"));
        let text = match self.writer.choices.below(3) {
            0 => format!("require {} in {} = {{{a}, {b}}}", self.writer.digits(0), self.writer.houses(0)),
            1 => format!("require {} = {{{a}}}", self.writer.cells(2)),
            _ => format!("require cells({}) = {{{a}, {b}}}", self.writer.candidates(1)),
        };
        self.writer.declare(&a, Kind::Cell, false);
        if text.contains(&b) {
            self.writer.declare(&b, Kind::Cell, false);
        }
        self.other(text);
    }

    fn require(&mut self) {
        let each = if self.writer.choices.chance(1, 4) { self.each() } else { (0, String::new()) };
        let depth = self.writer.choices.below(3);
        let when = self.writer.condition(depth);
        let left = self.writer.scope.len() - each.0;
        self.writer.scope.truncate(left);
        self.lines.push(Line::Require(when, each.1));
    }

    /// ` for x in X`, once or twice: how many names run, and the text.
    fn each(&mut self) -> (usize, String) {
        let mut text = String::new();
        let times = 1 + self.writer.choices.below(2);
        for _ in 0..times {
            let name = self.writer.new_name("i");
            let some = self.writer.choices.pick(&["", "some "]);
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
            let each = if self.writer.choices.chance(1, 6) { self.each() } else { (0, String::new()) };
            let digits = self.writer.digits(1);
            let text = match self.writer.choices.below(6) {
                0..=2 => format!("eliminate {digits} from {}", self.writer.cells(2)),
                3 => format!("eliminate {}", self.writer.candidates(2)),
                4 => format!("conclude some {digits} in {}", self.writer.cells(1)),
                _ => format!("place {digits} in {}", self.writer.cells(1)),
            };
            let each = if each.1.contains("some ") || each.0 > 1 { (each.0, String::new()) } else { each };
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
        let kind = if self.writer.lines_only { "line" } else { "house" };
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
