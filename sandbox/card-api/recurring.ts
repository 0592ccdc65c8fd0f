import { rawAmount } from '../exact-json.ts';
import { turkishTime } from '../clock.ts';
import type { Call } from '../routes.ts';
import { MERCHANT_ID } from '../seed/merchant.ts';
import { minor, num, text } from '../store.ts';
import type { Row } from '../store.ts';
import { json } from '../wallet-api/answer.ts';
import type { Answer, Lang } from '../wallet-api/answer.ts';
import type { World } from '../world.ts';
import { describe, refuse } from './answer.ts';
import { amountOf, checkShape, readCall, textOf, whole } from './fields.ts';
import type { Shape } from './fields.ts';
import { amountText, orderById } from './orders.ts';
import { merchantProblem } from './payment.ts';
import { plannedAfter } from './plans.ts';
import { chargePlan } from './recurring-charge.ts';

/**
 * The operations of recurring plans: query, processing of the due charge, update. The answers of
 * the first two have `message` instead of status_description (published).
 */

export const QUERY_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  plan_code: ['y', 'text'],
  recurring_number: ['n', 'whole'],
  app_lang: ['n', 'text'],
};
export const PROCESS_SHAPE: Shape = {
  merchant_id: ['y', 'whole'],
  plan_code: ['y', 'text'],
  app_lang: ['n', 'text'],
};
export const UPDATE_SHAPE: Shape = {
  merchant_key: ['y', 'text'],
  plan_code: ['y', 'text'],
  recurring_amount: ['n', 'amount'],
  recurring_payment_number: ['n', 'whole'],
  recurring_status: ['n', 'text'],
  app_lang: ['n', 'text'],
};
const MOST_CHARGES = 121;
const SYMBOLS: Record<string, string> = { TRY: '₺', USD: '$', EUR: '€' };

const say = (code: number, lang: Lang, more: object = {}): Answer =>
  json(200, { status_code: code, message: describe(code, lang), ...more }, String(code));
const planOf = (world: World, code: string): Row | undefined =>
  world.store.get('SELECT * FROM card_plans WHERE plan_code = ?', code);

function history(plan: Row, row: Row): object {
  return {
    id: num(row.id),
    sale_recurring_id: num(plan.id),
    sale_id: row.order_id,
    merchant_id: MERCHANT_ID,
    sale_recurring_payment_schedule_id: num(plan.id) * 1000 + num(row.number),
    amount: rawAmount(minor(row.amount)),
    action_date: turkishTime(num(row.at)),
    status: row.state,
    recurring_number: num(row.number),
    attempts: num(row.attempts),
    remarks: text(row.remarks),
  };
}

/** Returns the charges of a plan; the next one is listed as Pending (assumed). */
function historyOf(world: World, plan: Row): object[] {
  const rows = world.store
    .all('SELECT * FROM card_charges WHERE plan_id = ? ORDER BY number', num(plan.id))
    .map((row) => history(plan, row));
  if (plan.planned_at === null) return rows;
  return [
    ...rows,
    history(plan, {
      id: 0,
      order_id: null,
      number: plan.next_number ?? 0,
      amount: plan.amount ?? 0,
      at: plan.planned_at ?? 0,
      state: 'Pending',
      attempts: plan.attempts ?? 0,
      remarks: '',
    }),
  ];
}

/**
 * Queries a plan: all its charges, or the one of recurring_number. An unknown plan is refused with
 * 31 (assumed).
 */
