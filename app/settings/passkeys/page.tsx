import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { AddKey } from '#app/step-up/add-key.tsx';
import { BackLink } from '#components/back-link.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Messages } from '#components/messages.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { listKeyHolders } from '#lib/passkeys/lost.ts';
import type { KeyHolder } from '#lib/passkeys/lost.ts';
import { viewPasskeys } from '#lib/passkeys/view.ts';
import type { PasskeysView } from '#lib/passkeys/view.ts';
import { removeOwnKey, reportLost } from './actions.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('passkeys'))('title') };
}

/** A person's own keys; and whose keys are lost, for the two people who may say so. */
export default async function PasskeysPage(): Promise<ReactNode> {
  const person = await signedIn();
  const view = await viewPasskeys(person);
  const holders = may(person.role, 'people.confirm') ? await listKeyHolders(person) : [];
  const t = await getTranslations('passkeys');
  return (
    <MessageArea>
      <BackLink href="/settings">{t('back')}</BackLink>
      <PageHead title={t('title')} />
      <OwnKeys keys={view.keys} />
      <Panel title={t('addTitle')}>
        <div className="px-4 py-4">
          {view.canAdd ? (
            <Messages of={['stepUp']}>
              <AddKey />
            </Messages>
          ) : (
            <p className="text-body">{t('noName')}</p>
          )}
        </div>
      </Panel>
      {holders.length > 0 && <Lost holders={holders} />}
    </MessageArea>
  );
}

async function OwnKeys({ keys }: { keys: PasskeysView['keys'] }): Promise<ReactNode> {
  const t = await getTranslations('passkeys');
  return (
    <Panel list title={t('own')}>
      {keys.length === 0 ? (
        <EmptyState title={t('none')}>{t('noneText')}</EmptyState>
      ) : (
        <Table
          caption={t('own')}
          head={
            <>
              <Head>{t('label')}</Head>
              <Head>{t('address')}</Head>
              <Head>{t('added')}</Head>
              <Head>{t('lastUsed')}</Head>
              <Head>
                <span className="sr-only">{t('action')}</span>
              </Head>
            </>
          }
        >
          {keys.map((key) => (
            <Row key={key.id}>
              <Cell first>
                <span className="font-medium">{key.label}</span>
              </Cell>
              <Cell label={t('address')}>{key.address}</Cell>
              <Cell label={t('added')}>
                <When at={key.addedAt} />
              </Cell>
              <Cell label={t('lastUsed')}>
                {key.lastUsedAt === null ? '–' : <When at={key.lastUsedAt} />}
              </Cell>
              <Cell>
                {keys.length > 1 && (
                  <ActionButton
                    action={removeOwnKey}
                    fields={{ id: key.id }}
                    label={t('removeOne', { label: key.label })}
                  >
                    {t('remove')}
                  </ActionButton>
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {keys.length === 1 && (
        <p className="border-t border-hairline px-4 py-3 text-label text-muted">{t('lastText')}</p>
      )}
    </Panel>
  );
}

async function Lost({ holders }: { holders: KeyHolder[] }): Promise<ReactNode> {
  const t = await getTranslations('passkeys.lost');
  return (
    <Panel title={t('title')}>
      <p className="px-4 pt-3 text-body text-muted">{t('text')}</p>
      <ul className="grid gap-5 px-4 py-4">
        {holders.map((one) => (
          <li key={one.id} className="grid gap-2">
            <p className="text-body font-medium">
              {t('person', { name: one.name, keys: one.keys })}
            </p>
            {one.by !== null && (
              <p className="text-body">{t(one.isOwn ? 'own' : 'by', { by: one.by })}</p>
            )}
            {!one.isOwn && (
              <ReasonForm
                action={reportLost}
                fields={{ id: one.id }}
                label={t('reason', { name: one.name })}
                button={t(one.by === null ? 'report' : 'confirm', { name: one.name })}
                look="danger"
              />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}
