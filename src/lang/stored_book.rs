//! Stores a checked [`Book`] without diagnostics as bytes and restores the book. The build script stores the built-in
//! rules, so that the program need not parse the built-in rule files.

use super::book::{Book, RuleFile};
use super::ir::{Example, LinkSource, RuleRef, Technique};
use super::lower::Patterns;
use serde::{Deserialize, Serialize};

/// Ids of the techniques and of the link sources of a file.
type Ids = (Vec<String>, Vec<String>);

/// The fields of an example, in order. The serialized form of [`Example`] omits empty fields, and a format without
/// field names cannot restore omitted fields.
type ExampleFields = (Option<String>, Vec<u32>, Vec<RuleRef>, Option<String>, String, Vec<String>, bool);

/// A book without the texts of its files.
#[derive(Serialize, Deserialize)]
struct StoredBook {
    /// Techniques without their examples.
    techniques: Vec<Technique>,
    /// The examples of each technique.
    examples: Vec<Vec<ExampleFields>>,
    sources: Vec<LinkSource>,
    patterns: Patterns,
    /// The ids of the rules of each file.
    files: Vec<Ids>,
}

/// Returns a book as bytes; `None` if a file has diagnostics.
pub fn write(book: &Book) -> Option<Vec<u8>> {
    if book.files.iter().any(|file| !file.diagnostics.is_empty()) {
        return None;
    }
    let Book { mut techniques, sources, patterns, files } = book.clone();
    let examples = techniques.iter_mut().map(|technique| technique.examples.drain(..).map(fields).collect()).collect();
    let files = files.into_iter().map(|file| (file.techniques, file.sources)).collect();
    postcard::to_allocvec(&StoredBook { techniques, examples, sources, patterns, files }).ok()
}

/// Restores a book. `texts` are the files of the book as (name, text), in order. Returns `None` if the bytes do not
/// belong to these files.
pub fn read(bytes: &[u8], texts: &[(&str, &str)]) -> Option<Book> {
    let StoredBook { mut techniques, examples, sources, patterns, files } = postcard::from_bytes(bytes).ok()?;
    if files.len() != texts.len() || examples.len() != techniques.len() {
        return None;
    }
    for (technique, examples) in techniques.iter_mut().zip(examples) {
        technique.examples = examples.into_iter().map(example).collect();
    }
    let files = files.into_iter().zip(texts).map(|((techniques, sources), &(name, text))| RuleFile {
        name: name.into(),
        text: text.into(),
        diagnostics: Vec::new(),
        techniques,
        sources,
    });
    let files = files.collect();
    Some(Book { techniques, sources, patterns, files })
}

fn fields(Example { title, args, after, board, grid, finds, near_miss }: Example) -> ExampleFields {
    (title, args, after, board, grid, finds, near_miss)
}

fn example((title, args, after, board, grid, finds, near_miss): ExampleFields) -> Example {
    Example { title, args, after, board, grid, finds, near_miss }
}
