import { num, text } from '../store.ts';
import type { Call } from '../routes.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { done, refuse } from './answer.ts';
import { charge } from './charge.ts';
import { checkShape, readCall, textOf } from './fields.ts';
import type { Shape } from './fields.ts';
import { sendSale } from './hooks.ts';
import { magicCode } from './magic-invoice.ts';
import { changeOrder, orderByInvoice } from './orders.ts';
import { hashProblem, merchantProblem } from './payment.ts';
import { resultData, resultFields } from './result.ts';

/**
 * POST /ccpayment/payment/complete: captures a payment that was verified with 3D, or cancels it
 * (published).
 */

export const COMPLETE_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  invoice_id: ['y', 'text'],
  order_id: ['y', 'text'],
  status: ['y', 'text'],
  hash_key: ['y', 'text'],
  app_lang: ['n', 'text'],
};

export function completePayment(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, COMPLETE_SHAPE, lang);
  if (wrong) return wrong;
  const [key, invoiceId, orderId, status] = [
    'merchant_key',
    'invoice_id',
    'order_id',
    'status',
  ].map((name) => textOf(fields, name)) as [string, string, string, string];
  if (status !== 'complete' && status !== 'cancel') return refuse(1, lang);
  const merchant = merchantProblem(world, fields);
  if (merchant) return refuse(merchant, lang);
  const hash = hashProblem(world, textOf(fields, 'hash_key'), [key, invoiceId, orderId, status]);
  if (hash) return refuse(hash, lang);
  const order = orderByInvoice(world, invoiceId);
  if (!order) return refuse(32, lang);
  if (text(order.order_id) !== orderId) return refuse(31, lang);
  if (['completed', 'preauth', 'cancelled'].includes(text(order.state))) return refuse(117, lang);
  // A failed order gets code 41, an order whose bank step has not ended gets 69 (both assumed: no
  // code is published for these two cases).
  if (order.state === 'failed') return refuse(41, lang);
  if (order.state !== 'completion') return refuse(69, lang);
  const forced = magicCode(world, 'COMPLETE', invoiceId);
  if (forced !== null) return refuse(forced, lang);
  const at = world.clock.now();
  if (status === 'cancel') {
    const cancelled = changeOrder(world, order, { state: 'cancelled', code: 41, at, due: null });
    sendSale(world, cancelled);
    return done({ ...resultData(world, cancelled), status: 'Cancelled' }, lang);
  }
  const charged = charge(world, order, at);
  if (charged.state === 'failed') return refuse(num(charged.code), lang);
  return {
    ...done({ ...resultData(world, charged), status: resultFields(world, charged).status }, lang),
    ...(charged.state === 'in_process' ? { lost: true as const } : {}),
  };
}
