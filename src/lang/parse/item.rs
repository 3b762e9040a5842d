//! Items and examples. In: the lines of one. Out: its syntax tree. A header that cannot be read still leaves an item with
//! its name, so that nothing else is reported because of it.

use super::grammar::{Build, ParseNode, Rule};
use super::layout::{BodyLine, ItemLines, LogicalLine};
use super::tokens::TokenClass;
use super::{ItemReader, text_at};
use crate::lang::ast::{
    DocLine, EurekaNode, Example, Ident, Item, Pattern, Raw, RuleList, RuleName, Span, Statement, StatementKind,
    StrongLink, Technique, ViewTitle,
};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::words;

impl ItemReader<'_> {
    /// Reads an item.
    pub fn item(&mut self, lines: ItemLines) -> Option<Item> {
        let ItemLines { doc, head, body, end } = lines;
        let span = head.span.start..end;
        let doc: Vec<DocLine> = doc.iter().map(|line| self.doc_line(line)).collect();
        let first = self.word(&head, 0);
        let id = self.second_word(&head);
        // A misspelt first word was reported; read the lines as those of the item that was meant.
        let near = words::nearest(first, words::ITEMS);
        Some(match if words::ITEMS.contains(&first) { first } else { near.as_deref()? } {
            "strong" => {
                let read = self.link_head(&head);
                let body = self.body(body);
                let broken = read.is_none();
                let (id, left, right) = read.unwrap_or_else(|| {
                    let nowhere =
                        EurekaNode { span: span.clone(), digits: Vec::new(), links: Vec::new(), cell: id.clone() };
                    (id, nowhere.clone(), nowhere)
                });
                Item::Source(StrongLink { span, doc, id, left, right, body, broken })
            }
            "pattern" => {
                let read = self.node(Rule::pattern_line, &head).and_then(|node| node.one(Rule::name).ok());
                let body = self.body(body);
                Item::Pattern(Pattern { span, doc, broken: read.is_none(), id: read.unwrap_or(id), body })
            }
            "rules" => {
                let read = self
                    .node(Rule::group_line, &head)
                    .and_then(|node| Some((node.one(Rule::name).ok()?, node.list::<RuleName>(Rule::instance).ok()?)));
                let broken = read.is_none();
                let (id, members) = read.unwrap_or((id, Vec::new()));
                Item::RuleList(RuleList { span, doc, id, members, broken })
            }
            "example" | "near_miss" => {
                let near_miss = first == "near_miss";
                let empty = Example { span, doc, near_miss, id, ..Example::default() };
                Item::Example(self.example(&head, body, empty))
            }
            _ => {
                let read = self.technique_head(&head, Technique { span, doc, id, ..Technique::default() });
                let mut body = self.body(body);
                if read.broken {
                    // Names in an unreadable header may be parameters.
                    let kind = StatementKind::Broken(self.names(&head));
                    body.push(Statement { span: head.span, kind });
                }
                Item::Technique(Technique { body, ..read })
            }
        })
    }

    fn doc_line(&self, line: &LogicalLine) -> DocLine {
        let text = text_at(self.source, &line.span).trim_start_matches('/');
        DocLine { text: text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned(), span: line.span.clone() }
    }

    /// Returns the name of an item with an unreadable header: its second word, if it has one.
    fn second_word(&self, head: &LogicalLine) -> Ident {
        let at = if self.word(head, 0) == "strong" { 2 } else { 1 };
        match head.tokens.get(at).filter(|token| token.class == TokenClass::Word) {
            Some(token) => Ident { name: token.text(self.source).to_owned(), span: token.span.clone() },
            None => Ident { name: String::new(), span: head.span.clone() },
        }
    }

    fn technique_head(&mut self, line: &LogicalLine, mut out: Technique) -> Technique {
        let Some(node) = self.node(Rule::technique_line, line) else { return Technique { broken: true, ..out } };
        for part in node.children() {
            match part.rule() {
                Rule::head => {
                    out.id = part.one(Rule::name).unwrap_or(out.id);
                    let params = part.child(Rule::params).and_then(|params| params.list(Rule::param));
                    out.params = params.unwrap_or_default();
                }
                Rule::string => out.title = Some(self.text(part.span())),
                Rule::also => out.views = part.all(Rule::space).filter_map(|node| self.view(&node)).collect(),
                Rule::k_assuming => out.assuming = Some(part.span()),
                _ => {}
            }
        }
        out
    }

    /// `rn "Title"`
    fn view(&mut self, node: &ParseNode) -> Option<ViewTitle> {
        let space = node.first().and_then(Ident::build).ok()?;
        Some(ViewTitle { space, title: self.text(node.place(Rule::string)?) })
    }

    fn link_head(&mut self, line: &LogicalLine) -> Option<(Ident, EurekaNode, EurekaNode)> {
        let node = self.node(Rule::link_line, line)?;
        let (left, right) = node.one_or_two(Rule::node).ok()?;
        Some((node.one(Rule::name).ok()?, left, right?))
    }

    fn body(&mut self, lines: Vec<BodyLine>) -> Vec<Statement> {
        lines.into_iter().map(|line| self.body_line(line)).collect()
    }

    fn body_line(&mut self, line: BodyLine) -> Statement {
        match line {
            // If a chain lacks its block, reading the header reports the missing `{`.
            BodyLine::Single(line) => self.statement(&line),
            BodyLine::Block(head, lines) if words::BLOCKS.contains(&self.word(&head, 0)) => {
                let end = lines.last().map_or(head.span.end, |line| line.span.end);
                let kind = self.with_block(&head, &lines).unwrap_or_else(|| StatementKind::Broken(self.names(&head)));
                Statement { span: head.span.start..end, kind }
            }
            BodyLine::Block(head, lines) => {
                if self.word(&head, 0) == "for" {
                    self.block_of_for(&head, &lines);
                } else if !head.broken {
                    let help =
                        "in a technique only chains, loops, clusters, rings and `suppose … using links` have a block";
                    self.found.push(SyntaxProblem::NoBlock.at(&head.brace()).help(help));
                }
                let names = lines.iter().chain([&head]).flat_map(|line| self.names(line)).collect();
                Statement { span: head.span, kind: StatementKind::Broken(names) }
            }
        }
    }

    /// Reports `for d in D {`, a habit from other languages.
    fn block_of_for(&mut self, head: &LogicalLine, lines: &[LogicalLine]) {
        let each = text_at(self.source, &(head.span.start..head.span.end - 1)).trim();
        let repeated = lines.first().map(|line| format!("{} {each}", text_at(self.source, &line.span).trim()));
        self.found.push(SyntaxProblem::BlockOfFor { repeated }.at(&head.first_token()));
    }

    fn example(&mut self, head: &LogicalLine, body: Vec<BodyLine>, mut out: Example) -> Example {
        let mut whole = self.example_head(head, &mut out).is_some();
        for line in body {
            whole &= match line {
                BodyLine::Single(line) => self.example_line(&line, &mut out).is_some(),
                BodyLine::Block(head, _) => {
                    self.found.push(SyntaxProblem::NoBlock.at(&head.brace()));
                    false
                }
            };
        }
        Example { broken: !whole, ..out }
    }

    fn example_head(&mut self, line: &LogicalLine, out: &mut Example) -> Option<()> {
        let node = self.node(Rule::example_line, line)?;
        let RuleName { id, args, .. } = node.one(Rule::instance).ok()?;
        (out.id, out.args) = (id, args);
        out.title = node.place(Rule::string).map(|title| self.raw(title));
        Some(())
    }

    fn example_line(&mut self, line: &LogicalLine, out: &mut Example) -> Option<()> {
        const LINES: [(&str, Rule); 4] = [
            ("grid", Rule::grid_line),
            ("finds", Rule::finds_line),
            ("after", Rule::after_line),
            ("board", Rule::board_line),
        ];
        let word = self.word(line, 0);
        let known = LINES.iter().find(|(known, _)| *known == word);
        if known.is_none() && !line.broken {
            let near = words::nearest(word, LINES.map(|(known, _)| known));
            self.found.push(SyntaxProblem::NotInExample { word: word.to_owned(), near }.at(&line.first_token()));
        }
        let node = self.node(known?.1, line)?;
        match node.rule() {
            Rule::grid => out.grids.push(self.raw(node.last().ok()?.span())),
            Rule::board => out.boards.push(self.raw(node.place(Rule::string)?)),
            Rule::after => out.after.extend(node.list::<RuleName>(Rule::instance).ok()?),
            _ => out.finds.push(node.all(Rule::deduction).map(|node| self.unquoted(node.span())).collect()),
        }
        Some(())
    }

    fn unquoted(&self, span: Span) -> Raw {
        Raw { text: text_at(self.source, &span).to_owned(), span }
    }
}
