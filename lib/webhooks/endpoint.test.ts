import { randomBytes } from 'node:crypto';
import { beforeEach, expect, test, vi } from 'vitest';

const [fresh, old, gone] = [0, 1, 2].map(() => randomBytes(32).toString('base64url')) as [
  string,
  string,
  string,
];

beforeEach(() => vi.resetModules());

async function doorWith(keys: string) {
  Object.assign(process.env, {
    WEBHOOK_KEY: keys,
    DATABASE_URL: 'postgresql://u@127.0.0.1:1/x',
    AUTH_SECRET: 'a'.repeat(32),
    DATA_KEY: 'd'.repeat(32),
    CARD_MERCHANT_KEY: 'm',
    CARD_APP_ID: 'a',
    CARD_APP_SECRET: 's',
    WALLET_CLIENT_ID: 'c',
    WALLET_CLIENT_SECRET: 's',
  });
  return (await import('./endpoint.ts')).isKnownEndpoint;
}

test('the webhook endpoint accepts the new key and temporarily the old one, for its own channel only', async () => {
  const knows = await doorWith(`${fresh},${old}`);
  for (const key of [fresh, old])
    for (const channel of ['wallet', 'card']) expect(knows(key, channel)).toBe(true);
  for (const key of [gone, '', `${fresh},${old}`, fresh.slice(1), `${fresh}x`, fresh.toUpperCase()])
    expect(knows(key, 'wallet'), key).toBe(false);
  expect(knows(fresh, 'transfer')).toBe(false);
});

test('an old key that was taken out opens nothing', async () => {
  expect((await doorWith(fresh))(old, 'wallet')).toBe(false);
});

test('a list with a weak key in it is refused', async () => {
  await expect(doorWith(`${fresh},short`).then((knows) => knows(fresh, 'wallet'))).rejects.toThrow(
    /WEBHOOK_KEY.*needs at least 32/,
  );
});
