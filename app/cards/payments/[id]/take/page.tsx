import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { notFound, redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { Fact, Facts, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { readTaking } from '#lib/cards/checkout/take.ts';
import type { Taking } from '#lib/cards/checkout/take.ts';
import { dayIn } from '#lib/values/dates.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatMoney } from '#lib/values/money.ts';
import { signedIn } from '#lib/login/session.ts';
import { workspace } from '#lib/runtime/workspace.ts';
import { GatewayForm } from './gateway-form.tsx';
import { HereForm } from './here-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('charges'))('take.title') };
}

/**
 * The card is typed, or a saved one confirmed, here. Only this page's content security policy
 * allows a form to post to the gateway (proxy.ts), so the page is always fully loaded.
 */
export default async function TakePage({
  params,
}: PageProps<'/cards/payments/[id]/take'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.charge')) return <Forbidden person={person} needs="card.charge" />;
  const { id } = await params;
  const taking = await readTaking(person, id);
  if (taking === 'missing') notFound();
  if (taking === 'closed') redirect(`/cards/payments/${id}`);
  const t = await getTranslations('charges.take');
  return (
    <>
      <BackLink href={`/cards/payments/${id}`}>{t('back')}</BackLink>
      {taking === 'no_card' ? (
        <>
          <PageHead title={t('titleSaved')} />
          <Banner tone="attention">{t('noCard')}</Banner>
        </>
      ) : (
        <Take taking={taking} />
      )}
    </>
  );
}

async function Take({ taking }: { taking: Taking }): Promise<ReactNode> {
  const t = await getTranslations('charges.take');
  const { content, kind } = taking;
  const amount = formatMoney(taking.amount, taking.currency, (await getLocale()) as Locale);
  const firstYear = Number(dayIn(taking.now, workspace().timeZone).slice(0, 4));
  const isSaved = kind === 'saved_three_d' || kind === 'saved_non_secure';
  const label = t(content.hold ? 'payHold' : 'pay', { amount });
  return (
    <>
      <PageHead title={t(isSaved ? 'titleSaved' : 'title')} />
      <Panel className="max-w-[35rem]">
        <Facts>
          <Fact label={t('amount')}>
            <span className="text-section font-semibold tabular-nums">{amount}</span>
          </Fact>
          <Fact label={t('customer')}>
            {content.buyer.name} {content.buyer.surname}
          </Fact>
          <Fact label={t('items')}>
            {content.items.map((item) => `${item.quantity} × ${item.name}`).join(', ')}
          </Fact>
          {content.installments > 1 && (
            <Fact label={t('installments')}>{content.installments}</Fact>
          )}
          {isSaved && (
            <Fact label={t('card')}>
              <span className="font-mono text-mono">
                {taking.card === null ? '–' : `•••• ${taking.card.slice(-4)}`}
              </span>
            </Fact>
          )}
        </Facts>
        <div className="grid gap-4 border-t border-hairline px-4 py-4">
          <p className="text-muted">
            {t(isSaved ? 'saved' : kind === 'three_d' ? 'threeD' : 'nonSecure')}
          </p>
          <Messages of={['charges', 'refusals']}>
            {taking.form === null ? (
              <HereForm
                id={taking.id}
                label={label}
                typed={kind === 'non_secure'}
                withCode={content.insurance === undefined}
                firstYear={firstYear}
              />
            ) : (
              <GatewayForm form={taking.form} label={label} firstYear={firstYear} />
            )}
          </Messages>
        </div>
      </Panel>
    </>
  );
}
