//! How a condition narrows a name before it is looped over. In: a condition and the names that have values.
//! Out: [`Narrowing`]s: what to intersect with, how much that is worth, whether it says all of the condition.

use super::build::Builder;
use super::constraints::Constraint;
use super::counts::Range;
use crate::lang::ir::{Condition, Expr, Incidence, Kind, Operand, Origin, Quantifier, VarId, VarShape};

/// One way to narrow the domain of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Narrowing {
    /// Members of a set.
    InSet(Expr),
    /// One of the members of a set that has just so many as names want.
    ElementOf(Expr),
    /// Cells with just these candidates; `known` of them have values.
    Candidates { count: usize, known: Vec<VarId> },
    /// Cells with just so many (at most so many) candidates.
    CandidateCount(u32, bool),
    /// Cells whose number of candidates lies in a range: at least the first, at most the second.
    CandidateRange(u32, Option<u32>),
    /// Cells with more candidates than this.
    MoreCandidates(u32),
    /// Cells with each of these digits and at most so many candidates.
    Just(Expr, u32),
    /// Cells that see every (some) one of these.
    Sees(bool, Expr),
    /// Cells with every one of these digits.
    Has(Expr),
    /// Cells without any of these digits.
    Lacks(Expr),
    /// The other place of a digit in a house, seen from a cell.
    Partner(VarId, VarId),
    /// Cells that have such another place.
    Partnered(VarId),
    /// Digits that all (none) of these cells have.
    OptionOf(Expr, bool),
    /// Cells that the puzzle leaves open to all of these digits.
    OpenTo(Expr),
    /// Digits that are candidates somewhere in these cells.
    SomewhereIn(Expr),
    /// Houses that lie in a way to this.
    Lying(Incidence, Expr),
    /// Houses that hold every one of these cells.
    Holding(Expr),
    /// Not a member of a set.
    NotInSet(Expr),
    /// Houses that hold a place of these digits, among these cells.
    HousesWith(Expr, Option<Expr>),
    /// Candidates of a set.
    InCandidates(Expr),
    /// Cells all of whose candidates are among these.
    AllWithin(Expr),
    /// Houses all of whose places of some digit are among these candidates.
    DigitWithin(Expr),
    /// Houses with so many unsolved cells, or so many places of these digits.
    HousesCounting(Option<Expr>, Range),
    /// Digits with so many places among these cells.
    DigitsCounting(Expr, Range),
    /// Digits that have places among these cells, all of them among those.
    DigitsWithin(Expr, Expr),
    /// Members of which a condition on the running name holds; looked at one by one, after all others.
    Filter(VarId, Condition),
}

/// A narrowing, the share of the domain that it leaves, and whether the condition is then fully said.
pub(super) struct Narrowed {
    pub how: Narrowing,
    pub share: f64,
    pub complete: bool,
}

/// How a constraint narrows `var`, given the names that have values, if it does.
pub(super) fn narrowing(
    builder: &Builder<'_>,
    bound: &dyn Fn(VarId) -> bool,
    constraint: &Constraint,
    var: VarId,
) -> Option<Narrowed> {
    if !constraint.names.contains(&var) {
        return constraint.inlined.as_ref().and_then(|inlined| narrowing(builder, bound, inlined, var));
    }
    let others = constraint.names.iter().all(|&name| name == var || bound(name));
    let free = |expr: &Expr| {
        let mut names = Vec::new();
        expr.names(&mut names);
        names.iter().all(|&name| bound(name))
    };
    if let Some(found) = super::each::of_members(builder.variant, constraint, var, others) {
        return Some(found);
    }
    let ctx = Context { builder, bound, free: &free, others, var };
    let mut found = match builder.variant.var(var).kind {
        Kind::Cell => ctx.cell(&constraint.condition),
        Kind::Digit => ctx.digit(&constraint.condition),
        Kind::House(_) => ctx.house(&constraint.condition),
        Kind::Candidate => ctx.candidate(&constraint.condition),
        Kind::Number => None,
    }?;
    // A set without members is chosen from anything, but it is within nothing.
    if matches!(constraint.condition, Condition::Within(..)) && ctx.may_be_empty() {
        found.complete = false;
    }
    Some(found)
}

