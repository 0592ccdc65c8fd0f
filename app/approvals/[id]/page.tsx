import { Check } from 'lucide-react';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { drawnText } from '#components/drawn.ts';
import { LiveChanges } from '#app/live-changes.tsx';
import { Messages } from '#components/messages.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { mayNow } from '#lib/access/actor.ts';
import { changesOf } from '#lib/approvals/changes.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import { versionBefore } from '#lib/approvals/version-before.ts';
import type { Version } from '#lib/approvals/version-before.ts';
import { viewWaiting } from '#lib/approvals/view.ts';
import { currentPerson, signedIn } from '#lib/login/session.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { UUID } from '#lib/values/uuid.ts';
import { ActingAs } from '../acting-as.tsx';
import { Asked } from './asked.tsx';
import { ChangeList } from './change-list.tsx';
import { Decision } from './decision.tsx';
import { contentFacts, decisionFacts } from './facts.ts';
import { History } from './history.tsx';
import { SeenFacts } from './seen-facts.tsx';

const readWaiting = cache(async (id: string): Promise<WaitingMovement | null> => {
  const person = await currentPerson();
  return person && mayNow(person, 'movement.approve') ? viewWaiting(person, id) : null;
});

export async function generateMetadata({
  params,
}: PageProps<'/approvals/[id]'>): Promise<Metadata> {
  const waiting = await readWaiting((await params).id);
  return waiting ? { title: drawnText(waiting.name) } : {};
}

/** One movement that waits: what is unusual first, then what was asked for, then the decision. */
export default async function ApprovalPage({
  params,
}: PageProps<'/approvals/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!mayNow(person, 'movement.approve'))
    return <Forbidden person={person} needs="movement.approve" />;
  const { id } = await params;
  const waiting = await readWaiting(id);
  if (!waiting) {
    // What was decided meanwhile is shown on its own page.
    const view = UUID.test(id) ? await viewMovement(person, id) : null;
    if (!view) notFound();
    redirect(movementAddress(view));
  }
  const t = await getTranslations('approvals');
  const locale = (await getLocale()) as Locale;
  return (
    <>
      <BackLink href="/approvals">{t('back')}</BackLink>
      <PageHead title={formatMoney(waiting.amount, waiting.currency, locale)}>
        <LiveChanges kinds={['movement', 'policy', 'person']} atOnce />
      </PageHead>
      <ActingAs person={person} />
      <Unusual waiting={waiting} />
      <ChangedSince waiting={waiting} before={await versionBefore(person, id)} />
      <Asked person={person} waiting={waiting} />
      <History person={person} waiting={waiting} />
      <Messages of={['approvals']}>
        <SeenFacts facts={await decisionFacts(waiting)} decides={waiting.barred === null}>
          <Decision person={person} waiting={waiting} />
        </SeenFacts>
      </Messages>
    </>
  );
}

async function Unusual({ waiting }: { waiting: WaitingMovement }): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const { flags, name, maker } = waiting;
  if (flags.length === 0) return <Banner tone="draft" icon={Check} title={t('usual')} />;
  return (
    <Banner tone="attention" title={t('unusual')}>
      <ul className="list-disc pl-5">
        {flags.map((flag) => (
          <li key={flag}>{t(`sentences.${flag}`, { name, maker })}</li>
        ))}
      </ul>
    </Banner>
  );
}

/** What a copy says otherwise than the version that was sent back, withdrawn or ran out. */
async function ChangedSince({
  waiting,
  before,
}: {
  waiting: WaitingMovement;
  before: Version | null;
}): Promise<ReactNode> {
  if (before === null) return null;
  const t = await getTranslations('approvals.changed');
  const changes = changesOf(await contentFacts(before), await contentFacts(waiting));
  return (
    <Banner tone="draft" title={t(changes.length === 0 ? 'copySame' : 'copy')}>
      {changes.length > 0 && <ChangeList changes={changes} none={t('none')} />}
    </Banner>
  );
}
