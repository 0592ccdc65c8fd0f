/** What the answers about money have in common. Pure. */
import type { Exchange, UnclearWhy } from '../outcome.ts';
import type { CodeTable } from './codes.ts';
import { digitsOrNull, openEnvelope, textOrNull } from './wire.ts';
import type { Answer } from './wire.ts';
import type { NotApproved, Said } from './types.ts';

/**
 * The only refusal that is believed under another status than 200 (`published`: validation comes as
 * 400 and 422 too).
 */
const VALIDATION = '1';

/** What `read` says of a success whose rest does not agree. */
export type Unclear = { kind: 'unclear'; why: UnclearWhy };

/**
 * Judges one answer by the code table of its operation. Success is what `read` makes of it; a
 * refusal is believed only if nothing in the answer says that money moved; a code that the table
 * does not name proves nothing, in whatever status it comes.
 */
export function classifyMoney<Success extends { kind: string }>(
  exchange: Exchange,
  table: CodeTable,
  fieldPrefix: string,
  read: (answer: Answer) => Success | Unclear,
): Said & (Success | NotApproved) {
  const opened = openEnvelope(exchange);
  if (opened.kind !== 'answer') {
    const nothing = { raw: opened.raw, code: null, message: null };
    if (opened.kind === 'unauthorized') return { ...nothing, kind: 'unauthorized' };
    return opened.kind === 'not_sent'
      ? { ...nothing, kind: 'not_sent', why: opened.why }
      : { ...nothing, kind: 'unclear', why: opened.why };
  }
  const { raw, code, message } = opened;
  const said = { raw, code, message };
  const meaning = table.get(code);
  if (opened.http !== 200) {
    const isValidation =
      code === VALIDATION && meaning === 'refused' && !saysPaid(opened, fieldPrefix);
    return isValidation
      ? { ...said, kind: 'refused', code }
      : { ...said, kind: 'unclear', why: 'http_status' };
  }
  switch (meaning) {
    case 'approved':
      return { ...said, ...read(opened) };
    case 'refused':
      return saysPaid(opened, fieldPrefix)
        ? { ...said, kind: 'unclear', why: 'mismatch' }
        : { ...said, kind: 'refused', code };
    case 'pending':
      return { ...said, kind: 'pending' };
    case 'look':
      return { ...said, kind: 'look', code };
    case undefined:
      return { ...said, kind: 'unclear', why: 'unknown_code' };
  }
}

/** A refusal that says somewhere that the payment succeeded contradicts itself. */
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
