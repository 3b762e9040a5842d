//! The open world, which has cells and houses only for the names of a rule. In: a variant. Out: a [`World`] with a cell
//! for everything that the rule or its refutation mentions, and the domains of the names. Visibility and houses of this
//! world are left open.
//!
//! Take any board of up to [`MOST_DIGITS`] digits, any state of the board and any binding. Pick cells in the order of
//! the slots below: single names, members of sets, members of families, the solution's place of each named digit in
//! each named house, and the candidate that a conclusion is wrong about. If a cell was already picked for an earlier
//! slot, the later slot stays empty. The board satisfies every clause, because the clauses state only facts that hold
//! on every board. So if the clauses have no model, no board has a counterexample.

use super::names::{chosen_names, may_have_any_size, must_differ};
use super::world::{Domain, HouseLits, OpenSet, World, index_kind};
use super::{OpenSlots, Refusal};
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, Node, PredicateId, Statement, VarId, VarShape, Variant};
use crate::proof::circuit::{Circuit, pairs};
use crate::proof::solver::Lit;
use std::ops::Range;

/// Number of digits of the largest board.
pub(crate) const MOST_DIGITS: usize = 25;

/// Number of digits of the smallest board.
const FEWEST_DIGITS: usize = 4;

/// A slot for a house, by the part of the rule that needs it.
pub(crate) enum HouseSlot {
    /// A single name, or a member of a set with this name.
    Named(VarId, HouseClass),
    /// The house of a `conjugate` condition, in which the digit has just two places.
    Conjugate(Condition),
    /// The house of a class through a named cell.
    Through(HouseClass, VarId),
}

struct SlotPlan<'v> {
    variant: &'v Variant,
    args: &'v [u32],
    /// For each slot of a cell, the literal "the slot is not empty".
    exists: Vec<Lit>,
    domains: Vec<Domain>,
    /// House slots of single names and of members of sets.
    named_houses: Vec<(VarId, HouseClass)>,
}

/// Builds the world, the domain of each name, and the slots of houses and of the generic digit.
pub(crate) fn open_world(
    circuit: &mut Circuit,
    variant: &Variant,
    args: &[u32],
) -> Result<(World, Vec<Domain>, OpenSlots), Refusal> {
    let domains = vec![Domain::Nothing; variant.vars.len()];
    let mut plan = SlotPlan { variant, args, exists: Vec::new(), domains, named_houses: Vec::new() };
    plan.add_singles();
    plan.add_house_sets()?;
    plan.add_candidates(circuit);
    plan.add_sets(circuit);
    plan.add_families(circuit);
    let houses = plan.house_slots();
    let places_per_house = plan.places_per_house();
    let first_place = plan.exists.len();
    // One more slot, for the candidate about which a conclusion is wrong.
    plan.add_optional_slots(circuit, houses.len() * places_per_house + 1);
    plan.add_open_sets(circuit, places_per_house);
    let SlotPlan { exists, domains, .. } = plan;
    let mut digits = vec![Lit::TRUE; FEWEST_DIGITS];
    digits.extend(circuit.fresh_set(MOST_DIGITS - FEWEST_DIGITS));
    let mut world = World::new(circuit, digits, &exists, &mut |circuit, a, b| {
        let sees = circuit.fresh();
        circuit.imply(sees, exists[a]);
        circuit.imply(sees, exists[b]);
        sees
    });
    world.is_open = true;
    world.has_boxes = circuit.fresh();
    for (index, house) in houses.iter().enumerate() {
        let places = first_place + index * places_per_house;
        add_house(circuit, &mut world, house, &domains, places..places + places_per_house);
    }
    add_same_houses(circuit, &mut world, &houses, variant);
    let generic_digit = has_generic_digit(variant).then(|| places_per_house - 1);
    Ok((world, domains, OpenSlots { houses, generic_digit }))
}

