import type { Row } from '../store.ts';
import { DAY, HOUR, MINUTE } from '../time.ts';
import { Violation } from '../violation.ts';
import type { Rule } from '../violation.ts';
import type { Effect } from './effect.ts';
import { amountOf, fieldOf } from './wire.ts';
import type { CardWorld } from './world.ts';

/** Checks whether a card request carries out what a person ordered. */

const CAPTURE_LIFE_MS = 19 * DAY;

const fail = (rule: Rule, what: string): never => {
  throw new Violation(rule, what);
};

/**
 * Requires the request to carry the order, amount and number of the operation that a person
 * submitted.
 */
export function checkRequestText(
  { extId, amountMinor, card, iban, kind }: Row,
  path: Extract<Effect, { kind: 'request' }>['path'],
  body: string,
): void {
  const amount = path === 'confirmPayment' ? amountOf(body, 'total') : amountOf(body, 'amount');
  const number =
    path === 'refund' ? fieldOf(body, 'refund_transaction_id') : fieldOf(body, 'unique_id');
  const order = card === null ? fieldOf(body, 'iban') : fieldOf(body, 'invoice_id');
  if (order !== (card?.invoiceId ?? iban)) fail('C1', `${extId} leaves for ${order ?? 'nobody'}`);
  if (kind !== 'card_release' && amount !== amountMinor)
    fail('C1', `${extId} leaves with the amount ${String(amount)}`);
  if (path !== 'confirmPayment' && number !== extId)
    fail('C1', `${extId} leaves under the number ${number ?? 'none'}`);
}

/**
 * Requires the order to be in the state that the operation was based on: a capture comes at most 19
 * days and an hour after the authorization, and the record shows the refunds that a refund was
 * based on, now or a minute ago.
 */
export function checkOrderUnchanged(world: CardWorld, { extId, kind, card }: Row): void {
  if (card === null) return;
  const order = world.gateway.orders.get(card.invoiceId)!;
  const { now } = world.agenda;
  if (kind === 'card_capture' && order.age(now) > CAPTURE_LIFE_MS + HOUR)
    fail('C5', `${extId} captures a hold in its last day`);
  if (
    kind === 'card_refund' &&
    order.refundedBy(now - MINUTE) !== card.beforeMinor &&
    order.refundedBy(now) !== card.beforeMinor
  ) {
    fail('C5', `${extId} leaves although the record shows other refunds than it was asked after`);
  }
}
