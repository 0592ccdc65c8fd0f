import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { REVERSED_ENDING } from '../card-api/cashout.ts';
import { HOOK_KINDS } from '../card-api/hook-keys.ts';
import { MAGIC_PREFIXES } from '../card-api/magic-invoice.ts';
import { TEST_CARDS } from '../card-api/test-cards.ts';
import { makeIban } from '../iban.ts';
import { BY_STATE } from '../by-state.ts';
import { MAGIC, MAGIC_BANK } from '../magic.ts';
import { PEOPLE, DEMO_PASSWORD } from '../seed/merchant.ts';
import { RECEIVERS, firstWallet } from '../seed/receivers.ts';
import { FAULT_KINDS } from '../faults.ts';
import type { Answer } from '../wallet-api/answer.ts';

/**
 * The console page for people. It contains its styles, scripts and data, and a content security
 * policy allows nothing else to run.
 */

const part = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8');

const HTML = part('console.html');
const CSS = `${part('console.css')}\n${part('parts.css')}`;
/**
 * The modules in the order of their imports, joined into one script, so that the page fetches
 * nothing.
 */
const SCRIPT = [
  'words.js',
  'dom.js',
  'cards.js',
  'wallets.js',
  'coverage.js',
  'switches.js',
  'lists.js',
  'console.js',
]
  .map((name) =>
    part(name)
      .replace(/^import [^;]*;$/gm, '')
      .replace(/^export /gm, ''),
  )
  .join('\n');

/** Data for the scripts. "<" is escaped, so that no text can end the script element. */
const DATA = JSON.stringify({
  magic: MAGIC.map(({ kind, value, tr, en }) => ({
    kind,
    value,
    tr,
    en,
    ...(kind === 'iban' ? { example: makeIban(MAGIC_BANK, `5${value}`) } : {}),
  })),
  faultKinds: FAULT_KINDS,
  hookKinds: HOOK_KINDS,
  cards: TEST_CARDS.filter((card) => card.source !== 'published-weak').map(
    ({ number, code, tr, en }) => ({ number, code, tr, en }),
  ),
  prefixes: MAGIC_PREFIXES,
  cashoutIban: makeIban(MAGIC_BANK, `5${REVERSED_ENDING}`),
  states: BY_STATE,
  receivers: RECEIVERS.map((one) => ({
    wallet: firstWallet(one),
    account: one.number,
    phone: one.phone,
    name: one.name,
    tr: one.tr,
    en: one.en,
  })),
  people: PEOPLE.map((person) => ({ email: person.email, name: `${person.first} ${person.last}` })),
  password: DEMO_PASSWORD,
}).replaceAll('<', '\\u003c');

export function consolePage(): Answer {
  const nonce = randomBytes(16).toString('base64url');
  const body = HTML.replace(
    '<!--style-->',
    () => `<style nonce="${nonce}">\n${CSS}</style>`,
  ).replace(
    '<!--scripts-->',
    () =>
      `<script type="application/json" id="data">${DATA}</script>\n<script nonce="${nonce}" ` +
      `type="module">\n${SCRIPT}</script>`,
  );
  return {
    status: 200,
    contentType: 'text/html; charset=utf-8',
    body,
    headers: {
      'content-security-policy':
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src ` +
        "data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    },
  };
}
