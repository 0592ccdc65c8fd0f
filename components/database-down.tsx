import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { Reload } from '#components/reload.tsx';

/**
 * The page that is shown while the database is down: without it there are no sessions and nothing
 * can be sent. The page reloads itself when the database is back.
 */
export async function DatabaseDown(): Promise<ReactNode> {
  const t = await getTranslations('shell.database');
  return (
    <main className="mx-auto grid max-w-xl gap-4 px-4 py-16">
      <h1 className="text-title font-semibold">{t('title')}</h1>
      <Banner tone="attention" live>
        {t('text')}
      </Banner>
      <Reload />
    </main>
  );
}
