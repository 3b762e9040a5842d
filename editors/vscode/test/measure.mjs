// Measures the language server, for docs/performance.md: `node test/measure.mjs PROGRAM FOLDER FILE`. FOLDER is the workspace, FILE a rule
// file in it. All times are in milliseconds.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);
const rpc = require('vscode-languageserver-protocol/node');
const [program, folder, file] = process.argv.slice(2);
const median = times => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)].toFixed(1);
const RUNS = 9;

/** Starts a server. Returns its client and the time until the workspace is read. */
async function startServer() {
  const start = performance.now();
  const server = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const client = rpc.createProtocolConnection(new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  client.listen();
  const workspaceFolders = [{ uri: pathToFileURL(path.resolve(folder)).toString(), name: 'rules' }];
  await client.sendRequest('initialize', { processId: null, rootUri: null, capabilities: {}, workspaceFolders });
  return { client, time: performance.now() - start };
}

async function stopServer(client) {
  await client.sendRequest('shutdown');
  await client.sendNotification('exit');
  client.dispose();
}

const starts = [];
for (let run = 0; run < RUNS; run += 1) {
  const { client, time } = await startServer();
  starts.push(time);
  await stopServer(client);
}
console.log(`start with ${folder}: ${median(starts)} ms`);

const { client } = await startServer();
const uri = pathToFileURL(path.resolve(file)).toString();
const text = readFileSync(file, 'utf8');
let onDiagnostics;
client.onNotification('textDocument/publishDiagnostics', params => params.uri === uri && onDiagnostics?.(params.version));
/** Sends a version of the text. Returns the time until the server publishes diagnostics for this version. */
async function sendText(method, version, params) {
  const start = performance.now();
  await new Promise(resolve => {
    onDiagnostics = publishedVersion => publishedVersion === version && resolve();
    void client.sendNotification(method, params);
  });
  return performance.now() - start;
}
const openTime = await sendText('textDocument/didOpen', 0, { textDocument: { uri, languageId: 'pinion', version: 0, text } });
const keyTimes = [];
const insertAt = text.indexOf('require');
for (let version = 1; version <= 60; version += 1) {
  // Up to seven characters are typed one by one, then deleted.
  const typedText = `${text.slice(0, insertAt)}${'x'.repeat(version % 8)}${text.slice(insertAt)}`;
  const contentChanges = [{ text: typedText }];
  keyTimes.push(await sendText('textDocument/didChange', version, { textDocument: { uri, version }, contentChanges }));
  await new Promise(resolve => setTimeout(resolve, 30));
}
console.log(`open ${path.basename(file)}: ${openTime.toFixed(1)} ms`);
console.log(`keystroke to diagnostics: ${median(keyTimes)} ms, at most ${Math.max(...keyTimes).toFixed(1)} ms`);

async function measure(name, method, params) {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    await client.sendRequest(method, params);
    times.push(performance.now() - start);
  }
  console.log(`${name}: ${median(times)} ms`);
}

const line = text.split('\n').findIndex(line => line.startsWith('technique'));
await measure('completion', 'textDocument/completion', { textDocument: { uri }, position: { line: line + 1, character: 2 } });
await measure('hover with a drawn match', 'textDocument/hover', { textDocument: { uri }, position: { line, character: 12 } });
await measure('references', 'textDocument/references', { textDocument: { uri }, position: { line, character: 12 }, context: { includeDeclaration: true } });
await stopServer(client);
