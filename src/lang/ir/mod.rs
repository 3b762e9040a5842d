//! The intermediate representation (IR) of checked rules: plain data without references or board sizes.
//!
//! In: syntax trees, by the lowering. Out: input of planner, evaluator and prover. Every name is an index into
//! [`Variant::vars`], the kind of every expression is checked, and every use of a house as a set of cells is explicit
//! ([`Expr::HouseCells`]).

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

pub use chain::*;
pub use condition::*;
pub use dependencies::*;
pub use expr::*;
pub use graph::*;
pub use measure::*;
pub use predicate::{PredicateId, VAR_ID_END};
pub use print::Printer;
pub use suppose::*;
pub use template::*;
pub use walk::{Mention, Node};

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// The id of a name of a rule: its index in [`Variant::vars`]. Ids from [`MAX_NAMES`] on stand for loop variables of
/// [`PredicateId`] definitions, and for [`Measure`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct VarId(pub usize);

/// A technique: its header, and a variant for each `case`. A technique without cases has one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Technique {
    pub id: String,
    /// The lines of its `///` comment.
    pub doc: Vec<String>,
    pub title: Option<Template>,
    pub params: Vec<Param>,
    /// True if the header says `assuming one solution`.
    pub assumes_one_solution: bool,
    pub variants: Vec<Variant>,
    /// `also in rn "…", cn "…"`: the views in which the technique is also searched.
    pub views: Vec<View>,
    pub examples: Vec<Example>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    pub name: String,
    pub low: u32,
    /// The largest value; `None`: half of the board's size.
    pub high: Option<u32>,
}

/// Maximum number of names of a variant. The planner keeps the set of bound names in one 64-bit word.
pub const MAX_NAMES: usize = 60;

/// The pattern of a technique, in one of its cases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variant {
    /// The title after `case`.
    pub title: Option<Template>,
    /// Every name of the variant, in order of appearance.
    pub vars: Vec<Var>,
    /// Lines of the pattern, in the author's order.
    pub body: Vec<Statement>,
    pub conclusions: Vec<Conclusion>,
    /// `guardians fins = …`: sets of candidates that are exceptions to the pattern. The conclusions hold, or a guardian
    /// is true. A candidate is therefore eliminated only if every guardian also excludes the candidate. A placement
    /// becomes "the candidate or a guardian is true".
    pub guardians: Vec<VarId>,
    /// `one step per A, B`: matches with equal values of these names become one step with the effects of all these
    /// matches. If the list is empty, each match is a step.
    pub merge_by: Vec<VarId>,
    /// `join other(n) by d, base`: every two steps of another technique become one step of this technique. A variant
    /// with a `join` has no other content except titles.
    pub join: Option<Join>,
    /// Titles of the `called` lines. A step gets the first title whose condition holds.
    pub step_titles: Vec<StepTitle>,
    /// Measures that conditions of `step_titles` refer to.
    pub measures: Vec<Measure>,
    /// The author's headline for a step.
    pub says: Option<Template>,
    /// The author's sentence that explains why a step holds.
    pub because: Option<Template>,
}

/// The grid, or a view of it: a grid in which two of row, column and digit have exchanged their roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Space {
    /// The grid itself.
    #[default]
    Rc,
    /// A "cell" is a digit in a row; its "candidates" are the columns that the digit can take.
    Rn,
    /// A "cell" is a digit in a column; its "candidates" are the rows that the digit can take.
    Cn,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub space: Space,
    /// Title of the steps in the view. Its placeholder `{name}` stands for the title of a step on the grid itself.
    pub title: Template,
}

/// A rule that merges every two steps of another technique into one step. The two steps must agree on some names and
/// differ in their effects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Join {
    pub technique: String,
    /// Values of the other technique's parameters: numbers and parameters of this technique.
    pub args: Vec<Expr>,
    /// The names of the other technique whose values must agree.
    pub by: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Var {
    pub name: String,
    /// Kind of the value, or of the members of a set.
    pub kind: Kind,
    pub shape: VarShape,
    pub origin: Origin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VarShape {
    /// One digit, cell, house, candidate or number.
    Single,
    /// A set.
    Set,
    /// One value or set for each value of an index (`pincer[d]`). The name without an index is the union.
    Family,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// Chosen by a [`Statement::Choose`].
    Chosen,
    /// Bound by a set pattern such as `= {x, y}`, by a chain or by a supposition.
    Pattern,
    /// Defined by a [`Statement::Let`].
    Let,
    /// The loop variable of a `for` or a filter.
    Index,
}

/// One line of a rule's pattern.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    /// `pivot: cell …`, `s: cells[n] …`, `pincer[d]: cell … for d in D`.
    Choose(Choose),
    /// `let D = digits(s)`.
    Let {
        var: VarId,
        value: Expr,
    },
    Require(Condition),
    /// A chain of fixed length in Eureka notation; equivalent to [`FixedChain::conditions`].
    FixedChain(FixedChain),
    /// A chain of open length, a loop, a cluster or a ring.
    Graph(Graph),
    Suppose(Suppose),
}

