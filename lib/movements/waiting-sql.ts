import 'server-only';
import { IS_HELD_MOVEMENT } from '#lib/begin-check/confirmed.ts';
import { sql } from '#lib/runtime/db.ts';
import type { Prisma } from '#lib/runtime/db.ts';
import type { Alert } from './alert.ts';
import { IS_BATCH_HELD_M } from './batch-hold.ts';
import { IS_UNSEEN_OUTCOME } from './outcome-seen.ts';
import type { WaitingGroup } from './waiting.ts';

/** The alerts of queued movements that do not wait for the provider. */
const KEPT_BACK: readonly Alert[] = [
  'journal_unwritable',
  'approvals_missing',
  'earlier_may_be_paid',
];

/** For how many days an outcome that nobody has seen waits; older ones are in the lists only. */
const OUTCOME_DAYS = 30;

/**
 * Whether a movement `m` may have been sent without a trace in this database, or is not sent without
 * a person's word: it is older than a recovery, or a recovery holds it.
 */
const IS_OF_RECOVERY = sql`(EXISTS (SELECT FROM recoveries r WHERE r.began_at > m.created_at)
  OR ${IS_HELD_MOVEMENT})`;

/**
 * Whether a movement `m` belongs to a group: one condition for the number on the home page and for
 * the list that it opens. Queued movements are sent by themselves, so none of them is stopped.
 */
export const IS_WAITING: Readonly<Record<WaitingGroup, Prisma.Sql>> = {
  unknown: sql`m.bucket = 'attention' AND m.state = 'UNKNOWN'`,
  person: sql`m.bucket = 'attention' AND m.state <> 'UNKNOWN'`,
  outcome: sql`${IS_UNSEEN_OUTCOME}
    AND coalesce(m.returned_at, m.state_since) > clock_timestamp() - make_interval(days => ${OUTCOME_DAYS})
    AND NOT EXISTS (SELECT FROM movements again WHERE again.retry_of = m.id)`,
  queued: sql`m.bucket IN ('attention', 'progress') AND m.state = 'APPROVED' AND m.not_sent_tries > 0
    AND (m.alert IS NULL OR NOT m.alert = ANY(${KEPT_BACK}::text[])) AND NOT ${IS_BATCH_HELD_M}
    AND NOT EXISTS (SELECT FROM send_switches s WHERE s.off AND s.kind IN (m.kind, 'all'))
    AND NOT ${IS_OF_RECOVERY}`,
};
