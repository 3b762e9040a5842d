// The tab Examples. It runs the examples and near misses of the text after each change, and shows the deductions that are missing or
// unexpected.

import { debounced, find, h } from "../dom.ts";
import { Cancelled, Channel } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { ExampleResultRecord, TestRecord } from "../types.ts";

export class Examples {
  private readonly engine = new Channel();
  private readonly output = find("examples-out");
  /** The text of the last run. */
  private testedText: string | null = null;

  constructor(private readonly page: Page, private readonly setBadge: (text: string) => void) {}

  /** Runs the examples once nobody is typing. */
  readonly update = debounced(350, () => void this.run());

  private async run(): Promise<void> {
    const { text } = this.page.textAndGrid();
    if (text === this.testedText) return;
    this.testedText = text;
    try {
      this.show(await this.engine.cancelAndAsk("test", { text }));
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.setBadge("");
      this.output.replaceChildren(h("p", {}, (error as Error).message));
    }
  }

  private show({ examples, missing_tests }: TestRecord): void {
    const passed = examples.filter((example) => example.passed).length;
    this.setBadge(examples.length ? `${passed}/${examples.length}` : "");
    const explanation = h("p", { class: "quiet" },
      "An example is a grid with the conclusions that the rule must draw on it. A near miss is a grid on which the rule must find nothing.");
    const notes = missing_tests.map((sentence) => h("p", { class: "quiet" }, sentence));
    this.output.replaceChildren(examples.length ? "" : explanation, ...examples.map((example) => this.section(example)), ...notes);
  }

  private section(example: ExampleResultRecord): HTMLElement {
    const { passed, finds, missing, extra, unusable, picture } = example;
    const kind = example.near_miss ? "near miss" : "example";
    const title = example.title ? `: ${example.title}` : "";
    const success = example.near_miss ? "The rule finds nothing here, as it must." : `The rule finds ${finds.join("; ")}.`;
    const loadGrid = () => this.page.load({ grid: example.grid.trim(), board: example.board });
    return h("details", { class: passed ? "passed" : "failed", open: !passed },
      h("summary", {}, h("b", {}, passed ? "✓ passes" : "✗ fails"), ` ${kind} of ${example.label}${title}`),
      passed ? h("p", {}, success) : null,
      unusable ? h("p", { class: "bad" }, `${unusable}.`) : null,
      missing.length ? h("p", { class: "bad" }, `Listed, but not found: ${missing.join("; ")}.`) : null,
      extra.length ? h("p", { class: "bad" }, `Found, but not listed: ${extra.join("; ")}.`) : null,
      h("button", { type: "button", click: loadGrid }, "Load this grid"),
      picture ? figure(picture, `The grid of the ${kind}`) : null,
    );
  }
}
