//! The shape machine: runs a program on a state. In: a [`Program`], tables, facts. Out: reports, one for each
//! way to satisfy the rule that has an effect.
//!
//! Nesting is static, so there is no stack of choices: a failing test jumps to the label of the innermost
//! loop, whose rest register knows what is left to try.

mod candidates;
mod conclude;
mod context;
mod cover;
mod family;
mod graphs;
mod locked;
mod ops;
mod pick;
mod registers;
mod report;
mod rows;
mod set_family;
mod state;
mod suppose;

use super::matches::{LimitHit, Limits};
use super::plan::{Candidates, Choice, Conclusion, Instr, Label, Next, Program, Set};
use crate::grid::{Bits, Digit, DigitSet};
use conclude::Conclusions;
pub(super) use context::{Ranked, Report, SearchContext};
use family::FamilyState;
use graphs::GraphState;
pub(super) use graphs::pairs;
use registers::Registers;
pub(super) use rows::list;
use set_family::SetFamily;
use state::{LockedState, Subsets};

/// Runs a program and calls `report` for each match until it says `false`; returns the limits that were hit.
pub(super) fn run<const W: usize>(
    program: &Program,
    context: &SearchContext<'_, W>,
    limits: &Limits,
    report: &mut dyn FnMut(Report) -> bool,
) -> Vec<LimitHit> {
    let mut machine = start(program, context, limits);
    machine.run(&mut |machine| match machine.report() {
        Some(found) => report(found),
        None => true,
    });
    machine.hit
}

/// A machine at the beginning of a program.
fn start<'a, const W: usize>(
    program: &'a Program,
    context: &'a SearchContext<'a, W>,
    limits: &'a Limits,
) -> Machine<'a, W> {
    Machine {
        program,
        context,
        limits,
        regs: Registers::new(program, context.tables.cell_count),
        rows: vec![0..0; program.rows.len()],
        subsets: program.picks.iter().map(|_| Subsets::default()).collect(),
        families: program.families.iter().map(|_| FamilyState::default()).collect(),
        locked: program.locked.iter().map(|_| LockedState::default()).collect(),
        set_families: program.families.iter().map(|_| SetFamily::default()).collect(),
        graphs: program.graphs.iter().map(|_| GraphState::default()).collect(),
        supposes: program.supposes.iter().map(|_| suppose::Hits::default()).collect(),
        conclusions: Conclusions::new(),
        nouns: Vec::new(),
        shortest: u32::MAX,
        budget: limits.instructions,
        run: 0,
        pause: limits.instructions,
        hit: Vec::new(),
    }
}

/// Instructions between two looks at the time: about a millisecond.
const PAUSE: u64 = 65_536;

/// Digits and cells: the candidates of these digits in these cells.
type Nouns<const W: usize> = Vec<(DigitSet, Bits<W>)>;

struct Machine<'a, const W: usize> {
    program: &'a Program,
    context: &'a SearchContext<'a, W>,
    limits: &'a Limits,
    regs: Registers<W>,
    rows: Vec<std::ops::Range<usize>>,
    subsets: Vec<Subsets<W>>,
    families: Vec<FamilyState<W>>,
    locked: Vec<LockedState<W>>,
    set_families: Vec<SetFamily<W>>,
    graphs: Vec<GraphState>,
    supposes: Vec<suppose::Hits<W>>,
    conclusions: Conclusions<W>,
    /// Room for what the next conclusion speaks of.
    nouns: Nouns<W>,
    /// How many inferences the shortest match so far needs.
    shortest: u32,
    /// What is left of the instructions that it may run, and how many were run since it was counted.
    budget: u64,
    run: u64,
    /// Where the time is looked at again.
    pause: u64,
    hit: Vec<LimitHit>,
}

/// Where a program goes on after an instruction.
enum Flow {
    On,
    To(Label),
    /// A match was found; then to the label.
    Report(Label),
    End,
}

