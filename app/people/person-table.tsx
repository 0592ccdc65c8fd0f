import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { PersonRow } from '#lib/people/list.ts';
import { PersonState } from './person-state.tsx';

export async function PersonTable({ people }: { people: PersonRow[] }): Promise<ReactNode> {
  const t = await getTranslations('people');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head>{t('columns.name')}</Head>
          <Head>{t('columns.email')}</Head>
          <Head>{t('columns.role')}</Head>
          <Head>{t('columns.lastSignIn')}</Head>
          <Head numeric>{t('columns.sessions')}</Head>
        </>
      }
    >
      {people.map((person) => (
        <PersonLine key={person.id} person={person} />
      ))}
    </Table>
  );
}

async function PersonLine({ person }: { person: PersonRow }): Promise<ReactNode> {
  const t = await getTranslations('people');
  const roles = await getTranslations('shell.roles');
  return (
    <Row brief>
      <Cell first>
        <Link href={`/people/${person.id}`} className="font-medium hover:underline">
          {person.name}
        </Link>
        {person.self && <span className="text-muted"> ({t('self')})</span>}
      </Cell>
      <Cell label={t('columns.email')}>
        <span className="break-all">{person.email}</span>
      </Cell>
      <Cell label={t('columns.role')} state>
        <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
          {roles(person.role)}
          {person.disabledAt !== null && <PersonState disabled />}
        </span>
      </Cell>
      <Cell label={t('columns.lastSignIn')} when>
        {person.lastSignInAt ? (
          <When at={person.lastSignInAt} />
        ) : (
          <span className="text-muted">{t('never')}</span>
        )}
      </Cell>
      <Cell label={t('columns.sessions')} numeric>
        {t('openSessions', { count: person.openSessions })}
      </Cell>
    </Row>
  );
}
