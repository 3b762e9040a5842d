//! Sets of any size. In: domains, expressions and conditions. Out: cells known by facts about all of them; `als` and
//! `overlap`; houses counted once; members of `those … with`, templates and combinations; and the candidates that a set
//! excludes.

use super::lazy::{Owed, OwedValue};
use super::values::{Candidates, Cells, Houses, Lits, Truth};
use super::world::OpenSet;
use super::{Encoder, Lemma, Refusal, one_hot};
use crate::lang::ir::{Condition, Expr, HouseClass, PredicateId, VarId};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// A set of any size in the world of names alone.
    pub(super) fn open_set(&mut self, set: &OpenSet) -> Cells {
        let cells = self.open_member(set);
        if !set.may_be_empty {
            let some = self.circuit.or(cells.bits.iter().copied().chain([cells.rest]));
            self.circuit.clause(&[some]);
        }
        cells
    }

    /// A member of a family of such sets; those of values that are not used are empty.
    pub(super) fn open_member(&mut self, set: &OpenSet) -> Cells {
        let mut cells = self.any_cells();
        cells.inside = set.inside.clone();
        self.unsolved(&cells.bits);
        for &(digit, own) in &set.places {
            let place = &self.world.cells[own];
            self.circuit.imply(place.exists, cells.bits[own]);
            self.circuit.imply(place.exists, place.solution[digit]);
        }
        if set.once {
            cells.placed = set.places.iter().map(|&(digit, _)| digit).collect();
        }
        cells.has = Some(self.outside_candidates(&cells));
        cells
    }

    /// A set of cells without any known facts.
    pub(super) fn any_cells(&mut self) -> Cells {
        let bits = self.circuit.fresh_set(self.world.count());
        Cells::with_rest(bits, self.beyond())
    }

    /// The union of the members of a family.
    pub(super) fn all_of(&mut self, family: VarId, members: &[Cells]) -> Result<Cells, Refusal> {
        let more = self.more_members(family, members)?;
        let mut bits = Vec::with_capacity(self.world.count());
        for (cell, lits) in self.world.cells.iter().enumerate() {
            let known = self.circuit.or(members.iter().map(|member| member.bits[cell]));
            let other = self.circuit.and2(more, lits.unsolved);
            let may = self.circuit.or2(known, other);
            bits.push(self.circuit.between(known, may));
        }
        let other = self.part_of(&[more]);
        let rest = self.circuit.or(members.iter().map(|member| member.rest).chain([other]));
        Ok(Cells::with_rest(bits, rest))
    }

    /// Literal that is true iff a family has members for unmodelled indices.
    fn more_members(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
        let Some((_, of)) = self.scope.variant.choice(family).and_then(|choose| choose.for_each.as_ref()) else {
            return Ok(Lit::FALSE);
        };
        let (active, outside) = self.members(of)?;
        Ok(self.circuit.or(active.into_iter().skip(members.len()).chain([outside])))
    }

    /// Literal that is true iff no cell is in two members of a family.
    pub(super) fn pairwise_disjoint(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
        let more = self.more_members(family, members)?;
        let mut parts = Vec::new();
        for cell in 0..self.world.count() {
            let here: Vec<Lit> = members.iter().map(|member| member.bits[cell]).collect();
            parts.push(!self.circuit.at_least(&here, 2));
        }
        let known = self.circuit.and(parts);
        if more == Lit::FALSE && members.iter().all(|member| member.rest == Lit::FALSE) {
            return Ok(known);
        }
        Ok(self.circuit.between(Lit::FALSE, known))
    }

    /// `als`: cells of one house with `over` digits more than cells.
    ///
    /// In the open world the numbers are unknown. Two consequences are demanded: the cells differ in the solution, so they use as
    /// many digits as there are cells; and of any `over + 1` digits, at least one is used.
    pub(super) fn almost_locked(&mut self, cells: &Expr, over: usize) -> Result<Lit, Refusal> {
        let house = self.condition(&PredicateId::InOneHouse(HouseClass::Any).applied_to(vec![cells.clone()]))?;
        let digits = self.digit_set(&Expr::Digits(Box::new(cells.clone())))?;
        let cells = self.cell_set(cells)?;
        if cells.rest != Lit::FALSE {
            let used = self.used(&cells, &digits, over + 1);
            return Ok(self.circuit.and2(house, used));
        }
        let most = self.digits();
        let (mut has, mut holds) = (self.circuit.counts(&digits, most), self.circuit.counts(&cells.bits, most));
        let mut parts = vec![house, holds[1]];
        has.resize(most + over + 2, Lit::FALSE);
        holds.resize(most + 2, Lit::FALSE);
        // At least n cells are there iff at least n + `over` digits are.
        for (&digits, &cells) in has[over..].iter().zip(&holds) {
            parts.push(self.circuit.same(digits, cells));
        }
        Ok(self.circuit.and(parts))
    }

    /// Literal that implies: of any `many` digits of the set, one is the solution of a modelled cell in it. The numbers
    /// demand more than that, so it may be false anyway.
    fn used(&mut self, cells: &Cells, digits: &[Lit], many: usize) -> Lit {
        self.lemmas.insert(Lemma::LockedSet);
        let known: Vec<usize> = (0..self.digits()).filter(|&digit| cells.knows(digit)).collect();
        let mut parts = Vec::new();
        for group in groups(&known, many) {
            let mut ways: Vec<Lit> = group.iter().map(|&digit| !digits[digit]).collect();
            for digit in group {
                let solutions = self.world.solutions_of(digit);
                ways.push(self.circuit.some_both(cells.bits.iter().copied().zip(solutions)));
            }
            parts.push(self.circuit.or(ways));
        }
        let may = self.circuit.and(parts);
        self.circuit.between(Lit::FALSE, may)
    }

    /// `overlap(H)`: cells in two different houses of a set.
    pub(super) fn overlap(&mut self, of: &Expr) -> Result<Cells, Refusal> {
        let houses = self.house_set(of)?;
        let mut bits = Vec::with_capacity(self.world.count());
        for cell in 0..self.world.count() {
            let holds = self.world.houses.iter().map(|house| house.holds[cell]);
            let here = self.circuit.each_both(houses.bits.iter().copied().zip(holds));
            let two = self.two_different(&here);
            // Two houses outside the world may share any cell.
            let may = self.circuit.or2(two, houses.rest);
            bits.push(self.circuit.between(two, may));
        }
        Ok(Cells::with_rest(bits, self.beyond()))
    }

    /// Literal that is true iff two of these houses, given as a literal each, are different houses.
    fn two_different(&mut self, houses: &[Lit]) -> Lit {
        if !self.world.open {
            return self.circuit.at_least(houses, 2);
        }
        let mut ways = Vec::new();
        for a in 0..houses.len() {
            for b in 0..a {
                ways.push(self.circuit.and([houses[a], houses[b], !self.world.same(a, b)]));
            }
        }
        self.circuit.or(ways)
    }

    /// One house of the world, if it is there, under all its names.
    pub(super) fn one_house(&mut self, house: usize) -> Houses {
        let mut bits = one_hot(self.world.houses.len(), house);
        bits[house] = self.world.houses[house].exists;
        Houses { bits: self.with_same(&bits), rest: Lit::FALSE, only: Some(house) }
    }

    /// Adds to a set of houses every modelled house that is one of them under another name.
    pub(super) fn with_same(&mut self, houses: &[Lit]) -> Vec<Lit> {
        if !self.world.open {
            return houses.to_vec();
        }
        let mut out = Vec::with_capacity(houses.len());
        for house in 0..houses.len() {
            let same = (0..houses.len()).map(|other| self.world.same(house, other));
            out.push(self.circuit.some_both(houses.iter().copied().zip(same)));
        }
        out
    }

    /// The members of a set of houses, each under one name only.
    pub(super) fn each_once(&mut self, houses: &Houses) -> Vec<Lit> {
        let mut out = Vec::with_capacity(houses.bits.len());
        for (house, &is) in houses.bits.iter().enumerate() {
            let new = self.circuit.and((0..house).map(|other| !self.world.same(house, other)));
            out.push(self.circuit.and2(is, new));
        }
        out
    }
}

