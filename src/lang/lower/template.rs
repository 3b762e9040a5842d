//! Names and sentences with placeholders. In: their parts as written. Out: templates whose placeholders are filled by
//! parameters, names and expressions that exist.

use super::Checked;
use super::names::{MentionPlace, Rule};
use crate::lang::ast::{Ident, Noun, Raw, Span, Text, TextPart};
use crate::lang::codes::{NameProblem, Problem, RuleProblem};
use crate::lang::ir::{Expr, Template, TemplatePart};
use crate::lang::words;

/// Kind of text, which decides what placeholders may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUse {
    /// The name of a technique or of a case: parameters.
    Title,
    /// `called`, the name of a `join` and of a view: parameters, and the name so far.
    Called,
    /// `says` and `because`: everything.
    Sentence,
}

impl Rule<'_> {
    pub fn template(&mut self, text: &Text, purpose: TextUse) -> Checked<Template> {
        self.place = MentionPlace::Text;
        let parts = self.each_of(&text.parts, |rule, part| rule.part(part, purpose))?;
        Ok(Template { parts })
    }

    fn part(&mut self, part: &TextPart, purpose: TextUse) -> Checked<TemplatePart> {
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

    fn placeholder(&mut self, span: &Span, value: &Noun, purpose: TextUse) -> Checked<TemplatePart> {
        let name = match value.elements.as_slice() {
            [only] if only.place.is_none() => only.left.as_name(),
            _ => None,
        };
        if let Some(at) = name.and_then(|name| self.param(&name.name)) {
            self.params_used[at] = true;
            return Ok(TemplatePart::Param(at));
        }
        match (purpose, name) {
            (TextUse::Called, Some(name)) if name.name == "name" => Ok(TemplatePart::Name),
            (TextUse::Sentence, _) => {
                let value = self.noun(value)?;
                Ok(match value.expr {
                    Expr::Var(id) => TemplatePart::Var(id),
                    expr => TemplatePart::Value(expr),
                })
            }
            (_, Some(name)) => self.unknown_param(name, purpose),
            (_, None) => self.fail(NameProblem::NotAParameter.at(span)),
        }
    }

    fn unknown_param<T>(&mut self, name: &Ident, purpose: TextUse) -> Checked<T> {
        let mut known: Vec<&str> = self.params.iter().map(|param| param.name.name.as_str()).collect();
        if purpose == TextUse::Called {
            known.push("name");
        }
        let near = words::nearest(&name.name, known.iter().copied()).map(str::to_owned);
        let declared = self.find(&name.name).is_some();
        self.fail(NameProblem::UnknownParameter { name: name.name.clone(), near, declared }.at(&name.span))
    }

    /// `{n: Pair, Triple, else Set of {n}}`
    fn words(
        &mut self,
        span: &Span,
        param: &Ident,
        words: &[Raw],
        otherwise: Option<&Text>,
        purpose: TextUse,
    ) -> Checked<TemplatePart> {
        let Some(at) = self.param(&param.name) else { return self.unknown_param(param, purpose) };
        self.params_used[at] = true;
        let rest = otherwise.map(|text| self.template(text, purpose)).transpose()?;
        let declared = &self.params[at];
        let (low, high, place) = (declared.low, declared.high, declared.span.clone());
        let (name, count) = (param.name.clone(), words.len() as u32);
        let problem = match (high.map(|high| high.saturating_sub(low).saturating_add(1)), &rest) {
            (None, None) => Some(RuleProblem::WordsForOpenRange { name }),
            (Some(wanted), None) if wanted != count => {
                Some(RuleProblem::WordsMismatch { name, words: count, wanted, low, last: low + wanted - 1 })
            }
            (Some(wanted), Some(_)) if wanted <= count => Some(RuleProblem::ElseUnused { words: count, wanted }),
            _ => None,
        };
        if let Some(problem) = problem {
            return self.fail(problem.at_both(span, &place));
        }
        let words = words.iter().map(|word| word.text.clone()).collect();
        Ok(TemplatePart::Words { param: at, words, otherwise: rest })
    }
}
