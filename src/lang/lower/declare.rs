//! Declarations, before anything is checked. In: the statements of a rule. Out: every name with its kind, so
//! that the order of lines does not matter. Names come from bindings, `let`, `for`, chains and patterns.

use super::names::{Role, Rule, Symbol};
use super::settle::names_in;
use super::uses::{Expansion, is_moved};
use super::value::binding_kind;
use crate::lang::ast::{
    Binding, End, Ident, QualifierKind, Shows, Span, Statement, StatementKind, Stop, Suppose, Those, Visitor,
};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{HouseClass, Kind, Origin, VarShape};
use crate::lang::words;

impl Rule<'_> {
    /// Declares every name of a rule.
    pub fn declare(&mut self, bindings: &[&Binding], statements: &[&Statement], stops: &[&Stop]) {
        for binding in bindings {
            self.declare_binding(binding);
        }
        for statement in statements {
            self.declare_statement(statement);
        }
        for stop in stops {
            self.declare_stop(stop);
        }
        for statement in statements {
            self.declare_chain(&statement.kind);
        }
        self.declare_running(statements);
        self.settle(bindings, statements);
        self.check_running();
        // In order of appearance; `find` and `index_at` go by name and place, so numbers may still change.
        let mut symbols = std::mem::take(&mut self.symbols);
        symbols.sort_by_key(|symbol| order(&self.expansions, &symbol.span));
        self.symbols = symbols;
    }

    fn declare_name(&mut self, ident: &Ident, kind: Option<Kind>, shape: VarShape, origin: Origin) {
        let (name, span) = (ident.name.clone(), ident.span.clone());
        if words::is_built_in(&name) {
            let message = format!("`{name}` has a meaning of its own and cannot be a name");
            self.note(Diagnostic::error("E0204", span.clone(), message, "choose another name"));
            self.doubtful.insert(name);
            return;
        }
        if words::is_place(&name) {
            self.fixed_cell(ident);
            self.doubtful.insert(name);
            return;
        }
        let earlier = self.find(&name).map(|id| self.symbols[id.0].span.clone());
        let param = || self.params.iter().find(|param| param.name.name == name).map(|param| param.span.clone());
        if let Some(first) = earlier.or_else(param) {
            let message = format!("`{name}` is declared twice");
            let diagnostic = Diagnostic::error("E0203", span, message, "declared again");
            self.note(diagnostic.label(first, "declared here first").help("give one of the two another name"));
            return;
        }
        self.add(name, span, kind, shape, origin);
    }

    /// A cell by its place in the grid.
    pub fn fixed_cell(&mut self, ident: &Ident) {
        let message = format!("rules name no fixed cells, and `{}` is one", ident.name);
        let help = "name it by what it is: `c: cell`, `(d)A`; a rule holds wherever its pattern stands";
        self.note(Diagnostic::error("E0213", ident.span.clone(), message, "a place in the grid").help(help));
    }

    fn add(&mut self, name: String, span: Span, kind: Option<Kind>, shape: VarShape, origin: Origin) {
        let (in_pattern, in_conclusion, in_text) = (false, false, false);
        let (role, index) = (Role::Plain, None);
        self.symbols.push(Symbol { name, span, kind, shape, origin, role, index, in_pattern, in_conclusion, in_text });
    }

    /// The names of `those … in … with …`, and of the loops inside of them.
    fn declare_running(&mut self, statements: &[&Statement]) {
        let mut running = Running::default();
        for statement in statements {
            (*statement).clone().walk(&mut running);
        }
        for those in running.0 {
            self.declare_index(&those.index, None);
            those.each.iter().for_each(|each| self.declare_index(&each.index, None));
        }
    }

    fn declare_index(&mut self, index: &Ident, kind: Option<Kind>) {
        let Ident { name, span } = index;
        if words::is_built_in(name) || words::is_place(name) {
            self.declare_name(index, kind, VarShape::Single, Origin::Index);
        }
        self.add(name.clone(), span.clone(), kind, VarShape::Single, Origin::Index);
    }

    /// A running name that is a name of the rule as well, also one that a chain or a pattern such as `= {x, y}` binds: in its
    /// line it would hide that one, and nobody would see it.
    fn check_running(&mut self) {
        let mut found = Vec::new();
        for symbol in self.symbols.iter().filter(|symbol| symbol.origin == Origin::Index) {
            let name = &symbol.name;
            let earlier = self.find(name).map(|id| self.symbols[id.0].span.clone());
            let param = || self.params.iter().find(|param| param.name.name == *name).map(|param| param.span.clone());
            let Some(first) = earlier.or_else(param) else { continue };
            // Running names inside a pattern do not concern the rules that use the pattern.
            if is_moved(&symbol.span) && !is_moved(&first) {
                continue;
            }
            let diagnostic = Diagnostic::error(
                "E0203",
                symbol.span.clone(),
                format!("`{name}` is declared twice"),
                "declared again",
            );
            found.push(diagnostic.label(first, "declared here first").help("give one of the two another name"));
        }
        found.into_iter().for_each(|diagnostic| self.note(diagnostic));
    }

    fn declare_binding(&mut self, binding: &Binding) {
        let kind = match binding_kind(binding) {
            Some((kind, _)) => Some(kind),
            None => {
                self.unknown_kind(&binding.kind);
                None
            }
        };
        // `= {x, y}` binds names for a cell and for a set; elsewhere it is an error, and they are not to blame.
        if !matches!(binding_kind(binding), Some((Kind::Cell, false) | (_, true))) {
            let mut names = Vec::new();
            binding.qualifiers.iter().for_each(|qualifier| names_in_qualifier(&qualifier.kind, &mut names));
            self.doubtful.extend(names.into_iter().map(str::to_owned));
        }
        for (name, index) in &binding.names {
            let shape = match (index, &binding.size) {
                (Some(_), _) => VarShape::Family,
                (None, _) if binding_kind(binding).is_some_and(|(_, many)| many) => VarShape::Set,
                // A size that one thing was given by mistake does not make a set of it.
                (None, _) => VarShape::Single,
            };
            let role = match binding.kind.name.as_str() {
                words::LITERAL => {
                    self.declare_literal(name);
                    continue;
                }
                words::ALS => Role::Als(binding.excess.as_ref().map_or(1, |number| number.value)),
                words::GROUP => Role::Group,
                _ => Role::Plain,
            };
            self.declare_name(name, kind, shape, Origin::Chosen);
            self.set_role(name, role);
        }
        if let Some(each) = &binding.each {
            self.declare_index(&each.index, None);
        }
    }

    fn set_role(&mut self, name: &Ident, role: Role) {
        if let Some(symbol) = self.symbols.iter_mut().find(|symbol| symbol.span == name.span) {
            symbol.role = role;
        }
    }

    /// A literal: two names, of which one has its candidate and the other none.
    fn declare_literal(&mut self, name: &Ident) {
        let before = self.symbols.len();
        self.declare_name(name, Some(Kind::Candidate), VarShape::Set, Origin::Pattern);
        if self.symbols.len() > before {
            self.set_role(name, Role::Literal);
            let opposite = opposite(&name.name);
            self.add(opposite, name.span.clone(), Some(Kind::Candidate), VarShape::Set, Origin::Pattern);
            self.symbols.last_mut().into_iter().for_each(|symbol| symbol.role = Role::Opposite);
        }
    }

    /// A set of candidates that a line introduces.
    fn declare_candidates(&mut self, name: &Ident, role: Role) {
        let before = self.symbols.len();
        self.declare_name(name, Some(Kind::Candidate), VarShape::Set, Origin::Pattern);
        if self.symbols.len() > before {
            self.set_role(name, role);
        }
    }

    fn unknown_kind(&mut self, kind: &Ident) {
        let all = words::KINDS.iter().flat_map(|(one, many)| [*one, *many]).chain(words::OTHER_KINDS.iter().copied());
        let help = match words::nearest(&kind.name, all).or_else(|| words::meant_kind(&kind.name)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let ones: Vec<String> = words::KINDS.iter().map(|(one, _)| format!("`{one}`")).collect();
                format!("a kind is {}; a set is `cells[2]`, `digits[n]`, …", words::either(&ones))
            }
        };
        let message = format!("there is no kind `{}`", kind.name);
        self.note(Diagnostic::error("E0201", kind.span.clone(), message, "not a kind").help(help));
    }

    fn declare_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Binding(binding) => self.declare_binding(binding),
            StatementKind::Let(name, _) | StatementKind::Guardians(name, _) => {
                self.declare_name(name, None, VarShape::Set, Origin::Let)
            }
            StatementKind::Require(_, each)
            | StatementKind::Eliminate(_, _, each)
            | StatementKind::Place(_, each)
            | StatementKind::Conclude(_, each)
            | StatementKind::Called(_, Some((_, each))) => {
                each.iter().for_each(|each| self.declare_index(&each.index, None));
            }
            StatementKind::Loop(one) => {
                self.declare_candidates(&one.name, Role::Loop);
                one.colours.iter().flatten().for_each(|colour| self.declare_candidates(colour, Role::Plain));
            }
            StatementKind::Cluster(cluster) => {
                cluster.colours.iter().for_each(|colour| self.declare_candidates(colour, Role::Plain));
            }
            StatementKind::Ring(ring) => {
                [&ring.name, &ring.guardians].into_iter().for_each(|name| self.declare_candidates(name, Role::Plain));
            }
            StatementKind::Suppose(Suppose { shows: Shows::AllImply(not, name, _), .. }) => {
                self.declare_literal(name);
                // The name is that of the candidate, which is false.
                if not.is_some() {
                    self.set_role(name, Role::Plain);
                }
            }
            StatementKind::Broken(idents) => self.doubtful.extend(idents.iter().map(|ident| ident.name.clone())),
            _ => {}
        }
    }

    /// A name in a chain or a pattern: bound here unless it is declared elsewhere.
    pub fn bind(&mut self, ident: &Ident, kind: Kind) {
        let known = self.find(&ident.name).is_some() || self.doubtful.contains(&ident.name);
        if !known && !self.elsewhere.contains_key(&ident.name) {
            self.declare_name(ident, Some(kind), VarShape::Single, Origin::Pattern);
        }
    }

    /// The name of a node: the set of its candidates.
    fn bind_node(&mut self, ident: &Ident) {
        let before = self.symbols.len();
        self.bind(ident, Kind::Candidate);
        if let Some(symbol) = self.symbols.get_mut(before) {
            (symbol.shape, symbol.role) = (VarShape::Set, Role::Node);
        }
    }

    fn declare_stop(&mut self, stop: &Stop) {
        for digit in &stop.digits {
            self.bind(digit, Kind::Digit);
        }
        self.bind(&stop.cell, Kind::Cell);
    }

    fn declare_chain(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Trail(trail) => {
                trail.stops.iter().for_each(|stop| self.declare_stop(stop));
                for house in trail.links.iter().filter_map(|link| link.house.as_ref()) {
                    self.bind(house, Kind::House(HouseClass::Any));
                }
            }
            StatementKind::Chain(chain) => {
                for end in [&chain.from, &chain.to] {
                    match end {
                        End::At(stop) => self.declare_stop(stop),
                        End::Candidate(ident) => self.bind_node(ident),
                    }
                }
            }
            _ => {}
        }
    }
}

/// The name of what a literal says if it is said to be false. No name that can be written has a blank.
pub fn opposite(name: &str) -> String {
    format!("not {name}")
}

/// Position of a name in the rule, for sorting: names of a pattern stand at the line that uses it.
fn order(expansions: &[Expansion], place: &Span) -> (usize, usize) {
    match expansions.iter().rev().find(|expansion| expansion.base <= place.start) {
        Some(expansion) => (expansion.at.start, place.start),
        None => (place.start, 0),
    }
}

/// Collects every `those`.
#[derive(Default)]
struct Running(Vec<Those>);

impl Visitor for Running {
    fn those(&mut self, those: &Those) {
        self.0.push(those.clone());
    }
}

/// The members of `= {x, y}`.
fn names_in_qualifier<'s>(qualifier: &'s QualifierKind, out: &mut Vec<&'s str>) {
    if let QualifierKind::Exactly(set) = qualifier {
        names_in(set, out);
    }
}
