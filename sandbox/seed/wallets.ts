import { monthOf } from '../books.ts';
import { feeOf } from '../wallet-api/payout.ts';
import type { World } from '../world.ts';
import { MERCHANT, walletIban } from './merchant.ts';
import type { SeedWallet } from './merchant.ts';
import type { Event } from './story.ts';

/**
 * Stores the seeded story: wallets with their opening balance, ledger entries and payout requests.
 */

const ID_FLOOR = 6_400_000_000_000_000_000n;
const SWEPT_BEFORE_MS = 45 * 86_400_000;

type Totals = {
  sum: bigint;
  lowest: bigint;
  monthIn: bigint;
  monthOut: bigint;
  withdrawn: bigint;
  toppedUp: bigint;
};

/**
 * Sums what the story does to one wallet, and what of it counts against the limits of this month.
 */
function totalsOf(wallet: SeedWallet, events: readonly Event[], now: number): Totals {
  let sum = 0n;
  let lowest = 0n;
  let monthIn = 0n;
  let monthOut = 0n;
  let withdrawn = 0n;
  let toppedUp = 0n;
  for (const event of events) {
    if (event.outcome !== 'completed') continue;
    const fee = event.kind === 'payout' ? feeOf(event.amount, event.currency) : 0n;
    const thisMonth = monthOf(event.at) === monthOf(now);
    if (event.to === wallet.number) {
      sum += event.amount;
      if (thisMonth) monthIn += event.amount;
      if (thisMonth && event.kind === 'topup') toppedUp += event.amount;
    }
    if (event.from === wallet.number) {
      sum -= event.amount + fee;
      if (thisMonth) monthOut += event.amount + fee;
      if (thisMonth && event.kind === 'payout') withdrawn += event.amount;
    }
    if (sum < lowest) lowest = sum;
  }
  return { sum, lowest, monthIn, monthOut, withdrawn, toppedUp };
}

