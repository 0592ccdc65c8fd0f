import 'server-only';
import { actorText, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { authored, linkQueue } from './append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { isOwnLogin } from '#lib/access/same-login.ts';
import { UUID } from '#lib/values/uuid.ts';

export const REASON_MIN = 10;
export const REASON_MAX = 500;
/**
 * The statutory retention of commercial records assumed here. Whether current law requires more or
 * less is a question for a lawyer.
 */
const PERSONAL_YEARS = 10;

/**
 * Erases the personal values of all entries that a person has written into the trail: names,
 * addresses, typed texts, and the salts, without which the remaining commitments reveal nothing.
 * The entries, their order and their hashes stay. Returns the number of erased values. The reason
 * is stored as a personal value too.
 *
 * @throws Refusal `not_allowed`, `not_found`, `own_traces`, `reason_too_short`, `nothing_to_erase`
 */
export async function erasePersonalValues(
  actor: Person,
  input: { personId: string; reason: string },
): Promise<number> {
  assertMay(actor, 'audit.erase');
  const reason = input.reason.trim().slice(0, REASON_MAX);
  if (!UUID.test(input.personId)) throw new Refusal('not_found');
  // Otherwise a person with this permission could remove the traces of their own actions.
  if (await isOwn(actor, input.personId)) throw new Refusal('own_traces');
  if (reason.length < REASON_MIN) throw new Refusal('reason_too_short', { min: REASON_MIN });
  // Before the erasure and not in it: it reads long, and would hold the chain meanwhile.
  await linkQueue(actor.merchantId);
  const authoredReason = authored(actor, {}, { reason });
  const [row] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<[{ erased: bigint }]>`
    SELECT audit_erase(${actor.merchantId}::uuid, ${actorText(actor)},
      ${`person:${input.personId}`}, clock_timestamp(), ${JSON.stringify(authoredReason.detail)}::jsonb,
      ${JSON.stringify(authoredReason.personal)}::jsonb) AS erased`,
  );
  if (row.erased === 0n) throw new Refusal('nothing_to_erase');
  return Number(row.erased);
}

function isOwn(actor: Person, personId: string): Promise<boolean> {
  return inTransaction(actor.merchantId, (tx) => isOwnLogin(tx, actor, personId));
}

/**
 * Erases personal values older than the retention period. The worker runs it once a day, and the
 * erasure is itself audited.
 */
export async function erasePastValues(
  merchantId: string,
  years: number = PERSONAL_YEARS,
): Promise<void> {
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    SELECT audit_erase(${merchantId}::uuid, 'worker', NULL,
      clock_timestamp() - make_interval(years => ${years}::int), '{"cause": "retention"}'::jsonb,
      '{}'::jsonb)`,
  );
}

/**
 * How many values {@link erasePersonalValues} would remove; null without the permission, and for
 * one's own entries. `who` has the form of the audit log's filter.
 */
export async function countErasable(
  actor: Person,
  who: string | null,
): Promise<{ personId: string; values: number } | null> {
  if (who === null || !who.startsWith('person:')) return null;
  assertMay(actor, 'audit.erase');
  const personId = who.slice('person:'.length);
  if (await isOwn(actor, personId)) return null;
  const [row] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<[{ values: bigint }]>`
    SELECT count(*) AS values FROM audit_personal p
      JOIN audit_entries e ON e.merchant_id = p.merchant_id AND e.seq = p.seq WHERE e.actor = ${who}`,
  );
  return { personId, values: Number(row.values) };
}
