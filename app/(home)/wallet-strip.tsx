import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { StaleWallets } from '#components/stale-wallets.tsx';
import { Link } from '#components/ui/link.tsx';
import { WalletCard, WalletCards } from '#components/wallet-card.tsx';
import type { Person } from '#lib/access/actor.ts';
import { walletsOf } from './wallets.ts';

const SHOWN = 6;

export async function WalletStripFrame({ children }: { children: ReactNode }): Promise<ReactNode> {
  const t = await getTranslations('home.wallets');
  return (
    <section aria-labelledby="wallets-title" className="grid gap-3">
      <div className="flex items-baseline justify-between gap-3">
        <h2 id="wallets-title" className="text-section font-semibold">
          {t('title')}
        </h2>
        <Link href="/wallets" className="text-label font-medium text-accent hover:underline">
          {t('all')}
        </Link>
      </div>
      {children}
    </section>
  );
}

/**
 * Wallets as the provider reports them now. While the provider cannot be reached, its last answer
 * is shown in grey, with its time.
 */
export async function WalletStrip({ person }: { person: Person }): Promise<ReactNode> {
  const { fresh, at, value } = await walletsOf(person);
  const t = await getTranslations('wallets');
  return (
    <>
      {!fresh && <StaleWallets at={at} />}
      {value?.length === 0 && (
        <p className="rounded-panel border border-hairline bg-surface px-4 py-3 text-muted">
          {t('empty.title')} {t('empty.text')}
        </p>
      )}
      {value && value.length > 0 && (
        <WalletCards>
          {value.slice(0, SHOWN).map((wallet) => (
            <WalletCard key={wallet.number} wallet={wallet} fresh={fresh} />
          ))}
        </WalletCards>
      )}
    </>
  );
}
