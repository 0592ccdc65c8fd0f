'use client';

import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { kindOf } from '#lib/movements/kinds.ts';
import { ENDED_UNPAID } from '#lib/movements/state.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { shownPayee, useWriting } from './words.ts';

/** The request and its reference numbers. Every row is there from the start. */
export function MovementFacts({
  view,
  walletName,
  paymentType,
}: {
  view: MovementView;
  walletName: string | null;
  paymentType: string | null;
}): ReactNode {
  const t = useTranslations('payout.facts');
  const { money, time, iso } = useWriting();
  return (
    <Panel title={t('title')}>
      <Facts>
        <PayeeFacts view={view} />
        <Fact label={t('wallet')}>
          {walletName !== null && <span className="mr-2">{walletName}</span>}
          {view.wallet !== '' && <Copyable text={view.wallet} label={t('wallet')} mono />}
        </Fact>
        {view.paymentType !== '' && (
          <Fact label={t('paymentType')}>
            {paymentType ?? ''}{' '}
            <span className="font-mono text-mono text-muted">{view.paymentType}</span>
          </Fact>
        )}
        <Fact label={t('description')}>
          {view.description === '' ? t('none') : view.description}
        </Fact>
        <Fact label={t('fee')}>
          {view.fee === null || isUnpaid(view) ? (
            <span className="text-muted">{t(isUnpaid(view) ? 'feeNone' : 'feeUnknown')}</span>
          ) : (
            <span className="tabular-nums">{money(view.fee, view.currency)}</span>
          )}
        </Fact>
        <Fact label={t('maker')}>
          {view.apiKey === null
            ? view.maker
            : t('byKey', { maker: view.maker, apiKey: view.apiKey })}
        </Fact>
        {view.batch !== null && (
          <Fact label={t('batch')}>
            <Link
              href={`/batches/${view.batch.id}?row=${view.batch.row}`}
              className="font-medium wrap-anywhere text-accent hover:underline"
            >
              {t('batchRow', { name: view.batch.name || t('batchPasted'), row: view.batch.row })}
            </Link>
          </Fact>
        )}
        <Fact label={t('createdAt')}>
          <time dateTime={view.createdAt} title={iso(view.createdAt)} className="tabular-nums">
            {time(view.createdAt, view.now)}
          </time>
        </Fact>
        {view.overrideReason !== null && (
          <Fact label={t('overrides')}>
            <OverrideReason reason={view.overrideReason} />
          </Fact>
        )}
        <ReferenceFacts view={view} />
      </Facts>
    </Panel>
  );
}

/** What is known is that nothing was paid, so that the fee which was foreseen is not charged either. */
function isUnpaid({ state, alert, mayHaveLeft }: MovementView): boolean {
  return ENDED_UNPAID.includes(state) && alert !== 'contradiction' && !mayHaveLeft;
}

function PayeeFacts({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.facts');
  const { payee } = kindOf(view.kind);
  return (
    <>
      <Fact label={t('recipient')}>
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Copyable text={view.name} label={t('recipient')} />
          {view.recipientId !== null && (
            <Link
              href={`/recipients/${view.recipientId}`}
              className="text-label font-medium text-accent hover:underline"
            >
              {t('history')}
            </Link>
          )}
        </span>
      </Fact>
      <Fact label={t('iban')}>
        <Copyable text={view.payee} shown={shownPayee(view)} label={t('iban')} mono />
      </Fact>
      {payee !== 'bank_account' ? (
        <Found view={view} />
      ) : (
        <>
          <Fact label={t('bank')}>{view.bankName ?? t('bankUnknown')}</Fact>
          <Fact label={t('taxNumber')}>
            <Copyable text={view.taxNumber} label={t('taxNumber')} mono />
          </Fact>
        </>
      )}
      {view.phone !== null && (
        <Fact label={t('phone')}>
          <Copyable text={view.phone} label={t('phone')} mono />
        </Fact>
      )}
    </>
  );
}

/** Our own reference, and those of the provider. */
function ReferenceFacts({ view }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.facts');
  const { capabilities } = kindOf(view.kind);
  return (
    <>
      <Fact label={t('extId')}>
        <Copyable text={view.extId} label={t('extId')} mono />
      </Fact>
      {capabilities.record === 'request' && (
        <Fact label={t('requestId')}>
          {view.requestId === null ? (
            t('none')
          ) : (
            <Copyable text={view.requestId} label={t('requestId')} mono />
          )}
        </Fact>
      )}
      <Fact label={t('transactionId')}>
        {view.transactionId === null ? (
          t('none')
        ) : (
          <Copyable text={view.transactionId} label={t('transactionId')} mono />
        )}
      </Fact>
    </>
  );
}

/**
 * The search for the payee of a transfer to a person: the number searched by, and the masked name
 * that the provider returned.
 */
function Found({ view: { found } }: { view: MovementView }): ReactNode {
  const t = useTranslations('payout.facts');
  if (found === null) return null;
  return (
    <>
      <Fact label={t('foundBy')}>
        <Copyable text={found.key} label={t('foundBy')} mono />
      </Fact>
      <Fact label={t('foundName')}>
        <bdi>{found.name ?? t('none')}</bdi>
      </Fact>
    </>
  );
}

/** A predefined reason is stored by its name, any other as it was typed. */
function OverrideReason({ reason }: { reason: string }): ReactNode {
  const t = useTranslations('payoutErrors.reasons');
  return t.has(reason as 'salary') ? t(reason as 'salary') : reason;
}

function Copyable({
  text,
  shown = text,
  label,
  mono = false,
}: {
  text: string;
  shown?: string;
  label: string;
  mono?: boolean;
}): ReactNode {
  const t = useTranslations('payout.facts');
  return (
    <span className="inline-flex max-w-full min-w-0 items-center gap-1">
      <span className={`min-w-0 break-words ${mono ? 'font-mono text-mono' : ''}`}>{shown}</span>
      {!/[…*]/.test(text) && (
        <CopyButton text={text} label={t('copy', { label })} done={t('copied')} />
      )}
    </span>
  );
}
