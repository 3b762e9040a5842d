// The playground in use: writing, breaking, asking, refuting, solving, sharing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, looked, open, serve, text, write } from "./browser.mjs";

let server, browser, context;
const errors = [];

before(async () => {
  server = await serve();
  browser = await browse();
  context = await browser.newContext({ viewport: { width: 1400, height: 900 }, permissions: ["clipboard-read", "clipboard-write"] });
});

after(async () => {
  await browser?.close();
  server?.stop();
});

const fresh = () => open(context, server.address, errors);
const settle = (page, what) => page.waitForFunction(what, null, { timeout: 15_000 });
const count = (page) => page.textContent("#badge-matches");

const WING = `technique t_wing "T-Wing" {
  pivot: cell = {x, y}
  left: cell = {x, z} sees pivot
  right: cell = {y, z} sees pivot
  conclude some z in left, right
}
`;

test("a rule that is typed finds its matches, key by key", async () => {
  const page = await fresh();
  await page.click("#editor .cm-content");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.type('technique typed "Typed" {\npivot: cell = {x, y');
  // The editor has closed the bracket; the rest of the line follows it.
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
  await looked(page);
  const written = await text(page);
  assert.match(written, /\n {2}conclude some z in left, right\n\}$/, written);
  await settle(page, () => document.querySelectorAll("#match-list button").length > 0);
  assert.ok(await page.locator("#drawing use[href='#goes']").count(), "what goes is marked in the grid");
  assert.equal(await page.locator("#shapes #goes").count(), 1, "and the page has the shape of the mark");
  await page.close();
});

test("a broken rule is told at its place, with a fix that mends it", async () => {
  const page = await fresh();
  await write(page, WING.replace("{y, z} sees pivot", "{y, z} sees pivto"));
  await settle(page, () => !document.getElementById("problems").hidden);
  assert.match(await page.textContent("#problem-list"), /Line 4.*E0202.*pivto/s);
  assert.equal(await page.locator(".cm-lintRange-error").textContent(), "pivto");
  await page.click("#problem-list .link:text('E0202')");
  await page.waitForSelector("#problem-list .about pre");
  await page.click("#problem-list button:text('Change to')");
  await looked(page);
  assert.equal(await text(page), WING);
  assert.equal(await page.locator("#problems").isHidden(), true);
  await page.close();
});

test("a wrong rule is refuted with a grid, and the grid shows it", async () => {
  const page = await fresh();
  await write(page, WING.replace("some z in", "some x in"));
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector("#proof-out .failed figure svg");
  assert.match(await page.textContent("#proof-out"), /Here it concludes r\d+c\d+(<>|=)\d/);
  await page.click("#proof-out button:text('Put this grid in')");
  await settle(page, () => document.querySelectorAll("#match-list button").length > 0);
  await write(page, WING);
  await page.click("#proof-run");
  await settle(page, () => /proved on every board/.test(document.getElementById("proof-out").textContent));
  await page.close();
});

test("pointing at a candidate says why, or why not", async () => {
  const page = await fresh();
  const point = async (row, column, digit) => {
    const box = await page.locator(`[role=row]:nth-child(${row}) [role=gridcell]:nth-child(${column})`).boundingBox();
    const [across, down] = [((digit - 1) % 3) + 0.5, Math.floor((digit - 1) / 3) + 0.5];
    await page.mouse.click(box.x + (box.width * across) / 3, box.y + (box.height * down) / 3);
  };
  await point(4, 6, 5);
  await settle(page, () => /5 in r4c6: why/.test(document.getElementById("ask-out").textContent));
  await point(9, 7, 7);
  await settle(page, () => /7 in r9c7: why not/.test(document.getElementById("ask-out").textContent));
  assert.match(await page.textContent("#ask-out"), /requirement/);
  await page.close();
});

test("a path is walked step by step", async () => {
  const page = await fresh();
  await page.click("#tab-path");
  await page.click("#path-next");
  await settle(page, () => /Step 1/.test(document.getElementById("path-out").textContent));
  assert.match(await page.textContent("#path-out"), /My XY-Wing/);
  await page.click("#path-next");
  await settle(page, () => /Step 2/.test(document.getElementById("path-out").textContent));
  await page.click("#path-use");
  await settle(page, () => /begins anew/.test(document.getElementById("path-out").textContent));
  await page.close();
});

