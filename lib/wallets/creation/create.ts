import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { audit } from '#lib/audit/append.ts';
import { inTransaction } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import type { WalletCreated } from '#lib/providers/wallet/types.ts';
import { countAttempt } from '#lib/access/rate-limit.ts';
import { Refusal } from '#lib/access/refusal.ts';
import { foldForSearch } from '#lib/values/turkish.ts';
import { forgetWallets, freshWallets } from '../ask.ts';
import { lookForWallet } from './look.ts';
import type { WalletForm } from './schema.ts';

/** `asked`: a row exists and holds the result. `name_taken`: no request was made. */
export type Creation = { kind: 'asked' } | { kind: 'name_taken' };

/**
 * Requests a new wallet from the provider, once. The call carries no reference of ours
 * (`contract`), so a second request may create a second wallet: the row is stored before the
 * request and says "unclear" until the response, whichever process dies in between. Submitting the
 * same form again makes no request, and while one request is unclear no other is sent.
 *
 * @throws Refusal not_allowed, too_many, wallet_list_unread, wallet_request_open
 */
export async function createWallet(actor: Person, form: WalletForm): Promise<Creation> {
  assertMay(actor, 'wallet.create');
  await countAttempt(actor, 'wallet.create');
  const [account, before] = await Promise.all([
    walletClient().getBusinessAccount(),
    freshWallets(),
  ]);
  // Without the list from before, a new wallet could not be recognized afterwards.
  if (account.kind !== 'answered' || before === null) throw new Refusal('wallet_list_unread');
  const isNew = await store(
    actor,
    form,
    before.map((wallet) => wallet.number),
    isTaken(form, before),
  );
  if (isNew !== 'stored') return { kind: isNew };
  const { name, currency, fastIban } = form;
  const tenantId = account.value.tenantId;
  const outcome = await walletClient().createWallet({
    name,
    currency,
    fastIban,
    ...(tenantId === null ? {} : { tenantId }),
  });
  await storeResult(actor, form.id, outcome);
  forgetWallets();
  if (outcome.kind === 'unclear') await lookForWallet(actor, form.id).catch(() => undefined);
  return { kind: 'asked' };
}

/**
 * Whether a wallet of this currency has the same name. Two such wallets could not be told apart,
 * neither in a picker nor in the list after a lost response.
 */
function isTaken(
  { name, currency }: WalletForm,
  wallets: readonly { name: string; currency: string }[],
): boolean {
  return wallets.some(
    (wallet) => wallet.currency === currency && foldForSearch(wallet.name) === foldForSearch(name),
  );
}

async function store(
  actor: Person,
  form: WalletForm,
  before: string[],
  taken: boolean,
): Promise<'stored' | Creation['kind']> {
  return inTransaction(actor.merchantId, async (tx) => {
    const [earlier] = await tx.$queryRaw<
      Row<'wallet_requests', 'id'>[]
    >`SELECT id FROM wallet_requests WHERE id = ${form.id}::uuid`;
    if (earlier) return 'asked';
    if (taken) return 'name_taken';
    // Waits for a concurrent insert; the unique id or the single open request then refuses this
    // one.
    const stored = await tx.$executeRaw`
      INSERT INTO wallet_requests (id, merchant_id, person_id, name, currency, fast_iban,
        numbers_before, asked_at)
      VALUES (${form.id}::uuid, ${actor.merchantId}::uuid, ${actor.personId}::uuid, ${form.name},
        ${form.currency}, ${form.fastIban}, ${before}::text[], clock_timestamp())
      ON CONFLICT DO NOTHING`;
    if (stored === 1) {
      await audit(
        tx,
        actor,
        'wallet.asked',
        `wallet:${form.id}`,
        { currency: form.currency, fastIban: form.fastIban, before: before.length },
        { name: form.name },
      );
      return 'stored';
    }
    const [same] = await tx.$queryRaw<
      Row<'wallet_requests', 'id'>[]
    >`SELECT id FROM wallet_requests WHERE id = ${form.id}::uuid`;
    if (same) return 'asked';
    throw new Refusal('wallet_request_open');
  });
}

async function storeResult(actor: Person, id: string, outcome: WalletCreated): Promise<void> {
  const state = (
    { created: 'CREATED', refused: 'REFUSED', not_sent: 'NOT_SENT', unclear: 'UNCLEAR' } as const
  )[outcome.kind];
  const number = outcome.kind === 'created' ? outcome.number : null;
  const reason =
    outcome.kind === 'created' ? null : outcome.kind === 'refused' ? outcome.reason : outcome.why;
  const [code, message] =
    outcome.kind === 'refused' ? [outcome.code, storable(outcome.message)] : [null, null];
  await inTransaction(actor.merchantId, async (tx) => {
    const kept = await tx.$executeRaw`
      UPDATE wallet_requests SET state = ${state}, number = ${number}, reason = ${reason},
        code = ${code}, message = ${message}, answered_at = clock_timestamp()
      WHERE id = ${id}::uuid AND state = 'UNCLEAR'`;
    // A person resolved it while the response was in transit, by the provider's list, which is as
    // good a source as the response.
    if (kept === 1)
      await audit(tx, actor, `wallet.${outcome.kind}`, `wallet:${id}`, { number, reason, code });
  });
}
