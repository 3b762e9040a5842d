//! The names of one rule. In: declarations and uses. Out: what a name stands for, or that nobody declared it
//! and which one was meant.

use super::uses::Expansion;
use super::value::{Shape, Value};
use super::{Checked, ErrorReported, ItemScope};
use crate::lang::ast::{ExprKind, Ident, Noun, Param, Span};
use crate::lang::codes::{ChainProblem, KindProblem, NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, HouseClass, Kind, Measure, Origin, Var, VarId, VarShape};
use crate::lang::words;
use std::collections::{BTreeMap, BTreeSet};

/// A declared name.
#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: String,
    pub span: Span,
    /// `None` until it is found, and for ever if the declaration is wrong.
    pub kind: Option<Kind>,
    pub shape: VarShape,
    pub origin: Origin,
    /// Role of the name besides its kind.
    pub role: Role,
    /// Kind of the index, for a family.
    pub index: Option<Kind>,
    /// Mentioned in a condition or definition other than its own.
    pub in_pattern: bool,
    /// Mentioned in a conclusion.
    pub in_conclusion: bool,
    /// Mentioned in the name or the sentence of a step.
    pub in_text: bool,
}

/// Role of a name besides its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// No special role.
    Plain,
    /// An almost locked set with this many digits more than cells, or a family of them.
    Als(u32),
    /// A group: one cell, or all unsolved cells that a box and a line share.
    Group,
    /// The candidates of a node at an end of a chain.
    Node,
    /// The candidates of a loop.
    Loop,
    /// A literal: the set holds its candidate if the literal is true.
    Literal,
    /// The other half of a literal: the set holds its candidate if the literal is false.
    Opposite,
}

/// Part of the rule in which a name is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MentionPlace {
    Pattern,
    Conclusion,
    Text,
}

/// One rule being checked: a technique in one of its cases, or a link source.
pub struct Rule<'a> {
    pub params: &'a [Param],
    pub params_used: Vec<bool>,
    pub symbols: Vec<Symbol>,
    /// Names of the loops around the place that is being checked.
    pub loops: Vec<VarId>,
    /// Words of unreadable lines, which may be names: nothing is reported about them.
    pub doubtful: BTreeSet<String>,
    /// Names that other cases declare, and the titles of these cases.
    pub elsewhere: BTreeMap<String, Span>,
    pub found: Vec<Diagnostic>,
    /// The names being declared now: a mention in their own line does not count as a use.
    pub own: Vec<VarId>,
    pub place: MentionPlace,
    /// Number of declared names that the conclusion being checked mentions.
    pub mentions: usize,
    /// The almost locked sets and groups chosen so far, each by its name.
    pub wholes: Vec<VarId>,
    /// Guardians: sets of candidates that the conclusion excludes from the pattern.
    pub guardians: Vec<VarId>,
    /// The patterns whose lines stand among those of the rule.
    pub expansions: Vec<Expansion>,
    /// Patterns and rule lists that the rule may name.
    pub known: Option<ItemScope<'a>>,
    /// True within the condition of a step name (`called … when`).
    pub naming: bool,
    /// Named expressions of the profile, within a price.
    pub pricing: Option<&'a BTreeMap<String, String>>,
    /// Measures that the names or the price of a step ask for.
    pub measures: Vec<Measure>,
    /// Literals that a supposition gives a value.
    pub literals: Vec<VarId>,
    /// The line that each statement of the body comes from.
    pub places: Vec<Span>,
    /// The line that each conclusion comes from.
    pub concluding: Vec<Span>,
    /// True during a trial: nothing is reported and no mention counts.
    pub trial: bool,
}

impl Symbol {
    /// Returns true for sets to which `has` and `lacks` apply as a whole.
    pub fn is_whole(&self) -> bool {
        matches!(self.role, Role::Als(_) | Role::Group)
    }
}

impl<'a> Rule<'a> {
    pub fn new(params: &'a [Param]) -> Self {
        Rule {
            params,
            params_used: vec![false; params.len()],
            symbols: Vec::new(),
            loops: Vec::new(),
            doubtful: BTreeSet::new(),
            elsewhere: BTreeMap::new(),
            found: Vec::new(),
            own: Vec::new(),
            place: MentionPlace::Pattern,
            mentions: 0,
            wholes: Vec::new(),
            guardians: Vec::new(),
            expansions: Vec::new(),
            known: None,
            naming: false,
            pricing: None,
            measures: Vec::new(),
            literals: Vec::new(),
            places: Vec::new(),
            concluding: Vec::new(),
            trial: false,
        }
    }

