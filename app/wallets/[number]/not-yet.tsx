import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { MoneyState } from '#components/money-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { Person } from '#lib/access/actor.ts';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { notYetInLedger } from '#lib/movement-views/overview.ts';

/**
 * The ledger lags and lists settled movements only, so movements missing from it are named beside
 * it.
 */
export async function NotYetInLedger({
  person,
  wallet,
}: {
  person: Person;
  wallet: string;
}): Promise<ReactNode> {
  const rows = await notYetInLedger(person, wallet);
  if (rows.length === 0) return null;
  const t = await getTranslations('wallets.notYet');
  const locale = (await getLocale()) as Locale;
  const zone = await getTimeZone();
  const now = new Date().toISOString();
  return (
    <Panel title={t('title')}>
      <p className="max-w-prose px-4 pt-3 text-muted">{t('text')}</p>
      <ul className="py-1">
        {rows.map((row) => (
          <li
            key={row.id}
            className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 py-2"
          >
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-3">
              <Link href={movementAddress(row)} className="font-medium text-accent hover:underline">
                {row.name}
              </Link>
              <span className="text-label text-muted tabular-nums">
                {t('sent', {
                  time: formatDateTime(row.lastSendAt ?? row.createdAt, locale, {
                    zone,
                    now,
                    seconds: true,
                  }),
                })}
              </span>
            </span>
            <span className="flex flex-wrap items-center gap-3">
              <MoneyState state={row.state} returned={row.returned} kind={row.kind} />
              <span className="font-medium tabular-nums">
                {formatMoney(row.amount, row.currency, locale)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
