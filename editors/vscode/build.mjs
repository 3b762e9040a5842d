// Bundles the extension, and writes the licences of the packages in the bundle to `dist/NOTICE.txt`.
import { build } from 'esbuild';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const { metafile } = await build({
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  external: ['vscode'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  minify: true,
  metafile: true,
});

// `node_modules/semver` or `node_modules/@scope/name` for each bundled file.
const folders = Object.keys(metafile.inputs).flatMap(file => file.match(/^node_modules\/(?:@[^/]+\/)?[^/]+/) ?? []);
const notices = [...new Set(folders)].sort().map(folder => {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find(name => /^licen[cs]e/i.test(name));
  if (!file) throw new Error(`${name} has no licence file`);
  return `${name} ${version} (${license})\n\n${readFileSync(path.join(folder, file), 'utf8').trim()}\n`;
});
writeFileSync('dist/NOTICE.txt', `The extension includes:\n\n${notices.join(`\n${'-'.repeat(78)}\n\n`)}`);
