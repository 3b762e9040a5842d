//! The open world: cells and houses for nothing but a rule's names. In: a variant. Out: a [`World`] with a cell for
//! everything that the rule or its refutation mentions, in which visibility and houses are open, and the layout of the
//! names.
//!
//! Take any board of up to [`DIGITS`] digits, any state of it and any binding. Pick its cells in the order of the slots
//! below: single names, members of sets, members of families, the solution's place of each named digit in each named house,
//! and the candidate that a conclusion is wrong about. A cell that was picked before is not picked again; its slot stays
//! empty. Facts of the board then satisfy every clause, because the clauses state only facts of every board. Hence no model
//! here means no counterexample anywhere.

use super::names::{chosen_names, differ, is_open};
use super::world::{Domain, HouseLits, OpenSet, World, index_kind};
use super::{Refusal, Unnamed};
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, Node, PredicateId, Statement, VarId, VarShape, Variant};
use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

/// The most digits that a board has.
pub(crate) const DIGITS: usize = 25;

/// The fewest.
const FEWEST: usize = 4;

/// The name that a house slot is for.
enum Slot {
    Named(VarId, HouseClass),
    Conjugate(Condition),
    Through(HouseClass, VarId),
}

/// Collects the slots.
struct Plan<'v> {
    variant: &'v Variant,
    args: &'v [u32],
    half: u32,
    exists: Vec<Lit>,
    domains: Vec<Domain>,
    /// House slots of names and of members of sets.
    named: Vec<(VarId, HouseClass)>,
}

/// Builds the world; `half` is half of the largest board's size.
pub(crate) fn free_world(
    circuit: &mut Circuit,
    variant: &Variant,
    args: &[u32],
    half: u32,
) -> Result<(World, Vec<Domain>, Unnamed), Refusal> {
    let domains = vec![Domain::Nothing; variant.vars.len()];
    let mut plan = Plan { variant, args, half, exists: Vec::new(), domains, named: Vec::new() };
    plan.singles();
    plan.house_sets()?;
    plan.candidates(circuit);
    plan.sets(circuit);
    plan.families(circuit);
    let houses = plan.houses();
    let places = plan.witnesses();
    let first = plan.exists.len();
    plan.open_slots(circuit, houses.len() * places + 1);
    plan.open_sets(circuit, places);
    let Plan { exists, domains, .. } = plan;
    let mut digits = vec![Lit::TRUE; FEWEST];
    digits.extend(circuit.fresh_set(DIGITS - FEWEST));
    let mut world = World::new(circuit, digits, &exists, true, &mut |circuit, a, b| {
        let sees = circuit.fresh();
        circuit.imply(sees, exists[a]);
        circuit.imply(sees, exists[b]);
        sees
    });
    let mut unnamed = add_houses(circuit, &mut world, &houses, &domains, (first, places));
    same_houses(circuit, &mut world, &houses, variant);
    unnamed.generic = generic(variant).then(|| places - 1);
    Ok((world, domains, unnamed))
}

