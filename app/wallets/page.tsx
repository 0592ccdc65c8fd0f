import { Plus } from 'lucide-react';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { BalancesAsOf } from '#components/balances-as-of.tsx';
import { KnownFirst } from '#components/known-first.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { openRequest } from '#lib/wallets/creation/view.ts';
import { viewKeptWallets, viewWallets } from '#lib/wallets/view.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import { AccountNote } from './account-note.tsx';
import { WalletsLoading, WalletTable } from './wallet-table.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('wallets'))('title') };
}

export default async function WalletsPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const t = await getTranslations('wallets');
  const mayCreate = may(person.role, 'wallet.create');
  return (
    <>
      <PageHead title={t('title')}>
        <LinkButton href="/wallets/account">{t('account')}</LinkButton>
        {mayCreate && <NewWalletLink />}
      </PageHead>
      <Suspense>
        <AccountNote person={person} />
      </Suspense>
      {mayCreate && <OpenRequest person={person} />}
      <KnownFirst
        known={await viewKeptWallets(person)}
        ask={() => viewWallets(person)}
        render={(known, isAsking) => (
          <Wallets known={known} isAsking={isAsking} mayCreate={mayCreate} />
        )}
        loading={<WalletsLoading />}
      />
    </>
  );
}

async function Wallets({
  known,
  isAsking,
  mayCreate,
}: {
  known: KnownView<WalletView[]>;
  isAsking: boolean;
  mayCreate: boolean;
}): Promise<ReactNode> {
  const { fresh, value } = known;
  const t = await getTranslations('wallets');
  return (
    <>
      <BalancesAsOf known={known} isAsking={isAsking} />
      {value?.length === 0 && (
        <Panel>
          <EmptyState
            title={t('empty.title')}
            actions={
              <>
                {mayCreate && <NewWalletLink />}
                <RefreshButton>{t('stale.retry')}</RefreshButton>
              </>
            }
          >
            {t('empty.text')}
          </EmptyState>
        </Panel>
      )}
      {value && value.length > 0 && <WalletTable wallets={value} fresh={fresh} />}
    </>
  );
}

async function NewWalletLink(): Promise<ReactNode> {
  return (
    <LinkButton href="/wallets/new" look="primary" data-shortcut="new">
      <Plus aria-hidden className="size-4" />
      {(await getTranslations('newWallet'))('link')}
    </LinkButton>
  );
}

/** A wallet request with an unknown outcome: there may be one wallet more than listed. */
async function OpenRequest({ person }: { person: Person }): Promise<ReactNode> {
  const id = await openRequest(person);
  if (id === null) return null;
  const t = await getTranslations('newWallet.open');
  return (
    <Banner
      tone="unknown"
      title={t('title')}
      actions={<LinkButton href={`/wallets/new?id=${id}`}>{t('link')}</LinkButton>}
    />
  );
}
