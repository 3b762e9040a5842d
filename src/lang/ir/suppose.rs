//! Suppositions of the checked form: what follows in every case of several.

use super::{Expr, Statement, Technique, VarId, Weak};
use serde::{Deserialize, Serialize};

/// `suppose …`: cases of which one holds, what may be used under each, and what must come of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Suppose {
    /// What is supposed.
    pub cases: Cases,
    /// What may be used under it.
    pub by: InferenceMethods,
    /// What must come of it.
    pub shows: Shows,
}

/// A candidate or its negation: two sets of candidates, of which one has one member and the other none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Literal {
    /// The candidate, if it is said to be true.
    pub holds: VarId,
    /// The candidate, if it is said to be false.
    pub fails: VarId,
}

impl Literal {
    /// What says that it does not hold.
    pub fn opposite(self) -> Literal {
        Literal { holds: self.fails, fails: self.holds }
    }
}

/// What is supposed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Cases {
    /// `p`, a name of kind candidate: it is true.
    Candidate(VarId),
    /// `not p`: it is false.
    Not(VarId),
    /// `p`, a literal: whatever it says.
    Literal(Literal),
    /// `p, or not p`: two cases.
    Either(VarId),
    /// `each of K`: a case for each of these candidates; that one of them is true must follow from the rest of the rule.
    Each(Expr),
}

/// What must come of a supposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Shows {
    /// `reaches contradiction`: every case does.
    Contradiction,
    /// `all imply q`: the literal holds in every case that reaches no contradiction, and there is such a case. It is
    /// bound by this line, once for each that is new: a candidate that is present and false, or true and not placed.
    AllImply(Literal),
    /// `all imply q without contradiction`: the same, and no case reaches a contradiction.
    AllImplyWithout(Literal),
}

impl Shows {
    /// The literal that the cases imply.
    pub fn literal(&self) -> Option<Literal> {
        match self {
            Shows::Contradiction => None,
            Shows::AllImply(literal) | Shows::AllImplyWithout(literal) => Some(*literal),
        }
    }
}

/// What may be used under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InferenceMethods {
    /// `using links { … }`: strong and weak links in turn, each inference of one before. Contradiction: a candidate both true
    /// and false, or a cell or house whose candidates are all false.
    Links {
        /// `on d`: the digits of the nodes; `None` is any.
        on: Option<Expr>,
        /// Names of link sources.
        strong: Vec<String>,
        /// Which weak links.
        weak: Weak,
        /// Maximum number of strong links in a case, if there is one.
        most: Option<u32>,
    },
    /// `using singles`: the last candidate of a cell and the last place of a digit in a house, all inferences together. With
    /// `on d` only candidates of these digits are looked at, and the last place of the digit in a house.
    Singles {
        /// `on d`.
        on: Option<Expr>,
    },
    /// `using rules a, b(2)`: singles, and these techniques to the end, the first that finds something each time.
    Rules(Vec<RuleRef>),
}

impl Technique {
    /// The link sources that it takes strong links from, under suppositions as well.
    pub fn links(&self) -> Vec<&str> {
        let mut ids = Vec::new();
        for statement in self.variants.iter().flat_map(|one| &one.body) {
            ids.extend(statement.strong());
        }
        ids.into_iter().map(String::as_str).collect()
    }

    /// Techniques that assume one solution are not at hand: what is left of these. Under a supposition they were not used by
    /// others anyway, so the names are struck out there.
    pub fn without_one_solution(techniques: &mut Vec<Technique>) -> Vec<Technique> {
        let gone: Vec<Technique> = techniques.extract_if(.., |technique| technique.assumes_one_solution).collect();
        for statement in techniques.iter_mut().flat_map(|one| &mut one.variants).flat_map(|one| &mut one.body) {
            if let Statement::Suppose(Suppose { by: InferenceMethods::Rules(named), .. }) = statement {
                named.retain(|name| gone.iter().all(|technique| technique.id != name.technique));
            }
        }
        gone
    }
}

/// A technique that may be used under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RuleRef {
    /// Its id.
    pub technique: String,
    /// The member; `None` is every member.
    pub args: Option<Vec<u32>>,
}
