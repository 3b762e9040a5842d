// The rule and the grid of the first visit. The rule has a match, and small changes of its text break it.

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

/** The text between the quotes of an example is indented by four columns. */
const INDENTED_GRID = GRID.replace(/^(?=.)/gm, "    ");
/** A third candidate, 7, in r4c5. */
const INDENTED_NEAR_MISS = INDENTED_GRID.replace("49 59 ", "49 579");

export const FIRST_STATE = {
  rule: `/// A pivot with the candidates x and y sees two pincers, one with x and z, one with y and z.
///
/// If the pivot is x, the first pincer is z. If the pivot is y, the second pincer is z.
technique my_xy_wing "My XY-Wing" {
  pivot: cell = {x, y}
  pincer1: cell = {x, z} sees pivot
  pincer2: cell = {y, z} sees pivot
  conclude some z in pincer1, pincer2
}

example my_xy_wing "pivot r7c5, pincers r9c6 and r4c5" {
  grid """
${INDENTED_GRID}  """
  finds r4c6<>5 r89c5<>5
}

near_miss my_xy_wing "the second pincer has a third candidate" {
  grid """
${INDENTED_NEAR_MISS}  """
}
`,
  grid: GRID,
  board: null,
};
