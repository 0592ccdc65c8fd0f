import 'server-only';
import { assertMay } from '#lib/access/actor.ts';
import type { Person } from '#lib/access/actor.ts';
import { listening, subscribe } from '#lib/live/subscribe.ts';
import { forget, once, SCREEN_PATIENCE_MS, soon } from '#lib/runtime/short-lived-cache.ts';
import { inOne, inTransaction, sql } from '#lib/runtime/db.ts';
import type { Row } from '#lib/runtime/db.ts';
import { storable } from '#lib/runtime/stored-text.ts';
import type { Locale } from '#lib/values/locale.ts';
import { walletClient } from '#lib/providers/wallet/configured-client.ts';
import type { PaymentType, Wallet } from '#lib/providers/wallet/types.ts';
import { mayPayFrom } from './may-pay-from.ts';

/**
 * How long a response is reused, so that several open tabs share one request. A payout is checked
 * against a fresh response.
 */
const SHARED_MS = 5_000;
const PAYMENT_TYPES_MS = 10 * 60_000;
const WALLETS_MAX = 200;
const NAMES_PATIENCE_MS = 500;

/**
 * The wallets' current data, or the last known one with its time while the provider does not
 * respond.
 */
export type Known<T> =
  | { fresh: boolean; at: string; value: T }
  | { fresh: false; at: null; value: null };

/** Every wallet of the merchant, in the provider's order. */
export async function knownWallets(actor: Person): Promise<Known<Wallet[]>> {
  assertMay(actor, 'wallet.read');
  forgetOnChange(actor.merchantId);
  const answer = await soon(
    once('wallets', SHARED_MS, () =>
      walletClient().listWallets({}, { index: 0, size: WALLETS_MAX, order: 'oldest' }),
    ),
  );
  if (answer?.kind === 'answered') {
    const wallets = eachOnce(answer.value.rows);
    wasStopped = wallets.some(({ access }) => mayPayFrom(access).kind === 'no');
    await keep(actor.merchantId, wallets);
    return { fresh: true, at: new Date().toISOString(), value: wallets };
  }
  return keptWallets(actor);
}

/** A list may name a wallet twice, whose money would be counted twice; the later one counts. */
function eachOnce(wallets: readonly Wallet[]): Wallet[] {
  return [...new Map(wallets.map((wallet) => [wallet.number, wallet])).values()];
}

/** Every wallet as last known, without a request. */
export async function keptWallets(actor: Person): Promise<Known<Wallet[]>> {
  assertMay(actor, 'wallet.read');
  const kept = await inOne<Snapshot>(
    actor.merchantId,
    sql`SELECT record, fetched_at FROM wallet_snapshots ORDER BY record ->> 'createdAt', number`,
  );
  const oldest = kept.map((one) => one.fetched_at).sort((a, b) => a.getTime() - b.getTime())[0];
  return oldest
    ? { fresh: false, at: oldest.toISOString(), value: kept.map((one) => revive(one.record)) }
    : { fresh: false, at: null, value: null };
}

/** One wallet; null when the provider has no wallet with that number. */
export async function knownWallet(actor: Person, number: string): Promise<Known<Wallet> | null> {
  assertMay(actor, 'wallet.read');
  forgetOnChange(actor.merchantId);
  const answer = await soon(
    once(`wallet:${number}`, SHARED_MS, () => walletClient().getWallet(number)),
  );
  if (answer?.kind === 'answered') {
    await keep(actor.merchantId, [answer.value]);
    return { fresh: true, at: new Date().toISOString(), value: answer.value };
  }
  if (answer?.kind === 'not_found') return null;
  return keptWallet(actor, number);
}

/** One wallet as last known, without a request. */
export async function keptWallet(actor: Person, number: string): Promise<Known<Wallet>> {
  assertMay(actor, 'wallet.read');
  const [kept] = await inOne<Snapshot>(
    actor.merchantId,
    sql`SELECT record, fetched_at FROM wallet_snapshots WHERE number = ${number}`,
  );
  return kept
    ? { fresh: false, at: kept.fetched_at.toISOString(), value: revive(kept.record) }
    : { fresh: false, at: null, value: null };
}

