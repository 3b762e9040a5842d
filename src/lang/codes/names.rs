//! Codes of names.

use super::{Code, code};

pub const CODES: &[Code] = &[
    code(
        "E0201",
        "Unknown kind\n\nThe kinds are `digit`, `cell`, `candidate`, `house`, `row`, `column`, `box`, `line`, `als`, `group` and `literal`. A set has the plural and a size: `cells[2]`.",
        "c: cel = {x, y}",
        "c: cell = {x, y}",
    ),
    code(
        "E0202",
        "Unknown name\n\nEvery name is declared in the same rule: on a line `name: kind`, with `let`, in a pattern such as `= {x, y}`, or in a chain. The order of the lines does not matter.",
        "c: cell = {x, y}\neliminate z from c",
        "c: cell = {x, y}\neliminate x from c",
    ),
    code(
        "E0203",
        "Declared twice\n\nA name stands for one thing in a rule. You can use the name of a `for` again in another line, but not for another name of the rule, nor for a letter of a pattern or a chain.",
        "c: cell = {x, y}\nc: cell sees d",
        "c: cell = {x, y}\nd: cell sees c",
    ),
    code(
        "E0204",
        "A kind or a function as a name\n\nWords for kinds and functions cannot be names, and alone they are not values: `digits` is the set of all digits, `digits(c)` the candidates of c, `digit` only a kind. `eliminated` has a meaning of its own, too.",
        "row: cell = {x, y}",
        "c: cell = {x, y}",
    ),
    code(
        "E0205",
        "Unknown function\n\nThe functions are `digits`, `values`, `cells`, `row`, `column`, `box`, `rows`, `columns`, `boxes`, `lines`, `houses`, `overlap`, `in_no_template`, `in_every_template`, `in_no_combination` and `times`.",
        "c: cell = {x, y}\nrequire #digit_set(c) = 2",
        "c: cell = {x, y}\nrequire #digits(c) = 2",
    ),
    code(
        "E0206",
        "Unknown name in a title\n\nA title can use the parameters of its technique, as in `{n}`. `called` can also use `{name}`, the title of the header. Values of the pattern belong in `says` and `because`.",
        "technique lone(n: 1..2) \"Lone {m}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}",
        "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}",
    ),
    code(
        "E0207",
        "Unknown strong link\n\n`strong:` names the sources of strong links that a chain may use. They are declared with `strong link`, in any file that is loaded.",
        "chain from (z)A to (z)B, 3.. cells {\n  strong: house_of_cards\n}",
        "chain from (z)A to (z)B, 3.. cells {\n  strong: cell\n}",
    ),
    code(
        "E0208",
        "Two items with one name\n\nA technique is known by the word after `technique`, a strong link by the word after `strong link`, a rule list by the word after `rules`. Examples, profiles and rule lists refer to it, so a rule list and a technique have different names.\n\nTwo files that you load together cannot have a technique or a strong link of one name either: only one of the two would be tested, proved and used. Only built-in rules may be replaced: a rule of yours with the id of a built-in one takes its place, and Pinion says so.",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique lone \"Alone\" {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique alone \"Alone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0209",
        "An example of an unknown technique\n\nAn example begins with the id of its technique, the word after `technique`. The technique may be in another file.",
        "example lonely {\n  grid \"1...\"\n  finds r1c2=2\n}",
        "technique lonely \"Lonely\" {\n  c: cell = {d}\n  place d in c\n}\n\nexample lonely {\n  grid \"1...\"\n  finds r1c2=2\n}",
    ),
    code(
        "E0210",
        "No such pattern\n\n`uses` inserts the lines of a `pattern` that is in this file, in a file loaded with it, or in the rulebook.",
        "uses pear\nplace x in c\n",
        "pattern pear {\n  c: cell = {x}\n}\n\ntechnique lone \"Lone\" {\n  uses pear\n  place x in c\n}",
    ),
    code(
        "E0211",
        "Nothing to join\n\n`join` needs another technique (or a member of one) that finds steps itself, and names that each of its cases has.",
        "join lone by c",
        "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n\ntechnique twice(n: 1..2) \"Double {name}\" {\n  join lone(n) by c\n}",
    ),
    code(
        "E0212",
        "No such technique in a rule list\n\n`rules NAME = …` and `suppose … using rules …` list techniques by the word after `technique`, members of families as in `subset(2)`, and other rule lists.",
        "rules easy = lonely\n",
        "rules easy = lone\n\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
    code(
        "E0213",
        "A fixed cell\n\nA rule is about every place in every grid, so it describes its cells instead of giving their coordinates. Write `r1c2` only in the `finds` lines of examples.",
        "chain (x)r1c2 = (x)A - (y)A = (y)B\nconclude some x in r1c2",
        "chain (x)C = (x)A - (y)A = (y)B\neliminate y from C",
    ),
    code(
        "W0201",
        "A name that nothing uses\n\nNothing else in the rule mentions this name. The rule still requires that such a thing exists; if you mean just that, it is fine.",
        "c: cell = {x, y}\nlet s = cells seeing c\neliminate x from c",
        "c: cell = {x, y}\nlet s = cells seeing c\neliminate x from s",
    ),
    code(
        "W0202",
        "A parameter without a use\n\nThe rule is the same for every value of the parameter.",
        "technique lone(n: 1..2) \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
        "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}",
    ),
];
