//! The names of one rule. In: declarations and uses. Out: what a name stands for, or that nobody declared it
//! and which one was meant.

use super::uses::Expansion;
use super::value::{Shape, TypedExpr, describe, kind_word};
use super::{ErrorReported, ItemScope, LowerResult};
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
    /// NameRole of the name besides its kind.
    pub role: NameRole,
    /// Kind of the index, for a family.
    pub index: Option<Kind>,
    /// Mentioned in a condition or definition other than its own.
    pub in_pattern: bool,
    /// Mentioned in a conclusion.
    pub in_conclusion: bool,
    /// Mentioned in the name or the sentence of a step.
    pub in_text: bool,
}

/// NameRole of a name besides its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameRole {
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MentionPlace {
    #[default]
    Pattern,
    Conclusion,
    Text,
}

/// One rule being checked: a technique in one of its cases, or a link source.
#[derive(Default)]
pub struct Lowering<'a> {
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
    /// A name that nothing mentions yet.
    pub fn new(name: String, span: Span, kind: Option<Kind>, shape: VarShape, origin: Origin) -> Symbol {
        let (in_pattern, in_conclusion, in_text) = (false, false, false);
        let (role, index) = (NameRole::Plain, None);
        Symbol { name, span, kind, shape, origin, role, index, in_pattern, in_conclusion, in_text }
    }

    /// Returns true for sets to which `has` and `lacks` apply as a whole.
    pub fn is_whole(&self) -> bool {
        matches!(self.role, NameRole::Als(_) | NameRole::Group)
    }

    /// Returns its kind in words, for messages: `a digit`, `cells`.
    pub fn what(&self) -> &'static str {
        describe(self.kind.unwrap_or(Kind::Cell), self.shape == VarShape::Single)
    }
}

impl<'a> Lowering<'a> {
    pub fn new(params: &'a [Param]) -> Self {
        Lowering { params, params_used: vec![false; params.len()], ..Lowering::default() }
    }

    /// Adds the expanded patterns, and the patterns and rule lists that the rule may name.
    pub fn among(mut self, expansions: Vec<Expansion>, known: &ItemScope<'a>) -> Self {
        (self.expansions, self.known) = (expansions, Some(*known));
        self
    }

    /// Notes a finding and returns an error.
    pub fn fail<T>(&mut self, diagnostic: Diagnostic) -> LowerResult<T> {
        self.note(diagnostic);
        Err(ErrorReported)
    }

    pub fn note(&mut self, diagnostic: Diagnostic) {
        if !self.trial {
            self.found.push(diagnostic);
        }
    }

    /// Runs a check as a trial, without findings or mentions.
    pub fn attempt<T>(&mut self, what: impl FnOnce(&mut Self) -> LowerResult<T>) -> Option<T> {
        let before = std::mem::replace(&mut self.trial, true);
        let result = what(self);
        self.trial = before;
        result.ok()
    }

    /// Finds the declaration that a name refers to here.
    pub fn find(&self, name: &str) -> Option<VarId> {
        let looped = self.loops.iter().rev().find(|id| self.symbols[id.0].name == name).copied();
        looped.or_else(|| self.position(|symbol| symbol.name == name && symbol.origin != Origin::Index))
    }

    /// Finds the running name that is declared at a place.
    pub fn index_at(&self, span: &Span) -> Option<VarId> {
        self.position(|symbol| symbol.origin == Origin::Index && symbol.span == *span)
    }

    /// Finds the name that a line introduces; an error if it was declared before, which was reported.
    pub fn introduced(&self, ident: &Ident) -> LowerResult<VarId> {
        self.position(|symbol| symbol.span == ident.span).ok_or(ErrorReported)
    }

    fn position(&self, wanted: impl FnMut(&Symbol) -> bool) -> Option<VarId> {
        self.symbols.iter().position(wanted).map(VarId)
    }

