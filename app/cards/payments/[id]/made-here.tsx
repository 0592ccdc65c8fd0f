import { getLocale, getTranslations } from 'next-intl/server';
import type { ReactNode } from 'react';
import { ActionButton } from '#components/action-button.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { FileButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Fact, Facts, Panel } from '#components/ui/panel.tsx';
import { Cell, Head, Row, Table } from '#components/ui/table.tsx';
import type { CardPaymentView, MadeHere } from '#lib/cards/payments/view.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { askLinkAgain, completeVerified } from './take/actions.ts';

type Made = { payment: CardPaymentView; made: MadeHere; mayCharge: boolean };

/** While the outcome is unknown: how far the checkout got, and what must not be done now. */
export async function MadeStep({ payment, made, mayCharge }: Made): Promise<ReactNode> {
  const t = await getTranslations('charges.made');
  if (made.kind === 'link') return <LinkStep payment={payment} made={made} mayCharge={mayCharge} />;
  if (payment.state !== null && payment.state !== 'pending') return null;
  if (made.verified) {
    const amount = formatMoney(
      payment.amount ?? '0',
      payment.currency,
      (await getLocale()) as Locale,
    );
    const buttons = mayCharge ? (
      <>
        <ActionButton
          action={completeVerified}
          fields={{ id: payment.id, what: 'complete' }}
          look="primary"
        >
          {t('complete', { amount })}
        </ActionButton>
        <ActionButton action={completeVerified} fields={{ id: payment.id, what: 'cancel' }}>
          {t('callOff')}
        </ActionButton>
      </>
    ) : undefined;
    return (
      <Banner tone="attention" live title={t('verified')} actions={buttons}>
        {t('verifiedText')}
      </Banner>
    );
  }
  if (made.open) {
    // A plain link: that page has a content security policy of its own, which only a full page load
    // applies.
    const button = mayCharge ? (
      <FileButton href={`/cards/payments/${payment.id}/take`} look="primary">
        {t('toCard')}
      </FileButton>
    ) : undefined;
    return (
      <Banner
        tone="draft"
        title={t(made.kind.startsWith('saved') ? 'openSaved' : 'open')}
        actions={button}
      >
        {t('openText')}
      </Banner>
    );
  }
  return <Unclear payment={payment} />;
}

async function Unclear({ payment }: { payment: CardPaymentView }): Promise<ReactNode> {
  const t = await getTranslations('charges.made');
  return (
    <Banner tone="unknown" live title={t('unclear')}>
      {t(payment.problem === 'not_found' ? 'nobody' : 'unclearText')}
    </Banner>
  );
}

async function LinkStep({ payment, made, mayCharge }: Made): Promise<ReactNode> {
  const t = await getTranslations('charges.made');
  if (payment.state !== null && payment.state !== 'pending') return null;
  if (made.link === null)
    return (
      <Banner
        tone="attention"
        title={t('noLink')}
        actions={
          mayCharge && made.open ? (
            <ActionButton action={askLinkAgain} fields={{ id: payment.id }}>
              {t('askLink')}
            </ActionButton>
          ) : undefined
        }
      >
        {t('noLinkText')}
      </Banner>
    );
  // The customer may have paid with it: it is not to be sent again.
  if (payment.link !== 'unpaid') return <Unclear payment={payment} />;
  return (
    <Banner tone="draft" title={t('link')}>
      {t('linkText')}
      <span className="mt-1 block">
        <span className="font-mono text-mono break-all">{made.link}</span>{' '}
        <CopyButton
          text={made.link}
          label={t('copy')}
          done={(await getTranslations('common'))('copied')}
        />
      </span>
    </Banner>
  );
}

/** What was requested, for a payment that was made here. */
export async function MadeFacts({
  payment,
  made: { kind, content },
}: Omit<Made, 'mayCharge'>): Promise<ReactNode> {
  const t = await getTranslations('charges');
  const { bill, recurring, agriculture } = content;
  const contact = [bill.email, bill.phone].filter(Boolean).join(' · ');
  const address = [bill.address1, bill.address2, bill.postcode, bill.state, bill.city, bill.country]
    .filter(Boolean)
    .join(', ');
  return (
    <Panel list title={t('made.title')}>
      <Facts>
        <Fact label={t('made.way')}>{t(`ways.${kind}.name`)}</Fact>
        <Fact label={t('made.by')}>{payment.addedBy}</Fact>
        <Fact label={t('made.buyer')}>
          {content.buyer.name} {content.buyer.surname}
        </Fact>
        {contact !== '' && <Fact label={t('made.contact')}>{contact}</Fact>}
        {address !== '' && <Fact label={t('made.address')}>{address}</Fact>}
        <Fact label={t('made.description')}>{content.description}</Fact>
        {content.installments > 1 && (
          <Fact label={t('made.installments')}>{content.installments}</Fact>
        )}
        {content.cardProgram !== undefined && (
          <Fact label={t('made.program')}>{content.cardProgram}</Fact>
        )}
        {content.commissionBy !== undefined && (
          <Fact label={t('made.commission')}>
            {t(`payment.commission.${content.commissionBy}`)}
          </Fact>
        )}
        {recurring !== undefined && (
          <Fact label={t('made.recurring')}>
            {t('made.recurringText', {
              count: recurring.count,
              interval: recurring.interval,
              cycle: recurring.cycle,
            })}
          </Fact>
        )}
        {content.insurance !== undefined && (
          <Fact label={t('made.insurance')}>{content.insurance.identityNumber}</Fact>
        )}
        {agriculture !== undefined && (
          <Fact label={t('made.agriculture')}>
            {t('made.agricultureText', {
              maturity: agriculture.maturityPeriod,
              frequency: agriculture.paymentFrequency,
            })}
          </Fact>
        )}
      </Facts>
      <ItemTable items={content.items} currency={payment.currency} />
    </Panel>
  );
}

async function ItemTable({
  items,
  currency,
}: {
  items: MadeHere['content']['items'];
  currency: string;
}): Promise<ReactNode> {
  const t = await getTranslations('charges');
  const locale = (await getLocale()) as Locale;
  return (
    <Table
      caption={t('made.itemsCaption')}
      head={
        <>
          <Head>{t('items.name')}</Head>
          <Head numeric>{t('items.quantity')}</Head>
          <Head numeric>{t('items.price')}</Head>
        </>
      }
    >
      {items.map((item, index) => (
        <Row key={index}>
          <Cell first>
            <span className="break-words">{item.name}</span>
            {item.description !== '' && (
              <span className="block text-label text-muted">{item.description}</span>
            )}
          </Cell>
          <Cell label={t('items.quantity')} numeric>
            {item.quantity}
          </Cell>
          <Cell label={t('items.price')} numeric>
            {formatMoney(BigInt(item.priceMinor), currency, locale)}
          </Cell>
        </Row>
      ))}
    </Table>
  );
}
