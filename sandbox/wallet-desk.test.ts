import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { MAIN_WALLET, Sandbox } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());
beforeEach(() => box.post('reset'));

const OTHER = '4410270002';
const move = (fields: Record<string, unknown>) => box.post(`wallets/${MAIN_WALLET}/move`, fields);

it('another program moves all money to another wallet, and a part of it back; the books balance', async () => {
  const before = (await box.wallet()).available;
  const { amount } = await move({ to: OTHER });
  expect((await box.wallet()).available).toBe('0.00');
  await box.post(`wallets/${OTHER}/move`, { to: MAIN_WALLET, amount: before });
  expect((await box.wallet()).available).toBe(before);
  expect(Number(amount)).toBe(Number(before));
});

it('more than there is, another currency or no wallet is refused', async () => {
  await expect(move({ to: OTHER, amount: '99999999999.00' })).rejects.toThrow('400');
  await expect(move({ to: '4410270005' })).rejects.toThrow('404');
  await expect(move({ to: MAIN_WALLET })).rejects.toThrow('404');
});
