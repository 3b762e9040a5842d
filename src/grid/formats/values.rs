//! Values in brackets as programs write them: JSON, and arrays of JavaScript, Python, C, Ruby, Lua, Rust, Go, Julia, MATLAB, MiniZinc
//! and others. In: text. Out: a tree of [`ValueNode`]s with their lines, or the end of the brackets.
//!
//! Languages are not distinguished: commas or blanks separate values, `;` and `|` separate rows, a name before `:`, `=` or `=>` is a key,
//! names of types and functions before a bracket are dropped.

use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// Deepest nesting of brackets.
const DEEPEST: usize = 48;

/// Most values of a document.
const MOST_VALUES: usize = 1_000_000;

/// A value and its line.
#[derive(Clone, Debug)]
pub(super) struct ValueNode<'t> {
    pub kind: NodeKind<'t>,
    /// Number of lines before it in the text.
    pub line: usize,
}

/// The kinds of values.
#[derive(Clone, Debug)]
pub(super) enum NodeKind<'t> {
    /// Values in brackets.
    Group(NodeGroup<'t>),
    /// Characters in quotes.
    Text(Cow<'t, str>),
    /// A number, or a name such as `None`.
    Word(&'t str),
    /// Nothing between two commas.
    Hole,
}

/// Values in brackets, with keys or without.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeGroup<'t> {
    pub entries: Vec<GroupEntry<'t>>,
    /// True if a comma follows the last value.
    pub has_trailing_comma: bool,
}

/// A value of a group.
#[derive(Clone, Debug)]
pub(super) struct GroupEntry<'t> {
    pub key: Option<Cow<'t, str>>,
    pub value: ValueNode<'t>,
}

impl<'t> ValueNode<'t> {
    /// Returns the values of a list or object; none for anything else.
    pub fn group(&self) -> Option<&NodeGroup<'t>> {
        if let NodeKind::Group(group) = &self.kind { Some(group) } else { None }
    }

    fn into_group(self) -> Option<NodeGroup<'t>> {
        if let NodeKind::Group(group) = self.kind { Some(group) } else { None }
    }

    /// Returns the values of a list; none for anything else.
    pub fn list(&self) -> Option<&NodeGroup<'t>> {
        self.group().filter(|group| !group.has_keys())
    }

    /// Returns the values of an object; none for anything else.
    pub fn object(&self) -> Option<&NodeGroup<'t>> {
        self.group().filter(|group| group.has_keys())
    }

    /// Returns true if it has values of its own.
    pub fn is_group(&self) -> bool {
        self.group().is_some()
    }

    /// Returns the characters of a text, number or name.
    pub fn scalar(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Text(text) => Some(text),
            NodeKind::Word(word) => Some(word),
            NodeKind::Hole => Some(""),
            NodeKind::Group(_) => None,
        }
    }

    /// Returns the value as JSON, for the readers of formats that are JSON.
    pub fn json(&self) -> Json {
        match &self.kind {
            NodeKind::Text(text) => Json::String(text.to_string()),
            NodeKind::Hole | NodeKind::Word("null" | "None" | "nil" | "undefined") => Json::Null,
            NodeKind::Word("true" | "True") => Json::Bool(true),
            NodeKind::Word("false" | "False") => Json::Bool(false),
            NodeKind::Word(word) => serde_json::from_str(word).unwrap_or_else(|_| Json::String(word.to_string())),
            NodeKind::Group(group) if group.is_object() => Json::Object(group.json()),
            NodeKind::Group(group) => Json::Array(group.values().map(ValueNode::json).collect()),
        }
    }
}

impl<'t> NodeGroup<'t> {
    /// Returns true if some value has a key.
    fn has_keys(&self) -> bool {
        self.entries.iter().any(|entry| entry.key.is_some())
    }

    /// Returns true if every value has a key.
    fn is_object(&self) -> bool {
        self.has_keys() && self.entries.iter().all(|entry| entry.key.is_some())
    }

