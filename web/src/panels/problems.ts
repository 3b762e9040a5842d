// The list of errors and warnings below the editor. Each has its line, a hint, a fix if there is one, and an explanation of its code.

import { find, h } from "../dom.ts";
import type { Channel } from "../engine.ts";
import type { Page } from "../main.ts";
import type { TextDiagnostic } from "../types.ts";

export class Problems {
  /** The findings that are shown, as a key to compare. */
  private shownKey = "";

  constructor(private readonly page: Page, private readonly engine: Channel) {}

  /** Updates the list. An unchanged list is not replaced, so that open explanations stay open. */
  show(findings: TextDiagnostic[]): void {
    const key = JSON.stringify(findings);
    if (key === this.shownKey) return;
    this.shownKey = key;
    find("problems").hidden = !findings.length;
    find("problem-list").replaceChildren(...findings.map((finding) => this.listItem(finding)));
  }

  private listItem(finding: TextDiagnostic): HTMLElement {
    const { code, fix, help, label, message } = finding;
    const explanation = h("div", { class: "about", hidden: true });
    const codeButton = h("button", { type: "button", class: "link", "aria-expanded": false }, code);
    codeButton.addEventListener("click", () => void this.toggleExplanation(code, explanation, codeButton));
    return h("li", { class: finding.error ? "error" : "warning" },
      h("p", {},
        this.link(`Line ${finding.line}`, finding.from, finding.to),
        h("span", {}, ` ${finding.error ? "Error" : "Warning"} `),
        codeButton,
        `: ${message}`,
      ),
      label ? h("p", { class: "label" }, label) : null,
      ...finding.more.map(([from, to, text]) => h("p", {}, this.link("See", from, to), ` ${text}`)),
      help ? h("p", { class: "help" }, help) : null,
      fix ? h("button", { type: "button", click: () => this.page.applyFix(finding) }, `Change to ${fix}`) : null,
      explanation,
    );
  }

  /** Creates a button that selects a range of the text. */
  private link(text: string, from: number, to: number): HTMLElement {
    return h("button", { type: "button", class: "link", click: () => this.page.select(from, to) }, text);
  }

  private async toggleExplanation(code: string, explanation: HTMLElement, button: HTMLElement): Promise<void> {
    explanation.hidden = !explanation.hidden;
    button.setAttribute("aria-expanded", String(!explanation.hidden));
    const isLoaded = explanation.childElementCount > 0;
    if (explanation.hidden || isLoaded) return;
    const { text, bad, good } = await this.engine.ask("explain", { code });
    explanation.append(
      h("p", {}, text.replaceAll("`", "")),
      h("p", {}, "Wrong:"), h("pre", { tabindex: 0 }, bad.trim()),
      h("p", {}, "Right:"), h("pre", { tabindex: 0 }, good.trim()),
    );
  }
}
