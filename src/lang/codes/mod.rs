//! The meanings of diagnostic codes. In: a code. Out: a title, a paragraph, a text with the fault and one
//! that has not; `docs/errors.md` is written from this table.

mod chains;
mod examples;
mod kinds;
mod lint;
mod names;
mod prices;
mod safety;
mod syntax;

/// The explanation of a code.
#[derive(Clone, Copy, Debug)]
pub struct Code {
    /// `E0201`
    pub code: &'static str,
    /// The first line is a title, the rest a paragraph.
    pub text: &'static str,
    /// Lines that have the fault: statements of a technique, or whole items.
    pub bad: &'static str,
    /// Corrected lines.
    pub good: &'static str,
}

const fn code(code: &'static str, text: &'static str, bad: &'static str, good: &'static str) -> Code {
    Code { code, text, bad, good }
}

/// Every code, in order.
pub fn all() -> impl Iterator<Item = &'static Code> {
    [
        syntax::CODES,
        names::CODES,
        kinds::CODES,
        safety::CODES,
        chains::CODES,
        examples::CODES,
        prices::CODES,
        lint::CODES,
    ]
    .into_iter()
    .flatten()
}

/// A title and a paragraph about a code.
pub fn explain(code: &str) -> Option<&'static str> {
    all().find(|entry| entry.code.eq_ignore_ascii_case(code)).map(|entry| entry.text)
}
