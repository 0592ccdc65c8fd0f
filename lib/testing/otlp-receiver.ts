import * as http from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** A receiver of OTLP over HTTP, which keeps each body as it came and reads the spans in it. */

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
export type OtlpReceiver = {
  url: string;
  bodies: Buffer[];
  spans(): ReceivedSpan[];
  close(): void;
};

/** `port`: any free one, if not given. */
export async function startOtlpReceiver(port = 0): Promise<OtlpReceiver> {
  const bodies: Buffer[] = [];
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/v1/traces') bodies.push(Buffer.concat(parts));
      response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    spans: () => bodies.flatMap(spansOf),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The fields of a message by number; a number is kept as its decimal digits. */
type Message = Map<number, (Buffer | string)[]>;

/** Numbers of the fields in opentelemetry/proto/trace/v1/trace.proto and common.proto. */
function spansOf(body: Buffer): ReceivedSpan[] {
  return messages(read(body), 1).flatMap((ofResource) => {
    const [resource] = messages(ofResource, 1);
    const service = attributesOf(resource!, 1)['service.name'] ?? '';
    return messages(ofResource, 2)
      .flatMap((ofScope) => messages(ofScope, 2))
      .map((span) => ({
        service,
        traceId: bytes(span, 1).toString('hex'),
        spanId: bytes(span, 2).toString('hex'),
        parentId: bytes(span, 4).toString('hex'),
        name: bytes(span, 5).toString('utf8'),
        attributes: attributesOf(span, 9),
        events: messages(span, 11).map((event) => bytes(event, 2).toString('utf8')),
      }));
  });
}

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
