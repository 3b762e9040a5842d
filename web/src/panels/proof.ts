// The Proof tab. In: the rules. Out: the verdict on each, and a drawing of a grid in which a rule is wrong.

import { find, h } from "../dom.ts";
import { Channel, Superseded } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { Proof as Proved } from "../types.ts";

const SECONDS = 20;

export class Proof {
  private readonly engine = new Channel();
  private readonly out = find("proof-out");
  private readonly stop = find<HTMLButtonElement>("proof-stop");
  private known = "";

  constructor(private readonly page: Page) {
    find("proof-run").addEventListener("click", () => this.run());
    this.stop.addEventListener("click", () => {
      this.engine.stop();
      this.end(h("p", { class: "quiet" }, "Stopped."));
    });
  }

  /** Shows that the text has changed since the proof. */
  changed(): void {
    const { text } = this.page.asked();
    find("proof-old").hidden = !this.known || text === this.known;
  }

  run(): void {
    void this.prove();
  }

  private async prove(): Promise<void> {
    const looked = this.page.looked();
    if (looked?.findings.some((one) => one.error)) return this.end(h("p", {}, "The text has errors; fix them first."));
    this.known = this.page.asked().text;
    this.changed();
    this.stop.hidden = false;
    this.out.replaceChildren(h("p", { class: "quiet" }, "Searching for a grid in which the rule is wrong …"));
    const begun = performance.now();
    try {
      const found = await this.engine.askOnly("prove", { text: this.known, only: this.page.only(), seconds: SECONDS });
      const seconds = ((performance.now() - begun) / 1000).toFixed(2);
      const none = h("p", {}, "There is no rule in the text yet.");
      this.end(...(found.length ? found.map((one) => this.one(one)) : [none]), h("p", { class: "quiet" }, `${seconds} s`));
      this.page.say(found.map((one) => `${one.name}: ${one.words}`).join(". "));
    } catch (error) {
      if (!(error instanceof Superseded)) this.end(h("p", {}, (error as Error).message));
    }
  }

  private end(...what: HTMLElement[]): void {
    this.stop.hidden = true;
    this.out.replaceChildren(...what);
  }

  private one(proof: Proved): HTMLElement {
    const wrong = proof.counterexample;
    const good = proof.sound;
    const mark = good ? "✓" : proof.status === "refuted" ? "✗" : "?";
    return h("section", { class: good ? "passed" : "failed" },
      h("h3", {}, `${mark} ${proof.name}`, proof.label === proof.technique ? "" : ` (${proof.label})`),
      h("p", { class: good ? "good" : "bad" }, h("b", {}, `${proof.words}.`)),
      wrong ? h("p", {}, `Here it concludes ${wrong.concludes}, but ${wrong.holds}.`) : null,
      wrong?.names ? h("p", {}, wrong.names) : null,
      wrong ? figure(wrong.picture, `A grid in which ${proof.name} is wrong: it concludes ${wrong.concludes}`,
        h("button", { type: "button", click: () => this.page.load({ grid: wrong.grid, board: proof.board }) }, "Put this grid in")) : null,
      ...proof.repairs.map((words) => h("p", { class: "good" }, `This would make it right: ${words}`)),
      ...proof.rests_on.map((words) => h("p", { class: "quiet" }, `Based on: ${words}`)),
    );
  }
}
