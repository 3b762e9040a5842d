//! The syntax tree of a rule file. In: the parser. Out: data without references, for the lowering, the formatter and tools.
//!
//! Every node has its bytes in the whole file, and nothing of the text is lost: comments are a list
//! beside the tree, and lines that could not be read stay as [`StatementKind::Broken`].
//!
//! Files in reading order: this one has items and statements; [`phrase`] expressions and conditions; [`chain`] chains, loops, clusters,
//! rings and suppositions. A walk goes over the JSON form of a tree, so that it misses no kind of node.

mod chain;
mod phrase;

pub use chain::{
    CaseResult, Cases, Chain, ChainLength, ChainUnit, Cluster, EndPoint, EurekaLink, EurekaNode, InferenceMethods,
    LinkBlock, Loop, Ring, Suppose, Trail,
};
pub use phrase::{
    Binary, Clause, Condition, Determiner, Each, Element, Expr, ExprKind, Noun, Operator, Predicate, Relation, Those,
};

/// Words that mean the same in the checked form.
pub use super::ir::{Comparison, WeakLinks};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// Bytes of the file.
pub type Span = Range<usize>;

/// A name and where it stands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ident {
    /// Spelling.
    pub name: String,
    /// Place of the name.
    pub span: Span,
}

/// A price that a profile has for a match, and when it has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceLine {
    /// A number.
    pub value: Expr,
    /// Condition; always if absent.
    pub when: Option<Condition>,
}

/// A file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// In order.
    pub items: Vec<Item>,
    /// Every `//` comment.
    pub comments: Vec<Span>,
}

/// A top-level item.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    /// `technique …`
    Technique(Technique),
    /// `pattern …`
    Pattern(Pattern),
    /// `strong link …`
    Source(StrongLink),
    /// `rules …`
    RuleList(RuleList),
    /// `example …`, `near_miss …`
    Example(Example),
}

impl File {
    /// Lists the techniques.
    pub fn techniques(&self) -> impl DoubleEndedIterator<Item = &Technique> {
        self.items.iter().filter_map(|item| if let Item::Technique(one) = item { Some(one) } else { None })
    }

    /// Finds the technique of a name, the first of several.
    pub fn technique(&self, id: &str) -> Option<&Technique> {
        self.techniques().find(|technique| technique.id.name == id)
    }

    /// Lists the patterns.
    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.items.iter().filter_map(|item| if let Item::Pattern(one) = item { Some(one) } else { None })
    }

    /// Lists the rule lists.
    pub fn rule_lists(&self) -> impl Iterator<Item = &RuleList> + Clone {
        self.items.iter().filter_map(|item| if let Item::RuleList(one) = item { Some(one) } else { None })
    }

    /// Lists the examples and near misses.
    pub fn examples(&self) -> impl Iterator<Item = &Example> {
        self.items.iter().filter_map(|item| if let Item::Example(one) = item { Some(one) } else { None })
    }
}

impl Item {
    /// Returns its bytes, from its first word to its end.
    pub fn span(&self) -> &Span {
        match self {
            Item::Technique(one) => &one.span,
            Item::Pattern(one) => &one.span,
            Item::Source(one) => &one.span,
            Item::RuleList(one) => &one.span,
            Item::Example(one) => &one.span,
        }
    }

    /// Returns the name under which others use it; `None` for examples.
    pub fn id(&self) -> Option<&Ident> {
        match self {
            Item::Technique(one) => Some(&one.id),
            Item::Pattern(one) => Some(&one.id),
            Item::Source(one) => Some(&one.id),
            Item::RuleList(one) => Some(&one.id),
            Item::Example(_) => None,
        }
    }

    /// Returns true if its header could not be read; of examples, if any line could not.
    pub fn is_broken(&self) -> bool {
        match self {
            Item::Technique(one) => one.broken,
            Item::Pattern(one) => one.broken,
            Item::Source(one) => one.broken,
            Item::RuleList(one) => one.broken,
            Item::Example(one) => one.broken,
        }
    }

    /// Returns the lines between its braces; none of rule lists and examples.
    pub fn body(&self) -> &[Statement] {
        match self {
            Item::Technique(one) => &one.body,
            Item::Pattern(one) => &one.body,
            Item::Source(one) => &one.body,
            Item::RuleList(_) | Item::Example(_) => &[],
        }
    }
}

/// A line of a `///` comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocLine {
    /// Without the slashes and the blank after them.
    pub text: String,
    /// With the slashes.
    pub span: Span,
}

