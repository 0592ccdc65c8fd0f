import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { EmptyState, Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { viewConnection, viewCurrencies, viewHooks } from '#lib/cards/tools/connection.ts';
import { signedIn } from '#lib/login/session.ts';
import { NoAnswer } from '../no-answer.tsx';
import { OldSession } from '../old-session.tsx';
import { ToolTabs } from '../tabs.tsx';
import { Hooks } from './hooks.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cardTools'))('tabs.connection') };
}

export default async function ConnectionPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const t = await getTranslations('cardTools');
  const hooks = viewHooks(person);
  return (
    <>
      <PageHead title={t('title')}>
        <RefreshButton>{t('noAnswer.retry')}</RefreshButton>
      </PageHead>
      <ToolTabs role={person.role} current="connection" />
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Connection person={person} />
        <Currencies person={person} />
      </div>
      {hooks && <Hooks hooks={hooks} />}
    </>
  );
}

async function Connection({ person }: { person: Person }): Promise<ReactNode> {
  const t = await getTranslations('cardTools.connection');
  const { host, sandbox, appId, entry, mode } = await viewConnection(person);
  return (
    <Panel title={t('title')}>
      <Facts>
        <Fact label={t('mode')}>
          {mode === null ? (
            <span className="text-attention">{t('modeUnread')}</span>
          ) : (
            <>
              <span className="font-medium">{t(`modes.${mode}.name`)}</span>
              <span className="block text-muted">{t(`modes.${mode}.text`)}</span>
            </>
          )}
        </Fact>
        <Fact label={t('entry')}>
          <span className="font-mono text-mono">CARD_ENTRY={entry}</span>
          <span className="block text-muted">{t(`entries.${entry}`)}</span>
        </Fact>
        <Fact label={t('host')}>
          <span className="font-mono text-mono break-all">{host}</span>
          {sandbox && <span className="block text-muted">{t('sandbox')}</span>}
        </Fact>
        <Fact label={t('appId')}>
          <span className="font-mono text-mono">{appId}</span>
        </Fact>
        <Fact label={t('appSecret')}>
          <span className="text-muted">{t('secretHidden')}</span>
        </Fact>
      </Facts>
    </Panel>
  );
}

async function Currencies({ person }: { person: Person }): Promise<ReactNode> {
  const t = await getTranslations('cardTools.currencies');
  const view = await viewCurrencies(person);
  return (
    <Panel list title={t('title')}>
      {view.kind === 'no_answer' ? (
        <NoAnswer />
      ) : view.kind === 'signed_in_long_ago' ? (
        <OldSession />
      ) : view.currencies.length === 0 ? (
        <EmptyState title={t('empty')} />
      ) : (
        <Table
          caption={t('title')}
          head={
            <>
              <Head>{t('code')}</Head>
              <Head>{t('name')}</Head>
              <Head>{t('symbol')}</Head>
              <Head numeric>{t('iso')}</Head>
            </>
          }
        >
          {view.currencies.map((one) => (
            <Row key={one.id}>
              <Cell first>
                <span className="font-mono text-mono font-medium">{one.code}</span>
              </Cell>
              <Cell label={t('name')}>{one.name}</Cell>
              <Cell label={t('symbol')}>{one.symbol}</Cell>
              <Cell label={t('iso')} numeric>
                {one.isoCode}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
