import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { NothingFound } from '#components/filter-fields.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Tab, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { readRequestFilter } from '#lib/programs/filter.ts';
import { listDeliveries } from '#lib/programs/outgoing/deliveries.ts';
import type { DeliveryRow } from '#lib/programs/outgoing/deliveries.ts';
import { viewEndpoint } from '#lib/programs/outgoing/endpoint.ts';
import { LivePrograms } from '../live-programs.tsx';
import { DeveloperTabs } from '../tabs.tsx';
import { DeliveryTable } from './delivery-table.tsx';
import { EndpointPanel } from './endpoint-panel.tsx';

const PATH = '/developers/webhooks';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('developers.tabs'))('webhooks') };
}

export default async function OutgoingWebhooksPage({
  searchParams,
}: PageProps<'/developers/webhooks'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'api.read')) return <Forbidden person={person} needs="api.read" />;
  const { failed } = readRequestFilter(await searchParams);
  const [view, rows] = await Promise.all([
    viewEndpoint(person),
    listDeliveries(person, { failed }),
  ]);
  const t = await getTranslations('developers.webhooks');
  return (
    <>
      <PageHead title={(await getTranslations('developers.tabs'))('webhooks')}>
        <LivePrograms />
      </PageHead>
      <DeveloperTabs current="webhooks" />
      <p className="max-w-prose text-muted">{t('intro')}</p>
      <EndpointPanel endpoint={view.endpoint} mayManage={view.can.manage} />
      <Panel list title={t('deliveries')}>
        {(failed || rows.length > 0) && (
          <Tabs label={t('deliveries')}>
            <Tab href={PATH} current={!failed}>
              {t('all')}
            </Tab>
            <Tab href={`${PATH}?show=failed`} current={failed}>
              {t('failed')}
            </Tab>
          </Tabs>
        )}
        <Deliveries rows={rows} failed={failed} />
      </Panel>
    </>
  );
}

async function Deliveries({
  rows,
  failed,
}: {
  rows: DeliveryRow[];
  failed: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('developers.webhooks');
  if (rows.length > 0)
    return (
      <MessageArea>
        <DeliveryTable rows={rows} />
      </MessageArea>
    );
  if (failed) return <NothingFound title={t('emptyFilter')} clear={PATH} />;
  return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>;
}
