import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fakePorts, fakeProvider } from '#lib/movements/testing/fake-provider.ts';
import type { FakeProvider } from '#lib/movements/testing/fake-provider.ts';
import {
  LONGEST_DUE,
  readyMovements,
  rowOf,
  setColumns,
  storedMovement,
  testIban,
} from '#lib/movements/testing/stored.ts';
import type { MovementRow } from '#lib/movements/row.ts';
import type { ReadOutcome } from '#lib/providers/outcome.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';

/**
 * After a recovery, every row that is older than the recovery waits for a person's "send it", one
 * by one.
 */

let merchant: TestMerchant;
let worker: Process;
let confirm: Process['confirmSend'];
let list: Process['heldSends'];
let cancelMovement: Process['cancel']['cancelMovement'];

beforeAll(async () => {
  const product = await openProduct(1);
  ({ merchant, worker } = product);
  ({ confirmSend: confirm, heldSends: list } = product.web);
  ({ cancelMovement } = product.web.cancel);
  return product.close;
});
afterEach(async () => {
  await merchant.owner.query('ALTER TABLE send_confirmations DISABLE TRIGGER USER');
  await merchant.owner.query('DELETE FROM send_confirmations WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  await merchant.owner.query('ALTER TABLE send_confirmations ENABLE TRIGGER USER');
  await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
    merchant.merchantId,
  ]);
  await merchant.owner.query(
    `UPDATE plan_charges SET state = 'NOT_CHARGED' WHERE merchant_id = $1 AND state = 'QUEUED'`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    `UPDATE movements SET state = 'CANCELLED' WHERE merchant_id = $1 AND state = 'APPROVED'`,
    [merchant.merchantId],
  );
  await merchant.owner.query(
    'UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL WHERE merchant_id = $1',
    [merchant.merchantId],
  );
});

