// The tab Solve: solves the grid and shows one step at a time, with its reason and the grid before it.

import { engineHtml, find, h } from "../dom.ts";
import { Cancelled, Channel } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { PathStepRecord } from "../types.ts";

export class Path {
  private readonly engine = new Channel();
  private readonly output = find("path-out");
  private readonly ownRulesFirst = find<HTMLInputElement>("path-own");
  /** The step that is shown; null before the first step. */
  private step: PathStepRecord | null = null;
  /** The text and grid of the path, as a key to compare. */
  private key = "";

  constructor(private readonly page: Page) {
    find("path-next").addEventListener("click", () => void this.goTo(this.nextIndex()));
    find("path-back").addEventListener("click", () => void this.goTo(this.step ? this.step.at - 1 : 0));
    find("path-far").addEventListener("click", () => void this.goToNextNonSingle());
    find("path-use").addEventListener("click", () => {
      if (this.step) page.load({ grid: this.step.line, board: page.textAndGrid().board });
    });
    this.ownRulesFirst.addEventListener("change", () => void this.goTo(0));
    this.updateButtons();
  }

  /** Ends the path if the text or the grid has changed. */
  update(): void {
    if (!this.step || this.key === this.currentKey()) return;
    this.step = null;
    this.output.replaceChildren(h("p", { class: "quiet" }, "The text or the grid has changed: the path starts again from this grid."));
    this.updateButtons();
  }

  private currentKey(): string {
    const { text, grid } = this.page.textAndGrid();
    return text + grid;
  }

  private nextIndex(): number {
    return this.step ? this.step.at + 1 : 0;
  }

  /** Computes a step. Returns null if there is no answer, or if the text or the grid has changed meanwhile. */
  private async request(at: number): Promise<PathStepRecord | null> {
    this.key = this.currentKey();
    try {
      const request = { ...this.page.textAndGrid(), at: Math.max(0, at), own_first: this.ownRulesFirst.checked };
      const step = await this.engine.cancelAndAsk("step", request);
      return this.key === this.currentKey() ? step : null;
    } catch (error) {
      if (!(error instanceof Cancelled)) this.output.replaceChildren(h("p", {}, (error as Error).message));
      return null;
    }
  }

  private async goTo(at: number): Promise<void> {
    if (!this.step) this.output.replaceChildren(h("p", { class: "quiet" }, "Loading the built-in rules …"));
    const step = await this.request(at);
    if (step) this.show(step);
  }

  /** Goes to the next step that is not a single, or to the end of the path. */
  private async goToNextNonSingle(): Promise<void> {
    let step = await this.request(this.nextIndex());
    while (step?.single && !step.end) step = await this.request(step.at + 1);
    if (step) this.show(step);
  }

  private show(step: PathStepRecord): void {
    this.step = step;
    const position = h("p", { class: "quiet" }, step.end ? "The end" : `Step ${step.at + 1}`);
    const text = engineHtml(step.end ? `<p>${step.head}</p>` : step.reason);
    const picture = figure(step.picture, step.end ? "The last grid" : `The grid before step ${step.at + 1}`);
    this.output.replaceChildren(position, text, picture);
    this.updateButtons();
    this.page.announce(text.firstElementChild?.textContent ?? "");
  }

  private updateButtons(): void {
    const { step } = this;
    const setDisabled = (id: string, disabled: boolean) => {
      find<HTMLButtonElement>(id).disabled = disabled;
    };
    setDisabled("path-back", !step || step.at === 0);
    setDisabled("path-next", Boolean(step?.end));
    setDisabled("path-far", Boolean(step?.end));
    setDisabled("path-use", !step);
    find("path-next").textContent = step ? "Next step" : "First step";
  }
}
