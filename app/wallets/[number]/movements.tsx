import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { DayRange } from '#components/day-range.tsx';
import { FilterForm } from '#components/filter-form.tsx';
import { RefreshButton } from '#components/refresh-button.tsx';
import { Button } from '#components/ui/button.tsx';
import { Field, Select } from '#components/ui/field.tsx';
import { EmptyState, Panel, Skeleton } from '#components/ui/panel.tsx';
import { Pager } from '#components/ui/table.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { formatDate } from '#lib/values/dates.ts';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { receiptsOf } from '#lib/receipts/request.ts';
import { MOVEMENT_KINDS, walletMovementParams } from '#lib/wallets/filter.ts';
import type { WalletMovementFilter, WalletMovementQuery } from '#lib/wallets/filter.ts';
import { walletMovements } from '#lib/wallets/movements.ts';
import type { WalletMovements } from '#lib/wallets/movements.ts';
import { MovementTable } from './movement-table.tsx';

/**
 * The wallet's movements from the provider's ledger. Always with dates: without them the provider
 * returns three days only.
 */
export async function Movements({
  person,
  number,
  query,
  now,
}: {
  person: Person;
  number: string;
  query: WalletMovementQuery;
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.movements');
  const answer = await walletMovements(person, number, query);
  const receipts =
    answer.kind === 'answered' && may(person.role, 'receipt.read')
      ? await receiptsOf(
          person,
          answer.rows.map((row) => row.transactionId),
        )
      : new Map<string, null>();
  return (
    <Panel
      list
      title={t('title')}
      aside={<span className="text-label text-muted max-sm:hidden">{t('source')}</span>}
    >
      <MovementFilter path={`/wallets/${number}`} filter={query.filter} />
      {answer.kind === 'no_answer' ? (
        <EmptyState
          title={t('noAnswer')}
          actions={
            <RefreshButton>{(await getTranslations('wallets.stale'))('retry')}</RefreshButton>
          }
        >
          {answer.why === 'filter_ignored' ? t('noAnswerFilter') : t('noAnswerText')}
        </EmptyState>
      ) : answer.rows.length === 0 ? (
        <EmptyState title={query.filter.kind === null ? t('empty') : t('emptyFilter')} />
      ) : (
        <>
          <MovementTable rows={answer.rows} filter={query.filter} now={now} receipts={receipts} />
          <MovementPager answer={answer} path={`/wallets/${number}`} filter={query.filter} />
        </>
      )}
    </Panel>
  );
}

async function MovementFilter({
  path,
  filter,
}: {
  path: string;
  filter: WalletMovementFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.movements');
  const common = await getTranslations('common');
  const { chart } = walletMovementParams(filter);
  return (
    <div className="no-print grid gap-3 border-b border-hairline px-4 py-3">
      <FilterForm
        key={JSON.stringify(filter)}
        action={path}
        label={t('filter')}
        className="grid grid-cols-2 items-end gap-3 sm:flex sm:flex-wrap"
        fold={common('filters')}
      >
        {chart != null && <input type="hidden" name="chart" value={chart} />}
        <DayRange id="movements" from={filter.from} to={filter.to} bounded />
        <Field id="movements-kind" label={t('kind')}>
          <Select
            id="movements-kind"
            name="kind"
            defaultValue={filter.kind ?? ''}
            data-shortcut="filter"
          >
            <option value="">{t('kinds.all')}</option>
            {MOVEMENT_KINDS.map((kind) => (
              <option key={kind} value={kind}>
                {t(`kinds.${kind}`)}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit">{common('apply')}</Button>
      </FilterForm>
    </div>
  );
}

async function MovementPager({
  answer,
  path,
  filter,
}: {
  answer: Extract<WalletMovements, { kind: 'answered' }>;
  path: string;
  filter: WalletMovementFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('wallets.movements');
  const common = await getTranslations('common');
  const locale = (await getLocale()) as Locale;
  const currency = answer.rows[0]?.currency ?? 'TRY';
  const to = (index: number): string | null =>
    index >= 0 && index < answer.pageCount
      ? `${path}${addressOf(walletMovementParams(filter, index))}`
      : null;
  const money = (amount: string): string => formatMoney(amount, currency, locale);
  return (
    <div className="border-t border-hairline">
      <Pager
        label={common('pages')}
        previous={to(answer.index - 1)}
        next={to(answer.index + 1)}
        words={{ previous: common('previous'), next: common('next') }}
      >
        <span className="tabular-nums">
          {t('count', { count: answer.rowCount })} ·{' '}
          {t('pageOf', { page: answer.index + 1, pages: Math.max(1, answer.pageCount) })}
        </span>
        <span className="block tabular-nums">
          {t('pageSums', {
            in: money(answer.in),
            out: money(answer.out),
            fees: money(answer.fees),
          })}
        </span>
      </Pager>
      <p className="sr-only">
        {formatDate(filter.from, locale)} – {formatDate(filter.to, locale)}
      </p>
    </div>
  );
}

/** Placeholder rows at their real height while the ledger is queried. */
export function MovementsLoading(): ReactNode {
  return (
    <Panel title={<Skeleton className="h-5 w-28" />}>
      <div aria-busy className="grid">
        {[0, 1, 2, 3, 4, 5, 6, 7].map((row) => (
          <div
            key={row}
            className="flex h-10 items-center gap-6 border-b border-hairline px-3 last:border-0"
          >
            <Skeleton className="h-4 w-28" />
            <Skeleton className="h-4 w-24 max-sm:hidden" />
            <Skeleton className="h-4 w-48 max-md:hidden" />
            <Skeleton className="ml-auto h-4 w-24" />
          </div>
        ))}
      </div>
    </Panel>
  );
}
