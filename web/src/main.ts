// The page: connects the editor, the board and the panels with the engine. After each change of the rule text or the grid it searches for
// matches and shows them. Its state is also kept in the address, for sharing.

import { redo, undo } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { Board } from "./board.ts";
import { debounced, find } from "./dom.ts";
import { applyFix, changesGrid, createEditor, gridField, load, showDiagnostics, type LoadedState } from "./editor.ts";
import { Cancelled, Channel } from "./engine.ts";
import { FIRST_STATE } from "./first-rule.ts";
import { openGridDialog } from "./grid-dialog.ts";
import { connectHelp } from "./help.ts";
import { Examples } from "./panels/examples.ts";
import { Matches } from "./panels/matches.ts";
import { Path } from "./panels/path.ts";
import { Problems } from "./panels/problems.ts";
import { Proof } from "./panels/proof.ts";
import { WhyNot } from "./panels/why-not.ts";
import { RulebookDialog } from "./rulebook.ts";
import { decode, encode } from "./share.ts";
import { Tabs } from "./tabs.ts";
import type { LookRecord, PictureRecord, StartRecord, TextAndGrid, TextDiagnostic } from "./types.ts";

/** Time in milliseconds after which a request is cancelled if the text or the grid has changed since. */
const MAX_OUTDATED_WAIT = 2_000;

/** The channel for requests whose answers are needed while somebody types. */
const engine = new Channel();
/** The channel for proofs of soundness, which take a second or two. */
const soundnessEngine = new Channel();

let lastLook: LookRecord | null = null;
/** The rule text of the last search. */
let searchedText = "";
/** The id of the only rule that is searched; null for all rules of the text. */
let onlyRule: string | null = null;
/** Index of the highlighted match. */
let chosenMatch: number | null = 0;
let startData: StartRecord | null = null;

const view = createEditor(find("editor"), engine, {
  onTransaction(transaction) {
    const isGridChanged = changesGrid(transaction);
    if (isGridChanged) chosenMatch = 0;
    if (transaction.docChanged || isGridChanged) handleChange();
  },
  keys: [
    {
      key: "Mod-s",
      run() {
        void format();
        return true;
      },
    },
    {
      key: "Mod-Enter",
      run() {
        tabs.open("proof");
        void proof.run();
        return true;
      },
    },
  ],
});

function textAndGrid(): TextAndGrid {
  return { text: view.state.doc.toString(), ...view.state.field(gridField) };
}

/** Writes a message into the status line, which screen readers read aloud. */
function announce(message: string): void {
  find("status").textContent = message;
}

function announceFailure(error: unknown): void {
  if (!(error instanceof Cancelled)) announce((error as Error).message);
}

/** The operations that the panels and dialogs use. */
const page = {
  textAndGrid,
  announce,
  chooseMatch,
  onlyRule: () => onlyRule,
  lastLook: () => lastLook,
  load(state: LoadedState) {
    load(view, state);
    if (state.rule !== undefined) onlyRule = null;
  },
  /** Selects a range of the text and scrolls to it. */
  select(from: number, to: number) {
    view.dispatch({ selection: { anchor: from, head: to }, effects: EditorView.scrollIntoView(from, { y: "center" }) });
    view.focus();
  },
  applyFix: (finding: TextDiagnostic) => applyFix(view, finding),
};
export type Page = typeof page;

const tabs = new Tabs(() => updateAddress());
const matches = new Matches(page, engine, (id) => {
  onlyRule = id;
  chosenMatch = 0;
  handleChange();
});
const whyNot = new WhyNot(page, () => tabs.open("ask"));
const examples = new Examples(page, (text) => tabs.setBadge("examples", text));
const proof = new Proof(page);
const path = new Path(page);
const problems = new Problems(page, engine);
const rulebook = new RulebookDialog(page, engine);
const board = new Board({
  async act(cell, digit, act) {
    const current = view.state.field(gridField);
    try {
      const grid = await engine.ask("edit", { ...current, cell, digit, act });
      load(view, { grid, board: current.board });
    } catch (error) {
      announceFailure(error);
    }
  },
  ask: (cell, digit) => void whyNot.explain(cell, digit),
});

