import 'server-only';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Figures of this process as Prometheus text. Labels are names from our code: never an address, a
 * person or an amount.
 */

export type Labels = Readonly<Record<string, string | number>>;
/** A figure that is read when the metrics are: its present values, each with its labels. */
export type Gauge = { name: string; help: string; values: readonly [Labels, number][] };
type Counts = Map<string, { labels: Labels; count: number }>;
type Series = Map<string, { labels: Labels; buckets: number[]; sum: number }>;
type Metric = { help: string } & (
  | { kind: 'counter'; counts: Counts }
  | { kind: 'histogram'; bounds: readonly number[]; series: Series }
);

type Figures = { metrics: Map<string, Metric>; readers: (() => Promise<readonly Gauge[]>)[] };

declare global {
  /**
   * Global, because the framework's bundle has copies of its own of this module: what pages and
   * actions count is in the text that the server of the same process writes.
   */
  var dashboardFigures: Figures | undefined;
}

const figures: Figures = (globalThis.dashboardFigures ??= { metrics: new Map(), readers: [] });
const { metrics, readers } = figures;
const loopDelay = monitorEventLoopDelay({ resolution: 20 });

/** Makes a counter; the function that it returns adds to it. */
export function counter(name: string, help: string): (labels: Labels, by?: number) => void {
  const known = metrics.get(name);
  const counts: Counts = known?.kind === 'counter' ? known.counts : new Map();
  metrics.set(name, { help, kind: 'counter', counts });
  return (labels, by = 1) => {
    const key = written(labels);
    counts.set(key, { labels, count: (counts.get(key)?.count ?? 0) + by });
  };
}

/** What a counter of this process has counted, by its labels. */
export function countsOf(name: string): { key: string; labels: Labels; count: number }[] {
  const metric = metrics.get(name);
  if (metric?.kind !== 'counter') return [];
  return [...metric.counts].map(([key, one]) => ({ key, ...one }));
}

/** Makes a histogram with these upper bounds; the function that it returns adds one observation. */
export function histogram(
  name: string,
  help: string,
  bounds: readonly number[],
): (value: number, labels?: Labels) => void {
  const known = metrics.get(name);
  const series: Series = known?.kind === 'histogram' ? known.series : new Map();
  metrics.set(name, { help, kind: 'histogram', bounds, series });
  return (value, labels = {}) => {
    const key = written(labels);
    let one = series.get(key);
    if (one === undefined)
      series.set(key, (one = { labels, buckets: bounds.map(() => 0).concat(0), sum: 0 }));
    const at = bounds.findIndex((bound) => value <= bound);
    one.buckets[at < 0 ? bounds.length : at]! += 1;
    one.sum += value;
  };
}

/**
 * Adds gauges that `read` reads whenever the metrics are. A reader that fails is left out, and
 * `dashboard_figures_read` is 0.
 */
export function gauges(read: () => Promise<readonly Gauge[]>): void {
  readers.push(read);
}

function linesOf(name: string, metric: Metric): string[] {
  return metric.kind === 'counter'
    ? [...metric.counts].map(([labels, { count }]) => `${name}${labels} ${count}`)
    : [...metric.series.values()].flatMap((one) => histogramLines(name, metric.bounds, one));
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  { labels, buckets, sum }: { labels: Labels; buckets: readonly number[]; sum: number },
): string[] {
  let total = 0;
  const lines = buckets.map((count, at) => {
    total += count;
    return `${name}_bucket${written({ ...labels, le: bounds[at] ?? '+Inf' })} ${total}`;
  });
  return [
    ...lines,
    `${name}_sum${written(labels)} ${sum}`,
    `${name}_count${written(labels)} ${total}`,
  ];
}

/** Begins to measure how late timers of this process run. */
export function watchEventLoop(): void {
  loopDelay.enable();
}

export async function metricsText(): Promise<string> {
  const read = await Promise.allSettled(readers.map((reader) => reader()));
  const isRead = read.every((one) => one.status === 'fulfilled');
  const gaugeLines = [
    ...read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    {
      name: 'dashboard_figures_read',
      help: 'Whether every other figure could be read.',
      values: [[{}, isRead ? 1 : 0]],
    } satisfies Gauge,
  ].flatMap(({ name, help, values }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...values.map(([labels, value]) => `${name}${written(labels)} ${writtenValue(value)}`),
  ]);
  const own = [...metrics].flatMap(([name, metric]) => [
    `# HELP ${name} ${metric.help}`,
    `# TYPE ${name} ${metric.kind}`,
    ...linesOf(name, metric),
  ]);
  return `${[...own, ...gaugeLines, ...processLines()].join('\n')}\n`;
}

function processLines(): string[] {
  const { user, system } = process.cpuUsage();
  const delay = [0.5, 0.99].map(
    (q) => `nodejs_eventloop_delay_seconds{quantile="${q}"} ${loopDelay.percentile(q * 100) / 1e9}`,
  );
  return [
    '# TYPE process_cpu_seconds_total counter',
    `process_cpu_seconds_total ${(user + system) / 1e6}`,
    '# TYPE process_resident_memory_bytes gauge',
    `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
    '# HELP nodejs_eventloop_delay_seconds How late timers run since the start.',
    '# TYPE nodejs_eventloop_delay_seconds gauge',
    ...delay,
  ];
}

function writtenValue(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}

function written(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
