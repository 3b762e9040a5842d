//! The reasons why the prover cannot read a rule. Out: [`Refusal`], which displays as the reason of an undecided verdict.

use super::solver::GIVEN_UP;
use thiserror::Error;

/// The reason why a rule, or a part of it, has no encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The clauses of the question hold more literals than the limit, given in thousands.
    #[error(
        "it needs more than {thousands} thousand literals, the limit on the size of a question; \
         each `for` inside another multiplies them"
    )]
    TooLarge {
        /// The limit.
        thousands: u64,
    },
    /// The caller stopped the attempt.
    #[error("{GIVEN_UP}")]
    GivenUp,
    /// An expression has a value of another kind than its place needs; the field names the things needed.
    #[error("{0} are needed here")]
    Needs(&'static str),
    /// A number is needed.
    #[error("a number is needed here")]
    NeedsNumber,
    /// A set is needed and a number is given.
    #[error("a set is needed here, not a number")]
    NeedsSet,
    /// `#` stands before a number.
    #[error("`#` counts a set, not a number")]
    CountOfNumber,
    /// `those` runs over a number.
    #[error("`those` chooses from a set, not from a number")]
    ThoseOfNumber,
    /// A list without members.
    #[error("an empty list")]
    EmptyList,
    /// A list with members of different kinds.
    #[error("a list holds things of one kind")]
    MixedList,
    /// A parameter of the rule has no argument.
    #[error("a parameter without a value")]
    Parameter,
    /// A running name that takes numbers.
    #[error("a name that runs over numbers")]
    RunsOverNumbers,
    /// A name is read that stands for nothing.
    #[error("`{0}` has no value")]
    Unbound(String),
    /// A name whose meaning the encoding lacks.
    #[error("what `{0}` stands for")]
    Meaning(String),
    /// A name that should be a set of candidates.
    #[error("`{0}` is not a set of candidates")]
    NoCandidateSet(String),
    /// A name has no domain.
    #[error("a name without a domain")]
    NameWithoutDomain,
    /// A set has no domain.
    #[error("a set without a domain")]
    SetWithoutDomain,
    /// A family has no domain.
    #[error("a family without a domain")]
    FamilyWithoutDomain,
    /// A set without a declaration.
    #[error("a set that no line declares")]
    UndeclaredSet,
    /// A set of candidates or of numbers.
    #[error("sets of candidates or numbers")]
    SetKind,
    /// A set without a size.
    #[error("a set that does not say how many")]
    SetWithoutSize,
    /// A set with a computed size.
    #[error("a set whose size is not a constant")]
    SetSize,
    /// A set of houses with a range of sizes.
    #[error("sets of houses of several sizes")]
    HouseSetSizes,
    /// Members of something else than a family.
    #[error("members of what is not a family")]
    NoFamily,
    /// A family of something else than cells.
    #[error("a family of what is not a cell")]
    FamilyOfOthers,
    /// A conclusion for each member of a set that is not all modelled.
    #[error("a conclusion for each of what is not all in the world")]
    ConclusionOutside,
    /// The field names a condition or number of cells; some of these cells may lie outside of the modelled ones.
    #[error("{0} of cells without a bound")]
    Unbounded(&'static str),
    /// Exclusion by candidates outside of the modelled cells.
    #[error("what candidates without a bound exclude")]
    UnboundedExclusion,
    /// Lines that cross cells.
    #[error("lines that cells cross")]
    CrossingLines,
    /// The field names something that only a board has.
    #[error("{0} without a board")]
    NoBoard(&'static str),
    /// A strong link inside a quantifier.
    #[error("a strong link inside `for`")]
    LinkInFor,
    /// A rule names a link source that no file declares.
    #[error("no strong link `{0}` is declared")]
    NoSource(String),
    /// A chain without a fixed number of links.
    #[error("a chain of open length")]
    OpenChain,
    /// A pattern in the graph of links, or a supposition: it has lemmas and no encoding of its own.
    #[error("it {0}")]
    ByLemma(&'static str),
    /// A literal of a chain that is no candidate.
    #[error("a literal that is not a candidate")]
    LiteralKind,
    /// An end of a chain that is no candidate.
    #[error("a chain's end that is not a candidate")]
    ChainEndKind,
    /// A pattern that cannot be laid out link by link.
    #[error("links of a pattern that is not laid out link by link")]
    NotLaidOut,
    /// A rule that is compared has fewer cases.
    #[error("`{technique}` has no case {case}")]
    NoCase {
        /// Id of the technique.
        technique: String,
        /// Number of the case.
        case: usize,
    },
}