    /// Adds the expanded patterns, and the patterns and rule lists that the rule may name.
    pub fn among(mut self, expansions: Vec<Expansion>, known: &ItemScope<'a>) -> Self {
        (self.expansions, self.known) = (expansions, Some(*known));
        self
    }

    /// Notes a finding and returns an error.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> Checked<T> {
        self.note(diagnostic);
        Err(ErrorReported)
    }

    pub fn note(&mut self, diagnostic: Diagnostic) {
        if !self.trial {
            self.found.push(diagnostic);
        }
    }

    /// Runs a check as a trial, without findings or mentions.
    pub fn attempt<T>(&mut self, what: impl FnOnce(&mut Self) -> Checked<T>) -> Option<T> {
        let before = std::mem::replace(&mut self.trial, true);
        let result = what(self);
        self.trial = before;
        result.ok()
    }

    /// Finds the declaration that a name refers to here.
    pub fn find(&self, name: &str) -> Option<VarId> {
        let looped = self.loops.iter().rev().find(|id| self.symbols[id.0].name == name);
        looped.copied().or_else(|| {
            let declared = |symbol: &Symbol| symbol.name == name && symbol.origin != Origin::Index;
            self.symbols.iter().position(declared).map(VarId)
        })
    }

    /// Finds the running name that is declared at a place.
    pub fn index_at(&self, span: &Span) -> Option<VarId> {
        self.symbols.iter().position(|symbol| symbol.origin == Origin::Index && symbol.span == *span).map(VarId)
    }

    pub fn mention(&mut self, id: VarId) {
        if self.trial {
            return;
        }
        let own = self.own.contains(&id);
        let (place, symbol) = (self.place, &mut self.symbols[id.0]);
        match place {
            _ if own => {}
            MentionPlace::Pattern => symbol.in_pattern = true,
            MentionPlace::Conclusion => symbol.in_conclusion = true,
            MentionPlace::Text => symbol.in_text = true,
        }
        if symbol.origin != Origin::Index {
            self.mentions += 1;
        }
    }

    /// Lowers an expression that consists of one name.
    pub fn name(&mut self, ident: &Ident) -> Checked<Value> {
        let span = ident.span.clone();
        if let Some(id) = self.find(&ident.name) {
            self.mention(id);
            let symbol = &self.symbols[id.0];
            let Some(kind) = symbol.kind else { return Err(ErrorReported) };
            let shape = if symbol.shape == VarShape::Single { Shape::One } else { Shape::Many };
            if symbol.role == Role::Literal {
                return self.either_way(id, span);
            }
            let whole = symbol.is_whole() && symbol.shape == VarShape::Set;
            return Ok(Value { whole, ..Value::new(Expr::Var(id), kind, shape, span) });
        }
        if let Some(at) = self.params.iter().position(|param| param.name.name == ident.name) {
            self.params_used[at] = self.params_used[at] || !self.trial;
            return Ok(Value::new(Expr::Param(at), Kind::Number, Shape::One, span));
        }
        if let Some(value) = self.of_the_match(&ident.name, &span) {
            return Ok(value);
        }
        if let Some(value) = self.named_in_profile(ident) {
            return value;
        }
        if ident.name == words::ELIMINATED {
            return self.eliminated(span);
        }
        match built_in(&ident.name) {
            Some((expr, kind)) => Ok(Value::new(expr, kind, Shape::Many, span)),
            None => self.unknown(ident),
        }
    }

    /// `eliminated`
    fn eliminated(&mut self, span: Span) -> Checked<Value> {
        if self.naming {
            return Ok(self.measured(Measure::Eliminated, Kind::Candidate, Shape::Many, span));
        }
        self.fail(KindProblem::EliminatedTooEarly.at(&span))
    }

    /// Reports a name that nobody declared.
    pub fn unknown<T>(&mut self, ident: &Ident) -> Checked<T> {
        let name = &ident.name;
        if self.doubtful.contains(name) {
            return Err(ErrorReported);
        }
        if words::is_place(name) {
            self.fixed_cell(ident);
            self.doubtful.insert(name.clone());
            return Err(ErrorReported);
        }
        let span = ident.span.clone();
        if let Some(case) = self.elsewhere.get(name).cloned() {
            return self.fail(RuleProblem::MissingInCase { name: name.clone() }.at_both(&span, &case));
        }
        if words::is_built_in(name) {
            let function = words::FUNCTIONS.contains(&name.as_str());
            return self.fail(NameProblem::KindAlone { name: name.clone(), function }.at(&span));
        }
        let symbols: Vec<String> = self.visible().into_iter().chain(self.price_words()).collect();
        let near = words::nearest(name, symbols.iter().map(String::as_str));
        let built = || words::nearest(name, ["digits", "cells", "houses", "rows", "columns", "boxes", "lines"]);
        let near = near.or_else(built);
        // Report an undeclared name once, however often it is used.
        if near.is_none() && !self.trial {
            self.doubtful.insert(name.clone());
        }
        let (name, near) = (name.clone(), near.map(str::to_owned));
        self.fail(match self.pricing {
            Some(_) => NameProblem::UnknownInPrice { name, near, words: quoted(&symbols) }.at(&span),
            None => NameProblem::Undeclared { name, near }.at(&span),
        })
    }

    /// Reports several undeclared names of a list at once, if none resembles another word. Returns true if it did.
    pub fn unknown_names(&mut self, noun: &Noun) -> bool {
        let known = |rule: &Self, name: &str| {
            rule.find(name).is_some()
                || rule.params.iter().any(|param| param.name.name == name)
                || rule.doubtful.contains(name)
                || rule.elsewhere.contains_key(name)
                || words::is_place(name)
                || words::is_built_in(name)
                || words::nearest(name, rule.visible().iter().map(String::as_str)).is_some()
        };
        let mut unknown: Vec<&Ident> = Vec::new();
        for element in &noun.elements {
            if let ExprKind::Name(ident) = &element.left.kind
                && !known(self, &ident.name)
                && unknown.iter().all(|other| other.name != ident.name)
            {
                unknown.push(ident);
            }
        }
        if self.trial || self.naming || self.pricing.is_some() || unknown.len() < 2 {
            return false;
        }
        let names: Vec<String> = unknown.iter().map(|ident| ident.name.clone()).collect();
        let mut places = unknown.iter().map(|ident| ident.span.clone());
        let first = places.next().unwrap_or(noun.span.clone());
        let problem = NameProblem::UndeclaredNames { names: names.clone(), quoted: quoted(&names) };
        self.note(problem.at_places(&first, places));
        self.doubtful.extend(names);
        true
    }

    /// Lists the names that can be used at this place.
    fn visible(&self) -> Vec<String> {
        let outside =
            |(at, symbol): &(usize, &Symbol)| symbol.origin != Origin::Index || self.loops.contains(&VarId(*at));
        let symbols = self.symbols.iter().enumerate().filter(outside).map(|(_, symbol)| symbol.name.clone());
        symbols.chain(self.params.iter().map(|param| param.name.name.clone())).collect()
    }

    /// Finds a name that must stand for one thing of a kind: the index of a family, or a name in a chain.
    pub fn single(&mut self, ident: &Ident, wanted: Kind, is_index: bool) -> Checked<VarId> {
        let Some(id) = self.find(&ident.name) else { return self.unknown(ident) };
        self.mention(id);
        let symbol = &self.symbols[id.0];
        let Some(kind) = symbol.kind else { return Err(ErrorReported) };
        let fits = kind == wanted || matches!((kind, wanted), (Kind::House(_), Kind::House(HouseClass::Any)));
        if fits && symbol.shape == VarShape::Single {
            return Ok(id);
        }
        let is = super::value::describe(kind, symbol.shape == VarShape::Single);
        let wanted = super::value::describe(wanted, true);
        let (name, declared) = (ident.name.clone(), symbol.span.clone());
        self.fail(match is_index {
            true => RuleProblem::IndexKind { name, is, wanted }.at_both(&ident.span, &declared),
            false => ChainProblem::WrongName { name, is, wanted }.at_both(&ident.span, &declared),
        })
    }

    /// Returns the declarations in the form of the IR.
    pub fn vars(&self) -> Vec<Var> {
        let var = |symbol: &Symbol| Var {
            name: symbol.name.clone(),
            kind: symbol.kind.unwrap_or(Kind::Cell),
            shape: symbol.shape,
            origin: symbol.origin,
        };
        self.symbols.iter().map(var).collect()
    }
}

fn quoted(names: &[String]) -> Vec<String> {
    names.iter().map(|name| format!("`{name}`")).collect()
}

/// Lowers `digits`, `cells`, `rows` and so on with no argument: all of the board.
fn built_in(name: &str) -> Option<(Expr, Kind)> {
    match super::value::kind_word(name)? {
        (Kind::Digit, true) => Some((Expr::AllDigits, Kind::Digit)),
        (Kind::Cell, true) => Some((Expr::AllCells, Kind::Cell)),
        (kind @ Kind::House(class), true) => Some((Expr::AllHouses(class), kind)),
        _ => None,
    }
}
