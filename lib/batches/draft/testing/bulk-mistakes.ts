import type { Dice } from '#lib/payment-checks/duplicate-year.samples.ts';
import { DAY, HOUR } from './bulk-file.ts';
import type { BulkFile, BulkRow, Notation } from './bulk-file.ts';

/** What people pay twice with files, put into a year of files and labelled. */

/**
 * `disguised`: a part of the amount in other words, which only paper documents show; no rule need
 * find it.
 */
export const MISTAKES = [
  'same_file',
  'same_file_days_later',
  'partly_paid_file',
  'salary_again',
  'next_file',
  'weeks_later',
  'row_twice',
  'row_twice_renamed',
  'renamed_other_account',
  'notation',
  'iban_blanks',
  'kurus',
  'rounded',
  'slip',
  'pending',
  'unknown',
  'other_words',
  'other_words_later',
  'disguised',
] as const;
export type Mistake = (typeof MISTAKES)[number];

const EACH = 7;
const DISGUISED = 3;
/** The sorts of payments that have a number of their own in their texts. */
const NUMBERED = ['invoice', 'refund'];

type Place = { file: BulkFile; row: BulkRow };
/** Where the second payment stands: in a file that exists, or in one of its own. */
type Twin = { row: BulkRow; into: BulkFile | { at: number; notation: Notation } };

export function withMistakes(meant: readonly BulkFile[], dice: Dice): BulkFile[] {
  const files = meant.map((file) => ({ ...file, rows: [...file.rows] }));
  const used = new Set<BulkRow>();
  const more: BulkFile[] = [...wholeFiles(files, used, dice)];
  const places = files.flatMap((file) => file.rows.map((row): Place => ({ file, row })));
  for (const mistake of MISTAKES.slice(3))
    for (let n = 0; n < (mistake === 'disguised' ? DISGUISED : EACH); n++) {
      const fitting = places.filter(
        ({ file, row }) =>
          !used.has(row) &&
          fits(mistake, row) &&
          row.outcome.end === 'COMPLETED' &&
          nextOf(files, file, 30 * DAY) !== undefined,
      );
      const place = fitting[dice.below(fitting.length)]!;
      used.add(place.row);
      const twin = twinOf(mistake, place, files, dice);
      if ('rows' in twin.into) twin.into.rows.push(twin.row);
      else more.push({ ...twin.into, name: 'ek-odemeler', rows: [twin.row] });
    }
  return [...files, ...more];
}

function fits(mistake: Mistake, { sort }: BulkRow): boolean {
  switch (mistake) {
    case 'salary_again':
      return sort === 'salary';
    case 'weeks_later':
    case 'other_words':
    case 'other_words_later':
      return NUMBERED.includes(sort);
    case 'kurus':
    case 'rounded':
    case 'slip':
    case 'disguised':
      return NUMBERED.includes(sort) || sort === 'tax';
    default:
      return sort !== 'weekly';
  }
}

/** Files that are uploaded again as a whole. */
function wholeFiles(files: readonly BulkFile[], used: Set<BulkRow>, dice: Dice): BulkFile[] {
  const any = (name: string): BulkFile => {
    const named = files.filter((file) => file.name === name && !used.has(file.rows[0]!));
    const file = named[dice.between(5, named.length - 6)]!;
    for (const row of file.rows) used.add(row);
    return file;
  };
  const again = (file: BulkFile, mistake: Mistake, later: number, notation = file.notation) => ({
    ...file,
    at: file.at + later,
    notation,
    rows: file.rows.map((row) =>
      row.outcome.end === 'REJECTED'
        ? { ...row, outcome: { first: 'COMPLETED', end: 'COMPLETED' } as const }
        : doubled(row, mistake),
    ),
  });
  const partly = any('tedarikciler');
  partly.rows = partly.rows.map((row, n): BulkRow =>
    n % 3 === 0 ? { ...row, outcome: { first: 'PENDING', end: 'REJECTED' } } : row,
  );
  for (const row of partly.rows) used.add(row);
  return [
    again(any('tedarikciler'), 'same_file', 2 * HOUR),
    again(any('kiralar'), 'same_file', DAY),
    again(any('vergi-sgk'), 'same_file', 3 * HOUR),
    again(any('tedarikciler'), 'same_file_days_later', 3 * DAY, 'program'),
    again(any('iadeler'), 'same_file_days_later', 5 * DAY, 'grouped'),
    // The bank's answers are known by the next day.
    again(partly, 'partly_paid_file', 25 * HOUR),
  ];
}

