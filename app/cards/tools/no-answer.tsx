import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { RefreshButton } from '#components/refresh-button.tsx';
import { EmptyState } from '#components/ui/panel.tsx';

/** The gateway does not answer. The sentence adds that nothing on this page moves money. */
export async function NoAnswer(): Promise<ReactNode> {
  const t = await getTranslations('cardTools.noAnswer');
  return (
    <EmptyState title={t('title')} actions={<RefreshButton>{t('retry')}</RefreshButton>}>
      {t('text')}
    </EmptyState>
  );
}
