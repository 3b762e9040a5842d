//! Problems of readable rules: incomplete or unusable content (codes E04xx), and chains and suppositions (codes E05xx).

use crate::lang::ir::MAX_NAMES;

problems! {
    /// Problems of readable rules: missing, empty, circular or unusable content.
    RuleProblem {
        [E0401] NoConclusion { id: String } = "`{id}` concludes nothing", "no conclusion",
            "end it with `eliminate …`, `place …` or `conclude some …`";
        [E0402] ConclusionOfNothing = "this conclusion names nothing of the pattern", "the same on every grid",
            "a conclusion uses names that other lines choose";
        [E0403] LinkWithoutCondition = "nothing says when this link holds", "no line in its block",
            "add `require` lines: if they hold, at least one of the two nodes must be true";
        [E0403] Unrestricted { name: String, is_set_in_conclusion: bool } = {
            if is_set_in_conclusion { format!("nothing says which things are in `{name}`") } else { format!("nothing restricts `{name}`") }
        }, "any choice would do", "add a qualifier after its kind, use it in a `require`, or delete `{name}`";
        [E0404] IndexKind { name: String, actual: &'static str, wanted: &'static str } =
            "`{name}` is {actual}, and {wanted} is needed here", "not {wanted}" + "declared here";
        [E0404] ForOver { kind_count: usize, actual: &'static str, is_set: bool } = {
            format!("`for` runs over {} here; this is {actual}", ["a set", "digits", "digits or cells"][kind_count])
        }, "{actual}", {
            match (kind_count, is_set) {
                (1, true) => "a conclusion is about all members of a set at once: name the set, and leave `for …` out",
                (2, _) => "write `for d in digits(…)` or `for c in cells(…)`",
                _ => "write `for d in digits(…)`",
            }
        };
        [E0404] CellsOfHouses { name: String } =
            "`{name}` would be a cell: with a single house or with cells, `-` and `&` give cells", "cells, not houses",
            "write `cells(…)` around it if cells are meant; for the houses other than h write `those {name} in houses with {name} != h`";
        [E0405] DefinedByItself { name: String, cycle: String } = "`{name}` is defined by itself{cycle}", "in a circle",
            "a `let` may use names of other lines, but not in a circle: define one of these without the others" + "in the circle, too";
        [E0405] PatternInCircle { name: String } = "`{name}` uses itself", "in a circle",
            "a pattern may use others, but not in a circle: take one of these lines out";
        [E0405] ListInCircle { name: String } = "the rule list `{name}` contains itself", "in a circle",
            "a rule list may hold others, but not in a circle: take one of these names out";
        [E0406] Unbindable { name: String, place: &'static str, kind: Option<&'static str> } =
            "`{name}` is declared nowhere, and {place} cannot give it a value", "may have no value here", {
            match kind {
                Some(kind) => format!("declare it on a line of its own: `{name}: {kind}`"),
                None => format!("declare it on a line of its own, such as `{name}: digit`"),
            }
        };
        [E0407] WordsForOpenRange { name: String } = "`{name}` has no largest value, so these words do not name all of them", "these words",
            "add `, else Set of {{{name}}}` as the last word" + "the range";
        [E0407] WordsMismatch { name: String, words: u32, values: u32, low: u32, last: u32 } = "{words} words for {values} values", "these words",
            "`{name}` runs from {low} to {last}: give one word for each, or end with `else …`" + "the range";
        [E0407] ElseUnused { words: u32, values: u32 } = "{words} words and an `else` for {values} values", "these words",
            "the `else` is never used: leave it out" + "the range";
        [E0408] EmptyRange { low: u32, high: u32 } = "there is no number from {low} to {high}", "an empty range",
            "the smaller number comes first: `{high}..{low}`";
        [E0408] EmptySet = "a set has at least one member", "at least 1";
        [E0408] AlsDegree = "an `als` has at least one digit more than cells", "at least 1";
        [E0409] MissingInCase { name: String } = "`{name}` has no value in every case", "used in all cases",
            "add `{name}: …` to this case" + "this case does not bind `{name}`";
        [E0410] NotInLink { construct: &'static str } = "{construct} cannot stand in a strong link", "not here",
            "the pattern of the link has names, `let`, `guardians` and `require`; `conclude some` says what follows if just one node is true";
        [E0411] EmptyTitle = "this title is empty", "no name", "write the name that people know; the steps get this title";
        [E0411] NoTitle { id: String } = "`{id}` has no title", "no title",
            "write `technique {id} \"Name\" {{`, or name its steps with `called` lines";
        [E0412] LineBesideJoin = "a technique that joins steps of another has no other lines", "not beside `join`",
            "write them in the technique that is joined" + "this line";
        [E0413] SecondFor = "a conclusion is repeated by one `for`", "a second `for`",
            "write one `for` over digits: `conclude some d in A for d in digits(A)`" + "the first";
        [E0414] NameNotInView { name: String, actual: &'static str, space: String } = "`{name}` is {actual}, which `{space}` does not have", "this view",
            "only cells, digits, candidates, rows and columns have counterparts in a view; leave `also in …` out" + "declared here";
        [E0414] NotInView { construct: &'static str, space: String } = "this rule uses {construct}, which `{space}` does not have", "this view",
            "only cells, digits, candidates, rows and columns have counterparts in a view; leave `also in …` out";
        [E0415] NotInPattern { construct: &'static str } = "{construct} cannot stand in a pattern", "not here",
            "a pattern has names, `let`, `guardians`, `require` and chains; write conclusions where you use it";
        [E0416] AssumesOneSolution { used: String, id: String } = "`{used}` assumes one solution, so `{id}` does too", "by this",
            "end the header with `assuming one solution`";
        [E0417] TooManyMembers { id: String, count: u64, most: u64 } = "`{id}` would have {count} members", "more than {most} with this one",
            "each is searched on its own: give the parameters smaller ranges, or let names take the values";
        [E0418] TooManyNames { count: usize } = "a rule has {MAX_NAMES} names at most, this one has {count}", "one more than that",
            { "let sets (`cells[4]`) or families (`f[d]: cell in h for d in D`) hold what many names hold, or make two rules of it" };
        [E0419] UniquenessInView { space: String } = "a rule that assumes one solution cannot be read in `{space}`", "this view",
            "a view has no boxes, and without them the puzzle may have more solutions; leave `also in …` out" + "assumed here";
    }
}

problems! {
    /// Problems of chains, loops, clusters, rings and suppositions.
    ChainProblem {
        [E0501] NotAlternating { word: &'static str, mark: &'static str, other: &'static str } = "two {word} links follow one another", "{word} again",
            "strong and weak links alternate: one of these must be `{other}` instead of `{mark}`" + "{word}";
        [E0502] WeakEnd { end: &'static str } = "a chain {end} with a strong link", "weak",
            "only then is one of its two ends true: write `=` here, or leave the link out";
        [E0502] NoLink = "a chain has at least one link", "none here";
        [E0503] WrongName { name: String, actual: &'static str, wanted: &'static str } =
            "`{name}` is {actual}, and {wanted} is needed here", "not {wanted}" + "declared here";
        [E0504] LengthUnit { owner: &'static str, units: &'static str } = "the length of {owner} has another unit", "not this unit", "write {units}";
        [E0504] EmptyLength { low: u32, high: u32 } = "there is no length from {low} to {high}", "no such length";
        [E0504] NoLength { owner: &'static str } = "{owner} has at least one link", "no such length";
        [E0504] RingLength = "a ring has three candidates or more, without a maximum", "no such length", "write `3.. candidates`, `5.. candidates`";
        [E0504] CaseLength = "give the maximum number of strong links of a case", "no such length", "write `0..3 strong links`";
        [E0505] NoStrongLine { owner: &'static str } = "which strong links may this {owner} use?", "no `strong:` in the block",
            "add a line `strong: cell, house` to its block";
        [E0505] SecondWeakLine { owner: &'static str } = "a {owner} has one `weak:` line", "a second one" + "the first";
        [E0505] WeakLine { owner: &'static str } = "the links of a {owner} are strong and weak at once", "no `weak:` here", "leave this line out";
        [E0506] LinkToItself = "this link joins a candidate to itself", "the same digit in the same cell" + "as here";
        [E0506] ChainToItself = "the chain ends where it begins", "the same candidate",
            "write `from p to p` if the chain returns to its first node" + "begins here";
        [E0507] LinkOfNothing { first: String, second: String } =
            "a link joins two places of one digit, or two digits of one cell", "this link does neither",
            "`{first}` and `{second}` are different digits in different cells; give both the same digit";
        [E0507] HouseInCell = "a link inside of one cell has no house", "leave this name out";
        [E0507] LinkInAls { name: String, degree: u32 } =
            "`{name}` has {degree} digits more than cells, so two of its digits may both be missing", "no such link",
            "declare `{name}: als`" + "declared here";
        [E0507] LinkInGroup { name: String } = "two digits of the group `{name}` are not linked", "no such link",
            "a link inside of one cell needs a cell: leave `{name}: group` out" + "declared here";
        [E0507] LinkInSet { name: String } = "two digits of the set `{name}` may both be true", "no such link",
            "only in one cell do digits exclude each other" + "declared here";
        [E0508] NoLoop { name: String } = "`{name}` is not the name of a loop", "not a loop",
            "exactly one end of each link of a loop is true: `loop K, 2.. strong links {{` and `conclude every link of K`" + "declared here";
        [E0509] NoLiteral { name: String, actual: &'static str, instead: Option<&'static str> } = "`{name}` is {actual}, not a literal", "{actual}", {
            let other = "to conclude something of a cell or a digit write `conclude some z in A`, `eliminate z from A` or `place z in A`";
            instead.map_or_else(|| other.to_owned(), |word| format!("write `{word} {name}`"))
        } + "declared here";
        [E0509] LiteralInClaim { name: String } = "`{name}` is a literal, which already says whether its candidate is true", "a literal",
            "write `conclude {name}` or `conclude not {name}` on a line of its own";
        [E0510] IncompleteCases { name: String } = "these two cases are not the only ones", "another candidate",
            "write `suppose {name}, or not {name}`" + "one candidate";
        [E0510] EitherLiteral { name: String } = "`{name}` is a literal: true or false already", "a literal", "declare `{name}: candidate`";
        [E0510] NotSupposable { name: String, actual: &'static str, are_candidates: bool } =
            "one candidate or a literal is supposed; `{name}` is {actual}", "{actual}", {
            let other = "declare `p: candidate` or `p: literal`, or write `suppose each of digits(c) in c`";
            if are_candidates { format!("write `suppose each of {name}`") } else { other.to_owned() }
        } + "declared here";
        [E0510] RestrictedLiteral = "a literal gets its value from a supposition and has no qualifiers", "not here",
            "write `p: literal` alone, and add a `require` line";
        [E0510] LiteralUnused { name: String } = "nothing gives `{name}` a value", "not supposed",
            "add a line such as `suppose {name} using singles, reaches contradiction`";
        [E0511] UsesItself { id: String, directly: bool } = "`{id}` uses itself under its own supposition", "in a circle", {
            let which = if directly { "this rule out of the list" } else { "one of these rules out of the list that names it" };
            format!("a supposition may only use simpler techniques: leave {which}")
        };
        [E0512] OnOwnName { name: String, is_digit: bool } = "`{name}` after `on` gets its value only from the chain", "has no value before the chain", {
            match is_digit {
                true => format!("declare it on a line of its own: `{name}: digit`"),
                false => format!("give `{name}` a value on a line of its own, or leave `on …` out"),
            }
        } + "gets its value here";
    }
}
