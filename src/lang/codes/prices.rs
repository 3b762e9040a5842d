//! Prices of profiles. The texts are prices for the matches of a rule that names a house `h` and cells `s`.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0701",
        "A price is a number\n\nThe price of a row in a profile is a number of the match: a count with `#`, `length` (how many candidates a chain or its cases make true or false), sums of them, `product(a, b)`, `above(x, 4, 6)` (how many of these thresholds x exceeds). The names are those of the rule.",
        "digits(s)",
        "30 + #digits(s)",
    ),
    code(
        "E0702",
        "A price has no names of its own\n\nA price uses names of the rule. It has no `for` and no `those`: let the rule name the value with `let`, and use that name.",
        "#(those c in s with #digits(c) = 2)",
        "#s",
    ),
    code(
        "E0703",
        "A function of prices has its arguments\n\n`above(x, 4, 6, 8)` says how many of the thresholds 4, 6 and 8 the number x exceeds. Thresholds are plain numbers. `first(C)` is the first of some cells, row by row; `largest(C)` is the number of candidates of the cell that has the most. `since(D, C)` counts the changes since the last candidate of D in C was eliminated, that one included. `cell(K, n)` and `digit(K, n)` are the numbers of the cell and the digit of the n-th of some candidates, by digit, then row by row; `cell(C, n)` is that of the n-th of some cells. `rank(C)` is the number of some cells among all sets of cells of a house. `product(a, b)`, `least(a, b)` and `most(a, b)` are of two numbers or more.",
        "above(s, 2)",
        "above(#s, 2, 3)",
    ),
];
