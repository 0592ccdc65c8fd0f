import 'server-only';
import type { PlainFields } from './allowed-fields.ts';

/**
 * Spans of this process. Without `OTEL_EXPORTER_OTLP_ENDPOINT` each function only calls its `work`,
 * and nothing of OpenTelemetry is loaded.
 *
 * The trace of a movement has the movement's id as its trace id (decision 52). Whoever knows the
 * movement therefore adds to the same trace: the press that stores it, a worker, a webhook.
 */

type Step = { name: string; fields?: PlainFields; isRequest?: boolean };
type Moved = { id: string; kind: string };

export type Tracing = {
  inStep<T>(step: Step, work: () => T): T;
  aboutMovement(movement: Moved, fields: PlainFields): void;
  noteStored(movement: Moved): void;
  noteEvidence(movement: Moved, name: string, fields: PlainFields): void;
  describe(fields: PlainFields): void;
  activeIds(): { trace_id: string; span_id: string } | null;
};

declare global {
  /** Global, because the framework's bundle has a copy of its own of this module. */
  var dashboardTracing: Tracing | undefined;
}

/**
 * Runs `work` in a span that begins now, if something in it is traced: a movement is named, or a
 * request to a provider is made. `work` may be synchronous.
 */
export function inStep<T>(step: Step, work: () => T): T {
  const tracing = globalThis.dashboardTracing;
  return tracing === undefined ? work() : tracing.inStep(step, work);
}

/** Puts the current step into the trace of this movement. Call it before other steps begin in it. */
export function aboutMovement(movement: Moved, fields: PlainFields = {}): void {
  globalThis.dashboardTracing?.aboutMovement(movement, fields);
}

/** Begins the trace of a movement that is being stored, with the beginning of the current step. */
export function noteStored(movement: Moved): void {
  globalThis.dashboardTracing?.noteStored(movement);
}

/** Adds a piece of evidence to the trace of its movement, whatever the current step is about. */
export function noteEvidence(movement: Moved, name: string, fields: PlainFields): void {
  globalThis.dashboardTracing?.noteEvidence(movement, name, fields);
}

/** Adds fields to the span of the current step. */
export function describeStep(fields: PlainFields): void {
  globalThis.dashboardTracing?.describe(fields);
}

/** The ids of the current span, for log lines; empty without one. */
export function activeIds(): { trace_id?: string; span_id?: string } {
  return globalThis.dashboardTracing?.activeIds() ?? {};
}
