import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inOne, join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { amounts, anyOf, movementKeys, movementWords } from './lookups.ts';
import { understand } from './understand.ts';
import type { Reading } from './understand.ts';

/**
 * The search of the lists of movements: the same readings of a text as in the search box, for rows
 * in any order.
 */

/**
 * Up to so many matches a list reads those that match, in its order, and adds them up. A text that
 * more rows match is common enough to be met by reading the list in its order.
 */
export const FEW_MATCHES = 2_000;

/**
 * The ids of the movements that a text means, by indexes alone; null when they are more than
 * `FEW_MATCHES` or words of the text are common (`find_movements`), or when there is no text.
 */
export async function matchMovements(
  actor: Pick<Person, 'merchantId' | 'role'>,
  text: string,
): Promise<string[] | null> {
  if (text === '') return null;
  const readings = readingsOf(text);
  const most = FEW_MATCHES + 1;
  const found = await inOne<{ key: string | null }>(
    actor.merchantId,
    sql`SELECT key FROM (${movementKeys(actor, readings, { most, inAnyOrder: true })}) found (key)
      LIMIT ${most}`,
  );
  const keys = found.map(({ key }) => key).filter((key) => key !== null);
  return keys.length < found.length || keys.length > FEW_MATCHES ? null : keys;
}

/**
 * Whether a movement `m` is one that a text means. As a CASE, which PostgreSQL takes to be true of
 * every second row: it knows too little of words to see that a list which is read in its order soon
 * meets a common one, and would read the whole table and sort it.
 */
export function movementMatches(actor: Pick<Person, 'role'>, text: string): Prisma.Sql {
  const readings = readingsOf(text);
  const words = movementWords(actor, readings);
  const fits = [
    ...(words.length === 0 ? [] : [sql`m.words @@ ${anyOf(words)}::tsquery`]),
    ...readings.flatMap((reading) => fitsOf(actor, reading)),
  ];
  return fits.length === 0
    ? sql`FALSE`
    : sql`CASE WHEN ${join(fits, ' OR ')} THEN TRUE ELSE FALSE END`;
}

function fitsOf(actor: Pick<Person, 'role'>, reading: Reading): Prisma.Sql[] {
  switch (reading.kind) {
    case 'own':
      return [sql`m.id = ${reading.id}::uuid`];
    case 'iban':
      return [sql`m.iban = ${reading.iban}`];
    case 'iban_start':
      return may(actor.role, 'payee.read') ? [sql`starts_with(m.iban, ${reading.start})`] : [];
    case 'reference':
      return [sql`starts_with(m.ext_id, ${reading.reference})`];
    case 'wallet':
      return [sql`m.to_wallet = ${reading.number}`];
    case 'tax_number':
      return [sql`m.tax_number = ${reading.value}`];
    case 'amount':
      return [sql`(${amounts(reading)})`];
    default:
      return [];
  }
}

/** A card number is searched nowhere. */
function readingsOf(text: string): readonly Reading[] {
  const understood = understand(text);
  return understood.kind === 'readings' ? understood.readings : [];
}
