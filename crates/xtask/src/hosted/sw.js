// Keeps this build of the page, so that it opens without a network. Written by cargo xtask dist.
const FILES = __FILES__;
const OWN = `reclaimscope ${registration.scope} `;
const NAME = `${OWN}__VERSION__`;

addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)));
});

// Builds that were here before go; those of other folders are not ours.
addEventListener('activate', (event) => {
  const clean = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(OWN) && name !== NAME);
    await Promise.all(old.map((name) => caches.delete(name)));
    await clients.claim();
  };
  event.waitUntil(clean());
});

// A new build waits until the person wants it.
addEventListener('message', (event) => {
  if (event.data === 'use') skipWaiting();
});

addEventListener('fetch', (event) => {
  const { method, url } = event.request;
  if (method !== 'GET' || !url.startsWith(registration.scope)) return;
  const answer = async () => {
    const cache = await caches.open(NAME);
    return (await cache.match(event.request, { ignoreSearch: true })) ?? fetch(event.request);
  };
  event.respondWith(answer());
});
