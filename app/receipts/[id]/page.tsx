import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { BackLink } from '#components/back-link.tsx';
import { FileButton } from '#components/ui/button.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { addressOf } from '#lib/values/keyset.ts';
import { readReceiptQuery, receiptParams } from '#lib/receipts/filter.ts';
import { viewReceipt } from '#lib/receipts/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { ReceiptState } from '../receipt-state.tsx';
import { Neighbours } from './neighbours.tsx';
import { ReceiptFacts } from './receipt-facts.tsx';
import { Viewer } from './viewer.tsx';
import type { ViewerWords } from './viewer.tsx';
import { Waiting } from './waiting.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('receipts'))('one') };
}

export default async function ReceiptPage({
  params,
  searchParams,
}: PageProps<'/receipts/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'receipt.read')) return <Forbidden person={person} needs="receipt.read" />;
  // The list's filter is passed along, so that "next" means the next one in that list.
  const { filter } = readReceiptQuery(await searchParams);
  const receipt = await viewReceipt(person, (await params).id, filter);
  if (!receipt) notFound();
  const t = await getTranslations('receipts');
  const to = (id: string | null): string | null =>
    id === null ? null : `/receipts/${id}${addressOf(receiptParams(filter))}`;
  const raw = `/receipts/${receipt.id}/raw`;
  return (
    <>
      <div className="no-print">
        <BackLink href={`/receipts${addressOf(receiptParams(filter))}`}>{t('title')}</BackLink>
        <PageHead
          title={
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              {receipt.name || t('nameless')}
              <ReceiptState status={receipt.status} format={receipt.format} />
            </span>
          }
        >
          {receipt.status !== 'ready' && <LiveChanges kinds={['receipt', 'movement']} />}
          {receipt.status === 'ready' && (
            <FileButton href={`${raw}?download=1`} download look="primary">
              {t('viewer.download')}
            </FileButton>
          )}
          <Neighbours
            newer={to(receipt.newer)}
            older={to(receipt.older)}
            words={{ newer: t('viewer.newer'), older: t('viewer.older') }}
          />
        </PageHead>
      </div>
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_22rem]">
        {receipt.status === 'ready' && receipt.format ? (
          <Viewer source={raw} format={receipt.format} words={await viewerWords(receipt.name)} />
        ) : (
          <Waiting receipt={receipt} />
        )}
        <ReceiptFacts receipt={receipt} />
      </div>
    </>
  );
}

async function viewerWords(name: string): Promise<ViewerWords> {
  const t = await getTranslations('receipts.viewer');
  return {
    frame: t('frame', { name }),
    safe: t('safe'),
    download: t('download'),
    downloadAscii: t('downloadAscii'),
    print: t('print'),
    open: t('open'),
    zoom: t('zoom'),
    zoomTo: {
      small: t('zoomTo', { percent: '75%' }),
      normal: t('zoomTo', { percent: '100%' }),
      large: t('zoomTo', { percent: '150%' }),
    },
    notShown: t('notShown'),
    noViewer: t('noViewer'),
    noViewerText: t('noViewerText'),
  };
}