test("examples are run, and the rulebook is there to start from", async () => {
  const page = await fresh();
  await settle(page, () => document.getElementById("badge-examples").textContent === "2/2");
  await page.click("#book-open");
  await page.fill("#book-search", "w_wing");
  await page.click("#book-list button:has-text(' w_wing')");
  await page.click("#book-rule button.main");
  await looked(page);
  assert.match(await text(page), /technique w_wing/);
  await settle(page, () => /^([1-9]\d*)\/\1$/.test(document.getElementById("badge-examples").textContent));
  assert.notEqual(await count(page), "0", "the grid of its example came with it");
  await page.close();
});

test("a grid is pasted, edited by keys, and brought back", async () => {
  const page = await fresh();
  const line = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";
  await page.click("#grid-open");
  await page.fill("#grid-text", line);
  await page.click("#grid-use");
  const label = (row, column) => page.getAttribute(`[role=row]:nth-child(${row}) [role=gridcell]:nth-child(${column})`, "aria-label");
  await settle(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label").startsWith("r1c2, candidates 1 6"));
  await page.check("input[value=candidates]");
  await page.locator("[role=gridcell]").first().focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("1");
  await settle(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label").startsWith("r1c2, candidate 6"));
  await page.keyboard.press("Shift+Digit6");
  await settle(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label") === "r1c2, 6");
  await page.keyboard.press("ControlOrMeta+Z");
  await page.keyboard.press("ControlOrMeta+Z");
  await settle(page, () => document.querySelector("[role=gridcell]:nth-child(2)").getAttribute("aria-label").startsWith("r1c2, candidates 1 6"));
  assert.equal(await label(1, 1), "r1c1, 8, given");
  await page.close();
});

test("a link opens the same state", async () => {
  const page = await fresh();
  await write(page, WING);
  await page.click("#tab-proof");
  await page.click("#share");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(link, /#1\./);
  await page.close();
  const other = await open(context, link, errors);
  assert.equal(await text(other), WING);
  assert.equal(await other.getAttribute("#tab-proof", "aria-selected"), "true");
  await other.close();
  const nonsense = await open(context, `${server.address}#1.nonsense`, errors);
  assert.match(await text(nonsense), /technique/);
  await nonsense.close();
});

test("completion offers the language's words", async () => {
  const page = await fresh();
  await write(page, "technique a {\n  c: ");
  await page.keyboard.press("End");
  await page.keyboard.type("hou");
  await page.waitForSelector(".cm-tooltip-autocomplete [aria-selected]:has-text('house')");
  // Just after it opens, the completion list ignores keys.
  await page.waitForTimeout(150);
  await page.keyboard.press("Enter");
  assert.match(await text(page), /c: house/);
  await page.close();
});

test("it works without a network", async () => {
  const own = await serve();
  const offline = await browser.newContext();
  const page = await open(offline, own.address, errors);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForFunction(async () => (await caches.keys()).length > 0 && navigator.serviceWorker.controller !== null);
  own.stop();
  await page.reload();
  await page.waitForFunction(() => Number(document.documentElement.dataset.ready) > 0);
  assert.ok(Number(await count(page)) > 0);
  await offline.close();
});

test("the help leads to a wing that is proved", async () => {
  const page = await fresh();
  const press = (name, nth = 0) => page.locator(`#panel-help button:text-is('${name}')`).nth(nth).click();
  const proof = async (wanted) => {
    await page.click("#tab-proof");
    await page.click("#proof-run");
    await page.waitForSelector(`#proof-out p:has-text('${wanted}')`);
    await page.click("#tab-help");
  };
  await page.click("#help-open");
  await press("Put this grid in");
  await press("Put this text in");
  await looked(page);
  assert.match(await page.textContent("#problem-list"), /conclude/, "what is missing is told");
  const line = await page.textContent("#help-conclude");
  const whole = (await text(page)).replace("\n}", `\n${line.trimEnd()}\n}`);
  await write(page, whole);
  assert.equal(await count(page), "1");
  assert.match(await page.textContent("#match-list"), /r4c6<>5 r89c5<>5/);
  await proof("proved on every board");
  await write(page, whole.replace("some z", "some x"));
  await proof("wrong");
  await press("Put this rule in");
  await press("Put a grid for it in");
  await looked(page);
  await settle(page, () => /r4c1<>9/.test(document.getElementById("match-list").textContent));
  await proof("proved on every board");
  await page.close();
});

test("no page had an error", () => assert.deepEqual(errors, []));
