import { toDecimal } from '#lib/values/money.ts';
import type { Minor } from '#lib/values/money.ts';
import type { PayoutFacts } from '#lib/payouts/rules.ts';
import type { TransferFacts } from '#lib/transfers/rules.ts';
import { openFile } from '../../file/open.ts';
import { A, B, TCKN, VKN } from '../../file/testing/scenarios.ts';
import { delimited, encoded } from '../../file/testing/text-file.ts';
import { checkRows, contentOf } from '../check-rows.ts';
import type { CheckedRow } from '../check-rows.ts';
import type { People, Register } from '../complete-row.ts';
import { PERSON_ROW } from '../../row-content.ts';
import { draftTable } from '../draft-table.ts';
import type { DraftTable } from '../draft-table.ts';
import type { DraftState } from '../stored.ts';

/** Drafts for tests: a CSV file as Turkish Excel writes it, checked with facts of nobody. */

export const HEADINGS = [
  ...['Alıcı Adı', 'IBAN', 'VKN', 'Tutar', 'Açıklama', 'Kayıtlı Alıcı'],
  'Cüzdan / Telefon',
];
/** Files without a row that pays a person. */
export const NO_PEOPLE = {
  people: new Map(),
  transferFactsOf: () => {
    throw new Error('no row pays a person');
  },
};
export const NO_CHANGES: DraftState = {
  choices: {},
  columns: null,
  defaults: { paymentType: '1' },
  edits: {},
  leftOut: [],
  ticked: {},
};
export const TYPES = [{ code: '1', description: 'Diğer', descriptionMin: 3 }];

/** One payment a row: what is not named is right. Another IBAN is another payee. */
export function aRow(cells: Partial<Record<string, string>> = {}): string[] {
  const { iban = A, tax = VKN, amount = '1.234,50', text = 'Fatura 2026-11', saved = '' } = cells;
  const { person = '' } = cells;
  const name = cells['name'] ?? (iban === A ? 'Örnek Ticaret Ltd.' : `Firma ${iban.slice(-6)}`);
  return [name, iban, tax, amount, text, saved, person];
}

export function csv(rows: readonly (readonly string[])[]): Uint8Array {
  return encoded(delimited([HEADINGS, ...rows], ';'), 'windows-1254');
}

export function tableOfRows(
  rows: readonly (readonly string[])[],
  state: Partial<DraftState> = {},
): DraftTable {
  return draftTable(openFile(csv(rows), 'test.csv'), { ...NO_CHANGES, ...state }, 'TRY');
}

export function checked(
  rows: readonly (readonly string[])[],
  state: Partial<DraftState> = {},
  facts: {
    register?: Register;
    people?: People;
    transfers?: TransferFacts['recent'];
    wallet?: Partial<NonNullable<PayoutFacts['wallet']>>;
    recent?: PayoutFacts['recent'];
  } = {},
): CheckedRow[] {
  const whole = { ...NO_CHANGES, ...state };
  return checkRows(tableOfRows(rows, whole).rows, whole.ticked, {
    register: facts.register ?? new Map(),
    people: facts.people ?? new Map(),
    types: TYPES,
    defaults: whole.defaults,
    factsOf: ({ content, writtenCurrency }) => ({
      content: contentOf(content, '1000000001'),
      writtenCurrency,
      wallet: {
        available: 100_000_000n,
        currency: 'TRY',
        accessLevel: 'active',
        limits: { withdrawal: null },
        ...facts.wallet,
      },
      paymentType: { code: '1', minDescription: 3 },
      recent: facts.recent ?? [],
      lastSendToIbanAt: null,
      limitLeft: null,
      fee: null,
      now: '2026-11-25T10:00:00.000Z',
    }),
    transferFactsOf: ({ content: { person, ...content }, writtenCurrency, found }) => ({
      content: {
        ...{ kind: PERSON_ROW, wallet: '1000000001', ...content },
        ...(person !== undefined && { toWallet: person.toWallet }),
      },
      writtenCurrency,
      wallet: {
        available: 100_000_000n,
        currency: 'TRY',
        accessLevel: 'active',
        limits: { withdrawal: null },
        ...facts.wallet,
      },
      receiver: null,
      person: found,
      paymentType: { code: '1', minDescription: 3 },
      recent: facts.transfers ?? [],
      saved: null,
      foreign: [],
      fee: null,
      now: '2026-11-25T10:00:00.000Z',
    }),
  }).rows;
}

export const money = (amount: Minor | undefined): string | null =>
  amount === undefined ? null : toDecimal(amount);
export { A, B, TCKN, VKN };
