//! The open world: cells and houses for nothing but a rule's names. In: a variant. Out: a [`World`] with a cell for
//! everything that the rule or its refutation mentions, in which visibility and houses are open, and the layout of the
//! names.
//!
//! Take any board of up to [`DIGITS`] digits, any state of it and any binding. Pick its cells in the order of the slots
//! below: single names, members of sets, members of families, the solution's place of each named digit in each named house,
//! and the candidate that a conclusion is wrong about. A cell that was picked before is not picked again; its slot stays
//! empty. Facts of the board then satisfy every clause, because the clauses state only facts of every board. Hence no model
//! here means no counterexample anywhere.

use super::names::{constant, declaration, differ, is_open};
use super::world::{Domain, Layout, OpenSet, index_kind};
use super::world::{HouseLits, World};
use super::{Refusal, Unnamed};
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, Origin, PredicateId, Statement, VarId, VarShape, Variant};
use crate::proof::circuit::Circuit;
use crate::proof::solver::Lit;

/// The most digits that a board has.
pub(in crate::proof) const DIGITS: usize = 25;

/// The fewest.
const FEWEST: usize = 4;

/// The name that a house slot is for.
pub(super) enum Slot {
    Named(VarId, HouseClass),
    Conjugate(Condition),
    Through(HouseClass, VarId),
}

/// Collects the slots.
pub(super) struct Plan<'v> {
    pub variant: &'v Variant,
    pub args: &'v [u32],
    half: u32,
    pub exists: Vec<Lit>,
    pub domains: Vec<Domain>,
    /// House slots of names and of members of sets.
    named: Vec<(VarId, HouseClass)>,
}

/// Builds the world; `half` is half of the largest board's size.
pub(in crate::proof) fn free_world(
    circuit: &mut Circuit,
    variant: &Variant,
    args: &[u32],
    half: u32,
) -> Result<(World, Layout, Unnamed), Refusal> {
    let names = variant.vars.len();
    let mut plan =
        Plan { variant, args, half, exists: Vec::new(), domains: vec![Domain::Nothing; names], named: Vec::new() };
    plan.singles();
    plan.house_sets()?;
    plan.candidates(circuit);
    plan.sets(circuit);
    plan.families(circuit);
    let houses = plan.houses();
    let places = plan.witnesses();
    let first = plan.exists.len();
    for _ in 0..houses.len() * places + 1 {
        plan.slot(circuit.fresh());
    }
    plan.open_sets(circuit, places);
    let Plan { exists, domains, .. } = plan;
    let mut digits = vec![Lit::TRUE; FEWEST];
    digits.extend((FEWEST..DIGITS).map(|_| circuit.fresh()));
    let mut world = World::new(circuit, digits, &exists, true, &mut |circuit, a, b| {
        let sees = circuit.fresh();
        circuit.imply(sees, exists[a]);
        circuit.imply(sees, exists[b]);
        sees
    });
    let layout = Layout::new(domains);
    let mut unnamed = add_houses(circuit, &mut world, &houses, &layout, (first, places));
    same_houses(circuit, &mut world, &houses, variant);
    if generic(variant) {
        unnamed.generic = Some(places - 1);
    }
    Ok((world, layout, unnamed))
}

