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
      <Tab href="/money-in/failed" current={current === 'failed'}>
        {t('tabs.failed')}
        {open > 0 && (
          <span className="rounded-full bg-attention-ground px-1.5 text-label text-attention tabular-nums">
            {open}
          </span>
        )}
      </Tab>
    </Tabs>
  );
}
