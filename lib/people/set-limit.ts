import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import { isSameLimit, limitClaim, widensLimit } from '#lib/policy/limits.ts';
import type { OwnLimit } from '#lib/policy/limits.ts';
import { ownLimits } from '#lib/policy/own-limits.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import type { Decided } from './carry-out.ts';
import { isAlone, lockPeople, lockPerson } from './lock.ts';
import type { LockedPerson } from './lock.ts';
import { askedOf, limitsQuestion } from './questions.ts';

/**
 * Sets how much may leave on a person's word alone, in one payment and in a day. A lower limit holds
 * at once; a higher one, or none, is only asked for here (`asked`), and a second person confirms it
 * (docs/decisions/0037-widen-rights-by-two-people.md).
 *
 * @throws Refusal not_allowed, not_found, own_account, limit_unchanged, change_waiting,
 * stop_reason_needed
 */
export async function setPersonLimit(
  actor: Person,
  id: string,
  limit: OwnLimit,
  reason: string,
): Promise<'done' | 'asked'> {
  assertMay(actor, 'people.manage');
  const why = stopReason(reason);
  if (id === actor.personId) throw new Refusal('own_account');
  return inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, 'people.manage');
    const person = await lockPerson(tx, id);
    const limits = await ownLimits(tx, id);
    const present = limits.find(({ currency }) => currency === limit.currency) ?? null;
    if (isSameLimit(present, limit)) throw new Refusal('limit_unchanged');
    const isWider = widensLimit(present, limit);
    if (!isWider || (await isAlone(tx, actor))) {
      await storeLimit(tx, actor, person, limit, { reason: why, askedBy: null, alone: isWider });
      return 'done';
    }
    const question = limitsQuestion(id, limits);
    if ((await askedOf(tx, question)) !== null) throw new Refusal('change_waiting');
    const claim = limitClaim(limit);
    const statement = { claim, reason: why, reference: null, evidence: {} };
    await requestSecondPerson(tx, actor, question, statement);
    const personal = { reason: why, person: person.name };
    await audit(tx, actor, 'person.limit_asked', `person:${id}`, { limit: claim }, personal);
    await publish(tx, actor, { kind: 'person', id });
    return 'asked';
  });
}

/** Stores a limit that has been decided, with its audit row. The table's guard checks it again. */
export async function storeLimit(
  tx: Tx,
  actor: Person,
  person: Pick<LockedPerson, 'id' | 'name'>,
  limit: OwnLimit,
  { reason, askedBy, alone }: Decided,
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO person_limits (merchant_id, person_id, currency, single_minor, day_minor, set_by,
      asked_by, reason)
    VALUES (${actor.merchantId}::uuid, ${person.id}::uuid, ${limit.currency}, ${limit.singleMinor},
      ${limit.dayMinor}, ${actor.personId}::uuid, ${askedBy}::uuid, ${storable(reason)})`;
  const by = { ...(askedBy !== null && { askedBy: [askedBy] }), ...(alone && { alone }) };
  const personal = { reason, person: person.name };
  const detail = { limit: limitClaim(limit), ...by };
  await audit(tx, actor, 'person.limit_set', `person:${person.id}`, detail, personal);
  await publish(tx, actor, { kind: 'person', id: person.id });
}
