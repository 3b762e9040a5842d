//! A step as text. In: a step. Out: one line with the name, the pattern and what follows, one line with the reason.

use super::cases::cases;
use super::eureka::eureka;
use super::line::{Line, Role};
use super::reason::reason;
use super::shape::shape;
use crate::grid::{Geometry, notation};
use crate::solve::{Soundness, Step};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// How far the reason of a step that is joined stands in.
const INDENT: usize = 2;

/// The step in one line: `Name: 1/2/3 in r4c4,r5c59 => r5c46<>3`.
pub fn headline(geometry: &Geometry, step: &Step) -> Line {
    let pattern = pattern(geometry, step);
    let colon = if pattern.pieces.is_empty() { "" } else { ": " };
    let line = Line::of(Role::Name, &step.name).and(Role::Plain, colon).join(pattern);
    line.and(Role::Plain, " => ").join(effect(geometry, step)).and(Role::Bad, doubt(step.soundness))
}

/// The mark behind the line of a step whose rule is not proved.
fn doubt(soundness: Soundness) -> &'static str {
    match soundness {
        Soundness::Proved => "",
        Soundness::Unproved => " (not proved)",
        Soundness::Refuted => " (refuted)",
    }
}

/// The headlines of the matches in a list. Rules with one name may find the same, and a reader wants each line once.
#[derive(Debug, Default)]
pub struct Headlines {
    /// Rule and number of the first match with each headline. Hashes stand for texts, which would fill the memory.
    first: HashMap<u64, (u64, usize)>,
    count: usize,
}

impl Headlines {
    /// Adds a match to the list, unless another rule has made its headline already: then returns the number of
    /// that match, from zero. Matches of one rule are all listed; their reasons tell them apart.
    pub fn add(&mut self, geometry: &Geometry, step: &Step) -> Option<usize> {
        let rule = hash(&step.technique);
        let new = (rule, self.count);
        let first = *self.first.entry(hash(&headline(geometry, step).to_string())).or_insert(new);
        let is_copy = first.0 != rule;
        self.count += usize::from(!is_copy);
        is_copy.then_some(first.1)
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// What is there: in the author's words, as a chain, or by its shape. What joins steps says what each of them says.
pub fn pattern(geometry: &Geometry, step: &Step) -> Line {
    if !step.joined.is_empty() {
        let mut said: Vec<Line> = Vec::new();
        for part in step.joined.iter().map(|part| pattern(geometry, part)) {
            if !part.pieces.is_empty() && !said.contains(&part) {
                said.push(part);
            }
        }
        let both = said.into_iter().reduce(|line, part| line.and(Role::Plain, "; ").join(part));
        return both.unwrap_or_default();
    }
    if let Some(says) = &step.says {
        return Line::of(Role::Pattern, says);
    }
    let shape = shape(geometry, step);
    if step.chain.is_empty() {
        return Line::of(Role::Pattern, shape);
    }
    let rest = if shape.is_empty() { shape } else { format!("; {shape}") };
    Line::of(Role::Pattern, eureka(geometry, &step.chain)).and(Role::Plain, rest)
}

/// The step with its reason and its cases, indented below it.
pub fn explained(geometry: &Geometry, step: &Step, indent: usize) -> Vec<Line> {
    let mut lines = vec![headline(geometry, step)];
    if !step.joined.is_empty() {
        for part in &step.joined {
            let told = explained(geometry, part, INDENT);
            lines.extend(told.into_iter().map(|line| Line::text(" ".repeat(indent)).join(line)));
        }
        return lines;
    }
    let reason = reason(geometry, step);
    // Of cases the tree says all that the sentence does, unless the author has one.
    if !reason.is_empty() && (step.cases.is_empty() || step.because.is_some()) {
        lines.push(Line::text(" ".repeat(indent)).and(Role::Quiet, reason));
    }
    lines.extend(cases(geometry, step, indent));
    lines
}

/// What a step does to the board: `r1c1=4 r5c46<>3`.
pub fn effect(geometry: &Geometry, step: &Step) -> Line {
    let placed = notation::deductions(geometry, &[], &step.placements);
    let gone = notation::deductions(geometry, &step.eliminations, &[]);
    let between = if placed.is_empty() || gone.is_empty() { "" } else { " " };
    Line::of(Role::Placement, placed).and(Role::Plain, between).and(Role::Elimination, gone)
}
