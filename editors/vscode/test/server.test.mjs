// The language server `pinion lsp`, tested with VS Code's client library.
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

let folder, server, client, capabilities;
/** For each file with awaited diagnostics, the function that takes them, and the version of the text if only that version is awaited. */
const awaitedDiagnostics = new Map();

/** Runs an action and returns the next diagnostics of a file. If `version` is given, returns the next diagnostics of that version. */
async function diagnosticsAfter(uri, action, version) {
  const next = new Promise(resolve => awaitedDiagnostics.set(uri, { resolve, version }));
  await action();
  return next;
}

const uriOf = name => pathToFileURL(path.join(folder, name)).toString();
const positionParams = (uri, line, character) => ({ textDocument: { uri }, position: { line, character } });
const open = (uri, text, languageId = 'pinion') =>
  diagnosticsAfter(uri, () => client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } }));
const change = (uri, text, version) => diagnosticsAfter(uri, () =>
  client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] }));

before(async () => {
  if (skip) return;
  folder = mkdtempSync(path.join(tmpdir(), 'pinion-'));
  writeFileSync(path.join(folder, 'mine.pinion'), RULE);
  // The server must not read rules in `node_modules`.
  mkdirSync(path.join(folder, 'node_modules'));
  writeFileSync(path.join(folder, 'node_modules', 'theirs.pinion'), 'technique not_mine {\n}\n');
  server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, XDG_CACHE_HOME: folder } });
  client = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  client.onNotification('textDocument/publishDiagnostics', ({ uri, version, diagnostics }) => {
    const awaited = awaitedDiagnostics.get(uri);
    if (!awaited || (awaited.version !== undefined && awaited.version !== version)) return;
    awaitedDiagnostics.delete(uri);
    awaited.resolve(diagnostics);
  });
  client.listen();
  const initialized = await client.sendRequest('initialize', {
    processId: process.pid,
    capabilities: {},
    rootUri: null,
    workspaceFolders: [{ uri: pathToFileURL(folder).toString(), name: 'rules' }],
    initializationOptions: { pictures: true, outcomes: true },
  });
  capabilities = initialized.capabilities;
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

test('the server announces hovers, lenses, hints and four commands', { skip }, () => {
  assert.ok(capabilities.hoverProvider && capabilities.codeLensProvider && capabilities.inlayHintProvider);
  assert.equal(capabilities.executeCommandProvider.commands.length, 4);
});

test('a diagnostic comes with a fix', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  assert.deepEqual(await open(uri, RULE), []);
  const diagnostics = await change(uri, RULE.replace('h: house', 'h: hose'), 2);
  const ERROR = 1;
  assert.equal(diagnostics[0].severity, ERROR);
  const fixes = await client.sendRequest('textDocument/codeAction', {
    textDocument: { uri }, range: diagnostics[0].range, context: { diagnostics },
  });
  assert.equal(fixes[0].edit.changes[uri][0].newText, 'house');
  assert.deepEqual(await change(uri, RULE, 3), []);
});

test('the hover text of a rule has a drawing of its first match', { skip }, async () => {
  const hover = await client.sendRequest('textDocument/hover', positionParams(uriOf('mine.pinion'), 1, 12));
  assert.match(hover.contents.value, /A pair\.[^]*\(data:image\/svg\+xml;base64,[A-Za-z0-9+/=]+\)/);
});

test('inlay hints show members, kinds and parameters', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  const range = { start: { line: 0, character: 0 }, end: { line: 30, character: 0 } };
  const hints = await client.sendRequest('textDocument/inlayHint', { textDocument: { uri }, range });
  const lines = hints.map(({ position, label }) => `${position.line}: ${label.trim()}`);
  assert.deepEqual(lines, ['1: 4 on 9×9', '4: : digits', '10: n:']);
});

