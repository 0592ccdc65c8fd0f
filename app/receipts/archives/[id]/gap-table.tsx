import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { Link } from '#components/ui/link.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import { When } from '#components/when.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { Gap } from '#lib/receipts/archives/view.ts';
import { ReceiptState } from '../../receipt-state.tsx';

/** The missing receipts by name: the reason, and until when the worker retries. */
export async function GapTable({ gaps, now }: { gaps: Gap[]; now: string }): Promise<ReactNode> {
  const t = await getTranslations('receipts');
  const [locale, zone] = [(await getLocale()) as Locale, await getTimeZone()];
  const untilWords = (gap: Gap): string => {
    if (gap.status === 'ready') return t(`archives.gaps.${printingOf(gap)}`);
    return gap.until === null
      ? t('archives.gaps.given')
      : t('archives.gaps.until', { time: formatDateTime(gap.until, locale, { zone, now }) });
  };
  return (
    <Table
      caption={t('archives.gaps.title')}
      head={
        <>
          <Head>{t('columns.name')}</Head>
          <Head>{t('columns.state')}</Head>
          <Head>{t('columns.paidAt')}</Head>
          <Head>{t('columns.reference')}</Head>
          <Head numeric>{t('columns.amount')}</Head>
        </>
      }
    >
      {gaps.map((gap) => (
        <Row key={gap.id}>
          <Cell first>
            <Link href={`/receipts/${gap.id}`} className="font-medium text-accent hover:underline">
              {gap.name || t('nameless')}
            </Link>
          </Cell>
          <Cell label={t('columns.state')}>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1 max-sm:justify-end">
              <ReceiptState status={gap.status} format={gap.format} />
              <span className="text-label text-muted tabular-nums">{untilWords(gap)}</span>
            </span>
          </Cell>
          <Cell label={t('columns.paidAt')}>
            <When at={gap.paidAt} now={now} />
          </Cell>
          <Cell label={t('columns.reference')}>
            <span className="font-mono text-mono text-muted">{gap.extId || gap.transactionId}</span>
          </Cell>
          <Cell label={t('columns.amount')} numeric>
            {gap.direction === 'in' && '+'}
            {formatMoney(gap.amount, gap.currency, locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

/**
 * Why the PDF lacks a receipt whose document exists as HTML: it is being printed, this machine has
 * no browser to print it, or the print failed.
 */
function printingOf({ pdf, pdfProblem }: Gap): 'printing' | 'noEngine' | 'notPrinted' {
  if (pdf === 'WAITING') return 'printing';
  return pdfProblem === 'no_engine' ? 'noEngine' : 'notPrinted';
}
