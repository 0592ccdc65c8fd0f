/** What the response to cashout/tobank proves. Pure. */
import * as z from 'zod';
import type { Exchange, NotSentWhy, UnclearWhy } from '../outcome.ts';
import type { CashoutContent } from './cashout-body.ts';
import type { ErrandCodes } from './management-codes.ts';
import { id, openEnvelope, textOrNull } from './wire.ts';
import type { Answer, EnvelopeNames } from './wire.ts';
import type { ResponseDetail } from './types.ts';

/** `published`: this operation uses the field names of the login host. */
const CASHOUT_ENVELOPE: EnvelopeNames = { code: 'statuscode', messages: ['description'] };

/** A code that refuses the whole request may come with the HTTP status of a failed validation. */
const REFUSAL_STATUSES: readonly number[] = [200, 400, 422];

/**
 * The result for each row, by our own ids. A refusal applies to this request only: after an unclear
 * request with the same ids, it may be caused by rows that were accepted earlier.
 */
export type CashoutOutcome = ResponseDetail &
  (
    | { kind: 'not_sent'; why: NotSentWhy }
    | { kind: 'unauthorized' }
    /** All rows were accepted. The response names no amount and no id of the gateway's. */
    | { kind: 'accepted' }
    /** The listed rows were refused, each with the gateway's text; the others were accepted. */
    | {
        kind: 'partly_accepted';
        accepted: string[];
        refused: { uniqueId: string; reason: string | null }[];
      }
    /** No row was accepted. */
    | { kind: 'refused'; code: string }
    | { kind: 'unclear'; why: UnclearWhy }
  );

/** Row shape `assumed`. One row without an id invalidates the whole list. */
const refusedRows = z.array(z.object({ unique_id: id, reason: textOrNull })).min(1);

/**
 * Accepted only with HTTP 200, the success code and no row listed. Partly accepted only when every
 * listed row is ours. Refused only with a code of the table. Every other response is unclear: all
 * or part of the money may have moved.
 */
export function classifyCashout(
  exchange: Exchange,
  content: CashoutContent,
  codes: ErrandCodes,
): CashoutOutcome {
  const opened = openEnvelope(exchange, CASHOUT_ENVELOPE);
  switch (opened.kind) {
    case 'not_sent':
      return { kind: 'not_sent', why: opened.why, raw: null, code: null, message: null };
    case 'unauthorized':
      return { kind: 'unauthorized', raw: opened.raw, code: null, message: null };
    case 'unclear':
      return { kind: 'unclear', why: opened.why, raw: opened.raw, code: null, message: null };
    case 'answer':
      return classifyAnswer(opened, content, codes);
  }
}

function classifyAnswer(
  answer: Answer,
  content: CashoutContent,
  codes: ErrandCodes,
): CashoutOutcome {
  const { raw, http, code, message, body } = answer;
  const detail = { raw, code, message };
  const isEmpty = namesNoRow(body['data']);
  if (codes.cashout.get(code) === 'refused') {
    // A refusal of the whole request that also lists rows contradicts itself.
    return isEmpty && REFUSAL_STATUSES.includes(http)
      ? { ...detail, kind: 'refused', code }
      : { ...detail, kind: 'unclear', why: 'shape' };
  }
  if (http !== 200) return { ...detail, kind: 'unclear', why: 'http_status' };
  if (codes.partlyAccepted.has(code))
    return { ...detail, ...partlyAccepted(body['data'], content) };
  if (codes.cashout.get(code) !== 'approved')
    return { ...detail, kind: 'unclear', why: 'unknown_code' };
  return isEmpty ? { ...detail, kind: 'accepted' } : { ...detail, kind: 'unclear', why: 'shape' };
}

type Part =
  | {
      kind: 'partly_accepted';
      accepted: string[];
      refused: { uniqueId: string; reason: string | null }[];
    }
  | { kind: 'unclear'; why: UnclearWhy };

function partlyAccepted(data: unknown, content: CashoutContent): Part {
  const read = refusedRows.safeParse(data);
  if (!read.success) return { kind: 'unclear', why: 'shape' };
  const ours = content.rows.map((row) => row.uniqueId);
  const named = new Set(read.data.map((row) => row.unique_id));
  if (named.size !== read.data.length || !read.data.every((row) => ours.includes(row.unique_id)))
    return { kind: 'unclear', why: 'mismatch' };
  return {
    kind: 'partly_accepted',
    accepted: ours.filter((uniqueId) => !named.has(uniqueId)),
    refused: read.data.map((row) => ({ uniqueId: row.unique_id, reason: row.reason })),
  };
}

/** "Empty" (`published`) may be written in each of these ways. */
function namesNoRow(data: unknown): boolean {
  return (
    data === undefined ||
    data === null ||
    data === '' ||
    (typeof data === 'object' && Object.keys(data).length === 0)
  );
}
