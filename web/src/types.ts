// Requests and responses of the engine, which `src/playground` reads and writes. Positions in a text are counted in UTF-16
// units, as JavaScript counts them; `from` is the start and `to` the end of a range. Cells are counted from zero, row by row.

/** A picture of a grid. */
export interface PictureRecord {
  svg: string;
  /** The legend, as HTML. */
  legend: string;
  /** A label for each cell, such as `r4c2, candidates 2 5 9; 9: eliminated`. */
  labels: string[];
}

/** An error or a warning at its position in the rule text. */
export interface TextDiagnostic {
  from: number;
  to: number;
  /** Line number, from one. */
  line: number;
  /** False for a warning. */
  error: boolean;
  code: string;
  message: string;
  /** A remark about the position. */
  label: string;
  help: string | null;
  /** A replacement for the text at the position. */
  fix: string | null;
  /** Further positions: start, end and label. */
  more: [number, number, string][];
}

export type TokenKind = "keyword" | "kind" | "function" | "name" | "number" | "text" | "comment";

/** Dimensions of a board's pictures, in units of the SVG. */
export interface Measures {
  /** Side of the picture. */
  side: number;
  /** Distance from the left and upper border of the picture to the first cell. */
  edge: number;
  /** Side of a cell. */
  cell: number;
  /** Number of candidates in a row of a cell. */
  wide: number;
  /** Number of rows of candidates in a cell. */
  high: number;
}

export interface GridCell {
  value: number | null;
  given: boolean;
  candidates: number[];
}

export interface GridRecord {
  board: string;
  size: number;
  measures: Measures;
  cells: GridCell[];
  solutions: "one" | "several" | "none";
  /** A sentence about the number of solutions; null for a grid with one solution. */
  remark: string | null;
}

export interface MatchRecord {
  technique: string;
  /** The headline, as HTML. */
  head: string;
  /** The deductions: the cell, the digit, and true for a placement. */
  shows: [number, number, boolean][];
}

/** All that the page shows after a keystroke. */
export interface LookRecord {
  findings: TextDiagnostic[];
  /** Start, end and kind of each token. */
  tokens: [number, number, TokenKind][];
  rules: { id: string; from: number; to: number }[];
  /** The grid, if it can be read. */
  grid: GridRecord | null;
  /** The reason why the grid cannot be read. */
  grid_error: string | null;
  matches: MatchRecord[];
  /** Number of all matches, including those that are not listed. */
  count: number;
  /** True if a limit ended a search. */
  cut: boolean;
  /** A sentence for each rule that was not searched. */
  remarks: string[];
  /** The grid with the chosen match. */
  picture: PictureRecord | null;
}

export interface MatchExplanation {
  /** The reason of the step, as HTML. */
  reason: string;
  why: {
    name: string;
    file: string | null;
    /** Each name of the rule with the text of its value. */
    names: [string, string][];
    /** Lines of the rule, each with the facts that satisfy it. */
    lines: { line: number | null; text: string; facts: string[] }[];
    shows: string;
  };
}

/** Near misses of one rule. */
export interface RuleMisses {
  id: string;
  /** The near misses, each with its description as HTML. */
  misses: { description: string; picture: PictureRecord | null }[];
  /** The longest prefix of the rule that the position satisfies, as HTML. Set only if the rule has no near miss. */
  furthest: string | null;
  remark: string | null;
  /** True if a limit ended the search. */
  cut: boolean;
}

/** The reasons why the rules conclude nothing about a candidate. */
export interface WhyNotRecord {
  /** The candidate, such as `5 in r1c2`. */
  about: string;
  rules: RuleMisses[];
}

/** Result of an example or near miss. */
export interface ExampleResultRecord {
  label: string;
  title: string | null;
  near_miss: boolean;
  passed: boolean;
  /** Reason why the deductions were not compared. */
  unusable: string | null;
  /** Deductions that the example lists and the rule does not find. */
  missing: string[];
  /** Deductions that the rule finds and the example does not list. */
  extra: string[];
  /** Deductions that the example lists. */
  finds: string[];
  board: string | null;
  grid: string;
  picture: PictureRecord | null;
}

