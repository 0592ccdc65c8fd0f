/**
 * What the response to GetRequestWithdrawByExtId proves. Pure: the worker and the simulator use
 * this same function.
 */
import * as z from 'zod';
import type { Exchange, ReadOutcome } from '../outcome.ts';
import { NOT_FOUND_CODES, REFUSAL_STATUSES } from './codes.ts';
import {
  amount,
  bankWords,
  compactIban,
  currency,
  enumText,
  id,
  isSuccess,
  jsonTextOrNull,
  openEnvelope,
  textOrNull,
  withdrawalLevel,
} from './wire.ts';
import type { Answer } from './wire.ts';
import type { RecordExpected } from './types.ts';

const withdrawRequest = z.object({
  id,
  ext_transaction_id: id,
  base_amount: amount,
  currency,
  iban: textOrNull,
  process_level_status: enumText,
  bank_response_json: jsonTextOrNull,
  updated_date_utc: textOrNull,
});

/**
 * `found` only for our own ext id, amount, currency and IBAN at a known level. `not_found` proves
 * little (the record may be late) and is only counted. Anything else, an unknown level or a success
 * without a record included, counts as no response.
 */
export function classifyRead(exchange: Exchange, expected: RecordExpected): ReadOutcome {
  const opened = openEnvelope(exchange);
  switch (opened.kind) {
    case 'not_sent':
      return { kind: 'no_answer', why: opened.why, raw: null };
    case 'unauthorized':
      return { kind: 'no_answer', why: 'unauthorized', raw: opened.raw };
    case 'unclear':
      return { kind: 'no_answer', why: opened.why, raw: opened.raw };
    case 'answer':
      return isSuccess(opened) ? readRecord(opened, expected) : readRefusal(opened);
  }
}

function readRefusal({ raw, http, status, code }: Answer): ReadOutcome {
  const isNotFound =
    http === 200 && REFUSAL_STATUSES.has(status) && code !== null && NOT_FOUND_CODES.has(code);
  return isNotFound
    ? { kind: 'not_found', raw }
    : { kind: 'no_answer', why: http === 200 ? 'unknown_code' : 'http_status', raw };
}

function readRecord({ raw, payload }: Answer, expected: RecordExpected): ReadOutcome {
  const read = withdrawRequest.safeParse(payload);
  if (!read.success) return { kind: 'no_answer', why: 'shape', raw };
  const record = read.data;
  if (!isOurs(record, expected)) return { kind: 'no_answer', why: 'mismatch', raw };
  const level = withdrawalLevel(record.process_level_status);
  if (level === 'unknown') return { kind: 'no_answer', why: 'unknown_level', raw };
  const words = bankWords(record.bank_response_json);
  return {
    kind: 'found',
    level,
    extId: record.ext_transaction_id,
    amountMinor: record.base_amount,
    currency: record.currency,
    iban: record.iban,
    requestId: record.id,
    reason: words.reason,
    ...(words.manual && level === 'pending' ? { manual: true } : {}),
    updatedAt: record.updated_date_utc,
    raw,
  };
}

/** A record that names no IBAN contradicts nothing. */
function isOurs(record: z.output<typeof withdrawRequest>, expected: RecordExpected): boolean {
  const isSameMoney =
    record.base_amount === expected.amountMinor && record.currency === expected.currency;
  const isSamePayee =
    record.iban === null || compactIban(record.iban) === compactIban(expected.iban);
  return record.ext_transaction_id === expected.extId && isSameMoney && isSamePayee;
}
