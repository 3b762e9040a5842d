//! Parses one line of a technique. Its first word selects the grammar rule.

use super::ItemReader;
use super::build::with_links;
use super::grammar::{self, Build, BuildResult, Mismatch, ParseNode, Rule};
use super::layout::LogicalLine;
use super::tokens::{Token, TokenClass};
use crate::lang::ast::{Ident, LinkBlock, Statement, StatementKind, TermList, WeakLinks};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

impl<'a> ItemReader<'a> {
    pub fn statement(&mut self, line: &LogicalLine) -> Statement {
        let kind = self.statement_kind(line).unwrap_or_else(|| StatementKind::Broken(self.possible_names(line)));
        Statement { span: line.span.clone(), kind }
    }

    /// Returns every word of an unreadable line that may be a name.
    pub fn possible_names(&self, line: &LogicalLine) -> Vec<Ident> {
        let words = line.tokens.iter().filter(|token| token.class == TokenClass::Word);
        words
            .map(|token| Ident { name: token.text.to_owned(), span: token.span.clone() })
            .filter(|ident| words::can_be_name(&ident.name))
            .collect()
    }

    fn statement_kind(&mut self, line: &LogicalLine) -> Option<StatementKind> {
        if line.is_broken {
            return None;
        }
        match self.grammar_rule(line) {
            Ok(rule) => {
                let node = self.node(rule, line)?;
                let kind = self.build_statement(&node);
                self.report_mismatch(kind, line)
            }
            Err(diagnostic) => {
                self.diagnostics.push(*diagnostic);
                None
            }
        }
    }

    /// Parses a statement with a block; `None` if the header is unreadable.
    pub fn statement_with_block(&mut self, head: &LogicalLine, lines: &[LogicalLine]) -> Option<StatementKind> {
        let rule = match head.word(0) {
            "loop" => Rule::loop_line,
            "cluster" => Rule::cluster_line,
            "ring" => Rule::ring_line,
            "suppose" => Rule::suppose_links_line,
            _ => Rule::open_chain_line,
        };
        let node = self.node(rule, head);
        // The block is parsed even if the header has an error.
        let mut links = LinkBlock::default();
        for line in lines {
            links.broken |= self.link_line(line, &mut links).is_none();
        }
        self.report_mismatch(with_links(&node?, links), head)
    }

    /// Adds a `strong:` or `weak:` line to a block. Returns `None` if the line is unreadable.
    fn link_line(&mut self, line: &LogicalLine, links: &mut LinkBlock) -> Option<()> {
        let rule = match line.word(0) {
            "strong" => Rule::strong_line,
            "weak" => Rule::weak_line,
            _ if line.is_broken => return None,
            word => {
                let near = words::nearest(word, ["strong", "weak"]);
                self.diagnostics
                    .push(SyntaxProblem::NotInLinks { word: word.to_owned(), near }.at(&line.first_token()));
                return None;
            }
        };
        let node = self.node(rule, line)?;
        if rule == Rule::strong_line {
            links.strong.push(node.build_list(Rule::name).ok()?);
            return Some(());
        }
        let weak = if node.has(Rule::w_any) {
            WeakLinks::Any
        } else if node.has(Rule::w_cell) {
            WeakLinks::Cell
        } else {
            WeakLinks::SameDigit
        };
        links.weak.push((weak, line.span.clone()));
        Some(())
    }

