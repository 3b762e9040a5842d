// The grid of the page: a picture of the engine, covered by a grid of transparent cells that take clicks and keys and that screen readers
// can read. The page carries out the actions on a cell.

import { find, h } from "./dom.ts";
import type { Act, GridRecord, PictureRecord } from "./types.ts";

/** The effect of a click on a candidate and of a digit key: ask about the candidate, toggle the candidate, or place the digit. */
export type Mode = "ask" | "candidates" | "digits";

/** Width in pixels below which a candidate is too small for a finger. */
const MIN_TOUCH_WIDTH = 20;

/** The operations of the page on a cell. The digit of the act `clear` is 0. */
export interface BoardHooks {
  act(cell: number, digit: number, act: Act): void;
  ask(cell: number, digit: number): void;
}

/** Returns the character for a digit: `A` is 10, `B` is 11. */
const symbol = (digit: number) => (digit < 10 ? String(digit) : String.fromCharCode(65 + digit - 10));

/** Returns the digit of a key, with or without Shift; null for other keys. */
function digitOf(event: KeyboardEvent): number | null {
  const digitKey = /^(?:Digit|Numpad)([1-9])$/.exec(event.code);
  if (digitKey) return Number(digitKey[1]);
  const letter = /^Key([A-P])$/.exec(event.code)?.[1];
  return letter ? letter.charCodeAt(0) - 65 + 10 : null;
}

export class Board {
  private grid: GridRecord | null = null;
  private labels: string[] = [];
  private cells: HTMLElement[] = [];
  private selectedCell = 0;
  private readonly drawing = find("drawing");
  private readonly cover = find("cells");
  private readonly digitButtons = find("digits");
  private readonly cellName = find("cell-name");

  constructor(private readonly hooks: BoardHooks) {
    this.cover.addEventListener("keydown", (event) => this.handleKey(event));
    this.cover.addEventListener("click", (event) => this.handleClick(event));
    this.cover.addEventListener("focusin", (event) => {
      const cell = this.cells.indexOf(event.target as HTMLElement);
      if (cell >= 0) this.select(cell);
    });
    document.querySelectorAll("input[name=mode]").forEach((input) => input.addEventListener("change", () => this.updateDigitButtons()));
    find("clear-cell").addEventListener("click", () => this.clearCell());
  }

  private get mode(): Mode {
    return (document.querySelector("input[name=mode]:checked") as HTMLInputElement).value as Mode;
  }

  show(grid: GridRecord, picture: PictureRecord): void {
    const hasCells = this.grid?.size === grid.size;
    this.grid = grid;
    this.labels = picture.labels;
    this.drawing.innerHTML = picture.svg;
    if (!hasCells) this.build(grid);
    this.cells.forEach((element, cell) => element.setAttribute("aria-label", this.labels[cell] ?? ""));
    this.updateDigitButtons();
  }

  /** Creates the cells above the picture and the digit buttons below it. */
  private build({ size, measures }: GridRecord): void {
    const { side, edge, cell } = measures;
    const percent = (length: number) => `${(100 * length) / side}%`;
    const farEdge = side - edge - cell * size;
    this.cover.style.inset = `${percent(edge)} ${percent(farEdge)} ${percent(farEdge)} ${percent(edge)}`;
    this.cover.setAttribute("aria-rowcount", String(size));
    this.cover.setAttribute("aria-colcount", String(size));
    this.selectedCell = Math.min(this.selectedCell, size * size - 1);
    this.cells = Array.from({ length: size * size }, (_, index) =>
      h("div", { role: "gridcell", class: "cell", tabindex: index === this.selectedCell ? 0 : -1, "aria-colindex": (index % size) + 1 }),
    );
    const rows = Array.from({ length: size }, (_, row) =>
      h("div", { role: "row", class: "row", "aria-rowindex": row + 1 }, ...this.cells.slice(row * size, (row + 1) * size)),
    );
    this.cover.replaceChildren(...rows);
    const buttons = Array.from({ length: size }, (_, index) =>
      h("button", { type: "button", click: () => this.applyDigit(this.mode, index + 1) }, symbol(index + 1)),
    );
    this.digitButtons.replaceChildren(...buttons);
  }

