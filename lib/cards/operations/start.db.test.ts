import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeRecord, RecordOutcome } from '#lib/providers/card/types.ts';
import { setColumns } from '#lib/movements/testing/stored.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { aRecord, storedPayment } from './testing/payments.ts';

/**
 * Starting a card operation: it is stored once, only if the gateway's current record allows it, and
 * only one at a time for each order.
 */

let merchant: TestMerchant;
let web: Process;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ merchant, web, close } = await openProduct());
});
afterAll(() => close());

const clerk = () => merchant.person('clerk');
const says = (record: RecordOutcome) => ({ readRecord: async () => record });
const held = (more: Partial<ChargeRecord> = {}) => says(aRecord({ state: 'held', ...more }));
const taken = (refundedMinor = 0n) =>
  says(aRecord({ state: refundedMinor > 0n ? 'partly_refunded' : 'completed', refundedMinor }));
const hold = (columns: Record<string, unknown> = {}) =>
  storedPayment(merchant, {
    state: 'held',
    held_seen: true,
    held_since: new Date(Date.now() - 86_400_000),
    ...columns,
  });
const sale = (columns: Record<string, unknown> = {}) =>
  storedPayment(merchant, { state: 'completed', ...columns });
const storedFor = async (paymentId: string) =>
  (
    await merchant.owner.query(
      `SELECT kind, state, amount_minor::text AS amount, before_minor::text AS before, invoice_id
        FROM movements WHERE card_payment_id = $1 ORDER BY created_at`,
      [paymentId],
    )
  ).rows;

const capture = (
  paymentId: string,
  amountMinor: bigint,
  card: Parameters<Process['startCard']['startCapture']>[2],
  id = randomUUID(),
) => web.startCard.startCapture(clerk(), { id, paymentId, amountMinor }, card);
const refund = (
  paymentId: string,
  amountMinor: bigint,
  card: Parameters<Process['startCard']['startCapture']>[2],
  id = randomUUID(),
) => web.startCard.startRefund(clerk(), { id, paymentId, amountMinor, reason: 'geri geldi' }, card);
const release = (paymentId: string, card: Parameters<Process['startCard']['startCapture']>[2]) =>
  web.startCard.startVoid(clerk(), { id: randomUUID(), paymentId, reason: 'iptal' }, card);

