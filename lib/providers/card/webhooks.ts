/** Decodes webhooks of the card gateway. Pure. */
import * as z from 'zod';
import { readDecimal } from '#lib/values/money.ts';
import { Exact, parseJson } from '../json.ts';
import type { ExpectedPart } from './hash-key.ts';

const FIELDS_MAX = 100;
const ID_MAX = 128;

/**
 * The claimed status of a webhook. It finds an order, a plan or a card-balance payout and expedites
 * its next read; no money field is ever filled from a webhook, so the type has no amount. `proof`:
 * a hash that agrees, our merchant key, or none, which only a failed sale may have, because its
 * webhook has no hash by contract.
 */
export type CardWebhook = {
  topic: 'sale' | 'recurring' | 'refund' | 'chargeback' | 'cashout_reverse';
  hint: 'succeeded' | 'failed' | 'refunded' | 'charged_back' | 'came_back' | 'unknown';
  invoiceId: string | null;
  orderId: string | null;
  planCode: string | null;
  /** Number of the plan's charge. */
  number: string | null;
  /** Our own id of a row of a card-balance payout. */
  uniqueId: string | null;
  proof: 'hash' | 'merchant_key' | 'none';
};

/**
 * One result for every webhook that is not believed: unreadable, of unknown topic, without its
 * hash, with an undecryptable or a disagreeing hash. Trying does not reveal which it was.
 */
export type CardNoticeAnswer = ({ kind: 'notice' } & CardWebhook) | { kind: 'not_believed' };

/** The merchant key, the field names and the hash key checks by which a webhook is verified. */
export type WebhookVerifier = {
  readonly merchantKey: string;
  readonly fieldPrefix: string;
  agrees(hashKey: unknown, expected: readonly ExpectedPart[]): boolean;
  holds(hashKey: unknown, part: string): boolean;
};

const NOT_BELIEVED: CardNoticeAnswer = { kind: 'not_believed' };
const NOTHING = {
  invoiceId: null,
  orderId: null,
  planCode: null,
  number: null,
  uniqueId: null,
} as const;

type Fields = ReadonlyMap<string, string>;

/** Form or JSON (`published`: forms; chargebacks in JSON, `published-weak`). Never throws. */
export function readNotice(verifier: WebhookVerifier, body: string): CardNoticeAnswer {
  const fields = body.trimStart().startsWith('{') ? jsonFields(body) : formFields(body);
  if (fields === null) return NOT_BELIEVED;
  const notice = recognise(fields, verifier);
  return notice === null ? NOT_BELIEVED : { kind: 'notice', ...notice };
}

function recognise(fields: Fields, verifier: WebhookVerifier): CardWebhook | null {
  if (fields.has('current_trx_status')) return chargeback(fields, verifier);
  if (fields.has('plan_code')) return recurring(fields, verifier);
  if (fields.has('unique_id')) return cashoutReverse(fields, verifier);
  if (fields.has(`${verifier.fieldPrefix}status`) || fields.has('payment_status'))
    return sale(fields, verifier);
  return fields.has('amount') ? refund(fields, verifier) : null;
}

/**
 * The webhook of a sale (`published`). Its hash joins status (1 or 0), total, invoice, order and
 * currency; total and currency are not among the webhook's fields.
 */
function sale(fields: Fields, verifier: WebhookVerifier): CardWebhook | null {
  const invoiceId = idOf(fields, 'invoice_id');
  const orderId = idOf(fields, 'order_no') ?? idOf(fields, 'order_id');
  const status = fields.get('payment_status') ?? fields.get(`${verifier.fieldPrefix}status`) ?? '';
  if (invoiceId === null || (status !== '1' && status !== '0')) return null;
  const notice = {
    ...NOTHING,
    topic: 'sale',
    hint: status === '1' ? 'succeeded' : 'failed',
    invoiceId,
    orderId,
  } as const;
  const hashKey = fields.get('hash_key') ?? '';
  // `contract`: a failure has no hash.
  if (hashKey === '') return status === '0' ? { ...notice, proof: 'none' } : null;
  return verifier.agrees(hashKey, [status, null, invoiceId, orderId ?? '', null])
    ? { ...notice, proof: 'hash' }
    : null;
}

/**
 * The webhook of a recurring charge (`published`). Its hash joins the five parts of a sale, with a
 * word for the status (`published-weak`). Our merchant key is always required; the hash may be
 * missing.
 */
