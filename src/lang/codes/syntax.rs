//! Codes of texts that cannot be read.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0101",
        "Something else was expected\n\nThe line is right up to the marked place, and cannot go on like this. The label names what could stand there.",
        "c: cell = {x y}",
        "c: cell = {x, y}",
    ),
    code(
        "E0102",
        "Not a statement\n\nA line begins with a name and a colon, or with one of the words `case`, `let`, `require`, `chain`, `eliminate`, `place`, `conclude`, `guardians`, `uses`, `join`, `loop`, `cluster`, `ring`, `suppose`, `one step per`, `called`, `says` and `because`. The block of a chain holds `strong:` and `weak:`, an example `grid` and `finds`.",
        "elimnate d from c",
        "eliminate d from c",
    ),
    code(
        "E0103",
        "Not an item\n\nA file holds techniques, patterns, strong links, rule lists, examples and near misses. Each begins in the first column; statements stand between the `{` and the `}` of a technique.",
        "technik lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0104",
        "A bracket is not closed\n\nA `(`, `[` or the `{` of a set is open where the next statement begins. Inside brackets a line may go on in the next.",
        "c: cell = {x, y\neliminate x from c",
        "c: cell = {x, y}\neliminate x from c",
    ),
    code(
        "E0105",
        "A text is not closed\n\nTexts stand in double quotes and end on the line on which they begin. A grid may stand between `\"\"\"` and `\"\"\"` on several lines.",
        "called \"Large when #digits(c) = 5",
        "called \"Large\" when #digits(c) = 5",
    ),
    code(
        "E0106",
        "A block is not closed, or closed twice\n\nThe `{` of a block is the last mark of its line, and its `}` stands alone on a line. Techniques, patterns, strong links and examples have a block, and so have `chain from … to …`, `loop`, `cluster`, `ring` and `suppose … using links`.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0107",
        "Too deep or too long\n\nBrackets nest at most 32 deep, a line has at most 2000 words and marks, a sum of numbers at most 32 terms, a technique at most 64 cases, and a file at most 256 lists of rules. `let` gives a part a name of its own.",
        "require #digits(c) = 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1",
        "require #digits(c) = 34",
    ),
    code(
        "E0108",
        "A number is too large\n\nNumbers count cells, digits, candidates and links; none is larger than 1000000.",
        "require #digits(c) = 99999999999",
        "require #digits(c) = 9",
    ),
    code(
        "E0109",
        "A word of the language as a name\n\nThe words that statements are made of cannot be names, so that a line can be read without knowing which names there are.",
        "from: cell = {x, y}",
        "source: cell = {x, y}",
    ),
    code(
        "E0110",
        "Parentheses are needed\n\nNone of `+`, `-`, `&` goes before another, and neither `and` nor `or` does. Where they meet, parentheses say what belongs together.",
        "c: cell = {x, y}\nr: row\neliminate x from r + c - c",
        "c: cell = {x, y}\nr: row\neliminate x from (r + c) - c",
    ),
    code(
        "E0111",
        "A hole in a text cannot be read\n\n`{…}` in a text is filled by a value. `{n: Pair, Triple, else Set of {n}}` has a word for each value of a parameter from the lowest on.",
        "called \"Set of {n\" otherwise",
        "called \"Set of {n}\" otherwise",
    ),
    code(
        "W0101",
        "A comment of nothing\n\nLines with `///` describe the item that follows them. Remarks inside of an item begin with `//`.",
        "/// Two candidates.\nc: cell = {x, y}",
        "// Two candidates.\nc: cell = {x, y}",
    ),
    code(
        "W0102",
        "More errors than are shown\n\nOf one item ten errors in reading are shown. Mend these and look again.",
        "a b\na b\na b\na b\na b\na b\na b\na b\na b\na b\na b\na b",
        "c: cell = {x, y}",
    ),
];
