import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RefreshButton } from '#components/refresh-button.tsx';
import { EmptyState } from '#components/ui/panel.tsx';

/** The gateway is silent: nothing that is shown here moves money, and the sentence says so. */
export async function NoAnswer(): Promise<ReactNode> {
  const t = await getTranslations('cardTools.noAnswer');
  return (
    <EmptyState title={t('title')} actions={<RefreshButton>{t('retry')}</RefreshButton>}>
      {t('text')}
    </EmptyState>
  );
}
