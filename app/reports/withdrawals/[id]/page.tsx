import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { RawRecord } from '#app/reports/raw-record.tsx';
import { movementAddress } from '#lib/movements/kinds.ts';
import { BackLink } from '#components/back-link.tsx';
import { MoneyState } from '#components/money-state.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { viewWithdrawal } from '#lib/reports/withdrawals/view.ts';
import type { WithdrawalView } from '#lib/reports/withdrawals/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { LevelPill } from '../level-pill.tsx';
import { PATH } from '../path.ts';
import { WithdrawalFacts } from './withdrawal-facts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('withdrawals'))('one') };
}

/**
 * A withdraw request in full: its facts, our own payout beside it, and the provider's record as
 * received, folded.
 */
export default async function WithdrawalPage({
  params,
}: PageProps<'/reports/withdrawals/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const view = await viewWithdrawal(person, decodeURIComponent((await params).id));
  if (view === null) notFound();
  const [t, locale] = [await getTranslations('withdrawals'), (await getLocale()) as Locale];
  return (
    <>
      <BackLink href={PATH}>{t('title')}</BackLink>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-[1.75rem] leading-[2.125rem] tabular-nums">
              {formatMoney(view.amount, view.currency, locale)}
            </span>
            <LevelPill level={view.level} />
          </span>
        }
      >
        {view.payout && (
          <LinkButton href={movementAddress(view.payout)} look="primary">
            {t('openOurs')}
          </LinkButton>
        )}
      </PageHead>
      <BesideOurs view={view} />
      <WithdrawalFacts view={view} />
      <RawRecord raw={view.raw} about={t('rawText')} masked={t('rawMasked')} />
    </>
  );
}

async function BesideOurs({
  view: { payout, beside },
}: {
  view: WithdrawalView;
}): Promise<ReactNode> {
  const [t, locale] = [await getTranslations('withdrawals'), (await getLocale()) as Locale];
  if (payout === null)
    return (
      <Banner tone="draft" title={t('beside.not_ours')}>
        {t('besideTexts.not_ours')}
      </Banner>
    );
  return (
    <>
      {beside === 'differs' && (
        <Banner tone="attention" title={t('beside.differs')}>
          {t('besideTexts.differs')}
        </Banner>
      )}
      {beside === 'behind' && <Banner tone="progress">{t('besideTexts.behind')}</Banner>}
      <Panel title={t('table.ours')}>
        <Facts>
          <Fact label={t('table.recipient')}>{payout.name}</Fact>
          <Fact label={t('table.amount')}>
            <span className="tabular-nums">
              {formatMoney(payout.amount, payout.currency, locale)}
            </span>
          </Fact>
          <Fact label={t('facts.state')}>
            <MoneyState state={payout.state} returned={payout.returned} />
          </Fact>
        </Facts>
      </Panel>
    </>
  );
}