    /// Returns the values, without their keys.
    pub fn values(&self) -> impl Iterator<Item = &ValueNode<'t>> {
        self.entries.iter().map(|entry| &entry.value)
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&ValueNode<'t>> {
        self.entries.iter().find(|entry| entry.key.as_deref() == Some(key)).map(|entry| &entry.value)
    }

    /// Returns the values with keys, as JSON.
    pub fn json(&self) -> Map<String, Json> {
        let named = self.entries.iter().filter_map(|entry| Some((entry.key.as_ref()?.to_string(), entry.value.json())));
        named.collect()
    }
}

/// The smallest parts of a text.
#[derive(Clone, Debug, PartialEq)]
enum ValueToken<'t> {
    Open,
    Close,
    Comma,
    /// A separator of rows.
    Row,
    /// The symbol between a key and its value; true for the arrow that numbers rows in PHP and Ruby.
    Is(bool),
    /// Cells that a printed array leaves out.
    Holes(usize),
    Text(Cow<'t, str>),
    Word(&'t str),
    End,
}

/// Cuts a text into tokens.
struct ValueScanner<'t> {
    text: &'t str,
    at: usize,
    /// True if the last quoted text has no closing quote.
    unfinished: bool,
}

const OPEN: [char; 3] = ['[', '(', '{'];

impl<'t> ValueScanner<'t> {
    fn new(text: &'t str) -> ValueScanner<'t> {
        ValueScanner { text, at: 0, unfinished: false }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Returns the rest of the line, and nothing of the next.
    fn rest_of_line(&self) -> &'t str {
        self.rest().split('\n').next().unwrap_or_default()
    }

    /// Passes blanks and comments.
    fn pass_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blanks;
            let rest = self.rest();
            let is_list = rest.starts_with("%w") || rest.starts_with("%i");
            let remark = rest.starts_with("//")
                || (rest.starts_with(['#', '%']) || (rest.starts_with("--") && !rest.starts_with("---")))
                    && self.is_after_row()
                    && !is_list;
            if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if remark {
                self.at += self.rest_of_line().len();
            } else if blanks == 0 {
                return;
            }
        }
    }

    /// Returns true if a comment can begin here: among the cells of a row, its symbols are cells.
    fn is_after_row(&self) -> bool {
        let before = &self.text[..self.at];
        let text = before.trim_end();
        let new_line = text.is_empty() || before[text.len()..].contains('\n');
        new_line || text.ends_with([',', ']', ')', '}', ';', '[', '{', '(', '|'])
    }

    /// Returns true if the colon here begins a name, as in Ruby.
    fn is_symbol(&self) -> bool {
        let before = &self.text[..self.at];
        let parted =
            before.is_empty() || before.ends_with(|c: char| c.is_whitespace() || c == ',' || OPEN.contains(&c));
        parted && !before.trim_end().ends_with(['"', '\'']) && self.rest()[1..].starts_with(|c: char| c.is_alphabetic())
    }

    fn next(&mut self) -> ValueToken<'t> {
        self.pass_blanks();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return ValueToken::End };
        if let Some((count, length)) = empty_items(rest) {
            self.at += length;
            return ValueToken::Holes(count);
        }
        let (token, length) = match first {
            '[' | '(' | '{' => (ValueToken::Open, 1),
            ']' | ')' | '}' => (ValueToken::Close, 1),
            ',' => (ValueToken::Comma, 1),
            ';' | '|' => (ValueToken::Row, 1),
            '=' if rest.starts_with("=>") => (ValueToken::Is(true), 2),
            ':' if rest.starts_with(":=") => (ValueToken::Is(false), 2),
            '=' => (ValueToken::Is(false), 1),
            ':' if !self.is_symbol() => (ValueToken::Is(false), 1),
            '"' | '\'' | '`' => return self.quoted(first),
            _ => return self.word(),
        };
        self.at += length;
        token
    }

    fn word(&mut self) -> ValueToken<'t> {
        let rest = self.rest();
        let end = rest.char_indices().find(|&(at, c)| {
            let colon = c == ':' && at > 0 && !rest[at + 1..].starts_with(':') && !rest[..at].ends_with(':');
            colon || c.is_whitespace() || "[({])},;|\"'`=".contains(c)
        });
        let end = match end {
            Some((0, c)) => c.len_utf8(),
            Some((at, _)) => at,
            None => rest.len(),
        };
        self.at += end;
        ValueToken::Word(&rest[..end])
    }

    /// Reads a text in quotes. If its line has no closing quote, an apostrophe is a word.
    fn quoted(&mut self, quote: char) -> ValueToken<'t> {
        let triple: String = [quote; 3].iter().collect();
        let rest = self.rest();
        if quote != '`' && rest.starts_with(&triple) {
            let inside = &rest[3..];
            let end = inside.find(&triple);
            self.unfinished |= end.is_none();
            let end = end.unwrap_or(inside.len());
            self.at += (end + 6).min(rest.len());
            return ValueToken::Text(Cow::Borrowed(&inside[..end]));
        }
        let (mut escaped, mut escapes) = (false, false);
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' if quote != '`' => break,
                _ if escaped => escaped = false,
                '\\' => (escaped, escapes) = (true, true),
                _ if c == quote => {
                    self.at += at + 1;
                    let inside = Cow::Borrowed(&rest[1..at]);
                    return ValueToken::Text(if escapes { Cow::Owned(unescaped(&inside)) } else { inside });
                }
                _ => {}
            }
        }
        if quote == '`' {
            self.unfinished = true;
            self.at = self.text.len();
            return ValueToken::Text(Cow::Borrowed(&rest[1..]));
        }
        // Lisp quotes a list with an apostrophe; elsewhere it is a stray symbol.
        if quote == '\'' && rest[1..].starts_with(OPEN) {
            self.at += 2;
            return ValueToken::Open;
        }
        self.at += 1;
        ValueToken::Word(&rest[..1])
    }
}

