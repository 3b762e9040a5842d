//! Random puzzles are written in every format and read back. A format refuses puzzles that it cannot hold, and no text makes a reader
//! panic or unpack without bound.

use super::{EASY, read_puzzle, standard_board};
use crate::common::quick_or_full_cases;
use pinion::grid::formats::{
    CandidateSupport, DetectedBy, FORMATS, Format, LONGEST_LINK, LONGEST_TEXT, Puzzle, RegionSupport, read_many,
    read_one, write,
};
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, DigitSet, ExtraHouse, Geometry, Regions, State};
use proptest::prelude::*;
use proptest::sample::Index;
use std::sync::Arc;

/// The contents of a file with one text in a format: header, text and footer.
fn file_of(format: &Format, text: &str) -> String {
    let header = format.header.map_or(String::new(), |header| format!("{header}\n"));
    let footer = format.footer.map_or(String::new(), |footer| format!("\n{footer}"));
    format!("{header}{text}{footer}\n")
}

/// The digit of a cell in a full grid: each row of a band is shifted by a box, and each band by one cell more.
fn solution_digit(size: usize, cell: usize) -> Digit {
    let (rows, columns) = standard_board(size).spec().boxes().expect("a board with boxes");
    let row = cell / size;
    Digit(((cell % size + row % rows * columns + row / rows) % size) as u8)
}

/// The difference of a board from the usual one.
#[derive(Clone, Copy, Debug)]
enum Variation {
    None,
    Jigsaw,
    NoRegions,
    ExtraHouse,
    Named(&'static str),
}

/// A board of this size. Unless it is a named board, the full grid of [`solution_digit`] solves it. `choices` are random numbers
/// that select cells.
fn geometry(size: usize, variation: Variation, choices: &[usize]) -> Arc<Geometry> {
    let cells = |digit: usize| -> Vec<usize> {
        (0..size * size).filter(|&cell| solution_digit(size, cell) == Digit(digit as u8)).collect()
    };
    let mut spec = BoardSpec::standard(size).expect("a standard board");
    match variation {
        Variation::None => return standard_board(size),
        // Two cells with the same digit exchange their regions.
        Variation::Jigsaw => {
            let usual = standard_board(size);
            let mut regions: Vec<usize> = usual.cells().map(|cell| usual.region(cell).expect("boxes")).collect();
            let same_digit = cells(choices[0] % size);
            regions.swap(same_digit[choices[1] % size], same_digit[choices[2] % size]);
            spec = spec.with_jigsaw(&regions.iter().map(|&region| Digit(region as u8).symbol()).collect::<String>());
        }
        Variation::NoRegions => spec.regions = Regions::None,
        // An extra house with one cell of each digit.
        Variation::ExtraHouse => {
            let name = |cell: usize| format!("r{}c{}", cell / size + 1, cell % size + 1);
            let house_cells = (0..size).map(|digit| name(cells(digit)[choices[digit % choices.len()] % size]));
            spec.extra.push(ExtraHouse { name: "more".into(), cells: house_cells.collect::<Vec<_>>().join(" ") });
        }
        Variation::Named(name) => spec = BoardSpec::named(name).expect("a known board"),
    }
    Arc::new(Geometry::new(spec).expect("a board"))
}

/// Puzzles of every size and board, with clues, placed digits and eliminated candidates.
fn any_puzzle() -> impl Strategy<Value = Puzzle> {
    let named = ["diagonal", "windoku", "diagonal windoku", "disjoint groups", "anti-knight", "anti-king", "latin"];
    let variation = prop_oneof![
        4 => Just(Variation::None),
        2 => Just(Variation::Jigsaw),
        1 => Just(Variation::NoRegions),
        1 => Just(Variation::ExtraHouse),
        2 => prop::sample::select(named.to_vec()).prop_map(Variation::Named),
    ];
    let sizes = prop_oneof![3 => Just(9usize), 2 => prop::sample::select(vec![4usize, 6, 8, 10, 12, 16])];
    let indices = |count| prop::collection::vec(any::<Index>(), count);
    let notes = prop::sample::select(vec!["", "a note", "1.2/1.2", "x, \"y\""]);
    (sizes, variation, prop::collection::vec(0usize..625, 9), indices(1..40), indices(0..60), any::<u8>(), notes)
        .prop_filter_map("a cell without candidates", |(size, variation, choices, placed, eliminated, bits, note)| {
            let size = if matches!(variation, Variation::Named(_)) { 9 } else { size };
            build_puzzle(geometry(size, variation, &choices), &placed, &eliminated, PuzzleKind(bits), note)
        })
}

/// Random bits that decide which fields of a puzzle are filled.
#[derive(Clone, Copy)]
struct PuzzleKind(u8);

impl PuzzleKind {
    fn has_candidates(self) -> bool {
        self.0 & 3 != 0
    }

