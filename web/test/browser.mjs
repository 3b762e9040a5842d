// A browser on the playground. In: nothing. Out: pages of the built playground, served by `pinion play`.

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
export const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const PINION = process.env.PINION ?? join(root, "target", "debug", "pinion");

/** Serves the playground. Returns its address and a function that stops it. */
export async function serve(port = 0) {
  const server = spawn(PINION, ["play", "--port", String(port), "--folder", join(root, "web", "dist")], { stdio: ["ignore", "pipe", "inherit"] });
  const failed = new Promise((_, reject) => server.once("error", reject));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const first = await Promise.race([lines.next(), failed]);
  const address = /http:\S+/.exec(first.value ?? "")?.[0];
  if (!address) throw new Error(`${PINION} play does not say where it is`);
  return { address, stop: () => server.kill() };
}

export const browse = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });

/** Opens the page and waits for the first matches. Errors of the page are errors of the test. */
export async function open(context, address, errors = []) {
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => Number(document.documentElement.dataset.ready) > 0);
  return page;
}

/** The text of the editor. */
export const text = (page) => page.evaluate(() => window.pinion.view.state.doc.toString());

/** Waits until the engine has searched with the current text of the editor. */
export const looked = (page) =>
  page.waitForFunction(() => window.pinion.last() === window.pinion.view.state.doc.toString());

/** Pastes a text into the editor. */
export async function write(page, rule) {
  await page.click("#editor .cm-content");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(rule);
  await looked(page);
}
