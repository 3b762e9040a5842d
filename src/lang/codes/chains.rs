//! Chains and suppositions, E05xx.

problems! {
    /// Findings about chains, loops, clusters, rings and suppositions.
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
            WrongName { name: String, is: &'static str, wanted: &'static str } =
                "`{name}` is {is}, and {wanted} is needed here", "not {wanted}" + "declared here";
        [E0504] "No such length\n\nA length is `4 cells`, `2..4 strong links` or `3.. links`, from the smaller number to the larger. A loop counts links only. A ring has `3.. candidates` or more, a case of a supposition `0..3 strong links`."
            { "chain from (z)A to (z)B, 5..3 cells {\n  strong: cell\n}" => "chain from (z)A to (z)B, 3..5 cells {\n  strong: cell\n}" }
            LengthUnit { what: String, units: &'static str } = "the length of {what} is counted in other things", "not this", "write {units}";
            EmptyLength { low: u32, high: u32 } = "there is no length from {low} to {high}", "no such length";
            NoLength { what: String } = "{what} has at least one link", "no such length";
            RingLength = "a ring has three candidates or more, without a maximum", "no such length", "write `3.. candidates`, `5.. candidates`";
            CaseLength = "give the maximum number of strong links of a case", "no such length", "write `0..3 strong links`";
        [E0505] "Which links?\n\nThe block of a chain, loop, cluster, ring or supposition names its strong links in `strong:` lines. It has at most one `weak:` line: `any`, `cell` or `same digit`. Clusters and rings have none: their links are strong and weak at once."
            { "chain from (z)A to (z)B, 3.. cells {\n  weak: any\n}" => "chain from (z)A to (z)B, 3.. cells {\n  strong: cell\n  weak: any\n}" }
            NoStrongLine { what: String } = "which strong links may this {what} use?", "no `strong:` in the block",
                "add a line `strong: cell, house` to its block";
            SecondWeakLine { what: String } = "a {what} has one `weak:` line", "a second one" + "the first";
            WeakLine { what: String } = "the links of a {what} are strong and weak at once", "no `weak:` here", "leave this line out";
        [E0506] "A candidate linked to itself\n\nBoth ends of a link, and both ends of a chain, are different candidates. Only a chain `from p to p` goes back to its first node."
            { "chain (x)A = (x)A" => "chain (x)A = (x)B" }
            LinkToItself = "this link joins a candidate to itself", "the same digit in the same cell" + "as here";
            ChainToItself = "the chain ends where it begins", "the same candidate",
                "write `from p to p` for a chain back to its first node, which is true then" + "begins here";
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
            NoLiteral { name: String, is: &'static str, instead: Option<&'static str> } = "`{name}` is {is}, not a literal", "{is}", {
                let other = "to conclude something of a cell or a digit write `conclude some z in A`, `eliminate z from A` or `place z in A`";
                instead.map_or_else(|| other.to_owned(), |word| format!("write `{word} {name}`"))
            } + "declared here";
            LiteralInClaim { name: String } = "`{name}` is a literal, and says itself whether it is true", "a literal",
                "write `conclude {name}` or `conclude not {name}` on a line of its own";
        [E0510] "What is supposed?\n\nYou can suppose a candidate (`p: candidate`), its opposite (`not p`), a literal (`p: literal`), both ways (`p, or not p`), or each of several candidates of which one must be true. A literal gets its value from the supposition."
            { "d: digit\nh: house\nsuppose d using singles, all imply q\nconclude q" => "d: digit\nh: house\nsuppose each of d in h using singles, all imply q\nconclude q" }
            OtherCases { name: String } = "these two cases are not the only ones", "another candidate",
                "write `suppose {name}, or not {name}`" + "one candidate";
            EitherLiteral { name: String } = "`{name}` is a literal: true or false already", "a literal", "declare `{name}: candidate`";
            NotSupposable { name: String, is: &'static str, candidates: bool } =
                "one candidate or a literal is supposed; `{name}` is {is}", "{is}", {
                let other = "declare `p: candidate` or `p: literal`, or write `suppose each of digits(c) in c`";
                if candidates { format!("write `suppose each of {name}`") } else { other.to_owned() }
            } + "declared here";
            RestrictedLiteral = "a literal is given by the supposition that takes it", "not here",
                "write `p: literal` alone, and say more of it with `require`";
            LiteralUnused { name: String } = "nothing gives `{name}` a value", "not supposed",
                "add `suppose {name} using singles, reaches contradiction` or the like";
        [E0511] "A supposition that rests on itself\n\nA technique must not use itself under its own supposition, directly or through others."
            { "technique fails \"Fails\" {\n  p: candidate\n  suppose p using rules fails, reaches contradiction\n  eliminate p\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules lone, reaches contradiction\n  eliminate p\n}" }
            UsesItself { id: String, alone: bool } = "`{id}` uses itself under its own supposition", "in a circle", {
                let which = if alone { "this rule out of the list" } else { "one of these rules out of the list that names it" };
                format!("a supposition may only use simpler techniques: leave {which}")
            };
        [E0512] "A chain on what it finds\n\nWhat a chain is `on` must be known before the search begins. A name that occurs only at the ends gets its value from the chain."
            { "chain on z from (z)A to (z)B, 2.. strong links {\n  strong: house\n}\nconclude some z in A, B" => "z: digit\nchain on z from (z)A to (z)B, 2.. strong links {\n  strong: house\n}\nconclude some z in A, B" }
            OnOwnName { name: String, digit: bool } = "the chain is on `{name}`, which it only finds", "has no value before the chain", {
                match digit {
                    true => format!("declare it on a line of its own: `{name}: digit`"),
                    false => format!("give `{name}` a value on a line of its own, or leave `on …` out"),
                }
            } + "gets its value here";
    }
}