impl Plan<'_> {
    pub fn slot(&mut self, exists: Lit) -> usize {
        self.exists.push(exists);
        self.exists.len() - 1
    }

    pub fn chosen(&self) -> impl Iterator<Item = VarId> + use<> {
        let chosen = |origin| matches!(origin, Origin::Chosen | Origin::Pattern);
        let list: Vec<VarId> =
            (0..self.variant.vars.len()).map(VarId).filter(|&id| chosen(self.variant.var(id).origin)).collect();
        list.into_iter()
    }

    /// Single names differ, so each has a cell of its own.
    fn singles(&mut self) {
        for id in self.chosen() {
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
        for id in self.chosen() {
            let (Kind::House(class), VarShape::Set) = (self.variant.var(id).kind, self.variant.var(id).shape) else {
                continue;
            };
            let (low, high) = self.size(id);
            if low != high {
                return Err(Refusal::HouseSetSizes);
            }
            let start = self.named.len();
            self.named.extend(vec![(id, class); high]);
            self.domains[id.0] = Domain::All((start..start + high).collect());
        }
        Ok(())
    }

    /// A candidate lies in a cell that has a name, or in its own.
    fn candidates(&mut self, circuit: &mut Circuit) {
        for id in self.chosen().filter(|&id| self.variant.var(id).kind == Kind::Candidate) {
            self.slot(circuit.fresh());
            self.domains[id.0] = Domain::Among((0..self.exists.len()).collect());
        }
    }

    /// Members of a set are cells that were picked before, or its own. Small sets are picked first: what is counted in them
    /// is then not counted among the many cells of a large one.
    fn sets(&mut self, circuit: &mut Circuit) {
        let mut sets: Vec<VarId> = self.chosen().collect();
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
            self.domains[id.0] = Domain::Among((0..self.exists.len()).collect());
        }
    }

    fn size(&self, id: VarId) -> (usize, usize) {
        let size = declaration(self.variant, id).and_then(|choose| choose.size.clone());
        let value = |expr: &Expr| constant(expr, self.args).and_then(|value| usize::try_from(value).ok());
        match size {
            Some((low, None)) => (value(&low).unwrap_or(0), self.half as usize),
            Some((low, Some(high))) => (value(&low).unwrap_or(0), value(&high).unwrap_or(0)),
            None => (0, self.half as usize),
        }
    }

    fn families(&mut self, circuit: &mut Circuit) {
        for id in self.chosen() {
            let var = self.variant.var(id);
            if (var.kind, var.shape) != (Kind::Cell, VarShape::Family) || self.is_open(id) {
                continue;
            }
            let earlier: Vec<usize> = (0..self.exists.len()).collect();
            let members = if index_kind(self.variant, id) == Some(Kind::Cell) { earlier.len() } else { DIGITS };
            let own: Vec<usize> = (0..members).map(|_| self.slot(circuit.fresh())).collect();
            let domains = own.iter().map(|&own| earlier.iter().copied().chain([own]).collect());
            self.domains[id.0] = Domain::PerIndex(domains.collect());
        }
    }

    pub fn is_open(&self, id: VarId) -> bool {
        declaration(self.variant, id).is_some_and(is_open)
    }

    /// Named houses in order of their names, then those that only conditions mention.
    fn houses(&self) -> Vec<Slot> {
        let mut out: Vec<Slot> = self.named.iter().map(|&(id, class)| Slot::Named(id, class)).collect();
        let mut unnamed = Vec::new();
        for condition in conditions(self.variant) {
            self.unnamed(&condition, &mut unnamed);
        }
        self.variant.body.iter().for_each(|statement| {
            if let Statement::Let { value, .. } = statement {
                self.through(value, &mut unnamed);
            }
        });
        self.variant.conclusions.iter().for_each(|one| self.through(&one.claim.noun(), &mut unnamed));
        out.extend(unnamed);
        out
    }

    fn unnamed(&self, condition: &Condition, out: &mut Vec<Slot>) {
        let known = |out: &[Slot]| out.iter().any(|slot| matches!(slot, Slot::Conjugate(c) if c == condition));
        if matches!(condition, Condition::Holds(PredicateId::Conjugate, ..)) && !known(out) {
            out.push(Slot::Conjugate(condition.clone()));
        }
        condition.exprs().into_iter().for_each(|expr| self.through(expr, out));
        condition.parts().into_iter().for_each(|part| self.unnamed(part, out));
    }

    /// `row(c)` of a named cell is one house, though it has no name; `lines(c)` are two.
    fn through(&self, expr: &Expr, out: &mut Vec<Slot>) {
        if let Expr::HousesOf(class, of) = expr
            && let Expr::Var(var) = of.as_ref()
            && matches!(self.domains[var.0], Domain::Fixed(_))
            && self.variant.var(*var).kind == Kind::Cell
        {
            for class in single_houses(class) {
                if !out.iter().any(|slot| matches!(slot, Slot::Through(c, v) if c == class && v == var)) {
                    out.push(Slot::Through(*class, *var));
                }
            }
        }
        expr.children().into_iter().for_each(|child| self.through(child, out));
    }

    /// Number of digits for which each house has a slot for the solution's place: the named ones, and as many as sets of
    /// digits hold.
    fn witnesses(&self) -> usize {
        let digits = self.chosen().filter(|&id| self.variant.var(id).kind == Kind::Digit);
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

/// Every condition of a pattern.
fn conditions(variant: &Variant) -> Vec<Condition> {
    variant.body.iter().flat_map(|statement| statement.conditions(&variant.vars).into_owned()).collect()
}

/// Returns true if some conclusion is drawn for every digit of a set. A wrong one is then wrong for a named digit, or for an
/// unnamed one whose number does not matter. In rules that name sets of digits, their members have numbers.
fn generic(variant: &Variant) -> bool {
    let digit = |id: VarId| variant.var(id).kind == Kind::Digit;
    let sets = (0..variant.vars.len()).map(VarId).any(|id| {
        let var = variant.var(id);
        digit(id) && var.shape == VarShape::Set && matches!(var.origin, Origin::Chosen | Origin::Pattern)
    });
    !sets && variant.conclusions.iter().any(|one| one.per.as_ref().is_some_and(|(index, _)| digit(*index)))
}

/// Adds a house for each slot. The place of digit k in it is one of the cells picked before, or the k-th of its
/// own slots from `first` on, which is there for nothing else.
pub(super) fn add_houses(
    circuit: &mut Circuit,
    world: &mut World,
    slots: &[Slot],
    layout: &Layout,
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
        let mut holds: Vec<Lit> = (0..world.count()).map(|_| circuit.fresh()).collect();
        holds.iter().for_each(|&holds| circuit.imply(holds, exists));
        if let Slot::Through(class, var) = slot
            && let Domain::Fixed(cell) = layout.of(*var)
        {
            holds[*cell] = exists;
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
pub(super) fn same_houses(circuit: &mut Circuit, world: &mut World, slots: &[Slot], variant: &Variant) {
    for b in 0..slots.len() {
        let mut row = Vec::new();
        for a in 0..b {
            let distinct = match (&slots[a], &slots[b]) {
                (Slot::Named(x, _), Slot::Named(y, _)) => x == y || differ(variant, *x, *y),
                _ => false,
            };
            let distinct = distinct || other_class(&world.houses[a], &world.houses[b]);
            let same = if distinct { Lit::FALSE } else { circuit.fresh() };
            two_houses(circuit, &world.houses[a], &world.houses[b], same);
            row.push(same);
        }
        world.same.push(row);
    }
}

/// Literal that is true iff one house is of a class that the other is not.
fn other_class(a: &HouseLits, b: &HouseLits) -> bool {
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
    pub fn open_sets(&mut self, circuit: &mut Circuit, places: usize) {
        let indices = self.exists.len();
        for id in self.chosen() {
            if self.variant.var(id).kind != Kind::Cell || !self.is_open(id) {
                continue;
            }
            let inside = self.inside(id);
            let (once, may_be_empty) = (self.in_a_house(id), self.may_be_empty(id));
            if self.variant.var(id).shape == VarShape::Set {
                let places = (0..places).map(|digit| (digit, self.slot(circuit.fresh()))).collect();
                self.domains[id.0] = Domain::Open(OpenSet { places, once, may_be_empty, inside });
                continue;
            }
            let of_cells = index_kind(self.variant, id) == Some(Kind::Cell);
            let mut members = Vec::new();
            for index in 0..if of_cells { indices } else { DIGITS } {
                let digits = (0..places).chain((!of_cells && index >= places).then_some(index));
                let places = digits.map(|digit| (digit, self.slot(circuit.fresh()))).collect();
                members.push(OpenSet { places, once, may_be_empty, inside: inside.clone() });
            }
            self.domains[id.0] = Domain::OpenPerIndex(members);
        }
    }

    /// The named houses that a declaration says a set lies in.
    fn inside(&self, id: VarId) -> Vec<usize> {
        let mut out = Vec::new();
        for condition in self.said_of(id) {
            if let Condition::Within(of, all) = condition
                && is_whole(of, id)
            {
                self.holding(all, &mut out);
            }
        }
        out
    }

    /// Conditions in the declaration of a name.
    fn said_of(&self, id: VarId) -> &[Condition] {
        declaration(self.variant, id).map_or(&[], |choose| &choose.such_that)
    }

    /// Returns true if a declaration says that all cells of a set lie in one house.
    fn in_a_house(&self, id: VarId) -> bool {
        self.said_of(id).iter().any(|condition| match condition {
            Condition::AlmostLocked(of, _) => is_whole(of, id),
            Condition::Holds(PredicateId::InOne(_) | PredicateId::Group, args, _) => is_whole(&args[0], id),
            Condition::Within(of, all) => is_whole(of, id) && self.lies_in_a_house(all),
            _ => false,
        })
    }

    /// Returns true if some house holds all these cells.
    fn lies_in_a_house(&self, cells: &Expr) -> bool {
        let single = |expr: &Expr| matches!(expr, Expr::Var(var) if self.variant.var(*var).shape == VarShape::Single);
        match cells {
            Expr::CellsOf(of) => match of.as_ref() {
                Expr::HousesOf(class, of) => {
                    single(of) && matches!(class, HouseClass::Row | HouseClass::Column | HouseClass::Box)
                }
                house => single(house),
            },
            Expr::Intersection(a, b) => self.lies_in_a_house(a) || self.lies_in_a_house(b),
            Expr::Difference(of, _) | Expr::Cells(of) | Expr::In(_, of) => self.lies_in_a_house(of),
            _ => false,
        }
    }

    fn may_be_empty(&self, id: VarId) -> bool {
        let least = declaration(self.variant, id).and_then(|choose| choose.size.as_ref());
        let locked = self.said_of(id).iter().any(|one| matches!(one, Condition::AlmostLocked(..)));
        !locked && least.and_then(|(low, _)| constant(low, self.args)).is_none_or(|low| low < 1)
    }

    fn holding(&self, cells: &Expr, out: &mut Vec<usize>) {
        match cells {
            Expr::CellsOf(of) => {
                if let Expr::Var(var) = of.as_ref()
                    && let Domain::Fixed(house) = self.domains[var.0]
                {
                    out.push(house);
                }
            }
            Expr::Intersection(a, b) => {
                self.holding(a, out);
                self.holding(b, out);
            }
            Expr::Difference(of, _) | Expr::Cells(of) | Expr::In(_, of) => self.holding(of, out),
            _ => {}
        }
    }
}

/// Returns true if an expression is all of the set or family member with this name.
fn is_whole(expr: &Expr, id: VarId) -> bool {
    matches!(expr, Expr::Var(of) | Expr::Member(of, _) if *of == id)
}
