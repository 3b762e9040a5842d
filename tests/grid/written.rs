//! Every format both ways: written puzzles read back, puzzles that a format cannot hold are refused, and no text makes a reader
//! panic or unpack without bound.

use super::{EASY, board, one};
use crate::common::cases;
use pinion::grid::formats::{
    CandidateSupport, DetectedBy, FORMATS, Format, LONGEST_LINK, LONGEST_TEXT, Puzzle, RegionSupport, read_many,
    read_one, write,
};
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, DigitSet, ExtraHouse, Geometry, Regions, State};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::Arc;

/// A text in a format as a file of its own.
fn file_of(format: &Format, text: &str) -> String {
    let head = format.header.map_or(String::new(), |head| format!("{head}\n"));
    let foot = format.footer.map_or(String::new(), |foot| format!("\n{foot}"));
    format!("{head}{text}{foot}\n")
}

/// A full grid for every size: rows shifted box by box.
fn truth(size: usize, cell: usize) -> Digit {
    let (rows, columns) = board(size).spec().boxes().expect("a board with boxes");
    let row = cell / size;
    Digit(((cell % size + row % rows * columns + row / rows) % size) as u8)
}

/// Features of a board besides its boxes.
#[derive(Clone, Copy, Debug)]
enum Extra {
    Plain,
    Jigsaw,
    NoRegions,
    Houses,
    Named(&'static str),
}

fn geometry(size: usize, extra: Extra, at: &[usize]) -> Arc<Geometry> {
    let cells = |digit: usize| -> Vec<usize> {
        (0..size * size).filter(|&cell| truth(size, cell) == Digit(digit as u8)).collect()
    };
    let mut spec = BoardSpec::standard(size).expect("a plain board");
    match extra {
        Extra::Plain => return board(size),
        // Two cells of one digit change their regions.
        Extra::Jigsaw => {
            let plain = board(size);
            let mut regions: Vec<usize> = plain.cells().map(|cell| plain.region(cell).expect("boxes")).collect();
            let same = cells(at[0] % size);
            regions.swap(same[at[1] % size], same[at[2] % size]);
            spec = spec.with_jigsaw(&regions.iter().map(|&region| Digit(region as u8).symbol()).collect::<String>());
        }
        Extra::NoRegions => spec.regions = Regions::None,
        // One cell of each digit.
        Extra::Houses => {
            let name = |cell: usize| format!("r{}c{}", cell / size + 1, cell % size + 1);
            let picked = (0..size).map(|digit| name(cells(digit)[at[digit % at.len()] % size]));
            spec.extra.push(ExtraHouse { name: "more".into(), cells: picked.collect::<Vec<_>>().join(" ") });
        }
        Extra::Named(name) => spec = BoardSpec::named(name).expect("a known board"),
    }
    Arc::new(Geometry::new(spec).expect("a board"))
}

/// Puzzles of every size and board, with clues, placed digits, and candidates that were taken away.
fn any_puzzle() -> impl Strategy<Value = Puzzle> {
    let named = ["diagonal", "windoku", "diagonal windoku", "disjoint groups", "anti-knight", "anti-king", "latin"];
    let extra = prop_oneof![
        4 => Just(Extra::Plain),
        2 => Just(Extra::Jigsaw),
        1 => Just(Extra::NoRegions),
        1 => Just(Extra::Houses),
        2 => prop::sample::select(named.to_vec()).prop_map(Extra::Named),
    ];
    let sizes = prop_oneof![3 => Just(9usize), 2 => prop::sample::select(vec![4usize, 6, 8, 10, 12, 16])];
    let indices = |count| prop::collection::vec(any::<Index>(), count);
    let words = prop::sample::select(vec!["", "a note", "1.2/1.2", "x, \"y\""]);
    (sizes, extra, prop::collection::vec(0usize..625, 9), indices(1..40), indices(0..60), any::<u8>(), words)
        .prop_filter_map("digits that see each other", |(size, extra, at, places, gone, kind, note)| {
            let size = if matches!(extra, Extra::Named(_)) { 9 } else { size };
            made(geometry(size, extra, &at), &places, &gone, kind, note)
        })
}

fn made(geometry: Arc<Geometry>, places: &[Index], gone: &[Index], kind: u8, note: &str) -> Option<Puzzle> {
    let (size, count) = (geometry.size(), geometry.cell_count());
    let mut state = State::empty(&geometry);
    let (mut givens, mut placed) = (vec![None; count], vec![None; count]);
    let lists_are_puzzle = kind & 3 == 1;
    for (number, place) in places.iter().enumerate() {
        let cell = Cell(place.index(count) as u16);
        let digit = truth(size, cell.index());
        if state.value(cell).is_none() && state.candidates(cell).has(digit) {
            state.place(&geometry, cell, digit);
            let later = kind & 4 != 0 && number > 0 && number % 3 == 0 && !lists_are_puzzle;
            (if later { &mut placed } else { &mut givens })[cell.index()] = Some(digit);
        }
    }
    if kind & 3 != 0 {
        for place in gone {
            let place = place.index(count * size);
            let (cell, digit) = (Cell((place / size) as u16), Digit((place % size) as u8));
            if state.candidates(cell).len() > 2 {
                state.eliminate(Candidate::new(digit, cell));
            }
        }
    }
    let list = |cell: Cell| state.value(cell).map_or_else(|| state.candidates(cell), DigitSet::single);
    let candidates = (kind & 3 != 0).then(|| geometry.cells().map(list).collect());
    let all = geometry.cells().all(|cell| !list(cell).is_empty());
    let note = note.to_string();
    // The puzzle left open a candidate more here and there.
    let initial_candidates = (kind & 3 == 2 && kind & 8 != 0).then(|| {
        let more = |cell: Cell| DigitSet::single(Digit((cell.index() * 7 % size) as u8));
        geometry
            .cells()
            .map(|cell| givens[cell.index()].map_or_else(|| list(cell) | more(cell), DigitSet::single))
            .collect()
    });
    all.then_some(Puzzle {
        geometry,
        givens,
        placed,
        candidates,
        lists_are_puzzle,
        initial_candidates,
        line: 1,
        note,
        remarks: Vec::new(),
    })
}

/// Returns true if the cells of two boards see the same cells and lie in the same houses.
fn same_board(a: &Geometry, b: &Geometry) -> bool {
    let houses = |board: &Geometry| {
        let mut houses: Vec<Vec<Cell>> = board.houses().iter().map(|house| house.cells.clone()).collect();
        houses.iter_mut().for_each(|cells| cells.sort_unstable());
        houses.sort_unstable();
        houses
    };
    a.size() == b.size() && houses(a) == houses(b) && a.cells().all(|cell| a.peers(cell) == b.peers(cell))
}

/// Writes a puzzle and reads it back; says whether the format could hold it.
fn both_ways(puzzle: &Puzzle, format: &Format) -> Result<bool, TestCaseError> {
    let written = match write(puzzle, format) {
        Ok(written) => written,
        Err(error) => {
            prop_assert_eq!(error.code, "P16", "{}: {}", format.name, error);
            prop_assert!(format.name != "jsonl", "{}", error);
            return Ok(false);
        }
    };
    let text = file_of(format, &written.text);
    // Rows and lines of few characters are told by the board.
    let plain = board(puzzle.geometry.size());
    let known = (format.detected_by == DetectedBy::Shape && *puzzle.geometry == *plain).then_some(&plain);
    let read =
        read_one(&text, known).map_err(|error| TestCaseError::fail(format!("{}: {error}\n{text}", format.name)))?;
    prop_assert!(same_board(&read.geometry, &puzzle.geometry), "{}: another board\n{}", format.name, text);
    let (before, after) = (puzzle.state(), read.state());
    let more_solved = written.lost.iter().any(|words| words.contains("as solved"));
    if more_solved {
        let kept =
            puzzle.geometry.cells().all(|cell| before.value(cell).is_none_or(|digit| after.value(cell) == Some(digit)));
        prop_assert!(kept, "{}: digits\n{}", format.name, text);
        return Ok(true);
    }
    prop_assert_eq!(
        before.values_and_candidates().0,
        after.values_and_candidates().0,
        "{}: digits\n{}",
        format.name,
        &text
    );
    let candidates_lost = format.capabilities.candidates == CandidateSupport::No && !written.lost.is_empty();
    if !candidates_lost {
        prop_assert_eq!(
            before.values_and_candidates().1,
            after.values_and_candidates().1,
            "{}: candidates\n{}",
            format.name,
            &text
        );
    }
    if written.lost.is_empty()
        && !puzzle.lists_are_puzzle
        && format.capabilities.distinguishes_placed
        && format.name != "sdx"
    {
        prop_assert_eq!((&read.givens, &read.placed), (&puzzle.givens, &puzzle.placed), "{}\n{}", format.name, text);
        prop_assert_eq!(before.all_initial_candidates(), after.all_initial_candidates(), "{}\n{}", format.name, text);
    }
    Ok(true)
}

proptest! {
    #![proptest_config(cases(6, 192))]

    #[test]
    fn written_puzzles_are_read_back(puzzle in any_puzzle()) {
        for format in &FORMATS {
            both_ways(&puzzle, format)?;
        }
    }

    #[test]
    fn several_puzzles_stay_several(puzzles in prop::collection::vec(any_puzzle(), 2..4)) {
        for format in FORMATS.iter().filter(|format| format.detected_by != DetectedBy::Shape) {
            let texts: Vec<String> =
                puzzles.iter().filter_map(|puzzle| Some(write(puzzle, format).ok()?.text)).collect();
            let read = read_many(&file_of(format, &texts.join("\n")), None);
            prop_assert_eq!(read.len(), texts.len(), "{}: {}", format.name, texts.join("\n"));
            prop_assert!(read.iter().all(Result::is_ok), "{}: {:?}", format.name, read);
        }
    }

    #[test]
    fn no_damage_makes_a_reader_panic(
        puzzle in any_puzzle(),
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), 0u8..6, any::<char>()), 1..12),
    ) {
        let (nine, four) = (board(9), board(4));
        for format in &FORMATS {
            let Ok(written) = write(&puzzle, format) else { continue };
            let mut text: Vec<char> = file_of(format, &written.text).chars().collect();
            for &(at, other, kind, sign) in &changes {
                let (at, other) = (at.index(text.len()), other.index(text.len()));
                match kind {
                    0 => text[at] = sign,
                    1 => text.insert(at, sign),
                    2 => text[at] = text[other],
                    3 if text.len() > 8 => drop(text.drain(at.min(other)..at.max(other).min(at.min(other) + 40))),
                    4 => text.insert(at, ['{', '[', '"', '<', '>', '.', '~', '|', '\n', ',', '}', ']'][other % 12]),
                    _ => text.truncate(at.max(4)),
                }
            }
            let text: String = text.into_iter().collect();
            for known in [None, Some(&nine), Some(&four)] {
                let _ = read_many(&text, known);
                let _ = read_one(&text, known);
            }
        }
    }

    #[test]
    fn no_beginning_of_a_format_makes_a_reader_panic(
        beginning in prop::sample::select(vec![
            "https://", "https://f-puzzles.com/?load=", "https://sudokupad.app/scl", "https://sudokupad.app/classic",
            "fpuzzles", "N4Ig", "SCv7_32_", "S9B", "J9B", "X9B", ".Shape~", ".~R1C1_", ".Jigsaw~", "{\"cells\":[[", "{\"grid\":",
            "{\"puzzle\":\"", "{'", "[[", "x = [|", "array([", "<game data=\"", "<game data='version: 3 ", "3x3::k:", "> ",
            ":0000:x:", "puzzle,candidates,candidates_are,regions,note\n", "[State]\n", "[Puzzle]\n", "u1 ", "５",
        ]),
        rest in "[0-9A-Za-z.~_|,:;+*<>{}\"'\\[\\]()=/%?& #\n\t-]{0,300}",
    ) {
        let text = format!("{beginning}{rest}");
        let _ = (read_one(&text, None), read_many(&text, Some(&board(9))));
    }
}

