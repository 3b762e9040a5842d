//! Prints parts of the IR as rule text.

use super::{
    Claim, Conclusion, Condition, Expr, HouseClass, Kind, Operand, Param, PredicateId, Quantifier, Var, VarId,
    VarShape, Variant,
};

#[derive(Clone, Copy, Debug)]
pub struct Printer<'a> {
    pub variant: &'a Variant,
    pub params: &'a [Param],
}

impl<'a> Printer<'a> {
    /// Prints a conclusion: `conclude some z in A + B`.
    pub fn conclusion(&self, conclusion: &Conclusion) -> String {
        let claim = match &conclusion.claim {
            Claim::SomeTrue(candidates) => format!("conclude some {}", self.comma_list(candidates)),
            Claim::Eliminate(Expr::CandidatesIn(digits, cells)) => {
                format!("eliminate {} from {}", self.expr(digits), self.expr(cells))
            }
            Claim::Eliminate(candidates) => format!("eliminate {}", self.comma_list(candidates)),
            Claim::Place(candidates) => format!("place {}", self.comma_list(candidates)),
            Claim::Links { loop_name, outside_cells: false } => {
                format!("conclude every link of {}", self.name(*loop_name))
            }
            Claim::Links { loop_name, outside_cells: true } => {
                format!("conclude every link of {} outside its cells", self.name(*loop_name))
            }
        };
        match &conclusion.for_each {
            Some((index, set)) => format!("{claim} for {} in {}", self.name(*index), self.expr(set)),
            None => claim,
        }
    }

    /// Prints a condition: `d in source within target`.
    pub fn condition(&self, condition: &Condition) -> String {
        let expr = |expr: &Expr| self.expr(expr);
        match condition {
            Condition::Compare(a, comparison, b) => format!("{} {} {}", expr(a), comparison.sign(), expr(b)),
            Condition::Equal(a, b) => format!("{} = {}", expr(a), expr(b)),
            Condition::Exactly(set, names) => {
                let names: Vec<&str> = names.iter().map(|&name| self.name(name)).collect();
                format!("{} = {{{}}}", expr(set), names.join(", "))
            }
            Condition::Within(a, b) => format!("{} within {}", expr(a), expr(b)),
            Condition::Disjoint(a, b) => format!("{} disjoint {}", expr(a), expr(b)),
            Condition::NotEmpty(set) => format!("some {}", expr(set)),
            Condition::No(set) => format!("no {}", expr(set)),
            Condition::Sees(a, b) => format!("{} sees {}", self.operand(a), self.operand(b)),
            Condition::Has(operand, digits) => format!("{} has {}", self.operand(operand), self.every_digit(digits)),
            Condition::Lacks(operand, digits) => {
                format!("{} lacks {}", self.operand(operand), self.every_digit(digits))
            }
            // `H parallel` relates every two houses of H, so both sides are H.
            Condition::Incident(a, incidence, b) if a == b => format!("{} {}", expr(a), incidence.word()),
            Condition::Incident(a, incidence, b) => format!("{} {} {}", expr(a), incidence.word(), expr(b)),
            Condition::Connected(cells) => format!("{} connected", expr(cells)),
            Condition::AlmostLocked(cells, 1) => format!("{} is an als", expr(cells)),
            Condition::AlmostLocked(cells, degree) => format!("{} is an als({degree})", expr(cells)),
            Condition::Predicate(id, args, _) => self.predicate(*id, args),
            Condition::GivensAllow(operand, digits) => {
                // `every` is the default of both sides, so it is not printed.
                let cells = match operand.quantifier {
                    Quantifier::Every => self.parenthesized(&operand.cells),
                    Quantifier::Some => self.operand(operand),
                };
                format!("givens allow {} in {cells}", self.parenthesized(digits))
            }
            Condition::ForAll(..) | Condition::Exists(..) => self.quantified_condition(condition),
            Condition::And(parts) => self.join_conditions(parts, " and "),
            Condition::Or(parts) => self.join_conditions(parts, " or "),
            Condition::Not(inner) => match inner.as_ref() {
                Condition::Equal(a, b) => format!("{} != {}", expr(a), expr(b)),
                inner => format!("not ({})", self.condition(inner)),
            },
        }
    }

