import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { HeldSends } from '#app/movements/held-sends.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { viewPlan } from '#lib/cards/recurring/view.ts';
import { listHeldSends } from '#lib/send-control/list-held.ts';
import { signedIn } from '#lib/login/session.ts';
import { askAboutOnePlan } from '../actions.ts';
import { PlanState } from '../plan-state.tsx';
import { AskedCharges } from './asked-charges.tsx';
import { AwaitedCharge, OpenCharge } from './open-charge.tsx';
import { PlanActions, SeeContradiction } from './plan-actions.tsx';
import { PlanFacts } from './plan-facts.tsx';
import { PlanHistory } from './plan-history.tsx';
import { PlanProblem } from './plan-problem.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('recurring'))('one') };
}

export default async function PlanPage({
  params,
}: PageProps<'/cards/recurring/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const { id } = await params;
  const [plan, held] = await Promise.all([viewPlan(person, id), listHeldSends(person, id)]);
  if (!plan) notFound();
  const t = await getTranslations('recurring');
  const locale = (await getLocale()) as Locale;
  return (
    <MessageArea>
      <BackLink href="/cards/recurring">{t('title')}</BackLink>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            {plan.amount === null ? plan.planCode : formatMoney(plan.amount, plan.currency, locale)}
            <PlanState status={plan.status} />
          </span>
        }
      >
        <LiveChanges kinds={['card']} ids={[plan.id]} />
        {may(person.role, 'movement.ask') && (
          <ActionButton action={askAboutOnePlan} fields={{ plan: plan.id }} shortcut="ask">
            {t('ask')}
          </ActionButton>
        )}
        {may(person.role, 'alert.acknowledge') &&
          plan.asked.some((charge) => charge.contradicted) && <SeeContradiction plan={plan} />}
        {may(person.role, 'card.plan') && <PlanActions plan={plan} formId={randomUUID()} />}
      </PageHead>
      <p className="max-w-prose">{t(`sentences.${plan.status ?? 'unverified'}`)}</p>
      <HeldSends held={held} />
      {plan.open !== null && held.length === 0 && <OpenCharge charge={plan.open} plan={plan} />}
      {plan.awaited !== null && <AwaitedCharge awaited={plan.awaited} plan={plan} />}
      <PlanProblem plan={plan} maySee={may(person.role, 'alert.acknowledge')} />
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid gap-5">
          <PlanHistory plan={plan} />
          {plan.asked.length > 0 && <AskedCharges asked={plan.asked} now={plan.now} />}
        </div>
        <div className="grid gap-5 max-xl:order-first">
          <PlanFacts plan={plan} />
        </div>
      </div>
    </MessageArea>
  );
}
