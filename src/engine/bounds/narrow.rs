//! Narrows the domain of a name before the loop over it. In: a condition, and the names that have values. Out:
//! [`Narrowing`]s: a set to intersect with, an estimate of the share that remains, and whether the condition is then
//! implied.

use super::RuleFacts;
use super::count::{CountClaim, MOST, Range};
use crate::lang::ir::{
    Comparison, Condition, Expr, Incidence, Kind, Operand, PredicateId, Quantifier, VarId, VarShape, Variant,
};

/// A restriction of the domain of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Narrowing {
    /// Members of a set.
    InSet(Expr),
    /// Members of a set that has exactly as many members as there are names for them.
    ElementOf(Expr),
    /// Cells by the number of their candidates.
    Counting(Range),
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
    GivensAllow(Expr),
    /// Digits that are candidates somewhere in these cells.
    SomewhereIn(Expr),
    /// Houses related to this set by incidence.
    Lying(Incidence, Expr),
    /// Houses that hold every one of these cells.
    Holding(Expr),
    /// Not a member of a set.
    NotInSet(Expr),
    /// Houses that hold a place of these digits, among these cells.
    HousesWith(Expr, Option<Expr>),
    /// Candidates of a set.
    InCandidates(Expr),
    /// Houses by the number of their unsolved cells, or of the places of these digits.
    HousesCounting(Option<Expr>, Range),
    /// Digits by the number of their places among these cells.
    DigitsCounting(Expr, Range),
    /// Digits with places among the first cells, all of which are among the second ones.
    DigitsWithin(Expr, Expr),
    /// Members for which a condition on the running name holds; tested one by one, after all other narrowings.
    Filter(VarId, Condition),
}

/// A narrowing, the share of the domain that it leaves, and whether it implies the condition.
#[derive(Clone, Debug)]
pub(crate) struct Narrowed {
    pub how: Narrowing,
    pub share: f64,
    pub complete: bool,
}

/// Finds the narrowings of `var`, one of the condition's `names`, given the names that have values.
pub(crate) fn narrowing(
    known: RuleFacts<'_>,
    bound: &dyn Fn(VarId) -> bool,
    (condition, names): (&Condition, &[VarId]),
    var: VarId,
) -> Vec<Narrowed> {
    let others = names.iter().all(|&name| name == var || bound(name));
    if others && let Some(found) = of_members(known.variant, condition, var) {
        return vec![found];
    }
    let context = Context { known, bound, others, var };
    let kind = known.variant.var(var).kind;
    let found = match kind {
        Kind::Cell => context.cell(condition),
        Kind::Digit => context.digit(condition),
        Kind::House(_) => context.house(condition),
        Kind::Candidate => context.candidate(condition),
        Kind::Number => None,
    };
    let mut all: Vec<Narrowed> = found.into_iter().collect();
    // A set without members is chosen from anything, but it is within nothing.
    if matches!(condition, Condition::Within(..)) && known.may_be_empty(var) {
        all.iter_mut().for_each(|one| one.complete = false);
    }
    if kind != Kind::Candidate {
        known.count_claims(condition, &mut |claim| {
            if let Some(one) = context.counted(claim)
                && !all.iter().any(|known| known.implies(&one.how))
            {
                all.push(one);
            }
        });
    }
    all
}

/// Input for narrowing one name.
struct Context<'a> {
    known: RuleFacts<'a>,
    bound: &'a dyn Fn(VarId) -> bool,
    /// True if all other names of the condition have values.
    others: bool,
    var: VarId,
}

/// Estimates the share of the board that some cells cover.
fn share_of_cells(cells: &Expr) -> f64 {
    match cells {
        Expr::HouseCells(_) => 0.12,
        Expr::Intersection(a, b) => share_of_cells(a) * share_of_cells(b),
        Expr::Difference(a, _) => share_of_cells(a),
        _ => 0.3,
    }
}

fn some(how: Narrowing, share: f64, complete: bool) -> Option<Narrowed> {
    Some(Narrowed { how, share, complete })
}

