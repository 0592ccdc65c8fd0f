import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { toneOf, wordOf } from '#components/state-words.ts';
import { Link } from '#components/ui/link.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { addressOf } from '#lib/values/keyset.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { recipientParams, recipientsSortedBy } from '#lib/recipients/filter.ts';
import type { RecipientFilter, RecipientSort } from '#lib/recipients/filter.ts';
import type { RecipientRow } from '#lib/recipients/list.ts';

export async function RecipientTable({
  rows,
  now,
  filter,
}: {
  rows: RecipientRow[];
  now: string;
  filter: RecipientFilter;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients');
  const head = (sort: RecipientSort): { href: string; sorted?: 'ascending' | 'descending' } => ({
    href: `/recipients${addressOf(recipientParams(recipientsSortedBy(filter, sort)))}`,
    ...(filter.sort === sort ? { sorted: filter.order } : {}),
  });
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head {...head('name')}>{t('columns.name')}</Head>
          <Head>{t('columns.account')}</Head>
          <Head {...head('used')}>{t('columns.last')}</Head>
          <Head>{t('columns.state')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <RecipientLine key={row.id} row={row} now={now} />
      ))}
    </Table>
  );
}

async function RecipientLine({ row, now }: { row: RecipientRow; now: string }): Promise<ReactNode> {
  const t = await getTranslations('recipients');
  const states = await getTranslations('states');
  const locale = (await getLocale()) as Locale;
  const [account] = row.accounts;
  return (
    <Row>
      <Cell first>
        <Link href={`/recipients/${row.id}`} className="font-medium hover:underline">
          {row.name}
        </Link>
        {row.nickname !== null && (
          <span className="block text-label text-muted">{row.nickname}</span>
        )}
      </Cell>
      <Cell label={t('columns.account')}>
        {account === undefined ? (
          <span className="text-muted">{t('noAccount')}</span>
        ) : (
          <span>
            <span className="font-mono text-mono whitespace-nowrap">{account.shown}</span>
            <span className="block text-label text-muted">
              {[
                account.bankName ?? (account.kind === 'wallet' ? t('one.wallet') : null),
                row.accounts.length > 1 ? t('more', { count: row.accounts.length - 1 }) : null,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </span>
        )}
      </Cell>
      {row.last === null ? (
        <>
          <Cell label={t('columns.last')}>–</Cell>
          <Cell label={t('columns.state')}>
            <span className="text-muted">{t('notPaid')}</span>
          </Cell>
          <Cell label={t('columns.amount')} numeric>
            –
          </Cell>
        </>
      ) : (
        <>
          <Cell label={t('columns.last')}>
            <When at={row.last.at} now={now} />
          </Cell>
          <Cell label={t('columns.state')}>
            <Pill tone={toneOf(row.last)}>{states(wordOf(row.last))}</Pill>
          </Cell>
          <Cell label={t('columns.amount')} numeric>
            {formatMoney(row.last.amount, row.last.currency, locale)}
          </Cell>
        </>
      )}
    </Row>
  );
}