describe('what is stored', () => {
  it('of a capture, a void and a refund is its payment, the named amount and the last record', async () => {
    const [one, two, three] = [await hold(), await hold(), await sale()];
    expect(await capture(one, 4_000n, held())).toMatchObject({ kind: 'started' });
    expect(await release(two, held())).toMatchObject({ kind: 'started' });
    expect(await refund(three, 2_500n, taken(3_000n))).toMatchObject({ kind: 'started' });
    expect(await storedFor(one)).toMatchObject([
      { kind: 'card_capture', state: 'APPROVED', amount: '4000', before: '10000' },
    ]);
    expect(await storedFor(two)).toMatchObject([
      { kind: 'card_release', state: 'APPROVED', amount: '10000', before: '10000' },
    ]);
    expect(await storedFor(three)).toMatchObject([
      { kind: 'card_refund', state: 'APPROVED', amount: '2500', before: '3000' },
    ]);
    expect(await web.cardOperations.operationsOf(merchant.person('auditor'), three)).toMatchObject([
      { operation: 'refund', amount: '25.00', maker: 'clerk@test', reason: 'geri geldi' },
    ]);
  });

  it('is not called unsent after a restore while it waits for a person or no journal rules a send out', async () => {
    const payment = await hold();
    await capture(payment, 4_000n, held());
    const unproven = async () =>
      (await web.cardOperations.operationsOf(clerk(), payment)).map((one) => one.isUnproven);
    expect(await unproven()).toEqual([false]);
    const recovered = async (journal: object | null) => {
      await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
        merchant.merchantId,
      ]);
      await merchant.owner.query(
        `INSERT INTO recoveries (merchant_id, why, scan_from, listed_by, began_at, ended_at, journal)
         VALUES ($1, 'asked', now(), now(), clock_timestamp(), clock_timestamp(), $2)`,
        [merchant.merchantId, journal && JSON.stringify(journal)],
      );
    };
    await recovered({ files: 1, lines: 1, unreadable: 0, missing: 0 });
    expect(await unproven(), 'waits for a person').toEqual([true]);
    await merchant.owner.query(
      `UPDATE movements SET state = 'CANCELLED' WHERE card_payment_id = $1`,
      [payment],
    );
    expect(await unproven(), 'a complete journal does not name it').toEqual([false]);
    await recovered(null);
    expect(await unproven(), 'no journal').toEqual([true]);
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
  });

  it('that the gateway refuses after a restore may have been done in the future that was lost', async () => {
    const payment = await hold();
    await capture(payment, 4_000n, held());
    const unproven = async () =>
      (await web.cardOperations.operationsOf(clerk(), payment)).map((one) => one.isUnproven);
    const set = (columns: string) =>
      merchant.owner.query(`UPDATE movements SET ${columns} WHERE card_payment_id = $1`, [payment]);
    await set(`state = 'SUBMITTING', sends = 1, last_send_at = clock_timestamp()`);
    await set(`state = 'REJECTED', reason_code = '49'`);
    const recoveredAt = async (began: string) => {
      await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
        merchant.merchantId,
      ]);
      await merchant.owner.query(
        `INSERT INTO recoveries (merchant_id, why, scan_from, listed_by, began_at, ended_at)
         SELECT $1, 'asked', now(), now(), ${began}, clock_timestamp()
         FROM movements WHERE card_payment_id = $2`,
        [merchant.merchantId, payment],
      );
    };
    await recoveredAt('clock_timestamp()');
    expect(await unproven(), 'refused before the restore').toEqual([false]);
    await recoveredAt('created_at + (last_send_at - created_at) / 2');
    expect(await unproven(), 'refused after the restore').toEqual([true]);
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
  });

  it('is one operation for one form, however often it is sent; another content under its id is refused', async () => {
    const payment = await hold();
    const id = randomUUID();
    const all = await Promise.all(
      Array.from({ length: 6 }, () => capture(payment, 4_000n, held(), id)),
    );
    expect(all).toEqual(Array.from({ length: 6 }, () => ({ kind: 'started', id })));
    expect(await storedFor(payment)).toHaveLength(1);
    await expect(capture(payment, 4_001n, held(), id)).rejects.toMatchObject({
      code: 'same_id_other_content',
    });
    await expect(refund(payment, 4_000n, held(), id)).rejects.toMatchObject({
      code: 'same_id_other_content',
    });
  });

  it('cannot be changed, and no second open operation of the payment gets past the database', async () => {
    const payment = await hold();
    await capture(payment, 4_000n, held());
    await expect(
      merchant.owner.query('UPDATE movements SET before_minor = 1 WHERE card_payment_id = $1', [
        payment,
      ]),
    ).rejects.toMatchObject({ code: 'MV004' });
    await expect(
      merchant.owner.query(
        `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name,
          tax_number, amount_minor, currency, payment_type, description, content_hash, maker_id,
          card_payment_id, invoice_id, before_minor)
       SELECT gen_random_uuid(), merchant_id, kind, ext_id || '2', 'DRAFT', wallet, iban, name,
         tax_number, amount_minor, currency, payment_type, description, content_hash, maker_id,
         card_payment_id, invoice_id, before_minor
       FROM movements WHERE card_payment_id = $1`,
        [payment],
      ),
    ).rejects.toMatchObject({ constraint: 'movements_card_open' });
  });
});

