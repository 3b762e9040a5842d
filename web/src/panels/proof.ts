// The tab Proof: proves the rules of the text, or shows a grid on which a rule is wrong.

import { find, h } from "../dom.ts";
import { Cancelled, Channel } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { MemberVerdictRecord, WrongGridRecord } from "../types.ts";

/** Time limit for the proofs of all rules. */
const MAX_SECONDS = 20;

export class Proof {
  private readonly engine = new Channel();
  private readonly output = find("proof-out");
  private readonly stopButton = find<HTMLButtonElement>("proof-stop");
  /** The text of the last proof. */
  private provedText = "";

  constructor(private readonly page: Page) {
    find("proof-run").addEventListener("click", () => void this.run());
    this.stopButton.addEventListener("click", () => {
      this.engine.cancel();
      this.showResult(h("p", { class: "quiet" }, "Stopped."));
    });
  }

  /** Shows a note if the text has changed since the last proof. */
  update(): void {
    const { text } = this.page.textAndGrid();
    find("proof-old").hidden = !this.provedText || text === this.provedText;
  }

  async run(): Promise<void> {
    const hasErrors = this.page.lastLook()?.findings.some((finding) => finding.error);
    if (hasErrors) {
      this.showResult(h("p", {}, "The text has errors. Mend them first."));
      return;
    }
    this.provedText = this.page.textAndGrid().text;
    this.update();
    this.stopButton.hidden = false;
    this.output.replaceChildren(h("p", { class: "quiet" }, "Searching for a grid on which the rule is wrong …"));
    const start = performance.now();
    try {
      const request = { text: this.provedText, only: this.page.onlyRule(), seconds: MAX_SECONDS };
      const verdicts = await this.engine.cancelAndAsk("prove", request);
      const seconds = ((performance.now() - start) / 1000).toFixed(2);
      const sections = verdicts.map((verdict) => this.section(verdict));
      if (!sections.length) sections.push(h("p", {}, "The text has no rule yet."));
      this.showResult(...sections, h("p", { class: "quiet" }, `${seconds} s`));
      this.page.announce(verdicts.map(({ name, words }) => `${name}: ${words}`).join(". "));
    } catch (error) {
      if (!(error instanceof Cancelled)) this.showResult(h("p", {}, (error as Error).message));
    }
  }

  private showResult(...elements: HTMLElement[]): void {
    this.stopButton.hidden = true;
    this.output.replaceChildren(...elements);
  }

  private section(verdict: MemberVerdictRecord): HTMLElement {
    const { sound, status, counterexample } = verdict;
    const symbol = sound ? "✓" : status === "refuted" ? "✗" : "?";
    const label = verdict.label === verdict.technique ? "" : ` (${verdict.label})`;
    return h("section", { class: sound ? "passed" : "failed" },
      h("h3", {}, `${symbol} ${verdict.name}${label}`),
      h("p", { class: sound ? "good" : "bad" }, h("b", {}, `${verdict.words}.`)),
      ...(counterexample ? this.counterexampleElements(verdict, counterexample) : []),
      ...verdict.repairs.map((repair) => h("p", { class: "good" }, `Proved if you change this: ${repair}`)),
      ...verdict.rests_on.map((premise) => h("p", { class: "quiet" }, `The proof rests on: ${premise}`)),
    );
  }

  private counterexampleElements(verdict: MemberVerdictRecord, counterexample: WrongGridRecord): HTMLElement[] {
    const { grid, concludes, holds, names, picture } = counterexample;
    const loadGrid = () => this.page.load({ grid, board: verdict.board });
    const elements: HTMLElement[] = [h("p", {}, `Here it concludes ${concludes}, but ${holds}.`)];
    if (names) elements.push(h("p", {}, names));
    const description = `A grid on which ${verdict.name} is wrong: it concludes ${concludes}`;
    elements.push(figure(picture, description, h("button", { type: "button", click: loadGrid }, "Load this grid")));
    return elements;
  }
}
