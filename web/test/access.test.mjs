// Accessibility: the checker axe finds nothing in any state of the page, and the keyboard reaches every control.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { editorText, launchBrowser, openPage, replaceText, serve } from "./browser.mjs";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
let server, browser;

before(async () => {
  server = await serve();
  browser = await launchBrowser();
});

after(async () => {
  await browser?.close();
  server?.stop();
});

/** Returns a line for each violation: its name and the first three elements. */
const violations = (page) =>
  page.evaluate(async () => {
    const result = await window.axe.run(document, { resultTypes: ["violations"] });
    const elements = ({ nodes }) => nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ");
    return result.violations.map((violation) => `${violation.id}: ${elements(violation)}`);
  });

for (const colorScheme of ["light", "dark"]) {
  for (const [name, viewport] of [["wide", { width: 1400, height: 900 }], ["a phone", { width: 360, height: 740 }]]) {
    test(`axe finds nothing: ${colorScheme}, ${name}`, async () => {
      // The content security policy of the page allows no other scripts, and axe is one.
      const context = await browser.newContext({ colorScheme, viewport, bypassCSP: true, reducedMotion: "reduce" });
      const page = await openPage(context, server.address);
      await page.addScriptTag({ content: AXE });
      const found = [];
      const check = async (state) => found.push(...(await violations(page)).map((line) => `${state}: ${line}`));
      await check("matches");
      for (const tab of ["ask", "examples", "path", "help"]) {
        await page.click(`#tab-${tab}`);
        if (tab === "path") {
          await page.click("#path-next");
          await page.waitForSelector("#path-out figure");
        }
        await check(tab);
      }
      await replaceText(page, (await editorText(page)).replace("some z", "some x"));
      await page.click("#tab-proof");
      await page.click("#proof-run");
      await page.waitForSelector("#proof-out figure");
      await check("proof");
      await replaceText(page, "technique a {\n  c: cell = {x, y} seees d\n}\n");
      await page.waitForSelector("#problem-list .link");
      await check("problems");
      await page.click("#book-open");
      await page.click("#book-list button >> nth=3");
      await page.waitForSelector("#book-rule pre");
      await check("rulebook");
      await page.keyboard.press("Escape");
      await page.click("#grid-open");
      await check("grid as text");
      assert.deepEqual(found, []);
      const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(pageWidth <= viewport.width, `the page has ${pageWidth} pixels`);
      await context.close();
    });
  }
}

test("Tab reaches every control", async () => {
  const context = await browser.newContext();
  const page = await openPage(context, server.address);
  const reached = new Set();
  for (let press = 0; press < 80; press++) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const element = document.activeElement;
      if (element.closest(".cm-editor")) return "editor";
      return element.id || element.getAttribute("role") || element.className;
    });
    reached.add(name);
    // In the editor, Tab indents unless Esc was pressed before.
    if (name === "editor") await page.keyboard.press("Escape");
  }
  for (const wanted of ["new", "book-open", "share", "editor", "gridcell", "clear-cell", "tab-matches", "match"]) {
    assert.ok(reached.has(wanted), `${wanted} is not among ${[...reached].join(", ")}`);
  }
  await context.close();
});
