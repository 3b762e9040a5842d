//! Names as literals. In: a layout. Out: for each name what it stands for, with the laws of names demanded:
//! single names of one kind differ, members of a family differ, cells are unsolved, sets have their size.

use super::value::{Candidates, Cells, Houses};
use super::world::{Domain, Layout};
use super::{Encoder, Refusal};
use crate::lang::ir::{Choose, Condition, Expr, HouseClass, Kind, Origin, PredicateId, Statement, VarId};
use crate::lang::ir::{VarShape, Variant};
use crate::proof::solver::Lit;

/// Value of a name.
#[derive(Clone, Debug)]
pub(in crate::proof) enum Bound {
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
    pub fn bind_names(&mut self, layout: &Layout, numbered: bool) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        // If some names already have values, as in the pattern of a chain's link, the others may have any number.
        let numbered = numbered && self.scope.bound.iter().all(Option::is_none);
        let mut digit_names = 0;
        for id in (0..variant.vars.len()).map(VarId) {
            let var = variant.var(id);
            if !matches!(var.origin, Origin::Chosen | Origin::Pattern) || self.scope.bound[id.0].is_some() {
                continue;
            }
            let bound = match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) if !numbered => {
                    let all: Vec<usize> = (0..self.digits()).collect();
                    Bound::Digits(self.choice(&all, all.len()))
                }
                (Kind::Digit, VarShape::Single) => {
                    digit_names += 1;
                    self.digit_name(digit_names - 1)
                }
                (Kind::Candidate, VarShape::Single) => self.candidate_name(layout.of(id))?,
                (Kind::Cell | Kind::House(_), VarShape::Single) => self.single(layout.of(id), var.kind)?,
                (Kind::Candidate, VarShape::Set) => {
                    self.candidates_name(id, layout.of(id))?;
                    continue;
                }
                (_, VarShape::Set) => self.set_name(id, layout.of(id))?,
                (Kind::Cell, VarShape::Family) => self.family_name(id, layout.of(id))?,
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
        Bound::Digits(self.one(digits, number))
    }

    /// A free choice of one element of a domain.
    pub(super) fn choice(&mut self, domain: &[usize], count: usize) -> Vec<Lit> {
        let mut bits = vec![Lit::FALSE; count];
        domain.iter().for_each(|&member| bits[member] = self.circuit.fresh());
        let open: Vec<Lit> = domain.iter().map(|&member| bits[member]).collect();
        self.circuit.exactly_one(&open);
        bits
    }

    /// One literal for each thing: one of the domain, or the fixed one.
    fn one_of(&mut self, domain: &Domain, count: usize) -> Result<Vec<Lit>, Refusal> {
        match domain {
            Domain::Fixed(member) => Ok(self.one(count, *member)),
            Domain::Among(members) => Ok(self.choice(members, count)),
            _ => Err(Refusal::NameWithoutDomain),
        }
    }

    fn single(&mut self, domain: &Domain, kind: Kind) -> Result<Bound, Refusal> {
        if let (Kind::House(_), Domain::Fixed(house)) = (kind, domain) {
            return Ok(Bound::Houses(self.one_house(*house)));
        }
        if let Kind::House(class) = kind {
            let bits = self.one_of(domain, self.world.houses.len())?;
            for (house, &bit) in bits.iter().enumerate() {
                let right = self.in_class(house, class);
                self.circuit.imply(bit, right);
            }
            return Ok(Bound::Houses(Houses::new(bits, Lit::FALSE)));
        }
        let bits = self.one_of(domain, self.world.count())?;
        self.unsolved(&bits);
        Ok(Bound::Cells(Cells::closed(bits)))
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
        for (cell, &bit) in bits.iter().enumerate() {
            self.circuit.imply(bit, self.world.cells[cell].unsolved);
        }
    }

    pub(super) fn candidate_name(&mut self, domain: &Domain) -> Result<Bound, Refusal> {
        let cell = self.one_of(domain, self.world.count())?;
        let digits: Vec<usize> = (0..self.digits()).collect();
        let digit = self.choice(&digits, digits.len());
        for (c, &here) in cell.iter().enumerate().filter(|(_, here)| **here != Lit::FALSE) {
            for (d, &this) in digit.iter().enumerate() {
                let present = self.world.cells[c].candidate[d];
                self.circuit.clause(&[!here, !this, present]);
            }
        }
        Ok(Bound::Candidate { digit, cell })
    }

    fn set_name(&mut self, id: VarId, domain: &Domain) -> Result<Bound, Refusal> {
        let variant = self.scope.variant;
        let kind = variant.var(id).kind;
        let choose = declaration(variant, id).ok_or(Refusal::UndeclaredSet)?;
        if let Domain::Open(set) = domain {
            return self.open_set(set).map(Bound::Cells);
        }
        let (low, high) = self.size(choose)?;
        let count = match kind {
            Kind::Digit => self.digits(),
            Kind::Cell => self.world.count(),
            Kind::House(_) => self.world.houses.len(),
            _ => return Err(Refusal::SetKind),
        };
        let bits = match domain {
            Domain::All(members) => {
                (0..count).map(|one| if members.contains(&one) { Lit::TRUE } else { Lit::FALSE }).collect()
            }
            Domain::Among(members) => self.subset(members, count),
            _ if kind == Kind::Digit => self.subset(&(0..count).collect::<Vec<_>>(), count),
            _ => return Err(Refusal::SetWithoutDomain),
        };
        let (enough, more) = (self.circuit.at_least(&bits, low), self.circuit.at_least(&bits, high + 1));
        self.circuit.clause(&[enough]);
        self.circuit.clause(&[!more]);
        self.typed_set(kind, bits)
    }

    fn typed_set(&mut self, kind: Kind, bits: Vec<Lit>) -> Result<Bound, Refusal> {
        match kind {
            Kind::Digit => {
                for (digit, &bit) in bits.iter().enumerate() {
                    self.circuit.imply(bit, self.world.digits[digit]);
                }
                Ok(Bound::Digits(bits))
            }
            Kind::House(class) => {
                for (house, &bit) in bits.iter().enumerate() {
                    let right = self.in_class(house, class);
                    self.circuit.imply(bit, right);
                }
                let bits = self.with_same(&bits);
                Ok(Bound::Houses(Houses::new(bits, Lit::FALSE)))
            }
            _ => {
                self.unsolved(&bits);
                Ok(Bound::Cells(Cells::closed(bits)))
            }
        }
    }

    fn subset(&mut self, members: &[usize], count: usize) -> Vec<Lit> {
        let mut bits = vec![Lit::FALSE; count];
        members.iter().for_each(|&member| bits[member] = self.circuit.fresh());
        bits
    }

    /// The bounds on the size of a declared set.
    pub fn size(&self, choose: &Choose) -> Result<(i64, i64), Refusal> {
        let (low, high) = choose.size.as_ref().ok_or(Refusal::SetWithoutSize)?;
        let number = |expr: &Expr| constant(expr, self.scope.args).ok_or(Refusal::SetSize);
        // On an irregular board a box and a line may share more than half of their cells.
        let group =
            choose.such_that.iter().any(|condition| matches!(condition, Condition::Holds(PredicateId::Group, ..)));
        let any = group || is_almost_locked(choose);
        let most = if any { self.world.count() as i64 } else { i64::from(self.half) };
        Ok((number(low)?, high.as_ref().map_or(Ok(most), number)?))
    }

    fn family_name(&mut self, id: VarId, domain: &Domain) -> Result<Bound, Refusal> {
        if let Domain::OpenPerIndex(sets) = domain {
            return self.open_family(sets).map(Bound::Family);
        }
        let Domain::PerIndex(domains) = domain else { return Err(Refusal::FamilyWithoutDomain) };
        let count = self.world.count();
        if declaration(self.scope.variant, id).is_some_and(|choose| choose.size.is_some()) {
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
                        self.candidates_differ((&d, &c), (&e, &f))
                    }
                    _ => {}
                }
            }
        }
    }

    fn all_different(&mut self, a: &[Lit], b: &[Lit]) {
        a.iter().zip(b).for_each(|(&x, &y)| self.circuit.clause(&[!x, !y]));
    }

    fn candidates_differ(&mut self, a: (&[Lit], &[Lit]), b: (&[Lit], &[Lit])) {
        for (&x, &y) in a.0.iter().zip(b.0) {
            for (&u, &v) in a.1.iter().zip(b.1) {
                self.circuit.clause(&[!x, !y, !u, !v]);
            }
        }
    }
}

