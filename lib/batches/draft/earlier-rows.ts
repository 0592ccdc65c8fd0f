import { formatAmount } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readKeyText } from '#lib/values/person-key.ts';
import type { RowContent } from '../row-content.ts';
import type { Field } from '../file/headings.ts';
import type { RememberedColumns } from '../file/mapping.ts';
import type { SourceCell, SourceFile } from '../file/source.ts';

/** The rows of an earlier batch as a payouts file, so that a draft begins with them. Pure. */

/** The content of a submitted row. */
export type EarlierRow = Omit<RowContent, 'amountMinor'> & { amountMinor: bigint };

const FIELDS = [
  'name',
  'iban',
  'taxNumber',
  'amount',
  'paymentType',
  'description',
  'person',
] as const satisfies readonly Field[];

export const EARLIER_COLUMNS: RememberedColumns = Object.fromEntries(
  FIELDS.map((field, column) => [field, column]),
);
/** The number of the row of headings. */
export const EARLIER_HEADINGS = 1;
/** The file has one sheet. */
export const EARLIER_SHEET = 0;

/** `headings`: of the seven columns. `withoutAmounts`: the amounts are left to be typed. */
export function earlierFile(
  rows: readonly EarlierRow[],
  headings: readonly string[],
  { locale, withoutAmounts }: { locale: Locale; withoutAmounts: boolean },
): SourceFile {
  const lines = rows.map((row) => [
    row.name,
    row.iban,
    row.taxNumber,
    withoutAmounts ? '' : formatAmount(row.amountMinor, locale),
    row.paymentType,
    row.description,
    row.person === undefined ? '' : personText(row.person.foundBy, locale),
  ]);
  const all = [headings, ...lines].map((cells, at) => ({
    number: EARLIER_HEADINGS + at,
    hidden: false,
    cells: cells.map(cellOf),
  }));
  const sheet = {
    name: '',
    hidden: false,
    rows: all,
    emptyRows: 0,
    hiddenColumns: [],
    epoch1904: false,
  };
  return { format: 'text', encoding: null, delimiter: ';', sheets: [sheet] };
}

/** A person as a file names them, in the one form that has one reading. */
function personText(foundBy: string, locale: Locale): string {
  const key = readKeyText(foundBy);
  if (key === null) return '';
  if (key.by === 'phone') return `+${key.country} ${key.phone}`;
  return `${locale === 'tr' ? 'hesap' : 'account'} ${key.account}`;
}

function cellOf(text: string): SourceCell {
  return text === '' ? { kind: 'empty', text } : { kind: 'text', text };
}
