import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import en from '../../../messages/en/developers.json' with { type: 'json' };
import tr from '../../../messages/tr/developers.json' with { type: 'json' };
import { screenRequest } from '#lib/runtime/request-screen.ts';
import { fieldsOf, openApiDocument, OPERATIONS } from './openapi.ts';
import { batchBody, payoutBody, SCHEMAS } from './schema.ts';
import type { PayoutBody } from './schema.ts';

/** The OpenAPI document says what the schemas judge, and its words exist in both languages. */

const document = openApiDocument('https://desk.test') as {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { content: object }> }>
  >;
  components: { schemas: Record<string, object> };
};
const ajv = new Ajv2020({ strict: false, validateFormats: false });
for (const [name, schema] of Object.entries(document.components.schemas))
  ajv.addSchema(schema, `#${name}`);

const PAYOUT: PayoutBody = {
  wallet: '1000000001',
  currency: 'TRY',
  iban: 'TR330006100519786457841326',
  name: 'Ayşe Yılmaz',
  tax_number: '10000000146',
  amount: '1250.00',
  payment_type: '06',
  description: 'Fatura',
};
const { wallet, currency, ...ROW } = PAYOUT;

const BODIES: [what: string, change: Record<string, unknown>][] = [
  ['as it should be', {}],
  ['with a warning confirmed', { overrides: ['duplicate'], override_reason: 'advance' }],
  ['with a number for an amount', { amount: 1250 }],
  ['with one decimal', { amount: '1250.0' }],
  ['with a leading zero', { amount: '01250.00' }],
  ['with a negative amount', { amount: '-1.00' }],
  ['with an unknown field', { to: 'x' }],
  ['with a currency in small letters', { currency: 'try' }],
  ['without a payee', { iban: undefined }],
  ['with a wallet of letters', { wallet: 'abcd' }],
];

describe('the OpenAPI document', () => {
  it.each(BODIES)('and the schema agree about a payout %s', (_what, change) => {
    const body = JSON.parse(JSON.stringify({ ...PAYOUT, ...change })) as unknown;
    expect(ajv.validate('#PayoutRequest', body)).toBe(payoutBody.safeParse(body).success);
  });

  it('and the schema agree about the number of rows', () => {
    for (const count of [0, 1, 5_000, 5_001]) {
      const body = { wallet, currency, rows: Array.from({ length: count }, () => ROW) };
      expect([count, ajv.validate('#BatchRequest', body)]).toEqual([
        count,
        batchBody.safeParse(body).success,
      ]);
      expect(batchBody.safeParse(body).success).toBe(count > 0 && count <= 5_000);
    }
  });

  it('is of version 3.1, and has every operation with its problems', () => {
    expect(document.openapi).toBe('3.1.0');
    const named = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(named.map(({ operationId }) => operationId)).toEqual(OPERATIONS.map(({ id }) => id));
    for (const { responses } of named)
      expect(Object.keys(responses)).toEqual(
        expect.arrayContaining(['400', '401', '403', '404', '422', '429', '503']),
      );
  });

  it('describes the messages to a merchant, with the fields of their data', () => {
    const { webhooks } = openApiDocument('https://desk.test') as { webhooks: object };
    expect(Object.keys(webhooks)).toEqual(['payout.updated', 'batch.updated']);
    expect(fieldsOf('BatchMessage').map(({ path }) => path)).toEqual([
      ...['type', 'timestamp', 'data', 'data.object', 'data.id', 'data.status', 'data.hold'],
    ]);
  });

  it('says that messages may come in another order, and which one of them counts', () => {
    expect(document.components.schemas.PayoutMessage).toMatchObject({
      description: expect.stringMatching(/in another order.+later `timestamp` counts/),
    });
  });

  it('names the refusals of a body that the API never sees, with their type', () => {
    const screened = (path: string, headers: string[]) =>
      screenRequest({
        ...{ method: 'POST', url: path, rawHeaders: ['Host', 'desk.test', ...headers] },
        forwarded: false,
      });
    for (const [path, { post }] of Object.entries(document.paths)) {
      if (post === undefined) continue;
      const contents = Object.entries(post.responses).map(([status, { content }]) => [
        status,
        Object.keys(content),
      ]);
      const chunked = screened(path, ['Transfer-Encoding', 'chunked']);
      const large = screened(path, ['Content-Length', String(5 * 1024 * 1024)]);
      expect(contents).toContainEqual([String(chunked), ['text/plain']]);
      expect(contents).toContainEqual([String(large), ['application/problem+json', 'text/plain']]);
    }
  });

  it.each([
    ['tr', tr],
    ['en', en],
  ])('has a word for every field and operation, %s', (_language, words) => {
    const { fields, operations } = words.reference;
    const used = (Object.keys(SCHEMAS) as (keyof typeof SCHEMAS)[]).flatMap((name) =>
      fieldsOf(name).map(({ field }) => field),
    );
    expect(new Set(Object.keys(fields))).toEqual(new Set(used));
    expect(Object.keys(operations)).toEqual(OPERATIONS.map(({ id }) => id));
  });
});
