// The packed extension contains the files it names, and no others.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { before, test } from 'node:test';

const home = path.join(import.meta.dirname, '..');
const require = createRequire(import.meta.url);
const manifest = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
let files;

before(() => {
  execFileSync('npm', ['run', '--silent', 'package'], { cwd: home, stdio: ['ignore', 'ignore', 'inherit'] });
  files = execFileSync('unzip', ['-Z1', path.join(home, 'dist/pinion.vsix')], { encoding: 'utf8' }).trim().split('\n');
});

test('everything that the manifest names is in the package', () => {
  const { languages, grammars, snippets } = manifest.contributes;
  const named = [
    manifest.main,
    'dist/NOTICE.txt',
    ...languages.map(one => one.configuration),
    ...grammars.map(one => one.path),
    ...snippets.map(one => one.path),
  ];
  for (const file of named) assert.ok(files.includes(path.posix.join('extension', file)), `${file} of ${files}`);
});

test('the package is the program without its sources and tests', () => {
  const stray = files.filter(file => /\/(src|test|node_modules)\//.test(file) || file.endsWith('.ts'));
  assert.deepEqual(stray, []);
});

test('every command that is declared is registered', () => {
  const program = readFileSync(path.join(home, 'dist/extension.js'), 'utf8');
  for (const { command } of manifest.contributes.commands) assert.ok(program.includes(`"${command}"`), command);
});

test('a page shows what it is told and runs none of it', () => {
  const { build } = require('esbuild');
  return build({
    entryPoints: [path.join(home, 'src/page.ts')], bundle: true, write: false, format: 'cjs', platform: 'node',
  }).then(({ outputFiles }) => {
    const module = { exports: {} };
    new Function('module', 'exports', outputFiles[0].text)(module, module.exports);
    const html = module.exports.page({
      summary: '<script>', good: true, pictures: [{ title: 'a & b', text: 'x < y', svg: '<svg onload="1"/>' }],
    });
    assert.ok(html.includes('&lt;script&gt;') && html.includes('a &amp; b') && html.includes('x &lt; y'));
    assert.ok(!html.includes('<svg') && html.includes('src="data:image/svg+xml;base64,'));
  });
});
