//! Names and sentences with holes. In: the inside of a string in a rule. Out: parts that a step fills in.

use super::{Expr, VarId};
use serde::{Deserialize, Serialize};

/// Text with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    /// In order.
    pub parts: Vec<TemplatePart>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplatePart {
    /// As it stands.
    Text(String),
    /// `{n: Pair, Triple, else Subset of {n}}`: a word for each value of a parameter from its lowest on.
    Words {
        /// Which parameter.
        param: usize,
        /// The words, the first for the parameter's lowest value.
        words: Vec<String>,
        /// For values past the last word.
        otherwise: Option<Template>,
    },
    /// `{n}`: the value of a parameter.
    Param(usize),
    /// `{name}` in `called`: the name so far.
    Name,
    /// `{pivot}`: the value of a name, in the field's notation.
    Var(VarId),
    /// `{#s}`, `{digits(s)}`: the value of an expression.
    Value(Expr),
}