/** The text and the board for which soundness was determined last, as a key to compare. */
let soundnessKey = "";

function currentSoundnessKey(): string {
  return JSON.stringify([view.state.doc.toString(), lastLook?.grid?.board]);
}

/** Determines the soundness of the rules once nobody is typing. */
const updateSoundness = debounced(700, async () => {
  const key = currentSoundnessKey();
  if (!lastLook?.grid || !lastLook.rules.length || key === soundnessKey) return;
  const request = textAndGrid();
  const soundness = await soundnessEngine.cancelAndAsk("soundness", request).catch(() => null);
  if (!soundness || request.text !== textAndGrid().text || !lastLook?.grid) return;
  soundnessKey = key;
  matches.setSoundness(soundness);
  matches.show(lastLook, chosenMatch);
});

let isSearching = false;
/** True if the text or the grid has changed since the last search began. */
let hasChanged = false;
let cancelTimer: ReturnType<typeof setTimeout> | undefined;

/** Reacts to a change of the text, of the grid or of the only rule. */
function handleChange(): void {
  hasChanged = true;
  if (currentSoundnessKey() !== soundnessKey) matches.setSoundness([]);
  updateAddress();
  examples.update();
  proof.update();
  path.update();
  if (isSearching) cancelTimer ??= setTimeout(() => engine.cancel(), MAX_OUTDATED_WAIT);
  else void searchUntilUnchanged();
}

/** Searches for matches, and again if the text or the grid has changed meanwhile. */
async function searchUntilUnchanged(): Promise<void> {
  isSearching = true;
  while (hasChanged) {
    hasChanged = false;
    const request = { ...textAndGrid(), only: onlyRule, chosen: chosenMatch };
    try {
      showLook(request.text, await engine.ask("look", request));
    } catch (error) {
      announceFailure(error);
    }
    clearTimeout(cancelTimer);
    cancelTimer = undefined;
  }
  isSearching = false;
}

function showLook(text: string, look: LookRecord): void {
  lastLook = look;
  const hasOnlyRule = look.rules.some((rule) => rule.id === onlyRule);
  if (!hasOnlyRule) onlyRule = null;
  showDiagnostics(view, text, look.tokens, look.findings);
  problems.show(look.findings);
  find("grid-error").textContent = look.grid_error ?? "";
  find("grid-remark").textContent = look.grid?.remark ?? "";
  if (look.picture) showPicture(look, look.picture);
  if (chosenMatch !== null && look.count > 0 && chosenMatch >= look.count) chosenMatch = 0;
  matches.show(look, chosenMatch);
  tabs.setBadge("matches", look.cut ? `${look.count}+` : String(look.count));
  updateSoundness();
  searchedText = text;
  // Tests wait for this counter of searches.
  const { dataset } = document.documentElement;
  dataset.ready = String(Number(dataset.ready ?? 0) + 1);
  announceResult();
}

function showPicture(look: LookRecord, picture: PictureRecord): void {
  if (!look.grid) return;
  board.show(look.grid, picture);
  find("legend").innerHTML = picture.legend;
}

/** Announces the result of the last search once nobody is typing. */
const announceResult = debounced(800, () => {
  if (!lastLook) return;
  const errors = lastLook.findings.filter((finding) => finding.error);
  const [first] = errors;
  if (first) announce(`${errors.length === 1 ? "One error" : `${errors.length} errors`}. Line ${first.line}: ${first.message}`);
  else if (lastLook.grid_error) announce(`The grid cannot be read: ${lastLook.grid_error}`);
  else announce(lastLook.count === 1 ? "One match." : `${lastLook.count} matches.`);
});

/** Highlights a match; null highlights none. */
async function chooseMatch(index: number | null): Promise<void> {
  chosenMatch = index;
  updateAddress();
  if (!lastLook?.grid) return;
  const picture = await engine.ask("draw", { chosen: index }).catch(() => null);
  if (!picture || !lastLook?.grid) return;
  showPicture(lastLook, picture);
  matches.show(lastLook, index);
}

/** Returns the state of the page as the hash of an address. */
function stateHash(): string {
  const { text, grid, board } = textAndGrid();
  return encode({ rule: text, grid, board, only: onlyRule, chosen: chosenMatch, tab: tabs.current });
}

