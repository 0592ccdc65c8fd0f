import { parseAmount } from '#lib/values/money.ts';
import { checkIban } from '#lib/values/iban.ts';
import { checkTaxNumber } from '#lib/values/tax-number.ts';
import { readDay } from '#lib/values/typed-day.ts';
import { FIELDS, meaningsOf } from './headings.ts';
import type { Field } from './headings.ts';
import { cellAt, unforced } from './source.ts';
import type { SourceCell } from './source.ts';
import type { Column, Table } from './table.ts';

/**
 * Which column of a table is which field: guessed from headings and content, changed by hand,
 * remembered for files of the same shape. Pure.
 */

/**
 * `confidence` from 0 to 100. `because`: what it rests on; 'hand' and 'memory' are a person's own
 * decision. `contested`: another column could be it as well.
 */
export type Guess = {
  column: number;
  confidence: number;
  because: readonly ('heading' | 'content' | 'hand' | 'memory')[];
  contested: boolean;
};
export type Mapping = Readonly<Partial<Record<Field, Guess>>>;

/** From this confidence on, a screen need not ask. */
export const SURE = 80;

const ROWS_LOOKED_AT = 200;
const WHOLE_HEADING = 60;
const PART_OF_HEADING = 30;
const RANK_MAX = 15;
const CONTENT = 40;
/** The part of the filled cells that must look like the field. */
const FITS = 0.6;
const FITS_NOT = 0.1;
const CONTESTED_WITHIN = 5;
const CONFIDENCE_MIN = 20;

const PHONE = /^\s*(?:\+?90|0)?[\s(]*5\d{2}[\s)]*\d{3}[\s-]*\d{2}[\s-]*\d{2}\s*$/;

const LOOKS_LIKE: Partial<Record<Field, (cell: SourceCell) => boolean>> = {
  iban: ({ kind, text }) =>
    (kind === 'text' &&
      (checkIban(text).kind === 'ok' || /^\s*TR\s?\d[\d\s.-]{10,}/i.test(text))) ||
    /^\d[.,]\d+E\+2\d$/i.test(text) ||
    /^\d{24}$/.test(text.replaceAll(' ', '')),
  amount: ({ kind, text }) =>
    (kind === 'number' && !/^0\d|^\d{9,}$/.test(text)) ||
    (kind === 'text' && text.length < 40 && !/^\d{9,}$/.test(text) && isAmount(text)),
  taxNumber: ({ text }) =>
    /^\d{7,9}(?:\.0)?$/.test(text.trim()) || checkTaxNumber(text.slice(0, 40)).kind === 'ok',
  phone: ({ text }) => PHONE.test(text),
  person: ({ text }) => PHONE.test(text) || /^\s*(?:\p{L}+\s+)?\d[\d ]{3,24}$/u.test(text),
  date: ({ kind, text }) =>
    kind === 'date' || (kind === 'text' && text.length < 30 && readDay(text) !== null),
  currency: ({ text }) => /^\s*(?:tl|try|₺|usd|eur|gbp|türk lirası)\s*$/iu.test(text),
  name: isWords,
  surname: isWords,
  description: ({ kind }) => kind === 'text',
  recipient: ({ kind }) => kind === 'text',
};
const WORDS: readonly Field[] = ['name', 'surname', 'description', 'recipient'];
/** Fields that content alone may find; a text alone does not say which words it has. */
const BY_CONTENT: readonly Field[] = ['iban', 'amount', 'taxNumber', 'name'];
/** How much content alone says: check digits prove, words hardly. */
const CONTENT_ALONE: Partial<Record<Field, number>> = { iban: 90, taxNumber: 60, amount: 50 };
const WORDS_ALONE = 30;

type Candidate = Guess & { field: Field };

export function guessMapping(table: Table): Mapping {
  const candidates = table.columns.flatMap((column, at) => candidatesOf(table, column, at));
  candidates.sort((a, b) => b.confidence - a.confidence || a.column - b.column);
  const mapping: Partial<Record<Field, Guess>> = {};
  const taken = new Set<number>();
  for (const { field, ...guess } of candidates) {
    const before = mapping[field];
    if (before !== undefined) {
      if (!taken.has(guess.column) && before.confidence - guess.confidence < CONTESTED_WITHIN)
        mapping[field] = contested(before);
    } else if (!taken.has(guess.column) && guess.confidence >= CONFIDENCE_MIN) {
      mapping[field] = guess;
      taken.add(guess.column);
    }
  }
  return mapping;
}

/** A person's choice. A column is one field only, so that another field gives it away. */
export function changeMapping(mapping: Mapping, field: Field, column: number | null): Mapping {
  const entries = Object.entries(mapping).filter(
    ([name, guess]) => name !== field && guess.column !== column,
  );
  const changed = Object.fromEntries(entries) as Mapping;
  return column === null
    ? changed
    : { ...changed, [field]: { column, confidence: 100, because: ['hand'], contested: false } };
}

