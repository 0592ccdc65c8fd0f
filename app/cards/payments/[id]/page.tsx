import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { OperateButton, OperationDesk } from '#app/cards/operations/operation-desk.tsx';
import { offered, operableOf } from '#app/cards/operations/operable.ts';
import { HeldSends } from '#app/movements/held-sends.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { ActionButton } from '#components/action-button.tsx';
import { LiveRefresh } from '#components/live-refresh.tsx';
import { liveWords } from '#app/live-words.ts';
import { Messages } from '#components/messages.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { may, mayNow } from '#lib/access/actor.ts';
import { operationsOf } from '#lib/cards/operations/list.ts';
import type { CardOperation } from '#lib/cards/operations/list.ts';
import { OPEN_STATES } from '#lib/cards/operations/open.ts';
import type { OpenState } from '#lib/cards/operations/open.ts';
import type { Operation } from '#lib/cards/operations/operation.ts';
import { unreadOperation } from '#lib/cards/operations/unread.ts';
import type { UnreadOperation } from '#lib/cards/operations/unread.ts';
import { viewCardPayment } from '#lib/cards/payments/view.ts';
import type { CardPaymentView } from '#lib/cards/payments/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { listHeldSends } from '#lib/send-control/list-held.ts';
import { pageSnapshot, signedIn } from '#lib/login/session.ts';
import { askAboutCard } from '../actions.ts';
import { CardState } from '../card-state.tsx';
import { sentenceOf } from '../sentence.ts';
import { CardFacts } from './card-facts.tsx';
import { HoldEnd } from './hold-end.tsx';
import { OperationBand } from './operation-band.tsx';
import { Follow } from './follow.tsx';
import { MadeFacts, MadeStep } from './made-here.tsx';
import { Problem } from './problem.tsx';
import { Refunds } from './refunds.tsx';
import { Observations } from './sources.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('cards'))('one') };
}

export default async function CardPaymentPage({
  params,
}: PageProps<'/cards/payments/[id]'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const { id } = await params;
  const [payment, operations, held] = await Promise.all([
    viewCardPayment(person, id),
    operationsOf(person, id),
    listHeldSends(person, id),
  ]);
  if (!payment) notFound();
  const open = operations.find(isOpen);
  const unread = unreadOperation(payment, operations);
  const possible = open
    ? []
    : offered(payment, Date.parse(payment.now)).filter(
        (operation) =>
          may(person.role, operation === 'refund' ? 'card.refund' : 'card.capture') &&
          (unread === null || operation === 'refund'),
      );
  const t = await getTranslations('cards');
  const { made } = payment;
  // Made here and still open: the page refreshes itself, because a person is waiting for the
  // result.
  const isAwaited = made !== null && (payment.state === null || payment.state === 'pending');
  return (
    <Messages of={['cardDialogs', 'foreseen', 'refusals']}>
      <OperationDesk quiet>
        <BackLink href="/cards/payments">{t('title')}</BackLink>
        <PaymentHead
          payment={payment}
          operations={operations}
          possible={possible}
          isUnread={unread !== null}
          isAwaited={isAwaited}
          mayAsk={may(person.role, 'movement.ask')}
        />
        <HeldSends held={held} />
        {open && held.every(({ id: waiting }) => waiting !== open.id) && (
          <OperationBand
            operation={open}
            now={payment.now}
            mayApprove={mayNow(person, 'movement.approve')}
          />
        )}
        {/* While the outcome of an operation is unknown, the amounts of the last record may be
            wrong. */}
        {open?.state !== 'UNKNOWN' && <Sentence payment={payment} unread={unread} />}
        {made !== null && (
          <MadeStep payment={payment} made={made} mayCharge={may(person.role, 'card.charge')} />
        )}
        <Problem
          payment={payment}
          isAwaited={isAwaited}
          maySee={may(person.role, 'alert.acknowledge')}
        />
        <HoldEnd payment={payment} mayName={may(person.role, 'card.capture')} />
        <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
          <Observations payment={payment} operations={operations} />
          <div className="grid gap-5 max-xl:order-first">
            <CardFacts payment={payment} />
            {made !== null && <MadeFacts payment={payment} made={made} />}
            <Refunds refunds={payment.refunds} currency={payment.currency} />
          </div>
        </div>
      </OperationDesk>
    </Messages>
  );
}

/** What the state says about the money. */
async function Sentence({
  payment,
  unread,
}: {
  payment: CardPaymentView;
  unread: UnreadOperation | null;
}): Promise<ReactNode> {
  const t = await getTranslations('cards');
  const locale = (await getLocale()) as Locale;
  if (unread !== null) {
    const what = (await getTranslations('cardDialogs'))(`what.${unread.operation}`, {
      amount: formatMoney(unread.amount, unread.currency, locale),
    });
    return (
      <p className="max-w-prose">
        {t('completedSince', { what })} <When at={unread.endedAt} now={payment.now} />
      </p>
    );
  }
  const sentence = sentenceOf(payment);
  if (sentence === null) return null;
  return (
    <p className="max-w-prose">
      {sentence === 'captured' && payment.taken !== null
        ? t('capturedPart', { amount: formatMoney(payment.taken, payment.currency, locale) })
        : t(`sentences.${sentence}`)}
    </p>
  );
}

async function PaymentHead({
  payment,
  operations,
  possible,
  isUnread,
  isAwaited,
  mayAsk,
}: {
  payment: CardPaymentView;
  operations: readonly CardOperation[];
  possible: readonly Operation[];
  isUnread: boolean;
  isAwaited: boolean;
  mayAsk: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('cards');
  const locale = (await getLocale()) as Locale;
  return (
    <PageHead
      title={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {payment.amount === null
            ? payment.invoiceId
            : formatMoney(payment.amount, payment.currency, locale)}
          {/* The state of the last record is from before an operation that is completed. */}
          <CardState
            state={isUnread ? null : payment.state}
            link={isUnread ? null : payment.link}
            withHelp
          />
        </span>
      }
    >
      {isAwaited ? (
        <Follow id={payment.id} since={await pageSnapshot()} />
      ) : (
        <LiveRefresh
          ids={[payment.id, ...operations.map((one) => one.id)]}
          since={await pageSnapshot()}
          words={await liveWords()}
        />
      )}
      {mayAsk && (
        <ActionButton action={askAboutCard} fields={{ id: payment.id }} shortcut="ask">
          {t('ask')}
        </ActionButton>
      )}
      {possible.map((operation) => (
        <OperateButton
          key={operation}
          operation={operation}
          payment={operableOf(payment)}
          main={operation === 'capture'}
        />
      ))}
    </PageHead>
  );
}

function isOpen(operation: CardOperation): operation is CardOperation & { state: OpenState } {
  return OPEN_STATES.some((state) => state === operation.state);
}
