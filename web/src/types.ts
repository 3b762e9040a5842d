// Requests and responses of the engine; `src/playground` defines the same types in Rust.

export interface Drawn {
  svg: string;
  legend: string;
  labels: string[];
}

export interface Finding {
  from: number;
  to: number;
  line: number;
  error: boolean;
  code: string;
  message: string;
  label: string;
  help: string | null;
  fix: string | null;
  more: [number, number, string][];
}

export type Class = "keyword" | "kind" | "function" | "name" | "number" | "text" | "comment";

export interface Measures {
  side: number;
  edge: number;
  cell: number;
  wide: number;
  high: number;
}

export interface CellRecord {
  value: number | null;
  given: boolean;
  candidates: number[];
}

export interface Grid {
  board: string;
  size: number;
  measures: Measures;
  cells: CellRecord[];
  solutions: "one" | "several" | "none";
  remark: string | null;
}

export interface Match {
  technique: string;
  head: string;
  shows: [number, number, boolean][];
}

export interface Looked {
  findings: Finding[];
  tokens: [number, number, Class][];
  rules: { id: string; from: number; to: number }[];
  grid: Grid | null;
  grid_error: string | null;
  matches: Match[];
  count: number;
  cut: boolean;
  remarks: string[];
  picture: Drawn | null;
}

export interface Explained {
  told: string;
  why: {
    name: string;
    file: string | null;
    names: [string, string][];
    lines: { line: number | null; text: string; facts: string[] }[];
    shows: string;
  };
}

export interface WhyNot {
  about: string;
  rules: {
    id: string;
    misses: { told: string; picture: Drawn | null }[];
    furthest: string | null;
    remark: string | null;
    cut: boolean;
  }[];
}

export interface ExampleRecord {
  label: string;
  title: string | null;
  near_miss: boolean;
  passed: boolean;
  unusable: string | null;
  missing: string[];
  extra: string[];
  finds: string[];
  board: string | null;
  grid: string;
  picture: Drawn | null;
}

export interface Tested {
  examples: ExampleRecord[];
  without: string[];
}

export interface Proof {
  technique: string;
  label: string;
  name: string;
  board: string;
  status: "proved" | "supposed" | "refuted" | "undecided" | "vacuous";
  sound: boolean;
  words: string;
  rests_on: string[];
  counterexample: { grid: string; concludes: string; holds: string; names: string; picture: Drawn } | null;
  repairs: string[];
}

export interface Soundness {
  id: string;
  soundness: "proved" | "unproved" | "refuted";
}

export interface Step {
  at: number;
  head: string;
  told: string;
  technique: string | null;
  single: boolean;
  end: boolean;
  picture: Drawn;
  line: string;
}

export interface Entry {
  id: string;
  names: string[];
  family: string;
  about: string;
}

export interface Start {
  version: string;
  rules: Entry[];
  boards: string[];
  plain: string;
}

interface Asked {
  text: string;
  grid: string;
  board: string | null;
}

export type Act = "toggle" | "place" | "clear";

/** Each request with its response. */
export interface Requests {
  shapes: [Record<string, never>, string];
  start: [Record<string, never>, Start];
  look: [Asked & { only: string | null; chosen: number | null }, Looked];
  draw: [{ chosen: number | null }, Drawn];
  why: [{ chosen: number }, Explained];
  why_not: [Asked & { only: string | null; cell: number; digit: number }, WhyNot];
  edit: [{ grid: string; board: string | null; cell: number; digit: number; act: Act }, string];
  step: [Asked & { at: number; own_first: boolean }, Step];
  soundness: [Asked, Soundness[]];
  test: [{ text: string }, Tested];
  prove: [{ text: string; only: string | null; seconds: number }, Proof[]];
  complete: [{ text: string; at: number }, { from: number; list: { label: string; sort: string }[] }];
  hover: [{ text: string; at: number }, { from: number; to: number; text: string } | null];
  format: [{ text: string }, string | null];
  rule: [{ id: string }, { text: string; file: string; grid: string | null; board: string | null }];
  explain: [{ code: string }, { code: string; text: string; bad: string; good: string }];
}
