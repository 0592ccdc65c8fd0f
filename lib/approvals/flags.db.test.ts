import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedMovement } from '#lib/movements/testing/stored.ts';
import { adopt, anIban, aRule, openDesk, prepare, unguarded } from './testing/desk.ts';
import type { Desk } from './testing/desk.ts';

/** What is unusual about a payment that waits, by what our own books say of its recipient. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
  await adopt(desk, [aRule()]);
});
afterAll(() => desk.close());

const LARGEST = 1_500_000n;

/** A recipient with completed payments of these amounts. */
async function paidBefore(...amounts: bigint[]): Promise<{ iban: string; ids: string[] }> {
  const iban = anIban();
  const ids: string[] = [];
  for (const amountMinor of amounts)
    ids.push(await storedMovement(desk.merchant, 'COMPLETED', {}, { iban, amountMinor }));
  return { iban, ids };
}
async function flagsOf(iban: string, amountMinor: bigint): Promise<string[]> {
  const id = await prepare(desk, { iban, name: 'Ayşe Yılmaz', amountMinor });
  const who = desk.merchant.person('approver');
  return (await desk.list.waitingMovements(who, { ids: [id] }))[0]!.flags;
}

it('an amount of more than three times the largest of three payments to the IBAN', async () => {
  const { iban } = await paidBefore(100n, LARGEST, 100n);
  expect(await flagsOf(iban, 3n * LARGEST + 1n)).toContain('unusual_amount');
  expect(await flagsOf(iban, 3n * LARGEST), 'three times').not.toContain('unusual_amount');
});

it('is not unusual to whom fewer were paid: other currencies, years and returns do not count', async () => {
  const two = await paidBefore(100n, 100n);
  expect(await flagsOf(two.iban, 3n * LARGEST)).not.toContain('unusual_amount');
  for (const change of [
    "currency = 'USD'",
    "created_at = created_at - interval '13 months'",
    "returned = 'CONFIRMED'",
    "state = 'FAILED'",
  ]) {
    const { iban, ids } = await paidBefore(100n, 100n, 100n);
    await unguarded(desk, `UPDATE movements SET ${change} WHERE id = '${ids[0]}'`);
    expect(await flagsOf(iban, 3n * LARGEST), change).not.toContain('unusual_amount');
  }
});
