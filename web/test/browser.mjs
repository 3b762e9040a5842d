// Helpers of the browser tests: a server, a browser, and the operations that several tests use.

import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
export const PINION = process.env.PINION ?? join(root, "target", "debug", "pinion");

/** Serves the built playground with `pinion play`. Returns its address and a function that stops it. */
export async function serve() {
  const server = spawn(PINION, ["play", "--port", "0", "--folder", join(root, "web", "dist")], { stdio: ["ignore", "pipe", "inherit"] });
  const startFailure = new Promise((_, reject) => server.once("error", reject));
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const firstLine = await Promise.race([lines.next(), startFailure]);
  const address = /http:\S+/.exec(firstLine.value ?? "")?.[0];
  if (!address) throw new Error(`${PINION} play does not print its address`);
  return { address, stop: () => server.kill() };
}

export const launchBrowser = () => chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });

/** Opens the page and waits for the first matches. Errors of the page are added to `errors`. */
export async function openPage(context, address, errors = []) {
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.goto(address);
  await page.waitForFunction(() => Number(document.documentElement.dataset.ready) > 0);
  return page;
}

/** Returns the text of the editor. */
export const editorText = (page) => page.evaluate(() => window.pinion.view.state.doc.toString());

/** Waits until the engine has searched with the current text of the editor. */
export const waitForSearch = (page) =>
  page.waitForFunction(() => window.pinion.searchedText() === window.pinion.view.state.doc.toString());

/** Replaces the text of the editor, as a paste does, and waits for the search. */
export async function replaceText(page, rule) {
  await page.click("#editor .cm-content");
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(rule);
  await waitForSearch(page);
}
