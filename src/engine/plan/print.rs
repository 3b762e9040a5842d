//! A program as text. In: a [`Program`]. Out: its notes and its instructions, one a line, labels resolved.

use super::program::{GraphSpec, Program};
use super::spec::SupposeSpec;
use std::fmt;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for note in &self.notes {
            writeln!(f, "; {note}")?;
        }
        if let Some(class) = self.class {
            let what = if self.effect { "only what is in reach of" } else { "a link of" };
            writeln!(f, "; {what} {}", class.word())?;
        }
        for (number, rows) in self.rows.iter().enumerate() {
            writeln!(f, "; rows {number}: {:?}", rows.columns)?;
            rows.program.to_string().lines().try_for_each(|line| writeln!(f, ";   {line}"))?;
        }
        for (number, pick) in self.picks.iter().enumerate() {
            writeln!(f, "; pick {number}: {} to {} of {:?}, {:?}", pick.low, pick.high, pick.from, pick.bounds)?;
        }
        for (number, locked) in self.locked.iter().enumerate() {
            let (base, filters) = (locked.base, &locked.filters);
            writeln!(f, "; set {number}: {:?}, {base:?}, {filters:?}", locked.sort)?;
        }
        for (number, graph) in self.graphs.iter().enumerate() {
            let GraphSpec { on, strong, least: (least, count), shape } = graph;
            writeln!(f, "; graph {number}: on {on:?}, link sources {strong:?}, at least {least} {count:?}, {shape:?}")?;
        }
        for (number, suppose) in self.supposes.iter().enumerate() {
            let without = if suppose.all_stand { " without contradiction" } else { "" };
            let SupposeSpec { cases, by, agree, .. } = suppose;
            writeln!(f, "; supposition {number}: {cases:?}, by {by:?}, agree {agree:?}{without}")?;
        }
        for (at, instr) in self.code.iter().enumerate() {
            for (label, target) in self.labels.iter().enumerate() {
                if *target == at as u32 {
                    writeln!(f, "L{label}:")?;
                }
            }
            writeln!(f, "  {at:3} {instr:?}")?;
        }
        Ok(())
    }
}