#[test]
fn every_format_holds_what_the_table_says() {
    let plain = one(EASY);
    let mut later = plain.clone();
    later.placed[2] = Some(Digit(3));
    let gone = one(&format!("{EASY}:142 253"));
    for format in &FORMATS {
        let lost = |puzzle: &Puzzle| {
            let mut lost = write(puzzle, format).unwrap_or_else(|error| panic!("{error}")).lost;
            lost.retain(|words| !words.contains("as solved"));
            lost
        };
        assert!(lost(&plain).is_empty(), "{}", format.name);
        assert_eq!(lost(&later).is_empty(), format.capabilities.distinguishes_placed, "{}: placed digits", format.name);
        let progress = matches!(
            format.capabilities.candidates,
            CandidateSupport::Progress | CandidateSupport::Both | CandidateSupport::All
        );
        assert_eq!(lost(&gone).is_empty(), progress, "{}: candidates", format.name);
        // A puzzle of candidates from which some were eliminated.
        let lists = write(&plain, Format::named("pm").expect("a format")).expect("lists").text;
        let mut before = one(&lists).state();
        let cell = plain.geometry.cells().find(|&cell| before.candidates(cell).len() > 2).expect("an open cell");
        before.eliminate(Candidate::new(before.candidates(cell).first().expect("a digit"), cell));
        let further = one(&lists).with_progress(&before);
        assert_eq!(
            lost(&further).is_empty(),
            format.capabilities.candidates == CandidateSupport::All,
            "{}: what was open",
            format.name
        );
        let jigsaw = geometry(9, Extra::Jigsaw, &[0, 0, 1]);
        let irregular = Puzzle { geometry: jigsaw, ..plain.clone() };
        // The pattern of the board is another one, so that the digits may stand twice in a region.
        let holds = format.capabilities.regions != RegionSupport::Usual;
        assert!(write(&irregular, format).is_ok() || !holds, "{}", format.name);
    }
}

