import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { beginPorts } from '#lib/movements/testing/fake-provider.ts';
import { workerKinds } from '#lib/movements/kind.ts';
import { LONGEST_DUE, rowOf, setColumns } from '#lib/movements/testing/stored.ts';
import { cardOrder } from '#lib/providers/card/bank-page-fixture.ts';
import type { CardClient } from '#lib/providers/card/client.ts';
import { TypedCard } from '#lib/providers/card/typed-card.ts';
import { startSandbox } from '#lib/providers/sandbox-fixture.ts';
import type { Sandbox } from '#lib/providers/sandbox-fixture.ts';
import { agedLooks, agedMovement } from '#lib/second-person/testing/aged.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { storedPayment } from './testing/payments.ts';

/**
 * Captures, voids and refunds, from the action to the gateway's own records, with every kind of
 * failure in between: each request is carried out once, and the state says what is known.
 */

let merchant: TestMerchant;
let web: Process;
let workers: Process[];
let close: () => Promise<void>;
let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
  ({ merchant, web, workers, close } = await openProduct(2));
});
afterAll(async () => {
  await close();
  await sandbox.stop();
});
afterEach(async () => {
  await sandbox.control('DELETE', 'faults');
  await merchant.owner.query(
    'UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL WHERE merchant_id = $1',
    [merchant.merchantId],
  );
});

type Paid = { id: string; invoiceId: string };
const SENDING = { beforeWrite: () => true };

async function paid(more: { hold?: boolean; invoiceId?: string } = {}): Promise<Paid> {
  const order = cardOrder(more);
  const card = new TypedCard({
    holder: 'Işık Öğüt',
    number: '4508034508034509',
    expiryMonth: '12',
    expiryYear: '2030',
    securityCode: '000',
  });
  expect(await sandbox.card.payByCard(order, card, SENDING)).toMatchObject({ kind: 'approved' });
  const hold = more.hold ?? false;
  const id = await storedPayment(merchant, {
    invoice_id: order.invoiceId,
    amount_minor: order.amountMinor,
    state: hold ? 'held' : 'completed',
    held_seen: hold,
    held_since: hold ? new Date() : null,
  });
  return { id, invoiceId: order.invoiceId };
}

async function started(
  promise: Promise<Awaited<ReturnType<Process['startCard']['startCapture']>>>,
): Promise<string> {
  const start = await promise;
  if (start.kind !== 'started') throw new Error(`stopped: ${start.why}`);
  return start.id;
}
const capture = ({ id }: Paid, amountMinor = 12_340n) =>
  web.startCard.startCapture(
    merchant.person('clerk'),
    { id: randomUUID(), paymentId: id, amountMinor },
    sandbox.card,
  );
const release = ({ id }: Paid) =>
  web.startCard.startVoid(
    merchant.person('clerk'),
    { id: randomUUID(), paymentId: id, reason: 'stok yok' },
    sandbox.card,
  );
const refund = ({ id }: Paid, amountMinor: bigint) =>
  web.startCard.startRefund(
    merchant.person('clerk'),
    { id: randomUUID(), paymentId: id, amountMinor, reason: 'geri geldi' },
    sandbox.card,
  );

function ports(worker: Process, gateway: Partial<CardClient> = {}) {
  const kinds = worker.cardKinds.cardOperationKinds(merchant.merchantId, {
    ...sandbox.card,
    ...gateway,
  });
  return {
    merchantId: merchant.merchantId,
    policy: { quietMs: 1_000, manualAfterMs: 30 * 60_000, autoResend: true },
    random: () => 0.5,
    monotonicNow: () => performance.now(),
    kinds: workerKinds(kinds),
    rest: async () => undefined,
    ...beginPorts(),
  };
}

/** Runs the worker for `rounds` checks of the operation, without the waits between them. */
async function work(id: string, rounds = 1, gateway: Partial<CardClient> = {}): Promise<string> {
  for (let n = 0; n < rounds; n++) {
    await setColumns(merchant, id, { next_at: LONGEST_DUE });
    await workers[0]!.advance.advanceOne(ports(workers[0]!, gateway));
  }
  return (await rowOf(merchant, id)).state;
}

const posts = async (
  operation: 'confirmPayment' | 'refund',
  { invoiceId }: Paid,
): Promise<number> =>
  (
    await sandbox.control<{ body: string }[]>('GET', `requests?operation=${operation}&limit=500`)
  ).filter((one) => one.body.includes(invoiceId)).length;
/** Every movement of money of this order in the gateway's own records, oldest first. */
const gatewayRecords = async ({ invoiceId }: Paid): Promise<string[]> =>
  (
    await sandbox.control<{ kind: string; amount: string }[]>(
      'GET',
      `ledger?invoice_id=${invoiceId}`,
    )
  )
    .map(({ kind, amount }) => `${kind} ${amount}`)
    .reverse();
const registerAsks = async ({ id }: Paid): Promise<boolean> =>
  (
    await merchant.owner.query('SELECT next_at <= now() AS asks FROM card_payments WHERE id = $1', [
      id,
    ])
  ).rows[0].asks === true;

