//! Codes of chains.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0501",
        "Links do not alternate\n\nIn a chain, strong links (`=`: not both false) and weak links (`-`: not both true) alternate. Only then does one end follow from the other.",
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
        "The wrong kind in a chain\n\nIn `(d)A` the name inside is a digit and the name after it a cell, a group or a set of cells; the name in `=h=` is a house. A name that is not declared gets the kind that its place needs.",
        "r: row\nchain (d)r = (d)B",
        "r: row\nchain (d)A =r= (d)B",
    ),
    code(
        "E0504",
        "No such length\n\nA length is `4 cells`, `2..4 strong links` or `3.. links`, from the smaller number to the larger. A loop counts links only. A ring has `3.. candidates` or more, a case of a supposition `0..3 strong links`.",
        "chain from (z)A to (z)B, 5..3 cells {\n  strong: cell\n}",
        "chain from (z)A to (z)B, 3..5 cells {\n  strong: cell\n}",
    ),
    code(
        "E0505",
        "Which links?\n\nThe block of a chain, loop, cluster, ring or supposition names its strong links in `strong:` lines. It has at most one `weak:` line: `any`, `cell` or `same digit`. Clusters and rings have none: their links are strong and weak at once.",
        "chain from (z)A to (z)B, 3.. cells {\n  weak: any\n}",
        "chain from (z)A to (z)B, 3.. cells {\n  strong: cell\n  weak: any\n}",
    ),
    code(
        "E0506",
        "A candidate linked to itself\n\nBoth ends of a link, and both ends of a chain, are different candidates. Only a chain `from p to p` goes back to its first node.",
        "chain (x)A = (x)A",
        "chain (x)A = (x)B",
    ),
    code(
        "E0507",
        "A link that joins nothing\n\nA link joins two digits of one cell or two places of one digit. Only the second kind lies in a house. Two digits of an `als` have a strong link; those of other sets have none.",
        "chain (x)A = (y)B",
        "chain (x)A = (x)B",
    ),
    code(
        "E0508",
        "The links of what?\n\n`conclude every link of K` says of a loop that exactly one end of each of its links is true. K is the name in `loop K, …`.",
        "chain from p to q, 2.. links {\n  strong: cell\n}\nconclude every link of p",
        "loop K, 2.. links {\n  strong: cell\n}\nconclude every link of K",
    ),
    code(
        "E0509",
        "A literal, or not\n\n`conclude q` needs a literal, which itself says whether its candidate is true or false: the q of `all imply q`, or a name declared `p: literal`. For candidates use `place`, `eliminate` or `conclude some`.",
        "p: candidate\nsuppose p using singles, reaches contradiction\nconclude not p",
        "p: candidate\nsuppose p using singles, reaches contradiction\neliminate p",
    ),
    code(
        "E0510",
        "What is supposed?\n\nYou can suppose a candidate (`p: candidate`), its opposite (`not p`), a literal (`p: literal`), both ways (`p, or not p`), or each of several candidates of which one must be true. A literal gets its value from the supposition.",
        "d: digit\nh: house\nsuppose d using singles, all imply q\nconclude q",
        "d: digit\nh: house\nsuppose each of d in h using singles, all imply q\nconclude q",
    ),
    code(
        "E0511",
        "A supposition that rests on itself\n\nA technique must not use itself under its own supposition, directly or through others.",
        "technique fails \"Fails\" {\n  p: candidate\n  suppose p using rules fails, reaches contradiction\n  eliminate p\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}",
    ),
    code(
        "E0512",
        "A chain on what it finds\n\nWhat a chain is `on` must be known before the search begins. A name that occurs only at the ends gets its value from the chain.",
        "chain on z from (z)A to (z)B, 2.. strong links {\n  strong: house\n}\nconclude some z in A, B",
        "z: digit\nchain on z from (z)A to (z)B, 2.. strong links {\n  strong: house\n}\nconclude some z in A, B",
    ),
];
