import 'server-only';
import type * as Api from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-logs';
import { SAMPLED } from './otlp-traces.ts';
import { activeIds } from './trace.ts';

/**
 * Exports each line of the log (`log.ts`) as a record too, with the span in which it was written.
 * The processor keeps a limited number of records; what a receiver does not take in time is lost.
 * Nothing here writes to the log, so a failed export cannot cause another record.
 */
export function startRecords(
  { api, sdk }: { api: typeof Api; sdk: typeof Sdk },
  resource: Resource,
  exporter: Sdk.LogRecordExporter,
): { shutdown(): Promise<void> } {
  const provider = new sdk.LoggerProvider({
    resource,
    processors: [new sdk.BatchLogRecordProcessor({ exporter })],
  });
  const logger = provider.getLogger('dashboard');
  const severities = {
    info: api.SeverityNumber.INFO,
    warn: api.SeverityNumber.WARN,
    error: api.SeverityNumber.ERROR,
  };
  globalThis.dashboardLogRecords = ({ level, message, attributes }) => {
    const { trace_id: traceId, span_id: spanId } = activeIds();
    logger.emit({
      severityNumber: severities[level],
      severityText: level.toUpperCase(),
      body: message,
      attributes,
      context:
        traceId === undefined || spanId === undefined
          ? api.ROOT_CONTEXT
          : api.trace.setSpanContext(api.ROOT_CONTEXT, { traceId, spanId, traceFlags: SAMPLED }),
    });
  };
  return {
    shutdown() {
      globalThis.dashboardLogRecords = undefined;
      return provider.shutdown();
    },
  };
}
