// The page. In: typing and pointing. Out: the engine's answers in their panels. The state for sharing is in the address, the
// state for undo in the history of the editor.

import { redo, undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { Board } from "./board.ts";
import { openBook } from "./book.ts";
import { find, settled } from "./dom.ts";
import { gridField, makeEditor, put, setGrid, showText } from "./editor.ts";
import { Channel, Superseded } from "./engine.ts";
import { openGrid } from "./gridtext.ts";
import { Ask } from "./panels/ask.ts";
import { Examples } from "./panels/examples.ts";
import { Matches } from "./panels/matches.ts";
import { Path } from "./panels/path.ts";
import { Problems } from "./panels/problems.ts";
import { Proof } from "./panels/proof.ts";
import { pack, unpack } from "./share.ts";
import { FIRST } from "./first.ts";
import { Tabs } from "./tabs.ts";
import type { Looked, Start } from "./types.ts";
import { help } from "./help.ts";

const live = new Channel();
let looked: Looked | null = null;
/** The text and grid of the last search. */
let seen = "";
let only: string | null = null;
let chosen: number | null = 0;
let start: Start | null = null;

const view = makeEditor(find("editor"), live, {
  changed(transaction) {
    const grid = transaction.effects.some((one) => one.is(setGrid));
    if (grid) chosen = 0;
    if (transaction.docChanged || grid) changed();
  },
  keys: [
    { key: "Mod-s", run: () => (void format(), true) },
    { key: "Mod-Enter", run: () => (tabs.open("proof"), proof.run(), true) },
  ],
});

/** The text and grid for a request to the engine. */
const asked = () => ({ text: view.state.doc.toString(), ...view.state.field(gridField) });
const say = (words: string) => void (find("status").textContent = words);
const page = {
  asked,
  only: () => only,
  looked: () => looked,
  load: (what: { rule?: string; grid?: string; board?: string | null }) => {
    put(view, what);
    if (what.rule !== undefined) only = null;
  },
  goTo: (from: number, to = from) => {
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    view.focus();
  },
  replace: (from: number, to: number, insert: string) => view.dispatch({ changes: { from, to, insert } }),
  choose,
  say,
};
export type Page = typeof page;

const tabs = new Tabs(() => remember());
const matches = new Matches(page, live, (id) => {
  only = id;
  chosen = 0;
  changed();
});
const ask = new Ask(page, () => tabs.open("ask"));
const examples = new Examples(page, (words) => tabs.badge("examples", words));
const proof = new Proof(page);
const path = new Path(page);
const problems = new Problems(page, live);
const board = new Board({
  act: async (cell, digit, act) => {
    try {
      const grid = await live.ask("edit", { ...view.state.field(gridField), cell, digit, act });
      put(view, { grid, board: view.state.field(gridField).board });
    } catch (error) {
      if (!(error instanceof Superseded)) say((error as Error).message);
    }
  },
  ask: (cell, digit) => ask.about(cell, digit),
});

/** Proofs take a second or two, so they wait until nobody is typing. */
const prover = new Channel();
let proved = "";
const mark = settled(700, async () => {
  const request = asked();
  const key = JSON.stringify([request.text, looked?.grid?.board]);
  if (!looked?.grid || !looked.rules.length || key === proved) return;
  const all = await prover.askOnly("soundness", request).catch(() => null);
  if (!all || request.text !== asked().text || !looked?.grid) return;
  proved = key;
  matches.mark(all);
  matches.show(looked, chosen);
});

let looking = false;
let again = false;
let stuck: ReturnType<typeof setTimeout> | undefined;

/** Reacts to a change of the text or the grid. */
function changed(): void {
  again = true;
  if (JSON.stringify([asked().text, looked?.grid?.board]) !== proved) matches.mark([]);
  remember();
  examples.changed();
  proof.changed();
  path.changed();
  if (!looking) void look();
  // Long requests are cancelled once they are out of date.
  else stuck ??= setTimeout(() => live.stop(), 2_000);
}

async function look(): Promise<void> {
  looking = true;
  while (again) {
    again = false;
    const request = { ...asked(), only, chosen };
    try {
      const found = await live.ask("look", request);
      show(request.text, found);
    } catch (error) {
      if (!(error instanceof Superseded)) say((error as Error).message);
    }
    clearTimeout(stuck);
    stuck = undefined;
  }
  looking = false;
}

function show(text: string, found: Looked): void {
  looked = found;
  if (only && !found.rules.some((rule) => rule.id === only)) only = null;
  showText(view, text, found.tokens, found.findings, (one) => page.replace(one.from, one.to, one.fix ?? ""));
  problems.show(found.findings);
  const grid = found.grid;
  find("grid-error").textContent = found.grid_error ?? "";
  find("grid-remark").textContent = grid?.remark ?? "";
  if (grid && found.picture) {
    board.show(grid, found.picture);
    find("legend").innerHTML = found.picture.legend;
  }
  if (chosen !== null && chosen >= found.count) chosen = found.count ? 0 : chosen;
  matches.show(found, chosen);
  tabs.badge("matches", found.cut ? `${found.count}+` : String(found.count));
  mark();
  seen = text;
  document.documentElement.dataset.ready = String(Number(document.documentElement.dataset.ready ?? 0) + 1);
  summary();
}

/** Announces the result to screen readers once nobody is typing. */
const summary = settled(800, () => {
  if (!looked) return;
  const errors = looked.findings.filter((one) => one.error);
  const [first] = errors;
  if (first) say(`${errors.length === 1 ? "One error" : `${errors.length} errors`}. Line ${first.line}: ${first.message}`);
  else if (looked.grid_error) say(`The grid cannot be read: ${looked.grid_error}`);
  else say(looked.count === 1 ? "One match." : `${looked.count} matches.`);
});

/** Highlights a match, or none. */
async function choose(at: number | null): Promise<void> {
  chosen = at;
  remember();
  if (!looked?.grid) return;
  const picture = await live.ask("draw", { chosen: at }).catch(() => null);
  if (!picture || !looked?.grid) return;
  board.show(looked.grid, picture);
  find("legend").innerHTML = picture.legend;
  matches.show(looked, at);
}

/** Writes the state of the page into the address. */
const remember = settled(250, () => {
  const { text, grid, board } = asked();
  history.replaceState(null, "", pack({ rule: text, grid, board, only, chosen, tab: tabs.current }));
});

function restore(undoable = true): boolean {
  const shared = unpack(location.hash);
  if (!shared) return false;
  only = shared.only ?? null;
  put(view, { rule: shared.rule, grid: shared.grid, board: shared.board }, undoable);
  chosen = shared.chosen === undefined ? 0 : shared.chosen;
  if (shared.tab) tabs.open(shared.tab, false);
  return true;
}

async function format(): Promise<void> {
  const text = view.state.doc.toString();
  const found = await live.ask("format", { text }).catch(() => undefined);
  if (found === undefined) return;
  if (found === null) return say("A text with errors cannot be formatted.");
  if (found !== text && view.state.doc.toString() === text) {
    const at = Math.min(view.state.selection.main.head, found.length);
    view.dispatch({ changes: { from: 0, to: text.length, insert: found }, selection: { anchor: at } });
  }
  say("Formatted.");
}

async function share(): Promise<void> {
  const { text, grid, board } = asked();
  const link = new URL(location.href);
  link.hash = pack({ rule: text, grid, board, only, chosen, tab: tabs.current });
  history.replaceState(null, "", link.hash);
  try {
    await navigator.clipboard.writeText(link.href);
    say("The link is in the clipboard. It contains the rule and the grid.");
  } catch {
    say("The link is in the address bar. It contains the rule and the grid.");
  }
}

function go(step: typeof undo): void {
  if (!step(view)) say("There is nothing to go back to.");
}

find("undo").addEventListener("click", () => go(undo));
find("redo").addEventListener("click", () => go(redo));
find("format").addEventListener("click", () => void format());
find("share").addEventListener("click", () => void share());
find("new").addEventListener("click", () => start && (page.load({ rule: start.plain }), view.focus()));
find("book-open").addEventListener("click", () => start && openBook(page, live, start));
find("grid-open").addEventListener("click", () => openGrid(page, start?.boards ?? []));
find("help-open").addEventListener("click", () => (tabs.open("help"), find("tab-help").focus()));
help(page);

document.addEventListener("keydown", (event) => {
  const inside = (event.target as HTMLElement).closest(".cm-editor, input, textarea, select");
  if (inside || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key === "z") go(event.shiftKey ? redo : undo);
  else if (key === "y") go(redo);
  else return;
  event.preventDefault();
});

// A paste outside of a text field is a grid.
document.addEventListener("paste", (event) => {
  if ((event.target as HTMLElement).closest(".cm-editor, input, textarea")) return;
  const text = event.clipboardData?.getData("text/plain").trim();
  if (!text) return;
  event.preventDefault();
  page.load({ grid: text, board: null });
});

live.ask("shapes", {}).then((found) => void (document.getElementById("shapes")!.innerHTML = found), (error: Error) => say(error.message));
addEventListener("hashchange", () => void restore());
if (!restore(false)) put(view, FIRST, false);
live.ask("start", {}).then((found) => {
  start = found;
  find("version").textContent = found.version;
}, (error: Error) => say(error.message));
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("sw.js").catch(() => {});

// For tests and measurements: the last search.
Object.assign(window, { pinion: { view, last: () => seen } });
