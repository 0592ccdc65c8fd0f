/** Shared rules for classifying responses about money. Pure. */
import type { Exchange, UnclearWhy } from '../outcome.ts';
import type { CodeTable } from './codes.ts';
import { digitsOrNull, openEnvelope, textOrNull } from './wire.ts';
import type { Answer } from './wire.ts';
import type { NotApproved, ResponseDetail } from './types.ts';

/**
 * The only refusal that is accepted with another HTTP status than 200 (`published`: validation
 * failures come with 400 and 422 too).
 */
const VALIDATION = '1';

/** Returned by `read` for a success code whose other fields contradict it. */
export type Unclear = { kind: 'unclear'; why: UnclearWhy };

/**
 * Classifies a response by the code table of its operation. `read` decides on a success code. A
 * refusal is accepted only if no field says that money moved. A code that the table does not name
 * proves nothing, whatever the HTTP status.
 */
export function classifyMoney<Success extends { kind: string }>(
  exchange: Exchange,
  table: CodeTable,
  fieldPrefix: string,
  read: (answer: Answer) => Success | Unclear,
): ResponseDetail & (Success | NotApproved) {
  const opened = openEnvelope(exchange);
  if (opened.kind !== 'answer') {
    const nothing = { raw: opened.raw, code: null, message: null };
    if (opened.kind === 'unauthorized') return { ...nothing, kind: 'unauthorized' };
    return opened.kind === 'not_sent'
      ? { ...nothing, kind: 'not_sent', why: opened.why }
      : { ...nothing, kind: 'unclear', why: opened.why };
  }
  const { raw, code, message } = opened;
  const detail = { raw, code, message };
  const meaning = table.get(code);
  if (opened.http !== 200) {
    const isValidation =
      code === VALIDATION && meaning === 'refused' && !saysPaid(opened, fieldPrefix);
    return isValidation
      ? { ...detail, kind: 'refused', code }
      : { ...detail, kind: 'unclear', why: 'http_status' };
  }
  switch (meaning) {
    case 'approved':
      return { ...detail, ...read(opened) };
    case 'refused':
      return saysPaid(opened, fieldPrefix)
        ? { ...detail, kind: 'unclear', why: 'mismatch' }
        : { ...detail, kind: 'refused', code };
    case 'pending':
      return { ...detail, kind: 'pending' };
    case 'look':
      return { ...detail, kind: 'look', code };
    case undefined:
      return { ...detail, kind: 'unclear', why: 'unknown_code' };
  }
}

/** A refusal in which a status field says that the payment succeeded contradicts itself. */
function saysPaid({ body }: Answer, fieldPrefix: string): boolean {
  const places = [body, body['data']].filter(
    (place): place is Record<string, unknown> => typeof place === 'object' && place !== null,
  );
  return places.some(
    (place) =>
      digitsOrNull.parse(place['payment_status']) === '1' ||
      digitsOrNull.parse(place[`${fieldPrefix}status`]) === '1' ||
      textOrNull.parse(place['transaction_status'])?.trim().toLowerCase() === 'completed',
  );
}
