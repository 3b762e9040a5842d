// Errors and warnings. In: findings. Out: a list below the editor, with line, help and a fix.

import { find, h } from "../dom.ts";
import type { Channel } from "../engine.ts";
import type { Page } from "../main.ts";
import type { Finding } from "../types.ts";

export class Problems {
  private known = "";

  constructor(private readonly page: Page, private readonly engine: Channel) {}

  show(findings: Finding[]): void {
    const now = JSON.stringify(findings);
    if (now === this.known) return;
    this.known = now;
    find("problems").hidden = !findings.length;
    find("problem-list").replaceChildren(...findings.map((one) => this.one(one)));
  }

  private one(found: Finding): HTMLElement {
    const about = h("div", { class: "about", hidden: true });
    const fix = found.fix;
    return h("li", { class: found.error ? "error" : "warning" },
      h("p", {},
        h("button", { type: "button", class: "link", click: () => this.page.goTo(found.from, found.to) }, `Line ${found.line}`),
        h("span", {}, ` ${found.error ? "Error" : "Warning"} `),
        h("button", { type: "button", class: "link", "aria-expanded": false, click: (event) => void this.explain(found.code, about, event) }, found.code),
        `: ${found.message}`,
      ),
      found.label ? h("p", { class: "label" }, found.label) : null,
      ...found.more.map(([from, to, words]) =>
        h("p", {}, h("button", { type: "button", class: "link", click: () => this.page.goTo(from, to) }, "See"), ` ${words}`),
      ),
      found.help ? h("p", { class: "help" }, found.help) : null,
      fix ? h("button", { type: "button", click: () => this.page.replace(found.from, found.to, fix) }, `Change to ${fix}`) : null,
      about,
    );
  }

  private async explain(code: string, about: HTMLElement, event: Event): Promise<void> {
    (event.currentTarget as HTMLElement).setAttribute("aria-expanded", String(about.hidden));
    about.hidden = !about.hidden;
    if (about.hidden || about.childElementCount) return;
    const found = await this.engine.ask("explain", { code });
    about.append(
      h("p", {}, found.text.replaceAll("`", "")),
      h("p", {}, "Wrong:"), h("pre", { tabindex: 0 }, found.bad.trim()),
      h("p", {}, "Right:"), h("pre", { tabindex: 0 }, found.good.trim()),
    );
  }
}
