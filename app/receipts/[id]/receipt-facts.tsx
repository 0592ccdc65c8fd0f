import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { movementAddress } from '#lib/movements/kinds.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { shownIban } from '#lib/values/iban.ts';
import { formatMoney } from '#lib/values/money.ts';
import type { ReceiptView } from '#lib/receipts/view.ts';
import { AsPdf } from './as-pdf.tsx';

const KIB = 1024;
const HASH_SHOWN = 16;

export async function ReceiptFacts({ receipt }: { receipt: ReceiptView }): Promise<ReactNode> {
  const t = await getTranslations('receipts.facts');
  const locale = (await getLocale()) as Locale;
  const of =
    receipt.movementId && receipt.kind
      ? movementAddress({ id: receipt.movementId, kind: receipt.kind })
      : receipt.recordId && `/reports/transactions/${receipt.recordId}`;
  const copied = (await getTranslations('common'))('copied');
  return (
    <Panel title={t('title')} className="no-print">
      <Facts>
        {of && (
          <Fact label={t('payout')}>
            <Link href={of} className="font-medium text-accent hover:underline">
              {t('openPayout')}
            </Link>
          </Fact>
        )}
        <Fact label={t('amount')}>
          <span className="font-medium tabular-nums">
            {receipt.direction === 'in' && '+'}
            {formatMoney(receipt.amount, receipt.currency, locale)}
          </span>
        </Fact>
        <Fact label={t(receipt.direction === 'in' ? 'from' : 'to')}>{receipt.name}</Fact>
        {receipt.iban && (
          <Fact label={t('iban')}>
            <span className="font-mono text-mono">{shownIban(receipt.iban)}</span>
          </Fact>
        )}
        {receipt.otherWallet && (
          <Fact label={t('otherWallet')}>
            <span className="font-mono text-mono">{receipt.otherWallet}</span>
          </Fact>
        )}
        <Fact label={t('paidAt')}>
          <When at={receipt.paidAt} seconds />
        </Fact>
        {receipt.extId && (
          <Fact label={t('reference')}>
            <span className="font-mono text-mono">{receipt.extId}</span>{' '}
            <CopyButton text={receipt.extId} label={t('copyReference')} done={copied} />
          </Fact>
        )}
        {receipt.transactionId && (
          <Fact label={t('transaction')}>
            <span className="font-mono text-mono">{receipt.transactionId}</span>{' '}
            <CopyButton text={receipt.transactionId} label={t('copyTransaction')} done={copied} />
          </Fact>
        )}
        <DocumentFacts receipt={receipt} />
        <Fact label={t('tries')}>{t('triesIs', { tries: receipt.tries })}</Fact>
      </Facts>
    </Panel>
  );
}

/** The document itself: when it came, its format and its hash. */
async function DocumentFacts({ receipt }: { receipt: ReceiptView }): Promise<ReactNode> {
  const t = await getTranslations('receipts.facts');
  const formats = await getTranslations('receipts.formats');
  const copied = (await getTranslations('common'))('copied');
  return (
    <>
      {receipt.fetchedAt && (
        <Fact label={t('fetchedAt')}>
          <When at={receipt.fetchedAt} seconds />
        </Fact>
      )}
      {receipt.format && receipt.sizeBytes !== null && (
        <Fact label={t('format')}>
          {t('formatIs', { format: formats(receipt.format), size: sizeWords(receipt.sizeBytes) })}
        </Fact>
      )}
      {receipt.status === 'ready' && receipt.format === 'html' && (
        <Fact label={t('asPdf')}>
          <AsPdf receipt={receipt} />
        </Fact>
      )}
      {receipt.sha256 && (
        <Fact label={t('sha256')}>
          <span className="font-mono text-mono" title={receipt.sha256}>
            {receipt.sha256.slice(0, HASH_SHOWN)}…
          </span>{' '}
          <CopyButton text={receipt.sha256} label={t('copySha')} done={copied} />
        </Fact>
      )}
    </>
  );
}

function sizeWords(bytes: number): string {
  return bytes < KIB ? `${bytes} B` : `${Math.ceil(bytes / KIB)} KB`;
}
