//! The names of one rule: their declarations, and the declaration that each use of a name refers to. An undeclared name
//! becomes an error that suggests a similar name.

use super::expand::Expansion;
use super::typed_expr::{KindWord, Shape, TypedExpr, kind_of_word};
use super::{ErrorReported, ItemScope, LowerResult};
use crate::lang::ast::{Ident, Param, Span, TermList};
use crate::lang::codes::{ChainProblem, KindProblem, NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, HouseClass, Kind, Measure, Origin, Var, VarId, VarShape};
use crate::lang::words;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: String,
    /// Bytes of the declaration.
    pub span: Span,
    /// The kind; `None` until the kind is inferred, and always `None` after a declaration with an error.
    pub kind: Option<Kind>,
    pub shape: VarShape,
    pub origin: Origin,
    pub role: NameRole,
    /// Kind of the index, for a family.
    pub index_kind: Option<Kind>,
    /// The parts of the rule that mention the name in another line than the declaration.
    pub mentions: BTreeSet<MentionPlace>,
}

/// The role of a name besides its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRole {
    /// No special role.
    Plain,
    /// An almost locked set with this many digits more than cells, or a family of them.
    Als(u32),
    /// A group: one cell, or all unsolved cells that a box and a line share.
    Group,
    /// The set of candidates at an end of a chain of open length.
    Node,
    /// The candidates of a loop.
    Loop,
    /// The set that holds the candidate of a literal if the literal is true.
    Literal,
    /// The set that holds the candidate of a literal if the literal is false.
    Opposite,
}

/// The part of a rule that mentions a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum MentionPlace {
    /// A condition or definition.
    #[default]
    Pattern,
    Conclusion,
    /// A title or sentence.
    Text,
}

/// The state of lowering one case of a technique, a link source, a pattern or a price.
#[derive(Default)]
pub struct Lowering<'a> {
    pub params: &'a [Param],
    pub params_used: Vec<bool>,
    pub symbols: Vec<Symbol>,
    /// Loop variables of the enclosing loops, the innermost last.
    pub open_loops: Vec<VarId>,
    /// Names that are not reported as unknown: words of unreadable lines, and names whose declaration has an error.
    pub suppressed_names: BTreeSet<String>,
    /// Names that only other cases declare, each with the line of the current case.
    pub missing_in_case: BTreeMap<String, Span>,
    /// Diagnostics so far, in a cell, so that a diagnostic can be reported while a symbol is borrowed.
    pub diagnostics: RefCell<Vec<Diagnostic>>,
    /// The names that the current line declares. A name is not used by the line that declares it.
    pub names_of_binding: Vec<VarId>,
    pub mention_place: MentionPlace,
    /// Number of mentions of names in the current conclusion, without loop variables.
    pub mention_count: usize,
    /// The names of the almost locked sets and groups that earlier lines choose.
    pub chosen_sets: Vec<VarId>,
    /// The names that `guardians` lines define.
    pub guardians: Vec<VarId>,
    /// The patterns that `uses` lines have inserted.
    pub expansions: Vec<Expansion>,
    /// Patterns and rule lists that the rule may use; `None` for prices.
    pub scope: Option<ItemScope<'a>>,
    /// True in a price and in the condition of a `called` line.
    pub allows_measures: bool,
    /// The named expressions of the profile; `None` outside of prices.
    pub profile_names: Option<&'a BTreeMap<String, String>>,
    /// Measures used by the price or by `called` conditions.
    pub measures: Vec<Measure>,
    /// Literals that a supposition binds.
    pub supposed_literals: Vec<VarId>,
    /// For each statement of the body, the bytes of the line with the statement.
    pub statement_spans: Vec<Span>,
    /// For each conclusion, the bytes of the line with the conclusion.
    pub conclusion_spans: Vec<Span>,
    /// True during [`Lowering::try_silently`], which reports no diagnostics and counts no mentions.
    pub is_silent: bool,
}

impl Symbol {
    pub fn new(name: String, span: Span, kind: Option<Kind>, shape: VarShape, origin: Origin) -> Symbol {
        let role = NameRole::Plain;
        Symbol { name, span, kind, shape, origin, role, index_kind: None, mentions: BTreeSet::new() }
    }

    pub fn is_als_or_group(&self) -> bool {
        matches!(self.role, NameRole::Als(_) | NameRole::Group)
    }

    /// Returns the kind in words, for messages: `a digit`, `cells`.
    pub fn description(&self) -> &'static str {
        self.kind.unwrap_or(Kind::Cell).description(self.shape == VarShape::Single)
    }
}

impl<'a> Lowering<'a> {
    pub fn new(params: &'a [Param]) -> Self {
        Lowering { params, params_used: vec![false; params.len()], ..Lowering::default() }
    }

