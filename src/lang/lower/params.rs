//! Parameters of a family. In: the header of a technique as written. Out: what is wrong with its parameters.

use crate::lang::ast;
use crate::lang::diagnostic::Diagnostic;

/// Ranges without a number, and names that parameters cannot have.
pub(super) fn check_header(item: &ast::Technique) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (at, param) in item.params.iter().enumerate() {
        if let Some(high) = param.high.filter(|high| *high < param.low) {
            let message = format!("there is no number from {} to {high}", param.low);
            out.push(Diagnostic::error("E0408", param.span.clone(), message, "an empty range"));
        }
        if let Some(first) = item.params[..at].iter().find(|other| other.name.name == param.name.name) {
            let message = format!("`{}` is declared twice", param.name.name);
            let diagnostic = Diagnostic::error("E0203", param.name.span.clone(), message, "declared again");
            out.push(diagnostic.label(first.name.span.clone(), "declared here first"));
        }
        if crate::lang::words::is_built_in(&param.name.name) {
            let message = format!("`{}` has a meaning of its own and cannot be a name", param.name.name);
            out.push(Diagnostic::error("E0204", param.name.span.clone(), message, "choose another name"));
        }
    }
    out
}

/// Maximum members of a family on a 9×9 board: each is compiled and searched on its own.
const MOST_MEMBERS: u64 = 1_000;

/// The last parameter of too many, with what they come to.
pub(super) fn too_many_members(item: &ast::Technique) -> Option<Diagnostic> {
    // Open ranges end at half of the board's size, and no value is larger than it.
    let values = |param: &ast::Param| u64::from(param.high.unwrap_or(4).min(9).saturating_sub(param.low) + 1);
    let count = item.params.iter().map(values).fold(1u64, u64::saturating_mul);
    let last = item.params.last().filter(|_| count > MOST_MEMBERS)?;
    let message = format!("`{}` would have {count} members", item.id.name);
    let text = format!("more than {MOST_MEMBERS} with this one");
    let help = "each is searched on its own: give the parameters smaller ranges, or let names take the values";
    Some(Diagnostic::error("E0417", last.name.span.clone(), message, text).help(help))
}

/// Parameters that nothing in the rule depends on.
pub(super) fn unused_params(item: &ast::Technique, used: &[bool]) -> Vec<Diagnostic> {
    let unused = item.params.iter().zip(used).filter(|(_, used)| !**used);
    let warn = |(param, _): (&ast::Param, &bool)| {
        let message = format!("the parameter `{}` is not used", param.name.name);
        Diagnostic::warning("W0202", param.span.clone(), message, "every value would give the same rule")
            .help("use it, for example as a size `cells[n]`, or delete it")
    };
    unused.map(warn).collect()
}
