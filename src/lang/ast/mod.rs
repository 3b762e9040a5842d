//! The syntax tree (AST) of a rule file: plain data without references.
//!
//! The parser builds the tree; the lowering, the formatter and tools read it. Each node stores its bytes in the file as
//! `span`. The span of a chain, loop, cluster, ring or supposition covers its header, not its block. An unreadable line
//! is a [`StatementKind::Broken`].
//!
//! Files in reading order:
//! - this file: items and statements. `phrase`: expressions and conditions.
//! - `chain`: chains, loops, clusters, rings and suppositions.

mod chain;
mod phrase;

pub use chain::*;
pub use phrase::*;

/// Types that the AST shares with the IR.
pub use super::ir::{Comparison, WeakLinks};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::ops::Range;

/// A range of bytes of the file.
pub type Span = Range<usize>;

/// A name with its byte range.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// A price in a profile: `45 + #s when #s < 4`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PriceLine {
    pub value: Expr,
    /// Condition under which the price applies; `None`: always.
    pub when: Option<Condition>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    pub items: Vec<Item>,
    /// Bytes of each `//` comment.
    pub comments: Vec<Span>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    Technique(Technique),
    Pattern(Pattern),
    StrongLink(StrongLink),
    RuleList(RuleList),
    /// `example …`, `near_miss …`
    Example(Example),
}

impl File {
    pub fn techniques(&self) -> impl DoubleEndedIterator<Item = &Technique> {
        self.items.iter().filter_map(|item| if let Item::Technique(technique) = item { Some(technique) } else { None })
    }

    pub fn technique(&self, id: &str) -> Option<&Technique> {
        self.techniques().find(|technique| technique.id.name == id)
    }

    pub fn patterns(&self) -> impl Iterator<Item = &Pattern> {
        self.items.iter().filter_map(|item| if let Item::Pattern(pattern) = item { Some(pattern) } else { None })
    }

    pub fn rule_lists(&self) -> impl Iterator<Item = &RuleList> + Clone {
        self.items.iter().filter_map(|item| if let Item::RuleList(list) = item { Some(list) } else { None })
    }

    pub fn examples(&self) -> impl Iterator<Item = &Example> {
        self.items.iter().filter_map(|item| if let Item::Example(example) = item { Some(example) } else { None })
    }
}

/// Returns a reference to a field that every kind of item has.
macro_rules! field_of_item {
    ($item:ident.$field:ident) => {
        match $item {
            Item::Technique(technique) => &technique.$field,
            Item::Pattern(pattern) => &pattern.$field,
            Item::StrongLink(link) => &link.$field,
            Item::RuleList(list) => &list.$field,
            Item::Example(example) => &example.$field,
        }
    };
}

impl Item {
    /// Returns the bytes of the item, without its comment.
    pub fn span(&self) -> &Span {
        field_of_item!(self.span)
    }

    /// Returns the `///` lines above the item.
    pub fn doc(&self) -> &[DocLine] {
        field_of_item!(self.doc)
    }

    /// Returns the name by which other items refer to the item; `None` for examples.
    pub fn id(&self) -> Option<&Ident> {
        match self {
            Item::Example(_) => None,
            _ => Some(field_of_item!(self.id)),
        }
    }

    /// Returns true if the header of the item is unreadable; for an example, if any line is unreadable.
    pub fn is_broken(&self) -> bool {
        *field_of_item!(self.broken)
    }

    /// Returns the lines between the braces; empty for rule lists and examples.
    pub fn body(&self) -> &[Statement] {
        match self {
            Item::Technique(technique) => &technique.body,
            Item::Pattern(pattern) => &pattern.body,
            Item::StrongLink(link) => &link.body,
            Item::RuleList(_) | Item::Example(_) => &[],
        }
    }
}

/// A line of a `///` comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocLine {
    /// Text after the `///` and one blank.
    pub text: String,
    /// Bytes of the line, with the slashes.
    pub span: Span,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Technique {
    /// Bytes from the first word to the closing brace.
    pub span: Span,
    /// The `///` lines above the item.
    pub doc: Vec<DocLine>,
    pub id: Ident,
    pub params: Vec<Param>,
    pub title: Option<Text>,
    /// `also in rn "…", cn "…"`.
    pub views: Vec<ViewTitle>,
    /// Bytes of `assuming one solution`, if the header says so.
    pub uniqueness_span: Option<Span>,
    pub body: Vec<Statement>,
    /// True if the header is unreadable.
    pub broken: bool,
}

