import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROLES } from '#lib/access/actor.ts';
import type { Role } from '#lib/access/actor.ts';
import { rowOf, storedMovement } from '#lib/movements/testing/stored.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { NO_FILTER } from './filter.ts';

/** Which role sees a payee's numbers in full, wherever the data layer returns them. */

const IBAN = 'TR330006100519786457841326';
const MASKED = 'TR**…1326';
const TAX = '10000000146';
const BODY = `{"ext_transaction_id":"x","to_iban":"${IBAN}","reason":"TR33 0006 1005 1978 6457 8413 26"}`;

let merchant: TestMerchant;
let web: Process;
let id: string;
let receipt: string;
let notice: string;

beforeAll(async () => {
  merchant = await testMerchant();
  id = await storedMovement(merchant, 'COMPLETED', { ended_at: new Date() }, { iban: IBAN });
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO receipts (merchant_id, movement_id, state) VALUES ($1, $2, 'WAITING') RETURNING id`,
    [merchant.merchantId, id],
  );
  receipt = rows[0]!.id;
  await merchant.owner.query(
    `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, raw, state_before,
      state_after) VALUES ($1, $2, 'read', 'read', '{}', $3, 'PENDING', 'COMPLETED')`,
    [merchant.merchantId, id, `{"iban":"${IBAN}","tax":"${TAX}"}`],
  );
  const kept = await merchant.owner.query<{ id: string }>(
    `INSERT INTO notices (merchant_id, channel, body_hash, body, movement_id)
      VALUES ($1, 'wallet', sha256('n'), $2, $3) RETURNING id::text`,
    [merchant.merchantId, BODY, id],
  );
  notice = kept.rows[0]!.id;
  web = await openProcess('dashboard_web');
});
afterAll(async () => {
  await Promise.all([web.db.disconnect(), merchant.close()]);
});

async function seenBy(role: Role) {
  const actor = merchant.person(role);
  const { viewMovement } = await import('#lib/movement-views/view.ts');
  const { listPayouts } = await import('./list.ts');
  const { viewReceipt } = await import('#lib/receipts/view.ts');
  const { viewWebhook: viewNotice } = await import('#lib/webhooks/list.ts');
  const payout = (await viewMovement(actor, id))!;
  const list = await listPayouts(actor, { filter: NO_FILTER, place: null });
  const { listReceipts } = await import('#lib/receipts/list.ts');
  const every = { view: 'all', batch: null, from: null, to: null, text: '' } as const;
  const paper = (await viewReceipt(actor, receipt, every))!;
  const papers = await listReceipts(actor, { filter: every, place: null });
  const shown = (await viewNotice(actor, notice))!;
  const all = JSON.stringify([payout, list, paper, papers, shown]).replaceAll(
    /(?<=\d|TR) (?=\d)/g,
    '',
  );
  return {
    iban: payout.payee,
    taxNumber: payout.taxNumber,
    listed: list.rows[0]!.iban,
    onReceipt: paper.iban,
    receiptListed: papers.rows[0]!.iban,
    anywhere: [IBAN, TAX].filter((secret) => all.includes(secret)),
  };
}

describe('a payee’s numbers', () => {
  test.each(ROLES)('as %s sees them', async (role) => {
    const whole = {
      iban: IBAN,
      taxNumber: TAX,
      listed: IBAN,
      onReceipt: IBAN,
      receiptListed: IBAN,
      anywhere: [IBAN, TAX],
    };
    const masked = {
      iban: MASKED,
      taxNumber: '*********46',
      listed: MASKED,
      onReceipt: MASKED,
      receiptListed: MASKED,
      anywhere: [],
    };
    expect(await seenBy(role)).toEqual(
      { clerk: whole, approver: whole, owner: whole, auditor: whole, support: masked }[role],
    );
  });

  test('are found by a part of the IBAN only by who may see the whole', async () => {
    const { listPayouts } = await import('./list.ts');
    const { listReceipts } = await import('#lib/receipts/list.ts');
    const found = async (role: Role, text: string): Promise<[number, number]> => {
      const actor = merchant.person(role);
      const receipts = await listReceipts(actor, {
        filter: { view: 'all', batch: null, from: null, to: null, text },
        place: null,
      });
      return [
        (await listPayouts(actor, { filter: { ...NO_FILTER, text }, place: null })).rows.length,
        receipts.rows.length,
      ];
    };
    const { ext_id: reference } = await rowOf(merchant, id);
    // Payouts are found by the whole, the beginning and the end; receipts by any part, and by the
    // beginning of their payout's reference, which is random.
    for (const [text, payouts, support] of [
      [IBAN, 1, 1],
      ['1326', 1, 1],
      ['TR33 0006', 1, 0],
      ['0006100519', 0, 0],
      ['8413', 0, 0],
      ['841326', 0, 0],
    ] as const) {
      expect(await found('clerk', text), text).toEqual([payouts, 1]);
      const byReference = (reference as string).startsWith(text) ? 1 : 0;
      expect(await found('support', text), text).toEqual([support, support || byReference]);
    }
  });
});
