import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { Suspense } from 'react';
import type { ReactNode } from 'react';
import { Forbidden } from '#app/refused-page.tsx';
import { RowsLoading } from '#components/list-loading.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { PageHead, Panel, Skeleton } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import { mayTypeCards } from '#lib/cards/saved/change.ts';
import { readCustomerNumber } from '#lib/cards/saved/schema.ts';
import { signedIn } from '#lib/login/session.ts';
import { CustomerCards } from './customer-cards.tsx';
import { CustomerForm } from './customer-form.tsx';
import { KnownCustomers } from './known-customers.tsx';
import { RegisterForm } from './register-form.tsx';

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('savedCards'))('title') };
}

export default async function SavedCardsPage({
  searchParams,
}: PageProps<'/cards/saved'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'card.read')) return <Forbidden person={person} needs="card.read" />;
  const { customer: asked } = await searchParams;
  const customer = readCustomerNumber(asked);
  const wrong = asked !== undefined && asked !== '' && customer === null;
  const t = await getTranslations('savedCards');
  return (
    <>
      <PageHead title={t('title')}>
        {customer !== null && <LinkButton href="/cards/saved">{t('known.title')}</LinkButton>}
      </PageHead>
      <p className="max-w-prose text-muted">{t('intro')}</p>
      <CustomerForm
        key={customer ?? ''}
        customer={customer ?? ''}
        wrong={wrong}
        words={{
          customer: t('customer'),
          customerHint: t('customerHint'),
          show: t('show'),
          customerWrong: t('customerWrong'),
          customerCard: t('customerCard'),
        }}
      />
      {customer !== null && (
        <Suspense
          key={customer}
          fallback={
            <RowsLoading>
              <Skeleton className="h-4 w-full" />
            </RowsLoading>
          }
        >
          <CustomerCards person={person} customer={customer} />
        </Suspense>
      )}
      {may(person.role, 'card.saved') && <Register customer={customer ?? ''} />}
      {customer === null && <KnownCustomers person={person} />}
    </>
  );
}

/**
 * The form that saves a card, where card numbers may pass through this server; elsewhere a text
 * explains how a card is saved.
 */
async function Register({ customer }: { customer: string }): Promise<ReactNode> {
  const t = await getTranslations('savedCards.register');
  if (!mayTypeCards())
    return (
      <Panel title={t('title')}>
        <div className="grid max-w-prose gap-2 px-4 py-3">
          <p>{t('off')}</p>
          <p className="text-muted">{t('instead')}</p>
        </div>
      </Panel>
    );
  return (
    <details className="no-print rounded-panel border border-hairline bg-surface">
      <summary className="px-4 py-2.5 text-section font-semibold">{t('title')}</summary>
      <div className="border-t border-hairline px-4 py-4">
        <Messages of={['savedCards']}>
          <RegisterForm key={customer} customer={customer} />
        </Messages>
      </div>
    </details>
  );
}