const updateAddress = debounced(250, () => history.replaceState(null, "", stateHash()));

/** Restores the state of the page from its address. Returns false if the address has no state. */
function restoreState(options = { isUndoable: true }): boolean {
  const state = decode(location.hash);
  if (!state) return false;
  onlyRule = state.only ?? null;
  load(view, { rule: state.rule, grid: state.grid, board: state.board }, options);
  chosenMatch = state.chosen === undefined ? 0 : state.chosen;
  if (state.tab) tabs.show(state.tab);
  return true;
}

async function format(): Promise<void> {
  const text = view.state.doc.toString();
  const formatted = await engine.ask("format", { text }).catch(() => undefined);
  if (formatted === undefined) return;
  if (formatted === null) {
    announce("A text with errors cannot be formatted.");
    return;
  }
  const isUnchanged = view.state.doc.toString() === text;
  if (formatted !== text && isUnchanged) {
    const cursor = Math.min(view.state.selection.main.head, formatted.length);
    view.dispatch({ changes: { from: 0, to: text.length, insert: formatted }, selection: { anchor: cursor } });
  }
  announce("The text is formatted.");
}

async function copyLink(): Promise<void> {
  const link = new URL(location.href);
  link.hash = stateHash();
  history.replaceState(null, "", link.hash);
  try {
    await navigator.clipboard.writeText(link.href);
    announce("The link is in the clipboard. It contains the rule and the grid.");
  } catch {
    announce("The link is in the address bar. It contains the rule and the grid.");
  }
}

function undoChange(): void {
  if (!undo(view)) announce("There is nothing to undo.");
}

function redoChange(): void {
  if (!redo(view)) announce("There is nothing to redo.");
}

/** Loads the data of the program that do not change. */
async function loadStartData(): Promise<void> {
  try {
    // All pictures refer to these SVG shapes, such as the mark of an eliminated candidate.
    find("shapes").innerHTML = await engine.ask("shapes", {});
    startData = await engine.ask("start", {});
    find("version").textContent = startData.version;
  } catch (error) {
    // A search that takes too long is cancelled together with all other requests of its channel.
    if (error instanceof Cancelled) await loadStartData();
    else announceFailure(error);
  }
}

function onClick(id: string, listener: () => void): void {
  find(id).addEventListener("click", listener);
}

onClick("undo", undoChange);
onClick("redo", redoChange);
onClick("format", () => void format());
onClick("share", () => void copyLink());
onClick("new", () => {
  if (!startData) return;
  page.load({ rule: startData.plain });
  view.focus();
});
onClick("book-open", () => startData && rulebook.open(startData));
onClick("grid-open", () => openGridDialog(page, startData?.boards ?? []));
onClick("help-open", () => {
  tabs.open("help");
  find("tab-help").focus();
});
connectHelp(page);

document.addEventListener("keydown", (event) => {
  const isInTextField = (event.target as HTMLElement).closest(".cm-editor, input, textarea, select");
  const hasCommandKey = (event.ctrlKey || event.metaKey) && !event.altKey;
  if (isInTextField || !hasCommandKey) return;
  const key = event.key.toLowerCase();
  const isRedo = key === "y" || (key === "z" && event.shiftKey);
  if (isRedo) redoChange();
  else if (key === "z") undoChange();
  else return;
  event.preventDefault();
});

// A text that is pasted outside of a text field is a grid.
document.addEventListener("paste", (event) => {
  const isInTextField = (event.target as HTMLElement).closest(".cm-editor, input, textarea");
  const text = event.clipboardData?.getData("text/plain").trim();
  if (isInTextField || !text) return;
  event.preventDefault();
  page.load({ grid: text, board: null });
});

void loadStartData();
addEventListener("hashchange", () => void restoreState());
const isRestored = restoreState({ isUndoable: false });
if (!isRestored) load(view, FIRST_STATE, { isUndoable: false });
if ("serviceWorker" in navigator && location.protocol !== "file:") navigator.serviceWorker.register("sw.js").catch(() => {});

// For tests and measurements.
Object.assign(window, { pinion: { view, searchedText: () => searchedText } });
