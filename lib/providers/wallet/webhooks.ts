/** Decodes webhooks of the wallet service. Pure. */
import * as z from 'zod';
import { parseJson } from '../json.ts';
import { readFailedTopUp, readTopUp } from './top-ups.ts';
import { enumTextOrNull, idOrNull, noticeHint, textOrNull } from './wire.ts';
import type { NoticeHint } from './types.ts';

/**
 * The content of an unsigned webhook. It finds a movement (`extId`) and expedites its next read; no
 * money field is ever filled from it, which is why no amount is decoded.
 */
export type Notice = {
  topic: 'payout' | 'top_up' | 'failed_top_up' | 'unknown';
  extId: string | null;
  hint: NoticeHint;
  requestId: string | null;
  transactionId: string | null;
  wallet: string | null;
  /** The bank's text, for the webhook log. */
  reason: string | null;
};

const NOTHING: Notice = {
  topic: 'unknown',
  extId: null,
  hint: 'unknown',
  requestId: null,
  transactionId: null,
  wallet: null,
  reason: null,
};

const notice = z.object({
  ext_transaction_id: idOrNull,
  request_withdraw_id: idOrNull,
  transaction_id: idOrNull,
  after_process_status: enumTextOrNull,
  wallet_number: idOrNull,
  reason: textOrNull,
});

/**
 * Never throws: an unreadable body has topic 'unknown' and hint 'unknown'. `response_status` and
 * `response_code` are ignored, because the webhook of a success may carry 2 and "312"
 * (`published`). Completed needs a transaction id too (`contract`).
 */
export function decodeWebhook(body: string): Notice {
  const json = parseJson(body);
  const read = json.ok ? notice.safeParse(json.value) : null;
  if (!read?.success) return NOTHING;
  const fields = read.data;
  if (fields.after_process_status !== null || fields.request_withdraw_id !== null) {
    const hint = noticeHint(fields.after_process_status);
    return {
      topic: 'payout',
      extId: fields.ext_transaction_id,
      hint: hint === 'completed' && fields.transaction_id === null ? 'unknown' : hint,
      requestId: fields.request_withdraw_id,
      transactionId: fields.transaction_id,
      wallet: fields.wallet_number,
      reason: fields.reason,
    };
  }
  const topUp = readTopUp(body);
  if (topUp !== null)
    return {
      ...NOTHING,
      topic: 'top_up',
      transactionId: topUp.transactionId,
      wallet: topUp.wallet,
    };
  const failed = readFailedTopUp(body);
  if (failed !== null)
    return { ...NOTHING, topic: 'failed_top_up', wallet: failed.wallet, reason: failed.message };
  return { ...NOTHING, extId: fields.ext_transaction_id, wallet: fields.wallet_number };
}
