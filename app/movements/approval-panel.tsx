import { Shield } from 'lucide-react';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { LinkButton } from '#components/ui/button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { mayNow } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Decided } from '#lib/movement-views/decided.ts';
import { viewWaiting } from '#lib/approvals/view.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import type { Locale } from '#lib/values/locale.ts';

/** Who approved a movement or sent it back, and whom it waits for; nothing where nobody was asked. */
export async function ApprovalPanel({
  person,
  view: { id, state, decided },
}: {
  person: Person;
  view: Pick<MovementView, 'id' | 'state' | 'decided'>;
}): Promise<ReactNode> {
  const waiting = state === 'AWAITING_APPROVAL' ? await viewWaiting(person, id) : null;
  if (waiting === null && decided.given.length === 0 && decided.sentBack === null) return null;
  const t = await getTranslations('approvals.onPayment');
  return (
    <Panel title={t('title')}>
      <div className="grid gap-2 px-4 py-3 text-body">
        {waiting !== null && <Waits person={person} waiting={waiting} />}
        {decided.given.map((one) => (
          <div key={one.at}>
            <Given one={one} />
            {one.lapsed && <p className="text-muted">{t('lapsed', { by: one.by })}</p>}
          </div>
        ))}
        {decided.sentBack !== null && <SentBack one={decided.sentBack} />}
      </div>
    </Panel>
  );
}

async function Waits({
  person,
  waiting,
}: {
  person: Person;
  waiting: WaitingMovement;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const names = new Intl.ListFormat((await getLocale()) as Locale).format(waiting.mayApprove);
  return (
    <>
      <p className="font-medium">
        {t('onPayment.waits', { missing: waiting.isComplete ? 0 : waiting.needed - waiting.given })}
      </p>
      {waiting.lacksPeople && <p>{t('nobodyText')}</p>}
      {names !== '' && <p className="text-muted">{t('mayApprove', { names })}</p>}
      {mayNow(person, 'movement.approve') && (
        <div>
          <LinkButton href={`/approvals/${waiting.id}`}>{t('onPayment.decide')}</LinkButton>
        </div>
      )}
    </>
  );
}

async function SentBack({
  one: { by, of, reason, at },
}: {
  one: NonNullable<Decided['sentBack']>;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals.onPayment');
  return (
    <p>
      {of === null ? t('sentBack', { by, reason }) : t('sentBackFor', { by, of, reason })} ·{' '}
      <When at={at} />
    </p>
  );
}

/** An override has a hollow shield for ever, so that nobody takes it for an ordinary approval. */
async function Given({ one }: { one: Decided['given'][number] }): Promise<ReactNode> {
  const t = await getTranslations('approvals.onPayment');
  if (one.overrideReason === null)
    return (
      <p>
        {one.of === null ? t('given', { by: one.by }) : t('givenFor', { by: one.by, of: one.of })} ·{' '}
        <When at={one.at} />
      </p>
    );
  return (
    <p className="flex gap-2 font-medium">
      <Shield aria-hidden className="mt-0.5 size-4 shrink-0 text-attention" />
      <span>
        {t('overridden', { by: one.by, reason: one.overrideReason })} · <When at={one.at} />
      </span>
    </p>
  );
}