impl SlotPlan<'_> {
    fn add_slot(&mut self, exists: Lit) -> usize {
        self.exists.push(exists);
        self.exists.len() - 1
    }

    /// Adds `count` slots; each slot may stay empty.
    fn add_optional_slots(&mut self, circuit: &mut Circuit, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.add_slot(circuit.fresh())).collect()
    }

    fn all_slots(&self) -> Vec<usize> {
        (0..self.exists.len()).collect()
    }

    /// Adds a slot for each single name of a cell or house. Single names differ, so no two names share a slot.
    fn add_singles(&mut self) {
        for id in chosen_names(self.variant) {
            let var = self.variant.var(id);
            match (var.kind, var.shape) {
                (Kind::Cell, VarShape::Single) => self.domains[id.0] = Domain::Fixed(self.add_slot(Lit::TRUE)),
                (Kind::House(class), VarShape::Single) => {
                    self.domains[id.0] = Domain::Fixed(self.named_houses.len());
                    self.named_houses.push((id, class));
                }
                _ => {}
            }
        }
    }

    /// Adds slots for the members of sets of houses. A member may be the house of another slot, see
    /// [`World::same_house`].
    fn add_house_sets(&mut self) -> Result<(), Refusal> {
        for id in chosen_names(self.variant) {
            let var = self.variant.var(id);
            let (Kind::House(class), VarShape::Set) = (var.kind, var.shape) else { continue };
            let (low, high) = self.size(id);
            if low != high {
                return Err(Refusal::Construct("sets of houses of several sizes"));
            }
            let start = self.named_houses.len();
            self.named_houses.extend(vec![(id, class); high]);
            self.domains[id.0] = Domain::All((start..start + high).collect());
        }
        Ok(())
    }

    /// Adds slots for the cells of candidates. A candidate lies in the cell of an earlier slot or in the cell of its
    /// own slot.
    fn add_candidates(&mut self, circuit: &mut Circuit) {
        for id in chosen_names(self.variant).filter(|&id| self.variant.var(id).kind == Kind::Candidate) {
            self.add_slot(circuit.fresh());
            self.domains[id.0] = Domain::Among(self.all_slots());
        }
    }

    /// Adds slots for the members of sets. A member is the cell of an earlier slot or of a slot for the set. The cells
    /// of earlier slots are possible members, so small sets come first to have fewer of them.
    fn add_sets(&mut self, circuit: &mut Circuit) {
        let mut sets: Vec<VarId> = chosen_names(self.variant).collect();
        sets.sort_by_key(|&id| self.size(id).1);
        for id in sets {
            let var = self.variant.var(id);
            if (var.kind, var.shape) != (Kind::Cell, VarShape::Set) || self.may_have_any_size(id) {
                continue;
            }
            let (low, high) = self.size(id);
            if self.exists.is_empty() && low == high {
                let slots: Vec<usize> = (0..high).map(|_| self.add_slot(Lit::TRUE)).collect();
                self.domains[id.0] = Domain::All(slots);
                continue;
            }
            let mut previous = Lit::TRUE;
            for _ in 0..high {
                // The slots of a set are interchangeable, so a slot is used only if the previous slot is used.
                let exists = circuit.fresh();
                circuit.imply(exists, previous);
                previous = exists;
                self.add_slot(exists);
            }
            self.domains[id.0] = Domain::Among(self.all_slots());
        }
    }

    /// Returns the least and the greatest number of members of a set.
    fn size(&self, id: VarId) -> (usize, usize) {
        // A range without an upper end stops at half of the board's size.
        let size = self.variant.choice(id).and_then(|choose| choose.size.as_ref());
        let Some((low, high)) = size else { return (0, MOST_DIGITS / 2) };
        (self.constant(low), high.as_ref().map_or(MOST_DIGITS / 2, |high| self.constant(high)))
    }

    fn constant(&self, expr: &Expr) -> usize {
        expr.constant(self.args).and_then(|value| usize::try_from(value).ok()).unwrap_or(0)
    }

    /// Adds a slot for each value of a family's index. The member for a value is the cell of an earlier slot or of the
    /// value's slot.
    fn add_families(&mut self, circuit: &mut Circuit) {
        for id in chosen_names(self.variant) {
            let var = self.variant.var(id);
            if (var.kind, var.shape) != (Kind::Cell, VarShape::Family) || self.may_have_any_size(id) {
                continue;
            }
            let earlier = self.all_slots();
            let count = if index_kind(self.variant, id) == Some(Kind::Cell) { earlier.len() } else { MOST_DIGITS };
            let slots = self.add_optional_slots(circuit, count).into_iter();
            let domains = slots.map(|slot| earlier.iter().copied().chain([slot]).collect());
            self.domains[id.0] = Domain::PerIndex(domains.collect());
        }
    }

    fn may_have_any_size(&self, id: VarId) -> bool {
        self.variant.choice(id).is_some_and(may_have_any_size)
    }

    /// Returns the named houses in order of their names, then the houses without a name, which conditions and other
    /// expressions mention.
    fn house_slots(&self) -> Vec<HouseSlot> {
        let mut out: Vec<HouseSlot> =
            self.named_houses.iter().map(|&(id, class)| HouseSlot::Named(id, class)).collect();
        for statement in &self.variant.body {
            for condition in statement.conditions(&self.variant.vars).iter() {
                self.add_unnamed_houses(Node::Condition(condition), &mut out);
            }
        }
        for statement in &self.variant.body {
            if let Statement::Let { value, .. } = statement {
                self.add_unnamed_houses(Node::Expr(value), &mut out);
            }
        }
        for conclusion in &self.variant.conclusions {
            self.add_unnamed_houses(Node::Expr(&conclusion.claim.candidates()), &mut out);
        }
        out
    }

    /// Appends the houses without a name that a part of the rule mentions.
    fn add_unnamed_houses(&self, part: Node<'_>, out: &mut Vec<HouseSlot>) {
        part.walk(&mut |node| {
            match node {
                Node::Condition(condition @ Condition::Predicate(PredicateId::Conjugate, ..))
                    if !out.iter().any(|slot| matches!(slot, HouseSlot::Conjugate(other) if other == condition)) =>
                {
                    out.push(HouseSlot::Conjugate(condition.clone()));
                }
                Node::Expr(Expr::HousesOf(class, cells)) => self.add_houses_through(*class, cells, out),
                // The condition of `those` is left out: it is about a loop variable, and a loop variable has no slots.
                Node::Expr(Expr::Filter { set, .. }) => {
                    self.add_unnamed_houses(Node::Expr(set), out);
                    return false;
                }
                _ => {}
            }
            true
        });
    }

    /// Appends the houses of a class through a named cell: one house for `row(c)`, two for `lines(c)`.
    fn add_houses_through(&self, class: HouseClass, cells: &Expr, out: &mut Vec<HouseSlot>) {
        let &Expr::Var(cell) = cells else { return };
        if self.variant.var(cell).kind != Kind::Cell || !matches!(self.domains[cell.0], Domain::Fixed(_)) {
            return;
        }
        for &class in single_house_classes(&class) {
            let mut slots = out.iter();
            if !slots.any(|slot| matches!(slot, HouseSlot::Through(a, b) if (*a, *b) == (class, cell))) {
                out.push(HouseSlot::Through(class, cell));
            }
        }
    }

    /// Returns the number of digits for whose place in the solution each house has a slot: single names of digits,
    /// members of sets of digits (as many as the sets can have), and the generic digit.
    fn places_per_house(&self) -> usize {
        let mut count = usize::from(has_generic_digit(self.variant));
        for id in chosen_names(self.variant) {
            let var = self.variant.var(id);
            if var.kind == Kind::Digit {
                count += if var.shape == VarShape::Set { self.size(id).1 } else { 1 };
            }
        }
        count.min(MOST_DIGITS)
    }
}