    /// Sets the expanded patterns, and the items that the rule may use.
    pub fn with_scope(mut self, expansions: Vec<Expansion>, scope: &ItemScope<'a>) -> Self {
        (self.expansions, self.scope) = (expansions, Some(*scope));
        self
    }

    /// Reports a diagnostic and returns an error.
    pub fn fail<T>(&self, diagnostic: Diagnostic) -> LowerResult<T> {
        self.report(diagnostic);
        Err(ErrorReported)
    }

    pub fn report(&self, diagnostic: Diagnostic) {
        if !self.is_silent {
            self.diagnostics.borrow_mut().push(diagnostic);
        }
    }

    /// Runs `lower` without reporting diagnostics or counting mentions.
    pub fn try_silently<T>(&mut self, lower: impl FnOnce(&mut Self) -> LowerResult<T>) -> Option<T> {
        let was_silent = std::mem::replace(&mut self.is_silent, true);
        let result = lower(self);
        self.is_silent = was_silent;
        result.ok()
    }

    /// Finds the declaration that a name refers to. A loop variable is visible only inside its loop.
    pub fn find(&self, name: &str) -> Option<VarId> {
        let loop_var = self.open_loops.iter().rev().find(|id| self.symbols[id.0].name == name);
        if loop_var.is_some() {
            return loop_var.copied();
        }
        self.position(|symbol| symbol.name == name && symbol.origin != Origin::Index)
    }

    /// Finds the loop variable that is declared at a place.
    pub fn loop_var_at(&self, span: &Span) -> LowerResult<VarId> {
        self.position(|symbol| symbol.origin == Origin::Index && symbol.span == *span).ok_or(ErrorReported)
    }

    /// Finds the name that a line declares. Fails if the declaration had an error.
    pub fn declared_var(&self, ident: &Ident) -> LowerResult<VarId> {
        self.position(|symbol| symbol.span == ident.span).ok_or(ErrorReported)
    }

    fn position(&self, predicate: impl FnMut(&Symbol) -> bool) -> Option<VarId> {
        self.symbols.iter().position(predicate).map(VarId)
    }

    /// Finds a declared name and counts the mention.
    pub fn mentioned_var(&mut self, ident: &Ident) -> LowerResult<VarId> {
        let Some(id) = self.find(&ident.name) else { return self.fail_unknown(ident) };
        self.count_mention(id);
        Ok(id)
    }

    pub fn count_mention(&mut self, id: VarId) {
        if self.is_silent {
            return;
        }
        let is_own_line = self.names_of_binding.contains(&id);
        let symbol = &mut self.symbols[id.0];
        if !is_own_line {
            symbol.mentions.insert(self.mention_place);
        }
        if symbol.origin != Origin::Index {
            self.mention_count += 1;
        }
    }

    /// Lowers an expression that consists of one name.
    pub fn name_value(&mut self, ident: &Ident) -> LowerResult<TypedExpr> {
        let span = ident.span.clone();
        if let Some(id) = self.find(&ident.name) {
            self.count_mention(id);
            let symbol = &self.symbols[id.0];
            let kind = symbol.kind.ok_or(ErrorReported)?;
            let shape = if symbol.shape == VarShape::Single { Shape::Single } else { Shape::Set };
            if symbol.role == NameRole::Literal {
                let candidate = self.literal(id).candidate();
                return Ok(TypedExpr::new(candidate, Kind::Candidate, Shape::Single, span));
            }
            let is_als_or_group = symbol.is_als_or_group() && symbol.shape == VarShape::Set;
            return Ok(TypedExpr { is_als_or_group, ..TypedExpr::new(Expr::Var(id), kind, shape, span) });
        }
        if let Some(index) = self.params.iter().position(|param| param.name.name == ident.name) {
            if !self.is_silent {
                self.params_used[index] = true;
            }
            return Ok(TypedExpr::new(Expr::Param(index), Kind::Number, Shape::Single, span));
        }
        if let Some(value) = self.match_value(&ident.name, &span) {
            return Ok(value);
        }
        if let Some(value) = self.profile_value(ident) {
            return value;
        }
        if ident.name == words::ELIMINATED {
            if !self.allows_measures {
                return self.fail(KindProblem::EliminatedTooEarly.at(&span));
            }
            return Ok(self.measured(Measure::Eliminated, Kind::Candidate, Shape::Set, span));
        }
        let Some(KindWord { kind, is_plural: true }) = kind_of_word(&ident.name) else {
            return self.fail_unknown(ident);
        };
        let all = match kind {
            Kind::Digit => Expr::AllDigits,
            Kind::Cell => Expr::AllCells,
            Kind::House(class) => Expr::AllHouses(class),
            Kind::Candidate | Kind::Number => return self.fail_unknown(ident),
        };
        Ok(TypedExpr::new(all, kind, Shape::Set, span))
    }

