//! Line ends: detection of LF, CR LF and CR, and conversion to LF, which the parser reads.

use std::borrow::Cow;

/// The characters at the end of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineEnd {
    Lf,
    CrLf,
    Cr,
}

impl LineEnd {
    /// Returns the most common line end of a text. LF wins a tie, and CR LF wins a tie with CR.
    pub fn most_common(text: &str) -> LineEnd {
        let [lf, crlf, cr] = counts(text);
        if lf >= crlf && lf >= cr {
            LineEnd::Lf
        } else if crlf >= cr {
            LineEnd::CrLf
        } else {
            LineEnd::Cr
        }
    }

    /// Returns the characters.
    pub fn text(self) -> &'static str {
        match self {
            LineEnd::Lf => "\n",
            LineEnd::CrLf => "\r\n",
            LineEnd::Cr => "\r",
        }
    }

    /// Returns the name, for messages.
    pub fn name(self) -> &'static str {
        match self {
            LineEnd::Lf => "LF",
            LineEnd::CrLf => "CR LF",
            LineEnd::Cr => "CR",
        }
    }

    /// Replaces every LF of a text by this line end.
    pub fn replace_lf(self, text: String) -> String {
        if self == LineEnd::Lf { text } else { text.replace('\n', self.text()) }
    }
}

/// Returns true if a text has different line ends.
pub fn are_mixed(text: &str) -> bool {
    counts(text).iter().filter(|count| **count > 0).count() > 1
}

/// Counts the lines that end in LF, in CR LF and in CR.
fn counts(text: &str) -> [usize; 3] {
    let bytes = text.as_bytes();
    let [mut lf, mut crlf, mut cr] = [0; 3];
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' if index > 0 && bytes[index - 1] == b'\r' => crlf += 1,
            b'\n' => lf += 1,
            b'\r' if bytes.get(index + 1) != Some(&b'\n') => cr += 1,
            _ => {}
        }
    }
    [lf, crlf, cr]
}

/// Converts each CR that is not followed by LF to LF. All bytes keep their positions.
pub fn lone_cr_as_lf(text: &str) -> Cow<'_, str> {
    let [_, _, cr] = counts(text);
    if cr == 0 {
        return Cow::Borrowed(text);
    }
    let pieces: Vec<String> = text.split("\r\n").map(|piece| piece.replace('\r', "\n")).collect();
    Cow::Owned(pieces.join("\r\n"))
}

/// Converts every line end to LF.
pub fn all_as_lf(text: &str) -> Cow<'_, str> {
    match lone_cr_as_lf(text) {
        text if text.contains("\r\n") => Cow::Owned(text.replace("\r\n", "\n")),
        text => text,
    }
}
