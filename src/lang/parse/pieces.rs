//! Items and blocks. In: lines. Out: for each item its comment, its header and its lines, whatever braces
//! are missing; an item begins in column 1 even where the one before it was never closed.

use super::layout::Line;
use crate::lang::ast::Span;
use crate::lang::diagnostic::Diagnostic;
use crate::lang::words::{self, ITEMS};

/// The lines of an item.
pub struct Piece {
    pub doc: Vec<Line>,
    pub head: Line,
    pub body: Vec<Node>,
    pub end: usize,
}

/// A line, or a line with a block.
pub enum Node {
    Line(Line),
    Block(Line, Vec<Line>),
}

/// Groups lines into items.
pub fn pieces(source: &str, lines: Vec<Line>) -> (Vec<Piece>, Vec<Diagnostic>) {
    let mut grouper = Grouper { source, out: Vec::new(), found: Vec::new(), open: None, doc: Vec::new(), lost: false };
    for line in lines {
        grouper.line(line);
    }
    grouper.finish(None);
    grouper.stray_doc();
    (grouper.out, grouper.found)
}

struct Grouper<'a> {
    source: &'a str,
    out: Vec<Piece>,
    found: Vec<Diagnostic>,
    open: Option<Open>,
    doc: Vec<Line>,
    /// In lines outside of any item that were already reported.
    lost: bool,
}

/// An item whose `}` has not come.
struct Open {
    piece: Piece,
    block: Option<(Line, Vec<Line>)>,
}

impl Open {
    fn close_block(&mut self) {
        if let Some((head, lines)) = self.block.take() {
            self.piece.body.push(Node::Block(head, lines));
        }
    }
}

