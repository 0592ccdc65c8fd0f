import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { reasonSentence } from '#app/approvals/reason-sentence.ts';
import { SignedForm } from '#app/step-up/signed-form.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { Messages } from '#components/messages.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { Link } from '#components/ui/link.tsx';
import { FactPanel, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may, mayNow } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { BATCH_FLAGS } from '#lib/batches/approval/view.ts';
import type { BatchApproval, BatchFlag } from '#lib/batches/approval/view.ts';
import type { RunView } from '#lib/batches/run/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney, toDecimal } from '#lib/values/money.ts';
import { approve, override, sendBack } from './actions.ts';

/** The id of the form to which the ticks of rows belong. */
export const SEND_BACK_FORM = 'send-back';

/** What an approver looks at, who has approved, and the decision while the batch waits. */
export async function ApprovalOfBatch({
  person,
  view,
  approval,
  flag,
}: {
  person: Person;
  view: RunView;
  approval: BatchApproval;
  flag: BatchFlag | null;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.approval');
  return (
    <>
      <FactPanel
        title={t('title')}
        facts={[
          [t('approvals'), <Approvals key="approvals" approval={approval} />],
          [t('reasons'), approval.waits ? <Reasons key="reasons" approval={approval} /> : null],
          [t('expires'), approval.waits ? <When key="expires" at={approval.expiresAt} /> : null],
          [t('look'), <Flags key="flags" id={view.id} approval={approval} flag={flag} />],
        ]}
      />
      {approval.waits && mayNow(person, 'movement.approve') && (
        <Decision person={person} view={view} approval={approval} />
      )}
    </>
  );
}

/** How many count, who has given them, and whose does not count any more. */
async function Approvals({ approval }: { approval: BatchApproval }): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const { counting, needed, given, waits, mayApprove, lacksPeople } = approval;
  const names = new Intl.ListFormat((await getLocale()) as Locale, {
    type: 'disjunction',
  }).format(mayApprove);
  return (
    <>
      {t('ofNeeded', { given: counting, needed })}
      {given.map(({ by, of, at, overrideReason: reason, lapsed }) => (
        <span key={at} className={`block text-label ${lapsed ? 'text-attention' : 'text-muted'}`}>
          {reason !== null
            ? t('onPayment.overridden', { by, reason })
            : of === null
              ? t('onPayment.given', { by })
              : t('onPayment.givenFor', { by, of })}{' '}
          <When at={at} />
          {lapsed && <span className="block font-medium">{t('onPayment.lapsed', { by })}</span>}
        </span>
      ))}
      {waits && names !== '' && (
        <span className="block text-label text-muted">{t('mayApprove', { names })}</span>
      )}
      {waits && lacksPeople && <span className="block font-medium">{t('nobodyText')}</span>}
    </>
  );
}

async function Reasons({ approval: { reasons } }: { approval: BatchApproval }): Promise<ReactNode> {
  const t = await getTranslations('policy');
  const locale = (await getLocale()) as Locale;
  return (
    <ul className="grid gap-1">
      {reasons.map((reason) => (
        <li key={`${reason.when} ${reason.from} ${reason.approvals}`}>
          {reasonSentence(t, reason, locale)}
        </li>
      ))}
    </ul>
  );
}

const CHIP =
  'inline-flex min-h-8 items-center gap-1.5 rounded-full border px-3 text-label font-medium ' +
  'tabular-nums pointer-coarse:min-h-11';

/** Each opens the rows that it counts; the one that is open closes them again. */
async function Flags({
  id,
  approval: { flags },
  flag,
}: {
  id: string;
  approval: BatchApproval;
  flag: BatchFlag | null;
}): Promise<ReactNode> {
  const t = await getTranslations('batchRun.approval.flags');
  return (
    <span className="flex flex-wrap gap-2">
      {BATCH_FLAGS.filter((one) => flags[one].length > 0).map((one) => (
        <Link
          key={one}
          href={one === flag ? `/batches/${id}` : `/batches/${id}?flag=${one}`}
          scroll={false}
          aria-current={one === flag ? 'true' : undefined}
          className={`${CHIP} ${one === flag ? 'border-accent text-accent' : 'border-hairline'}`}
        >
          {t(one)} {flags[one].length}
        </Link>
      ))}
    </span>
  );
}

