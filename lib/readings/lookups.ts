import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { kindsWhere } from '#lib/movements/kinds.ts';
import type { Reading } from './understand.ts';

/**
 * Statements that find the keys of rows a reading may mean. Each lookup uses one index and reads at
 * most this many rows, the newest.
 */
export const LOOKED_UP = 50;

/**
 * The end of a range: appended to a prefix, it sorts after every text with that prefix, because
 * references and IBANs have digits and capitals only.
 */
const LAST = 'Z'.repeat(40);

/** The kinds that are found by their amount; a card operation is found by its payment instead. */
const NOT_ON_PAYMENTS = kindsWhere(({ list }) => list !== 'card_operations');

type Lookup = (reading: Reading) => Prisma.Sql[];

/** How many rows each lookup may find: the newest of them, or any. */
export type LookUp = { most: number; inAnyOrder: boolean };
const NEWEST: LookUp = { most: LOOKED_UP, inAnyOrder: false };

/**
 * The keys of movements: payouts and transfers alike. In any order, a key of NULL says that so many
 * rows have the words that they were not looked up.
 */
export function movementKeys(
  actor: Pick<Person, 'role'>,
  readings: readonly Reading[],
  how = NEWEST,
): Prisma.Sql {
  return union(
    readings,
    (reading) => {
      switch (reading.kind) {
        case 'own':
          return [sql`SELECT id FROM movements WHERE id = ${reading.id}::uuid`];
        case 'iban':
          return [newest('movements', 'id', sql`iban = ${reading.iban}`, how)];
        // A person who sees IBANs masked may not search by their first characters: that would let
        // the person guess an IBAN digit by digit.
        case 'iban_start':
          return may(actor.role, 'payee.read')
            ? [first('movements', 'id', 'iban', reading.start, how)]
            : [];
        case 'reference':
          return [first('movements', 'id', 'ext_id', reading.reference, how)];
        case 'wallet':
          return [newest('movements', 'id', sql`to_wallet = ${reading.number}`, how)];
        case 'tax_number':
          return [newest('movements', 'id', sql`tax_number = ${reading.value}`, how)];
        case 'amount':
          return [
            newest(
              'movements',
              'id',
              sql`kind IN (${join(NOT_ON_PAYMENTS)}) AND ${amounts(reading)}`,
              how,
            ),
          ];
        default:
          return [];
      }
    },
    byWords(
      how.inAnyOrder ? sql`find_movements` : sql`search_movements`,
      movementWords(actor, readings),
      how.most,
    ),
    sql`NULL::uuid`,
  );
}

/** The words and marks of movements that the readings look for. */
export function movementWords(actor: Pick<Person, 'role'>, readings: readonly Reading[]): string[] {
  const whole = may(actor.role, 'payee.read');
  return wordsOrMarks(readings, (reading) => {
    if (reading.kind === 'number') return [`=${reading.number}`];
    // The number by which a transfer's receiver was found.
    return reading.kind === 'phone' && whole ? [`+${reading.phone}`] : [];
  });
}

/** The keys of ledger entries, as last read from the provider. */
export function ledgerKeys(readings: readonly Reading[]): Prisma.Sql {
  return union(
    readings,
    (reading) => {
      switch (reading.kind) {
        case 'number':
          return [
            sql`SELECT id FROM ledger_records WHERE id = ${reading.number}`,
            newest('ledger_records', 'id', sql`refers_to = ${reading.number}`),
          ];
        case 'reference':
          return [
            newest('ledger_records', 'id', sql`ext_id IN (${reading.reference}, ${reading.typed})`),
          ];
        case 'wallet':
          return [
            newest('ledger_records', 'id', sql`from_wallet = ${reading.number}`),
            newest('ledger_records', 'id', sql`to_wallet = ${reading.number}`),
          ];
        case 'amount':
          return [newest('ledger_records', 'id', amounts(reading))];
        default:
          return [];
      }
    },
    marked(readings, 'search_ledger', (reading) =>
      reading.kind === 'iban'
        ? [`=${reading.iban}`]
        : reading.kind === 'number'
          ? [`=${reading.number}`]
          : [],
    ),
    sql`NULL`,
  );
}

