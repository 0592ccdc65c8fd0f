import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { linkAudit, openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { LedgerLine, SendOutcome } from '../providers/outcome.ts';
import { fakePorts, fakeProvider } from './testing/fake-provider.ts';
import type { FakeProvider } from './testing/fake-provider.ts';
import { credit, debit, found } from './testing/movement.ts';
import { readyMovements, rowOf, setColumns, storedMovement } from './testing/stored.ts';

/** How responses are recorded: in time, late, twice, and while another source reports. */

let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web, worker } = product);
  return product.close;
});
beforeEach(async () => {
  await merchant.owner.query(`UPDATE receipts SET next_at = NULL WHERE merchant_id = $1`, [
    merchant.merchantId,
  ]);
  await merchant.owner.query(
    `UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
});

const raw = { raw: null, code: null, message: null };
const ports = (provider: FakeProvider = fakeProvider()) => fakePorts(merchant.merchantId, provider);
const advance = (provider: FakeProvider) => worker.advance.advanceOne(ports(provider));
const past = (ms = 0) => new Date(Date.now() - ms);
const notSent: SendOutcome = { ...raw, kind: 'not_sent', why: 'refused' };
const waitForIban: SendOutcome = { ...raw, kind: 'same_iban_wait', code: '326' };
const answer = (outcome: SendOutcome) => ({ source: 'answer', kind: 'answer', outcome }) as const;

/** Claims the one due row and returns the worker's claim. */
async function take(): Promise<
  Extract<Awaited<ReturnType<Process['claim']['claimDue']>>, { leaseToken: string }>
> {
  const claim = await worker.claim.claimDue(ports());
  if (!('leaseToken' in claim)) throw new Error(`nothing was taken: ${claim.kind}`);
  return claim;
}

async function evidenceOf(
  id: string,
): Promise<
  { kind: string; detail: Record<string, unknown>; state_before: string; state_after: string }[]
> {
  return (
    await merchant.owner.query(
      `SELECT kind, detail, state_before, state_after FROM evidence WHERE movement_id = $1 ORDER BY id`,
      [id],
    )
  ).rows;
}

const accept = (
  movement: { extId: string; amountMinor: bigint },
  requestId = '7001',
): SendOutcome => ({
  ...raw,
  code: '100',
  kind: 'accepted',
  extId: movement.extId,
  amountMinor: movement.amountMinor,
  feeMinor: 320n,
  requestId,
  transactionId: null,
});

describe('a whole payment', () => {
  it('from the queue to its receipt, each step with its evidence and its audit row', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const amountMinor = 12_345n;
    const provider = fakeProvider({
      send: (movement) => accept(movement),
      read: (movement) => ({
        ...found('completed'),
        extId: movement.extId,
        amountMinor,
        requestId: '7001',
      }),
      ledger: (movement) => ({
        kind: 'listed',
        raw: '{}',
        lines: [debit({ extId: movement.extId, amountMinor })],
      }),
    });
    for (let n = 0; n < 3; n++) {
      await advance(provider);
      await setColumns(merchant, id, { next_at: past() });
    }
    expect(provider.asked.map((one) => one.kind)).toEqual(['send', 'read', 'ledger']);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'COMPLETED',
      returned: 'NONE',
      request_id: '7001',
      transaction_id: debit().transactionId,
      fee_minor: '320',
      lease_token: null,
    });
    const evidence = await evidenceOf(id);
    expect(evidence.map((row) => `${row.kind} ${row.state_before} → ${row.state_after}`)).toEqual([
      'claimed APPROVED → SUBMITTING',
      'answer SUBMITTING → PENDING',
      'read PENDING → COMPLETED',
      'ledger COMPLETED → COMPLETED',
    ]);
    expect(evidence[1]!.detail).toMatchObject({
      kind: 'accepted',
      requestId: '7001',
      feeMinor: '320',
      amountMinor: '12345',
    });
    await linkAudit(merchant);
    const audit = await merchant.owner.query(
      `SELECT action, body::jsonb -> 'detail' ->> 'to' AS to FROM audit_entries
        WHERE merchant_id = $1 AND subject = $2 ORDER BY seq`,
      [merchant.merchantId, `movement:${id}`],
    );
    expect(audit.rows).toEqual([
      { action: 'movement.claimed', to: 'SUBMITTING' },
      { action: 'movement.answer', to: 'PENDING' },
      { action: 'movement.read', to: 'COMPLETED' },
    ]);
    const receipt = await merchant.owner.query(
      `SELECT state, next_at <= clock_timestamp() AS due FROM receipts WHERE movement_id = $1`,
      [id],
    );
    expect(receipt.rows).toEqual([{ state: 'WAITING', due: true }]);
  });

  it('its receipt is fetched once the ledger names the transaction, and retried while it is missing', async () => {
    const id = await storedMovement(merchant, 'COMPLETED', {
      ledger_seen_at: past(),
      transaction_id: '9001',
    });
    await merchant.owner.query(
      `INSERT INTO receipts (merchant_id, movement_id, state, next_at)
        VALUES ($1, $2, 'WAITING', clock_timestamp())`,
      [merchant.merchantId, id],
    );
    const asked: string[] = [];
    const fetch = (kind: 'not_ready' | 'pdf') =>
      worker.receipts.fetchOneDueReceipt(merchant.merchantId, {
        getReceipt: async (transactionId) => {
          asked.push(transactionId);
          return kind === 'pdf' ? { kind, bytes: Buffer.from('%PDF-1.7') } : { kind };
        },
      });
    const receipt = async () =>
      (
        await merchant.owner.query(
          `SELECT id, state, tries, format, bytes, sha256, next_at FROM receipts WHERE movement_id = $1`,
          [id],
        )
      ).rows[0];
    const before = Date.now();
    expect(await fetch('not_ready')).toBe(true);
    expect(await receipt()).toMatchObject({ state: 'WAITING', tries: 1 });
    expect((await receipt()).next_at.getTime()).toBeGreaterThan(before + 1_000);
    await merchant.owner.query(
      `UPDATE receipts SET next_at = clock_timestamp() + interval '1 minute' WHERE movement_id = $1`,
      [id],
    );
    expect(await fetch('not_ready'), 'not before its time').toBe(false);
    await merchant.owner.query(
      `UPDATE receipts SET next_at = clock_timestamp() WHERE movement_id = $1`,
      [id],
    );
    expect(await fetch('pdf')).toBe(true);
    expect(await receipt()).toMatchObject({
      state: 'READY',
      tries: 2,
      format: 'pdf',
      next_at: null,
      bytes: Buffer.from('%PDF-1.7'),
    });
    expect(asked).toEqual(['9001', '9001']);
  });

  it('after many tries the receipt rests as failed, and a person may ask again', async () => {
    const id = await storedMovement(merchant, 'COMPLETED', {
      ledger_seen_at: past(),
      transaction_id: '9002',
    });
    await merchant.owner.query(
      `INSERT INTO receipts (merchant_id, movement_id, state, next_at, tries)
        VALUES ($1, $2, 'WAITING', clock_timestamp() - interval '1 hour', 13)`,
      [merchant.merchantId, id],
    );
    await worker.receipts.fetchOneDueReceipt(merchant.merchantId, {
      getReceipt: async () => ({ kind: 'no_answer', why: 'timeout' }),
    });
    const { rows } = await merchant.owner.query(
      `SELECT state, problem, next_at FROM receipts WHERE movement_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ state: 'FAILED', problem: 'no_answer:timeout', next_at: null }]);
  });
});

