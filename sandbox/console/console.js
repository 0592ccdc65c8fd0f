import { drawCards } from './cards.js';
import { drawCoverage, openCoverage } from './coverage.js';
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
import { drawSwitches } from './switches.js';
import { drawWallets } from './wallets.js';
import { choice, keep, t } from './words.js';

/** What the server knows and the page prints: magic values, kinds of faults, demo people. */
const DATA = JSON.parse(byId('data').textContent);
const POLL_MS = 1000;
const OPERATIONS = [
  'SendMoneyToBankAccount',
  'BusinessToPersonalTransfer',
  'BusinessToBusinessTransfer',
  'TransferToVirement',
  'CheckPersonalWallet',
  'CreateWalletForBusinessAccount',
  'GetRequestWithdrawByExtId',
  'SummaryRecordByFilter',
  'TransactionReceipt',
  'GetRequestWithdrawListByFilter',
  'Info',
  'ListByFilter',
  'GetBusinessAccount',
  'GetPaymentTypes',
  'token',
  'corporatelogin',
  'verifysms',
  'paySmart2D',
  'paySmart3D',
  'payByCardToken',
  'payByCardTokenNonSecure',
  'payment/complete',
  'confirmPayment',
  'checkstatus',
  'refund',
  'getpos',
  'installments',
  'commissions',
  'saveCard',
  'getCardTokens',
  'editCard',
  'deleteCard',
  'recurringPlan/query',
  'recurring/plan/process',
  'recurringPlan/update',
  'cashout/tobank',
  'purchase/link',
  'purchase/status',
  'bank/verify',
];
const JUMPS = ['90s', '5m', '35m', '2h', '1d', '20d'];
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

