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

type Props = {
  form: MoneyForm;
  /** Offers the card balance as a source. */
  card?: boolean;
  lastUsed: string | null;
  /** The limit that applies to this movement kind. */
  limit: LimitKind | null;
};

/**
 * Every wallet is listed; a wallet that cannot pay is disabled, with the reason. Once one is chosen,
 * the others are a line of names beneath it, each still one press away.
 */
export function WalletBlock({ number, ...choices }: Props & { number: number }): ReactNode {
  const t = useTranslations('newPayout');
  const { form, card = false } = choices;
  const { wallets, read } = form;
  const ask = (
    <Button aria-disabled={form.askingWallets} onClick={() => void form.askWallets()}>
      <RefreshCw aria-hidden className={`size-4 ${form.askingWallets ? 'animate-spin' : ''}`} />
      {t('wallet.ask')}
    </Button>
  );
  return (
    <Block
      number={number}
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
      {(card || (wallets.value !== null && wallets.value.length > 0)) && <Choices {...choices} />}
    </Block>
  );
}

function Choices({ form, lastUsed, limit, card = false }: Props): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const { error, moment } = useFormWords();
  const { wallets, read, touched, wallet: chosen } = form;
  const problem = touched.has('wallet') ? error(read.errors.wallet) : null;
  const errorId = `${controlId('wallet')}-error`;
  return (
    <fieldset
      aria-describedby={problem ? errorId : undefined}
      className="flex flex-wrap items-center gap-1.5"
    >
      <legend className="sr-only">{t('legend')}</legend>
      {wallets.value?.map((wallet, index) => (
        <WalletRow
          key={wallet.number}
          wallet={wallet}
          form={form}
          limitKind={limit}
          first={index === 0}
          lastUsed={wallet.number === lastUsed}
          short={chosen !== null && chosen.number !== wallet.number}
          staleAt={wallets.fresh || wallets.at === null ? null : moment(wallets.at)}
        />
      ))}
      {card && (
        <CardRow
          form={form}
          first={(wallets.value?.length ?? 0) === 0}
          short={chosen !== null && chosen.number !== CARD_BALANCE}
        />
      )}
      {problem && (
        <p id={errorId} className="w-full text-label font-medium text-failed">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

const CARD_ROW =
  'grid w-full grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 rounded-control border ' +
  'border-hairline px-3 py-2 hover:border-control has-checked:-order-1 has-checked:border-accent ' +
  'has-checked:bg-raised';

/** A wallet beside the chosen one. */
const SHORT =
  'inline-flex min-h-8 items-center gap-2 rounded-full border px-3 text-label ' +
  'pointer-coarse:min-h-11';

/** The card balance: held by the gateway, which has no query for its amount. */
function CardRow({
  form,
  first,
  short,
}: {
  form: MoneyForm;
  first: boolean;
  short: boolean;
}): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const id = first ? controlId('wallet') : `${controlId('wallet')}-${CARD_BALANCE}`;
  return (
    <label htmlFor={id} className={short ? `${SHORT} ${OPEN}` : CARD_ROW}>
      <input
        id={id}
        type="radio"
        name="wallet"
        value={CARD_BALANCE}
        checked={form.typed.wallet === CARD_BALANCE}
        required
        onChange={() => form.type('wallet', CARD_BALANCE)}
        onBlur={() => form.touch('wallet')}
        className={short ? DOT : `mt-1 ${DOT}`}
      />
      <span className="font-medium">{t('card')}</span>
      {!short && <span className="col-start-2 text-label text-muted">TRY · {t('cardText')}</span>}
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
  /** Another one is chosen. */
  short: boolean;
};

const DOT = 'size-4 shrink-0 accent-accent pointer-coarse:size-5';
const ROW =
  'grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 rounded-control border ' +
  'px-3 py-2 has-checked:-order-1';
const CLOSED = 'border-hairline bg-draft-ground text-muted';
const OPEN = 'border-hairline hover:border-control has-checked:border-accent has-checked:bg-raised';

function WalletRow(props: RowProps): ReactNode {
  const { wallet, form, first, short } = props;
  const t = useTranslations('newPayout.wallet');
  const { money } = useFormWords();
  const may = mayPayFrom(wallet.access);
  const closed = may.kind === 'no' ? may.why : null;
  const id = first ? controlId('wallet') : `${controlId('wallet')}-${wallet.number}`;
  return (
    <label htmlFor={id} className={`${short ? SHORT : ROW} ${closed ? CLOSED : OPEN}`}>
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
        className={short ? DOT : `mt-1 ${DOT}`}
      />
      {short ? (
        <span className="min-w-0">
          <span className="font-medium break-words">{wallet.name}</span>{' '}
          <span className="tabular-nums">
            {closed === null
              ? wallet.available === null
                ? t('unknownAmount')
                : money(wallet.available, wallet.currency)
              : t(`access.${closed}`)}
          </span>
        </span>
      ) : (
        <WholeWallet {...props} closed={closed} />
      )}
    </label>
  );
}

/** The chosen wallet, or any while none is: with its number, its limit and what is blocked. */
function WholeWallet({
  wallet,
  limitKind,
  lastUsed,
  staleAt,
  closed,
}: RowProps & { closed: 'blocked' | 'banned' | 'closed' | null }): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const { money } = useFormWords();
  const limit = wallet.limits.find((one) => one.kind === limitKind);
  return (
    <>
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
    </>
  );
}
