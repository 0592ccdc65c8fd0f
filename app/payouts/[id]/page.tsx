import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import type { ReactNode } from 'react';
import { BackLink } from '#components/back-link.tsx';
import { drawnText } from '#components/drawn.ts';
import { Messages } from '#components/messages.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { CARD_BALANCE_PAYOUT, movementAddress } from '#lib/movements/kinds.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { currentPerson, signedIn } from '#lib/login/session.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { UUID } from '#lib/values/uuid.ts';
import { ApprovalPanel } from '#app/movements/approval-panel.tsx';
import { HeldSends } from '#app/movements/held-sends.tsx';
import { MovementIsland } from '#app/movements/movement-island.tsx';
import { listHeldSends } from '#lib/send-control/list-held.ts';

type Props = { params: Promise<{ id: string }> };

/** Another merchant's payout and a payout that never existed give the same answer. */
const readPayout = cache(async (id: string): Promise<MovementView | null> => {
  const person = await currentPerson();
  return person && UUID.test(id) ? viewMovement(person, id) : null;
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const view = await readPayout((await params).id);
  return view
    ? { title: (await getTranslations('payout'))('title', { name: drawnText(view.name) }) }
    : {};
}

export default async function PayoutPage({ params }: Props): Promise<ReactNode> {
  const { id } = await params;
  const person = await signedIn();
  const view = await readPayout(id);
  if (!view) notFound();
  const card = view.kind === CARD_BALANCE_PAYOUT;
  if (view.kind !== 'payout' && !card) redirect(movementAddress(view));
  const locale = (await getLocale()) as Locale;
  const t = await getTranslations('payout');
  const [wallets, held, types] = await Promise.all([
    walletNames(person),
    listHeldSends(person, id),
    paymentTypesSoon(locale, 'names'),
  ]);
  return (
    <>
      <BackLink href="/payouts">{t('back')}</BackLink>
      <Messages
        of={[
          'payout',
          'states',
          'live',
          'refusals',
          'payoutErrors',
          'secondPerson',
          'sending',
          ...(card ? ['cashout' as const] : []),
        ]}
        instead={card ? { payout: 'cashout' } : {}}
      >
        <MovementIsland
          view={view}
          walletName={
            card
              ? (await getTranslations('cashout'))('from')
              : (wallets.find((wallet) => wallet.number === view.wallet)?.name ?? null)
          }
          paymentType={types.find((type) => type.code === view.paymentType)?.description ?? null}
          approval={<ApprovalPanel person={person} view={view} />}
        />
      </Messages>
      <HeldSends held={held} />
    </>
  );
}
