/** The parameters with which a browser returns from the bank's step, by GET or POST. Pure. */
import type { CodeTable } from './codes.ts';
import type { Line } from './connection.ts';
import type { CardReturn, ExpectedCharge } from './types.ts';

const ID_MAX = 128;
const TEXT_MAX = 500;
const HASH_KEY_MAX = 2_048;
const YES = '1';
const NO = '0';

/**
 * Decodes the redirect (`contract`; `md_status` `published`). Never throws: a missing or repeated
 * field and an invalid id are null, and contradictory fields give no claimed status. The order
 * number is `order_no` or `order_id` (`contract`).
 */
export function decodeReturn(
  { fieldPrefix, codes }: Pick<Line, 'fieldPrefix' | 'codes'>,
  fields: URLSearchParams,
): CardReturn {
  const one = (name: string, max: number): string | null => {
    const all = fields.getAll(name);
    const [text = ''] = all;
    return all.length === 1 && text !== '' && text.length <= max && !/\p{Cc}/u.test(text)
      ? text
      : null;
  };
  const orderNo = one('order_no', ID_MAX);
  const orderId = one('order_id', ID_MAX);
  const code = one('status_code', ID_MAX);
  return {
    hint: hintOf(
      one(`${fieldPrefix}status`, 1),
      one('payment_status', 1),
      one('md_status', 1) === YES && !isRefusal(code, codes.charge),
    ),
    invoiceId: one('invoice_id', ID_MAX),
    orderId:
      orderNo !== null && orderId !== null && orderNo !== orderId ? null : (orderNo ?? orderId),
    code,
    message: one('status_description', TEXT_MAX),
    // A plus that was not escaped in an address arrives as a space; a hash key contains no space of
    // its own.
    hashKey: one('hash_key', HASH_KEY_MAX)?.replaceAll(' ', '+') ?? null,
  };
}

/**
 * Whether the hash key of a return agrees with its fields and with our own order: a second source
 * beside the record, never a substitute for it. A failure carries no hash key (`contract`), which
 * gives the same `false`.
 */
export function returnAgrees(
  line: Pick<Line, 'agrees'>,
  returned: CardReturn,
  expected: ExpectedCharge & { currency: string },
): boolean {
  const { hint, invoiceId, orderId, hashKey } = returned;
  if (hint === 'unknown' || invoiceId !== expected.invoiceId || orderId === null) return false;
  return line.agrees(hashKey, [
    hint === 'succeeded' ? YES : NO,
    { amountMinor: expected.amountMinor },
    invoiceId,
    orderId,
    expected.currency,
  ]);
}

/**
 * `verified`: the card was verified, and neither charged nor refused; the order waits for
 * `completePayment` (`published`).
 */
function hintOf(
  status: string | null,
  paid: string | null,
  isWaiting: boolean,
): CardReturn['hint'] {
  if (status === YES && paid !== NO) return 'succeeded';
  if (isWaiting && paid !== YES) return 'verified';
  return status === NO && paid !== YES ? 'failed' : 'unknown';
}

function isRefusal(code: string | null, table: CodeTable): boolean {
  return code !== null && table.get(code) === 'refused';
}
