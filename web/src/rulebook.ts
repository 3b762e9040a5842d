// The dialog of the rulebook: search a built-in rule, read its text, or load the text as a start for a rule of one's own.

import { find, h } from "./dom.ts";
import type { Channel } from "./engine.ts";
import type { Page } from "./main.ts";
import type { RuleEntry, RuleFileRecord, StartRecord } from "./types.ts";

/** Maximum number of further names of a rule in the list. */
const MAX_FURTHER_NAMES = 3;

export class RulebookDialog {
  private readonly dialog = find<HTMLDialogElement>("book");
  private readonly search = find<HTMLInputElement>("book-search");
  private readonly family = find<HTMLSelectElement>("book-family");
  private entries: RuleEntry[] = [];

  constructor(private readonly page: Page, private readonly engine: Channel) {
    this.search.addEventListener("input", () => this.showEntries());
    this.family.addEventListener("change", () => this.showEntries());
  }

  open(start: StartRecord): void {
    const isFirstTime = this.entries.length === 0;
    if (isFirstTime) {
      this.entries = start.rules;
      const families = [...new Set(this.entries.map((entry) => entry.family))].sort();
      this.family.append(...families.map((name) => new Option(name, name)));
      this.showEntries();
    }
    this.dialog.showModal();
    this.search.focus();
  }

  /** Lists the rules of the chosen family that contain every word of the search. */
  private showEntries(): void {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.entries.filter((entry) => {
      const text = [entry.id, ...entry.names, entry.about].join(" ").toLowerCase();
      const isInFamily = !this.family.value || entry.family === this.family.value;
      return isInFamily && words.every((word) => text.includes(word));
    });
    find("book-count").textContent = found.length === 1 ? "One rule" : `${found.length} rules`;
    find("book-list").replaceChildren(...found.map((entry) => this.listItem(entry)));
  }

  private listItem(entry: RuleEntry): HTMLElement {
    const [name = entry.id, ...further] = entry.names;
    const shown = further.slice(0, MAX_FURTHER_NAMES).join(", ");
    const furtherNames = shown ? `, also ${shown}` : "";
    return h("li", {},
      h("button", { type: "button", class: "match", click: () => void this.read(entry) },
        h("b", {}, name), h("span", { class: "quiet" }, ` ${entry.id}${furtherNames}`), h("br"), entry.about),
    );
  }

  private async read(entry: RuleEntry): Promise<void> {
    const file = await this.engine.ask("rule", { id: entry.id });
    const element = find("book-rule");
    const grid = file.grid?.trim();
    const heading = h("h3", { tabindex: -1 }, entry.names[0] ?? entry.id);
    element.replaceChildren(
      heading,
      h("p", { class: "actions" },
        grid ? h("button", { type: "button", class: "main", click: () => this.load(file, { grid, board: file.board }) }, "Load it with the grid of its example") : null,
        h("button", { type: "button", click: () => this.load(file, {}) }, "Load it, keep your grid"),
      ),
      h("pre", { tabindex: 0, "aria-label": `The text of ${entry.id}` }, file.text),
      h("p", { class: "quiet" }, file.file),
    );
    heading.focus();
    element.scrollIntoView({ block: "nearest" });
  }

  private load(file: RuleFileRecord, grid: { grid?: string; board?: string | null }): void {
    this.page.load({ rule: file.text, ...grid });
    this.dialog.close();
  }
}