it('a refused void is not contradicted by a later capture that is voided the same day', async () => {
  const sale = await paid({ hold: true });
  const refused = await started(release(sale));
  expect(
    await work(refused, 1, {
      releaseHold: async () => ({ kind: 'refused', code: '110', message: null, raw: null }),
    }),
  ).toBe('REJECTED');
  const taken = await started(capture(sale));
  expect(await work(taken, 2)).toBe('COMPLETED');
  const voided: Partial<CardClient> = {
    readRecord: async (question) => {
      const record = await sandbox.card.readRecord(question);
      return record.kind === 'found' ? { ...record, state: 'cancelled' } : record;
    },
  };
  expect(await work(refused, 1, voided)).toBe('REJECTED');
  expect(await rowOf(merchant, refused)).toMatchObject({ alert: null });
});

describe('a capture', () => {
  it('of the whole or a part is sent once, accepted, and done by its record without a receipt', async () => {
    for (const [amount, shown] of [
      [12_340n, '123.40'],
      [5_000n, '50.00'],
    ] as const) {
      const hold = await paid({ hold: true });
      const id = await started(capture(hold, amount));
      expect(await work(id)).toBe('PENDING');
      expect(await work(id)).toBe('COMPLETED');
      expect(await gatewayRecords(hold)).toEqual([`card_capture ${shown}`]);
      expect(await registerAsks(hold)).toBe(true);
      expect(await rowOf(merchant, id)).toMatchObject({ next_at: null, sends: 1 });
      expect(
        (await merchant.owner.query('SELECT 1 FROM receipts WHERE movement_id = $1', [id]))
          .rowCount,
      ).toBe(0);
      expect(await work(id, 2)).toBe('COMPLETED');
      expect(await posts('confirmPayment', hold)).toBe(1);
    }
  });

  it.each([
    ['taken', 'lost_after', {}],
    ['taken, the answer cut off', 'truncated', {}],
    ['taken, and nobody ever answers', 'lost_after', { hang: true }],
  ] as const)(
    'whose answer is lost, the amount %s: unknown, then done by its record, and never sent again',
    async (_name, kind, more) => {
      const hold = await paid({ hold: true });
      const id = await started(capture(hold));
      await sandbox.fault('confirmPayment', kind, more);
      expect(await work(id)).toBe('UNKNOWN');
      expect(await capture(hold)).toEqual({ kind: 'stopped', why: 'one_open' });
      expect(await work(id)).toBe('COMPLETED');
      expect(await gatewayRecords(hold)).toEqual(['card_capture 123.40']);
      expect(await posts('confirmPayment', hold)).toBe(1);
    },
  );

  it('whose request is lost stays unknown while its record shows no capture, and is never sent again', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    await sandbox.fault('confirmPayment', 'lost_before');
    expect(await work(id)).toBe('UNKNOWN');
    await merchant.owner.query(
      `UPDATE movements SET last_send_at = last_send_at - interval '2 hours',
        watch_since = watch_since - interval '2 hours' WHERE id = $1`,
      [id],
    );
    expect(await work(id, 8)).toBe('UNKNOWN');
    expect(await rowOf(merchant, id)).toMatchObject({
      not_found_reads: 8,
      sends: 1,
      alert: null,
    });
    expect(await posts('confirmPayment', hold)).toBe(1);
    expect(await gatewayRecords(hold)).toEqual([]);
  });

  it('whose answer is lost stays unknown while the gateway is down, and is settled when it is back', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    await sandbox.fault('confirmPayment', 'lost_after');
    await work(id);
    await sandbox.fault('checkstatus', 'status', { status: 503, times: 3 });
    expect(await work(id, 3)).toBe('UNKNOWN');
    expect(await rowOf(merchant, id)).toMatchObject({ not_found_reads: 0 });
    expect(await work(id)).toBe('COMPLETED');
    expect(await gatewayRecords(hold)).toEqual(['card_capture 123.40']);
  });

  it('of a payment captured or voided elsewhere before the send is not sent and names the reason', async () => {
    for (const elsewhere of ['capture', 'release'] as const) {
      const hold = await paid({ hold: true });
      const id = await started(capture(hold));
      await (elsewhere === 'capture'
        ? sandbox.card.captureHold({ invoiceId: hold.invoiceId, amountMinor: 700n }, SENDING)
        : sandbox.card.releaseHold(hold, SENDING));
      expect(await work(id)).toBe('REJECTED');
      expect(await rowOf(merchant, id)).toMatchObject({
        reason_code: 'changed_elsewhere',
        ever_ambiguous: false,
      });
      expect(
        await posts('confirmPayment', hold),
        'the other panel asked once, and we did not',
      ).toBe(1);
      expect(await registerAsks(hold)).toBe(true);
      expect(
        await web.cardOperations.operationsOf(merchant.person('auditor'), hold.id),
      ).toMatchObject([
        {
          state: 'REJECTED',
          reasonCode: 'changed_elsewhere',
          lastSendAt: null,
          can: { ask: false, cancel: false },
        },
      ]);
      expect(await work(id, 2)).toBe('REJECTED');
    }
  });

  it('made elsewhere just before the send is not repeated, and another amount needs a person', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    const late: Partial<CardClient> = {
      async captureHold(wanted, sending) {
        await sandbox.card.captureHold({ invoiceId: hold.invoiceId, amountMinor: 700n }, SENDING);
        return sandbox.card.captureHold(wanted, sending);
      },
    };
    expect(await work(id, 1, late)).toBe('UNKNOWN');
    expect(await work(id)).toBe('UNKNOWN');
    expect(await rowOf(merchant, id)).toMatchObject({ alert: 'mismatch', sends: 1 });
    expect(await gatewayRecords(hold)).toEqual(['card_capture 7.00']);
  });

  it('that cannot be checked directly before the send is not sent, waits, and goes out once when it can', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    await sandbox.fault('checkstatus', 'lost_before', { times: 2 });
    expect(await work(id, 2)).toBe('APPROVED');
    expect(await rowOf(merchant, id)).toMatchObject({ not_sent_tries: 2, ever_ambiguous: false });
    expect(await posts('confirmPayment', hold)).toBe(0);
    expect(await work(id, 2)).toBe('COMPLETED');
    expect(await gatewayRecords(hold)).toEqual(['card_capture 123.40']);
  });

  it('that waited until the hold was 19 or 20 days old is not sent any more', async () => {
    for (const [days, reason] of [
      [19, 'too_old'],
      [20, 'lapsed'],
    ] as const) {
      const hold = await paid({ hold: true });
      const id = await started(capture(hold));
      await merchant.owner.query(
        'UPDATE card_payments SET held_since = now() - make_interval(days => $2) WHERE id = $1',
        [hold.id, days],
      );
      expect(await work(id)).toBe('REJECTED');
      expect(await rowOf(merchant, id)).toMatchObject({ reason_code: reason });
      expect(await posts('confirmPayment', hold)).toBe(0);
    }
  });

  it('asked for by two people at once, with two workers at it: one', async () => {
    const hold = await paid({ hold: true });
    const asked = (role: 'clerk' | 'approver') =>
      web.startCard.startCapture(
        merchant.person(role),
        { id: randomUUID(), paymentId: hold.id, amountMinor: 12_340n },
        sandbox.card,
      );
    const both = await Promise.all([asked('clerk'), asked('approver')]);
    expect(both.map((one) => one.kind).sort()).toEqual(['started', 'stopped']);
    await Promise.all(workers.map((worker) => worker.advance.advanceOne(ports(worker))));
    const {
      rows: [{ id }],
    } = await merchant.owner.query('SELECT id FROM movements WHERE card_payment_id = $1', [
      hold.id,
    ]);
    expect(await work(id)).toBe('COMPLETED');
    expect(await gatewayRecords(hold)).toEqual(['card_capture 123.40']);
    expect(await posts('confirmPayment', hold)).toBe(1);
  });

  it.each([
    ['before it sent', false],
    ['after it sent', true],
  ])(
    'whose worker is killed %s: never sent again, and only the record says what became of it',
    async (_name, left) => {
      const hold = await paid({ hold: true });
      const id = await started(capture(hold));
      const claim = await workers[0]!.claim.claimDue(ports(workers[0]!));
      if (claim.kind !== 'send') throw new Error(`not claimed: ${claim.kind}`);
      if (left) await ports(workers[0]!).kinds['card_capture']!.send(claim.movement, () => true);
      expect(await work(id), 'somebody may still hold it').toBe('SUBMITTING');
      await setColumns(merchant, id, { lease_until: new Date(Date.now() - 1_000) });
      expect(await work(id)).toBe('UNKNOWN');
      expect(await work(id, 4)).toBe(left ? 'COMPLETED' : 'UNKNOWN');
      expect(await posts('confirmPayment', hold)).toBe(left ? 1 : 0);
      expect(await rowOf(merchant, id)).toMatchObject({ sends: 1 });
    },
  );

  it('is held back when the lease may be over by the time the record was read', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    const slow = {
      ...ports(workers[0]!),
      monotonicNow: (
        (calls) => () =>
          calls++ === 0 ? 0 : 60_000
      )(0),
    };
    await setColumns(merchant, id, { next_at: LONGEST_DUE });
    await workers[0]!.advance.advanceOne(slow);
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'APPROVED', ever_ambiguous: false });
    expect(await posts('confirmPayment', hold)).toBe(0);
  });

  it('stopped by its own switch waits, while refunds go on', async () => {
    const [hold, sale] = [await paid({ hold: true }), await paid()];
    await web.stop.stopSending(merchant.person('approver'), 'card_capture', 'a wrong file');
    const [one, two] = [await started(capture(hold)), await started(refund(sale, 100n))];
    expect(await work(one, 2)).toBe('APPROVED');
    await setColumns(merchant, one, { next_at: null });
    expect(await work(two, 2)).toBe('COMPLETED');
    await web.release.requestResume(
      merchant.person('approver'),
      { kind: 'card_capture', cause: 'person' },
      'all right again',
    );
    await web.release.confirmResume(merchant.person('owner'), {
      kind: 'card_capture',
      cause: 'person',
    });
    expect(await work(one, 2)).toBe('COMPLETED');
  });
});