  /** Makes a cell the only cell that Tab reaches. */
  private select(cell: number): void {
    this.cells[this.selectedCell]?.setAttribute("tabindex", "-1");
    this.cells[this.selectedCell]?.removeAttribute("aria-selected");
    this.selectedCell = cell;
    this.cells[cell]?.setAttribute("tabindex", "0");
    this.cells[cell]?.setAttribute("aria-selected", "true");
    this.updateDigitButtons();
  }

  /** Labels the digit buttons with their effect on the selected cell. Buttons without an effect are disabled. */
  private updateDigitButtons(): void {
    const cell = this.grid?.cells[this.selectedCell];
    if (!cell) return;
    // A label is the name of the cell, then a comma and its contents.
    this.cellName.textContent = this.labels[this.selectedCell]?.split(",")[0] ?? "";
    const { mode } = this;
    const effect = { ask: "why or why not", candidates: "toggle the candidate", digits: "place the digit" }[mode];
    [...this.digitButtons.children].forEach((button, index) => {
      const digit = index + 1;
      const isCandidate = cell.candidates.includes(digit);
      button.classList.toggle("present", isCandidate || cell.value === digit);
      button.setAttribute("aria-label", `${symbol(digit)}: ${effect}`);
      if (mode === "candidates") button.setAttribute("aria-pressed", String(isCandidate));
      else button.removeAttribute("aria-pressed");
      const isUseless = (mode === "ask" && !isCandidate) || (mode === "candidates" && cell.value !== null);
      (button as HTMLButtonElement).disabled = isUseless;
    });
  }

  /** Applies a digit to the selected cell. Does nothing if the board has no such digit. */
  private applyDigit(mode: Mode, digit: number): void {
    if (!this.grid || digit > this.grid.size) return;
    if (mode === "ask") this.hooks.ask(this.selectedCell, digit);
    else this.hooks.act(this.selectedCell, digit, mode === "digits" ? "place" : "toggle");
  }

  private clearCell(): void {
    this.hooks.act(this.selectedCell, 0, "clear");
  }

  private handleKey(event: KeyboardEvent): void {
    if (!this.grid || event.ctrlKey || event.metaKey) return;
    const { size } = this.grid;
    const [row, column] = [Math.floor(this.selectedCell / size), this.selectedCell % size];
    const targets: Record<string, [number, number]> = {
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(size - 1, row + 1), column],
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(size - 1, column + 1)],
      Home: [row, 0],
      End: [row, size - 1],
      PageUp: [0, column],
      PageDown: [size - 1, column],
    };
    const target = targets[event.key];
    const digit = digitOf(event);
    if (target) {
      this.cells[target[0] * size + target[1]]?.focus();
    } else if (event.key === "Delete" || event.key === "Backspace" || event.key === "0") {
      this.clearCell();
    } else if (digit) {
      const keyMode = event.altKey ? "ask" : event.shiftKey ? "digits" : this.mode;
      this.applyDigit(keyMode, digit);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Selects the clicked cell. In the modes for candidates, applies the candidate at the pointer. */
  private handleClick(event: MouseEvent): void {
    const element = (event.target as HTMLElement).closest<HTMLElement>("[role=gridcell]");
    const index = element ? this.cells.indexOf(element) : -1;
    const cell = this.grid?.cells[index];
    if (!element || !this.grid || !cell) return;
    const { wide, high } = this.grid.measures;
    const box = element.getBoundingClientRect();
    const column = Math.floor(((event.clientX - box.left) / box.width) * wide);
    const row = Math.floor(((event.clientY - box.top) / box.height) * high);
    const digit = row * wide + column + 1;
    // `box` is measured before this line, because the focus may scroll the page.
    element.focus();
    // If candidates are too small for a finger, a touch only selects the cell. The digit buttons below the grid do the rest.
    const isTooSmall = (event as PointerEvent).pointerType === "touch" && box.width / wide < MIN_TOUCH_WIDTH;
    if (isTooSmall || this.mode === "digits" || cell.value !== null) return;
    if (this.mode === "candidates" || cell.candidates.includes(digit)) this.applyDigit(this.mode, digit);
  }
}
