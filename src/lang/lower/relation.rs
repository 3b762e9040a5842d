//! Relations that a list follows, and `… = {x, y}`. In: a subject, a relation, a list. Out: checked conditions, `every` and `some`
//! resolved; a set equal to a list in braces holds exactly these, each once, and names that nobody declares are bound by it.

use super::LowerResult;
use super::names::Lowering;
use super::value::{Shape, TypedExpr, common, describe};
use crate::lang::ast::{self, Determiner, Ident, Noun, Relation, Span};
use crate::lang::codes::{KindProblem, Problem};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Kind, Operand, Quantifier, VarId, VarShape};

type Quantified<'a> = Option<&'a (Determiner, Span)>;

impl Lowering<'_> {
    pub fn relation(
        &mut self,
        subject: &TypedExpr,
        determiner: Quantified,
        (relation, word): (Relation, &Span),
        second: Quantified,
        to: Option<&Noun>,
    ) -> LowerResult<Condition> {
        let incidence = match relation {
            Relation::Has | Relation::Lacks => return self.has(subject, determiner, relation, second, to),
            Relation::Sees => return self.sees(subject, determiner, second, to),
            Relation::Meeting => Incidence::Meeting,
            Relation::Avoiding => Incidence::Avoiding,
            Relation::Through => Incidence::Through,
            Relation::Crossing => Incidence::Crossing,
            Relation::Parallel => Incidence::Parallel,
        };
        if let Some((_, place)) = determiner.or(second) {
            return self.fail(KindProblem::WordBetweenHouses.at(place));
        }
        let Some(to) = to else {
            // `H parallel`: all lines of the set have one direction.
            if subject.is_house() && self.is_set(subject) {
                return self.lie(subject, incidence, subject);
            }
            return self.fail(KindProblem::ParallelAlone.at(word));
        };
        let to = self.noun(to)?;
        self.lie(subject, incidence, &to)
    }

    /// `every s has x, y`, `pivot lacks z`
    fn has(
        &mut self,
        subject: &TypedExpr,
        determiner: Quantified,
        relation: Relation,
        second: Quantified,
        to: Option<&Noun>,
    ) -> LowerResult<Condition> {
        let Some(to) = to else { return Err(super::ErrorReported) };
        if let (true, None) = (subject.whole, determiner) {
            return self.whole_has(subject, relation, second, to);
        }
        let word = if relation == Relation::Has { "has" } else { "lacks" };
        let operand = self.operand(subject, determiner, &format!("what {word} digits"));
        let value = self.noun(to)?;
        let digits = self.digits_of(&value, &format!("what a cell {word}"))?;
        self.check_determiner(&value, second)?;
        let (operand, negated) = operand?;
        let second = second.map_or(Determiner::Every, |(determiner, _)| *determiner);
        let condition = match (relation, second) {
            (Relation::Has, Determiner::Every) => Condition::Has(operand, digits),
            (Relation::Has, Determiner::No) | (_, Determiner::Every) => Condition::Lacks(operand, digits),
            // Each cell has some of them: not one cell lacks all of them.
            (Relation::Has, Determiner::Some) => not(Condition::Lacks(other(operand), digits)),
            (_, Determiner::Some) => not(Condition::Has(other(operand), digits)),
            (_, Determiner::No) => return self.fail(KindProblem::LacksNo.at(&value.span)),
        };
        Ok(if negated { not(condition) } else { condition })
    }

    /// `A has z`, of an almost locked set or a group: z is one of its digits.
    fn whole_has(
        &mut self,
        subject: &TypedExpr,
        relation: Relation,
        second: Quantified,
        to: &Noun,
    ) -> LowerResult<Condition> {
        let word = if relation == Relation::Has { "has" } else { "lacks" };
        let value = self.noun(to)?;
        let digits = self.digits_of(&value, &format!("what a set {word}"))?;
        self.check_determiner(&value, second)?;
        let second = second.map_or(Determiner::Every, |(determiner, _)| *determiner);
        let set = &subject.expr;
        Ok(match (relation, second) {
            (Relation::Has, Determiner::Every) => set_has_every(set, digits, value.shape),
            (Relation::Has, Determiner::Some) => Condition::Some(digits_in_set(set, digits)),
            (Relation::Has, Determiner::No) | (_, Determiner::Every) => Condition::No(digits_in_set(set, digits)),
            (_, Determiner::Some) => not(set_has_every(set, digits, value.shape)),
            (_, Determiner::No) => return self.fail(KindProblem::LacksNo.at(&value.span)),
        })
    }

    /// Returns true for a named set of houses, as opposed to one house.
    fn is_set(&self, value: &TypedExpr) -> bool {
        let symbol = if let Expr::Var(id) = value.expr { self.symbols.get(id.0) } else { None };
        !value.singles || symbol.is_some_and(|symbol| symbol.shape == VarShape::Set)
    }

    fn sees(
        &mut self,
        subject: &TypedExpr,
        determiner: Quantified,
        second: Quantified,
        to: Option<&Noun>,
    ) -> LowerResult<Condition> {
        let Some(to) = to else { return Err(super::ErrorReported) };
        let left = self.operand(subject, determiner, "what sees");
        let to = self.noun(to)?;
        let (right, never) = self.operand(&to, second, "what is seen")?;
        let (left, negated) = left?;
        // Every a sees no b: not, that some a sees some b. Some a sees no b: not, that every a sees some b.
        let left = if never { other(left) } else { left };
        let condition = Condition::Sees(left, right);
        Ok(if negated != never { not(condition) } else { condition })
    }

    /// Cells with `every` or `some`; the flag says that `no` stood there, which is `not some`.
    pub fn operand(&mut self, value: &TypedExpr, determiner: Quantified, who: &str) -> LowerResult<(Operand, bool)> {
        let of = self.cells_of(value, true, who)?;
        self.check_determiner(value, determiner)?;
        let (quantifier, negated) = match determiner {
            None | Some((Determiner::Every, _)) => (Quantifier::Every, false),
            Some((Determiner::Some, _)) => (Quantifier::Some, false),
            Some((Determiner::No, _)) => (Quantifier::Some, true),
        };
        Ok((Operand { quantifier, cells: of }, negated))
    }

    /// Lowers an incidence of houses; a list on either side applies to each member.
    pub fn lie(&mut self, left: &TypedExpr, incidence: Incidence, right: &TypedExpr) -> LowerResult<Condition> {
        let lines_only = matches!(incidence, Incidence::Crossing | Incidence::Parallel);
        let word = word(incidence);
        if !left.is_house() {
            let problem = KindProblem::NoHouse { word, what: left.what() };
            return self.fail(problem.at(&left.span).help_if(cells_help(left)));
        }
        if !(right.is_house() || (right.kind == Kind::Cell && !lines_only)) {
            let wanted = if lines_only { "a house" } else { "a house or cells" };
            let problem = KindProblem::NoHouseToRight { word, wanted, what: right.what() };
            return self.fail(problem.at(&right.span).help_if(cells_help(right)));
        }
        for value in [left, right] {
            if lines_only && value.kind == Kind::House(HouseClass::Box) {
                return self.fail(KindProblem::NoLine { word, what: value.what() }.at(&value.span));
            }
        }
        // On the left each house is meant; on the right only where every and all together say the same.
        let all = matches!(incidence, Incidence::Crossing | Incidence::Parallel | Incidence::Avoiding);
        if right.is_house() && right.shape == Shape::Many && !all {
            let own = self.own.first().map(|own| (self.symbols[own.0].name.clone(), self.source_hint(right)));
            return self.fail(KindProblem::SetToRight { word, own }.at(&right.span));
        }
        let rights = members(right);
        let lefts = members(left).into_iter();
        let pairs = lefts.flat_map(|left| rights.iter().map(move |right| (left.clone(), right.clone())));
        Ok(all_of(pairs.map(|(left, right)| Condition::Incident(left, incidence, right)).collect()))
    }
}

