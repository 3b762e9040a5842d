//! Conditions. In: syntax trees of conditions. Out: checked conditions, or an error that names the nearest valid form.

use super::names::Lowering;
use super::value::{Shape, TypedExpr, common, kind_word};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Clause, Determiner, Each, Element, ExprKind, Predicate, Span};
use crate::lang::codes::{KindProblem, NameProblem, Problem, RuleProblem};
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Measure, PredicateId, Quantifier, VarId};
use crate::lang::words;

impl Lowering<'_> {
    pub fn condition(&mut self, condition: &ast::Condition) -> LowerResult<Condition> {
        match condition {
            ast::Condition::And(parts) => Ok(Condition::And(self.each_of(parts, Self::condition)?)),
            ast::Condition::Or(parts) => Ok(Condition::Or(self.each_of(parts, Self::condition)?)),
            ast::Condition::Not(inner, _) => Ok(Condition::Not(Box::new(self.condition(inner)?))),
            ast::Condition::Mixed(and, or) => self.mixed(and, or),
            ast::Condition::LinkedBy(how, source) => self.linked_by(how, source),
            ast::Condition::GivensAllow(candidates) => self.givens_allow(candidates),
            ast::Condition::Clause(clause) => self.clause(clause),
        }
    }

    /// `some link by group`
    fn linked_by(&mut self, (how, place): &(Determiner, Span), source: &ast::Ident) -> LowerResult<Condition> {
        if !self.naming {
            let span = place.start..source.span.end;
            return self.fail(KindProblem::LinksTooEarly.at(&span));
        }
        let quantifier = if *how == Determiner::Every { Quantifier::Every } else { Quantifier::Some };
        let measure = Measure::LinkedBy(quantifier, source.name.clone());
        let is = self.measured(measure, Kind::Number, Shape::One, place.clone()).expr;
        let wanted = u32::from(*how != Determiner::No);
        Ok(Condition::Compare(is, Comparison::Equal, Expr::Number(wanted)))
    }

    /// `CONDITION for d in D for e in E`, the first outermost.
    pub fn repeated(&mut self, condition: &ast::Condition, each: &[Each]) -> LowerResult<Condition> {
        let Some((each, inside)) = each.split_first() else { return self.condition(condition) };
        let over = self.each(each, &[]);
        // If the set is wrong, the running name is declared all the same.
        let inner = self.in_loop(self.index_at(&each.index.span), |rule| rule.repeated(condition, inside));
        let (id, over) = over?;
        let inner = Box::new(inner?);
        Ok(match each.determiner {
            None | Some((Determiner::Every, _)) => Condition::ForAll(id, over, inner),
            Some((Determiner::Some, _)) => Condition::Exists(id, over, inner),
            Some((Determiner::No, _)) => Condition::Not(Box::new(Condition::Exists(id, over, inner))),
        })
    }

    /// A running name is not that of a loop around it.
    pub fn running(&mut self, index: &ast::Ident) -> LowerResult<()> {
        let outer = self.loops.iter().map(|id| &self.symbols[id.0]).find(|symbol| symbol.name == index.name);
        let Some(first) = outer.map(|symbol| symbol.span.clone()) else { return Ok(()) };
        self.fail(NameProblem::RunsAlready { name: index.name.clone() }.at_both(&index.span, &first))
    }

    /// The running name of a `for` and what it runs over: one of some kinds, any set where there are none.
    pub fn each(&mut self, each: &Each, kinds: &[Kind]) -> LowerResult<(VarId, Expr)> {
        let over = self.expr(&each.over);
        let id = self.index_at(&each.index.span).ok_or(ErrorReported)?;
        let over = over?;
        if kinds.is_empty() || kinds.contains(&Kind::Cell) {
            self.symbols[id.0].kind = None;
            self.no_cells_of_houses(&over, &each.index)?;
        }
        self.running(&each.index)?;
        let digits_only = !kinds.is_empty();
        if over.kind == Kind::Number || (digits_only && !kinds.contains(&over.kind)) {
            self.symbols[id.0].kind = None;
            let members = matches!(over.kind, Kind::Cell | Kind::House(_) | Kind::Candidate);
            let problem = RuleProblem::ForOver { kinds: kinds.len().min(2), what: over.what(), members };
            return self.fail(problem.at(&over.span));
        }
        if let (true, Some((_, place))) = (digits_only, &each.determiner) {
            return self.fail(KindProblem::WordInLoop.at(place));
        }
        self.symbols[id.0].kind = Some(over.kind);
        Ok((id, over.expr))
    }

    /// Checks something inside of a loop.
    pub fn in_loop<T>(&mut self, id: Option<VarId>, what: impl FnOnce(&mut Self) -> T) -> T {
        self.loops.extend(id);
        let out = what(self);
        if id.is_some() {
            self.loops.pop();
        }
        out
    }

    fn clause(&mut self, clause: &Clause) -> LowerResult<Condition> {
        let Some(predicate) = &clause.predicate else { return self.bare(clause) };
        if let (Predicate::Compare(comparison, right), None) = (predicate, &clause.determiner) {
            return self.comparison(clause, *comparison, right);
        }
        let Ok(subject) = self.noun(&clause.subject) else {
            // Errors of the right side are worth knowing too.
            let _ = self.right_side(predicate);
            return Err(ErrorReported);
        };
        self.predicate(&subject, clause.determiner.as_ref(), predicate)
    }

    fn right_side(&mut self, predicate: &Predicate) -> LowerResult<()> {
        match predicate {
            Predicate::Compare(_, element) | Predicate::Within(element) | Predicate::Disjoint(element) => {
                self.element(element).map(drop)
            }
            Predicate::Relation { to: Some(noun), .. } => self.noun(noun).map(drop),
            Predicate::ClosedBetween(first, second) => {
                self.each_of(&[first, second], |rule, line| rule.expr(line)).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// `some z in A`, `no G`, `z in digits(s)`, `( … )`.
    fn bare(&mut self, clause: &Clause) -> LowerResult<Condition> {
        if let Some((determiner, place)) = &clause.determiner {
            let value = self.noun(&clause.subject)?;
            if value.kind == Kind::Number {
                return self.fail(KindProblem::SomeOfNumber.at(&value.span));
            }
            self.no_determiner_on_one(&value, place)?;
            return match determiner {
                Determiner::Some => Ok(Condition::Some(value.expr)),
                Determiner::No => Ok(Condition::No(value.expr)),
                Determiner::Every => self.fail(KindProblem::EveryAlone.at(&clause.span)),
            };
        }
        if let [only] = clause.subject.elements.as_slice()
            && let (ExprKind::Paren(inner), None) = (&only.left.kind, &only.place)
        {
            return self.condition(inner);
        }
        if let Some((Element { place: Some(place), .. }, before)) = clause.subject.elements.split_last()
            && before.iter().all(|element| element.place.is_none())
        {
            return self.membership_clause(clause, place);
        }
        let value = self.noun(&clause.subject)?;
        self.fail(KindProblem::NoCondition { what: value.what(), kind: value.kind }.at(&clause.span))
    }

    fn membership_clause(&mut self, clause: &Clause, place: &ast::Expr) -> LowerResult<Condition> {
        let lefts: Vec<&ast::Expr> = clause.subject.elements.iter().map(|element| &element.left).collect();
        let lefts = self.each_of(&lefts, |rule, left| rule.expr(left));
        self.in_a_kind(place)?;
        let place = self.expr(place);
        let (lefts, place) = (lefts?, place?);
        let span = clause.span.start..lefts.last().map_or(clause.span.end, |left| left.span.end);
        let left = self.join(lefts, span)?;
        if left.kind == Kind::Digit && (place.kind == Kind::Cell || place.is_house()) {
            return self.fail(KindProblem::BareCandidates.at(&clause.span));
        }
        self.membership(&left, &place)
    }

    /// `in house` for `in one house`
    pub fn in_a_kind(&mut self, place: &ast::Expr) -> LowerResult<()> {
        let Some(word) = place.as_name().filter(|word| self.find(&word.name).is_none()) else { return Ok(()) };
        match kind_word(&word.name) {
            Some((Kind::House(_), false)) => {
                self.fail(NameProblem::HouseKindAlone { name: word.name.clone() }.at(&word.span))
            }
            _ => Ok(()),
        }
    }

    /// The left is in the right.
    pub fn membership(&mut self, left: &TypedExpr, place: &TypedExpr) -> LowerResult<Condition> {
        if left.kind == Kind::Digit && (place.kind == Kind::Cell || place.is_house()) {
            let problem = KindProblem::DigitInPlace { what: left.what(), place: place.what() };
            return self.fail(problem.at(&place.span));
        }
        let (left, right) = self.comparable(left, place, "`in`")?;
        Ok(Condition::Within(left, right))
    }

    /// Two sets as sets of one kind.
    pub fn comparable(&mut self, left: &TypedExpr, right: &TypedExpr, who: &'static str) -> LowerResult<(Expr, Expr)> {
        let pair = match (left.kind, right.kind) {
            (Kind::Number, _) | (_, Kind::Number) => None,
            // One house among many houses is a member; beside one house, both are their cells.
            (a, b) if common(a, b).is_some() && (!left.is_house() || right.shape == Shape::Many) => {
                Some((left.expr.clone(), right.expr.clone()))
            }
            (Kind::Digit, _) | (_, Kind::Digit) => None,
            (Kind::Candidate, _) => left.as_cells(true).zip(right.as_cells(true)),
            _ => left.as_cells(false).zip(right.as_cells(false)),
        };
        pair.map(Ok).unwrap_or_else(|| {
            let problem = KindProblem::MixedComparison { who, left: left.what(), right: right.what() };
            let help = super::expr::kind_help(left.kind, right.kind);
            self.fail(problem.at_both(&right.span, &left.span).help_if(help))
        })
    }

    fn comparison(&mut self, clause: &Clause, comparison: Comparison, right: &Element) -> LowerResult<Condition> {
        if let (Comparison::Equal, ExprKind::Set(members), None) = (comparison, &right.left.kind, &right.place) {
            let left = self.noun(&clause.subject);
            return self.pattern(left, members, &right.span);
        }
        let left = self.noun(&clause.subject);
        let right = self.element(right);
        self.compare(left?, comparison, right?)
    }

    pub fn compare(&mut self, left: TypedExpr, comparison: Comparison, right: TypedExpr) -> LowerResult<Condition> {
        if left.kind == Kind::Number && right.kind == Kind::Number {
            return Ok(Condition::Compare(left.expr, comparison, right.expr));
        }
        if (left.kind == Kind::Number) != (right.kind == Kind::Number) {
            let (set, number) = if left.kind == Kind::Number { (right, left) } else { (left, right) };
            let problem = KindProblem::NumberWithOther { what: set.what() };
            return self.fail(problem.at_both(&set.span, &number.span));
        }
        match comparison {
            Comparison::Equal | Comparison::NotEqual => {
                let (left, right) = self.comparable(&left, &right, "`=`")?;
                let equal = Condition::Equal(left, right);
                Ok(if comparison == Comparison::Equal { equal } else { Condition::Not(Box::new(equal)) })
            }
            _ => self.fail(KindProblem::SetsOrdered.at(&(left.span.start..right.span.end))),
        }
    }

    pub fn element(&mut self, element: &Element) -> LowerResult<TypedExpr> {
        let noun = ast::Noun { span: element.span.clone(), elements: vec![element.clone()] };
        self.noun(&noun)
    }

    /// Lowers a predicate with its subject.
    pub fn predicate(
        &mut self,
        subject: &TypedExpr,
        determiner: Option<&(Determiner, Span)>,
        predicate: &Predicate,
    ) -> LowerResult<Condition> {
        if let Predicate::Relation { relation, word, determiner: second, to } = predicate {
            return self.relation(subject, determiner, (*relation, word), second.as_ref(), to.as_ref());
        }
        if let Some((word, place)) = determiner {
            let speaks_of_all = matches!(predicate, Predicate::Within(_) | Predicate::Disjoint(_));
            if !(speaks_of_all && *word == Determiner::Every) {
                return self.fail(KindProblem::WordBeforeWhole.at(place));
            }
        }
        match predicate {
            Predicate::Closed => {
                self.several(subject, "`closed` needs a set of cells")?;
                Ok(PredicateId::Closed.applied_to(vec![self.cells_of(subject, false, "what is closed")?]))
            }
            Predicate::ClosedBetween(first, second) => self.closed_between(subject, first, second),
            Predicate::Within(right) => {
                let right = self.element(right)?;
                let (left, right) = self.comparable(subject, &right, "`within`")?;
                Ok(Condition::Within(left, right))
            }
            Predicate::Disjoint(right) => {
                let right = self.element(right)?;
                self.without_common(subject, &right)
            }
            Predicate::Compare(comparison, right) => {
                let right = self.element(right)?;
                self.compare(subject.clone(), *comparison, right)
            }
            Predicate::InOne(class) => self.in_one(subject, class),
            Predicate::Connected(place) => {
                if subject.shape == Shape::One {
                    return self.fail(KindProblem::OneThing { needs: "`connected` needs a set of cells" }.at(place));
                }
                Ok(Condition::Connected(self.cells_of(subject, false, "what is connected")?))
            }
            Predicate::Relation { .. } => Err(ErrorReported),
        }
    }

    fn in_one(&mut self, subject: &TypedExpr, class: &ast::Ident) -> LowerResult<Condition> {
        let word = class.name.as_str();
        let Some((Kind::House(class), false)) = kind_word(word) else {
            let near = words::nearest(word, ["house", "row", "column", "box", "line"]);
            return self.fail(NameProblem::UnknownHouseKind { word: word.to_owned(), near }.at(&class.span));
        };
        if subject.shape == Shape::One {
            return self.fail(KindProblem::OneInOneHouse.at(&subject.span));
        }
        let cells = self.cells_of(subject, true, "what lies in one house")?;
        Ok(PredicateId::InOneHouse(class).applied_to(vec![cells]))
    }
}
