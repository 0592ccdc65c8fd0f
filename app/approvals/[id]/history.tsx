import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { toneOf, wordOf } from '#components/state-words.ts';
import { Link } from '#components/ui/link.tsx';
import { EmptyState, Panel } from '#components/ui/panel.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Person } from '#lib/access/actor.ts';
import type { WaitingMovement } from '#lib/approvals/list.ts';
import { lastPayments } from '#lib/approvals/view.ts';
import { movementAddress } from '#lib/movements/kinds.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** The recipient's last payments; a card payment has none. */
export async function History({
  person,
  waiting,
}: {
  person: Person;
  waiting: WaitingMovement;
}): Promise<ReactNode> {
  if (waiting.cardPaymentId !== null) return null;
  const t = await getTranslations('approvals.history');
  const states = await getTranslations('states');
  const locale = (await getLocale()) as Locale;
  const rows = await lastPayments(person, waiting.id);
  return (
    <Panel list title={t('title')}>
      {rows.length === 0 ? (
        <EmptyState title={t('none')} />
      ) : (
        <Table
          caption={t('title')}
          head={
            <>
              <Head>{t('date')}</Head>
              <Head>{t('maker')}</Head>
              <Head>{t('state')}</Head>
              <Head numeric>{t('amount')}</Head>
            </>
          }
        >
          {rows.map((row) => (
            <Row key={row.id}>
              <Cell first>
                <Link href={movementAddress(row)} className="font-medium hover:underline">
                  <When at={row.at} />
                </Link>
              </Cell>
              <Cell label={t('maker')}>{row.maker}</Cell>
              <Cell label={t('state')}>
                <Pill tone={toneOf(row)}>{states(wordOf(row))}</Pill>
              </Cell>
              <Cell label={t('amount')} numeric>
                {formatMoney(row.amount, row.currency, locale)}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
