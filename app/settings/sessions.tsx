import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { SignOutButton } from '#app/sign-out-button.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { OpenSession } from '#lib/login/open-sessions.ts';
import { endOneSession } from './actions.ts';
import { deviceOf } from '#lib/values/device-name.ts';

export async function Sessions({ sessions }: { sessions: OpenSession[] }): Promise<ReactNode> {
  const t = await getTranslations('settings.sessions');
  const shell = await getTranslations('shell');
  return (
    <Panel list title={t('title')}>
      <p className="px-4 pt-3 pb-1 text-muted">{t('text')}</p>
      <MessageArea>
        <Table
          caption={t('caption')}
          head={
            <>
              <Head>{t('device')}</Head>
              <Head>{t('address')}</Head>
              <Head>{t('opened')}</Head>
              <Head>{t('lastSeen')}</Head>
              <Head>
                <span className="sr-only">{t('action')}</span>
              </Head>
            </>
          }
        >
          {sessions.map((session) => (
            <SessionLine key={session.id} session={session} />
          ))}
        </Table>
      </MessageArea>
      <div className="grid justify-items-start gap-2 border-t border-hairline px-4 py-3">
        <p className="max-w-prose text-label text-muted">{t('endAllText')}</p>
        <SignOutButton
          everywhere
          look="danger"
          words={{
            failed: t('endAllFailed'),
            unreached: shell('signOutUnreached'),
            signIn: shell('signInAgain'),
          }}
        >
          {t('endAll')}
        </SignOutButton>
      </div>
    </Panel>
  );
}

async function SessionLine({ session }: { session: OpenSession }): Promise<ReactNode> {
  const t = await getTranslations('settings.sessions');
  const device = deviceOf(session.userAgent) ?? t('unknownDevice');
  return (
    <Row>
      <Cell first>
        <span className="inline-flex flex-wrap items-center gap-2">
          <span className="font-medium" title={session.userAgent ?? undefined}>
            {device}
          </span>
          {session.current && <Pill tone="settled">{t('current')}</Pill>}
        </span>
      </Cell>
      <Cell label={t('address')}>
        <span className="font-mono text-mono">{session.ip ?? '–'}</span>
      </Cell>
      <Cell label={t('opened')}>
        <When at={session.createdAt} />
      </Cell>
      <Cell label={t('lastSeen')}>
        <When at={session.lastSeenAt} />
      </Cell>
      <Cell>
        {!session.current && (
          <ActionButton
            action={endOneSession}
            fields={{ id: session.id }}
            label={t('endOne', { device })}
          >
            {t('end')}
          </ActionButton>
        )}
      </Cell>
    </Row>
  );
}
