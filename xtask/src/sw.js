// Written by `cargo xtask build`: the page without a network after the first visit. One cache holds one whole version.
// A new version is fetched whole, beside the old one, and used only when no page of the old one is open any more
// (no skipWaiting): a page never meets files of another version.
"use strict";
const CACHE = "schedscope-__VERSION__";
const FILES = __FILES__;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(CACHE);
    // "no-cache" asks the server again for files whose name does not change; one that fails spoils the installation.
    await Promise.all(FILES.map(async (file) => {
      const response = await fetch(file, { cache: "no-cache" });
      if (!response.ok) throw new Error(`${file}: status ${response.status}`);
      await cache.put(file, response);
    }));
  })());
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith("schedscope-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  })());
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  // Other sites and everything that is not of this page go their usual way.
  if (event.request.method !== "GET" || !url.href.startsWith(self.registration.scope)) return;
  event.respondWith((async () => {
    const cache = await caches.open(CACHE);
    const name = event.request.mode === "navigate" ? "./" : event.request;
    return (await cache.match(name, { ignoreSearch: true })) ?? fetch(event.request);
  })());
});
