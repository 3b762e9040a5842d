//! Codes of kinds: what an expression is a set of, and where it may stand.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0301",
        "Kinds that do not mix\n\n`+`, `-`, `&`, lists, `=`, `within` and `disjoint` need two sets of one kind, or two numbers. A house counts as its cells where cells stand beside it.",
        "c: cell = {x, y}\nrequire digits(c) = 2",
        "c: cell = {x, y}\nrequire #digits(c) = 2",
    ),
    code(
        "E0302",
        "The wrong kind\n\nEvery relation, function and conclusion is about one kind: `sees` about cells, `has` about digits, conclusions about candidates, that is `d in c`.",
        "c: cell = {x, y}\nrequire x sees c",
        "c: cell = {x, y}\nd: cell sees c",
    ),
    code(
        "E0303",
        "All of them, or at least one?\n\nWith `sees`, `has`, `lacks` and `seeing`, a set of several things needs `every` or `some`. A single name needs neither; a list of single names means each of them.",
        "s: cells[2] in one house\neliminate digits(s) from cells seeing s",
        "s: cells[2] in one house\neliminate digits(s) from cells seeing every s",
    ),
    code(
        "E0304",
        "`every`, `some` or `no` where it cannot stand\n\nA single thing takes none of these words; `=`, `within`, `disjoint` and the relations between houses are about whole sets.",
        "c: cell = {x, y}\neliminate x from cells seeing every c",
        "c: cell = {x, y}\neliminate x from cells seeing c",
    ),
    code(
        "E0305",
        "Neither true nor false\n\nA condition is needed, but this is a set or a number. `d in c` is a set of candidates: `some d in c` says that it is not empty.",
        "c: cell = {x, y}\nh: house\nrequire x in h",
        "c: cell = {x, y}\nh: house\nrequire some x in h",
    ),
    code(
        "E0306",
        "A condition where a value is needed\n\nOnly `require`, `with` and `when` take conditions; they cannot be counted or compared.",
        "c: cell = {x, y}\nlet b = (#digits(c) = 2)",
        "c: cell = {x, y}\nrequire #digits(c) = 2",
    ),
    code(
        "E0307",
        "Not clear what is listed\n\n`= {x, y}` after `cell` lists its candidates. Elsewhere the left side says what is listed: `digits(c) = {x, y}`, `cells(h) = {A}`, `d in h = {A, B}`.",
        "h: house = {A, B}",
        "h: house\nrequire cells(h) = {A, B}",
    ),
    code(
        "E0308",
        "One thing is needed, or several are\n\n`row(c)` and `times(d, s)` take one thing, `connected` and `in one house` several, and `p[d]` needs a family.",
        "s: cells[2] in row(t)\nt: cells[2] in one house",
        "s: cells[2] in t\nt: row",
    ),
    code(
        "E0309",
        "A family without its index\n\n`p[d]: cell … for d in D` is one cell for each digit of D. The index stands in both places.",
        "c: cell = {x, y}\np[d]: cell sees c",
        "c: cell = {x, y}\np[d]: cell sees c for d in digits(c)",
    ),
    code(
        "E0310",
        "The wrong number of things\n\n`times(d, s)` takes a digit and cells. `parallel` is followed by a house, or stands alone after several names: `r, s: line parallel`.\nA set cannot be `disjoint` from itself: write `no S` if it must be empty. `disjoint` alone is for the members of a family.",
        "c: cell = {x, y}\nrequire times(x) = 1",
        "c: cell = {x, y}\nrequire times(x, cells seeing c) = 1",
    ),
    code(
        "E0311",
        "One thing or a set?\n\n`cell` is one cell, `cells[2]` a set of two. A set has a size: `[2]`, `[2..3]`, `[1..]`, `[n]`. Only an `als` and a `group` have none: `als(2)` has two digits more than cells. Candidates are chosen one by one, or defined as a set with `let`.",
        "s: cells in one house",
        "s: cells[2] in one house",
    ),
    code(
        "E0312",
        "Repeated in a set\n\nA set has each member once, and different names are different things.",
        "c: cell = {x, x}",
        "c: cell = {x, y}",
    ),
    code(
        "E0313",
        "What is linked?\n\n`x: digit linking A, B`: x is in A and in B, and every x in A sees every x in B. From the side of a set it is `A: als linking x to B`.",
        "A, B: als\nx: digit linking A\nconclude some x in A, B",
        "A, B: als\nx: digit linking A, B\nconclude some x in A, B",
    ),
    code(
        "E0314",
        "Only for the name of a step\n\nWhat a match eliminates (`eliminated`) and which links it has (`some link by cell`) is known only once there is a match. So only `called … when` can ask for it.",
        "c: cell = {x, y}\nrequire #eliminated = 1\neliminate x from cells seeing c",
        "c: cell = {x, y}\neliminate x from cells seeing c\ncalled \"One\" when #eliminated = 1",
    ),
];
