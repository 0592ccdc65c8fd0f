import 'server-only';
import type { Tx } from '#lib/runtime/db.ts';
import type { Question } from '#lib/second-person/requests.ts';
import { openRequest } from '#lib/second-person/requests.ts';
import { latestWords } from '#lib/second-person/standing.ts';
import type { Word } from '#lib/second-person/standing.ts';
import type { Deputyship } from './deputyship.ts';
import type { LockedInvitation, LockedPerson } from './lock.ts';
import { limitClaim } from '#lib/policy/limits.ts';
import type { OwnLimit } from '#lib/policy/limits.ts';
import { stateOf } from './rules.ts';

/**
 * The question that two people decide about a person. The person is entered as its maker: the
 * maker's own statement never counts.
 */
export function personQuestion({
  id,
  role,
  disabled_at: disabledAt,
}: Pick<LockedPerson, 'id' | 'role' | 'disabled_at'>): Question {
  return {
    subject: { kind: 'person', id },
    boundTo: stateOf({ role, disabledAt }),
    makerId: id,
    needs: 'owner',
  };
}

/** What the subject of a question about a person's limits is called, beside the person's own. */
export function limitsSubject(personId: string): string {
  return `${personId} limits`;
}

/** The question that two people decide about a person's limits, as they are now. */
export function limitsQuestion(personId: string, limits: readonly OwnLimit[]): Question {
  return {
    subject: { kind: 'person', id: limitsSubject(personId) },
    boundTo: limits.map(limitClaim).join(' '),
    makerId: personId,
    needs: 'owner',
  };
}

export function invitationQuestion({
  id,
  email,
  role,
}: Pick<LockedInvitation, 'id' | 'email' | 'role'>): Question {
  return {
    subject: { kind: 'invitation', id },
    boundTo: `${email} ${role}`,
    makerId: null,
    needs: 'owner',
  };
}

/**
 * The question that two people decide about a deputy. The deputy, whose rights it widens, is entered
 * as its maker.
 */
export function deputyQuestion({
  id,
  person_id: personId,
  deputy_id: deputyId,
  first_day: firstDay,
  last_day: lastDay,
}: Pick<Deputyship, 'id' | 'person_id' | 'deputy_id' | 'first_day' | 'last_day'>): Question {
  return {
    subject: { kind: 'deputy', id },
    boundTo: `${personId} ${deputyId} ${firstDay} ${lastDay}`,
    makerId: deputyId,
    needs: 'owner',
  };
}

/** The first person's statement that counts now; null when there is none. */
export async function askedOf(
  tx: Tx,
  { subject, boundTo, makerId }: Question,
): Promise<(Word & { claim: string; request: string }) | null> {
  const open = await openRequest(tx, subject);
  if (open === null || open.boundTo !== boundTo) return null;
  for (const word of latestWords(open.words, open.now))
    if (word.claim !== null && word.personId !== makerId)
      return { ...word, claim: word.claim, request: open.id };
  return null;
}
