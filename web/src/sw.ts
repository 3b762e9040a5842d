// The page offline. In: requests for its own files. Out: the cached files of one build, which were fetched together; a new build
// replaces all of them. The build script fills in the file names and a hash of their contents.

declare const FILES: string[];
declare const BUILD: string;

const worker = self as unknown as {
  addEventListener(kind: string, listener: (event: any) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
};
const NAME = `pinion-${BUILD}`;

worker.addEventListener("install", (event) => {
  const fetched = caches.open(NAME).then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: "reload" }))));
  event.waitUntil(fetched.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const old = caches.keys().then((names) => names.filter((name) => name.startsWith("pinion-") && name !== NAME));
  event.waitUntil(old.then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== location.origin) return;
  const known = caches.open(NAME).then((cache) => cache.match(event.request, { ignoreSearch: true }));
  event.respondWith(known.then((found) => found ?? fetch(event.request)));
});
