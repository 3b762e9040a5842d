//! Sets of any size. In: domains, expressions and conditions. Out: cells known by facts about all of them; `als` and
//! `overlap`; houses counted once; members of `those … with`, templates and combinations; and the candidates that a set
//! excludes.

use super::lazy::{Owed, Templates, What};
use super::names::declaration;
use super::value::{Candidates, Cells, Houses, Truth, Value};
use super::world::OpenSet;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Condition, Expr, HouseClass, PredicateId, VarId};
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

    /// A set of cells without any known facts.
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

    /// Literal that is true iff a family has members for unmodelled indices.
    fn more_members(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
        let Some((_, of)) = declaration(self.scope.variant, family).and_then(|choose| choose.per.as_ref()) else {
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
    /// In the open world the numbers are unknown. Known consequences are: the cells differ in the solution, so they use as
    /// many digits as there are cells, and one of any `over + 1` digits is used.
    pub(super) fn almost_locked(&mut self, cells: &Expr, over: i64) -> Result<Lit, Refusal> {
        let house = self.condition(&PredicateId::InOne(HouseClass::Any).of(vec![cells.clone()]))?;
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

    /// Literal that implies: of any `over + 1` digits of the set, one is the solution of a modelled cell in it. The numbers
    /// demand more than that, so it may be false anyway.
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

    /// Literal that is true iff the digit is the solution of a modelled cell of the set.
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
            let two = self.two_different(&here);
            // Two houses outside the world may share any cell.
            let may = self.circuit.or2(two, houses.rest);
            bits.push(self.circuit.between(two, may));
        }
        Ok(Cells::with_rest(bits, self.beyond(), Vec::new()))
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
        let mut bits = vec![Lit::FALSE; self.world.houses.len()];
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

impl Encoder<'_> {
    /// Members of `those c in X with C`.
    pub(super) fn those(&mut self, var: VarId, of: &Expr, when: &Condition) -> Result<Value, Refusal> {
        let all = self.value(of)?;
        let (members, _) = self.members(of)?;
        let mut bits = Vec::with_capacity(members.len());
        for (member, &is) in members.iter().enumerate() {
            bits.push(if is == Lit::FALSE { Lit::FALSE } else { self.and_when(var, member, is, when)? });
        }
        Ok(match all {
            Value::Digits(_) => Value::Digits(bits),
            Value::Cells(cells) => {
                let rest = self.part_of(&[cells.rest]);
                Value::Cells(Cells { bits, rest, has: None, ..cells })
            }
            Value::Houses(houses) => {
                Value::Houses(Houses { bits, rest: self.part_of(&[houses.rest]), only: houses.only })
            }
            Value::Candidates(all) => {
                let rest = all.rest.iter().map(|&rest| self.part_of(&[rest])).collect();
                let truth = Truth { some: Lit::FALSE, ..all.truth };
                Value::Candidates(self.settled(Candidates { bits, rest, truth }))
            }
            Value::Number(_) => return Err(Refusal::ThoseOfNumber),
        })
    }

    fn and_when(&mut self, var: VarId, member: usize, is: Lit, when: &Condition) -> Result<Lit, Refusal> {
        let outer = self.scope.running[var.0].replace(member);
        let holds = self.condition(when);
        self.scope.running[var.0] = outer;
        let holds = holds?;
        Ok(self.circuit.and2(is, holds))
    }

    /// `in_no_template(d)`, `in_every_template(d)` and `in_no_combination(s)`. The solution is one of the templates or
    /// combinations, so a candidate in none of them is false, and one in every template is true. The members themselves stay
    /// open.
    pub(super) fn solution_members(&mut self, of: &Expr, certain: bool) -> Result<Candidates, Refusal> {
        self.lemmas.insert(Lemma::Templates);
        let value = self.value(of)?;
        let whole = match &value {
            Value::Digits(_) => Expr::In(Box::new(of.clone()), Box::new(Expr::AllCells)),
            _ => Expr::In(Box::new(Expr::AllDigits), Box::new(of.clone())),
        };
        let all = self.candidates(&whole)?;
        let digits = self.digits();
        let mut bits = Vec::with_capacity(all.bits.len());
        for (at, &member) in all.bits.iter().enumerate() {
            let is_true = self.world.cells[at / digits].solution[at % digits];
            bits.push(self.part_of(&[member, if certain { is_true } else { !is_true }]));
        }
        match value {
            Value::Digits(of) if !self.world.open && of.iter().all(|lit| lit.is_constant()) => {
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
        let named: Vec<usize> = (0..of.len()).filter(|&digit| of[digit] == Lit::TRUE).collect();
        let &[digit] = named.as_slice() else {
            self.loose = Some("templates of several digits");
            return;
        };
        let count = self.world.count();
        let mut able = Vec::with_capacity(count);
        for cell in 0..count {
            able.push((cell, self.world.option(&mut self.circuit, cell, digit)));
        }
        let candidate = (0..count).map(|cell| self.world.cells[cell].candidate[digit]).collect();
        let bits = (0..count).map(|cell| bits[cell * of.len() + digit]).collect();
        self.owed.push(Owed { asked: Lit::TRUE, able, candidate, what: What::Templates(Templates { every, bits }) });
    }
}

impl Encoder<'_> {
    /// `candidates excluded by every K`, `candidates excluded by some K`.
    ///
    /// If some member of K is true, candidates excluded by every member are false; if all are true, candidates excluded by
    /// some member are. The members themselves need not be known.
    pub(super) fn excluded_by(&mut self, every: bool, of: &Expr) -> Result<Candidates, Refusal> {
        let of = self.candidates(of)?;
        let digits = self.digits();
        let hits = if every { self.hit_by_every(&of) } else { self.hit_by_some(&of) };
        let here = self.circuit.or(of.bits.iter().copied());
        let outside = self.circuit.or(of.rest.iter().copied());
        let mut bits = Vec::with_capacity(hits.len());
        for (at, hit) in hits.into_iter().enumerate() {
            let (must, may) = if every {
                let some = self.circuit.or2(here, outside);
                (self.circuit.and([hit, here, !outside]), self.circuit.and2(hit, some))
            } else {
                (hit, self.circuit.or2(hit, outside))
            };
            let is = self.circuit.between(must, may);
            bits.push(self.circuit.and2(is, self.world.cells[at / digits].candidate[at % digits]));
        }
        let rest = (0..digits).map(|_| self.beyond()).collect();
        let true_here = self.true_here(&of);
        let none = if every { self.circuit.or2(of.truth.some, true_here) } else { of.truth.all };
        Ok(self.settled(Candidates { bits, rest, truth: Truth { none, ..Truth::OPEN } }))
    }

    /// Literal that is true iff a modelled member is true.
    pub(super) fn true_here(&mut self, of: &Candidates) -> Lit {
        let digits = self.digits();
        let mut ways = Vec::new();
        for (at, &member) in of.bits.iter().enumerate().filter(|(_, member)| **member != Lit::FALSE) {
            ways.push(self.circuit.and2(member, self.world.cells[at / digits].solution[at % digits]));
        }
        self.circuit.or(ways)
    }

    /// Adds clauses that tie each member to the facts about the whole set (all true, none true, some true). A set known to
    /// be both all true and all false is empty.
    pub(super) fn settled(&mut self, of: Candidates) -> Candidates {
        let digits = self.digits();
        let Truth { all, none, some } = of.truth;
        for (at, &member) in of.bits.iter().enumerate().filter(|(_, member)| **member != Lit::FALSE) {
            let is_true = self.world.cells[at / digits].solution[at % digits];
            self.circuit.clause(&[!member, !all, is_true]);
            self.circuit.clause(&[!member, !none, !is_true]);
        }
        for &outside in &of.rest {
            self.circuit.clause(&[!outside, !all, !none]);
        }
        self.circuit.clause(&[!none, !some]);
        of
    }

    /// For each candidate, a literal: every modelled member excludes it.
    fn hit_by_every(&mut self, of: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.count(), self.digits());
        let mut out = vec![Lit::FALSE; count * digits];
        for digit in 0..digits {
            // A member of another digit excludes only what is in its own cell.
            let mut others = Vec::with_capacity(count);
            for cell in of.bits.chunks(digits) {
                others.push(self.circuit.or((0..digits).filter(|&other| other != digit).map(|other| cell[other])));
            }
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
        for cell in 0..count {
            for digit in 0..digits {
                let own = (0..digits).filter(|&other| other != digit).map(|other| of.bits[cell * digits + other]);
                let mut ways: Vec<Lit> = own.collect();
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
