import type { Call } from '../routes.ts';
import { num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { done, refuse } from './answer.ts';
import { cardOf, compactNumber, expiryOf, isPast, passesLuhn } from './card.ts';
import type { Card } from './card.ts';
import { cardProblem } from './card-checks.ts';
import { charge } from './charge.ts';
import { readCall, textOf } from './fields.ts';
import type { Fields } from './fields.ts';
import { SHAPES } from './order-shapes.ts';
import { insertOrder, orderById } from './orders.ts';
import type { OrderKind } from './orders.ts';
import { isAnswer, readPayment } from './payment.ts';
import type { Payment } from './payment.ts';
import { resultData } from './result.ts';
import { savedCardRow } from './saved-cards.ts';

/** Payments without a bank page: paySmart2D and payByCardTokenNonSecure. */

export type Chosen = { card: Card; expiry: string };

/**
 * Returns the card of an order request, or a refusal code. An expired card is not refused here: the
 * bank declines it.
 */
export function typedCard(fields: Fields, now: number): Chosen | number {
  const number = compactNumber(textOf(fields, 'cc_no'));
  if (!passesLuhn(number)) return 108;
  const expiry = expiryOf(textOf(fields, 'expiry_month'), textOf(fields, 'expiry_year'));
  const cvv = textOf(fields, 'cvv');
  if (expiry === null || (cvv !== '' && !/^\d{3,4}$/.test(cvv))) return 1;
  const card = cardOf(number);
  return {
    card: isPast(expiry, now) ? { ...card, behaviour: 'expired' } : card,
    expiry: `${String(expiry.month).padStart(2, '0')}/${expiry.year}`,
  };
}

/**
 * Returns the saved card of a token and a customer, or a refusal code: 79 or 103 when the merchant
 * may not pay by token, 1 when there is no such card (contract).
 */
export function savedCard(world: World, fields: Fields): Chosen | number {
  const { token_payment: allowed } = world.cardMerchant;
  if (allowed !== 'allowed') return allowed === 'refused' ? 79 : 103;
  const row = savedCardRow(world, fields);
  if (!row) return 1;
  const card = JSON.parse(text(row.card)) as Card;
  const [month = '', year = ''] = text(row.expiry).split('/');
  const expiry = expiryOf(month, year);
  return {
    card:
      expiry !== null && isPast(expiry, world.clock.now())
        ? { ...card, behaviour: 'expired' }
        : card,
    expiry: text(row.expiry),
  };
}

/**
 * Makes the answer to a payment that went to the bank at once. A payment in process gets no answer:
 * its connection is closed (`lost`).
 */
function answerOf(world: World, order: Row, lang: Lang): Answer {
  const code = num(order.code);
  if (order.state === 'completed' || order.state === 'preauth')
    return done(resultData(world, order), lang);
  return { ...refuse(code, lang), ...(order.state === 'in_process' ? { lost: true } : {}) };
}

export function payNow(world: World, payment: Payment, chosen: Chosen, kind: OrderKind): Answer {
  const at = world.clock.now();
  const problem = cardProblem(world, payment, chosen.card, null);
  if (problem !== null) return refuse(problem, payment.lang);
  const orderId = insertOrder(world, {
    kind,
    state: 'in_process',
    payment,
    card: chosen.card,
    expiry: chosen.expiry,
    at,
  });
  return answerOf(world, charge(world, orderById(world, orderId), at), payment.lang);
}

/**
 * Whether the fields of vpos_type are wrong: `insurance` needs an identity number of 10 or 11
 * digits in place of the security code (published).
 */
function insuranceProblem(fields: Fields): boolean {
  const type = textOf(fields, 'vpos_type');
  if (type === '') return false;
  return type !== 'insurance' || !/^\d{10,11}$/.test(textOf(fields, 'identity_number'));
}

export function paySmart2D(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const insurance = textOf(fields, 'vpos_type') === 'insurance';
  const payment = readPayment(
    world,
    fields,
    lang,
    insurance ? { ...SHAPES.paySmart2D, cvv: ['n', 'text'] } : SHAPES.paySmart2D,
    'direct',
    false,
  );
  if (isAnswer(payment)) return payment;
  if (insuranceProblem(fields)) return refuse(1, lang);
  const chosen = typedCard(fields, world.clock.now());
  return typeof chosen === 'number' ? refuse(chosen, lang) : payNow(world, payment, chosen, '2d');
}

export function payByCardTokenNonSecure(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  // The published field list says that `items` is an array or its JSON text; both are accepted
  // (assumed).
  const payment = readPayment(
    world,
    fields,
    lang,
    SHAPES.payByCardTokenNonSecure,
    'direct',
    typeof fields.items === 'string',
  );
  if (isAnswer(payment)) return payment;
  const chosen = savedCard(world, fields);
  return typeof chosen === 'number'
    ? refuse(chosen, lang)
    : payNow(world, payment, chosen, 'token');
}
