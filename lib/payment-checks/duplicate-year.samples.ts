import { minor } from '#lib/values/money.ts';
import type { State } from '#lib/movements/state.ts';

/**
 * A generated year of one merchant's payouts, each labelled: intended ones (rents, wages,
 * deliveries, invoices) and ones that were paid twice by mistake. The same seed makes the same
 * year.
 */

const DAY = 86_400_000;
const HOUR = 3_600_000;
const YEAR_BEGINS = Date.parse('2026-01-01T06:00:00.000Z');
const DAYS = 365;
/** How many of the year's payouts are paid twice by mistake. */
const PLANTED = 90;

export type YearPayout = {
  id: string;
  at: number;
  iban: string;
  name: string;
  taxNumber: string;
  amountMinor: bigint;
  paymentType: string;
  description: string;
  /** The payout's state while it is younger than a day; an older payout counts as completed. */
  state: State;
  /** The kind of mistake; null for an intended payment. */
  planted: Mistake | null;
};

export const MISTAKES = [
  'same_day',
  'days_later',
  'other_words',
  'other_iban',
  'respelled',
  'kurus',
  'digit',
  'separator',
  'invoice_again',
  'disguised',
] as const;
export type Mistake = (typeof MISTAKES)[number];

type Party = { name: string; taxNumber: string; iban: string; other: string };
type Plain = Pick<YearPayout, 'at' | 'amountMinor' | 'paymentType' | 'description'> & {
  party: Party;
  isInvoice?: true;
};

const STATES: readonly State[] = [
  'DRAFT',
  'AWAITING_APPROVAL',
  'APPROVED',
  'UNKNOWN',
  'PENDING',
  'MANUAL_REVIEW',
  'COMPLETED',
];

