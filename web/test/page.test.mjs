// The playground in a browser: write a rule, mend it, prove it, ask about candidates, solve, share.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { editorText, launchBrowser, openPage, replaceText, serve, waitForSearch } from "./browser.mjs";

let server, browser, context;
const errors = [];

before(async () => {
  server = await serve();
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: { width: 1400, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
});

after(async () => {
  await browser?.close();
  server?.stop();
});

const openPlayground = () => openPage(context, server.address, errors);
const waitFor = (page, condition) => page.waitForFunction(condition, null, { timeout: 15_000 });
const matchCount = (page) => page.textContent("#badge-matches");

const WING = `technique t_wing "T-Wing" {
  pivot: cell = {x, y}
  left: cell = {x, z} sees pivot
  right: cell = {y, z} sees pivot
  conclude some z in left, right
}
`;

test("a typed rule finds its matches", async () => {
  const page = await openPlayground();
  await page.click("#editor .cm-content");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type('technique typed "Typed" {\npivot: cell = {x, y');
  // The editor has inserted the closing bracket. The rest of the line goes after it.
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await page.keyboard.type("left: cell = {x, z");
  await page.keyboard.press("End");
  await page.keyboard.type(" sees pivot");
  await page.keyboard.press("Enter");
  await page.keyboard.type("right: cell = {y, z");
  await page.keyboard.press("End");
  await page.keyboard.type(" sees pivot");
  await page.keyboard.press("Enter");
  await page.keyboard.type("conclude some z in left, right");
  await waitForSearch(page);
  const typed = await editorText(page);
  assert.match(typed, /\n {2}conclude some z in left, right\n\}$/, typed);
  await waitFor(page, () => document.querySelectorAll("#match-list button").length > 0);
  assert.ok(await page.locator("#drawing use[href='#goes']").count(), "the elimination is marked in the grid");
  assert.equal(await page.locator("#shapes #goes").count(), 1, "the page has the shape of the mark");
  await page.close();
});

test("an error is shown at its position, with a fix", async () => {
  const page = await openPlayground();
  await replaceText(page, WING.replace("{y, z} sees pivot", "{y, z} sees pivto"));
  await waitFor(page, () => !document.getElementById("problems").hidden);
  assert.match(await page.textContent("#problem-list"), /Line 4.*E0202.*pivto/s);
  assert.equal(await page.locator(".cm-lintRange-error").textContent(), "pivto");
  await page.click("#problem-list .link:text('E0202')");
  await page.waitForSelector("#problem-list .about pre");
  await page.click("#problem-list button:text('Change to')");
  await waitForSearch(page);
  assert.equal(await editorText(page), WING);
  assert.equal(await page.locator("#problems").isHidden(), true);
  await page.close();
});

test("a wrong rule is refuted on a grid on which it matches", async () => {
  const page = await openPlayground();
  await replaceText(page, WING.replace("some z in", "some x in"));
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector("#proof-out .failed figure svg");
  assert.match(await page.textContent("#proof-out"), /Here it concludes r\d+c\d+(<>|=)\d/);
  await page.click("#proof-out button:text('Load this grid')");
  await waitFor(page, () => document.querySelectorAll("#match-list button").length > 0);
  await replaceText(page, WING);
  await page.click("#proof-run");
  await waitFor(page, () => /proved on every board/.test(document.getElementById("proof-out").textContent));
  await page.close();
});

test("a click on a candidate shows why, or why not", async () => {
  const page = await openPlayground();
  const clickCandidate = async (row, column, digit) => {
    const box = await page.locator(`[role=row]:nth-child(${row}) [role=gridcell]:nth-child(${column})`).boundingBox();
    // The middle of the candidate, in units of candidates.
    const [x, y] = [((digit - 1) % 3) + 0.5, Math.floor((digit - 1) / 3) + 0.5];
    await page.mouse.click(box.x + (box.width * x) / 3, box.y + (box.height * y) / 3);
  };
  await clickCandidate(4, 6, 5);
  await waitFor(page, () => /5 in r4c6: why/.test(document.getElementById("ask-out").textContent));
  await clickCandidate(9, 7, 7);
  await waitFor(page, () => /7 in r9c7: why not/.test(document.getElementById("ask-out").textContent));
  assert.match(await page.textContent("#ask-out"), /requirement/);
  await page.close();
});

test("the tab Solve shows one step at a time", async () => {
  const page = await openPlayground();
  await page.click("#tab-path");
  await page.click("#path-next");
  await waitFor(page, () => /Step 1/.test(document.getElementById("path-out").textContent));
  assert.match(await page.textContent("#path-out"), /My XY-Wing/);
  await page.click("#path-next");
  await waitFor(page, () => /Step 2/.test(document.getElementById("path-out").textContent));
  await page.click("#path-use");
  await waitFor(page, () => /starts again/.test(document.getElementById("path-out").textContent));
  await page.close();
});

