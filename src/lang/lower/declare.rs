//! Declares the names of a rule before anything is checked, so that the order of lines does not matter. Names come from
//! bindings, `let`, `for`, chains, set patterns and suppositions.

use super::expand::{Expansion, expansion_of, is_from_pattern};
use super::infer_kinds::names_in;
use super::names::{Lowering, NameRole, Symbol};
use super::typed_expr::{KindWord, binding_kind};
use crate::lang::ast::{
    Binding, CaseResult, EndPoint, EurekaNode, Filter, Ident, QualifierKind, Span, Statement, StatementKind, Suppose,
    contents_of,
};
use crate::lang::codes::{NameProblem, Problem};
use crate::lang::ir::{HouseClass, Kind, Origin, VarShape};
use crate::lang::words;

impl Lowering<'_> {
    /// Declares every name of a rule. `bindings` are the bindings of a `case` line, and `nodes` are the two ends of a
    /// link source.
    pub fn declare(&mut self, bindings: &[&Binding], statements: &[&Statement], nodes: &[&EurekaNode]) {
        for binding in bindings {
            self.declare_binding(binding);
        }
        for statement in statements {
            self.declare_statement(statement);
        }
        for node in nodes {
            self.bind_node_names(node);
        }
        for statement in statements {
            self.declare_chain(&statement.kind);
        }
        for filter in contents_of::<Filter>(&statements, "Filter") {
            self.declare_loop_var(&filter.loop_var);
            for clause in &filter.for_clauses {
                self.declare_loop_var(&clause.loop_var);
            }
        }
        self.infer_kinds(bindings, statements);
        self.report_shadowed_names();
        // Nothing has stored a `VarId` yet, so symbols can still be sorted by their order of appearance.
        let mut symbols = std::mem::take(&mut self.symbols);
        symbols.sort_by_key(|symbol| sort_key(&self.expansions, &symbol.span));
        self.symbols = symbols;
    }

    /// Declares a name and returns its symbol. Reports an error if the name cannot be declared.
    fn declare_name(
        &mut self,
        ident: &Ident,
        kind: Option<Kind>,
        shape: VarShape,
        origin: Origin,
    ) -> Option<&mut Symbol> {
        let (name, span) = (ident.name.clone(), ident.span.clone());
        if self.report_reserved_name(ident) {
            return None;
        }
        if let Some(first) = self.declaration_span(&name) {
            self.report(NameProblem::DeclaredTwice { name }.at_both(&span, &first));
            return None;
        }
        self.symbols.push(Symbol::new(name, span, kind, shape, origin));
        self.symbols.last_mut()
    }

    /// Reports a word that cannot be a name: a built-in word or the coordinates of a cell. Returns true if the word was
    /// reported.
    fn report_reserved_name(&mut self, ident: &Ident) -> bool {
        if words::is_built_in(&ident.name) {
            self.report(NameProblem::BuiltIn { name: ident.name.clone() }.at(&ident.span));
        } else if words::is_cell_name(&ident.name) {
            self.report_fixed_cell(ident);
        } else {
            return false;
        }
        self.suppressed_names.insert(ident.name.clone());
        true
    }

    /// Finds the declaration of a name or a parameter. Loop variables are not found.
    fn declaration_span(&self, name: &str) -> Option<Span> {
        if let Some(id) = self.find(name) {
            return Some(self.symbols[id.0].span.clone());
        }
        self.params.iter().find(|param| param.name.name == name).map(|param| param.span.clone())
    }

    pub fn report_fixed_cell(&self, ident: &Ident) {
        self.report(NameProblem::FixedCell { name: ident.name.clone() }.at(&ident.span));
    }

    /// Declares a loop variable, even if its name is reserved, so that the lines of the loop can be checked.
    fn declare_loop_var(&mut self, ident: &Ident) {
        self.report_reserved_name(ident);
        self.symbols.push(Symbol::new(ident.name.clone(), ident.span.clone(), None, VarShape::Single, Origin::Index));
    }

    /// Reports loop variables that have the name of another declaration.
    fn report_shadowed_names(&self) {
        for symbol in self.symbols.iter().filter(|symbol| symbol.origin == Origin::Index) {
            let name = &symbol.name;
            let Some(first) = self.declaration_span(name) else { continue };
            // The author of a rule need not know which loop variables its patterns have, so this is no error.
            if is_from_pattern(&symbol.span) && !is_from_pattern(&first) {
                continue;
            }
            self.report(NameProblem::DeclaredTwice { name: name.clone() }.at_both(&symbol.span, &first));
        }
    }

    fn declare_binding(&mut self, binding: &Binding) {
        let kind = binding_kind(binding);
        if kind.is_none() {
            self.report_unknown_kind(&binding.kind);
        }
        // `= {x, y}` binds names only after a cell or a set. After other kinds the qualifier is an error, so unknown
        // names in the qualifier are not reported.
        let may_bind = kind.is_some_and(|word| word.kind == Kind::Cell || word.is_plural);
        for qualifier in &binding.qualifiers {
            if let QualifierKind::Exactly(set) = &qualifier.kind
                && !may_bind
            {
                self.suppressed_names.extend(names_in(set));
            }
        }
        for (name, index) in &binding.names {
            let role = match binding.kind.name.as_str() {
                words::LITERAL => {
                    self.declare_literal(name, NameRole::Literal);
                    continue;
                }
                words::ALS => NameRole::Als(binding.parenthesized.as_ref().map_or(1, |degree| degree.value)),
                words::GROUP => NameRole::Group,
                _ => NameRole::Plain,
            };
            // `cell[2]` declares a single cell: its size is an error that is reported elsewhere.
            let shape = match kind {
                _ if index.is_some() => VarShape::Family,
                Some(KindWord { is_plural: true, .. }) => VarShape::Set,
                _ => VarShape::Single,
            };
            if let Some(symbol) = self.declare_name(name, kind.map(|word| word.kind), shape, Origin::Chosen) {
                symbol.role = role;
            }
        }
        if let Some(clause) = &binding.for_clause {
            self.declare_loop_var(&clause.loop_var);
        }
    }

    /// Declares a literal `q` as two sets of candidates, `q` and `not q`. If the literal is a candidate, `q` contains
    /// it. If the literal is the negation of a candidate, `not q` contains the candidate.
    fn declare_literal(&mut self, name: &Ident, role: NameRole) {
        if self.declare_candidates(name, role) {
            let kind = Some(Kind::Candidate);
            let mut opposite =
                Symbol::new(opposite_name(&name.name), name.span.clone(), kind, VarShape::Set, Origin::Pattern);
            opposite.role = NameRole::Opposite;
            self.symbols.push(opposite);
        }
    }

    /// Declares a set of candidates that a line binds. Returns false if the declaration has an error.
    fn declare_candidates(&mut self, name: &Ident, role: NameRole) -> bool {
        let symbol = self.declare_name(name, Some(Kind::Candidate), VarShape::Set, Origin::Pattern);
        symbol.map(|symbol| symbol.role = role).is_some()
    }

    fn report_unknown_kind(&mut self, kind: &Ident) {
        let kinds = words::kinds().flat_map(|(singular, plural)| [singular, plural]);
        let synonym = words::kind_synonym(&kind.name).map(str::to_owned);
        let near = words::nearest(&kind.name, kinds.chain(words::KINDS_WITHOUT_PLURAL.iter().copied())).or(synonym);
        let kinds = words::quoted(words::kinds().map(|(singular, _)| singular));
        self.report(NameProblem::UnknownKind { word: kind.name.clone(), near, kinds }.at(&kind.span));
    }

    fn declare_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Binding(binding) => self.declare_binding(binding),
            StatementKind::Let(name, _) | StatementKind::Guardians(name, _) => {
                self.declare_name(name, None, VarShape::Set, Origin::Let);
            }
            StatementKind::Require(_, clauses)
            | StatementKind::Eliminate(_, _, clauses)
            | StatementKind::Place(_, clauses)
            | StatementKind::Conclude(_, clauses)
            | StatementKind::Called(_, Some((_, clauses))) => {
                for clause in clauses {
                    self.declare_loop_var(&clause.loop_var);
                }
            }
            StatementKind::Loop(pattern) => {
                self.declare_candidates(&pattern.name, NameRole::Loop);
                for colour in pattern.colours.iter().flatten() {
                    self.declare_candidates(colour, NameRole::Plain);
                }
            }
            StatementKind::Cluster(pattern) => {
                for colour in &pattern.colours {
                    self.declare_candidates(colour, NameRole::Plain);
                }
            }
            StatementKind::Ring(pattern) => {
                self.declare_candidates(&pattern.name, NameRole::Plain);
                self.declare_candidates(&pattern.guardians, NameRole::Plain);
            }
            StatementKind::Suppose(Suppose { shows: CaseResult::AllImply(not, name, _), .. }) => {
                // In `all imply not q`, `q` is the name of the false candidate, not of a literal.
                let role = if not.is_some() { NameRole::Plain } else { NameRole::Literal };
                self.declare_literal(name, role);
            }
            StatementKind::Broken(idents) => {
                self.suppressed_names.extend(idents.iter().map(|ident| ident.name.clone()))
            }
            _ => {}
        }
    }

    /// Declares a name that a chain or a set pattern binds, unless the name has another declaration.
    pub fn bind(&mut self, ident: &Ident, kind: Kind) -> Option<&mut Symbol> {
        let is_declared = self.find(&ident.name).is_some()
            || self.suppressed_names.contains(&ident.name)
            || self.missing_in_case.contains_key(&ident.name);
        if is_declared {
            return None;
        }
        self.declare_name(ident, Some(kind), VarShape::Single, Origin::Pattern)
    }

    fn bind_node_names(&mut self, node: &EurekaNode) {
        for digit in &node.digits {
            self.bind(digit, Kind::Digit);
        }
        self.bind(&node.cell, Kind::Cell);
    }

    fn declare_chain(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::FixedChain(trail) => {
                for node in &trail.nodes {
                    self.bind_node_names(node);
                }
                for house in trail.links.iter().filter_map(|link| link.house.as_ref()) {
                    self.bind(house, Kind::House(HouseClass::Any));
                }
            }
            StatementKind::Chain(chain) => {
                for end in [&chain.from, &chain.to] {
                    match end {
                        EndPoint::At(node) => self.bind_node_names(node),
                        EndPoint::Candidate(ident) => {
                            if let Some(symbol) = self.bind(ident, Kind::Candidate) {
                                (symbol.shape, symbol.role) = (VarShape::Set, NameRole::Node);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// Returns the internal name for the negation of a literal. No name in a rule can contain a blank.
pub fn opposite_name(name: &str) -> String {
    format!("not {name}")
}

/// Returns the position of a name in the rule; for a name of a pattern, the position of the line that uses the pattern.
fn sort_key(expansions: &[Expansion], span: &Span) -> (usize, usize) {
    match expansion_of(span, expansions) {
        Some(expansion) => (expansion.use_span.start, span.start),
        None => (span.start, 0),
    }
}
