import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { OpenSession } from '#lib/login/open-sessions.ts';
import { deviceOf } from '#lib/values/device-name.ts';
import type { PersonView } from '#lib/people/view.ts';
import { endPersonSessions } from '../actions.ts';

export async function PersonSessions({
  view,
  sessions,
}: {
  view: PersonView;
  sessions: OpenSession[];
}): Promise<ReactNode> {
  const t = await getTranslations('people.sessions');
  const words = await getTranslations('settings.sessions');
  return (
    <Panel list title={t('title')}>
      <MessageArea>
        {sessions.length === 0 ? (
          <p className="px-4 py-3 text-muted">{t('none')}</p>
        ) : (
          <Table
            caption={t('caption', { name: view.name })}
            head={
              <>
                <Head>{words('device')}</Head>
                <Head>{words('address')}</Head>
                <Head>{words('opened')}</Head>
                <Head>{words('lastSeen')}</Head>
                <Head>
                  <span className="sr-only">{words('action')}</span>
                </Head>
              </>
            }
          >
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} view={view} />
            ))}
          </Table>
        )}
        {view.can.endSessions && <EndAll view={view} />}
      </MessageArea>
    </Panel>
  );
}

async function SessionLine({
  session,
  view,
}: {
  session: OpenSession;
  view: PersonView;
}): Promise<ReactNode> {
  const words = await getTranslations('settings.sessions');
  const device = deviceOf(session.userAgent) ?? words('unknownDevice');
  return (
    <Row>
      <Cell first>
        <span className="font-medium" title={session.userAgent ?? undefined}>
          {device}
        </span>
      </Cell>
      <Cell label={words('address')}>
        <span className="font-mono text-mono">{session.ip ?? '–'}</span>
      </Cell>
      <Cell label={words('opened')}>
        <When at={session.createdAt} />
      </Cell>
      <Cell label={words('lastSeen')}>
        <When at={session.lastSeenAt} />
      </Cell>
      <Cell>
        {view.can.endSessions && (
          <ActionButton
            action={endPersonSessions}
            fields={{ id: view.id, session: session.id }}
            label={words('endOne', { device })}
          >
            {words('end')}
          </ActionButton>
        )}
      </Cell>
    </Row>
  );
}

async function EndAll({ view }: { view: PersonView }): Promise<ReactNode> {
  const t = await getTranslations('people.sessions');
  return (
    <div className="border-t border-hairline px-4 py-3">
      <ConfirmButton
        action={endPersonSessions}
        fields={{ id: view.id, session: 'all' }}
        look="danger"
        confirmLook="danger"
        words={{
          open: t('endAll'),
          title: t('endAllTitle', { name: view.name }),
          confirm: t('endAll'),
          keep: t('keep'),
        }}
      >
        <p className="text-label">{t('endAllText')}</p>
      </ConfirmButton>
    </div>
  );
}
