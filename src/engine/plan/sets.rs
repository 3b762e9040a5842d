//! Choosing a set: `s: cells[n] …`. In: the declaration and what is known. Out: a pick instruction with the
//! bounds that hold for every part of a set that satisfies the rule, so that the search is cut early.

use super::build::Operand;
use super::build::{NoPlan, Slot};
use super::compile::Compiler;
use super::constraints::split;
use super::groups::said;
use super::instr::Instr;
use super::operators::{Choice, Next};
use super::program::{Bound, Pick};
use crate::engine::bounds::{CountClaim, NO_LIMIT};
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Origin, VarId, VarShape};

impl Compiler<'_> {
    /// Writes the choice of a set.
    pub fn set(&mut self, var: VarId) -> Result<(), NoPlan> {
        let declared = self.constraints.sets.iter().find(|set| set.var == var).ok_or(NoPlan::SetWithoutSize)?.clone();
        if let (Some(sort), Some(size)) = (super::sorts::sort(&self.constraints.list, var), &declared.size) {
            return super::locked::bind(self, var, sort, size);
        }
        let name = self.builder.variant.var(var).name.clone();
        let Some((low, high)) = &declared.size else { return Err(NoPlan::NoSize(name)) };
        let number = |expr: &Expr| self.builder.count(expr, &format!("how many `{name}` holds"));
        let low = number(low)?;
        let high = match high {
            Some(high) => number(high)?,
            None => self.builder.half,
        };
        let found = self.narrowings(var);
        let from = self.domain(var, &found)?;
        found.iter().filter(|(_, narrowed)| narrowed.implies_condition).for_each(|(i, _)| self.done[*i] = true);
        let mut bounds = bounds(self, var)?;
        bounds.extend(super::houses::bounds(self, var)?);
        self.builder.note(format!("{name}: {low} to {high} of a set, cut by {bounds:?}"));
        let pick = self.builder.program.picks.len();
        self.builder.program.picks.push(Pick { from, low, high, bounds });
        self.builder.emit(Instr::Start(Choice::Pick { pick }));
        let next = self.builder.label();
        self.builder.set_label(next);
        let to = self.builder.set_like(from);
        let fail = self.builder.fail;
        self.builder.emit(Instr::Next { of: Next::Pick { pick, to }, fail });
        self.builder.fail = next;
        self.builder.slots[var.0] = Some(Slot::Many(Operand::Set(to)));
        Ok(())
    }
}

/// Conditions that no extension of a violating set can repair.
fn bounds(compiler: &mut Compiler<'_>, var: VarId) -> Result<Vec<Bound>, NoPlan> {
    let mut bounds = Vec::new();
    for constraint in &compiler.constraints.list {
        let condition = &said(constraint).condition;
        let mut counted = Vec::new();
        compiler.builder.known.count_claims(condition, &mut |said| counted.push(said));
        for said in counted {
            bounds.extend(at_most(compiler, var, said)?);
            bounds.extend(seen_by(compiler, var, said)?);
        }
        if let Condition::ForAll(index, over, part) = condition {
            bounds.extend(apart(compiler, var, *index, over, part)?);
        }
    }
    let digits = |bound: &Bound| if let Bound::Digits(most) = bound { Some(*most) } else { None };
    let fewest = bounds.iter().filter_map(digits).min();
    bounds.retain(|bound| digits(bound).is_none_or(|most| Some(most) == fewest));
    let seeing = |bound: &Bound| if let Bound::SeenBy(_, least) = bound { Some(*least) } else { None };
    let most = bounds.iter().filter(|bound| seeing(bound).is_some()).max_by_key(|bound| seeing(bound)).copied();
    bounds.retain(|bound| seeing(bound).is_none() || Some(*bound) == most);
    bounds.dedup();
    Ok(bounds)
}

