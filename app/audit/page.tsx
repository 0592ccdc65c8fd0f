import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { SavedViews } from '#app/saved-views/saved-views.tsx';
import { NothingFound } from '#components/filter-fields.tsx';
import { ListPager } from '#components/list-pager.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { countErasable } from '#lib/audit/erase.ts';
import { auditParams, readAuditQuery } from '#lib/audit/filter.ts';
import { listAudit } from '#lib/audit/list.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Place } from '#lib/values/keyset.ts';
import { listPeopleNames } from '#lib/people/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { ChainCheck } from './chain-check.tsx';
import { Erasure } from './erasure.tsx';
import { ExportPanel } from './export-panel.tsx';

const PATH = '/audit';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('audit'))('title') };
}

export default async function AuditPage({ searchParams }: PageProps<'/audit'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'audit.read')) return <Forbidden person={person} needs="audit.read" />;
  const query = readAuditQuery(await searchParams);
  const [page, people, erasable] = await Promise.all([
    listAudit(person, query),
    listPeopleNames(person),
    may(person.role, 'audit.erase') ? countErasable(person, query.filter.who) : null,
  ]);
  const t = await getTranslations('audit');
  const to = (place: Place | null): string | null =>
    place === null ? null : `${PATH}${addressOf(auditParams(query.filter), place)}`;
  const filtered = Object.values(query.filter).some((value) => value !== null);
  return (
    <>
      <PageHead title={t('title')}>
        {may(person.role, 'audit.export') && (
          <LinkButton href="#export">{t('export.title')}</LinkButton>
        )}
      </PageHead>
      <ChainCheck check={page.check} />
      <SavedViews person={person} list="audit" path={PATH} />
      <AuditFilters filter={query.filter} people={people} />
      <Panel list>
        {page.rows.length === 0 ? (
          filtered ? (
            <NothingFound title={t('emptyFilter')} clear={PATH} />
          ) : (
            <EmptyState title={t('empty.title')}>{t('empty.text')}</EmptyState>
          )
        ) : (
          <AuditTable
            rows={page.rows}
            filter={query.filter}
            broken={new Set(page.check.broken.map((link) => link.seq))}
          />
        )}
        {(page.newer || page.older) && (
          <ListPager previous={to(page.newer)} next={to(page.older)} />
        )}
      </Panel>
      {may(person.role, 'audit.export') && (
        <ExportPanel filter={filtered ? query.filter : null} checkpoint={page.check.checkpoint} />
      )}
      {erasable && (
        <Erasure
          personId={erasable.personId}
          values={erasable.values}
          name={people.find((one) => one.id === erasable.personId)?.name ?? erasable.personId}
        />
      )}
    </>
  );
}
