//! Lowers conditions. An expression that is not a condition becomes an error that suggests the nearest valid form.

use super::names::Lowering;
use super::typed_expr::{KindWord, Shape, TypedExpr, common_kind, kind_of_word};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Clause, Determiner, ExprKind, ForClause, Predicate, Span, Term, TermList};
use crate::lang::codes::{KindProblem, NameProblem, Problem, RuleProblem};
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Measure, PredicateId, Quantifier, VarId};
use crate::lang::words;

pub type DeterminerWord = (Determiner, Span);

impl Lowering<'_> {
    pub fn condition(&mut self, condition: &ast::Condition) -> LowerResult<Condition> {
        match condition {
            ast::Condition::And(parts) => Ok(Condition::And(self.check_all(parts, Self::condition)?)),
            ast::Condition::Or(parts) => Ok(Condition::Or(self.check_all(parts, Self::condition)?)),
            ast::Condition::Not(inner, _) => Ok(Condition::Not(Box::new(self.condition(inner)?))),
            ast::Condition::Mixed(and, or) => self.fail_mixed(and, or),
            ast::Condition::LinkedBy(determiner, source) => self.linked_by(determiner, source),
            ast::Condition::GivensAllow(candidates) => self.givens_allow(candidates),
            ast::Condition::Clause(clause) => self.clause(clause),
        }
    }

    /// Lowers `some link by group`. The links are known only after the search, so the condition becomes a measure (a value
    /// of a finished match): 1 for a match with such a link, else 0. The measure is compared with 1, or with 0 for
    /// `no link by group`.
    fn linked_by(&mut self, (determiner, span): &DeterminerWord, source: &ast::Ident) -> LowerResult<Condition> {
        if !self.allows_measures {
            return self.fail(KindProblem::LinksTooEarly.at(&(span.start..source.span.end)));
        }
        let quantifier = if *determiner == Determiner::Every { Quantifier::Every } else { Quantifier::Some };
        let measure = Measure::LinkedBy(quantifier, source.name.clone());
        let actual = self.measured(measure, Kind::Number, Shape::Single, span.clone()).expr;
        let wanted = u32::from(*determiner != Determiner::No);
        Ok(Condition::Compare(actual, Comparison::Equal, Expr::Number(wanted)))
    }

    /// Lowers `CONDITION for d in D for e in E`. The first `for` is the outermost loop.
    pub fn quantified(&mut self, condition: &ast::Condition, clauses: &[ForClause]) -> LowerResult<Condition> {
        let Some((clause, inner_clauses)) = clauses.split_first() else { return self.condition(condition) };
        let set = self.for_clause(clause, &[]);
        // If the set has an error, the condition is checked nevertheless.
        let loop_var = self.loop_var_at(&clause.loop_var.span).ok();
        let inner = self.in_loop(loop_var, |lowering| lowering.quantified(condition, inner_clauses));
        let (id, set) = set?;
        let inner = Box::new(inner?);
        Ok(match clause.determiner {
            None | Some((Determiner::Every, _)) => Condition::ForAll(id, set, inner),
            Some((Determiner::Some, _)) => Condition::Exists(id, set, inner),
            Some((Determiner::No, _)) => Condition::Not(Box::new(Condition::Exists(id, set, inner))),
        })
    }

    /// Reports a loop variable with the name of an enclosing loop's variable.
    pub fn refuse_shadowing(&self, loop_var: &ast::Ident) -> LowerResult<()> {
        let mut outer = self.open_loops.iter().map(|id| &self.symbols[id.0]);
        let Some(symbol) = outer.find(|symbol| symbol.name == loop_var.name) else { return Ok(()) };
        self.fail(NameProblem::NameOfOuterLoop { name: loop_var.name.clone() }.at_both(&loop_var.span, &symbol.span))
    }

    /// Lowers a `for` clause to its loop variable and its set. The kind of the set must be one of `kinds`. In a condition,
    /// `kinds` is empty: any set is allowed, and so are `every`, `some` and `no`.
    pub fn for_clause(&mut self, clause: &ForClause, kinds: &[Kind]) -> LowerResult<(VarId, Expr)> {
        let set = self.expr(&clause.set);
        let id = self.loop_var_at(&clause.loop_var.span)?;
        let set = set?;
        // The loop variable gets its kind once the set is accepted. Without a kind, its uses report no further errors.
        self.symbols[id.0].kind = None;
        if kinds.is_empty() || kinds.contains(&Kind::Cell) {
            self.refuse_loop_over_converted_houses(&set, &clause.loop_var)?;
        }
        self.refuse_shadowing(&clause.loop_var)?;
        let is_allowed_kind = if kinds.is_empty() { set.kind != Kind::Number } else { kinds.contains(&set.kind) };
        if !is_allowed_kind {
            let is_set = set.kind != Kind::Number;
            let problem = RuleProblem::ForOver { kind_count: kinds.len(), actual: set.description(), is_set };
            return self.fail(problem.at(&set.span));
        }
        if let Some((_, span)) = &clause.determiner
            && !kinds.is_empty()
        {
            return self.fail(KindProblem::WordInLoop.at(span));
        }
        self.symbols[id.0].kind = Some(set.kind);
        Ok((id, set.expr))
    }

    /// Runs `lower` with `loop_var` in scope. Without a loop variable, runs `lower` in the unchanged scope.
    pub fn in_loop<T>(&mut self, loop_var: Option<VarId>, lower: impl FnOnce(&mut Self) -> T) -> T {
        self.open_loops.extend(loop_var);
        let result = lower(self);
        if loop_var.is_some() {
            self.open_loops.pop();
        }
        result
    }

    fn clause(&mut self, clause: &Clause) -> LowerResult<Condition> {
        let Some(predicate) = &clause.predicate else { return self.bare_clause(clause) };
        if let (Predicate::Compare(comparison, right), None) = (predicate, &clause.determiner) {
            return self.comparison(clause, *comparison, right);
        }
        let Ok(subject) = self.term_list(&clause.subject) else {
            self.report_errors_of_predicate(predicate);
            return Err(ErrorReported);
        };
        self.predicate(&subject, clause.determiner.as_ref(), predicate)
    }

    /// Reports the errors on the right side of a predicate.
    fn report_errors_of_predicate(&mut self, predicate: &Predicate) {
        // Lowering reports the errors; its result is not needed.
        let _ = match predicate {
            Predicate::Compare(_, term) | Predicate::Within(term) | Predicate::Disjoint(term) => {
                self.term(term).map(drop)
            }
            Predicate::Relation { object: Some(object), .. } => self.term_list(object).map(drop),
            Predicate::ClosedBetween(first, second) => {
                self.check_all(&[first, second], |lowering, line| lowering.expr(line)).map(drop)
            }
            _ => Ok(()),
        };
    }

    /// Lowers a clause without a predicate: `some z in A`, `no G`, `z in digits(s)`, `( … )`.
    fn bare_clause(&mut self, clause: &Clause) -> LowerResult<Condition> {
        if let Some((determiner, span)) = &clause.determiner {
            let value = self.term_list(&clause.subject)?;
            if value.kind == Kind::Number {
                return self.fail(KindProblem::SomeOfNumber.at(&value.span));
            }
            self.refuse_determiner_of_single(&value, span)?;
            return match determiner {
                Determiner::Some => Ok(Condition::NotEmpty(value.expr)),
                Determiner::No => Ok(Condition::No(value.expr)),
                Determiner::Every => self.fail(KindProblem::EveryAlone.at(&clause.span)),
            };
        }
        match clause.subject.terms.as_slice() {
            [Term { expr: ast::Expr { kind: ExprKind::Paren(inner), .. }, place: None, .. }] => {
                return self.condition(inner);
            }
            [earlier @ .., Term { place: Some(place), .. }] if earlier.iter().all(|term| term.place.is_none()) => {
                return self.membership_clause(clause, place);
            }
            _ => {}
        }
        let value = self.term_list(&clause.subject)?;
        self.fail(KindProblem::NoCondition { actual: value.description(), kind: value.kind }.at(&clause.span))
    }

    /// Lowers `x, y in P` as a condition.
    fn membership_clause(&mut self, clause: &Clause, place: &ast::Expr) -> LowerResult<Condition> {
        let members = self.check_all(&clause.subject.terms, |lowering, term| lowering.expr(&term.expr));
        self.refuse_house_kind(place)?;
        let place = self.expr(place);
        let (members, place) = (members?, place?);
        let span = clause.span.start..members.last().map_or(clause.span.end, |last| last.span.end);
        let members = self.union(members, span)?;
        // `z in A` alone is a set of candidates, neither true nor false.
        if members.kind == Kind::Digit && (place.kind == Kind::Cell || place.is_house()) {
            return self.fail(KindProblem::BareCandidates.at(&clause.span));
        }
        self.membership(&members, &place)
    }

    /// Reports `in house`, which should be `in one house`.
    pub fn refuse_house_kind(&self, place: &ast::Expr) -> LowerResult<()> {
        let Some(word) = place.as_name() else { return Ok(()) };
        match kind_of_word(&word.name) {
            Some(KindWord { kind: Kind::House(_), is_plural: false }) if self.find(&word.name).is_none() => {
                self.fail(NameProblem::HouseKindAlone { name: word.name.clone() }.at(&word.span))
            }
            _ => Ok(()),
        }
    }

    pub fn membership(&self, left: &TypedExpr, place: &TypedExpr) -> LowerResult<Condition> {
        // The members of a house are cells, not digits, so `d: digit in A` is an error.
        if left.kind == Kind::Digit && (place.kind == Kind::Cell || place.is_house()) {
            let problem = KindProblem::DigitInPlace { actual: left.description(), place: place.description() };
            return self.fail(problem.at(&place.span));
        }
        let (left, right) = self.same_kind_sides(left, place, "`in`")?;
        Ok(Condition::Within(left, right))
    }

    /// Returns both sides as sets of one kind. The error about two sides without a common kind names `operator`.
    pub fn same_kind_sides(
        &self,
        left: &TypedExpr,
        right: &TypedExpr,
        operator: &'static str,
    ) -> LowerResult<(Expr, Expr)> {
        let sides = match (left.kind, right.kind) {
            // Numbers are no sets.
            (Kind::Number, _) | (_, Kind::Number) => None,
            // Sets of one kind stay as they are. So does a single house compared with a set of houses: it is a member of
            // the set. Two single houses are compared by their cells, below.
            (a, b) if common_kind(a, b).is_some() && (!left.is_house() || right.shape == Shape::Set) => {
                Some((left.expr.clone(), right.expr.clone()))
            }
            // Digits have no cells.
            (Kind::Digit, _) | (_, Kind::Digit) => None,
            // Candidates on the left side are compared with cells and houses by their cells.
            (Kind::Candidate, _) => left.cells_or_candidate_cells().zip(right.cells_or_candidate_cells()),
            // Cells and houses are compared by their cells.
            _ => left.cells().zip(right.cells()),
        };
        if let Some(sides) = sides {
            return Ok(sides);
        }
        let left_kind = left.description();
        let right_kind = right.description();
        let problem = KindProblem::MixedComparison { operator, left: left_kind, right: right_kind };
        let help = super::expr::kind_help(left.kind, right.kind);
        self.fail(problem.at_both(&right.span, &left.span).help_if(help))
    }

    fn comparison(&mut self, clause: &Clause, comparison: Comparison, right: &Term) -> LowerResult<Condition> {
        let left = self.term_list(&clause.subject);
        if let (Comparison::Equal, ExprKind::Set(members), None) = (comparison, &right.expr.kind, &right.place) {
            return self.set_pattern(left, members, &right.span);
        }
        let right = self.term(right);
        self.compare(left?, comparison, right?)
    }

    pub fn compare(&self, left: TypedExpr, comparison: Comparison, right: TypedExpr) -> LowerResult<Condition> {
        if left.kind == Kind::Number && right.kind == Kind::Number {
            return Ok(Condition::Compare(left.expr, comparison, right.expr));
        }
        if left.kind == Kind::Number || right.kind == Kind::Number {
            let (number, set) = if left.kind == Kind::Number { (left, right) } else { (right, left) };
            let problem = KindProblem::NumberComparedWithSet { actual: set.description() };
            return self.fail(problem.at_both(&set.span, &number.span));
        }
        if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
            return self.fail(KindProblem::SetsOrdered.at(&(left.span.start..right.span.end)));
        }
        let (left, right) = self.same_kind_sides(&left, &right, "`=`")?;
        let equal = Condition::Equal(left, right);
        Ok(if comparison == Comparison::Equal { equal } else { Condition::Not(Box::new(equal)) })
    }

    pub fn term(&mut self, term: &Term) -> LowerResult<TypedExpr> {
        self.term_list(&TermList { span: term.span.clone(), terms: vec![term.clone()] })
    }

    pub fn predicate(
        &mut self,
        subject: &TypedExpr,
        determiner: Option<&DeterminerWord>,
        predicate: &Predicate,
    ) -> LowerResult<Condition> {
        if let Some((word, span)) = determiner {
            let is_allowed = match predicate {
                Predicate::Relation { .. } => true,
                // `every S within A` means the same as `S within A`.
                Predicate::Within(_) | Predicate::Disjoint(_) => *word == Determiner::Every,
                _ => false,
            };
            if !is_allowed {
                return self.fail(KindProblem::WordBeforeWhole.at(span));
            }
        }
        match predicate {
            Predicate::Relation { relation, word, determiner: second, object } => {
                self.relation(subject, determiner, (*relation, word), second.as_ref(), object.as_ref())
            }
            Predicate::Closed => {
                self.require_set(subject, "`closed` needs a set of cells")?;
                Ok(PredicateId::Closed.applied_to(vec![self.require_cells(subject, "the left side of `closed`")?]))
            }
            Predicate::ClosedBetween(first, second) => self.closed_between(subject, first, second),
            Predicate::Within(right) => {
                let right = self.term(right)?;
                let (left, right) = self.same_kind_sides(subject, &right, "`within`")?;
                Ok(Condition::Within(left, right))
            }
            Predicate::Disjoint(right) => {
                let right = self.term(right)?;
                self.disjoint_sets(subject, &right)
            }
            Predicate::Compare(comparison, right) => {
                let right = self.term(right)?;
                self.compare(subject.clone(), *comparison, right)
            }
            Predicate::InOneHouse(class) => self.in_one_house(subject, class),
            Predicate::Connected(span) => {
                if subject.shape == Shape::Single {
                    return self.fail(KindProblem::OneThing { needs: "`connected` needs a set of cells" }.at(span));
                }
                Ok(Condition::Connected(self.require_cells(subject, "the left side of `connected`")?))
            }
        }
    }

    fn in_one_house(&self, subject: &TypedExpr, class: &ast::Ident) -> LowerResult<Condition> {
        let word = class.name.as_str();
        let Some(KindWord { kind: Kind::House(class), is_plural: false }) = kind_of_word(word) else {
            let near = words::nearest(word, ["house", "row", "column", "box", "line"]);
            return self.fail(NameProblem::UnknownHouseKind { word: word.to_owned(), near }.at(&class.span));
        };
        if subject.shape == Shape::Single {
            return self.fail(KindProblem::OneInOneHouse.at(&subject.span));
        }
        let cells = self.require_cells_or_candidates(subject, &format!("the left side of `in one {word}`"))?;
        Ok(PredicateId::InOneHouse(class).applied_to(vec![cells]))
    }
}
