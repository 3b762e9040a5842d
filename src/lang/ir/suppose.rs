//! Suppositions (`suppose`): several cases, and a result that every case must have.

use super::{Expr, Statement, Technique, VarId, WeakLinks};
use serde::{Deserialize, Serialize};

/// A supposition: the cases, the methods of inference in each case, and the result that every case must have. At least
/// one case holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Suppose {
    pub cases: Cases,
    pub methods: InferenceMethods,
    pub shows: CaseResult,
}

/// A literal: a candidate or its negation. Two variables represent a literal. The value of one variable is a set with
/// the candidate, and the value of the other variable is the empty set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Literal {
    /// The variable that contains the candidate if the literal is the candidate itself.
    pub holds: VarId,
    /// The variable that contains the candidate if the literal is the negation of the candidate.
    pub fails: VarId,
}

impl Literal {
    pub fn opposite(self) -> Literal {
        Literal { holds: self.fails, fails: self.holds }
    }

    /// Returns the expression for the candidate, without its sign.
    pub fn candidate(self) -> Expr {
        Expr::Union(vec![self.holds.into(), self.fails.into()])
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Cases {
    /// `p`, a name of kind candidate: one case, in which p is true.
    Candidate(VarId),
    /// `not p`: one case, in which p is false.
    Not(VarId),
    /// `p`, a literal: one case, in which the literal holds.
    Literal(Literal),
    /// `p, or not p`: two cases.
    Either(VarId),
    /// `each of K`: a case for each candidate of K. The rest of the rule must imply that at least one candidate of K is
    /// true.
    Each(Expr),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum CaseResult {
    /// `reaches contradiction`: every case reaches a contradiction.
    Contradiction,
    /// `all imply q`: the literal holds in every case that reaches no contradiction, and at least one case reaches
    /// none. The line binds `q` to each literal that would change the grid: a present candidate that is false, or an
    /// unplaced candidate that is true.
    AllImply(Literal),
    /// `all imply q without contradiction`: the literal holds in every case, and no case reaches a contradiction.
    #[serde(rename = "AllImplyWithout")]
    AllImplyWithoutContradiction(Literal),
}

impl CaseResult {
    /// Returns the literal that the cases imply; `None` for a contradiction.
    pub fn literal(&self) -> Option<Literal> {
        match self {
            CaseResult::Contradiction => None,
            CaseResult::AllImply(literal) | CaseResult::AllImplyWithoutContradiction(literal) => Some(*literal),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InferenceMethods {
    /// `using links { … }`: strong and weak links alternate, and each inference follows from a single earlier
    /// inference. A contradiction is a candidate that is both true and false, or a cell or house whose candidates are
    /// all false.
    Links {
        /// `on d`: the digits of the nodes; `None`: any digit.
        digits: Option<Expr>,
        strong: Vec<String>,
        weak: WeakLinks,
        /// Maximum number of strong links in a case; `None`: no limit.
        most: Option<u32>,
    },
    /// `using singles`: the last candidate of a cell, and the last cell for a digit in a house. An inference may rest
    /// on all earlier inferences.
    Singles {
        /// `on d`: the digits of the considered candidates. With `on d`, only the last cell for a digit in a house is
        /// an inference. `None`: any digit.
        digits: Option<Expr>,
    },
    /// `using rules a, b(2)`: singles and these techniques, until no technique finds anything. Each step uses the first
    /// technique that finds something.
    Rules(Vec<RuleRef>),
}

/// A reference to a technique or to one member of a technique.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RuleRef {
    pub technique: String,
    /// Values of the parameters; `None`: every member.
    pub args: Option<Vec<u32>>,
}

impl Technique {
    /// Returns the ids of the sources of strong links that the technique uses, also under suppositions.
    pub fn strong_source_ids(&self) -> Vec<&str> {
        let statements = self.variants.iter().flat_map(|variant| &variant.body);
        statements.flat_map(Statement::strong_sources).map(String::as_str).collect()
    }

    /// Removes the techniques that assume a unique solution from `techniques`, and their names from suppositions.
    /// Returns the removed techniques.
    pub fn remove_uniqueness_techniques(techniques: &mut Vec<Technique>) -> Vec<Technique> {
        let removed: Vec<Technique> = techniques.extract_if(.., |technique| technique.assumes_one_solution).collect();
        for variant in techniques.iter_mut().flat_map(|technique| &mut technique.variants) {
            for statement in &mut variant.body {
                if let Statement::Suppose(Suppose { methods: InferenceMethods::Rules(rules), .. }) = statement {
                    rules.retain(|rule| removed.iter().all(|technique| technique.id != rule.technique));
                }
            }
        }
        removed
    }
}