test('code lenses run examples, prove, show matches and insert a near miss', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  const listed = await client.sendRequest('textDocument/codeLens', { textDocument: { uri } });
  // The server may send a lens without its title. Then the editor asks for the title by `codeLens/resolve`.
  const resolve = lens => (lens.command ? lens : client.sendRequest('codeLens/resolve', lens));
  const lenses = await Promise.all(listed.map(resolve));
  assert.ok(lenses.some(({ command }) => command.title === 'proved on 9x9'));
  /** Runs the last lens with this title. If the rule and the example both have one, that is the lens of the example, which stands below. */
  const run = title => {
    const { command } = lenses.findLast(({ command }) => command.title === title);
    return client.sendRequest('workspace/executeCommand', { command: command.command, arguments: command.arguments });
  };
  const tested = await run('Run examples');
  assert.deepEqual([tested.good, tested.summary], [true, 'my_pair: 1 example passed']);
  const proved = await run('Prove');
  assert.ok(proved.good, proved.summary);
  const matches = await run('Show matches');
  assert.ok(matches.pictures.length >= 2 && matches.pictures.every(({ svg }) => svg.startsWith('<svg')));
  const edits = [];
  client.onRequest('workspace/applyEdit', ({ edit }) => {
    edits.push(edit);
    return { applied: true };
  });
  const inserted = await run('Insert a near miss');
  assert.ok(inserted.good, inserted.summary);
  const [{ range, newText }] = edits[0].changes[uri];
  const lines = RULE.split('\n');
  assert.equal(range.start.line, lines.lastIndexOf('}'));
  const text = RULE.trimEnd() + newText + '\n';
  assert.deepEqual(await change(uri, text, 4), []);
  const testedAgain = await client.sendRequest('workspace/executeCommand', {
    command: 'pinion.test', arguments: [uri, { line: 1, character: 12 }],
  });
  assert.equal(testedAgain.summary, 'my_pair: 2 examples passed');
});

test('an example that fails is a diagnostic until the text changes', { skip }, async () => {
  const uri = uriOf('mine.pinion');
  const wrong = RULE.replace('finds r1c34<>12', 'finds r1c34<>13');
  assert.deepEqual(await change(uri, wrong, 5), []);
  const diagnostics = await diagnosticsAfter(uri, () => client.sendRequest('workspace/executeCommand', {
    command: 'pinion.test', arguments: [uri, { line: 1, character: 12 }],
  }));
  assert.match(diagnostics[0].message, /not found:/);
  assert.equal(diagnostics[0].range.start.line, 10);
  assert.deepEqual(await change(uri, RULE, 6), []);
});

test('definitions, references and renames connect rule files, built-in rules and profiles', { skip }, async () => {
  const profile = uriOf('mine.ron');
  const text = '(\n  name: "mine",\n  rows: [\n    (technique: "my_pair", first: 5),\n    (technique: "naked_subset"),\n  ],\n)\n';
  assert.deepEqual(await open(profile, text, 'ron'), []);
  const ownDefinition = await client.sendRequest('textDocument/definition', positionParams(profile, 3, 18));
  assert.equal(ownDefinition.uri, uriOf('mine.pinion'));
  // The server writes the built-in rules to files, so that an editor can show them.
  const builtInDefinition = await client.sendRequest('textDocument/definition', positionParams(profile, 4, 18));
  const lines = readFileSync(new URL(builtInDefinition.uri), 'utf8').split('\n');
  assert.match(lines[builtInDefinition.range.start.line], /^technique naked_subset/);
  const params = { ...positionParams(uriOf('mine.pinion'), 1, 12), context: { includeDeclaration: true } };
  const uses = await client.sendRequest('textDocument/references', params);
  assert.deepEqual(uses.map(({ uri }) => path.basename(uri)).sort(), ['mine.pinion', 'mine.pinion', 'mine.ron']);
  const renamed = await client.sendRequest('textDocument/rename', { ...positionParams(profile, 3, 18), newName: 'pairs' });
  assert.equal(Object.values(renamed.changes).flat().length, 3);
});

