import { afterAll, beforeAll, expect, it } from 'vitest';
import { hashKeyAgrees, makeHashKey } from '#lib/providers/card/hash-key.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { HASH_PARTS } from './hash-parts.ts';

/**
 * Hash keys for developers, made and read with the merchant's secret (here `test`). Only the owner
 * may do this.
 */

const SECRET = 'test';

let merchant: TestMerchant;
let web: Process;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, close } = await openProduct());
});
afterAll(() => close());

const ORDER = {
  total: '100.00',
  installments_number: '1',
  currency_code: 'TRY',
  invoice_id: 'F-1',
};
const merchantKey = () => process.env['CARD_MERCHANT_KEY']!;
const make = (
  parts: Record<string, string>,
  role: Parameters<TestMerchant['person']>[0] = 'owner',
) => web.hashKeys.makeHashKeyFor(merchant.person(role), 'payment', parts);
const check = (hashKey: string, parts: Record<string, string>) =>
  web.hashKeys.checkHashKey(merchant.person('owner'), 'payment', hashKey, parts);

it('a key that was made here is one the gateway would accept, and reads back as what went into it', async () => {
  const hashKey = await make(ORDER);
  expect(hashKeyAgrees(SECRET, hashKey, ['100.00', '1', 'TRY', merchantKey(), 'F-1'])).toBe(true);
  expect(await check(` ${hashKey}\n`, { ...ORDER, total: '100' })).toMatchObject({
    kind: 'read',
    agrees: true,
  });
  const other = await check(hashKey, { ...ORDER, total: '100.01', invoice_id: '' });
  expect(other).toMatchObject({ kind: 'read', agrees: false });
  expect(other.kind === 'read' && other.parts.map((part) => part.agrees)).toEqual([
    false,
    true,
    true,
    true,
    null,
  ]);
});

it('whatever is wrong with a pasted key, there is one answer', async () => {
  const good = makeHashKey(
    SECRET,
    HASH_PARTS.payment.map(() => 'x'),
  );
  const [iv, salt, cipher] = good.split(':') as [string, string, string];
  const wrong = [
    '',
    'x',
    good.slice(0, -4),
    `${iv}:${salt}:AAAA${cipher.slice(4)}`,
    `${salt}:${iv}:${cipher}`,
    makeHashKey('another', ['1', '1', '1', '1', '1']),
    makeHashKey(SECRET, ['only', 'two']),
    makeHashKey(SECRET, ['six', '2', '3', '4', '5', '6']),
    'A'.repeat(5_000),
  ];
  for (const hashKey of wrong)
    expect(await check(hashKey, ORDER), hashKey.slice(0, 60)).toEqual({ kind: 'unreadable' });
});

it('a card number is neither taken nor shown', async () => {
  await expect(make({ ...ORDER, invoice_id: '4508 0345 0803 4509' })).rejects.toMatchObject({
    code: 'card_number_typed',
  });
  await expect(check('x', { ...ORDER, invoice_id: '4508034508034509' })).rejects.toMatchObject({
    code: 'card_number_typed',
  });
  const found = await check(
    makeHashKey(SECRET, ['1', '1', 'TRY', merchantKey(), '4508034508034509']),
    {},
  );
  expect(JSON.stringify(found)).not.toContain('4508034508034509');
});

it('parts that two requests could share one key by are refused, as are those that only the gateway makes', async () => {
  for (const invoice_id of ['', ' ', 'a|b', 'x'.repeat(256)])
    await expect(make({ ...ORDER, invoice_id })).rejects.toMatchObject({
      code: 'hash_part',
      params: { part: 'invoice_id' },
    });
  await expect(
    web.hashKeys.makeHashKeyFor(merchant.person('owner'), 'result', {}),
  ).rejects.toMatchObject({ code: 'not_found' });
});

it('only the owner makes and reads, and the trail knows for which request, not with what', async () => {
  for (const role of ['clerk', 'approver', 'support', 'auditor'] as const) {
    await expect(make(ORDER, role)).rejects.toMatchObject({ code: 'not_allowed' });
    await expect(
      web.hashKeys.checkHashKey(merchant.person(role), 'payment', 'x', {}),
    ).rejects.toMatchObject({ code: 'not_allowed' });
  }
  await web.hashKeys.makeHashKeyFor(merchant.person('owner'), 'refund', {
    amount: '77777.12',
    invoice_id: 'SECRETLY-1',
  });
  const { rows } = await merchant.owner.query<{ text: string }>(
    `SELECT row_to_json(a)::text AS text FROM audit_entries a WHERE merchant_id = $1
      AND action = 'card.hash_made' ORDER BY seq`,
    [merchant.merchantId],
  );
  expect(rows.at(-1)!.text).toContain('refund');
  expect(rows.map((row) => row.text).join()).not.toMatch(/SECRETLY|77777\.12|100\.00/);
});
