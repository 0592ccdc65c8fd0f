import { diceOf } from '#lib/payment-checks/duplicate-year.samples.ts';
import type { Dice } from '#lib/payment-checks/duplicate-year.samples.ts';
import { firmOf, officeOf, personOf } from './bulk-parties.ts';
import type { Party } from './bulk-parties.ts';
import { withMistakes } from './bulk-mistakes.ts';
import { DAY, HOUR } from './bulk-file.ts';
import type { BulkFile, BulkRow } from './bulk-file.ts';

/**
 * A made-up year of the payout files of one Turkish merchant: salaries and advances, suppliers
 * twice a week, rents, taxes, refunds; and what people pay twice by mistake, labelled. The same
 * seed makes the same year.
 */

const YEAR = 2026;
/** The part of the payments that a bank refuses; most are paid again in a later file. */
const REFUSED_OF_100 = 2;
const MONTHS = [
  ...['Ocak', 'Şubat', 'Mart', 'Nisan', 'Mayıs', 'Haziran', 'Temmuz', 'Ağustos', 'Eylül', 'Ekim'],
  ...['Kasım', 'Aralık'],
];

/** The files of a year, in the order of their upload. */
export function bulkYear(seed: number): BulkFile[] {
  const dice = diceOf(seed);
  const meant = [
    ...salaries(dice),
    ...suppliers(dice),
    ...rents(dice),
    ...taxes(dice),
    ...refunds(dice),
  ].toSorted((a, b) => a.at - b.at);
  const whole = [...meant, ...paidAgain(meant, dice)].toSorted((a, b) => a.at - b.at);
  return withMistakes(whole, dice).toSorted((a, b) => a.at - b.at);
}

export function aRow(
  dice: Dice,
  party: Party,
  amountMinor: bigint,
  description: string,
  sort: string,
): BulkRow {
  const isRefused = dice.below(100) < REFUSED_OF_100;
  return {
    party,
    iban: party.iban,
    amountMinor,
    description,
    sort,
    outcome: {
      first: isRefused ? 'PENDING' : 'COMPLETED',
      end: isRefused ? 'REJECTED' : 'COMPLETED',
    },
    mistake: null,
    spelling: {},
  };
}

/** One amount for each grade: many people are paid the same. Two of them share an account. */
function salaries(dice: Dice): BulkFile[] {
  const people = Array.from({ length: 36 }, (_, n) => personOf(n));
  people[13] = { ...people[13]!, iban: people[12]!.iban };
  const style = dice.below(2);
  const grade = (n: number, month: number): bigint =>
    BigInt(2_310_400 + Math.floor(n / 6) * 487_550 + (month >= 6 ? 425_000 : 0));
  return MONTHS.flatMap((name, month): BulkFile[] => {
    const text = style === 0 ? 'Maaş ödemesi' : `${name} ${YEAR} maaşı`;
    const last = workday(Date.UTC(YEAR, month + 1, 0, 8), -1);
    return [
      {
        at: last + dice.below(6) * HOUR,
        name: 'maaslar',
        notation: 'turkish',
        rows: people.map((one, n) => aRow(dice, one, grade(n, month), text, 'salary')),
      },
      {
        at: workday(Date.UTC(YEAR, month, 15, 8), 1) + dice.below(6) * HOUR,
        name: 'avanslar',
        notation: 'turkish',
        rows: people
          .slice(0, 12)
          .map((one, n) => aRow(dice, one, n % 3 === 0 ? 750_000n : 500_000n, 'Avans', 'advance')),
      },
    ];
  });
}

/** Tuesdays and Fridays: invoices of firms, a few of them at list prices; couriers on Fridays. */
function suppliers(dice: Dice): BulkFile[] {
  const firms = Array.from({ length: 24 }, (_, n) => firmOf(n));
  const serials = firms.map((_, n) => 1_000 + n * 137);
  const couriers = [firmOf(30), firmOf(31), personOf(60), firmOf(32)];
  const files: BulkFile[] = [];
  for (const at of daysOf([2, 5])) {
    const rows = firms.flatMap((firm, n) => {
      if (dice.below(100) >= 22) return [];
      const count = dice.below(100) < 15 ? 2 : 1;
      return Array.from({ length: count }, () => {
        serials[n]! += dice.between(1, 9);
        const amount =
          n < 4 ? BigInt(dice.between(2, 12) * 125_000) : BigInt(dice.between(80_000, 18_000_000));
        const number = serials[n];
        const text =
          n % 3 === 0 ? `ABC${YEAR}${String(number).padStart(9, '0')}` : `Fatura ${number}`;
        return aRow(dice, firm, amount, text, 'invoice');
      });
    });
    if (new Date(at).getUTCDay() === 5)
      for (const [n, one] of couriers.entries())
        rows.push(aRow(dice, one, 145_000n + BigInt(n) * 60_000n, 'Haftalık kurye', 'weekly'));
    const notation = (['turkish', 'grouped', 'program'] as const)[dice.below(3)]!;
    if (rows.length > 0)
      files.push({ at: at + dice.below(7) * HOUR, name: 'tedarikciler', notation, rows });
  }
  return files;
}

