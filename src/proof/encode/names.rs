//! Names as literals. In: the domain of each name. Out: the value of each name, with clauses for the laws of names:
//! single names of one kind differ, members of a family differ, cells are unsolved, sets have their size.

use super::values::{Candidates, Cells, Houses};
use super::world::Domain;
use super::{Encoder, Refusal, one_hot};
use crate::lang::ir::{Choose, Condition, Expr, HouseClass, Kind, Origin, PredicateId, Var, VarId, VarShape, Variant};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

#[derive(Clone, Debug)]
pub(crate) enum NameLits {
    Digits(Vec<Lit>),
    Cells(Cells),
    Houses(Houses),
    /// One candidate, as a choice of digit and cell.
    Candidate {
        digit: Vec<Lit>,
        cell: Vec<Lit>,
    },
    Candidates(Candidates),
    /// For each value of the index, the member; empty for values without a member.
    Family(Vec<Cells>),
}

impl Encoder<'_> {
    /// Gives a value to every chosen name of the scope that has none. If `is_numbered`, the k-th name of a digit stands
    /// for digit k, otherwise for any digit.
    pub fn bind_names(&mut self, layout: &[Domain], is_numbered: bool) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        let mut next_digit = 0;
        for id in chosen_names(variant) {
            let var = variant.var(id);
            if self.scope.values[id.0].is_some() {
                continue;
            }
            let domain = &layout[id.0];
            let value = match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) if !is_numbered => NameLits::Digits(self.free_choice(self.digits())),
                (Kind::Digit, VarShape::Single) => {
                    next_digit += 1;
                    self.numbered_digit(next_digit - 1)
                }
                (Kind::Candidate, VarShape::Single) => self.candidate_name(domain)?,
                (Kind::Cell | Kind::House(_), VarShape::Single) => self.cell_or_house_name(domain, var.kind)?,
                (Kind::Candidate, VarShape::Set) => {
                    self.bind_candidates(id, domain)?;
                    continue;
                }
                (_, VarShape::Set) => self.set_name(id, domain)?,
                (Kind::Cell, VarShape::Family) => self.family_name(id, domain)?,
                _ => return Err(Refusal::UnsupportedKind(var.name.clone())),
            };
            self.scope.values[id.0] = Some(value);
        }
        self.require_distinct_names();
        Ok(())
    }

    /// Returns the value of a name that stands for the digit with index `number`. If there are more names than digits,
    /// the names cannot all differ, and the clauses become contradictory.
    fn numbered_digit(&mut self, number: usize) -> NameLits {
        let digits = self.digits();
        if number >= digits {
            self.circuit.add_clause(&[]);
            return NameLits::Digits(vec![Lit::FALSE; digits]);
        }
        let exists = self.world.digits[number];
        self.circuit.add_clause(&[exists]);
        NameLits::Digits(one_hot(digits, number))
    }

    /// Makes `count` literals of which exactly one is true.
    pub(super) fn free_choice(&mut self, count: usize) -> Vec<Lit> {
        let bits = self.circuit.fresh_set(count);
        self.circuit.exactly_one(&bits);
        bits
    }

    /// Makes `count` literals of which exactly one is true; the index of the true literal is in the domain.
    fn choice_from(&mut self, domain: &Domain, count: usize) -> Result<Vec<Lit>, Refusal> {
        match domain {
            Domain::Fixed(member) => Ok(one_hot(count, *member)),
            Domain::Among(members) => {
                let bits = self.subset(members, count);
                self.circuit.exactly_one(&members.iter().map(|&member| bits[member]).collect::<Vec<_>>());
                Ok(bits)
            }
            _ => Err(Refusal::NoDomain("name")),
        }
    }

    fn cell_or_house_name(&mut self, domain: &Domain, kind: Kind) -> Result<NameLits, Refusal> {
        if let (Kind::House(_), Domain::Fixed(house)) = (kind, domain) {
            return Ok(NameLits::Houses(self.single_house(*house)));
        }
        if let Kind::House(class) = kind {
            let bits = self.choice_from(domain, self.world.houses.len())?;
            self.require_class(&bits, class);
            return Ok(NameLits::Houses(Houses::new(bits, Lit::FALSE)));
        }
        let bits = self.choice_from(domain, self.world.cell_count())?;
        self.require_unsolved(&bits);
        Ok(NameLits::Cells(Cells::modelled(bits)))
    }

    fn require_class(&mut self, bits: &[Lit], class: HouseClass) {
        for (house, &bit) in bits.iter().enumerate() {
            let in_class = self.in_class(house, class);
            self.circuit.imply(bit, in_class);
        }
    }

    pub fn in_class(&mut self, house: usize, class: HouseClass) -> Lit {
        let lits = &self.world.houses[house];
        match class {
            HouseClass::Any => lits.exists,
            HouseClass::Row => lits.is_row,
            HouseClass::Column => lits.is_column,
            HouseClass::Box => lits.is_box,
            HouseClass::Line => self.circuit.or([lits.is_row, lits.is_column]),
        }
    }

    pub(super) fn require_unsolved(&mut self, bits: &[Lit]) {
        for (&bit, cell) in bits.iter().zip(&self.world.cells) {
            self.circuit.imply(bit, cell.unsolved);
        }
    }

    pub(super) fn candidate_name(&mut self, domain: &Domain) -> Result<NameLits, Refusal> {
        let cell = self.choice_from(domain, self.world.cell_count())?;
        let digit = self.free_choice(self.digits());
        for (index, in_cell) in members(&cell) {
            for (has_digit, is_present) in pairs(&digit, &self.world.cells[index].candidate) {
                self.circuit.add_clause(&[!in_cell, !has_digit, is_present]);
            }
        }
        Ok(NameLits::Candidate { digit, cell })
    }

    fn set_name(&mut self, id: VarId, domain: &Domain) -> Result<NameLits, Refusal> {
        let variant = self.scope.variant;
        let kind = variant.var(id).kind;
        let choose = variant.choice(id).ok_or(Refusal::Construct("a set that no line declares"))?;
        if let Domain::Open(set) = domain {
            return Ok(NameLits::Cells(self.open_set(set)));
        }
        let (low, high) = self.size(choose)?;
        let count = match kind {
            Kind::Digit => self.digits(),
            Kind::Cell => self.world.cell_count(),
            Kind::House(_) => self.world.houses.len(),
            _ => return Err(Refusal::Construct("sets of candidates or numbers")),
        };
        let bits = match domain {
            Domain::All(members) => (0..count).map(|index| Lit::constant(members.contains(&index))).collect(),
            Domain::Among(members) => self.subset(members, count),
            _ if kind == Kind::Digit => self.subset(&(0..count).collect::<Vec<_>>(), count),
            _ => return Err(Refusal::NoDomain("set")),
        };
        let enough = self.circuit.at_least(&bits, low);
        let more = self.circuit.at_least(&bits, high + 1);
        self.circuit.add_clause(&[enough]);
        self.circuit.add_clause(&[!more]);
        Ok(match kind {
            Kind::Digit => {
                pairs(&bits, &self.world.digits).for_each(|(bit, exists)| self.circuit.imply(bit, exists));
                NameLits::Digits(bits)
            }
            Kind::House(class) => {
                self.require_class(&bits, class);
                NameLits::Houses(Houses::new(self.with_aliases(&bits), Lit::FALSE))
            }
            _ => {
                self.require_unsolved(&bits);
                NameLits::Cells(Cells::modelled(bits))
            }
        })
    }

    /// Makes `count` literals: free literals at the indices in `members`, false literals at all other indices.
    fn subset(&mut self, members: &[usize], count: usize) -> Vec<Lit> {
        let mut bits = vec![Lit::FALSE; count];
        members.iter().for_each(|&member| bits[member] = self.circuit.fresh());
        bits
    }

    pub fn size(&self, choose: &Choose) -> Result<(i64, i64), Refusal> {
        let (low, high) = choose.size.as_ref().ok_or(Refusal::Construct("a set without a size"))?;
        let low = self.set_size(low)?;
        if let Some(high) = high {
            return Ok((low, self.set_size(high)?));
        }
        // A range without an upper end stops at half of the board's size, but not for groups: on an irregular board, a
        // box and a line may share more cells.
        let is_group = choose.such_that.iter().any(|condition| condition.args_of(PredicateId::Group).is_some());
        let is_unlimited = is_group || is_almost_locked(choose);
        Ok((low, if is_unlimited { self.world.cell_count() as i64 } else { self.digits() as i64 / 2 }))
    }

    fn set_size(&self, number: &Expr) -> Result<i64, Refusal> {
        number.constant(self.scope.args).ok_or(Refusal::Construct("a set whose size is not a constant"))
    }

    fn family_name(&mut self, id: VarId, domain: &Domain) -> Result<NameLits, Refusal> {
        if let Domain::OpenPerIndex(sets) = domain {
            return Ok(NameLits::Family(sets.iter().map(|set| self.open_family_member(set)).collect()));
        }
        let Domain::PerIndex(domains) = domain else { return Err(Refusal::NoDomain("family")) };
        let count = self.world.cell_count();
        if self.scope.variant.choice(id).is_some_and(|choose| choose.size.is_some()) {
            let sets = domains.iter().map(|domain| self.subset(domain, count)).collect::<Vec<_>>();
            sets.iter().for_each(|bits| self.require_unsolved(bits));
            return Ok(NameLits::Family(sets.into_iter().map(Cells::modelled).collect()));
        }
        let mut members = Vec::new();
        for domain in domains {
            let bits = self.subset(domain, count);
            self.circuit.at_most_one(&domain.iter().map(|&cell| bits[cell]).collect::<Vec<_>>());
            self.require_unsolved(&bits);
            members.push(Cells::modelled(bits));
        }
        for cell in 0..count {
            let membership: Vec<Lit> = members.iter().map(|member| member.bits[cell]).collect();
            self.circuit.at_most_one(&membership);
        }
        Ok(NameLits::Family(members))
    }

    fn require_distinct_names(&mut self) {
        let variant = self.scope.variant;
        for a in (0..variant.vars.len()).map(VarId) {
            for b in (a.0 + 1..variant.vars.len()).map(VarId) {
                if must_differ(variant, a, b) {
                    self.require_distinct(a, b);
                }
            }
        }
    }

    fn require_distinct(&mut self, a: VarId, b: VarId) {
        match (self.scope.values[a.0].clone(), self.scope.values[b.0].clone()) {
            (Some(NameLits::Cells(a)), Some(NameLits::Cells(b))) => self.require_disjoint(&a.bits, &b.bits),
            (Some(NameLits::Digits(a)), Some(NameLits::Digits(b))) => self.require_disjoint(&a, &b),
            (Some(NameLits::Houses(a)), Some(NameLits::Houses(b))) => self.require_disjoint(&a.bits, &b.bits),
            (
                Some(NameLits::Candidate { digit: a_digit, cell: a_cell }),
                Some(NameLits::Candidate { digit: b_digit, cell: b_cell }),
            ) => {
                for (a_digit, b_digit) in pairs(&a_digit, &b_digit) {
                    for (a_cell, b_cell) in pairs(&a_cell, &b_cell) {
                        self.circuit.add_clause(&[!a_digit, !b_digit, !a_cell, !b_cell]);
                    }
                }
            }
            _ => {}
        }
    }

    fn require_disjoint(&mut self, a: &[Lit], b: &[Lit]) {
        pairs(a, b).for_each(|(a, b)| self.circuit.add_clause(&[!a, !b]));
    }
}

