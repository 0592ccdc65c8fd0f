import { randomUUID } from 'node:crypto';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { loginWords } from '#app/login/login-words.ts';
import { EarlierMovement } from '#app/movements/form/earlier-movement.tsx';
import { SendingStopped } from '#app/movements/form/sending-stopped.tsx';
import { Forbidden } from '#app/refused-page.tsx';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { PageHead } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import { isTransfer, movementAddress, TRANSFER_KINDS } from '#lib/movements/kinds.ts';
import { isCopied } from '#lib/movement-views/situation.ts';
import { ownLimitsLeft } from '#lib/movements/own-limit.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { lastUsed } from '#lib/payouts/last-used.ts';
import { signedIn } from '#lib/login/session.ts';
import { NO_TRANSFER_TYPED } from '#lib/transfers/draft.ts';
import type { TypedTransfer } from '#lib/transfers/draft.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { walletsAtOnce } from '#lib/wallets/view.ts';
import { UUID } from '#lib/values/uuid.ts';
import { TransferForm } from './transfer-form.tsx';

type Asked = {
  id: string | null;
  retry_of: string | null;
  copy: string | null;
  wallet: string | null;
  kind: string | null;
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('newTransfer'))('title') };
}

/** The transfer's id is in the address from the start, as a payout's is. */
export default async function NewTransferPage({
  searchParams,
}: PageProps<'/transfers/new'>): Promise<ReactNode> {
  const person = await signedIn();
  if (!may(person.role, 'payout.prepare'))
    return <Forbidden person={person} needs="payout.prepare" />;
  const t = await getTranslations('newTransfer');
  const asked = readAsked(await searchParams);
  if (asked.id === null) redirect(`/transfers/new?${addressOf({ ...asked, id: randomUUID() })}`);
  const own = await viewMovement(person, asked.id);
  if (own) redirect(movementAddress(own));
  const from = asked.retry_of ?? asked.copy;
  const found = from === null ? null : await viewMovement(person, from);
  const earlier =
    found === null || !isTransfer(found.kind) || (asked.retry_of === null && !isCopied(found))
      ? null
      : found;
  return (
    <>
      <BackLink href="/transfers">{t('back')}</BackLink>
      <PageHead title={t('title')} />
      <SendingStopped person={person} kinds={TRANSFER_KINDS} />
      {earlier && (
        <EarlierMovement
          view={earlier}
          as={asked.retry_of === null ? 'copy' : 'retry'}
          words="newTransfer"
        />
      )}
      {(earlier === null || asked.retry_of === null || earlier.can.payAgain) && (
        <FreshForm person={person} asked={{ ...asked, id: asked.id }} earlier={earlier} />
      )}
    </>
  );
}

async function FreshForm({
  person,
  asked,
  earlier,
}: {
  person: Person;
  asked: Asked & { id: string };
  earlier: MovementView | null;
}): Promise<ReactNode> {
  const locale = (await getLocale()) as Locale;
  const [wallets, types, last, ownLimits] = await Promise.all([
    walletsAtOnce(person),
    paymentTypesSoon(locale, 'choice'),
    lastUsed(person),
    ownLimitsLeft(person),
  ]);
  const payable = (number: string | null): string =>
    wallets.known.value?.find((wallet) => wallet.number === number && wallet.payable)?.number ?? '';
  const typed: TypedTransfer =
    earlier === null
      ? {
          ...NO_TRANSFER_TYPED,
          kind: asked.kind ?? NO_TRANSFER_TYPED.kind,
          wallet: payable(asked.wallet) || payable(last.wallet),
        }
      : { ...NO_TRANSFER_TYPED, ...typedAgain(earlier, locale), wallet: payable(earlier.wallet) };
  const facts = {
    id: asked.id,
    retryOf: earlier === null ? null : asked.retry_of,
    typed,
    wallets,
    ownLimits,
    types,
    now: new Date().toISOString(),
    keptAs: `draft:${person.personId}:${asked.id}`,
  };
  return (
    <Messages
      of={['foreseen', 'newPayout', 'payoutErrors', 'refusals', 'states']}
      instead={{ newPayout: 'newTransfer', payoutErrors: 'transferErrors' }}
    >
      <TransferForm
        key={asked.id}
        facts={facts}
        lastUsed={last.wallet}
        loginWords={await loginWords()}
      />
    </Messages>
  );
}

/**
 * The values of an earlier transfer. A person is searched again by the same number: the wallet
 * found then may belong to another person now.
 */
function typedAgain(
  { kind, payee, name, found, amount, paymentType, description }: MovementView,
  locale: Locale,
): Partial<TypedTransfer> {
  const digits = found?.key.replace(/\s/g, '') ?? '';
  const key: Partial<TypedTransfer> =
    found === null
      ? { toWallet: payee }
      : found.key.startsWith('+')
        ? { by: 'phone', country: /^\+(\d+)/.exec(found.key)?.[1] ?? '', phone: digits }
        : { by: 'account', account: digits };
  return {
    kind,
    ...key,
    name: kind === 'transfer_own' ? '' : name,
    amount: formatAmount(amount, locale),
    paymentType,
    description,
  };
}

function readAsked(params: Record<string, string | string[] | undefined>): Asked {
  const text = (name: string, shape: RegExp): string | null => {
    const value = params[name];
    return typeof value === 'string' && shape.test(value) ? value : null;
  };
  const kind = text('kind', /^transfer_/);
  return {
    id: text('id', UUID),
    retry_of: text('retry_of', UUID),
    copy: text('copy', UUID),
    wallet: text('wallet', /^\d{4,20}$/),
    kind: kind !== null && isTransfer(kind) ? kind : null,
  };
}

function addressOf(asked: Asked): string {
  return new URLSearchParams(
    Object.entries(asked).filter((pair): pair is [string, string] => pair[1] !== null),
  ).toString();
}