/**
 * A wallet read now, never from the cache: a payout is checked against it. Null without a response.
 */
export async function freshWallet(number: string): Promise<Wallet | null> {
  const answer = await walletClient().getWallet(number);
  if (answer.kind !== 'answered') return null;
  // A form that is refused for this reason reloads its wallets at once, and must not get the data
  // of five seconds ago.
  if (mayPayFrom(answer.value.access).kind === 'no') forgetWallets();
  return answer.value;
}

/**
 * Every wallet as listed now, hidden ones included; null when the list could not be read
 * completely.
 */
export async function freshWallets(): Promise<Wallet[] | null> {
  const answer = await walletClient().listWallets(
    {},
    { index: 0, size: WALLETS_MAX, order: 'oldest' },
  );
  return answer.kind === 'answered' && answer.value.rows.length === answer.value.rowCount
    ? answer.value.rows
    : null;
}

/** Whether the last list had a wallet that may not pay. */
let wasStopped = false;

/**
 * Before a form opens: it keeps a wallet that may not pay disabled, so that a list which has one is
 * not reused. Its block may have been lifted since.
 */
export function forgetStoppedWallets(): void {
  if (wasStopped) forgetWallets();
}

/** The next read of a wallet makes a new request, because something has changed. */
export function forgetWallets(): void {
  forget((key) => key === 'wallets' || key.startsWith('wallet:'));
}

let watched: string | null = null;

/**
 * Forgets the wallets when a movement changes or money comes in, so that a page which a person opens
 * after a payout shows the balance after it.
 */
function forgetOnChange(merchantId: string): void {
  if (watched === merchantId) return;
  watched = merchantId;
  void listening();
  subscribe(merchantId, ({ kind }) => {
    if (kind === 'movement' || kind === 'top_up') forgetWallets();
  });
}

/**
 * The purposes a payout may have; they change rarely and are cached for ten minutes. Empty without
 * a response.
 */
export async function paymentTypes(locale: Locale): Promise<PaymentType[]> {
  const answer = await once(`payment-types:${locale}`, PAYMENT_TYPES_MS, () =>
    walletClient().getPaymentTypes(locale),
  );
  return answer.kind === 'answered' ? answer.value : [];
}

/**
 * The payment types for a page: empty when the provider is slow, because a page does not wait just
 * to show a name.
 */
export async function paymentTypesSoon(
  locale: Locale,
  wanted: 'names' | 'choice',
): Promise<PaymentType[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<PaymentType[]>((resolve) => {
    timer = setTimeout(
      () => resolve([]),
      wanted === 'names' ? NAMES_PATIENCE_MS : SCREEN_PATIENCE_MS,
    );
  });
  return Promise.race([paymentTypes(locale), late]).finally(() => clearTimeout(timer));
}

type Snapshot = Row<
  'wallet_snapshots',
  'record' | 'fetched_at',
  { record: Record<string, unknown> }
>;

/** A wallet's name is typed elsewhere, and may hold what the database cannot. */
function storedValue(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return { minor: value.toString() };
  return typeof value === 'string' ? storable(value) : value;
}

async function keep(merchantId: string, wallets: Wallet[]): Promise<void> {
  const rows = JSON.stringify(wallets, storedValue);
  await inTransaction(
    merchantId,
    (tx) => tx.$executeRaw`
    INSERT INTO wallet_snapshots (merchant_id, number, record, fetched_at)
    SELECT ${merchantId}::uuid, one ->> 'number', one, clock_timestamp()
      FROM jsonb_array_elements(${rows}::jsonb) AS one
    ON CONFLICT (merchant_id, number) DO UPDATE SET record = excluded.record,
      fetched_at = excluded.fetched_at`,
  );
}

function revive(record: Record<string, unknown>): Wallet {
  return JSON.parse(JSON.stringify(record), (_key, value: unknown) =>
    value !== null && typeof value === 'object' && 'minor' in value
      ? BigInt(String(value.minor))
      : value,
  );
}