function insertWallet(
  { store }: World,
  wallet: SeedWallet,
  totals: Totals,
  opening: number,
  now: number,
): void {
  store.run(
    `INSERT INTO wallets (number, id, account_id, name, currency, iban, access, available, blocked,
      withdrawal_limit, month, month_in,
       month_out, month_withdrawn, month_topped_up, is_default, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    wallet.number,
    wallet.id,
    wallet.account,
    wallet.name,
    wallet.currency,
    walletIban(wallet.number),
    wallet.access,
    wallet.closing,
    wallet.withdrawalLimit,
    monthOf(now),
    totals.monthIn,
    totals.monthOut,
    totals.withdrawn,
    totals.toppedUp,
    wallet.isDefault ? 1 : 0,
    opening,
    opening,
  );
  if (wallet.maxBalance !== undefined)
    store.run(
      'UPDATE wallets SET max_balance = ? WHERE number = ?',
      wallet.maxBalance,
      wallet.number,
    );
}

/**
 * Long enough ago to be outside the charts of the last weeks; later when the balance could not
 * spare it then.
 */
function sweepAt(wallet: SeedWallet, events: readonly Event[], now: number): number {
  let balance = wallet.closing;
  for (const event of events.toReversed()) {
    if (event.at < now - SWEPT_BEFORE_MS) break;
    if (event.outcome !== 'completed') continue;
    const before = balance - gain(wallet, event);
    if (before < 0n) return event.at + 60_000;
    balance = before;
  }
  return now - SWEPT_BEFORE_MS;
}

/** What an event adds to the wallet. */
function gain({ number }: SeedWallet, { kind, from, to, amount, currency }: Event): bigint {
  if (to === number) return amount;
  if (from !== number) return 0n;
  return -amount - (kind === 'payout' ? feeOf(amount, currency) : 0n);
}

/**
 * The opening balance makes the closing balance true, and keeps the balance above zero on the way.
 */
export function seedWallet(
  world: World,
  wallet: SeedWallet,
  events: Event[],
  opening: number,
  now: number,
): void {
  const totals = totalsOf(wallet, events, now);
  const { sum, lowest } = totals;
  // What the story earns beyond the closing balance went to the merchant's own bank account.
  const needed = wallet.closing - sum;
  const start = needed < -lowest ? -lowest : needed;
  const sweep = start + sum - wallet.closing;
  const at = sweepAt(wallet, events, now);
  const monthOut = totals.monthOut + (monthOf(at) === monthOf(now) ? sweep : 0n);
  insertWallet(world, wallet, { ...totals, monthOut }, opening, now);
  insertMovement(world, seedId(BigInt(wallet.number), 9n), {
    kind: 'opening',
    type: 1001,
    from: null,
    to: wallet.number,
    amount: start,
    fee: 0n,
    currency: wallet.currency,
    description: 'Açılış bakiyesi',
    name: MERCHANT.name,
    iban: '',
    at: opening,
    state: 'posted',
    status: 20,
  });
  if (sweep > 0n)
    insertMovement(world, seedId(BigInt(wallet.number), 8n), {
      kind: 'virement',
      type: 3006,
      from: wallet.number,
      to: null,
      amount: sweep,
      fee: 0n,
      currency: wallet.currency,
      description: 'Ana hesaba toplu aktarım',
      name: MERCHANT.name,
      iban: '',
      at,
      state: 'posted',
      status: 20,
    });
}

const seedId = (index: bigint, salt: bigint): string =>
  (ID_FLOOR + index * 1_000_003n + salt).toString();

type Movement = {
  kind: string;
  type: number;
  from: string | null;
  to: string | null;
  amount: bigint;
  fee: bigint;
  currency: string;
  description: string;
  name: string;
  iban: string;
  at: number;
  state: string;
  status: number;
  extId?: string;
  requestId?: string;
};

function insertMovement(world: World, id: string, m: Movement): void {
  world.store.run(
    `INSERT INTO movements (id, kind, type_id, state, status_id, from_wallet, to_wallet, amount,
      fee, currency, ext_id, request_id, ref_id,
       description, other_name, other_iban, created_at, completed_at, listed_at, seeded)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?, 1)`,
    id,
    m.kind,
    m.type,
    m.state,
    m.status,
    m.from,
    m.to,
    m.amount,
    m.fee,
    m.currency,
    m.extId ?? null,
    m.requestId ?? null,
    m.description,
    m.name,
    m.iban,
    m.at,
    m.at + 1800,
    m.at + 2600,
  );
}

const TYPES = { payout: 2002, topup: 1004, virement: 3006 } as const;
const LEVEL = { completed: 1, rejected: 2, failed: 3 } as const;

export function seedEvent(world: World, event: Event, index: number): void {
  const id = seedId(BigInt(index), 1n);
  const fee = event.kind === 'payout' ? feeOf(event.amount, event.currency) : 0n;
  const done = event.outcome === 'completed';
  const requestId = seedId(BigInt(index), 500_000n);
  const date = new Date(event.at).toISOString().slice(0, 10).replaceAll('-', '');
  const extId = `LDS-${date}-${String(index).padStart(5, '0')}`;
  const payout = event.kind === 'payout';
  insertMovement(world, id, {
    kind: event.kind,
    type: TYPES[event.kind],
    from: event.from,
    to: event.to,
    amount: event.amount,
    fee,
    currency: event.currency,
    description: event.description,
    name: event.name,
    iban: event.iban,
    at: event.at,
    state: done ? 'posted' : 'void',
    status: done ? 20 : 40,
    ...(payout ? { extId, requestId } : {}),
  });
  if (!payout) return;
  world.store.run(
    `INSERT INTO requests (id, movement_id, ext_id, wallet_number, iban, holder, national_id,
      amount, fee, currency, description, payment_type,
       level, bank_state, due_at, due_outcome, accepted_at, updated_at, visible_at, listed_from, seeded)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?, ?, ?, 1)`,
    requestId,
    id,
    extId,
    event.from,
    event.iban,
    event.name,
    event.taxNumber,
    event.amount,
    fee,
    event.currency,
    event.description,
    event.purpose,
    LEVEL[event.outcome],
    event.outcome,
    event.at,
    event.at + 1800,
    event.at,
    event.at + 2600,
  );
}
