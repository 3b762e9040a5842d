// The rule editor, made of CodeMirror: syntax colours, error marks, completion and hover come from the engine. The text and the grid
// share one undo history.

import {
  autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, type CompletionContext, type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab, invertedEffects, isolateHistory } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentService, indentUnit } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { EditorState, StateEffect, StateField, Transaction, type Extension } from "@codemirror/state";
import {
  Decoration, type DecorationSet, drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap,
  lineNumbers, tooltips,
} from "@codemirror/view";
import type { Channel } from "./engine.ts";
import type { TextDiagnostic, TokenKind } from "./types.ts";

/** A grid as text in any format, and the name of its board. If the name is null, the text determines the board. */
export interface GridText {
  grid: string;
  board: string | null;
}

/** Sets the grid. The grid is part of the editor's state, because undo restores it. */
export const setGrid = StateEffect.define<GridText>();

export const gridField = StateField.define<GridText>({
  create: () => ({ grid: "", board: null }),
  update(value, transaction) {
    let grid = value;
    for (const effect of transaction.effects) {
      if (effect.is(setGrid)) grid = effect.value;
    }
    return grid;
  },
});

/** Returns true if a transaction sets the grid. */
export const changesGrid = (transaction: Transaction) => transaction.effects.some((effect) => effect.is(setGrid));

/** For undo: the inverse of a change of the grid sets the grid of the state before. */
const gridHistory = invertedEffects.of((transaction) =>
  changesGrid(transaction) ? [setGrid.of(transaction.startState.field(gridField))] : [],
);

/** Start, end and kind of each token. */
type Tokens = [number, number, TokenKind][];
const setTokens = StateEffect.define<Tokens>();

/** The colours of the text. Between two answers of the engine they move with the text. */
const tokenField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let set = transaction.docChanged ? value.map(transaction.changes) : value;
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      const end = transaction.newDoc.length;
      const tokens = effect.value.filter(([from, to]) => from < to && to <= end);
      set = Decoration.set(tokens.map(([from, to, kind]) => Decoration.mark({ class: `tok-${kind}` }).range(from, to)));
    }
    return set;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** The engine's kinds of completions, with CodeMirror's names for them. */
const COMPLETION_TYPES: Record<string, string> = { keyword: "keyword", function: "function", name: "variable", kind: "type", rule: "class" };

/** Completes while a word is typed, after `:` and `{`, and on request. */
function completion(engine: Channel) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\p{L}\p{N}_]*/u);
    const lastCharacters = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
    const isWanted = context.explicit || word?.text || /[:{] ?$/.test(lastCharacters);
    if (!isWanted) return null;
    const found = await engine.ask("complete", { text: context.state.doc.toString(), at: context.pos }).catch(() => null);
    if (!found) return null;
    const options = found.list.map(({ label, sort }) => ({ label, type: COMPLETION_TYPES[sort] ?? "text" }));
    return { from: word ? word.from : found.from, options, validFor: /^[\p{L}\p{N}_]*$/u };
  };
}

/** Shows the hover text of a word. The text is Markdown; its marks for code and bold are removed. */
function hover(engine: Channel): Extension {
  return hoverTooltip(async (view, at) => {
    const found = await engine.ask("hover", { text: view.state.doc.toString(), at }).catch(() => null);
    if (!found || found.to > view.state.doc.length) return null;
    const dom = document.createElement("div");
    dom.className = "hover";
    dom.textContent = found.text.replace(/```pinion\n|\n```|\*\*|`/g, "");
    return { pos: found.from, end: found.to, create: () => ({ dom }) };
  });
}

const INDENT = 2;

/** Indents a new line like the line before it: one level more after a `{`, one level less before a `}`. */
const indentation = indentService.of((context, at) => {
  const line = context.lineAt(at);
  if (line.from === 0) return 0;
  const lineBefore = context.lineAt(line.from - 1, -1).text;
  const spacesBefore = /^ */.exec(lineBefore)?.[0].length ?? 0;
  const opened = /\{\s*$/.test(lineBefore) ? INDENT : 0;
  const closed = /^\s*\}/.test(line.text) ? INDENT : 0;
  return Math.max(0, spacesBefore + opened - closed);
});

const languageData = EditorState.languageData.of(() => [
  { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] }, indentOnInput: /^\s*\}$/ },
]);

export interface EditorHooks {
  onTransaction(transaction: Transaction): void;
  /** Extra key bindings, such as Ctrl-Enter. */
  keys: { key: string; run(): boolean }[];
}

export function createEditor(parent: HTMLElement, engine: Channel, hooks: EditorHooks): EditorView {
  const extensions: Extension[] = [
    lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), gridField, gridHistory,
    tokenField, lintGutter(), indentation, indentUnit.of(" ".repeat(INDENT)), indentOnInput(), bracketMatching(), closeBrackets(),
    languageData, autocompletion({ override: [completion(engine)], icons: false }), hover(engine),
    tooltips({ parent: document.body }), EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "Rule text", "aria-describedby": "editor-keys", spellcheck: "false", tabindex: "0" }),
    keymap.of([
      ...hooks.keys, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
    ]),
    EditorView.updateListener.of((update) => update.transactions.forEach((transaction) => hooks.onTransaction(transaction))),
  ];
  return new EditorView({ parent, state: EditorState.create({ extensions }) });
}

/** Replaces a range of the text with the fix of a diagnostic. */
export function applyFix(view: EditorView, { from, to, fix }: TextDiagnostic): void {
  view.dispatch({ changes: { from, to, insert: fix ?? "" } });
}

/** Shows the colours and diagnostics of `text`. Does nothing if the editor has another text by now. */
export function showDiagnostics(view: EditorView, text: string, tokens: Tokens, findings: TextDiagnostic[]): void {
  if (view.state.doc.toString() !== text) return;
  const diagnostics: Diagnostic[] = findings.map((finding) => ({
    from: finding.from,
    to: finding.to,
    severity: finding.error ? "error" : "warning",
    source: finding.code,
    message: [finding.message, finding.label, finding.help ? `Help: ${finding.help}` : ""].filter(Boolean).join("\n"),
    actions: finding.fix ? [{ name: `Change to ${finding.fix}`, apply: () => applyFix(view, finding) }] : [],
  }));
  view.dispatch({ effects: setTokens.of(tokens) }, setDiagnostics(view.state, diagnostics));
}

/** A rule text, a grid, or both. */
export interface LoadedState extends Partial<GridText> {
  rule?: string;
}

/** Loads a state as one change of the undo history, or outside of the history. */
export function load(view: EditorView, { rule, grid, board }: LoadedState, options = { isUndoable: true }): void {
  const effects = grid === undefined ? [] : [setGrid.of({ grid, board: board ?? null })];
  const changes = rule === undefined ? undefined : { from: 0, to: view.state.doc.length, insert: rule };
  view.dispatch({ changes, effects, annotations: [isolateHistory.of("full"), Transaction.addToHistory.of(options.isUndoable)] });
}
