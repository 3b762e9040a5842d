//! Declarations, before anything is checked. In: the statements of a rule. Out: every name with its kind, so
//! that the order of lines does not matter. Names come from bindings, `let`, `for`, chains and patterns.

use super::names::{Lowering, NameRole, Symbol};
use super::settle::names_in;
use super::uses::{Expansion, is_from_pattern};
use super::value::binding_kind;
use crate::lang::ast::{
    Binding, CaseResult, EndPoint, EurekaNode, Ident, QualifierKind, Span, Statement, StatementKind, Suppose, those_in,
};
use crate::lang::codes::{NameProblem, Problem};
use crate::lang::ir::{HouseClass, Kind, Origin, VarShape};
use crate::lang::words;

impl Lowering<'_> {
    /// Declares every name of a rule.
    pub fn declare(&mut self, bindings: &[&Binding], statements: &[&Statement], stops: &[&EurekaNode]) {
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
        // In order of appearance. No one has stored an index yet: `find` and `index_at` look names up by text and place.
        let mut symbols = std::mem::take(&mut self.symbols);
        symbols.sort_by_key(|symbol| order(&self.expansions, &symbol.span));
        self.symbols = symbols;
    }

    fn declare_name(&mut self, ident: &Ident, kind: Option<Kind>, shape: VarShape, origin: Origin) {
        let (name, span) = (ident.name.clone(), ident.span.clone());
        if words::is_built_in(&name) {
            self.note(NameProblem::BuiltIn { name: name.clone() }.at(&span));
            self.doubtful.insert(name);
            return;
        }
        if words::is_cell_name(&name) {
            self.report_fixed_cell(ident);
            self.doubtful.insert(name);
            return;
        }
        if let Some(first) = self.place_of(&name) {
            self.note(NameProblem::DeclaredTwice { name }.at_both(&span, &first));
            return;
        }
        self.add(name, span, kind, shape, origin);
    }

    /// Finds the declaration of a name or a parameter.
    fn place_of(&self, name: &str) -> Option<Span> {
        let earlier = self.find(name).map(|id| &self.symbols[id.0].span);
        let param = self.params.iter().find(|param| param.name.name == name).map(|param| &param.span);
        earlier.or(param).cloned()
    }

    /// Reports a cell that is named by its place in the grid.
    pub fn report_fixed_cell(&mut self, ident: &Ident) {
        self.note(NameProblem::FixedCell { name: ident.name.clone() }.at(&ident.span));
    }

    fn add(&mut self, name: String, span: Span, kind: Option<Kind>, shape: VarShape, origin: Origin) {
        self.symbols.push(Symbol::new(name, span, kind, shape, origin));
    }

    /// Declares the running names of `those … in … with …`, and of the loops in it.
    fn declare_running(&mut self, statements: &[&Statement]) {
        for those in statements.iter().flat_map(|line| those_in(line)) {
            self.declare_index(&those.index, None);
            those.each.iter().for_each(|each| self.declare_index(&each.index, None));
        }
    }

    fn declare_index(&mut self, index: &Ident, kind: Option<Kind>) {
        let Ident { name, span } = index;
        if words::is_built_in(name) || words::is_cell_name(name) {
            self.declare_name(index, kind, VarShape::Single, Origin::Index);
        }
        self.add(name.clone(), span.clone(), kind, VarShape::Single, Origin::Index);
    }

    /// Reports running names (loop variables) that are also names of the rule (declared, or bound by a chain or a pattern such as
    /// `= {x, y}`): a running name would silently hide the other one in its line.
    fn check_running(&mut self) {
        let mut found = Vec::new();
        for symbol in self.symbols.iter().filter(|symbol| symbol.origin == Origin::Index) {
            let name = &symbol.name;
            let Some(first) = self.place_of(name) else { continue };
            // Running names inside a pattern do not concern the rules that use the pattern.
            if is_from_pattern(&symbol.span) && !is_from_pattern(&first) {
                continue;
            }
            found.push(NameProblem::DeclaredTwice { name: name.clone() }.at_both(&symbol.span, &first));
        }
        found.into_iter().for_each(|diagnostic| self.note(diagnostic));
    }

    fn declare_binding(&mut self, binding: &Binding) {
        let kind = binding_kind(binding).map(|(kind, _)| kind);
        if kind.is_none() {
            self.report_unknown_kind(&binding.kind);
        }
        // `= {x, y}` binds names after a cell or a set. Elsewhere it is an error already, so its unknown names are not reported.
        if !matches!(binding_kind(binding), Some((Kind::Cell, false) | (_, true))) {
            for qualifier in &binding.qualifiers {
                if let QualifierKind::Exactly(set) = &qualifier.kind {
                    self.doubtful.extend(names_in(set).into_iter().map(str::to_owned));
                }
            }
        }
        for (name, index) in &binding.names {
            let shape = match (index, &binding.size) {
                (Some(_), _) => VarShape::Family,
                (None, _) if binding_kind(binding).is_some_and(|(_, many)| many) => VarShape::Set,
                // A size after a singular is an error that is reported elsewhere.
                (None, _) => VarShape::Single,
            };
            let role = match binding.kind.name.as_str() {
                words::LITERAL => {
                    self.declare_literal(name);
                    continue;
                }
                words::ALS => NameRole::Als(binding.excess.as_ref().map_or(1, |number| number.value)),
                words::GROUP => NameRole::Group,
                _ => NameRole::Plain,
            };
            self.declare_name(name, kind, shape, Origin::Chosen);
            self.set_role(name, role);
        }
        if let Some(each) = &binding.each {
            self.declare_index(&each.index, None);
        }
    }

    fn set_role(&mut self, name: &Ident, role: NameRole) {
        if let Some(symbol) = self.symbols.iter_mut().find(|symbol| symbol.span == name.span) {
            symbol.role = role;
        }
    }

    /// Declares a literal as two sets of candidates: the first holds its candidate if it is true, the second if it is false.
    fn declare_literal(&mut self, name: &Ident) {
        if self.declare_candidates(name, NameRole::Literal) {
            let opposite = opposite(&name.name);
            self.add(opposite, name.span.clone(), Some(Kind::Candidate), VarShape::Set, Origin::Pattern);
            self.symbols.last_mut().into_iter().for_each(|symbol| symbol.role = NameRole::Opposite);
        }
    }

    /// Declares a set of candidates that a line introduces; false if it has an error.
    fn declare_candidates(&mut self, name: &Ident, role: NameRole) -> bool {
        let before = self.symbols.len();
        self.declare_name(name, Some(Kind::Candidate), VarShape::Set, Origin::Pattern);
        let new = self.symbols.get_mut(before);
        new.map(|symbol| symbol.role = role).is_some()
    }

    fn report_unknown_kind(&mut self, kind: &Ident) {
        let all = words::KINDS.iter().flat_map(|(one, many)| [*one, *many]).chain(words::OTHER_KINDS.iter().copied());
        let meant = words::meant_kind(&kind.name).map(str::to_owned);
        let near = words::nearest(&kind.name, all).or(meant);
        let kinds = words::quoted(words::KINDS.iter().map(|(one, _)| one));
        self.note(NameProblem::UnknownKind { word: kind.name.clone(), near, kinds }.at(&kind.span));
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
                self.declare_candidates(&one.name, NameRole::Loop);
                self.declare_sets(one.colours.iter().flatten());
            }
            StatementKind::Cluster(cluster) => self.declare_sets(&cluster.colours),
            StatementKind::Ring(ring) => self.declare_sets([&ring.name, &ring.guardians]),
            StatementKind::Suppose(Suppose { shows: CaseResult::AllImply(not, name, _), .. }) => {
                self.declare_literal(name);
                // In `all imply not q`, `q` is the false candidate, not a literal.
                if not.is_some() {
                    self.set_role(name, NameRole::Plain);
                }
            }
            StatementKind::Broken(idents) => self.doubtful.extend(idents.iter().map(|ident| ident.name.clone())),
            _ => {}
        }
    }

    fn declare_sets<'s>(&mut self, names: impl IntoIterator<Item = &'s Ident>) {
        for name in names {
            self.declare_candidates(name, NameRole::Plain);
        }
    }

    /// Binds a name in a chain or a pattern, unless it is declared elsewhere.
    pub fn bind(&mut self, ident: &Ident, kind: Kind) {
        let known = self.find(&ident.name).is_some() || self.doubtful.contains(&ident.name);
        if !known && !self.elsewhere.contains_key(&ident.name) {
            self.declare_name(ident, Some(kind), VarShape::Single, Origin::Pattern);
        }
    }

    /// Binds the name of a node to the set of its candidates.
    fn bind_node(&mut self, ident: &Ident) {
        let before = self.symbols.len();
        self.bind(ident, Kind::Candidate);
        if let Some(symbol) = self.symbols.get_mut(before) {
            (symbol.shape, symbol.role) = (VarShape::Set, NameRole::Node);
        }
    }

    fn declare_stop(&mut self, stop: &EurekaNode) {
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
                        EndPoint::At(stop) => self.declare_stop(stop),
                        EndPoint::Candidate(ident) => self.bind_node(ident),
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the internal name for a false literal. It has a blank, so no author can write it.
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
