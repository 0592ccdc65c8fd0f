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
  pretty,
  toast,
} from './dom.js';
import { t } from './words.js';

/* The lists: messages, the bank's desk, webhook deliveries, faults and the request log. */

const STATE_TONE = {
  pending: 'wait',
  manual: 'wait',
  completed: 'good',
  rejected: 'bad',
  failed: 'bad',
  cancelled: 'bad',
  returned: '',
};
const DELIVERY_TONE = { waiting: 'wait', delivered: 'good', failed: 'bad', dropped: '' };

export function drawMessages(messages) {
  draw('messages', messages, () =>
    messages.length === 0
      ? [empty('noMessages')]
      : messages.slice(0, 12).map((message) =>
          el(
            'article',
            { class: 'bubble' },
            el(
              'header',
              null,
              el('span', null, message.name),
              el('time', { datetime: message.at }, clockTime(message.at)),
            ),
            el('p', null, message.text),
            message.code === ''
              ? null
              : el(
                  'div',
                  { class: 'code' },
                  el('strong', null, message.code),
                  button(t('copy'), `copy-${message.at}-${message.code}`, async () => {
                    await navigator.clipboard?.writeText(message.code).catch(() => undefined);
                    toast(`${t('copied')}: ${message.code}`);
                  }),
                ),
          ),
        ),
  );
}

function deskItem(request, refresh) {
  const step = (outcome) =>
    button(
      t('outcomes')[outcome],
      `${request.request_id}-${outcome}`,
      async () => {
        await call('POST', `bank/${request.request_id}`, { outcome });
        refresh();
      },
      ['reject', 'fail', 'cancel'].includes(outcome) ? 'danger' : '',
    );
  const coming = request.next
    ? ` · ${t('next')}: ${t('outcomes')[request.next]} ${clockTime(request.due_at)}`
    : '';
  return el(
    'article',
    { class: 'item' },
    el(
      'div',
      { class: 'main' },
      el(
        'div',
        { class: 'name' },
        request.name,
        ' ',
        chip(t('states')[request.state], STATE_TONE[request.state]),
      ),
      el('div', { class: 'sub num' }, ibanText(request.iban)),
      el(
        'div',
        { class: 'sub' },
        `${clockTime(request.accepted_at)} · ${request.ext_transaction_id}${coming}`,
      ),
    ),
    el('div', { class: 'amount' }, amountText(request.amount, request.currency)),
    request.possible.length > 0
      ? el(
          'div',
          { class: 'actions' },
          ...request.possible
            .filter((outcome) => !(request.state === 'manual' && outcome === 'complete'))
            .map(step),
        )
      : null,
  );
}

export function drawBank(bank, refresh) {
  const item = (request) => deskItem(request, refresh);
  const open = bank.requests.filter(
    (request) => request.state === 'pending' || request.state === 'manual',
  );
  const ended = bank.requests.filter((request) => !open.includes(request));
  fill(byId('bank-mode'), bank);
  draw('bank', bank.requests, () => [
    ...(open.length === 0 ? [empty('noRequests')] : open.map(item)),
    ...(ended.length === 0
      ? []
      : [
          line(
            'bank-ended',
            [el('span', { class: 'op all' }, `${t('ended')} (${ended.length})`)],
            [el('div', null, ...ended.map(item))],
          ),
        ]),
  ]);
}

export function drawHooks(webhooks, refresh) {
  fill(byId('hook-mode'), webhooks.mode);
  byId('hook-target').textContent = t(webhooks.target ? 'hookTarget' : 'hookNoTarget');
  draw('hooks', webhooks.deliveries, () =>
    webhooks.deliveries.length === 0
      ? [empty('noHooks')]
      : webhooks.deliveries.map((one) =>
          line(
            `hook-${one.id}`,
            [
              el(
                'time',
                { class: 'muted when', datetime: one.created_at },
                clockTime(one.created_at),
              ),
              el(
                'span',
                { class: 'op' },
                [one.event, one.ext_transaction_id ?? one.invoice_id].filter(Boolean).join(' · '),
              ),
              el('span', { class: 'muted' }, `${one.tries} ${t('tries')}`),
              chip(t('deliveries')[one.state], DELIVERY_TONE[one.state]),
            ],
            [
              el('pre', { tabindex: '0' }, pretty(one.body)),
              ...(one.attempts.length > 0
                ? [
                    el(
                      'p',
                      { class: 'muted mono' },
                      one.attempts
                        .map(
                          (attempt) =>
                            `${clockTime(attempt.at)} → ${attempt.status ?? attempt.error}`,
                        )
                        .join('   '),
                    ),
                  ]
                : []),
              el(
                'div',
                { class: 'actions' },
                button(t('resend'), `resend-${one.id}`, async () => {
                  await call('POST', `webhooks/${one.id}/resend`);
                  refresh();
                }),
              ),
            ],
          ),
        ),
  );
}

export function drawFaults(list, refresh) {
  draw('faults', list, () =>
    list.length === 0
      ? [empty('noFaults')]
      : [
          ...list.map((fault) =>
            el(
              'article',
              { class: 'item' },
              el(
                'div',
                { class: 'main' },
                el('div', { class: 'name' }, fault.operation),
                el(
                  'div',
                  { class: 'sub' },
                  `${fault.times - fault.hits} ${t('left')}${fault.after ? ` · ${t('after')}: ${fault.after}` : ''}`,
                ),
              ),
              chip(
                [fault.kind, fault.status ?? fault.code ?? fault.ms]
                  .filter((part) => part !== undefined)
                  .join(' '),
                'bad',
              ),
            ),
          ),
          el(
            'div',
            { class: 'actions' },
            button(t('clearFaults'), 'clear-faults', async () => {
              await call('DELETE', 'faults');
              refresh();
            }),
          ),
        ],
  );
}

export function drawLog(requests) {
  draw('log', requests, () =>
    requests.length === 0
      ? [empty('noLog')]
      : requests.map((one) =>
          line(
            `log-${one.id}`,
            [
              el('time', { class: 'muted when', datetime: one.at }, clockTime(one.at)),
              el('span', { class: 'op' }, one.operation),
              one.fault
                ? chip(`${one.fault} · ${t(one.executed ? 'done' : 'notDone')}`, 'bad')
                : el('span', null),
              el(
                'span',
                { class: 'num' },
                one.answer.status === null
                  ? '—'
                  : `${one.answer.status}${one.answer.code ? ` / ${one.answer.code}` : ''}`,
              ),
            ],
            `${one.method} ${one.path}\n${Object.entries(one.headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}\n\n${/^\s*[{[]/.test(one.body) ? pretty(one.body) : one.body}`,
          ),
        ),
  );
}

/** Shows the server's values in a form, but not while a person types in it. */
function fill(form, values) {
  if (form.contains(document.activeElement) && document.activeElement.tagName !== 'BUTTON') return;
  for (const field of form.elements) {
    if (!(field.name in values)) continue;
    if (field.type === 'checkbox') field.checked = values[field.name] === true;
    else field.value = String(values[field.name]);
  }
}