/// `rn "Title"`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ViewTitle {
    /// `rn` or `cn`.
    pub space: Ident,
    pub title: Text,
}

/// `pattern corners { … }`: lines that `uses corners` inserts into a technique.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    pub span: Span,
    pub doc: Vec<DocLine>,
    pub id: Ident,
    pub body: Vec<Statement>,
    pub broken: bool,
}

/// `rules basics = corners, subsets(2)`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleList {
    pub span: Span,
    pub doc: Vec<DocLine>,
    pub id: Ident,
    pub members: Vec<RuleName>,
    pub broken: bool,
}

/// `subsets(2)`: a reference to a technique, one member of a technique, or a rule list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleName {
    pub span: Span,
    pub id: Ident,
    /// The numbers in `(2)`; empty without parentheses.
    pub args: Vec<NumberLiteral>,
}

/// `n: 3..9`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    pub span: Span,
    pub name: Ident,
    pub low: u32,
    pub high: Option<u32>,
}

/// `strong link house (d)A = (d)B { … }`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StrongLink {
    pub span: Span,
    pub doc: Vec<DocLine>,
    pub id: Ident,
    pub left: EurekaNode,
    pub right: EurekaNode,
    pub body: Vec<Statement>,
    pub broken: bool,
}

/// `example id(4) "…" { … }`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Example {
    pub span: Span,
    pub doc: Vec<DocLine>,
    /// True if the first word is `near_miss`.
    pub near_miss: bool,
    pub id: Ident,
    pub args: Vec<NumberLiteral>,
    pub title: Option<RawText>,
    /// `after corners, basics`: techniques and rule lists that are applied to the grid first, until no technique finds
    /// anything.
    pub after: Vec<RuleName>,
    /// The names in `board "windoku"` lines; a valid example has at most one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boards: Vec<RawText>,
    /// The texts of the `grid` lines; a valid example has one.
    pub grids: Vec<RawText>,
    /// The deductions of each `finds` line.
    pub finds: Vec<Vec<RawText>>,
    /// True if any line is unreadable.
    pub broken: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NumberLiteral {
    pub value: u32,
    pub span: Span,
}

/// A text without placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawText {
    /// The text without quotes.
    pub text: String,
    /// Bytes of the text, with quotes.
    pub span: Span,
}

/// A text with placeholders.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// Bytes of the text, with quotes.
    pub span: Span,
    pub parts: Vec<TextPart>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextPart {
    Plain(RawText),
    /// `{n: Pair, Triple, else Set of {n}}`
    WordChoice {
        /// Bytes of the placeholder, with braces.
        span: Span,
        param: Ident,
        /// The words, one for each value from the lowest on.
        words: Vec<RawText>,
        /// The text after `else`.
        otherwise: Option<Text>,
    },
    /// `{n}`, `{#s}`
    Placeholder {
        /// Bytes of the placeholder, with braces.
        span: Span,
        /// The expression whose value is shown.
        value: TermList,
    },
}

impl TextPart {
    pub fn is_blank(&self) -> bool {
        matches!(self, TextPart::Plain(text) if text.text.trim().is_empty())
    }
}

/// A line of a technique, a pattern or a strong link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statement {
    pub span: Span,
    pub kind: StatementKind,
}

impl Statement {
    pub fn is_broken(&self) -> bool {
        matches!(self.kind, StatementKind::Broken(_))
    }

