//! Where the rules that the binary carries are proved. In: what the prover found of each of them, as a file of the
//! rulebook. Out: whether a member holds on a board.
//!
//! Only what is said there is so: a member that is not listed, and a board of no name of ours, are not proved unless the
//! member is proved on every board.

use super::embedded;
use super::row::member_label;
use super::rulebook::Rulebook;
use crate::engine::Trust;
use crate::grid::{BoardSpec, Geometry};
use crate::lang::ir::Technique;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::LazyLock;

/// The words for all boards, for none, and before those where a member finds nothing.
const EVERY: &str = "every board";
const NONE: &str = "no board";
const IDLE: &str = "; nothing on ";

/// Every member, by its name and its case; see [`Standing::key`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing(pub BTreeMap<String, Proved>);

/// What is proved of a member.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// A hash of the rule as it was proved, with all that its proof is made of.
    pub rule: String,
    /// Where it holds.
    pub on: Boards,
    /// Names of boards where it holds but can find nothing, so that it need not be searched there.
    pub idle: Vec<String>,
}

/// Boards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Boards {
    /// All that there can be.
    Every,
    /// Those of these names.
    Named(Vec<String>),
}

impl Standing {
    /// That of the rulebook that the binary carries.
    pub fn embedded() -> &'static Standing {
        static READ: LazyLock<Standing> = LazyLock::new(|| Standing::read(embedded::proved()));
        &READ
    }

    /// Reads a file as it is written: a line for each member with its hash, its name and the boards. What is no such line says
    /// nothing of any member.
    pub fn read(text: &str) -> Standing {
        let member = |line: &str| {
            let (head, on) = line.rsplit_once(": ")?;
            let (rule, key) = head.split_once(' ')?;
            let listed = |names: &str| names.split(", ").map(str::to_string).collect();
            let (on, idle) = on.split_once(IDLE).map_or((on, Vec::new()), |(on, idle)| (on, listed(idle)));
            let on = match on {
                EVERY => Boards::Every,
                NONE => Boards::Named(Vec::new()),
                names => Boards::Named(listed(names)),
            };
            Some((key.to_string(), Proved { rule: rule.to_string(), on, idle }))
        };
        Standing(text.lines().filter(|line| !line.starts_with('#')).filter_map(member).collect())
    }

    /// What a member is called in the file: `id`, `id(4)`, `id(4) case 2`; cases from one, where there are several.
    pub fn key(technique: &Technique, args: &[u32], variant: usize) -> String {
        let label = member_label(&technique.id, args);
        if technique.variants.len() > 1 { format!("{label} case {}", variant + 1) } else { label }
    }

    /// Whether a member is proved on a board. `name` is the board's, if it is one of ours: see [`name_of`].
    pub fn holds(&self, (technique, args, variant): (&Technique, &[u32], usize), name: Option<&str>) -> bool {
        self.0.get(&Standing::key(technique, args, variant)).is_some_and(|proved| match &proved.on {
            Boards::Every => true,
            Boards::Named(names) => name.is_some_and(|name| names.iter().any(|known| known == name)),
        })
    }

    /// Returns true if it is proved that a member finds nothing on a board. `name` as for [`Standing::holds`].
    pub fn is_idle(&self, (technique, args, variant): (&Technique, &[u32], usize), name: Option<&str>) -> bool {
        let proved = self.0.get(&Standing::key(technique, args, variant));
        proved.is_some_and(|proved| name.is_some_and(|name| proved.idle.iter().any(|known| known == name)))
    }
}

/// As it is read.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(key, Proved { rule, on, idle })| {
            let on = match on {
                Boards::Every => EVERY.to_string(),
                Boards::Named(names) if names.is_empty() => NONE.to_string(),
                Boards::Named(names) => names.join(", "),
            };
            let idle = if idle.is_empty() { String::new() } else { format!("{IDLE}{}", idle.join(", ")) };
            writeln!(f, "{rule} {key}: {on}{idle}")
        })
    }
}

/// The name of a board that the binary carries; none of any other, whatever it is called.
pub fn name_of(geometry: &Geometry) -> Option<&str> {
    let name = &geometry.spec().name;
    let own = BoardSpec::named(name)?;
    // Only some are written as they are in the end.
    let same = own == *geometry.spec() || Geometry::new(own).is_ok_and(|own| own.spec() == geometry.spec());
    same.then_some(name)
}

/// What is known of the binary's own rules on a board; what a user adds is the user's business.
pub(super) struct ProvedHere<'a> {
    pub rulebook: &'a Rulebook,
    /// Added techniques that are proved.
    pub added: &'a BTreeSet<String>,
    /// The board, if it is one of ours.
    pub board: Option<&'a str>,
}

impl ProvedHere<'_> {
    /// Whether a member may be used without being asked for.
    pub fn member(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        !self.rulebook.is_own(&technique.id) || Standing::embedded().holds((technique, args, variant), self.board)
    }

    /// Returns true if a member of the binary's own rules is proved to find nothing on the board.
    pub fn is_idle(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        self.rulebook.is_own(&technique.id) && Standing::embedded().is_idle((technique, args, variant), self.board)
    }

    /// What is known of a technique, all of it, or a link source.
    pub fn trust(&self, id: &str, size: u32) -> Trust {
        let technique = self.rulebook.techniques().iter().find(|technique| technique.id == id);
        let proved = |one: &Technique| one.cases(size).iter().all(|(args, variant)| self.member(one, args, *variant));
        let is_idle = |one: &Technique| one.cases(size).iter().all(|(args, variant)| self.is_idle(one, args, *variant));
        match self.rulebook.is_own(id) {
            true if technique.is_some_and(is_idle) => Trust::Idle,
            true if technique.is_none_or(proved) => Trust::Planned,
            false if self.added.contains(id) => Trust::Sound,
            _ => Trust::Nothing,
        }
    }
}
