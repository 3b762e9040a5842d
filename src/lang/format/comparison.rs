//! A comparison of two texts. In: texts and their trees. Out: true if they differ in nothing but blanks and places. Tokens and trees
//! are compared as they are made, so that a large file costs no more than a small one.

use crate::lang::ast::File;
use crate::lang::parse::tokens::{TokenClass, each};
use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, Serializer};
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};

/// Lists words, marks, texts and comments in order.
fn tokens_of(source: &str) -> impl Iterator<Item = (TokenClass, String)> + '_ {
    each(source).filter(|token| token.class != TokenClass::Newline).map(|token| {
        let text = source.get(token.span).unwrap_or("");
        let text = match token.class {
            // The formatter may have added the blank after the slashes.
            TokenClass::Comment | TokenClass::Doc => trimmed(text).replace(' ', ""),
            TokenClass::Text => inside(text),
            _ => trimmed(text),
        };
        (token.class, text)
    })
}

/// Returns a long text without its quotes and the empty lines beside them.
fn inside(text: &str) -> String {
    match text.strip_prefix("\"\"\"") {
        Some(rest) => format!("\"\"\"{}", trimmed(rest.trim_end_matches('"'))),
        None => text.to_owned(),
    }
}

/// Returns true if two texts have the same tokens.
pub fn tokens(before: &str, after: &str) -> bool {
    tokens_of(before).eq(tokens_of(after))
}

/// Returns true if two trees differ in nothing but places, and blanks around the lines of texts.
pub fn trees(before: &File, after: &File) -> bool {
    let (before, after) = (digest(before), digest(after));
    before.is_some() && before == after
}

/// Hashes the JSON of a tree without places and without the blanks around lines.
fn digest(file: &File) -> Option<u64> {
    let mut digest = Digest(DefaultHasher::new());
    file.items.serialize(&mut Serializer::with_formatter(&mut digest, Placeless::default())).ok()?;
    Some(digest.0.finish())
}

struct Digest(DefaultHasher);

impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Writes JSON with the lines of its texts trimmed and without the numbers of places.
#[derive(Default)]
struct Placeless {
    /// True within the name of a field.
    names_field: bool,
    /// The name of the last field.
    field: String,
    /// Blanks of a text that count only if more follows: the line ends among them, and the rest.
    line_ends: usize,
    blanks: String,
    /// True if the text had a character other than a blank.
    begun: bool,
}

impl Placeless {
    fn character<W: ?Sized + Write>(&mut self, writer: &mut W, c: char) -> io::Result<()> {
        if self.names_field {
            self.field.push(c);
        }
        if c == '\n' {
            self.line_ends += 1;
            self.blanks.clear();
        } else if c.is_whitespace() {
            self.blanks.push(c);
        } else {
            if self.begun && self.line_ends > 0 {
                (0..self.line_ends).try_for_each(|_| writer.write_all(b"\\n"))?;
            } else if self.begun {
                writer.write_all(self.blanks.as_bytes())?;
            }
            writer.write_all(c.encode_utf8(&mut [0; 4]).as_bytes())?;
            (self.begun, self.line_ends) = (true, 0);
            self.blanks.clear();
        }
        Ok(())
    }
}

impl Formatter for Placeless {
    fn write_u64<W: ?Sized + Write>(&mut self, writer: &mut W, value: u64) -> io::Result<()> {
        if matches!(self.field.as_str(), "start" | "end") {
            return Ok(());
        }
        CompactFormatter.write_u64(writer, value)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.names_field = true;
        self.field.clear();
        CompactFormatter.begin_object_key(writer, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.names_field = false;
        Ok(())
    }

    fn begin_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        (self.begun, self.line_ends) = (false, 0);
        self.blanks.clear();
        CompactFormatter.begin_string(writer)
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        fragment.chars().try_for_each(|c| self.character(writer, c))
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        writer: &mut W,
        escape: serde_json::ser::CharEscape,
    ) -> io::Result<()> {
        use serde_json::ser::CharEscape::{LineFeed, Tab};
        match escape {
            LineFeed => self.character(writer, '\n'),
            Tab => self.character(writer, '\t'),
            other => {
                self.character(writer, '\\')?;
                CompactFormatter.write_char_escape(writer, other)
            }
        }
    }
}

/// Returns a text without blanks around its lines, and without the empty lines around all.
fn trimmed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n").trim().to_owned()
}
