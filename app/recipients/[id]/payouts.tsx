import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { toneOf, wordOf } from '#components/state-words.ts';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Person } from '#lib/access/actor.ts';
import { shownIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { NO_FILTER, payoutListAddress } from '#lib/payouts/filter.ts';
import { listPayouts } from '#lib/payouts/list.ts';

/**
 * The latest payouts to any account of a recipient; the payouts list shows all, with sums, filters
 * and exports.
 */
export async function Payouts({
  person,
  recipient,
}: {
  person: Person;
  recipient: string;
}): Promise<ReactNode> {
  const t = await getTranslations('recipients');
  const states = await getTranslations('states');
  const locale = (await getLocale()) as Locale;
  const filter = { ...NO_FILTER, recipient };
  const { rows, isOutOfTime, now } = await listPayouts(
    person,
    { filter, place: null },
    { totals: false },
  );
  const payouts = await getTranslations('payouts');
  const all = (
    <Link
      href={`/payouts${payoutListAddress(filter)}`}
      className="text-label font-medium text-accent hover:underline"
    >
      {t('one.allPayouts')}
    </Link>
  );
  return (
    <Panel list title={t('one.payouts')} aside={rows.length > 0 && all}>
      {rows.length === 0 ? (
        <EmptyState title={isOutOfTime ? payouts('tooMany.title') : t('one.noPayouts')}>
          {isOutOfTime && payouts('tooMany.text')}
        </EmptyState>
      ) : (
        <Table
          caption={t('one.payouts')}
          head={
            <>
              <Head>{t('one.date')}</Head>
              <Head>{t('columns.account')}</Head>
              <Head>{t('columns.state')}</Head>
              <Head numeric>{t('columns.amount')}</Head>
            </>
          }
        >
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell first>
                <Link href={`/payouts/${row.id}`} className="font-medium hover:underline">
                  <When at={row.createdAt} now={now} />
                </Link>
              </Cell>
              <Cell label={t('columns.account')}>
                <span className="font-mono text-mono text-muted">{shownIban(row.iban)}</span>
              </Cell>
              <Cell label={t('columns.state')}>
                <Pill tone={toneOf(row)}>{states(wordOf(row))}</Pill>
              </Cell>
              <Cell label={t('columns.amount')} numeric>
                {formatMoney(row.amount, row.currency, locale)}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
