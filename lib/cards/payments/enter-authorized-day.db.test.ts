import { afterAll, beforeAll, expect, it } from 'vitest';
import { storedPayment } from '../operations/testing/payments.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/**
 * An authorization of unknown age cannot be captured until a person enters its day. A known age
 * cannot be changed.
 */

let merchant: TestMerchant;
let web: Process;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, close } = await openProduct());
});
afterAll(() => close());

const name = (paymentId: string, heldOn: string, role: 'clerk' | 'support' | 'auditor' = 'clerk') =>
  web.nameDay.enterAuthorizedDay(merchant.person(role), { paymentId, heldOn });
const since = async (id: string) =>
  (
    await merchant.owner.query<{ held_since: Date | null }>(
      'SELECT held_since FROM card_payments WHERE id = $1',
      [id],
    )
  ).rows[0]!.held_since?.toISOString() ?? null;

it('a named day starts at midnight in Istanbul, is stored with its author, and causes a new look', async () => {
  const id = await storedPayment(merchant, { state: 'held' });
  await name(id, '2026-03-06');
  expect(await since(id)).toBe('2026-03-05T21:00:00.000Z');
  const view = await web.cardView.viewCardPayment(merchant.person('auditor'), id);
  expect(view!.observations).toMatchObject([
    { source: 'person', kind: 'day_named', detail: { by: 'clerk', heldOn: '2026-03-06' } },
  ]);
  expect(view!.nextAt).not.toBeNull();
  const { rows } = await merchant.owner.query(
    `SELECT actor FROM audit_entries WHERE merchant_id = $1 AND action = 'card.day_named' AND subject = $2`,
    [merchant.merchantId, `card:${id}`],
  );
  expect(rows).toEqual([{ actor: `person:${merchant.person('clerk').personId}` }]);
});

it('an age that is known is moved by nobody, and two at once name it once', async () => {
  const id = await storedPayment(merchant, { state: 'held' });
  const tries = await Promise.allSettled(
    ['2026-03-06', '2026-03-07', '2026-03-08'].map((day) => name(id, day)),
  );
  expect(tries.filter((one) => one.status === 'fulfilled')).toHaveLength(1);
  const known = await since(id);
  await expect(name(id, '2026-03-01')).rejects.toMatchObject({ code: 'hold_age_known' });
  expect(await since(id)).toBe(known);
});

it('a day that is none or has not come, and a role that captures nothing, change nothing', async () => {
  const id = await storedPayment(merchant, { state: 'held' });
  for (const day of ['', '2026-02-30', '2999-01-01'])
    await expect(name(id, day)).rejects.toMatchObject({ code: 'held_on_unreadable' });
  for (const role of ['support', 'auditor'] as const)
    await expect(name(id, '2026-03-06', role)).rejects.toMatchObject({ code: 'not_allowed' });
  expect(await since(id)).toBeNull();
});
