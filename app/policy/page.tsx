import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { LiveChanges } from '#app/live-changes.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { Messages } from '#components/messages.tsx';
import { ReasonForm } from '#components/reason-form.tsx';
import { PageHead, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { signedIn } from '#lib/login/session.ts';
import { rehearsePolicy } from '#lib/approvals/rehearse.ts';
import { comparePolicies } from '#lib/policy/compare.ts';
import type { PolicyChange } from '#lib/policy/compare.ts';
import { viewPolicy } from '#lib/policy/view.ts';
import type { PolicyView, RuleView, StepUpView, VersionView } from '#lib/policy/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount, formatMoney, parseDecimal } from '#lib/values/money.ts';
import { confirmRules, proposeRules, withdrawRules } from './actions.ts';
import { RuleFields } from './rule-fields.tsx';
import { StepUpFields } from './step-up-fields.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('policy'))('title') };
}

/** Which payments need whose approval: the rules in force, and those that wait for confirmation. */
export default async function PolicyPage(): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'policy.read')) return <Forbidden person={person} needs="policy.read" />;
  const view = await viewPolicy(person);
  const t = await getTranslations('policy');
  return (
    <MessageArea>
      <PageHead title={t('title')}>
        <LiveChanges kinds={['policy']} />
      </PageHead>
      <Panel title={t('inForce')}>
        <Rules rules={view.rules} stepUp={view.stepUp} />
        {view.current !== null && (
          <ul className="border-t border-hairline px-4 py-3 text-body text-muted">
            <VersionLine version={view.current} />
          </ul>
        )}
      </Panel>
      {view.proposal !== null && <Proposal person={person} view={view} proposal={view.proposal} />}
      {view.can.propose && view.proposal === null && <Change view={view} />}
      {view.earlier.length > 0 && <EarlierVersions versions={view.earlier} />}
    </MessageArea>
  );
}

async function Rules({
  rules,
  stepUp,
}: {
  rules: RuleView[];
  stepUp: StepUpView | null;
}): Promise<ReactNode> {
  const t = await getTranslations('policy');
  const locale = (await getLocale()) as Locale;
  const list = new Intl.ListFormat(locale);
  if (rules.length === 0 && stepUp === null)
    return <p className="px-4 py-3 text-body">{t('none')}</p>;
  return (
    <ul className="grid gap-2 px-4 py-3 text-body">
      {rules.map((rule) => (
        <li key={JSON.stringify(rule)}>
          {t(`sentences.${rule.when}`, {
            classes: list.format(rule.classes.map((one) => t(`classes.${one}`))),
            amount: formatMoney(rule.from, rule.currency, locale),
            people: t(`people.${rule.who}`, { count: rule.approvals }),
          })}
          {rule.wallets.length > 0 &&
            ` ${t('onlyWallets', { wallets: list.format(rule.wallets) })}`}
        </li>
      ))}
      {stepUp !== null && (
        <li>
          {t(stepUp.signInAllowed ? 'stepUp.sentenceAny' : 'stepUp.sentence', {
            amounts: new Intl.ListFormat(locale, { type: 'disjunction' }).format(
              stepUp.from.map((one) => formatMoney(one.amount, one.currency, locale)),
            ),
          })}
        </li>
      )}
    </ul>
  );
}

