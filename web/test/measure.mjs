// Figures for docs/performance.md. In: the built playground. Out: the size of the engine, and waiting times.
// `node test/measure.mjs`; set CHROMIUM and PINION to use other programs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { browse, looked, open, serve, write } from "./browser.mjs";

const dist = join(import.meta.dirname, "..", "dist");
const median = (all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)];
const spread = (all) => `${median(all).toFixed(1)} ms (${all[0].toFixed(1)} to ${all.at(-1).toFixed(1)}, ${all.length} times)`;

for (const file of ["pinion.wasm", "main.js", "worker.js", "style.css", "index.html"]) {
  const bytes = readFileSync(join(dist, file));
  console.log(`${file}: ${(bytes.length / 1e3).toFixed(0)} kB, gzipped ${(gzipSync(bytes, { level: 9 }).length / 1e3).toFixed(0)} kB`);
}

const server = await serve();
const browser = await browse();
const cold = [];
for (let time = 0; time < 7; time++) {
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await open(context, server.address);
  // From the start of the navigation, as the page's own clock says, to the frame with the first match.
  cold.push(await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now())))));
  await context.close();
}
console.log(`cold load to the first match: ${spread(cold)}`);

const context = await browser.newContext();
const page = await open(context, server.address);
await page.waitForTimeout(1500);
const keys = await page.evaluate(async () => {
  const { view, last } = window.pinion;
  const all = [];
  const line = "conclude some z in pincer1";
  const at = view.state.doc.toString().indexOf(line) + line.length;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let time = 0; time < 60; time++) {
    const begun = performance.now();
    const change = time % 2 ? { from: at - 1, insert: "1" } : { from: at - 1, to: at };
    view.dispatch({ changes: change });
    while (last() !== view.state.doc.toString()) await new Promise((done) => setTimeout(done));
    await frame();
    all.push(performance.now() - begun);
    // Leave some time before the next key, as a person would; the examples run meanwhile.
    await new Promise((done) => setTimeout(done, 120));
  }
  return all;
});
console.log(`a key to its matches on the screen: ${spread(keys)}`);

const proofs = [];
for (let time = 0; time < 5; time++) {
  await page.click("#tab-proof");
  await page.click("#proof-run");
  const took = page.locator("#proof-out > p:last-child:text-matches('^[0-9.]+ s$')");
  proofs.push(1000 * Number.parseFloat(await took.textContent()));
  await page.evaluate(() => document.getElementById("proof-out").replaceChildren());
}
console.log(`the proof of the wing, the first with the start of its worker: ${spread(proofs)}`);
await write(page, "technique a {\n  c: cell = {x, y}\n}\n");
await looked(page);
await browser.close();
server.stop();