describe('a lease that is over', () => {
  it('turns a claim without an answer into unknown, never back into ready', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await take();
    const provider = fakeProvider();
    await setColumns(merchant, id, { next_at: past() });
    expect((await advance(provider)).kind, 'a live lease is respected').toBe('at_rest');
    await setColumns(merchant, id, { lease_until: past(1) });
    await advance(provider);
    expect(provider.asked).toEqual([]);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'UNKNOWN',
      ever_ambiguous: true,
      lease_token: null,
    });
  });

  it.each([
    ['refused', { ...raw, kind: 'refused', code: '311' }, 'UNKNOWN'],
    ['not sent', notSent, 'UNKNOWN'],
    ['326', { ...raw, kind: 'same_iban_wait' }, 'UNKNOWN'],
    ['accepted', null, 'PENDING'],
  ] as const)(
    'an answer that comes after it (%s) is written down, and the next holder keeps its lease',
    async (_name, outcome, state) => {
      const [id] = (await readyMovements(merchant, 1)) as [string];
      const first = await take();
      await setColumns(merchant, id, { lease_until: past(1), next_at: past() });
      await advance(fakeProvider());
      await setColumns(merchant, id, { next_at: past() });
      const second = await take();
      expect([second.kind, second.movement.id]).toEqual(['read', id]);
      await worker.claim.recordResponse(ports(), first, answer(outcome ?? accept(first.movement)));
      expect(await rowOf(merchant, id)).toMatchObject({
        state,
        lease_token: second.leaseToken,
        ever_ambiguous: true,
      });
      expect((await rowOf(merchant, id)).lease_until!.getTime()).toBeGreaterThan(Date.now());
      expect((await evidenceOf(id)).at(-1)).toMatchObject({
        kind: 'answer',
        detail: { late: true },
        state_after: state,
      });
      await worker.claim.recordResponse(ports(), second, {
        source: 'read',
        kind: 'read',
        outcome: { ...found('completed'), extId: second.movement.extId, requestId: '7001' },
      });
      expect(await rowOf(merchant, id)).toMatchObject({ state: 'COMPLETED', lease_token: null });
    },
  );

  it('a "not found" asked before the last send does not count for the next resend', async () => {
    const id = await storedMovement(merchant, 'UNKNOWN', { next_at: past(), not_found_reads: 2 });
    const stale = await take();
    await setColumns(merchant, id, { lease_until: past(1), next_at: past() });
    const current = await take();
    await worker.claim.recordResponse(ports(), stale, {
      source: 'read',
      kind: 'read',
      outcome: { kind: 'not_found', raw: '{}' },
    });
    expect(await rowOf(merchant, id)).toMatchObject({
      not_found_reads: 2,
      last_read_at: null,
      lease_token: current.leaseToken,
    });
  });

  it('a late answer never postpones a look that somebody has asked for', async () => {
    const id = await storedMovement(merchant, 'UNKNOWN', { next_at: past() });
    const stale = await take();
    const asked = past(2_000);
    await setColumns(merchant, id, { lease_until: null, lease_token: null, next_at: asked });
    await worker.claim.recordResponse(ports(), stale, {
      source: 'read',
      kind: 'read',
      outcome: { kind: 'no_answer', why: 'timeout', raw: null },
    });
    expect((await rowOf(merchant, id)).next_at).toEqual(asked);
  });
});

