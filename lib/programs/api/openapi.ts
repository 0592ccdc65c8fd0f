import * as z from 'zod';
import type { KeyRight } from '../keys/rights.ts';
import { SCHEMAS } from './schema.ts';

/** The OpenAPI 3.1 document of the API, made from the schemas that judge its bodies. Pure. */

export type SchemaName = keyof typeof SCHEMAS;

/** `answers`: codes of refusals that this operation alone has, by status. */
export type Operation = {
  id: string;
  method: 'get' | 'post';
  path: string;
  right: KeyRight;
  summary: string;
  body: SchemaName | null;
  answer: SchemaName;
};

export const OPERATIONS: readonly Operation[] = [
  {
    id: 'createPayout',
    method: 'post',
    path: '/api/v1/payouts',
    right: 'payouts.prepare',
    summary: 'Prepare a payout. It leaves once it has the approvals that the policy asks for.',
    body: 'PayoutRequest',
    answer: 'Payout',
  },
  {
    id: 'getPayout',
    method: 'get',
    path: '/api/v1/payouts/{id}',
    right: 'payouts.read',
    summary: 'A payout that a program began, as it is now.',
    body: null,
    answer: 'Payout',
  },
  {
    id: 'createBatch',
    method: 'post',
    path: '/api/v1/batches',
    right: 'batches.prepare',
    summary: 'Prepare many payouts at once: all rows are taken, or none.',
    body: 'BatchRequest',
    answer: 'Batch',
  },
  {
    id: 'getBatch',
    method: 'get',
    path: '/api/v1/batches/{id}',
    right: 'batches.read',
    summary: 'A batch that a program began, with the count and sum of its rows by state.',
    body: null,
    answer: 'Batch',
  },
];

/** The messages that go to the merchant's own address, by their type. */
export const MESSAGES: readonly { type: string; summary: string; body: SchemaName }[] = [
  { type: 'payout.updated', summary: 'A payout has changed.', body: 'PayoutMessage' },
  { type: 'batch.updated', summary: 'A batch has changed.', body: 'BatchMessage' },
];

const PROBLEM_CONTENT = { 'application/problem+json': { schema: refTo('Problem') } };
const PROBLEMS: readonly [status: string, what: string][] = [
  ['400', 'No JSON, or no Idempotency-Key.'],
  ['401', 'No such key, or it was revoked or not confirmed.'],
  ['403', 'The key may not do this.'],
  ['404', 'No such record.'],
  ['413', 'The body is too large.'],
  ['415', 'The body is no application/json.'],
  ['422', 'The rules refuse it, or the Idempotency-Key was used with another body.'],
  ['429', 'Too many requests; Retry-After says when to go on.'],
  ['503', 'It may have been carried out; repeat it with the same Idempotency-Key.'],
];

/**
 * A body without a length, or with one above that of every form, is refused before the API sees the
 * request (`lib/runtime/request-screen.ts`): with a line of text instead of a problem.
 */
const LINE = { 'text/plain': { schema: { type: 'string' } } };
const SCREENED = {
  '411': { description: 'The body has no Content-Length, or is sent in chunks.', content: LINE },
  '413': { description: 'The body is too large.', content: { ...PROBLEM_CONTENT, ...LINE } },
};

export function openApiDocument(origin: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of OPERATIONS)
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method]: operationOf(operation),
    };
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Payment Desk API',
      version: '1',
      description:
        'Prepares payouts and batches for a merchant. Every answer about money says first what is ' +
        'known about the money. The maker of a payout is the person whose key it is: the same ' +
        'rules, limits and approvals as in the form.',
    },
    servers: [{ url: origin }],
    security: [{ key: [] }],
    paths,
    webhooks: Object.fromEntries(MESSAGES.map((one) => [one.type, { post: messageOf(one) }])),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key of the page /developers.' },
      },
      schemas: componentSchemas(),
    },
  };
}

function componentSchemas(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(SCHEMAS).map(([name, schema]) => {
      const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io: 'input' });
      return [name, made];
    }),
  );
}

function operationOf({ id, method, right, summary, body, answer, path }: Operation): object {
  const isPost = method === 'post';
  return {
    operationId: id,
    summary,
    description: `Needs the right \`${right}\`.`,
    parameters: [
      ...(path.includes('{id}')
        ? [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }]
        : []),
      ...(isPost ? [idempotencyParameter()] : []),
    ],
    ...(body !== null && {
      requestBody: { required: true, content: { 'application/json': { schema: refTo(body) } } },
    }),
    responses: {
      [isPost ? '201' : '200']: {
        description: isPost
          ? 'Stored. A repetition has the same answer and the header Idempotent-Replayed.'
          : 'Found.',
        content: { 'application/json': { schema: refTo(answer) } },
      },
      ...Object.fromEntries(PROBLEMS.map(([status, what]) => [status, problemOf(what)])),
      ...(isPost && SCREENED),
    },
  };
}

function messageOf({ type, summary, body }: (typeof MESSAGES)[number]): object {
  return {
    operationId: type,
    summary,
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: refTo(body) } } },
    responses: { '2XX': { description: 'Taken. Any other answer: it is sent again.' } },
  };
}

function idempotencyParameter(): object {
  return {
    name: 'Idempotency-Key',
    in: 'header',
    required: true,
    description:
      'New for every payment, such as a UUID; the same for every repetition of it. It never expires.',
    schema: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[\\x21-\\x7e]+$' },
  };
}

function problemOf(description: string): object {
  return { description, content: PROBLEM_CONTENT };
}

function refTo(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` };
}

/** Parts of a body whose own fields are listed too, and what stands before their names. */
const LISTED = { rows: 'rows[].', data: 'data.' };

type Shape = {
  properties?: Record<string, Shape>;
  required?: string[];
  items?: Shape;
};

/** A field as the reference lists it: `path` is `rows[].iban` for the field `iban` of a row. */
export type FieldLine = { path: string; field: string; isRequired: boolean };

/** The fields of a schema, with those of rows and messages; parts of an answer stay whole. */
export function fieldsOf(name: SchemaName): FieldLine[] {
  const shape = z.toJSONSchema(SCHEMAS[name], { io: 'input' }) as Shape;
  return linesOf(shape, '').flatMap((line) => {
    if (line.field !== 'rows' && line.field !== 'data') return [line];
    const part = shape.properties![line.field]!;
    return [line, ...linesOf(part.items ?? part, LISTED[line.field])];
  });
}

function linesOf({ properties = {}, required = [] }: Shape, before: string): FieldLine[] {
  return Object.keys(properties).map((field) => ({
    path: `${before}${field}`,
    field,
    isRequired: required.includes(field),
  }));
}
