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
use crate::lang::ir::{Declared, Technique, dependencies, reachable};
use petgraph::visit::Reversed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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

/// Result of the attempts to prove a rule on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// It holds in every position of the board.
    #[default]
    Proved,
    /// Neither proved nor refuted: what it concludes may be wrong.
    Unproved,
    /// A position of the board shows that it is wrong.
    Refuted,
}

impl Soundness {
    /// `proved`, `unproved` or `refuted`.
    pub fn word(self) -> &'static str {
        match self {
            Soundness::Proved => "proved",
            Soundness::Unproved => "unproved",
            Soundness::Refuted => "refuted",
        }
    }

    /// Returns true if the rule is proved.
    pub fn is_proved(&self) -> bool {
        *self == Soundness::Proved
    }
}

/// The soundness of added rules on one board, member by member. A member that is not listed is unproved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Knowledge {
    members: BTreeMap<String, Soundness>,
    /// Whether refuted rules are used all the same.
    trusting: bool,
}

impl Knowledge {
    /// Knows nothing yet. If `trusting`, refuted rules are used all the same.
    pub fn new(trusting: bool) -> Knowledge {
        Knowledge { members: BTreeMap::new(), trusting }
    }

    /// Adds a member.
    pub fn add(&mut self, technique: &Technique, (args, variant): (&[u32], usize), soundness: Soundness) {
        self.members.insert(Standing::key(technique, args, variant), soundness);
    }

    /// The soundness of a member.
    pub fn of(&self, technique: &Technique, (args, variant): (&[u32], usize)) -> Soundness {
        let known = self.members.get(&Standing::key(technique, args, variant));
        known.copied().unwrap_or(Soundness::Unproved)
    }

    /// Marks what uses a refuted rule as refuted, unless it is proved: what it finds rests on that rule.
    pub fn spread(&mut self, techniques: &[&Technique], size: u32) {
        let worst = |one: &Technique| one.cases(size).iter().map(|(args, at)| self.of(one, (args, *at))).max();
        let doubtful: Vec<&Technique> =
            techniques.iter().copied().filter(|one| worst(one) != Some(Soundness::Proved)).collect();
        let refuted = doubtful.iter().filter(|one| worst(one) == Some(Soundness::Refuted));
        let starts = refuted.map(|one| Declared::Technique(&one.id));
        let graph = dependencies(doubtful.iter().copied(), &[]);
        let users = reachable(Reversed(&graph), starts);
        for one in doubtful.iter().filter(|one| users.contains(&Declared::Technique(&one.id))) {
            for (args, variant) in one.cases(size) {
                if self.of(one, (&args, variant)) == Soundness::Unproved {
                    self.add(one, (&args, variant), Soundness::Refuted);
                }
            }
        }
    }
}

/// Soundness of all rules on a board: the binary's own by its file of proofs, added ones by what is known of them.
pub(super) struct ProvedHere<'a> {
    pub rulebook: &'a Rulebook,
    pub added: &'a Knowledge,
    /// The board, if it is one of ours.
    pub board: Option<&'a str>,
}

impl ProvedHere<'_> {
    /// The soundness of a member.
    pub fn member(&self, technique: &Technique, args: &[u32], variant: usize) -> Soundness {
        match self.rulebook.is_own(&technique.id) {
            true if Standing::embedded().holds((technique, args, variant), self.board) => Soundness::Proved,
            true => Soundness::Unproved,
            false => self.added.of(technique, (args, variant)),
        }
    }

    /// Returns true if a member is left out unless it is asked for by name.
    pub fn withholds(&self, technique: &Technique, soundness: Soundness) -> bool {
        match soundness {
            Soundness::Proved => false,
            Soundness::Unproved => self.rulebook.is_own(&technique.id),
            Soundness::Refuted => !self.added.trusting,
        }
    }

    /// Returns true if a member of the binary's own rules is proved to find nothing on the board.
    pub fn is_idle(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        self.rulebook.is_own(&technique.id) && Standing::embedded().is_idle((technique, args, variant), self.board)
    }

    /// What is known of a technique, all of it, or a link source.
    pub fn trust(&self, id: &str, size: u32) -> Trust {
        let technique = self.rulebook.techniques().iter().find(|technique| technique.id == id);
        let proved = |one: &Technique| {
            one.cases(size).iter().all(|(args, variant)| self.member(one, args, *variant).is_proved())
        };
        let is_idle = |one: &Technique| one.cases(size).iter().all(|(args, variant)| self.is_idle(one, args, *variant));
        match self.rulebook.is_own(id) {
            true if technique.is_some_and(is_idle) => Trust::Idle,
            true if technique.is_none_or(proved) => Trust::Planned,
            false if technique.is_some_and(proved) => Trust::Sound,
            _ => Trust::Nothing,
        }
    }
}