describe('an answer written down twice', () => {
  it('"not sent", the commit done and its confirmation lost, does not touch the send that followed', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const first = await take();
    await worker.claim.recordResponse(ports(), first, answer(notSent));
    expect((await rowOf(merchant, id)).state).toBe('APPROVED');
    await setColumns(merchant, id, { next_at: past() });
    const second = await take();
    expect(second.kind).toBe('send');
    await worker.claim.recordResponse(ports(), first, answer(notSent));
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'SUBMITTING',
      sends: 2,
      not_sent_tries: 1,
      lease_token: second.leaseToken,
    });
    await expect(web.cancel.cancelMovement(merchant.person('clerk'), id)).rejects.toMatchObject({
      code: 'too_late_to_cancel',
    });
    await worker.claim.recordResponse(ports(), second, answer(accept(second.movement)));
    expect((await rowOf(merchant, id)).state).toBe('PENDING');
  });

  it('what waits after a 326 is not cancelled while its record is read, and is cancelled afterwards', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const first = await take();
    await worker.claim.recordResponse(ports(), first, answer(waitForIban));
    await setColumns(merchant, id, { next_at: past(), last_send_at: past(70_000) });
    const reading = await take();
    expect(reading.kind).toBe('read');
    await expect(web.cancel.cancelMovement(merchant.person('clerk'), id)).rejects.toMatchObject({
      code: 'cancel_being_read',
    });
    await worker.claim.recordResponse(ports(), reading, {
      source: 'read',
      kind: 'read',
      outcome: { kind: 'not_found', raw: '{}' },
    });
    await web.cancel.cancelMovement(merchant.person('clerk'), id);
    expect((await rowOf(merchant, id)).state).toBe('CANCELLED');
  });

  it('what is cancelled after a 326 is read once its copy has to be listed, and one found is an alert', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await worker.claim.recordResponse(ports(), await take(), answer(waitForIban));
    await web.cancel.cancelMovement(merchant.person('clerk'), id);
    const { state, next_at, ended_at } = await rowOf(merchant, id);
    expect(state).toBe('CANCELLED');
    const wait = next_at!.getTime() - (ended_at as Date).getTime();
    expect(Math.round(wait / 60_000)).toBe(25);
    await setColumns(merchant, id, { next_at: past() });
    const reading = await take();
    expect(reading.kind).toBe('read');
    await worker.claim.recordResponse(ports(), reading, {
      source: 'read',
      kind: 'read',
      outcome: { ...found('completed'), extId: reading.movement.extId },
    });
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'CANCELLED',
      alert: 'contradiction',
    });
  });

  it('an acceptance changes nothing the second time', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const claim = await take();
    await worker.claim.recordResponse(ports(), claim, answer(accept(claim.movement)));
    const before = await rowOf(merchant, id);
    await worker.claim.recordResponse(ports(), claim, answer(accept(claim.movement)));
    expect({ ...(await rowOf(merchant, id)), updated_at: null }).toEqual({
      ...before,
      updated_at: null,
    });
  });
});

