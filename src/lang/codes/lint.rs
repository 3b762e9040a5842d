//! Codes of `pinion lint`: what could be better about rules that are right.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "L0101",
        "Nothing speaks of this name\n\nA name is chosen, and no other line, no conclusion and no sentence uses it. Each thing that a chosen name could stand for makes the same match again. Leave the line out; to say that there is such a thing, require `some` of a set.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  other: cell sees c\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "L0102",
        "A requirement that follows from others\n\nAnother line says it already, so the rule finds the same without it. Only what one condition says of another by itself is noticed: equal conditions, bounds of one number, how many there are of what is listed. Nothing is searched or proved for it, so what is named is certain, and not every such requirement is named. `pinion prove --strengthen` asks the other question: without which requirements the rule would find more and still be right.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  require #digits(c) = 1\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "L0103",
        "The search begins with no clue\n\nThe plan of the rule on a 9×9 board begins with names of which nothing is known by itself, in more than 3,000 ways together, so most of the work is done before the first requirement is looked at. Require something of one name alone, such as its number of candidates. `pinion emit plan` shows the order in which names get their values.",
        "technique far \"Far\" {\n  A, B, C: cell\n  require #(digits(A) + digits(B) + digits(C)) > 3\n  eliminate digits(A) from cells seeing A, B, C\n}",
        "technique near \"Near\" {\n  A, B: cell = {x, y}\n  require A sees B\n  eliminate {x, y} from cells seeing A, B\n}",
    ),
    code(
        "L0104",
        "No example\n\nNo `example` names this technique, so nothing shows that it finds anything: a rule that is never true passes every check and every proof. `pinion hunt` looks for a grid.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\nexample lone {\n  grid \"12..3.......4..1\"\n  finds r2c2=4 r3c1=2 r4c2=3\n}",
    ),
    code(
        "L0105",
        "No near miss\n\nNo `near_miss` names this technique, so nothing shows where it stops. Copy an example and put a candidate in that spoils it: then a requirement that is lost one day is noticed.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\nnear_miss lone {\n  grid \"1...............\"\n}",
    ),
    code(
        "L0106",
        "A name that another rule has\n\nSteps of two rules can have one name, so a path does not tell which of them it was, and `--technique` with this name finds both. Names stand in the header and after `called`; small and capital letters, blanks and hyphens make no difference.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique other \"Lone\" {\n  c: cell with 1 candidates\n  place digits(c) in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique other \"Other\" {\n  c: cell with 1 candidates\n  place digits(c) in c\n}",
    ),
    code(
        "L0107",
        "An invalid excuse\n\nA finding that is meant to be so is excused by a comment in the rule or above it, `// allow L0105: the reason`. An excuse needs a reason, and one that nothing needs any more is to be taken away.",
        "// allow L0105\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
        "// allow L0105: a cell with two candidates shows nothing that the rule's one line does not say\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
];