function drawMessages(messages) {
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

function deskItem(request) {
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

function drawBank(bank) {
  const open = bank.requests.filter(
    (request) => request.state === 'pending' || request.state === 'manual',
  );
  const ended = bank.requests.filter((request) => !open.includes(request));
  fill(byId('bank-mode'), bank);
  draw('bank', bank.requests, () => [
    ...(open.length === 0 ? [empty('noRequests')] : open.map(deskItem)),
    ...(ended.length === 0
      ? []
      : [
          line(
            'bank-ended',
            [el('span', { class: 'op all' }, `${t('ended')} (${ended.length})`)],
            [el('div', null, ...ended.map(deskItem))],
          ),
        ]),
  ]);
}

function drawHooks(webhooks) {
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

function drawFaults(list) {
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

function drawLog(requests) {
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

function drawClock(clock) {
  byId('now').textContent = new Date(clock.now).toLocaleString(
    choice.language === 'tr' ? 'tr-TR' : 'en-GB',
  );
  const seconds = Math.round(clock.offset_ms / 1000);
  const two = (value) => String(Math.floor(value)).padStart(2, '0');
  const ahead = `+${seconds >= 86400 ? `${Math.floor(seconds / 86400)}d ` : ''}${two((seconds % 86400) / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`;
  byId('offset').textContent = clock.offset_ms === 0 ? t('realTime') : `${ahead} ${t('aheadBy')}`;
}

/** Shows the server's values in a form, but never over what somebody is typing. */
function fill(form, values) {
  if (form.contains(document.activeElement) && document.activeElement.tagName !== 'BUTTON') return;
  for (const field of form.elements) {
    if (!(field.name in values)) continue;
    if (field.type === 'checkbox') field.checked = values[field.name] === true;
    else field.value = String(values[field.name]);
  }
}

let busy = false;
async function refresh() {
  if (busy) return;
  busy = true;
  const filter = byId('log-filter').value.trim();
  const answers = await Promise.all(
    [
      'messages',
      'bank?limit=30',
      'webhooks?limit=30',
      'clock',
      'faults',
      `requests?limit=40${filter ? `&operation=${encodeURIComponent(filter)}` : ''}`,
      'card',
      'wallets',
    ].map((path) => call('GET', path)),
  );
  busy = false;
  const alive = answers.every((answer) => answer !== null && !answer.error);
  byId('link-state').textContent = t(alive ? 'live' : 'lost');
  byId('link-state').className = `chip ${alive ? 'good' : 'bad'}`;
  if (!alive) return;
  const [messages, bank, webhooks, clock, faults, requests, desk, wallets] = answers;
  drawMessages(messages);
  drawBank(bank);
  drawHooks(webhooks);
  drawClock(clock);
  drawFaults(faults.faults);
  drawLog(requests);
  drawCards(desk, clock.now, refresh);
  drawWallets(wallets, refresh);
}

const magicTable = (title, rows) =>
  line(
    `magic-${title}`,
    [
      el('span', { class: 'op all' }, t(title)),
      el('span', { class: 'muted' }, String(rows.length)),
    ],
    [
      el(
        'table',
        null,
        el(
          'thead',
          null,
          el(
            'tr',
            null,
            el('th', { scope: 'col' }, t(title)),
            el('th', { scope: 'col' }, t('effect')),
          ),
        ),
        el(
          'tbody',
          null,
          ...rows.map(([value, effect]) =>
            el('tr', null, el('td', { class: 'num' }, value), el('td', null, effect)),
          ),
        ),
      ),
    ],
  );

function drawFixed() {
  document.documentElement.lang = choice.language;
  document.documentElement.dataset.theme = choice.theme;
  document.title = t('title');
  for (const node of document.querySelectorAll('[data-t]')) node.textContent = t(node.dataset.t);
  byId('language').textContent = t('other');
  byId('language').lang = choice.language === 'tr' ? 'en' : 'tr';
  byId('theme').textContent = t(choice.theme === 'dark' ? 'light' : 'dark');
  byId('jumps').replaceChildren(
    ...JUMPS.map((by) =>
      button(`+${by}`, `jump-${by}`, async () => {
        await call('POST', 'clock', { advance: by });
        refresh();
      }),
    ),
  );
  byId('people').replaceChildren(
    el('p', null, `${t('password')}: `, el('code', null, DATA.password)),
    ...DATA.people.map((person) =>
      el('p', null, `${person.name} · `, el('code', null, person.email)),
    ),
  );
  byId('magic').replaceChildren(
    ...['kurus', 'iban', 'wallet'].map((kind) =>
      magicTable(
        kind,
        DATA.magic
          .filter((row) => row.kind === kind)
          .map((row) => [
            kind === 'kurus'
              ? `${choice.language === 'tr' ? ',' : '.'}${row.value}`
              : row.example
                ? ibanText(row.example)
                : row.value,
            row[choice.language],
          ]),
      ),
    ),
    magicTable(
      'byState',
      DATA.states.map((one) => [one.code, one[choice.language]]),
    ),
    magicTable(
      'receivers',
      DATA.receivers.map((one) => [
        [one.wallet, one.account, one.phone].filter(Boolean).join(' · '),
        `${one.name}: ${one[choice.language]}`,
      ]),
    ),
    magicTable(
      'testCards',
      DATA.cards.map((card) => [
        `${ibanText(card.number)}${card.code ? ` · 3D ${card.code}` : ''}`,
        card[choice.language],
      ]),
    ),
    magicTable(
      'invoicePrefix',
      DATA.prefixes.map((one) => [`${one.prefix}41-…`, one[choice.language]]),
    ),
    magicTable('cashoutIban', [[ibanText(DATA.cashoutIban), t('cashoutBack')]]),
  );
  drawSwitches();
  byId('hook-kinds').replaceChildren(
    ...DATA.hookKinds.map((kind) => el('option', { value: kind }, t('hookKinds')[kind])),
  );
  drawCoverage();
}

function onSubmit(id, act) {
  byId(id).addEventListener('submit', async (event) => {
    event.preventDefault();
    await act(new FormData(event.target), event.target);
    refresh();
  });
}

onSubmit('bank-mode', (form) =>
  call('POST', 'bank/mode', { mode: form.get('mode'), delayMs: Number(form.get('delayMs')) }),
);
onSubmit('hook-mode', (form) =>
  call('POST', 'webhooks/mode', {
    drop: form.has('drop'),
    reorder: form.has('reorder'),
    duplicate: Number(form.get('duplicate')),
    delayMs: Number(form.get('delayMs')),
  }),
);
onSubmit('reset', async (form) => {
  if (!confirm(t('resetSure'))) return;
  const answer = await call('POST', 'reset', { seed: Number(form.get('seed')) });
  if (answer && !answer.error) toast(t('resetDone'));
  drawSwitches();
});
onSubmit('hook-key', async (form, node) => {
  const answer = await call('POST', 'card/hooks', {
    kind: form.get('kind'),
    key: form.get('key'),
    url: form.get('url'),
  });
  if (answer && !answer.error) node.reset();
});
onSubmit('fault', async (form) => {
  const kind = form.get('kind');
  const value = String(form.get('value')).trim();
  const field = kind === 'status' ? 'status' : kind === 'code' ? 'code' : 'ms';
  const answer = await call('POST', 'faults', {
    operation: form.get('operation'),
    kind,
    times: Number(form.get('times')),
    after: Number(form.get('after')),
    ...(value === '' ? {} : { [field]: field === 'code' ? value : Number(value) }),
  });
  byId('fault-problem').textContent = answer?.error ?? '';
});

byId('language').addEventListener('click', () => {
  choice.language = choice.language === 'tr' ? 'en' : 'tr';
  keep('sandbox-language', choice.language);
  drawFixed();
  refresh();
});
byId('theme').addEventListener('click', () => {
  choice.theme = choice.theme === 'dark' ? 'light' : 'dark';
  keep('sandbox-theme', choice.theme);
  drawFixed();
});
byId('log-filter').addEventListener('input', () => refresh());
byId('operations').replaceChildren(...OPERATIONS.map((name) => el('option', { value: name })));
byId('kinds').replaceChildren(
  ...DATA.faultKinds.map((kind) => el('option', { value: kind }, kind)),
);

openCoverage();
drawFixed();
refresh();
setInterval(() => {
  if (!document.hidden) refresh();
}, POLL_MS);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) refresh();
});
