import { Check } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { DEPUTY_PERMISSIONS, may, permissionsOf, ROLES } from '#lib/access/actor.ts';
import type { Permission } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { PeopleTabs } from '../tabs.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('people'))('rightsTitle') };
}

export default async function RightsPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'people.read')) return <Forbidden person={person} needs="people.read" />;
  const t = await getTranslations('people');
  return (
    <>
      <PageHead title={t('rightsTitle')} />
      <PeopleTabs current="rights" />
      <Panel list>
        <p className="max-w-prose px-4 pt-3 pb-1 text-muted">{t('rightsText')}</p>
        <RightsTable />
        <p className="max-w-prose border-t border-hairline px-4 py-3 text-muted">
          {t('deputies.rights', {
            right: DEPUTY_PERMISSIONS.map((right) => t(`rights.${right}`)).join(', '),
          })}
        </p>
      </Panel>
    </>
  );
}

/** Each right once: what many roles may do first. */
function allRights(): Permission[] {
  const rights = [...new Set(ROLES.flatMap((role) => permissionsOf(role)))];
  const holders = (right: Permission): number => ROLES.filter((role) => may(role, right)).length;
  return rights.sort((a, b) => holders(b) - holders(a));
}

async function RightsTable(): Promise<ReactNode> {
  const t = await getTranslations('people');
  const roles = await getTranslations('shell.roles');
  return (
    <Table
      caption={t('rightsTitle')}
      head={
        <>
          <Head>{t('right')}</Head>
          {ROLES.map((role) => (
            <Head key={role}>{roles(role)}</Head>
          ))}
        </>
      }
    >
      {allRights().map((right) => (
        <RightLine key={right} right={right} />
      ))}
    </Table>
  );
}

/** On a phone the five columns are one line that names the roles. */
async function RightLine({ right }: { right: Permission }): Promise<ReactNode> {
  const t = await getTranslations('people');
  const roles = await getTranslations('shell.roles');
  return (
    <Row brief>
      <Cell first>
        <span>
          {t(`rights.${right}`)}
          <span className="block text-label text-muted sm:hidden">
            {ROLES.filter((role) => may(role, right))
              .map((role) => roles(role))
              .join(' · ')}
          </span>
        </span>
      </Cell>
      {ROLES.map((role) => (
        <Cell key={role}>
          {may(role, right) ? (
            <span className="text-settled">
              <Check aria-hidden className="size-4" />
              <span className="sr-only">{t('mayYes')}</span>
            </span>
          ) : (
            <span className="text-subtle">
              <span aria-hidden>–</span>
              <span className="sr-only">{t('mayNo')}</span>
            </span>
          )}
        </Cell>
      ))}
    </Row>
  );
}
