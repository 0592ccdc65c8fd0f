import 'server-only';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { OTLPExporterBase } from '@opentelemetry/otlp-exporter-base';
import type { IExporterMetricsHelper, ISerializer } from '@opentelemetry/otlp-transformer';
import type { Resource } from '@opentelemetry/resources';
import { env } from './env.ts';
import { startRecords } from './otlp-logs.ts';
import { startFigures } from './otlp-metrics.ts';
import { startSpans } from './otlp-traces.ts';

/** How long a stop waits for the last export: with the wait for open responses less than 5 s. */
const FLUSH_MS = 1_500;

type Service = 'web' | 'webhooks' | 'worker';

/**
 * Exports the spans, the figures and the log of this process over OTLP/HTTP if
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The exporters read the standard variables for headers,
 * timeouts and certificates themselves. The returned function exports what is left and ends all
 * three; call it before what the figures are read from is closed. A receiver that is away costs
 * what it would have got, and nothing else.
 */
export async function startTelemetry(service: Service): Promise<() => Promise<void>> {
  const { otlpEndpoint, metricExportMs } = env();
  if (otlpEndpoint === null) return async () => {};
  const packages = await loadPackages();
  const { api, transformer } = packages;
  const resource = resourceOf(packages, service);
  const exported = [
    startSpans(
      { api, sdk: packages.traces },
      resource,
      new packages.traceExporter.OTLPTraceExporter(),
    ),
    startFigures({ api, sdk: packages.metrics }, resource, {
      exporter: exporterOf(packages, {
        signal: 'metrics',
        type: 'otlp_http_metric_exporter',
        serializer: transformer.ProtobufMetricsSerializer,
        helper: transformer.MetricsExporterMetricsHelper,
      }),
      intervalMs: metricExportMs,
    }),
    startRecords(
      { api, sdk: packages.logs },
      resource,
      exporterOf(packages, {
        signal: 'logs',
        type: 'otlp_http_log_exporter',
        serializer: transformer.ProtobufLogsSerializer,
        helper: transformer.LogsExporterMetricsHelper,
      }),
    ),
  ];
  return async () => {
    const ended = new AbortController();
    await Promise.race([
      Promise.allSettled(exported.map((one) => one.shutdown())),
      pause(FLUSH_MS, undefined, { signal: ended.signal }).catch(() => undefined),
    ]);
    ended.abort();
  };
}

type Packages = Awaited<ReturnType<typeof loadPackages>>;

async function loadPackages() {
  const [api, traceExporter, base, http, transformer, resources, traces, metrics, logs] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/otlp-exporter-base'),
      import('@opentelemetry/otlp-exporter-base/node-http'),
      import('@opentelemetry/otlp-transformer'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/sdk-logs'),
    ]);
  return { api, traceExporter, base, http, transformer, resources, traces, metrics, logs };
}

function resourceOf({ resources }: Packages, service: Service): Resource {
  return resources
    .defaultResource()
    .merge(
      resources.resourceFromAttributes({
        'service.name': `dashboard-${service}`,
        'service.instance.id': randomUUID(),
      }),
    )
    .merge(
      resources.detectResources({
        detectors: [resources.resourceAttributesEnvDetector, resources.serviceNameEnvDetector],
      }),
    );
}

/** The exporter of a signal, as the exporter of spans is made (docs/dependencies.md says why). */
function exporterOf<Items, Response>(
  { base, http }: Packages,
  {
    signal,
    type,
    serializer,
    helper,
  }: {
    signal: 'metrics' | 'logs';
    /** The name of this kind of exporter in OpenTelemetry's conventions. */
    type: string;
    serializer: ISerializer<Items, Response>;
    helper: IExporterMetricsHelper<Items>;
  },
): OTLPExporterBase<Items> {
  const options = http.convertLegacyHttpOptions({}, signal.toUpperCase(), `v1/${signal}`, {
    'Content-Type': 'application/x-protobuf',
  });
  return new base.OTLPExporterBase(
    http.createOtlpHttpExportDelegate(options, serializer, type, helper, undefined),
  );
}
