import { beforeAll, describe, expect, it } from 'vitest';
import { agedLooks, agedMovement } from '#lib/second-person/testing/aged.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type { CloseClaim } from './closable.ts';
import { fakePorts, fakeProvider } from './testing/fake-provider.ts';
import { LONGEST_DUE, readyMovements, rowOf, setColumns } from './testing/stored.ts';

/**
 * Payouts and transfers that stay unknown: only two people who have the provider's written answer
 * can close them.
 */

let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web, worker } = product);
  return product.close;
});

const lost = fakeProvider({
  send: () => ({ kind: 'unclear', why: 'timeout', raw: null, code: null, message: null }),
});

async function look(id: string, provider = lost): Promise<void> {
  await setColumns(merchant, id, { next_at: LONGEST_DUE });
  await worker.advance.advanceOne(fakePorts(merchant.merchantId, provider));
}

/** Creates a movement that was sent, got no response, and was not found by three reads since. */
async function unknown(kind = 'payout', hours = 25): Promise<string> {
  const [id] = (await readyMovements(merchant, 1, { kind })) as [string];
  for (let n = 0; n < 4; n++) await look(id);
  await agedMovement(merchant, id, hours);
  return id;
}

type Role = Parameters<TestMerchant['person']>[0];
function say(
  id: string,
  role: Role,
  claim: CloseClaim | null = 'not_done',
  reference = 'TCK-4711',
): ReturnType<Process['close']['closeMovement']> {
  return web.close.closeMovement(
    merchant.person(role),
    { id, claim, reason: 'bize yazdılar', reference },
    300,
  );
}

describe('an unknown movement that a provider never lists', () => {
  it.each(['payout', 'transfer_person', 'transfer_business', 'transfer_own'])(
    '%s is ended by two people with a written answer, and may be paid again',
    async (kind) => {
      const id = await unknown(kind);
      expect(await rowOf(merchant, id)).toMatchObject({
        state: 'UNKNOWN',
        not_found_reads: 3,
        sends: 1,
      });
      await expect(say(id, 'approver', 'not_done', ' x ')).rejects.toMatchObject({
        code: 'close_reference_needed',
      });
      expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
      expect(await say(id, 'owner')).toEqual({ kind: 'closed' });
      expect(await rowOf(merchant, id)).toMatchObject({
        state: 'FAILED',
        reason_code: 'people_said',
        alert: null,
      });
      const { viewMovement } = await import('#lib/movement-views/view.ts');
      expect(await viewMovement(merchant.person('clerk'), id)).toMatchObject({
        can: { payAgain: true },
        closing: null,
        statements: {
          outcome: 'not_done',
          words: [
            { by: 'approver@test', reference: 'TCK-4711', counts: true },
            { by: 'owner@test', reference: 'TCK-4711', counts: true },
          ],
        },
      });
    },
  );

  it('is ended by nobody within a day of the first unclear moment, however long ago it was prepared', async () => {
    const id = await unknown('payout', 23);
    await expect(say(id, 'approver')).rejects.toMatchObject({ code: 'close_not_a_day' });
  });

  it('is not ended by its maker, nor called paid by people while its record does not know it', async () => {
    const id = await unknown();
    await expect(say(id, 'clerk')).rejects.toMatchObject({ code: 'maker_has_no_word' });
    await expect(say(id, 'approver', 'done')).rejects.toMatchObject({ code: 'close_not_unknown' });
  });

  it('needs a look of this minute at each word: absence that was seen before is none', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
    await agedLooks(merchant, id, 2);
    await expect(say(id, 'owner')).rejects.toMatchObject({ code: 'close_unverified' });
    await look(
      id,
      fakeProvider({ read: () => ({ kind: 'no_answer', why: 'timeout', raw: null }) }),
    );
    await expect(say(id, 'owner')).rejects.toMatchObject({ code: 'close_unverified' });
    await look(id);
    expect(await say(id, 'owner')).toEqual({ kind: 'closed' });
  });

  it('is not ended on a look whose answer came after its lease: it may be older than it seems', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
    await agedLooks(merchant, id, 2);
    await merchant.owner.query(
      `INSERT INTO evidence (merchant_id, movement_id, source, kind, detail, state_before,
        state_after, at) VALUES ($1, $2, 'read', 'read', '{"kind": "not_found", "late": true}',
        'UNKNOWN', 'UNKNOWN', now())`,
      [merchant.merchantId, id],
    );
    await expect(say(id, 'owner')).rejects.toMatchObject({ code: 'close_unverified' });
    await look(id);
    expect(await say(id, 'owner')).toEqual({ kind: 'closed' });
  });

  it('is completed by the worker’s look that the second word asks for, whatever two people say', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
    await agedLooks(merchant, id, 2);
    const found = fakeProvider({
      read: ({ extId, amountMinor, currency, iban }) => ({
        kind: 'found',
        level: 'completed',
        extId,
        amountMinor,
        currency,
        iban,
        requestId: '77',
        reason: null,
        updatedAt: null,
        raw: null,
      }),
    });
    const second = web.close
      .closeMovement(merchant.person('owner'), {
        id,
        claim: 'not_done',
        reason: 'bize yazdılar',
        reference: 'TCK-1',
      })
      .catch((error: unknown) => error);
    await expect.poll(async () => (await rowOf(merchant, id)).next_at! <= new Date()).toBe(true);
    await look(id, found);
    expect(await second).toMatchObject({ code: 'close_record_says' });
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'COMPLETED', reason_code: null });
  });

  it('is ended by nobody while a worker holds its lease: its answer is waited for', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
    await merchant.owner.query(
      `UPDATE movements SET lease_token = gen_random_uuid(),
        lease_until = clock_timestamp() + interval '45 seconds' WHERE id = $1`,
      [id],
    );
    await expect(say(id, 'owner')).rejects.toMatchObject({ code: 'close_unverified' });
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
    await setColumns(merchant, id, { lease_token: null, lease_until: null });
    expect(await say(id, 'owner')).toEqual({ kind: 'closed' });
  });

  it('what was said before another send of it does not count for the present one', async () => {
    const id = await unknown();
    expect(await say(id, 'approver')).toEqual({ kind: 'asked' });
    await merchant.owner.query(
      `UPDATE movements SET state = 'SUBMITTING', sends = sends + 1 WHERE id = $1`,
      [id],
    );
    await setColumns(merchant, id, { state: 'UNKNOWN' });
    await look(id);
    expect(await say(id, 'owner')).toEqual({ kind: 'asked' });
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
  });
});

