//! Minimum content of a rule. In: a checked rule. Out: names that nothing restricts, names that nothing uses,
//! parameters without a use.

use super::names::Rule;
use super::uses::is_moved;
use crate::lang::ast::Binding;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{MOST_NAMES, Origin, VarShape};

impl Rule<'_> {
    /// Names that are chosen without any restriction, and names without a use.
    pub fn check_names(&mut self, bindings: &[&Binding]) {
        let bare = |name: &str| {
            let of = bindings.iter().find(|binding| binding.names.iter().any(|(ident, _)| ident.name == name));
            of.is_none_or(|binding| binding.qualifiers.is_empty())
        };
        let mut found = Vec::new();
        for symbol in &self.symbols {
            let (name, place) = (&symbol.name, symbol.span.clone());
            let used = symbol.in_pattern || symbol.in_conclusion || symbol.in_text;
            let set = symbol.shape != VarShape::Single;
            match symbol.origin {
                _ if self.doubtful.contains(name) => {}
                Origin::Chosen if bare(name) && !symbol.in_pattern && (set || !symbol.in_conclusion) => {
                    let message = match (set, symbol.in_conclusion) {
                        (true, true) => format!("nothing says which things are in `{name}`"),
                        _ => format!("nothing restricts `{name}`"),
                    };
                    let help = format!("say more after its kind, mention it in a `require`, or delete `{name}`");
                    found.push(Diagnostic::error("E0403", place, message, "any choice would do").help(help));
                }
                _ if is_moved(&place) => {}
                Origin::Chosen if !used => found.push(unused(name, place, CHOSEN)),
                Origin::Let if !used => found.push(unused(name, place, DEFINED)),
                _ => {}
            }
        }
        found.into_iter().for_each(|diagnostic| self.note(diagnostic));
    }

    /// More names than a rule may have.
    pub fn check_count(&mut self) {
        let Some(symbol) = self.symbols.get(MOST_NAMES) else { return };
        let (place, count) = (symbol.span.clone(), self.symbols.len());
        let message = format!("a rule has {MOST_NAMES} names at most, this one has {count}");
        let help = "let sets (`cells[4]`) or families (`f[d]: cell in h for d in D`) hold what many names hold, or make two \
                    rules of it";
        self.note(Diagnostic::error("E0418", place, message, "one more than that").help(help));
    }
}

/// Message and advice for a chosen name without a use, and for a defined one.
const CHOSEN: (&str, &str) = (
    "nothing else in the rule mentions it",
    "the rule still requires that there is one. If that is what you mean, keep the line; otherwise say more of it with \
     `require`, conclude something of it, or delete the line",
);
const DEFINED: (&str, &str) = ("defined, and mentioned nowhere", "delete the line, or use the name");

fn unused(name: &str, place: crate::lang::ast::Span, (text, help): (&str, &str)) -> Diagnostic {
    Diagnostic::warning("W0201", place, format!("`{name}` is not used"), text).help(help)
}