impl Statement {
    /// Returns the conditions of the line, one by one, so that a caller can leave out any of them. The conditions of a
    /// family are about one member. Definitions, graph patterns and suppositions have no conditions.
    pub fn conditions(&self, vars: &[Var]) -> Cow<'_, [Condition]> {
        match self {
            Statement::Choose(choose) => Cow::Borrowed(&choose.such_that),
            Statement::Require(Condition::And(parts)) => Cow::Borrowed(parts),
            Statement::Require(condition) => Cow::Borrowed(std::slice::from_ref(condition)),
            Statement::FixedChain(chain) => Cow::Owned(chain.conditions(vars)),
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

    /// Returns the names of the link sources that a graph pattern or a supposition uses.
    pub fn strong_sources(&self) -> &[String] {
        match self {
            Statement::Graph(graph) => &graph.strong,
            Statement::Suppose(Suppose { methods: InferenceMethods::Links { strong, .. }, .. }) => strong,
            _ => &[],
        }
    }
}

/// The choice of a value or a set; for a family, of a value or a set for each index.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choose {
    pub var: VarId,
    /// `Some((low, high))`: bounds on the size of a set, or of each set of a family. `None`: a single value. If
    /// `high` is missing, the maximum is half of the board's size; for almost locked sets ([`Condition::AlmostLocked`])
    /// there is none.
    pub size: Option<(Expr, Option<Expr>)>,
    /// `for d in D`, for a family: the index and its set of digits or cells.
    pub for_each: Option<(VarId, Expr)>,
    /// The conditions after the kind. They refer to the chosen value as [`Expr::Var`], and to a member of a family as
    /// [`Expr::Member`].
    pub such_that: Vec<Condition>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Conclusion {
    pub claim: Claim,
    /// `for d in D`: the loop variable and its set. The claim is made once for each member.
    pub for_each: Option<(VarId, Expr)>,
}

/// A claim about candidates. Every [`Expr`] of a claim has kind [`Kind::Candidate`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Claim {
    /// At least one candidate of the set is true. Every candidate that all candidates of the set exclude is therefore
    /// false.
    SomeTrue(Expr),
    /// Every candidate of the set is false.
    Eliminate(Expr),
    /// Every candidate of the set is true.
    Place(Expr),
    /// `conclude every link of K`: exactly one node of each link of a loop is true. A candidate that both nodes of a
    /// weak link exclude is eliminated, and the conclusions of the strong links' sources hold.
    Links {
        #[serde(rename = "of")]
        loop_name: VarId,
        /// True for `outside its cells`: weak links between cells eliminate nothing in the cells of the loop, nor in
        /// the sets of cells that strong links of the loop use.
        #[serde(rename = "outside")]
        outside_cells: bool,
    },
}

impl Claim {
    /// Returns the candidates of the claim; for a loop, the candidates of its nodes.
    pub fn candidates(&self) -> Expr {
        match self {
            Claim::SomeTrue(candidates) | Claim::Eliminate(candidates) | Claim::Place(candidates) => candidates.clone(),
            Claim::Links { loop_name, .. } => Expr::Var(*loop_name),
        }
    }
}

/// An example or a near miss. An example is a grid with the deductions that the rule must find. A near miss is a grid
/// on which the rule must find nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// Title in the header.
    pub title: Option<String>,
    /// Values of the technique's parameters; empty if the example names no member.
    pub args: Vec<u32>,
    /// Techniques that are applied to the grid first, until no technique finds anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<RuleRef>,
    /// Name of the board. Without a name, the number of cells determines the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<String>,
    /// The grid, in any puzzle format.
    pub grid: String,
    /// The deductions of each match as text, `r1c1<>3 r2c5=4`; empty for a near miss.
    pub finds: Vec<String>,
    /// True if the rule must find nothing.
    pub near_miss: bool,
}

impl Technique {
    /// Returns all combinations of parameter values on a board with `size` digits, in order. A range without a maximum
    /// ends at half of `size`, and no value exceeds `size`.
    pub fn members(&self, size: u32) -> Vec<Vec<u32>> {
        let mut members = vec![Vec::new()];
        for param in &self.params {
            let high = param.high.unwrap_or(size / 2).min(size);
            let extended = members.iter().flat_map(|args: &Vec<u32>| {
                (param.low..=high).map(move |value| args.iter().copied().chain([value]).collect())
            });
            members = extended.collect();
        }
        members
    }

    /// Returns all pairs of a member and an index into [`Technique::variants`].
    pub fn member_variants(&self, size: u32) -> Vec<(Vec<u32>, usize)> {
        let variants = 0..self.variants.len();
        let members = self.members(size).into_iter();
        members.flat_map(|args| variants.clone().map(move |variant| (args.clone(), variant))).collect()
    }

    /// Returns the grid, followed by the views in which the rule is searched.
    pub fn spaces(&self) -> impl Iterator<Item = Space> {
        std::iter::once(Space::Rc).chain(self.views.iter().map(|view| view.space))
    }
}

/// Returns the label of one or several members: `id`, `id(4)`, `id(5..)`.
pub fn member_label<T: std::fmt::Display>(technique: &str, args: &[T]) -> String {
    if args.is_empty() {
        return technique.into();
    }
    let args: Vec<String> = args.iter().map(T::to_string).collect();
    format!("{technique}({})", args.join(", "))
}
