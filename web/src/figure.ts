// A picture in a panel. In: what the engine drew, words. Out: a figure that a screen reader can read.

import { h, told } from "./dom.ts";
import type { Drawn } from "./types.ts";

export function figure(drawn: Drawn, words: string, ...below: (Node | string)[]): HTMLElement {
  const picture = h("div", { class: "drawing", role: "img", "aria-label": words });
  picture.innerHTML = drawn.svg;
  const legend = drawn.legend ? told(drawn.legend, { class: "legend" }) : null;
  return h("figure", {}, picture, h("figcaption", {}, legend, ...below));
}
