//! Chains. In: Eureka notation and open chains as written. Out: trails and chains whose links alternate.

use super::Checked;
use super::names::Rule;
use crate::lang::ast::{self, ChainUnit, End, Link, Span, Stop, WeakLinks};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Chain, ChainEnd, HouseClass, Kind, Length, LengthUnit, Trail, TrailLink, TrailNode, Weak};

/// A link between two candidates, as written.
struct Step<'s> {
    link: &'s Link,
    /// Whether it joins two digits of one cell in one pair of parentheses.
    inside: bool,
}

impl Rule<'_> {
    pub fn trail(&mut self, trail: &ast::Trail, span: &Span) -> Checked<Trail> {
        let mut nodes = Vec::new();
        let mut places: Vec<Span> = Vec::new();
        let mut steps = Vec::new();
        let mut failed = false;
        for (at, stop) in trail.stops.iter().enumerate() {
            if at > 0 {
                steps.extend(trail.links.get(at - 1).map(|link| Step { link, inside: false }));
            }
            steps.extend(stop.links.iter().map(|link| Step { link, inside: true }));
            let cell = self.single(&stop.cell, Kind::Cell, "E0503");
            for digit in &stop.digits {
                match (self.single(digit, Kind::Digit, "E0503"), &cell) {
                    (Ok(digit), Ok(cell)) => nodes.push(TrailNode { digit, cell: *cell }),
                    _ => failed = true,
                }
                places.push(digit.span.clone());
            }
        }
        failed |= self.check_marks(&steps, span).is_err();
        if failed {
            return Err(super::Said);
        }
        let mut links = Vec::new();
        for (at, step) in steps.iter().enumerate() {
            let (Some(a), Some(b)) = (nodes.get(at), nodes.get(at + 1)) else { continue };
            failed |= self.check_step(*a, *b, step, &places[at..]).is_err();
            let house = step.link.house.as_ref().map(|house| self.single(house, Kind::House(HouseClass::Any), "E0503"));
            match house.transpose() {
                Ok(house) => links.push(TrailLink { strong: step.link.strong, house }),
                Err(_) => failed = true,
            }
        }
        if failed { Err(super::Said) } else { Ok(Trail { nodes, links }) }
    }

    /// Strong and weak take turns, and both ends are strong.
    fn check_marks(&mut self, steps: &[Step], span: &Span) -> Checked<()> {
        for pair in steps.windows(2) {
            if pair[0].link.strong == pair[1].link.strong {
                let (word, mark, other) = if pair[0].link.strong { ("strong", "=", "-") } else { ("weak", "-", "=") };
                let message = format!("two {word} links follow one another");
                let help =
                    format!("strong and weak links take turns: one of these must be `{other}` instead of `{mark}`");
                let place = pair[1].link.span.clone();
                let diagnostic = Diagnostic::error("E0501", place, message, format!("{word} again"));
                return self.fail(diagnostic.label(pair[0].link.span.clone(), word).help(help));
            }
        }
        for (step, end) in [(steps.first(), "begins"), (steps.last(), "ends")] {
            if let Some(step) = step.filter(|step| !step.link.strong) {
                let message = format!("a chain {end} with a strong link");
                let help = "only then is one of its two ends true: write `=` here, or leave the link out";
                return self.fail(Diagnostic::error("E0502", step.link.span.clone(), message, "weak").help(help));
            }
        }
        if steps.is_empty() {
            return self.fail(Diagnostic::error("E0502", span.clone(), "a chain has at least one link", "none here"));
        }
        Ok(())
    }

    /// A link joins two digits of a cell or two cells of a digit.
    fn check_step(&mut self, a: TrailNode, b: TrailNode, step: &Step, places: &[Span]) -> Checked<()> {
        let place = |at: usize| places.get(at).cloned().unwrap_or_else(|| step.link.span.clone());
        if a == b {
            let message = "this link joins a candidate to itself";
            return self.fail(
                Diagnostic::error("E0506", place(1), message, "the same digit in the same cell")
                    .label(place(0), "as here"),
            );
        }
        if a.digit != b.digit && a.cell != b.cell {
            let (first, second) = (self.symbols[a.digit.0].name.clone(), self.symbols[b.digit.0].name.clone());
            let message = "a link joins two places of one digit, or two digits of one cell";
            let help =
                format!("`{first}` and `{second}` are different digits in different cells; give both the same digit");
            let diagnostic = Diagnostic::error("E0507", step.link.span.clone(), message, "this link does neither");
            return self.fail(
                diagnostic
                    .label(place(0), format!("digit {first}"))
                    .label(place(1), format!("digit {second}"))
                    .help(help),
            );
        }
        if let Some(house) = step.link.house.as_ref().filter(|_| step.inside || a.cell == b.cell) {
            let message = "a link inside of one cell has no house";
            return self.fail(Diagnostic::error("E0507", house.span.clone(), message, "leave this name out"));
        }
        Ok(())
    }

    pub fn node(&mut self, stop: &Stop) -> Checked<TrailNode> {
        let digit = stop.digits.first().map(|digit| self.single(digit, Kind::Digit, "E0503"));
        let cell = self.single(&stop.cell, Kind::Cell, "E0503");
        match digit {
            Some(digit) => Ok(TrailNode { digit: digit?, cell: cell? }),
            None => Err(super::Said),
        }
    }

    fn end(&mut self, end: &End) -> Checked<ChainEnd> {
        match end {
            End::At(stop) => self.node(stop).map(ChainEnd::At),
            End::Candidate(ident) => self.single(ident, Kind::Candidate, "E0503").map(ChainEnd::Candidate),
        }
    }

    pub fn chain(&mut self, chain: &ast::Chain) -> Checked<Chain> {
        let on = chain.on.as_ref().map(|on| self.expr(on)).transpose();
        let on = on.and_then(|on| on.map(|on| self.digits_of(&on, "what a chain is `on`")).transpose());
        let (from, to) = (self.end(&chain.from), self.end(&chain.to));
        let length = self.length(&chain.length);
        let block = self.check_block(chain);
        let (on, from, to, length) = (on?, from?, to?, length?);
        block?;
        if from == to {
            let message = "the chain ends where it begins";
            return self.fail(
                Diagnostic::error("E0506", end_span(&chain.to), message, "the same candidate")
                    .label(end_span(&chain.from), "begins here"),
            );
        }
        let weak = match chain.weak.first() {
            None | Some((WeakLinks::Any, _)) => Weak::Any,
            Some((WeakLinks::Cell, _)) => Weak::Cell,
            Some((WeakLinks::SameDigit, _)) => Weak::SameDigit,
        };
        let mut strong: Vec<String> = Vec::new();
        for name in chain.strong.iter().flatten().map(|ident| &ident.name) {
            if !strong.contains(name) {
                strong.push(name.clone());
            }
        }
        Ok(Chain { on, from, to, length, strong, weak })
    }

    fn check_block(&mut self, chain: &ast::Chain) -> Checked<()> {
        if chain.broken {
            return Err(super::Said);
        }
        if chain.strong.is_empty() {
            let message = "which strong links may this chain use?";
            let help = "add a line `strong: cell, house` to its block";
            return self
                .fail(Diagnostic::error("E0505", chain.span.clone(), message, "no `strong:` in the block").help(help));
        }
        if let [(_, first), (_, second), ..] = chain.weak.as_slice() {
            let message = "a chain has one `weak:` line";
            return self.fail(
                Diagnostic::error("E0505", second.clone(), message, "a second one").label(first.clone(), "the first"),
            );
        }
        Ok(())
    }

    fn length(&mut self, length: &ast::ChainLength) -> Checked<Length> {
        let unit = match length.unit {
            ChainUnit::Cells => LengthUnit::Cells,
            ChainUnit::StrongLinks => LengthUnit::StrongLinks,
            ChainUnit::Links => LengthUnit::Links,
        };
        if length.low == 0 || length.high.is_some_and(|high| high < length.low) {
            let message = match length.high.filter(|high| *high < length.low) {
                Some(high) => format!("there is no length from {} to {high}", length.low),
                None => "a chain has at least one link".to_owned(),
            };
            return self.fail(Diagnostic::error("E0504", length.span.clone(), message, "no such length"));
        }
        Ok(Length { low: length.low, high: length.high, unit })
    }
}

fn end_span(end: &End) -> Span {
    match end {
        End::At(stop) => stop.span.clone(),
        End::Candidate(ident) => ident.span.clone(),
    }
}
