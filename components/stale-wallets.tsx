import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RefreshButton } from '#components/refresh-button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/**
 * Says that the provider could not be queried about wallets, so that the page shows data of an
 * earlier time (`at`) or none.
 */
export async function StaleWallets({ at }: { at: string | null }): Promise<ReactNode> {
  const t = await getTranslations('wallets.stale');
  const time =
    at === null
      ? null
      : formatDateTime(at, (await getLocale()) as Locale, {
          zone: await getTimeZone(),
          seconds: true,
        });
  return (
    <Banner
      tone="attention"
      live
      title={t('title')}
      actions={<RefreshButton>{t('retry')}</RefreshButton>}
    >
      {time === null ? t('nothing') : t('text', { time })}
    </Banner>
  );
}