describe('what is stopped', () => {
  it('two people who take one hold at once: one capture, and the other is told', async () => {
    const payment = await hold();
    const both = await Promise.all([
      capture(payment, 10_000n, held()),
      web.startCard.startCapture(
        merchant.person('approver'),
        { id: randomUUID(), paymentId: payment, amountMinor: 10_000n },
        held(),
      ),
    ]);
    expect(both.map((one) => (one.kind === 'stopped' ? one.why : 'started')).sort()).toEqual([
      'one_open',
      'started',
    ]);
    expect(await storedFor(payment)).toHaveLength(1);
  });

  it.each([
    [
      'taken in another panel since it was looked at',
      {},
      aRecord({ state: 'captured' }),
      'changed_elsewhere',
    ],
    ['let go in another panel', {}, aRecord({ state: 'cancelled' }), 'changed_elsewhere'],
    [
      'not a hold at all',
      { state: 'completed', held_seen: false },
      aRecord({ state: 'completed' }),
      'not_held',
    ],
    ['nobody answers', {}, { kind: 'no_answer', why: 'timeout', raw: null }, 'not_verified'],
    ['the gateway knows no such order', {}, { kind: 'not_found', raw: null }, 'contradicted'],
    [
      'a record of another amount',
      {},
      { kind: 'no_answer', why: 'mismatch', raw: null },
      'contradicted',
    ],
    [
      'a hold whose day nobody named',
      { held_since: null },
      aRecord({ state: 'held' }),
      'age_unknown',
    ],
    [
      'a hold of 19 days',
      { held_since: new Date(Date.now() - 19 * 86_400_000) },
      aRecord({ state: 'held' }),
      'too_old',
    ],
    [
      'a hold of 20 days, whatever its record says',
      { held_since: new Date(Date.now() - 20 * 86_400_000) },
      aRecord({ state: 'held' }),
      'lapsed',
    ],
    [
      'a hold that ended by itself',
      { held_since: new Date(Date.now() - 21 * 86_400_000) },
      aRecord({ state: 'cancelled' }),
      'lapsed',
    ],
    ['a hold of less', {}, aRecord({ state: 'held', amountMinor: 9_999n }), 'more_than_left'],
  ] as const)('a capture: %s', async (_name, columns, record, why) => {
    const payment = await hold({
      ...columns,
      amount_minor: 'amountMinor' in record ? record.amountMinor : 10_000n,
    });
    expect(await capture(payment, 10_000n, says(record as RecordOutcome))).toEqual({
      kind: 'stopped',
      why,
    });
    expect(await storedFor(payment)).toEqual([]);
  });

  it('an authorization of nearly 19 days may be captured, and one of 20 days still on record voided', async () => {
    const day = 86_400_000;
    expect(
      await capture(
        await hold({ held_since: new Date(Date.now() - 19 * day + 60_000) }),
        10_000n,
        held(),
      ),
    ).toMatchObject({ kind: 'started' });
    expect(
      await release(await hold({ held_since: new Date(Date.now() - 20 * day) }), held()),
    ).toMatchObject({ kind: 'started' });
  });

  it('a refund of more than is left, of what was not taken, and of what does not say what was given back', async () => {
    expect(await refund(await sale(), 7_001n, taken(3_000n))).toEqual({
      kind: 'stopped',
      why: 'more_than_left',
    });
    expect(await refund(await hold(), 100n, held())).toEqual({ kind: 'stopped', why: 'not_taken' });
    expect(
      await refund(await sale(), 100n, says(aRecord({ state: 'completed', refundedMinor: null }))),
    ).toEqual({ kind: 'stopped', why: 'not_verified' });
    expect(
      await refund(
        await storedPayment(merchant, { state: 'captured', held_seen: true }),
        6_001n,
        says(aRecord({ state: 'captured', chargedMinor: 6_000n })),
      ),
    ).toEqual({ kind: 'stopped', why: 'more_than_left' });
  });

  it('a refund of the commission that the buyer paid on top of a partial capture', async () => {
    const part = (buyerCommissionMinor: bigint | null) =>
      says(aRecord({ state: 'captured', chargedMinor: 4_250n, buyerCommissionMinor }));
    const captured = (columns: Record<string, unknown>) =>
      storedPayment(merchant, { state: 'captured', held_seen: true, ...columns });
    // The record names the commission; or the authorization was read with it, or the capture without.
    for (const [columns, card] of [
      [{}, part(250n)],
      [{ charged_minor: 4_000n }, part(250n)],
      [{ state: 'held', charged_minor: 10_250n }, part(null)],
      [{ charged_minor: 4_000n }, part(null)],
    ] as const) {
      const payment = await captured(columns);
      expect(await refund(payment, 4_001n, card)).toEqual({
        kind: 'stopped',
        why: 'more_than_left',
      });
      expect(await web.cardLeft.remainingAmounts(clerk(), payment, card)).toMatchObject({
        remaining: '40.00',
      });
      expect(await refund(payment, 4_000n, card)).toMatchObject({ kind: 'started' });
    }
    // The authorized amount was the ordered one: the commission is in no amount of the record.
    expect(
      await refund(
        await captured({ state: 'held', charged_minor: 10_000n }),
        10_000n,
        says(aRecord({ state: 'captured', chargedMinor: 10_000n, buyerCommissionMinor: 250n })),
      ),
    ).toMatchObject({ kind: 'started' });
    const whole = { chargedMinor: 10_250n, buyerCommissionMinor: 250n };
    for (const state of ['completed', 'captured'] as const)
      expect(
        await refund(
          await storedPayment(merchant, { state, held_seen: state === 'captured' }),
          10_000n,
          says(aRecord({ state, ...whole })),
        ),
        'of the whole amount',
      ).toMatchObject({ kind: 'started' });
  });

  it('a refund of more than was captured from here, when the record does not name what was taken', async () => {
    const unnamed = says(aRecord({ state: 'captured', chargedMinor: null }));
    // The authorization was read with its amount, or without.
    for (const columns of [{}, { charged_minor: 10_000n }]) {
      const payment = await hold(columns);
      const id = randomUUID();
      expect(await capture(payment, 4_000n, held(), id)).toMatchObject({ kind: 'started' });
      await setColumns(merchant, id, { state: 'SUBMITTING', sends: 1 });
      await setColumns(merchant, id, { state: 'UNKNOWN', ever_ambiguous: true });
      // Two people say that it was carried out.
      await setColumns(merchant, id, { state: 'COMPLETED' });
      expect(await refund(payment, 4_001n, unnamed)).toEqual({
        kind: 'stopped',
        why: 'more_than_left',
      });
      expect(await web.cardLeft.remainingAmounts(clerk(), payment, unnamed)).toMatchObject({
        remaining: '40.00',
      });
      // A record that names another amount is believed.
      expect(
        await refund(payment, 4_500n, says(aRecord({ state: 'captured', chargedMinor: 4_500n }))),
      ).toMatchObject({ kind: 'started' });
    }
    expect(
      await refund(await hold(), 10_000n, unnamed),
      'none was captured from here',
    ).toMatchObject({ kind: 'started' });
  });

  it('no refund for a capture from here that was refused', async () => {
    const [payment, id] = [await hold(), randomUUID()];
    expect(await capture(payment, 4_000n, held(), id)).toMatchObject({ kind: 'started' });
    await setColumns(merchant, id, { state: 'SUBMITTING', sends: 1 });
    await setColumns(merchant, id, { state: 'REJECTED' });
    const unnamed = says(aRecord({ state: 'captured', chargedMinor: null }));
    expect(await refund(payment, 10_000n, unnamed)).toMatchObject({ kind: 'started' });
  });

  it('a refund of what waits for the gateway’s staff already', async () => {
    const row = { refundId: 'R-1', amountMinor: 6_000n, at: null };
    const listed = (status: string | null, refundedMinor = 0n) =>
      says(
        aRecord({
          state: refundedMinor > 0n ? 'partly_refunded' : 'completed',
          refundedMinor,
          refunds: [{ ...row, status }],
        }),
      );
    for (const waits of ['Pending', ' PENDING']) {
      const payment = await sale();
      expect(await refund(payment, 5_000n, listed(waits))).toEqual({
        kind: 'stopped',
        why: 'more_than_left',
      });
      expect(await web.cardLeft.remainingAmounts(clerk(), payment, listed(waits))).toMatchObject({
        remaining: '40.00',
        refunded: '0.00',
        waiting: '60.00',
      });
      expect(await refund(payment, 4_000n, listed(waits))).toMatchObject({ kind: 'started' });
    }
    expect(
      await refund(await sale(), 4_001n, listed('Completed', 6_000n)),
      'a completed row is in the total, and counts once',
    ).toMatchObject({ why: 'more_than_left' });
    for (const [status, total] of [
      ['Completed', 6_000n],
      ['Rejected', 0n],
    ] as const)
      expect(await refund(await sale(), 4_000n, listed(status, total))).toMatchObject({
        kind: 'started',
      });
  });

  it('two partial refunds at once beyond the total: one is stored', async () => {
    const payment = await sale();
    const both = await Promise.all([
      refund(payment, 6_000n, taken()),
      refund(payment, 6_000n, taken()),
    ]);
    expect(both.map((one) => (one.kind === 'stopped' ? one.why : 'started')).sort()).toEqual([
      'one_open',
      'started',
    ]);
  });

  it('an operation while the journal names one that the books forgot, until a person has looked at it', async () => {
    const invoiceId = `K-${randomUUID()}`;
    const payment = await sale({ invoice_id: invoiceId });
    const {
      rows: [record],
    } = await merchant.owner.query<{ id: string }>(
      `WITH r AS (INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
        VALUES ($1, 'asked', now(), now(), now()) RETURNING id)
       INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, ext_id,
         level, amount_minor, currency, kind, about)
       SELECT $1, r.id, 'foreign', 'journal', 'card_refund:LOST', 'LOST', 'unknown', 2500, 'TRY',
         'card_refund', $2 FROM r RETURNING id`,
      [merchant.merchantId, invoiceId],
    );
    expect(await refund(payment, 2_500n, taken())).toEqual({ kind: 'stopped', why: 'one_open' });
    await web.acknowledge.acknowledgeRecord(
      merchant.person('owner'),
      String(record!.id),
      'the panel shows that it was given back',
    );
    expect(await refund(payment, 2_500n, taken())).toMatchObject({ kind: 'started' });
  });

  it('whoever may not: support and auditor start nothing', async () => {
    const payment = await hold();
    for (const role of ['support', 'auditor'] as const) {
      await expect(
        web.startCard.startCapture(
          merchant.person(role),
          { id: randomUUID(), paymentId: payment, amountMinor: 1n },
          held(),
        ),
      ).rejects.toMatchObject({ code: 'not_allowed' });
      await expect(
        web.startCard.startRefund(
          merchant.person(role),
          { id: randomUUID(), paymentId: payment, amountMinor: 1n, reason: 'neden' },
          held(),
        ),
      ).rejects.toMatchObject({ code: 'not_allowed' });
    }
  });

  it('an amount of nothing, in whatever shape it comes: nothing is asked and nothing is stored', async () => {
    const payment = await hold();
    let asked = 0;
    const card = {
      readRecord: async () => {
        asked += 1;
        return aRecord({ state: 'held' });
      },
    };
    const nothing = fc.oneof(
      fc.constantFrom<unknown>(
        0n,
        0,
        -1n,
        null,
        undefined,
        Number.NaN,
        '',
        '0',
        '12.00',
        12,
        {},
        [],
      ),
      fc.bigInt({ max: 0n }),
      fc.double(),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(nothing, fc.constantFrom(capture, refund), async (amount, verb) => {
        expect(await verb(payment, amount as bigint, card)).toEqual({
          kind: 'stopped',
          why: 'amount_invalid',
        });
      }),
    );
    expect(asked).toBe(0);
    expect(await storedFor(payment)).toEqual([]);
  });
});

