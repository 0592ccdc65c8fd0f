/** Makes the card payments, authorizations, plan, links and saved cards of the demo's history. */
import { randomUUID } from 'node:crypto';
import { addCardPayments } from '#lib/cards/payments/add.ts';
import { askAboutPayment } from '#lib/cards/payments/check-now.ts';
import { askForLink } from '#lib/cards/checkout/link.ts';
import { makeCharge } from '#lib/cards/checkout/make.ts';
import { readCharge } from '#lib/cards/checkout/schema.ts';
import { startCapture, startRefund } from '#lib/cards/operations/start.ts';
import type { Started } from '#lib/cards/operations/start.ts';
import { addPlans } from '#lib/cards/recurring/add.ts';
import { registerCard } from '#lib/cards/saved/change.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { control } from './clock.ts';
import type { Desk } from './desk.ts';

/** An order as the sandbox's control interface lists it. */
type Order = { invoice_id: string; order_id: string; state: string; created_at: string };
type CardDesk = { payments: Order[]; holds: Order[]; plans: { plan_code: string }[] };

const SAVED = [
  ['1001', 'Nil Aksoy', '4508034508034509'],
  ['1002', 'Onur Tekin', '5406675406675403'],
  ['1003', 'Elif Karaca', '4355084355084358'],
] as const;
export const LINKS = [
  ['Seda', 'Yalçın', '4.250,00', 'Keten gömlek, 10 adet'],
  ['Kerem', 'Bulut', '1.890,00', 'Pamuklu nevresim, 3 adet'],
  ['Derya', 'Kılıç', '12.600,00', 'Poplin kumaş, 120 metre'],
] as const;

const cardDesk = async (desk: Desk): Promise<CardDesk> =>
  (await control(desk.sandboxUrl, 'card')) as CardDesk;

/** Until when the orders are pasted, in milliseconds since 1970. */
let pastedUntil = 0;

/**
 * Pastes what the shop has sold and authorized since the last time, authorizations with their day.
 */
export async function pasteOrders(desk: Desk): Promise<void> {
  const { payments, holds } = await cardDesk(desk);
  const [from, to] = [pastedUntil, desk.clock.now()];
  pastedUntil = to;
  const taken = ({ created_at }: Order) => {
    const at = Date.parse(created_at);
    return at >= from && at < to;
  };
  const actor = desk.person('approver');
  const sales = payments.filter(taken).map(({ invoice_id }) => invoice_id);
  if (sales.length > 0) await addCardPayments(actor, { text: sales.join('\n'), heldOn: '' });
  for (const { invoice_id, created_at } of holds.filter(taken))
    await addCardPayments(actor, { text: invoice_id, heldOn: created_at.slice(0, 10) });
}

export async function addPlan(desk: Desk): Promise<void> {
  const { plans } = await cardDesk(desk);
  await addPlans(desk.person('approver'), plans.map(({ plan_code }) => plan_code).join('\n'));
}

/** Captures the newest authorization, less a tenth of it when `isPart`. */
export async function capture(desk: Desk, isPart: boolean): Promise<void> {
  const payment = await paymentOf(desk, 'held');
  const amountMinor = isPart ? (payment.amount_minor * 9n) / 10n : payment.amount_minor;
  stored(await startCapture(desk.person('clerk'), { ...made(payment), amountMinor }));
}

/** Refunds a third of the newest sale. */
export async function refund(desk: Desk): Promise<void> {
  const payment = await paymentOf(desk, 'completed');
  const amountMinor = payment.amount_minor / 3n;
  const reason = 'İki parça iade geldi';
  stored(await startRefund(desk.person('approver'), { ...made(payment), amountMinor, reason }));
}

/** A person checks every open authorization: their last records are weeks old. */
export async function checkAuthorizations(desk: Desk): Promise<void> {
  const actor = desk.person('approver');
  const held = await inTransaction(
    actor.merchantId,
    (tx) => tx.$queryRaw<{ id: string }[]>`SELECT id FROM card_payments WHERE state = 'held'`,
  );
  for (const { id } of held) await askAboutPayment(actor, id);
}

/** The buyer of the oldest sale disputes it at the bank. */
export async function chargeBack(desk: Desk): Promise<void> {
  const { payments } = await cardDesk(desk);
  const sale = payments.filter(({ state }) => state === 'completed').at(-1)!;
  await control(desk.sandboxUrl, `card/orders/${sale.order_id}/chargeback`, {});
}

export async function saveCards(desk: Desk): Promise<void> {
  for (const [customer, name, number] of SAVED)
    await registerCard(desk.person('owner'), {
      customer: { number: customer, name },
      holder: name,
      number,
      expiry: { month: '12', year: String(new Date().getFullYear() + 3) },
    });
}

export async function makeLinks(
  desk: Desk,
  links: readonly (typeof LINKS)[number][],
): Promise<void> {
  for (const [name, surname, total, description] of links) {
    const charge = readCharge({
      id: randomUUID(),
      locale: 'tr',
      kind: 'link',
      currency: 'TRY',
      total,
      description,
      items: [{ name: description, description: '', price: total, quantity: '1' }],
      name,
      surname,
      installments: '1',
      hold: false,
      verifyFirst: false,
      recurring: false,
      insurance: false,
      agriculture: false,
    });
    if (charge.kind !== 'read') throw new Error(`no payment link: ${JSON.stringify(charge)}`);
    await makeCharge(desk.person('clerk'), charge);
    await askForLink(desk.person('clerk'), charge.id);
  }
}

type Payment = Row<'card_payments', 'id'> & { amount_minor: bigint };

/**
 * Returns the newest payment in this state of which the history has captured or refunded nothing.
 */
async function paymentOf(desk: Desk, state: string): Promise<Payment> {
  const [found] = await inTransaction(
    desk.person('clerk').merchantId,
    (tx) => tx.$queryRaw<Payment[]>`
      SELECT id, amount_minor FROM card_payments p WHERE state = ${state} AND currency = 'TRY'
        AND NOT EXISTS (SELECT FROM movements m WHERE m.card_payment_id = p.id)
      ORDER BY invoice_id DESC LIMIT 1`,
  );
  if (found === undefined) throw new Error(`no card payment is ${state}`);
  return found;
}

const made = ({ id }: Payment): { id: string; paymentId: string } => ({
  id: randomUUID(),
  paymentId: id,
});

function stored(started: Started): void {
  if (started.kind === 'stopped') throw new Error(`no card operation: ${started.why}`);
}
