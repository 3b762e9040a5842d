// The tab Why not. For a candidate it shows the matches with a conclusion about the candidate. Without a match it shows near misses: patterns
// that would be a match with one change.

import { engineHtml, find, h } from "../dom.ts";
import { Cancelled, Channel } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { MatchRecord, RuleMisses, WhyNotRecord } from "../types.ts";

interface NumberedMatch {
  match: MatchRecord;
  index: number;
}

export class WhyNot {
  private readonly engine = new Channel();
  private readonly output = find("ask-out");

  constructor(private readonly page: Page, private readonly openTab: () => void) {}

  async explain(cell: number, digit: number): Promise<void> {
    this.openTab();
    const look = this.page.lastLook();
    if (!look?.grid) return;
    if (!look.rules.length) {
      this.output.replaceChildren(h("p", {}, "Write a rule first."));
      return;
    }
    const { size } = look.grid;
    const candidate = `${digit} in r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
    const numbered = look.matches.map((match, index): NumberedMatch => ({ match, index }));
    const concluding = numbered.filter(({ match }) =>
      match.shows.some(([shownCell, shownDigit]) => shownCell === cell && shownDigit === digit),
    );
    if (concluding.length) this.showMatches(candidate, concluding);
    else await this.showMisses(cell, digit, candidate);
  }

  private showMatches(candidate: string, matches: NumberedMatch[]): void {
    const items = matches.map(({ match, index }) => {
      const button = h("button", { type: "button", class: "match", click: () => void this.page.chooseMatch(index) });
      button.innerHTML = match.head;
      return h("li", {}, button);
    });
    const subject = matches.length === 1
      ? "This match has a conclusion about the candidate. It is"
      : "These matches have a conclusion about the candidate. The first match is";
    this.output.replaceChildren(
      h("h3", {}, `${candidate}: why`),
      h("p", {}, `${subject} highlighted in the grid. The tab Matches explains it line by line.`),
      h("ul", { class: "matches" }, ...items),
    );
    void this.page.chooseMatch(matches[0]?.index ?? null);
    const count = matches.length === 1 ? "One match has" : `${matches.length} matches have`;
    this.page.announce(`${count} a conclusion about ${candidate}.`);
  }

  private async showMisses(cell: number, digit: number, candidate: string): Promise<void> {
    this.output.replaceChildren(h("p", { class: "quiet" }, `Searching for near misses about ${candidate} …`));
    try {
      const request = { ...this.page.textAndGrid(), only: this.page.onlyRule(), cell, digit };
      const record = await this.engine.cancelAndAsk("why_not", request);
      this.output.replaceChildren(...missSections(record));
      this.page.announce(`No match has a conclusion about ${record.about}.`);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.output.replaceChildren(h("p", {}, (error as Error).message));
    }
  }
}

function missSections({ about, rules }: WhyNotRecord): HTMLElement[] {
  return [h("h3", {}, `${about}: why not`), ...rules.map(ruleSection)];
}

function ruleSection({ id, misses, furthest, remark, cut }: RuleMisses): HTMLElement {
  const intro = misses.length === 1 ? "One requirement is not met:" : "One requirement is not met. The nearest pattern comes first:";
  const sections = misses.map(({ description, picture }) =>
    h("section", { class: "miss" }, engineHtml(description), picture ? figure(picture, `A near miss of ${id}`) : null),
  );
  const hasNothing = !misses.length && !furthest && !remark;
  return h("section", {},
    h("h4", {}, id),
    remark ? h("p", {}, `${remark}.`) : null,
    misses.length ? h("p", {}, intro) : null,
    ...sections,
    furthest ? engineHtml(furthest) : null,
    hasNothing ? h("p", {}, "No pattern of this rule comes close.") : null,
    cut ? h("p", { class: "quiet" }, "A limit ended the search: there may be closer patterns.") : null,
  );
}
