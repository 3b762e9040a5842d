// The server, with VS Code's client library.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { program, root, skip } from './program.mjs';

const require = createRequire(import.meta.url);
const rpc = require('vscode-languageserver-protocol/node');

const RULE = `/// A pair.
technique my_pair(n: 2..) "My Pair" {
  h: house
  s: cells[n] in h
  let D = digits(s)
  require #D = n
  eliminate D from h - s
  because "{s} hold {D}"
}

example my_pair(2) "two cells" {
  grid """
    12   12   1234 1234
    1234 1234 1234 1234
    1234 1234 1234 1234
    1234 1234 1234 1234
  """
  finds r1c34<>12
  finds r2c12<>12
}
`;

let folder, server, client, capabilities, diagnostics;

/** Waits for the findings of a file, sent after `change`. */
async function found(uri, change) {
  const next = new Promise(resolve => diagnostics.set(uri, resolve));
  await change();
  return next;
}

const uriOf = name => pathToFileURL(path.join(folder, name)).toString();
const at = (uri, line, character) => ({ textDocument: { uri }, position: { line, character } });
const open = (uri, text, languageId = 'pinion') =>
  found(uri, () => client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } }));
const change = (uri, text, version) => found(uri, () =>
  client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] }));

before(async () => {
  if (skip) return;
  folder = mkdtempSync(path.join(tmpdir(), 'pinion-'));
  writeFileSync(path.join(folder, 'mine.pinion'), RULE);
  mkdirSync(path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'node_modules', 'theirs.pinion'), 'technique not_mine {\n}\n');
  server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, XDG_CACHE_HOME: folder } });
  client = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  diagnostics = new Map();
  client.onNotification('textDocument/publishDiagnostics', ({ uri, diagnostics: list }) => {
    const wait = diagnostics.get(uri);
    diagnostics.delete(uri);
    wait?.(list);
  });
  client.listen();
  const begun = await client.sendRequest('initialize', {
    processId: process.pid,
    capabilities: {},
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).toString(), name: 'rules' }],
    initializationOptions: { pictures: true, outcomes: true },
  });
  capabilities = begun.capabilities;
  await client.sendNotification('initialized', {});
});

after(async () => {
  if (skip) return;
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  const code = await new Promise(resolve => server.on('exit', resolve));
  client.dispose();
  rmSync(folder, { recursive: true });
  assert.equal(code, 0);
});

test('it says what it can do', { skip }, () => {
  assert.ok(capabilities.hoverProvider && capabilities.codeLensProvider && capabilities.inlayHintProvider);
  assert.deepEqual(capabilities.executeCommandProvider.commands.length, 4);
});

test('findings come with fixes', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  assert.deepEqual(await open(uri, RULE), []);
  const list = await change(uri, RULE.replace('h: house', 'h: hose'), 2);
  assert.equal(list[0].severity, 1);
  const fixes = await client.sendRequest('textDocument/codeAction', {
    textDocument: { uri }, range: list[0].range, context: { diagnostics: list },
  });
  assert.equal(fixes[0].edit.changes[uri][0].newText, 'house');
  assert.deepEqual(await change(uri, RULE, 3), []);
});

test('a rule is hovered with its first match, drawn', { skip }, async () => {
  const hover = await client.sendRequest('textDocument/hover', at(uriOf('mine.pinion'), 1, 12));
  assert.match(hover.contents.value, /A pair\.[^]*\(data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+\)/);
});

test('hints say kinds, members and parameters', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  const range = { start: { line: 0, character: 0 }, end: { line: 30, character: 0 } };
  const hints = await client.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
  const shown = hints.map(({ position, label }) => `${position.line}: ${label.trim()}`);
  assert.deepEqual(shown, ['1: 4 on 9×9', '4: : digits', '10: n:']);
});

test('lenses run examples, prove, show matches and write a near miss', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  const listed = await client.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  // An editor resolves a lens that has no title yet.
  const resolved = lens => (lens.command ? lens : client.sendRequest('codeLens/resolve', lens));
  const lenses = await Promise.all(listed.map(resolved));
  assert.ok(lenses.some(({ command }) => command.title === 'proved on 9x9'));
  const run = title => {
    const { command } = lenses.findLast(({ command }) => command.title === title);
    return client.sendRequest('workspace/executeCommand', { command: command.command, arguments: command.arguments });
  };
  const tested = await run('Run examples');
  assert.deepEqual([tested.good, tested.summary], [true, 'my_pair: 1 example passed']);
  const proved = await run('Prove');
  assert.ok(proved.good, proved.summary);
  const matches = await run('Show matches');
  assert.ok(matches.pictures.length >= 2 && matches.pictures.every(one => one.svg.startsWith('<svg')));
  const edits = [];
  client.onRequest('workspace/applyEdit', ({ edit }) => {
    edits.push(edit);
    return { applied: true };
  });
  const near = await run('Insert a near miss');
  assert.ok(near.good, near.summary);
  const [{ range, newText }] = edits[0].changes[uri];
  const lines = RULE.split('\n');
  assert.equal(range.start.line, lines.lastIndexOf('}'));
  const text = RULE.trimEnd() + newText + '\n';
  assert.deepEqual(await change(uri, text, 4), []);
  const again = await client.sendRequest('workspace/executeCommand', {
    command: 'pinion.test', arguments: [uri, { line: 1, character: 12 }],
  });
  assert.equal(again.summary, 'my_pair: 2 examples passed');
});

test('an example that fails is a finding until the text changes', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  const wrong = RULE.replace('finds r1c34<>12', 'finds r1c34<>13');
  assert.deepEqual(await change(uri, wrong, 5), []);
  const list = await found(uri, () => client.sendRequest('workspace/executeCommand', {
    command: 'pinion.test', arguments: [uri, { line: 1, character: 12 }],
  }));
  assert.match(list[0].message, /not found:/);
  assert.equal(list[0].range.start.line, 10);
  assert.deepEqual(await change(uri, RULE, 6), []);
});