function recurring(fields: Fields, verifier: WebhookVerifier): CardWebhook | null {
  const planCode = idOf(fields, 'plan_code');
  const invoiceId = idOf(fields, 'invoice_id');
  const orderId = idOf(fields, 'order_id');
  const word = fields.get('status') ?? '';
  if (planCode === null || fields.get('merchant_key') !== verifier.merchantKey) return null;
  const notice = {
    ...NOTHING,
    topic: 'recurring',
    hint: hintOf(word),
    invoiceId,
    orderId,
    planCode,
    number: idOf(fields, 'recurring_number'),
  } as const;
  const hashKey = fields.get('hash_key') ?? '';
  if (hashKey === '') return { ...notice, proof: 'merchant_key' };
  const rest = [amountPart(fields.get('product_price')), invoiceId ?? '', orderId ?? '', null];
  return spellings(word).some((spelling) => verifier.agrees(hashKey, [spelling, ...rest]))
    ? { ...notice, proof: 'hash' }
    : null;
}

/**
 * `published-weak`: sent when a refund is approved or done by hand; the hash is status, amount,
 * invoice, order.
 */
function refund(fields: Fields, verifier: WebhookVerifier): CardWebhook | null {
  const invoiceId = idOf(fields, 'invoice_id');
  const orderId = idOf(fields, 'order_id');
  const word = fields.get('status') ?? '';
  if (invoiceId === null) return null;
  const rest = [amountPart(fields.get('amount')), invoiceId, orderId ?? ''];
  if (
    !spellings(word).some((spelling) =>
      verifier.agrees(fields.get('hash_key'), [spelling, ...rest]),
    )
  )
    return null;
  const hint = hintOf(word) === 'succeeded' ? 'refunded' : hintOf(word);
  return { ...NOTHING, topic: 'refund', hint, invoiceId, orderId, proof: 'hash' };
}

/**
 * Fields `published-weak`. The hash composition is not published (`assumed`): it must decrypt and
 * contain the invoice.
 */
function chargeback(fields: Fields, verifier: WebhookVerifier): CardWebhook | null {
  const invoiceId = idOf(fields, 'invoice_id');
  if (invoiceId === null || !verifier.holds(fields.get('hash_key'), invoiceId)) return null;
  return {
    ...NOTHING,
    topic: 'chargeback',
    hint: 'charged_back',
    invoiceId,
    orderId: idOf(fields, 'order_id'),
    proof: 'hash',
  };
}

/**
 * All of it `assumed`: unique_id, iban, amount, currency, status, reason, and a hash that decrypts
 * and contains our id of the row.
 */
function cashoutReverse(fields: Fields, verifier: WebhookVerifier): CardWebhook | null {
  const uniqueId = idOf(fields, 'unique_id');
  if (uniqueId === null || !verifier.holds(fields.get('hash_key'), uniqueId)) return null;
  return { ...NOTHING, topic: 'cashout_reverse', hint: 'came_back', uniqueId, proof: 'hash' };
}

/** Status words: Completed and Failed (`published`), Fail (newer text). */
function hintOf(word: string): 'succeeded' | 'failed' | 'unknown' {
  switch (word.toLowerCase()) {
    case 'completed':
      return 'succeeded';
    case 'failed':
    case 'fail':
      return 'failed';
    default:
      return 'unknown';
  }
}

/**
 * The forms of a status word that its hash may join: the hash may write the word in capitals, and a
 * failure in a shorter form than the field (sources disagree).
 */
function spellings(word: string): string[] {
  const words = hintOf(word) === 'failed' ? [word, 'Failed', 'Fail'] : [word];
  return [...new Set([...words, ...words.map((one) => one.toUpperCase())])];
}

/**
 * The amount that the hash must contain. Without an amount in the webhook any amount agrees; an
 * unreadable amount agrees only with the same text.
 */
function amountPart(text: string | undefined): ExpectedPart {
  if (text === undefined || text === '') return null;
  const amountMinor = readDecimal(text);
  return amountMinor === null ? text : { amountMinor };
}

function idOf(fields: Fields, name: string): string | null {
  const text = fields.get(name) ?? '';
  return text === '' || text.length > ID_MAX || /\p{Cc}/u.test(text) ? null : text;
}

/** Null for a repeated field: two parsers could take different values. */
function formFields(body: string): Fields | null {
  const pairs = [...new URLSearchParams(body)];
  const fields = new Map(pairs);
  return fields.size === pairs.length && pairs.length > 0 && pairs.length <= FIELDS_MAX
    ? fields
    : null;
}

const scalar = z.union([z.string(), z.instanceof(Exact).transform((number) => number.text)]);

function jsonFields(body: string): Fields | null {
  const json = parseJson(body);
  const read = json.ok ? z.record(z.string(), z.unknown()).safeParse(json.value) : null;
  if (!read?.success) return null;
  const fields = new Map<string, string>();
  for (const [name, value] of Object.entries(read.data)) {
    const text = scalar.safeParse(value);
    if (text.success) fields.set(name, text.data);
  }
  return fields.size <= FIELDS_MAX ? fields : null;
}
