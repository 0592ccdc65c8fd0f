import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LedgerLine, ReadOutcome } from '#lib/providers/outcome.ts';
import { openProduct } from '#lib/testing/database.ts';
import type { Process, TestMerchant } from '#lib/testing/database.ts';
import { TRANSFER_KINDS } from './kinds.ts';
import type { TransferKindName } from './kinds.ts';
import { fakePorts, fakeProvider } from './testing/fake-provider.ts';
import type { FakeProvider } from './testing/fake-provider.ts';
import {
  LONGEST_DUE,
  readyMovements,
  rowOf,
  setColumns,
  storedMovement,
  testWallet,
} from './testing/stored.ts';

/**
 * Transfers between wallets use the same rows, queue and steps as payouts: what is the same, and
 * what must differ.
 */

let merchant: TestMerchant;
let web: Process;
let worker: Process;

beforeAll(async () => {
  const product = await openProduct();
  ({ merchant, web, worker } = product);
  return product.close;
});
beforeEach(async () => {
  await merchant.owner.query(
    `UPDATE movements SET next_at = NULL, lease_until = NULL, lease_token = NULL WHERE merchant_id = $1`,
    [merchant.merchantId],
  );
});

const advance = (provider: FakeProvider) =>
  worker.advance.advanceOne(fakePorts(merchant.merchantId, provider));
const lost = { kind: 'unclear', why: 'timeout', raw: null, code: null, message: null } as const;
const due = (id: string) => setColumns(merchant, id, { next_at: LONGEST_DUE });

/** The ledger entry of a transfer, as reading the ledger returns it. */
function posted(
  row: Record<string, unknown>,
  level: 'completed' | 'failed' | 'pending' = 'completed',
): ReadOutcome {
  return {
    kind: 'found',
    level,
    extId: row.ext_id as string,
    amountMinor: BigInt(row.amount_minor as string),
    currency: 'TRY',
    iban: null,
    requestId: (row.request_id as string | null) ?? '9000000000000000042',
    line: { transactionId: '9000000000000000042', feeMinor: 150n },
    reason: null,
    updatedAt: null,
    raw: '{}',
  };
}

