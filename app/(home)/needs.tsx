import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { seeOutcome } from '#app/movements/actions.ts';
import { ActionButton } from '#components/action-button.tsx';
import { MessageArea } from '#components/message-area.tsx';
import { MoneyState } from '#components/money-state.tsx';
import { HOME_ROW } from '#components/ui/classes.ts';
import { Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { When } from '#components/when.tsx';
import { wordOf } from '#components/state-words.ts';
import { Link } from '#components/ui/link.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { capabilitiesOf, kindOf, movementAddress } from '#lib/movements/kinds.ts';
import type { MovementLine, Overview } from '#lib/movement-views/overview.ts';
import type { HeldBatch } from '#lib/batches/run/list-held.ts';
import type { DaysToClose } from '#lib/reports/day-close/due.ts';
import type { Reminders } from '#lib/cards/reminders/view.ts';
import { AuthorizationsAtRisk } from './authorizations-at-risk.tsx';
import { isCut, waitingAddress, WholeLists } from './whole-lists.tsx';

type Words = Awaited<ReturnType<typeof getTranslations<'home'>>>;

/** Things that this panel shows only as a number, each with the page that lists them. */
const SEVERAL = {
  differences: '/reports/reconciliation?open=1',
  tooOld: '/cards/authorizations?bucket=too_old',
  topUps: '/money-in/failed',
  receipts: '/receipts?view=failed',
} as const;

/**
 * Everything that waits for a person, the most urgent first; one quiet sentence when nothing does.
 * `mayMark`: whether this person may mark outcomes as seen.
 */
export async function Needs({
  overview: { unknown, needs, outcomes, queued, now },
  reminders,
  counts,
  toClose,
  batches,
  mayMark,
}: {
  overview: Overview;
  reminders: Reminders;
  counts: Record<'differences' | 'topUps' | 'receipts', number>;
  toClose: readonly DaysToClose[];
  batches: readonly HeldBatch[];
  mayMark: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  const locale = (await getLocale()) as Locale;
  const all = [
    needs.rows.length,
    outcomes.rows.length,
    queued.lists.length,
    reminders.rows.length + reminders.ageUnknown + reminders.tooOld,
    toClose.length,
    batches.length,
    ...Object.values(counts),
  ];
  const nothing = all.every((count) => count === 0);
  // Open unknown outcomes have a panel of their own above: "nothing waits" would then be wrong.
  if (nothing && unknown.rows.length > 0) return null;
  return (
    <Panel
      title={t('needs.title')}
      aside={isCut(needs) ? <WholeLists group={needs} waits="person" /> : undefined}
    >
      {nothing && <p className="px-4 py-3 text-muted">{t('needs.none')}</p>}
      <MessageArea>
        <ul>
          <QueuedLines queued={queued} now={now} />
          <HeldBatches batches={batches} now={now} />
          <Several of="differences" count={counts.differences} />
          {needs.rows.map((row) => (
            <NeedLine key={row.id} row={row} now={now} locale={locale} t={t}>
              {reasonOf(row, t)}
            </NeedLine>
          ))}
          <AuthorizationsAtRisk {...reminders} />
          <Several of="tooOld" count={reminders.tooOld} />
          <UnseenOutcomes outcomes={outcomes} now={now} mayMark={mayMark} />
          <Several of="topUps" count={counts.topUps} />
          <Several of="receipts" count={counts.receipts} />
          {toClose.map(({ wallet, name, days, month }) => (
            <CountedLine
              key={wallet}
              href={`/reports/day-close?wallet=${wallet}&month=${month}&close=1`}
              title={t('needs.days', { name, count: days })}
              count={days}
            >
              {t('needs.daysText')}
            </CountedLine>
          ))}
        </ul>
      </MessageArea>
    </Panel>
  );
}

/** Batches that wait for a person to let them go on or to stop them. */
async function HeldBatches({
  batches,
  now,
}: {
  batches: readonly HeldBatch[];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('home.needs.held');
  const batch = await getTranslations('batchRun');
  return batches.map(({ id, name, why, since, unsent }) => (
    <Line
      key={id}
      href={`/batches/${id}`}
      title={t('title', { name: name || batch('paste'), count: unsent })}
      aside={<Pill tone="attention">{batch('phase.held')}</Pill>}
    >
      {t(why)} · <When at={since} now={now} />
    </Line>
  ));
}

async function Several({
  of,
  count,
}: {
  of: keyof typeof SEVERAL;
  count: number;
}): Promise<ReactNode> {
  const t = await getTranslations('home.needs');
  return (
    <CountedLine href={SEVERAL[of]} title={t(of, { count })} count={count}>
      {t(`${of}Text`)}
    </CountedLine>
  );
}

/** Rejected, failed and returned movements; each names the next step. */
async function UnseenOutcomes({
  outcomes,
  now,
  mayMark,
}: {
  outcomes: Overview['outcomes'];
  now: string;
  mayMark: boolean;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  const locale = (await getLocale()) as Locale;
  return (
    <>
      {outcomes.rows.map((row) => (
        <NeedLine
          key={row.id}
          row={row}
          now={now}
          locale={locale}
          t={t}
          action={mayMark && <SeenButton row={row} t={t} />}
        >
          {t(`outcomes.${outcomeOf(row)}`)}
        </NeedLine>
      ))}
      {isCut(outcomes) && (
        <li className={HOME_ROW}>
          <WholeLists group={outcomes} waits="outcome" />
        </li>
      )}
    </>
  );
}

/** Movements that wait because the provider cannot be reached, one line for each list. */
async function QueuedLines({
  queued,
  now,
}: {
  queued: Overview['queued'];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return queued.lists.map(({ list, count }) => (
    <CountedLine
      key={list}
      href={waitingAddress(list, 'queued')}
      title={t('needs.queued', { what: t(`lists.${list}`, { count }) })}
      count={count}
    >
      {t('needs.queuedText')}{' '}
      {queued.nextLookAt &&
        t('needs.queuedNext', {
          time: formatDateTime(queued.nextLookAt, locale, { zone, now, seconds: true }),
        })}
    </CountedLine>
  ));
}

function NeedLine({
  row,
  now,
  locale,
  t,
  action,
  children,
}: {
  row: MovementLine;
  now: string;
  locale: Locale;
  t: Words;
  action?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <Line
      href={movementAddress(row)}
      title={titleOf(row, t)}
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <MoneyState state={row.state} returned={row.returned} kind={row.kind} />
          <span className="font-medium tabular-nums">
            {formatMoney(row.amount, row.currency, locale)}
          </span>
          {action}
        </span>
      }
    >
      {children} · <When at={row.stateSince} now={now} />
    </Line>
  );
}

function SeenButton({ row, t }: { row: MovementLine; t: Words }): ReactNode {
  return (
    <ActionButton
      action={seeOutcome}
      fields={{ id: row.id }}
      look="ghost"
      label={t('outcomes.seenLabel', { name: titleOf(row, t) })}
    >
      {t('outcomes.seen')}
    </ActionButton>
  );
}

/** The number of several things of one sort; nothing while there are none. */
function CountedLine({
  href,
  title,
  count,
  children,
}: {
  href: string | null;
  title: string;
  count: number;
  children: ReactNode;
}): ReactNode {
  if (count === 0) return null;
  return (
    <Line href={href} title={title} aside={<Pill tone="attention">{count}</Pill>}>
      {children}
    </Line>
  );
}

function Line({
  href,
  title,
  aside,
  children,
}: {
  href: string | null;
  title: string;
  aside: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <li className={HOME_ROW}>
      <div className="grid min-w-0 gap-0.5">
        {href === null ? (
          <p className="truncate font-medium">{title}</p>
        ) : (
          <Link
            href={href}
            data-row-link
            className="truncate font-medium text-accent hover:underline"
          >
            {title}
          </Link>
        )}
        <p className="text-label text-muted">{children}</p>
      </div>
      {aside}
    </li>
  );
}

/** A card operation has no payee: its title names the operation. */
function titleOf({ kind, name }: MovementLine, t: Words): string {
  const { title } = kindOf(kind);
  return title === null ? name : t(title, { name });
}

/** The alert is more specific than the state; without an alert the state is the reason. */
function reasonOf(row: MovementLine, t: Words): string {
  if (row.alert !== null) return t(`reasons.${row.alert}`);
  const word = wordOf(row);
  return word === 'AWAITING_APPROVAL' ||
    word === 'MANUAL_REVIEW' ||
    word === 'LEDGER_LATE' ||
    word === 'GATEWAY_LATE' ||
    word === 'RETURN_REPORTED'
    ? t(`reasons.${word}`)
    : '';
}

/** What a person can do next. A payout of the card balance cannot be paid again from here. */
function outcomeOf(row: MovementLine): 'operation' | 'returned' | 'again' | 'look' {
  if (kindOf(row.kind).payee === null) return 'operation';
  if (!capabilitiesOf(row.kind).answersQuestions) return 'look';
  return row.returned === 'CONFIRMED' ? 'returned' : 'again';
}
