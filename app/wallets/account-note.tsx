import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import type { Person } from '#lib/access/actor.ts';
import { isAccountStopped, viewAccount } from '#lib/wallets/account.ts';
import type { AccountView } from '#lib/wallets/account.ts';

/**
 * Says that the account as a whole is locked or blocked, which blocks also wallets whose own status
 * is active.
 */
export async function AccountNote({ person }: { person: Person }): Promise<ReactNode> {
  const account = await viewAccount(person);
  return account && <AccountStopped account={account} />;
}

export async function AccountStopped({ account }: { account: AccountView }): Promise<ReactNode> {
  if (!isAccountStopped(account)) return null;
  const t = await getTranslations('account');
  const { access } = account;
  return (
    <Banner
      tone={access === 'banned' ? 'failed' : 'held'}
      title={
        account.locked
          ? t('stopped.locked')
          : t(`stopped.${access === 'active' ? 'locked' : access}`, {
              level: account.accessLevel ?? '–',
            })
      }
    >
      {t('stopped.text')}
    </Banner>
  );
}
