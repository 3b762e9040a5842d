//! Sets of any size, and sets that hold houses more than once. In: domains, expressions and conditions. Out: cells
//! known by what holds of all of them, `als`, `overlap`, and houses counted once.

use super::layout::OpenSet;
use super::names::declaration;
use super::value::{Cells, Houses};
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Expr, VarId};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// A set of any size in the world of names alone.
    pub(super) fn open_set(&mut self, set: &OpenSet) -> Result<Cells, Refusal> {
        let cells = self.open_member(set);
        if !set.may_be_empty {
            let some = self.circuit.or(cells.bits.iter().copied().chain([cells.rest]));
            self.circuit.clause(&[some]);
        }
        Ok(cells)
    }

    /// One such set for each value of an index; sets of values that are not used are empty.
    pub(super) fn open_family(&mut self, sets: &[OpenSet]) -> Result<Vec<Cells>, Refusal> {
        Ok(sets.iter().map(|set| self.open_member(set)).collect())
    }

    fn open_member(&mut self, set: &OpenSet) -> Cells {
        let mut cells = self.any_cells();
        cells.inside = set.inside.clone();
        self.unsolved(&cells.bits);
        for &(digit, own) in &set.places {
            self.circuit.imply(self.world.cells[own].exists, cells.bits[own]);
            self.circuit.imply(self.world.cells[own].exists, self.world.cells[own].solution[digit]);
        }
        if set.once {
            cells.placed = set.places.iter().map(|&(digit, _)| digit).collect();
        }
        cells.has = Some(self.outside_candidates(&cells));
        cells
    }

    /// Cells of which nothing is known.
    pub(super) fn any_cells(&mut self) -> Cells {
        let bits = (0..self.world.count()).map(|_| self.circuit.fresh()).collect();
        Cells::with_rest(bits, self.beyond(), Vec::new())
    }

    /// The union of the members of a family.
    pub(super) fn all_of(&mut self, family: VarId, members: &[Cells]) -> Result<Cells, Refusal> {
        let more = self.more_members(family, members)?;
        let mut bits = Vec::with_capacity(self.world.count());
        for cell in 0..self.world.count() {
            let known = self.circuit.or(members.iter().map(|member| member.bits[cell]));
            let other = self.circuit.and2(more, self.world.cells[cell].unsolved);
            let may = self.circuit.or2(known, other);
            bits.push(self.circuit.between(known, may));
        }
        let other = self.part_of(&[more]);
        let rest = self.circuit.or(members.iter().map(|member| member.rest).chain([other]));
        Ok(Cells::with_rest(bits, rest, Vec::new()))
    }

    /// Whether a family has members for indices that the world has none for.
    fn more_members(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
        let Some((_, of)) = declaration(self.scope.variant, family).and_then(|choose| choose.per.as_ref()) else {
            return Ok(Lit::FALSE);
        };
        let (active, outside) = self.members(of)?;
        Ok(self.circuit.or(active.into_iter().skip(members.len()).chain([outside])))
    }

    /// Whether no cell is in two members of a family.
    pub(super) fn pairwise_apart(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
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

    /// `als`: cells in one house with `excess` digits more than cells.
    ///
    /// In the world of names alone the numbers are not known. What follows from them is: the cells differ in the
    /// solution, so as many digits as there are cells are used, and of any `over + 1` digits one is.
    pub(super) fn almost_locked(&mut self, cells: &Expr, over: i64) -> Result<Lit, Refusal> {
        let house = self.in_one(cells, crate::lang::ir::HouseClass::Any)?;
        let digits = self.digit_set(&Expr::Digits(Box::new(cells.clone())))?;
        let cells = self.cell_set(cells)?;
        if cells.rest != Lit::FALSE {
            let used = self.used(&cells, &digits, over as usize + 1);
            return Ok(self.circuit.and2(house, used));
        }
        let most = self.digits();
        let (has, holds) = (self.circuit.counts(&digits, most), self.circuit.counts(&cells.bits, most));
        let mut parts = vec![house, holds[1]];
        for number in 0..=most as i64 + 1 {
            let at = |row: &[Lit], place: i64| match usize::try_from(place) {
                Ok(place) => row.get(place).copied().unwrap_or(Lit::FALSE),
                Err(_) => Lit::TRUE,
            };
            parts.push(self.circuit.same(at(&has, number + over), at(&holds, number)));
        }
        Ok(self.circuit.and(parts))
    }

    /// Whether of any `excess + 1` digits of the set one is true in it, as far as the world knows the places. More is
    /// demanded of the numbers than that, so it may be false all the same.
    fn used(&mut self, cells: &Cells, digits: &[Lit], many: usize) -> Lit {
        self.lemmas.insert(Lemma::LockedSet);
        let known: Vec<usize> = (0..self.digits()).filter(|&digit| cells.knows(digit)).collect();
        let mut parts = Vec::new();
        for group in groups(&known, many) {
            let mut ways: Vec<Lit> = group.iter().map(|&digit| !digits[digit]).collect();
            for &digit in &group {
                ways.push(self.true_in(cells, digit));
            }
            parts.push(self.circuit.or(ways));
        }
        let may = self.circuit.and(parts);
        self.circuit.between(Lit::FALSE, may)
    }

    /// Whether the digit is the solution of a cell of the set that lies in the world.
    pub(super) fn true_in(&mut self, cells: &Cells, digit: usize) -> Lit {
        let mut ways = Vec::new();
        for (cell, &here) in cells.bits.iter().enumerate() {
            ways.push(self.circuit.and2(here, self.world.cells[cell].solution[digit]));
        }
        self.circuit.or(ways)
    }

    /// `overlap(H)`: cells in two different houses of a set.
    pub(super) fn overlap(&mut self, of: &Expr) -> Result<Cells, Refusal> {
        let houses = self.house_set(of)?;
        let mut bits = Vec::with_capacity(self.world.count());
        for cell in 0..self.world.count() {
            let mut here = Vec::new();
            for (house, &is) in houses.bits.iter().enumerate() {
                here.push(self.circuit.and2(is, self.world.houses[house].holds[cell]));
            }
            let two = self.two_apart(&here);
            // Two houses outside the world may share any cell.
            let may = self.circuit.or2(two, houses.rest);
            bits.push(self.circuit.between(two, may));
        }
        Ok(Cells::with_rest(bits, self.beyond(), Vec::new()))
    }

    /// Whether two of these houses, given as a literal each, are different ones.
    fn two_apart(&mut self, houses: &[Lit]) -> Lit {
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
        let mut bits = vec![Lit::FALSE; self.world.houses.len()];
        bits[house] = self.world.houses[house].exists;
        Houses { bits: self.with_same(&bits), rest: Lit::FALSE, only: Some(house) }
    }

    /// A set of houses with every house of the world that is one of them under another name.
    pub(super) fn with_same(&mut self, houses: &[Lit]) -> Vec<Lit> {
        if !self.world.open {
            return houses.to_vec();
        }
        let mut out = Vec::with_capacity(houses.len());
        for house in 0..houses.len() {
            let mut ways = Vec::new();
            for (other, &is) in houses.iter().enumerate() {
                ways.push(self.circuit.and2(is, self.world.same(house, other)));
            }
            out.push(self.circuit.or(ways));
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
        for mut rest in groups(&of[at + 1..], many - 1) {
            rest.insert(0, first);
            out.push(rest);
        }
    }
    out
}