/** Creates a recovery that began just now and is still open. */
async function recoveryBegan(): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by)
      VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(), clock_timestamp())`,
    [merchant.merchantId],
  );
}
/** Creates a recovery that began and ended just now. */
async function recovered(): Promise<void> {
  await merchant.owner.query(
    `INSERT INTO recoveries (merchant_id, why, began_at, scan_from, listed_by, scanned_at, ended_at)
     VALUES ($1, 'asked', clock_timestamp(), clock_timestamp(), clock_timestamp(),
       clock_timestamp(), clock_timestamp())`,
    [merchant.merchantId],
  );
}
/** Creates a plan charge that a person requested and that has not been sent. */
async function queuedCharge(): Promise<string> {
  const { rows } = await merchant.owner.query<{ id: string }>(
    `WITH plan AS
      (INSERT INTO recurring_plans (merchant_id, plan_code, source, status, currency,
      recurring_minor, payments) VALUES ($1, gen_random_uuid()::text, 'payment', 'active', 'TRY',
      12340, 3) RETURNING id)
     INSERT INTO plan_charges (id, merchant_id, plan_id, person_id, amount_minor, currency)
       SELECT gen_random_uuid(), $1, id, $2, 12340, 'TRY' FROM plan RETURNING id`,
    [merchant.merchantId, merchant.person('clerk').personId],
  );
  return rows[0]!.id;
}
async function work(id: string, provider: FakeProvider = fakeProvider()): Promise<string> {
  await setColumns(merchant, id, { next_at: LONGEST_DUE });
  await worker.advance.advanceOne(fakePorts(merchant.merchantId, provider));
  return (await rowOf(merchant, id)).state;
}
const sentBy = (provider: FakeProvider): string[] =>
  provider.asked.filter((one) => one.kind === 'send').map((one) => one.id);
const held = async () =>
  (await list.listHeldSends(merchant.person('approver'))).map((one) => one.id);

const content = ({ extId, amountMinor, iban }: MovementRow) => ({ extId, amountMinor, iban });

/** The provider's record of a request that it refused. */
function rejectedRecord(of: Pick<MovementRow, 'extId' | 'amountMinor' | 'iban'>): ReadOutcome {
  return {
    ...of,
    kind: 'found',
    raw: '{}',
    level: 'rejected',
    currency: 'TRY',
    requestId: '700000000000000001',
    reason: null,
    updatedAt: null,
  };
}

describe('a movement that was sent twice', () => {
  it('is ended by a record without money only when no request can arrive any more', async () => {
    const id = await storedMovement(merchant, 'UNKNOWN');
    await setColumns(merchant, id, { state: 'SUBMITTING', sends: 2 });
    const ago = (ms: number) => new Date(Date.now() - ms);
    await setColumns(merchant, id, { state: 'UNKNOWN', last_send_at: ago(500_000) });
    const provider = fakeProvider({ read: async (movement) => rejectedRecord(content(movement)) });
    expect(await work(id, provider)).toBe('UNKNOWN');
    await setColumns(merchant, id, { last_send_at: ago(526_000) });
    expect(await work(id, provider)).toBe('REJECTED');
  });
});

describe('the list of what waits since a recovery', () => {
  it('says when more wait than it shows, and is not filled by what waits no more', async () => {
    const ids = await readyMovements(merchant, 200, { dueInMs: 3_600_000 });
    const last = await storedMovement(merchant, 'APPROVED');
    await recovered();
    const shown = () => list.viewHeldSends(merchant.person('approver'));
    const { held: oldest, isCut } = await shown();
    expect([isCut, oldest.map(({ id }) => id).toSorted()]).toEqual([true, ids.toSorted()]);
    await merchant.owner.query(
      `INSERT INTO send_confirmations (merchant_id, movement_id, confirmed_by)
        SELECT $1, unnest($2::uuid[]), $3`,
      [merchant.merchantId, ids, merchant.person('approver').personId],
    );
    expect(await shown()).toMatchObject({ held: [{ id: last }], isCut: false });
  });
});

describe('a row that was prepared while a recovery was open', () => {
  /**
   * Creates a record that the recovery found at the provider and that a person has acknowledged.
   */
  async function found(iban: unknown, amountMinor: unknown): Promise<void> {
    await merchant.owner.query(
      `INSERT INTO recovered_records (merchant_id, recovery_id, finding, source, reference, ext_id,
        level, amount_minor, currency, iban, made_at)
       SELECT merchant_id, id, 'foreign', 'withdrawal', gen_random_uuid(), gen_random_uuid(),
         'completed', $2, 'TRY', $3, clock_timestamp() FROM recoveries WHERE merchant_id = $1`,
      [merchant.merchantId, amountMinor, iban],
    );
    await merchant.owner.query(
      `UPDATE recovered_records SET acknowledged_by = $2, acknowledged_at = clock_timestamp(),
        acknowledged_reason = 'kira' WHERE merchant_id = $1`,
      [merchant.merchantId, merchant.person('owner').personId],
    );
    await merchant.owner.query(
      `UPDATE recoveries SET scanned_at = clock_timestamp(), ended_at = clock_timestamp()
        WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
  }
  afterEach(async () => {
    await merchant.owner.query('ALTER TABLE recovered_records DISABLE TRIGGER USER');
    await merchant.owner.query('DELETE FROM recovered_records');
    await merchant.owner.query('ALTER TABLE recovered_records ENABLE TRIGGER USER');
  });

  it('waits for a person when the recovery found the same payment after it was prepared', async () => {
    await recoveryBegan();
    const [again, other] = (await readyMovements(merchant, 2)) as [string, string];
    const { iban, amount_minor: amountMinor } = await rowOf(merchant, again);
    await found(iban, amountMinor);
    const provider = fakeProvider();
    expect([await work(again, provider), await work(other, provider)]).toEqual([
      'APPROVED',
      'PENDING',
    ]);
    expect([await held(), sentBy(provider)]).toEqual([[again], [other]]);
    await confirm.confirmSend(merchant.person('approver'), again);
    expect(await work(again, provider)).toBe('PENDING');
  });

  it('waits again when the recovery found it only after a person had confirmed it', async () => {
    const [older] = (await readyMovements(merchant, 1)) as [string];
    await recoveryBegan();
    await confirm.confirmSend(merchant.person('approver'), older);
    const { iban, amount_minor: amountMinor } = await rowOf(merchant, older);
    await found(iban, amountMinor);
    const provider = fakeProvider();
    expect(await work(older, provider)).toBe('APPROVED');
    expect([await held(), sentBy(provider)]).toEqual([[older], []]);
  });
});

