//! Sets of any size. In: domains, expressions and conditions. Out: sets with unmodelled cells, almost locked sets,
//! `overlap`, houses counted once, filtered sets, templates and combinations, and the candidates excluded by a set.

use super::lazy::{LazyFact, LazyMeaning};
use super::values::{Candidates, Cells, Houses, KnownTruth, Lits};
use super::world::OpenSet;
use super::{Encoder, Lemma, Refusal, one_hot};
use crate::lang::ir::{Condition, Expr, HouseClass, PredicateId, Quantifier, VarId};
use crate::proof::circuit::{members, pairs};
use crate::proof::solver::Lit;

/// A test of a candidate: it is in every template, or it is in no template (or combination).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TemplateTest {
    InEvery,
    InNone,
}

impl Encoder<'_> {
    /// Makes the value of a set of any size in the open world ([`World`](super::World)), where only some cells of an
    /// unknown board are modelled.
    pub(super) fn open_set(&mut self, set: &OpenSet) -> Cells {
        let cells = self.open_family_member(set);
        if !set.may_be_empty {
            let some = self.circuit.or(cells.bits.iter().copied().chain([cells.has_unmodelled]));
            self.circuit.add_clause(&[some]);
        }
        cells
    }

    /// Makes a member of a family of sets of any size. The member may be empty: `family_literals` makes the member
    /// empty iff the index set lacks the member's index.
    pub(super) fn open_family_member(&mut self, set: &OpenSet) -> Cells {
        let mut cells = self.any_cells();
        cells.houses_of_unmodelled = set.houses.clone();
        self.require_unsolved(&cells.bits);
        // A place slot models the cell of the member, if any, whose solution is the digit.
        for &(digit, slot) in &set.place_slots {
            let place = &self.world.cells[slot];
            self.circuit.imply(place.exists, cells.bits[slot]);
            self.circuit.imply(place.exists, place.solution[digit]);
        }
        // If the set lies in one house, at most one of its cells has the digit as its solution: the cell of the slot.
        if set.in_one_house {
            cells.digits_solved_in_model = set.place_slots.iter().map(|&(digit, _)| digit).collect();
        }
        cells.digits_of_unmodelled = Some(self.digits_of_unmodelled(&cells));
        cells
    }

    /// Returns a set of cells without any known facts.
    pub(super) fn any_cells(&mut self) -> Cells {
        let bits = self.circuit.fresh_set(self.world.cell_count());
        Cells::with_unmodelled(bits, self.free_unmodelled())
    }

    pub(super) fn family_union(&mut self, family: VarId, members: &[Cells]) -> Result<Cells, Refusal> {
        let has_more = self.has_unmodelled_members(family, members)?;
        let bits = (0..self.world.cell_count()).map(|cell| {
            let in_modelled = self.circuit.or(members.iter().map(|member| member.bits[cell]));
            let may_be_in_other = self.circuit.and2(has_more, self.world.cells[cell].unsolved);
            self.weakened_by_unmodelled(in_modelled, may_be_in_other, Quantifier::Some)
        });
        let bits = bits.collect();
        let other_has_unmodelled = self.free_implying(&[has_more]);
        let has_unmodelled =
            self.circuit.or(members.iter().map(|member| member.has_unmodelled).chain([other_has_unmodelled]));
        Ok(Cells::with_unmodelled(bits, has_unmodelled))
    }

    /// Returns the literal that is true iff a family has members for unmodelled values of its index.
    fn has_unmodelled_members(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
        let Some((_, index_set)) = self.scope.variant.choice(family).and_then(|choose| choose.for_each.as_ref()) else {
            return Ok(Lit::FALSE);
        };
        let values = self.members(index_set)?;
        Ok(self.circuit.or(values.bits.into_iter().skip(members.len()).chain([values.has_unmodelled])))
    }

    pub(super) fn pairwise_disjoint(&mut self, family: VarId, members: &[Cells]) -> Result<Lit, Refusal> {
        let has_more = self.has_unmodelled_members(family, members)?;
        let mut parts = Vec::new();
        for cell in 0..self.world.cell_count() {
            let membership: Vec<Lit> = members.iter().map(|member| member.bits[cell]).collect();
            parts.push(!self.circuit.at_least(&membership, 2));
        }
        let modelled_disjoint = self.circuit.and(parts);
        if has_more == Lit::FALSE && members.iter().all(|member| member.has_unmodelled == Lit::FALSE) {
            return Ok(modelled_disjoint);
        }
        Ok(self.circuit.between(Lit::FALSE, modelled_disjoint))
    }

    /// Returns the literal for `als`: cells of one house with `surplus` more digits than cells.
    ///
    /// In the open world, the numbers of cells and digits are unknown. There, the literal implies two consequences: the
    /// cells share a house, so their solutions differ; and of any `surplus + 1` digits of the set, at least one is the
    /// solution of a cell of the set.
    pub(super) fn almost_locked(&mut self, cells: &Expr, surplus: usize) -> Result<Lit, Refusal> {
        let in_one_house = self.condition(&PredicateId::InOneHouse(HouseClass::Any).applied_to(vec![cells.clone()]))?;
        let digits = self.digit_set(&Expr::Digits(Box::new(cells.clone())))?;
        let cells = self.cell_set(cells)?;
        if cells.has_unmodelled != Lit::FALSE {
            let uses_digits = self.uses_one_of_each(&cells, &digits, surplus + 1);
            return Ok(self.circuit.and2(in_one_house, uses_digits));
        }
        let max_count = self.digits();
        // Element n of the counts is true iff there are at least n digits (or cells).
        let mut digit_counts = self.circuit.thresholds(&digits, max_count);
        let mut cell_counts = self.circuit.thresholds(&cells.bits, max_count);
        let mut parts = vec![in_one_house, cell_counts[1]];
        digit_counts.resize(max_count + surplus + 2, Lit::FALSE);
        cell_counts.resize(max_count + 2, Lit::FALSE);
        // The set has at least n cells iff it has at least n + `surplus` digits.
        for (&digits, &cells) in digit_counts[surplus..].iter().zip(&cell_counts) {
            parts.push(self.circuit.iff(digits, cells));
        }
        Ok(self.circuit.and(parts))
    }

    /// Returns the literal that implies that each group of `group_size` digits of the set contains the solution of a
    /// modelled cell of the set. The literal is a necessary condition of `als` only, so the converse is not required.
    fn uses_one_of_each(&mut self, cells: &Cells, digits: &[Lit], group_size: usize) -> Lit {
        self.lemmas.insert(Lemma::LockedSet);
        let modelled: Vec<usize> = (0..self.digits()).filter(|&digit| cells.models_place(digit)).collect();
        let mut parts = Vec::new();
        for group in subsets(&modelled, group_size) {
            let mut ways: Vec<Lit> = group.iter().map(|&digit| !digits[digit]).collect();
            for digit in group {
                let solutions = self.world.solutions_of(digit);
                ways.push(self.circuit.any_pair_true(cells.bits.iter().copied().zip(solutions)));
            }
            parts.push(self.circuit.or(ways));
        }
        let necessary = self.circuit.and(parts);
        self.circuit.between(Lit::FALSE, necessary)
    }

    /// Returns `overlap(H)`: the cells in two different houses of the set H.
    pub(super) fn overlap(&mut self, houses: &Expr) -> Result<Cells, Refusal> {
        let houses = self.house_set(houses)?;
        let mut bits = Vec::with_capacity(self.world.cell_count());
        for cell in 0..self.world.cell_count() {
            let holds = self.world.houses.iter().map(|house| house.holds[cell]);
            let houses_of_cell = self.circuit.and_each(houses.bits.iter().copied().zip(holds));
            let in_two = self.two_different(&houses_of_cell);
            // If the set has unmodelled houses, any cell may lie in two houses of the set.
            bits.push(self.weakened_by_unmodelled(in_two, houses.has_unmodelled, Quantifier::Some));
        }
        Ok(Cells::with_unmodelled(bits, self.free_unmodelled()))
    }

    /// Returns the literal that is true iff a set has two different houses as members. The set is given by a literal
    /// for each house.
    fn two_different(&mut self, houses: &[Lit]) -> Lit {
        if !self.world.is_open {
            return self.circuit.at_least(houses, 2);
        }
        let mut ways = Vec::new();
        for a in 0..houses.len() {
            ways.extend((0..a).map(|b| self.circuit.and([houses[a], houses[b], !self.world.same_house(a, b)])));
        }
        self.circuit.or(ways)
    }

    /// Returns the set of one modelled house. The set is empty if the house does not exist.
    pub(super) fn single_house(&mut self, house: usize) -> Houses {
        let mut bits = one_hot(self.world.houses.len(), house);
        bits[house] = self.world.houses[house].exists;
        Houses { bits: self.with_aliases(&bits), has_unmodelled: Lit::FALSE, only_member: Some(house) }
    }

    /// Adds the aliases of the members to a set of houses. In the open world, several house indexes may stand for the
    /// same house.
    pub(super) fn with_aliases(&mut self, houses: &[Lit]) -> Vec<Lit> {
        if !self.world.is_open {
            return houses.to_vec();
        }
        let with_aliases = (0..houses.len()).map(|house| {
            let same = (0..houses.len()).map(|other| self.world.same_house(house, other));
            self.circuit.any_pair_true(houses.iter().copied().zip(same))
        });
        with_aliases.collect()
    }

    /// Returns the members of a set of houses without aliases: each member only at its first index.
    pub(super) fn distinct_houses(&mut self, houses: &Houses) -> Vec<Lit> {
        let distinct = houses.bits.iter().enumerate().map(|(house, &is_member)| {
            let is_first = self.circuit.and((0..house).map(|other| !self.world.same_house(house, other)));
            self.circuit.and2(is_member, is_first)
        });
        distinct.collect()
    }
}

