import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { operationsOf, type Payment } from '../crash/plan.ts';
import { Random } from '../crash/random.ts';
import { submit, submitForm, type Form, type Visitor } from '../crash/web.ts';
import { until } from '../crash/trouble.ts';

/**
 * People who request payments without a pause, while the webs that they use change under them.
 */

/** A transfer to another business, known at the provider by its amount, which no other one has. */
export type Transfer = { id: string; amountMinor: number };

const PEOPLE = 3;
const PAUSE_MS = 250;
const TRANSFER_EVERY = 6;
const MOST_TRANSFERS = 60;
/** Each amount is 5 % above the former one: the form would warn of a similar one. */
const FIRST_MINOR = 10_015;
const GROWTH = 1.05;
const TAKEN_MS = 8 * 60_000;

export type Crowd = {
  payouts: Payment[];
  transfers: Transfer[];
  /** Resolves when that many payments more were taken by the webs. */
  taken(more: number): Promise<void>;
  /** From now on people use these webs only; resolves when nobody uses another one any more. */
  use(visitors: readonly Visitor[]): Promise<void>;
  /** Presses everything that was begun, and stops. */
  end(): Promise<void>;
};

export function openCrowd(seed: number, first: readonly Visitor[]): Crowd {
  const random = new Random(seed, 'upgrade');
  const payouts: Payment[] = [];
  const transfers: Transfer[] = [];
  const ended = new AbortController();
  let visitors = first;
  let count = 0;
  let turn = 0;
  const busy = new Map<Visitor, number>();
  const press = async (visitor: Visitor): Promise<void> => {
    turn += 1;
    if (turn % TRANSFER_EVERY === 0 && transfers.length < MOST_TRANSFERS) {
      const one = { id: randomUUID(), amountMinor: grown(transfers.length) };
      transfers.push(one);
      await submitForm(visitor, transferForm(one), () => 0, ended.signal);
    } else {
      const [one] = operationsOf(random, 1, ['payout']) as [Payment];
      payouts.push(one);
      await submit(visitor, one, () => 0, ended.signal);
    }
    count += 1;
  };
  const state = { stopping: false };
  const person = async (nth: number): Promise<void> => {
    for (let round = nth; !state.stopping; round += 1) {
      const visitor = visitors[round % visitors.length]!;
      busy.set(visitor, (busy.get(visitor) ?? 0) + 1);
      await press(visitor);
      busy.set(visitor, busy.get(visitor)! - 1);
      await pause(PAUSE_MS);
    }
  };
  const people = Promise.all(Array.from({ length: PEOPLE }, (_, nth) => person(nth)));
  // The first failure ends the others; `end` reports it.
  people.catch((error: unknown) => ended.abort(error));
  const waitFor = async (what: string, check: () => boolean): Promise<void> => {
    await until(what, () => ended.signal.aborted || check(), TAKEN_MS);
    ended.signal.throwIfAborted();
  };
  return {
    payouts,
    transfers,
    taken: (more) => {
      const wanted = count + more;
      return waitFor(`${more} payments more were taken`, () => count >= wanted);
    },
    async use(next) {
      visitors = next;
      await waitFor('nobody uses another web', () =>
        [...busy].every(([visitor, uses]) => uses === 0 || next.includes(visitor)),
      );
    },
    async end() {
      state.stopping = true;
      await people;
    },
  };
}

function grown(nth: number): number {
  return Math.round((FIRST_MINOR * GROWTH ** nth) / 100) * 100 + 15;
}

function transferForm({ id, amountMinor }: Transfer): Form {
  return {
    action: 'sendTransfer',
    path: '/transfers/new',
    hasState: false,
    fields: {
      id,
      locale: 'en',
      kind: 'transfer_business',
      wallet: '4410270001',
      toWallet: '4488810801',
      name: 'Kuzey Makina',
      amount: (amountMinor / 100).toFixed(2),
      paymentType: '06',
      description: `Order ${id.slice(0, 8)}`,
    },
    isTaken: ({ redirect }) => redirect.includes(`/transfers/${id}`),
  };
}
