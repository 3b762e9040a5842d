//! Grids as literals of programming languages and markup. Each is read back or refused; none is read as another puzzle.

use super::{SIGNS, SIZES, pick, puzzle, read};
use fastrand::Rng;

/// The parts of a literal around and between its rows and cells.
struct Literal {
    before: &'static str,
    /// Text before and after each row.
    row: (&'static str, &'static str),
    /// Text before, after and between the cells.
    cell: (&'static str, &'static str, &'static str),
    between: &'static str,
    after: &'static str,
    /// Signs for an empty cell; cells that nothing parts have one character.
    empty: &'static [&'static str],
}

const fn literal(before: &'static str, row: (&'static str, &'static str), after: &'static str) -> Literal {
    Literal { before, row, cell: ("", "", ", "), between: ",\n", after, empty: &["0"] }
}

const GLUED: Literal =
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
    Literal { row: ("  - \"", "\""), before: "rows:\n", ..GLUED },
    Literal { row: ("- ", ""), ..GLUED },
    Literal { row: ("* ", ""), empty: &["0", "."], ..GLUED },
    Literal { row: ("\"", "\""), between: " +\n  ", before: "String s = ", after: ";", ..GLUED },
    Literal { row: ("'", "'"), between: " \\\n", before: "s = ", ..GLUED },
    Literal { before: "s = \"\"\"", after: "\"\"\"", ..GLUED },
    Literal { before: "const s = `\n", after: "\n`;", ..GLUED },
    Literal { row: ("\"", "\""), between: ",\n", before: "String[] g = {\n", after: "};", ..GLUED },
    Literal { between: " ", before: "rows = \"", after: "\".split()", ..GLUED },
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
    Literal { before: "<puzzle>", between: "", after: "</puzzle>", ..GLUED },
    Literal { row: ("<row>", "</row>"), before: "<grid>\n", after: "\n</grid>", ..GLUED },
    Literal { before: "id=7\ngrid=", between: "", after: "\nrating=4.5\n", ..GLUED },
    Literal { before: "- id: 1\n  grid: ", between: "", after: "\n  level: 2\n", ..GLUED },
    Literal { between: "\n", ..literal("", ("g[0] = [", "];"), "") },
    Literal { between: "\n", ..literal("", ("set_row([", "], 1)"), "") },
    Literal { cell: ("", "", " "), between: "\n", ..literal("9 9 ", ("", ""), "") },
];

/// A literal of chance: its number, the puzzle on a line, and the text.
fn drawing(chance: &mut Rng) -> (usize, String, String) {
    let shape = if chance.bool() { SIZES[3] } else { pick(chance, &SIZES) };
    let grid = puzzle(chance, shape);
    let number = chance.usize(..LITERALS.len());
    let literal = &LITERALS[number];
    let sign = |digit: usize| char::from(SIGNS[digit - 1]).to_string();
    let empty = pick(chance, literal.empty);
    let text = |digit: usize| match digit {
        0 => empty.to_string(),
        _ if literal.cell == GLUED.cell => sign(digit),
        _ => digit.to_string(),
    };
    let (open, close, between) = literal.cell;
    let wraps_some = literal.empty == ["None"] && chance.bool();
    let just = literal.empty == ["Nothing"];
    let cell = |&digit: &usize| match digit {
        0 => format!("{open}{}{close}", text(0)),
        _ if wraps_some => format!("Some({digit})"),
        _ if just => format!("Just {digit}"),
        _ => format!("{open}{}{close}", text(digit)),
    };
    let row = |row: &Vec<usize>| {
        let cells = row.iter().map(cell).collect::<Vec<_>>().join(between);
        format!("{}{cells}{}", literal.row.0, literal.row.1)
    };
    let rows: Vec<String> = grid.iter().map(row).collect();
    let end = pick(chance, &["\n", "\r\n"]);
    let drawn = format!("{}{}{}\n", literal.before, rows.join(literal.between), literal.after).replace('\n', end);
    let cells = grid.iter().flatten().map(|&digit| if digit == 0 { ".".to_string() } else { sign(digit) }).collect();
    (number, cells, drawn)
}

#[test]
fn literals_are_read_back_or_refused() {
    let mut right = 0;
    let mut refused = vec![0; LITERALS.len()];
    for seed in 0..2_000 {
        let (number, cells, text) = drawing(&mut Rng::with_seed(seed));
        let found = read(&text);
        assert!(found.is_empty() || found == [cells], "seed {seed}:\n{text}\n{found:?}");
        right += usize::from(!found.is_empty());
        refused[number] += usize::from(found.is_empty());
    }
    println!("{right} of 2000 literals are read");
    let bad: Vec<(usize, &str)> =
        (0..LITERALS.len()).filter(|&at| refused[at] > 0).map(|at| (refused[at], LITERALS[at].before)).collect();
    println!("{bad:?}");
    assert!(right >= 1_600, "{right} of 2000 literals are read");
}

/// A row or a line that was lost: what is left is no puzzle of its own.
#[test]
fn damaged_literals_are_no_other_puzzles() {
    for seed in 0..1_000 {
        let chance = &mut Rng::with_seed(seed);
        let (_, cells, text) = drawing(chance);
        let mut lines: Vec<&str> = text.lines().collect();
        let at = chance.usize(..lines.len());
        match chance.bool() {
            true => drop(lines.remove(at)),
            false => lines.truncate(at),
        }
        let found = read(&lines.join("\n"));
        assert!(found.is_empty() || found == [cells], "seed {seed}:\n{}\n{found:?}", lines.join("\n"));
    }
}
