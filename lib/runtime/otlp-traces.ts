import 'server-only';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import type * as Api from '@opentelemetry/api';
import type { Context, Span, SpanContext, SpanStatusCode, Tracer } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type * as Sdk from '@opentelemetry/sdk-trace';
import { attributesOf, errorFields } from './allowed-fields.ts';
import type { Tracing } from './trace.ts';

const HEX_OF_SPAN_ID = 16;
/** The flag of W3C trace contexts. Every span is exported; a collector may drop whole traces. */
export const SAMPLED = 1;

/**
 * Makes the spans of this process (`trace.ts`). The provider of spans is not registered globally:
 * the framework would add spans of its own, whose addresses hold what people search for.
 */
export function startSpans(
  { api, sdk }: { api: typeof Api; sdk: typeof Sdk },
  resource: Resource,
  exporter: Sdk.SpanExporter,
): { shutdown(): Promise<void> } {
  const ids = new sdk.RandomIdGenerator();
  let given: SpanContext | null = null;
  const provider = new sdk.TracerProvider({
    resource,
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
    idGenerator: {
      generateTraceId: () => given?.traceId ?? ids.generateTraceId(),
      generateSpanId: () => given?.spanId ?? ids.generateSpanId(),
    },
  });
  globalThis.dashboardTracing = createTracing({
    tracer: provider.getTracer('dashboard'),
    contextOf: (parent) => api.trace.setSpanContext(api.ROOT_CONTEXT, parent),
    root: api.ROOT_CONTEXT,
    error: api.SpanStatusCode.ERROR,
    kinds: { request: api.SpanKind.CLIENT, step: api.SpanKind.INTERNAL },
    withIds(context, start) {
      given = context;
      try {
        return start();
      } finally {
        given = null;
      }
    },
  });
  return {
    shutdown() {
      globalThis.dashboardTracing = undefined;
      return provider.shutdown();
    },
  };
}

/** A step that runs. Its span is started when it is needed, with the step's beginning as its own. */
type Scope = Parameters<Tracing['inStep']>[0] & {
  begunAt: number;
  outer: Scope | null;
  span: Span | null;
};

/** What of the packages is needed here: they are loaded only where spans are exported. */
type Packages = {
  tracer: Tracer;
  contextOf(parent: SpanContext): Context;
  root: Context;
  error: SpanStatusCode;
  kinds: { request: number; step: number };
  /** Starts a span that gets these ids instead of random ones. */
  withIds(context: SpanContext, start: () => Span): Span;
};

function createTracing(packages: Packages): Tracing {
  const { tracer, contextOf, root, withIds } = packages;
  const scopes = new AsyncLocalStorage<Scope>();
  const started = (scope: Scope, parent?: SpanContext): Span =>
    startedSpan(packages, scope, parent);
  return {
    inStep(step, work) {
      const scope: Scope = {
        ...step,
        begunAt: Date.now(),
        outer: scopes.getStore() ?? null,
        span: null,
      };
      if (step.isRequest === true) started(scope);
      return scopes.run(scope, () => endedWith(scope, work, packages.error));
    },
    aboutMovement({ id, kind }, fields) {
      const scope = scopes.getStore();
      if (scope === undefined) return;
      started(scope, rootOf(id)).setAttributes(attributesOf({ movement: id, kind, ...fields }));
    },
    noteStored({ id, kind }) {
      const context = rootOf(id);
      const begunAt = scopes.getStore()?.begunAt;
      withIds(context, () =>
        tracer.startSpan(
          'movement',
          {
            attributes: attributesOf({ movement: id, kind }),
            ...(begunAt === undefined ? {} : { startTime: begunAt }),
          },
          root,
        ),
      ).end();
    },
    noteEvidence({ id, kind }, name, fields) {
      const attributes = attributesOf({ movement: id, kind, ...fields });
      const scope = scopes.getStore();
      const span = scope === undefined ? null : started(scope, rootOf(id));
      if (span?.spanContext().traceId === rootOf(id).traceId) {
        span.addEvent(name, attributes);
        return;
      }
      // A step about several movements: each of them has it in its own trace.
      const links = span === null ? [] : [{ context: span.spanContext() }];
      tracer.startSpan(name, { attributes, links }, contextOf(rootOf(id))).end();
    },
    describe(fields) {
      scopes.getStore()?.span?.setAttributes(attributesOf(fields));
    },
    activeIds() {
      const context = scopes.getStore()?.span?.spanContext();
      return context === undefined ? null : { trace_id: context.traceId, span_id: context.spanId };
    },
  };
}

/** The context of the first span in the trace of a movement. */
function rootOf(id: string): SpanContext {
  const spanId = createHash('sha256').update(id.toLowerCase()).digest('hex');
  return {
    traceId: id.replaceAll('-', '').toLowerCase(),
    spanId: spanId.slice(0, HEX_OF_SPAN_ID),
    traceFlags: SAMPLED,
  };
}

/** The span of a step, below `parent` or the step around it. */
function startedSpan(packages: Packages, scope: Scope, parent?: SpanContext): Span {
  if (scope.span !== null) return scope.span;
  const { tracer, contextOf, root, kinds } = packages;
  const above =
    parent ?? (scope.outer === null ? null : startedSpan(packages, scope.outer).spanContext());
  scope.span = tracer.startSpan(
    scope.name,
    {
      startTime: scope.begunAt,
      kind: scope.isRequest === true ? kinds.request : kinds.step,
      attributes: attributesOf(scope.fields ?? {}),
    },
    above === null ? root : contextOf(above),
  );
  return scope.span;
}

/** Runs `work`, and ends the step's span, if it was started, when `work` has ended. */
function endedWith<T>(scope: Scope, work: () => T, code: SpanStatusCode): T {
  const failed = (error: unknown): void => {
    if (!isAnswer(error))
      scope.span?.setStatus({ code }).setAttributes(attributesOf(errorFields(error)));
    scope.span?.end();
  };
  try {
    const result = work();
    if (result instanceof Promise) result.then(() => scope.span?.end(), failed);
    else scope.span?.end();
    return result;
  } catch (error) {
    failed(error);
    throw error;
  }
}

/** A redirect of the framework is thrown like an error. */
function isAnswer(error: unknown): boolean {
  const digest: unknown = (error as { digest?: unknown } | null)?.digest;
  return typeof digest === 'string' && digest.startsWith('NEXT_');
}
