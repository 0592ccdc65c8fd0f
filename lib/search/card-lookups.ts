import 'server-only';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { amounts, byWords, LOOKED_UP, union } from '#lib/readings/lookups.ts';
import { wordsOf } from '#lib/readings/understand.ts';
import type { Reading } from '#lib/readings/understand.ts';

/** The lookups of the card side, each by one index, like those of movements in `lookups.ts`. */

/** The keys of card payments and payment links. */
export function paymentKeys(readings: readonly Reading[]): Prisma.Sql {
  return union(
    readings,
    (reading) => {
      switch (reading.kind) {
        case 'own':
          return [sql`SELECT id FROM card_payments WHERE id = ${reading.id}::uuid`];
        case 'amount':
          return [
            sql`(SELECT id FROM card_payments WHERE ${amounts(reading)}
              ORDER BY first_seen_at DESC LIMIT ${LOOKED_UP})`,
          ];
        default:
          return [];
      }
    },
    byWords(sql`search_card_payments`, readings.flatMap(wanted)),
    sql`NULL::uuid`,
  );
}

/** The keys of plans. */
export function planKeys(readings: readonly Reading[]): Prisma.Sql {
  return union(
    readings,
    (reading) =>
      reading.kind === 'own'
        ? [sql`SELECT id FROM recurring_plans WHERE id = ${reading.id}::uuid`]
        : [],
    byWords(sql`search_plans`, readings.flatMap(wanted)),
    sql`NULL::uuid`,
  );
}

/** The numbers of customers with saved cards. */
export function customerKeys(readings: readonly Reading[]): Prisma.Sql {
  return union(
    readings,
    () => [],
    byWords(sql`search_card_customers`, readings.flatMap(wanted)),
    sql`NULL`,
  );
}

/**
 * The search terms of a reading. An order number is searched by its words, because people write it
 * with any separators.
 */
function wanted(reading: Reading): string[] {
  switch (reading.kind) {
    case 'iban_end':
      return [`'#${reading.end}'`];
    case 'name':
      return [beginning(reading.words)];
    case 'reference':
      return [beginning(wordsOf(reading.typed))];
    case 'number':
    case 'wallet':
      return [beginning([reading.number])];
    default:
      return [];
  }
}

function beginning(words: readonly string[]): string {
  return words.map((word) => `'${word}':*`).join(' & ');
}
