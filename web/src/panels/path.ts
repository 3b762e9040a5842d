// A path step by step. In: the grid. Out: one step at a time, with its reason, in its grid.

import { find, h, told } from "../dom.ts";
import { Channel, Superseded } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { Step } from "../types.ts";

export class Path {
  private readonly engine = new Channel();
  private readonly out = find("path-out");
  private readonly own = find<HTMLInputElement>("path-own");
  private step: Step | null = null;
  private known = "";

  constructor(private readonly page: Page) {
    find("path-next").addEventListener("click", () => void this.go(this.step ? this.step.at + 1 : 0));
    find("path-back").addEventListener("click", () => void this.go(this.step ? this.step.at - 1 : 0));
    find("path-far").addEventListener("click", () => void this.far());
    find("path-use").addEventListener("click", () => this.step && page.load({ grid: this.step.line, board: page.asked().board }));
    this.own.addEventListener("change", () => void this.go(0));
    this.buttons();
  }

  /** Restarts the path after a change of the text or the grid. */
  changed(): void {
    const { text, grid } = this.page.asked();
    if (this.step && this.known !== text + grid) {
      this.step = null;
      this.out.replaceChildren(h("p", { class: "quiet" }, "The text or the grid has changed: the path begins anew."));
      this.buttons();
    }
  }

  private async ask(at: number): Promise<Step | null> {
    const asked = this.page.asked();
    this.known = asked.text + asked.grid;
    try {
      const found = await this.engine.askOnly("step", { ...asked, at: Math.max(0, at), own_first: this.own.checked });
      return this.known === this.page.asked().text + this.page.asked().grid ? found : null;
    } catch (error) {
      if (!(error instanceof Superseded)) this.out.replaceChildren(h("p", {}, (error as Error).message));
      return null;
    }
  }

  private async go(at: number): Promise<void> {
    if (!this.step) this.out.replaceChildren(h("p", { class: "quiet" }, "Reading the rulebook …"));
    const found = await this.ask(at);
    if (found) this.show(found);
  }

  /** Goes to the next step that is not a single. */
  private async far(): Promise<void> {
    for (let at = this.step ? this.step.at + 1 : 0; ; at++) {
      const found = await this.ask(at);
      if (!found) return;
      if (!found.single || found.end) return this.show(found);
    }
  }

  private show(step: Step): void {
    this.step = step;
    const number = h("p", { class: "quiet" }, step.end ? "The end" : `Step ${step.at + 1}`);
    const head = step.end ? told(`<p>${step.head}</p>`) : told(step.told);
    this.out.replaceChildren(number, head, figure(step.picture, step.end ? "The last position" : `The grid before step ${step.at + 1}`));
    this.buttons();
    this.page.say(head.firstElementChild?.textContent ?? "");
  }

  private buttons(): void {
    const { step } = this;
    const off = (id: string, disabled: boolean) => void (find<HTMLButtonElement>(id).disabled = disabled);
    off("path-back", !step || step.at === 0);
    off("path-next", Boolean(step?.end));
    off("path-far", Boolean(step?.end));
    off("path-use", !step);
    find("path-next").textContent = step ? "Next step" : "First step";
  }
}