async function Proposal({
  person,
  view,
  proposal,
}: {
  person: Person;
  view: PolicyView;
  proposal: NonNullable<PolicyView['proposal']>;
}): Promise<ReactNode> {
  const t = await getTranslations('policy');
  const { can } = view;
  const { id, by, reason, at, isOwn } = proposal;
  const rules = proposal.rules.map(({ from, ...rule }) => ({
    ...rule,
    fromMinor: parseDecimal(from),
  }));
  const rehearsed = await rehearsePolicy(person, rules);
  return (
    <Panel title={t('proposal.title')}>
      {proposal.rules.length === 0 && proposal.stepUp === null && (
        <p className="px-4 py-3 text-body font-medium">{t('none')}</p>
      )}
      <Difference change={comparePolicies(view, proposal)} />
      <div className="grid gap-4 border-t border-hairline px-4 py-3">
        <p className="text-body">
          {t('proposal.by', { by, reason })} · <When at={at} />
        </p>
        <p className="text-body">{t('proposal.rehearsed', rehearsed)}</p>
        {isOwn && <p className="text-body font-medium">{t('proposal.own')}</p>}
        {can.confirm && !isOwn && (
          <ActionButton action={confirmRules} fields={{ id }} look="primary">
            {t('proposal.confirm')}
          </ActionButton>
        )}
        {can.confirm && (
          <ReasonForm
            action={withdrawRules}
            fields={{ id }}
            label={t('proposal.reason')}
            button={t(isOwn ? 'proposal.withdraw' : 'proposal.refuse')}
          />
        )}
      </div>
    </Panel>
  );
}

/** What the proposal adds and takes away; what stays is folded. */
async function Difference({ change }: { change: PolicyChange }): Promise<ReactNode> {
  const t = await getTranslations('policy.difference');
  const isEmpty = ({ rules, stepUp }: PolicyChange['kept']): boolean =>
    rules.length === 0 && stepUp === null;
  return (
    <div className="divide-y divide-hairline">
      {(['added', 'removed'] as const).map(
        (part) =>
          !isEmpty(change[part]) && (
            <div key={part}>
              <h3 className="px-4 pt-3 text-label font-semibold">{t(part)}</h3>
              <Rules {...change[part]} />
            </div>
          ),
      )}
      {!isEmpty(change.kept) && (
        <details>
          <summary className="min-h-11 px-4 py-3 text-label font-semibold text-muted">
            {t('kept', { count: change.kept.rules.length + (change.kept.stepUp === null ? 0 : 1) })}
          </summary>
          <Rules {...change.kept} />
        </details>
      )}
    </div>
  );
}

async function Change({ view }: { view: PolicyView }): Promise<ReactNode> {
  const t = await getTranslations('policy');
  const locale = (await getLocale()) as Locale;
  const typed = view.rules.map((rule) => ({
    when: rule.when,
    classes: [...rule.classes],
    wallets: rule.wallets.join(', '),
    amount: formatAmount(parseDecimal(rule.from), locale),
    currency: rule.currency,
    approvals: String(rule.approvals),
    who: rule.who,
  }));
  return (
    <Panel title={t('change.title')}>
      <div className="px-4 py-4">
        <ReasonForm
          action={proposeRules}
          fields={{}}
          label={t('change.reason')}
          hint={t('change.hint')}
          button={t('change.propose')}
          look="primary"
          wide
        >
          <Messages of={['policy']}>
            <RuleFields first={typed} />
            <StepUpFields first={typedStepUp(view.stepUp, locale)} />
          </Messages>
        </ReasonForm>
      </div>
    </Panel>
  );
}

function typedStepUp(stepUp: StepUpView | null, locale: Locale) {
  const from = stepUp?.from ?? [];
  return {
    from: from.map(({ currency, amount }) => ({
      currency,
      amount: formatAmount(parseDecimal(amount), locale),
    })),
    signInAllowed: stepUp?.signInAllowed ?? false,
  };
}

async function EarlierVersions({ versions }: { versions: VersionView[] }): Promise<ReactNode> {
  const t = await getTranslations('policy');
  return (
    <Panel title={t('versions.title')}>
      <ul className="grid gap-1.5 px-4 py-3 text-body">
        {versions.map((one) => (
          <VersionLine key={one.version} version={one} />
        ))}
      </ul>
    </Panel>
  );
}

async function VersionLine({
  version: { isSigned, ...version },
}: {
  version: VersionView;
}): Promise<ReactNode> {
  const t = await getTranslations('policy');
  return (
    <li>
      {t('versions.line', { ...version, signed: isSigned ? 'yes' : 'no' })} ·{' '}
      <When at={version.at} />
    </li>
  );
}
