import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { TransactionView } from '#lib/reports/transactions/view.ts';
import { PATH } from '../path.ts';

/** Every field of a ledger entry; an empty field has no row. */
export async function TransactionFacts({ view }: { view: TransactionView }): Promise<ReactNode> {
  const [t, common, locale] = [
    await getTranslations('transactions'),
    await getTranslations('common'),
    (await getLocale()) as Locale,
  ];
  const money = (amount: string | null): ReactNode =>
    amount && <span className="tabular-nums">{formatMoney(amount, view.currency, locale)}</span>;
  const time = (at: string | null): ReactNode => at && <When at={at} seconds />;
  const copied = (text: string | null): ReactNode =>
    text && (
      <span className="inline-flex max-w-full items-center gap-1">
        <span className="min-w-0 font-mono text-mono break-words">{text}</span>
        <CopyButton text={text} label={common('copy')} done={common('copied')} />
      </span>
    );
  const wallet = (number: string | null): ReactNode =>
    number && <span className="font-mono text-mono">{number}</span>;
  const type =
    view.type === 'other' ? (view.typeText ?? t('types.other')) : t(`types.${view.type}`);
  const facts: [Parameters<typeof t>[0], ReactNode][] = [
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
    ['facts.fee', view.fee === '0.00' ? null : money(view.fee)],
    ['facts.total', view.total === view.amount ? null : money(view.total)],
    ['facts.received', view.received === view.amount ? null : money(view.received)],
    ['facts.receiverFee', view.receiverFee === '0.00' ? null : money(view.receiverFee)],
    ['facts.fromWallet', wallet(view.fromWallet)],
    ['facts.toWallet', wallet(view.toWallet)],
    ['facts.fromAccount', wallet(view.fromAccount)],
    ['facts.toAccount', wallet(view.toAccount)],
    ['facts.createdAt', time(view.createdAt)],
    ['facts.completedAt', time(view.completedAt)],
    ['facts.postedAt', view.postedAt === view.completedAt ? null : time(view.postedAt)],
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
  return (
    <Panel title={t('facts.title')}>
      <Facts>
        {facts.map(
          ([name, value]) =>
            value && (
              <Fact key={name} label={t(name)}>
                {value}
              </Fact>
            ),
        )}
      </Facts>
    </Panel>
  );
}
