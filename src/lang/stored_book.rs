//! Converts a checked [`Book`] without diagnostics to bytes and back. The build script stores the built-in rules as
//! bytes, so that the program need not parse the rule files.

use super::book::{Book, RuleFile};
use super::ir::{Example, LinkSource, RuleRef, Technique};
use super::lower::Patterns;
use serde::{Deserialize, Serialize};

/// The ids of a file: those of its techniques, then those of its link sources.
type Ids = (Vec<String>, Vec<String>);

/// All fields of an [`Example`]. `Example` itself is serialized without its empty fields. Postcard stores no field
/// names, so a reader could not know which fields are missing.
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
