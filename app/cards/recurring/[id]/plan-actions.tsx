import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { EditDialog } from '#components/edit-dialog.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney, parseDecimal } from '#lib/values/money.ts';
import type { PlanView } from '#lib/cards/recurring/view.ts';
import { changeTerms, chargePlanNow, seeContradiction, switchPlan } from '../actions.ts';

/** Operations on the plan as last read; each asks for confirmation. */
export async function PlanActions({
  plan,
  formId,
}: {
  plan: PlanView;
  formId: string;
}): Promise<ReactNode> {
  if (plan.amount === null || plan.status === 'completed') return null;
  return (
    <>
      {(plan.status === 'active' || plan.status === 'inactive') && <Switch plan={plan} />}
      {plan.open === null && <ChangeTerms plan={plan} amount={plan.amount} />}
      {plan.next !== null && plan.problem !== 'contradiction' && (
        <ChargeNow plan={plan} next={plan.next} formId={formId} />
      )}
    </>
  );
}

/** Acknowledges a charge that the plan's record contradicts. */
export async function SeeContradiction({ plan }: { plan: PlanView }): Promise<ReactNode> {
  const t = await getTranslations('recurring.contradicted');
  const words = {
    open: t('open'),
    title: t('title'),
    hint: t('hint'),
    save: t('save'),
    keep: t('keep'),
  };
  return (
    <EditDialog
      action={seeContradiction}
      fixed={{ plan: plan.id }}
      fields={[{ name: 'reason', label: t('reason'), value: '' }]}
      words={words}
    />
  );
}

async function Switch({ plan }: { plan: PlanView }): Promise<ReactNode> {
  const way = plan.status === 'active' ? 'pause' : 'resume';
  if (way === 'resume' && plan.open !== null) return null;
  const t = await getTranslations(`recurring.${way}`);
  const amount = formatMoney(plan.amount ?? '0.00', plan.currency, (await getLocale()) as Locale);
  const words = { open: t('open'), title: t('title'), confirm: t('confirm'), keep: t('keep') };
  return (
    <ConfirmButton
      key={way}
      action={switchPlan}
      fields={{ plan: plan.id, status: way === 'pause' ? 'inactive' : 'active' }}
      words={words}
      confirmLook={way === 'pause' ? 'danger' : 'primary'}
    >
      <p>{t('text', { amount })}</p>
    </ConfirmButton>
  );
}

async function ChangeTerms({
  plan,
  amount,
}: {
  plan: PlanView;
  amount: string;
}): Promise<ReactNode> {
  const t = await getTranslations('recurring.change');
  const locale = (await getLocale()) as Locale;
  const payments = plan.payments?.toString() ?? '';
  return (
    <EditDialog
      key={`${amount} ${payments}`}
      action={changeTerms}
      fixed={{
        plan: plan.id,
        currency: plan.currency,
        amountBefore: parseDecimal(amount).toString(),
        paymentsBefore: payments,
      }}
      fields={[
        {
          name: 'amount',
          label: t('amount', { currency: plan.currency }),
          value: formatAmount(amount, locale),
        },
        { name: 'payments', label: t('payments'), value: payments },
      ]}
      words={{
        open: t('open'),
        title: t('title'),
        hint: t('hint'),
        save: t('save'),
        keep: t('keep'),
      }}
    />
  );
}

async function ChargeNow({
  plan,
  next,
  formId,
}: {
  plan: PlanView;
  next: NonNullable<PlanView['next']>;
  formId: string;
}): Promise<ReactNode> {
  const t = await getTranslations('recurring.charge');
  const taken = plan.charges.filter((charge) => charge.status === 'completed').length.toString();
  const amount = formatMoney(next.amount, plan.currency, (await getLocale()) as Locale);
  return (
    <ConfirmButton
      key={`${next.number} ${taken}`}
      action={chargePlanNow}
      formId={formId}
      fields={{ plan: plan.id, amount: next.amount, number: next.number?.toString() ?? '', taken }}
      look="primary"
      words={{
        open: t('open', { amount }),
        title: t('title'),
        confirm: t('confirm', { amount }),
        keep: t('keep'),
      }}
    >
      <p className="text-title font-semibold tabular-nums">{amount}</p>
      {next.number !== null && <p className="text-muted">{t('number', { number: next.number })}</p>}
      <p>{t('text', { amount, card: plan.card === null ? 'none' : `•••• ${plan.card}` })}</p>
    </ConfirmButton>
  );
}
