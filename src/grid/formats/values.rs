//! Parses JSON, and array literals of JavaScript, Python, C, Ruby, Lua, Rust, Go, Julia, MATLAB, MiniZinc and other languages. In: text.
//! Out: a tree of [`ValueNode`]s with their lines.
//!
//! One grammar serves all languages. Commas or blanks separate values; `;` and `|` separate rows. A name before `:`, `=` or `=>` is a
//! key. Names of types and functions before a bracket are dropped.

use serde_json::{Map, Value as Json};
use std::borrow::Cow;

/// Maximum number of brackets around a value.
const MAX_DEPTH: usize = 48;

const MAX_VALUES: usize = 1_000_000;

#[derive(Clone, Debug)]
pub(super) struct ValueNode<'t> {
    pub kind: NodeKind<'t>,
    /// Number of lines before the value in the text.
    pub line: usize,
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind<'t> {
    /// Values in brackets.
    Group(NodeGroup<'t>),
    Text(Cow<'t, str>),
    /// A number, or a name such as `None`.
    Word(&'t str),
    /// A missing value between two commas.
    Hole,
}

/// Values in brackets: a list, or an object if some value has a key.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeGroup<'t> {
    pub entries: Vec<GroupEntry<'t>>,
    /// True if a comma follows the last value.
    pub has_trailing_comma: bool,
}

#[derive(Clone, Debug)]
pub(super) struct GroupEntry<'t> {
    pub key: Option<Cow<'t, str>>,
    pub value: ValueNode<'t>,
}

impl<'t> ValueNode<'t> {
    /// Returns the values of a list or object.
    pub fn group(&self) -> Option<&NodeGroup<'t>> {
        if let NodeKind::Group(group) = &self.kind { Some(group) } else { None }
    }

    fn into_group(self) -> Option<NodeGroup<'t>> {
        if let NodeKind::Group(group) = self.kind { Some(group) } else { None }
    }

    /// Returns the values of a list, and `None` for an object or a scalar.
    pub fn list(&self) -> Option<&NodeGroup<'t>> {
        self.group().filter(|group| !group.has_keys())
    }

    /// Returns the values of an object, and `None` for a list or a scalar.
    pub fn object(&self) -> Option<&NodeGroup<'t>> {
        self.group().filter(|group| group.has_keys())
    }

    pub fn is_group(&self) -> bool {
        self.group().is_some()
    }

    /// Returns the characters of a text or word, and an empty text for a hole.
    pub fn scalar(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Text(text) => Some(text),
            NodeKind::Word(word) => Some(word),
            NodeKind::Hole => Some(""),
            NodeKind::Group(_) => None,
        }
    }

    /// Converts the value to JSON, for the readers of formats in JSON.
    pub fn to_json(&self) -> Json {
        match &self.kind {
            NodeKind::Text(text) => Json::String(text.to_string()),
            NodeKind::Hole | NodeKind::Word("null" | "None" | "nil" | "undefined") => Json::Null,
            NodeKind::Word("true" | "True") => Json::Bool(true),
            NodeKind::Word("false" | "False") => Json::Bool(false),
            NodeKind::Word(word) => serde_json::from_str(word).unwrap_or_else(|_| Json::String(word.to_string())),
            NodeKind::Group(group) if group.has_keys() && group.entries.iter().all(|entry| entry.key.is_some()) => {
                Json::Object(group.to_json())
            }
            NodeKind::Group(group) => Json::Array(group.values().map(ValueNode::to_json).collect()),
        }
    }
}

impl<'t> NodeGroup<'t> {
    fn has_keys(&self) -> bool {
        self.entries.iter().any(|entry| entry.key.is_some())
    }

    pub fn values(&self) -> impl Iterator<Item = &ValueNode<'t>> {
        self.entries.iter().map(|entry| &entry.value)
    }

    pub fn get(&self, key: &str) -> Option<&ValueNode<'t>> {
        self.entries.iter().find(|entry| entry.key.as_deref() == Some(key)).map(|entry| &entry.value)
    }

    /// Converts the values with keys to a JSON object.
    pub fn to_json(&self) -> Map<String, Json> {
        let with_keys =
            self.entries.iter().filter_map(|entry| Some((entry.key.as_ref()?.to_string(), entry.value.to_json())));
        with_keys.collect()
    }
}

