import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { formatMoney, formatPercent } from '#lib/values/money.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { WalletLimit, WalletView } from '#lib/wallets/view.ts';

/**
 * Used share of a limit, as the browser's own progress bar: the content security policy forbids
 * style attributes.
 */
export async function LimitBar({ limit }: { limit: WalletLimit }): Promise<ReactNode> {
  if (limit.usedShare === null) return null;
  const t = await getTranslations('wallets');
  const percent = formatPercent(limit.usedShare, (await getLocale()) as Locale, 0);
  return (
    <progress
      className="bar"
      value={limit.usedShare}
      max={1}
      aria-label={t('limitBar', { kind: t(`limitKinds.${limit.kind}`), percent })}
    />
  );
}

export async function Limits({
  wallet,
  fresh,
}: {
  wallet: WalletView;
  fresh: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const locale = (await getLocale()) as Locale;
  const money = (amount: string): string => formatMoney(amount, wallet.currency, locale);
  if (wallet.limits.length === 0) return <p className="px-4 py-3 text-muted">{t('noLimits')}</p>;
  return (
    <div className="grid gap-3 px-4 py-3">
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2">
        {wallet.limits.map((limit) => (
          <li key={limit.kind} className="grid content-start gap-1 tabular-nums">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="text-label font-medium text-muted">
                {t(`limitKinds.${limit.kind}`)}
              </span>
              <span className={`ml-auto font-medium ${fresh ? '' : 'text-muted'}`}>
                {t('limitLine', { left: money(limit.left) })}
              </span>
            </div>
            <LimitBar limit={limit} />
            {limit.used !== null && (
              <p className="text-label text-muted">
                {t(usedWords(limit.kind), { used: money(limit.used) })}
              </p>
            )}
          </li>
        ))}
      </ul>
      <p className="max-w-prose text-label text-muted">{t('limitNote')}</p>
    </div>
  );
}

function usedWords(kind: WalletLimit['kind']): 'limitUsed' | 'limitUsedIn' | 'limitUsedOut' {
  if (kind === 'balance') return 'limitUsed';
  return kind === 'topUpCash' || kind === 'topUpCredit' ? 'limitUsedIn' : 'limitUsedOut';
}