fn digits_in_set(set: &Expr, digits: Expr) -> Expr {
    Expr::In(Box::new(digits), Box::new(set.clone()))
}

/// Returns the condition that every digit of a list or a set is in a set of cells.
fn set_has_every(set: &Expr, digits: Expr, shape: Shape) -> Condition {
    let listed = match digits {
        Expr::Union(parts) if shape == Shape::Listed => parts,
        single if shape == Shape::One => vec![single],
        many => return Condition::Within(many, Expr::Digits(Box::new(set.clone()))),
    };
    all_of(listed.into_iter().map(|digit| Condition::Some(digits_in_set(set, digit))).collect())
}

fn all_of(mut conditions: Vec<Condition>) -> Condition {
    if conditions.len() == 1 { conditions.remove(0) } else { Condition::And(conditions) }
}

fn cells_help(value: &TypedExpr) -> Option<String> {
    (value.kind == Kind::Cell).then(|| "`row(c)`, `column(c)` and `box(c)` are the houses of a cell".to_owned())
}

/// The houses of a list one by one; cells stay together.
fn members(value: &TypedExpr) -> Vec<Expr> {
    match &value.expr {
        Expr::Union(parts) if value.is_house() => parts.clone(),
        expr => vec![expr.clone()],
    }
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

fn other(operand: Operand) -> Operand {
    let quantifier = match operand.quantifier {
        Quantifier::Every => Quantifier::Some,
        Quantifier::Some => Quantifier::Every,
    };
    Operand { quantifier, cells: operand.cells }
}

fn word(incidence: Incidence) -> &'static str {
    match incidence {
        Incidence::Meeting => "meeting",
        Incidence::Avoiding => "avoiding",
        Incidence::Through => "through",
        Incidence::Crossing => "crossing",
        Incidence::Parallel => "parallel",
    }
}