describe('a row that is older than a recovery', () => {
  it('is not ended by a record without money while its new request may still arrive', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await recovered();
    await confirm.confirmSend(merchant.person('approver'), id);
    const provider = fakeProvider({
      send: async () => ({
        kind: 'unclear',
        why: 'timeout',
        raw: null,
        code: null,
        message: null,
      }),
      read: async (movement) => rejectedRecord(content(movement)),
    });
    expect(await work(id, provider)).toBe('UNKNOWN');
    expect(await work(id, provider)).toBe('UNKNOWN');
    await setColumns(merchant, id, { last_send_at: new Date(Date.now() - 526_000) });
    expect(await work(id, provider)).toBe('REJECTED');
  });

  it('leaves only after a person has said "send it", and one of later leaves by itself', async () => {
    const [old] = (await readyMovements(merchant, 1)) as [string];
    await recovered();
    const [young] = (await readyMovements(merchant, 1)) as [string];
    const provider = fakeProvider();
    expect([await work(old, provider), await work(young, provider)]).toEqual([
      'APPROVED',
      'PENDING',
    ]);
    expect(await held()).toEqual([old]);
    await confirm.confirmSend(merchant.person('approver'), old);
    expect(await held()).toEqual([]);
    expect(await work(old, provider)).toBe('PENDING');
    expect(sentBy(provider)).toEqual([young, old]);
    const { rows } = await merchant.owner.query(
      `SELECT actor FROM audit_entries WHERE merchant_id = $1 AND action = 'sending.send_confirmed'
        AND subject = $2`,
      [merchant.merchantId, `movement:${old}`],
    );
    expect(rows).toEqual([{ actor: `person:${merchant.person('approver').personId}` }]);
  });

  it('waits while the recovery is open too, whatever the switches say', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await recoveryBegan();
    const provider = fakeProvider();
    expect(await work(id, provider)).toBe('APPROVED');
    expect([await held(), sentBy(provider)]).toEqual([[id], []]);
  });

  it('waits again when a second recovery began after the word of a person', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await recovered();
    await confirm.confirmSend(merchant.person('owner'), id);
    await recovered();
    expect(await work(id)).toBe('APPROVED');
    expect(await held()).toEqual([id]);
  });

  it('and whose outcome is unknown is asked about, never sent again by a machine', async () => {
    const ago = (ms: number) => new Date(Date.now() - ms);
    const ripe = {
      not_found_reads: 3,
      last_send_at: ago(40 * 60_000),
      last_read_at: ago(10 * 60_000),
      watch_since: ago(40 * 60_000),
    };
    const id = await storedMovement(merchant, 'UNKNOWN', ripe);
    const provider = fakeProvider();
    await recovered();
    expect(await work(id, provider)).toBe('UNKNOWN');
    expect(sentBy(provider)).toEqual([]);
    await merchant.owner.query('DELETE FROM recoveries WHERE merchant_id = $1', [
      merchant.merchantId,
    ]);
    await setColumns(merchant, id, ripe);
    await work(id, provider);
    expect(sentBy(provider), 'without the recovery it would have been').toEqual([id]);
  });

  it('nor is one that became unknown after a person said "send it": a Duplicate may be forgotten', async () => {
    const ago = (ms: number) => new Date(Date.now() - ms);
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await recovered();
    await confirm.confirmSend(merchant.person('approver'), id);
    const unclear = fakeProvider({
      send: async () => ({ kind: 'unclear', why: 'timeout', raw: null, code: null, message: null }),
    });
    expect(await work(id, unclear)).toBe('UNKNOWN');
    await setColumns(merchant, id, {
      not_found_reads: 3,
      last_send_at: ago(40 * 60_000),
      last_read_at: ago(10 * 60_000),
      watch_since: ago(40 * 60_000),
    });
    await merchant.owner.query(
      `UPDATE iban_gates SET last_send_at = 'epoch' WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    expect(await work(id, unclear)).toBe('UNKNOWN');
    expect(unclear.asked.map((one) => one.kind)).toEqual(['send', 'read']);
  });

  it('is not sent by a program that does not ask: the database refuses the step', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await recovered();
    await expect(
      merchant.owner.query(
        `UPDATE movements SET state = 'SUBMITTING', sends = sends + 1 WHERE id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ code: 'MV032' });
  });

  it.each(['movement', 'plan charge'] as const)(
    'is confirmed once when two people say it of a %s at the same time',
    async (what) => {
      let done = await bothConfirm(what);
      // A lock is given up after two seconds, which a busy machine may need.
      while (done.said.includes('55P03')) done = await bothConfirm(what);
      expect(done.said.toSorted()).toEqual(['confirmed', 'send_not_held']);
      const { rows } = await merchant.owner.query(
        `SELECT 1 FROM send_confirmations WHERE $1 IN (movement_id, plan_charge_id)`,
        [done.id],
      );
      expect(rows).toHaveLength(1);
    },
  );

  it('is confirmed by an approver or owner alone, once, and only while it waits', async () => {
    const [id] = (await readyMovements(merchant, 1)) as [string];
    await expect(confirm.confirmSend(merchant.person('owner'), id)).rejects.toMatchObject({
      code: 'send_not_held',
    });
    await recovered();
    for (const role of ['clerk', 'support', 'auditor'] as const)
      await expect(confirm.confirmSend(merchant.person(role), id)).rejects.toMatchObject({
        code: 'not_allowed',
      });
    await confirm.confirmSend(merchant.person('owner'), id);
    await expect(confirm.confirmSend(merchant.person('approver'), id)).rejects.toMatchObject({
      code: 'send_not_held',
    });
    await expect(
      confirm.confirmSend(merchant.person('approver'), '00000000-0000-0000-0000-000000000000'),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

it('a row older than a recovery is not cancelled as never sent before our journal was compared', async () => {
  const [id, other] = (await readyMovements(merchant, 2)) as [string, string];
  await recoveryBegan();
  for (const one of [id, other])
    await expect(cancelMovement(merchant.person('clerk'), one)).rejects.toMatchObject({
      code: 'cancel_not_compared',
    });
  await confirm.confirmSend(merchant.person('owner'), other);
  await cancelMovement(merchant.person('clerk'), other);
  await merchant.owner.query(
    `UPDATE recoveries SET journal = '{"files": 1, "lines": 0, "unreadable": 0, "missing": 0}'
      WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  await cancelMovement(merchant.person('clerk'), id);
  expect([(await rowOf(merchant, id)).state, (await rowOf(merchant, other)).state]).toEqual([
    'CANCELLED',
    'CANCELLED',
  ]);
});

it('a row older than a recovery that a person cancels is queried, and a later one is not', async () => {
  const [older] = (await readyMovements(merchant, 1)) as [string];
  await recoveryBegan();
  await merchant.owner.query(
    `UPDATE recoveries SET journal = '{"files": 1, "lines": 0, "unreadable": 0, "missing": 0}',
      scanned_at = clock_timestamp(), ended_at = clock_timestamp() WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
  const [later] = (await readyMovements(merchant, 1)) as [string];
  for (const id of [older, later]) await cancelMovement(merchant.person('clerk'), id);
  expect((await rowOf(merchant, later)).next_at).toBeNull();
  expect((await rowOf(merchant, older)).next_at).not.toBeNull();
  const provider = fakeProvider();
  await work(older, provider);
  expect(provider.asked.map((one) => one.kind)).toEqual(['read']);
});

describe('a charge of a plan that is older than a recovery and is called off', () => {
  const journal = (facts: object | null) =>
    merchant.owner.query('UPDATE recoveries SET journal = $2 WHERE merchant_id = $1', [
      merchant.merchantId,
      facts === null
        ? null
        : JSON.stringify({ files: 1, lines: 0, unreadable: 0, missing: 0, ...facts }),
    ]);
  const reasonOf = async (id: string) =>
    (await merchant.owner.query('SELECT state, reason FROM plan_charges WHERE id = $1', [id]))
      .rows[0];

  it('stays as it is before our own journal was compared', async () => {
    const id = await queuedCharge();
    await recoveryBegan();
    await expect(confirm.cancelHeldCharge(merchant.person('owner'), id)).rejects.toMatchObject({
      code: 'cancel_not_compared',
    });
    expect(await reasonOf(id)).toEqual({ state: 'QUEUED', reason: null });
  });

  it.each([
    ['complete', {}, 'cancelled'],
    ['absent', { files: 0 }, 'called_off_unproven'],
    ['without lines that it should have', { missing: 1 }, 'called_off_unproven'],
    ['unreadable in part', { unreadable: 1 }, 'called_off_unproven'],
  ] as const)(
    'with a journal that is %s says no more than is known',
    async (_what, facts, reason) => {
      const id = await queuedCharge();
      await recoveryBegan();
      await journal(facts);
      expect(await confirm.cancelHeldCharge(merchant.person('owner'), id)).toBe(reason);
      expect(await reasonOf(id)).toEqual({ state: 'NOT_CHARGED', reason });
    },
  );

  it('is cancelled only when the journal ruled it out for each recovery since it was asked for', async () => {
    const id = await queuedCharge();
    await recoveryBegan();
    await journal({ files: 0 });
    await merchant.owner.query(
      `UPDATE recoveries SET scanned_at = clock_timestamp(), ended_at = clock_timestamp()
        WHERE merchant_id = $1`,
      [merchant.merchantId],
    );
    await recoveryBegan();
    await merchant.owner.query(
      `UPDATE recoveries SET journal = '{"files": 1, "lines": 0, "unreadable": 0, "missing": 0}'
        WHERE merchant_id = $1 AND ended_at IS NULL`,
      [merchant.merchantId],
    );
    expect(await confirm.cancelHeldCharge(merchant.person('owner'), id)).toBe(
      'called_off_unproven',
    );
  });
});

describe('the first payout of the card balance to a payee after a recovery', () => {
  const cashout = async (
    iban: string,
    makerRole: 'clerk' | 'approver' = 'clerk',
  ): Promise<string> => {
    const { rows } = await merchant.owner.query<{ id: string }>(
      `INSERT INTO movements (id, merchant_id, kind, ext_id, state, wallet, iban, name, tax_number,
        amount_minor, currency, payment_type, description, content_hash, maker_id, approvals_needed,
        phone)
       SELECT one.id, $1, 'cashout', upper(left(md5(one.id::text), 20)), 'DRAFT', '', $2, 'Ayşe',
         '', 100, 'TRY', '', 'test', 'hash', $3, 0, '905330000201'
         FROM (SELECT gen_random_uuid() AS id) AS one RETURNING id`,
      [merchant.merchantId, iban, merchant.person(makerRole).personId],
    );
    for (const state of ['AWAITING_APPROVAL', 'APPROVED'])
      await merchant.owner.query('UPDATE movements SET state = $2 WHERE id = $1', [
        rows[0]!.id,
        state,
      ]);
    return rows[0]!.id;
  };

  it('waits for another person than its maker; the next one to that payee leaves by itself', async () => {
    await recovered();
    const iban = testIban();
    const first = await cashout(iban, 'approver');
    expect(
      (await list.listHeldSends(merchant.person('owner'))).map((one) => [one.id, one.why]),
    ).toEqual([[first, 'first_to_payee']]);
    await expect(confirm.confirmSend(merchant.person('approver'), first)).rejects.toMatchObject({
      code: 'second_person_needed',
    });
    await confirm.confirmSend(merchant.person('owner'), first);
    expect(await held()).toEqual([]);
    const second = await cashout(iban);
    expect(await held(), 'the first has not been sent yet').toEqual([second]);
    await merchant.owner.query(
      `UPDATE movements SET state = 'SUBMITTING', sends = 1 WHERE id = $1`,
      [first],
    );
    expect(await held()).toEqual([]);
    expect(await cashout(testIban()), 'another payee').toBe((await held())[0]);
  });

  it('is not held without a recovery', async () => {
    await cashout(testIban());
    expect(await held()).toEqual([]);
  });
});

/** Two people confirm the send of one movement or plan charge at the same time. */
async function bothConfirm(
  what: 'movement' | 'plan charge',
): Promise<{ id: string; said: (string | undefined)[] }> {
  const id = what === 'movement' ? (await readyMovements(merchant, 1))[0]! : await queuedCharge();
  const table = what === 'movement' ? 'movements' : 'plan_charges';
  await recovered();
  const client = await merchant.owner.connect();
  await client.query('BEGIN');
  await client.query(`SELECT 1 FROM ${table} WHERE id = $1 FOR UPDATE`, [id]);
  const {
    rows: [holder],
  } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  let over = 0;
  const both = (['approver', 'owner'] as const).map((role) =>
    confirm
      .confirmSend(merchant.person(role), id)
      .finally(() => (over += 1))
      .then(
        () => 'confirmed',
        (error: { code?: string }) => error.code,
      ),
  );
  // Waits until both confirmations are blocked, one by this test's lock and one behind it. Both
  // have then read, and neither has written.
  const waiting = `SELECT count(*)::int AS n FROM pg_stat_activity a
    WHERE a.wait_event_type = 'Lock' AND ($1 = ANY(pg_blocking_pids(a.pid)) OR EXISTS (
  SELECT FROM unnest(pg_blocking_pids(a.pid)) AS b WHERE $1 = ANY(pg_blocking_pids(b))))`;
  await expect
    .poll(
      async () =>
        (await merchant.owner.query<{ n: number }>(waiting, [holder!.pid])).rows[0]!.n + over,
      { interval: 5 },
    )
    .toBe(2);
  await client.query('COMMIT');
  client.release();
  return { id, said: await Promise.all(both) };
}