impl<const W: usize> Machine<'_, W> {
    /// Runs the program; `visit` is called for each match until it says `false`.
    fn run(&mut self, visit: &mut dyn FnMut(&mut Self) -> bool) {
        let Program { code, labels, effect, .. } = self.program;
        let (mut at, mut begin) = (0, 0);
        while let Some(instr) = code.get(at) {
            let label = match self.step(instr) {
                Flow::On => {
                    at += 1;
                    continue;
                }
                Flow::To(label) => label,
                Flow::Report(label) => {
                    let counts = !effect || self.conclusions.has_effect(self.context.facts);
                    if counts && !visit(self) {
                        return;
                    }
                    label
                }
                Flow::End => return,
            };
            self.run += (at + 1 - begin) as u64;
            at = labels[usize::from(label)] as usize;
            begin = at;
        }
    }

    /// Whether the search is over; only choices make a program run long, so limits are looked at there alone.
    #[inline(always)]
    fn ends(&mut self) -> bool {
        self.budget = self.budget.saturating_sub(std::mem::take(&mut self.run));
        self.budget <= self.pause && self.is_over()
    }

    /// Whether a limit ends the search; otherwise it is asked again some instructions later.
    #[cold]
    fn is_over(&mut self) -> bool {
        self.pause = self.budget.saturating_sub(PAUSE);
        let hit = match self.limits.halt.due() {
            Some(limit) => limit,
            None if self.budget == 0 => LimitHit::Instructions,
            None => return false,
        };
        self.note(hit);
        true
    }

    fn note(&mut self, limit: LimitHit) {
        if !self.hit.contains(&limit) {
            self.hit.push(limit);
        }
    }

    /// Runs one instruction. All of it is one jump table if the parts are inlined.
    #[inline(always)]
    fn step(&mut self, instr: &Instr) -> Flow {
        let goes_on = |holds: bool, fail: Label| if holds { Flow::On } else { Flow::To(fail) };
        match *instr {
            Instr::Cells { to, op } => self.regs.cells[usize::from(to)] = self.cells_by(op),
            Instr::Digits { to, op } => self.regs.digits[usize::from(to)] = self.digits_by(op),
            Instr::Houses { to, op } => self.regs.houses[usize::from(to)] = self.houses_by(op),
            Instr::Number { to, op } => self.regs.numbers[usize::from(to)] = self.number_by(op),
            Instr::Marks { to, ref op } => match self.marks_by(to, op) {
                Some(marks) => self.regs.candidates[usize::from(to)] = marks,
                None => return Flow::End,
            },
            Instr::Combine { op, to, a, b } => self.regs.op(op, to, a, b),
            Instr::After { to, of, value } => self.regs.after(to, of, self.regs.v(value)),
            Instr::Test { ref test, fail } => return goes_on(self.holds(test), fail),
            Instr::Target { digit, cells, from, to, fail } => {
                return goes_on(self.target(digit, cells, from, to), fail);
            }
            Instr::Jump { label } => return Flow::To(label),
            Instr::Start(_) | Instr::Next { .. } if self.ends() => return Flow::End,
            Instr::Start(choice) => self.start_choice(choice),
            Instr::Next { ref of, fail } => return goes_on(self.next(of), fail),
            Instr::AddSets { family, index, locked, fail } => {
                return goes_on(self.add_sets(family, self.regs.v(index), locked), fail);
            }
            Instr::AddMember { family, index, domain, fail } => {
                let (index, domain) = (self.regs.v(index), *self.regs.c(domain));
                self.families[family].add(index, domain);
                return goes_on(!domain.is_empty(), fail);
            }
            Instr::Member { family, to, index, fail } => match self.member(family, self.regs.v(index)) {
                None => return Flow::To(fail),
                Some(cells) => self.regs.cells[usize::from(to)] = cells,
            },
            Instr::Begin => self.conclusions.clear(),
            Instr::Conclude(ref conclusion) => self.conclude(conclusion),
            Instr::Emit { fail } => return Flow::Report(fail),
            Instr::Halt => {
                // The outermost choice may have ended because its work used up the budget.
                if self.budget == 0 {
                    self.note(LimitHit::Instructions);
                }
                return Flow::End;
            }
        }
        Flow::On
    }

    /// Starts a choice.
    #[inline(always)]
    fn start_choice(&mut self, choice: Choice) {
        match choice {
            Choice::Each { set, rest } => self.regs.copy(set, rest),
            Choice::Rows { rows } => self.start_rows(rows),
            Choice::Pick { pick } => {
                let spec = &self.program.picks[pick];
                self.subsets[pick] = pick::subsets(self.context, &self.regs, spec, &mut self.budget);
            }
            Choice::Locked { locked } => self.start_locked(locked),
            Choice::Family { family } => {
                self.families[family].clear();
                self.set_families[family].clear();
            }
            Choice::Graph { graph } => self.start_graph(graph),
            Choice::Suppose { suppose } => self.start_supposing(suppose),
        }
    }

    /// Takes the next value of a choice; `false` where there is none.
    #[inline(always)]
    fn next(&mut self, of: &Next) -> bool {
        match *of {
            Next::Each { rest, value, one } => {
                let next = self.regs.next(rest, one);
                self.regs.values[usize::from(value)] = next.unwrap_or_default() as u16;
                next.is_some()
            }
            Next::Row { rows, ref to, ref sets } => self.next_row(rows, to, sets),
            Next::Pick { pick, to } => self.next_pick(pick, to),
            Next::Locked { locked, to } => self.next_locked(locked, to),
            Next::Family { family, union } => self.next_family(family, union),
            Next::Graph { graph } => self.next_graph(graph),
            Next::Suppose { suppose } => self.next_supposed(suppose),
        }
    }

    /// What follows of candidates.
    #[inline]
    fn conclude(&mut self, conclusion: &Conclusion) {
        let of = match conclusion {
            Conclusion::Links { graph, outside } => return self.conclude_links(*graph, *outside),
            Conclusion::Guard { of }
            | Conclusion::Some { of }
            | Conclusion::Eliminate { of }
            | Conclusion::Place { of } => of,
        };
        let mut nouns = std::mem::take(&mut self.nouns);
        self.candidates_into(of, &mut nouns);
        let (tables, facts) = (self.context.tables, self.context.facts);
        match conclusion {
            Conclusion::Guard { .. } => self.conclusions.guard(facts, &nouns),
            Conclusion::Some { .. } => self.conclusions.some(tables, facts, &nouns),
            Conclusion::Place { .. } => self.conclusions.place(tables, facts, &nouns),
            _ => {
                self.conclusions.weigh_guards(tables, facts);
                self.conclusions.eliminate(facts, &nouns);
            }
        }
        self.nouns = nouns;
    }

    fn candidates(&self, of: &Candidates) -> Nouns<W> {
        let mut nouns = Vec::new();
        self.candidates_into(of, &mut nouns);
        nouns
    }

    #[inline]
    fn candidates_into(&self, of: &Candidates, nouns: &mut Nouns<W>) {
        nouns.clear();
        match of {
            Candidates::Nouns(of) => {
                nouns.extend(of.iter().map(|&(digits, cells)| (self.regs.d(digits), *self.regs.c(cells))));
            }
            Candidates::Set(reg) => {
                let marks = self.regs.p(*reg);
                let of = |digit: Digit| (DigitSet::single(digit), marks.0[digit.index()]);
                nouns.extend(marks.digits().iter().map(of));
            }
        }
    }

    fn next_pick(&mut self, pick: usize, to: Set) -> bool {
        let Some(subset) = self.subsets[pick].next() else { return false };
        match to {
            Set::C(reg) => self.regs.cells[usize::from(reg)] = subset,
            Set::D(reg) => self.regs.digits[usize::from(reg)] = subset.iter().map(|i| Digit(i as u8)).collect(),
            Set::H(reg) => self.regs.houses[usize::from(reg)] = subset.iter().collect(),
            // No plan picks candidates: `Instr::fits`.
            Set::P(_) => {}
        }
        true
    }

    fn member(&self, family: usize, index: usize) -> Option<Bits<W>> {
        match self.program.families[family].sets {
            Some(_) => self.set_families[family].member(index),
            None => self.families[family].member(index).map(Bits::single),
        }
    }

    fn next_family(&mut self, family: usize, union: u16) -> bool {
        if self.program.families[family].sets.is_some() {
            return self.next_sets(family, union);
        }
        let start = match self.program.families[family].target {
            None => family::Start { targets: None, seen: 0 },
            Some((digit, so_far)) => {
                let so_far = so_far.map(|(targets, cells)| (*self.regs.c(targets), *self.regs.c(cells)));
                family::start(self.context.scope.eliminations.0[self.regs.v(digit)], so_far)
            }
        };
        match self.families[family].next(self.context.tables, start, &mut self.budget) {
            None => false,
            Some(cells) => {
                self.regs.cells[usize::from(union)] = cells;
                true
            }
        }
    }
}
