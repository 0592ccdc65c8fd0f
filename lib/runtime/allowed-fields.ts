import { scrub } from './scrub.ts';

/** An id of ours or the provider's, a UUID included. */
const ID = /^[0-9a-f-]{1,36}$/i;
/** A state, a step, a kind of error: one identifier from our code. */
const WORD = /^[A-Za-z_][\w-]{0,39}$/;
/** Node's, the driver's and the database's codes: ECONNREFUSED, P2010, 23505. */
const ERROR_CODE = /^(?:[A-Z][A-Z0-9_]{1,39}|[0-9A-Z]{5})$/;
/** The limit of numbers: any card number or national id has more digits. */
const NUMBER_MAX = 1_000_000_000;
const WITHHELD = '[withheld]';

/** Names of OpenTelemetry's semantic conventions; the other fields keep their own name. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  movement: 'movement.id',
  kind: 'movement.kind',
  state: 'movement.state',
  method: 'http.request.method',
  status: 'http.response.status_code',
  errorName: 'error.type',
};

/**
 * The fields of log lines, log records and spans, and their shapes. An allow-list: amounts, names,
 * IBANs, bodies and secrets have no field here, an unlisted field is dropped, and a value of another
 * shape is withheld. Errors are described by name, code and id only; their text may quote a person's input.
 */
const FIELDS = {
  movement: ID,
  notice: ID,
  worker: ID,
  errorId: ID,
  state: WORD,
  to: WORD,
  step: WORD,
  reason: WORD,
  kind: WORD,
  provider: WORD,
  method: WORD,
  errorName: WORD,
  errorCode: ERROR_CODE,
} as const;
const NUMBERS = ['ms', 'count', 'status'] as const;

export type PlainFields = { [name in keyof typeof FIELDS]?: string } & {
  [name in (typeof NUMBERS)[number]]?: number;
};

export function allowedFields(fields: PlainFields): Record<string, string | number> {
  const kept: Record<string, string | number> = {};
  for (const [name, shape] of Object.entries(FIELDS)) {
    const value: unknown = fields[name as keyof typeof FIELDS];
    if (value !== undefined)
      kept[name] = typeof value === 'string' && shape.test(value) ? scrub(value) : WITHHELD;
  }
  for (const name of NUMBERS) {
    const value: unknown = fields[name];
    if (value !== undefined)
      kept[name] =
        typeof value === 'number' && Math.abs(value) < NUMBER_MAX ? Math.round(value) : WITHHELD;
  }
  return kept;
}

/** The allowed fields as attributes of spans and log records. */
export function attributesOf(fields: PlainFields): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(allowedFields(fields)).map(([name, value]) => [ATTRIBUTES[name] ?? name, value]),
  );
}

/** The part of a thrown value that may be written: its class and its code, if it has one. */
export function errorFields(error: unknown): Pick<PlainFields, 'errorName' | 'errorCode'> {
  if (!(error instanceof Error)) return { errorName: typeof error };
  const code = (error as { code?: unknown }).code;
  return { errorName: error.name, ...(typeof code === 'string' ? { errorCode: code } : {}) };
}
