import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ReceiptLink } from '#app/receipts/receipt-link.tsx';
import { RawRecord } from '#app/reports/raw-record.tsx';
import { BackLink } from '#components/back-link.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { receiptsOf } from '#lib/receipts/request.ts';
import { viewTransaction } from '#lib/reports/transactions/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import { PATH } from '../path.ts';
import { StatusPill } from '../status-pill.tsx';
import { signed } from '../transaction-table.tsx';
import { TransactionFacts } from './transaction-facts.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('transactions'))('one') };
}

/**
 * A ledger entry in full: its facts, its numbers, and the provider's record as received, folded.
 */
export default async function TransactionPage({
  params,
}: PageProps<'/reports/transactions/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const view = await viewTransaction(person, (await params).id);
  if (view === null) notFound();
  const receipts = may(person.role, 'receipt.read') ? await receiptsOf(person, [view.id]) : null;
  const [t, locale] = [await getTranslations('transactions'), (await getLocale()) as Locale];
  return (
    <>
      <BackLink href={PATH}>{t('title')}</BackLink>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="text-[1.75rem] leading-[2.125rem] tabular-nums">
              {signed(view, locale)}
            </span>
            <StatusPill status={view.status} text={view.statusText} />
          </span>
        }
      >
        {receipts && (
          <ReceiptLink
            recordId={view.id}
            receipt={receipts.get(view.id)}
            mayAsk={may(person.role, 'movement.ask')}
            of={view.id}
          />
        )}
        {view.movement && (
          <LinkButton href={movementAddress(view.movement)} look="primary">
            {t('openOurs')}
          </LinkButton>
        )}
      </PageHead>
      <TransactionFacts view={view} />
      <RawRecord raw={view.raw} about={t('rawText')} masked={t('rawMasked')} />
    </>
  );
}
