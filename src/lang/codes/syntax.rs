//! Codes of texts that cannot be read.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0101",
        "Something else was expected\n\nThe line is fine up to the marked place but cannot continue like this. The label says what could stand there.",
        "c: cell = {x y}",
        "c: cell = {x, y}",
    ),
    code(
        "E0102",
        "Not a statement\n\nA line begins with a name and a colon, or with one of the words `case`, `let`, `require`, `chain`, `eliminate`, `place`, `conclude`, `guardians`, `uses`, `join`, `loop`, `cluster`, `ring`, `suppose`, `one step per`, `called`, `says` and `because`. The block of a chain has `strong:` and `weak:` lines; an example has `grid`, `board`, `after` and `finds` lines.",
        "elimnate d from c",
        "eliminate d from c",
    ),
    code(
        "E0103",
        "Not an item\n\nA file contains techniques, patterns, strong links, rule lists, examples and near misses. Each begins in the first column; statements belong between the `{` and the `}` of a technique.",
        "technik lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0104",
        "A bracket is not closed\n\nA `(`, a `[` or the `{` of a set is still open where the next statement begins. Inside brackets a line may continue on the next one.",
        "c: cell = {x, y\neliminate x from c",
        "c: cell = {x, y}\neliminate x from c",
    ),
    code(
        "E0105",
        "A text is not closed\n\nA text stands in double quotes and ends on the line on which it begins. A grid between `\"\"\"` and `\"\"\"` may take several lines.",
        "called \"Large when #digits(c) = 5",
        "called \"Large\" when #digits(c) = 5",
    ),
    code(
        "E0106",
        "A block is not closed, or closed twice\n\nThe `{` of a block is the last mark of its line, and its `}` stands alone on a line. Techniques, patterns, strong links and examples have a block, and so do `chain from … to …`, `loop`, `cluster`, `ring` and `suppose … using links`.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0107",
        "Too deep or too long\n\nBrackets nest at most 32 deep; a line has at most 2000 words, marks and placeholders, a sum of numbers at most 32 terms, a technique at most 64 cases, and a file at most 256 rule lists. Use `let` to give a part a name of its own.",
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
        "A reserved word as a name\n\nThe words of the language cannot be names, so you can read a line without knowing which names there are.",
        "from: cell = {x, y}",
        "source: cell = {x, y}",
    ),
    code(
        "E0110",
        "Parentheses are needed\n\n`+`, `-` and `&` have no precedence over each other, and neither have `and` and `or`. Where they meet, use parentheses.",
        "c: cell = {x, y}\nr: row\neliminate x from r + c - c",
        "c: cell = {x, y}\nr: row\neliminate x from (r + c) - c",
    ),
    code(
        "E0111",
        "A placeholder that cannot be read\n\n`{…}` in a text stands for a value. `{n: Pair, Triple, else Set of {n}}` has a word for each value of a parameter, from the lowest on.",
        "called \"Set of {n\" otherwise",
        "called \"Set of {n}\" otherwise",
    ),
    code(
        "E0112",
        "A rule that grows too large\n\nA name that `let` defines stands for at most 2000 parts, and a rule has at most 50000, counted with every name written out. A few lines that mention a name twice each double its size: twenty of them make a million. As written, an item has at most 10000 words, marks and placeholders, and 50000 lines of comment.",
        "c: cell = {d}\nlet a1 = #digits(c) + #digits(c)\nlet a2 = a1 + a1\nlet a3 = a2 + a2\nlet a4 = a3 + a3\nlet a5 = a4 + a4\nlet a6 = a5 + a5\nlet a7 = a6 + a6\nlet a8 = a7 + a7\nlet a9 = a8 + a8\nlet b1 = a9 + a9\nrequire b1 = 1024\nplace d in c",
        "c: cell = {d}\nlet a1 = #digits(c)\nrequire a1 = 1\nplace d in c",
    ),
    code(
        "W0101",
        "A stray doc comment\n\n`///` lines describe the item below them. Inside an item a comment begins with `//`.",
        "/// Two candidates.\nc: cell = {x, y}",
        "// Two candidates.\nc: cell = {x, y}",
    ),
    code(
        "W0102",
        "More errors than are shown\n\nPinion shows at most ten syntax errors of each item. Fix these and check again.",
        "a b\na b\na b\na b\na b\na b\na b\na b\na b\na b\na b\na b",
        "c: cell = {x, y}",
    ),
    code(
        "W0103",
        "A file without a technique\n\nThe file is empty or holds only comments, so nothing of it is checked, tested or proved.",
        "// technique lone \"Lone\" {\n//   c: cell = {d}\n//   place d in c\n// }",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
];
