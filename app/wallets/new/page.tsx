import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { openRequest, viewRequest } from '#lib/wallets/creation/view.ts';
import { UUID } from '#lib/values/uuid.ts';
import { NothingMade } from './nothing-made.tsx';
import { Unclear } from './unclear.tsx';
import { WalletForm } from './wallet-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('newWallet'))('title') };
}

/**
 * The request's id is in the address from the start: a reload, the back button and a second press
 * all mean the same wallet.
 */
export default async function NewWalletPage({
  searchParams,
}: PageProps<'/wallets/new'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.create'))
    return <Forbidden person={person} needs="wallet.create" />;
  const { id } = await searchParams;
  if (typeof id !== 'string' || !UUID.test(id)) redirect(`/wallets/new?id=${randomUUID()}`);
  const [request, open, t] = await Promise.all([
    viewRequest(person, id),
    openRequest(person),
    getTranslations('newWallet'),
  ]);
  if (request?.state === 'CREATED') redirect(`/wallets/${request.number}?opened`);
  const typed =
    request === null
      ? { name: '', currency: 'TRY', fastIban: true }
      : { name: request.name, currency: request.currency, fastIban: request.fastIban };
  return (
    <>
      <BackLink href="/wallets">{t('back')}</BackLink>
      <PageHead title={t('title')} />
      {request?.state === 'UNCLEAR' ? (
        <Unclear person={person} request={request} />
      ) : (
        <>
          {request !== null && <NothingMade request={request} />}
          {open !== null && (
            <Banner
              tone="unknown"
              title={t('open.title')}
              actions={<LinkButton href={`/wallets/new?id=${open}`}>{t('open.link')}</LinkButton>}
            >
              {t('open.text')}
            </Banner>
          )}
          {/* A repeated request gets a new id. */}
          <Panel className="max-w-[35rem]">
            <Messages of={['newWallet', 'refusals']}>
              <WalletForm key={id} id={request === null ? id : randomUUID()} typed={typed} />
            </Messages>
          </Panel>
        </>
      )}
    </>
  );
}
