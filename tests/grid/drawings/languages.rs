//! Grids as literals of programming languages and of markup. Each is read back or refused; none is read as another puzzle.

use super::{SIZES, SYMBOLS, pick, random_puzzle, read};
use fastrand::Rng;

/// A literal: the texts before, between and after its rows and cells.
struct Literal {
    before: &'static str,
    /// Text before and after each row.
    row: (&'static str, &'static str),
    /// Text before each cell, after each cell, and between two cells.
    cell: (&'static str, &'static str, &'static str),
    /// Text between two rows.
    between: &'static str,
    after: &'static str,
    /// Texts for an empty cell, of which a drawing uses one. They have one character if nothing separates the cells.
    empty: &'static [&'static str],
}

/// A literal with `, ` between cells, a comma and a line end between rows, and `0` for an empty cell.
const fn literal(before: &'static str, row: (&'static str, &'static str), after: &'static str) -> Literal {
    Literal { before, row, cell: ("", "", ", "), between: ",\n", after, empty: &["0"] }
}

/// A literal without anything between the cells of a row.
const UNSEPARATED: Literal =
    Literal { cell: ("", "", ""), between: "\n", empty: &[".", "0", "_"], ..literal("", ("", ""), "") };

const LITERALS: &[Literal] = &[
    literal("List.of(\n", ("List.of(", ")"), ");"),
    literal("var g = Arrays.asList(\n", ("Arrays.asList(", ")"), ");"),
    literal("int[,] grid = new int[,] {\n", ("{", "}"), "};"),
    literal("int[][] g = new int[][] {\n", ("new int[] {", "}"), "};"),
    literal("let g = vec![\n", ("vec![", "]"), "];"),
    Literal { empty: &["nil", "0"], ..literal("let g: [[Int?]] = [\n", ("[", "]"), "]") },
    Literal { empty: &["None"], cell: ("", "", ", "), ..literal("let g = [", ("[", "]"), "];") },
    Literal { empty: &["Nothing"], between: "\n  ,", ..literal("grid = [", ("[", "]"), "]") },
    Literal { between: ":", cell: ("", "", ","), ..literal("grid = ", ("[", "]"), ":[]") },
    Literal { between: ":", cell: ("", "", ","), ..literal("", ("[", "]"), ":[]") },
    Literal { empty: &["_"], cell: ("", "", ","), ..literal("problem(1, [", ("[", "]"), "]).") },
    Literal { empty: &["_"], ..literal("problem(1, Rows) :- Rows = [\n", ("[", "]"), "].") },
    Literal { between: "\n", ..literal("", ("board.append([", "])"), "") },
    Literal { between: "\n", ..literal("board = []\n", ("board.append([", "])"), "\nsolve(board)") },
    Literal { between: ", ", ..literal("std::vector<std::vector<int>> g {", ("{", "}"), "};") },
    Literal { cell: ("", "", " "), ..literal("my @g = (\n", ("[qw(", ")]"), ");") },
    Literal { empty: &["undef", "0"], ..literal("my @g = (\n", ("[", "]"), ");") },
    Literal { cell: ("", "", " "), ..literal("g = [\n", ("%w[", "]"), "]") },
    Literal { cell: ("'", "'", ", "), empty: &[".", " ", ""], ..literal("g = [\n", ("[", "]"), "]") },
    Literal { cell: ("", "", "; "), between: ";\n", ..literal("let g = [|", ("[|", "|]"), "|]") },
    Literal { cell: ("", "", "; "), between: "\n", ..literal("let g = [", ("[", "]"), "]") },
    Literal { cell: ("", "", " "), between: "; ...\n", ..literal("A = [", ("", ""), "];") },
    Literal { between: ", _\n", ..literal("Dim g(,) As Integer = {", ("{", "}"), "}") },
    Literal { cell: ("", "", " "), between: "\n ", ..literal("(def b [", ("[", "]"), "])") },
    Literal { cell: ("", "", " "), between: "\n ", ..literal("(setq b '(", ("(", ")"), "))") },
    Literal { cell: ("", "", " "), between: "\n ", ..literal("#2A(", ("(", ")"), ")") },
    Literal { empty: &["<1 empty item>"], ..literal("[\n", ("  [ ", " ]"), "\n]") },
    Literal { empty: &["NA"], ..literal("g <- matrix(c(\n", ("", ""), "), nrow = 9, byrow = TRUE)") },
    Literal { empty: &["null", "\"\""], ..literal("{\"grid\": [", ("[", "]"), "], \"level\": 4}") },
    Literal { between: "\n", ..literal("puzzle:\n", ("  - [", "]"), "\n") },
    Literal { between: "\n", ..literal("- name: x\n  rows:\n", ("    - [", "]"), "\n  level: 3\n") },
    Literal { row: ("  - \"", "\""), before: "rows:\n", ..UNSEPARATED },
    Literal { row: ("- ", ""), ..UNSEPARATED },
    Literal { row: ("* ", ""), empty: &["0", "."], ..UNSEPARATED },
    Literal { row: ("\"", "\""), between: " +\n  ", before: "String s = ", after: ";", ..UNSEPARATED },
    Literal { row: ("'", "'"), between: " \\\n", before: "s = ", ..UNSEPARATED },
    Literal { before: "s = \"\"\"", after: "\"\"\"", ..UNSEPARATED },
    Literal { before: "const s = `\n", after: "\n`;", ..UNSEPARATED },
    Literal { row: ("\"", "\""), between: ",\n", before: "String[] g = {\n", after: "};", ..UNSEPARATED },
    Literal { between: " ", before: "rows = \"", after: "\".split()", ..UNSEPARATED },
    Literal {
        cell: ("", "", " & "),
        between: " \\\\\n",
        empty: &["", "0", " "],
        ..literal("\\begin{tabular}{|c|c|c|}\n\\hline\n", ("", ""), " \\\\ \\hline\n\\end{tabular}")
    },
    Literal {
        cell: ("", "", " & "),
        between: " \\\\ \\hline\n",
        empty: &["", "0"],
        ..literal("\\begin{bmatrix}\n", ("", ""), "\n\\end{bmatrix}")
    },
    Literal {
        cell: ("|", "", ""),
        between: "|.\n",
        empty: &[" "],
        ..literal("\\begin{sudoku}\n", ("", ""), "|.\n\\end{sudoku}")
    },
    Literal {
        cell: ("<td>", "</td>", ""),
        between: "\n",
        empty: &["", "&nbsp;", "0"],
        ..literal("<table class=\"g9\">\n", ("<tr>", "</tr>"), "\n</table>\n")
    },
    Literal {
        cell: ("  <td>", "</td>\n", ""),
        between: "\n",
        empty: &["", "0"],
        ..literal("<html><body>\n<table>\n", ("<tr>\n", "</tr>"), "\n</table>\n</body></html>\n")
    },
    Literal {
        cell: ("<td>", "</td>", ""),
        between: "",
        empty: &["", "."],
        ..literal("<table>", ("<tr>", "</tr>"), "</table>")
    },
    Literal { cell: ("<c>", "</c>", ""), between: "\n", ..literal("<grid>\n", ("<row>", "</row>"), "\n</grid>\n") },
    Literal { before: "<puzzle>", between: "", after: "</puzzle>", ..UNSEPARATED },
    Literal { row: ("<row>", "</row>"), before: "<grid>\n", after: "\n</grid>", ..UNSEPARATED },
    Literal { before: "id=7\ngrid=", between: "", after: "\nrating=4.5\n", ..UNSEPARATED },
    Literal { before: "- id: 1\n  grid: ", between: "", after: "\n  level: 2\n", ..UNSEPARATED },
    Literal { between: "\n", ..literal("", ("g[0] = [", "];"), "") },
    Literal { between: "\n", ..literal("", ("set_row([", "], 1)"), "") },
    Literal { cell: ("", "", " "), between: "\n", ..literal("9 9 ", ("", ""), "") },
];

