// Accessibility: axe on each state of the page, in light and dark, wide and narrow; use by keyboard alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { browse, open, serve, text, write } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server, browser;

before(async () => {
  server = await serve();
  browser = await browse();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

async function violations(page) {
  const found = await page.evaluate(async () => {
    const { violations } = await window.axe.run(document, { resultTypes: ["violations"] });
    return violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`);
  });
  return found;
}

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["wide", { width: 1400, height: 900 }], ["a phone", { width: 360, height: 740 }]]) {
    test(`axe finds nothing: ${colorScheme}, ${name}`, async () => {
      // The page allows only its own scripts, and axe is another one.
      const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true, reducedMotion: "reduce" });
      const page = await open(context, server.address);
      await page.addScriptTag({ content: AXE });
      const found = [];
      const look = async (state) => found.push(...(await violations(page)).map((one) => `${state}: ${one}`));
      await look("matches");
      for (const tab of ["ask", "examples", "path", "help"]) {
        await page.click(`#tab-${tab}`);
        if (tab === "path") await page.click("#path-next"), await page.waitForSelector("#path-out figure");
        await look(tab);
      }
      await write(page, (await text(page)).replace("some z", "some x"));
      await page.click("#tab-proof");
      await page.click("#proof-run");
      await page.waitForSelector("#proof-out figure");
      await look("proof");
      await write(page, "technique a {\n  c: cell = {x, y} seees d\n}\n");
      await page.waitForSelector("#problem-list .link");
      await look("problems");
      await page.click("#book-open");
      await page.click("#book-list button >> nth=3");
      await page.waitForSelector("#book-rule pre");
      await look("rulebook");
      await page.keyboard.press("Escape");
      await page.click("#grid-open");
      await look("grid as text");
      assert.deepEqual(found, []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= viewport.width, `${wide} wide`);
      await context.close();
    });
  }
}

test("everything can be reached with the keyboard", async () => {
  const context = await browser.newContext();
  const page = await open(context, server.address);
  const reached = new Set();
  for (let press = 0; press < 80; press++) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      const inside = element.closest(".cm-editor") ? "editor" : element.getAttribute("role") ?? "";
      return element.id || inside || element.className;
    });
    reached.add(at);
    // The editor uses Tab itself until Esc is pressed.
    if (at === "editor") await page.keyboard.press("Escape");
  }
  for (const wanted of ["new", "book-open", "share", "editor", "gridcell", "clear-cell", "tab-matches", "match"]) {
    assert.ok(reached.has(wanted), `${wanted} is not among ${[...reached].join(", ")}`);
  }
  await context.close();
});