/// Splits a class of houses into rows, columns and boxes, of which every cell has at most one. Returns an empty list
/// for the class of all houses.
pub(super) fn single_house_classes(class: &HouseClass) -> &[HouseClass] {
    match class {
        HouseClass::Row | HouseClass::Column | HouseClass::Box => std::slice::from_ref(class),
        HouseClass::Line => &[HouseClass::Row, HouseClass::Column],
        HouseClass::Any => &[],
    }
}

/// Returns true if the world needs a generic digit: some conclusion is drawn for every digit of a set, and the rule has
/// no name for a set of digits.
///
/// If such a conclusion is wrong, it is wrong for a named digit or for an unnamed digit. All unnamed digits are
/// interchangeable, so one generic digit represents them.
fn has_generic_digit(variant: &Variant) -> bool {
    let mut vars = chosen_names(variant).map(|id| variant.var(id));
    let has_digit_sets = vars.any(|var| (var.kind, var.shape) == (Kind::Digit, VarShape::Set));
    let mut indices = variant.conclusions.iter().filter_map(|conclusion| conclusion.for_each.as_ref());
    !has_digit_sets && indices.any(|(index, _)| variant.var(*index).kind == Kind::Digit)
}

/// Adds the house of a slot. The place of digit k in the house is the cell of the k-th slot of `places` or of an
/// earlier slot.
fn add_house(circuit: &mut Circuit, world: &mut World, slot: &HouseSlot, domains: &[Domain], places: Range<usize>) {
    let class = match slot {
        HouseSlot::Named(_, class) | HouseSlot::Through(class, _) => *class,
        HouseSlot::Conjugate(_) => HouseClass::Any,
    };
    let [is_row, is_column, is_box] = kind_lits(circuit, class);
    // The box of a cell exists if the board has boxes; named houses always exist.
    let exists = match slot {
        HouseSlot::Through(HouseClass::Box, _) => world.has_boxes,
        _ => Lit::TRUE,
    };
    let is_box = circuit.and2(is_box, exists);
    circuit.imply(is_box, world.has_boxes);
    let mut holds = circuit.fresh_set(world.cell_count());
    holds.iter().for_each(|&holds| circuit.imply(holds, exists));
    if let HouseSlot::Through(_, cell) = slot
        && let Domain::Fixed(cell) = domains[cell.0]
    {
        holds[cell] = exists;
    }
    for (cell, &holds) in world.cells.iter().zip(&holds) {
        circuit.imply(holds, cell.exists);
    }
    for (digit, place) in places.clone().enumerate() {
        let cell = &world.cells[place];
        circuit.imply(cell.exists, holds[place]);
        circuit.imply(cell.exists, cell.solution[digit]);
    }
    let mut first_cells: Vec<Option<usize>> = places.map(|place| Some(place + 1)).collect();
    first_cells.resize(MOST_DIGITS, None);
    world.add_house(circuit, HouseLits { exists, holds, is_row, is_column, is_box }, &first_cells);
}