/// Returns the number of cells that `<3 empty items>` stands for, and its length in bytes.
fn empty_items(text: &str) -> Option<(usize, usize)> {
    let (inside, _) = text.strip_prefix('<')?.split_once('>')?;
    let (count, words) = inside.split_once(' ')?;
    let count = count.parse().ok().filter(|_| matches!(words, "empty item" | "empty items"))?;
    Some((count, inside.len() + 2))
}

fn unescaped(text: &str) -> String {
    let (mut out, mut symbols) = (String::with_capacity(text.len()), text.chars());
    while let Some(symbol) = symbols.next() {
        if symbol != '\\' {
            out.push(symbol);
            continue;
        }
        match symbols.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('u') => {
                let code: String = symbols.clone().take(4).collect();
                let symbol = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                out.push(symbol.unwrap_or(char::REPLACEMENT_CHARACTER));
                symbols = symbols.as_str()[code.len()..].chars();
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}

/// Returns the end of the line on which the brackets that a text opens are closed. Rows that a comma follows go on if `rows` is set.
pub(super) fn end(text: &str, rows: bool) -> Option<usize> {
    let (mut scanner, mut depth, mut more) = (ValueScanner::new(text), 0_usize, 0);
    loop {
        match scanner.next() {
            ValueToken::Open => depth += 1,
            ValueToken::Close if depth > 1 => depth -= 1,
            // Another bracket follows on the line.
            ValueToken::Close if scanner.at < more => depth = 0,
            ValueToken::Close => {
                depth = 0;
                let line = scanner.rest_of_line();
                let goes_on = rows && line.trim_start().starts_with(',');
                match line.find(|c: char| OPEN.contains(&c) || c == '=') {
                    Some(at) => more = scanner.at + at,
                    None if goes_on => {}
                    None => return Some(scanner.at + line.len()),
                }
            }
            ValueToken::End => return None,
            _ => {}
        }
        if scanner.unfinished {
            return None;
        }
    }
}

/// Reads all values of a text.
///
/// # Errors
/// When brackets are too deep inside each other, there are too many values, or a bracket is not closed.
pub(super) fn read(text: &str) -> Result<NodeGroup<'_>, String> {
    let mut parser = Parser { scanner: ValueScanner::new(text), values: 0, counted: 0, line: 0 };
    parser.group(0)
}

struct Parser<'t> {
    scanner: ValueScanner<'t>,
    values: usize,
    /// Lines before this byte are counted.
    counted: usize,
    line: usize,
}

