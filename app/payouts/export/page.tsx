import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ExportPanel } from '#app/reports/exports/export-panel.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { Fact, PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { payoutListAddress, readPayoutQuery } from '#lib/payouts/filter.ts';
import { sumPayouts } from '#lib/payouts/list.ts';
import { signedIn } from '#lib/login/session.ts';
import { exportPayouts } from './actions.ts';
import { payoutFilterWords } from './frame.ts';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('exports'))('new.title') };
}

/** The file's contents before it is requested: the same filter, count and sums as the list's. */
export default async function ExportPayoutsPage({
  searchParams,
}: PageProps<'/payouts/export'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'export.make') || !may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="export.make" />;
  const { filter } = readPayoutQuery(await searchParams);
  const [totals, words, t, locale] = await Promise.all([
    sumPayouts(person, filter),
    payoutFilterWords(person, filter),
    getTranslations('exports'),
    getLocale(),
  ]);
  const parts = await getTranslations('payouts.parts');
  const address = payoutListAddress(filter);
  const count = totals.reduce((all, total) => all + total.count, 0);
  return (
    <>
      <PageHead title={t('new.title')}>
        <LinkButton href={`/payouts${address}`}>{t('new.back')}</LinkButton>
      </PageHead>
      <ExportPanel
        person={person}
        action={exportPayouts}
        filter={address}
        words={words}
        count={count}
      >
        {totals.length > 0 && (
          <Fact label={t('new.sums')}>
            <span className="flex flex-wrap gap-x-4 tabular-nums">
              {totals.map(({ part, currency, sum }) => (
                <span key={`${part} ${currency}`}>
                  {parts(part)}{' '}
                  <b className="font-semibold">{formatMoney(sum, currency, locale as Locale)}</b>
                </span>
              ))}
            </span>
          </Fact>
        )}
      </ExportPanel>
    </>
  );
}
