//! Open chains in a plan. In: a chain's declaration. Out: the instruction that searches it and the one that
//! hands out its ends, with the tests that bind them to what is known.

use super::build::{Refusal, Slot};
use super::compile::Compiler;
use super::constraints::{differ, end_names};
use super::instr::{Instr, Set};
use super::program::{ChainSpec, EndRegs};
use crate::lang::ir::{Chain, ChainEnd, Condition, Expr, VarId};

impl Compiler<'_> {
    /// Writes the search of a chain.
    pub fn chain(&mut self, chain: &Chain) -> Result<(), Refusal> {
        let on = chain.on.as_ref().map(|on| self.builder.digits(on)).transpose()?;
        let strong = chain.strong.iter().map(|name| self.source(name)).collect::<Result<Vec<_>, _>>()?;
        let (from, to) = (self.end(chain.from)?, self.end(chain.to)?);
        let number = self.builder.program.chains.len();
        let spec = ChainSpec { on, from, to, length: chain.length, strong, weak: chain.weak };
        self.builder.program.chains.push(spec);
        self.builder.emit(Instr::Chain { chain: number });
        let next = self.builder.label();
        self.builder.set_label(next);
        let fail = self.builder.fail;
        self.builder.emit(Instr::NextChain { chain: number, fail });
        self.builder.fail = next;
        let mut names = end_names(chain.from);
        names.extend(end_names(chain.to));
        let new: Vec<VarId> = names.into_iter().filter(|&name| !self.is_bound(name)).collect();
        new.iter().for_each(|name| self.bound |= 1 << name.0);
        for &(a, b) in &self.order_pairs.clone() {
            if self.all_bound(&[a, b]) && (new.contains(&a) || new.contains(&b)) {
                self.less(a, b);
            }
        }
        self.apart(&new)?;
        self.builder.note(format!("chain: {} link source(s), breadth first from every start", chain.strong.len()));
        self.settle(new.first().copied())
    }

    /// Names that a chain bound differ from the others of their kind.
    fn apart(&mut self, new: &[VarId]) -> Result<(), Refusal> {
        for &name in new {
            for index in 0..self.builder.variant.vars.len() {
                let other = VarId(index);
                let twice = new.contains(&other) && other < name;
                if self.is_bound(other) && differ(self.builder.variant, name, other) && !twice {
                    let fail = self.builder.fail;
                    self.builder.test(&Condition::Disjoint(Expr::Var(name), Expr::Var(other)), fail)?;
                }
            }
        }
        Ok(())
    }

    pub fn source(&self, name: &str) -> Result<usize, Refusal> {
        self.sources
            .iter()
            .position(|source| source.id == name)
            .ok_or_else(|| format!("no `strong link {name}` is declared in the prelude or in a rule file"))
    }

    fn end(&mut self, end: ChainEnd) -> Result<EndRegs, Refusal> {
        match end {
            ChainEnd::At(node) => {
                let (digit, digit_bound) = self.end_name(node.digit)?;
                let (cell, cell_bound) = self.end_name(node.cell)?;
                Ok(EndRegs { digit, cell, digit_bound, cell_bound })
            }
            ChainEnd::Candidate(var) => {
                let digit = (self.builder.value_reg(), self.builder.digit_reg());
                let cell = (self.builder.value_reg(), self.builder.cell_reg());
                self.builder.slots[var.0] = Some(Slot::Candidate { digit, cell });
                Ok(EndRegs { digit, cell, digit_bound: false, cell_bound: false })
            }
        }
    }

    /// The registers of a name at a chain's end, and whether it has its value before the chain is searched. The
    /// second end may repeat a name of the first: then the registers are the same and must agree.
    fn end_name(&mut self, var: VarId) -> Result<((u16, u16), bool), Refusal> {
        if let Some(Slot::One { value, set: Set::C(set) | Set::D(set) }) = self.builder.slots[var.0] {
            return Ok(((value, set), self.is_bound(var)));
        }
        let value = self.builder.value_reg();
        let set = self.builder.set_for(self.builder.variant.var(var).kind)?;
        self.builder.slots[var.0] = Some(Slot::One { value, set });
        match set {
            Set::C(reg) | Set::D(reg) => Ok(((value, reg), false)),
            Set::H(_) | Set::P(_) => Err("a chain's end is a digit in a cell".into()),
        }
    }
}