type Role = Parameters<TestMerchant['person']>[0];

describe('an unclear one that stays silent', () => {
  const say = (
    id: string,
    role: Role,
    claim: 'done' | 'not_done' | null,
    reference?: string,
    patienceMs = 300,
  ) =>
    web.close.closeMovement(
      merchant.person(role),
      {
        id,
        claim,
        reason: 'hizmet yapılmadığını yazdı',
        ...(reference === undefined ? {} : { reference }),
      },
      patienceMs,
    );
  const close = (id: string, role: Role = 'clerk') => say(id, role, 'not_done');
  const silent = async (
    operation: 'capture' | 'refund',
  ): Promise<{ payment: Paid; id: string }> => {
    const payment = await paid({ hold: operation === 'capture' });
    const id = await started(operation === 'capture' ? capture(payment) : refund(payment, 2_340n));
    await sandbox.fault(operation === 'capture' ? 'confirmPayment' : 'refund', 'lost_before');
    await work(id, 4);
    await merchant.owner.query(
      `UPDATE movements SET last_send_at = last_send_at - interval '31 minutes' WHERE id = $1`,
      [id],
    );
    return { payment, id };
  };
  /** Makes the worker's last read of the record an old one. */
  const longAgo = (id: string): Promise<void> => agedLooks(merchant, id, 2);

  it('may be closed as not done by a person after the quiet time and three clean answers', async () => {
    const { payment, id } = await silent('capture');
    await merchant.owner.query(
      `UPDATE movements SET last_send_at = now() - interval '29 minutes' WHERE id = $1`,
      [id],
    );
    await expect(close(id)).rejects.toMatchObject({ code: 'close_too_early' });
    await merchant.owner.query(
      `UPDATE movements SET last_send_at = now() - interval '31 minutes', not_found_reads = 1 WHERE id = $1`,
      [id],
    );
    await work(id);
    await expect(close(id)).rejects.toMatchObject({ code: 'close_too_early' });
    await sandbox.fault('checkstatus', 'status', { status: 503 });
    await work(id);
    await expect(close(id)).rejects.toMatchObject({ code: 'close_unverified' });
    await work(id);
    await expect(close(id, 'support')).rejects.toMatchObject({ code: 'not_allowed' });
    expect(
      (await web.cardOperations.operationsOf(merchant.person('clerk'), payment.id))[0]!.closing,
    ).toMatchObject({ claims: ['not_done'], people: 1, needsReference: false, isMaker: false });
    expect(await close(id)).toEqual({ kind: 'closed' });
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'FAILED' });
    expect(
      (await web.cardOperations.operationsOf(merchant.person('auditor'), payment.id))[0]!
        .statements,
      'everybody sees who said so, and why',
    ).toMatchObject({
      closedAt: expect.any(String),
      own: false,
      words: [
        {
          by: 'clerk@test',
          claim: 'not_done',
          reason: expect.stringMatching(/.{5}/),
          counts: true,
        },
      ],
    });
    expect(await work(await started(capture(payment)), 2)).toBe('COMPLETED');
    expect(await gatewayRecords(payment)).toEqual(['card_capture 123.40']);
  });

  it.each(['capture', 'refund'] as const)(
    'a %s closed as not done but carried out later is a contradiction once its record is read',
    async (operation) => {
      const { payment, id } = await silent(operation);
      await agedMovement(merchant, id, 25);
      await work(id);
      if (operation === 'refund') await say(id, 'approver', 'not_done', 'GW-2026-11');
      expect(
        await say(id, operation === 'refund' ? 'owner' : 'approver', 'not_done', 'GW-2026-11'),
      ).toEqual({ kind: 'closed' });
      const { invoiceId } = payment;
      await (operation === 'capture'
        ? sandbox.card.captureHold({ invoiceId, amountMinor: 12_340n }, SENDING)
        : sandbox.card.refundPayment(
            {
              invoiceId,
              amountMinor: 2_340n,
              refundId: String((await rowOf(merchant, id)).ext_id),
            },
            SENDING,
          ));
      await merchant.owner.query(
        `UPDATE card_payments SET next_at = CASE WHEN id = $2 THEN clock_timestamp() END
          WHERE merchant_id = $1`,
        [merchant.merchantId, payment.id],
      );
      expect(
        await workers[0]!.verifyCards.verifyOneDuePayment(merchant.merchantId, sandbox.card),
      ).toBe(true);
      expect((await rowOf(merchant, id)).next_at).not.toBeNull();
      await work(id);
      expect(await rowOf(merchant, id)).toMatchObject({
        state: 'FAILED',
        alert: 'contradiction',
      });
    },
  );

  it('is closed by a look that the verb asks for and the worker makes; on an older one it is not', async () => {
    const { id } = await silent('capture');
    await longAgo(id);
    await expect(close(id)).rejects.toMatchObject({ code: 'close_unverified' });
    expect(
      (
        await merchant.owner.query(
          'SELECT next_at <= clock_timestamp() AS asked FROM movements WHERE id = $1',
          [id],
        )
      ).rows[0].asked,
    ).toBe(true);
    const closing = say(id, 'clerk', 'not_done', undefined, 8_000);
    await expect
      .poll(async () => (await workers[0]!.advance.advanceOne(ports(workers[0]!))).kind)
      .toBe('moved');
    expect(await closing).toEqual({ kind: 'closed' });
  });

  it('is not closed when the worker’s look shows by then that it was done', async () => {
    const { payment, id } = await silent('capture');
    await longAgo(id);
    await sandbox.card.captureHold({ invoiceId: payment.invoiceId, amountMinor: 12_340n }, SENDING);
    const closing = say(id, 'clerk', 'not_done', undefined, 8_000).catch((error: unknown) => error);
    await expect
      .poll(
        async () =>
          (
            await merchant.owner.query(
              'SELECT next_at <= clock_timestamp() AS asked FROM movements WHERE id = $1',
              [id],
            )
          ).rows[0].asked,
      )
      .toBe(true);
    await expect
      .poll(async () => (await workers[0]!.advance.advanceOne(ports(workers[0]!))).kind)
      .toBe('moved');
    expect(await closing).toMatchObject({ code: 'close_record_says' });
    expect((await rowOf(merchant, id)).state).toBe('COMPLETED');
  });

  it('a refund is closed by two people who did not make it, and a withdrawn vote does not count', async () => {
    const { id } = await silent('refund');
    await expect(close(id)).rejects.toMatchObject({ code: 'maker_has_no_word' });
    expect([await close(id, 'approver'), await close(id, 'approver')]).toEqual([
      { kind: 'asked' },
      { kind: 'asked' },
    ]);
    expect(await say(id, 'approver', null)).toEqual({ kind: 'taken_back' });
    expect(await close(id, 'owner')).toEqual({ kind: 'asked' });
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'UNKNOWN' });
    expect(await close(id, 'approver')).toEqual({ kind: 'closed' });
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'FAILED',
      reason_code: 'people_said',
    });
  });

  it('whose record keeps another amount is closed by two people with the gateway’s letter a day later', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    const elsewhere: Partial<CardClient> = {
      async captureHold(wanted, sending) {
        await sandbox.card.captureHold({ invoiceId: hold.invoiceId, amountMinor: 700n }, SENDING);
        return sandbox.card.captureHold(wanted, sending);
      },
    };
    await work(id, 1, elsewhere);
    await agedMovement(merchant, id, 25);
    await work(id);
    expect(
      await web.cardOperations.operationsOf(merchant.person('approver'), hold.id),
    ).toMatchObject([
      {
        alert: 'mismatch',
        closing: { claims: ['done', 'not_done'], people: 2, needsReference: true },
      },
    ]);
    await expect(close(id, 'approver')).rejects.toMatchObject({ code: 'close_reference_needed' });
    expect(await say(id, 'approver', 'not_done', 'TCK-7')).toEqual({ kind: 'asked' });
    expect(await say(id, 'owner', 'not_done', 'TCK-7')).toEqual({ kind: 'closed' });
    expect(await refund(hold, 700n)).toMatchObject({ kind: 'started' });
  });

  it('a refund accepted and then declined is ended by two people, and the order is free for another', async () => {
    const sale = await paid({ invoiceId: `REFUND101-${randomUUID().slice(0, 8)}` });
    const id = await started(refund(sale, 4_000n));
    const declined: Partial<CardClient> = {
      readRecord: async (wanted) => {
        const record = await sandbox.card.readRecord(wanted);
        return record.kind === 'found' ? { ...record, refundedMinor: 0n, refunds: [] } : record;
      },
    };
    expect(await work(id, 1, declined)).toBe('PENDING');
    await agedMovement(merchant, id, 60 * 24);
    expect(await work(id, 6, declined)).toBe('MANUAL_REVIEW');
    expect(await refund(sale, 100n)).toEqual({ kind: 'stopped', why: 'one_open' });
    await expect(say(id, 'approver', 'done', 'TCK-8')).rejects.toMatchObject({
      code: 'close_not_unknown',
    });
    expect(await say(id, 'approver', 'not_done', 'TCK-8')).toEqual({ kind: 'asked' });
    expect(await say(id, 'owner', 'not_done', 'TCK-8')).toEqual({ kind: 'closed' });
    expect((await rowOf(merchant, id)).state).toBe('FAILED');
    expect(await refund(sale, 100n)).toMatchObject({ kind: 'started' });
  });

  it.each([
    ['done', 'COMPLETED'],
    ['not_done', 'FAILED'],
  ] as const)(
    'a part of a hold whose record carries no charged amount is ended by two people: %s',
    async (claim, state) => {
      const hold = await paid({ hold: true });
      const id = await started(capture(hold, 5_000n));
      const uncharged: Partial<CardClient> = {
        readRecord: async (wanted) => {
          const record = await sandbox.card.readRecord(wanted);
          return record.kind === 'found' ? { ...record, chargedMinor: null } : record;
        },
      };
      await work(id, 1);
      await agedMovement(merchant, id, 25);
      expect(await work(id, 3, uncharged)).toBe('MANUAL_REVIEW');
      expect(await refund(hold, 100n)).toEqual({ kind: 'stopped', why: 'one_open' });
      await say(id, 'approver', claim, 'TCK-9');
      expect(await say(id, 'owner', claim, 'TCK-9')).toEqual({ kind: 'closed' });
      expect(await rowOf(merchant, id)).toMatchObject({
        state,
        reason_code: 'people_said',
        next_at: null,
      });
    },
  );
});

