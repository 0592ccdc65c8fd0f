/**
 * Finds the rows of the coverage that one exchange with the sandbox meets: the operation called,
 * the fields that were in the request or were named by its refusal, the code of the answer, and
 * every record whose keys are exactly the fields of a record in the coverage.
 */
import { contractData } from '../coverage.ts';
import type { OperationData } from '../coverage.ts';

/** A call and its answer as text. `status` 0: no answer arrived. */
export type Exchange = {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
  status: number;
  location: string | null;
  text: string;
};
/** A notification that the sandbox sent. */
export type Sent = { path: string; fields: Record<string, unknown> };
/** `asked code`: the code of the answer is the one that the request's invoice id selected. */
export type Touch = {
  operation: string;
  kind: 'operation' | 'field' | 'code' | 'asked code' | 'event';
  item: string;
};

type Json = Record<string, unknown>;

/**
 * The operations of the coverage that have no path of their own: they are met by a notification, or
 * by a call to these paths of the control interface.
 */
const CONTROL: readonly (readonly [path: RegExp, operations: readonly string[]])[] = [
  [
    /^\/sandbox\/webhooks/,
    ['web hooks', 'payout notification', 'top-up notification', 'failed top-up notification'],
  ],
  [/^\/sandbox\/(?:wallets|accounts)/, ['wallet access']],
  [/^\/sandbox\/bank|\/SendMoneyToBankAccount$/, ['bank']],
  [/^\/wallet\/api/, ['wallet access']],
  [/^\/sandbox\/requests/, ['service', 'gateway', 'login host']],
  [/^\/(?:sandbox\/(?:magic|questions))?$/, ['service']],
];
/**
 * The bank's page answers for the payment that led to it. Only the code of that answer counts for
 * the payment, whose request went to another operation.
 */
const BANK_PAGE = '/card/bank/verify';
const LEADS_TO_BANK = ['paySmart3D', 'payByCardToken'];

const PAYOUT_EVENTS: Readonly<Record<string, string>> = {
  '1': 'completed',
  '2': 'rejected',
  '3': 'manual',
  '4': 'failed',
  '5': 'returned',
};

/**
 * Matches an invoice id that selects a code. Such an answer proves that the selection works, but
 * not the cause that the contract gives for the code.
 */
const ASKED_CODE = /\b(?:PAY|COMPLETE|CONFIRM|REFUND)(\d{1,3})-/;
const CODE_KEYS = new Set([
  'status_code',
  'statuscode',
  'code',
  'error',
  'error_code',
  'result_code',
]);

const OPERATIONS = contractData().flatMap((one) => one.operations);
const RECORDS = OPERATIONS.filter(
  (one) => one.fields && !/^(?:POST|GET|every)\b.*\/(?:card|wallet|login)\b/.test(one.path ?? ''),
).map((one) => ({ operation: one.operation, keys: keysOf(one.fields ?? {}) }));

type Place = { operation: string; methods: string[]; path: RegExp };
const PLACES: Place[] = OPERATIONS.flatMap((one) => placesOf(one));

function keysOf(record: object): string {
  return Object.keys(record).sort().join(' ');
}

/**
 * Returns the places that a path describes: "GET /login/api/dpl/list/active and /passive", "POST
 * /x/{id}", "every path under /card".
 */
