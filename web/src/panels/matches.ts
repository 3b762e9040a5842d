// The tab Matches: the matches of the last search, and an explanation of the highlighted match.

import { engineHtml, find, h } from "../dom.ts";
import type { Channel } from "../engine.ts";
import type { Page } from "../main.ts";
import type { LookRecord, MatchExplanation, SoundnessRecord } from "../types.ts";

export class Matches {
  private readonly list = find("match-list");
  private readonly explanation = find("match-why");
  private readonly ruleSelect = find<HTMLSelectElement>("match-rule");
  /** The options of the rule selection and the selected one, as a key to compare. */
  private ruleOptionsKey = "";
  /** Rules that are refuted or not proved. */
  private doubtfulRules: SoundnessRecord[] = [];

  constructor(private readonly page: Page, private readonly engine: Channel, onChooseRule: (id: string | null) => void) {
    this.ruleSelect.addEventListener("change", () => onChooseRule(this.ruleSelect.value || null));
  }

  show(look: LookRecord, chosen: number | null): void {
    this.showRuleOptions(look);
    find("match-count").textContent = summary(look);
    const doubts = this.doubtfulRules.map((rule) => h("p", { class: "bad" }, doubt(rule)));
    find("match-remarks").replaceChildren(...doubts, ...look.remarks.map((remark) => h("p", { class: "quiet" }, remark)));
    this.showList(look, chosen);
    void this.explain(look, chosen);
  }

  setSoundness(rules: SoundnessRecord[]): void {
    this.doubtfulRules = rules.filter((rule) => rule.soundness !== "proved");
  }

  private showList(look: LookRecord, chosen: number | null): void {
    const items = look.matches.map((match, index) => {
      const isChosen = index === chosen;
      const choose = () => void this.page.chooseMatch(isChosen ? null : index);
      const button = h("button", { type: "button", class: "match", "aria-pressed": isChosen, click: choose });
      button.innerHTML = match.head;
      const doubtfulRule = this.doubtfulRules.find((rule) => rule.id === match.technique);
      if (doubtfulRule) button.append(doubtfulRule.soundness === "refuted" ? " (refuted)" : " (not proved)");
      return h("li", {}, button);
    });
    // The buttons are replaced, so the focus is set again.
    const focused = [...this.list.querySelectorAll("button")].indexOf(document.activeElement as HTMLButtonElement);
    this.list.replaceChildren(...items);
    if (focused >= 0) this.list.querySelectorAll("button")[focused]?.focus();
  }

  /** Updates the selection of the only rule to search. A text with one rule needs no selection. */
  private showRuleOptions({ rules }: LookRecord): void {
    find("match-rule-label").hidden = rules.length < 2;
    const onlyRule = this.page.onlyRule();
    const ids = rules.map((rule) => rule.id);
    const key = JSON.stringify([ids, onlyRule]);
    if (key === this.ruleOptionsKey) return;
    this.ruleOptionsKey = key;
    const options = ids.map((id) => new Option(id, id, false, id === onlyRule));
    this.ruleSelect.replaceChildren(new Option("every rule", ""), ...options);
  }

  private async explain(look: LookRecord, chosen: number | null): Promise<void> {
    if (chosen === null || chosen >= look.matches.length) {
      this.explanation.replaceChildren();
      return;
    }
    const explanation = await this.engine.ask("why", { chosen }).catch(() => null);
    if (explanation) this.explanation.replaceChildren(...explanationElements(explanation));
  }
}

function doubt({ id, soundness }: SoundnessRecord): string {
  return soundness === "refuted"
    ? `${id} is refuted on this board: its conclusions may be wrong, and paths do not use it. The tab Proof shows why.`
    : `${id} is not proved on this board: its conclusions may be wrong.`;
}

function summary({ rules, grid_error, count, matches, cut }: LookRecord): string {
  if (!rules.length) return "The text has no rule yet that can be searched for.";
  if (grid_error) return "The grid cannot be read.";
  if (!count) return "Nothing is found on this grid. Click a candidate in the grid to ask why it is not eliminated.";
  const total = count === 1 ? "One match" : `${count} matches`;
  const listed = matches.length < count ? `, the first ${matches.length} listed` : "";
  return `${total}${listed}${cut ? "; a limit ended the search" : ""}.`;
}

/** Shows the reason of the step, the values of the rule's names, and the lines of the rule with the facts that satisfy them. */
function explanationElements({ reason, why }: MatchExplanation): HTMLElement[] {
  const names = why.names.map(([name, value]) => h("span", { class: "bound" }, h("b", {}, name), ` ${value}`));
  const lines = why.lines.map(({ line, text, facts }) =>
    h("li", {},
      h("code", {}, line === null ? "" : h("span", { class: "number" }, String(line)), text),
      ...facts.map((fact) => h("span", { class: "fact" }, fact)),
    ),
  );
  return [h("h3", {}, "Why"), engineHtml(reason), h("p", { class: "names" }, ...names), h("ol", { class: "lines" }, ...lines)];
}
