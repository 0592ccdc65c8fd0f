import type { getTranslations } from 'next-intl/server';
import { marksOf, valueOf } from '#lib/batches/file/cell.ts';
import type { Cell, Mark } from '#lib/batches/file/cell.ts';
import { FILE_ERROR_CODES } from '#lib/batches/file/cell.ts';
import type { CheckedRow } from '#lib/batches/draft/check-rows.ts';
import type { Offer } from '#lib/batches/draft/complete-row.ts';
import type { EditableField, Edits } from '#lib/batches/draft/stored.ts';
import { groupIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { readKeyText, shownKey } from '#lib/values/person-key.ts';
import { formatAmount, formatMoney, parseDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';

/**
 * A cell in the words of its reader. `shown`: the value, or the text that is wrong. `initial`: what
 * the field begins with when it is edited: what was typed before stays. `was`: the text of the
 * file, when the value is another one.
 */
export type CellView = {
  field: EditableField;
  name: string;
  state: 'ok' | 'repaired' | 'ask' | 'error' | 'empty';
  shown: string;
  initial: string;
  was: string | null;
  notes: string[];
  error: string | null;
  choices: string[];
  /** Accounts of saved recipients to choose from: the words, and the IBAN that a choice types. */
  offers: { text: string; iban: string }[];
  canUndo: boolean;
  canRestore: boolean;
};

type Words = Awaited<ReturnType<typeof getTranslations>>;
/** `t`: all texts. */
export type CellWords = { locale: Locale; currency: string; t: Words };

export function cellView(
  { cells, key, offers }: Pick<CheckedRow, 'cells' | 'key' | 'offers'>,
  field: EditableField,
  edits: Edits,
  words: CellWords,
): CellView {
  const cell = cells[field] as Cell<string | Minor>;
  const edit = edits[key]?.[field];
  const typed = edit !== undefined && 'typed' in edit ? edit.typed : null;
  const value = valueOf(cell);
  const marks = marksOf(cell);
  const text = value === null ? null : shownValue(field, value, words);
  const looked = cell.state === 'look_up' ? cell.text : null;
  return {
    field,
    name: words.t(`batchFile.fields.${field}`),
    state: stateOf(cell),
    shown: text ?? looked ?? typed ?? cell.source,
    initial: typed ?? (value === null ? cell.source : initialValue(field, value, words)),
    was: marks.length > 0 || typed !== null ? cell.source : null,
    notes: marks.map(({ reason }: Mark) => words.t(`batchFile.marks.${reason}`)),
    error: errorOf(cell, words),
    choices:
      cell.state === 'ask' && field !== 'recipient'
        ? cell.choices.map((one) => shownValue(field, one, words))
        : [],
    offers: field === 'recipient' ? offers.map(offered) : [],
    // What the register brought is not the file's, so that there is nothing to go back to.
    canUndo: edit === undefined && marks.some(({ reason }) => reason !== 'register'),
    canRestore: edit !== undefined,
  };
}

function offered({ name, taxNumber, iban }: Offer): CellView['offers'][number] {
  const parts = [name, taxNumber, groupIban(iban)].filter((part) => part !== '');
  return { text: parts.join(' · '), iban };
}

function stateOf(cell: Cell<string | Minor>): CellView['state'] {
  if (cell.state !== 'look_up') return cell.state;
  return cell.marks.length > 0 ? 'repaired' : 'ok';
}

function errorOf(cell: Cell<string | Minor>, { t, locale }: CellWords): string | null {
  if (cell.state === 'ask') return t(`batchFile.asks.${cell.why}`);
  if (cell.state !== 'error') return null;
  const isOfFile = (FILE_ERROR_CODES as readonly string[]).includes(cell.code);
  // The limit is written in Turkish by the reader of the file, and read here in every language.
  const params =
    cell.code === 'amount_too_large' && locale !== 'tr'
      ? { max: formatAmount(limitOf(cell.params['max']), locale) }
      : cell.params;
  return isOfFile
    ? t(`batchFile.errors.${cell.code}`, params)
    : t(`payoutErrors.errors.${cell.code}`, params);
}

function limitOf(written: string | number | undefined): Minor {
  return parseDecimal(String(written).replaceAll('.', '').replace(',', '.'));
}

function shownValue(
  field: EditableField,
  value: string | Minor,
  { locale, currency }: CellWords,
): string {
  if (typeof value === 'bigint') return formatMoney(value, currency, locale);
  return field === 'iban' ? groupIban(value) : personText(field, value);
}

/** The phone or account number that finds a person; the text itself in every other field. */
function personText(field: EditableField, value: string): string {
  const key = field === 'person' ? readKeyText(value) : null;
  return key === null ? value : shownKey(key);
}

function initialValue(field: EditableField, value: string | Minor, { locale }: CellWords): string {
  if (typeof value === 'bigint') return formatAmount(value, locale);
  return field === 'iban' ? groupIban(value) : personText(field, value);
}
