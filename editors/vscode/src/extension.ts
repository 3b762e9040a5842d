// Starts the language server `pinion lsp` and shows the results of its commands. Everything else is done by the server.

import * as vscode from 'vscode';
import { ExecuteCommandSignature, LanguageClient, LanguageClientOptions, ServerOptions } from 'vscode-languageclient/node';
import { Outcome, outcomePage } from './page';

/** Time in milliseconds for which the status bar shows a success. */
const MESSAGE_TIME = 8000;

let client: LanguageClient | undefined;

/** Commands of the palette, which apply to the cursor, with the commands of the server. */
const SERVER_COMMANDS = {
  'pinion.testHere': 'pinion.test',
  'pinion.proveHere': 'pinion.prove',
  'pinion.matchesHere': 'pinion.matches',
  'pinion.nearMissHere': 'pinion.nearMiss',
};

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  for (const [paletteCommand, serverCommand] of Object.entries(SERVER_COMMANDS)) {
    context.subscriptions.push(vscode.commands.registerTextEditorCommand(paletteCommand, editor => {
      const { line, character } = editor.selection.active;
      return vscode.commands.executeCommand(serverCommand, editor.document.uri.toString(), { line, character });
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
    // These options tell the server that the client can show pictures and the results of commands.
    initializationOptions: { pictures: true, outcomes: true },
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/*.{pinion,ron}') },
    middleware: { executeCommand },
  };
  client = new LanguageClient('pinion', 'Pinion', server, options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const button = 'Set the Path';
    const message = `Pinion: \`${command} lsp\` does not start. Install pinion, or set its path. (${String(error)})`;
    if (await vscode.window.showErrorMessage(message, button) === button) {
      await vscode.commands.executeCommand('workbench.action.openSettings', 'pinion.path');
    }
  }
}

/** Runs a command of the server, with a sign of progress in the status bar, and shows its result. */
async function executeCommand(command: string, args: unknown[], next: ExecuteCommandSignature): Promise<unknown> {
  const title = `Pinion: ${command.replace(/^pinion\./, '')}`;
  const progress = { location: vscode.ProgressLocation.Window, title };
  const outcome: Outcome | null | undefined = await vscode.window.withProgress(progress, async () => next(command, args));
  if (outcome) show(command, outcome);
  return outcome;
}

function show(command: string, outcome: Outcome): void {
  const { summary, good, pictures } = outcome;
  if (pictures.length > 0) {
    const panel = vscode.window.createWebviewPanel(
      command, summary, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {},
    );
    panel.webview.html = outcomePage(outcome);
  }
  const message = `Pinion: ${summary}`;
  if (good) vscode.window.setStatusBarMessage(message, MESSAGE_TIME);
  else void vscode.window.showWarningMessage(message);
}
