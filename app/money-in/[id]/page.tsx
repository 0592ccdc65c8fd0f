import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { viewTopUp } from '#lib/money-in/view.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { RawText } from '../raw-text.tsx';
import { TOP_UP_TONES, TopUpStatePill } from '../top-up-state.tsx';
import { TopUpFacts } from './top-up-facts.tsx';

const ID_MAX = 128;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('moneyIn'))('one') };
}

export default async function TopUpPage({
  params,
}: PageProps<'/money-in/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'wallet.read')) return <Forbidden person={person} needs="wallet.read" />;
  const id = decodeURIComponent((await params).id);
  const [topUp, wallets] = await Promise.all([
    id.length > ID_MAX ? null : viewTopUp(person, id),
    walletNames(person),
  ]);
  if (topUp === null) notFound();
  const t = await getTranslations('moneyIn');
  const locale = (await getLocale()) as Locale;
  const money = (amount: string | null, currency: string | null): string =>
    amount === null ? t('noAmount') : formatMoney(amount, currency ?? '', locale);
  const nameOf = (number: string | null): string =>
    wallets.find((wallet) => wallet.number === number)?.name ?? number ?? '–';
  return (
    <>
      <BackLink href="/money-in">{t('title')}</BackLink>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-display tracking-[-0.01em] tabular-nums">
              {money(topUp.amount, topUp.currency)}
            </span>
            <TopUpStatePill state={topUp.state} />
          </span>
        }
      >
        <LiveChanges kinds={['top_up', 'records']} />
      </PageHead>
      <Banner tone={TOP_UP_TONES[topUp.state]} live>
        {t(`sentences.${topUp.state}`)}
      </Banner>
      {topUp.announcedElse && (
        <Banner tone="attention" title={t('detail.differs')}>
          {t('detail.differsText', {
            amount: money(topUp.announcedElse.amount, topUp.announcedElse.currency),
            wallet: nameOf(topUp.announcedElse.wallet),
          })}
        </Banner>
      )}
      <Panel>
        <TopUpFacts
          topUp={topUp}
          wallet={nameOf(topUp.wallet)}
          mayReadNotices={may(person.role, 'notice.read')}
        />
        {topUp.raw?.ledger && <RawText title={t('detail.rawLedger')} text={topUp.raw.ledger} />}
        {topUp.raw?.notice && <RawText title={t('detail.rawNotice')} text={topUp.raw.notice} />}
      </Panel>
    </>
  );
}
