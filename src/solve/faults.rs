//! What is wrong with prices. In: a profile and the techniques that it prices. Out: the expressions that cannot be read, with what
//! is wrong.

use super::price::Price;
use super::profile::Profile;
use super::row::Row;
use crate::engine::MemberId;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Space, Technique};
use crate::lang::price;

/// What is wrong with a price of a profile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PriceFault {
    /// The expression.
    pub text: String,
    /// What is wrong; places are bytes of it.
    pub found: Vec<Diagnostic>,
}

/// What is wrong with the prices of a profile, each expression once.
pub fn faults(profile: &Profile, techniques: &[Technique]) -> Vec<PriceFault> {
    let mut faults: Vec<PriceFault> = Vec::new();
    for row in &profile.rows {
        let price_of = row.first.as_ref().and_then(Price::clauses).unwrap_or_default();
        let alike = row.alike.iter().flat_map(|alike| alike.by.0.iter().chain(&alike.order.0));
        let clauses = price_of.iter().chain(&row.order.0).chain(alike);
        for (technique, member) in cases_of(row, techniques) {
            for text in clauses.clone() {
                let Err(found) = price(technique, member.variant, text, &profile.named) else { continue };
                if faults.iter().all(|fault| fault.text != *text) {
                    faults.push(PriceFault { text: text.clone(), found });
                }
            }
        }
    }
    faults
}

/// The cases of the techniques that a row speaks of, each with some member.
fn cases_of<'t>(row: &'t Row, techniques: &'t [Technique]) -> impl Iterator<Item = (&'t Technique, MemberId)> {
    let known = techniques.iter().enumerate().filter(|(_, technique)| technique.id == row.technique);
    known.flat_map(move |(index, technique)| {
        let args: Vec<u32> = match row.args.as_slice() {
            [] => technique.params.iter().map(|param| param.low).collect(),
            args => args.iter().map(|range| range.low).collect(),
        };
        let member = move |variant| MemberId { technique: index, args: args.clone(), variant, space: Space::Rc };
        let all = (0..technique.variants.len()).map(member);
        all.filter(move |member| row.speaks_of(technique, member)).map(move |member| (technique, member))
    })
}