/// Returns the literals "the house is a row", "… a column" and "… a box" for a house of a class.
fn kind_lits(circuit: &mut Circuit, class: HouseClass) -> [Lit; 3] {
    match class {
        HouseClass::Row => [Lit::TRUE, Lit::FALSE, Lit::FALSE],
        HouseClass::Column => [Lit::FALSE, Lit::TRUE, Lit::FALSE],
        HouseClass::Box => [Lit::FALSE, Lit::FALSE, Lit::TRUE],
        HouseClass::Line => {
            let row = circuit.fresh();
            [row, !row, Lit::FALSE]
        }
        HouseClass::Any => {
            let kinds = [circuit.fresh(), circuit.fresh(), circuit.fresh()];
            circuit.at_most_one(&kinds);
            kinds
        }
    }
}

/// Adds the literals and clauses for pairs of houses. Two slots may stand for the same house unless the language
/// requires their names to differ.
fn add_same_houses(circuit: &mut Circuit, world: &mut World, slots: &[HouseSlot], variant: &Variant) {
    for later in 0..slots.len() {
        let mut row = Vec::new();
        for earlier in 0..later {
            let a = &world.houses[earlier];
            let b = &world.houses[later];
            let names_differ = match (&slots[earlier], &slots[later]) {
                // Slots with the same name are different members of one set.
                (HouseSlot::Named(x, _), HouseSlot::Named(y, _)) => x == y || must_differ(variant, *x, *y),
                _ => false,
            };
            let is_same = if names_differ || classes_differ(a, b) { Lit::FALSE } else { circuit.fresh() };
            add_house_pair(circuit, a, b, is_same);
            row.push(is_same);
        }
        world.same_houses.push(row);
    }
}

/// Returns true if some class is known to contain exactly one of the two houses.
fn classes_differ(a: &HouseLits, b: &HouseLits) -> bool {
    kind_pairs(a, b).into_iter().any(|(a, b)| a.is_constant() && b == !a)
}

fn kind_pairs(a: &HouseLits, b: &HouseLits) -> [(Lit, Lit); 3] {
    [(a.is_row, b.is_row), (a.is_column, b.is_column), (a.is_box, b.is_box)]
}

/// Adds the clauses for two houses. If `is_same` is true, both have the same cells and class. Otherwise two rows,
/// two columns or two boxes share no cell. A row and a column share at most one cell.
fn add_house_pair(circuit: &mut Circuit, a: &HouseLits, b: &HouseLits, is_same: Lit) {
    circuit.add_clause(&[!is_same, a.exists]);
    circuit.add_clause(&[!is_same, b.exists]);
    for (a_kind, b_kind) in kind_pairs(a, b) {
        circuit.add_clause(&[!is_same, !a_kind, b_kind]);
        circuit.add_clause(&[!is_same, a_kind, !b_kind]);
        for (a_holds, b_holds) in pairs(&a.holds, &b.holds) {
            circuit.add_clause(&[is_same, !a_kind, !b_kind, !a_holds, !b_holds]);
        }
    }
    for (a_holds, b_holds) in pairs(&a.holds, &b.holds) {
        circuit.add_clause(&[!is_same, !a_holds, b_holds]);
        circuit.add_clause(&[!is_same, a_holds, !b_holds]);
    }
    for (a_kind, b_kind) in [(a.is_row, b.is_column), (a.is_column, b.is_row)] {
        for p in 0..a.holds.len() {
            for q in p + 1..a.holds.len() {
                circuit.add_clause(&[!a_kind, !b_kind, !a.holds[p], !b.holds[p], !a.holds[q], !b.holds[q]]);
            }
        }
    }
}