    fn predicate(&self, id: PredicateId, args: &[Expr]) -> String {
        let args: Vec<String> = args.iter().map(|arg| self.expr(arg)).collect();
        let subject = &args[0];
        match id {
            PredicateId::InOneHouse(class) => format!("{subject} in one {}", Kind::House(class).singular()),
            PredicateId::Group => format!("{subject} is a group"),
            PredicateId::Closed => format!("{subject} closed"),
            PredicateId::ClosedBetween => format!("{subject} closed between {}", args[1..].join(", ")),
            PredicateId::Conjugate => format!("({subject}){} = ({subject}){}", args[1], args[2]),
        }
    }

    /// Prints a condition and then its quantifiers, the outermost first: `… for h in houses for some d in digits(h)`.
    fn quantified_condition(&self, condition: &Condition) -> String {
        let mut inner = condition;
        let mut clauses = String::new();
        loop {
            let (word, index, set, part) = match inner {
                Condition::ForAll(index, set, part) => ("for", index, set, part),
                Condition::Exists(index, set, part) => ("for some", index, set, part),
                _ => return format!("{}{clauses}", self.condition(inner)),
            };
            clauses += &format!(" {word} {} in {}", self.name(*index), self.expr(set));
            inner = part;
        }
    }

    fn join_conditions(&self, parts: &[Condition], joiner: &str) -> String {
        let texts = parts.iter().map(|part| match part {
            Condition::And(_) | Condition::Or(_) => format!("({})", self.condition(part)),
            _ => self.condition(part),
        });
        texts.collect::<Vec<_>>().join(joiner)
    }

    /// Prints the digits of `has` and `lacks`, which apply to every digit: `x`, `{x, y}`, `every digits(c)`.
    fn every_digit(&self, digits: &Expr) -> String {
        if self.is_single_name(digits) {
            return self.expr(digits);
        }
        match digits {
            Expr::Union(parts) if parts.iter().all(|part| self.is_single_name(part)) => {
                let names: Vec<String> = parts.iter().map(|part| self.expr(part)).collect();
                if names.len() == 1 { names.concat() } else { format!("{{{}}}", names.join(", ")) }
            }
            set => format!("every {}", self.expr(set)),
        }
    }

    fn operand(&self, operand: &Operand) -> String {
        let cells = self.expr(&operand.cells);
        if self.is_single_name(&operand.cells) || matches!(operand.cells, Expr::Member(..)) {
            return cells;
        }
        match operand.quantifier {
            Quantifier::Every => format!("every {cells}"),
            Quantifier::Some => format!("some {cells}"),
        }
    }