    /// Finds a declared name and notes that it is mentioned.
    pub fn mentioned(&mut self, ident: &Ident) -> LowerResult<VarId> {
        let Some(id) = self.find(&ident.name) else { return self.unknown(ident) };
        self.mention(id);
        Ok(id)
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
    pub fn name(&mut self, ident: &Ident) -> LowerResult<TypedExpr> {
        let span = ident.span.clone();
        if let Some(id) = self.find(&ident.name) {
            self.mention(id);
            let symbol = &self.symbols[id.0];
            let kind = symbol.kind.ok_or(ErrorReported)?;
            let shape = if symbol.shape == VarShape::Single { Shape::One } else { Shape::Many };
            if symbol.role == NameRole::Literal {
                return self.either_way(id, span);
            }
            let whole = symbol.is_whole() && symbol.shape == VarShape::Set;
            return Ok(TypedExpr { whole, ..TypedExpr::new(Expr::Var(id), kind, shape, span) });
        }
        if let Some(at) = self.params.iter().position(|param| param.name.name == ident.name) {
            self.params_used[at] = self.params_used[at] || !self.trial;
            return Ok(TypedExpr::new(Expr::Param(at), Kind::Number, Shape::One, span));
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
            Some((expr, kind)) => Ok(TypedExpr::new(expr, kind, Shape::Many, span)),
            None => self.unknown(ident),
        }
    }

    /// `eliminated`
    fn eliminated(&mut self, span: Span) -> LowerResult<TypedExpr> {
        if self.naming {
            return Ok(self.measured(Measure::Eliminated, Kind::Candidate, Shape::Many, span));
        }
        self.fail(KindProblem::EliminatedTooEarly.at(&span))
    }

    /// Reports a name that nobody declared.
    pub fn unknown<T>(&mut self, ident: &Ident) -> LowerResult<T> {
        let name = &ident.name;
        if self.doubtful.contains(name) {
            return Err(ErrorReported);
        }
        if words::is_cell_name(name) {
            self.report_fixed_cell(ident);
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
        let symbols: Vec<String> = self.visible().map(str::to_owned).chain(self.price_words()).collect();
        let sets = ["digits", "cells", "houses", "rows", "columns", "boxes", "lines"];
        let near = words::nearest(name, &symbols).or_else(|| words::nearest(name, sets));
        // Report an undeclared name once, however often it is used.
        if near.is_none() && !self.trial {
            self.doubtful.insert(name.clone());
        }
        let name = name.clone();
        self.fail(match self.pricing {
            Some(_) => NameProblem::UnknownInPrice { name, near, words: words::quoted(symbols) }.at(&span),
            None => NameProblem::Undeclared { name, near }.at(&span),
        })
    }

    /// Reports several undeclared names of a list at once, if none resembles another word. Returns true if it did.
    pub fn unknown_names(&mut self, noun: &Noun) -> bool {
        let mut unknown: Vec<&Ident> = Vec::new();
        for element in &noun.elements {
            if let ExprKind::Name(ident) = &element.left.kind
                && !self.is_known(&ident.name)
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
        let problem = NameProblem::UndeclaredNames { names: names.clone(), quoted: words::quoted(&names) };
        self.note(problem.at_places(&first, places));
        self.doubtful.extend(names);
        true
    }

    /// Returns true if a name or one like it is declared, or an error about it was or will be reported elsewhere.
    fn is_known(&self, name: &str) -> bool {
        self.find(name).is_some()
            || self.params.iter().any(|param| param.name.name == name)
            || self.doubtful.contains(name)
            || self.elsewhere.contains_key(name)
            || words::is_cell_name(name)
            || words::is_built_in(name)
            || words::nearest(name, self.visible()).is_some()
    }

    /// Lists the names that can be used at this place.
    fn visible(&self) -> impl Iterator<Item = &str> {
        let symbols = self.symbols.iter().enumerate();
        symbols
            .filter(|(at, symbol)| symbol.origin != Origin::Index || self.loops.contains(&VarId(*at)))
            .map(|(_, symbol)| symbol.name.as_str())
            .chain(self.params.iter().map(|param| param.name.name.as_str()))
    }

    /// Finds a name that must stand for one thing of a kind: the index of a family, or a name in a chain.
    pub fn single(&mut self, ident: &Ident, wanted: Kind, is_index: bool) -> LowerResult<VarId> {
        let id = self.mentioned(ident)?;
        let symbol = &self.symbols[id.0];
        let kind = symbol.kind.ok_or(ErrorReported)?;
        let fits = kind == wanted || matches!((kind, wanted), (Kind::House(_), Kind::House(HouseClass::Any)));
        if fits && symbol.shape == VarShape::Single {
            return Ok(id);
        }
        let (is, wanted) = (symbol.what(), describe(wanted, true));
        let (name, declared) = (ident.name.clone(), symbol.span.clone());
        self.fail(match is_index {
            true => RuleProblem::IndexKind { name, is, wanted }.at_both(&ident.span, &declared),
            false => ChainProblem::WrongName { name, is, wanted }.at_both(&ident.span, &declared),
        })
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

/// Lowers `digits`, `cells`, `rows` and so on with no argument: all of the board.
fn built_in(name: &str) -> Option<(Expr, Kind)> {
    match kind_word(name)? {
        (Kind::Digit, true) => Some((Expr::AllDigits, Kind::Digit)),
        (Kind::Cell, true) => Some((Expr::AllCells, Kind::Cell)),
        (kind @ Kind::House(class), true) => Some((Expr::AllHouses(class), kind)),
        _ => None,
    }
}
