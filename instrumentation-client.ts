import { keepPresses } from '#components/kept-press.ts';

/** React creates script elements from exactly this text. */
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
 * The default Trusted Types policy, which runs in the browser before React. The content security
 * policy (lib/runtime/csp.ts) lets text become markup or a script address only through this policy,
 * and allows no second one. The policy refuses everything but the values above.
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
 * zod tests whether it may compile text into code; the refusal would be reported as a violation of
 * the content security policy. `jitless` skips the test.
 */
(globalThis as { __zod_globalConfig?: { jitless: boolean } }).__zod_globalConfig = {
  jitless: true,
};

keepPresses(document);
