import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/**
 * The demo has no policy, so no payment of it needs an approval: what its people read on the first
 * start may not promise one.
 */

const read = (path: string): string => readFileSync(join(import.meta.dirname, '..', path), 'utf8');

it.each(['tr', 'en'])('no setting promises an approval of every payment (%s)', (locale) => {
  const { going } = JSON.parse(read(`messages/${locale}/sending.json`)) as { going: string };
  expect(going).not.toMatch(/\bonay|approv/i);
});

/** Webhooks, records and the like report or show; people say. */
const DIALECT = [
  /\b(told|tells|heard|hears?)\b/i,
  /\b(webhook|record|ledger|gateway|provider|log|settings|key)s? (now |only )?((doesn't|didn't|does not) )?(says?|said|tell)\b/i,
];

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

it('the English texts keep to the words of the trade', () => {
  const folder = join(import.meta.dirname, '../messages/en');
  const found = readdirSync(folder)
    .flatMap((file) => textsIn(JSON.parse(read(`messages/en/${file}`))))
    .filter((text) => DIALECT.some((pattern) => pattern.test(text)));
  expect(found).toEqual([]);
});

it.each([
  ['en', /\b(sending|payout) (goes|go|going) on\b|\b(let|lets) (it|them|sending|.* file) go on\b/i],
  ['tr', /gönderim(i|in)? (yeniden )?(aç(?!ık)|sür)/i],
])('what was stopped is resumed, by one word on every page (%s)', (locale, other) => {
  const found = readdirSync(join(import.meta.dirname, `../messages/${locale}`))
    .flatMap((file) => textsIn(JSON.parse(read(`messages/${locale}/${file}`))))
    .filter((text) => other.test(text));
  expect(found).toEqual([]);
});

it('the Turkish texts have one word for each role', () => {
  const folder = join(import.meta.dirname, '../messages/tr');
  const found = readdirSync(folder)
    .flatMap((file) => textsIn(JSON.parse(read(`messages/tr/${file}`))))
    .map((text) => text.toLocaleLowerCase('tr'))
    .filter((text) => /onaycı|(?<!(işletme|kart|hesap)\s+)\bsahi[pb]/.test(text));
  expect(found).toEqual([]);
});

it('the Turkish texts write “da”, not “de”, after a back vowel', () => {
  const folder = join(import.meta.dirname, '../messages/tr');
  const found = readdirSync(folder)
    .flatMap((file) => textsIn(JSON.parse(read(`messages/tr/${file}`))))
    .filter((text) => /[aıou][^aeıioöuü\s]* de(?![\p{L}\d])/u.test(text));
  expect(found).toEqual([]);
});

it.each(['scripts/up.ts', 'README.md'])('nobody of the demo approves payments (%s)', (path) => {
  const lines = read(path)
    .split('\n')
    .filter((line) => line.includes('@demo.test'));
  expect(lines).toHaveLength(5);
  for (const line of lines) expect(line.replace(/\bapprover\b/g, '')).not.toMatch(/approv/i);
});
