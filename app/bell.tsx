import { __iconData as bell } from 'lucide-react/icons/bell';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { drawn } from '#components/ui/icon.tsx';
import { Link } from '#components/ui/link.tsx';
import { WaitingCount } from '#components/waiting-count.tsx';
import type { Waiting } from '#components/waiting-count.tsx';

const BellIcon = drawn(bell);
const COUNT_ID = 'bell-count';

const BELL =
  'relative grid size-[min(2.25rem,12vw)] shrink-0 place-items-center rounded-control text-muted ' +
  'hover:bg-draft-ground hover:text-ink pointer-coarse:size-[min(2.75rem,12vw)]';

/** Opens the notifications. The number of unread ones changes by itself, like those of the menu. */
export async function Bell({ counts }: { counts: Waiting }): Promise<ReactNode> {
  const t = await getTranslations('notifications');
  return (
    <Link href="/notifications" aria-describedby={COUNT_ID} title={t('bell')} className={BELL}>
      {/* The name is text: axe would compare a label with the number that is seen in it. */}
      <span className="sr-only">{t('bell')}</span>
      <BellIcon aria-hidden className="size-4.5" />
      <WaitingCount
        id={COUNT_ID}
        of="notifications"
        drawn={counts}
        words={t.raw('unread') as string}
        look="corner"
      />
    </Link>
  );
}
