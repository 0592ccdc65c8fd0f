import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ConfirmButton } from '#components/confirm-button.tsx';
import { Pill } from '#components/ui/pill.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { DeputyRow } from '#lib/people/deputies.ts';
import { formatDate } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { endDeputyNow } from './actions.ts';

/** Who stands in for whom, and until when; with a button for those who may end it. */
export async function DeputyTable({ rows }: { rows: readonly DeputyRow[] }): Promise<ReactNode> {
  const t = await getTranslations('people.deputies');
  return (
    <Table
      caption={t('title')}
      head={
        <>
          <Head>{t('deputy')}</Head>
          <Head>{t('person')}</Head>
          <Head>{t('period')}</Head>
          <Head>{t('state')}</Head>
          <Head numeric>
            <span className="sr-only">{t('action')}</span>
          </Head>
        </>
      }
    >
      {rows.map((row) => (
        <DeputyLine key={row.id} row={row} />
      ))}
    </Table>
  );
}

async function DeputyLine({ row }: { row: DeputyRow }): Promise<ReactNode> {
  const t = await getTranslations('people.deputies');
  const locale = (await getLocale()) as Locale;
  const first = formatDate(row.firstDay, locale);
  const last = formatDate(row.lastDay, locale);
  return (
    <Row>
      <Cell first>
        <span className="font-medium wrap-anywhere">{row.deputy}</span>
      </Cell>
      <Cell label={t('person')}>
        <span className="wrap-anywhere">{row.person}</span>
      </Cell>
      <Cell label={t('period')}>{t('days', { first, last })}</Cell>
      <Cell label={t('state')}>
        <Pill tone={row.isNow ? 'settled' : 'draft'}>
          {t(row.isNow ? 'states.now' : 'states.coming')}
        </Pill>
      </Cell>
      <Cell numeric>{row.can.end && <End row={row} />}</Cell>
    </Row>
  );
}

/** Its dialog must not inherit how a cell of numbers sets its text. */
async function End({ row }: { row: DeputyRow }): Promise<ReactNode> {
  const t = await getTranslations('people.deputies');
  const { person, deputy } = row;
  return (
    <span className="block min-w-20 text-left font-normal whitespace-normal">
      <ConfirmButton
        action={endDeputyNow}
        fields={{ id: row.id }}
        confirmLook="danger"
        words={{
          open: t('end'),
          label: t('endLabel', { person, deputy }),
          title: t('endTitle'),
          confirm: t('end'),
          keep: t('keep'),
        }}
      >
        <p className="wrap-anywhere">{t('endText', { person, deputy })}</p>
      </ConfirmButton>
    </span>
  );
}
