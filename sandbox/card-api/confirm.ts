import { text, minor } from '../store.ts';
import type { Call } from '../routes.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { flat, refuse } from './answer.ts';
import { capture } from './charge.ts';
import { amountOf, checkShape, readCall, textOf } from './fields.ts';
import type { Shape } from './fields.ts';
import { magicCode } from './magic-invoice.ts';
import { changeOrder, orderByInvoice } from './orders.ts';
import { hashProblem, merchantProblem } from './payment.ts';

/**
 * POST /ccpayment/api/confirmPayment: captures an authorization in full or in part, or voids it.
 */

export const CONFIRM_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  invoice_id: ['y', 'text'],
  status: ['y', 'whole'],
  total: ['n', 'amount'],
  hash_key: ['y', 'text'],
  app_lang: ['n', 'text'],
};

export function confirmPayment(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, CONFIRM_SHAPE, lang);
  if (wrong) return wrong;
  const [invoiceId, status] = [textOf(fields, 'invoice_id'), textOf(fields, 'status')];
  if (status !== '1' && status !== '2') return refuse(1, lang);
  const merchant = merchantProblem(world, fields);
  if (merchant) return refuse(merchant, lang);
  const hash = hashProblem(world, textOf(fields, 'hash_key'), [
    textOf(fields, 'merchant_key'),
    invoiceId,
    status,
  ]);
  if (hash) return refuse(hash, lang);
  const order = orderByInvoice(world, invoiceId);
  if (!order) return refuse(32, lang);
  // 113 also refuses a second confirmation and an authorization that has ended (assumed).
  if (order.state !== 'preauth') return refuse(113, lang);
  const forced = magicCode(world, 'CONFIRM', invoiceId);
  if (forced !== null) return refuse(forced, lang);
  const blocked = minor(order.total);
  const wanted = textOf(fields, 'total') === '' ? 0n : amountOf(fields, 'total');
  // No code is published for an amount above the authorized one (1 assumed).
  if (wanted === null || wanted < 0n || wanted > blocked) return refuse(1, lang);
  const at = world.clock.now();
  if (status === '2') changeOrder(world, order, { state: 'cancelled', code: 100, at, due: null });
  else
    capture(
      world,
      changeOrder(world, order, { state: 'completed', code: 100, at, due: null }),
      wanted === 0n ? blocked : wanted,
      'card_capture',
      at,
    );
  return flat(
    { transaction_status: 'Completed', order_id: text(order.order_id), invoice_id: invoiceId },
    lang,
  );
}
