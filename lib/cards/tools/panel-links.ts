import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { soon } from '#lib/runtime/short-lived-cache.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import { toDecimal } from '#lib/values/money.ts';
import { loginClient } from '#lib/providers/login/configured-client.ts';
import type { LinkAnswer, LinkUse, PaymentLink } from '#lib/providers/login/types.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { providerToken } from '#lib/login/provider-token.ts';
import type { PanelLinkForm, PanelLinkQuery } from './panel-link-form.ts';

/**
 * Payment links of the merchant panel: pages of the provider on which anybody can pay the merchant.
 * Nothing about them is stored here; each query uses the viewer's own token. They move no money of
 * ours, and are made and sent once for each click.
 */

const PAGE_ROWS = 20;

/** Amounts are decimal text; null: the payer enters it. */
export type PanelLink = Omit<PaymentLink, 'amountMinor' | 'token'> & { amount: string | null };
/** `signed_in_long_ago`: the provider's token of this session has expired. */
type NotAnswered = { kind: 'signed_in_long_ago' } | { kind: 'no_answer' };

export type PanelLinkList =
  | { kind: 'listed'; rows: PanelLink[]; page: number; pages: number; count: number }
  | NotAnswered;

export async function listPanelLinks(
  actor: Person,
  { which, page }: PanelLinkQuery,
): Promise<PanelLinkList> {
  assertMay(actor, 'card.read');
  const answer = await withToken(actor, (token) =>
    soon(loginClient().listPaymentLinks(token, which, { index: page - 1, size: PAGE_ROWS })),
  );
  if (answer.kind !== 'answered') return notAnswered(answer);
  const { rows, pageCount, rowCount } = answer.value;
  return { kind: 'listed', rows: rows.map(shown), page, pages: pageCount, count: rowCount };
}

export async function viewPanelLink(
  actor: Person,
  id: string,
): Promise<{ kind: 'found'; link: PanelLink } | { kind: 'not_found' } | NotAnswered> {
  assertMay(actor, 'card.read');
  const answer = await withToken(actor, (token) => soon(loginClient().getPaymentLink(token, id)));
  if (answer.kind === 'answered') return { kind: 'found', link: shown(answer.value) };
  return answer.kind === 'not_found' ? answer : notAnswered(answer);
}

/** `unclear`: it may have been done; the list or the recipient shows whether it was. */
export type PanelLinkDone<T> =
  | { kind: 'done'; value: T }
  | { kind: 'refused' }
  | { kind: 'not_found' }
  | { kind: 'unclear' }
  | { kind: 'signed_in_long_ago' };

export async function makePanelLink(
  actor: Person,
  form: PanelLinkForm,
): Promise<PanelLinkDone<{ id: string }>> {
  assertMay(actor, 'card.charge');
  await countAttempt(actor, 'link.make');
  await inTransaction(actor.merchantId, (tx) =>
    audit(tx, actor, 'card.panel_link_asked', 'card:links', {
      amount: toDecimal(form.amountMinor),
      currency: form.currency,
      use: form.use,
      product: form.product,
    }),
  );
  const answer = await withToken(actor, (token) =>
    loginClient().createPaymentLink(token, { ...form, payerSetsAmount: false, photo: null }),
  );
  return done(answer, ({ id }) => ({ id }));
}

/** Has the provider send the link: each click sends a message. Returns the link's address. */
export async function sendPanelLink(
  actor: Person,
  link: { id: string; use: LinkUse },
  to: { emails: string[] } | { phones: string[] },
): Promise<PanelLinkDone<{ address: string }>> {
  assertMay(actor, 'card.charge');
  await countAttempt(actor, 'link.make');
  await inTransaction(actor.merchantId, (tx) =>
    audit(
      tx,
      actor,
      'card.panel_link_sent',
      'card:links',
      { link: link.id },
      { to: ('emails' in to ? to.emails : to.phones).join(', ') },
    ),
  );
  const answer = await withToken(actor, (token) => loginClient().sendPaymentLink(token, link, to));
  return done(answer, ({ address }) => ({ address }));
}

async function withToken<T>(
  actor: Person,
  ask: (token: string) => Promise<LinkAnswer<T> | null>,
): Promise<LinkAnswer<T>> {
  const token = await providerToken(actor);
  return token === null
    ? { kind: 'unauthorized' }
    : ((await ask(token)) ?? { kind: 'unavailable', why: 'late' });
}

function notAnswered(answer: { kind: string }): NotAnswered {
  return answer.kind === 'unauthorized' ? { kind: 'signed_in_long_ago' } : { kind: 'no_answer' };
}

function done<T, R>(answer: LinkAnswer<T>, value: (answered: T) => R): PanelLinkDone<R> {
  switch (answer.kind) {
    case 'answered':
      return { kind: 'done', value: value(answer.value) };
    case 'unauthorized':
      return { kind: 'signed_in_long_ago' };
    case 'unavailable':
      return { kind: 'unclear' };
    default:
      return { kind: answer.kind };
  }
}

function shown({ amountMinor, token: _token, ...link }: PaymentLink): PanelLink {
  return { ...link, amount: amountMinor === null ? null : toDecimal(amountMinor) };
}
