import { item } from './cards.js';
import { amountText, button, call, chip, draw, el, line } from './dom.js';
import { t } from './words.js';

/* The wallets: the merchant's own and those it can send to. Block, ban, close, load. */

const ACCESS_TONE = { 1: 'good', 2: 'wait', 3: 'bad', 4: '' };
/** The levels a wallet can go to from the one it has. */
const NEXT_ACCESS = { 1: [2, 3, 4], 2: [1, 4], 3: [1, 4], 4: [] };
const LOADED = '1000.00';

function walletItem(wallet, refresh) {
  const post = (key, path, body, kind) =>
    button(
      t(key),
      `${key}-${wallet.wallet_number}`,
      async () => {
        await call('POST', path, body);
        refresh();
      },
      kind,
    );
  const levels = NEXT_ACCESS[wallet.access_level_status_id].map((level) =>
    post(
      `toAccess${level}`,
      `wallets/${wallet.wallet_number}`,
      { access_level_status_id: level },
      level === 1 ? '' : 'danger',
    ),
  );
  const limits = Object.entries(wallet.limits)
    .filter(([name, amount]) => name !== 'daily_limit' || amount !== '0.00')
    .map(([name, amount]) => `${t('limitNames')[name]} ${amountText(amount, wallet.currency)}`);
  return item(
    [
      `${wallet.own ? wallet.name : wallet.owner} `,
      chip(
        t('accessNames')[wallet.access_level_status_id],
        ACCESS_TONE[wallet.access_level_status_id],
      ),
      wallet.account_access === 1
        ? null
        : chip(`${t('account')}: ${t('accessNames')[wallet.account_access]}`, 'bad'),
    ].filter((part) => part !== null),
    [`${wallet.wallet_number} · ${wallet.account_number}`, limits.join(' · ')],
    amountText(wallet.available, wallet.currency),
    [post('load', `wallets/${wallet.wallet_number}/topup`, { amount: LOADED }), ...levels],
  );
}

export function drawWallets(wallets, refresh) {
  const [own, others] = [wallets.filter((one) => one.own), wallets.filter((one) => !one.own)];
  const list = (all) => el('div', null, ...all.map((one) => walletItem(one, refresh)));
  draw('wallets', wallets, () => [
    line(
      'wallets-own',
      [el('span', { class: 'op all' }, `${t('ownWallets')} (${own.length})`)],
      [list(own)],
    ),
    line(
      'wallets-others',
      [el('span', { class: 'op all' }, `${t('otherWallets')} (${others.length})`)],
      [list(others)],
    ),
  ]);
}
