//! Loops, clusters and rings, and the blocks that they share with chains. In: headers and blocks as written. Out:
//! their checked form.

use super::names::{Role, Rule};
use super::{Checked, ErrorReported};
use crate::lang::ast::{self, ChainUnit, Ident, Links, Span, WeakLinks};
use crate::lang::codes::{ChainProblem, Problem};
use crate::lang::ir::{
    Claim, Cluster, Conclusion, Expr, Graph, Length, LengthUnit, LinkShape, Loop, Ring, VarId, Weak,
};

impl Rule<'_> {
    pub fn loop_(&mut self, written: &ast::Loop) -> Checked<Graph> {
        let on = self.on(written.on.as_ref(), "what a loop is `on`");
        let length = self.length(&written.length, "a loop", &[LengthUnit::StrongLinks, LengthUnit::Links]);
        let links = self.links(&written.links, &written.span, "loop");
        let name = self.introduced(&written.name);
        let colours = written.colours.as_ref().map(|colours| self.colours(colours)).transpose();
        let (on, length, (strong, weak), name, colours) = (on?, length?, links?, name?, colours?);
        Ok(Graph { on, strong, shape: LinkShape::Loop(Loop { name, colours, length, weak }) })
    }

    pub fn cluster(&mut self, written: &ast::Cluster) -> Checked<Graph> {
        let on = self.on(written.on.as_ref(), "what a cluster is `on`");
        let links = self.links(&written.links, &written.span, "cluster");
        let weak = self.no_weak(&written.links, "cluster");
        let colours = self.colours(&written.colours);
        let (on, (strong, _), colours) = (on?, links?, colours?);
        weak?;
        Ok(Graph { on, strong, shape: LinkShape::Cluster(Cluster { colours }) })
    }

    /// `coloured blue, green`
    fn colours(&mut self, [first, second]: &[Ident; 2]) -> Checked<[VarId; 2]> {
        let (first, second) = (self.introduced(first), self.introduced(second));
        Ok([first?, second?])
    }

    pub fn ring(&mut self, written: &ast::Ring) -> Checked<Graph> {
        let on = self.on(written.on.as_ref(), "what a ring is `on`");
        let low = self.ring_length(&written.length);
        let links = self.links(&written.links, &written.span, "ring");
        let weak = self.no_weak(&written.links, "ring");
        let (name, guardians) = (self.introduced(&written.name), self.introduced(&written.guardians));
        let (on, low, (strong, _), name, guardians) = (on?, low?, links?, name?, guardians?);
        weak?;
        Ok(Graph { on, strong, shape: LinkShape::Ring(Ring { name, low, guardians }) })
    }

    /// The name that a line introduces; none if it was declared before, which was reported.
    pub fn introduced(&mut self, ident: &Ident) -> Checked<VarId> {
        self.symbols.iter().position(|symbol| symbol.span == ident.span).map(VarId).ok_or(ErrorReported)
    }

    /// `on d`
    pub fn on(&mut self, on: Option<&ast::Expr>, who: &str) -> Checked<Option<Expr>> {
        let Some(on) = on else { return Ok(None) };
        let on = self.expr(on)?;
        self.digits_of(&on, who).map(Some)
    }

    /// The block of a chain and of what is like one: its sources and its weak links.
    pub fn links(&mut self, links: &Links, header: &Span, what: &str) -> Checked<(Vec<String>, Weak)> {
        if links.broken {
            return Err(ErrorReported);
        }
        if links.strong.is_empty() {
            return self.fail(ChainProblem::NoStrongLine { what: what.to_owned() }.at(header));
        }
        if let [(_, first), (_, second), ..] = links.weak.as_slice() {
            return self.fail(ChainProblem::SecondWeakLine { what: what.to_owned() }.at_both(second, first));
        }
        let weak = match links.weak.first() {
            None | Some((WeakLinks::Any, _)) => Weak::Any,
            Some((WeakLinks::Cell, _)) => Weak::Cell,
            Some((WeakLinks::SameDigit, _)) => Weak::SameDigit,
        };
        let mut strong: Vec<String> = Vec::new();
        for name in links.strong.iter().flatten().map(|ident| &ident.name) {
            if !strong.contains(name) {
                strong.push(name.clone());
            }
        }
        Ok((strong, weak))
    }

    /// Links that are strong and weak at once need no weak ones between.
    fn no_weak(&mut self, links: &Links, what: &str) -> Checked<()> {
        let Some((_, place)) = links.weak.first() else { return Ok(()) };
        self.fail(ChainProblem::WeakLine { what: what.to_owned() }.at(place))
    }

    /// A length in one of some units.
    pub fn length(&mut self, length: &ast::ChainLength, what: &str, units: &[LengthUnit]) -> Checked<Length> {
        let unit = match length.unit {
            ChainUnit::Cells => Some(LengthUnit::Cells),
            ChainUnit::StrongLinks => Some(LengthUnit::StrongLinks),
            ChainUnit::Links => Some(LengthUnit::Links),
            ChainUnit::Candidates => None,
        };
        let Some(unit) = unit.filter(|unit| units.contains(unit)) else {
            let units = match units.contains(&LengthUnit::Cells) {
                true => "`cells`, `strong links` or `links`",
                false => "`strong links` or `links`",
            };
            return self.fail(ChainProblem::LengthUnit { what: what.to_owned(), units }.at(&length.span));
        };
        if length.low == 0 || length.high.is_some_and(|high| high < length.low) {
            let problem = match length.high.filter(|high| *high < length.low) {
                Some(high) => ChainProblem::EmptyLength { low: length.low, high },
                None => ChainProblem::NoLength { what: what.to_owned() },
            };
            return self.fail(problem.at(&length.span));
        }
        Ok(Length { low: length.low, high: length.high, unit })
    }

    /// `5.. candidates`
    fn ring_length(&mut self, length: &ast::ChainLength) -> Checked<u32> {
        if length.unit == ChainUnit::Candidates && length.high.is_none() && length.low >= 3 {
            return Ok(length.low);
        }
        self.fail(ChainProblem::RingLength.at(&length.span))
    }

    /// `conclude every link of K`, `… outside its cells`
    pub fn every_link(&mut self, name: &Ident, outside: bool) -> Checked<Conclusion> {
        let Some(id) = self.find(&name.name) else { return self.unknown(name) };
        self.mention(id);
        if self.symbols[id.0].role == Role::Loop {
            return Ok(Conclusion { claim: Claim::Links { of: id, outside }, per: None });
        }
        let declared = self.symbols[id.0].span.clone();
        self.fail(ChainProblem::NoLoop { name: name.name.clone() }.at_both(&name.span, &declared))
    }
}
