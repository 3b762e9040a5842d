// The dialog in which the grid is read, changed or pasted as text.

import { find, h } from "./dom.ts";
import type { Page } from "./main.ts";

/** A grid of 9×9 cells in which every cell has all candidates. */
const EMPTY_GRID = Array.from({ length: 9 }, () => Array(9).fill("123456789").join(" ")).join("\n");

export function openGridDialog(page: Page, boards: string[]): void {
  const dialog = find<HTMLDialogElement>("grid-dialog");
  const text = find<HTMLTextAreaElement>("grid-text");
  const board = find<HTMLSelectElement>("grid-board");
  const isFirstTime = board.options.length === 1;
  if (isFirstTime) {
    board.append(...boards.map((name) => h("option", { value: name }, name)));
    find("grid-empty").addEventListener("click", () => {
      text.value = EMPTY_GRID;
    });
    find("grid-use").addEventListener("click", () => {
      page.load({ grid: text.value.trim(), board: board.value || null });
      dialog.close();
    });
  }
  const current = page.textAndGrid();
  text.value = current.grid;
  board.value = current.board ?? "";
  dialog.showModal();
  text.focus();
  text.select();
}