/**
 * The fields that a payment needs and that no column has. A saved recipient brings three of them; a
 * person is paid without an account of a bank.
 */
export function missingFields(mapping: Mapping): Field[] {
  const { recipient, person, iban } = mapping;
  const ofPayee: Field[] =
    person !== undefined && iban === undefined ? ['name'] : ['iban', 'name', 'taxNumber'];
  const needed: Field[] = recipient === undefined ? [...ofPayee, 'amount'] : ['amount'];
  return needed.filter((field) => mapping[field] === undefined);
}

/** What is kept for the next file of this shape. */
export type RememberedColumns = Readonly<Partial<Record<Field, number>>>;

export function columnsToRemember(mapping: Mapping): RememberedColumns {
  return Object.fromEntries(
    FIELDS.flatMap((field) =>
      mapping[field] === undefined ? [] : [[field, mapping[field].column]],
    ),
  );
}

/** Columns that the table does not have, and a second field for one column, are left out. */
export function rememberedMapping(columns: RememberedColumns, table: Table): Mapping {
  const taken = new Set<number>();
  const mapping: Partial<Record<Field, Guess>> = {};
  for (const field of FIELDS) {
    const column = columns[field];
    if (column === undefined || !(column in table.columns) || taken.has(column)) continue;
    taken.add(column);
    mapping[field] = { column, confidence: 100, because: ['memory'], contested: false };
  }
  return mapping;
}

function contested(guess: Guess): Guess {
  return { ...guess, confidence: Math.round(guess.confidence / 2), contested: true };
}

function candidatesOf(table: Table, column: Column, at: number): Candidate[] {
  // A hidden column is mapped by hand only.
  if (column.hidden) return [];
  const cells = table.rows
    .slice(0, ROWS_LOOKED_AT)
    .map((row) => unforced(cellAt(row, at)))
    .filter(({ kind }) => kind !== 'empty');
  const named = column.heading.length > 0;
  return FIELDS.flatMap((field): Candidate[] => {
    const heading = headingScore(column.heading, field);
    const fits = partThatFits(cells, field);
    const { score, because } = scoreOf(field, heading, fits, cells.length, named);
    return score <= 0
      ? []
      : [{ field, column: at, confidence: Math.min(100, score), because, contested: false }];
  });
}

function scoreOf(
  field: Field,
  heading: number,
  fits: number | null,
  filled: number,
  named: boolean,
): { score: number; because: Guess['because'] } {
  if (heading === 0) {
    // Words under a heading that is not known are anything; under none they may be names.
    const may = BY_CONTENT.includes(field) && (field !== 'name' || !named);
    const alone = may && fits !== null && fits >= FITS;
    const score = alone ? (CONTENT_ALONE[field] ?? WORDS_ALONE) : 0;
    return { score: filled === 0 ? 0 : score, because: ['content'] };
  }
  if (fits === null || filled === 0) return { score: heading, because: ['heading'] };
  if (fits >= FITS) return { score: heading + CONTENT, because: ['heading', 'content'] };
  // A heading that its column contradicts is a weak hint; words are never a contradiction.
  const contradicted = fits < FITS_NOT && !WORDS.includes(field);
  return { score: contradicted ? heading - CONTENT : heading, because: ['heading'] };
}

function headingScore(lines: readonly string[], field: Field): number {
  const scores = [lines.join(' '), ...lines.toReversed()].map((text, at) => {
    const meanings = meaningsOf(text);
    const found = meanings.find((meaning) => meaning.field === field);
    if (found === undefined) return 0;
    // The first meaning is the one of the longest known word.
    if (!found.whole) return meanings[0]?.field === field ? PART_OF_HEADING : 0;
    return WHOLE_HEADING - Math.min(found.rank, RANK_MAX) - (at === 0 ? 0 : 1);
  });
  return Math.max(0, ...scores);
}

function partThatFits(cells: readonly SourceCell[], field: Field): number | null {
  const looks = LOOKS_LIKE[field];
  if (looks === undefined || cells.length === 0) return null;
  return cells.filter(looks).length / cells.length;
}

function isAmount(text: string): boolean {
  const { kind } = parseAmount(text, 'tr');
  return (
    kind !== 'error' || parseAmount(text, 'en').kind !== 'error' || /^\s*-?\d[\d.,]*\s*$/.test(text)
  );
}

/** Two words of letters: a name, most often. */
function isWords({ kind, text }: SourceCell): boolean {
  return kind === 'text' && /\p{L}{2}/u.test(text) && !/\d{4}/.test(text);
}