/// All groups of this size.
pub(super) fn groups(of: &[usize], many: usize) -> Vec<Vec<usize>> {
    if many == 0 {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (at, &first) in of.iter().enumerate() {
        out.extend(groups(&of[at + 1..], many - 1).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    out
}

impl Encoder<'_> {
    /// Members of `those c in X with C`.
    pub(super) fn those(&mut self, var: VarId, of: &Expr, when: &Condition) -> Result<Lits, Refusal> {
        let all = self.value(of)?;
        let (mut bits, _) = all.clone().members(&mut self.circuit)?;
        for (member, is) in bits.iter_mut().enumerate().filter(|(_, is)| **is != Lit::FALSE) {
            let holds = self.with_running(var, member, |this| this.condition(when))?;
            *is = self.circuit.and2(*is, holds);
        }
        Ok(match all {
            Lits::Cells(cells) => {
                let rest = self.part_of(&[cells.rest]);
                Lits::Cells(Cells { bits, rest, has: None, ..cells })
            }
            Lits::Houses(Houses { rest, only, .. }) => Lits::Houses(Houses { bits, rest: self.part_of(&[rest]), only }),
            Lits::Candidates(all) => {
                let rest = all.rest.iter().map(|&rest| self.part_of(&[rest])).collect();
                let truth = Truth { some: Lit::FALSE, ..all.truth };
                Lits::Candidates(self.settled(Candidates { bits, rest, truth }))
            }
            Lits::Digits(_) => Lits::Digits(bits),
            Lits::Number(_) => return Err(Refusal::NeedsSet),
        })
    }

    /// `in_no_template(d)`, `in_every_template(d)` and `in_no_combination(s)`. The solution is one of the templates or
    /// combinations, so a candidate in none of them is false, and one in every template is true. The members themselves stay
    /// open.
    pub(super) fn solution_members(&mut self, of: &Expr, certain: bool) -> Result<Candidates, Refusal> {
        self.lemmas.insert(Lemma::Templates);
        let value = self.value(of)?;
        let whole = match &value {
            Lits::Digits(_) => Expr::In(Box::new(of.clone()), Box::new(Expr::AllCells)),
            _ => Expr::In(Box::new(Expr::AllDigits), Box::new(of.clone())),
        };
        let all = self.candidates(&whole)?;
        let solutions: Vec<Lit> = self.world.solutions().collect();
        let bits: Vec<Lit> = pairs(&all.bits, &solutions)
            .map(|(member, is_true)| self.part_of(&[member, is_true.signed(certain)]))
            .collect();
        match value {
            Lits::Digits(of) if !self.world.open && of.iter().all(|lit| lit.is_constant()) => {
                self.owe_templates(&of, certain, &bits);
            }
            _ => self.loose = Some("templates and combinations"),
        }
        let rest = all.rest.iter().map(|&rest| self.part_of(&[rest])).collect();
        Ok(Candidates::new(bits, rest))
    }

    /// Registers lazy clauses for the templates of one digit on a board. For several digits, only the consequences for each
    /// single digit are encoded.
    fn owe_templates(&mut self, of: &[Lit], every: bool, bits: &[Lit]) {
        let &[(digit, _)] = members(of).collect::<Vec<_>>().as_slice() else {
            self.loose = Some("templates of several digits");
            return;
        };
        let cells = 0..self.world.count();
        let able = cells.clone().map(|cell| (cell, self.world.option(&mut self.circuit, cell, digit))).collect();
        let candidate = self.world.cells.iter().map(|cell| cell.candidate[digit]).collect();
        let bits = cells.map(|cell| bits[cell * of.len() + digit]).collect();
        self.owed.push(Owed { asked: Lit::TRUE, able, candidate, value: OwedValue::Templates { every, bits } });
    }

    /// `candidates excluded by every K`, `candidates excluded by some K`.
    ///
    /// If some member of K is true, candidates excluded by every member are false; if all are true, candidates excluded by
    /// some member are. The members themselves need not be known.
    pub(super) fn excluded_by(&mut self, every: bool, of: &Expr) -> Result<Candidates, Refusal> {
        let of = self.candidates(of)?;
        let hits = if every { self.hit_by_every(&of) } else { self.hit_by_some(&of) };
        let here = self.circuit.or(of.bits.iter().copied());
        let outside = self.circuit.or(of.rest.iter().copied());
        let candidates: Vec<Lit> = self.world.candidates().collect();
        let mut bits = Vec::with_capacity(hits.len());
        for (hit, candidate) in hits.into_iter().zip(candidates) {
            let (must, may) = if every {
                let some = self.circuit.or2(here, outside);
                (self.circuit.and([hit, here, !outside]), self.circuit.and2(hit, some))
            } else {
                (hit, self.circuit.or2(hit, outside))
            };
            let is = self.circuit.between(must, may);
            bits.push(self.circuit.and2(is, candidate));
        }
        let rest = (0..self.digits()).map(|_| self.beyond()).collect();
        let true_here = self.true_here(&of);
        let none = if every { self.circuit.or2(of.truth.some, true_here) } else { of.truth.all };
        Ok(self.settled(Candidates { bits, rest, truth: Truth { none, ..Truth::OPEN } }))
    }

    /// Literal that is true iff a modelled member is true.
    pub(super) fn true_here(&mut self, of: &Candidates) -> Lit {
        self.circuit.some_both(of.bits.iter().copied().zip(self.world.solutions()))
    }

    /// Adds clauses that tie each member to the facts about the whole set (all true, none true, some true). A set known to
    /// be both all true and all false is empty.
    pub(super) fn settled(&mut self, of: Candidates) -> Candidates {
        let Truth { all, none, some } = of.truth;
        for (&member, is_true) in of.bits.iter().zip(self.world.solutions()).filter(|(bit, _)| **bit != Lit::FALSE) {
            self.circuit.clause(&[!member, !all, is_true]);
            self.circuit.clause(&[!member, !none, !is_true]);
        }
        of.rest.iter().for_each(|&outside| self.circuit.clause(&[!outside, !all, !none]));
        self.circuit.clause(&[!none, !some]);
        of
    }

    /// For each candidate, a literal: every modelled member excludes it.
    fn hit_by_every(&mut self, of: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.count(), self.digits());
        let mut out = vec![Lit::FALSE; count * digits];
        for digit in 0..digits {
            // A member of another digit excludes only what is in its own cell.
            let in_cells = of.bits.chunks(digits);
            let others = in_cells.map(|cell| self.circuit.or(other_digits(cell, digit))).collect::<Vec<_>>();
            let elsewhere = self.without_each(&others);
            for cell in 0..count {
                let mut misses = vec![elsewhere[cell], of.bits[cell * digits + digit]];
                for other in (0..count).filter(|&other| other != cell) {
                    let sees = self.world.sees(cell, other);
                    misses.push(self.circuit.and2(of.bits[other * digits + digit], !sees));
                }
                out[cell * digits + digit] = !self.circuit.or(misses);
            }
        }
        out
    }

    /// For each position, a literal: one of the others holds.
    fn without_each(&mut self, of: &[Lit]) -> Vec<Lit> {
        let mut after = vec![Lit::FALSE; of.len() + 1];
        for at in (0..of.len()).rev() {
            after[at] = self.circuit.or2(after[at + 1], of[at]);
        }
        let (mut before, mut out) = (Lit::FALSE, Vec::with_capacity(of.len()));
        for at in 0..of.len() {
            out.push(self.circuit.or2(before, after[at + 1]));
            before = self.circuit.or2(before, of[at]);
        }
        out
    }

    /// For each candidate, a literal: some modelled member excludes it.
    fn hit_by_some(&mut self, of: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.count(), self.digits());
        let mut out = Vec::with_capacity(count * digits);
        for (cell, own) in of.bits.chunks(digits).enumerate() {
            for digit in 0..digits {
                let mut ways: Vec<Lit> = other_digits(own, digit).collect();
                for other in (0..count).filter(|&other| other != cell) {
                    let sees = self.world.sees(cell, other);
                    ways.push(self.circuit.and2(of.bits[other * digits + digit], sees));
                }
                out.push(self.circuit.or(ways));
            }
        }
        out
    }
}

/// The literals of a cell's candidates without those of one digit.
fn other_digits(cell: &[Lit], digit: usize) -> impl Iterator<Item = Lit> {
    cell.iter().copied().enumerate().filter(move |&(other, _)| other != digit).map(|(_, bit)| bit)
}
