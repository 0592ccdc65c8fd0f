import 'server-only';
import * as z from 'zod';
import { toDecimal } from '#lib/values/money.ts';
import { rawInteger } from '../json.ts';
import type { Exchange } from '../outcome.ts';
import type { ProviderRequest } from '../transport.ts';
import type { LoginLine } from './connection.ts';
import { CURRENCY_IDS, dplRecord, USE_IDS } from './link-record.ts';
import { count, isCode, openAnswer, success } from './wire.ts';
import type {
  LinkAnswer,
  LinkPage,
  LinkUse,
  PaymentLink,
  PaymentLinkContent,
  SentLink,
} from './types.ts';

/** Long, because a photo may have to be uploaded first. */
const DEADLINE_MS = 30_000;
const LIST_MAX_BYTES = 4 * 1024 * 1024;
const PAGE_SIZE_MAX = 200;

/**
 * `statuscode` values of the payment link operations (both `assumed`). In the second step of
 * sign-in, 1 means a wrong code.
 */
const VALIDATION = '1';
const UNKNOWN_LINK = '31';

const made = z.object({ dpl: dplRecord });
const sent = z.object({ dpl: dplRecord, link: z.url({ protocol: /^https?$/ }) });
/**
 * A page of the framework's paginator (`published`: "Laravel-style paginator"; that it is `data`
 * itself is `assumed`).
 */
const listed = z.object({
  current_page: count,
  last_page: count.optional(),
  per_page: count,
  total: count,
  data: z.array(dplRecord),
});

/**
 * Makes a payment link (`published`: multipart POST api/dpl/create). One request, never retried: a
 * second one makes a second link, and after `unavailable` the link may exist.
 * @throws RangeError for an amount that is not positive.
 */
export async function createPaymentLink(
  line: LoginLine,
  token: string,
  content: PaymentLinkContent,
): Promise<LinkAnswer<PaymentLink>> {
  const form = new Response(linkForm(content));
  const contentType = form.headers.get('content-type') ?? '';
  const answer = read(
    await ask(line, token, {
      method: 'POST',
      path: '/api/dpl/create',
      contentType,
      bytes: await form.bytes(),
    }),
    made,
  );
  if (answer.kind !== 'answered') return answer;
  const link = answer.value.dpl;
  const isAmountOurs =
    link.amountMinor === content.amountMinor ||
    (content.payerSetsAmount && link.amountMinor === null);
  return isAmountOurs && link.currency === content.currency
    ? { kind: 'answered', value: link }
    : { kind: 'unavailable', why: 'mismatch' };
}

/**
 * Has the service send a link to recipients (`published`; JSON is `assumed`). Never retried: each
 * call sends messages.
 */
export async function sendPaymentLink(
  line: LoginLine,
  token: string,
  link: { id: string; use: LinkUse },
  to: { emails: string[] } | { phones: string[] },
): Promise<LinkAnswer<SentLink>> {
  const [path, people] =
    'emails' in to
      ? (['/api/dpl/sendemail', { email: to.emails }] as const)
      : (['/api/dpl/sendsms', { phone: to.phones }] as const);
  const body = JSON.stringify({
    dpl_id: rawInteger(link.id),
    payment_link_type: rawInteger(USE_IDS[link.use]),
    ...people,
  });
  const answer = read(await ask(line, token, { method: 'POST', path, body }), sent);
  if (answer.kind !== 'answered') return answer;
  const { dpl, link: address } = answer.value;
  return dpl.id === link.id
    ? { kind: 'answered', value: { link: dpl, address } }
    : { kind: 'unavailable', why: 'mismatch' };
}

/** One link (`published`: GET api/dpl/details/{id}). */
export async function getPaymentLink(
  line: LoginLine,
  token: string,
  id: string,
): Promise<LinkAnswer<PaymentLink>> {
  const answer = read(
    await ask(line, token, { method: 'GET', path: `/api/dpl/details/${encodeURIComponent(id)}` }),
    made,
  );
  if (answer.kind !== 'answered') return answer;
  return answer.value.dpl.id === id
    ? { kind: 'answered', value: answer.value.dpl }
    : { kind: 'unavailable', why: 'mismatch' };
}

/**
 * Active or inactive links (`published`: GET api/dpl/list/active and /passive). `index` counts from
 * 0; `page` is `assumed`.
 */
export async function listPaymentLinks(
  line: LoginLine,
  token: string,
  which: 'active' | 'passive',
  page: { index: number; size: number },
): Promise<LinkAnswer<LinkPage>> {
  const size = Math.min(Math.max(Math.trunc(page.size), 1), PAGE_SIZE_MAX);
  const index = Math.max(Math.trunc(page.index), 0);
  const query = new URLSearchParams({ page_limit: String(size), page: String(index + 1) });
  const answer = read(
    await ask(line, token, {
      method: 'GET',
      path: `/api/dpl/list/${which}?${query}`,
      answerMaxBytes: LIST_MAX_BYTES,
    }),
    listed,
  );
  if (answer.kind !== 'answered') return answer;
  const { current_page: current, per_page: perPage, total, data: rows } = answer.value;
  // Another page than the requested one would show some links twice and hide others.
  if (current !== index + 1) return { kind: 'unavailable', why: 'mismatch' };
  return {
    kind: 'answered',
    value: {
      rows,
      index,
      size: perPage,
      pageCount: answer.value.last_page ?? Math.ceil(total / Math.max(perPage, 1)),
      rowCount: total,
    },
  };
}

type Question = Pick<ProviderRequest, 'method' | 'body' | 'bytes' | 'answerMaxBytes'> & {
  path: string;
  contentType?: string;
};

function ask(
  line: LoginLine,
  token: string,
  { path, contentType = 'application/json', ...question }: Question,
): Promise<Exchange> {
  return line.transport({
    ...question,
    url: line.base + path,
    headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    deadlineMs: DEADLINE_MS,
  });
}

function read<T>(exchange: Exchange, schema: z.ZodType<T>): LinkAnswer<T> {
  if (exchange.kind === 'response' && exchange.status === 401) return { kind: 'unauthorized' };
  const answer = openAnswer(exchange);
  if (isCode(answer, VALIDATION)) return { kind: 'refused', code: VALIDATION };
  if (isCode(answer, UNKNOWN_LINK)) return { kind: 'not_found' };
  const value = success(answer, schema);
  return value.ok
    ? { kind: 'answered', value: value.value }
    : { kind: 'unavailable', why: value.why };
}

function linkForm(content: PaymentLinkContent): FormData {
  if (typeof content.amountMinor !== 'bigint' || content.amountMinor <= 0n)
    throw new RangeError('a payment link has a positive amount');
  const form = new FormData();
  form.set('amount', toDecimal(content.amountMinor));
  form.set('currency', CURRENCY_IDS[content.currency]);
  form.set('is_amount_set_by_user', content.payerSetsAmount ? '1' : '0');
  form.set('payment_link_type', USE_IDS[content.use]);
  form.set('name_of_product', content.product);
  if (content.description !== null) form.set('description', content.description);
  if (content.photo !== null)
    form.set(
      'product_photo',
      new Blob([content.photo.bytes], { type: content.photo.type }),
      content.photo.type === 'image/png' ? 'photo.png' : 'photo.jpg',
    );
  return form;
}
