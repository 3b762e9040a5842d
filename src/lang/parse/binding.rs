//! Bindings. In: the parse tree of `a, b: cell … for d in D`. Out: its syntax tree.

use super::grammar::{Node, Rule};
use super::phrase::{Builder, TransposeOption, inner};
use crate::lang::ast::{Binding, Number, Qualifier, QualifierKind, Size};

impl Builder {
    pub fn binding(self, node: Node) -> Option<Binding> {
        let span = self.span(&node);
        let (mut names, mut qualifiers) = (Vec::new(), Vec::new());
        let (mut kind, mut size, mut excess, mut each) = (None, None, None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::variable => names.push(self.name_and_index(part)?),
                Rule::kind => {
                    for piece in part.into_inner() {
                        match piece.as_rule() {
                            Rule::name => kind = Some(self.ident(&piece)),
                            Rule::size => size = Some(self.size(piece)?),
                            Rule::excess => {
                                let node = piece.into_inner().next()?;
                                excess = Some(Number { value: self.number(&node)?, span: self.span(&node) });
                            }
                            _ => {}
                        }
                    }
                }
                Rule::qualifier => qualifiers.push(self.qualifier(part)?),
                Rule::each => each = Some(self.each(part)?),
                _ => {}
            }
        }
        Some(Binding { span, names, kind: kind?, size, excess, qualifiers, each })
    }

    fn size(self, node: Node) -> Option<Size> {
        let span = self.span(&node);
        let range = node.clone().into_inner().any(|part| part.as_rule() == Rule::dots);
        let mut sums = inner(node, Rule::sum);
        let low = self.sum(sums.next()?)?;
        let high = sums.next().map(|node| self.sum(node)).transpose_()?;
        Some(Size { span, low, range, high })
    }

    fn qualifier(self, node: Node) -> Option<Qualifier> {
        let span = self.span(&node);
        let node = node.into_inner().next()?;
        let kind = match node.as_rule() {
            Rule::is_exactly => QualifierKind::Exactly(self.sum(inner(node, Rule::sum).next()?)?),
            Rule::in_set => QualifierKind::In(self.sum(inner(node, Rule::sum).next()?)?),
            Rule::with => {
                let node = node.into_inner().find(|node| node.as_rule() != Rule::k_with)?;
                match node.as_rule() {
                    Rule::with_count => QualifierKind::Count(self.sum(inner(node, Rule::sum).next()?)?),
                    _ => QualifierKind::With(self.condition(node)?),
                }
            }
            Rule::apart => {
                QualifierKind::Disjoint(inner(node, Rule::noun).next().map(|node| self.noun(node)).transpose_()?)
            }
            Rule::linking => {
                let mut nouns = inner(node, Rule::noun);
                let first = self.noun(nouns.next()?)?;
                QualifierKind::Linking(first, nouns.next().map(|node| self.noun(node)).transpose_()?)
            }
            _ => QualifierKind::Is(self.predicate(node)?),
        };
        Some(Qualifier { span, kind })
    }
}
