//! Codes of rules that can be read and still say nothing, too much, or something that has no value.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0401",
        "No conclusion\n\nA technique ends in `eliminate`, `place` or `conclude`, or joins the steps of another.",
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
        "Any choice would do\n\nNothing restricts a name that is chosen, or a strong link has no condition at all. The search would try every choice to no purpose.",
        "s: cells[3]\nc: cell = {x, y}\neliminate x from s",
        "s: cells[3] in one house\nc: cell = {x, y}\neliminate x from s",
    ),
    code(
        "E0404",
        "`for` runs over something else\n\nFamilies are repeated for digits or cells, conclusions for digits. A `for` after `require` may run over any set.",
        "c: cell = {x, y}\neliminate d from c for d in cells seeing c",
        "c: cell = {x, y}\neliminate d from c for d in digits(c)",
    ),
    code(
        "E0405",
        "Defined by itself\n\n`let` names may use one another in any order, but not in a circle. Nor does a pattern use itself or a rule list hold itself.",
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
        "Not in a strong link\n\nThe lines of a strong link say when not both of its nodes are false: names, `let`, `guardians` and `require`. `conclude some` says what else follows where just one of them is true.",
        "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n  eliminate x from A\n}",
        "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n}",
    ),
    code(
        "E0411",
        "No name for people\n\nA technique has a title in its header, a title in each case, or `called` lines.",
        "technique lone {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0412",
        "`join` stands alone\n\nA technique that joins the steps of another has no other line: the technique that is joined says what is found and what follows.",
        "join lone by c\nc: cell = {d}\nplace d in c",
        "c: cell = {d}\nplace d in c",
    ),
    code(
        "E0413",
        "A conclusion has one `for`\n\nConditions may be repeated for the members of several sets. A conclusion is repeated for the digits of one.",
        "c, e: cell = {x, y}\neliminate d from c for d in digits(c) for f in digits(e)",
        "c, e: cell = {x, y}\neliminate d from c for d in digits(c)",
    ),
    code(
        "E0414",
        "No image in another view\n\n`also in rn, cn` searches a rule with the roles of row, column and digit exchanged. Cells, digits, candidates, rows and columns have an image there. Boxes have none, and so nothing that may be a box, nor `als`, `closed`, `givens allow`, templates, combinations and chains of open length.",
        "technique lone \"Lone\" also in rn \"Other\" {\n  b: box\n  require d in b = {c}\n  d: digit\n  place d in c\n}",
        "technique lone \"Lone\" also in rn \"Other\" {\n  r: row\n  require d in r = {c}\n  d: digit\n  place d in c\n}",
    ),
    code(
        "E0415",
        "Not in a pattern\n\nThe lines of a pattern stand in the techniques that use it. It chooses and requires; it concludes nothing and gives no names.",
        "pattern pear {\n  c: cell = {x}\n  place x in c\n}",
        "pattern pear {\n  c: cell = {x}\n}\n\ntechnique lone \"Lone\" {\n  uses pear\n  place x in c\n}",
    ),
    code(
        "E0416",
        "One solution is assumed\n\nA technique that supposes by rules of which one assumes one solution assumes it too, and says so in its header.",
        "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}",
        "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" assuming one solution {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}",
    ),
    code(
        "E0417",
        "A family with too many members\n\nEach choice of values for the parameters is a member of the family, which is compiled, searched and proved on its own. On the common board there are at most 1000.",
        "technique many(a: 1..9, b: 1..9, c: 1..9, d: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = b + c + d\n  eliminate digits(s) from cells seeing every s\n}",
        "technique many(a: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = a\n  eliminate digits(s) from cells seeing every s\n}",
    ),
    code(
        "E0418",
        "Too many names\n\nA rule, each of its cases and what its patterns bring along counted on their own, has 60 names at most, running ones included.",
        "d: digit\nc1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61: cell\nplace d in c1",
        "d: digit\nc: cells[1..30]\nplace d in c",
    ),
    code(
        "E0419",
        "One solution is not seen in a view\n\n`also in rn, cn` searches a rule on a board of rows and columns. What has one solution is the puzzle with its boxes and all its other houses: without them it may have more, so what follows from there being one does not follow in a view.",
        "technique corners \"Corners\" also in rn \"Corners of Places\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}",
        "technique corners \"Corners\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}",
    ),
];
