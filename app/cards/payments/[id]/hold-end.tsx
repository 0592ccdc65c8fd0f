import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { nameDay } from '#app/cards/operations/actions.ts';
import { DayForm } from '#app/cards/operations/day-form.tsx';
import { dayWords } from '#components/day-words.ts';
import { Banner } from '#components/ui/banner.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { captureEndsAt } from '#lib/cards/payments/authorization.ts';
import type { CardPaymentView } from '#lib/cards/payments/view.ts';
import { formatMoment, dayIn } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { workspace } from '#lib/runtime/workspace.ts';

/**
 * Why an authorization cannot be captured here: it has lapsed, this is its last day, or its date is
 * unknown and a person may state it.
 */
export async function HoldEnd({
  payment,
  mayName,
}: {
  payment: CardPaymentView;
  mayName: boolean;
}): Promise<ReactNode> {
  if (payment.state !== 'held') return null;
  const t = await getTranslations('cardDialogs');
  const zone = workspace().timeZone;
  if (payment.heldSince === null || payment.lapsesAt === null) {
    if (!mayName) return null;
    return (
      <Panel title={t('day.title')}>
        <div className="px-4 py-3">
          <DayForm
            action={nameDay}
            paymentId={payment.id}
            today={dayIn(payment.now, zone)}
            words={{
              label: t('day.label'),
              hint: t('day.hint'),
              button: t('day.button'),
              day: await dayWords(),
            }}
          />
        </div>
      </Panel>
    );
  }
  if (payment.lapsesAt <= payment.now)
    return <Banner tone="attention">{(await getTranslations('cards.holds'))('lapsedText')}</Banner>;
  if (captureEndsAt(Date.parse(payment.heldSince)) > Date.parse(payment.now)) return null;
  return (
    <Banner tone="attention">
      {t('tooOld', { moment: formatMoment(payment.lapsesAt, (await getLocale()) as Locale, zone) })}
    </Banner>
  );
}
