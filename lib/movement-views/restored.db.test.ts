import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import type { FakeProvider } from '#lib/movements/testing/fake-provider.ts';
import { rowOf, setColumns, storedMovement } from '#lib/movements/testing/stored.ts';
import type { State } from '#lib/movements/state.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import type * as Parent from '#lib/movements/parent.ts';
import { situationOf } from './situation.ts';
import type * as View from './view.ts';

/**
 * What the page says of a movement without a send, and when that movement may be paid again, after
 * a restore that may have lost its send.
 */

type Journal = { files: number; lines: number; unreadable: number; missing: number };
const COMPLETE: Journal = { files: 1, lines: 3, unreadable: 0, missing: 0 };
const ABSENT: Journal = { files: 0, lines: 0, unreadable: 0, missing: 0 };
const INCOMPLETE: Journal = { ...COMPLETE, missing: 1 };

let merchant: TestMerchant;
let worker: Process;
let viewMovement: typeof View.viewMovement;
let parent: typeof Parent;

beforeAll(async () => {
  const product = await openProduct(1);
  ({ merchant, worker } = product);
  vi.resetModules();
  const db = await import('#lib/runtime/db.ts');
  db.actAs('dashboard_web');
  ({ viewMovement } = await import('./view.ts'));
  parent = await import('#lib/movements/parent.ts');
  return async () => {
    await db.disconnect();
    await product.close();
  };
});
afterEach(async () => {
  await merchant.owner.query('DELETE FROM recovered_records WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
});

/**
 * Creates a recovery that began and ended just now. `journal`: what it found of our own send
 * journal.
 */
async function recovered(journal: Journal | null, listedInMs = 0): Promise<string> {
  const { rows } = await merchant.owner.query<{ id: string }>(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at,
       journal)
     VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(),
       clock_timestamp() + make_interval(secs => $3), clock_timestamp(), clock_timestamp(), $2)
     RETURNING id`,
    [merchant.merchantId, journal && JSON.stringify(journal), listedInMs / 1_000],
  );
  return rows[0]!.id;
}

/** Lets the send journal, or a record of the provider, name a send that the row does not have. */
async function named(
  id: string,
  recoveryId: string,
  { level = 'unknown', source = 'journal' } = {},
): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference,
       movement_id, ext_id, level, amount_minor, currency, made_at, kind)
     SELECT m.merchant_id, $2, 'contradiction', $4, 'payout:' || m.ext_id, m.id, m.ext_id,
       $3, m.amount_minor, m.currency, clock_timestamp(), 'payout' FROM movements m WHERE m.id = $1`,
    [id, recoveryId, level, source],
  );
}

/**
 * Creates a movement in `state` that was not sent. It is created after the recovery, so that it is
 * younger.
 */
async function unsent(state: State): Promise<string> {
  if (state === 'APPROVED' || state === 'CANCELLED') return storedMovement(merchant, state);
  const id = randomUUID();
  await merchant.owner.query(
    `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
       amount_minor, currency, payment_type, description, content_hash, maker_id, approvals_needed)
     VALUES ($1::uuid, $2, 'payout', upper(left(md5($1::uuid::text), 20)), 'DRAFT', '1000000001',
       'TR330006100519786457841326', 'Ayşe Yılmaz', '10000000146', 12345, 'TRY', '1', 'test',
       md5($1::uuid::text), $3, 1)`,
    [id, merchant.merchantId, merchant.person('clerk').personId],
  );
  const way = {
    AWAITING_APPROVAL: ['AWAITING_APPROVAL'],
    EXPIRED: ['AWAITING_APPROVAL', 'EXPIRED'],
  };
  for (const to of way[state as keyof typeof way] ?? [])
    await setColumns(merchant, id, { state: to });
  return id;
}

async function situation(id: string): Promise<string> {
  return situationOf((await viewMovement(merchant.person('clerk'), id))!);
}

