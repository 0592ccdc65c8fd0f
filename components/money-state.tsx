import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ICON_STOPPED, Pill } from '#components/ui/pill.tsx';
import { toneOf, wordOf } from '#components/state-words.ts';
import type { Shown } from '#components/state-words.ts';

/**
 * The state of a movement as a pill, for server components. A client component uses `toneOf` and
 * `wordOf` with the namespace "states".
 */
export async function MoneyState(shown: Shown): Promise<ReactNode> {
  const t = await getTranslations('states');
  const stopped = shown.state === 'CANCELLED' || shown.state === 'EXPIRED';
  return (
    <Pill tone={toneOf(shown)} {...(stopped ? { icon: ICON_STOPPED } : {})}>
      {t(wordOf(shown))}
    </Pill>
  );
}
