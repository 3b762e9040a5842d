//! Prices of profiles. The texts are prices for the matches of a rule that names a house `h` and cells `s`.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0701",
        "A price is a number\n\nThe price of a row in a profile is a number of the match: a count with `#`, `length` (how many candidates a chain or its cases make true or false), sums of them, `above(x, 4, 6)` (how many of these thresholds x exceeds). The names are those of the rule.",
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
        "`above` takes a number and thresholds\n\n`above(x, 4, 6, 8)` says how many of the thresholds 4, 6 and 8 the number x exceeds. Thresholds are plain numbers.",
        "above(s, 2)",
        "above(#s, 2, 3)",
    ),
];
