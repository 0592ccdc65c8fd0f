import 'server-only';
import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * The figures of this process, read as Prometheus text (`serve-metrics.ts`) and for OTLP
 * (`otlp-metrics.ts`). Labels are names from our code: never an address, a person or an amount.
 */

export type Labels = Readonly<Record<string, string | number>>;
/** A figure that is read when the metrics are: its present values, each with its labels. */
export type Gauge = { name: string; help: string; values: readonly [Labels, number][] };
type Counts = Map<string, { labels: Labels; count: number }>;
/** What one set of labels observed: the count of each bucket by itself, the last without a bound. */
type Observed = { labels: Labels; buckets: number[]; sum: number };
type Series = Map<string, Observed>;
type Metric = { help: string } & (
  | { kind: 'counter'; counts: Counts }
  | { kind: 'histogram'; bounds: readonly number[]; series: Series }
);

/** A figure with its present values, as every way out of this process writes it. */
export type Figure = { name: string; help?: string } & (
  | { kind: 'counter' | 'gauge'; values: readonly [Labels, number][] }
  | { kind: 'histogram'; bounds: readonly number[]; series: readonly Observed[] }
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

function linesOf(figure: Figure): string[] {
  return figure.kind === 'histogram'
    ? figure.series.flatMap((one) => histogramLines(figure.name, figure.bounds, one))
    : figure.values.map(
        ([labels, value]) => `${figure.name}${written(labels)} ${writtenValue(value)}`,
      );
}

function histogramLines(
  name: string,
  bounds: readonly number[],
  { labels, buckets, sum }: Observed,
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
  const lines = (await presentFigures()).flatMap((figure) => [
    ...(figure.help === undefined ? [] : [`# HELP ${figure.name} ${figure.help}`]),
    `# TYPE ${figure.name} ${figure.kind}`,
    ...linesOf(figure),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Reads every figure of this process. */
export async function presentFigures(): Promise<Figure[]> {
  const read = await Promise.allSettled(readers.map((reader) => reader()));
  const isRead = read.every((one) => one.status === 'fulfilled');
  const readOut: Gauge[] = [
    ...read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    {
      name: 'dashboard_figures_read',
      help: 'Whether every other figure could be read.',
      values: [[{}, isRead ? 1 : 0]],
    },
  ];
  return [
    ...[...metrics].map(([name, metric]) => countedFigure(name, metric)),
    ...readOut.map((gauge): Figure => ({ ...gauge, kind: 'gauge' })),
    ...processFigures(),
  ];
}

function countedFigure(name: string, metric: Metric): Figure {
  const { help } = metric;
  return metric.kind === 'counter'
    ? {
        name,
        help,
        kind: 'counter',
        values: [...metric.counts.values()].map(({ labels, count }) => [labels, count]),
      }
    : {
        name,
        help,
        kind: 'histogram',
        bounds: metric.bounds,
        series: [...metric.series.values()],
      };
}

function processFigures(): Figure[] {
  const { user, system } = process.cpuUsage();
  return [
    { name: 'process_cpu_seconds_total', kind: 'counter', values: [[{}, (user + system) / 1e6]] },
    {
      name: 'process_resident_memory_bytes',
      kind: 'gauge',
      values: [[{}, process.memoryUsage.rss()]],
    },
    {
      name: 'nodejs_eventloop_delay_seconds',
      help: 'How late timers run since the start.',
      kind: 'gauge',
      values: [0.5, 0.99].map((quantile) => [
        { quantile },
        loopDelay.percentile(quantile * 100) / 1e9,
      ]),
    },
  ];
}

function writtenValue(value: number): string {
  return value === Number.POSITIVE_INFINITY ? '+Inf' : String(value);
}

function written(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
