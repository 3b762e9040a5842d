// The service worker: the page works offline. It caches the files of one build, fetched together, and answers requests for them. A new
// build replaces all files at once, so that no page gets files of two builds.

/** Names of the files. The build script replaces this name by its value. */
declare const FILES: string[];
/** A hash of the contents of the files. The build script replaces this name by its value. */
declare const BUILD: string;

// TypeScript has types for pages or for workers, but not for both in one program.
interface WaitingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Event {
  request: Request;
  respondWith(response: Promise<Response>): void;
}
const worker = self as unknown as {
  addEventListener(kind: "install" | "activate", listener: (event: WaitingEvent) => void): void;
  addEventListener(kind: "fetch", listener: (event: FetchEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};

const CACHE_PREFIX = "pinion-";
const CACHE_NAME = CACHE_PREFIX + BUILD;

async function install(): Promise<void> {
  const cache = await caches.open(CACHE_NAME);
  // `reload` gets each file from the server: the browser's own cache may have files of an earlier build.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" })));
  await worker.skipWaiting();
}

/** Deletes the files of earlier builds and takes over the open pages. */
async function activate(): Promise<void> {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== CACHE_NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function cachedResponse(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE_NAME);
  const cached = await cache.match(request, { ignoreSearch: true });
  return cached ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const isOwnFile = event.request.method === "GET" && new URL(event.request.url).origin === location.origin;
  if (isOwnFile) event.respondWith(cachedResponse(event.request));
});