impl Grouper<'_> {
    fn text(&self, span: &Span) -> &str {
        self.source.get(span.clone()).unwrap_or("")
    }

    fn word<'s>(&'s self, line: &Line, at: usize) -> &'s str {
        line.tokens.get(at).map_or("", |token| self.text(&token.span))
    }

    fn begins_item(&self, line: &Line) -> bool {
        let word = self.word(line, 0);
        ITEMS.contains(&word) && (word != "strong" || self.word(line, 1) == "link")
    }

    fn line(&mut self, line: Line) {
        if self.open.is_some() && !line.doc && !(self.begins_item(&line) && line.indent == 0) {
            // The item that was thought to be left open goes on: nothing begins below the comment.
            self.stray_doc();
            self.doc.clear();
        }
        if self.begins_item(&line) && (line.indent == 0 || self.open.is_none()) {
            self.finish(Some(&line));
            // A rule list is one line.
            let whole = self.word(&line, 0) == "rules" && !line.opens;
            self.begin(line);
            if whole {
                self.end();
            }
        } else if line.doc {
            self.doc_line(line);
        } else if line.closes {
            self.close(&line);
        } else if let Some(brace) = self.left_open(&line) {
            self.found.push(
                Diagnostic::error("E0106", brace, "this block is never closed", "`{` opens here")
                    .label(line.span.clone(), "this line stands outside of it")
                    .help("add a line with `}` after the last line of the block"),
            );
            self.open.iter_mut().for_each(Open::close_block);
            self.line(line);
        } else if self.is_late_brace(&line) {
            // The header lacks it, which is reported there.
        } else if let Some(open) = &mut self.open {
            open.piece.end = line.span.end;
            match &mut open.block {
                Some((_, lines)) => lines.push(line),
                None if line.opens => open.block = Some((line, Vec::new())),
                None => open.piece.body.push(Node::Line(line)),
            }
        } else {
            self.outside(line);
        }
    }

    /// A `{` alone on the line below a header that should end with it.
    fn is_late_brace(&self, line: &Line) -> bool {
        let late = |open: &Open| !open.piece.head.opens && open.piece.body.is_empty() && open.block.is_none();
        line.tokens.len() == 1 && self.word(line, 0) == "{" && self.open.as_ref().is_some_and(late)
    }

    /// The `{` of a block inside of an item that this line, by its indentation, is no longer part of.
    fn left_open(&self, line: &Line) -> Option<Span> {
        let (head, _) = self.open.as_ref()?.block.as_ref()?;
        // The block of a `for`, an error, is read as lines of the technique.
        let outside = line.indent <= head.indent
            && self.word(head, 0) != "for"
            && words::STATEMENTS.contains(&self.word(line, 0));
        outside.then(|| head.span.end - 1..head.span.end)
    }

    fn begin(&mut self, head: Line) {
        let end = head.span.end;
        let doc = std::mem::take(&mut self.doc);
        self.lost = false;
        self.open = Some(Open { piece: Piece { doc, head, body: Vec::new(), end }, block: None });
    }

    /// Ends the open item at its `}`, or, if `next` or the end of the file comes first, with an error.
    fn finish(&mut self, next: Option<&Line>) {
        let Some(mut open) = self.open.take() else { return };
        let head = &open.piece.head;
        if head.opens {
            let brace = head.span.end - 1..head.span.end;
            let diagnostic = Diagnostic::error("E0106", brace, "this block is never closed", "`{` opens here");
            let diagnostic = match next {
                Some(next) => diagnostic
                    .label(next.span.start..next.span.end.min(next.span.start + 9), "the next item begins here"),
                None => diagnostic.label(open.piece.end..open.piece.end, "the file ends here"),
            };
            self.found.push(diagnostic.help("add a line with `}` after the last line of the block"));
        }
        open.close_block();
        self.out.push(open.piece);
    }

    fn close(&mut self, line: &Line) {
        let Some(open) = &mut self.open else {
            let text = "nothing is open here";
            if std::mem::replace(&mut self.lost, true) {
                return;
            }
            self.found.push(Diagnostic::error("E0106", line.span.clone(), "this `}` closes nothing", text));
            return;
        };
        open.piece.end = line.span.end;
        let head_indent = open.piece.head.indent;
        match &open.block {
            // A brace that stands below the item's own beginning closes the item; its block was left open.
            Some((head, _)) if head.indent > line.indent && line.indent == head_indent => {
                let brace = head.span.end - 1..head.span.end;
                let text = "`{` opens here";
                self.found.push(
                    Diagnostic::error("E0106", brace, "this block is never closed", text)
                        .label(line.span.clone(), "this `}` stands where the one of the whole item belongs")
                        .help("add a line with `}` after the last line of the block"),
                );
                self.end();
            }
            Some(_) => open.close_block(),
            None => self.end(),
        }
    }

    fn end(&mut self) {
        if let Some(mut open) = self.open.take() {
            open.close_block();
            self.out.push(open.piece);
        }
    }

    fn doc_line(&mut self, line: Line) {
        if self.open.as_ref().is_none_or(|open| line.indent == 0 && open.piece.head.indent == 0) {
            self.doc.push(line);
        } else {
            self.found.push(misplaced(&line));
        }
    }

    fn stray_doc(&mut self) {
        if let Some(line) = self.doc.first() {
            self.found.push(misplaced(line));
        }
    }

    /// A line between items. Only the first of several is reported.
    fn outside(&mut self, line: Line) {
        let word = self.word(&line, 0).to_owned();
        let near = words::nearest(&word, ITEMS.iter().copied());
        if !self.lost && !line.broken {
            let place = line.tokens.first().map_or(line.span.clone(), |token| token.span.clone());
            let statement = words::STATEMENTS.contains(&word.as_str()) || self.word(&line, 1) == ":";
            let message = match statement {
                true => format!("`{word}` stands outside of a technique"),
                false => format!("`{word}` begins nothing that a file can hold"),
            };
            let help = match near {
                _ if matches!(word.as_str(), "#" | "/" | "-" | "%" | ";") => "a comment begins with `//`".to_owned(),
                _ if word == "near" => "write `near_miss`".to_owned(),
                _ if matches!(word.as_str(), "rule" | "def" | "strategy" | "fn") => {
                    "a rule begins with `technique`".to_owned()
                }
                Some(near) => format!("did you mean `{near}`?"),
                None if statement => "put it between the `{` and the `}` of a technique".to_owned(),
                None => "a file holds `technique`, `pattern`, `strong link`, `rules`, `example` and `near_miss` items"
                    .to_owned(),
            };
            self.found.push(Diagnostic::error("E0103", place, message, "not an item").help(help));
        }
        self.lost = true;
        if line.opens {
            self.begin(Line { broken: true, ..line });
        }
    }
}

fn misplaced(line: &Line) -> Diagnostic {
    Diagnostic::warning(
        "W0101",
        line.span.clone(),
        "this comment belongs to no item",
        "`///` describes the item after it",
    )
    .help("write `//` for a comment, or move it above the item")
}
