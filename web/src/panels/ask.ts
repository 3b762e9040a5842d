// The tab Why not. In: the candidate at the pointer. Out: the matches with a conclusion about it, or the near misses of the rules with
// the requirement that fails.

import { find, h, told } from "../dom.ts";
import { Channel, Superseded } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { Match, WhyNot } from "../types.ts";

export class Ask {
  private readonly engine = new Channel();
  private readonly out = find("ask-out");

  constructor(private readonly page: Page, private readonly open: () => void) {}

  async about(cell: number, digit: number): Promise<void> {
    this.open();
    const looked = this.page.looked();
    if (!looked?.grid) return;
    if (!looked.rules.length) return this.out.replaceChildren(h("p", {}, "Write a rule first."));
    const found = looked.matches.map((match, at): [Match, number] => [match, at]);
    const own = found.filter(([match]) => match.shows.some(([where, what]) => where === cell && what === digit));
    const size = looked.grid.size;
    const name = `${digit} in r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
    if (own.length) return this.matches(name, own);
    this.out.replaceChildren(h("p", { class: "quiet" }, `Searching for near misses about ${name} …`));
    try {
      const answer = await this.engine.askOnly("why_not", { ...this.page.asked(), only: this.page.only(), cell, digit });
      this.out.replaceChildren(...this.answer(answer));
      this.page.say(`No match shows anything of ${answer.about}.`);
    } catch (error) {
      if (!(error instanceof Superseded)) this.out.replaceChildren(h("p", {}, (error as Error).message));
    }
  }

  private matches(name: string, own: [Match, number][]): void {
    const item = ([match, at]: [Match, number]) => {
      const button = h("button", { type: "button", class: "match", click: () => this.page.choose(at) });
      button.innerHTML = match.head;
      return h("li", {}, button);
    };
    this.out.replaceChildren(
      h("h3", {}, `${name}: why`),
      h("p", {}, "These matches conclude it. The first is highlighted in the grid; the tab Matches explains it line by line."),
      h("ul", { class: "matches" }, ...own.map(item)),
    );
    void this.page.choose(own[0]?.[1] ?? null);
    this.page.say(`${own.length === 1 ? "One match shows" : `${own.length} matches show`} something of ${name}.`);
  }

  private answer(answer: WhyNot): HTMLElement[] {
    const rules = answer.rules.map((rule) => {
      const misses = rule.misses.map((miss) =>
        h("section", { class: "miss" }, told(miss.told), miss.picture ? figure(miss.picture, `A near miss of ${rule.id}`) : null),
      );
      const nothing = !misses.length && !rule.furthest && !rule.remark;
      return h("section", {},
        h("h4", {}, rule.id),
        rule.remark ? h("p", {}, `${rule.remark}.`) : null,
        misses.length ? h("p", {}, misses.length === 1 ? "One requirement short:" : "One requirement short, the nearest first:") : null,
        ...misses,
        rule.furthest ? told(rule.furthest) : null,
        nothing ? h("p", {}, "No pattern of this rule comes close.") : null,
        rule.cut ? h("p", { class: "quiet" }, "A limit ended the search; there may be closer ones.") : null,
      );
    });
    return [h("h3", {}, `${answer.about}: why not`), ...rules];
  }
}
