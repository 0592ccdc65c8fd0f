import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { ActiveFilters, NothingFound } from '#components/filter-fields.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { formatDate } from '#lib/values/dates.ts';
import { webhookParams, readWebhookQuery } from '#lib/webhooks/filter.ts';
import type { WebhookFilter } from '#lib/webhooks/filter.ts';
import { listWebhooks, webhookAddresses, viewWebhook } from '#lib/webhooks/list.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { signedIn } from '#lib/login/session.ts';
import { Addresses } from './addresses.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { WebhookFilters } from './webhook-filters.tsx';
import { WebhookTable } from './webhook-table.tsx';

const PATH = '/webhooks';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('webhooks'))('title') };
}

export default async function WebhooksPage({
  searchParams,
}: PageProps<'/webhooks'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'notice.read')) return <Forbidden person={person} needs="notice.read" />;
  const { filter, place, open } = readWebhookQuery(await searchParams);
  const [page, notice] = await Promise.all([
    listWebhooks(person, { filter, place, open }),
    open === null ? null : viewWebhook(person, open),
  ]);
  const t = await getTranslations('webhooks');
  const addresses = may(person.role, 'notice.address') ? webhookAddresses(person) : null;
  const to = (beside: Place | null): string | null =>
    beside === null ? null : `${PATH}${addressOf(webhookParams(filter), beside)}`;
  const here = (id: string | null): string =>
    `${PATH}${addressOf({ ...webhookParams(filter), notice: id }, place)}`;
  return (
    <>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['notice']} />
      </PageHead>
      <p className="max-w-prose text-muted">{t('intro')}</p>
      {!page.any ? (
        <>
          <Panel>
            <EmptyState title={t('empty.title')}>
              {addresses ? t('empty.text') : t('empty.textOthers')}
            </EmptyState>
          </Panel>
          {addresses && <Addresses addresses={addresses} open />}
        </>
      ) : (
        <>
          <SavedViews person={person} list="webhooks" path={PATH} />
          <WebhookFilters filter={filter} />
          <Chips filter={filter} />
          <div
            className={`grid items-start gap-5 ${open === null ? '' : 'xl:grid-cols-[minmax(0,1fr)_26rem]'}`}
          >
            <Panel list>
              {page.rows.length === 0 ? (
                <NothingFound title={t('emptyFilter')} clear={PATH} />
              ) : (
                <WebhookTable rows={page.rows} open={open} address={here} narrow={open !== null} />
              )}
              {(page.newer || page.older) && (
                <ListPager previous={to(page.newer)} next={to(page.older)} />
              )}
            </Panel>
            {open !== null && (
              <WebhookDetail
                notice={notice}
                id={open}
                close={here(null)}
                mayReadAudit={may(person.role, 'audit.read')}
              />
            )}
          </div>
          {addresses && <Addresses addresses={addresses} />}
        </>
      )}
    </>
  );
}

async function Chips({ filter }: { filter: WebhookFilter }): Promise<ReactNode> {
  const t = await getTranslations('webhooks');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const day = (text: string): string => formatDate(text, locale, { zone });
  const chips: [string, Partial<WebhookFilter>][] = [];
  if (filter.effect !== null)
    chips.push([t('chips.effect', { effect: t(`effects.${filter.effect}`) }), { effect: null }]);
  if (filter.channel !== null)
    chips.push([
      t('chips.channel', { channel: t(`channels.${filter.channel}`) }),
      { channel: null },
    ]);
  if (filter.reference !== '')
    chips.push([t('chips.reference', { text: filter.reference }), { reference: '' }]);
  if (filter.from !== null)
    chips.push([t('chips.from', { day: day(filter.from) }), { from: null }]);
  if (filter.to !== null) chips.push([t('chips.to', { day: day(filter.to) }), { to: null }]);
  return (
    <ActiveFilters
      chips={chips.map(([text, without]) => ({
        text,
        href: `${PATH}${addressOf(webhookParams({ ...filter, ...without }))}`,
      }))}
    />
  );
}
