/**
 * Shows the offline page while this device has no connection, and the notifications that the server
 * pushes. It keeps the offline page and its style, nothing else: no page of a signed-in person, no
 * response of the server, no text of a notification.
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

self.addEventListener('push', (event) => {
  const told = toldBy(event.data);
  event.waitUntil(
    self.registration.showNotification(told.title, {
      body: told.body,
      tag: told.tag,
      lang: told.lang,
      icon: '/icon-192.png',
      badge: '/icon-monochrome-512.png',
      data: { path: told.path },
    }),
  );
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path));
});

/**
 * A browser withdraws the permission of a site whose push shows nothing, so that an unreadable
 * message is shown too, without a text.
 */
function toldBy(data) {
  let told = {};
  try {
    told = data?.json() ?? {};
  } catch {
    // The message was not made by this version of the server.
  }
  const text = (name) => (typeof told[name] === 'string' ? told[name].slice(0, 300) : '');
  return {
    title: text('title') || '•',
    body: text('body'),
    tag: text('tag'),
    lang: text('lang'),
    path: text('path'),
  };
}

/**
 * Opens a page of this site alone, in the window that shows it or in a new one. No other window is
 * led there: somebody may have filled half of a form in it, or have just sent one.
 */
async function open(path) {
  const isOwn = typeof path === 'string' && /^\/(?!\/)/.test(path);
  const address = new URL(isOwn ? path : '/notifications', location.origin);
  if (address.origin !== location.origin) return;
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = windows.find(({ url }) => url.split('#')[0] === address.href);
  await (there ? there.focus() : self.clients.openWindow(address.href));
}