/** One of the landlords lets two shops at one rent. */
function rents(dice: Dice): BulkFile[] {
  const landlords = Array.from({ length: 4 }, (_, n) => personOf(40 + n));
  return MONTHS.map((name, month) => ({
    at: workday(Date.UTC(YEAR, month, 3, 9), 1) + dice.below(5) * HOUR,
    name: 'kiralar',
    notation: 'grouped',
    rows: [
      ...landlords.map((one, n) =>
        aRow(dice, one, 2_150_000n + BigInt(n) * 315_000n, `${name} kirası`, 'rent'),
      ),
      aRow(dice, landlords[3]!, 3_095_000n, `${name} kirası depo`, 'rent'),
      // One number of a contract in every month.
      aRow(dice, firmOf(33), 1_843_275n, `Leasing 88123 ${name} taksiti`, 'rent'),
    ],
  }));
}

/** Several payments to one account in one file, told apart by their numbers alone. */
function taxes(dice: Dice): BulkFile[] {
  const office = officeOf(0, 'Gelir İdaresi Başkanlığı');
  const social = officeOf(1, 'Sosyal Güvenlik Kurumu');
  const power = [officeOf(2, 'Boğaziçi Elektrik'), officeOf(3, 'İski Su İdaresi')];
  return MONTHS.flatMap((name, month): BulkFile[] => {
    const period = `${YEAR}/${String(month + 1).padStart(2, '0')}`;
    const any = (least: number, most: number): bigint => BigInt(dice.between(least, most));
    return [
      {
        at: workday(Date.UTC(YEAR, month, 26, 8), 1) + dice.below(6) * HOUR,
        name: 'vergi-sgk',
        notation: 'turkish',
        rows: [
          aRow(dice, office, any(4_000_000, 40_000_000), `KDV ${period}`, 'tax'),
          aRow(dice, office, any(800_000, 6_000_000), `Muhtasar ${period}`, 'tax'),
          aRow(dice, office, 79_160n, `Damga vergisi ${period}`, 'tax'),
          ...(month % 3 === 1
            ? [aRow(dice, office, any(2_000_000, 9_000_000), `Geçici vergi ${period}`, 'tax')]
            : []),
          aRow(dice, social, any(9_000_000, 9_900_000), `SGK 4a merkez ${name}`, 'tax'),
          aRow(dice, social, any(3_000_000, 3_500_000), `SGK 4a depo ${name}`, 'tax'),
        ],
      },
      {
        at: workday(Date.UTC(YEAR, month, 12, 8), 1) + dice.below(6) * HOUR,
        name: 'faturalar',
        notation: 'program',
        rows: power.map((one) =>
          aRow(dice, one, any(60_000, 900_000), `Abone faturası ${period}`, 'utility'),
        ),
      },
    ];
  });
}

/** Money back to customers at the prices of the shop. */
function refunds(dice: Dice): BulkFile[] {
  const prices = [24_990n, 49_900n, 79_900n, 129_900n, 249_000n];
  return daysOf([1]).map((at) => ({
    at: at + dice.below(7) * HOUR,
    name: 'iadeler',
    notation: 'program',
    rows: Array.from({ length: dice.between(2, 6) }, () => {
      const order = dice.between(100_000, 999_999);
      const customer = personOf(100 + dice.below(150));
      return aRow(dice, customer, prices[dice.below(5)]!, `İade sipariş ${order}`, 'refund');
    }),
  }));
}

/** What a bank refused, paid again a day or two later, meant. */
function paidAgain(files: readonly BulkFile[], dice: Dice): BulkFile[] {
  return files.flatMap(({ rows, at, notation }) => {
    const refused = rows.filter(
      ({ outcome, sort }) => outcome.end === 'REJECTED' && sort !== 'weekly' && dice.below(4) > 0,
    );
    const again = refused.map((row): BulkRow => ({
      ...row,
      outcome: { first: 'COMPLETED', end: 'COMPLETED' },
    }));
    const later = at + dice.between(26, 50) * HOUR;
    return again.length === 0 ? [] : [{ at: later, name: 'reddedilenler', notation, rows: again }];
  });
}

function daysOf(weekdays: readonly number[]): number[] {
  const days: number[] = [];
  for (let at = Date.UTC(YEAR, 0, 2, 8); at < Date.UTC(YEAR + 1, 0, 1); at += DAY)
    if (weekdays.includes(new Date(at).getUTCDay())) days.push(at);
  return days;
}

function workday(at: number, step: 1 | -1): number {
  return [0, 6].includes(new Date(at).getUTCDay()) ? workday(at + step * DAY, step) : at;
}
