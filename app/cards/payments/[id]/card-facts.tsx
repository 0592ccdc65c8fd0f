import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { gatewayDay } from '#app/cards/gateway-day.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { When } from '#components/when.tsx';
import { captureEndsAt } from '#lib/cards/payments/authorization.ts';
import type { CardPaymentView } from '#lib/cards/payments/view.ts';
import { formatMoment } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { CardDigits } from '../card-state.tsx';

export async function CardFacts({ payment }: { payment: CardPaymentView }): Promise<ReactNode> {
  const t = await getTranslations('cards.facts');
  const copied = (await getTranslations('common'))('copied');
  const locale = (await getLocale()) as Locale;
  return (
    <Panel title={t('title')}>
      <Facts>
        <AmountFacts payment={payment} />
        <Fact label={t('card')}>
          <CardDigits card={payment.card} />
        </Fact>
        <Fact label={t('invoice')}>
          <span className="font-mono text-mono break-all">{payment.invoiceId}</span>{' '}
          <CopyButton text={payment.invoiceId} label={t('copyInvoice')} done={copied} />
        </Fact>
        {payment.orderId !== null && (
          <Fact label={t('order')}>
            <span className="font-mono text-mono break-all">{payment.orderId}</span>{' '}
            <CopyButton text={payment.orderId} label={t('copyOrder')} done={copied} />
          </Fact>
        )}
        {payment.transactionId !== null && (
          <Fact label={t('transaction')}>
            <span className="font-mono text-mono break-all">{payment.transactionId}</span>
          </Fact>
        )}
        {payment.reason !== null && <Fact label={t('reason')}>{payment.reason}</Fact>}
        {payment.state === 'held' && <HoldFacts payment={payment} />}
        {payment.settlesOn !== null && (
          <Fact label={t('settles')}>{gatewayDay(payment.settlesOn, locale)}</Fact>
        )}
        {payment.planCode !== null && (
          <Fact label={t('plan')}>
            <span className="font-mono text-mono break-all">{payment.planCode}</span>
          </Fact>
        )}
        <Fact label={t('source')}>
          {payment.source === 'notice'
            ? t('fromNotice')
            : t(payment.source === 'made_here' ? 'madeHere' : 'byHand', {
                name: payment.addedBy ?? '',
              })}
        </Fact>
        <Fact label={t('seen')}>
          <When at={payment.firstSeenAt} seconds />
        </Fact>
        <Fact label={t('verified')}>
          {payment.verifiedAt === null ? t('never') : <When at={payment.verifiedAt} seconds />}
        </Fact>
        <Fact label={t('next')}>
          {payment.nextAt === null ? (
            t('noNext')
          ) : (
            <When at={payment.nextAt} now={payment.now} seconds />
          )}
        </Fact>
      </Facts>
    </Panel>
  );
}

async function AmountFacts({ payment }: { payment: CardPaymentView }): Promise<ReactNode> {
  const t = await getTranslations('cards.facts');
  const locale = (await getLocale()) as Locale;
  const money = (amount: string): string => formatMoney(amount, payment.currency, locale);
  return (
    <>
      {payment.amount !== null && (
        <Fact label={t('amount')}>
          <span className="font-medium tabular-nums">{money(payment.amount)}</span>
          <span className="block text-label text-muted">
            {t('currencyNote', { currency: payment.currency })}
          </span>
        </Fact>
      )}
      {payment.charged !== null && <Fact label={t('charged')}>{money(payment.charged)}</Fact>}
      {payment.refunded !== null && <Fact label={t('refunded')}>{money(payment.refunded)}</Fact>}
    </>
  );
}

/** Since when an authorization holds, and until when it can be captured. */
async function HoldFacts({
  payment: { heldSince, lapsesAt },
}: {
  payment: CardPaymentView;
}): Promise<ReactNode> {
  const t = await getTranslations('cards.facts');
  const locale = (await getLocale()) as Locale;
  const moment = (at: string): string => formatMoment(at, locale, workspace().timeZone);
  return (
    <>
      {heldSince !== null && (
        <>
          <Fact label={t('heldSince')}>
            <When at={heldSince} />
          </Fact>
          <Fact label={t('captureEnds')}>
            {moment(new Date(captureEndsAt(Date.parse(heldSince))).toISOString())}
          </Fact>
        </>
      )}
      {lapsesAt !== null && <Fact label={t('lapses')}>{moment(lapsesAt)}</Fact>}
    </>
  );
}
