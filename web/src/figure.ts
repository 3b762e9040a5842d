// A picture in a panel. In: a drawing of the engine, a description. Out: a figure that screen readers can read.

import { h, told } from "./dom.ts";
import type { Drawn } from "./types.ts";

export function figure(drawn: Drawn, words: string, ...below: (Node | string)[]): HTMLElement {
  const picture = h("div", { class: "drawing", role: "img", "aria-label": words });
  picture.innerHTML = drawn.svg;
  const legend = drawn.legend ? told(drawn.legend, { class: "legend" }) : null;
  return h("figure", {}, picture, h("figcaption", {}, legend, ...below));
}
