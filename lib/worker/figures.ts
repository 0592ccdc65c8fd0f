import 'server-only';
import { statfs } from 'node:fs/promises';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Gauge } from '#lib/runtime/metrics.ts';
import { WORKER_SILENT_SECONDS } from './health.ts';

type Counted = {
  unknown: number;
  unknown_seconds: number;
  ready: number;
  ready_seconds: number;
  stopped: string[];
  workers: number;
  audit_seconds: number | null;
  audit_broken: boolean;
  days_failed: number;
  states: Record<string, number>;
  records_seconds: Record<string, number | null>;
};

/**
 * What the person on call has to know of this installation: counts and ages, nothing that names a
 * person, an account or an amount. Movements are counted by indexes of those that are not final. A
 * card payment has an unknown outcome when its answer is overdue and nobody has looked into it.
 * `late`: by how many milliseconds the first row of each queue is late.
 */
export async function readFigures(
  merchantId: string,
  { dataDir, late }: { dataDir: string; late: ReadonlyMap<string, number> },
): Promise<Gauge[]> {
  const [stored, disk] = await Promise.all([databaseFigures(merchantId), statfs(dataDir)]);
  return [
    ...stored,
    {
      name: 'dashboard_queue_late_seconds',
      help: 'By how much the first row of a queue is late.',
      values: [...late].map(([queue, ms]) => [{ queue }, ms / 1_000]),
    },
    {
      name: 'dashboard_disk_free_bytes',
      help: 'Free bytes where DATA_DIR is.',
      values: [[{}, disk.bavail * disk.bsize]],
    },
  ];
}

/** The figures that the database alone has, the same in each process that asks for them. */
export async function databaseFigures(merchantId: string): Promise<Gauge[]> {
  const counted = await countFigures(merchantId);
  const one = (name: string, help: string, value: number): Gauge => ({
    name,
    help,
    values: [[{}, value]],
  });
  return [
    one(
      'dashboard_unknown_movements',
      'Movements, card payments and charges of plans whose outcome is unknown.',
      counted.unknown,
    ),
    one(
      'dashboard_unknown_oldest_seconds',
      'For how long the oldest outcome has been unknown.',
      counted.unknown_seconds,
    ),
    one('dashboard_ready_movements', 'Movements that are ready to be sent.', counted.ready),
    one(
      'dashboard_ready_oldest_seconds',
      'For how long the oldest ready movement has waited.',
      counted.ready_seconds,
    ),
    {
      name: 'dashboard_sending_stopped',
      help: 'Sending is stopped, by cause.',
      values: counted.stopped.map((cause) => [{ cause }, 1]),
    },
    one(
      'dashboard_workers',
      `Workers that reported within ${WORKER_SILENT_SECONDS} seconds.`,
      counted.workers,
    ),
    one(
      'dashboard_audit_check_age_seconds',
      'Since the audit chain was last checked; endless before the first check.',
      counted.audit_seconds ?? Number.POSITIVE_INFINITY,
    ),
    one(
      'dashboard_audit_broken',
      'Whether the audit chain is broken.',
      Number(counted.audit_broken),
    ),
    one(
      'dashboard_record_days_failed',
      "Days of the provider's records whose latest reading failed.",
      counted.days_failed,
    ),
    {
      name: 'dashboard_movements',
      help: 'Movements that a worker will look at again, by state.',
      values: Object.entries(counted.states).map(([state, count]) => [{ state }, count]),
    },
    {
      name: 'dashboard_records_age_seconds',
      help: "Since one of the provider's two listings was last read to its end.",
      values: Object.entries(counted.records_seconds).map(([list, seconds]) => [
        { list },
        seconds ?? Number.POSITIVE_INFINITY,
      ]),
    },
  ];
}

async function countFigures(merchantId: string): Promise<Counted> {
  const [row] = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<[Counted]>`
      SELECT unknown.n AS unknown, unknown.seconds AS unknown_seconds,
        ready.n AS ready, ready.seconds AS ready_seconds,
        ARRAY(SELECT DISTINCT cause FROM send_switches WHERE off ORDER BY cause) AS stopped,
        (SELECT count(*)::int FROM worker_heartbeats
          WHERE at > clock_timestamp() - make_interval(secs => ${WORKER_SILENT_SECONDS})) AS workers,
        (SELECT extract(epoch FROM clock_timestamp() - at)::float8 FROM audit_checks)
          AS audit_seconds,
        EXISTS (SELECT FROM audit_checks WHERE broken_seq IS NOT NULL) AS audit_broken,
        (SELECT count(*)::int FROM record_days WHERE problem IS NOT NULL) AS days_failed,
        (SELECT coalesce(jsonb_object_agg(state, n), '{}') FROM (SELECT state, count(*) AS n
          FROM movements WHERE next_at IS NOT NULL GROUP BY state) open) AS states,
        (SELECT coalesce(jsonb_object_agg(list, seconds), '{}') FROM (SELECT list,
          extract(epoch FROM clock_timestamp() - max(read_at)) AS seconds
          FROM record_days GROUP BY list) lists) AS records_seconds
      FROM (SELECT count(*)::int AS n,
          coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::float8 AS seconds
        FROM (SELECT unclear_since AS since FROM movements WHERE state = 'UNKNOWN'
          UNION ALL SELECT sent_at FROM plan_charges WHERE state = 'UNKNOWN'
          UNION ALL SELECT sent_at FROM card_payments
            WHERE sent_at < clock_timestamp() - interval '1 minute' AND problem_seen_at IS NULL
              AND (state IS NULL OR state = 'pending')) each) unknown,
        (SELECT count(*)::int AS n,
          coalesce(extract(epoch FROM clock_timestamp() - min(state_since)), 0)::float8 AS seconds
        FROM movements WHERE state = 'APPROVED' AND next_at IS NOT NULL) ready`,
  );
  return row;
}
