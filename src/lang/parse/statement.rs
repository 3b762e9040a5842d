//! One line of a technique. In: a line. Out: a statement. The first word decides which rule of the grammar
//! reads the line, so a slip in that word is reported at that word.

use super::ItemReader;
use super::expected::foreign;
use super::grammar::{self, ParseNode, Rule};
use super::layout::LogicalLine;
use super::phrase::{TransposeOption, TreeBuilder, inner};
use super::tokens::{Token, TokenClass};
use crate::lang::ast::{Binding, Ident, Number, Qualifier, QualifierKind, Size, Statement, StatementKind};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words;

impl<'a> ItemReader<'a> {
    /// Returns the text of a token of a line.
    pub fn word(&self, line: &LogicalLine, at: usize) -> &str {
        line.tokens.get(at).and_then(|token| self.source.get(token.span.clone())).unwrap_or("")
    }

    /// Reads a line of a technique or of a link source.
    pub fn statement(&mut self, line: &LogicalLine) -> Statement {
        let kind = self.read_statement(line).unwrap_or_else(|| StatementKind::Broken(self.names(line)));
        Statement { span: line.span.clone(), kind }
    }

    /// Returns every word of an unreadable line that may be a name.
    pub fn names(&self, line: &LogicalLine) -> Vec<Ident> {
        let words = line.tokens.iter().filter(|token| token.class == TokenClass::Word);
        let idents = words.map(|token| {
            let name = self.source.get(token.span.clone()).unwrap_or("").to_owned();
            Ident { name, span: token.span.clone() }
        });
        idents.filter(|ident| !words::is_reserved(&ident.name) && !words::is_built_in(&ident.name)).collect()
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
        let kind = self.build(node, TreeBuilder { offset: line.span.start });
        if kind.is_none() {
            self.found.push(grammar::unread(line));
        }
        kind
    }

    /// Returns the parse tree of a line, or notes its diagnostic.
    pub fn node(&mut self, rule: Rule, line: &LogicalLine) -> Option<ParseNode<'a>> {
        match grammar::read(rule, self.masked, self.source, line) {
            Ok(node) => Some(node),
            Err(diagnostic) => {
                self.found.push(diagnostic);
                None
            }
        }
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

    fn build(&mut self, node: ParseNode, at: TreeBuilder) -> Option<StatementKind> {
        let rule = node.as_rule();
        if rule == Rule::binding {
            return at.binding(node).map(StatementKind::Binding);
        }
        if rule == Rule::trail {
            return at.trail(node).map(StatementKind::Trail);
        }
        match rule {
            Rule::join => return at.join(node),
            Rule::suppose => return at.suppose(node).map(StatementKind::Suppose),
            Rule::conclude_literal => {
                let not = inner(node.clone(), Rule::k_not).next().map(|not| at.span(&not));
                let name = inner(node, Rule::name).next()?;
                return Some(StatementKind::ConcludeLiteral(not, at.ident(&name)));
            }
            _ => {}
        }
        let (mut nouns, mut text, mut condition, mut each) = (Vec::new(), None, None, Vec::new());
        let (mut bindings, mut names, mut outside) = (Vec::new(), Vec::new(), false);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::noun => nouns.push(at.noun(part)?),
                Rule::those => nouns.push(at.those_alone(part)?),
                Rule::string => text = Some(self.text(at.span(&part))),
                Rule::condition => condition = Some(at.condition(part)?),
                Rule::each => each.push(at.each(part)?),
                Rule::name => names.push(at.ident(&part)),
                Rule::outside_its => outside = true,
                Rule::case_binding => bindings.push(at.binding(part)?),
                _ => {}
            }
        }
        let mut nouns = nouns.into_iter();
        Some(match rule {
            Rule::case => StatementKind::Case(text, bindings),
            Rule::let_ => StatementKind::Let(names.pop()?, nouns.next()?),
            Rule::guardians => StatementKind::Guardians(names.pop()?, nouns.next()?),
            Rule::per => StatementKind::Per(names),
            Rule::uses => StatementKind::Uses(names.pop()?),
            Rule::require => StatementKind::Require(condition?, each),
            Rule::eliminate => StatementKind::Eliminate(nouns.next()?, nouns.next(), each),
            Rule::place => StatementKind::Place(nouns.next()?, each),
            Rule::conclude if !names.is_empty() => StatementKind::ConcludeLinks(names.pop()?, outside),
            Rule::conclude => StatementKind::Conclude(nouns.next()?, each),
            Rule::called => StatementKind::Called(text?, condition.map(|condition| (condition, each))),
            Rule::says => StatementKind::Says(text?),
            Rule::because => StatementKind::Because(text?),
            _ => return None,
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

impl TreeBuilder {
    /// `join other(n) by d, base`
    fn join(self, node: ParseNode) -> Option<StatementKind> {
        let by = inner(node.clone(), Rule::name).map(|node| self.ident(&node)).collect();
        let (mut id, mut members) = (None, Vec::new());
        for part in inner(node, Rule::joined).next()?.into_inner() {
            match part.as_rule() {
                Rule::name => id = Some(self.ident(&part)),
                Rule::members => members = inner(part, Rule::sum).map(|node| self.sum(node)).collect::<Option<_>>()?,
                _ => {}
            }
        }
        Some(StatementKind::Join(id?, members, by))
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
    let unknown = || SyntaxProblem::UnknownStatement { word: first.to_owned() }.at(&token.span);
    if let Some(instead) = another_word(first).filter(|_| second != "=") {
        return unknown().help(format!("write `{instead}`"));
    }
    let is_kind = |word: &str| words::KINDS.iter().any(|(one, many)| word == *one || word == *many);
    if is_kind(first) && second.starts_with(char::is_alphabetic) {
        return unknown().help(format!("write `{second}: {first} …`: the name comes first"));
    }
    if RELATIONS.contains(&second) {
        return unknown().help(format!("write `require {first} {second} …`"));
    }
    if second == "<>" {
        return unknown().help(format!("write `eliminate {third} from {first}`"));
    }
    if let Some(near) = words::nearest(first, words::STATEMENTS.iter().copied()) {
        return unknown().help(format!("did you mean `{near}`?"));
    }
    let help = match second {
        "=" => format!("write `{first}: cell = …` to choose a cell, `let {first} = …` to name a value"),
        "" => format!("write `{first}: cell`, with the kind that it has"),
        _ if is_kind(second) => format!("write `{first}: {second}`"),
        _ => return unknown().help(STATEMENT_HELP),
    };
    SyntaxProblem::NoKind { name: first.to_owned() }.at(&token.span).help(help)
}

impl TreeBuilder {
    pub fn binding(self, node: ParseNode) -> Option<Binding> {
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

    fn size(self, node: ParseNode) -> Option<Size> {
        let span = self.span(&node);
        let range = node.clone().into_inner().any(|part| part.as_rule() == Rule::dots);
        let mut sums = inner(node, Rule::sum);
        let low = self.sum(sums.next()?)?;
        let high = sums.next().map(|node| self.sum(node)).transpose_()?;
        Some(Size { span, low, range, high })
    }

    fn qualifier(self, node: ParseNode) -> Option<Qualifier> {
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
            Rule::disjoint_from => {
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