/// Returns true if a name has its value from a choice or a pattern.
fn is_chosen(var: &Var) -> bool {
    matches!(var.origin, Origin::Chosen | Origin::Pattern)
}

/// Returns the names to which a match gives values.
pub(crate) fn chosen_names(variant: &Variant) -> impl Iterator<Item = VarId> {
    variant.vars.iter().enumerate().filter(|(_, var)| is_chosen(var)).map(|(id, _)| VarId(id))
}

/// Returns true if the language requires two names to have different values: both are single names (of cells, digits,
/// houses or candidates) of the same kind.
pub(crate) fn must_differ(variant: &Variant, a: VarId, b: VarId) -> bool {
    let vars = [variant.var(a), variant.var(b)];
    let are_single = vars.iter().all(|var| is_chosen(var) && var.shape == VarShape::Single);
    a != b && vars[0].kind == vars[1].kind && are_single
}

/// Returns true if a set, or every member of a family, is declared as almost locked. Such a set may have any size.
fn is_almost_locked(choose: &Choose) -> bool {
    choose.such_that.iter().any(|condition| matches!(condition, Condition::AlmostLocked(..)))
}

/// Returns true if a set of cells may have any size: almost locked, or without an upper bound.
pub(crate) fn may_have_any_size(choose: &Choose) -> bool {
    is_almost_locked(choose) || matches!(choose.size, Some((_, None)))
}

