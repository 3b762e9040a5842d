// The tab Matches. In: the result of a search. Out: the list of matches, and an explanation of the highlighted one.

import { find, h, told } from "../dom.ts";
import type { Channel } from "../engine.ts";
import type { Page } from "../main.ts";
import type { Explained, Looked, Soundness } from "../types.ts";

export class Matches {
  private readonly list = find("match-list");
  private readonly why = find("match-why");
  private readonly which = find<HTMLSelectElement>("match-rule");
  private known = "";
  private doubts: Soundness[] = [];

  constructor(private readonly page: Page, private readonly engine: Channel, choose: (id: string | null) => void) {
    this.which.addEventListener("change", () => choose(this.which.value || null));
  }

  show(found: Looked, chosen: number | null): void {
    this.rules(found);
    find("match-count").textContent = this.summary(found);
    const remarks = find("match-remarks");
    const doubts = this.doubts.map(({ id, soundness }) => h("p", { class: "bad" }, soundness === "refuted"
      ? `${id} is refuted on this board: its conclusions may be wrong, and paths do not use it. The proof shows why.`
      : `${id} is not proved on this board: its conclusions may be wrong.`));
    remarks.replaceChildren(...doubts, ...found.remarks.map((words) => h("p", { class: "quiet" }, words)));
    const items = found.matches.map((match, at) => {
      const button = h("button", { type: "button", class: "match", "aria-pressed": at === chosen, click: () => this.page.choose(at === chosen ? null : at) });
      button.innerHTML = match.head;
      const doubt = this.doubts.find((one) => one.id === match.technique);
      if (doubt) button.append(doubt.soundness === "refuted" ? " (refuted)" : " (not proved)");
      return h("li", {}, button);
    });
    const focused = [...this.list.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    this.list.replaceChildren(...items);
    if (focused >= 0) this.list.querySelectorAll("button")[focused]?.focus();
    void this.explain(found, chosen);
  }

  /** Marks the matches of rules that are not proved. */
  mark(all: Soundness[]): void {
    this.doubts = all.filter((one) => one.soundness !== "proved");
  }

  private summary(found: Looked): string {
    if (!found.rules.length) return "There is no rule in the text yet that could be searched for.";
    if (found.grid_error) return "The grid cannot be read.";
    if (!found.count) return "Nothing found on this grid. Point at a candidate in the grid to ask why it is not eliminated.";
    const many = found.count === 1 ? "One match" : `${found.count} matches`;
    const listed = found.matches.length < found.count ? `, the first ${found.matches.length} listed` : "";
    return `${many}${listed}${found.cut ? "; a limit ended the search" : ""}.`;
  }

  private rules(found: Looked): void {
    const label = find("match-rule-label");
    label.hidden = found.rules.length < 2;
    const now = JSON.stringify([found.rules.map((rule) => rule.id), this.page.only()]);
    if (now === this.known) return;
    this.known = now;
    const option = (id: string) => new Option(id, id, false, id === this.page.only());
    this.which.replaceChildren(new Option("every rule", ""), ...found.rules.map((rule) => option(rule.id)));
  }

  private async explain(found: Looked, chosen: number | null): Promise<void> {
    if (chosen === null || chosen >= found.matches.length) return this.why.replaceChildren();
    const explained = await this.engine.ask("why", { chosen }).catch(() => null);
    if (explained) this.why.replaceChildren(...reasons(explained));
  }
}

/** The lines of the rule, each with the facts that make it true. */
function reasons({ told: words, why }: Explained): HTMLElement[] {
  const names = why.names.map(([name, value]) => h("span", { class: "bound" }, h("b", {}, name), ` ${value}`));
  const lines = why.lines.map(({ line, text, facts }) =>
    h("li", {},
      h("code", {}, line === null ? "" : h("span", { class: "number" }, String(line)), text),
      ...facts.map((fact) => h("span", { class: "fact" }, fact)),
    ),
  );
  return [h("h3", {}, "Why"), told(words), h("p", { class: "names" }, ...names), h("ol", { class: "lines" }, ...lines)];
}
