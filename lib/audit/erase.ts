import 'server-only';
import { actorText, assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { authored } from './append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { UUID } from '#lib/values/uuid.ts';

export const REASON_MIN = 10;
export const REASON_MAX = 500;
/**
 * As long as commercial books are kept here. Whether the law of the day asks for more or less is
 * for a lawyer to say.
 */
const PERSONAL_YEARS = 10;

/**
 * Erases the personal values of everything a person wrote into the trail until now: names,
 * addresses, typed texts, and the salts, without which the commitments that stay say nothing. The
 * entries, their order and their hashes stay as they are. Returns how many values went. The reason
 * is kept as a personal value too.
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
  // Whoever may erase could otherwise remove where their own actions came from.
  if (input.personId === actor.personId) throw new Refusal('own_traces');
  if (reason.length < REASON_MIN) throw new Refusal('reason_too_short', { min: REASON_MIN });
  const said = authored(actor, {}, { reason });
  const [row] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<[{ erased: bigint }]>`
    SELECT audit_erase(${actor.merchantId}::uuid, ${actorText(actor)},
      ${`person:${input.personId}`}, clock_timestamp(), ${JSON.stringify(said.detail)}::jsonb,
      ${JSON.stringify(said.personal)}::jsonb) AS erased`,
  );
  if (row.erased === 0n) throw new Refusal('nothing_to_erase');
  return Number(row.erased);
}

/**
 * Erases what is older than the books must be kept, by the worker once a day, and the trail says
 * that it did.
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
 * How many values an erasure would take; null for who may not erase, and for oneself. `who` as the
 * filter of the trail has it.
 */
export async function countErasable(
  actor: Person,
  who: string | null,
): Promise<{ personId: string; values: number } | null> {
  if (who === null || !who.startsWith('person:') || who === actorText(actor)) return null;
  assertMay(actor, 'audit.erase');
  const [row] = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<[{ values: bigint }]>`
    SELECT count(*) AS values FROM audit_personal p
      JOIN audit_entries e ON e.merchant_id = p.merchant_id AND e.seq = p.seq WHERE e.actor = ${who}`,
  );
  return { personId: who.slice('person:'.length), values: Number(row.values) };
}