impl Encoder<'_> {
    /// Breaks the symmetry between digits without a name. Exchanging two such digits changes nothing, so clauses
    /// require the digits to be in descending lexicographic order of their keys. A key has, for each digit, the literal
    /// "the digit occurs in this cell or set of the rule". Every choice of keys is sound.
    pub fn order_digits(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        let mut keys = Vec::new();
        let mut digit_names = 0;
        for id in chosen_names(variant) {
            let var = variant.var(id);
            match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) => digit_names += 1,
                (Kind::Digit, VarShape::Set) => {
                    if let Some(NameLits::Digits(bits)) = &self.scope.values[id.0] {
                        keys.push(bits.clone());
                    }
                }
                (Kind::Cell, VarShape::Single | VarShape::Set) => {
                    keys.push(self.digit_set(&Expr::Digits(Box::new(id.into())))?);
                }
                _ => {}
            }
        }
        keys.push(self.world.digits.clone());
        let first_unnamed = digit_names + usize::from(self.slots.generic_digit.is_some());
        for digit in first_unnamed + 1..self.digits() {
            self.order_after_previous(&keys, digit);
        }
        Ok(())
    }

    /// Adds the clauses that the keys of `digit` are lexicographically at most the keys of the previous digit.
    fn order_after_previous(&mut self, keys: &[Vec<Lit>], digit: usize) {
        let mut all_equal = Lit::TRUE;
        for key in keys {
            let previous = key[digit - 1];
            let own = key[digit];
            self.circuit.add_clause(&[!all_equal, previous, !own]);
            let equal = self.circuit.iff(previous, own);
            all_equal = self.circuit.and2(all_equal, equal);
        }
    }
}
