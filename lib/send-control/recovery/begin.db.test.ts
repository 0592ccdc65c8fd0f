import { beforeAll, expect, it } from 'vitest';
import { openProduct } from '#lib/testing/database.ts';
import type { TestMerchant } from '#lib/testing/database.ts';
import type * as Begin from './begin.ts';

/** A person reports that a backup was restored. */

const TYPED = 'Ayşe gece yedeğini geri yükledi';
let merchant: TestMerchant;
let begin: typeof Begin;

beforeAll(async () => {
  const product = await openProduct(0);
  ({ merchant } = product);
  begin = await import('./begin.ts');
  return product.close;
});

it('a recovery’s typed text is an erasable personal value, and the signed text only a commitment', async () => {
  await begin.askRecovery(merchant.person('owner'), TYPED);
  const { rows } = await merchant.owner.query<{ seq: string; body: string }>(
    `SELECT seq, body FROM audit_entries WHERE merchant_id = $1 AND action = 'sending.recovery_began'`,
    [merchant.merchantId],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]!.body).not.toContain(TYPED);
  expect(JSON.parse(rows[0]!.body).personal.reason).toMatch(/^[0-9a-f]{64}$/);
  const kept = await merchant.owner.query(
    'SELECT value FROM audit_personal WHERE merchant_id = $1 AND seq = $2 AND field = $3',
    [merchant.merchantId, rows[0]!.seq, 'reason'],
  );
  expect(kept.rows).toEqual([{ value: TYPED }]);
});
