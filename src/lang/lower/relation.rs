//! Lowers relations between a subject and an object (`has`, `sees`, `meeting`, …) with their determiners, and set
//! patterns, `… = {x, y}`.

use super::condition::DeterminerWord;
use super::names::Lowering;
use super::typed_expr::{Shape, TypedExpr, common_kind};
use super::{ErrorReported, LowerResult};
use crate::lang::ast::{self, Determiner, Ident, Relation, Span, TermList};
use crate::lang::codes::{KindProblem, Problem};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Kind, Operand, Quantifier, VarId, VarShape};

impl Lowering<'_> {
    /// Lowers a relation. `word` are the bytes of the relation's word. `determiner` stands before the subject, and
    /// `object_determiner` before the object.
    pub fn relation(
        &mut self,
        subject: &TypedExpr,
        determiner: Option<&DeterminerWord>,
        (relation, word): (Relation, &Span),
        object_determiner: Option<&DeterminerWord>,
        object: Option<&TermList>,
    ) -> LowerResult<Condition> {
        let incidence = match (relation, object) {
            (Relation::Has | Relation::Lacks, Some(object)) => {
                return self.has_or_lacks(subject, determiner, relation, object_determiner, object);
            }
            (Relation::Sees, Some(object)) => return self.sees(subject, determiner, object_determiner, object),
            // The grammar requires an object.
            (Relation::Has | Relation::Lacks | Relation::Sees, None) => return Err(ErrorReported),
            (Relation::Meeting, _) => Incidence::Meeting,
            (Relation::Avoiding, _) => Incidence::Avoiding,
            (Relation::Through, _) => Incidence::Through,
            (Relation::Crossing, _) => Incidence::Crossing,
            (Relation::Parallel, _) => Incidence::Parallel,
        };
        if let Some((_, span)) = determiner.or(object_determiner) {
            return self.fail(KindProblem::WordBetweenHouses.at(span));
        }
        if let Some(object) = object {
            let object = self.term_list(object)?;
            return self.incidence(subject, incidence, &object);
        }
        // `H parallel`: all lines of the set H have the same direction.
        if subject.is_house() && self.is_house_set(subject) {
            return self.incidence(subject, incidence, subject);
        }
        self.fail(KindProblem::ParallelAlone.at(word))
    }

    /// Lowers `every s has x, y` and `pivot lacks z`.
    fn has_or_lacks(
        &mut self,
        subject: &TypedExpr,
        determiner: Option<&DeterminerWord>,
        relation: Relation,
        object_determiner: Option<&DeterminerWord>,
        object: &TermList,
    ) -> LowerResult<Condition> {
        let word = if relation == Relation::Has { "has" } else { "lacks" };
        // An almost locked set or a group without a determiner is one thing.
        let is_whole_set = subject.is_als_or_group && determiner.is_none();
        let operand = match is_whole_set {
            true => None,
            false => Some(self.operand(subject, determiner, &format!("the left side of `{word}`"))),
        };
        let object = self.term_list(object)?;
        let digits = self.require_digits(&object, &format!("the right side of `{word}`"))?;
        self.check_determiner(&object, object_determiner)?;
        let operand = operand.transpose()?;
        let object_determiner = object_determiner.map_or(Determiner::Every, |(determiner, _)| *determiner);
        if (relation, object_determiner) == (Relation::Lacks, Determiner::No) {
            return self.fail(KindProblem::LacksNo.at(&object.span));
        }
        let Some((operand, is_negated)) = operand else {
            return Ok(set_has_or_lacks(&subject.expr, relation, object_determiner, digits, object.shape));
        };
        let condition = match (relation, object_determiner) {
            (Relation::Has, Determiner::Every) => Condition::Has(operand, digits),
            (Relation::Has, Determiner::No) | (_, Determiner::Every) => Condition::Lacks(operand, digits),
            // `has some` is the negation of `lacks`: "every cell has some digit of D" is false if some cell lacks all
            // digits of D.
            (Relation::Has, Determiner::Some) => not(Condition::Lacks(dual(operand), digits)),
            _ => not(Condition::Has(dual(operand), digits)),
        };
        Ok(if is_negated { not(condition) } else { condition })
    }

    /// Returns true for a set of houses, false for a single house.
    fn is_house_set(&self, houses: &TypedExpr) -> bool {
        let symbol = houses.expr.as_var().and_then(|id| self.symbols.get(id.0));
        !houses.has_single_house || symbol.is_some_and(|symbol| symbol.shape == VarShape::Set)
    }

    fn sees(
        &mut self,
        subject: &TypedExpr,
        determiner: Option<&DeterminerWord>,
        object_determiner: Option<&DeterminerWord>,
        object: &TermList,
    ) -> LowerResult<Condition> {
        let left = self.operand(subject, determiner, "the left side of `sees`");
        let object = self.term_list(object)?;
        let (right, right_is_negated) = self.operand(&object, object_determiner, "the right side of `sees`")?;
        let (left, left_is_negated) = left?;
        // "Every a sees no b" negates "some a sees some b", and "some a sees no b" negates "every a sees some b".
        let left = if right_is_negated { dual(left) } else { left };
        let condition = Condition::Sees(left, right);
        Ok(if left_is_negated != right_is_negated { not(condition) } else { condition })
    }

    /// Returns cells with their quantifier. For `no`, returns `some` and true: the caller must negate the condition.
    pub fn operand(
        &self,
        value: &TypedExpr,
        determiner: Option<&DeterminerWord>,
        role: &str,
    ) -> LowerResult<(Operand, bool)> {
        let cells = self.require_cells_or_candidates(value, role)?;
        self.check_determiner(value, determiner)?;
        let (quantifier, is_negated) = match determiner {
            None | Some((Determiner::Every, _)) => (Quantifier::Every, false),
            Some((Determiner::Some, _)) => (Quantifier::Some, false),
            Some((Determiner::No, _)) => (Quantifier::Some, true),
        };
        Ok((Operand { quantifier, cells }, is_negated))
    }

    /// Lowers an incidence of houses. If a side is a list, the relation applies to each member of the list.
    pub fn incidence(&self, left: &TypedExpr, incidence: Incidence, right: &TypedExpr) -> LowerResult<Condition> {
        let needs_lines = matches!(incidence, Incidence::Crossing | Incidence::Parallel);
        let word = incidence.word();
        if !left.is_house() {
            let problem = KindProblem::NoHouse { word, actual: left.description() };
            return self.fail(problem.at(&left.span).help_if(help_for_cells(left)));
        }
        if !(right.is_house() || (right.kind == Kind::Cell && !needs_lines)) {
            let wanted = if needs_lines { "a house" } else { "a house or cells" };
            let problem = KindProblem::NoHouseToRight { word, wanted, actual: right.description() };
            return self.fail(problem.at(&right.span).help_if(help_for_cells(right)));
        }
        for value in [left, right] {
            if needs_lines && value.kind == Kind::House(HouseClass::Box) {
                return self.fail(KindProblem::NoLine { word, actual: value.description() }.at(&value.span));
            }
        }
        // `avoiding`, `crossing` and `parallel` hold for a set if they hold for each of its houses.
        let allows_set = needs_lines || incidence == Incidence::Avoiding;
        if right.is_house() && right.shape == Shape::Set && !allows_set {
            let own_name = self.names_of_binding.first().map(|id| self.symbols[id.0].name.clone());
            let own = own_name.map(|name| (name, self.name_or_ellipsis(right)));
            return self.fail(KindProblem::SetToRight { word, own }.at(&right.span));
        }
        let mut conditions = Vec::new();
        for left in list_members(left) {
            for right in list_members(right) {
                conditions.push(Condition::Incident(left.clone(), incidence, right.clone()));
            }
        }
        Ok(conjunction(conditions))
    }

    /// Lowers `… = {x, y}`. If the members in braces are names of single things, each name stands for a different
    /// member of the left side. Otherwise, the two sides are compared as sets.
    pub fn set_pattern(
        &mut self,
        left: LowerResult<TypedExpr>,
        members: &[ast::Expr],
        span: &Span,
    ) -> LowerResult<Condition> {
        let values = self.check_all(members, Self::expr);
        let (left, values) = (left?, values?);
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number) {
            return self.fail(KindProblem::NumberInSet.at(&number.span));
        }
        let first_kind = values.first().map_or(Kind::Cell, |value| value.kind);
        let (set, kind) = self.left_of_pattern(&left, first_kind, span)?;
        let Some(names) = self.single_names(members) else {
            let union = self.union(values, span.clone())?;
            self.check_members(&left, std::slice::from_ref(&union), kind)?;
            let right = if members.len() == 1 { Expr::Union(vec![union.expr]) } else { union.expr };
            return Ok(Condition::Equal(set, right));
        };
        self.check_members(&left, &values, kind)?;
        for (position, name) in names.iter().enumerate() {
            if names[..position].contains(name) {
                return self.fail(KindProblem::TwiceInSet.at(&values[position].span));
            }
        }
        Ok(Condition::Exactly(set, names))
    }

    /// Converts the left side to a set of the kind of the members in braces. Returns the set and its kind.
    fn left_of_pattern(&self, left: &TypedExpr, member: Kind, span: &Span) -> LowerResult<(Expr, Kind)> {
        match (left.kind, member) {
            (Kind::Number, _) => self.fail(KindProblem::NumberWithList.at_both(span, &left.span)),
            (Kind::Candidate, Kind::Cell) => Ok((Expr::CellsOf(Box::new(left.expr.clone())), Kind::Cell)),
            (Kind::House(_), Kind::Cell) => self.fail(KindProblem::HouseWithCells.at(&left.span)),
            (Kind::Cell, Kind::Digit) => self.fail(KindProblem::CellsWithDigits.at(&left.span)),
            (kind, _) => Ok((left.expr.clone(), kind)),
        }
    }

    fn check_members(&self, left: &TypedExpr, values: &[TypedExpr], kind: Kind) -> LowerResult<()> {
        let Some(value) = values.iter().find(|value| common_kind(value.kind, kind).is_none()) else { return Ok(()) };
        let problem = KindProblem::MemberOfOtherKind { set: kind.description(false), actual: value.description() };
        self.fail(problem.at_both(&value.span, &left.span))
    }

    /// Returns the members as names; `None` if a member is not the name of a single thing.
    fn single_names(&self, members: &[ast::Expr]) -> Option<Vec<VarId>> {
        let mut names = Vec::new();
        for member in members {
            let id = self.find(&member.as_name()?.name)?;
            if self.symbols[id.0].shape != VarShape::Single {
                return None;
            }
            names.push(id);
        }
        Some(names)
    }

    /// Returns the kind of the members of a set pattern; `left` is the kind of its left side.
    pub fn member_kind(&self, left: Kind, members: &[&Ident]) -> Option<Kind> {
        let known = members.iter().find_map(|ident| self.symbols[self.find(&ident.name)?.0].kind);
        match (left, known) {
            (Kind::Candidate, Some(Kind::Candidate)) => Some(Kind::Candidate),
            (Kind::Candidate, _) => Some(Kind::Cell),
            (Kind::Number, _) => None,
            (kind, _) => Some(kind),
        }
    }
}