impl Lowering<'_> {
    /// Lowers a pattern; its names were declared before.
    pub fn pattern(
        &mut self,
        left: LowerResult<TypedExpr>,
        members: &[ast::Expr],
        span: &Span,
    ) -> LowerResult<Condition> {
        let values = self.each_of(members, Self::expr);
        let (left, values) = (left?, values?);
        if let Some(number) = values.iter().find(|value| value.kind == Kind::Number) {
            return self.fail(KindProblem::NumberInSet.at(&number.span));
        }
        let first = values.first().map_or(Kind::Cell, |value| value.kind);
        let (set, kind) = self.left_of_pattern(&left, first, span)?;
        let Some(names) = self.single_names(members) else {
            let joined = self.join(values, span.clone())?;
            self.check_members(&left, std::slice::from_ref(&joined), kind)?;
            let right = if members.len() == 1 { Expr::Union(vec![joined.expr]) } else { joined.expr };
            return Ok(Condition::Equal(set, right));
        };
        self.check_members(&left, &values, kind)?;
        if let Some(at) = (1..names.len()).find(|at| names[..*at].contains(&names[*at])) {
            return self.fail(KindProblem::TwiceInSet.at(&values[at].span));
        }
        Ok(Condition::Exactly(set, names))
    }

    /// Returns the left side as a set of the kind that the braces hold, and that kind.
    fn left_of_pattern(&mut self, left: &TypedExpr, member: Kind, span: &Span) -> LowerResult<(Expr, Kind)> {
        match (left.kind, member) {
            (Kind::Number, _) => self.fail(KindProblem::NumberWithSet.at_both(span, &left.span)),
            (Kind::Candidate, Kind::Cell) => Ok((Expr::UnsolvedCells(Box::new(left.expr.clone())), Kind::Cell)),
            (Kind::House(_), Kind::Cell) => self.fail(KindProblem::HouseWithCells.at(&left.span)),
            (Kind::Cell, Kind::Digit) => self.fail(KindProblem::CellsWithDigits.at(&left.span)),
            (kind, _) => Ok((left.expr.clone(), kind)),
        }
    }

    fn check_members(&mut self, left: &TypedExpr, values: &[TypedExpr], kind: Kind) -> LowerResult<()> {
        let Some(value) = values.iter().find(|value| common(value.kind, kind).is_none()) else { return Ok(()) };
        let problem = KindProblem::OtherMember { set: describe(kind, false), what: value.what() };
        self.fail(problem.at_both(&value.span, &left.span))
    }

    /// Returns the members as names, if all are names of single things.
    fn single_names(&self, members: &[ast::Expr]) -> Option<Vec<VarId>> {
        let ids = members.iter().map(|member| self.find(&member.as_name()?.name));
        ids.map(|id| id.filter(|id| self.symbols[id.0].shape == VarShape::Single)).collect()
    }

    /// Returns the kind of the members of a pattern, for names that it binds.
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