#[derive(Clone, Debug, PartialEq)]
enum ValueToken<'t> {
    Open,
    Close,
    Comma,
    /// `;` or `|`.
    RowSeparator,
    /// `:`, `=` or `:=` between a key and its value.
    Assign,
    /// `=>` between a key and its value. PHP numbers the rows of an array: `0 => [5, 3]`.
    Arrow,
    /// The number of cells that JavaScript abbreviates as `<3 empty items>`.
    Holes(usize),
    Text(Cow<'t, str>),
    Word(&'t str),
    End,
}

struct ValueScanner<'t> {
    text: &'t str,
    /// Byte offset of the next token.
    at: usize,
    /// True if the last quoted text has no closing quote.
    is_unfinished: bool,
}

const OPENING_BRACKETS: [char; 3] = ['[', '(', '{'];

impl<'t> ValueScanner<'t> {
    fn new(text: &'t str) -> ValueScanner<'t> {
        ValueScanner { text, at: 0, is_unfinished: false }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn rest_of_line(&self) -> &'t str {
        self.rest().split('\n').next().unwrap_or_default()
    }

    fn skip_blanks_and_comments(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            self.at += blanks;
            let rest = self.rest();
            if rest.starts_with("/*") {
                self.at += rest.find("*/").map_or(rest.len(), |end| end + 2);
            } else if self.begins_line_comment() {
                self.at += self.rest_of_line().len();
            } else if blanks == 0 {
                return;
            }
        }
    }

    fn begins_line_comment(&self) -> bool {
        let rest = self.rest();
        // `%w[…]` and `%i[…]` are lists in Ruby; `---` may be three empty cells.
        let is_ruby_list = rest.starts_with("%w") || rest.starts_with("%i");
        let has_comment_sign = rest.starts_with(['#', '%']) || (rest.starts_with("--") && !rest.starts_with("---"));
        rest.starts_with("//") || (has_comment_sign && !is_ruby_list && self.is_outside_row())
    }

    /// Returns true at the beginning of a line, and after a bracket or separator. Elsewhere, among the cells of a row, `#` and `--` are
    /// empty cells and begin no comment.
    fn is_outside_row(&self) -> bool {
        let before = &self.text[..self.at];
        let text = before.trim_end();
        let begins_line = text.is_empty() || before[text.len()..].contains('\n');
        begins_line || text.ends_with([',', ']', ')', '}', ';', '[', '{', '(', '|'])
    }

    /// Returns true if the colon at the position begins a Ruby symbol, such as `:name`.
    fn is_ruby_symbol(&self) -> bool {
        let before = &self.text[..self.at];
        let begins_word = before.is_empty()
            || before.ends_with(|c: char| c.is_whitespace() || c == ',' || OPENING_BRACKETS.contains(&c));
        begins_word
            && !before.trim_end().ends_with(['"', '\''])
            && self.rest()[1..].starts_with(|c: char| c.is_alphabetic())
    }

