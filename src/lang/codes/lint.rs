//! Problems that `pinion lint` reports, in rules without errors: codes L01xx.

problems! {
    /// Problems that `pinion lint` reports.
    LintProblem {
        [L0101] "A chosen name that nothing uses\n\nNo other line, conclusion or sentence uses this name, so each value it can take makes the same match again. Delete the line; to say that such a thing exists, require `some` of a set."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  other: cell sees c\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            UnusedName { name: String } = "nothing else mentions `{name}`", "not used",
                "each thing that fits makes the same match again; to say that there is one, require `some` of a set";
        [L0102] "A requirement that follows from others\n\nAnother line already says this, so the rule finds the same without it. Pinion only compares conditions by their form: equal conditions, bounds of one number, the size of a list. So a finding is certain, but not every such requirement is found. `pinion prove --strengthen` shows which other requirements you can drop, so that the rule finds more and is still right."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  require #digits(c) = 1\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            Follows { condition: String, because: Option<String> } = "`{condition}` follows from other lines", "says nothing new", {
                let help = "leave it out: the rule finds the same without it";
                because.map_or_else(|| help.to_owned(), |because| format!("{because}; {help}"))
            };
        [L0103] "The search starts with too many choices\n\nOn a 9×9 board the plan of this rule begins with names that nothing narrows by itself, in more than 3,000 combinations. Require something of one name alone, such as its number of candidates. `pinion emit plan` shows in which order names get their values."
            { "technique far \"Far\" {\n  A, B, C: cell\n  require #(digits(A) + digits(B) + digits(C)) > 3\n  eliminate digits(A) from cells seeing A, B, C\n}" => "technique near \"Near\" {\n  A, B: cell = {x, y}\n  require A sees B\n  eliminate {x, y} from cells seeing A, B\n}" }
            SlowStart { id: String, ways: String, names: String } =
                "the search for `{id}` begins with {ways} combinations that nothing narrows", "begins with {names}",
                { "require something of one of these names alone, such as how many candidates it has; `pinion emit plan` shows the order" };
        [L0104] "No example\n\nNo `example` names this technique, so nothing shows that it finds anything. `pinion hunt` looks for a grid."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\nexample lone {\n  grid \"12..3.......4..1\"\n  finds r2c2=4 r3c1=2 r4c2=3\n}" }
            NoExample { id: String } = "`{id}` has no example", "nothing shows that it finds anything",
                "`pinion hunt --rules FILE --technique {id}` looks for one; then `pinion test` shows that the rule finds something";
        [L0105] "No near miss\n\nNo `near_miss` names this technique, so nothing shows where it stops. Copy an example and add a candidate that spoils it. Then a test fails if a requirement gets lost."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\nnear_miss lone {\n  grid \"1...............\"\n}" }
            NoNearMiss { id: String } = "`{id}` has no near miss", "nothing shows where it stops",
                "copy an example, put a candidate in that spoils it, and call it `near_miss`";
        [L0106] "A name that another rule has\n\nSteps of two rules have the same name. A path does not tell which rule made a step, and `--technique` with this name finds both. Names come from headers and `called` lines; case, blanks and hyphens do not count."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique other \"Lone\" {\n  c: cell with 1 candidates\n  place digits(c) in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique other \"Other\" {\n  c: cell with 1 candidates\n  place digits(c) in c\n}" }
            SharedName { name: String, other: String, more: usize } = {
                let more = if more == 0 { String::new() } else { format!(" (and {more} more names)") };
                format!("steps of `{other}` can be called \"{name}\" too{more}")
            }, "a name that another rule has", "give the steps another name, in the header or in `called`";
        [L0107] "An `allow` comment that does not count\n\nTo keep a finding on purpose, write a comment in the rule or above it: `// allow L0105: the reason`. It needs a reason. Delete it when the finding is gone."
            { "// allow L0105\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" => "// allow L0105: a cell with two candidates shows nothing that the rule's one line does not say\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            ExcuseWithoutReason { code: String } = "`{code}` is excused without a reason", "why?",
                "write the reason after a colon: `// allow L0103: …`";
            ExcuseUnused { code: String } = "`{code}` is excused and not found here", "not needed", "take the comment away";
    }
}
