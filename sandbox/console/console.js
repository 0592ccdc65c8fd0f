import { drawCards } from './cards.js';
import { drawCoverage, openCoverage } from './coverage.js';
import { button, byId, call, el, ibanText, line, toast } from './dom.js';
import { drawBank, drawFaults, drawHooks, drawLog, drawMessages } from './lists.js';
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
function drawClock(clock) {
  byId('now').textContent = new Date(clock.now).toLocaleString(
    choice.language === 'tr' ? 'tr-TR' : 'en-GB',
  );
  const seconds = Math.round(clock.offset_ms / 1000);
  const two = (value) => String(Math.floor(value)).padStart(2, '0');
  const days = seconds >= 86400 ? `${Math.floor(seconds / 86400)}d ` : '';
  const hours = [(seconds % 86400) / 3600, (seconds % 3600) / 60, seconds % 60].map(two).join(':');
  byId('offset').textContent =
    clock.offset_ms === 0 ? t('realTime') : `+${days}${hours} ${t('aheadBy')}`;
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
  drawBank(bank, refresh);
  drawHooks(webhooks, refresh);
  drawClock(clock);
  drawFaults(faults.faults, refresh);
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
