import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { coverageOf, wantDays } from '#lib/provider-records/coverage.ts';
import { BRING_DAYS, daysToBring, listPayeesToBring } from '#lib/recipients/bring.ts';
import { BringBar } from './bring-bar.tsx';
import { PayeeTable } from './payee-table.tsx';
import { ReadBack } from './read-back.tsx';
import { SkippedLine } from './skipped-line.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('bringRecipients'))('title') };
}

export default async function BringRecipientsPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'payout.prepare'))
    return <Forbidden person={person} needs="payout.prepare" />;
  const days = daysToBring();
  await wantDays(person.merchantId, 'withdrawals', days);
  // Read before the rows, which may then have more than is said of them, and never less.
  const coverage = await coverageOf(person.merchantId, 'withdrawals', days);
  const { rows, more, skipped, now } = await listPayeesToBring(person, days);
  const t = await getTranslations('bringRecipients');
  return (
    <>
      <BackLink href="/recipients">{(await getTranslations('recipients'))('back')}</BackLink>
      <PageHead title={t('title')} />
      <p className="max-w-prose text-muted">{t('intro', { days: BRING_DAYS })}</p>
      <ReadBack days={days} coverage={coverage} />
      <SkippedLine skipped={skipped} />
      {/* The list and the bar share one element: the bar sticks to the foot of the list. */}
      <div>
        <Panel>
          {rows.length > 0 ? (
            <PayeeTable rows={rows} now={now} />
          ) : (
            <EmptyState
              title={t('empty.title')}
              actions={<LinkButton href="/recipients">{t('empty.list')}</LinkButton>}
            >
              {t(coverage.missing.length > 0 ? 'empty.reading' : 'empty.text')}
            </EmptyState>
          )}
          {more > 0 && (
            <p className="border-t border-hairline px-4 py-2.5 text-label text-muted">
              {t('more', { count: more })}
            </p>
          )}
        </Panel>
        <Messages of={['bringRecipients']}>
          <BringBar drawn={rows.map(({ iban }) => iban).join(' ')} />
        </Messages>
      </div>
    </>
  );
}