    fn next_token(&mut self) -> ValueToken<'t> {
        self.skip_blanks_and_comments();
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
            ';' | '|' => (ValueToken::RowSeparator, 1),
            '=' if rest.starts_with("=>") => (ValueToken::Arrow, 2),
            ':' if rest.starts_with(":=") => (ValueToken::Assign, 2),
            '=' => (ValueToken::Assign, 1),
            ':' if !self.is_ruby_symbol() => (ValueToken::Assign, 1),
            '"' | '\'' | '`' => return self.read_quoted(first),
            _ => return self.read_word(),
        };
        self.at += length;
        token
    }

    fn read_word(&mut self) -> ValueToken<'t> {
        let rest = self.rest();
        let end = rest.char_indices().find(|&(at, c)| {
            // A single colon ends a key; `::` is part of a path.
            let ends_key = c == ':' && at > 0 && !rest[at + 1..].starts_with(':') && !rest[..at].ends_with(':');
            ends_key || c.is_whitespace() || "[({])},;|\"'`=".contains(c)
        });
        let end = match end {
            // A character that can't be in a word is a word of its own, so that the scanner advances.
            Some((0, c)) => c.len_utf8(),
            Some((at, _)) => at,
            None => rest.len(),
        };
        self.at += end;
        ValueToken::Word(&rest[..end])
    }

    /// Reads a text in quotes. If its line has no closing quote, the quote alone is a word.
    fn read_quoted(&mut self, quote: char) -> ValueToken<'t> {
        let triple: String = [quote; 3].iter().collect();
        let rest = self.rest();
        if quote != '`' && rest.starts_with(&triple) {
            let inside = &rest[3..];
            let end = inside.find(&triple);
            self.is_unfinished |= end.is_none();
            let end = end.unwrap_or(inside.len());
            self.at += (end + 6).min(rest.len());
            return ValueToken::Text(Cow::Borrowed(&inside[..end]));
        }
        let (mut is_escaped, mut has_escapes) = (false, false);
        for (at, c) in rest.char_indices().skip(1) {
            match c {
                '\n' if quote != '`' => break,
                _ if is_escaped => is_escaped = false,
                '\\' => (is_escaped, has_escapes) = (true, true),
                _ if c == quote => {
                    self.at += at + 1;
                    let inside = &rest[1..at];
                    return ValueToken::Text(if has_escapes { unescape(inside).into() } else { inside.into() });
                }
                _ => {}
            }
        }
        if quote == '`' {
            self.is_unfinished = true;
            self.at = self.text.len();
            return ValueToken::Text(Cow::Borrowed(&rest[1..]));
        }
        // Lisp quotes a list with an apostrophe.
        if quote == '\'' && rest[1..].starts_with(OPENING_BRACKETS) {
            self.at += 2;
            return ValueToken::Open;
        }
        self.at += 1;
        ValueToken::Word(&rest[..1])
    }
}

/// Reads `<3 empty items>` at the beginning of a text. Returns the number of items and the length in bytes.
fn empty_items(text: &str) -> Option<(usize, usize)> {
    let (inside, _) = text.strip_prefix('<')?.split_once('>')?;
    let (count, noun) = inside.split_once(' ')?;
    if !matches!(noun, "empty item" | "empty items") {
        return None;
    }
    Some((count.parse().ok()?, inside.len() + 2))
}

fn unescape(text: &str) -> String {
    let mut unescaped = String::with_capacity(text.len());
    let mut symbols = text.chars();
    while let Some(symbol) = symbols.next() {
        if symbol != '\\' {
            unescaped.push(symbol);
            continue;
        }
        match symbols.next() {
            Some('n') => unescaped.push('\n'),
            Some('r') => unescaped.push('\r'),
            Some('t') => unescaped.push('\t'),
            Some('u') => {
                let code: String = symbols.clone().take(4).collect();
                let symbol = u32::from_str_radix(&code, 16).ok().and_then(char::from_u32);
                unescaped.push(symbol.unwrap_or(char::REPLACEMENT_CHARACTER));
                symbols = symbols.as_str()[code.len()..].chars();
            }
            Some(other) => unescaped.push(other),
            None => {}
        }
    }
    unescaped
}

/// Returns the byte offset of the end of the line on which the last open bracket is closed. Returns `None` if a bracket stays open. If
/// `continues_after_comma`, further rows follow a closing bracket and a comma.
pub(super) fn end_of_brackets(text: &str, continues_after_comma: bool) -> Option<usize> {
    let mut scanner = ValueScanner::new(text);
    let mut depth = 0_usize;
    // Offset of a further opening bracket or `=` on the line where the last bracket was closed.
    let mut next_group = 0;
    loop {
        match scanner.next_token() {
            ValueToken::Open => depth += 1,
            ValueToken::Close if depth > 1 => depth -= 1,
            ValueToken::Close if scanner.at < next_group => depth = 0,
            ValueToken::Close => {
                depth = 0;
                let line = scanner.rest_of_line();
                let continues = continues_after_comma && line.trim_start().starts_with(',');
                match line.find(|c: char| OPENING_BRACKETS.contains(&c) || c == '=') {
                    Some(at) => next_group = scanner.at + at,
                    None if continues => {}
                    None => return Some(scanner.at + line.len()),
                }
            }
            ValueToken::End => return None,
            _ => {}
        }
        if scanner.is_unfinished {
            return None;
        }
    }
}

/// Parses all values of a text. Returns a message if brackets are nested too deep, there are too many values, or a bracket is not closed.
pub(super) fn read(text: &str) -> Result<NodeGroup<'_>, String> {
    let mut parser = Parser { scanner: ValueScanner::new(text), value_count: 0, counted_bytes: 0, line: 0 };
    parser.parse_group(0)
}