    /// Returns true if the candidate lists are the puzzle: they count as given, and not as the result of eliminations.
    fn lists_are_puzzle(self) -> bool {
        self.0 & 3 == 1
    }

    /// Returns true if every third digit is a placed digit and not a clue.
    fn has_placed_digits(self) -> bool {
        self.0 & 4 != 0 && !self.lists_are_puzzle()
    }

    fn has_initial_candidates(self) -> bool {
        self.0 & 3 == 2 && self.0 & 8 != 0
    }
}

/// Builds a puzzle: places digits of the full grid in the cells `placed_at`, then eliminates the candidates `eliminated`. `None` if a cell
/// has no candidates.
fn build_puzzle(
    geometry: Arc<Geometry>,
    placed_at: &[Index],
    eliminated: &[Index],
    kind: PuzzleKind,
    note: &str,
) -> Option<Puzzle> {
    let (size, count) = (geometry.size(), geometry.cell_count());
    let mut state = State::empty(&geometry);
    let (mut givens, mut placed) = (vec![None; count], vec![None; count]);
    for (number, index) in placed_at.iter().enumerate() {
        let cell = Cell(index.index(count) as u16);
        let digit = solution_digit(size, cell.index());
        if state.value(cell).is_none() && state.candidates(cell).has(digit) {
            state.place(&geometry, cell, digit);
            let is_placed = kind.has_placed_digits() && number > 0 && number % 3 == 0;
            (if is_placed { &mut placed } else { &mut givens })[cell.index()] = Some(digit);
        }
    }
    if kind.has_candidates() {
        for index in eliminated {
            let candidate = index.index(count * size);
            let (cell, digit) = (Cell((candidate / size) as u16), Digit((candidate % size) as u8));
            if state.candidates(cell).len() > 2 {
                state.eliminate(Candidate::new(digit, cell));
            }
        }
    }
    let list = |cell: Cell| state.value(cell).map_or_else(|| state.candidates(cell), DigitSet::single);
    if geometry.cells().any(|cell| list(cell).is_empty()) {
        return None;
    }
    let candidates = kind.has_candidates().then(|| geometry.cells().map(list).collect());
    // Some cells have one initial candidate more than they have candidates.
    let initial_candidates = kind.has_initial_candidates().then(|| {
        let additional = |cell: Cell| DigitSet::single(Digit((cell.index() * 7 % size) as u8));
        geometry
            .cells()
            .map(|cell| givens[cell.index()].map_or_else(|| list(cell) | additional(cell), DigitSet::single))
            .collect()
    });
    Some(Puzzle {
        geometry,
        givens,
        placed,
        candidates,
        lists_are_puzzle: kind.lists_are_puzzle(),
        initial_candidates,
        line: 1,
        note: note.to_string(),
        remarks: Vec::new(),
    })
}

/// Returns true if two boards have the same houses and each cell has the same peers. Names are ignored.
fn are_equivalent(a: &Geometry, b: &Geometry) -> bool {
    let houses = |board: &Geometry| {
        let mut houses: Vec<Vec<Cell>> = board.houses().iter().map(|house| house.cells.clone()).collect();
        houses.iter_mut().for_each(|cells| cells.sort_unstable());
        houses.sort_unstable();
        houses
    };
    a.size() == b.size() && houses(a) == houses(b) && a.cells().all(|cell| a.peers(cell) == b.peers(cell))
}

/// Writes a puzzle, reads it back and compares, unless the format cannot hold the puzzle.
fn check_round_trip(puzzle: &Puzzle, format: &Format) -> Result<(), TestCaseError> {
    let written = match write(puzzle, format) {
        Ok(written) => written,
        Err(error) => {
            prop_assert_eq!(error.code, "P16", "{}: {}", format.name, error);
            prop_assert!(format.name != "jsonl", "jsonl holds every puzzle, but: {}", error);
            return Ok(());
        }
    };
    let text = file_of(format, &written.text);
    // A format that is detected by its shape alone may be recognized only if the board is given.
    let usual_board = standard_board(puzzle.geometry.size());
    let required_board =
        (format.detected_by == DetectedBy::Shape && *puzzle.geometry == *usual_board).then_some(&usual_board);
    let read = read_one(&text, required_board)
        .map_err(|error| TestCaseError::fail(format!("{}: {error}\n{text}", format.name)))?;
    prop_assert!(are_equivalent(&read.geometry, &puzzle.geometry), "{}: another board\n{}", format.name, text);
    let (before, after) = (puzzle.state(), read.state());
    let writes_lone_candidates_as_solved = written.lost.iter().any(|loss| loss.contains("as solved"));
    if writes_lone_candidates_as_solved {
        let has_all_digits =
            puzzle.geometry.cells().all(|cell| before.value(cell).is_none_or(|digit| after.value(cell) == Some(digit)));
        prop_assert!(has_all_digits, "{}: digits\n{}", format.name, text);
        return Ok(());
    }
    let (digits_before, candidates_before) = before.values_and_candidates();
    let (digits_after, candidates_after) = after.values_and_candidates();
    prop_assert_eq!(digits_before, digits_after, "{}: digits\n{}", format.name, &text);
    let candidates_lost = format.capabilities.candidates == CandidateSupport::No && !written.lost.is_empty();
    if !candidates_lost {
        prop_assert_eq!(candidates_before, candidates_after, "{}: candidates\n{}", format.name, &text);
    }
    let keeps_progress = written.lost.is_empty() && format.capabilities.distinguishes_placed;
    // If the lists are the puzzle, they take the place of the clues. `sdx` cannot distinguish a clue from a cell with one candidate.
    if keeps_progress && !puzzle.lists_are_puzzle && format.name != "sdx" {
        prop_assert_eq!((&read.givens, &read.placed), (&puzzle.givens, &puzzle.placed), "{}\n{}", format.name, text);
        prop_assert_eq!(before.all_initial_candidates(), after.all_initial_candidates(), "{}\n{}", format.name, text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(quick_or_full_cases(6, 192))]

    #[test]
    fn written_puzzles_are_read_back(puzzle in any_puzzle()) {
        for format in &FORMATS {
            check_round_trip(&puzzle, format)?;
        }
    }

    #[test]
    fn several_puzzles_in_one_file_are_read(puzzles in prop::collection::vec(any_puzzle(), 2..4)) {
        for format in FORMATS.iter().filter(|format| format.detected_by != DetectedBy::Shape) {
            let texts: Vec<String> =
                puzzles.iter().filter_map(|puzzle| Some(write(puzzle, format).ok()?.text)).collect();
            let read = read_many(&file_of(format, &texts.join("\n")), None);
            prop_assert_eq!(read.len(), texts.len(), "{}: {}", format.name, texts.join("\n"));
            prop_assert!(read.iter().all(Result::is_ok), "{}: {:?}", format.name, read);
        }
    }

    #[test]
    fn no_damaged_file_makes_a_reader_panic(
        puzzle in any_puzzle(),
        changes in prop::collection::vec((any::<Index>(), any::<Index>(), 0u8..6, any::<char>()), 1..12),
    ) {
        let (board_9x9, board_4x4) = (standard_board(9), standard_board(4));
        for format in &FORMATS {
            let Ok(written) = write(&puzzle, format) else { continue };
            let mut text: Vec<char> = file_of(format, &written.text).chars().collect();
            for &(at, other, kind, character) in &changes {
                let (at, other) = (at.index(text.len()), other.index(text.len()));
                match kind {
                    0 => text[at] = character,
                    1 => text.insert(at, character),
                    2 => text[at] = text[other],
                    3 if text.len() > 8 => {
                        let (start, end) = (at.min(other), at.max(other));
                        text.drain(start..end.min(start + 40));
                    }
                    4 => text.insert(at, ['{', '[', '"', '<', '>', '.', '~', '|', '\n', ',', '}', ']'][other % 12]),
                    _ => text.truncate(at.max(4)),
                }
            }
            let text: String = text.into_iter().collect();
            for required_board in [None, Some(&board_9x9), Some(&board_4x4)] {
                let _ = read_many(&text, required_board);
                let _ = read_one(&text, required_board);
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
        let _ = (read_one(&text, None), read_many(&text, Some(&standard_board(9))));
    }
}

#[test]
fn writing_reports_what_the_capabilities_of_a_format_exclude() {
    let plain = read_puzzle(EASY);
    let mut with_placed_digit = plain.clone();
    with_placed_digit.placed[2] = Some(Digit(3));
    let with_eliminations = read_puzzle(&format!("{EASY}:142 253"));
    for format in &FORMATS {
        let lost = |puzzle: &Puzzle| {
            let mut lost = write(puzzle, format).unwrap_or_else(|error| panic!("{error}")).lost;
            lost.retain(|loss| !loss.contains("as solved"));
            lost
        };
        assert!(lost(&plain).is_empty(), "{}", format.name);
        assert_eq!(
            lost(&with_placed_digit).is_empty(),
            format.capabilities.distinguishes_placed,
            "{}: placed digits",
            format.name
        );
        let holds_eliminations = matches!(
            format.capabilities.candidates,
            CandidateSupport::Progress | CandidateSupport::EitherKind | CandidateSupport::WithInitial
        );
        assert_eq!(lost(&with_eliminations).is_empty(), holds_eliminations, "{}: candidates", format.name);
        // A puzzle of candidate lists with one elimination.
        let lists = write(&plain, Format::named("pm").expect("a format")).expect("lists").text;
        let mut state = read_puzzle(&lists).state();
        let cell = plain.geometry.cells().find(|&cell| state.candidates(cell).len() > 2).expect("an open cell");
        state.eliminate(Candidate::new(state.candidates(cell).first().expect("a digit"), cell));
        let lists_with_progress = read_puzzle(&lists).with_progress(&state);
        assert_eq!(
            lost(&lists_with_progress).is_empty(),
            format.capabilities.candidates == CandidateSupport::WithInitial,
            "{}: initial candidates",
            format.name
        );
        let jigsaw = geometry(9, Variation::Jigsaw, &[0, 0, 1]);
        let irregular = Puzzle { geometry: jigsaw, ..plain.clone() };
        if format.capabilities.regions != RegionSupport::Usual {
            assert!(write(&irregular, format).is_ok(), "{}: regions", format.name);
        }
    }
}

#[test]
fn oversized_contents_are_refused() {
    let oversized = "a".repeat(LONGEST_TEXT + 1_000);
    let lz = lz_str::compress_to_base64(oversized.as_str());
    assert!(lz.len() < LONGEST_LINK, "the text must be short enough to be unpacked");
    let zlib = miniz_oxide::deflate::compress_to_vec_zlib(oversized.as_bytes(), 9);
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
    let long_link = format!("https://f-puzzles.com/?load={}", "N4Ig".repeat(LONGEST_LINK));
    assert!(read_one(&long_link, None).expect_err("too long").message.contains("at most"));
}

#[test]
fn examples_on_the_page_of_formats_are_read_and_written_back() {
    let page = std::fs::read_to_string("docs/formats.md").expect("the page");
    for format in &FORMATS {
        let fence = format!("```text format={}\n", format.name);
        let example =
            page.split(&fence).nth(1).unwrap_or_else(|| panic!("docs/formats.md has no example of {}", format.name));
        let example = example.split("```").next().expect("the block is closed");
        let puzzle = read_puzzle(example);
        let written = write(&puzzle, format).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file_of(format, &written.text), example, "{}", format.name);
        let row = format!("| `{}` | ", format.name);
        assert!(page.contains(&row), "the table of docs/formats.md has no `{}`", format.name);
    }
}
