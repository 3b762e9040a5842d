// Tabs. In: keys and clicks. Out: one panel at a time, following the tabs pattern of the ARIA practices.

import { find } from "./dom.ts";

export class Tabs {
  private readonly all = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
  current = "matches";

  constructor(private readonly opened: () => void) {
    this.all.forEach((tab, at) => {
      tab.addEventListener("click", () => this.open(this.id(tab)));
      tab.addEventListener("keydown", (event) => {
        const step: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: this.all.length - 1 };
        const to = step[event.key];
        if (to === undefined) return;
        const next = this.all[(to + this.all.length) % this.all.length];
        if (next) this.open(this.id(next));
        next?.focus();
        event.preventDefault();
      });
    });
  }

  private id(tab: HTMLElement): string {
    return tab.id.replace("tab-", "");
  }

  open(id: string, tell = true): void {
    if (!this.all.some((tab) => this.id(tab) === id)) return;
    this.current = id;
    for (const tab of this.all) {
      const open = this.id(tab) === id;
      tab.setAttribute("aria-selected", String(open));
      tab.tabIndex = open ? 0 : -1;
      find(`panel-${this.id(tab)}`).hidden = !open;
    }
    if (tell) this.opened();
  }

  /** Sets the badge beside the name of a tab. */
  badge(id: string, words: string): void {
    find(`badge-${id}`).textContent = words;
  }
}
