import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { Banner } from '#components/ui/banner.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { readOffer } from '#lib/cards/checkout/offer.ts';
import { CHARGE_KINDS } from '#lib/cards/checkout/content.ts';
import { viewCardPayment } from '#lib/cards/payments/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { UUID } from '#lib/values/uuid.ts';
import { ChargeForm } from './charge-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('charges'))('title') };
}

/**
 * The payment's id is in the address from the start: a reload, the back button and a second press
 * all mean the same payment.
 */
export default async function NewChargePage({
  searchParams,
}: PageProps<'/cards/payments/new'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.charge')) return <Forbidden person={person} needs="card.charge" />;
  const { id, way } = await searchParams;
  const wanted = CHARGE_KINDS.find((kind) => kind === way) ?? null;
  if (typeof id !== 'string' || !UUID.test(id))
    redirect(`/cards/payments/new?id=${randomUUID()}${wanted === null ? '' : `&way=${wanted}`}`);
  if ((await viewCardPayment(person, id)) !== null) redirect(`/cards/payments/${id}`);
  const [offer, t] = await Promise.all([readOffer(person), getTranslations('charges')]);
  return (
    <>
      <BackLink href="/cards/payments">{t('back')}</BackLink>
      <PageHead title={t('title')} />
      {!offer.answered && <Banner tone="attention">{t('modeUnknown')}</Banner>}
      {offer.entry === 'off' && <Banner tone="draft">{t('closedWays')}</Banner>}
      <Messages of={['charges', 'refusals']}>
        <ChargeForm key={id} id={id} offer={offer} wanted={wanted} />
      </Messages>
    </>
  );
}
