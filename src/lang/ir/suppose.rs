//! `suppose` in the IR: several cases, and the result that all of them have.

use super::{Expr, Statement, Technique, VarId, WeakLinks};
use serde::{Deserialize, Serialize};

/// `suppose …`: cases of which one holds, the methods of inference for each, and the result that all must have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Suppose {
    /// Cases.
    pub cases: Cases,
    /// Methods of inference in each case.
    pub methods: InferenceMethods,
    /// Result that every case must have.
    pub shows: CaseResult,
}

/// A candidate or its negation, bound as two variables: the set that is not empty holds the candidate and tells its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Literal {
    /// Holds the candidate if the literal is the candidate itself.
    pub holds: VarId,
    /// Holds the candidate if the literal is its negation.
    pub fails: VarId,
}

impl Literal {
    /// Returns the negation.
    pub fn opposite(self) -> Literal {
        Literal { holds: self.fails, fails: self.holds }
    }
}

/// The cases of a supposition.
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

/// The result that every case of a supposition must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CaseResult {
    /// `reaches contradiction`: every case does.
    Contradiction,
    /// `all imply q`: the literal holds in every case that reaches no contradiction, and there is such a case. This line binds `q`,
    /// once for each literal that would change the grid: a present candidate that is false, or an unplaced one that is true.
    AllImply(Literal),
    /// `all imply q without contradiction`: the same, and no case reaches a contradiction.
    AllImplyWithout(Literal),
}

impl CaseResult {
    /// The literal that the cases imply.
    pub fn literal(&self) -> Option<Literal> {
        match self {
            CaseResult::Contradiction => None,
            CaseResult::AllImply(literal) | CaseResult::AllImplyWithout(literal) => Some(*literal),
        }
    }
}

/// The methods of inference under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InferenceMethods {
    /// `using links { … }`: strong and weak links in turn; each inference follows from a single earlier one. Contradiction: a candidate both true
    /// and false, or a cell or house whose candidates are all false.
    Links {
        /// `on d`: the digits of the nodes; `None` is any.
        digits: Option<Expr>,
        /// Names of link sources.
        strong: Vec<String>,
        /// Which weak links.
        weak: WeakLinks,
        /// Maximum number of strong links in a case, if there is one.
        most: Option<u32>,
    },
    /// `using singles`: the last candidate of a cell and the last place of a digit in a house, all inferences together. With
    /// `on d` only candidates of these digits are looked at, and the last place of the digit in a house.
    Singles {
        /// `on d`.
        digits: Option<Expr>,
    },
    /// `using rules a, b(2)`: singles, and these techniques to the end, the first that finds something each time.
    Rules(Vec<RuleRef>),
}

impl Technique {
    /// The link sources that it takes strong links from, under suppositions as well.
    pub fn links(&self) -> Vec<&str> {
        let mut ids = Vec::new();
        for statement in self.variants.iter().flat_map(|one| &one.body) {
            ids.extend(statement.strong_sources());
        }
        ids.into_iter().map(String::as_str).collect()
    }

    /// Removes the techniques that assume a unique solution from `techniques`, with all references to them under suppositions, and
    /// returns them.
    pub fn remove_uniqueness_rules(techniques: &mut Vec<Technique>) -> Vec<Technique> {
        let removed: Vec<Technique> = techniques.extract_if(.., |technique| technique.assumes_one_solution).collect();
        for statement in techniques.iter_mut().flat_map(|one| &mut one.variants).flat_map(|one| &mut one.body) {
            if let Statement::Suppose(Suppose { methods: InferenceMethods::Rules(named), .. }) = statement {
                named.retain(|name| removed.iter().all(|technique| technique.id != name.technique));
            }
        }
        removed
    }
}

/// A technique that may be used under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RuleRef {
    /// Id of the technique.
    pub technique: String,
    /// The member; `None` is every member.
    pub args: Option<Vec<u32>>,
}
