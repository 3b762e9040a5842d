//! One line of a technique. In: a line. Out: a statement. The first word decides which rule of the grammar
//! reads the line, so a slip in that word is reported at that word.

use super::ItemReader;
use super::build::with_links;
use super::expected::foreign;
use super::grammar::{self, Build, BuildResult, Mismatch, ParseNode, Rule};
use super::layout::LogicalLine;
use super::tokens::{Token, TokenClass};
use crate::lang::ast::{Ident, LinkBlock, Noun, Statement, StatementKind, WeakLinks};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

impl<'a> ItemReader<'a> {
    /// Returns the text of a token of a line.
    pub fn word(&self, line: &LogicalLine, at: usize) -> &'a str {
        line.word(self.source, at)
    }

    /// Reads a line of a technique or of a link source.
    pub fn statement(&mut self, line: &LogicalLine) -> Statement {
        let kind = self.read_statement(line).unwrap_or_else(|| StatementKind::Broken(self.names(line)));
        Statement { span: line.span.clone(), kind }
    }

    /// Returns every word of an unreadable line that may be a name.
    pub fn names(&self, line: &LogicalLine) -> Vec<Ident> {
        let words = line.tokens.iter().filter(|token| token.class == TokenClass::Word);
        words
            .map(|token| Ident { name: token.text(self.source).to_owned(), span: token.span.clone() })
            .filter(|ident| words::is_free(&ident.name))
            .collect()
    }

    fn read_statement(&mut self, line: &LogicalLine) -> Option<StatementKind> {
        if line.broken {
            return None;
        }
        let rule = match self.rule(line) {
            Ok(rule) => rule,
            Err(diagnostic) => {
                self.found.push(*diagnostic);
                return None;
            }
        };
        let node = self.node(rule, line)?;
        let kind = self.build(&node);
        self.built(kind, line)
    }

    /// Reads a statement with its block.
    pub fn with_block(&mut self, head: &LogicalLine, lines: &[LogicalLine]) -> Option<StatementKind> {
        let rule = match self.word(head, 0) {
            "loop" => Rule::loop_line,
            "cluster" => Rule::cluster_line,
            "ring" => Rule::ring_line,
            "suppose" => Rule::suppose_links_line,
            _ => Rule::open_chain_line,
        };
        let node = self.node(rule, head);
        // Read the block even if the header has an error.
        let mut links = LinkBlock::default();
        for line in lines {
            links.broken |= self.link_line(line, &mut links).is_none();
        }
        self.built(with_links(&node?, links), head)
    }

    /// Reads a `strong:` or `weak:` line of a block.
    fn link_line(&mut self, line: &LogicalLine, links: &mut LinkBlock) -> Option<()> {
        let rule = match self.word(line, 0) {
            "strong" => Rule::strong_line,
            "weak" => Rule::weak_line,
            _ if line.broken => return None,
            word => {
                let near = words::nearest(word, ["strong", "weak"]);
                self.found.push(SyntaxProblem::NotInLinks { word: word.to_owned(), near }.at(&line.first_token()));
                return None;
            }
        };
        let node = self.node(rule, line)?;
        if rule == Rule::strong_line {
            links.strong.push(node.list(Rule::name).ok()?);
            return Some(());
        }
        let weak = match () {
            () if node.has(Rule::w_any) => WeakLinks::Any,
            () if node.has(Rule::w_cell) => WeakLinks::Cell,
            () => WeakLinks::SameDigit,
        };
        links.weak.push((weak, line.span.clone()));
        Some(())
    }

    /// Returns the parse tree of a line, or notes its diagnostic; `None` for lines with errors that were reported already.
    pub fn node(&mut self, rule: Rule, line: &LogicalLine) -> Option<ParseNode<'a>> {
        if line.broken {
            return None;
        }
        match grammar::read(rule, self.masked, self.source, line) {
            Ok(node) => Some(node),
            Err(diagnostic) => {
                self.found.push(diagnostic);
                None
            }
        }
    }

    /// Notes that the parse tree of a line did not fit, if so.
    fn built(&mut self, kind: BuildResult<StatementKind>, line: &LogicalLine) -> Option<StatementKind> {
        if kind.is_err() {
            self.found.push(grammar::unread(line));
        }
        kind.ok()
    }

    /// Returns the grammar rule for a line, by its first word.
    fn rule(&self, line: &LogicalLine) -> Result<Rule, Box<Diagnostic>> {
        let (first, second) = (self.word(line, 0), self.word(line, 1));
        Ok(match first {
            "case" => Rule::case_line,
            "let" => Rule::let_line,
            "require" => Rule::require_line,
            "eliminate" => Rule::eliminate_line,
            "place" => Rule::place_line,
            "conclude" if self.is_literal(line) => Rule::conclude_literal_line,
            "conclude" => Rule::conclude_line,
            "called" => Rule::called_line,
            "says" => Rule::says_line,
            "because" => Rule::because_line,
            "guardians" => Rule::guardians_line,
            "uses" => Rule::uses_line,
            "join" => Rule::join_line,
            // Both words are ordinary names elsewhere.
            "one" if second == "step" => Rule::per_line,
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

    /// Returns true for `conclude q` and `conclude not p`, with nothing but a name.
    fn is_literal(&self, line: &LogicalLine) -> bool {
        let name = if self.word(line, 1) == "not" { 2 } else { 1 };
        line.tokens.len() == name + 1 && !words::is_reserved(self.word(line, name))
    }

    fn uses_links(&self, line: &LogicalLine) -> bool {
        (1..line.tokens.len()).any(|at| self.word(line, at) == "using" && self.word(line, at + 1) == "links")
    }

    /// Returns the rule for a line that begins with no word of a statement: a binding, or an error.
    fn binding_rule(&self, line: &LogicalLine, first: &str, second: &str) -> Result<Rule, Box<Diagnostic>> {
        let Some(token) = line.tokens.first() else { return Ok(Rule::binding_line) };
        let binds = matches!(second, ":" | "," | "[");
        if token.class == TokenClass::Word && binds && !words::is_reserved(first) {
            return Ok(Rule::binding_line);
        }
        let refusal = match token.class == TokenClass::Word {
            false => no_word(token, first),
            true if words::is_reserved(first) => misplaced(token, first, binds),
            true => no_statement(token, [first, second, self.word(line, 2)]),
        };
        Err(Box::new(refusal))
    }

    fn build(&mut self, node: &ParseNode) -> BuildResult<StatementKind> {
        let text = node.place(Rule::string).map(|span| self.text(span));
        Ok(match node.rule() {
            Rule::binding => StatementKind::Binding(Build::build(node.clone())?),
            Rule::case => StatementKind::Case(text, node.list(Rule::case_binding)?),
            Rule::let_ => StatementKind::Let(node.one(Rule::name)?, Noun::build(node.last()?)?),
            Rule::guardians => StatementKind::Guardians(node.one(Rule::name)?, Noun::build(node.last()?)?),
            Rule::require => StatementKind::Require(node.one(Rule::condition)?, node.list(Rule::each)?),
            Rule::eliminate => {
                let (what, from) = node.one_or_two(Rule::noun)?;
                StatementKind::Eliminate(what, from, node.list(Rule::each)?)
            }
            Rule::place => StatementKind::Place(node.one(Rule::noun)?, node.list(Rule::each)?),
            Rule::conclude if node.has(Rule::name) => {
                StatementKind::ConcludeLinks(node.one(Rule::name)?, node.has(Rule::outside_its))
            }
            Rule::conclude => StatementKind::Conclude(node.one(Rule::noun)?, node.list(Rule::each)?),
            Rule::conclude_literal => StatementKind::ConcludeLiteral(node.place(Rule::k_not), node.one(Rule::name)?),
            Rule::called => {
                let (when, each) = (node.maybe(Rule::condition)?, node.list(Rule::each)?);
                StatementKind::Called(text.ok_or(Mismatch)?, when.map(|when| (when, each)))
            }
            Rule::says => StatementKind::Says(text.ok_or(Mismatch)?),
            Rule::because => StatementKind::Because(text.ok_or(Mismatch)?),
            Rule::per => StatementKind::Per(node.list(Rule::name)?),
            Rule::uses => StatementKind::Uses(node.one(Rule::name)?),
            Rule::join => {
                let joined = node.child(Rule::joined)?;
                let members = joined.all(Rule::members).next().map(|members| members.list(Rule::sum)).transpose()?;
                StatementKind::Join(joined.one(Rule::name)?, members.unwrap_or_default(), node.list(Rule::name)?)
            }
            Rule::trail => StatementKind::Trail(Build::build(node.clone())?),
            Rule::suppose => StatementKind::Suppose(Build::build(node.clone())?),
            _ => return Err(Mismatch),
        })
    }
}

const STATEMENT_HELP: &str = "a line begins with `name: kind`, or with `require`, `let`, `chain`, `eliminate`, \
     `place`, `conclude`, `case`, `guardians`, `uses`, `join`, `loop`, `cluster`, \
     `ring`, `suppose`, `one step per`, `called`, `says` or `because`";

/// Returns the statement that other rule languages call by this word.
fn another_word(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "remove" | "delete" | "exclude" | "discard" => "eliminate d from …",
        "set" | "assign" | "put" | "solve" => "place d in …",
        "if" | "where" | "assert" | "must" | "given" | "when" => "require …",
        "then" => "eliminate d from …` or `place d in …",
        "therefore" | "so" => "conclude some …",
        "assume" | "assumes" | "unique" => "technique my_rule \"My Rule\" assuming one solution {",
        "define" | "var" | "const" => "let name = …",
        _ => return None,
    })
}