/// At least a number of cells see every one of a set: the more it has, the fewer these are.
fn seen_by(compiler: &mut Compiler<'_>, var: VarId, said: CountClaim<'_>) -> Result<Option<Bound>, NoPlan> {
    if said.range.0 == 0 || said.counts_candidates || compiler.builder.variant.var(var).kind != Kind::Cell {
        return Ok(None);
    }
    let (among, true) = among(compiler, var, said.set) else { return Ok(None) };
    Ok(Some(Bound::SeenBy(compiler.builder.cells(&among)?, said.range.0)))
}

/// What cells are some of, whatever a set is; and whether they surely see all of the set.
fn among(compiler: &Compiler<'_>, var: VarId, cells: &Expr) -> (Expr, bool) {
    let holds = |of: &Expr| of.parts().iter().any(|part| part.is(var));
    match cells {
        known if compiler.all_bound(&known.names()) => (known.clone(), false),
        Expr::Seeing { every: true, cells: of } => (Expr::AllCells, holds(of)),
        Expr::Intersection(a, b) => {
            let ((a, seen_by_a), (b, seen_by_b)) = (among(compiler, var, a), among(compiler, var, b));
            (Expr::Intersection(Box::new(a), Box::new(b)), seen_by_a || seen_by_b)
        }
        Expr::Difference(all, _) => among(compiler, var, all),
        Expr::Filter { var: one, set: of, condition: when } => {
            let (of, seen) = among(compiler, var, of);
            let known = |part: &Condition| part.free_names().iter().all(|name| name == one || compiler.is_bound(*name));
            let when: Vec<Condition> = split(when).into_iter().filter(known).collect();
            let those = |when| Expr::Filter { var: *one, set: Box::new(of.clone()), condition: Box::new(when) };
            (if when.is_empty() { of.clone() } else { those(Condition::And(when)) }, seen)
        }
        // Cells that see others are unsolved.
        _ => (Expr::AllCells, false),
    }
}

/// How many digits or places a set has at most that is part of another.
fn at_most(compiler: &mut Compiler<'_>, var: VarId, said: CountClaim<'_>) -> Result<Option<Bound>, NoPlan> {
    let most = said.range.1;
    let set = Expr::Var(var);
    let kind = compiler.builder.variant.var(var).kind;
    if most == NO_LIMIT {
        return Ok(None);
    }
    match (kind, said.set) {
        (Kind::Cell, cells) if said.counts_candidates && *cells == set => Ok(Some(Bound::Digits(most))),
        (Kind::Digit, Expr::CellsOf(places)) if !said.counts_candidates => match places.as_ref() {
            Expr::CandidatesIn(digits, cells) if **digits == set && compiler.all_bound(&cells.names()) => {
                Ok(Some(Bound::Places(compiler.builder.cells(cells)?, most)))
            }
            _ => Ok(None),
        },
        _ => Ok(None),
    }
}

/// `times(d, s) = 1 for d in digits(s) - z`: two members that do not see each other share z at most.
fn apart(
    compiler: &mut Compiler<'_>,
    var: VarId,
    index: VarId,
    over: &Expr,
    part: &Condition,
) -> Result<Option<Bound>, NoPlan> {
    let set = Expr::Var(var);
    let once = Condition::Compare(
        Expr::MaxOccurrences(Box::new(Expr::Var(index)), Box::new(set.clone())),
        Comparison::Equal,
        Expr::Number(1),
    );
    let digits = Expr::Digits(Box::new(set));
    if *part != once {
        return Ok(None);
    }
    match over {
        _ if *over == digits => Ok(Some(Bound::Apart(None, 0))),
        Expr::Difference(all, free) if **all == digits => {
            let names = free.names();
            if compiler.all_bound(&names) {
                let free = compiler.builder.digits(free)?;
                return Ok(Some(Bound::Apart(Some(free), 0)));
            }
            Ok(one_digit(compiler, free).then_some(Bound::Apart(None, 1)))
        }
        _ => Ok(None),
    }
}

/// Whether an expression is a name of one digit; a set, or a defined name, may stand for several.
fn one_digit(compiler: &Compiler<'_>, expr: &Expr) -> bool {
    let Expr::Var(name) = expr else { return false };
    let var = compiler.builder.variant.var(*name);
    var.shape == VarShape::Single && var.origin != Origin::Let
}
