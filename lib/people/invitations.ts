import 'server-only';
import { assertMay, may } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { isAlone } from './lock.ts';
import { datesOf } from './invite.ts';
import { askedOf, invitationQuestion } from './questions.ts';
import { invitationState } from './rules.ts';
import type { InvitationState } from './rules.ts';

export type InvitationRow = {
  id: string;
  email: string;
  role: Role;
  by: string;
  at: string;
  expiresAt: string;
  state: InvitationState;
  can: { withdraw: boolean };
};

export type Invitations = {
  rows: InvitationRow[];
  can: { invite: boolean };
  /** An invitation that needs two people is valid at once: there is no second person. */
  alone: boolean;
};

/** Used and withdrawn invitations leave the list after this; the audit log keeps them. */
const ENDED_DAYS = 30;

type Found = Row<
  'person_invitations',
  | 'id'
  | 'email'
  | 'role'
  | 'invited_by'
  | 'invited_at'
  | 'confirmed_at'
  | 'expires_at'
  | 'withdrawn_at'
  | 'used_at',
  { role: Role }
> &
  Row<'people', 'name'> & { now: Date };

export async function listInvitations(actor: Person): Promise<Invitations> {
  assertMay(actor, 'people.read');
  const isManager = may(actor.role, 'people.manage');
  return inTransaction(actor.merchantId, async (tx) => {
    const found = await tx.$queryRaw<Found[]>`
      SELECT i.id, i.email, i.role, i.invited_by, i.invited_at, i.confirmed_at, i.expires_at,
        i.withdrawn_at, i.used_at, p.name, clock_timestamp() AS now
      FROM person_invitations i JOIN people p ON p.id = i.invited_by
      WHERE coalesce(i.used_at, i.withdrawn_at, i.expires_at)
        > clock_timestamp() - make_interval(days => ${ENDED_DAYS})
      ORDER BY i.invited_at DESC LIMIT 100`;
    const rows: InvitationRow[] = [];
    for (const row of found) {
      const asked = (await askedOf(tx, invitationQuestion(row))) !== null;
      const state = invitationState(datesOf(row), { now: row.now.getTime(), asked });
      rows.push({
        id: row.id,
        email: row.email,
        role: row.role,
        by: row.name,
        at: row.invited_at.toISOString(),
        expiresAt: row.expires_at.toISOString(),
        state,
        can: { withdraw: isManager && state !== 'used' && state !== 'withdrawn' },
      });
    }
    return { rows, can: { invite: isManager }, alone: await isAlone(tx, actor) };
  });
}
