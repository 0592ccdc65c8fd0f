import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopiedText } from '#app/reports/copied-text.tsx';
import { Link } from '#components/ui/link.tsx';
import { FactPanel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { TransactionView } from '#lib/reports/transactions/view.ts';
import { PATH } from '../path.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'transactions'>>>;
type Line = [name: Parameters<Words>[0], value: ReactNode];

/** Every field of a ledger entry; an empty field has no row. */
export async function TransactionFacts({ view }: { view: TransactionView }): Promise<ReactNode> {
  const t = await getTranslations('transactions');
  const locale = (await getLocale()) as Locale;
  const lines = [
    ...subjectLines(view, t),
    ...amountLines(view, locale),
    ...walletLines(view),
    ...timeLines(view),
    ...referenceLines(view),
  ];
  return (
    <FactPanel
      title={t('facts.title')}
      facts={lines.map(([name, value]) => [t(name), value] as const)}
    />
  );
}

/** What the entry is, and who is at its other side. */
function subjectLines(view: TransactionView, t: Words): Line[] {
  const type =
    view.type === 'other' ? (view.typeText ?? t('types.other')) : t(`types.${view.type}`);
  return [
    [
      'facts.type',
      <>
        {type} <span className="text-muted">· {t(`directions.${view.direction}`)}</span>
        {view.typeText && (
          <span className="ml-1 font-mono text-mono text-muted">{view.typeText}</span>
        )}
      </>,
    ],
    ['facts.movement', view.movement && view.movement.name],
    [
      'facts.sender',
      view.senderName && (
        <>
          <bdi>{view.senderName}</bdi>
          {view.senderIban && (
            <span className="block font-mono text-mono text-muted">
              {shownIban(view.senderIban)}
            </span>
          )}
        </>
      ),
    ],
    ['facts.description', view.description && <bdi>{view.description}</bdi>],
    [
      'facts.toDescription',
      view.toDescription === view.description || view.toDescription === null ? null : (
        <bdi>{view.toDescription}</bdi>
      ),
    ],
  ];
}

function amountLines(view: TransactionView, locale: Locale): Line[] {
  const money = (amount: string | null): ReactNode =>
    amount && <span className="tabular-nums">{formatMoney(amount, view.currency, locale)}</span>;
  return [
    ['facts.fee', view.fee === '0.00' ? null : money(view.fee)],
    ['facts.total', view.total === view.amount ? null : money(view.total)],
    ['facts.received', view.received === view.amount ? null : money(view.received)],
    ['facts.receiverFee', view.receiverFee === '0.00' ? null : money(view.receiverFee)],
  ];
}

function walletLines(view: TransactionView): Line[] {
  const wallet = (number: string | null): ReactNode =>
    number && <span className="font-mono text-mono">{number}</span>;
  return [
    ['facts.fromWallet', wallet(view.fromWallet)],
    ['facts.toWallet', wallet(view.toWallet)],
    ['facts.fromAccount', wallet(view.fromAccount)],
    ['facts.toAccount', wallet(view.toAccount)],
  ];
}

function timeLines(view: TransactionView): Line[] {
  return [
    ['facts.createdAt', time(view.createdAt)],
    ['facts.completedAt', time(view.completedAt)],
    ['facts.postedAt', view.postedAt === view.completedAt ? null : time(view.postedAt)],
  ];
}

/** The references of the entry, and how and when it was recorded. */
function referenceLines(view: TransactionView): Line[] {
  const copied = (text: string | null): ReactNode => text && <CopiedText text={text} />;
  return [
    ['facts.extId', copied(view.extId)],
    ['facts.id', copied(view.id)],
    [
      'facts.refersTo',
      view.refersTo && (
        <Link
          href={`${PATH}/${view.refersTo}`}
          prefetch={false}
          className="font-mono text-mono text-accent hover:underline"
        >
          {view.refersTo}
        </Link>
      ),
    ],
    ['facts.groupId', view.groupId === view.id ? null : copied(view.groupId)],
    ['facts.receiptNumber', copied(view.receiptNumber)],
    [
      'facts.channel',
      [view.channel, view.source].filter((one) => one !== null).join(' · ') || null,
    ],
    [
      'facts.status',
      [view.statusText, view.resultCode].filter((one) => one !== null).join(' · ') || null,
    ],
    ['facts.readAt', time(view.readAt)],
  ];
}

function time(at: string | null): ReactNode {
  return at && <When at={at} seconds />;
}
