import { CircleHelp } from 'lucide-react';
import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { When } from '#components/when.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { capabilitiesOf, kindOf, movementAddress } from '#lib/movements/kinds.ts';
import type { MovementLine, Overview } from '#lib/movement-views/overview.ts';
import { isCut, WholeLists } from './whole-lists.tsx';

/**
 * Payments with an unknown outcome, first on the page. Never red: they have not failed. Without a
 * button: a press must not send them again.
 */
export async function UnknownOutcomes({
  totals,
  now,
  ...group
}: Overview['unknown'] & { now: string }): Promise<ReactNode> {
  if (group.rows.length === 0) return null;
  const t = await getTranslations('home.unknown');
  const locale = (await getLocale()) as Locale;
  return (
    <section
      aria-labelledby="unknown-title"
      className="rounded-panel border border-dashed border-unknown bg-surface"
    >
      <div className="grid gap-1 rounded-t-panel bg-unknown-ground px-4 py-3 text-unknown">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 id="unknown-title" className="flex items-center gap-2 text-section font-semibold">
            <CircleHelp aria-hidden className="size-4 shrink-0" />
            {t('title')}
          </h2>
          <p className="font-medium tabular-nums">
            {totals
              .map((total) =>
                t('total', {
                  count: total.count,
                  sum: formatMoney(total.sum, total.currency, locale),
                }),
              )
              .join(' · ')}
          </p>
        </div>
        <p className="max-w-prose">{t('text')}</p>
      </div>
      <ul>
        {group.rows.map((row) => (
          <UnknownLine key={row.id} row={row} now={now} locale={locale} />
        ))}
      </ul>
      {isCut(group) && (
        <div className="border-t border-hairline px-4 py-2.5 text-muted">
          <WholeLists group={group} waits="unknown" />
        </div>
      )}
    </section>
  );
}

const ROW =
  'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-t border-hairline ' +
  'px-4 py-2.5 first:border-0';

async function UnknownLine({
  row,
  now,
  locale,
}: {
  row: MovementLine;
  now: string;
  locale: Locale;
}): Promise<ReactNode> {
  const t = await getTranslations('home.unknown');
  const home = await getTranslations('home');
  const zone = await getTimeZone();
  const { title } = kindOf(row.kind);
  const isOnPayment = capabilitiesOf(row.kind).record === 'payment';
  return (
    <li className={ROW}>
      <div className="grid min-w-0 gap-0.5">
        <Link
          href={movementAddress(row)}
          data-row-link
          className="truncate font-medium text-accent hover:underline"
        >
          {title === null ? row.name : home(title, { name: row.name })}
        </Link>
        <p className="text-label text-muted tabular-nums">
          {row.lastSendAt && (
            <>
              {t('sent')} <When at={row.lastSendAt} now={now} seconds /> ·{' '}
            </>
          )}
          {t(isOnPayment ? 'notDone' : 'notFound', { count: row.notFoundReads })}
          {row.nextLookAt &&
            ` · ${t('next', { time: formatDateTime(row.nextLookAt, locale, { zone, now, seconds: true }) })}`}
        </p>
      </div>
      <p className="font-medium tabular-nums">{formatMoney(row.amount, row.currency, locale)}</p>
    </li>
  );
}
