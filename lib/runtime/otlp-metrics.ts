import 'server-only';
import type * as Api from '@opentelemetry/api';
import type { HrTime } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-metrics';
import type { DataPoint, MetricData } from '@opentelemetry/sdk-metrics';
import { presentFigures, watchEventLoop } from './metrics.ts';
import type { Figure, Labels } from './metrics.ts';

type Packages = { api: typeof Api; sdk: typeof Sdk };

/**
 * Exports the figures of `metrics.ts` every `intervalMs` and once more at the end. They are handed
 * to OpenTelemetry's reader as they are, without instruments of its own, so that a collector gets
 * the names, labels, bounds and values of the Prometheus text.
 */
export function startFigures(
  packages: Packages,
  resource: Resource,
  { exporter, intervalMs }: { exporter: Sdk.PushMetricExporter; intervalMs: number },
): { shutdown(): Promise<void> } {
  const { sdk } = packages;
  watchEventLoop();
  const collect = async (): Promise<Sdk.CollectionResult> => ({
    resourceMetrics: {
      resource,
      scopeMetrics: [{ scope: { name: 'dashboard' }, metrics: await metricData(packages) }],
    },
    errors: [],
  });
  return new sdk.MeterProvider({
    resource,
    readers: [
      new sdk.PeriodicExportingMetricReader({
        exporter,
        exportIntervalMillis: intervalMs,
        metricProducers: [{ collect }],
      }),
    ],
  });
}

/** Every figure that has a value. */
async function metricData(packages: Packages): Promise<MetricData[]> {
  const figures = await presentFigures();
  const pointAt = pointer();
  return figures
    .map((figure) => dataOf(packages, figure, pointAt))
    .filter(({ dataPoints }) => dataPoints.length > 0);
}

type PointAt = <T>(labels: Labels, value: T) => DataPoint<T>;

/** Makes points of now. What is counted is counted since the start of the process. */
function pointer(): PointAt {
  const startTime = hrTime(performance.timeOrigin);
  const endTime = hrTime(Date.now());
  return (labels, value) => ({
    startTime,
    endTime,
    // Text, as labels are in the Prometheus text.
    attributes: Object.fromEntries(
      Object.entries(labels).map(([name, label]) => [name, String(label)]),
    ),
    value,
  });
}

function dataOf({ api, sdk }: Packages, figure: Figure, pointAt: PointAt): MetricData {
  const common = {
    descriptor: {
      name: figure.name,
      description: figure.help ?? '',
      // The names end with their unit.
      unit: '',
      valueType: api.ValueType.DOUBLE,
    },
    aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
  };
  if (figure.kind === 'histogram')
    return {
      ...common,
      dataPointType: sdk.DataPointType.HISTOGRAM,
      dataPoints: figure.series.map(({ labels, buckets, sum }) =>
        pointAt(labels, {
          buckets: { boundaries: [...figure.bounds], counts: [...buckets] },
          sum,
          count: buckets.reduce((total, count) => total + count, 0),
        }),
      ),
    };
  const dataPoints = figure.values.map(([labels, value]) => pointAt(labels, value));
  return figure.kind === 'counter'
    ? { ...common, dataPointType: sdk.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: sdk.DataPointType.GAUGE, dataPoints };
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.floor((ms % 1_000) * 1e6)];
}
