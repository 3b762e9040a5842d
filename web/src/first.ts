// The first visit: a rule that matches and is easy to break.

const GRID = `9 2 7 1  4    6   3   5  8
1 3 5 7  2    8   4   6  9
6 4 8 5  3    9   17  2  17
3 6 1 49 59   457 8   47 2
4 7 9 28 18   12  6   3  5
5 8 2 3  6    47  9   1  47
7 5 4 69 19   3   2   8  16
8 1 6 24 57   24  57  9  3
2 9 3 68 1578 15  157 47 1467
`;

const indented = (grid: string) => grid.replace(/^(?=.)/gm, "    ");

export const FIRST = {
  rule: `/// A pivot with two candidates and two pincers that it sees, each sharing one of them and both having z.
///
/// If the pivot is x, the first pincer is z; if it is y, the second one is.
technique my_xy_wing "My XY-Wing" {
  pivot: cell = {x, y}
  pincer1: cell = {x, z} sees pivot
  pincer2: cell = {y, z} sees pivot
  conclude some z in pincer1, pincer2
}

example my_xy_wing "pivot r7c5, pincers r9c6 and r4c5" {
  grid """
${indented(GRID)}  """
  finds r4c6<>5 r89c5<>5
}

near_miss my_xy_wing "the second pincer has a third candidate" {
  grid """
${indented(GRID.replace("59 ", "579"))}  """
}
`,
  grid: GRID,
  board: null,
};
