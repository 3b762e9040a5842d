//! Premises of a verdict besides the rule's own lines: lemmas, link sources, other techniques. In: proof attempts. Out:
//! [`Ground`]s, plain data with words.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;

/// Something that a verdict rests on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Ground {
    /// Name of the premise.
    pub what: String,
    /// Verdict of the premise, for link sources and techniques.
    pub verdict: Option<String>,
    /// True if the premise holds.
    pub holds: bool,
}

impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        self.verdict.as_ref().map_or(Ok(()), |verdict| write!(f, ": {verdict}"))
    }
}

/// The sentences that are proved once, for all rules (docs/proofs.md).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Lemma {
    Chain,
    ChainBack,
    Mirror,
    Loop,
    Cluster,
    Ring,
    Suppose,
    Singles,
    LockedSet,
    Numbers,
    Guardians,
    Templates,
}

impl Lemma {
    fn words(self) -> &'static str {
        match self {
            Lemma::Chain => "one end of a chain is true",
            Lemma::ChainBack => "if a chain comes back to its first node, the node is true",
            Lemma::Mirror => "a chain through cells of two digits can be read with the two exchanged",
            Lemma::Loop => "exactly one end of each link of a loop is true",
            Lemma::Cluster => "of the two colours of a cluster one is true and the other is false",
            Lemma::Ring => "an odd ring has a true guardian",
            Lemma::Suppose => "what all cases imply holds, if one of the cases does",
            Lemma::Singles => "the last candidate of a cell is true, and so is the last place of a digit in a house",
            Lemma::LockedSet => "an almost locked set lacks at most as many digits as it has more than cells",
            Lemma::Numbers => "every cell holds one digit, so cells and digits can be counted against each other",
            Lemma::Guardians => "without a true guardian the pattern is complete",
            Lemma::Templates => "a candidate in no template or combination is false, one in every template is true",
        }
    }
}

/// Premises collected while a rule is proved.
#[derive(Clone, Debug, Default)]
pub(super) struct Grounds {
    lemmas: BTreeSet<Lemma>,
    others: BTreeSet<Ground>,
}

impl Grounds {
    pub fn lemmas(&mut self, more: &BTreeSet<Lemma>) {
        self.lemmas.extend(more);
    }

    pub fn add(&mut self, ground: Ground) {
        self.others.insert(ground);
    }

    pub fn all_hold(&self) -> bool {
        self.others.iter().all(|ground| ground.holds)
    }

    /// Lemmas first, then the others in order of their names.
    pub fn list(self) -> Vec<Ground> {
        let lemma = |lemma: Lemma| Ground { what: lemma.words().into(), verdict: None, holds: true };
        self.lemmas.into_iter().map(lemma).chain(self.others).collect()
    }
}