describe('what a dialog is told', () => {
  it('is what is left by the record of this moment, and what stands against each operation', async () => {
    expect(await web.cardLeft.remainingAmounts(clerk(), await hold(), held())).toMatchObject({
      kind: 'answered',
      held: '100.00',
      remaining: null,
      stops: { capture: null, release: null, refund: 'not_taken' },
    });
    expect(await web.cardLeft.remainingAmounts(clerk(), await sale(), taken(3_000n))).toMatchObject(
      {
        held: null,
        refunded: '30.00',
        waiting: null,
        remaining: '70.00',
        stops: { capture: 'not_held', refund: null },
      },
    );
    expect(
      await web.cardLeft.remainingAmounts(
        clerk(),
        await sale(),
        says({ kind: 'no_answer', why: 'timeout', raw: null }),
      ),
    ).toMatchObject({ kind: 'no_answer' });
  });

  it('and that nothing can be started when the gateway answers with another amount or no such order', async () => {
    const left = async (record: RecordOutcome) =>
      web.cardLeft.remainingAmounts(clerk(), await sale({ charged_minor: 10_000n }), says(record));
    for (const record of [
      { kind: 'no_answer', why: 'mismatch', raw: null },
      { kind: 'not_found', raw: null },
    ] as const)
      expect(await left(record), record.kind).toMatchObject({
        kind: 'answered',
        charged: null,
        refunded: null,
        remaining: null,
        stops: { refund: 'contradicted' },
      });
  });

  it('and whether it would wait here, because sending of it is stopped', async () => {
    const stopped = { capture: false, release: false, refund: false };
    const left = async () => web.cardLeft.remainingAmounts(clerk(), await sale(), taken());
    expect(await left()).toMatchObject({ sendingStopped: stopped });
    for (const [kind, now] of [
      ['card_refund', { ...stopped, refund: true }],
      ['all', { capture: true, release: true, refund: true }],
    ] as const) {
      await web.stop.stopSending(merchant.person('owner'), kind, 'a test of the dialog');
      expect(await left()).toMatchObject({ stops: { refund: null }, sendingStopped: now });
    }
  });
});