async function mayBePaidAgain(id: string): Promise<boolean> {
  return (await viewMovement(merchant.person('clerk'), id))!.can.payAgain;
}

/** What a new form to the payee of this movement learns of it: whether it may have left. */
async function recentOf(id: string): Promise<(boolean | undefined)[]> {
  const { recipientFacts } = await import('#lib/payouts/facts.ts');
  const { recent } = await recipientFacts(merchant.person('clerk'), {
    iban: (await rowOf(merchant, id)).iban as string,
    name: null,
    taxNumber: null,
    wallet: '1000000001',
  });
  return recent.filter((one) => one.id === id).map((one) => one.mayHaveLeft);
}

describe('a movement without a send that is older than a recovery', () => {
  const STATES = [
    ['DRAFT', 'draft'],
    ['AWAITING_APPROVAL', 'approval'],
    ['CANCELLED', 'cancelled'],
    ['EXPIRED', 'expired'],
  ] as const;

  it.each(STATES)(
    '%s: is not said to be unsent while no journal rules a send out',
    async (state, plain) => {
      const id = await unsent(state);
      expect(await situation(id), 'no recovery').toBe(plain);
      for (const journal of [null, ABSENT, INCOMPLETE]) {
        await recovered(journal);
        expect(await situation(id), JSON.stringify(journal)).toBe(`${plain}_unproven`);
        await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
          merchant.merchantId,
        ]);
      }
    },
  );

  it.each(STATES)(
    '%s: is said to be unsent when a complete journal does not name it',
    async (state, plain) => {
      const id = await unsent(state);
      const recovery = await recovered(COMPLETE);
      expect(await situation(id)).toBe(plain);
      await named(id, recovery);
      expect(await situation(id), 'the journal names it').toBe(`${plain}_unproven`);
      await merchant.owner.query(`UPDATE recovered_records SET source = 'withdrawal'`);
      expect(await situation(id), 'the provider lists it').toBe(`${plain}_unproven`);
    },
  );

  it.each(STATES)('%s: a younger one is said to be unsent', async (state, plain) => {
    await recovered(ABSENT);
    expect(await situation(await unsent(state))).toBe(plain);
  });

  it('that is refused after the restore is not said to be unpaid; refused before, it is', async () => {
    const id = await storedMovement(merchant, 'REJECTED');
    await setColumns(merchant, id, { last_send_at: new Date() });
    await recovered(ABSENT);
    expect(await situation(id), 'refused before').toBe('rejected');
    expect(await recentOf(id)).toEqual([false]);
    await setColumns(merchant, id, { last_send_at: new Date(Date.now() + 1_000) });
    expect(await situation(id), 'refused after').toBe('rejected_unproven');
    expect(await recentOf(id), 'a new form is warned').toEqual([true]);
  });

  it('that a person let leave says that it may have been sent, unless the journal rules it out', async () => {
    const id = await unsent('APPROVED');
    const confirm = () =>
      merchant.owner.query(
        `INSERT INTO send_confirmations (merchant_id, movement_id, confirmed_by) VALUES ($1, $2, $3)`,
        [merchant.merchantId, id, merchant.person('approver').personId],
      );
    await recovered(ABSENT);
    expect(await situation(id)).toBe('queued_confirm');
    await confirm();
    expect(await situation(id)).toBe('queued_confirmed');
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    await recovered(COMPLETE);
    await confirm();
    expect(await situation(id)).toBe('queued');
  });
});

