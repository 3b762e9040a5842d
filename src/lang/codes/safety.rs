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
        "A conclusion about nothing\n\nThe conclusion uses no name of the pattern, so it would be drawn on every grid.",
        "c: cell = {x, y}\neliminate digits from cells",
        "c: cell = {x, y}\neliminate x from cells seeing c",
    ),
    code(
        "E0403",
        "Any choice would do\n\nNothing restricts a chosen name, or a strong link has no condition at all. The search would try every choice in vain.",
        "s: cells[3]\nc: cell = {x, y}\neliminate x from s",
        "s: cells[3] in one house\nc: cell = {x, y}\neliminate x from s",
    ),
    code(
        "E0404",
        "`for` over the wrong kind\n\nFamilies run over digits or cells, conclusions over digits. A `for` after `require` may run over any set.",
        "c: cell = {x, y}\neliminate d from c for d in cells seeing c",
        "c: cell = {x, y}\neliminate d from c for d in digits(c)",
    ),
    code(
        "E0405",
        "A circular definition\n\n`let` names may use one another in any order, but not in a circle. A pattern must not use itself, nor a rule list contain itself.",
        "c: cell = {x, y}\nlet a = digits(c) - b\nlet b = digits(c) - a",
        "c: cell = {x, y}\nlet a = digits(c) - x\nlet b = digits(c) - a",
    ),
    code(
        "E0406",
        "A name that may get no value\n\nA pattern such as `digits(c) = {x, y}` gives new names their values. Inside `or`, `not` and a line with `for` it cannot, since that part need not hold. Declare the name on a line of its own.",
        "c: cell\nrequire not digits(c) = {x, y}",
        "c: cell\nx, y: digit\nrequire not digits(c) = {x, y}",
    ),
    code(
        "E0407",
        "The wrong number of words\n\n`{n: Pair, Triple}` has one word for each value of n, or ends with `else …`. If n has no largest value, `else` is required.",
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
        "Missing in a case\n\nThe lines below the cases apply to every case, so every case must declare the names that they use.",
        "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}",
        "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line, b: box\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}",
    ),
    code(
        "E0410",
        "Not in a strong link\n\nThe lines of a strong link say when its two nodes cannot both be false: names, `let`, `guardians` and `require`. `conclude some` says what else follows if exactly one of them is true.",
        "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n  eliminate x from A\n}",
        "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n}",
    ),
    code(
        "E0411",
        "No title\n\nA technique has a title in its header, a title in each case, or `called` lines.",
        "technique lone {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0412",
        "`join` stands alone\n\nA technique that joins the steps of another has no other line: the joined technique decides what is found and what follows.",
        "join lone by c\nc: cell = {d}\nplace d in c",
        "c: cell = {d}\nplace d in c",
    ),
    code(
        "E0413",
        "A conclusion has one `for`\n\nA condition may have several `for`, a conclusion only one, over digits.",
        "c, e: cell = {x, y}\neliminate d from c for d in digits(c) for f in digits(e)",
        "c, e: cell = {x, y}\neliminate d from c for d in digits(c)",
    ),
    code(
        "E0414",
        "Not available in a view\n\n`also in rn, cn` searches a rule with the roles of row, column and digit exchanged. Cells, digits, candidates, rows and columns have counterparts there. Boxes have none. So such a rule cannot choose a box, nor use `als`, `closed`, `givens allow`, templates, combinations or chains of open length.",
        "technique lone \"Lone\" also in rn \"Other\" {\n  b: box\n  require d in b = {c}\n  d: digit\n  place d in c\n}",
        "technique lone \"Lone\" also in rn \"Other\" {\n  r: row\n  require d in r = {c}\n  d: digit\n  place d in c\n}",
    ),
    code(
        "E0415",
        "Not in a pattern\n\nA pattern chooses and requires. It has no conclusion and names no steps: do that in the techniques that use it.",
        "pattern pear {\n  c: cell = {x}\n  place x in c\n}",
        "pattern pear {\n  c: cell = {x}\n}\n\ntechnique lone \"Lone\" {\n  uses pear\n  place x in c\n}",
    ),
    code(
        "E0416",
        "One solution is assumed\n\nA technique that supposes with rules of which one assumes one solution assumes it too, and must say so in its header.",
        "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}",
        "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" assuming one solution {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}",
    ),
    code(
        "E0417",
        "A family with too many members\n\nEach choice of values for the parameters is a member of the family, and is compiled, searched and proved on its own. On a 9×9 board there may be at most 1000.",
        "technique many(a: 1..9, b: 1..9, c: 1..9, d: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = b + c + d\n  eliminate digits(s) from cells seeing every s\n}",
        "technique many(a: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = a\n  eliminate digits(s) from cells seeing every s\n}",
    ),
    code(
        "E0418",
        "Too many names\n\nA rule has at most 60 names, including those of `for`. Each case counts on its own, together with the patterns it uses.",
        "d: digit\nc1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61: cell\nplace d in c1",
        "d: digit\nc: cells[1..30]\nplace d in c",
    ),
    code(
        "E0419",
        "No uniqueness in a view\n\n`also in rn, cn` searches a rule on a board of rows and columns. The puzzle has one solution with its boxes; without them it may have more. So nothing follows from uniqueness in a view.",
        "technique corners \"Corners\" also in rn \"Corners of Places\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}",
        "technique corners \"Corners\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}",
    ),
];
