//! Codes of chains.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0501",
        "Links do not take turns\n\nIn a chain strong links (`=`: not both false) and weak links (`-`: not both true) take turns. Only then does one end follow from the other.",
        "chain (x=y)A = (y)B - (y=x)C",
        "chain (x=y)A - (y)B = (y)C - (y=x)D",
    ),
    code(
        "E0502",
        "A chain ends with a weak link\n\nThe first and the last link are strong: if one end is false, the other is true.",
        "chain (x=y)A - (y)B",
        "chain (x=y)A - (y)B = (y)C",
    ),
    code(
        "E0503",
        "The wrong kind in a chain\n\nIn `(d)A` the name inside is a digit and the name after it a cell; the name in `=h=` is a house. Names that nobody declares become what their place says.",
        "r: row\nchain (d)r = (d)B",
        "r: row\nchain (d)A =r= (d)B",
    ),
    code(
        "E0504",
        "No such length\n\nA length is `4 cells`, `2..4 strong links` or `3.. links`, from the smaller to the larger number.",
        "chain from (z)A to (z)B, 5..3 cells {\n  strong: cell\n}",
        "chain from (z)A to (z)B, 3..5 cells {\n  strong: cell\n}",
    ),
    code(
        "E0505",
        "Which links?\n\nThe block of a chain names its strong links in `strong:` lines, and has at most one `weak:` line: `any`, `cell` or `same digit`.",
        "chain from (z)A to (z)B, 3.. cells {\n  weak: any\n}",
        "chain from (z)A to (z)B, 3.. cells {\n  strong: cell\n  weak: any\n}",
    ),
    code(
        "E0506",
        "A candidate linked to itself\n\nBoth ends of a link, and both ends of a chain, are different candidates.",
        "chain (x)A = (x)A",
        "chain (x)A = (x)B",
    ),
    code(
        "E0507",
        "A link that joins nothing\n\nA link joins two digits of one cell or two places of one digit. Only the second kind lies in a house.",
        "chain (x)A = (y)B",
        "chain (x)A = (x)B",
    ),
];