/// A random literal: its index in `LITERALS`, the puzzle on one line, and the text.
fn random_drawing(random: &mut Rng) -> (usize, String, String) {
    let shape = if random.bool() { SIZES[3] } else { pick(random, &SIZES) };
    let grid = random_puzzle(random, shape);
    let index = random.usize(..LITERALS.len());
    let literal = &LITERALS[index];
    let symbol = |digit: usize| char::from(SYMBOLS[digit - 1]).to_string();
    let empty = pick(random, literal.empty);
    let cell_text = |digit: usize| match digit {
        0 => empty.to_string(),
        _ if literal.cell == UNSEPARATED.cell => symbol(digit),
        _ => digit.to_string(),
    };
    let (open, close, between) = literal.cell;
    let is_rust_option = literal.empty == ["None"] && random.bool();
    let is_haskell_maybe = literal.empty == ["Nothing"];
    let cell = |&digit: &usize| match digit {
        0 => format!("{open}{}{close}", cell_text(0)),
        _ if is_rust_option => format!("Some({digit})"),
        _ if is_haskell_maybe => format!("Just {digit}"),
        _ => format!("{open}{}{close}", cell_text(digit)),
    };
    let row = |row: &Vec<usize>| {
        let cells = row.iter().map(cell).collect::<Vec<_>>().join(between);
        format!("{}{cells}{}", literal.row.0, literal.row.1)
    };
    let rows: Vec<String> = grid.iter().map(row).collect();
    let line_end = pick(random, &["\n", "\r\n"]);
    let text = format!("{}{}{}\n", literal.before, rows.join(literal.between), literal.after).replace('\n', line_end);
    let cells = grid.iter().flatten().map(|&digit| if digit == 0 { ".".to_string() } else { symbol(digit) }).collect();
    (index, cells, text)
}

#[test]
fn literals_are_read_back_or_refused() {
    let mut read_count = 0;
    let mut refused_counts = vec![0; LITERALS.len()];
    for seed in 0..2_000 {
        let (index, cells, text) = random_drawing(&mut Rng::with_seed(seed));
        let puzzles = read(&text);
        assert!(puzzles.is_empty() || puzzles == [cells], "seed {seed}:\n{text}\n{puzzles:?}");
        read_count += usize::from(!puzzles.is_empty());
        refused_counts[index] += usize::from(puzzles.is_empty());
    }
    println!("{read_count} of 2000 literals are read");
    for (literal, count) in LITERALS.iter().zip(refused_counts).filter(|(_, count)| *count > 0) {
        println!("{count} refused that begin with {:?}", literal.before);
    }
    assert!(read_count >= 1_600, "{read_count} of 2000 literals are read");
}

/// Without one line, or without all lines from one on, a literal is no other puzzle.
#[test]
fn damaged_literals_are_refused_or_read_unchanged() {
    for seed in 0..1_000 {
        let random = &mut Rng::with_seed(seed);
        let (_, cells, text) = random_drawing(random);
        let mut lines: Vec<&str> = text.lines().collect();
        let at = random.usize(..lines.len());
        if random.bool() {
            lines.remove(at);
        } else {
            lines.truncate(at);
        }
        let puzzles = read(&lines.join("\n"));
        assert!(puzzles.is_empty() || puzzles == [cells], "seed {seed}:\n{}\n{puzzles:?}", lines.join("\n"));
    }
}
