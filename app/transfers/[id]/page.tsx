import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import type { ReactNode } from 'react';
import { ApprovalPanel } from '#app/movements/approval-panel.tsx';
import { HeldSends } from '#app/movements/held-sends.tsx';
import { MovementIsland } from '#app/movements/movement-island.tsx';
import { listHeldSends } from '#lib/send-control/list-held.ts';
import { BackLink } from '#components/back-link.tsx';
import { drawnText } from '#components/drawn.ts';
import { Messages } from '#components/messages.tsx';
import type { Locale } from '#lib/values/locale.ts';
import { isTransfer, movementAddress } from '#lib/movements/kinds.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { currentPerson, signedIn } from '#lib/login/session.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { walletNames } from '#lib/wallets/names.ts';
import { UUID } from '#lib/values/uuid.ts';

const readTransfer = cache(async (id: string): Promise<MovementView | null> => {
  const person = await currentPerson();
  return person && UUID.test(id) ? viewMovement(person, id) : null;
});

export async function generateMetadata({
  params,
}: PageProps<'/transfers/[id]'>): Promise<Metadata> {
  const view = await readTransfer((await params).id);
  return view
    ? { title: (await getTranslations('transfer'))('title', { name: drawnText(view.name) }) }
    : {};
}

export default async function TransferPage({
  params,
}: PageProps<'/transfers/[id]'>): Promise<ReactNode> {
  const { id } = await params;
  const person = await signedIn();
  const view = await readTransfer(id);
  if (!view) notFound();
  if (!isTransfer(view.kind)) redirect(movementAddress(view));
  const locale = (await getLocale()) as Locale;
  const t = await getTranslations('transfer');
  const [wallets, held, types] = await Promise.all([
    walletNames(person),
    listHeldSends(person, id),
    view.paymentType === '' ? [] : paymentTypesSoon(locale, 'names'),
  ]);
  return (
    <>
      <BackLink href="/transfers">{t('back')}</BackLink>
      <Messages
        of={['payout', 'states', 'live', 'refusals', 'payoutErrors', 'secondPerson', 'sending']}
        instead={{ payout: 'transfer' }}
      >
        <MovementIsland
          view={view}
          walletName={wallets.find((wallet) => wallet.number === view.wallet)?.name ?? null}
          paymentType={types.find((type) => type.code === view.paymentType)?.description ?? null}
          approval={<ApprovalPanel person={person} view={view} />}
        />
      </Messages>
      <HeldSends held={held} />
    </>
  );
}
