import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Tab, Tabs } from '#components/ui/table.tsx';

const TABS = [
  ['keys', '/developers'],
  ['webhooks', '/developers/webhooks'],
  ['requests', '/developers/requests'],
  ['reference', '/developers/reference'],
] as const;

export async function DeveloperTabs({
  current,
}: {
  current: (typeof TABS)[number][0];
}): Promise<ReactNode> {
  const t = await getTranslations('developers');
  return (
    <Tabs label={t('title')}>
      {TABS.map(([name, href]) => (
        <Tab key={name} href={href} current={name === current}>
          {t(`tabs.${name}`)}
        </Tab>
      ))}
    </Tabs>
  );
}
