//! Titles and sentences with placeholders.

use super::{Expr, Param, VarId};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Template {
    pub parts: Vec<TemplatePart>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TemplatePart {
    Text(String),
    /// `{n: Pair, Triple, else Subset of {n}}`: a word chosen by the value of a parameter.
    WordChoice {
        param: usize,
        /// The words; the first is for the parameter's lowest value.
        words: Vec<String>,
        /// The text for values beyond the last word.
        otherwise: Option<Template>,
    },
    /// `{n}`: the value of a parameter, by its index.
    Param(usize),
    /// `{name}` in a `called` line: the title that the step would have without the line.
    Name,
    /// `{pivot}`: the value of a name, in standard notation.
    Var(VarId),
    /// `{#s}`, `{digits(s)}`: the value of an expression.
    Value(Expr),
}

impl Template {
    /// Returns the text with all placeholders filled. `args` are the values of `params`, and `name` replaces `{name}`.
    /// `value` returns the text for a [`TemplatePart::Var`] or [`TemplatePart::Value`].
    pub fn fill(
        &self,
        params: &[Param],
        args: &[u32],
        name: &str,
        value: &mut dyn FnMut(&TemplatePart) -> String,
    ) -> String {
        let mut text = String::new();
        for part in &self.parts {
            match part {
                TemplatePart::Text(literal) => text.push_str(literal),
                TemplatePart::Param(index) => {
                    if let Some(arg) = args.get(*index) {
                        text.push_str(&arg.to_string());
                    }
                }
                TemplatePart::Name => text.push_str(name),
                TemplatePart::WordChoice { param, words, otherwise } => {
                    let low = params.get(*param).map_or(0, |param| param.low);
                    let position = args.get(*param).map_or(0, |arg| arg.saturating_sub(low)) as usize;
                    if let Some(word) = words.get(position) {
                        text.push_str(word);
                    } else if let Some(otherwise) = otherwise {
                        text.push_str(&otherwise.fill(params, args, name, value));
                    }
                }
                TemplatePart::Var(_) | TemplatePart::Value(_) => text.push_str(&value(part)),
            }
        }
        text
    }
}
