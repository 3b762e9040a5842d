//! Names and sentences with placeholders. In: their parts as written. Out: templates whose placeholders are filled by
//! parameters, names and expressions that exist.

use super::Checked;
use super::names::{Place, Rule};
use crate::lang::ast::{Ident, Noun, Raw, Span, Text, TextPart};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Expr, Template, TemplatePart};
use crate::lang::words;

const IN_SENTENCES: &str = "values of the pattern can stand in `says \"…\"` and `because \"…\"`";

/// Kind of text, which decides what placeholders may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// The name of a technique or of a case: parameters.
    Title,
    /// `called`, the name of a `join` and of a view: parameters, and the name so far.
    Called,
    /// `says` and `because`: everything.
    Sentence,
}

impl Rule<'_> {
    pub fn template(&mut self, text: &Text, purpose: Use) -> Checked<Template> {
        self.place = Place::Text;
        let parts = self.each_of(&text.parts, |rule, part| rule.part(part, purpose))?;
        Ok(Template { parts })
    }

    fn part(&mut self, part: &TextPart, purpose: Use) -> Checked<TemplatePart> {
        match part {
            TextPart::Plain(raw) => Ok(TemplatePart::Text(raw.text.clone())),
            TextPart::Words { span, param, words, otherwise } => {
                self.words(span, param, words, otherwise.as_ref(), purpose)
            }
            TextPart::Placeholder { span, value } => self.placeholder(span, value, purpose),
        }
    }

    fn param(&self, name: &str) -> Option<usize> {
        self.params.iter().position(|param| param.name.name == name)
    }

    fn placeholder(&mut self, span: &Span, value: &Noun, purpose: Use) -> Checked<TemplatePart> {
        let name = match value.elements.as_slice() {
            [only] if only.place.is_none() => only.left.as_name(),
            _ => None,
        };
        if let Some(at) = name.and_then(|name| self.param(&name.name)) {
            self.params_used[at] = true;
            return Ok(TemplatePart::Param(at));
        }
        match (purpose, name) {
            (Use::Called, Some(name)) if name.name == "name" => Ok(TemplatePart::Name),
            (Use::Sentence, _) => {
                let value = self.noun(value)?;
                Ok(match value.expr {
                    Expr::Var(id) => TemplatePart::Var(id),
                    expr => TemplatePart::Value(expr),
                })
            }
            (_, Some(name)) => self.unknown_param(name, purpose),
            (_, None) => {
                let message = "a title can use parameters only";
                let help = IN_SENTENCES;
                self.fail(Diagnostic::error("E0206", span.clone(), message, "not a parameter").help(help))
            }
        }
    }

    fn unknown_param<T>(&mut self, name: &Ident, purpose: Use) -> Checked<T> {
        let mut known: Vec<&str> = self.params.iter().map(|param| param.name.name.as_str()).collect();
        if purpose == Use::Called {
            known.push("name");
        }
        let help = match words::nearest(&name.name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if self.find(&name.name).is_some() => IN_SENTENCES.to_owned(),
            None => format!("declare it after the technique's name: `({}: 2..4)`", name.name),
        };
        let message = format!("there is no parameter `{}`", name.name);
        self.fail(Diagnostic::error("E0206", name.span.clone(), message, "not a parameter").help(help))
    }

    /// `{n: Pair, Triple, else Set of {n}}`
    fn words(
        &mut self,
        span: &Span,
        param: &Ident,
        words: &[Raw],
        otherwise: Option<&Text>,
        purpose: Use,
    ) -> Checked<TemplatePart> {
        let Some(at) = self.param(&param.name) else { return self.unknown_param(param, purpose) };
        self.params_used[at] = true;
        let rest = otherwise.map(|text| self.template(text, purpose)).transpose()?;
        let declared = &self.params[at];
        let (low, high, place) = (declared.low, declared.high, declared.span.clone());
        let name = &param.name;
        let count = words.len() as u32;
        let wanted = high.map(|high| high.saturating_sub(low).saturating_add(1));
        let problem = match (wanted, &rest) {
            (None, None) => Some((
                format!("`{name}` has no largest value, so these words do not name all of them"),
                format!("add `, else Set of {{{name}}}` as the last word"),
            )),
            (Some(wanted), None) if wanted != count => Some((
                format!("{count} words for {wanted} values"),
                format!(
                    "`{name}` runs from {low} to {}: give one word for each, or end with `else …`",
                    low + wanted - 1
                ),
            )),
            (Some(wanted), Some(_)) if wanted <= count => Some((
                format!("{count} words and an `else` for {wanted} values"),
                "the `else` is never used: leave it out".to_owned(),
            )),
            _ => None,
        };
        if let Some((message, help)) = problem {
            let diagnostic = Diagnostic::error("E0407", span.clone(), message, "these words");
            return self.fail(diagnostic.label(place, "the range").help(help));
        }
        let words = words.iter().map(|word| word.text.clone()).collect();
        Ok(TemplatePart::Words { param: at, words, otherwise: rest })
    }
}