/** The keys of the provider's withdraw requests. */
export function withdrawalKeys(
  actor: Pick<Person, 'role'>,
  readings: readonly Reading[],
): Prisma.Sql {
  return union(
    readings,
    (reading) => {
      switch (reading.kind) {
        case 'number':
          return [
            sql`SELECT request_id FROM withdraw_records WHERE request_id = ${reading.number}`,
          ];
        case 'reference':
          return [
            newest(
              'withdraw_records',
              'request_id',
              sql`ext_id IN (${reading.reference}, ${reading.typed})`,
            ),
          ];
        case 'iban':
          return [newest('withdraw_records', 'request_id', sql`iban = ${reading.iban}`)];
        case 'iban_start':
          return may(actor.role, 'payee.read')
            ? [first('withdraw_records', 'request_id', 'iban', reading.start)]
            : [];
        case 'amount':
          return [newest('withdraw_records', 'request_id', amounts(reading))];
        default:
          return [];
      }
    },
    marked(readings, 'search_withdrawals', (reading) =>
      reading.kind === 'number'
        ? [`=${reading.number}`]
        : reading.kind === 'tax_number'
          ? [`=${reading.value}`]
          : [],
    ),
    sql`NULL`,
  );
}

/** The keys of recipients: by their names, and by their accounts. */
export function recipientKeys(
  actor: Pick<Person, 'role'>,
  readings: readonly Reading[],
): Prisma.Sql {
  const account = (condition: Prisma.Sql): Prisma.Sql =>
    sql`(SELECT recipient_id FROM recipient_payees WHERE ${condition} LIMIT ${LOOKED_UP})`;
  return union(
    readings,
    (reading) => {
      switch (reading.kind) {
        case 'own':
          return [sql`SELECT id FROM recipients WHERE id = ${reading.id}::uuid`];
        case 'iban':
          return [account(sql`number = ${reading.iban}`)];
        case 'iban_start':
          return may(actor.role, 'payee.read')
            ? [account(beginsWith('number', reading.start))]
            : [];
        case 'wallet':
          return [account(sql`number = ${reading.number}`)];
        default:
          return [];
      }
    },
    marked(readings, 'search_recipients', (reading) =>
      reading.kind === 'tax_number' ? [`=${reading.value}`] : [],
    ),
    sql`NULL::uuid`,
  );
}

/**
 * The condition on open failed top-ups. They are few, so each is checked instead of looked up.
 */
export function failedTopUpFits(readings: readonly Reading[]): Prisma.Sql {
  const fits = readings.flatMap((reading): Prisma.Sql[] => {
    switch (reading.kind) {
      case 'own':
        return [sql`id = ${reading.id}::uuid`];
      case 'wallet':
        return [sql`wallet = ${reading.number}`];
      case 'amount':
        return [
          sql`(announced_minor IN (${join(reading.amounts)}) AND ${
            reading.currency === null ? sql`TRUE` : sql`currency = ${reading.currency}`
          })`,
        ];
      case 'name':
        return [
          sql`(${join(
            reading.words.map((word) => sql`fold_for_search(description) LIKE ${`%${word}%`}`),
            ' AND ',
          )})`,
        ];
      default:
        return [];
    }
  });
  return fits.length === 0 ? sql`FALSE` : sql`state = 'OPEN' AND (${join(fits, ' OR ')})`;
}

/** The keys of webhooks that name a reference. */
export function noticeKeys(readings: readonly Reading[]): Prisma.Sql {
  return union(
    readings,
    (reading) =>
      reading.kind === 'reference'
        ? [
            sql`(SELECT id FROM notices WHERE ext_id IN (${reading.reference}, ${reading.typed})
              ORDER BY id DESC LIMIT ${LOOKED_UP})`,
          ]
        : [],
    [],
    sql`NULL::bigint`,
  );
}

