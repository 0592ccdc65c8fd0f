import 'server-only';
import { statfs } from 'node:fs/promises';
import { countsOf } from '#lib/runtime/metrics.ts';
import type { Labels } from '#lib/runtime/metrics.ts';

/**
 * What is shown of this long before the latest report of a worker. Requests are counted for as long
 * as by the alarm ProviderUnreachable: a quiet installation asks a provider rarely.
 */
const REQUESTS_MS = 10 * 60_000;
const CHECKPOINTS_MS = 2 * 60_000;

/**
 * What a worker alone knows: by how many milliseconds each queue is late, the free bytes where its
 * DATA_DIR is, and its recent requests to providers by their response.
 */
export type OwnFigures = {
  late: Record<string, number>;
  diskFree: number | null;
  requests: { provider: string; response: string; count: number }[];
  /** Checkpoints that could not be written, within the same time. */
  failedCheckpoints: number;
};

/** The figures of this worker, read with each heartbeat; `late` is that of its lanes. */
export function ownFigures(
  dataDir: string,
): (late: ReadonlyMap<string, number>) => Promise<OwnFigures> {
  const requests = recentCounts('dashboard_provider_requests_total', REQUESTS_MS);
  const checkpoints = recentCounts('dashboard_checkpoint_failures_total', CHECKPOINTS_MS);
  return async (late) => {
    const now = performance.now();
    const disk = await statfs(dataDir).catch(() => null);
    return {
      late: Object.fromEntries(late),
      diskFree: disk === null ? null : disk.bavail * disk.bsize,
      requests: requests(now).map(([labels, count]) => ({
        provider: String(labels['provider']),
        response: String(labels['response']),
        count,
      })),
      failedCheckpoints: checkpoints(now).reduce((sum, [, count]) => sum + count, 0),
    };
  };
}

/** What a counter has counted within `ms`, by its labels. Call it often: it remembers each reading. */
function recentCounts(name: string, ms: number): (now: number) => [Labels, number][] {
  const readings: { at: number; counts: ReadonlyMap<string, number> }[] = [];
  return (now) => {
    const counted = countsOf(name);
    readings.push({ at: now, counts: new Map(counted.map(({ key, count }) => [key, count])) });
    while (readings.length > 1 && readings[1]!.at <= now - ms) readings.shift();
    const { counts } = readings[0]!;
    return counted
      .map(({ key, labels, count }): [Labels, number] => [labels, count - (counts.get(key) ?? 0)])
      .filter(([, count]) => count > 0);
  };
}
