//! The checked form of a rule (IR): data without references or board sizes, to RON and back.
//!
//! In: the lowering of a parsed file. Out: what planners, matchers and provers read. Every name is an
//! index into [`Variant::vars`], every expression has a kind that was checked, and every use of a house
//! as a set of cells is written out ([`Expr::HouseCells`]).

mod canonical;
mod chain;
mod condition;
mod dependencies;
mod expr;
mod graph;
mod measure;
mod predicate;
mod print;
mod query;
mod rewrite;
mod suppose;
mod template;
mod walk;

pub use chain::{Chain, ChainEnd, Length, LengthUnit, LinkSource, Trail, TrailLink, TrailNode, WeakLinks};
pub use condition::{Comparison, Condition, Incidence, Operand, Quantifier};
pub use dependencies::{
    Cycles, Dependencies, ItemName, MAX_LISTED_NAMES, UseKind, dependencies, describe_cycle, reachable,
    with_dependencies,
};
pub use expr::{Expr, HouseClass, Kind};
pub use graph::{Cluster, Graph, LinkShape, Loop, Ring};
pub use measure::{Fold, MatchNumber, Measure, Price, StepTitle};
pub use predicate::{PredicateId, VAR_ID_END};
pub use print::Printer;
pub(crate) use print::{class_plural, class_singular};
pub use suppose::{CaseResult, Cases, InferenceMethods, Literal, RuleRef, Suppose};
pub use template::{Template, TemplatePart};
pub use walk::{Mention, Node};

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// An index into [`Variant::vars`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VarId(pub usize);

/// A technique: a header, and a variant for each `case`; one variant if it has no cases.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Technique {
    /// The identifier after `technique`.
    pub id: String,
    /// The lines of its `///` comment.
    pub doc: Vec<String>,
    /// The display name in the header.
    pub title: Option<Template>,
    /// `n: 3..9` and its like, in order.
    pub params: Vec<Param>,
    /// True if the header says `assuming one solution`.
    pub assumes_one_solution: bool,
    /// The cases, in order.
    pub variants: Vec<Variant>,
    /// `also in rn "…", cn "…"`: the views it is searched in besides the grid as it is.
    pub views: Vec<View>,
    /// Every `example` and `near_miss` that names this technique.
    pub examples: Vec<Example>,
}

/// A parameter of a family with its range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Name of the parameter.
    pub name: String,
    /// The smallest value.
    pub low: u32,
    /// The largest value; `None` is half of the board's size.
    pub high: Option<u32>,
}

/// Maximum number of names of one way to read a rule: one machine word keeps which of them have values.
pub const MAX_NAMES: usize = 60;

/// One way to read the rule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// The name after `case`.
    pub title: Option<Template>,
    /// Every name that the rule uses, in order of appearance.
    pub vars: Vec<Var>,
    /// Lines of the pattern, in the author's order.
    pub body: Vec<Statement>,
    /// Conclusions, in order.
    pub conclusions: Vec<Conclusion>,
    /// `guardians fins = …`: names of candidates that the pattern excepts. Either the conclusions hold or one guardian is true; so only
    /// candidates that every guardian excludes, too, are eliminated, and a placement becomes an alternative to the guardians.
    pub guardians: Vec<VarId>,
    /// `one step per A, B`: matches that agree on these names are one step with all that they show. Empty: no bundling.
    pub merge_by: Vec<VarId>,
    /// `join other(n) by d, base`: every two steps of another technique are one of this. Such a variant has
    /// nothing else but names.
    pub join: Option<Join>,
    /// Names by shape, tried in order.
    pub step_titles: Vec<StepTitle>,
    /// Measures that conditions of these names speak of.
    pub measures: Vec<Measure>,
    /// The author's headline for a step, if there is one.
    pub says: Option<Template>,
    /// The author's sentence for why a step holds, if there is one.
    pub because: Option<Template>,
}

/// A grid with two of row, column and digit in exchanged roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Space {
    /// The grid as it is.
    #[default]
    Rc,
    /// A "cell" is a digit in a row, and its "candidates" are the columns where it can stand.
    Rn,
    /// A "cell" is a digit in a column, and its "candidates" are the rows where it can stand.
    Cn,
}

/// A view that a technique is also searched in, and its name there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Which.
    pub space: Space,
    /// The header's title in it; with `{name}`, what is put around any name that the match has on the grid as it is.
    pub title: Template,
}

/// Two steps of a technique that agree on some of its names, and show different things, read as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    /// The technique.
    pub technique: String,
    /// The member of it; each a number or a parameter.
    pub args: Vec<Expr>,
    /// The names, as that technique has them, that must have equal values.
    pub by: Vec<String>,
}

/// A name and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Var {
    /// As written.
    pub name: String,
    /// Kind of the thing, or of the members of the set.
    pub kind: Kind,
    /// One thing, a set, or one thing per index.
    pub shape: VarShape,
    /// Source of its value.
    pub origin: Origin,
}

/// The number of things that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VarShape {
    /// One thing.
    Single,
    /// A set of things.
    Set,
    /// One thing, or one set of things, for each value of an index (`pincer[d]`); alone, the name is their union.
    Family,
}

/// The source of the value of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Chosen by a [`Statement::Choose`].
    Chosen,
    /// Bound inside a pattern such as `= {x, y}`, or by a chain.
    Pattern,
    /// Defined by a [`Statement::Let`].
    Let,
    /// The running name (loop variable) of a `for`.
    Index,
}

