//! All members of a rulebook as programs. In: techniques, link sources, a board. Out: [`Compiled`].

use super::PlanError;
use super::matches::MemberId;
use super::plan::{self, Output, Program};
use crate::grid::Geometry;
use crate::lang::ir::{LinkSource, Technique};

/// Programs side by side with what they are for.
pub(super) struct Compiled {
    pub members: Vec<MemberId>,
    pub programs: Vec<Program>,
    pub sources: Vec<SourceProgram>,
}

/// A link source: its program and where the two ends of each pair are (digit, cell).
pub(super) struct SourceProgram {
    pub program: Program,
    pub ends: [(Output, Output); 2],
}

impl Compiled {
    /// `trusted` are the techniques that are taken to be sound, by their place in the list.
    pub fn new(
        geometry: &Geometry,
        techniques: &[Technique],
        sources: &[LinkSource],
        trusted: &[bool],
    ) -> Result<Self, Vec<PlanError>> {
        let half = geometry.size() as u32 / 2;
        let mut out = Compiled { members: Vec::new(), programs: Vec::new(), sources: Vec::new() };
        let mut errors = Vec::new();
        for source in sources {
            match compile_source(source, half) {
                Ok(compiled) => out.sources.push(compiled),
                Err(message) => errors.push(PlanError { technique: source.id.clone(), message }),
            }
        }
        for (number, technique) in techniques.iter().enumerate() {
            // Where one solution is assumed, more than what no way allows can be eliminated.
            let trusting = trusted.get(number) == Some(&true) && !technique.assumes_one_solution;
            let size = geometry.size() as u32;
            if let Err(message) = out.add(number, technique, size, sources, trusting) {
                errors.push(PlanError { technique: technique.id.clone(), message });
            }
        }
        if errors.is_empty() { Ok(out) } else { Err(errors) }
    }

    fn add(
        &mut self,
        number: usize,
        technique: &Technique,
        size: u32,
        sources: &[LinkSource],
        trusting: bool,
    ) -> Result<(), String> {
        for args in technique.members(size) {
            for (index, variant) in technique.variants.iter().enumerate() {
                let program = plan::compile(variant, &args, size / 2, sources, trusting)?;
                self.programs.push(program);
                self.members.push(MemberId { technique: number, args: args.clone(), variant: index });
            }
        }
        Ok(())
    }
}

fn compile_source(source: &LinkSource, half: u32) -> Result<SourceProgram, String> {
    let program = plan::compile_source(source, half)?;
    let ends = plan::source_ends(&program, source).ok_or("the two ends of the link have no values")?;
    Ok(SourceProgram { program, ends })
}
