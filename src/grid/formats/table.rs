//! Every format that is written, with what it can hold. All of them are read. In: a name. Out: [`Format`].

use super::hold::{Format, Holds, Lists, Lone, Shapes, ToldBy, Variant};
use super::{coach, csv, fpuzzles, iss, json, opensudoku, s9b, sudokupad, text};

const NINE: &[usize] = &[9];

/// Clues on the plain board of 9×9.
const CLUES: Holds =
    Holds { sizes: NINE, placed: false, lists: Lists::No, lone: Lone::Told, regions: Shapes::Usual, variants: &[] };

const SHAPE: Format = Format {
    name: "",
    about: "",
    holds: CLUES,
    head: None,
    foot: None,
    lines: false,
    told_by: ToldBy::Shape,
    write: text::line,
};

const MARKED: Format = Format { told_by: ToldBy::Beginning, ..SHAPE };

const ALL_VARIANTS: &[Variant] = &[
    Variant::Diagonals,
    Variant::Windows,
    Variant::Disjoint,
    Variant::Knight,
    Variant::King,
    Variant::Houses,
    Variant::Sees,
];

/// All but the last of these.
const ALL_BUT_SEES: &[Variant] = ALL_VARIANTS.split_at(ALL_VARIANTS.len() - 1).0;

const FPUZZLES: Holds = Holds {
    sizes: &[],
    placed: true,
    lists: Lists::Both,
    lone: Lone::Told,
    regions: Shapes::AnyOrNone,
    variants: &[Variant::Diagonals, Variant::Disjoint, Variant::Knight, Variant::King, Variant::Houses],
};

/// Every format.
pub static FORMATS: [Format; 20] = [
    Format {
        name: "81",
        about: "one character for each cell, then its regions where it is a jigsaw",
        holds: Holds { sizes: &[], regions: Shapes::Any, ..CLUES },
        ..SHAPE
    },
    Format {
        name: "729",
        about: "d characters for each cell: digit d in its place, or a dot",
        holds: Holds { sizes: &[], lists: Lists::Puzzle, lone: Lone::ByPeers, regions: Shapes::Any, ..CLUES },
        write: text::candidates,
        ..SHAPE
    },
    Format {
        name: "rows",
        about: "a row on each line",
        holds: Holds { sizes: &[], ..CLUES },
        lines: true,
        write: text::rows,
        ..SHAPE
    },
    Format {
        name: "pm",
        about: "a grid of candidates with borders",
        holds: Holds { sizes: &[], lists: Lists::Puzzle, ..CLUES },
        lines: true,
        write: text::pencilmarks,
        ..SHAPE
    },
    Format {
        name: "hodoku",
        about: "a line of a HoDoKu library",
        holds: Holds { sizes: &[], placed: true, lists: Lists::Progress, ..CLUES },
        write: text::library,
        ..SHAPE
    },
    Format {
        name: "susser",
        about: "one character for each cell, `+` before placed digits, then deleted candidates",
        holds: Holds { sizes: &[], placed: true, lists: Lists::Progress, regions: Shapes::Any, ..CLUES },
        write: text::susser,
        ..SHAPE
    },
    Format { name: "sdm", about: "81 digits on a line, 0 for an empty cell", write: text::zeros, ..SHAPE },
    Format {
        name: "sdk",
        about: "a file of SudoCue: [Puzzle], and [State]",
        holds: Holds { placed: true, ..CLUES },
        lines: true,
        write: text::sdk,
        ..SHAPE
    },
    Format {
        name: "sdx",
        about: "a file of SudoCue: candidates, `u` before placed digits",
        holds: Holds { placed: true, lists: Lists::Both, lone: Lone::ByPeers, ..CLUES },
        lines: true,
        write: text::sdx,
        ..SHAPE
    },
    Format { name: "ss", about: "a file of Simple Sudoku", lines: true, write: text::simple, ..SHAPE },
    Format {
        name: "s9b",
        about: "a grid of sudokuwiki.org",
        holds: Holds {
            placed: true,
            lists: Lists::Progress,
            regions: Shapes::Any,
            variants: &[Variant::Diagonals, Variant::Windows],
            ..CLUES
        },
        write: s9b::write,
        ..MARKED
    },
    Format {
        name: "sudokuwiki-url",
        about: "a link to sudokuwiki.org",
        holds: Holds { placed: true, lists: Lists::Progress, regions: Shapes::Any, ..CLUES },
        write: s9b::write_link,
        ..MARKED
    },
    Format { name: "sudokuexchange-url", about: "a link to sudokuexchange.com", write: text::exchange, ..MARKED },
    Format {
        name: "sudokupad",
        about: "a link to sudokupad.app",
        holds: Holds { placed: false, lists: Lists::Progress, ..FPUZZLES },
        write: sudokupad::write,
        ..MARKED
    },
    Format { name: "f-puzzles", about: "a link to f-puzzles.com", holds: FPUZZLES, write: fpuzzles::write, ..MARKED },
    Format {
        name: "sudokucoach",
        about: "a state of sudoku.coach",
        holds: Holds { sizes: &[4, 6, 8, 9], placed: true, lists: Lists::Progress, ..CLUES },
        write: coach::write,
        ..MARKED
    },
    Format {
        name: "opensudoku",
        about: "a file of OpenSudoku, in XML",
        holds: Holds { placed: true, lists: Lists::Progress, ..CLUES },
        head: Some(opensudoku::HEAD),
        foot: Some(opensudoku::FOOT),
        write: opensudoku::write,
        ..MARKED
    },
    Format {
        name: "iss",
        about: "a constraint string of the Interactive Sudoku Solver",
        holds: Holds {
            sizes: &[],
            lists: Lists::Puzzle,
            lone: Lone::No,
            regions: Shapes::AnyOrNone,
            variants: ALL_BUT_SEES,
            ..CLUES
        },
        write: iss::write,
        ..MARKED
    },
    Format {
        name: "csv",
        about: "comma separated values with a heading",
        holds: Holds {
            sizes: &[],
            placed: true,
            lists: Lists::Both,
            lone: Lone::Told,
            regions: Shapes::AnyOrNone,
            variants: &[],
        },
        head: Some(csv::HEAD),
        told_by: ToldBy::Heading,
        write: csv::write,
        ..SHAPE
    },
    Format {
        name: "jsonl",
        about: "one JSON object a line; it holds every puzzle",
        holds: Holds {
            sizes: &[],
            placed: true,
            lists: Lists::All,
            lone: Lone::Told,
            regions: Shapes::AnyOrNone,
            variants: ALL_VARIANTS,
        },
        write: json::write,
        ..MARKED
    },
];

impl Format {
    /// The format of a name.
    pub fn named(name: &str) -> Option<&'static Format> {
        FORMATS.iter().find(|format| format.name.eq_ignore_ascii_case(name))
    }
}
