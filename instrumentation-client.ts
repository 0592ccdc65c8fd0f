import { keepPresses } from '#components/kept-press.ts';

/** React makes script elements from this very text. */
const REACTS_OWN = '<script></script>';
/** The bundler loads its chunks from here. */
const CHUNKS = '/_next/static/';
/** Shows the offline page (components/offline-page.tsx). */
const OFFLINE_WORKER = '/service-worker.js';

type Rules = {
  createHTML(text: string): string | null;
  createScriptURL(text: string): string | null;
};
type Factory = { createPolicy(name: 'default', rules: Rules): unknown };

/**
 * Runs in the browser before React does. Under `require-trusted-types-for` (lib/runtime/csp.ts) this is the
 * one gate through which text may become markup or code; what it does not know by sight is refused,
 * and nobody else may make a second gate.
 */
(globalThis as { trustedTypes?: Factory }).trustedTypes?.createPolicy('default', {
  createHTML: (text) => (text === REACTS_OWN ? text : null),
  createScriptURL: (text) => {
    const { origin, pathname } = new URL(text, location.origin);
    const isOurs = pathname.startsWith(CHUNKS) || pathname === OFFLINE_WORKER;
    return origin === location.origin && isOurs ? text : null;
  },
});

/**
 * zod tries whether it may compile text into code, is refused, and the browser reports it as an
 * attempt: it need not try (`jitless`).
 */
(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = {
  jitless: true,
};

keepPresses(document);
