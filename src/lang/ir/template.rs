//! Names and sentences with placeholders. In: the inside of a string in a rule. Out: parts that a step fills in.

use super::{Expr, Param, VarId};
use serde::{Deserialize, Serialize};

/// Text with placeholders.
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
    WordChoice {
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

impl Template {
    /// The text with its placeholders filled: parameters from `args`, the name so far from `name`, names and
    /// expressions by asking `value`.
    pub fn fill(
        &self,
        params: &[Param],
        args: &[u32],
        name: &str,
        value: &mut dyn FnMut(&TemplatePart) -> String,
    ) -> String {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(text) => out.push_str(text),
                TemplatePart::Param(at) => {
                    if let Some(arg) = args.get(*at) {
                        out.push_str(&arg.to_string());
                    }
                }
                TemplatePart::Name => out.push_str(name),
                TemplatePart::WordChoice { param, words, otherwise } => {
                    let low = params.get(*param).map_or(0, |param| param.low);
                    let nth = args.get(*param).and_then(|arg| arg.checked_sub(low)).unwrap_or(0) as usize;
                    match (words.get(nth), otherwise) {
                        (Some(word), _) => out.push_str(word),
                        (None, Some(rest)) => out.push_str(&rest.fill(params, args, name, value)),
                        (None, None) => {}
                    }
                }
                TemplatePart::Var(_) | TemplatePart::Value(_) => out.push_str(&value(part)),
            }
        }
        out
    }
}