function twinOf(mistake: Mistake, place: Place, files: BulkFile[], dice: Dice): Twin {
  const { file, row } = place;
  const twin = doubled(row, mistake);
  const later = (from: number, to: number): Twin['into'] => ({
    at: file.at + dice.between(from, to),
    notation: file.notation,
  });
  const soon = later(DAY, 4 * DAY);
  const next = nextOf(files, file, 7 * DAY) ?? soon;
  switch (mistake) {
    case 'salary_again':
      return { row: twin, into: later(3 * DAY, 12 * DAY) };
    case 'weeks_later':
      return { row: twin, into: nextOf(files, file, dice.between(20, 80) * DAY, 9 * DAY) ?? soon };
    case 'row_twice':
      return { row: twin, into: file };
    case 'row_twice_renamed':
      return { row: { ...twin, spelling: { name: respelled(row, dice) } }, into: file };
    case 'renamed_other_account':
      return {
        row: { ...twin, iban: row.party.other, spelling: { name: respelled(row, dice) } },
        into: soon,
      };
    case 'notation':
      return {
        row: twin,
        into: { ...soon, notation: file.notation === 'program' ? 'turkish' : 'program' },
      };
    case 'iban_blanks': {
      const blanks = ` ${(row.iban.match(/.{1,4}/g) ?? []).join('  ').toLowerCase()} `;
      return {
        row: { ...twin, spelling: { iban: blanks } },
        into: dice.below(2) === 0 ? file : next,
      };
    }
    case 'pending':
    case 'unknown':
      row.outcome = { first: mistake === 'pending' ? 'PENDING' : 'UNKNOWN', end: 'COMPLETED' };
      return { row: twin, into: later(HOUR, 12 * HOUR) };
    case 'other_words':
      return { row: { ...twin, description: inOtherWords(row) }, into: soon };
    case 'other_words_later':
      return { row: { ...twin, description: inOtherWords(row) }, into: later(8 * DAY, 40 * DAY) };
    case 'disguised':
      return {
        row: { ...twin, amountMinor: (row.amountMinor * 6n) / 10n, description: 'Bakiye' },
        into: soon,
      };
    case 'kurus':
    case 'rounded':
    case 'slip':
      return {
        row: { ...twin, amountMinor: otherAmount(mistake, row.amountMinor, dice) },
        into: next,
      };
    default:
      return { row: twin, into: next };
  }
}

function otherAmount(mistake: 'kurus' | 'rounded' | 'slip', amount: bigint, dice: Dice): bigint {
  if (mistake === 'kurus') return amount + BigInt(dice.between(1, 99));
  if (mistake === 'rounded') {
    const rounded = ((amount + 50n) / 100n) * 100n;
    return rounded === amount ? amount + 100n : rounded;
  }
  const digits = [...amount.toString()];
  const at = digits.findIndex((digit, n) => n > 0 && digit !== digits[n - 1]);
  if (at < 1 || digits[at] === '0') return amount * 10n;
  [digits[at - 1], digits[at]] = [digits[at]!, digits[at - 1]!];
  return BigInt(digits.join(''));
}

function inOtherWords({ description }: BulkRow): string {
  const number = /\d+$/.exec(description)?.[0] ?? '';
  return description.startsWith('ABC') ? `${description} nolu fatura` : `${number} nolu ödeme`;
}

/** As others write the name: without Turkish letters, in capitals, with another abbreviation. */
function respelled({ party: { name } }: BulkRow, dice: Dice): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replaceAll('ı', 'i');
  const longer = name.replace('Ltd. Şti.', 'Limited Şirketi').replace('A.Ş.', 'Anonim Şirketi');
  const spellings = [plain, name.toLocaleUpperCase('tr'), name.toLocaleUpperCase('en'), longer];
  const others = spellings.filter((spelling) => spelling !== name);
  return others[dice.below(others.length)]!;
}

function doubled(row: BulkRow, mistake: Mistake): BulkRow {
  return {
    ...row,
    mistake,
    outcome: { first: 'COMPLETED', end: 'COMPLETED' },
    spelling: {},
  };
}

/** The next file of the same name that comes within some time, and after the least of it. */
function nextOf(
  files: readonly BulkFile[],
  { name, at }: BulkFile,
  within: number,
  least = 0,
): BulkFile | undefined {
  return files.find((one) => one.name === name && one.at > at + least && one.at <= at + within);
}
