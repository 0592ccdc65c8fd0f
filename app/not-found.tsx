import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/panel.tsx';

export default async function NotFound(): Promise<ReactNode> {
  const t = await getTranslations('shell.notFound');
  return (
    <EmptyState
      title={<h1>{t('title')}</h1>}
      actions={<LinkButton href="/">{t('home')}</LinkButton>}
    >
      {t('text')}
    </EmptyState>
  );
}
