// A worker with an engine. It receives a compiled module first, then requests in JSON, and posts a response in JSON for each request,
// or the reason of a failure.

/** The functions of `wasm/src/lib.rs`. */
interface Exports {
  memory: WebAssembly.Memory;
  allocate_request(bytes: number): number;
  answer_request(): number;
  response_address(): number;
}

let engine: Exports | null = null;

function respond(request: string): string {
  if (!engine) throw new Error("the engine is not loaded");
  const bytes = new TextEncoder().encode(request);
  const address = engine.allocate_request(bytes.length);
  new Uint8Array(engine.memory.buffer, address, bytes.length).set(bytes);
  const length = engine.answer_request();
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.response_address(), length));
}

self.onmessage = (event: MessageEvent<{ module?: WebAssembly.Module; id?: number; request?: string }>) => {
  const { module, id, request } = event.data;
  if (module) {
    const instance = new WebAssembly.Instance(module, { host: { now: () => performance.now() } });
    engine = instance.exports as unknown as Exports;
    return;
  }
  try {
    self.postMessage({ id, response: respond(request ?? "") });
  } catch (error) {
    // The memory may be inconsistent after a failure, so the engine is not used again.
    engine = null;
    self.postMessage({ id, failure: String(error) });
  }
};
