import * as http from 'node:http';
import { EventEmitter, once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A receiver of OTLP over HTTP, which keeps each body as it came and reads what is in it. */

export type ReceivedSpan = {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentId: string;
  name: string;
  attributes: Record<string, string>;
  events: string[];
};
export type ReceivedRecord = {
  service: string;
  /** Milliseconds. */
  time: number;
  severity: string;
  severityNumber: number;
  body: string;
  attributes: Record<string, string>;
  /** Both empty for a record outside of every span. */
  traceId: string;
  spanId: string;
};
/** A metric, with its values written as lines of Prometheus text. */
export type ReceivedMetric = {
  name: string;
  help: string;
  kind: string;
  lines: string[];
  /** Since when each of its values is counted, in milliseconds. */
  since: number[];
};
export type OtlpReceiver = {
  url: string;
  /** Every body that came, of all signals. */
  bodies: Buffer[];
  spans(): ReceivedSpan[];
  records(): ReceivedRecord[];
  /** What this service exported last. */
  metrics(service: string): ReceivedMetric[];
  /** Resolves when so many more bodies of this signal have come. */
  came(signal: Signal, count: number): Promise<void>;
  close(): void;
};
type Signal = 'traces' | 'metrics' | 'logs';

/** `port`: any free one, if not given. `status`: what it answers; it keeps the body in any case. */
export async function startOtlpReceiver(port = 0, status = 200): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  const bySignal: Record<Signal, Buffer[]> = { traces: [], metrics: [], logs: [] };
  const arrivals = new EventEmitter();
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = Buffer.concat(parts);
      const signal = request.url?.replace('/v1/', '') as Signal;
      bodies.push(body);
      bySignal[signal].push(body);
      response.writeHead(status, { 'Content-Type': 'application/x-protobuf' }).end();
      arrivals.emit(signal);
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () => bySignal.traces.flatMap(spansOf),
    records: () => bySignal.logs.flatMap(recordsOf),
    metrics: (service) =>
      bySignal.metrics
        .flatMap(resourcesOf)
        .findLast((one) => one.service === service)
        ?.items.map(metricOf) ?? [],
    async came(signal, count) {
      for (let left = count; left > 0; left -= 1) await once(arrivals, signal);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The spans, records or metrics of a body, by the service that sent them. */
function resourcesOf(body: Buffer): { service: string; items: Message[] }[] {
  return messages(read(body), 1).map((ofResource) => {
    const [resource] = messages(ofResource, 1);
    return {
      service: attributesOf(resource!, 1)['service.name'] ?? '',
      items: messages(ofResource, 2).flatMap((ofScope) => messages(ofScope, 2)),
    };
  });
}

/** Numbers of the fields in opentelemetry/proto/trace/v1/trace.proto and common.proto. */
function spansOf(body: Buffer): ReceivedSpan[] {
  return resourcesOf(body).flatMap(({ service, items }) =>
    items.map((span) => ({
      service,
      traceId: bytes(span, 1).toString('hex'),
      spanId: bytes(span, 2).toString('hex'),
      parentId: bytes(span, 4).toString('hex'),
      name: bytes(span, 5).toString('utf8'),
      attributes: attributesOf(span, 9),
      events: messages(span, 11).map((event) => bytes(event, 2).toString('utf8')),
    })),
  );
}

/** Numbers of the fields in opentelemetry/proto/logs/v1/logs.proto. */
function recordsOf(body: Buffer): ReceivedRecord[] {
  return resourcesOf(body).flatMap(({ service, items }) =>
    items.map((record) => ({
      service,
      time: Number(BigInt(number(record, 1)) / 1_000_000n),
      severityNumber: Number(number(record, 2)),
      severity: bytes(record, 3).toString('utf8'),
      body: bytes(messages(record, 5)[0]!, 1).toString('utf8'),
      attributes: attributesOf(record, 6),
      traceId: bytes(record, 9).toString('hex'),
      spanId: bytes(record, 10).toString('hex'),
    })),
  );
}

/** Numbers of the fields in opentelemetry/proto/metrics/v1/metrics.proto. */
function metricOf(metric: Message): ReceivedMetric {
  const name = bytes(metric, 1).toString('utf8');
  const [gauge] = messages(metric, 5);
  const [sum] = messages(metric, 7);
  const [histogram] = messages(metric, 9);
  const isTotal = sum !== undefined && number(sum, 2) === CUMULATIVE && number(sum, 3) === '1';
  const isCounted = histogram !== undefined && number(histogram, 2) === CUMULATIVE;
  return {
    name,
    help: bytes(metric, 2).toString('utf8'),
    since: [gauge, sum, histogram]
      .flatMap((one) => (one === undefined ? [] : messages(one, 1)))
      .map((point) => Number(BigInt(number(point, 2)) / 1_000_000n)),
    kind: isTotal ? 'counter' : isCounted ? 'histogram' : gauge === undefined ? '' : 'gauge',
    lines: [
      ...[gauge, sum]
        .flatMap((one) => (one === undefined ? [] : messages(one, 1)))
        .map(
          (point) => `${name}${labels(attributesOf(point, 7))} ${value(double(number(point, 4)))}`,
        ),
      ...(histogram === undefined ? [] : messages(histogram, 1)).flatMap((point) =>
        histogramLines(name, point),
      ),
    ],
  };
}

function histogramLines(name: string, point: Message): string[] {
  const own = attributesOf(point, 9);
  const bounds = packed(bytes(point, 7)).map(double);
  let total = 0;
  const buckets = packed(bytes(point, 6)).map((count, at) => {
    total += Number(count);
    return `${name}_bucket${labels({ ...own, le: value(bounds[at] ?? Infinity) })} ${total}`;
  });
  return [
    ...buckets,
    `${name}_sum${labels(own)} ${value(double(number(point, 5)))}`,
    `${name}_count${labels(own)} ${number(point, 4)}`,
  ];
}

function labels(attributes: Record<string, string>): string {
  const pairs = Object.entries(attributes).map(([name, text]) => `${name}="${text}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function value(given: number): string {
  return given === Infinity ? '+Inf' : String(given);
}

/** `AGGREGATION_TEMPORALITY_CUMULATIVE`. */
const CUMULATIVE = '2';

/** The fields of a message by number; a number is kept as its decimal digits. */
type Message = Map<number, (Buffer | string)[]>;

function attributesOf(message: Message, field: number): Record<string, string> {
  return Object.fromEntries(
    messages(message, field).map((pair) => {
      const [value] = messages(pair, 2);
      const [text] = [...(value ?? new Map()).values()].flat() as (Buffer | string)[];
      return [bytes(pair, 1).toString('utf8'), String(text ?? '')];
    }),
  );
}

function messages(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((part) => read(part as Buffer));
}

/** The decimal digits of a number; 0 is not sent. */
function number(message: Message, field: number): string {
  return (message.get(field)?.[0] as string | undefined) ?? '0';
}

/** The number whose eight bytes were read as a whole number. */
function double(digits: string): number {
  const whole = Buffer.alloc(8);
  whole.writeBigUInt64LE(BigInt(digits));
  return whole.readDoubleLE();
}

/** Numbers of eight bytes each. */
function packed(body: Buffer): string[] {
  return Array.from({ length: body.length / 8 }, (_, at) =>
    body.readBigUInt64LE(at * 8).toString(),
  );
}

function bytes(message: Message, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

function read(body: Buffer): Message {
  const fields: Message = new Map();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = body[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const taken = (size: number): Buffer => body.subarray(at, (at += size));
  while (at < body.length) {
    const key = Number(varint());
    const value = valueOf(key & 7, varint, taken);
    fields.set(key >> 3, [...(fields.get(key >> 3) ?? []), value]);
  }
  return fields;
}

/** A value of a wire type: a number, eight bytes, a text or message, four bytes. */
function valueOf(
  wireType: number,
  varint: () => bigint,
  taken: (size: number) => Buffer,
): Buffer | string {
  switch (wireType) {
    case 0:
      return varint().toString();
    case 1:
      return taken(8).readBigUInt64LE().toString();
    case 2:
      return taken(Number(varint()));
    case 5:
      return taken(4).readUInt32LE().toString();
    default:
      throw new RangeError(`no wire type ${wireType}`);
  }
}
