//! Problems of examples and near misses: codes E06xx.

use super::maximum;

problems! {
    /// Problems of examples and near misses.
    ExampleProblem {
        [E0601] NoGrid { item: &'static str } = "this {item} has no grid", "no `grid` line", "add a line `grid \"…\"` with the puzzle in any format";
        [E0601] EmptyGrid { item: &'static str } = "the grid of this {item} is empty", "nothing in `grid`";
        [E0602] NoFinds = "this example does not say what is found", "no `finds` line",
            "add `finds r1c2<>3` with the deductions of a match, or make it a `near_miss`";
        [E0603] Arguments { id: String, wanted: usize, given: usize } = {
            let wanted = match wanted {
                0 => "no parameter".to_owned(),
                1 => "one parameter".to_owned(),
                many => format!("{many} parameters"),
            };
            format!("`{id}` has {wanted}, not {given}")
        }, "this many are given";
        [E0603] ArgumentOutside { name: String, low: u32, high: Option<u32>, value: u32 } =
            { format!("`{name}` runs from {low} to {}", maximum(high)) }, "{value} is outside";
        [E0604] NoDeduction { fault: &'static str, tidy: Option<String> } = "this is not a deduction", "{fault}", {
            let forms = "`r1c2<>3` takes 3 from row 1, column 2; `r1c2=3` places it; `r12c4<>56` is all of them at once";
            tidy.map_or_else(|| forms.to_owned(), |tidy| format!("write `{tidy}`, in small letters and without blanks"))
        };
        [E0605] FindsInNearMiss = "a near miss finds nothing", "not here", "leave `finds` out: a near miss is a grid on which the rule finds nothing";
        [E0606] TwoGrids { item: &'static str } = "this {item} has two grids", "the second", "write one {item} for each grid" + "the first";
        [E0606] TwoBoards { item: &'static str } = "this {item} has two boards", "the second",
            "a grid belongs to one board: write two examples" + "the first";
    }
}
