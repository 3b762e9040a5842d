// One engine. In: a compiled module, then requests as text. Out: responses as text, or the reason of a failure.

interface Exports {
  memory: WebAssembly.Memory;
  room(bytes: number): number;
  call(): number;
  answer(): number;
}

let engine: Exports | null = null;

function call(request: string): string {
  if (!engine) throw new Error("the engine is not there yet");
  const bytes = new TextEncoder().encode(request);
  const place = engine.room(bytes.length);
  new Uint8Array(engine.memory.buffer, place, bytes.length).set(bytes);
  const length = engine.call();
  return new TextDecoder().decode(new Uint8Array(engine.memory.buffer, engine.answer(), length));
}

self.onmessage = (event: MessageEvent<{ module?: WebAssembly.Module; id?: number; request?: string }>) => {
  const { module, id, request } = event.data;
  if (module) {
    const instance = new WebAssembly.Instance(module, { host: { now: () => performance.now() } });
    engine = instance.exports as unknown as Exports;
    return;
  }
  try {
    self.postMessage({ id, answer: call(request ?? "") });
  } catch (error) {
    // A failure may have left the memory in any state.
    engine = null;
    self.postMessage({ id, broken: String(error) });
  }
};
