//! [`PlanError`]: the reason why a rule has no plan on a board, as a message for its author.

use crate::lang::ir::MAX_NAMES;
use thiserror::Error;

/// A technique or link source that cannot be compiled for a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{technique}: {reason}")]
pub struct PlanError {
    /// Id of the technique or link source.
    pub technique: String,
    pub reason: NoPlan,
}

/// The reason why a rule has no plan, with its message for the author of the rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[expect(missing_docs, reason = "the message of a variant describes it")]
pub enum NoPlan {
    /// An expression does not have the kind that is needed where it stands; the field names that kind.
    #[error("{0} are needed here")]
    Needs(&'static str),
    #[error("a number is needed here")]
    NeedsNumber,
    #[error("a set is needed here, not a number")]
    NeedsSet,
    #[error("`#` counts a set, not a number")]
    CountOfNumber,
    #[error("this number has no value")]
    NumberWithoutValue,
    #[error("this expression has no value here")]
    ExpressionWithoutValue,
    #[error("the two sides must be of one kind")]
    MixedKinds,
    #[error("the items of a list must be of one kind")]
    MixedList,
    #[error("a number cannot be in a list")]
    NumberInList,
    #[error("no candidates are named here")]
    NoCandidates,
    #[error("no digits are named here")]
    NoDigits,
    #[error("`{0}` must stand for a single value, not a set")]
    NotSingle(String),
    #[error("a condition on each member cannot narrow a set while the set is being chosen")]
    FilterBeforeChoice,
    #[error("`{0}` has no value where it is needed")]
    Unbound(String),
    #[error("no way to find values for `{0}`")]
    NoWay(String),
    #[error("a rule can have at most {MAX_NAMES} names, this one has {0}")]
    TooManyNames(usize),
    #[error("{0} must be a number or a parameter")]
    NotConstant(String),
    #[error("{what} would be {value}{}", count_advice(.args))]
    CountOutOfRange { what: String, value: i64, args: String },
    #[error("a number cannot be chosen")]
    ChoiceOfNumber,
    #[error("only cells, digits and houses can be chosen")]
    Unchoosable,
    #[error("a chosen set needs a size, as in `cells[n]`")]
    SetWithoutSize,
    #[error("`{0}` needs a size, as in `cells[n]`")]
    NoSize(String),
    #[error("a family needs `for d in …`")]
    FamilyWithoutFor,
    #[error("the members of a family must be cells")]
    FamilyMemberKind,
    #[error("each member of a family must be a single cell or an almost locked set")]
    FamilyMemberSize,
    #[error("the variable of `for` must stand for a single value")]
    RunningName,
    #[error("`group` can only declare a name; it is no condition")]
    GroupAsTest,
    #[error("a strong link joins nodes of one digit")]
    LinkOfTwoDigits,
    #[error("no `strong link {0}` is declared in the prelude or in a rule file")]
    NoSource(String),
    #[error("an end of an open chain must be a digit in a single cell, or the name of a candidate")]
    ChainEnd,
    #[error("if the end of an open chain is a set, its name must not have a value already")]
    ChainEndBound,
    #[error("an end of a chain must be a digit in a cell")]
    ChainEndKind,
    #[error("`conclude every link of` needs the name of a loop")]
    LinksOfNoLoop,
    #[error("`{0}` is supposed, so it must be a candidate")]
    SupposedKind(String),
    #[error("a link source cannot use chains, loops, colour clusters or rings")]
    ChainInSource,
    #[error("the two ends of the link have no values")]
    SourceEnds,
    #[error("chains, loops, colour clusters, rings, suppositions and joined steps cannot be searched in a view")]
    NotInView,
    #[error("there is no technique `{0}` to use under a supposition")]
    UnknownUsed(String),
    #[error("`{technique}` has no member `{technique}({args})` to use under a supposition")]
    NoMember { technique: String, args: String },
    #[error("there is no technique `{0}` to join the steps of")]
    UnknownJoined(String),
    #[error("`{0}` joins steps itself")]
    JoinOfJoin(String),
    #[error("not every case of `{technique}` has the name `{name}`")]
    JoinName { technique: String, name: String },
    #[error("a parameter has no value")]
    JoinParameter,
    #[error("an argument of a join must be a number or a parameter")]
    JoinArgument,
    /// A technique that uses itself; the field lists the cycle.
    #[error("it uses itself under its supposition: {0}; let it use only techniques that do not use it in turn")]
    UsesItself(String),
    #[error(
        "it assumes one solution; here cells see each other without sharing a house, so an exchange of digits that keeps \
         every house need not give a second solution"
    )]
    UniquenessNotSound,
    /// An instruction with registers of the wrong kinds, printed for a bug report.
    #[error("Pinion made a wrong plan for it; please report this fault: {0}")]
    WrongRegisters(String),
}

/// Ends the message about a count that is out of range. `args` is empty if the rule has no parameter.
fn count_advice(args: &str) -> String {
    match args {
        "" => ", but a count is 0 or more: mend the number in the rule".to_owned(),
        _ => format!(" for the arguments ({args}): let the parameter begin with a larger number"),
    }
}