impl SlotPlan<'_> {
    /// Adds slots for sets of any size. For such a set, the world models facts about the whole set, and the solution's
    /// places of some digits in the set: the digits that have places in houses, and the digit that is the index of the
    /// set in its family.
    fn add_open_sets(&mut self, circuit: &mut Circuit, places_per_house: usize) {
        let cell_count = self.exists.len();
        for id in chosen_names(self.variant) {
            if self.variant.var(id).kind != Kind::Cell || !self.may_have_any_size(id) {
                continue;
            }
            if self.variant.var(id).shape == VarShape::Set {
                self.domains[id.0] = Domain::Open(self.open_set(circuit, id, (0..places_per_house).collect()));
                continue;
            }
            let is_per_cell = index_kind(self.variant, id) == Some(Kind::Cell);
            let index_count = if is_per_cell { cell_count } else { MOST_DIGITS };
            let mut members = Vec::new();
            for index in 0..index_count {
                let mut digits: Vec<usize> = (0..places_per_house).collect();
                if !is_per_cell && index >= places_per_house {
                    digits.push(index);
                }
                members.push(self.open_set(circuit, id, digits));
            }
            self.domains[id.0] = Domain::OpenPerIndex(members);
        }
    }

    /// Makes a set with a slot for the place of each digit in `digits`.
    fn open_set(&mut self, circuit: &mut Circuit, id: VarId, digits: Vec<usize>) -> OpenSet {
        let declared = self.variant.choice(id);
        let conditions = declared.map_or(&[][..], |choose| &choose.such_that);
        let in_one_house = conditions.iter().any(|condition| match condition {
            Condition::AlmostLocked(set, _) => is_name(set, id),
            Condition::Predicate(PredicateId::InOneHouse(_) | PredicateId::Group, args, _) => is_name(&args[0], id),
            Condition::Within(set, cells) => is_name(set, id) && self.lies_in_a_house(cells),
            _ => false,
        });
        let is_almost_locked = conditions.iter().any(|condition| matches!(condition, Condition::AlmostLocked(..)));
        let low = declared.and_then(|choose| choose.size.as_ref()?.0.constant(self.args));
        let may_be_empty = !is_almost_locked && low.is_none_or(|low| low < 1);
        let mut houses = Vec::new();
        for condition in conditions {
            if let Condition::Within(set, cells) = condition
                && is_name(set, id)
            {
                self.add_named_houses(cells, &mut houses);
            }
        }
        let slots = self.add_optional_slots(circuit, digits.len());
        OpenSet { place_slots: digits.into_iter().zip(slots).collect(), in_one_house, may_be_empty, houses }
    }

    /// Returns true if `cells` is known to lie in a single house.
    fn lies_in_a_house(&self, cells: &Expr) -> bool {
        match cells {
            Expr::HouseCells(houses) => match houses.as_ref() {
                Expr::HousesOf(HouseClass::Row | HouseClass::Column | HouseClass::Box, cell) => {
                    self.is_single_name(cell)
                }
                house => self.is_single_name(house),
            },
            Expr::Intersection(a, b) => self.lies_in_a_house(a) || self.lies_in_a_house(b),
            Expr::Difference(set, _) | Expr::CellsOf(set) | Expr::CandidatesIn(_, set) => self.lies_in_a_house(set),
            _ => false,
        }
    }

    fn is_single_name(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Var(var) if self.variant.var(*var).shape == VarShape::Single)
    }

    /// Appends the named houses that hold all of `cells`.
    fn add_named_houses(&self, cells: &Expr, out: &mut Vec<usize>) {
        match cells {
            Expr::HouseCells(houses) => {
                if let Expr::Var(var) = houses.as_ref()
                    && let Domain::Fixed(house) = self.domains[var.0]
                {
                    out.push(house);
                }
            }
            Expr::Intersection(a, b) => {
                self.add_named_houses(a, out);
                self.add_named_houses(b, out);
            }
            Expr::Difference(set, _) | Expr::CellsOf(set) | Expr::CandidatesIn(_, set) => {
                self.add_named_houses(set, out)
            }
            _ => {}
        }
    }
}

/// Returns true if an expression is the set with this name, or a member of the family with this name.
fn is_name(expr: &Expr, id: VarId) -> bool {
    matches!(expr, Expr::Var(name) | Expr::Member(name, _) if *name == id)
}