/// Returns all subsets with `size` elements, in lexicographic order.
pub(super) fn subsets(elements: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let mut out = Vec::new();
    for (index, &first) in elements.iter().enumerate() {
        out.extend(subsets(&elements[index + 1..], size - 1).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    out
}

impl Encoder<'_> {
    /// Makes, for each literal, a free literal that implies it.
    pub(super) fn free_subset(&mut self, lits: &[Lit]) -> Vec<Lit> {
        lits.iter().map(|&lit| self.free_implying(&[lit])).collect()
    }

    /// Returns the members of a set for which a condition holds: `those c in X with C`.
    pub(super) fn filter(&mut self, var: VarId, set: &Expr, condition: &Condition) -> Result<Lits, Refusal> {
        let set = self.value(set)?;
        let mut bits = set.clone().members(&mut self.circuit)?.bits;
        for (member, bit) in bits.iter_mut().enumerate() {
            if *bit != Lit::FALSE {
                let holds = self.with_loop_variable(var, member, |this| this.condition(condition))?;
                *bit = self.circuit.and2(*bit, holds);
            }
        }
        Ok(match set {
            Lits::Cells(cells) => {
                let has_unmodelled = self.free_implying(&[cells.has_unmodelled]);
                Lits::Cells(Cells { bits, has_unmodelled, digits_of_unmodelled: None, ..cells })
            }
            Lits::Houses(Houses { has_unmodelled, only_member, .. }) => {
                Lits::Houses(Houses { bits, has_unmodelled: self.free_implying(&[has_unmodelled]), only_member })
            }
            Lits::Candidates(candidates) => {
                let has_unmodelled = self.free_subset(&candidates.has_unmodelled);
                let known = KnownTruth { some_true: Lit::FALSE, ..candidates.known };
                Lits::Candidates(self.with_truth_clauses(Candidates { bits, has_unmodelled, known }))
            }
            Lits::Digits(_) => Lits::Digits(bits),
            Lits::Number(_) => return Err(Refusal::NeedsSet),
        })
    }

    /// Returns `in_no_template(d)`, `in_every_template(d)` or `in_no_combination(s)`.
    ///
    /// The solution is a template (or combination), so a candidate in no template is false, and a candidate in every
    /// template is true. The clauses state nothing else about the members.
    pub(super) fn template_candidates(&mut self, set: &Expr, test: TemplateTest) -> Result<Candidates, Refusal> {
        self.lemmas.insert(Lemma::Templates);
        let value = self.value(set)?;
        let all_candidates = match &value {
            Lits::Digits(_) => Expr::CandidatesIn(Box::new(set.clone()), Box::new(Expr::AllCells)),
            _ => Expr::CandidatesIn(Box::new(Expr::AllDigits), Box::new(set.clone())),
        };
        let candidates = self.candidates(&all_candidates)?;
        let solutions: Vec<Lit> = self.world.solutions().collect();
        let bits: Vec<Lit> = pairs(&candidates.bits, &solutions)
            .map(|(candidate, is_true)| self.free_implying(&[candidate, is_true.signed(test == TemplateTest::InEvery)]))
            .collect();
        match value {
            Lits::Digits(digits) if !self.world.is_open && digits.iter().all(|lit| lit.is_constant()) => {
                self.add_lazy_templates(&digits, test, &bits);
            }
            _ => self.inexact = Some("templates and combinations"),
        }
        Ok(Candidates::new(bits, self.free_subset(&candidates.has_unmodelled)))
    }

    /// Registers lazy clauses for the templates of one digit on a board. For several digits, registers no clauses and
    /// marks the encoding as inexact.
    fn add_lazy_templates(&mut self, digits: &[Lit], test: TemplateTest, bits: &[Lit]) {
        let &[(digit, _)] = members(digits).collect::<Vec<_>>().as_slice() else {
            self.inexact = Some("templates of several digits");
            return;
        };
        let cells = 0..self.world.cell_count();
        let can_hold = cells.clone().map(|cell| (cell, self.world.can_hold(&mut self.circuit, cell, digit))).collect();
        let candidate = self.world.cells.iter().map(|cell| cell.candidate[digit]).collect();
        let bits = cells.map(|cell| bits[cell * digits.len() + digit]).collect();
        let meaning = LazyMeaning::Templates { test, bits };
        self.lazy_facts.push(LazyFact { needed: Lit::TRUE, can_hold, candidate, meaning });
    }

    /// Returns `candidates excluded by every K` or `candidates excluded by some K`.
    ///
    /// If some member of K is true, every candidate that all members exclude is false. If all members of K are true,
    /// every candidate that some member excludes is false. Both hold even if it is unknown which candidates are
    /// members.
    pub(super) fn excluded_by(&mut self, quantifier: Quantifier, set: &Expr) -> Result<Candidates, Refusal> {
        let set = self.candidates(set)?;
        let excluded = match quantifier {
            Quantifier::Every => self.excluded_by_every(&set),
            Quantifier::Some => self.excluded_by_some(&set),
        };
        let has_modelled = self.circuit.or(set.bits.iter().copied());
        let has_unmodelled = self.circuit.or(set.has_unmodelled.iter().copied());
        let candidates: Vec<Lit> = self.world.candidates().collect();
        let mut bits = Vec::with_capacity(excluded.len());
        for (excluded, candidate) in excluded.into_iter().zip(candidates) {
            let (sufficient, necessary) = match quantifier {
                Quantifier::Every => {
                    let has_some = self.circuit.or2(has_modelled, has_unmodelled);
                    let sufficient = self.circuit.and([excluded, has_modelled, !has_unmodelled]);
                    (sufficient, self.circuit.and2(excluded, has_some))
                }
                Quantifier::Some => (excluded, self.circuit.or2(excluded, has_unmodelled)),
            };
            let is_excluded = self.circuit.between(sufficient, necessary);
            bits.push(self.circuit.and2(is_excluded, candidate));
        }
        let has_unmodelled = (0..self.digits()).map(|_| self.free_unmodelled()).collect();
        let modelled_true = self.modelled_true(&set);
        let none_true = match quantifier {
            Quantifier::Every => self.circuit.or2(set.known.some_true, modelled_true),
            Quantifier::Some => set.known.all_true,
        };
        Ok(self.with_truth_clauses(Candidates {
            bits,
            has_unmodelled,
            known: KnownTruth { none_true, ..KnownTruth::UNKNOWN },
        }))
    }

    /// Returns the literal that is true iff a modelled member is true.
    pub(super) fn modelled_true(&mut self, candidates: &Candidates) -> Lit {
        self.circuit.any_pair_true(candidates.bits.iter().copied().zip(self.world.solutions()))
    }

    /// Adds clauses that connect the truth of each member with the facts about the whole set (all true, none true, some
    /// true). A set whose members are all true and all false is empty.
    pub(super) fn with_truth_clauses(&mut self, candidates: Candidates) -> Candidates {
        let KnownTruth { all_true, none_true, some_true } = candidates.known;
        for (&bit, is_true) in candidates.bits.iter().zip(self.world.solutions()) {
            if bit != Lit::FALSE {
                self.circuit.add_clause(&[!bit, !all_true, is_true]);
                self.circuit.add_clause(&[!bit, !none_true, !is_true]);
            }
        }
        for &has_unmodelled in &candidates.has_unmodelled {
            self.circuit.add_clause(&[!has_unmodelled, !all_true, !none_true]);
        }
        self.circuit.add_clause(&[!none_true, !some_true]);
        candidates
    }

    /// Returns, for each candidate, the literal "every modelled member of the set excludes the candidate".
    fn excluded_by_every(&mut self, set: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.cell_count(), self.digits());
        let mut out = vec![Lit::FALSE; count * digits];
        for digit in 0..digits {
            // A member with another digit excludes only candidates of its own cell.
            let mut has_other_digit = Vec::with_capacity(count);
            for cell in set.bits.chunks(digits) {
                has_other_digit.push(self.circuit.or(other_digits(cell, digit)));
            }
            let has_other_digit_elsewhere = self.some_other(&has_other_digit);
            for cell in 0..count {
                let mut misses = vec![has_other_digit_elsewhere[cell], set.bits[cell * digits + digit]];
                for other in (0..count).filter(|&other| other != cell) {
                    let sees = self.world.sees(cell, other);
                    misses.push(self.circuit.and2(set.bits[other * digits + digit], !sees));
                }
                out[cell * digits + digit] = !self.circuit.or(misses);
            }
        }
        out
    }

    /// For each position of `lits`, the literal "some literal at another position is true".
    fn some_other(&mut self, lits: &[Lit]) -> Vec<Lit> {
        let mut some_from = vec![Lit::FALSE; lits.len() + 1];
        for index in (0..lits.len()).rev() {
            some_from[index] = self.circuit.or2(some_from[index + 1], lits[index]);
        }
        let mut some_before = Lit::FALSE;
        let mut out = Vec::with_capacity(lits.len());
        for index in 0..lits.len() {
            out.push(self.circuit.or2(some_before, some_from[index + 1]));
            some_before = self.circuit.or2(some_before, lits[index]);
        }
        out
    }

    /// Returns, for each candidate, the literal "some modelled member of the set excludes the candidate".
    fn excluded_by_some(&mut self, set: &Candidates) -> Vec<Lit> {
        let (count, digits) = (self.world.cell_count(), self.digits());
        let mut out = Vec::with_capacity(count * digits);
        for (cell, members_of_cell) in set.bits.chunks(digits).enumerate() {
            for digit in 0..digits {
                let mut ways: Vec<Lit> = other_digits(members_of_cell, digit).collect();
                for other in (0..count).filter(|&other| other != cell) {
                    let sees = self.world.sees(cell, other);
                    ways.push(self.circuit.and2(set.bits[other * digits + digit], sees));
                }
                out.push(self.circuit.or(ways));
            }
        }
        out
    }
}

/// Returns the literals of a cell's candidates, except the literal of `digit`.
fn other_digits(cell: &[Lit], digit: usize) -> impl Iterator<Item = Lit> {
    cell.iter().copied().enumerate().filter(move |&(other, _)| other != digit).map(|(_, bit)| bit)
}