/// Returns true if two names stand for single things of one kind, which differ by the rules of the language.
pub(in crate::proof) fn differ(variant: &Variant, a: VarId, b: VarId) -> bool {
    let (x, y) = (variant.var(a), variant.var(b));
    let single = |origin, shape| matches!(origin, Origin::Chosen | Origin::Pattern) && shape == VarShape::Single;
    a != b && x.kind == y.kind && single(x.origin, x.shape) && single(y.origin, y.shape)
}

/// The line that declares a chosen name.
pub(in crate::proof) fn declaration(variant: &Variant, id: VarId) -> Option<&Choose> {
    variant.body.iter().find_map(|statement| match statement {
        Statement::Choose(choose) if choose.var == id => Some(choose),
        _ => None,
    })
}

/// The value of an expression that names nothing.
pub(in crate::proof) fn constant(expr: &Expr, args: &[u32]) -> Option<i64> {
    match expr {
        Expr::Number(value) => Some(i64::from(*value)),
        Expr::Param(index) => args.get(*index).map(|&value| i64::from(value)),
        Expr::Add(a, b) => Some(constant(a, args)? + constant(b, args)?),
        Expr::Subtract(a, b) => Some(constant(a, args)? - constant(b, args)?),
        _ => None,
    }
}

/// Returns true if a set, or every member of a family, is declared as almost locked, and so may have any size.
pub(in crate::proof) fn is_almost_locked(choose: &Choose) -> bool {
    choose.such_that.iter().any(|condition| matches!(condition, Condition::AlmostLocked(..)))
}

/// Returns true if a set of cells may have any size: almost locked, or without an upper bound.
pub(in crate::proof) fn is_open(choose: &Choose) -> bool {
    is_almost_locked(choose) || matches!(choose.size, Some((_, None)))
}

impl Encoder<'_> {
    /// Digits that no name stands for may be renamed at will, so they come in descending order of what the
    /// rule's cells and sets have of them, one after the other. Sound with any list of such keys.
    pub fn order_digits(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        let mut keys = Vec::new();
        let mut named = 0;
        for id in (0..variant.vars.len()).map(VarId) {
            let var = variant.var(id);
            if !matches!(var.origin, Origin::Chosen | Origin::Pattern) {
                continue;
            }
            match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) => named += 1,
                (Kind::Digit, VarShape::Set) => keys.extend(match &self.scope.bound[id.0] {
                    Some(Bound::Digits(bits)) => Some(bits.clone()),
                    _ => None,
                }),
                (Kind::Cell, VarShape::Single | VarShape::Set) => {
                    keys.push(self.digit_set(&Expr::Digits(Box::new(Expr::Var(id))))?);
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
