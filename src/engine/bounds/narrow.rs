//! Narrows the domain of a name before the loop over the domain. In: a condition, and the names that have values. Out:
//! [`EstimatedNarrowing`]: a restriction of the domain, with an estimate of the share of the domain that remains.

use super::RuleFacts;
use super::count::{CountClaim, NO_LIMIT, Range};
use crate::lang::ir::{
    Comparison, Condition, Expr, Incidence, Kind, Operand, PredicateId, Quantifier, VarId, VarShape, Variant,
};

/// A restriction of the domain of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Narrowing {
    /// Members of a set.
    InSet(Expr),
    /// Members of a set that equals a list of names. In `digits(c) = {x, z}`, the domain of x is `digits(c)`.
    ElementOf(Expr),
    /// Cells whose number of candidates is in this range.
    Counting(Range),
    /// Cells that see every (`true`) or some (`false`) cell of a set.
    Sees(bool, Expr),
    /// Cells that can hold every one of these digits.
    Has(Expr),
    /// Cells that can hold none of these digits.
    Lacks(Expr),
    /// Cells that form a conjugate pair of a digit (first name) with a cell (second name).
    Partner(VarId, VarId),
    /// Cells that are one of two places of a digit in some house.
    HasPartner(VarId),
    /// Digits that every one (`true`) or none (`false`) of these cells can hold.
    OptionOf(Expr, bool),
    /// Cells in which the givens allow every one of these digits.
    GivensAllow(Expr),
    /// Digits that are a candidate in some cell of a set.
    SomewhereIn(Expr),
    /// Houses in a relation, such as crossing, to this set of houses or cells.
    Incident(Incidence, Expr),
    /// Houses that hold every one of these cells.
    Holding(Expr),
    /// Elements that are no member of a set.
    NotInSet(Expr),
    /// Houses that hold a place of these digits. If cells are given, the place must be among these cells.
    HousesWith(Expr, Option<Expr>),
    /// Candidates of a set.
    InCandidates(Expr),
    /// Houses whose number of unsolved cells is in this range. If digits are given, houses whose number of places of
    /// these digits is in this range.
    HousesCounting(Option<Expr>, Range),
    /// Digits whose number of places among these cells is in this range.
    DigitsCounting(Expr, Range),
    /// Digits that have a place among the first cells, and whose places among the first cells all lie among the second
    /// cells.
    DigitsWithin(Expr, Expr),
    /// Elements for which a condition on the loop variable holds. Each element is tested after all other narrowings.
    Filter(VarId, Condition),
}

/// A narrowing with facts that the planner needs.
#[derive(Clone, Debug)]
pub(crate) struct EstimatedNarrowing {
    pub narrowing: Narrowing,
    /// Estimated share of the domain that remains, from 0 to 1.
    pub share: f64,
    /// True if the narrowing implies the condition. The condition then needs no test.
    pub implies_condition: bool,
}

/// Finds the narrowings of `var`, one of the condition's `names`, given the names that have values.
pub(crate) fn narrowings(
    facts: RuleFacts<'_>,
    is_bound: &dyn Fn(VarId) -> bool,
    (condition, names): (&Condition, &[VarId]),
    var: VarId,
) -> Vec<EstimatedNarrowing> {
    let others_bound = names.iter().all(|&name| name == var || is_bound(name));
    if others_bound && let Some(narrowed) = by_member(facts.variant, condition, var) {
        return vec![narrowed];
    }
    let context = Context { facts, is_bound, others_bound, var };
    let kind = facts.variant.var(var).kind;
    let by_kind = match kind {
        Kind::Cell => context.cell(condition),
        Kind::Digit => context.digit(condition),
        Kind::House(_) => context.house(condition),
        Kind::Candidate => context.candidate(condition),
        Kind::Number => None,
    };
    let mut out: Vec<EstimatedNarrowing> = by_kind.into_iter().collect();
    // `s within t` requires a member of s. An empty s satisfies every restriction of its members, but not the
    // condition.
    if matches!(condition, Condition::Within(..)) && facts.may_be_empty(var) {
        out.iter_mut().for_each(|narrowed| narrowed.implies_condition = false);
    }
    if kind != Kind::Candidate {
        facts.count_claims(condition, &mut |claim| {
            if let Some(by_count) = context.by_count(claim)
                && !out.iter().any(|narrowed| narrowed.implies(&by_count.narrowing))
            {
                out.push(by_count);
            }
        });
    }
    out
}

