import { randomInt, randomUUID } from 'node:crypto';
import { ibanOf, newPayee, type Payee } from '../payee.ts';
import type { Fault } from '../sandbox.ts';
import type { Random } from './random.ts';

/** The operations that people request, and the faults of the providers during them. */

export const KINDS = [
  'payout',
  'card_balance_payout',
  'capture',
  'void',
  'refund',
  'plan_charge',
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * `fate`: the outcome at the provider, which the sandbox's magic values choose; with `by_hand` the
 * gateway's staff complete it. `id`: the id of the form.
 */
type Asked = { id: string; amountMinor: number; fate: Fate };
export type Fate = 'done' | 'rejected' | 'failed' | 'refused' | 'by_hand';
export type Payment = Asked & { kind: 'payout' | 'card_balance_payout'; payee: Payee };
/** An operation on an order of the merchant's web shop. `card`: the card that pays the order. */
export type OrderOperation = Asked & {
  kind: 'capture' | 'void' | 'refund' | 'plan_charge';
  invoice: string;
  totalMinor: number;
  card: string;
};
export type Operation = Payment | OrderOperation;

/** How many of a hundred operations each kind has. */
const SHARES: Readonly<Record<Kind, number>> = {
  payout: 40,
  card_balance_payout: 14,
  capture: 14,
  void: 4,
  refund: 14,
  plan_charge: 14,
};
/** The chances of each outcome other than success. */
const FATES: Readonly<Record<Kind, readonly [chance: number, Fate][]>> = {
  payout: [
    [0.04, 'rejected'],
    [0.03, 'failed'],
    [0.05, 'refused'],
  ],
  card_balance_payout: [],
  capture: [[0.06, 'refused']],
  void: [[0.06, 'refused']],
  refund: [
    [0.06, 'refused'],
    [0.06, 'by_hand'],
  ],
  plan_charge: [[0.06, 'refused']],
};
const MAGIC_KURUS: Partial<Record<Fate, number>> = { rejected: 41, failed: 42 };
/** Ends of IBANs whose payouts are refused without a record: insufficient balance, fraud check. */
const REFUSING_ACCOUNTS = ['9311', '9480'] as const;
const FIRST_MAGIC_KURUS = 40;
const CARD = '4508034508034509';
/** A card whose first payment succeeds, while a charge of its plan is refused. */
const CARD_WITHOUT_CHARGES = '4000000000000721';

/**
 * Draws operations. Each has a payee or an order of its own, so that neither the minute between two
 * payouts nor the duplicate check delays one.
 */
export function operationsOf(
  random: Random,
  count: number,
  kinds: readonly Kind[] = KINDS,
): Operation[] {
  const bag = kinds.flatMap((kind) => Array.from({ length: SHARES[kind] }, () => kind));
  return Array.from({ length: count }, () => {
    const kind = random.pick(bag);
    const fate = fateOf(kind, random.next());
    const amountMinor =
      random.between(10, 90) * 100 + (MAGIC_KURUS[fate] ?? random.between(0, FIRST_MAGIC_KURUS));
    if (kind === 'payout' || kind === 'card_balance_payout')
      return { ...payment(fate, amountMinor, random.pick(REFUSING_ACCOUNTS)), kind };
    // A plan's charge and a void are never partial; a capture and a refund may be.
    const isWhole = kind === 'plan_charge' || kind === 'void' || random.chance(0.5);
    return withOrder(
      kind,
      fate,
      amountMinor,
      isWhole ? amountMinor : amountMinor + random.between(100, 5_000),
    );
  });
}

/** A bank payout to a payee who has never been paid. */
export function payment(
  fate: Fate = 'done',
  amountMinor = 12_300,
  account: string = REFUSING_ACCOUNTS[0],
): Payment & { kind: 'payout' } {
  const payee = newPayee();
  const bban = `999990${String(randomInt(1e12 - 1)).padStart(12, '0')}${account}`;
  return {
    kind: 'payout',
    id: randomUUID(),
    payee: { ...payee, iban: fate === 'refused' ? ibanOf(bban) : payee.iban },
    amountMinor,
    fate,
  };
}

/** An operation with its own order. `totalMinor`: the order's total, at least as much. */
export function withOrder(
  kind: OrderOperation['kind'],
  fate: Fate = 'done',
  amountMinor = 12_300,
  totalMinor = amountMinor,
): OrderOperation {
  return {
    kind,
    id: randomUUID(),
    amountMinor,
    fate,
    totalMinor,
    invoice: `${prefixOf(kind, fate)}${randomUUID().slice(0, 13)}`,
    card: kind === 'plan_charge' && fate === 'refused' ? CARD_WITHOUT_CHARGES : CARD,
  };
}

/** The beginning of an order number, by which the sandbox chooses its answer. */
function prefixOf(kind: OrderOperation['kind'], fate: Fate): string {
  if (fate === 'by_hand') return 'REFUND101-';
  if (fate !== 'refused' || kind === 'plan_charge') return 'STORM-';
  return kind === 'refund' ? 'REFUND41-' : 'CONFIRM41-';
}

function fateOf(kind: Kind, draw: number): Fate {
  let sum = 0;
  for (const [chance, fate] of FATES[kind]) {
    sum += chance;
    if (draw < sum) return fate;
  }
  return 'done';
}

/**
 * The provider's operation that moves the money of each kind, as named in the sandbox's faults and
 * request log.
 */
export const SENDS: Readonly<Record<Kind, string>> = {
  payout: 'SendMoneyToBankAccount',
  card_balance_payout: 'tobank',
  capture: 'confirmPayment',
  void: 'confirmPayment',
  refund: 'refund',
  plan_charge: 'process',
};
/** The queries about operations, by kind; a card-balance payout has none. */
const READS: readonly [operation: string, kinds: readonly Kind[]][] = [
  ['GetRequestWithdrawByExtId', ['payout']],
  ['checkstatus', ['capture', 'void', 'refund']],
  ['recurringPlan/query', ['plan_charge']],
];

const TROUBLES: readonly ((random: Random) => {
  kind: string;
  ms?: number;
  status?: number;
  work?: boolean;
})[] = [
  () => ({ kind: 'lost_before' }),
  () => ({ kind: 'lost_after' }),
  () => ({ kind: 'lost_after' }),
  (random) => ({ kind: 'delay', ms: random.between(100, 3_000) }),
  (random) => ({ kind: 'delay', ms: random.between(100, 3_000) }),
  (random) => ({ kind: 'late', ms: random.between(100, 1_000) }),
  (random) => ({
    kind: 'status',
    status: random.pick([429, 500, 502, 503]),
    work: random.chance(0.5),
  }),
  (random) => ({ kind: random.pick(['truncated', 'malformed', 'html', 'reset', 'unknown_code']) }),
];
/** How many calls of the same operation pass between two faults. */
const SEND_PAUSE = 5;
const READ_PAUSE = 20;

/** Faults for the next `sends` requests of these kinds and the queries about them. */
export function faultsOf(random: Random, sends: number, kinds: readonly Kind[] = KINDS): Fault[] {
  const every = (operation: string, calls: number, most: number): Fault[] =>
    Array.from({ length: Math.ceil((2 * calls) / most) }, () => ({
      operation,
      after: random.between(0, most),
      ...random.pick(TROUBLES)(random),
    }));
  const all = kinds.reduce((sum, kind) => sum + SHARES[kind], 0);
  const callsOf = (some: readonly Kind[]): number =>
    (sends * some.reduce((sum, kind) => sum + SHARES[kind], 0)) / all;
  const operations = [...new Set(kinds.map((kind) => SENDS[kind]))];
  return [
    ...operations.flatMap((operation) =>
      every(operation, callsOf(kinds.filter((kind) => SENDS[kind] === operation)), SEND_PAUSE),
    ),
    ...READS.flatMap(([operation, some]) =>
      every(operation, callsOf(some.filter((kind) => kinds.includes(kind))), READ_PAUSE),
    ),
  ];
}
