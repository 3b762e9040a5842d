//! Problems that `pinion lint` reports, in rules without errors: codes L01xx.

problems! {
    /// Problems that `pinion lint` reports.
    LintProblem {
        [L0101] UnusedName { name: String } = "nothing else mentions `{name}`", "not used",
            "each thing that fits makes the same match again; to say that there is one, require `some` of a set";
        [L0102] Follows { condition: String, because: Option<String> } = "`{condition}` follows from other lines", "says nothing new", {
            let help = "leave it out: the rule finds the same without it";
            because.map_or_else(|| help.to_owned(), |because| format!("{because}; {help}"))
        };
        [L0103] SlowStart { id: String, ways: String, names: String } =
            "the search for `{id}` begins with {ways} combinations that nothing narrows", "begins with {names}",
            { "require something of one of these names alone, such as how many candidates it has; `pinion emit plan` shows the order" };
        [L0104] NoExample { id: String } = "`{id}` has no example", "nothing shows that it finds anything",
            "`pinion hunt --rules FILE --technique {id}` looks for one; then `pinion test` shows that the rule finds something";
        [L0105] NoNearMiss { id: String } = "`{id}` has no near miss", "nothing shows where it stops",
            "copy an example, put a candidate in that spoils it, and call it `near_miss`";
        [L0106] SharedName { name: String, other: String, more: usize } = {
            let more = if more == 0 { String::new() } else { format!(" (and {more} more names)") };
            format!("steps of `{other}` can be called \"{name}\" too{more}")
        }, "a name that another rule has", "give the steps another name, in the header or in `called`";
        [L0107] ExcuseWithoutReason { code: String } = "`{code}` is excused without a reason", "why?",
            "write the reason after a colon: `// allow L0103: …`";
        [L0107] ExcuseUnused { code: String } = "`{code}` is excused and not found here", "not needed", "take the comment away";
    }
}
