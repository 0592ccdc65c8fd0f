import 'server-only';
import { actorText, require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import { databaseNow, inTransaction } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import { env } from '#lib/env.ts';
import { announce, record } from '#lib/movements/evidence.ts';
import { CASHOUT } from '#lib/movements/rails.ts';
import { fromRaw } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { Refusal } from '#lib/refusal.ts';
import { stopReason } from '#lib/sending/stop.ts';
import { UUID } from '#lib/uuid.ts';

/** A first person's word is forgotten after this. */
const ASKED_HOURS = 24;
/** That nothing was taken frees payee and amount for another payment: nobody says so before a panel or a statement had a day to show it (money-movement 2.4, #14). */
const NOT_TAKEN_AFTER_MS = 24 * 60 * 60_000;
const EVIDENCE = { taken: 'resolved_accepted', not_taken: 'resolved_not_sent' } as const;

/** What two people have found out from the gateway about a cashout whose answer settles nothing. */
export type CashoutWord = keyof typeof EVIDENCE;

/** `asked`: the first of two people has said so. */
export type CashoutClosed = { kind: 'closed' } | { kind: 'asked' };

/**
 * A person says, from the gateway's panel or statement, whether an unclear cashout was taken. The gateway answers no question, so two
 * people say the same thing within a day, each with a reason: "taken" once the quiet time is over, "not taken" a day after the send. "Taken" leaves it accepted, never
 * paid; "not taken" ends it as failed and frees payee and amount. The first word is kept in the audit trail.
 *
 * @throws Refusal not_allowed, not_found, stop_reason_needed, close_not_unknown, cashout_too_early, cashout_not_a_day
 */
export async function closeCashout(actor: Person, { id, word, reason }: { id: string; word: CashoutWord; reason: string }): Promise<CashoutClosed> {
  require(actor, 'payout.prepare');
  const why = stopReason(reason);
  if (!UUID.test(id)) throw new Refusal('not_found');
  return inTransaction(actor.merchantId, async (tx) => {
    const [raw] = await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE id = ${id}::uuid AND rail = ${CASHOUT} FOR UPDATE`;
    if (!raw) throw new Refusal('not_found');
    const before = fromRaw(raw);
    const now = (await databaseNow(tx)).getTime();
    if (before.state !== 'UNKNOWN' || before.attention === 'contradiction') throw new Refusal('close_not_unknown');
    const sentAgo = now - (before.lastSendAt ?? before.stateSince);
    if (sentAgo < env().resendQuietSeconds * 1_000) throw new Refusal('cashout_too_early');
    if (word === 'not_taken' && sentAgo < NOT_TAKEN_AFTER_MS) throw new Refusal('cashout_not_a_day');
    const second = await saidBySomebodyElse(tx, actor, id, word);
    await audit(tx, actor, second ? 'cashout.closed' : `cashout.${word}_said`, `movement:${id}`, { word }, { reason: why });
    if (!second) {
      await announce(tx, actor.merchantId, { kind: 'movement', id });
      return { kind: 'asked' };
    }
    await record(tx, actor, before, { witness: 'person', kind: EVIDENCE[word] }, now, () => ({ nextAt: null, lease: null }));
    return { kind: 'closed' };
  });
}

/** The caller holds the movement's row. */
async function saidBySomebodyElse(tx: Tx, actor: Person, id: string, word: CashoutWord): Promise<boolean> {
  const [row] = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM audit_entries WHERE subject = ${`movement:${id}`} AND action = ${`cashout.${word}_said`} AND actor <> ${actorText(actor)}
      AND at > clock_timestamp() - make_interval(hours => ${ASKED_HOURS}) LIMIT 1`;
  return row !== undefined;
}