    /// Reports an undeclared name, unless another diagnostic is about the name. Returns an error.
    pub fn fail_unknown<T>(&mut self, ident: &Ident) -> LowerResult<T> {
        let name = &ident.name;
        if self.suppressed_names.contains(name) {
            return Err(ErrorReported);
        }
        if words::is_cell_name(name) {
            self.report_fixed_cell(ident);
            self.suppressed_names.insert(name.clone());
            return Err(ErrorReported);
        }
        if let Some(case) = self.missing_in_case.get(name) {
            return self.fail(RuleProblem::MissingInCase { name: name.clone() }.at_both(&ident.span, case));
        }
        if words::is_built_in(name) {
            let is_function = words::FUNCTIONS.contains(&name.as_str());
            return self.fail(NameProblem::KindAlone { name: name.clone(), is_function }.at(&ident.span));
        }
        let visible: Vec<String> = self.visible().map(str::to_owned).chain(self.price_words()).collect();
        let sets = ["digits", "cells", "houses", "rows", "columns", "boxes", "lines"];
        let near = words::nearest(name, &visible).or_else(|| words::nearest(name, sets));
        // Report an undeclared name once, however often it is used.
        if near.is_none() && !self.is_silent {
            self.suppressed_names.insert(name.clone());
        }
        let name = name.clone();
        let problem = match self.profile_names {
            Some(_) => NameProblem::UnknownInPrice { name, near, words: words::quoted(visible) },
            None => NameProblem::Undeclared { name, near },
        };
        self.fail(problem.at(&ident.span))
    }

    /// Reports the undeclared names of a list in one diagnostic. Skips names that resemble a declared name. Returns
    /// true if at least two names were reported.
    pub fn report_unknown_names(&mut self, list: &TermList) -> bool {
        let mut unknown: Vec<&Ident> = Vec::new();
        for ident in list.terms.iter().filter_map(|term| term.expr.as_name()) {
            if !self.is_known(&ident.name) && unknown.iter().all(|other| other.name != ident.name) {
                unknown.push(ident);
            }
        }
        if self.is_silent || self.allows_measures || self.profile_names.is_some() || unknown.len() < 2 {
            return false;
        }
        let names: Vec<String> = unknown.iter().map(|ident| ident.name.clone()).collect();
        let further = unknown[1..].iter().map(|ident| ident.span.clone());
        let problem = NameProblem::UndeclaredNames { names: names.clone(), quoted: words::quoted(&names) };
        self.report(problem.at_spans(&unknown[0].span, further));
        self.suppressed_names.extend(names);
        true
    }

    /// Returns true if the name or a similar name is declared, or if another diagnostic reports the name.
    fn is_known(&self, name: &str) -> bool {
        self.find(name).is_some()
            || self.params.iter().any(|param| param.name.name == name)
            || self.suppressed_names.contains(name)
            || self.missing_in_case.contains_key(name)
            || words::is_cell_name(name)
            || words::is_built_in(name)
            || words::nearest(name, self.visible()).is_some()
    }

    /// Returns the names that can be used at the current position.
    fn visible(&self) -> impl Iterator<Item = &str> {
        let symbols = self.symbols.iter().enumerate();
        symbols
            .filter(|(index, symbol)| symbol.origin != Origin::Index || self.open_loops.contains(&VarId(*index)))
            .map(|(_, symbol)| symbol.name.as_str())
            .chain(self.params.iter().map(|param| param.name.name.as_str()))
    }

    /// Finds a name in a chain. The name must be single and of the kind `wanted`.
    pub fn chain_name(&mut self, ident: &Ident, wanted: Kind) -> LowerResult<VarId> {
        self.single_name(ident, wanted, |name, actual, wanted| ChainProblem::WrongName { name, actual, wanted })
    }

    /// Finds a name that must be single and of the kind `wanted`. Reports any other name: `problem` gets the name, its
    /// kind and the wanted kind.
    pub fn single_name<P: Problem>(
        &mut self,
        ident: &Ident,
        wanted: Kind,
        problem: impl FnOnce(String, &'static str, &'static str) -> P,
    ) -> LowerResult<VarId> {
        let id = self.mentioned_var(ident)?;
        let symbol = &self.symbols[id.0];
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let fits = kind == wanted || matches!((kind, wanted), (Kind::House(_), Kind::House(HouseClass::Any)));
        if fits && symbol.shape == VarShape::Single {
            return Ok(id);
        }
        let problem = problem(ident.name.clone(), symbol.description(), wanted.description(true));
        self.fail(problem.at_both(&ident.span, &symbol.span))
    }

    /// Returns the declarations in the form of the IR.
    pub fn vars(&self) -> Vec<Var> {
        let vars = self.symbols.iter().map(|symbol| Var {
            name: symbol.name.clone(),
            kind: symbol.kind.unwrap_or(Kind::Cell),
            shape: symbol.shape,
            origin: symbol.origin,
        });
        vars.collect()
    }
}
