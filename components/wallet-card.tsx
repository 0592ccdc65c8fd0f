import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { WalletAccessPill } from '#components/wallet-access.tsx';
import { Skeleton } from '#components/ui/panel.tsx';
import { formatMoney } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/locale.ts';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import type { WalletView } from '#lib/wallets/view.ts';

const CARD =
  'relative grid content-start gap-1 rounded-panel border border-hairline bg-surface px-4 ' +
  'py-3 hover:border-control';

/**
 * A wallet's summary: the available balance large, a blocked amount small, and what is left of the
 * limits. Grey when the data is old. The balance of a stopped wallet is not available: it is grey,
 * and a sentence replaces the limit.
 */
export async function WalletCard({
  wallet,
  fresh,
}: {
  wallet: WalletView;
  fresh: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const locale = (await getLocale()) as Locale;
  const money = (amount: string): string => formatMoney(amount, wallet.currency, locale);
  const isStopped = mayPayFrom(wallet.access).kind === 'no';
  const limit = wallet.limits.find((one) => one.kind === 'withdrawal');
  return (
    <li className={CARD}>
      <div className="flex items-center justify-between gap-2">
        <Link
          href={`/wallets/${wallet.number}`}
          data-row-link
          className="truncate font-medium after:absolute after:inset-0"
        >
          {wallet.name}
        </Link>
        {wallet.access === 'active' ? (
          <span className="font-mono text-label text-muted">…{wallet.number.slice(-4)}</span>
        ) : (
          <WalletAccessPill access={wallet.access} />
        )}
      </div>
      <p
        className={`text-title font-semibold tabular-nums ${fresh && !isStopped ? '' : 'text-muted'}`}
      >
        <span className="sr-only">{t(isStopped ? 'balances' : 'available')}: </span>
        {wallet.available === null ? t('unknownAmount') : money(wallet.available)}
      </p>
      {wallet.blocked !== '0.00' && (
        <p className="text-label text-muted tabular-nums">
          {t('blockedIs', {
            amount: wallet.blocked === null ? t('unknownAmount') : money(wallet.blocked),
          })}
        </p>
      )}
      {isStopped && <p className="text-label text-muted">{t('nothingLeaves')}</p>}
      {limit && !isStopped && (
        <p className="text-label text-muted tabular-nums">
          {t('limitLeft', { amount: money(limit.left) })}
        </p>
      )}
    </li>
  );
}

export function WalletCards({ children }: { children: ReactNode }): ReactNode {
  return <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">{children}</ul>;
}

/** Placeholders of the cards' size, with blocks where numbers will be. */
export function WalletCardsLoading(): ReactNode {
  return (
    <WalletCards>
      {[0, 1, 2].map((one) => (
        <li
          key={one}
          className="grid gap-2 rounded-panel border border-hairline bg-surface px-4 py-3"
        >
          <Skeleton className="h-5 w-28" />
          <span className="flex gap-1">
            <Skeleton className="h-7 w-10" />
            <Skeleton className="h-7 w-10" />
            <Skeleton className="h-7 w-10" />
          </span>
          <Skeleton className="h-4 w-24" />
          <Skeleton className="h-4 w-40" />
        </li>
      ))}
    </WalletCards>
  );
}
