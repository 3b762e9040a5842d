// The rulebook. In: its entries. Out: a dialog for searching it, reading a rule, and starting from one.

import { find, h } from "./dom.ts";
import type { Channel } from "./engine.ts";
import type { Page } from "./main.ts";
import type { Entry, Start } from "./types.ts";

const dialog = () => find<HTMLDialogElement>("book");
let built = false;

export function openBook(page: Page, engine: Channel, start: Start): void {
  if (!built) build(page, engine, start);
  dialog().showModal();
  find("book-search").focus();
}

function build(page: Page, engine: Channel, start: Start): void {
  built = true;
  const families = [...new Set(start.rules.map((rule) => rule.family))].sort();
  const family = find<HTMLSelectElement>("book-family");
  family.append(...families.map((name) => new Option(name, name)));
  const search = find<HTMLInputElement>("book-search");
  const list = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (rule: Entry) => {
      const text = [rule.id, ...rule.names, rule.about].join(" ").toLowerCase();
      return (!family.value || rule.family === family.value) && words.every((word) => text.includes(word));
    };
    const found = start.rules.filter(fits);
    find("book-count").textContent = found.length === 1 ? "One rule" : `${found.length} rules`;
    find("book-list").replaceChildren(...found.map((rule) => item(page, engine, rule)));
  };
  search.addEventListener("input", list);
  family.addEventListener("change", list);
  list();
}

function item(page: Page, engine: Channel, rule: Entry): HTMLElement {
  const open = () => void read(page, engine, rule);
  const name = rule.names[0] ?? rule.id;
  const more = rule.names.length > 1 ? `, also ${rule.names.slice(1, 4).join(", ")}` : "";
  return h("li", {},
    h("button", { type: "button", class: "match", click: open }, h("b", {}, name), h("span", { class: "quiet" }, ` ${rule.id}${more}`), h("br"), rule.about),
  );
}

async function read(page: Page, engine: Channel, rule: Entry): Promise<void> {
  const found = await engine.ask("rule", { id: rule.id });
  const load = (withGrid: boolean) => {
    page.load({ rule: found.text, ...(withGrid && found.grid ? { grid: found.grid.trim(), board: found.board } : {}) });
    dialog().close();
  };
  const out = find("book-rule");
  out.replaceChildren(
    h("h3", { tabindex: -1 }, rule.names[0] ?? rule.id),
    h("p", { class: "actions" },
      found.grid ? h("button", { type: "button", class: "main", click: () => load(true) }, "Start from it, with its example's grid") : null,
      h("button", { type: "button", click: () => load(false) }, "Start from it, keep the grid"),
    ),
    h("pre", { tabindex: 0, "aria-label": `The text of ${rule.id}` }, found.text),
    h("p", { class: "quiet" }, found.file),
  );
  (out.firstElementChild as HTMLElement).focus();
  out.scrollIntoView({ block: "nearest" });
}