    /// Returns the bindings of the line, which choose values for names.
    pub fn bindings(&self) -> &[Binding] {
        match &self.kind {
            StatementKind::Binding(binding) => std::slice::from_ref(binding),
            StatementKind::Case(_, bindings) => bindings,
            _ => &[],
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StatementKind {
    /// `case "Title": a: box, b: line`
    Case(Option<Text>, Vec<Binding>),
    /// `pivot: cell = {x, y}`
    Binding(Binding),
    /// `let D = digits(s)`
    Let(Ident, TermList),
    /// `guardians fins = d in base - cover`
    Guardians(Ident, TermList),
    /// `require …`
    Require(Condition, Vec<ForClause>),
    /// `eliminate …`, `eliminate … from …`
    Eliminate(TermList, Option<TermList>, Vec<ForClause>),
    /// `place …`
    Place(TermList, Vec<ForClause>),
    /// `conclude some …`
    Conclude(TermList, Vec<ForClause>),
    /// `conclude every link of K`: the name, and true if the line ends with `outside its cells`.
    ConcludeLinks(Ident, bool),
    /// `conclude q`, `conclude not p`: the bytes of `not`, and the literal.
    ConcludeLiteral(Option<Span>, Ident),
    /// `called "…" when …`: the text, and the condition with its `for` clauses. The condition is `None` for
    /// `otherwise`.
    Called(Text, Option<(Condition, Vec<ForClause>)>),
    /// `says "…"`
    Says(Text),
    /// `because "…"`
    Because(Text),
    /// `one step per A, B`
    OneStepPer(Vec<Ident>),
    /// `uses corners`
    Uses(Ident),
    /// `join other(n) by d, base`: the technique, the values of its parameters, and the names whose values must agree.
    Join(Ident, Vec<Expr>, Vec<Ident>),
    /// `chain (x=y)A - …`
    FixedChain(FixedChain),
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
    /// An unreadable line, with the words in it that may be names.
    Broken(Vec<Ident>),
}

/// `a, b: cell … for d in D`
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    pub span: Span,
    /// The declared names. In a family such as `pincer[d]`, each name has an index.
    pub names: Vec<(Ident, Option<Ident>)>,
    /// The word after the colon.
    pub kind: Ident,
    /// The size in brackets: `[n]`, `[2..3]`.
    pub size: Option<Size>,
    /// The number in parentheses: in `als(2)` the degree, the number of digits minus the number of cells.
    #[serde(rename = "excess")]
    pub parenthesized: Option<NumberLiteral>,
    pub qualifiers: Vec<Qualifier>,
    pub for_clause: Option<ForClause>,
}

impl Binding {
    pub fn is_indexed(&self) -> bool {
        self.names.iter().any(|(_, index)| index.is_some())
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Bytes between the brackets.
    pub span: Span,
    /// The exact number of members, or the minimum.
    pub low: Expr,
    /// True if `..` follows the first number.
    pub range: bool,
    pub high: Option<Expr>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Qualifier {
    pub span: Span,
    pub kind: QualifierKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QualifierKind {
    /// `= {x, y}`
    Exactly(Expr),
    /// `in h`
    In(Expr),
    /// `sees pivot`, `connected`, `in one house`: a predicate of a condition.
    Is(Predicate),
    /// `with #digits(c) = 3`
    With(Condition),
    /// `with 3 candidates`
    Count(Expr),
    /// `disjoint`, `disjoint A, B`
    Disjoint(Option<TermList>),
    /// `linking A, B`, `linking d to stem`
    Linking(TermList, Option<TermList>),
}

/// Converts a tree to JSON, and returns the JSON after `visit` has been called on each value, outer values first. JSON
/// contains every kind of node, so a visitor cannot miss a kind.
pub fn visited_json(tree: &impl Serialize, mut visit: impl FnMut(&mut Value)) -> Value {
    let mut value = serde_json::to_value(tree).unwrap_or_default();
    visit_json(&mut value, &mut visit);
    value
}

fn visit_json(value: &mut Value, visit: &mut dyn FnMut(&mut Value)) {
    visit(value);
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| visit_json(value, visit)),
        Value::Object(fields) => fields.values_mut().for_each(|value| visit_json(value, visit)),
        _ => {}
    }
}

/// Returns copies of statements with `offset` added to every span.
pub fn shift_spans(statements: &[Statement], offset: usize) -> Vec<Statement> {
    let tree = visited_json(&statements, |value| {
        for bound in ["start", "end"] {
            if let Some(byte) = value.get_mut(bound) {
                *byte = byte.as_u64().unwrap_or(0).saturating_add(offset as u64).into();
            }
        }
    });
    serde_json::from_value(tree).unwrap_or_default()
}

/// Returns the contents of every enum variant with the name `variant` in a tree, outer ones first.
pub fn contents_of<T: DeserializeOwned>(tree: &impl Serialize, variant: &str) -> Vec<T> {
    let mut contents = Vec::new();
    visited_json(tree, |value| {
        // A variant is an object with the variant's name as its key.
        contents.extend(value.get(variant).and_then(|content| T::deserialize(content).ok()));
    });
    contents
}