/// Input for narrowing one name.
struct Context<'a> {
    facts: RuleFacts<'a>,
    is_bound: &'a dyn Fn(VarId) -> bool,
    /// True if all other names of the condition have values.
    others_bound: bool,
    var: VarId,
}

/// Estimates the share of the board that some cells cover. Like all shares here, the numbers are typical of 9×9
/// positions; they decide only the order of the search.
fn share_of_cells(cells: &Expr) -> f64 {
    match cells {
        Expr::HouseCells(_) => 0.12,
        Expr::Intersection(a, b) => share_of_cells(a) * share_of_cells(b),
        Expr::Difference(a, _) => share_of_cells(a),
        _ => 0.3,
    }
}

/// Returns a narrowing that implies the condition.
fn full(narrowing: Narrowing, share: f64) -> Option<EstimatedNarrowing> {
    Some(EstimatedNarrowing { narrowing, share, implies_condition: true })
}

/// Returns a narrowing after which the condition must still be tested.
fn partial(narrowing: Narrowing, share: f64) -> Option<EstimatedNarrowing> {
    Some(EstimatedNarrowing { narrowing, share, implies_condition: false })
}

impl EstimatedNarrowing {
    /// Returns true if this narrowing implies the narrowing `other`.
    pub fn implies(&self, other: &Narrowing) -> bool {
        match other {
            Narrowing::SomewhereIn(cells) => matches!(
                &self.narrowing,
                Narrowing::SomewhereIn(own) | Narrowing::DigitsWithin(own, _) | Narrowing::DigitsCounting(own, (1.., _))
                    if own == cells
            ),
            other => self.narrowing == *other,
        }
    }
}