impl Plan<'_> {
    fn slot(&mut self, exists: Lit) -> usize {
        self.exists.push(exists);
        self.exists.len() - 1
    }

    /// Slots of which each may stay empty.
    fn open_slots(&mut self, circuit: &mut Circuit, count: usize) -> Vec<usize> {
        (0..count).map(|_| self.slot(circuit.fresh())).collect()
    }

    /// All slots so far.
    fn slots(&self) -> Vec<usize> {
        (0..self.exists.len()).collect()
    }

    /// Single names differ, so each has a cell of its own.
    fn singles(&mut self) {
        for id in chosen_names(self.variant) {
            let var = self.variant.var(id);
            match (var.kind, var.shape) {
                (Kind::Cell, VarShape::Single) => self.domains[id.0] = Domain::Fixed(self.slot(Lit::TRUE)),
                (Kind::House(class), VarShape::Single) => {
                    self.domains[id.0] = Domain::Fixed(self.named.len());
                    self.named.push((id, class));
                }
                _ => {}
            }
        }
    }

    /// Members of a set of houses have slots of their own; each may be a house that has another name, see
    /// [`World::same`].
    fn house_sets(&mut self) -> Result<(), Refusal> {
        for id in chosen_names(self.variant) {
            let (Kind::House(class), VarShape::Set) = (self.variant.var(id).kind, self.variant.var(id).shape) else {
                continue;
            };
            let (low, high) = self.size(id);
            if low != high {
                return Err(Refusal::Construct("sets of houses of several sizes"));
            }
            let start = self.named.len();
            self.named.extend(vec![(id, class); high]);
            self.domains[id.0] = Domain::All((start..start + high).collect());
        }
        Ok(())
    }

    /// A candidate lies in a cell that has a name, or in its own.
    fn candidates(&mut self, circuit: &mut Circuit) {
        for id in chosen_names(self.variant).filter(|&id| self.variant.var(id).kind == Kind::Candidate) {
            self.slot(circuit.fresh());
            self.domains[id.0] = Domain::Among(self.slots());
        }
    }

    /// Members of a set are cells that were picked before, or its own. Small sets are picked first: what is counted in them
    /// is then not counted among the many cells of a large one.
    fn sets(&mut self, circuit: &mut Circuit) {
        let mut sets: Vec<VarId> = chosen_names(self.variant).collect();
        sets.sort_by_key(|&id| self.size(id).1);
        for id in sets {
            let var = self.variant.var(id);
            if (var.kind, var.shape) != (Kind::Cell, VarShape::Set) || self.is_open(id) {
                continue;
            }
            let (low, high) = self.size(id);
            if self.exists.is_empty() && low == high {
                let own: Vec<usize> = (0..high).map(|_| self.slot(Lit::TRUE)).collect();
                self.domains[id.0] = Domain::All(own);
                continue;
            }
            let mut before = Lit::TRUE;
            for _ in 0..high {
                // Slots of a set are interchangeable, so they are used from the first one on.
                let exists = circuit.fresh();
                circuit.imply(exists, before);
                before = exists;
                self.slot(exists);
            }
            self.domains[id.0] = Domain::Among(self.slots());
        }
    }

    fn size(&self, id: VarId) -> (usize, usize) {
        let half = self.half as usize;
        let Some((low, high)) = self.variant.choice(id).and_then(|choose| choose.size.as_ref()) else {
            return (0, half);
        };
        (self.number(low), high.as_ref().map_or(half, |high| self.number(high)))
    }

    fn number(&self, expr: &Expr) -> usize {
        expr.constant(self.args).and_then(|value| usize::try_from(value).ok()).unwrap_or(0)
    }

    fn families(&mut self, circuit: &mut Circuit) {
        for id in chosen_names(self.variant) {
            let var = self.variant.var(id);
            if (var.kind, var.shape) != (Kind::Cell, VarShape::Family) || self.is_open(id) {
                continue;
            }
            let earlier = self.slots();
            let members = if index_kind(self.variant, id) == Some(Kind::Cell) { earlier.len() } else { DIGITS };
            let own = self.open_slots(circuit, members).into_iter();
            let domains = own.map(|own| earlier.iter().copied().chain([own]).collect());
            self.domains[id.0] = Domain::PerIndex(domains.collect());
        }
    }

    fn is_open(&self, id: VarId) -> bool {
        self.variant.choice(id).is_some_and(is_open)
    }

    /// Named houses in order of their names, then those that only conditions mention.
    fn houses(&self) -> Vec<Slot> {
        let mut out: Vec<Slot> = self.named.iter().map(|&(id, class)| Slot::Named(id, class)).collect();
        for statement in &self.variant.body {
            for condition in statement.conditions(&self.variant.vars).iter() {
                self.unnamed(Node::Condition(condition), &mut out);
            }
        }
        for statement in &self.variant.body {
            if let Statement::Let { value, .. } = statement {
                self.unnamed(Node::Expr(value), &mut out);
            }
        }
        self.variant.conclusions.iter().for_each(|one| self.unnamed(Node::Expr(&one.claim.candidates()), &mut out));
        out
    }

    /// Adds the houses without a name that a part of the rule mentions.
    fn unnamed(&self, part: Node<'_>, out: &mut Vec<Slot>) {
        part.walk(&mut |node| {
            match node {
                Node::Condition(condition @ Condition::Predicate(PredicateId::Conjugate, ..))
                    if !out.iter().any(|slot| matches!(slot, Slot::Conjugate(known) if known == condition)) =>
                {
                    out.push(Slot::Conjugate(condition.clone()));
                }
                Node::Expr(Expr::HousesOf(class, of)) => self.through(*class, of, out),
                // The condition of `those` speaks of a running member.
                Node::Expr(Expr::Filter { set: of, .. }) => {
                    self.unnamed(Node::Expr(of), out);
                    return false;
                }
                _ => {}
            }
            true
        });
    }

    /// Adds `row(c)` of a named cell, which is one house, though it has no name; `lines(c)` are two.
    fn through(&self, class: HouseClass, of: &Expr, out: &mut Vec<Slot>) {
        let &Expr::Var(var) = of else { return };
        if self.variant.var(var).kind != Kind::Cell || !matches!(self.domains[var.0], Domain::Fixed(_)) {
            return;
        }
        for &class in single_houses(&class) {
            if !out.iter().any(|slot| matches!(slot, Slot::Through(c, v) if (*c, *v) == (class, var))) {
                out.push(Slot::Through(class, var));
            }
        }
    }

    /// Number of digits for which each house has a slot for the solution's place: the named ones, and as many as sets of
    /// digits hold.
    fn witnesses(&self) -> usize {
        let digits = chosen_names(self.variant).filter(|&id| self.variant.var(id).kind == Kind::Digit);
        let count = digits.map(|id| if self.variant.var(id).shape == VarShape::Set { self.size(id).1 } else { 1 });
        (count.sum::<usize>() + usize::from(generic(self.variant))).min(DIGITS)
    }
}

