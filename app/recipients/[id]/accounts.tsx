import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { toneOf, wordOf } from '#components/state-words.ts';
import { LinkButton } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { When } from '#components/when.tsx';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { AccountView, Figures, RecipientView } from '#lib/recipients/view.ts';
import { archiveSaved, redirectAccount } from '../actions.ts';
import { EditDialog } from '#components/edit-dialog.tsx';
import { byWhom } from './words.ts';

/**
 * Every account on which this recipient was ever paid, with the totals; archived accounts stand
 * last.
 */
export async function Accounts({ view }: { view: RecipientView }): Promise<ReactNode> {
  const t = await getTranslations('recipients.one');
  const words = {
    open: t('add'),
    title: t('addTitle', { name: view.name }),
    hint: t('numberHint'),
    save: t('save'),
    keep: t('keep'),
  };
  return (
    <Panel title={t('accounts')}>
      <ul className="divide-y divide-hairline">
        {view.accounts.map((account) => (
          <AccountItem key={account.id} account={account} view={view} />
        ))}
      </ul>
      {view.can.redirect && (
        <div className="border-t border-hairline px-4 py-3">
          <EditDialog
            key={view.accounts.length}
            action={redirectAccount}
            fixed={{ id: view.id }}
            fields={[{ name: 'number', label: t('number'), value: '', mono: true, bank: true }]}
            words={words}
          />
        </div>
      )}
    </Panel>
  );
}

async function AccountItem({
  account,
  view,
}: {
  account: AccountView;
  view: RecipientView;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients.one');
  const { shown, changed, archived } = account;
  const before = changed?.before ?? null;
  return (
    <li className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span
          className={`font-mono text-mono wrap-anywhere ${archived === null ? '' : 'text-muted'}`}
        >
          {shown}
        </span>
        <span className="text-label text-muted">
          {account.bankName ?? t(account.kind === 'wallet' ? 'wallet' : 'bankUnknown')}
        </span>
      </div>
      {changed !== null && (
        <p className="text-label text-attention">
          {before === null
            ? t('added', await byWhom(changed))
            : t('changed', { ...(await byWhom(changed)), before })}
        </p>
      )}
      {archived !== null && (
        <p className="text-label text-muted">{t('retired', await byWhom(archived))}</p>
      )}
      <History account={account} />
      <Actions account={account} view={view} />
    </li>
  );
}

async function History({
  account: { figures, last },
}: {
  account: AccountView;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients.one');
  const states = await getTranslations('states');
  const locale = (await getLocale()) as Locale;
  return (
    <div className="grid gap-1 text-body tabular-nums">
      {figures.length === 0 ? (
        <p className="text-muted">{t('count', { count: 0 })}</p>
      ) : (
        figures.map((one) => <Sums key={one.currency} figures={one} />)
      )}
      {last !== null && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-muted">{t('last')}</span>
          {formatMoney(last.amount, last.currency, locale)}
          <When at={last.at} />
          <Pill tone={toneOf(last)}>{states(wordOf(last))}</Pill>
        </p>
      )}
    </div>
  );
}

async function Sums({
  figures: { currency, count, firstAt, usual, returns },
}: {
  figures: Figures;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients.one');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const money = (amount: string): string => formatMoney(amount, currency, locale);
  const parts = [
    t('count', { count }),
    firstAt === null ? null : t('first', { at: formatDate(firstAt, locale, { zone }) }),
    usual === null ? null : t('usual', { low: money(usual.low), high: money(usual.high) }),
    t('returns', { count: returns }),
  ];
  return <p>{parts.filter((part) => part !== null).join(' · ')}</p>;
}

async function Actions({
  account: { id, shown, kind, archived },
  view,
}: {
  account: AccountView;
  view: RecipientView;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients.one');
  if (!view.can.pay && !view.can.redirect) return null;
  const words = {
    open: t('change'),
    label: t('changeOne', { account: shown }),
    title: t('changeTitle', { name: view.name }),
    hint: t('numberHint'),
    save: t('save'),
    keep: t('keep'),
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {view.can.pay && archived === null && kind === 'iban' && (
        <LinkButton
          href={`/payouts/new?payee=${id}`}
          prefetch={false}
          aria-label={t('payTo', { account: shown })}
        >
          {t('pay')}
        </LinkButton>
      )}
      {view.can.redirect && archived === null && (
        <EditDialog
          action={redirectAccount}
          fixed={{ id: view.id, from: id }}
          fields={[{ name: 'number', label: t('number'), value: '', mono: true, bank: true }]}
          words={words}
        />
      )}
      {view.can.redirect && (
        <ActionButton
          action={archiveSaved}
          fields={{ id: view.id, account: id, archived: archived === null ? 'yes' : 'no' }}
          label={t(archived === null ? 'archiveOne' : 'restoreOne', { account: shown })}
        >
          {t(archived === null ? 'archive' : 'restore')}
        </ActionButton>
      )}
    </div>
  );
}
