//! Soundness of rules on a board. In: the proof record of the built-in rules; verdicts on added rules. Out: the
//! soundness of each member, and the trust that the engine may place in a rule.
//!
//! A built-in member is proved on the boards that the record lists for the member. If the record says `every board`,
//! the member is proved on all boards.

use super::embedded;
use super::rulebook::Rulebook;
use crate::engine::RuleKnowledge;
use crate::grid::{BoardSpec, Geometry};
use crate::lang::ir::{ItemName, Technique, dependencies, member_label, reachable};
use petgraph::visit::Reversed;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

const EVERY_BOARD: &str = "every board";
const NO_BOARD: &str = "no board";
/// Words of a line before the boards on which the member finds nothing.
const NOTHING_ON: &str = "; nothing on ";

/// Results of proving the built-in rules. The map gives the boards on which each member holds, by [`ProofRecord::key`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofRecord(pub BTreeMap<String, ProvedMember>);

/// The boards on which a member is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProvedMember {
    /// Hash of the rule as it was proved, with everything that the proof uses.
    pub rule_hash: String,
    /// Boards on which the member is sound.
    pub boards: ProvedBoards,
    /// Names of boards on which the member is sound but can find nothing. On these boards the member is not searched.
    pub idle_boards: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProvedBoards {
    Every,
    Named(Vec<String>),
}

impl ProofRecord {
    /// Returns the record of the built-in rules.
    pub fn embedded() -> &'static ProofRecord {
        static READ: LazyLock<ProofRecord> = LazyLock::new(|| ProofRecord::read(embedded::PROVED));
        &READ
    }

    /// Reads a record: a line for each member with its hash, its key and its boards. Other lines are ignored.
    pub fn read(text: &str) -> ProofRecord {
        ProofRecord(text.lines().filter(|line| !line.starts_with('#')).filter_map(proved_member).collect())
    }

    /// Returns the key of a member: `id`, `id(4)`, `id(4) case 2`. `(4)` is the value of the parameter. `case 2` is the
    /// second variant; the key of a technique with only one variant has no `case`.
    pub fn key(technique: &Technique, args: &[u32], variant: usize) -> String {
        let label = member_label(&technique.id, args);
        if technique.variants.len() > 1 { format!("{label} case {}", variant + 1) } else { label }
    }

    /// Returns true if a member is proved on a board. `board` is the name of a built-in board, see [`built_in_name`];
    /// `None` for other boards.
    pub fn holds(&self, (technique, args, variant): (&Technique, &[u32], usize), board: Option<&str>) -> bool {
        self.0.get(&ProofRecord::key(technique, args, variant)).is_some_and(|proved| match &proved.boards {
            ProvedBoards::Every => true,
            ProvedBoards::Named(names) => names.iter().any(|name| Some(name.as_str()) == board),
        })
    }

    /// Returns true if a member is proved to find nothing on a board. `board` as for [`ProofRecord::holds`].
    pub fn is_idle(&self, (technique, args, variant): (&Technique, &[u32], usize), board: Option<&str>) -> bool {
        let proved = self.0.get(&ProofRecord::key(technique, args, variant));
        proved.is_some_and(|proved| proved.idle_boards.iter().any(|name| Some(name.as_str()) == board))
    }
}

/// Reads a line `hash id(4) case 2: 6x6, 9x9; nothing on 4x4`. Returns the key and the result.
fn proved_member(line: &str) -> Option<(String, ProvedMember)> {
    let (head, boards) = line.rsplit_once(": ")?;
    let (rule_hash, key) = head.split_once(' ')?;
    let (boards, idle_boards) = match boards.split_once(NOTHING_ON) {
        Some((boards, idle_boards)) => (boards, board_names(idle_boards)),
        None => (boards, Vec::new()),
    };
    let boards = match boards {
        EVERY_BOARD => ProvedBoards::Every,
        NO_BOARD => ProvedBoards::Named(Vec::new()),
        names => ProvedBoards::Named(board_names(names)),
    };
    Some((key.to_string(), ProvedMember { rule_hash: rule_hash.to_string(), boards, idle_boards }))
}

fn board_names(list: &str) -> Vec<String> {
    list.split(", ").map(str::to_string).collect()
}

/// Writes the record in the form that [`ProofRecord::read`] reads.
impl fmt::Display for ProofRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (key, ProvedMember { rule_hash, boards, idle_boards }) in &self.0 {
            match boards {
                ProvedBoards::Every => write!(f, "{rule_hash} {key}: {EVERY_BOARD}")?,
                ProvedBoards::Named(names) if names.is_empty() => write!(f, "{rule_hash} {key}: {NO_BOARD}")?,
                ProvedBoards::Named(names) => write!(f, "{rule_hash} {key}: {}", names.join(", "))?,
            }
            if !idle_boards.is_empty() {
                write!(f, "{NOTHING_ON}{}", idle_boards.join(", "))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Returns the name of a built-in board; `None` for other boards, even if they have the name of a built-in board.
pub fn built_in_name(geometry: &Geometry) -> Option<&str> {
    let name = &geometry.spec().name;
    let built_in = BoardSpec::named(name)?;
    // `Geometry::new` completes a specification, so the completed specification is compared, too.
    let is_built_in =
        built_in == *geometry.spec() || Geometry::new(built_in).is_ok_and(|board| board.spec() == geometry.spec());
    is_built_in.then_some(name)
}

/// Result of the attempts to prove a rule on a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Soundness {
    /// The rule holds in every position of the board. A technique without members on the board counts as
    /// proved.
    #[default]
    Proved,
    /// No proof and no counterexample was found: a conclusion may be wrong.
    Unproved,
    /// The rule is wrong in some position of the board.
    Refuted,
}

impl Soundness {
    /// Returns `proved`, `unproved` or `refuted`.
    pub fn word(self) -> &'static str {
        match self {
            Soundness::Proved => "proved",
            Soundness::Unproved => "unproved",
            Soundness::Refuted => "refuted",
        }
    }

