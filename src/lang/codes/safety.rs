//! Rules that can be read and still say nothing, too much, or something without a value, E04xx.

use crate::lang::ir::MOST_NAMES;

problems! {
    /// Findings about rules that can be read and still say nothing, too much, or use a name without a value.
    RuleProblem {
        [E0401] "No conclusion\n\nA technique ends in `eliminate`, `place` or `conclude`, or joins the steps of another."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            NoConclusion { id: String } = "`{id}` concludes nothing", "no conclusion",
                "end it with `eliminate …`, `place …` or `conclude some …`";
        [E0402] "A conclusion about nothing\n\nThe conclusion uses no name of the pattern, so it would be drawn on every grid."
            { "c: cell = {x, y}\neliminate digits from cells" => "c: cell = {x, y}\neliminate x from cells seeing c" }
            ConclusionOfNothing = "this conclusion names nothing of the pattern", "true of every grid",
                "a conclusion uses names that other lines choose";
        [E0403] "Any choice would do\n\nNothing restricts a chosen name, or a strong link has no condition at all. The search would try every choice in vain."
            { "s: cells[3]\nc: cell = {x, y}\neliminate x from s" => "s: cells[3] in one house\nc: cell = {x, y}\neliminate x from s" }
            LinkWithoutCondition = "nothing says when this link holds", "no line in its block",
                "add `require` lines: not both nodes may be false where they hold";
            Unrestricted { name: String, members: bool } = {
                if members { format!("nothing says which things are in `{name}`") } else { format!("nothing restricts `{name}`") }
            }, "any choice would do", "say more after its kind, mention it in a `require`, or delete `{name}`";
        [E0404] "`for` over the wrong kind\n\nFamilies run over digits or cells, conclusions over digits. A `for` after `require` may run over any set."
            { "c: cell = {x, y}\neliminate d from c for d in cells seeing c" => "c: cell = {x, y}\neliminate d from c for d in digits(c)" }
            IndexKind { name: String, is: &'static str, wanted: &'static str } =
                "`{name}` is {is}, and {wanted} is needed here", "not {wanted}" + "declared here";
            ForOver { kinds: usize, what: &'static str, members: bool } = {
                format!("`for` runs over {} here; this is {what}", ["a set", "digits", "digits or cells"][kinds])
            }, "{what}", {
                match (kinds, members) {
                    (1, true) => "a conclusion is about all members of a set at once: name the set, and leave `for …` out",
                    (2, _) => "write `for d in digits(…)` or `for c in cells(…)`",
                    _ => "write `for d in digits(…)`",
                }
            };
            CellsOfHouses { name: String } =
                "`{name}` would be a cell: with a single house or with cells, `-` and `&` speak of cells", "cells, not houses",
                "write `cells(…)` around it if cells are meant; for the houses other than h write `those {name} in houses with {name} != h`";
        [E0405] "A circular definition\n\n`let` names may use one another in any order, but not in a circle. A pattern must not use itself, nor a rule list contain itself."
            { "c: cell = {x, y}\nlet a = digits(c) - b\nlet b = digits(c) - a" => "c: cell = {x, y}\nlet a = digits(c) - x\nlet b = digits(c) - a" }
            DefinedByItself { name: String, circle: String } = "`{name}` is defined by itself{circle}", "in a circle",
                "a `let` may use names of other lines, but not in a circle: define one of these without the others" + "in the circle, too";
            PatternInCircle { name: String } = "`{name}` uses itself", "in a circle",
                "a pattern may use others, but not in a circle: take one of these lines out";
            ListInCircle { name: String } = "the rule list `{name}` contains itself", "in a circle",
                "a rule list may hold others, but not in a circle: take one of these names out";
        [E0406] "A name that may get no value\n\nA pattern such as `digits(c) = {x, y}` gives new names their values. Inside `or`, `not` and a line with `for` it cannot, since that part need not hold. Declare the name on a line of its own."
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
            WordsMismatch { name: String, words: u32, wanted: u32, low: u32, last: u32 } = "{words} words for {wanted} values", "these words",
                "`{name}` runs from {low} to {last}: give one word for each, or end with `else …`" + "the range";
            ElseUnused { words: u32, wanted: u32 } = "{words} words and an `else` for {wanted} values", "these words",
                "the `else` is never used: leave it out" + "the range";
        [E0408] "An empty range\n\nThe first number of a range is not larger than the second, and a set has at least one member."
            { "s: cells[4..2] in one house" => "s: cells[2..4] in one house" }
            EmptyRange { low: u32, high: u32 } = "there is no number from {low} to {high}", "an empty range";
            EmptySet = "an empty set says nothing", "at least 1";
            AlsDegree = "an `als` has at least one digit more than cells", "at least 1";
        [E0409] "Missing in a case\n\nThe lines below the cases apply to every case, so every case must declare the names that they use."
            { "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}" => "technique locked {\n  case \"One\": a: box, b: line\n  case \"Two\": a: line, b: box\n  d: digit\n  require d in a within b\n  eliminate d from b - a\n}" }
            MissingInCase { name: String } = "`{name}` has no value in every case", "used in all cases",
                "add `{name}: …` to this case" + "this case does not bind `{name}`";
        [E0410] "Not in a strong link\n\nThe lines of a strong link say when its two nodes cannot both be false: names, `let`, `guardians` and `require`. `conclude some` says what else follows if exactly one of them is true."
            { "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n  eliminate x from A\n}" => "strong link two (x)A = (y)A {\n  require digits(A) = {x, y}\n}" }
            NotInLink { word: &'static str } = "{word} cannot stand in a strong link", "not here",
                { "its lines say when not both nodes are false: names, `let`, `guardians` and `require`; and what follows where just one of them \
                   is: `conclude some`" };
        [E0411] "No title\n\nA technique has a title in its header, a title in each case, or `called` lines."
            { "technique lone {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            EmptyTitle = "this title is empty", "no name", "steps are called by it: write the name that people know";
            NoTitle { id: String } = "`{id}` has no title", "no title",
                "write `technique {id} \"Name\" {{`, or name its shapes with `called`";
        [E0412] "`join` stands alone\n\nA technique that joins the steps of another has no other line: the joined technique decides what is found and what follows."
            { "join lone by c\nc: cell = {d}\nplace d in c" => "c: cell = {d}\nplace d in c" }
            BesideJoin = "a technique that joins steps of another has no other lines", "not beside `join`",
                "write them in the technique that is joined" + "this line";
        [E0413] "A conclusion has one `for`\n\nA condition may have several `for`, a conclusion only one, over digits."
            { "c, e: cell = {x, y}\neliminate d from c for d in digits(c) for f in digits(e)" => "c, e: cell = {x, y}\neliminate d from c for d in digits(c)" }
            SecondFor = "a conclusion is repeated by one `for`", "a second `for`",
                "join the sets: `conclude some d in A for d in digits(A)` is about one digit at a time" + "the first";
        [E0414] "Not available in a view\n\n`also in rn, cn` searches a rule with the roles of row, column and digit exchanged. Cells, digits, candidates, rows and columns have counterparts there. Boxes have none. So such a rule cannot choose a box, nor use `als`, `closed`, `givens allow`, templates, combinations or chains of open length."
            { "technique lone \"Lone\" also in rn \"Other\" {\n  b: box\n  require d in b = {c}\n  d: digit\n  place d in c\n}" => "technique lone \"Lone\" also in rn \"Other\" {\n  r: row\n  require d in r = {c}\n  d: digit\n  place d in c\n}" }
            NameNotInView { name: String, what: &'static str, space: String } = "`{name}` is {what}, which `{space}` does not have", "this view",
                "only cells, digits, candidates, rows and columns have counterparts in a view; leave `also in …` out" + "declared here";
            NotInView { what: &'static str, space: String } = "this rule uses {what}, which `{space}` does not have", "this view",
                "only cells, digits, candidates, rows and columns have counterparts in a view; leave `also in …` out";
        [E0415] "Not in a pattern\n\nA pattern chooses and requires. It has no conclusion and names no steps: do that in the techniques that use it."
            { "pattern pear {\n  c: cell = {x}\n  place x in c\n}" => "pattern pear {\n  c: cell = {x}\n}\n\ntechnique lone \"Lone\" {\n  uses pear\n  place x in c\n}" }
            NotInPattern { word: &'static str } = "{word} cannot stand in a pattern", "not here",
                "a pattern has names, `let`, `guardians`, `require` and chains; write conclusions where you use it";
        [E0416] "One solution is assumed\n\nA technique that supposes with rules of which one assumes one solution assumes it too, and must say so in its header."
            { "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}" => "technique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" assuming one solution {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}" }
            AssumesOneSolution { used: String, id: String } = "`{used}` assumes one solution, so `{id}` does too", "by this",
                "end the header with `assuming one solution`";
        [E0417] "A family with too many members\n\nEach choice of values for the parameters is a member of the family, and is compiled, searched and proved on its own. On a 9×9 board there may be at most 1000."
            { "technique many(a: 1..9, b: 1..9, c: 1..9, d: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = b + c + d\n  eliminate digits(s) from cells seeing every s\n}" => "technique many(a: 1..9) \"Many\" {\n  s: cells[a] in box\n  require #digits(s) = a\n  eliminate digits(s) from cells seeing every s\n}" }
            TooManyMembers { id: String, count: u64, most: u64 } = "`{id}` would have {count} members", "more than {most} with this one",
                "each is searched on its own: give the parameters smaller ranges, or let names take the values";
        [E0418] "Too many names\n\nA rule has at most 60 names, including those of `for`. Each case counts on its own, together with the patterns it uses."
            { "d: digit\nc1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c14, c15, c16, c17, c18, c19, c20, c21, c22, c23, c24, c25, c26, c27, c28, c29, c30, c31, c32, c33, c34, c35, c36, c37, c38, c39, c40, c41, c42, c43, c44, c45, c46, c47, c48, c49, c50, c51, c52, c53, c54, c55, c56, c57, c58, c59, c60, c61: cell\nplace d in c1" => "d: digit\nc: cells[1..30]\nplace d in c" }
            TooManyNames { count: usize } = "a rule has {MOST_NAMES} names at most, this one has {count}", "one more than that",
                { "let sets (`cells[4]`) or families (`f[d]: cell in h for d in D`) hold what many names hold, or make two rules of it" };
        [E0419] "No uniqueness in a view\n\n`also in rn, cn` searches a rule on a board of rows and columns. The puzzle has one solution with its boxes; without them it may have more. So nothing follows from uniqueness in a view."
            { "technique corners \"Corners\" also in rn \"Corners of Places\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}" => "technique corners \"Corners\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}" }
            UniquenessInView { space: String } = "a rule that assumes one solution cannot be read in `{space}`", "this view",
                "a view has no boxes, and without them the puzzle may have more solutions; leave `also in …` out" + "assumed here";
    }
}