/// Returns advice for a word that begins no statement.
fn belongs(word: &str) -> String {
    match word {
        "when" | "otherwise" => "write `called \"Name\" when …`".to_owned(),
        "strong" | "weak" => format!("`{word}:` stands in the block of a chain, loop, cluster, ring or supposition"),
        "grid" | "finds" => format!("`{word}` stands in an `example`"),
        "for" => "`for d in …` stands at the end of the line that it repeats".to_owned(),
        "some" | "every" | "no" | "not" => format!("write `require {word} …` for a condition"),
        "and" | "or" => format!("end the line before with `{word}`, or write `require …`"),
        "technique" | "example" | "near_miss" | "rules" => "close the block before with `}`".to_owned(),
        _ if words::STATEMENTS.contains(&word) => STATEMENT_HELP.to_owned(),
        _ => format!("put `{word} …` after the kind of a name, or begin the line with `require`"),
    }
}

/// Returns the error for a line that begins with a mark.
fn no_word(token: &Token, first: &str) -> Diagnostic {
    let help = match first {
        "=>" | "->" => {
            "write what follows on a line of its own: `eliminate d from A`, `place d in A` or `conclude some …`"
                .to_owned()
        }
        "{" => "the `{` of a block is the last mark of the line that it belongs to".to_owned(),
        _ => foreign(first).unwrap_or_else(|| STATEMENT_HELP.to_owned()),
    };
    SyntaxProblem::BeginsWithMark { mark: first.to_owned() }.at(&token.span).help(help)
}

