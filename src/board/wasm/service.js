// The service worker: it stores the files of a version, so that the board works without a
// network, and adds the headers that let workers share memory.

const scope = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (globalThis));

/** Set by `.ci/wasm`. */
const VERSION = "VERSION";
const FILES = ["FILES"];
/** Their URLs. Other files of the host are left alone. */
const OWN = new Set(FILES.map((file) => new URL(file, scope.location.href).href));

/** Caches of other pages of the same host are left alone. */
const PREFIX = "goren-board-";
const NAME = PREFIX + VERSION;

async function install() {
  const cache = await caches.open(NAME);
  // The HTTP cache may have files of an older version.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: "no-cache" })));
}

async function activate() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== NAME);
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
}

/**
 * @param {Request} request
 */
async function answer(request) {
  const cache = await caches.open(NAME);
  const found = (await cache.match(request, { ignoreSearch: true })) ?? (await fetch(request));
  // The browser follows a redirect by itself, with another request.
  if (found.type === "opaqueredirect") {
    return found;
  }
  const headers = new Headers(found.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method === "GET" && OWN.has(origin + pathname)) {
    event.respondWith(answer(request));
  }
});
