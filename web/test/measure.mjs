// Measures the size of the built playground and its waiting times, for docs/performance.md: `node test/measure.mjs`. The variables CHROMIUM and
// PINION select other programs.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { launchBrowser, openPage, serve } from "./browser.mjs";

const dist = join(import.meta.dirname, "..", "dist");

/** Describes times in milliseconds by their median, minimum and maximum. */
function describeTimes(times) {
  const sorted = times.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  return `${median.toFixed(1)} ms (${sorted[0].toFixed(1)} to ${sorted.at(-1).toFixed(1)}, ${sorted.length} times)`;
}

const kilobytes = (length) => `${(length / 1e3).toFixed(0)} kB`;

for (const file of ["pinion.wasm", "main.js", "worker.js", "style.css", "index.html"]) {
  const bytes = readFileSync(join(dist, file));
  console.log(`${file}: ${kilobytes(bytes.length)}, gzipped ${kilobytes(gzipSync(bytes, { level: 9 }).length)}`);
}

const server = await serve();
const browser = await launchBrowser();

const loads = [];
for (let run = 0; run < 7; run++) {
  // Without a service worker no run finds files in a cache.
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await openPage(context, server.address);
  // `performance.now()` is the time since the start of the navigation. The next frame shows the first match.
  loads.push(await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => resolve(performance.now())))));
  await context.close();
}
console.log(`cold load to the first match: ${describeTimes(loads)}`);

const context = await browser.newContext();
const page = await openPage(context, server.address);
await page.waitForTimeout(1500);
const keystrokes = await page.evaluate(async () => {
  const { view, searchedText } = window.pinion;
  const times = [];
  const line = "conclude some z in pincer1";
  const lineEnd = view.state.doc.toString().indexOf(line) + line.length;
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  for (let run = 0; run < 60; run++) {
    const start = performance.now();
    // The last character, `1`, is deleted and inserted in turn.
    const changes = run % 2 ? { from: lineEnd - 1, insert: "1" } : { from: lineEnd - 1, to: lineEnd };
    view.dispatch({ changes });
    while (searchedText() !== view.state.doc.toString()) await pause(0);
    await nextFrame();
    times.push(performance.now() - start);
    // A person pauses between two keys; the examples run meanwhile.
    await pause(120);
  }
  return times;
});
console.log(`a key to its matches on the screen: ${describeTimes(keystrokes)}`);

const proofs = [];
for (let run = 0; run < 5; run++) {
  await page.click("#tab-proof");
  await page.click("#proof-run");
  const duration = page.locator("#proof-out > p:last-child:text-matches('^[0-9.]+ s$')");
  proofs.push(1000 * Number.parseFloat(await duration.textContent()));
  await page.evaluate(() => document.getElementById("proof-out").replaceChildren());
}
console.log(`the proof of the wing, the first with the start of its worker: ${describeTimes(proofs)}`);
await browser.close();
server.stop();
