//! Problems with kinds, such as cells where digits are needed: codes E03xx.

use crate::lang::ir::Kind;

/// Advice for a number where a digit is needed.
const LETTERS: &str = "name digits by letters, as in `d: digit` and `c has d`; a rule holds for every digit";

problems! {
    /// Problems with kinds, such as cells where digits are needed.
    KindProblem {
        [E0301] "Kinds that do not mix\n\n`+`, `-`, `&`, lists, `=`, `within` and `disjoint` need two sets of one kind, or two numbers. A house beside cells counts as its cells."
            { "c: cell = {x, y}\nrequire digits(c) = 2" => "c: cell = {x, y}\nrequire #digits(c) = 2" }
            NumberInSet = "numbers cannot be members of a set", "a number", { LETTERS };
            NumberInList = "a list holds digits, cells, houses or candidates; this is a number", "a number";
            NumberWithList = "a number is compared with a list in braces", "a list" + "a number";
            NumberComparedWithSet { actual: &'static str } = "a number is compared with {actual}", "{actual}",
                "`#` counts a set: `#digits(s) = 3`" + "a number";
            SetsOrdered = "`<` and `>` compare numbers; these are sets", "two sets",
                "compare counts: `#a < #b`, or write `a within b`";
            MixedJoin { operator: &'static str, first: &'static str, actual: &'static str } =
                "{operator} joins sets of one kind, not {first} and {actual}", "{actual}" + "{first}";
            MixedComparison { operator: &'static str, left: &'static str, right: &'static str } =
                "{operator} needs two sets of one kind, not {left} and {right}", "{right}" + "{left}";
            MemberOfOtherKind { set: &'static str, actual: &'static str } = "a set of {set} cannot contain {actual}", "{actual}" + "{set}";
        [E0302] "The wrong kind\n\nEvery relation, function and conclusion is about one kind: `sees` about cells, `has` about digits, conclusions about candidates such as `d in c`."
            { "c: cell = {x, y}\nrequire x sees c" => "c: cell = {x, y}\nd: cell sees c" }
            NotCells { role: String, actual: &'static str } = "{role} must be cells; this is {actual}", "{actual}";
            CandidatesForCells { role: String, actual: &'static str } = "{role} must be cells; this is {actual}", "{actual}",
                "`cells(…)` gives the cells of candidates";
            DigitsForCells { role: String, actual: &'static str } = "{role} must be cells; this is {actual}", "{actual}",
                "`cells(d in h)` gives the cells of h with the candidate d; `d within D` asks whether d is one of D";
            NotDigits { role: String, actual: &'static str, is_number: bool } = "{role} must be digits; this is {actual}", "{actual}",
                { if is_number { LETTERS } else { "`digits(…)` gives the digits of cells, houses or candidates" } };
            NotNumber { role: String, actual: &'static str } = "{role} must be a number; this is {actual}", "{actual}", "`#` counts: `#digits(s)`";
            ThoseWithoutSet { actual: &'static str } = "`those` needs a set; this is {actual}", "{actual}",
                "write `those c in cells(h) with …`, `those d in digits(c) with …`";
            CountOfNumber = "`#` counts a set; this is a number", "a number";
            CountOfHouse = "`#` counts a set; this is one house", "one house",
                "write `#cells(…)` for its unsolved cells, `#digits(…)` for its digits, `#(d in …)` for the places of d";
            SomeOfNumber = "`some` and `no` need a set; this is a number", "a number";
            DigitInPlace { actual: &'static str, place: &'static str } = "{actual} cannot be in {place}", "{place}",
                "write `in digits(…)` for the digits of the candidates there";
            NotDigitsInPlace { actual: &'static str, is_number: bool, is_count: bool } =
                "`in` and `from` need digits on their left; this is {actual}", "{actual}", {
                match (is_count, is_number) {
                    (true, _) => "put parentheses around the set that `#` counts: `#(d in h)`",
                    (false, true) => LETTERS,
                    (false, false) => "`d in A` stands for the candidates with digit d in the cells of A",
                }
            };
            OverlapWithoutHouses { actual: &'static str } = "`overlap` needs a set of houses; this is {actual}", "{actual}",
                "`overlap(base)` gives the cells that two or more houses of base share; for two houses write `h & k`";
            SeeingWithoutCells { name: Option<String> } = "`seeing` follows the word `cells`", "not `cells`", {
                match name {
                    Some(name) => format!("as a condition write `{name} sees …`; for a set, `{name} & (cells seeing …)`"),
                    None => "write `cells seeing …`".to_owned(),
                }
            };
            ExcludedWithoutCandidates { actual: &'static str } = "only candidates exclude candidates; this is {actual}", "{actual}",
                "write `candidates excluded by d in c`; for cells write `cells seeing c`";
            NoHouse { word: &'static str, actual: &'static str } = "`{word}` needs a house; this is {actual}", "{actual}";
            NoHouseToRight { word: &'static str, wanted: &'static str, actual: &'static str } =
                "`{word}` needs {wanted} on its right; this is {actual}", "{actual}";
            NoLine { word: &'static str, actual: &'static str } = "`{word}` needs rows or columns; this is {actual}", "{actual}";
            ClosedBetweenWithoutLines { actual: &'static str } = "`closed between` needs two single lines; this is {actual}", "{actual}",
                "declare them on a line of their own: `k, l: line parallel`";
            NoGuardians { actual: &'static str } = "guardians are candidates; this is {actual}", "{actual}",
                "write `d in …`: the conclusion holds unless one of these candidates is true";
            ComputedJoinArgument = "an argument of `join` is a number or a parameter", "neither",
                "write a parameter, and give it the range that you need";
            SupposedWithoutCandidate { actual: &'static str } = "only candidates can be supposed; this is {actual}", "{actual}",
                "write `suppose each of digits(c) in c`, `suppose each of d in h`";
            ClaimWithoutCandidates { word: &'static str, actual: &'static str, name: String, is_digits: bool } = "`{word}` is about candidates; this is {actual}", "{actual}", {
                match (word, is_digits) {
                    ("eliminate", true) => format!("say from where: `eliminate {name} from …`"),
                    (_, true) => format!("say where: `{word} {name} in …`"),
                    _ => format!("say which digit: `{word} d in {name}`"),
                }
            };
            CandidatesFrom = "these candidates already have cells, so `from` is superfluous", "candidates",
                "write `eliminate d from A`, or `eliminate d in A`" + "cells again";
        [E0303] "All of them, or at least one?\n\nWith `sees`, `has`, `lacks` and `seeing`, a set of several things needs `every` or `some`. A single name needs neither; a list of single names means each of them."
            { "s: cells[2] in one house\neliminate digits(s) from cells seeing s" => "s: cells[2] in one house\neliminate digits(s) from cells seeing every s" }
            SetWithoutWord { actual: &'static str } = "these are {actual}: all of them, or at least one?", "a set",
                "write `every` or `some` before the set";
            SetToRight { word: &'static str, own: Option<(String, String)> } =
                "`{word}` needs one house or cells on its right; this is a set of houses", "a set of houses", {
                match own {
                    // The advice does not repeat the line if the line chooses a single value.
                    Some((name, set)) => format!("leave the relation out here, and add a line `require {name} {word} h for h in {set}`"),
                    None => "write `h` here and `for h in …` at the end of the line".to_owned(),
                }
            };
        [E0304] "`every`, `some` or `no` where it cannot stand\n\nA single thing takes none of these words; `=`, `within`, `disjoint` and the relations between houses are about whole sets."
            { "c: cell = {x, y}\neliminate x from cells seeing every c" => "c: cell = {x, y}\neliminate x from cells seeing c" }
            WordBeforeOne { actual: &'static str } = "this is {actual}, not a set", "leave this word out",
                "for several things write parentheses: `some (a + b)`" + "{actual}";
            WordInLoop = "`for` repeats the line for every member; leave `every`, `some` or `no` out", "not here";
            WordBeforeWhole = "this relation is about the whole set; leave `every`, `some` or `no` out", "not here";
            SeeingNo = "`seeing no` is not a set", "not here", "write `cells - (cells seeing some …)`";
            ExcludedByNo = "`excluded by no` is not a set", "not here", "say `every …` or `some …` after `by`";
            WordBetweenHouses = "this relation is between single houses; leave `every` or `some` out", "not here",
                "for a set of houses write `… for h in …` at the end of the line";
            LacksNo = "`lacks no` is a double negative", "not here", "write `has …` instead of `lacks no …`";
        [E0305] "Neither true nor false\n\nA condition is needed, but this is a set or a number. `d in c` is a set of candidates: `some d in c` says that it is not empty."
            { "c: cell = {x, y}\nh: house\nrequire x in h" => "c: cell = {x, y}\nh: house\nrequire some x in h" }
            EveryAlone = "`every …` is no condition yet", "a relation is missing", "continue with `has …`, `lacks …`, `sees …` or `within …`";
            NoCondition { actual: &'static str, kind: Kind } =
                "a condition is needed here; this is {actual}", "neither true nor false", {
                match kind {
                    Kind::Number => "compare it: `… = 2`",
                    Kind::Candidate => "write `some …` for at least one candidate, `no …` for none",
                    _ => "write `some …`, `no …`, or a relation: `… within A`, `#… = 2`",
                }
            };
            BareCandidates = "a condition is needed here; this is a set of candidates", "candidates: neither true nor false",
                "write `some …` for at least one candidate, `no …` for none, `… within …` if all of them lie in a set";
            WithNames { list: String } = "`with` needs a condition; this is a list of names", "neither true nor false",
                "write `= {{{list}}}` if the cell has no other candidates, `has {{{list}}}` if it may have others as well";
        [E0306] "A condition where a value is needed\n\nOnly `require`, `with` and `when` take conditions. A condition cannot be counted or compared."
            { "c: cell = {x, y}\nlet b = (#digits(c) = 2)" => "c: cell = {x, y}\nrequire #digits(c) = 2" }
            NoValue = "a value is needed here; this is a condition", "true or false, not a set or a number",
                "move the condition to a `require` line of its own";
        [E0307] "Not clear what is listed\n\n`= {x, y}` after `cell` lists its candidates. Elsewhere the left side says what is listed: `digits(c) = {x, y}`, `cells(h) = {A}`, `d in h = {A, B}`."
            { "h: house = {A, B}" => "h: house\nrequire cells(h) = {A, B}" }
            HouseWithCells = "a house is compared with cells", "all cells of a house",
                "write `cells(h) = {{…}}` for its unsolved cells, `d in h = {{…}}` for the places of d";
            CellsWithDigits = "cells are compared with digits", "cells", "`digits(c) = {{…}}` is about the candidates of c";
            CandidatesOfSet { name: String } = "does each cell of `{name}` have these candidates, or all cells together?", "this list",
                "write `with digits({name}) = {{…}}` for all cells together";
            CandidatesOfCell = "the candidates of a cell are digits", "this list", "write `= {{x, y}}` with names of digits";
            CellsOfHouse { name: String } = "a house is not defined by its cells here", "this list",
                "write `require d in {name} = {{A, B}}` or `require cells({name}) = {{A, B}}`";
            NoCandidates { actual: &'static str, name: String } = "{actual} has no candidates to list", "this list",
                "to choose from a set write `{name}: … in …`";
        [E0308] "One thing or several\n\n`row(c)` and `times(d, s)` take one thing, `connected` and `in one house` several, and `p[d]` needs a family."
            { "s: cells[2] in row(t)\nt: cells[2] in one house" => "s: cells[2] in t\nt: row" }
            NoMembers { name: String, index: String } = "`{name}` has no members", "not a family",
                "write `{name}` alone, or declare `{name}[{index}]: … for {index} in …`" + "declared without `[…]`";
            OneThing { needs: &'static str } = "{needs}", "this is one thing";
            OneInOneHouse = "one thing alone is always in one house", "one thing", "write a set or a list: `A, B in one house`";
            HouseOfSet { name: String, plural: String, actual: &'static str } = "`{name}(…)` needs one cell; this is {actual}", "not one cell",
                "`{plural}(…)` gives the {plural} of several cells";
            TimesOfSet = "`times` needs one digit; this is a set of digits", "not one digit",
                "write `for d in …` at the end of the line and `times(d, …)` here";
        [E0309] "A family without its index\n\n`p[d]: cell … for d in D` is one cell for each digit of D. Write the index after the name and after `for`."
            { "c: cell = {x, y}\np[d]: cell sees c" => "c: cell = {x, y}\np[d]: cell sees c for d in digits(c)" }
            NoIndex { name: String, index: String } = "`{name}` is one thing for each `{index}`, so it needs an index", "no index",
                "write `{name}[{index}]: …`" + "one for each";
            NoFor { name: String, index: String } = "no `for` gives `{index}` its values", "`{name}` has a member for each value",
                "end the line with `for {index} in …`, for example `for {index} in digits(pivot)`";
            IndexMismatch { index: String, loop_var: String } = "the index is `{index}`, but the line is repeated for `{loop_var}`", "not the same name" +
                "the name after `for`";
        [E0310] "The wrong number of things\n\n`times(d, s)` takes a digit and cells. `parallel` is followed by a house, or stands alone after several names: `r, s: line parallel`.\nA set cannot be `disjoint` from itself: write `no S` if it must be empty. `disjoint` alone is for the members of a family."
            { "c: cell = {x, y}\nrequire times(x) = 1" => "c: cell = {x, y}\nrequire times(x, cells seeing c) = 1" }
            TimesArguments = "`times` needs two things: a digit and cells", "not two",
                "write `times(d, s)`: the largest number of cells of s that can have d at the same time";
            ParallelAlone = "`parallel` has no second line", "nothing follows",
                "write `parallel r`, or declare several names in one line: `r, s: line parallel`";
            DisjointAlone = "`disjoint` has no second set", "nothing follows",
                "write `disjoint A`, or declare several names on one line: `A, B: als disjoint`";
            DisjointFromItself = "a set is never disjoint from itself unless it is empty", "the same set",
                "for an empty set write `no` before it; `disjoint` alone is for the members of a family";
        [E0311] "One thing or a set?\n\n`cell` is one cell, `cells[2]` a set of two. A set has a size: `[2]`, `[2..3]`, `[1..]`, `[n]`. An `als` and a `group` take no size: `als(2)` has two digits more than cells. Candidates are chosen one by one, or defined as a set with `let`."
            { "s: cells in one house" => "s: cells[2] in one house" }
            NoSize { word: String, singular: &'static str } = "how many {word}?", "a set needs its size",
                "write `{word}[2]`, `{word}[2..3]`, `{word}[1..]` for a set, `{singular}` for one";
            SizeOfOne { word: String, plural: &'static str } = "`{word}` is one thing and has no size", "a size",
                "write `{plural}[…]` for a set, or a name for each: `a, b: {word}`" + "one";
            CandidateSet = "a set of candidates cannot be chosen", "candidates are chosen one by one",
                "choose each: `a, b: candidate`; or define all of them: `let s = d in h`";
            FamilyOfSets { singular: &'static str } = "a family has one thing for each index, not a set", "a size", "write `{singular}` without `[…]`";
            LiteralSize = "a `literal` is one candidate or its opposite", "a size", "write `p: literal`";
            GroupSize = "a `group` takes no size", "a size", "`with #P = 1` asks for one cell";
            AlsSize = "an `als` takes no size", "a size", "`als(2)` has two digits more than cells; `with #A = 3` asks for three cells";
            SizeInParentheses { word: String, size: u32 } = "only `als` is followed by a number in parentheses, not `{word}`", "not here",
                "the size of a set stands in `[ ]`: `{word}[{size}]`";
            FamilyOfHouses { plural: &'static str } = "the members of a family are cells or almost locked sets", "not here",
                "choose a set, and add a line about its members: `H: {plural}[2]`, `require some d in h for h in H`";
            FamilyOfOtherKind { word: String } = "the members of a family are cells or almost locked sets", "not here",
                "write `{word}` for single names, or a family of `cell` or `als`";
        [E0312] "Repeated in a set\n\nA set has each member once, and different names are different things."
            { "c: cell = {x, x}" => "c: cell = {x, y}" }
            TwiceInSet = "this name is in the set twice", "again", "a set holds each thing once";
            TwiceInList = "this name is in the list twice", "again";
        [E0313] "What is linked?\n\n`x: digit linking A, B` says that A and B have the digit x, and that every x in A sees every x in B. For a set write `A: als linking x to B`."
            { "A, B: als\nx: digit linking A\nconclude some x in A, B" => "A, B: als\nx: digit linking A, B\nconclude some x in A, B" }
            LinkingWithoutDigit { actual: &'static str } = "`linking` needs one digit; this is {actual}", "{actual}",
                "write `x: digit linking A, B`, or `A: als linking x to B`";
            LinkingDigit = "a digit links two sets of cells", "not two sets", "write `x: digit linking A, B`";
            LinkingCells = "cells are linked to other cells by one digit", "not one digit", "write `A: als linking x to B`";
            LinkingOfOtherKind = "`linking` needs a digit or an als", "not like this", "write `x: digit linking A, B`";
        [E0314] "Only for the name of a step\n\nWhat a match eliminates (`eliminated`) and which links it has (`some link by cell`) is known only once there is a match. So only `called … when` can ask for it."
            { "c: cell = {x, y}\nrequire #eliminated = 1\neliminate x from cells seeing c" => "c: cell = {x, y}\neliminate x from cells seeing c\ncalled \"One\" when #eliminated = 1" }
            EliminatedTooEarly = "`eliminated` is known only when a step gets its name", "not here",
                "write it in `called \"…\" when #eliminated = 1`";
            LinksTooEarly = "the links of a match are known only when its step gets a name", "not here",
                "write it in `called \"…\" when some link by …`; to restrict the links, change the `strong:` line";
    }
}