/** The forms carry the hash of the rows that this page shows: other content is refused. */
async function Decision({
  person,
  view,
  approval,
}: {
  person: Person;
  view: RunView;
  approval: BatchApproval;
}): Promise<ReactNode> {
  const [t, words] = [
    await getTranslations('approvals'),
    await getTranslations('batchRun.approval'),
  ];
  const { barred, counting, needed, isComplete } = approval;
  const isMissingMore =
    barred === 'given' ||
    barred === 'pair' ||
    (barred === null && (needed - counting > 1 || approval.lacksPeople));
  const fields = { id: view.id, seenHash: approval.contentHash };
  return (
    <Panel title={t('decision.title')}>
      <div className="grid gap-6 px-4 py-4">
        {barred !== null && <p className="text-body font-medium">{t(`refusals.${barred}`)}</p>}
        {barred === null && <Approve view={view} approval={approval} />}
        {(barred === null || barred === 'role') && (
          <div className="scroll-mt-20">
            <ReasonForm
              id={SEND_BACK_FORM}
              action={sendBack}
              fields={fields}
              label={t('decision.reason')}
              hint={words('sendBackHint', { maker: view.maker })}
              button={t('decision.sendBack')}
              unanswered="decision"
            />
          </div>
        )}
        {isMissingMore && !isComplete && may(person.role, 'movement.override') && (
          <Override view={view} approval={approval} />
        )}
      </div>
    </Panel>
  );
}

type Deciding = { view: RunView; approval: BatchApproval };

/** Where a policy asks for a signature, the button asks for it first. */
async function Approve({ view, approval }: Deciding): Promise<ReactNode> {
  const t = await getTranslations('batchRun.approval');
  const locale = (await getLocale()) as Locale;
  const { count, sumMinor } = totalOf(view);
  const sum = formatMoney(sumMinor, view.currency, locale);
  const fields = { id: view.id, seenHash: approval.contentHash };
  if (approval.stepUp === 'none')
    return (
      <ActionButton action={approve} fields={fields} look="primary" unanswered="decision">
        {t('approve', { count, sum })}
      </ActionButton>
    );
  return (
    <Messages of={['stepUp']}>
      <SignedForm
        action={approve}
        fields={{ ...fields, thing: 'batch' }}
        content={await signedOf(view)}
        look="primary"
      >
        {t('approve', { count, sum })}
      </SignedForm>
    </Messages>
  );
}

async function Override({ view, approval }: Deciding): Promise<ReactNode> {
  const t = await getTranslations('approvals.decision');
  const fields = { id: view.id, seenHash: approval.contentHash };
  const words = { label: t('overrideReason'), hint: t('overrideHint') };
  if (approval.stepUp === 'none')
    return (
      <ReasonForm
        action={override}
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
        action={override}
        fields={{ ...fields, thing: 'batch' }}
        content={await signedOf(view)}
        reason={words}
        look="danger"
      >
        {t('override')}
      </SignedForm>
    </Messages>
  );
}

/** What is signed of a batch: its sum, its name and how many payouts it is. */
async function signedOf(view: RunView): Promise<Parameters<typeof SignedForm>[0]['content']> {
  const t = await getTranslations('batchRun');
  const { count, sumMinor } = totalOf(view);
  return {
    name: view.name || t('paste'),
    payee: t('approval.payees', { count }),
    amount: toDecimal(sumMinor),
    currency: view.currency,
  };
}

function totalOf({ groups }: RunView): { count: number; sumMinor: bigint } {
  const all = Object.values(groups);
  return {
    count: all.reduce((sum, one) => sum + one.count, 0),
    sumMinor: all.reduce((sum, one) => sum + one.amountMinor, 0n),
  };
}
