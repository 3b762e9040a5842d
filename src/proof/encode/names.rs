//! Names as literals. In: a layout. Out: for each name what it stands for, with the laws of names demanded:
//! single names of one kind differ, members of a family differ, cells are unsolved, sets have their size.

use super::values::{Candidates, Cells, Houses};
use super::world::Domain;
use super::{Encoder, Refusal, one_hot};
use crate::lang::ir::{Choose, Condition, Expr, HouseClass, Kind, Origin, PredicateId, Var, VarId, VarShape, Variant};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// Value of a name.
#[derive(Clone, Debug)]
pub(crate) enum Bound {
    Digits(Vec<Lit>),
    Cells(Cells),
    Houses(Houses),
    /// A digit in a cell.
    Candidate {
        digit: Vec<Lit>,
        cell: Vec<Lit>,
    },
    /// Some candidates.
    Candidates(Candidates),
    /// For each value of the index, its member; empty for values without a member.
    Family(Vec<Cells>),
}

impl Encoder<'_> {
    /// Gives every chosen name of the scope a value. If all digits are interchangeable, the names of digits are `numbered`.
    pub fn bind_names(&mut self, layout: &[Domain], numbered: bool) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        // If some names already have values, as in the pattern of a chain's link, the others may have any number.
        let numbered = numbered && self.scope.bound.iter().all(Option::is_none);
        let mut digit_names = 0;
        for id in chosen_names(variant) {
            let var = variant.var(id);
            if self.scope.bound[id.0].is_some() {
                continue;
            }
            let domain = &layout[id.0];
            let bound = match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) if !numbered => Bound::Digits(self.free_choice(self.digits())),
                (Kind::Digit, VarShape::Single) => {
                    digit_names += 1;
                    self.digit_name(digit_names - 1)
                }
                (Kind::Candidate, VarShape::Single) => self.candidate_name(domain)?,
                (Kind::Cell | Kind::House(_), VarShape::Single) => self.single(domain, var.kind)?,
                (Kind::Candidate, VarShape::Set) => {
                    self.candidates_name(id, domain)?;
                    continue;
                }
                (_, VarShape::Set) => self.set_name(id, domain)?,
                (Kind::Cell, VarShape::Family) => self.family_name(id, domain)?,
                _ => return Err(Refusal::Meaning(var.name.clone())),
            };
            self.scope.bound[id.0] = Some(bound);
        }
        self.differ();
        Ok(())
    }

    /// Digits are interchangeable, so the names of digits stand for 1, 2, 3 and so on. Names beyond the
    /// board's digits cannot all differ.
    fn digit_name(&mut self, number: usize) -> Bound {
        let digits = self.digits();
        if number >= digits {
            self.circuit.clause(&[]);
            return Bound::Digits(vec![Lit::FALSE; digits]);
        }
        let exists = self.world.digits[number];
        self.circuit.clause(&[exists]);
        Bound::Digits(one_hot(digits, number))
    }

    /// A free choice of one thing out of `count`.
    pub(super) fn free_choice(&mut self, count: usize) -> Vec<Lit> {
        let bits = self.circuit.fresh_set(count);
        self.circuit.exactly_one(&bits);
        bits
    }

    /// One literal for each thing: one of the domain, or the fixed one.
    fn one_of(&mut self, domain: &Domain, count: usize) -> Result<Vec<Lit>, Refusal> {
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

    fn single(&mut self, domain: &Domain, kind: Kind) -> Result<Bound, Refusal> {
        if let (Kind::House(_), Domain::Fixed(house)) = (kind, domain) {
            return Ok(Bound::Houses(self.one_house(*house)));
        }
        if let Kind::House(class) = kind {
            let bits = self.one_of(domain, self.world.houses.len())?;
            self.of_class(&bits, class);
            return Ok(Bound::Houses(Houses::new(bits, Lit::FALSE)));
        }
        let bits = self.one_of(domain, self.world.count())?;
        self.unsolved(&bits);
        Ok(Bound::Cells(Cells::closed(bits)))
    }

    /// Demands that the members of a set of houses are of a class.
    fn of_class(&mut self, bits: &[Lit], class: HouseClass) {
        for (house, &bit) in bits.iter().enumerate() {
            let right = self.in_class(house, class);
            self.circuit.imply(bit, right);
        }
    }

    /// Literal that is true iff a modelled house is of a class.
    pub fn in_class(&mut self, house: usize, class: HouseClass) -> Lit {
        let lits = &self.world.houses[house];
        match class {
            HouseClass::Any => lits.exists,
            HouseClass::Row => lits.row,
            HouseClass::Column => lits.column,
            HouseClass::Box => lits.boxed,
            HouseClass::Line => self.circuit.or([lits.row, lits.column]),
        }
    }

    pub(super) fn unsolved(&mut self, bits: &[Lit]) {
        for (&bit, cell) in bits.iter().zip(&self.world.cells) {
            self.circuit.imply(bit, cell.unsolved);
        }
    }

    pub(super) fn candidate_name(&mut self, domain: &Domain) -> Result<Bound, Refusal> {
        let cell = self.one_of(domain, self.world.count())?;
        let digit = self.free_choice(self.digits());
        for (at, here) in members(&cell) {
            for (is, present) in pairs(&digit, &self.world.cells[at].candidate) {
                self.circuit.clause(&[!here, !is, present]);
            }
        }
        Ok(Bound::Candidate { digit, cell })
    }

    fn set_name(&mut self, id: VarId, domain: &Domain) -> Result<Bound, Refusal> {
        let variant = self.scope.variant;
        let kind = variant.var(id).kind;
        let choose = variant.choice(id).ok_or(Refusal::Construct("a set that no line declares"))?;
        if let Domain::Open(set) = domain {
            return Ok(Bound::Cells(self.open_set(set)));
        }
        let (low, high) = self.size(choose)?;
        let count = match kind {
            Kind::Digit => self.digits(),
            Kind::Cell => self.world.count(),
            Kind::House(_) => self.world.houses.len(),
            _ => return Err(Refusal::Construct("sets of candidates or numbers")),
        };
        let bits = match domain {
            Domain::All(members) => (0..count).map(|one| Lit::constant(members.contains(&one))).collect(),
            Domain::Among(members) => self.subset(members, count),
            _ if kind == Kind::Digit => self.subset(&(0..count).collect::<Vec<_>>(), count),
            _ => return Err(Refusal::NoDomain("set")),
        };
        let (enough, more) = (self.circuit.at_least(&bits, low), self.circuit.at_least(&bits, high + 1));
        self.circuit.clause(&[enough]);
        self.circuit.clause(&[!more]);
        Ok(match kind {
            Kind::Digit => {
                pairs(&bits, &self.world.digits).for_each(|(bit, exists)| self.circuit.imply(bit, exists));
                Bound::Digits(bits)
            }
            Kind::House(class) => {
                self.of_class(&bits, class);
                Bound::Houses(Houses::new(self.with_same(&bits), Lit::FALSE))
            }
            _ => {
                self.unsolved(&bits);
                Bound::Cells(Cells::closed(bits))
            }
        })
    }

    fn subset(&mut self, members: &[usize], count: usize) -> Vec<Lit> {
        let mut bits = vec![Lit::FALSE; count];
        members.iter().for_each(|&member| bits[member] = self.circuit.fresh());
        bits
    }

    /// The bounds on the size of a declared set.
    pub fn size(&self, choose: &Choose) -> Result<(i64, i64), Refusal> {
        let (low, high) = choose.size.as_ref().ok_or(Refusal::Construct("a set that does not say how many"))?;
        // On an irregular board a box and a line may share more than half of their cells.
        let group = choose.such_that.iter().any(|condition| condition.args_of(PredicateId::Group).is_some());
        let any = group || is_almost_locked(choose);
        let most = if any { self.world.count() as i64 } else { i64::from(self.half) };
        Ok((self.set_size(low)?, high.as_ref().map_or(Ok(most), |high| self.set_size(high))?))
    }

    fn set_size(&self, number: &Expr) -> Result<i64, Refusal> {
        number.constant(self.scope.args).ok_or(Refusal::Construct("a set whose size is not a constant"))
    }

    fn family_name(&mut self, id: VarId, domain: &Domain) -> Result<Bound, Refusal> {
        if let Domain::OpenPerIndex(sets) = domain {
            return Ok(Bound::Family(sets.iter().map(|set| self.open_member(set)).collect()));
        }
        let Domain::PerIndex(domains) = domain else { return Err(Refusal::NoDomain("family")) };
        let count = self.world.count();
        if self.scope.variant.choice(id).is_some_and(|choose| choose.size.is_some()) {
            let sets = domains.iter().map(|domain| self.subset(domain, count)).collect::<Vec<_>>();
            sets.iter().for_each(|bits| self.unsolved(bits));
            return Ok(Bound::Family(sets.into_iter().map(Cells::closed).collect()));
        }
        let mut members = Vec::new();
        for domain in domains {
            let bits = self.subset(domain, count);
            self.circuit.at_most_one(&domain.iter().map(|&cell| bits[cell]).collect::<Vec<_>>());
            self.unsolved(&bits);
            members.push(Cells::closed(bits));
        }
        for cell in 0..count {
            let here: Vec<Lit> = members.iter().map(|member| member.bits[cell]).collect();
            self.circuit.at_most_one(&here);
        }
        Ok(Bound::Family(members))
    }

    /// Single names of one kind differ.
    fn differ(&mut self) {
        let variant = self.scope.variant;
        for a in (0..variant.vars.len()).map(VarId) {
            for b in (a.0 + 1..variant.vars.len()).map(VarId).filter(|&b| differ(variant, a, b)) {
                match (self.scope.bound[a.0].clone(), self.scope.bound[b.0].clone()) {
                    (Some(Bound::Cells(x)), Some(Bound::Cells(y))) => self.all_different(&x.bits, &y.bits),
                    (Some(Bound::Digits(x)), Some(Bound::Digits(y))) => self.all_different(&x, &y),
                    (Some(Bound::Houses(x)), Some(Bound::Houses(y))) => self.all_different(&x.bits, &y.bits),
                    (Some(Bound::Candidate { digit: d, cell: c }), Some(Bound::Candidate { digit: e, cell: f })) => {
                        for (x, y) in pairs(&d, &e) {
                            pairs(&c, &f).for_each(|(u, v)| self.circuit.clause(&[!x, !y, !u, !v]));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn all_different(&mut self, a: &[Lit], b: &[Lit]) {
        pairs(a, b).for_each(|(a, b)| self.circuit.clause(&[!a, !b]));
    }
}

/// Returns true if a name has its value from a choice or a pattern.
fn is_chosen(var: &Var) -> bool {
    matches!(var.origin, Origin::Chosen | Origin::Pattern)
}

/// The names that a match gives values to.
pub(crate) fn chosen_names(variant: &Variant) -> impl Iterator<Item = VarId> {
    variant.vars.iter().enumerate().filter(|(_, var)| is_chosen(var)).map(|(id, _)| VarId(id))
}

/// Returns true if two names stand for single things of one kind, which differ by the rules of the language.
pub(crate) fn differ(variant: &Variant, a: VarId, b: VarId) -> bool {
    let (x, y) = (variant.var(a), variant.var(b));
    a != b && x.kind == y.kind && [x, y].iter().all(|var| is_chosen(var) && var.shape == VarShape::Single)
}

/// Returns true if a set, or every member of a family, is declared as almost locked, and so may have any size.
pub(crate) fn is_almost_locked(choose: &Choose) -> bool {
    choose.such_that.iter().any(|condition| matches!(condition, Condition::AlmostLocked(..)))
}

/// Returns true if a set of cells may have any size: almost locked, or without an upper bound.
pub(crate) fn is_open(choose: &Choose) -> bool {
    is_almost_locked(choose) || matches!(choose.size, Some((_, None)))
}

impl Encoder<'_> {
    /// Breaks the symmetry between digits that no name stands for: exchanging them changes nothing, so they are put in descending order
    /// of their occurrence in the rule's cells and sets. Any list of such keys is sound.
    pub fn order_digits(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        let mut keys = Vec::new();
        let mut named = 0;
        for id in chosen_names(variant) {
            let var = variant.var(id);
            match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) => named += 1,
                (Kind::Digit, VarShape::Set) => {
                    if let Some(Bound::Digits(bits)) = &self.scope.bound[id.0] {
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
        for digit in named + 1 + usize::from(self.unnamed.generic.is_some())..self.digits() {
            self.descending(&keys, digit);
        }
        Ok(())
    }

    /// Orders digits by their keys, largest first, comparing the first key first.
    fn descending(&mut self, keys: &[Vec<Lit>], digit: usize) {
        let mut equal = Lit::TRUE;
        for key in keys {
            let (before, here) = (key[digit - 1], key[digit]);
            self.circuit.clause(&[!equal, before, !here]);
            let same = self.circuit.same(before, here);
            equal = self.circuit.and2(equal, same);
        }
    }
}
