import { afterAll, beforeAll, expect, it } from 'vitest';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Acknowledge from './acknowledge.ts';
import { rowOf, setColumns, storedMovement } from './testing/stored.ts';

let merchant: TestMerchant;
let web: Process;
let acknowledge: typeof Acknowledge.acknowledgeAlert;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  ({ acknowledgeAlert: acknowledge } = await import('./acknowledge.ts'));
});
afterAll(async () => {
  await web.db.disconnect();
  await merchant.close();
});

it('a flag that a person has seen no longer asks; state, flag and its locks stay, and it is audited', async () => {
  const id = await storedMovement(merchant, 'REJECTED', { alert: 'contradiction' });
  const before = await rowOf(merchant, id);
  expect(before.bucket).toBe('attention');
  for (const role of ['clerk', 'support', 'auditor'] as const)
    await expect(
      acknowledge(merchant.person(role), id, 'contradiction', 'asked the provider'),
      role,
    ).rejects.toMatchObject({ code: 'not_allowed' });
  await expect(
    acknowledge(merchant.person('approver'), id, 'contradiction', ' '),
    'a reason',
  ).rejects.toMatchObject({ code: 'stop_reason_needed' });
  await expect(
    acknowledge(merchant.person('approver'), id, 'mismatch', 'asked the provider'),
    'the flag that was seen',
  ).rejects.toMatchObject({ code: 'alert_changed' });
  await acknowledge(merchant.person('approver'), id, 'contradiction', 'asked the provider');
  expect(await rowOf(merchant, id)).toMatchObject({
    bucket: 'failed',
    state: 'REJECTED',
    alert: 'contradiction',
    returned: before.returned,
    next_at: before.next_at,
    alert_seen_reason: 'asked the provider',
  });
  await expect(
    merchant.owner.query(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, retry_of, wallet, iban, name,
        tax_number, amount_minor, currency, payment_type, description, content_hash, maker_id)
    SELECT gen_random_uuid(), merchant_id, kind, 'X' || ext_id, 'DRAFT', id, wallet, iban, name,
      tax_number, amount_minor, currency, payment_type, description, content_hash, maker_id
      FROM movements WHERE id = $1`,
      [id],
    ),
    'paying again stays locked',
  ).rejects.toThrow(/provably did not happen/);
  const { rows } = await merchant.owner.query(
    `SELECT body::jsonb #>> '{detail,alert}' AS alert, actor FROM audit_entries
      WHERE merchant_id = $1 AND action = 'movement.attention_seen'`,
    [merchant.merchantId],
  );
  expect(rows).toEqual([
    { alert: 'contradiction', actor: `person:${merchant.person('approver').personId}` },
  ]);
});

it('another flag on the same movement asks anew', async () => {
  const id = await storedMovement(merchant, 'COMPLETED', { alert: 'return_not_confirmed' });
  await acknowledge(merchant.person('owner'), id, 'return_not_confirmed', 'the notice was forged');
  await setColumns(merchant, id, { next_at: null });
  expect((await rowOf(merchant, id)).bucket).toBe('completed');
  await setColumns(merchant, id, { alert: 'contradiction' });
  expect(await rowOf(merchant, id)).toMatchObject({
    bucket: 'attention',
    alert_seen_at: null,
    alert_seen_by: null,
    alert_seen_reason: null,
  });
});
