import 'server-only';
import type { Role } from '#lib/access/actor.ts';
import { keysOf } from '#lib/passkeys/keys.ts';
import { lostKeysQuestion } from '#lib/passkeys/lost.ts';
import { limitsQuestion, personQuestion } from '#lib/people/questions.ts';
import { ownLimits } from '#lib/policy/own-limits.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import type { Question } from '#lib/second-person/requests.ts';

/** What two people can be asked about one person: the role, the limits, or lost keys. */

/** A question as it would be asked now, and the page of the thing. */
export type Present = { question: Question | null; href: string };

/**
 * What a request `r` asks about a person `p`; null for a request about somebody else. The subjects
 * are those of `limitsSubject` and `lostKeysQuestion`.
 */
export const ABOUT_PERSON = sql`CASE r.subject_id WHEN p.id::text THEN 'person'
  WHEN p.id::text || ' limits' THEN 'limits' WHEN 'keys:' || p.id::text THEN 'keys' END`;

/** `facts`: those of the list, with `about` by `ABOUT_PERSON`. */
export async function presentOfPerson(
  tx: Tx,
  facts: Readonly<Record<string, string | null>>,
): Promise<Present> {
  const id = facts['id'] ?? '';
  switch (facts['about']) {
    case 'limits':
      return {
        question: limitsQuestion(id, await ownLimits(tx, id)),
        href: `/people/${id}`,
      };
    case 'keys':
      return {
        question: lostKeysQuestion(id, await keysOf(tx, id)),
        href: '/settings/passkeys',
      };
    default: {
      const role = facts['role'] as Role;
      const disabledAt = facts['disabledAt'] ?? null;
      return {
        question: personQuestion({
          id,
          role,
          disabled_at: disabledAt === null ? null : new Date(disabledAt),
        }),
        href: `/people/${id}`,
      };
    }
  }
}
