import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Banner } from '#components/ui/banner.tsx';
import { Link } from '#components/ui/link.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';

const LINK = 'inline-flex min-h-6 items-center font-medium underline underline-offset-2';

/**
 * The movement that this one replaces, with the reason it failed; or why it cannot be paid again.
 */
export async function EarlierMovement({
  view,
  as,
  words,
}: {
  view: MovementView;
  as: 'retry' | 'copy';
  words: 'newPayout' | 'newTransfer';
}): Promise<ReactNode> {
  const t = await getTranslations(words);
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const at = (iso: string): string => formatDateTime(iso, locale, { zone });
  const link = (text: string): ReactNode => (
    <Link href={movementAddress(view)} className={LINK}>
      {text}
    </Link>
  );
  if (as === 'copy')
    return (
      <Banner tone="draft" title={t('copied.title')} actions={link(t('copied.link'))}>
        {t('copied.text', { at: at(view.createdAt) })}
      </Banner>
    );
  if (view.retriedBy !== null)
    return (
      <Banner
        tone="attention"
        title={t('again.already')}
        actions={
          <Link href={movementAddress({ kind: view.kind, id: view.retriedBy })} className={LINK}>
            {t('again.alreadyLink')}
          </Link>
        }
      />
    );
  if (!view.can.payAgain)
    return <Banner tone="attention" title={t('again.alive')} actions={link(t('again.link'))} />;
  const reason = view.reasonText ?? view.reasonCode;
  return (
    <Banner
      tone={view.returned === 'CONFIRMED' ? 'returned' : 'draft'}
      title={t(view.mayHaveLeft ? 'again.unprovenTitle' : 'again.title')}
      actions={link(t('again.link'))}
    >
      <p>
        {t(view.mayHaveLeft ? 'again.unprovenText' : 'again.text', {
          amount: formatMoney(view.amount, view.currency, locale),
          name: view.name,
          at: at(view.createdAt),
        })}
      </p>
      {view.returned === 'CONFIRMED' && view.returnedAt !== null && (
        <p>{t('again.returned', { at: at(view.returnedAt) })}</p>
      )}
      {reason !== null && <p>{t('again.reason', { reason })}</p>}
    </Banner>
  );
}