    pub fn is_proved(&self) -> bool {
        *self == Soundness::Proved
    }
}

/// The soundness of added rules on one board. A member without an entry is unproved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AddedRuleSoundness {
    /// Soundness by [`ProofRecord::key`].
    members: BTreeMap<String, Soundness>,
    uses_refuted: bool,
}

impl AddedRuleSoundness {
    /// Makes an object without members. If `uses_refuted`, refuted rules are used, too.
    pub fn new(uses_refuted: bool) -> AddedRuleSoundness {
        AddedRuleSoundness { members: BTreeMap::new(), uses_refuted }
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Returns true if there is a verdict on the member.
    pub fn has_verdict(&self, technique: &Technique, (args, variant): (&[u32], usize)) -> bool {
        self.members.contains_key(&ProofRecord::key(technique, args, variant))
    }

    pub fn add(&mut self, technique: &Technique, (args, variant): (&[u32], usize), soundness: Soundness) {
        self.members.insert(ProofRecord::key(technique, args, variant), soundness);
    }

    pub fn get(&self, technique: &Technique, (args, variant): (&[u32], usize)) -> Soundness {
        let soundness = self.members.get(&ProofRecord::key(technique, args, variant));
        soundness.copied().unwrap_or(Soundness::Unproved)
    }

    /// Marks every unproved rule that uses a refuted rule as refuted, because its matches rest on that rule. `size` is
    /// the board size.
    pub fn spread_refutations(&mut self, techniques: &[&Technique], size: u32) {
        let mut unproved = Vec::new();
        let mut refuted = Vec::new();
        for &technique in techniques {
            let members = technique.member_variants(size);
            let worst = members.iter().map(|(args, variant)| self.get(technique, (args, *variant))).max();
            if worst != Some(Soundness::Proved) {
                unproved.push(technique);
            }
            if worst == Some(Soundness::Refuted) {
                refuted.push(ItemName::Technique(&technique.id));
            }
        }
        let graph = dependencies(unproved.iter().copied(), &[]);
        let users = reachable(Reversed(&graph), refuted);
        for technique in unproved.iter().filter(|technique| users.contains(&ItemName::Technique(&technique.id))) {
            for (args, variant) in technique.member_variants(size) {
                if self.get(technique, (&args, variant)) == Soundness::Unproved {
                    self.add(technique, (&args, variant), Soundness::Refuted);
                }
            }
        }
    }
}

/// Soundness of all rules on one board: of built-in rules by the proof record, of added rules by their verdicts.
pub(super) struct BoardSoundness<'a> {
    pub rulebook: &'a Rulebook,
    pub added: &'a AddedRuleSoundness,
    /// Name of the board, if it is built in.
    pub board: Option<&'a str>,
}

impl BoardSoundness<'_> {
    pub fn of_member(&self, technique: &Technique, args: &[u32], variant: usize) -> Soundness {
        if !self.rulebook.is_built_in(&technique.id) {
            return self.added.get(technique, (args, variant));
        }
        let is_proved = ProofRecord::embedded().holds((technique, args, variant), self.board);
        if is_proved { Soundness::Proved } else { Soundness::Unproved }
    }

    /// Returns true if a member is searched only when it is requested by name.
    pub fn withholds(&self, technique: &Technique, soundness: Soundness) -> bool {
        match soundness {
            Soundness::Proved => false,
            Soundness::Unproved => self.rulebook.is_built_in(&technique.id),
            Soundness::Refuted => !self.added.uses_refuted,
        }
    }

    /// Returns true if a built-in member is proved to find nothing on the board.
    pub fn is_idle(&self, technique: &Technique, args: &[u32], variant: usize) -> bool {
        self.rulebook.is_built_in(&technique.id)
            && ProofRecord::embedded().is_idle((technique, args, variant), self.board)
    }

    /// Returns what the engine may assume about a technique or link source. The least sound member of a technique
    /// decides. `size` is the board size. Only built-in rules are known to have a plan, because a test plans them all.
    pub fn trust(&self, id: &str, size: u32) -> RuleKnowledge {
        let technique = self.rulebook.techniques().iter().find(|technique| technique.id == id);
        let is_built_in = self.rulebook.is_built_in(id);
        let Some(technique) = technique else {
            return if is_built_in { RuleKnowledge::SoundAndPlannable } else { RuleKnowledge::Unproved };
        };
        let members = technique.member_variants(size);
        if is_built_in && members.iter().all(|(args, variant)| self.is_idle(technique, args, *variant)) {
            return RuleKnowledge::SoundAndEmpty;
        }
        if !members.iter().all(|(args, variant)| self.of_member(technique, args, *variant).is_proved()) {
            RuleKnowledge::Unproved
        } else if is_built_in {
            RuleKnowledge::SoundAndPlannable
        } else {
            RuleKnowledge::Sound
        }
    }
}
