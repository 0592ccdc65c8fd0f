import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { KeepLooking } from '#app/reports/exports/keep-looking.tsx';
import { Messages } from '#components/messages.tsx';
import { TwoPeople } from '#components/two-people.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { submitChargeStatement } from '../actions.ts';
import type { AskedCharge, PlanView } from '#lib/cards/recurring/view.ts';

/** How long the page refreshes itself, and how soon an approval should be on the record. */
const SOON_MS = 3 * 60_000;

/**
 * A charge with an unknown outcome: what is known of it. Never red, and never an invitation to
 * charge again.
 */
export async function OpenCharge({
  charge,
  plan,
}: {
  charge: AskedCharge;
  plan: PlanView;
}): Promise<ReactNode> {
  const young = Date.parse(plan.now) - Date.parse(charge.askedAt) < SOON_MS;
  const kind =
    charge.state === 'UNKNOWN'
      ? 'unknown'
      : charge.state !== 'APPROVED'
        ? 'sending'
        : young
          ? 'approved'
          : 'silent';
  const t = await getTranslations(`recurring.open.${kind}`);
  const amount = formatMoney(charge.amount, charge.currency, (await getLocale()) as Locale);
  return (
    <>
      {young && <KeepLooking />}
      <Banner
        tone={kind === 'unknown' || kind === 'silent' ? 'unknown' : 'progress'}
        live
        title={t('title', { amount })}
      >
        {t('text', { reads: charge.reads })}
        {kind === 'unknown' && charge.sentAt !== null && (
          <Times sentAt={charge.sentAt} plan={plan} />
        )}
      </Banner>
      <Messages of={['secondPerson']}>
        <TwoPeople
          id={charge.id}
          kind="plan_charge"
          closing={charge.closing}
          statements={charge.statements}
          action={submitChargeStatement}
        />
      </Messages>
    </>
  );
}

/** A charge that people said was taken: the next one waits until the record lists it. */
export async function AwaitedCharge({
  awaited,
  plan,
}: {
  awaited: NonNullable<PlanView['awaited']>;
  plan: PlanView;
}): Promise<ReactNode> {
  const t = await getTranslations('recurring.awaited');
  const amount = formatMoney(awaited.amount, plan.currency, (await getLocale()) as Locale);
  return (
    <Banner tone="unknown" title={t('title', { amount })}>
      {t('text')}
      <span className="block pt-1 tabular-nums">
        {t('until')}: <When at={awaited.until} now={plan.now} />
      </span>
    </Banner>
  );
}

async function Times({ sentAt, plan }: { sentAt: string; plan: PlanView }): Promise<ReactNode> {
  const t = await getTranslations('recurring.open.unknown');
  return (
    <span className="block pt-1 tabular-nums">
      {t('sent')}: <When at={sentAt} now={plan.now} seconds />
      {plan.nextLookAt !== null && (
        <>
          {' '}
          · {t('next')}: <When at={plan.nextLookAt} now={plan.now} seconds />
        </>
      )}
    </span>
  );
}
