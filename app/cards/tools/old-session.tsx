import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/panel.tsx';

/**
 * Says that the provider's token of this session has expired: only a new sign-in gets another one.
 */
export async function OldSession(): Promise<ReactNode> {
  const t = await getTranslations('cardTools.oldSession');
  return (
    <EmptyState
      title={t('title')}
      actions={<LinkButton href="/settings">{t('settings')}</LinkButton>}
    >
      {t('text')}
    </EmptyState>
  );
}
