import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CardDigits } from '#app/cards/payments/card-state.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { PlanView } from '#lib/cards/recurring/view.ts';
import { Rhythm } from '../plan-state.tsx';

export async function PlanFacts({ plan }: { plan: PlanView }): Promise<ReactNode> {
  const t = await getTranslations('recurring.facts');
  const copied = (await getTranslations('common'))('copied');
  return (
    <Panel title={t('title')}>
      <Facts>
        <ChargeFacts plan={plan} />
        <Fact label={t('card')}>
          <CardDigits card={plan.card} />
        </Fact>
        <Fact label={t('code')}>
          <span className="font-mono text-mono break-all">{plan.planCode}</span>{' '}
          <CopyButton text={plan.planCode} label={t('copyCode')} done={copied} />
        </Fact>
        {plan.firstOrderId !== null && (
          <Fact label={t('order')}>
            <span className="font-mono text-mono break-all">{plan.firstOrderId}</span>{' '}
            <CopyButton text={plan.firstOrderId} label={t('copyOrder')} done={copied} />
          </Fact>
        )}
        {plan.startedAt !== null && (
          <Fact label={t('started')}>
            <When at={plan.startedAt} />
          </Fact>
        )}
        <Fact label={t('source')}>
          {plan.source === 'person'
            ? t('byHand', { name: plan.addedBy ?? '' })
            : t(`sources.${plan.source}`)}
        </Fact>
        <Fact label={t('seen')}>
          <When at={plan.firstSeenAt} seconds />
        </Fact>
        <Fact label={t('verified')}>
          {plan.verifiedAt === null ? t('never') : <When at={plan.verifiedAt} seconds />}
        </Fact>
        <Fact label={t('look')}>
          {plan.nextLookAt === null ? (
            t('noLook')
          ) : (
            <When at={plan.nextLookAt} now={plan.now} seconds />
          )}
        </Fact>
      </Facts>
    </Panel>
  );
}

/** What is charged, how often, and when next. */
async function ChargeFacts({ plan }: { plan: PlanView }): Promise<ReactNode> {
  const t = await getTranslations('recurring.facts');
  const all = await getTranslations('recurring');
  const locale = (await getLocale()) as Locale;
  const money = (amount: string): string => formatMoney(amount, plan.currency, locale);
  return (
    <>
      {plan.amount !== null && <Fact label={t('amount')}>{money(plan.amount)}</Fact>}
      {plan.first !== null && plan.first !== plan.amount && (
        <Fact label={t('first')}>{money(plan.first)}</Fact>
      )}
      {plan.cycle !== null && (
        <Fact label={t('rhythm')}>
          <Rhythm every={plan.every} cycle={plan.cycle} />
        </Fact>
      )}
      {plan.payments !== null && (
        <Fact label={t('payments')}>
          {all('taken', { taken: plan.taken, payments: plan.payments })}
        </Fact>
      )}
      {plan.total !== null && <Fact label={t('total')}>{money(plan.total)}</Fact>}
      {plan.status !== null && (
        <Fact label={t('next')}>
          {plan.status !== 'active' || plan.nextChargeAt === null ? (
            t('noNext')
          ) : (
            <When at={plan.nextChargeAt} now={plan.now} />
          )}
        </Fact>
      )}
    </>
  );
}