impl Narrowed {
    /// Returns true if this narrowing implies the other.
    pub fn implies(&self, other: &Narrowing) -> bool {
        match other {
            Narrowing::SomewhereIn(cells) => matches!(&self.how,
                Narrowing::SomewhereIn(of) | Narrowing::DigitsWithin(of, _) | Narrowing::DigitsCounting(of, (1.., _))
                if of == cells),
            other => self.how == *other,
        }
    }
}

impl Context<'_> {
    fn is(&self, expr: &Expr) -> bool {
        *expr == Expr::Var(self.var)
    }

    fn free(&self, expr: &Expr) -> bool {
        expr.names().into_iter().all(self.bound)
    }

    fn is_house_cells_of(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::HouseCells(house) if self.is(house))
    }

    fn is_single(&self) -> bool {
        self.known.variant.var(self.var).shape == VarShape::Single
    }

    /// The set is `every` of the name (or the name is single): then each member obeys.
    fn subject(&self, side: &Operand) -> bool {
        self.is(&side.cells) && side.quantifier == Quantifier::Every
    }

    /// Narrows the name by a bound on the number of members of a set.
    fn counted(&self, CountClaim { of, digits, range, whole }: CountClaim<'_>) -> Option<Narrowed> {
        let declared = self.known.variant.var(self.var);
        let one = self.is_single();
        let counts_one = one && whole && !digits;
        match (declared.kind, of) {
            (Kind::Cell, cells) if digits && self.is(cells) => {
                // No cell of a set has more candidates than all cells together.
                let set = declared.shape == VarShape::Set;
                let range = if set { (0, range.1) } else { range };
                let implies = whole || range.0 > 1 || range.1 <= FEW;
                implies.then_some(Narrowed {
                    how: Narrowing::Counting(range),
                    share: share_counting(range),
                    complete: whole && !set,
                })
            }
            (Kind::Digit, Expr::In(digit, cells)) if one && !digits && self.is(digit) && self.free(cells) => {
                let cells = cells.as_ref().clone();
                match range {
                    (1, MOST) => some(Narrowing::SomewhereIn(cells), 0.6, whole),
                    range => some(Narrowing::DigitsCounting(cells, range), if whole { 0.1 } else { 0.3 }, whole),
                }
            }
            (Kind::House(_), Expr::UnsolvedCells(cells)) if counts_one && self.is_house_cells_of(cells) => {
                some(Narrowing::HousesCounting(None, range), share_of_houses(range), true)
            }
            (Kind::House(_), Expr::In(digit, cells))
                if counts_one && self.is_house_cells_of(cells) && self.known.is_one(digit) && self.free(digit) =>
            {
                some(Narrowing::HousesCounting(Some(digit.as_ref().clone()), range), share_of_houses(range), true)
            }
            _ => None,
        }
    }

    fn cell(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Exactly(set, members) => self.exactly(set, members),
            Condition::Predicate(PredicateId::Conjugate, args, _)
                if args[1..].iter().all(|end| self.known.is_one(end)) =>
            {
                self.conjugate(&args[0], &args[1], &args[2])
            }
            _ if !self.others => None,
            Condition::Equal(a, b) => self.just(a, b).or_else(|| self.just(b, a)),
            Condition::Within(a, b) if self.is(a) && self.free(b) => {
                some(Narrowing::InSet(b.clone()), share_of_cells(b), true)
            }
            Condition::Sees(a, b) if self.subject(a) && self.free(&b.cells) => self.sees(b),
            Condition::Sees(a, b) if self.subject(b) && self.free(&a.cells) && a.quantifier == Quantifier::Every => {
                self.sees(a)
            }
            Condition::Has(side, digits) if self.subject(side) && self.free(digits) => {
                some(Narrowing::Has(digits.clone()), 0.33, true)
            }
            Condition::Lacks(side, digits) if self.subject(side) && self.free(digits) => {
                some(Narrowing::Lacks(digits.clone()), 0.7, true)
            }
            Condition::Disjoint(a, b) => [(a, b), (b, a)].into_iter().find_map(|(of, digits)| match of {
                Expr::Digits(cells) if self.is(cells) && self.free(digits) => {
                    some(Narrowing::Lacks(digits.clone()), 0.7, true)
                }
                _ => None,
            }),
            // The cell has none of the other digits.
            Condition::Within(Expr::Digits(cells), digits) if self.is(cells) && self.free(digits) => {
                let others = Expr::Difference(Box::new(Expr::AllDigits), Box::new(digits.clone()));
                some(Narrowing::Lacks(others), 0.3, true)
            }
            Condition::GivensAllow(side, digits) if self.subject(side) && self.free(digits) => {
                some(Narrowing::GivensAllow(digits.clone()), 0.9, true)
            }
            _ => None,
        }
    }

    fn sees(&self, other: &Operand) -> Option<Narrowed> {
        some(Narrowing::Sees(other.quantifier == Quantifier::Every, other.cells.clone()), 0.25, true)
    }

    /// `digits(c) = {x, z}`: how many there are is a condition of its own.
    fn exactly(&self, set: &Expr, members: &[VarId]) -> Option<Narrowed> {
        if let Expr::Digits(of) = set
            && self.is(of)
        {
            let known: Vec<Expr> =
                members.iter().filter(|&&one| (self.bound)(one)).map(|&one| Expr::Var(one)).collect();
            let (share, complete) = (0.33f64.powi(known.len() as i32), known.len() == members.len());
            let digits = match known.as_slice() {
                [] => return None,
                [one] => one.clone(),
                _ => Expr::Union(known),
            };
            return some(Narrowing::Has(digits), share, complete);
        }
        (members.contains(&self.var) && self.free(set)).then(|| {
            let left = members.iter().filter(|&&member| !(self.bound)(member)).count();
            Narrowed { how: Narrowing::ElementOf(set.clone()), share: left as f64 / self.base(), complete: false }
        })
    }

    /// `digits(c) = d + z`: c has each of these digits. The bound on their number is a narrowing of its own.
    fn just(&self, digits: &Expr, those: &Expr) -> Option<Narrowed> {
        let (Expr::Digits(of), Expr::Union(parts)) = (digits, those) else { return None };
        let single = self.known.variant.var(self.var).shape != VarShape::Set;
        let implies = single && self.is(of) && self.free(those) && parts.iter().all(|part| self.known.is_one(part));
        implies.then(|| Narrowed {
            how: Narrowing::Has(those.clone()),
            share: 0.33f64.powi(parts.len() as i32),
            complete: false,
        })
    }

    fn base(&self) -> f64 {
        match self.known.variant.var(self.var).kind {
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
            Condition::Exactly(set, members) if self.is_single() => self.exactly(set, members),
            Condition::Within(a, b) if self.is(a) && self.others && self.free(b) => {
                some(Narrowing::InSet(b.clone()), 0.4, true)
            }
            Condition::Has(side, digits) if self.is(digits) && self.others && self.free(&side.cells) => {
                self.option_of(side, true)
            }
            Condition::Lacks(side, digits) if self.is(digits) && self.others && self.free(&side.cells) => {
                self.option_of(side, false)
            }
            // The conditions below ask for some member of a set, not for each.
            _ if !self.is_single() => None,
            Condition::Predicate(PredicateId::Conjugate, args, _) if self.is(&args[0]) => {
                let cell = args[1..].iter().find(|cell| self.free(cell))?;
                some(Narrowing::SomewhereIn(cell.clone()), 0.33, false)
            }
            Condition::Within(Expr::UnsolvedCells(noun), cover) if self.others && self.free(cover) => {
                match noun.as_ref() {
                    Expr::In(digits, cells) if self.is(digits) && self.free(cells) => {
                        some(Narrowing::DigitsWithin(cells.as_ref().clone(), cover.clone()), 0.2, true)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn option_of(&self, side: &Operand, wanted: bool) -> Option<Narrowed> {
        // Only named cells are known to be unsolved, so that their options are their candidates. An empty set of cells
        // narrows nothing.
        let cells = matches!(side.cells, Expr::Var(name) if !wanted || !self.known.may_be_empty(name));
        (side.quantifier == Quantifier::Every && cells).then(|| Narrowed {
            how: Narrowing::OptionOf(side.cells.clone(), wanted),
            share: 0.4,
            complete: false,
        })
    }

    fn candidate(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Within(a, b) if self.is(a) && self.is_single() && self.free(b) => {
                some(Narrowing::InCandidates(b.clone()), 0.1, true)
            }
            _ => None,
        }
    }

    fn house(&self, condition: &Condition) -> Option<Narrowed> {
        match condition {
            Condition::Within(a, b) if self.is(a) && self.free(b) => some(Narrowing::InSet(b.clone()), 0.3, true),
            // In a set of houses no single house needs to hold all cells.
            Condition::Within(a, Expr::HouseCells(b)) if self.is(b) && self.free(a) && self.is_single() => {
                some(Narrowing::Holding(a.clone()), 0.08, false)
            }
            Condition::Incident(a, Incidence::Avoiding, _) if self.is(a) => None,
            // An empty set of houses is related to every house.
            Condition::Incident(a, _, b)
                if self.known.may_be_no_house(a) && !self.is(a) || self.known.may_be_no_house(b) && !self.is(b) =>
            {
                None
            }
            Condition::Incident(a, how, b) if self.is(a) && self.free(b) => {
                some(Narrowing::Lying(*how, b.clone()), 0.4, true)
            }
            Condition::Incident(a, how, b)
                if self.is(b)
                    && self.free(a)
                    && matches!(how, Incidence::Meeting | Incidence::Crossing | Incidence::Parallel) =>
            {
                some(Narrowing::Lying(*how, a.clone()), 0.4, false)
            }
            _ => None,
        }
    }
}

/// Few cells have more candidates.
const FEW: u32 = 4;

/// About which part of the houses passes a count.
fn share_of_houses(range: Range) -> f64 {
    if range == (1, MOST) { 0.7 } else { 0.25 }
}

/// About which part of the unsolved cells has a number of candidates.
fn share_counting((least, most): Range) -> f64 {
    match (least, most) {
        (1, 1) => 0.05,
        (2, 2) => 0.25,
        (3, 3) => 0.3,
        (4, 4) => 0.2,
        (least, most) if least == most => 0.1,
        (1.., ..MOST) => 0.4,
        _ => 0.6,
    }
}

/// Narrows `var` member by member, if all other names of the condition have values.
pub(super) fn of_members(variant: &Variant, condition: &Condition, var: VarId) -> Option<Narrowed> {
    let name = Expr::Var(var);
    match condition {
        Condition::Disjoint(a, b) if *a == name && lacks(b, var) => Some(outside(b)),
        Condition::Disjoint(a, b) if *b == name && lacks(a, var) => Some(outside(a)),
        Condition::No(Expr::In(digits, cells))
            if **cells == name && lacks(digits, var) && variant.var(var).kind == Kind::Cell =>
        {
            Some(Narrowed { how: Narrowing::Lacks(digits.as_ref().clone()), share: 0.6, complete: true })
        }
        // A set has none of something if no member of it by itself has.
        Condition::No(of) if adds_up(of, var) => alone(condition, var),
        Condition::Compare(Expr::Count(of), Comparison::Equal, Expr::Number(0)) if adds_up(of, var) => {
            alone(condition, var)
        }
        // Partners share a house, so each member can be tested alone. Without members the condition implies nothing about a
        // member.
        Condition::Predicate(PredicateId::ClosedBetween, args, _)
            if adds_up(&args[0], var) && args[1..].iter().all(|line| lacks(line, var)) =>
        {
            alone(condition, var).map(|found| Narrowed { complete: false, ..found })
        }
        Condition::ForAll(member, of, part)
            if *of == name && variant.var(var).shape == VarShape::Set && !part.free_names().contains(&var) =>
        {
            let houses = matches!(variant.var(var).kind, Kind::House(_));
            let how = houses.then(|| holding(*member, part)).flatten();
            let how = how.unwrap_or_else(|| Narrowing::Filter(*member, part.as_ref().clone()));
            Some(Narrowed { how, share: 0.5, complete: true })
        }
        _ => None,
    }
}

/// Tests the condition with the name standing for one member at a time.
fn alone(condition: &Condition, var: VarId) -> Option<Narrowed> {
    Some(Narrowed { how: Narrowing::Filter(var, condition.clone()), share: 0.5, complete: true })
}

/// Returns true if the expression, for a set, is the union of its values for the members.
fn adds_up(expr: &Expr, var: VarId) -> bool {
    match expr {
        Expr::Var(name) => *name == var,
        Expr::HouseCells(of) | Expr::UnsolvedCells(of) | Expr::Values(of) | Expr::Digits(of) => adds_up(of, var),
        Expr::Intersection(a, b) | Expr::In(a, b) => {
            lacks(a, var) && adds_up(b, var) || lacks(b, var) && adds_up(a, var)
        }
        Expr::Difference(a, b) => lacks(b, var) && adds_up(a, var),
        _ => false,
    }
}

/// Returns true if an expression does not use a name.
fn lacks(expr: &Expr, name: VarId) -> bool {
    !expr.names().contains(&name)
}

fn outside(set: &Expr) -> Narrowed {
    Narrowed { how: Narrowing::NotInSet(set.clone()), share: 0.9, complete: true }
}

/// `some d in h`, `some d in h & X`: the houses that hold one of the places of d (in X).
fn holding(member: VarId, part: &Condition) -> Option<Narrowing> {
    let Condition::Some(Expr::In(digits, cells)) = part else { return None };
    let house = Expr::HouseCells(Box::new(Expr::Var(member)));
    let among = match cells.as_ref() {
        cells if *cells == house => None,
        Expr::Intersection(a, b) if **a == house && lacks(b, member) => Some(b.as_ref().clone()),
        Expr::Intersection(a, b) if **b == house && lacks(a, member) => Some(a.as_ref().clone()),
        _ => return None,
    };
    lacks(digits, member).then(|| Narrowing::HousesWith(digits.as_ref().clone(), among))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ir::{Origin, Var};

    fn name(id: usize) -> Expr {
        Expr::Var(VarId(id))
    }

    /// Narrowings of cell 0, where cell 1 and digit 2 have values.
    fn of_the_cell(condition: &Condition) -> Vec<(Narrowing, bool)> {
        let vars = [Kind::Cell, Kind::Cell, Kind::Digit].map(|kind| Var {
            name: String::new(),
            kind,
            shape: VarShape::Single,
            origin: Origin::Chosen,
        });
        let variant = Variant { vars: vars.into(), ..Variant::default() };
        let known = RuleFacts { variant: &variant, args: &[] };
        let found = narrowing(known, &|name| name.0 > 0, (condition, &condition.free_names()), VarId(0));
        found.into_iter().map(|one| (one.how, one.complete)).collect()
    }

    #[test]
    fn a_cell_that_sees_another_is_chosen_from_its_peers() {
        let condition = Condition::Sees(Operand::every(name(0)), Operand::every(name(1)));
        assert_eq!(of_the_cell(&condition), [(Narrowing::Sees(true, name(1)), true)]);
    }

    #[test]
    fn a_cell_outside_of_a_set_is_no_member_of_it() {
        let condition = Condition::Disjoint(name(0), name(1));
        assert_eq!(of_the_cell(&condition), [(Narrowing::NotInSet(name(1)), true)]);
    }

    #[test]
    fn a_count_of_candidates_narrows_by_number() {
        let digits = Expr::Digits(Box::new(name(0)));
        let condition = Condition::Compare(Expr::Count(Box::new(digits)), Comparison::Equal, Expr::Number(2));
        assert_eq!(of_the_cell(&condition), [(Narrowing::Counting((2, 2)), true)]);
    }
}