describe('a release', () => {
  it('lets go once, and is done when the record says cancelled; its answer may be lost', async () => {
    for (const lost of [false, true]) {
      const hold = await paid({ hold: true });
      const id = await started(release(hold));
      if (lost) await sandbox.fault('confirmPayment', 'lost_after');
      expect(await work(id)).toBe(lost ? 'UNKNOWN' : 'PENDING');
      expect(await work(id)).toBe('COMPLETED');
      expect(await gatewayRecords(hold)).toEqual([]);
      expect(await posts('confirmPayment', hold)).toBe(1);
    }
  });
});

describe('a refund', () => {
  it('carries its own number and its amount, and is done when the record lists it', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    expect(await work(id, 2)).toBe('COMPLETED');
    expect(await gatewayRecords(sale)).toEqual(['card_sale 123.40', 'card_refund 23.40']);
    const [{ ext_id: extId }] = (
      await merchant.owner.query('SELECT ext_id FROM movements WHERE id = $1', [id])
    ).rows;
    const [sent] = (
      await sandbox.control<{ body: string }[]>('GET', 'requests?operation=refund&limit=500')
    ).filter((one) => one.body.includes(sale.invoiceId));
    expect(JSON.parse(sent!.body)).toMatchObject({ amount: 23.4, refund_transaction_id: extId });
  });

  it('whose answer is lost: given back once, and found by its number', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    await sandbox.fault('refund', 'lost_after');
    expect(await work(id)).toBe('UNKNOWN');
    expect(await work(id)).toBe('COMPLETED');
    expect(await gatewayRecords(sale)).toEqual(['card_sale 123.40', 'card_refund 23.40']);
    expect(await posts('refund', sale)).toBe(1);
  });

  it('whose request is lost: unknown, never sent again, and no other one of the order until it is known', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    await sandbox.fault('refund', 'lost_before');
    expect(await work(id, 6)).toBe('UNKNOWN');
    expect(await refund(sale, 100n)).toEqual({ kind: 'stopped', why: 'one_open' });
    expect(await posts('refund', sale)).toBe(1);
    expect(await gatewayRecords(sale)).toEqual(['card_sale 123.40']);
  });

  it('taken down to be done by hand is on its way, not done; done by hand, it is done', async () => {
    const sale = await paid({ invoiceId: `REFUND101-${randomUUID()}` });
    const id = await started(refund(sale, 2_340n));
    expect(await work(id, 4)).toBe('PENDING');
    await merchant.owner.query(
      `UPDATE movements SET accepted_at = accepted_at - interval '31 minutes' WHERE id = $1`,
      [id],
    );
    expect(await work(id, 2)).toBe('MANUAL_REVIEW');
    const orders = await sandbox.control<{ refunds: { id: number; invoice_id: string }[] }>(
      'GET',
      'card',
    );
    const waiting = orders.refunds.find((one) => one.invoice_id === sale.invoiceId)!;
    await sandbox.control('POST', `card/refunds/${waiting.id}/complete`);
    expect(await work(id)).toBe('COMPLETED');
    expect(await gatewayRecords(sale)).toEqual(['card_sale 123.40', 'card_refund 23.40']);
  });

  it('that people did by hand is asked about as soon as the payment’s record is read', async () => {
    const sale = await paid({ invoiceId: `REFUND101-${randomUUID()}` });
    const id = await started(refund(sale, 2_340n));
    await work(id);
    const { refunds } = await sandbox.control<{ refunds: { id: number; invoice_id: string }[] }>(
      'GET',
      'card',
    );
    await sandbox.control(
      'POST',
      `card/refunds/${refunds.find((one) => one.invoice_id === sale.invoiceId)!.id}/complete`,
    );
    await setColumns(merchant, id, { next_at: new Date(Date.now() + 3_600_000) });
    // Makes only this payment due: the call below verifies whichever due payment comes first.
    await merchant.owner.query(
      `UPDATE card_payments SET next_at = CASE WHEN id = $2 THEN clock_timestamp() END
        WHERE merchant_id = $1`,
      [merchant.merchantId, sale.id],
    );
    expect(
      await workers[0]!.verifyCards.verifyOneDuePayment(merchant.merchantId, sandbox.card),
    ).toBe(true);
    expect((await rowOf(merchant, id)).next_at!.getTime()).toBeLessThanOrEqual(Date.now());
    expect(await work(id)).toBe('COMPLETED');
  });

  it('that the gateway calls failed is not done unless its own number is on the record', async () => {
    const sale = await paid();
    await sandbox.card.refundPayment(
      { invoiceId: sale.invoiceId, amountMinor: 100n, refundId: randomUUID() },
      SENDING,
    );
    // The gateway answers 49 to a refund within half a minute of the previous one.
    const id = await started(refund(sale, 2_340n));
    expect(await work(id)).toBe('REJECTED');
    expect(await rowOf(merchant, id)).toMatchObject({ reason_code: '49' });

    const other = await paid();
    const two = await started(refund(other, 2_340n));
    const repeated: Partial<CardClient> = {
      async refundPayment(wanted, sending) {
        await sandbox.card.refundPayment(wanted, sending);
        return { kind: 'look', code: '49', message: null, raw: null };
      },
    };
    expect(await work(two, 1, repeated)).toBe('UNKNOWN');
    expect(await work(two)).toBe('COMPLETED');
    expect(await gatewayRecords(other)).toEqual(['card_sale 123.40', 'card_refund 23.40']);
  });

  const REFUSED: Partial<CardClient> = {
    refundPayment: async () => ({ kind: 'refused', code: '110', message: null, raw: null }),
  };
  const firstCopy = async (
    id: string,
    { invoiceId }: Paid,
    amountMinor: bigint,
  ): Promise<unknown> =>
    sandbox.card.refundPayment(
      { invoiceId, amountMinor, refundId: String((await rowOf(merchant, id)).ext_id) },
      SENDING,
    );

  it('that was refused but executed from another copy is a contradiction at the next look', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    expect(await work(id, 1, REFUSED)).toBe('REJECTED');
    const { next_at: next, ended_at: ended } = await rowOf(merchant, id);
    expect(Number(next) - Number(ended)).toBe(10_000);
    await firstCopy(id, sale, 2_340n);
    expect(await work(id)).toBe('REJECTED');
    expect(await rowOf(merchant, id)).toMatchObject({ alert: 'contradiction', next_at: null });
  });

  it('that was refused and appears very late is looked at again because of the register of payments', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    await work(id, 1, REFUSED);
    await setColumns(merchant, id, { last_read_at: new Date(Date.now() + 300_000), next_at: null });
    await firstCopy(id, sale, 2_340n);
    await merchant.owner.query(
      `UPDATE card_payments SET next_at = CASE WHEN id = $2 THEN clock_timestamp() END
        WHERE merchant_id = $1`,
      [merchant.merchantId, sale.id],
    );
    expect(
      await workers[0]!.verifyCards.verifyOneDuePayment(merchant.merchantId, sandbox.card),
    ).toBe(true);
    expect((await rowOf(merchant, id)).next_at).not.toBeNull();
    await work(id);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'REJECTED',
      alert: 'contradiction',
    });
  });

  it('that was refused and made anew is not contradicted by the second one', async () => {
    const sale = await paid();
    const first = await started(refund(sale, 2_340n));
    await work(first, 1, REFUSED);
    const again = await started(refund(sale, 2_340n));
    expect(await work(again)).toBe('PENDING');
    expect(await work(first)).toBe('REJECTED');
    expect(await work(again)).toBe('COMPLETED');
    expect(await work(first)).toBe('REJECTED');
    expect(await rowOf(merchant, first)).toMatchObject({ alert: null });
  });

  it.each([
    ['is being sent', 'SUBMITTING'],
    ['waits for people of the gateway', 'MANUAL_REVIEW'],
  ] as const)(
    'that was refused is not contradicted by what a later one explains that %s',
    async (_what, state) => {
      const sale = await paid();
      const first = await started(refund(sale, 2_340n));
      await work(first, 1, REFUSED);
      const again = await started(refund(sale, 2_340n));
      expect(await work(again)).toBe('PENDING');
      await merchant.owner.query('ALTER TABLE movements DISABLE TRIGGER USER');
      await setColumns(merchant, again, { state });
      await merchant.owner.query('ALTER TABLE movements ENABLE TRIGGER USER');
      expect(await work(first)).toBe('REJECTED');
      expect(await rowOf(merchant, first)).toMatchObject({ alert: null });
    },
  );

  it('asks for a notice under the name by which the panel knows our address', async () => {
    const sale = await paid();
    const hooks: (string | undefined)[] = [];
    const id = await started(refund(sale, 100n));
    await work(id, 1, {
      async refundPayment(wanted, sending) {
        hooks.push(wanted.hook);
        return sandbox.card.refundPayment(wanted, sending);
      },
    });
    expect(hooks).toEqual(['refund_hook']);
  });

  it('forgotten by restored books is found on the record by its own number and not sent again', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    const {
      rows: [{ ext_id: refundId }],
    } = await merchant.owner.query('SELECT ext_id FROM movements WHERE id = $1', [id]);
    await sandbox.card.refundPayment(
      { invoiceId: sale.invoiceId, amountMinor: 2_340n, refundId },
      SENDING,
    );
    expect(await work(id)).toBe('UNKNOWN');
    expect(await work(id)).toBe('COMPLETED');
    expect(await posts('refund', sale)).toBe(1);
  });

  it('two partial ones at once beyond the total: one is stored, one is given back', async () => {
    const sale = await paid();
    const both = await Promise.all([refund(sale, 8_000n), refund(sale, 8_000n)]);
    expect(both.map((one) => (one.kind === 'stopped' ? one.why : one.kind)).sort()).toEqual([
      'one_open',
      'started',
    ]);
    await Promise.all(workers.map((worker) => worker.advance.advanceOne(ports(worker))));
    const {
      rows: [{ id }],
    } = await merchant.owner.query('SELECT id FROM movements WHERE card_payment_id = $1', [
      sale.id,
    ]);
    expect(await work(id)).toBe('COMPLETED');
    expect(await refund(sale, 8_000n)).toEqual({ kind: 'stopped', why: 'more_than_left' });
    expect(await gatewayRecords(sale)).toEqual(['card_sale 123.40', 'card_refund 80.00']);
  });

  it('made elsewhere before our send stops ours, even when enough money would be left', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 2_340n));
    await sandbox.card.refundPayment(
      { invoiceId: sale.invoiceId, amountMinor: 100n, refundId: randomUUID() },
      SENDING,
    );
    expect(await work(id)).toBe('REJECTED');
    expect(await rowOf(merchant, id)).toMatchObject({ reason_code: 'changed_elsewhere' });
    expect(await posts('refund', sale)).toBe(1);
  });
});

