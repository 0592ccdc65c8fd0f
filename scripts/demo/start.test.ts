import { expect, test } from 'vitest';
import { paysOnlyInSandbox } from './start.ts';

const SANDBOX = 'http://127.0.0.1:4010';
const DEMO = {
  SANDBOX: 'on',
  CARD_BASE_URL: `${SANDBOX}/card`,
  WALLET_AUTH_URL: `${SANDBOX}/wallet/auth`,
  WALLET_API_URL: `${SANDBOX}/wallet/api`,
};

test('a history is written where every provider is the sandbox', () => {
  expect(paysOnlyInSandbox(DEMO, SANDBOX)).toBe(true);
});

test.each([
  ['the sandbox is off', { SANDBOX: 'off' }],
  ['the card gateway is a real one', { CARD_BASE_URL: 'https://gateway.test/card' }],
  ['the wallet service is a real one', { WALLET_API_URL: 'https://wallet.test/api' }],
  ['its tokens come from elsewhere', { WALLET_AUTH_URL: 'https://wallet.test/auth' }],
  ['an address only begins like the sandbox', { CARD_BASE_URL: `${SANDBOX}1/card` }],
  ['an address is missing', { WALLET_API_URL: undefined }],
])('no history is written where %s', (_what, change) => {
  expect(paysOnlyInSandbox({ ...DEMO, ...change }, SANDBOX)).toBe(false);
});
