// Keeps the playground in the browser, so that it works without a network after the first visit.
const VERSION = "%VERSION%";
const FILES = "%FILES%";
const NAME = `pinebench-playground-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(["./", ...FILES]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("pinebench-playground-") && name !== NAME);
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(old(names).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// Files of this version never change. Everything else comes from the network while there is one.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.url.includes(`/${VERSION}/`) ? kept(request).then((found) => found ?? fetch(request)) : fresh(request));
});

const kept = (request) => caches.match(request, { ignoreSearch: true });

async function fresh(request) {
  try {
    const answer = await fetch(request);
    if (answer.ok) {
      const cache = await caches.open(NAME);
      await cache.put(request, answer.clone());
    }
    return answer;
  } catch (error) {
    const found = await kept(request);
    if (found === undefined) throw error;
    return found;
  }
}
