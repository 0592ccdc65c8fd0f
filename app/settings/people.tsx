import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { PersonRow } from '#lib/people/list.ts';

export async function People({ people }: { people: PersonRow[] }): Promise<ReactNode> {
  const t = await getTranslations('settings');
  return (
    <Panel title={t('people.title')}>
      <p className="px-4 pt-3 pb-1 text-muted">{t('people.text')}</p>
      <Table
        caption={t('people.caption')}
        head={
          <>
            <Head>{t('people.name')}</Head>
            <Head>{t('people.email')}</Head>
            <Head>{t('people.role')}</Head>
            <Head>{t('people.lastSeen')}</Head>
          </>
        }
      >
        {people.map((person) => (
          <PersonLine key={person.id} person={person} />
        ))}
      </Table>
    </Panel>
  );
}

async function PersonLine({ person }: { person: PersonRow }): Promise<ReactNode> {
  const t = await getTranslations('settings');
  const roles = await getTranslations('shell.roles');
  return (
    <Row>
      <Cell first>
        <span className="font-medium">{person.name}</span>
        {person.self && <span className="text-muted"> ({t('people.self')})</span>}
        {person.disabled && (
          <span className="ml-2">
            <Pill tone="draft">{t('people.disabled')}</Pill>
          </span>
        )}
      </Cell>
      <Cell label={t('people.email')}>
        <span className="break-all">{person.email}</span>
      </Cell>
      <Cell label={t('people.role')}>
        <span className="block">{roles(person.role)}</span>
        <span className="block text-label text-muted">{t(`roles.${person.role}`)}</span>
      </Cell>
      <Cell label={t('people.lastSeen')}>
        {person.lastSeenAt ? (
          <When at={person.lastSeenAt} />
        ) : (
          <span className="text-muted">{t('people.never')}</span>
        )}
      </Cell>
    </Row>
  );
}
