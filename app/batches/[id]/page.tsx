import type { Metadata } from 'next';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { readDraftQuery } from '#lib/batches/draft/filter.ts';
import type { DraftQuery } from '#lib/batches/draft/filter.ts';
import { batchOfSameFile } from '#lib/batches/draft/list.ts';
import { viewBatch } from '#lib/batches/draft/read.ts';
import { viewRun } from '#lib/batches/run/view.ts';
import type { RunView } from '#lib/batches/run/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { walletsAtOnce } from '#lib/wallets/view.ts';
import { Checked } from './checked.tsx';
import type { Drawn } from './checked.tsx';
import { ColumnChoices } from './column-choices.tsx';
import { LeftOutRows } from './left-out-rows.tsx';
import { SubmittedBatch } from './run/submitted-batch.tsx';
import { Settings } from './settings.tsx';

type Props = PageProps<'/batches/[id]'>;

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('batches'))('title') };
}

export default async function BatchPage({ params, searchParams }: Props): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'movement.read'))
    return <Forbidden person={person} needs="movement.read" />;
  const { id } = await params;
  const run = await viewRun(person, id);
  if (run !== null) return <Submitted person={person} view={run} asked={await searchParams} />;
  // A draft is there for those who may prepare payouts, as in the list.
  const viewed = may(person.role, 'payout.prepare') ? await viewBatch(person, id) : null;
  if (viewed === null) notFound();
  const query = readDraftQuery(await searchParams);
  const t = await getTranslations('batches');
  const { batch, table } = viewed;
  return (
    <>
      <BackToBatches />
      <PageHead
        title={
          <span className="wrap-anywhere">{batch.name === '' ? t('draft.paste') : batch.name}</span>
        }
      >
        <Pill tone={batch.state === 'DRAFT' ? 'draft' : 'progress'}>
          {t(`list.states.${batch.state}`)}
        </Pill>
      </PageHead>
      {table === null ? (
        <NoDraft />
      ) : (
        <Draft person={person} viewed={{ ...viewed, table }} query={query} />
      )}
    </>
  );
}

async function Submitted({
  person,
  view,
  asked,
}: {
  person: Person;
  view: RunView;
  asked: Awaited<Props['searchParams']>;
}): Promise<ReactNode> {
  const one = (name: string): string | undefined => [asked[name]].flat()[0];
  return (
    <>
      <BackToBatches />
      <SubmittedBatch
        person={person}
        view={view}
        state={one('state')}
        flag={one('flag')}
        after={one('after')}
        row={one('row')}
      />
    </>
  );
}

async function BackToBatches(): Promise<ReactNode> {
  const t = await getTranslations('batches');
  return <BackLink href="/batches">{t('back')}</BackLink>;
}

async function Draft({
  person,
  viewed,
  query,
}: {
  person: Person;
  viewed: Drawn;
  query: DraftQuery;
}): Promise<ReactNode> {
  const { batch, table, isOwn } = viewed;
  const of = { id: batch.id, version: batch.version };
  const locale = (await getLocale()) as Locale;
  const [{ known: wallets }, types] = await Promise.all([
    walletsAtOnce(person),
    paymentTypesSoon(locale, 'choice'),
  ]);
  return (
    <Messages of={['batches', 'batchFile']}>
      <SameFile person={person} id={batch.id} />
      {batch.from_id !== null && <FromEarlier id={batch.from_id} />}
      {!isOwn && <ReadOnly maker={viewed.maker} />}
      <ColumnChoices of={of} table={table} isOwn={isOwn} />
      <LeftOutRows of={of} table={table} isOwn={isOwn} />
      {isOwn && <Settings of={of} batch={batch} wallets={wallets.value ?? []} types={types} />}
      <Checked person={person} viewed={viewed} query={query} />
    </Messages>
  );
}

async function SameFile({ person, id }: { person: Person; id: string }): Promise<ReactNode> {
  const same = await batchOfSameFile(person, id);
  if (same === null) return null;
  const t = await getTranslations('batches');
  const maker = same.isOwn ? t('list.you') : same.maker;
  const locale = (await getLocale()) as Locale;
  return (
    <Banner
      tone="attention"
      title={t('draft.same.title')}
      actions={<LinkButton href={`/batches/${same.id}`}>{t('draft.same.open')}</LinkButton>}
    >
      {t('draft.same.text', {
        maker,
        at: formatDateTime(same.createdAt, locale, { zone: await getTimeZone() }),
      })}
    </Banner>
  );
}

async function FromEarlier({ id }: { id: string }): Promise<ReactNode> {
  const t = await getTranslations('batches.earlier');
  return (
    <Banner tone="draft" actions={<LinkButton href={`/batches/${id}`}>{t('fromOpen')}</LinkButton>}>
      {t('from')}
    </Banner>
  );
}

async function ReadOnly({ maker }: { maker: string }): Promise<ReactNode> {
  const t = await getTranslations('batches.draft');
  return <Banner tone="draft">{t('readOnly', { maker })}</Banner>;
}

/** What is left of a draft that was discarded. */
async function NoDraft(): Promise<ReactNode> {
  const t = await getTranslations('batches');
  return (
    <Panel>
      <EmptyState
        title={t('draft.gone')}
        actions={<LinkButton href="/batches/new">{t('new')}</LinkButton>}
      >
        {t('draft.goneText')}
      </EmptyState>
    </Panel>
  );
}
