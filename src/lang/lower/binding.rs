//! Lowers bindings, `a, b: cell … for d in D`: each name becomes a choice, and the relations after the kind become its
//! conditions.
//!
//! A *family* (`p[d]: cell for d in D`) is a name that has a value for each element `d` of a set `D`.

use super::names::{Lowering, NameRole};
use super::typed_expr::{KindWord, Shape, TypedExpr, binding_kind};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Binding, ExprKind, Ident, Predicate, Qualifier, QualifierKind, Relation, Size};
use crate::lang::codes::{KindProblem, Problem, RuleProblem};
use crate::lang::ir::{Choose, Comparison, Condition, Expr, Incidence, Kind, PredicateId, Statement, VarId, VarShape};
use crate::lang::words;

impl Lowering<'_> {
    /// Appends the choices of a binding to `statements`. Appends nothing if the binding has an error.
    pub fn binding(&mut self, binding: &Binding, statements: &mut Vec<Statement>) -> LowerResult<()> {
        // Everything is checked before an error is returned, so that all errors of the line are reported.
        let form = self.check_form(binding);
        let size = binding.size.as_ref().map(|size| self.size(size)).transpose();
        let for_each = self.family_clause(binding);
        let index = match &for_each {
            Ok(Some((index, _))) => Some(*index),
            _ => None,
        };
        let choices = self.choices(binding, index);
        let (size, for_each) = (size?, for_each?);
        form?;
        let choices = choices?;
        if binding.kind.name == words::LITERAL {
            // A literal is not chosen here: the `suppose` statement that names the literal binds it.
            return self.refuse_qualifiers(binding);
        }
        let size = match binding.kind.name.as_str() {
            // An almost locked set or a group has any number of cells, but at least one.
            words::ALS | words::GROUP => Some((Expr::Number(1), None)),
            _ => size,
        };
        for (var, such_that) in choices {
            let (size, for_each) = (size.clone(), for_each.clone());
            statements.push(Statement::Choose(Choose { var, size, for_each, such_that }));
        }
        Ok(())
    }

    /// Returns each name of a binding with the conditions on its value. `index` is the loop variable of a family.
    fn choices(&mut self, binding: &Binding, index: Option<VarId>) -> LowerResult<Vec<(VarId, Vec<Condition>)>> {
        let mut earlier: Vec<TypedExpr> = Vec::new();
        self.names_of_binding = binding.names.iter().filter_map(|(name, _)| self.declared_var(name).ok()).collect();
        let choices = self.check_all(&binding.names, |lowering, (name, name_index)| {
            // If the name was declared before, the earlier declaration counts and this line has an error.
            let id = lowering.declared_var(name)?;
            let value = lowering.chosen_value(id, name, name_index.as_ref().and(index)).ok_or(ErrorReported)?;
            let index_check = name_index.as_ref().map_or(Ok(()), |index| lowering.check_index(binding, index));
            let mut conditions = lowering.set_conditions(&value);
            if let Expr::Var(id) = value.expr
                && value.is_als_or_group
            {
                lowering.chosen_sets.push(id);
            }
            let more = lowering.in_loop(index, |lowering| lowering.qualifiers(binding, &value, &earlier));
            earlier.push(value);
            index_check?;
            conditions.extend(more?);
            Ok((id, conditions))
        });
        self.names_of_binding.clear();
        choices
    }

    /// Lowers the `for` clause of a family; `None` if the binding declares no family.
    fn family_clause(&mut self, binding: &Binding) -> LowerResult<Option<(VarId, Expr)>> {
        let indexed = binding.names.iter().find_map(|(name, index)| Some((name, index.as_ref()?)));
        match (&binding.for_clause, indexed) {
            (Some(clause), Some(_)) => self.for_clause(clause, &[Kind::Digit, Kind::Cell]).map(Some),
            (Some(clause), None) => {
                let Some((name, _)) = binding.names.first() else { return Err(ErrorReported) };
                let problem = KindProblem::NoIndex { name: name.name.clone(), index: clause.loop_var.name.clone() };
                self.fail(problem.at_both(&name.span, &clause.loop_var.span))
            }
            (None, Some((name, index))) => {
                self.suppressed_names.insert(index.name.clone());
                let problem = KindProblem::NoFor { name: name.name.clone(), index: index.name.clone() };
                self.fail(problem.at(&index.span))
            }
            (None, None) => Ok(None),
        }
    }

    /// Returns the value that the conditions of a name are about. For a family, the value is one member.
    fn chosen_value(&self, id: VarId, name: &Ident, index: Option<VarId>) -> Option<TypedExpr> {
        let symbol = &self.symbols[id.0];
        let (kind, is_als_or_group) = (symbol.kind?, symbol.is_als_or_group());
        let is_set = is_als_or_group || symbol.shape == VarShape::Set;
        let shape = if is_set { Shape::Set } else { Shape::Single };
        let expr = index.map_or(Expr::Var(id), |index| Expr::Member(id, index));
        Some(TypedExpr { is_als_or_group, ..TypedExpr::new(expr, kind, shape, name.span.clone()) })
    }

    /// Returns the conditions of a name declared as `als` or `group`: its value is an almost locked set or a group, and
    /// differs from each set that an earlier line declares in the same way. A member of a family is not compared.
    fn set_conditions(&mut self, value: &TypedExpr) -> Vec<Condition> {
        let (Expr::Var(id) | Expr::Member(id, _)) = value.expr else { return Vec::new() };
        let role = self.symbols[id.0].role;
        let mut conditions = match role {
            NameRole::Als(degree) => vec![Condition::AlmostLocked(value.expr.clone(), degree)],
            NameRole::Group => vec![PredicateId::Group.applied_to(vec![value.expr.clone()])],
            _ => return Vec::new(),
        };
        if let Expr::Var(id) = value.expr {
            let is_group = role == NameRole::Group;
            for &earlier in &self.chosen_sets {
                if is_group == (self.symbols[earlier.0].role == NameRole::Group) {
                    conditions.push(Condition::Not(Box::new(Condition::Equal(Expr::Var(earlier), Expr::Var(id)))));
                }
            }
        }
        conditions
    }

    /// Checks that the kind, the size and the index fit together: `cells[2]` and `cell` are valid, `cells` and
    /// `cell[2]` are errors.
    fn check_form(&self, binding: &Binding) -> LowerResult<()> {
        let Some(KindWord { kind, is_plural }) = binding_kind(binding) else { return Err(ErrorReported) };
        let span = binding.kind.span.clone();
        let word = &binding.kind.name;
        if words::KINDS_WITHOUT_PLURAL.contains(&word.as_str()) || binding.parenthesized.is_some() {
            return self.check_parenthesized(binding);
        }
        if !is_plural && kind != Kind::Cell && binding.is_indexed() {
            return self.fail_family(binding);
        }
        match (&binding.size, is_plural) {
            (None, true) => self.fail(KindProblem::NoSize { word: word.clone(), singular: kind.singular() }.at(&span)),
            (Some(size), false) => {
                let problem = KindProblem::SizeOfOne { word: word.clone(), plural: kind.description(false) };
                self.fail(problem.at_both(&size.span, &span))
            }
            (Some(_), true) if kind == Kind::Candidate => self.fail(KindProblem::CandidateSet.at(&span)),
            (Some(size), true) if binding.for_clause.is_some() || binding.is_indexed() => {
                self.fail(KindProblem::FamilyOfSets { singular: kind.singular() }.at(&size.span))
            }
            _ => Ok(()),
        }
    }

    /// Checks the form of `als`, `group`, `literal` and of kinds with a number in parentheses. `als` and `als(2)` are
    /// correct, `als[2]` and `cells(2)` are errors.
    fn check_parenthesized(&self, binding: &Binding) -> LowerResult<()> {
        let word = binding.kind.name.as_str();
        if let Some(size) = &binding.size {
            let problem = match word {
                words::LITERAL => KindProblem::LiteralSize,
                words::GROUP => KindProblem::GroupSize,
                _ => KindProblem::AlsSize,
            };
            return self.fail(problem.at(&size.span));
        }
        match &binding.parenthesized {
            Some(number) if word != words::ALS => {
                let problem = KindProblem::SizeInParentheses { word: word.to_owned(), size: number.value };
                self.fail(problem.at(&number.span))
            }
            Some(degree) if degree.value == 0 => self.fail(RuleProblem::AlsDegree.at(&degree.span)),
            _ if word != words::ALS && binding.is_indexed() => self.fail_family(binding),
            _ => Ok(()),
        }
    }

    /// Reports a kind that cannot have families, and returns an error.
    fn fail_family<T>(&self, binding: &Binding) -> LowerResult<T> {
        let problem = match binding_kind(binding) {
            Some(KindWord { kind: kind @ Kind::House(_), .. }) => {
                KindProblem::FamilyOfHouses { plural: kind.description(false) }
            }
            _ => KindProblem::FamilyOfOtherKind { word: binding.kind.name.clone() },
        };
        self.fail(problem.at(&binding.kind.span))
    }

    /// Lowers the size of a set to its minimum and its maximum.
    fn size(&mut self, size: &Size) -> LowerResult<(Expr, Option<Expr>)> {
        let low = self.expr(&size.low);
        let high = size.high.as_ref().map(|high| self.expr(high)).transpose();
        let (low, high) = (low?, high?);
        let low = self.require_number(&low, "the size of a set")?;
        let high = high.map(|high| self.require_number(&high, "the size of a set")).transpose()?;
        match (&low, &high) {
            (Expr::Number(low), Some(Expr::Number(high))) if low > high => {
                self.fail(RuleProblem::EmptyRange { low: *low, high: *high }.at(&size.span))
            }
            (Expr::Number(0), _) if !size.range => self.fail(RuleProblem::EmptySet.at(&size.span)),
            _ if size.range => Ok((low, high)),
            _ => Ok((low.clone(), Some(low))),
        }
    }

    /// Checks that the index of a name is the loop variable of the `for` clause.
    fn check_index(&self, binding: &Binding, index: &Ident) -> LowerResult<()> {
        match &binding.for_clause {
            Some(clause) if clause.loop_var.name != index.name => {
                let loop_var = clause.loop_var.name.clone();
                let problem = KindProblem::IndexMismatch { index: index.name.clone(), loop_var };
                self.fail(problem.at_both(&index.span, &clause.loop_var.span))
            }
            _ => Ok(()),
        }
    }

    /// Lowers the qualifiers of one name. `earlier` are the values of the preceding names in the line.
    fn qualifiers(
        &mut self,
        binding: &Binding,
        value: &TypedExpr,
        earlier: &[TypedExpr],
    ) -> LowerResult<Vec<Condition>> {
        let has_several_names = binding.names.len() > 1;
        let is_last_name = earlier.len() + 1 == binding.names.len();
        let conditions = self.check_all(&binding.qualifiers, |lowering, qualifier| match &qualifier.kind {
            // With several names in the line, `parallel` is a relation between every two names.
            QualifierKind::Is(Predicate::Relation { relation: Relation::Parallel, object: None, .. })
                if has_several_names =>
            {
                lowering.parallel_to_earlier(value, earlier)
            }
            // `a, b: cell in one house` is a single condition on all names, which the last name gets.
            QualifierKind::Is(predicate)
                if is_about_whole_set(predicate) && has_several_names && value.shape == Shape::Single =>
            {
                if !is_last_name {
                    return Ok(Condition::And(Vec::new()));
                }
                let values = earlier.iter().chain([value]).cloned().collect();
                let subject = lowering.union(values, qualifier.span.clone())?;
                lowering.predicate(&subject, None, predicate)
            }
            _ => lowering.qualifier(qualifier, value, earlier),
        })?;
        let parts = conditions.into_iter().flat_map(|condition| match condition {
            Condition::And(parts) => parts,
            condition => vec![condition],
        });
        Ok(parts.collect())
    }

    /// Lowers `a, b, c: line parallel` for one of the names: its line is parallel to the lines of all earlier names. If
    /// the name is a set, every two of its lines are parallel.
    fn parallel_to_earlier(&mut self, value: &TypedExpr, earlier: &[TypedExpr]) -> LowerResult<Condition> {
        let mut lines: Vec<&TypedExpr> = earlier.iter().collect();
        if value.shape == Shape::Set {
            lines.push(value);
        }
        let conditions =
            self.check_all(&lines, |lowering, line| lowering.incidence(value, Incidence::Parallel, line))?;
        Ok(Condition::And(conditions))
    }

    fn qualifier(&mut self, qualifier: &Qualifier, value: &TypedExpr, earlier: &[TypedExpr]) -> LowerResult<Condition> {
        match &qualifier.kind {
            QualifierKind::Exactly(set) => self.exactly(value, set),
            QualifierKind::In(place) => {
                self.refuse_house_kind(place)?;
                let place = self.expr(place)?;
                if value.kind == Kind::Candidate && (place.kind == Kind::Cell || place.is_house()) {
                    let cells = self.require_cells(&place, "the place of a candidate")?;
                    return Ok(Condition::Within(Expr::CellsOf(Box::new(value.expr.clone())), cells));
                }
                self.membership(value, &place)
            }
            QualifierKind::Is(predicate) => {
                let mut subject = value.clone();
                // A relation after the name of a set applies to each member of the set.
                if value.shape == Shape::Set && !is_about_whole_set(predicate) {
                    subject.shape = Shape::List;
                }
                self.predicate(&subject, None, predicate)
            }
            QualifierKind::With(condition) => {
                if value.kind == Kind::Cell {
                    self.refuse_bare_names(condition)?;
                }
                self.condition(condition)
            }
            QualifierKind::Disjoint(from) => self.disjoint_qualifier(value, earlier, from.as_ref(), &qualifier.span),
            QualifierKind::Linking(first, to) => self.linking(value, first, to.as_ref()),
            QualifierKind::Count(number) => {
                let number = self.expr(number)?;
                let number = self.require_number(&number, "the number of candidates")?;
                let cells = self.require_cells(value, "the left side of `with … candidates`")?;
                let count = Expr::Count(Box::new(Expr::Digits(Box::new(cells))));
                Ok(Condition::Compare(count, Comparison::Equal, number))
            }
        }
    }

    /// Reports `cell with x, y`: a list of names is no condition. The author means that x and y are candidates.
    fn refuse_bare_names(&mut self, condition: &ast::Condition) -> LowerResult<()> {
        let ast::Condition::Clause(clause) = condition else { return Ok(()) };
        if clause.predicate.is_some() || clause.determiner.is_some() {
            return Ok(());
        }
        let Some(names) = clause.subject.names() else { return Ok(()) };
        let names: Vec<String> = names.into_iter().map(|name| name.name.clone()).collect();
        let list = names.join(", ");
        // The author meant to declare these names, so the names are not reported as unknown in other lines.
        self.suppressed_names.extend(names);
        self.fail(KindProblem::WithNames { list }.at(&clause.span))
    }

    /// Lowers `=` after a kind: a cell has exactly these candidates, a set has exactly these members.
    fn exactly(&mut self, value: &TypedExpr, set: &ast::Expr) -> LowerResult<Condition> {
        let is_one_cell = value.kind == Kind::Cell && value.shape == Shape::Single;
        let ExprKind::Set(members) = &set.kind else {
            let right = self.expr(set)?;
            if is_one_cell && right.kind == Kind::Digit {
                let left = Expr::Digits(Box::new(value.expr.clone()));
                return Ok(Condition::Equal(left, right.expr));
            }
            if value.shape == Shape::Set {
                return self.compare(value.clone(), Comparison::Equal, right);
            }
            return self.fail_exactly(value, set);
        };
        if is_one_cell {
            let digits = Expr::Digits(Box::new(value.expr.clone()));
            let left = TypedExpr::new(digits, Kind::Digit, Shape::Set, value.span.clone());
            return self.set_pattern(Ok(left), members, &set.span);
        }
        let lists_digits = value.kind == Kind::Cell && members.iter().any(|member| self.is_digit(member));
        if value.shape == Shape::Single || lists_digits {
            return self.fail_exactly(value, set);
        }
        self.set_pattern(Ok(value.clone()), members, &set.span)
    }

    fn is_digit(&mut self, member: &ast::Expr) -> bool {
        self.try_silently(|lowering| lowering.expr(member)).is_some_and(|value| value.kind == Kind::Digit)
    }

    fn fail_exactly<T>(&self, value: &TypedExpr, set: &ast::Expr) -> LowerResult<T> {
        let name = self.names_of_binding.first().map_or("x".to_owned(), |id| self.symbols[id.0].name.clone());
        let problem = match value.kind {
            Kind::Cell if value.shape == Shape::Set => KindProblem::CandidatesOfSet { name },
            Kind::Cell => KindProblem::CandidatesOfCell,
            Kind::House(_) => KindProblem::CellsOfHouse { name },
            _ => KindProblem::NoCandidates { actual: value.kind.description(true), name },
        };
        self.fail(problem.at(&set.span))
    }
}

/// Returns true if the predicate is about all names of a line together and about a set as a whole.
fn is_about_whole_set(predicate: &Predicate) -> bool {
    use Predicate::{Closed, ClosedBetween, Connected, InOneHouse};
    matches!(predicate, InOneHouse(_) | Connected(_) | Closed | ClosedBetween(..))
}
