import type { Minor } from '#lib/values/money.ts';
import { byKind } from './by-kind.ts';
import { emptyCell, marksOf } from './cell.ts';
import type { Cell, RowCells } from './cell.ts';
import { amountConvention, dateConvention } from './conventions.ts';
import type { AmountConvention, DateConvention } from './conventions.ts';
import { decidePerson, personConvention } from './decide-person.ts';
import type { PersonConvention } from './decide-person.ts';
import { decideIban, decideTaxNumber } from './decide-account.ts';
import { decideAmount } from './decide-amount.ts';
import {
  decideCurrency,
  decideDate,
  decideDescription,
  decideName,
  decidePaymentType,
  decidePhone,
  decideRecipient,
} from './decide-text.ts';
import type { Field } from './headings.ts';
import type { Mapping } from './mapping.ts';
import { cellAt, EMPTY_CELL, unforced } from './source.ts';
import type { SourceCell, SourceRow } from './source.ts';
import type { Table } from './table.ts';

/**
 * Decides every cell of a table: what it says, how it was repaired, or what must be asked. A field
 * without a column is empty in every row. Pure.
 */

/** `number` is the row of the file. */
export type DecidedRow = { number: number; cells: RowCells };

export type DecidedTable = {
  rows: readonly DecidedRow[];
  amountConvention: AmountConvention;
  dateConvention: DateConvention;
};

/** What is known of all rows when one cell is decided. */
type Facts = {
  amountConvention: AmountConvention;
  dateConvention: DateConvention;
  personConvention: PersonConvention;
  currency: string;
  epoch1904: boolean;
};

/** `currency`: of the wallet that pays. */
export function decideTable(table: Table, mapping: Mapping, currency = 'TRY'): DecidedTable {
  const facts: Facts = {
    amountConvention: amountConvention(columnOf(table, mapping, 'amount')),
    dateConvention: dateConvention(columnOf(table, mapping, 'date')),
    personConvention: personConvention(columnOf(table, mapping, 'person')),
    currency,
    epoch1904: table.epoch1904,
  };
  return {
    rows: table.rows.map((row) => ({ number: row.number, cells: decideRow(row, mapping, facts) })),
    amountConvention: facts.amountConvention,
    dateConvention: facts.dateConvention,
  };
}

function columnOf(table: Table, mapping: Mapping, field: Field): SourceCell[] {
  const column = mapping[field]?.column;
  return column === undefined ? [] : table.rows.map((row) => unforced(cellAt(row, column)));
}

function decideRow(row: SourceRow, mapping: Mapping, facts: Facts): RowCells {
  const at = (field: Field): SourceCell => {
    const column = mapping[field]?.column;
    return column === undefined ? EMPTY_CELL : cellAt(row, column);
  };
  const recipient = byKind(at('recipient'), 'copied', ({ text }) => decideRecipient(text));
  // Of a saved recipient, the register knows what the row does not say.
  const lookedUp = recipient.state === 'look_up';
  const wanted = (field: Field, cell: SourceCell, decide: () => Cell): Cell =>
    mapping[field] === undefined || (lookedUp && cell.kind === 'empty') ? emptyCell() : decide();
  // Where persons have a column, a row without an account of a bank may pay one of them.
  const ofBank = (field: Field, cell: SourceCell, decide: () => Cell): Cell =>
    mapping.person !== undefined && cell.kind === 'empty'
      ? emptyCell()
      : wanted(field, cell, decide);
  const [iban, taxNumber] = [at('iban'), at('taxNumber')];
  const name = nameOf(at('name'), at('surname'));
  return {
    recipient,
    iban: ofBank('iban', iban, () => byKind(iban, 'own', decideIban)),
    name: wanted('name', name, () => byKind(name, 'copied', ({ text }) => decideName(text))),
    taxNumber: ofBank('taxNumber', taxNumber, () => byKind(taxNumber, 'own', decideTaxNumber)),
    person: byKind(at('person'), 'own', (cell) => decidePerson(cell, facts.personConvention)),
    phone: byKind(at('phone'), 'own', ({ text }) => decidePhone(text)),
    amount:
      mapping.amount === undefined
        ? emptyCell()
        : byKind(at('amount'), 'own', (cell) =>
            decideAmount(cell, facts.amountConvention, facts.currency),
          ),
    currency: byKind(at('currency'), 'copied', ({ text }) => decideCurrency(text, facts.currency)),
    paymentType: byKind(at('paymentType'), 'copied', ({ text }) => decidePaymentType(text)),
    description: byKind(at('description'), 'copied', ({ text }) => decideDescription(text)),
    date: byKind(at('date'), 'copied', (cell) =>
      decideDate(cell, facts.dateConvention, facts.epoch1904),
    ),
  };
}

function nameOf(name: SourceCell, surname: SourceCell): SourceCell {
  if (surname.kind === 'empty') return name;
  const text = [name.text, surname.text].filter((part) => part !== '').join(' ');
  return { ...name, kind: 'text', text };
}

export type RowState = 'ok' | 'repaired' | 'ask' | 'error';

/** The worst state of a row's cells; what is still to be looked up is no problem of the file. */
export function rowState({ cells }: DecidedRow): RowState {
  const states = new Set(Object.values(cells).map((cell: Cell<string | Minor>) => cell.state));
  if (states.has('error')) return 'error';
  if (states.has('ask')) return 'ask';
  const marked = Object.values(cells).some(
    (cell: Cell<string | Minor>) => marksOf(cell).length > 0,
  );
  return marked ? 'repaired' : 'ok';
}
