import { iso } from '../clock.ts';
import type { Fields, Handler } from '../control.ts';
import { decimalText } from '../exact-json.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { json } from '../wallet-api/answer.ts';
import type { Answer } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { reverseCashout } from './cashout.ts';
import { statusWords } from './checkstatus.ts';
import { HOOK_KINDS, hookUrl } from './hook-keys.ts';
import type { HookKind } from './hook-keys.ts';
import { sendChargeback } from './hooks.ts';
import { cardMerchantView, setCardMerchant } from './merchant.ts';
import { cardBalance, moveCardMoney } from './orders.ts';
import { chargePlan } from './recurring-charge.ts';
import { payBack, remainingOf } from './refund.ts';
import { isWebAddress } from './secure.ts';

/** The control interface of card payments under /sandbox/card/, for the console and for tests. */

const bad = (error: string, status = 400): Answer => json(status, { error });
const ok = (value: unknown): Answer => json(200, value);
const LATEST = 40;
const KEY = /^[\w.-]{1,60}$/;

/** The actions that a person may take on an order now. */
function possible(world: World, order: Row): string[] {
  return order.state === 'completed' && remainingOf(world, order) > 0n ? ['chargeback'] : [];
}

function orderView(world: World, order: Row): object {
  return {
    order_id: text(order.order_id),
    invoice_id: text(order.invoice_id),
    kind: text(order.kind),
    state: text(order.state),
    words: statusWords(order),
    status_code: num(order.code),
    amount: decimalText(minor(order.total)),
    captured: decimalText(minor(order.captured)),
    refunded: decimalText(minor(order.refunded)),
    currency: text(order.currency),
    installments: num(order.installments),
    card: text(order.masked).slice(-4),
    created_at: iso(num(order.created_at)),
    due_at: order.due_at === null ? null : iso(num(order.due_at)),
    due: order.due_what,
    possible: possible(world, order),
  };
}

function planView(plan: Row): object {
  return {
    id: num(plan.id),
    plan_code: text(plan.plan_code),
    invoice_id: text(plan.invoice_id),
    state: text(plan.state),
    amount: decimalText(minor(plan.amount)),
    currency: text(plan.currency),
    number: num(plan.number),
    next_number: num(plan.next_number),
    attempts: num(plan.attempts),
    due_at: plan.due_at === null ? null : iso(num(plan.due_at)),
  };
}

function deskView(world: World): object {
  const { store } = world;
  return {
    balances: store.all('SELECT currency FROM card_balances ORDER BY currency').map((row) => ({
      currency: text(row.currency),
      amount: decimalText(cardBalance(world, text(row.currency))),
    })),
    payments: store
      .all(
        "SELECT * FROM card_orders WHERE state <> 'preauth' ORDER BY created_at DESC, order_id DESC LIMIT ?",
        LATEST,
      )
      .map((order) => orderView(world, order)),
    holds: store
      .all("SELECT * FROM card_orders WHERE state = 'preauth' ORDER BY due_at LIMIT ?", LATEST)
      .map((order) => orderView(world, order)),
    plans: store
      .all("SELECT * FROM card_plans ORDER BY state = 'Active' DESC, id DESC LIMIT ?", LATEST)
      .map(planView),
    refunds: store
      .all(
        `SELECT r.*, o.invoice_id, o.currency FROM card_refunds r
          JOIN card_orders o ON o.order_id = r.order_id WHERE r.state = 'waiting' ORDER BY r.id LIMIT ?`,
        LATEST,
      )
      .map((row) => ({
        id: num(row.id),
        invoice_id: text(row.invoice_id),
        amount: decimalText(minor(row.amount)),
        currency: text(row.currency),
      })),
    cashouts: store.all('SELECT * FROM cashouts ORDER BY id DESC LIMIT ?', LATEST).map((row) => ({
      id: num(row.id),
      unique_id: text(row.unique_id),
      name: text(row.name),
      iban: text(row.iban),
      amount: decimalText(minor(row.amount)),
      currency: text(row.currency),
      state: text(row.state),
    })),
    hooks: store
      .all('SELECT * FROM hook_keys ORDER BY kind, key')
      .map((row) => ({ key: text(row.key), kind: text(row.kind), url: row.url })),
  };
}

/**
 * Charges an order back: the cardholder's bank takes back all of the captured money that was not
 * refunded and that no waiting refund will give back.
 */