    fn is_single_name(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Var(var) if self.var(*var).shape == VarShape::Single)
    }

    fn var(&self, var: VarId) -> &'a Var {
        self.variant.var(var)
    }

    fn name(&self, var: VarId) -> &'a str {
        &self.var(var).name
    }

    /// Prints an expression. A top-level union is printed with commas: `z in A, z in B`.
    fn comma_list(&self, expr: &Expr) -> String {
        match expr {
            Expr::Union(parts) => parts.iter().map(|part| self.comma_list(part)).collect::<Vec<_>>().join(", "),
            _ => self.expr(expr),
        }
    }

    /// Prints an expression: `digits(s) - z`.
    pub fn expr(&self, expr: &Expr) -> String {
        let inner = |expr: &Expr| self.expr(expr);
        let operand = |expr: &Expr| self.parenthesized(expr);
        match expr {
            Expr::Var(var) => self.name(*var).to_string(),
            Expr::Member(family, index) => format!("{}[{}]", self.name(*family), self.name(*index)),
            Expr::AllDigits => "digits".into(),
            Expr::AllCells => "cells".into(),
            Expr::AllHouses(class) => Kind::House(*class).description(false).into(),
            Expr::Union(parts) => parts.iter().map(operand).collect::<Vec<_>>().join(" + "),
            Expr::Intersection(a, b) => format!("{} & {}", operand(a), operand(b)),
            Expr::Difference(a, b) | Expr::Subtract(a, b) => format!("{} - {}", operand(a), operand(b)),
            Expr::Add(a, b) => format!("{} + {}", operand(a), operand(b)),
            Expr::Digits(set) => format!("digits({})", inner(set)),
            Expr::Values(cells) => format!("values({})", inner(cells)),
            // In the language, a house stands for its cells.
            Expr::HouseCells(houses) => inner(houses),
            Expr::CellsOf(set) => format!("cells({})", inner(set)),
            Expr::CandidatesIn(digits, cells) => format!("{} in {}", inner(digits), inner(cells)),
            Expr::Seeing { every, cells } => self.seeing(*every, cells),
            Expr::HousesOf(class @ (HouseClass::Any | HouseClass::Line), cells) => {
                format!("{}s({})", Kind::House(*class).singular(), inner(cells))
            }
            Expr::HousesOf(class, cells) => format!("{}({})", Kind::House(*class).singular(), inner(cells)),
            Expr::Number(value) => value.to_string(),
            Expr::Param(index) => self.params.get(*index).map_or_else(|| "?".into(), |param| param.name.clone()),
            Expr::Count(set) => match set.as_ref() {
                Expr::Var(_) | Expr::Digits(_) | Expr::Values(_) | Expr::CellsOf(_) => format!("#{}", inner(set)),
                _ => format!("#({})", inner(set)),
            },
            Expr::MaxOccurrences(digit, cells) => format!("times({}, {})", inner(digit), inner(cells)),
            Expr::Filter { var, set, condition } => {
                format!("(those {} in {} with {})", self.name(*var), inner(set), self.condition(condition))
            }
            Expr::Excluded { every, candidates } => {
                format!("candidates excluded by {} {}", quantifier_word(*every), operand(candidates))
            }
            Expr::Overlap(houses) => format!("overlap({})", inner(houses)),
            Expr::InNoTemplate(digits) if self.is_digits(digits) => format!("in_no_template({})", inner(digits)),
            Expr::InNoTemplate(cells) => format!("in_no_combination({})", inner(cells)),
            Expr::InEveryTemplate(digits) => format!("in_every_template({})", inner(digits)),
        }
    }

    fn seeing(&self, every: bool, cells: &Expr) -> String {
        match cells {
            Expr::Var(var) if self.is_single_name(cells) && self.var(*var).kind == Kind::Cell => {
                format!("cells seeing {}", self.name(*var))
            }
            _ => format!("cells seeing {} {}", quantifier_word(every), self.parenthesized(cells)),
        }
    }

    fn is_digits(&self, set: &Expr) -> bool {
        match set {
            Expr::Var(var) | Expr::Member(var, _) => self.var(*var).kind == Kind::Digit,
            Expr::AllDigits | Expr::Digits(_) | Expr::Values(_) => true,
            Expr::Union(parts) => parts.first().is_some_and(|part| self.is_digits(part)),
            Expr::Intersection(left, _) | Expr::Difference(left, _) => self.is_digits(left),
            Expr::Filter { set, .. } => self.is_digits(set),
            _ => false,
        }
    }

    /// Prints an expression, in parentheses if its outermost node is an operator.
    fn parenthesized(&self, expr: &Expr) -> String {
        let is_operator = match expr {
            Expr::HouseCells(houses) => return self.parenthesized(houses),
            Expr::Union(parts) => parts.len() > 1,
            Expr::Intersection(..)
            | Expr::Difference(..)
            | Expr::Add(..)
            | Expr::Subtract(..)
            | Expr::CandidatesIn(..) => true,
            _ => false,
        };
        if is_operator { format!("({})", self.expr(expr)) } else { self.expr(expr) }
    }
}

fn quantifier_word(every: bool) -> &'static str {
    if every { "every" } else { "some" }
}
