import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { workspace } from '#lib/runtime/workspace.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';

/** Who has looked into what was wrong, when (`at`: ISO), and the reason that they gave. */
export async function SeenBy({
  seen: { by, at, reason },
}: {
  seen: { by: string; at: string; reason: string };
}): Promise<ReactNode> {
  const time = formatDateTime(at, (await getLocale()) as Locale, {
    zone: workspace().timeZone,
    seconds: true,
  });
  return (
    <p className="text-label text-muted">
      {(await getTranslations('payout.seen'))('by', { by, at: time, reason })}
    </p>
  );
}
