import { randomUUID } from 'node:crypto';
import { Repeat } from 'lucide-react';
import type { Metadata } from 'next';
import { getLocale, getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { loginWords } from '#app/login/login-words.ts';
import { BackLink } from '#components/back-link.tsx';
import { Messages } from '#components/messages.tsx';
import { LinkButton } from '#components/ui/button.tsx';
import { EmptyState, PageHead, Panel } from '#components/ui/panel.tsx';
import { may } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { noteNotAllowed } from '#lib/audit/note-not-allowed.ts';
import { offersCashout } from '#lib/payouts/card-balance/offered.ts';
import { groupIban } from '#lib/values/iban.ts';
import type { Locale } from '#lib/values/locale.ts';
import { formatAmount } from '#lib/values/money.ts';
import { ownLimitsLeft } from '#lib/movements/own-limit.ts';
import { isCopied } from '#lib/movement-views/situation.ts';
import { viewMovement } from '#lib/movement-views/view.ts';
import type { MovementView } from '#lib/movement-views/view-model.ts';
import { NOTHING_TYPED } from '#lib/payouts/draft.ts';
import type { TypedPayout } from '#lib/payouts/draft.ts';
import { lastUsed } from '#lib/payouts/last-used.ts';
import type { LastUsed } from '#lib/payouts/last-used.ts';
import { knownPayee, knownRecipients } from '#lib/recipients/known.ts';
import { viewStop } from '#lib/send-control/view.ts';
import { signedIn } from '#lib/login/session.ts';
import { paymentTypesSoon } from '#lib/wallets/ask.ts';
import { walletsAtOnce } from '#lib/wallets/view.ts';
import { UUID } from '#lib/values/uuid.ts';
import { PayoutForm } from './payout-form.tsx';
import { EarlierMovement } from '#app/movements/form/earlier-movement.tsx';
import { SendingStopped } from '#app/movements/form/sending-stopped.tsx';

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };
type Asked = {
  id: string | null;
  retryOf: string | null;
  copy: string | null;
  /** A completed payout that is made once more. */
  repeat: string | null;
  wallet: string | null;
  /** A saved recipient's account. */
  payee: string | null;
};

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations('newPayout'))('title') };
}

/**
 * The payout's id is in the address from the start: a reload, the back button, a duplicated tab and
 * a second press all mean the same payout, and an address whose payout exists redirects to it.
 */
export default async function NewPayoutPage({ searchParams }: Props): Promise<ReactNode> {
  const person = await signedIn();
  const t = await getTranslations('newPayout');
  if (!may(person.role, 'payout.prepare')) return <NotAllowed person={person} />;
  const asked = readAsked(await searchParams);
  if (asked.id === null) redirect(`/payouts/new?${addressOf({ ...asked, id: randomUUID() })}`);
  if (await viewMovement(person, asked.id)) redirect(`/payouts/${asked.id}`);
  const from = asked.retryOf ?? asked.copy;
  const [found, last, repeated] = await Promise.all([
    from === null ? null : viewMovement(person, from),
    lastUsed(person),
    asked.repeat === null ? null : viewMovement(person, asked.repeat),
  ]);
  const earlier =
    found === null || found.kind !== 'payout' || (asked.retryOf === null && !isCopied(found))
      ? null
      : found;
  return (
    <>
      <BackLink href="/payouts">{t('back')}</BackLink>
      <PageHead title={t('title')}>
        {last.payout && found === null && repeated === null && (
          <LinkButton href={`/payouts/new?repeat=${last.payout.id}`} className="max-w-full min-w-0">
            <Repeat aria-hidden className="size-4 shrink-0" />
            <span className="max-w-xs truncate">{t('repeat', { name: last.payout.name })}</span>
          </LinkButton>
        )}
      </PageHead>
      <SendingStopped person={person} kinds={['payout']} />
      {earlier && (
        <EarlierMovement
          view={earlier}
          as={asked.retryOf === null ? 'copy' : 'retry'}
          words="newPayout"
        />
      )}
      {(earlier === null || asked.retryOf === null || earlier.can.payAgain) && (
        <FreshForm
          person={person}
          asked={{ ...asked, id: asked.id }}
          earlier={earlier ?? (isRepeated(repeated) ? repeated : null)}
          last={last}
        />
      )}
    </>
  );
}

