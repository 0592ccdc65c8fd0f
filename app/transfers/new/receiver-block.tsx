'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { Block } from '#app/movements/form/block.tsx';
import { controlId, useFormWords } from '#app/movements/form/form-words.ts';
import { TypedField } from '#app/movements/form/typed-field.tsx';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import type { WalletView } from '#lib/wallets/view.ts';
import type { TransferFormState } from './use-transfer-form.ts';

/**
 * Another business: its wallet cannot be queried before sending. The form says so, and shows our
 * own history with it.
 */
export function BusinessBlock({ form }: { form: TransferFormState }): ReactNode {
  const t = useTranslations('newPayout');
  return (
    <Block
      number={2}
      title={t('blocks.to')}
      done={!form.read.errors.toWallet && !form.read.errors.name}
    >
      <div className="grid items-start gap-3 sm:grid-cols-2">
        <TypedField
          form={form}
          name="toWallet"
          label={t('business.wallet')}
          hint={t('business.walletHint')}
          inputMode="numeric"
        />
        <TypedField
          form={form}
          name="name"
          label={t('business.name')}
          hint={t('business.nameHint')}
        />
      </div>
      <p className="rounded-control bg-raised px-3 py-2 text-label text-muted">
        {t('business.unasked')}
      </p>
    </Block>
  );
}

/** Own wallets of the same currency; a wallet that cannot receive is disabled, with the reason. */
export function OwnBlock({ form }: { form: TransferFormState }): ReactNode {
  const t = useTranslations('newPayout');
  const { error } = useFormWords();
  const others =
    form.wallets.value?.filter(
      (wallet) =>
        wallet.number !== form.wallet?.number &&
        (form.wallet === null || wallet.currency === form.wallet.currency),
    ) ?? [];
  const problem = form.touched.has('toWallet') ? error(form.read.errors.toWallet) : null;
  const first = others.find(({ access }) => mayPayFrom(access).kind !== 'no')?.number;
  return (
    <Block
      number={2}
      title={t('blocks.to')}
      done={!form.read.errors.toWallet && form.receiver !== null}
    >
      {form.wallet !== null && others.length === 0 && (
        <p className="text-muted">{t('own.none', { currency: form.wallet.currency })}</p>
      )}
      <fieldset
        aria-describedby={problem ? `${controlId('toWallet')}-error` : undefined}
        className="grid gap-2"
      >
        <legend className="sr-only">{t('own.legend')}</legend>
        {others.map((wallet) => (
          <OwnRow key={wallet.number} wallet={wallet} form={form} first={wallet.number === first} />
        ))}
      </fieldset>
      {problem && (
        <p id={`${controlId('toWallet')}-error`} className="text-label font-medium text-failed">
          {problem}
        </p>
      )}
    </Block>
  );
}

const ROW =
  'grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-3 rounded-control border ' +
  'border-hairline px-3 py-2';
const CLOSED = 'bg-draft-ground text-muted';
const OPEN = 'hover:border-control has-checked:border-accent has-checked:bg-raised';

function OwnRow({
  wallet,
  form,
  first,
}: {
  wallet: WalletView;
  form: TransferFormState;
  first: boolean;
}): ReactNode {
  const t = useTranslations('newPayout');
  const { money } = useFormWords();
  const id = first ? controlId('toWallet') : `${controlId('toWallet')}-${wallet.number}`;
  const may = mayPayFrom(wallet.access);
  return (
    <label htmlFor={id} className={`${ROW} ${may.kind === 'no' ? CLOSED : OPEN}`}>
      <input
        id={id}
        type="radio"
        name="toWallet"
        value={wallet.number}
        checked={form.typed.toWallet === wallet.number}
        disabled={may.kind === 'no'}
        required
        onChange={() => form.type('toWallet', wallet.number)}
        onBlur={() => form.touch('toWallet')}
        className="mt-1 size-4 accent-accent pointer-coarse:size-5"
      />
      <span className="grid min-w-0">
        <span className="font-medium break-words">{wallet.name}</span>
        <span className="text-label text-muted">
          {wallet.currency} · <span className="font-mono text-mono">{wallet.number}</span>
        </span>
        {may.kind === 'no' && (
          <span className="text-label font-medium">{t(`own.access.${may.why}`)}</span>
        )}
      </span>
      <span className="text-right tabular-nums">
        {wallet.available === null
          ? t('wallet.unknownAmount')
          : money(wallet.available, wallet.currency)}
      </span>
    </label>
  );
}
