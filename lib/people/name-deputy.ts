import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { audit } from '#lib/audit/append.ts';
import { stopReason } from '#lib/form-fields/stop-reason.ts';
import { publish } from '#lib/live/publish.ts';
import { databaseNow, inTransaction } from '#lib/runtime/db.ts';
import type { Row, Tx } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { requestSecondPerson } from '#lib/second-person/request.ts';
import { dayIn } from '#lib/values/dates.ts';
import { DEPUTY_DAYS_MAX, isDeputyPeriod, STAND_IN } from './deputy-rules.ts';
import {
  assertFree,
  assertPair,
  deputyDetail,
  isOfEither,
  openDeputyship,
  openDeputyships,
} from './deputyship.ts';
import { isAlone, lockPeople, lockPerson } from './lock.ts';
import { askedOf, deputyQuestion } from './questions.ts';

/** `personId`: who is away. `firstDay`, `lastDay`: 'YYYY-MM-DD' in Istanbul, both included. */
export type NamedDeputy = {
  personId: string;
  deputyId: string;
  firstDay: string;
  lastDay: string;
  reason: string;
};

/**
 * Names a deputy for an approver or an owner: these do it for themselves, an owner for others, too.
 * It gives rights, so it is only asked for here (`asked`), and a second person confirms it
 * (docs/decisions/0040-let-a-deputy-approve-for-one-person.md).
 *
 * @throws Refusal not_allowed, stop_reason_needed, not_found, deputy_people, deputy_period,
 * deputy_overlaps, change_waiting
 */
export async function nameDeputy(
  actor: Person,
  { personId, deputyId, reason, ...days }: NamedDeputy,
): Promise<'done' | 'asked'> {
  const needs = personId === actor.personId ? 'people.confirm' : 'people.manage';
  assertMay(actor, needs);
  const why = stopReason(reason);
  return inTransaction(actor.merchantId, async (tx) => {
    await lockPeople(tx, actor, needs);
    const person = await lockPerson(tx, personId);
    const deputy = await lockPerson(tx, deputyId);
    assertPair(person, deputy);
    if (!isDeputyPeriod(days, dayIn((await databaseNow(tx)).toISOString())))
      throw new Refusal('deputy_period', { days: DEPUTY_DAYS_MAX });
    const wanted = { person_id: personId, deputy_id: deputyId };
    await assertNoOther(tx, { ...wanted, first_day: days.firstDay, last_day: days.lastDay });
    const alone = await isAlone(tx, actor);
    const [{ id }] = await tx.$queryRaw<[Row<'deputyships', 'id'>]>`
      INSERT INTO deputyships (merchant_id, person_id, deputy_id, first_day, last_day, asked_by,
        reason, confirmed_at)
      VALUES (${actor.merchantId}::uuid, ${personId}::uuid, ${deputyId}::uuid,
        ${days.firstDay}::date, ${days.lastDay}::date, ${actor.personId}::uuid, ${storable(why)},
        CASE WHEN ${alone}::boolean THEN clock_timestamp() END) RETURNING id`;
    const row = await openDeputyship(tx, id);
    const statement = { claim: STAND_IN, reason: why, reference: null, evidence: {} };
    if (!alone) await requestSecondPerson(tx, actor, deputyQuestion(row), statement);
    await audit(
      tx,
      actor,
      'person.deputy_named',
      `person:${deputyId}`,
      { ...deputyDetail(row), waits: !alone, ...(alone && { alone }) },
      { reason: why, person: deputy.name, of: person.name },
    );
    await publish(tx, actor, { kind: 'person', id: deputyId });
    return alone ? 'done' : 'asked';
  });
}

/** One at a time, and one request at a time that two people decide. */
async function assertNoOther(tx: Tx, wanted: Parameters<typeof assertFree>[1]): Promise<void> {
  const open = await openDeputyships(tx);
  assertFree(open, wanted);
  for (const one of open)
    if (one.confirmed_at === null && isOfEither(one, wanted))
      if ((await askedOf(tx, deputyQuestion(one))) !== null) throw new Refusal('change_waiting');
}
