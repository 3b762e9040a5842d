// Creates figures: a picture of the engine with its legend.

import { engineHtml, h } from "./dom.ts";
import type { PictureRecord } from "./types.ts";

/** `description` is read aloud by screen readers. The elements of `caption` stand below the legend. */
export function figure(record: PictureRecord, description: string, ...caption: (Node | string)[]): HTMLElement {
  const picture = h("div", { class: "drawing", role: "img", "aria-label": description });
  picture.innerHTML = record.svg;
  const legend = record.legend ? engineHtml(record.legend, { class: "legend" }) : null;
  return h("figure", {}, picture, h("figcaption", {}, legend, ...caption));
}
