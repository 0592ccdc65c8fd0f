import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RefreshButton } from '#components/refresh-button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { KnownView } from '#lib/wallets/view.ts';

/** The same height with and without the button, so that the balances below do not move. */
const LINE =
  'flex min-h-16 flex-wrap content-center items-center gap-x-3 text-label tabular-nums sm:min-h-9';

/**
 * The time of the balances below: of the provider's answer, of the last known ones while it is
 * asked, and that it could not be asked.
 */
export async function BalancesAsOf({
  known: { fresh, at },
  isAsking,
}: {
  known: KnownView<unknown>;
  isAsking: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets');
  const again = <RefreshButton>{t('stale.retry')}</RefreshButton>;
  if (at === null)
    return (
      <Banner tone="attention" live title={t('stale.title')} actions={again}>
        {t('stale.nothing')}
      </Banner>
    );
  const time = await timeOf(at);
  const isSilent = !fresh && !isAsking;
  return (
    <div className={LINE}>
      <p role="status" className={isSilent ? 'font-medium text-attention' : 'text-muted'}>
        {isSilent ? t('stale.text', { time }) : t('asOf', { time })}
        {isAsking && <> · {t('asking')}</>}
      </p>
      {isSilent && again}
    </div>
  );
}

/** Today's times without their day. */
export async function timeOf(at: string): Promise<string> {
  return formatDateTime(at, (await getLocale()) as Locale, {
    zone: await getTimeZone(),
    now: new Date().toISOString(),
  });
}