function chargeBack(world: World, invoiceId: string): Answer {
  const order = world.store.get(
    'SELECT * FROM card_orders WHERE invoice_id = ? OR order_id = ?',
    invoiceId,
    invoiceId,
  );
  if (!order) return bad(`no order "${invoiceId}"`, 404);
  if (!possible(world, order).includes('chargeback'))
    return bad(
      `order ${text(order.invoice_id)} is ${statusWords(order)}: there is nothing to charge back`,
      409,
    );
  const at = world.clock.now();
  const amount = remainingOf(world, order);
  const before = statusWords(order);
  world.store.run(
    'UPDATE card_orders SET charged_back = charged_back + ?, updated_at = ? WHERE order_id = ?',
    amount,
    at,
    text(order.order_id),
  );
  moveCardMoney(world, {
    kind: 'card_chargeback',
    amount,
    currency: text(order.currency),
    order,
    at,
  });
  sendChargeback(world, order, amount, before, at);
  return ok({ invoice_id: text(order.invoice_id), charged_back: decimalText(amount) });
}

function completeRefund(world: World, id: string): Answer {
  const row = world.store.get(
    "SELECT * FROM card_refunds WHERE id = ? AND state = 'waiting'",
    Number(id),
  );
  if (!row) return bad(`no refund ${id} is waiting`, 404);
  payBack(world, row, world.clock.now());
  return ok({ id: num(row.id), state: 'done' });
}

function nextCharge(world: World, id: string): Answer {
  const plan = world.store.get(
    "SELECT * FROM card_plans WHERE (id = ? OR plan_code = ?) AND state = 'Active'",
    Number(id) || 0,
    id,
  );
  if (!plan) return bad(`no active plan ${id}`, 404);
  return ok({
    plan_code: text(plan.plan_code),
    number: num(plan.next_number),
    outcome: chargePlan(world, plan, world.clock.now()),
  });
}

function sendBack(world: World, id: string): Answer {
  const row = world.store.get(
    "SELECT * FROM cashouts WHERE state = 'paid' AND (id = ? OR unique_id = ?)",
    Number(id) || 0,
    id,
  );
  if (!row) return bad(`no paid cashout ${id}`, 404);
  reverseCashout(world, { ...row, due_at: null });
  return ok({ id: num(row.id), state: 'reversed' });
}

/**
 * Registers a webhook key, or changes its address. Body: {key, kind, url?}; without url the
 * webhooks go to the sandbox's usual address.
 */
function putHook(world: World, fields: Fields): Answer {
  const { key, kind, url } = fields;
  if (typeof key !== 'string' || !KEY.test(key))
    return bad('"key" must be letters, digits, dots, dashes, up to 60');
  if (!HOOK_KINDS.includes(kind as HookKind))
    return bad(`"kind" must be one of ${HOOK_KINDS.join(', ')}`);
  if (
    url !== undefined &&
    url !== null &&
    url !== '' &&
    (typeof url !== 'string' || !isWebAddress(url))
  )
    return bad('"url" must begin with http:// or https://');
  world.store.run(
    `INSERT INTO hook_keys (key, kind, url) VALUES (?, ?, ?) ON CONFLICT (key, kind) DO UPDATE
      SET url = excluded.url`,
    key,
    kind as string,
    typeof url === 'string' && url !== '' ? url : null,
  );
  return ok({ key, kind, url: hookUrl(world, key, kind as HookKind) });
}

function dropHook(world: World, kind: string, key: string): Answer {
  const gone = world.store.run(
    'DELETE FROM hook_keys WHERE kind = ? AND key = ?',
    kind,
    key,
  ).changes;
  return gone > 0 ? ok({ removed: key }) : bad(`no key "${key}" of kind ${kind}`, 404);
}

export const cardDeskRoutes: readonly [string, RegExp, Handler][] = [
  ['GET', /^card$/, (world) => ok(deskView(world))],
  ['GET', /^card\/settings$/, (world) => ok(cardMerchantView(world.cardMerchant))],
  [
    'POST',
    /^card\/settings$/,
    (world, fields) => {
      const wrong = setCardMerchant(world.store, world.cardMerchant, fields);
      return wrong === null ? ok(cardMerchantView(world.cardMerchant)) : bad(wrong);
    },
  ],
  ['POST', /^card\/orders\/([^/]+)\/chargeback$/, (world, _f, _u, id) => chargeBack(world, id)],
  ['POST', /^card\/refunds\/(\d+)\/complete$/, (world, _f, _u, id) => completeRefund(world, id)],
  ['POST', /^card\/plans\/([^/]+)\/charge$/, (world, _f, _u, id) => nextCharge(world, id)],
  ['POST', /^card\/cashouts\/([^/]+)\/reverse$/, (world, _f, _u, id) => sendBack(world, id)],
  ['POST', /^card\/hooks$/, (world, fields) => putHook(world, fields)],
  [
    'DELETE',
    /^card\/hooks$/,
    (world, _f, url) =>
      dropHook(world, url.searchParams.get('kind') ?? '', url.searchParams.get('key') ?? ''),
  ],
];
