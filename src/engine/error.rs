//! The reasons why a rule has no plan on a board. In: the technique and the part that cannot be planned. Out: [`PlanError`].

use crate::lang::ir::MOST_NAMES;
use thiserror::Error;

/// A technique or link source that cannot be compiled for a board.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{technique}: {reason}")]
pub struct PlanError {
    /// Id of the technique or link source.
    pub technique: String,
    /// The part of it that has no plan.
    pub reason: NoPlan,
}

/// The reason why a rule has no plan; its words are for the author of the rule.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NoPlan {
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
    /// An expression without a number.
    #[error("this number has no value")]
    NumberWithoutValue,
    /// An expression that cannot be computed here.
    #[error("this expression has no value here")]
    ExpressionWithoutValue,
    /// Two sides of different kinds.
    #[error("these two are not of one kind")]
    MixedKinds,
    /// A list with members of different kinds.
    #[error("a list holds things of one kind")]
    MixedList,
    /// A number as the member of a list.
    #[error("a number cannot be in a list")]
    NumberInList,
    /// An expression that names no candidates.
    #[error("no candidates are named here")]
    NoCandidates,
    /// An expression that names no digits.
    #[error("no digits are named here")]
    NoDigits,
    /// A name with several values where one is needed.
    #[error("`{0}` is not a single thing")]
    NotSingle(String),
    /// A filter that tests members before the set is narrowed.
    #[error("members are looked at one by one after all else")]
    FilterEarly,
    /// A name is read before it has a value.
    #[error("`{0}` has no value where it is needed")]
    Unbound(String),
    /// No order of choices gives this name a value.
    #[error("no way to find values for `{0}`")]
    NoWay(String),
    /// The rule has this many names.
    #[error("a rule can have at most {MOST_NAMES} names, this one has {0}")]
    TooManyNames(usize),
    /// A number that must be known before a search is not constant.
    #[error("{0} must be a number or a parameter")]
    NotConstant(String),
    /// A count that is negative, or too large, in one member of a technique.
    #[error("{what} would be {value} in the member ({args}): begin the parameter higher")]
    CountOutOfRange {
        /// The thing counted.
        what: String,
        /// The count.
        value: i64,
        /// The arguments of the member.
        args: String,
    },
    /// A number is to be chosen.
    #[error("a number cannot be chosen")]
    ChoiceOfNumber,
    /// Something that is neither cell, digit nor house is to be chosen.
    #[error("only cells, digits and houses can be chosen")]
    Unchoosable,
    /// A set without a declaration.
    #[error("a set says how many: `cells[n]`")]
    SetWithoutSize,
    /// The named set has no size.
    #[error("`{0}` does not say how many")]
    NoSize(String),
    /// A family without a set to run over.
    #[error("a family needs `for d in …`")]
    FamilyWithoutFor,
    /// A family of something else than cells.
    #[error("the members of a family are cells")]
    FamilyOfOthers,
    /// A family of sets that are not almost locked.
    #[error("the members of a family are single cells or almost locked sets")]
    FamilyOfSets,
    /// A running name with several values.
    #[error("a running name has one value")]
    RunningName,
    /// A group as a condition by itself.
    #[error("a group is chosen where it is declared")]
    GroupAsTest,
    /// A strong link between two digits.
    #[error("a strong link joins nodes of one digit")]
    LinkOfTwoDigits,
    /// A chain names a link source that no file declares.
    #[error("no `strong link {0}` is declared in the prelude or in a rule file")]
    NoSource(String),
    /// An end of a chain that is neither a digit in a cell nor a name.
    #[error("an end of an open chain is a digit in one cell, or a name of its own")]
    ChainEnd,
    /// An end of a chain that has a value before the chain is searched.
    #[error("an end of an open chain that is a set gets its value from the chain")]
    ChainEndBound,
    /// An end of a chain that is no candidate.
    #[error("a chain's end is a digit in a cell")]
    ChainEndKind,
    /// `conclude every link of` with another name than a loop's.
    #[error("`conclude every link of` takes the name of a loop")]
    LinksOfNoLoop,
    /// A supposed name that is no candidate.
    #[error("`{0}` is supposed, so it must be a candidate")]
    SupposedKind(String),
    /// Chains, loops and suppositions inside a link source.
    #[error("a link source cannot use chains and the like")]
    ChainInSource,
    /// A link source whose ends are not bound.
    #[error("the two ends of the link have no values")]
    SourceEnds,
    /// A technique with views that cannot be searched in one.
    #[error("a view cannot be searched for chains and the like, suppositions or joined steps")]
    NotInView,
    /// No technique has the name that a supposition uses.
    #[error("there is no technique `{0}` to use under a supposition")]
    UnknownUsed(String),
    /// A supposition uses a member outside the range of a parameter.
    #[error("`{technique}` has no member `{technique}({args})` to use under a supposition")]
    NoMember {
        /// Id of the technique.
        technique: String,
        /// The arguments as written.
        args: String,
    },
    /// No technique has the name whose steps are joined.
    #[error("there is no technique `{0}` to join the steps of")]
    UnknownJoined(String),
    /// The joined technique joins steps, too.
    #[error("`{0}` joins steps itself")]
    JoinOfJoin(String),
    /// Steps are joined by a name that a case of the joined technique lacks.
    #[error("`{technique}` has no name `{name}` in each of its cases")]
    JoinName {
        /// Id of the joined technique.
        technique: String,
        /// The missing name.
        name: String,
    },
    /// An argument of `join` refers to a missing parameter.
    #[error("a parameter has no value")]
    JoinParameter,
    /// An argument of `join` is computed.
    #[error("the arguments of a join are numbers or parameters")]
    JoinArgument,
    /// A technique leads back to itself; the field lists the circle.
    #[error(
        "under its supposition it comes to use itself: {0}; a technique may use only techniques that do not lead back to it"
    )]
    Circle(String),
    /// A technique that assumes one solution, on a board with pairs of peers outside of houses.
    #[error(
        "it assumes one solution; here cells see each other without sharing a house, so an exchange of digits that keeps \
         every house need not give a second solution"
    )]
    NoExchange,
    /// An instruction with registers of the wrong kinds, printed for a bug report.
    #[error("its plan takes things of one kind for another, a fault of Pinion: {0}")]
    WrongRegisters(String),
}
