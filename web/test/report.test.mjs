// The report of `pinion report` on a phone: nothing is wider than the screen, and nothing is cut off.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { browse, PINION } from "./browser.mjs";

const EASY = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";
// Its hardest step has a long name.
const HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
const folder = mkdtempSync(join(tmpdir(), "pinion-report-"));
let browser;

before(async () => (browser = await browse()));

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Elements that overflow the window, or a box that cannot be scrolled. */
const cut = (page) =>
  page.evaluate(() => {
    const wide = document.documentElement.clientWidth;
    const shown = [...document.body.querySelectorAll("*")].filter((one) => !one.closest("svg") && one.getClientRects().length);
    const out = shown.filter((one) => one.getBoundingClientRect().right > wide + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible" && !one.matches("td, select, input"));
    return out.map((one) => `${one.tagName} ${one.id || one.className}`);
  });

for (const [name, input] of [["one", EASY], ["many", `${EASY}\n${HARD}\n`]]) {
  test(`a report of ${name} fits a phone`, async () => {
    const path = join(folder, `${name}.html`);
    execFileSync(PINION, ["report", "-", "-o", path], { input });
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`file://${path}`);
    await page.waitForLoadState();
    assert.deepEqual(await cut(page), []);
    if (name === "many") await page.click("tbody tr[tabindex]");
    await page.waitForSelector("#board svg.pinion");
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press("n");
      assert.deepEqual(await cut(page), [], `step ${step}`);
    }
    await page.close();
  });
}
