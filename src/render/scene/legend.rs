//! The legend of a scene. In: a scene. Out: what there is to see in it, each with its words; what is not there has no entry.

use super::{Mark, Reading, Scene};
use crate::grid::{Geometry, HouseId, notation};

/// What an entry explains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The cells of the pattern.
    Cells,
    /// A mark of candidates.
    Mark(Mark),
    /// An outline, by the place of its set.
    Set(usize),
    /// The houses of a name.
    House(usize),
    /// Strong links.
    Strong,
    /// Weak links.
    Weak,
    /// Where suppositions come to nothing.
    Fails,
}

/// More outlines than these are not told one by one.
const SETS: usize = 6;

/// The entries in the order of a reader: what follows first, then what it rests on.
pub fn legend(geometry: &Geometry, scene: &Scene) -> Vec<(Key, String)> {
    let order =
        [Mark::Placed, Mark::Goes, Mark::OneOf, Mark::Guardian, Mark::Supposed, Mark::On, Mark::Off, Mark::Support];
    let there = |mark: &Mark| scene.marks.values().any(|known| known == mark);
    let marks = order.into_iter().filter(there).map(|mark| (Key::Mark(mark), words(scene, mark).to_string()));
    let mut out: Vec<(Key, String)> = marks.collect();
    if !scene.fails.is_empty() {
        out.push((Key::Fails, "nothing is left".into()));
    }
    if scene.links.iter().any(|link| link.strong) {
        out.push((Key::Strong, "strong link: not both false".into()));
    }
    if scene.links.iter().any(|link| !link.strong) {
        out.push((Key::Weak, "weak link: not both true".into()));
    }
    let sets = scene.sets.iter().take(SETS).enumerate();
    out.extend(sets.map(|(number, cells)| (Key::Set(number), notation::cells(geometry, cells))));
    let last = scene.houses.last().map_or(0, |(_, number)| number + 1);
    for number in 0..last {
        let own: Vec<HouseId> =
            scene.houses.iter().filter(|(_, known)| *known == number).map(|(house, _)| *house).collect();
        out.push((Key::House(number), notation::houses(geometry, &own)));
    }
    out
}

fn words(scene: &Scene, mark: Mark) -> &'static str {
    match (mark, scene.reading) {
        (Mark::Placed, _) => "placed",
        (Mark::Goes, _) => "eliminated",
        (Mark::OneOf, _) => "one of these is true",
        (Mark::Guardian, _) => "guardian",
        (Mark::Supposed, _) => "supposed",
        (Mark::On, Reading::Chain) => "true if the start is false",
        (Mark::Off, Reading::Chain) => "false if the start is false",
        (Mark::On, Reading::Loop) => "either all of these are true",
        (Mark::Off, Reading::Loop) => "or all of these are true",
        (Mark::On, Reading::Cases) => "follows: true",
        (Mark::Off, Reading::Cases) => "follows: false",
        (Mark::Support, _) => "pattern",
    }
}
