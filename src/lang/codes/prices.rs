//! Problems of prices in profiles: codes E07xx.

problems! {
    /// Problems of prices in profiles.
    PriceProblem {
        [E0701] NoNumber { actual: &'static str } = "a price is a number; this is {actual}", "{actual}",
            "`#` before a set counts it: `#digits(s)`, `#eliminated`; `above(#s, 2, 4)` counts the thresholds that it exceeds";
        [E0702] DeclaresName = "a price has no names of its own: no `for`, no `those`", "not in a price",
            "use names of the rule, as in `#s` or `digits(c)`";
        [E0702] NameOfProfile { name: String, reason: String } = "`{name}` of the profile cannot be used here: {reason}",
            "a name of the profile",
            "the expression can use names that every rule with this price has, but no other name of the profile";
        [E0703] Nth { name: String, allows_cells: bool } = {
            format!("`{name}` needs {} and a number", if allows_cells { "candidates or cells" } else { "candidates" })
        }, "not these two", "write `{name}(eliminated, 1)`: the first candidate, by digit and then row by row";
        [E0703] Fold { word: &'static str } = "`{word}` takes two or more numbers", "not numbers", "write `{word}(length, #eliminated)`";
        [E0703] Since = "`since` needs two things: digits and cells", "not two",
            "write `since(digits, c)`, `since(d, h)`: the time when the last of these candidates was removed";
        [E0703] Above = "`above` takes a number and thresholds", "not a number and thresholds",
            "write `above(length, 4, 6, 8)`: how many of 4, 6 and 8 the length exceeds";
    }
}