/// A group under construction.
#[derive(Default)]
struct GroupDraft<'t> {
    group: NodeGroup<'t>,
    /// Rows that a separator of rows has closed.
    rows: Vec<GroupEntry<'t>>,
    /// The key of the next value.
    key: Option<Cow<'t, str>>,
    /// True if another comma would leave out a cell.
    after_comma: bool,
    /// True after the name of a type or function, which stands before a bracket.
    after_name: bool,
    /// True if arrows stand between all keys and values.
    arrows: bool,
}

impl<'t> GroupDraft<'t> {
    /// Closes the row that ends here, if there is one.
    fn close_row(&mut self, line: usize) {
        if !self.group.entries.is_empty() {
            let group = std::mem::take(&mut self.group);
            self.rows.push(GroupEntry { key: None, value: ValueNode { kind: NodeKind::Group(group), line } });
        }
    }

    /// Makes the last value the key of the next. A list is none: in Haskell, a colon stands between rows.
    fn take_key(&mut self) {
        if self.group.entries.last().and_then(|last| last.value.group()).is_some_and(|list| list.entries.len() >= 4) {
            return;
        }
        let Some(GroupEntry { key, value }) = self.group.entries.pop() else { return };
        self.key = key.or(match value.kind {
            NodeKind::Text(text) => Some(text),
            NodeKind::Word(word) => Some(Cow::Borrowed(word.trim_start_matches(['$', '@', ':']))),
            // Brackets after a declared name hold its size.
            NodeKind::Group(size) => {
                size.values().next().and_then(ValueNode::scalar).map(|text| text.to_string().into())
            }
            NodeKind::Hole => None,
        });
    }

    /// Returns the values: rows if separators of rows stand between them, and one list if these separate single values.
    fn finished(mut self, line: usize) -> NodeGroup<'t> {
        if self.rows.is_empty() {
            let mut keys = (0..).zip(&self.group.entries);
            if self.arrows && keys.all(|(at, entry)| entry.key.as_deref() == Some(at.to_string().as_str())) {
                self.group.entries.iter_mut().for_each(|entry| entry.key = None);
            }
            return self.group;
        }
        self.close_row(line);
        if self.rows.iter().all(|row| row.value.group().is_some_and(|row| row.entries.len() == 1)) {
            let rows = self.rows.into_iter().filter_map(|row| row.value.into_group());
            self.rows = rows.flat_map(|row| row.entries).collect();
        }
        NodeGroup { entries: self.rows, has_trailing_comma: false }
    }
}