/** Makes the body of each webhook different. */
let noticed = 0;
const notice = (extId: string, status: number) =>
  JSON.stringify({
    ext_transaction_id: extId,
    after_process_status: status,
    transaction_id: 5,
    request_withdraw_id: (noticed += 1),
  });

describe('a wish to look that comes while a look is under way', () => {
  it('by a notice: is not lost', async () => {
    const id = await storedMovement(merchant, 'PENDING', { next_at: past() });
    const claim = await take();
    await web.receive.receiveWebhook(
      merchant.merchantId,
      'wallet',
      notice(claim.movement.extId, 1),
    );
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'PENDING',
      lease_token: claim.leaseToken,
    });
    expect((await advance(fakeProvider())).kind, 'while it is held nobody else looks').toBe(
      'at_rest',
    );
    await worker.claim.recordResponse(ports(), claim, {
      source: 'read',
      kind: 'read',
      outcome: { ...found('pending'), extId: claim.movement.extId },
    });
    const provider = fakeProvider({
      read: (movement) => ({ ...found('completed'), extId: movement.extId }),
    });
    await advance(provider);
    expect([provider.asked.map((one) => one.kind), (await rowOf(merchant, id)).state]).toEqual([
      ['read'],
      'COMPLETED',
    ]);
  });

  it('by a person: is not lost', async () => {
    const id = await storedMovement(merchant, 'MANUAL_REVIEW', { next_at: past() });
    const claim = await take();
    await web.checkNow.checkNow(merchant.person('clerk'), id);
    await worker.claim.recordResponse(ports(), claim, {
      source: 'read',
      kind: 'read',
      outcome: { kind: 'no_answer', why: 'timeout', raw: null },
    });
    expect((await rowOf(merchant, id)).next_at!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('during a send: the answer is followed by a look at once', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const claim = await take();
    await web.receive.receiveWebhook(
      merchant.merchantId,
      'wallet',
      notice(claim.movement.extId, 1),
    );
    await worker.claim.recordResponse(ports(), claim, answer(accept(claim.movement)));
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'PENDING', lease_token: null });
    expect((await rowOf(merchant, id)).next_at!.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('a flood of notices pulls one look per ten seconds and never pushes the next one away', async () => {
    const id = await storedMovement(merchant, 'PENDING', {
      next_at: new Date(Date.now() + 3_600_000),
    });
    const { rows } = await merchant.owner.query(`SELECT ext_id FROM movements WHERE id = $1`, [id]);
    for (let n = 0; n < 25; n++)
      await web.receive.receiveWebhook(merchant.merchantId, 'wallet', notice(rows[0].ext_id, 1));
    const provider = fakeProvider({
      read: (movement) => ({ ...found('pending'), extId: movement.extId }),
    });
    await advance(provider);
    const after = await rowOf(merchant, id);
    expect(provider.asked).toHaveLength(1);
    expect((after.last_hint_at as Date).getTime()).toBeLessThan(Date.now() + 11_000);
    expect(after.next_at!.getTime()).toBeLessThan(Date.now() + 11_000);
  });
});

describe('notices', () => {
  it('that speak of a return: reported, never confirmed, and seen by the ledger only', async () => {
    const id = await storedMovement(merchant, 'COMPLETED', {
      ledger_seen_at: past(),
      transaction_id: debit().transactionId,
      ended_at: past(),
    });
    const { rows } = await merchant.owner.query(
      `SELECT ext_id, amount_minor::text AS amount FROM movements WHERE id = $1`,
      [id],
    );
    const extId = rows[0].ext_id as string;
    await web.receive.receiveWebhook(
      merchant.merchantId,
      'wallet',
      JSON.stringify({ ext_transaction_id: extId, after_process_status: 5, transaction_id: 1 }),
    );
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'COMPLETED', returned: 'REPORTED' });
    const amountMinor = BigInt(rows[0].amount);
    const lines: LedgerLine[] = [debit({ extId, amountMinor })];
    const provider = fakeProvider({ ledger: () => ({ kind: 'listed', raw: '{}', lines }) });
    await advance(provider);
    expect(await rowOf(merchant, id)).toMatchObject({ returned: 'REPORTED' });
    lines.push(credit({ amountMinor }));
    await setColumns(merchant, id, { next_at: past() });
    await advance(provider);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'COMPLETED',
      returned: 'CONFIRMED',
      alert: null,
    });
  });

  it('a hundred times the same: kept once, counted, handled once', async () => {
    const id = await storedMovement(merchant, 'PENDING', { next_at: null });
    const { rows } = await merchant.owner.query(`SELECT ext_id FROM movements WHERE id = $1`, [id]);
    const body = JSON.stringify({
      ext_transaction_id: rows[0].ext_id,
      after_process_status: 1,
      transaction_id: 3,
    });
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let n = 0; n < 12; n++)
          await web.receive.receiveWebhook(merchant.merchantId, 'wallet', body);
      }),
    );
    const kept = await merchant.owner.query(
      `SELECT seen, effect FROM notices WHERE merchant_id = $1 AND movement_id = $2`,
      [merchant.merchantId, id],
    );
    expect(kept.rows).toEqual([{ seen: 96, effect: 'asked_provider' }]);
    expect((await evidenceOf(id)).filter((row) => row.kind === 'notice')).toHaveLength(1);
  });
});

