//! Problems of prices in profiles: codes E07xx. The example texts are prices for a rule with a house `h` and cells `s`.

problems! {
    /// Problems of prices in profiles.
    PriceProblem {
        [E0701] "A price is a number\n\nThe price of a row in a profile is a number of the match: a count with `#`, `length` (how many candidates a chain or its cases make true or false), sums of them, `product(a, b)`, `above(x, 4, 6)` (how many of these thresholds x exceeds). The names are those of the rule."
            { "digits(s)" => "30 + #digits(s)" }
            NoNumber { actual: &'static str } = "a price is a number; this is {actual}", "{actual}",
                "`#` before a set counts it: `#digits(s)`, `#eliminated`; `above(#s, 2, 4)` counts the thresholds that it exceeds";
        [E0702] "A price has no names of its own\n\nA price uses names of the rule. It has no `for` and no `those`: let the rule name the value with `let`, and use that name."
            { "#(those c in s with #digits(c) = 2)" => "#s" }
            DeclaresName = "a price has no names of its own: no `for`, no `those`", "not in a price",
                "ask for what the rule names, as `#s` or `digits(c)`";
            NameOfProfile { name: String, reason: String } = "`{name}`, as the profile explains it, says nothing here: {reason}",
                "a name of the profile",
                "it can speak of what every rule that it is used for names, and of no other name of the profile";
        [E0703] "A function of prices has its arguments\n\n`above(x, 4, 6, 8)` says how many of the thresholds 4, 6 and 8 the number x exceeds. Thresholds are plain numbers. `first(C)` is the first of some cells, row by row; `largest(C)` is the number of candidates of the cell that has the most. `since(D, C)` is the time at which the last of the digits D was removed from the cells C; time counts removed candidates. `cell(K, n)` and `digit(K, n)` are the numbers of the cell and the digit of the n-th of some candidates, by digit, then row by row; `cell(C, n)` is that of the n-th of some cells. `rank(C)` is the number of some cells among all sets of cells of a house. `product(a, b)`, `least(a, b)` and `most(a, b)` are of two numbers or more."
            { "above(s, 2)" => "above(#s, 2, 3)" }
            Nth { name: String, allows_cells: bool } = {
                format!("`{name}` needs {} and a number", if allows_cells { "candidates or cells" } else { "candidates" })
            }, "not these two", "write `{name}(eliminated, 1)`: of the first candidate, by digit and then row by row";
            Fold { word: &'static str } = "`{word}` takes numbers, two or more", "not numbers", "write `{word}(length, #eliminated)`";
            Since = "`since` needs two things: digits and cells", "not two",
                "write `since(digits, c)`, `since(d, h)`: when the last of these candidates went";
            Above = "`above` takes a number and thresholds", "not a number and marks",
                "write `above(length, 4, 6, 8)`: how many of 4, 6 and 8 the length exceeds";
    }
}
