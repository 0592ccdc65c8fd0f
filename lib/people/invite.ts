import 'server-only';
import * as z from 'zod';
import { assertMay } from '#lib/access/actor.ts';
import type { Person, Role } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { isAlone, lockInvitation, lockPeople, openInvitationOf } from './lock.ts';
import type { LockedInvitation } from './lock.ts';
import { askedOf, invitationQuestion } from './questions.ts';
import { INVITATION_DAYS, invitationNeedsTwo, invitationState, INVITE } from './rules.ts';

const address = z.email().max(254);

/**
 * Invites an e-mail address of the provider's login. At its first sign-in it gets the role; the
 * worker mails it (`mail-invitations.ts`). A role that could be the second of two is only asked for here (`asked`).
 *
 * @throws Refusal not_allowed, bad_email, stop_reason_needed, person_exists, invitation_exists
 */
export async function invitePerson(
  actor: Person,
  { email: typed, role, reason }: { email: string; role: Role; reason: string },
): Promise<'done' | 'asked'> {
  assertMay(actor, 'people.manage');
  // The same letters as a sign-in asks for (lib/login/challenge.ts).
  const email = typed.trim().toLowerCase();
  if (!address.safeParse(email).success) throw new Refusal('bad_email');
  const why = stopReason(reason);
  return inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.manage');
    await replaceOld(tx, email);
    const isTwo = invitationNeedsTwo(role);
    const alone = isTwo && (await isAlone(tx, actor));
    const [row] = await tx.$queryRaw<[Row<'person_invitations', 'id'>]>`
      INSERT INTO person_invitations (merchant_id, email, role, invited_by, confirmed_at, expires_at)
      VALUES (${actor.merchantId}::uuid, ${email}, ${role}, ${actor.personId}::uuid,
        CASE WHEN ${alone}::boolean THEN clock_timestamp() END,
        clock_timestamp() + make_interval(days => ${INVITATION_DAYS})) RETURNING id`;
    const waits = isTwo && !alone;
    if (waits)
      await requestSecondPerson(tx, actor, invitationQuestion({ id: row.id, email, role }), {
        claim: INVITE,
        reason: why,
        reference: null,
        evidence: {},
      });
    await audit(
      tx,
      actor,
      'person.invited',
      `invitation:${row.id}`,
      { to: role, waits, ...(alone && { alone }) },
      { email, reason: why },
    );
    await publish(tx, actor, { kind: 'person', id: row.id });
    return waits ? 'asked' : 'done';
  });
}

/**
 * An address has one open invitation. One that gives nothing any more makes room for the next.
 *
 * @throws Refusal person_exists, invitation_exists
 */
async function replaceOld(tx: Tx, email: string): Promise<void> {
  const [known] = await tx.$queryRaw<Row<'people', 'id'>[]>`
    SELECT id FROM people WHERE lower(email) = ${email}`;
  if (known) throw new Refusal('person_exists');
  const old = await openInvitationOf(tx, email);
  if (old === null) return;
  const state = invitationState(datesOf(old), {
    now: (await databaseNow(tx)).getTime(),
    asked: (await askedOf(tx, invitationQuestion(old))) !== null,
  });
  if (state === 'open' || state === 'waiting') throw new Refusal('invitation_exists');
  await tx.$executeRaw`
    UPDATE person_invitations SET withdrawn_at = clock_timestamp() WHERE id = ${old.id}::uuid`;
}

/**
 * Withdraws an invitation that nobody has used.
 *
 * @throws Refusal not_allowed, not_found, person_changed
 */
export async function withdrawInvitation(actor: Person, id: string): Promise<void> {
  assertMay(actor, 'people.manage');
  await inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.manage');
    const {
      email,
      role,
      used_at: usedAt,
      withdrawn_at: withdrawnAt,
    } = await lockInvitation(tx, id);
    if (usedAt !== null || withdrawnAt !== null) throw new Refusal('person_changed');
    await tx.$executeRaw`
      UPDATE person_invitations SET withdrawn_at = clock_timestamp() WHERE id = ${id}::uuid`;
    const subject = `invitation:${id}`;
    await audit(tx, actor, 'person.invitation_withdrawn', subject, { to: role }, { email });
    await publish(tx, actor, { kind: 'person', id });
  });
}

export function datesOf(row: LockedInvitation): Parameters<typeof invitationState>[0] {
  return {
    role: row.role,
    confirmedAt: row.confirmed_at,
    expiresAt: row.expires_at,
    usedAt: row.used_at,
    withdrawnAt: row.withdrawn_at,
  };
}
