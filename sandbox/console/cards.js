import {
  amountText,
  button,
  byId,
  call,
  chip,
  clockTime,
  draw,
  el,
  empty,
  ibanText,
  line,
  toast,
} from './dom.js';
import { choice, t } from './words.js';

/* The card gateway's part: payments, authorizations, plans, card-balance payouts, web hook keys. */

const TONE = {
  completed: 'good',
  preauth: 'wait',
  bank_step: 'wait',
  completion: 'wait',
  in_process: 'wait',
  link: 'wait',
  failed: 'bad',
  cancelled: '',
};
const HOUR_MS = 3_600_000;

const day = (iso) =>
  new Date(iso).toLocaleDateString(choice.language === 'tr' ? 'tr-TR' : 'en-GB', {
    day: '2-digit',
    month: '2-digit',
  });
const moment = (iso) => `${day(iso)} ${clockTime(iso)}`;

/** A button that sends a request to the sandbox and shows the result. */
const act = (words, key, path, refresh, kind) =>
  button(
    words,
    key,
    async () => {
      const answer = await call('POST', path, {});
      if (answer && !answer.error) toast(t('cardDone'));
      refresh();
    },
    kind,
  );

/** A name, lines under it, an amount and buttons. */
export const item = (name, subs, amount, actions) =>
  el(
    'article',
    { class: 'item' },
    el(
      'div',
      { class: 'main' },
      el('div', { class: 'name' }, ...name),
      ...subs.map((sub) => el('div', { class: 'sub' }, sub)),
    ),
    el('div', { class: 'amount' }, amount),
    actions.length > 0 ? el('div', { class: 'actions' }, ...actions) : null,
  );

function payment(order, refresh) {
  const parts = [
    moment(order.created_at),
    order.card ? `•••• ${order.card}` : null,
    order.installments > 1 ? `${order.installments} ${t('installments')}` : null,
    order.refunded === '0.00'
      ? null
      : `${t('refunded')} ${amountText(order.refunded, order.currency)}`,
  ];
  return item(
    [order.invoice_id, ' ', chip(t('cardStates')[order.state], TONE[order.state])],
    [
      parts.filter((part) => part !== null).join(' · '),
      ...(order.state === 'completed' && order.words !== 'Completed' ? [order.words] : []),
    ],
    amountText(order.amount, order.currency),
    order.possible.includes('chargeback')
      ? [
          act(
            t('chargeBack'),
            `chargeback-${order.order_id}`,
            `card/orders/${encodeURIComponent(order.invoice_id)}/chargeback`,
            refresh,
            'danger',
          ),
        ]
      : [],
  );
}

const section = (key, nodes) => (nodes.length === 0 ? [] : [el('h3', null, t(key)), ...nodes]);

function hooks(list, refresh) {
  return el(
    'table',
    null,
    el(
      'thead',
      null,
      el(
        'tr',
        null,
        ...['hookKind', 'hookKey', 'hookAddress'].map((key) => el('th', { scope: 'col' }, t(key))),
        el('td'),
      ),
    ),
    el(
      'tbody',
      null,
      ...list.map((one) =>
        el(
          'tr',
          null,
          el('td', null, t('hookKinds')[one.kind]),
          el('td', { class: 'num' }, one.key),
          el('td', { class: 'wrap' }, one.url ?? t('usualAddress')),
          el(
            'td',
            null,
            button(t('remove'), `hook-${one.kind}-${one.key}`, async () => {
              await call(
                'DELETE',
                `card/hooks?kind=${one.kind}&key=${encodeURIComponent(one.key)}`,
              );
              refresh();
            }),
          ),
        ),
      ),
    ),
  );
}

function planProgress(plan) {
  const next = plan.due_at ? ` · ${t('next')}: ${moment(plan.due_at)}` : '';
  return `${plan.plan_code} · ${Math.min(plan.next_number, plan.number)}/${plan.number}${next}`;
}

function drawWaiting(desk, holds, refresh) {
  draw('card-waiting', [holds, desk.plans, desk.refunds], () => [
    ...section(
      'holds',
      holds.map((hold) =>
        item(
          [hold.invoice_id],
          [`${moment(hold.created_at)} · •••• ${hold.card} · ${hold.hours} ${t('hoursLeft')}`],
          amountText(hold.amount, hold.currency),
          [],
        ),
      ),
    ),
    ...section(
      'plans',
      desk.plans.map((plan) =>
        item(
          [
            `${plan.invoice_id} `,
            chip(t('planStates')[plan.state], plan.state === 'Active' ? 'good' : ''),
          ],
          [planProgress(plan)],
          amountText(plan.amount, plan.currency),
          plan.state === 'Active'
            ? [
                act(
                  t('nextCharge'),
                  `plan-${plan.id}`,
                  `card/plans/${plan.plan_code}/charge`,
                  refresh,
                ),
              ]
            : [],
        ),
      ),
    ),
    ...section(
      'refundsWaiting',
      desk.refunds.map((one) =>
        item([one.invoice_id], [], amountText(one.amount, one.currency), [
          act(t('completeRefund'), `refund-${one.id}`, `card/refunds/${one.id}/complete`, refresh),
        ]),
      ),
    ),
  ]);
}

function drawPayments(desk, refresh) {
  draw('card-payments', desk.payments, () =>
    desk.payments.length === 0
      ? [empty('noPayments')]
      : [
          ...desk.payments.slice(0, 6).map((order) => payment(order, refresh)),
          ...(desk.payments.length > 6
            ? [
                line(
                  'card-older',
                  [el('span', { class: 'op all' }, `${t('older')} (${desk.payments.length - 6})`)],
                  [
                    el(
                      'div',
                      null,
                      ...desk.payments.slice(6).map((order) => payment(order, refresh)),
                    ),
                  ],
                ),
              ]
            : []),
        ],
  );
}

function drawPayouts(desk, refresh) {
  draw('card-cashouts', desk.cashouts, () =>
    section(
      'cashouts',
      desk.cashouts.map((one) =>
        item(
          [
            `${one.name} `,
            chip(t('cashoutStates')[one.state], one.state === 'paid' ? 'good' : 'bad'),
          ],
          [ibanText(one.iban)],
          amountText(one.amount, one.currency),
          one.state === 'paid'
            ? [
                act(
                  t('sendBack'),
                  `cashout-${one.id}`,
                  `card/cashouts/${one.id}/reverse`,
                  refresh,
                  'danger',
                ),
              ]
            : [],
        ),
      ),
    ),
  );
}

/** `now` is the virtual time: the remaining hours of an authorization run on it. */
export function drawCards(desk, now, refresh) {
  const holds = desk.holds.map((hold) => ({
    ...hold,
    hours: Math.max(0, Math.ceil((Date.parse(hold.due_at) - Date.parse(now)) / HOUR_MS)),
  }));
  byId('card-balances').textContent = desk.balances
    .map((one) => amountText(one.amount, one.currency))
    .join(' · ');
  drawWaiting(desk, holds, refresh);
  drawPayments(desk, refresh);
  drawPayouts(desk, refresh);
  draw('card-hooks', desk.hooks, () => [hooks(desk.hooks, refresh)]);
}