describe('two sources at the same moment', () => {
  it('a completing read and a webhook of a return are both kept, in whatever order they are written', async () => {
    for (let round = 0; round < 20; round++) {
      const id = await storedMovement(merchant, 'PENDING', { next_at: past() });
      const claim = await take();
      const body = notice(claim.movement.extId, 5);
      await Promise.all([
        worker.claim.recordResponse(ports(), claim, {
          source: 'read',
          kind: 'read',
          outcome: { ...found('completed'), extId: claim.movement.extId },
        }),
        web.receive.receiveWebhook(merchant.merchantId, 'wallet', body),
      ]);
      const row = await rowOf(merchant, id);
      expect([row.state, row.returned]).toEqual(['COMPLETED', 'REPORTED']);
      expect(row.next_at!.getTime()).toBeLessThan(Date.now() + 11_000);
      await setColumns(merchant, id, { next_at: null });
    }
  });

  it('an answer and twenty notices: one step, every notice kept as evidence', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const claim = await take();
    await Promise.all([
      worker.claim.recordResponse(ports(), claim, answer(accept(claim.movement))),
      ...Array.from({ length: 20 }, (_, n) =>
        web.receive.receiveWebhook(
          merchant.merchantId,
          'wallet',
          JSON.stringify({
            ext_transaction_id: claim.movement.extId,
            after_process_status: 1,
            transaction_id: n,
          }),
        ),
      ),
    ]);
    await web.receive.handleLeft(merchant.merchantId);
    const evidence = await evidenceOf(id);
    expect([
      (await rowOf(merchant, id)).state,
      evidence.filter((row) => row.kind === 'notice').length,
      evidence.filter((row) => row.state_before !== row.state_after).length,
    ]).toEqual(['PENDING', 20, 2]);
  });
});

