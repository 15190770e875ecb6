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

// The first page was loaded before this worker began: it names the other files that it uses, and hears when all are kept.
self.addEventListener("message", (event) => {
  const [port] = event.ports;
  event.waitUntil(
    Promise.all(event.data.map(keep)).then(
      () => port.postMessage("kept"),
      () => port.postMessage("failed"),
    ),
  );
});

async function keep(address) {
  const cache = await caches.open(NAME);
  if ((await cache.match(address)) === undefined) await cache.add(address);
}

// Files of this version never change. Everything else comes from the network while there is one.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(request.url.includes(`/${VERSION}/`) ? kept(request).then((found) => found ?? fetch(request)) : fresh(event));
});

const kept = (request) => caches.match(request, { ignoreSearch: true });

async function fresh(event) {
  const { request } = event;
  try {
    const answer = await fetch(request);
    if (answer.status === 200) {
      const copy = answer.clone();
      // A full disk is no reason to withhold the answer.
      event.waitUntil(
        caches
          .open(NAME)
          .then((cache) => cache.put(request, copy))
          .catch(() => undefined),
      );
    }
    return answer;
  } catch (error) {
    const found = await kept(request);
    if (found === undefined) throw error;
    return found;
  }
}
