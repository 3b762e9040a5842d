// The Help tab. In: its buttons. Out: a click puts a text of the help into the editor, or a grid onto the page.

import type { Page } from "./main.ts";

export function help(page: Page): void {
  const panel = document.getElementById("panel-help");
  panel?.querySelectorAll<HTMLButtonElement>("button[data-put]").forEach((button) => {
    button.addEventListener("click", () => {
      const what = button.dataset.put;
      const text = document.getElementById(button.dataset.of ?? "")?.textContent?.trim() ?? "";
      page.load(what === "grid" ? { grid: text, board: null } : { rule: `${text}\n` });
      page.say(what === "grid" ? "The grid is in." : "The rule is in the editor.");
    });
  });
}
