// The engine for the page. In: requests. Out: promises of responses. Each channel has a worker of its own, so that a long proof
// does not block typing; a request that is no longer wanted is terminated with its worker.

import type { Requests } from "./types.ts";

export class Superseded extends Error {}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

let compiled: Promise<WebAssembly.Module> | null = null;

/** Fetches and compiles the engine once. */
export function load(): Promise<WebAssembly.Module> {
  compiled ??= (async () => {
    const source = fetch("pinion.wasm");
    try {
      return await WebAssembly.compileStreaming(source);
    } catch {
      // The server sent no WebAssembly content type.
      return WebAssembly.compile(await (await fetch("pinion.wasm")).arrayBuffer());
    }
  })();
  return compiled;
}

export class Channel {
  private worker: Worker | null = null;
  private waiting = new Map<number, Waiting>();
  private last = 0;

  /** True while a response is pending. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Sends a request after those in progress. */
  async ask<K extends keyof Requests>(ask: K, request: Requests[K][0]): Promise<Requests[K][1]> {
    const id = ++this.last;
    const answer = new Promise<unknown>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    // The request waits for its worker and may be cancelled meanwhile.
    answer.catch(() => {});
    // The worker starts while the engine is compiled.
    const worker = this.start();
    await load();
    if (this.waiting.has(id)) worker.postMessage({ id, request: JSON.stringify({ ask, ...request }) });
    return (await answer) as Requests[K][1];
  }

  /** Cancels the requests in progress, then sends this one. */
  async askOnly<K extends keyof Requests>(ask: K, request: Requests[K][0]): Promise<Requests[K][1]> {
    if (this.busy) this.stop();
    return this.ask(ask, request);
  }

  /** Cancels all requests. */
  stop(error: Error = new Superseded("no longer wanted")): void {
    this.worker?.terminate();
    this.worker = null;
    const all = [...this.waiting.values()];
    this.waiting.clear();
    all.forEach((one) => one.reject(error));
  }

  private start(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker("worker.js");
    worker.onmessage = ({ data }) => this.told(data);
    worker.onerror = () => this.stop(new Error("the engine cannot be started"));
    load().then((module) => worker.postMessage({ module }), (error: Error) => this.stop(error));
    this.worker = worker;
    return worker;
  }

  private told({ id, answer, broken }: { id: number; answer?: string; broken?: string }): void {
    if (broken !== undefined) {
      this.stop(new Error(`The engine gave up on this (${broken}). Everything else still works.`));
      return;
    }
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    const { ok, error } = JSON.parse(answer ?? "{}");
    if (error === undefined) waiting?.resolve(ok);
    else waiting?.reject(new Error(error));
  }
}