impl<'t> Parser<'t> {
    /// Reads the values up to the bracket that closes the group, or to the end of the text.
    fn group(&mut self, depth: usize) -> Result<NodeGroup<'t>, String> {
        if depth > DEEPEST {
            return Err(format!("its brackets are more than {DEEPEST} deep"));
        }
        let mut draft = GroupDraft { after_comma: true, arrows: true, ..GroupDraft::default() };
        loop {
            let token = self.scanner.next();
            let line = self.line_here();
            let after_name = std::mem::take(&mut draft.after_name);
            let is_left_out = token == ValueToken::Comma;
            let (kind, count) = match token {
                ValueToken::End if depth > 0 => return Err("a bracket is not closed".into()),
                ValueToken::End => break,
                ValueToken::Close if depth > 0 => break,
                ValueToken::Close => continue,
                ValueToken::Comma if draft.after_comma && depth > 0 => (NodeKind::Hole, 1),
                ValueToken::Comma => {
                    (draft.after_comma, draft.group.has_trailing_comma) = (true, true);
                    continue;
                }
                ValueToken::Row => {
                    if depth > 0 {
                        draft.close_row(line);
                    }
                    (draft.after_comma, draft.group.has_trailing_comma) = (true, false);
                    continue;
                }
                ValueToken::Is(arrow) => {
                    draft.take_key();
                    draft.arrows &= arrow;
                    draft.after_comma = true;
                    continue;
                }
                ValueToken::Open => {
                    let inside = self.group(depth + 1)?;
                    if self.is_size(&inside, after_name) {
                        draft.after_name = true;
                        continue;
                    }
                    (NodeKind::Group(if after_name { argument(inside) } else { inside }), 1)
                }
                ValueToken::Text(text) => (NodeKind::Text(text), 1),
                ValueToken::Holes(count) => (NodeKind::Hole, count),
                ValueToken::Word(word) if self.goes_on_below(word, &draft) => continue,
                ValueToken::Word("Some" | "Just") if self.scanner.rest().starts_with('(') => {
                    self.scanner.next();
                    (self.group(depth + 1)?.entries.pop().map_or(NodeKind::Hole, |entry| entry.value.kind), 1)
                }
                ValueToken::Word("new" | "Some" | "Just") => continue,
                ValueToken::Word(word) if self.is_name(word) => {
                    draft.after_name = true;
                    continue;
                }
                ValueToken::Word(word) => (NodeKind::Word(word), 1),
            };
            let is_hole = is_left_out && matches!(kind, NodeKind::Hole);
            self.values += count;
            if self.values > MOST_VALUES || count > MOST_VALUES {
                return Err(format!("it has more than {MOST_VALUES} values"));
            }
            for _ in 0..count {
                let key = draft.key.take();
                draft.group.entries.push(GroupEntry { key, value: ValueNode { kind: kind.clone(), line } });
            }
            (draft.after_comma, draft.group.has_trailing_comma) = (is_hole, is_hole);
        }
        let line = self.line;
        Ok(draft.finished(line))
    }

    /// Returns true if brackets hold the size of the array that follows: `[9][9]int{…}`, `new int[][] {…}`, `int[9] {…}`.
    fn is_size(&self, inside: &NodeGroup<'_>, after_name: bool) -> bool {
        let next = self.scanner.rest();
        let follows = next.starts_with(OPEN) || next.starts_with(|c: char| c.is_alphabetic());
        let brace = next.trim_start().starts_with('{') && (after_name || inside.entries.is_empty());
        let most = if brace && after_name { 2 } else { 1 };
        let mut entries = inside.entries.iter();
        inside.entries.len() <= most
            && entries.all(|GroupEntry { key, value }| {
                key.is_none() && matches!(value.kind, NodeKind::Word(_) | NodeKind::Hole)
            })
            && (follows || brace)
    }

    /// Returns true if a word is the name of a type or function before a bracket, or the prefix of a text.
    fn is_name(&self, word: &str) -> bool {
        let next = self.scanner.rest();
        // Zig writes `.{`.
        let is_name =
            word == "." || word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':' | '$' | '%'));
        is_name && (next.starts_with(OPEN) || word.len() <= 2 && word != "." && next.starts_with(['"', '\'']))
    }

    /// Returns true if a word only marks that the line continues below: `...` in MATLAB, `&` in Fortran, `_` after a row in Basic.
    fn goes_on_below(&self, word: &str, draft: &GroupDraft<'_>) -> bool {
        let is_sign = match word {
            "..." | "&" | "\\" => true,
            "_" => draft.group.entries.last().is_some_and(|entry| entry.value.is_group()),
            _ => false,
        };
        is_sign && self.scanner.rest_of_line().trim().is_empty()
    }

    /// Counts the lines before the token that was read last.
    fn line_here(&mut self) -> usize {
        self.line += self.scanner.text[self.counted..self.scanner.at].matches('\n').count();
        self.counted = self.scanner.at;
        self.line
    }
}

/// Returns the list that is the only argument of a call.
fn argument(mut inside: NodeGroup<'_>) -> NodeGroup<'_> {
    match inside.entries.pop() {
        Some(GroupEntry { key: None, value }) if inside.entries.is_empty() && value.list().is_some() => {
            value.into_group().unwrap_or_default()
        }
        last => {
            inside.entries.extend(last);
            inside
        }
    }
}
