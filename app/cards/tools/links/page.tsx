import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { gatewayDay } from '#app/cards/gateway-day.ts';
import { Forbidden } from '#app/refused-page.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { Messages } from '#components/messages.tsx';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Tab, Table, Tabs } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { PANEL_LINK_LISTS, readPanelLinkQuery } from '#lib/cards/tools/panel-link-form.ts';
import type { PanelLinkQuery } from '#lib/cards/tools/panel-link-form.ts';
import { listPanelLinks, viewPanelLink } from '#lib/cards/tools/panel-links.ts';
import type { PanelLink, PanelLinkList } from '#lib/cards/tools/panel-links.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { NoAnswer } from '../no-answer.tsx';
import { OldSession } from '../old-session.tsx';
import { ToolTabs } from '../tabs.tsx';
import { NewLinkForm } from './new-link-form.tsx';
import { SendLinkForm } from './send-link-form.tsx';

const PATH = '/cards/tools/links';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cardTools'))('tabs.links') };
}

export default async function PanelLinksPage({
  searchParams,
}: PageProps<'/cards/tools/links'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const query = readPanelLinkQuery(await searchParams);
  const list = await listPanelLinks(person, query);
  const t = await getTranslations('cardTools');
  return (
    <>
      <PageHead title={t('title')} />
      <ToolTabs role={person.role} current="links" />
      <p className="max-w-prose text-muted">{t('links.intro')}</p>
      <Messages of={['cardTools']}>
        {may(person.role, 'card.charge') && (
          <details className="no-print rounded-panel border border-hairline bg-surface">
            <summary className="px-4 py-2.5 text-section font-semibold">{t('links.new')}</summary>
            <div className="border-t border-hairline px-4 py-3">
              <NewLinkForm locale={await getLocale()} />
            </div>
          </details>
        )}
        <Tabs label={t('tabs.links')}>
          {PANEL_LINK_LISTS.map((which) => (
            <Tab
              key={which}
              href={addressFor({ ...query, which, page: 1, open: null })}
              current={which === query.which}
            >
              {t(`links.lists.${which}`)}
            </Tab>
          ))}
        </Tabs>
        <div
          className={`grid items-start gap-5 ${query.open === null ? '' : 'xl:grid-cols-[minmax(0,1fr)_24rem]'}`}
        >
          <Panel list>
            <List list={list} query={query} />
          </Panel>
          {query.open !== null && <Detail person={person} id={query.open} />}
        </div>
      </Messages>
    </>
  );
}

function addressFor({ which, page, open }: PanelLinkQuery): string {
  const search = addressOf({
    which: which === 'active' ? null : which,
    page: page === 1 ? null : String(page),
    link: open,
  });
  return `${PATH}${search}`;
}

async function List({
  list,
  query,
}: {
  list: PanelLinkList;
  query: PanelLinkQuery;
}): Promise<ReactNode> {
  const t = await getTranslations('cardTools.links');
  const locale = (await getLocale()) as Locale;
  if (list.kind === 'no_answer') return <NoAnswer />;
  if (list.kind === 'signed_in_long_ago') return <OldSession />;
  if (list.rows.length === 0) return <EmptyState title={t('empty')}>{t('emptyText')}</EmptyState>;
  const to = (page: number): string | null =>
    page < 1 || page > list.pages ? null : addressFor({ ...query, page, open: null });
  return (
    <>
      <Table
        caption={t('caption')}
        head={
          <>
            <Head>{t('product')}</Head>
            <Head>{t('use')}</Head>
            <Head numeric>{t('used')}</Head>
            <Head>{t('expires')}</Head>
            <Head numeric>{t('amount')}</Head>
          </>
        }
      >
        {list.rows.map((link) => (
          <Row key={link.id}>
            <Cell first>
              <Link
                href={addressFor({ ...query, open: link.id })}
                scroll={false}
                aria-current={link.id === query.open ? 'true' : undefined}
                className="font-medium break-words text-accent hover:underline"
              >
                {link.product ?? link.id}
              </Link>
            </Cell>
            <Cell label={t('use')}>{t(`uses.${link.use}`)}</Cell>
            <Cell label={t('used')} numeric>
              {link.uses ?? '–'}
            </Cell>
            <Cell label={t('expires')}>
              {link.expiresOn === null ? '–' : gatewayDay(link.expiresOn, locale)}
            </Cell>
            <Cell label={t('amount')} numeric>
              <Amount link={link} />
            </Cell>
          </Row>
        ))}
      </Table>
      {list.pages > 1 && (
        <ListPager previous={to(query.page - 1)} next={to(query.page + 1)}>
          {t('count', { count: list.count })}
        </ListPager>
      )}
    </>
  );
}

async function Amount({ link }: { link: PanelLink }): Promise<ReactNode> {
  if (link.amount === null) return (await getTranslations('cardTools.links'))('payerNames');
  return formatMoney(link.amount, link.currency, (await getLocale()) as Locale);
}

async function Detail({ person, id }: { person: Person; id: string }): Promise<ReactNode> {
  const t = await getTranslations('cardTools.links');
  const locale = (await getLocale()) as Locale;
  const view = await viewPanelLink(person, id);
  return (
    <Panel title={t('one', { id })} className="max-xl:order-first">
      {view.kind === 'no_answer' ? (
        <NoAnswer />
      ) : view.kind === 'signed_in_long_ago' ? (
        <OldSession />
      ) : view.kind === 'not_found' ? (
        <EmptyState title={t('notFound')} />
      ) : (
        <>
          <Facts>
            <Fact label={t('product')}>{view.link.product ?? '–'}</Fact>
            {view.link.description !== null && view.link.description !== '' && (
              <Fact label={t('description')}>{view.link.description}</Fact>
            )}
            <Fact label={t('amount')}>
              <Amount link={view.link} />
            </Fact>
            <Fact label={t('status')}>{t(`statuses.${view.link.status}`)}</Fact>
            <Fact label={t('use')}>{t(`uses.${view.link.use}`)}</Fact>
            <Fact label={t('used')}>{view.link.uses ?? '–'}</Fact>
            <Fact label={t('expires')}>
              {[
                view.link.expiresOn === null ? null : gatewayDay(view.link.expiresOn, locale),
                view.link.expiresAt,
              ]
                .filter((part) => part !== null)
                .join(' ') || '–'}
            </Fact>
            {view.link.createdBy !== null && <Fact label={t('by')}>{view.link.createdBy}</Fact>}
          </Facts>
          {view.link.status === 'active' &&
            view.link.use !== 'unknown' &&
            may(person.role, 'card.charge') && (
              <SendLinkForm link={{ id: view.link.id, use: view.link.use }} />
            )}
        </>
      )}
    </Panel>
  );
}
