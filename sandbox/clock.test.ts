import { afterAll, beforeAll, expect, it } from 'vitest';
import { isTurkishIban } from './iban.ts';
import { Sandbox } from './testing/sandbox.ts';

let box: Sandbox;
beforeAll(async () => {
  box = await new Sandbox().start();
});
afterAll(() => box.stop());

type Clock = { now: string; real_now: string; offset_ms: number };
type Line = { kind: string; at: string; iban: string | null };
const DAY_MS = 86_400_000;
const ledger = async () => (await box.get('ledger?limit=10000')) as Line[];

it('a reset that names a past moment begins there, and the clock goes on to the real time', async () => {
  const from = new Date(Date.now() - 30 * DAY_MS).toISOString();
  const begun = (await box.post('reset', { now: from })) as unknown as Clock;
  expect(Date.parse(begun.now) - Date.parse(from)).toBeLessThan(10_000);
  const later = (await box.post('clock', { advance: '10d' })) as unknown as Clock;
  expect(Date.parse(later.now) - Date.parse(begun.now)).toBeGreaterThanOrEqual(10 * DAY_MS);
  const real = (await box.post('clock', { now: 'real' })) as unknown as Clock;
  expect(real).toMatchObject({ offset_ms: 0, now: real.real_now });
});

it('a clock that is ahead goes back to the real time only by a reset', async () => {
  await box.post('reset');
  await box.post('clock', { advance: '1h' });
  await expect(box.post('clock', { now: 'real' })).rejects.toThrow('400');
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  await expect(box.post('reset', { now: tomorrow })).rejects.toThrow('400');
  await expect(box.post('reset', { now: 'yesterday' })).rejects.toThrow('400');
});

it('the merchant pays one payout elsewhere after the moment at which its own program begins', async () => {
  const from = Date.now() - 30 * DAY_MS;
  await box.post('reset', { now: new Date(from).toISOString() });
  const lines = await ledger();
  const later = lines.filter(({ kind, at }) => kind === 'payout' && Date.parse(at) >= from);
  expect(later).toHaveLength(1);
});

it('every payee of the seeded months has an IBAN that exists', async () => {
  await box.post('reset');
  const lines = await ledger();
  const ibans = lines.filter(({ kind }) => kind === 'payout').map(({ iban }) => iban ?? '');
  expect(ibans.length).toBeGreaterThan(100);
  expect(ibans.filter((iban) => !isTurkishIban(iban))).toEqual([]);
});