fn digits_in_set(set: &Expr, digits: Expr) -> Expr {
    Expr::CandidatesIn(Box::new(digits), Box::new(set.clone()))
}

/// Returns `A has z` for an almost locked set or a group: z is one of the digits of the set. `shape` is the shape of
/// the digits.
fn set_has_or_lacks(set: &Expr, relation: Relation, determiner: Determiner, digits: Expr, shape: Shape) -> Condition {
    match (relation, determiner) {
        (Relation::Has, Determiner::Every) => set_has_every(set, digits, shape),
        (Relation::Has, Determiner::Some) => Condition::NotEmpty(digits_in_set(set, digits)),
        (Relation::Has, Determiner::No) | (_, Determiner::Every) => Condition::No(digits_in_set(set, digits)),
        _ => not(set_has_every(set, digits, shape)),
    }
}

/// Returns the condition that every digit is a candidate somewhere in a set of cells.
fn set_has_every(set: &Expr, digits: Expr, shape: Shape) -> Condition {
    let listed = match (digits, shape) {
        (Expr::Union(parts), Shape::List) => parts,
        (digit, Shape::Single) => vec![digit],
        (digits, _) => return Condition::Within(digits, Expr::Digits(Box::new(set.clone()))),
    };
    conjunction(listed.into_iter().map(|digit| Condition::NotEmpty(digits_in_set(set, digit))).collect())
}

fn conjunction(mut conditions: Vec<Condition>) -> Condition {
    if conditions.len() == 1 { conditions.remove(0) } else { Condition::And(conditions) }
}

fn help_for_cells(value: &TypedExpr) -> Option<String> {
    match value.kind {
        Kind::Cell => Some("`row(c)`, `column(c)` and `box(c)` are the houses of a cell".to_owned()),
        _ => None,
    }
}

/// Returns the houses of a list one by one; for cells, all cells as one set.
fn list_members(value: &TypedExpr) -> &[Expr] {
    if value.is_house() { value.expr.parts() } else { std::slice::from_ref(&value.expr) }
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

/// Returns an operand with `every` and `some` exchanged.
fn dual(operand: Operand) -> Operand {
    let quantifier = match operand.quantifier {
        Quantifier::Every => Quantifier::Some,
        Quantifier::Some => Quantifier::Every,
    };
    Operand { quantifier, cells: operand.cells }
}