#[test]
fn oversized_contents_are_refused() {
    let many = "a".repeat(LONGEST_TEXT + 1_000);
    let lz = lz_str::compress_to_base64(many.as_str());
    assert!(lz.len() < LONGEST_LINK, "the text must be short enough to be unpacked");
    let zlib = miniz_oxide::deflate::compress_to_vec_zlib(many.as_bytes(), 9);
    let mut base32 = data_encoding::Specification::new();
    base32.symbols.push_str("0123456789abcdefghijklmnopqrstuv");
    let base32 = base32.encoding().expect("an alphabet").encode(&zlib);
    for text in [
        format!("https://f-puzzles.com/?load={lz}"),
        format!("SCv7_32_{base32}"),
        format!("https://sudokupad.app/scl{lz}"),
    ] {
        let error = read_one(&text, None).expect_err("too long");
        assert!(error.code == "P14" && error.message.contains("unpacks to more than"), "{error}");
    }
    let long = format!("https://f-puzzles.com/?load={}", "N4Ig".repeat(LONGEST_LINK));
    assert!(read_one(&long, None).expect_err("too long").message.contains("at most"));
}

#[test]
fn the_page_shows_every_format_both_ways() {
    let page = std::fs::read_to_string("docs/formats.md").expect("the page");
    for format in &FORMATS {
        let fence = format!("```text format={}\n", format.name);
        let example =
            page.split(&fence).nth(1).unwrap_or_else(|| panic!("docs/formats.md has no example of {}", format.name));
        let example = example.split("```").next().expect("the block is closed");
        let puzzle = one(example);
        let written = write(&puzzle, format).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file_of(format, &written.text), example, "{}", format.name);
        let row = format!("| `{}` | ", format.name);
        assert!(page.contains(&row), "the table of docs/formats.md has no `{}`", format.name);
    }
}