export function duplicateYear(seed: number): YearPayout[] {
  const dice = diceOf(seed);
  const meant = meantYear(dice);
  const again = new Map<Plain, Mistake>();
  // Leave out lunch, which is paid daily: its duplicate is found on the same day only, and
  // duplicates of other payments show that already.
  const payable = meant.filter((one) => one.description !== 'Günlük yemek');
  for (let n = 0; n < PLANTED; n++) {
    const mistake = MISTAKES[n % MISTAKES.length]!;
    const fitting = payable.filter(
      (one) =>
        !again.has(one) &&
        (mistake !== 'invoice_again' || one.isInvoice === true) &&
        (mistake !== 'other_words' || one.isInvoice === true),
    );
    again.set(fitting[dice.below(fitting.length)]!, mistake);
  }
  const payouts = meant.flatMap((one, index): YearPayout[] => {
    const mistake = again.get(one);
    const first: YearPayout = {
      ...bare(one),
      id: `p${index}`,
      state: mistake === undefined ? 'COMPLETED' : STATES[dice.below(STATES.length)]!,
      planted: null,
    };
    return mistake === undefined
      ? [first]
      : [
          first,
          {
            ...twinOf(one, mistake, dice),
            id: `p${index}-again`,
            state: 'COMPLETED',
            planted: mistake,
          },
        ];
  });
  return payouts.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

export type Dice = {
  below: (count: number) => number;
  between: (least: number, most: number) => number;
};

function meantYear(dice: Dice): Plain[] {
  const parties = Array.from({ length: 70 }, (_, n) => partyOf(n));
  const of = (from: number, count: number): Party[] => parties.slice(from, from + count);
  // Two people with one name and a number each.
  parties[21] = { ...parties[21]!, name: parties[20]!.name };
  return [...regularOf(dice, of), ...irregularOf(dice, of)];
}

type Parties = (from: number, count: number) => Party[];

function regularOf(dice: Dice, of: Parties): Plain[] {
  return [
    ...of(0, 4).flatMap((party, n) =>
      monthly(
        dice,
        party,
        n + 1,
        () => minor(BigInt(1_500_000 + n * 250_000)),
        (month) => (n % 2 === 0 ? 'Kira' : `Kira ${month}/2026`),
      ),
    ),
    ...of(4, 18).flatMap((party, n) =>
      monthly(
        dice,
        party,
        28,
        () => minor(BigInt(2_200_000 + (n >> 2) * 300_000)),
        () => 'Maaş',
      ),
    ),
    ...of(22, 4).flatMap((party, n) =>
      monthly(
        dice,
        party,
        12 + n,
        () => minor(BigInt(dice.between(40_000, 400_000))),
        () => 'Elektrik faturası',
      ),
    ),
    ...of(26, 3).flatMap((party) =>
      monthly(
        dice,
        party,
        17,
        () => minor(875_000n),
        (month) => `Taksit ${month}/12`,
      ),
    ),
    ...of(29, 3).flatMap((party) =>
      every(
        dice,
        party,
        7,
        0,
        () => minor(145_000n),
        () => 'Haftalık kurye',
      ),
    ),
    ...every(
      dice,
      of(32, 1)[0]!,
      1,
      0,
      () => minor(62_500n),
      () => 'Günlük yemek',
    ).filter((one) => isWorkday(one.at)),
  ];
}

function irregularOf(dice: Dice, of: Parties): Plain[] {
  return [
    ...of(33, 14).flatMap((party, n) =>
      every(
        dice,
        party,
        5 + (n % 5),
        6,
        () => minor(BigInt(dice.between(30_000, 4_000_000))),
        (turn) => `Fatura ${10_000 + n * 500 + turn}`,
      ).map((one) => ({ ...one, isInvoice: true as const })),
    ),
    ...of(47, 12).flatMap((party) =>
      every(
        dice,
        party,
        20,
        40,
        () => minor(BigInt(dice.between(2, 40) * 50_000)),
        () => 'Hizmet bedeli',
      ),
    ),
    ...of(59, 6).flatMap((party) =>
      every(
        dice,
        party,
        30,
        40,
        () => minor(BigInt(dice.between(1, 6) * 100_000)),
        () => 'Avans',
      ),
    ),
    // Intended, although alike: two orders of one price in one week.
    ...of(65, 3).flatMap((party, n) =>
      every(
        dice,
        party,
        120,
        60,
        () => minor(480_000n),
        (turn) => `Sipariş ${700 + n * 50 + turn * 2}`,
      ).flatMap((one) => [
        one,
        { ...one, at: one.at + dice.between(1, 4) * DAY, description: `${one.description}-B` },
      ]),
    ),
  ];
}

function monthly(
  dice: Dice,
  party: Party,
  day: number,
  amount: () => bigint,
  text: (month: number) => string,
): Plain[] {
  return Array.from({ length: 12 }, (_, month) => {
    const at =
      workdayFrom(Date.UTC(2026, month, day, 6)) +
      dice.between(0, 8) * HOUR +
      dice.between(0, 59) * 60_000;
    return { at, party, amountMinor: amount(), paymentType: '06', description: text(month + 1) };
  });
}

/** Every `days` days, each time up to `more` days later. */
function every(
  dice: Dice,
  party: Party,
  days: number,
  more: number,
  amount: () => bigint,
  text: (turn: number) => string,
): Plain[] {
  const found: Plain[] = [];
  for (
    let day = dice.below(days);
    day < DAYS;
    day += days + (more === 0 ? 0 : dice.below(more + 1))
  ) {
    const at = YEAR_BEGINS + day * DAY + dice.between(0, 8) * HOUR + dice.between(0, 59) * 60_000;
    found.push({
      at,
      party,
      amountMinor: amount(),
      paymentType: '06',
      description: text(found.length),
    });
  }
  return found;
}

function bare({
  party,
  at,
  amountMinor,
  paymentType,
  description,
}: Plain): Omit<YearPayout, 'id' | 'state' | 'planted'> {
  return {
    at,
    iban: party.iban,
    name: party.name,
    taxNumber: party.taxNumber,
    amountMinor,
    paymentType,
    description,
  };
}

/** The same payment again, with this mistake. */
function twinOf(
  one: Plain,
  mistake: Mistake,
  dice: Dice,
): Omit<YearPayout, 'id' | 'state' | 'planted'> {
  const twin = bare(one);
  const soon = one.at + dice.between(1, 60) * HOUR;
  switch (mistake) {
    case 'same_day':
      return { ...twin, at: one.at + dice.between(2, 400) * 60_000 };
    case 'days_later':
      return { ...twin, at: one.at + dice.between(1, 4) * DAY };
    case 'other_words':
      return { ...twin, at: soon, description: 'Ödeme' };
    case 'other_iban':
      return { ...twin, at: soon, iban: one.party.other };
    case 'respelled':
      return {
        ...twin,
        at: soon,
        iban: one.party.other,
        name: one.party.name.toLocaleUpperCase('en'),
      };
    case 'kurus':
      return { ...twin, at: soon, amountMinor: one.amountMinor + BigInt(dice.between(1, 99)) };
    case 'digit':
      return { ...twin, at: soon, amountMinor: digitOff(one.amountMinor) };
    case 'separator':
      return { ...twin, at: soon, amountMinor: one.amountMinor * 10n };
    case 'invoice_again':
      return { ...twin, at: one.at + dice.between(15, 90) * DAY };
    // Part of the amount, with another text: only the paper documents show that it is the same.
    case 'disguised':
      return {
        ...twin,
        at: soon,
        amountMinor: (one.amountMinor * 8n) / 10n,
        description: 'Kalan ödeme',
      };
  }
}

/** 12.400 → 52.400: the neighbouring key. */
function digitOff(amount: bigint): bigint {
  const text = amount.toString();
  return BigInt(`${text.startsWith('9') ? '8' : Number(text[0]) + 1}${text.slice(1)}`);
}

function partyOf(n: number): Party {
  const iban = (account: number): string =>
    `TR00000620${String(n).padStart(8, '0')}${String(account).padStart(8, '0')}`;
  // People have eleven digits, firms have ten.
  return {
    name: `Işıl Öğüt ${n}`,
    taxNumber:
      n < 22 || n >= 47 ? `1${String(n).padStart(10, '0')}` : `2${String(n).padStart(9, '0')}`,
    iban: iban(1),
    other: iban(2),
  };
}

function isWorkday(at: number): boolean {
  return ![0, 6].includes(new Date(at).getUTCDay());
}

function workdayFrom(at: number): number {
  return isWorkday(at) ? at : workdayFrom(at + DAY);
}

/** Pseudo-random numbers, the same for the same seed (mulberry32). */
export function diceOf(seed: number): Dice {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return { below, between: (least, most) => least + below(most - least + 1) };
}
