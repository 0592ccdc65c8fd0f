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
import { countKnock, countWithin } from '#lib/rate-limit.ts';
import { Refusal } from '#lib/refusal.ts';
import { tellOfNotice } from './tell.ts';

type Notice = ReturnType<typeof decodeNotice>;

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
  const { notice, effect } = read(channel, kept);
  const id = await inTransaction(merchantId, async (tx) => {
    // One statement for all that names no payout of ours: most of a flood, and the door must hold.
    const [row] = await tx.$queryRaw<[{ id: bigint; seen: number; ours: boolean }]>`
      INSERT INTO notices (merchant_id, channel, body_hash, body, ext_id, hint, effect, handled_at)
      VALUES (${merchantId}::uuid, ${channel}, ${bodyHash}, ${kept}, ${notice?.extId ?? null}, ${notice?.hint ?? null}, ${effect}, clock_timestamp())
      ON CONFLICT (merchant_id, channel, body_hash) DO UPDATE SET seen = notices.seen + 1, last_at = clock_timestamp()
      RETURNING id, seen, EXISTS (SELECT FROM movements WHERE ext_id = ${notice?.extId ?? null}) AS ours`;
    if (row.seen === 1 && row.ours) await handle(tx, merchantId, row.id, channel, kept);
    return row.id;
  });
  tellOfNotice(merchantId, id.toString());
}

/** The developer's "replay": the stored notice goes through the same handler again, under its original id, and is audited. */
export async function replayNotice(actor: Person, noticeId: string): Promise<void> {
  require(actor, 'notice.replay');
  await countKnock(actor, 'notice.replay');
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
  const { notice, effect } = read(channel, body);
  const extId = notice?.extId ?? null;
  const [raw] = extId === null ? [] : await tx.$queryRaw<RawMovement[]>`SELECT * FROM movements WHERE ext_id = ${extId} FOR UPDATE`;
  await tx.$executeRaw`
    UPDATE notices SET ext_id = ${extId}, hint = ${notice?.hint ?? null}, effect = ${notice && raw ? await pull(tx, merchantId, raw, notice) : effect},
      movement_id = ${raw?.id ?? null}::uuid, handled_at = clock_timestamp() WHERE id = ${noticeId}`;
}

/** What a notice says, and what it leads to as long as it names no payout of ours. */
function read(channel: 'wallet' | 'card', body: string): { notice: Notice | null; effect: NoticeEffect } {
  const notice = channel === 'wallet' ? decodeNotice(body) : null;
  // Money that came in, and everything about cards, names no payout of ours: kept, and nothing is missing.
  if (notice === null || notice.topic === 'top_up' || notice.topic === 'failed_top_up') return { notice, effect: 'other_topic' };
  return { notice, effect: notice.extId === null ? 'not_understood' : 'no_such_payout' };
}

async function pull(tx: Tx, merchantId: string, raw: RawMovement, notice: Notice): Promise<NoticeEffect> {
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
