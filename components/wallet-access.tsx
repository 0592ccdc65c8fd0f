import { CircleCheck, CircleHelp, Lock } from 'lucide-react';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import type { Tone } from '#components/ui/pill.tsx';
import type { WalletView } from '#lib/wallets/view.ts';

const LOOKS = {
  active: { tone: 'settled', icon: CircleCheck },
  blocked: { tone: 'held', icon: Lock },
  banned: { tone: 'failed', icon: ICON_STOPPED },
  closed: { tone: 'draft', icon: ICON_STOPPED },
  unknown: { tone: 'unknown', icon: CircleHelp },
} as const satisfies Record<WalletView['access'], { tone: Tone; icon: unknown }>;

/** Whether money may leave a wallet, as a pill. */
export async function WalletAccessPill({
  access,
}: {
  access: WalletView['access'];
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.accessStates');
  const { tone, icon } = LOOKS[access];
  return (
    <Pill tone={tone} icon={icon}>
      {t(access)}
    </Pill>
  );
}