test('profiles and boards are checked and completed', { skip }, async () => {
  const profile = uriOf('mine.ron');
  const labels = async (uri, line, character) =>
    (await client.sendRequest('textDocument/completion', positionParams(uri, line, character))).items.map(item => item.label);
  const wrong = '(\n  name: "mine",\n  rows: [\n    (technique: "naked_subst", frst: 5),\n  ],\n)\n';
  const fieldDiagnostics = await change(profile, wrong, 2);
  // `data` is the replacement for the misspelt field.
  assert.equal(fieldDiagnostics[0].data, 'first');
  assert.equal(fieldDiagnostics[0].range.start.line, 3);
  const ruleDiagnostics = await change(profile, wrong.replace('frst', 'first'), 3);
  assert.match(ruleDiagnostics[0].message, /no rule is called `naked_subst`[^]*did you mean `naked_subset`/);
  const incomplete = '(\n  name: "mine",\n  base: "",\n  \n  rows: [\n    (technique: "my", ),\n  ],\n)\n';
  await change(profile, incomplete, 4);
  assert.ok((await labels(profile, 2, 9)).includes('default'));
  // Fields that are present already are not offered again.
  const profileFields = await labels(profile, 3, 2);
  assert.ok(profileFields.includes('rating') && !profileFields.includes('rows'), `${profileFields}`);
  assert.ok((await labels(profile, 5, 18)).includes('my_pair'));
  const rowFields = await labels(profile, 5, 22);
  assert.ok(rowFields.includes('first') && !rowFields.includes('technique'), `${rowFields}`);
  const board = uriOf('board.ron');
  const boardDiagnostics = await open(board, '(\n  name: "odd",\n  size: 7,\n  regions: Usual,\n)\n', 'ron');
  assert.equal(boardDiagnostics[0].range.start.line, 2);
});

test('unknown messages, broken messages and huge files do not stall the server', { skip }, async () => {
  // Error codes of JSON-RPC.
  const [METHOD_NOT_FOUND, INVALID_PARAMS] = [-32601, -32602];
  await assert.rejects(client.sendRequest('textDocument/nonsense', {}), { code: METHOD_NOT_FOUND });
  await client.sendNotification('textDocument/nonsense', {});
  await assert.rejects(client.sendRequest('workspace/executeCommand', { command: 'pinion.nonsense' }), { code: INVALID_PARAMS });
  server.stdin.write('Content-Length: 9\r\n\r\nno JSON !');
  const huge = uriOf('huge.pinion');
  const hugeDiagnostics = await open(huge, `// ${'x'.repeat(3_000_000)}\n`);
  const INFORMATION = 3;
  assert.equal(hugeDiagnostics[0].severity, INFORMATION);
  const wide = uriOf('wide.pinion');
  await open(wide, `// ${'é'.repeat(100_000)}\nrules r = ${'a, '.repeat(50_000)}b\n`);
  const tokens = await client.sendRequest('textDocument/semanticTokens/full', { textDocument: { uri: wide } });
  assert.ok(tokens.data.length > 1000);
  // After many quick changes, the last text is checked, which is the only one without errors.
  const uri = uriOf('mine.pinion');
  const LAST_VERSION = 59;
  const sendChanges = () => {
    for (let version = 10; version <= LAST_VERSION; version += 1) {
      const text = version === LAST_VERSION ? RULE : RULE.slice(0, version * 3);
      void client.sendNotification('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
    }
  };
  assert.deepEqual(await diagnosticsAfter(uri, sendChanges, LAST_VERSION), []);
  const { items } = await client.sendRequest('textDocument/completion', positionParams(uri, 6, 12));
  assert.ok(items.some(({ label }) => label === 'D'));
});

test('built-in rule files have no diagnostics', { skip }, async () => {
  const rules = path.join(root, 'rules');
  const files = readdirSync(rules, { recursive: true }).filter(name => name.endsWith('.pinion'));
  for (const file of files) {
    const text = readFileSync(path.join(rules, file), 'utf8');
    assert.deepEqual(await open(`untitled:/${file}`, text), [], file);
  }
});

test('a long proof can be cancelled, and other requests are answered meanwhile', { skip }, async () => {
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
  // The error code of a cancelled request. A proof that ended before is no error.
  await proof.catch(error => assert.equal(error.code, -32800));
});