/// The classes of which every cell has one house, that make up a class.
pub(super) fn single_houses(class: &HouseClass) -> &[HouseClass] {
    match class {
        HouseClass::Row | HouseClass::Column | HouseClass::Box => std::slice::from_ref(class),
        HouseClass::Line => &[HouseClass::Row, HouseClass::Column],
        HouseClass::Any => &[],
    }
}

/// Returns true if some conclusion is drawn for every digit of a set. A wrong one is then wrong for a named digit, or for an
/// unnamed one whose number does not matter. In rules that name sets of digits, their members have numbers.
fn generic(variant: &Variant) -> bool {
    let mut vars = chosen_names(variant).map(|id| variant.var(id));
    let sets = vars.any(|var| (var.kind, var.shape) == (Kind::Digit, VarShape::Set));
    let mut indices = variant.conclusions.iter().filter_map(|one| one.for_each.as_ref());
    !sets && indices.any(|(index, _)| variant.var(*index).kind == Kind::Digit)
}

/// Adds a house for each slot. The place of digit k in it is one of the cells picked before, or the k-th of the house's
/// own slots from `first` on, which no other digit uses.
fn add_houses(
    circuit: &mut Circuit,
    world: &mut World,
    slots: &[Slot],
    domains: &[Domain],
    (first, places): (usize, usize),
) -> Unnamed {
    let mut unnamed = Unnamed::default();
    world.boxes = circuit.fresh();
    for (house, slot) in slots.iter().enumerate() {
        let class = match slot {
            Slot::Named(_, class) | Slot::Through(class, _) => *class,
            Slot::Conjugate(_) => HouseClass::Any,
        };
        let [row, column, boxed] = kinds(circuit, class);
        // The box of a cell exists if the board has boxes; named houses always exist.
        let exists = match slot {
            Slot::Through(HouseClass::Box, _) => world.boxes,
            _ => Lit::TRUE,
        };
        let boxed = circuit.and2(boxed, exists);
        circuit.imply(boxed, world.boxes);
        let mut holds = circuit.fresh_set(world.count());
        holds.iter().for_each(|&holds| circuit.imply(holds, exists));
        if let Slot::Through(class, var) = slot
            && let Domain::Fixed(cell) = domains[var.0]
        {
            holds[cell] = exists;
            unnamed.through.push((*class, *var, house));
        }
        if let Slot::Conjugate(condition) = slot {
            unnamed.conjugate.push((condition.clone(), house));
        }
        for (cell, &holds) in world.cells.iter().zip(&holds) {
            circuit.imply(holds, cell.exists);
        }
        let own = first + house * places;
        for digit in 0..places {
            let cell = &world.cells[own + digit];
            circuit.imply(cell.exists, holds[own + digit]);
            circuit.imply(cell.exists, cell.solution[digit]);
        }
        let among: Vec<Option<usize>> = (0..DIGITS).map(|digit| (digit < places).then_some(own + digit + 1)).collect();
        world.add_house(circuit, HouseLits { exists, holds, row, column, boxed }, &among);
    }
    unnamed
}