test('definitions and uses go across files, rules of the program and profiles', { skip }, async () => {
  const profile = uriOf('mine.ron');
  const text = '(\n  name: "mine",\n  rows: [\n    (technique: "my_pair", first: 5),\n    (technique: "naked_subset"),\n  ],\n)\n';
  assert.deepEqual(await open(profile, text, 'ron'), []);
  const mine = await client.sendRequest('textDocument/definition', at(profile, 3, 18));
  assert.equal(mine.uri, uriOf('mine.pinion'));
  const carried = await client.sendRequest('textDocument/definition', at(profile, 4, 18));
  const [line] = readFileSync(new URL(carried.uri), 'utf8').split('\n').slice(carried.range.start.line);
  assert.match(line, /^technique naked_subset/);
  const params = { ...at(uriOf('mine.pinion'), 1, 12), context: { includeDeclaration: true } };
  const uses = await client.sendRequest('textDocument/references', params);
  assert.deepEqual(uses.map(({ uri }) => path.basename(uri)).sort(), ['mine.pinion', 'mine.pinion', 'mine.ron']);
  const renamed = await client.sendRequest('textDocument/rename', { ...at(profile, 3, 18), newName: 'pairs' });
  assert.equal(Object.values(renamed.changes).flat().length, 3);
});

test('profiles and boards are checked and completed', { skip }, async () => {
  const profile = uriOf('mine.ron');
  const labels = async (uri, line, character) =>
    (await client.sendRequest('textDocument/completion', at(uri, line, character))).items.map(item => item.label);
  const wrong = '(\n  name: "mine",\n  rows: [\n    (technique: "naked_subst", frst: 5),\n  ],\n)\n';
  const field = await change(profile, wrong, 2);
  assert.equal(field[0].data, 'first');
  assert.equal(field[0].range.start.line, 3);
  const rule = await change(profile, wrong.replace('frst', 'first'), 3);
  assert.match(rule[0].message, /no rule is called `naked_subst`[^]*did you mean `naked_subset`/);
  const words = '(\n  name: "mine",\n  base: "",\n  \n  rows: [\n    (technique: "my", ),\n  ],\n)\n';
  await change(profile, words, 4);
  assert.ok((await labels(profile, 2, 9)).includes('default'));
  const top = await labels(profile, 3, 2);
  assert.ok(top.includes('rating') && !top.includes('rows'), `${top}`);
  assert.ok((await labels(profile, 5, 18)).includes('my_pair'));
  const row = await labels(profile, 5, 22);
  assert.ok(row.includes('first') && !row.includes('technique'), `${row}`);
  const board = uriOf('board.ron');
  const odd = await open(board, '(\n  name: "odd",\n  size: 7,\n  regions: Usual,\n)\n', 'ron');
  assert.equal(odd[0].range.start.line, 2);
});

test('a message lost or unknown, or a file without end, stalls nothing', { skip }, async () => {
  await assert.rejects(client.sendRequest('textDocument/nonsense', {}), { code: -32601 });
  await client.sendNotification('textDocument/nonsense', {});
  await assert.rejects(client.sendRequest('workspace/executeCommand', { command: 'pinion.nonsense' }), { code: -32602 });
  server.stdin.write('Content-Length: 9\r\n\r\nno JSON !');
  const huge = uriOf('huge.pinion');
  const long = await open(huge, `// ${'x'.repeat(3_000_000)}\n`);
  assert.equal(long[0].severity, 3);
  const wide = uriOf('wide.pinion');
  await open(wide, `// ${'é'.repeat(100_000)}\nrules r = ${'a, '.repeat(50_000)}b\n`);
  const tokens = await client.sendRequest('textDocument/semanticTokens/full', { textDocument: { uri: wide } });
  assert.ok(tokens.data.length > 1000);
  // After many quick changes only the last one is checked.
  const uri = uriOf('mine.pinion');
  const last = found(uri, () => {});
  for (let version = 10; version < 60; version += 1) {
    const text = version === 59 ? RULE : RULE.slice(0, version * 3);
    void client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  }
  await last;
  const { items } = await client.sendRequest('textDocument/completion', at(uri, 6, 12));
  assert.ok(items.some(({ label }) => label === 'D'));
});

test('a proof that takes long can be cancelled, and the editor is served meanwhile', { skip }, async () => {
  const uri = uriOf('slow.pinion');
  cpSync(path.join(root, 'rules/fish/mutant_fish.pinion'), path.join(folder, 'slow.pinion'));
  const text = readFileSync(path.join(folder, 'slow.pinion'), 'utf8');
  await open(uri, text);
  const line = text.split('\n').findIndex(line => line.startsWith('technique'));
  const source = new rpc.CancellationTokenSource();
  const proof = client.sendRequest('workspace/executeCommand', {
    command: 'pinion.prove', arguments: [uri, { line, character: 12 }],
  }, source.token);
  const symbols = await client.sendRequest('textDocument/documentSymbol', { textDocument: { uri } });
  assert.ok(symbols.length > 0);
  source.cancel();
  await proof.catch(error => assert.equal(error.code, -32800));
});

test('it speaks of every rule file of the rulebook without a finding', { skip }, async () => {
  const folder = path.join(root, 'rules');
  const files = readdirSync(folder, { recursive: true }).filter(name => name.endsWith('.pinion')).slice(0, 20);
  for (const file of files) {
    const text = readFileSync(path.join(folder, file), 'utf8');
    assert.deepEqual(await open(`untitled:/${file}`, text), [], file);
  }
});
