import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { CaseRow } from '#lib/money-in/cases.ts';
import type { WalletName } from '#lib/wallets/names.ts';

const TONES: Record<CaseRow['state'], Tone> = {
  open: 'attention',
  handled: 'draft',
  arrived: 'settled',
};

export async function CaseStatePill({ state }: { state: CaseRow['state'] }): Promise<ReactNode> {
  return <Pill tone={TONES[state]}>{(await getTranslations('moneyIn.failed.states'))(state)}</Pill>;
}

/** The likely wallet, the confidence in it, and the reason. */
export async function LikelyWallet({
  likely,
  wallets,
}: {
  likely: CaseRow['likely'];
  wallets: readonly WalletName[];
}): Promise<ReactNode> {
  const t = await getTranslations('moneyIn.failed');
  if (likely === null)
    return (
      <>
        <span className="block font-medium">{t('nobody')}</span>
        <span className="block text-label text-muted">{t('nobodyText')}</span>
      </>
    );
  return (
    <>
      <span className="block font-medium">
        {wallets.find((wallet) => wallet.number === likely.wallet)?.name ?? likely.wallet}
      </span>
      <span className="block text-label text-muted">
        {t(`confidence.${likely.confidence}`)}: {t(`because.${likely.because}`)}
      </span>
    </>
  );
}