/**
 * Whether `view` is a completed payout, which may be made once more; the form warns of a repeated
 * payout as of any similar one.
 */
function isRepeated(view: MovementView | null): view is MovementView {
  return view?.kind === 'payout' && view.state === 'COMPLETED' && view.returned === 'NONE';
}

/** `earlier`: the payout whose content the form starts with. */
async function FreshForm({
  person,
  asked,
  earlier,
  last,
}: {
  person: Person;
  asked: Asked & { id: string };
  earlier: MovementView | null;
  last: LastUsed;
}): Promise<ReactNode> {
  const locale = (await getLocale()) as Locale;
  const [wallets, types, known, payee, payout, cashout, ownLimits] = await Promise.all([
    walletsAtOnce(person),
    paymentTypesSoon(locale, 'choice'),
    knownRecipients(person, ''),
    asked.payee === null ? null : knownPayee(person, asked.payee),
    viewStop(person, 'payout'),
    viewStop(person, 'cashout'),
    ownLimitsLeft(person),
  ]);
  const payable = (number: string | null): string =>
    wallets.known.value?.find((wallet) => wallet.number === number && wallet.payable)?.number ?? '';
  const typed: TypedPayout =
    earlier === null
      ? {
          ...NOTHING_TYPED,
          wallet: payable(asked.wallet) || payable(last.wallet),
          ...(payee && {
            iban: groupIban(payee.iban),
            name: payee.name,
            taxNumber: payee.taxNumber,
          }),
        }
      : {
          phone: '',
          wallet: payable(earlier.wallet),
          iban: groupIban(earlier.payee),
          name: earlier.name,
          taxNumber: earlier.taxNumber,
          amount: formatAmount(earlier.amount, locale),
          paymentType: earlier.paymentType,
          description: earlier.description,
        };
  const facts = {
    id: asked.id,
    retryOf: earlier === null ? null : asked.retryOf,
    typed,
    wallets,
    ownLimits,
    types,
    card: earlier === null && offersCashout(),
    stopped: { payout: payout !== null, cashout: cashout !== null },
    now: new Date().toISOString(),
    keptAs: `draft:${person.personId}:${asked.id}`,
  };
  return (
    <Messages of={['foreseen', 'newPayout', 'payoutErrors', 'refusals', 'states']}>
      <PayoutForm
        key={asked.id}
        facts={facts}
        known={known}
        last={last}
        loginWords={await loginWords()}
      />
    </Messages>
  );
}

async function NotAllowed({ person }: { person: Person }): Promise<ReactNode> {
  await noteNotAllowed(person, 'payout.prepare');
  const t = await getTranslations('newPayout.forbidden');
  const role = (await getTranslations('shell'))(`roles.${person.role}`);
  return (
    <Panel>
      <EmptyState
        title={<h1>{t('title')}</h1>}
        actions={<LinkButton href="/payouts">{t('list')}</LinkButton>}
      >
        {t('text', { role })}
      </EmptyState>
    </Panel>
  );
}

function readAsked(params: Record<string, string | string[] | undefined>): Asked {
  const uuid = (name: string): string | null => {
    const text = params[name];
    return typeof text === 'string' && UUID.test(text) ? text : null;
  };
  const wallet = params.wallet;
  return {
    id: uuid('id'),
    retryOf: uuid('retry_of'),
    copy: uuid('copy'),
    repeat: uuid('repeat'),
    payee: uuid('payee'),
    wallet: typeof wallet === 'string' && /^\d{4,20}$/.test(wallet) ? wallet : null,
  };
}

function addressOf({ id, retryOf, copy, repeat, wallet, payee }: Asked): string {
  const params = new URLSearchParams();
  for (const [name, value] of [
    ['id', id],
    ['retry_of', retryOf],
    ['copy', copy],
    ['repeat', repeat],
    ['wallet', wallet],
    ['payee', payee],
  ] as const)
    if (value !== null) params.set(name, value);
  return params.toString();
}
