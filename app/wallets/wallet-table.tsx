import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { WalletAccessPill } from '#components/wallet-access.tsx';
import { Panel, Skeleton } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { mayPayFrom } from '#lib/wallets/may-pay-from.ts';
import { totalsOf } from '#lib/wallets/view.ts';
import type { WalletTotal, WalletView } from '#lib/wallets/view.ts';
import { LimitBar } from './limits.tsx';

const TOTALS =
  'flex flex-wrap gap-x-6 gap-y-1 border-t border-hairline px-4 py-2.5 text-label ' +
  'text-muted tabular-nums';

/** The wallets with their available balances and the rest of their limits. */
export async function WalletTable({
  wallets,
  fresh,
}: {
  wallets: WalletView[];
  fresh: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const locale = (await getLocale()) as Locale;
  const sum = ({ available, currency }: WalletTotal): string =>
    available === null ? t('unknownAmount') : formatMoney(available, currency, locale);
  const head = (
    <>
      <Head>{t('wallet')}</Head>
      <Head>{t('access')}</Head>
      <Head numeric>{t('available')}</Head>
      <Head numeric>{t('blocked')}</Head>
      <Head numeric>{t('monthIn')}</Head>
      <Head numeric>{t('monthOut')}</Head>
      <Head>{t('limitShort')}</Head>
    </>
  );
  return (
    <Panel list>
      <Table caption={t('title')} head={head}>
        {wallets.map((wallet) => (
          <WalletRow key={wallet.number} wallet={wallet} fresh={fresh} locale={locale} />
        ))}
      </Table>
      <p className={TOTALS}>
        {totalsOf(wallets).map((total) => (
          <span key={total.currency}>
            {t('sum', { count: total.count, amount: sum(total) })}
            {total.stopped && (
              <> · {t('sumStopped', { count: total.stopped.count, amount: sum(total.stopped) })}</>
            )}
          </span>
        ))}
      </p>
    </Panel>
  );
}

async function WalletRow({
  wallet,
  fresh,
  locale,
}: {
  wallet: WalletView;
  fresh: boolean;
  locale: Locale;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const money = (amount: string | null): string =>
    amount === null ? t('unknownAmount') : formatMoney(amount, wallet.currency, locale);
  const limit = wallet.limits.find((one) => one.kind === 'withdrawal');
  // The balance of a wallet that cannot pay is not available, so it is grey.
  const old = fresh && mayPayFrom(wallet.access).kind !== 'no' ? '' : 'text-muted';
  return (
    <Row>
      <Cell first>
        <Link
          href={`/wallets/${wallet.number}`}
          className="font-medium text-accent hover:underline"
        >
          {wallet.name}
        </Link>
        <span className="block font-mono text-mono text-muted">{wallet.number}</span>
      </Cell>
      <Cell label={t('access')}>
        <WalletAccessPill access={wallet.access} />
      </Cell>
      <Cell label={t('available')} numeric>
        <span className={`text-body font-semibold ${old}`}>{money(wallet.available)}</span>
      </Cell>
      <Cell label={t('blocked')} numeric>
        <span className={`font-normal ${old}`}>{money(wallet.blocked)}</span>
      </Cell>
      <Cell label={t('monthIn')} numeric>
        <span className={`font-normal ${old}`}>{money(wallet.monthIn)}</span>
      </Cell>
      <Cell label={t('monthOut')} numeric>
        <span className={`font-normal ${old}`}>{money(wallet.monthOut)}</span>
      </Cell>
      <Cell label={t('limitShort')}>
        {limit ? (
          <span className="grid min-w-36 gap-1 tabular-nums">
            <span className={old}>{money(limit.left)}</span>
            <LimitBar limit={limit} />
          </span>
        ) : (
          t('unknownAmount')
        )}
      </Cell>
    </Row>
  );
}

/** Placeholders of rows, while not even earlier balances are known. */
export function WalletsLoading(): ReactNode {
  return (
    <div className="grid gap-px overflow-hidden rounded-panel border border-hairline bg-surface">
      {[0, 1, 2, 3, 4, 5].map((row) => (
        <div key={row} className="flex items-center gap-6 px-4 py-3">
          <Skeleton className="h-9 w-40" />
          <Skeleton className="h-6 w-16 max-sm:hidden" />
          <span className="ml-auto flex gap-1">
            <Skeleton className="h-5 w-8" />
            <Skeleton className="h-5 w-8" />
            <Skeleton className="h-5 w-8" />
          </span>
          <Skeleton className="h-5 w-24 max-lg:hidden" />
          <Skeleton className="h-5 w-24 max-lg:hidden" />
        </div>
      ))}
    </div>
  );
}
