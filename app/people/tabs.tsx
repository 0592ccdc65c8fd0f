import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Tab, Tabs } from '#components/ui/table.tsx';

export async function PeopleTabs({ current }: { current: 'list' | 'rights' }): Promise<ReactNode> {
  const t = await getTranslations('people');
  return (
    <Tabs label={t('title')}>
      <Tab href="/people" current={current === 'list'}>
        {t('tabs.list')}
      </Tab>
      <Tab href="/people/rights" current={current === 'rights'}>
        {t('tabs.rights')}
      </Tab>
    </Tabs>
  );
}
