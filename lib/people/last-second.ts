import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { IS_DISABLED_P } from '#lib/access/disabled-login.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { PersonChange } from './rules.ts';
import { seniorRoles, takesConfirming } from './rules.ts';

type Target = { id: string; role: Role; disabled_at: Date | null };

/**
 * Whether nobody but this person could be the second of two beside the actor: without this person no
 * change that gives rights would ever be confirmed again. Another account of the actor's login or of
 * the person's is nobody else, and neither is an invitation that nobody has used yet. Who is disabled
 * in another account is the second of nobody.
 */
export async function isLastSecond(tx: Tx, actor: Person, person: Target): Promise<boolean> {
  if (person.disabled_at !== null || !may(person.role, 'people.confirm')) return false;
  const [row] = await tx.$queryRaw<[{ able: boolean; others: boolean }]>(sql`
    SELECT EXISTS (SELECT FROM people p WHERE p.id = ${person.id}::uuid
        AND NOT ${IS_DISABLED_P}) AS able,
      EXISTS (SELECT FROM people p WHERE NOT ${IS_DISABLED_P}
        AND p.role = ANY(${seniorRoles()}::text[])
        AND p.id NOT IN (SELECT same_login(${person.id}::uuid))
        AND p.id NOT IN (SELECT same_login(${actor.personId}::uuid))) AS others`);
  return row.able && !row.others;
}

/**
 * The caller holds the lock on the people of the merchant.
 *
 * @throws Refusal last_second_person
 */
export async function assertSecondStays(
  tx: Tx,
  actor: Person,
  person: Target & { name: string },
  change: PersonChange,
): Promise<void> {
  if (takesConfirming(person.role, change) && (await isLastSecond(tx, actor, person)))
    throw new Refusal('last_second_person', { name: person.name });
}
