import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Tab, Tabs } from '#components/ui/table.tsx';

/** Tabs: received top-ups and failed ones. */
export async function MoneyInTabs({
  current,
  open,
}: {
  current: 'arrivals' | 'failed';
  open: number;
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn');
  return (
    <Tabs label={t('title')}>
      <Tab href="/money-in" current={current === 'arrivals'}>
        {t('tabs.arrivals')}
      </Tab>
      <Tab href="/money-in/failed" current={current === 'failed'} waiting={open}>
        {t('tabs.failed')}
      </Tab>
    </Tabs>
  );
}
