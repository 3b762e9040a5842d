// Builds the playground into `dist/`: static files for any web server.
//
// `node build.mjs` installs the packages of package-lock.json if they are missing, compiles the engine to WebAssembly, and bundles the
// page. `--quick` compiles a slower engine in less time, for tests. `--page-only` uses the engine of the last build.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, "dist");
const read = (...path) => readFileSync(join(here, ...path), "utf8");
const run = (command, args, cwd) => execFileSync(command, args, { cwd, stdio: "inherit" });

if (!existsSync(join(here, "node_modules"))) run("npm", ["ci", "--no-audit", "--no-fund"], here);
const esbuild = await import("esbuild");
const profile = process.argv.includes("--quick") ? "quick" : "release";
if (!process.argv.includes("--page-only")) run("cargo", ["build", "--profile", profile, "--locked"], join(here, "wasm"));

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist);
const bundle = (name, options) =>
  esbuild.build({
    entryPoints: [join(here, "src", `${name}.ts`)],
    outfile: join(dist, `${name}.js`),
    bundle: true,
    minify: true,
    target: "es2022",
    legalComments: "linked",
    logLevel: "warning",
    ...options,
  });
await bundle("main", { format: "esm" });
await bundle("worker", { format: "iife" });

writeFileSync(join(dist, "index.html"), read("index.html").replace("<!--help-->", read("help.html")));
// The engine's style sheet for pictures comes first, the page's own second.
writeFileSync(join(dist, "style.css"), read("..", "src", "render", "svg", "style.css") + read("style.css"));
for (const file of ["icon.svg", "manifest.webmanifest"]) cpSync(join(here, file), join(dist, file));
cpSync(join(here, "wasm/target/wasm32-unknown-unknown", profile, "pinion_wasm.wasm"), join(dist, "pinion.wasm"));

// Every file but the service worker itself counts for the hash: a changed hash makes browsers fetch the new build.
const files = readdirSync(dist).sort();
const hash = createHash("sha256");
files.forEach((file) => hash.update(file).update(readFileSync(join(dist, file))));
// The service worker caches these names. The page has the name `./`; licence texts are not needed offline.
const names = ["./", ...files.filter((file) => file !== "index.html" && !file.endsWith(".txt"))];
const define = { FILES: JSON.stringify(names), BUILD: JSON.stringify(hash.digest("hex").slice(0, 12)) };
await bundle("sw", { format: "iife", define });

for (const file of readdirSync(dist).sort()) {
  const bytes = readFileSync(join(dist, file));
  const zipped = gzipSync(bytes, { level: 9 }).length;
  console.log(`${file.padEnd(24)} ${String(bytes.length).padStart(9)} bytes, gzipped ${String(zipped).padStart(8)}`);
}