it('a refund the gateway lists under its own number completes its row and changes no earlier note', async () => {
  const sale = await paid();
  const theirs: Partial<CardClient> = {
    readRecord: async (question) => {
      const record = await sandbox.card.readRecord(question);
      return record.kind === 'found'
        ? {
            ...record,
            refunds: record.refunds.map((row) => ({
              ...row,
              refundId: `GATEWAY-${row.amountMinor}`,
            })),
          }
        : record;
    },
  };
  const id = await started(refund(sale, 4_000n));
  expect(await rowOf(merchant, id)).toMatchObject({ refund_ids_before: [] });
  await sandbox.fault('refund', 'lost_after');
  expect([await work(id, 1, theirs), await work(id, 1, theirs)]).toEqual(['UNKNOWN', 'COMPLETED']);
  await expect(
    merchant.owner.query(
      `UPDATE movements SET refund_ids_before = '["GATEWAY-4000"]' WHERE id = $1`,
      [id],
    ),
  ).rejects.toMatchObject({ code: 'MV004' });
});

describe('after a restore', () => {
  const restored = () =>
    merchant.owner.query(
      `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at,
        ended_at) VALUES ($1, 'behind', now(), now(), now(), now(), now())`,
      [merchant.merchantId],
    );
  /**
   * Checks that nothing is sent before a person's "send it", and that even then the record is read
   * first.
   */
  async function confirmed(id: string): Promise<void> {
    expect(await work(id, 2)).toBe('APPROVED');
    await web.confirmSend.confirmSend(merchant.person('approver'), id);
  }
  const noRows: Partial<CardClient> = {
    readRecord: async (question) => {
      const record = await sandbox.card.readRecord(question);
      return record.kind === 'found' ? { ...record, refunds: [] } : record;
    },
  };
  afterAll(() =>
    merchant.owner.query(
      `ALTER TABLE recoveries DISABLE TRIGGER USER; DELETE
        FROM recoveries; ALTER TABLE recoveries ENABLE TRIGGER USER`,
    ),
  );

  it('a lost refund is unknown, then done by its record; it is never called not sent or made twice', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 4_000n));
    const {
      rows: [row],
    } = await merchant.owner.query<{ ext_id: string }>(
      'SELECT ext_id FROM movements WHERE id = $1',
      [id],
    );
    await sandbox.card.refundPayment(
      { invoiceId: sale.invoiceId, amountMinor: 4_000n, refundId: row!.ext_id },
      SENDING,
    );
    await restored();
    await confirmed(id);
    expect(await work(id, 1, noRows)).toBe('UNKNOWN');
    expect(await refund(sale, 4_000n)).toEqual({ kind: 'stopped', why: 'one_open' });
    expect(await work(id, 1, noRows)).toBe('COMPLETED');
    expect((await gatewayRecords(sale)).filter((line) => line.startsWith('card_refund'))).toEqual([
      'card_refund 40.00',
    ]);
  });

  it('one declined row of a refund that was sent again ends nothing: it may be the lost one’s', async () => {
    const sale = await paid();
    const id = await started(refund(sale, 4_000n));
    const { ext_id: refundId } = (await rowOf(merchant, id)) as unknown as { ext_id: string };
    await restored();
    await confirmed(id);
    const unheard: Partial<CardClient> = {
      refundPayment: async () => ({
        kind: 'unclear',
        why: 'timeout',
        raw: null,
        code: null,
        message: null,
      }),
    };
    expect(await work(id, 1, unheard)).toBe('UNKNOWN');
    // This is longer than the last request can be in flight, with the quiet time of this worker.
    await new Promise((resolve) => setTimeout(resolve, 500));
    const declined: Partial<CardClient> = {
      readRecord: async (question) => {
        const record = await sandbox.card.readRecord(question);
        const row = { refundId, amountMinor: 4_000n, at: null, status: 'Failed' };
        return record.kind === 'found' ? { ...record, refunds: [row] } : record;
      },
    };
    expect(await work(id, 2, declined)).toBe('UNKNOWN');
    expect(await refund(sale, 4_000n)).toEqual({ kind: 'stopped', why: 'one_open' });
  });

  it('a capture of the lost time is unknown, then done by its record', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    await sandbox.card.captureHold({ invoiceId: hold.invoiceId, amountMinor: 12_340n }, SENDING);
    await restored();
    await confirmed(id);
    expect(await work(id)).toBe('UNKNOWN');
    expect(await work(id)).toBe('COMPLETED');
    expect(await gatewayRecords(hold)).toEqual(['card_capture 123.40']);
    expect(await posts('confirmPayment', hold), 'the lost one alone').toBe(1);
  });

  it('an operation whose record shows nothing new is sent once', async () => {
    const hold = await paid({ hold: true });
    const id = await started(capture(hold));
    await restored();
    await confirmed(id);
    expect(await work(id, 2)).toBe('COMPLETED');
    expect(await posts('confirmPayment', hold)).toBe(1);
  });
});
