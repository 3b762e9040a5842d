// The examples and near misses of the text, run after each change. In: the text. Out: which pass, and for the others the matches found instead.

import { find, h, settled } from "../dom.ts";
import { Channel, Superseded } from "../engine.ts";
import { figure } from "../figure.ts";
import type { Page } from "../main.ts";
import type { ExampleRecord, Tested } from "../types.ts";

export class Examples {
  private readonly engine = new Channel();
  private readonly out = find("examples-out");
  readonly changed = settled(350, () => void this.run());
  private known: string | null = null;

  constructor(private readonly page: Page, private readonly badge: (words: string) => void) {}

  private async run(): Promise<void> {
    const { text } = this.page.asked();
    if (text === this.known) return;
    this.known = text;
    try {
      this.show(await this.engine.askOnly("test", { text }));
    } catch (error) {
      if (error instanceof Superseded) return;
      this.badge("");
      this.out.replaceChildren(h("p", {}, (error as Error).message));
    }
  }

  private show({ examples, without }: Tested): void {
    const passed = examples.filter((one) => one.passed).length;
    this.badge(examples.length ? `${passed}/${examples.length}` : "");
    const none = h("p", { class: "quiet" }, "An example is a grid with the matches that the rule must find in it; in a near miss it must find nothing.");
    const notes = without.map((words) => h("p", { class: "quiet" }, words));
    this.out.replaceChildren(examples.length ? "" : none, ...examples.map((one) => this.one(one)), ...notes);
  }

  private one(example: ExampleRecord): HTMLElement {
    const kind = example.near_miss ? "near miss" : "example";
    const use = () => this.page.load({ grid: example.grid.trim(), board: example.board });
    const wanted = example.near_miss ? "Finds nothing here, as it must." : `Finds ${example.finds.join("; ")}.`;
    const list = (head: string, all: string[]) => (all.length ? h("p", { class: "bad" }, `${head}: ${all.join("; ")}.`) : null);
    return h("details", { class: example.passed ? "passed" : "failed", open: !example.passed },
      h("summary", {}, h("b", {}, example.passed ? "✓ holds" : "✗ fails"), ` ${kind} of ${example.label}${example.title ? `: ${example.title}` : ""}`),
      example.passed ? h("p", {}, wanted) : null,
      example.unusable ? h("p", { class: "bad" }, `${example.unusable}.`) : null,
      list("Listed and not found", example.missing),
      list("Found and not listed", example.extra),
      h("button", { type: "button", click: use }, "Put this grid in"),
      example.picture ? figure(example.picture, `The grid of the ${kind}`) : null,
    );
  }
}
