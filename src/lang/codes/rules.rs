//! Problems of readable rules: incomplete or unusable content (codes E04xx), and chains and suppositions (codes E05xx).

use crate::lang::ir::MAX_NAMES;

problems! {
    /// Problems of readable rules: missing, empty, circular or unusable content.
    RuleProblem {
        [E0401] "No conclusion\n\nA technique ends in `eliminate`, `place` or `conclude`, or joins the steps of another."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            NoConclusion { id: String } = "`{id}` concludes nothing", "no conclusion",
                "end it with `eliminate …`, `place …` or `conclude some …`";
        [E0402] "A conclusion about nothing\n\nThe conclusion uses no name of the pattern, so it would be drawn on every grid."
            { "c: cell = {x, y}\neliminate digits from cells" => "c: cell = {x, y}\neliminate x from cells seeing c" }
            ConclusionOfNothing = "this conclusion names nothing of the pattern", "the same on every grid",
                "a conclusion uses names that other lines choose";
        [E0403] "Any choice would do\n\nNothing restricts a chosen name, or a strong link has no condition at all. The search would try every choice in vain."
            { "s: cells[3]\nc: cell = {x, y}\neliminate x from s" => "s: cells[3] in one house\nc: cell = {x, y}\neliminate x from s" }
            LinkWithoutCondition = "nothing says when this link holds", "no line in its block",
                "add `require` lines: if they hold, at least one of the two nodes must be true";
            Unrestricted { name: String, is_set_in_conclusion: bool } = {
                if is_set_in_conclusion { format!("nothing says which things are in `{name}`") } else { format!("nothing restricts `{name}`") }
            }, "any choice would do", "add a qualifier after its kind, use it in a `require`, or delete `{name}`";
        [E0404] "`for` over the wrong kind\n\nFamilies run over digits or cells, conclusions over digits. A `for` after `require` may run over any set."
            { "c: cell = {x, y}\neliminate d from c for d in cells seeing c" => "c: cell = {x, y}\neliminate d from c for d in digits(c)" }
            IndexKind { name: String, actual: &'static str, wanted: &'static str } =
                "`{name}` is {actual}, and {wanted} is needed here", "not {wanted}" + "declared here";
            ForOver { kind_count: usize, actual: &'static str, is_set: bool } = {
                format!("`for` runs over {} here; this is {actual}", ["a set", "digits", "digits or cells"][kind_count])
            }, "{actual}", {
                match (kind_count, is_set) {
                    (1, true) => "a conclusion is about all members of a set at once: name the set, and leave `for …` out",
                    (2, _) => "write `for d in digits(…)` or `for c in cells(…)`",
                    _ => "write `for d in digits(…)`",
                }
            };
            CellsOfHouses { name: String } =
                "`{name}` would be a cell: with a single house or with cells, `-` and `&` give cells", "cells, not houses",
                "write `cells(…)` around it if cells are meant; for the houses other than h write `those {name} in houses with {name} != h`";
        [E0405] "A circular definition\n\n`let` names may use one another in any order, but not in a circle. A pattern must not use itself, nor a rule list contain itself."
            { "c: cell = {x, y}\nlet a = digits(c) - b\nlet b = digits(c) - a" => "c: cell = {x, y}\nlet a = digits(c) - x\nlet b = digits(c) - a" }
            DefinedByItself { name: String, cycle: String } = "`{name}` is defined by itself{cycle}", "in a circle",
                "a `let` may use names of other lines, but not in a circle: define one of these without the others" + "in the circle, too";
            PatternInCircle { name: String } = "`{name}` uses itself", "in a circle",
                "a pattern may use others, but not in a circle: take one of these lines out";
            ListInCircle { name: String } = "the rule list `{name}` contains itself", "in a circle",
                "a rule list may hold others, but not in a circle: take one of these names out";
        [E0406] "A name that may get no value\n\nA pattern such as `digits(c) = {x, y}` gives new names their values. Inside `or`, `not` and a line with `for`, the pattern need not hold, so it gives no values. Declare the name on a line of its own."
            { "c: cell\nrequire not digits(c) = {x, y}" => "c: cell\nx, y: digit\nrequire not digits(c) = {x, y}" }
            Unbindable { name: String, place: &'static str, kind: Option<&'static str> } =
                "`{name}` is declared nowhere, and {place} cannot give it a value", "may have no value here", {
                match kind {
                    Some(kind) => format!("declare it on a line of its own: `{name}: {kind}`"),
                    None => format!("declare it on a line of its own, such as `{name}: digit`"),
                }
            };
        [E0407] "The wrong number of words\n\n`{n: Pair, Triple}` has one word for each value of n, or ends with `else …`. If n has no largest value, `else` is required."
            { "technique set(n: 2..4) \"{n: Pair, Triple}\" {\n  s: cells[n] in one house\n  eliminate digits(s) from s\n}" => "technique set(n: 2..4) \"{n: Pair, Triple, else Set of {n}}\" {\n  s: cells[n] in one house\n  eliminate digits(s) from s\n}" }
            WordsForOpenRange { name: String } = "`{name}` has no largest value, so these words do not name all of them", "these words",
                "add `, else Set of {{{name}}}` as the last word" + "the range";
            WordsMismatch { name: String, words: u32, values: u32, low: u32, last: u32 } = "{words} words for {values} values", "these words",
                "`{name}` runs from {low} to {last}: give one word for each, or end with `else …`" + "the range";
            ElseUnused { words: u32, values: u32 } = "{words} words and an `else` for {values} values", "these words",
                "the `else` is never used: leave it out" + "the range";
        [E0408] "An empty range\n\nThe first number of a range is not larger than the second, and a set has at least one member."
            { "s: cells[4..2] in one house" => "s: cells[2..4] in one house" }
            EmptyRange { low: u32, high: u32 } = "there is no number from {low} to {high}", "an empty range",
                "the smaller number comes first: `{high}..{low}`";
            EmptySet = "a set has at least one member", "at least 1";
            AlsDegree = "an `als` has at least one digit more than cells", "at least 1";
        [E0409] "Missing in a case\n\nThe lines below the cases apply to every case, so every case must declare the names that they use."
            { "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}" => "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line, b: box\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}" }
            MissingInCase { name: String } = "`{name}` has no value in every case", "used in all cases",
                "add `{name}: …` to this case" + "this case does not bind `{name}`";
        [E0410] "Not in a strong link\n\nThe lines of a strong link say when its two nodes cannot both be false: names, `let`, `guardians` and `require`. `conclude some` says what else follows if exactly one of them is true."
            { "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n  eliminate x from A\n}" => "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n}" }
            NotInLink { construct: &'static str } = "{construct} cannot stand in a strong link", "not here",
                "the pattern of the link has names, `let`, `guardians` and `require`; `conclude some` says what follows if just one node is true";
        [E0411] "No title\n\nA technique has a title in its header, a title in each case, or `called` lines."
            { "technique lone {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            EmptyTitle = "this title is empty", "no name", "write the name that people know; the steps get this title";
            NoTitle { id: String } = "`{id}` has no title", "no title",
                "write `technique {id} \"Name\" {{`, or name its steps with `called` lines";
        [E0412] "`join` stands alone\n\nA technique that joins the steps of another has no other line: the joined technique decides what is found and what follows."
            { "join lone by c\nc: cell = {d}\nplace d in c" => "c: cell = {d}\nplace d in c" }
            LineBesideJoin = "a technique that joins steps of another has no other lines", "not beside `join`",
                "write them in the technique that is joined" + "this line";
        [E0413] "A conclusion has one `for`\n\nA condition may have several `for`, a conclusion only one, over digits."
            { "c, e: cell = {x, y}\neliminate d from c for d in digits(c) for f in digits(e)" => "c, e: cell = {x, y}\neliminate d from c for d in digits(c)" }
            SecondFor = "a conclusion is repeated by one `for`", "a second `for`",
                "write one `for` over digits: `conclude some d in A for d in digits(A)`" + "the first";
        [E0414] "Not available in a view\n\n`also in rn, cn` searches a rule with the roles of row, column and digit exchanged. Cells, digits, candidates, rows and columns have counterparts there. Boxes have none. So such a rule cannot choose a box, nor use `als`, `closed`, `givens allow`, templates, combinations or chains of open length."
            { "technique lone \"Lone\" also in rn \"Other\" {\n  b: box\n  require d in b = {c}\n  d: digit\n  place d in c\n}" => "technique lone \"Lone\" also in rn \"Other\" {\n  r: row\n  require d in r = {c}\n  d: digit\n  place d in c\n}" }
            NameNotInView { name: String, actual: &'static str, space: String } = "`{name}` is {actual}, which `{space}` does not have", "this view",
                "only cells, digits, candidates, rows and columns have counterparts in a view; leave `also in …` out" + "declared here";
            NotInView { construct: &'static str, space: String } = "this rule uses {construct}, which `{space}` does not have", "this view",
                "only cells, digits, candidates, rows and columns have counterparts in a view; leave `also in …` out";
        [E0415] "Not in a pattern\n\nA pattern chooses and requires. It has no conclusion and names no steps: do that in the techniques that use it."
            { "pattern pear {\n  c: cell = {x}\n  place x in c\n}" => "pattern pear {\n  c: cell = {x}\n}\n\ntechnique lone \"Lone\" {\n  uses pear\n  place x in c\n}" }
            NotInPattern { construct: &'static str } = "{construct} cannot stand in a pattern", "not here",
                "a pattern has names, `let`, `guardians`, `require` and chains; write conclusions where you use it";
        [E0416] "One solution is assumed\n\nIf a technique uses a rule under a supposition, and the rule assumes one solution, then the technique assumes one solution, too. Its header must say so."
            { "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}" => "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" assuming one solution {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}" }
            AssumesOneSolution { used: String, id: String } = "`{used}` assumes one solution, so `{id}` does too", "by this",
                "end the header with `assuming one solution`";
        [E0417] "A family with too many members\n\nEach choice of values for the parameters is a member of the family, and is compiled, searched and proved on its own. On a 9×9 board there may be at most 1000."
            { "technique many(a: 1..9, b: 1..9, c: 1..9, d: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = b + c + d\n  eliminate digits(s) from cells seeing every s\n}" => "technique many(a: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = a\n  eliminate digits(s) from cells seeing every s\n}" }
            TooManyMembers { id: String, count: u64, most: u64 } = "`{id}` would have {count} members", "more than {most} with this one",
                "each is searched on its own: give the parameters smaller ranges, or let names take the values";
        [E0418] "Too many names\n\nA rule has at most 60 names, including those of `for`. Each case counts on its own, together with the patterns it uses."
            { "d: digit\nc1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61: cell\nplace d in c1" => "d: digit\nc: cells[1..30]\nplace d in c" }
            TooManyNames { count: usize } = "a rule has {MAX_NAMES} names at most, this one has {count}", "one more than that",
                { "let sets (`cells[4]`) or families (`f[d]: cell in h for d in D`) hold what many names hold, or make two rules of it" };
        [E0419] "No uniqueness in a view\n\n`also in rn, cn` searches a rule on a board of rows and columns. The puzzle has one solution with its boxes; without them it may have more. So nothing follows from uniqueness in a view."
            { "technique corners \"Corners\" also in rn \"Corners of Places\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}" => "technique corners \"Corners\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}" }
            UniquenessInView { space: String } = "a rule that assumes one solution cannot be read in `{space}`", "this view",
                "a view has no boxes, and without them the puzzle may have more solutions; leave `also in …` out" + "assumed here";
    }
}

problems! {
    /// Problems of chains, loops, clusters, rings and suppositions.
    ChainProblem {
        [E0501] "Links do not alternate\n\nIn a chain, strong links (`=`: not both false) and weak links (`-`: not both true) alternate. Only then does one end follow from the other."
            { "chain (x=y)A = (y)B - (y=x)C" => "chain (x=y)A - (y)B = (y)C - (y=x)D" }
            NotAlternating { word: &'static str, mark: &'static str, other: &'static str } = "two {word} links follow one another", "{word} again",
                "strong and weak links alternate: one of these must be `{other}` instead of `{mark}`" + "{word}";
        [E0502] "A chain ends with a weak link\n\nThe first and the last link are strong: if one end is false, the other is true."
            { "chain (x=y)A - (y)B" => "chain (x=y)A - (y)B = (y)C" }
            WeakEnd { end: &'static str } = "a chain {end} with a strong link", "weak",
                "only then is one of its two ends true: write `=` here, or leave the link out";
            NoLink = "a chain has at least one link", "none here";
        [E0503] "The wrong kind in a chain\n\nIn `(d)A` the name inside is a digit and the name after it a cell, a group or a set of cells; the name in `=h=` is a house. A name that is not declared gets the kind that its place needs."
            { "r: row\nchain (d)r = (d)B" => "r: row\nchain (d)A =r= (d)B" }
            WrongName { name: String, actual: &'static str, wanted: &'static str } =
                "`{name}` is {actual}, and {wanted} is needed here", "not {wanted}" + "declared here";
        [E0504] "No such length\n\nA length is `4 cells`, `2..4 strong links` or `3.. links`, from the smaller number to the larger. A loop counts links only. A ring has `3.. candidates` or more, a case of a supposition `0..3 strong links`."
            { "chain from (z)A to (z)B, 5..3 cells {\n  strong: cell\n}" => "chain from (z)A to (z)B, 3..5 cells {\n  strong: cell\n}" }
            LengthUnit { owner: &'static str, units: &'static str } = "the length of {owner} has another unit", "not this unit", "write {units}";
            EmptyLength { low: u32, high: u32 } = "there is no length from {low} to {high}", "no such length";
            NoLength { owner: &'static str } = "{owner} has at least one link", "no such length";
            RingLength = "a ring has three candidates or more, without a maximum", "no such length", "write `3.. candidates`, `5.. candidates`";
            CaseLength = "give the maximum number of strong links of a case", "no such length", "write `0..3 strong links`";
        [E0505] "Which links?\n\nThe block of a chain, loop, cluster, ring or supposition names its strong links in `strong:` lines. It has at most one `weak:` line: `any`, `cell` or `same digit`. Clusters and rings have none: their links are strong and weak at once."
            { "chain from (z)A to (z)B, 3.. cells {\n  weak: any\n}" => "chain from (z)A to (z)B, 3.. cells {\n  strong: cell\n  weak: any\n}" }
            NoStrongLine { owner: &'static str } = "which strong links may this {owner} use?", "no `strong:` in the block",
                "add a line `strong: cell, house` to its block";
            SecondWeakLine { owner: &'static str } = "a {owner} has one `weak:` line", "a second one" + "the first";
            WeakLine { owner: &'static str } = "the links of a {owner} are strong and weak at once", "no `weak:` here", "leave this line out";
        [E0506] "A candidate linked to itself\n\nBoth ends of a link, and both ends of a chain, are different candidates. Only a chain `from p to p` goes back to its first node."
            { "chain (x)A = (x)A" => "chain (x)A = (x)B" }
            LinkToItself = "this link joins a candidate to itself", "the same digit in the same cell" + "as here";
            ChainToItself = "the chain ends where it begins", "the same candidate",
                "write `from p to p` if the chain returns to its first node" + "begins here";
        [E0507] "A link that joins nothing\n\nA link joins two digits of one cell or two places of one digit. Only the second kind lies in a house. Two digits of an `als` have a strong link; those of other sets have none."
            { "chain (x)A = (y)B" => "chain (x)A = (x)B" }
            LinkOfNothing { first: String, second: String } =
                "a link joins two places of one digit, or two digits of one cell", "this link does neither",
                "`{first}` and `{second}` are different digits in different cells; give both the same digit";
            HouseInCell = "a link inside of one cell has no house", "leave this name out";
            LinkInAls { name: String, degree: u32 } =
                "`{name}` has {degree} digits more than cells, so two of its digits may both be missing", "no such link",
                "declare `{name}: als`" + "declared here";
            LinkInGroup { name: String } = "two digits of the group `{name}` are not linked", "no such link",
                "a link inside of one cell needs a cell: leave `{name}: group` out" + "declared here";
            LinkInSet { name: String } = "two digits of the set `{name}` may both be true", "no such link",
                "only in one cell do digits exclude each other" + "declared here";
        [E0508] "The links of what?\n\n`conclude every link of K` says of a loop that exactly one end of each of its links is true. K is the name in `loop K, …`."
            { "chain from p to q, 2.. links {\n  strong: cell\n}\nconclude every link of p" => "loop K, 2.. links {\n  strong: cell\n}\nconclude every link of K" }
            NoLoop { name: String } = "`{name}` is not the name of a loop", "not a loop",
                "exactly one end of each link of a loop is true: `loop K, 2.. strong links {{` and `conclude every link of K`" + "declared here";
        [E0509] "A literal, or not\n\n`conclude q` needs a literal, which itself says whether its candidate is true or false: the q of `all imply q`, or a name declared `p: literal`. For candidates use `place`, `eliminate` or `conclude some`."
            { "p: candidate\nsuppose p using singles, reaches contradiction\nconclude not p" => "p: candidate\nsuppose p using singles, reaches contradiction\neliminate p" }
            NoLiteral { name: String, actual: &'static str, instead: Option<&'static str> } = "`{name}` is {actual}, not a literal", "{actual}", {
                let other = "to conclude something of a cell or a digit write `conclude some z in A`, `eliminate z from A` or `place z in A`";
                instead.map_or_else(|| other.to_owned(), |word| format!("write `{word} {name}`"))
            } + "declared here";
            LiteralInClaim { name: String } = "`{name}` is a literal, which already says whether its candidate is true", "a literal",
                "write `conclude {name}` or `conclude not {name}` on a line of its own";
        [E0510] "What is supposed?\n\nYou can suppose a candidate (`p: candidate`), its opposite (`not p`), a literal (`p: literal`), both ways (`p, or not p`), or each of several candidates of which one must be true. A literal gets its value from the supposition."
            { "d: digit\nh: house\nsuppose d using singles, all imply q\nconclude q" => "d: digit\nh: house\nsuppose each of d in h using singles, all imply q\nconclude q" }
            IncompleteCases { name: String } = "these two cases are not the only ones", "another candidate",
                "write `suppose {name}, or not {name}`" + "one candidate";
            EitherLiteral { name: String } = "`{name}` is a literal: true or false already", "a literal", "declare `{name}: candidate`";
            NotSupposable { name: String, actual: &'static str, are_candidates: bool } =
                "one candidate or a literal is supposed; `{name}` is {actual}", "{actual}", {
                let other = "declare `p: candidate` or `p: literal`, or write `suppose each of digits(c) in c`";
                if are_candidates { format!("write `suppose each of {name}`") } else { other.to_owned() }
            } + "declared here";
            RestrictedLiteral = "a literal gets its value from a supposition and has no qualifiers", "not here",
                "write `p: literal` alone, and add a `require` line";
            LiteralUnused { name: String } = "nothing gives `{name}` a value", "not supposed",
                "add a line such as `suppose {name} using singles, reaches contradiction`";
        [E0511] "A supposition that rests on itself\n\nA technique must not use itself under its own supposition, directly or through others."
            { "technique fails \"Fails\" {\n  p: candidate\n  suppose p using rules fails, reaches contradiction\n  eliminate p\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}" }
            UsesItself { id: String, directly: bool } = "`{id}` uses itself under its own supposition", "in a circle", {
                let which = if directly { "this rule out of the list" } else { "one of these rules out of the list that names it" };
                format!("a supposition may only use simpler techniques: leave {which}")
            };
        [E0512] "A chain on what it finds\n\nThe digits after `on` must be known before the search for the chain begins. A name that occurs only at the ends gets its value from the chain."
            { "chain on z from (z)A to (z)B, 2.. strong links {\n  strong: house\n}\nconclude some z in A, B" => "z: digit\nchain on z from (z)A to (z)B, 2.. strong links {\n  strong: house\n}\nconclude some z in A, B" }
            OnOwnName { name: String, is_digit: bool } = "`{name}` after `on` gets its value only from the chain", "has no value before the chain", {
                match is_digit {
                    true => format!("declare it on a line of its own: `{name}: digit`"),
                    false => format!("give `{name}` a value on a line of its own, or leave `on …` out"),
                }
            } + "gets its value here";
    }
}
