import 'server-only';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { publish } from '#lib/live/publish.ts';
import { endSessionsOf } from '#lib/login/open-sessions.ts';
import { recheckApprovalsOf } from '#lib/movements/recheck-approvals.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { canBeRepresented, canStandIn } from './deputy-rules.ts';
import { endDeputyshipsOf } from './end-deputy.ts';
import type { LockedPerson } from './lock.ts';
import type { PersonChange } from './rules.ts';

/** `askedBy`: the first of two people; `alone`: nobody else exists who could be the second. */
export type Decided = { reason: string; askedBy: string | null; alone: boolean };

/**
 * Carries out a change that has been decided, with its audit row. Who is disabled, or is no longer
 * an owner, leaves no open invitation behind; nobody who is disabled, or whose role no longer fits,
 * is a deputy or has one.
 */
export async function carryOut(
  tx: Tx,
  actor: Person,
  person: LockedPerson,
  change: PersonChange,
  { reason, askedBy, alone }: Decided,
): Promise<void> {
  const by = { ...(askedBy !== null && { askedBy: [askedBy] }), ...(alone && { alone }) };
  const personal = { reason, person: person.name };
  const subject = `person:${person.id}`;
  switch (change.kind) {
    case 'role': {
      await tx.$executeRaw`UPDATE people SET role = ${change.role} WHERE id = ${person.id}::uuid`;
      const withdrawn = person.role === 'owner' ? await withdrawInvitationsOf(tx, [person.id]) : 0;
      const ended = await endDeputyshipsOf(tx, actor, [person.id], {
        represented: !canBeRepresented(change.role),
        deputy: !canStandIn(change.role),
      });
      const detail = {
        from: person.role,
        to: change.role,
        invitationsWithdrawn: withdrawn,
        deputyshipsEnded: ended,
        ...by,
      };
      await audit(tx, actor, 'person.role_changed', subject, detail, personal);
      break;
    }
    case 'disable': {
      // The row first: a sign-in that holds it commits before, and its session is ended below.
      await tx.$executeRaw`
        UPDATE people SET disabled_at = clock_timestamp() WHERE id = ${person.id}::uuid`;
      const accounts = await lockLogin(tx, person.id);
      const ended = await endDeputyshipsOf(tx, actor, accounts);
      const { sessions, withdrawn } = await endLogin(tx, actor, accounts);
      const detail = {
        sessionsEnded: sessions,
        invitationsWithdrawn: withdrawn,
        deputyshipsEnded: ended,
      };
      await audit(tx, actor, 'person.disabled', subject, detail, personal);
      break;
    }
    case 'enable':
      await tx.$executeRaw`UPDATE people SET disabled_at = NULL WHERE id = ${person.id}::uuid`;
      await audit(tx, actor, 'person.enabled', subject, by, personal);
  }
  await publish(tx, actor, { kind: 'person', id: person.id });
}

/** All accounts of the person's login: nobody is disabled in one of them only. */
async function lockLogin(tx: Tx, personId: string): Promise<string[]> {
  const accounts = await tx.$queryRaw<Row<'people', 'id'>[]>`
    SELECT id FROM people WHERE id IN (SELECT same_login(${personId}::uuid))
    ORDER BY id FOR NO KEY UPDATE`;
  return accounts.map(({ id }) => id);
}

/**
 * What the accounts have approved counts no longer, their sessions end and their open invitations are
 * withdrawn. Returns how many of them.
 */
async function endLogin(
  tx: Tx,
  actor: Person,
  accounts: readonly string[],
): Promise<{ sessions: number; withdrawn: number }> {
  let sessions = 0;
  for (const id of accounts) {
    await recheckApprovalsOf(tx, id);
    sessions += await endSessionsOf(tx, actor, id, 'all');
  }
  return { sessions, withdrawn: await withdrawInvitationsOf(tx, accounts) };
}

async function withdrawInvitationsOf(tx: Tx, personIds: readonly string[]): Promise<number> {
  return tx.$executeRaw`
    UPDATE person_invitations SET withdrawn_at = clock_timestamp()
    WHERE invited_by = ANY(${personIds}::uuid[]) AND used_at IS NULL AND withdrawn_at IS NULL`;
}
