import type { PayoutForm } from '#lib/payouts/schema.ts';
import type { SourceCell, SourceFile, SourceRow } from '#lib/batches/file/source.ts';
import { toDecimal } from '#lib/values/money.ts';

/**
 * The rows of a program's batch as the file that a person would have brought, so that drafts,
 * checks and results are those of every batch. Nothing in it is left to be guessed. Pure.
 */

/** Column by column, with the heading that a person reads in the result file. */
const COLUMNS = [
  ['iban', 'IBAN', ({ content }: PayoutForm) => content.iban],
  ['name', 'Alıcı adı', ({ content }: PayoutForm) => content.name],
  ['taxNumber', 'VKN/TCKN', ({ content }: PayoutForm) => content.taxNumber],
  ['amount', 'Tutar', ({ content }: PayoutForm) => toDecimal(content.amountMinor)],
  ['currency', 'Para birimi', ({ writtenCurrency }: PayoutForm) => writtenCurrency ?? ''],
  ['paymentType', 'Ödeme türü', ({ content }: PayoutForm) => content.paymentType],
  ['description', 'Açıklama', ({ content }: PayoutForm) => content.description],
] as const;
const HEADING_ROW = 1;

/** Which column is which field: said, and not guessed from the headings. */
export const BATCH_COLUMNS = {
  by: 'hand' as const,
  fields: Object.fromEntries(COLUMNS.map(([field], column) => [field, column])),
};

/** The first row has the headings. Every other one has an IBAN, so none is left out as a remark. */
export const BATCH_CHOICES = { headings: [HEADING_ROW] };

/** The place of a row in the request, from 1. */
export function placeOf(number: number): number {
  return number - HEADING_ROW;
}

export function sourceOf(forms: readonly PayoutForm[]): SourceFile {
  const rows: SourceRow[] = [
    row(
      HEADING_ROW,
      COLUMNS.map(([, heading]) => heading),
    ),
    ...forms.map((form, at) =>
      row(
        at + HEADING_ROW + 1,
        COLUMNS.map(([, , read]) => read(form)),
      ),
    ),
  ];
  const sheet = {
    name: '',
    hidden: false,
    rows,
    emptyRows: 0,
    hiddenColumns: [],
    epoch1904: false,
  };
  return { format: 'text', encoding: null, delimiter: '\t', sheets: [sheet] };
}

function row(number: number, texts: readonly string[]): SourceRow {
  return { number, hidden: false, cells: texts.map(cell) };
}

function cell(text: string): SourceCell {
  return text === '' ? { kind: 'empty', text } : { kind: 'text', text };
}