struct Parser<'t> {
    scanner: ValueScanner<'t>,
    value_count: usize,
    /// `line` is the number of newlines in this many bytes of the text.
    counted_bytes: usize,
    line: usize,
}

#[derive(Default)]
struct GroupDraft<'t> {
    group: NodeGroup<'t>,
    /// Rows that were closed by a row separator.
    rows: Vec<GroupEntry<'t>>,
    /// The key of the next value.
    key: Option<Cow<'t, str>>,
    /// True if no value has been read since the last separator, so that a comma would follow a hole.
    expects_value: bool,
    /// True after the name of a type or function, which stands before a bracket.
    is_after_name: bool,
    has_only_arrows: bool,
}

impl<'t> GroupDraft<'t> {
    /// Moves the values since the last row separator into a row, if there are any.
    fn close_row(&mut self, line: usize) {
        if !self.group.entries.is_empty() {
            let group = std::mem::take(&mut self.group);
            self.rows.push(GroupEntry { key: None, value: ValueNode { kind: NodeKind::Group(group), line } });
        }
    }

    /// Makes the last value the key of the next value.
    fn take_key(&mut self) {
        // A list of at least four values is a row; in Haskell, a colon stands between rows.
        if self.group.entries.last().and_then(|last| last.value.group()).is_some_and(|list| list.entries.len() >= 4) {
            return;
        }
        let Some(GroupEntry { key, value }) = self.group.entries.pop() else { return };
        self.key = key.or(match value.kind {
            NodeKind::Text(text) => Some(text),
            NodeKind::Word(word) => Some(Cow::Borrowed(word.trim_start_matches(['$', '@', ':']))),
            // Brackets after a declared name contain its size.
            NodeKind::Group(size) => {
                size.values().next().and_then(ValueNode::scalar).map(|text| text.to_string().into())
            }
            NodeKind::Hole => None,
        });
    }

