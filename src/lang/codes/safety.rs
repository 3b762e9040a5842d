//! Codes of rules that can be read and still say nothing, too much, or something that has no value.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0401",
        "No conclusion\n\nA technique ends in `eliminate`, `place` or `conclude some`.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0402",
        "A conclusion about nothing\n\nThe conclusion mentions no name of the pattern, so it would hold on every grid.",
        "c: cell = {x, y}\neliminate digits from cells",
        "c: cell = {x, y}\neliminate x from cells seeing c",
    ),
    code(
        "E0403",
        "Any choice would do\n\nA name is chosen and nothing is said about it, or a strong link says nothing at all. The search would try every choice to no purpose.",
        "s: cells[3]\nc: cell = {x, y}\neliminate x from s",
        "s: cells[3] in one house\nc: cell = {x, y}\neliminate x from s",
    ),
    code(
        "E0404",
        "`for` runs over something else\n\nFamilies and conclusions are repeated for digits. A `for` after `require` may run over any set.",
        "c: cell = {x, y}\neliminate d from c for d in cells seeing c",
        "c: cell = {x, y}\neliminate d from c for d in digits(c)",
    ),
    code(
        "E0405",
        "Defined by itself\n\n`let` names may use one another in any order, but not in a circle.",
        "c: cell = {x, y}\nlet a = digits(c) - b\nlet b = digits(c) - a",
        "c: cell = {x, y}\nlet a = digits(c) - x\nlet b = digits(c) - a",
    ),
    code(
        "E0406",
        "A name that may get no value\n\nA pattern such as `digits(c) = {x, y}` gives new names their values. Inside of `or`, `not` and what `for` repeats it cannot: that part may not count. Declare the name on a line of its own.",
        "c: cell\nrequire not digits(c) = {x, y}",
        "c: cell\nx, y: digit\nrequire not digits(c) = {x, y}",
    ),
    code(
        "E0407",
        "Words and values differ in number\n\n`{n: Pair, Triple}` has one word for each value of n, or ends in `else …`. Where n has no largest value the `else` is needed.",
        "technique set(n: 2..4) \"{n: Pair, Triple}\" {\n  s: cells[n] in one house\n  eliminate digits(s) from s\n}",
        "technique set(n: 2..4) \"{n: Pair, Triple, else Set of {n}}\" {\n  s: cells[n] in one house\n  eliminate digits(s) from s\n}",
    ),
    code(
        "E0408",
        "An empty range\n\nThe first number of a range is not larger than the second, and a set has at least one member.",
        "s: cells[4..2] in one house",
        "s: cells[2..4] in one house",
    ),
    code(
        "E0409",
        "Missing in a case\n\nThe lines below the cases hold for each of them, so each case gives a value to every name that they use.",
        "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}",
        "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line, b: box\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}",
    ),
    code(
        "E0410",
        "Not in a strong link\n\nThe lines of a strong link say when not both of its nodes are false: names, `let` and `require`. What follows is always the same.",
        "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n  eliminate x from A\n}",
        "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n}",
    ),
    code(
        "E0411",
        "No name for people\n\nA technique has a title in its header, a title in each case, or `called` lines.",
        "technique lone {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
];
