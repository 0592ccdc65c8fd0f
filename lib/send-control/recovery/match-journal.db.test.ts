import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { storedPayment } from '#lib/cards/operations/testing/payments.ts';
import { minor } from '#lib/values/money.ts';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { readyMovements, rowOf, storedMovement, testIban } from '#lib/movements/testing/stored.ts';
import type * as Entries from '#lib/begin-check/journal-entry.ts';
import { openSendJournal } from '#lib/begin-check/send-journal.ts';
import type { SendJournalEntry } from '#lib/begin-check/send-journal.ts';
import { openProcess, testMerchant } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Match from './match-journal.ts';

/** Compares our own send journal with a restored database, kind by kind. */

let merchant: TestMerchant;
let web: Process;
let worker: Process;
let match: typeof Match;
let entries: typeof Entries;
let folder: string;
let recovery: string;

beforeAll(async () => {
  merchant = await testMerchant();
  web = await openProcess('dashboard_web');
  worker = await openProcess('dashboard_worker');
  match = await import('./match-journal.ts');
  entries = await import('#lib/begin-check/journal-entry.ts');
});
afterAll(async () => {
  await Promise.all([web, worker].map((side) => side.db.disconnect()));
  await merchant.close();
});
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sends-'));
  await merchant.owner.query('DELETE FROM recovered_records WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
      VALUES ($1, 'asked', clock_timestamp(), now() - interval '1 day', now()) RETURNING id`,
    [merchant.merchantId],
  );
  recovery = rows[0]!.id;
  return () => rmSync(folder, { recursive: true, force: true });
});

async function compared(...lines: SendJournalEntry[]) {
  const journal = openSendJournal({ folder, writer: randomUUID() });
  for (const line of lines) expect(await journal.append(line)).toBe(true);
  await journal.close();
  return match.matchJournal(
    fakePorts(merchant.merchantId, fakeProvider()),
    recovery,
    folder,
    new Date(Date.now() - 60_000),
  );
}
const line = (
  kind: string,
  reference: string,
  more: Partial<SendJournalEntry> & { payee?: string } = {},
): SendJournalEntry => {
  const { payee = 'payee', ...rest } = more;
  return {
    ...entries.journalEntry({ kind, reference, amountMinor: 12_345n, currency: 'TRY', payee }),
    ...rest,
  };
};
const kept = async () =>
  (
    await merchant.owner.query(
      'SELECT finding, kind, ext_id, amount_minor FROM recovered_records WHERE merchant_id = $1 ORDER BY id',
      [merchant.merchantId],
    )
  ).rows;
const extIdOf = async (id: string) => (await rowOf(merchant, id)).ext_id as string;

describe('a line of a send that the books have forgotten', () => {
  it('is kept with kind, reference and amount, once, whatever its kind', async () => {
    const kinds = ['payout', 'transfer_own', 'card_capture', 'card_refund', 'cashout'];
    const lines = [
      ...kinds.map((kind) => line(kind, `LOST-${kind}`)),
      line('plan_charge', randomUUID()),
      line('card_charge', 'K-1'),
    ];
    const facts = await compared(...lines);
    expect(facts).toEqual({ files: 1, lines: 7, unreadable: 0, missing: 0 });
    await compared();
    expect(await kept()).toEqual(
      lines.map((one) => ({
        finding: 'foreign',
        kind: one.kind,
        ext_id: one.reference,
        amount_minor: '12345',
      })),
    );
  });

  it('locks the same payment to the same payee until a person has looked, and is warned of afterwards', async () => {
    const iban = testIban();
    await compared(line('cashout', 'LOST-1', { payee: iban }));
    const findings = async (): Promise<string[]> => {
      const { recipientFacts } = await import('#lib/payouts/facts.ts');
      const { checkPayout } = await import('#lib/payouts/rules.ts');
      const facts = await recipientFacts(merchant.person('clerk'), {
        iban,
        name: null,
        taxNumber: null,
        wallet: null,
      });
      return checkPayout({
        content: { iban, amountMinor: minor(12_345n) },
        wallet: null,
        paymentType: null,
        recent: facts.recent,
        foreign: facts.foreign,
        lastSendToIbanAt: null,
        limitLeft: null,
        fee: null,
        now: facts.at,
      }).map((one) => one.code);
    };
    expect(await findings()).toContain('foreign_same_amount');
    const { rows } = await merchant.owner.query<{ id: string }>(
      'SELECT id FROM recovered_records WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    await web.acknowledge.acknowledgeRecord(
      merchant.person('owner'),
      rows[0]!.id,
      'paid, seen in the panel',
    );
    expect(await findings()).toContain('foreign_known');
  });

  it('of a row that still waits makes its outcome unknown: it is not sent a second time', async () => {
    const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000 })) as [string];
    await compared(line('payout', await extIdOf(id), { attempt: 1 }));
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'UNKNOWN',
      sends: 1,
      ever_ambiguous: true,
    });
    await compared();
    expect(await kept()).toMatchObject([{ finding: 'brought_forward' }]);
  });

  it('of a row that waits after an earlier send that the books know of makes its outcome unknown too', async () => {
    const [id] = (await readyMovements(merchant, 1, { dueInMs: 3_600_000 })) as [string];
    await merchant.owner.query(
      `UPDATE movements SET state = 'SUBMITTING', sends = 1, last_send_at = clock_timestamp() WHERE id = $1`,
      [id],
    );
    await merchant.owner.query(`UPDATE movements SET state = 'APPROVED' WHERE id = $1`, [id]);
    await merchant.owner.query(
      `INSERT INTO attempts (merchant_id, movement_id, n, body_hash, lease_token) VALUES ($1, $2, 1, 'h', $3)`,
      [merchant.merchantId, id, randomUUID()],
    );
    const reference = await extIdOf(id);
    await compared(
      line('payout', reference, { attempt: 1 }),
      line('payout', reference, { attempt: 2 }),
    );
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'UNKNOWN',
      sends: 2,
      ever_ambiguous: true,
    });
    expect(await kept()).toMatchObject([{ finding: 'brought_forward', ext_id: reference }]);
  });

  it('keeps its recovery open until a person has seen it', async () => {
    await merchant.owner.query(
      `UPDATE recoveries SET scanned_at = clock_timestamp() WHERE id = $1`,
      [recovery],
    );
    const { recoveryMayEnd } = await import('./ready.ts');
    const mayEnd = () =>
      web.db
        .inTransaction(merchant.merchantId, (tx) => recoveryMayEnd(tx as never))
        .then(
          () => 'may end',
          (error: { code?: string }) => error.code,
        );
    expect(await mayEnd()).toBe('may end');
    await compared(line('cashout', 'LOST-UNSEEN'));
    expect(await mayEnd()).toBe('recovery_unseen');
    const { rows } = await merchant.owner.query<{ id: string }>(
      'SELECT id FROM recovered_records WHERE merchant_id = $1',
      [merchant.merchantId],
    );
    await web.acknowledge.acknowledgeRecord(
      merchant.person('owner'),
      rows[0]!.id,
      'seen in the panel',
    );
    expect(await mayEnd()).toBe('may end');
  });

  it('leaves a waiting plan charge to its plan’s record, even one read before the comparison', async () => {
    const charge = (number: number, status: string) => ({
      id: null,
      orderId: `O-${number}`,
      number,
      amountMinor: '12340',
      status,
      at: null,
      attempts: null,
      remarks: null,
    });
    const {
      rows: [row],
    } = await merchant.owner.query<{ id: string; plan_id: string }>(
      `WITH plan AS
        (INSERT INTO recurring_plans (merchant_id, plan_code, source, status, currency,
        recurring_minor, payments, charges) VALUES ($1, gen_random_uuid()::text, 'payment',
        'active', 'TRY', 12340, 3, $3) RETURNING id)
       INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, number, amount_minor,
         currency) SELECT gen_random_uuid(), $1, id, $2, 2, 12340, 'TRY' FROM plan RETURNING id, plan_id`,
      [
        merchant.merchantId,
        merchant.person('clerk').personId,
        JSON.stringify([charge(1, 'completed'), charge(2, 'completed'), charge(3, 'pending')]),
      ],
    );
    await compared(line('plan_charge', row!.id));
    const {
      rows: [after],
    } = await merchant.owner.query('SELECT state, charges_before FROM plan_charges WHERE id = $1', [
      row!.id,
    ]);
    expect(after).toMatchObject({
      state: 'UNKNOWN',
      charges_before: [
        { number: 1, status: 'completed' },
        { number: 2, status: 'pending' },
        { number: 3, status: 'pending' },
      ],
    });
  });

  it('of a card payment made here marks it as sent', async () => {
    const invoice = `K-${randomUUID()}`;
    const id = await storedPayment(merchant, {
      invoice_id: invoice,
      source: 'made_here',
      kind: 'non_secure',
      content: '{}',
      content_hash: 'h',
      added_by: merchant.person('clerk').personId,
    });
    await compared(line('card_charge', invoice));
    const { rows } = await merchant.owner.query(
      'SELECT sent_at IS NOT NULL AS sent FROM card_payments WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ sent: true }]);
    expect(await kept()).toMatchObject([{ finding: 'brought_forward', kind: 'card_charge' }]);
  });

  it('of a row that was cancelled since contradicts the books, and a person has to look', async () => {
    const id = await storedMovement(merchant, 'CANCELLED');
    await compared(line('payout', await extIdOf(id), { attempt: 1 }));
    expect(await kept()).toMatchObject([{ finding: 'contradiction' }]);
  });
});

it('a line of a send that the books know of changes nothing', async () => {
  const id = await storedMovement(merchant, 'PENDING');
  await compared(line('payout', await extIdOf(id), { attempt: 1 }));
  expect(await kept()).toEqual([]);
  expect(await rowOf(merchant, id)).toMatchObject({ state: 'PENDING', sends: 1 });
});

it('sends of the books that the journal lacks are counted: it is another machine’s', async () => {
  await storedMovement(merchant, 'PENDING', { accepted_at: new Date(), last_send_at: new Date() });
  expect((await compared(line('payout', 'LOST-9'))).missing).toBe(1);
});

it('taken charges of plans and approved card payments that the journal lacks are counted too', async () => {
  const { missing } = await compared();
  const plan = await merchant.owner.query<{ id: string }>(
    `INSERT INTO recurring_plans (merchant_id, plan_code, source, status, currency,
      recurring_minor, payments) VALUES ($1, gen_random_uuid()::text, 'payment', 'active', 'TRY',
      12340, 3) RETURNING id`,
    [merchant.merchantId],
  );
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, amount_minor, currency)
      VALUES ($1, $2, $3, $4, 12340, 'TRY')`,
    [id, merchant.merchantId, plan.rows[0]!.id, merchant.person('clerk').personId],
  );
  await merchant.owner.query(
    `UPDATE plan_charges SET state = 'SENDING', sent_at = now(), charges_before = '[]' WHERE id = $1`,
    [id],
  );
  for (const state of ['APPROVED', 'CHARGED']) {
    await merchant.owner.query('UPDATE plan_charges SET state = $2 WHERE id = $1', [id, state]);
    expect((await compared()).missing, state).toBe(missing + 1);
  }
  await storedPayment(merchant, {
    invoice_id: `K-${randomUUID()}`,
    source: 'made_here',
    kind: 'non_secure',
    content: '{}',
    content_hash: 'h',
    added_by: merchant.person('clerk').personId,
    sent_at: new Date(),
    answer: 'approved',
  });
  expect((await compared()).missing).toBe(missing + 2);
  expect((await compared(line('plan_charge', id))).missing).toBe(missing + 1);
});
