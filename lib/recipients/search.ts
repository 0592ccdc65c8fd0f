import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { join, sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { readSearch } from '#lib/form-fields/search-text.ts';
import { ibanMatches } from '#lib/form-fields/iban-search.ts';

/**
 * The condition under which a recipient `r` matches a search: by name or nickname (with any Turkish
 * i), account or tax number.
 */
export function recipientMatches(actor: Pick<Person, 'role'>, text: string): Prisma.Sql {
  const search = readSearch(text);
  if (search === null) return sql`TRUE`;
  const any: Prisma.Sql[] =
    search.name === ''
      ? [sql`FALSE`]
      : [
          sql`r.name_fold LIKE ${containing(search.name)}`,
          sql`r.nickname_fold LIKE ${containing(search.name)}`,
        ];
  if (search.iban !== null)
    any.push(
      sql`EXISTS (SELECT FROM recipient_payees found WHERE found.recipient_id = r.id
        AND ${ibanMatches(actor, search.iban, sql`found.number`)})`,
    );
  if (search.taxNumber !== null) any.push(sql`r.tax_number = ${search.taxNumber}`);
  return sql`(${join(any, ' OR ')})`;
}

/** A LIKE pattern that takes the text literally. */
function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
