// The rule editor. In: the engine's answers about a text. Out: an editor with syntax colours, error marks, completion, and one undo history
// for the text and the grid.

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
import type { Class, Finding } from "./types.ts";

/** A grid as text in any format, and the name of its board if the text does not determine it. */
export interface GridText {
  grid: string;
  board: string | null;
}

export const setGrid = StateEffect.define<GridText>();

export const gridField = StateField.define<GridText>({
  create: () => ({ grid: "", board: null }),
  update: (value, transaction) => transaction.effects.reduce((now, one) => (one.is(setGrid) ? one.value : now), value),
});

/** Undo restores the grid, too. */
const gridHistory = invertedEffects.of((transaction) =>
  transaction.effects.some((one) => one.is(setGrid)) ? [setGrid.of(transaction.startState.field(gridField))] : [],
);

type Tokens = [number, number, Class][];
const setTokens = StateEffect.define<Tokens>();
const marks = new Map<Class, Decoration>();
const mark = (name: Class): Decoration => {
  const known = marks.get(name) ?? Decoration.mark({ class: `tok-${name}` });
  marks.set(name, known);
  return known;
};

const tokenField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(value, transaction) {
    let now = transaction.docChanged ? value.map(transaction.changes) : value;
    for (const effect of transaction.effects) {
      if (!effect.is(setTokens)) continue;
      const end = transaction.newDoc.length;
      const inside = effect.value.filter(([from, to]) => from < to && to <= end);
      now = Decoration.set(inside.map(([from, to, name]) => mark(name).range(from, to)));
    }
    return now;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const kinds: Record<string, string> = { keyword: "keyword", function: "function", name: "variable", kind: "type", rule: "class" };

function completion(engine: Channel) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const word = context.matchBefore(/[\p{L}\p{N}_]*/u);
    const after = context.state.sliceDoc(Math.max(0, context.pos - 2), context.pos);
    if (!context.explicit && !word?.text && !/[:{] ?$/.test(after)) return null;
    const found = await engine.ask("complete", { text: context.state.doc.toString(), at: context.pos }).catch(() => null);
    if (!found) return null;
    const options = found.list.map(({ label, sort }) => ({ label, type: kinds[sort] ?? "text" }));
    return { from: word ? word.from : found.from, options, validFor: /^[\p{L}\p{N}_]*$/u };
  };
}

/** The hover text of a word. It is Markdown, of which only code spans are rendered. */
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

/** Indents a new line like the line before it, and by two more columns in a block. */
const indent = indentService.of((context, at) => {
  const line = context.lineAt(at);
  if (line.from === 0) return 0;
  const before = context.lineAt(line.from - 1, -1);
  const deep = (/^ */.exec(before.text)?.[0].length ?? 0) + (/\{\s*$/.test(before.text) ? 2 : 0);
  return Math.max(0, deep - (/^\s*\}/.test(line.text) ? 2 : 0));
});

const language = EditorState.languageData.of(() => [
  { commentTokens: { line: "//" }, closeBrackets: { brackets: ["(", "[", "{", '"'] }, indentOnInput: /^\s*\}$/ },
]);

export interface Hooks {
  changed(transaction: Transaction): void;
  /** Extra key bindings, such as Ctrl-Enter. */
  keys: { key: string; run(): boolean }[];
}

export function makeEditor(parent: HTMLElement, engine: Channel, hooks: Hooks): EditorView {
  const extensions: Extension[] = [
    lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), drawSelection(), history(), gridField, gridHistory,
    tokenField, lintGutter(), indent, indentUnit.of("  "), indentOnInput(), bracketMatching(), closeBrackets(), language,
    autocompletion({ override: [completion(engine)], icons: false }), hover(engine),
    tooltips({ parent: document.body }), EditorView.lineWrapping,
    EditorView.contentAttributes.of({ "aria-label": "Rule text", "aria-describedby": "editor-keys", spellcheck: "false", tabindex: "0" }),
    keymap.of([
      ...hooks.keys, ...closeBracketsKeymap, ...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab,
    ]),
    EditorView.updateListener.of((update) => update.transactions.forEach((one) => hooks.changed(one))),
  ];
  return new EditorView({ parent, state: EditorState.create({ extensions }) });
}

/** Shows the engine's diagnostics of a text, unless the text has changed since. */
export function showText(view: EditorView, text: string, tokens: Tokens, findings: Finding[], put: (found: Finding) => void): void {
  if (view.state.doc.toString() !== text) return;
  const diagnostics: Diagnostic[] = findings.map((one) => ({
    from: one.from,
    to: one.to,
    severity: one.error ? "error" : "warning",
    source: one.code,
    message: [one.message, one.label, one.help ? `Help: ${one.help}` : ""].filter(Boolean).join("\n"),
    actions: one.fix ? [{ name: `Change to ${one.fix}`, apply: () => put(one) }] : [],
  }));
  view.dispatch({ effects: setTokens.of(tokens) }, setDiagnostics(view.state, diagnostics));
}

/** Replaces the text, the grid or both as one step of the history. */
export function put(view: EditorView, what: { rule?: string } & Partial<GridText>, undoable = true): void {
  const { rule, grid, board } = what;
  const effects = grid === undefined ? [] : [setGrid.of({ grid, board: board ?? null })];
  const changes = rule === undefined ? undefined : { from: 0, to: view.state.doc.length, insert: rule };
  view.dispatch({ changes, effects, annotations: [isolateHistory.of("full"), Transaction.addToHistory.of(undoable)] });
}
