import 'server-only';
import { waitsFor } from '#lib/approvals/waits-for.ts';
import { batchWaitsFor } from '#lib/batches/approval/waiting.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import { rolesOf } from './kinds.ts';
import type { NotificationKind } from './kinds.ts';

/** The person `p`, with the one represented today, as the conditions of approvals name people. */
const WHO = { id: sql`p.id`, role: sql`p.role`, represented: sql`self.represented` };
const SELF = sql`(SELECT deputy_for(p.id, clock_timestamp()) AS represented) self`;

/**
 * Whether a notification to the person `p` still says what is so. A mail and a push wait for the end
 * of quiet hours, and for a server that refuses: "waits for approval" and "unknown for 30 minutes"
 * would then be said of a payment that was approved, or whose outcome is known; and "rejected" of
 * one that its record contradicts, which would invite to pay it again. Anything else has happened for
 * good. An unknown movement that is just sent again is unknown.
 */
export function stillHolds({ kind, thing }: Record<'kind' | 'thing', Prisma.Sql>): Prisma.Sql {
  const id = sql`split_part(${thing}, ':', 2)::uuid`;
  const mayApprove = (asked: NotificationKind): Prisma.Sql =>
    sql`(p.role = ANY(${rolesOf(asked)}::text[]) OR self.represented IS NOT NULL)`;
  const isUncontradicted = sql`NOT EXISTS (
    SELECT FROM movements m WHERE m.id = ${id} AND m.alert = 'contradiction')`;
  return sql`(CASE ${kind}
    WHEN ${'approval_asked' satisfies NotificationKind} THEN EXISTS (
      SELECT FROM movements m CROSS JOIN ${SELF}
      WHERE m.id = ${id} AND ${mayApprove('approval_asked')} AND ${waitsFor(WHO)})
    WHEN ${'batch_asked' satisfies NotificationKind} THEN EXISTS (
      SELECT FROM batches b JOIN batch_runs r ON r.batch_id = b.id CROSS JOIN ${SELF}
      WHERE b.id = ${id} AND ${mayApprove('batch_asked')} AND ${batchWaitsFor(WHO)})
    WHEN ${'nobody_can_approve' satisfies NotificationKind} THEN EXISTS (
      SELECT FROM movements m WHERE m.id = ${id} AND m.state = 'AWAITING_APPROVAL')
    WHEN ${'movement_unknown' satisfies NotificationKind} THEN EXISTS (
      SELECT FROM movements m WHERE m.id = ${id} AND m.state IN ('UNKNOWN', 'SUBMITTING'))
    WHEN ${'second_person_asked' satisfies NotificationKind} THEN EXISTS (
      SELECT FROM second_person_requests r WHERE r.id = ${id} AND r.closed_at IS NULL)
    WHEN ${'movement_rejected' satisfies NotificationKind} THEN ${isUncontradicted}
    WHEN ${'movement_failed' satisfies NotificationKind} THEN ${isUncontradicted}
    ELSE TRUE END)`;
}
