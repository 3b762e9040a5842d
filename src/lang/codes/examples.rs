//! Codes of examples and near misses.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0601",
        "No grid\n\nAn example and a near miss have a line `grid \"…\"`, or `grid \"\"\"` with the grid on several lines.",
        "near_miss lone {\n}",
        "near_miss lone {\n  grid \"12..\"\n}",
    ),
    code(
        "E0602",
        "Nothing to find\n\nAn example has a `finds` line for each match, unless its grid is a library line, which lists one itself. A grid on which the rule must find nothing is a `near_miss`.",
        "example lone {\n  grid \"12..\"\n}",
        "example lone {\n  grid \"12..\"\n  finds r1c3=3\n}",
    ),
    code(
        "E0603",
        "No such member of the family\n\nAn example names no member, or gives one value for each parameter, within its range.",
        "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n\nexample lone(7) {\n  grid \"12..\"\n  finds r1c3=3\n}",
        "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n\nexample lone(1) {\n  grid \"12..\"\n  finds r1c3=3\n}",
    ),
    code(
        "E0604",
        "Not a deduction\n\n`r1c2<>3` takes the candidate 3 from the cell in row 1, column 2; `r1c2=3` places it. `r12c4<>56` takes 5 and 6 from r1c4 and r2c4.",
        "example lone {\n  grid \"12..\"\n  finds c3r1=3\n}",
        "example lone {\n  grid \"12..\"\n  finds r1c3=3\n}",
    ),
    code(
        "E0605",
        "A near miss finds nothing\n\nA near miss shows a grid on which one thing is missing, so that the rule finds nothing. It has no `finds`.",
        "near_miss lone {\n  grid \"12..\"\n  finds r1c3=3\n}",
        "near_miss lone {\n  grid \"12..\"\n}",
    ),
    code(
        "E0606",
        "Two grids\n\nAn example has one grid, on one board. Write two examples for two grids.",
        "near_miss lone {\n  grid \"12..\"\n  grid \"21..\"\n}",
        "near_miss lone {\n  grid \"12..\"\n}\n\nnear_miss lone {\n  grid \"21..\"\n}",
    ),
];
