// The page of `pinion report` on a phone: nothing is wider than the screen, and nothing is cut off.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launchBrowser, PINION } from "./browser.mjs";

const EASY = "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4";
// Its hardest step has a long name.
const HARD = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..";
const folder = mkdtempSync(join(tmpdir(), "pinion-report-"));
let browser;

before(async () => (browser = await launchBrowser()));

after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

/** Returns the elements that are wider than the window, or have contents that are cut off and cannot be seen by scrolling. */
const overflowingElements = (page) =>
  page.evaluate(() => {
    const windowWidth = document.documentElement.clientWidth;
    const isShown = (element) => !element.closest("svg") && element.getClientRects().length > 0;
    // Lengths are rounded, so a difference of one pixel does not count.
    const exceedsWindow = (element) => element.getBoundingClientRect().right > windowWidth + 1;
    const cutsContents = (element) =>
      element.scrollWidth > element.clientWidth + 1 && getComputedStyle(element).overflowX !== "visible" && !element.matches("td, select, input");
    return [...document.body.querySelectorAll("*")]
      .filter((element) => isShown(element) && (exceedsWindow(element) || cutsContents(element)))
      .map((element) => `${element.tagName} ${element.id || element.className}`);
  });

for (const [name, input] of [["one puzzle", EASY], ["two puzzles", `${EASY}\n${HARD}\n`]]) {
  test(`a report of ${name} fits a phone`, async () => {
    const path = join(folder, `${name}.html`);
    execFileSync(PINION, ["report", "-", "-o", path], { input });
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } });
    await page.goto(`file://${path}`);
    await page.waitForLoadState();
    assert.deepEqual(await overflowingElements(page), []);
    // The report of several puzzles begins with a list of them.
    if (input !== EASY) await page.click("tbody tr[tabindex]");
    await page.waitForSelector("#board svg.pinion");
    for (let step = 0; step < 4; step++) {
      await page.keyboard.press("n");
      assert.deepEqual(await overflowingElements(page), [], `step ${step}`);
    }
    await page.close();
  });
}
