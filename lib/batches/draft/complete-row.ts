import { readAmount, readName, readPaymentType } from '#lib/form-fields/money-form.ts';
import type { Fail } from '#lib/form-fields/money-form.ts';
import { readIban, readTaxNumber } from '#lib/form-fields/payee.ts';
import type { PayoutErrorCode, PayoutField } from '#lib/payouts/schema.ts';
import type { PersonFound } from '#lib/transfers/person.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { emptyCell, failedCell, marksOf, valueCell, valueOf } from '../file/cell.ts';
import type { Cell, Mark, RowCells } from '../file/cell.ts';
import type { RowContent } from '../row-content.ts';
import type { DraftRow } from './draft-table.ts';
import type { Defaults } from './stored.ts';

/**
 * Completes a row: what the register knows of a saved recipient, the payment type of its words, and
 * what is still missing, as the errors that the form for one payout has. Pure.
 */

/** A saved recipient with its accounts that may be paid. */
export type SavedRecipient = {
  name: string;
  nickname: string | null;
  taxNumber: string;
  ibans: readonly string[];
};
/** Saved recipients by their folded names and nicknames; one stands once under each. */
export type Register = ReadonlyMap<string, readonly SavedRecipient[]>;
type TypeName = { code: string; description: string };

/** People by the key that a row names them by; one that is missing was not looked up. */
export type People = ReadonlyMap<string, PersonFound>;

/** `types`: null while the provider has not named them. */
export type Known = {
  register: Register;
  types: readonly TypeName[] | null;
  defaults: Defaults;
  people: People;
};

/** An account of a saved recipient that the row may mean. */
export type Offer = { iban: string; name: string; taxNumber: string };

/**
 * `offers`: what a person chooses from while the recipient's cell asks; empty otherwise. `found`: what
 * the provider says of the person whom the row pays; null where it pays an account of a bank.
 */
export type CompletedRow = DraftRow & {
  offers: readonly Offer[];
  found: PersonFound | null;
  content: Partial<RowContent>;
  writtenCurrency: string | null;
};

/** The register of these recipients. A name and a nickname that are alike mean both recipients. */
export function registerOf(recipients: readonly SavedRecipient[]): Register {
  const register = new Map<string, SavedRecipient[]>();
  for (const saved of recipients)
    for (const key of new Set([saved.name, saved.nickname ?? saved.name].map(foldForSearch)))
      register.set(key, [...(register.get(key) ?? []), saved]);
  return register;
}

const REQUIRED = ['iban', 'name', 'taxNumber', 'amount'] as const;
const REQUIRED_OF_PERSON = ['name', 'amount'] as const;
type PayeeField = 'iban' | 'name' | 'taxNumber';
const PAYEE: readonly PayeeField[] = ['iban', 'name', 'taxNumber'];

export function completeRow(row: DraftRow, known: Known): CompletedRow {
  const { offers, ...payee } = paysPerson(row.cells)
    ? { ...withPerson(row.cells), offers: [] }
    : withRecipient(row.cells, known.register);
  const cells = withTypes(payee, known);
  const isOpen = cells.recipient.state === 'error' || cells.recipient.state === 'ask';
  for (const field of paysPerson(cells) ? REQUIRED_OF_PERSON : REQUIRED)
    if (cells[field].state === 'empty' && !(isPayee(field) && isOpen))
      Object.assign(cells, { [field]: missingCell(field, cells[field].source) });
  return {
    ...row,
    cells,
    offers,
    found: foundIn(cells, known.people),
    content: contentOf(cells, known),
    writtenCurrency: valueOf(cells.currency),
  };
}

function isPayee(field: string): field is PayeeField {
  return (PAYEE as readonly string[]).includes(field);
}

/** Whether the row names a person whose wallet is paid, whether or not the number can be read. */
export function paysPerson({ person }: Pick<RowCells, 'person'>): boolean {
  return person.state !== 'empty';
}

/**
 * The cells of a row that pays a person. One with an IBAN as well names two payees, and only a person
 * can say which is meant. A tax number is of no use to a wallet, so that a wrong one is no error.
 */
