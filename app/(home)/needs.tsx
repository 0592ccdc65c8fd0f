import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
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
import { kindOf, movementAddress } from '#lib/movements/kinds.ts';
import type { MovementLine, Overview } from '#lib/movement-views/overview.ts';

type Words = Awaited<ReturnType<typeof getTranslations<'home'>>>;

/** What needs a person's attention; one quiet sentence when nothing does. */
export async function Needs({
  needs,
  queued,
  failedReceipts,
  failedTopUps,
  differences,
  now,
}: {
  needs: Overview['needs'];
  queued: Overview['queued'];
  failedReceipts: number;
  failedTopUps: number;
  differences: number;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  const locale = (await getLocale()) as Locale;
  const nothing =
    needs.count === 0 &&
    queued.count === 0 &&
    failedReceipts === 0 &&
    failedTopUps === 0 &&
    differences === 0;
  return (
    <Panel
      title={t('needs.title')}
      aside={
        needs.count > needs.rows.length ? (
          <More>{t('needs.more', { count: needs.count })}</More>
        ) : undefined
      }
    >
      {nothing && <p className="px-4 py-3 text-muted">{t('needs.none')}</p>}
      <ul>
        <QueuedLine queued={queued} now={now} />
        <CountedLine
          href="/reports/reconciliation"
          title={t('needs.differences', { count: differences })}
          count={differences}
        >
          {t('needs.differencesText')}
        </CountedLine>
        {needs.rows.map((row) => (
          <NeedLine key={row.id} row={row} now={now} locale={locale} t={t} />
        ))}
        <CountedLine
          href="/money-in/failed"
          title={t('needs.topUps', { count: failedTopUps })}
          count={failedTopUps}
        >
          {t('needs.topUpsText')}
        </CountedLine>
        <CountedLine
          href="/receipts?view=failed"
          title={t('needs.receipts', { count: failedReceipts })}
          count={failedReceipts}
        >
          {t('needs.receiptsText')}
        </CountedLine>
      </ul>
    </Panel>
  );
}

/** Movements that wait because the provider cannot be reached. */
async function QueuedLine({
  queued,
  now,
}: {
  queued: Overview['queued'];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('home');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  return (
    <CountedLine
      href="/payouts?view=progress"
      title={t('needs.queued', { count: queued.count })}
      count={queued.count}
    >
      {t('needs.queuedText')}{' '}
      {queued.nextLookAt &&
        t('needs.queuedNext', {
          time: formatDateTime(queued.nextLookAt, locale, { zone, now, seconds: true }),
        })}
    </CountedLine>
  );
}

function NeedLine({
  row,
  now,
  locale,
  t,
}: {
  row: MovementLine;
  now: string;
  locale: Locale;
  t: Words;
}): ReactNode {
  return (
    <Line
      href={movementAddress(row)}
      title={titleOf(row, t)}
      aside={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <MoneyState state={row.state} refund={row.refund} rail={row.rail} />
          <span className="font-medium tabular-nums">
            {formatMoney(row.amount, row.currency, locale)}
          </span>
        </span>
      }
    >
      {reasonOf(row, t)} · <When at={row.stateSince} now={now} />
    </Line>
  );
}

/** Several things of one sort; nothing while there are none. */
function CountedLine({
  href,
  title,
  count,
  children,
}: {
  href: string;
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
  href: string;
  title: string;
  aside: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <li className={HOME_ROW}>
      <div className="grid min-w-0 gap-0.5">
        <Link
          href={href}
          data-row-link
          className="truncate font-medium text-accent hover:underline"
        >
          {title}
        </Link>
        <p className="text-label text-muted">{children}</p>
      </div>
      {aside}
    </li>
  );
}

function More({ children }: { children: ReactNode }): ReactNode {
  return (
    <Link
      href="/payouts?view=attention"
      className="text-label font-medium text-accent hover:underline"
    >
      {children}
    </Link>
  );
}

/** A card operation has no payee: its title names the operation. */
function titleOf({ rail, name }: MovementLine, t: Words): string {
  const { title } = kindOf(rail);
  return title === null ? name : t(title, { name });
}

/** The alert is more specific than the state; without an alert the state is the reason. */
function reasonOf(row: MovementLine, t: Words): string {
  if (row.attention !== null) return t(`reasons.${row.attention}`);
  const word = wordOf(row);
  return word === 'AWAITING_APPROVAL' ||
    word === 'MANUAL_REVIEW' ||
    word === 'LEDGER_LATE' ||
    word === 'GATEWAY_LATE' ||
    word === 'RETURN_REPORTED'
    ? t(`reasons.${word}`)
    : '';
}
