import { parseAmount } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { SourceCell } from './source.ts';

/**
 * What a column proves about its own notation: '1.234' is 1234 where another cell of the column has
 * '1.234,56', and '03/04/2026' is 3 April where another one has '25/04/2026'. Pure.
 */

/** The language whose notation the amounts of a column have; null when nothing proves one. */
export type AmountConvention = Locale | null;
/** Whether a day with slashes begins with the day or the month; null when nothing proves it. */
export type DateConvention = 'day_first' | 'month_first' | null;

const SLASHED = /^\s*(\d{1,2})\/(\d{1,2})\/(?:\d{4}|\d{2})(?!\d)/;

export function amountConvention(cells: readonly SourceCell[]): AmountConvention {
  return onlyOne(cells.map((cell) => (cell.kind === 'text' ? proofOf(cell.text) : null)));
}

/**
 * The notation that a text proves by itself: its last separator has one or two digits behind it
 * ('1234,5'), or one separator stands twice between groups of three ('1.234.567').
 */
function proofOf(text: string): Locale | null {
  const body = /\d[\d.,]*\d/.exec(text)?.[0] ?? '';
  const decimal = /([.,])\d{1,2}$/.exec(body)?.[1];
  const grouping = /^\d{1,3}(?:([.,])\d{3})(?:\1\d{3})+(?:[.,]\d{1,2})?$/.exec(body)?.[1];
  let found: Locale | null = null;
  if (decimal !== undefined) found = decimal === ',' ? 'tr' : 'en';
  else if (grouping !== undefined) found = grouping === '.' ? 'tr' : 'en';
  // A text that is no amount in this notation proves nothing.
  return found !== null && parseAmount(text, found).kind === 'ok' ? found : null;
}

export function dateConvention(cells: readonly SourceCell[]): DateConvention {
  return onlyOne(
    cells.map((cell) => {
      const [, first = '', second = ''] = SLASHED.exec(cell.text) ?? [];
      if (cell.kind !== 'text' || first === '') return null;
      if (Number(first) > 12 && Number(second) <= 12) return 'day_first';
      return Number(second) > 12 && Number(first) <= 12 ? 'month_first' : null;
    }),
  );
}

/** The one that all proofs name; null without a proof, and when they contradict each other. */
export function onlyOne<Proof>(proofs: readonly (Proof | null)[]): Proof | null {
  const found = new Set(proofs.filter((proof) => proof !== null));
  const [only = null] = found;
  return found.size === 1 ? only : null;
}