function withPerson(cells: RowCells): RowCells {
  const { iban, person, recipient, taxNumber } = cells;
  return {
    ...cells,
    person: iban.state === 'empty' ? person : failedCell(person.source, 'person_and_iban'),
    taxNumber: emptyCell(taxNumber.source),
    recipient:
      recipient.state === 'look_up'
        ? { state: 'ok', source: recipient.source, value: recipient.text }
        : recipient,
  };
}

function foundIn(cells: RowCells, people: People): PersonFound | null {
  if (!paysPerson(cells)) return null;
  const key = valueOf(cells.person);
  return (key === null ? undefined : people.get(key)) ?? { kind: 'unchecked' };
}

function contentOf(cells: RowCells, { defaults, people }: Known): Partial<RowContent> {
  const content: Partial<RowContent> = {};
  const found = foundIn(cells, people);
  if (found?.kind === 'found')
    content.person = {
      foundBy: valueOf(cells.person) ?? '',
      toWallet: found.wallet,
      foundName: found.name,
    };
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

type WithOffers = RowCells & { offers: readonly Offer[] };

/** The most accounts that are offered; of more, the person types the right one. */
const OFFERS_MAX = 10;

/**
 * The cells with what the register knows, each marked; the row's own values stand before the
 * register's. A name that several recipients have, or a recipient with several accounts, is asked.
 */
function withRecipient(cells: RowCells, register: Register): WithOffers {
  const { recipient } = cells;
  const none: readonly Offer[] = [];
  if (recipient.state !== 'look_up') return { ...cells, offers: none };
  const blank = PAYEE.filter((field) => isBlank(cells[field]));
  const { source } = recipient;
  // A row that says everything itself needs no register.
  if (blank.length === 0)
    return { ...cells, recipient: { state: 'ok', source, value: recipient.text }, offers: none };
  const found = register.get(foldForSearch(recipient.text)) ?? [];
  const fitting = found.filter((saved) =>
    PAYEE.every((field) => blank.includes(field) || field === 'name' || fits(cells, field, saved)),
  );
  const [one, other] = fitting;
  if (one === undefined) {
    const code = found.length > 0 ? 'recipient_differs' : 'recipient_unknown';
    return { ...cells, recipient: failedCell(source, code), offers: none };
  }
  const [iban, second] = one.ibans;
  if (blank.includes('iban') && iban === undefined)
    return { ...cells, recipient: failedCell(source, 'recipient_accounts'), offers: none };
  if (other !== undefined) return asked(cells, 'recipient_several', fitting);
  if (blank.includes('iban') && second !== undefined)
    return asked(cells, 'recipient_accounts', [one]);
  const values = { iban: iban ?? '', name: one.name, taxNumber: one.taxNumber };
  const filled = Object.fromEntries(
    blank
      .filter((field) => values[field] !== '')
      .map((field) => [field, valueCell('', values[field], [registered('', values[field])])]),
  );
  const isSame = foldForSearch(one.name) === foldForSearch(recipient.text);
  const marks = [...marksOf(recipient), ...(isSame ? [] : [registered(source, one.name)])];
  return { ...cells, ...filled, recipient: valueCell(source, one.name, marks), offers: none };
}

function registered(from: string, to: string): Mark {
  return { reason: 'register', from, to };
}

/**
 * Whether the register filled something of a row that is paid so: its file named a saved recipient and
 * left the payee's own cells blank. Of stored rows alone, whatever the register says by now.
 */
export function isFilledByRegister(cells: RowCells, paid: Pick<RowContent, PayeeField>): boolean {
  return (
    cells.recipient.state === 'look_up' &&
    PAYEE.some((field) => valueOf(cells[field]) === null && paid[field] !== '')
  );
}

/** Which recipient or which account is meant, only a person can say. */
function asked(
  cells: RowCells,
  why: 'recipient_several' | 'recipient_accounts',
  saved: readonly SavedRecipient[],
): WithOffers {
  const offers = saved
    .flatMap(({ name, taxNumber, ibans }) => ibans.map((iban) => ({ iban, name, taxNumber })))
    .slice(0, OFFERS_MAX);
  const choices = offers.map(({ iban }) => iban);
  const { source } = cells.recipient;
  return { ...cells, recipient: { state: 'ask', source, why, choices }, offers };
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
