import { getTranslations } from 'next-intl/server';
import { countedWords } from '#components/counted.ts';
import type { LiveWords } from '#components/live.tsx';

/** The texts of `LiveChangesSince` and of `LiveChip`. */
export async function liveWords(): Promise<LiveWords> {
  const t = await getTranslations('live');
  return {
    on: t('on'),
    connecting: t('connecting'),
    lost: t('lost'),
    paused: t('paused'),
    ended: t('ended'),
    maybe: t('maybe'),
    changes: countedWords((count) => t('changes', { count })),
    spoken: countedWords((count) => t('spoken', { count })),
  };
}
