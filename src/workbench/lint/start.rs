//! Expensive first choices. In: a technique. Out: a finding if its plan for the common board begins with names that no
//! requirement narrows.

use crate::engine::Engine;
use crate::grid::Geometry;
use crate::lang::ast;
use crate::lang::codes::{LintProblem, Problem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{HouseClass, Kind, Technique, VarShape};
use crate::solve::Rulebook;
use std::sync::Arc;

/// A search may begin in this many ways without a finding.
const FEW: usize = 3_000;

/// Looks at the plan of the first member of each case, and says so if it begins with more ways than a few.
pub fn start(rulebook: &Rulebook, technique: &Technique, written: &ast::Technique) -> Option<Diagnostic> {
    let geometry = Arc::new(Geometry::standard(9)?);
    let engine = Engine::new(geometry, &rulebook.with_used(vec![technique.clone()]), rulebook.sources()).ok()?;
    let mut seen = Vec::new();
    for (number, member) in engine.members().iter().enumerate() {
        if member.technique != 0 || seen.contains(&member.variant) {
            continue;
        }
        seen.push(member.variant);
        let (names, ways) = beginning(technique, member.variant, &engine.plan_text(number));
        if ways > FEW {
            let ways = if ways > 1_000_000 { "more than a million".to_owned() } else { ways.to_string() };
            let problem = LintProblem::SlowStart { id: technique.id.clone(), ways, names: names.join(", ") };
            return Some(problem.at(&written.id.span));
        }
    }
    None
}

/// The names that a plan chooses before anything narrows the choice, and in how many ways.
fn beginning(technique: &Technique, variant: usize, plan: &str) -> (Vec<String>, usize) {
    let (mut names, mut ways) = (Vec::new(), 1usize);
    for line in plan.lines().filter_map(|line| line.strip_prefix("; ")) {
        let Some((name, how)) = line.split_once(": ") else { continue };
        let Some(var) = technique.variants[variant].vars.iter().find(|var| var.name == name) else { continue };
        let open = how.starts_with("narrowed by 0 ") || how.ends_with("of a set, cut by []");
        if !open {
            break;
        }
        let one = match var.kind {
            Kind::Digit => 9,
            Kind::Cell => 81,
            Kind::House(HouseClass::Line) => 18,
            Kind::House(_) => 27,
            // Assumptions are examined for all candidates at once.
            _ => 1,
        };
        names.push(name.to_owned());
        ways = ways.saturating_mul(if var.shape == VarShape::Single { one } else { one * (one - 1) / 2 });
    }
    (names, ways)
}
