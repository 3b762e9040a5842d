//! Declarations at random. In: a rule that is being made. Out: one more line that declares a name, chooses it among others or
//! gives it a value.

use super::maker::Maker;
use super::writer::Kind;

impl Maker<'_> {
    /// Draws the size of a set; sets without members are wanted.
    pub fn size(&mut self) -> &'static str {
        let sizes: &[&str] = &["0..1", "1..2", "2", "1", "0..2", "0", "0..", "1.."];
        let with_param: &[&str] = &["n", "n..2", "n - 1..2", "n..", "0..n"];
        if self.writer.param && self.writer.choices.chance(1, 2) {
            self.writer.choices.pick(with_param)
        } else {
            self.writer.choices.pick(sizes)
        }
    }

    /// `with CONDITION` on the name itself.
    pub fn with(&mut self, text: &mut String) {
        if self.writer.choices.chance(1, 6) {
            let depth = self.writer.choices.below(2);
            text.push_str(&format!(" with {}", self.writer.condition(depth)));
        }
    }

    pub fn cell(&mut self) {
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

    pub fn digit(&mut self) {
        let name = self.writer.new_name("d");
        let mut text = format!("{name}: digit");
        if self.writer.choices.chance(1, 2) {
            text.push_str(&format!(" in {}", self.writer.digits(1)));
        }
        self.writer.declare(&name, Kind::Digit, false);
        self.with(&mut text);
        self.other(text);
    }

    pub fn house(&mut self) {
        let name = self.writer.new_name("h");
        let kinds: &[&str] =
            if self.writer.lines_only { &["row", "column"] } else { &["house", "row", "column", "box", "line"] };
        let mut text = format!("{name}: {}", self.writer.choices.pick(kinds));
        match self.writer.choices.below(6) {
            0 => text.push_str(&format!(" in {}", self.writer.houses(1))),
            1 | 2 => text.push_str(&format!(" {}", self.writer.lying(1))),
            _ => {}
        }
        self.writer.declare(&name, Kind::House, false);
        self.with(&mut text);
        self.other(text);
    }

    pub fn set_of_cells(&mut self) {
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

    pub fn set_of_digits(&mut self) {
        let (name, size) = (self.writer.new_name("e"), self.size());
        let mut text = format!("{name}: digits[{size}]");
        if self.writer.choices.chance(2, 3) {
            text.push_str(&format!(" in {}", self.writer.digits(1)));
        }
        self.writer.declare(&name, Kind::Digit, true);
        self.with(&mut text);
        self.other(text);
    }

    pub fn set_of_houses(&mut self) {
        let (name, size) = (self.writer.new_name("b"), self.size());
        let kinds: &[&str] = if self.writer.lines_only {
            &["rows", "columns"]
        } else {
            &["houses", "rows", "columns", "boxes", "lines"]
        };
        let mut text = format!("{name}: {}[{size}]", self.writer.choices.pick(kinds));
        match self.writer.choices.below(6) {
            0 | 1 => text.push_str(&format!(" in {}", self.writer.houses(1))),
            2 => text.push_str(&format!(" {}", self.writer.lying(1))),
            3 => text.push_str(" parallel"),
            _ => {}
        }
        self.writer.declare(&name, Kind::House, true);
        self.with(&mut text);
        self.other(text);
    }

    pub fn definition(&mut self) {
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
    pub fn family(&mut self) {
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
    pub fn locked(&mut self) {
        if self.writer.lines_only {
            return self.cell();
        }
        let name = self.writer.new_name("a");
        let mut text = format!("{name}: {}", self.writer.choices.pick(&["als", "group", "als(2)"]));
        if self.writer.choices.chance(1, 3) {
            text.push_str(&format!(" with {}", self.writer.condition(0)));
        }
        self.writer.declare(&name, Kind::Cell, true);
        self.other(text);
    }

    pub fn trail(&mut self) {
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
    pub fn bound_by_pattern(&mut self) {
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
}