impl Context<'_> {
    /// Returns true if the expression is the name to be narrowed.
    fn is_var(&self, expr: &Expr) -> bool {
        *expr == Expr::Var(self.var)
    }

    /// Returns true if all names of the expression have values.
    fn has_value(&self, expr: &Expr) -> bool {
        expr.names().into_iter().all(self.is_bound)
    }

    fn are_cells_of_var(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::HouseCells(house) if self.is_var(house))
    }

    fn is_single(&self) -> bool {
        self.facts.variant.var(self.var).shape == VarShape::Single
    }

    /// Returns true if the operand is `every s`, where s is the name. The condition then holds for each cell of s.
    fn is_every_of_var(&self, operand: &Operand) -> bool {
        self.is_var(&operand.cells) && operand.quantifier == Quantifier::Every
    }

    /// Narrows the name by a bound on the number of members of a set.
    fn by_count(&self, claim: CountClaim<'_>) -> Option<EstimatedNarrowing> {
        let CountClaim { set, counts_candidates, range, implies_condition } = claim;
        let declared = self.facts.variant.var(self.var);
        let is_single = self.is_single();
        let narrows_single_house = is_single && implies_condition && !counts_candidates;
        match (declared.kind, set) {
            (Kind::Cell, cells) if counts_candidates && self.is_var(cells) => {
                let is_set = declared.shape == VarShape::Set;
                // No cell of a set has more candidates than all cells together.
                let range = if is_set { (0, range.1) } else { range };
                if !implies_condition && range.0 <= 1 && range.1 > FEW_CANDIDATES {
                    return None;
                }
                Some(EstimatedNarrowing {
                    narrowing: Narrowing::Counting(range),
                    share: share_counting(range),
                    implies_condition: implies_condition && !is_set,
                })
            }
            (Kind::Digit, Expr::CandidatesIn(digit, cells))
                if is_single && !counts_candidates && self.is_var(digit) && self.has_value(cells) =>
            {
                let cells = cells.as_ref().clone();
                let (narrowing, share) = match range {
                    (1, NO_LIMIT) => (Narrowing::SomewhereIn(cells), 0.6),
                    range => (Narrowing::DigitsCounting(cells, range), if implies_condition { 0.1 } else { 0.3 }),
                };
                Some(EstimatedNarrowing { narrowing, share, implies_condition })
            }
            (Kind::House(_), Expr::CellsOf(cells)) if narrows_single_house && self.are_cells_of_var(cells) => {
                full(Narrowing::HousesCounting(None, range), share_of_houses(range))
            }
            (Kind::House(_), Expr::CandidatesIn(digit, cells))
                if narrows_single_house
                    && self.are_cells_of_var(cells)
                    && self.facts.is_single_name(digit)
                    && self.has_value(digit) =>
            {
                full(Narrowing::HousesCounting(Some(digit.as_ref().clone()), range), share_of_houses(range))
            }
            _ => None,
        }
    }

    fn cell(&self, condition: &Condition) -> Option<EstimatedNarrowing> {
        match condition {
            Condition::Exactly(set, members) => self.exactly(set, members),
            Condition::Predicate(PredicateId::Conjugate, args, _)
                if args[1..].iter().all(|end| self.facts.is_single_name(end)) =>
            {
                self.conjugate(&args[0], &args[1], &args[2])
            }
            _ if !self.others_bound => None,
            Condition::Equal(a, b) => self.equal_digits(a, b).or_else(|| self.equal_digits(b, a)),
            Condition::Within(a, b) if self.is_var(a) && self.has_value(b) => {
                full(Narrowing::InSet(b.clone()), share_of_cells(b))
            }
            Condition::Sees(a, b) if self.is_every_of_var(a) && self.has_value(&b.cells) => self.sees(b),
            Condition::Sees(a, b)
                if self.is_every_of_var(b) && self.has_value(&a.cells) && a.quantifier == Quantifier::Every =>
            {
                self.sees(a)
            }
            Condition::Has(operand, digits) if self.is_every_of_var(operand) && self.has_value(digits) => {
                full(Narrowing::Has(digits.clone()), 0.33)
            }
            Condition::Lacks(operand, digits) if self.is_every_of_var(operand) && self.has_value(digits) => {
                full(Narrowing::Lacks(digits.clone()), 0.7)
            }
            Condition::Disjoint(a, b) => [(a, b), (b, a)].into_iter().find_map(|(set, digits)| match set {
                Expr::Digits(cells) if self.is_var(cells) && self.has_value(digits) => {
                    full(Narrowing::Lacks(digits.clone()), 0.7)
                }
                _ => None,
            }),
            // `digits(c) within D`: c lacks every digit outside of D.
            Condition::Within(Expr::Digits(cells), digits) if self.is_var(cells) && self.has_value(digits) => {
                let outside = Expr::Difference(Box::new(Expr::AllDigits), Box::new(digits.clone()));
                full(Narrowing::Lacks(outside), 0.3)
            }
            Condition::GivensAllow(operand, digits) if self.is_every_of_var(operand) && self.has_value(digits) => {
                full(Narrowing::GivensAllow(digits.clone()), 0.9)
            }
            _ => None,
        }
    }

    fn sees(&self, other: &Operand) -> Option<EstimatedNarrowing> {
        full(Narrowing::Sees(other.quantifier == Quantifier::Every, other.cells.clone()), 0.25)
    }

    /// Narrows c, x or z by `digits(c) = {x, z}`. The function `by_count` narrows c by its number of digits.
    fn exactly(&self, set: &Expr, names: &[VarId]) -> Option<EstimatedNarrowing> {
        let (bound, unbound): (Vec<VarId>, Vec<VarId>) = names.iter().partition(|&&name| (self.is_bound)(name));
        if let Expr::Digits(cells) = set
            && self.is_var(cells)
        {
            let digits = match bound.as_slice() {
                [] => return None,
                &[name] => Expr::Var(name),
                names => Expr::Union(names.iter().map(|&name| Expr::Var(name)).collect()),
            };
            return Some(EstimatedNarrowing {
                narrowing: Narrowing::Has(digits),
                share: share_with_digits(bound.len()),
                implies_condition: unbound.is_empty(),
            });
        }
        if !names.contains(&self.var) || !self.has_value(set) {
            return None;
        }
        partial(Narrowing::ElementOf(set.clone()), unbound.len() as f64 / self.typical_domain_size())
    }

    /// Narrows c by `digits(c) = d + z`: c has each of the digits d and z. The function `by_count` narrows c by its
    /// number of digits.
    fn equal_digits(&self, digits: &Expr, sum: &Expr) -> Option<EstimatedNarrowing> {
        let (Expr::Digits(cells), Expr::Union(parts)) = (digits, sum) else { return None };
        let is_set = self.facts.variant.var(self.var).shape == VarShape::Set;
        let are_single = parts.iter().all(|part| self.facts.is_single_name(part));
        if is_set || !self.is_var(cells) || !self.has_value(sum) || !are_single {
            return None;
        }
        partial(Narrowing::Has(sum.clone()), share_with_digits(parts.len()))
    }

    /// The number of digits, houses or unsolved cells of a typical 9×9 position.
    fn typical_domain_size(&self) -> f64 {
        match self.facts.variant.var(self.var).kind {
            Kind::Digit => 9.0,
            Kind::House(_) => 27.0,
            _ => 45.0,
        }
    }

    fn conjugate(&self, digit: &Expr, a: &Expr, b: &Expr) -> Option<EstimatedNarrowing> {
        let Expr::Var(digit) = digit else { return None };
        let other = match (a, b) {
            (Expr::Var(a), Expr::Var(b)) if *a == self.var => b,
            (Expr::Var(a), Expr::Var(b)) if *b == self.var => a,
            _ => return None,
        };
        if !(self.is_bound)(*digit) {
            return None;
        }
        if (self.is_bound)(*other) {
            return full(Narrowing::Partner(*digit, *other), 0.03);
        }
        partial(Narrowing::HasPartner(*digit), 0.25)
    }

    fn digit(&self, condition: &Condition) -> Option<EstimatedNarrowing> {
        match condition {
            Condition::Exactly(set, members) if self.is_single() => self.exactly(set, members),
            Condition::Within(a, b) if self.is_var(a) && self.others_bound && self.has_value(b) => {
                full(Narrowing::InSet(b.clone()), 0.4)
            }
            Condition::Has(operand, digits) | Condition::Lacks(operand, digits)
                if self.is_var(digits) && self.others_bound && self.has_value(&operand.cells) =>
            {
                self.option_of(operand, matches!(condition, Condition::Has(..)))
            }
            // The conditions below hold for some digit of a set, not for each.
            _ if !self.is_single() => None,
            Condition::Predicate(PredicateId::Conjugate, args, _) if self.is_var(&args[0]) => {
                let cell = args[1..].iter().find(|cell| self.has_value(cell))?;
                partial(Narrowing::SomewhereIn(cell.clone()), 0.33)
            }
            Condition::Within(Expr::CellsOf(candidates), cover) if self.others_bound && self.has_value(cover) => {
                match candidates.as_ref() {
                    Expr::CandidatesIn(digits, cells) if self.is_var(digits) && self.has_value(cells) => {
                        full(Narrowing::DigitsWithin(cells.as_ref().clone(), cover.clone()), 0.2)
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Narrows x by `every s has x` (`wanted`) or `every s lacks x`.
    fn option_of(&self, operand: &Operand, wanted: bool) -> Option<EstimatedNarrowing> {
        // Only cells with a name are known to be unsolved. In other cells, x could also be the value of a solved cell.
        let Expr::Var(cells) = operand.cells else { return None };
        // An empty set `has` every digit, so it narrows nothing.
        if operand.quantifier != Quantifier::Every || wanted && self.facts.may_be_empty(cells) {
            return None;
        }
        partial(Narrowing::OptionOf(operand.cells.clone(), wanted), 0.4)
    }

    fn candidate(&self, condition: &Condition) -> Option<EstimatedNarrowing> {
        match condition {
            Condition::Within(a, b) if self.is_var(a) && self.is_single() && self.has_value(b) => {
                full(Narrowing::InCandidates(b.clone()), 0.1)
            }
            _ => None,
        }
    }

    fn house(&self, condition: &Condition) -> Option<EstimatedNarrowing> {
        match condition {
            Condition::Within(a, b) if self.is_var(a) && self.has_value(b) => full(Narrowing::InSet(b.clone()), 0.3),
            // For a set of houses, no house of the set needs to hold all cells. So only a single house is narrowed.
            Condition::Within(a, Expr::HouseCells(b)) if self.is_var(b) && self.has_value(a) && self.is_single() => {
                partial(Narrowing::Holding(a.clone()), 0.08)
            }
            // The planner can list the houses that meet cells, but not the houses that avoid cells.
            Condition::Incident(a, Incidence::Avoiding, _) if self.is_var(a) => None,
            // If the other side is an empty set of houses, the condition holds for every house.
            Condition::Incident(a, _, b)
                if self.facts.may_be_no_house(a) && !self.is_var(a)
                    || self.facts.may_be_no_house(b) && !self.is_var(b) =>
            {
                None
            }
            Condition::Incident(a, how, b) if self.is_var(a) && self.has_value(b) => {
                full(Narrowing::Incident(*how, b.clone()), 0.4)
            }
            Condition::Incident(a, how, b)
                if self.is_var(b)
                    && self.has_value(a)
                    && matches!(how, Incidence::Meeting | Incidence::Crossing | Incidence::Parallel) =>
            {
                partial(Narrowing::Incident(*how, a.clone()), 0.4)
            }
            _ => None,
        }
    }
}

/// Most cells have at most this number of candidates, so a greater upper bound narrows too little.
const FEW_CANDIDATES: u32 = 4;

/// Estimates the share of the cells that have `count` given digits.
fn share_with_digits(count: usize) -> f64 {
    0.33f64.powi(count as i32)
}

/// Estimates the share of the houses with a number of cells or places in a range.
fn share_of_houses(range: Range) -> f64 {
    if range == (1, NO_LIMIT) { 0.7 } else { 0.25 }
}

/// Estimates the share of the unsolved cells with a number of candidates in a range.
fn share_counting((least, most): Range) -> f64 {
    match (least, most) {
        (1, 1) => 0.05,
        (2, 2) => 0.25,
        (3, 3) => 0.3,
        (4, 4) => 0.2,
        (least, most) if least == most => 0.1,
        (1.., ..NO_LIMIT) => 0.4,
        _ => 0.6,
    }
}

/// Narrows a name by a condition that can be tested for each member of the name's set alone. All other names of the
/// condition have values.
pub(super) fn by_member(variant: &Variant, condition: &Condition, var: VarId) -> Option<EstimatedNarrowing> {
    let name = Expr::Var(var);
    match condition {
        Condition::Disjoint(a, b) if *a == name && is_free_of(b, var) => full(Narrowing::NotInSet(b.clone()), 0.9),
        Condition::Disjoint(a, b) if *b == name && is_free_of(a, var) => full(Narrowing::NotInSet(a.clone()), 0.9),
        Condition::No(Expr::CandidatesIn(digits, cells))
            if **cells == name && is_free_of(digits, var) && variant.var(var).kind == Kind::Cell =>
        {
            full(Narrowing::Lacks(digits.as_ref().clone()), 0.6)
        }
        Condition::No(set) if is_additive(set, var) => full(Narrowing::Filter(var, condition.clone()), 0.5),
        Condition::Compare(Expr::Count(set), Comparison::Equal, Expr::Number(0)) if is_additive(set, var) => {
            full(Narrowing::Filter(var, condition.clone()), 0.5)
        }
        // A cell and its partner in the other line share a crossing line, so each crossing line can be tested alone. An
        // empty set has nothing to test alone, so the condition itself is tested as well.
        Condition::Predicate(PredicateId::ClosedBetween, args, _)
            if is_additive(&args[0], var)
                && args[1..].iter().all(|line| is_free_of(line, var))
                && is_declared_crossing(variant, var, &args[1..]) =>
        {
            partial(Narrowing::Filter(var, condition.clone()), 0.5)
        }
        Condition::ForAll(member, set, test)
            if *set == name && variant.var(var).shape == VarShape::Set && !test.free_names().contains(&var) =>
        {
            let is_house = matches!(variant.var(var).kind, Kind::House(_));
            let houses = if is_house { houses_with_place(*member, test) } else { None };
            full(houses.unwrap_or_else(|| Narrowing::Filter(*member, test.as_ref().clone())), 0.5)
        }
        _ => None,
    }
}

/// Returns true if a name is declared as crossing one of `lines`.
fn is_declared_crossing(variant: &Variant, var: VarId, lines: &[Expr]) -> bool {
    let Some(choice) = variant.choice(var) else { return false };
    choice.such_that.iter().any(|condition| match condition {
        Condition::Incident(a, Incidence::Crossing, b) => *a == Expr::Var(var) && lines.contains(b),
        _ => false,
    })
}

/// Returns true if the expression distributes over union. Its value for a set `var` is then the union of its values for
/// the members of `var`.
fn is_additive(expr: &Expr, var: VarId) -> bool {
    match expr {
        Expr::Var(name) => *name == var,
        Expr::HouseCells(set) | Expr::CellsOf(set) | Expr::Values(set) | Expr::Digits(set) => is_additive(set, var),
        Expr::Intersection(a, b) | Expr::CandidatesIn(a, b) => {
            is_free_of(a, var) && is_additive(b, var) || is_free_of(b, var) && is_additive(a, var)
        }
        Expr::Difference(a, b) => is_free_of(b, var) && is_additive(a, var),
        _ => false,
    }
}

/// Returns true if an expression does not use a name.
fn is_free_of(expr: &Expr, name: VarId) -> bool {
    !expr.names().contains(&name)
}

/// Returns the narrowing to houses that hold a place of d (in X), if the test is `some d in h` or `some d in h & X`,
/// where h is the loop variable `member`.
fn houses_with_place(member: VarId, test: &Condition) -> Option<Narrowing> {
    let Condition::NotEmpty(Expr::CandidatesIn(digits, cells)) = test else { return None };
    let house = Expr::HouseCells(Box::new(Expr::Var(member)));
    let among = match cells.as_ref() {
        cells if *cells == house => None,
        Expr::Intersection(a, b) if **a == house && is_free_of(b, member) => Some(b.as_ref().clone()),
        Expr::Intersection(a, b) if **b == house && is_free_of(a, member) => Some(a.as_ref().clone()),
        _ => return None,
    };
    if is_free_of(digits, member) { Some(Narrowing::HousesWith(digits.as_ref().clone(), among)) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ir::{HouseClass, Origin, Var};

    fn name(id: usize) -> Expr {
        Expr::Var(VarId(id))
    }

    /// Returns the narrowings of name 0, a cell, each with `implies_condition`. Names 1 (a cell) and 2 (a digit) have
    /// values.
    fn narrowings_of_cell(condition: &Condition) -> Vec<(Narrowing, bool)> {
        let vars = [Kind::Cell, Kind::Cell, Kind::Digit].map(|kind| Var {
            name: String::new(),
            kind,
            shape: VarShape::Single,
            origin: Origin::Chosen,
        });
        let variant = Variant { vars: vars.into(), ..Variant::default() };
        let facts = RuleFacts { variant: &variant, args: &[] };
        let all = narrowings(facts, &|name| name.0 > 0, (condition, &condition.free_names()), VarId(0));
        all.into_iter().map(|narrowed| (narrowed.narrowing, narrowed.implies_condition)).collect()
    }

    #[test]
    fn a_cell_that_sees_another_is_chosen_from_its_peers() {
        let condition = Condition::Sees(Operand::every(name(0)), Operand::every(name(1)));
        assert_eq!(narrowings_of_cell(&condition), [(Narrowing::Sees(true, name(1)), true)]);
    }

    #[test]
    fn a_cell_outside_of_a_set_is_no_member_of_it() {
        let condition = Condition::Disjoint(name(0), name(1));
        assert_eq!(narrowings_of_cell(&condition), [(Narrowing::NotInSet(name(1)), true)]);
    }

    #[test]
    fn a_closed_set_is_not_tested_cell_by_cell() {
        let [k, l] = [HouseClass::Row, HouseClass::Column].map(|class| Expr::HousesOf(class, Box::new(name(1))));
        let condition = PredicateId::ClosedBetween.applied_to(vec![name(0), k, l]);
        assert!(narrowings_of_cell(&condition).is_empty());
    }

    #[test]
    fn a_count_of_candidates_narrows_by_number() {
        let digits = Expr::Digits(Box::new(name(0)));
        let condition = Condition::Compare(Expr::Count(Box::new(digits)), Comparison::Equal, Expr::Number(2));
        assert_eq!(narrowings_of_cell(&condition), [(Narrowing::Counting((2, 2)), true)]);
    }
}
