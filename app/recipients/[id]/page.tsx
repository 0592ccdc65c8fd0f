import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { drawnText } from '#components/drawn.ts';
import { LiveChanges } from '#app/live-changes.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import { isRecipientId } from '#lib/recipients/filter.ts';
import { viewRecipient } from '#lib/recipients/view.ts';
import type { RecipientView } from '#lib/recipients/view.ts';
import { currentPerson, signedIn } from '#lib/login/session.ts';
import { archiveSaved, saveRecipient } from '../actions.ts';
import { Accounts } from './accounts.tsx';
import { EditDialog } from '#components/edit-dialog.tsx';
import { Payouts } from './payouts.tsx';
import { byWhom } from './words.ts';

/** Another merchant's recipient and a recipient that never existed give the same answer. */
const readRecipient = cache(async (id: string): Promise<RecipientView | null> => {
  const person = await currentPerson();
  return person && isRecipientId(id) && may(person.role, 'movement.read')
    ? viewRecipient(person, id)
    : null;
});

export async function generateMetadata({
  params,
}: PageProps<'/recipients/[id]'>): Promise<Metadata> {
  const view = await readRecipient((await params).id);
  return view ? { title: drawnText(view.name) } : {};
}

export default async function RecipientPage({
  params,
}: PageProps<'/recipients/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const view = await readRecipient((await params).id);
  if (!view) notFound();
  const t = await getTranslations('recipients');
  const payee = view.accounts.find(
    (account) => account.archived === null && account.kind === 'iban',
  );
  return (
    <>
      <BackLink href="/recipients">{t('back')}</BackLink>
      <PageHead title={view.name}>
        <LiveChanges kinds={['movement']} />
        {view.can.edit && (
          <ActionButton
            action={archiveSaved}
            fields={{ id: view.id, archived: view.archived === null ? 'yes' : 'no' }}
          >
            {t(view.archived === null ? 'one.archive' : 'one.restore')}
          </ActionButton>
        )}
        {view.can.pay && payee && (
          <LinkButton
            look="primary"
            href={`/payouts/new?payee=${payee.id}`}
            prefetch={false}
            data-shortcut="new"
          >
            {t('one.pay')}
          </LinkButton>
        )}
      </PageHead>
      {view.archived !== null && (
        <Banner tone="draft" title={t('one.archived')}>
          {t('one.archivedText', await byWhom(view.archived))}
        </Banner>
      )}
      <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <Accounts view={view} />
        <Details view={view} />
      </div>
      <Payouts person={person} recipient={view.id} />
    </>
  );
}

async function Details({ view }: { view: RecipientView }): Promise<ReactNode> {
  const t = await getTranslations('recipients.one');
  const fields = [
    { name: 'name', label: t('name'), value: view.name },
    { name: 'nickname', label: t('nickname'), value: view.nickname ?? '' },
    { name: 'taxNumber', label: t('tax'), value: view.taxNumber, mono: true },
  ];
  return (
    <Panel title={t('facts')}>
      <Facts>
        <Fact label={t('name')}>{view.name}</Fact>
        <Fact label={t('nickname')}>
          {view.nickname ?? <span className="text-muted">{t('noNickname')}</span>}
        </Fact>
        <Fact label={t('tax')}>
          {view.taxNumber === '' ? (
            t('noTax')
          ) : (
            <span className="font-mono text-mono">{view.taxNumber}</span>
          )}
        </Fact>
        <Fact label={t('since')}>
          <When at={view.createdAt} />
        </Fact>
      </Facts>
      {view.can.edit && (
        <div className="px-4 pb-4">
          <EditDialog
            key={`${view.name} ${view.nickname} ${view.taxNumber}`}
            action={saveRecipient}
            fixed={{
              id: view.id,
              ...Object.fromEntries(fields.map(({ name, value }) => [`${name}Shown`, value])),
            }}
            fields={fields}
            words={{
              open: t('edit'),
              title: t('editTitle'),
              hint: t('editHint'),
              save: t('save'),
              keep: t('keep'),
            }}
          />
        </div>
      )}
    </Panel>
  );
}
