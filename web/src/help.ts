// The buttons of the Help tab. Each loads a text of the help into the editor, or a grid of the help onto the board.

import type { Page } from "./main.ts";

/** `data-put` says if the text is a rule or a grid, `data-of` is the id of the element with the text. */
export function connectHelp(page: Page): void {
  const panel = document.getElementById("panel-help");
  panel?.querySelectorAll<HTMLButtonElement>("button[data-put]").forEach((button) => {
    button.addEventListener("click", () => {
      const text = document.getElementById(button.dataset.of ?? "")?.textContent?.trim() ?? "";
      if (button.dataset.put === "grid") {
        page.load({ grid: text, board: null });
        page.announce("The grid is loaded.");
      } else {
        page.load({ rule: `${text}\n` });
        page.announce("The rule is in the editor.");
      }
    });
  });
}
