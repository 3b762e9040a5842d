//! Expressions to instructions. In: expressions over names that have registers. Out: straight-line code;
//! an expression that was computed before, in a place that dominates this one, is not computed again.

use super::instr::{Instr, Label, Noun, Reg, Set, SetOp};
use super::operators::{CellOp, DigitOp, HouseOp, NumberOp, Test};
use super::program::{Output, Program};
use crate::engine::bounds::RuleFacts;
pub(super) use crate::engine::error::NoPlan;
use crate::lang::ir::{Expr, VarId, Variant};
use rustc_hash::FxHashMap;

/// Where a name lives.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// One thing: its number and the set of it alone.
    One { value: Reg, set: Set },
    /// A set, or a defined value.
    Many(Operand),
    /// A digit and a cell.
    Candidate { digit: (Reg, Reg), cell: (Reg, Reg) },
    /// A family and the union of its members.
    Family { family: usize, union: Reg },
}

/// The result of an expression.
#[derive(Clone, Debug)]
pub(super) enum Operand {
    Set(Set),
    Number(Reg),
    Nouns(Vec<Noun>),
}

/// What a builder has computed: expressions, and how many plain instructions.
pub(super) type Memory = (FxHashMap<Expr, Operand>, usize);

/// Writes a program.
pub(super) struct Builder<'a> {
    pub variant: &'a Variant,
    pub known: RuleFacts<'a>,
    pub program: Program,
    pub slots: Vec<Option<Slot>>,
    /// Where a failing test goes now.
    pub fail: Label,
    /// Half of the size of the board, where an open range ends.
    pub half: u32,
    memo: FxHashMap<Expr, Operand>,
    /// Instructions that only compute, with a zero for the register they write, and that register.
    computed: Vec<(Instr, Reg)>,
}

impl<'a> Builder<'a> {
    pub fn new(variant: &'a Variant, args: &'a [u32]) -> Self {
        let mut builder = Builder {
            variant,
            known: RuleFacts { variant, args },
            program: Program::default(),
            slots: vec![None; variant.vars.len()],
            fail: 0,
            half: 0,
            memo: FxHashMap::default(),
            computed: Vec::new(),
        };
        builder.fail = builder.label();
        builder
    }

    pub fn emit(&mut self, instr: Instr) {
        self.program.code.push(instr);
    }

    /// Goes to `fail` unless a test holds.
    pub fn check(&mut self, test: Test, fail: Label) {
        self.emit(Instr::Test { test, fail });
    }

    pub fn note(&mut self, note: String) {
        self.program.notes.push(note);
    }

    /// A label that points nowhere yet.
    pub fn label(&mut self) -> Label {
        self.program.labels.push(u32::MAX);
        (self.program.labels.len() - 1) as Label
    }

    /// Points a label at the next instruction.
    pub fn set_label(&mut self, label: Label) {
        self.program.labels[usize::from(label)] = self.program.code.len() as u32;
    }

    pub fn cell_reg(&mut self) -> Reg {
        self.program.registers.cells += 1;
        self.program.registers.cells - 1
    }

    pub fn digit_reg(&mut self) -> Reg {
        self.program.registers.digits += 1;
        self.program.registers.digits - 1
    }

    pub fn house_reg(&mut self) -> Reg {
        self.program.registers.houses += 1;
        self.program.registers.houses - 1
    }

    pub fn number_reg(&mut self) -> Reg {
        self.program.registers.numbers += 1;
        self.program.registers.numbers - 1
    }

    pub fn value_reg(&mut self) -> Reg {
        self.program.registers.values += 1;
        self.program.registers.values - 1
    }

    /// A fresh register of the type of `like`.
    pub fn set_like(&mut self, like: Set) -> Set {
        match like {
            Set::C(_) => Set::C(self.cell_reg()),
            Set::D(_) => Set::D(self.digit_reg()),
            Set::H(_) => Set::H(self.house_reg()),
            Set::P(_) => Set::P(self.candidate_reg()),
        }
    }

    /// What was computed so far, to be given back to [`Builder::recall`].
    pub fn memory(&self) -> Memory {
        (self.memo.clone(), self.computed.len())
    }

    /// Forgets what was computed since.
    pub fn recall(&mut self, (memo, computed): Memory) {
        self.memo = memo;
        self.computed.truncate(computed);
    }

    /// A cell set that an operator gives; the same is computed once.
    pub fn compute_cells(&mut self, op: CellOp) -> Reg {
        self.once(|to| Instr::Cells { to, op }, Self::cell_reg)
    }

    /// The same for digits.
    pub fn compute_digits(&mut self, op: DigitOp) -> Reg {
        self.once(|to| Instr::Digits { to, op }, Self::digit_reg)
    }

    /// The same for houses.
    pub fn compute_houses(&mut self, op: HouseOp) -> Reg {
        self.once(|to| Instr::Houses { to, op }, Self::house_reg)
    }

    /// The same for numbers.
    pub fn compute_number(&mut self, op: NumberOp) -> Reg {
        self.once(|to| Instr::Number { to, op }, Self::number_reg)
    }