export interface TestRecord {
  examples: ExampleResultRecord[];
  /** A sentence for each rule without an example, and for each rule without a near miss. */
  missing_tests: string[];
}

/** A grid on which a rule draws a wrong conclusion. */
export interface WrongGridRecord {
  grid: string;
  /** The wrong conclusion, such as `r1c2<>3`. */
  concludes: string;
  /** A sentence that refutes the conclusion. */
  holds: string;
  /** Values of the rule's names. */
  names: string;
  picture: PictureRecord;
}

/** The verdict on one member of a rule, such as `my_pair(2)`. */
export interface MemberVerdictRecord {
  technique: string;
  label: string;
  name: string;
  board: string;
  status: "proved" | "supposed" | "refuted" | "undecided" | "vacuous";
  sound: boolean;
  words: string;
  /** Rules and lemmas on which the proof rests, each with its verdict. */
  rests_on: string[];
  counterexample: WrongGridRecord | null;
  /** Changes of the rule with which it is proved. */
  repairs: string[];
}

/** The soundness of a rule on the board of the grid. */
export interface SoundnessRecord {
  id: string;
  soundness: "proved" | "unproved" | "refuted";
}

/** A step of a path. */
export interface PathStepRecord {
  /** Index of the step. At the end of the path, the number of steps. */
  at: number;
  /** The headline, as HTML. */
  head: string;
  /** The reason, as HTML. */
  reason: string;
  technique: string | null;
  /** True if the step is a naked or hidden single. */
  single: boolean;
  /** True if the path has no further step. */
  end: boolean;
  picture: PictureRecord;
  /** The grid after the step, as a puzzle text. */
  line: string;
}

/** A built-in rule in a list. */
export interface RuleEntry {
  id: string;
  names: string[];
  family: string;
  /** The first paragraph of the rule's comment. */
  about: string;
}

export interface StartRecord {
  version: string;
  rules: RuleEntry[];
  boards: string[];
  /** The text of a new rule. */
  plain: string;
}

/** A built-in rule as a template. */
export interface RuleFileRecord {
  text: string;
  file: string;
  /** The grid of the first example. */
  grid: string | null;
  /** The board of the first example, if the example names one. */
  board: string | null;
}

/** Completions; each replaces the text from `from` to the cursor. */
export interface Completions {
  from: number;
  list: { label: string; sort: string }[];
}

export interface HoverRecord {
  from: number;
  to: number;
  /** The hover text, in Markdown. */
  text: string;
}

/** The explanation of a diagnostic code. */
export interface CodeRecord {
  code: string;
  text: string;
  /** A rule text that causes the diagnostic. */
  bad: string;
  /** The same rule text, mended. */
  good: string;
}

/** A change of a cell: adds or removes a candidate, places a digit, or empties the cell. */
export type Act = "toggle" | "place" | "clear";

/** A rule text and a grid. Without a board, the grid determines its board. */
export interface TextAndGrid {
  text: string;
  grid: string;
  board: string | null;
}

/**
 * Each kind of request with the types of its request and its response. `only` is the id of the only rule to search or prove; null means
 * all rules. `chosen` is the index of a match.
 */
export interface Requests {
  shapes: [Record<string, never>, string];
  start: [Record<string, never>, StartRecord];
  look: [TextAndGrid & { only: string | null; chosen: number | null }, LookRecord];
  draw: [{ chosen: number | null }, PictureRecord];
  why: [{ chosen: number }, MatchExplanation];
  why_not: [TextAndGrid & { only: string | null; cell: number; digit: number }, WhyNotRecord];
  edit: [{ grid: string; board: string | null; cell: number; digit: number; act: Act }, string];
  step: [TextAndGrid & { at: number; own_first: boolean }, PathStepRecord];
  soundness: [TextAndGrid, SoundnessRecord[]];
  test: [{ text: string }, TestRecord];
  prove: [{ text: string; only: string | null; seconds: number }, MemberVerdictRecord[]];
  complete: [{ text: string; at: number }, Completions];
  hover: [{ text: string; at: number }, HoverRecord | null];
  /** Returns null for a text with errors. */
  format: [{ text: string }, string | null];
  rule: [{ id: string }, RuleFileRecord];
  explain: [{ code: string }, CodeRecord];
}
