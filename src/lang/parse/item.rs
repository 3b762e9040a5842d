//! Parses the lines of one item. An item with an unreadable header keeps its name, so that references to the item are
//! not reported as unknown.

use super::grammar::{Build, ParseNode, Rule};
use super::layout::{BodyLine, ItemLines, LogicalLine};
use super::tokens::TokenClass;
use super::{ItemReader, text_at};
use crate::lang::ast::{
    DocLine, EurekaNode, Example, Ident, Item, Pattern, RawText, RuleList, RuleName, Statement, StatementKind,
    StrongLink, Technique, ViewTitle,
};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::words;

impl ItemReader<'_> {
    /// Parses an item; `None` if its keyword is unknown.
    pub fn item(&mut self, lines: ItemLines) -> Option<Item> {
        let ItemLines { doc, head, body, end } = lines;
        let span = head.span.start..end;
        let doc: Vec<DocLine> = doc.iter().map(|line| self.doc_line(line)).collect();
        let first_word = head.word(0);
        // A misspelt keyword is reported already. The item is parsed as if it had the most similar keyword.
        let near = words::nearest(first_word, words::ITEMS);
        let keyword = if words::ITEMS.contains(&first_word) { first_word } else { near.as_deref()? };
        let id = self.id_of_header(keyword, &head);
        Some(match keyword {
            "strong" => {
                let header = self.link_header(&head);
                let body = self.body(body);
                let broken = header.is_none();
                let (id, left, right) = header.unwrap_or_else(|| {
                    let empty =
                        EurekaNode { span: span.clone(), digits: Vec::new(), links: Vec::new(), cell: id.clone() };
                    (id, empty.clone(), empty)
                });
                Item::StrongLink(StrongLink { span, doc, id, left, right, body, broken })
            }
            "pattern" => {
                let name = self.node(Rule::pattern_line, &head).and_then(|node| node.build(Rule::name).ok());
                let body = self.body(body);
                Item::Pattern(Pattern { span, doc, broken: name.is_none(), id: name.unwrap_or(id), body })
            }
            "rules" => {
                let list = self.rule_list(&head);
                let broken = list.is_none();
                let (id, members) = list.unwrap_or((id, Vec::new()));
                Item::RuleList(RuleList { span, doc, id, members, broken })
            }
            "example" | "near_miss" => {
                let empty = Example { span, doc, near_miss: keyword == "near_miss", id, ..Example::default() };
                Item::Example(self.example(&head, body, empty))
            }
            _ => {
                let technique = self.technique_header(&head, Technique { span, doc, id, ..Technique::default() });
                let mut body = self.body(body);
                if technique.broken {
                    // Names in an unreadable header may be parameters.
                    let kind = StatementKind::Broken(self.possible_names(&head));
                    body.push(Statement { span: head.span, kind });
                }
                Item::Technique(Technique { body, ..technique })
            }
        })
    }

    fn doc_line(&self, line: &LogicalLine) -> DocLine {
        let text = text_at(self.source, &line.span).trim_start_matches('/');
        DocLine { text: text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned(), span: line.span.clone() }
    }

    /// Returns the word after the keyword of a header (`technique`, `strong link` …) as the id of the item. The name of
    /// the id is empty if the header has no such word.
    fn id_of_header(&self, keyword: &str, head: &LogicalLine) -> Ident {
        let position = if keyword == "strong" { 2 } else { 1 };
        match head.tokens.get(position) {
            Some(token) if token.class == TokenClass::Word => {
                Ident { name: token.text.to_owned(), span: token.span.clone() }
            }
            _ => Ident { name: String::new(), span: head.span.clone() },
        }
    }

    fn technique_header(&mut self, line: &LogicalLine, mut technique: Technique) -> Technique {
        let Some(node) = self.node(Rule::technique_line, line) else { return Technique { broken: true, ..technique } };
        for part in node.children() {
            match part.rule() {
                Rule::head => {
                    technique.id = part.build(Rule::name).unwrap_or(technique.id);
                    let params = part.child(Rule::params).and_then(|params| params.build_list(Rule::param));
                    technique.params = params.unwrap_or_default();
                }
                Rule::string => technique.title = Some(self.text(part.span())),
                Rule::also => {
                    technique.views = part.children_of(Rule::space).filter_map(|node| self.view(&node)).collect()
                }
                Rule::k_assuming => technique.uniqueness_span = Some(part.span()),
                _ => {}
            }
        }
        technique
    }

    fn view(&mut self, node: &ParseNode) -> Option<ViewTitle> {
        let space = node.first().and_then(Ident::build).ok()?;
        Some(ViewTitle { space, title: self.text(node.span_of(Rule::string)?) })
    }

    /// Parses the header of a strong link to its name and its two nodes.
    fn link_header(&mut self, line: &LogicalLine) -> Option<(Ident, EurekaNode, EurekaNode)> {
        let node = self.node(Rule::link_line, line)?;
        let (left, right) = node.build_one_or_two(Rule::node).ok()?;
        Some((node.build(Rule::name).ok()?, left, right?))
    }

    /// Parses the line of a rule list to its name and its members.
    fn rule_list(&mut self, line: &LogicalLine) -> Option<(Ident, Vec<RuleName>)> {
        let node = self.node(Rule::rule_list_line, line)?;
        Some((node.build(Rule::name).ok()?, node.build_list(Rule::rule_ref).ok()?))
    }

    fn body(&mut self, lines: Vec<BodyLine>) -> Vec<Statement> {
        lines.into_iter().map(|line| self.body_line(line)).collect()
    }

    fn body_line(&mut self, BodyLine { line: head, block }: BodyLine) -> Statement {
        // If a chain has no block, parsing its header reports the missing `{`.
        let Some(lines) = block else { return self.statement(&head) };
        if words::BLOCKS.contains(&head.word(0)) {
            let end = lines.last().map_or(head.span.end, |line| line.span.end);
            let kind = self.statement_with_block(&head, &lines);
            let kind = kind.unwrap_or_else(|| StatementKind::Broken(self.possible_names(&head)));
            return Statement { span: head.span.start..end, kind };
        }
        if head.word(0) == "for" {
            self.report_for_block(&head, &lines);
        } else if !head.is_broken {
            let help = "in a technique only chains, loops, clusters, rings and `suppose … using links` have a block";
            self.diagnostics.push(SyntaxProblem::NoBlock.at(&head.brace()).help(help));
        }
        let names = lines.iter().chain([&head]).flat_map(|line| self.possible_names(line)).collect();
        Statement { span: head.span, kind: StatementKind::Broken(names) }
    }

    /// Reports `for d in D {`, which other languages have.
    fn report_for_block(&mut self, head: &LogicalLine, lines: &[LogicalLine]) {
        let clause = text_at(self.source, &(head.span.start..head.span.end - 1)).trim();
        let repeated = lines.first().map(|line| format!("{} {clause}", text_at(self.source, &line.span).trim()));
        self.diagnostics.push(SyntaxProblem::BlockOfFor { repeated }.at(&head.first_token()));
    }

    fn example(&mut self, head: &LogicalLine, body: Vec<BodyLine>, mut example: Example) -> Example {
        let mut is_readable = self.example_header(head, &mut example).is_some();
        for BodyLine { line, block } in body {
            if block.is_some() {
                self.diagnostics.push(SyntaxProblem::NoBlock.at(&line.brace()));
                is_readable = false;
            } else {
                is_readable &= self.example_line(&line, &mut example).is_some();
            }
        }
        Example { broken: !is_readable, ..example }
    }

    /// Adds the content of a header to an example. Returns `None` if the header is unreadable.
    fn example_header(&mut self, line: &LogicalLine, example: &mut Example) -> Option<()> {
        let node = self.node(Rule::example_line, line)?;
        let RuleName { id, args, .. } = node.build(Rule::rule_ref).ok()?;
        (example.id, example.args) = (id, args);
        example.title = node.span_of(Rule::string).map(|title| self.raw_text(title));
        Some(())
    }

    /// Adds the content of a line to an example. Returns `None` if the line is unreadable.
    fn example_line(&mut self, line: &LogicalLine, example: &mut Example) -> Option<()> {
        match line.word(0) {
            "grid" => {
                let grid = self.node(Rule::grid_line, line)?;
                example.grids.push(self.raw_text(grid.last().ok()?.span()));
            }
            "board" => {
                let board = self.node(Rule::board_line, line)?;
                example.boards.push(self.raw_text(board.span_of(Rule::string)?));
            }
            "after" => {
                let after = self.node(Rule::after_line, line)?;
                example.after.extend(after.build_list::<RuleName>(Rule::rule_ref).ok()?);
            }
            "finds" => {
                let finds = self.node(Rule::finds_line, line)?;
                let deductions = finds.children_of(Rule::deduction).map(|deduction| {
                    let span = deduction.span();
                    RawText { text: text_at(self.source, &span).to_owned(), span }
                });
                example.finds.push(deductions.collect());
            }
            _ if line.is_broken => return None,
            word => {
                let near = words::nearest(word, ["grid", "finds", "after", "board"]);
                let problem = SyntaxProblem::NotInExample { word: word.to_owned(), near };
                self.diagnostics.push(problem.at(&line.first_token()));
                return None;
            }
        }
        Some(())
    }
}