    pub fn once(&mut self, make: impl Fn(Reg) -> Instr, register: impl Fn(&mut Self) -> Reg) -> Reg {
        let key = make(0);
        if let Some((_, known)) = self.computed.iter().find(|(instr, _)| *instr == key) {
            return *known;
        }
        let to = register(self);
        self.emit(make(to));
        self.computed.push((key, to));
        to
    }

    /// Code written by `body` may be skipped at run time: what it computes is forgotten afterwards.
    pub fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let memory = self.memory();
        let out = body(self);
        self.recall(memory);
        out
    }

    /// The number register of a name that stands for one thing; candidates are taken as sets.
    pub fn single(&self, expr: &Expr) -> Option<Reg> {
        match expr {
            Expr::Var(var) => match self.slots[var.0] {
                Some(Slot::One { set: Set::P(_), .. }) => None,
                Some(Slot::One { value, .. }) => Some(value),
                _ => None,
            },
            _ => None,
        }
    }

    pub fn op(&mut self, op: SetOp, a: Set, b: Set) -> Set {
        if a == b && op != SetOp::Minus {
            return a;
        }
        match a {
            Set::C(_) => Set::C(self.once(|to| Instr::Combine { op, to: Set::C(to), a, b }, Self::cell_reg)),
            Set::D(_) => Set::D(self.once(|to| Instr::Combine { op, to: Set::D(to), a, b }, Self::digit_reg)),
            Set::H(_) => Set::H(self.once(|to| Instr::Combine { op, to: Set::H(to), a, b }, Self::house_reg)),
            Set::P(_) => Set::P(self.once(|to| Instr::Combine { op, to: Set::P(to), a, b }, Self::candidate_reg)),
        }
    }

    pub fn cells(&mut self, expr: &Expr) -> Result<Reg, NoPlan> {
        match self.expr(expr)? {
            Operand::Set(Set::C(reg)) => Ok(reg),
            Operand::Set(Set::H(houses)) => Ok(self.compute_cells(CellOp::OfHouses { houses })),
            Operand::Nouns(nouns) => self.cells_of_nouns(&nouns),
            Operand::Set(Set::P(of)) => Ok(self.cells_of_marks(of)),
            _ => Err(NoPlan::Needs("cells")),
        }
    }

    pub fn digits(&mut self, expr: &Expr) -> Result<Reg, NoPlan> {
        match self.expr(expr)? {
            Operand::Set(Set::D(reg)) => Ok(reg),
            _ => Err(NoPlan::Needs("digits")),
        }
    }

    pub fn houses(&mut self, expr: &Expr) -> Result<Reg, NoPlan> {
        match self.expr(expr)? {
            Operand::Set(Set::H(reg)) => Ok(reg),
            _ => Err(NoPlan::Needs("houses")),
        }
    }

    pub fn number(&mut self, expr: &Expr) -> Result<Reg, NoPlan> {
        match self.expr(expr)? {
            Operand::Number(reg) => Ok(reg),
            _ => Err(NoPlan::NeedsNumber),
        }
    }

    pub fn set(&mut self, expr: &Expr) -> Result<Set, NoPlan> {
        match self.expr(expr)? {
            Operand::Set(set) => Ok(set),
            Operand::Nouns(nouns) => Ok(Set::C(self.cells_of_nouns(&nouns)?)),
            Operand::Number(_) => Err(NoPlan::NeedsSet),
        }
    }

    /// A number of things that is known before a search; `what` says of which, for the author.
    pub fn count(&self, expr: &Expr, what: &str) -> Result<u32, NoPlan> {
        let value = self.known.constant(expr).ok_or_else(|| NoPlan::NotConstant(what.into()))?;
        u32::try_from(value).map_err(|_| {
            let args: Vec<String> = self.known.args.iter().map(u32::to_string).collect();
            NoPlan::CountOutOfRange { what: what.into(), value, args: args.join(", ") }
        })
    }

    pub fn expr(&mut self, expr: &Expr) -> Result<Operand, NoPlan> {
        if let Some(known) = self.memo.get(expr) {
            return Ok(known.clone());
        }
        let operand = match self.known.constant(expr) {
            Some(value) => self.number_constant(value),
            None => self.compute(expr)?,
        };
        if !matches!(expr, Expr::Var(_)) {
            self.memo.insert(expr.clone(), operand.clone());
        }
        Ok(operand)
    }

    /// Whether an expression was computed in a place that dominates this one.
    pub fn is_computed(&self, expr: &Expr) -> bool {
        self.memo.contains_key(expr)
    }

    fn number_constant(&mut self, value: i64) -> Operand {
        Operand::Number(self.compute_number(NumberOp::Const { value: value as i32 }))
    }

    /// Where the value of a name is, for reports.
    pub fn output(&mut self, var: VarId) -> Output {
        match &self.slots[var.0] {
            Some(Slot::Many(Operand::Nouns(nouns))) => {
                self.program.nouns.push(nouns.clone());
                Output::Nouns(self.program.nouns.len() - 1)
            }
            Some(Slot::One { set, .. }) | Some(Slot::Many(Operand::Set(set))) => Output::Set(*set),
            Some(Slot::Candidate { digit, cell }) => Output::Candidate(digit.0, cell.0),
            Some(Slot::Family { family, .. }) => Output::Family(*family),
            _ => Output::Nothing,
        }
    }
}