/// Literals for a house of a class: it is a row, a column, a box.
fn kinds(circuit: &mut Circuit, class: HouseClass) -> [Lit; 3] {
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

/// Adds that two rows, columns or boxes share no cell, and a row and a column at most one. Two names may stand for one house
/// unless the language says that they differ.
fn same_houses(circuit: &mut Circuit, world: &mut World, slots: &[Slot], variant: &Variant) {
    for b in 0..slots.len() {
        let mut row = Vec::new();
        for a in 0..b {
            let distinct = match (&slots[a], &slots[b]) {
                (Slot::Named(x, _), Slot::Named(y, _)) => x == y || differ(variant, *x, *y),
                _ => false,
            };
            let distinct = distinct || differ_in_class(&world.houses[a], &world.houses[b]);
            let same = if distinct { Lit::FALSE } else { circuit.fresh() };
            two_houses(circuit, &world.houses[a], &world.houses[b], same);
            row.push(same);
        }
        world.same.push(row);
    }
}

/// Returns true if one house is known to be of a class that the other is not.
fn differ_in_class(a: &HouseLits, b: &HouseLits) -> bool {
    let pairs = [(a.row, b.row), (a.column, b.column), (a.boxed, b.boxed)];
    pairs.into_iter().any(|(x, y)| x.is_constant() && y == !x)
}

fn two_houses(circuit: &mut Circuit, a: &HouseLits, b: &HouseLits, same: Lit) {
    circuit.clause(&[!same, a.exists]);
    circuit.clause(&[!same, b.exists]);
    for (x, y) in [(a.row, b.row), (a.column, b.column), (a.boxed, b.boxed)] {
        circuit.clause(&[!same, !x, y]);
        circuit.clause(&[!same, x, !y]);
        for (&p, &q) in a.holds.iter().zip(&b.holds) {
            circuit.clause(&[same, !x, !y, !p, !q]);
        }
    }
    for (&p, &q) in a.holds.iter().zip(&b.holds) {
        circuit.clause(&[!same, !p, q]);
        circuit.clause(&[!same, p, !q]);
    }
    for (x, y) in [(a.row, b.column), (a.column, b.row)] {
        for p in 0..a.holds.len() {
            for q in p + 1..a.holds.len() {
                circuit.clause(&[!x, !y, !a.holds[p], !b.holds[p], !a.holds[q], !b.holds[q]]);
            }
        }
    }
}

impl Plan<'_> {
    /// Adds slots for sets of any size. Such a set is known by the facts that hold for all of it, and by the places of
    /// digits in it in the solution: of digits with places in houses, and of its own index.
    fn open_sets(&mut self, circuit: &mut Circuit, places: usize) {
        let indices = self.exists.len();
        for id in chosen_names(self.variant) {
            if self.variant.var(id).kind != Kind::Cell || !self.is_open(id) {
                continue;
            }
            if self.variant.var(id).shape == VarShape::Set {
                self.domains[id.0] = Domain::Open(self.open_set(circuit, id, (0..places).collect()));
                continue;
            }
            let of_cells = index_kind(self.variant, id) == Some(Kind::Cell);
            let mut members = Vec::new();
            for index in 0..if of_cells { indices } else { DIGITS } {
                let digits = (0..places).chain((!of_cells && index >= places).then_some(index));
                members.push(self.open_set(circuit, id, digits.collect()));
            }
            self.domains[id.0] = Domain::OpenPerIndex(members);
        }
    }

    /// A set with a slot for the place of each of these digits.
    fn open_set(&mut self, circuit: &mut Circuit, id: VarId, digits: Vec<usize>) -> OpenSet {
        let declared = self.variant.choice(id);
        let conditions = declared.map_or(&[][..], |choose| &choose.such_that);
        let once = conditions.iter().any(|condition| match condition {
            Condition::AlmostLocked(of, _) => is_whole(of, id),
            Condition::Predicate(PredicateId::InOneHouse(_) | PredicateId::Group, args, _) => is_whole(&args[0], id),
            Condition::Within(of, all) => is_whole(of, id) && self.lies_in_a_house(all),
            _ => false,
        });
        let may_be_empty = !conditions.iter().any(|one| matches!(one, Condition::AlmostLocked(..))) && {
            let size = declared.and_then(|choose| choose.size.as_ref());
            size.and_then(|(low, _)| low.constant(self.args)).is_none_or(|low| low < 1)
        };
        let mut inside = Vec::new();
        for condition in conditions {
            if let Condition::Within(of, all) = condition
                && is_whole(of, id)
            {
                self.holding(all, &mut inside);
            }
        }
        let own = self.open_slots(circuit, digits.len());
        OpenSet { places: digits.into_iter().zip(own).collect(), once, may_be_empty, inside }
    }

    /// Returns true if some house holds all these cells.
    fn lies_in_a_house(&self, cells: &Expr) -> bool {
        match cells {
            Expr::HouseCells(of) => match of.as_ref() {
                Expr::HousesOf(HouseClass::Row | HouseClass::Column | HouseClass::Box, of) => self.is_single(of),
                house => self.is_single(house),
            },
            Expr::Intersection(a, b) => self.lies_in_a_house(a) || self.lies_in_a_house(b),
            Expr::Difference(of, _) | Expr::UnsolvedCells(of) | Expr::In(_, of) => self.lies_in_a_house(of),
            _ => false,
        }
    }

    fn is_single(&self, expr: &Expr) -> bool {
        matches!(expr, Expr::Var(var) if self.variant.var(*var).shape == VarShape::Single)
    }

    /// Collects the named houses that hold all these cells.
    fn holding(&self, cells: &Expr, out: &mut Vec<usize>) {
        match cells {
            Expr::HouseCells(of) => {
                if let Expr::Var(var) = of.as_ref()
                    && let Domain::Fixed(house) = self.domains[var.0]
                {
                    out.push(house);
                }
            }
            Expr::Intersection(a, b) => [a, b].into_iter().for_each(|side| self.holding(side, out)),
            Expr::Difference(of, _) | Expr::UnsolvedCells(of) | Expr::In(_, of) => self.holding(of, out),
            _ => {}
        }
    }
}

/// Returns true if an expression is all of the set or family member with this name.
fn is_whole(expr: &Expr, id: VarId) -> bool {
    matches!(expr, Expr::Var(of) | Expr::Member(of, _) if *of == id)
}
