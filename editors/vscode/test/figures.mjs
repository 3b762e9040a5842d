// Times of the server, in milliseconds: `node test/figures.mjs PROGRAM FOLDER FILE`. Run by hand; docs/performance.md has the results.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const rpc = require('vscode-languageserver-protocol/node');
const [program, folder, file] = process.argv.slice(2);
const median = list => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)].toFixed(1);

async function begin() {
  const start = performance.now();
  const server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const client = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  client.listen();
  const workspaceFolders = [{ uri: pathToFileURL(path.resolve(folder)).toString(), name: 'rules' }];
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {}, workspaceFolders });
  return { client, time: performance.now() - start };
}

const starts = [];
for (let run = 0; run < 9; run += 1) {
  const { client, time } = await begin();
  starts.push(time);
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  client.dispose();
}
console.log(`start with ${folder}: ${median(starts)} ms`);

const { client } = await begin();
const uri = pathToFileURL(path.resolve(file)).toString();
const text = readFileSync(file, 'utf8');
let hear;
client.onNotification('textDocument/publishDiagnostics', params => params.uri === uri && hear?.(params.version));
const send = async (method, version, params) => {
  const start = performance.now();
  await new Promise(resolve => {
    hear = told => told === version && resolve();
    void client.sendNotification(method, params);
  });
  return performance.now() - start;
};
const opened = await send('textDocument/didOpen', 0, { textDocument: { uri, languageId: 'pinion', version: 0, text } });
const keys = [];
const at = text.indexOf('require');
for (let version = 1; version <= 60; version += 1) {
  const written = `${text.slice(0, at)}${'x'.repeat(version % 8)}${text.slice(at)}`;
  const contentChanges = [{ text: written }];
  keys.push(await send('textDocument/didChange', version, { textDocument: { uri, version }, contentChanges }));
  await new Promise(resolve => setTimeout(resolve, 30));
}
console.log(`open ${path.basename(file)}: ${opened.toFixed(1)} ms`);
console.log(`keystroke to findings: ${median(keys)} ms, at most ${Math.max(...keys).toFixed(1)} ms`);
const timed = async (name, method, params) => {
  const times = [];
  for (let run = 0; run < 9; run += 1) {
    const start = performance.now();
    await client.sendRequest(method, params);
    times.push(performance.now() - start);
  }
  console.log(`${name}: ${median(times)} ms`);
};
const line = text.split('\n').findIndex(line => line.startsWith('technique'));
await timed('completion', 'textDocument/completion', { textDocument: { uri }, position: { line: line + 1, character: 2 } });
await timed('hover with a drawn match', 'textDocument/hover', { textDocument: { uri }, position: { line, character: 12 } });
await timed('references', 'textDocument/references', { textDocument: { uri }, position: { line, character: 12 }, context: { includeDeclaration: true } });
await client.sendRequest('shutdown');
await client.sendNotification('exit');
client.dispose();