/// Returns the error for a line that begins with a word of the language.
fn misplaced(token: &Token, first: &str, binds: bool) -> Diagnostic {
    if binds {
        return SyntaxProblem::ReservedName { word: first.to_owned() }.at(&token.span);
    }
    SyntaxProblem::BeginsWithWord { word: first.to_owned() }.at(&token.span).help(belongs(first))
}

/// Words and signs between the two sides of a condition.
const RELATIONS: &[&str] = &[
    "sees", "has", "lacks", "in", "within", "disjoint", "meeting", "avoiding", "through", "crossing", "parallel", "!=",
    "<", "<=", ">", ">=",
];

/// Returns the error for a line that begins with a name without `:` and kind.
fn no_statement(token: &Token, [first, second, third]: [&str; 3]) -> Diagnostic {
    let unknown = SyntaxProblem::UnknownStatement { word: first.to_owned() }.at(&token.span);
    if let Some(instead) = another_word(first).filter(|_| second != "=") {
        return unknown.help(format!("write `{instead}`"));
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
        "" => format!("write `{first}: cell`, with the kind that it has"),
        _ if words::is_kind(second) => format!("write `{first}: {second}`"),
        _ => return unknown.help(STATEMENT_HELP),
    };
    SyntaxProblem::NoKind { name: first.to_owned() }.at(&token.span).help(help)
}
