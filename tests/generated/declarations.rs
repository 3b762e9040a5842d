//! Random declarations: each method adds a line to a rule that declares new names.

use super::maker::Maker;
use super::writer::Kind;

impl Maker<'_> {
    /// Returns a random size of a set. Sets without members are wanted, too.
    fn set_size(&mut self) -> &'static str {
        let sizes: &[&str] = &["0..1", "1..2", "2", "1", "0..2", "0", "0..", "1.."];
        let sizes_with_param: &[&str] = &["n", "n..2", "n - 1..2", "n..", "0..n"];
        if self.writer.has_param && self.writer.choices.chance(1, 2) {
            self.writer.choices.pick(sizes_with_param)
        } else {
            self.writer.choices.pick(sizes)
        }
    }

    /// Adds a declaration, one of six with ` with CONDITION`. The declared name is in scope.
    fn push_declaration(&mut self, mut line: String) {
        if self.writer.choices.chance(1, 6) {
            let depth = self.writer.choices.below(2);
            line.push_str(&format!(" with {}", self.writer.condition(depth)));
        }
        self.push_line(line);
    }

    pub fn declare_cell(&mut self) {
        let name = self.writer.new_name("c");
        let mut line = format!("{name}: cell");
        match self.writer.choices.below(8) {
            0 | 1 => {}
            2 => line.push_str(&format!(" in {}", self.writer.cells(1))),
            3 => line.push_str(&format!(" sees {}", self.writer.quantified_cells(1))),
            4 => line.push_str(&format!(" has {}", self.writer.digits(1))),
            5 => line.push_str(&format!(" lacks {}", self.writer.digits(1))),
            6 => line.push_str(&format!(" with {} candidates", 1 + self.writer.choices.below(3))),
            _ => {
                let (x, y) = (self.writer.new_name("x"), self.writer.new_name("y"));
                let is_pair = self.writer.choices.chance(2, 3);
                line.push_str(&if is_pair { format!(" = {{{x}, {y}}}") } else { format!(" = {{{x}}}") });
                self.writer.declare_single(&x, Kind::Digit);
                if is_pair {
                    self.writer.declare_single(&y, Kind::Digit);
                }
            }
        }
        self.writer.declare_single(&name, Kind::Cell);
        self.push_declaration(line);
    }

    pub fn declare_digit(&mut self) {
        let name = self.writer.new_name("d");
        let mut line = format!("{name}: digit");
        if self.writer.choices.chance(1, 2) {
            line.push_str(&format!(" in {}", self.writer.digits(1)));
        }
        self.writer.declare_single(&name, Kind::Digit);
        self.push_declaration(line);
    }

    pub fn declare_house(&mut self) {
        let name = self.writer.new_name("h");
        let classes: &[&str] =
            if self.writer.lines_only { &["row", "column"] } else { &["house", "row", "column", "box", "line"] };
        let mut line = format!("{name}: {}", self.writer.choices.pick(classes));
        match self.writer.choices.below(6) {
            0 => line.push_str(&format!(" in {}", self.writer.houses(1))),
            1 | 2 => line.push_str(&format!(" {}", self.writer.incidence(1))),
            _ => {}
        }
        self.writer.declare_single(&name, Kind::House);
        self.push_declaration(line);
    }

    pub fn declare_cells(&mut self) {
        let (name, size) = (self.writer.new_name("s"), self.set_size());
        let mut line = format!("{name}: cells[{size}]");
        match self.writer.choices.below(10) {
            0..=2 => line.push_str(&format!(" in {}", self.writer.cells(1))),
            3 => line.push_str(" in one house"),
            4 => line.push_str(" connected"),
            5 => line.push_str(&format!(" disjoint {}", self.writer.cells(1))),
            6 => line.push_str(&format!(" in cells seeing {}", self.writer.quantified_cells(1))),
            _ => {}
        }
        self.writer.declare_set(&name, Kind::Cell);
        self.push_declaration(line);
    }

    pub fn declare_digits(&mut self) {
        let (name, size) = (self.writer.new_name("e"), self.set_size());
        let mut line = format!("{name}: digits[{size}]");
        if self.writer.choices.chance(2, 3) {
            line.push_str(&format!(" in {}", self.writer.digits(1)));
        }
        self.writer.declare_set(&name, Kind::Digit);
        self.push_declaration(line);
    }

    pub fn declare_houses(&mut self) {
        let (name, size) = (self.writer.new_name("b"), self.set_size());
        let classes: &[&str] = if self.writer.lines_only {
            &["rows", "columns"]
        } else {
            &["houses", "rows", "columns", "boxes", "lines"]
        };
        let mut line = format!("{name}: {}[{size}]", self.writer.choices.pick(classes));
        match self.writer.choices.below(6) {
            0 | 1 => line.push_str(&format!(" in {}", self.writer.houses(1))),
            2 => line.push_str(&format!(" {}", self.writer.incidence(1))),
            3 => line.push_str(" parallel"),
            _ => {}
        }
        self.writer.declare_set(&name, Kind::House);
        self.push_declaration(line);
    }

    /// Adds `let v = …`.
    pub fn define_name(&mut self) {
        let name = self.writer.new_name("v");
        let (kind, value) = match self.writer.choices.below(3) {
            0 => (Kind::Cell, self.writer.cells(2)),
            1 => (Kind::Digit, self.writer.digits(2)),
            _ => (Kind::House, self.writer.houses(2)),
        };
        self.push_line(format!("let {name} = {value}"));
        self.writer.declare_set(&name, kind);
    }

    /// Adds `f[i]: cell … for i in SET`, or `f[i]: als … for i in SET`.
    pub fn declare_family(&mut self) {
        let (name, index) = (self.writer.new_name("f"), self.writer.new_name("i"));
        let is_over_digits = self.writer.choices.chance(2, 3);
        let set = if is_over_digits { self.writer.digits(1) } else { format!("cells({})", self.writer.cells(1)) };
        let member = format!("{name}[{index}]");
        let scope_before = self.writer.scope.len();
        self.writer.declare_single(&index, if is_over_digits { Kind::Digit } else { Kind::Cell });
        let mut with_clause = String::new();
        if self.writer.choices.chance(1, 2) {
            self.writer.declare_single(&member, Kind::Cell);
            with_clause = format!(" with {}", self.writer.condition(0));
        }
        self.writer.scope.truncate(scope_before);
        let has_relation = self.writer.choices.below(3) < 2;
        let relation = match (has_relation, is_over_digits) {
            (true, true) => format!(" has {index}"),
            (true, false) => format!(" sees {index}"),
            (false, _) => String::new(),
        };
        let kind = if self.writer.choices.chance(1, 6) && !self.writer.lines_only { "als" } else { "cell" };
        self.push_line(format!("{member}: {kind}{relation}{with_clause} for {index} in {set}"));
        self.writer.declare_set(&name, Kind::Cell);
    }

    /// Adds an almost locked set or a group, such as `a: als(2)`. A rule with views has none, so it gets a cell.
    pub fn declare_als_or_group(&mut self) {
        if self.writer.lines_only {
            return self.declare_cell();
        }
        let name = self.writer.new_name("a");
        let mut line = format!("{name}: {}", self.writer.choices.pick(&["als", "group", "als(2)"]));
        if self.writer.choices.chance(1, 3) {
            line.push_str(&format!(" with {}", self.writer.condition(0)));
        }
        self.writer.declare_set(&name, Kind::Cell);
        self.push_line(line);
    }

    /// Adds a chain of fixed length, which binds all of its names.
    pub fn declare_chain(&mut self) {
        let mut new_single = |letter: &str, kind: Kind| {
            let name = self.writer.new_name(letter);
            self.writer.declare_single(&name, kind);
            name
        };
        let (x, y) = (new_single("x", Kind::Digit), new_single("y", Kind::Digit));
        let (a, p) = (new_single("c", Kind::Cell), new_single("c", Kind::Cell));
        let (q, b) = (new_single("c", Kind::Cell), new_single("c", Kind::Cell));
        let line = match self.writer.choices.below(4) {
            0 => format!("chain ({x}={y}){a} - ({y}={x}){p}"),
            1 => format!("chain ({x}){a} = ({x}){p} - ({x}){q} = ({x}){b}"),
            2 => format!("chain ({x}={y}){a} - ({y}){p} = ({y}){q} - ({y}={x}){b}"),
            _ => format!("chain ({x}){a} = ({x}){p} - ({y}){p} = ({y}){q}"),
        };
        self.push_line(line);
    }

    /// Adds a pattern that binds new names to cells, such as `require D in H = {m1, m2}`.
    pub fn require_pattern(&mut self) {
        let (a, b) = (self.writer.new_name("m"), self.writer.new_name("m"));
        let form = self.writer.choices.below(3);
        let line = match form {
            0 => format!("require {} in {} = {{{a}, {b}}}", self.writer.digits(0), self.writer.houses(0)),
            1 => format!("require {} = {{{a}}}", self.writer.cells(2)),
            _ => format!("require cells({}) = {{{a}, {b}}}", self.writer.candidates(1)),
        };
        self.writer.declare_single(&a, Kind::Cell);
        let has_two_names = form != 1;
        if has_two_names {
            self.writer.declare_single(&b, Kind::Cell);
        }
        self.push_line(line);
    }
}
