// The packed extension: its files, its commands, and the page with the results of commands.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { before, test } from 'node:test';
import { build } from 'esbuild';

const home = path.join(import.meta.dirname, '..');
const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
let files;

before(() => {
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  files = execFileSync('unzip', ['-Z1', path.join(home, 'dist/pinion.vsix')], { encoding: 'utf8' }).trim().split('\n');
});

test('the package has every file that the manifest names', () => {
  const { languages, grammars, snippets } = manifest.contributes;
  const namedFiles = [
    manifest.main,
    'dist/NOTICE.txt',
    ...languages.map(language => language.configuration),
    ...grammars.map(grammar => grammar.path),
    ...snippets.map(snippet => snippet.path),
  ];
  for (const file of namedFiles) assert.ok(files.includes(path.posix.join('extension', file)), `${file} of ${files}`);
});

test('the package has no sources and no tests', () => {
  const stray = files.filter(file => /\/(src|test|node_modules)\//.test(file) || file.endsWith('.ts'));
  assert.deepEqual(stray, []);
});

test('every command that is declared is registered', () => {
  const program = readFileSync(path.join(home, 'dist/extension.js'), 'utf8');
  for (const { command } of manifest.contributes.commands) assert.ok(program.includes(`"${command}"`), command);
});

test('the page of an outcome escapes its texts and embeds its drawing as an image', async () => {
  const { outputFiles } = await build({
    entryPoints: [path.join(home, 'src/page.ts')], bundle: true, write: false, format: 'cjs', platform: 'node',
  });
  const module = { exports: {} };
  new Function('module', 'exports', outputFiles[0].text)(module, module.exports);
  const html = module.exports.outcomePage({
    summary: '<script>', good: true, pictures: [{ title: 'a & b', text: 'x < y', svg: '<svg onload="1"/>' }],
  });
  assert.ok(html.includes('&lt;script&gt;') && html.includes('a &amp; b') && html.includes('x &lt; y'));
  assert.ok(!html.includes('<svg') && html.includes('src="data:image/svg+xml;base64,'));
});
