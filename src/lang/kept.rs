//! A book that was read and checked, as bytes. In: a [`Book`] without findings. Out: bytes; and from them, with the texts
//! of its files, the same book. The build writes them, so that the program need not read its own rules again.

use super::book::{Book, RuleFile};
use super::ir::{Example, LinkSource, RuleRef, Technique};
use super::lower::Patterns;
use serde::{Deserialize, Serialize};

/// Ids of the techniques and of the link sources of a file.
type Ids = (Vec<String>, Vec<String>);

/// An example by its place: bytes have no names, so no field may be left out.
type Plain = (Option<String>, Vec<u32>, Vec<RuleRef>, Option<String>, String, Vec<String>, bool);

/// A book without the texts of its files.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Without examples.
    techniques: Vec<Technique>,
    /// The examples of each.
    examples: Vec<Vec<Plain>>,
    sources: Vec<LinkSource>,
    patterns: Patterns,
    files: Vec<Ids>,
}

/// The bytes of a book; `None` where something is wrong with one of its files.
pub fn write(book: &Book) -> Option<Vec<u8>> {
    if book.files.iter().any(|file| !file.diagnostics.is_empty()) {
        return None;
    }
    let Book { mut techniques, sources, patterns, files } = book.clone();
    let examples = techniques.iter_mut().map(|one| one.examples.drain(..).map(plain).collect()).collect();
    let files = files.into_iter().map(|file| (file.techniques, file.sources)).collect();
    postcard::to_allocvec(&Kept { techniques, examples, sources, patterns, files }).ok()
}

/// The book again; `texts` are its files as (name, text), in order. `None` where the bytes are of another book.
pub fn read(bytes: &[u8], texts: &[(&str, &str)]) -> Option<Book> {
    let Kept { mut techniques, examples, sources, patterns, files } = postcard::from_bytes(bytes).ok()?;
    if files.len() != texts.len() || examples.len() != techniques.len() {
        return None;
    }
    for (technique, examples) in techniques.iter_mut().zip(examples) {
        technique.examples = examples.into_iter().map(example).collect();
    }
    let file = |((techniques, sources), (name, text)): (Ids, &(&str, &str))| RuleFile {
        name: (*name).into(),
        text: (*text).into(),
        diagnostics: Vec::new(),
        techniques,
        sources,
    };
    let files = files.into_iter().zip(texts).map(file).collect();
    Some(Book { techniques, sources, patterns, files })
}

fn plain(Example { title, args, after, board, grid, finds, near_miss }: Example) -> Plain {
    (title, args, after, board, grid, finds, near_miss)
}

fn example((title, args, after, board, grid, finds, near_miss): Plain) -> Example {
    Example { title, args, after, board, grid, finds, near_miss }
}