/// A technique.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Technique {
    /// From its first word to its closing brace.
    pub span: Span,
    /// The `///` lines before it.
    pub doc: Vec<DocLine>,
    /// Identifier.
    pub id: Ident,
    /// Parameters.
    pub params: Vec<Param>,
    /// The name after the identifier.
    pub title: Option<Text>,
    /// `also in rn "…", cn "…"`.
    pub views: Vec<ViewTitle>,
    /// `assuming one solution`.
    pub assuming: Option<Span>,
    /// Lines between the braces.
    pub body: Vec<Statement>,
    /// True if the header could not be read.
    pub broken: bool,
}

/// `rn "Title"`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "View")]
pub struct ViewTitle {
    /// `rn` or `cn`.
    pub space: Ident,
    /// Title of the rule in this view.
    pub title: Text,
}

/// `pattern corners { … }`: lines that techniques take over with `uses corners`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// From its first word to its closing brace.
    pub span: Span,
    /// The `///` lines before it.
    pub doc: Vec<DocLine>,
    /// Name of the pattern.
    pub id: Ident,
    /// Lines between the braces.
    pub body: Vec<Statement>,
    /// True if the header could not be read.
    pub broken: bool,
}

/// `rules basics = corners, subsets(2)`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleList {
    /// Place of the whole.
    pub span: Span,
    /// The `///` lines before it.
    pub doc: Vec<DocLine>,
    /// Name of the list.
    pub id: Ident,
    /// Techniques and rule lists in it.
    pub members: Vec<RuleName>,
    /// True if the line could not be read.
    pub broken: bool,
}

/// `subsets(2)`: a technique, one member of it, or a rule list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Member")]
pub struct RuleName {
    /// Place of the whole.
    pub span: Span,
    /// Name of the technique or list.
    pub id: Ident,
    /// `(2)`
    pub args: Vec<NumberLiteral>,
}

/// `n: 3..9`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Place of the whole.
    pub span: Span,
    /// Name of the parameter.
    pub name: Ident,
    /// Lowest value.
    pub low: u32,
    /// Highest value, if given.
    pub high: Option<u32>,
}

/// `strong link house (d)A = (d)B { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Source")]
pub struct StrongLink {
    /// From its first word to its closing brace.
    pub span: Span,
    /// The `///` lines before it.
    pub doc: Vec<DocLine>,
    /// Name of the link source.
    pub id: Ident,
    /// Left of `=`.
    pub left: EurekaNode,
    /// Right of it.
    pub right: EurekaNode,
    /// Lines between the braces.
    pub body: Vec<Statement>,
    /// True if the header could not be read.
    pub broken: bool,
}

/// `example id(4) "…" { … }`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    /// From its first word to its closing brace.
    pub span: Span,
    /// The `///` lines before it.
    pub doc: Vec<DocLine>,
    /// True if the first word is `near_miss`.
    pub near_miss: bool,
    /// The technique.
    pub id: Ident,
    /// `(4)`
    pub args: Vec<NumberLiteral>,
    /// Text in the header.
    pub title: Option<Raw>,
    /// `after corners, basics`: what is found first, until nothing more is.
    pub after: Vec<RuleName>,
    /// `board "windoku"`: the names of its boards, one at most if all is well.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<Raw>,
    /// The `grid` lines; a valid example has one.
    pub grids: Vec<Raw>,
    /// The `finds` lines.
    pub finds: Vec<Vec<Raw>>,
    /// True if a line could not be read.
    pub broken: bool,
}

/// A number as a literal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "Number")]
pub struct NumberLiteral {
    /// Value of the literal.
    pub value: u32,
    /// Place of the number.
    pub span: Span,
}

/// A piece of text that is taken as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raw {
    /// Without quotes.
    pub text: String,
    /// With quotes.
    pub span: Span,
}

/// A text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// With quotes.
    pub span: Span,
    /// In order.
    pub parts: Vec<TextPart>,
}

/// A piece of a text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextPart {
    /// As it stands.
    Plain(Raw),
    /// `{n: Pair, Triple, else Set of {n}}`
    WordChoice {
        /// With braces.
        span: Span,
        /// The parameter.
        param: Ident,
        /// The words.
        words: Vec<Raw>,
        /// After `else`.
        otherwise: Option<Text>,
    },
    /// `{n}`, `{#s}`
    Placeholder {
        /// With braces.
        span: Span,
        /// Expression that is shown.
        value: Noun,
    },
}

impl TextPart {
    /// Returns true for a text of nothing but blanks.
    pub fn is_blank(&self) -> bool {
        matches!(self, TextPart::Plain(raw) if raw.text.trim().is_empty())
    }
}

/// A line of a technique or of a link source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    /// Place of the whole.
    pub span: Span,
    /// Content of the line.
    pub kind: StatementKind,
}

impl Statement {
    /// Returns true for a line that could not be read.
    pub fn is_broken(&self) -> bool {
        matches!(self.kind, StatementKind::Broken(_))
    }
}

