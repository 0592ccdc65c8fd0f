import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { PICK_FORM } from '#components/pick-form.ts';
import { PickPage } from '#components/picked-rows.tsx';
import { PICK_BOX } from '#components/ui/classes.ts';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import type { PayeeToBring } from '#lib/recipients/bring.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';

/** The payees that can be saved, all ticked at first. */
export async function PayeeTable({
  rows,
  now,
}: {
  rows: readonly PayeeToBring[];
  now: string;
}): Promise<ReactNode> {
  const t = await getTranslations('bringRecipients');
  return (
    <Table
      caption={t('caption')}
      head={
        <>
          <Head before={<PickPage label={t('pickPage')} />}>{t('columns.name')}</Head>
          <Head>{t('columns.account')}</Head>
          <Head numeric>{t('columns.count')}</Head>
          <Head>{t('columns.last')}</Head>
          <Head numeric>{t('columns.sum')}</Head>
        </>
      }
    >
      {rows.map((row) => (
        <PayeeLine key={row.iban} row={row} now={now} />
      ))}
    </Table>
  );
}

async function PayeeLine({ row, now }: { row: PayeeToBring; now: string }): Promise<ReactNode> {
  const t = await getTranslations('bringRecipients');
  const locale = (await getLocale()) as Locale;
  return (
    <Row>
      <Cell first>
        <label className="flex items-center gap-3">
          <input
            type="checkbox"
            name="pick"
            value={row.iban}
            form={PICK_FORM}
            defaultChecked
            aria-label={t('pickOne', { name: row.name })}
            className={PICK_BOX}
          />
          <span className="grid min-w-0">
            <span className="font-medium wrap-anywhere">{row.name}</span>
            {!row.hasTaxNumber && <span className="text-label text-muted">{t('noTax')}</span>}
          </span>
        </label>
      </Cell>
      <Cell label={t('columns.account')}>
        <span>
          <span className="font-mono text-mono sm:whitespace-nowrap">{row.account.shown}</span>
          {row.account.bankName !== null && (
            <span className="block text-label text-muted">{row.account.bankName}</span>
          )}
        </span>
      </Cell>
      <Cell label={t('columns.count')} numeric>
        {t('count', { count: row.count })}
      </Cell>
      <Cell label={t('columns.last')}>
        <When at={row.lastAt} now={now} />
      </Cell>
      <Cell label={t('columns.sum')} numeric>
        <span className="grid">
          {row.sums.map(({ amount, currency }) => (
            <span key={currency}>{formatMoney(amount, currency, locale)}</span>
          ))}
        </span>
      </Cell>
    </Row>
  );
}
