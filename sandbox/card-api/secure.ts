import { randomBytes, randomInt } from 'node:crypto';
import type { Call } from '../routes.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { describe, refuse, unauthorized } from './answer.ts';
import { cardProblem } from './card-checks.ts';
import { invalid, readCall, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { SHAPES } from './order-shapes.ts';
import { amountText, dataOf, insertOrder, orderById } from './orders.ts';
import type { OrderKind } from './orders.ts';
import { isAnswer, readPayment } from './payment.ts';
import type { Payment } from './payment.ts';
import { returnBrowser, seeOther } from './redirect.ts';
import { payNow, savedCard, typedCard } from './sale.ts';
import type { Chosen } from './sale.ts';
import { isCardAuthorized } from './token.ts';

/** Payments through the bank page: paySmart3D and payByCardToken, forms that a browser posts. */

export const BANK_PAGE = '/card/bank/verify';
const MINUTE_MS = 60_000;

/**
 * Whether the value is an absolute http or https address; the browser is redirected to no other
 * value.
 */
export function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

export type Ends = { returnUrl: string; cancelUrl: string; responseMethod: 'GET' | 'POST' };

/**
 * Returns the addresses to which the browser returns, or the refusal: 404 without a cancel address,
 * 1 for an address that is not an absolute web address.
 */
function endsOf(world: World, fields: Fields, lang: Lang): Ends | Answer {
  const [returnUrl, cancelUrl] = [textOf(fields, 'return_url'), textOf(fields, 'cancel_url')];
  if (cancelUrl === '') return refuse(404, lang);
  const wrong = Object.entries({ return_url: returnUrl, cancel_url: cancelUrl })
    .filter(([, address]) => !isWebAddress(address))
    .map(([name]) => name);
  if (wrong.length > 0) return invalid(wrong, lang);
  const method = textOf(fields, 'response_method');
  return {
    returnUrl,
    cancelUrl,
    responseMethod:
      method === 'POST' || method === 'GET'
        ? method
        : (world.cardMerchant.redirect_default as 'GET' | 'POST'),
  };
}

export const bankStepEnd = (world: World, at: number): number =>
  at + world.cardMerchant.bank_step_minutes * MINUTE_MS;

/**
 * Opens the bank's page for an order and sends the code by SMS, except for the test card whose code
 * never arrives.
 */
export function openBankStep(world: World, order: Row, at: number): Row {
  const { lang, phone, email, buyer, card } = dataOf(order);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  world.store.run(
    'INSERT INTO bank_steps (id, order_id, code) VALUES (?, ?, ?)',
    randomBytes(18).toString('base64url'),
    text(order.order_id),
    code,
  );
  const sum = `${amountText(minor(order.total))} ${text(order.currency)}`;
  const words =
    lang === 'tr'
      ? `${sum} tutarındaki kart ödemenizin onay kodu: ${code}. Kodu kimseyle paylaşmayın.`
      : `Code for your card payment of ${sum}: ${code}. Share it with nobody.`;
  if (card.behaviour !== 'late_3d')
    world.store.run(
      'INSERT INTO messages (phone, email, name, text, code, at) VALUES (?, ?, ?, ?, ?, ?)',
      phone,
      email,
      `${buyer} · ${card.masked.slice(-4)}`,
      words,
      code,
      at,
    );
  world.scheduler.poke(num(order.due_at));
  return order;
}

function toTheBank(
  world: World,
  payment: Payment,
  chosen: Chosen,
  kind: OrderKind,
  ends: Ends,
): Answer {
  const at = world.clock.now();
  const due = { at: bankStepEnd(world, at), what: 'bank_step' as const };
  const orderId = insertOrder(world, {
    kind,
    state: 'bank_step',
    payment,
    card: chosen.card,
    expiry: chosen.expiry,
    ...ends,
    due,
    at,
  });
  return seeOther(bankPageOf(world, openBankStep(world, orderById(world, orderId), at)));
}

export const bankPageOf = (world: World, order: Row): string =>
  `${BANK_PAGE}?id=${text(world.store.get('SELECT id FROM bank_steps WHERE order_id = ?', text(order.order_id))?.id)}`;

/**
 * Checks the bearer token of a form when there is one. A form without a token is accepted, because
 * its hash proves who sent it (published-weak; 401 assumed).
 */
function tokenProblem(world: World, call: Call, lang: Lang): Answer | null {
  const { authorization } = call.headers;
  return authorization === undefined || isCardAuthorized(world, authorization, call.arrivedAt)
    ? null
    : unauthorized(lang);
}

/**
 * Whether a script sent the request instead of a browser's form submission (contract; the code of
 * the refusal is assumed).
 */
const isScripted = (call: Call): boolean =>
  (call.headers['x-requested-with'] ?? '').toLowerCase() === 'xmlhttprequest' ||
  call.headers['sec-fetch-dest'] === 'empty';

/**
 * paySmart3D has no JSON answer: a request refused before the bank page sends the browser to
 * cancel_url with the code. A request gets its code as JSON only when its form cannot be read, its
 * sender is not accepted, or one of its addresses is not usable.
 */
export function paySmart3D(world: World, call: Call): Answer {
  const read = readCall(call, 'form');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const stranger = tokenProblem(world, call, lang) ?? (isScripted(call) ? refuse(1, lang) : null);
  if (stranger) return stranger;
  const ends = endsOf(world, fields, lang);
  if (isAnswer(ends)) return ends;
  const back = (code: number, words = describe(code, lang)): Answer =>
    returnBrowser(
      ends.cancelUrl,
      ends.responseMethod,
      {
        svc_status: '0',
        order_no: '',
        order_id: '',
        invoice_id: textOf(fields, 'invoice_id'),
        status_code: String(code),
        status_description: words,
        payment_status: '0',
        payment_method: '1',
        transaction_type:
          textOf(fields, 'transaction_type') === 'PreAuth' ? 'Pre-Authorization' : 'Auth',
        error_code: String(code),
        error: words,
        status: 'Failed',
        md_status: '0',
      },
      String(code),
    );
  const payment = readPayment(world, fields, lang, SHAPES.paySmart3D, 'secure', true);
  if (isAnswer(payment)) {
    const refused = JSON.parse(payment.body) as { status_code: number; status_description: string };
    return back(refused.status_code, refused.status_description);
  }
  const chosen = typedCard(fields, world.clock.now());
  if (typeof chosen === 'number') return back(chosen);
  const problem = cardProblem(world, payment, chosen.card, {
    maturity: textOf(fields, 'maturity_period'),
    frequency: textOf(fields, 'payment_frequency'),
  });
  return problem === null ? toTheBank(world, payment, chosen, '3d', ends) : back(problem);
}

/**
 * payByCardToken: the contract has both a JSON body and a redirect. A refusal is answered in the
 * body. A payment goes through the bank page, or is made at once and answered in the body where the
 * setting `card_token_answer` says so.
 */
export function payByCardToken(world: World, call: Call): Answer {
  const read = readCall(call, 'form');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const stranger = tokenProblem(world, call, lang) ?? (isScripted(call) ? refuse(1, lang) : null);
  if (stranger) return stranger;
  const ends = endsOf(world, fields, lang);
  if (isAnswer(ends)) return ends;
  const payment = readPayment(world, fields, lang, SHAPES.payByCardToken, 'secure', true);
  if (isAnswer(payment)) return payment;
  const chosen = savedCard(world, fields);
  if (typeof chosen === 'number') return refuse(chosen, lang);
  if (world.cardMerchant.card_token_answer === 'body')
    return payNow(world, payment, chosen, 'token');
  const problem = cardProblem(world, payment, chosen.card, null);
  return problem === null
    ? toTheBank(world, payment, chosen, 'token', ends)
    : refuse(problem, lang);
}
