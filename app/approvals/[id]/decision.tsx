import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { SignedForm } from '#app/step-up/signed-form.tsx';
import { Messages } from '#components/messages.tsx';
import { approveWaiting, overrideWaiting, sendBackWaiting } from '../actions.ts';

/** The forms carry the hash of the content that this page shows: another content is refused. */
export async function Decision({
  person,
  waiting,
}: {
  person: Person;
  waiting: WaitingMovement;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const locale = (await getLocale()) as Locale;
  const { id, contentHash, barred } = waiting;
  const fields = { id, seenHash: contentHash };
  const amount = formatMoney(waiting.amount, waiting.currency, locale);
  const names = new Intl.ListFormat(locale).format(waiting.mayApprove);
  const isMissingMore =
    barred === 'given' ||
    barred === 'pair' ||
    (barred === null && (waiting.needed - waiting.given > 1 || waiting.lacksPeople));
  return (
    <Panel title={t('decision.title')}>
      <div className="grid gap-6 px-4 py-4">
        {barred !== null && <p className="text-body font-medium">{t(`refusals.${barred}`)}</p>}
        {names !== '' && <p className="text-body text-muted">{t('mayApprove', { names })}</p>}
        {waiting.lacksPeople && <p className="text-body font-medium">{t('nobodyText')}</p>}
        {barred === null && <Approve waiting={waiting} amount={amount} />}
        {(barred === null || barred === 'role') && (
          <div id="send-back" className="scroll-mt-20">
            <ReasonForm
              action={sendBackWaiting}
              fields={fields}
              label={t('decision.reason')}
              hint={t('decision.sendBackHint', { maker: waiting.maker })}
              button={t('decision.sendBack')}
              unanswered="decision"
            />
          </div>
        )}
        {isMissingMore && !waiting.isComplete && may(person.role, 'movement.override') && (
          <Override waiting={waiting} />
        )}
      </div>
    </Panel>
  );
}

/** Where a policy asks for a signature, the button asks for it first. */
async function Approve({
  waiting,
  amount,
}: {
  waiting: WaitingMovement;
  amount: string;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals.decision');
  const fields = { id: waiting.id, seenHash: waiting.contentHash };
  const words = t('approve', { amount, name: waiting.name });
  if (waiting.stepUp === 'none')
    return (
      <ActionButton action={approveWaiting} fields={fields} look="primary" unanswered="decision">
        {words}
      </ActionButton>
    );
  return (
    <Messages of={['stepUp']}>
      <SignedForm action={approveWaiting} fields={fields} content={waiting} look="primary">
        {words}
      </SignedForm>
    </Messages>
  );
}

async function Override({ waiting }: { waiting: WaitingMovement }): Promise<ReactNode> {
  const t = await getTranslations('approvals.decision');
  const fields = { id: waiting.id, seenHash: waiting.contentHash };
  const words = { label: t('overrideReason'), hint: t('overrideHint') };
  if (waiting.stepUp === 'none')
    return (
      <ReasonForm
        action={overrideWaiting}
        fields={fields}
        {...words}
        button={t('override')}
        look="danger"
        money
        unanswered="decision"
      />
    );
  return (
    <Messages of={['stepUp']}>
      <SignedForm
        action={overrideWaiting}
        fields={fields}
        content={waiting}
        reason={words}
        look="danger"
      >
        {t('override')}
      </SignedForm>
    </Messages>
  );
}
