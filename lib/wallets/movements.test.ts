import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person } from '#lib/access/actor.ts';
import type { Transaction, TransactionFilter } from '#lib/providers/wallet/types.ts';
import { readWalletMovementQuery } from './filter.ts';
import type { WalletMovements } from './movements.ts';

/** The provider's ledger as the page of a wallet shows it. */

const WALLET = '1000000001';
const NOW = '2026-03-06T09:00:00.000Z';
const clerk = { kind: 'person', role: 'clerk', merchantId: 'm' } as Person;
const asked: { filter: TransactionFilter; page: { index: number } }[] = [];
let answer: unknown;

vi.mock('#lib/runtime/env.ts', () => ({ env: () => ({ timeZone: 'Europe/Istanbul' }) }));
vi.mock('#lib/runtime/db.ts', () => ({}));
vi.mock('#lib/movement-views/overview.ts', () => ({
  findOwnPayouts: async () =>
    new Map([
      ['OURS', 'payout-1'],
      ['9001', 'payout-2'],
    ]),
}));
vi.mock('#lib/providers/wallet/configured-client.ts', () => ({
  walletClient: () => ({
    listTransactions: async (filter: TransactionFilter, page: { index: number }) => {
      asked.push({ filter, page });
      return answer;
    },
  }),
}));

function line(given: Partial<Transaction>): Transaction {
  return {
    transactionId: '1',
    statusId: 20,
    level: 'completed',
    typeId: 2002,
    amountMinor: 12_345n,
    feeMinor: 600n,
    currency: 'TRY',
    extId: null,
    refersTo: null,
    direction: 'out',
    completedAt: null,
    type: 'SendMoneyToBankAccount',
    status: 'NormalCompleted',
    createdAt: '2026-03-06T08:00:00.0000000Z',
    fromWallet: WALLET,
    toWallet: null,
    description: null,
    receiptNumber: null,
    ...given,
  } as Transaction;
}

async function read(
  lines: Transaction[],
  params: Record<string, string> = {},
): Promise<Extract<WalletMovements, { kind: 'answered' }>> {
  answer = {
    kind: 'answered',
    value: { rows: lines, index: 0, size: 25, pageCount: 1, rowCount: lines.length },
  };
  const { walletMovements } = await import('./movements.ts');
  return (await walletMovements(clerk, WALLET, readWalletMovementQuery(params, NOW))) as Extract<
    WalletMovements,
    { kind: 'answered' }
  >;
}

beforeEach(() => {
  asked.length = 0;
  vi.resetModules();
});

describe('the movements of a wallet', () => {
  it("are asked with both dates, as instants of the workspace's days", async () => {
    await read([], { from: '2026-03-05', to: '2026-03-06', kind: 'payout', page: '3' });
    expect(asked).toEqual([
      {
        filter: {
          from: '2026-03-04T21:00:00.000Z',
          to: '2026-03-06T21:00:00.000Z',
          wallet: WALLET,
          typeIds: [2002],
        },
        page: { index: 2, size: 25, order: 'newest' },
      },
    ]);
  });

  it('end before the first instant of the next day, although the provider includes it', async () => {
    const { rows } = await read(
      [
        line({ transactionId: '2', createdAt: '2026-03-06T21:00:00.0000000Z' }),
        line({ transactionId: '1', createdAt: '2026-03-06T20:59:59.9999999Z' }),
      ],
      { from: '2026-03-06', to: '2026-03-06' },
    );
    expect(rows.map((row) => row.transactionId)).toEqual(['1']);
  });

  it('link to our own payout, by our reference or, for a return, by the transaction that came back', async () => {
    const { rows } = await read([
      line({ transactionId: '3', extId: 'OURS' }),
      line({ transactionId: '4', extId: 'THEIRS' }),
      line({
        transactionId: '5',
        typeId: 1004,
        direction: 'in',
        refersTo: '9001',
        fromWallet: null,
        toWallet: WALLET,
        feeMinor: 0n,
      }),
    ]);
    expect(rows.map((row) => [row.kind, row.payoutId])).toEqual([
      ['payout', 'payout-1'],
      ['payout', null],
      ['return', 'payout-2'],
    ]);
  });

  it('are a return, and no top-up, when they come back under the reference of our payout alone', async () => {
    const came = { typeId: 1004, direction: 'in', fromWallet: null, toWallet: WALLET } as const;
    const { rows } = await read([
      line({ ...came, transactionId: '6', extId: 'OURS' }),
      line({ ...came, transactionId: '7', extId: 'THEIRS' }),
      line({ ...came, transactionId: '8' }),
      // The receiving side of a transfer between own wallets has its reference too.
      line({ ...came, transactionId: '9', typeId: 3006, extId: 'OURS', fromWallet: '1000000002' }),
    ]);
    expect(rows.map((row) => [row.kind, row.payoutId])).toEqual([
      ['return', 'payout-1'],
      ['top_up', null],
      ['top_up', null],
      ['transfer', 'payout-1'],
    ]);
  });

  it('add up to the kuruş, each direction by itself, fees apart', async () => {
    const sums = await read([
      line({}),
      line({ amountMinor: 1n, feeMinor: 0n }),
      line({ direction: 'in', typeId: 1004, amountMinor: 999_999_999_999n, feeMinor: 50n }),
      // Neither has moved money.
      line({ level: 'pending', amountMinor: 5n }),
      line({ level: 'cancelled', amountMinor: 7n }),
    ]);
    expect([sums.in, sums.out, sums.fees]).toEqual(['9999999999.99', '123.46', '6.00']);
  });

  it('have the fee that this wallet paid: its own as the receiver, not that of the sender', async () => {
    const came = {
      direction: 'in',
      typeId: 3003,
      fromWallet: '4488810801',
      toWallet: WALLET,
    } as const;
    const answered = await read([
      line({}),
      line({ ...came, feeMinor: 150n, receiverFeeMinor: 70n }),
      line({ ...came, feeMinor: 150n, receiverFeeMinor: null }),
      line({ ...came, feeMinor: 150n, receiverFeeMinor: 90n, level: 'cancelled' }),
    ]);
    expect(answered.rows.map((row) => row.fee)).toEqual(['6.00', '0.70', '0.00', '0.90']);
    expect(answered.fees).toBe('6.70');
  });

  it("keep a kind and a state that nobody published in the provider's own words", async () => {
    const { rows } = await read([
      line({ typeId: 7777, type: 'CashbackBonus', statusId: 35, level: 'other', status: 'OnHold' }),
    ]);
    expect(rows[0]).toMatchObject({
      kind: 'other',
      type: 'CashbackBonus',
      status: 'other',
      statusText: 'OnHold',
    });
  });

  it('are not shown at all when the provider cannot be asked or ignores the wallet', async () => {
    answer = { kind: 'no_answer', why: 'filter_ignored' };
    const { walletMovements } = await import('./movements.ts');
    expect(await walletMovements(clerk, WALLET, readWalletMovementQuery({}, NOW))).toEqual({
      kind: 'no_answer',
      why: 'filter_ignored',
    });
  });
});
