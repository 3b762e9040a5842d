//! What the tests of a rule make use of. In: a technique, the positions of its tests. Out: members of the family, cases
//! and names that no test brings about.

use super::examples::scene;
use super::names::names;
use super::positions::Position;
use super::snapshots::Finder;
use crate::engine::Halt;
use crate::lang::ir::{Space, Technique};
use crate::solve::{Rulebook, member_label, member_names};
use std::collections::BTreeSet;

/// The size of the board whose members are counted.
const SIZE: u32 = 9;

/// What the tests of one technique bring about.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Members and cases there are.
    pub members: usize,
    /// Those that no test brings about.
    pub idle: Vec<String>,
    /// Names that steps can have.
    pub names: usize,
    /// Those that no step of a test has.
    pub unseen: Vec<String>,
}

/// Searches all positions of the tests.
pub fn coverage(rulebook: &Rulebook, technique: &Technique, positions: &[Position]) -> Coverage {
    let mut finder = Finder::new(rulebook, technique, Halt::default());
    let mut fired: BTreeSet<(Vec<u32>, usize)> = BTreeSet::new();
    let mut called: BTreeSet<String> = BTreeSet::new();
    let scenes = technique.examples.iter().filter(|example| !example.near_miss);
    let scenes = scenes.filter_map(|example| scene(rulebook, example).ok()).map(|scene| (scene.geometry, scene.state));
    for (geometry, state) in scenes.chain(positions.iter().map(|one| (one.geometry.clone(), one.state.clone()))) {
        for step in finder.steps(&geometry, &state).unwrap_or_default() {
            fired.insert((step.member.args.clone(), step.member.variant));
            called.insert(step.name);
        }
    }
    let mut out = Coverage::default();
    for args in technique.members(SIZE) {
        for variant in 0..technique.variants.len() {
            out.members += 1;
            if !fired.contains(&(args.clone(), variant)) {
                let case = member_names(technique, variant, &args, Space::Rc).case;
                let case =
                    case.filter(|_| technique.variants.len() > 1).map_or(String::new(), |case| format!(" \"{case}\""));
                out.idle.push(format!("{}{case}", member_label(&technique.id, &args)));
            }
        }
    }
    let all = names(technique);
    out.names = all.len();
    out.unseen = all.into_iter().filter(|name| !called.contains(name)).collect();
    out
}
