import 'server-only';
import { createHash } from 'node:crypto';
import { require } from '#lib/actor.ts';
import type { Person } from '#lib/actor.ts';
import { audit } from '#lib/audit.ts';
import { databaseNow, inTransaction } from '#lib/db.ts';
import type { Tx } from '#lib/db.ts';
import { announce, record } from '#lib/movements/evidence.ts';
import { HINT_GUARD_MS } from '#lib/movements/claim-rules.ts';
import { pullLook } from '#lib/movements/pull.ts';
import { fromRaw } from '#lib/movements/row.ts';
import type { RawMovement } from '#lib/movements/row.ts';
import { decodeNotice } from '#lib/providers/wallet/notices.ts';
import { countWithin } from '#lib/rate-limit.ts';
import { Refusal } from '#lib/refusal.ts';

/** Notices may pull this many reads a minute in all; beyond it they are kept and the schedule finds the truth. */
const PULLS_PER_MINUTE = 600;

/** What a notice led to. Never a change of state by itself: a read of the provider decides (money-movement decision 5). */
export type NoticeEffect = 'asked_provider' | 'nothing_to_ask' | 'no_such_payout' | 'not_understood' | 'other_topic' | 'kept_only';

/**
 * Stores a notice as it arrived, once per body, and lets it pull the next read of the payout it names. Content is used only
 * to find our own reference; nothing of it is copied into a money field (I14).
 */
export async function receiveNotice(merchantId: string, channel: 'wallet' | 'card', body: string): Promise<void> {
  const bodyHash = Uint8Array.from(createHash('sha256').update(body).digest());
  const kept = body.replaceAll('\u0000', '');
  await inTransaction(merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<[{ id: bigint; seen: number }]>`
      INSERT INTO notices (merchant_id, channel, body_hash, body) VALUES (${merchantId}::uuid, ${channel}, ${bodyHash}, ${kept})
      ON CONFLICT (merchant_id, channel, body_hash) DO UPDATE SET seen = notices.seen + 1, last_at = clock_timestamp()
      RETURNING id, seen`;
    if (row.seen === 1) await handle(tx, merchantId, row.id, channel, kept);
    await announce(tx, merchantId, { kind: 'notice', id: row.id.toString() });
  });
}

/** The developer's "replay": the stored notice goes through the same handler again, under its original id, and is audited. */
export async function replayNotice(actor: Person, noticeId: string): Promise<void> {
  require(actor, 'notice.replay');
  await inTransaction(actor.merchantId, async (tx) => {
    const [row] = await tx.$queryRaw<{ id: bigint; channel: 'wallet' | 'card'; body: string }[]>`
      SELECT id, channel, body FROM notices WHERE id = ${BigInt(noticeId)} FOR UPDATE`;
    if (!row) throw new Refusal('not_found');
    await handle(tx, actor.merchantId, row.id, row.channel, row.body);
    await audit(tx, actor, 'notice.replayed', `notice:${noticeId}`);
    await announce(tx, actor.merchantId, { kind: 'notice', id: noticeId });
  });
}

async function handle(tx: Tx, merchantId: string, noticeId: bigint, channel: 'wallet' | 'card', body: string): Promise<void> {
  const notice = channel === 'wallet' ? decodeNotice(body) : null;
  const extId = notice?.extId ?? null;
  const [raw] = extId === null ? [] : await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE ext_id = ${extId} FOR UPDATE`;
  const effect = await effectOf(tx, merchantId, raw, notice);
  await tx.$executeRaw`
    UPDATE notices SET ext_id = ${extId}, hint = ${notice?.hint ?? null}, effect = ${effect}, movement_id = ${raw?.id ?? null}::uuid, handled_at = clock_timestamp()
    WHERE id = ${noticeId}`;
}

async function effectOf(tx: Tx, merchantId: string, raw: RawMovement | undefined, notice: ReturnType<typeof decodeNotice> | null): Promise<NoticeEffect> {
  // Money that came in, and everything about cards, names no payout of ours: kept, and nothing is missing.
  if (notice === null || notice.topic === 'top_up' || notice.topic === 'failed_top_up') return 'other_topic';
  if (notice.extId === null) return 'not_understood';
  if (!raw) return 'no_such_payout';
  const movement = fromRaw(raw);
  const now = (await databaseNow(tx)).getTime();
  const after = await record(tx, { kind: 'provider', merchantId }, movement, { witness: 'notice', kind: 'notice', hint: notice.hint }, now, () => ({
    nextAt: movement.nextAt, lease: movement.leaseToken && movement.leaseUntil ? { token: movement.leaseToken, until: movement.leaseUntil } : null,
  }));
  if (after.sends === 0) return 'nothing_to_ask';
  if (!(await countWithin(tx, merchantId, 'notice-pulls', PULLS_PER_MINUTE, 60)).ok) return 'kept_only';
  await pullLook(tx, { ...movement, ...after }, now, HINT_GUARD_MS);
  return 'asked_provider';
}
