/**
 * Shows the offline page while this device has no connection. It keeps that page and its style,
 * nothing else: no page of a signed-in person, no response of the server.
 */
const CACHE = 'offline-1';
const OFFLINE = '/offline.html';
const FILES = [OFFLINE, '/offline.css'];

self.addEventListener('install', (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))),
  );
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))),
      ),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET') return;
  const { origin, pathname } = new URL(request.url);
  const isFile = origin === location.origin && FILES.includes(pathname);
  if (!isFile && request.mode !== 'navigate') return;
  event.respondWith(
    fetch(request).catch(() => caches.match(isFile ? pathname : OFFLINE, { cacheName: CACHE })),
  );
});