/// Content of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatementKind {
    /// `case "Title": a: box, b: line`
    Case(Option<Text>, Vec<Binding>),
    /// `pivot: cell = {x, y}`
    Binding(Binding),
    /// `let D = digits(s)`
    Let(Ident, Noun),
    /// `guardians fins = d in base - cover`
    Guardians(Ident, Noun),
    /// `require …`
    Require(Condition, Vec<Each>),
    /// `eliminate …`, `eliminate … from …`
    Eliminate(Noun, Option<Noun>, Vec<Each>),
    /// `place …`
    Place(Noun, Vec<Each>),
    /// `conclude some …`
    Conclude(Noun, Vec<Each>),
    /// `conclude every link of K`, and whether `outside its cells` only.
    ConcludeLinks(Ident, bool),
    /// `conclude q`, `conclude not p`: where `not` stands, and the literal.
    ConcludeLiteral(Option<Span>, Ident),
    /// `called "…" when …`; `None` is `otherwise`.
    Called(Text, Option<(Condition, Vec<Each>)>),
    /// `says "…"`
    Says(Text),
    /// `because "…"`
    Because(Text),
    /// `one step per A, B`
    Per(Vec<Ident>),
    /// `uses corners`
    Uses(Ident),
    /// `join other(n) by d, base`: the technique, its member, the names.
    Join(Ident, Vec<Expr>, Vec<Ident>),
    /// `chain (x=y)A - …`
    Trail(Trail),
    /// `chain from … { … }`
    Chain(Chain),
    /// `loop K, … { … }`
    Loop(Loop),
    /// `cluster coloured … { … }`
    Cluster(Cluster),
    /// `ring K, … { … }`
    Ring(Ring),
    /// `suppose …`
    Suppose(Suppose),
    /// A line that could not be read, with the words in it.
    Broken(Vec<Ident>),
}

/// `a, b: cell … for d in D`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// Place of the whole.
    pub span: Span,
    /// Names, each with its index if it is a family.
    pub names: Vec<(Ident, Option<Ident>)>,
    /// The word after the colon.
    pub kind: Ident,
    /// `[n]`, `[2..3]`
    pub size: Option<Size>,
    /// `(2)` after `als`.
    pub excess: Option<NumberLiteral>,
    /// Relations after the kind.
    pub qualifiers: Vec<Qualifier>,
    /// `for d in D`
    pub each: Option<Each>,
}

impl Binding {
    /// Returns true if a name has an index.
    pub fn is_family(&self) -> bool {
        self.names.iter().any(|(_, index)| index.is_some())
    }
}

/// Number of members of a set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Without brackets.
    pub span: Span,
    /// Exact number, or the lowest.
    pub low: Expr,
    /// True if there is `..`.
    pub range: bool,
    /// Highest value, if given.
    pub high: Option<Expr>,
}

/// A relation after a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Qualifier {
    /// Place of the whole.
    pub span: Span,
    /// Content of the qualifier.
    pub kind: QualifierKind,
}

/// Content of a qualifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QualifierKind {
    /// `= {x, y}`
    Exactly(Expr),
    /// `in h`
    In(Expr),
    /// `sees pivot`, `connected`, `in one house`: what could follow the name in a condition.
    Is(Predicate),
    /// `with #digits(c) = 3`
    With(Condition),
    /// `with 3 candidates`
    Count(Expr),
    /// `disjoint`, `disjoint A, B`
    Disjoint(Option<Noun>),
    /// `linking A, B`, `linking d to stem`
    Linking(Noun, Option<Noun>),
}

/// Returns the JSON form of a tree after showing each of its values to `visit`, outer values before inner ones.
pub fn walked(tree: &impl Serialize, mut visit: impl FnMut(&mut Value)) -> Value {
    let mut value = serde_json::to_value(tree).unwrap_or_default();
    walk(&mut value, &mut visit);
    value
}

fn walk(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    visit(value);
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| walk(value, visit)),
        Value::Object(fields) => fields.values_mut().for_each(|value| walk(value, visit)),
        _ => {}
    }
}

/// Returns statements with every place moved to the right.
pub fn moved(lines: &[Statement], by: usize) -> Vec<Statement> {
    let tree = walked(&lines, |value| {
        for end in ["start", "end"] {
            if let Some(place) = value.get_mut(end) {
                *place = place.as_u64().unwrap_or(0).saturating_add(by as u64).into();
            }
        }
    });
    serde_json::from_value(tree).unwrap_or_default()
}

/// Lists every `those … in … with …` of a statement.
pub fn those_in(line: &Statement) -> Vec<Those> {
    let mut out = Vec::new();
    walked(line, |value| out.extend(value.get("Those").and_then(|those| Those::deserialize(those).ok())));
    out
}