export function queryPlan(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, QUERY_SHAPE, lang);
  if (wrong) return wrong;
  if (merchantProblem(world, fields)) return say(14, lang);
  const plan = planOf(world, textOf(fields, 'plan_code'));
  if (!plan) return say(31, lang);
  const only = textOf(fields, 'recurring_number');
  const rows = historyOf(world, plan).filter(
    (row) => only === '' || (row as { recurring_number: number }).recurring_number === Number(only),
  );
  const paid = minor(
    world.store.get(
      'SELECT COALESCE(SUM(amount), 0) AS sum FROM card_charges WHERE plan_id = ?',
      num(plan.id),
    )?.sum,
  );
  const open = plan.planned_at === null ? 0 : num(plan.number) - num(plan.next_number) + 1;
  return say(100, lang, {
    recurring_id: num(plan.id),
    plan_code: text(plan.plan_code),
    currency: text(plan.currency),
    currency_symbol: SYMBOLS[text(plan.currency)] ?? '',
    first_amount: rawAmount(minor(plan.first_amount)),
    recurring_amount: rawAmount(minor(plan.amount)),
    total_amount: rawAmount(paid + minor(plan.amount) * BigInt(open)),
    payment_number: num(plan.number),
    payment_interval: num(plan.every),
    payment_cycle: text(plan.cycle),
    first_order_id: text(plan.order_id),
    merchant_id: MERCHANT_ID,
    card_no: text(orderById(world, text(plan.order_id)).masked),
    next_action_date: plan.planned_at === null ? '' : turkishTime(num(plan.planned_at)),
    recurring_status: text(plan.state),
    transaction_date: turkishTime(num(plan.created_at)),
    transactionHistories: rows,
  });
}

/** Runs the next charge at once. Answers 100 when it was paid, else 72 (assumed). */
export function processPlan(world: World, call: Call): Answer {
  const read = readCall(call, 'json');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, PROCESS_SHAPE, lang);
  if (wrong) return wrong;
  if (whole(fields, 'merchant_id') !== MERCHANT_ID) return say(14, lang);
  const plan = planOf(world, textOf(fields, 'plan_code'));
  if (!plan) return say(31, lang);
  if (plan.state !== 'Active') return say(72, lang);
  return say(chargePlan(world, plan, world.clock.now()) === 'paid' ? 100 : 72, lang);
}

/** Reads a plan status in any letter case; Passive and Inactive mean the same. */
function wantedState(value: string): 'Active' | 'Inactive' | null {
  const word = value.toLowerCase();
  if (word === 'active') return 'Active';
  return word === 'passive' || word === 'inactive' ? 'Inactive' : null;
}

/**
 * Updates a plan. Refused with 71 when the plan has ended, or when the wanted amount, number of
 * charges or status is not possible.
 */
export function updatePlan(world: World, call: Call): Answer {
  const read = readCall(call, 'both');
  if (!read.ok) return read.answer;
  const { fields, lang } = read;
  const wrong = checkShape(fields, UPDATE_SHAPE, lang);
  if (wrong) return wrong;
  if (merchantProblem(world, fields)) return refuse(14, lang);
  const plan = planOf(world, textOf(fields, 'plan_code'));
  if (!plan) return refuse(31, lang);
  const amount =
    textOf(fields, 'recurring_amount') === ''
      ? minor(plan.amount)
      : amountOf(fields, 'recurring_amount');
  const number =
    textOf(fields, 'recurring_payment_number') === ''
      ? num(plan.number)
      : whole(fields, 'recurring_payment_number');
  const state =
    textOf(fields, 'recurring_status') === ''
      ? text(plan.state)
      : wantedState(textOf(fields, 'recurring_status'));
  const possible =
    plan.state !== 'Completed' &&
    amount !== null &&
    amount > 0n &&
    number >= num(plan.next_number) &&
    number <= MOST_CHARGES &&
    state !== null;
  if (!possible) return refuse(71, lang);
  // An inactive plan is not charged for the time it was inactive: its next date is the first one
  // still ahead (assumed).
  const planned =
    plan.state === 'Inactive' && state === 'Active'
      ? plannedAfter(plan, world.clock.now())
      : plan.planned_at === null
        ? null
        : num(plan.planned_at);
  const due = state === 'Active' ? (plan.state === 'Active' ? num(plan.due_at) : planned) : null;
  world.store.run(
    'UPDATE card_plans SET amount = ?, number = ?, state = ?, planned_at = ?, due_at = ? WHERE id = ?',
    amount,
    number,
    state,
    planned,
    due,
    num(plan.id),
  );
  if (due !== null) world.scheduler.poke(due);
  return json(
    200,
    {
      status_code: 100,
      status_description: describe(100, lang),
      plan_code: text(plan.plan_code),
      recurring_amount: amountText(amount),
    },
    '100',
  );
}