describe('an accepted payout', () => {
  const other = fakeProvider({ read: () => ({ kind: 'no_answer', why: 'mismatch', raw: '{}' }) });
  async function accepted(): Promise<string> {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await look(id, fakeProvider());
    await agedMovement(merchant, id, 25);
    return id;
  }

  it.each([
    ['done', 'COMPLETED', 'mismatch'],
    ['not_done', 'FAILED', null],
  ] as const)(
    'whose record is of another content for good is ended by two people: %s',
    async (claim, state, alert) => {
      const id = await accepted();
      for (let n = 0; n < 2; n++) await look(id, other);
      expect(await rowOf(merchant, id)).toMatchObject({
        state: 'MANUAL_REVIEW',
        alert: 'mismatch',
      });
      await say(id, 'approver', claim);
      expect(await say(id, 'owner', claim)).toEqual({ kind: 'closed' });
      expect(await rowOf(merchant, id)).toMatchObject({
        state,
        alert,
        reason_code: 'people_said',
      });
    },
  );

  it('that its record still calls pending is ended by the record alone', async () => {
    const id = await accepted();
    const pending = fakeProvider({
      read: ({ extId, amountMinor, currency, iban, requestId }) => ({
        kind: 'found',
        level: 'pending',
        extId,
        amountMinor,
        currency,
        iban,
        requestId: requestId!,
        reason: null,
        updatedAt: null,
        raw: null,
      }),
    });
    for (let n = 0; n < 2; n++) await look(id, pending);
    await expect(say(id, 'approver')).rejects.toMatchObject({ code: 'close_record_says' });
  });
});

it('no verb reads the audit log to decide: what was written there by somebody else closes nothing', async () => {
  const id = await unknown();
  await web.db.inTransaction(merchant.merchantId, (tx) =>
    web.audit.audit(tx, merchant.person('approver'), 'movement.word_given', `movement:${id}`, {
      claim: 'not_done',
    }),
  );
  expect(await say(id, 'owner')).toEqual({ kind: 'asked' });
});

describe('an accepted movement whose record carries another number', () => {
  it.each(['payout', 'transfer_own'])(
    '%s is flagged, never ended by that record, and ended by two people',
    async (kind) => {
      const other = fakeProvider({
        read: ({ extId, amountMinor, currency, iban }) => ({
          kind: 'found',
          level: 'completed',
          extId,
          amountMinor,
          currency,
          iban: kind === 'payout' ? iban : null,
          requestId: '77',
          reason: null,
          updatedAt: null,
          raw: null,
        }),
      });
      const [id] = (await readyMovements(merchant, 1, { kind })) as [string];
      for (let n = 0; n < 3; n++) await look(id, other);
      expect(await rowOf(merchant, id)).toMatchObject({ state: 'PENDING', alert: 'mismatch' });
      await agedMovement(merchant, id, 25);
      await look(id, other);
      const { viewMovement } = await import('#lib/movement-views/view.ts');
      expect(await viewMovement(merchant.person('owner'), id)).toMatchObject({
        closing: { claims: ['done', 'not_done'], needsReference: true, people: 2 },
      });
      expect(await say(id, 'approver', 'done')).toEqual({ kind: 'asked' });
      expect(await say(id, 'owner', 'done')).toEqual({ kind: 'closed' });
      expect(await rowOf(merchant, id)).toMatchObject({
        state: 'COMPLETED',
        reason_code: 'people_said',
        alert: 'mismatch',
      });
    },
  );
});