describe('paying again what may have been sent before a restore', () => {
  const NEW_FORM = randomUUID();
  const refreshed = (id: string) =>
    parent.refreshParent(merchant.person('clerk'), { id: NEW_FORM, parentId: id });
  /** Runs the worker until the request has ended; returns `asked`, or the code of its refusal. */
  async function refreshedBy(id: string, provider: FakeProvider): Promise<string> {
    const state: { end: string | null } = { end: null };
    const waiting = refreshed(id).then(
      () => (state.end = 'asked'),
      (error: { code: string }) => (state.end = error.code),
    );
    const until = Date.now() + 10_000;
    while (state.end === null && Date.now() < until) {
      await worker.advance.advanceOne(fakePorts(merchant.merchantId, provider));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return waiting;
  }
  const refusal = async (id: string) => {
    const { inTransaction } = await import('#lib/runtime/db.ts');
    return inTransaction(merchant.merchantId, (tx) =>
      parent.parentMayBePaidAgain(tx, id, 'payout'),
    ).then(
      () => null,
      (error: { code: string }) => error.code,
    );
  };

  it.each(['CANCELLED', 'EXPIRED'] as const)(
    '%s: the provider is asked first, and a record of it locks "pay again"',
    async (state) => {
      const id = await unsent(state);
      await recovered(ABSENT);
      const extId = (await rowOf(merchant, id)).ext_id as string;
      const nothing = fakeProvider();
      expect(await refreshedBy(id, nothing)).toBe('asked');
      expect(nothing.asked.map((one) => [one.kind, one.id])).toEqual([['read', id]]);
      expect([await refusal(id), await mayBePaidAgain(id)]).toEqual([null, true]);
      await setColumns(merchant, id, { last_read_at: new Date(Date.now() - 61_000) });
      const found = fakeProvider({
        read: () => ({
          kind: 'found',
          level: 'completed',
          extId,
          amountMinor: 12_345n,
          currency: 'TRY',
          iban: null,
          requestId: '700000000000000001',
          reason: null,
          updatedAt: null,
          raw: '{}',
        }),
      });
      expect(await refreshedBy(id, found)).toBe('asked');
      expect(await rowOf(merchant, id)).toMatchObject({ state, alert: 'contradiction' });
      expect([await refusal(id), await mayBePaidAgain(id)]).toEqual(['parent_alive', false]);
      expect(await situation(id)).toBe(`${state.toLowerCase()}_unproven`);
    },
    30_000,
  );

  it('waits until the provider lists what a restore may have lost; an earlier answer proves nothing', async () => {
    const id = await unsent('CANCELLED');
    await recovered(ABSENT, 60_000);
    await setColumns(merchant, id, { last_read_at: new Date() });
    await expect(refreshed(id)).rejects.toMatchObject({ code: 'parent_not_listed' });
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    await recovered(ABSENT);
    await setColumns(merchant, id, { last_read_at: new Date(Date.now() - 5_000) });
    const provider = fakeProvider();
    expect(await refreshedBy(id, provider)).toBe('asked');
    expect(provider.asked.map((one) => one.kind)).toEqual(['read']);
  }, 30_000);

  it('waits for the latest of several restores that may have lost it', async () => {
    const id = await unsent('CANCELLED');
    await recovered(ABSENT);
    await recovered(ABSENT, 60_000);
    await setColumns(merchant, id, { last_read_at: new Date() });
    await expect(refreshed(id)).rejects.toMatchObject({ code: 'parent_not_listed' });
  });

  it('is refused for good when the journal names a send of it, and not for a record without money', async () => {
    const id = await unsent('CANCELLED');
    await named(id, await recovered(COMPLETE));
    expect([await refusal(id), await mayBePaidAgain(id)]).toEqual(['parent_alive', false]);
    const other = await unsent('CANCELLED');
    await named(other, await recovered(COMPLETE), { level: 'rejected' });
    // It may, once the provider has been asked about it.
    expect([await refusal(other), await mayBePaidAgain(other)]).toEqual(['parent_not_fresh', true]);
  });

  it('by a new form is warned of as a duplicate', async () => {
    const id = await unsent('CANCELLED');
    expect(await recentOf(id)).toEqual([false]);
    await recovered(ABSENT);
    expect(await recentOf(id)).toEqual([true]);
  });

  it('needs no question about what is younger than the restore', async () => {
    await recovered(ABSENT);
    const id = await unsent('CANCELLED');
    await refreshed(id);
    expect((await rowOf(merchant, id)).last_hint_at).toBeNull();
  });
});