    /// Returns the finished group: a list of rows if there are row separators, as in `5 3; 6 1`. If each row has a single value, as in
    /// `5; 3; 6`, the values are one list. Keys that only count the values are dropped.
    fn finish(mut self, line: usize) -> NodeGroup<'t> {
        if self.rows.is_empty() {
            let mut numbered = (0..).zip(&self.group.entries);
            if self.has_only_arrows && numbered.all(|(at, entry)| entry.key.as_deref() == Some(at.to_string().as_str()))
            {
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
    /// Parses the values up to the bracket that closes the group, or to the end of the text at depth 0.
    fn parse_group(&mut self, depth: usize) -> Result<NodeGroup<'t>, String> {
        if depth > MAX_DEPTH {
            return Err(format!("its brackets are more than {MAX_DEPTH} deep"));
        }
        let mut draft = GroupDraft { expects_value: true, has_only_arrows: true, ..GroupDraft::default() };
        loop {
            let token = self.scanner.next_token();
            let line = self.count_lines();
            let is_after_name = std::mem::take(&mut draft.is_after_name);
            let is_comma = token == ValueToken::Comma;
            let (kind, count) = match token {
                ValueToken::End if depth > 0 => return Err("a bracket is not closed".into()),
                ValueToken::End => break,
                ValueToken::Close if depth > 0 => break,
                ValueToken::Close => continue,
                ValueToken::Comma if draft.expects_value && depth > 0 => (NodeKind::Hole, 1),
                ValueToken::Comma => {
                    (draft.expects_value, draft.group.has_trailing_comma) = (true, true);
                    continue;
                }
                ValueToken::RowSeparator => {
                    if depth > 0 {
                        draft.close_row(line);
                    }
                    (draft.expects_value, draft.group.has_trailing_comma) = (true, false);
                    continue;
                }
                ValueToken::Assign | ValueToken::Arrow => {
                    draft.take_key();
                    draft.has_only_arrows &= token == ValueToken::Arrow;
                    draft.expects_value = true;
                    continue;
                }
                ValueToken::Open => {
                    let inside = self.parse_group(depth + 1)?;
                    if self.is_array_size(&inside, is_after_name) {
                        draft.is_after_name = true;
                        continue;
                    }
                    (NodeKind::Group(if is_after_name { only_argument(inside) } else { inside }), 1)
                }
                ValueToken::Text(text) => (NodeKind::Text(text), 1),
                ValueToken::Holes(count) => (NodeKind::Hole, count),
                ValueToken::Word(word) if self.continues_line(word, &draft) => continue,
                ValueToken::Word("Some" | "Just") if self.scanner.rest().starts_with('(') => {
                    self.scanner.next_token();
                    (self.parse_group(depth + 1)?.entries.pop().map_or(NodeKind::Hole, |entry| entry.value.kind), 1)
                }
                ValueToken::Word("new" | "Some" | "Just") => continue,
                ValueToken::Word(word) if self.is_name_before_bracket(word) => {
                    draft.is_after_name = true;
                    continue;
                }
                ValueToken::Word(word) => (NodeKind::Word(word), 1),
            };
            // The comma after a hole separates the hole from the next value.
            let is_hole_before_comma = is_comma && matches!(kind, NodeKind::Hole);
            self.value_count += count;
            if self.value_count > MAX_VALUES || count > MAX_VALUES {
                return Err(format!("it has more than {MAX_VALUES} values"));
            }
            for _ in 0..count {
                let key = draft.key.take();
                draft.group.entries.push(GroupEntry { key, value: ValueNode { kind: kind.clone(), line } });
            }
            (draft.expects_value, draft.group.has_trailing_comma) = (is_hole_before_comma, is_hole_before_comma);
        }
        let line = self.line;
        Ok(draft.finish(line))
    }

    /// Returns true if brackets contain the size of the array that follows: `[9][9]int{…}`, `new int[][] {…}`, `int[9] {…}`.
    fn is_array_size(&self, inside: &NodeGroup<'_>, is_after_name: bool) -> bool {
        let next = self.scanner.rest();
        let type_or_bracket_follows =
            next.starts_with(OPENING_BRACKETS) || next.starts_with(|c: char| c.is_alphabetic());
        let brace_follows = next.trim_start().starts_with('{') && (is_after_name || inside.entries.is_empty());
        // Two sizes in one pair of brackets (`int[9, 9] {`) stand only between a type and a brace.
        let most_sizes = if brace_follows && is_after_name { 2 } else { 1 };
        let mut entries = inside.entries.iter();
        inside.entries.len() <= most_sizes
            && entries.all(|GroupEntry { key, value }| {
                key.is_none() && matches!(value.kind, NodeKind::Word(_) | NodeKind::Hole)
            })
            && (type_or_bracket_follows || brace_follows)
    }

    /// Returns true if a word is the name of a type or function before a bracket, or the prefix of a quoted text.
    fn is_name_before_bracket(&self, word: &str) -> bool {
        let next = self.scanner.rest();
        // Zig writes `.{`.
        let is_name =
            word == "." || word.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | ':' | '$' | '%'));
        let is_prefix_of_text = word.len() <= 2 && word != "." && next.starts_with(['"', '\'']);
        is_name && (next.starts_with(OPENING_BRACKETS) || is_prefix_of_text)
    }

    /// Returns true if a word only marks that the line continues below: `...` in MATLAB, `&` in Fortran, `_` after a row in Basic.
    fn continues_line(&self, word: &str, draft: &GroupDraft<'_>) -> bool {
        let is_mark = match word {
            "..." | "&" | "\\" => true,
            "_" => draft.group.entries.last().is_some_and(|entry| entry.value.is_group()),
            _ => false,
        };
        is_mark && self.scanner.rest_of_line().trim().is_empty()
    }

    /// Returns the number of lines before the scanner's position.
    fn count_lines(&mut self) -> usize {
        self.line += self.scanner.text[self.counted_bytes..self.scanner.at].matches('\n').count();
        self.counted_bytes = self.scanner.at;
        self.line
    }
}

/// Returns the list that is the only argument of a call, or the arguments unchanged.
fn only_argument(mut arguments: NodeGroup<'_>) -> NodeGroup<'_> {
    let is_only_list =
        matches!(arguments.entries.as_slice(), [GroupEntry { key: None, value }] if value.list().is_some());
    if !is_only_list {
        return arguments;
    }
    arguments.entries.pop().and_then(|entry| entry.value.into_group()).unwrap_or_default()
}