/// What a name is narrowed by: the names that have values.
pub(super) struct Context<'a> {
    pub builder: &'a Builder<'a>,
    bound: &'a dyn Fn(VarId) -> bool,
    pub free: &'a dyn Fn(&Expr) -> bool,
    pub others: bool,
    pub var: VarId,
}

/// Which part of the board some cells are, about.
fn share_of_cells(cells: &Expr) -> f64 {
    match cells {
        Expr::CellsOf(_) => 0.12,
        Expr::Intersection(a, b) => share_of_cells(a) * share_of_cells(b),
        Expr::Difference(a, _) => share_of_cells(a),
        _ => 0.3,
    }
}

pub(super) fn some(how: Narrowing, share: f64, complete: bool) -> Option<Narrowed> {
    Some(Narrowed { how, share, complete })
}

impl Context<'_> {
    pub fn is(&self, expr: &Expr) -> bool {
        *expr == Expr::Var(self.var)
    }

    /// Whether an expression is a name of one thing.
    pub fn is_one(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Var(name) if self.builder.variant.var(*name).shape == VarShape::Single)
    }

    pub fn is_single(&self) -> bool {
        self.builder.variant.var(self.var).shape == VarShape::Single
    }

    /// Whether the name is a set that may have no member.
    fn may_be_empty(&self) -> bool {
        self.builder.may_be_empty(self.var)
    }

    /// The set is `every` of the name (or the name is single): then each member obeys.
    fn subject(&self, side: &Operand) -> bool {
        self.is(&side.of) && side.quantifier == Quantifier::Every
    }

    fn cell(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Exactly(set, members) => self.exactly(set, members),
            Condition::Compare(count, op, limit) => self.candidate_count(count, *op, limit),
            Condition::Conjugate(digit, a, b) if self.is_one(a) && self.is_one(b) => self.conjugate(digit, a, b),
            _ if !self.others => None,
            Condition::Within(Expr::In(digits, a), b)
                if **digits == Expr::AllDigits && self.is(a) && self.of_set(b) =>
            {
                some(Narrowing::AllWithin(b.clone()), 0.1, true)
            }
            Condition::Equal(a, b) => self.just(a, b).or_else(|| self.just(b, a)),
            Condition::Within(a, b) if self.is(a) && (self.free)(b) => {
                some(Narrowing::InSet(b.clone()), share_of_cells(b), true)
            }
            Condition::Sees(a, b) if self.subject(a) && (self.free)(&b.of) => self.sees(b),
            Condition::Sees(a, b) if self.subject(b) && (self.free)(&a.of) && a.quantifier == Quantifier::Every => {
                self.sees(a)
            }
            Condition::Has(side, digits) if self.subject(side) && (self.free)(digits) => {
                some(Narrowing::Has(digits.clone()), 0.33, true)
            }
            Condition::Lacks(side, digits) if self.subject(side) && (self.free)(digits) => {
                some(Narrowing::Lacks(digits.clone()), 0.7, true)
            }
            Condition::OpenTo(side, digits) if self.subject(side) && (self.free)(digits) => {
                some(Narrowing::OpenTo(digits.clone()), 0.9, true)
            }
            _ => None,
        }
    }

    fn sees(&self, other: &Operand) -> Option<Narrowed> {
        some(Narrowing::Sees(other.quantifier == Quantifier::Every, other.of.clone()), 0.25, true)
    }

    fn exactly(&self, set: &Expr, members: &[VarId]) -> Option<Narrowed> {
        if let Expr::Digits(of) = set
            && self.is(of)
        {
            let known: Vec<VarId> = members.iter().copied().filter(|&member| (self.bound)(member)).collect();
            let share = 0.33f64.powi(known.len() as i32);
            let complete = known.len() == members.len();
            return some(Narrowing::Candidates { count: members.len(), known }, share, complete);
        }
        (members.contains(&self.var) && (self.free)(set)).then(|| {
            let left = members.iter().filter(|&&member| !(self.bound)(member)).count();
            Narrowed { how: Narrowing::ElementOf(set.clone()), share: left as f64 / self.base(), complete: false }
        })
    }

    /// `digits(c) = d + z`: c has each of these and no more. Two names may stand for one digit, so at most.
    fn just(&self, digits: &Expr, those: &Expr) -> Option<Narrowed> {
        let (Expr::Digits(of), Expr::Union(parts)) = (digits, those) else { return None };
        let one = |part: &Expr| {
            let Expr::Var(name) = part else { return false };
            let var = self.builder.variant.var(*name);
            var.shape == VarShape::Single && var.origin != Origin::Let
        };
        let single = self.builder.variant.var(self.var).shape != VarShape::Set;
        let says = single && self.is(of) && (self.free)(those) && parts.iter().all(one);
        says.then(|| Narrowed {
            how: Narrowing::Just(those.clone(), parts.len() as u32),
            share: 0.33f64.powi(parts.len() as i32),
            complete: false,
        })
    }

    fn base(&self) -> f64 {
        match self.builder.variant.var(self.var).kind {
            Kind::Digit => 9.0,
            Kind::House(_) => 27.0,
            _ => 45.0,
        }
    }

    fn conjugate(&self, digit: &Expr, a: &Expr, b: &Expr) -> Option<Narrowed> {
        let Expr::Var(digit) = digit else { return None };
        let other = match (a, b) {
            (Expr::Var(a), Expr::Var(b)) if *a == self.var => b,
            (Expr::Var(a), Expr::Var(b)) if *b == self.var => a,
            _ => return None,
        };
        if !(self.bound)(*digit) {
            return None;
        }
        if (self.bound)(*other) {
            return some(Narrowing::Partner(*digit, *other), 0.03, true);
        }
        some(Narrowing::Partnered(*digit), 0.25, false)
    }

    fn digit(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Exactly(set, members) if self.is_single() => self.exactly_digit(set, members),
            Condition::Within(a, b) if self.is(a) && self.others && (self.free)(b) => {
                some(Narrowing::InSet(b.clone()), 0.4, true)
            }
            Condition::Has(side, digits) if self.is(digits) && self.others && (self.free)(&side.of) => {
                self.option_of(side, true)
            }
            Condition::Lacks(side, digits) if self.is(digits) && self.others && (self.free)(&side.of) => {
                self.option_of(side, false)
            }
            // What follows asks for some member, not for each.
            _ if !self.is_single() => None,
            Condition::Conjugate(digit, a, b) if self.is(digit) => {
                let cell = [a, b].into_iter().find(|cell| (self.free)(cell))?;
                some(Narrowing::SomewhereIn(cell.clone()), 0.33, false)
            }
            Condition::Compare(Expr::Count(of), op, limit) if self.others => self.places_count(of, *op, limit),
            // To be somewhere in them is all that it says.
            Condition::Some(Expr::In(digits, cells)) if self.is(digits) && (self.free)(cells) => {
                some(Narrowing::SomewhereIn(cells.as_ref().clone()), 0.6, true)
            }
            Condition::Within(Expr::Cells(noun), cover) if self.others && (self.free)(cover) => {
                self.places_within(noun, cover)
            }
            Condition::Within(a, _) | Condition::Some(a) => self.somewhere(a),
            _ => None,
        }
    }

    fn exactly_digit(&self, set: &Expr, members: &[VarId]) -> Option<Narrowed> {
        match self.exactly(set, members) {
            None => self.somewhere(set),
            found => found,
        }
    }

    /// `d in A within B`.
    fn places_within(&self, noun: &Expr, cover: &Expr) -> Option<Narrowed> {
        match noun {
            Expr::In(digits, cells) if self.is(digits) && (self.free)(cells) => {
                some(Narrowing::DigitsWithin(cells.as_ref().clone(), cover.clone()), 0.2, true)
            }
            noun => self.somewhere(noun),
        }
    }

    fn option_of(&self, side: &Operand, wanted: bool) -> Option<Narrowed> {
        // Only names: these are unsolved cells, so their options are their candidates. Of no cell every digit is.
        let cells = matches!(side.of, Expr::Var(name) if !wanted || !self.builder.may_be_empty(name));
        (side.quantifier == Quantifier::Every && cells).then(|| Narrowed {
            how: Narrowing::OptionOf(side.of.clone(), wanted),
            share: 0.4,
            complete: false,
        })
    }

    /// The condition needs the digit somewhere in cells that are known.
    pub fn somewhere(&self, expr: &Expr) -> Option<Narrowed> {
        match expr {
            Expr::Cells(inner) => self.somewhere(inner),
            Expr::In(digits, cells) if self.is(digits) && (self.free)(cells) => {
                some(Narrowing::SomewhereIn(cells.as_ref().clone()), 0.6, false)
            }
            _ => None,
        }
    }

    fn candidate(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Within(a, b) if self.is(a) && self.is_single() && (self.free)(b) => {
                some(Narrowing::InCandidates(b.clone()), 0.1, true)
            }
            _ => None,
        }
    }

    /// Whether an expression is a name of candidates that have their value.
    fn of_set(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Var(name) if self.builder.variant.var(*name).kind == Kind::Candidate) && (self.free)(expr)
    }

    /// `d in h within these for some d in digits(h)`.
    fn some_digit(&self, digit: VarId, digits: &Expr, part: &Condition) -> Option<Narrowed> {
        let Condition::Within(Expr::In(one, cells), of) = part else { return None };
        let cells_of = |expr: &Expr| matches!(expr, Expr::CellsOf(house) if self.is(house));
        let all = matches!(digits, Expr::Digits(of) if cells_of(of));
        let says = **one == Expr::Var(digit) && cells_of(cells) && all && self.of_set(of) && self.is_single();
        says.then(|| Narrowed { how: Narrowing::DigitWithin(of.clone()), share: 0.1, complete: true })
    }

    fn house(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Compare(Expr::Count(of), op, limit) if self.others && self.is_single() => {
                self.members_count(of, *op, limit)
            }
            Condition::Within(a, b) if self.is(a) && (self.free)(b) => some(Narrowing::InSet(b.clone()), 0.3, true),
            // Of a set of houses none need hold all of the cells.
            Condition::Within(a, Expr::CellsOf(b)) if self.is(b) && (self.free)(a) && self.is_single() => {
                some(Narrowing::Holding(a.clone()), 0.08, false)
            }
            Condition::Exists(digit, digits, part) => self.some_digit(*digit, digits, part),
            Condition::Exactly(..) => None,
            Condition::Lie(a, Incidence::Missing, _) if self.is(a) => None,
            // To no house every house lies in every way.
            Condition::Lie(a, _, b)
                if self.builder.may_be_no_house(a) && !self.is(a) || self.builder.may_be_no_house(b) && !self.is(b) =>
            {
                None
            }
            Condition::Lie(a, how, b) if self.is(a) && (self.free)(b) => {
                some(Narrowing::Lying(*how, b.clone()), 0.4, true)
            }
            Condition::Lie(a, how, b)
                if self.is(b)
                    && (self.free)(a)
                    && matches!(how, Incidence::Meeting | Incidence::Crossing | Incidence::Parallel) =>
            {
                some(Narrowing::Lying(*how, a.clone()), 0.4, false)
            }
            _ => None,
        }
    }
}