/**
 * Finds names by their words, and columns without an index of their own by a tagged word (see the
 * migration `search`).
 */
function marked(
  readings: readonly Reading[],
  lookup: 'search_ledger' | 'search_withdrawals' | 'search_recipients',
  marksOf: (reading: Reading) => string[],
): Prisma.Sql[] {
  const functions = {
    search_ledger: sql`search_ledger`,
    search_withdrawals: sql`search_withdrawals`,
    search_recipients: sql`search_recipients`,
  };
  return byWords(functions[lookup], wordsOrMarks(readings, marksOf));
}

function wordsOrMarks(
  readings: readonly Reading[],
  marksOf: (reading: Reading) => string[],
): string[] {
  return readings.flatMap((reading) => {
    if (reading.kind === 'name') return [reading.words.map((word) => `'${word}':*`).join(' & ')];
    return [...(reading.kind === 'iban_end' ? [`#${reading.end}`] : []), ...marksOf(reading)].map(
      (mark) => `'${mark}'`,
    );
  });
}

/** The keys that a search function finds for any of these conditions on words. */
export function byWords(
  search: Prisma.Sql,
  wanted: readonly string[],
  most = LOOKED_UP,
): Prisma.Sql[] {
  return wanted.length === 0
    ? []
    : [sql`SELECT * FROM ${search}(${anyOf(wanted)}::tsquery, ${most}::int)`];
}

/** The text of a condition on words that one of these fulfils. */
export function anyOf(wanted: readonly string[]): string {
  return wanted.map((one) => `(${one})`).join(' | ');
}

export function union(
  readings: readonly Reading[],
  lookup: Lookup,
  more: Prisma.Sql[],
  none: Prisma.Sql,
): Prisma.Sql {
  const all = [...readings.flatMap(lookup), ...more];
  return all.length === 0 ? sql`SELECT ${none} WHERE FALSE` : join(all, ' UNION ');
}

const TABLES = {
  movements: sql`movements`,
  ledger_records: sql`ledger_records`,
  withdraw_records: sql`withdraw_records`,
};
const KEYS = { id: sql`id`, request_id: sql`request_id` };

function newest(
  table: keyof typeof TABLES,
  key: keyof typeof KEYS,
  condition: Prisma.Sql,
  { most, inAnyOrder } = NEWEST,
): Prisma.Sql {
  return sql`(SELECT ${KEYS[key]} FROM ${TABLES[table]} WHERE ${condition}
    ${inAnyOrder ? sql`` : sql`ORDER BY created_at DESC`} LIMIT ${most})`;
}

/**
 * The first keys in the order of the index, up to a limit, because a common prefix may match every
 * row.
 */
function first(
  table: keyof typeof TABLES,
  key: keyof typeof KEYS,
  column: keyof typeof NUMBERS,
  start: string,
  { most } = NEWEST,
): Prisma.Sql {
  return sql`(SELECT ${KEYS[key]} FROM ${TABLES[table]} WHERE ${beginsWith(column, start)}
    ORDER BY ${NUMBERS[column]} LIMIT ${most})`;
}

const NUMBERS = { iban: sql`iban`, ext_id: sql`ext_id`, number: sql`number` };

/**
 * The condition that a column begins with a text. It includes a range, because under row-level
 * security a LIKE pattern uses no index.
 */
function beginsWith(column: keyof typeof NUMBERS, start: string): Prisma.Sql {
  const name = NUMBERS[column];
  return sql`${name} >= ${start} AND ${name} <= ${start + LAST} AND starts_with(${name}, ${start})`;
}

export function amounts(reading: Extract<Reading, { kind: 'amount' }>): Prisma.Sql {
  const currency = reading.currency === null ? sql`TRUE` : sql`currency = ${reading.currency}`;
  return sql`amount_minor IN (${join(reading.amounts)}) AND ${currency}`;
}