describe('what a provider may write', () => {
  it('NUL, half a surrogate pair and a book as a message: all of it is recorded', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const message = `bad \u0000 news \ud83d ${'x'.repeat(480)}`;
    const provider = fakeProvider({
      send: () => ({
        kind: 'refused',
        code: '311',
        message,
        raw: `{"message":"\u0000 ${'y'.repeat(100_000)}"}`,
      }),
    });
    await advance(provider);
    const row = await rowOf(merchant, id);
    expect([
      row.state,
      row.reason_code,
      (row.reason_text as string).startsWith('bad  news \ufffd xxx'),
    ]).toEqual(['REJECTED', '311', true]);
  });
});

describe('a database that is away for a moment', () => {
  it('when the answer is to be written: it is tried again until it is held', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    const holder = await merchant.owner.connect();
    const provider = fakeProvider({
      send: async (movement) => {
        await holder.query('BEGIN');
        await holder.query('SELECT 1 FROM movements WHERE id = $1 FOR UPDATE', [movement.id]);
        setTimeout(() => void holder.query('COMMIT').finally(() => holder.release()), 2_600);
        return accept(movement);
      },
    });
    await advance(provider);
    expect(provider.asked).toHaveLength(1);
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'PENDING', sends: 1 });
  });
});

describe('times of the row', () => {
  it("are the database's own to the millisecond: what is due now is found now", async () => {
    for (let n = 0; n < 30; n++) {
      const [id] = (await readyMovements(merchant, 1)) as [string];
      const provider = fakeProvider();
      await advance(provider);
      expect(provider.asked.map((one) => one.id)).toEqual([id]);
      const { rows } = await merchant.owner.query(
        `SELECT next_at - accepted_at BETWEEN interval '1 s' AND interval '4 s' AS soon,
          accepted_at BETWEEN clock_timestamp() - interval '1 minute' AND clock_timestamp() AS past
          FROM movements WHERE id = $1`,
        [id],
      );
      expect(rows[0]).toEqual({ soon: true, past: true });
      await setColumns(merchant, id, { next_at: null });
    }
  });

  it('a token of a lease is a new one each time', async () => {
    const id = await storedMovement(merchant, 'PENDING', { next_at: past() });
    const first = await take();
    await setColumns(merchant, id, { lease_until: past(1), next_at: past() });
    expect((await take()).leaseToken).not.toBe(first.leaseToken);
  });
});

describe('after all of this', () => {
  it('every step in the evidence has its row in the audit log, and none is there without (I10)', async () => {
    await linkAudit(merchant);
    const { rows } = await merchant.owner.query(
      `SELECT coalesce(e.step, a.step) AS step, coalesce(e.n, 0)::int AS evidence,
        coalesce(a.n, 0)::int AS audit FROM
         (SELECT movement_id || ' ' || kind || ' ' || state_before || ' → ' || state_after AS step,
           count(*) AS n FROM evidence WHERE merchant_id = $1 AND state_before <> state_after
           GROUP BY 1) e
       FULL JOIN
         (SELECT replace(subject, 'movement:', '') || ' ' || replace(action, 'movement.', '') || ' '
           || (body::jsonb #>> '{detail,from}') || ' → ' || (body::jsonb #>> '{detail,to}') AS step,
           count(*) AS n
          FROM audit_entries WHERE merchant_id = $1 AND subject LIKE 'movement:%'
            AND body::jsonb #>> '{detail,from}' <> body::jsonb #>> '{detail,to}' GROUP BY 1) a
       ON e.step = a.step WHERE e.n IS DISTINCT FROM a.n`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([]);
  });
});