function placesOf({ operation, path = '' }: OperationData): Place[] {
  const under = /^every path under (\/\S+)/.exec(path)?.[1];
  if (under !== undefined)
    return [{ operation, methods: [], path: new RegExp(`^${under}(?:/|$)`) }];
  const stated = /^((?:GET|POST)(?: or (?:GET|POST))?) (\/\S+)(?: and \/(\S+))?/.exec(path);
  if (stated === null) return [];
  const [, methods = '', first = '', other] = stated;
  const paths = [first, ...(other === undefined ? [] : [first.replace(/[^/]+$/, other)])];
  return paths.map((one) => ({
    operation,
    methods: methods.split(' or '),
    path: new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
}

/**
 * Returns the operations that a call reaches. A call with a wrong method reaches the operation of
 * its path.
 */
function operationsOf(method: string, path: string): string[] {
  const here = PLACES.filter((place) => place.path.test(path));
  const exact = here.filter(
    (place) => place.methods.length === 0 || place.methods.includes(method),
  );
  const named = exact.some((place) => place.methods.length > 0) ? exact : here;
  return [
    ...new Set([
      ...named.map((place) => place.operation),
      ...CONTROL.filter(([at]) => at.test(path)).flatMap(([, operations]) => operations),
    ]),
  ];
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns every object inside a value, also those in texts that hold JSON. */
function objectsIn(value: unknown): Json[] {
  if (typeof value === 'string') return objectsIn(parsed(value) ?? null);
  if (value === null || typeof value !== 'object') return [];
  const below = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? below : [value as Json, ...below];
}

/** Returns the query, the headers and the body of a request as objects. */
function requestObjects({ url, headers, body }: Exchange): Json[] {
  const form =
    parsed(body) === undefined && body.includes('=')
      ? [Object.fromEntries(new URLSearchParams(body))]
      : [];
  const multipart = [...body.matchAll(/name="([\w[\]]+)"/g)].map(([, name = '']) => ({
    [name.replace(/\[.*$/, '')]: '',
  }));
  const given = [
    Object.fromEntries(url.searchParams),
    Object.fromEntries(headers),
    ...form,
    ...multipart,
  ];
  return [...given.flatMap(objectsIn), ...objectsIn(body)];
}

/** Whether a refusal names a field, by its name or by its label: 'Sender Wallet Number'. */
const names = (refusal: string, field: string): boolean =>
  new RegExp(`(?<![a-z0-9_])${field}(?![a-z0-9_])`, 'i').test(refusal) ||
  refusal.toLowerCase().includes(`'${field.replaceAll('_', ' ')}'`);

/**
 * Returns the codes of an answer: its HTTP status, and the codes in its body or in its redirect.
 */
function codesOf(
  exchange: Exchange,
  answer: Json[],
  back: Json,
): { kind: 'code' | 'asked code'; item: string }[] {
  const asked = ASKED_CODE.exec(exchange.body)?.[1];
  const codes = [answer[0] ?? {}, back]
    .flatMap((one) => Object.entries(one))
    .filter(([key]) => CODE_KEYS.has(key))
    .map(([, value]) => String(value));
  return [...new Set([String(exchange.status), ...codes])].map((item) => ({
    kind: item === asked ? 'asked code' : 'code',
    item,
  }));
}

/**
 * Returns the touches of the records among the answer's objects; a record is recognised by its
 * exact keys.
 */
function recordTouches(objects: Json[]): Touch[] {
  return objects.flatMap((object) => {
    const keys = keysOf(object);
    return RECORDS.filter((record) => record.keys === keys).flatMap(({ operation }) => [
      { operation, kind: 'operation' as const, item: operation },
      ...Object.keys(object).map((item) => ({ operation, kind: 'field' as const, item })),
    ]);
  });
}

export function touchesOf(exchange: Exchange): Touch[] {
  const path = decodeURIComponent(exchange.url.pathname);
  const operations = operationsOf(exchange.method, path);
  const answer = objectsIn(parsed(exchange.text) ?? null);
  const back =
    exchange.location === null
      ? {}
      : Object.fromEntries(new URL(exchange.location, exchange.url).searchParams);
  const given = new Set(
    requestObjects(exchange)
      .flatMap(Object.keys)
      .map((name) => name.toLowerCase()),
  );
  const codes = codesOf(exchange, answer, back);
  const refusal = codes.some(({ item }) => item === '100')
    ? ''
    : `${exchange.text} ${JSON.stringify(back)}`;
  const touched = operations.flatMap((operation): Touch[] => {
    const fields = Object.keys(OPERATIONS.find((one) => one.operation === operation)?.fields ?? {});
    return [
      { operation, kind: 'operation', item: operation },
      ...fields
        .filter((field) => given.has(field.toLowerCase()) || names(refusal, field))
        .map((item): Touch => ({ operation, kind: 'field', item })),
      ...codes.map((code): Touch => ({ operation, ...code })),
    ];
  });
  const atBank =
    path === BANK_PAGE
      ? LEADS_TO_BANK.flatMap((operation) => codes.map((code): Touch => ({ operation, ...code })))
      : [];
  return [...touched, ...atBank, ...recordTouches([...answer, back])];
}

/** Returns the event of a notification to /card, by the fields that only this event has. */
function cardEvent(fields: Json): string {
  const failed = fields['status'] === 'Failed' ? ' failed' : '';
  if (fields['action'] === 'chargeback') return 'chargeback';
  if ('unique_id' in fields) return 'cashout reverse';
  if ('recurring_number' in fields) return `recurring${failed}`;
  return 'payment_status' in fields ? `sale${failed}` : 'refund';
}

/** Returns the operation and the event of a notification to /wallet. */
function walletNotice(fields: Json): { operation: string; event: string } {
  if ('after_process_status' in fields)
    return {
      operation: 'payout notification',
      event: PAYOUT_EVENTS[String(fields['after_process_status'])] ?? '',
    };
  return 'result_message' in fields
    ? { operation: 'failed top-up notification', event: 'failed top-up' }
    : { operation: 'top-up notification', event: 'top-up' };
}

export function touchesOfNotice({ path, fields }: Sent): Touch[] {
  const { operation, event } = path.endsWith('/wallet')
    ? walletNotice(fields)
    : { operation: 'web hooks', event: cardEvent(fields) };
  return [
    { operation, kind: 'operation', item: operation },
    { operation, kind: 'event', item: event },
    ...Object.keys(fields).map((item): Touch => ({ operation, kind: 'field', item })),
    { operation, kind: 'code', item: String(fields['result_code']) },
  ];
}
