'use client';

import { RefreshCw } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { Button } from '#components/ui/button.tsx';
import { CARD_BALANCE } from '#lib/payouts/schema.ts';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import type { LimitKind, WalletView } from '#lib/wallets/view.ts';
import { Block } from './block.tsx';
import { controlId, useFormWords } from './form-words.ts';
import type { MoneyForm } from './money-form.ts';

const LAST_DIGITS = 4;

/** Every wallet is listed; a wallet that cannot pay is disabled, with the reason. */
export function WalletBlock({
  form,
  lastUsed,
  limit,
  card = false,
}: {
  form: MoneyForm;
  /** Offers the card balance as a source. */
  card?: boolean;
  lastUsed: string | null;
  /** The limit that applies to this movement kind. */
  limit: LimitKind | null;
}): ReactNode {
  const t = useTranslations('newPayout');
  const { error, moment } = useFormWords();
  const { wallets, read, touched } = form;
  const problem = touched.has('wallet') ? error(read.errors.wallet) : null;
  const ask = (
    <Button aria-disabled={form.askingWallets} onClick={() => void form.askWallets()}>
      <RefreshCw aria-hidden className={`size-4 ${form.askingWallets ? 'animate-spin' : ''}`} />
      {t('wallet.ask')}
    </Button>
  );
  return (
    <Block
      number={1}
      title={t('blocks.from')}
      done={
        !read.errors.wallet && form.wallet !== null && mayPayFrom(form.wallet.access).kind === 'yes'
      }
    >
      {!wallets.fresh && (
        <Banner tone="attention" live title={t('wallet.staleTitle')} actions={ask}>
          {wallets.value === null ? t('wallet.nothing') : t('wallet.staleText')}
        </Banner>
      )}
      {wallets.value?.length === 0 && <p className="text-muted">{t('wallet.none')}</p>}
      {(card || (wallets.value !== null && wallets.value.length > 0)) && (
        <fieldset
          aria-describedby={problem ? `${controlId('wallet')}-error` : undefined}
          className="grid gap-2"
        >
          <legend className="sr-only">{t('wallet.legend')}</legend>
          {wallets.value?.map((wallet, index) => (
            <WalletRow
              key={wallet.number}
              wallet={wallet}
              form={form}
              limitKind={limit}
              first={index === 0}
              lastUsed={wallet.number === lastUsed}
              staleAt={wallets.fresh || wallets.at === null ? null : moment(wallets.at)}
            />
          ))}
          {card && <CardRow form={form} first={(wallets.value?.length ?? 0) === 0} />}
          {problem && (
            <p id={`${controlId('wallet')}-error`} className="text-label font-medium text-failed">
              {problem}
            </p>
          )}
        </fieldset>
      )}
    </Block>
  );
}

const CARD_ROW =
  'grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 rounded-control border ' +
  'border-hairline px-3 py-2 hover:border-control has-checked:border-accent ' +
  'has-checked:bg-raised';

/** The card balance: held by the gateway, which has no query for its amount. */
function CardRow({ form, first }: { form: MoneyForm; first: boolean }): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const id = first ? controlId('wallet') : `${controlId('wallet')}-${CARD_BALANCE}`;
  return (
    <label htmlFor={id} className={CARD_ROW}>
      <input
        id={id}
        type="radio"
        name="wallet"
        value={CARD_BALANCE}
        checked={form.typed.wallet === CARD_BALANCE}
        required
        onChange={() => form.type('wallet', CARD_BALANCE)}
        onBlur={() => form.touch('wallet')}
        className="mt-1 size-4 accent-accent pointer-coarse:size-5"
      />
      <span className="font-medium">{t('card')}</span>
      <span className="col-start-2 text-label text-muted">TRY · {t('cardText')}</span>
    </label>
  );
}

type RowProps = {
  wallet: WalletView;
  form: MoneyForm;
  limitKind: LimitKind | null;
  first: boolean;
  lastUsed: boolean;
  staleAt: string | null;
};

const ROW =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 rounded-control border px-3 ' +
  'py-2';
const CLOSED = 'border-hairline bg-draft-ground text-muted';
const OPEN = 'border-hairline hover:border-control has-checked:border-accent has-checked:bg-raised';

function WalletRow({ wallet, form, limitKind, first, lastUsed, staleAt }: RowProps): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const { money } = useFormWords();
  const may = mayPayFrom(wallet.access);
  const closed = may.kind === 'no' ? may.why : null;
  const limit = wallet.limits.find((one) => one.kind === limitKind);
  const id = first ? controlId('wallet') : `${controlId('wallet')}-${wallet.number}`;
  return (
    <label htmlFor={id} className={`${ROW} ${closed ? CLOSED : OPEN}`}>
      <input
        id={id}
        type="radio"
        name="wallet"
        value={wallet.number}
        checked={form.typed.wallet === wallet.number}
        disabled={closed !== null}
        required
        onChange={() => form.type('wallet', wallet.number)}
        onBlur={() => form.touch('wallet')}
        className="mt-1 size-4 accent-accent pointer-coarse:size-5"
      />
      <span className="grid min-w-0">
        <span className="font-medium break-words">{wallet.name}</span>
        <span className="text-label text-muted">
          {wallet.currency} · {t('number', { last: wallet.number.slice(-LAST_DIGITS) })}
          {lastUsed ? ` · ${t('lastUsed')}` : ''}
        </span>
        {closed !== null && <span className="text-label font-medium">{t(`access.${closed}`)}</span>}
        {closed === null && limit && (
          <span className="text-label text-muted tabular-nums">
            {t('limit', { amount: money(limit.left, wallet.currency) })}
          </span>
        )}
        {staleAt !== null && (
          <span className="text-label text-attention">{t('stale', { at: staleAt })}</span>
        )}
      </span>
      <span className="grid justify-items-end text-right tabular-nums">
        <span className={`text-section font-semibold ${staleAt === null ? '' : 'text-subtle'}`}>
          {wallet.available === null
            ? t('unknownAmount')
            : money(wallet.available, wallet.currency)}
        </span>
        <span className="text-label text-muted">{t('available')}</span>
        {wallet.blocked !== null && !/^0\.00$/.test(wallet.blocked) && (
          <span className="text-label text-muted">
            {t('blocked', { amount: money(wallet.blocked, wallet.currency) })}
          </span>
        )}
      </span>
    </label>
  );
}
