/**
 * What the response to a request that moves money proves. Pure: the worker and the simulator use
 * these same functions.
 */
import * as z from 'zod';
import type { Exchange, SendOutcome } from '../outcome.ts';
import { PAYOUT_CODES, REFUSAL_STATUSES, VALIDATION_CODE } from './codes.ts';
import type { SendMeaning } from './codes.ts';
import { amount, feeOrNull, id, idOrNull, openEnvelope } from './wire.ts';
import type { Answer } from './wire.ts';
import type { Expected } from './types.ts';

const acceptance = z.object({
  ext_transaction_id: id,
  transaction_amount: amount,
  transaction_fee_amount: feeOrNull,
  request_id: id.refine((text) => text !== '0'),
  transaction_id: idOrNull,
});

const transactionNamed = z.object({ transaction_id: idOrNull, request_id: idOrNull });

/** SendMoneyToBankAccount: accepted only with our own ext id and amount echoed. */
export function classifySend(exchange: Exchange, expected: Expected): SendOutcome {
  return classifyBy(PAYOUT_CODES, exchange, (answer) => accepted(answer, expected));
}

/**
 * Accepted only with HTTP 200, `status` 0, code "100" and a payload that `accept` accepts. Refused
 * only with a code of the operation's list under a status that means "error". Every other response
 * is unclear: the money may have moved.
 */
export function classifyBy(
  codes: ReadonlyMap<string, SendMeaning>,
  exchange: Exchange,
  accept: (answer: Answer) => SendOutcome,
): SendOutcome {
  const opened = openEnvelope(exchange);
  switch (opened.kind) {
    case 'not_sent':
      return { kind: 'not_sent', why: opened.why, raw: null, code: null, message: null };
    case 'unauthorized':
      return { kind: 'unauthorized', raw: opened.raw, code: null, message: null };
    case 'unclear':
      return { kind: 'unclear', why: opened.why, raw: opened.raw, code: null, message: null };
    case 'answer':
      return isAccepted(opened) ? accept(opened) : classifyRefusal(codes, opened);
  }
}

function isAccepted(answer: Answer): boolean {
  return answer.http === 200 && answer.status === '0' && answer.code === '100';
}

function classifyRefusal(codes: ReadonlyMap<string, SendMeaning>, answer: Answer): SendOutcome {
  const { raw, code, message } = answer;
  const detail = { raw, code, message };
  const meaning = code === null ? undefined : codes.get(code);
  const isRefusal = REFUSAL_STATUSES.has(answer.status);
  if (answer.http === 400) {
    const isValidation = code === VALIDATION_CODE && isRefusal && !namesTransaction(answer.payload);
    return isValidation
      ? { ...detail, kind: 'refused', code }
      : { ...detail, kind: 'unclear', why: 'http_status' };
  }
  if (code === null || meaning === undefined)
    return { ...detail, kind: 'unclear', why: 'unknown_code' };
  // Both meanings are accepted under any `status`: they only trigger a read, and a duplicate
  // forbids a resend.
  if (meaning === 'duplicate' || meaning === 'record_exists') return { ...detail, kind: meaning };
  if (!isRefusal) return { ...detail, kind: 'unclear', why: 'unknown_code' };
  // A refusal that names a transaction contradicts itself.
  if (namesTransaction(answer.payload)) return { ...detail, kind: 'unclear', why: 'shape' };
  return meaning === 'same_iban_wait'
    ? { ...detail, kind: 'same_iban_wait' }
    : { ...detail, kind: 'refused', code };
}

function accepted(answer: Answer, expected: Expected): SendOutcome {
  const { raw, code, message } = answer;
  const read = acceptance.safeParse(answer.payload);
  if (!read.success) return { raw, code, message, kind: 'unclear', why: 'shape' };
  const {
    ext_transaction_id: extId,
    transaction_amount: amountMinor,
    transaction_fee_amount: feeMinor,
    request_id: requestId,
    transaction_id: transactionId,
  } = read.data;
  if (extId !== expected.extId || amountMinor !== expected.amountMinor)
    return { raw, code, message, kind: 'unclear', why: 'mismatch' };
  return {
    raw,
    code,
    message,
    kind: 'accepted',
    extId,
    amountMinor,
    feeMinor,
    requestId,
    transactionId,
  };
}

function namesTransaction(payload: unknown): boolean {
  const read = transactionNamed.safeParse(payload);
  return read.success && (read.data.transaction_id !== null || read.data.request_id !== null);
}
