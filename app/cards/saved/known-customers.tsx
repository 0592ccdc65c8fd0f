import { getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { CardDigits } from '#app/cards/payments/card-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { Person } from '#lib/access/actor.ts';
import { knownCustomers } from '#lib/cards/saved/customers.ts';

/** Customers viewed here before, so that their numbers need not be remembered. */
export async function KnownCustomers({ person }: { person: Person }): Promise<ReactNode> {
  const t = await getTranslations('savedCards.known');
  const { customers, now } = await knownCustomers(person);
  return (
    <Panel list title={t('title')}>
      {customers.length === 0 ? (
        <p className="px-4 py-3 text-muted">{t('none')}</p>
      ) : (
        <Table
          caption={t('caption')}
          head={
            <>
              <Head>{t('number')}</Head>
              <Head>{t('name')}</Head>
              <Head>{t('cards')}</Head>
              <Head>{t('read')}</Head>
            </>
          }
        >
          {customers.map((customer) => (
            <Row key={customer.number}>
              <Cell first>
                <Link
                  href={`/cards/saved?customer=${customer.number}`}
                  prefetch={false}
                  className="font-medium break-all tabular-nums hover:underline"
                >
                  {customer.number}
                </Link>
              </Cell>
              <Cell label={t('name')}>
                <span className="wrap-anywhere">{customer.name ?? '–'}</span>
              </Cell>
              <Cell label={t('cards')}>
                {customer.cards.length === 0 ? (
                  <span className="text-muted">{t('noCards')}</span>
                ) : (
                  <span className="inline-flex flex-wrap gap-x-3">
                    {customer.cards.map((card, index) => (
                      <CardDigits key={`${card} ${index}`} card={card} />
                    ))}
                  </span>
                )}
              </Cell>
              <Cell label={t('read')}>
                <When at={customer.readAt} now={now} />
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Panel>
  );
}
