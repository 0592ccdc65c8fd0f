import { getLocale, getTimeZone, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Panel } from '#components/ui/panel.tsx';
import { formatDateTime } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import type { ReceiptView } from '#lib/receipts/view.ts';
import { askAgain } from '../actions.ts';

const WORDS = {
  waiting_ledger: { title: 'ledgerTitle', text: 'ledgerText' },
  waiting_receipt: { title: 'receiptTitle', text: 'receiptText' },
  failed: { title: 'failedTitle', text: 'failedText' },
} as const;

/**
 * The part of the page for a receipt without a document: first the state of the money, then what is
 * missing and when the next query is due.
 */
export async function Waiting({ receipt }: { receipt: ReceiptView }): Promise<ReactNode> {
  if (receipt.status === 'ready') return null;
  const t = await getTranslations('receipts');
  const { title, text } = WORDS[receipt.status];
  const next =
    receipt.nextAt === null
      ? null
      : formatDateTime(receipt.nextAt, (await getLocale()) as Locale, {
          zone: await getTimeZone(),
          now: receipt.now,
          seconds: true,
        });
  return (
    <Panel title={t(`waiting.${title}`)}>
      <div className="grid justify-items-start gap-3 px-4 py-4">
        <p className="max-w-prose">{t(`waiting.${text}`, { tries: receipt.tries })}</p>
        {receipt.status !== 'failed' && (
          <p className="text-muted tabular-nums">
            {next === null ? t('waiting.noNext') : t('waiting.next', { time: next })}
          </p>
        )}
        {receipt.problem && (
          <p className="max-w-prose text-muted">
            {t('problems.title')}: {await problemWords(receipt.problem)}
          </p>
        )}
        {receipt.can.ask && (
          <ActionButton
            action={askAgain}
            fields={{ id: receipt.id }}
            look={receipt.status === 'failed' ? 'primary' : 'secondary'}
            shortcut="ask"
          >
            {receipt.status === 'waiting_ledger' ? t('askLedger') : t('ask')}
          </ActionButton>
        )}
      </div>
    </Panel>
  );
}

/**
 * 'unusable:format' → a sentence; a reason of the transport in words, another stays for support.
 */
async function problemWords(problem: string): Promise<string> {
  const t = await getTranslations('receipts');
  const whys = await getTranslations('payout.sources.whys');
  const [kind, ...rest] = problem.split(':');
  const code = rest.join(':') || problem;
  const why = whys.has(code) ? whys(code) : code;
  return kind === 'unusable' || kind === 'no_answer'
    ? t(`problems.${kind}`, { why })
    : t('problems.other', { why });
}
