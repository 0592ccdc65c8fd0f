import { randomInt, randomUUID } from 'node:crypto';
import { ibanOf, newPayee, type Payee } from '../payee.ts';
import type { Fault } from '../sandbox.ts';
import type { Random } from './random.ts';

/** What is to be paid, and what goes wrong at the provider meanwhile. */

/** `fate`: what the bank does with it, by the sandbox's magic values. */
export type Payment = { id: string; payee: Payee; amountMinor: number; fate: Fate };
export type Fate = 'paid' | 'rejected' | 'failed' | 'refused';

const FATES: readonly [share: number, Fate][] = [[0.04, 'rejected'], [0.07, 'failed'], [0.12, 'refused'], [1, 'paid']];
const MAGIC_KURUS = { rejected: 41, failed: 42 } as const;
/** Refused without a record: no balance, a fraud check. */
const REFUSING_ACCOUNTS = ['9311', '9480'] as const;
const FIRST_MAGIC_KURUS = 40;

/** Each to a payee of its own, so that neither the minute between two transfers nor a duplicate holds one back. */
export function paymentsOf(random: Random, count: number): Payment[] {
  return Array.from({ length: count }, () => {
    const draw = random.next();
    const fate = FATES.find(([share]) => draw < share)![1];
    return payment(fate, random.between(10, 90) * 100 + (fate === 'rejected' || fate === 'failed' ? MAGIC_KURUS[fate] : random.between(0, FIRST_MAGIC_KURUS)), random.pick(REFUSING_ACCOUNTS));
  });
}

export function payment(fate: Fate = 'paid', amountMinor = 12_300, account: string = REFUSING_ACCOUNTS[0]): Payment {
  const payee = newPayee();
  const iban = fate === 'refused' ? ibanOf(`999990${String(randomInt(1e12 - 1)).padStart(12, '0')}${account}`) : payee.iban;
  return { id: randomUUID(), payee: { ...payee, iban }, amountMinor, fate };
}

const SEND = 'SendMoneyToBankAccount';
const READ = 'GetRequestWithdrawByExtId';
const KINDS: readonly ((random: Random) => { kind: string; ms?: number; status?: number; work?: boolean })[] = [
  () => ({ kind: 'lost_before' }),
  () => ({ kind: 'lost_after' }),
  () => ({ kind: 'lost_after' }),
  (random) => ({ kind: 'delay', ms: random.between(100, 3_000) }),
  (random) => ({ kind: 'delay', ms: random.between(100, 3_000) }),
  (random) => ({ kind: 'late', ms: random.between(100, 1_000) }),
  (random) => ({ kind: 'status', status: random.pick([429, 500, 502, 503]), work: random.chance(0.5) }),
  (random) => ({ kind: random.pick(['truncated', 'malformed', 'html', 'reset', 'unknown_code']) }),
];
/** Calls of the same operation that pass between two faults. */
const SEND_PAUSE = 5;
const READ_PAUSE = 20;

/** Faults for the next `sends` requests and what is asked about them. */
export function faultsOf(random: Random, sends: number): Fault[] {
  const every = (operation: string, most: number) => Array.from({ length: Math.ceil((2 * sends) / most) }, () => ({ operation, after: random.between(0, most), ...random.pick(KINDS)(random) }));
  return [...every(SEND, SEND_PAUSE), ...every(READ, READ_PAUSE)];
}
