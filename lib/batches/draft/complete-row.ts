import { readAmount, readName, readPaymentType } from '#lib/form-fields/money-form.ts';
import type { Fail } from '#lib/form-fields/money-form.ts';
import { readIban, readTaxNumber } from '#lib/form-fields/payee.ts';
import type { PayoutContent, PayoutErrorCode, PayoutField } from '#lib/payouts/schema.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { failedCell, marksOf, valueCell, valueOf } from '../file/cell.ts';
import type { Cell, RowCells } from '../file/cell.ts';
import type { DraftRow } from './draft-table.ts';
import type { Defaults } from './stored.ts';

/**
 * Completes a row: what the register knows of a saved recipient, the payment type of its words, and
 * what is still missing, as the errors that the form for one payout has. Pure.
 */

/** A saved recipient with its accounts that may be paid. */
export type SavedRecipient = { name: string; taxNumber: string; ibans: readonly string[] };
/** Saved recipients by their folded names. */
export type Register = ReadonlyMap<string, readonly SavedRecipient[]>;
type TypeName = { code: string; description: string };

/** `types`: null while the provider has not named them. */
export type Known = {
  register: Register;
  types: readonly TypeName[] | null;
  defaults: Defaults;
};

/** The content of a payout without its identity and its wallet. */
export type RowContent = Omit<PayoutContent, 'id' | 'source'>;
export type CompletedRow = DraftRow & {
  content: Partial<RowContent>;
  writtenCurrency: string | null;
};

const REQUIRED = ['iban', 'name', 'taxNumber', 'amount'] as const;
type PayeeField = 'iban' | 'name' | 'taxNumber';
const PAYEE: readonly PayeeField[] = ['iban', 'name', 'taxNumber'];

export function completeRow(row: DraftRow, known: Known): CompletedRow {
  const cells = withTypes(withRecipient(row.cells, known.register), known);
  for (const field of REQUIRED)
    if (cells[field].state === 'empty' && !(isPayee(field) && cells.recipient.state === 'error'))
      Object.assign(cells, { [field]: missingCell(field, cells[field].source) });
  return {
    ...row,
    cells,
    content: contentOf(cells, known.defaults),
    writtenCurrency: valueOf(cells.currency),
  };
}

function isPayee(field: string): field is PayeeField {
  return (PAYEE as readonly string[]).includes(field);
}

function contentOf(cells: RowCells, defaults: Defaults): Partial<RowContent> {
  const content: Partial<RowContent> = {};
  const [iban, name, taxNumber] = PAYEE.map((field) => valueOf(cells[field]));
  const amountMinor = valueOf(cells.amount);
  const paymentType =
    valueOf(cells.paymentType) ??
    (cells.paymentType.state === 'empty' ? defaults.paymentType : null);
  if (iban != null) content.iban = iban;
  if (name != null) content.name = name;
  if (taxNumber != null) content.taxNumber = taxNumber;
  if (amountMinor !== null) content.amountMinor = amountMinor;
  if (paymentType != null) content.paymentType = paymentType;
  const description = valueOf(cells.description);
  if (description !== null || cells.description.state === 'empty')
    content.description = description ?? defaults.description ?? '';
  return content;
}

/** The cells with what the register knows; the row's own values stand before the register's. */
function withRecipient(cells: RowCells, register: Register): RowCells {
  const { recipient } = cells;
  if (recipient.state !== 'look_up') return { ...cells };
  const blank = PAYEE.filter((field) => isBlank(cells[field]));
  const found = register.get(foldForSearch(recipient.text)) ?? [];
  const fitting = found.filter((saved) =>
    PAYEE.every((field) => blank.includes(field) || field === 'name' || fits(cells, field, saved)),
  );
  // A row that says everything itself needs no register.
  if (blank.length === 0)
    return {
      ...cells,
      recipient: { state: 'ok', source: recipient.source, value: recipient.text },
    };
  const [one, other] = fitting;
  if (one === undefined || other !== undefined) {
    const unfit = found.length > 0 ? 'recipient_differs' : 'recipient_unknown';
    const code = one === undefined ? unfit : 'recipient_several';
    return { ...cells, recipient: failedCell(recipient.source, code) };
  }
  const [iban, second] = one.ibans;
  if (blank.includes('iban') && (iban === undefined || second !== undefined))
    return {
      ...cells,
      recipient: failedCell(recipient.source, 'recipient_accounts', { count: one.ibans.length }),
    };
  const values = { iban: iban ?? '', name: one.name, taxNumber: one.taxNumber };
  const filled = Object.fromEntries(
    blank
      .filter((field) => values[field] !== '')
      .map((field) => [field, { state: 'ok', source: '', value: values[field] } satisfies Cell]),
  );
  const marks = marksOf(recipient);
  return { ...cells, ...filled, recipient: valueCell(recipient.source, one.name, marks) };
}

function fits(cells: RowCells, field: 'iban' | 'taxNumber', saved: SavedRecipient): boolean {
  const value = valueOf(cells[field]);
  if (value === null) return true;
  return field === 'iban' ? saved.ibans.includes(value) : saved.taxNumber === value;
}

function isBlank(cell: Cell): boolean {
  return valueOf(cell) === null && cell.source.trim() === '' && cell.state !== 'ask';
}

/** A payment type by its code, or by its words in the provider's list. */
function withTypes(cells: RowCells, { types, defaults }: Known): RowCells {
  const { paymentType: cell } = cells;
  if (cell.state === 'empty' && defaults.paymentType === undefined)
    return { ...cells, paymentType: missingCell('paymentType', cell.source) };
  if (types === null) return cells;
  if (cell.state === 'look_up') {
    const words = foldForSearch(cell.text);
    const found = types.filter(
      ({ code, description }) => code === cell.text || foldForSearch(description) === words,
    );
    const [one] = found;
    const paymentType: Cell =
      one === undefined || found.length > 1
        ? failedCell(cell.source, 'payment_type_unknown')
        : valueCell(cell.source, one.code, cell.marks);
    return { ...cells, paymentType };
  }
  const code = valueOf(cell);
  return code === null || types.some((type) => type.code === code)
    ? cells
    : { ...cells, paymentType: failedCell(cell.source, 'payment_type_unknown') };
}

/** The error that the form for one payout has while nothing is typed. */
function missingCell(
  field: (typeof REQUIRED)[number] | 'paymentType',
  source: string,
): Cell<never> {
  let error: { code: PayoutErrorCode; params: Record<string, string | number> } = {
    code: 'amount_empty',
    params: {},
  };
  const fail: Fail<PayoutField, PayoutErrorCode> = (_field, code, params = {}) => {
    error = { code, params };
    return null;
  };
  READ[field]('', fail);
  return failedCell(source, error.code, error.params);
}

const READ = {
  iban: readIban,
  name: readName,
  taxNumber: readTaxNumber,
  paymentType: readPaymentType,
  amount: (text: string, fail: Fail<PayoutField, PayoutErrorCode>) => readAmount(text, 'tr', fail),
};
