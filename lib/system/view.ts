import 'server-only';
import * as z from 'zod';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { countsOf } from '#lib/runtime/metrics.ts';
import type { Labels } from '#lib/runtime/metrics.ts';
import { databaseFigures } from '#lib/worker/figures.ts';
import { WORKER_SILENT_SECONDS } from '#lib/worker/health.ts';
import type { OwnFigures } from '#lib/worker/own-figures.ts';
import { figuresOf } from './figures.ts';
import type { Figure, Measured } from './figures.ts';

const HOURS = 24;

/** A worker of an earlier version reports none of these. */
const reported = z.object({
  late: z.record(z.string(), z.number()),
  diskFree: z.number().nullable(),
  requests: z.array(z.object({ provider: z.string(), response: z.string(), count: z.number() })),
  failedCheckpoints: z.number(),
}) satisfies z.ZodType<OwnFigures>;

/** `from`: the beginning of the hour, ISO. */
export type Hour = { from: string; sends: number; webhooks: number };
export type SystemView = {
  figures: Figure[];
  /** Movements that a worker will look at again. */
  states: { state: string; count: number }[];
  /** Of the workers that report, within the last ten minutes. */
  requests: OwnFigures['requests'];
  /** The last day, the oldest first; the last one is not over. */
  hours: Hour[];
  ownCounts: OwnCounts;
};
/** What the web that draws the page has counted since its start, `since`, ISO. */
export type OwnCounts = {
  since: string;
  signInsRefused: number;
  webhooks: number;
  webhooksFailed: number;
  pagesFailed: number;
};

/** The figures of the metrics, as an owner reads them. Counts and ages, nothing else. */
export async function viewSystem(actor: Person): Promise<SystemView> {
  assertMay(actor, 'system.read');
  const [stored, workers, hours] = await Promise.all([
    databaseFigures(actor.merchantId),
    reportsOf(actor.merchantId),
    countHours(actor.merchantId),
  ]);
  const requests = summed(workers);
  const open = stored.find(({ name }) => name === 'dashboard_movements')?.values ?? [];
  return {
    figures: figuresOf([...stored, ...(workers.length === 0 ? [] : measuredBy(workers, requests))]),
    states: open
      .map(([{ state }, count]) => ({ state: String(state), count }))
      .sort((a, b) => b.count - a.count),
    requests,
    hours,
    ownCounts: ownCounts(),
  };
}

function ownCounts(): OwnCounts {
  const sum = (name: string, only: (labels: Labels) => boolean): number =>
    countsOf(name)
      .filter(({ labels }) => only(labels))
      .reduce((all, { count }) => all + count, 0);
  const isFailure = ({ status }: Labels): boolean => Number(status) >= 500;
  return {
    since: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
    signInsRefused: sum('dashboard_sign_in_refused_total', () => true),
    webhooks: sum('dashboard_webhooks_total', () => true),
    webhooksFailed: sum('dashboard_webhooks_total', isFailure),
    pagesFailed: sum(
      'dashboard_requests_total',
      (labels) => labels['kind'] === 'page' && isFailure(labels),
    ),
  };
}

/** What workers report, under the names that their own metrics have. */
function measuredBy(workers: readonly OwnFigures[], requests: OwnFigures['requests']): Measured[] {
  const disks = workers.flatMap(({ diskFree }) => (diskFree === null ? [] : [diskFree]));
  return [
    {
      name: 'dashboard_queue_late_seconds',
      values: workers.flatMap(({ late }) =>
        Object.entries(late).map(([queue, ms]): Measured['values'][number] => [
          { queue },
          ms / 1_000,
        ]),
      ),
    },
    {
      name: 'dashboard_provider_requests_total',
      values: requests.map(({ count, ...labels }) => [labels, count]),
    },
    {
      name: 'dashboard_checkpoint_failures_total',
      values: workers.map(({ failedCheckpoints }) => [{}, failedCheckpoints]),
    },
    { name: 'dashboard_disk_free_bytes', values: disks.map((bytes) => [{}, bytes]) },
  ];
}

async function reportsOf(merchantId: string): Promise<OwnFigures[]> {
  const rows = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<{ figures: unknown }[]>`
      SELECT figures FROM worker_heartbeats
      WHERE at > clock_timestamp() - make_interval(secs => ${WORKER_SILENT_SECONDS})`,
  );
  return rows.flatMap(({ figures }) => {
    const read = reported.safeParse(figures);
    return read.success ? [read.data] : [];
  });
}

function summed(workers: readonly OwnFigures[]): OwnFigures['requests'] {
  const sums = new Map<string, OwnFigures['requests'][number]>();
  for (const one of workers.flatMap(({ requests }) => requests)) {
    const key = `${one.provider} ${one.response}`;
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) });
  }
  return [...sums.keys()].sort().map((key) => sums.get(key)!);
}

async function countHours(merchantId: string): Promise<Hour[]> {
  const rows = await inTransaction(
    merchantId,
    (tx) => tx.$queryRaw<{ from: Date; sends: number; webhooks: number }[]>`
      SELECT hour AS from,
        (SELECT count(*)::int FROM attempts WHERE at >= hour AND at < hour + interval '1 hour') AS sends,
        (SELECT count(*)::int FROM notices WHERE first_at >= hour
          AND first_at < hour + interval '1 hour') AS webhooks
      FROM generate_series(date_trunc('hour', clock_timestamp()) - make_interval(hours => ${HOURS - 1}),
        clock_timestamp(), interval '1 hour') AS hour`,
  );
  return rows.map((row) => ({ ...row, from: row.from.toISOString() }));
}
