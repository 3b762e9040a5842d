// The TextMate grammar, which colours rule files in VS Code: every word of every built-in rule has a scope of its own, and none is marked
// as an error.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import onig from 'vscode-oniguruma';
import textmate from 'vscode-textmate';

const here = import.meta.dirname;
const root = path.join(here, '../../..');
const require = createRequire(import.meta.url);

const wasm = readFileSync(path.join(path.dirname(require.resolve('vscode-oniguruma')), 'onig.wasm'));
const onigLib = onig.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength)).then(() => ({
  createOnigScanner: patterns => new onig.OnigScanner(patterns),
  createOnigString: text => new onig.OnigString(text),
}));
const registry = new textmate.Registry({
  onigLib,
  loadGrammar: async scope => {
    if (scope !== 'source.pinion') return null;
    const file = path.join(here, '../syntaxes/pinion.tmLanguage.json');
    return textmate.parseRawGrammar(readFileSync(file, 'utf8'), file);
  },
});
const grammar = await registry.loadGrammar('source.pinion');

function ruleFiles(folder) {
  return readdirSync(path.join(root, folder), { recursive: true })
    .filter(name => name.endsWith('.pinion'))
    .map(name => path.join(folder, name));
}

/** Yields every token of a text except white space. */
function* tokens(text) {
  let stack = textmate.INITIAL;
  for (const [index, line] of text.split('\n').entries()) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const word = line.slice(startIndex, endIndex);
      if (word.trim()) yield { line: index + 1, word, scopes };
    }
  }
}

test('every token of every built-in rule has a scope', () => {
  const files = ruleFiles('rules');
  assert.ok(files.length > 50, `${files.length} rule files`);
  const uncoloured = [];
  for (const file of files) {
    for (const { line, word, scopes } of tokens(readFileSync(path.join(root, file), 'utf8'))) {
      // The first scope is that of the whole file. A last scope `meta.…` belongs to a sentence or block around the token.
      const hasScope = scopes.length > 1 && !scopes.at(-1).startsWith('meta.');
      const isInvalid = scopes.some(scope => scope.startsWith('invalid'));
      if (!hasScope || isInvalid) uncoloured.push(`${file}:${line}: ${JSON.stringify(word)} ${scopes.join(' ')}`);
    }
  }
  assert.deepEqual(uncoloured, []);
});

test('keywords, kinds and relations have different scopes', () => {
  const text = readFileSync(path.join(root, 'rules/wings/xyz_wing.pinion'), 'utf8');
  const scopes = new Map([...tokens(text)].map(({ word, scopes }) => [word.trim(), scopes.at(-1)]));
  assert.equal(scopes.get('technique'), 'keyword.declaration.pinion');
  assert.equal(scopes.get('cell'), 'storage.type.pinion');
  assert.equal(scopes.get('conclude'), 'keyword.control.pinion');
  assert.equal(scopes.get('sees'), 'keyword.other.pinion');
});
