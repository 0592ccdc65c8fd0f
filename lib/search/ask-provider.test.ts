import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person, Role } from '#lib/access/actor.ts';
import { understand } from '#lib/readings/understand.ts';

/**
 * The search at the provider, which a person starts by a button, and how its responses are shown.
 */

const NOW = new Date('2026-03-06T09:00:00.000Z');
/** Ninety days in Istanbul, including all of the last one. */
const RANGE = { from: '2025-12-06T21:00:00.000Z', to: '2026-03-06T21:00:00.000Z' };
/** The numbers of the merchant's wallets. */
const [OWN, BRANCH] = ['4410270001', '4410270002'] as const;
const asked: [verb: string, question: unknown][] = [];
const knocks: string[] = [];
let replies: Record<string, unknown> = {};

vi.mock('#lib/runtime/env.ts', () => ({ env: () => ({ timeZone: 'Europe/Istanbul' }) }));
vi.mock('#lib/wallets/names.ts', () => ({
  walletNames: async () => [
    { number: OWN, name: 'Ana kasa', currency: 'TRY' },
    { number: BRANCH, name: 'Şube', currency: 'TRY' },
  ],
}));
vi.mock('#lib/access/rate-limit.ts', () => ({
  countAttempt: async (_actor: unknown, door: string) => void knocks.push(door),
}));
vi.mock('#lib/providers/wallet/configured-client.ts', () => ({
  walletClient: () =>
    Object.fromEntries(
      ['listTransactions', 'listWithdrawals', 'getWallet'].map((verb) => [
        verb,
        (question: unknown) => {
          asked.push([verb, question]);
          return replies[verb] ?? Promise.resolve({ kind: 'not_found' });
        },
      ]),
    ),
}));

async function ask(text: string, role: Role = 'clerk') {
  const understood = understand(text);
  const { askProvider } = await import('./ask-provider.ts');
  return askProvider(
    { kind: 'person', role } as Person,
    understood.kind === 'readings' ? understood.readings : [],
    NOW,
  );
}

const withdrawal = (requestId: string) => ({
  requestId,
  extId: null,
  name: 'Ad',
  iban: 'TR330006100519786457841326',
  amountMinor: 100n,
  currency: 'TRY',
  level: 'completed',
  createdAt: '2026-03-05T21:30:00Z',
});
const transfer = (transactionId: string, fromWallet: string | null, toWallet: string | null) => ({
  transactionId,
  type: 'BusinessToBusiness',
  // As the provider's entries are read: with a sender, an entry is outgoing.
  direction: fromWallet === null ? 'in' : 'out',
  fromWallet,
  toWallet,
  amountMinor: 100n,
  currency: 'TRY',
  topUp: null,
  description: null,
  toDescription: null,
  extId: null,
  createdAt: '2026-03-05T21:30:00Z',
});
const listed = (rows: unknown[]) => Promise.resolve({ kind: 'answered', value: { rows } });

beforeEach(() => {
  asked.length = 0;
  knocks.length = 0;
  replies = {};
});
afterEach(() => void vi.useRealTimers());

describe('the provider is asked', () => {
  it.each<[string, [string, unknown][]]>([
    [
      'TR33 0006 1005 1978 6457 8413 26',
      [['listWithdrawals', { ...RANGE, iban: 'TR330006100519786457841326' }]],
    ],
    [
      '7k3m9-qw2xz-8abcd-e4f5g',
      [
        ['listTransactions', { ...RANGE, extId: '7K3M9QW2XZ8ABCDE4F5G' }],
        ['listWithdrawals', { ...RANGE, extId: '7K3M9QW2XZ8ABCDE4F5G' }],
      ],
    ],
    [
      'inv-2024-001',
      [
        ['listTransactions', { ...RANGE, extId: 'inv-2024-001' }],
        ['listWithdrawals', { ...RANGE, extId: 'inv-2024-001' }],
      ],
    ],
    [
      '2506172605407833407',
      [['listTransactions', { ...RANGE, transactionId: '2506172605407833407' }]],
    ],
    [
      '1.234,56',
      [
        ['listTransactions', { ...RANGE, amountMinMinor: 123_456n, amountMaxMinor: 123_456n }],
        ['listWithdrawals', { ...RANGE, amountMinMinor: 123_456n, amountMaxMinor: 123_456n }],
      ],
    ],
  ])('by %s with both dates', async (text, questions) => {
    await ask(text);
    expect(asked).toEqual(questions);
    expect(knocks).toEqual(['search.ask']);
  });

  it.each(['Ahmet Işık', 'TR3300', '4111 1111 1111 1111', ''])(
    'nothing by %j: it knows no names, and no card number leaves',
    async (text) => {
      expect([(await ask(text)).kind, asked, knocks]).toEqual(['cannot', [], []]);
    },
  );

  it('and waits as long as a person would: what came is shown, what did not come is said', async () => {
    vi.useFakeTimers();
    replies = {
      listTransactions: new Promise(() => undefined),
      listWithdrawals: listed([withdrawal('1'), withdrawal('1'), withdrawal('2')]),
    };
    const asking = ask('1.234,56');
    await vi.advanceTimersByTimeAsync(4_000);
    const hits = await asking;
    expect(hits).toMatchObject({
      kind: 'answered',
      silent: true,
      ledger: [],
      withdrawals: [{ id: '1' }, { id: '2', amount: '1.00', at: '2026-03-05T21:30:00.000Z' }],
    });
  });

  it('and shows as incoming what somebody else transferred to an own wallet', async () => {
    replies = {
      listTransactions: listed([
        transfer('1', '4488810801', OWN),
        transfer('2', OWN, '4488810801'),
        transfer('3', null, OWN),
        transfer('4', OWN, null),
        transfer('5', OWN, BRANCH),
      ]),
    };
    const hits = await ask('1.234,56');
    expect(
      hits.kind === 'answered' && hits.ledger.map(({ id, direction }) => [id, direction]),
    ).toEqual([
      ['1', 'in'],
      ['2', 'out'],
      ['3', 'in'],
      ['4', 'out'],
      ['5', 'out'],
    ]);
  });

  it('and says that it did not answer when it refused to', async () => {
    replies = { listTransactions: Promise.resolve({ kind: 'no_answer', why: 'http_status' }) };
    expect(await ask('2506172605407833407')).toMatchObject({ silent: true, ledger: [] });
  });

  it('but support sees no whole IBAN of its answers', async () => {
    replies = { listWithdrawals: listed([withdrawal('1')]) };
    expect(await ask('TR33 0006 1005 1978 6457 8413 26', 'support')).toMatchObject({
      withdrawals: [{ iban: 'TR**…1326' }],
    });
    expect(await ask('TR33 0006 1005 1978 6457 8413 26')).toMatchObject({
      withdrawals: [{ iban: 'TR330006100519786457841326' }],
    });
  });
});
