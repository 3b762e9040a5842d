// The grid as text. In: a text in any format. Out: a dialog for reading, changing or pasting it.

import { find, h } from "./dom.ts";
import type { Page } from "./main.ts";

export const EMPTY = Array.from({ length: 9 }, () => Array(9).fill("123456789").join(" ")).join("\n");

export function openGrid(page: Page, boards: string[]): void {
  const dialog = find<HTMLDialogElement>("grid-dialog");
  const text = find<HTMLTextAreaElement>("grid-text");
  const board = find<HTMLSelectElement>("grid-board");
  if (board.options.length === 1) {
    board.append(...boards.map((name) => h("option", { value: name }, name)));
    find("grid-empty").addEventListener("click", () => void (text.value = EMPTY));
    find("grid-use").addEventListener("click", () => {
      page.load({ grid: text.value.trim(), board: board.value || null });
      dialog.close();
    });
  }
  const now = page.asked();
  text.value = now.grid;
  board.value = now.board ?? "";
  dialog.showModal();
  text.focus();
  text.select();
}
