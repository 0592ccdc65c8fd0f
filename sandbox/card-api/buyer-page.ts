import { randomBytes } from 'node:crypto';
import type { Call } from '../routes.ts';
import { MERCHANT } from '../seed/merchant.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { describe } from './answer.ts';
import { cardProblem } from './card-checks.ts';
import { amountOf, readForm, textOf, whole } from './fields.ts';
import type { Fields } from './fields.ts';
import { amountText, changeOrder, dataOf, insertOrder, orderById } from './orders.ts';
import type { Payment } from './payment.ts';
import { escapeHtml, page } from './page.ts';
import { feeOf } from './pos.ts';
import { seeOther } from './redirect.ts';
import { typedCard } from './sale.ts';
import type { Chosen } from './sale.ts';
import { bankPageOf, bankStepEnd, openBankStep } from './secure.ts';

/**
 * The gateway's page behind a link: a branded payment (purchase/link) of one order, or a payment
 * link of the login host that can be paid once or several times.
 */

export type DplData = {
  amount: string;
  currency: string;
  product: string;
  description: string;
  open: boolean;
};

const TITLE = 'Kartla ödeme';

function notice(words: string, status = 200): Answer {
  return page(TITLE, `<p role="status">${escapeHtml(words)}</p>`, { lang: 'tr', status });
}

function form(
  id: string,
  sum: string,
  what: string,
  forms: string[],
  problem: string,
  amountOpen: boolean,
): Answer {
  const alert = problem === '' ? '' : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
  const amountField = amountOpen
    ? '<label>Tutar<input name="amount" inputmode="decimal" required></label>'
    : '';
  return page(
    TITLE,
    `<dl><dt>Üye işyeri</dt><dd>${escapeHtml(MERCHANT.name)}</dd>
<dt>Ödeme</dt><dd>${escapeHtml(what)}</dd><dt>Tutar</dt><dd>${escapeHtml(sum)}</dd></dl>
<form method="post" action="?id=${id}" autocomplete="off">${alert}${amountField}
<label>Kart üzerindeki ad<input name="cc_holder_name" required></label>
<label>Kart numarası<input name="cc_no" inputmode="numeric" required maxlength="23"></label>
<div class="pair"><label>Ay<input name="expiry_month" inputmode="numeric" required maxlength="2">
</label><label>Yıl<input name="expiry_year" inputmode="numeric" required maxlength="4">
</label><label>CVV<input name="cvv" inputmode="numeric" required maxlength="4"></label></div>
<button class="main">Öde</button></form>`,
    { lang: 'tr', forms },
  );
}

const paymentOf = (order: Row): Payment => {
  const { description, lang, plan, email, phone, buyer } = dataOf(order);
  return {
    invoiceId: text(order.invoice_id),
    description,
    total: minor(order.total),
    currency: text(order.currency),
    installments: num(order.installments),
    pre: false,
    hookKey: text(order.hook_key),
    plan,
    byMerchant: false,
    byUser: false,
    program: '',
    lang,
    email,
    phone,
    buyer,
  };
};

/**
 * Returns the card that the buyer typed, or the error message for the buyer when this card cannot
 * pay.
 */
function chosenOf(world: World, fields: Fields, payment: Payment): Chosen | string {
  const chosen = textOf(fields, 'cvv') === '' ? 1 : typedCard(fields, world.clock.now());
  const problem =
    typeof chosen === 'number' ? chosen : cardProblem(world, payment, chosen.card, null);
  return problem === null ? (chosen as Chosen) : describe(problem, 'tr');
}

