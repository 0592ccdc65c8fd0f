import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { BalancesAsOf } from '#components/balances-as-of.tsx';
import { KnownFirst } from '#components/known-first.tsx';
import { Link } from '#components/ui/link.tsx';
import { WalletCard, WalletCards, WalletCardsLoading } from '#components/wallet-card.tsx';
import type { Person } from '#lib/access/actor.ts';
import type { KnownView, WalletView } from '#lib/wallets/view.ts';
import { keptWalletsOf, walletsOf } from './wallets.ts';

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
 * The wallets with the time of their balances: the last known ones at once, in grey, then those
 * that the provider reports.
 */
export async function WalletStrip({ person }: { person: Person }): Promise<ReactNode> {
  return (
    <KnownFirst
      known={await keptWalletsOf(person)}
      ask={() => walletsOf(person)}
      render={(known, isAsking) => <Strip known={known} isAsking={isAsking} />}
      loading={<WalletCardsLoading />}
    />
  );
}

async function Strip({
  known,
  isAsking,
}: {
  known: KnownView<WalletView[]>;
  isAsking: boolean;
}): Promise<ReactNode> {
  const { fresh, value } = known;
  const t = await getTranslations('wallets');
  return (
    <>
      <BalancesAsOf known={known} isAsking={isAsking} />
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
