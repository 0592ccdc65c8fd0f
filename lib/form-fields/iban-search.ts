import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { IBAN_LENGTH } from '#lib/values/iban.ts';

const VISIBLE = 4;

/**
 * The condition under which an IBAN (a payout's by default) matches a search. A person who sees
 * IBANs masked can search by the whole IBAN, which they must already know, or by its last four
 * digits, which they see: any other part would let them guess it digit by digit.
 */
export function ibanMatches(
  actor: Pick<Person, 'role'>,
  iban: string,
  column: Prisma.Sql = sql`m.iban`,
): Prisma.Sql {
  if (may(actor.role, 'payee.read')) return sql`${column} LIKE ${`%${iban}%`}`;
  if (iban.length === IBAN_LENGTH) return sql`${column} = ${iban}`;
  return iban.length === VISIBLE ? sql`${column} LIKE ${`%${iban}`}` : sql`FALSE`;
}
