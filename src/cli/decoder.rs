//! Bytes of any encoding as UTF-8. In: a source. Out: its bytes; those of UTF-16 as UTF-8, all others as they are.

use crate::grid::formats::Encoding;
use std::io::{self, Read};

/// The most bytes that are decoded at a time; an even number.
const PIECE: usize = 64 * 1024;

/// A source whose bytes are UTF-8, or as they were.
pub struct Decoder<R> {
    source: R,
    /// None until the first bytes are read.
    encoding: Option<Encoding>,
    /// Bytes to hand out before more is read, and how many of them were handed out.
    ready: Vec<u8>,
    used: usize,
    /// The first half of a character.
    half: Option<u8>,
}

impl<R: Read> Decoder<R> {
    /// Begins; nothing is read yet.
    pub fn new(source: R) -> Decoder<R> {
        Decoder { source, encoding: None, ready: Vec::new(), used: 0, half: None }
    }

    /// Reads as much as the encoding shows in. Only bytes that can begin UTF-16 make it wait for more.
    fn begin(&mut self) -> io::Result<Encoding> {
        let (mut first, mut have) = (vec![0; PIECE], 0);
        loop {
            let read = match self.source.read(&mut first[have..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted && have > 0 => continue,
                read => read?,
            };
            have += read;
            let wide = first[..have].contains(&0) || matches!(first[0], 0xfe | 0xff);
            if read == 0 || have >= 4 || !wide {
                break;
            }
        }
        first.truncate(have);
        let encoding = Encoding::of(&first);
        self.encoding = Some(encoding);
        self.fill(&first, encoding);
        Ok(encoding)
    }

    fn fill(&mut self, bytes: &[u8], encoding: Encoding) {
        self.used = 0;
        if encoding == Encoding::Utf8 {
            self.ready = bytes.to_vec();
            return;
        }
        let mut whole: Vec<u8> = self.half.take().into_iter().chain(bytes.iter().copied()).collect();
        if whole.len() % 2 == 1 {
            self.half = whole.pop();
        }
        self.ready = encoding.decoded(&whole).into_bytes();
    }
}

impl<R: Read> Read for Decoder<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => self.begin()?,
        };
        while self.used == self.ready.len() {
            if encoding == Encoding::Utf8 {
                return self.source.read(out);
            }
            let mut piece = vec![0; PIECE];
            let read = self.source.read(&mut piece)?;
            if read == 0 && self.half.is_none() {
                return Ok(0);
            }
            if read == 0 {
                self.half = None;
                self.ready = char::REPLACEMENT_CHARACTER.to_string().into_bytes();
                self.used = 0;
                break;
            }
            self.fill(&piece[..read], encoding);
        }
        let count = out.len().min(self.ready.len() - self.used);
        out[..count].copy_from_slice(&self.ready[self.used..self.used + count]);
        self.used += count;
        Ok(count)
    }
}
