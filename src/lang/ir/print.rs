//! The checked form back in words. In: a condition or conclusion and its variant. Out: the line an author would
//! write for it.

use super::{Claim, Comparison, Conclusion, Condition, Expr, HouseClass, Incidence, Kind, Operand, PredicateId};
use super::{Param, Quantifier, Var, VarId, VarShape, Variant};

/// Prints the parts of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    /// The variant that the names of the printed parts belong to.
    pub variant: &'a Variant,
    /// The parameters of the technique.
    pub params: &'a [Param],
}

impl<'a> Printer<'a> {
    fn var(&self, var: VarId) -> &'a Var {
        self.variant.var(var)
    }

    /// `conclude some z in A + B`.
    pub fn conclusion(&self, conclusion: &Conclusion) -> String {
        let words = match &conclusion.claim {
            Claim::Some(noun) => format!("conclude some {}", self.noun(noun)),
            Claim::Eliminate(Expr::In(digits, cells)) => {
                format!("eliminate {} from {}", self.expr(digits), self.expr(cells))
            }
            Claim::Eliminate(noun) => format!("eliminate {}", self.noun(noun)),
            Claim::Place(noun) => format!("place {}", self.noun(noun)),
            Claim::Links { of, outside } => {
                let where_to = if *outside { " outside its cells" } else { "" };
                format!("conclude every link of {}{where_to}", self.name(*of))
            }
        };
        format!("{words}{}", self.suffix(conclusion.for_each.as_ref()))
    }

    fn suffix(&self, per: Option<&(VarId, Expr)>) -> String {
        per.map_or(String::new(), |(index, of)| format!(" for {} in {}", self.name(*index), self.expr(of)))
    }

    /// `d in source within target`.
    pub fn condition(&self, condition: &Condition) -> String {
        let x = |expr: &Expr| self.expr(expr);
        match condition {
            Condition::Compare(a, op, b) => format!("{} {} {}", x(a), comparison(*op), x(b)),
            Condition::Equal(a, b) => format!("{} = {}", x(a), x(b)),
            Condition::Exactly(set, names) => format!("{} = {{{}}}", x(set), self.names(names)),
            Condition::Within(a, b) => format!("{} within {}", x(a), x(b)),
            Condition::Disjoint(a, b) => format!("{} disjoint {}", x(a), x(b)),
            Condition::Some(of) => format!("some {}", x(of)),
            Condition::No(of) => format!("no {}", x(of)),
            Condition::Sees(a, b) => format!("{} sees {}", self.operand(a), self.operand(b)),
            Condition::Has(side, digits) => format!("{} has {}", self.operand(side), self.all_of(digits)),
            Condition::Lacks(side, digits) => format!("{} lacks {}", self.operand(side), self.all_of(digits)),
            // Equal sides stand for a relation between every two houses of one set.
            Condition::Incident(a, how, b) if a == b => format!("{} {}", x(a), incidence(*how)),
            Condition::Incident(a, how, b) => format!("{} {} {}", x(a), incidence(*how), x(b)),
            Condition::Connected(cells) => format!("{} connected", x(cells)),
            Condition::AlmostLocked(cells, 1) => format!("{} is an als", x(cells)),
            Condition::AlmostLocked(cells, over) => format!("{} is an als({over})", x(cells)),
            Condition::Predicate(id, args, _) => self.predicate(*id, args),
            Condition::GivensAllow(side, digits) => {
                let cells =
                    if side.quantifier == Quantifier::Every { self.part(&side.cells) } else { self.operand(side) };
                format!("givens allow {} in {cells}", self.part(digits))
            }
            Condition::ForAll(..) | Condition::Exists(..) => self.repeated(condition),
            Condition::And(parts) => self.joined(parts, " and "),
            Condition::Or(parts) => self.joined(parts, " or "),
            Condition::Not(part) if let Condition::Equal(a, b) = part.as_ref() => format!("{} != {}", x(a), x(b)),
            Condition::Not(part) => format!("not ({})", self.condition(part)),
        }
    }

    fn predicate(&self, id: PredicateId, args: &[Expr]) -> String {
        let words: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
        let of = &words[0];
        match id {
            PredicateId::InOneHouse(class) => format!("{of} in one {}", class_singular(class)),
            PredicateId::Group => format!("{of} is a group"),
            PredicateId::Closed => format!("{of} closed"),
            PredicateId::ClosedBetween => format!("{of} closed between {}", words[1..].join(", ")),
            PredicateId::Conjugate => format!("({of}){} = ({of}){}", words[1], words[2]),
        }
    }

    /// `… for h in houses for d in digits(h)`, the outermost first.
    fn repeated(&self, condition: &Condition) -> String {
        let (mut inside, mut loops) = (condition, String::new());
        loop {
            let (word, index, of, part) = match inside {
                Condition::ForAll(index, of, part) => ("for", index, of, part),
                Condition::Exists(index, of, part) => ("for some", index, of, part),
                _ => return format!("{}{loops}", self.condition(inside)),
            };
            loops += &format!(" {word} {} in {}", self.name(*index), self.expr(of));
            inside = part;
        }
    }

    fn joined(&self, parts: &[Condition], with: &str) -> String {
        let nested = |part: &Condition| matches!(part, Condition::And(_) | Condition::Or(_));
        let words = parts.iter().map(|part| match nested(part) {
            true => format!("({})", self.condition(part)),
            false => self.condition(part),
        });
        words.collect::<Vec<_>>().join(with)
    }

    /// Prints digits that must all have the property: `{x, y}`, `every digits(c)`.
    fn all_of(&self, digits: &Expr) -> String {
        let single = |one: &Expr| matches!(one, Expr::Var(var) if self.var(*var).shape == VarShape::Single);
        match digits {
            one if single(one) => self.expr(one),
            Expr::Union(parts) if parts.iter().all(single) => {
                if let [one] = parts.as_slice() {
                    return self.expr(one);
                }
                let parts: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
                format!("{{{}}}", parts.join(", "))
            }
            set => format!("every {}", self.expr(set)),
        }
    }

    fn operand(&self, side: &Operand) -> String {
        let single = match &side.cells {
            Expr::Var(var) => self.var(*var).shape == VarShape::Single,
            Expr::Member(..) => true,
            _ => false,
        };
        match (single, side.quantifier) {
            (true, _) => self.expr(&side.cells),
            (false, Quantifier::Every) => format!("every {}", self.expr(&side.cells)),
            (false, Quantifier::Some) => format!("some {}", self.expr(&side.cells)),
        }
    }

    fn name(&self, var: VarId) -> &'a str {
        &self.var(var).name
    }

    fn names(&self, names: &[VarId]) -> String {
        names.iter().map(|&name| self.name(name)).collect::<Vec<_>>().join(", ")
    }

    fn noun(&self, noun: &Expr) -> String {
        match noun {
            Expr::Union(parts) => parts.iter().map(|part| self.noun(part)).collect::<Vec<_>>().join(", "),
            _ => self.expr(noun),
        }
    }

    /// `digits(s) - z`.
    pub fn expr(&self, expr: &Expr) -> String {
        let x = |expr: &Expr| self.expr(expr);
        let part = |expr: &Expr| self.part(expr);
        match expr {
            Expr::Var(var) => self.name(*var).to_string(),
            Expr::Member(family, index) => format!("{}[{}]", self.name(*family), self.name(*index)),
            Expr::AllDigits => "digits".into(),
            Expr::AllCells => "cells".into(),
            Expr::AllHouses(class) => class_plural(*class),
            Expr::Union(parts) => parts.iter().map(part).collect::<Vec<_>>().join(" + "),
            Expr::Intersection(a, b) => format!("{} & {}", part(a), part(b)),
            Expr::Difference(a, b) | Expr::Subtract(a, b) => format!("{} - {}", part(a), part(b)),
            Expr::Add(a, b) => format!("{} + {}", part(a), part(b)),
            Expr::Digits(of) => format!("digits({})", x(of)),
            Expr::Values(of) => format!("values({})", x(of)),
            Expr::HouseCells(of) => x(of),
            Expr::UnsolvedCells(of) => format!("cells({})", x(of)),
            Expr::In(digits, cells) => format!("{} in {}", x(digits), x(cells)),
            Expr::Seeing { every, of } => self.seeing(*every, of),
            Expr::HousesOf(class @ (HouseClass::Any | HouseClass::Line), of) => {
                format!("{}s({})", class_singular(*class), x(of))
            }
            Expr::HousesOf(class, of) => format!("{}({})", class_singular(*class), x(of)),
            Expr::Number(value) => value.to_string(),
            Expr::Param(index) => self.params.get(*index).map_or_else(|| "?".into(), |param| param.name.clone()),
            Expr::Count(of) => match of.as_ref() {
                Expr::Var(_) | Expr::Digits(_) | Expr::Values(_) | Expr::UnsolvedCells(_) => format!("#{}", x(of)),
                _ => format!("#({})", x(of)),
            },
            Expr::MaxOccurrences(digits, cells) => format!("times({}, {})", x(digits), x(cells)),
            Expr::Filter { var, of, when } => {
                format!("(those {} in {} with {})", self.name(*var), x(of), self.condition(when))
            }
            Expr::Excluded { every, of } => {
                format!("candidates excluded by {} {}", if *every { "every" } else { "some" }, self.part(of))
            }
            Expr::Overlap(of) => format!("overlap({})", x(of)),
            Expr::InNoTemplate(of) if self.is_digits(of) => format!("in_no_template({})", x(of)),
            Expr::InNoTemplate(of) => format!("in_no_combination({})", x(of)),
            Expr::InEveryTemplate(of) => format!("in_every_template({})", x(of)),
        }
    }

    fn seeing(&self, every: bool, of: &Expr) -> String {
        match of {
            Expr::Var(var) if self.var(*var).shape == VarShape::Single && self.var(*var).kind == Kind::Cell => {
                format!("cells seeing {}", self.name(*var))
            }
            _ => format!("cells seeing {} {}", if every { "every" } else { "some" }, self.part(of)),
        }
    }

    fn is_digits(&self, set: &Expr) -> bool {
        match set {
            Expr::Var(var) | Expr::Member(var, _) => self.var(*var).kind == Kind::Digit,
            Expr::AllDigits | Expr::Digits(_) | Expr::Values(_) => true,
            Expr::Union(parts) => parts.first().is_some_and(|part| self.is_digits(part)),
            Expr::Intersection(part, _) | Expr::Difference(part, _) => self.is_digits(part),
            Expr::Filter { of, .. } => self.is_digits(of),
            _ => false,
        }
    }

    /// Prints an expression, in parentheses if its outermost node is an operator.
    fn part(&self, expr: &Expr) -> String {
        let made = matches!(
            expr,
            Expr::Intersection(..) | Expr::Difference(..) | Expr::Add(..) | Expr::Subtract(..) | Expr::In(..)
        ) || matches!(expr, Expr::Union(parts) if parts.len() > 1);
        let inner = match expr {
            Expr::HouseCells(of) => return self.part(of),
            _ => self.expr(expr),
        };
        if made { format!("({inner})") } else { inner }
    }
}

fn comparison(op: Comparison) -> &'static str {
    match op {
        Comparison::Equal => "=",
        Comparison::NotEqual => "!=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

fn incidence(how: Incidence) -> &'static str {
    match how {
        Incidence::Meeting => "meeting",
        Incidence::Avoiding => "avoiding",
        Incidence::Through => "through",
        Incidence::Crossing => "crossing",
        Incidence::Parallel => "parallel",
    }
}

/// Returns the plural for a class of houses: `rows`.
pub(crate) fn class_plural(class: HouseClass) -> String {
    let one = class_singular(class);
    format!("{one}{}", if one.ends_with('x') { "es" } else { "s" })
}

/// Returns the singular for a class of houses: `row`.
pub(crate) fn class_singular(class: HouseClass) -> &'static str {
    match class {
        HouseClass::Any => "house",
        HouseClass::Row => "row",
        HouseClass::Column => "column",
        HouseClass::Box => "box",
        HouseClass::Line => "line",
    }
}
