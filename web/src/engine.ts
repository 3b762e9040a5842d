// Sends requests to the engine. Each channel runs the engine in a worker of its own, so that a long proof does not block typing.
// A request in progress cannot be interrupted, so cancelling it terminates its worker.

import type { Requests } from "./types.ts";

/** The error with which the promise of a cancelled request is rejected. */
export class Cancelled extends Error {}

interface PendingRequest {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A message of the worker: the response to a request as JSON, or the reason why the engine failed. */
interface WorkerMessage {
  id: number;
  response?: string;
  failure?: string;
}

let compiledEngine: Promise<WebAssembly.Module> | null = null;

/** Fetches and compiles the engine. Later calls return the same module. */
function loadEngine(): Promise<WebAssembly.Module> {
  compiledEngine ??= (async () => {
    try {
      return await WebAssembly.compileStreaming(fetch("pinion.wasm"));
    } catch {
      // Streaming fails if the server does not send the content type of WebAssembly.
      return WebAssembly.compile(await (await fetch("pinion.wasm")).arrayBuffer());
    }
  })();
  return compiledEngine;
}

/** A queue of requests with a worker that answers them in order. */
export class Channel {
  private worker: Worker | null = null;
  private pending = new Map<number, PendingRequest>();
  private lastId = 0;

  /** Sends a request, which is answered after the requests in progress. */
  async ask<K extends keyof Requests>(kind: K, request: Requests[K][0]): Promise<Requests[K][1]> {
    const id = ++this.lastId;
    const response = new Promise<unknown>((resolve, reject) => this.pending.set(id, { resolve, reject }));
    // The request may be cancelled before this function awaits `response`: without a handler the browser would report an error.
    response.catch(() => {});
    // The worker starts while the engine is still compiled.
    const worker = this.start();
    await loadEngine();
    const isCancelled = !this.pending.has(id);
    if (!isCancelled) worker.postMessage({ id, request: JSON.stringify({ ask: kind, ...request }) });
    return (await response) as Requests[K][1];
  }

  /** Cancels the requests in progress and sends this request instead. */
  async cancelAndAsk<K extends keyof Requests>(kind: K, request: Requests[K][0]): Promise<Requests[K][1]> {
    if (this.pending.size > 0) this.cancel();
    return this.ask(kind, request);
  }

  /** Cancels all requests: their promises are rejected with `reason`. */
  cancel(reason: Error = new Cancelled("the request was cancelled")): void {
    this.worker?.terminate();
    this.worker = null;
    const requests = [...this.pending.values()];
    this.pending.clear();
    requests.forEach((request) => request.reject(reason));
  }

  private start(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker("worker.js");
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => this.receive(data);
    worker.onerror = () => this.cancel(new Error("The engine cannot be started."));
    loadEngine().then((module) => worker.postMessage({ module }), (error: Error) => this.cancel(error));
    this.worker = worker;
    return worker;
  }

  private receive({ id, response, failure }: WorkerMessage): void {
    if (failure !== undefined) {
      this.cancel(new Error(`The engine failed and was restarted (${failure}). Your rule and your grid are not lost.`));
      return;
    }
    const request = this.pending.get(id);
    this.pending.delete(id);
    const { ok, error } = JSON.parse(response ?? "{}");
    if (error === undefined) request?.resolve(ok);
    else request?.reject(new Error(error));
  }
}
