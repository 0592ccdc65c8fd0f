import 'server-only';
import { may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { PersonChange } from './rules.ts';
import { seniorRoles, takesConfirming } from './rules.ts';

type Target = { id: string; role: Role; disabled_at: Date | null };

/**
 * Whether nobody but this person could be the second of two beside the actor: without this person no
 * change that gives rights would ever be confirmed again. Another account of the actor's own login is
 * no second person, and neither is an invitation that nobody has used yet.
 */
export async function isLastSecond(tx: Tx, actor: Person, person: Target): Promise<boolean> {
  if (person.disabled_at !== null || !may(person.role, 'people.confirm')) return false;
  const [row] = await tx.$queryRaw<[{ others: boolean }]>(sql`
    SELECT EXISTS (SELECT FROM people WHERE disabled_at IS NULL
      AND role = ANY(${seniorRoles()}::text[]) AND id <> ${person.id}::uuid
      AND id NOT IN (SELECT same_login(${actor.personId}::uuid))) AS others`);
  return !row.others;
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
