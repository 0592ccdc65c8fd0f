'use client';

import { ChevronDown, RefreshCw } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
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
const OTHERS = `${controlId('wallet')}-choices`;

type Props = {
  form: MoneyForm;
  /** Offers the card balance as a source. */
  card?: boolean;
  lastUsed: string | null;
  /** The limit that applies to this movement kind. */
  limit: LimitKind | null;
};

/**
 * Lists every wallet in a short form; a wallet that cannot pay is disabled, with the reason. Once a
 * wallet is chosen, only that one is shown, in full; a button shows the others beneath it.
 */
export function WalletBlock({ number, ...choices }: Props & { number: number }): ReactNode {
  const t = useTranslations('newPayout');
  const { form, card = false } = choices;
  const { wallets, read } = form;
  const [open, setOpen] = useState(false);
  const canPay = form.wallet !== null && mayPayFrom(form.wallet.access).kind === 'yes';
  const hasOthers = (wallets.value?.length ?? 0) + (card ? 1 : 0) > 1;
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
      done={!read.errors.wallet && canPay}
      beside={
        canPay &&
        hasOthers && (
          <Button
            look="ghost"
            className="-my-1 -mr-3"
            aria-expanded={open}
            aria-controls={OTHERS}
            onClick={() => setOpen(!open)}
          >
            {t('wallet.others')}
            <ChevronDown aria-hidden className={`size-4 ${open ? 'rotate-180' : ''}`} />
          </Button>
        )
      }
    >
      {!wallets.fresh && !form.askingWallets && (
        <Banner tone="attention" live title={t('wallet.staleTitle')} actions={ask}>
          {wallets.value === null ? t('wallet.nothing') : t('wallet.staleText')}
        </Banner>
      )}
      {wallets.value?.length === 0 && <p className="text-muted">{t('wallet.none')}</p>}
      {(card || (wallets.value !== null && wallets.value.length > 0)) && (
        <Choices {...choices} whole={open || !canPay} onChoose={setOpen} />
      )}
    </Block>
  );
}

/**
 * `whole`: every wallet, else only the chosen one. A press folds the others; the arrow keys pass
 * over several wallets and leave them open.
 */
function Choices({
  form,
  lastUsed,
  limit,
  card = false,
  whole,
  onChoose,
}: Props & { whole: boolean; onChoose: (isOpen: boolean) => void }): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const { error } = useFormWords();
  const { wallets, read, touched, wallet: chosen } = form;
  const problem = touched.has('wallet') ? error(read.errors.wallet) : null;
  const errorId = `${controlId('wallet')}-error`;
  const pressed = useRef(false);
  const shown = wallets.value?.filter(({ number }) => whole || number === chosen?.number) ?? [];
  // The control that the first error brings into focus, which a blocked wallet cannot have.
  const first = shown.find(({ access }) => mayPayFrom(access).kind !== 'no')?.number;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the radios choose
    <fieldset
      id={OTHERS}
      onPointerDown={() => (pressed.current = true)}
      onKeyDown={() => (pressed.current = false)}
      onChange={() => onChoose(!pressed.current)}
      aria-describedby={problem ? errorId : undefined}
      className="flex flex-wrap items-center gap-1.5"
    >
      <legend className="sr-only">{t('legend')}</legend>
      {shown.map((wallet) => (
        <WalletRow
          key={wallet.number}
          wallet={wallet}
          form={form}
          limitKind={limit}
          first={wallet.number === first}
          lastUsed={wallet.number === lastUsed}
          short={chosen?.number !== wallet.number}
        />
      ))}
      {card && (whole || chosen?.number === CARD_BALANCE) && (
        <CardRow form={form} first={first === undefined} short={chosen?.number !== CARD_BALANCE} />
      )}
      <BalancesAsOf form={form} />
      {problem && (
        <p id={errorId} className="w-full text-label font-medium text-failed">
          {problem}
        </p>
      )}
    </fieldset>
  );
}

/** The time of the balances above, one line whatever is known of them. */
function BalancesAsOf({ form: { wallets, askingWallets } }: { form: MoneyForm }): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const { moment } = useFormWords();
  if (wallets.at === null) return null;
  const at = moment(wallets.at);
  const isSilent = !wallets.fresh && !askingWallets;
  return (
    <p className={`w-full text-label tabular-nums ${isSilent ? 'text-attention' : 'text-muted'}`}>
      {isSilent ? t('stale', { at }) : t('asOf', { at })}
      {askingWallets && <> · {t('asking')}</>}
    </p>
  );
}

const CARD_ROW =
  'grid w-full grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 rounded-control border ' +
  'border-hairline px-3 py-2 hover:border-control has-checked:-order-1 has-checked:border-accent ' +
  'has-checked:bg-raised';

/** The short form of a wallet that is not the chosen one. */
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
  /** This wallet is not the chosen one, so it is shown in its short form. */
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

const DETAILS =
  'col-span-2 col-start-2 grid min-w-0 grid-cols-[minmax(0,1fr)_auto] gap-x-2 text-label ' +
  'text-muted tabular-nums';

/** Whole line on a phone, so that an amount that changes never changes the number of lines. */
const AMOUNT = 'max-sm:col-span-2';

/**
 * A wallet in full, with its number, its limit and its blocked amount: the chosen wallet. Its lines
 * are as many before as after the provider has answered, so that nothing beneath them moves.
 */
function WholeWallet({
  wallet,
  limitKind,
  lastUsed,
  closed,
  form,
}: RowProps & { closed: 'blocked' | 'banned' | 'closed' | null }): ReactNode {
  const t = useTranslations('newPayout.wallet');
  const { money } = useFormWords();
  const limit = wallet.limits.find((one) => one.kind === limitKind);
  return (
    <>
      <span className="min-w-0 font-medium break-words">{wallet.name}</span>
      <span
        className={`text-right text-section font-semibold tabular-nums ${form.wallets.fresh ? '' : 'text-subtle'}`}
      >
        {wallet.available === null ? t('unknownAmount') : money(wallet.available, wallet.currency)}
      </span>
      <span className={DETAILS}>
        <span>
          {wallet.currency} · {t('number', { last: wallet.number.slice(-LAST_DIGITS) })}
          {lastUsed ? ` · ${t('lastUsed')}` : ''}
        </span>
        <span className="text-right">{t('available')}</span>
        <span className={AMOUNT}>
          {closed === null && limit
            ? t('limit', { amount: money(limit.left, wallet.currency) })
            : null}
        </span>
        <span className={`sm:text-right ${AMOUNT}`}>
          {wallet.blocked !== null &&
            t('blocked', { amount: money(wallet.blocked, wallet.currency) })}
        </span>
      </span>
      {closed !== null && (
        <span className="col-span-2 col-start-2 text-label font-medium">
          {t(`access.${closed}`)}
        </span>
      )}
    </>
  );
}