/// One line of a rule's pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// `pivot: cell …`, `s: cells[n] …`, `pincer[d]: cell … for d in D`.
    Choose(Choose),
    /// `let D = digits(s)`.
    Let {
        /// The name.
        var: VarId,
        /// Value of the name.
        value: Expr,
    },
    /// A condition on names.
    Require(Condition),
    /// A chain in Eureka notation, of fixed length: means [`Trail::conditions`].
    Trail(Trail),
    /// A chain of open length, a loop, a cluster or a ring.
    Graph(Graph),
    /// Cases, and what they come to.
    Suppose(Suppose),
}

impl Statement {
    /// Returns the conditions on names that it stands for, each a part that could be left out: none of a definition, a pattern of links
    /// or a supposition. Of a family they are about the member of one index.
    pub fn conditions(&self, vars: &[Var]) -> Cow<'_, [Condition]> {
        match self {
            Statement::Choose(choose) => Cow::Borrowed(&choose.such_that),
            Statement::Require(Condition::And(parts)) => Cow::Borrowed(parts),
            Statement::Require(condition) => Cow::Borrowed(std::slice::from_ref(condition)),
            Statement::Trail(trail) => Cow::Owned(trail.conditions(vars)),
            Statement::Let { .. } | Statement::Graph(_) | Statement::Suppose(_) => Cow::Borrowed(&[]),
        }
    }

    /// Returns a copy with other conditions in place of [`Statement::conditions`].
    pub fn with_conditions(&self, conditions: Vec<Condition>) -> Statement {
        match self {
            Statement::Choose(choose) => Statement::Choose(Choose { such_that: conditions, ..choose.clone() }),
            _ => Statement::Require(Condition::And(conditions)),
        }
    }

    /// Returns the names of the sources that it takes strong links from, in a pattern of links or under a supposition.
    pub fn strong_sources(&self) -> &[String] {
        match self {
            Statement::Graph(graph) => &graph.strong,
            Statement::Suppose(Suppose { methods: InferenceMethods::Links { strong, .. }, .. }) => strong,
            _ => &[],
        }
    }

    /// Returns the pattern of links.
    pub fn graph(&self) -> Option<&Graph> {
        match self {
            Statement::Graph(graph) => Some(graph),
            _ => None,
        }
    }
}

/// A choice of one thing, of a set, or of one thing per index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choose {
    /// The chosen name.
    pub var: VarId,
    /// `Some((low, high))` for a set, and for each member of a family of sets: how many; a missing `high` is half of
    /// the board's size, and no bound for an almost locked set ([`Condition::AlmostLocked`]).
    pub size: Option<(Expr, Option<Expr>)>,
    /// `for d in D`: the index and what it runs over (a set of digits or of cells).
    pub for_each: Option<(VarId, Expr)>,
    /// The relations after the kind, about [`Expr::Var`] of `var` (of a family: [`Expr::Member`]).
    pub such_that: Vec<Condition>,
}

/// A conclusion, drawn once or for every member of a set.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Conclusion {
    /// The claim about candidates.
    pub claim: Claim,
    /// `for d in D`.
    pub for_each: Option<(VarId, Expr)>,
}

/// The ways to conclude; every [`Expr`] here is of kind [`Kind::Candidate`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Claim {
    /// At least one of these candidates is true, so every candidate that all of them exclude is false.
    Some(Expr),
    /// Every candidate of the set is false.
    Eliminate(Expr),
    /// Every candidate of the set is true.
    Place(Expr),
    /// `conclude every link of K`: of each link of a loop (its name) just one end is true. What both ends of a weak link
    /// exclude goes, and each strong link shows what its source concludes.
    Links {
        /// The loop's name.
        of: VarId,
        /// `outside its cells`: what a weak link between cells shows counts only outside of the cells that the loop goes
        /// through, those of the sets that its strong links rest on included.
        outside: bool,
    },
}

impl Claim {
    /// The candidates that are spoken of; of a loop, those of its nodes.
    pub fn candidates(&self) -> Expr {
        match self {
            Claim::Some(noun) | Claim::Eliminate(noun) | Claim::Place(noun) => noun.clone(),
            Claim::Links { of, .. } => Expr::Var(*of),
        }
    }
}

/// A grid with the deductions that a rule must make on it: none for a near miss.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Title in the header.
    pub title: Option<String>,
    /// The member of the family it is for, if it names one.
    pub args: Vec<u32>,
    /// Techniques that are applied to the grid first, until none finds anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<RuleRef>,
    /// Name of the board; if absent, the number of cells decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The grid, in any format that puzzles come in.
    pub grid: String,
    /// For each match the deductions as text, `r1c1<>3 r2c5=4`; empty for a near miss.
    pub finds: Vec<String>,
    /// True if the rule must find nothing.
    pub near_miss: bool,
}

impl Technique {
    /// The members of the family that fit a board of a size: every choice of parameter values, in order. Open
    /// ranges end at half of the size, and no value is larger than it.
    pub fn members(&self, size: u32) -> Vec<Vec<u32>> {
        let mut all = vec![Vec::new()];
        for param in &self.params {
            let high = param.high.unwrap_or(size / 2).min(size);
            all = all
                .into_iter()
                .flat_map(|args: Vec<u32>| {
                    (param.low..=high).map(move |value| args.iter().copied().chain([value]).collect())
                })
                .collect();
        }
        all
    }

    /// Returns each member with each case of the rule, by its number.
    pub fn member_variants(&self, size: u32) -> Vec<(Vec<u32>, usize)> {
        let cases = self.variants.len();
        self.members(size).into_iter().flat_map(|args| (0..cases).map(move |case| (args.clone(), case))).collect()
    }
}
