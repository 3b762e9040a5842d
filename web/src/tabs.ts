// The tabs of the answers. They follow the tabs pattern of the ARIA Authoring Practices: the arrow keys, Home and End change tabs.

import { find } from "./dom.ts";

/** Ids of tabs are `tab-matches`, `tab-ask` and so on; the methods take the part after the hyphen. */
export class Tabs {
  private readonly tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
  current = "matches";

  constructor(private readonly onOpen: () => void) {
    this.tabs.forEach((tab, index) => {
      tab.addEventListener("click", () => this.open(this.idOf(tab)));
      tab.addEventListener("keydown", (event) => this.handleKey(event, index));
    });
  }

  private handleKey(event: KeyboardEvent, index: number): void {
    const count = this.tabs.length;
    const targets: Record<string, number> = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: count - 1 };
    const target = targets[event.key];
    if (target === undefined) return;
    // The arrow keys go round: from the last tab to the first, and back.
    const tab = this.tabs[(target + count) % count];
    if (tab) this.open(this.idOf(tab));
    tab?.focus();
    event.preventDefault();
  }

  private idOf(tab: HTMLElement): string {
    return tab.id.replace("tab-", "");
  }

  open(id: string): void {
    this.show(id);
    this.onOpen();
  }

  /** Opens a tab without calling `onOpen`. Does nothing for an unknown id. */
  show(id: string): void {
    if (!this.tabs.some((tab) => this.idOf(tab) === id)) return;
    this.current = id;
    for (const tab of this.tabs) {
      const isOpen = this.idOf(tab) === id;
      tab.setAttribute("aria-selected", String(isOpen));
      tab.tabIndex = isOpen ? 0 : -1;
      find(`panel-${this.idOf(tab)}`).hidden = !isOpen;
    }
  }

  /** Sets the badge beside the name of a tab. */
  setBadge(id: string, text: string): void {
    find(`badge-${id}`).textContent = text;
  }
}
