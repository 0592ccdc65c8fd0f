import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { BalancesAsOf } from '#components/balances-as-of.tsx';
import { KnownFirst } from '#components/known-first.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { viewAccount } from '#lib/wallets/account.ts';
import { viewKeptWallets, viewWallets } from '#lib/wallets/view.ts';
import { AccountStopped } from '../account-note.tsx';
import { WalletsLoading, WalletTable } from '../wallet-table.tsx';
import { AccountFacts } from './account-facts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('account'))('title') };
}

export default async function AccountPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const t = await getTranslations('account');
  return (
    <>
      <PageHead title={t('title')}>
        <LinkButton href="/wallets">{t('wallets')}</LinkButton>
      </PageHead>
      <Account person={person} />
      <AccountWallets person={person} />
    </>
  );
}

async function Account({ person }: { person: Person }): Promise<ReactNode> {
  const t = await getTranslations('account');
  const account = await viewAccount(person);
  if (account === null)
    return (
      <Panel>
        <EmptyState
          title={t('noAnswer.title')}
          actions={<RefreshButton>{t('noAnswer.retry')}</RefreshButton>}
        >
          {t('noAnswer.text')}
        </EmptyState>
      </Panel>
    );
  return (
    <>
      <AccountStopped account={account} />
      <AccountFacts account={account} />
    </>
  );
}

async function AccountWallets({ person }: { person: Person }): Promise<ReactNode> {
  return (
    <KnownFirst
      known={await viewKeptWallets(person)}
      ask={() => viewWallets(person)}
      render={(known, isAsking) => (
        <>
          <BalancesAsOf known={known} isAsking={isAsking} />
          {known.value && known.value.length > 0 && (
            <WalletTable wallets={known.value} fresh={known.fresh} />
          )}
        </>
      )}
      loading={<WalletsLoading />}
    />
  );
}
