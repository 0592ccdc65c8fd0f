import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { FactPanel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { Person } from '#lib/access/actor.ts';
import { foreseenFee } from '#lib/approvals/fee-foreseen.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import { viewBalancesAfter } from '#lib/approvals/pending.ts';
import { viewDecided } from '#lib/movement-views/read-decided.ts';
import { kindOf } from '#lib/movements/kinds.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import { shownAccount } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { reasonSentence } from '../reason-sentence.ts';

/** Everything that the person saw who prepared it. */
export async function Asked({
  person,
  waiting,
}: {
  person: Person;
  waiting: WaitingMovement;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const number = <span className="font-mono text-mono">{shownAccount(waiting.payee)}</span>;
  return (
    <FactPanel
      title={t('facts.title')}
      facts={[
        [t('facts.recipient'), waiting.name],
        [t('facts.payee'), waiting.payee === '' ? null : number],
        ...(await payeeFacts(person, waiting)),
        ...(await walletFacts(person, waiting)),
        [t('facts.description'), waiting.description],
        [t('facts.maker'), waiting.maker],
        [t('facts.makerReason'), waiting.overrideReason],
        [t('facts.since'), <When key="since" at={waiting.since} />],
        [t('facts.expires'), <When key="expires" at={waiting.expiresAt} />],
        [t('facts.reasons'), await reasonList(waiting)],
        [t('facts.approvals'), <Approvals key="approvals" person={person} waiting={waiting} />],
      ]}
    />
  );
}

/** How many count, who has given them, and whose does not count any more. */
async function Approvals({
  person,
  waiting: { id, given, needed },
}: {
  person: Person;
  waiting: WaitingMovement;
}): Promise<ReactNode> {
  const t = await getTranslations('approvals');
  const decided = await viewDecided(person, id);
  return (
    <>
      {t('ofNeeded', { given, needed })}
      {decided.given.map(({ by, of, at, overrideReason: reason, lapsed }) => (
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
    </>
  );
}

type ShownFacts = (readonly [label: string, value: ReactNode])[];

/** What identifies the payee beside name and number. */
async function payeeFacts(person: Person, { id }: WaitingMovement): Promise<ShownFacts> {
  const t = await getTranslations('payout.facts');
  const locale = (await getLocale()) as Locale;
  const [view, types] = await Promise.all([
    viewMovement(person, id),
    paymentTypesSoon(locale, 'names'),
  ]);
  if (view === null) return [];
  const mono = (text: string): ReactNode => <span className="font-mono text-mono">{text}</span>;
  const type = types.find(({ code }) => code === view.paymentType)?.description ?? '';
  const isBank = kindOf(view.kind).payee === 'bank_account';
  return [
    [t('bank'), isBank && (view.bankName ?? t('bankUnknown'))],
    [t('taxNumber'), isBank && view.taxNumber !== '' && mono(view.taxNumber)],
    [t('phone'), view.phone !== null && mono(view.phone)],
    [
      t('paymentType'),
      view.paymentType !== '' && (
        <>
          {type} {mono(view.paymentType)}
        </>
      ),
    ],
  ];
}

/** From which wallet it is paid, what it costs and what is left then. */
async function walletFacts(
  person: Person,
  { kind, wallet, currency }: WaitingMovement,
): Promise<ShownFacts> {
  if (wallet === '') return [];
  const t = await getTranslations('approvals.facts');
  const locale = (await getLocale()) as Locale;
  const [balances, fee] = await Promise.all([
    viewBalancesAfter(person),
    foreseenFee(person, { kind, wallet }),
  ]);
  const balance = balances.find((one) => one.number === wallet) ?? null;
  const money = (amount: string): string => formatMoney(amount, currency, locale);
  return [
    [
      t('wallet'),
      <span key="wallet">
        {balance?.name} <span className="font-mono text-mono">{wallet}</span>
      </span>,
    ],
    [
      t('fee'),
      fee === null
        ? t('feeUnknown')
        : fee.min === fee.max
          ? money(fee.max)
          : `${money(fee.min)} – ${money(fee.max)}`,
    ],
    [
      t('after'),
      balance === null ? (
        t('balanceUnknown')
      ) : (
        <span className={balance.after.startsWith('-') ? 'font-medium text-failed' : ''}>
          {money(balance.available)} → {money(balance.after)}
        </span>
      ),
    ],
  ];
}

async function reasonList({ reasons }: WaitingMovement): Promise<ReactNode> {
  const t = await getTranslations('policy');
  const locale = (await getLocale()) as Locale;
  if (reasons.length === 0) return null;
  return (
    <ul className="grid gap-1">
      {reasons.map((reason) => (
        <li key={`${reason.when} ${reason.from}`}>{reasonSentence(t, reason, locale)}</li>
      ))}
    </ul>
  );
}