test("a built-in rule is loaded with its examples, which pass", async () => {
  const page = await openPlayground();
  await waitFor(page, () => document.getElementById("badge-examples").textContent === "2/2");
  await page.click("#book-open");
  await page.fill("#book-search", "w_wing");
  await page.click("#book-list button:has-text(' w_wing')");
  await page.click("#book-rule button.main");
  await waitForSearch(page);
  assert.match(await editorText(page), /technique w_wing/);
  await waitFor(page, () => /^([1-9]\d*)\/\1$/.test(document.getElementById("badge-examples").textContent));
  assert.notEqual(await matchCount(page), "0", "the grid of its example is loaded");
  await page.close();
});

test("a pasted grid is edited with keys, and undo restores it", async () => {
  const page = await openPlayground();
  const line = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";
  await page.click("#grid-open");
  await page.fill("#grid-text", line);
  await page.click("#grid-use");
  const label = (row, column) => page.getAttribute(`[role=row]:nth-child(${row}) [role=gridcell]:nth-child(${column})`, "aria-label");
  await waitFor(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label").startsWith("r1c2, candidates 1 6"));
  await page.check("input[value=candidates]");
  await page.locator("[role=gridcell]").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("1");
  await waitFor(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label").startsWith("r1c2, candidate 6"));
  await page.keyboard.press("Shift+Digit6");
  await waitFor(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label") === "r1c2, 6");
  await page.keyboard.press("ControlOrMeta+Z");
  await page.keyboard.press("ControlOrMeta+Z");
  await waitFor(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label").startsWith("r1c2, candidates 1 6"));
  assert.equal(await label(1, 1), "r1c1, 8, given");
  await page.close();
});

test("a link opens the same state, and a malformed link the first rule", async () => {
  const page = await openPlayground();
  await replaceText(page, WING);
  await page.click("#tab-proof");
  await page.click("#share");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#1\./);
  await page.close();
  const linked = await openPage(context, link, errors);
  assert.equal(await editorText(linked), WING);
  assert.equal(await linked.getAttribute("#tab-proof", "aria-selected"), "true");
  await linked.close();
  const malformed = await openPage(context, `${server.address}#1.nonsense`, errors);
  assert.match(await editorText(malformed), /technique my_xy_wing/);
  await malformed.close();
});

test("completion offers words of the language", async () => {
  const page = await openPlayground();
  await replaceText(page, "technique a {\n  c: ");
  await page.keyboard.press("End");
  await page.keyboard.type("hou");
  await page.waitForSelector(".cm-tooltip-autocomplete [aria-selected]:has-text('house')");
  // The completion list ignores keys for a moment after it opens.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  assert.match(await editorText(page), /c: house/);
  await page.close();
});

test("the page works offline", async () => {
  // This test stops its server, so it has one of its own.
  const ownServer = await serve();
  const offline = await browser.newContext();
  const page = await openPage(offline, ownServer.address, errors);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller !== null);
  ownServer.stop();
  await page.reload();
  await page.waitForFunction(() => Number(document.documentElement.dataset.ready) > 0);
  assert.ok(Number(await matchCount(page)) > 0);
  await offline.close();
});

test("the steps of the help lead to wings that are proved", async () => {
  const page = await openPlayground();
  const press = (name) => page.click(`#panel-help button:text-is('${name}')`);
  const prove = async (verdict) => {
    await page.click("#tab-proof");
    await page.click("#proof-run");
    await page.waitForSelector(`#proof-out p:has-text('${verdict}')`);
    await page.click("#tab-help");
  };
  await page.click("#help-open");
  await press("Load this grid");
  await press("Load this text");
  await waitForSearch(page);
  assert.match(await page.textContent("#problem-list"), /conclude/, "the missing conclusion is reported");
  const line = await page.textContent("#help-conclude");
  const completeRule = (await editorText(page)).replace("\n}", `\n${line.trimEnd()}\n}`);
  await replaceText(page, completeRule);
  assert.equal(await matchCount(page), "1");
  assert.match(await page.textContent("#match-list"), /r4c6<>5 r89c5<>5/);
  await prove("proved on every board");
  await replaceText(page, completeRule.replace("some z", "some x"));
  await prove("wrong");
  await press("Load this rule");
  await press("Load a grid with a W-Wing");
  await waitForSearch(page);
  await waitFor(page, () => /r4c1<>9/.test(document.getElementById("match-list").textContent));
  await prove("proved on every board");
  await page.close();
});

test("no page had an error", () => assert.deepEqual(errors, []));