function payPurchase(world: World, link: Row, fields: Fields | null): Answer {
  const order = orderById(world, text(link.order_id));
  if (order.state !== 'link')
    return order.state === 'bank_step'
      ? seeOther(bankPageOf(world, order))
      : notice('Bu ödeme sonuçlandı.');
  const data = dataOf(order);
  const forms = [
    ...new Set([data.returnUrl, data.cancelUrl].map((address) => new URL(address).origin)),
  ];
  const show = (problem: string): Answer =>
    form(
      text(link.token),
      `${amountText(minor(order.total))} ${text(order.currency)}`,
      data.description,
      forms,
      problem,
      false,
    );
  if (fields === null) return show('');
  const most = (JSON.parse(text(link.data)) as { most_installments: number }).most_installments;
  const installments =
    textOf(fields, 'installments_number') === '' ? 1 : whole(fields, 'installments_number');
  const payment = { ...paymentOf(order), installments };
  const chosen = chosenOf(world, fields, payment);
  if (typeof chosen === 'string' || !(installments <= most))
    return show(typeof chosen === 'string' ? chosen : describe(40, 'tr'));
  const at = world.clock.now();
  world.store.run(
    'UPDATE card_orders SET masked = ?, behaviour = ?, installments = ?, fee = ? WHERE order_id = ?',
    chosen.card.masked,
    chosen.card.behaviour,
    installments,
    feeOf(payment.total, installments),
    text(order.order_id),
  );
  const opened = changeOrder(world, order, {
    state: 'bank_step',
    code: 69,
    at,
    due: { at: bankStepEnd(world, at), what: 'bank_step' },
    data: { card: chosen.card, expiry: chosen.expiry },
  });
  world.store.run("UPDATE pay_links SET uses = 1, state = 'EXPIRED' WHERE id = ?", num(link.id));
  return seeOther(bankPageOf(world, openBankStep(world, opened, at)));
}

function payDpl(world: World, link: Row, fields: Fields | null, origin: string): Answer {
  const data = JSON.parse(text(link.data)) as DplData;
  const token = text(link.token);
  const show = (problem: string): Answer =>
    form(
      token,
      data.open ? data.currency : `${data.amount} ${data.currency}`,
      data.product,
      [],
      problem,
      data.open,
    );
  if (fields === null) return show('');
  const total = data.open
    ? amountOf(fields, 'amount')
    : amountOf({ amount: data.amount }, 'amount');
  if (total === null || total <= 0n) return show(describe(1, 'tr'));
  const payment: Payment = {
    invoiceId: `DPL-${num(link.id)}-${randomBytes(5).toString('hex')}`,
    description: data.description || data.product,
    total,
    currency: data.currency,
    installments: 1,
    pre: false,
    hookKey: '',
    plan: null,
    byMerchant: false,
    byUser: false,
    program: '',
    lang: 'tr',
    email: '',
    phone: '',
    buyer: textOf(fields, 'cc_holder_name'),
  };
  const chosen = chosenOf(world, fields, payment);
  if (typeof chosen === 'string') return show(chosen);
  const at = world.clock.now();
  const returnUrl = `${origin}/card/pay?id=${token}`;
  const orderId = insertOrder(world, {
    kind: 'link',
    state: 'bank_step',
    payment,
    card: chosen.card,
    expiry: chosen.expiry,
    returnUrl,
    cancelUrl: returnUrl,
    due: { at: bankStepEnd(world, at), what: 'bank_step' },
    at,
  });
  const uses = num(link.uses) + 1;
  world.store.run(
    'UPDATE pay_links SET uses = ?, state = ? WHERE id = ?',
    uses,
    uses >= num(link.most_uses) ? 'EXPIRED' : 'ACTIVE',
    num(link.id),
  );
  return seeOther(bankPageOf(world, openBankStep(world, orderById(world, orderId), at)));
}

export function buyerPage(world: World, call: Call): Answer {
  const query = new URLSearchParams(call.query);
  const link = world.store.get('SELECT * FROM pay_links WHERE token = ?', query.get('id') ?? '');
  if (!link) return notice('Böyle bir ödeme bağlantısı yok.', 404);
  // The browser comes back to this page with the result after a payment link was paid.
  const code = query.get('status_code');
  if (code !== null) return notice(code === '100' ? 'Ödemeniz alındı.' : 'Ödeme gerçekleşmedi.');
  const fields = call.method === 'POST' ? readForm(call.body) : null;
  if (link.kind === 'purchase') return payPurchase(world, link, fields);
  if (link.state !== 'ACTIVE' || num(link.expires_at) <= world.clock.now())
    return notice('Bu ödeme bağlantısının süresi doldu.');
  return payDpl(world, link, fields, `http://${call.headers.host ?? 'sandbox'}`);
}