async function insert(given: Record<string, unknown>): Promise<void> {
  const row = {
    id: randomUUID(),
    merchant_id: merchant.merchantId,
    kind: 'transfer_business',
    ext_id: randomUUID(),
    state: 'DRAFT',
    wallet: '1000000001',
    iban: '',
    name: 'N',
    tax_number: '',
    to_wallet: testWallet(),
    amount_minor: 100,
    currency: 'TRY',
    payment_type: '06',
    description: 'd',
    content_hash: 'h',
    maker_id: merchant.person('clerk').personId,
    ...given,
  };
  const names = Object.keys(row);
  await merchant.owner.query(
    `INSERT INTO movements (${names.join(', ')}) VALUES (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
    Object.values(row),
  );
}

describe('each provider has its own payee', () => {
  const person = {
    kind: 'transfer_person',
    found_by: 'phone:90:5330000201',
    found_name: 'El** Şa***',
  };
  const own = { kind: 'transfer_own', payment_type: '' };

  it.each([
    ['business', {}],
    ['person', person],
    ['person whom the provider did not name', { ...person, found_name: null }],
    ['own', own],
  ])('and the database takes it: %s', async (_name, row) => {
    await expect(insert(row)).resolves.toBeUndefined();
  });

  it.each([
    ['a transfer without a receiving wallet', { to_wallet: null }],
    ['to what is no wallet', { to_wallet: 'TR1' }],
    ['to itself', { to_wallet: '1000000001' }],
    ['with an IBAN', { iban: 'TR330006100519786457841326' }],
    ['with a tax number', { tax_number: '10000000146' }],
    ['to a person nobody looked for', { ...person, found_by: null }],
    ['to a business that was found by phone', { found_by: 'phone:90:5330000201' }],
    ['between own wallets with a purpose', { ...own, payment_type: '06' }],
    ['to a business without one', { payment_type: '' }],
    ['a payout with a receiving wallet', { kind: 'payout', iban: 'TR330006100519786457841326' }],
    ['a payout without an IBAN', { kind: 'payout', to_wallet: null }],
  ])("and no part of another one's: %s", async (_name, row) => {
    await expect(insert(row)).rejects.toMatchObject({ code: '23514' });
  });

  it.each([
    ['to_wallet', '5599999999'],
    ['found_by', 'phone:90:5330000202'],
    ['found_name', 'Bu*** Çe***'],
  ])('that is frozen with the content: %s', async (column, value) => {
    const id = await storedMovement(merchant, 'APPROVED', {}, { kind: 'transfer_person' });
    await expect(
      merchant.owner.query(`UPDATE movements SET ${column} = $2 WHERE id = $1`, [id, value]),
    ).rejects.toMatchObject({ code: 'MV004' });
  });
});

describe.each(TRANSFER_KINDS)('%s', (kind: TransferKindName) => {
  it('whose answer is lost is sent once, stays unknown and ends by the ledger’s line alone', async () => {
    const [id] = (await readyMovements(merchant, 1, { kind })) as [string];
    let listed: ReadOutcome = { kind: 'not_found', raw: '{}' };
    const provider = fakeProvider({ send: () => lost, read: () => listed });
    await advance(provider);
    expect((await rowOf(merchant, id)).state).toBe('UNKNOWN');
    for (const _ of [1, 2, 3]) {
      await due(id);
      await advance(provider);
    }
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'UNKNOWN', not_found_reads: 3 });
    listed = posted(await rowOf(merchant, id));
    await due(id);
    await advance(provider);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'COMPLETED',
      transaction_id: '9000000000000000042',
      fee_minor: '150',
      alert: null,
    });
    expect((await rowOf(merchant, id)).ledger_seen_at).not.toBeNull();
    expect(provider.asked.map((one) => one.kind)).toEqual(['send', 'read', 'read', 'read', 'read']);
    const { rows } = await merchant.owner.query(
      `SELECT state, next_at <= clock_timestamp() AS due FROM receipts WHERE movement_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ state: 'WAITING', due: true }]);
  });

  it('that was accepted is not finished before the ledger says so, and an open line is no end', async () => {
    const [id] = (await readyMovements(merchant, 1, { kind })) as [string];
    let listed: ReadOutcome = { kind: 'not_found', raw: '{}' };
    const provider = fakeProvider({ read: () => listed });
    await advance(provider);
    expect((await rowOf(merchant, id)).state).toBe('PENDING');
    for (const outcome of [listed, posted(await rowOf(merchant, id), 'pending')]) {
      listed = outcome;
      await due(id);
      await advance(provider);
      expect(await rowOf(merchant, id)).toMatchObject({ state: 'PENDING', ledger_seen_at: null });
    }
    listed = posted(await rowOf(merchant, id));
    await due(id);
    await advance(provider);
    expect((await rowOf(merchant, id)).state).toBe('COMPLETED');
  });

  it('answered 301 is never taken for refused, and never sent again', async () => {
    const [id] = (await readyMovements(merchant, 1, { kind })) as [string];
    const provider = fakeProvider({
      send: () => ({ kind: 'duplicate', raw: '{}', code: '301', message: null }),
    });
    await advance(provider);
    await setColumns(merchant, id, {
      not_found_reads: 9,
      last_read_at: new Date(Date.now() - 60_000),
      last_send_at: new Date(Date.now() - 60 * 60_000),
      next_at: LONGEST_DUE,
    });
    await advance(provider);
    expect(await rowOf(merchant, id)).toMatchObject({
      state: 'UNKNOWN',
      duplicate_seen: true,
      alert: 'id_collision',
      sends: 1,
    });
    expect(provider.asked.map((one) => one.kind)).toEqual(['send', 'read']);
  });

  it("waits for no bank's minute: two to one wallet leave one after the other", async () => {
    await readyMovements(merchant, 2, { kind, toWallet: testWallet() });
    const provider = fakeProvider();
    await advance(provider);
    await advance(provider);
    expect(provider.asked.filter((one) => one.kind === 'send')).toHaveLength(2);
    const { rows } = await merchant.owner.query(
      `SELECT 1 FROM iban_gates WHERE merchant_id = $1 AND iban = ''`,
      [merchant.merchantId],
    );
    expect(rows).toEqual([]);
  });

  it("is held by its own switch and by the one for all, and by no other provider's", async () => {
    const [id] = (await readyMovements(merchant, 1, { kind })) as [string];
    const other = TRANSFER_KINDS.find((one) => one !== kind)!;
    await web.stop.stopSending(merchant.person('owner'), kind, 'a wrong file');
    const provider = fakeProvider();
    await advance(provider);
    expect([provider.asked.length, (await rowOf(merchant, id)).state]).toEqual([0, 'APPROVED']);
    const [free] = (await readyMovements(merchant, 1, { kind: other })) as [string];
    await advance(provider);
    expect(provider.asked.map((one) => one.id)).toEqual([free]);
    await web.release.requestResume(
      merchant.person('approver'),
      { kind, cause: 'person' },
      'over now',
    );
    await web.release.confirmResume(merchant.person('owner'), { kind, cause: 'person' });
  });
});

describe('a credit that comes back', () => {
  it('is looked for in the ledger long after, as for a payout', async () => {
    const id = await storedMovement(
      merchant,
      'COMPLETED',
      {
        ended_at: new Date(),
        ledger_seen_at: new Date(),
        transaction_id: '9000000000000000077',
        next_at: LONGEST_DUE,
      },
      { kind: 'transfer_business' },
    );
    const row = await rowOf(merchant, id);
    const line: LedgerLine = {
      transactionId: '9000000000000000077',
      statusId: 60,
      level: 'refunded',
      typeId: 3003,
      amountMinor: BigInt(row.amount_minor as string),
      feeMinor: 0n,
      currency: 'TRY',
      extId: row.ext_id as string,
      refersTo: null,
      direction: 'out',
      fromWallet: null,
      completedAt: null,
    };
    await advance(fakeProvider({ ledger: () => ({ kind: 'listed', lines: [line], raw: '{}' }) }));
    expect(await rowOf(merchant, id)).toMatchObject({ state: 'COMPLETED', returned: 'CONFIRMED' });
  });
});
