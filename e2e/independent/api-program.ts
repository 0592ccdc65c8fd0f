import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, request as send } from 'node:http';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A program of the merchant, written from the OpenAPI document and from standardwebhooks.com alone:
 * it reads the document, makes its requests from it, and verifies what it is told.
 */

type Schema = { $ref?: string };
type Body = { content: Record<string, { schema: Schema }> };
type Operation = {
  operationId: string;
  parameters: { name: string; in: 'path' | 'header'; required: boolean }[];
  requestBody?: Body;
  responses: Record<string, Body & { description: string }>;
};
export type Document = {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
};
export type Answer = {
  status: number;
  type: string;
  headers: Headers;
  body: Record<string, unknown>;
  /** The schema that the document names for this status and type; null where it names none. */
  schema: string | null;
};
type Given = { id?: string; idempotencyKey?: string; body?: object };

export class Program {
  readonly document: Document;
  readonly #key: string;

  constructor(document: Document, key: string) {
    this.document = document;
    this.#key = key;
  }

  static async read(origin: string): Promise<Document> {
    return (await (await fetch(`${origin}/api/v1/openapi.json`)).json()) as Document;
  }

  async call(operationId: string, given: Given): Promise<Answer> {
    const { url, method, headers, body, operation } = this.#request(operationId, given);
    const response = await fetch(url, { method, headers, ...(body !== null && { body }) });
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
    const named = operation.responses[String(response.status)]?.content[type]?.schema.$ref;
    return {
      status: response.status,
      type,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
      schema: named?.split('/').at(-1) ?? null,
    };
  }

  /** Sends the whole request and cuts the line before the answer: it may have been carried out. */
  async callAndHangUp(operationId: string, given: Given): Promise<void> {
    const { url, method, headers, body } = this.#request(operationId, given);
    await new Promise<void>((cut) => {
      const request = send(url, {
        method,
        headers: { ...headers, 'content-length': Buffer.byteLength(body ?? '') },
      });
      request.on('error', () => undefined).on('close', () => cut());
      request.end(body ?? '', () => request.socket?.end(() => request.destroy()));
    });
  }

  #request(operationId: string, { id = '', idempotencyKey, body }: Given) {
    for (const [path, methods] of Object.entries(this.document.paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.operationId === operationId) {
          const type = Object.keys(operation.requestBody?.content ?? {})[0];
          return {
            operation,
            method: method.toUpperCase(),
            url: `${this.document.servers[0]!.url}${path.replace('{id}', id)}`,
            headers: {
              authorization: `Bearer ${this.#key}`,
              ...(type !== undefined && { 'content-type': type }),
              ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
            },
            body: body === undefined ? null : JSON.stringify(body),
          };
        }
    throw new Error(`the document has no operation ${operationId}`);
  }
}

export type Told = { id: string; isSigned: boolean; message: Record<string, unknown> };

/** The program's own server, which takes webhooks and verifies each by its secret. */
export class Receiver {
  readonly told: Told[] = [];
  secret = '';
  #server: Server | null = null;

  async open(): Promise<string> {
    this.#server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        this.told.push({
          id: String(request.headers['webhook-id']),
          isSigned: this.#isSigned(request.headers, body),
          message: JSON.parse(body) as Record<string, unknown>,
        });
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((open) => this.#server!.listen(0, '127.0.0.1', open));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/payments`;
  }

  async close(): Promise<void> {
    await new Promise((closed) => this.#server?.close(closed));
  }

  #isSigned(headers: IncomingHttpHeaders, body: string): boolean {
    const time = Number(headers['webhook-timestamp']);
    if (Math.abs(Date.now() / 1_000 - time) > 300) return false;
    const key = Buffer.from(this.secret.slice('whsec_'.length), 'base64');
    const own = createHmac('sha256', key)
      .update(`${String(headers['webhook-id'])}.${time}.${body}`)
      .digest();
    return String(headers['webhook-signature'])
      .split(' ')
      .some((signature) => {
        const given = Buffer.from(signature.slice('v1,'.length), 'base64');
        return given.length === own.length && timingSafeEqual(given, own);
      });
  }
}
