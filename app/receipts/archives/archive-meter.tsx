import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Pill } from '#components/ui/pill.tsx';
import type { ArchiveCounts } from '#lib/receipts/archives/archive.ts';

/** How complete an archive is, as a bar and in words. */
export async function ArchiveMeter({
  counts,
  asked,
}: {
  counts: ArchiveCounts;
  asked: number;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  return (
    <span className="flex items-center gap-3 whitespace-nowrap tabular-nums max-sm:justify-end">
      <progress className="bar max-w-24 min-w-16" value={counts.ready} max={asked} aria-hidden />
      {t('meter', { ready: counts.ready, all: asked })}
    </span>
  );
}

/** Red is reserved for money that did not move; a missing receipt is at most a warning. */
export async function ArchiveState({
  counts,
  asked,
}: {
  counts: ArchiveCounts;
  asked: number;
}): Promise<ReactNode> {
  const t = await getTranslations('receipts.archives');
  if (counts.ready === asked) return <Pill tone="settled">{t('complete')}</Pill>;
  return (
    <Pill tone={counts.failed > 0 ? 'attention' : 'progress'}>
      {t('missing', { count: asked - counts.ready })}
    </Pill>
  );
}