    /// Returns the parse tree of a line. Reports an unreadable line, unless an error in it is already reported.
    pub fn node(&mut self, rule: Rule, line: &LogicalLine) -> Option<ParseNode<'a>> {
        if line.is_broken {
            return None;
        }
        match grammar::read(rule, self.masked, line) {
            Ok(node) => Some(node),
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Returns a statement, or reports a [`Mismatch`].
    fn report_mismatch(&mut self, kind: BuildResult<StatementKind>, line: &LogicalLine) -> Option<StatementKind> {
        if kind.is_err() {
            self.diagnostics.push(grammar::unreadable(line));
        }
        kind.ok()
    }

    /// Returns the grammar rule for a line, by its first word.
    fn grammar_rule(&self, line: &LogicalLine) -> Result<Rule, Box<Diagnostic>> {
        let first = line.word(0);
        let second = line.word(1);
        Ok(match first {
            "case" => Rule::case_line,
            "let" => Rule::let_line,
            "require" => Rule::require_line,
            "eliminate" => Rule::eliminate_line,
            "place" => Rule::place_line,
            "conclude" if self.is_single_name(line) => Rule::conclude_literal_line,
            "conclude" => Rule::conclude_line,
            "called" => Rule::called_line,
            "says" => Rule::says_line,
            "because" => Rule::because_line,
            "guardians" => Rule::guardians_line,
            "uses" => Rule::uses_line,
            "join" => Rule::join_line,
            // `one` and `step` may be names.
            "one" if second == "step" => Rule::one_step_per_line,
            "chain" if second == "(" => Rule::trail_line,
            "chain" => Rule::open_chain_line,
            "loop" => Rule::loop_line,
            "cluster" => Rule::cluster_line,
            "ring" => Rule::ring_line,
            "suppose" if self.uses_links(line) => Rule::suppose_links_line,
            "suppose" => Rule::suppose_line,
            _ => return self.binding_rule(line, first, second),
        })
    }

    /// Returns true for `conclude q` and `conclude not p`: one name, which must be a literal.
    fn is_single_name(&self, line: &LogicalLine) -> bool {
        let position = if line.word(1) == "not" { 2 } else { 1 };
        line.tokens.len() == position + 1 && !words::is_reserved(line.word(position))
    }

    fn uses_links(&self, line: &LogicalLine) -> bool {
        (1..line.tokens.len()).any(|position| line.word(position) == "using" && line.word(position + 1) == "links")
    }

    /// Returns the grammar rule for a line that begins with no keyword. Such a line must be a binding.
    fn binding_rule(&self, line: &LogicalLine, first: &str, second: &str) -> Result<Rule, Box<Diagnostic>> {
        let Some(token) = line.tokens.first() else { return Ok(Rule::binding_line) };
        let looks_like_binding = matches!(second, ":" | "," | "[");
        if token.class == TokenClass::Word && looks_like_binding && !words::is_reserved(first) {
            return Ok(Rule::binding_line);
        }
        let diagnostic = if token.class != TokenClass::Word {
            begins_with_mark(token, first)
        } else if !words::is_reserved(first) {
            begins_with_name(token, [first, second, line.word(2)])
        } else if looks_like_binding {
            SyntaxProblem::ReservedName { word: first.to_owned() }.at(&token.span)
        } else {
            SyntaxProblem::BeginsWithWord { word: first.to_owned() }.at(&token.span).help(help_for_keyword(first))
        };
        Err(Box::new(diagnostic))
    }

    fn build_statement(&mut self, node: &ParseNode) -> BuildResult<StatementKind> {
        let text = node.span_of(Rule::string).map(|span| self.text(span));
        Ok(match node.rule() {
            Rule::binding => StatementKind::Binding(Build::build(node.clone())?),
            Rule::case => StatementKind::Case(text, node.build_list(Rule::case_binding)?),
            Rule::let_ => StatementKind::Let(node.build(Rule::name)?, TermList::build(node.last()?)?),
            Rule::guardians => StatementKind::Guardians(node.build(Rule::name)?, TermList::build(node.last()?)?),
            Rule::require => StatementKind::Require(node.build(Rule::condition)?, node.build_list(Rule::for_clause)?),
            Rule::eliminate => {
                let (candidates, from) = node.build_one_or_two(Rule::term_list)?;
                StatementKind::Eliminate(candidates, from, node.build_list(Rule::for_clause)?)
            }
            Rule::place => StatementKind::Place(node.build(Rule::term_list)?, node.build_list(Rule::for_clause)?),
            Rule::conclude if node.has(Rule::name) => {
                StatementKind::ConcludeLinks(node.build(Rule::name)?, node.has(Rule::outside_its))
            }
            Rule::conclude => StatementKind::Conclude(node.build(Rule::term_list)?, node.build_list(Rule::for_clause)?),
            Rule::conclude_literal => {
                StatementKind::ConcludeLiteral(node.span_of(Rule::k_not), node.build(Rule::name)?)
            }
            Rule::called => {
                let (condition, clauses) = (node.build_optional(Rule::condition)?, node.build_list(Rule::for_clause)?);
                StatementKind::Called(text.ok_or(Mismatch)?, condition.map(|condition| (condition, clauses)))
            }
            Rule::says => StatementKind::Says(text.ok_or(Mismatch)?),
            Rule::because => StatementKind::Because(text.ok_or(Mismatch)?),
            Rule::one_step_per => StatementKind::OneStepPer(node.build_list(Rule::name)?),
            Rule::uses => StatementKind::Uses(node.build(Rule::name)?),
            Rule::join => {
                let joined = node.child(Rule::joined)?;
                let args = match joined.children_of(Rule::members).next() {
                    Some(members) => members.build_list(Rule::sum)?,
                    None => Vec::new(),
                };
                StatementKind::Join(joined.build(Rule::name)?, args, node.build_list(Rule::name)?)
            }
            Rule::trail => StatementKind::FixedChain(Build::build(node.clone())?),
            Rule::suppose => StatementKind::Suppose(Build::build(node.clone())?),
            _ => return Err(Mismatch),
        })
    }
}

const STATEMENT_HELP: &str = "a line begins with `name: kind`, or with `require`, `let`, `chain`, `eliminate`, \
     `place`, `conclude`, `case`, `guardians`, `uses`, `join`, `loop`, `cluster`, \
     `ring`, `suppose`, `one step per`, `called`, `says` or `because`";

/// Returns advice for a keyword that begins no statement.
fn help_for_keyword(word: &str) -> String {
    let advice = "put `{word} …` after the kind of a name, or begin the line with `require`";
    words::foreign_word("keyword", word).unwrap_or(advice).replace("{word}", word)
}

fn begins_with_mark(token: &Token, first: &str) -> Diagnostic {
    let help = match first {
        "=>" | "->" => {
            "write the conclusion on a line of its own: `eliminate d from A`, `place d in A` or `conclude some …`"
        }
        "{" => "the `{` of a block stands at the end of the line before the block",
        _ => words::foreign_word("mark", first).unwrap_or(STATEMENT_HELP),
    };
    SyntaxProblem::BeginsWithMark { mark: first.to_owned() }.at(&token.span).help(help)
}

/// Words and signs between the left and the right side of a condition, except `=`.
const RELATIONS: &[&str] = &[
    "sees", "has", "lacks", "in", "within", "disjoint", "meeting", "avoiding", "through", "crossing", "parallel", "!=",
    "<", "<=", ">", ">=",
];

/// Returns the diagnostic for a line that begins with a name but is no binding. The array contains the first three
/// words of the line.
fn begins_with_name(token: &Token, [first, second, third]: [&str; 3]) -> Diagnostic {
    let unknown = SyntaxProblem::UnknownStatement { word: first.to_owned() }.at(&token.span);
    if let Some(statement) = words::foreign_word("statement", &first.to_ascii_lowercase())
        && second != "="
    {
        return unknown.help(format!("write `{statement}`"));
    }
    if words::is_kind(first) && second.starts_with(char::is_alphabetic) {
        return unknown.help(format!("write `{second}: {first} …`: the name comes first"));
    }
    if RELATIONS.contains(&second) {
        return unknown.help(format!("write `require {first} {second} …`"));
    }
    if second == "<>" {
        return unknown.help(format!("write `eliminate {third} from {first}`"));
    }
    if let Some(near) = words::nearest(first, words::STATEMENTS) {
        return unknown.help(format!("did you mean `{near}`?"));
    }
    let help = match second {
        "=" => format!("write `{first}: cell = …` to choose a cell, `let {first} = …` to name a value"),
        "" => format!("write `{first}: cell`, or another kind after the colon"),
        _ if words::is_kind(second) => format!("write `{first}: {second}`"),
        _ => return unknown.help(STATEMENT_HELP),
    };
    SyntaxProblem::NoKind { name: first.to_owned() }.at(&token.span).help(help)
}
