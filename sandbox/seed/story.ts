import { makeIban } from '../iban.ts';
import {
  CUSTOMERS,
  EMPLOYEES,
  EUR_WALLET,
  MAIN_WALLET,
  MERCHANT,
  PAYROLL_WALLET,
  PETTY_WALLET,
  SUPPLIERS,
  USD_WALLET,
} from './merchant.ts';

/** Makes the movements of the seeded months at random: the same seed gives the same movements. */

export const DAY_MS = 86_400_000;
export const HISTORY_DAYS = 150;

/**
 * Mulberry32, a small seeded random generator with the same results on every machine. Returns
 * numbers in [0, 1).
 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Event = {
  at: number;
  kind: 'payout' | 'topup' | 'virement';
  from: string | null;
  to: string | null;
  amount: bigint;
  currency: string;
  name: string;
  iban: string;
  taxNumber: string;
  purpose: string;
  description: string;
  outcome: 'completed' | 'rejected' | 'failed';
};

class Story {
  readonly events: Event[] = [];
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  /**
   * Returns a random amount in minor units between two amounts in whole units; three of four are
   * whole.
   */
  money(low: number, high: number): bigint {
    const whole = BigInt(Math.floor(low + this.#random() * (high - low)));
    return whole * 100n + (this.chance(0.75) ? 0n : this.pick([25n, 50n, 75n, 90n, 99n]));
  }

  /** Returns a random time of the working day that began at `day`. */
  moment(day: number): number {
    return day + Math.floor((6 + this.#random() * 9) * 3_600_000);
  }

  payout(
    at: number,
    from: string,
    currency: string,
    to: { name: string; iban: string; taxNumber: string; purpose: string },
    amount: bigint,
    description: string,
  ): void {
    const outcome = this.chance(0.03) ? 'rejected' : this.chance(0.01) ? 'failed' : 'completed';
    this.events.push({
      at,
      kind: 'payout',
      from,
      to: null,
      amount,
      currency,
      ...to,
      description,
      outcome,
    });
  }

  move(
    at: number,
    kind: 'topup' | 'virement',
    from: string | null,
    to: string,
    amount: bigint,
    currency: string,
    name: string,
    iban: string,
    description: string,
  ): void {
    this.events.push({
      at,
      kind,
      from,
      to,
      amount,
      currency,
      name,
      iban,
      taxNumber: '',
      purpose: '',
      description,
      outcome: 'completed',
    });
  }
}

function tellDay(story: Story, day: number): void {
  const date = new Date(day + 12 * 3_600_000);
  if (date.getUTCDay() === 0) return;
  const weekend = date.getUTCDay() === 6;
  for (let i = weekend ? 1 : 3; i > 0; i--) {
    if (!story.chance(0.75)) continue;
    const customer = story.pick(CUSTOMERS);
    story.move(
      story.moment(day),
      'topup',
      null,
      MAIN_WALLET,
      story.money(8_000, 96_000),
      'TRY',
      customer.name,
      customer.iban,
      `Sipariş ödemesi ${date.getUTCFullYear()}-${1000 + Math.floor(story.events.length * 1.7)}`,
    );
  }
  for (let i = weekend ? 1 : 3; i > 0; i--) {
    if (!story.chance(0.7)) continue;
    const to = story.pick(SUPPLIERS);
    story.payout(
      story.moment(day),
      MAIN_WALLET,
      'TRY',
      to,
      story.money(2_500, 84_000),
      `${to.note} ${String(story.events.length).padStart(4, '0')}`,
    );
  }
  if (story.chance(0.25)) {
    const to = story.pick(SUPPLIERS);
    story.payout(
      story.moment(day),
      PETTY_WALLET,
      'TRY',
      to,
      story.money(120, 950),
      `Şube gideri: ${to.note.toLocaleLowerCase('tr')}`,
    );
  }
  tellForeign(story, day);
  if (date.getUTCDate() === 1) tellPayday(story, day);
  if (date.getUTCDate() % 10 === 4)
    story.move(
      story.moment(day),
      'virement',
      MAIN_WALLET,
      PETTY_WALLET,
      story.money(2_000, 3_000),
      'TRY',
      MERCHANT.name,
      '',
      'Şube kasası besleme',
    );
}

/**
 * Adds the movements of the wallets in USD and EUR: payments for exports come in, part payments for
 * imports go out.
 */
function tellForeign(story: Story, day: number): void {
  if (story.chance(0.12))
    story.move(
      story.moment(day),
      'topup',
      null,
      USD_WALLET,
      story.money(1_200, 9_500),
      'USD',
      'Liman İhracat A.Ş.',
      makeIban('00015', '00000008807722'),
      'İhracat bedeli',
    );
  if (story.chance(0.12))
    story.move(
      story.moment(day),
      'topup',
      null,
      EUR_WALLET,
      story.money(900, 7_200),
      'EUR',
      'Liman İhracat A.Ş.',
      makeIban('00015', '00000008807730'),
      'İhracat bedeli',
    );
  if (story.chance(0.08))
    story.payout(
      story.moment(day),
      USD_WALLET,
      'USD',
      story.pick(SUPPLIERS),
      story.money(400, 4_800),
      'İthalat ara ödemesi',
    );
  if (story.chance(0.06))
    story.payout(
      story.moment(day),
      EUR_WALLET,
      'EUR',
      story.pick(SUPPLIERS),
      story.money(300, 3_900),
      'İthalat ara ödemesi',
    );
}

function tellPayday(story: Story, day: number): void {
  story.move(
    day + 6 * 3_600_000,
    'virement',
    MAIN_WALLET,
    PAYROLL_WALLET,
    46_000_000n,
    'TRY',
    MERCHANT.name,
    '',
    'Maaş aktarımı',
  );
  EMPLOYEES.forEach((name, index) => {
    const to = {
      name,
      iban: makeIban('00046', `000000066120${index}18`),
      taxNumber: '10000000146',
      purpose: '05',
    };
    story.payout(
      day + 7 * 3_600_000 + index * 90_000,
      PAYROLL_WALLET,
      'TRY',
      to,
      story.money(41_000, 62_000),
      'Maaş ödemesi',
    );
  });
}

/**
 * Returns all movements until an hour before `now`: the last hour stays empty for the sandbox's
 * user.
 */
export function eventsOfHistory(seed: number, now: number): Event[] {
  const story = new Story(randomOf(seed));
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  for (let back = HISTORY_DAYS; back >= 0; back--) tellDay(story, today - back * DAY_MS);
  return story.events.filter((event) => event.at < now - 3_600_000).sort((a, b) => a.at - b.at);
}
