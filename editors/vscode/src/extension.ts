// Starts `pinion lsp` and shows the results of its commands. All knowledge of the language is in the server.

import * as vscode from 'vscode';
import { ExecuteCommandSignature, LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { Outcome, page } from './page';

let client: LanguageClient | undefined;

/** Commands of the palette, and their names in the server. */
const HERE = {
  'pinion.testHere': 'pinion.test',
  'pinion.proveHere': 'pinion.prove',
  'pinion.matchesHere': 'pinion.matches',
  'pinion.nearMissHere': 'pinion.nearMiss',
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  for (const [here, command] of Object.entries(HERE)) {
    context.subscriptions.push(vscode.commands.registerTextEditorCommand(here, editor => {
      const { line, character } = editor.selection.active;
      return vscode.commands.executeCommand(command, editor.document.uri.toString(), { line, character });
    }));
  }
  context.subscriptions.push(vscode.commands.registerCommand('pinion.restart', restart));
  context.subscriptions.push(vscode.workspace.onDidChangeConfiguration(event => {
    if (event.affectsConfiguration('pinion.path') || event.affectsConfiguration('pinion.profiles')) void restart();
  }));
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

async function restart(): Promise<void> {
  await client?.dispose();
  client = undefined;
  await start();
}

async function start(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('pinion');
  const command = settings.get<string>('path', 'pinion');
  const server: ServerOptions = { command, args: ['lsp'] };
  const selector = [{ language: 'pinion' }, ...(settings.get('profiles', true) ? [{ pattern: '**/*.ron' }] : [])];
  const options: LanguageClientOptions = {
    documentSelector: selector,
    // The client can show pictures and the results of commands.
    initializationOptions: { pictures: true, outcomes: true },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{pinion,ron}') },
    middleware: { executeCommand },
  };
  client = new LanguageClient('pinion', 'Pinion', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const settle = 'Set the Path';
    const words = `Pinion: \`${command} lsp\` does not start. Install pinion, or say where it is. (${String(error)})`;
    if (await vscode.window.showErrorMessage(words, settle) === settle) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'pinion.path');
    }
  }
}

async function executeCommand(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const title = `Pinion: ${command.replace(/^pinion\./, '')}`;
  const where = { location: vscode.ProgressLocation.Window, title };
  const outcome: Outcome | null | undefined = await vscode.window.withProgress(where, async () => next(command, args));
  if (outcome) show(command, outcome);
  return outcome;
}

function show(command: string, outcome: Outcome): void {
  const { summary, good, pictures } = outcome;
  if (pictures.length > 0) {
    const panel = vscode.window.createWebviewPanel(
      command, summary, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {},
    );
    panel.webview.html = page(outcome);
  }
  const words = `Pinion: ${summary}`;
  void (good ? vscode.window.setStatusBarMessage(words, 8000) : vscode.window.showWarningMessage(words));
}

