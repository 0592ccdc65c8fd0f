import type { OwnMovement } from '#lib/payment-checks/history.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { openFile } from '../../file/open.ts';
import { delimited, encoded } from '../../file/testing/text-file.ts';
import { checkRows, contentOf } from '../check-rows.ts';
import type { CheckedRow, RowFinding } from '../check-rows.ts';
import { draftTable } from '../draft-table.ts';
import { DAY } from './bulk-file.ts';
import type { BulkFile, BulkRow, Notation } from './bulk-file.ts';
import { bulkYear } from './bulk-year.ts';
import { NO_CHANGES, NO_PEOPLE, TYPES } from './drafts.ts';

/** Uploads a year of files one after the other, and checks each by the rules of a draft. */

/** `alarm`: the code of the warning or block that calls the row a duplicate; null without one. */
export type Judged = { row: BulkRow; checked: CheckedRow; alarm: string | null };

/** The most movements to one payee that the rules are given. */
const RECENT_MAX = 200;
const HEADINGS = ['Alıcı Adı', 'IBAN', 'VKN/TCKN', 'Tutar', 'Açıklama'];
const SAYS_TWICE: readonly RowFinding['code'][] = [
  'unknown_same_amount',
  'unknown_other_amount',
  'unknown_same_payee',
  'duplicate',
  'duplicate_other_iban',
  'duplicate_invoice',
  'near_duplicate',
  'row_repeated',
  'row_repeated_other_iban',
  'row_nearly_repeated',
];

/**
 * What a draft says of every row of the year. A mistake that is found is not paid; one that is not
 * found is, and so is everything that is meant.
 */
export function judgedYear(seed: number): Judged[] {
  const books = new Books();
  return bulkYear(seed).flatMap((file) => {
    const judged = judgedFile(file, books);
    for (const { row, alarm } of judged)
      if (row.mistake === null || alarm === null) books.pay(row, file.at);
    return judged;
  });
}

function judgedFile(file: BulkFile, books: Books): Judged[] {
  const source = openFile(bytesOf(file), `${file.name}.csv`);
  const { rows } = draftTable(source, NO_CHANGES, 'TRY');
  const now = new Date(file.at).toISOString();
  const checked = checkRows(
    rows,
    {},
    {
      register: new Map(),
      ...NO_PEOPLE,
      types: TYPES,
      defaults: NO_CHANGES.defaults,
      factsOf: ({ content, writtenCurrency }) => ({
        content: contentOf(content, '1000000001'),
        writtenCurrency,
        wallet: {
          available: 1_000_000_000_000n,
          currency: 'TRY',
          accessLevel: 'active',
          limits: { withdrawal: null },
        },
        paymentType: { code: '1', minDescription: 3 },
        recent: books.recent(content, file.at),
        lastSendToIbanAt: null,
        limitLeft: null,
        fee: null,
        now,
      }),
    },
  );
  if (checked.rows.length !== file.rows.length)
    throw new Error(`${file.name}: ${checked.rows.length} of ${file.rows.length} rows were read`);
  return checked.rows.map((one, n) => {
    const row = file.rows[n]!;
    const { iban, amountMinor, taxNumber } = one.content;
    if (iban !== row.iban || amountMinor !== row.amountMinor || taxNumber !== row.party.taxNumber)
      throw new Error(`${file.name}, row ${n + 1} is read otherwise than it is written`);
    const alarm = one.findings.find(
      ({ code, level }) => SAYS_TWICE.includes(code) && (level === 'warn' || level === 'block'),
    );
    return { row, checked: one, alarm: alarm?.code ?? null };
  });
}

type Payee = { iban?: string; name?: string; taxNumber?: string };
type Booked = { movement: OwnMovement; at: number; row: BulkRow };

/** Our own payments, found by account, number or folded name as the database finds them. */
class Books {
  readonly #by = new Map<string, Booked[]>();
  #count = 0;

  pay(row: BulkRow, at: number): void {
    const { party, iban, amountMinor, description, spelling } = row;
    const name = spelling.name ?? party.name;
    const movement: OwnMovement = {
      id: `m${String((this.#count += 1)).padStart(6, '0')}`,
      ...{ iban, name, taxNumber: party.taxNumber, amountMinor, description },
      ...{ currency: 'TRY', paymentType: '1', state: 'COMPLETED', returned: 'NONE' },
      ...{ createdAt: new Date(at).toISOString(), maker: null, reasonText: null },
    };
    const booked = { movement, at, row };
    for (const key of keysOf(movement)) {
      const known = this.#by.get(key) ?? [];
      known.push(booked);
      this.#by.set(key, known);
    }
  }

  recent(payee: Payee, now: number): OwnMovement[] {
    const found = new Set(keysOf(payee).flatMap((key) => this.#by.get(key) ?? []));
    return [...found]
      .toSorted((a, b) => b.at - a.at)
      .slice(0, RECENT_MAX)
      .map(({ movement, at, row: { outcome } }) => ({
        ...movement,
        state: now - at < DAY ? outcome.first : outcome.end,
      }));
  }
}

function keysOf({ iban = '', taxNumber = '', name = '' }: Payee): string[] {
  return [iban, taxNumber, `n ${foldForSearch(name)}`];
}

function bytesOf({ notation, rows }: BulkFile): Uint8Array {
  const cells = rows.map(({ party, iban, amountMinor, description, spelling }) => [
    spelling.name ?? party.name,
    spelling.iban ?? (notation === 'grouped' ? (iban.match(/.{1,4}/g) ?? []).join(' ') : iban),
    party.taxNumber,
    amountIn(notation, amountMinor),
    description,
  ]);
  const isProgram = notation === 'program';
  return encoded(
    delimited([HEADINGS, ...cells], isProgram ? ',' : ';'),
    isProgram ? 'utf-8' : 'windows-1254',
  );
}

function amountIn(notation: Notation, amount: bigint): string {
  const lira = (amount / 100n).toString();
  const kurus = String(amount % 100n).padStart(2, '0');
  if (notation === 'program') return `${lira}.${kurus}`;
  return `${notation === 'grouped' ? lira.replace(/\B(?=(?:\d{3})+$)/g, '.') : lira},${kurus}`;
}
