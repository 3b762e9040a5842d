// The grid. In: the engine's description of it, a picture. Out: the picture with a grid of cells over it for pointers, keys and screen
// readers; actions on a cell are passed to the page.

import { find, h } from "./dom.ts";
import type { Act, Drawn, Grid } from "./types.ts";

export type Mode = "ask" | "candidates" | "digits";

export interface BoardHooks {
  act(cell: number, digit: number, act: Act): void;
  ask(cell: number, digit: number): void;
}

const symbol = (digit: number) => (digit < 10 ? String(digit) : String.fromCharCode(55 + digit));

/** The digit of a key, with or without Shift. */
function digitOf(event: KeyboardEvent): number | null {
  const row = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  if (row) return Number(row[1]);
  const letter = /^Key([A-P])$/.exec(event.code);
  return letter?.[1] ? letter[1].charCodeAt(0) - 55 : null;
}

export class Board {
  private grid: Grid | null = null;
  private labels: string[] = [];
  private cells: HTMLElement[] = [];
  private at = 0;
  private readonly drawing = find("drawing");
  private readonly cover = find("cells");
  private readonly digits = find("digits");
  private readonly name = find("cell-name");

  constructor(private readonly hooks: BoardHooks) {
    this.cover.addEventListener("keydown", (event) => this.key(event));
    this.cover.addEventListener("click", (event) => this.click(event));
    this.cover.addEventListener("focusin", (event) => {
      const at = this.cells.indexOf(event.target as HTMLElement);
      if (at >= 0) this.select(at);
    });
    document.querySelectorAll("input[name=mode]").forEach((one) => one.addEventListener("change", () => this.toolbar()));
    find("clear-cell").addEventListener("click", () => this.hooks.act(this.at, 0, "clear"));
  }

  get mode(): Mode {
    return (document.querySelector("input[name=mode]:checked") as HTMLInputElement).value as Mode;
  }

  /** Shows a grid with a picture of it. */
  show(grid: Grid, picture: Drawn): void {
    const same = this.grid?.size === grid.size;
    this.grid = grid;
    this.labels = picture.labels;
    this.drawing.innerHTML = picture.svg;
    if (!same) this.build(grid);
    this.cells.forEach((cell, at) => cell.setAttribute("aria-label", this.labels[at] ?? ""));
    this.toolbar();
  }

  private build(grid: Grid): void {
    const { side, edge, cell } = grid.measures;
    const part = (length: number) => `${(100 * length) / side}%`;
    this.cover.style.inset = `${part(edge)} ${part(side - edge - cell * grid.size)} ${part(side - edge - cell * grid.size)} ${part(edge)}`;
    this.cover.setAttribute("aria-rowcount", String(grid.size));
    this.cover.setAttribute("aria-colcount", String(grid.size));
    this.at = Math.min(this.at, grid.size * grid.size - 1);
    this.cells = [];
    const rows = Array.from({ length: grid.size }, (_, row) => {
      const cells = Array.from({ length: grid.size }, (_, column) => {
        const at = row * grid.size + column;
        const element = h("div", { role: "gridcell", class: "cell", tabindex: at === this.at ? 0 : -1, "aria-colindex": column + 1 });
        this.cells.push(element);
        return element;
      });
      return h("div", { role: "row", class: "row", "aria-rowindex": row + 1 }, ...cells);
    });
    this.cover.replaceChildren(...rows);
    const digit = (one: number) => h("button", { type: "button", click: () => this.do(this.mode, one) }, symbol(one));
    this.digits.replaceChildren(...Array.from({ length: grid.size }, (_, at) => digit(at + 1)));
  }

  private select(at: number): void {
    this.cells[this.at]?.setAttribute("tabindex", "-1");
    this.cells[this.at]?.removeAttribute("aria-selected");
    this.at = at;
    this.cells[at]?.setAttribute("tabindex", "0");
    this.cells[at]?.setAttribute("aria-selected", "true");
    this.toolbar();
  }

  /** Labels the buttons with their effect on the cell. */
  private toolbar(): void {
    const cell = this.grid?.cells[this.at];
    if (!this.grid || !cell) return;
    const place = (this.labels[this.at] ?? "").split(",")[0];
    this.name.textContent = place ?? "";
    const words = { ask: "why or why not", candidates: "candidate", digits: "put in" }[this.mode];
    [...this.digits.children].forEach((button, index) => {
      const digit = index + 1;
      const there = cell.candidates.includes(digit);
      button.classList.toggle("there", there || cell.value === digit);
      button.setAttribute("aria-label", `${symbol(digit)}: ${words}`);
      if (this.mode === "candidates") button.setAttribute("aria-pressed", String(there));
      else button.removeAttribute("aria-pressed");
      (button as HTMLButtonElement).disabled = this.mode === "ask" ? !there : this.mode === "candidates" && cell.value !== null;
    });
  }

  private do(mode: Mode, digit: number): void {
    if (!this.grid || digit > this.grid.size) return;
    if (mode === "ask") this.hooks.ask(this.at, digit);
    else this.hooks.act(this.at, digit, mode === "digits" ? "place" : "toggle");
  }

  private key(event: KeyboardEvent): void {
    if (!this.grid || event.ctrlKey || event.metaKey) return;
    const { size } = this.grid;
    const [row, column] = [Math.floor(this.at / size), this.at % size];
    const moves: Record<string, [number, number]> = {
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(size - 1, row + 1), column],
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(size - 1, column + 1)],
      Home: [row, 0],
      End: [row, size - 1],
      PageUp: [0, column],
      PageDown: [size - 1, column],
    };
    const to = moves[event.key];
    const digit = digitOf(event);
    if (to) this.cells[to[0] * size + to[1]]?.focus();
    else if (event.key === "Delete" || event.key === "Backspace" || event.key === "0") this.hooks.act(this.at, 0, "clear");
    else if (digit) this.do(event.altKey ? "ask" : event.shiftKey ? "digits" : this.mode, digit);
    else return;
    event.preventDefault();
  }

  /** Handles a click: on a candidate the action of the current mode, elsewhere in a cell the choice of the cell. */
  private click(event: MouseEvent): void {
    const target = (event.target as HTMLElement).closest<HTMLElement>("[role=gridcell]");
    const at = target ? this.cells.indexOf(target) : -1;
    if (!target || at < 0 || !this.grid) return;
    const { wide, high } = this.grid.measures;
    const box = target.getBoundingClientRect();
    // A candidate is too small for a finger: touch chooses the cell, and its digits are buttons below.
    const small = (event as PointerEvent).pointerType === "touch" && box.width / wide < 20;
    const column = Math.floor(((event.clientX - box.left) / box.width) * wide);
    const row = Math.floor(((event.clientY - box.top) / box.height) * high);
    const digit = row * wide + column + 1;
    target.focus();
    if (small || this.mode === "digits" || this.grid.cells[at]?.value !== null) return;
    if (this.mode === "candidates" || this.grid.cells[at]?.candidates.includes(digit)) this.do(this.mode, digit);
  }
}
