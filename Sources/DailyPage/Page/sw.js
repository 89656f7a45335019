/** Stores the page's files, so that it opens without a connection. Nothing of a ledger is stored here. */
const version = "{{version}}";
const files = ["/", "/page.js", "/page.css", "/manifest.json", "/icon.svg", "/icon.png"];

addEventListener("install", (event) => {
  const requests = files.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(requests)).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  const removeOld = async () => {
    for (const name of await caches.keys()) if (name !== version) await caches.delete(name);
    await clients.claim();
  };
  event.waitUntil(removeOld());
});

addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || !files.includes(pathname)) return;
  const stored = caches.open(version).then((cache) => cache.match(pathname));
  event.respondWith(stored.then((answer) => answer ?? fetch(event.request)));
});
