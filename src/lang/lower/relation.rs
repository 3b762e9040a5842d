//! Relations that a list follows. In: a subject, a relation, a list. Out: checked conditions, `every` and
//! `some` resolved.

use super::Checked;
use super::names::Rule;
use super::value::{Shape, Value};
use crate::lang::ast::{Determiner, Noun, Relation, Span};
use crate::lang::codes::{KindProblem, Problem};
use crate::lang::ir::{Condition, Expr, HouseClass, Incidence, Kind, Operand, Quantifier, VarId, VarShape};

type Quantified<'a> = Option<&'a (Determiner, Span)>;

impl Rule<'_> {
    pub fn relation(
        &mut self,
        subject: &Value,
        determiner: Quantified,
        (relation, word): (Relation, &Span),
        second: Quantified,
        to: Option<&Noun>,
    ) -> Checked<Condition> {
        let incidence = match relation {
            Relation::Has | Relation::Lacks => return self.has(subject, determiner, relation, second, to),
            Relation::Sees => return self.sees(subject, determiner, second, to),
            Relation::Meeting => Incidence::Meeting,
            Relation::Avoiding => Incidence::Missing,
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
        subject: &Value,
        determiner: Quantified,
        relation: Relation,
        second: Quantified,
        to: Option<&Noun>,
    ) -> Checked<Condition> {
        let Some(to) = to else { return Err(super::ErrorReported) };
        if let (true, None) = (subject.whole, determiner) {
            return self.whole_has(subject, relation, second, to);
        }
        let word = if relation == Relation::Has { "has" } else { "lacks" };
        let operand = self.operand(subject, determiner, &format!("what {word} digits"));
        let value = self.noun(to)?;
        let digits = self.digits_of(&value, &format!("what a cell {word}"))?;
        match second {
            Some((_, place)) => self.no_determiner_on_one(&value, place)?,
            None => self.determiner_on_many(&value)?,
        }
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
    fn whole_has(&mut self, subject: &Value, relation: Relation, second: Quantified, to: &Noun) -> Checked<Condition> {
        let word = if relation == Relation::Has { "has" } else { "lacks" };
        let value = self.noun(to)?;
        let digits = self.digits_of(&value, &format!("what a set {word}"))?;
        match second {
            Some((_, place)) => self.no_determiner_on_one(&value, place)?,
            None => self.determiner_on_many(&value)?,
        }
        let there = |digit: Expr| Expr::In(Box::new(digit), Box::new(subject.expr.clone()));
        let every = || {
            let one_by_one = match &digits {
                Expr::Union(parts) if value.shape == Shape::Listed => parts.clone(),
                single if value.shape == Shape::One => vec![single.clone()],
                many => {
                    let of = Expr::Digits(Box::new(subject.expr.clone()));
                    return Condition::Within(many.clone(), of);
                }
            };
            let mut all: Vec<Condition> = one_by_one.into_iter().map(|digit| Condition::Some(there(digit))).collect();
            if all.len() == 1 { all.remove(0) } else { Condition::And(all) }
        };
        let second = second.map_or(Determiner::Every, |(determiner, _)| *determiner);
        match (relation, second) {
            (Relation::Has, Determiner::Every) => Ok(every()),
            (Relation::Has, Determiner::Some) => Ok(Condition::Some(there(digits))),
            (Relation::Has, Determiner::No) | (_, Determiner::Every) => Ok(Condition::No(there(digits))),
            (_, Determiner::Some) => Ok(not(every())),
            (_, Determiner::No) => self.fail(KindProblem::LacksNo.at(&value.span)),
        }
    }

    /// The name that a value is, if it is one.
    fn named(&self, value: &Value) -> Option<&str> {
        let Expr::Var(id) = value.expr else { return None };
        self.symbols.get(id.0).map(|symbol| symbol.name.as_str())
    }

    /// Returns true for a named set of houses, as opposed to one house.
    fn is_set(&self, value: &Value) -> bool {
        let symbol = |id: &VarId| self.symbols.get(id.0).is_some_and(|symbol| symbol.shape == VarShape::Set);
        !value.singles || matches!(&value.expr, Expr::Var(id) if symbol(id))
    }

    fn sees(
        &mut self,
        subject: &Value,
        determiner: Quantified,
        second: Quantified,
        to: Option<&Noun>,
    ) -> Checked<Condition> {
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
    pub fn operand(&mut self, value: &Value, determiner: Quantified, who: &str) -> Checked<(Operand, bool)> {
        let of = self.cells_of(value, true, who)?;
        let (quantifier, negated) = match determiner {
            None => {
                self.determiner_on_many(value)?;
                (Quantifier::Every, false)
            }
            Some((determiner, place)) => {
                self.no_determiner_on_one(value, place)?;
                match determiner {
                    Determiner::Every => (Quantifier::Every, false),
                    Determiner::Some => (Quantifier::Some, false),
                    Determiner::No => (Quantifier::Some, true),
                }
            }
        };
        Ok((Operand { quantifier, of }, negated))
    }

    /// Lowers an incidence of houses; a list on either side applies to each member.
    pub fn lie(&mut self, left: &Value, incidence: Incidence, right: &Value) -> Checked<Condition> {
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
        let all = matches!(incidence, Incidence::Crossing | Incidence::Parallel | Incidence::Missing);
        if right.is_house() && right.shape == Shape::Many && !all {
            let own = self
                .own
                .first()
                .map(|own| (self.symbols[own.0].name.clone(), self.named(right).unwrap_or("…").to_owned()));
            return self.fail(KindProblem::SetToRight { word, own }.at(&right.span));
        }
        let mut all = Vec::new();
        for left in members(left) {
            for right in members(right) {
                all.push(Condition::Lie(left.clone(), incidence, right));
            }
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Condition::And(all) })
    }
}

fn cells_help(value: &Value) -> Option<String> {
    (value.kind == Kind::Cell).then(|| "`row(c)`, `column(c)` and `box(c)` are the houses of a cell".to_owned())
}

/// The houses of a list one by one; cells stay together.
fn members(value: &Value) -> Vec<Expr> {
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
    Operand { quantifier, of: operand.of }
}

fn word(incidence: Incidence) -> &'static str {
    match incidence {
        Incidence::Meeting => "meeting",
        Incidence::Missing => "avoiding",
        Incidence::Through => "through",
        Incidence::Crossing => "crossing",
        Incidence::Parallel => "parallel",
    }
}
